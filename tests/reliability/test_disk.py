"""Tests of the harnesses' own parts: a disk after a power cut, a history that was cut off."""

from __future__ import annotations

from random import Random

import pytest

from tests.reliability.history import Answer, History, Press, answer_line, press_line
from tests.reliability.power_cuts import SECTOR, Cut, Disk
from tests.reliability.recorder import Operation

PRESS = Press(1, 101, "3", "play B1")


def disk(*operations: tuple[str, str, int, bytes]) -> Disk:
    made = Disk()
    for operation in operations:
        made.take(Operation(*operation))
    return made


CREATED = [("C", "db", 0, b""), ("S", ".", 0, b"")]


@pytest.mark.parametrize("cut", Cut)
def test_what_was_synced_outlasts_every_cut(cut: Cut) -> None:
    made = disk(*CREATED, ("W", "db", 0, b"abc"), ("W", "db", 4, b"e"), ("T", "db", 2, b""), ("S", "db", 0, b""))
    assert made.after(cut, Random(1)) == {"db": b"ab"}


def test_of_what_was_not_synced_a_cut_leaves_all_nothing_or_any_sectors() -> None:
    made = disk(*CREATED, ("W", "db", 0, b"old" * SECTOR), ("S", "db", 0, b""), ("W", "db", 0, b"new" * SECTOR))
    assert made.after(Cut.DROPS, Random(1)) == {"db": b"old" * SECTOR}
    assert made.after(Cut.KEEPS, Random(1)) == {"db": b"new" * SECTOR}
    seen = {bytes(made.after(Cut.SHUFFLES, Random(seed))["db"]) for seed in range(99)}
    assert len(seen) == 2**3  # three sectors


def test_a_name_is_synced_with_its_folder() -> None:
    made = disk(("C", "db", 0, b""), ("W", "db", 0, b"abc"), ("S", "db", 0, b""))
    assert made.after(Cut.DROPS, Random(1)) == {}
    assert made.after(Cut.KEEPS, Random(1)) == {"db": b"abc"}
    made.take(Operation("S", ".", 0, b""))
    made.take(Operation("U", "db", 0, b""))
    assert made.after(Cut.DROPS, Random(1)) == {"db": b"abc"}
    assert made.after(Cut.KEEPS, Random(1)) == {}


def test_shared_memory_is_gone_after_every_cut() -> None:
    made = disk(("C", "db-shm", 0, b""), ("W", "db-shm", 0, b"abc"), ("S", ".", 0, b""))
    assert made.after(Cut.KEEPS, Random(1)) == {}


def test_a_line_that_was_cut_off_was_not_said() -> None:
    history = History()
    history.read([press_line(PRESS), answer_line(Answer(PRESS, 7))[:-1]])
    assert history.unanswered == PRESS
    history.read([answer_line(Answer(PRESS, 7))])
    assert history.answers == [Answer(PRESS, 7)]
    assert history.copy().unanswered is None
