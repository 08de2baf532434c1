"""Leases on a PostgreSQL server: one holder at a time, judged by the clock of the database alone; what a process that
has lost its lease stores is refused; what is left behind is found.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import copy_context
from dataclasses import replace
from threading import Event
from typing import Any

import psycopg
import pytest

from data.records import leases
from data.records.leases import LEASE, MARGIN, Done, Fence, LeaseLost, Leases, Taken, fenced, steady
from data.records.match import Match
from data.records.matches import Matches
from data.records.pings import Ping
from data.records.post import OldTable, PostState
from data.store.database import Database
from data.store.engine import CommitUnknown
from tests.data.test_matches import after, playing
from tests.data.users import ANN, BEN
from tests.support.faulty_line import AtCommit, line_to
from tests.support.hung import HUNG
from tests.support.postgres import Databases

SINCE = 10**10
"""No match of these tests has ended since then."""


class Process:
    """A process with a connection of its own."""

    def __init__(self, base: Database, name: str) -> None:
        self.base, self.matches, self.leases = base, Matches(base), Leases(base, name)

    async def version(self, number: int) -> int:
        return (await self.match(number)).version

    async def match(self, number: int) -> Match:
        """Return a match that there is."""
        found = await self.matches.get(number)
        assert found is not None
        return found

    async def take(self, match: int) -> Fence:
        taken = await self.leases.take(match)
        assert isinstance(taken, Taken)
        return taken.fence

    async def left(self) -> list[int]:
        """Return the matches that it finds left by others, and takes."""
        return [int(taken.fence.what) for taken in await self.leases.take_left(SINCE, 20)]


@pytest.fixture
async def one(url: str) -> AsyncIterator[Process]:
    base = await Database.open(url)
    yield Process(base, "one")
    await base.close()


@pytest.fixture
async def two(url: str) -> AsyncIterator[Process]:
    base = await Database.open(url)
    yield Process(base, "two")
    await base.close()


@pytest.fixture
async def match(one: Process) -> int:
    await one.base.write(lambda c: c.execute("INSERT INTO person (user, name) VALUES (100, 'A'), (200, 'B')").rowcount)
    return (await playing(one.matches)).id


def run(url: str, sql: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(sql.encode())
        return found.fetchall() if found.description else []


def database_now(url: str) -> int:
    [(now,)] = run(url, f"SELECT {leases.CLOCK}")
    return int(now)


def expire(url: str) -> None:
    """Let all leases run out by the clock of the database."""
    run(url, "UPDATE lease SET until = 1 WHERE until > 0; UPDATE duty SET until = 1 WHERE until > 0")


async def test_a_lease_has_one_holder_and_the_other_process_asks_it(
    url: str, one: Process, two: Process, match: int
) -> None:
    assert (await one.take(match)).epoch == 1
    assert await two.leases.take(match, ask=False) is None
    assert await one.leases.asked() == {}
    assert await two.leases.take(match) == "one"
    assert list(await one.leases.asked()) == [match]
    assert await two.leases.take(match + 1) is None
    expire(url)
    assert (await two.take(match)).epoch == 2
    assert await one.leases.asked() == {}


async def test_of_many_that_ask_at_once_one_gets_the_lease(url: str, match: int) -> None:
    bases = [await Database.open(url) for _ in range(4)]
    try:
        for _ in range(5):
            taken = await asyncio.gather(*(Leases(base, f"p{at}").take(match) for at, base in enumerate(bases)))
            assert sum(isinstance(one, Taken) for one in taken) == 1
            expire(url)
            found = await asyncio.gather(*(Leases(base, f"q{at}").take_left(SINCE, 9) for at, base in enumerate(bases)))
            assert sum(map(len, found)) == 1
            expire(url)
    finally:
        await asyncio.gather(*(base.close() for base in bases))


async def test_what_a_process_without_its_lease_has_shown_is_refused(
    url: str, one: Process, two: Process, match: int
) -> None:
    old, post = await one.take(match), (await one.matches.posts.of(match)).table
    with fenced(old):
        await one.matches.posts.note(replace(post, message=7, shown=1, digest="a"))
    expire(url)
    with fenced(old):  # late, but no other process has begun
        await one.matches.posts.note(replace(post, message=8, shown=1, digest="b"))
    new = await two.take(match)
    with fenced(old), pytest.raises(LeaseLost):
        await one.matches.posts.note(replace(post, message=9, shown=1, digest="c"))
    with fenced(new):
        post = (await two.matches.posts.of(match)).table
        assert (post.message, post.digest) == (8, "b")
        await two.matches.posts.note(replace(post, digest="d"))
    assert (await one.matches.posts.of(match)).table.digest == "d"
    assert one.base.writes


async def test_the_fence_holds_until_the_transaction_ends(url: str, one: Process, two: Process, match: int) -> None:
    """Otherwise the new holder could read the posts before the old one's write is there."""
    fence = await one.take(match)
    expire(url)
    order, checked, go_on = list[str](), Event(), Event()

    def store(c: Any) -> None:
        fence.check(c)
        checked.set()
        go_on.wait(HUNG)
        order.append("stored")

    async def take() -> None:
        assert await two.leases.take(match) is not None
        order.append("taken")

    storing = asyncio.create_task(one.base.write(store))
    await asyncio.to_thread(checked.wait, HUNG)
    assert await two.left() == []  # it is locked: it is skipped
    taking = asyncio.create_task(take())
    await asyncio.wait([taking], timeout=0.2)
    go_on.set()
    await asyncio.gather(storing, taking)
    assert order == ["stored", "taken"]


