"""What the owner sees when the bot cannot run: one clear line, an exit code, and a database as it was before."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import discord
import pytest
from aiohttp import web

import bot
import cogs.app
from cogs.runtime.settings import SETTINGS
from cogs.runtime.start_throttle import STARTS
from data.content import decks
from data.records.key_values import KeyValues
from data.records.shards import StoredShards
from data.store import backup_files, schema
from data.store.database import Database
from tests.support.hung import HUNG
from tests.support.postgres import Databases
from tests.support.spoilt_art import HARMS, paint_two

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A token that means nothing, no emoji to draw, and a database of its own; gives the database's path."""
    path = tmp_path / "sundial.db"
    for name in SETTINGS:
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("EMOJI", "no")
    monkeypatch.setenv("DATABASE", str(path))
    level = logging.getLogger("discord").level
    yield path
    logging.getLogger("discord").setLevel(level)


@pytest.fixture
def logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord takes the token, and then the bot sets itself up; no request leaves this process."""

    async def login(self: bot.Bot, token: str) -> None:
        await self._async_setup_hook()
        await self.setup_hook()

    async def nothing(self: bot.Bot, *arguments: object) -> None:
        return

    monkeypatch.setattr(bot.Bot, "login", login)
    monkeypatch.setattr(bot.Bot, "sync_commands", nothing)
    monkeypatch.setattr(bot.Bot, "connect", nothing)


def ends(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of the bot and the one line that it leaves."""
    code = bot.main(arguments)
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.count("\n") <= 1
    return code, said.err


pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def test_where_all_is_well_it_starts_and_ends_with_0(
    logged_in: None, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(capsys) == (0, "")
    assert settings.exists()


@pytest.mark.parametrize(
    ("prepare", "code", "words"),
    [("newer", 78, "newer version"), ("other", 65, "another program"), ("garbage", 74, "cannot be used")],
)
def test_a_database_that_is_not_for_this_version_is_left_as_it_is(
    prepare: str, code: int, words: str, logged_in: None, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if prepare == "garbage":
        settings.write_bytes(b"no database" * 1_000)
    else:
        with closing(sqlite3.connect(settings)) as connection, connection:
            connection.execute("CREATE TABLE recipe (cake TEXT)")
            connection.execute(f"PRAGMA user_version = {len(schema.steps()) + 1 if prepare == 'newer' else 0}")
    before = sha256(settings.read_bytes()).hexdigest()
    ended, line = ends(capsys)
    assert ended == code
    assert words in line
    assert str(settings) in line
    assert sha256(settings.read_bytes()).hexdigest() == before


def test_a_folder_that_cannot_be_written(
    logged_in: None, settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text("a file, not a folder", encoding="utf-8")
    monkeypatch.setenv("DATABASE", str(settings / "sundial.db"))
    code, line = ends(capsys)
    assert code == 73
    assert str(settings) in line and "cannot be written" in line


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [
        *((number, 70, "has no locks") for number in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)),
        *((number, 75, "Another bot") for number in (errno.EWOULDBLOCK, errno.EACCES)),
        *((number, 74, "cannot be locked") for number in (errno.EIO, errno.ESTALE)),
    ],
)
@pytest.mark.usefixtures("logged_in")
def test_a_file_system_without_locks_is_not_called_another_bot(
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    code: int,
    word: str,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    ended, line = ends(capsys)
    assert ended == code and word in line
    assert ("another bot" in line.lower()) == (code == 75)
    assert not settings.exists()


def test_a_database_in_use(logged_in: None, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hold = "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, f"{settings}.lock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        code, line = ends(capsys)
        holder.stdin.write("\n")
        holder.stdin.close()
        assert holder.wait(HUNG) == 0
    assert code == 75 and "Another bot" in line


@pytest.mark.parametrize(
    "content",
    [b"zero_points = 'many'\n", b"# f\xfcr uns\n", b"points = " + b"1" * 5_000, b"points = " + b"[" * 5_000],
    ids=("a wrong value", "no UTF-8", "a number too long", "nested too deep"),
)
def test_a_deck_file_with_a_fault(
    logged_in: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "sea_change.toml").write_bytes(content)
    load = decks.load
    monkeypatch.setattr(cogs.app, "load", lambda games: load(games, tmp_path))
    code, line = ends(capsys)
    assert code == 2 and "sea_change.toml" in line


@pytest.mark.parametrize("arguments", [[], ["--local"]], ids=("on Discord", "make play"))
@pytest.mark.parametrize("harm", HARMS)
def test_a_sprite_that_is_missing_or_damaged(
    logged_in: None,
    settings: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    harm: str,
    arguments: list[str],
) -> None:
    """A line before anything else happens: never a broken picture in a match."""
    HARMS[harm](paint_two(tmp_path, monkeypatch))
    code, line = ends(capsys, *arguments)
    assert code == 79 and "A picture of data/art cannot be used: nim/stick.png." in line
    assert not settings.exists()


def test_sprites_that_are_whole_are_no_reason_to_end(
    logged_in: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paint_two(tmp_path, monkeypatch)
    assert ends(capsys) == (0, "")


# --- Discord does not let us in, or is not there. A server on this machine answers in its place.


def answering(status: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Discord, as far as the login goes, on 127.0.0.1."""
    ready, done = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def refuse(request: web.Request) -> web.Response:
        return web.json_response({"message": "no", "code": 0}, status=status)

    async def serve() -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", refuse)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
        ready.set()
        await done.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(HUNG)
    yield
    loop.call_soon_threadsafe(done.set)
    thread.join(HUNG)
    loop.close()


@pytest.mark.parametrize(("status", "code", "words"), [(401, 77, "DISCORD_TOKEN"), (403, 69, "cannot be reached")])
def test_discord_refuses(
    status: int, code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = answering(status, monkeypatch)
    next(server)
    try:
        ended, line = ends(capsys)
    finally:
        next(server, None)
    assert ended == code and words in line and "a.b.c" not in line


def test_discord_is_out_of_reach(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    code, line = ends(capsys)
    assert code == 69 and "cannot be reached" in line


WAITING = """
import asyncio, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup may have run the tests, or a shell in the background
signal.signal(signal.SIGINT, signal.default_int_handler)
import bot
import cogs.app
async def login(self, token):
    await self._async_setup_hook()
    await self.setup_hook()
async def sync(self, facts): pass
async def connect(self, **how):
    print("connected", flush=True)
    await asyncio.sleep(100_000)
bot.Bot.login, bot.Bot.sync_commands, bot.Bot.connect = login, sync, connect
sys.exit(bot.main([]))
"""


@contextmanager
def started(program: str, *first: str, code: int = 0) -> Iterator[subprocess.Popen[str]]:
    """That program, once it has printed one of these lines. What is done with it must end it with that code."""
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert not first or running.stdout.readline() in first
        yield running
    assert running.returncode == code


def end(running: subprocess.Popen[str], name: signal.Signals = signal.SIGTERM) -> tuple[str, str]:
    """What else the program prints and logs when it is sent that signal."""
    running.send_signal(name)
    out, said = running.communicate(timeout=HUNG)
    assert "Traceback" not in said
    return out, said


LONGER = [pytest.param(name, marks=pytest.mark.long) for name in (signal.SIGINT, signal.SIGTERM)]


@pytest.mark.parametrize("name", [signal.SIGHUP, *LONGER])
def test_a_signal_ends_it_in_order(name: signal.Signals, settings: Path) -> None:
    with started(WAITING, "connected\n") as running:
        assert "stopped" in end(running, name)[1]
    assert not settings.with_name("sundial.db-wal").exists(), "the database was closed, not left"


STARTING = """
import sys, time
import bot
from cogs.runtime import cli, logs
def stop(*_):
    print("starting", flush=True)
    time.sleep(100_000)
logs.set_up = stop
sys.exit(bot.main([]))
"""
IMPORTING = """
import runpy, sys, time
class Slow:
    def find_spec(self, name, *_):
        if name == "discord":
            print("importing", flush=True)
            time.sleep(100_000)
sys.meta_path.insert(0, Slow())
sys.argv = ["bot.py", *ARGUMENTS]
runpy.run_path("bot.py", run_name="__main__")
"""
LOGGING_IN = """
import asyncio, sys
import bot
async def login(self, token):
    print("logging in", flush=True)
    await asyncio.sleep(100_000)
bot.Bot.login = login
sys.exit(bot.main([]))
"""


@pytest.mark.parametrize("moment", [LOGGING_IN, pytest.param(STARTING, marks=pytest.mark.long)])
def test_a_signal_before_it_is_connected_ends_it_in_order(moment: str, settings: Path) -> None:
    with started(moment, "starting\n", "logging in\n") as running:
        end(running)


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--local"], 0), (["--check"], 130)])
@pytest.mark.parametrize("name", [signal.SIGTERM, *LONGER[:1]])
def test_a_signal_while_it_is_imported_ends_it_at_once(name: signal.Signals, arguments: list[str], code: int) -> None:
    with started(IMPORTING.replace("ARGUMENTS", str(arguments)), "importing\n", code=code) as running:
        assert end(running, name) == ("", "")


BACKING_UP = (
    WAITING.replace("import bot\n", "import bot, time\nfrom data.store import backup_files, backups\n", 1)
    .replace('    print("connected", flush=True)\n', "")
    .replace(
        "sys.exit",
        """def look(path):
    print("looking", flush=True)
    time.sleep(100_000)
backup_files.verify, backups.SOON = look, 0
sys.exit""",
    )
)


def test_a_backup_that_takes_long_does_not_hold_up_the_end(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKUP_MINUTES", "1")
    with started(BACKING_UP, "looking\n") as running:
        end(running)
    assert list(backup_files.folder(settings).iterdir()) == []


def test_restore_is_one_command(logged_in: None, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.main(["--restore"]) == 74
    assert "There is no backup" in capsys.readouterr().err
    assert not settings.exists()
    assert ends(capsys) == (0, "")
    backup = backup_files.name(settings, datetime.now(UTC))
    backup.parent.mkdir()
    backup.write_bytes(settings.read_bytes())
    settings.unlink()
    code, line = ends(capsys)
    assert code == 74, "never an empty database in place of a lost one"
    assert "--restore" in line
    assert not settings.exists()
    assert bot.main(["--restore"]) == 0
    assert f"Restored {backup} to {settings}" in capsys.readouterr().err
    assert ends(capsys) == (0, "")
    assert bot.main(["--restore", str(backup)]) == 0
    assert "What was there before is kept" in capsys.readouterr().err


def test_a_bot_that_started_too_often_waits_before_it_connects_and_can_be_ended(settings: Path) -> None:
    asyncio.run(_owing(settings))
    with started(WAITING) as running:
        assert running.stderr is not None
        said = ""
        while "connecting in 300 s" not in said:
            said = running.stderr.readline()
            assert said, "it ended"
        out, said = end(running)
    assert out == "", "it has not connected"
    assert "stopped" in said


async def _owing(path: Path) -> None:
    """Leave a database behind as after twenty starts in a row."""
    database = await Database.open(path)
    await KeyValues(database).put(STARTS, json.dumps([20.0, time.time()]))
    await database.close()


def test_a_move_is_told_in_plain_lines_and_a_second_one_is_refused(
    settings: Path, databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    async def begin() -> None:
        database = await Database.open(settings)
        await KeyValues(database).put("commands", "")
        await database.close()

    asyncio.run(begin())
    with databases.empty() as url:
        assert bot.main(["--move-to", url]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        rows, matches, last = said.out.splitlines()
        assert "rows of" in rows and "0 matches" in matches and str(settings) in last
        assert url not in said.out
        assert bot.main(["--move-to", url]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1 and "already" in said.err
    assert bot.main(["--move-to", "elsewhere.db"]) == 2
    assert "postgresql://" in capsys.readouterr().err


def test_no_restoration_is_noted_while_a_bot_runs(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its matches would rest as soon as another process starts."""

    async def told(runs: bool) -> tuple[int, bool]:
        base = await Database.open(url)
        shards = StoredShards(base, "one")
        await (shards.look(1, 1) if runs else shards.leave())
        code = await asyncio.to_thread(bot.main, ["--restore"])
        marked = await base.read(schema.is_restored)
        await base.close()
        return code, marked

    with databases.empty() as url:
        monkeypatch.setenv("DATABASE_URL", url)
        assert asyncio.run(told(runs=True)) == (75, False)
        assert asyncio.run(told(runs=False)) == (0, True)
