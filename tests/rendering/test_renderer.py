"""What a renderer has without writing it, and what a palette's size must be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image, ImageChops

from data.content.texts import languages, texts
from rendering import Renderer, renderer
from rendering.core import discs, theme
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.prompts import MOST_CHOICES
from rendering.core.result import STORY_COLOURS
from rules import GAMES
from rules.core.game import Event, Json, Outcome, Seat
from tests.goldens import __main__ as goldens

TITLE, TAG, BELOW = (0, 340, 1200, 440), (0, 450, 1200, 530), (0, 540, 1200, 640)
"""Where the default cover has its title, its tagline and nothing."""


@dataclass(frozen=True)
class Heap:
    """A view of a game of taking matches."""

    viewer: Seat | None = None
    seats: int = 3
    outcome: Outcome | None = None

    def to_json(self) -> Json:
        return {}


class Take(NamedTuple):
    seat: Seat
    matches: int

    def __str__(self) -> str:
        return f"take {self.matches}"


class Least(Renderer[Heap, Take]):
    """All that a renderer must have. Its colours are those of a palette that is there."""

    slug = "sea_change"

    def paint(self, view: Heap, labels: Labels, focus: Any = ()) -> Page:
        return self.paint_cover(labels)

    def describe(self, view: Heap, labels: Labels) -> str:
        return f"A heap for {labels.list(labels.names)}."

    def narrate(self, event: Event, labels: Labels) -> str:
        return ""


LEAST: Renderer[Heap, Take] = Least()
HEAP = Heap()
KEPT = len({*LEAST.COLOURS, *STORY_COLOURS})
"""Colours that keep their exact value in the palette of such a game."""


def labels(language: str = "en") -> Labels:
    return Labels(
        ("Ann", "Ben", "Cleo"),
        {**texts(language, "sea_change"), "rules.text": "Take up to {most}."},
        ("@a", "@b", "@c"),
    )


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_renderer(slug: str) -> None:
    found = renderer(slug)
    assert found.slug == slug
    assert len(goldens.palette.palette(slug).getpalette() or []) == 3 * found.PALETTE_SIZE


def test_a_renderer_without_words_for_events_cannot_be_made() -> None:
    class Silent(Least):
        narrate = Renderer.narrate

    with pytest.raises(TypeError, match=r"abstract method '?narrate"):
        Silent()


def test_words_by_default() -> None:
    assert LEAST.transcript(HEAP, labels()) == LEAST.describe(HEAP, labels()) == "A heap for Ann, Ben and Cleo."
    assert LEAST.rules({"most": 3}, labels()) == "Take up to 3."
    assert LEAST.move_label(HEAP, Take(Seat(0), 2), labels()) == "take 2"
    assert LEAST.COLOURS == theme.COLOURS


def test_a_score_by_default_names_the_winners_first() -> None:
    assert LEAST.score(HEAP, labels()) == "@a\n@b\n@c"
    over = Heap(outcome=Outcome(frozenset({Seat(1), Seat(2)}), (0, 1, 1), "last"))
    assert LEAST.score(over, labels()) == "🏆 @b\n🏆 @c\n@a"


@pytest.mark.parametrize("language", languages())
def test_moves_by_default_are_offered_all_at_once_or_in_ranges(language: str) -> None:
    few = [Take(Seat(0), matches) for matches in range(3)]
    prompt = LEAST.prompt(HEAP, few, (), labels(language))
    assert prompt.question and [choice.move for choice in prompt.choices] == ["take 0", "take 1", "take 2"]
    many = [Take(Seat(0), matches) for matches in range(2 * MOST_CHOICES)]
    ranges = LEAST.prompt(HEAP, many, (), labels(language)).choices
    assert len(ranges) == 2 and all(choice.move is None for choice in ranges)
    offered = [choice.move for way in ranges for choice in LEAST.prompt(HEAP, many, way.path, labels(language)).choices]
    assert offered == [str(move) for move in many]


def test_there_is_nothing_to_look_back_at_by_default() -> None:
    assert LEAST.last(HEAP, labels()) is None


@pytest.mark.parametrize("language", languages())
def test_a_cover_by_default_is_title_and_tagline(language: str) -> None:
    cover = Image.open(BytesIO(LEAST.cover(replace(labels(language), names=())))).convert("RGB")
    assert cover.size == (1200, 640)
    bare = Page(LEAST.slug, 640, LEAST.ground).ground.layer
    assert all(ImageChops.difference(cover.crop(box), bare.crop(box)).getbbox() for box in (TITLE, TAG))
    assert not ImageChops.difference(cover.crop(BELOW), bare.crop(BELOW)).getbbox()


def test_a_lobby_shows_who_has_joined_and_the_free_seats() -> None:
    """The same disc as later, if the draw gives the player another seat."""
    no_one, one, two = (replace(labels(), names=names) for names in ((), ("Ann",), ("Ann", "Bob")))
    seen = {LEAST.cover(no_one), LEAST.cover(no_one, 4), LEAST.cover(one, 4), LEAST.cover(two, 4), LEAST.cover(two, 5)}
    assert len(seen) == 5
    drawn = replace(two, names=("Bob", "Ann"), discs=(1, 0))
    assert discs.disc(drawn, 1, 84) is discs.disc(two, 0, 84)
    assert discs.disc(drawn, 0, 84) is discs.disc(two, 1, 84)


@pytest.mark.parametrize("size", [KEPT + goldens.FEWEST_SHADES - 1, 257])
def test_a_palette_of_a_wrong_size_is_refused_in_a_sentence(
    size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Named colours keep their exact value and need shades besides; a PNG has 256 at most. Nothing is written."""
    monkeypatch.setattr(goldens.palette, "FOLDER", tmp_path)
    monkeypatch.setattr(goldens, "renderer", lambda slug: LEAST)
    monkeypatch.setattr(LEAST, "PALETTE_SIZE", size)
    with pytest.raises(ValueError, match=f"{size}, but it must be from {KEPT + goldens.FEWEST_SHADES} to 256"):
        goldens.train("sea_change")
    assert not list(tmp_path.iterdir())
