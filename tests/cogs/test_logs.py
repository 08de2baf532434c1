"""Tokens, hands and names planted wherever a log line could pick them up: none of them comes out."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import aiohttp
import discord
import pytest
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from cogs.runtime import logs
from cogs.runtime.logs import FIELDS, FORMATS, HIDDEN, Lines, without_text
from cogs.transport.errors import DiscordFailure, Failure
from tests.support.hung import HUNG

BOT_TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
INTERACTION_TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5" * 6
WEBHOOK_TOKEN = "x7_-" * 17
OWN = 'an odd token: "it\'s mine"'
PLANTED = (BOT_TOKEN, INTERACTION_TOKEN, WEBHOOK_TOKEN, OWN)
HAND = "Ann holds B7, G5"
ANN = 1398712347623000101


@pytest.fixture(params=FORMATS)
def sink(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """What is logged in either format, by everybody."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines(request.param, OWN))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def http_error(text: str) -> discord.HTTPException:
    answer = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(answer, {"code": 10008, "message": text})


def aiohttp_error(text: str) -> aiohttp.ClientError:
    url = URL("https://discord.com") / "api/v10/webhooks/1" / text / "messages/@original"
    facts = aiohttp.RequestInfo(url, "PATCH", CIMultiDictProxy(CIMultiDict()), url)
    return aiohttp.ClientResponseError(facts, (), status=502, message=text)


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def by_chain(log: logging.Logger, text: str) -> None:
    error = raised(RuntimeError(text))
    error.__cause__ = raised(ValueError(text))
    log.error("failed", exc_info=error)


def by_number(log: logging.Logger, text: str) -> None:
    with suppress(TypeError):  # pytest's own handler, which comes after ours
        log.warning("oh: %d", text)


def by_url(log: logging.Logger, text: str) -> None:
    log.warning("%s responded with 429", f"https://discord.com/api/v10/interactions/12/{text}/callback")


PLACES: dict[str, Callable[[logging.Logger, str], None]] = {
    "message": lambda log, text: log.warning(f"oh: {text}"),
    "argument": lambda log, text: log.warning("oh: %s", text),
    "argument in quotes": lambda log, text: log.warning("oh: %r", text),
    "named argument": lambda log, text: log.warning("oh: %(it)s", {"it": text}),
    "argument that does not fit": by_number,
    "message that is no text": lambda log, text: log.warning(ValueError(text)),
    "exception": lambda log, text: log.error("oh", exc_info=raised(ValueError(text))),
    "exceptions one after the other": by_chain,
    "exception as an argument": lambda log, text: log.error("oh: %s", ValueError(text)),
    "extra": lambda log, text: log.error("oh", extra={"code": text, "hand": text, "match": text}),
    "stack": lambda log, text: log.error("oh", stack_info=bool(text)),
    "URL": by_url,
    "aiohttp's error": lambda log, text: log.error("oh: %s", aiohttp_error(text), exc_info=raised(aiohttp_error(text))),
    "discord.py's error": lambda log, text: log.error("oh: %s", http_error(text), exc_info=raised(http_error(text))),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "name", ["sundial", "cogs.transport.interactions", "discord.http", "aiohttp.client", "asyncio"]
)
def test_no_token_comes_out(sink: io.StringIO, name: str, place: str) -> None:
    for token in PLANTED:
        PLACES[place](logging.getLogger(name), token)
    said = sink.getvalue()
    assert said.count("\n") >= len(PLANTED), "all of them were logged"
    for token in PLANTED:
        for form in (token, repr(token)[1:-1], json.dumps(token)[1:-1], quote(token, safe="")):
            assert form not in said


@pytest.mark.parametrize("place", PLACES)
def test_no_id_comes_out(sink: io.StringIO, place: str) -> None:
    for name in ("cogs.transport.interactions", "discord.http"):
        PLACES[place](logging.getLogger(name), str(ANN))
        PLACES[place](logging.getLogger(name), f"<@{ANN}>")
        logging.getLogger(name).warning("who: %d", ANN)
        logging.getLogger(name).warning("who: %s", ANN)
    assert "who: <id>" in sink.getvalue()
    assert str(ANN) not in sink.getvalue()


