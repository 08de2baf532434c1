"""Sea Change, ruling by ruling (C1 to C12), the worked examples, and a second scoring that must agree."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rules.core.chance import Shuffled
from rules.core.game import AnyState, BadOption, Event, IllegalMove, Json, Refusal, Seat
from rules.core.tricks import Card, TrickTaken
from rules.sea_change import GAME
from rules.sea_change.types import CardDrawn, CardPlayed, MatchWon, RoundBegan, RoundScored, SeaChanged, TrumpSet
from tests.rules import naive_sea_change as naive
from tests.rules.playing import legal, only, play, play_at_random, refused, some, verbs

DECKS = {
    1: (3, [0, *range(4, 13)]),
    2: (3, [0, *range(4, 13)]),
    3: (3, [0, *range(4, 13)]),
    4: (4, [0, *range(4, 13)]),
    5: (5, [0, *range(4, 13)]),
    6: (5, [0, *range(3, 14)]),
    7: (5, [0, *range(2, 15)]),
    8: (5, [0, *range(1, 16)]),
}
"""The rules page's table: suits and values by number of players."""

POINTS = {1: -1, 2: -1, 3: -1, 4: 0, 5: 0, 6: 0, 7: 0, 8: -4, 9: 2, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1}

SEATING = {
    (4, "2v2"): "ABAB",
    (5, "2v2v1"): "ABCAB",
    (5, "3v2"): "ABABA",
    (6, "2v2v2"): "ABCABC",
    (6, "3v3"): "ABABAB",
    (7, "2v2v2v1"): "ABCDABC",
    (7, "3v2v2"): "ABACABC",
    (8, "2v2v2v2"): "ABCDABCD",
    (8, "4v4"): "ABABABAB",
}


def position(hands: Sequence[str], trump: str | None, **fields: Any) -> AnyState:
    """A position: a hand's cards in one text by seat, the trump, and any field of the state's JSON or option."""
    seats = len(hands)
    players = max(seats, 2)
    options = {"target": 3, "teams": "none", "open_scores": False}
    options |= {name: fields.pop(name) for name in tuple(fields) if name in options}
    sides = players if options["teams"] == "none" else len(set(SEATING[seats, options["teams"]]))
    state: Json = {
        "seats": seats,
        "options": options,
        "deck": dict(GAME.deck),
        "seed": "position",
        "ply": 20,
        "deals": 2,
        "suits": {3: "BPY", 4: "BRPY"}.get(DECKS[seats][0], "BGRPY"),
        "round": 1,
        "dealer": 0,
        "leader": 1,
        "hands": [hand.split() for hand in hands],
        "may_hold": [[10] * 5 for _ in hands],
        "pile": [],
        "lays": [],
        "trump": trump,
        "tricks_won": [0] * players,
        "captured": [[] for _ in range(players)],
        "victory_points": [0] * sides,
        "last_trick": None,
        "last_round": None,
        "outcome": None,
    }
    assert set(fields) <= set(state)
    return GAME.from_json(json.loads(json.dumps(state | fields)))


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


def test_C5_refusals_change_nothing() -> None:
    state = position(["B8", "B4 Y5", "B5"], "Y", leader=0)
    state, _ = play(state, "B8")
    before = state.to_json()
    refused(state, 1, "Y5")
    refused(state, 1, "B12")
    refused(state, 1, "R4")
    assert refused(state, 2, "B5").reason is Refusal.OUT_OF_TURN
    assert refused(state, 0, "B8").reason is Refusal.OUT_OF_TURN
    assert state.to_json() == before


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


# --- C8: the last trick of these positions is worth nothing and goes to seat 2


LAST = ["B4", "B5", "B6"]


def end_of_round(captured: Sequence[str], **fields: Any) -> tuple[AnyState, list[Event]]:
    """Three players' last trick, worth nothing and taken by seat 2; Yellow stays trump unless told otherwise."""
    fields = {"trump": "Y", "leader": 0} | fields
    state = position(LAST, captured=[cards.split() for cards in captured], **fields)
    return play(state, "B4 B5 B6")


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


# --- C10


