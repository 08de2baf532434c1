"""Settings: every one is explained in `.env.example`, faults are told at once, and importing the bot does nothing."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

import bot
from bot import Settings, create_bot
from cogs.runtime import cli
from cogs.runtime.settings import SECRET_FILES, SETTINGS, BadSettings, exposed, read_env_file
from cogs.transport.permissions import PERMISSIONS, invite_link
from tests.support.hung import HUNG

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / ".env.example"
UNSET = dict.fromkeys(SETTINGS, "")
"""The environment goes before `.env`, and an empty value counts as none: so a developer's own file says nothing."""

OTHERS = {
    "DISCORD_TOKEN": "another",
    "DATABASE": "elsewhere.db",
    "DATABASE_URL": "postgresql:///elsewhere",
    "BACKUP_MINUTES": "7",
    "RETENTION_DAYS": "30",
    "LOG_LEVEL": "DEBUG",
    "LOG_FORMAT": "json",
    "HEALTH_PORT": "9000",
    "HEALTH_HOST": "0.0.0.0",
    "COMPUTER_SECONDS": "0.5",
    "EDIT_SECONDS": "3",
    "AVATARS": "yes",
    "EMOJI": "no",
    "WORKERS": "3",
    "SHARD_COUNT": "16",
    "DISCORD_API": "http://127.0.0.1:3000/api/v10",
    "DISCORD_GATEWAY": "ws://127.0.0.1:7878",
    "DISCORD_PROXY": "http://127.0.0.1:3128",
    "TABLES_EACH": "3",
}
"""A value for each setting that differs from its default, besides the two that name files."""


def python(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder, with nothing of this environment but what finds programs."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-B", *arguments], cwd=ROOT, env={**kept, **env}, capture_output=True, text=True, timeout=HUNG
    )


def test_the_example_explains_every_setting_and_no_other() -> None:
    assert sorted(read_env_file(EXAMPLE)) == sorted(SETTINGS)
    paragraphs = EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")[1:]
    for name, paragraph in zip(read_env_file(EXAMPLE), paragraphs, strict=True):
        *comment, line = paragraph.splitlines()
        assert comment
        assert all(text.startswith("# ") for text in comment)
        assert line.startswith(f"{name}=")


def test_the_example_shows_the_defaults() -> None:
    shown = read_env_file(EXAMPLE)
    assert shown["DISCORD_TOKEN"] == ""
    assert Settings.from_env(shown, needs_token=False) == Settings.from_env({}, needs_token=False) == Settings()


def test_every_setting_has_an_effect(tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_text("a token\n", encoding="utf-8")
    given = {**OTHERS, "DISCORD_TOKEN_FILE": str(secret)}
    assert set(given) == set(SETTINGS) - {"DATABASE_PASSWORD_FILE"}
    for name, value in given.items():
        assert Settings.from_env({name: value}, needs_token=False) != Settings(), name
    assert Settings.from_env({"DISCORD_TOKEN_FILE": str(secret)}).token == "a token"


def test_the_token_goes_before_its_file_and_is_not_shown() -> None:
    settings = Settings.from_env(
        {"DISCORD_TOKEN": " secret ", "DISCORD_TOKEN_FILE": "/no/such/file"}, needs_token=False
    )
    assert settings.token == "secret"
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "loud"),
        ("BACKUP_MINUTES", "-1"),
        ("BACKUP_MINUTES", "1.5"),
        ("BACKUP_MINUTES", "1441"),
        ("LOG_FORMAT", "xml"),
        ("SHARD_COUNT", "0"),
        ("SHARD_COUNT", "two"),
        ("SHARD_COUNT", "-4"),
        ("SHARD_COUNT", "16385"),
        ("TABLES_EACH", "-1"),
        ("TABLES_EACH", "ten"),
        ("TABLES_EACH", "1001"),
        ("DATABASE", "postgresql://ann:geheim@host/sundial"),
        ("DATABASE", "sqlite:///sundial.db"),
        ("DATABASE_URL", "mysql://ann:geheim@host/sundial"),
        ("DATABASE_URL", "data/sundial.db"),
        ("DATABASE_PASSWORD_FILE", __file__),
        ("DISCORD_API", "127.0.0.1:3000"),
        ("DISCORD_GATEWAY", "https://gateway"),
        ("DISCORD_PROXY", "socks5://127.0.0.1:1080"),
        ("DISCORD_API", "http://127.0.0.1:99999/api/v10"),
        ("DISCORD_GATEWAY", "ws://127.0.0.1:port"),
        ("DISCORD_PROXY", "http://ann:geheim@[::1"),
        ("HEALTH_PORT", "0"),
        ("HEALTH_PORT", "65536"),
        ("HEALTH_PORT", "a port"),
        ("HEALTH_HOST", "localhost"),
        ("HEALTH_HOST", "127.0.0.1:80"),
        ("RETENTION_DAYS", "a year"),
        ("RETENTION_DAYS", "36501"),
        ("COMPUTER_SECONDS", "soon"),
        ("COMPUTER_SECONDS", "-1"),
        ("COMPUTER_SECONDS", "61"),
        ("COMPUTER_SECONDS", "nan"),
        ("COMPUTER_SECONDS", "inf"),
        ("WORKERS", "65"),
        ("WORKERS", "all"),
        ("DISCORD_TOKEN_FILE", "/no/such/file"),
        ("DISCORD_TOKEN_FILE", str(ROOT)),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str) -> None:
    with pytest.raises(BadSettings) as caught:
        Settings.from_env({name: value}, needs_token=False)
    assert len(caught.value.faults) == 1
    assert name in caught.value.faults[0]
    assert "geheim" not in caught.value.faults[0], "an address may hold a password"


