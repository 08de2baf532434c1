"""Siege of Sunfall against its rules page: the deck, Siege End and sealed pledges (K1 to K3)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from rules.core.game import Json
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.events import CardTaken, PledgesRevealed, Sealed
from rules.siege_of_sunfall.types import Card, Kind, Pledge
from tests.rules.naive_siege_of_sunfall import CARDS, ROUNDS, STARTING_COINS, position, whole_deck
from tests.rules.playing import check_decks_are_refused
from tests.rules.playing_siege_of_sunfall import (
    act,
    after,
    all_cards,
    chi_square,
    holds,
    place_of_the_end,
    reveal,
    seen,
    texts,
)

UPPER_HALF = {3: 4, 4: 5, 5: 5, 6: 6}
PLACES = {3: 5, 4: 6, 5: 6, 6: 7}


def happened(state: Any, seat: int, text: str) -> tuple[Any, ...]:
    """The events of the seat's move."""
    return tuple(state.apply(GAME.parse(seat, text))[1])


# The deck and the table of players.


def test_deck_is_the_51_cards_of_the_page() -> None:
    assert len(whole_deck()) == 51
    for seats in GAME.seats:
        assert all_cards(GAME.new(seats, {}, "deck")) == sorted(whole_deck())


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_table_of_players_cards_coins_and_rounds(seats: int) -> None:
    state = GAME.new(seats, {}, "players")
    view = seen(state)
    assert view.coins == (STARTING_COINS[seats],) * seats
    assert view.starting_coins == STARTING_COINS[seats]
    assert view.pile + 1 == CARDS[seats] + 1  # the card faced, the others and Siege End
    assert view.rounds == ROUNDS[seats]
    assert view.round == 1
    assert view.card_number == 1
    assert view.armies == (0,) * seats
    assert view.alive == (True,) * seats


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_rounds_begin_while_a_whole_pile_can_be_dealt_and_used_cards_never_come_back(seats: int) -> None:
    state = GAME.new(seats, {}, "rounds")
    faced: list[str] = []
    while state.outcome() is None:
        data = state.to_json()
        undealt = 51 - data["round"] * CARDS[seats]
        assert len(data["undealt"]) == undealt
        if data["card_number"] == 1:
            faced += [data["card"], *(card for card in data["pile"] if card != "end")]
        state = after(state, *(0 if alive else None for alive in seen(state).alive))
    assert len(faced) == ROUNDS[seats] * CARDS[seats]
    assert not Counter(faced) - Counter(whole_deck())
    assert 51 - len(faced) < CARDS[seats]


def test_the_next_pile_is_dealt_from_the_undealt_cards_in_their_order() -> None:
    state = position(pile=["end"], undealt=["bow 8", "armies", "crown"])
    expected = state.to_json()["undealt"][:10]
    data = after(state, 0, 0, 0, 0).to_json()
    assert [data["card"], *(card for card in data["pile"] if card != "end")] == expected


def test_deck_table_of_an_owner_is_played() -> None:
    strengths = {"swords": [12] * 13, "helmet": [1] * 13, "bow": [1] * 12}
    deck = {"strengths": strengths, "boost": 1, "gold": 0, "armies": 6, "crown": 6}
    state = GAME.new(3, {"deck": deck}, "owner")
    expected = ["swords 12"] * 13 + ["helmet 1"] * 13 + ["bow 1"] * 12 + ["boost"] + ["armies"] * 6 + ["crown"] * 6
    assert all_cards(state) == sorted(expected)
    again = GAME.from_json(json.loads(json.dumps(state.to_json())))
    assert dict(seen(again).strengths)[Kind.SWORDS] == (12,) * 13


def test_partial_deck_table_is_completed() -> None:
    deck = GAME.check_deck({"boost": 4, "gold": 2})
    assert (deck["boost"], deck["gold"], deck["armies"], deck["crown"]) == (4, 2, 3, 3)
    bows = [9] * 13
    deck = GAME.check_deck({"strengths": {"bow": bows}})
    assert list(deck["strengths"]["bow"]) == bows
    assert list(deck["strengths"]["swords"]) == [2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10]
    assert GAME.check_deck({}) == GAME.check_deck(GAME.deck)


def test_bad_deck_table_is_refused() -> None:
    decks: list[Json] = [
        {"boost": 4},
        {"boost": 2},
        {"boost": 54, "gold": -48},
        {"boost": -1, "gold": 7},
        {"boost": True, "gold": 5},
        {"strengths": {"swords": [0] * 13}},
        {"strengths": {"swords": [-2] * 13}},
        {"strengths": {"swords": "5555555555555"}},
        {"strengths": {"crown": [5]}},
        {"strengths": [5] * 39},
    ]
    check_decks_are_refused(GAME, 4, decks)


