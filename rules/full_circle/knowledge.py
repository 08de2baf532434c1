"""Full Circle: what seats know of others' hands, and how to redeal hands without changing it.

A fact is (the hand's seat, the seat that knows, card); `Known` is sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.core.chance import shuffle
from rules.core.game import Seat

Fact = tuple[int, int, int]
Known = tuple[Fact, ...]
Hands = tuple[tuple[int, ...], ...]

EVERYBODY = 4
"""In a fact: all seats and onlookers know it, because the card lies open."""


def without(items: Sequence[Any], taken: Iterable[Any]) -> tuple[Any, ...]:
    """Return the items without those taken, one for one; taken items that are missing are ignored."""
    left = [*items]
    for item in taken:
        if item in left:
            left.remove(item)
    return tuple(left)


def after_play(known: Known, seat: Seat, card: int) -> Known:
    """Return the facts after the seat has played the card: those about it are gone."""
    if not [fact for fact in known if fact[0] == seat and fact[2] == card]:
        return known
    if (seat, EVERYBODY, card) in known:
        return without(known, [(seat, EVERYBODY, card)])
    return without(known, [(seat, viewer, card) for viewer in range(4)])


def last_card(known: Known, seat: Seat, card: int) -> Known:
    """Return the facts after one card is left in the seat's hand: all see it (F12)."""
    return tuple(sorted([*[fact for fact in known if fact[0] != seat], (seat, EVERYBODY, card)]))


def after_gift(known: Known, giver: Seat, to: Seat, card: int, left: Sequence[int]) -> Known:
    """Return the facts after a gift, which the giver and the receiver know (F6, F17).

    The receiver keeps what it knew of the giver's hand. The others lose it, since any card that they knew may be the
    one given; if the giver's last card now lies open, they know whether it was (F12).
    """
    of_giver = [(viewer, fact) for holder, viewer, fact in known if holder == giver]
    facts: set[Fact] = {(to, giver, card)}
    if len(left) == 1:  # it lies open (F12): a viewer who knew the other card now knows that it was given
        facts |= {(to, viewer, card) for viewer, fact in of_giver if fact == card != left[0] and viewer != to}
        kept = [(giver, EVERYBODY, left[0])]
    else:
        seen = [fact for viewer, fact in of_giver if viewer in (to, EVERYBODY)]
        kept = [(giver, to, fact) for fact in without(seen, [card])]
    if (to, EVERYBODY, card) in facts:
        facts = {(to, EVERYBODY, card)}
    return tuple(sorted([*[fact for fact in known if fact[0] != giver], *facts, *kept]))


def with_new_cards(facts: Sequence[Fact], seat: Seat | None, was: Sequence[int], now: Sequence[int]) -> list[Fact]:
    """Return the facts of a hand after its hidden cards `was` became `now`: facts that others know follow their card.

    What `seat` or everyone knows stays, and so does a fact about a card that is not in `was`.
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


def redeal(
    hands: Hands, old: Hands, known: Known, pile: Sequence[int], seat: Seat | None, seed: str
) -> tuple[Hands, Hands, Known, tuple[int, ...]]:
    """Return hands, old cards in them, facts and pile that the seat cannot tell from these: see `redeal_unseen`."""
    of_old: list[tuple[int, ...]] = []
    of_new: list[tuple[int, ...]] = []
    for other, hand in enumerate(hands):
        seen = [card for holder, viewer, card in known if holder == other and viewer in (EVERYBODY, seat)]
        hidden = () if other == seat else without(hand, seen)
        of_old.append(without(old[other], seen) if hidden else ())
        of_new.append(without(hidden, of_old[-1]))
    # Ordinal 0 was the first deal, so no later shuffle under this seed repeats these.
    kept = shuffle(f"{seed} old", 0, sorted(card for cards in of_old for card in cards))
    new = shuffle(seed, 0, sorted([*(card for cards in of_new for card in cards), *pile]))
    now_hands, now_old, now_known = [], [], []
    for other, hand in enumerate(hands):
        was = (*of_old[other], *of_new[other])
        from_old, kept = kept[: len(of_old[other])], kept[len(of_old[other]) :]
        from_new, new = new[: len(of_new[other])], new[len(of_new[other]) :]
        now = (*from_old, *from_new)
        now_hands.append(tuple(sorted([*without(hand, was), *now])))
        now_old.append(tuple(sorted([*without(old[other], of_old[other]), *from_old])))
        now_known += with_new_cards([fact for fact in known if fact[0] == other], seat, was, now)
    return tuple(now_hands), tuple(now_old), tuple(sorted(now_known)), new
