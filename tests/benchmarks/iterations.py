"""Playouts a second of our search in each game, beside OpenSpiel's ISMCTS from Python, in C++ and in Python, at Hearts.

Both search from positions after a third of a random match of four players, with as many playouts as a "friend" has. Our
playouts follow the game's own rules of thumb until the game says stop, mostly at the round's end, and each evaluation
counts as one; theirs are random to the end of the deal. The time is processor time and includes redeals on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from time import process_time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from rules import GAMES
from rules.core.computer import LEVELS
from rules.core.game import AnyState, Game, Seat
from rules.core.search import search
from tests.benchmarks.pairs import Row
from tests.strength import open_spiel

PLAYOUTS = LEVELS["friend"].playouts
POSITIONS = 8
"""Positions from which each side searches, in turn."""
SECONDS = 0.5
"""Processor seconds of a slice; the search that is running then still ends."""
FEW = 40
"""Playouts of a search by OpenSpiel in Python, which is slow."""
EXPLORATION = 2.0


def positions(game: Game[Any, Any, Any], seats: int = 4) -> list[tuple[AnyState, Seat]]:
    """Positions of random matches with something to choose, each a third of its match on, with the seat to move."""
    found: list[tuple[AnyState, Seat]] = []
    for number in range(POSITIONS):
        random, state, plies = Random(f"iterations {number}"), game.new(seats, {}, f"iterations {number}"), []
        while awaited := state.to_move():
            seat = min(awaited)
            moves = state.legal_moves(seat)
            plies += [(state, seat)] if len(moves) > 1 else []
            state, _ = state.apply(random.choice(moves))
        found.append(plies[len(plies) // 3])
    return found


def rate(search_once: Callable[[AnyState, Seat], int], searched: list[tuple[AnyState, Seat]]) -> Callable[[], float]:
    """Return what measures a slice: playouts a second. `search_once` says how many it made."""
    places = count()

    def measure() -> float:
        made, begun = 0, process_time()
        while (spent := process_time() - begun) < SECONDS:
            made += search_once(*searched[next(places) % len(searched)])
        return made / spent

    return measure


def ours(slug: str) -> Callable[[], float]:
    """Our search in that game."""
    usual, made = GAMES[slug], 0

    def evaluate(state: Any, seat: Seat) -> float:
        nonlocal made
        made += 1
        return usual.evaluate(state, seat)

    game = replace(usual, evaluate=evaluate)

    def once(state: AnyState, seat: Seat) -> int:
        before = made
        search(game, state, seat, "iterations", PLAYOUTS)
        return made - before

    return rate(once, positions(usual))


def theirs(compiled: bool) -> Callable[[], float]:
    """OpenSpiel's search at Hearts, in C++ or in Python."""
    playouts, hearts = PLAYOUTS if compiled else FEW, open_spiel.game("hearts")
    if compiled:
        bot = open_spiel.peer(playouts, EXPLORATION, "iterations")
    else:
        chance = np.random.RandomState(1)
        bot = ismcts.ISMCTSBot(None, mcts.RandomRolloutEvaluator(1, chance), EXPLORATION, playouts, random_state=chance)

    def once(state: Any, seat: Seat) -> int:
        bot.step(state.spiel)
        return playouts

    return rate(once, positions(hearts))


def rows() -> Iterator[Row]:
    for peer, compiled in (("OpenSpiel's ISMCTS in C++, hearts", True), ("the same in Python", False)):
        for slug in GAMES:
            name = f"{GAMES[slug].title}, 4 players, playouts of a search"
            yield Row(name, peer, None, "playouts/s", ours(slug), theirs(compiled), rounds=5)
