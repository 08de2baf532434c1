"""A process of its own that ends a throw-away PostgreSQL server when the process that started it is gone, also if that
was killed: `python server_watch.py PARENT FOLDER`. It imports nothing of this program.

It looks for its parent's number and not for the end of a pipe, as forked children of the parent would keep that open.
"""

import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

PAUSE = 0.2
"""Seconds between two looks."""
PATIENCE = 5.0
"""Seconds that the server has to end."""


def end(folder: Path) -> None:
    """End the server whose data is in that folder, if one runs there, and delete the folder."""
    noted = folder / "data" / "postmaster.pid"
    with suppress(OSError, ValueError):  # no server, or one that has just ended
        server = int(noted.read_text(encoding="ascii").split("\n", 1)[0])
        os.kill(server, signal.SIGQUIT)  # its processes end at once; it deletes the note
        until = time.monotonic() + PATIENCE
        while noted.exists() and time.monotonic() < until:
            time.sleep(0.02)
        if noted.exists():
            os.kill(server, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def watch(parent: int, folder: Path) -> None:
    """Wait until that process is no more this one's parent, then end the server."""
    while os.getppid() == parent:
        time.sleep(PAUSE)
    end(folder)


if __name__ == "__main__":
    watch(int(sys.argv[1]), Path(sys.argv[2]))
