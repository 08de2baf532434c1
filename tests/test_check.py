"""`python bot.py --check` says in a line each what would fail at the start, and changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

import bot
import cogs.check
from cogs.check import check
from cogs.runtime.process import Exit, version
from cogs.runtime.settings import Settings
from cogs.transport.permissions import PERMISSIONS
from data.store import backup_files
from data.store.database import Database
from data.store.lock import DatabaseRefusal, locked
from tests.process.loopback import Loopback
from tests.support.postgres import Databases
from tests.support.spoilt_art import HARMS, paint_two

TOKEN = "planted-one.planted-two.planted-three"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SERVER = {"id": "7", "name": "Friends", "permissions": str(PERMISSIONS.value)}


class Asked(Loopback):
    """A Discord that also lists the bot's servers, and whose clock stands still. `answers`: other ones, by path."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, Any] = {"/users/@me/guilds": [SERVER]}

    async def answer_rest(self, request: web.Request) -> web.Response:
        answer = await self._answer_to(request)
        answer.headers["Date"] = format_datetime(NOON, usegmt=True)
        return answer

    async def _answer_to(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        if path in self.answers:
            answer = self.answers[path]
            body, kind = (
                json.dumps(answer).encode(),
                {"Content-Type": "application/json"},
            )  # exactly this, or it is text
            return web.Response(body=body, headers=kind, status=401 if answer is None else 200)
        return await super().answer_rest(request)


@pytest.fixture
async def asked(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Asked]:
    async with Asked() as there:
        monkeypatch.setattr(discord.http.Route, "BASE", f"{there.origin}/api/v10")
        monkeypatch.setattr(cogs.check, "now", NOON.timestamp)
        yield there


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(token=TOKEN, database=str(tmp_path / "sundial.db"), workers=0)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Report(NamedTuple):
    code: Exit
    lines: dict[str, str]
    """By part: the mark and what was said."""


async def report(settings: Settings) -> Report:
    said: list[str] = []
    code = await check(settings, Path("/"), said.append)
    assert not any("planted" in line for line in said), "the token"
    return Report(code, {line[5:].partition(":")[0]: line[:5] + line.partition(": ")[2] for line in said})


async def test_a_bot_that_is_set_up_well_can_start(asked: Asked, settings: Settings, tmp_path: Path) -> None:
    found = await report(settings)
    assert found.code == Exit.ENDED
    parts = "settings", "decks", "languages", "database", "disk", "pictures", "token", "intents", "clock"
    assert tuple(found.lines) == (*parts, "gateway", "servers")
    assert {line[:4] for line in found.lines.values()} == {"ok  "}
    assert files(tmp_path) == {}


async def test_a_postgresql_database_is_examined_and_not_changed(asked: Asked, databases: Databases) -> None:
    """Before its tables are there, with them, and if they are of a newer version; then there is no file to look at."""
    with databases.empty() as url:
        settings = Settings(token=TOKEN, database_url=url, workers=0)
        found = await report(settings)
        assert found.code == Exit.ENDED and "disk" not in found.lines
        assert found.lines["database"].endswith("the tables will be made at the first start.")
        opened = await Database.open(url)
        assert (await report(settings)).lines["database"].endswith("the tables are up to date.")
        await opened.write(lambda c: c.execute("UPDATE setting SET value = '22' WHERE name = 'schema'").rowcount)
        assert (await report(settings)).lines["database"].endswith("the start brings the tables up to date.")
        await opened.write(lambda c: c.execute("UPDATE setting SET value = '9999' WHERE name = 'schema'").rowcount)
        await opened.close()
        assert (await report(settings)).code == Exit.TOO_NEW
    found = await report(settings)
    assert found.code == Exit.LOGIN
    assert found.lines["database"].startswith("BAD  PostgreSQL refuses the user, password or database")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize(("mode", "told"), [(0o600, False), (0o640, False), (0o644, True), (0o602, True)])
@pytest.mark.parametrize("name", [".env", "token", "password"])
async def test_a_file_with_a_secret_that_everyone_can_read_is_told(
    asked: Asked, settings: Settings, tmp_path: Path, name: str, mode: int, told: bool
) -> None:
    files = f"DISCORD_TOKEN_FILE={tmp_path / 'token'}\nDATABASE_PASSWORD_FILE={tmp_path / 'password'}\n"
    (tmp_path / ".env").write_text(files, encoding="utf-8")
    (tmp_path / ".env").chmod(0o600)
    (tmp_path / name).touch()
    (tmp_path / name).chmod(mode)
    said: list[str] = []
    assert await check(settings, tmp_path, said.append) == Exit.ENDED
    assert said[0].startswith("look settings:" if told else "ok   settings:")
    assert told == (f"chmod 600 {tmp_path / name}" in said[0])


async def test_a_worker_draws(asked: Asked, tmp_path: Path) -> None:
    found = await report(Settings(token=TOKEN, database=str(tmp_path / "sundial.db"), workers=2))
    assert "in a worker of its own; up to 2 draw" in found.lines["pictures"]


@pytest.mark.parametrize("token", ["a", "a.b", "a..c", "a.b.c.d", "."])
async def test_a_text_that_is_no_token_is_not_sent(asked: Asked, settings: Settings, token: str) -> None:
    found = await report(Settings(token=token, database=settings.database, workers=0))
    assert found.code == Exit.TOKEN
    assert found.lines["token"].startswith("BAD  DISCORD_TOKEN is no bot token")
    assert not asked.requests


async def test_a_token_that_discord_refuses(asked: Asked, settings: Settings) -> None:
    asked.answers["/users/@me"] = None
    found = await report(settings)
    assert found.code == Exit.TOKEN
    assert "Discord refuses the token" in found.lines["Discord"]


async def test_discord_out_of_reach(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:9/api/v10")
    found = await report(settings)
    assert found.code == Exit.UNREACHABLE
    assert "cannot be reached" in found.lines["Discord"]


def other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (x)")


def damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(5_000))


def from_the_future(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE later (x)")
        connection.execute("PRAGMA user_version = 9999")


@pytest.mark.parametrize(
    ("made", "code", "words"),
    [
        (other_program, Exit.NOT_OURS, "another program"),
        (damaged, Exit.DAMAGED, "cannot be used"),
        (from_the_future, Exit.TOO_NEW, "newer version"),
    ],
)
async def test_a_database_that_would_be_refused(
    asked: Asked, settings: Settings, made: Callable[[Path], None], code: Exit, words: str
) -> None:
    path = Path(settings.database)
    made(path)
    before = files(path.parent)
    found = await report(settings)
    assert found.code == code
    assert found.lines["database"].startswith("BAD ") and words in found.lines["database"]
    assert files(path.parent) == before


def gone(path: Path) -> None:
    Path(f"{path}.lock").write_text("Run 1.\n", encoding="utf-8")


def left_alone(path: Path) -> None:
    backup_files.folder(path).mkdir()
    backup_files.name(path, NOON).touch()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere.db"))


def a_folder(beside: str) -> Callable[[Path], None]:
    """Return what makes a folder in the place of the database, or of a file beside it."""
    return lambda path: Path(f"{path}{beside}").mkdir()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and other names")
@pytest.mark.parametrize(
    "made",
    [gone, left_alone, a_link_to_nothing, os.mkfifo, *map(a_folder, ("", ".departed", "-shm"))],
    ids=["gone", "its backups alone", "a link to nothing", "a pipe", "a folder", "its list a folder", "shm a folder"],
)
async def test_what_the_start_refuses_is_told_in_its_words(
    asked: Asked, settings: Settings, made: Callable[[Path], None]
) -> None:
    path = Path(settings.database)
    made(path)
    with pytest.raises(DatabaseRefusal) as refused:
        await Database.open(path)
    found = await report(settings)
    assert (found.code, found.lines["database"]) == (refused.value.code, f"BAD  {refused.value}")


async def test_a_name_that_is_too_long(asked: Asked, settings: Settings, tmp_path: Path) -> None:
    found = await report(replace(settings, database=str(tmp_path / ("x" * 253))))
    assert found.code == Exit.RIGHTS
    assert "too long" in found.lines["database"]


async def test_a_port_that_is_taken(asked: Asked, settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = await report(replace(settings, health_port=port))
    assert found.lines["health"].startswith(f"look port {port} of 127.0.0.1 cannot be used")
    assert (await report(replace(settings, health_port=port))).lines["health"].startswith("ok  ")


async def test_of_several_processes_each_takes_the_next_free_port_of_an_address_that_is_there(
    asked: Asked, databases: Databases
) -> None:
    with databases.empty() as url:
        settings = Settings(token=TOKEN, database_url=url, workers=0)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            beside = await report(replace(settings, health_port=port))
        elsewhere = await report(replace(settings, health_port=65535, health_host="192.0.2.1"))
    assert beside.lines["health"].startswith(f"ok   port {port} of 127.0.0.1 is taken; ")
    assert elsewhere.lines["health"].startswith("look port 65535 of 192.0.2.1 cannot be used")


async def test_discord_is_asked_where_the_settings_say(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Asked() as there:
        monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
        monkeypatch.setattr(cogs.check, "now", NOON.timestamp)
        found = await report(replace(settings, discord_api=f"{there.origin}/api/v10"))
        assert found.code == Exit.ENDED
        monkeypatch.setattr(discord.http.Route, "BASE", "http://discord.invalid/api/v10")
        found = await report(replace(settings, discord_proxy=there.origin))
        assert found.code == Exit.ENDED


@pytest.mark.parametrize("says", [None, '{"op": 11}', "[]", "Welcome", "nothing"])
async def test_a_gateway_that_does_not_greet(asked: Asked, settings: Settings, says: str | None) -> None:
    """It says no word, another one, or no JSON; or it is not there at all."""

    async def answer(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if says is not None:
            await socket.send_str(says)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/gateway", answer)
    async with TestServer(app) as other:
        gateway = "ws://127.0.0.1:1" if says == "nothing" else f"ws://127.0.0.1:{other.port}/gateway"
        found = await report(replace(settings, discord_gateway=gateway))
    assert found.code == Exit.UNREACHABLE
    assert found.lines["gateway"].startswith("BAD  it cannot be used: ")
    assert "DISCORD_GATEWAY" in found.lines["gateway"] and found.lines["servers"].startswith("ok")


async def test_a_database_without_its_folder(asked: Asked, settings: Settings, tmp_path: Path) -> None:
    found = await report(Settings(token=TOKEN, database=str(tmp_path / "gone" / "sundial.db"), workers=0))
    assert found.code == Exit.RIGHTS
    assert "is not there" in found.lines["database"]
    assert found.lines["disk"].startswith("ok  ")


async def test_a_database_that_a_bot_uses_is_left_alone(asked: Asked, settings: Settings) -> None:
    path = Path(settings.database)
    await (await Database.open(path)).close()
    assert "is sound" in (await report(settings)).lines["database"]
    with locked(path):
        found = await report(settings)
    assert found.code == Exit.ENDED
    assert "a bot runs on" in found.lines["database"]


async def test_an_older_database_will_be_brought_up_to_date(asked: Asked, settings: Settings) -> None:
    path = Path(settings.database)
    await (await Database.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    before = files(path.parent)
    assert "brings its tables up to date" in (await report(settings)).lines["database"]
    assert files(path.parent) == before, "the backup before an upgrade is the start's"


@pytest.mark.parametrize(
    ("free", "code", "said"), [(5 << 20, Exit.ENDED, "look 5 MB free"), (0, Exit.NO_ROOM, "BAD  full: 0 MB free")]
)
async def test_a_full_disk(
    asked: Asked, settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, code: Exit, said: str
) -> None:
    room = shutil.disk_usage("/")._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room)
    found = await report(settings)
    assert found.code == code
    assert found.lines["disk"].startswith(said)


async def test_a_folder_in_which_no_backup_can_be_made(asked: Asked, settings: Settings) -> None:
    backup_files.folder(Path(settings.database)).write_text("a file, not a folder", encoding="utf-8")
    found = await report(settings)
    assert found.code == Exit.ENDED
    assert found.lines["disk"].startswith("look ") and "no backup" in found.lines["disk"]


@pytest.mark.parametrize("harm", HARMS)
async def test_a_sprite_that_is_missing_or_damaged(
    asked: Asked, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    HARMS[harm](paint_two(tmp_path, monkeypatch))
    found = await report(settings)
    assert found.code == Exit.PICTURES
    assert found.lines["pictures"].startswith("BAD  A picture of data/art cannot be used: nim/stick.png.")


async def test_fonts_that_cannot_be_read(asked: Asked, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fontless:
        def cover(self, *_: object) -> bytes:
            raise OSError("cannot open resource")

    monkeypatch.setattr(cogs.check, "renderer", lambda _: Fontless())
    found = await report(settings)
    assert found.code == Exit.FAULT
    assert found.lines["pictures"] == "BAD  none can be drawn: cannot open resource."


@pytest.mark.parametrize(("off", "said"), [(100.0, "fast"), (-100.0, "slow")])
async def test_a_wrong_clock(
    asked: Asked, settings: Settings, monkeypatch: pytest.MonkeyPatch, off: float, said: str
) -> None:
    monkeypatch.setattr(cogs.check, "now", lambda: NOON.timestamp() + off)
    found = await report(settings)
    assert found.lines["clock"].startswith(f"look 100 s {said}.")


async def test_more_servers_than_one_connection_may_serve(asked: Asked, settings: Settings) -> None:
    asked.shards = 3
    assert (await report(settings)).lines["gateway"] == "ok   3 connections are enough; 999 more today."
    assert "SHARD_COUNT is 2" in (await report(replace(settings, shard_count=2))).lines["gateway"]
    asked.shards, asked.limit["remaining"] = 1, 2
    assert "allows 2 more connections" in (await report(settings)).lines["gateway"]


async def test_servers_whose_role_lacks_permissions_are_named(asked: Asked, settings: Settings) -> None:
    admin = discord.Permissions(administrator=True).value
    less = PERMISSIONS.value & ~discord.Permissions(attach_files=True).value
    servers = [
        {**SERVER, "permissions": str(admin)},
        *({**SERVER, "name": f"S{n}", "permissions": str(less)} for n in range(7)),
    ]
    asked.answers["/users/@me/guilds"] = servers
    said = (await report(settings)).lines["servers"]
    assert said.startswith("look permissions are missing in S0 (attach_files)")
    assert "Friends" not in said and said.endswith("and 2 more.")
    asked.answers["/users/@me/guilds"] = []
    assert "Invite it: https://discord.com/" in (await report(settings)).lines["servers"]


def test_the_command_ends_with_the_first_bad_parts_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "no token")
    monkeypatch.setenv("DATABASE", str(tmp_path / "gone" / "sundial.db"))
    monkeypatch.setenv("WORKERS", "0")
    assert bot.main(["--check"]) == Exit.RIGHTS
    out = capsys.readouterr().out
    assert "BAD  database" in out and "BAD  token" in out and "no token." not in out


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bot.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.strip() == version(bot.ROOT)