def test_the_invite_link_is_whole(sink: io.StringIO) -> None:
    link = (
        f"https://discord.com/oauth2/authorize?client_id={ANN}&scope=bot+applications.commands&permissions=274878024704"
    )
    logging.getLogger("sundial").info("invite link: %s", link)
    assert link in sink.getvalue()


@pytest.mark.parametrize("place", [place for place in PLACES if place != "message"])
def test_of_other_libraries_no_text_comes_out(sink: io.StringIO, place: str) -> None:
    PLACES[place](logging.getLogger("discord.client"), HAND)
    assert sink.getvalue()
    assert "B7" not in sink.getvalue()


@pytest.mark.parametrize("place", [place for place in PLACES if "exception" in place or "error" in place])
def test_of_our_own_exceptions_no_text_comes_out(sink: io.StringIO, place: str) -> None:
    PLACES[place](logging.getLogger("cogs.transport.publisher"), HAND)
    assert "B7" not in sink.getvalue()


def test_a_fault_is_logged_with_its_kind_and_its_place(sink: io.StringIO) -> None:
    error = raised(KeyError(HAND))
    assert isinstance(error, Exception)
    logging.getLogger("cogs.transport.interactions").error(
        "fault 12: %s", type(error).__name__, exc_info=without_text(error)
    )
    said = sink.getvalue()
    assert "B7" not in said
    assert "tests/cogs/test_logs.py:" in said
    assert "in raised" in said
    assert "RuntimeError" not in said
    assert re.search(r'^    KeyError$|"error": "KeyError"', said, re.MULTILINE)


def test_what_says_what_happened_is_kept(sink: io.StringIO) -> None:
    logging.getLogger("cogs.transport.publisher").warning(
        "match %d: %s", 7, DiscordFailure(Failure.LATER, 40003), extra={"match": 7}
    )
    by_chain(logging.getLogger("cogs"), HAND)
    logging.getLogger("discord.http").warning("%s responded with %s, retrying in %.2f s", "PATCH", 429, 1.5)
    logging.getLogger("discord.state").warning("unknown member %s", 123_456_789_012_345_678)
    said = sink.getvalue()
    assert "match 7: DiscordFailure(code=40003, kind=LATER)" in said
    assert "tests/cogs/test_logs.py:" in said
    assert "in raised" in said
    assert "RuntimeError" in said
    assert "ValueError" in said
    assert "<str> responded with 429, retrying in 1.50 s" in said
    assert "unknown member <id>" in said


def test_a_line_of_json_holds_the_fields_that_are_allowed_and_no_others() -> None:
    formatter = Lines("json", OWN)
    facts = {"name": "cogs", "levelno": logging.ERROR, "levelname": "ERROR", "msg": "fault %s", "args": ("deadbeef",)}
    facts |= {"code": "deadbeef", "match": 7, "user": 12, "hand": HAND}
    record = logging.makeLogRecord(facts)
    record.exc_info = (ValueError, raised(ValueError(HAND)), None)
    line = formatter.format(record)
    assert "\n" not in line
    fields = json.loads(line)
    assert tuple(fields) == FIELDS
    assert fields["message"] == "fault deadbeef"
    assert fields["code"] == "deadbeef"
    assert fields["match"] == 7
    assert fields["error"] == "ValueError"
    assert fields["time"].endswith("+00:00")


def test_redacted_text_says_so() -> None:
    assert logs.redact(f"a {BOT_TOKEN} b") == f"a {HIDDEN} b"
    assert logs.redact("/webhooks/12/short/messages/@original") == f"/webhooks/12/{HIDDEN}/messages/@original"
    for harmless in ("cogs.transport.publisher", "data/sundial.db", "discord.ext.commands.bot", "3.11.2", "deadbeef"):
        assert logs.redact(harmless) == harmless


