"""Full Sun conserves the cards of the deck; its events account for every card and point that moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.core.game import Event, Json
from rules.core.tricks import TrickTaken
from rules.full_sun.types import CardPlayed, RoundBegan, RoundScored

REDEALS_DIFFER = 0.6
"""Backs show suits, so near a round's end there may be one hidden card a suit and one way to deal it."""

HIGHEST = {3: 7, 4: 11, 5: 17}
HAND = {3: 8, 4: 10, 5: 12}


def check(state: Json) -> None:
    """Every card is in exactly one place; hands have what was dealt less what was played."""
    seats = state["seats"]
    deck = [f"{suit}{number}" for suit in "BRSL" for number in range(1, HIGHEST[seats] + 1)] + ["Rain", "Sun"]
    laid = [card for trick in state["tricks"] for _, card in trick["lays"]] + [card for _, card in state["lays"]]
    hands = [card for hand in state["hands"] for card in hand]
    assert sorted(hands + state["fan"] + laid) == sorted(deck)
    assert len(state["tricks"]) <= HAND[seats] - (not state["outcome"])
    for trick in state["tricks"]:
        assert sorted(seat for seat, _ in trick["lays"]) == list(range(seats))
    laying = [seat for seat, _ in state["lays"]]
    assert len(set(laying)) == len(laying) < seats
    extra = [
        len(hand) + len(state["tricks"]) + (seat in laying) - HAND[seats] for seat, hand in enumerate(state["hands"])
    ]
    points = state["points"]
    if state["outcome"]:  # dealt by the points before this round's
        points = [count - (seat in state["last_round"]["scored"]) for seat, count in enumerate(points)]
    behind = [max(points) - count for count in points]
    assert all(0 <= more <= lag for more, lag in zip(extra, behind, strict=True))
    assert extra == behind or sum(behind) > len(deck) - seats * HAND[seats]


def check_step(before: Json, events: Sequence[Event], after: Json) -> None:
    """A ledger kept by the events alone agrees with the state."""
    hands = [Counter(hand) for hand in before["hands"]]
    tricks, points, dealt = len(before["tricks"]), before["points"], False
    for event in events:
        if isinstance(event, CardPlayed):
            hands[event.seat][event.card] -= 1
        elif isinstance(event, TrickTaken):
            assert event.cards[:-1] == tuple(card for _, card in before["lays"])
            tricks += 1
        elif isinstance(event, RoundScored):
            assert sum(event.result.tricks) == tricks
            assert list(event.result.left) == [hand.total() for hand in hands]
            points = [count + (seat in event.result.scored) for seat, count in enumerate(points)]
            assert list(event.points) == points
        elif isinstance(event, RoundBegan):
            assert event.hand_sizes == tuple(map(len, after["hands"]))
            dealt = True
    assert after["points"] == points
    if not dealt:
        assert [+hand for hand in hands] == [Counter(hand) for hand in after["hands"]]
        assert len(after["tricks"]) == tricks
