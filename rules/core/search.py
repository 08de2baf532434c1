"""Try each move on possible positions and say which did best: flat Monte Carlo search with sequential halving.

A playout takes a position that the seat cannot tell from the real one, makes a move in it, plays on by the game's
`rollout_move` as long as the game's `goes_on` says, and takes the value that `evaluate` returns. All moves are tried on
the same redeals with the same luck, as in duplicate play; then the worse half is dropped and the rest is tried further
(Karnin, Koren and Somekh, 2013).

A search knows what its seat knows: of the real position it reads only redeals and the seat's own moves. Its only source
of chance is the seed, and it ends after a number of playouts, so equal arguments give equal results on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from struct import unpack
from typing import Generic

from rules.core.game import Game, M, S, Seat, V

MOST_CANDIDATES = 24
"""Upper bound of the moves that one search tries."""

MOST_PLIES = 400
"""Upper bound of the plies of one playout: more than a round of any game has."""


@dataclass(slots=True)
class Tried(Generic[M]):
    """A move, and what it was worth in each playout. The n-th values of all moves come of the same redeal and luck."""

    move: M
    values: list[float] = field(default_factory=list)
    total: float = 0.0

    @property
    def mean(self) -> float:
        """The mean value; 0 before the first playout."""
        return self.total / len(self.values) if self.values else 0.0


def search(game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int) -> list[Tried[M]]:
    """Return the moves that were tried, the best first, after at most about that many playouts.

    Every move gets at least one playout. Raises ValueError if the seat has no legal move.
    """
    in_play = [Tried(move) for move in candidates_of(game, state, seat, seed)]
    out: list[Tried[M]] = []
    halvings = (len(in_play) - 1).bit_length()
    rounds = 0
    for _ in range(halvings):
        for _ in range(max(1, playouts // halvings // len(in_play))):
            position = sample_position(game, state, seat, f"{seed} {rounds}")
            for tried in in_play:
                end = play_on(game, position, game.carry_out(position, tried.move), f"{seed} {rounds} luck")
                value = game.evaluate(end, seat) + game.prior(position, tried.move)
                tried.values.append(value)
                tried.total += value
            rounds += 1
        in_play.sort(key=lambda tried: -tried.total)
        half = (len(in_play) + 1) // 2
        out = in_play[half:] + out
        del in_play[half:]
    return in_play + out


def candidates_of(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> list[M]:
    """Return the moves worth trying: those that the game names, or its legal moves, evenly spread if they are many.

    The default move is first, so it wins ties. Raises ValueError if the seat has no legal move.
    """
    moves = state.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has no legal move")
    if len(moves) > 2:
        moves = tuple(game.candidates(state.redeal_unseen(seat, seed), seat))
    return evenly_spread(moves, state.default_move(seat))


def evenly_spread(moves: tuple[M, ...], default: M) -> list[M]:
    """Return at most MOST_CANDIDATES of the moves, evenly over their order, after the default move."""
    rest = [move for move in moves if move != default]
    most = MOST_CANDIDATES - 1
    if len(rest) > most:
        rest = [rest[place * (len(rest) - 1) // (most - 1)] for place in range(most)]
    return [default, *rest]


def sample_position(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> S:
    """Return a position that the seat cannot tell from this one, with the sealed moves drawn by `rollout_move`."""
    position = state.redeal_unseen(seat, seed)
    luck = random_numbers(f"{seed} sealed")
    for other in map(Seat, range(game.seats[-1])):
        if other != seat and other not in position.to_move() and position.legal_moves(other):
            position, _ = position.apply(game.rollout_move(position, other, next(luck)))
    return position


def play_on(game: Game[S, M, V], begin: S, now: S, seed: str) -> S:
    """Return the position in which a playout ends that began at `begin`. The lowest seat to move goes first."""
    luck = random_numbers(seed)
    rollout_move, goes_on = game.rollout_move, game.goes_on
    for _ in range(MOST_PLIES):
        awaited = now.to_move()
        if not awaited or not goes_on(begin, now):
            break
        now, _ = now.apply(rollout_move(now, min(awaited), next(luck)))
    return now


def random_numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2**32, eight to each SHA-256("{seed}:{block}"): fair enough for playouts, and fast."""
    block = 0
    while True:
        yield from unpack(">8I", sha256(f"{seed}:{block}".encode()).digest())
        block += 1