def test_C10_a_card_is_drawn_at_once_while_the_pile_lasts() -> None:
    state = GAME.new(2, {}, "seed")
    pile = state.to_json()["pile"]
    for ply in range(30):
        (seat,) = state.to_move()
        had = set(state.view(seat).hand)
        state, events = state.apply(state.legal_moves(seat)[0])
        played = only(events, CardPlayed).card
        drawn = some(events, CardDrawn)
        if ply < 10:
            assert drawn == [CardDrawn(seat, pile[ply])]
            assert events.index(drawn[0]) > [type(event) for event in events].index(CardPlayed)
            assert set(state.view(seat).hand) == had - {played} | {pile[ply]}
            assert state.view(None).pile == 9 - ply
        else:
            assert not drawn
        assert len(some(events, TrickTaken)) == ply % 2
        assert len(some(events, RoundScored)) == (ply == 29), "15 tricks"


def test_C10_the_drawn_card_is_in_hand_before_the_other_plays() -> None:
    state = position(["B5 Y4", "P8 P9"], "Y", pile=["B9", "P4", "P5"], leader=0)
    state, events = play(state, "B5")
    assert state.view(Seat(0)).hand == ("B9", "Y4")
    assert state.to_move() == {1}
    state, events = play(state, "P8")
    kinds = [type(event) for event in events]
    assert kinds.index(CardDrawn) < kinds.index(TrickTaken)
    assert state.view(Seat(1)).hand == ("P4", "P9")
    assert legal(state, 0) == {"B9", "Y4"}


def test_C10_a_drawn_card_is_seen_by_its_seat_alone() -> None:
    event = CardDrawn(Seat(0), Card("B9"))
    assert event.seen_by(Seat(0)) == event
    assert event.seen_by(Seat(1)) == event.seen_by(None) == CardDrawn(Seat(0), None)


def test_C10_the_pile_is_hidden() -> None:
    state = position(["B5", "P8"], "Y", pile=["B9", "P4", "P5"], leader=0)
    assert state.view(None).pile == 3
    for viewer in (None, Seat(0), Seat(1)):
        assert not {"B9", "P4", "P5"} & set(re.findall(r"[BGRPY]\d+", json.dumps(state.view(viewer).to_json())))


# --- C11


def test_C11_the_ai_leads_its_top_card_and_sets_the_trump() -> None:
    for n in range(10):
        state = GAME.new(1, {}, f"solo {n}")
        deal = max(some(state.opening(), Shuffled), key=lambda event: event.ordinal)
        top = deal.after[10]
        view = state.view(Seat(0))
        assert [(lay.player, lay.card) for lay in view.lays] == [(1, top)]
        assert only(state.opening(), CardPlayed) == CardPlayed(1, top)
        assert only(state.opening(), TrumpSet).suit == view.trump == top[0]
        assert state.to_move() == {0}
        assert view.sides == (0, 1)
        assert (view.leader, view.hand_sizes, view.pile) == (1, (10,), 19)


def test_C11_the_ai_plays_the_third_card_and_leads_again_whichever_player_won() -> None:
    state = position(["B9 P4 P6"], "Y", lays=[[1, "B5"]], pile=["B4", "P12", "Y4", "B6", "B7"])
    assert legal(state, 0) == {"B9"}
    state, events = play(state, "B9")
    assert some(events, CardPlayed) == [CardPlayed(0, "B9"), CardPlayed(1, "B4"), CardPlayed(1, "P12")]
    assert only(events, TrickTaken).winner == 0
    view = state.view(Seat(0))
    assert [(lay.player, lay.card) for lay in view.lays] == [(1, "P12")]
    assert (view.leader, view.trump, view.pile) == (1, "Y", 3)
    assert (view.captured, view.tricks_won) == ((3, 0), (1, 0))
    assert [lay.card for lay in view.last_trick.lays] == ["B5", "B9", "B4"]


def test_C11_the_ai_need_not_follow() -> None:
    state = position(["B9 P4"], "Y", lays=[[1, "B5"]], pile=["Y4", "B12", "B6"])
    state, events = play(state, "B9")
    assert only(events, TrickTaken).winner == 1


