"""What a phone shows of a table without much scrolling, measured in Chromium: see tests/support/phone.py.

Skipped without a browser, as the tests in tests/local are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from cogs.messages.content import Content
from cogs.messages.end import end_message
from cogs.messages.table import table_message
from data.records.match import Match, Status
from rules import GAMES
from tests.cogs.test_largest import largest, positions
from tests.local.browser import BROWSERS, find_chromium
from tests.support.phone import SCREEN, heights
from tests.support.simulation import Simulation

OUTPUT = Path(__file__).parents[1] / "output" / "phone"
"""Where screenshots are left."""
NAMES = ("Maximiliane", "Bartholomäus", "Anne-Sophie", "Konstantin", "Wilhelmina", "Theodor B.", "Nightingale", "Ü. K.")
"""Long names, as people have them. tests/cogs/test_largest.py has the longest possible ones."""
TABLE = 1.5
"""The most screens that a running table takes."""


async def tables(sim: Simulation, match: Match) -> AsyncIterator[Content]:
    """The table at some positions, each with an open vote, and in the end the message that tells it."""
    async for found in positions(sim, match, Random(match.game)):
        (first, *_) = [chair.user for chair in found.people]
        yield await table_message(sim.app.messages, found, {first or 0: "pause"} if found.open else {})
        if found.status is Status.OVER:
            yield await end_message(sim.app.messages, found)


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_table_takes_a_screen_and_a_half_at_most(sim: Simulation, game: str) -> None:
    path = find_chromium()
    if path is None:
        pytest.skip(f"nothing of {', '.join(BROWSERS)} is on PATH: no message is measured")
    match = await largest(sim, game, NAMES)
    shown = [content async for content in tables(sim, match)]
    found = await asyncio.to_thread(heights, shown, path, OUTPUT / game)
    assert max(found) <= TABLE * SCREEN, found
    assert len(found) > 3
