"""Names: whoever sits at a table is seen there, whatever they call themselves."""

from __future__ import annotations

import random

import pytest

from cogs.messages.names import apart, clean, isolated, known_as
from rendering.core.alike import skeleton
from rendering.core.formatting import fit_text
from rendering.core.labels import Labels
from rendering.core.lettering import drawable, fit


@pytest.mark.parametrize(
    "name",
    ["", " \n", "\u034f", "\ufe0f\ufe0f", "\u17b4\u17b5", "\U000e0100", "\u0301 \u0302", "\u200b\ufe0f", "\U0001d159"],
    ids=ascii,
)
def test_nobody_has_a_name_that_shows_nothing(name: str) -> None:
    """Marks alone show nothing, or hang on what stands before."""
    assert clean(name) == "?"


@pytest.mark.parametrize(
    "name", ["Ann", "Zo\u00eb", "\u2764\ufe0f", "\u0928\u092e\u0938\u094d\u0924\u0947", "1", "~", "田"]
)
def test_a_name_that_shows_something_stays(name: str) -> None:
    assert clean(name) == name


POOL = (
    "Alex",
    "alex",
    "\u0410\u043b\u0435\u0445",
    "\u0391lex",
    "A\u200blex",
    "\U0001d400lex",
    "\uff21lex",
    "\u24b6lex",
    "A1ex",
    "AIex",
    "\u2460Alex",
    "\u2461Alex",
    "\u05d0\u05dc\u05db\u05e1",
    "\u0639\u0644\u064a",
    "\U0001fae8",
    "\u1d00\u029f\u1d07x",
    "\u15e9\u144e\u144e\u15e9",
    "B" * 32,
    "B" * 31 + "C",
    "?",
    "Bob",
    "B0b",
    "**Bob**",
    "\u0939\u093f\u0928\u094d\u0926\u0940",
)


def test_no_two_players_of_a_table_have_names_that_look_alike() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(500):
        found = apart([clean(name) for name in chance.choices(POOL, k=chance.randint(2, 8))])
        assert len({skeleton(name) for name in found}) == len(found), found
        assert all(len(name) <= 32 for name in found)
        drawn = [drawable(name) for name in found]
        assert len({skeleton(name) for name in drawn}) == len(drawn), drawn
        shown = [isolated(name) for name in found]
        assert all(name.count("\u2068") == name.count("\u2069") for name in shown)


def test_a_name_that_is_cut_keeps_what_tells_it_apart() -> None:
    names = tuple(isolated(name) for name in apart(["\u05d0" * 32, "\u05d0" * 32, "B" * 31 + "C", "B" * 32]))
    seen: list[tuple[str, ...]] = []

    def write(labels: Labels) -> str:
        seen.append(labels.names)
        return " " * 99

    fit_text(9, Labels(names, {}), write)
    for cut in seen:
        assert len({skeleton(name) for name in cut}) == 4
        assert all(name.count("\u2068") == name.count("\u2069") for name in cut)


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("\u1d00\u0274\u0274\u1d00", "ANNA"),
        ("\u15e9\u144e\u144e\u15e9", "ANNA"),
        ("\U0001f170\U0001f17d\U0001f17d\U0001f170", "ANNA"),
        ("\U0001f1e6\U0001f1f3", "AN"),
        ("\U0001d400nn", "Ann"),
    ],
)
def test_styled_letters_are_drawn_as_plain_ones(name: str, drawn: str) -> None:
    assert drawable(clean(name)) == drawn


def test_an_emoji_newer_than_the_fonts_stays_and_keeps_a_place_in_pictures() -> None:
    assert clean("Ann\U0001fae8") == "Ann\U0001fae8"
    assert len(drawable("Ann\U0001fae8")) == 4


def test_a_vowel_sign_of_devanagari_stands_before_its_consonant() -> None:
    assert fit("\u0939\u093f", 40, 500) == "\u093f\u0939"


def test_the_username_stands_in_for_a_name_that_cannot_be_written() -> None:
    assert known_as("\u200b", "ann_92") == "ann_92"
    assert known_as("\ua984\ua985", "ann_92") == "ann_92"  # Javanese
    assert known_as("Ann", "ann_92") == "Ann"
