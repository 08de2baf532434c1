"""Siege of Sunfall against its rules page: gold, the end of a round and of the match (K12 to K15)."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.events import CardFaced, GoldUsed, MatchWon, RoundBegan, RoundEnded, Sealed
from rules.siege_of_sunfall.types import Card, Kind, Phase, UseGold
from tests.rules.naive_siege_of_sunfall import STARTING_COINS, position
from tests.rules.playing_siege_of_sunfall import (
    act,
    after,
    gold_phase,
    holds,
    place_of_the_end,
    redeals,
    reveal,
    seen,
    texts,
)


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


def test_K13_siege_end_is_known_by_what_it_is() -> None:
    """A copy of a state (pickled for another process, say) meets Siege End as the state itself does."""
    state = position(3, pile=["end", "bow 3"], coins=[4, 4, 4])
    again = pickle.loads(pickle.dumps(state))
    assert after(again, 2, 2, 3) == after(state, 2, 2, 3)
    places = {place_of_the_end(other) for other in redeals(pickle.loads(pickle.dumps(GAME.new(3, {}, "copy"))), 0, 60)}
    assert len(places) > 1