async def test_a_task_that_fails_unseen_is_reported_by_its_kind(sink: io.StringIO) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.report)
    try:
        loop.call_exception_handler({"message": "Task exception was never retrieved", "exception": ValueError(HAND)})
        loop.call_exception_handler({"message": "Unclosed connection"})
    finally:
        loop.set_exception_handler(None)
    assert "Task exception was never retrieved: ValueError" in sink.getvalue()
    assert "Unclosed connection" in sink.getvalue()
    assert "B7" not in sink.getvalue()


async def test_of_what_a_callback_was_called_with_no_text_comes_out(sink: io.StringIO) -> None:
    loop = asyncio.get_running_loop()
    for handler in (logs.report, None):
        loop.set_exception_handler(handler)
        loop.call_soon(lambda text: raised(ValueError(text)) and text.no_such_thing, HAND)
        await asyncio.sleep(0)
    loop.set_exception_handler(None)
    assert sink.getvalue().count("Exception in callback") == 2
    assert "AttributeError" in sink.getvalue()
    assert "B7" not in sink.getvalue()


# Ways past every logger: Python prints these itself.

STRAYS = """
import asyncio, logging, sys, threading, warnings
from cogs.runtime import logs

class Failing(Exception):
    pass

class Left:
    def __init__(self, text):
        self.text = text
    def __del__(self):
        raise Failing(self.text)

class Unprintable:
    def __init__(self, text):
        self.text = text
    def __str__(self):
        raise Failing(self.text)
    def __repr__(self):
        return self.text

def fail(text):
    raise Failing(text)

async def fail_later(text):
    fail(text)

async def unseen(text):
    asyncio.create_task(fail_later(text), name=text)
    asyncio.get_running_loop().call_soon(fail, text)
    await asyncio.sleep(0.01)

form, *planted = sys.argv[1:]
logs.set_up("DEBUG", form, planted[0])
for text in planted:
    Left(text)
    thread = threading.Thread(target=fail, args=(text,), name=text)
    thread.start()
    thread.join()
    warnings.warn(text)
    asyncio.run(unseen(text))
    logging.getLogger("cogs").error("unprintable: %s", Unprintable(text))
threading.Thread(target=sys.exit, args=(0,)).start()  # is no fault
fail(planted[-1])
"""


def place_of(code: str) -> str:
    return f"<string>:{STRAYS[: STRAYS.index(code)].count(chr(10)) + 1}"


@pytest.mark.parametrize("form", FORMATS)
def test_what_python_prints_by_itself_is_logged_without_its_text(form: str) -> None:
    planted = [OWN, BOT_TOKEN, INTERACTION_TOKEN, WEBHOOK_TOKEN, HAND]
    ended = subprocess.run(
        [sys.executable, "-c", STRAYS, form, *planted],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=HUNG,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    for text in planted:
        assert text not in ended.stderr
        assert json.dumps(text)[1:-1] not in ended.stderr
    assert "B7" not in ended.stderr
    assert f"{place_of('raise Failing(self.text)')} in __del__" in ended.stderr
    if form == "text":
        return
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert all(set(line) <= set(FIELDS) for line in lines)
    said = Counter((line["level"], line["message"]) for line in lines if line["level"] != "DEBUG")
    each = len(planted)
    assert said == {
        ("ERROR", "fault that cannot be raised: Failing"): each,
        ("ERROR", "fault in a thread: Failing"): each,
        ("WARNING", f"UserWarning at {place_of('warnings.warn')}"): each,
        ("ERROR", "Task exception was never retrieved"): each,
        ("ERROR", "Exception in callback fail"): each,
        ("ERROR", "unprintable: %s"): each,
        ("CRITICAL", "fault that ends the program: Failing"): 1,
    }
    assert all(line["where"][-1].startswith("<string>") for line in lines if "error" in line)


def test_who_has_taken_charge_of_logging_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = (sys.excepthook, sys.unraisablehook, logging.raiseExceptions)
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.NullHandler()])
    logs.set_up("INFO", "text", None)
    assert (sys.excepthook, sys.unraisablehook, logging.raiseExceptions) == before
