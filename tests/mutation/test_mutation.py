"""The mutation run itself: the tests that it runs, how it puts faults into running code, what it calls killed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.mutation.forks import KILLED, NOT_COVERED, ROOT, SURVIVED, TIMED_OUT, in_order, swap, within
from tests.support.hung import HUNG

SOURCE = """
def outer(x):
    def inner(y):
        return x + y
    return inner

class Seat:
    def beside(self, x):
        return [y for y in range(x) if y > 1]
"""


def test_tests_that_run_rare_lines_in_little_time_come_first_and_one_of_each() -> None:
    lines = {9: {"rare", "slow", "one[a]", "one[b]", "off"}, 10: {"rare"}, 99: {"off"}}
    seconds = {"rare": 1.0, "slow": 9.0, "one[a]": 0.1, "one[b]": 0.2, "off": 2.0}
    assert in_order(lines, 9, seconds) == ("one[a]", "rare", "off", "slow", "one[b]")
    assert in_order(lines, 8, seconds) == ()
    assert within(["slow", "rare"], seconds, 3) == ("slow",), "at least one"
    assert within(["rare", "slow", "one[a]", "off"], seconds, 3.1) == ("rare", "one[a]", "off")


def test_a_fault_gets_into_existing_functions() -> None:
    names: dict[str, Any] = {}
    exec(compile(SOURCE, "a file", "exec"), names)
    seat = names["Seat"]()
    functions = {("a file", "outer", 2): [names["outer"]], ("a file", "Seat.beside", 8): [type(seat).beside]}
    assert swap("a file", SOURCE, SOURCE.replace("x + y", "x - y"), functions) == 1
    assert (names["outer"](5)(3), seat.beside(4)) == (2, [2, 3])
    assert swap("a file", SOURCE, SOURCE.replace("y > 1", "y < 1"), functions) == 1
    assert seat.beside(4) == [0]
    assert swap("a file", SOURCE, SOURCE, functions) == 0


@pytest.mark.parametrize("name", ["RemoveStatement", "NegateFilter", "SwapMembership", "ChangeSql"])
def test_each_operator_of_ours_does_what_its_examples_say(name: str) -> None:
    pytest.importorskip("cosmic_ray", reason="only `make mutation` installs Cosmic Ray")
    from cosmic_ray.mutating import mutate_code

    from tests.mutation import operators

    operator = getattr(operators, name)
    for example in operator.examples():
        assert mutate_code(example.pre_mutation_code, operator(), 0) == example.post_mutation_code


def test_what_is_mutated_of_a_file() -> None:
    pytest.importorskip("cosmic_ray", reason="only `make mutation` installs Cosmic Ray")
    from tests.mutation.operators import difference, mutants, sample

    source = "MOST = 3\n\n\n@kept(5)\ndef full(seats: list[5]) -> bool:\n    raise ValueError\n"
    found = mutants("a.py", source)
    assert [(mutant.line, mutant.operator, mutant.function) for mutant in found] == [
        (1, "NumberReplacer", ""),
        (1, "NumberReplacer", ""),
        (6, "RemoveStatement", "full"),
    ], "decorators and annotations are left alone"
    assert difference("a.py", source, found[2].applied(source)) == "-    raise ValueError\n+    pass"
    assert sample(found, 2, "seed") == sample(found, 2, "seed")
    assert len(sample(found, 2, "seed")) == 2
    assert sample(found, 0, "seed") == found


TRIALS = """
import json, sys, tempfile
from pathlib import Path
import tests.support.bound  # before pytest, as `make mutation` does
from tests.mutation import forks
from tests.mutation.forks import Trial, Trials

path = "rules/core/text.py"
source = Path(path).read_text(encoding="utf-8")
names = tuple(f"tests/rules/test_text.py::{name}" for name in json.loads(sys.argv[1]))
forks.PATIENCE, forks.FRESH = 12, 60
faults = {
    "wrong": source.replace("return", "return None and", 1),
    "imported": source.replace("def ", "raise ValueError\\n\\ndef ", 1),
    "harmless": source.replace("return", "0\\n    return", 1),
    "for ever": source.replace("return", "__import__('time').sleep(10_000)\\n    return", 1),
    "the same": source,
}
trials = [Trial(name, path, text, name != "imported", names) for name, text in faults.items()]
trials.append(Trial("unknown", path, source, True, ()))
trials.append(Trial("gone", path, source, True, ("tests/rules/test_text.py::test_that_was",)))
said = {}
with tempfile.TemporaryDirectory() as scratch:
    tell = lambda trial, status, took, killer: said.update({trial.name: status})
    plugin = Trials(trials, dict.fromkeys(names, 0.1), 5.0, 2, Path(scratch), tell)
    forks.run(["tests/rules/test_text.py"], plugin)
print(json.dumps(said))
"""


@pytest.mark.long
def test_a_fault_that_a_test_notices_is_killed() -> None:
    names = json.dumps(["test_the_end_of_a_match_prints"])
    command = [sys.executable, "-c", TRIALS, names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=HUNG)
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "wrong": KILLED,
        "imported": KILLED,
        "harmless": SURVIVED,
        "for ever": TIMED_OUT,
        "the same": SURVIVED,
        "unknown": NOT_COVERED,
        "gone": NOT_COVERED,
    }
