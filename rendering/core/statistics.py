"""What a server has played of a game: one fact in large, bars on paper, the rest in a line each; and all in words."""

from __future__ import annotations

from dataclasses import dataclass

from rendering.core import lettering, theme
from rendering.core.art import dimmed, vignette
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.chrome import place_head
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text
from rendering.core.labels import Labels
from rendering.core.paper import RUST, bar, place_paper
from rendering.core.result import Setting
from rendering.core.sprites import Colour

TOP = 452
"""The upper edge of the paper."""
PAD = 40
HEAD, ROW, LINE = 30, 62, 54
"""The heights of the upper edge, of a bar with its distance to the next one, and of a line of words."""
THICK = 38
LEAST_BAR = 260
"""The least room for a bar."""
INSIDE = WIDTH - 2 * theme.MARGIN - 2 * PAD
"""The width of what is written on the paper."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure: what it is of, how it is written, how much of the whole room its bar takes, and its colour."""

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
        """Those of which the picture says the highest figure alone."""
        return tuple(panel for panel in self.panels if panel is not self.main)


def paint_statistics(setting: Setting, statistics: Statistics, labels: Labels) -> Page:
    """Return the page: the highest figure beside the game's vignette, and on paper the bars that it is of."""
    main, others = statistics.main, statistics.others
    rows = TOP + HEAD + ROW * len(main.bars)
    foot = rows + (24 + LINE * len(others) if others else 0) + 26
    ground = dimmed(setting.ground, lights=((240, 200, TOP),), hidden=foot - TOP)
    page = Page(setting.slug, foot + theme.MARGIN, ground, MOST_FILE_BYTES)
    title = labels.say("game.title")
    place_head(page, [title], [statistics.head], face=setting.face, dark=setting.dark)
    _fact(page, setting, main, labels)
    place_paper(page, TOP, foot - TOP)
    left, room = theme.MARGIN + PAD, bar_room(main)
    for number, one in enumerate(main.bars):
        y = TOP + HEAD + ROW * number + ROW // 2
        page.text(left, y, one.label, theme.SMALL, theme.INK, INSIDE)
        start = left + _widest([one.label for one in main.bars]) + theme.GAP
        reach = max(THICK, round(room * one.length)) if one.length else 0
        page.place(bar(room, THICK, reach, one.colour), start, y, "lm")
        page.text(left + INSIDE, y, one.value, theme.SMALL, theme.INK, INSIDE, "rm")
    for number, panel in enumerate(others):
        y, told = rows + 24 + LINE * number + LINE // 2, said(panel)
        wide = page.text(left, y, panel.title, theme.SMALL, RUST, INSIDE)
        page.text(left + INSIDE, y, told, theme.SMALL, theme.INK, INSIDE - wide - theme.GAP, "rm")
    return page


def said(panel: Panel) -> str:
    """Return the highest figure of a panel."""
    return f"{panel.highest.label} · {panel.highest.value}"


def _fact(page: Page, setting: Setting, panel: Panel, labels: Labels) -> None:
    """Place the highest figure in large, beside the game's vignette: what it is of above it, whose it is below."""
    page.place(vignette(setting.game, 300), 240, 268, "mm")
    left, room, best = 440, WIDTH - 440 - theme.MARGIN, panel.highest
    page.text(left, 266, best.value, 140, theme.BRASS_LIGHT, room, face=setting.face, halo=setting.dark)
    for y, text, most in ((160, panel.title, 42), (376, best.label, 56)):
        size = lettering.fitting(text, most, theme.SMALL, room)
        page.text(left, y, text, size, theme.CREAM, room, halo=setting.dark)


def _widest(texts: list[str]) -> int:
    return max(lettering.width(text, theme.SMALL) for text in texts)


def bar_room(panel: Panel) -> int:
    """Return the pixels that labels and values leave for the bars of a panel."""
    words = _widest([one.label for one in panel.bars]) + _widest([one.value for one in panel.bars])
    return INSIDE - words - 2 * theme.GAP


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
