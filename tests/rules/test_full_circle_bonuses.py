"""Full Circle, ruling by ruling: Double Match, Full Circle and the Colour Trap (F5 to F11)."""

from __future__ import annotations

import json

import pytest

from rules.core.game import Refusal, Seat
from rules.full_circle import GAME
from rules.full_circle.types import (
    CardDrawn,
    CardGiven,
    DoubleMatched,
    FullCircled,
    Stopped,
    TrapEnded,
    TrapSet,
    Unplayable,
)
from tests.rules.playing import only, some
from tests.rules.playing_full_circle import FILLER, RED, SPRINGS, do, legal, mover, plays, position, refused

# --- F5 to F7: Double Match and Full Circle


def test_F5_double_match_brings_another_turn() -> None:
    state, events = do(position("RB - YG -", ["BY GO P", "G"]), "play BY TR")
    assert only(events, DoubleMatched).seat == 0
    assert (mover(state), state.view(None).phase) == (0, "double")
    assert legal(state) == {"play GO BL", "stop"}
    state, events = do(state, "stop")
    assert only(events, Stopped).seat == 0
    assert mover(state) == 1


def test_F5_both_neighbours_must_be_filled() -> None:
    state, events = do(position("RB - - -", ["BY P", "G"]), "play BY TR")
    assert not some(events, DoubleMatched)
    assert mover(state) == 1


def test_F5_it_may_chain() -> None:
    state, events = do(position("RB - YG -", ["BY GR Y P O", "G"]), "play BY TR; play GR BL")
    assert len(some(events, DoubleMatched)) == 2
    assert (mover(state), state.view(None).phase, state.view(None).marker) == (0, "double", "BL")
    state, events = do(state, "play Y BR")
    assert not some(events, DoubleMatched)
    assert mover(state) == 1


def test_F5_wilds_count() -> None:
    _, events = do(position("RB - W:B -", ["W P", "G"]), "play W:B TR")
    assert some(events, DoubleMatched)
    _, events = do(position("RB - W:Y -", ["BY P", "G"]), "play BY TR")
    assert some(events, DoubleMatched)


def test_F5_one_colour_on_the_same_is_a_double_match_only_by_its_edges() -> None:
    _, events = do(position("RB B BO -", ["B P", "G"]), "play B TR")
    assert some(events, DoubleMatched)
    _, events = do(position("RG B YO -", ["B P", "G"]), "play B TR")
    assert not some(events, DoubleMatched)


def test_F6_full_circle_again_or_give() -> None:
    state, events = do(position("RB BO YG -", ["GP BR O", "G G", "R R"]), "play GP BL")
    assert only(events, FullCircled).seat == 0
    assert not some(events, DoubleMatched)
    assert (mover(state), state.view(None).phase) == (0, "full")
    assert plays(state) == {"BR TR", "O BR"}
    assert legal(state) - {f"play {p}" for p in plays(state)} == {
        "give BR 1",
        "give BR 2",
        "give O 1",
        "give O 2",
        "stop",
    }


def test_F6_giving_ends_the_turn() -> None:
    state, events = do(position("RB BO YG -", ["GP BR O", "G G", "R R"]), "play GP BL; give BR 2")
    assert only(events, CardGiven) == CardGiven(Seat(0), Seat(2), "BR")
    assert [sorted(hand) for hand in state.to_json()["hands"]] == [["O"], ["G", "G"], ["BR", "R", "R"]]
    assert mover(state) == 1


def test_F6_who_plays_on_forgoes_the_gift() -> None:
    state, events = do(position("RB BO YG -", ["GP BR O P", "G G"]), "play GP BL; play BR TR")
    assert mover(state) == 1
    assert not some(events, CardGiven)


def test_F6_an_extra_play_with_a_double_match_brings_no_gift() -> None:
    state, events = do(position("RB BO YG -", ["GP BY O P", "G G"]), "play GP BL; play BY TR")
    assert some(events, DoubleMatched)
    assert state.view(None).phase == "double"
    assert not any(move.startswith("give") for move in legal(state))
    assert refused(state, "give O 1").reason is Refusal.NOT_NOW


def test_F6_stop_declines_both() -> None:
    state, _ = do(position("RB BO YG -", ["GP BR O", "G G"]), "play GP BL; stop")
    assert mover(state) == 1
    assert state.view(None).hand_sizes == (2, 2)


