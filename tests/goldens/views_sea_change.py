"""Sea Change: views built by hand. They depend on no rules, so they change only when a type does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Outcome, Seat
from rules.core.tricks import Card, Suit
from rules.sea_change.types import POINTS, Lay, RoundResult, SeaChangeView, Trick
from tests.goldens.case import Case, labels, of_view


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


def lays(leader: int, players: int, text: str) -> tuple[Lay, ...]:
    return tuple(Lay((leader + i) % players, card) for i, card in enumerate(cards(text)))


def sea(players: int, **changed: Any) -> SeaChangeView:
    """A table of Sea Change with all suits, nothing played yet; `players` counts the AI."""
    view = SeaChangeView(
        viewer=None,
        seats=players,
        sides=tuple(range(players)),
        target=3,
        open_scores=False,
        suits=tuple(Suit(s) for s in "BGRPY"),
        values=tuple(range(16)),
        points_by_value=tuple(POINTS.items()),
        zero_points=5,
        round=1,
        trick_number=1,
        tricks=10,
        dealer=0,
        leader=1,
        to_move=Seat(1),
        trump=None,
        lays=(),
        hand=(),
        hand_sizes=(10,) * players,
        pile=0,
        captured=(0,) * players,
        tricks_won=(0,) * players,
        victory_points=(0,) * players,
        points=None,
        last_trick=None,
        last_round=None,
        outcome=None,
    )
    return view._replace(**changed)


VIEWS: Mapping[str, SeaChangeView] = {
    "table_8_teams": sea(
        8, sides=(0, 1, 2, 3, 0, 1, 2, 3), round=2, trick_number=4, dealer=1, leader=2, to_move=Seat(7),
        trump=Suit("R"), lays=lays(2, 8, "B8 B13 B9 R9 B6"), hand_sizes=(7, 7, 6, 6, 6, 6, 6, 7),
        captured=(8, 0, 16, 0), tricks_won=(1, 0, 2, 0, 0, 0, 0, 0), victory_points=(0, 1, 0, 2),
    ),
    "table_4_last_trick": sea(
        4, suits=tuple(Suit(s) for s in "BGPY"), round=2, trick_number=5, dealer=1, leader=2, to_move=Seat(2),
        trump=Suit("G"), hand_sizes=(6,) * 4, captured=(4, 0, 12, 0), tricks_won=(1, 0, 3, 0), open_scores=True,
        points=(-8, 0, 6, 0), victory_points=(1, 0, 0, 0),
        last_trick=Trick(lays(3, 4, "Y10 G0 B4 G4"), Suit("G"), 2),
        last_round=RoundResult(1, (3, -2, 0, 1), ((), (), (), ()), (0,), Suit("P"), None),
    ),
    "table_2": sea(
        2, suits=tuple(Suit(s) for s in "BGR"), tricks=15, trick_number=7, leader=0, to_move=Seat(1), trump=Suit("B"),
        lays=lays(0, 2, "R12"), hand_sizes=(10, 10), pile=3, captured=(4, 8), tricks_won=(2, 4), victory_points=(2, 1),
    ),
    "table_solo": sea(
        2, seats=1, suits=tuple(Suit(s) for s in "BPY"), trick_number=3, leader=1, to_move=Seat(0), trump=Suit("P"),
        lays=(Lay(1, Card("Y6")),), hand_sizes=(8,), pile=15, captured=(3, 3), tricks_won=(1, 1), victory_points=(0, 2),
    ),
    "table_5_over": sea(
        5, sides=(0, 1, 0, 1, 0), target=4, round=6, trick_number=10, dealer=0, leader=2, to_move=None, trump=Suit("Y"),
        hand_sizes=(0,) * 5, captured=(20, 30), tricks_won=(1, 4, 2, 2, 1), victory_points=(3, 4),
        last_trick=Trick(lays(3, 5, "Y6 G5 Y8 R5 B9"), Suit("Y"), 0),
        last_round=RoundResult(6, (-8, 18), ((), ()), (1,), Suit("Y"), 1),
        outcome=Outcome(frozenset((Seat(1), Seat(3))), (3, 4, 3, 4, 3), "victory_points"),
    ),
    "hand_following": sea(
        8, viewer=Seat(0), leader=1, to_move=Seat(0), trump=Suit("G"), lays=lays(1, 8, "Y11 Y3 Y12 P12 Y9 G9 Y15"),
        hand=cards("B1 B2 G11 G13 R8 R15 P1 P8 Y0 Y7"), hand_sizes=(10, *[9] * 7),
    ),
    "hand_8_teams": sea(
        8, viewer=Seat(0), sides=(0, 1, 2, 3, 0, 1, 2, 3), round=2, trick_number=4, dealer=1, leader=2, to_move=Seat(6),
        trump=Suit("R"), lays=lays(2, 8, "B8 B13 B9 R9"), hand=cards("B1 B15 G11 R8 P1 Y0 Y7"),
        hand_sizes=(7, 7, 6, 6, 6, 6, 7, 7), captured=(8, 0, 16, 0), tricks_won=(1, 0, 2, 0, 0, 0, 0, 0),
        victory_points=(0, 1, 0, 2),
    ),
    "hand_8_leading": sea(
        8, viewer=Seat(1), trick_number=7, to_move=Seat(1), trump=Suit("Y"), hand=cards("G4 G8 P12 Y0"),
        hand_sizes=(4,) * 8, victory_points=(0, 2, 0, 0, 0, 1, 0, 0), captured=(8, 4, 0, 12, 0, 0, 16, 8),
        last_trick=Trick(lays(2, 8, "P6 G9 P0 P11 P8 P9 P10 Y10"), Suit("Y"), 1),
    ),
    "hand_leading": sea(
        5, viewer=Seat(1), trick_number=7, to_move=Seat(1), trump=Suit("G"), hand=cards("G4 G8 P12 Y0"),
        hand_sizes=(4,) * 5, victory_points=(0, 2, 0, 0, 0),
        last_trick=Trick(lays(0, 5, "P6 G9 P0 P11 P8"), Suit("G"), 1),
    ),
    "hand_first": sea(
        3, viewer=Seat(2), to_move=Seat(1), hand=cards("B4 B5 B12 G0 G7 G10 R4 R6 R9 R11"), hand_sizes=(10,) * 3,
    ),
}  # fmt: skip

CASES: tuple[Case, ...] = (
    *(of_view("sea_change", name, view) for name, view in VIEWS.items()),
    Case("sea_change", "last", lambda game: game.paint_last(VIEWS["table_4_last_trick"], labels("sea_change", 4))),
    Case("sea_change", "cover", lambda game: game.paint_cover(labels("sea_change"))),
)

SHADES: tuple[Case, ...] = (
    *(
        of_view("sea_change", suit, sea(3, viewer=Seat(0), hand=cards(" ".join(f"{suit}{v}" for v in (0, 8, 9, 12)))))
        for suit in "BGRPY"
    ),
    *(
        of_view("sea_change", f"{suit}_light", sea(8, viewer=Seat(0), trump=Suit(suit), to_move=Seat(0),
                lays=lays(1, 8, "B9 G9 R12"), victory_points=(0, 1, 2, 1, 0, 2, 1, 0),
                hand=cards(" ".join(f"{other}{value}" for other in "BGRPY" for value in (6, 12)))))
        for suit in "BGRPY"
    ),
    *(
        of_view("sea_change", f"{suit}_over_{other}", sea(5, trump=Suit(suit), to_move=Seat(3),
                lays=lays(1, 5, f"{other}9 {suit}9")))
        for suit in "BGRPY" for other in "BGRPY" if suit != other
    ),
)  # fmt: skip
"""Every suit, also in every light, and every change of the light."""