@pytest.mark.parametrize(
    ("token", "number"),
    [
        ("MTAwMQ.abc.def", "1001"),
        ("MTIzNA.abc", "1234"),
        ("planted-one.two", None),
        ("é.a", None),
        ("", None),
        (None, None),
    ],
)
def test_a_token_says_which_bot_it_belongs_to(token: str | None, number: str | None) -> None:
    assert Settings(token=token).bot_id == number


def test_the_password_of_the_database_is_not_shown() -> None:
    settings = Settings.from_env({"DATABASE_URL": "postgresql://sundial:secret@host/db"}, needs_token=False)
    assert settings.database_url is not None
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("url", ["postgresql://ann:x@host/db", "postgres://ann@host/db?sslmode=require"])
def test_the_password_of_the_database_may_be_in_a_file(tmp_path: Path, url: str) -> None:
    secret = tmp_path / "password"
    secret.write_text("p@ss:w/o?r&d%=\n", encoding="utf-8")
    given = {"DATABASE_URL": url, "DATABASE_PASSWORD_FILE": str(secret)}
    settings = Settings.from_env(given, needs_token=False)
    assert settings.database_url is not None
    assert conninfo_to_dict(settings.database_url) == {**conninfo_to_dict(url), "password": "p@ss:w/o?r&d%="}
    assert "p@ss" not in repr(settings)


@pytest.mark.parametrize(
    ("content", "why"), [(None, "No such file"), (b"", "is empty"), (b" \n", "is empty"), (b"\xff\xff", "UTF-8")]
)
@pytest.mark.parametrize("name", SECRET_FILES)
def test_a_secret_file_without_a_secret_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    secret = tmp_path / TOKEN
    if content is not None:
        secret.write_bytes(content)
    with pytest.raises(BadSettings, match=f"^{name} names a file that .*{why}") as caught:
        Settings.from_env({"DATABASE_URL": "postgresql:///db", name: str(secret)})
    assert [fault for fault in caught.value.faults if not fault.startswith("DISCORD_TOKEN is missing")] == [
        str(caught.value).splitlines()[0]
    ]
    assert TOKEN not in str(caught.value)


def test_without_a_url_psycopg_is_not_needed() -> None:
    ended = python("-c", "import bot, cogs.local.play, sys; assert 'psycopg' not in sys.modules")
    assert ended.returncode == 0, ended.stderr


def test_a_small_letter_or_a_space_is_no_fault() -> None:
    settings = Settings.from_env(
        {"LOG_LEVEL": " debug ", "COMPUTER_SECONDS": " 0 ", "DATABASE": "   "}, needs_token=False
    )
    assert settings == Settings(log_level="DEBUG", computer_seconds=0.0)


def test_without_settings_the_bot_names_the_token_and_ends_with_2() -> None:
    ended = python("bot.py", **UNSET)
    assert ended.returncode == 2
    assert "DISCORD_TOKEN" in ended.stderr
    assert ".env.example" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_all_faults_are_told_at_once() -> None:
    ended = python("bot.py", **{**UNSET, "LOG_LEVEL": "loud", "COMPUTER_SECONDS": "soon"})
    assert ended.returncode == 2
    for name in ("DISCORD_TOKEN", "LOG_LEVEL", "COMPUTER_SECONDS"):
        assert name in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "soon" not in ended.stderr, "a token pasted into the wrong line must not be printed"