def test_F6_a_wilds_colour_does_not_count() -> None:
    state, events = do(position("RB PO W:G -", ["YR P", "G G"]), "play YR BL")
    assert not some(events, FullCircled)
    assert mover(state) == 1
    _, events = do(position("RB PO W:G -", ["GY P", "G G"]), "play GY BL")
    assert some(events, FullCircled)


def test_F6_the_six_must_not_have_been_visible_before() -> None:
    state, events = do(position("RB BO YG GP", ["OY P", "G G"]), "play OY BR")
    assert not some(events, FullCircled)
    assert mover(state) == 1


def test_F6_a_gift_goes_to_another_player() -> None:
    state, _ = do(position("RB BO YG -", ["GP BR O", "G G"]), "play GP BL")
    assert refused(state, "give BR 0").reason is Unplayable.NOT_TO_GIVE_TO
    assert refused(state, "give BR 2").reason is Unplayable.NOT_TO_GIVE_TO
    assert refused(state, "give RB 1").reason is Unplayable.NOT_IN_HAND


def test_F7_no_drawing_in_an_extra_turn() -> None:
    state, _ = do(position("RB - YG -", ["BY OP P", "G"], pile=FILLER), "play BY TR")
    assert legal(state) == {"stop"}
    for move in ("draw", "pass"):
        refused(state, move)


def test_F7_stop_is_no_move_of_a_turn() -> None:
    state = position("RB - - -", ["BY P", "G"], pile=FILLER)
    assert refused(state, "stop").reason is Refusal.NOT_NOW
    state = position("RB - - -", ["P O", "G"], pile=FILLER)
    assert refused(state, "stop").reason is Refusal.NOT_NOW


def test_F8_the_trap_is_set_and_the_marker_taken_off() -> None:
    state, events = do(position(SPRINGS, ["YR P O", "G G", "G G"]), "play YR BL")
    assert only(events, TrapSet) == TrapSet(Seat(0), "R")
    assert state.view(None).trap == ("R", 0)
    assert state.view(None).marker is None
    assert mover(state) == 1


def test_F8_needs_four_quadrants_without_a_wild_and_a_colour_card() -> None:
    for circle, move in (
        ("RB - RG -", "play YR BL"),
        ("RB W:R RG -", "play YR BL"),
        ("RB OR RG -", "play W:R BL"),
        ("RB OB RG -", "play YR BL"),
    ):
        state, events = do(position(circle, ["YR W P O", "G G"]), move)
        assert not some(events, TrapSet), circle
        assert state.view(None).trap is None
        assert state.view(None).marker == "BL"


def test_F8_covering_the_wild_sets_the_trap() -> None:
    _, events = do(position("RB OR RG W:R", ["YR P O", "G G"]), "play YR BL")
    assert only(events, TrapSet).colour == "R"


def test_F8_also_if_the_circle_showed_the_colour_before() -> None:
    _, events = do(position(RED, ["PR P O", "G G"], marker="TL"), "play PR BL")
    assert only(events, TrapSet) == TrapSet(Seat(0), "R")


def test_F8_the_others_must_play_the_colour() -> None:
    state = position(RED, ["G G", "BO PR W P", "G G"], mover=1, trap={"colour": "R", "setter": 0}, pile=FILLER)
    assert plays(state) == {"PR TR", "PR BL", "W:R TL", "W:R TR", "W:R BR", "W:R BL"}
    refusal = refused(state, "play BO TR")
    assert (refusal.reason, refusal.facts["colour"]) == (Unplayable.TRAPPED, "R")
    assert refused(state, "draw").reason is Unplayable.CAN_PLAY
    state, _ = do(state, "play PR TR")
    assert state.view(None).marker == "TR"
    assert mover(state) == 2
    assert state.view(None).trap == ("R", 0)


def test_F8_a_wild_named_so_will_do() -> None:
    state = position(RED, ["G G", "W BO P", "G G"], mover=1, trap={"colour": "R", "setter": 0}, pile=FILLER)
    assert plays(state) and all(play.startswith("W:R ") for play in plays(state))
    assert refused(state, "play W:B TR").reason is Unplayable.TRAPPED
    state, _ = do(state, "play W:R TR")
    assert (mover(state), state.view(None).trap) == (2, ("R", 0))


def test_F8_who_cannot_draws_and_keeps_even_what_would_do() -> None:
    state = position(RED, ["G G", "BO P", "G G"], mover=1, trap={"colour": "R", "setter": 0}, pile="BR GO")
    assert legal(state) == {"draw"}
    state, events = do(state, "draw")
    assert only(events, CardDrawn) == CardDrawn(Seat(1), "BR", True)
    assert sorted(state.to_json()["hands"][1]) == ["BO", "BR", "P"]
    assert mover(state) == 2


