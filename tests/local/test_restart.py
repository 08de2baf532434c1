"""A second run on the same database: the same people, on a Discord that has forgotten every message."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot import Settings, create_bot
from cogs.local.play import prepare
from cogs.local.preview import open_preview
from cogs.local.world import World
from cogs.messages import drawing
from cogs.transport.app_emoji import STORED
from data.records.key_values import KeyValues
from data.store.database import Database
from data.store.schema import LOCAL
from rules import GAMES
from tests.support.pixels import plain_pictures


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """A run of `--local` without its pages, from its start to its end. Its pictures are plain, and none is drawn before
    it is shown.
    """
    plain_pictures(monkeypatch)
    monkeypatch.setattr(drawing, "_prewarmed", set(GAMES))
    settings = Settings(
        database=str(tmp_path / "local.db"), computer_seconds=0, edit_seconds=0, dm_seconds=0, workers=0, emoji=False
    )

    @asynccontextmanager
    async def running() -> AsyncIterator[World]:
        def now() -> float:
            return world.now().timestamp()

        await prepare(Path(settings.database))
        world = World(create_bot(settings, now, now))
        try:
            await world.start()
            yield world
        finally:
            await world.close()

    return running


async def start_table(world: World, place: str) -> None:
    """Ann's table of Sea Change with two computers."""
    ann = next(iter(world.people.values()))
    await ann.slash(world.channel, "play", game="sea_change")
    lobby = world.channel.last_message
    for label in ("Add computer", "Add computer"):
        await ann.click(lobby, label=label)
    more = (await ann.click(lobby, label="More …")).response
    await ann.click(more, label="Options …")
    await ann.select(more, [place], custom_id="1/1/option//place")
    await ann.click(lobby, label="Start")
    await world.advance_time(1)


def says(message: Any) -> str:
    return str([part.to_dict() for part in message.components])


@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_an_open_match_is_shown_again(run: Callable[[], Any], place: str) -> None:
    async with run() as world:
        people, channel = list(world.people), world.channel.id
        await start_table(world, place)
        assert len(world.channel.threads) == (place == "thread")
        for thread in world.channel.threads:
            assert await open_preview(world, people[1], thread.id, "http://127.0.0.1:1") is not None
        shown = [message.id for messages in world.backend.messages.values() for message in messages.values()]
    async with run() as world:
        await world.advance_time(1)
        assert (list(world.people), world.channel.id) == (people, channel)
        table, hand = world.channel.last_message, next(iter(world.messages.values())).last_message
        assert "My hand" in says(table)
        assert "trick 1" in says(hand)
        assert not {table.id, hand.id} & set(shown)
        assert not world.channel.threads


async def test_emoji_of_the_last_run_are_forgotten(tmp_path: Path) -> None:
    """Their ids mean nothing on a new Discord, and a hand would show that they are missing."""
    path = tmp_path / "local.db"
    database = await Database.open(path, owner=LOCAL)
    await KeyValues(database).put(STORED, '{"sundial_r_00000000": 7}')
    await database.close()
    await prepare(path)
    database = await Database.open(path, owner=LOCAL)
    try:
        assert json.loads(await KeyValues(database).get(STORED) or "") == {}
    finally:
        await database.close()
