"""Full Sun, ruling by ruling: the worked examples, the deck, the play of a trick and who leads (S1 to S4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import chain
from random import Random

import pytest

from rules.core.chance import Shuffled
from rules.core.game import Json, Seat
from rules.core.tricks import TrickTaken, Unplayable
from rules.full_sun import GAME
from rules.full_sun.types import CardPlayed, MatchWon, RoundBegan, RoundScored
from tests.rules import naive_full_sun as naive
from tests.rules.playing import check_decks_are_refused, legal, only, play, play_at_random, refused, some
from tests.rules.playing_full_sun import CARD, DECKS, HAND, last_trick, position


def backs_of(cards: Iterable[str]) -> tuple[int, ...]:
    """How many of each suit: Beech, Redbud, Sycamore, Black Locust, Weather."""
    suits = [naive.suit(card) for card in cards]
    return tuple(suits.count(suit) for suit in "BRSLW")


# --- the worked examples


def test_example_the_dealers_six_takes_the_trick() -> None:
    """L6 is led; L2; no Locust, so R3; Redbud must be followed: R1. The dealer's 6 takes it."""
    state = position(["L6 B1", "L2 L9 B2", "R3 B3", "R1 L1 L11"], leader=0)
    state, _ = play(state, "L6")
    assert legal(state, 1) == {"L2", "L9"}
    state, _ = play(state, "L2")
    assert legal(state, 2) == {"R3", "B3"}
    state, _ = play(state, "R3")
    assert legal(state, 3) == {"R1"}
    state, events = play(state, "R1")
    assert only(events, TrickTaken) == TrickTaken(Seat(0), ("L6", "L2", "R3", "R1"))
    assert state.to_move() == {0}


def test_example_a_five_of_locust_beats_a_five_of_sycamore() -> None:
    for cards, winner in (("S5 L5 B1", 1), ("L5 S5 B1", 0)):
        _, events = play(position(cards.split()), cards)
        assert only(events, TrickTaken).winner == winner


def test_example_scoring_a_point() -> None:
    """Left: Sycamore, 3 tricks, a point. Right: Redbud, 2, a point. Top: Beech, 3 with the last one, nothing."""
    state, events = last_trick("L3 S4 B9 R5", won=(2, 3, 2, 2))
    assert only(events, TrickTaken).winner == 2
    result = only(events, RoundScored).result
    assert result.species == ("L", "S", "B", "R")
    assert result.pips == (4, 3, 1, 2)
    assert result.tricks == (2, 3, 3, 2)
    assert result.scored == (1, 3)
    assert only(events, RoundScored).points == state.view(None).points == (0, 1, 0, 1)


def test_example_the_start_of_round_four() -> None:
    """The leader with 2 points gets 10 cards, 1 point gets 11, none gets 12; play is counter-clockwise."""
    state = position(["B11", "R5", "S3", "L2 L3"], won=(0, 4, 4, 1), round=3, points=[1, 1, 1, 0], leader=0)
    state, events = play(state, "B11 R5 S3 L2")
    assert only(events, RoundScored).points == (2, 1, 1, 0)
    began = only(events, RoundBegan)
    assert (began.round, began.hand_sizes, began.clockwise) == (4, (10, 11, 11, 12), False)
    view = state.view(None)
    assert [sum(backs) for backs in view.backs] == [10, 11, 11, 12]
    assert sum(view.fan) == 2
    assert (view.round, view.dealer, view.leader, view.clockwise, view.tricks) == (4, 3, 3, False, 10)


