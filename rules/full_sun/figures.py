"""Full Sun: figures of a match for the statistics of a server, from what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.core.game import AnyState, Event
from rules.core.tally import Chart, Measure, Tally, tallies_of
from rules.core.tricks import TrickTaken
from rules.full_sun.types import PIPS, CardPlayed, RoundScored

MANY = 5
"""So many tricks and more are counted as one."""
_KINDS = (*PIPS, "Rain", "Sun")

CHARTS: Mapping[str, Chart] = {
    "species": Chart(Measure.RATE, _KINDS),
    "taker": Chart(Measure.RATE, _KINDS),
    "tricks": Chart(Measure.RATE, tuple(map(str, range(MANY + 1)))),
}
"""How often a player scored with this last card; this card took the trick; one scored with this number of tricks."""


def tallies(events: Sequence[Event], end: AnyState) -> list[Tally]:
    """Return the figures of a match that is over."""
    ended, scored, played, took = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    won, right = Counter[str](), Counter[str]()
    trick, last = dict[int, str](), dict[int, str]()
    for event in events:
        match event:
            case CardPlayed():
                trick[event.seat] = event.card if event.card in ("Rain", "Sun") else event.card[0]
            case TrickTaken():
                played.update(trick.values())
                took[trick[event.winner]] += 1
                trick, last = {}, trick
            case RoundScored():
                tricks = [str(min(count, MANY)) for count in event.result.tricks]
                ended.update(last.values())
                scored.update(last[seat] for seat in event.result.scored)
                won.update(tricks)
                right.update(tricks[seat] for seat in event.result.scored)
    return [
        *tallies_of("species", ended, scored),
        *tallies_of("taker", played, took),
        *tallies_of("tricks", won, right),
    ]
