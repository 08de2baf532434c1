"""Work in a process of its own that begins with everything imported. Only a process without threads may fork."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from traceback import format_exception
from typing import Any, ParamSpec

P = ParamSpec("P")


class Failed(Exception):
    """A child raised something: what, and its traceback."""


def broken_off(error: BaseException) -> str:
    """What somebody reads who looks for why an error came."""
    return f"broken off: {error!r}\n{''.join(format_exception(error))}"


def forked(work: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
    """What `work` gives back in a child of this process, through JSON; None where it leaves early. Raises Failed."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            said = json.dumps([work(*args, **kwargs), None])
        except BaseException as error:
            said = json.dumps([None, broken_off(error)])
        with os.fdopen(outward, "w") as out:
            out.write(said)
        os._exit(0)
    os.close(outward)
    with os.fdopen(inward) as heard:
        text = heard.read()
    _, status = os.waitpid(child, 0)
    result, why = json.loads(text) if text else (None, None)
    if why or status:
        raise Failed(why or f"it ended with the status {status}")
    return result
