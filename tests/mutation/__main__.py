"""`make mutation`: put faults into the program and say which of them the tests find.

ARGS="cogs/match" mutates one folder; --sample 20 takes twenty mutants of each file by chance, --functions a pattern of
qualified names. The first run records which tests run which line, and --record does so again after a change of the
program; after new tests, --record with their files is enough. Each result is a line of
tests/output/mutation/results.jsonl.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.mutation.forks import BROKEN, KILLED, NOT_COVERED, ROOT, SURVIVED, TIMED_OUT, Trial, Trials, in_order, run
from tests.mutation.operators import Mutant, difference, mutants, sample
from tests.mutation.recording import OUTPUT, Recorded
from tests.support.bound import bind_children

ROOMS = ("cogs/match", "data", "rules/core", *(f"cogs/transport/{name}.py" for name in (
    "router", "interactions", "components", "hand_messages", "hand_replies", "permissions"
)), "cogs/privacy.py")  # fmt: skip
"""The default of what is mutated: the table's application, what is stored, what games share, and the access
and privacy parts of the transport."""
TESTS = (
    "tests/cogs",
    "tests/data",
    "tests/rules",
    "tests/contract",
    *("tests/test_verify.py", "tests/test_verify_changes.py", "tests/test_verify_names.py"),
)
LONGER = ("test_access", "test_errors", "test_machine", "test_machine_seeded_bugs")
"""Tests of the whole bot that take long and say little about one line."""
SLOW = 5.0
"""Tests that take longer than that, in seconds, try no mutant."""


def options(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("paths", nargs="*", default=ROOMS, help="folders or files of the program")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each file, by chance; 0: all")
    parser.add_argument("--seed", default="mutation", help="what the sample begins with")
    parser.add_argument("--functions", default="", help="only functions whose file and qualified name match this")
    parser.add_argument("--left", action="store_true", help="leave out mutants that an earlier run killed")
    parser.add_argument("--again", action="store_true", help="only mutants that an earlier run tried and did not kill")
    parser.add_argument("--seconds", type=float, default=8.0, help="the longest that the tests of one mutant may take")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument(
        "--record", nargs="*", help="record which tests run which line: all again, or these in addition"
    )
    parser.add_argument("--figures", action="store_true", help="print what the last runs found, and run nothing")
    return parser.parse_args(given)


def record(tests: list[str], jobs: int) -> None:
    """Run the tests once, to learn which lines each of them runs: these tests in addition, or all again."""
    if not tests:
        shutil.rmtree(OUTPUT, ignore_errors=True)
        tests = [*TESTS, *(f"--ignore=tests/cogs/{name}.py" for name in LONGER)]
    workers = ["-n", str(jobs), "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.recording", *workers, *tests]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit("The tests fail without a fault: nothing can be learned from them.")


def wanted(chosen: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to try."""
    found: list[Mutant] = []
    for named in chosen.paths:
        paths = sorted((ROOT / named).rglob("*.py")) if (ROOT / named).is_dir() else [ROOT / named]
        for path in paths:
            name = str(path.relative_to(ROOT))
            found += mutants(name, path.read_text(encoding="utf-8"))
    if chosen.left or chosen.again:
        found_out = {name: result["status"] in (KILLED, TIMED_OUT) for name, result in latest().items()}
        found = [mutant for mutant in found if not found_out.get(mutant.name, chosen.again)]
    pattern = re.compile(chosen.functions)
    return sample([m for m in found if pattern.search(f"{m.path}:{m.function}")], chosen.sample, chosen.seed)


def trials(chosen: Iterable[Mutant], recorded: Recorded) -> list[tuple[Mutant, Trial]]:
    """Return what to try, with the tests of each mutant; what does not compile is none."""
    seconds = {test: took for test, took in recorded.seconds.items() if took <= SLOW}
    found, lines = [], {}
    for mutant in chosen:
        source = (ROOT / mutant.path).read_text(encoding="utf-8")
        mutated = mutant.applied(source)
        try:
            compile(mutated, mutant.path, "exec", dont_inherit=True)
        except SyntaxError:
            continue
        if mutant.path not in lines:
            covered = recorded.tests(mutant.path)
            lines[mutant.path] = {at: {t for t in tests if t in seconds or not t} for at, tests in covered.items()}
        at = mutant.covered_line(source)
        here = lines[mutant.path]
        imported = not mutant.function or here.get(at) == {""}
        if imported:  # any test of the file may notice
            here = {**here, at: set().union(*here.values())}
        trial = Trial(mutant.name, mutant.path, mutated, not imported, in_order(here, at, seconds))
        found.append((mutant, trial))
    return found


def latest() -> dict[str, dict[str, str]]:
    lines = (OUTPUT / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return {result["name"]: result for result in map(json.loads, lines)}


def figures() -> str:
    """Return the results so far by room, as a table."""
    counts: dict[str, Counter[str]] = {}
    for result in latest().values():
        parts = result["path"].split("/")
        for name in ("/".join(parts[:2]), "all"):
            counts.setdefault(name, Counter())[result["status"]] += 1
    lines = ["| room | mutants | killed | timed out | survived | not covered |", "| --- " * 6 + "|"]
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        of = counts[name]
        told = [of.total(), *(of[status] for status in (KILLED, TIMED_OUT, SURVIVED, NOT_COVERED))]
        lines.append(f"| {name} | {' | '.join(f'{number:,}' for number in told)} |")
        lines += [f"{name}: {number} {status}" for status, number in of.items() if status == BROKEN]
    return "\n".join(lines)


def main(given: list[str]) -> int:
    """The exit code is 0 even if mutants survive: people read the list."""
    chosen = options(given)
    if chosen.figures:
        print(figures())
        return 0
    if chosen.record is not None or not list(OUTPUT.glob("*.seconds.json")):
        record(chosen.record or [], chosen.jobs)
    recorded = Recorded()
    some = trials(wanted(chosen), recorded)
    by_name = {mutant.name: mutant for mutant, _ in some}
    print(f"{len(some)} mutants, --seed {chosen.seed}, {chosen.seconds:g} s of tests each", flush=True)
    began, done = time.monotonic(), 0

    with (OUTPUT / "results.jsonl").open("a", encoding="utf-8") as results:

        def tell(trial: Trial, status: str, took: float, killer: str) -> None:
            nonlocal done
            done += 1
            mutant = by_name[trial.name]
            source = (ROOT / mutant.path).read_text(encoding="utf-8")
            said = {"name": trial.name, "path": trial.path, "function": mutant.function, "status": status}
            said |= {"tests": str(len(trial.tests)), "seconds": f"{took:.2f}", "killer": killer}
            said |= {"difference": difference(trial.path, source, trial.mutated)}
            results.write(json.dumps(said) + "\n")
            results.flush()
            if status not in (KILLED, TIMED_OUT):
                at = f"[{done}/{len(some)}, {time.monotonic() - began:.0f} s]"
                print(f"{at} {status}: {trial.name} {mutant.function}\n{said['difference']}", flush=True)

        with tempfile.TemporaryDirectory() as scratch:
            ready = [trial for _, trial in some]
            plugin = Trials(ready, recorded.seconds, chosen.seconds, chosen.jobs, Path(scratch), tell)
            files = {test.partition("::")[0] for trial in ready for test in trial.tests}
            tests = sorted(file for file in files if (ROOT / file).exists())
            code = run(tests, plugin)
    print(figures())
    return code if code not in (0, 5) else 0


if __name__ == "__main__":
    bind_children()
    sys.exit(main(sys.argv[1:]))
