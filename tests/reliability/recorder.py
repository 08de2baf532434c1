"""The recorder in C: compiled where there is a compiler, preloaded into a process of its own, spoken to from there."""

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
    """What was done to a file, in one letter: see recorder.c."""

    kind: str
    name: str
    offset: int
    data: bytes


def missing() -> str | None:
    """Why nothing can be recorded here; None where it can."""
    if not sys.platform.startswith("linux"):
        return "operations on files are recorded on Linux only"
    if shutil.which("cc") is None:
        return "there is no C compiler (cc) to build the recorder with"
    return None


def preloaded() -> bool:
    """Whether this process has the recorder in it."""
    return hasattr(ctypes.CDLL(None), "recorder_start")


def run_preloaded(folder: Path, arguments: list[str]) -> int:
    """Run `python -m tests.reliability` with the recorder, built into that folder. Gives the exit code."""
    library = folder / "recorder.so"
    build = ["cc", "-shared", "-fPIC", "-O2", "-Wall", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
    subprocess.run(build, check=True)
    command = [sys.executable, "-m", "tests.reliability", *arguments]
    return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library)}, check=False).returncode


def watch(folder: Path, log: Path | None = None) -> None:
    """See what this process does to the files of that folder from now on; what it does to them goes into the log."""
    ctypes.CDLL(None).recorder_start(os.fsencode(folder), None if log is None else os.fsencode(log))


def arm(k: int, error: int, forever: bool) -> None:
    """Let the k-th operation from now on fail with that errno, and all after it where it is for ever. 0: none."""
    ctypes.CDLL(None).recorder_arm(ctypes.c_long(k), error, int(forever))


def operations() -> int:
    """How many there were since `arm`."""
    count = ctypes.CDLL(None).recorder_operations
    count.restype = ctypes.c_long
    return int(count())


def failed() -> str | None:
    """The kind of the last operation that has failed since `arm`; "O" for a write over what was there."""
    kind = ctypes.CDLL(None).recorder_failed()
    return chr(kind) if kind else None


def read(log: Path) -> Iterator[Operation]:
    """The operations of a recording, in their order."""
    recorded, place = log.read_bytes(), 0
    while place < len(recorded):
        kind, name, offset, data = _HEAD.unpack_from(recorded, place)
        place += _HEAD.size
        text = recorded[place : place + name].decode()
        place += name
        yield Operation(chr(kind), text, offset, recorded[place : place + data])
        place += data
