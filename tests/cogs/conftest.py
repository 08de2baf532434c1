"""The simulated Discord that these tests play on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import bot
import cogs.messages.drawing
from data.store import database
from rules import GAMES
from tests.support.pixels import plain_pictures
from tests.support.simulation import Faults, Simulation, fair_luck, finish, simulate
from tests.support.table import Table


@pytest.fixture(autouse=True)
def nothing_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power fails here, so nothing waits for the disk; a bot that is ready does not look through the objects of all
    tests; and few pictures of a game are drawn, so none are drawn beforehand.
    """
    monkeypatch.setattr(database, "SETTINGS", (*database.SETTINGS, "synchronous=OFF"))
    monkeypatch.setattr(cogs.messages.drawing, "_prewarmed", set(GAMES))
    monkeypatch.setattr(bot, "gc", SimpleNamespace(unfreeze=int, collect=int, freeze=int))


@pytest.fixture
async def sim(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Simulation]:
    """A server with the bot. At the end nothing has failed, and every request has kept to Discord's limits."""
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


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of a single pixel: for tests of what happens, not of how it looks."""
    plain_pictures(monkeypatch)


@pytest.fixture
async def tide(sim: Simulation, plain: None) -> Table:
    """Sea Change for two, just begun."""
    table = await Table.open(sim, "sea_change", sim.join_server("alice", "bob"), seed="tide")
    await table.start()
    return table


@pytest.fixture
async def siege(sim: Simulation, plain: None) -> Table:
    """Siege of Sunfall for three, just begun: everybody is to pledge."""
    table = await Table.open(sim, "siege_of_sunfall", sim.join_server("alice", "bob", "carol"), seed="siege")
    await table.start()
    return table
