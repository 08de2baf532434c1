"""Full Sun, ruling by ruling: extra cards, points, the end of the match, what is public (S5 to S9)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import chain, combinations_with_replacement, pairwise, product
from random import Random

import pytest

from rules.core.chance import Shuffled
from rules.core.game import AnyState, Event, Seat
from rules.core.tricks import TrickTaken
from rules.full_sun import GAME, hints
from rules.full_sun.types import MatchWon, RoundBegan, RoundScored
from tests.rules import naive_full_sun as naive
from tests.rules.playing import only, play, play_at_random, some
from tests.rules.playing_full_sun import CARD, DECKS, HAND, last_trick, position, trick_json


def deal_with(points: Sequence[int], target: int = 3) -> tuple[AnyState, RoundBegan]:
    """The second round's start at these points: no player scores in the first one's last trick."""
    seats = len(points)
    won = [HAND[seats] - 1] + [0] * (seats - 1)
    cards = " ".join(["L7", "B1", "B2", "B3", "B4"][:seats])
    state, events = last_trick(cards, won, points=list(points), target=target)
    assert only(events, RoundScored).points == tuple(points)
    return state, only(events, RoundBegan)


# --- S5


def test_S5_the_first_round_has_no_extra_cards() -> None:
    for seats in GAME.seats:
        assert only(GAME.new(seats, {}, "seed").opening(), RoundBegan).hand_sizes == (HAND[seats],) * seats


@pytest.mark.parametrize("seats", GAME.seats)
def test_S5_with_a_target_of_3_the_cards_always_suffice(seats: int) -> None:
    for points in product(range(3), repeat=seats):
        if seats == 5 and list(points[1:]) != sorted(points[1:]):
            continue
        state, began = deal_with(points)
        assert began.hand_sizes == tuple(HAND[seats] + max(points) - count for count in points)
        data = state.to_json()
        assert tuple(map(len, data["hands"])) == began.hand_sizes
        assert sorted(chain(data["fan"], *data["hands"])) == sorted(DECKS[seats])


def test_S5_four_players_at_2_0_0_0_leave_no_fan() -> None:
    state, began = deal_with((2, 0, 0, 0))
    assert began.hand_sizes == (10, 12, 12, 12)
    assert state.to_json()["fan"] == []
    for viewer in (None, Seat(0), Seat(3)):
        assert state.view(viewer).fan == (0, 0, 0, 0, 0)
    other = state.redeal_unseen(Seat(0), "another")
    assert other.view(Seat(0)) == state.view(Seat(0))


@pytest.mark.parametrize(
    ("points", "sizes"),
    [
        ((4, 0, 0), (8, 11, 11)),  # 4 and 4, with 6 cards to spare
        ((4, 3, 0), (8, 9, 12)),  # 1 and 4: enough
        ((4, 1, 0), (8, 11, 11)),  # 3 and 4
        ((3, 0, 0, 0), (10, 12, 12, 12)),  # 3 each, with 6 to spare
        ((4, 1, 0, 0), (10, 12, 12, 12)),
        ((4, 3, 0, 0), (10, 11, 12, 12)),  # 1, 4 and 4: with 2 at most one card is left over
        ((4, 4, 2, 0), (10, 10, 12, 14)),  # 2 and 4 are just enough
        ((4, 0, 0, 0, 0), (12, 14, 14, 14, 14)),  # 4 each, with 10 to spare
        ((4, 3, 0, 0, 0), (12, 13, 15, 15, 15)),
        ((4, 4, 4, 0, 0), (12, 12, 12, 16, 16)),
        ((4, 4, 4, 4, 4), (12, 12, 12, 12, 12)),
    ],
)
def test_S5_if_the_deck_is_too_small_the_largest_number_that_suffices(
    points: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    state, began = deal_with(points, target=5)
    assert began.hand_sizes == sizes
    assert sum(state.view(None).fan) == len(DECKS[len(points)]) - sum(sizes)


def test_S5_extra_cards_come_from_the_same_shuffle() -> None:
    hands = ["L7", "B1", "B2"]
    state, events = play(position(hands, won=(7, 0, 0), points=[2, 1, 0]), "L7 B1 B2")
    deal = only(events, Shuffled)
    assert (deal.ordinal, list(deal.before)) == (1, DECKS[3])
    data = state.to_json()
    assert sorted(data["hands"][0]) == sorted(deal.after[:8])
    assert sorted(data["hands"][1]) == sorted(deal.after[8:17])
    assert sorted(data["hands"][2]) == sorted(deal.after[17:27])
    assert sorted(data["fan"]) == sorted(deal.after[27:])


@pytest.mark.parametrize("seats", GAME.seats)
def test_S5_the_number_of_tricks_stays_and_the_rest_is_laid_aside(seats: int) -> None:
    points = (2, 1, *[0] * (seats - 2))
    state, began = deal_with(points, target=5)
    assert state.view(None).tricks == HAND[seats]
    state, events = play_at_random(state, Random("S5"), seats * HAND[seats])
    assert len(some(events, TrickTaken)) == HAND[seats]
    result = only(events, RoundScored).result
    assert result.left == (0, 1, *[2] * (seats - 2)) == tuple(size - HAND[seats] for size in began.hand_sizes)
    assert sum(result.tricks) == HAND[seats]
    assert state.view(None).last_round == result
    assert state.view(None).round == 3


def test_S5_leftovers_count_for_nothing() -> None:
    results = []
    for left in ("L7 L6", "B6 Rain", "R6 Sun"):
        state = position([f"B5 {left}", "R3", "S4"], won=(0, 2, 5), points=[0, 2, 2])
        state, events = play(state, "B5 R3 S4")
        results.append((only(events, RoundScored), only(events, TrickTaken), state.view(None).outcome))
    assert results[0] == results[1] == results[2]
    scored, taken, outcome = results[0]
    assert (taken.winner, scored.result.species, scored.result.left) == (0, ("B", "R", "S"), (2, 0, 0))
    assert scored.result.scored == (0, 1)
    assert outcome.winners == {1}


# --- S6


@pytest.mark.parametrize(
    ("cards", "won", "scored"),
    [
        ("B1 R2 S3 L4", (1, 2, 3, 3), (0, 1, 2, 3)),  # everybody, the last trick included
        ("B1 R2 S3 L4", (0, 2, 3, 4), (1, 2)),  # L4 takes the trick: five Locust tricks are one too many
        ("B1 R2 S3 L4", (2, 1, 4, 2), ()),  # no player
        ("B1 R2 S3 Sun", (1, 2, 2, 4), (0, 1, 3)),  # Sun wants five
        ("B1 R2 S3 Sun", (0, 1, 3, 5), (2,)),
        ("B1 R2 Rain L4", (1, 2, 0, 6), (0, 1, 2)),  # Rain wants none
        ("B1 R2 Rain L4", (1, 2, 1, 5), (0, 1)),
        ("B9 R2 Rain L4", (0, 3, 0, 6), (0, 2)),  # the one trick is the last
        ("L1 L2 L3 L4", (4, 4, 0, 1), (0, 1)),  # of one species both
        ("B1 R2 S3 L4 Sun", (1, 2, 3, 1, 4), (0, 1, 2, 4)),
    ],
)
def test_S6_as_many_tricks_as_the_last_card_has_pips(cards: str, won: tuple[int, ...], scored: tuple[int, ...]) -> None:
    state, events = last_trick(cards, won)
    result = only(events, RoundScored).result
    assert result.scored == scored
    assert result.species == tuple(naive.suit(card) for card in cards.split())
    assert result.pips == tuple(naive.pips(card) for card in cards.split())
    winner = only(events, TrickTaken).winner
    assert result.tricks == tuple(count + (seat == winner) for seat, count in enumerate(won))
    assert state.view(None).points == tuple(int(seat in scored) for seat in range(len(won)))
    assert state.view(None).tricks_won == (0,) * len(won), "the next round has begun"


def test_S6_points_are_kept() -> None:
    state, events = last_trick("B1 R2 S3 L4", (1, 2, 2, 4), points=[1, 0, 2, 1], target=5)
    assert only(events, RoundScored).points == state.view(None).points == (2, 1, 2, 1)


def test_S6_a_corrected_card_wants_its_own_pips() -> None:
    deck = GAME.check_deck({"sun": {"number": 40, "pips": 2}, "rain": {"pips": 8}})
    _, events = last_trick("Rain Sun B1 S2", (8, 1, 0, 0), deck=deck)
    result = only(events, RoundScored).result
    assert (result.species, result.pips) == (("W", "W", "B", "S"), (8, 2, 1, 3))
    assert (result.tricks, result.scored) == ((8, 2, 0, 0), (0, 1))


# --- S7


@pytest.mark.parametrize("target", range(1, 6))
def test_S7_the_match_goes_to_the_target(target: int) -> None:
    state, events = last_trick("B1 R3 S4 L5", (1, 1, 1, 6), points=[target - 1] * 4, target=target)
    assert only(events, MatchWon) == MatchWon((Seat(0),), ())
    outcome = state.outcome()
    assert (outcome.winners, outcome.reason) == ({0}, "points")
    assert outcome.scores == (target, target - 1, target - 1, target - 1)
    assert state.to_move() == set()
    assert state.view(None).to_move is None
    assert state.view(None).tie_breaks == ()
    assert not some(events, RoundBegan)
    assert not some(events, Shuffled)
    if target > 1:
        state, events = last_trick("B1 R3 S4 L5", (1, 1, 1, 6), points=[target - 2] * 4, target=target)
        assert state.outcome() is None
        assert not some(events, MatchWon)


def test_S7_the_default_target_is_3() -> None:
    assert GAME.new(3, {}, "seed").view(None).target == 3


def test_S7_one_trick_counts_not_all_of_them() -> None:
    """Seat 0: Redbud, 2 and 2 Redbuds in two tricks. Seat 1: Beech, 3 in its one."""
    tricks = [(0, "R9 R1 B1 L1"), (0, "R10 R3 S1 S2"), (1, "B11 B2 B3 S3")]
    state, events = last_trick("R2 B4 S5 L6", (2, 1, 1, 5), tricks=tricks, points=[2, 2, 0, 0])
    assert [tie.cards for tie in only(events, MatchWon).tie_breaks] == [2, 3]
    assert state.outcome().winners == {1}


def test_S7_the_last_trick_is_one_of_them() -> None:
    """Seat 0 is a Beech and takes only the last trick, with three Beeches in it."""
    tricks = [(1, "R11 R9 S1 B5"), (1, "R10 B6 S7 S2")]
    state, events = last_trick("B11 R5 B3 B4", (0, 2, 4, 3), tricks=tricks, points=[2, 2, 0, 0])
    first, second = only(events, MatchWon).tie_breaks
    assert (first.cards, second.cards) == (3, 2)
    assert [lay.card for lay in first.trick.lays] == ["B11", "R5", "B3", "B4"]
    assert state.view(None).last_trick == first.trick
    assert state.outcome().winners == {0}


def test_S7_cards_of_ones_own_species_only_and_in_ones_own_tricks() -> None:
    """Seat 0, a Beech, took four Sycamores; seat 1, a Redbud, a single one. Others have more of both, for nothing."""
    tricks = [(0, "S11 S9 S1 S2"), (1, "R11 L1 S3 L3"), (1, "L10 L8 S4 S5"), (2, "B11 B10 B9 B8"), (3, "R10 R9 R8 R7")]
    state, events = last_trick("B1 R2 S6 L7", (1, 2, 4, 2), tricks=tricks, points=[2, 2, 2, 2])
    assert only(events, RoundScored).result.scored == (0, 1)
    ties = only(events, MatchWon).tie_breaks
    assert [(tie.seat, tie.species, tie.cards) for tie in ties] == [(0, "B", 0), (1, "R", 1)]
    assert state.outcome().winners == {1}


def test_S7_weather_is_one_suit_and_no_trick_won_is_0() -> None:
    """Seat 0 ends on the Sun, with the Rain in the same trick; seat 1 ends on the Rain and took nothing."""
    state, events = last_trick("Sun Rain B2 S3", (4, 0, 3, 2), points=[2, 2, 0, 0])
    assert only(events, RoundScored).result.scored == (0, 1)
    sun, rain = only(events, MatchWon).tie_breaks
    assert (sun.species, sun.cards, sun.trick.winner) == ("W", 2, 0)
    assert (rain.species, rain.cards, rain.trick) == ("W", 0, None)
    assert (state.outcome().winners, state.outcome().reason) == ({0}, "tie_break")


def test_S7_no_trick_and_a_trick_without_the_species_are_equal() -> None:
    tricks = [(1, "S11 S9 L1 L2")]
    state, events = last_trick("Rain B1 S3 R4", (0, 1, 4, 4), tricks=tricks, points=[2, 2, 0, 0])
    assert [tie.cards for tie in only(events, MatchWon).tie_breaks] == [0, 0]
    assert only(events, MatchWon).seats == (0, 1)
    assert (state.outcome().winners, state.outcome().reason) == ({0, 1}, "shared")


def test_S7_still_equal_is_a_shared_win() -> None:
    """Three at the target with 2, 2 and 1: the first two share; who has 4 Locusts but not the target does not."""
    tricks = [(0, "B11 B10 S1 S2"), (1, "R11 R10 S4 L1"), (1, "L8 S5 S7 R1"), (2, "S11 L3 L2 R3"), (3, "L11 L10 L9 L7")]
    tricks += [(2, "L6 R4 R5 B9"), (2, "R9 B8 B7 R6")]
    state, events = last_trick("B1 R2 S3 L4", (1, 2, 3, 3), tricks=tricks, points=[2, 2, 2, 1])
    assert only(events, RoundScored).result.scored == (0, 1, 2, 3)
    won = only(events, MatchWon)
    assert [(tie.seat, tie.cards) for tie in won.tie_breaks] == [(0, 2), (1, 2), (2, 1)]
    assert won.seats == (0, 1)
    outcome = state.outcome()
    assert (outcome.winners, outcome.scores, outcome.reason) == ({0, 1}, (3, 3, 3, 2), "shared")


def test_S7_the_first_of_equally_good_tricks_is_shown() -> None:
    tricks = [(0, "R9 R1 B1 L1"), (0, "R10 R3 S1 S2"), (1, "B11 B2 S4 S3")]
    _, events = last_trick("R2 B4 S5 L6", (2, 1, 1, 5), tricks=tricks, points=[2, 2, 0, 0])
    shown, _ = only(events, MatchWon).tie_breaks
    assert {lay.card for lay in shown.trick.lays} == {"R9", "R1", "B1", "L1"}


def test_S7_the_round_counts_in_which_they_get_there() -> None:
    """Cards of the round before count for nothing: its last trick is told and had the most."""
    before = trick_json([0, 1, 2, 3], 1, ["R11", "R9", "R8", "R7"])
    tricks = [(0, "B11 B2 S4 S3"), (1, "L11 L10 R1 S2"), (1, "L9 S7 S8 L1")]
    fields = {"points": [2, 2, 0, 0], "tricks": tricks, "last_trick": before, "round": 5}
    state, events = last_trick("B1 R2 S5 L6", (1, 2, 1, 5), **fields)
    assert [tie.cards for tie in only(events, MatchWon).tie_breaks] == [2, 1]
    assert state.outcome().winners == {0}


# --- S8


def test_S8_more_than_ten_points_may_be_out() -> None:
    state, events = last_trick("B1 R2 S3 L4", (1, 2, 2, 4), points=[3, 3, 3, 3], target=5)
    assert only(events, RoundScored).points == (4, 4, 3, 3)
    state, events = last_trick("B1 R2 S3 L4", (1, 2, 3, 3), points=[3, 3, 3, 3], target=5)
    assert state.view(None).points == (4, 4, 4, 4)
    assert state.outcome() is None


# --- S9


def test_S9_trick_counts_are_public() -> None:
    state = position(["B5 R2", "R5 S2", "S5 L2"], won=(1, 2, 3))
    state, _ = play(state, "B5 R5 S5")
    for viewer in (None, Seat(0), Seat(1), Seat(2)):
        assert state.view(viewer).tricks_won == (1, 2, 4)


def test_S9_the_last_trick_may_be_looked_at_also_in_the_next_round() -> None:
    state, _ = last_trick("B4 R3 S2", (4, 2, 1))
    for viewer in (None, Seat(1)):
        trick = state.view(viewer).last_trick
        assert (trick.lays, trick.winner) == (((0, "B4"), (1, "R3"), (2, "S2")), 0)
    state, _ = play_at_random(state, Random("S9"), 2)
    assert state.view(None).last_trick == trick
    state, events = play_at_random(state, Random("S9"), 1)
    assert tuple(lay.card for lay in state.view(None).last_trick.lays) == only(events, TrickTaken).cards
    assert state.view(None).last_trick != trick


@pytest.mark.parametrize("seats", GAME.seats)
def test_S9_the_log_names_no_cards_of_earlier_tricks(seats: int) -> None:
    """It names the cards of the current and of the last complete trick; of earlier ones who took them."""
    state, random = GAME.new(seats, {"target": 5}, "seed"), Random("S9")
    log: list[Event] = list(state.opening())
    for _ in range(seats * (2 * HAND[seats] + 2)):
        state, events = play_at_random(state, random, 1)
        log += events
        visible = GAME.visible_history(log)
        assert len(visible) == len(log)
        view = state.view(None)
        lays = {lay.card for lay in view.lays}
        last = {lay.card for lay in view.last_trick.lays} if view.last_trick else set()
        for viewer in (None, Seat(0)):
            seen = [event and event.seen_by(viewer) for event in visible]
            assert set(re.findall(CARD, repr(seen))) == lays | last
            taken = [event.winner for event in some(log, TrickTaken)]
            assert [event.winner for event in some(seen, TrickTaken)] == taken
            assert some(seen, RoundScored) == some(log, RoundScored)
            assert some(seen, RoundBegan) == some(log, RoundBegan)
    assert state.view(None).round == 3


def test_S9_the_log_of_nothing_is_nothing() -> None:
    assert list(GAME.visible_history(())) == []


def test_S9_leftovers_are_not_shown() -> None:
    """The round's end tells how many, not which; nor can they be looked at in the next round."""
    state = position(["B5", "R3 L7 Sun", "S4 L1 L2"], won=(1, 1, 5), points=[2, 0, 0], target=5)
    state, events = play(state, "B5 R3 S4")
    for event in events:
        assert set(re.findall(CARD, repr(event.seen_by(None)))) <= {"B5", "R3", "S4"}
    for event in GAME.visible_history(events):
        assert set(re.findall(CARD, repr(event and event.seen_by(None)))) <= {"B5", "R3", "S4"}
    assert only(events, RoundScored).result.left == (0, 2, 2)
    assert set(re.findall(CARD, json.dumps(state.view(None).to_json()))) == {"B5", "R3", "S4"}