def test_example_the_tie_break() -> None:
    """Left: Redbud, 2 tricks, one with 2 Redbuds. Right: Beech, 1 trick with 3 Beeches, and wins."""
    tricks = [(1, "L11 S3 B4 R1"), (1, "R9 R4 S1 L2"), (3, "B11 B2 B3 S2")]
    state, events = last_trick("S10 R2 R5 B1", won=(3, 2, 3, 1), tricks=tricks, points=[1, 2, 0, 2])
    assert only(events, RoundScored).points == (1, 3, 0, 3)
    won = only(events, MatchWon)
    assert won.seats == (3,)
    assert [(tie.seat, tie.species, tie.cards) for tie in won.tie_breaks] == [(1, "R", 2), (3, "B", 3)]
    left, right = won.tie_breaks
    assert {lay.card for lay in left.trick.lays} == {"R9", "R4", "S1", "L2"}
    assert {lay.card for lay in right.trick.lays} == {"B11", "B2", "B3", "S2"}
    assert (left.trick.winner, right.trick.winner) == (1, 3)
    outcome = state.outcome()
    assert (outcome.winners, outcome.scores, outcome.reason) == ({3}, (1, 3, 0, 3), "tie_break")
    assert state.view(None).tie_breaks == won.tie_breaks
    assert state.view(None).outcome == outcome


# --- the deck


@pytest.mark.parametrize("seats", GAME.seats)
def test_deck_has_the_cards_of_the_table(seats: int) -> None:
    data = GAME.new(seats, {}, "seed").to_json()
    assert sorted(chain(data["fan"], *data["hands"])) == sorted(DECKS[seats])
    assert len(DECKS[seats]) == {3: 30, 4: 46, 5: 70}[seats]
    view = GAME.new(seats, {}, "seed").view(None)
    assert view.highest == {3: 7, 4: 11, 5: 17}[seats]
    assert view.tricks == HAND[seats]
    assert [len(hand) for hand in data["hands"]] == [HAND[seats]] * seats


def test_seats_are_three_to_five() -> None:
    assert GAME.seats == (3, 4, 5)


def test_pips_and_numbers_are_those_of_the_table() -> None:
    view = GAME.new(5, {}, "seed").view(None)
    for card in DECKS[5]:
        assert view.face(card) == (naive.number(card), naive.pips(card))
    assert view.rain == (0, 0)
    assert view.sun == (18, 5)


@pytest.mark.parametrize("seats", GAME.seats)
def test_hands_are_dealt_whole_in_the_order_of_the_shuffle(seats: int) -> None:
    state = GAME.new(seats, {}, "seed")
    deal = only(state.opening(), Shuffled)
    assert (deal.ordinal, list(deal.before)) == (0, DECKS[seats])
    cards = list(deal.after)
    for hand in state.to_json()["hands"]:
        assert sorted(hand) == sorted(cards[: len(hand)])
        del cards[: len(hand)]
    assert sorted(state.to_json()["fan"]) == sorted(cards)


# --- S1


