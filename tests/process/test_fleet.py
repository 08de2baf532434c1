"""Several processes of one bot share the shards of a local gateway by a PostgreSQL database, while they come and go."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cogs.transport import shards as managers
from data.records import request_budget, shards
from data.store.database import Database
from data.store.engine import Connection, NotStored
from data.store.server_clock import server_time
from tests.process.launch import use_local_discord
from tests.process.loopback import Loopback, until
from tests.process.rolling import rolling_restart
from tests.process.test_gateway import Listener, connected, out_of_turn, recorded_turns, send
from tests.support.hung import HUNG
from tests.support.postgres import Databases

TOTAL = 4
LEASE = int(1000 * HUNG)
"""Milliseconds: no lease runs out because the machine is slow, but only when a test puts the clock forward."""


class Fleet:
    """Processes that come and go. Each has a connection of its own to the database, and a wrong clock of its own."""

    def __init__(self, discord: Loopback, url: str, channels: list[int], stack: AsyncExitStack) -> None:
        self.discord = discord
        self.turns: list[tuple[float, float]] = []
        """The turns to identify that the database has given."""
        self.later = 0
        """Milliseconds by which its clock was put forward."""
        self.looks: Counter[str] = Counter()
        """How often each process has looked at what the others hold."""
        self.url = url
        self.channels = channels
        self._stack = stack
        self.clients: list[Listener] = []
        self._ends: list[AsyncExitStack] = []
        self.patience = HUNG
        """Seconds for the shards to settle."""

    async def join(self, off: float = 0.0) -> Listener:
        """Start a process whose clock is `off` by these seconds."""
        end = await self._stack.enter_async_context(AsyncExitStack())
        database = await Database.open(self.url)
        end.push_async_callback(database.close)
        client, _ = await end.enter_async_context(connected(database, now=lambda: time.time() + off))
        self.clients.append(client)
        self._ends.append(end)
        return client

    async def end(self, client: Listener) -> None:
        """End a process in order."""
        at = self.clients.index(client)
        await client.shards.hand_over(self.patience)
        await self._ends[at].aclose()
        self.leaves(at)

    async def kill(self, client: Listener) -> None:
        """End a process that gives nothing back."""
        at = self.clients.index(client)
        client.shards.claims.leave = lambda: asyncio.sleep(0)
        await self._ends[at].aclose()
        self.leaves(at)

    def leaves(self, at: int) -> None:
        del self.clients[at], self._ends[at]

    def held(self) -> list[int]:
        """Return how many connected shards each process holds."""
        return [client.shards.up for client in self.clients]

    async def looked(self, client: Listener) -> None:
        """Wait until a process has looked some more times."""
        process = client.shards.claims.process
        before = self.looks[process]
        assert await until(lambda: self.looks[process] > before + 3)

    async def settles(self, *held: int) -> None:
        """Wait until each process holds so many, and until none else is connected."""
        assert await until(lambda: sorted(self.held()) == sorted(held), self.patience), self.held()
        assert await until(lambda: len(self.discord.sessions) == TOTAL), "the old connections are closed"
        assert {session.shard[0] for session in self.discord.sessions} == set(range(TOTAL))


@pytest.fixture
async def fleet(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fleet]:
    monkeypatch.setattr(managers, "EVERY", 0.1)
    monkeypatch.setattr(managers, "LEAVING_EVERY", 0.05)
    monkeypatch.setattr(shards, "LEASE", LEASE)
    monkeypatch.setattr(shards, "HEIR", LEASE)
    monkeypatch.setattr(request_budget, "IDENTIFY_GAP", 450)
    async with Loopback() as discord, AsyncExitStack() as stack:
        use_local_discord(discord.origin)
        discord.shards = TOTAL
        channels = []
        for shard in range(TOTAL):
            guild = discord.backend.create_guild(f"Harbour {shard}", shard_id=shard, shard_count=TOTAL)
            channels.append(discord.backend.create_channel(guild.id, "games").id)
        with databases.fresh() as url:
            made, look = Fleet(discord, url, channels, stack), shards.StoredShards.look
            made.turns = recorded_turns(monkeypatch, request_budget.StoredBudget, "identify_slot")

            async def looks(self: shards.StoredShards, total: int, room: int, **how: bool) -> shards.Standing:
                standing = await look(self, total, room, **how)
                made.looks[self.process] += 1
                return standing

            def later(c: Connection, *, shared: bool) -> int:
                return server_time(c, shared=shared) + made.later

            monkeypatch.setattr(shards.StoredShards, "look", looks)
            monkeypatch.setattr(shards, "server_time", later)
            yield made
            await stack.aclose()


async def roll(fleet: Fleet) -> list[str]:
    """Let a process join and the first one leave, while people press in all servers. Return what went wrong."""
    sent, every = [0] * TOTAL, list[Listener]()

    async def press() -> None:
        while True:
            for at, channel in enumerate(fleet.channels):
                send(fleet.discord, channel)
                sent[at] += 1
            await asyncio.sleep(0.05)

    every.append(first := await fleet.join(off=90.0))
    pressing = None
    try:
        await fleet.settles(4)
        pressing = asyncio.create_task(press())
        every.append(second := await fleet.join(off=-90.0))
        await fleet.settles(2, 2)
        assert {*first.shards.standing.held} | {*second.shards.standing.held} == set(range(TOTAL))
        await fleet.end(first)
        await fleet.settles(4)
    except AssertionError as error:
        return [f"the shards do not settle: {error}"]
    finally:
        if pressing is not None:
            pressing.cancel()
    assert all(sent)

    def heard() -> list[int]:
        return [sum(client.heard.count(channel) for client in every) for channel in fleet.channels]

    def unheard() -> list[str]:
        return [f"of {want} presses {got} were heard" for got, want in zip(heard(), sent, strict=True) if got < want]

    await until(lambda: not unheard(), fleet.patience)
    faults = unheard()
    if sum(heard()) > 2 * sum(sent):
        faults.append("two processes hear one press for more than a moment")
    if out_of_turn(fleet.discord, fleet.turns):
        faults.append("an identify came out of its turn")
    if len(fleet.discord.identified) != 8:
        faults.append("a shard moved that need not, or did not move")
    return faults


async def test_no_press_is_lost_while_processes_join_and_leave(fleet: Fleet) -> None:
    assert await roll(fleet) == []


def each_process_takes_turns_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def now(self: object, bucket: int) -> float:
        return 0.0

    monkeypatch.setattr(request_budget.StoredBudget, "identify_slot", now)


def the_holder_stops_before_the_newcomer_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    look = shards.StoredShards.look

    async def takes_at_once(self: shards.StoredShards, total: int, room: int, **how: bool) -> shards.Standing:
        standing = await look(self, total, room, **how)
        for number in standing.heir_of:
            await self.take(total, number)
        return await look(self, total, 0, **how) if standing.heir_of else standing

    monkeypatch.setattr(shards.StoredShards, "look", takes_at_once)


@pytest.mark.parametrize(
    "bug",
    [
        each_process_takes_turns_of_its_own,
        pytest.param(the_holder_stops_before_the_newcomer_connects, marks=pytest.mark.long),
    ],
)
async def test_the_roll_finds_a_seeded_bug(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, bug: Callable[[pytest.MonkeyPatch], None]
) -> None:
    bug(monkeypatch)
    fleet.patience = 6
    faults = await roll(fleet)
    print(faults)
    assert faults


async def test_a_dead_process_is_replaced_once_its_lease_has_run_out(fleet: Fleet) -> None:
    first, second = await fleet.join(), await fleet.join()
    await fleet.settles(2, 2)
    ready = second.events.count("ready")
    await fleet.kill(first)
    await fleet.looked(second)
    assert second.shards.up == 2, "not before its lease has run out"
    fleet.later += LEASE
    await fleet.settles(4)
    looked = await until(lambda: second.events.count("ready") > ready)  # once it has heard of all their servers
    assert looked, "it looks round the servers that it has taken over"
    assert len(second.guilds) == 4
    assert not out_of_turn(fleet.discord, fleet.turns)


async def test_processes_that_all_end_wait_for_no_heir(fleet: Fleet, caplog: pytest.LogCaptureFixture) -> None:
    first, second = await fleet.join(), await fleet.join()
    await fleet.settles(2, 2)
    await asyncio.gather(*(client.shards.hand_over(fleet.patience) for client in (first, second)))
    assert not first.shards.standing.peers and not second.shards.standing.peers
    assert "could not be handed over" not in caplog.text


async def test_without_the_database_all_connections_stay(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    only, failed = await fleet.join(), list[int]()
    await fleet.settles(4)

    async def fails(*args: object, **kwargs: object) -> None:
        failed.append(1)
        raise NotStored

    with monkeypatch.context() as broken:
        broken.setattr(only.shards.claims, "look", fails)
        fleet.later += LEASE
        assert await until(lambda: len(failed) > 3)
        send(fleet.discord, fleet.channels[1])
        assert await until(lambda: only.heard == [fleet.channels[1]])
        assert "disconnect" not in only.events
    await fleet.looked(only)
    await fleet.settles(4)
    assert len(fleet.discord.identified) == 4


async def test_another_number_of_shards_runs_beside_the_old_one(fleet: Fleet) -> None:
    """A rolling change: the new processes serve all servers before the old ones end."""
    old = await fleet.join()
    await fleet.settles(4)
    end = AsyncExitStack()
    database = await Database.open(fleet.url)
    end.push_async_callback(database.close)
    new, _ = await end.enter_async_context(connected(database, wanted=8))
    assert await until(lambda: new.shards.up == 8)
    assert old.shards.up == 4
    await fleet.end(old)
    send(fleet.discord, fleet.channels[3])
    assert await until(lambda: new.heard == [fleet.channels[3]])
    await end.aclose()


@pytest.mark.long
async def test_no_command_is_unanswered_in_a_rolling_restart_of_whole_bots(
    databases: Databases, tmp_path: Path
) -> None:
    await rolling_restart(databases, tmp_path)
