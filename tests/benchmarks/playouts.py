"""Random playouts, decisions a second: our rules with every check and event on, OpenSpiel's through its Python API.

Both sides do what a table does at each decision: ask who is to act and what is legal, choose evenly, apply. The deal is
in the time of both: OpenSpiel deals card by card, drawn by `chance_outcomes`, as its examples do. Its games are C++.
Time is processor time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from time import process_time

import pyspiel

from rules import GAMES
from rules.core.game import Game
from tests.benchmarks.pairs import Row

SECONDS = 0.4
"""Length of one slice; a slice ends with the game under way."""


class Slices(ABC):
    """Games played one after the other; a call plays for a slice of time and gives decisions a second."""

    def __init__(self) -> None:
        self.random = Random("playouts")
        self.played = 0

    @abstractmethod
    def play(self) -> int:
        """One game to its end; gives its decisions."""

    def __call__(self) -> float:
        decisions, begin = 0, process_time()
        while (spent := process_time() - begin) < SECONDS:
            self.played += 1
            decisions += self.play()
        return decisions / spent


class Ours(Slices):
    def __init__(self, game: Game, seats: int) -> None:
        super().__init__()
        self._game, self._seats = game, seats

    def play(self) -> int:
        state, decisions, choice = self._game.new(self._seats, {}, f"playout {self.played}"), 0, self.random.choice
        while awaited := state.to_move():
            for seat in awaited:
                state, _ = state.apply(choice(state.legal_moves(seat)))
                decisions += 1
        return decisions


class Theirs(Slices):
    """A game of OpenSpiel in which one player acts at a time, or all at once."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._game = pyspiel.load_game(name)
        self._at_once = self._game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS

    def play(self) -> int:
        state, decisions, choice = self._game.new_initial_state(), 0, self.random.choice
        players = range(self._game.num_players())
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self.random.choices(actions, chances)[0])
            elif self._at_once:
                state.apply_actions([choice(state.legal_actions(player)) for player in players])
                decisions += len(players)
            else:
                state.apply_action(choice(state.legal_actions()))
                decisions += 1
        return decisions


def rows() -> Iterator[Row]:
    unit, hearts = "decisions/s", "OpenSpiel hearts"
    sea, siege = Ours(GAMES["sea_change"], 4), Ours(GAMES["siege_of_sunfall"], 4)
    yield Row("Sea Change, 4 players, random playouts", hearts, 1.0, unit, sea, Theirs("hearts"))
    yield Row("Full Sun, 4 players, the same", hearts, 0.6, unit, Ours(GAMES["full_sun"], 4), Theirs("hearts"))
    yield Row("Siege of Sunfall, 4 players, the same", hearts, 0.6, unit, siege, Theirs("hearts"))
    circle, eights = Ours(GAMES["full_circle"], 4), Theirs("crazy_eights(players=4)")
    yield Row("Full Circle, 4 players, the same", hearts, 0.6, unit, circle, Theirs("hearts"))
    yield Row("Full Circle, 4 players, the same", "OpenSpiel crazy_eights of 4", None, unit, circle, eights)
    forest, havannah = Ours(GAMES["photosynthesis"], 2), "havannah(board_size=4)"
    yield Row("Photosynthesis, 2 players, the same", hearts, 0.6, unit, forest, Theirs("hearts"))
    yield Row("Photosynthesis, 2 players, the same", f"OpenSpiel {havannah}", 0.3, unit, forest, Theirs(havannah))
    at_once, in_turn = "goofspiel(players=4)", "turn_based_simultaneous_game(game=goofspiel(players=4))"
    peer = "OpenSpiel goofspiel of 4, all four at once in one call"
    yield Row("Siege of Sunfall, 4 players, the same", peer, 0.8, unit, siege, Theirs(at_once))
    peer = "the same goofspiel, one player a call as at our table"
    yield Row("Siege of Sunfall, 4 players, the same", peer, 0.8, unit, siege, Theirs(in_turn))
