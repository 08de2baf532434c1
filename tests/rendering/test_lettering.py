"""Text can be drawn whatever it is made of, and never takes more room than it is given."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont

from rendering import renderer
from rendering.core import lettering
from rules import GAMES
from tests.rendering.play import LONG, STRANGE


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Ann", "Ann"),
        ("  Ann \n B ", "Ann B"),
        ("𝕸𝖆𝖝", "Max"),
        ("Ａｎｎ", "Ａｎｎ"),
        ("Z\u0336\u0337a\u0335", "Za"),
        ("e\u0301", "é"),
        ("\u202eabc\u202c", "abc"),
        ("\u200b\u200d\ufe0f", ""),
        ("👩‍👩‍👧", "👩👩👧"),
        ("Дмитрий 田中 김 שלום", "Дмитрий 田中 김 שלום"),
    ],
)
def test_drawable(name: str, drawn: str) -> None:
    assert lettering.drawable(name) == drawn


def test_right_to_left_runs_are_turned_and_joined() -> None:
    assert lettering.fit("Ann שלום", 30, 1000) == "Ann םולש"
    assert lettering.fit("مرحبا", 30, 1000) == "ﺎﺒﺣﺮﻣ"
    assert lettering.fit("שלום עולם", 30, 1000) == "םלוע םולש"


def test_the_faces_that_are_asked_first_have_the_plain_letters() -> None:
    games = (renderer(slug).FACE for slug in GAMES)
    for face in {lettering.TEXT, lettering.DISPLAY, lettering.FIGURES, *games}:
        font = ImageFont.truetype(lettering.FONTS / face, 24, layout_engine=ImageFont.Layout.BASIC)
        missing = bytes(font.getmask("\uffff"))
        assert all(bytes(font.getmask(sign)) != missing for sign in string.printable[:94]), face


@pytest.mark.parametrize("name", ["Дмитрий", "Ελευθερία"])
@pytest.mark.parametrize("slug", GAMES)
def test_a_greek_or_cyrillic_name_in_a_large_sentence_is_like_the_rest(slug: str, name: str) -> None:
    """With serifs if the game's face has them, else without."""
    face = renderer(slug).FACE
    like = lettering.TEXT if face.startswith("NationalPark") else lettering.FIGURES
    assert lettering.mask(name, 48, face) == lettering.mask(name, 48, like)
    assert lettering.mask(name, 48, lettering.TEXT) != lettering.mask(name, 48, lettering.FIGURES)


@pytest.mark.parametrize("name", [*LONG, *STRANGE])
@pytest.mark.parametrize("width", [60, 200, 500])
def test_a_name_keeps_within_its_room(name: str, width: int) -> None:
    for face in (lettering.TEXT, lettering.DISPLAY):
        mask = lettering.mask(lettering.fit(name, 33, width, face), 33, face)
        assert mask.width <= width + 8
        assert 0 < lettering.baseline(33) < mask.height


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=32))
def test_any_text_can_be_drawn(text: str) -> None:
    once = lettering.drawable(text)
    assert lettering.drawable(once) == once
    mask = lettering.mask(lettering.fit(text, 24, 300), 24)
    assert mask.width <= 308


@pytest.mark.parametrize("face", sorted({game.FACE for game in map(renderer, GAMES)}))
def test_a_line_with_cyrillic_letters_is_of_one_face(face: str) -> None:
    """Names have them beside the Latin letters of a sentence."""
    for line in ("Дмитрий wins!", "Άννα and Дмитрий"):
        assert len({found for found, _ in lettering._words(line, face)}) == 1
    assert {found for found, _ in lettering._words("Børge wins!", face)} == {face}
