"""The PostgreSQL server for tests and `make play-postgresql`: it starts within a time limit, and none is left over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cogs.local import postgres_server
from cogs.local.postgres_server import NoServer, PostgresServer, programs
from tests.support.hung import HUNG
from tests.support.postgres import REQUIRED

ROOT = Path(__file__).resolve().parents[2]
START = (
    "import time; from cogs.local.postgres_server import PostgresServer; server = PostgresServer(); "
    "print(server._process.pid, server._folder, flush=True); time.sleep(100_000)"
)
LONGEST = HUNG


def there(process: int) -> bool:
    """Return whether that process runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def soon(holds: Callable[[], bool]) -> bool:
    """Return whether that holds within a minute."""
    until = time.monotonic() + LONGEST
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(programs() is None and REQUIRED not in os.environ, reason="there is no PostgreSQL")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not list its processes in /proc")
def test_a_killed_process_leaves_no_server_and_no_folder() -> None:
    with subprocess.Popen([sys.executable, "-c", START], cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        server, folder = starter.stdout.readline().split()
        assert there(int(server)) and Path(folder).exists()
        os.kill(starter.pid, signal.SIGKILL)
    assert soon(lambda: not there(int(server)))
    assert soon(lambda: not Path(folder).exists())


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
@pytest.mark.parametrize(
    ("initdb", "patience", "said"),
    [
        ("sleep 600 & echo $! > {note}; wait", 1.0, "initdb of PostgreSQL did not end within 1 s"),
        ("echo no room; exit 1", HUNG, "initdb of PostgreSQL failed: no room"),
    ],
    ids=["it hangs", "it fails"],
)
def test_a_start_that_fails_or_hangs_ends_with_a_sentence(
    initdb: str, patience: float, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, note = tmp_path / "bin", tmp_path / "note"
    folder.mkdir()
    (folder / "initdb").write_text(f"#!/bin/sh\n{initdb.format(note=note)}\n")
    (folder / "initdb").chmod(0o755)
    monkeypatch.setattr(postgres_server, "programs", lambda: folder)
    monkeypatch.setattr(postgres_server, "PATIENCE", patience)
    monkeypatch.setattr(os, "geteuid", lambda: 1)  # no other user, who could not enter this folder
    made = tmp_path / "made"
    made.mkdir()
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: str(made))
    with pytest.raises(NoServer, match=said) as caught:
        PostgresServer()
    assert caught.value.code == 68
    assert not made.exists()
    if note.exists() and (pid := note.read_text()):
        assert soon(lambda: not there(int(pid)))
