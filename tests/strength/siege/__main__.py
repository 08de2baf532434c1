"""Measure whether *strong* can be read at Siege of Sunfall, and what becomes of a table of four of it:
`python -m tests.strength.siege`.

A reader watches matches of four *strong* and counts what was pledged, by situation: card, coins, cards of the kind, who
is rich, who is King. Then it sits among three of them and tries its moves in as many playouts, in which they pledge as
they did. It wins a quarter of the matches if there is nothing to read. What it wins without having watched, when it
expects the rules of thumb, is no reading: *strong* then plays too weakly. Thinking is done by the copy in think.cpp.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from rules.core.computer import LEVELS
from rules.core.game import Event
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.events import PledgesRevealed, RoundEnded
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import Move, Pledge
from tests.strength import report
from tests.strength.arena import Player, match, share
from tests.strength.siege import copy

SEATS = 4


@dataclass(slots=True)
class Table:
    """What became of the rounds of some matches."""

    rounds: int = 0
    survived: int = 0
    outs: int = 0
    purse: int = 0
    """The coins left to players when they went out."""

    def __str__(self) -> str:
        rounds, coins = self.survived / self.rounds, self.purse / max(1, self.outs)
        return f"{rounds:.2f} of the rounds end with a survivor; a player goes out with {coins:.1f} coins"

    def add(self, before: SiegeState, events: Sequence[Event]) -> None:
        """Count what happened after a move."""
        for event in events:
            if isinstance(event, PledgesRevealed):
                for seat in event.reveal.eliminated:
                    self.outs += 1
                    self.purse += before.position.coins[seat] - (event.reveal.pledges[seat] or 0)
            elif isinstance(event, RoundEnded):
                self.rounds += 1
                self.survived += bool(event.result.survivors)


def watched(one: Player, matches: int) -> Table:
    """Let the reader watch so many matches of four of that player; return their figures."""
    table = Table()
    for number in range(matches):
        seed = f"watched {number}"
        state = GAME.new(SEATS, {}, seed)
        while awaited := state.to_move():
            seat = min(awaited)
            move: Move = one(state, seat, f"{seed} {seat} {state.ply}")
            if isinstance(move, Pledge):
                copy.watch(state, move)
            before = state
            state, events = state.apply(move)
            table.add(before, events)
    return table


def among(one: Player, others: Player, deals: int) -> list[float]:
    """Return the mean share of the wins of each deal, played once with `one` in every seat."""
    seats = range(SEATS)
    return [
        fmean(
            match(GAME, [one if at == seat else others for at in seats], f"strength {GAME.slug} {n}")[seat]
            for seat in seats
        )
        for n in range(deals)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Watch, read, and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.siege")
    parser.add_argument("--watched", type=int, default=200)
    parser.add_argument("--deals", type=int, default=75)
    parser.add_argument("--playouts", type=int, default=LEVELS["strong"].playouts)
    parser.add_argument("--rows", action="store_true", help="play the game's rows of docs/strength.md instead")
    asked = parser.parse_args(arguments)
    if asked.rows:
        copy.install()
        report.main(["--games", GAME.slug, "--matches", str(asked.deals * SEATS), "--jobs", "1"])
        return
    strong = copy.player(copy.MIXED, asked.playouts)
    print(f"four strong: {watched(strong, asked.watched)} ({asked.watched} matches)", flush=True)
    reader = copy.player(copy.READER, asked.playouts)
    print(f"reader among strong: {share(among(reader, strong, asked.deals), SEATS)}", flush=True)
    copy.forget()
    print(f"and if it watched nothing: {share(among(reader, strong, asked.deals), SEATS)}", flush=True)


if __name__ == "__main__":
    main()
