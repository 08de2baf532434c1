"""Sea Change, ruling by ruling: the worked examples, the deck, the play of a trick (C1 to C6)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rules.core.chance import Shuffled
from rules.core.game import Seat
from rules.core.tricks import TrickTaken
from rules.sea_change import GAME
from rules.sea_change.types import RoundBegan, RoundScored, SeaChanged, TrumpSet
from tests.rules.playing import legal, only, play, play_at_random, some
from tests.rules.playing_sea_change import DECKS, POINTS, position

# --- the worked examples


def test_example_sluffing() -> None:
    """Yellow is trump; B5, P8 (no Blue), B4: no trump was played, so B5 takes it, for 0 - 4 + 0."""
    state = position(["B5 Y4", "P8 Y5", "B4 Y7"], "Y", leader=0, open_scores=True)
    state, events = play(state, "B5 P8 B4")
    assert only(events, TrickTaken).winner == 0
    assert not some(events, SeaChanged)
    assert state.view(None).points == (-4, 0, 0)


def test_example_bad_idea() -> None:
    """Yellow is trump; Y6, P8 (no Yellow), B8 matches the 8: Blue is trump and B8 takes it, for -8."""
    state = position(["Y6 B4", "P8 B5", "B8 P7"], "Y", leader=0, open_scores=True)
    state, events = play(state, "Y6 P8 B8")
    assert only(events, SeaChanged) == SeaChanged(2, "B")
    assert only(events, TrickTaken).winner == 2
    assert state.view(None).trump == "B"
    assert state.view(None).points == (0, 0, -8)


def test_example_sneaky_idea() -> None:
    """Purple is trump; B9, Y8, B4, and Y4 although its player holds Blue: Y8 takes it, for 2 - 4 + 0 + 0."""
    state = position(["B9 P5", "Y8 P6", "B4 P7", "Y4 B12"], "P", leader=0, open_scores=True)
    state, events = play(state, "B9 Y8 B4 Y4")
    assert only(events, SeaChanged) == SeaChanged(3, "Y")
    assert only(events, TrickTaken).winner == 1
    assert state.view(None).points == (0, -2, 0, 0)


def test_example_big_finish() -> None:
    """Last trick, Blue is trump; G12, B7, B0, R0 matches: Red is trump, R0 takes it, for 1 + 0 + 0 + 5."""
    state = position(["G12", "B7", "B0", "R0"], "B", leader=0, suits="BGRY")
    state, events = play(state, "G12 B7 B0 R0")
    assert only(events, SeaChanged) == SeaChanged(3, "R")
    result = only(events, RoundScored).result
    assert result.points == (0, 0, 0, 6)
    assert (result.trump, result.zero_side, result.winners) == ("R", 3, (3,))


def test_example_vindictive() -> None:
    """4v4, Red is trump; R4 R2 R9 R11, P11 turns it to Purple, P15 (no Red), R8 must follow, G0: P15 takes 0 points."""
    hands = ["R4 B4", "R2 B5", "R9 B6", "R11 B7", "P11 R3", "P15 B9", "R8 P9", "G0 B10"]
    state = position(hands, "R", leader=0, teams="4v4", target=5, open_scores=True)
    state, _ = play(state, "R4 R2 R9 R11")
    assert legal(state, 4) == {"P11", "R3"}
    state, events = play(state, "P11 P15")
    assert only(events, SeaChanged) == SeaChanged(4, "P")
    assert legal(state, 6) == {"R8"}
    state, events = play(state, "R8 G0")
    assert only(events, TrickTaken).winner == 5
    view = state.view(None)
    assert view.points == (0, 0)
    assert view.captured == (0, 8)
    assert view.tricks_won == (0, 0, 0, 0, 0, 1, 0, 0)


# --- counts by hand


def test_ways_to_play_two_tricks_counted_by_hand() -> None:
    """Seat 0 leads B9 or Y4: 2 ways.

    B9: seat 1 follows with B5, or matches the 9 with P9. On B5 seat 2 must follow with B7; on P9 it may match with Y9
    too. That is 1 + 2. Y4: seat 1 has no Yellow and plays either card; seat 2 must follow with Y9 both times: 1 + 1.
    So 2, 4 and 5 ways to play one, two and three cards. Everybody's last card is forced: 5 ways to the round's end.
    """
    states, ways = [position(["B9 Y4", "B5 P9", "Y9 B7"], "P", leader=0)], []
    for _ in range(6):
        states = [
            state.apply(move)[0] for state in states for seat in state.to_move() for move in state.legal_moves(seat)
        ]
        ways.append(len(states))
    assert ways == [2, 4, 5, 5, 5, 5]
    assert {state.view(None).round for state in states} == {2}


# --- the deck


@pytest.mark.parametrize("seats", GAME.seats)
def test_deck_has_the_suits_and_values_of_the_table(seats: int) -> None:
    state = GAME.new(seats, {}, "seed")
    data, view = state.to_json(), state.view(None)
    suits, values = DECKS[seats]
    cards = [card for hand in data["hands"] for card in hand] + data["pile"] + [card for _, card in data["lays"]]
    assert sorted(cards) == sorted(f"{suit}{value}" for suit in data["suits"] for value in values)
    assert len(view.suits) == suits
    assert view.values == tuple(values)
    assert view.points_by_value == tuple((value, POINTS[value]) for value in values if value)
    assert view.zero_points == 5


def test_seats_are_one_to_eight() -> None:
    assert GAME.seats == (1, 2, 3, 4, 5, 6, 7, 8)


# --- C1


@pytest.mark.parametrize("seats", GAME.seats)
def test_C1_suits_are_drawn_at_the_start_and_shown(seats: int) -> None:
    drawn = Counter[str]()
    for n in range(100):
        state = GAME.new(seats, {}, f"suits {n}")
        suits = "".join(state.view(None).suits)
        assert suits == "".join(suit for suit in "BGRPY" if suit in suits), "in the order B G R P Y"
        assert only(state.opening(), RoundBegan).suits == state.view(None).suits
        drawn[suits] += 1
    # 10 choices of three suits or 5 of four, each expected 10 or 20 times.
    assert len(drawn) == {3: 10, 4: 5, 5: 1}[DECKS[seats][0]]


def test_C1_suits_stay_for_the_whole_game() -> None:
    state = GAME.new(3, {"target": 9}, "seed")
    suits = state.view(None).suits
    state, events = play_at_random(state, Random("C1"), 90)
    assert {event.suits for event in some(events, RoundBegan)} == {suits}
    assert state.view(None).suits == suits


# --- C2


@pytest.mark.parametrize("seats", GAME.seats)
def test_C2_ten_cards_each_and_with_three_or_more_the_whole_deck(seats: int) -> None:
    state = GAME.new(seats, {}, "seed")
    data = state.to_json()
    assert [len(hand) for hand in data["hands"]] == [10] * seats
    assert state.view(None).hand_sizes == (10,) * seats
    # The solo AI has laid the first card of its 20.
    assert state.view(None).pile == len(data["pile"]) == {1: 19, 2: 10}.get(seats, 0)
    assert state.view(None).tricks == (15 if seats == 2 else 10)


@pytest.mark.parametrize("seats", GAME.seats)
def test_C2_hands_are_dealt_whole_in_the_order_of_the_shuffle(seats: int) -> None:
    state = GAME.new(seats, {}, "seed")
    data = state.to_json()
    deal = max(some(state.opening(), Shuffled), key=lambda event: event.ordinal)
    for seat, hand in enumerate(data["hands"]):
        assert sorted(hand) == sorted(deal.after[10 * seat : 10 * seat + 10])
    rest = [card for _, card in data["lays"]] + data["pile"]
    assert rest == list(deal.after[10 * seats :])


def test_C2_the_hand_is_shown_by_suit_and_value_to_its_seat_alone() -> None:
    state = position(["B10 B4 Y5", "Y0 P12 B9", "P4 P5 P6"], "B")
    assert state.view(Seat(0)).hand == ("B4", "B10", "Y5")
    assert state.view(Seat(1)).hand == ("B9", "P12", "Y0")
    assert state.view(None).hand == ()


# --- C3


@pytest.mark.parametrize("seats", range(2, 9))
def test_C3_the_dealers_left_leads_and_sets_lead_and_trump(seats: int) -> None:
    state = GAME.new(seats, {}, "seed")
    view = state.view(None)
    assert (view.dealer, view.leader, state.to_move()) == (0, 1, {1})
    assert view.trump is None
    card = state.view(Seat(1)).hand[3]
    state, events = play(state, card)
    assert only(events, TrumpSet).suit == card[0] == state.view(None).trump
    assert not some(events, SeaChanged)


def test_C3_the_first_leader_may_lead_anything() -> None:
    state = GAME.new(5, {}, "seed")
    assert legal(state, 1) == set(state.view(Seat(1)).hand)


def test_C3_the_winner_leads_and_sets_the_lead_suit_alone() -> None:
    state = position(["B5 P4", "B9 P6", "B4 P7 Y4"], "Y", leader=0)
    state, events = play(state, "B5 B9 B4")
    assert state.to_move() == {1}
    assert state.view(None).leader == 1
    state, events = play(state, "P6")
    assert not some(events, TrumpSet)
    assert state.view(None).trump == "Y"
    # Purple was led: seat 2 must follow it.
    assert legal(state, 2) == {"P7"}


def test_C3_the_trump_is_carried_to_the_next_trick_and_not_to_the_next_round() -> None:
    state = position(["B5", "P5", "B4"], "Y", leader=0)
    state, events = play(state, "B5 P5 B4")
    assert only(events, RoundScored).result.trump == "P"
    view = state.view(None)
    assert (view.round, view.trick_number, view.trump) == (2, 1, None)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_C3_the_deal_goes_one_seat_to_the_left_each_round(seats: int) -> None:
    state = GAME.new(seats, {"target": 9}, "seed")
    state, events = play_at_random(state, Random("C3"), {2: 30}.get(seats, 10 * seats) * (seats + 1))
    began = [*some(GAME.new(seats, {"target": 9}, "seed").opening(), RoundBegan), *some(events, RoundBegan)]
    assert [event.round for event in began] == list(range(1, seats + 3))
    assert [event.dealer for event in began] == [n % seats for n in range(seats + 2)]
    assert [event.leader for event in began] == [(n + 1) % seats for n in range(seats + 2)]


# --- C4


def test_C4_equal_value_is_a_sea_change_wanted_or_not() -> None:
    state = position(["B9 P4", "Y9", "B4 P5"], "B", leader=0)
    state, events = play(state, "B9 Y9")
    assert only(events, SeaChanged) == SeaChanged(1, "Y")
    assert state.view(None).trump == "Y"


def test_C4_the_card_may_follow_the_lead_suit() -> None:
    state = position(["B9 P4", "Y5 P7", "B5 P6"], "Y", leader=0)
    state, events = play(state, "B9 Y5 B5")
    assert only(events, SeaChanged) == SeaChanged(2, "B")
    assert only(events, TrickTaken).winner == 0


def test_C4_the_trump_may_change_back() -> None:
    state = position(["B8 P4", "P8 P5", "Y8 P6", "R4 P7"], "Y", leader=0)
    state, events = play(state, "B8 P8 Y8 R4")
    assert [event.suit for event in some(events, SeaChanged)] == ["P", "Y"]
    assert only(events, TrickTaken).winner == 2


def test_C4_it_is_told_where_the_suit_was_trump_already() -> None:
    state = position(["B8 P4", "Y8 P5", "B4 P6"], "Y", leader=0)
    state, events = play(state, "B8 Y8")
    assert only(events, SeaChanged) == SeaChanged(1, "Y")


def test_C4_only_the_card_just_before_counts() -> None:
    state = position(["B9 P4", "B5 P5", "P9 P6"], "B", leader=0)
    state, events = play(state, "B9 B5 P9")
    assert not some(events, SeaChanged)
    assert state.view(None).trump == "B"


def test_C4_a_leader_makes_none_with_the_last_card_of_the_trick_before() -> None:
    state = position(["B9 P8", "B4 P5", "B8 P6"], "Y", leader=0)
    state, events = play(state, "B9 B4 B8 P8")
    assert not some(events, SeaChanged)
    assert state.view(None).trump == "Y"


def test_C4_the_second_card_of_the_round_may_turn_the_new_trump() -> None:
    state = position(["P4", "B8 P5", "Y8 P6"], None)
    state, events = play(state, "B8 Y8")
    assert only(events, TrumpSet).suit == "B"
    assert only(events, SeaChanged) == SeaChanged(2, "Y")


def test_C4_the_lead_suit_stays() -> None:
    state = position(["B8 P4", "Y8 P5", "B4 Y5 P6"], "P", leader=0)
    state, _ = play(state, "B8 Y8")
    assert legal(state, 2) == {"B4"}


def test_C4_zeros_match_zeros() -> None:
    state = position(["B9 P4", "B0 P5", "Y0 B4"], "P", leader=0)
    state, events = play(state, "B9 B0 Y0")
    assert only(events, SeaChanged) == SeaChanged(2, "Y")
    assert only(events, TrickTaken).winner == 2


# --- C5


def test_C5_any_card_of_the_lead_suit() -> None:
    state = position(["B8", "B4 B12 Y5 P6", "B5"], "Y", leader=0)
    state, _ = play(state, "B8")
    assert legal(state, 1) == {"B4", "B12"}


def test_C5_a_match_though_the_lead_suit_is_held() -> None:
    state = position(["B8", "B4 Y8 P8 P6", "B5"], "Y", leader=0)
    state, _ = play(state, "B8")
    assert legal(state, 1) == {"B4", "Y8", "P8"}


def test_C5_the_match_is_with_the_card_just_played_not_the_lead() -> None:
    state = position(["B8 P4", "B6 P5", "B4 Y8 Y6 P6"], "Y", leader=0)
    state, _ = play(state, "B8 B6")
    assert legal(state, 2) == {"B4", "Y6", "P6"}


def test_C5_void_in_the_lead_suit_anything() -> None:
    state = position(["B8", "Y4 P12 Y8", "B5"], "Y", leader=0)
    state, _ = play(state, "B8")
    assert legal(state, 1) == {"Y4", "P12", "Y8"}


# --- C6


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("B5 B9 B4", "Y", 1),  # no trump: the highest of the lead suit
        ("B5 Y4 B12", "Y", 1),  # the lowest trump beats the highest lead
        ("B5 Y4 Y6", "Y", 2),  # the highest trump
        ("B5 P12 B4", "Y", 0),  # neither led nor trump
        ("Y5 Y9 B12", "Y", 1),  # the trump was led
        ("B5 Y5 B12", "P", 1),  # the trump in force when the trick is complete
        ("P12 Y4 B4", "P", 2),  # was trump, is led and beaten by the new one
        ("B5 Y0 P12", "Y", 1),  # a 0 is the lowest trump and still a trump
        ("B0 Y0 P0", "B", 2),
        ("B0 P12 Y12", "P", 2),
    ],
)
def test_C6_who_takes_the_trick(cards: str, trump: str, winner: int) -> None:
    first, second, third = cards.split()
    state = position([f"{first} P10", f"{second} P9", f"{third} P11"], trump, leader=0)
    if first[0] == "P":  # no player may hold the lead suit besides
        state = position([f"{first} R10", f"{second} R9", f"{third} R11"], trump, leader=0, suits="BRPY")
    state, events = play(state, cards)
    taken = only(events, TrickTaken)
    assert taken.winner == winner
    assert list(taken.cards) == cards.split()
    assert state.to_move() == {winner}
