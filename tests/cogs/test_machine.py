"""Random runs: the bot's parts do what a simple second model of them does, in any order of events.

A state machine (hypothesis) opens tables, joins, plays, votes, leaves, sets quiet hours, lets minutes and days pass,
restarts the bot, sets its clock wrong, deletes its messages, and does many of these things twice or at once. After each
step it compares what is stored with the model (`tests/support/machine`), what is shown with what is stored, and each
ping with the player's settings.

`--examples` is the number of runs, `--steps` the most steps of a run; `--seed` chooses other runs. A failure prints its
steps in order and the number of its run: `--first n --examples 1` plays that run again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.machine.run import run_machine


def test_the_bot_does_what_the_model_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    option = request.config.getoption
    seed, first, steps = option("--seed"), option("--first"), option("--steps")
    runs = range(first, first + option("--examples"))
    print(f"machine --seed {seed!r}, runs {runs} of {steps} steps")
    run_machine(tmp_path, monkeypatch, seed, runs, steps)
