"""One token in two databases: each bot finds the other's mark in Discord, and both say so."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest

from cogs.transport import database_mark
from cogs.transport.database_mark import PREFIX, DatabaseMark
from cogs.transport.errors import OtherDatabase
from data.records.key_values import KeyValues
from data.store.database import Database
from tests.support.simulation import Simulation


@pytest.fixture
async def databases_of_two() -> AsyncIterator[tuple[KeyValues, KeyValues]]:
    one, two = await Database.open(":memory:"), await Database.open(":memory:")
    yield KeyValues(one), KeyValues(two)
    await one.close()
    await two.close()


class Levels(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.levelname)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The levels of what is logged, which the log of the whole bot does not hear."""
    log, levels = logging.Logger("mark", logging.WARNING), Levels()
    log.addHandler(levels)
    monkeypatch.setattr(database_mark, "log", log)
    return levels.said


def marks(sim: Simulation) -> list[str]:
    return [emoji.name for emoji in sim.env.backend.application_emojis.values()]


@pytest.mark.parametrize("shared", [False, True])
async def test_two_bots_on_two_databases_find_each_other(
    sim: Simulation, databases_of_two: tuple[KeyValues, KeyValues], shared: bool, said: list[str]
) -> None:
    sim.env.backend.create_application_emoji("a_game")
    ended = list[Exception]()
    one, two = (DatabaseMark(sim.bot, values, ended.append, shared=shared) for values in databases_of_two)
    for _ in range(3):
        await one.look()
        assert not one.other
    assert said == []
    await two.look()
    assert said == ["WARNING"], "it may have moved"
    assert not two.other
    await one.look()
    await two.look()
    assert one.other and two.other
    assert said[1:] == ["ERROR", "ERROR"]
    assert ended == []
    mine = marks(sim)
    await one.look()
    assert list(map(type, ended)) == [OtherDatabase], "the second time in a row"
    assert marks(sim) == mine, "the mark of the other bot stays"
    await two.look()
    assert not two.other, "so that one goes on"
    assert len(ended) == 1
    assert len([name for name in marks(sim) if name.startswith(PREFIX)]) == 1


async def test_a_mark_that_comes_back_ends_no_bot(
    sim: Simulation, databases_of_two: tuple[KeyValues, KeyValues], said: list[str]
) -> None:
    """Such as that of a bot that was started for a moment."""
    ended = list[Exception]()
    one, two = (DatabaseMark(sim.bot, values, ended.append, shared=False) for values in databases_of_two)
    await one.look()
    for _ in range(2):
        await two.look()
        await one.look()
        assert one.other
        await one.look()
        assert not one.other
    assert ended == []
    assert "ERROR" in said


async def test_a_restart_and_a_second_process_are_no_other_database(
    sim: Simulation, databases_of_two: tuple[KeyValues, KeyValues], said: list[str]
) -> None:
    (file, server), ended = databases_of_two, list[Exception]()
    for _ in range(3):
        await DatabaseMark(sim.bot, file, ended.append, shared=False).look()
    assert said == []
    sim.env.backend.application_emojis.clear()
    processes = [DatabaseMark(sim.bot, server, ended.append, shared=True) for _ in range(3)]
    for _ in range(2):
        for process in processes:
            await process.look()
    assert said == []
    assert ended == []
    assert len(marks(sim)) == 1


async def test_a_copied_file_is_another_database(
    sim: Simulation, databases_of_two: tuple[KeyValues, KeyValues], said: list[str]
) -> None:
    (file, copy), ended = databases_of_two, list[Exception]()
    one = DatabaseMark(sim.bot, file, ended.append, shared=False)
    await one.look()
    stored = await file.get("mark")
    assert stored is not None
    await copy.put("mark", stored)
    await DatabaseMark(sim.bot, copy, ended.append, shared=False).look()
    assert said == []
    await one.look()
    assert one.other
    assert said == ["ERROR"]
