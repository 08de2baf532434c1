"""The whole machine, and how it is run."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

import cogs._host
from rules.core.game import AnyState, Game, Move, Seat
from tests.support.machine.company_rules import CompanyRules
from tests.support.machine.discord_rules import DiscordRules
from tests.support.machine.lobby_rules import LobbyRules
from tests.support.machine.play_rules import PlayRules
from tests.support.machine.settings_rules import SettingsRules
from tests.support.machine.time_rules import TimeRules
from tests.support.simulation import fair_luck


class Tables(LobbyRules, PlayRules, CompanyRules, TimeRules, SettingsRules, DiscordRules):
    """All rules: whatever people, time and Discord may do."""


def hasty(game: Game, state: AnyState, seat: Seat, seed: str) -> Move:
    """A computer that plays anything at once."""
    move: Move = Random(seed).choice(state.legal_moves(seat))
    return move


def run_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: str, examples: int, steps: int, *, shrink: bool = True
) -> None:
    """So many runs of up to so many steps, with the choices of that seed; a failure is raised. `shrink`: first look for
    the shortest way to it.
    """
    monkeypatch.setattr(cogs._host, "choose", hasty)
    Tables.folder, Tables.luck = folder, staticmethod(lambda: fair_luck(monkeypatch, seed))
    phases = [phase for phase in Phase if shrink or phase not in (Phase.shrink, Phase.explain)]
    run_state_machine_as_test(
        seeded(seed)(Tables),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            print_blob=True,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )
