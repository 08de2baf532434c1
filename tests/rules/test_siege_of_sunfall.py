"""Siege of Sunfall against its rules page, ruling by ruling (K1 to K16)."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from rules.core.chance import Shuffled, shuffle
from rules.core.game import BadOption, IllegalMove, Refusal
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.events import (
    ArmiesPaid,
    CardDiscarded,
    CardFaced,
    CardTaken,
    CrownPassed,
    Eliminated,
    GoldUsed,
    MatchWon,
    PledgesRevealed,
    RoundBegan,
    RoundEnded,
    Sealed,
    SetTurnedIn,
)
from rules.siege_of_sunfall.types import Award, Card, Kind, Phase, Pledge, Reason, UseGold
from tests.rules.naive_siege_of_sunfall import CARDS, ROUNDS, STARTING_COINS, compare, position, whole_deck
from tests.rules.playing import verbs

UPPER_HALF = {3: 4, 4: 5, 5: 5, 6: 6}
PLACES = {3: 5, 4: 6, 5: 6, 6: 7}


# Helpers: moves by their notation, pledges of a whole table at once.


def act(state: Any, seat: int, text: str) -> Any:
    """The position after the seat's move, given by its notation."""
    return state.apply(GAME.parse(seat, text))[0]


def happened(state: Any, seat: int, text: str) -> tuple[Any, ...]:
    """The events of the seat's move."""
    return tuple(state.apply(GAME.parse(seat, text))[1])


def reveal(state: Any, *pledges: Any) -> tuple[Any, tuple[Any, ...]]:
    """The position after each seat's pledge (coins, or (coins, boosts), or None), and the events of the last one."""
    events: tuple[Any, ...] = ()
    for seat, pledge in enumerate(pledges):
        if pledge is not None:
            coins, boosts = pledge if isinstance(pledge, tuple) else (pledge, 0)
            state, events = state.apply(Pledge(seat, coins, boosts))
    return state, events


def after(state: Any, *pledges: Any) -> Any:
    return reveal(state, *pledges)[0]


def texts(state: Any, seat: int) -> set[str]:
    return {str(move) for move in state.legal_moves(seat)}


def seen(state: Any) -> Any:
    """What everybody sees."""
    return state.view(None)


def all_cards(state: Any) -> list[str]:
    data = state.to_json()
    faced = [data["card"]] if data["card"] and data["card"] != "end" else []
    held = [card for cards in data["held"] for card in cards]
    return sorted([*faced, *(c for c in data["pile"] if c != "end"), *data["undealt"], *data["discard"], *held])


def place_of_the_end(state: Any) -> int:
    """Cards of the round that come before Siege End, whatever has been faced of them."""
    data = state.to_json()
    faced = data["card_number"] if data["card"] else 0
    return int(faced + data["pile"].index("end"))


def holds(state: Any, seat: int) -> dict[str, int]:
    """The seat's cards by kind, without those it has none of."""
    return {kind: count for kind, count in seen(state).held[seat]._asdict().items() if count}


def chi_square(counts: Counter[Any], categories: int) -> float:
    expected = counts.total() / categories
    return sum((counts[key] - expected) ** 2 for key in counts) / expected + (categories - len(counts)) * expected


def refused(state: Any, move: Any) -> Any:
    """The reason of the refusal; nothing has changed."""
    before = json.dumps(state.to_json())
    with pytest.raises(IllegalMove) as error:
        state.apply(move)
    assert json.dumps(state.to_json()) == before
    assert str(error.value) == error.value.reason.value
    return error.value.reason


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


@pytest.mark.parametrize("seats", [2, 7, 0, -3])
def test_seats_outside_3_to_6_are_refused(seats: int) -> None:
    with pytest.raises(BadOption) as error:
        GAME.new(seats, {}, "seats")
    assert error.value.option == "seats"


def test_unknown_option_is_refused() -> None:
    with pytest.raises(BadOption):
        GAME.new(4, {"raiders": True}, "option")


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


@pytest.mark.parametrize(
    "deck",
    [
        {"boost": 4},
        {"boost": 2},
        {"boost": 54, "gold": -48},
        {"boost": -1, "gold": 7},
        {"boost": "3"},
        {"boost": 3.0},
        {"boost": None},
        {"boost": True, "gold": 5},
        {"raiders": 0},
        {"strengths": {"swords": [5] * 12}},
        {"strengths": {"swords": [5] * 14}},
        {"strengths": {"swords": [0] * 13}},
        {"strengths": {"swords": [-2] * 13}},
        {"strengths": {"swords": ["5"] * 13}},
        {"strengths": {"swords": [5.5] * 13}},
        {"strengths": {"swords": [True] * 13}},
        {"strengths": {"swords": 5}},
        {"strengths": {"swords": "5555555555555"}},
        {"strengths": {"catapult": [5]}},
        {"strengths": {"crown": [5]}},
        {"strengths": [5] * 39},
        {"strengths": None},
    ],
    ids=str,
)
def test_bad_deck_table_is_refused(deck: dict[str, Any]) -> None:
    with pytest.raises(BadOption) as error:
        GAME.check_deck(deck)
    assert error.value.option == "deck"
    with pytest.raises(BadOption) as error:
        GAME.new(4, {"deck": deck}, "bad")
    assert error.value.option == "deck"


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


def test_K1_shuffles_can_be_recomputed_from_the_seed() -> None:
    state = GAME.new(5, {}, "open")
    deals = [event for event in state.opening() if isinstance(event, Shuffled)]
    assert [deal.ordinal for deal in deals] == [0, 1]
    assert sorted(deals[0].before) == sorted(whole_deck())
    for deal in deals:
        assert deal.after == shuffle("open", deal.ordinal, deal.before)
        assert all(deal.seen_by(viewer) is None for viewer in (None, *range(5)))


def test_K1_equal_seeds_give_equal_deals_and_others_differ() -> None:
    assert GAME.new(4, {}, "a").to_json() == GAME.new(4, {}, "a").to_json()
    assert len({tuple(GAME.new(4, {}, f"{n}").to_json()["undealt"]) for n in range(20)}) == 20


# K2: sealed pledges.


