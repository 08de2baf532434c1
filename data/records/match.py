"""What a match is, as stored: its people, its position, its log, and the messages that show it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter
from typing import Any

from data.records.deadlines import SeatClock
from data.records.people import PingPreference
from rules.core.chance import seed_of

TABLE, CALL = -1, -2
"""The places of public messages: the table's, and the call for substitutes. Others are seats, by direct message."""


class Status(StrEnum):
    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to its outcome."""
    CANCELLED = "cancelled"
    """Called off in the lobby, or by a server's manager."""
    STOPPED = "stopped"
    """Ended by the table before its outcome."""


class RestoreCheck(StrEnum):
    """What is to be asked of a match that comes from a backup."""

    UNCHECKED = "unchecked"
    """Whether Discord shows later moves is not known yet: nothing is done in it until then."""
    BEHIND = "behind"
    """Discord shows later moves: it rests until its table decides. Where it shows the end, it is stopped, and does not
    rest.
    """


DEPARTED = ""
"""Stored for the name of somebody whose data was deleted: no person's name is empty."""
RESTORED = 10_000
"""More than moves are ever taken back in a match."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits where. `user` None is a computer, also on the seat of somebody who has had their data deleted (`name`
    DEPARTED); `since` is the length of the log when they sat down.

    `offered`: its person looks for somebody who takes it over, or has been removed. What its person has set for this
    table alone: `ping`, by which way they are called (None: as they said for all), and `plays_forced`, whether a move
    without a choice is made for them. `cut`: what whoever sat there when the match began has cut the deck with, or
    None. `came`: their place in the lobby, from 0; None where the seats were not drawn, or before it was noted.
    """

    number: int
    user: int | None
    name: str
    since: int = 0
    offered: bool = False
    ping: PingPreference | None = None
    plays_forced: bool = False
    cut: str | None = None
    came: int | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who came too late, and plays next time or when somebody gets up."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class Former:
    """Who has left a running match, and knows the cards of that seat. `removed` by a vote, they do not come back."""

    user: int
    seat: int
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """One play of a game, as stored. Times are seconds since 1970; `secret` is shown to nobody before the end."""

    id: int
    game: str
    status: Status
    guild: int
    channel: int
    place: int
    host: int
    locale: str
    options: dict[str, Any]
    wanted: int | None
    own_thread: bool
    secret: str = field(repr=False)
    state: dict[str, Any] | None = field(repr=False)
    version: int
    moves: int
    opened_at: int
    started_at: int | None
    turn_since: int | None
    ended_at: int | None
    chairs: tuple[Chair, ...] = ()
    undone: int = 0
    """How many moves of the log have been taken back."""
    paused_at: int | None = None
    """Since when nobody is asked for anything, because the bot was removed from the server; it ended so if not open."""
    previous: int | None = None
    """The match that this one is played again after."""
    touched_at: int = 0
    """When somebody last did something in the lobby."""
    rests_since: int | None = None
    """Since when the match rests by a vote."""
    waiting: tuple[Waiting, ...] = ()
    """Who came too late, in the order of coming."""
    former: tuple[Former, ...] = ()
    clock: str = "none"
    """The name of its terms (cogs/match/time_controls.py)."""
    absent: str = "computer"
    """What follows where somebody's time has run out in spite of the extension: that, or "vote"."""
    clocks: tuple[SeatClock, ...] = ()
    """Those of the seats of people, where the match has a clock."""
    alone: str = ""
    """The turn of the last one awaited of several people who decide at once; "" where there is none."""
    chain: bytes | None = field(default=None, repr=False)
    """The last link of the log's chain (data/records/hash_chain.py), from the start on."""
    rules: int = 1
    """The version of its game's rules that it began with."""
    doubt: RestoreCheck | None = None
    """What a restored backup leaves open."""
    restores: int = 0
    """How often it was found to be behind what Discord showed."""
    readable: bool = True
    """Whether its row can be read; else options and state are not there."""

    def next(self, chain: bytes | None) -> Match:
        """The same one version later; as `dataclasses.replace` makes it, in less time, which each move pays."""
        values = list(_values(self))
        values[_VERSION], values[_CHAIN] = self.version + 1, chain
        return Match(*values)

    def seat_of(self, user: int) -> int | None:
        """The seat of that person, or None."""
        return next((chair.number for chair in self.chairs if chair.user == user), None)

    @property
    def cuts(self) -> tuple[str, ...]:
        """What the deck has been cut with: in the order of the lobby's list, from the start on in that of the seats."""
        return tuple(chair.cut for chair in self.chairs if chair.cut is not None)

    @property
    def seed(self) -> str:
        """What all deals follow from, as secret as `secret`. Of a started match."""
        return seed_of(self.secret, self.cuts)

    @property
    def people(self) -> tuple[Chair, ...]:
        return tuple(chair for chair in self.chairs if chair.user is not None)

    def former_seat(self, user: int) -> Former | None:
        """What that person has left, or None where they never sat at the running match, or sit there."""
        return next((former for former in self.former if former.user == user), None)

    @property
    def open(self) -> bool:
        return self.status in (Status.LOBBY, Status.PLAYING)

    @property
    def paused(self) -> bool:
        return self.open and self.paused_at is not None

    @property
    def running(self) -> bool:
        """Whether moves are made in it now."""
        halted = self.paused_at is not None or self.rests_since is not None or self.doubt is RestoreCheck.UNCHECKED
        return self.status is Status.PLAYING and not halted

    @property
    def branch(self) -> int:
        """A number that grows whenever positions are left behind: by a move taken back, or by a restored backup."""
        return self.undone + RESTORED * self.restores

    @property
    def ending(self) -> str:
        """How it ended, in a word: its status; or "restored", where its end has been shown already and a backup from
        before was restored; or "away", where nobody asked the bot back to the server in time.
        """
        if self.status is Status.STOPPED and self.doubt is RestoreCheck.BEHIND and self.rests_since is None:
            return "restored"
        return "away" if not self.open and self.paused_at is not None else self.status.value


