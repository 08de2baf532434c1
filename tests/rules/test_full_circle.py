"""Full Circle, ruling by ruling: the deal, what fits where, drawing (F1 to F4)."""

from __future__ import annotations

import json
from collections import Counter

from rules.core.game import Seat
from rules.full_circle import GAME
from rules.full_circle.types import (
    PLACES,
    CardDrawn,
    CardPlayed,
    DoubleMatched,
    Face,
    Place,
    Play,
    RoundBegan,
    Say,
    TrapSet,
    Unplayable,
    Verb,
)
from tests.rules.playing import only, some
from tests.rules.playing_full_circle import DECK, FILLER, SPRINGS, do, legal, mover, plays, position, refused

# --- F1: the deal


def test_F1_six_cards_each_and_a_colour_card_in_TL() -> None:
    for seats in (2, 3, 4):
        state = GAME.new(seats, {}, "deal")
        data, view = state.to_json(), state.view(None)
        assert view.hand_sizes == (6,) * seats
        assert [len(stack) for stack in data["circle"]] == [1, 0, 0, 0]
        assert view.marker is None
        assert (view.starter, view.to_move, view.phase) == (0, 0, "turn")
        cards = [card for hand in data["hands"] for card in hand] + data["pile"] + data["circle"][0]
        assert Counter(cards) == Counter(DECK)


def test_F1_wilds_turned_up_go_under_the_pile() -> None:
    most = 0
    for seed in range(200):
        state = GAME.new(2, {}, f"deal {seed}")
        began = only(state.opening(), RoundBegan)
        assert began.card != "W"
        assert state.to_json()["circle"][0] == [began.card]
        assert state.to_json()["sunk"] == began.wilds
        assert state.to_json()["pile"][len(state.to_json()["pile"]) - began.wilds :] == ["W"] * began.wilds
        most = max(most, began.wilds)
    assert most > 0


def test_F1_the_last_rounds_winner_begins() -> None:
    state = position("RB - - -", ["GO OG", "BY", "GO"], mover=1, pile=FILLER)
    state, events = do(state, "play BY TR")
    began = only(events, RoundBegan)
    assert (began.round, began.starter, began.play_off) == (2, 1, False)
    assert mover(state) == 1


# --- F2, F3: what fits where


def test_F2_an_edge_touches_the_neighbours_edge() -> None:
    """RB in TL: its B touches TR's first letter, its R touches BL's second."""
    state = position("RB - - -", ["BY YR GO BR YB RY", "G"])
    assert plays(state) == {"BY TR", "YR BL", "BR TR", "BR BL"}


def test_F2_each_quadrant_touches_the_next() -> None:
    for place, name in enumerate(PLACES):
        stacks = ["-"] * 4
        stacks[place] = "RB"
        state = position(" ".join(stacks), ["BY YR", "G"])
        assert plays(state) == {f"BY {PLACES[(place + 1) % 4]}", f"YR {PLACES[(place + 3) % 4]}"}, name


def test_F2_the_other_edge_may_differ() -> None:
    state, events = do(position("RB - GY -", ["BO P", "G"]), "play BO TR")
    assert not some(events, DoubleMatched)
    assert mover(state) == 1


def test_F2_an_empty_neighbour_matches_nothing() -> None:
    state = position("RB - - -", ["RB BR", "G"])
    assert "RB TL" not in plays(state) and "BR BR" not in plays(state)
    assert refused(state, "play RB TL").reason is Unplayable.NO_MATCH


def test_F2_one_colour_on_the_same_one_colour_whatever_the_neighbours() -> None:
    circle = "B YG O RP"
    assert "B TL" in plays(position(circle, ["B P", "G"]))
    assert plays(position(circle, ["R G", "G"])) == {"R BR", "G BR"}
    assert plays(position("B - - -", ["B YP", "G"])) == {"B TL", "B TR", "B BL"}


def test_F2_one_colour_on_a_two_colour_card_needs_an_edge() -> None:
    assert "B TL" not in plays(position("BR YG O GP", ["B", "G"]))
    assert "BR TL" not in plays(position("B YG O GP", ["BR", "G"]))


