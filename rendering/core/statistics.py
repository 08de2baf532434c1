"""What a server has played of a game: panels of bars, in a picture and in words.

The bars are drawn with what the other pictures are made of. A plotting library was tried: matplotlib 3.11 takes 150 MB
of disk beside Pillow and 80 MB of memory in each process that draws, 1.4 s to import and 1.1 s for each picture, and
knows neither the game's stage nor its palette, the faces for all scripts, or the limit of the smallest type. This page
needs no more memory than the other pictures, and its first drawing, with cold caches, takes 0.2 to 0.7 s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.chrome import NIGHT, place_header
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text
from rendering.core.labels import Labels
from rendering.core.race import filled
from rendering.core.sprites import Colour, Pixels, sprite

TOP = 100
"""The upper edge of the first panels."""
WIDE = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
"""The width of a panel."""
PAD = 24
HEAD, ROW, FOOT = 66, 54, 14
"""The heights of a panel's title, of a bar with its distance to the next one, and of what is below the last bar."""
THICK = 30
LEAST_BAR = 80
"""The least room for a bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure: what it is of, how it is written, how long its bar is beside others of its panel, and its colour."""

    label: str
    value: str
    length: float
    colour: Colour
    detail: str
    """What the figure is made of, in words: "3 of 12"; "" if the value says all."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars with a title."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """All panels. `head`: how many matches were counted."""

    head: str
    panels: tuple[Panel, ...]


def paint_statistics(
    slug: str, ground: Callable[[int, int], Image.Image], statistics: Statistics, labels: Labels
) -> Page:
    """Return the page: two columns of panels, as high as it takes."""
    boxes = list(_boxes(statistics.panels))
    page = Page(slug, max(top + tall for _, top, tall in boxes) + theme.MARGIN, ground, MOST_FILE_BYTES)
    place_header(page, statistics.head, labels.say("game.title"))
    for panel, box in zip(statistics.panels, boxes, strict=True):
        _place(page, panel, *box)
    return page


def _boxes(panels: Sequence[Panel]) -> Iterator[tuple[int, int, int]]:
    """Yield the left and upper edge and the height of each panel: it is in the column that is shorter until then."""
    columns = [TOP, TOP]
    for panel in panels:
        at = columns.index(min(columns))
        tall = HEAD + ROW * len(panel.bars) + FOOT
        yield theme.MARGIN + at * (WIDE + theme.GAP), columns[at], tall
        columns[at] += tall + theme.GAP


def bar_room(panel: Panel) -> int:
    """Return the pixels that labels and values leave for the bars of a panel."""
    labels = max(lettering.width(bar.label, theme.SMALL) for bar in panel.bars)
    values = max(lettering.width(bar.value, theme.SMALL) for bar in panel.bars)
    return WIDE - 2 * PAD - labels - values - 2 * theme.GAP


def _place(page: Page, panel: Panel, left: int, top: int, tall: int) -> None:
    """Place a panel: its title, and below it for each bar the label, the bar and the value."""
    page.shade(left, top, WIDE, tall, 30, 2, 225, NIGHT, 0)
    page.text(left + PAD, top + 36, panel.title, theme.SMALL, theme.BRASS_LIGHT, WIDE - 2 * PAD)
    room = max(LEAST_BAR, bar_room(panel))
    values = max(lettering.width(bar.value, theme.SMALL) for bar in panel.bars)
    start = left + WIDE - PAD - values - theme.GAP - room
    for number, bar in enumerate(panel.bars):
        line = top + HEAD + ROW * number + ROW // 2
        page.text(left + PAD, line, bar.label, theme.SMALL, theme.CREAM, start - theme.GAP - left - PAD)
        reach = max(THICK, round(room * bar.length)) if bar.length else 0
        page.place(_bar(room, reach, bar.colour), start, line, "lm")
        page.text(left + WIDE - PAD, line, bar.value, theme.SMALL, theme.CREAM, values + 4, "rm")


@sprite
def _bar(width: int, reach: int, colour: Colour) -> Pixels:
    return filled(width, THICK, reach, colour)


def alt_text(statistics: Statistics, labels: Labels) -> str:
    """Return all figures of the picture in words, as its alt text."""
    panels = [
        f"{panel.title}: {', '.join(f'{bar.label} {bar.value}' for bar in panel.bars)}." for panel in statistics.panels
    ]
    text = " ".join([f"{labels.say('game.title')}, {statistics.head}.", *panels])
    return fit_text(ALT_TEXT_LIMIT, labels, lambda _: text)


def transcript(statistics: Statistics) -> str:
    """Return the same without a limit, a line a panel, with what each figure is made of."""
    lines = []
    for panel in statistics.panels:
        told = [f"{bar.label} {bar.value}" + (f" ({bar.detail})" if bar.detail else "") for bar in panel.bars]
        lines.append(f"{panel.title}: {', '.join(told)}.")
    return "\n".join(lines)
