"""What a newcomer is told: the aim, the signs, the rules in short, an explained picture; and what buttons say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

from cogs.messages.content import Select, prompt_rows
from data.content.texts import DEFAULT, languages, texts
from rendering.core import lettering
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH
from rendering.core.prompts import Choice, Prompt, without_single_steps
from rendering.core.renderer import PAGE_BREAK
from rules import GAMES, LESSONS
from rules.core.example import example
from rules.core.game import Seat, chosen_options
from tests.rendering.play import LONG, TABLES, drawn, game, labels, viewers
from tests.rules.test_lessons import as_advised
from tests.support.languages import SPOKEN
from tests.support.pixels import lettering_of
from tests.support.published import PUBLISHED

MOST_SUMMARY = 60
"""Words."""
MOST_COACH, MOST_SIGN, MOST_SIGNS = 280, 130, 10
"""Characters of the two lines of the first turns, and of a sign's line; how many signs there may be. How tall a hand is
with them: tests/cogs/test_heights.py.
"""
MOST_LABEL, MOST_DETAIL = 34, 44
"""Characters of a select's label and of what stands below it that a phone 400 px wide shows in a line."""
TAUGHT = [(slug, language) for slug, language in SPOKEN if slug in PUBLISHED]
DRAWN = [pytest.param(*taught, marks=pytest.mark.long if number % 6 else []) for number, taught in enumerate(TAUGHT)]
"""For what draws pictures: in a short run each of five games in another one of five languages."""


@pytest.mark.parametrize(("slug", "language"), TAUGHT)
def test_the_rules_begin_with_sixty_words(slug: str, language: str) -> None:
    summary = drawn(slug).summary(labels(slug, 4, language=language))
    assert summary != texts(language, slug)["game.tagline"]
    assert 30 <= len(summary.replace("*", "").split()) <= MOST_SUMMARY
    assert summary.count("**") == 6, "the goal, your turn, how you win"


@pytest.mark.parametrize(("slug", "language"), SPOKEN)
def test_two_pages_hold_all_of_the_rules(slug: str, language: str) -> None:
    by, found = drawn(slug), labels(slug, 4, language=language)
    whole, (turn, more) = by.rules(GAMES[slug].deck, found), by.rules_pages(GAMES[slug].deck, found)
    assert not {PAGE_BREAK} & set(f"{turn}\n{more}".splitlines())
    for paragraph in whole.split("\n\n"):
        assert paragraph.strip() in (*turn.split("\n\n"), *more.split("\n\n"), PAGE_BREAK)
    assert len(turn) <= 3_500 and len(more) <= 3_500
    for page in filter(None, (turn, more)):
        for mark in "†‡":
            explained = any(line.startswith(f"{mark} ") for line in page.splitlines())
            assert explained or mark not in page
    if slug in PUBLISHED:
        assert more


