"""Photosynthesis: figures of a match for the statistics of a server, from what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.core.game import AnyState, Event
from rules.core.tally import Chart, Measure, Tally, tallies_of
from rules.photosynthesis.types import (
    COLLECTING,
    ROUNDS_A_REVOLUTION,
    Bought,
    Collected,
    Grown,
    LightCollected,
    MatchWon,
    Planted,
    SunMoved,
)

CHARTS: Mapping[str, Chart] = {
    "soil": Chart(Measure.MEAN, ("4", "3", "2", "1")),
    "revolution": Chart(Measure.MEAN, ("1", "2", "3", "4")),
    "light": Chart(Measure.SHARE, ("buy", "plant", "grow", "collect", "lost")),
}
"""How many trees were collected in a match from soil of so many leaves, and in this revolution of the sun; what the
light of all players was spent on, and what was lost of it because a player can hold no more.
"""


def tallies(events: Sequence[Event], end: AnyState) -> list[Tally]:
    """Return the figures of a match that is over."""
    soil, revolutions, light = Counter[str](), Counter[str](), Counter[str]()
    revolution, seats = 1, 0
    for event in events:
        match event:
            case SunMoved():
                revolution = (event.round - 1) // ROUNDS_A_REVOLUTION + 1
            case Bought():
                light["buy"] += event.price
            case Planted():
                light["plant"] += 1
            case Grown():
                light["grow"] += event.height
            case Collected():
                light["collect"] += COLLECTING
                soil[str(event.leaves)] += 1
                revolutions[str(revolution)] += 1
            case LightCollected():
                light["lost"] += sum(event.sunlight.lost)
            case MatchWon():
                seats = len(event.finals)
    leaves = [str(number) for number in range(1, 4 if seats == 2 else 5)]  # for two, the centre has three
    return [
        *tallies_of("soil", dict.fromkeys(leaves, 1), soil),
        *tallies_of("revolution", {str(number): 1 for number in range(1, revolution + 1)}, revolutions),
        *tallies_of("light", light),
    ]
