"""Rule players for Full Sun: yardsticks that aim at a species and count tricks, and never search ahead.

Each card that may be played is judged by how well the hand that remains fits a species: the tricks won so far and the
tricks that the hand should still win, against the pips of a tree that it can end with. `careful` counts the
tricks that it may be forced to win and guards its tree; `bold` trusts its freedom to choose, likes the high trees,
keeps a second one in mind and gets in the way of the leaders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from rules.core.game import Seat
from rules.core.tricks import Play
from rules.full_sun.types import SUITS, FullSunView

Strength = tuple[int, int]
"""A card's number and pips: the greater one takes the trick."""


@dataclass(frozen=True)
class Style:
    """How the two players differ."""

    other_species: float
    """How much the second-best species to end with counts: room to change one's mind."""
    high_trees: float
    """A liking for species of many pips."""
    freedom: float
    """How far players can choose whether a medium card wins: 0 is not at all."""
    forcing: float
    """How often a trick forces the player to give up a card of its species."""
    hinder: float
    """How much it counts that a trick goes to a player who does not want it."""


STYLES = {
    # Follows the count: wins as many tricks as some tree in hand has pips, and guards that tree.
    "careful": Style(other_species=0.1, high_trees=0.0, freedom=0.6, forcing=0.13, hinder=0.03),
    # Aims for a high tree with a second one in mind, and gives tricks to players whom they hurt.
    "bold": Style(other_species=0.2, high_trees=0.03, freedom=0.8, forcing=0.1, hinder=0.1),
}


def choose(view: FullSunView, seat: Seat, legal: Sequence[Play], style: Style) -> Play:
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda play: _value(view, seat, play.card, style))


def _strength(view: FullSunView, card: str) -> Strength:
    number, pips = view.face(card)
    return number, pips


@lru_cache(maxsize=64)
def _deck(highest: int) -> tuple[str, ...]:
    return (*(f"{suit}{number}" for suit in SUITS[:4] for number in range(1, highest + 1)), "Rain", "Sun")


