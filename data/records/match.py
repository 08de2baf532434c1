"""A match as it is stored: its players, its position and its log."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any

from data.records.deadlines import SeatClock
from data.records.people import PingPreference
from data.records.proposals import TableVote
from data.records.reminders import Reminder
from data.records.terms import Terms
from rules.core.chance import seed_of
from rules.core.computer import DEFAULT_LEVEL, LEVELS, Level


class Status(StrEnum):
    """How far a match is. The values are stored."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to its outcome."""
    CANCELLED = "cancelled"
    """Called off in the lobby, or by a server's manager."""
    STOPPED = "stopped"
    """Ended by the table before its outcome."""


class GuestState(StrEnum):
    """How a guest of a lobby has answered, or what its host has decided. The values are stored."""

    INVITED = "invited"
    ACCEPTED = "accepted"
    """They sit there, or did and may come back."""
    DECLINED = "declined"
    REMOVED = "removed"
    """The host took them out of the lobby. They cannot come back."""


class RestoreCheck(StrEnum):
    """How a match from a restored backup compares with what Discord shows. The values are stored."""

    UNCHECKED = "unchecked"
    """The bot has not compared them yet. Until it has, nothing changes in the match."""
    BEHIND = "behind"
    """Discord shows later moves: the match rests until a vote to go on, or is stopped if Discord shows its end."""


DEPARTED = ""
"""Stored in place of the name of a player whose data was deleted. No player's name is empty."""
NEWCOMER = -1
"""Stored in place of a seat in the match before of a player who had none."""
RESTORED = 10_000
"""More moves than are ever taken back in one match."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a match, and who sits there."""

    number: int
    user: int | None
    """None: a computer, also on the seat of a player who has had their data deleted."""
    name: str
    """DEPARTED on the seat of a player whose data was deleted."""
    since: int = 0
    """The length of the log when this player or computer sat down."""
    offered: bool = False
    """Another player may take the seat over: its player looks for a substitute, or a computer plays there."""
    ping: PingPreference | None = None
    """How the player wants to be pinged at this table; None: as at all their tables."""
    plays_forced: bool = False
    """Whether the bot makes the player's move at this table if there is only one."""
    cut: str | None = None
    """The text with which the player who sat there when the match began had cut the deck, or None."""
    came: int | None = None
    """That player's place in the lobby, from 0. None: an older version seated them."""
    ready: bool = False
    """In a lobby: whether the player has pressed Start."""
    team: int | None = None
    """The team chosen in the lobby for that player, from 0; None: left to the draw."""
    level: str | None = None
    """The level of the computer in the seat; None: a player's seat, or the table's level (`Match.level_of`)."""
    hints: int = 0
    """How many hints the player has had in this match."""
    hinted: str | None = None
    """The turn token of the decision for which the last of them was counted."""
    sat: int | None = None
    """If the seats went round when the match began: that player's seat in the match before, or NEWCOMER. None: the
    seats were drawn, or an older version seated them.
    """
    ahead: str | None = field(default=None, repr=False)
    """The move, in notation, that the player has named for their next decision, if it is legal then: a secret."""

    @property
    def player(self) -> int:
        """The user who sits there. Raises ValueError if a computer does."""
        if self.user is None:
            raise ValueError(f"a computer sits in seat {self.number}")
        return self.user


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user on a table's waiting list, who sits down when a seat becomes free or in the next match."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class Guest:
    """A user whom a lobby has invited, or who sits at a lobby that is closed to others, or was taken out of one."""

    user: int
    name: str
    state: GuestState


@dataclass(frozen=True, slots=True)
class Former:
    """A player who left a running match, and has seen that seat's cards. `removed` by a vote: they cannot come back."""

    user: int
    seat: int
    removed: bool = False
    hints: int = 0
    hinted: str | None = None
    """Of the hints, as in `Chair`: they count on if the player comes back."""


@dataclass(frozen=True, slots=True)
class MissedStart:
    """A start time at which a lobby could not start. `why`: the value of the reason (cogs/match/refusals.py)."""

    at: int
    why: str

    def __str__(self) -> str:
        """The text that is stored."""
        return f"{self.at} {self.why}"

    @classmethod
    def parse(cls, text: str) -> MissedStart | None:
        """Return the value of a stored text; None of any other."""
        at, _, why = text.partition(" ")
        return cls(int(at), why) if why and at.isascii() and at.isdigit() else None


NO_SEAT = -1


