"""Turns: whatever one person asks for, it holds up no other's game. In virtual time, with workers that only wait."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

import cogs.match.verification
from cogs.match import searches as found_in
from cogs.match.refusals import Refused
from cogs.match.searches import EACH_SERVER, MOST_ASKED, MOST_FILES, PATIENCE, Kind, Searches, Sought
from cogs.messages.replay import eyes_word
from cogs.workers import pool as pools
from cogs.workers.frames import Texts
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import LATER, NICE_THINKER, THINKER_IDLE, Pool, Urgency
from data.content.texts import texts
from data.turns import Gate, asker
from rules.core.coach import EQUAL, WORSE, Advised
from rules.core.game import AnyGame, AnyState, Move, Seat
from tests.month.virtual_time import VirtualLoop
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.inside import coached_by
from tests.support.matches import play_on
from tests.support.simulation import Simulation
from tests.support.table import Table

GRIEFER, VICTIM = 66, 7
EN = texts("en")


def virtually(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run this in virtual time, on a machine that does any number of things at once."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())


def now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(eq=False)
class Asked:
    """A job that was asked for, and what became of it."""

    person: int
    urgency: Urgency
    thinks: bool
    at: float
    begun: float | None = None
    ended: float | None = None
    gone: float | None = None
    nice: int = 0
    """The priority of the worker that did it."""


@dataclass(eq=False)
class Waiting:
    """A worker that waits as long as a job says, in the place of a process."""

    asked: dict[str, Asked]
    nice: int
    resident: int = 0
    worked: bool = False
    warm: int = 0
    process: Any = field(default_factory=lambda: SimpleNamespace(pid=0, returncode=0))
    exited: asyncio.Future[int] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def do(self, job: Job, limit: float, texts: Texts) -> Result:
        seconds, name = job.arguments
        self.asked[name].begun, self.asked[name].nice = now(), self.nice
        await asyncio.sleep(seconds)
        self.asked[name].ended = now()
        return str(name)

    async def finish(self, *, kill: bool) -> None:
        self.exited.cancel()


class Crowd:
    """People who ask a pool for jobs."""

    def __init__(self, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: dict[str, Asked] = {}

        async def start(program: str, share: int, nice: int) -> Waiting:
            await asyncio.sleep(0.3)
            return Waiting(self.asked, nice)

        monkeypatch.setattr(pools, "Worker", SimpleNamespace(start=start))
        self.pool = Pool(most)

    def ask(self, person: int, seconds: float, urgency: Urgency, *, thinks: bool = False) -> asyncio.Task[Result]:
        name = str(len(self.asked))
        asked = self.asked[name] = Asked(person, urgency, thinks, now())

        async def run() -> Result:
            asker.set(person)
            try:
                return await self.pool.run(Job("better" if thinks else "picture", (seconds, name)), urgency)
            except asyncio.CancelledError:
                asked.gone = now()
                raise

        return asyncio.create_task(run())


def waits(job: Asked, at: float) -> bool:
    """Whether the job waited at that time, and not only since or until then."""
    until = min(end for end in (job.begun, job.gone, float("inf")) if end is not None)
    return job.at < at < until


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_no_persons_jobs_hold_up_anothers_picture(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random people ask for random jobs, some too much by far, and some go before they have it."""
    random = Random(f"turns {seed} {most}")
    print("seed", seed, most)

    async def work() -> None:
        crowd = Crowd(most, monkeypatch)
        tasks: list[asyncio.Task[Result]] = []
        for _ in range(150):
            person = random.choice((GRIEFER, GRIEFER, GRIEFER, VICTIM, 8, 9, 0))
            thinks = random.random() < 0.3
            urgency = random.choice((Urgency.COMPUTERS, Urgency.LATE) if thinks else list(Urgency))
            seconds = random.uniform(1, 8) if thinks else random.uniform(0.02, 0.3)
            task = crowd.ask(person, seconds, urgency, thinks=thinks)
            tasks.append(task)
            if random.random() < 0.1:
                asyncio.get_running_loop().call_later(random.uniform(0, 5), task.cancel)
            await asyncio.sleep(random.choice((0, 0, 0.01, 0.5)))
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(THINKER_IDLE + 10)
        assert len(crowd.pool.workers) <= most, "a process that thinks beside a single worker has ended"
        await crowd.pool.close()
        check(list(crowd.asked.values()), most)

    virtually(work)


