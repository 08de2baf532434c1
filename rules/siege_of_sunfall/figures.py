"""Siege of Sunfall: figures of a match for the statistics of a server, from what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.core.game import AnyState, Event
from rules.core.tally import Chart, Measure, Tally, tallies_of
from rules.siege_of_sunfall.events import ArmiesPaid, PledgesRevealed, RoundEnded, SetTurnedIn

STRENGTHS = {"weak": 3, "medium": 5, "strong": 7}
"""The highest strength of an attack of these names; what is above is "fierce"."""

CHARTS: Mapping[str, Chart] = {
    "attack": Chart(Measure.RATE, (*STRENGTHS, "fierce")),
    "armies": Chart(Measure.SHARE, ("end", "card", "set")),
    "survivors": Chart(Measure.SHARE, tuple(map(str, range(7)))),
}
"""How often an attack of this strength was repelled; where armies came from; how many players survived a round."""


def tallies(events: Sequence[Event], end: AnyState) -> list[Tally]:
    """Return the figures of a match that is over."""
    faced, repelled, armies, survivors = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for event in events:
        match event:
            case PledgesRevealed(reveal) if reveal.repelled is not None:
                most = (name for name, most in STRENGTHS.items() if reveal.card.strength <= most)
                name = next(most, "fierce")
                faced[name] += 1
                repelled[name] += reveal.repelled
            case ArmiesPaid():
                armies["card"] += event.armies
            case SetTurnedIn():
                armies["set"] += 1
            case RoundEnded(result):
                armies["end"] += sum(result.gained)
                survivors[str(len(result.survivors))] += 1
    return [
        *tallies_of("attack", faced, repelled),
        *tallies_of("armies", armies),
        *tallies_of("survivors", survivors),
    ]