# K1: Siege End.


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_K1_siege_end_is_equally_likely_at_each_place_of_the_lower_half(seats: int) -> None:
    print("seeds 'K1 0' to 'K1 999'")
    counts = Counter(place_of_the_end(GAME.new(seats, {}, f"K1 {n}")) for n in range(1_000))
    assert set(counts) == set(range(UPPER_HALF[seats], CARDS[seats] + 1))
    assert len(counts) == PLACES[seats]
    assert chi_square(counts, PLACES[seats]) < 22.5  # 1 in 1,000 for 6 degrees of freedom


def test_K1_siege_end_is_equally_likely_in_later_rounds_too() -> None:
    print("seeds 'K1 later 0' to 'K1 later 399'")
    counts: Counter[int] = Counter()
    for n in range(400):
        state = GAME.new(3, {}, f"K1 later {n}")
        while seen(state).round == 1:
            state = after(state, *(0 if alive else None for alive in seen(state).alive))
        counts[place_of_the_end(state)] += 1
    assert set(counts) == {4, 5, 6, 7, 8}
    assert chi_square(counts, 5) < 18.5  # 1 in 1,000 for 4 degrees of freedom


# K2: sealed pledges.


def test_K2_each_survivor_names_none_to_all_of_their_coins_and_boosts() -> None:
    state = position(3, coins=[3, 0, 12], held={0: ["boost"]}, out=[2])
    # (3 + 1) pledges of coins, each with or without the boost: 4 × 2 = 8.
    assert texts(state, 0) == {
        *("pledge 0", "pledge 1", "pledge 2", "pledge 3", "pledge 0 boost 1", "pledge 1 boost 1", "pledge 2 boost 1"),
        "pledge 3 boost 1",
    }
    assert len(state.legal_moves(0)) == 8
    assert texts(state, 1) == {"pledge 0"}
    assert state.legal_moves(2) == ()
    assert state.to_move() == {0, 1}


def test_K2_several_boosts_may_go_together() -> None:
    state = position(3, coins=[1, 5, 5], held={0: ["boost", "boost"]})
    assert len(state.legal_moves(0)) == 2 * 3
    state = after(state, (1, 2), 3, 4)
    assert seen(state).last_reveal.total == 12
    assert seen(state).last_reveal.taker == 0
    assert holds(state, 0) == {"swords": 1}


def test_K2_who_has_sealed_is_public_and_what_is_not() -> None:
    start = position(3, coins=[4, 4, 4], held={0: ["boost", "boost"]})
    small, large = act(start, 0, "pledge 0"), act(start, 0, "pledge 4 boost 2")
    for viewer in (None, 1, 2):
        assert small.view(viewer).sealed == (0,)
        assert small.view(viewer).own_seal is None
        assert small.view(viewer) == large.view(viewer)
        assert json.dumps(small.view(viewer).to_json()) == json.dumps(large.view(viewer).to_json())
    assert large.view(0).own_seal == (4, 2)
    assert small.view(0).own_seal == (0, 0)
    for seat in (1, 2):
        assert small.turn(seat) == large.turn(seat) == start.turn(seat)
        assert small.legal_moves(seat) == large.legal_moves(seat) == start.legal_moves(seat)


def test_K2_the_event_of_a_seal_tells_who_and_not_what() -> None:
    start = position(3)
    assert happened(start, 1, "pledge 7") == happened(start, 1, "pledge 0") == (Sealed(1),)


def test_K2_a_sealed_player_may_seal_another_pledge_and_is_not_awaited() -> None:
    state = act(position(3, coins=[3, 3, 3]), 1, "pledge 3")
    assert state.to_move() == {0, 2}
    assert texts(state, 1) >= {"pledge 0", "pledge 1", "pledge 2"}
    state = act(state, 1, "pledge 1")
    assert state.view(1).own_seal == (1, 0)
    assert state.to_move() == {0, 2}
    state = after(state, 2, None, 0)
    assert seen(state).last_reveal.pledges == (2, 1, 0)
    assert seen(state).coins[1] == 2


def test_K2_a_reseal_counts_with_all_coins_and_boosts_again() -> None:
    state = act(position(3, coins=[3, 3, 3], held={0: ["boost"]}), 0, "pledge 3 boost 1")
    state = act(state, 0, "pledge 2 boost 1")
    state = after(state, None, 3, 0)
    assert seen(state).coins == (1, 0, 3)
    assert seen(state).last_reveal.boosts == (1, 0, 0)