class SeatChangeKind(StrEnum):
    """How the person in a seat changed, or what a manager of the server did. The values are stored."""

    LEFT = "left"
    """The player left; a computer plays on."""
    REMOVED = "removed"
    """The other players voted that a computer plays on."""
    REPLACED = "replaced"
    """The player was away, and the others voted that a computer plays on."""
    GONE = "gone"
    """The player left the server, or was banned from it; a computer plays on."""
    GIVEN = "given"
    """A manager of the server gave the seat to a computer. GAVE with the manager is before it, unless it is old."""
    HANDED_OVER = "handed_over"
    """The player left to a substitute; TOOK_OVER follows."""
    TOOK_OVER = "took_over"
    """A substitute sat down."""
    CAME_BACK = "came_back"
    """The player who had left sat down again."""
    GAVE = "gave"
    """A manager of the server gave a seat to a computer: GIVEN follows."""
    CANCELLED = "cancelled"
    """A manager of the server cancelled the match."""

    @property
    def leaves(self) -> bool:
        """Whether the player left a seat."""
        return self not in (
            SeatChangeKind.TOOK_OVER,
            SeatChangeKind.CAME_BACK,
            SeatChangeKind.GAVE,
            SeatChangeKind.CANCELLED,
        )


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A player left a seat of a running match, or sat down there; or a manager of the server did something to it."""

    moves: int
    """The length of the log then."""
    seat: int
    """NO_SEAT: it tells what the manager `user` did."""
    kind: SeatChangeKind
    user: int | None
    """None: that player's data was deleted."""
    name: str
    """DEPARTED: that player's data was deleted."""
    computer: str = ""
    """The name of the computer that sat down, or gave way; "" if none did."""