@pytest.mark.parametrize(("slug", "language"), TAUGHT)
def test_a_newcomer_is_told_in_a_few_lines(slug: str, language: str) -> None:
    by, seats = drawn(slug), GAMES[slug].seats[-1]
    states, _ = game(slug, seats, "taught")
    found = labels(slug, seats, LONG, language)
    for state in states[:: max(1, len(states) // 25)]:
        for viewer in viewers(seats):
            if viewer is None:
                continue
            coach, legend = by.coach(state.view(viewer), found), by.legend(state.view(viewer), found)
            assert 0 < len(coach) <= MOST_COACH and "{" not in coach + legend
            assert coach.count("\n") == int(viewer in state.to_move()), "the aim, and what to do now"
            assert all(line.startswith("**") for line in coach.splitlines())
            assert 0 < len(legend.splitlines()) <= MOST_SIGNS
            assert all(0 < len(line) <= MOST_SIGN for line in legend.splitlines())


@pytest.mark.parametrize("language", languages())
def test_a_match_to_one_point_is_explained_in_the_singular(language: str) -> None:
    state = GAMES["full_sun"].new(3, chosen_options(GAMES["full_sun"], 3, {"target": 1}), "one")
    found = labels("full_sun", 3, LONG, language)
    coach = drawn("full_sun").coach(state.view(Seat(0)), found)
    assert not re.search(r"\b1 (points|Punkten|puntos|pontos)\b", coach), coach


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_it_tells_nothing_hidden(slug: str, seats: int) -> None:
    states, _ = game(slug, seats, "leaks")
    found, by = labels(slug, seats), drawn(slug)
    for number, state in enumerate(states[:: max(1, len(states) // 30)]):
        for viewer in viewers(seats):
            if viewer is None:
                continue
            view, other = state.view(viewer), state.redeal_unseen(viewer, f"other {number}").view(viewer)
            for tell in (by.coach, by.legend):
                assert tell(view, found) == tell(other, found)


@pytest.mark.parametrize(("slug", "language"), DRAWN)
def test_what_is_explained_is_read_off_the_picture(slug: str, language: str) -> None:
    """Each text stands whole above or below the hand, apart from the others, and a line leads to its thing; in the
    example of the game's own deck and, since an operator's deck has another, in other positions.
    """
    by, seats, shown = drawn(slug), GAMES[slug].seats[-1], example(GAMES[slug], GAMES[slug].deck)
    found = labels(slug, seats, LONG, language)
    states = [state for state in game(slug, seats, "explained")[0][::120] if state.to_move() and language == DEFAULT]
    views = [shown.state.view(shown.seat), *(state.view(min(state.to_move())) for state in states)]
    for number, view in enumerate(views):
        told, page, hand = by.callouts(view, found).splitlines(), by.paint_explained(view, found), by.paint(view, found)
        assert (1 if number else 4) <= len(told) <= 9 and all(text.count(":") and len(text) <= 150 for text in told)
        assert len(page.png()) <= MOST_FILE_BYTES
        left_out = sum(stroke in hand.passing for stroke in hand.strokes)
        added = page.strokes[len(hand.strokes) - left_out :]
        texts = [stroke.shown for stroke in added if lettering_of(stroke.what)]
        said = " ".join(call.args[0] for stroke in added if (call := lettering_of(stroke.what)))
        assert Counter(said.lower().split()) == Counter(
            lettering.drawable(" ".join(map(without_colon, told))).lower().split()
        )
        for at, (left, top, right, bottom) in enumerate(texts):
            assert left >= 0 and right <= WIDTH and top >= 0 and bottom <= page.height
            assert all(
                right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top for other in texts[:at]
            )
        assert len(added) - len(texts) == 2 + len(told), "two strips of paper, and the lines"


def without_colon(text: str) -> str:
    name, _, rest = text.partition(":")
    return name + rest


# Questions and buttons


@pytest.mark.parametrize(("slug", "language"), SPOKEN)
def test_a_question_leads_to_a_choice(slug: str, language: str) -> None:
    """A step with one answer is skipped; all legal moves are offered; what is advised, and to leave, is coloured."""
    seats = max(GAMES[slug].seats)
    states, _ = game(slug, seats, "prompts")
    by, found = drawn(slug), labels(slug, seats, language=language)
    for state in states[:: max(1, len(states) // 40)]:
        for viewer in sorted(state.to_move()):
            view, moves = state.view(viewer), state.legal_moves(viewer)
            offered, ways = set(), [()]
            for path in ways:
                prompt = by.question(view, moves, path, found)
                assert len(prompt.choices) > 1 or not path, path
                assert told_apart(prompt), prompt
                for choice in prompt.choices:
                    assert 0 < len(choice.label) <= 80
                    assert not repeated(choice.label), choice.label
                    assert choice.style not in ("primary", "danger"), "what is advised, and leaving"
                    ways += [choice.path] if choice.move is None else []
                    offered |= {choice.move} - {None}
            assert offered == {str(move) for move in moves}


def told_apart(prompt: Prompt) -> bool:
    """Return whether each line of a select, if the question becomes one, fits on a line of a phone, and what stands
    below the labels differs.
    """
    entries = [entry for row in prompt_rows(prompt, 1, "1", "?") if isinstance(row, Select) for entry in row.entries]
    details = [entry.detail for entry in entries]
    fits = all(len(entry.label) <= MOST_LABEL and len(entry.detail) <= MOST_DETAIL for entry in entries)
    return fits and (len({*details}) > 1 or not any(details))


def repeated(label: str) -> set[str]:
    """Return the signs that a label has more than once."""
    return {sign for sign in label if unicodedata.category(sign) == "So" and label.count(sign) > 1}


@pytest.mark.parametrize("slug", LESSONS)
def test_no_button_of_a_lesson_repeats_a_sign(slug: str) -> None:
    for moment in as_advised(slug):
        view, moves = moment.state.view(LESSONS[slug].seat), moment.state.legal_moves(LESSONS[slug].seat)
        prompt = drawn(slug).question(view, moves, (), labels(slug, LESSONS[slug].seats))
        assert [choice.label for choice in prompt.choices if repeated(choice.label)] == []


def test_a_skipped_step_says_both() -> None:
    tree = {
        (): Prompt("what?", (Choice("buy", path=("buy",)), Choice("plant", path=("plant",)), Choice("end", "end"))),
        ("buy",): Prompt("which?", (Choice("seed", "buy seed", detail="costs 1", alone="buy a seed"),)),
        ("plant",): Prompt("from?", (Choice("A1", path=("plant", "A1")),)),
        ("plant", "A1"): Prompt("where?", (Choice("B1", "plant A1 B1"),)),
    }
    assert without_single_steps(tree[()], tree.__getitem__).choices == (
        Choice("buy a seed", "buy seed", detail="costs 1"),
        Choice("plant → A1 → B1", "plant A1 B1"),
        Choice("end", "end"),
    )
    two = Prompt("which?", (Choice("seed", "buy seed"), Choice("small", "buy small")))
    assert without_single_steps(tree[()], {**tree, ("buy",): two}.__getitem__).choices[0] == Choice(
        "buy", path=("buy",)
    )


def test_a_trump_that_turns_is_on_the_button() -> None:
    states, _ = game("sea_change", 4, "prompts")
    found, turning = labels("sea_change", 4, language=DEFAULT), 0
    for state in states:
        for viewer in state.to_move():
            view = state.view(viewer)
            for choice in drawn("sea_change").question(view, state.legal_moves(viewer), (), found).choices:
                changes = bool(view.lays) and view.lays[-1].card[1:] == str(choice.move).removeprefix("play ")[1:]
                assert changes == choice.label.endswith("⇄ trump")
                turning += changes
    assert turning


@pytest.mark.parametrize(("slug", "signs"), [("full_circle", "🏁✨🌈🪤🔓"), ("sea_change", "⇄")])
def test_signs_are_explained_while_they_are_on_a_button(slug: str, signs: str) -> None:
    by, (states, _) = drawn(slug), game(slug, GAMES[slug].seats[-1], "signs")
    found = labels(slug, GAMES[slug].seats[-1])
    seen = set[str]()
    for state in states:
        for viewer in state.to_move():
            view, moves = state.view(viewer), state.legal_moves(viewer)
            prompts = [by.question(view, moves, (), found)]
            prompts += [by.question(view, moves, choice.path, found) for choice in prompts[0].choices if choice.path]
            shown = " ".join(choice.label for prompt in prompts for choice in prompt.choices)
            assert [sign for sign in signs if sign in by.legend(view, found)] == [
                sign for sign in signs if sign in shown
            ]
            seen |= {sign for sign in signs if sign in shown}
    assert len(seen) >= len(signs) / 2
