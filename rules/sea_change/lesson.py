"""The first lesson of Sea Change: one round of three players, all ten tricks.

Two of the rulebook's examples come up as they are there: "Bad Idea" (the 8 on an 8, as a temptation) and "Big Finish"
(the 0 on a 0 in the last trick).
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Seat
from rules.core.lesson import OTHER, Lesson, Step
from rules.core.tricks import Play, TrickTaken
from rules.sea_change.types import CardPlayed, SeaChangeView


def _value(card: str) -> int:
    return int(card[1:])


def _led(view: SeaChangeView) -> str:
    """Return the suit led, "" before the lead."""
    return view.lays[0].card[0] if view.lays else ""


def _holds(view: SeaChangeView, suit: str) -> bool:
    return any(card[0] == suit for card in view.hand)


def _first_trick(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    return view.trick_number == 1 and [lay.card for lay in view.lays] == ["Y11", "Y12"]


def _eight_on_eight(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    tempted = bool(view.lays) and _value(view.lays[-1].card) == 8 and any(_value(card) == 8 for card in view.hand)
    return tempted and _led(view) == "Y" and _holds(view, "Y")


def _in_the_middle(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    return len(view.lays) == 1 and _led(view) == "P" and _holds(view, "P") and view.trump == "Y"


def _worth_taking(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    last = len(view.lays) == view.seats - 1 and _value(view.lays[-1].card) == 9
    return last and _led(view) == "B" and any(card[0] == "B" and _value(card) > 9 for card in view.hand)


def _leads(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    won = any(isinstance(event, TrickTaken) and event.winner == view.viewer for event in happened)
    return not view.lays and won and "B8" in view.hand


def _void(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    return _led(view) == "B" and not _holds(view, "B") and len(view.lays) == 1 and _holds(view, view.trump or "")


def _robbed(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    nines = [event.card for event in happened if isinstance(event, CardPlayed) and _value(event.card) == 9]
    match = bool(view.lays) and any(_value(card) == _value(view.lays[-1].card) for card in view.hand)
    return len(nines) == 2 and nines[1][0] == "P" == view.trump and match


def _leads_late(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    zero = any(_value(card) == 0 for card in view.hand)
    return not view.lays and len(view.hand) == 3 and view.trump == "Y" and zero


def _two_left(view: SeaChangeView, happened: Sequence[Event]) -> bool:
    return len(view.hand) == 2 and any(_value(card) == 0 for card in view.hand)


def _keeps_the_eight(view: SeaChangeView, move: Play) -> str:
    return "keeps_zero" if _value(move.card) == 0 else "keeps_eight"


def _bad_idea(view: SeaChangeView, move: Play) -> str:
    """Yellow is trump, and a yellow 6 and a purple 8 lie there."""
    if _value(move.card) == 8:
        return "bad_idea"
    if _value(move.card) == 0:
        return "keeps_zero"
    return OTHER if _value(move.card) < 6 else "takes_eight"


def _does_not_take(view: SeaChangeView, move: Play) -> str:
    """Yellow is trump, and a blue 4 and a blue 9 lie there."""
    return {8: "soon", 9: "spare"}.get(_value(move.card), "misses")


def _zero_or_other(view: SeaChangeView, move: Play) -> str:
    return "keeps_zero" if _value(move.card) == 0 else OTHER


def _zero_or_weak(view: SeaChangeView, move: Play) -> str:
    if _value(move.card) == 0:
        return "keeps_zero"
    if move.card[0] != view.trump:
        return "no_trump"
    return "low_trump" if _value(move.card) < 9 else OTHER


LESSON: Lesson[SeaChangeView, Play] = Lesson(
    seats=3,
    seat=Seat(0),
    seed="b202915a885ef3870c47af81c7e200f1b9f0e723f499474ef4e7c90a7cc34f0e",
    options={"target": 1},
    line=(
        *("1 play Y11", "2 play Y12", "0 play Y8"),
        *("2 play P7", "0 play P5", "1 play P11"),
        *("1 play Y6", "2 play P8", "0 play Y5"),
        *("1 play B4", "2 play B9", "0 play B11"),
        *("0 play B8", "1 play B5", "2 play B10"),
        *("2 play B6", "0 play Y9", "1 play P9"),
        *("1 play P12", "2 play P10", "0 play Y10"),
        *("0 play P6", "1 play P4", "2 play P0"),
        *("0 play Y4", "1 play Y7", "2 play B7"),
        *("2 play B0", "0 play Y0", "1 play B12"),
    ),
    steps=(
        Step("follow", _first_trick, _keeps_the_eight),
        Step("bad_idea", _eight_on_eight, _bad_idea, asks=True),
        Step("robbed", _robbed, lambda *_: "misses", asks=True),
        Step("middle", _in_the_middle, _zero_or_other),
        Step("take", _worth_taking, _does_not_take, asks=True),
        Step("lead", _leads, _keeps_the_eight),
        Step("void", _void, _zero_or_weak),
        Step("late", _leads_late, _zero_or_other),
        Step("zero", _two_left, _zero_or_other),
        Step("finish", lambda view, _: view.hand == ("Y0",) and [lay.card for lay in view.lays] == ["B0"]),
    ),
    over=lambda view: view.round > 1,
)
