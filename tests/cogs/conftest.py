"""The simulated Discord that these tests play on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.simulation import Faults, Simulation, fair_luck, finish, simulate


@pytest.fixture
async def sim(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Simulation]:
    """A server with the bot. At the end nothing may have failed, and every request must have kept to Discord's rules."""
    fair_luck(monkeypatch, request.node.name)
    faults = Faults()
    logging.getLogger().addHandler(faults)
    simulation = await simulate(tmp_path)
    try:
        yield simulation
        await finish(simulation)
    finally:
        logging.getLogger().removeHandler(faults)
    assert not faults.lines, faults.lines
    assert not simulation.env.errors
    simulation.check()