@pytest.mark.parametrize("content", [None, b"DISCORD_TOKEN=\xff\xfe"], ids=["a folder", "no text"])
def test_an_env_file_that_cannot_be_read_is_a_fault(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / ".env"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(BadSettings) as caught:
        read_env_file(path)
    assert str(path) in str(caught.value)


def test_an_env_file_is_read_as_people_write_it(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert read_env_file(path) == {}
    path.write_text(
        "# A=1\n\nB = two \nC=\"three\"\nD='4=four'\nno setting\nE=\u201cfive\u201d\nB=\n", encoding="utf-8"
    )
    assert read_env_file(path) == {"B": "two", "C": "three", "D": "4=four", "E": "five"}


TOKEN = "MTAwMQ.abc.def-_9"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "$env:DISCORD_TOKEN = '{}'",
            "\ufeffDISCORD_TOKEN={}",
            "\u200bDISCORD_TOKEN\u200b={}",
            "DISCORD_TOKEN: {}",
            "DISCORD_TOKEN\u00a0={}",
        ),
        *("export DISCORD_TOKEN: '{}' # mine", "DISCORD_TOKEN=`{}`", "DISCORD_TOKEN=<{}>", "DISCORD_TOKEN={};"),
    ],
)
def test_a_line_of_another_kind_of_file_is_read_in_an_env_file(tmp_path: Path, line: str) -> None:
    """PowerShell, a second byte order mark in joined files, YAML, a placeholder's brackets."""
    path = tmp_path / ".env"
    path.write_text(f"# top\n{line.format(TOKEN)}\nhttp: //x\nA: b\n", encoding="utf-8")
    found = read_env_file(path)
    assert set(found) == {"DISCORD_TOKEN"} and Settings.from_env(found).token == TOKEN


@pytest.mark.parametrize(("word", "on"), [("yes", True), ("On", True), ("true", True), ("1", True), ("NO", False)])
@pytest.mark.parametrize("end", ["", "\r"])
def test_a_switch_is_read_as_people_write_it(word: str, on: bool, end: str) -> None:
    off = {"yes": "no", "On": "Off", "true": "false", "1": "0", "NO": "YES"}[word]
    for text, means in ((word, on), (off, not on)):
        assert Settings.from_env({"EMOJI": text + end}, needs_token=False).emoji is means


def test_a_database_in_the_own_folder_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """`.env` is no shell: nothing else replaces the ~."""
    monkeypatch.setenv("HOME", "/home/ann")
    for text, means in (("~/x.db", "/home/ann/x.db"), ("a~/x.db", "a~/x.db"), ("~", "~")):
        assert Settings.from_env({"DATABASE": text}, needs_token=False).database == means
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)  # as in a container whose user has no name
    with pytest.raises(BadSettings, match=r"^DATABASE begins with ~"):
        Settings.from_env({"DATABASE": "~/x.db"}, needs_token=False)


@pytest.mark.parametrize("path", ["a" * 300, "a\0b"])
def test_a_secret_file_that_is_not_needed_may_be_none(tmp_path: Path, path: str) -> None:
    assert exposed(tmp_path / ".env", {"DISCORD_TOKEN": TOKEN, "DISCORD_TOKEN_FILE": path}) == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "export ", "set ", "  export\t"])
def test_an_env_file_of_any_editor_is_read(tmp_path: Path, encoding: str, end: str, before: str) -> None:
    """Windows PowerShell writes a byte order mark with `Set-Content`, and UTF-16 with `>`."""
    path = tmp_path / ".env"
    lines = [
        f"{before}DISCORD_TOKEN={TOKEN}",
        f"{before}LOG_LEVEL=DEBUG # loud",
        f"{before}DATABASE='a #1.db' # new",
        "",
    ]
    path.write_bytes(end.join(lines).encode(encoding))
    assert read_env_file(path) == {"DISCORD_TOKEN": TOKEN, "LOG_LEVEL": "DEBUG", "DATABASE": "a #1.db"}
    for name in ("DISCORD_TOKEN_FILE", "DATABASE_PASSWORD_FILE"):
        path.write_bytes(f"{TOKEN}{end}".encode(encoding))
        given = {"DATABASE_URL": "postgresql://h/d", name: str(path)}
        settings = Settings.from_env(given, needs_token=False)
        assert TOKEN in (settings.token, (settings.database_url or "").rpartition("=")[2])


