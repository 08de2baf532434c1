"""Sea Change conserves the cards of the deck; its events account for every card and victory point that moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.core.game import Event, Json
from rules.core.tricks import TrickTaken
from rules.sea_change.types import CardDrawn, CardPlayed, RoundBegan, RoundScored

REDEALS_DIFFER = 0.4
"""With two players, who has seen 20 of the 30 cards knows the other's hand: from the pile's end on, both do."""

VALUES = {6: range(3, 14), 7: range(2, 15), 8: range(1, 16)}
SUITS = {1: 3, 2: 3, 3: 3, 4: 4}


def check(state: Json) -> None:
    """Every card of the suits in play is in exactly one place; hands differ by no more than the trick going on."""
    seats = state["seats"]
    values = [0, *VALUES.get(seats, range(4, 13))]
    assert len(state["suits"]) == SUITS.get(seats, 5)
    deck = [f"{suit}{value}" for suit in state["suits"] for value in values]
    captured = [card for pile in state["captured"] for card in pile]
    if state["outcome"] and not captured:
        captured = [card for pile in state["last_round"]["captured"] for card in pile]
    laid = [card for _, card in state["lays"]]
    hands = [card for hand in state["hands"] for card in hand]
    assert sorted(hands + state["pile"] + laid + captured) == sorted(deck)
    sizes = [len(hand) for hand in state["hands"]]
    assert max(sizes) <= 10
    assert max(sizes) - min(sizes) <= 1
    if not state["outcome"]:
        cards_a_trick = 3 if seats == 1 else seats
        assert sum(state["tricks_won"]) * cards_a_trick == len(captured)


def check_step(before: Json, events: Sequence[Event], after: Json) -> None:
    """A ledger kept by the events alone agrees with the state."""
    hands = [Counter(hand) for hand in before["hands"]]
    captured = [Counter(pile) for pile in before["captured"]]
    victory_points = before["victory_points"]
    dealt = False
    for event in events:
        if isinstance(event, CardPlayed) and event.player < len(hands):
            hands[event.player][event.card] -= 1
        elif isinstance(event, CardDrawn):
            assert event.card is not None
            hands[event.seat][event.card] += 1
        elif isinstance(event, TrickTaken):
            captured[event.winner].update(event.cards)
        elif isinstance(event, RoundScored):
            winners = event.result.winners
            victory_points = [vp + (side in winners) for side, vp in enumerate(victory_points)]
            assert list(event.victory_points) == victory_points
            pooled = sum(map(len, event.result.captured))
            assert pooled == sum(pile.total() for pile in captured)
        elif isinstance(event, RoundBegan):
            dealt = True
    assert after["victory_points"] == victory_points
    if not dealt and not after["outcome"]:
        assert [+hand for hand in hands] == [Counter(hand) for hand in after["hands"]]
        assert captured == [Counter(pile) for pile in after["captured"]]
