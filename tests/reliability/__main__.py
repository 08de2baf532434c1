"""`make reliability ARGS="kills --trials 1000 --seed 7"`: run one harness. The exit code is 1 if it finds a fault.

`--only` repeats the trial that a failure names; `--bug` seeds a bug, to see that the harness finds it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import secrets
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from enum import StrEnum
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from rules import GAMES
from tests.reliability import recorder
from tests.reliability.report import CLEAN, Report
from tests.reliability.seeded_bugs import Bug
from tests.support.bound import bind_children

HARNESSES = {
    "kills": "store_kills.run",
    "kills-postgresql": "store_kills.run_on_postgresql",
    "rivals": "rivals.run",
    "bot-rivals": "bot_rivals.run",
    "power": "power_cuts.run",
    "faults": "disk_faults.run",
    "bot": "bot_kills.run",
    "leaks": "leaks.run",
    "fuzz": "fuzz.run",
    "moving": "table_moves.run",
}
"""The function of each, by its module. Only one is imported: those of the store need no Discord."""
SEEDED = {"leaks": "seeded_leaks.Leak", "fuzz": "seeded_input_bugs.InputBug"}
"""The bugs of the harnesses that have their own: all others take a `Bug`."""
RECORDED = ("power", "faults")


def found(name: str) -> Any:
    """Return what a module of this package has under that name."""
    module, _, attribute = name.partition(".")
    return getattr(import_module(f"tests.reliability.{module}"), attribute)


def end_if_it_hangs(seconds: int, report: Report) -> None:
    """If so many seconds add nothing to the report's counts, print what each task waits for, and raise TimeoutError in
    the first thread. A run of hundreds of trials may take as long as the machine needs.
    """
    seen = report.counts.copy()

    def end(*_: object) -> None:
        nonlocal seen
        if report.counts != seen:
            seen = report.counts.copy()
            return
        with suppress(RuntimeError):  # no event loop runs
            for task in asyncio.all_tasks():
                task.print_stack()
        raise TimeoutError(f"the harness hangs: it has counted nothing for {seconds} s")

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    parser.add_argument("harness", choices=HARNESSES)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--only", type=int, help="only this trial, as a failure names it")
    parser.add_argument("--bug", default="none", help="seed a bug; of a wrong name, those of the harness are said")
    parser.add_argument("--game", choices=GAMES, action="append", help="faults: only in a match of this game")
    parser.add_argument("--kills", type=int, default=0, help="bot-rivals: go on until so many processes are killed")
    parser.add_argument("--cuts", type=int, default=0, help="bot-rivals: and so many connections cut")
    parser.add_argument("--notes", type=Path, help="bot-rivals: note in this file what was counted, and go on from it")
    parser.add_argument("--minutes", type=float, default=inf, help="end after this time, even before the last trial")
    parser.add_argument(
        "--hangs",
        type=int,
        default=0,
        help="after so many seconds in which it counts nothing say what it waits for, and end",
    )
    chosen = parser.parse_args(arguments)
    if chosen.harness in RECORDED and not recorder.preloaded():
        if (why := recorder.missing()) is not None:
            parser.error(why)
        with tempfile.TemporaryDirectory() as built:
            return recorder.run_preloaded(Path(built), [*arguments, f"--seed={chosen.seed}"])
    bugs: type[StrEnum] = found(SEEDED[chosen.harness]) if chosen.harness in SEEDED else Bug
    try:
        bug = bugs(chosen.bug)
    except ValueError:
        parser.error(f"{chosen.harness} knows no such bug: it takes {', '.join(sorted(bugs))}")
    logging.disable()  # a full disk is logged at each press
    folder = Path(tempfile.mkdtemp(prefix="sundial-reliability-"))
    games = chosen.game or list(GAMES)
    more: dict[str, Any] = {"games": games} if chosen.harness == "faults" else {}
    if chosen.harness == "bot-rivals":
        more = {"kills": chosen.kills, "cuts": chosen.cuts, "notes": chosen.notes}
    name = " ".join([chosen.harness, *(f"--game {game}" for game in chosen.game or ())])
    report = Report(name, chosen.seed, chosen.minutes)
    report.clean = CLEAN.get(chosen.harness, report.clean)
    if chosen.hangs:
        end_if_it_hangs(chosen.hangs, report)
    run = found(HARNESSES[chosen.harness])
    gc.freeze()  # forks share what is imported
    run(report, folder, chosen.trials, bug, chosen.only, **more)
    print(report)
    if report.trial is None or bug != Bug.NONE:
        shutil.rmtree(folder)
    return int(report.trial is not None)


if __name__ == "__main__":
    bind_children()
    sys.exit(main(sys.argv[1:]))
