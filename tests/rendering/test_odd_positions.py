"""Words tell the truth in odd positions too: nothing is promised that a ruling takes away."""

from __future__ import annotations

import pytest

from data.content.texts import texts
from rendering.core.labels import Labels
from rendering.core.prompts import Prompt
from rules.core.game import AnyState, Event, Seat
from rules.full_circle import GAME as FULL_CIRCLE
from tests.rendering.play import drawn, labels
from tests.rules import playing, playing_full_circle, playing_full_sun, playing_photosynthesis

ANN = Seat(0)


def shown(slug: str, state: AnyState, seat: int = 0) -> tuple[str, str]:
    """Alt text and transcript of the seat's picture."""
    view, words = state.view(Seat(seat)), labels(slug, 4)
    return drawn(slug).describe(view, words), drawn(slug).transcript(view, words)


def asked(slug: str, state: AnyState, *path: str) -> Prompt:
    (seat,) = state.to_move()
    return drawn(slug).prompt(state.view(seat), state.legal_moves(seat), path, labels(slug, 4))


def told(slug: str, events: list[Event]) -> str:
    return "\n".join(drawn(slug).narrate(event, labels(slug, 4)) for event in events)


# --- Full Sun


def needs(state: AnyState, seat: int) -> list[str]:
    """The suits and Weather cards of which the transcript says what they need as a last card."""
    lines = shown("full_sun", state, seat)[1].splitlines()
    return [line.split()[1] for line in lines if "as your last card" in line]


def test_S6_before_the_last_trick_every_suit_in_hand_may_be_the_last() -> None:
    state = playing_full_sun.position(["B5 R2", "R5 S2", "S5 L2"])
    assert needs(state, 0) == ["Beech", "Redbud"]


def test_S6_in_the_last_trick_only_what_may_be_played_can_be_the_last_card() -> None:
    state = playing_full_sun.position(["B5", "B3 L7 Sun", "S4 L1 L2"], points=[2, 0, 0], leader=0)
    assert needs(state, 1) == ["Beech", "Black", "Sun"]
    state, _ = playing.play(state, "B5")
    assert needs(state, 1) == ["Beech"]


def test_S6_who_has_played_the_last_card_is_that_tree_whatever_is_left_in_hand() -> None:
    state = playing_full_sun.position(["B5", "R3 L7 Sun", "S4 L1 L2"], points=[2, 0, 0], leader=0)
    state, _ = playing.play(state, "B5 R3")
    assert needs(state, 1) == ["Redbud"]
    assert needs(state, 2) == ["Sycamore", "Black"]


def test_S5_the_story_tells_how_many_cards_are_laid_aside() -> None:
    state = playing_full_sun.position(["B5", "R3 L7 Sun", "S4 L1 L2"], won=(1, 1, 5), points=[2, 0, 0], target=5)
    _, events = playing.play(state, "B5 R3 S4")
    assert "tricks 1 of 2, 2 laid aside" in told("full_sun", events)


# --- Full Circle


def test_a_wild_of_a_colour_is_not_named_as_a_card_of_that_colour() -> None:
    """Both may stand side by side: "🟡 Y ↗️" and "⭐ = Yellow ↗️", on a button of its own and among its quadrants."""
    state = playing_full_circle.position("RB BO YG -", ["Y W", "G", "R"])
    labelled = [choice.label for path in ((), ("W",)) for choice in asked("full_circle", state, *path).choices]
    assert any(label.startswith("⭐ = Yellow ") for label in labelled), labelled
    assert not any(label.startswith("⭐ Yellow") for label in labelled)


def test_F6_a_gift_of_the_last_card_is_said_to_win_the_round() -> None:
    state, _ = playing_full_circle.do(playing_full_circle.position("RB BO YG -", ["GP BR", "G", "R"]), "play GP BL")
    (give,) = [choice for choice in asked("full_circle", state).choices if choice.path == ("give",)]
    assert "wins the round" in give.detail
    assert "wins the round" in asked("full_circle", state, "give").question
    assert "wins the round" in asked("full_circle", state, "give", "BR").question
    assert "wins the round" in shown("full_circle", state)[1]


