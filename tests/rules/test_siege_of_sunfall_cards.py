"""Siege of Sunfall against its rules page: what becomes of a card and of the crown (K4 to K11)."""

from __future__ import annotations

import pytest

from rules.siege_of_sunfall.events import (
    ArmiesPaid,
    CardDiscarded,
    CardFaced,
    CardTaken,
    CrownPassed,
    Eliminated,
    SetTurnedIn,
)
from rules.siege_of_sunfall.types import Award, Card, Kind, Phase
from tests.rules.naive_siege_of_sunfall import position
from tests.rules.playing_siege_of_sunfall import act, after, holds, refused, reveal, seen, texts

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
