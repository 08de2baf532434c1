"""Work in a process of its own that begins with everything imported. Only a process without threads may fork."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from traceback import format_exc
from typing import Any, ParamSpec

P = ParamSpec("P")


class Failed(Exception):
    """A child raised something: its traceback."""


def forked(work: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
    """What `work` gives back in a child of this process, through JSON; None where it leaves early. Raises Failed."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            said = json.dumps([work(*args, **kwargs), None])
        except BaseException:
            said = json.dumps([None, format_exc()])
        with os.fdopen(outward, "w") as out:
            out.write(said)
        os._exit(0)
    os.close(outward)
    with os.fdopen(inward) as heard:
        text = heard.read()
    _, status = os.waitpid(child, 0)
    result, error = json.loads(text) if text else (None, None)
    if error or status:
        raise Failed(error or f"it ended with the status {status}")
    return result
