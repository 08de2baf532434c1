"""Siege of Sunfall: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from rules.core.game import Playout
from rules.siege_of_sunfall.computer import evaluate
from rules.siege_of_sunfall.events import CardFaced, CardTaken, CrownPassed, Eliminated, PledgesRevealed, SetTurnedIn
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import GOLD_PAYS, Award, Kind, Move, Pledge, UseGold


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


LEANINGS: Mapping[str, int] = {
    **dict.fromkeys(("wall_holds", "spared", "card_won", "set", "crown_won", "coins"), 1),
    **dict.fromkeys(("wall_falls", "out", "card_lost", "crown_lost"), -1),
}
"""Which facts speak for a move, and which against it."""


def reasons(playout: Playout[SiegeState], move: Move) -> Mapping[str, float]:
    """Return what comes of a pledge, who goes out by it and who gets the card; the armies of the rival whom the King
    names; or the coins that gold brings.
    """
    position = playout.begin.position
    if isinstance(move, Award) and move.to != move.seat:
        return {"rival": float(position.armies[move.to])}
    if isinstance(move, UseGold):
        used = {"gold": float(GOLD_PAYS * move.cards)} if move.cards else {}
        return {**used, "goldleft": float(position.gold[move.seat] - move.cards)}
    found: dict[str, float] = {}
    if isinstance(move, Pledge):
        found["coins"] = float(position.coins[move.seat] - move.coins)
    for event in takewhile(lambda event: not isinstance(event, CardFaced), (*playout.own, *playout.later)):
        if isinstance(event, PledgesRevealed):
            reveal = event.reveal
            if reveal.repelled is not None:
                short = float(reveal.card.strength - reveal.total)
                found |= {"wall_holds": 1.0} if reveal.repelled else {"wall_falls": short}
        elif isinstance(event, Eliminated):
            found["out" if move.seat in event.seats else "spared"] = 1.0
        elif isinstance(event, CardTaken) and event.card.kind is not Kind.CROWN:
            found["card_won" if event.seat == move.seat else "card_lost"] = 1.0
        elif isinstance(event, SetTurnedIn) and event.seat == move.seat:
            found["set"] = 1.0
        elif isinstance(event, CrownPassed) and move.seat in (event.old, event.new):
            found["crown_won" if event.new == move.seat else "crown_lost"] = 1.0
    return found