def test_F2_a_wild_is_a_one_colour_card_of_the_named_colour() -> None:
    assert plays(position("RB - - -", ["W", "G"])) == {"W:B TR", "W:R BL"}
    assert plays(position("R - - -", ["W", "G"])) == {"W:R TL", "W:R TR", "W:R BL"}
    assert refused(position("RB - - -", ["W P", "G"]), "play W:G TR").reason is Unplayable.NO_MATCH
    state, events = do(position("RB - - -", ["W P", "G"]), "play W:B TR")
    assert only(events, CardPlayed).face == "W:B"
    assert state.view(None).circle[1][:3] == ("W:B", "B", "B")


def test_F2_a_wild_that_lies_counts_as_a_one_colour_card() -> None:
    state = position("W:R - - -", ["R RB W", "G"])
    assert plays(state) == {"R TL", "R TR", "R BL", "RB TR", "W:R TL", "W:R TR", "W:R BL"}
    state = position("W:R YG O GP", ["R W B", "G"])
    assert {"R TL", "W:R TL"} <= plays(state)
    assert "B TL" not in plays(state)


def test_F2_the_quadrant_with_the_marker_is_closed() -> None:
    state = position("B YG O RP", ["B P", "G"], marker="TL")
    assert plays(state) == {"B TR", "B BL"}
    refusal = refused(state, "play B TL")
    assert (refusal.reason, refusal.facts["place"]) == (Unplayable.MARKED, "TL")


def test_F3_the_marker_moves_to_the_card_just_played() -> None:
    state = position("RB - - -", ["BY P", "YG O"])
    state, _ = do(state, "play BY TR")
    assert state.view(None).marker == "TR"
    state, _ = do(state, "play YG BR")
    assert state.view(None).marker == "BR"


def test_a_view_tells_the_newest_play_draw_or_pass_of_the_round() -> None:
    state = position("RB - - -", ["BY P", "PO O"], pile="GO")
    assert state.view(None).last is None
    state, _ = do(state, "play BY TR")
    assert state.view(None).last == Play(Seat(0), Face("BY"), Place("TR"))
    state, _ = do(state, "draw")
    assert state.view(Seat(1)).last == Say(Seat(1), Verb.DRAW)
    assert GAME.from_json(json.loads(json.dumps(state.to_json()))).view(None) == state.view(None)
    older = {key: value for key, value in state.to_json().items() if key != "last"}
    assert GAME.from_json(older).view(None).last is None
    assert do(position("RB - - -", ["BY", "PO"]), "play BY TR")[0].view(None).last is None, "a new round"


# --- F4: drawing


def test_F4_who_can_play_must() -> None:
    state = position("RB - - -", ["BY P", "G"], pile=FILLER)
    assert legal(state) == {"play BY TR"}
    assert refused(state, "draw").reason is Unplayable.CAN_PLAY


def test_F4_a_drawn_card_that_does_not_fit_is_kept() -> None:
    state = position("RB - - -", ["P", "G"], pile="GO OG")
    assert legal(state) == {"draw"}
    state, events = do(state, "draw")
    assert only(events, CardDrawn) == CardDrawn(Seat(0), "GO", True)
    assert sorted(state.to_json()["hands"][0]) == ["GO", "P"]
    assert mover(state) == 1
    assert state.view(None).pile == 1


def test_F4_a_drawn_card_that_fits_is_played_at_once() -> None:
    state, events = do(position("RB - YG -", ["P PO", "G"], pile="BR GO"), "draw")
    assert only(events, CardDrawn) == CardDrawn(Seat(0), "BR", False)
    assert state.view(None).drawn == "BR"
    assert (mover(state), state.view(None).phase) == (0, "drawn")
    assert legal(state) == {"play BR TR", "play BR BL"}
    for move in ("draw", "stop", "pass", "give P 1", "play P TL"):
        refused(state, move)
    state, events = do(state, "play BR BL")
    assert state.view(None).drawn is None
    assert (mover(state), state.view(None).marker) == (1, "BL")
    assert state.view(None).hand_sizes == (2, 1)


def test_F4_the_bonus_of_a_drawn_card_counts() -> None:
    state, events = do(position("RB - YG -", ["P PO", "G"], pile="BY GO"), "draw; play BY TR")
    assert some(events, DoubleMatched)
    assert (mover(state), state.view(None).phase) == (0, "double")


def test_F4_the_trap_of_a_drawn_card_counts() -> None:
    state, events = do(position(SPRINGS, ["P Y", "G G"], pile="YR"), "draw; play YR BL")
    assert only(events, TrapSet) == TrapSet(Seat(0), "R")
    assert mover(state) == 1
