"""Avatars are fetched behind everything else, stay over a restart, and are left out if somebody wants that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from PIL import Image

from cogs.match.service import MatchService
from cogs.messages.content import Picture
from cogs.messages.drawing import Drawing
from cogs.messages.table import table_message
from cogs.runtime.settings import BadSettings, Settings
from cogs.transport import avatars
from cogs.transport.avatars import Avatars
from data.records.matches import Matches
from data.records.people import People, PictureWish
from data.records.portraits import NONE, Portraits
from data.store.database import Database
from rules import GAMES
from tests.process.loopback import until
from tests.support.simulation import Simulation
from tests.support.table import Table

ANN = 77


def png(level: int) -> bytes:
    image = Image.new("L", (128, 128), 0)
    image.paste(level, (32, 32, 96, 96))
    made = BytesIO()
    image.save(made, "PNG")
    return made.getvalue()


class FakeAvatar:
    """Answers as an asset of discord.py does, once it is `sent`."""

    def __init__(self, key: str, data: bytes | BaseException, *, sent: bool = True) -> None:
        self.key, self.data, self.sent, self.reads = key, data, asyncio.Event(), 0
        if sent:
            self.sent.set()

    def replace(self, **how: Any) -> FakeAvatar:
        assert how == {"size": 128, "format": "png", "static_format": "png"}
        return self

    async def read(self) -> bytes:
        self.reads += 1
        await self.sent.wait()
        if isinstance(self.data, BaseException):
            raise self.data
        return self.data


def user(avatar: FakeAvatar | None) -> Any:
    return SimpleNamespace(id=ANN, avatar=avatar)


class World:
    def __init__(self, base: Database) -> None:
        self.people = People(base)
        self.portraits = Portraits(base)
        self.redrawn: list[int] = []
        self.drawing = Drawing()
        service = MatchService(Matches(base), self.people, GAMES)
        listener: Any = SimpleNamespace(later=self.redrawn.append)
        service.announcer.listener = listener
        self.avatars = Avatars(service, self.portraits, self.drawing)

    async def meet(self, avatar: FakeAvatar | None) -> tuple[str, bytes]:
        self.avatars.met(user(avatar))
        await asyncio.gather(*self.avatars.tasks)
        return await self.portraits.get(ANN)


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    base = await Database.open(tmp_path / "sundial.db")
    made = World(base)
    await made.people.meet(ANN, "Ann")
    yield made
    await made.avatars.close()
    made.drawing.close()
    await base.close()


async def test_an_avatar_is_fetched_once_and_stays(world: World) -> None:
    first = FakeAvatar("one", png(200))
    key, face = await world.meet(first)
    assert key == "one" and len(face) == 96 * 96
    assert await world.meet(first) == (key, face)
    world.avatars.forget()
    world.portraits.forget()  # as after a restart
    assert await world.portraits.get(ANN) == (key, face)
    await world.meet(first)
    assert first.reads == 1
    key, other = await world.meet(FakeAvatar("two", png(90)))
    assert key == "two"
    assert await world.meet(None) == NONE, "they have taken it down"
    assert other


@pytest.mark.parametrize(
    "data",
    [b"no picture", png(1)[:80], aiohttp.ClientError(), OSError(), TimeoutError()],
    ids=["text", "cut off", "network", "system", "slow"],
)
async def test_what_cannot_be_had_leaves_the_sign(world: World, data: bytes | BaseException) -> None:
    bad = FakeAvatar("bad", data)
    assert await world.meet(bad) == NONE
    await world.meet(bad)
    assert bad.reads == 1, "not asked for at each press"
    assert (await world.meet(FakeAvatar("good", png(200))))[0] == "good"


async def test_one_that_never_comes_holds_nothing_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avatars, "PATIENCE", 0.05)
    slow = FakeAvatar("slow", png(200), sent=False)
    world.avatars.met(user(slow))
    assert await world.portraits.get(ANN) == NONE, "at once"
    await asyncio.gather(*world.avatars.tasks)
    assert await world.portraits.get(ANN) == NONE


async def test_a_player_who_wants_a_sign_gets_one(world: World) -> None:
    face = FakeAvatar("one", png(200))
    assert await world.meet(face) != NONE
    await world.people.change(ANN, pictures=frozenset({PictureWish.SIGN}))
    await world.avatars.wished(ANN)
    assert await world.portraits.get(ANN) == NONE
    assert await world.meet(face) == NONE
    await world.people.change(ANN, pictures=frozenset())
    await world.avatars.wished(ANN)
    assert await world.meet(face) != NONE


async def test_a_face_that_comes_after_its_owner_chose_a_sign_is_not_kept(world: World) -> None:
    world.avatars.met(user(face := FakeAvatar("one", png(200), sent=False)))
    assert await until(lambda: face.reads)
    await world.people.change(ANN, pictures=frozenset({PictureWish.SIGN}))
    await world.avatars.wished(ANN)
    face.sent.set()
    await asyncio.gather(*world.avatars.tasks)
    assert await world.portraits.get(ANN) == NONE


async def test_what_was_read_before_a_change_is_not_remembered_after_it(world: World) -> None:
    await world.portraits.put(ANN, ("one", b"face"))
    read = asyncio.create_task(world.portraits.get(ANN))
    await asyncio.sleep(0)
    await asyncio.gather(read, world.portraits.put(ANN, NONE))
    assert await world.portraits.get(ANN) == NONE


async def test_somebody_whose_data_is_deleted_gets_no_portrait(world: World) -> None:
    await world.portraits.put(ANN + 1, ("one", b"face"))
    assert await world.portraits.get(ANN + 1) == NONE


@pytest.mark.usefixtures("plain")
async def test_the_table_shows_a_face_to_everyone(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    assert sim.app.interactions.avatars is None, "as the operator left it"
    sim.settings = replace(sim.settings, avatars=True)
    await sim.restart()
    kept = sim.app.messages.portraits
    assert kept is not None and sim.app.interactions.avatars is not None
    match, _ = await tide.now()
    before = (await table_message(sim.app.messages, match, {})).parts
    await kept.put(alice.id, ("one", bytes(range(96)) * 96))
    after = (await table_message(sim.app.messages, match, {})).parts
    changed = [part.name for part, old in zip(after, before, strict=True) if part != old and isinstance(part, Picture)]
    assert changed == ["table.png"]
    for viewer in (alice, bob):
        person = await sim.service.people.get(viewer.id)
        labels = await sim.app.messages.with_faces(match, sim.app.messages.labels_for(match, person))
        seat = match.seat_of(alice.id)
        assert seat is not None and labels.face(seat) and [bool(face) for face in labels.faces].count(True) == 1
    await sim.service.people.change(alice.id, pictures=frozenset({PictureWish.SIGN}))
    labels = await sim.app.messages.with_faces(match, sim.app.messages.labels_for(match, person))
    assert not any(labels.faces), "though it is stored still, as after a time without avatars"


def test_the_operator_must_allow_it() -> None:
    given = {"DISCORD_TOKEN": "x"}
    assert not Settings.from_env(given).avatars
    assert Settings.from_env({**given, "AVATARS": "yes"}).avatars
    with pytest.raises(BadSettings):
        Settings.from_env({**given, "AVATARS": "perhaps"})
