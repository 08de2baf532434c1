"""Words stand in the place that a picture shows, not on plates; and none of them is cut, covered or off the page."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from PIL import Image, ImageChops

from data.content.texts import languages
from rendering.core import lettering, sprites
from rendering.core.art import art
from rendering.core.canvas import WIDTH, Page, Stroke
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, Sprite, Tint
from rules import GAMES
from rules.core.game import Seat
from tests.goldens.views_full_circle import VIEWS as CIRCLES
from tests.goldens.views_photosynthesis import VIEWS as FORESTS
from tests.rendering.play import drawn, game, labels
from tests.support.pixels import lettering_of

MOST_SHADE = 0.08
DENSE, DARK = 51, 70
"""What is denser and darker than this, of 255, and does not hide the stage, is a plate if words stand on it."""
MARGIN = 10
"""Pixels by which a text's sheet is higher than its letters."""
NAMES = {
    "twelve": ("Maximilianus", "Wolfgangrick", "Bartholomeus", "Hildegardina"),
    "emoji": ("🦄" * 32, "🐙" * 32, "🌋" * 32, "🎲" * 32),
    "scripts": ("Константинов", "田中さくら花子", "Ελευθερία", "Zoë"),
}
WHOLE = [NAMES["twelve"]]
"""The names that are to be whole."""
SPARE = 120
"""If so many pixels are free beside a name that is cut, for more than the rest of it, there was room for it."""
SOLID, HIDDEN = 150, 0.04
"""What is denser, of 255, hides what lies under it; the part of a text that may be hidden."""
TOUCH = 60
"""Pixels in which two texts may touch: emoji are higher than a line."""


def shade_of(page: Page) -> float:
    """Return the share of a page that lies under a plate: under something dark, through which the stage is seen, and on
    which words stand.
    """
    whole = Image.new("L", (WIDTH, page.height))
    words: list[Stroke] = []
    for stroke in reversed(page.strokes):
        what = stroke.what
        if lettering_of(what) is not None:
            words.append(stroke)
        elif not is_halo(what) and any(_is_within(text, stroke) for text in words):
            layer = what.layer
            dark = layer.convert("RGB").convert("L").point([255 * (value < DARK) for value in range(256)])
            seen = layer.getchannel("A").point([255 * (DENSE < value < 250) for value in range(256)])
            whole.paste(255, (stroke.left, stroke.top), ImageChops.multiply(dark, seen))
    return whole.histogram()[255] / (WIDTH * page.height)


def is_halo(what: Sprite | Tint) -> bool:
    """Say whether it is the soft dark round letters."""
    return isinstance(what, Tint) and isinstance(what.draw, partial) and what.draw.func is sprites.halo


def _is_within(text: Stroke, plate: Stroke) -> bool:
    return (
        plate.left <= text.left
        and text.right <= plate.right
        and plate.top <= text.top + MARGIN
        and text.bottom - MARGIN <= plate.bottom
    )


def test_little_of_a_picture_lies_under_plates(page: Page) -> None:
    assert shade_of(page) <= MOST_SHADE


def test_plates_are_measured() -> None:
    def veil() -> Pixels:
        return Pixels(Image.new("RGB", (600, 200)), Image.new("L", (600, 200), 150))

    page = Page("sea_change", 400, lambda width, height: Image.new("RGB", (width, height)))
    page.place(Sprite(veil), 0, 0)  # no words stand on it
    page.place(Sprite(veil), 300, 200)
    page.text(600, 300, "Your turn", 46, (255, 255, 255), anchor="mm", halo=(0, 0, 0))
    assert shade_of(page) == 0.25


