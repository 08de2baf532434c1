"""Which process runs which shards of the gateway, if several processes share one bot on one database.

Each process says every two seconds that it lives, in one transaction, and sees what the others hold. A shard belongs to
its holder until an instant by the clock of the database; the holder puts it off each time. Processes with another
number of shards are another group: each group serves all servers, which is harmless (docs/many-servers.md), and so a
bot changes its number of shards without a gap.

- A shard without a holder, or whose holder has died, is taken at once.
- A process with fewer shards than another becomes the heir of one of that process's shards. It connects first, and only
  then takes the shard; the old holder sees that and closes its own connection.
- A process that is about to end takes no shards, and others are heirs of all that it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from data.store.database import Database
from data.store.engine import Connection
from data.store.server_clock import server_time

LEASE = 10_000
"""Milliseconds for which a process that is not heard of keeps its shards."""
HEIR = 10_000
"""Milliseconds for which an heir that is not heard of keeps its claim."""
KEPT = 86_400_000
"""Milliseconds for which rows of processes and groups that are gone are kept."""

_ALIVE = (
    "INSERT INTO gateway_process (id, total, until, leaving) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET until = excluded.until, leaving = excluded.leaving"
)
_PROCESSES = "SELECT id, total, leaving FROM gateway_process WHERE until >= ? ORDER BY id"
_SHARDS = "SELECT number, holder, until, epoch, heir, heir_until FROM shard WHERE total = ? ORDER BY number"
_ADD = "INSERT INTO shard (total, number) VALUES (?, ?) ON CONFLICT DO NOTHING"
_RENEW = "UPDATE shard SET until = ? WHERE total = ? AND holder = ?"
_RENEW_HEIR = "UPDATE shard SET heir_until = ? WHERE total = ? AND heir = ?"
_HOLD = (
    "UPDATE shard SET holder = ?, until = ?, epoch = epoch + 1, heir = NULL, heir_until = 0 "
    "WHERE total = ? AND number = ?"
)
_INHERIT = "UPDATE shard SET heir = ?, heir_until = ? WHERE total = ? AND number = ?"
_TAKE = (
    "UPDATE shard SET holder = ?, until = ?, epoch = epoch + 1, heir = NULL, heir_until = 0 "
    "WHERE total = ? AND number = ? AND heir = ?"
)
_GIVE_BACK = "UPDATE shard SET holder = NULL, until = 0 WHERE holder = ?"
_GIVE_UP = "UPDATE shard SET heir = NULL, heir_until = 0 WHERE heir = ?"
_GONE = "DELETE FROM gateway_process WHERE id = ?"
_LONG_DEAD = "DELETE FROM gateway_process WHERE until < ?"
_OLD_GROUPS = "DELETE FROM shard WHERE total <> ? AND until < ? AND heir_until < ?"


@dataclass(frozen=True, slots=True)
class Peer:
    """A living process."""

    id: str
    total: int
    leaving: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """What is stored of a shard. `held` and `inherited`: whether the holder and the heir are in time."""

    number: int
    holder: str | None
    held: bool
    epoch: int
    heir: str | None
    inherited: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What a process has after its look.

    `held`: the epoch of each shard that it holds, by the shard's number. `heir_of`: shards that it is to connect to.
    `unheld`: how many shards of its group no living process holds. `live`: living processes of the bot, itself among
    them. `peers`: those of its group that go on.
    """

    held: dict[int, int]
    heir_of: frozenset[int]
    unheld: int
    live: int
    peers: int


