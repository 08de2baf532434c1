"""The protocol that every game follows: only what a table needs to know of a game.

A game is a pure value machine. `Game.new` returns the first `State`; `State.apply` returns the next one and the events
that happened. Nothing here waits, reads, logs or draws from a global source of chance. A table stores the text of each
move (`str(move)`), so a match is its seed, its options and its list of moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple, NewType, Protocol, Self, TypeVar

from rules.core.tally import Chart, Tally

Seat = NewType("Seat", int)
"""A chair at the table: 0, 1, 2 … clockwise."""

Json = dict[str, Any]
"""An object that `json.dumps` takes and `json.loads` returns equal."""


class Refusal(StrEnum):
    """Why a move was refused, for the reasons that all games share. A game adds reasons in an enum of its own."""

    UNPARSABLE = "unparsable"
    """The text is no move of this game."""
    OUT_OF_TURN = "out_of_turn"
    """The seat may not act now."""
    NOT_NOW = "not_now"
    """A move of this game that does not fit this moment."""
    GAME_OVER = "game_over"
    """The game has an outcome."""


class IllegalMove(ValueError):
    """A move that the rules refuse. The position has not changed.

    `reason` is the key of the sentence that tells the player why (data/locales, table `refusal`); `facts` are the
    values that the sentence names. The text of the exception names the reason only: it may reach a log.
    """

    def __init__(self, reason: StrEnum, **facts: object) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts = facts


class BadOption(ValueError):
    """An option, a seat count or a deck table with which the game cannot be played.

    `option` is the option's name ("seats" for the number of players, "deck" for the deck table).
    """

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"{option}: {why}")
        self.option = option
        self.why = why


def demand(holds: bool, why: str) -> None:
    """Raise BadOption("deck", why) unless that holds of a deck table."""
    if not holds:
        raise BadOption("deck", why)


class Move(Protocol):
    """One decision of one seat. `str(move)` is the notation, the only part of a move that is stored."""

    @property
    def seat(self) -> Seat:
        """The seat that makes the move."""
        ...

    def __str__(self) -> str: ...


class Event(Protocol):
    """Something that happened, as a frozen fact."""

    def seen_by(self, viewer: Seat | None) -> Event | None:
        """Return what this viewer (None: an onlooker) learns of it: the event, a version with less in it, or None."""
        ...


class View(Protocol):
    """What one viewer may know, built up by allowlist; never a State with secrets removed.

    `str(view)` is the board in lines of text, for a Python prompt (rules.core.text helps).
    """

    @property
    def viewer(self) -> Seat | None:
        """The seat that sees it; None: an onlooker. No State has this field, so mypy never takes a State for a View."""
        ...

    @property
    def seats(self) -> int:
        """The number of players."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        ...

    def to_json(self) -> Json:
        """Return the view as an object, with no more in it than the viewer may know."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `scores` has one entry a seat; `reason` is a key of data/locales (table `outcome`). `winners` may be empty, and does
    not follow from the scores: a tie-break or a play-off decides without changing them.
    """

    winners: frozenset[Seat]
    scores: tuple[int, ...]
    reason: str

    def ranks(self, lowest_wins: bool = False) -> tuple[int, ...]:
        """Return each seat's place: 1 for all winners, then from 2 on by score. Equal scores share a place."""
        first = 2 if not self.winners else 1
        scores = [score if lowest_wins else -score for score in self.scores]
        order = [(Seat(seat) not in self.winners, score) for seat, score in enumerate(scores)]
        return tuple(first + sum(other < key for other in order) if key[0] else 1 for key in order)

    def to_json(self) -> Json:
        """Return {"winners": [ascending seats], "scores": [by seat], "reason": key}."""
        return {"winners": sorted(self.winners), "scores": list(self.scores), "reason": self.reason}

    @classmethod
    def from_json(cls, data: Json) -> Outcome:
        """Return the outcome that `to_json` described."""
        return cls(frozenset(Seat(s) for s in data["winners"]), tuple(data["scores"]), data["reason"])