@pytest.mark.parametrize("seats", GAME.seats)
def test_S1_the_suits_of_every_hand_and_of_the_fan_are_public(seats: int) -> None:
    state, random = GAME.new(seats, {}, "seed"), Random("S1")
    for _ in range(seats * (HAND[seats] + 3)):
        data = state.to_json()
        for viewer in (None, *map(Seat, range(seats))):
            view = state.view(viewer)
            assert view.backs == tuple(map(backs_of, data["hands"]))
            assert view.fan == backs_of(data["fan"])
        state, _ = play_at_random(state, random, 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_S1_numbers_are_seen_in_ones_own_hand_alone(seats: int) -> None:
    state, random = GAME.new(seats, {}, "seed"), Random("S1")
    for _ in range(seats * (HAND[seats] + 3)):
        for viewer in (None, *map(Seat, range(seats))):
            view = state.view(viewer)
            hand = set() if viewer is None else set(state.to_json()["hands"][viewer])
            assert set(view.hand) == hand
            open_cards = {lay.card for lay in view.lays}
            open_cards |= {lay.card for lay in view.last_trick.lays} if view.last_trick else set()
            assert set(re.findall(CARD, json.dumps(view.to_json()))) == hand | open_cards
        state, _ = play_at_random(state, random, 1)


def test_S1_rain_and_sun_share_a_back() -> None:
    rain, _ = play(position(["B1 Rain", "B2 R1", "B3 R2"]), "B1")
    sun, _ = play(position(["B1 Sun", "B2 R1", "B3 R2"]), "B1")
    for viewer in (None, Seat(1), Seat(2)):
        assert rain.view(viewer).backs == sun.view(viewer).backs
        assert rain.view(viewer).backs[0] == (0, 0, 0, 0, 1)
    assert rain.view(Seat(0)).hand == ("Rain",)
    assert sun.view(Seat(0)).hand == ("Sun",)


def test_S1_a_deal_tells_of_sizes_alone() -> None:
    for event in GAME.new(4, {}, "seed").opening():
        for viewer in (None, Seat(0)):
            assert not re.findall(CARD, repr(event.seen_by(viewer)))


def test_S1_the_hand_is_shown_by_suit_and_number() -> None:
    state = position(
        ["Sun L2 B11 S5 B4 R9 Rain", "B1 B2 B3 B5 B6 B7 B8", "R1 R2 R3 R4 R5 R6 R7", "S1 S2 S3 S4 L4 L5 L6"]
    )
    assert state.view(Seat(0)).hand == ("B4", "B11", "R9", "S5", "L2", "Rain", "Sun")
    assert state.view(None).hand == ()


# --- S2


def test_S2_the_leader_plays_anything() -> None:
    state = position(["B1 R2 L3 Rain", "B2 B3 B4 B5", "R3 R4 R5 R6"])
    assert legal(state, 0) == {"B1", "R2", "L3", "Rain"}
    assert state.view(None).follow is None
    assert legal(state, 1) == legal(state, 2) == set()


def test_S2_the_card_played_just_before_is_followed_not_the_one_led() -> None:
    state = position(["B1 B2", "R4 R5", "R1 B7"])
    state, _ = play(state, "B1")
    assert state.view(None).follow == "B"
    state, _ = play(state, "R4")
    assert state.view(None).follow == "R"
    assert legal(state, 2) == {"R1"}


def test_S2_without_the_suit_anything() -> None:
    state, _ = play(position(["B1 B2", "R4 L5 Sun", "R1 B7"]), "B1")
    assert legal(state, 1) == {"R4", "L5", "Sun"}


def test_S2_no_other_card_will_do() -> None:
    state, _ = play(position(["B1 B2", "R4 B5 B3", "R1 B7"]), "B1")
    before = state.to_json()
    refusal = refused(state, 1, "R4")
    assert refusal.reason is Unplayable.MUST_FOLLOW
    assert refusal.facts == {"card": "R4", "suit": "B", "legal": "B3, B5"}
    assert state.to_json() == before


def test_S2_weather_is_followed_with_weather() -> None:
    for led, other in (("Rain", "Sun"), ("Sun", "Rain")):
        state, _ = play(position([f"{led} B2", f"R4 {other}", "R1 B7"]), led)
        assert state.view(None).follow == "W"
        assert legal(state, 1) == {other}
        assert refused(state, 1, "R4").facts["suit"] == "W"
        state, _ = play(state, other)
        assert legal(state, 2) == {"R1", "B7"}, "no other player has Weather"


def test_S2_weather_is_no_other_suit() -> None:
    state, _ = play(position(["B1 B2", "B4 Sun", "Rain B7"]), "B1")
    assert legal(state, 1) == {"B4"}
    state, _ = play(state, "B4")
    assert legal(state, 2) == {"B7"}


def test_S2_a_trick_does_not_bind_the_next() -> None:
    state, _ = play(position(["B7 B2 R1", "B3 R5 R6", "B4 L7 L5"]), "B7 B3 B4")
    assert state.view(None).follow is None
    assert legal(state, 0) == {"B2", "R1"}


def test_S2_the_follow_goes_by_the_order_of_play_in_even_rounds_too() -> None:
    state = position(["R1 R2", "B1 B2", "B3 R3"], round=2)
    state, _ = play(state, "B1 R1")
    assert legal(state, 2) == {"R3"}


# --- S3


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("B1 B7 B4", 1),
        ("B5 R4 L3", 0),  # the leader's suit does not matter
        ("B5 R6 L3", 1),  # nor does another: there is no trump
        ("L1 S2 R3", 2),
        ("B7 S7 R7", 1),  # equal numbers go by pips
        ("L7 S7 R7", 0),
        ("L1 B1 B2", 2),  # a number goes before pips
        ("B7 L7 Sun", 2),
        ("Rain B1 R1", 2),
        ("Rain Sun L7", 1),
        ("Sun Rain L7", 0),
        ("B2 S2 L2 R2", 2),
        ("B17 R17 S17 L17 Sun", 4),
        ("B17 R17 L17 S17 Rain", 2),
    ],
)
def test_S3_who_takes_the_trick(cards: str, winner: int) -> None:
    state, events = last_trick(cards, won=())
    taken = only(events, TrickTaken)
    assert (taken.winner, list(taken.cards)) == (winner, cards.split())
    last = state.view(None).last_trick
    assert (last.winner, [lay.card for lay in last.lays]) == (winner, cards.split())