def test_C11_sea_changes_happen_for_both() -> None:
    state = position(["P5 B6 B4"], "Y", lays=[[1, "B5"]], pile=["P4", "P12", "P9", "B12", "B9"])
    assert legal(state, 0) == {"P5", "B6", "B4"}
    after, events = play(state, "P5")
    assert some(events, SeaChanged) == [SeaChanged(0, "P")]
    assert only(events, TrickTaken).winner == 0
    state = position(["B6 B4"], "Y", lays=[[1, "B5"]], pile=["P6", "P12", "P9"])
    after, events = play(state, "B6")
    assert some(events, SeaChanged) == [SeaChanged(1, "P")]
    assert only(events, TrickTaken).winner == 1
    assert after.view(None).trump == "P"


def test_C11_the_ais_lead_of_a_later_trick_changes_no_trump() -> None:
    state = position(["B9 P4 P6"], "Y", lays=[[1, "B5"]], pile=["B4", "P4", "Y4", "B6", "B7"])
    state, events = play(state, "B9")  # B4, then the AI leads P4: no Sea Change across tricks
    assert not some(events, SeaChanged)
    assert not some(events, TrumpSet)
    assert state.view(None).trump == "Y"


def end_of_solo(mine: str, ais: str, **fields: Any) -> tuple[AnyState, list[Event]]:
    """The last trick of a solo round, worth nothing and taken by the AI. Yellow is trump."""
    captured = [mine.split(), ais.split()]
    state = position(["B5"], "Y", lays=[[1, "B4"]], pile=["B6"], captured=captured, **fields)
    return play(state, "B5")


@pytest.mark.parametrize(
    ("mine", "ais", "side"),
    [
        ("Y0 P8", "", 0),  # 1 to 0, with an 8
        ("Y0", "P8", 1),  # 5 to -4, without an 8
        ("Y0 P8", "B12", 1),  # 1 to 1
        ("B8", "P8 Y8", 0),  # -4 to -8
        ("B8", "", 1),
        ("B8 B9 P9", "Y8", 0),  # 0 to -4
        ("", "P8", 1),
    ],
)
def test_C11_the_player_needs_more_points_and_an_8(mine: str, ais: str, side: int) -> None:
    state, events = end_of_solo(mine, ais)
    scored = only(events, RoundScored)
    assert scored.result.winners == (side,)
    assert scored.victory_points == ((1, 0), (0, 1))[side]
    assert state.outcome() is None
    assert only(events, RoundBegan).round == 2
    assert state.to_move() == {0}
    assert len(state.view(None).lays) == 1, "the AI leads the new round"
    assert state.view(None).trump == state.view(None).lays[0].card[0]


def test_C11_the_player_may_win_the_match() -> None:
    state, events = end_of_solo("Y0 P8", "", victory_points=[2, 2])
    assert state.outcome().winners == {0}
    assert state.outcome().scores == (3,)
    assert only(events, MatchWon) == MatchWon((0,), "")


def test_C11_if_the_ai_wins_no_player_does() -> None:
    state, events = end_of_solo("", "", victory_points=[2, 2])
    assert state.outcome().winners == frozenset()
    assert state.outcome().scores == (2,)
    assert state.view(None).victory_points == (2, 3)
    assert only(events, MatchWon) == MatchWon((1,), "")
    assert not some(events, RoundBegan)


def test_C11_a_round_has_ten_tricks() -> None:
    state, events = play_at_random(GAME.new(1, {}, "solo"), Random("C11"), 9)
    assert not some(events, RoundScored)
    assert len(some(events, TrickTaken)) == 9
    state, events = play_at_random(state, Random("C11"), 1)
    scored = only(events, RoundScored)
    assert sum(map(len, scored.result.captured)) == 30


# --- C12


def teams_of(seats: int) -> tuple[Any, ...]:
    for option in GAME.options(seats, {}):
        if option.name == "teams":
            return option.values
    return ()


def test_C12_the_teams_offered() -> None:
    for seats in GAME.seats:
        named = tuple(teams for number, teams in SEATING if number == seats)
        assert teams_of(seats) == (("none", *named) if named else ())