M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=View, covariant=True)


class State(Protocol[M, V]):
    """A position. Frozen; every method is pure and returns equal results for equal states."""

    @property
    def ply(self) -> int:
        """The number of moves made so far. It counts sealed moves too, so no player may see it."""
        ...

    def to_move(self) -> frozenset[Seat]:
        """Return the seats that the table waits for; empty exactly when there is an outcome."""
        ...

    def legal_moves(self, seat: Seat) -> tuple[M, ...]:
        """Return the seat's legal moves in a stable, sensible order.

        Return `()` if the seat may not act, or if the match has no such seat. A seat outside `to_move` may have some:
        it may change what it has sealed.
        """
        ...

    def apply(self, move: M) -> tuple[Self, tuple[Event, ...]]:
        """Return the next position and what happened. Raises IllegalMove; then nothing has changed."""
        ...

    def opening(self) -> tuple[Event, ...]:
        """Return what happened before the first move. Only for the state that `Game.new` returned."""
        ...

    def view(self, seat: Seat | None) -> V:
        """Return what the seat, or an onlooker (None), may know."""
        ...

    def turn(self, seat: Seat) -> str:
        """Return a token of the seat's own decision: the public phase's ordinal and the seat's own seals in it.

        It changes when the seat has a new decision and never because another seat did something in secret. Letters,
        digits and dots, at most 20.
        """
        ...

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs."""
        ...

    def to_json(self) -> Json:
        """Return the position with everything hidden in it; the game's `from_json` reads it."""
        ...

    def default_move(self, seat: Seat) -> M:
        """Return a harmless legal move for an absent player. Only for a seat with legal moves."""
        ...

    def may_take_back(self, seat: Seat) -> bool:
        """Return whether the seat may undo the last move alone: the move was its own and hid or revealed nothing.

        That may be so although the move has passed the turn to another seat, which has not moved yet.
        """
        ...

    def redeal_unseen(self, seat: Seat | None, seed: str) -> Self:
        """Return a state, drawn from `seed`, that this seat (None: an onlooker) cannot tell from this one."""
        ...


OptionValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a lobby may choose: every allowed value in a sensible order, and the rulebook's own as default."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue


AnyState = State[Any, View]
"""A position of some game."""

S = TypeVar("S", bound=AnyState)


S_co = TypeVar("S_co", bound=AnyState, covariant=True)


class Playout(NamedTuple, Generic[S]):
    """How a match might go on after a move. Advice is made of many of these."""

    begin: S
    after: S
    """The position after the move and the rest of its turn (`Game.turn`)."""
    end: S
    own: Sequence[Event]
    """What the turn brought about."""
    later: Sequence[Event]
    """What happened from then to the end of the playout."""