async def test_a_renewed_lease_goes_on_and_a_lost_one_does_not(
    url: str, one: Process, two: Process, match: int
) -> None:
    fence, duty = await one.take(match), await one.leases.take_duty("digests")
    assert duty is not None and await two.leases.take_duty("digests") is None
    run(url, "UPDATE lease SET until = until - 1000")
    began, before = steady(), database_now(url)
    assert await one.leases.renew([fence, duty], []) == ({fence, duty}, set())
    assert run(url, "SELECT until FROM lease")[0][0] >= before + LEASE * 1000
    assert began + LEASE - MARGIN <= fence.until <= steady() + LEASE - MARGIN
    expire(url)
    assert await one.leases.renew([fence, duty], []) == (set(), set())  # another may have begun
    second = await two.leases.take_duty("digests")
    assert second is not None and second.epoch == 2
    await two.leases.drop([second])
    assert await one.leases.take_duty("digests") is not None


@pytest.mark.parametrize("skew", [-90.0, 90.0])
async def test_the_clock_of_a_host_does_not_matter(
    url: str, one: Process, two: Process, match: int, monkeypatch: pytest.MonkeyPatch, skew: float
) -> None:
    wrong = time.time
    monkeypatch.setattr(time, "time", lambda: wrong() + skew)
    before = database_now(url)
    await one.take(match)
    [(until,)] = run(url, "SELECT until FROM lease")
    assert before <= until - LEASE * 1000 <= database_now(url)
    assert await two.leases.take(match) == "one"
    assert await two.left() == []


