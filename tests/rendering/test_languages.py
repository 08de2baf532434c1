"""All that a game draws and says, in every language besides English that claims to have the game in full."""

from __future__ import annotations

import re

import pytest

from cogs.messages.content import LONGEST_BUTTON, MOST_BUTTONS
from data.content.texts import DEFAULT, texts
from rendering.core import lettering
from rendering.core.prompts import Prompt
from rules import GAMES
from tests.goldens import case
from tests.goldens.case import Case
from tests.goldens.views import CASES
from tests.rendering.play import LONG, drawn, game, labels, viewers
from tests.rendering.test_words import check_prompt
from tests.support.languages import TRANSLATED

SHORT = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
TABLES = [
    pytest.param(slug, seats, code, marks=[] if seats == GAMES[slug].seats[0] else pytest.mark.long)
    for slug, code in TRANSLATED
    for seats in sorted({GAMES[slug].seats[0], GAMES[slug].seats[-1]})
]
"""With the fewest players; in long runs also with the most."""
ENGLISH = ("explained", "profile", "result", "statistics")
"""Goldens whose words are chosen when tests.goldens.views is imported."""


@pytest.mark.parametrize(("slug", "seats", "code"), TABLES)
def test_a_whole_match_is_told(slug: str, seats: int, code: str) -> None:
    states, events = game(slug, seats, "words")
    by, found = drawn(slug), labels(slug, seats, LONG, code)
    for event in events:
        for viewer in viewers(seats):
            seen = event.seen_by(viewer)
            assert seen is None or whole(by.narrate(seen, found), code)
    for state in (*states[:: max(1, len(states) // 25)], states[-1]):
        for viewer in viewers(seats):
            view = state.view(viewer)
            assert len(whole(by.describe(view, found), code)) <= 1024
            assert whole(by.transcript(view, found), code) and whole(by.score(view, found), code)
            moves = () if viewer is None else state.legal_moves(viewer)
            if moves:
                legal = {str(move) for move in moves}
                assert check_prompt(by.prompt(view, moves, (), found), slug, state, viewer, found, legal) == legal
                assert all(0 < len(whole(by.move_label(view, move, found), code)) <= 80 for move in moves)
    outcome = states[-1].outcome()
    assert outcome is not None
    assert whole(found.say(f"outcome.{outcome.reason}"), code)


TORN = re.compile(r"[^\s\u00a0][:;?!»](?=\s|$)")
"""A mark that French sets a no-break space before, without it."""


def whole(text: str, code: str) -> str:
    """The text, which has all its facts in it, and its marks as its language sets them."""
    assert "{" not in text, text
    assert code != "fr" or not TORN.search(text), (TORN.findall(text), text)
    return text


@pytest.mark.parametrize(("slug", "code"), TRANSLATED)
def test_the_rules_fit_a_message(slug: str, code: str) -> None:
    page = whole(drawn(slug).rules(GAMES[slug].deck, labels(slug, 0, language=code)), code)
    assert len(page) <= 3500
    english = drawn(slug).rules(GAMES[slug].deck, labels(slug, 0))
    for mark in ("†", "**", "\n\n"):
        assert page.count(mark) == english.count(mark), mark


@pytest.mark.parametrize(("slug", "seats", "code"), TABLES)
def test_what_are_buttons_in_english_are_buttons(slug: str, seats: int, code: str) -> None:
    states, _ = game(slug, seats, "buttons")
    by = drawn(slug)
    for state in states[:: max(1, len(states) // 25)]:
        for viewer in sorted(state.to_move()):
            view, moves = state.view(viewer), state.legal_moves(viewer)
            ways: list[tuple[str, ...]] = [()]
            for path in ways:
                here = [
                    by.question(view, moves, path, labels(slug, seats, SHORT, spoken)) for spoken in (DEFAULT, code)
                ]
                assert are_buttons(here[1]) or not are_buttons(here[0]), here[1]
                ways += [choice.path for choice in here[0].choices if choice.path]


def are_buttons(prompt: Prompt) -> bool:
    return len(prompt.choices) <= MOST_BUTTONS and all(len(choice.label) <= LONGEST_BUTTON for choice in prompt.choices)


def without_room(shown: Case, code: str) -> list[str]:
    """What is cut of what is written on a page in that language, and in French what has no space before a colon."""
    found, fit = [], lettering.fit

    def watched(text: str, size: int, width: int, face: str = lettering.TEXT) -> str:
        if lettering.shorten(text, size, width, face) != lettering.drawable(text):
            found.append(text)
        if code == "fr" and shown.name not in ENGLISH and re.search(r"\S: ", text):
            found.append(text)
        return fit(text, size, width, face)

    case.labels.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "fit", watched)
        patch.setattr(case, "NAMES", SHORT)
        patch.setattr(case, "texts", lambda _, slug: texts(code, slug))
        try:
            shown.page()
        finally:
            case.labels.cache_clear()
    return found


@pytest.mark.parametrize("shown", CASES, ids=lambda shown: shown.file)
def test_pictures_have_room_for_every_word(shown: Case) -> None:
    """Nothing on a page is cut if names are short; English leaves room enough."""
    for code in [code for slug, code in TRANSLATED if slug == shown.slug]:
        assert without_room(shown, code) == [], code
