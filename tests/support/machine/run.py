"""The complete machine, and the function that runs it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

import cogs.match.automatic_moves
from rules.core.computer import Level
from rules.core.game import AnyGame, AnyState, Move, Seat
from tests.support.machine.discord_rules import DiscordRules
from tests.support.machine.lobby_rules import LobbyRules
from tests.support.machine.membership_rules import MembershipRules
from tests.support.machine.settings_rules import SettingsRules
from tests.support.machine.time_rules import TimeRules
from tests.support.simulation import seed_secrets


class TableMachine(LobbyRules, MembershipRules, TimeRules, SettingsRules, DiscordRules):
    """All rules: what people do, what time does, and what Discord does."""


def random_computer(game: AnyGame, state: AnyState, seat: Seat, seed: str, level: Level) -> Move:
    """A computer that plays a random legal move at once."""
    move: Move = Random(seed).choice(state.legal_moves(seat))
    return move


def run_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: str, runs: Iterable[int], steps: int, *, shrink: bool = True
) -> None:
    """Play these runs, each of at most `steps` steps. The choices of a run follow from the seed and its number. Raise
    the first failure, with a note that names its run. `shrink`: let hypothesis first look for the shortest run that
    fails.
    """
    monkeypatch.setattr(cogs.match.automatic_moves, "choose", random_computer)
    for run in runs:
        _play(folder, monkeypatch, f"{seed} {run}", steps, shrink)


def _play(folder: Path, monkeypatch: pytest.MonkeyPatch, seed: str, steps: int, shrink: bool) -> None:
    """Play one run. Of several examples hypothesis would spend most on the simplest choices and on copies of earlier
    ones. So each run is one example, and the rule `first` rejects the simplest choices, with which hypothesis begins.
    """
    TableMachine.folder, TableMachine.fix_seed = folder, staticmethod(lambda: seed_secrets(monkeypatch, seed))
    TableMachine.rejected_simplest = False
    phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]
    try:
        run_state_machine_as_test(
            seeded(seed)(TableMachine),
            settings=settings(
                max_examples=1,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                phases=phases,
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
            ),
        )
    except BaseException as error:
        error.add_note(f"run {seed.rpartition(' ')[2]} of seed {seed.rpartition(' ')[0]!r}")
        raise