async def test_a_holder_counts_from_before_it_asked(one: Process, match: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the answer takes: the database counts from later on."""
    now = [1000.0]
    monkeypatch.setattr(leases, "steady", lambda: now[0])
    write = one.base.write

    async def slow(*given: Any, **how: Any) -> Any:
        now[0] += 5
        return await write(*given, **how)

    monkeypatch.setattr(one.base, "write", slow)
    fence = await one.take(match)
    assert fence.left() == LEASE - MARGIN - 5
    now[0] += 5
    assert fence.left() < 0


async def test_a_match_is_left_until_its_holder_had_nothing_to_do_at_its_version(
    url: str, one: Process, two: Process, match: int
) -> None:
    assert await two.left() == [match]  # no post of it is shown
    version = await two.version(match)
    assert await one.left() == []
    fence = await two.take(match)
    assert await two.leases.renew([], [Done(fence, version, None, 0)]) == (set(), {fence})
    assert await one.left() == []
    fence = await one.take(match)
    await one.leases.renew([], [Done(fence, version, 3600, 0)])
    assert await two.left() == []
    run(url, "UPDATE lease SET wake = wake - 3700000")
    assert await two.left() == [match]
    taken = await two.leases.take(match)
    assert isinstance(taken, Taken)
    await two.leases.renew([], [Done(taken.fence, version, None, taken.wake)])
    now, move = after(await one.match(match), 0)
    await one.matches.save(now, move)  # and its process dies before it asks
    assert await one.left() == [match]


async def settle(process: Process, match: int) -> None:
    """Let a process take the match and give it back with nothing left to do."""
    taken = await process.leases.take(match)
    assert isinstance(taken, Taken)
    await process.leases.renew([], [Done(taken.fence, await process.version(match), None, taken.wake)])


@pytest.mark.parametrize("found_left", [False, True])
async def test_what_a_process_does_again_at_the_same_version_is_left_if_it_dies(
    url: str, one: Process, two: Process, match: int, found_left: bool
) -> None:
    await settle(one, match)
    assert await two.left() == []
    if found_left:
        run(url, "UPDATE lease SET wake = 1")
        assert await one.left() == [match]
        run(url, "UPDATE lease SET wake = 0")
    else:
        await one.take(match)
    expire(url)
    assert await two.left() == [match]


async def doubted(process: Process, match: int) -> None:
    await process.matches.posts.doubt(match)


async def unsent(process: Process, match: int) -> None:
    user = (await process.match(match)).people[0].player
    await process.base.write(lambda c: process.matches.posts.note_hands_unsent(c, user))


async def lowered(process: Process, match: int) -> None:
    post = (await process.matches.posts.of(match)).hands[0]
    await process.matches.posts.note_unchanged(replace(post, shown=post.shown - 1), await process.version(match))


async def shown_twice(process: Process, match: int) -> None:
    posts, post = process.matches.posts, (await process.matches.posts.of(match)).hands[0]
    await posts.note(replace(post, digest="one"))
    await posts.note(replace(post, origin=replace(post.origin, revision=0) if post.origin else None, digest="two"))


async def forgiven(process: Process, match: int) -> None:
    await process.matches.posts.note(old=[OldTable(match, 7, 70, 0, refused=True, named=6)])
    await process.matches.posts.forget_refusals()


@pytest.mark.parametrize("fall_behind", [doubted, unsent, lowered, shown_twice, forgiven])
async def test_what_falls_behind_without_a_new_version_is_asked_for_in_the_same_transaction(
    one: Process, two: Process, match: int, fall_behind: Callable[[Process, int], Awaitable[None]]
) -> None:
    """The process that notes it may be killed before it asks."""
    version = await one.version(match)
    posts = await one.matches.posts.of(match)
    await one.matches.posts.note(
        *(replace(post, shown=version) for post in posts.having(replace(posts.table, message=7)))
    )
    await settle(one, match)
    assert await two.left() == []
    await fall_behind(one, match)
    assert match in await one.matches.posts.behind()
    assert await two.left() == [match]
    await fall_behind(one, match)
    assert list(await two.leases.asked()) == [match]


async def test_a_holder_that_is_asked_meanwhile_does_not_give_back(one: Process, two: Process, match: int) -> None:
    fence = await one.take(match)
    assert await two.leases.take(match) == "one"
    done = Done(fence, 2, None, 0)
    assert await one.leases.renew([], [done]) == ({fence}, set())
    [asked] = (await one.leases.asked()).values()
    assert await one.leases.renew([], [replace(done, asked=asked)]) == (set(), {fence})


async def test_what_a_process_drops_another_takes_at_once(one: Process, two: Process, match: int) -> None:
    fence = await one.take(match)
    version = await one.version(match)
    await one.leases.renew([], [Done(fence, version, None, 0)])
    fence = await one.take(match)
    await one.leases.drop([fence])
    assert await two.left() == [match]


@pytest.mark.parametrize("cut", [AtCommit.BEFORE, AtCommit.AFTER])
async def test_a_renewal_whose_commit_is_cut_counts_for_nothing(
    databases: Databases, url: str, match: int, cut: AtCommit
) -> None:
    async with line_to(databases.server, url) as (line, through):
        base = await Database.open(through)
        process = Process(base, "cut")
        fence = await process.take(match)
        until, line.at_commit = fence.until, cut
        with pytest.raises(CommitUnknown):
            await process.leases.renew([fence], [])
        assert fence.until == until
        assert await process.leases.renew([fence], []) == ({fence}, set())
        assert fence.until > until
        await base.close()


# --- posts that two processes change


async def test_what_two_processes_note_of_a_hand_is_kept(one: Process, two: Process, match: int) -> None:
    """One has sent a new message; in the other the player has seen what they would be pinged for."""
    mine, theirs = [(await process.matches.posts.of(match)).hands[0] for process in (one, two)]
    assert mine.user in (ANN, BEN)
    await one.matches.posts.note(replace(mine, message=70))
    await two.matches.posts.note(replace(theirs, mentioned=Ping("9.0")))
    post = (await one.matches.posts.of(match)).hands[0]
    assert (post.message, post.mentioned, post.digest) == (70, Ping("9.0"), mine.digest)


async def test_a_hand_that_two_have_shown_at_once_is_shown_again(one: Process, two: Process, match: int) -> None:
    mine, theirs = [(await process.matches.posts.of(match)).hands[0] for process in (one, two)]
    await one.matches.posts.note(replace(mine, message=70, shown=2, digest="one"))
    await two.matches.posts.note(replace(theirs, shown=2, digest="two"))
    post = (await one.matches.posts.of(match)).hands[0]
    assert (post.message, post.digest) == (70, PostState.UNSURE) and post.shown < 2
    await one.matches.posts.note(again := replace(post, shown=2, digest="three"))
    await one.matches.posts.note(replace(again, digest="four"))  # its own write before is none of another
    post = (await two.matches.posts.of(match)).hands[0]
    assert (post.shown, post.digest) == (2, "four")


async def test_a_copy_of_a_post_may_be_noted_again_as_it_was_read(one: Process, match: int) -> None:
    post = (await one.matches.posts.of(match)).table
    await one.matches.posts.note(noted := replace(post, digest=PostState.RESENDING))
    await one.matches.posts.note(replace(noted, digest=post.digest))
    assert (await one.matches.posts.of(match)).table.digest == post.digest


async def test_a_later_ping_of_the_same_turn_stays_whichever_process_notes_it_first(
    one: Process, two: Process, match: int
) -> None:
    """The holder has told its player that all others have decided; in the other process they saw their turn before."""
    mine, theirs = [(await process.matches.posts.of(match)).hands[0] for process in (one, two)]
    turn = Ping("1.0")
    await two.matches.posts.note(replace(theirs, pinged=turn, mentioned=turn))
    await one.matches.posts.note(replace(mine, mentioned=replace(turn, last=True)))
    post = (await one.matches.posts.of(match)).hands[0]
    assert (post.pinged, post.mentioned) == (turn, replace(turn, last=True))


async def test_what_a_player_saw_in_an_older_version_is_not_noted_after_a_later_ping(
    one: Process, two: Process, match: int
) -> None:
    """Else the holder, which has read the post before, would take its own ping for an older one and send it again."""
    theirs, then = (await two.matches.posts.of(match)).hands[0], await two.matches.get(match)
    assert then is not None
    await one.matches.save(then)
    mine = (await one.matches.posts.of(match)).hands[0]
    assert not await two.matches.posts.note_unchanged(replace(theirs, pinged=Ping("1.0")), then.version)
    await one.matches.posts.note(replace(mine, message=70, pinged=Ping("2.0")))
    assert (await two.matches.posts.of(match)).hands[0].pinged == Ping("2.0")
    fresh = (await two.matches.posts.of(match)).hands[0]
    assert await two.matches.posts.note_unchanged(replace(fresh, pinged=Ping("2.0", last=True)), then.version + 1)
    assert (await one.matches.posts.of(match)).hands[0].pinged == Ping("2.0", last=True)


async def test_a_task_that_is_destroyed_under_a_lease_ends_without_an_error(one: Process, match: int) -> None:
    """A worker takes any exception for a failure, and would begin again."""
    fence, again = await one.take(match), list[str]()

    async def work() -> None:
        try:
            with fenced(fence):
                await asyncio.Event().wait()
        except Exception as error:
            again.append(type(error).__name__)

    coroutine = work()
    copy_context().run(coroutine.send, None)
    coroutine.close()
    assert again == []
