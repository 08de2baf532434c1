"""Every change of a match is announced once, after it is stored, and a press's own change after its answer."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from cogs.match.lobby import Lobby
from cogs.match.refusals import Refused
from cogs.match.service import Announcer, MatchService
from data.records.matches import Matches
from data.records.people import People
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES

ANN, BEN = 1, 2


class Heard:
    """A listener that notes what it hears."""

    def __init__(self) -> None:
        self.now: list[int] = []
        self.late: list[int] = []

    def changed(self, number: int) -> None:
        self.now.append(number)

    def later(self, number: int) -> None:
        self.late.append(number)

    bring_back = changed


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def announcer(heard: Heard) -> Announcer:
    made = Announcer()
    made.listener = heard
    return made


def test_a_change_is_announced_at_once_or_later(announcer: Announcer, heard: Heard) -> None:
    announcer.announce(1)
    announcer.announce(2, soon=False)
    assert (heard.now, heard.late) == ([1], [2])


def test_in_a_block_of_its_match_once_at_the_end(announcer: Announcer, heard: Heard) -> None:
    with announcer.after(1):
        announcer.announce(1)
        announcer.announce(1)
        announcer.announce(2)
        assert heard.now == [2]
    assert heard.now == [2, 1]


def test_a_block_without_a_change_announces_nothing(announcer: Announcer, heard: Heard) -> None:
    with announcer.after(1):
        pass
    assert not heard.now


def test_a_block_that_fails_announces_what_is_stored(announcer: Announcer, heard: Heard) -> None:
    with pytest.raises(ValueError, match="the answer"), announcer.after(1):
        announcer.announce(1)
        raise ValueError("the answer failed")
    assert heard.now == [1]


async def test_what_another_task_changes_meanwhile_is_announced_at_once(announcer: Announcer, heard: Heard) -> None:
    may_end = asyncio.Event()

    async def press() -> None:
        with announcer.after(1):
            await may_end.wait()

    pressing = asyncio.create_task(press())
    await asyncio.sleep(0)
    announcer.announce(1)
    assert heard.now == [1]
    may_end.set()
    await pressing
    assert heard.now == [1], "the press itself changed nothing"


async def test_a_task_begun_in_a_block_announces_at_once_when_the_block_is_over(
    announcer: Announcer, heard: Heard
) -> None:
    """As the end of quiet hours, which a press has found to wait for."""
    may_announce = asyncio.Event()

    async def later() -> None:
        await may_announce.wait()
        announcer.announce(1)

    with announcer.after(1):
        task = asyncio.create_task(later())
        await asyncio.sleep(0)
    may_announce.set()
    await task
    assert heard.now == [1]


async def test_what_is_announced_is_stored_and_a_refusal_is_silent(tmp_path: Path, heard: Heard) -> None:
    path = tmp_path / "sundial.db"
    database = await Database.open(path)
    people = People(database)
    for user, name in ((ANN, "Ann"), (BEN, "Ben")):
        await people.meet(user, name)
    service = MatchService(Matches(database), people, GAMES)
    there: list[int] = []

    def changed(number: int) -> None:
        heard.changed(number)
        with closing(sqlite3.connect(path)) as other:  # sees what is committed
            there.append(other.execute("SELECT version FROM match WHERE id = ?", (number,)).fetchone()[0])

    service.announcer.listener = SimpleNamespace(changed=changed, later=heard.later)
    lobby = Lobby(service)
    match = await lobby.open("sea_change", guild=1, channel=2, user=ANN, name="Ann", terms=Terms(locale="en-GB"))
    await lobby.join(match.id, BEN, "Ben")
    with pytest.raises(Refused):
        await lobby.join(match.id, BEN, "Ben")
    assert (heard.now, there) == ([match.id] * 2, [1, 2])
    await database.close()