@lru_cache(maxsize=4096)
def _unseen(highest: int, hand: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that may still be in other hands, as far as a player without notes can tell (S9)."""
    seen = {*hand, *table}
    return tuple(card for card in _deck(highest) if card not in seen)


def _hidden(view: FullSunView) -> tuple[str, ...]:
    table = [lay.card for lay in view.lays]
    if view.last_trick and view.trick_number > 1:  # before that it belongs to the round before
        table += [lay.card for lay in view.last_trick.lays]
    return _unseen(view.highest, view.hand, tuple(table))


def _takes(view: FullSunView, seat: Seat, card: str) -> float:
    """Return how likely the card is to take this trick, judged by the backs of the players still to come."""
    mine = _strength(view, card)
    if any(_strength(view, lay.card) > mine for lay in view.lays):
        return 0.0
    hidden = _hidden(view)
    weather = card in ("Rain", "Sun")
    suit = 4 if weather else SUITS.index(card[0])
    above_all = [other for other in hidden if _strength(view, other) > mine]
    of_suit = [other for other in hidden if (other[0] == card[0] if not weather else other in ("Rain", "Sun"))]
    above = sum(_strength(view, other) > mine for other in of_suit)
    chance, other, sure = 1.0, int(seat), True
    for _ in range(view.seats - len(view.lays) - 1):
        other = (other + (1 if view.clockwise else -1)) % view.seats
        held = view.backs[other][suit]
        if held and sure:
            # A player who must follow beats the card only with a higher one of the suit, and need not play it.
            share = above / max(1, len(of_suit))
            beats = 1 - (1 - share) ** held
            chance *= 1 - (0.55 if held > 1 else 1.0) * beats
        else:
            # A player without the suit plays anything; players after them need no longer follow the first suit.
            sure = False
            chance *= 1 - 0.6 * len(above_all) / max(1, len(hidden))
    return chance


def _strengths(view: FullSunView, hand: tuple[str, ...]) -> list[float]:
    """Return for each card of the hand its chance to take a later trick about which nothing is known."""
    hidden = sorted(_strength(view, card) for card in _hidden(view))
    total = max(1, len(hidden))
    return [(sum(other < _strength(view, card) for other in hidden) / total) ** (view.seats - 1) for card in hand]


def _forced(chances: list[float], freedom: float) -> list[list[float]]:
    """Return how likely each pair of numbers is: of tricks that the hand must win, and of tricks that it must lose.

    A card with chance w must win with w ** (1 + freedom), and must lose likewise; otherwise its player decides.
    """
    size = len(chances) + 1
    table = [[0.0] * size for _ in range(size)]
    table[0][0] = 1.0
    for done, chance in enumerate(chances):
        win, lose = chance ** (1 + freedom), (1 - chance) ** (1 + freedom)
        free = 1 - win - lose
        for wins in range(done + 1, -1, -1):
            row, above = table[wins], table[wins - 1] if wins else None
            for losses in range(done + 1 - wins, -1, -1):
                row[losses] = (
                    row[losses] * free
                    + (row[losses - 1] * lose if losses else 0.0)
                    + (above[losses] * win if above else 0.0)
                )
    return table


def _reach(table: list[list[float]], need: int, left: int) -> float:
    """Return the chance to win exactly `need` of the `left` tricks: not to have to win more, nor to lose more."""
    return sum(sum(row[: left - need + 1]) for row in table[: need + 1])


def _fits(view: FullSunView, seat: Seat, hand: tuple[str, ...], left: int, style: Style) -> tuple[float, float]:
    """Return how well the hand fits a species, 0 to about 1, if this trick is lost and if it is won."""
    chances = sorted(_strengths(view, hand))
    freedom = style.freedom * (left - 1) / (left + 2)
    extra = len(chances) - left
    # With cards to lay aside (S5) the player may leave out the weakest, the strongest or the middle ones.
    half = left // 2
    choices = [chances]
    if extra > 0:
        choices = [chances[extra:], chances[:left], chances[:half] + chances[half + extra :]]
    tables = [_forced(choice, freedom) for choice in choices]
    suits = [4 if card in ("Rain", "Sun") else SUITS.index(card[0]) for card in hand]
    others = [sum(backs[suit] for at, backs in enumerate(view.backs) if at != seat) for suit in range(5)]
    every = max(1, sum(others))
    best: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for card, suit in zip(hand, suits, strict=True):
        pips = view.face(card).pips
        # A player who must follow can be forced to play the species, unless more cards of it are in hand.
        forced = style.forcing * 4 * others[suit] / every * (left - 1)
        keep = exp(-forced) * sum((1.0, forced, forced**2 / 2, forced**3 / 6)[: suits.count(suit)])
        for won_now, fits in enumerate(best):
            need = pips - view.tricks_won[seat] - won_now
            if 0 <= need <= left and pips not in fits:
                if left == 1:  # the last card itself decides
                    chance = _strengths(view, (card,))[0]
                    fits[pips] = chance if need else 1 - chance
                    continue
                fit = max(_reach(table, need, left) for table in tables)
                fits[pips] = fit * keep * (1 + style.high_trees * (pips in (3, 4)))
    lost, won = (sorted(fits.values(), reverse=True) for fits in best)
    weights = (1.0, style.other_species)
    return sum(map(float.__mul__, lost, weights)), sum(map(float.__mul__, won, weights))


def _wants(view: FullSunView, other: int) -> float:
    """Return whether another player would like this trick (1 yes, -1 no), judged by their backs and tricks so far."""
    won, left = view.tricks_won[other], view.tricks - view.trick_number + 1
    expected = won + left / view.seats
    held = [pips for pips, number in zip((1, 2, 3, 4, 5), view.backs[other], strict=True) if number]
    if not held:
        return 0.0
    nearest = min(held, key=lambda pips: abs(pips - expected))
    return 1.0 if nearest > expected + 0.3 else -1.0 if nearest < expected - 0.2 else 0.0


def _value(view: FullSunView, seat: Seat, card: str, style: Style) -> float:
    takes = _takes(view, seat, card)
    left = view.tricks - view.trick_number
    won = view.tricks_won[seat]
    if not left:
        pips = view.face(card).pips
        value = takes * (won + 1 == pips) + (1 - takes) * (won == pips)
    else:
        hand = tuple(other for other in view.hand if other != card)
        if_lost, if_won = _fits(view, seat, hand, left, style)
        value = takes * if_won + (1 - takes) * if_lost
    if view.lays and takes < 0.5:
        # The player with the highest card will probably take the trick: good if that spoils a leader's count.
        taker = max(view.lays, key=lambda lay: _strength(view, lay.card)).seat
        weight = 1 + view.points[taker] - min(view.points)
        value -= style.hinder * weight * _wants(view, taker) * (1 - takes)
    return value
