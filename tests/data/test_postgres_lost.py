"""A PostgreSQL server that goes away, hangs or fails: nothing is lost, doubled or told with a row's content."""

from __future__ import annotations

import asyncio
import gc
import threading
from functools import partial
from typing import Any

import psycopg
import pytest

from cogs.match.service import MatchService
from cogs.runtime.logs import Lines
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.records.people import People
from data.store import database, postgres, schema
from data.store.database import Connection, Database, NotStored
from data.store.engine import CommitUnknown, Unreachable
from data.store.schema import mark_restored
from rules import GAMES
from rules.core.game import Seat
from tests.data.test_matches import lobby, playing
from tests.data.users import ANN, BEN
from tests.support.ended import played
from tests.support.faulty_line import AtCommit, line_to
from tests.support.hung import HUNG
from tests.support.inside import spoil
from tests.support.postgres import Databases

# --- a server that goes away


def ended(databases: Databases) -> None:
    """End all connections of bots, as a restart of the server does."""
    with databases.connect() as c:
        c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sundial'")


async def test_after_lost_connections_it_goes_on(databases: Databases, url: str) -> None:
    base = await Database.open(url)
    values = KeyValues(base)
    await values.put("before", "1")
    assert await values.get("before") == "1"
    ended(databases)
    assert await values.get("before") == "1"
    ended(databases)
    await values.put("after", "2")
    assert await values.get("after") == "2"
    await base.close()


async def test_a_connection_lost_in_a_transaction_is_replaced_once(databases: Databases, url: str) -> None:
    base, tries = await Database.open(url), list[int]()

    def work(c: Connection) -> None:
        tries.append(1)
        c.execute("INSERT INTO setting VALUES ('once', '')")
        if len(tries) == 1:
            ended(databases)
        assert c.execute("UPDATE setting SET value = 'whole' WHERE name = 'once'").rowcount == 1  # waits for the answer

    await base.write(work)
    assert await KeyValues(base).get("once") == "whole"
    assert len(tries) == 2 and base.writes
    await base.close()


