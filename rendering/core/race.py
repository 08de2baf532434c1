"""The picture of how a match stands after a round: a row for each place, with its score as a bar."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from rendering.core import theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import NIGHT, crown, place_header
from rendering.core.discs import colour_of, disc, ink_on, short_names
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.score_chart import SLATE
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, mix, sprite
from rendering.core.story import MOST_PLACES, Place, Story, after

ROUND_TOP = 106
"""The upper edge of the first row of a round's picture."""
ROUND_ROW = (58, 112)
"""The least and the most pixels from one row to the next."""
STRIPE = 7
"""The width of a stripe of what the round added; the gap between two is twice as wide."""
RACE, TEAM_RACE = (476, 850), (700, 850)
"""The left and right ends of the bars of the scores; those of teams leave more room for names."""


def paint_round(slug: str, ground: Callable[[int, int], Image.Image], story: Story, labels: Labels) -> Page:
    """Return the page of a match that goes on: a row a place with its score as a bar, and what the round brought. It is
    the lower, the fewer there are.
    """
    shown = story.places[:MOST_PLACES]
    least, most = ROUND_ROW
    tall = max(least, min(most, 470 // len(shown)))
    page = Page(slug, ROUND_TOP + tall * len(shown) + theme.MARGIN - 8, ground)
    place_header(page, after(story, labels), labels.say("game.title"))
    race = TEAM_RACE if any(len(place.seats) > 1 for place in shown) else RACE
    longest = max(1, *(value for place in shown for value in place.course[-2:]))
    for number, place in enumerate(shown):
        _row(page, labels, place, (ROUND_TOP + tall * number, tall - 8), race, longest)
    return page


def _row(page: Page, labels: Labels, place: Place, row: tuple[int, int], race: tuple[int, int], longest: int) -> None:
    """Place a row: a crown or the rank, the disc, the name, the score as a bar with what the round added, the score.
    `row`: its upper edge and its height.
    """
    top, tall = row
    left, wide, line = theme.MARGIN, WIDTH - 2 * theme.MARGIN, top + tall // 2
    page.shade(left, top, wide, tall, tall // 2, 2, 200, NIGHT, 0)
    if place.rank == 1:
        page.place(crown(54), left + 46, line, "mm")
    else:
        page.text(left + 46, line, f"{place.rank}.", theme.BODY, theme.CREAM, 56, "mm")
    size, at = min(88, tall - 6), left + 84
    for seat in place.seats:
        page.place(disc(labels, seat, size), at + size / 2, line, "mm")
        at += size * 2 // 3
    at += size // 3 + 16
    kind = 44 if tall >= 80 and len(place.seats) == 1 else theme.SMALL
    name = short_names(labels, place.seats, kind, race[0] - 16 - at)
    page.text(at, line, name, kind, theme.CREAM, race[0] - 16 - at)
    now, gain = place.course[-1], place.course[-1] - place.course[-2]
    start, length = race[0], race[1] - race[0]
    both = sorted(max(0, value) * length // longest for value in (now, now - gain))
    colour = colour_of(labels, place.seats[0])
    page.place(drawn_bar(length, min(40, tall - 26), both[0], both[1], colour, gain > 0), start, line, "lm")
    end = page.text(left + wide - 26, line, place.score, kind, theme.CREAM, 190, "rm")
    if gain:
        page.text(left + wide - 26 - end - 18, line, signed(gain), kind, theme.BRASS_LIGHT, 110, "rm")


@sprite
def drawn_bar(width: int, height: int, kept: int, reach: int, colour: Colour, won: bool) -> Pixels:
    """The bar of a score on its track. From `kept` to `reach` it is what a round added (`won`), in stripes of the same
    colour, or took away; a light line divides the two.
    """
    bar = filled(width, height, reach, colour)
    other = filled(width, height, reach, ink_on(colour) if won else SLATE)
    mask = _stripes(width, height) if won else Image.new("L", (width, height), 255)
    mask.paste(0, (0, 0, kept, height))
    image = Image.composite(other.image, bar.image, mask)
    if 0 < kept < reach and reach >= height / 2:
        image.paste(theme.CREAM, (max(0, kept - 3), 0, kept, height))
    return Pixels(image, bar.alpha)


def filled(width: int, height: int, reach: int, tone: Colour) -> Pixels:
    """Return a bar of one tone on its track; without a bar, if that is shorter than its rounding."""
    pen = Pen(width, height)
    r = height / 2
    pen.box(0, r - 5, width, r + 5, 5, mix(SLATE, theme.CREAM, 0.3))
    if reach >= r:
        pen.box(0, 0, reach, height, r, theme.CREAM)
        pen.box(3, 3, reach - 3, height - 3, r - 3, tone)
    return pen.pixels()


def _stripes(width: int, height: int) -> Image.Image:
    """Return a mask of slanted stripes."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    draw = ImageDraw.Draw(mask)
    for left in range(-height, width, 3 * STRIPE):
        foot = [(left, height), (left + STRIPE, height), (left + STRIPE + height, 0), (left + height, 0)]
        draw.polygon([(x * SCALE, y * SCALE) for x, y in foot], 255)
    return mask.reduce(SCALE)