class Text:
    """A text on a page: what it says, its letters, and how many of their pixels things laid later hide."""

    def __init__(self, stroke: Stroke, words: partial[Image.Image]) -> None:
        mask = words()
        box = mask.getbbox() or (0, 0, 1, 1)
        self.said, self.words = words.args[0], words
        self.left, self.top = stroke.left + box[0], stroke.top + box[1]
        self.right, self.foot = stroke.left + box[2], stroke.top + box[3]
        self.mask = mask.crop(box).point([255 * (value > 128) for value in range(256)])
        self.under = Image.new("L", self.mask.size)

    @property
    def hidden(self) -> float:
        """The part of its letters that is hidden."""
        return self.under.histogram()[255] / max(1, self.mask.histogram()[255])

    def lies_under(self, stroke: Stroke) -> None:
        """Count what a sprite hides of it."""
        left, top = max(self.left, stroke.left), max(self.top, stroke.top)
        right, foot = min(self.right, stroke.right), min(self.foot, stroke.bottom)
        if left < right and top < foot and isinstance(stroke.what, Sprite):
            part = (left - stroke.left, top - stroke.top, right - stroke.left, foot - stroke.top)
            solid = stroke.what.alpha.crop(part).point([255 * (value > SOLID) for value in range(256)])
            at = left - self.left, top - self.top
            letters = self.mask.crop((*at, at[0] + right - left, at[1] + foot - top))
            self.under.paste(255, at, ImageChops.multiply(solid, letters))

    def touches(self, other: Text) -> int:
        """Return the pixels that both have."""
        left, right = max(self.left, other.left), min(self.right, other.right)
        top, foot = max(self.top, other.top), min(self.foot, other.foot)
        if left >= right or top >= foot:
            return 0
        parts = [
            one.mask.crop((left - one.left, top - one.top, right - one.left, foot - one.top)) for one in (self, other)
        ]
        return ImageChops.multiply(*parts).histogram()[255]


def texts_of(page: Page) -> list[Text]:
    """Return the texts on a page; not those that a sprite laid later hides, as the next card of a fan."""
    found: list[Text] = []
    for stroke in page.strokes:
        if isinstance(stroke.what, Sprite):
            found = [text for text in found if not _hidden(text, stroke)]
            for text in found:
                text.lies_under(stroke)
        elif (words := lettering_of(stroke.what)) is not None:
            found.append(Text(stroke, words))
    return found


def _hidden(text: Text, stroke: Stroke) -> bool:
    if stroke.left > text.left or stroke.top > text.top or stroke.right < text.right or stroke.bottom < text.foot:
        return False
    box = (text.left - stroke.left, text.top - stroke.top, text.right - stroke.left, text.foot - stroke.top)
    return stroke.what.alpha.crop(box).getextrema()[0] == 255 if isinstance(stroke.what, Sprite) else False


def room_of(text: Text, texts: list[Text], names: tuple[str, ...]) -> int:
    """Return the pixels that are free beside a text, less those that the rest of a name that is cut in it needs."""
    _, size, face = text.words.args
    beside = [other for other in texts if other is not text and other.top < text.foot and text.top < other.foot]
    left = max([0, *(other.right for other in beside if other.right <= text.left)])
    right = min([WIDTH, *(other.left for other in beside if other.left >= text.right)])
    begun = re.search(r"(\S+)…", text.said)
    name = next((name for name in names if begun and name.startswith(begun[1])), "")
    if begun is None or not name:
        return 0
    return (
        right
        - left
        - (text.right - text.left)
        + lettering.width(begun[1], size, face)
        - lettering.width(name, size, face)
    )


def faults(page: Page, names: tuple[str, ...]) -> list[str]:
    """Return what is wrong with a page's words."""
    found, texts = [], texts_of(page)
    for number, text in enumerate(texts):
        if text.left < 0 or text.right > WIDTH or text.top < 0 or text.foot > page.height:
            found.append(f"{text.said!r} leaves the page: {text.left} to {text.right}, {text.top} to {text.foot}")
        if text.hidden > HIDDEN:
            found.append(f"{text.hidden:.0%} of {text.said!r} are hidden")
        if names in WHOLE and (room := room_of(text, texts, names)) >= SPARE:
            found.append(f"{text.said!r} is cut, though {room} pixels are free")
        others = [other for other in texts[:number] if other.said != text.said and text.touches(other) > TOUCH]
        found += [f"{text.said!r} lies on {other.said!r}: {text.touches(other)} pixels" for other in others]
    return found


