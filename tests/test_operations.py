"""The files that run the bot on a machine, and the page about it: exit codes, command line, service, checks."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote

import discord
import pytest
from pre_commit.clientlib import load_config

import bot
from cogs.runtime import cli
from cogs.runtime.logs import Lines
from cogs.runtime.process import WATCHDOG_SECONDS, Exit
from cogs.runtime.settings import SETTINGS, BadSettings
from cogs.transport.errors import explain
from data.store import lock
from data.store.engine import CommitUnknown, Unreachable
from data.store.postgres_refusals import BAD_URL, LOGIN, NO_SERVER, OLD_SERVER
from tests.benchmarks.memory import ALLOCATOR
from tests.support.hung import HUNG
from tests.support.source import nodes

ROOT = Path(__file__).parent.parent
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
UNIT = ROOT / "docs" / "sundial.service"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


# --- Exit codes and the command line.


def test_the_page_lists_every_exit_code() -> None:
    rows = re.findall(r"^\| (\d+) \| .+ \| .+ \|$", OPERATING, re.MULTILINE)
    assert [int(code) for code in rows] == sorted(Exit)


@pytest.fixture
def ending(tmp_path: Path) -> Callable[[int], Path]:
    """A stand-in for .venv in which every library is installed, and whose Python ends with a code."""

    def made(code: int) -> Path:
        python = tmp_path / "bin" / "python"
        python.parent.mkdir(exist_ok=True)
        python.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
        python.chmod(0o755)
        (tmp_path / ".production").touch()  # newer than requirements/base.txt
        return tmp_path

    return made


@pytest.mark.parametrize("code", sorted(Exit))
def test_make_run_says_the_code_of_the_bot(ending: Callable[[int], Path], code: Exit) -> None:
    """GNU make itself ends with 2 for any failure, whatever a Makefile says; the bot's own code is in its last line."""
    call = ["make", "run", f"VENV={ending(code)}"]
    ended = subprocess.run(
        call, cwd=ROOT, env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == (2 if code else 0)
    assert ("Error" not in ended.stderr) if code == 0 else re.search(rf" Error {code:d}$", ended.stderr.strip())


@pytest.mark.parametrize("name", ["README.md", "docs/operating.md"])
def test_the_command_for_operators_passes_the_code_on(name: str) -> None:
    """It is the program itself: its exit code reaches the caller, which it does not through make."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.search(r"^ *\.venv/bin/python bot\.py( |$)", text, re.MULTILINE)
    assert not re.search(r"^ *make run", text, re.MULTILINE)


def test_every_code_that_the_database_refuses_with_is_one_of_them() -> None:
    codes = set()
    for path in (ROOT / "data").rglob("*.py"):
        for node in nodes(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DatabaseRefusal":
                codes.update(arg.value for arg in node.args if isinstance(arg, ast.Constant) and arg.value != "")
    assert {code for code in codes if isinstance(code, int)} <= {Exit.SETTINGS}
    names = ("FAULT", "NOT_OURS", "NO_LOCKS", "NO_ROOM", "RIGHTS", "DAMAGED", "IN_USE", "TOO_NEW")
    assert {name: getattr(lock, name) for name in names} == {name: Exit[name] for name in names}
    assert (*(Exit.SETTINGS, Exit.SETTINGS, Exit.LOGIN, Exit.NO_SERVER, Exit.OLD_SERVER),) == (
        lock.CANNOT_MOVE,
        BAD_URL,
        LOGIN,
        NO_SERVER,
        OLD_SERVER,
    )


def test_a_fault_of_the_program_is_logged_without_its_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    async def run(settings: bot.Settings) -> None:
        raise ValueError(f"Ann holds B7, {settings.token}")

    monkeypatch.setattr(bot, "run", run)
    assert bot.main([]) == Exit.FAULT
    assert capsys.readouterr() == ("", "")
    (record,) = [record for record in caplog.records if record.name == "sundial"]
    line = Lines("text").format(record)
    assert "a fault of the program: ValueError" in line
    assert "tests/test_operations.py" in line
    assert "B7" not in line
    assert TOKEN not in line


@pytest.mark.parametrize("lost", [Unreachable("connection refused"), CommitUnknown("connection reset")])
def test_a_database_that_is_lost_during_the_start_is_no_fault_of_the_program(
    lost: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.end_with(lost, explain) == Exit.NO_SERVER
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(lost) in said


@pytest.mark.parametrize(("code", "ended"), [(4004, Exit.TOKEN), (4012, Exit.UNREACHABLE), (4014, Exit.UNREACHABLE)])
def test_discord_ends_the_connection_for_good(code: int, ended: int, capsys: pytest.CaptureFixture[str]) -> None:
    closed = discord.ConnectionClosed.__new__(discord.ConnectionClosed)
    closed.code = code
    assert cli.end_with(closed, explain) == ended
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "network" not in said
    assert ("token" if ended is Exit.TOKEN else "newest version") in said


@pytest.mark.parametrize(
    "error",
    [discord.RateLimited(3600), discord.GatewayNotFound(), TimeoutError(), ConnectionResetError()],
    ids=lambda error: type(error).__name__,
)
def test_discord_cannot_be_reached(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.end_with(error, explain) == Exit.UNREACHABLE
    said = capsys.readouterr().err
    assert said.startswith("Discord cannot be reached")
    assert said.count("\n") == 1


def test_what_the_disk_does_is_not_laid_at_discords_door(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.end_with(PermissionError(), explain) == Exit.FAULT
    assert "Discord" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [([], 0), (["--check"], 130), (["--restore"], 130), (["--move-to", "postgresql://host/db"], 130)],
    ids=["the bot", "--check", "--restore", "--move-to"],
)
def test_a_command_that_is_interrupted_has_not_done_its_work(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int
) -> None:
    """A script must not go on as if it had."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(cli, "_restore", interrupted)
    for name in ("run", "check", "move"):
        monkeypatch.setattr(bot, name, interrupted)
    assert bot.main(arguments) == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("where", [">&-", ">/dev/full", "2>&-", "2>/dev/full"])
def test_the_code_is_the_same_if_no_one_reads(tmp_path: Path, where: str) -> None:
    """As with a pipe to a program that ends early. Python itself would end with 1 or 120."""
    env = {"PATH": "/usr/bin:/bin", "DISCORD_TOKEN": TOKEN, "DATABASE": str(tmp_path / "gone" / "sundial.db")}
    arguments = ("--check",) if where.startswith(">") else ("--restore",)
    command = shlex.join([sys.executable, "bot.py", *arguments])
    ended = subprocess.run(
        ["sh", "-c", f"exec {command} {where}"],
        cwd=ROOT,
        env=env | {"WORKERS": "0", "DISCORD_API": "http://127.0.0.1:9"},
        capture_output=True,
        timeout=HUNG,
    )
    assert ended.returncode == Exit.RIGHTS
    assert b"Error" not in ended.stderr


def test_what_a_terminal_cannot_show_is_written_in_other_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    said = BytesIO()
    with TextIOWrapper(said, encoding="ascii") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        with pytest.raises(SystemExit) as ended:
            bot.main(["--help"])
        terminal.flush()
        assert ended.value.code == 0 and rb"postgresql://\u2026" in said.getvalue()


def test_the_token_is_no_argument_and_an_argument_is_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bot.main(["--help"])
    assert "token" not in capsys.readouterr().out.lower()
    for arguments in (["--token", TOKEN], [TOKEN], [f"--token={TOKEN}"], ["--port", TOKEN]):
        with pytest.raises(SystemExit) as ended:
            bot.main(arguments)
        assert ended.value.code == Exit.SETTINGS
        said = capsys.readouterr()
        assert TOKEN not in said.err + said.out


@pytest.mark.parametrize(
    "given",
    [
        *("--check --restore", "--check --move-to elsewhere.db", "--check --local", "--restore --local", "--fresh"),
        *("--check --fresh", "--database elsewhere.db", "--restore --database elsewhere.db", "--players 3"),
        *("--port 8771", "--postgresql"),
    ],
)
def test_options_of_which_one_would_not_be_obeyed_are_refused(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--check --restore` would restore, and `--database` without `--local` name a database that is not used."""

    def do(*_: object) -> NoReturn:
        raise AssertionError("nothing is done")

    monkeypatch.setenv("DATABASE", str(tmp_path / "sundial.db"))
    with pytest.raises(SystemExit) as ended:
        cli.main(given.split(), root=ROOT, run=do, play=do, check=do, move=do, explain=explain)
    assert ended.value.code == Exit.SETTINGS
    assert "not allowed with" in (said := capsys.readouterr().err) or "--local" in said


def test_restore_refuses_the_file_of_a_backup_for_a_postgresql_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It restores nothing there: to note that it was done would be false."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/sundial")
    assert bot.main(["--restore", str(tmp_path / "a backup")]) == Exit.SETTINGS
    said = capsys.readouterr().err
    assert "PostgreSQL's own tools" in said and said.count("\n") == 1


def test_the_settings_show_no_token() -> None:
    settings = bot.Settings.from_env({"DISCORD_TOKEN": TOKEN})
    assert settings.token == TOKEN
    assert TOKEN not in f"{settings} {settings!r} {BadSettings(['x'])!r}"


# --- The database: SQLite before 3.51.3 is safe with a single connection that writes and checkpoints.

WATCHED = """
import asyncio, sys, os
opened = []
def watch(event, facts):
    if event == "sqlite3.connect":
        opened.append(os.fsdecode(facts[0]))
sys.addaudithook(watch)
import bot
async def login(self, token):
    await self._async_setup_hook()
    await self.setup_hook()
async def sync(self, facts): pass
async def connect(self, **how):
    await self.clock.tick()
    await next(part for part in self.background if hasattr(part, "make")).make()
    assert await self._database.clean()
    await self.drain()
bot.Bot.login, bot.Bot.sync_commands, bot.Bot.connect = login, sync, connect
assert bot.main([]) == 0
print(opened)
"""


def writing(opened: Iterable[str]) -> list[str]:
    """Of the paths and URIs that were opened, those of the bot's database by which it could be written to."""
    found = []
    for name in opened:
        path, _, how = name.partition("?")
        if Path(unquote(path)).name.removeprefix("file:") == "bot.db" and how not in ("mode=ro", "immutable=1"):
            found.append(name)
    return found


def test_a_run_opens_the_database_with_one_connection(tmp_path: Path) -> None:
    """Also a run that finds one, makes a backup of it, and writes the file again."""
    env = {"PATH": "/usr/bin:/bin", "DISCORD_TOKEN": "a.b.c", "DATABASE": str(tmp_path / "bot.db"), "EMOJI": "no"}
    looks = []
    for _ in range(2):
        ended = subprocess.run(
            [sys.executable, "-c", WATCHED], cwd=ROOT, env=env, capture_output=True, text=True, timeout=HUNG
        )
        assert ended.returncode == 0, ended.stderr
        opened = ast.literal_eval(ended.stdout.strip().splitlines()[-1])
        assert len(writing(opened)) == 1, opened
        looks.append(sum(name.endswith("/bot.db?immutable=1") for name in opened))
    assert looks == [0, 1], "what is there is looked at first, by a connection that cannot write"


@pytest.mark.parametrize("second", ["bot.db", "/a/bot.db", "file:bot.db", "file:///a/b%6ft.db?mode=rwc"])
def test_a_second_connection_that_could_write_is_counted(second: str) -> None:
    reading = ["file:///a/bot.db?mode=ro", "file:///a/bot.db?immutable=1", "/a/bot-20260101T000000Z.db.part"]
    assert writing(["/a/bot.db", *reading, second]) == ["/a/bot.db", second]


# --- systemd.


def unit() -> dict[str, list[str]]:
    """The settings of the [Service] and [Unit] sections, each with its values in order."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def test_the_unit_starts_it_again_where_that_helps() -> None:
    found = unit()
    assert found["Restart"] == ["on-failure"]
    assert (found["RestartSec"], found["RestartSteps"], found["RestartMaxDelaySec"]) == (["5"], ["6"], ["300"])
    never = {int(code) for code in found["RestartPreventExitStatus"][0].split()}
    wrong = {Exit.NOT_OURS, Exit.LOGIN, Exit.NO_LOCKS, Exit.OLD_SERVER, Exit.PICTURES}
    assert never == {Exit.SETTINGS, Exit.DAMAGED, Exit.TOKEN, Exit.TOO_NEW, *wrong}
    assert (found["KillSignal"], found["TimeoutStopSec"]) == (["SIGTERM"], ["120"])
    assert found["Type"] == ["notify"]
    assert int(found["WatchdogSec"][0]) == 4 * WATCHDOG_SECONDS


def test_the_unit_keeps_the_token_out_of_the_environment_and_sets_what_there_is() -> None:
    given = dict(pair.split("=", 1) for line in unit()["Environment"] for pair in line.split())
    assert set(given) - set(SETTINGS) == {"PYTHONDONTWRITEBYTECODE", *ALLOCATOR}
    assert given.items() >= ALLOCATOR.items()
    assert "DISCORD_TOKEN" not in given
    assert given["DISCORD_TOKEN_FILE"].endswith("/%n/token"), "also if it is an instance of a template"
    assert unit()["LoadCredential"] == ["token:/etc/sundial/token"]
    assert given["DATABASE"].startswith(f"/var/lib/{unit()['StateDirectory'][0]}/")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("name", ["sundial.service", "sundial@1.service"])
def test_systemd_finds_no_fault_with_the_unit(tmp_path: Path, name: str) -> None:
    here = tmp_path / name
    text = UNIT.read_text(encoding="utf-8").replace("/opt/sundial/.venv/bin/python", sys.executable)
    here.write_text(text.replace("/opt/sundial", str(ROOT)), encoding="utf-8")
    checked = subprocess.run(["systemd-analyze", "verify", str(here)], capture_output=True, text=True, timeout=HUNG)
    said = [line for line in checked.stderr.splitlines() if str(here) in line]
    assert checked.returncode == 0, checked.stderr
    # The two that systemd before 254 does not know, as the unit says.
    assert not [line for line in said if "RestartSteps" not in line and "RestartMaxDelaySec" not in line]
    exposed = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(here)],
        capture_output=True,
        text=True,
        timeout=HUNG,
    )
    if "unrecognized option" in exposed.stderr:
        pytest.skip("this systemd-analyze is too old to judge a file")
    assert exposed.returncode == 0, exposed.stdout[-500:]


def test_git_leaves_the_token_alone() -> None:
    assert "/token" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


# --- Checks before a commit, and hosted ones.


HOOKS = ROOT / ".pre-commit-config.yaml"


def test_the_checks_before_a_commit_fetch_nothing() -> None:
    """Each runs a tool of .venv, which requirements/dev.txt pins, or searches for a pattern."""
    (repository,) = load_config(HOOKS)["repos"]
    assert repository["repo"] == "local"
    tools = {hook["entry"].split()[0] for hook in repository["hooks"] if hook["language"] != "pygrep"}
    assert tools == {".venv/bin/python", ".venv/bin/codespell"}
    for tool in ("ruff check", "ruff format", "mypy", "codespell"):
        assert any(tool in hook["entry"] for hook in repository["hooks"]), tool


@pytest.mark.parametrize(
    ("hook", "text", "passes"),
    [
        ("trailing-whitespace", "a\nb\n", True),
        ("trailing-whitespace", "a \nb\n", False),
        ("trailing-whitespace", "a\t\n", False),
        ("end-of-file", "a\n\nb\n", True),
        ("end-of-file", "a\n\n", False),
        ("end-of-file", "a", False),
    ],
)
def test_the_patterns_find_what_they_are_for(tmp_path: Path, hook: str, text: str, passes: bool) -> None:
    (found,) = [each for each in load_config(HOOKS)["repos"][0]["hooks"] if each["id"] == hook]
    path = tmp_path / "file.md"
    path.write_text(text, encoding="utf-8")
    search = [sys.executable, "-m", "pre_commit.languages.pygrep", *found["args"], found["entry"], str(path)]
    assert subprocess.run(search, capture_output=True, check=False).returncode == (0 if passes else 1)


def test_the_hosted_run_is_the_one_on_a_desk() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"^ +- run: \.ci/run$", text, re.MULTILINE)
    assert 'python-version: "3.11"' in text
    uses = re.findall(r"uses: (.+)", text)
    assert uses and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in uses), uses
