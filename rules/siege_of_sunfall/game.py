"""Siege of Sunfall: the operator's deck table, notation, and the `GAME`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.game import Game, IllegalMove, Refusal, Seat, chosen_options
from rules.siege_of_sunfall import computer, figures, hints
from rules.siege_of_sunfall.deck import Deck, check_deck
from rules.siege_of_sunfall.resolution import PLACES, Setup
from rules.siege_of_sunfall.state import SiegeState, first_state, from_json
from rules.siege_of_sunfall.types import PILES, Award, Move, Pledge, SiegeView, UseGold

_DECK = Deck.from_json(check_deck({}))


def _deck(options: Mapping[str, Any]) -> Deck:
    return Deck.from_json(check_deck(options["deck"])) if "deck" in options else _DECK


def _deck_order(deal: int, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the whole deck for deal 0, then, for each round's deal, the places where Siege End may lie (K1)."""
    return PLACES[seats] if deal else tuple(map(str, _deck(options).cards))


def _new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> SiegeState:
    """Return the position before the first seal. The deck table is the only choice. Raises BadOption."""
    chosen_options(GAME, seats, options)
    deck = _deck(options or {})
    return first_state(Setup(seats, deck, seed))


_NUMBER = "(0|[1-9][0-9]{0,9})"
_NOTATION = re.compile(rf"pledge {_NUMBER}(?: boost {_NUMBER})?|award {_NUMBER}|gold {_NUMBER}")


def _parse(seat: Seat, text: str) -> Move:
    """Return the move that the text names, in any case and with any spaces. Raises IllegalMove(UNPARSABLE).

    >>> str(GAME.parse(Seat(0), "PLEDGE  3 Boost 1"))
    'pledge 3 boost 1'
    """
    found = _NOTATION.fullmatch(" ".join(text.lower().split()))
    if found is None or found[2] == "0":
        raise IllegalMove(Refusal.UNPARSABLE, text=text)
    coins, boosts, to, cards = found.groups()
    if coins is not None:
        return Pledge(seat, int(coins), int(boosts or 0))
    return Award(seat, Seat(int(to))) if to is not None else UseGold(seat, int(cards))


GAME: Game[SiegeState, Move, SiegeView] = Game(
    slug="siege_of_sunfall",
    title="Siege of Sunfall",
    seats=tuple(PILES),
    new=_new,
    from_json=from_json,
    parse=_parse,
    deck=check_deck({}),
    check_deck=check_deck,
    evaluate=computer.evaluate,
    besides=computer.besides,
    goes_on=computer.goes_on,
    rollout_move=computer.rollout_move,
    slips=80,
    outlook=hints.outlook,
    amounts=frozenset({"armies", "card_dear", "crown_dear", "rival", "gold", "goldleft", "kept", "boostleft"}),
    reasons=hints.reasons,
    leanings=hints.LEANINGS,
    certain=hints.certain,
    candidates=computer.candidates,
    deck_order=_deck_order,
    tallies=figures.tallies,
    charts=figures.CHARTS,
)
