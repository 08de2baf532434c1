"""The list of those who had their data deleted: whatever a crash or a power cut has left of it, it is read and kept."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.records.people import People
from data.records.privacy import Privacy
from data.store import erasure_log
from data.store.backups import Backups, restore
from data.store.database import Database
from data.store.erasure_log import ErasureLog

ANN, BEN, CEM = 101, 102, 103


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list with Ann and Ben on it."""
    monkeypatch.setattr(erasure_log, "COST", 1 << 4)
    people = ErasureLog(tmp_path / "sundial.db")
    people.note(ANN, 100)
    people.note(BEN, 200)
    assert people.since([ANN, BEN, CEM], 0) == [ANN, BEN]
    assert people.since([ANN, BEN, CEM], 101) == [BEN]
    return tmp_path / "sundial.db.departed"


@pytest.mark.parametrize(
    ("torn", "left", "said"),
    [
        pytest.param(lambda whole: whole[:-20], [ANN], True, id="half a line"),
        pytest.param(lambda whole: whole[:-37] + bytes(37), [ANN], True, id="NULs"),
        pytest.param(lambda whole: whole[:-1], [ANN, BEN], False, id="no end"),
        pytest.param(lambda whole: whole + b"\n", [ANN, BEN], False, id="a blank line"),
        pytest.param(lambda whole: whole + b"\xff\n" + bytes(7), [ANN, BEN], True, id="garbage"),
        pytest.param(lambda whole: whole[:10], [], True, id="half the salt"),
        pytest.param(lambda whole: bytes(32) + whole[32:], [], True, id="no salt"),
        pytest.param(lambda whole: bytes(len(whole)), [], True, id="nothing but NULs"),
        pytest.param(lambda _: b"", [], False, id="empty"),
    ],
)
def test_what_is_torn_is_passed_over_with_a_word_and_the_list_goes_on(
    torn: Callable[[bytes], bytes], left: list[int], said: bool, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(torn(path.read_bytes()))
    people = ErasureLog(path.with_name("sundial.db"))
    assert people.since([ANN, BEN, CEM], 0) == left
    assert any(record.levelno == logging.WARNING and path.name in record.message for record in caplog.records) == said
    people.note(CEM, 300)
    people.note(ANN, 400)
    assert people.since([ANN, BEN, CEM], 0) == sorted({*left, CEM, ANN})
    assert people.since([ANN, BEN, CEM], 300) == [ANN, CEM]
    assert people.since([ANN, BEN, CEM], 301) == [ANN]


def test_it_is_on_the_disk_with_its_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.unlink()
    synced = list[tuple[int, int]]()
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append((os.fstat(handle).st_dev, os.fstat(handle).st_ino)))
    ErasureLog(path.with_name("sundial.db")).note(ANN, 100)
    assert synced == [(file.stat().st_dev, file.stat().st_ino) for file in (path, path.parent)]


