"""The bot's metrics, and their text for Prometheus.

Only the metrics in `KNOWN` exist, and only the values of their labels that stand there: nothing about players, servers,
matches or cards can get in. What is counted begins with 0 for each value, since Prometheus sees no increase in a series
that begins with 1: the first fault would ring no alarm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily

disable_created_metrics()

PREFIX = "sundial_"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histograms' buckets, in seconds."""


@dataclass(frozen=True, slots=True)
class Known:
    """A metric: its kind in Prometheus, its help text, its label, if any, and the values of that if it is counted."""

    kind: str
    says: str
    label: str = ""
    values: tuple[str, ...] = ()


KNOWN = {
    "info": Known("info", "This process: its name, as in the tables lease and shard, and its version."),
    "started_seconds": Known("gauge", "When this process began, in seconds since 1970."),
    "interactions_total": Known(
        "counter",
        "Presses and commands, by what came of them.",
        "result",
        (
            *("answered", "refused", "fault", "too_much", "turned_away"),
            *("discord_failed", "not_stored", "unacknowledged"),
        ),
    ),
    "acknowledgement_seconds": Known("histogram", "From taking up a press to Discord's answer that it has heard."),
    "answer_seconds": Known("histogram", "From taking up a press until it is answered: for a move, by the new hand."),
    "shown_seconds": Known("histogram", "From a change of a match until its table and all hands show it."),
    "commit_seconds": Known("histogram", "One write transaction, with the wait for its turn."),
    "database_failures_total": Known("counter", "Reads and writes that failed because the database did."),
    "discord_calls_total": Known(
        "counter",
        "Requests to Discord, by the class of the answer; 1xx: a connection to the gateway.",
        "class",
        ("1xx", "2xx", "3xx", "4xx", "429", "5xx", "failed"),
    ),
    "discord_seconds": Known(
        "histogram",
        "From sending a request to Discord to its answer, by what it asks for.",
        "route",
        ("answer", "message", "other"),
    ),
    "workers_lost_total": Known(
        "counter",
        "Processes for drawing and thinking that were replaced, by why.",
        "how",
        ("died", "slow", "memory", "idle", "unstarted"),
    ),
    "requests_held_back_total": Known(
        "counter", "Requests that waited for the budget, or were not sent.", "how", ("waited", "refused")
    ),
    "identifies_total": Known("counter", "Sessions with Discord that this process has begun."),
    "loop_lag_seconds": Known("gauge", "How late the event loop was, at most, in the last minute."),
    "clock_lag_seconds": Known("gauge", "How late the look at the clocks of the tables is."),
    "connected": Known("gauge", "1 while the gateway is connected."),
    "database_works": Known("gauge", "1 if the last read and the last write succeeded."),
    "matches": Known("gauge", "Matches, by their status.", "status"),
    "posts_behind": Known("gauge", "Matches that show an older position than they have."),
    "posts_behind_seconds": Known("gauge", "Age of the oldest of them."),
    "database_bytes": Known("gauge", "Size of the database's file."),
    "wal_bytes": Known("gauge", "Size of its write-ahead log."),
    "disk_free_bytes": Known("gauge", "Room on the disk that it lies on."),
    "backup_age_seconds": Known("gauge", "Age of the newest backup. None is made while nothing changes."),
    "backup_failing": Known("gauge", "1 if the last try to make a backup failed."),
    "unsaved_seconds": Known("gauge", "For how long there have been changes that no backup has."),
    "resident_bytes": Known("gauge", "Memory of this process, without its workers."),
    "workers": Known("gauge", "Its processes that draw and think."),
    "workers_resident_bytes": Known("gauge", "Their memory together."),
    "jobs_waiting": Known("gauge", "What waits for them."),
    "leases_held": Known("gauge", "Matches that this process holds among several processes."),
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

Gauges = Mapping[str, float | Mapping[str, int]]
"""Values of gauges by name; a gauge with a label is a mapping from the label's values. Missing gauges are left out."""


class Metrics:
    """Counters and histograms of one process. `facts`: its name, version and the like, told as labels of `info`."""

    def __init__(self, facts: Mapping[str, str] | None = None) -> None:
        self.registry = CollectorRegistry()
        self._facts = facts
        self._counters = dict[str, Counter]()
        self._histograms = dict[str, Histogram]()
        for name, known in KNOWN.items():
            labels = [known.label] if known.label else []
            metric: Counter | Histogram
            if known.kind == "counter" and known.values:
                metric = self._counters[name] = Counter(PREFIX + name, known.says, labels, registry=self.registry)
            elif known.kind == "histogram":
                metric = self._histograms[name] = Histogram(
                    PREFIX + name, known.says, labels, registry=self.registry, buckets=BOUNDS
                )
            for value in known.values:
                metric.labels(value)

    def count(self, name: str, value: str) -> None:
        """Add one under this value of the metric's label. Raises ValueError if the metric has no such value."""
        if name not in self._counters or value not in KNOWN[name].values:
            raise ValueError(f"not to be counted: {name}")
        self._counters[name].labels(value).inc()

    def timer(self, name: str, value: str = "") -> Callable[[float], None]:
        """Return what adds a duration in seconds to that histogram, under this value of its label if it has one. Raises
        ValueError if there is none.
        """
        if name not in self._histograms or value not in (KNOWN[name].values or ("",)):
            raise ValueError(f"no histogram: {name}")
        histogram = self._histograms[name]
        return histogram.labels(value).observe if value else histogram.observe

    def text(self, gauges: Gauges) -> str:
        """Return all metrics in Prometheus' text format, with these values of the gauges."""
        return (generate_latest(self.registry) + generate_latest(_Shown(gauges, self._facts))).decode()


class _Shown:
    """What has its value at this moment, as `generate_latest` collects it."""

    def __init__(self, gauges: Gauges, facts: Mapping[str, str] | None) -> None:
        self._gauges = gauges
        self._facts = facts

    def collect(self) -> Iterator[Metric]:
        if self._facts is not None:
            yield InfoMetricFamily(PREFIX.rstrip("_"), KNOWN["info"].says, dict(self._facts))
        for name, known in KNOWN.items():
            if (value := self._gauges.get(name)) is None:
                continue
            family = CounterMetricFamily if known.kind == "counter" else GaugeMetricFamily
            shown = family(PREFIX + name, known.says, labels=[known.label] if known.label else [])
            for labelled, number in value.items() if isinstance(value, Mapping) else [("", value)]:
                shown.add_metric([labelled] if known.label else [], number)
            yield shown