@pytest.mark.parametrize("moment", ["in a write", "at its commit", "after a write", "in a read", "after a read"])
async def test_a_connection_neither_usable_nor_closed_is_replaced(
    url: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each later transaction of its thread would fail, and nothing would say so."""
    base, used, execute = await Database.open(url), list[Connection](), psycopg.Connection.execute

    def break_off() -> None:
        spoil(used[0])
        raise psycopg.OperationalError("cannot exit pipeline mode while busy")

    def work(c: Connection) -> str:
        used.append(c)
        if len(used) == 1 and moment.startswith("in"):
            break_off()
        return moment

    def breaking(connection: Any, query: Any, *rest: Any, **how: Any) -> Any:
        if query == b"COMMIT" and len(used) == 1 and moment == "at its commit":
            break_off()
        return execute(connection, query, *rest, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", breaking)
    attempt = partial(base.read if moment.endswith("read") else base.write, work)
    if moment == "at its commit":
        with pytest.raises(CommitUnknown):
            await attempt()
    elif moment.startswith("after"):
        await attempt()
        spoil(used[0])
    for _ in range(2 * postgres.READERS):
        assert await attempt() == moment
    assert base.writes and await base.answers()
    await base.close()


async def test_an_answer_lost_at_the_commit_is_told_as_unknown(databases: Databases, url: str) -> None:
    base, tries = await Database.open(url), list[int]()

    def work(c: Connection) -> None:
        tries.append(1)
        assert c.execute("INSERT INTO setting VALUES ('once', '')").rowcount == 1
        if len(tries) == 1:
            ended(databases)

    with pytest.raises(CommitUnknown):
        await base.write(work)
    assert not base.writes
    assert await KeyValues(base).get("once") is None
    await base.write(work)
    assert await KeyValues(base).get("once") == ""
    assert base.writes and len(tries) == 2
    await base.close()


@pytest.mark.parametrize("cut", [AtCommit.BEFORE, AtCommit.AFTER, AtCommit.LATE])
async def test_a_press_whose_commit_was_cut_off_is_recorded_once(cut: AtCommit, databases: Databases, url: str) -> None:
    """Over TCP. The bot asks by the decision's own key whether it was stored, and the player reads that it counts."""
    async with line_to(databases.server, url) as (line, through):
        base = await Database.open(through)
        tables = MatchService(Matches(base), People(base), GAMES)
        match = await played(tables, "sea_change", "cut", most=0, seats=2, stop=False)
        state = tables.state(match)
        seat = Seat(min(state.to_move()))
        press = (match.id, match.chairs[seat].player, tables.turn(match, seat), str(state.legal_moves(seat)[0]))
        line.at_commit = cut
        once = await tables.play(*press)
        assert line.at_commit is None
        assert once.again is (cut is not AtCommit.BEFORE)
        again = await tables.play(*press)
        assert again.again and again.match.moves == 1
        assert [move.text for move in await tables.log(match.id)] == [press[3]]
        await base.close()


async def test_without_a_server_nothing_is_stored_and_later_it_is(
    databases: Databases, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = await Database.open(url)
    connect = postgres.connect

    def gone(url: str) -> Any:
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(postgres, "connect", gone)
    ended(databases)
    with pytest.raises(NotStored):
        await KeyValues(base).put("name", "1")
    assert not base.writes and not await base.answers() and await base.unwritten()
    monkeypatch.setattr(postgres, "connect", connect)
    assert not await base.unwritten(), "the look tries, so that it says no longer than needed that nothing is stored"
    await KeyValues(base).put("name", "2")
    assert base.writes and await base.answers()
    await base.close()


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize(
    "error",
    [
        *(psycopg.errors.DiskFull, psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction),
        *(psycopg.errors.QueryCanceled, psycopg.errors.ConfigurationLimitExceeded, psycopg.errors.TransactionTimeout),
    ],
)
async def test_what_cannot_be_stored_or_read_now_is_told_as_that(
    url: str, error: type[psycopg.Error], reads: bool
) -> None:
    base = await Database.open(url)

    def work(c: Connection) -> None:
        if not reads:
            c.execute("INSERT INTO setting VALUES ('half', '')")
        raise error("no")

    with pytest.raises(Unreachable if reads else NotStored) as caught:
        await (base.read if reads else base.write)(work)
    assert caught.value.kind == error.__name__
    assert base.failed == 1, "the operator is told"
    assert await KeyValues(base).get("half") is None
    await base.close()


@pytest.mark.parametrize(
    ("limit", "kind"),
    [("statement_timeout = '50ms'", "QueryCanceled"), ("transaction_timeout = '50ms'", "TransactionTimeout")],
)
@pytest.mark.parametrize("reads", [False, True])
async def test_a_server_that_gives_up_what_takes_long_is_told_and_asked_again(
    url: str, limit: str, kind: str, reads: bool
) -> None:
    base = await Database.open(url)

    def slow(c: Connection) -> None:
        c.execute(f"SET LOCAL {limit}")
        c.execute("SELECT pg_sleep(100000)").fetchone()

    with pytest.raises(NotStored) as caught:
        await (base.read if reads else base.write)(slow)
    assert caught.value.kind == kind
    await KeyValues(base).put("name", "1")
    assert base.writes and await base.answers()
    await base.close()


async def test_the_log_says_why_a_server_takes_no_connection(
    databases: Databases, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres, "RESTARTING", 0.0)
    with databases.empty() as url, databases.connect() as owner:
        base, name = await Database.open(url), url.partition("///")[2].partition("?")[0]
        for begin, end, kind in (
            (f"ALTER DATABASE {name} ALLOW_CONNECTIONS off", "ALLOW_CONNECTIONS on", "AcceptsNoConnections"),
            (f"ALTER DATABASE {name} RENAME TO elsewhere", f"RENAME TO {name}", "UnknownUserOrDatabase"),
        ):
            caplog.clear()
            await base.engine.close()
            base.engine = type(base.engine)(url)
            owner.execute(begin)
            for _ in range(2):
                with pytest.raises(Unreachable):
                    await KeyValues(base).put("name", "1")
            owner.execute(f"ALTER DATABASE {name if 'off' in begin else 'elsewhere'} {end}")
            await KeyValues(base).put("name", "2")
            said = [record.getMessage() for record in caplog.records if record.name == "data.store.database"]
            assert len(said) == 2 and f"Unreachable(kind={kind})" in Lines("text").format(caplog.records[0])
        await base.close()


async def test_a_server_that_does_not_answer_is_told_once_and_so_is_its_answer(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No error comes, and a program that asks whether writes work must hear it."""
    base, answers, told = await Database.open(url), threading.Event(), asyncio.Event()
    note = base._note_failure

    def noted(error: Exception) -> None:
        note(error)
        told.set()

    monkeypatch.setattr(base, "_note_failure", noted)
    with monkeypatch.context() as soon:
        soon.setattr(database, "HANGS", 0.0)
        soon.setattr(database, "AGAIN", 0.0)
        hung = asyncio.create_task(base.write(lambda c: answers.wait(HUNG)))
        await asyncio.wait_for(told.wait(), HUNG)
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    assert await base.unwritten() and not base.writes
    answers.set()
    assert await hung
    assert base.writes
    said = [Lines("text").format(record) for record in caplog.records if record.name == "data.store.database"]
    for line, words in zip(said, ("Unreachable(kind=NoAnswer). Look at its server", "works again"), strict=True):
        assert words in line
    await base.close()


async def test_a_process_that_stood_still_does_not_take_its_own_silence_for_the_servers(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a suspension all timers are due at once, and the answer has come."""
    base = await Database.open(url)
    monkeypatch.setattr(database, "HANGS", 0.0)
    monkeypatch.setattr(database, "AGAIN", HUNG)
    failed = base.failed
    await KeyValues(base).put("name", "1")
    assert base.writes and base.failed == failed
    await base.close()


async def test_closing_does_not_wait_for_a_server_that_hangs(
    databases: Databases, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 0.2)
    base = await Database.open(url)
    begun = threading.Event()

    def sleep(c: Connection) -> None:
        begun.set()
        c.execute("SELECT pg_sleep(100000)").fetchone()

    slow = asyncio.create_task(base.read(sleep))
    assert await asyncio.to_thread(begun.wait, HUNG)
    await asyncio.wait_for(base.close(), HUNG)
    with pytest.raises(Unreachable):
        await slow
    ended(databases)  # it would sleep for as long as the server runs


async def test_what_fails_after_its_caller_was_cancelled_is_not_logged_as_lost(url: str) -> None:
    base, lost, loop = await Database.open(url), list[Any](), asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, facts: lost.append(facts))

    begun, cancelled = threading.Event(), threading.Event()

    def work(c: Connection) -> None:
        begun.set()
        cancelled.wait(HUNG)
        raise NotStored

    writing = asyncio.create_task(base.write(work))
    assert await asyncio.to_thread(begun.wait, HUNG)
    writing.cancel()
    assert isinstance((await asyncio.gather(writing, return_exceptions=True))[0], asyncio.CancelledError)
    cancelled.set()
    await base.engine.writer.idle()
    gc.collect()
    await asyncio.sleep(0)
    assert not lost
    await base.close()


async def test_an_error_quotes_no_row(url: str) -> None:
    base = await Database.open(url)

    def work(c: Connection) -> None:
        c.execute("INSERT INTO person (user, name, ping) VALUES (5, 'a hand', 'owl')")

    with pytest.raises(psycopg.IntegrityError) as caught:
        await base.write(work)
    assert "a hand" not in str(caught.value)
    await base.close()


# --- after a restoration


async def test_a_restored_database_is_compared_with_discord(url: str) -> None:
    base = await Database.open(url)
    await People(base).meet(ANN, "Ann")
    await People(base).meet(BEN, "Ben")
    matches = Matches(base)
    running, waiting = await playing(matches), await matches.open(lobby())
    await base.write(mark_restored)
    await base.close()
    again = await Database.open(url)
    matches = Matches(again)
    found, opened = await matches.get(running.id), await matches.get(waiting.id)
    assert found is not None and found.doubt == "unchecked"
    assert opened is not None and opened.secret != waiting.secret
    new = (await matches.open(lobby())).id
    assert new > waiting.id + schema.NUMBERS_LEFT_OUT
    numbers = (waiting.id, waiting.id + 1, waiting.id + schema.NUMBERS_LEFT_OUT, new)
    assert [await matches.index.is_lost(number) for number in numbers] == [False, True, True, False]
    await again.close()
    last = await Database.open(url)
    assert await Matches(last).get(running.id) == found, "once"
    await last.close()
