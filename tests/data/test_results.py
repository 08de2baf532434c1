"""Results are stored once, and the ratings always follow from those that are stored, whatever was deleted since."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

import pytest

from data.records import ratings
from data.records.privacy import Privacy
from data.records.ratings import Part, Strength, after
from data.records.results import Results, Tally
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from tests.data.users import ANN, BEN
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
    """Matches of two to eight players, with ties and teams, over some months, some of whose players have left. Return
    also when each ended.
    """
    chance, past, ends = random.Random(seed), Past(base), []
    for number in range(count):
        seats = chance.randint(2, 8)
        users = list[int | None](chance.sample(USERS, seats))
        gone = [seat for seat in range(seats) if chance.random() < 0.1][: seats - 1]
        began = {seat: users[seat] or 0 for seat in gone if chance.random() < 0.7}
        for seat in began:  # a computer, or a substitute
            users[seat] = chance.choice([None, *set(USERS) - set(users) - set(began.values())])
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
            gone=gone,
            began=began,
        )
    return past, ends


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
async def test_ratings_follow_from_the_results(base: Database, seed: int) -> None:
    await planted(base, seed)
    before = await rated(base)
    assert before["rating"] and any(gain for *_, gain in before["gain"])
    same(before, await recomputed(base))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
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


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
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


async def test_ratings_are_the_same_in_any_order_of_deletions(base: Database) -> None:
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


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
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


# Players who are not there at the end.


def parts_of(sides: Sequence[int], ranks: Sequence[int], gone: Collection[int] = ()) -> list[Part]:
    return [Part(seat, sides[seat], ranks[seat], seat in gone) for seat in range(len(sides))]


@pytest.mark.parametrize("seed", range(60))
def test_a_player_who_is_gone_is_rated_as_if_their_side_alone_had_come_last(seed: int) -> None:
    """Whatever became of the seat. Their partners keep what the team has won, and the others what they have."""
    chance = random.Random(seed)
    seats = chance.randint(2, 8)
    sides = [seat % 2 for seat in range(seats)] if seats % 2 == 0 and chance.random() < 0.5 else list(range(seats))
    known = {seat: Strength(chance.uniform(10, 40), chance.uniform(2, 8), 5, 2) for seat in range(seats)}
    ranks = ranked(chance, sides)
    gone = {seat for seat in range(seats) if chance.random() < 0.4} - {chance.randrange(seats)}
    found, full = after(known, parts_of(sides, ranks, gone)), after(known, parts_of(sides, ranks))
    empty = {side for side in sides if all(seat in gone for seat in range(seats) if sides[seat] == side)}
    for seat in range(seats):
        order = [99 if sides[at] in empty else rank for at, rank in enumerate(ranks)]
        if seat in gone:
            order = [1000 if sides[at] == sides[seat] else rank for at, rank in enumerate(order)]
        assert (found[seat].mu, found[seat].sigma) == pytest.approx(
            (lambda at: (at.mu, at.sigma))(after(known, parts_of(sides, order))[seat])
        )
        assert found[seat].matches == 6
        if seat in gone:
            assert found[seat].wins == 2
            lost = [1000 if sides[at] == sides[seat] else rank for at, rank in enumerate(ranks)]
            assert found[seat].points <= after(known, parts_of(sides, lost))[seat].points + 1e-9 or empty
        elif not empty:
            assert found[seat] == full[seat]
    if left := [seat for seat in range(seats) if seat not in gone]:
        first = min(ranks[seat] for seat in left)
        if min(ranks) == 1:
            assert {seat for seat in left if found[seat].wins == 3} == {seat for seat in left if ranks[seat] == first}


def test_of_two_players_the_one_who_is_left_wins_whatever_a_computer_made_of_the_other_seat() -> None:
    known = {0: Strength(), 1: Strength()}
    for ranks in ((1, 2), (2, 1), (1, 1)):
        found = after(known, parts_of((0, 1), ranks, {1}))
        assert found == after(known, parts_of((0, 1), (1, 2)))


async def test_the_rating_of_a_seat_is_of_the_player_who_began_there(base: Database) -> None:
    past = Past(base)
    found = await past.played(ANN, 300, ranks=(2, 1), gone=(1,), began={1: BEN})
    assert [(at.user, at.beginner, at.gone) for at in found.standings] == [(ANN, None, False), (300, BEN, True)]
    assert (found.standings[0].gain or 0) > 0 > (found.standings[1].gain or 0)
    board = await rows(base, "SELECT user, matches, wins FROM rating JOIN player ON id = player WHERE month = ''")
    assert sorted(board) == sorted([(ANN, 1, 1), (BEN, 1, 0)])


async def test_a_player_whose_data_was_deleted_is_rated_without_a_name(base: Database) -> None:
    past = Past(base)
    for _ in range(2):
        found = await past.played(ANN, None, ranks=(2, 1), gone=(1,), began={1: 0})
        assert found.standings[1].beginner == 0 and (found.standings[0].gain or 0) > 0
    board = await rows(base, "SELECT user, matches FROM rating JOIN player ON id = player WHERE month = '' ORDER BY id")
    assert board == [(ANN, 2), (None, 1), (None, 1)], "each time another one"


def test_two_people_who_play_one_another_up_gain_less_and_less() -> None:
    """If one always wins, and three wins a day count: a fortnight brings less than twice what the first three days do,
    and four months less than half as much again.
    """
    strengths, points = {1: Strength(), 2: Strength()}, [Strength().points]
    for _ in range(360):
        strengths = after(strengths, [Part(1, 0, 1), Part(2, 1, 2)])
        points.append(strengths[1].points)
    won = [total - points[0] for total in points]
    gains = [now - before for before, now in pairwise(points)]
    assert won[42] < 2 * won[9] and won[360] < 1.5 * won[42]
    assert all(later <= earlier + 1 for earlier, later in pairwise(gains)), "but for the rounding"
    assert gains[0] > 100 and max(gains[200:]) <= 1
