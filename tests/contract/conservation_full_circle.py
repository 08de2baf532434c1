"""Full Circle conserves its 48 cards; its events account for every card and point that moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.core.game import Event, Json
from rules.full_circle import types as fc

REDEALS_DIFFER = 0.5
"""With two players, who has seen the pile renewed knows the other's hand and of the pile the order alone."""

COLOURS = "BRYGOP"
DECK = Counter([*COLOURS * 2, *(a + b for a in COLOURS for b in COLOURS if a != b), *["W"] * 6])
PLACES = ("TL", "TR", "BR", "BL")


def card_of(face: str) -> str:
    """The card that lies as this face: "W:G" is a "W"."""
    return face.split(":")[0]


def check(state: Json) -> None:
    """Every card is in exactly one place; what is known of hands and the pile is true; tuples fit the phase."""
    hands = [Counter(hand) for hand in state["hands"]]
    laid = [card_of(face) for stack in state["circle"] for face in stack]
    drawn = [state["drawn"]] if state["drawn"] else []
    assert Counter([*state["pile"], *laid, *drawn]) + sum(hands, Counter()) == DECK
    assert bool(drawn) == (state["phase"] == "drawn")
    assert state["pile"][len(state["pile"]) - state["sunk"] :] == ["W"] * state["sunk"]
    for seat, (hand, old) in enumerate(zip(hands, state["old"], strict=True)):
        assert Counter(old) <= hand
        for viewer in range(state["seats"]):
            seen = Counter(card for holder, by, card in state["known"] if holder == seat and by in (None, viewer))
            assert seen <= hand or viewer == seat
        if hand.total() == 1 and not state["outcome"]:
            assert [seat, None, *hand] in state["known"]
        assert seat in state["players"] or not hand
    assert state["marker"] is None or state["circle"][PLACES.index(state["marker"])]
    assert (state["mover"] is None) == (state["outcome"] is not None) == (state["phase"] == "over")
    assert all(0 <= turns <= 2 for turns in state["barred"])


def check_step(before: Json, events: Sequence[Event], after: Json) -> None:
    """A ledger kept by the events alone agrees with the state."""
    hands = [Counter(hand) for hand in before["hands"]]
    drawn, totals = before["drawn"], before["totals"]
    dealt = False
    for event in events:
        if isinstance(event, fc.CardPlayed):
            if drawn:
                assert drawn == card_of(event.face)
                drawn = None
            else:
                assert hands[event.seat][card_of(event.face)]
                hands[event.seat][card_of(event.face)] -= 1
        elif isinstance(event, fc.CardDrawn):
            assert event.card is not None
            if event.kept:
                hands[event.seat][event.card] += 1
            else:
                drawn = event.card
        elif isinstance(event, fc.CardGiven):
            assert event.card is not None
            hands[event.seat][event.card] -= 1
            hands[event.to][event.card] += 1
        elif isinstance(event, fc.LastCard):
            assert list(hands[event.seat].elements()) == [event.card]
        elif isinstance(event, fc.PileRenewed):
            assert event.cards == sum(len(stack) - 1 for stack in before["circle"] if stack)
        elif isinstance(event, fc.RoundScored):
            result = event.result
            assert [Counter(hand) for hand in result.hands] == [+hand for hand in hands]
            if not result.play_off:
                totals = [total + points for total, points in zip(totals, result.points, strict=True)]
                if result.winner is not None:
                    totals[result.winner] -= result.bonus
            assert list(result.totals) == totals
        elif isinstance(event, fc.RoundBegan):
            dealt = True
    assert after["totals"] == totals
    if not dealt:
        assert [+hand for hand in hands] == [Counter(hand) for hand in after["hands"]]
        assert drawn == after["drawn"]
