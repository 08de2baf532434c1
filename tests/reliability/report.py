"""What a harness has done and found, in a few lines, with the command that plays a failure again."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter

LOST_NOTHING = "0 lost, 0 applied twice, 0 torn, 0 corrupt"
CLEAN = {
    "bot": f"{LOST_NOTHING}, 0 calls lost or doubled, everything shown again",
    "leaks": "0 differences",
    "moving": "one table of each match",
    "fuzz": "0 faults, 0 wrong states, 0 leaks, 0 unanswered",
}
"""What is said where nothing was found, by the harness, if it is something else."""
SHOWN = 8
"""Faults that are printed of one trial."""


@dataclass
class Report:
    """`counts`: what was done, by what it is called. A trial that fails is the last one; so is the one with which the
    minutes are over.
    """

    harness: str
    seed: int
    minutes: float = inf
    clean: str = LOST_NOTHING
    """What is said where nothing was found."""
    counts: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    trial: int | None = None
    """The one that failed."""
    kept: Path | None = None
    """Where its files are."""
    begun: float = field(default_factory=perf_counter)
    longest: float = 0.0
    """Seconds after a start until all was found to be shown, at most."""

    def ended(self, trial: int, found: list[str], kept: Path) -> bool:
        """Note what a trial has found; whether it was anything."""
        if found:
            self.found, self.trial, self.kept = found, trial, kept
        return bool(found)

    @property
    def late(self) -> bool:
        """Whether it is time to end."""
        return perf_counter() - self.begun > 60 * self.minutes

    def __str__(self) -> str:
        done = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        used = os.times()  # with the children that have ended
        seconds = f"{perf_counter() - self.begun:.0f} s, {sum(used[:4]):.0f} of a processor"
        lines = [f"{self.harness}: {done}, {seconds}, seed {self.seed}"]
        if self.trial is None:
            again = f"; all shown again after {self.longest:.1f} s at most" if self.longest else ""
            return f"{lines[0]}: {self.clean}{again}"
        lines += [f"trial {self.trial}: {text}" for text in self.found[:SHOWN]]
        more = len(self.found) - SHOWN
        lines += [f"and {more} more"] if more > 0 else []
        lines += [f"again: python -m tests.reliability {self.harness} --seed {self.seed} --only {self.trial}"]
        return "\n".join([*lines, f"its files: {self.kept}"])


def fresh(folder: Path) -> Path:
    """That folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
