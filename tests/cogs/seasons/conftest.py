"""A world of seasons on one database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from data.store.database import Database
from tests.cogs.seasons.world import World


@pytest.fixture
async def world() -> AsyncIterator[World]:
    base = await Database.open(":memory:")
    yield World(base)
    await base.close()