_NAMES = tuple(found.name for found in fields(Match))
_values = attrgetter(*_NAMES)
_VERSION, _CHAIN = _NAMES.index("version"), _NAMES.index("chain")


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move of the log. `user` None: a computer made it.

    `undone_at` is the length of the log when the move was taken back, and None while it stands. The last one that
    stands is taken back first, so this tells in what order things were done and undone.
    """

    number: int
    seat: int
    turn: str
    text: str = field(repr=False)
    user: int | None = None
    undone_at: int | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A message that shows a match, and how far it has shown it. `user`: whose hand it is; None at the table.

    `pinged` is what that person has been called for or knows of; `mentioned` is the same of the table's calls alone,
    for those who are called in both ways. Of the table's own post they are: `pinged`, whom the message on its way calls
    for what, as JSON by seat, and in a lobby that all are invited; `mentioned`, the turns for which it has called again
    where it moved to, as "<seat> <turn>" with commas between. `ping` is the message of the table's last call; of the
    call for substitutes, the last one that is there no more. `digest` is of what it says, or did before it was deleted.
    """

    match: int
    place: int
    channel: int
    message: int | None = None
    shown: int = 0
    digest: str = ""
    pinged: str = ""
    ping: int | None = None
    user: int | None = None
    mentioned: str = ""


@dataclass(frozen=True, slots=True)
class StaleHand:
    """A direct message with the hand of somebody who has left, still to be emptied. `user` 0: nobody's any more."""

    match: int
    user: int
    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class OldTable:
    """A message that has shown the table of a match, in a channel or thread, and is not the table's any more.

    `message` is UNKNOWN of one that may have been sent to that channel, not before `since` (seconds since 1970), by a
    send whose answer never came. `named` is the channel or thread that the message says the table is in now; 0 while it
    may still show the table.
    """

    match: int
    channel: int
    message: int
    since: int
    named: int = 0


UNKNOWN = 0
"""In the place of a message: its id is not known."""


class Conflict(Exception):
    """The match has changed since it was read. Nothing was written."""
