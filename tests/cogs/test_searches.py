"""Searches are shared and taken in turn among people, also in the whole bot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image

import cogs.match.verification
from cogs.match import searches as found_in
from cogs.match.refusals import Refused
from cogs.match.searches import EACH_SERVER, MOST_ASKED, MOST_FILES, PATIENCE, Kind, Searches, Sought
from cogs.messages.replay import eyes_word
from data.content.texts import texts
from data.turns import asker
from rules.core.coach import EQUAL, WORSE, Advised
from rules.core.game import AnyGame, AnyState, Move, Seat
from tests.cogs.matches_over import stopped
from tests.cogs.test_turns import virtually
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.inside import coached_by
from tests.support.simulation import Simulation
from tests.support.table import Table

EN = texts("en")


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


class Asking:
    """People who ask for searches, and who had which begun, in order."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.searches = kind, Searches()
        self.begun: list[tuple[int, int]] = []

    def ask(self, person: int, number: int, seconds: float = 10) -> asyncio.Task[int]:
        async def search() -> int:
            self.begun.append((asker.get(), number))
            await asyncio.sleep(seconds)
            return asker.get()

        async def run() -> int:
            asker.set(person)
            return await self.searches.run(Sought(self.kind, number), 1, search)

        return asyncio.create_task(run())


def test_searches_are_taken_in_turn_among_people() -> None:
    async def work() -> None:
        people = Asking(Kind.REVIEW)
        flood = [people.ask(who, 100 * who + at) for who in (1, 2) for at in range(MOST_ASKED)]
        await asyncio.sleep(1)
        await asyncio.gather(*flood, *(people.ask(who, 100 * who) for who in (3, 4)))
        assert [who for who, _ in people.begun] == [1, 2, 3, 4, 1, 2, 1, 2]

    virtually(work)


def test_what_cannot_be_delivered_any_more_is_dropped() -> None:
    """It does not begin, or it ends; and it is in no other's way."""

    async def work() -> None:
        people = Asking(Kind.FILE)
        slow, shares = (people.ask(who, 0, 2 * PATIENCE) for who in (1, 2))
        waits = people.ask(1, 1)
        await asyncio.sleep(1)
        waits.cancel()
        slow.cancel()
        await asyncio.sleep(1)
        assert not shares.done(), "another waits for it"
        last = people.ask(1, 2, 1)
        with pytest.raises(Refused, match="took_too_long"):
            await shares
        await last  # what the person waited for has been given up
        assert [number for _, number in people.begun] == [0, 2]

    virtually(work)


def test_a_search_of_two_begins_in_the_turn_of_either() -> None:
    """Who asks for the same as a person with a long queue need not wait for that person's turn."""

    async def work() -> None:
        people = Asking(Kind.VERIFY)
        flood = [people.ask(1, number) for number in range(MOST_ASKED)]
        await asyncio.sleep(1)
        shares = people.ask(2, MOST_ASKED - 1)
        await asyncio.sleep(1)
        assert people.begun == [(1, 0), (2, MOST_ASKED - 1)]
        await asyncio.gather(*flood, shares)
        assert people.begun[2:] == [(1, number) for number in range(1, MOST_ASKED - 1)]

    virtually(work)


def test_a_search_is_made_for_who_asked_first() -> None:
    async def work() -> None:
        people = Asking(Kind.HINT)
        found = await asyncio.gather(*(people.ask(person, person // 2) for person in range(2, 8)))
        assert found == [2, 2, 4, 4, 6, 6], "also if it began when another one ended"

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
    await stopped(sim, 8)
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
    await stopped(sim, 4)
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
    await stopped(sim, 4)
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
