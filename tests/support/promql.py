"""The part of Prometheus' language that docs/alerts.yml uses, evaluated over what the bot exports: series of samples,
one of each every `STEP` minutes. A name that is not known here is an error, so no rule is taken for tested that is not.
"""

from __future__ import annotations

import math
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prometheus_client.parser import text_string_to_metric_families

Labels = tuple[tuple[str, str], ...]
Series = dict[Labels, list[float | None]]
"""The values of each series, step by step; None: it was not there."""
Vector = dict[Labels, float]

TOKEN = re.compile(r'\s*([a-z_]\w*|\d+(?:\.\d+)?(?:e\d+)?[smhd]?|"[^"]*"|[=!<>]=|[-+*/<>(){}\[\],=])', re.IGNORECASE)
STEP = 5
"""Minutes from one sample to the next."""
MINUTES = {"s": 1 / 60, "m": 1, "h": 60, "d": 1440}
AGGREGATES: dict[str, Callable[[Iterable[float]], float]] = {"sum": math.fsum, "min": min, "max": max}
RATIO: dict[str, Callable[[float, float], float]] = {"*": operator.mul, "/": operator.truediv}
SUM: dict[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub}
COMPARED: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def series(texts: Sequence[str], **labels: str) -> dict[str, Series]:
    """The series of one process by name, from what /metrics said at each step. `labels`: those that Prometheus adds."""
    found: dict[str, Series] = defaultdict(dict)
    for step, text in enumerate(texts):
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                key = tuple(sorted({**sample.labels, **labels}.items()))
                values = found[sample.name].setdefault(key, [None] * len(texts))
                values[step] = sample.value
    return found


@dataclass
class Query:
    """An expression, read from left to right over the samples until one step."""

    text: str
    known: dict[str, Series]
    step: int

    def value(self) -> Vector:
        """What the expression gives: no series means that no alarm rings."""
        self.tokens = TOKEN.findall(self.text)
        assert "".join(self.tokens) == re.sub(r"\s", "", self.text), "all of it is understood"
        found = self.either()
        assert not self.tokens, self.tokens
        assert isinstance(found, dict), "a rule compares"
        return found

    def next(self, *wanted: str) -> str | None:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def take(self, wanted: str) -> None:
        assert self.next(wanted), (wanted, self.tokens)

    def either(self) -> Vector | float:
        left = self.compared()
        while self.next("or"):
            right = self.compared()
            assert isinstance(left, dict) and isinstance(right, dict)
            left = right | left
        return left

    def compared(self) -> Vector | float:
        left = self.chain(SUM, lambda: self.chain(RATIO, self.atom))
        if sign := self.next(*COMPARED):
            right = self.chain(SUM, lambda: self.chain(RATIO, self.atom))
            assert isinstance(left, dict), "no alert compares numbers"
            both = pairs(left, right)
            return {key: a for key, (a, b) in both.items() if COMPARED[sign](a, b)}
        return left

    def chain(
        self, known: dict[str, Callable[[float, float], float]], part: Callable[[], Vector | float]
    ) -> Vector | float:
        left = part()
        while sign := self.next(*known):
            right = part()
            if isinstance(left, dict):
                left = {key: known[sign](a, b) for key, (a, b) in pairs(left, right).items()}
            elif isinstance(right, dict):
                left = {key: known[sign](left, b) for key, b in right.items()}
            else:
                left = known[sign](left, right)
        return left

    def atom(self) -> Vector | float:
        word = self.tokens.pop(0)
        if word == "(":
            found = self.either()
            self.take(")")
            return found
        if re.match(r"\d", word):
            return float(word)
        if word in AGGREGATES:
            return self.aggregated(AGGREGATES[word])
        if word in ("rate", "increase"):
            self.take("(")
            name, labels = self.tokens.pop(0), self.labels()
            self.take("[")
            length = self.tokens.pop(0)
            minutes = int(float(length[:-1]) * MINUTES[length[-1]])
            self.take("]")
            self.take(")")
            grown = {
                key: grows(values[max(0, self.step - minutes // STEP) : self.step + 1])
                for key, values in self.chosen(name, labels)
            }
            by = 1 if word == "increase" else minutes * 60
            return {key: value / by for key, value in grown.items() if value is not None}
        if word == "absent":
            self.take("(")
            found = self.either()
            self.take(")")
            return {} if found else {(): 1.0}
        if word == "histogram_quantile":
            self.take("(")
            wanted = float(self.tokens.pop(0))
            self.take(",")
            found = self.either()
            self.take(")")
            assert isinstance(found, dict)
            return quantile(wanted, found)
        return {k: v for k, values in self.chosen(word, self.labels()) if (v := values[self.step]) is not None}

    def labels(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.next("{", ","):
            name = self.tokens.pop(0)
            self.take("=")
            found[name] = self.tokens.pop(0).strip('"')
        if found:
            self.take("}")
        return found

    def chosen(self, name: str, labels: dict[str, str]) -> Iterable[tuple[Labels, list[float | None]]]:
        return [
            (key, values) for key, values in self.known.get(name, {}).items() if labels.items() <= dict(key).items()
        ]

    def aggregated(self, how: Callable[[Iterable[float]], float]) -> Vector:
        by = list[str]()
        if self.next("by"):
            self.take("(")
            while not self.next(")"):
                by.append(self.tokens.pop(0))
                self.next(",")
        self.take("(")
        inner = self.either()
        self.take(")")
        assert isinstance(inner, dict)
        groups: dict[Labels, list[float]] = defaultdict(list)
        for key, value in inner.items():
            groups[tuple(pair for pair in key if pair[0] in by)].append(value)
        return {key: how(values) for key, values in groups.items()}


def pairs(left: Vector, right: Vector | float) -> dict[Labels, tuple[float, float]]:
    """The values of both sides, of series with the same labels."""
    if isinstance(right, dict):
        return {key: (value, right[key]) for key, value in left.items() if key in right}
    return {key: (value, right) for key, value in left.items()}


def grows(values: Sequence[float | None]) -> float | None:
    """By how much a counter has grown, over its restarts. One sample alone shows no growth, as in Prometheus."""
    there = [value for value in values if value is not None]
    if len(there) < 2:
        return None
    return math.fsum(after - before if after >= before else after for before, after in pairwise(there))


def quantile(wanted: float, buckets: Vector) -> Vector:
    """That quantile of one histogram, from its buckets by `le`."""
    bounds = sorted((float(dict(key)["le"]), value) for key, value in buckets.items())
    if not bounds or not bounds[-1][1]:
        return {}
    rank, before, below = wanted * bounds[-1][1], 0.0, 0.0
    for bound, count in bounds:
        if count >= rank:
            inside = (rank - below) / (count - below) if count > below else 0.0
            return {(): before if bound == math.inf else before + (bound - before) * inside}
        before, below = bound, count
    raise AssertionError("the last bucket has all")
