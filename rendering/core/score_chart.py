"""The chart of a match's scores by round: where its lines and discs lie, and the drawing of its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from statistics import fmean
from typing import ClassVar

from rendering.core import lettering, theme
from rendering.core.labels import with_minus_sign
from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite

SLATE: Colour = (46, 42, 54)
EDGE: Colour = mix(SLATE, theme.CREAM, 0.8)
"""The light edge of a line, and what leads to several discs."""
MOST_NUMBERS = 13
"""The most scores of a line, with that of the start, whose rounds all have numbers."""


@dataclass(frozen=True)
class Chart:
    """The score by round, a line a place: where all of it lies."""

    width: int
    height: int
    courses: tuple[tuple[Colour, tuple[int, ...]], ...]
    """The colour of each line and its scores."""
    lowest_wins: bool = False

    TOP: ClassVar[int] = 80
    """The line of the best score: the title is above it."""
    FOOT: ClassVar[int] = 74
    """Pixels from the line of the worst score to the lower edge."""
    DISC: ClassVar[int] = 54
    LABELS_APART: ClassVar[int] = 42
    THICK: ClassVar[int] = 8
    """The width of a line, without its light edge."""
    DASH: ClassVar[int] = 16
    """About how long a dash is."""

    @cached_property
    def _ends(self) -> tuple[int, int]:
        """The lowest and the highest score, with the 0 of the start."""
        values = [0, *(value for _, course in self.courses for value in course)]
        return min(values), max(values)

    def line_of(self, value: int) -> float:
        """Return the y of a score."""
        low, high = self._ends
        part = (value - low) / max(high - low, 1)
        return self.TOP + (self.height - self.TOP - self.FOOT) * (part if self.lowest_wins else 1 - part)

    @cached_property
    def marked(self) -> list[int]:
        """The scores written at the left: 0, and the highest and the lowest as far as they are not too near to it."""
        zero = self.line_of(0)
        return [0, *(value for value in self._ends if abs(self.line_of(value) - zero) >= self.LABELS_APART)]

    @cached_property
    def start(self) -> int:
        """The x of the lines' start."""
        return 46 + max(lettering.width(with_minus_sign(value), theme.SMALL) for value in self.marked)

    @property
    def discs_at(self) -> int:
        """The x of the discs' middles."""
        return self.width - self.DISC // 2 - 12

    @property
    def rounds(self) -> int:
        """How many scores each line has, with that of the start."""
        return len(self.courses[0][1])

    def x_of(self, number: int) -> float:
        """Return the x of a round."""
        end = self.discs_at - self.DISC // 2 - 40
        return self.start + (end - self.start) * number / max(self.rounds - 1, 1)

    @property
    def numbered(self) -> list[int]:
        """The rounds that have their number written: all, or every fifth if they are many."""
        return list(range(1, self.rounds) if self.rounds <= MOST_NUMBERS else range(5, self.rounds, 5))

    @cached_property
    def lines(self) -> list[list[Point]]:
        """The points of each line, each at its true score."""
        return [[(self.x_of(at), self.line_of(value)) for at, value in enumerate(course)] for _, course in self.courses]

    def strokes(self) -> Iterator[tuple[Colour, Point, Point]]:
        """Yield the parts of all lines, the first one last. Lines that lie on each other take turns in dashes."""
        for number in range(self.rounds - 1):
            alike: dict[tuple[int, ...], list[Colour]] = {}
            for colour, course in self.courses:
                alike.setdefault(course[number : number + 2], []).append(colour)
            for (first, last), colours in reversed(alike.items()):
                start, end = (self.x_of(number), self.line_of(first)), (self.x_of(number + 1), self.line_of(last))
                turns = max(1, round(dist(start, end) / (len(colours) * self.DASH)))
                count = turns * len(colours) if len(colours) > 1 else 1
                for dash in range(count):
                    yield (
                        colours[dash % len(colours)],
                        _between(start, end, dash / count),
                        _between(start, end, (dash + 1) / count),
                    )

    @property
    def apart(self) -> float:
        """The least pixels from the middle of a disc to that of the next."""
        return min(self.DISC + 2, (self.height - self.DISC - 12) / max(1, len(self.courses) - 1))

    @cached_property
    def discs(self) -> list[float]:
        """The y of each line's disc, apart from each other."""
        edge = self.DISC / 2 + 6
        return spread([points[-1][1] for points in self.lines], self.apart, edge, self.height - edge)

    @property
    def leaders(self) -> list[tuple[Colour, Point, float, float]]:
        """What leads from the lines to the discs, one of each last score: its colour, its start, and the y of the first
        and of the last disc with that score.
        """
        ends: dict[Point, list[int]] = {}
        for at, points in enumerate(self.lines):
            ends.setdefault(points[-1], []).append(at)
        found = []
        for end, group in ends.items():
            heights = [self.discs[at] for at in group]
            colour = EDGE if len(group) > 1 else mix(self.courses[group[0]][0], theme.CREAM, 0.6)
            found.append((colour, end, min(heights), max(heights)))
        return found


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


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
    faint = mix(SLATE, theme.CREAM, 0.14)
    for number in range(chart.rounds) if chart.rounds <= 24 else range(0, chart.rounds, 5):
        x = chart.x_of(number)
        pen.line([(x, chart.TOP - 18), (x, chart.height - chart.FOOT + 22)], faint, 2)
    for value in chart.marked:
        y = chart.line_of(value)
        pen.line([(chart.x_of(0) - 10, y), (chart.x_of(chart.rounds - 1), y)], faint, 2)
    low = chart.height - chart.FOOT + 22
    first = chart.lines[0]
    pen.polygon([*first, (first[-1][0], low), (first[0][0], low)], mix(SLATE, theme.BRASS_DARK, 0.35))
    for points in chart.lines:
        pen.line(points, EDGE, chart.THICK + 3)
    for colour, start, stop in chart.strokes():
        pen.bar(start, stop, colour, chart.THICK)
    side = chart.discs_at - chart.DISC / 2 - 8
    for colour, end, top, foot in chart.leaders:
        pen.line([end, (side, (top + foot) / 2)], colour, 3)
        if top < foot:
            pen.line([(side, top), (side, foot)], colour, 3)
        for tip in {top, foot}:
            pen.line([(side, tip), (chart.discs_at, tip)], colour, 3)
    return pen.pixels()
