"""The dashboard and the alert rules for operators name metrics that exist, with labels that they have, and each rule
rings at the first trouble that it is for, and at no other.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pre_commit.yaml import yaml_load

from cogs.runtime.metrics import KNOWN, PREFIX, Metrics
from tests.support.hung import HUNG
from tests.support.promql import STEP, Query, series

DOCS = Path(__file__).parent.parent / "docs"
DASHBOARD = (DOCS / "grafana.json").read_text(encoding="utf-8")
ALERTS = (DOCS / "alerts.yml").read_text(encoding="utf-8")
NAMED = re.compile(rf"{PREFIX}(\w+)(?:{{(\w+)=\"\w+\"}})?")


RULES = {rule["alert"]: rule for rule in yaml_load(ALERTS)["groups"][0]["rules"]}


def expressions() -> list[str]:
    found = [rule["expr"] for rule in RULES.values()]
    return found + [target["expr"] for panel in json.loads(DASHBOARD)["panels"] for target in panel["targets"]]


def metric(name: str) -> str:
    """The metric of a series: a histogram has three."""
    short = re.sub(r"_(bucket|sum|count)$", "", name)
    return short if short in KNOWN and KNOWN[short].kind == "histogram" else name


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_metrics_that_exist(expression: str) -> None:
    for name, label in NAMED.findall(expression):
        assert metric(name) in KNOWN
        assert not label or KNOWN[metric(name)].label == label
    for by in re.findall(r"by \((\w+)\)", expression):
        assert by == "le" or by in {KNOWN[metric(name)].label for name, _ in NAMED.findall(expression)}
    for name, _ in NAMED.findall(expression):
        counts = KNOWN[metric(name)].kind in ("counter", "histogram")
        assert counts == bool(re.search(rf"(rate|increase)\({PREFIX}{name}\b", expression)), "counters only as rates"
    assert expression.count("(") == expression.count(")")


def test_the_dashboard_shows_every_metric() -> None:
    shown = {metric(name) for name, _ in NAMED.findall(DASHBOARD)}
    assert shown == set(KNOWN)


def test_every_alert_says_what_is_wrong_and_what_to_do() -> None:
    for name, rule in RULES.items():
        assert rule["labels"]["severity"] in ("page", "warning"), name
        assert rule["annotations"].keys() == {"summary", "runbook"}, name
        assert all(text.endswith(".") for text in rule["annotations"].values()), name
        for known in re.findall(rf"{PREFIX}(\w+)", rule["annotations"]["runbook"]):
            assert metric(known) in KNOWN, name


WELL: dict[str, float] = {
    **{name: 0.0 for name, known in KNOWN.items() if known.kind == "gauge" and not known.label},
    **{"connected": 1, "database_works": 1, "shards": 1, "shards_held": 1, "shards_connected": 1, "sessions_left": 900},
    "disk_free_bytes": 10e9,
}
SILENT: dict[str, float] = {}
"""Of a process that does not answer."""


def pressed(seconds: float) -> Callable[[Metrics], None]:
    """Some presses, one of which is acknowledged and answered after so long."""

    def press(metrics: Metrics) -> None:
        for name in ("acknowledgement_seconds", "answer_seconds"):
            for each in (0.01,) * 9 + (seconds,):
                metrics.timer(name)(each)

    return press


ILL: dict[str, dict[str, float] | Callable[[Metrics], None]] = {
    "SundialDown": SILENT,
    "SundialDisconnected": {"connected": 0},
    "SundialShardsUnheld": {"shards_unheld": 1},
    "SundialShardsNotConnected": {"shards_connected": 0},
    "SundialDatabaseFails": {"database_works": 0},
    "SundialSessionsScarce": {"sessions_left": 21},
    "SundialBreakerOpen": {"breaker": 1},
    "SundialOtherDatabase": {"other_database": 1},
    "SundialRequestsRefused": {"invalid_requests": 1_001},
    "SundialBudgetUsedUp": lambda metrics: [metrics.count("requests_held_back_total", "waited") for _ in range(2_000)],
    "SundialNewcomersWait": {"newcomers_waiting": 51},
    "SundialTablesBehind": {"posts_behind_seconds": 601},
    "SundialClocksLate": {"clock_lag_seconds": 61},
    "SundialSlow": pressed(4.9),
    "SundialHandsLate": pressed(29.0),
    "SundialLoopLag": {"loop_lag_seconds": 2.1},
    "SundialFaults": lambda metrics: metrics.count("interactions_total", "fault"),
    "SundialWorkersLost": lambda metrics: [metrics.count("workers_lost_total", "died") for _ in range(6)],
    "SundialDiskNearlyFull": {"disk_free_bytes": 199e6},
    "SundialBackupFails": {"backup_failing": 1},
    "SundialBackupOld": {"unsaved_seconds": 90_001},
}
"""What each rule is for: other values of gauges, or what is counted."""
ONCE = {"SundialFaults", "SundialWorkersLost"}
"""What is counted once alone."""
BEGINS, STEPS = 2, 7
"""When the trouble begins, and how long it is looked at: 25 minutes."""
BESIDE = {"SundialSlow": {"SundialHandsLate"}, "SundialHandsLate": {"SundialSlow"}}
"""What may ring too: a press that is acknowledged late is answered late."""


def scrapes(name: str) -> list[str]:
    """What a new process says at each step; the trouble begins at `BEGINS`, never seen before. "": nothing at all."""
    metrics, found = Metrics(), list[str]()
    for step in range(STEPS):
        gauges, ill = WELL, ILL.get(name, {})
        pressed(0.2)(metrics)
        if step >= BEGINS:
            if not isinstance(ill, dict):
                _ = ill(metrics) if step == BEGINS or name not in ONCE else None
            else:
                gauges = gauges | ill
        found.append("" if ill is SILENT and step >= BEGINS else metrics.text(gauges))
    return found


def ringing(name: str, up: bool = True) -> set[str]:
    """The alerts that ring at the end. `up`: whether Prometheus knows the process by the name "sundial"."""
    known = series(scrapes(name), instance="one", job="sundial")
    if up:
        known["up"] = {(("job", "sundial"),): [float(step < BEGINS or name != "SundialDown") for step in range(STEPS)]}
    found = set()
    for alert, rule in RULES.items():
        wait = int(str(rule.get("for", "0m")).removesuffix("m"))
        if all(Query(rule["expr"], known, STEPS - 1 - back).value() for back in range(-(-wait // STEP) + 1)):
            found.add(alert)
    return found


@pytest.mark.parametrize("name", ["nothing", *RULES])
def test_a_rule_rings_at_the_first_trouble_that_it_is_for_and_at_no_other(name: str) -> None:
    wanted = set() if name == "nothing" else {name}
    assert wanted <= ringing(name) <= wanted | BESIDE.get(name, set())


def test_a_bot_that_prometheus_has_under_another_name_is_missed_too() -> None:
    assert ringing("SundialDown", up=False) == {"SundialDown"}


def test_the_sessions_are_no_alarm_once_they_are_unknown() -> None:
    """The gauge is left out when a new day of sessions has begun (cogs/runtime/start_throttle.py)."""
    metrics = Metrics()
    texts = [
        metrics.text(WELL | {"sessions_left": 21}),
        metrics.text({k: v for k, v in WELL.items() if k != "sessions_left"}),
    ]
    rings = [bool(Query(RULES["SundialSessionsScarce"]["expr"], series(texts), m).value()) for m in range(2)]
    assert rings == [True, False]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool on the PATH")
def test_prometheus_takes_the_rules() -> None:
    subprocess.run(["promtool", "check", "rules", str(DOCS / "alerts.yml")], check=True, timeout=HUNG)
