"""Results are stored once, and the ratings always follow from those that are stored, whatever was deleted since."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest

from data.records import ratings
from data.records.privacy import Privacy
from data.records.results import Results, Tally
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from tests.data.conftest import ANN, BEN
from tests.support.past import DAY, GUILD, START, Past

GAMES = ("full_sun", "sea_change")
USERS = (ANN, BEN, 300, 400, 500, 600, 700, 800)


async def rows(base: Database, sql: str) -> list[tuple[Any, ...]]:
    return await base.read(lambda c: [tuple(row) for row in c.execute(sql)])


async def rated(base: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All that ratings are: those of each player, and what each match changed."""
    return {
        "rating": await rows(base, "SELECT * FROM rating ORDER BY guild, game, month, player"),
        "gain": await rows(base, "SELECT match, seat, points, gain FROM standing ORDER BY match, seat"),
    }


def same(one: Any, other: Any) -> None:
    """Floating-point numbers of the two may differ in the last places only: the order of sums is the same."""
    assert set(one) == set(other)
    for name, table in one.items():
        assert [pytest.approx(row, abs=1e-9) if None not in row else row for row in table] == other[name]


async def recomputed(base: Database) -> dict[str, list[tuple[Any, ...]]]:
    """The ratings after all of them were computed again, from what they were before any result that is stored."""

    def work(c: sqlite3.Connection) -> None:
        c.execute("UPDATE standing SET points = NULL, gain = NULL WHERE points IS NOT NULL")
        c.execute("UPDATE rating SET mu = 1, sigma = 1, points = 1, matches = 0, wins = 0")
        for guild, game in c.execute("SELECT DISTINCT guild, game FROM result").fetchall():
            ratings.recompute(c, guild, game)

    await base.write(work)
    return await rated(base)


def ranked(chance: random.Random, sides: Sequence[int]) -> list[int]:
    """Ranks of seats on these sides, often tied."""
    scores = {side: chance.randint(0, 3) for side in set(sides)}
    order = [scores[side] for side in sides]
    return [1 + sum(other > score for other in order) for score in order]


async def planted(base: Database, seed: int, count: int = 40) -> tuple[Past, list[int]]:
    """Matches of two to eight players, with ties and teams, over some months. Return also when each ended."""
    chance, past, ends = random.Random(seed), Past(base), []
    for number in range(count):
        seats = chance.randint(2, 8)
        users = chance.sample(USERS, seats)
        teams = seats % 2 == 0 and chance.random() < 0.4
        sides = [seat % 2 for seat in range(seats)] if teams else list(range(seats))
        ends.append(START + number * 4 * DAY)
        await past.played(
            *users,
            sides=sides,
            ranks=ranked(chance, sides),
            game=chance.choice(GAMES),
            guild=chance.choice((1, 2)),
            rated=chance.random() < 0.8,
            ended_at=ends[-1],
        )
    return past, ends


@pytest.mark.parametrize("seed", range(3))
async def test_ratings_follow_from_the_results(base: Database, seed: int) -> None:
    await planted(base, seed)
    before = await rated(base)
    assert before["rating"] and any(gain for *_, gain in before["gain"])
    same(before, await recomputed(base))


@pytest.mark.parametrize("seed", range(3))
async def test_ratings_follow_from_the_results_after_a_deletion(base: Database, seed: int) -> None:
    """The others' ratings stay as they are, and players who come back begin again."""
    past, _ = await planted(base, seed)
    before = await rated(base)
    await Privacy(base, (), ErasureLog(None)).erase(ANN, START)
    same(before, await rated(base))
    await past.played(BEN, ANN, 300)
    ids = await rows(base, "SELECT id, user FROM player WHERE user = 100 OR user IS NULL")
    assert len(ids) == 2
    same(await rated(base), await recomputed(base))


@pytest.mark.parametrize("seed", range(3))
async def test_ratings_follow_from_the_results_after_the_oldest_are_gone(base: Database, seed: int) -> None:
    _, ends = await planted(base, seed)
    before = await rated(base)
    privacy = Privacy(base, (), ErasureLog(None))
    for end in (ends[3], ends[3], ends[25]):
        await privacy.erase_ended(end)
    now = await rated(base)
    assert [row[:9] for row in now["rating"]] == [pytest.approx(row[:9], abs=1e-9) for row in before["rating"]]
    assert now["gain"] == before["gain"][-len(now["gain"]) :]
    assert len(now["gain"]) < len(before["gain"])
    same(now, await recomputed(base))


