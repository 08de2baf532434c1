"""Games of OpenSpiel behind this project's protocol, so that our search can play them. Needs `make bench`'s packages.

The program has nothing for these games: they show how good the search is in games for which it was not tuned
(peers.py). A playout makes random moves, as OpenSpiel's own search does; a redeal is OpenSpiel's own, from what the
seat knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import pyspiel

from rules.core.game import Event, Game, Outcome, Seat
from rules.core.search import random_numbers

GAMES = {"hearts": "hearts", "oh_hell": "oh_hell(players=4,num_tricks_fixed=8)"}
"""By our names, OpenSpiel's: whole deals of four players."""
CHOSEN = {"hearts": (0,)}
"""Chance outcomes that are fixed at the beginning. In Hearts no cards are passed (0): with passed cards OpenSpiel 2.0.2
redeals some of them twice, and then its own search crashes.
"""
SEATS = 4


class Action(NamedTuple):
    """A move, as OpenSpiel's number."""

    seat: Seat
    number: int

    def __str__(self) -> str:
        return str(self.number)


class SpielState:
    """A position. OpenSpiel's own state in it is never changed."""

    __slots__ = ("seed", "spiel")

    def __init__(self, spiel: Any, seed: str) -> None:
        self.spiel, self.seed = spiel, seed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielState) and self.spiel.history() == other.spiel.history()

    def __hash__(self) -> int:
        return hash(tuple(self.spiel.history()))

    @property
    def ply(self) -> int:
        """The number of moves made so far, deals included."""
        return int(self.spiel.move_number())

    def to_move(self) -> frozenset[Seat]:
        """Return the one seat whose turn it is; none at the end."""
        mover = self.spiel.current_player()
        return frozenset() if mover < 0 else frozenset((Seat(mover),))

    def legal_moves(self, seat: Seat) -> tuple[Action, ...]:
        """Return the seat's legal moves, in OpenSpiel's order."""
        if self.spiel.current_player() != seat:
            return ()
        return tuple(Action(seat, number) for number in self.spiel.legal_actions())

    def apply(self, move: Action) -> tuple[SpielState, tuple[Event, ...]]:
        """Return the next position, after all chance events."""
        spiel = self.spiel.clone()
        spiel.apply_action(move.number)
        return SpielState(_dealt(spiel, self.seed), self.seed), ()

    def default_move(self, seat: Seat) -> Action:
        """Return the first legal move: OpenSpiel has no other default."""
        return self.legal_moves(seat)[0]

    def redeal_unseen(self, seat: Seat | None, seed: str) -> SpielState:
        """Return a state that the seat cannot tell from this one."""
        assert seat is not None
        return SpielState(self.spiel.resample_from_infostate(seat, Random(seed).random), seed)

    def turn(self, seat: Seat) -> str:
        """Return a token of the decision."""
        return str(self.ply)

    def outcome(self) -> Outcome | None:
        """Return who has the most points."""
        if not self.spiel.is_terminal():
            return None
        points = self.spiel.returns()
        winners = frozenset(Seat(seat) for seat, own in enumerate(points) if own == max(points))
        return Outcome(winners, tuple(map(int, points)), "points")


def _dealt(spiel: Any, seed: str) -> Any:
    """Let chance play on, drawn from `seed`, until a player is to move."""
    while spiel.is_chance_node():
        outcomes, chances = zip(*spiel.chance_outcomes(), strict=True)
        spiel.apply_action(Random(f"{seed} {spiel.move_number()}").choices(outcomes, chances)[0])
    return spiel


def _random_move(state: SpielState, seat: Seat, number: int) -> Action:
    moves = state.legal_moves(seat)
    return moves[number % len(moves)]


def _points(state: SpielState, seat: Seat) -> float:
    return float(state.spiel.returns()[seat])


def game(name: str) -> Game[Any, Any, Any]:
    """Return that game of OpenSpiel. Only the parts of a game that a search needs work."""
    loaded = pyspiel.load_game(GAMES[name])

    def new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> SpielState:
        assert seats == loaded.num_players()
        spiel = loaded.new_initial_state()
        for outcome in CHOSEN.get(name, ()):
            spiel.apply_action(outcome)
        return SpielState(_dealt(spiel, seed), seed)

    def from_json(data: Any) -> Any:
        raise NotImplementedError

    return Game(
        slug=name,
        title=name,
        seats=(SEATS,),
        new=new,
        from_json=from_json,
        parse=lambda seat, text: Action(seat, int(text)),
        evaluate=_points,
        rollout_move=_random_move,
    )


def peer(simulations: int, exploration: float, seed: str) -> Any:
    """Return OpenSpiel's own search, in C++: ISMCTS with random playouts. `exploration`: its constant of UCT.

    It also has its own source of chance, so it does not always play the same.
    """
    number = next(random_numbers(seed)) >> 1
    return pyspiel.ISMCTSBot(
        number,
        pyspiel.RandomRolloutEvaluator(1, number),
        exploration,
        simulations,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
