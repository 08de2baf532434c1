"""The settings from the environment or from `.env`, read once and passed down."""

from __future__ import annotations

import base64
import codecs
import difflib
import ipaddress
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from cogs.runtime.logs import FORMATS
from data.store.database import is_url

DM_GAP = 2.0
"""Seconds between opening two direct-message channels; Discord takes more for spam."""
MOST_SHARDS = 16_384
"""More than Discord gives the largest bots."""
_PREFIX = re.compile(r"^(?:(?:export|set)\s+|\$env:)", re.IGNORECASE)
"""What the shells of Unix and Windows have before a name."""
_UNSEEN = " \t\u00a0\ufeff\u200b\u2060"
"""Blanks, and the byte order mark of a file that was joined to another."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}", re.ASCII)
_QUOTES = " \"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
"""What word processors and the `--env-file` of Docker leave around a value."""


class BadSettings(Exception):
    """Missing or wrong settings, a line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def _whole(unit: str, most: int) -> Callable[[str], int]:
    """Return what reads a whole number of that unit from 0 to `most`."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most:
            return int(text)
        raise ValueError(f"is no whole number of {unit} from 0 to {most}.")

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise ValueError("is no number of seconds from 0 to 60.")
    return seconds


def _one_of(known: Sequence[str], case: Callable[[str], str]) -> Callable[[str], str]:
    """Return what reads one of these words, in any case."""

    def read(text: str) -> str:
        if case(text) not in known:
            raise ValueError(f"is none of {', '.join(known)}.")
        return case(text)

    return read


def _is_on(text: str) -> bool:
    on, off = ("yes", "on", "true", "1"), ("no", "off", "false", "0")
    if text.lower() not in (*on, *off):
        raise ValueError("is neither yes nor no.")
    return text.lower() in on


def _file(text: str) -> str:
    """Return a path; ~/ is the user's own folder. It does not repeat an address, which may hold a password."""
    if "://" in text:
        raise ValueError("is an address, not the path of a file. The address of a PostgreSQL server is DATABASE_URL.")
    try:
        return str(Path(text).expanduser()) if text.startswith("~/") else text
    except RuntimeError:  # as in a container whose user has no name
        raise ValueError("begins with ~, and this user has no folder of its own. Write the whole path.") from None


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1 << 16):
        raise ValueError("is no port from 1 to 65535.")
    return int(text)