def plan(me: Peer, peers: Sequence[Peer], claims: Sequence[Claim], room: int) -> tuple[list[int], list[int]]:
    """Return the shards to hold now, and those to become the heir of, `room` of both at most.

    `peers`: the living processes of the group, `me` among them. Shards are spread so that no two processes differ by
    more than one.
    """
    staying = {peer.id for peer in peers if not peer.leaving}
    if me.leaving or me.id not in staying:
        return [], []
    counts = Counter(dict.fromkeys(staying, 0))
    for claim in claims:  # who has it once all heirs have taken over
        to = claim.heir if claim.inherited and claim.heir in staying else claim.holder if claim.held else None
        if to in staying:
            counts[to] += 1
    share = -(-len(claims) // len(staying))
    hold, inherit = list[int](), list[int]()
    for claim in claims:
        if claim.held or len(hold) >= room:
            continue
        if not claim.inherited and counts[me.id] < share:
            counts[me.id] += 1
            hold.append(claim.number)
        elif claim.inherited and claim.heir == me.id:  # counted already; another heir connects by itself
            hold.append(claim.number)
    others = [c for c in claims if c.held and c.holder != me.id and not c.inherited]
    while others and len(hold) + len(inherit) < room:
        # From the process that has most, so that no shard moves twice; one that leaves keeps none.
        claim = max(others, key=lambda c: (c.holder not in staying, counts[c.holder or ""], -c.number))
        others.remove(claim)
        holder = claim.holder if claim.holder in staying else None
        if counts[me.id] >= (share if holder is None else counts[holder] - 1):
            break
        inherit.append(claim.number)
        counts[me.id] += 1
        counts.subtract([] if holder is None else [holder])
    return hold, inherit


class StoredShards:
    """The repository of one process. `process`: its name, which no other process has."""

    def __init__(self, database: Database, process: str) -> None:
        self._database = database
        self.process = process

    async def others(self) -> tuple[int | None, int]:
        """Return the number of shards of the bot's other living processes, of several groups the largest one's, or None
        if there are no others; and how many live.
        """

        def work(c: Connection) -> tuple[int | None, int]:
            alive = _processes(c, server_time(c, shared=self._database.shared))
            others = [peer for peer in alive if peer.id != self.process]
            totals = Counter(peer.total for peer in others if not peer.leaving)
            total = max(totals, key=lambda total: (totals[total], total)) if totals else None
            return total, len(others)

        return await self._database.read(work)

    async def look(self, total: int, room: int, *, leaving: bool = False) -> Standing:
        """Say that this process lives, put off what it holds, claim at most `room` more shards. Raises NotStored."""

        def work(c: Connection) -> Standing:
            now = server_time(c, shared=self._database.shared)
            c.execute(_ALIVE, (self.process, total, now + LEASE, leaving))
            c.execute(_RENEW, (now + LEASE, total, self.process))
            c.execute(_RENEW_HEIR, (now + HEIR, total, self.process))
            alive = _processes(c, now)
            claims = _claims(c, total, now)
            if len(claims) < total:
                c.executemany(_ADD, [(total, number) for number in range(total)])
                c.execute(_LONG_DEAD, (now - KEPT,))
                c.execute(_OLD_GROUPS, (total, now - KEPT, now - KEPT))
                claims = _claims(c, total, now)
            group = [peer for peer in alive if peer.total == total]
            hold, inherit = plan(Peer(self.process, total, leaving), group, claims, room)
            for number in hold:
                c.execute(_HOLD, (self.process, now + LEASE, total, number))
            for number in inherit:
                c.execute(_INHERIT, (self.process, now + HEIR, total, number))
            if hold or inherit:
                claims = _claims(c, total, now)
            return _standing(self.process, alive, group, claims)

        return await self._database.write(work, counts=False)

    async def take(self, total: int, number: int) -> bool:
        """Become the holder of a shard whose heir this process is. Return False if it is not its heir any more. Raises
        NotStored.
        """

        def work(c: Connection) -> bool:
            now = server_time(c, shared=self._database.shared)
            taken = c.execute(_TAKE, (self.process, now + LEASE, total, number, self.process))
            return taken.rowcount == 1

        return await self._database.write(work, counts=False)

    async def leave(self) -> None:
        """Give everything back: this process ends. Raises NotStored."""

        def work(c: Connection) -> None:
            for statement in (_GIVE_BACK, _GIVE_UP, _GONE):
                c.execute(statement, (self.process,))

        await self._database.write(work, counts=False)


def _processes(c: Connection, now: int) -> list[Peer]:
    return [Peer(str(row[0]), int(row[1]), bool(row[2])) for row in c.execute(_PROCESSES, (now,))]


def _claims(c: Connection, total: int, now: int) -> list[Claim]:
    found = []
    for number, holder, until, epoch, heir, heir_until in c.execute(_SHARDS, (total,)):
        held, inherited = holder is not None and until >= now, heir is not None and heir_until >= now
        found.append(Claim(int(number), holder, held, int(epoch), heir, inherited))
    return found


def _standing(me: str, alive: Sequence[Peer], group: Sequence[Peer], claims: Iterable[Claim]) -> Standing:
    held = {claim.number: claim.epoch for claim in claims if claim.held and claim.holder == me}
    heir_of = frozenset(claim.number for claim in claims if claim.inherited and claim.heir == me)
    return Standing(
        held,
        heir_of - held.keys(),
        sum(not claim.held for claim in claims),
        len(alive),
        sum(not peer.leaving for peer in group),
    )
