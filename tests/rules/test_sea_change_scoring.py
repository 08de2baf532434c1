"""Sea Change, ruling by ruling: what was taken, victory points, the end of the game (C7 to C9)."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from rules.core.game import Event, Refusal, Seat
from rules.core.tricks import TrickTaken
from rules.sea_change import GAME
from rules.sea_change.types import MatchWon, RoundBegan, RoundScored
from tests.rules.playing import only, play, play_at_random, refused, some
from tests.rules.playing_sea_change import end_of_round, position

# --- C7


def test_C7_counts_are_public_and_points_are_not() -> None:
    state = position(["B5 Y4", "P8 Y5", "B4 Y7"], "Y", leader=0)
    state, _ = play(state, "B5 P8 B4")
    for viewer in (None, Seat(0), Seat(1)):
        view = state.view(viewer)
        assert view.captured == (3, 0, 0)
        assert view.tricks_won == (1, 0, 0)
        assert view.points is None
        assert view.open_scores is False


def test_C7_open_scores_count_every_0_as_0() -> None:
    captured = [["B0", "B9"], ["Y0", "P8"], []]
    state = position(["B5 Y4", "P7 Y5", "B4 Y7"], "Y", captured=captured, tricks_won=[1, 1, 0], open_scores=True)
    assert state.view(None).points == (2, -4, 0)


def test_C7_the_last_trick_may_be_looked_at_and_no_earlier_one() -> None:
    state, random = GAME.new(4, {}, "seed"), Random("C7")
    for _ in range(39):
        state, _ = play_at_random(state, random, 1)
        view = state.view(None)
        shown = set(re.findall(r"[BGRPY]\d+", json.dumps(view.to_json())))
        lays = {lay.card for lay in view.lays}
        last = {lay.card for lay in view.last_trick.lays} if view.last_trick else set()
        assert shown == lays | last
        mine = state.view(Seat(2))
        assert set(re.findall(r"[BGRPY]\d+", json.dumps(mine.to_json()))) == shown | set(mine.hand)


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_C7_the_log_names_no_cards_of_earlier_tricks(seats: int) -> None:
    """During a round it names the cards of the current and the last trick; of earlier ones who took them."""
    state, random = GAME.new(seats, {"target": 9}, "seed"), Random("C7")
    log: list[Event] = list(state.opening())
    for _ in range(55):
        state, events = play_at_random(state, random, 1)
        log += events
        visible = GAME.visible_history(log)
        assert len(visible) == len(log)
        began = max(at for at, event in enumerate(log) if isinstance(event, RoundBegan))
        seen = [event and event.seen_by(None) for event in visible[began:]]
        view = state.view(None)
        last = {lay.card for lay in view.last_trick.lays} if view.last_trick else set()
        lays = {lay.card for lay in view.lays}
        named = set(re.findall(r"[BGRPY]\d+", repr(seen)))
        assert lays <= named <= lays | last
        if view.trick_number > 1:
            assert named == lays | last
        taken = some(log[began:], TrickTaken)
        assert [event.winner for event in some(filter(None, seen), TrickTaken)] == [event.winner for event in taken]


def test_C7_the_last_trick_has_its_order_its_trump_and_its_winner() -> None:
    state = position(["Y6 B4", "P8 B5", "B8 P7"], "Y", leader=0)
    state, _ = play(state, "Y6 P8 B8")
    trick = state.view(None).last_trick
    assert [(lay.player, lay.card) for lay in trick.lays] == [(0, "Y6"), (1, "P8"), (2, "B8")]
    assert (trick.trump, trick.winner) == ("B", 2)


def test_C7_the_last_trick_may_be_looked_at_in_the_next_round() -> None:
    state = position(["B5", "B9", "B4"], "Y", leader=0)
    state, _ = play(state, "B5 B9 B4")
    assert [lay.card for lay in state.view(None).last_trick.lays] == ["B5", "B9", "B4"]
    state, _ = play_at_random(state, Random("next round"), 2)
    assert [lay.card for lay in state.view(None).last_trick.lays] == ["B5", "B9", "B4"]
    state, _ = play_at_random(state, Random("next round"), 1)
    assert [lay.card for lay in state.view(None).last_trick.lays] != ["B5", "B9", "B4"]


def test_C7_at_the_rounds_end_all_is_open() -> None:
    captured = [["B12", "P8"], ["Y0", "P0"], []]
    state = position(["B5", "B9", "B4"], "Y", leader=0, captured=captured, tricks_won=[1, 1, 0])
    state, events = play(state, "B5 B9 B4")
    result = only(events, RoundScored).result
    assert result == state.view(None).last_round
    assert result.points == (-3, 7, 0)
    assert [sorted(cards) for cards in result.captured] == [["B12", "P8"], ["B4", "B5", "B9", "P0", "Y0"], []]
    assert (result.round, result.trump, result.zero_side) == (1, "Y", 1)


def test_C8_the_highest_total_earns_a_victory_point() -> None:
    state, events = end_of_round(["B9", "B12", ""])
    scored = only(events, RoundScored)
    assert scored.result.points == (2, 1, 0)
    assert scored.result.winners == (0,)
    assert scored.victory_points == state.view(None).victory_points == (1, 0, 0)


def test_C8_all_who_tie_earn_one() -> None:
    state, events = end_of_round(["B12", "B11", "P10"], victory_points=[0, 1, 0])
    assert only(events, RoundScored).result.winners == (0, 1, 2)
    assert state.view(None).victory_points == (1, 2, 1)


def test_C8_a_side_without_cards_has_0_and_may_win() -> None:
    _, events = end_of_round(["B8", "", "P8"])
    result = only(events, RoundScored).result
    assert result.points == (-4, 0, -4)
    assert result.winners == (1,)


def test_C8_totals_may_be_negative() -> None:
    _, events = end_of_round(["B8 P12", "Y8 P8", "B8 Y8 P8"])
    result = only(events, RoundScored).result
    assert result.points == (-3, -8, -12)
    assert result.winners == (0,)


def test_C8_only_the_trumps_0_counts() -> None:
    _, events = end_of_round(["B0", "Y0", "P0"])
    result = only(events, RoundScored).result
    assert result.points == (0, 5, 0)
    assert result.zero_side == 1


def test_C8_a_round_without_a_winner_of_the_game_is_followed_by_a_deal() -> None:
    state, events = end_of_round(["B9", "", ""])
    began = only(events, RoundBegan)
    assert (began.round, began.dealer, began.leader) == (2, 1, 2)
    view = state.view(None)
    assert state.outcome() is None
    assert (view.captured, view.tricks_won, view.hand_sizes) == ((0, 0, 0), (0, 0, 0), (10, 10, 10))
    assert (view.trick_number, view.lays, state.to_move()) == (1, (), {2})
    kinds = [type(event) for event in events]
    assert kinds.index(RoundScored) < kinds.index(RoundBegan)


# --- C9


def test_C9_the_target_ends_the_game() -> None:
    state, events = end_of_round(["B9", "", ""], victory_points=[2, 2, 2])
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ({0}, (3, 2, 2))
    assert only(events, MatchWon) == MatchWon((0,), "")
    assert not some(events, RoundBegan)
    assert state.to_move() == frozenset()
    assert state.view(None).outcome == outcome
    assert state.view(None).last_round.winners == (0,)
    assert refused(state, 0, "B4").reason is Refusal.GAME_OVER


@pytest.mark.parametrize("target", [1, 9])
def test_C9_the_target_is_an_option(target: int) -> None:
    state, _ = end_of_round(["B9", "", ""], target=target)
    assert (state.outcome() is not None) == (target == 1)
    assert state.view(None).target == target
    state, _ = end_of_round(["B9", "", ""], target=target, victory_points=[target - 1, 0, 0])
    assert state.outcome() is not None


def test_C9_of_several_the_one_with_the_trumps_0_wins() -> None:
    state, events = end_of_round(["Y0 B8 P4 P5", "B12", "P8"], victory_points=[2, 2, 0])
    assert only(events, RoundScored).result.points == (1, 1, -4)
    assert state.outcome().winners == {0}
    assert state.outcome().scores == (3, 3, 0)
    assert only(events, MatchWon) == MatchWon((0,), "zero")


def test_C9_another_suits_0_breaks_no_tie() -> None:
    _, events = end_of_round(["B0 B12", "B11", "Y0 P8 B8"], victory_points=[2, 2, 0])
    assert only(events, RoundScored).result.zero_side == 2
    assert only(events, MatchWon) == MatchWon((1,), "cards")


def test_C9_a_0_taken_by_someone_not_at_the_target_does_not_count() -> None:
    state, events = end_of_round(["B12", "B11 P4", "Y0 P8"], victory_points=[2, 2, 1])
    assert only(events, RoundScored).result.winners == (0, 1, 2)
    assert state.view(None).victory_points == (3, 3, 2)
    assert only(events, MatchWon) == MatchWon((0,), "cards")


def test_C9_the_fewest_cards_captured_this_round() -> None:
    _, events = end_of_round(["B12 P4 P5", "B11 P6", "Y0 B8 P8"], victory_points=[2, 2, 0])
    assert only(events, MatchWon) == MatchWon((1,), "cards")


def test_C9_the_last_trick_counts_among_the_cards() -> None:
    # Seat 2 has one card and takes three more with the last trick.
    _, events = end_of_round(["Y8", "B12 P4", "B11"], victory_points=[0, 2, 2])
    assert only(events, MatchWon) == MatchWon((1,), "cards")


def test_C9_still_equal_is_a_shared_win() -> None:
    state, events = end_of_round(["B12 P4", "B11 P6", "Y0 B8 P8"], victory_points=[2, 2, 0])
    assert state.outcome().winners == {0, 1}
    assert only(events, MatchWon) == MatchWon((0, 1), "shared")


def test_C9_of_three_the_two_with_the_fewest_cards_share() -> None:
    state, events = end_of_round(["B12 P4", "B11 P6", "B10"], victory_points=[2, 2, 2])
    assert only(events, RoundScored).result.winners == (0, 1, 2)
    assert state.outcome().winners == {0, 1}
    assert only(events, MatchWon) == MatchWon((0, 1), "shared")


def test_C9_a_tie_below_the_target_needs_no_breaking() -> None:
    state, events = end_of_round(["B12", "B11", "P8"], victory_points=[2, 1, 2])
    assert state.outcome().winners == {0}
    assert only(events, MatchWon) == MatchWon((0,), "")


def test_C9_the_0_of_the_suit_that_the_last_trick_made_trump() -> None:
    hands, captured = ["B4", "P4", "B5"], [["P0", "Y8"], ["B12"], []]
    state = position(hands, "Y", leader=0, captured=captured, victory_points=[2, 2, 0], tricks_won=[1, 1, 0])
    state, events = play(state, "B4 P4 B5")  # P4 takes it: nothing
    assert only(events, RoundScored).result.points == (1, 1, 0)
    assert only(events, MatchWon) == MatchWon((0,), "zero")
