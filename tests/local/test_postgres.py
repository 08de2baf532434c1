"""`make play` on PostgreSQL: on a server that the program starts, and on a database of one's own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from data.store.database import Database
from tests.support.postgres import Databases

from .browser import Local, Tab, local, open_table, play, says


@pytest.mark.long
def test_a_match_is_played_on_a_server_that_the_program_starts(
    browser: Browser, databases: Databases, tmp_path: Path
) -> None:
    with local(tmp_path / "local.db", "--postgresql") as program:
        channel = Tab(browser, program.home, "# games as Ann")
        open_table(channel, "Sea Change", 3)
        channel.press("Start")
        channel.sees("To move:")
        hand = Tab(browser, program.home, "Ann’s direct messages")
        assert play([hand], says(channel, "won!"), most=3) == 3
    assert not (tmp_path / "local.db").exists()


def test_the_database_of_a_bot_on_discord_is_refused(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def used() -> None:
        await (await Database.open(url, owner="1001")).close()

    asyncio.run(used())
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(AssertionError, match="belongs to a bot with another token"):
        Local(tmp_path / "local.db", "--fresh")


@pytest.mark.long
def test_a_database_of_ones_own_is_kept_and_forgotten_on_demand(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def noted(name: str | None = None) -> list[str]:
        base = await Database.open(url)
        if name is not None:
            await base.write(lambda c: c.execute("INSERT INTO setting VALUES (?, '')", (name,)).rowcount)
        found = await base.read(lambda c: [row[0] for row in c.execute("SELECT name FROM setting")])
        await base.close()
        return found

    monkeypatch.setenv("DATABASE_URL", url)
    asyncio.run(noted("mine"))
    with local(tmp_path / "local.db"):
        pass
    assert "mine" in asyncio.run(noted())
    with local(tmp_path / "local.db", "--fresh"):
        pass
    assert "mine" not in asyncio.run(noted())
