"""Membership on a database with a clock of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from data.records.matches import Matches
from data.records.people import People
from data.records.servers import Servers
from data.store.database import Database
from rules import GAMES
from tests.cogs.membership.matches import Clock
from tests.support.matches import NAMES


@pytest_asyncio.fixture
async def base(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "sundial.db")
    for user, name in NAMES.items():
        await People(opened).meet(user, name)
        await People(opened).change(user, dm=user * 10, dm_works=True)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(base: Database, clock: Clock) -> MatchService:
    return MatchService(Matches(base), People(base), GAMES, clock)


@pytest.fixture
def membership(service: MatchService) -> Membership:
    return Membership(service, Lobby(service))


# --- where a server allows only so much, or the bot is away


@pytest.fixture
def kept(base: Database, clock: Clock) -> Membership:
    """At the tables of a host that keeps what servers allow."""
    service = MatchService(Matches(base), People(base), GAMES, clock, Servers(base))
    return Membership(service, Lobby(service))