def _address(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise ValueError("is no IP address, such as 127.0.0.1 or 0.0.0.0.") from None
    return text


def _base(*schemes: str) -> Callable[[str], str]:
    """Return what reads the address of something that stands in for Discord, with one of these schemes."""

    def read(text: str) -> str:
        try:
            parts = urlsplit(text)
            fits = parts.scheme in schemes and parts.hostname and parts.port != 0
        except ValueError:  # of brackets, or of a port that is none; it may quote a password
            fits = False
        if not fits:
            raise ValueError(f"is no address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}.")
        return text.rstrip("/")

    return read


def _shards(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= MOST_SHARDS):
        raise ValueError(f"is no whole number from 1 to {MOST_SHARDS}. Leave it out for what Discord recommends.")
    return int(text)


def _read_by(read: Callable[[str], Any], default: Any) -> Any:
    """Return a field that the environment sets under its name in capitals. `read` raises ValueError with what is wrong
    with a value, as the rest of a sentence.
    """
    return field(default=default, metadata={"read": read})


@dataclass(frozen=True)
class Settings:
    """The operator's settings; `.env.example` says what each does."""

    token: str | None = field(default=None, repr=False)
    database: str = _read_by(_file, "data/sundial.db")
    database_url: str | None = field(default=None, repr=False)
    """The PostgreSQL database to use in place of the file `database`. It may hold a password."""
    backup_minutes: int = _read_by(_whole("minutes", 1440), 5)
    retention_days: int = _read_by(_whole("days", 36_500), 365)
    log_level: str = _read_by(_one_of(("DEBUG", "INFO", "WARNING", "ERROR"), str.upper), "INFO")
    log_format: str = _read_by(_one_of(FORMATS, str.lower), "text")
    health_port: int | None = _read_by(_port, None)
    health_host: str = _read_by(_address, "127.0.0.1")
    computer_seconds: float = _read_by(_seconds, 1.6)
    edit_seconds: float = _read_by(_seconds, 1.5)
    avatars: bool = _read_by(_is_on, default=False)
    emoji: bool = _read_by(_is_on, default=True)
    """Whether to upload the games' emoji to the bot's application."""
    workers: int | None = _read_by(_whole("processes", 64), None)
    """The most processes that draw and think; 0: threads of the bot do. None: the default of cogs.workers.pool."""
    shard_count: int | None = _read_by(_shards, None)
    """Connections to Discord, over all processes. None: those of other processes, or as Discord recommends."""
    discord_api: str | None = _read_by(_base("http", "https"), None)
    """The address of Discord's API up to its version; None: Discord's own."""
    discord_gateway: str | None = _read_by(_base("ws", "wss"), None)
    """The address of its gateway; None: Discord's own."""
    discord_proxy: str | None = _read_by(_base("http"), None)
    """The HTTP proxy through which both are reached."""
    tables_each: int = _read_by(_whole("tables", 1000), 10)
    """The most open tables of one person in a server whose managers have chosen no limit; 0: any number."""
    dm_seconds: float = DM_GAP
    beat_seconds: float = 60.0
    limited: bool = True
    """Whether the presses and commands of one user or server are limited in number."""

    @property
    def bot_id(self) -> str | None:
        """The number of the bot that the token belongs to, which is the first part of it; None if there is none."""
        part = (self.token or "").partition(".")[0]
        try:
            number = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("ascii")
        except ValueError:
            return None
        return number if number.isdigit() else None

    @classmethod
    def from_env(cls, env: Mapping[str, str], *, needs_token: bool = True) -> Settings:
        """Read the settings; an empty value counts as none. Raises BadSettings with every fault at once."""
        given = {name: value for name in SETTINGS if (value := env.get(name, "").strip())}
        faults: list[str] = []
        found: dict[str, Any] = {
            "database_url": _url(given, faults),
            "token": _token(given, faults, needed=needs_token),
        }
        for name, read in _READERS.items():
            if name in given:
                try:
                    found[name.lower()] = read(given[name])
                except ValueError as error:
                    faults.append(f"{name} {error}")
        if faults:
            raise BadSettings(faults)
        return cls(**found)


_READERS: dict[str, Callable[[str], Any]] = {
    each.name.upper(): each.metadata["read"] for each in fields(Settings) if each.metadata
}
SECRET_FILES = ("DISCORD_TOKEN_FILE", "DATABASE_PASSWORD_FILE")
"""The settings that name a file with a secret."""
SETTINGS = ("DISCORD_TOKEN", "DATABASE_URL", *SECRET_FILES, *_READERS)
"""All names read from the environment; `.env.example` says what each does."""


def _token(given: Mapping[str, str], faults: list[str], *, needed: bool) -> str | None:
    name, token, path = "DISCORD_TOKEN", given.get("DISCORD_TOKEN"), given.get("DISCORD_TOKEN_FILE")
    if token is None and path is not None:
        name = "DISCORD_TOKEN_FILE"
        token = _secret(name, path, faults)
    if token is not None:
        token = _bare(token)
        if not (token.isascii() and token.isprintable()):
            faults.append(
                f"{name} is no bot token: it has several lines, or letters that no token has. Copy it from the tab Bot "
                "of the developer portal."
            )
    if needed and not token and not faults:
        faults.append("DISCORD_TOKEN is missing: the token of your bot, or DISCORD_TOKEN_FILE, a file that holds it.")
    return token or None


def _bare(token: str) -> str:
    """Return a token without what people copy with it: its name, quotes, the word Bot, a remark.

    >>> _bare("'Bot a.b.c' # from the portal"), _bare("export DISCORD_TOKEN=a.b.c")
    ('a.b.c', 'a.b.c')
    """
    token = re.sub(r"^\s*(?:export\s+|set\s+)?DISCORD_TOKEN\s*=", "", token)
    token = _value(token).strip(f"{_QUOTES};<>")
    return re.sub(r"^Bot\s+", "", token, flags=re.IGNORECASE).strip(_QUOTES)


def _url(given: Mapping[str, str], faults: list[str]) -> str | None:
    """Return DATABASE_URL, with the password of DATABASE_PASSWORD_FILE if there is one."""
    url, path = given.get("DATABASE_URL"), given.get("DATABASE_PASSWORD_FILE")
    if url is not None and not is_url(url):
        faults.append("DATABASE_URL is no URL of PostgreSQL: postgresql://user:password@host/database.")
    if path is None:
        return url
    password = _secret("DATABASE_PASSWORD_FILE", path, faults)
    if url is None:
        faults.append("DATABASE_PASSWORD_FILE is the password of DATABASE_URL, which is missing.")
        return None
    return f"{url}{'&' if '?' in url else '?'}password={quote(password or '', safe='')}"


def _secret(name: str, path: str, faults: list[str]) -> str | None:
    # The path is not repeated: it may be the secret itself, written into the wrong line.
    try:
        text = _text(Path(path)).strip().strip(_QUOTES)
    except (OSError, ValueError) as error:
        why = "it is no text in UTF-8" if isinstance(error, ValueError) else error.strerror
        faults.append(f"{name} names a file that cannot be read from the folder in which the program starts: {why}.")
        return None
    if not text:
        faults.append(f"{name} names a file that is empty.")
    return text


def read_env_file(path: Path) -> dict[str, str]:
    """Return the settings of a `.env` file: lines NAME=value, with `export`, `set` or `$env:` before them or not; a
    setting that is known may have a colon as in YAML.

    Blank lines and lines that begin with # are skipped, and what follows a blank and # unless it is in quotes. Return
    none if there is no file. Raises BadSettings if it cannot be read.
    """
    try:
        text = _text(path)
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise BadSettings([f"{path} is no text in UTF-8 or UTF-16. Save it as UTF-8."]) from error
    except OSError as error:
        raise BadSettings([f"{path} cannot be read: {error.strerror}."]) from error
    found: dict[str, str] = {}
    for line in text.splitlines():
        line = _PREFIX.sub("", line.strip(_UNSEEN))
        name, sign, value = line.partition(":")
        if name.strip() not in SETTINGS:
            name, sign, value = line.partition("=")
        if sign and not name.startswith("#"):
            name = name.strip(_UNSEEN)
            found[name] = _value(value) or found.get(name, "")  # the example's empty line may stand below
    return found


def exposed(path: Path, given: Mapping[str, str]) -> str:
    """Return a sentence if every user of the machine can read or write the `.env` at `path`, or a file with a secret
    that the settings `given` name. Windows has no such modes, and what is in /run is a container's.
    """
    named = [Path(given[name]) for name in SECRET_FILES if given.get(name)]
    files = [path, *(file for file in named if not file.is_relative_to("/run"))]
    found = [str(file) for file in files if os.name != "nt" and _mode(file) & 0o006]
    whose = f"every user of this machine can read {' and '.join(found)}, which may hold a secret."
    return f"{whose} Run: chmod 600 {' '.join(found)}" if found else ""


def _mode(file: Path) -> int:
    """Return the file's mode; 0 if it is not there or out of reach: then no secret is read from it."""
    try:
        return file.stat().st_mode
    except (OSError, ValueError):
        return 0


def unknown_names(written: Mapping[str, str]) -> list[str]:
    """Return a sentence about each name of a `.env` file that is no setting, with the setting that it resembles."""
    told = []
    for name in sorted(written.keys() - set(SETTINGS)):
        like = difflib.get_close_matches(name.upper(), SETTINGS, 1)
        # Not what is no name at all: it may be a part of a secret.
        shown = name if _NAME.fullmatch(name) else "A line"
        guess = f": did you mean {like[0]}?" if like else "."
        told.append(f"{shown} in .env is no setting of this program{guess}")
    return told


def _text(path: Path) -> str:
    """Return a file's text: UTF-8 or, as `>` in Windows PowerShell writes it, UTF-16; with a byte order mark or
    without. Raises OSError and UnicodeDecodeError.
    """
    content = path.read_bytes()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    if b"\0" in content[:2]:
        return content.decode("utf-16-be" if content[:1] == b"\0" else "utf-16-le")
    return content.decode("utf-8-sig")


def _value(text: str) -> str:
    """Return the value behind the `=`, without quotes around it and without a remark."""
    text = text.strip()
    quoted = re.fullmatch(r"""(["'])(.*?)\1\s*(?:#.*)?""", text)
    return quoted[2] if quoted else re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip(_QUOTES)