def test_F8_a_card_of_the_colour_that_fits_nowhere_is_no_play() -> None:
    trap = {"colour": "R", "setter": 0}
    state = position("RB RG RO RY", ["G G", "RP BO", "P P"], mover=1, trap=trap, pile="YP")
    assert legal(state) == {"draw"}
    state, _ = do(state, "draw")
    assert (mover(state), state.view(None).hand_sizes) == (2, (2, 3, 2))
    state = position(RED, ["G G", "BR P", "P P"], mover=1, marker="TR", trap=trap, pile="YP")
    assert "BR TR" not in plays(state)


def test_F8_each_other_player_once_and_then_it_is_over() -> None:
    state = position(SPRINGS, ["YR BO P", "PR GO", "BO OG", "GO G"], pile=FILLER)
    state, events = do(state, "play YR BL; play PR TR; draw")
    assert not some(events, TrapEnded)
    assert mover(state) == 3
    state, events = do(state, "draw")
    assert only(events, TrapEnded) == TrapEnded(Seat(0), "R", False)
    assert (mover(state), state.view(None).trap) == (0, None)


def test_F8_no_other_trap_while_one_runs() -> None:
    state = position(RED, ["G G", "BR P", "G G"], mover=1, trap={"colour": "R", "setter": 0})
    state, events = do(state, "play BR TR")
    assert not some(events, TrapSet)
    assert state.view(None).trap == ("R", 0)
    state = position("RB OR YR R", ["G G", "R BR O", "G G"], mover=1, trap={"colour": "R", "setter": 0})
    state, events = do(state, "play R BL; play BR TR")
    assert some(events, DoubleMatched)
    assert not some(events, TrapSet)


def test_F8_the_setter_may_do_as_it_likes_when_the_turn_is_back() -> None:
    state = position(SPRINGS, ["YR BO P", "GO G"], pile=FILLER)
    state, _ = do(state, "play YR BL; draw")
    assert "BO TR" in plays(state)


# --- F9, F10, F11: traps and turns


def test_F9_no_trap_two_turns_in_a_row() -> None:
    state = position(SPRINGS, ["YR PR RP P P", "GY YG"], pile="Y G OG")
    state, events = do(state, "play YR BL; draw")
    assert state.view(None).barred == (0,)
    state, events = do(state, "play PR BL")
    assert not some(events, TrapSet)
    assert (state.view(None).trap, state.view(None).marker) == (None, "BL")
    assert legal(state) == {"draw"}
    state, _ = do(state, "draw")
    assert state.view(None).barred == ()
    state, events = do(state, "play RP TL")
    assert only(events, TrapSet) == TrapSet(Seat(0), "R")


def test_F9_a_turn_includes_its_extra_turns() -> None:
    state = position("RB - YR R", ["R BR OB P", "G G"], barred=[1, 0])
    state, events = do(state, "play R BL; play BR TR")
    assert some(events, DoubleMatched)
    assert not some(events, TrapSet)
    assert mover(state) == 1
    assert state.view(None).barred == ()


def test_F9_a_turn_of_drawing_counts_as_the_next_turn() -> None:
    state = position(RED, ["P PB", "P YB"], barred=[1, 0], marker="BR", pile="OG YG PR")
    assert state.view(None).barred == (0,)
    state, _ = do(state, "draw; draw")
    assert (mover(state), state.view(None).barred) == (0, ())
    state, events = do(state, "draw; play PR BL")
    assert only(events, TrapSet) == TrapSet(Seat(0), "R")


def test_F9_another_player_may_set_one() -> None:
    state = position(RED, ["G G", "PR P O", "G G"], mover=1, barred=[1, 0, 0])
    _, events = do(state, "play PR BL")
    assert only(events, TrapSet).seat == 1


def test_F9_no_second_trap_in_the_turn_that_took_its_own_off() -> None:
    state = position("RB OR YR -", ["R R BY BR P O", "G G"])
    state, events = do(state, "play R BL; play BY TR")
    assert only(events, TrapSet).colour == "R"
    assert only(events, TrapEnded) == TrapEnded(Seat(0), "R", True)
    state, events = do(state, "play R BL; play BR TR")
    assert not some(events, TrapSet)
    assert (mover(state), state.view(None).trap, state.view(None).marker) == (1, None, "TR")
    assert state.view(None).barred == (0,)


