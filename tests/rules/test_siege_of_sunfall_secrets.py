"""Siege of Sunfall against its rules page: what is public (K16), and what a seat cannot tell apart."""

from __future__ import annotations

from collections import Counter

from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.types import Card, Kind, Phase
from tests.rules.naive_siege_of_sunfall import position, whole_deck
from tests.rules.playing_siege_of_sunfall import (
    act,
    after,
    chi_square,
    gold_phase,
    holds,
    place_of_the_end,
    redeals,
    reveal,
    seen,
)

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
