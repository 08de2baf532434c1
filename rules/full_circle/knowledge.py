"""Full Circle: what seats know of others' hands, as facts (holder, who knows, card), sorted; and other such hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.core.chance import shuffle
from rules.core.game import Seat

Fact = tuple[int, int, int]
Known = tuple[Fact, ...]
Hands = tuple[tuple[int, ...], ...]

EVERYBODY = 4
"""Who knows what lies open: all seats, and onlookers."""


def without(items: Sequence[Any], taken: Iterable[Any]) -> tuple[Any, ...]:
    """The items without those, one for one, as far as they are there."""
    left = [*items]
    for item in taken:
        if item in left:
            left.remove(item)
    return tuple(left)


def after_play(known: Known, seat: Seat, card: int) -> Known:
    if not [fact for fact in known if fact[0] == seat and fact[2] == card]:
        return known
    if (seat, EVERYBODY, card) in known:
        return without(known, [(seat, EVERYBODY, card)])
    return without(known, [(seat, viewer, card) for viewer in range(4)])


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
        kept = [(giver, to, fact) for fact in without(seen, [card])]
    if (to, EVERYBODY, card) in facts:
        facts = {(to, EVERYBODY, card)}
    return tuple(sorted([*[fact for fact in known if fact[0] != giver], *facts, *kept]))


def with_new_cards(facts: Sequence[Fact], seat: Seat | None, was: Sequence[int], now: Sequence[int]) -> list[Fact]:
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


def redeal(
    hands: Hands, old: Hands, known: Known, pile: Sequence[int], seat: Seat | None, seed: str
) -> tuple[Hands, Hands, Known, tuple[int, ...]]:
    """Other hands, old cards in them, facts and pile that the seat cannot tell from these: see `redeal_unseen`."""
    of_old: list[tuple[int, ...]] = []
    of_new: list[tuple[int, ...]] = []
    for other, hand in enumerate(hands):
        seen = [card for holder, viewer, card in known if holder == other and viewer in (EVERYBODY, seat)]
        hidden = () if other == seat else without(hand, seen)
        of_old.append(without(old[other], seen) if hidden else ())
        of_new.append(without(hidden, of_old[-1]))
    # Ordinal 0 is the first deal, which is over; so no shuffle to come repeats these.
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
