"""A computer player of any game: it tries its moves on possible positions and takes the move that did best.

The method is flat Monte Carlo search over redeals, with sequential halving (Karnin, Koren and Somekh, 2013). A trial
takes a position that the seat cannot tell from the real one, makes a move in it, plays on by the game's `rollout_move`
up to its `depth`, and takes the value that `evaluate` returns. All moves are tried on the same redeals with the same
luck, as in duplicate play; then the worse half is dropped and the rest is tried further, until one is left.

A computer knows what its seat knows: of the real position it reads only redeals and the seat's own moves. Its only
source of chance is the seed that it is given, so equal arguments give equal moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from struct import unpack

from rules.core.game import Game, M, S, Seat, V

PLIES = 4_000
"""Upper bound of the plies that one decision plays in its trials: 40 to 80 ms of one core."""

MOST_MOVES = 24
"""Upper bound of the moves that one decision tries."""


def choose(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> M:
    """Return the move that a computer in this seat makes.

    It depends on `seed` (any text) and on what the seat knows: a redeal for the seat gives the same move. Raises
    ValueError if the seat has no legal move.
    """
    moves = state.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has no legal move")
    tried: list[M] = _evenly_spread(moves, state.default_move(seat))
    if len(tried) < 2:
        return tried[0]
    values = [0.0] * len(tried)
    in_play = list(range(len(tried)))
    # PLIES must pay for two rounds of trials of every move: all later halves together cost as much as the first round.
    depth = max(1, min(game.depth(state.redeal_unseen(seat, seed)), PLIES // (2 * len(tried))))
    left, rounds = PLIES, 0
    while (halvings := len(in_play).bit_length() - 1) and left >= (cost := len(in_play) * depth):
        for _ in range(max(1, left // halvings // cost)):
            position = _sample_position(game, state, seat, f"{seed} {rounds}")
            for number in in_play:
                end = _rollout(game, position.apply(tried[number])[0], depth - 1, f"{seed} {rounds} luck")
                values[number] += game.evaluate(end, seat)
            rounds += 1
            left -= cost
        in_play = sorted(in_play, key=lambda number: -values[number])[: len(in_play) // 2]
    return tried[in_play[0]]


def _evenly_spread(moves: tuple[M, ...], default: M) -> list[M]:
    """Return at most MOST_MOVES of the moves, evenly over their order; the default move is first, so it wins ties."""
    rest = [move for move in moves if move != default]
    most = MOST_MOVES - 1
    if len(rest) > most:
        rest = [rest[place * (len(rest) - 1) // (most - 1)] for place in range(most)]
    return [default, *rest]


def _sample_position(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> S:
    """Return a position that the seat cannot tell from this one, with the sealed moves drawn by `rollout_move`."""
    position = state.redeal_unseen(seat, seed)
    luck = _random_numbers(f"{seed} sealed")
    for other in map(Seat, range(game.seats[-1])):
        if other != seat and other not in position.to_move() and position.legal_moves(other):
            position, _ = position.apply(game.rollout_move(position, other, next(luck)))
    return position


def _rollout(game: Game[S, M, V], state: S, plies: int, seed: str) -> S:
    """Return the position after at most `plies` more moves by `rollout_move`. The lowest seat to move goes first."""
    for number in islice(_random_numbers(seed), plies):
        if not (awaited := state.to_move()):
            break
        state, _ = state.apply(game.rollout_move(state, min(awaited), number))
    return state


def _random_numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2**32, eight to each SHA-256("{seed}:{block}"): fair enough for rollouts, and fast."""
    block = 0
    while True:
        yield from unpack(">8I", sha256(f"{seed}:{block}".encode()).digest())
        block += 1