def test_F6_a_gift_of_one_of_two_cards_is_said_to_lay_the_other_open() -> None:
    state, _ = playing_full_circle.do(playing_full_circle.position("RB BO YG -", ["GP BR O", "G", "R"]), "play GP BL")
    for path in (("give",), ("give", "BR")):
        question = asked("full_circle", state, *path).question
        assert "face up" in question and "wins" not in question


def test_F6_a_gift_of_one_of_many_brings_nothing_more() -> None:
    state, _ = playing_full_circle.do(playing_full_circle.position("RB BO YG -", ["GP BR O P", "G", "R"]), "play GP BL")
    question = asked("full_circle", state, "give").question
    assert "face up" not in question and "wins" not in question


def test_F7_where_nothing_more_fits_no_picture_says_to_play_again() -> None:
    state, _ = playing_full_circle.do(playing_full_circle.position("RB - YG -", ["BY OP P", "G"]), "play BY TR")
    assert "nothing more fits" in shown("full_circle", state)[0]
    assert "lay again" not in shown("full_circle", state)[0]


def test_F7_a_full_circle_after_which_nothing_fits_leaves_the_gift() -> None:
    state, _ = playing_full_circle.do(playing_full_circle.position("RB BO YG -", ["GP RO RO", "G", "R"]), "play GP BL")
    assert not playing_full_circle.plays(state)
    assert "Give a card, or stop." in shown("full_circle", state)[0]
    assert "lay again" not in shown("full_circle", state)[0]


def test_F9_whose_turn_without_trap_it_is_and_whose_is_to_come() -> None:
    position = playing_full_circle.position
    lines = shown("full_circle", position("RB OR RG YR", ["P G", "P YB"], barred=[1, 0]))[1]
    assert "Ann cannot set a trap this turn." in lines
    lines = shown("full_circle", position("RB OR RG YR", ["P G", "P YB"], barred=[1, 0], mover=1))[1]
    assert "Ann cannot set a trap next turn." in lines
    assert "this turn" not in lines


def test_F15_a_first_win_is_said_to_make_the_next_worth_more() -> None:
    state, events = playing_full_circle.do(playing_full_circle.position("RB - - -", ["BY", "G"]), "play BY TR")
    assert "🔥 Ann won the round. Winning the next one too gives −4 points." in told("full_circle", events)
    for seat in range(2):
        alt, transcript = shown("full_circle", state, seat)
        for text in (alt, transcript):
            assert "Ann: 0 points, 6 cards, won the last round (winning the next one too gives −4)" in text
            assert "Ben: 4 points, 6 cards." in text
    score = drawn("full_circle").score(state.view(None), labels("full_circle", 4)).splitlines()
    assert score[0].endswith("🔥 winning again gives −4")
    assert "win" not in score[1]


def test_F15_a_further_win_tells_how_many_and_what_the_next_brings() -> None:
    start = playing_full_circle.position("RB - - -", ["BY", "G"], totals=[10, 0], streak=[0, 2])
    state, events = playing_full_circle.do(start, "play BY TR")
    story = told("full_circle", events)
    assert "Ann won again: 4 points off." in story
    assert "Ann has won 3 rounds in a row. Winning the next one too gives another −4." in story
    assert "is over" not in story
    alt, transcript = shown("full_circle", state, 1)
    assert "3 wins in a row (the next one gives −4)" in alt
    assert "It was Ann's win number 3 in a row: 4 points off." in transcript
    _, words = drawn("full_circle").last(state.view(None), labels("full_circle", 4))
    assert "win number 3 in a row" in words


