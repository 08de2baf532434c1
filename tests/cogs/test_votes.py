"""What counts as enough: more than half of the people seated, never one alone where several play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match.votes import Choice, decided, makes_sense, needed, tally
from data.records.deadlines import SeatClock
from data.records.terms import AbsencePolicy
from tests.support.matches import ONE, THREE, TWO, seated


@pytest.mark.parametrize("people", range(1, 9))
def test_more_than_half_and_never_one_of_several(people: int) -> None:
    match = seated(*range(1, people + 1), None)
    for kind in ("end", "pause", "resume", "remove"):
        most = needed(match, Choice(kind))
        assert 2 * most > people >= most
        assert people == 1 or most >= 2
    assert needed(match, Choice("undo", 4)) == people


@pytest.mark.parametrize(
    "choice",
    [
        Choice("end"),
        Choice("pause"),
        Choice("remove", 12),
        Choice("undo", 0),
        Choice("replace"),
        Choice("clock", terms="day_1"),
        Choice("clock", terms="week", policy=AbsencePolicy.VOTE),
    ],
)
def test_a_choice_is_read_as_it_was_written(choice: Choice) -> None:
    assert Choice.parse(str(choice)) == choice


@pytest.mark.parametrize(
    "text",
    [
        "",
        "clock",
        "clock second",
        "clock  none",
        "clock none vote",
        "clock day_1 nothing",
        "clock day_1  vote",
        "replace 1",
        "end 1",
        "ending",
        "remove",
        "remove x",
        "undo -1",
        "remove 007",
        "undo ²",
        "x" * 90,
    ],
)
def test_what_is_no_choice_is_none(text: str) -> None:
    assert Choice.parse(text) is None


def test_only_what_makes_sense_counts() -> None:
    """A voice of who has left, for somebody who has left, for one's own removal, for a pause that is there already."""
    match = seated(ONE, TWO, THREE)
    end = {ONE: "end", 999: "end"}
    assert tally(match, end) == {Choice("end"): 1}
    assert tally(match, {ONE: "remove 999", TWO: f"remove {TWO}", THREE: "undo 3"}) == {}
    assert tally(match, {ONE: "resume", TWO: "nonsense", THREE: "undo 4"}) == {Choice("undo", 4): 1}
    assert tally(replace(match, rests_since=9), {ONE: "pause", TWO: "resume", THREE: "undo 4"}) == {Choice("resume"): 1}


def test_a_user_without_a_seat_has_no_vote() -> None:
    gone = SeatClock(1, away=5)
    match = seated(ONE, TWO, clocks=(gone,))
    for text in ("end", "pause", "undo 4", "replace", "clock day_1"):
        choice = Choice.parse(text)
        assert choice is not None
        assert makes_sense(match, choice, ONE)
        assert not makes_sense(match, choice, THREE)


def test_proposals_are_in_order_of_their_votes_then_of_their_text() -> None:
    match = seated(ONE, TWO, THREE, 104)
    votes = {ONE: "pause", TWO: "end", THREE: "clock day_1", 104: "end"}
    assert list(tally(match, votes).items()) == [
        (Choice("end"), 2),
        (Choice("clock", terms="day_1"), 1),
        (Choice("pause"), 1),
    ]


def test_no_player_is_removed_by_one_alone() -> None:
    assert not makes_sense(seated(ONE, TWO, None), Choice("remove", TWO), ONE)
    three = seated(ONE, TWO, THREE)
    assert decided(three, {ONE: f"remove {TWO}"}) is None
    assert decided(three, {ONE: f"remove {TWO}", TWO: f"remove {TWO}"}) is None
    assert decided(three, {ONE: f"remove {TWO}", THREE: f"remove {TWO}"}) == Choice("remove", TWO)
