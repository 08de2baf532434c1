"""The list of those who had their data deleted: whatever a crash or a power cut has left of it, it is read and kept."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from data import departures
from data.database import Database
from data.departures import Departures
from data.privacy import Privacy

ANN, BEN, CEM = 101, 102, 103


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list with Ann and Ben on it."""
    monkeypatch.setattr(departures, "COST", 1 << 4)
    people = Departures(tmp_path / "sundial.db")
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
    people = Departures(path.with_name("sundial.db"))
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
    Departures(path.with_name("sundial.db")).note(ANN, 100)
    assert synced == [(file.stat().st_dev, file.stat().st_ino) for file in (path, path.parent)]


def test_half_a_line_written_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that has become full takes a part, and says so only by its length."""
    write = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, data: write(handle, data[:20]))
        with pytest.raises(OSError, match="space"):
            Departures(path.with_name("sundial.db")).note(CEM, 300)
    people = Departures(path.with_name("sundial.db"))
    people.note(CEM, 400)
    assert people.since([ANN, BEN, CEM], 0) == [ANN, BEN, CEM]


async def test_a_list_that_cannot_be_written_keeps_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    base = await Database.open(":memory:")
    await Privacy(base, (), Departures(tmp_path / "no folder" / "sundial.db")).note_departure(ANN, 100)
    assert "comes back with an older backup" in caplog.text
    await base.close()