def test_S3_a_corrected_deck_counts() -> None:
    deck = GAME.check_deck({"rain": {"number": 7, "pips": 5}, "sun": {"number": 1}})
    for cards, winner in (("L7 Rain Sun", 1), ("L1 Sun B1", 1), ("L2 Sun B1", 0)):
        _, events = play(position(cards.split(), deck=deck), cards)
        assert only(events, TrickTaken).winner == winner


def test_S3_two_cards_of_one_number_and_as_many_pips_are_refused() -> None:
    decks: list[Json] = [
        {"sun": {"number": 17, "pips": 4}},
        {"sun": {"number": 7, "pips": 1}},
        {"rain": {"number": 1, "pips": 1}},
        {"rain": {"number": 12, "pips": 2}},
        {"rain": {"number": 18, "pips": 5}},
        {"sun": {"number": 0, "pips": 0}},
        {"rain": {"number": 30, "pips": 3}, "sun": {"number": 30, "pips": 3}},
    ]
    check_decks_are_refused(GAME, 5, decks)


@pytest.mark.parametrize(
    "deck",
    [
        {"sun": {"number": 17}},
        {"sun": {"number": 17, "pips": 0}},
        {"sun": {"pips": 4}},
        {"rain": {"pips": 1}},
        {"rain": {"number": 18}},
        {"sun": {"number": 0}},
        {"rain": {"number": 18, "pips": 5}, "sun": {"number": 0, "pips": 0}},
        {"sun": {"number": 99, "pips": 8}},
    ],
)
def test_S3_either_alone_may_be_equal(deck: Json) -> None:
    table = GAME.check_deck(deck)
    for name in ("rain", "sun"):
        assert table[name] == {**GAME.deck[name], **deck.get(name, {})}


# --- S4


@pytest.mark.parametrize("seats", GAME.seats)
def test_S4_dealer_direction_and_winners_lead(seats: int) -> None:
    random = Random("S4")
    state = GAME.new(seats, {"target": 5}, "seed")
    log = list(state.opening())
    while len(some(log, RoundBegan)) < 5 and state.outcome() is None:
        view = state.view(None)
        assert view.dealer == (view.round - 1) % seats
        assert view.clockwise is (view.round % 2 == 1)
        if view.trick_number == 1:
            assert view.leader == view.dealer
        elif view.last_trick and not view.lays:
            assert view.leader == view.last_trick.winner
        turn = naive.order(view.leader, view.round, seats)
        assert [lay.seat for lay in view.lays] == turn[: len(view.lays)]
        assert state.to_move() == {turn[len(view.lays)]} == {view.to_move}
        state, events = play_at_random(state, random, 1)
        log += events
    began = some(log, RoundBegan)
    assert [event.round for event in began] == list(range(1, len(began) + 1))
    assert [event.dealer for event in began] == [n % seats for n in range(len(began))]
    assert [event.clockwise for event in began] == [n % 2 == 0 for n in range(len(began))]
    assert len(began) > 2


def test_S4_the_first_two_rounds_seat_by_seat() -> None:
    _, events = play_at_random(GAME.new(4, {}, "seed"), Random("S4"), 44)
    seats = [event.seat for event in some(events, CardPlayed)]
    assert seats[:4] == [0, 1, 2, 3]
    assert only(events, RoundBegan).dealer == 1
    assert seats[40:] == [1, 0, 3, 2]
