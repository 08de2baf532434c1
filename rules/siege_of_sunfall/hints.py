"""Siege of Sunfall: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from rules.core.game import Playout
from rules.siege_of_sunfall.computer import evaluate
from rules.siege_of_sunfall.deck import rounds_of
from rules.siege_of_sunfall.events import CardFaced, CardTaken, CrownPassed, Eliminated, PledgesRevealed, SetTurnedIn
from rules.siege_of_sunfall.resolution import SEATS_OF
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import BOOST_ADDS, GOLD_PAYS, Award, Kind, Move, Pledge, UseGold


def outlook(playout: Playout[SiegeState], move: Move) -> Mapping[str, float]:
    """Return how likely the seat wins the match, judged after the round, whether it is in the round to its end, and the
    armies that it gains from now on until then.
    """
    begin, end = playout.begin.position, playout.end.position
    result = end.round.last
    assert result is not None
    return {
        "win": evaluate(playout.end, move.seat),
        "survives": float(move.seat in result.survivors),
        "armies": float(result.armies[move.seat] - begin.armies[move.seat]),
    }


LEANINGS: Mapping[str, float] = {
    **dict.fromkeys(("wall_holds", "wall_free", "wall_safe", "wall_spared", "card_won", "card_second", "card_set"), 1),
    **dict.fromkeys(("wall_out", "card_vain", "crown_vain", "rival_set"), -1),
    "crown_won": 0.5,
    "crown_lost": -0.5,
    **dict.fromkeys(("card_dear", "crown_dear"), -0.8),
    "rival": -1,
    **dict.fromkeys(("kept", "boostleft"), 0.8),
}
"""Which facts speak for a move, and which against it."""


def reasons(playout: Playout[SiegeState], move: Move) -> Mapping[str, float]:
    """Return what comes of a pledge, who goes out by it and who gets the card; with an attacker, whether the seat
    outlives it, and with how many coins; with another card, the coins that it keeps, whether it pledges for nothing,
    and the coins beyond what the card takes; the boost cards that it keeps; the armies of the rival whom the King
    names, and whether the card completes a set there; or the coins that gold brings. Gold that is left after the last
    round's begin is worth nothing (K12): no fact is told of it.
    """
    position = playout.begin.position
    is_last = position.round.number == rounds_of(position.setup.seats)
    events = [*takewhile(lambda event: not isinstance(event, CardFaced), (*playout.own, *playout.later))]
    if isinstance(move, Award) and move.to != move.seat:
        rival = {"rival": float(position.armies[move.to])}
        return {**rival, "rival_set": 1.0} if any(isinstance(event, SetTurnedIn) for event in events) else rival
    if isinstance(move, UseGold):
        used = {"gold": float(GOLD_PAYS * move.cards)} if move.cards else {}
        return used if is_last else {**used, "goldleft": float(position.gold[move.seat] - move.cards)}
    found: dict[str, float] = {}
    card, taken, king, most = position.card, False, position.king, 0
    if isinstance(move, Pledge) and card is not None:
        found["wall_safe" if card.strength else "kept"] = float(position.coins[move.seat] - move.coins)
        if held := position.boosts[move.seat]:
            found["boostleft"] = float(held - move.boosts)
    for event in events:
        if isinstance(event, PledgesRevealed):
            opened = zip(event.reveal.pledges, event.reveal.boosts, strict=True)
            powers = [(coins or 0) + BOOST_ADDS * (boosts or 0) for coins, boosts in opened]
            most = max([*powers[: move.seat], *powers[move.seat + 1 :]])
            if event.reveal.repelled:
                found["wall_holds"] = 1.0
                if isinstance(move, Pledge) and not move.coins and not move.boosts:
                    found["wall_free"] = 1.0
        elif isinstance(event, Eliminated):
            found["wall_out" if move.seat in event.seats else "wall_spared"] = 1.0
            if move.seat in event.seats:
                found.pop("wall_safe", None)
        elif isinstance(event, CardTaken):
            taken = event.seat == move.seat
            if taken and event.card.kind is not Kind.CROWN and not (is_last and event.card.kind is Kind.GOLD):
                of_a_kind = [held.kind for held in position.held[move.seat]].count(event.card.kind)
                found[("card_won", "card_second", "card_set")[of_a_kind if event.card.strength else 0]] = 1.0
        elif isinstance(event, CrownPassed) and move.seat in (event.old, event.new):
            king = event.new
            found["crown_won" if event.new == move.seat else "crown_lost"] = 1.0
    if "wall_out" in found:
        found.pop("crown_lost", None)  # it goes with its player
    if isinstance(move, Pledge) and card is not None and not card.strength:
        crown = card.kind is Kind.CROWN
        gets = taken or (crown and king == move.seat)
        about = "crown" if crown else "card"
        if move.coins:  # without any, none is spent
            found[f"{about}_dear"] = float(min(move.coins, max(0, _power(move) - most)) if gets else move.coins)
        if not gets and _power(move):
            found[f"{about}_vain"] = 1.0
    return found


def _power(pledge: Pledge) -> int:
    return pledge.coins + BOOST_ADDS * pledge.boosts


_ALONE_REPELS = frozenset(("wall_holds", "wall_safe"))
_TAKES = frozenset(("card_won", "card_second", "card_set", "crown_won"))


def certain(playout: Playout[SiegeState], move: Move) -> frozenset[str]:
    """What the King decides is certain. So is that a pledge alone repels the attack, that a rival who is in the round
    must go out first, as that one cannot or, if the attack is not repelled, has not pledged as much, and that no rival
    can pledge as much.
    """
    position = playout.begin.position
    card = position.card
    if isinstance(move, Award):
        return _TAKES | {"crown_lost"}
    if not isinstance(move, Pledge) or card is None:
        return frozenset()
    power = _power(move)
    most = [
        position.coins[seat] + BOOST_ADDS * position.boosts[seat]
        for seat in SEATS_OF[position.alive]
        if seat != move.seat
    ]
    repels, first = power >= card.strength, power > max(most, default=0)
    lowest = min([*most, (card.strength - 1 - power) // len(most)]) if most else power
    sure = _ALONE_REPELS if repels else frozenset(("wall_safe",)) if power > lowest else frozenset()
    return sure | _TAKES if repels and first else sure
