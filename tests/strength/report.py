"""Measure how strong the computers are, and write docs/strength.md: `make strength`, or with `ARGS="--matches 40"` a
quick look. Everything is measured again; each row says how many matches it comes from.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path

from rules import GAMES
from rules.core.computer import LEVELS
from tests.strength.arena import RULE_PLAYERS, deal, share
from tests.support.published import PUBLISHED

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
MATCHES = 300
BEGIN = "<!-- measured -->\n"
"""The table follows this line of the page, to its end."""
HEAD = (
    "| game | players | level | among | share of wins | fair | matches |\n| --- | --- | --- | --- | --- | --- | --- |\n"
)


def pairs() -> Iterator[tuple[str, str]]:
    """Yield each level with its opponents: random moves, the rule players, and the level below it."""
    names = list(LEVELS)
    for at, level in enumerate(names):
        below = names[at - 1 : at] if at else []
        yield from ((level, others) for others in ("random", *RULE_PLAYERS, *below))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches on all cores, and write the page again."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.report")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--games", nargs="*", choices=PUBLISHED, default=PUBLISHED)
    parser.add_argument("--seats", nargs="*", type=int, help="only these numbers of players")
    parser.add_argument("--levels", nargs="*", choices=list(LEVELS), default=list(LEVELS))
    parser.add_argument("--jobs", type=int, default=cpu_count())
    asked = parser.parse_args(arguments)
    rows = []
    began = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for slug in asked.games:
            for seats in GAMES[slug].seats:
                if seats == 1 or (asked.seats and seats not in asked.seats):
                    continue
                for one, others in pairs():
                    if one not in asked.levels:
                        continue
                    seeds = [f"strength {slug} {number}" for number in range(-(-asked.matches // seats))]
                    found = share(list(pool.map(partial(deal, slug, seats, one, others), seeds)), seats)
                    row = f"| {GAMES[slug].title} | {seats} | {one} | {others} | {found} | {1 / seats:.2f} |"
                    rows.append(f"{row} {found.matches} |\n")
                    print(f"{time.monotonic() - began:6.0f} s {rows[-1]}", end="", flush=True)
                    text, _, _ = PAGE.read_text(encoding="utf-8").partition(BEGIN)
                    PAGE.write_text(f"{text}{BEGIN}\n{HEAD}{''.join(rows)}", encoding="utf-8")


if __name__ == "__main__":
    main()
