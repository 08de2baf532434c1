"""Siege of Sunfall conserves its 51 cards; its events account for every coin, army and card that moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.core.game import Event, Json
from rules.siege_of_sunfall import events as said
from rules.siege_of_sunfall import types as siege

REDEALS_DIFFER = 0.9
"""What lies in the pile, what was sealed, and where Siege End is."""

CARDS = {3: 8, 4: 10, 5: 10, 6: 12}
COINS = {3: 12, 4: 12, 5: 10, 6: 10}
KINDS = ("swords", "helmet", "bow")


def check(state: Json) -> None:
    """Every card is in exactly one place, Siege End in the pile; no player has sealed more than they have."""
    table = state["deck"]
    deck = [f"{kind} {strength}" for kind in KINDS for strength in table["strengths"][kind]]
    deck += [kind for kind in ("boost", "gold", "armies", "crown") for _ in range(table[kind])]
    held = [card for cards in state["held"] for card in cards]
    faced = [state["card"]] if state["card"] else []
    everywhere = faced + state["pile"] + state["undealt"] + state["discard"] + held
    assert sorted(card for card in everywhere if card != "end") == sorted(deck)
    assert len(deck) == 51
    if state["phase"] != "over":
        assert state["pile"].count("end") == 1
    if state["phase"] in ("pledge", "award"):
        assert state["card_number"] + len(state["pile"]) == CARDS[state["seats"]] + 1
        place = state["card_number"] + state["pile"].index("end") + 1
        assert place > (CARDS[state["seats"]]) // 2, "the upper half always comes first (K1)"
    for cards in state["held"]:
        assert all(sum(card.startswith(kind) for card in cards) < 3 for kind in KINDS)
        assert {card.split()[0] for card in cards} <= {*KINDS, "boost", "gold"}
    assert all(coins >= 0 for coins in state["coins"] + state["armies"])
    for seat, seal in enumerate(state["sealed"]):
        if seal is not None and state["phase"] == "pledge":
            assert state["alive"][seat]
            assert 0 <= seal[0] <= state["coins"][seat]
            assert 0 <= seal[1] <= state["held"][seat].count("boost")
        elif seal is not None:
            assert 0 <= seal[0] <= state["held"][seat].count("gold")


def check_step(before: Json, events: Sequence[Event], after: Json) -> None:
    """A ledger kept by the events alone agrees with the state."""
    coins, armies, alive, king = (list(before["coins"]), list(before["armies"]), list(before["alive"]), before["king"])
    held = [Counter(card.split()[0] for card in cards) for cards in before["held"]]
    for event in events:
        match event:
            case said.PledgesRevealed(reveal):
                for seat, (pledge, boosts) in enumerate(zip(reveal.pledges, reveal.boosts, strict=True)):
                    coins[seat] -= pledge or 0
                    held[seat]["boost"] -= boosts or 0
                assert reveal.total == sum(filter(None, reveal.pledges)) + 2 * sum(filter(None, reveal.boosts))
            case said.CardTaken(seat, card) if card.kind not in (siege.Kind.ARMIES, siege.Kind.CROWN):
                held[seat][card.kind.value] += 1
            case said.ArmiesPaid(seat, paid):
                armies[seat] += paid
            case said.SetTurnedIn(seat, kind):
                held[seat][kind.value] -= 3
                coins[seat] += 5
                armies[seat] += 1
            case said.Eliminated(out):
                for seat in out:
                    assert alive[seat]
                    alive[seat] = False
            case said.CrownPassed(old, new):
                assert old == king
                king = new
            case said.RoundEnded(result):
                gained = [1 + left if lives else 0 for left, lives in zip(coins, alive, strict=True)]
                assert list(result.gained) == gained
                armies = [a + b for a, b in zip(armies, gained, strict=True)]
                assert list(result.armies) == armies
                coins = [0] * len(coins)
            case said.RoundBegan(_, paid, _):
                assert list(paid) == [COINS[before["seats"]]] * before["seats"]
                coins, alive = list(paid), [True] * len(alive)
            case said.GoldUsed(used):
                for seat, cards in enumerate(used):
                    coins[seat] += 3 * (cards or 0)
                    held[seat]["gold"] -= cards or 0
    assert (coins, armies, king) == (after["coins"], after["armies"], after["king"])
    assert [+cards for cards in held] == [Counter(card.split()[0] for card in cards) for cards in after["held"]]
    if after["phase"] != "over":
        assert alive == after["alive"]
