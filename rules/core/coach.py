"""Which moves of a seat are best, by how much, and what they bring: the advice that a player may ask for.

A search finds the best moves; fresh playouts then compare these, so that luck in the search is not taken for skill.
Advice knows what its seat knows (rules.core.search), and equal arguments give equal advice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from rules.core.game import Game, M, S, Seat, V
from rules.core.search import play_on, sample_position, search

SEARCHED = 800
"""Playouts to find the best moves."""
COMPARED = 3
"""The most moves that are compared."""
REPEATED = 160
"""Playouts of each move that is compared."""
CERTAIN = 2.0
"""Standard errors by which a move must be behind before it counts as worse."""
LOOKED_AT = 320
"""Playouts to find a better move than one that was played."""
SURE = 3.0
"""Standard errors by which the played move must be behind the better one. A review looks at many decisions, so by
chance alone some seem bad.
"""


@dataclass(frozen=True, slots=True)
class Advised(Generic[M]):
    """A move that was compared."""

    move: M
    outlook: Mapping[str, float]
    """What the move brings on average, by the keys of the game's `outlook`."""
    behind: float
    """By how much it is worse than the best one, in the unit of `evaluate`; 0 for the best."""
    equal: bool
    """Whether the playouts show no clear difference from the best one."""


def advise(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> tuple[Advised[M], ...]:
    """Return the best moves of the seat, the best first. Raises ValueError if it has no legal move."""
    best = [tried.move for tried in search(game, state, seat, seed, SEARCHED)[:COMPARED]]
    return compare(game, state, seat, f"{seed} again", best)


def better(game: Game[S, M, V], state: S, seat: Seat, seed: str, played: M) -> tuple[Advised[M], ...]:
    """Return a move that is surely better than the played one, and the played one; () if the search finds none."""
    best = search(game, state, seat, seed, LOOKED_AT)[0].move
    if best == played:
        return ()
    found = compare(game, state, seat, f"{seed} again", [best, played], SURE)
    return found if found[0].move == best and not found[1].equal else ()


def compare(
    game: Game[S, M, V], state: S, seat: Seat, seed: str, moves: list[M], certain: float = CERTAIN
) -> tuple[Advised[M], ...]:
    """Return these moves, the best first, after REPEATED playouts of each on the same redeals. `certain`: the standard
    errors by which a move must be behind the best one before it counts as worse.
    """
    values: list[list[float]] = [[] for _ in moves]
    outlooks: list[dict[str, float]] = [{} for _ in moves]
    for number in range(REPEATED):
        position = sample_position(game, state, seat, f"{seed} {number}")
        for at, move in enumerate(moves):
            end = play_on(game, position, game.carry_out(position, move), f"{seed} {number} luck")
            values[at].append(game.evaluate(end, seat) + game.prior(position, move))
            for key, figure in game.outlook(position, end, seat).items():
                outlooks[at][key] = outlooks[at].get(key, 0.0) + figure / REPEATED
    order = sorted(range(len(moves)), key=lambda at: -sum(values[at]))
    top = values[order[0]]
    found = []
    for at in order:
        apart = [one - other for one, other in zip(top, values[at], strict=True)]
        behind = sum(apart) / REPEATED
        error = (sum([(one - behind) ** 2 for one in apart]) / (REPEATED - 1) / REPEATED) ** 0.5
        equal = behind <= certain * error
        found.append(Advised(moves[at], outlooks[at], behind, equal))
    return tuple(found)
