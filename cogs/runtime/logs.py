"""Logging: lines of text or JSON that hold no token, no hand and no name.

The messages of this program contain allowed values only. In messages of other libraries only small numbers and the
kinds of exceptions are filled in. For each exception the log has its kind, its codes and its place, never its text.
Warnings, and faults in threads, finalizers and callbacks, which Python would print itself, are logged in the same way.
As a second guard, anything in the finished line that looks like a secret or an id is replaced. The only Discord id in
the log is the bot's own, in its invite link.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import warnings
from asyncio import AbstractEventLoop
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Any
from urllib.parse import quote

from data.store.database import OUT_OF_REACH

log = logging.getLogger("sundial")

FORMATS = ("text", "json")
FIELDS = ("time", "level", "logger", "message", "code", "match", "error", "where")
"""All fields of a line of JSON."""
EXTRAS = {"code": re.compile("[0-9a-f]{8}"), "match": re.compile("[0-9]{1,9}")}
"""Fields that a call adds by `extra`: the code of a fault, which the player sees too, and a match's number."""
OURS = frozenset({"sundial", "cogs", "data", "rendering", "rules"})
"""The first names of this program's loggers."""
CODES = ("status", "code", "errno", "sqlite_errorname", "kind", "cause")
"""Attributes of exceptions that are safe to log."""
WORDS = ("sqlite_errorname", "kind", "cause")
"""Those that may be texts: words that the program has chosen."""
FRAMES = 20
SMALLEST_ID = 1 << 32
"""Larger numbers may be ids of users or channels on Discord."""
HIDDEN = "[token]"
SOMEBODY = "<id>"

_ROOT = Path(__file__).parents[2]
_SECRET = re.compile(
    r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{20,}"  # a bot's token: its id, a time and a signature, in base64url
    r"|[A-Za-z0-9_-]{60,}",  # the tokens of webhooks and interactions; seeds too
    re.ASCII,
)
_ID = re.compile(r"(?<!client_id=)(?<!\d)\d{15,20}(?!\d)", re.ASCII)
_REPR = re.compile(r"[(<\n]")
"""Where the repr of a call, or of a task and its exception, begins in a message of asyncio."""
_IN_PATH = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?\"']+")


def redact(text: str, token: str | None = None) -> str:
    """Return the text with `[token]` for this bot's token and anything that looks like a Discord token, and with `<id>`
    for anything that looks like a Discord id.
    """
    for form in (token, repr(token)[1:-1], quote(token, safe="")) if token else ():
        text = text.replace(form, HIDDEN)
    return _ID.sub(SOMEBODY, _SECRET.sub(HIDDEN, _IN_PATH.sub(rf"\1{HIDDEN}", text)))


def kind_of(error: BaseException) -> str:
    """Return the kind of an exception, without its text: `NotFound(status=404, code=10008)`."""
    found, facts = [], dict(vars(error))  # no properties: they may run any code
    if isinstance(error, OSError):
        facts["errno"] = error.errno
    for name in CODES:
        value = facts.get(name)
        if isinstance(value, Enum):
            value = value.name
        if isinstance(value, int) or (isinstance(value, str) and value and name in WORDS):
            found.append(f"{name}={value}")
    return f"{type(error).__name__}({', '.join(found)})" if found else type(error).__name__


def log_failure(to: logging.Logger, line: str, *facts: object, error: Exception, **how: Any) -> None:
    """Log that some work failed. `line` names the kind of the error as its last fact. A fault of ours is an error with
    its place in the code; that the database is out of reach is no news, as the database itself tells it once.
    """
    if isinstance(error, OUT_OF_REACH):
        to.debug(line, *facts, kind_of(error), **how)
    else:
        to.error(line, *facts, type(error).__name__, exc_info=without_text(error), **how)


def without_text(error: BaseException) -> Exception:
    """Return the exception for the log: its kind and its traceback, without its text, which could hold a hand."""
    kind: type[Exception] = type(type(error).__name__, (Exception,), {})
    return kind().with_traceback(error.__traceback__)


def _where(error: BaseException | None) -> Iterator[str]:
    """Yield the places of an exception and of those that led to it, a line each; the newest last."""
    if error is None:
        return
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _where(earlier)
        yield f"{kind_of(earlier)}, and then"
    for frame in extract_tb(error.__traceback__)[-FRAMES:]:
        yield f"{_place(frame.filename, frame.lineno)} in {frame.name}"