def test_F15_a_streak_is_said_to_be_over() -> None:
    position = playing_full_circle.position
    _, events = playing_full_circle.do(position("RB - - -", ["BY", "G"], streak=[1, 3]), "play BY TR")
    assert "Ben's streak of 3 wins is over." in told("full_circle", events)
    _, events = playing_full_circle.do(position("RB - - -", ["P", "G"], streak=[0, 2]), "pass; pass")
    assert "Ann's streak of 2 wins is over." in told("full_circle", events)
    assert "Winning the next one" not in told("full_circle", events)
    _, events = playing_full_circle.do(position("RB - - -", ["BY", "G"], streak=[1, 1]), "play BY TR")
    assert "is over" not in told("full_circle", events)


def test_F16_no_further_win_is_promised_points_where_none_can_count() -> None:
    """Not after the last round, and not before or in a play-off."""
    position = playing_full_circle.position
    for totals in ([10, 8, 46], [10, 2, 46]):
        start = position("RB - - -", ["BY", "G", "O"], totals=totals, streak=[0, 1])
        state, events = playing_full_circle.do(start, "play BY TR")
        assert (state.outcome() is None) == state.view(None).play_off == (totals[1] == 2)
        assert "points off" in told("full_circle", events)
        score = drawn("full_circle").score(state.view(None), labels("full_circle", 4))
        for text in (told("full_circle", events), *shown("full_circle", state), score):
            assert "bring" not in text and "next" not in text
        assert "2 wins in a row" in score


def test_F16_a_play_off_is_said_to_count_nothing() -> None:
    start = playing_full_circle.position("RB - - -", ["BY", "", "G RO", ""], **playing_full_circle.PLAY_OFF)
    state, events = playing_full_circle.do(start, "play BY TR")
    story = told("full_circle", events)
    assert "+" not in story and "Counted" not in story
    assert "Counted" not in shown("full_circle", state)[1]
    assert "The play-off goes to Ann." in shown("full_circle", state)[1]


def test_F16_a_play_off_without_winner_is_told() -> None:
    start = playing_full_circle.position("RB - - -", ["P", "", "G", ""], **playing_full_circle.PLAY_OFF)
    state, events = playing_full_circle.do(start, "pass; pass")
    assert "The play-off has no winner" in told("full_circle", events).replace("*", "")
    assert "The play-off has no winner" in shown("full_circle", state)[1]


@pytest.mark.parametrize("target", [10, 11, 25, 99, 199, 200])
def test_F16_any_target_from_10_to_200(target: int) -> None:
    assert FULL_CIRCLE.new(3, {"target": target}, "seed").view(None).target == target
    (option,) = FULL_CIRCLE.options(3, {"target": target})
    assert target in option.values and len(option.values) <= 25
    assert list(option.values) == sorted(set(option.values))


# --- Photosynthesis


def test_P3_the_forecast_counts_no_light_beyond_20() -> None:
    words = Labels(("Ann", "Ben"), texts("en", "photosynthesis"))
    for light, gets, lost in ((20, 0, 3), (18, 2, 1), (17, 3, 0), (0, 3, 0)):
        state = playing_photosynthesis.position("D4=O3 G4=B1", light=[light, 0])
        view = state.view(ANN)
        assert view.forecast[0] == 3
        for text in (
            drawn("photosynthesis").prompt(view, state.legal_moves(ANN), (), words).question.replace("*", ""),
            drawn("photosynthesis").describe(view, words).replace("You get", "you get"),
        ):
            assert f"you get {gets}" in text
            assert ("lost" in text) == bool(lost)
            assert not lost or f"{lost} lost" in text


def test_P3_what_the_sun_paid_leaves_out_what_was_lost() -> None:
    before = playing_photosynthesis.position("D4=O3 G4=B1", round=2, mover=1, light=[18, 0])
    state, _ = playing_photosynthesis.play(before, "end")
    assert state.view(None).light == (20, 1)
    _, alt = drawn("photosynthesis").last(state.view(None), labels("photosynthesis", 2))
    assert "Ann +3 (1 lost)" in alt
    assert "Ben +1." in alt
