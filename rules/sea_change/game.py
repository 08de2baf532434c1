"""Sea Change: options, the operator's deck table, and the `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rules.core.chance import shuffle
from rules.core.game import Game, Json, Option, chosen_options, demand
from rules.core.records import in_one_round
from rules.core.tricks import Play, visible_history
from rules.sea_change import computer, figures, hints
from rules.sea_change.cards import CARDS, deck_of
from rules.sea_change.rounds import Round, setup_of
from rules.sea_change.state import SeaChangeState, deal, from_json
from rules.sea_change.types import (
    MOST_POINTS,
    NO_TEAMS,
    POINTS,
    SEATING,
    SUITS,
    SUITS_IN_PLAY,
    TARGET,
    VALUES,
    ZERO_POINTS,
    CardDrawn,
    CardPlayed,
    SeaChanged,
    SeaChangeView,
    TrumpSet,
    deck_table,
)


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return what a lobby may choose (C7, C9, C12). The target's default follows the chosen teams."""
    teams = (NO_TEAMS, *SEATING.get(seats, ()))
    choice = chosen.get("teams", NO_TEAMS)
    target = TARGET if choice == NO_TEAMS or choice not in teams else max(map(int, choice.split("v"))) + 1
    offered = Option("target", tuple(range(1, 10)), target), Option("open_scores", (False, True), False)
    return (Option("teams", teams, NO_TEAMS), *offered) if len(teams) > 1 else offered


def _teams(seats: int, options: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the team of each seat (C12)."""
    return tuple("ABCD".index(team) for team in SEATING.get(seats, {}).get(options.get("teams", NO_TEAMS), ""))


def _check_deck(table: Mapping[str, Any]) -> Json:
    """Return a complete deck table from an operator's partial one: {"points": {"1": -1, …, "15": 1}, "zero_points": 5}.

    Raises BadOption("deck", …) for an unknown name, a wrong type, or points beyond MOST_POINTS.
    """

    def number(name: str, value: Any) -> Any:
        whole = type(value) is int and abs(value) <= MOST_POINTS
        demand(whole, f"{name} must be a whole number from -{MOST_POINTS} to {MOST_POINTS}")
        return value

    demand(isinstance(table, Mapping), f"not a table: {table!r}")
    for name in table:
        demand(name in ("points", "zero_points"), f"{name!r} is neither points nor zero_points")
    given = table.get("points", {})
    demand(isinstance(given, Mapping), "points must be a table of points by value")
    points = [0, *POINTS.values()]
    for name, value in given.items():
        demand(name in map(str, POINTS), f"points: {name!r} is not a value from 1 to 15")
        points[int(name)] = number(f"points of value {name}", value)
    return deck_table(points, number("zero_points", table.get("zero_points", ZERO_POINTS)))


def _new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> SeaChangeState:
    """Return the position before the first card, in the solo game after the AI's first lead."""
    chosen = chosen_options(GAME, seats, options)
    deck = _check_deck(options["deck"]) if options and "deck" in options else GAME.deck
    drawn = shuffle(seed, 0, range(len(SUITS)))[: SUITS_IN_PLAY[seats]]  # C1; with five, sorting undoes the shuffle
    setup = setup_of(seats, {"teams": NO_TEAMS, **chosen}, deck, tuple(sorted(drawn)), seed)
    first_round = Round(1, 0, (0,) * (max(setup.sides) + 1), None, None)
    return deal(setup, first_round, 0, None, [])._begin_trick([])


def _deck_order(deal: int, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the suits for deal 0 (C1), then the cards of all suits. A deal has only those in play."""
    return CARDS.names(deck_of(seats, tuple(range(len(SUITS))))) if deal else SUITS


GAME: Game[SeaChangeState, Play, SeaChangeView] = Game(
    slug="sea_change",
    title="Sea Change",
    seats=tuple(VALUES),
    new=_new,
    from_json=from_json,
    parse=CARDS.parse,
    options=_options,
    teams=_teams,
    deck=deck_table((0, *POINTS.values()), ZERO_POINTS),
    check_deck=_check_deck,
    evaluate=computer.evaluate,
    goes_on=in_one_round,
    rollout_move=computer.rollout_move,
    slips=16,
    outlook=hints.outlook,
    amounts=frozenset({"points", "trick_count", "eights", *(f"trump_{suit}" for suit in SUITS)}),
    reasons=hints.reasons,
    leanings=hints.LEANINGS,
    worth=hints.WORTH,
    certain=hints.certain,
    visible_history=partial(visible_history, closed=(CardPlayed, TrumpSet, SeaChanged, CardDrawn)),
    deck_order=_deck_order,
    ahead=CARDS.in_hand,
    tallies=figures.tallies,
    charts=figures.CHARTS,
)