def test_K2_each_survivor_names_none_to_all_of_their_coins_and_boosts() -> None:
    state = position(3, coins=[3, 0, 12], held={0: ["boost"]}, out=[2])
    # (3 + 1) pledges of coins, each with or without the boost: 4 × 2 = 8.
    assert texts(state, 0) == {
        "pledge 0",
        "pledge 1",
        "pledge 2",
        "pledge 3",
        "pledge 0 boost 1",
        "pledge 1 boost 1",
        "pledge 2 boost 1",
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


# K4: swords, helmets, bows.


@pytest.mark.parametrize("kind", ["swords", "helmet", "bow"])
def test_K4_success_at_exactly_the_strength_and_the_highest_takes_the_card(kind: str) -> None:
    state, events = reveal(position(3, f"{kind} 6"), 1, 3, 2)
    assert seen(state).last_reveal.repelled is True
    assert seen(state).last_reveal.taker == 1
    assert seen(state).last_reveal.eliminated == ()
    assert holds(state, 1) == {kind: 1}
    assert seen(state).alive == (True, True, True)
    assert CardTaken(1, Card(Kind(kind), 6), False) in events


@pytest.mark.parametrize("kind", ["swords", "helmet", "bow"])
def test_K4_one_short_and_the_least_is_out_and_the_card_is_discarded(kind: str) -> None:
    state, events = reveal(position(3, f"{kind} 7"), 1, 3, 2)
    assert seen(state).last_reveal.repelled is False
    assert seen(state).last_reveal.taker is None
    assert seen(state).last_reveal.eliminated == (0,)
    assert seen(state).alive == (False, True, True)
    assert Eliminated((0,)) in events
    assert CardDiscarded(Card(Kind(kind), 7)) in events
    assert f"{kind} 7" in state.to_json()["discard"]
    assert [holds(state, seat) for seat in range(3)] == [{}, {}, {}]


def test_K4_all_who_pledged_least_are_out() -> None:
    state = after(position(4, "swords 9"), 1, 2, 1, 3)
    assert seen(state).alive == (False, True, False, True)
    assert seen(state).last_reveal.eliminated == (0, 2)


def test_K4_the_eliminated_of_before_are_no_longer_counted_as_lowest() -> None:
    state = after(position(4, "swords 9", out=[0]), None, 2, 3, 3)
    assert seen(state).alive == (False, False, True, True)
    assert seen(state).last_reveal.eliminated == (1,)


@pytest.mark.parametrize("pledge", [0, 2])
def test_K4_all_are_out_where_all_are_equal(pledge: int) -> None:
    state, events = reveal(position(4, "swords 9", pile=["bow 2", "end", "bow 3"]), pledge, pledge, pledge, pledge)
    assert seen(state).last_reveal.eliminated == (0, 1, 2, 3)
    assert Eliminated((0, 1, 2, 3)) in events
    assert seen(state).round == 3


def test_K4_a_failed_tie_for_highest_asks_the_king_nothing() -> None:
    state = after(position(3, "swords 9"), 2, 2, 1)
    assert seen(state).phase is Phase.PLEDGE
    assert seen(state).alive == (True, True, False)
    assert seen(state).king == 0


def test_K4_K6_example_of_the_page() -> None:
    state = after(position(4, "swords 6", king=2), 2, 3, 3, 0)
    assert seen(state).open_reveal.total == 8
    assert seen(state).open_reveal.repelled is True
    assert seen(state).open_reveal.tied == (1, 2)
    assert texts(state, 2) == {"award 1", "award 2"}
    state = act(state, 2, "award 2")
    assert holds(state, 2) == {"swords": 1}
    assert seen(state).king == 3


def test_K4_second_example_of_the_page() -> None:
    state = after(position(4, "swords 6", king=2), 1, 1, 2, 0)
    assert seen(state).last_reveal.total == 4
    assert seen(state).alive == (True, True, True, False)


# K5: the other cards.


@pytest.mark.parametrize("kind", ["boost", "gold", "armies", "crown"])
def test_K5_the_highest_pledge_takes_it_and_no_player_is_eliminated(kind: str) -> None:
    state = after(position(3, kind, king=1), 0, 0, 1)
    assert seen(state).last_reveal.taker == 2
    assert seen(state).last_reveal.repelled is None
    assert seen(state).last_reveal.eliminated == ()
    assert seen(state).alive == (True, True, True)


@pytest.mark.parametrize("kind", ["boost", "gold"])
def test_K5_boost_and_gold_cards_are_kept(kind: str) -> None:
    state = after(position(3, kind), 0, 2, 1)
    assert holds(state, 1) == {kind: 1}


@pytest.mark.parametrize("kind", ["boost", "gold", "armies", "crown"])
def test_K5_a_boost_counts_as_a_pledge_of_at_least_one(kind: str) -> None:
    state = after(position(3, kind, coins=[0, 5, 5], held={0: ["boost"]}, king=1), (0, 1), 0, 0)
    assert seen(state).last_reveal.taker == 0
    assert seen(state).last_reveal.total == 2


def test_K5_a_boost_outbids_a_coin() -> None:
    state = after(position(3, "gold", held={0: ["boost"]}), (0, 1), 1, 0)
    assert seen(state).last_reveal.taker == 0
    assert holds(state, 0) == {"gold": 1}


@pytest.mark.parametrize("kind", ["boost", "gold", "armies", "crown"])
def test_K5_everyone_pledged_nothing_and_it_is_discarded(kind: str) -> None:
    start = position(3, kind, king=1)
    state, events = reveal(start, 0, 0, 0)
    assert seen(state).phase is Phase.PLEDGE
    assert seen(state).last_reveal.taker is None
    assert seen(state).alive == (True, True, True)
    assert seen(state).king == 1
    assert seen(state).armies == (0, 0, 0)
    assert [holds(state, seat) for seat in range(3)] == [{}, {}, {}]
    assert CardDiscarded(Card(Kind(kind))) in events
    assert state.to_json()["discard"].count(kind) == start.to_json()["discard"].count(kind) + 1


# K6: ties.


def test_K6_the_king_awards_among_the_tied_and_keeps_the_crown_when_another_takes_it() -> None:
    state = after(position(4, "helmet 6", king=1), 3, 3, 0, 3)
    view = seen(state)
    assert view.phase is Phase.AWARD
    assert state.to_move() == {1}
    assert view.to_move == (1,)
    assert view.award_to == (0, 1, 3)
    assert texts(state, 1) == {"award 0", "award 1", "award 3"}
    assert all(state.legal_moves(seat) == () for seat in (0, 2, 3))
    assert view.open_reveal.taker is None
    state, events = state.apply(Award(1, 3))
    assert holds(state, 3) == {"helmet": 1}
    assert seen(state).king == 1
    assert seen(state).last_reveal.taker == 3
    assert seen(state).last_reveal.crown_to is None
    assert seen(state).open_reveal is None
    assert seen(state).award_to == ()
    assert CardTaken(3, Card(Kind.HELMET, 6), True) in events


def test_K6_a_king_who_pledged_less_awards_too() -> None:
    state = after(position(4, "helmet 6", king=2), 3, 3, 0, 3)
    assert texts(state, 2) == {"award 0", "award 1", "award 3"}
    state = act(state, 2, "award 0")
    assert holds(state, 0) == {"helmet": 1}
    assert seen(state).king == 2


@pytest.mark.parametrize("card", ["swords 6", "helmet 6", "bow 6", "boost", "gold", "armies"])
def test_K6_king_who_takes_in_a_tie_passes_the_crown(card: str) -> None:
    state = after(position(4, card, king=1), 3, 3, 0, 0)
    state, events = state.apply(Award(1, 1))
    assert seen(state).last_reveal.taker == 1
    assert seen(state).king == 2
    assert seen(state).last_reveal.crown_to == 2
    assert CrownPassed(1, 2) in events
    if card == "armies":
        assert seen(state).armies == (0, 3, 0, 0)
    else:
        assert holds(state, 1) == {card.split(" ")[0]: 1}


@pytest.mark.parametrize("card", ["swords 6", "helmet 6", "bow 6", "boost", "gold", "armies"])
def test_K6_king_who_takes_it_alone_keeps_the_crown(card: str) -> None:
    state, events = reveal(position(4, card, king=1), 2, 4, 0, 0)
    assert seen(state).phase is Phase.PLEDGE
    assert seen(state).last_reveal.taker == 1
    assert seen(state).king == 1
    assert not any(isinstance(e, CrownPassed) for e in events)


def test_K6_the_crown_given_in_a_tie_goes_no_further() -> None:
    state = after(position(4, "crown", king=0), 3, 0, 3, 0)
    state, events = state.apply(Award(0, 2))
    assert seen(state).king == 2
    assert [e for e in events if isinstance(e, CrownPassed)] == [CrownPassed(0, 2)]


def test_K6_a_tie_by_a_boost_is_a_tie() -> None:
    state = after(position(3, "gold", held={2: ["boost"]}), 0, 3, (1, 1))
    assert seen(state).award_to == (1, 2)
    assert seen(state).coins == (12, 9, 11)
    assert holds(state, 2) == {}


# K7: to the left.


def test_K7_the_crown_skips_those_who_are_out() -> None:
    state = act(after(position(5, "gold", king=3, out=[4, 0]), None, 2, 0, 2, None), 3, "award 3")
    assert seen(state).king == 1


def test_K7_the_crown_goes_round_the_table() -> None:
    state = act(after(position(3, "gold", king=2), 0, 2, 2), 2, "award 2")
    assert seen(state).king == 0


def test_K7_of_two_survivors_the_other_gets_it() -> None:
    state = act(after(position(4, "bow 3", king=3, out=[0, 2]), None, 2, None, 2), 3, "award 3")
    assert seen(state).king == 1


@pytest.mark.parametrize(("king", "heir"), [(0, 1), (2, 3), (3, 0)])
def test_K7_when_no_player_is_in_the_round_the_next_seat_gets_it(king: int, heir: int) -> None:
    out = [(king + 1) % 4, (king + 2) % 4]
    pledges = [None if seat in out else 0 for seat in range(4)]
    state, events = reveal(position(4, "bow 10", king=king, out=out), *pledges)
    assert seen(state).round == 3
    assert seen(state).king == heir
    assert CrownPassed(king, heir) in events


# K8: Take the Crown.


def test_K8_the_highest_becomes_king_and_the_card_is_discarded() -> None:
    start = position(4, "crown", king=1)
    state, events = reveal(start, 0, 2, 1, 3)
    assert seen(state).king == 3
    assert seen(state).last_reveal.taker == 3
    assert seen(state).last_reveal.crown_to == 3
    assert CrownPassed(1, 3) in events
    assert [holds(state, seat) for seat in range(4)] == [{}] * 4
    assert state.to_json()["discard"].count("crown") == start.to_json()["discard"].count("crown") + 1


def test_K8_tied_without_the_king_he_awards_it() -> None:
    start = position(5, "crown", king=1)
    state = after(start, 3, 1, 0, 3, 3)
    assert state.to_move() == {1}
    assert texts(state, 1) == {"award 0", "award 3", "award 4"}
    state, events = state.apply(Award(1, 4))
    assert seen(state).king == 4
    assert [e for e in events if isinstance(e, CrownPassed)] == [CrownPassed(1, 4)]
    assert state.to_json()["discard"].count("crown") == start.to_json()["discard"].count("crown") + 1


def test_K8_tied_with_the_king_he_gives_it_to_his_left_or_to_another_of_the_tied() -> None:
    state = after(position(5, "crown", king=0), 3, 0, 1, 3, 3)
    assert set(seen(state).award_to) == {1, 3, 4}
    assert texts(state, 0) == {"award 1", "award 3", "award 4"}
    left, events = state.apply(Award(0, 1))
    assert seen(left).king == 1
    assert seen(left).last_reveal.taker == 1
    assert [e for e in events if isinstance(e, CrownPassed)] == [CrownPassed(0, 1)]
    assert seen(act(state, 0, "award 4")).king == 4
    assert isinstance(refused(state, Award(0, 0)).value, str)
    assert isinstance(refused(state, Award(0, 2)).value, str)


def test_K8_his_left_is_the_next_survivor() -> None:
    state = after(position(5, "crown", king=3, out=[4, 0]), None, 0, 2, 2, None)
    assert set(seen(state).award_to) == {1, 2}


def test_K8_a_king_with_one_choice_still_makes_it() -> None:
    state = after(position(4, "crown", king=0), 2, 2, 0, 1)
    assert seen(state).phase is Phase.AWARD
    assert texts(state, 0) == {"award 1"}
    assert seen(act(state, 0, "award 1")).king == 1


def test_K8_the_king_alone_highest_changes_nothing() -> None:
    start = position(4, "crown", king=2)
    state, events = reveal(start, 1, 1, 2, 0)
    assert seen(state).phase is Phase.PLEDGE
    assert seen(state).king == 2
    assert seen(state).last_reveal.crown_to is None
    assert not any(isinstance(e, CrownPassed) for e in events)
    assert state.to_json()["discard"].count("crown") == start.to_json()["discard"].count("crown") + 1


# K9: the King is eliminated.


def test_K9_a_king_who_is_eliminated_passes_the_crown_before_the_next_card() -> None:
    state, events = reveal(position(4, "swords 10", king=1), 2, 1, 3, 3)
    assert seen(state).king == 2
    assert seen(state).last_reveal.crown_to == 2
    kinds = [type(e) for e in events]
    assert CrownPassed(1, 2) in events
    assert kinds.index(CrownPassed) < kinds.index(CardFaced)


def test_K9_those_eliminated_with_him_do_not_get_it() -> None:
    state = after(position(5, "swords 10", king=1, out=[3]), 3, 0, 0, None, 1)
    assert seen(state).alive == (True, False, False, False, True)
    assert seen(state).king == 4


def test_K9_all_eliminated_at_once_and_it_passes_to_the_next_seat() -> None:
    state = after(position(4, "swords 10", king=3), 2, 2, 2, 2)
    assert seen(state).king == 0
    assert seen(state).round == 3
    assert seen(state).alive == (True,) * 4


def test_K9_the_lone_king_eliminated_passes_it_to_the_next_seat_even_if_out() -> None:
    state = after(position(4, "swords 10", king=1, out=[0, 2, 3]), None, 5, None, None)
    assert seen(state).king == 2


def test_K9_others_eliminated_leave_the_crown_where_it_is() -> None:
    state = after(position(4, "swords 10", king=1), 1, 2, 3, 3)
    assert seen(state).king == 1


# K10: what is kept.


def test_K10_armies_pay_three_at_once_and_stay_with_one_who_is_eliminated_later() -> None:
    start = position(3, "armies", pile=["bow 10", "end"])
    state, events = reveal(start, 2, 1, 0)
    assert ArmiesPaid(0, 3) in events
    assert seen(state).armies == (3, 0, 0)
    assert holds(state, 0) == {}
    assert state.to_json()["discard"].count("armies") == start.to_json()["discard"].count("armies") + 1
    state = after(state, 0, 1, 1)  # seat 0 is out, then Siege End
    assert seen(state).round == 3
    assert seen(state).armies[0] == 3


def test_K10_cards_stay_between_rounds_also_with_the_eliminated() -> None:
    held = {0: ["swords 2", "swords 3", "boost"], 1: ["bow 3", "boost"], 2: ["helmet 4"]}
    state = after(position(3, "bow 10", pile=["end"], held=held), 0, 1, 1)
    assert seen(state).last_round.survivors == (1, 2)
    assert seen(state).round == 3
    assert holds(state, 0) == {"swords": 2, "boost": 1}
    assert holds(state, 1) == {"bow": 1, "boost": 1}
    assert holds(state, 2) == {"helmet": 1}


def test_K10_cards_stay_when_all_are_eliminated() -> None:
    state = after(position(3, "bow 10", held={0: ["swords 2", "gold"], 1: ["gold"]}), 0, 0, 0)
    assert seen(state).round == 3
    assert holds(state, 0) == {"swords": 1, "gold": 1}
    assert holds(state, 1) == {"gold": 1}


# K11: sets.


@pytest.mark.parametrize("kind", ["swords", "helmet", "bow"])
def test_K11_three_of_a_kind_are_turned_in_at_once(kind: str) -> None:
    held = {0: [f"{kind} 2", f"{kind} 10", "gold"]}
    state, events = reveal(position(3, f"{kind} 3", pile=["crown", "end"], held=held, coins=[4, 4, 4]), 3, 0, 0)
    assert SetTurnedIn(0, Kind(kind)) in events
    assert holds(state, 0) == {"gold": 1}
    assert seen(state).armies == (1, 0, 0)
    assert seen(state).coins == (4 - 3 + 5, 4, 4)
    assert {f"{kind} 2", f"{kind} 3", f"{kind} 10"} <= set(state.to_json()["discard"])


def test_K11_three_of_different_kinds_are_no_set() -> None:
    held = {0: ["swords 2", "swords 3", "bow 3", "bow 4"]}
    state, events = reveal(position(3, "helmet 2", held=held), 2, 0, 0)
    assert holds(state, 0) == {"swords": 2, "bow": 2, "helmet": 1}
    assert seen(state).armies == (0, 0, 0)
    assert not any(isinstance(e, SetTurnedIn) for e in events)


def test_K11_the_coins_are_usable_with_the_next_card() -> None:
    state = after(position(3, "bow 3", held={0: ["bow 4", "bow 5"]}, coins=[3, 4, 4]), 3, 0, 0)
    assert texts(state, 0) == {f"pledge {coins}" for coins in range(6)}
    assert seen(after(state, 5, 0, 0)).last_reveal.pledges == (5, 0, 0)


def test_K11_a_set_by_award_is_turned_in_and_the_king_passes_the_crown() -> None:
    state = after(position(3, "bow 3", held={0: ["bow 4", "bow 5"]}, coins=[3, 4, 4]), 3, 3, 0)
    assert seen(state).coins == (0, 1, 4)
    state, events = state.apply(Award(0, 0))
    assert SetTurnedIn(0, Kind.BOW) in events
    assert seen(state).coins == (5, 1, 4)
    assert seen(state).armies == (1, 0, 0)
    assert seen(state).king == 1
    assert CrownPassed(0, 1) in events


def test_K11_the_army_is_kept_by_one_who_is_eliminated_later_and_the_coins_are_not() -> None:
    state = position(3, "bow 3", pile=["bow 10", "end"], held={0: ["bow 4", "bow 5"]}, coins=[3, 4, 4])
    state = after(state, 3, 0, 0)
    state = after(state, 0, 1, 1)
    assert seen(state).last_round.gained == (0, 4, 4)
    assert seen(state).armies == (1, 4, 4)


def test_K11_unspent_coins_count_at_siege_end() -> None:
    state = after(position(3, "bow 3", pile=["end"], held={0: ["bow 4", "bow 5"]}, coins=[3, 4, 4]), 3, 0, 0)
    assert seen(state).last_round.gained == (1 + 5, 1 + 4, 1 + 4)
    assert seen(state).armies == (1 + 6, 5, 5)


# K12: gold cards.


def gold_phase(seats: int = 4, *, held: dict[int, list[str]], **chosen: Any) -> Any:
    """The start of the third round, with those cards held."""
    chosen = {"card": "bow 10", "pile": ["end"], **chosen}
    return after(position(seats, held=held, **chosen), *(0 for _ in range(seats)))


def test_K12_no_holder_and_the_step_is_skipped() -> None:
    state = gold_phase(held={0: ["boost"]})
    assert seen(state).phase is Phase.PLEDGE
    assert seen(state).card is not None
    assert state.to_move() == {0, 1, 2, 3}


def test_K12_the_first_round_has_no_such_step() -> None:
    for n in range(20):
        assert seen(GAME.new(4, {}, f"K12 {n}")).phase is Phase.PLEDGE


def test_K12_it_comes_after_the_starting_coins_and_before_the_first_card() -> None:
    state = gold_phase(held={2: ["gold"]}, undealt=["helmet 9"])
    view = seen(state)
    assert view.phase is Phase.GOLD
    assert view.coins == (12, 12, 12, 12)
    assert view.card is None
    assert view.pile == 11
    assert view.round == 3
    assert view.alive == (True,) * 4
    state, events = state.apply(UseGold(2, 1))
    assert GoldUsed((None, None, 1, None)) in events
    assert CardFaced(Card(Kind.HELMET, 9), 10) in events
    assert seen(state).card == Card(Kind.HELMET, 9)
    assert seen(state).card_number == 1
    assert seen(state).pile == 10


def test_K12_one_holder_says_how_many_and_the_others_have_no_move() -> None:
    state = gold_phase(held={2: ["gold", "gold"], 0: ["boost"]})
    assert state.to_move() == {2}
    assert texts(state, 2) == {"gold 0", "gold 1", "gold 2"}
    assert all(state.legal_moves(seat) == () for seat in (0, 1, 3))
    one = act(state, 2, "gold 1")
    assert seen(one).coins == (12, 12, 15, 12)
    assert holds(one, 2) == {"gold": 1}
    assert one.to_json()["discard"].count("gold") == state.to_json()["discard"].count("gold") + 1
    none = act(state, 2, "gold 0")
    assert seen(none).coins == (12, 12, 12, 12)
    assert holds(none, 2) == {"gold": 2}
    assert seen(act(state, 2, "gold 2")).coins == (12, 12, 18, 12)


def test_K12_several_holders_seal_and_all_is_opened_with_the_last() -> None:
    state = gold_phase(held={1: ["gold", "gold"], 3: ["gold"]})
    assert state.to_move() == {1, 3}
    first, events = state.apply(UseGold(1, 2))
    assert events == (Sealed(1),)
    assert first.to_move() == {3}
    assert seen(first).sealed == (1,)
    assert seen(first).coins == (12, 12, 12, 12)
    assert holds(first, 1) == {"gold": 2}
    assert first.view(1).own_seal == (2, 0)
    for viewer in (None, 0, 2, 3):
        assert first.view(viewer) == act(state, 1, "gold 0").view(viewer)
    last, events = first.apply(UseGold(3, 0))
    assert GoldUsed((None, 2, None, 0)) in events
    assert seen(last).phase is Phase.PLEDGE
    assert seen(last).coins == (12, 18, 12, 12)
    assert holds(last, 1) == {}
    assert holds(last, 3) == {"gold": 1}


def test_K12_a_holder_may_seal_another_number_until_the_last_has_sealed() -> None:
    state = gold_phase(held={1: ["gold", "gold"], 3: ["gold"]})
    once = act(state, 1, "gold 2")
    assert texts(once, 1) >= {"gold 0", "gold 1"}
    again, events = once.apply(UseGold(1, 0))
    assert [e for e in events if any(e.seen_by(viewer) is not None for viewer in (None, 0, 2, 3))] == []
    for viewer in (None, 0, 2, 3):
        assert again.view(viewer) == once.view(viewer)
    assert again.turn(3) == once.turn(3)
    assert again.turn(1) != once.turn(1)
    assert seen(act(again, 3, "gold 1")).coins == (12, 12, 12, 15)


def test_K12_a_holder_who_was_eliminated_in_the_last_round_uses_them_too() -> None:
    start = position(4, "bow 10", pile=["end"], held={2: ["gold"]}, out=[2])
    state = after(start, 1, 2, None, 3)
    assert seen(state).last_round.survivors == (1, 3)
    assert state.to_move() == {2}
    assert seen(act(state, 2, "gold 1")).coins == (12, 12, 15, 12)


def test_K12_gold_not_used_is_asked_for_again_next_round() -> None:
    state = act(gold_phase(3, held={0: ["gold"]}, undealt=["swords 10"]), 0, "gold 0")
    state = after(state, 0, 0, 0)
    assert seen(state).round == 4
    assert seen(state).phase is Phase.GOLD
    assert state.to_move() == {0}


def test_K12_a_gold_card_taken_in_a_round_gives_nothing_before_the_next() -> None:
    state = after(position(3, "gold", coins=[5, 5, 5]), 2, 0, 0)
    assert seen(state).coins == (3, 5, 5)
    assert all(text.startswith("pledge") for text in texts(state, 0))


# K13: the end of a round.


def test_K13_siege_end_pays_survivors_one_army_and_one_for_each_coin() -> None:
    start = position(4, "bow 2", pile=["end", "bow 3"], coins=[5, 3, 0, 9], armies=[1, 0, 2, 4], out=[3])
    state, events = reveal(start, 2, 0, 0, None)
    ended = [e for e in events if isinstance(e, RoundEnded)]
    assert len(ended) == 1
    assert ended[0].siege_end is True
    assert ended[0].result == seen(state).last_round
    assert ended[0].result.round == 2
    assert ended[0].result.gained == (4, 4, 1, 0)
    assert ended[0].result.armies == (5, 4, 3, 4)
    assert ended[0].result.survivors == (0, 1, 2)
    assert seen(state).armies == (5, 4, 3, 4)
    assert "bow 3" in state.to_json()["discard"]


def test_K13_coins_go_back_to_nothing_before_the_next_starting_coins() -> None:
    state, events = reveal(position(4, "bow 2", pile=["end"], coins=[30, 3, 0, 9]), 2, 0, 0, 0)
    assert seen(state).coins == (12, 12, 12, 12)
    assert RoundBegan(3, (12, 12, 12, 12), 0) in events
    assert seen(state).alive == (True,) * 4
    last = after(position(4, "bow 2", pile=["end"], coins=[30, 3, 0, 9], round=5), 2, 0, 0, 0)
    assert seen(last).coins == (0, 0, 0, 0)


def test_K13_the_eliminated_keep_their_coins_in_sight_until_the_round_ends() -> None:
    state = after(position(4, "bow 10", coins=[7, 7, 7, 7]), 1, 2, 2, 2)
    assert seen(state).alive == (False, True, True, True)
    assert seen(state).coins == (6, 5, 5, 5)
    state = after(state, None, 2, 1, 1)
    assert seen(state).last_round.gained[0] == 0


def test_K13_the_eliminated_are_in_again_next_round_with_the_same_coins() -> None:
    state = after(position(4, "bow 10", pile=["end"], coins=[7, 7, 7, 7], out=[3]), 1, 2, 2, None)
    assert seen(state).last_round.survivors == (1, 2)
    assert seen(state).alive == (True,) * 4
    assert seen(state).coins == (12,) * 4
    assert state.to_move() == {0, 1, 2, 3}


def test_K13_no_player_left_ends_the_round_and_pays_no_player() -> None:
    state, events = reveal(position(4, "bow 10", pile=["bow 2", "bow 3", "end"], armies=[1, 2, 3, 4]), 1, 1, 1, 1)
    ended = [e for e in events if isinstance(e, RoundEnded)]
    assert ended[0].siege_end is False
    assert ended[0].result.gained == (0, 0, 0, 0)
    assert ended[0].result.survivors == ()
    assert seen(state).armies == (1, 2, 3, 4)
    assert seen(state).round == 3
    assert {"bow 2", "bow 3"} <= set(state.to_json()["discard"])


def test_K13_a_lone_survivor_plays_on_until_siege_end() -> None:
    state = position(4, "bow 4", pile=["gold", "bow 2", "end"], coins=[9, 9, 9, 9], out=[0, 1, 3], king=2)
    state = after(state, None, None, 4, None)
    assert holds(state, 2) == {"bow": 1}
    assert state.to_move() == {2}
    state = after(state, None, None, 1, None)
    assert holds(state, 2) == {"bow": 1, "gold": 1}
    state = after(state, None, None, 2, None)
    assert seen(state).round == 3
    assert seen(state).last_round.gained == (0, 0, 3, 0)
    assert seen(state).king == 2


def test_K13_a_lone_survivor_who_fails_ends_the_round_with_nothing() -> None:
    state = position(4, "bow 4", coins=[9, 9, 9, 9], out=[0, 1, 3], king=2)
    state = after(state, None, None, 3, None)
    assert seen(state).round == 3
    assert seen(state).last_round.gained == (0, 0, 0, 0)


def test_K13_an_award_on_the_last_card_is_made_before_siege_end_pays() -> None:
    state = after(position(3, "armies", pile=["end"], coins=[5, 5, 5]), 2, 2, 0)
    assert seen(state).round == 2
    assert seen(state).armies == (0, 0, 0)
    state = act(state, 0, "award 1")
    assert seen(state).round == 3
    assert seen(state).armies == (4, 7, 6)


# K14: who wins.


def last_card(**chosen: Any) -> Any:
    """The last card of the last round of four players, then Siege End."""
    return position(4, **{"card": "bow 2", "pile": ["end"], "round": 5, "coins": [2, 2, 2, 2], **chosen})


def test_K14_most_armies_win() -> None:
    state, events = reveal(last_card(armies=[1, 5, 2, 3], king=3), 2, 0, 0, 0)
    outcome = state.outcome()
    assert outcome.winners == {1}
    assert outcome.scores == (2, 8, 5, 6)
    assert [e for e in events if isinstance(e, MatchWon)] == [MatchWon(1, ())]
    assert seen(state).outcome == outcome
    assert seen(state).armies == outcome.scores


@pytest.mark.parametrize(("king", "winner"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_K14_a_tie_goes_to_the_first_clockwise_from_the_king_himself_first(king: int, winner: int) -> None:
    state, events = reveal(last_card(armies=[0, 5, 2, 5], king=king), 2, 0, 0, 0)
    assert state.outcome().winners == {winner}
    assert state.outcome().scores == (1, 8, 5, 8)
    assert [e for e in events if isinstance(e, MatchWon)] == [MatchWon(winner, (1, 3))]


def test_K14_the_crown_that_passed_with_the_last_card_counts() -> None:
    state = after(last_card(armies=[0, 3, 4, 2], king=1), 0, 1, 1, 0)
    assert seen(state).phase is Phase.AWARD
    assert state.outcome() is None
    state = act(state, 1, "award 1")  # the crown goes to seat 2
    assert state.outcome().scores == (3, 5, 6, 5)
    state = after(last_card(armies=[0, 4, 4, 2], king=1), 0, 1, 1, 0)
    assert act(state, 1, "award 1").outcome().winners == {2}
    assert act(state, 1, "award 2").outcome().winners == {1}


def test_K14_the_crown_of_a_king_eliminated_last_counts() -> None:
    state = after(last_card(card="bow 10", armies=[4, 1, 4, 4], king=0), 1, 1, 1, 1)
    assert seen(state).king == 1
    assert state.outcome().winners == {2}
    assert state.outcome().scores == (4, 1, 4, 4)


def test_K14_no_player_moves_when_it_is_over() -> None:
    state = after(last_card(), 2, 0, 0, 0)
    assert state.to_move() == frozenset()
    assert all(state.legal_moves(seat) == () for seat in range(4))
    assert seen(state).phase is Phase.OVER
    assert seen(state).card is None
    for move in (Pledge(0, 0), Award(0, 0), UseGold(0, 0)):
        assert refused(state, move) == Refusal.GAME_OVER


def test_K14_there_is_no_outcome_before_the_last_round_ends() -> None:
    state = after(position(4, "bow 2", pile=["end"], round=4), 2, 0, 0, 0)
    assert state.outcome() is None
    assert seen(state).outcome is None
    assert seen(state).round == 5


# K15: the first King, and no limits.


def test_K15_the_first_king_is_seat_0() -> None:
    for seats in GAME.seats:
        state = GAME.new(seats, {}, "K15")
        assert seen(state).king == 0
        assert RoundBegan(1, (STARTING_COINS[seats],) * seats, 0) in state.opening()


def test_K15_the_crown_stays_where_it_is_between_rounds() -> None:
    for king in range(4):
        assert seen(after(position(4, "bow 2", pile=["end"], king=king), 2, 0, 0, 0)).king == king


def test_K15_the_supply_of_coins_and_tokens_is_no_limit() -> None:
    state = position(3, "armies", pile=["end"], coins=[150, 90, 0], armies=[49, 60, 0])
    assert len(state.legal_moves(0)) == 151
    state = after(state, 100, 0, 0)
    assert seen(state).armies == (49 + 3 + 51, 60 + 91, 1)


# K16: what is public.


def test_K16_coins_and_cards_shown_are_those_before_sealed_pledges() -> None:
    start = position(3, coins=[4, 4, 4], held={0: ["boost"]})
    state = act(start, 0, "pledge 4 boost 1")
    for viewer in (None, 0, 1, 2):
        assert state.view(viewer).coins == (4, 4, 4)
        assert state.view(viewer).held[0].boost == 1
    state = after(state, None, 1, 1)
    assert seen(state).coins == (0, 3, 3)
    assert holds(state, 0) == {"swords": 1}


def test_K16_coins_and_boosts_are_gone_while_the_king_decides() -> None:
    state = after(position(3, coins=[4, 4, 4], held={0: ["boost"]}), (2, 1), 4, 1)
    assert seen(state).phase is Phase.AWARD
    assert seen(state).coins == (2, 0, 3)
    assert seen(state).held[0].boost == 0
    assert seen(state).open_reveal.pledges == (2, 4, 1)
    assert seen(state).open_reveal.boosts == (1, 0, 0)
    assert seen(state).card == Card(Kind.SWORDS, 6)


def test_K16_what_is_public_is_shown_to_every_viewer_alike() -> None:
    held = {0: ["swords 2", "boost"], 3: ["gold", "gold", "helmet 9"]}
    state = position(4, "bow 5", pile=["crown", "end", "armies"], held=held, out=[1], king=2, armies=[1, 2, 3, 4])
    state = act(state, 3, "pledge 1")
    views = [state.view(viewer) for viewer in (None, 0, 1, 2, 3)]
    for view in views:
        assert view.card == Card(Kind.BOW, 5)
        assert view.pile == 3
        assert view.card_number == 8
        assert view.king == 2
        assert view.armies == (1, 2, 3, 4)
        assert view.coins == (12, 12, 12, 12)
        assert view.held[0]._asdict() == {"swords": 1, "helmet": 0, "bow": 0, "boost": 1, "gold": 0}
        assert view.held[3]._asdict() == {"swords": 0, "helmet": 1, "bow": 0, "boost": 0, "gold": 2}
        assert view.alive == (True, False, True, True)
        assert view.sealed == (3,)
        assert set(view.to_move) == {0, 2}
        assert view.outcome is None
    assert len({view._replace(viewer=None, own_seal=None) for view in views}) == 1
    assert [view.viewer for view in views] == [None, 0, 1, 2, 3]
    assert [view.own_seal for view in views] == [None, None, None, None, (1, 0)]


def test_K16_the_pile_and_the_undealt_cards_are_in_no_view() -> None:
    one = position(4, "bow 5", pile=["crown", "end", "armies"], undealt=["bow 10"])
    data = one.to_json()
    data["pile"] = ["end", "bow 10", "helmet 2"]
    data["undealt"] = sorted([*data["undealt"], "crown", "armies"])
    data["undealt"] = [card for card in data["undealt"] if card not in ("bow 10", "helmet 2")]
    data["seed"] = "another"
    other = GAME.from_json(data)
    for viewer in (None, 0, 1, 2, 3):
        assert one.view(viewer) == other.view(viewer)
        assert one.view(viewer).to_json() == other.view(viewer).to_json()
    for seat in range(4):
        assert one.legal_moves(seat) == other.legal_moves(seat)
        assert one.turn(seat) == other.turn(seat)


def test_K16_cards_skipped_under_siege_end_are_in_no_view_nor_event() -> None:
    one = position(4, "bow 2", pile=["end", "helmet 10", "crown"], undealt=["swords 9"])
    two = position(4, "bow 2", pile=["end", "bow 9", "gold"], undealt=["swords 9"])
    (first, events), (second, others) = reveal(one, 2, 0, 0, 0), reveal(two, 2, 0, 0, 0)
    for viewer in (None, 0, 1, 2, 3):
        assert first.view(viewer) == second.view(viewer)
        assert [e.seen_by(viewer) for e in events] == [e.seen_by(viewer) for e in others]


def test_K16_the_ply_is_in_no_view() -> None:
    once = act(position(3), 0, "pledge 2")
    again = act(act(once, 0, "pledge 3"), 0, "pledge 2")
    assert again.ply == once.ply + 2
    for viewer in (None, 1, 2):
        assert again.view(viewer).to_json() == once.view(viewer).to_json()


def test_K16_the_reveal_shows_every_pledge_and_boost_to_everybody() -> None:
    state = after(position(4, "bow 10", held={2: ["boost"]}, out=[0]), None, 3, (2, 1), 5)
    for viewer in (None, 0, 1, 2, 3):
        shown = state.view(viewer).last_reveal
        assert shown.card == Card(Kind.BOW, 10)
        assert shown.pledges == (None, 3, 2, 5)
        assert shown.boosts == (None, 0, 1, 0)
        assert shown.total == 12
        assert shown.taker == 3


def test_K16_the_deck_table_is_public() -> None:
    strengths = dict(seen(GAME.new(3, {}, "K16")).strengths)
    assert strengths == dict.fromkeys((Kind.SWORDS, Kind.HELMET, Kind.BOW), (2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10))


# What a seat cannot tell apart.


def redeals(state: Any, seat: int | None, count: int) -> list[Any]:
    return [state.redeal_unseen(seat, f"redeal {n}") for n in range(count)]


def test_redeal_keeps_every_view_and_all_cards() -> None:
    state = position(4, "bow 5", pile=["crown", "armies", "end", "gold"], held={0: ["boost"], 1: ["boost", "gold"]})
    state = act(act(state, 0, "pledge 3 boost 1"), 1, "pledge 5")
    for seat in (None, 0, 1, 2, 3):
        for other in redeals(state, seat, 20):
            assert other.view(seat) == state.view(seat)
            assert all_cards(other) == all_cards(state)
            assert other.to_move() == state.to_move()
            if seat is not None:
                assert other.legal_moves(seat) == state.legal_moves(seat)
                assert other.turn(seat) == state.turn(seat)


def test_redeal_resamples_sealed_pledges_among_the_possible_and_keeps_ones_own() -> None:
    state = position(3, coins=[3, 3, 3], held={0: ["boost"]})
    state = act(act(state, 0, "pledge 3 boost 1"), 1, "pledge 1")
    seals = [tuple(map(tuple, other.to_json()["sealed"][:2])) for other in redeals(state, None, 200)]
    assert {seal[0] for seal in seals} == {(coins, boosts) for coins in range(4) for boosts in range(2)}
    assert {seal[1] for seal in seals} == {(coins, 0) for coins in range(4)}
    own = redeals(state, 1, 50)
    assert {tuple(other.to_json()["sealed"][1]) for other in own} == {(1, 0)}
    assert len({tuple(other.to_json()["sealed"][0]) for other in own}) > 1
    assert {other.to_json()["sealed"][2] for other in own} == {None}


def test_redeal_resamples_sealed_gold() -> None:
    state = act(gold_phase(held={1: ["gold", "gold"], 3: ["gold"]}), 1, "gold 2")
    assert {other.to_json()["sealed"][1][0] for other in redeals(state, 3, 60)} == {0, 1, 2}
    assert {other.to_json()["sealed"][1][0] for other in redeals(state, 1, 20)} == {2}


def test_redeal_puts_siege_end_at_every_place_left_equally_often() -> None:
    print("seeds 'redeal 0' to 'redeal 599'")
    fresh = GAME.new(3, {}, "places")
    counts = Counter(place_of_the_end(other) for other in redeals(fresh, 0, 600))
    assert set(counts) == {4, 5, 6, 7, 8}
    assert chi_square(counts, 5) < 18.5
    late = position(3, "bow 5", pile=["crown", "end", "armies"])  # the sixth of eight cards is faced
    counts = Counter(place_of_the_end(other) for other in redeals(late, None, 600))
    assert set(counts) == {6, 7, 8}
    assert chi_square(counts, 3) < 13.9


def test_redeal_changes_the_cards_to_come() -> None:
    state = position(3, "bow 5", pile=["crown", "end", "armies"], undealt=["gold"])
    others = [other.to_json() for other in redeals(state, 1, 40)]
    assert len({tuple(other["pile"]) for other in others}) > 20
    assert len({tuple(other["undealt"]) for other in others}) == 40
    assert len({other["card"] for other in others}) == 1


def test_redeal_mixes_cards_skipped_unseen_with_those_to_come_and_leaves_used_ones() -> None:
    start = position(4, "bow 2", pile=["end", "helmet 10", "crown"], undealt=["swords 9"])
    used = {card for card in start.to_json()["discard"] if whole_deck().count(card) == 1}
    state = after(start, 2, 0, 0, 0)
    others = [other.to_json() for other in redeals(state, 0, 60)]
    assert any("helmet 10" in other["pile"] or "helmet 10" in other["undealt"] for other in others)
    assert any("helmet 10" in other["discard"] for other in others)
    assert used
    assert all(used <= set(other["discard"]) for other in others)


# Notation and refusals.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("pledge 0", Pledge(2, 0)),
        ("pledge 3", Pledge(2, 3)),
        ("pledge 12 boost 3", Pledge(2, 12, 3)),
        ("pledge 0 boost 1", Pledge(2, 0, 1)),
        ("award 0", Award(2, 0)),
        ("award 5", Award(2, 5)),
        ("gold 0", UseGold(2, 0)),
        ("gold 3", UseGold(2, 3)),
    ],
)
def test_notation_goes_both_ways(text: str, move: Any) -> None:
    assert GAME.parse(2, text) == move
    assert type(GAME.parse(2, text)) is type(move)
    assert str(move) == text
    assert move.seat == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "pledge",
        "pledge x",
        "pledge -1",
        "pledge +1",
        "pledge 1.5",
        "pledge 3 boost",
        "pledge 3 boost 0",
        "pledge 3 boost -1",
        "pledge 3 boost 1 2",
        "pledge 3 gold 1",
        "pledge 3 4",
        "pledge ³",
        "pledge 3 boost ²",
        "boost 1",
        "award",
        "award me",
        "award -1",
        "award 1 2",
        "gold",
        "gold all",
        "gold -1",
        "play 3",
        "3",
        "pledge 3\npledge 4",
    ],
)
def test_words_that_are_no_move_are_refused(text: str) -> None:
    with pytest.raises(IllegalMove) as error:
        GAME.parse(0, text)
    assert error.value.reason == Refusal.UNPARSABLE


