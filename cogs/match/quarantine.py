"""Matches that cannot be played on: what is stored of them is damaged, or belongs to rules that this program lacks.

Each open match is looked through once a start, before anything is done in it: its row can be read, its rules are known,
its log is the one that was recorded (data/records/hash_chain.py), and replaying it leads to the position that is
stored. A match of
which that is not so is held: nothing is done in it, nothing of it is changed, its table says so, and all others play
on. It is looked through anew at the next start, as a backup or a newer program may have mended it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from cogs.match.refusals import Refused
from cogs.match.replay import replay
from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.store.database import NotStored
from rules.core.game import AnyGame

log = logging.getLogger(__name__)


class Fault(NamedTuple):
    """Why a match is held: the key of the sentence is `refused.<key>`; the code stands in the log too."""

    key: str
    code: str


class Quarantine:
    """Looks through the open matches of a host. `told` hears the number of each match that is found to be held."""

    def __init__(self, matches: Matches, games: Mapping[str, AnyGame]) -> None:
        self._matches = matches
        self._games = games
        self._sound: set[int] = set()
        self._held: dict[int, Fault] = {}
        self.told: Callable[[int], None] = _tell_nobody

    def holds(self, number: int) -> bool:
        """Whether that match is known to be held."""
        return number in self._held

    def among(self, numbers: Iterable[int]) -> dict[int, Fault]:
        """Those of these matches that are known to be held, and why."""
        return {number: self._held[number] for number in numbers if number in self._held}

    async def held(self, match: Match) -> Fault | None:
        """Why that match is held; None where it is not."""
        if match.id in self._sound or not match.open:
            return None
        if match.id not in self._held:
            await self._look_through(match.id, _at_once)
        return self._held.get(match.id)

    async def check(self, match: Match) -> None:
        """Refused where the match is held."""
        held = await self.held(match)
        if held is not None:
            raise Refused(held.key, code=held.code)

    async def sweep(self) -> None:
        """Look through all open matches that nobody has asked for, the newest first, half the time at rest."""
        for number in await self._matches.still_open():
            if number not in self._sound and number not in self._held:
                await self._look_through(number, time.sleep)

    async def _look_through(self, number: int, rest: Callable[[float], None]) -> None:
        found = await self._matches.whole(number)
        if found is None:
            return
        fault = await asyncio.to_thread(_timed, lambda: self._fault(*found), rest)
        if fault is None:
            self._sound.add(number)
        elif number not in self._held:
            key, why = fault
            held = self._held[number] = Fault(key, sha256(f"{number} {why}".encode()).hexdigest()[:8])
            log.error("match %d is held (code %s): %s", number, held.code, why)
            try:
                await self._matches.stop_clocks(number)
            except NotStored:  # its deadlines are refused one by one
                log.warning("the clocks of match %d cannot be stopped", number)
            self.told(number)

    def _fault(self, match: Match, moves: list[LoggedMove], whole: bool) -> tuple[str, str] | None:
        """Why the match must be held, as a key and for the log; None where all is well."""
        if not match.readable:
            return "damaged", "its row cannot be read"
        game = self._games.get(match.game)
        if game is None:
            return "other_rules", "there is no such game"
        if match.rules != game.version:
            return "other_rules", f"it began under version {match.rules} of its rules, and this is {game.version}"
        if match.state is None:
            return None
        if not whole:
            return "damaged", "its log is not the one that was recorded"
        try:
            _, state = replay(game, match, moves)
            same = state.to_json() == match.state
        except Exception as error:  # whatever damage leads to
            return "damaged", f"its log cannot be replayed: {type(error).__name__}"
        return None if same else ("damaged", "its log leads to another position than the one that is stored")


def _timed(work: Callable[[], tuple[str, str] | None], rest: Callable[[float], None]) -> tuple[str, str] | None:
    """Work, and then rest for as long as it took."""
    begin = time.perf_counter()
    found = work()
    rest(time.perf_counter() - begin)
    return found


def _at_once(_: float) -> None:
    """Rest not at all: somebody waits."""


def _tell_nobody(number: int) -> None:
    """What is told before there is anybody to show it."""