def check(asked: list[Asked], most: int) -> None:
    """Raise AssertionError if one of them waited for what it should not wait for."""
    assert all(job.ended is not None or job.gone is not None for job in asked), "each is done at last"
    for job in asked:
        if job.begun is None:
            continue
        at_once = [other for other in asked if other is not job and other.begun is not None and is_done(other, job)]
        if job.thinks:
            thoughts = [other for other in at_once if other.thinks]
            assert len(thoughts) < max(1, most - 1), "one worker never thinks"
            assert (job.nice == NICE_THINKER) == (most == 1), "a single worker never thinks"
            held_up = [
                other
                for other in asked
                if not other.thinks and other.urgency <= job.urgency and waits(other, job.begun)
            ]
            assert not thoughts or not held_up, "a second thought began while a picture waited"
        elif job.urgency is Urgency.PRESS and job.person:
            mine = [other for other in asked if other.person == job.person and other.urgency is Urgency.PRESS]
            earlier = mine[: mine.index(job)]
            if any(other.begun is None or other.begun > job.at for other in earlier):
                continue
            between = [other for other in asked if other.begun is not None and job.at < other.begun < job.begun]
            between = [other for other in between if not other.thinks]
            assert all(other.urgency is Urgency.PRESS for other in between)
            each = Counter(other.person for other in between if other.person)
            # One who has had theirs in the present round waits until the others have had theirs, and one more.
            assert max(each.values(), default=0) <= 1 + bool(earlier), "a person's jobs went before another's"


def is_done(other: Asked, job: Asked) -> bool:
    """Whether the other one was under way when this one began."""
    assert other.begun is not None and job.begun is not None
    return other.begun <= job.begun < (other.ended if other.ended is not None else float("inf"))


