"""The instants at which the harness `bot` kills the bot.

Most faults can show only in a few instants: Discord has a message that the bot has not noted, a player has read that
their move is recorded, a table is noted as shown and is not. A kill at a random instant rarely meets one of these. So
the kinds of kills are dealt like cards from a deck of sixteen, which is shuffled again when it is used up. Each deck
has all kinds, in random order; within its kind each kill strikes at a random instant.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import Enum
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from aiohttp import web

from data.records.post_rows import END


class Moment(Enum):
    """When a life is killed."""

    STARTING = "killed while starting"
    CATCHING_UP = "killed while catching up"
    PLAYING = "killed while playing"
    WORKERS = "whose workers were killed while people played"
    """The bot has workers, and lives on until all is shown."""


class Pattern(Protocol):
    """The requests at one of which to kill, after fewer than `most` of them have passed."""

    @property
    def most(self) -> int: ...

    def matches(self, method: str, path: str, recorded: bool) -> bool:
        """Return whether it is such a request. `recorded`: it has told a player that their move is recorded."""
        ...


class RequestPattern(NamedTuple):
    """The requests at one of which to kill, after fewer than `most` of them have passed."""

    method: str
    path: str
    most: int = 3
    recorded: bool = False
    """Whether to match only requests that have told a player that their move is recorded."""

    def matches(self, method: str, path: str, recorded: bool) -> bool:
        asked = re.fullmatch(self.method, method) and re.search(self.path, path)
        return bool(asked) and (recorded or not self.recorded)


class AtTheEnd(NamedTuple):
    """The requests of this method while the end of a match is stored and not told. `digest`: what the post says then
    (data/records/match.py): "" before the send of the message that tells it, "sending" during the send.
    """

    database: Path
    method: str
    digest: str
    most: int = 1

    def matches(self, method: str, path: str, recorded: bool) -> bool:
        if method != self.method or not re.search(r"^/channels/\d+/messages(?:/\d+)?$", path):
            return False
        sql = "SELECT count(*) FROM post WHERE place = ? AND message IS NULL AND digest = ?"
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as reader:
            return bool(reader.execute(sql, (END, self.digest)).fetchone()[0])


ANY = RequestPattern("[A-Z]+", "", 16)
ANSWER = RequestPattern("PATCH|POST", r"^/webhooks/")
"""An answer to a press."""
RECORDED = ANSWER._replace(recorded=True, most=2)
EDIT = RequestPattern("PATCH", r"^/channels/\d+/messages/\d+$")
SENDING = RequestPattern("POST", r"^/channels/\d+/messages$")


class Kill(NamedTuple):
    """One kill. `request`: None for a kill at a random time."""

    moment: Moment
    request: Pattern | None = None
    before: bool = False
    """Whether to kill before Discord carries the request out, which then it does not; else before its answer."""
    catch_up_next: bool = False
    """Whether the next process catches up, until all is shown, before people press."""


def kill_plan(random: Random, channel: int) -> Iterator[Kill]:
    """Yield kills, one deck after the other. `channel`: the channel of the tables."""
    looked = False
    while True:
        for kill in _deck(random, EDIT._replace(path=rf"^/channels/{channel}/messages/\d+$")):
            if kill.moment in (Moment.CATCHING_UP, Moment.PLAYING):
                kill, looked = kill._replace(moment=Moment.PLAYING) if looked else kill, kill.catch_up_next
            yield kill


def _deck(random: Random, table: RequestPattern) -> list[Kill]:
    """Return a shuffled deck. `table`: the edits of tables."""

    def awake() -> Moment:
        return random.choices([Moment.CATCHING_UP, Moment.PLAYING], [35, 45])[0]

    def either() -> bool:
        return random.random() < 0.5

    deck = [
        *[Kill(Moment.STARTING)] * 3,
        *[Kill(Moment.WORKERS)] * 2,
        *[Kill(awake()) for _ in range(3)],
        Kill(awake(), ANY, either()),
        Kill(awake(), random.choice([ANSWER, EDIT]), either()),
        Kill(Moment.PLAYING, RECORDED),
        Kill(awake(), table, before=True),
        Kill(Moment.PLAYING, table, before=True),
        Kill(awake(), SENDING, before=True),
        Kill(awake(), SENDING),
        # Else the pinged player presses, and the bot does not send again what it might send twice.
        Kill(awake(), SENDING, catch_up_next=True),
    ]
    random.shuffle(deck)
    return deck


def strike_on(pattern: Pattern, random: Random, strike: Callable[[], None]) -> Callable[[str, str, bool], bool]:
    """Return a function that kills at one of the next such requests, and returns whether it was this one."""
    due = chain(repeat(False, random.randrange(pattern.most)), [True], repeat(False))

    def struck_at(method: str, path: str, recorded: bool) -> bool:
        if not pattern.matches(method, path, recorded) or not next(due):
            return False
        strike()
        return True

    return struck_at


def refuse_struck(struck_at: Callable[[str, str, bool], bool]) -> Callable[[str, str], bool]:
    """Return a `Loopback.gate`: Discord does not carry out the request at which the bot is killed."""

    def gate(method: str, path: str) -> bool:
        if struck_at(method, path, False):
            raise web.HTTPServiceUnavailable
        return False

    return gate
