"""Full Sun: views built by hand. They depend on no rules, so they change only when a type does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Outcome, Seat
from rules.core.tricks import Card, Suit
from rules.full_sun.types import Face, FullSunView, Lay, RoundResult, TieBreak, Trick
from tests.goldens.case import Case, labels, of_view

HAND = {3: 8, 4: 10, 5: 12}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


def seats_of(*numbers: int) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def lays(leader: int, step: int, seats: int, text: str) -> tuple[Lay, ...]:
    return tuple(Lay(Seat((leader + step * place) % seats), card) for place, card in enumerate(cards(text)))


def sun(seats: int, **changed: Any) -> FullSunView:
    """A table of Full Sun, nothing played yet."""
    view = FullSunView(
        viewer=None,
        seats=seats,
        target=3,
        rain=Face(0, 0),
        sun=Face(18, 5),
        highest={3: 7, 4: 11, 5: 17}[seats],
        round=1,
        trick_number=1,
        tricks=HAND[seats],
        dealer=Seat(0),
        leader=Seat(0),
        clockwise=True,
        to_move=Seat(0),
        lays=(),
        follow=None,
        hand=(),
        backs=((2, 2, 2, 2, 0),) * seats,
        fan=(1, 1, 1, 1, 2),
        tricks_won=(0,) * seats,
        points=(0,) * seats,
        last_trick=None,
        last_round=None,
        tie_breaks=(),
        outcome=None,
    )
    return view._replace(**changed)


ROUND_4 = RoundResult(
    4, tuple(map(Suit, "SBWLR")), (3, 1, 5, 4, 2), (3, 2, 5, 2, 0), (0, 2, 1, 1, 0), seats_of(0, 2)
)  # fmt: skip
ROUND_6 = RoundResult(6, tuple(map(Suit, "RBLW")), (2, 1, 4, 0), (2, 1, 4, 3), (0, 1, 0, 2), seats_of(0, 1, 2))

VIEWS: Mapping[str, FullSunView] = {
    "table_3_first": sun(3, backs=((1, 4, 1, 2, 0), (0, 2, 2, 3, 1), (3, 0, 3, 2, 0)), fan=(3, 1, 1, 0, 1)),
    "table_4": sun(
        4, round=2, trick_number=6, dealer=Seat(1), leader=Seat(2), clockwise=False, to_move=Seat(3),
        lays=lays(2, -1, 4, "L6 L2 R11"), follow=Suit("R"), points=(1, 0, 1, 2), tricks_won=(1, 0, 3, 1),
        backs=((1, 1, 0, 2, 1), (3, 0, 1, 2, 0), (0, 0, 3, 1, 0), (0, 2, 2, 1, 0)), fan=(1, 1, 0, 0, 1),
    ),
    "table_5_dealt": sun(
        5, round=5, dealer=Seat(4), leader=Seat(4), to_move=Seat(4), points=(2, 0, 2, 1, 1),
        backs=((4, 2, 3, 2, 1), (5, 3, 2, 4, 0), (1, 2, 4, 4, 1), (2, 5, 2, 4, 0), (3, 3, 4, 3, 0)),
        fan=(2, 2, 2, 0, 0), last_trick=Trick(lays(3, -1, 5, "L15 Sun B4 S11 R3"), Seat(2)), last_round=ROUND_4,
    ),
    "table_5_full": sun(
        5, round=3, trick_number=12, dealer=Seat(2), leader=Seat(4), to_move=Seat(3), points=(2, 2, 0, 1, 2),
        lays=lays(4, 1, 5, "B17 Rain L10 S10"), follow=Suit("S"), tricks_won=(0, 3, 4, 2, 2), fan=(0,) * 5,
        backs=((0,) * 5, (0,) * 5, (1, 0, 1, 0, 0), (0, 1, 0, 0, 1), (0,) * 5),
    ),
    "table_4_over": sun(
        4, round=6, trick_number=10, dealer=Seat(1), leader=Seat(2), clockwise=False, to_move=None,
        points=(2, 3, 2, 1), tricks_won=(3, 1, 3, 3), fan=(1, 1, 0, 0, 0), backs=((0,) * 5, (1, 0, 0, 0, 0), (0,) * 5,
        (0, 1, 1, 0, 0)), last_trick=Trick(lays(3, -1, 4, "Rain L11 B4 R2"), Seat(2)),
        last_round=ROUND_6._replace(tricks=(3, 1, 3, 3), scored=seats_of(1)),
        outcome=Outcome(frozenset(seats_of(1)), (2, 3, 2, 1), "points"),
    ),
    "table_4_tie_break": sun(
        4, round=6, trick_number=10, dealer=Seat(1), leader=Seat(2), clockwise=False, to_move=None,
        points=(3, 3, 3, 1), tricks_won=(2, 1, 4, 3), fan=(1, 1, 0, 0, 0), backs=((0,) * 5, (1, 0, 0, 0, 0), (0,) * 5,
        (0, 1, 1, 0, 0)), last_trick=Trick(lays(3, -1, 4, "Rain L11 B4 R2"), Seat(2)), last_round=ROUND_6,
        tie_breaks=(
            TieBreak(Seat(0), Suit("R"), Trick(lays(2, -1, 4, "L6 R2 R11 S1"), Seat(0)), 2),
            TieBreak(Seat(1), Suit("B"), Trick(lays(0, -1, 4, "B3 B5 S4 B10"), Seat(1)), 3),
            TieBreak(Seat(2), Suit("L"), Trick(lays(2, -1, 4, "L9 L4 Rain S2"), Seat(2)), 2),
        ),
        outcome=Outcome(frozenset(seats_of(1)), (3, 3, 3, 1), "tie_break"),
    ),
    "table_5_tie_break": sun(
        5, target=1, trick_number=12, to_move=None, points=(1, 0, 1, 0, 0), tricks_won=(0, 3, 4, 2, 3),
        backs=((0,) * 5,) * 5, fan=(2, 2, 2, 2, 2), last_trick=Trick(lays(1, 1, 5, "B9 L13 S10 R4 Rain"), Seat(2)),
        last_round=RoundResult(1, tuple(map(Suit, "WBLSR")), (0, 1, 4, 3, 2), (0, 3, 4, 2, 3), (0,) * 5,
                               seats_of(0, 2)),
        tie_breaks=(
            TieBreak(Seat(0), Suit("W"), None, 0),
            TieBreak(Seat(2), Suit("L"), Trick(lays(1, 1, 5, "L1 L13 L10 S17 L16"), Seat(2)), 4),
        ),
        outcome=Outcome(frozenset(seats_of(2)), (1, 0, 1, 0, 0), "tie_break"),
    ),
    "hand_following": sun(
        4, viewer=Seat(1), round=2, trick_number=4, dealer=Seat(1), leader=Seat(3), clockwise=False, to_move=Seat(1),
        lays=lays(3, -1, 4, "S7 R5"), follow=Suit("R"), hand=cards("B2 B11 R4 R9 S3 L8 Rain"), points=(0, 1, 0, 2),
        tricks_won=(0, 2, 1, 0), backs=((3, 1, 2, 1, 1), (2, 2, 1, 1, 1), (1, 2, 1, 2, 0), (2, 1, 0, 3, 0)),
    ),
    "hand_leading": sun(
        3, viewer=Seat(2), trick_number=6, leader=Seat(2), to_move=Seat(2), hand=cards("R1 S6 Sun"),
        tricks_won=(1, 1, 3), backs=((0, 1, 1, 1, 0), (0, 0, 2, 0, 1), (0, 1, 1, 0, 1)), points=(0, 2, 2),
        last_trick=Trick(lays(0, 1, 3, "S2 R4 S5"), Seat(2)),
    ),
    "hand_full": sun(
        5, viewer=Seat(0), round=3, dealer=Seat(2), leader=Seat(2), to_move=Seat(3), lays=lays(2, 1, 5, "L12"),
        follow=Suit("L"), hand=cards("B1 B12 B17 R2 R10 R14 R16 S3 S11 L7 L13 L15 Rain Sun"), points=(0, 2, 1, 1, 2),
        backs=((3, 4, 2, 3, 2), (2, 3, 4, 3, 0), (2, 3, 3, 4, 0), (5, 0, 4, 3, 0), (1, 3, 2, 6, 0)),
    ),
}  # fmt: skip

CASES: tuple[Case, ...] = (
    *(of_view("full_sun", name, view) for name, view in VIEWS.items()),
    Case("full_sun", "last", lambda game: game.paint_last(VIEWS["table_5_dealt"], labels("full_sun", 5))),
    Case("full_sun", "cover", lambda game: game.paint_cover(labels("full_sun"))),
)

SHADES: tuple[Case, ...] = (
    *(
        of_view("full_sun", f"{suit}_resting", sun(5, viewer=Seat(0), lays=lays(4, 1, 5, f"{suit}9"), to_move=Seat(0),
                follow=Suit(suit), hand=cards("B4 B13 R4 R14 S5 S15 L4 L12 Rain Sun")))
        for suit in "BS"
    ),
    *(
        of_view("full_sun", f"{suit}_shades", sun(3, viewer=Seat(0), hand=cards(f"{suit}1 {suit}7 {suit}6 Rain Sun")))
        for suit in "BRSL"
    ),
    *(
        of_view("full_sun", f"{weather}_light", sun(5, viewer=Seat(1), lays=lays(0, 1, 5, weather), to_move=Seat(1),
                hand=cards("B4 B15 R4 R15 S4 S15 L4 L15 Rain Sun")))
        for weather in ("Rain", "Sun")
    ),
)  # fmt: skip
"""Every suit, also in every light, and while it cannot be played."""
