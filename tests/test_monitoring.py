"""The dashboard and the alert rules for operators name metrics that exist, with labels that they have."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cogs.runtime.metrics import KNOWN, PREFIX
from tests.support.hung import HUNG

DOCS = Path(__file__).parent.parent / "docs"
DASHBOARD = (DOCS / "grafana.json").read_text(encoding="utf-8")
ALERTS = (DOCS / "alerts.yml").read_text(encoding="utf-8")
NAMED = re.compile(rf"{PREFIX}(\w+)(?:{{(\w+)=\"\w+\"}})?")


def expressions() -> list[str]:
    found = re.findall(r"^ +expr: (.+)$", ALERTS, re.MULTILINE)
    assert len(found) == ALERTS.count("- alert: ")
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
        counts = KNOWN[metric(name)].kind != "gauge"
        assert counts == bool(re.search(rf"(rate|increase)\({PREFIX}{name}\b", expression)), "counters only as rates"
    assert expression.count("(") == expression.count(")")


def test_the_dashboard_shows_every_metric() -> None:
    shown = {metric(name) for name, _ in NAMED.findall(DASHBOARD)}
    assert shown == set(KNOWN)


def test_every_alert_says_what_is_wrong() -> None:
    alerts = re.findall(r"- alert: (\w+)\n(.+?)(?=\n +- alert|\Z)", ALERTS, re.DOTALL)
    assert len({name for name, _ in alerts}) == len(alerts) > 10
    for name, body in alerts:
        assert re.search(r"severity: (page|warning)}", body), name
        assert re.search(r'summary: ".+\."}', body), name


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool on the PATH")
def test_prometheus_takes_the_rules() -> None:
    subprocess.run(["promtool", "check", "rules", str(DOCS / "alerts.yml")], check=True, timeout=HUNG)
