"""A second, simple model of a match: seats, waiting players, departures, votes and moves.

A `TableModel` (`tests/support/machine/table_model.py`) takes each action. It changes as the sentences below say, or
raises `Refusal`. Of the bot's code it uses only the rules of the games.

- A lobby seats people in the order in which they come, up to the limit of the game or the table. Later people wait, and
  sit down when a player gets up. A host who leaves hands the lobby on; without people it is called off.
- A player of a running match may leave the seat to a computer. Then any person may take the seat, except one who has
  sat at another seat of this match. A removed player does not come back.
- Each player has one vote. More than half of the voters decide. Voters are the present players; for a removal, all
  people. To take a move back all people must agree. If the match counts for the ratings, which its start decides, all
  voters must agree to end it, to pause it and to change its time limit, and all others to remove a player. For an hour
  after a vote for more time no vote gives less.
- A player who acts is present: no computer plays for them any more, and no vote about them goes on.
- A player's settings for a table belong to the player, and go with them; the player's cut stays with the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from data.records.hours import Hours
from data.records.match import LoggedMove, Match
from data.records.people import PingPreference
from rules import GAMES
from rules.core.game import AnyState, Seat
from tests.support.machine.clock_model import LIVE, TERMS, ClockModel


class Refusal(Exception):
    """The bot must refuse the action. The message is the key of the sentence that says why."""


@dataclass
class Occupant:
    """The occupant of a seat; a computer has no user."""

    user: int | None
    name: str
    offered: bool = False
    forced: bool = False
    cut: str | None = None
    ping: PingPreference | None = None
    """The player's choice of pings at this table; None: as at all other tables."""