async def test_ratings_are_the_same_whoever_is_deleted_first(base: Database) -> None:
    """A person, then the oldest results, then all of them: what is left always follows from what is stored."""
    past, ends = await planted(base, 7)
    privacy = Privacy(base, (), ErasureLog(None))
    await privacy.erase(BEN, START)
    await privacy.erase_ended(ends[20])
    same(await rated(base), await recomputed(base))
    await past.played(ANN, 300, 400)
    same(await rated(base), await recomputed(base))
    await privacy.erase_ended(ends[-1] + 1000 * DAY)
    assert await rows(base, "SELECT * FROM result") == []
    assert await rows(base, "SELECT * FROM rating WHERE matches = 0") == []


async def test_a_result_that_was_recorded_late_is_deleted_before_others(base: Database) -> None:
    """It ended first and was recorded last, so the ratings took it last."""
    past, ends = await planted(base, 3)
    await past.played(ANN, BEN, 300, ended_at=START - DAY)
    await Privacy(base, (), ErasureLog(None)).erase_ended(ends[0])
    same(await rated(base), await recomputed(base))


@pytest.mark.parametrize("seats", range(2, 9))
async def test_winners_gain_and_losers_lose(base: Database, seats: int) -> None:
    found = await Past(base).played(*USERS[:seats])
    gains = [at.gain for at in found.standings]
    assert None not in gains
    assert gains == sorted(gains, key=lambda gain: -(gain or 0))
    assert (gains[0] or 0) > 0
    assert [at.points for at in found.standings] == [1000 + (gain or 0) for gain in gains]


async def test_those_who_tie_change_alike(base: Database) -> None:
    found = await Past(base).played(ANN, BEN, 300, 400, ranks=(1, 1, 3, 3))
    one, two, three, four = [at.gain for at in found.standings]
    assert one == two and three == four and (one or 0) > (three or 0)


@pytest.mark.parametrize("seed", range(3))
async def test_a_better_place_never_brings_less(base: Database, seed: int) -> None:
    """Among players who are new, whatever ties there are."""
    chance, past = random.Random(seed), Past(base)
    for number in range(30):
        seats = chance.randint(2, 8)
        users = [10_000 * (number + 1) + seat for seat in range(seats)]
        found = await past.played(*users, ranks=ranked(chance, range(seats)))
        gains = [(at.rank, -(at.gain or 0)) for at in found.standings]
        assert [rank for rank, _ in sorted(gains, key=lambda pair: pair[1])] == sorted(rank for rank, _ in gains), gains
        assert len(set(gains)) == len({rank for rank, _ in gains}), "players who tie gain alike"


async def test_a_team_gains_together(base: Database) -> None:
    found = await Past(base).played(ANN, BEN, 300, 400, sides=(0, 1, 0, 1), ranks=(1, 3, 1, 3))
    one, two, three, four = [at.gain for at in found.standings]
    assert one == three and two == four and (one or 0) > (two or 0)


async def test_a_friendly_match_changes_no_rating(base: Database) -> None:
    found = await Past(base).played(ANN, BEN, rated=False)
    assert [(at.points, at.gain) for at in found.standings] == [(None, None)] * 2
    assert await rows(base, "SELECT * FROM rating") == []


async def test_a_result_is_stored_once(base: Database) -> None:
    past = Past(base)
    found = await past.played(ANN, BEN)
    before = await rated(base)
    tally = Tally("seat", "2.0", 1, 1)
    assert await Results(base).record(found, (tally,)) == found
    assert await rated(base) == before
    assert await rows(base, "SELECT * FROM tally") == []


async def test_months_are_rated_apart(base: Database) -> None:
    """The all-time rating goes on; that of a month begins again."""
    past = Past(base)
    await past.played(ANN, BEN)
    await past.played(ANN, BEN, ended_at=START + 40 * DAY)
    found = await rows(base, "SELECT month, points, matches FROM rating WHERE player = 1 ORDER BY month")
    (_, all_time, both), (first, alone, one), (second, again, other) = found
    assert (both, one, other) == (2, 1, 1) and first < second
    assert alone == again < all_time
    assert {guild for guild, *_ in await rows(base, "SELECT guild FROM rating")} == {GUILD}
