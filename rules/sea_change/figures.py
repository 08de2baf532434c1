"""Sea Change: figures of a match for the statistics of a server, from what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.core.game import AnyState, Event
from rules.core.tally import Chart, Measure, Tally, tallies_of
from rules.core.tricks import TrickTaken
from rules.sea_change.types import SUITS, RoundBegan, RoundScored, SeaChanged, TrumpSet

CHARTS: Mapping[str, Chart] = {
    "trump": Chart(Measure.RATE, SUITS),
    "suit": Chart(Measure.RATE, SUITS),
    "round": Chart(Measure.RATE, ("changed", "zero", "shared")),
}
"""How often a suit was trump at the end of a round in which it was in play; how many tricks it took while it was in
play; how many tricks changed the trump, how often who captured the trump 0 won the round, and how often several won it.
"""


def tallies(events: Sequence[Event], end: AnyState) -> list[Tally]:
    """Return the figures of a match that is over."""
    dealt, last, there, took = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    rounds, hits = Counter[str](), Counter[str]()
    suits: tuple[str, ...] = ()
    trump, changed = "", False
    for event in events:
        match event:
            case RoundBegan():
                suits = event.suits
            case TrumpSet():
                trump = event.suit
            case SeaChanged():
                changed |= event.suit != trump
                trump = event.suit
            case TrickTaken():
                there.update(suits)
                lead = event.cards[0][0]
                took[trump if any(card[0] == trump for card in event.cards) else lead] += 1
                rounds["changed"] += 1
                hits["changed"] += changed
                changed = False
            case RoundScored():
                dealt.update(suits)
                last[event.result.trump] += 1
                rounds["shared"] += 1
                hits["shared"] += len(event.result.winners) > 1
                rounds["zero"] += event.result.zero_side is not None
                hits["zero"] += event.result.zero_side in event.result.winners
    return [
        *tallies_of("trump", dealt, last),
        *tallies_of("suit", there, took),
        *tallies_of("round", rounds, hits),
    ]
