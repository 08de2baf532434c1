"""Random playouts, decisions a second: our rules with every check and event on, OpenSpiel's C++ games through Python.

Both sides do what a table does at each decision: ask what is legal, choose evenly, apply. Ours also asks who is to act.
The deal is in the time of both. Time is processor time; decisions are counted while the clock stands still.

OpenSpiel runs the fastest loop that we know from Python. A chance node is one uniform legal action: `legal_actions()`
lists its outcomes too, and `check_chance` makes sure that they are equally likely. An empty list ends the game, so that
no call asks for the end or for the kind of a node. Methods are looked up once a game. Both sides choose by
`int(random() * len(moves))`, half of what `Random.choice` costs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any

import pyspiel

from rules import GAMES
from rules.core.game import Game
from tests.benchmarks.pairs import Row

SECONDS = 0.4
"""Processor time of one slice; a slice ends with the game under way."""
CHECKED = 20
"""Games of each peer in which every chance node is checked before anything is measured."""


class Slices(ABC):
    """Games played one after the other; each call plays for a slice of time and returns decisions a second."""

    def __init__(self) -> None:
        self.random = Random("playouts")
        self.played = 0

    @abstractmethod
    def play(self) -> Callable[[], int]:
        """Play one game; return a function that counts the players' decisions in it."""

    def __call__(self) -> float:
        decisions, spent = 0, 0.0
        while spent < SECONDS:
            self.played += 1
            begin = process_time()
            count = self.play()
            spent += process_time() - begin
            decisions += count()
        return decisions / spent


class Ours(Slices):
    def __init__(self, game: Game, seats: int) -> None:
        super().__init__()
        self._game, self._seats = game, seats

    def play(self) -> Callable[[], int]:
        state, random = self._game.new(self._seats, {}, f"playout {self.played}"), self.random.random
        while seats := state.to_move():
            for seat in seats:
                moves = state.legal_moves(seat)
                state, _ = state.apply(moves[int(random() * len(moves))])
        return lambda: state.ply


class Theirs(Slices):
    """A game of OpenSpiel in which one player acts at a time."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._game = pyspiel.load_game(name)
        check_chance(self._game)

    def play(self) -> Callable[[], int]:
        state, random = self._game.new_initial_state(), self.random.random
        legal, apply = state.legal_actions, state.apply_action
        while actions := legal():
            apply(actions[int(random() * len(actions))])
        assert state.is_terminal()
        return lambda: sum(action.player >= 0 for action in state.full_history())


def check_chance(game: Any) -> None:
    """Raise ValueError unless each chance node of some random games is one legal action, all equally likely."""
    random = Random("chance")
    for _ in range(CHECKED):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                if list(outcomes) != actions or max(chances) - min(chances) > 1e-9:
                    raise ValueError(f"chance in {game} is not one uniform legal action: {state.chance_outcomes()}")
            state.apply_action(random.choice(actions))


def rows() -> Iterator[Row]:
    unit, hearts = "decisions/s", Theirs("hearts")
    circle, forest = Ours(GAMES["full_circle"], 4), Ours(GAMES["photosynthesis"], 2)
    for name, ours, floor in (
        ("Sea Change, 4 players, random playouts", Ours(GAMES["sea_change"], 4), 1.0),
        ("Full Sun, 4 players, the same", Ours(GAMES["full_sun"], 4), 0.6),
        ("Siege of Sunfall, 4 players, the same", Ours(GAMES["siege_of_sunfall"], 4), 0.6),
        ("Full Circle, 4 players, the same", circle, 0.6),
        ("Photosynthesis, 2 players, the same", forest, 0.6),
    ):
        yield Row(name, "OpenSpiel hearts", floor, unit, ours, hearts)
    eights, havannah = "crazy_eights(players=4)", "havannah(board_size=4)"
    yield Row("Full Circle, 4 players, the same", f"OpenSpiel {eights}", None, unit, circle, Theirs(eights))
    yield Row("Photosynthesis, 2 players, the same", f"OpenSpiel {havannah}", 0.3, unit, forest, Theirs(havannah))