@dataclass(frozen=True, slots=True)
class Match(Terms):
    """One play of a game, as stored. Instants are seconds since 1970. No player sees `secret` before the end."""

    id: int
    game: str
    status: Status
    guild: int
    """0: it is `private`; then `channel` and `place` are 0 too."""
    channel: int
    place: int
    host: int
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
    """When the bot was removed from the server, if it is not back. An open match then pauses; another ended paused."""
    previous: int | None = None
    """The match after which the players chose to play this one."""
    touched_at: int = 0
    """When a player last did something in the lobby."""
    rests_since: int | None = None
    """Since when the match rests by a vote; None if it does not."""
    waiting: tuple[Waiting, ...] = ()
    """The waiting list, the longest waiting user first."""
    former: tuple[Former, ...] = ()
    clocks: tuple[SeatClock, ...] = ()
    """The clocks of the players' seats; empty without a time control."""
    clock_kept_until: int = 0
    """Until when no vote sets a shorter time limit: a vote has set a longer one lately."""
    credited: int = 0
    """Up to when time in which no player could play has been credited to the waits of a table without a time limit."""
    alone: str = ""
    """If several players decide at once and all but one have decided: the turn token of that one. Otherwise ""."""
    chain: bytes | None = field(default=None, repr=False)
    """The last link of the log's chain (data/store/hash_chain.py); None in the lobby."""
    rules: int = 1
    """The version of the game's rules with which it began."""
    doubt: RestoreCheck | None = None
    """Set while a restored backup leaves open whether the match is up to date."""
    restores: int = 0
    """How often it was behind what Discord showed."""
    starts_at: int | None = None
    """When the lobby starts by itself, or was to start; None: by a press alone."""
    starts_soon: bool = False
    """Whether the lobby's players are to be reminded of its start."""
    missed_start: MissedStart | None = None
    """The last start time at which the lobby could not start."""
    guests: tuple[Guest, ...] = ()
    """Its guests, by user. After the start they keep their states: they say who may take a seat over."""
    readable: bool = True
    """Whether its row can be read. If not, `options` is empty and `state` is None."""
    nudged_at: int | None = None
    """When a player last nudged the players that the table waited for, or None."""
    reminders: tuple[Reminder, ...] = ()
    """The reminders of the players that a table without a time control waits for."""
    proposals: tuple[TableVote, ...] = ()
    """The open votes, and those that closed without a decision and are still shown."""

    lesson: bool = False
    """Whether it is a player's first lesson of the game. It is `private`."""
    duplicate: int | None = None
    """The first match of the group dealt from the same secret; None: it has its own. See cogs/match/duplicates.py."""
    held: bool = False
    """Whether another table of that group has not ended. Until then only the players of this one see its position."""
    season: bool = False
    """Whether it is a table of a season."""
    dissolved: bool = False
    """Whether it was a duplicate until its group came apart: no other table has its deals any more."""

    uncounted: str | None = None
    """Why the match of a rated table does not count for the ratings; None: it counts. Decided when the match begins.
    See cogs/match/rated.py.
    """
    seat_changes: tuple[SeatChange, ...] = ()
    """Who left a seat or sat down since it began, in order. Matches of older versions lack those before the update."""

    parent: int | None = None
    """The channel of the public thread in which the table was opened or to which it was moved; None: it is in none. Who
    can read that channel can read the thread, also once Discord has archived it.
    """

    def next(self, chain: bytes | None) -> Match:
        """Return the match with the next version and that last link: faster than `replace`, for each move does it."""
        values = list(_values(self))
        values[_VERSION], values[_CHAIN] = self.version + 1, chain
        return Match(*values, **self.chosen)

    def told_of(self, manager: int, did: SeatChangeKind, name: str) -> Match:
        """Return the match that also tells what a manager of the server, of that name, did to it: GAVE or CANCELLED."""
        told = SeatChange(self.moves, NO_SEAT, did, manager, name)
        return replace(self, seat_changes=(*self.seat_changes, told))

    def without_ahead(self, seat: int | None = None) -> Match:
        """Return the match in which that seat, or none (None), has named a move ahead."""
        if not any(chair.ahead for chair in self.chairs):
            return self
        kept = (chair if seat not in (None, chair.number) else replace(chair, ahead=None) for chair in self.chairs)
        return replace(self, chairs=tuple(kept))

    def seat_of(self, user: int) -> int | None:
        """Return the player's seat, or None."""
        return next((chair.number for chair in self.chairs if chair.user == user), None)

    def level_of(self, seat: int) -> Level:
        """Return the level at which a computer plays in that seat; the default for a level that this program lacks."""
        chair = self.chairs[seat]
        own = None if chair.user is not None else chair.level
        return self.default_level if own is None else _known_level(own)

    @property
    def default_level(self) -> Level:
        """The level at which a computer plays for players; the default for a level that this program lacks."""
        return _known_level(self.level)

    @property
    def cuts(self) -> tuple[str, ...]:
        """The texts with which players cut the deck: in the lobby in its order, then in the order of the seats."""
        return tuple(chair.cut for chair in self.chairs if chair.cut is not None)

    @property
    def seed(self) -> str:
        """The seed of all deals of a started match, as secret as `secret`."""
        return seed_of(self.secret, self.cuts)

    @property
    def people(self) -> tuple[Chair, ...]:
        """The seats of players, without those of computers."""
        return tuple(chair for chair in self.chairs if chair.user is not None)

    def former_seat(self, user: int) -> Former | None:
        """Return the seat that the user has left in the running match; None if they sit there or never did."""
        return next((former for former in self.former if former.user == user), None)

    def guest(self, user: int) -> Guest | None:
        """Return the user as a guest of the lobby, or None."""
        return next((guest for guest in self.guests if guest.user == user), None)

    @property
    def private(self) -> bool:
        """Whether it is one player's alone, against computers: it has no server and no table, only its player's hand.
        Lessons are, and matches in direct messages.
        """
        return not self.guild

    @property
    def open(self) -> bool:
        """Whether it has not ended: a lobby or a match that is played."""
        return self.status in (Status.LOBBY, Status.PLAYING)

    @property
    def paused(self) -> bool:
        """Whether it waits for the bot to be added to the server again."""
        return self.open and self.paused_at is not None

    @property
    def running(self) -> bool:
        """Whether players can make moves in it now."""
        halted = self.paused_at is not None or self.rests_since is not None or self.doubt is RestoreCheck.UNCHECKED
        return self.status is Status.PLAYING and not halted

    @property
    def waits_since(self) -> int:
        """Since when a running match waits for its next move, and a lobby for its start."""
        return self.opened_at if self.turn_since is None else self.turn_since

    @property
    def branch(self) -> int:
        """A number that grows each time the match leaves positions behind: a move taken back, or a restored backup."""
        return self.undone + RESTORED * self.restores

    @property
    def ending(self) -> str:
        """How it ended, as the end of a text's key: its status, or "lesson" if it is one, or "restored" if Discord
        already showed its end when an older backup was restored, or "away" if the bot was not added to the server again
        in time.
        """
        if self.lesson and not self.open:
            return "lesson"
        if self.status is Status.STOPPED and self.doubt is RestoreCheck.BEHIND and self.rests_since is None:
            return "restored"
        return "away" if not self.open and self.paused_at is not None else self.status.value

    @property
    def tells_end(self) -> bool:
        """Whether a separate message at the table tells the end: the match had an outcome, or its players ended it. Of
        a private match, the hand tells it.
        """
        return not self.private and self.ending in (Status.OVER, Status.STOPPED)


def _known_level(chosen: str) -> Level:
    return next((level for level in LEVELS if level == chosen), DEFAULT_LEVEL)


_NAMES = tuple(found.name for found in fields(Match) if not found.kw_only)
_values = attrgetter(*_NAMES)
_VERSION, _CHAIN = _NAMES.index("version"), _NAMES.index("chain")


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move of the log. `user` None: a computer made it.

    `undone_at` is the length of the log when the move was taken back; None if it was not. The latest move is always
    taken back first, so these lengths give the order in which moves were made and taken back.
    """

    number: int
    seat: int
    turn: str
    text: str = field(repr=False)
    user: int | None = None
    undone_at: int | None = None
    computer: str | None = None
    """Which computer made it, its level and the version of the computers ("strong 1"); None: a player, or unknown."""
    took: int | None = None
    """Seconds that the turn had lasted when a player made it; None: a computer made it, or the bot as it was the
    player's only move, or an older version stored it.
    """


class Conflict(Exception):
    """The match has changed since it was read. Nothing was written."""
