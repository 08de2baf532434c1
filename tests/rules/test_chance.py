"""The shuffle: anybody can recompute it from the documented construction, every order is equally likely."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import count, product
from math import factorial
from typing import Any

import pytest

from rules.core import chance
from rules.core.chance import Shuffled, commitment, drawn_seats, seed_of, shuffle
from rules.core.game import Seat

SEEDS = ("", "a seed", "0" * 64, "f" * 64, "Sonne ☀ 太陽", "a:b:c", "x" * 1_000)


def recomputed(seed: str, deal: int, cards: Any) -> tuple[Any, ...]:
    """The ten lines that a player would write after the documentation alone."""
    stream = (
        int.from_bytes(sha256(f"{seed}:{deal}:{block}".encode()).digest()[8 * word : 8 * word + 8], "big")
        for block in count()
        for word in range(4)
    )
    cards = list(cards)
    for last in reversed(range(1, len(cards))):
        n = next(x for x in stream if x < 2**64 // (last + 1) * (last + 1)) % (last + 1)
        cards[last], cards[n] = cards[n], cards[last]
    return tuple(cards)


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_lines_recompute_every_shuffle(seed: str) -> None:
    for size, deal in product((0, 1, 2, 3, 30, 51, 80, 200), (0, 1, 2, 17)):
        order = shuffle(seed, deal, range(size))
        assert order == recomputed(seed, deal, range(size))
        assert sorted(order) == list(range(size))


def test_known_answers_never_change() -> None:
    """Matches that people have stored replay with these; a change here would break each of them."""
    assert shuffle("a seed", 0, "ABCDE") == tuple("AEDBC")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert shuffle("0" * 64, 0, "BGRPY") == tuple("PGRYB")
    assert shuffle("0" * 64, 1, "BGRPY") == tuple("PRYGB")
    assert shuffle("", 0, alphabet) == tuple("XRNKTGCQOFPSJBZMEIWVUYDALH")
    assert shuffle("Sonne ☀ 太陽", 3, alphabet) == tuple("EPNDJMLKBXSUYTQIOZFWHVGACR")
    digest = sha256(bytes(shuffle("f" * 64, 2, range(80)))).hexdigest()
    assert digest == "a5bc12a74fee4057f4c8c3fefae516f1c86cc7e96775634aee19f05da0428261"


def test_the_input_is_left_as_it_was() -> None:
    cards = ["A", "B", "C", "D"]
    shuffle("a seed", 0, cards)
    assert cards == ["A", "B", "C", "D"]


def test_equal_items_are_kept() -> None:
    assert Counter(shuffle("a seed", 1, "AABBBC")) == Counter("AABBBC")


def test_deals_and_seeds_do_not_depend_on_each_other() -> None:
    orders = [shuffle(f"seed {n}", deal, range(52)) for n in range(20) for deal in range(20)]
    assert len(set(orders)) == len(orders)


def test_a_number_past_the_last_whole_multiple_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hardly ever happens, but folding such a number would favour the first items."""

    class Digest:
        def __init__(self, data: bytes) -> None:
            self.words = (2**64 - 1, 2**64 - 2, 0, 5) if data.endswith(b":0") else (1, 1, 1, 1)

        def digest(self) -> bytes:
            return b"".join(word.to_bytes(8, "big") for word in self.words)

    monkeypatch.setattr(chance, "sha256", Digest)
    # Of three: 2**64 - 1 is the one number that is skipped; 2**64 - 2 is 2 modulo 3, so the last item stays.
    # Of two: the next is 0, so the first two change places.
    assert shuffle("", 0, "ABC") == ("B", "A", "C")


SEEDS_TRIED = 6_000


def test_every_item_is_equally_likely_at_every_place() -> None:
    """Chi-square of place by item. The seeds are fixed: it fails by a change of the code, never by bad luck."""
    size = 6
    seen = Counter(
        (place, item)
        for n in range(SEEDS_TRIED)
        for place, item in enumerate(shuffle(f"place {n}", n % 4, range(size)))
    )
    expected = SEEDS_TRIED / size
    statistic = sum((seen[p, i] - expected) ** 2 / expected for p in range(size) for i in range(size))
    # Rows and columns both add up, so the scaled statistic has (size - 1)**2 = 25 degrees of freedom;
    # 52.6 is passed by chance once in a thousand.
    assert statistic * (size - 1) / size < 52.6


def test_every_order_is_equally_likely() -> None:
    """Chi-square of all 24 orders of four items: 23 degrees of freedom, 49.7 is passed once in a thousand."""
    seen = Counter(shuffle(f"order {n}", 0, "ABCD") for n in range(SEEDS_TRIED))
    assert len(seen) == factorial(4)
    expected = SEEDS_TRIED / factorial(4)
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 49.7


def test_the_next_deal_does_not_follow_from_the_last() -> None:
    """Chi-square of the first item of two deals in a row: 24 degrees of freedom, 51.2 is passed once in a thousand."""
    seen = Counter(
        (shuffle(f"pair {n}", 0, "ABCDE")[0], shuffle(f"pair {n}", 1, "ABCDE")[0]) for n in range(SEEDS_TRIED)
    )
    expected = SEEDS_TRIED / 25
    assert sum((seen[a, b] - expected) ** 2 / expected for a in "ABCDE" for b in "ABCDE") < 51.2


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert commitment("☀") == sha256("☀".encode()).hexdigest()


def test_no_player_sees_a_shuffle() -> None:
    event = Shuffled(0, ("A", "B"), ("B", "A"))
    assert [event.seen_by(viewer) for viewer in (None, Seat(0), Seat(7))] == [None, None, None]


def test_the_seed_is_the_secret_and_the_cuts_line_by_line() -> None:
    assert seed_of("secret", ["one", "☀"]) == sha256("secret\none\n☀".encode()).hexdigest()
    assert seed_of("secret", ["one"]) != seed_of("secret", [])
    assert seed_of("secret", []) == "secret", "matches that began before there were cuts go on"


def test_the_seats_are_drawn_from_the_secret_and_the_cuts() -> None:
    assert drawn_seats("secret", [], 3) == shuffle("secret:seats", 0, range(3))
    drawn = {drawn_seats("secret", [f"cut {n}"], 3) for n in range(100)}
    assert len(drawn) == factorial(3)
