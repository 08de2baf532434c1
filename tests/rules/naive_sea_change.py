"""Sea Change's scoring once more, as plainly as the rules page tells it and without regard to speed.

Cards are texts like "B9". `lays` is a trick so far as (player, card) in the order played; `table` is points by value.
"""

from __future__ import annotations

from collections.abc import Sequence

Lays = Sequence[tuple[int, str]]


def suit(card: str) -> str:
    return card[0]


def value(card: str) -> int:
    return int(card[1:])


def trump_after(lays: Lays, trump: str | None) -> str | None:
    """C3 and C4: the first card of the round sets the trump; a card of the last one's value changes it."""
    if lays and trump is None:
        trump = suit(lays[0][1])
    for place in range(1, len(lays)):
        if value(lays[place][1]) == value(lays[place - 1][1]):
            trump = suit(lays[place][1])
    return trump


def legal(hand: Sequence[str], lays: Lays) -> set[str]:
    """C5: follow the lead suit, or match the value just played, or, void in the lead suit, anything."""
    if not lays:
        return set(hand)
    following = {card for card in hand if suit(card) == suit(lays[0][1])}
    matching = {card for card in hand if value(card) == value(lays[-1][1])}
    return following | matching if following else set(hand)


def winner(lays: Lays, trump: str) -> int:
    """C6: the highest trump; without one, the highest of the lead suit. `trump` as the trick is complete."""
    for wanted in (trump, suit(lays[0][1])):
        candidates = [(value(card), player) for player, card in lays if suit(card) == wanted]
        if candidates:
            return max(candidates)[1]
    raise AssertionError("a trick has a card of the suit that was led")


def points(cards: Sequence[str], trump: str | None, table: dict[int, int], zero: int) -> int:
    """The table's points; the 0 of the trump counts `zero` at a round's end, no 0 counts before (`trump` None)."""
    total = 0
    for card in cards:
        if value(card) != 0:
            total += table[value(card)]
        elif suit(card) == trump:
            total += zero
    return total


def round_winners(totals: Sequence[int], captured: Sequence[Sequence[str]], solo: bool) -> set[int]:
    """C8, and C11 for the solo game: side 1 is the AI."""
    if solo:
        has_8 = any(value(card) == 8 for card in captured[0])
        return {0} if totals[0] > totals[1] and has_8 else {1}
    return {side for side, total in enumerate(totals) if total == max(totals)}


def match_winners(
    victory_points: Sequence[int], target: int, captured: Sequence[Sequence[str]], trump: str
) -> tuple[set[int], str]:
    """C9: the sides that win, by which tie-break; no player while the target is not reached."""
    there = {side for side, won in enumerate(victory_points) if won >= target}
    if len(there) < 2:
        return there, ""
    with_zero = {side for side in there if f"{trump}0" in captured[side]}
    if with_zero:
        return with_zero, "zero"
    fewest = min(len(captured[side]) for side in there)
    left = {side for side in there if len(captured[side]) == fewest}
    return left, "cards" if len(left) == 1 else "shared"
