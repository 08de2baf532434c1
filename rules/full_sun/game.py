"""Full Sun: begin a match, check the operator's deck table, and the `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rules.core.game import BadOption, Game, Json, Option, chosen_options, demand
from rules.core.records import in_one_round
from rules.core.tricks import Play, visible_history
from rules.full_sun import computer, figures, hints
from rules.full_sun.state import FullSunState, Round, Setup, deal, from_json
from rules.full_sun.types import (
    CARDS,
    DECKS,
    HAND,
    MOST_NUMBER,
    MOST_PIPS,
    RAIN,
    SUN,
    TARGET,
    WEATHER,
    CardPlayed,
    Face,
    FullSunView,
    faces_of,
)


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return what a lobby may choose: the target (S7)."""
    return (Option("target", tuple(range(1, 6)), TARGET),)


def _check_deck(table: Mapping[str, Any]) -> Json:
    """Return a complete deck table from an operator's partial one: {"rain": {"number": 0, "pips": 0}, "sun": {…}}.

    Raises BadOption("deck", …) for anything but a table, for an unknown name or a bad value, and if a Weather card and
    another card agree in number and pips: then a trick could have two highest cards (S3).
    """
    demand(isinstance(table, Mapping), f"not a table: {table!r}")
    full: Json = {card: dict(values) for card, values in WEATHER.items()}
    for card, values in table.items():
        demand(card in full, f"{card!r} is neither rain nor sun")
        demand(isinstance(values, Mapping), f"{card} must be a table with number and pips")
        for name, value in values.items():
            demand(name in full[card], f"{card}: {name!r} is neither number nor pips")
            most = MOST_NUMBER if name == "number" else MOST_PIPS
            whole = type(value) is int and 0 <= value <= most
            demand(whole, f"{name} of {card} must be a whole number from 0 to {most}")
            full[card][name] = value
    faces = faces_of(Face(**full["rain"]), Face(**full["sun"]))
    for weather in (RAIN, SUN):
        for other, face in faces.items():
            if other != weather and face == faces[weather]:
                raise BadOption("deck", f"{CARDS.name[weather]} and {CARDS.name[other]} agree in number and pips")
    return full


def _new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> FullSunState:
    """Return the position before the first card."""
    target = chosen_options(GAME, seats, options)["target"]
    deck = _check_deck((options or {}).get("deck", {}))
    setup = Setup(seats, target, Face(**deck["rain"]), Face(**deck["sun"]), seed)
    return deal(setup, Round(1, (0,) * seats, None, None, None), 0, [])


def _deck_order(deal: int, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cards in play with that number of players."""
    return CARDS.names(DECKS[seats])


GAME: Game[FullSunState, Play, FullSunView] = Game(
    slug="full_sun",
    title="Full Sun",
    seats=tuple(HAND),
    new=_new,
    from_json=from_json,
    parse=CARDS.parse,
    options=_options,
    deck=_check_deck({}),
    check_deck=_check_deck,
    evaluate=computer.evaluate,
    goes_on=in_one_round,
    rollout_move=computer.rollout_move,
    slips=60,
    outlook=hints.outlook,
    amounts=frozenset({"others"}),
    reasons=hints.reasons,
    leanings=hints.LEANINGS,
    certain=hints.certain,
    likeness=hints.likeness,
    visible_history=partial(visible_history, closed=(CardPlayed,)),
    deck_order=_deck_order,
    ahead=CARDS.in_hand,
    tallies=figures.tallies,
    charts=figures.CHARTS,
)
