"""Whatever happens at the tables, in whatever order: the bot's parts do what a plain second telling of them says.

A state machine (hypothesis) opens tables, sits down, plays, votes, leaves, keeps hours, lets minutes and days pass,
restarts the bot, sets its clock wrong, deletes its messages, and does many of these things twice or at once. After each
step what is stored is held against a ledger (`tests/support/machine`), what is shown against what is stored, and each
call against who may be called, and how.

`--examples` says how many runs of up to `--steps` steps; `--seed` chooses others. A failure prints its steps in order,
and the number of its run: `--first n --examples 1` has it again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.machine.run import run_machine


def test_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    option = request.config.getoption
    seed, first, steps = option("--seed"), option("--first"), option("--steps")
    runs = range(first, first + option("--examples"))
    print(f"machine --seed {seed!r}, runs {runs} of {steps} steps")
    run_machine(tmp_path, monkeypatch, seed, runs, steps)
