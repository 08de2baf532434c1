"""What was measured in some seconds of play: the times that people wait, and what each move costs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.benchmarks.many.presses import Figures
from tests.benchmarks.many.processes import Usage

MOST_ACKNOWLEDGED, MOST_REQUESTS, MOST_SHOWN = 300.0, 50, 15_000.0
"""Milliseconds to the acknowledgement of 99 of 100 presses, requests in any second, and milliseconds to the edit of
half of the tables, above which a stretch breaks.
"""
TIMES = (
    "| times in ms | moves of people a second | presses | acknowledged, p50 | p99 | new hand, p50 | p99 | table, p50 "
    "| p99 | requests a second, mean | most | answers 429 | tables behind at the end | loop of this Discord late, p99 "
    "| load average | breaks | missing |",
    "| --- " * 17 + "|",
)
COSTS = (
    "| costs | moves a second, with computers' | processor of each process | of all workers | of PostgreSQL "
    "| of this Discord and people | ms of the processes a move | of workers | of PostgreSQL | transactions a move "
    "| requests a move | bytes of database a move | of WAL a move | loops late, p99 ms |",
    "| --- " * 14 + "|",
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The figures of a stretch. `rate`: the moves of people a second that were asked for."""

    name: str
    rate: float
    seconds: float
    figures: Figures
    usage: Usage
    lags: Sequence[float]
    """By how much the loop of each process was late in 99 of 100 moments, in milliseconds."""
    requests: int
    most_in_a_second: int
    limited: int
    behind: int
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    @property
    def breaks(self) -> str:
        """What broke, or nothing."""
        found = {
            "acknowledgement": share(self.figures.acknowledged, 0.99) > MOST_ACKNOWLEDGED,
            "table": share(self.figures.shown, 0.5) > MOST_SHOWN,
            "requests": self.most_in_a_second > MOST_REQUESTS or self.limited > 0,
        }
        return ", ".join(what for what, broken in found.items() if broken)

    def times(self) -> str:
        """Return a line of the table of times."""
        waits = (self.figures.acknowledged, self.figures.answered, self.figures.shown)
        return _line(
            self.name,
            f"{self.rate:.1f}",
            self.figures.presses,
            *(f"{share(values, of):,.0f}" for values in waits for of in (0.5, 0.99)),
            f"{self.requests / self.seconds:.1f}",
            self.most_in_a_second,
            self.limited,
            self.behind,
            f"{share(self.figures.late, 0.99):.0f}",
            f"{self.load:.1f}",
            self.breaks,
            ", ".join(f"{count} {what}" for what, count in self.figures.missing.items() if count),
        )

    def costs(self) -> str:
        """Return a line of the table of costs."""
        used, moves = self.usage, self.usage.moves
        a_move = (
            *(1000 * spent for spent in (sum(used.processes), used.workers, used.server)),
            *(used.commits, self.requests, used.bytes, used.wal),
        )
        return _line(
            self.name,
            f"{moves / self.seconds:.2f}",
            ", ".join(f"{100 * spent / self.seconds:.0f} %" for spent in used.processes),
            *(f"{100 * spent / self.seconds:.0f} %" for spent in (used.workers, used.server, used.people)),
            *(f"{value / moves:,.1f}" if moves else "" for value in a_move),
            ", ".join(f"{lag:.0f}" for lag in self.lags),
        )


def share(values: Sequence[float], of: float) -> float:
    """Return the value that this share of the values stays below; 0 if there are none."""
    return sorted(values)[min(len(values) - 1, int(of * len(values)))] if values else 0.0


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
