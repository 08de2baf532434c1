"""Searches: what takes seconds of a worker and begins with a press. These are hints, reviews, checks of ended matches
and files of replays.

At most one search is under way for each person, and EACH_SERVER for each server. Others wait, in turn among the people
who have asked: a person's next one is last in the queue when the one before has ended. For the same thing there is one
search, however many ask for it, and it begins as soon as one of them has a turn.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Mapping
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, TypeVar

from cogs.match.refusals import Reason, Refused
from data.turns import asker

T = TypeVar("T")

EACH_SERVER = 2
"""The most searches that are under way for one server."""
MOST_ASKED = 3
"""The most searches of one person, the one under way included."""
MOST_FILES = 4
"""The most files that are made at once: the pictures of each are in memory."""
PATIENCE = 14 * 60.0
"""Seconds after which a search is given up: Discord takes answers to a press for 15 minutes."""


class Kind(StrEnum):
    """The kinds of searches."""

    HINT = "hint"
    REVIEW = "review"
    VERIFY = "verify"
    FILE = "file"


class Sought(NamedTuple):
    """What a search is for. `more`: what it depends on besides the match."""

    kind: Kind
    match: int
    more: tuple[Hashable, ...] = ()


@dataclass(slots=True, eq=False)
class _Search:
    """A search, who has asked for it, and how many wait for its result."""

    sought: Sought
    guild: int | None
    work: Callable[[], Coroutine[Any, Any, Any]]
    result: asyncio.Future[Any]
    askers: dict[int, Context] = field(default_factory=dict)
    """Each person who has asked (0: none), the first one first, with the context of their task."""
    person: int = 0
    """In whose turn it is under way: what began it may be the end of another search."""
    waiters: int = 0
    task: asyncio.Task[Any] | None = None
    """None: it waits for its turn."""

    def bounds(self, person: int) -> dict[Hashable, int]:
        """How many searches with something in common with this one may be under way, if it is that person's."""
        found: dict[Hashable, int] = {}
        if person:
            found["person", person] = 1
        if self.guild:  # a private match is in none
            found["server", self.guild] = EACH_SERVER
        if self.sought.kind is Kind.FILE:
            found["files"] = MOST_FILES
        return found


class Searches:
    """The searches of the bot, under way or waiting for their turn."""

    def __init__(self) -> None:
        self.found: dict[Sought, _Search] = {}
        self.waiting: list[_Search] = []
        """Those of a person go to the end when another one of theirs has ended."""
        self.under_way = Counter[Hashable]()

    async def run(self, sought: Sought, guild: int | None, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what `work` returns, or what a search for the same has returned that another has asked for meanwhile.
        The person is the one for whom the current task works; `guild` is the server of the match.

        Raises what `work` raises. Refused: the person has asked for too much, or PATIENCE seconds are over. If all who
        have asked are gone, the search is given up.
        """
        search = self.found.get(sought)
        if search is None:
            search = self._asked(sought, guild, work)
        search.askers.setdefault(asker.get(), copy_context())
        self._begin()
        search.waiters += 1
        try:
            done, _ = await asyncio.wait({search.result}, timeout=PATIENCE)
        finally:
            search.waiters -= 1
            if not search.waiters and not search.result.done():
                self._give_up(search)
        if not done:
            raise Refused(Reason.TOOK_TOO_LONG)
        found: T = search.result.result()
        return found

    def _asked(self, sought: Sought, guild: int | None, work: Callable[[], Coroutine[Any, Any, Any]]) -> _Search:
        """Add a search. Refused: the person has asked for too much already."""
        person = asker.get()
        theirs = [each for each in self.found.values() if person and next(iter(each.askers)) == person]
        if len(theirs) >= MOST_ASKED:
            first = min(theirs, key=lambda each: each.task is None).sought
            raise Refused(Reason(f"first_{first.kind}"), table=first.match)
        search = _Search(sought, guild, work, asyncio.get_running_loop().create_future())
        self.found[sought] = search
        self.waiting.append(search)
        return search

    def _begin(self) -> None:
        """Begin all searches for which there is room."""
        for search in [*self.waiting]:
            person = next((person for person in search.askers if self._has_room(search.bounds(person))), None)
            if person is None:
                continue
            self.waiting.remove(search)
            search.person = person
            self.under_way.update(search.bounds(person).keys())
            start = search.askers[person].run
            search.task = start(asyncio.create_task, search.work(), name=f"search: {search.sought.kind}")
            search.task.add_done_callback(partial(self._end, search))

    def _has_room(self, bounds: Mapping[Hashable, int]) -> bool:
        return all(self.under_way[what] < most for what, most in bounds.items())

    def _end(self, search: _Search, task: asyncio.Task[Any]) -> None:
        """Tell all who wait for it how a search has ended, and begin the next one."""
        self._forget(search)
        error = None if task.cancelled() else task.exception()  # asked for in any case: else asyncio logs its text
        if not search.result.done():
            if task.cancelled():
                search.result.cancel()
            elif error is not None:
                search.result.set_exception(error)
                search.result.exception()  # as above, if those who wait are about to go
            else:
                search.result.set_result(task.result())
        self.under_way.subtract(search.bounds(search.person).keys())
        self.under_way += Counter()  # without what is zero
        self.waiting.sort(key=lambda each: search.person != 0 and each.askers.keys() == {search.person})
        self._begin()

    def _give_up(self, search: _Search) -> None:
        """End a search for whose result no person waits any more."""
        self._forget(search)
        search.result.cancel()
        if search.task is not None:
            search.task.cancel()
        else:
            self.waiting.remove(search)

    def _forget(self, search: _Search) -> None:
        """Have the next who asks for the same begin another search."""
        if self.found.get(search.sought) is search:
            del self.found[search.sought]
