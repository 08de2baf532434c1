"""What counts as enough: more than half of the people seated, never one alone where several play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match.refusals import Reason, Refused
from cogs.match.votes import (
    REMOVABLE_AFTER,
    TOLD_FOR,
    Choice,
    against,
    asked,
    check_may_vote,
    decided,
    is_removable,
    kept,
    makes_sense,
    needed,
    no_longer_removable,
    settled,
    tally,
)
from data.records.deadlines import SeatClock
from data.records.match import Status
from data.records.proposals import TableVote, VoteEnd
from data.records.reminders import Reminder
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
        *("", "clock", "clock second", "clock  none", "clock none vote", "clock day_1 nothing", "clock day_1  vote"),
        *("replace 1", "end 1", "ending", "remove", "remove x", "undo -1", "remove 007", "undo ²", "x" * 90),
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


@pytest.mark.parametrize("people", range(2, 7))
def test_in_a_match_that_matters_those_who_are_behind_do_not_outvote_the_others(people: int) -> None:
    match = seated(*range(1, people + 1), season=True)
    for kind in ("undo", "end", "pause", "clock"):
        assert needed(match, Choice(kind)) == people
    assert needed(match, Choice("remove")) == people - 1, "all but that player"
    assert needed(match, Choice("resume")) == people // 2 + 1


def test_from_a_match_that_matters_only_a_player_who_keeps_it_waiting_can_be_removed() -> None:
    waits = Reminder(1, "turn", since=1_000, sent=1)
    match, late = seated(ONE, TWO, THREE, season=True, reminders=(waits,)), 1_000 + REMOVABLE_AFTER
    assert not is_removable(match, TWO, late - 1)
    assert is_removable(match, TWO, late)
    assert not is_removable(match, ONE, late)
    put_off = replace(match, reminders=(replace(waits, sent=0),))
    assert not is_removable(put_off, TWO, late), "they need not be there: nothing has reminded them"
    assert not is_removable(replace(match, rests_since=late - 1), TWO, late + 9), "a rest counts for no wait"
    assert is_removable(replace(put_off, clocks=(SeatClock(1, away=5),)), TWO, 0), "their time has run out"
    removals = tuple(TableVote(f"remove {user}", THREE, 5, None) for user in (ONE, TWO))
    voted = replace(match, proposals=(*removals, TableVote("end", THREE, 5, None)))
    assert no_longer_removable(voted, late) == {f"remove {ONE}"}


def test_a_vote_asks_those_who_may_decide_it_and_have_not_begun_or_refused_it() -> None:
    begun = {
        "dance": (ONE, 5),
        "end": (TWO, 6),
        f"remove {TWO}": (ONE, 7),
        "pause": (ONE, 8),
    }  # "dance": a newer version
    votes = {text: TableVote(text, starter, since, None) for text, (starter, since) in begun.items()}
    votes["pause"] = replace(votes["pause"], against=(TWO,))
    match = seated(ONE, TWO, THREE, None, proposals=tuple(votes.values()))
    found = {seat: [vote.choice for vote in asked(match, seat)] for seat in range(4)}
    assert against(seated(ONE, TWO), Choice("end")) == 0, "votes of an older version"
    assert found == {0: ["end"], 1: [], 2: ["pause", f"remove {TWO}", "end"], 3: []}


def test_of_a_match_alone_that_is_over_nothing_is_decided() -> None:
    with pytest.raises(Refused) as found:
        check_may_vote(seated(ONE, None, guild=0, status=Status.OVER), "end")
    assert found.value.reason is Reason("is_over")
    check_may_vote(seated(ONE, None, guild=0), "end")


def test_a_closed_vote_is_shown_until_its_time_and_one_of_a_newer_version_not_at_all() -> None:
    told = TableVote("end", ONE, 5, due=20, ended=VoteEnd.REFUSED)
    match = seated(ONE, TWO, THREE, proposals=(told, TableVote("dance", ONE, 5, due=99)))
    for now, overdue, left in ((19, True, (told,)), (20, False, (told,)), (20, True, ())):
        assert settled(match, {TWO: "pause"}, now, overdue=overdue) == (replace(match, proposals=left), {TWO: "pause"})
    undated = replace(match, proposals=(told, replace(told, choice="pause", due=None)))
    assert [vote.due for vote in kept(undated, {}, 30).proposals] == [20, 30 + TOLD_FOR]


def test_each_of_several_votes_closes_by_itself() -> None:
    """The first one is open, the second is lost."""
    open_one = TableVote("end", ONE, 5, due=99)
    lost = TableVote("pause", ONE, 5, due=99, against=(TWO, THREE))
    match = seated(ONE, TWO, THREE, proposals=(open_one, lost))
    closed, votes = settled(match, {ONE: "pause"}, 9)
    assert closed.proposals == (open_one, replace(lost, due=9 + TOLD_FOR, ended=VoteEnd.REFUSED, against=()))
    assert votes == {}
