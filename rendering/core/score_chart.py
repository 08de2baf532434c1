"""The chart of a match's scores by round, in ink on paper: where its lines and discs lie, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import ClassVar

from rendering.core import lettering, theme
from rendering.core.labels import with_minus_sign
from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite

FAINT: Colour = mix(theme.PAPER_EDGE, theme.INK, 0.25)
"""The rules of the chart."""
MOST_NUMBERS, MOST_DOTS = 8, 13
"""The most rounds that have a number and a rule, and the most scores of a line that all have a dot."""


@dataclass(frozen=True)
class Chart:
    """The score by round, a line a place: where all of it lies."""

    width: int
    height: int
    courses: tuple[tuple[Colour, tuple[float, ...]], ...]
    """The colour of each line and its scores."""
    lowest_wins: bool = False

    TOP: ClassVar[int] = 36
    """The line of the best score."""
    FOOT: ClassVar[int] = 74
    """Pixels from the line of the worst score to the lower edge."""
    DISC: ClassVar[int] = 54
    LABELS_APART: ClassVar[int] = 42
    THICK: ClassVar[int] = 6
    """The width of a line, without its dark edge."""
    OFFSET: ClassVar[int] = 4
    """Pixels from a line to that of the next place with the same score: so all of them are seen."""

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest score, with the 0 of the start."""
        values = [0, *(value for _, course in self.courses for value in course)]
        return min(values), max(values)

    def line_of(self, value: float) -> float:
        """Return the y of a score."""
        low, high = self._ends
        part = (value - low) / max(high - low, 1)
        return self.TOP + (self.height - self.TOP - self.FOOT) * (part if self.lowest_wins else 1 - part)

    @cached_property
    def marked(self) -> list[float]:
        """The scores written at the left: 0, and the highest and the lowest as far as they are not too near to it."""
        zero = self.line_of(0)
        return [0, *(value for value in self._ends if abs(self.line_of(value) - zero) >= self.LABELS_APART)]

    @cached_property
    def start(self) -> int:
        """The x of the lines' start."""
        return 46 + max(lettering.width(with_minus_sign(value), theme.SMALL) for value in self.marked)

    @property
    def rounds(self) -> int:
        """How many scores each line has, with that of the start."""
        return len(self.courses[0][1])

    def x_of(self, number: int) -> float:
        """Return the x of a round."""
        end = self.width - self.columns * (self.DISC + 4) - 48
        return self.start + (end - self.start) * number / max(self.rounds - 1, 1)

    @property
    def numbered(self) -> list[int]:
        """The rounds that have their number written: all or, if they are many, every second, every fifth and so on."""
        step = next(step for step in (1, 2, 5, 10, 20, 50, self.rounds) if (self.rounds - 1) // step <= MOST_NUMBERS)
        return list(range(step, self.rounds, step))

    def aside(self, place: int) -> float:
        """Return the pixels by which a place's line lies below its true scores: equal ones lie side by side."""
        return self.OFFSET * (place - (len(self.courses) - 1) / 2)

    @cached_property
    def lines(self) -> list[list[Point]]:
        """The points of each line."""
        return [
            [(self.x_of(at), self.line_of(value) + self.aside(place)) for at, value in enumerate(course)]
            for place, (_, course) in enumerate(self.courses)
        ]

    @property
    def apart(self) -> float:
        """The least pixels from the middle of a disc down to that of the next."""
        return min(self.DISC + 2, (self.height - self.DISC - 12) / max(1, len(self.courses) - 1))

    @property
    def columns(self) -> int:
        """In how many columns the discs are: two if one has no room for them."""
        return 1 if self.apart > self.DISC - 8 else 2

    @property
    def size(self) -> int:
        """The width of a disc."""
        return int(min(self.DISC, self.apart * self.columns - 2))

    @cached_property
    def discs(self) -> list[Point]:
        """The middle of each line's disc, apart from each other; every second one farther right, if in two columns."""
        edge, order = self.DISC / 2 + 6, sorted(range(len(self.courses)), key=lambda place: self.lines[place][-1][1])
        ys = spread([points[-1][1] for points in self.lines], self.apart, edge, self.height - edge)
        back = {place: (self.columns - 1 - number % self.columns) for number, place in enumerate(order)}
        return [(self.width - edge - 6 - back[place] * (self.DISC + 4), y) for place, y in enumerate(ys)]


def spread(wanted: Sequence[float], apart: float, least: float, most: float) -> list[float]:
    """Return places on a line that are `apart` from each other, as near to the wanted ones as can be, and from `least`
    to `most`. Of those that want the same place, the first one is the first on the line.
    """
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    packs: list[list[float]] = []  # those that touch each other stand as one, around the middle of what they want
    for number, at in enumerate(order):
        packs.append([wanted[at] - number * apart])
        while len(packs) > 1 and fmean(packs[-2]) > fmean(packs[-1]):
            packs[-2:] = [packs[-2] + packs[-1]]
    starts = [fmean(pack) for pack in packs for _ in pack]
    most -= apart * (len(wanted) - 1)
    found = {
        at: max(least, min(start, most)) + n * apart for n, (at, start) in enumerate(zip(order, starts, strict=True))
    }
    return [found[at] for at in range(len(wanted))]


@sprite
def drawn(chart: Chart) -> Pixels:
    """Return the chart without its writing and its discs."""
    pen = Pen(chart.width, chart.height)
    low = chart.height - chart.FOOT + 24
    for number in (0, *chart.numbered):
        pen.line([(chart.x_of(number), chart.TOP - 18), (chart.x_of(number), low)], FAINT, 1.5)
    for value in chart.marked:
        y = chart.line_of(value)
        pen.line([(chart.start - 10, y), (chart.x_of(chart.rounds - 1), y)], FAINT, 2.5)
    for points, disc in zip(chart.lines, chart.discs, strict=True):  # so thin that they are no scores
        pen.line([points[-1], disc], theme.INK_SOFT, 2)
    for (colour, _), points in list(zip(chart.courses, chart.lines, strict=True))[::-1]:
        pen.line(points, theme.INK, chart.THICK + 2.5)
        pen.line(points, colour, chart.THICK)
        for x, y in points[1 if chart.rounds <= MOST_DOTS else -1 :]:
            pen.disc(x, y, 8, theme.INK)
            pen.disc(x, y, 6, colour)
    return pen.pixels()