@dataclass
class MatchModel:
    """One match. Its moves are stored as positions: the first one, then one after each move not taken back."""

    number: int
    game: str
    host: int
    occupants: list[Occupant]
    touched: int
    status: str = "lobby"
    waiting: dict[int, str] = field(default_factory=dict)
    former: dict[int, tuple[int, bool]] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    """Seats of which the others have given one to a computer as its player was away."""
    took_over: dict[int, int] = field(default_factory=dict)
    """The length of the log when a substitute took a seat over, by seat."""
    wanted: int | None = None
    clock: str = "none"
    kept_until: int = 0
    """Until when no vote sets a shorter time limit."""
    absent: str = "computer"
    rated: bool = False
    hints: bool = True
    uncounted: str | None = None
    """Why the match of a rated table does not count, decided when it begins."""
    thread: bool = False
    """Whether the table asks for a thread of its own; Discord decides its actual place."""
    options: dict[str, object] = field(default_factory=dict)
    votes: dict[int, str] = field(default_factory=dict)
    rests: bool = False
    rests_long: bool = False
    """Whether the pause has lasted so long that one vote ends it."""
    waits_long: bool = False
    """Whether no player has moved for so long that one vote puts a clock on it."""
    paused: int | None = None
    previous: int | None = None
    secret: str = ""
    closed: bool = False
    guests: dict[int, str] = field(default_factory=dict)
    """How each guest of the lobby has answered."""
    ready: set[int] = field(default_factory=set)
    """The players who want to start."""
    begins: str = ""
    """What begins if they do."""
    log: list[LoggedMove] = field(default_factory=list)
    states: list[AnyState] = field(default_factory=list)
    clocks: dict[int, ClockModel] = field(default_factory=dict)
    hours_now: Callable[[int], Hours] = lambda user: Hours()
    """Returns the hours that a person keeps now."""
    absent_at_end: set[int | None] = field(default_factory=set)
    version: int = 0
    deserted: bool = False
    """Whether all players were absent before the events of this instant."""
    has_begun: bool = False
    """Whether it had begun before the last action."""
    _had_unresponsive: bool = False

    # Queries.

    @property
    def open(self) -> bool:
        return self.status in ("lobby", "playing")

    @property
    def running(self) -> bool:
        return self.status == "playing" and not self.rests and self.paused is None

    @property
    def state(self) -> AnyState:
        return self.states[-1]

    @property
    def people(self) -> list[int]:
        return [occupant.user for occupant in self.occupants if occupant.user is not None]

    @property
    def undone(self) -> int:
        return sum(move.undone_at is not None for move in self.log)

    def seat(self, user: int | None) -> int | None:
        return next((at for at, who in enumerate(self.occupants) if who.user == user and user is not None), None)

    def away(self) -> set[int]:
        """Return the seats of absent players: a computer plays for them."""
        return {seat for seat, clock in self.clocks.items() if clock.away}

    def unresponsive(self) -> list[int]:
        """Return the players who are absent, and the players about whom the table votes because their time ran out."""
        return [u for seat, c in self.clocks.items() if (c.away or c.stage == 2) and (u := self.occupants[seat].user)]

    def turns(self) -> dict[int, str]:
        """Return, for each seat that must decide, the turn token of its buttons."""
        if self.status != "playing":
            return {}
        tail = f"-{self.undone}" if self.undone else ""
        return {int(seat): self.state.turn(seat) + tail for seat in self.state.to_move()}

    def token(self, seat: int) -> str:
        return self.state.turn(Seat(seat)) + (f"-{self.undone}" if self.undone else "")

    def votes_on_absence(self) -> bool:
        """Return whether the table votes about a player whose extension is over, which takes others who are present."""
        return self.absent == "vote" and len(self.present()) > 1

    def counts(self) -> bool:
        """Return whether the match has begun and counts for the ratings."""
        return self.rated and bool(self.states) and self.uncounted is None

    def enough(self, text: str) -> int:
        """Return how many votes a proposal needs."""
        kind = text.partition(" ")[0]
        asked = len(self.people if kind in ("undo", "remove") else self.present())
        if kind == "undo" or (self.counts() and kind in ("end", "pause", "clock")):
            return asked
        return asked - 1 if kind == "remove" and self.counts() else asked // 2 + 1

    def present(self) -> list[int]:
        unresponsive = self.unresponsive()
        return [user for user in self.people if user not in unresponsive] or self.people

    # Rules for every kind of action.

    def _check_not_paused(self) -> None:
        if self.open and self.paused is not None:
            raise Refusal("paused")

    def ending(self) -> str:
        return "away" if self.paused is not None else self.status

    def _check_lobby(self) -> None:
        self._check_not_paused()
        if self.status != "lobby":
            raise Refusal("started" if self.status == "playing" else f"is_{self.ending()}")

    def _check_playing(self) -> None:
        self._check_not_paused()
        if self.status != "playing":
            raise Refusal("not_started" if self.status == "lobby" else f"is_{self.ending()}")

    def _seat_of(self, user: int) -> int:
        seat = self.seat(user)
        if seat is None:
            left = self.former.get(user)
            if self.status == "lobby":
                raise Refusal("not_joined")
            if left is not None and left[1]:
                raise Refusal("removed")
            if self.status != "playing":
                raise Refusal("not_at_end")
            raise Refusal("not_seated" if left is None else "no_longer_seated")
        return seat

    def hours_of_turn(self, seat: int, turn: str) -> Hours:
        """Return the hours by which a turn counts that gets a clock now."""
        return self.hours_now(self.occupants[seat].user or 0)

    def update_clocks(self) -> None:
        """Start and stop clocks after a change. If all players are present again, also those who were at the end of
        the match, drop votes to replace absent ones.
        """
        terms, turns = TERMS.get(self.clock), self.turns()
        if self.status != "playing" or terms is None:
            if self.status != "playing" and self.clocks:
                self.absent_at_end = {self.seat(user) for user in self.unresponsive()}
            self.clocks = {}
        else:
            for seat, occupant in enumerate(self.occupants):
                if occupant.user is None and seat not in self.clocks:
                    continue
                live, now = self.clock in LIVE, self.hours_of_turn(seat, turns.get(seat, ""))
                began = now if live and not self.has_begun else Hours()
                clock = self.clocks.setdefault(seat, ClockModel(terms, terms[1], hours=began))
                if not (clock.away or clock.with_computer):
                    clock.start_turn(turns.get(seat, ""), None if live else now)
                elif clock.turn != turns.get(seat, ""):
                    clock.end_turn()
        if self._had_unresponsive and not (self.unresponsive() or self.absent_at_end):
            self.votes = {user: text for user, text in self.votes.items() if text != "replace"}
        self._had_unresponsive = bool(self.unresponsive())
        self.has_begun = self.status != "lobby"

    # Comparison.

    def check_stored(self, match: Match, votes: Mapping[int, str], log: list[LoggedMove]) -> None:
        """Compare the stored match with this model."""
        assert match.status.value == self.status, (match.status, self.status)
        chairs = [Occupant(c.user, c.name, c.offered, c.plays_forced, c.cut, c.ping) for c in match.chairs]
        assert chairs == self.occupants, (chairs, self.occupants)
        assert [chair.number for chair in match.chairs] == list(range(len(chairs)))
        assert len(set(self.people)) == len(self.people), "no person on two seats"
        assert [who.user for who in match.waiting] == list(self.waiting)
        assert not set(self.waiting) & set(self.people), "a seated player does not wait"
        assert {who.user: (who.seat, who.removed) for who in match.former} == self.former
        assert match.host == self.host
        assert match.closed is self.closed
        assert {guest.user: guest.state.value for guest in match.guests} == self.guests
        if self.status == "lobby":
            assert {chair.user for chair in match.chairs if chair.ready} == self.ready
        facts = (match.wanted, match.clock, match.absent, match.rated, match.options, match.previous)
        assert (match.hints, match.uncounted) == (self.hints, self.uncounted)
        assert match.clock_kept_until == self.kept_until
        options = {**self.options, "deck": dict(GAMES[self.game].deck)}  # settled when the lobby was opened
        assert facts == (self.wanted, self.clock, self.absent, self.rated, options, self.previous)
        assert (match.rests_since is not None, match.paused_at) == (self.rests, self.paused)
        assert votes == self.votes
        made = [replace(move, took=None) for move in log]
        assert made == self.log, "the log only grows; a move that is taken back is only marked"
        assert all(move.took is None for move in log if move.user is None), "computers' time does not count"
        assert (match.moves, match.undone) == (len(self.log), self.undone)
        assert match.version >= self.version, "versions only grow"
        self.version = match.version
        if self.states:
            assert match.state == self.state.to_json(), "the stored position is the one that the log leads to"