class New(Protocol[S_co]):
    """The function that starts a match. See `Game`."""

    def __call__(self, seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> S_co:
        """Return the position before the first move."""
        ...


def _share_of_win(state: AnyState, seat: Seat) -> float:
    outcome = state.outcome()
    return 1 / len(outcome.winners) if outcome and seat in outcome.winners else 0.0


def _default_or_any(state: AnyState, seat: Seat, number: int) -> Any:
    if number & 1:
        return state.default_move(seat)
    moves = state.legal_moves(seat)
    return moves[(number >> 1) % len(moves)]


@dataclass(frozen=True, slots=True, repr=False)
class Game(Generic[S, M, V]):
    """A set of rules: states S, their moves M and views V. `rules.GAMES` finds each module of `rules` with a `GAME`.

    `from_json` returns an S too; its declared type lets mypy check that M and V are those of S.

    `new(seats, options=None, seed="")` raises BadOption. `options` holds chosen values by name, and under "deck" the
    deck table to play with (default: `deck`); a missing option takes its default. `seed` is any text; a table passes 64
    hexadecimal digits. `parse(seat, text)` raises IllegalMove(UNPARSABLE). `options(seats, chosen)` lists what a lobby
    of `seats` players may choose, given what it has chosen so far. `check_deck` returns a complete deck table from an
    operator's partial one, or raises BadOption("deck", …). `visible_history` takes the events of a running match, all
    or only the latest, and returns for each, in order, what players may still look back at (None: nothing of it).

    `deals` is False if the game leaves nothing to chance. Any other game needs `deck_order(deal, seats, options)`: the
    cards that may be in the deal of that number, in their order before the shuffle. A deal may lack some of them.
    docs/fair-deals.md lists it for players.

    `teams(seats, options)` is the team of each seat, counted from 0, if the players who have chosen these options play
    in teams; () if each plays alone. The lobby then lets players choose one, and calls them A, B ….

    `lowest_wins`: a low score is better than a high one.

    `ahead(state, seat)` are the moves that a seat that is not to move may name for its next decision; one is made then
    if it is legal. They follow from what the seat knows. By default there is none.

    `tallies(events, end)` are the game's own figures of a match that is over (rules/core/tally.py), made of what
    all players saw. `charts` says by kind how a server's statistics show them; the texts `stats.<kind>` and
    `stats.<kind>_<name>` name them (data/locales).

    Computer players (rules.core.search) use the rest. `evaluate(state, seat)` says how good a position looks for a
    seat, the higher the better; by default it is the seat's share of the win, and 0 before the end. `goes_on(begin,
    now)` says whether a playout that began in one position and has come to another goes on, for example until the round
    ends; by default it goes on to the end of the match. `rollout_move(state, seat, number)` is a legal move that a
    player might make, cheaply found; it depends on `number`, any below 2**32. By default it is the default move half
    the time, and any legal move otherwise. `candidates(state, seat)` are the legal moves worth trying; by default all.
    `carry_out(state, move)` is the position after a candidate and whatever its seat means to do at once after it, such
    as the other actions of its turn; by default the move alone is made. `prior(state, move)` is a part of its value
    that is known without a playout, and is added to what `evaluate` returns after each playout; by default 0.
    `besides(state, seat)` is added too, if the search looks for one best move: what is worth something beside winning.
    If all mix their moves, it would be a gift to a player who wants to win alone. By default it is 0.
    All these functions get positions that the seat cannot tell from the real one. `slips`: how often in 100 decisions
    to make the second or third best move, if it does not lose too much and is not the default move: to do nothing is no
    slip. Each level makes its multiple of them (rules.core.computer).

    Hints (rules.core.coach) are made of playouts too. `turn(state, move)` are the moves that `carry_out` makes; by
    default the move alone. `outlook(playout, move)` says what a playout brought, figure by figure: each the higher, the
    better, and the first one says which move is best, or the next if it is the same for all. A hint tells those that
    rank, and another one if no fact says why. They are chances from 0 to 1, except those that `amounts` names. By
    default it is the share of the win, as `win`. `reasons(playout, move)` are the facts that speak for the move or
    against it, each with a number that belongs to it (1 if none does). A hint tells the one that tells most; of those
    in `amounts` the number alone, not how often they come about. Facts whose names begin alike, "trick_won" and
    "trick_lost", are of one kind. `leanings`: above 0 for a fact of which more speaks
    for a move, below 0 for one of which more speaks against it; a hint tells such a fact only if it says why the move
    is good, or why not. Of a fact without a leaning a number of 0 or less says that it is no reason for the move. 1 is
    usual; of those in `amounts` it says how much a difference of 8 tells. 0 is for a fact that a hint had rather tell
    than others if none says why. `certain(playout, move)`: those that come about whatever the other players hold and
    do, or do not; no number of playouts makes any other fact certain. `worth` names the facts whose number is what they
    bring: one with a number near 0 is no reason. `likeness(state, move)` is the same for moves that are one advice,
    such as touching cards of a hand; it follows from what the seat knows. By default it is the move alone. The texts
    `hint.<key>` and `hint.why.<key>` write a figure and a fact (data/locales).

    `version` is that of the rules: raise it when the same seed and moves lead elsewhere than before. A match is played
    to its end under the version that it began with. `added` names the entries of `to_json` that came later than the
    first stored matches of this version: a position stored before lacks them.
    """

    slug: str
    title: str
    seats: tuple[int, ...]
    new: New[S]
    from_json: Callable[[Json], State[M, V]]
    parse: Callable[[Seat, str], M]
    options: Callable[[int, Mapping[str, Any]], tuple[Option, ...]] = lambda *_: ()
    deck: Mapping[str, Any] = field(default_factory=dict)
    check_deck: Callable[[Mapping[str, Any]], Json] = dict
    visible_history: Callable[[Sequence[Event]], Sequence[Event | None]] = lambda events: events
    evaluate: Callable[[S, Seat], float] = _share_of_win
    goes_on: Callable[[S, S], bool] = lambda *_: True
    rollout_move: Callable[[S, Seat, int], M] = _default_or_any
    candidates: Callable[[S, Seat], Sequence[M]] = lambda state, seat: state.legal_moves(seat)
    carry_out: Callable[[S, M], S] = lambda state, move: state.apply(move)[0]
    prior: Callable[[S, M], float] = lambda *_: 0.0
    besides: Callable[[S, Seat], float] = lambda *_: 0.0
    slips: int = 15
    turn: Callable[[S, M], Sequence[M]] = lambda _, move: (move,)
    outlook: Callable[[Playout[S], M], Mapping[str, float]] = lambda playout, move: {
        "win": _share_of_win(playout.end, move.seat)
    }
    amounts: frozenset[str] = frozenset()
    reasons: Callable[[Playout[S], M], Mapping[str, float]] = lambda *_: {}
    leanings: Mapping[str, float] = field(default_factory=dict)
    worth: frozenset[str] = frozenset()
    certain: Callable[[Playout[S], M], frozenset[str]] = lambda *_: frozenset()
    likeness: Callable[[S, M], object] = lambda _, move: (move,)
    deals: bool = True
    deck_order: Callable[[int, int, Mapping[str, Any]], tuple[str, ...]] = lambda *_: ()
    teams: Callable[[int, Mapping[str, Any]], tuple[int, ...]] = lambda *_: ()
    version: int = 1
    added: frozenset[str] = frozenset()
    lowest_wins: bool = False
    ahead: Callable[[S, Seat], Sequence[M]] = lambda *_: ()
    tallies: Callable[[Sequence[Event], S], Sequence[Tally]] = lambda *_: ()
    charts: Mapping[str, Chart] = field(default_factory=dict)

    def __repr__(self) -> str:
        fewest, most = self.seats[0], self.seats[-1]
        players = f"{most} player{'s' * (most > 1)}" if fewest == most else f"{fewest}-{most} players"
        return f"<Game {self.slug}, {players}>"


AnyGame = Game[AnyState, Any, View]
"""The rules of some game, found by its slug."""


def chosen_options(game: Game[Any, Any, Any], seats: int, options: Mapping[str, Any] | None) -> Json:
    """Return every option of the game with its value, defaults filled in. Raises BadOption."""
    options = options or {}
    if seats not in game.seats:
        raise BadOption("seats", f"{game.title} takes {game.seats[0]} to {game.seats[-1]} players, not {seats}")
    offered = {option.name: option for option in game.options(seats, options)}
    for name in options:
        if name != "deck" and name not in offered:
            raise BadOption(name, f"{game.title} with {seats} players has no such option")
    values: Json = {}
    for name, option in offered.items():
        value = options.get(name, option.default)
        if not any(value == v and type(value) is type(v) for v in option.values):
            raise BadOption(name, f"{value!r} is none of {', '.join(map(str, option.values))}")
        values[name] = value
    return values
