"""What is killed half-way: a restoration at each of its steps, an upgrade at any of its statements."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from data.records.key_values import KeyValues
from data.store import backup_files
from data.store.backups import restore
from data.store.database import Database, DatabaseRefusal
from tests.data.backups import NOON, service
from tests.data.test_database import ROOT, STEPS, version
from tests.data.test_schemas import EARLIER, old
from tests.support.hung import HUNG

COUNTED = """
import asyncio, os, shutil, sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path

steps = 0

def counted(do):
    def step(*given, **named):
        global steps
        steps += 1
        if steps == int(sys.argv[2]):
            os._exit(9)
        return do(*given, **named)
    return step

class Connection(sqlite3.Connection):
    execute, close = counted(sqlite3.Connection.execute), counted(sqlite3.Connection.close)

connect = sqlite3.connect
sqlite3.connect = lambda *given, **named: connect(*given, **named, factory=Connection)
"""
RESTORING = f"""{COUNTED}
from data.store import backups
for module, name in ((shutil, "copyfile"), (Path, "rename"), (backups.backup_files, "sync"), (Path, "chmod")):
    setattr(module, name, counted(getattr(module, name)))
backups.restore(Path(sys.argv[1]), None, datetime.now(UTC))
print(steps)
"""
UPGRADING = f"""{COUNTED}
from data.store.database import Database
async def upgrade():
    await (await Database.open(sys.argv[1])).close()
asyncio.run(upgrade())
print(steps)
"""
LIVING = """
import asyncio, os, sys
from data.store.database import Database
from data.records.key_values import KeyValues
async def live():
    base = await Database.open(sys.argv[1])  # dropped, it would be closed, perhaps before the end
    await KeyValues(base).put("state", "new")
    os._exit(9)
asyncio.run(live())
"""


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG)


async def state(path: Path) -> str | None:
    """What is in the database; None where it is refused as one that is gone."""
    try:
        base = await Database.open(path)
    except DatabaseRefusal as refusal:
        assert refusal.code == 74
        assert "--restore" in str(refusal)
        return None
    found = await KeyValues(base).get("state")
    await base.close()
    return found


async def with_a_backup(path: Path) -> Path:
    """A database of which there is a backup, and newer things in the log of a bot that was killed."""

    base = await Database.open(path)
    await KeyValues(base).put("state", "old")
    await service(base, path).make()
    await base.close()
    killed = run(LIVING, path)
    assert killed.returncode == 9, killed.stderr
    assert backup_files.wal(path).exists()
    return path


def copied(path: Path, folder: Path) -> Path:
    """The same database in another folder, with all that lies beside it but shared memory."""
    shutil.copytree(path.parent, folder, ignore=shutil.ignore_patterns("*-shm"))
    return folder / path.name


@pytest.mark.long
async def test_a_restoration_is_killed_at_each_step(tmp_path: Path) -> None:
    """What there was is there, or what comes back, or neither and that is said; and a second one brings it back."""
    (tmp_path / "before").mkdir()
    path = await with_a_backup(tmp_path / "before" / "sundial.db")
    copied(path, tmp_path / "whole")
    steps = int(run(RESTORING, tmp_path / "whole" / path.name, 0).stdout)
    found = []
    for step in range(1, steps + 1):
        cut = copied(path, tmp_path / str(step))
        assert run(RESTORING, cut, step).returncode == 9
        found.append(await state(cut))
        restore(cut, None, NOON)
        assert await state(cut) == "old"
    assert found == sorted(found, key=("new", None, "old").index), "one after the other"
    assert set(found) == {"new", None, "old"}


@pytest.mark.parametrize("number", [pytest.param(EARLIER[0], marks=pytest.mark.long), EARLIER[-1]])
async def test_an_upgrade_is_killed(number: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The old tables are there, all of them, or the new ones; the next start brings them up to date."""
    seed = request.node.nodeid
    print(f"statements by seed {seed}")
    (tmp_path / "before").mkdir()
    before = old(tmp_path / "before", number)
    steps = int(run(UPGRADING, copied(before, tmp_path / "whole"), 0).stdout)
    found = []
    for step in [*sorted(Random(seed).sample(range(1, steps), 6)), steps]:
        path = copied(before, tmp_path / str(step))
        assert run(UPGRADING, path, step).returncode == 9
        found.append(version(path))
        await (await Database.open(path)).close()
        assert version(path) == STEPS
        assert all(backup_files.verify(backup.path) == (number, []) for backup in backup_files.backups(path))
    assert found == sorted(found) and set(found) == {number, STEPS}
