"""The deck table of Siege of Sunfall: the cards, and what an operator's own table may contain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.core.game import Json, demand
from rules.siege_of_sunfall.types import ATTACKERS, PILES, Card, Kind

# The rulebook says that there are 51 cards and names their kinds; every other number here is the house's.
STRENGTHS = (2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10)  # house: the same for swords, helmets and bows
SPECIALS = {"boost": 3, "gold": 3, "armies": 3, "crown": 3}  # house: the number of each
CARDS = 51


def rounds_of(seats: int) -> int:
    """Return the rounds of a match of so many players: as long as the cards suffice."""
    return CARDS // PILES[seats][0]


class Deck(NamedTuple):
    """A complete deck table, and the cards that it lists, in its order."""

    strengths: tuple[tuple[Kind, tuple[int, ...]], ...]
    counts: tuple[tuple[Kind, int], ...]
    cards: tuple[Card, ...]

    def to_json(self) -> Json:
        """Return the deck table: strengths by kind, then the number of each other kind."""
        return {"strengths": {kind: list(row) for kind, row in self.strengths}, **dict(self.counts)}

    @classmethod
    def from_json(cls, table: Json) -> Deck:
        """Return the deck of a complete deck table, such as `check_deck` returns."""
        strengths = tuple((kind, tuple(table["strengths"][kind])) for kind in ATTACKERS)
        counts = tuple((Kind(name), table[name]) for name in SPECIALS)
        cards = [Card(kind, strength) for kind, row in strengths for strength in row]
        return cls(strengths, counts, (*cards, *(Card(kind) for kind, count in counts for _ in range(count))))


def check_deck(table: Mapping[str, Any]) -> Json:
    """Return the complete deck table from a partial one. Raises BadOption("deck", …) unless it has 51 cards.

    >>> check_deck({"boost": 4, "gold": 2})["gold"]
    2
    """

    def whole(value: object, least: int) -> bool:
        return type(value) is int and value >= least

    demand(isinstance(table, Mapping), f"not a table: {table!r}")
    for name in table:
        demand(name == "strengths" or name in SPECIALS, f"no such key: {name!r}")
    rows = table.get("strengths", {})
    demand(isinstance(rows, Mapping), f"strengths are lists by kind, not {rows!r}")
    for name in rows:
        demand(name in ATTACKERS, f"only {', '.join(ATTACKERS)} have strengths, not {name!r}")
        demand(isinstance(rows[name], list | tuple), f"{name}: not a list of strengths: {rows[name]!r}")
        for strength in rows[name]:
            demand(whole(strength, 1), f"{name}: a strength is a whole number of at least 1, not {strength!r}")
    strengths = {kind.value: sorted(rows.get(kind, STRENGTHS)) for kind in ATTACKERS}  # the order of docs/fair-deals.md
    counts = {name: table.get(name, count) for name, count in SPECIALS.items()}
    for name, count in counts.items():
        demand(whole(count, 0), f"{name}: a number of cards is a whole number of at least 0, not {count!r}")
    total = sum(map(len, strengths.values())) + sum(counts.values())
    demand(total == CARDS, f"the cards add up to {total}, not to {CARDS}")
    return {"strengths": strengths, **counts}