def _place(filename: str, line: int | None) -> str:
    path = Path(filename)
    return f"{path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-2:])}:{line}"


def _allowed(value: object, ours: bool) -> object:
    if isinstance(value, BaseException):
        return kind_of(value)
    if isinstance(value, int) and value >= SMALLEST_ID:
        return SOMEBODY
    if value is None or isinstance(value, int | float):
        return value
    return value if ours else f"<{type(value).__name__}>"


def _message(record: logging.LogRecord) -> str:
    ours = record.name.partition(".")[0] in OURS
    if not isinstance(record.msg, str):
        return str(_allowed(record.msg, ours=False))
    said = _of_asyncio(record.msg) if record.name == "asyncio" else record.msg
    given: Any = record.args
    if isinstance(given, Mapping):
        given = {name: _allowed(value, ours) for name, value in given.items()}
    elif given:
        given = tuple(_allowed(value, ours) for value in given)
    try:
        return said % given if given else said
    except Exception:  # the format wants a number that was left out, or a value cannot be written
        return said


def _of_asyncio(message: str) -> str:
    return _REPR.split(message, maxsplit=1)[0].rstrip()


class Lines(logging.Formatter):
    """Formats a record as text or as one line of JSON. `token`: this bot's token, which is replaced."""

    def __init__(self, form: str, token: str | None = None) -> None:
        super().__init__()
        self._json = form == "json"
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON, or as text with the places of its exception on lines of their own."""
        error = record.exc_info[1] if record.exc_info else None
        where = [redact(line, self._token) for line in _where(error)]
        message = redact(_message(record), self._token)
        if not self._json:
            time = datetime.fromtimestamp(record.created).isoformat(" ", "milliseconds")  # in local time
            lines = [f"{time} {record.levelname} {record.name}: {message}", *(f"    {line}" for line in where)]
            return "\n".join([*lines, f"    {redact(kind_of(error), self._token)}"] if error else lines)
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": redact(record.name, self._token),
            "message": message,
        }
        for name, allowed in EXTRAS.items():
            value = getattr(record, name, None)
            if isinstance(value, str | int) and allowed.fullmatch(str(value)):
                fields[name] = value
        if error is not None:
            fields |= {"error": redact(kind_of(error), self._token), "where": where}
        return json.dumps(fields, ensure_ascii=False)


def set_up(level: str, form: str, token: str | None) -> None:
    """Log to stderr from this level on, unless logging is configured already."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(form, token))
    logging.basicConfig(level=level, handlers=[handler])
    if handler in logging.getLogger().handlers:
        _take_over()
    for chatty in ("discord", "aiosqlite"):  # at DEBUG they print tokens, hands and pledges
        logging.getLogger(chatty).setLevel(max(logging.INFO, logging.getLevelName(level)))
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # its warnings quote errors, which may quote a row
    for source in ("discord.client", "discord.state"):
        logging.getLogger(source).addFilter(_is_news)


def _take_over() -> None:
    """Log what Python would print with its text: nothing else writes to stderr while the bot runs."""
    sys.excepthook = _ending
    sys.unraisablehook = _unraisable
    threading.excepthook = _in_thread
    warnings.showwarning = _warned
    logging.raiseExceptions = False  # otherwise a line that cannot be written is printed with its values


def _ending(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("fault that ends the program: %s", error, exc_info=error)


def _unraisable(fault: sys.UnraisableHookArgs) -> None:
    _log_fault("fault that cannot be raised: %s", fault.exc_type, fault.exc_value)


def _in_thread(fault: threading.ExceptHookArgs) -> None:
    if fault.exc_type is not SystemExit:  # it ends a thread in silence, as in Python
        _log_fault("fault in a thread: %s", fault.exc_type, fault.exc_value)


def _log_fault(message: str, kind: type[BaseException], error: BaseException | None) -> None:
    log.error(message, kind.__name__ if error is None else error, exc_info=error)


def _warned(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any) -> None:
    log.warning("%s at %s", category.__name__, _place(filename, lineno))


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether the message is useful: not about missing voice support or a simulated server's intents."""
    return "voice will NOT be supported" not in str(record.msg) and "Guilds intent seems" not in str(record.msg)


def report(loop: AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log an unhandled fault in an event loop; asyncio's own handler prints the text of the exception."""
    error, said = context.get("exception"), _of_asyncio(context["message"])
    message = "asyncio: %s" if error is None else "asyncio: %s: %s"
    given = (said,) if error is None else (said, error)
    log.error(message, *given, exc_info=error)