def test_K2_no_player_is_told_of_another_seal() -> None:
    once = act(position(3), 0, "pledge 2")
    again, events = once.apply(Pledge(0, 5))
    assert [e for e in events if any(e.seen_by(viewer) is not None for viewer in (None, 1, 2))] == []
    for viewer in (None, 1, 2):
        assert again.view(viewer) == once.view(viewer)
    for seat in (1, 2):
        assert again.turn(seat) == once.turn(seat)
        assert again.legal_moves(seat) == once.legal_moves(seat)
    assert again.turn(0) != once.turn(0)
    assert again.to_move() == once.to_move()


def test_K2_a_turn_names_the_seats_own_seals_and_no_other() -> None:
    start = position(3)
    sealed = act(start, 0, "pledge 2")
    assert sealed.turn(0) != start.turn(0)
    assert sealed.turn(1) == start.turn(1)
    later = after(start, 2, 2, 2)
    assert later.turn(1) not in {start.turn(1), sealed.turn(1)}
    for state in (start, sealed, later):
        token = state.turn(0)
        assert 0 < len(token) <= 20
        assert all(c.isascii() and (c.isalnum() or c == ".") for c in token)


def test_K2_with_the_last_seal_all_are_revealed_at_once() -> None:
    state = after(position(3, held={2: ["boost"]}), 2, 4, None)
    assert not any(isinstance(e, PledgesRevealed) for e in happened(position(3), 0, "pledge 2"))
    state, events = state.apply(Pledge(2, 1, 1))
    shown = [e.reveal for e in events if isinstance(e, PledgesRevealed)]
    assert len(shown) == 1
    assert shown[0].pledges == (2, 4, 1)
    assert shown[0].boosts == (0, 0, 1)
    assert shown[0].total == 9
    assert all(PledgesRevealed(shown[0]).seen_by(viewer) == PledgesRevealed(shown[0]) for viewer in (None, 0, 1, 2))
    assert seen(state).sealed == ()
    assert state.to_move() == {0, 1, 2}


def test_K2_the_order_of_sealing_changes_nothing() -> None:
    start = position(3, coins=[5, 5, 5], card="helmet 6")
    one = after(start, 1, 4, 2)
    other = start
    for seat, coins in ((2, 2), (0, 1), (1, 4)):
        other = act(other, seat, f"pledge {coins}")
    assert one.to_json() == other.to_json()


def test_K2_an_eliminated_player_is_neither_awaited_nor_shown_with_a_pledge() -> None:
    state = position(4, out=[1])
    assert state.to_move() == {0, 2, 3}
    state = after(state, 3, None, 2, 2)
    assert seen(state).last_reveal.pledges == (3, None, 2, 2)
    assert seen(state).last_reveal.boosts == (0, None, 0, 0)


def test_K2_boosts_add_two_each_to_the_pledge_and_to_the_total_and_are_discarded() -> None:
    start = position(3, "swords 8", coins=[3, 3, 3], held={0: ["boost", "boost"]})
    state, events = reveal(start, (1, 2), 3, 0)
    shown = seen(state).last_reveal
    assert shown.total == 1 + 4 + 3
    assert shown.repelled is True
    assert shown.taker == 0  # 5 against 3
    assert holds(state, 0) == {"swords": 1}
    assert state.to_json()["discard"].count("boost") == start.to_json()["discard"].count("boost") + 2
    assert CardTaken(0, Card(Kind.SWORDS, 8), False) in events


def test_K2_a_boost_saves_from_being_the_lowest() -> None:
    state = after(position(3, "swords 10", coins=[3, 3, 3], held={0: ["boost"]}), (0, 1), 1, 3)
    assert seen(state).last_reveal.eliminated == (1,)


# K3: coins are spent.


def test_K3_all_pledged_coins_are_spent_whatever_happens() -> None:
    repelled = after(position(3, "bow 3", coins=[5, 5, 5]), 1, 2, 3)
    assert seen(repelled).coins == (4, 3, 2)
    lost = after(position(3, "bow 10", coins=[5, 5, 5]), 1, 2, 3)
    assert seen(lost).coins == (4, 3, 2)
    bonus = after(position(3, "armies", coins=[5, 5, 5]), 1, 2, 3)
    assert seen(bonus).coins == (4, 3, 2)


def test_K3_a_player_without_coins_still_pledges() -> None:
    state = position(3, "bow 3", coins=[0, 5, 5])
    assert state.to_move() == {0, 1, 2}
    assert texts(state, 0) == {"pledge 0"}
    state = after(state, 0, 1, 4)
    assert seen(state).last_reveal.pledges == (0, 1, 4)
    assert seen(state).alive == (True, True, True)
