"""The bot's metrics, and their text for Prometheus.

Only the metrics in `KNOWN` exist, and the values of their labels are plain words: nothing about players, servers,
matches or cards can get in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily

disable_created_metrics()

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
Gauges = Mapping[str, float | Mapping[str, int]]
"""Values of gauges by name; a gauge with a label is a mapping from the label's values. Missing gauges are left out."""


class Metrics:
    """Counters and histograms of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._counters = dict[str, Counter]()
        self._histograms = dict[str, Histogram]()
        for name, known in KNOWN.items():
            if known.kind == "counter":
                self._counters[name] = Counter(PREFIX + name, known.says, [known.label], registry=self.registry)
            elif known.kind == "histogram":
                self._histograms[name] = Histogram(PREFIX + name, known.says, registry=self.registry, buckets=BOUNDS)

    def count(self, name: str, value: str) -> None:
        """Add one under this value of the metric's label. Raises ValueError if the value is no plain word."""
        if name not in self._counters or not _PLAIN.fullmatch(value):
            raise ValueError(f"not to be counted: {name}")
        self._counters[name].labels(value).inc()

    def timer(self, name: str) -> Callable[[float], None]:
        """Return what adds a duration in seconds to that histogram. Raises ValueError if there is none."""
        if name not in self._histograms:
            raise ValueError(f"no histogram: {name}")
        return self._histograms[name].observe

    def text(self, gauges: Gauges) -> str:
        """Return all metrics in Prometheus' text format, with these values of the gauges."""
        return (generate_latest(self.registry) + generate_latest(_Shown(gauges))).decode()


class _Shown:
    """Gauges with their values at this moment, as `generate_latest` collects them."""

    def __init__(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        for name, known in KNOWN.items():
            if (value := self._gauges.get(name)) is None:
                continue
            gauge = GaugeMetricFamily(PREFIX + name, known.says, labels=[known.label] if known.label else [])
            for labelled, number in value.items() if isinstance(value, Mapping) else [("", value)]:
                gauge.add_metric([labelled] if known.label else [], number)
            yield gauge