@pytest.mark.parametrize(
    "text",
    [
        *(f"Bot {TOKEN}", f"bot  {TOKEN}", f'"{TOKEN}"', f"'Bot {TOKEN}'", f"\u201c{TOKEN}\u201d", f"{TOKEN} # mine"),
        *(
            f"DISCORD_TOKEN={TOKEN}",
            f"export DISCORD_TOKEN = '{TOKEN}'",
            f" {TOKEN}\r\n",
            f'"{TOKEN}" # from the portal',
        ),
    ],
)
def test_a_token_is_read_without_what_is_copied_with_it(tmp_path: Path, text: str) -> None:
    assert Settings.from_env({"DISCORD_TOKEN": text}).token == TOKEN
    secret = tmp_path / "token"
    secret.write_bytes(text.encode())
    assert Settings.from_env({"DISCORD_TOKEN_FILE": str(secret)}).token == TOKEN
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={text}", encoding="utf-8")
    assert Settings.from_env(read_env_file(tmp_path / ".env")).token == TOKEN


@pytest.mark.parametrize("text", [f"{TOKEN}\n{TOKEN}", f"{TOKEN}\u200b", f"M\u0422AwMQ.{TOKEN}", "\x1b.a.b"])
def test_a_text_that_no_token_can_be_is_named_and_not_shown(tmp_path: Path, text: str) -> None:
    secret = tmp_path / "token"
    secret.write_text(text, encoding="utf-8")
    for given in ({"DISCORD_TOKEN": text}, {"DISCORD_TOKEN_FILE": str(secret)}):
        with pytest.raises(BadSettings) as caught:
            Settings.from_env(given)
        (fault,) = caught.value.faults
        assert fault.startswith(f"{next(iter(given))} is no bot token")
        assert TOKEN not in fault


def test_a_misspelt_name_is_told_beside_the_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in SETTINGS:
        monkeypatch.setenv(name, "")
    (tmp_path / ".env").write_text(f"DISCORD_TOKN={TOKEN}\nloglevel=DEBUG\nFAVOURITE=1\n{TOKEN}==\n", encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    root = {"root": tmp_path, "run": print, "play": print, "check": print, "move": print, "explain": print}
    assert cli.main([], **root) == 2
    said = capsys.readouterr().err
    assert "DISCORD_TOKEN is missing" in said
    assert "DISCORD_TOKN in .env is no setting of this program: did you mean DISCORD_TOKEN?" in said
    assert "loglevel in .env is no setting of this program: did you mean LOG_LEVEL?" in said
    assert "FAVOURITE in .env is no setting of this program.\n" in said
    assert TOKEN not in said
    (tmp_path / ".env").rename(tmp_path / ".env.txt")
    assert cli.main([], **root) == 2
    assert "The file .env.txt is not read." in capsys.readouterr().err


WATCHED = """
import os, sys
seen = []
KINDS = ("socket.", "sqlite3.", "subprocess.", "shutil.", "tempfile.", "os.mk", "os.re", "os.system", "os.exec")
def watch(event, facts):
    if event == "open" and facts[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append((event, facts[0]))
    elif event.startswith(KINDS):
        seen.append((event, facts))
sys.addaudithook(watch)
"""
"""Notes what reaches out of the process: connections, files opened to be written, programs started."""


def test_importing_the_bot_and_building_it_does_nothing() -> None:
    ended = python("-c", f"{WATCHED}\nimport bot\nbot.create_bot(bot.Settings())\nprint(seen)")
    assert ended.stdout.strip() == "[]", ended.stderr or ended.stdout


def test_the_watch_sees_what_it_watches_for(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    ended = python("-c", f"{WATCHED}\nimport socket\nopen({path!r}, 'w').close()\nsocket.socket()\nprint(seen)")
    assert path in ended.stdout
    assert "socket" in ended.stdout


def test_a_bot_is_built_without_token_and_loop() -> None:
    built = create_bot(Settings())
    assert not built.is_ready()
    assert built.app is None
    assert built.intents.value == bot.discord.Intents(guilds=True).value
    assert built.allowed_mentions is not None
    assert built.allowed_mentions.to_dict() == {"parse": []}


def test_the_invite_link_asks_for_exactly_what_is_needed() -> None:
    link = invite_link(1234)
    assert "client_id=1234" in link
    assert f"permissions={PERMISSIONS.value}" in link
    assert "scope=bot+applications.commands" in link
    assert PERMISSIONS.value == 309237763072, "the number stands in README.md too"
    assert not PERMISSIONS.administrator


def test_the_rules_are_played_without_discord() -> None:
    ended = python(
        "-c",
        "import sys\nfrom rules import GAMES\nfor game in GAMES.values(): game.new(game.seats[0], {}, 'a seed')\n"
        "print(sorted({'discord', 'aiohttp', 'aiosqlite', 'PIL', 'asyncio', 'sqlite3'} & set(sys.modules)))",
    )
    assert ended.stdout.strip() == "[]", ended.stderr or ended.stdout
