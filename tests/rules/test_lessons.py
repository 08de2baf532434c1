"""The first lessons: every game that has one is played as advised, and every other move on the way is explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from data.content.texts import own_texts
from rules import GAMES, LESSONS
from rules.core.game import AnyState, Seat, chosen_options
from rules.core.lesson import OTHER, AnyLesson, Progress, goes_on, progress
from tests.support.published import PUBLISHED

MOST_DECISIONS = 25
MOST_WORDS = 70
"""The most words in a text of a lesson, in either language: half a phone's screen."""


class Moment(NamedTuple):
    """A decision of a learner who does as advised."""

    at: Progress[Any]
    state: AnyState
    made: list[tuple[int, str]]


def begun(slug: str) -> AnyState:
    game, lesson = GAMES[slug], LESSONS[slug]
    return game.new(lesson.seats, chosen_options(game, lesson.seats, lesson.options), lesson.seed)


def as_advised(slug: str) -> Iterator[Moment]:
    """Yield the learner's decisions, and at last the end."""
    game, lesson, first = GAMES[slug], LESSONS[slug], begun(slug)
    state, made = first, list[tuple[int, str]]()
    while state.outcome() is None and not lesson.over(state.view(lesson.seat)):
        if lesson.seat in state.to_move():
            at, seat = progress(lesson, game, first, made), lesson.seat
            yield Moment(at, state, list(made))
            move = at.advised
        else:
            seat = min(state.to_move())
            move = progress(lesson, game, first, made).scripted(state, seat)
        assert move is not None, f"the line ends too early: {made}"
        state, _ = state.apply(move)
        made.append((seat, str(move)))
    assert len(made) == len(lesson.line), "the line goes on after the end"


def reasons(lesson: AnyLesson, moment: Moment) -> dict[str, str]:
    """Return why each move but the advised one is worse, by its text; OTHER if it is not."""
    view = moment.state.view(lesson.seat)
    moves = [move for move in moment.state.legal_moves(lesson.seat) if move != moment.at.advised]
    return {str(move): moment.at.reason(view, move) for move in moves}


def test_all_published_games_have_a_lesson() -> None:
    assert LESSONS.keys() >= set(PUBLISHED)


@pytest.mark.parametrize("slug", LESSONS)
def test_every_step_comes_up_and_it_is_short(slug: str) -> None:
    moments = list(as_advised(slug))
    came_up = [moment.at.step.key for moment in moments if moment.at.step is not None]
    assert came_up == list(dict.fromkeys(came_up))
    assert {*came_up} == {step.key for step in LESSONS[slug].steps}
    assert len(moments) <= MOST_DECISIONS
    assert [moment.at.decisions for moment in moments] == list(range(len(moments)))


@pytest.mark.parametrize("slug", LESSONS)
def test_the_learner_has_choices_and_finds_some_moves_alone(slug: str) -> None:
    moments = list(as_advised(slug))
    assert sum(len(moment.state.legal_moves(LESSONS[slug].seat)) > 1 for moment in moments) * 2 > len(moments)
    alone = [moment for moment in moments if moment.at.step is not None and moment.at.step.asks]
    assert all(len(moment.state.legal_moves(LESSONS[slug].seat)) > 1 for moment in alone)


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("slug", LESSONS)
def test_it_has_words_for_all_that_comes_up_and_for_nothing_else(slug: str, code: str) -> None:
    lesson, texts = LESSONS[slug], {**own_texts(code, "common"), **own_texts(code, slug)}
    whys = {why for moment in as_advised(slug) for why in reasons(lesson, moment).values()} - {OTHER}
    steps = {f"lesson.step.{step.key}" for step in lesson.steps}
    needed = {"lesson.intro", "lesson.end", *steps, *(f"lesson.why.{why}" for why in whys)}
    own = {key for key in own_texts(code, slug) if key.startswith("lesson.")}
    assert own == needed
    assert {key: len(texts[key].split()) for key in needed if len(texts[key].split()) > MOST_WORDS} == {}
    for key in needed:
        assert texts[key].format(move="M", better="B")


@pytest.mark.parametrize("slug", LESSONS)
def test_a_learner_who_leaves_the_line_gets_no_more_advice(slug: str) -> None:
    """By a worse move. The computers then think for themselves; the lesson still explains what comes up."""
    game, lesson, first = GAMES[slug], LESSONS[slug], begun(slug)
    moment, other = next(
        (m, move) for m in as_advised(slug) for move, why in reasons(lesson, m).items() if why != OTHER
    )
    state, _ = moment.state.apply(game.parse(lesson.seat, other))
    made = [*moment.made, (int(lesson.seat), other)]
    for _ in range(200):
        if not state.to_move() or lesson.over(state.view(lesson.seat)):
            break
        seat = min(state.to_move())
        at = progress(lesson, game, first, made)
        assert at.scripted(state, seat) is at.advised is None
        move = state.default_move(seat)
        state, _ = state.apply(move)
        made.append((int(seat), str(move)))


