"""`make bench`: prints a line for each pair. Name parts to run only these: `python -m tests.benchmarks playouts`.

Without names it runs all but many-servers, which takes half an hour by itself and nearly 2 GB.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

from tests.benchmarks import busy, history, iterations, memory, pictures, playouts, presses, scale, storage
from tests.benchmarks.many import report
from tests.benchmarks.pairs import HEAD, Row, measure
from tests.support.bound import bind_children

PARTS: dict[str, Callable[[], AbstractContextManager[Iterable[str | Row]]]] = {
    "playouts": lambda: nullcontext(playouts.rows()),
    "iterations": lambda: nullcontext(iterations.rows()),
    "pictures": lambda: nullcontext(pictures.rows()),
    "storage": storage.rows,
    "presses": presses.rows,
    "scale": scale.rows,
    "memory": lambda: nullcontext(memory.rows()),
    "busy": busy.rows,
    "history": history.rows,
    "many-servers": report.rows,
}
BY_NAME = {"many-servers"}
"""What runs only if it is named."""


def main(chosen: list[str]) -> int:
    """The exit code is 0 whatever is measured: times are for people to judge."""
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}\n\n{HEAD}")
    missed = 0
    for name, part in PARTS.items():
        if name not in chosen and (chosen or name in BY_NAME):
            continue
        with part() as rows:
            for row in rows:
                if isinstance(row, str):
                    print(row, flush=True)
                    continue
                result = measure(row)
                missed += not result.holds
                print(result, flush=True)
    print(f"\n{missed} below their bounds." if missed else "\nAll within their bounds.")
    return 0


if __name__ == "__main__":
    bind_children()
    sys.exit(main(sys.argv[1:]))
