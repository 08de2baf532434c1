"""Sea Change: the suits that a hand may still hold after what its player has shown (C5), and redealing within them."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.chance import shuffle
from rules.sea_change.types import HAND, SUITS

ANYTHING = (HAND,) * len(SUITS)
"""What a hand may hold of each suit while all cards are possible."""


def after_play(most: tuple[int, ...], suit: int, drawn: int) -> tuple[int, ...]:
    """Return the limits of a hand after its card of the suit is played and `drawn` cards are drawn (C10, two players).

    One card fewer of that suit, and `drawn` more of any suit, up to HAND.
    """
    return tuple([min(HAND, number - (s == suit) + drawn) for s, number in enumerate(most)])


def respect_limits(places: Sequence[list[int]], most: Sequence[tuple[int, ...]], seed: str) -> None:
    """Exchange cards, in place, until no place has more of a suit than `most` allows, or no exchange helps any more."""
    exchanges = 0
    for home, cards in enumerate(places):
        for suit, number in enumerate(most[home]):
            if number >= len(cards):
                continue
            surplus = [at for at, card in enumerate(cards) if card >> 5 == suit][number:]
            for at in surplus:
                exchanges += 1
                _exchange_in_ring(places, most, home, at, shuffle(seed, exchanges, range(len(places))))


def _can_take(cards: Sequence[int], suit: int, number: int) -> bool:
    """Return whether a place that may hold `number` cards of the suit can take one more in exchange for another."""
    return number >= len(cards) or (number > 0 and sum([card >> 5 == suit for card in cards]) < number)


def _exchange_in_ring(
    places: Sequence[list[int]], most: Sequence[tuple[int, ...]], home: int, at: int, order: Sequence[int]
) -> None:
    """Take the card out of its home by the shortest ring of places, each of which may hold the card that it is passed.

    Such a ring exists if the cards can be dealt so that no place has more of a suit than it may.
    """
    came: dict[int, tuple[int, int]] = {}  # by place: the place that passes a card to it, and the card's index there
    offers = [(home, at)]
    for giver, offer in offers:
        suit = places[giver][offer] >> 5
        for taker in order:
            if taker in came or not _can_take(places[taker], suit, most[taker][suit]):
                continue
            came[taker] = giver, offer
            if taker == home:
                ring = [came[home]]
                while ring[-1][0] != home:
                    ring.append(came[ring[-1][0]])
                passed = [places[place][card] for place, card in ring]
                for (place, card), new in zip((ring[-1], *ring), passed, strict=False):
                    places[place][card] = new
                return
            offers += [(taker, card) for card in range(len(places[taker]))]