@pytest.mark.parametrize("urgency", [Urgency.PRESS, Urgency.PEOPLE])
def test_a_picture_waits_only_for_the_job_that_is_under_way(urgency: Urgency, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person asks for pictures and thoughts of all kinds without end."""

    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        flood = [crowd.ask(GRIEFER, 0.2, each) for each in Urgency for _ in range(20)]
        flood += [crowd.ask(GRIEFER, 9, each, thinks=True) for each in (Urgency.COMPUTERS, Urgency.LATE)]
        flood += [crowd.ask(GRIEFER, 0.2, urgency) for _ in range(20)]
        await asyncio.sleep(1)
        for _ in range(8 if urgency is Urgency.PRESS else 1):
            since = now()
            await crowd.ask(VICTIM, 0.05, urgency)
            if urgency is Urgency.PRESS:
                assert now() - since <= 0.2 + 0.05 + 1e-6
            await asyncio.sleep(0.5)
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
        await crowd.pool.close()
        (last,) = [job for job in crowd.asked.values() if job.person == VICTIM][-1:]
        assert last.begun is not None
        before = [job for job in crowd.asked.values() if job.begun is not None and last.at < job.begun < last.begun]
        assert sum(job.urgency is urgency for job in before) <= (urgency is Urgency.PEOPLE), (
            "the first of a round at most"
        )

    virtually(work)


def test_nothing_waits_for_ever_behind_what_people_see(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        asked = [crowd.ask(VICTIM, 100, Urgency.PRESS)]
        await asyncio.sleep(1)
        asked += [crowd.ask(VICTIM, 0.1, each) for each in (Urgency.LATE, Urgency.COMPUTERS)]
        for _ in range(2):
            await asyncio.sleep(LATER[Urgency.LATE] - LATER[Urgency.COMPUTERS] - 1)
            asked += [crowd.ask(VICTIM, 0.1, Urgency.PEOPLE) for _ in range(2)]
        asked.append(crowd.ask(VICTIM, 0.1, Urgency.PRESS))
        await asyncio.gather(*asked)
        await crowd.pool.close()
        _, *order = [job.urgency.name for job in sorted(crowd.asked.values(), key=lambda job: job.begun or 0.0)]
        assert order == ["PRESS", "COMPUTERS", "PEOPLE", "PEOPLE", "LATE", "PEOPLE", "PEOPLE"]

    virtually(work)


def test_one_persons_computers_do_not_delay_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        flood = [crowd.ask(GRIEFER, 3.0, Urgency.COMPUTERS, thinks=True) for _ in range(10)]
        await asyncio.sleep(1)
        since = now()
        await crowd.ask(VICTIM, 0.1, Urgency.COMPUTERS, thinks=True)
        assert now() - since < 3.0
        await asyncio.gather(*flood)
        await crowd.pool.close()

    virtually(work)


def test_beside_a_single_worker_a_process_thinks_as_long_as_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        for _ in range(2):  # it starts again when it is needed again
            await crowd.ask(VICTIM, 0.1, Urgency.PRESS)
            assert len(crowd.pool.pids) == 1
            await crowd.ask(VICTIM, 2.0, Urgency.COMPUTERS, thinks=True)
            await asyncio.sleep(THINKER_IDLE - 1)
            assert len(crowd.pool.pids) == 2
            await crowd.ask(VICTIM, 2.0, Urgency.LATE, thinks=True)
            await asyncio.sleep(THINKER_IDLE + 1)
            assert len(crowd.pool.pids) == 1
        await crowd.pool.close()
        with pytest.raises(pools.Lost):
            await crowd.ask(VICTIM, 2.0, Urgency.LATE, thinks=True)

    virtually(work)


def test_a_thread_works_for_one_after_the_other() -> None:
    async def work() -> None:
        gate, order = Gate(), list[int]()

        async def enter(person: int) -> None:
            asker.set(person)
            async with gate:
                order.append(person)
                await asyncio.sleep(1)

        flood = [asyncio.create_task(enter(GRIEFER)) for _ in range(6)]
        await asyncio.sleep(0.5)
        other = asyncio.create_task(enter(VICTIM))
        await asyncio.sleep(0.1)
        flood[1].cancel()
        await other
        assert order[:2] == [GRIEFER, VICTIM]
        for task in flood[:3]:
            task.cancel()  # one of them is let in at this moment
        await asyncio.gather(*flood, return_exceptions=True)
        assert order.count(GRIEFER) in (4, 5)
        await asyncio.wait_for(enter(VICTIM), 1.5)

    virtually(work)


# Searches.


@pytest.mark.parametrize("seed", range(20))
def test_people_and_servers_have_their_share_of_searches(seed: int) -> None:
    """Random people of three servers ask for random searches, alike ones too; some go before they have them."""
    random = Random(f"searches {seed}")
    print("seed", seed)

    async def work() -> None:
        searches, under_way, done = Searches(), list[tuple[int, int, Sought]](), Counter[str]()
        begun, people = list[tuple[int, int]](), range(1, 8)

        async def ask(person: int) -> None:
            asker.set(person)
            server = person % 3
            kind = random.choice(list(Kind))
            sought = Sought(kind, server, (random.choice((person, 0)), random.randrange(6)))

            async def search() -> Sought:
                me = (asker.get(), server, sought)
                assert sought not in [each[2] for each in under_way], "the same twice at once"
                under_way.append(me)
                begun.append((person, server))
                try:
                    assert Counter(each[0] for each in under_way)[person] == 1
                    assert Counter(each[1] for each in under_way)[server] <= EACH_SERVER
                    assert sum(each[2].kind is Kind.FILE for each in under_way) <= MOST_FILES
                    await asyncio.sleep(random.uniform(0.1, 20))
                    if random.random() < 0.1:
                        raise ValueError("a fault")
                    return sought
                finally:
                    under_way.remove(me)

            try:
                assert await searches.run(sought, server, search) == sought
                done["found"] += 1
            except Refused as refused:
                assert refused.reason.startswith("first_") and refused.facts["table"] == server
                done["refused"] += 1
            except ValueError:
                done["failed"] += 1

        tasks = []
        for _ in range(120):
            task = asyncio.create_task(ask(random.choice((1, 1, 1, *people))))
            tasks.append(task)
            if random.random() < 0.15:
                asyncio.get_running_loop().call_later(random.uniform(0, 30), task.cancel)
            await asyncio.sleep(random.choice((0, 0, 0.1, 3)))
        await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(task.cancelled() for task in tasks) + done.total() == len(tasks), "each is answered"
        assert done["found"] > 20 and done["refused"] > 0
        await asyncio.sleep(1)
        assert not under_way and not searches.found and not searches.waiting and not +searches.under_way

    virtually(work)


def test_searches_are_taken_in_turn_among_people() -> None:
    async def work() -> None:
        searches, order = Searches(), list[int]()

        async def ask(person: int, number: int) -> None:
            asker.set(person)

            async def search() -> None:
                order.append(person)
                await asyncio.sleep(10)

            await searches.run(Sought(Kind.REVIEW, number), 1, search)

        flood = [asyncio.create_task(ask(who, 100 * who + at)) for who in (1, 2) for at in range(MOST_ASKED)]
        await asyncio.sleep(1)
        others = [asyncio.create_task(ask(who, 100 * who)) for who in (3, 4)]
        await asyncio.gather(*flood, *others)
        assert order == [1, 2, 3, 4, 1, 2, 1, 2]

    virtually(work)


def test_what_cannot_be_delivered_any_more_is_dropped() -> None:
    """It does not begin, or it ends; and it is in no other's way."""

    async def work() -> None:
        searches, begun = Searches(), list[str]()

        async def ask(person: int, name: str, seconds: float) -> str:
            asker.set(person)

            async def search() -> str:
                begun.append(name)
                await asyncio.sleep(seconds)
                return name

            return await searches.run(Sought(Kind.FILE, 1, (name,)), None, search)

        slow, shares = (asyncio.create_task(ask(who, "slow", 2 * PATIENCE)) for who in (1, 2))
        waits = asyncio.create_task(ask(1, "waits", 1))
        await asyncio.sleep(1)
        waits.cancel()
        slow.cancel()
        await asyncio.sleep(1)
        assert not shares.done(), "another waits for it"
        last = asyncio.create_task(ask(1, "last", 1))
        with pytest.raises(Refused, match="took_too_long"):
            await shares
        assert await last == "last", "what the person waited for has been given up"
        assert begun == ["slow", "last"]

    virtually(work)


def test_a_search_of_two_begins_in_the_turn_of_either() -> None:
    """Who asks for the same as a person with a long queue need not wait for that person's turn."""

    async def work() -> None:
        searches, order = Searches(), list[tuple[int, int]]()

        async def ask(person: int, number: int) -> None:
            asker.set(person)

            async def search() -> None:
                order.append((asker.get(), number))
                await asyncio.sleep(10)

            await searches.run(Sought(Kind.VERIFY, number), person, search)

        flood = [asyncio.create_task(ask(1, number)) for number in range(MOST_ASKED)]
        await asyncio.sleep(1)
        shares = asyncio.create_task(ask(2, MOST_ASKED - 1))
        await asyncio.sleep(1)
        assert order == [(1, 0), (2, MOST_ASKED - 1)]
        await asyncio.gather(*flood, shares)
        assert order[2:] == [(1, number) for number in range(1, MOST_ASKED - 1)]

    virtually(work)


def test_a_search_is_made_for_who_asked_first() -> None:
    async def work() -> None:
        searches, seen = Searches(), list[int]()

        async def ask(person: int, number: int) -> None:
            asker.set(person)

            async def search() -> None:
                await asyncio.sleep(1)
                seen.append(asker.get())

            await searches.run(Sought(Kind.HINT, number), 1, search)

        await asyncio.gather(*(ask(person, person // 2) for person in range(2, 8)))
        assert seen == [2, 4, 6], "also if it began when another one ended"

    virtually(work)


def test_the_names_of_kinds_are_those_of_refusals() -> None:
    for kind in Kind:
        assert found_in.Reason(f"first_{kind}")
    with suppress(ValueError):
        found_in.Reason("first_film")
        raise AssertionError("a reason for what is no kind")


# In the whole bot.


class Held:
    """A coach who thinks until `release` is called."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._released = asyncio.Event()

    def release(self) -> None:
        self._released.set()

    async def _advised(self, known: AnyState, seat: Seat, what: str) -> tuple[Advised[Any], ...]:
        self.asked.append(what)
        await self._released.wait()
        best, other = known.legal_moves(seat)[:2]
        return Advised((best,), {}, 0.0, EQUAL, ()), Advised((other,), {}, 1.0, WORSE, ())

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> tuple[Advised[Any], ...]:
        return await self._advised(known, seat, f"hint {seat}")

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> tuple[Advised[Any], ...]:
        return await self._advised(known, seat, f"review {seat} {seed}")


async def stopped(sim: Simulation, table: Table, moves: int) -> None:
    """Play some moves, and cancel the match."""
    match = await play_on(sim.service, 1, moves)
    await sim.app.lobby.cancel(1, match.host, manager=True)
    await sim.caught_up()


async def test_twenty_hints_of_a_player_are_one_search(sim: Simulation, siege: Table) -> None:
    coach = coached_by(sim.app.coaching, Held())
    match, state = await siege.now()
    seat = min(state.to_move())
    player = sim.by_id(match.chairs[seat].player)
    board = sim.board().id
    presses = [sim.raw_press(player, "1/1/hint//", message=board) for _ in range(20)]
    assert await until(lambda: bool(coach.asked))
    async with asyncio.timeout(HUNG), sim.service.deciding(1):
        pass  # the match is not locked while the coach thinks
    coach.release()
    await sim.env.settle()
    assert ["💡" in sim.said(press) for press in presses] == [True] * 20
    assert "💡" in await sim.forge(player, "1/1/hint//")
    assert coach.asked == [f"hint {seat}"], "also when the search is over"
    assert (await sim.match(1)).chairs[seat].hints == 1


async def test_a_review_that_is_under_way_is_shared(sim: Simulation, tide: Table) -> None:
    coach = coached_by(sim.app.coaching, Held())
    await stopped(sim, tide, 8)
    board = sim.board().id
    presses = [sim.raw_press(person, "1/1/review//", message=board) for person in (*tide.people[:2], *tide.people[:2])]
    assert await until(lambda: len(coach.asked) == 2)
    coach.release()
    await sim.env.settle()
    assert all("🔎" in sim.said(press) for press in presses)
    assert len(coach.asked) == len(set(coach.asked)), "no decision was looked at twice"


async def test_a_check_that_is_under_way_is_shared_by_all(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stopped(sim, tide, 4)
    go_on, begun, check_all = asyncio.Event(), list[int](), cogs.match.verification.check_computers

    async def held(*given: Any) -> Any:
        begun.append(1)
        await go_on.wait()
        return await check_all(*given)

    monkeypatch.setattr(cogs.match.verification, "check_computers", held)
    board = sim.board().id
    presses = [sim.raw_press(person, "1/1/verify//", message=board) for person in (*tide.people, *tide.people)]
    assert await until(lambda: bool(begun))
    go_on.set()
    await sim.env.settle()
    assert len({sim.said(press) for press in presses}) == 1
    assert begun == [1]


async def test_a_file_never_waits_for_anothers_ten(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the ten is under way and two wait; for the others the bot says what it is doing."""
    await stopped(sim, tide, 4)
    go_on, begun, film = asyncio.Event(), list[str](), BytesIO()
    Image.new("RGB", (8, 8)).save(film, "WEBP")

    def held(kind: str) -> Callable[..., Coroutine[Any, Any, bytes]]:
        async def make(drawing: Any, slug: str, steps: Any, eyes: int, *given: Any) -> bytes:
            begun.append(f"{eyes_word(eyes)}/{kind}")
            if begun[-1] != "all/page":
                await go_on.wait()
            return b"<!doctype html>" if kind == "page" else film.getvalue()

        return make

    monkeypatch.setattr("cogs.messages.replay_files.page", held("page"))
    monkeypatch.setattr("cogs.messages.replay_files.animation", held("film"))
    griefer, other = tide.people[:2]
    board = sim.board().id
    wanted = [f"{eyes}/{kind}" for kind in ("page", "film") for eyes in ("table", 0, 1)] + ["table/page"] * 4
    presses = [sim.raw_press(griefer, f"1/1/file//0/{each}", message=board) for each in wanted]
    assert await until(lambda: bool(begun))
    theirs = sim.raw_press(other, "1/1/file//0/all/page", message=board)
    assert await until(lambda: bool(sim.answers(theirs)))
    assert len(begun) == 2 and "all/page" in begun
    refused = EN["refused.first_file"].replace("{table}", "1")
    many = len(set(wanted)) - MOST_ASKED
    assert await until(lambda: sum(refused in sim.said(press) for press in presses if sim.answers(press)) >= many)
    go_on.set()
    await sim.env.settle()
    assert len(begun) == len(set(begun)) == 1 + MOST_ASKED, "the same ones were shared"