def test_half_a_line_written_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that has become full takes a part, and says so only by its length."""
    write = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, data: write(handle, data[:20]))
        with pytest.raises(OSError, match="space"):
            ErasureLog(path.with_name("sundial.db")).note(CEM, 300)
    people = ErasureLog(path.with_name("sundial.db"))
    people.note(CEM, 400)
    assert people.since([ANN, BEN, CEM], 0) == [ANN, BEN, CEM]


def test_a_list_is_understood_for_ever_and_is_its_owners_alone(tmp_path: Path) -> None:
    """The numbers of scrypt never change: what an older version wrote must still name the same user."""
    path = tmp_path / "sundial.db.departed"
    path.write_text("000102030405060708090a0b0c0d0e0f\n100 74573cf1e6156ea218e7a20f463bea4d\n", encoding="ascii")
    assert ErasureLog(tmp_path / "sundial.db").since([ANN, BEN], 0) == [ANN]
    path.unlink()
    before = os.umask(0)
    try:
        ErasureLog(tmp_path / "sundial.db").note(ANN, 100)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_list_that_cannot_be_read_stops_no_deletion(
    life: Life, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: ErasureLog) -> str:
        raise OSError(5, "Input/output error")

    async with life:
        await life.people.meet(ANN, "Ann")
        with monkeypatch.context() as patch:
            patch.setattr(ErasureLog, "last", fails)
            await life.privacy.erase(ANN, life.now)
        assert await life.there() == []
    assert "the list of deleted users cannot be read: Input/output error" in caplog.text


async def test_a_list_that_cannot_be_written_keeps_no_person(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    base = await Database.open(":memory:")
    await Privacy(base, (), ErasureLog(tmp_path / "no folder" / "sundial.db")).note_departure(ANN, 100)
    assert "an older backup would bring one back" in caplog.text
    await base.close()


def test_after_a_line_whatever_the_clock_said(path: Path) -> None:
    people = ErasureLog(path.with_name("sundial.db"))
    last = people.last()
    assert people.after([ANN, BEN, CEM], "") == [ANN, BEN]
    assert people.after([ANN, BEN, CEM], last) == []
    people.note(CEM, 50)
    people.note(ANN, 40)
    assert people.after([ANN, BEN, CEM], last) == [ANN, CEM]
    assert people.after([ANN, BEN, CEM], people.last()) == []
    assert people.after([ANN, BEN, CEM], "1 of a list that is gone") == [ANN, BEN, CEM]


def test_where_there_is_no_list_no_person_is_on_it(tmp_path: Path) -> None:
    for people in (ErasureLog(None), ErasureLog(tmp_path / "sundial.db")):
        assert (people.last(), people.after([ANN], "")) == ("", [])


# --- with backups


class Life:
    """A database with its backups and its list, and a clock that may be set."""

    def __init__(self, folder: Path) -> None:
        self.path, self.now = folder / "sundial.db", 1_770_000_000

    async def __aenter__(self) -> Life:
        self.base = await Database.open(self.path)
        self.people = People(self.base)
        self.privacy = Privacy(self.base, (self.people.forget,), ErasureLog(self.path))
        await self.privacy.erase_again(self.now)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.base.close()

    async def backup(self) -> Path:
        return await Backups(self.base, self.path, 0, lambda: self.now).make()

    async def delete(self, user: int) -> None:
        await self.privacy.note_departure(user, self.now)
        await self.privacy.erase(user, self.now)

    async def there(self) -> list[int]:
        return [user for user in (ANN, BEN, CEM) if await self.people.get(user) is not None]

    async def back(self, backup: Path) -> list[int]:
        """Who is there once it has been restored, and started."""
        for aside in restore(self.path, backup, datetime.fromtimestamp(self.now, UTC)).aside:
            aside.unlink()  # else there is one of this second already
        async with self:
            return await self.there()


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Life:
    monkeypatch.setattr(erasure_log, "COST", 1 << 4)
    return Life(tmp_path)


@pytest.mark.parametrize("ahead", [7_200, -7_200])
async def test_a_backup_of_another_time_of_day_brings_no_person_back(life: Life, ahead: int) -> None:
    """It was made while the clock was wrong, before they had their data deleted."""
    async with life:
        await life.people.meet(ANN, "Ann")
        life.now += ahead
        backup = await life.backup()
        life.now -= ahead
        await life.delete(ANN)
    assert await life.back(backup) == []


async def test_a_backup_that_is_made_while_somebody_leaves_their_tables_brings_no_person_back(life: Life) -> None:
    async with life:
        await life.people.meet(ANN, "Ann")
        await life.privacy.note_departure(ANN, life.now)
        life.now += 1
        backup = await life.backup()
        await life.privacy.erase(ANN, life.now)
    assert await life.back(backup) == []


async def test_who_has_come_back_by_themselves_stays(life: Life) -> None:
    """Where the backup knows of it: one of this life, and one that was made after an older one was restored."""
    async with life:
        await life.people.meet(ANN, "Ann")
        first = await life.backup()
        await life.delete(ANN)
        await life.people.meet(ANN, "Ann")
        life.now += 60
        second = await life.backup()
        await life.people.meet(BEN, "Ben")
        await life.delete(BEN)
    assert await life.back(second) == [ANN]
    assert await life.back(first) == []
    async with life:
        for user in (ANN, BEN):
            await life.people.meet(user, "Somebody")
        life.now += 60
        third = await life.backup()
    assert await life.back(third) == [ANN, BEN]


async def test_after_a_restore_no_one_is_deleted_a_second_time(life: Life) -> None:
    """The next start deletes no one again, nor does the restoration of a backup that was made after they came back."""
    async with life:
        empty = await life.backup()
        await life.people.meet(ANN, "Ann")
        life.now += 60
        first = await life.backup()
        await life.delete(ANN)
    for backup in (first, empty):
        assert await life.back(backup) == []
        async with life:
            assert await life.privacy.erase_again(life.now) == 0
            await life.people.meet(ANN, "Ann")
            life.now += 60
            later = await life.backup()
        async with life:
            assert await life.there() == [ANN]
        assert await life.back(later) == [ANN]


async def test_a_backup_of_a_version_that_went_by_its_second(life: Life) -> None:
    async with life:
        for user in (ANN, BEN):
            await life.people.meet(user, "Somebody")
        ErasureLog(life.path).note(ANN, life.now - 1)
        backup = await life.backup()
        ErasureLog(life.path).note(BEN, life.now + 1)
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE setting SET value = ? WHERE name = 'restored'", (str(life.now),))
    assert await life.back(backup) == [ANN]
