"""Shards, turns to identify and requests, shared by processes on one PostgreSQL server whose clock alone counts."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from random import Random

import psycopg
import pytest

from data.records import request_budget, shards
from data.records.request_budget import StoredBudget
from data.records.shards import Claim, Peer, Standing, StoredShards, plan
from data.store.database import Database
from tests.support.hung import HUNG
from tests.support.postgres import Databases


@pytest.fixture
async def fleet(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[list[Database], str]]:
    """Three connections of processes to one database, and its URL. A lease runs out only if a test lets time pass."""
    monkeypatch.setattr(shards, "LEASE", int(1000 * HUNG))
    monkeypatch.setattr(shards, "HEIR", int(1000 * HUNG))
    with databases.fresh() as url:
        opened = [await Database.open(url) for _ in range(3)]
        yield opened, url
        for database in opened:
            await database.close()


def later(url: str, milliseconds: int) -> None:
    """Let the time of the database pass: all instants that are stored lie that much further back."""
    with psycopg.connect(url, autocommit=True) as connection:
        for table, column in (
            *(("gateway_process", "until"), ("shard", "until"), ("shard", "heir_until")),
            *(("identify", "free_at"), ("budget", "counted_at")),
        ):
            connection.execute(f"UPDATE {table} SET {column} = {column} - {milliseconds}".encode())


# --- the plan


def settle(count: int, living: dict[str, bool], claims: list[Claim], random: Random) -> tuple[list[Claim], int]:
    """Let processes plan in any order until nothing changes, each heir taking over at once. Return the claims, and how
    many shards changed hands. `living`: whether each leaves.
    """
    peers = [Peer(name, count, leaving) for name, leaving in living.items()]
    moved = 0
    for _ in range(20 * count):
        me = random.choice(peers)
        hold, inherit = plan(me, peers, claims, 1)
        for number in (*hold, *inherit):
            moved += 1
            claims[number] = Claim(number, me.id, True, claims[number].epoch + 1, None, False)
    assert all(plan(me, peers, claims, 1) == ([], []) for me in peers), "it comes to rest"
    return claims, moved


@pytest.mark.parametrize("seed", range(30))
def test_shards_are_spread_evenly_as_processes_come_and_go_and_few_change_hands(seed: int) -> None:
    random = Random(seed)
    count = random.randint(1, 20)
    claims = [Claim(number, None, False, 0, None, False) for number in range(count)]
    living = dict.fromkeys("abc"[: random.randint(1, 3)], False)
    for _ in range(8):
        claims, _moved = settle(count, living, claims, random)
        shares = Counter(claim.holder for claim in claims)
        counts = [shares[name] for name, leaving in living.items() if not leaving]
        assert sum(counts) == count
        assert max(counts) - min(counts) <= 1
        name = random.choice("abcdef")
        if name not in living:
            living[name] = False
            claims, moved = settle(count, living, claims, random)
            assert moved <= -(-count // len(living)), "only the newcomer's share moves"
        elif len(living) > 1:
            del living[name]
            claims = [Claim(c.number, c.holder, c.holder != name, c.epoch, None, False) for c in claims]


def test_a_leaving_process_is_inherited_from_and_claims_nothing() -> None:
    claims = [Claim(0, "a", True, 1, None, False), Claim(1, None, False, 1, None, False)]
    leaving, other = Peer("a", 2, True), Peer("b", 2, False)
    assert plan(leaving, [leaving, other], claims, 5) == ([], [])
    assert plan(other, [leaving, other], claims, 5) == ([1], [0])
    assert plan(other, [leaving, other], claims, 1) == ([1], []), "the shard without a holder comes first"


def test_an_heir_that_connects_is_not_overtaken_when_the_holder_dies() -> None:
    claims = [Claim(0, "a", False, 1, "b", True)]
    b, c = Peer("b", 1, False), Peer("c", 1, False)
    assert plan(c, [b, c], claims, 1) == ([], [])
    assert plan(b, [b, c], claims, 1) == ([0], [])


# --- the shards in the database


async def rounds(processes: list[StoredShards], total: int, count: int = 12) -> dict[str, Standing]:
    """Let all look at once, again and again; each heir takes over at once."""
    standings = {}
    for _ in range(count):
        found = await asyncio.gather(*(one.look(total, 2) for one in processes))
        for one, standing in zip(processes, found, strict=True):
            standings[one.process] = standing
            for number in standing.heir_of:
                assert await one.take(total, number)
    return standings


async def test_processes_that_claim_at_once_hold_each_shard_once(fleet: tuple[list[Database], str]) -> None:
    opened, _ = fleet
    processes = [StoredShards(database, name) for database, name in zip(opened, "abc", strict=True)]
    standings = await rounds(processes, 8)
    held = [number for standing in standings.values() for number in standing.held]
    assert sorted(held) == list(range(8))
    assert sorted(len(standing.held) for standing in standings.values()) == [2, 3, 3]
    assert {(s.unheld, s.live, s.peers) for s in standings.values()} == {(0, 3, 3)}
    assert await processes[0].others() == (8, 2)


async def test_a_process_that_is_not_heard_of_loses_its_shards_and_cannot_take_them_back(
    fleet: tuple[list[Database], str],
) -> None:
    opened, url = fleet
    a, b = StoredShards(opened[0], "a"), StoredShards(opened[1], "b")
    before = await rounds([a], 4)
    assert len(before["a"].held) == 4
    later(url, shards.LEASE // 2)
    assert (await b.look(4, 4)).held == {}, "it may still live"
    later(url, shards.LEASE // 2)
    taken = await b.look(4, 4)
    assert taken.held == {number: epoch + 1 for number, epoch in before["a"].held.items()}
    back = await a.look(4, 4)  # it only stood still
    assert back.held == {}
    assert len(back.heir_of) == 2
    assert await b.take(4, 0) is False, "the heir of none"


async def test_the_newcomer_connects_before_the_holder_stops(fleet: tuple[list[Database], str]) -> None:
    opened, url = fleet
    a, b = StoredShards(opened[0], "a"), StoredShards(opened[1], "b")
    await rounds([a], 2)
    standing = await b.look(2, 2)
    (number,) = standing.heir_of
    assert len((await a.look(2, 2)).held) == 2, "it serves both until the newcomer is ready"
    assert await b.take(2, number)
    assert number not in (await a.look(2, 2)).held
    c = StoredShards(opened[2], "c")
    await a.leave()
    assert (await c.look(2, 1)).held, "what was given back is free at once"
    later(url, shards.LEASE + 1)
    assert (await c.look(2, 2)).held.keys() == {0, 1}


async def test_another_number_of_shards_is_another_group(fleet: tuple[list[Database], str]) -> None:
    opened, _ = fleet
    old, new = StoredShards(opened[0], "old"), StoredShards(opened[1], "new")
    await rounds([old], 2)
    standing = (await rounds([new], 4))["new"]
    assert len(standing.held) == 4
    assert (standing.live, standing.peers) == (2, 1)
    assert len((await old.look(2, 1)).held) == 2


# --- turns to identify


async def test_turns_to_identify_are_5_s_apart_in_a_bucket_over_all_processes(
    fleet: tuple[list[Database], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, url = fleet
    monkeypatch.setattr(request_budget, "server_time", lambda c, *, shared: 10**12)  # no time goes by between them
    budgets = [StoredBudget(database, name) for database, name in zip(opened, "abc", strict=True)]
    waits = sorted(await asyncio.gather(*(budget.identify_slot(0) for budget in budgets)))
    gap = request_budget.IDENTIFY_GAP / 1000
    assert waits == [0, gap, 2 * gap] and gap > 5
    assert await budgets[0].identify_slot(1) == 0, "another bucket is free"
    later(url, 3 * request_budget.IDENTIFY_GAP)
    assert await budgets[1].identify_slot(0) == 0


# --- requests


async def test_all_processes_together_get_no_more_than_the_budget(fleet: tuple[list[Database], str]) -> None:
    opened, url = fleet
    budgets = [StoredBudget(database, name) for database, name in zip(opened, "abc", strict=True)]

    async def drawn(count: int) -> int:
        found = await asyncio.gather(*(budget.draw(10) for budget in budgets for _ in range(count)))
        return sum(granted for granted, _ in found)

    began = asyncio.get_running_loop().time()
    granted = await drawn(5)
    seconds = asyncio.get_running_loop().time() - began
    assert request_budget.SAVED <= granted <= request_budget.SAVED + request_budget.RATE * seconds
    later(url, 60_000)
    assert (await budgets[0].draw(100))[0] == request_budget.SAVED
    later(url, -3_600_000)  # the clock of the database went back by an hour
    await budgets[0].draw(0)
    later(url, 1_000)
    assert (await budgets[0].draw(100))[0] == request_budget.SAVED


async def test_invalid_requests_are_counted_over_all_processes_for_ten_minutes(
    fleet: tuple[list[Database], str],
) -> None:
    opened, url = fleet
    a, b = StoredBudget(opened[0], "a"), StoredBudget(opened[1], "b")
    await asyncio.gather(*(one.report(100) for one in (a, b, a, b)))
    assert await a.report(0) == await b.report(0) == 400
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(b"UPDATE invalid_requests SET minute = minute - 11")
    assert await b.report(7) == 7