DOUBLE_TRAP = "RB OR YR -"
"""R in BL is a Double Match and a red trap."""


def test_F10_double_match_and_trap_leave_the_extra_turn() -> None:
    state, events = do(position(DOUBLE_TRAP, ["R BY P", "G G", "G G"]), "play R BL")
    assert some(events, DoubleMatched) and some(events, TrapSet)
    assert (mover(state), state.view(None).phase, state.view(None).marker) == (0, "double", None)
    assert "BY TR" in plays(state), "the setter has no duty"


def test_F10_who_stops_leaves_the_trap_to_the_next() -> None:
    state, _ = do(position(DOUBLE_TRAP, ["R BY P", "BO GR", "G G"]), "play R BL; stop")
    assert (mover(state), state.view(None).trap, state.view(None).marker) == (1, ("R", 0), None)
    assert all("R" in play.split()[0] for play in plays(state))


def test_F10_an_extra_play_that_shows_the_colour_leaves_it_standing() -> None:
    for move in ("play BR TR", "play W:R TL"):
        state, events = do(position(DOUBLE_TRAP, ["R BR W P", "G G", "G G"]), f"play R BL; {move}")
        if state.view(None).phase == "double":
            state, _ = do(state, "stop")
        assert not some(events, TrapEnded)
        assert len(some(events, TrapSet)) == 1
        assert (mover(state), state.view(None).trap, state.view(None).marker) == (1, ("R", 0), None)


def test_F10_a_double_match_that_leaves_it_standing_chains_without_marker() -> None:
    state, events = do(position(DOUBLE_TRAP, ["R R BY P", "G G", "G G"]), "play R BL; play R BL")
    assert len(some(events, DoubleMatched)) == 2
    assert len(some(events, TrapSet)) == 1
    view = state.view(None)
    assert (mover(state), view.phase, view.trap, view.marker) == (0, "double", ("R", 0), None)
    state, events = do(state, "play BY TR")
    assert only(events, TrapEnded).freed is True
    assert state.view(None).marker == "TR"


def test_F10_an_extra_play_without_the_colour_takes_it_off() -> None:
    for move, place in (("play W:O TL", "TL"), ("play BP TR", "TR")):
        state, events = do(position(DOUBLE_TRAP, ["R BP W P", "BO BG", "G G"]), f"play R BL; {move}")
        assert only(events, TrapEnded) == TrapEnded(Seat(0), "R", True)
        assert (mover(state), state.view(None).trap, state.view(None).marker) == (1, None, place)
        assert state.view(None).barred == (0,)


def test_F10_a_freed_table_has_no_duty() -> None:
    state, _ = do(position(DOUBLE_TRAP, ["R BP W P", "PG GO", "G G"]), "play R BL; play BP TR")
    assert plays(state) == {"PG BR"}


def test_F11_bonuses_hold_inside_a_trap_and_the_extra_turn_is_free() -> None:
    trap = {"colour": "R", "setter": 0}
    state = position("RB OR YR R", ["G G", "R BY P", "YG GY"], mover=1, trap=trap, pile=FILLER)
    state, events = do(state, "play R BL")
    assert some(events, DoubleMatched)
    assert "BY TR" in plays(state)
    state, events = do(state, "play BY TR; stop")
    assert not some(events, TrapEnded)
    assert (mover(state), state.view(None).trap) == (2, ("R", 0))
    assert legal(state) == {"draw"}


def test_F11_full_circle_inside_a_trap() -> None:
    trap = {"colour": "R", "setter": 0}
    state = position("RB BO YG -", ["G G", "PR O P", "G G"], mover=1, trap=trap)
    state, events = do(state, "play PR BL")
    assert some(events, FullCircled)
    assert {"give O 0", "give O 2", "stop"} <= legal(state)


@pytest.mark.parametrize("held", ["G", "W", "B"])
def test_F6_a_card_given_is_known_as_long_held_in_any_order(held: str) -> None:
    """A stored position equals the one that was played."""
    before = position("RB BO YG -", ["GP BR O", f"{held} G", "R R"], old=[["BR", "O"], [held], ["R"]])
    state, _ = do(before, "play GP BL; give BR 1")
    assert sorted(state.to_json()["old"][1]) == sorted([held, "BR"])
    assert GAME.from_json(json.loads(json.dumps(state.to_json()))) == state
