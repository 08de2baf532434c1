"""The games that the contract tests look at: every game, every number of seats, every value of each option, and in the
long runs every choice of options.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from random import Random
from types import ModuleType

import pytest

from rules import GAMES
from rules.core.game import AnyGame
from tests.contract.play import Played, Setting, play, settings


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`game` is each game; `setting` each game with every choice of seats and options, `--games` times."""
    slugs = metafunc.config.getoption("--game") or list(GAMES)
    if "setting" in metafunc.fixturenames:
        seed, games = metafunc.config.getoption("--seed"), metafunc.config.getoption("--games")
        every = [s for slug in slugs for number in range(games) for s in settings(slug, f"{seed}-{number}")]
        few = covering(every) if games == 1 else set(every)
        marked = [pytest.param(s, id=str(s), marks=[] if s in few else pytest.mark.long) for s in every]
        metafunc.parametrize("setting", marked, scope="module")
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", [GAMES[slug] for slug in slugs], ids=slugs)


def covering(every: Sequence[Setting]) -> set[Setting]:
    """Return some of these that together have each value of each option at each number of seats."""
    values = {s: {(s.slug, s.seats, option) for option in (None, *s.options)} for s in every}
    left, chosen = set().union(*values.values()), set()
    while left:
        best = max(every, key=lambda s: len(values[s] & left))
        chosen.add(best)
        left -= values[best]
    return chosen


@pytest.fixture
def played(setting: Setting) -> Played:
    """The whole game under this setting, played once for all tests that ask for it."""
    print(f"game {setting}")
    return play(setting)


@pytest.fixture
def looked_at(played: Played, request: pytest.FixtureRequest) -> tuple[int, ...]:
    """The plies at which costly checks are made: the first 12, every 29th and the last 3.

    All with `--thorough`; with `--glance`, for thousands of games, six that differ from game to game.
    """
    end = len(played.steps)
    if request.config.getoption("--thorough"):
        return tuple(range(end + 1))
    if request.config.getoption("--glance"):
        return tuple(sorted(Random(str(played.setting)).sample(range(end + 1), min(6, end + 1))))
    return tuple(ply for ply in range(end + 1) if ply < 12 or ply % 29 == 0 or end - ply < 3)


def conservation_of(game: AnyGame) -> ModuleType:
    """What this game conserves: `tests/contract/conservation_<slug>.py`. Each game must have one:

    - `check(state)` asserts, of a state's JSON, that nothing is lost, doubled or invented;
    - `check_step(before, events, after)`, where the game has one, that its events account for every change;
    - `REDEALS_DIFFER` is the share of redeals that must differ from the state: how much the game hides.
    """
    return import_module(f"tests.contract.conservation_{game.slug}")