@pytest.mark.parametrize(("seats", "teams"), SEATING)
def test_C12_seating_and_target(seats: int, teams: str) -> None:
    state = GAME.new(seats, {"teams": teams}, "seed")
    view = state.view(None)
    assert view.sides == tuple("ABCD".index(team) for team in SEATING[seats, teams])
    assert view.target == max(map(int, teams.split("v"))) + 1
    assert len(view.victory_points) == len(view.captured) == len(teams.split("v"))
    assert len(view.tricks_won) == seats
    sizes = Counter(SEATING[seats, teams]).values()
    assert sorted(map(int, teams.split("v"))) == sorted(sizes)


@pytest.mark.parametrize("seats", GAME.seats)
def test_C12_without_teams_the_target_is_3(seats: int) -> None:
    assert GAME.new(seats, {}, "seed").view(None).target == 3


def test_C12_the_default_target_follows_the_chosen_teams() -> None:
    def target(chosen: dict[str, Any]) -> Any:
        (option,) = [option for option in GAME.options(8, chosen) if option.name == "target"]
        assert option.values == tuple(range(1, 10))
        return option.default

    assert [target({}), target({"teams": "none"}), target({"teams": "2v2v2v2"}), target({"teams": "4v4"})] == [
        3,
        3,
        3,
        5,
    ]
    assert GAME.new(8, {"teams": "4v4", "target": 2}, "seed").view(None).target == 2


LAST_OF_FOUR = ["B4", "B5", "B6", "B7"]


def end_of_2v2(captured: Sequence[str], **fields: Any) -> tuple[AnyState, list[Event]]:
    """The last trick of two against two, worth nothing and taken by seat 3 of team 1. Yellow is trump."""
    piles = [cards.split() for cards in captured]
    state = position(LAST_OF_FOUR, "Y", leader=0, teams="2v2", captured=piles, **fields)
    return play(state, "B4 B5 B6 B7")


def test_C12_captures_points_and_victory_points_are_pooled() -> None:
    state, events = end_of_2v2(["B9", "P9", "P10", "B8"])
    scored = only(events, RoundScored)
    assert scored.result.points == (3, -2)
    assert [len(cards) for cards in scored.result.captured] == [2, 6]
    assert scored.result.winners == (0,)
    assert state.view(None).victory_points == (1, 0)


def test_C12_all_seats_of_the_winning_team_win() -> None:
    state, events = end_of_2v2(["B9", "", "P10", ""], victory_points=[2, 1])
    assert state.outcome().winners == {0, 2}
    assert state.outcome().scores == (3, 1, 3, 1)
    assert only(events, MatchWon) == MatchWon((0,), "")


def test_C12_ties_are_broken_by_team() -> None:
    # 1 to 1. Team 1 has the fewer cards, team 0 the trump's 0 in the second seat's pile.
    state, events = end_of_2v2(["P4 P5 P6 P7", "B12", "Y0 B8", ""], victory_points=[2, 2])
    assert only(events, MatchWon) == MatchWon((0,), "zero")
    assert state.outcome().winners == {0, 2}
    # 1 to 1, Red is trump and its 0 lies with no one: 4 cards against 1 and the last trick's 4.
    state, events = end_of_2v2(["P12 P4", "B12", "P5 P6", ""], victory_points=[2, 2], suits="BGPY")
    assert only(events, MatchWon) == MatchWon((0,), "cards")
    state, events = end_of_2v2(["P12 P4 R4", "B12", "P5 P6", ""], victory_points=[2, 2])
    assert only(events, MatchWon) == MatchWon((0, 1), "shared")
    assert state.outcome().winners == {0, 1, 2, 3}


def test_C12_team_mates_do_not_see_each_others_hands() -> None:
    state = GAME.new(4, {"teams": "2v2"}, "seed")
    hands = [set(hand) for hand in state.to_json()["hands"]]
    for seat in range(4):
        shown = set(re.findall(r"[BGRPY]\d+", json.dumps(state.view(Seat(seat)).to_json())))
        assert shown == hands[seat]


# --- options, deck table, notation


@pytest.mark.parametrize(
    ("seats", "options", "name"),
    [
        (0, {}, "seats"),
        (9, {}, "seats"),
        (4, {"target": 0}, "target"),
        (4, {"target": 10}, "target"),
        (4, {"target": "3"}, "target"),
        (4, {"target": True}, "target"),
        (4, {"teams": "3v3"}, "teams"),
        (3, {"teams": "none"}, "teams"),
        (6, {"teams": "4v2"}, "teams"),
        (4, {"open_scores": 1}, "open_scores"),
        (4, {"trump": "B"}, "trump"),
    ],
)
def test_bad_options_are_refused(seats: int, options: dict[str, Any], name: str) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.new(seats, options, "seed")
    assert caught.value.option == name


def test_the_deck_table_is_the_rules_pages() -> None:
    assert GAME.deck == {"points": {str(value): points for value, points in POINTS.items()}, "zero_points": 5}


def test_an_owner_may_correct_the_deck_table() -> None:
    deck = GAME.check_deck({"points": {"8": -5, "12": 3}, "zero_points": 7})
    assert deck["points"] == {str(value): points for value, points in (POINTS | {8: -5, 12: 3}).items()}
    assert deck["zero_points"] == 7
    view = GAME.new(3, {"deck": deck}, "seed").view(None)
    assert dict(view.points_by_value)[8] == -5
    assert view.zero_points == 7
    state, events = end_of_round(["P8", "B12", "Y0"], deck=deck)
    assert only(events, RoundScored).result.points == (-5, 3, 7)
    assert state.to_json()["deck"] == deck


def test_GAME_deck_is_not_changed_by_a_correction() -> None:
    before = json.dumps(dict(GAME.deck))
    GAME.check_deck({"points": {"8": 0}})
    assert json.dumps(dict(GAME.deck)) == before


@pytest.mark.parametrize(
    "deck",
    [
        {"points": {"16": 1}},
        {"points": {"0": 1}},
        {"points": {"eight": 1}},
        {"points": {"8": "1"}},
        {"points": {"8": 1.5}},
        {"points": {"8": True}},
        {"points": {"8": None}},
        {"points": [1, 2, 3]},
        {"points": None},
        {"zero_points": "5"},
        {"zero_points": True},
        {"zero_points": None},
        {"zero": 5},
    ],
)
def test_bad_deck_tables_are_refused(deck: dict[str, Any]) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.check_deck(deck)
    assert caught.value.option == "deck"


@pytest.mark.parametrize("deck", [None, 5, "points", ["points"]])
def test_a_deck_that_is_no_table_is_refused(deck: Any) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.new(3, {"deck": deck}, "seed")
    assert caught.value.option == "deck"


@pytest.mark.parametrize("text", ["play B9", "play b9", "PLAY B9", "Play b9"])
def test_case_does_not_matter_on_input(text: str) -> None:
    move = GAME.parse(Seat(2), text)
    assert (move.seat, move.card, str(move)) == (2, "B9", "play B9")


