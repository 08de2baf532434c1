"""Measure players against each other: `python -m tests.strength GAME SEATS PLAYER OTHERS MATCHES`.

For example `python -m tests.strength sea_change 4 strong careful 300`. Every deal is played once with PLAYER in every
seat, and OTHERS in the other seats. Players are those of tests/strength/arena.py.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count

from rules import GAMES
from tests.strength.arena import deal, share


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches on all cores and say the share of wins."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("seats", type=int)
    parser.add_argument("player")
    parser.add_argument("others")
    parser.add_argument("matches", type=int)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--jobs", type=int, default=cpu_count())
    asked = parser.parse_args(arguments)
    seeds = [f"{asked.seed} {number}" for number in range(-(-asked.matches // asked.seats))]
    began = time.monotonic()
    one_deal = partial(deal, asked.game, asked.seats, asked.player, asked.others)
    with ProcessPoolExecutor(asked.jobs) as pool:
        found = share(list(pool.map(one_deal, seeds)), asked.seats)
    fair, seconds = 1 / asked.seats, time.monotonic() - began
    print(
        f"{asked.game}, {asked.seats} players: {asked.player} among {asked.others} wins {found} of {found.matches} "
        f"matches (fair {fair:.2f}; {seconds:.0f} s; seed {asked.seed!r})"
    )


if __name__ == "__main__":
    main()
