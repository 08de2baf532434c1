"""Figures of a finished match without names. A server adds up those of all its matches: `/stats` shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Tally:
    """A figure of a match without names: it was there `of` times, and `hits` of them won, or it amounts to `hits`."""

    kind: str
    name: str
    of: int
    hits: int


class Measure(StrEnum):
    """What a chart shows of each of its tallies."""

    RATE = "rate"
    """How many of the `of` are hits, in percent."""
    MEAN = "mean"
    """How many hits there are for each of the `of`."""
    SHARE = "share"
    """How much of all `of` of the kind is this one, in percent."""


class Chart(NamedTuple):
    """How the tallies of one kind are shown: what of them, and in which order."""

    measure: Measure
    names: tuple[str, ...]


def tallies_of(kind: str, of: Mapping[str, int], hits: Mapping[str, int] | None = None) -> list[Tally]:
    """Return a tally for each name that was there at least once; without `hits`, they are 0."""
    return [Tally(kind, name, count, (hits or {}).get(name, 0)) for name, count in of.items() if count]
