"""The first lesson of Full Sun: one round of four players, all ten tricks.

The rulebook's examples come up as they are there: the first trick (a Black Locust 6 wins from three lower cards of two
suits), equal numbers that the pips decide, and a player who scores with three tricks and a Sycamore.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Seat
from rules.core.lesson import OTHER, Lesson, Step
from rules.core.tricks import Play, TrickTaken
from rules.full_sun.types import FullSunView

ME = Seat(3)
LAST = "S2"
"""The card with which the learner should end: a Sycamore, so they need three tricks."""


def _cards(view: FullSunView) -> list[str]:
    return [lay.card for lay in view.lays]


def _won(view: FullSunView) -> int:
    return view.tricks_won[ME]


def _one_choice(view: FullSunView, happened: Sequence[Event]) -> bool:
    return len(view.lays) == view.seats - 1 and sum(card[0] == view.follow for card in view.hand) == 1


def _void(view: FullSunView, happened: Sequence[Event]) -> bool:
    free = view.follow is not None and all(card[0] != view.follow for card in view.hand)
    return free and LAST in view.hand and _won(view) == 0


def _win(view: FullSunView, happened: Sequence[Event]) -> bool:
    return _won(view) == 0 and _cards(view) == ["S5", "S3", "S8"] and "S9" in view.hand


def _tie(view: FullSunView, happened: Sequence[Event]) -> bool:
    tens = any(isinstance(event, TrickTaken) and {"L10", "R10"} <= {*event.cards} for event in happened)
    return tens and not view.lays and _won(view) == 2 and "Rain" in view.hand


def _hold_back(view: FullSunView, happened: Sequence[Event]) -> bool:
    return _won(view) == 2 and bool(view.lays) and len(view.hand) == 4 and LAST in view.hand


def _cannot_win(view: FullSunView, happened: Sequence[Event]) -> bool:
    return _won(view) == 2 and bool(view.lays) and len(view.hand) == 3 and {LAST, "L7"} <= {*view.hand}


def _third(view: FullSunView, happened: Sequence[Event]) -> bool:
    return _won(view) == 2 and len(view.lays) == view.seats - 1 and view.hand == (LAST, "L7")


def _end_card_or_other(view: FullSunView, move: Play) -> str:
    return "end_card" if move.card == LAST else OTHER


def _end_card_or_early(view: FullSunView, move: Play) -> str:
    """Three Locusts and Beeches lie there, none above 9."""
    return "early" if view.face(move.card).number > 9 else _end_card_or_other(view, move)


def _end_card_or_weak(view: FullSunView, move: Play) -> str:
    return "end_card" if move.card == LAST else "weak"


LESSON: Lesson[FullSunView, Play] = Lesson(
    seats=4,
    seat=ME,
    seed="a12e7d78a4753b0c581c3d032cfded152eea3041bfae00df799ffa6bc819c07e",
    options={"target": 1},
    line=(
        *("0 play L6", "1 play L2", "2 play R3", "3 play R1"),
        *("0 play L11", "1 play L8", "2 play B9", "3 play B4"),
        *("0 play L9", "1 play L4", "2 play B8", "3 play R4"),
        *("0 play S5", "1 play S3", "2 play S8", "3 play S9"),
        *("3 play L10", "0 play R5", "1 play R6", "2 play R10"),
        *("3 play Rain", "0 play S10", "1 play S11", "2 play S1"),
        *("1 play B10", "2 play B1", "3 play L3", "0 play R11"),
        *("0 play R8", "1 play S4", "2 play B2", "3 play R2"),
        *("0 play B5", "1 play B3", "2 play B6", "3 play L7"),
        *("3 play S2", "0 play B11", "1 play S7", "2 play R9"),
    ),
    steps=(
        Step("follow", lambda view, _: _cards(view) == ["L6", "L2", "R3"]),
        Step("backs", _one_choice),
        Step("void", _void, _end_card_or_early),
        Step("win", _win, lambda *_: "loses", asks=True),
        Step("lead", lambda view, _: not view.lays and _won(view) == 1 and "L10" in view.hand, _end_card_or_weak),
        Step("tie", _tie, lambda view, move: "seven" if move.card == "L7" else _end_card_or_other(view, move)),
        Step("hold_back", _hold_back, _end_card_or_other),
        Step("cannot_win", _cannot_win, _end_card_or_other),
        Step("third", _third, lambda *_: "locust", asks=True),
        Step("last", lambda view, _: view.hand == (LAST,) and _won(view) == 3),
    ),
    over=lambda view: view.round > 1,
)
