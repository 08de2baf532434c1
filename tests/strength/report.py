"""Measure how strong the computers are, and write docs/strength.md: `make strength`, or with `ARGS="--matches 40"` a
quick look. Each row says how many matches it comes from.

Each deal is noted in docs/lab/strength.csv once it is played, and is not played again as long as the computers stay
the same. So a run may be broken off, and the table can be made in parts: `ARGS="--levels strong --among careful"`.
`ARGS="--again 3"` plays three noted deals of each row again, and fails if the results differ.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from rules import GAMES
from rules.core.computer import LEVELS, VERSION
from tests.strength.arena import deal, share
from tests.support.published import PUBLISHED

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
DEALS = PAGE.parent / "lab" / "strength.csv"
"""Each deal that was played: the version of the computers, the pair, the deal's number, the mean share of the wins."""
MATCHES = 300
SEATS = 4
ROWS = (
    ("beginner", "greedy"),
    ("beginner", "careful"),
    ("friend", "careful"),
    ("strong", "careful"),
    ("strong", "friend"),
)
"""Which level is measured among which players, at tables of four."""
BEGIN = f"<!-- measured: version {VERSION} of the computers -->\n"
"""The table follows this line of the page, to its end. A table of another version is dropped."""
HEAD = "| game | level | among | share of wins | matches |\n| --- | --- | --- | --- | --- |\n"


class Pair(NamedTuple):
    """One level among opponents of one kind, at a table of that many players."""

    slug: str
    seats: int
    one: str
    others: str

    @property
    def head(self) -> str:
        """The beginning of its row."""
        return f"| {GAMES[self.slug].title} | {self.one} | {self.others} |"


def pairs() -> Iterator[Pair]:
    """Yield what the table has a row for, in its order."""
    for slug in PUBLISHED:
        for one, others in ROWS:
            yield Pair(slug, SEATS, one, others)


def measured(page: str) -> dict[Pair, str]:
    """Return the rows that a page has of these computers."""
    rows = page.partition(BEGIN)[2].splitlines(keepends=True)
    return {pair: row for pair in pairs() for row in rows if row.startswith(pair.head)}


def written(page: str, rows: Mapping[Pair, str]) -> str:
    """Return the page with these rows in place of its own."""
    text = page.partition("<!-- measured")[0]
    return f"{text}{BEGIN}\n{HEAD}{''.join(rows[pair] for pair in pairs() if pair in rows)}"


def played(text: str) -> dict[Pair, dict[int, float]]:
    """Return what the deals of these computers have brought, by pair and number, from the text of DEALS."""
    found: dict[Pair, dict[int, float]] = {}
    for version, slug, seats, one, others, number, won in csv.reader(text.splitlines()):
        if version == str(VERSION):
            found.setdefault(Pair(slug, int(seats), one, others), {})[int(number)] = float(won)
    return found


def row_of(pair: Pair, deals: Mapping[int, float]) -> str:
    """Return the row that follows from these deals of a pair."""
    found = share([deals[number] for number in sorted(deals)], pair.seats)
    return f"{pair.head} {found} | {found.matches} |\n"


def numbered(pair: Pair, number: int) -> tuple[int, float]:
    """Play the deal of that number. Return the number, and what the deal has brought."""
    return number, deal(*pair, f"strength {pair.slug} {number}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches that are missing on all cores, and write the page after each row."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.report")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--games", nargs="*", choices=PUBLISHED, default=PUBLISHED)
    parser.add_argument("--levels", nargs="*", choices=LEVELS, default=[*LEVELS])
    parser.add_argument("--among", nargs="*", help="only among these opponents")
    parser.add_argument("--jobs", type=int, default=cpu_count())
    parser.add_argument("--again", type=int, default=0, help="play so many noted deals of each row again, and compare")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for pair in pairs():
            slug, seats, one, others = pair
            if slug not in asked.games or one not in asked.levels or (asked.among and others not in asked.among):
                continue
            known = played(DEALS.read_text(encoding="utf-8")).get(pair, {})
            if asked.again:
                for number, won in pool.map(partial(numbered, pair), sorted(known)[: asked.again]):
                    if f"{won:.6g}" != f"{known[number]:.6g}":
                        raise SystemExit(f"{pair.head} deal {number}: {won:.6g} and not {known[number]:.6g} as noted")
                continue
            missing = [number for number in range(-(-asked.matches // seats)) if number not in known]
            for number, won in pool.map(partial(numbered, pair), missing):
                known[number] = won
                with DEALS.open("a", encoding="utf-8") as file:  # another run may add deals at the same time
                    file.write(f"{VERSION},{slug},{seats},{one},{others},{number},{won:.6g}\n")
            row = row_of(pair, known)
            print(f"{time.monotonic() - began:6.0f} s {row}", end="", flush=True)
            page = PAGE.read_text(encoding="utf-8")  # now: another run may have added a row
            PAGE.write_text(written(page, measured(page) | {pair: row}), encoding="utf-8")


if __name__ == "__main__":
    main()
