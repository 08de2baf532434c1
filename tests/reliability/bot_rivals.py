"""Several processes of the whole bot on one PostgreSQL database and one local Discord, some with a wrong clock.

People press at tables of five games. The processes are two groups with another number of shards each, so a press
arrives at one process or at two. In each round some processes are killed, ended in order, stopped or cut off from the
database for longer than a lease lasts, or the database itself crashes in the middle of commits; in a storm (storms.py)
much of that happens at once. In every second world PgBouncer stands before the database, if it is installed. Nothing
may be lost or doubled: no move, no ping, no table; and everything is soon shown, by the processes that are left.

Each request names its process, so the harness also sees that a table is edited only by the process that holds its match
at that instant, as the database says. At rest each process must be back, and each shard connected once.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from random import Random

import pytest

from tests.process.loopback import Loopback
from tests.reliability.report import Report, empty_folder
from tests.reliability.rival_players import RivalPlayers
from tests.reliability.rival_processes import GUILDS, SHARES, CrashingServer, Forks
from tests.reliability.rival_world import Fate, Rivals
from tests.reliability.seeded_bugs import Bug
from tests.support.pixels import plain_pictures

PROCESSES, MANY = 4, 8
"""Processes, and how many if kills are counted."""
ROUNDS = 8
"""Rounds on one Discord and one database."""
LAST = 60
"""Requests and faults that are printed if a round hangs."""
SHOWS_IN = {Bug.MADE_AGAIN: Fate.STORM, Bug.BROKEN_KEPT: Fate.CUT_OFF, Bug.BELIEVED: Fate.STALLED}
"""The rounds in which these bugs show; all others show if a process is stopped."""


def drawn_fates(random: Random, rounds: int, stormy: bool, bug: Bug) -> list[Fate]:
    """Return what happens in the rounds of a world: a storm, which has a bit of all, and then each fate once. `stormy`:
    mostly storms. A seeded bug gets the rounds in which it shows, as each takes half a minute.
    """
    others = [fate for fate in Fate if fate is not Fate.STORM]
    if bug is not Bug.NONE:
        return [SHOWS_IN.get(bug, Fate.STOPPED)] * rounds
    if stormy:
        return random.sample([*random.sample(others, 2), *[Fate.STORM] * 6], rounds)
    return [Fate.STORM, *random.sample(others, len(others))][:rounds]


async def _one_world(
    forks: Forks, server: CrashingServer, url: str, random: Random, rounds: int, folder: Path, run: Counted, bug: Bug
) -> list[str]:
    """Play rounds on one Discord and one database. Return the faults of the first round that has any."""
    report = run.report
    async with Loopback() as discord:
        players = RivalPlayers(discord, url, random, GUILDS)
        players.hasty = bug is not Bug.NONE
        await players.sit_down()
        socket = server.socket
        if run.worlds % 2 == 0 and (program := shutil.which("pgbouncer")) is not None:
            socket = server.pool(program)
            report.counts["worlds behind PgBouncer"] += 1
        rivals, before = Rivals(forks, players, server, socket, url, random, report), report.counts.copy()
        found: list[str] = []
        try:
            for clock, shards in islice(cycle(SHARES), MANY if run.counts_kills else PROCESSES):
                await rivals.start(clock, shards)
            await rivals.all_opened()
            for fate in drawn_fates(random, rounds, run.counts_kills, bug):
                found = list(rivals.violations) or await rivals.round(fate)
                for what, number in (
                    ("answers", len(players.history.answers)),
                    ("pings", players.pings.total()),
                    ("ends told", players.ends_told.total()),
                    ("presses made again", players.again),
                ):
                    report.counts[what] = before[what] + number
                run.save()
                if found or run.is_over:
                    break
            return found
        except asyncio.CancelledError:  # the harness hangs
            print("\n".join(rivals.requests[-LAST:]))
            raise
        finally:
            (folder / "requests").write_text("\n".join(rivals.requests), encoding="utf-8")
            await rivals.end_all()


@dataclass
class Counted:
    """A run that goes on until it has counted so many kills and cuts; 0 and 0: for a number of trials. `notes`: a file
    with what it has counted, from which it goes on if it was broken off.
    """

    report: Report
    kills: int = 0
    cuts: int = 0
    notes: Path | None = None
    worlds: int = 0

    def __post_init__(self) -> None:
        if self.notes is not None and self.notes.exists():
            noted = json.loads(self.notes.read_text(encoding="utf-8"))
            self.report.seed, self.worlds = noted["seed"], noted["worlds"]
            self.report.counts.update(noted["counts"])
            self.report.slowest = noted["slowest"]

    @property
    def counts_kills(self) -> bool:
        """Whether the run goes on until it has counted enough."""
        return bool(self.kills or self.cuts)

    @property
    def is_over(self) -> bool:
        enough = self.report.counts["kills"] >= self.kills and self.report.counts["cuts"] >= self.cuts
        return self.report.out_of_time or (self.counts_kills and enough)

    def save(self) -> None:
        if self.notes is not None:
            noted = {"seed": self.report.seed, "worlds": self.worlds, "counts": self.report.counts}
            self.notes.write_text(json.dumps({**noted, "slowest": self.report.slowest}), encoding="utf-8")
            print(self.report, flush=True)


async def _run(run: Counted, folder: Path, trials: int, bug: Bug, only: int | None) -> None:
    plain_pictures(pytest.MonkeyPatch())  # here too: this process draws what should be shown
    server, forks = CrashingServer(), await Forks.launch(bug, folder / "log")
    try:
        numbers = [only] if only is not None else count() if run.counts_kills else range(-(-trials // ROUNDS))
        for number in islice(numbers, run.worlds, None) if run.counts_kills and only is None else numbers:
            whole = only is not None or run.counts_kills
            rounds = ROUNDS if whole else min(ROUNDS, trials - number * ROUNDS)
            where, random = empty_folder(folder / "rivals"), Random(f"{run.report.seed}/{number}")
            run.worlds = number + 1  # a run that is broken off goes on with the next world
            found = await _one_world(forks, server, server.make(f"bots_{number}"), random, rounds, where, run, bug)
            if run.report.record(number, found, where) or run.is_over:
                return
    finally:
        await forks.close()
        server.close()


def run(
    report: Report,
    folder: Path,
    trials: int,
    bug: Bug,
    only: int | None = None,
    kills: int = 0,
    cuts: int = 0,
    notes: Path | None = None,
) -> None:
    """Play `trials` rounds, or only those of world number `only`, or until so many kills and cuts are counted."""
    asyncio.run(_run(Counted(report, kills, cuts, notes), folder, trials, bug, only))
