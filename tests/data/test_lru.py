"""The values that were used last are kept, and no more than asked for."""

from __future__ import annotations

from threading import Thread

from data.lru import Lru


def test_the_longest_unused_goes_first() -> None:
    kept = Lru[str, int](2)
    kept["a"], kept["b"] = 1, 2
    assert kept.get("a") == 1  # used now
    kept["c"] = 3
    assert (kept.get("a"), kept.get("b"), kept.get("c"), len(kept)) == (1, None, 3, 2)
    kept["a"] = 4  # used by being set
    kept["d"] = 5
    assert "c" not in kept
    assert kept.get("a") == 4


def test_what_is_dropped_is_gone_and_may_be_dropped_again() -> None:
    kept = Lru[str, int](2)
    kept["a"] = 1
    for _ in range(2):
        kept.pop("a")
    assert "a" not in kept
    kept["b"] = 2
    kept.clear()
    assert len(kept) == 0


def test_one_thread_reads_while_another_writes() -> None:
    """As the loop reads matches that the database's thread keeps."""
    kept, wrong = Lru[int, int](3), list[object]()

    def write() -> None:
        for number in range(20_000):
            kept[number % 7] = number % 7

    writer = Thread(target=write)
    writer.start()
    while writer.is_alive():
        for number in range(7):
            value = kept.get(number)
            if value not in (None, number):
                wrong.append(value)
    writer.join()
    assert not wrong
    assert len(kept) == 3
