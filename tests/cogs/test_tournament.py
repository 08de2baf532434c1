"""The draw of a season: fair for every number of players and every size of table, and the same for all players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from cogs.match.tournament import Table, drawn_order, drawn_rounds, rounds_to_meet, table_sizes

SECRET = "5ea50" * 12 + "cafe"
MOST_MEETINGS = 3
"""How often two players meet at most in a whole season at tables of more than two."""


def meetings(rounds: Sequence[Sequence[Table]]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def tables_of(rounds: Sequence[Sequence[Table]], players: int) -> list[int]:
    had = Counter(player for tables in rounds for table in tables for player in table)
    return [had[player] for player in range(players)]


def allowed_sizes(players: int, seats: int) -> list[tuple[int, ...]]:
    """The chosen size alone, or with its neighbours: each for every other number of players."""
    return (
        [(seats,)]
        if (players + seats) % 2
        else [tuple(size for size in (seats - 1, seats, seats + 1) if 2 <= size <= 8)]
    )


@pytest.mark.parametrize("players", range(4, 33))
def test_at_tables_of_two_every_pair_meets_once_and_byes_are_fair(players: int) -> None:
    rounds = drawn_rounds(SECRET, players, rounds_to_meet(players, 2), 2, (2, 3, 4))
    assert meetings(rounds) == Counter({frozenset(pair): 1 for pair in combinations(range(players), 2)})
    assert tables_of(rounds, players) == [players - 1] * players
    for tables in rounds:
        seated = [player for table in tables for player in table]
        assert len(set(seated)) == len(seated) == players - players % 2


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("players", [*range(4, 14), 17, 20, 25, 32])
def test_at_larger_tables_all_play_equally_often_and_meetings_are_spread(players: int, seats: int) -> None:
    for allowed in allowed_sizes(players, seats):
        if players < min(allowed):
            continue
        sizes, count = table_sizes(players, seats, allowed), rounds_to_meet(players, seats)
        rounds = drawn_rounds(SECRET, players, count, seats, allowed)
        assert len(rounds) == count
        for tables in rounds:
            seated = [player for table in tables for player in table]
            assert len(set(seated)) == len(seated) == sum(sizes)
            assert tuple(len(table) for table in tables) == sizes
        had = tables_of(rounds, players)
        assert max(had) - min(had) <= 1
        assert max(meetings(rounds).values()) <= MOST_MEETINGS


@pytest.mark.parametrize("seats", range(2, 9))
def test_after_every_round_all_have_played_equally_often(seats: int) -> None:
    for players in range(max(4, seats), 33, 3):
        rounds = drawn_rounds(SECRET, players, 6, seats, (seats,))
        for until in range(1, 7):
            had = tables_of(rounds[:until], players)
            assert max(had) - min(had) <= 1, (players, seats, until)


def test_the_sizes_are_those_that_the_game_allows_and_near_the_wished_one() -> None:
    for players in range(2, 33):
        for allowed in ((2, 3, 4), (3, 4, 5), (3, 4, 5, 6), tuple(range(2, 9))):
            for wished in allowed:
                sizes = table_sizes(players, wished, allowed)
                assert set(sizes) <= set(allowed)
                assert sum(sizes) == players or players < min(allowed)
    assert table_sizes(5, 4, (4,)) == (4,)
    assert table_sizes(2, 3, (3, 4)) == ()


def test_more_rounds_than_pairs_go_round_again() -> None:
    rounds = drawn_rounds(SECRET, 4, 6, 2, (2,))
    assert rounds[3:] == rounds[:3]
    assert set(meetings(rounds).values()) == {2}


def test_it_follows_from_the_secret_alone_and_differs_with_it() -> None:
    for seats, allowed in ((2, (2, 3, 4)), (4, (3, 4, 5))):
        drawn = {drawn_rounds(f"{number}", 12, 4, seats, allowed) for number in range(20)}
        assert len(drawn) == 20
        assert drawn_rounds("7", 12, 4, seats, allowed) in drawn
    firsts = Counter(drawn_order(f"{number}", 4)[0] for number in range(400))
    assert min(firsts.values()) > 70


def test_it_never_changes() -> None:
    """What a season of an older version showed must still come out."""
    assert drawn_rounds("a secret", 5, 5, 2, (2,))[0] == drawn_rounds("a secret", 5, 1, 2, (2, 3))[0]
    assert drawn_rounds("a secret", 7, 2, 3, (3, 4)) == (
        ((0, 2, 4, 5), (6, 3, 1)),
        ((3, 1, 4, 5), (0, 6, 2)),
    )