@pytest.mark.parametrize("text", ["pledge {}", "pledge 3 boost {}", "award {}", "gold {}"])
def test_a_number_of_any_length_is_refused_and_breaks_nothing(text: str) -> None:
    with pytest.raises(IllegalMove):  # Python reads no more than 4,300 digits
        position(3).apply(GAME.parse(0, text.format("9" * 5_000)))


@pytest.mark.parametrize(
    "move",
    [
        Pledge(0, 4),
        Pledge(0, -1),
        Pledge(0, 1, 2),
        Pledge(0, 1, -1),
        Pledge(1, 1, 1),
        Pledge(2, 0),
        Pledge(4, 0),
        Pledge(-1, 0),
        Award(0, 1),
        Award(1, 0),
        UseGold(0, 0),
        UseGold(1, 1),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_pledging(move: Any) -> None:
    refused(position(4, coins=[3, 3, 3, 3], held={0: ["boost"], 1: ["gold"]}, out=[2]), move)


def test_refusals_say_why_and_name_the_values() -> None:
    state = position(3, coins=[3, 3, 3], held={0: ["boost"]}, out=[2])
    award = after(position(3, coins=[3, 3, 3]), 3, 3, 0)
    crown = after(position(4, "crown"), 3, 1, 3, 0)
    gold = gold_phase(held={1: ["gold"]})
    expected: list[tuple[Any, Any, Any, dict[str, int]]] = [
        (state, Pledge(0, 4), Reason.TOO_MANY_COINS, {"coins": 4, "have": 3}),
        (state, Pledge(0, 3, 2), Reason.TOO_MANY_BOOSTS, {"boosts": 2, "have": 1}),
        (state, Pledge(2, 0), Reason.NOT_IN_ROUND, {}),
        (state, Pledge(3, 0), Refusal.OUT_OF_TURN, {}),
        (state, Award(0, 1), Refusal.NOT_NOW, {}),
        (state, UseGold(0, 0), Refusal.NOT_NOW, {}),
        (award, Award(1, 1), Reason.NOT_KING, {"king": 0}),
        (award, Award(0, 2), Reason.NOT_TIED, {"to": 2}),
        (award, Pledge(0, 0), Refusal.NOT_NOW, {}),
        (award, UseGold(0, 0), Refusal.NOT_NOW, {}),
        (crown, Award(0, 0), Reason.CROWN_GIVEN_AWAY, {}),
        (gold, UseGold(0, 0), Reason.NO_GOLD_CARDS, {}),
        (gold, UseGold(1, 2), Reason.TOO_MANY_GOLD_CARDS, {"cards": 2, "have": 1}),
        (gold, Pledge(1, 0), Refusal.NOT_NOW, {}),
        (gold, Award(1, 0), Refusal.NOT_NOW, {}),
    ]
    for where, move, reason, facts in expected:
        with pytest.raises(IllegalMove) as error:
            where.apply(move)
        assert (error.value.reason, error.value.facts) == (reason, facts), f"{move.seat}: {move}"


@pytest.mark.parametrize(
    "move",
    [
        Award(0, 2),
        Award(0, 3),
        Award(0, -1),
        Award(1, 0),
        Award(1, 1),
        Pledge(0, 0),
        Pledge(2, 0),
        UseGold(0, 0),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_the_king_decides(move: Any) -> None:
    refused(after(position(3), 3, 3, 0), move)


@pytest.mark.parametrize(
    "move",
    [
        UseGold(1, 3),
        UseGold(1, -1),
        UseGold(0, 0),
        UseGold(3, 0),
        UseGold(-2, 0),
        Pledge(1, 0),
        Pledge(0, 0),
        Award(0, 1),
        Award(1, 0),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_gold_is_asked_for(move: Any) -> None:
    refused(gold_phase(3, held={1: ["gold", "gold"]}), move)


# The two readings of the rules against each other, and counts by hand.


def test_a_naive_reading_agrees_on_random_positions(pytestconfig: pytest.Config) -> None:
    occurred = compare(pytestconfig.getoption("--positions"))
    print(occurred)
    assert min(occurred.values()) > 10, "the positions are not varied enough"


def test_positions_after_one_card_counted_by_hand() -> None:
    """Three players with 1 coin each face a bow 2; the King is seat 0.

    Each pledges 0 or 1: 2 × 2 × 2 = 8 ways. None (1 way): total 0, all are out, the next round begins. One coin
    (3 ways): total 1 fails, the two without are out. Two coins (3 ways): repelled, two tie, the King has 2 choices.
    Three coins (1 way): repelled, all tie, he has 3. So 4 positions with a decision, 3 × 2 + 3 = 9 decisions after
    them. He takes the card himself, and passes the crown, in 3 of these: with 1, with 2, and with both.
    """
    start = position(3, "bow 2", coins=[1, 1, 1], pile=["bow 3", "bow 4", "end"])
    positions, decided, survivors, crowns = [], [], Counter[int](), 0
    for ways in range(8):
        state = after(start, ways & 1, ways >> 1 & 1, ways >> 2)
        positions.append(json.dumps(state.to_json(), sort_keys=True))
        if seen(state).phase is Phase.AWARD:
            results = [state.apply(move)[0] for move in state.legal_moves(0)]
            decided += [json.dumps(result.to_json(), sort_keys=True) for result in results]
            crowns += sum(seen(result).king == 1 for result in results)
        else:
            survivors[sum(seen(state).alive) if seen(state).round == 2 else 0] += 1
    assert len(set(positions)) == 8
    assert survivors == {0: 1, 1: 3}
    assert len(decided) == len(set(decided)) == 9
    assert crowns == 3


def test_legal_moves_counted_by_hand() -> None:
    """With c coins and b boosts there are (c + 1) × (b + 1) pledges; 13 at the start with 12 coins, 11 with 10."""
    state = position(5, coins=[0, 1, 3, 10, 7], held={1: ["boost"], 3: ["boost", "boost"]}, out=[4])
    assert [len(state.legal_moves(seat)) for seat in range(5)] == [1, 2 * 2, 4, 11 * 3, 0]
    assert [len(GAME.new(seats, {}, "count").legal_moves(0)) for seats in (3, 4, 5, 6)] == [13, 13, 11, 11]
    assert len(set(state.legal_moves(3))) == 33


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_matches_hold_together(seats: int) -> None:
    """Cards are conserved, coins are counted, positions survive JSON, and the awaited seats have moves."""
    for number in range(3):
        seed = f"match {seats} {number}"
        print(f"seed {seed!r}")
        dice = random.Random(seed)
        state = GAME.new(seats, {}, seed)
        while state.outcome() is None:
            assert state.to_move()
            assert all_cards(state) == sorted(whole_deck())
            assert GAME.from_json(json.loads(json.dumps(state.to_json()))) == state
            assert json.loads(json.dumps(state.to_json())) == state.to_json()
            view = seen(state)
            assert json.loads(json.dumps(view.to_json())) == view.to_json()
            assert min(view.coins) >= 0
            assert view.alive[view.king]
            assert max(max(held.swords, held.helmet, held.bow) for held in view.held) < 3
            seat = dice.choice(sorted(state.to_move()))
            moves = state.legal_moves(seat)
            assert state.default_move(seat) in moves
            assert not state.may_take_back(seat)
            cautious = moves[: max(1, len(moves) // 3)] if view.phase is Phase.PLEDGE else moves
            move = dice.choice(cautious)
            assert GAME.parse(seat, str(move)) == move
            ply = state.ply
            state, _ = state.apply(move)
            assert state.ply == ply + 1
        assert seen(state).round == ROUNDS[seats]
        outcome = state.outcome()
        (winner,) = outcome.winners
        assert outcome.scores[winner] == max(outcome.scores)
        assert GAME.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_state_json_has_the_documented_keys() -> None:
    scalars = {"seats", "options", "deck", "seed", "ply", "deals", "phase", "phases", "round", "king", "outcome"}
    cards = {"card_number", "card", "pile", "undealt", "discard", "skipped", "held"}
    people = {"coins", "armies", "alive", "sealed", "seals", "award_to"}
    told = {"open_reveal", "last_reveal", "last_round"}
    assert set(GAME.new(4, {}, "keys").to_json()) == scalars | cards | people | told


def test_a_position_while_the_king_decides_survives_json() -> None:
    state = after(position(3, coins=[4, 4, 4]), 2, 3, 3)
    again = GAME.from_json(json.loads(json.dumps(state.to_json())))
    assert again == state
    assert again.view(1) == state.view(1)
    assert act(again, 0, "award 2") == act(state, 0, "award 2")


def test_K13_siege_end_is_known_by_what_it_is() -> None:
    """A copy of a state (pickled for another process, say) meets Siege End as the state itself does."""
    state = position(3, pile=["end", "bow 3"], coins=[4, 4, 4])
    again = pickle.loads(pickle.dumps(state))
    assert after(again, 2, 2, 3) == after(state, 2, 2, 3)
    places = {place_of_the_end(other) for other in redeals(pickle.loads(pickle.dumps(GAME.new(3, {}, "copy"))), 0, 60)}
    assert len(places) > 1


@pytest.mark.parametrize("kind", ["boost", "gold", "armies", "crown"])
def test_a_deck_of_one_kind_alone_is_played_to_the_end(kind: str) -> None:
    deck = {"strengths": {"swords": [], "helmet": [], "bow": []}, "boost": 0, "gold": 0, "armies": 0, "crown": 0}
    seed = f"nothing but {kind}"
    print("seed", repr(seed))
    dice = random.Random(seed)
    state = GAME.new(6, {"deck": deck | {kind: 51}}, seed)
    while state.outcome() is None:
        state = state.apply(dice.choice(state.legal_moves(min(state.to_move()))))[0]
        assert state.redeal_unseen(2, "redeal").view(2) == state.view(2)
    assert seen(state).last_round.survivors == tuple(range(6))


def test_the_last_pledge_is_forced() -> None:
    assert verbs(GAME)[0] == {"pledge"}
