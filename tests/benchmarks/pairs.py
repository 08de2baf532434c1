"""One line of the table: two things measured in turn, so that what else the machine does falls on both alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Row:
    """`ours` and `theirs` measure once each time they are called, in `unit`. The ratio is ours divided by theirs.

    The peer is measured at its best: its module says how. `floor` bounds the ratio: from below for rates (`at_most`
    False), from above for costs (`at_most` True). None: there is no bound, the peer is only there to compare with.
    """

    name: str
    peer: str
    floor: float | None
    unit: str
    ours: Callable[[], float]
    theirs: Callable[[], float]
    at_most: bool = False
    rounds: int = 9


@dataclass(frozen=True)
class Result:
    """What came of a row: medians, and the ratios of the pairs from the lowest to the highest."""

    row: Row
    ours: float
    theirs: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def holds(self) -> bool:
        if self.row.floor is None:
            return True
        return self.ratio <= self.row.floor if self.row.at_most else self.ratio >= self.row.floor

    def __str__(self) -> str:
        floor, sign = self.row.floor, "≤" if self.row.at_most else "≥"
        bound, holds = ("", "") if floor is None else (f"{sign} {floor:g}", "yes" if self.holds else "no")
        spread = f"{self.ratios[0]:.2f} … {self.ratios[-1]:.2f}"
        return (
            f"| {self.row.name} | {self.row.peer} | {bound} | **{self.ratio:.2f}** | {spread} "
            f"| {number(self.ours)} | {number(self.theirs)} {self.row.unit} | {holds} |"
        )


def number(value: float) -> str:
    """Three figures, more where there are more before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


HEAD = "| ours | beside | bound | ratio | lowest … highest | ours | theirs | holds |\n" + "| --- " * 8 + "|"


def measure(row: Row) -> Result:
    """Each side once to warm up, then both in turn, who begins changing each time."""
    row.ours(), row.theirs()
    pairs = []
    for turn in range(row.rounds):
        if turn % 2:
            theirs = row.theirs()
            ours = row.ours()
        else:
            ours = row.ours()
            theirs = row.theirs()
        pairs.append((ours, theirs))
    ratios = tuple(sorted(ours / theirs for ours, theirs in pairs))
    return Result(row, median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs), ratios)
