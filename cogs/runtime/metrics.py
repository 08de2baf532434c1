"""The bot's metrics, and their text for Prometheus.

Only the metrics in `KNOWN` exist, and the values of their labels are plain words: nothing about players, servers,
matches or cards can get in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

PREFIX = "sundial_"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the histograms' buckets, in seconds."""


@dataclass(frozen=True, slots=True)
class Known:
    """A metric: its kind in Prometheus, its help text, and its label, if any."""

    kind: str
    says: str
    label: str = ""


KNOWN = {
    "interactions_total": Known("counter", "Presses and commands, by what came of them.", "result"),
    "acknowledgement_seconds": Known("histogram", "From taking up a press to Discord's answer that it has heard."),
    "commit_seconds": Known("histogram", "One write transaction, with the wait for its turn."),
    "discord_calls_total": Known("counter", "Requests to Discord, by the class of the answer.", "class"),
    "workers_lost_total": Known("counter", "Processes for drawing and thinking that were replaced, by why.", "how"),
    "requests_held_back_total": Known("counter", "Requests that waited for the budget, or were not sent.", "how"),
    "identifies": Known("gauge", "Sessions with Discord that this process has begun."),
    "loop_lag_seconds": Known("gauge", "How late the event loop was, at most, in the last minute."),
    "clock_lag_seconds": Known("gauge", "How late the look at the clocks of the tables is."),
    "connected": Known("gauge", "1 while the gateway is connected."),
    "database_works": Known("gauge", "1 where the last read and the last write succeeded."),
    "matches": Known("gauge", "Matches, by their status.", "status"),
    "posts_behind": Known("gauge", "Matches that show an older position than they have."),
    "posts_behind_seconds": Known("gauge", "Age of the oldest of them."),
    "database_bytes": Known("gauge", "Size of the database's file."),
    "wal_bytes": Known("gauge", "Size of its write-ahead log."),
    "disk_free_bytes": Known("gauge", "Room on the disk that it lies on."),
    "backup_age_seconds": Known("gauge", "Age of the newest backup."),
    "resident_bytes": Known("gauge", "Memory of this process."),
    "open_files": Known("gauge", "Open file descriptors of this process."),
    "shards": Known("gauge", "Shards of the bot, over all processes."),
    "shards_held": Known("gauge", "Shards that this process holds."),
    "shards_connected": Known("gauge", "Those of them that are connected."),
    "shards_unheld": Known("gauge", "Shards that no process holds."),
    "processes": Known("gauge", "Living processes of the bot, by the database."),
    "sessions_left": Known("gauge", "Sessions that Discord still allows today, when it was last asked."),
    "requests_left_ratio": Known("gauge", "Part of the saved requests to Discord that was left at the last one."),
    "requests_scarce": Known("gauge", "1 while more requests are made than Discord takes, and some hands wait."),
    "invalid_requests": Known("gauge", "Requests of all processes that Discord has refused in ten minutes."),
    "breaker": Known("gauge", "0: all is sent; 1: only tables, hands and answers; 2: only answers to presses."),
    "newcomers_waiting": Known("gauge", "Players to whom this process has yet to open direct messages."),
    "other_database": Known("gauge", "1 if a bot on another database seems to have the same token."),
    "tasks": Known("gauge", "Tasks of the event loop."),
}
"""All metrics, by name without the prefix."""

_PLAIN = re.compile(r"[a-z0-9_]{1,20}")


class Metrics:
    """Counters and histograms of one process."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._sums: defaultdict[str, float] = defaultdict(float)

    def count(self, name: str, value: str) -> None:
        """Add one under this value of the metric's label. Raises ValueError if the value is no plain word."""
        if KNOWN[name].kind != "counter" or not _PLAIN.fullmatch(value):
            raise ValueError(f"not to be counted: {name}")
        self._counts[name, value] += 1

    def observe(self, name: str, seconds: float) -> None:
        """Add a duration to a histogram."""
        if KNOWN[name].kind != "histogram":
            raise ValueError(f"no histogram: {name}")
        self._buckets[name][bisect_left(BOUNDS, seconds)] += 1
        self._sums[name] += seconds

    def text(self, gauges: Mapping[str, float | Mapping[str, int]]) -> str:
        """Return all metrics in Prometheus' text format, with these values of the gauges; missing gauges are left out.

        A gauge with a label is a mapping from the label's values.
        """
        lines: list[str] = []
        for name, known in KNOWN.items():
            samples = self._samples(name, known, gauges)
            if samples:
                lines += [f"# HELP {PREFIX}{name} {known.says}", f"# TYPE {PREFIX}{name} {known.kind}"]
                lines += [f"{PREFIX}{sample}" for sample in samples]
        return "\n".join([*lines, ""])

    def _samples(self, name: str, known: Known, gauges: Mapping[str, float | Mapping[str, int]]) -> list[str]:
        if known.kind == "histogram":
            heights = list(accumulate(self._buckets[name]))
            bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
            buckets = [f'{name}_bucket{{le="{le}"}} {height}' for le, height in zip(bounds, heights, strict=True)]
            return [*buckets, f"{name}_sum {self._sums[name]:.6f}", f"{name}_count {heights[-1]}"]
        if known.kind == "counter":
            counted = sorted((value, number) for (of, value), number in self._counts.items() if of == name)
            return [f'{name}{{{known.label}="{value}"}} {number}' for value, number in counted]
        gauge = gauges.get(name, {})
        if isinstance(gauge, Mapping):
            return [f'{name}{{{known.label}="{value}"}} {number}' for value, number in sorted(gauge.items())]
        return [f"{name} {gauge:.15g}"]
