"""Our search beside OpenSpiel's own at its games: `make peers ARGS="hearts --deals 100"`.

Two seats play by rules.core.search, the two between them by OpenSpiel's ISMCTS, with equally many playouts a decision.
Each deal is played twice, the second time with the seats exchanged. The share of the points, and of the wins, is 0.5 if
both are equally good. Needs the packages of `make bench`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean

from rules.core.game import Seat
from rules.core.search import search
from tests.strength.arena import share
from tests.strength.open_spiel import GAMES, SEATS, SpielState, game, peer

EXPLORATION = {"hearts": 12.0, "oh_hell": 6.0}
"""OpenSpiel's constant of UCT, about a third of the points that a deal is worth: `--exploration` tries another."""


def played(name: str, playouts: int, exploration: float, ours: frozenset[int], seed: str) -> tuple[float, float]:
    """Play a deal with these seats ours; return our share of the points, and of the win."""
    rules = game(name)
    theirs = peer(playouts, exploration, f"{seed} peer")
    state: SpielState = rules.new(SEATS, {}, seed)
    while awaited := state.to_move():
        (seat,) = awaited
        moves = state.legal_moves(seat)
        if len(moves) == 1:
            move = moves[0]
        elif seat in ours:
            move = search(rules, state, seat, f"{seed} {seat} {state.ply}", playouts)[0].move
        else:
            move = rules.parse(seat, str(theirs.step(state.spiel)))
        state, _ = state.apply(move)
    outcome = state.outcome()
    assert outcome is not None
    points = sum(outcome.scores[seat] for seat in ours) / max(1, sum(outcome.scores))
    wins = sum(Seat(seat) in outcome.winners for seat in ours) / len(outcome.winners)
    return points, wins


def deal(name: str, playouts: int, exploration: float, seed: str) -> tuple[float, float]:
    """Play a deal from both pairs of seats; return our mean shares of the points and of the wins."""
    both = [played(name, playouts, exploration, frozenset(ours), seed) for ours in ((0, 2), (1, 3))]
    return fmean(points for points, _ in both), fmean(wins for _, wins in both)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the deals and say the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.peers")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=160, help="of a decision, on both sides")
    parser.add_argument("--exploration", type=float, help="OpenSpiel's constant of UCT")
    parser.add_argument("--seed", default="peers")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    exploration = EXPLORATION[asked.game] if asked.exploration is None else asked.exploration
    one, began = partial(deal, asked.game, asked.playouts, exploration), time.monotonic()
    seeds = [f"{asked.seed} {number}" for number in range(asked.deals)]
    with ProcessPoolExecutor(asked.jobs) as pool:
        found = list(pool.map(one, seeds)) if asked.jobs > 1 else list(map(one, seeds))
    points, wins = (share(shares, 2) for shares in zip(*found, strict=True))
    print(
        f"{asked.game}, {asked.playouts} playouts a decision on both sides, OpenSpiel's exploration {exploration:g}: "
        f"our share of the points {points.mean:.3f} ± {points.half_width:.3f}, of the wins {wins}, in "
        f"{points.matches} matches ({time.monotonic() - began:.0f} s; seed {asked.seed!r})"
    )


if __name__ == "__main__":
    main()
