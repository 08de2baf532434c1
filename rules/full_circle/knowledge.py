"""Full Circle: what seats know of others' hands, as facts (holder, who knows, card), sorted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.core.game import Seat

Fact = tuple[int, int, int]
Known = tuple[Fact, ...]

EVERYBODY = 4
"""Who knows what lies open: all seats, and onlookers."""


def less(items: Sequence[Any], taken: Iterable[Any]) -> tuple[Any, ...]:
    """The items without those, one for one, as far as they are there."""
    left = [*items]
    for item in taken:
        if item in left:
            left.remove(item)
    return tuple(left)


def after_play(known: Known, seat: Seat, card: int) -> Known:
    if not any([holder == seat and fact == card for holder, _, fact in known]):
        return known
    if (seat, EVERYBODY, card) in known:
        return less(known, [(seat, EVERYBODY, card)])
    return less(known, [(seat, viewer, card) for viewer in range(4)])


def last_card(known: Known, seat: Seat, card: int) -> Known:
    """All see the one card that is left (F12)."""
    return tuple(sorted([*[fact for fact in known if fact[0] != seat], (seat, EVERYBODY, card)]))


def after_gift(known: Known, giver: Seat, to: Seat, card: int, left: Sequence[int]) -> Known:
    """Giver and receiver know the card. The others know no more what is where, unless it is plain to see."""
    of_giver = [(viewer, fact) for holder, viewer, fact in known if holder == giver]
    facts: set[Fact] = {(to, giver, card)}
    if len(left) == 1:  # it lies open (F12): who knew the other card knows that it was given
        facts |= {(to, viewer, card) for viewer, fact in of_giver if fact == card != left[0] and viewer != to}
        kept = [(giver, EVERYBODY, left[0])]
    else:
        seen = [fact for viewer, fact in of_giver if viewer in (to, EVERYBODY)]
        kept = [(giver, to, fact) for fact in less(seen, [card])]
    if (to, EVERYBODY, card) in facts:
        facts = {(to, EVERYBODY, card)}
    return tuple(sorted([*[fact for fact in known if fact[0] != giver], *facts, *kept]))


def renamed(facts: Sequence[Fact], seat: Seat | None, was: Sequence[int], now: Sequence[int]) -> list[Fact]:
    """Facts of a hand whose hidden cards `was` are `now` others: what somebody else than `seat` knows follows its card.

    A fact whose card is none of them tells of a card that has stayed.
    """
    moved: list[Fact] = []
    for by in range(EVERYBODY + 1):
        left = list(zip(was, now, strict=True))
        for holder, _, card in [fact for fact in facts if fact[1] == by]:
            pair = None if by in (EVERYBODY, seat) else next((pair for pair in left if pair[0] == card), None)
            if pair:
                left.remove(pair)
            moved.append((holder, by, pair[1] if pair else card))
    return moved