def test_S9_other_seats_do_not_see_leftovers_in_the_last_view() -> None:
    state = position(["B5", "R3 L7 Sun", "S4 L1 L2"], won=(0, 1, 6), points=[2, 0, 0])
    state, _ = play(state, "B5 R3 S4")
    assert state.outcome().winners == {0}
    assert state.view(None).backs == ((0, 0, 0, 0, 0), (0, 0, 0, 1, 1), (0, 0, 0, 2, 0))
    for viewer in (None, Seat(0), Seat(2)):
        assert not {"L7", "Sun"} & set(re.findall(CARD, json.dumps(state.view(viewer).to_json())))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_one_of_those_who_sit_in_full_sun_wins_the_match(seats: int) -> None:
    """The chances of all players are 1 together, and a player who needs fewer points has the better one."""
    for needed in combinations_with_replacement(range(6), seats):
        chances = [hints.equity(own, (*needed[:at], *needed[at + 1 :])) for at, own in enumerate(needed)]
        assert sum(chances) == pytest.approx(1)
        for ahead, behind in pairwise(range(seats)):
            assert chances[ahead] >= chances[behind] and (chances[ahead] > chances[behind]) == (
                needed[ahead] < needed[behind] and (needed[0] > 0 or needed[ahead] == 0)
            )
