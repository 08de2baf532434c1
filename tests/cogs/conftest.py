"""The simulated Discord that these tests play on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
import pytest_asyncio

import bot
from cogs.match.lobby import Lobby
from cogs.match.playback import Playback
from cogs.match.service import MatchService
from cogs.messages import drawing as drawings
from cogs.messages.drawing import Drawing
from cogs.messages.presenter import Presenter
from cogs.messages.replay_files import ReplayFiles
from cogs.runtime.logs import OURS
from cogs.transport.publisher import PublishTiming
from cogs.workers.pool import Pool
from data.records.matches import Matches
from data.records.people import People
from data.store import erasure_log, sqlite
from data.store.database import Database
from rules import GAMES
from tests.cogs.faults import publisher
from tests.cogs.house import House
from tests.cogs.replays import Sized
from tests.cogs.worker_pool import pool_of
from tests.support.phone import Phone
from tests.support.pixels import plain_pictures
from tests.support.quick_sqlite import quick_sqlite
from tests.support.simulation import ErrorLog, Simulation, finish, simulate
from tests.support.table import Table

T = TypeVar("T")

WARM_UP = drawings.Drawing.warm_up


@pytest.fixture
def warm(fast_bot: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let covers be drawn in advance, which `fast_bot` prevents."""
    monkeypatch.setattr(drawings.Drawing, "warm_up", WARM_UP)


@pytest.fixture(autouse=True)
def fast_bot() -> Iterator[None]:
    """Make the bot fast: no database has a thread, writes do not wait for the disk, a ready bot collects no garbage of
    other tests, no pictures are drawn in advance, and it costs little to find out who is on the list of deletions.
    """
    with quick_sqlite(), pytest.MonkeyPatch.context() as patch:  # of its own: a test may undo its own changes
        patch.setattr(sqlite, "SETTINGS", (*sqlite.SETTINGS, "synchronous=OFF"))
        patch.setattr(erasure_log, "COST", 1 << 4)
        patch.setattr(drawings, "_prewarmed", set(GAMES))
        patch.setattr(drawings.Drawing, "warm_up", lambda *_: None)
        patch.setattr(bot, "gc", SimpleNamespace(unfreeze=int, collect=int, freeze=int))
        yield


@pytest.fixture
def database_url() -> str | None:
    """The URL of the PostgreSQL database of `sim`; None: it has a file."""
    return None


@pytest.fixture
async def sim(tmp_path: Path, caplog: pytest.LogCaptureFixture, database_url: str | None) -> AsyncIterator[Simulation]:
    """A server with the bot. At the end the log has no error and no name, and each request kept to Discord's limits."""
    faults = ErrorLog()
    for name in OURS:
        caplog.set_level(logging.DEBUG, logger=name)
    logging.getLogger().addHandler(faults)
    simulation = await simulate(tmp_path, database_url=database_url)
    try:
        yield simulation
        await finish(simulation)
    finally:
        logging.getLogger().removeHandler(faults)
    assert not faults.lines, faults.lines
    assert not simulation.env.errors
    simulation.check()


async def at_once(drawing: drawings.Drawing, work: Callable[..., T], *given: Any) -> T:
    """Do the work here, after the others had a turn."""
    await asyncio.sleep(0)
    return work(*given)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each picture a single pixel, for tests that do not look at pictures. To wake a thread takes far longer than
    to draw one, so it is drawn at once.
    """
    plain_pictures(monkeypatch)
    monkeypatch.setattr(drawings.Drawing, "run", at_once)


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    """A browser that lays out messages as a phone does, for all tests of a file."""
    opened = Phone()
    yield opened
    opened.close()


@pytest.fixture
async def tide(sim: Simulation, plain: None) -> Table:
    """A match of Sea Change for two that has just begun."""
    return await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="tide")


@pytest.fixture
async def siege(sim: Simulation, plain: None) -> Table:
    """A match of Siege of Sunfall for three that has just begun: all players must pledge."""
    return await Table.begin(sim, "siege_of_sunfall", sim.join_server("alice", "bob", "carol"), seed="siege")


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    opened = await Database.open(":memory:")
    yield opened
    await opened.close()


@pytest.fixture
def service(database: Database) -> MatchService:
    return MatchService(Matches(database), People(database), GAMES)


@pytest.fixture
def messages(service: MatchService, plain: None) -> Iterator[Presenter]:
    """The messages of `host`, with pictures of a single pixel."""
    made = Presenter(service, Lobby(service))
    yield made
    made.drawing.close()


@pytest_asyncio.fixture
async def house() -> AsyncIterator[House]:
    base = await Database.open(":memory:")
    yield House(base)
    await base.close()


@pytest.fixture
def no_errors(sim: Simulation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """These faults are meant: what is logged of them is no failure, and the next try comes soon."""
    for part in (publisher(sim), publisher(sim).computers):
        monkeypatch.setattr(part, "timing", PublishTiming(edits=0, computer=0, retry=0.05))
    for name in (
        *("cogs.transport.table_message", "cogs.transport.publisher", "cogs.transport.computer_moves"),
        *("cogs.transport.clock_worker", "cogs.transport.hand_messages", "cogs.transport.digests"),
        *("cogs.transport.interactions", "cogs.time"),
    ):
        caplog.set_level(logging.CRITICAL, logger=name)


@pytest.fixture
async def own_pool() -> AsyncIterator[Pool]:
    """A pool of one worker, which also takes jobs that go wrong."""
    async with pool_of(1) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[Pool]:
    """The same for all tests of a file that are marked `shares_pool`: those after which it goes on as before."""
    async with pool_of(1) as made:
        yield made


@pytest.fixture
async def files(service: MatchService) -> AsyncIterator[ReplayFiles]:
    presenter = Presenter(service, Lobby(service))
    presenter.drawing = Sized()
    yield ReplayFiles(presenter, Playback(service))
    presenter.drawing.close()


@pytest.fixture
async def drawing() -> AsyncIterator[Drawing]:
    made = Sized()
    yield made
    made.close()


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncIterator[Simulation]:
    """As `sim`, with limits. Time stands still unless it is moved on, so no bucket fills up by itself."""
    simulation = await simulate(tmp_path, limited=True)
    yield simulation
    await finish(simulation)
