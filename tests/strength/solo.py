"""Measure how many rounds of the solo game of Sea Change each player wins: `python -m tests.strength.solo`.

The opponent is the AI of the rulebook (C11), which plays the cards of its stack in their order.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count

from rules.core.computer import LEVELS
from rules.core.game import AnyState, Seat
from rules.sea_change import GAME
from rules.sea_change.types import RoundScored
from tests.strength.arena import RULE_PLAYERS, player, share

ROUNDS = 300


def round_won(name: str, number: int) -> float:
    """Play the round of that number; return 1 if the player of that name wins it, else 0."""
    seed = f"solo {number}"
    own = player(GAME, name)
    state: AnyState = GAME.new(1, {}, seed)
    while True:
        state, events = state.apply(own(state, Seat(0), f"{seed} {state.ply}"))
        for event in events:
            if isinstance(event, RoundScored):
                return float(event.result.winners == (0,))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each level and each rule player, all on the same deals."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.solo")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--players", nargs="*", default=["random", *RULE_PLAYERS, *LEVELS])
    parser.add_argument("--jobs", type=int, default=cpu_count())
    asked = parser.parse_args(arguments)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for name in asked.players:
            won = list(pool.map(partial(round_won, name), range(asked.rounds)))
            print(f"| {name} | {share(won, 1)} | {len(won)} |", flush=True)


if __name__ == "__main__":
    main()