@pytest.mark.parametrize("slug", LESSONS)
def test_after_a_move_that_is_as_good_the_lesson_goes_on_to_its_end_or_the_learner_has_left_it(slug: str) -> None:
    """With all its steps, in another order; else it advises nothing more, and says so at one decision."""
    game, lesson, first = GAMES[slug], LESSONS[slug], begun(slug)
    moments, kept = list(as_advised(slug)), set[bool]()
    for count, moment in enumerate(moments, 1):
        before = {m.at.step.key for m in moments[:count] if m.at.step is not None}
        for other in [move for move, why in reasons(lesson, moment).items() if why == OTHER]:
            move: Any = game.parse(lesson.seat, other)
            goes = goes_on(lesson, game, first, moment.made, move)
            state, made, explained, told = moment.state, list(moment.made), set(before), list[bool]()
            while True:
                state, _ = state.apply(move)
                made.append((int(move.seat), str(move)))
                if not state.to_move() or lesson.over(state.view(lesson.seat)):
                    break
                at, seat = progress(lesson, game, first, made), min(state.to_move())
                assert bool(at.lines) == goes, other
                if lesson.seat in state.to_move():
                    assert (at.advised is not None) == goes
                    told.append(at.left)
                    explained |= {at.step.key} if at.step is not None else set()
                move = at.advised if seat == lesson.seat else at.scripted(state, seat)
                move = move or state.default_move(seat)
            assert told == [not goes and number == 0 for number in range(len(told))]
            if goes:
                assert explained == {step.key for step in lesson.steps}, other
            kept.add(goes)
    expected = {"sea_change": {True, False}, "full_sun": {True, False}, "siege_of_sunfall": set()}
    assert kept == expected.get(slug, {False})


def test_cards_of_a_lesson_may_be_played_in_another_order() -> None:
    """The 4 in place of the 5; the 5 then comes in place of the 4."""
    game, lesson, first = GAMES["sea_change"], LESSONS["sea_change"], begun("sea_change")
    made = [(int(entry[0]), entry[2:]) for entry in lesson.line]
    swap = {"play Y5": "play Y4", "play Y4": "play Y5"}
    made = [(seat, swap.get(text, text)) for seat, text in made]
    for count, (seat, text) in enumerate(made):
        at = progress(lesson, game, first, made[:count])
        expected = "play Y5" if made[count] == (0, "play Y4") else text
        assert str(at.advised if seat == lesson.seat else at.lines[seat][0]) == expected


@pytest.mark.parametrize("slug", LESSONS)
def test_it_depends_on_what_the_learner_sees_alone(slug: str) -> None:
    lesson = LESSONS[slug]
    for moment in as_advised(slug):
        other = moment.state.redeal_unseen(lesson.seat, "another")
        seen = moment._replace(state=other)
        assert reasons(lesson, seen) == reasons(lesson, moment)
        assert lesson.over(other.view(lesson.seat)) == lesson.over(moment.state.view(lesson.seat))


def test_the_rulebooks_examples_come_up() -> None:
    """The cards before the learner lie as in the rulebooks' examples."""
    lays = {
        slug: [[lay.card for lay in m.state.view(LESSONS[slug].seat).lays] for m in as_advised(slug)]  # type: ignore[attr-defined]
        for slug in ("sea_change", "full_sun")
    }
    assert ["Y6", "P8"] in lays["sea_change"], "Bad Idea"
    assert ["L6", "L2", "R3"] in lays["full_sun"]
    pledges = [m.state.view(Seat(0)).last_reveal for m in as_advised("siege_of_sunfall")]  # type: ignore[attr-defined]
    assert [3, 0, 2, 3] in [list(reveal.pledges) for reveal in pledges if reveal]


def test_an_end_of_the_turn_is_not_said_to_cost_light() -> None:
    found = [reasons(LESSONS["photosynthesis"], moment).get("end") for moment in as_advised("photosynthesis")]
    assert {*found} == {None, "waits"}


def test_the_lowest_card_is_advised_where_the_lesson_says_to_play_low() -> None:
    moment = next(m for m in as_advised("sea_change") if m.at.step is not None and m.at.step.key == "middle")
    legal = moment.state.legal_moves(LESSONS["sea_change"].seat)
    assert moment.at.advised == min(legal, key=lambda move: int(move.card[1:]))  # type: ignore[attr-defined]


def test_a_card_given_away_is_better_than_the_same_card_played_last() -> None:
    """Both win the round, but the other player counts a card that they were given."""
    lesson, *_, last = LESSONS["full_circle"], *as_advised("full_circle")
    played, _ = last.state.apply(next(m for m in last.state.legal_moves(lesson.seat) if str(m).startswith("play")))
    given, _ = last.state.apply(last.at.advised)
    assert "gift_counts" in reasons(lesson, last).values()
    assert given.view(None).totals[1] > played.view(None).totals[1]  # type: ignore[attr-defined]


def test_ending_with_two_tricks_is_as_good_while_the_redbud_is_in_the_hand() -> None:
    """The learner of Full Sun has two tricks and a card with two pips; the lesson goes for three."""
    for moment in as_advised("full_sun"):
        if moment.at.step is not None and moment.at.step.key in ("hold_back", "cannot_win"):
            assert reasons(LESSONS["full_sun"], moment)["play L7"] == "other"
