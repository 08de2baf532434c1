"""What a server has played of a game: one panel of figures as things on the game's stage, and all panels in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rendering.core import lettering, theme
from rendering.core.art import dimmed, shadow
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.chrome import place_head
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text
from rendering.core.labels import Labels
from rendering.core.result import LINE, SCORE_AT, by_turns, place_floor, place_row, spread

if TYPE_CHECKING:
    from rendering.core.renderer import AnyRenderer

HEIGHT, TOP = 860, 240
"""The height of the page, and of the upper end of the highest figure."""
LEAST_TALL, WIDEST = 90, 220
"""How high a figure of nothing is, and the most width of one."""
BEST, FIGURE = 112, 54
"""The type of the highest figure and of the others."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure: its name among `Game.charts`, what it is of, how it is written, and how long its bar is."""

    name: str
    label: str
    value: str
    length: float
    detail: str
    """What the figure is made of, in words: "3 of 12"; "" if the value says all."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars with a title."""

    title: str
    bars: tuple[Bar, ...]
    own: bool = False
    """Whether only this game has it."""

    @property
    def highest(self) -> Bar:
        """The longest bar, the first of several."""
        return max(self.bars, key=lambda one: one.length)


@dataclass(frozen=True, slots=True)
class Statistics:
    """All panels. `head`: how many matches were counted."""

    head: str
    panels: tuple[Panel, ...]

    @property
    def main(self) -> Panel:
        """The one that the picture shows with all its bars: the first of the game's own."""
        return next((panel for panel in self.panels if panel.own), self.panels[0])

    @property
    def others(self) -> tuple[Panel, ...]:
        """Those that the picture leaves out."""
        return tuple(panel for panel in self.panels if panel is not self.main)


def paint_statistics(game: AnyRenderer, statistics: Statistics, labels: Labels) -> Page:
    """Return the page: the figures of the main panel, each a thing of the game as high as it, the highest in the light
    and in large.
    """
    panel = statistics.main
    bars, best = panel.bars, panel.highest
    each = min((WIDTH - 2 * theme.MARGIN) // len(bars), 300)
    middles = dict(zip(bars, spread(len(bars), each), strict=True))
    foot = HEIGHT - SCORE_AT - LINE * by_turns([one.label for one in bars], each)
    ground = dimmed(game.ground, lights=((round(middles[best]), each * 2 // 3, foot),))
    page = Page(game.palette, HEIGHT, ground, MOST_FILE_BYTES)
    place_floor(page, game, foot, HEIGHT)
    place_head(page, [panel.title], [statistics.head], face=game.FACE, dark=game.DARK)
    for one, x in middles.items():
        part = one.length / best.length if best.length else 0
        tall = LEAST_TALL + round((foot - TOP - LEAST_TALL) * part)
        thing = game.pillar(one.name, min(each - 16, WIDEST), tall)
        page.place(shadow(thing.size[0]), x, foot - 4, "mm")
        page.place(thing, x, foot, "mb")
        size, ink = (BEST, theme.BRASS_LIGHT) if one is best else (FIGURE, theme.CREAM)
        size = lettering.fitting(one.value, size, theme.SMALL, each - 8, game.FACE)
        page.text(x, foot - tall - size * 0.6, one.value, size, ink, WIDTH, "mm", game.FACE, game.DARK)
    place_row(page, game, foot, each, [("", one.label, one is best) for one in bars])
    return page


def alt_text(statistics: Statistics, labels: Labels) -> str:
    """Return all figures of the picture in words, as its alt text."""
    told = [(panel.title, ", ".join(f"{bar.label} {bar.value}" for bar in panel.bars)) for panel in statistics.panels]
    panels = [labels.say("pair", name=title, value=bars) + "." for title, bars in told]
    text = " ".join([f"{labels.say('game.title')}, {statistics.head}.", *panels])
    return fit_text(ALT_TEXT_LIMIT, labels, lambda _: text)


def transcript(statistics: Statistics, labels: Labels) -> str:
    """Return the same without a limit, a line a panel, with what each figure is made of."""
    lines = []
    for panel in statistics.panels:
        told = [f"{bar.label} {bar.value}" + (f" ({bar.detail})" if bar.detail else "") for bar in panel.bars]
        lines.append(labels.say("pair", name=panel.title, value=", ".join(told)) + ".")
    return "\n".join(lines)
