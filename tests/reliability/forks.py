"""Work in a process of its own that begins with everything imported. Only a process without threads may fork."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from traceback import format_exc
from typing import ParamSpec

P = ParamSpec("P")


def forked(work: Callable[P, list[str]], *args: P.args, **kwargs: P.kwargs) -> list[str]:
    """What `work` gives back in a child of this process; what it raises is in the list as a traceback. A child that
    leaves early gives nothing; raises RuntimeError where it leaves with an error.
    """
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            found = work(*args, **kwargs)
        except BaseException:
            found = [format_exc()]
        with os.fdopen(outward, "w") as out:
            json.dump(found, out)
        os._exit(0)
    os.close(outward)
    with os.fdopen(inward) as said:
        text = said.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError(f"a child ended with the status {status}")
    found = json.loads(text) if text else []
    assert isinstance(found, list)
    return found
