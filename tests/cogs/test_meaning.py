"""Nothing that the bot shows outlives its meaning: after each step of a random evening no message contradicts a match,
and each press does what its label says now, or says why not.

A failure prints the steps of its evening. The seeded bugs show that the judges see.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cogs.transport.hand_messages import HandMessages
from cogs.transport.interactions import Interactions
from cogs.transport.live_answers import LiveAnswers
from rules import GAMES
from tests.support.random_evening import RandomEvening
from tests.support.simulation import Simulation

STEPS = 40
pytestmark = pytest.mark.usefixtures("plain")


async def played(sim: Simulation, game: str, seed: str, steps: int = STEPS, *, restarts: bool = False) -> str:
    """Return what was wrong in that evening, with the steps before; "" if nothing was."""
    evening = RandomEvening(sim, game, seed, restarts=restarts)
    wrong = await evening.play(steps)
    return "\n".join([*evening.done, "", *wrong]) if wrong else ""


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_no_message_outlives_its_meaning(sim: Simulation, game: str, seed: int) -> None:
    wrong = await played(sim, game, f"meaning {seed}")
    assert not wrong, wrong


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_none_does_in_a_long_evening_with_restarts(sim: Simulation, game: str) -> None:
    wrong = await played(sim, game, "long", 4 * STEPS, restarts=True)
    assert not wrong, wrong


def answers_stay(patch: pytest.MonkeyPatch) -> None:
    """Private answers are not made again when their match changes."""
    patch.setattr(LiveAnswers, "changed", lambda *_: None)


def hands_stay(patch: pytest.MonkeyPatch) -> None:
    """Hands in direct messages are not kept up to date."""
    patch.setattr(HandMessages, "_is_behind", staticmethod(lambda match, person, post: post and post.message is None))


def refusals_are_silent(patch: pytest.MonkeyPatch) -> None:
    """A player who is refused learns nothing."""

    async def drop(*_: object) -> None:
        pass

    patch.setattr(Interactions, "tell", drop)


def refusals_stay(patch: pytest.MonkeyPatch) -> None:
    """A player who goes on is still told why something was refused before."""
    patch.setattr(LiveAnswers, "went_on", lambda *_: None)


@pytest.mark.parametrize(
    "bug",
    [
        answers_stay,
        *(pytest.param(bug, marks=pytest.mark.long) for bug in (hands_stay, refusals_are_silent, refusals_stay)),
    ],
    ids=lambda bug: bug.__name__,
)
async def test_a_seeded_bug_is_found(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, bug: Callable[[pytest.MonkeyPatch], None]
) -> None:
    bug(monkeypatch)
    assert await played(sim, "sea_change", "seeded", 3 * STEPS)
