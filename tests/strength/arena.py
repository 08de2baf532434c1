"""Matches of one player among several others, and the share of wins. Each deal is played once with that player in every
seat.

A *player* is a name: `random`, `book` (the game's `rollout_move`, no search), a level of rules.core.computer, a number
of playouts, or a rule player: `careful` and `bold` of tests/strength/<game>.py, and `greedy`, the simplest, of
tests/strength/greedy/<game>.py. A shared win counts as a part of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from rules import GAMES
from rules.core.computer import LEVELS, choose
from rules.core.game import AnyGame, AnyState, Move, Seat
from rules.core.search import random_numbers, search

Player = Callable[[AnyState, Seat, str], Move]
"""Takes the position, the seat and a seed of its own for this decision."""

RulePlayer = Callable[[AnyState, Seat], Move]

RULE_PLAYERS = ("careful", "bold", "greedy")


class Share(NamedTuple):
    """The share of wins of one player among others."""

    mean: float
    half_width: float
    """Half of the 95 % interval, clustered by deal."""
    matches: int

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.half_width:.2f}"


def rule_player(slug: str, name: str) -> RulePlayer:
    """Return the rule player of that name. Raises KeyError for an unknown one."""
    if name == "greedy":
        found: RulePlayer = import_module(f"tests.strength.greedy.{slug}").greedy
        return found
    game = import_module(f"tests.strength.{slug}")
    style = game.STYLES[name]
    return lambda state, seat: game.choose(state.view(seat), seat, state.legal_moves(seat), style)


def player(game: AnyGame, name: str) -> Player:
    """Return the player of that name. Raises KeyError for an unknown one."""

    def by_chance(state: AnyState, seat: Seat, seed: str) -> Any:
        moves = state.legal_moves(seat)
        return moves[next(random_numbers(seed)) % len(moves)]

    def by_the_book(state: AnyState, seat: Seat, seed: str) -> Any:
        return game.rollout_move(state.redeal_unseen(seat, seed), seat, next(random_numbers(seed)))

    def by_search(state: AnyState, seat: Seat, seed: str) -> Any:
        moves = state.legal_moves(seat)
        return moves[0] if len(moves) == 1 else search(game, state, seat, seed, int(name))[0].move

    def by_level(state: AnyState, seat: Seat, seed: str) -> Any:
        return choose(game, state, seat, seed, name)  # type: ignore[arg-type]

    if name in LEVELS:
        return by_level
    if name.isdigit():
        return by_search
    if name in ("random", "book"):
        return by_chance if name == "random" else by_the_book
    by_rules = rule_player(game.slug, name)
    return lambda state, seat, seed: by_rules(state, seat)


def match(game: AnyGame, players: Sequence[Player], seed: str, options: dict[str, Any] | None = None) -> list[float]:
    """Play a match; return each seat's share of the win."""
    state = game.new(len(players), options or {}, seed)
    while awaited := state.to_move():
        seat = min(awaited)
        state, _ = state.apply(players[seat](state, seat, f"{seed} {seat} {state.ply}"))
    outcome = state.outcome()
    assert outcome is not None
    return [(seat in outcome.winners) / max(1, len(outcome.winners)) for seat in range(len(players))]


def deal(slug: str, seats: int, one: str, others: str, seed: str) -> float:
    """Play one deal once with `one` in every seat; return its mean share of the wins."""
    game = GAMES[slug]
    own, other = player(game, one), player(game, others)
    won = [match(game, [own if at == seat else other for at in range(seats)], seed)[seat] for seat in range(seats)]
    return fmean(won)


def share(wins: Sequence[float], seats: int) -> Share:
    """Return the share of wins, given that of each deal."""
    half = 1.96 * stdev(wins) / sqrt(len(wins)) if len(wins) > 1 else 1.0
    return Share(fmean(wins), half, len(wins) * seats)