def pages(slug: str, seats: int, seed: str, found: Labels) -> list[tuple[str, Page]]:
    """Return the pages of a random match, each with its kind."""
    states, events = game(slug, seats, seed)
    random, over = Random(seed), states[-1].view(None)
    middle = states[random.randrange(len(states) // 3, len(states))]
    seat = random.choice(sorted(middle.to_move()) or [Seat(0)])
    shown = [("table", drawn(slug).paint(middle.view(None), found)), ("over", drawn(slug).paint(over, found))]
    shown += [("hand", drawn(slug).paint(middle.view(seat), found))]
    shown += [("large", drawn(slug).paint(middle.view(seat), replace(found, large=True)))]
    if last := drawn(slug).paint_last(middle.view(None), found):
        shown.append(("last", last))
    if story := drawn(slug).story(over, events, found):
        shown += [("result", drawn(slug).paint_result(story, found)), ("round", drawn(slug).paint_round(story, found))]
    return shown


@pytest.mark.games("slug", short=["full_sun"], long=GAMES)
@pytest.mark.parametrize("kind", NAMES)
def test_no_word_is_cut_covered_or_off_the_page(slug: str, kind: str, pytestconfig: pytest.Config) -> None:
    """In positions of random matches of each number of players, with long names, in one of the languages."""
    seed = pytestconfig.getoption("--seed")
    random, wrong = Random(f"{seed} {slug} {kind}"), dict[str, list[str]]()
    for seats in GAMES[slug].seats:
        language = random.choice(languages())
        print(f"words by seed {seed}: {slug}, {seats} players, {kind}, {language}")
        found = labels(slug, seats, NAMES[kind], language)
        shown = pages(slug, seats, seed, found)
        wrong |= {f"{name} of {seats}": told for name, page in shown if (told := faults(page, NAMES[kind]))}
    assert wrong == {}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("hand", [(2, 4, 3, 2), (4, 2, 3, 0), (0, 1, 0, 2)])
def test_a_stall_s_counter_hides_no_number(hand: tuple[int, ...], language: str) -> None:
    """Of all four kinds of pieces, too, each has its number beside it."""
    view = FORESTS["table_4_forest"]._replace(hands=(hand,) * 4)
    page = drawn("photosynthesis").paint(view, labels("photosynthesis", 4, NAMES["twelve"], language))
    assert faults(page, NAMES["twelve"]) == []


@pytest.mark.parametrize("name", CIRCLES)
def test_no_light_of_the_window_lies_on_words(name: str) -> None:
    view = CIRCLES[name]
    page = drawn("full_circle").paint(view, labels("full_circle", view.seats, NAMES["twelve"]))
    for said in [stroke for stroke in page.passing if lettering_of(stroke.what) is not None]:
        box = said.shown
        for stroke in page.strokes[page.strokes.index(said) :]:
            if isinstance(stroke.what, Sprite) and stroke.what.size[0] > 200:
                part = (box.left - stroke.left, box.top - stroke.top, box.right - stroke.left, box.bottom - stroke.top)
                assert stroke.what.alpha.crop(part).getextrema()[1] < DENSE


def test_a_hidden_number_is_found() -> None:
    page = Page("sea_change", 400, lambda width, height: Image.new("RGB", (width, height)))
    page.text(600, 300, "12", 46, (255, 255, 255), anchor="mm")
    page.place(art("common/crown", 60), 616, 300, "mm")
    assert ["'12'" in fault and "hidden" in fault for fault in faults(page, ())] == [True]
