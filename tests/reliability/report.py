"""The report of a run of a harness: what it did and found, with the command that repeats a failure."""

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
    "bot": f"{LOST_NOTHING}, 0 pings lost or doubled, everything shown again",
    "bot-rivals": f"{LOST_NOTHING}, 0 pings lost or doubled, everything shown by the process that holds it",
    "leaks": "0 differences",
    "moving": "one table of each match",
    "fuzz": "0 faults, 0 wrong states, 0 leaks, 0 unanswered",
}
"""What some harnesses report if they find nothing; the others report LOST_NOTHING."""
PRINTED = 8
"""The most faults that are printed of one trial."""


@dataclass
class Report:
    """`counts` has what was done, by name. The run ends with the first trial that fails, or with the minutes."""

    harness: str
    seed: int
    minutes: float = inf
    clean: str = LOST_NOTHING
    """What is reported if nothing was found."""
    counts: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    trial: int | None = None
    """The trial that failed."""
    files: Path | None = None
    """The folder with the files of that trial."""
    started: float = field(default_factory=perf_counter)
    slowest: float = 0.0
    """The most seconds after a start until all was shown."""

    def record(self, trial: int, found: list[str], files: Path) -> bool:
        """Note what a trial has found. Return whether it has found a fault."""
        if found:
            self.found, self.trial, self.files = found, trial, files
        return bool(found)

    @property
    def out_of_time(self) -> bool:
        """Return whether the minutes are over."""
        return perf_counter() - self.started > 60 * self.minutes

    def __str__(self) -> str:
        done = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        used = os.times()  # with the children that have ended
        seconds = f"{perf_counter() - self.started:.0f} s, {sum(used[:4]):.0f} of a processor"
        lines = [f"{self.harness}: {done}, {seconds}, seed {self.seed}"]
        if self.trial is None:
            again = f"; all shown again after {self.slowest:.1f} s at most" if self.slowest else ""
            return f"{lines[0]}: {self.clean}{again}"
        lines += [f"trial {self.trial}: {text}" for text in self.found[:PRINTED]]
        more = len(self.found) - PRINTED
        lines += [f"and {more} more"] if more > 0 else []
        lines += [f"again: python -m tests.reliability {self.harness} --seed {self.seed} --only {self.trial}"]
        return "\n".join([*lines, f"its files: {self.files}"])


def empty_folder(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