@pytest.mark.parametrize("suit", "BGRPY")
@pytest.mark.parametrize("value", range(16))
def test_every_card_has_its_notation(suit: str, value: int) -> None:
    assert str(GAME.parse(Seat(0), f"play {suit}{value}")) == f"play {suit}{value}"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "play",
            "B9",
            "play B",
            "play 9",
            "play B16",
            "play B-1",
            "play B09",
            "play B 9",
            "play B9 B8",
            "play X9",
        ),
        *(
            "play B9.0",
            "play B９",
            "play B٣",
            "play B²",
            "lay B9",
            "playB9",
            "play BB9",
            "play +9",
            "play B+9",
            "play B1_0",
        ),
    ],
)
def test_words_that_name_no_card_are_refused(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(Seat(0), text)
    assert caught.value.reason is Refusal.UNPARSABLE


# --- against the naive scoring


def last_tricks(random: Random) -> tuple[AnyState, Json]:
    """A random position with one to three tricks to play, near a tie at the target, and the JSON it came from."""
    seats = random.choice([1, 2, 3, 4, 5, 6, 7, 8])
    players = max(seats, 2)
    suits = "".join(sorted(random.sample("BGRPY", DECKS[seats][0]), key="BGRPY".index))
    cards = [f"{suit}{value}" for suit in suits for value in DECKS[seats][1]]
    random.shuffle(cards)
    left = random.randint(1, 3)
    hands = [[cards.pop() for _ in range(left)] for _ in range(seats)]
    lays = [[1, cards.pop()]] if seats == 1 else []
    pile = [cards.pop() for _ in range(2 * left - 1)] if seats == 1 else []
    captured: list[list[str]] = [[] for _ in range(players)]
    for at in range(0, len(cards), max(seats, 3) if seats == 1 else seats):
        # Some cards are left out, so that totals and numbers of cards are often equal.
        captured[random.randrange(players)] += cards[at : at + seats] if random.random() < 0.5 else []
    teams = random.choice(teams_of(seats) or ("none",))
    sides = players if teams == "none" else len(teams.split("v"))
    target = random.randint(1, 3)
    fields = {
        "suits": suits,
        "pile": pile,
        "lays": lays,
        "leader": 1 if seats == 1 else random.randrange(seats),
        "captured": captured,
        "victory_points": [target - 1 if random.random() < 0.8 else 0 for _ in range(sides)],
    }
    trump = random.choice(suits)
    state = position([" ".join(hand) for hand in hands], trump, target=target, teams=teams, **fields)
    return state, {"trump": trump, "sides": list(state.view(None).sides), "target": target, **fields}


def agree_to_the_rounds_end(state: AnyState, told: Json, random: Random) -> MatchWon | None:
    """Plays the round out at random; every legal move, trick and score as the naive scoring has it."""
    lays = [tuple(lay) for lay in told["lays"]]
    trump, sides, captured = told["trump"], told["sides"], told["captured"]
    while True:
        (seat,) = state.to_move()
        assert legal(state, seat) == naive.legal(state.view(seat).hand, lays)
        state, events = state.apply(random.choice(state.legal_moves(seat)))
        for event in events:
            if isinstance(event, CardPlayed):
                lays.append((event.player, event.card))
            elif isinstance(event, TrickTaken):
                trump = naive.trump_after(lays, trump)
                assert event.winner == naive.winner(lays, trump)
                assert list(event.cards) == [card for _, card in lays]
                captured[event.winner] += event.cards
                lays = []
            elif isinstance(event, RoundScored):
                pooled = [
                    [c for p, pile in enumerate(captured) if sides[p] == s for c in pile] for s in sorted({*sides})
                ]
                check_scores(event, told, pooled, trump)
                won, how = naive.match_winners(event.victory_points, told["target"], pooled, trump)
                result = some(events, MatchWon)
                assert [(set(event.sides), event.tie_break) for event in result] == ([(won, how)] if won else [])
                if won:
                    solo = len(told["sides"]) == 2 and state.view(None).seats == 1
                    winners = {s for s, side in enumerate(sides) if side in won and not (solo and s == 1)}
                    assert state.outcome().winners == winners
                return result[0] if result else None
        assert state.view(None).trump == (naive.trump_after(lays, trump) if lays else trump)


def check_scores(event: RoundScored, told: Json, pooled: list[list[str]], trump: str) -> None:
    """The round's result is the naive one."""
    totals = [naive.points(cards, trump, POINTS, 5) for cards in pooled]
    result = event.result
    assert result.points == tuple(totals)
    assert [sorted(cards) for cards in result.captured] == [sorted(cards) for cards in pooled]
    assert result.trump == trump
    assert result.zero_side == next((side for side, cards in enumerate(pooled) if f"{trump}0" in cards), None)
    winners = naive.round_winners(totals, pooled, solo=bool(told["lays"]))
    assert set(result.winners) == winners
    expected = [won + (side in winners) for side, won in enumerate(told["victory_points"])]
    assert list(event.victory_points) == expected


def test_the_naive_scoring_agrees(pytestconfig: pytest.Config) -> None:
    number = pytestconfig.getoption("--positions")
    endings = Counter[str]()
    for n in range(number):
        seed = f"naive {n}"
        print("position of seed", repr(seed))
        random = Random(seed)
        state, told = last_tricks(random)
        won = agree_to_the_rounds_end(state, told, random)
        endings["none" if won is None else won.tie_break or "alone"] += 1
    print(endings)
    if number >= 1_000:
        assert set(endings) == {"none", "alone", "zero", "cards", "shared"}, "every way to end was met"


@pytest.mark.parametrize("text", ["PLAY B9", "play b9", " Play  b9 "])
def test_case_and_spaces_of_a_typed_move_do_not_matter(text: str) -> None:
    assert str(GAME.parse(Seat(0), text)) == "play B9"


# --- what others may hold, for all that they have shown


def may_hold(state: AnyState, seat: int) -> dict[str, int]:
    """How many cards of each suit the seat may hold, where that is fewer than its hand has."""
    most = dict(zip("BGRPY", state.to_json()["may_hold"][seat], strict=True))
    return {suit: number for suit, number in most.items() if number < len(state.to_json()["hands"][seat])}


def test_C5_who_neither_follows_nor_matches_is_known_to_be_void() -> None:
    state = position(["P4 P5", "B9 B5", "P8 P9"], "Y")
    state, _ = play(state, "B9 P8")
    assert may_hold(state, 2) == {"B": 0}
    assert may_hold(state, 1) == {}, "who leads shows nothing"


def test_C5_who_matches_the_value_may_still_hold_the_lead_suit() -> None:
    state, _ = play(position(["P4 P5", "B9 B5", "P9 B4"], "Y"), "B9 P9")
    assert may_hold(state, 2) == {}


def test_C5_a_void_is_forgotten_with_the_deal() -> None:
    state, _ = play(position(["P4", "B9", "P8"], "Y"), "B9 P8 P4")
    assert [may_hold(state, seat) for seat in range(3)] == [{}, {}, {}]


def test_C10_a_void_may_be_filled_by_what_is_drawn_since() -> None:
    state = position(["P4 P5 P8", "B9 B5 Y5"], "Y", pile=["Y6", "B6", "Y7", "B7"])
    state, _ = play(state, "B9 P4")
    assert may_hold(state, 0) == {"B": 1}, "the card drawn for it may be a blue one"
    state, _ = play(state, "B5 B6")
    assert may_hold(state, 0) == {"B": 1}, "the blue one is played, and another card drawn"
    state, _ = play(state, "P5 Y5")
    assert may_hold(state, 0) == {"B": 1}
    state, _ = play(state, "Y6 P8")
    assert may_hold(state, 0) == {"Y": 0}


Ply = tuple[list[tuple[int, str]], int, str]
"""The trick so far, who played, the card."""


def could_be(seats: int, plies: Sequence[Ply], hands: Sequence[Sequence[str]]) -> None:
    """Each card was legal when it was played; with two players, some of what is held now was drawn since."""
    for at, (lays, mover, card) in enumerate(plies):
        held = [*hands[mover], *(played for _, seat, played in plies[at + 1 :] if seat == mover)]
        if card not in naive.legal([*held, card], lays):
            drawn = sum(seat == mover for _, seat, _ in plies[at:10]) if seats == 2 else 0
            assert sum(naive.suit(other) == naive.suit(lays[0][1]) for other in held) <= drawn, f"{card} was not legal"


@pytest.mark.parametrize("seats", range(1, 9))
def test_redeals_fit_all_that_has_been_played(seats: int) -> None:
    """With the hands of every redeal each card of the round so far was legal, as a plain reading of C5 has it."""
    seed = f"redeals of {seats}"
    print("seed", repr(seed))
    random = Random(seed)
    state, plies = GAME.new(seats, {}, seed), list[Ply]()
    while True:
        (mover,) = state.to_move()
        move = random.choice(state.legal_moves(mover))
        lays = [*map(tuple, state.to_json()["lays"])]
        state, _ = state.apply(move)
        plies.append((lays, int(mover), str(move.card)))
        if state.to_json()["round"] > 1 or state.outcome():
            return
        for viewer in (None, Seat(random.randrange(seats))):
            redealt = state.redeal_unseen(viewer, f"{seed} {len(plies)}").to_json()["hands"]
            could_be(seats, plies, redealt)


def test_the_last_card_of_a_hand_is_forced() -> None:
    assert verbs(GAME)[0] == {"play"}
