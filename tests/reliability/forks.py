"""Run a function in a forked process, which has everything imported. Only a process without threads may fork."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine
from traceback import format_exception
from typing import Any, NoReturn, ParamSpec

from tests.reliability.history import violation_line

P = ParamSpec("P")


class ChildFailed(Exception):
    """The child raised an error; the message has its traceback."""


def describe_error(error: BaseException) -> str:
    """Return an error with its traceback, as text."""
    return f"broken off: {error!r}\n{''.join(format_exception(error))}"


def run_forked(work: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
    """Return what `work` returns in a child process, through JSON; None if it exits early. Raises ChildFailed."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            said = json.dumps([work(*args, **kwargs), None])
        except BaseException as error:
            said = json.dumps([None, describe_error(error)])
        with os.fdopen(outward, "w") as out:
            out.write(said)
        os._exit(0)
    os.close(outward)
    with os.fdopen(inward) as heard:
        text = heard.read()
    _, status = os.waitpid(child, 0)
    result, why = json.loads(text) if text else (None, None)
    if why or status:
        raise ChildFailed(why or f"it ended with the status {status}")
    return result


def live(outward: int, press_on: Callable[[Callable[[str], object]], Coroutine[Any, Any, None]]) -> NoReturn:
    """Press until killed: `press_on` gets what writes a line of the history. After an error, or if it returns, wait for
    the kill; an error is a violation.
    """

    def write_line(line: str) -> None:
        os.write(outward, line.encode())

    try:
        asyncio.run(press_on(write_line))
    except BaseException as error:
        write_line(violation_line(describe_error(error)))
    while True:
        signal.pause()
