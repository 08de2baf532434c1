"""Full Circle: figures of a match for the statistics of a server, from what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.core.game import AnyState, Event
from rules.core.tally import Chart, Measure, Tally, tallies_of
from rules.full_circle.types import (
    COLOURS,
    CardGiven,
    CardPlayed,
    DoubleMatched,
    FullCircled,
    RoundScored,
    TrapSet,
)

CHARTS: Mapping[str, Chart] = {
    "special": Chart(Measure.MEAN, ("double", "full", "gift", "trap")),
    "trap": Chart(Measure.SHARE, COLOURS),
    "last": Chart(Measure.SHARE, ("one", "two", "wild", "gift", "none")),
}
"""How many of these there are in a round; the colours of traps; with what card a round was won."""


def tallies(events: Sequence[Event], end: AnyState) -> list[Tally]:
    """Return the figures of a match that is over."""
    special, traps, won = Counter[str](), Counter[str](), Counter[str]()
    rounds, last = 0, ""
    for event in events:
        match event:
            case CardPlayed():
                last = "wild" if event.face.startswith("W") else ("one", "two")[len(event.face) - 1]
            case CardGiven():
                last = "gift"
                special["gift"] += 1
            case DoubleMatched():
                special["double"] += 1
            case FullCircled():
                special["full"] += 1
            case TrapSet():
                special["trap"] += 1
                traps[event.colour] += 1
            case RoundScored():
                rounds += 1
                won["none" if event.result.winner is None else last] += 1
    return [
        *tallies_of("special", dict.fromkeys(CHARTS["special"].names, rounds), special),
        *tallies_of("trap", traps),
        *tallies_of("last", won),
    ]
