"""Full Circle: the fields of a position, a seat's view of it, and its JSON."""

from __future__ import annotations

from typing import NamedTuple, Self

from rules.core.game import Json, Outcome, Seat
from rules.core.records import ONLY_SEAT, json_value
from rules.full_circle import circle, knowledge
from rules.full_circle.circle import CARD_NAMES, FACE_NAMES
from rules.full_circle.knowledge import EVERYBODY, Known
from rules.full_circle.rounds import Round, Setup
from rules.full_circle.types import PLACES, Phase, Play, Say, Trap
from rules.full_circle.view import FullCircleView


class Position(NamedTuple):
    """What passes from one move to the next. Cards, faces and places are integers, plays bits: see `circle`."""

    setup: Setup
    round: Round
    ply: int
    deals: int
    """The number of ordinals used so far."""
    mover: Seat | None
    phase: Phase
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    drawn: int | None
    """The card that the mover has just drawn and must play (F4); it is not in `hands`."""
    pile: tuple[int, ...]
    """The next card first."""
    sunk: int
    """The number of wilds known to lie at the pile's bottom (F1)."""
    stacks: tuple[tuple[int, ...], ...]
    """By place: faces, the visible one last."""
    tops: tuple[int, ...]
    """By place: the visible face, or NONE. It follows from `stacks`."""
    marker: int | None
    trap: Trap | None
    barred: tuple[int, ...]
    """By seat: the number of turns, with the present one, in which it cannot set a trap (F9)."""
    passes: int
    """The number of passes in a row (F13)."""
    known: Known
    """What seats know of others' hands: see `knowledge`."""
    old: tuple[tuple[int, ...], ...]
    """By seat: cards held since before the pile was renewed. All know that these are not of it."""
    open: int
    """The plays that fit the circle off the marker (F2). It follows from `tops` and `marker`."""
    last: Play | Say | None = None
    """The newest play, draw or pass of the round."""

    def __repr__(self) -> str:
        # Without the hands: a repr may reach a log.
        return f"{type(self).__name__}(round {self.round.number}, ply {self.ply})"

    def to_move(self) -> frozenset[Seat]:
        """Return the one seat whose turn it is, or the empty set after the game."""
        return ONLY_SEAT[self.mover]

    def view(self, seat: Seat | None) -> FullCircleView:
        """Return what the seat, or an onlooker (None), may know (F12, F17)."""
        round_ = self.round
        return FullCircleView(
            viewer=seat,
            seats=self.setup.seats,
            target=self.setup.target,
            round=round_.number,
            play_off=round_.play_off,
            players=round_.players,
            starter=round_.starter,
            to_move=self.mover,
            phase=self.phase,
            circle=tuple(map(circle.quadrant, self.stacks)),
            marker=None if self.marker is None else PLACES[self.marker],
            trap=self.trap,
            barred=tuple([Seat(other) for other, turns in enumerate(self.barred) if turns]),
            hand=() if seat is None else circle.names(self.hands[seat]),
            drawn=None if self.drawn is None else CARD_NAMES[self.drawn],
            hand_sizes=tuple(map(len, self.hands)),
            open_cards=tuple([CARD_NAMES[hand[0]] if len(hand) == 1 else None for hand in self.hands]),
            pile=len(self.pile),
            totals=round_.totals,
            streak=round_.streak,
            last_round=round_.last,
            outcome=round_.outcome,
            last=self.last,
        )

    def turn(self, seat: Seat) -> str:
        """Return the number of the move: every move here is public."""
        return str(self.ply)

    def outcome(self) -> Outcome | None:
        """Return the outcome once a player has won with the lowest total, or in a play-off (F16)."""
        return self.round.outcome

    def redeal_unseen(self, seat: Seat | None, seed: str) -> Self:
        """Redeal the other hands and the pile, and take another seed for later shuffles.

        Cards that the seat knows stay where they are. Cards held since before the pile was renewed change places among
        themselves only. The others change places with the pile, above the wilds known at its bottom (F1, F13).
        """
        middle = len(self.pile) - self.sunk
        hands, old, known, pile = knowledge.redeal(self.hands, self.old, self.known, self.pile[:middle], seat, seed)
        return self._replace(
            setup=self.setup._replace(seed=seed), hands=hands, pile=pile + self.pile[middle:], old=old, known=known
        )

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 50}, "seed": "…", "ply": 0, "deals": 1,    deals: ordinals used so far
         "round": 1, "play_off": false, "players": [0, 1, 2, 3],                      who takes part, ascending
         "starter": 0, "mover": 0 or null, "phase": "turn",                           see Phase
         "hands": [["B", "RB", …], …],                  by seat, any order; without the drawn card
         "drawn": "RB" or null,                         the mover's, in phase "drawn" alone
         "pile": ["Y", …],                              next card first
         "sunk": 0,                                     wilds at the pile's bottom that were turned up at the start
         "circle": [["RB", "W:G"], [], [], []],         by place TL TR BR BL, the visible card last
         "marker": "TL" or null, "trap": null or {"colour": "R", "setter": 1},
         "barred": [0, 0, 0, 0],                        by seat: turns without trap, the present one included (F9)
         "passes": 0,                                   in a row
         "known": [[2, 0, "RB"], [1, null, "W"], …],    holder, who knows (null: everyone), card
         "old": [[…], …],                               by seat: cards held since before the pile was renewed
         "totals": [0, 0, 0, 0], "streak": null or [1, 2],        seat, wins in a row
         "last_round": null or RoundResult as an object, "outcome": null or Outcome.to_json(),
         "last": null or [1, "play RB TR"]}                       the newest play, draw or pass of the round
        """
        setup, round_ = self.setup, self.round
        return {
            "seats": setup.seats,
            "options": {"target": setup.target},
            "seed": setup.seed,
            "ply": self.ply,
            "deals": self.deals,
            "round": round_.number,
            "play_off": round_.play_off,
            "players": list(round_.players),
            "starter": round_.starter,
            "mover": self.mover,
            "phase": self.phase.value,
            "hands": [list(circle.names(hand)) for hand in self.hands],
            "drawn": None if self.drawn is None else CARD_NAMES[self.drawn],
            "pile": list(circle.names(self.pile)),
            "sunk": self.sunk,
            "circle": [[FACE_NAMES[face] for face in stack] for stack in self.stacks],
            "marker": None if self.marker is None else PLACES[self.marker],
            "trap": json_value(self.trap),
            "barred": list(self.barred),
            "passes": self.passes,
            "known": [[holder, None if by == EVERYBODY else by, CARD_NAMES[card]] for holder, by, card in self.known],
            "old": [list(circle.names(cards)) for cards in self.old],
            "totals": list(round_.totals),
            "streak": json_value(round_.streak),
            "last_round": json_value(round_.last),
            "outcome": json_value(round_.outcome),
            "last": None if self.last is None else [self.last.seat, str(self.last)],
        }
