"""The interface to recorder.c, which records operations on files: build it, preload it, and call it from there."""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("recorder.c")
_HEAD = struct.Struct("=qqqq")


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on a file. `kind` is a letter: see recorder.c."""

    kind: str
    name: str
    offset: int
    data: bytes


def missing() -> str | None:
    """Return why the recorder does not work on this machine, or None if it does."""
    if not sys.platform.startswith("linux"):
        return "operations on files are recorded on Linux only"
    if shutil.which("cc") is None:
        return "there is no C compiler (cc) to build the recorder with"
    return None


def preloaded() -> bool:
    """Return whether this process has loaded the recorder."""
    return hasattr(ctypes.CDLL(None), "recorder_start")


def run_preloaded(folder: Path, arguments: list[str]) -> int:
    """Run `python -m tests.reliability` with the recorder, built into that folder. Return the exit code."""
    library = folder / "recorder.so"
    build = ["cc", "-shared", "-fPIC", "-O2", "-Wall", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
    subprocess.run(build, check=True)
    command = [sys.executable, "-m", "tests.reliability", *arguments]
    return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library)}, check=False).returncode


def watch(folder: Path, log: Path | None = None) -> None:
    """From now on watch the operations on the files of that folder, and record them in the log, if any."""
    ctypes.CDLL(None).recorder_start(os.fsencode(folder), None if log is None else os.fsencode(log))


def arm(k: int, error: int, forever: bool) -> None:
    """Let the k-th operation from now on fail with that errno, and all later ones too if `forever`. 0: none fails."""
    ctypes.CDLL(None).recorder_arm(ctypes.c_long(k), error, int(forever))


def operations() -> int:
    """Return the number of operations since `arm`."""
    count = ctypes.CDLL(None).recorder_operations
    count.restype = ctypes.c_long
    return int(count())


def failed() -> str | None:
    """Return the kind of the last operation that failed since `arm`, or None; "O" is an overwrite."""
    kind = ctypes.CDLL(None).recorder_failed()
    return chr(kind) if kind else None


def read(log: Path) -> Iterator[Operation]:
    """Yield the operations of a recording in order."""
    recorded, place = log.read_bytes(), 0
    while place < len(recorded):
        kind, name, offset, data = _HEAD.unpack_from(recorded, place)
        place += _HEAD.size
        text = recorded[place : place + name].decode()
        place += name
        yield Operation(chr(kind), text, offset, recorded[place : place + data])
        place += data
