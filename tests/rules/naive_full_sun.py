"""Full Sun's rules once more, as plainly as the rules page tells them and without regard to speed.

Cards are texts like "B9", "Rain" or "Sun". `lays` is a trick so far as (seat, card) in the order played; `tricks` are a
round's complete tricks, as (winner, cards).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Lays = Sequence[tuple[int, str]]


def suit(card: str) -> str:
    return "W" if card in ("Rain", "Sun") else card[0]


def number(card: str) -> int:
    return {"Rain": 0, "Sun": 18}[card] if suit(card) == "W" else int(card[1:])


def pips(card: str) -> int:
    return {"Rain": 0, "Sun": 5}[card] if suit(card) == "W" else {"B": 1, "R": 2, "S": 3, "L": 4}[card[0]]


def beats(card: str, other: str) -> bool:
    """S3: the higher number; of equal numbers more pips."""
    if number(card) == number(other):
        return pips(card) > pips(other)
    return number(card) > number(other)


def legal(hand: Sequence[str], lays: Lays) -> set[str]:
    """S2: the suit of the card played just before; without it, and for the leader, anything."""
    following = {card for card in hand if lays and suit(card) == suit(lays[-1][1])}
    return following or set(hand)


def winner(lays: Lays) -> int:
    """S3: who played the card that beats all others."""
    (best,) = [seat for seat, card in lays if all(beats(card, other) for _, other in lays if other != card)]
    return best


def order(leader: int, round_number: int, seats: int) -> list[int]:
    """S4: who plays one after the other. Clockwise in odd rounds, the other way in even ones."""
    clockwise = [*range(leader, seats), *range(leader)]
    return clockwise if round_number % 2 == 1 else [leader, *reversed(clockwise[1:])]


def hand_sizes(points: Sequence[int], hand: int, deck: int) -> list[int]:
    """S5: a card more for each point behind the leader; in need, for at most the largest number that suffices."""
    for most in range(max(points), -1, -1):
        sizes = [hand + min(max(points) - count, most) for count in points]
        if sum(sizes) <= deck:
            return sizes
    raise AssertionError("the cards suffice for the hands")


def scorers(last_cards: Sequence[str], winners: Sequence[int]) -> set[int]:
    """S6: `last_cards` by seat, `winners` of all tricks of the round."""
    return {seat for seat, card in enumerate(last_cards) if list(winners).count(seat) == pips(card)}


def tie_break(seat: int, last_card: str, tricks: Sequence[tuple[int, Sequence[str]]]) -> int:
    """S7: cards of the own species in the best single trick; 0 without one."""
    best = 0
    for taker, cards in tricks:
        if taker == seat:
            best = max(best, len([card for card in cards if suit(card) == suit(last_card)]))
    return best


def match_winners(
    points: Sequence[int], target: int, last_cards: Sequence[str], tricks: Sequence[tuple[int, Sequence[str]]]
) -> tuple[set[int], Mapping[int, int]]:
    """S7: who wins, and what those who tie show. No player while the target is not reached."""
    there = [seat for seat, count in enumerate(points) if count >= target]
    if len(there) < 2:
        return set(there), {}
    shown = {seat: tie_break(seat, last_cards[seat], tricks) for seat in there}
    return {seat for seat in there if shown[seat] == max(shown.values())}, shown
