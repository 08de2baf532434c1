"""What is stored about somebody, table by table: all of it is given to them, and none of it outlives its deletion."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from data.records.match import DEPARTED
from data.records.matches import Matches
from data.records.post import HandPost, StaleHand
from data.records.privacy import Privacy
from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog
from data.store.hash_chain import broken
from tests.data.people_everywhere import ANN, BEN, LOBBY, NOW, OF_OTHERS, OTHERS, PLANTED, USERS, encodings, files_with
from tests.data.test_schemas import FIRST, old, stored


@pytest_asyncio.fixture
async def base(tmp_path: Path) -> AsyncIterator[Database]:
    """A running match of each game, and a lobby."""
    opened = await Database.open(old(tmp_path, FIRST))
    facts = {"ann": ANN, "ben": BEN, "lobby": LOBBY}
    await opened.write(lambda c: [c.execute(sql, facts).rowcount for sql in PLANTED])
    yield opened
    await opened.close()


def privacy(base: Database) -> Privacy:
    return Privacy(base, (), ErasureLog(None))


async def columns(base: Database) -> dict[str, set[str]]:
    def read(c: sqlite3.Connection) -> dict[str, set[str]]:
        tables = [row[0] for row in c.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        return {table: {row["name"] for row in c.execute(f"PRAGMA table_info({table})")} for table in tables}

    return await base.read(read)


async def test_every_column_is_known(base: Database) -> None:
    """A new one belongs above; where it holds something of a person, first into `_OWN` and `_ERASE` of
    data/records/privacy.py,
    and into `PLANTED`.
    """
    known = {table: set(names.split()) | USERS.get(table, set()) for table, names in OTHERS.items()}
    assert await columns(base) == known


async def test_something_is_planted_wherever_there_are_people(base: Database) -> None:
    def read(c: sqlite3.Connection) -> list[str]:
        counts = {table: f"SELECT count(*) FROM {table} WHERE {name} = {ANN}" for table, (name,) in USERS.items()}
        return [table for table, sql in counts.items() if not c.execute(sql).fetchone()[0]]

    assert await base.read(read) == []


async def test_all_of_it_is_given_to_them(base: Database) -> None:
    found = await privacy(base).everything(ANN)
    assert all(found.values()), [name for name, rows in found.items() if not rows]
    text = json.dumps(found)
    for planted in ("Annabel", "a cut of hers", "a move", "Europe/Berlin", "7771", "7772", "7773", "remove seat"):
        assert planted in text, planted
    assert str(BEN) not in text
    assert len(found["moves"]) == await base.read(
        lambda c: c.execute("SELECT count(*) FROM move WHERE user = ?", (ANN,)).fetchone()[0]
    )


async def test_rows_of_others_are_neither_given_to_them_nor_deleted_with_theirs(base: Database) -> None:
    facts = {"ben": BEN, "lobby": LOBBY}
    await base.write(lambda c: [c.execute(sql, facts).rowcount for sql in OF_OTHERS])

    async def rows(sql: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in await base.read(lambda c: c.execute(sql).fetchall())]

    hers = set(await rows(f"SELECT match, number FROM seat WHERE user = {ANN}"))
    clocks = set(await rows("SELECT match, seat FROM clock"))
    found = await privacy(base).everything(ANN)
    assert (
        {(row["match"], row["seat"]) for row in found["clocks"]} == clocks & {*hers, (3, 0)} == {(1, 0), (2, 0), (3, 0)}
    )
    taken_back = f"SELECT count(*) FROM move WHERE user = {ANN} AND undone_at IS NOT NULL"
    assert [(sum(row["taken_back"] for row in found["moves"]),)] == await rows(taken_back)
    assert [row["id"] for row in found["matches"]] == [*range(1, LOBBY + 1)]
    assert {(row["match"], row["seat"]) for row in found["seats"]} == hers
    assert {(row["match"], row["seat"]) for row in found["reminders"]} == {(1, 0), (2, 0)}
    bens = await rows(f"SELECT number FROM seat WHERE match = 1 AND user = {BEN}")
    removal = {"match": 1, "choice": f"remove seat {bens[0][0]}"}
    assert found["voices"] == found["votes_against"] == [removal]
    (rested,) = (row for row in found["votes_started"] if row["choice"] == "pause")
    assert rested["ended"] == "refused" and len(found["votes_started"]) == 2

    own = ", ".join(map(str, (*sorted(hers), (3, 0))))  # in match 3 a computer plays on for her
    kept = {
        "seat": f"SELECT * FROM seat WHERE match <> {LOBBY} AND (match, number) NOT IN (VALUES {own})",
        "move": f"SELECT * FROM move WHERE user <> {ANN}",
        "post": f"SELECT * FROM post WHERE user IS NULL OR user <> {ANN}",
        "vote": f"SELECT * FROM vote WHERE user <> {ANN} AND choice <> 'remove {ANN}'",
        "proposal": f"SELECT * FROM proposal WHERE starter <> {ANN} AND choice <> 'remove {ANN}'",
        "refusal": f"SELECT * FROM refusal WHERE user <> {ANN} AND choice <> 'remove {ANN}'",
        "reminder": "SELECT * FROM reminder WHERE (match, seat) IN ((1, 1), (2, 1))",
        "former": f"SELECT * FROM former WHERE user <> {ANN}",
        "waiting": f"SELECT * FROM waiting WHERE user <> {ANN}",
        "farewell": f"SELECT * FROM farewell WHERE user = {BEN}",
        "person": f"SELECT * FROM person WHERE user <> {ANN}",
        "hours": f"SELECT * FROM hours WHERE user <> {ANN}",
        "clock": "SELECT * FROM clock WHERE (match, seat) IN ((1, 1), (2, 1), (5, 2))",
        "match": f"SELECT id, status, version, ended_at FROM match WHERE id IN (4, {LOBBY + 1})",
    }
    before = {table: await rows(sql) for table, sql in kept.items()}
    assert all(before.values()), [table for table, found in before.items() if not found]
    assert await privacy(base).erase(ANN, NOW) == [1, 2, 3, 5, LOBBY], "her open matches"
    assert {table: await rows(sql) for table, sql in kept.items()} == before
    assert set(await rows("SELECT match, seat FROM clock")) == clocks - hers
    assert await rows("SELECT hours FROM clock WHERE match = 3") == [(None,)], (
        "the seat's time stays, without her hours"
    )
    assert await rows(f"SELECT host FROM match WHERE id = {LOBBY}") == [(BEN,)], "the next player is the host"


async def test_nothing_of_it_outlives_its_deletion(base: Database, tmp_path: Path) -> None:
    trace = (*encodings(ANN), b"Annabel")
    assert files_with(tmp_path, *trace)
    assert await privacy(base).is_stored(ANN)
    changed = await privacy(base).erase(ANN, NOW)
    assert changed == [*range(1, LOBBY + 1)]
    assert await privacy(base).clean()
    assert not files_with(tmp_path, *trace)
    assert not await privacy(base).is_stored(ANN)
    assert files_with(tmp_path, *encodings(BEN)), "no other's"
    assert await base.read(broken) == [], "the chain holds seats, not people"
    assert await base.read(lambda c: c.execute("PRAGMA foreign_key_check").fetchall()) == []


async def test_a_hand_still_to_be_emptied_stays_to_be_so_and_is_no_players(base: Database) -> None:
    """Where Discord failed while they left, or no player could leave; but not a match that was over and shown so."""
    shown = (
        "UPDATE post SET channel = 7771, message = 7770 + match, shown = (SELECT version FROM match WHERE id = match)"
    )

    def meanwhile(c: sqlite3.Connection) -> None:
        for sql in (
            "UPDATE match SET status = 'over', ended_at = 1 WHERE id IN (4, 5)",
            f"{shown} WHERE user = {ANN} AND match IN (1, 4, 5)",
            f"UPDATE post SET shown = shown - 1 WHERE user = {ANN} AND match = 5",
            f"INSERT INTO farewell VALUES (2, {ANN}, 7771, 7779, 1)",
        ):
            c.execute(sql)

    await base.write(meanwhile)
    await privacy(base).erase(ANN, NOW)
    matches = Matches(base)
    kept = "SELECT match, user, channel, message FROM farewell ORDER BY match"

    async def left() -> list[tuple[int, ...]]:
        return [tuple(row) for row in await base.read(lambda c: c.execute(kept).fetchall())]

    assert await left() == [(1, 0, 7771, 7771), (3, 0, 7771, 7772), (5, 0, 7771, 7775)]
    assert {1, 3, 5} <= set(await matches.posts.behind())
    await matches.posts.emptied(StaleHand(3, ANN, 7771, 7772))  # read before
    # A worker that was still showing it notes it down too late; the second match has gone altogether.
    for number in (3, 999):
        await matches.posts.note(HandPost(number, 7771, 7773, seat=0, user=ANN))
    assert await left() == [(1, 0, 7771, 7771), (3, 0, 7771, 7773), (5, 0, 7771, 7775)]
    for number in (1, 3, 5):
        for farewell in await matches.posts.stale_hands(number):
            await matches.posts.emptied(farewell)
    assert await left() == []


async def test_the_seats_stay_and_no_player_waits_for_them(base: Database) -> None:
    await privacy(base).erase(ANN, NOW)
    matches = Matches(base)
    for number in range(1, LOBBY):
        match = await matches.get(number)
        assert match is not None and match.open and match.ended_at is None
        chair = match.chairs[0]
        assert (chair.user, chair.name) == (None, DEPARTED), "also of the computer that played on for her"
        assert chair.offered or number == 3
        assert not match.former
    lobby = await matches.get(LOBBY)
    assert lobby is not None
    assert [(chair.number, chair.user) for chair in lobby.chairs] == [(0, BEN)]
    assert lobby.host == BEN
    await privacy(base).erase(BEN, NOW)
    await privacy(base).erase(103, NOW)
    matches.forget()
    states = await matches.index.counts()
    assert (states["stopped"], states["cancelled"]) == (stored(), 1)
    ended = {row[0] for row in await base.read(lambda c: c.execute("SELECT ended_at FROM match").fetchall())}
    assert ended == {NOW}


async def test_what_cannot_be_cleaned_now_is_cleaned_later(
    base: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def blocked() -> bool:
        return False

    async def full() -> bool:
        raise NotStored

    for clean in (blocked, full):
        with monkeypatch.context() as patch:
            patch.setattr(base, "clean", clean)
            await privacy(base).erase(ANN, NOW)
            assert not await privacy(base).clean()
    assert await privacy(base).clean()
    assert not files_with(tmp_path, *encodings(ANN))
    assert (
        await base.read(lambda c: c.execute("SELECT count(*) FROM setting WHERE name = 'unclean'").fetchone()[0]) == 0
    )


async def test_many_deletions_rewrite_the_file_once(
    base: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also if the bot is killed in between: it is stored that the file is to be rewritten."""
    rewritten, clean = list[bool](), Database.clean

    async def rewrites(self: Database) -> bool:
        rewritten.append(await clean(self))
        return rewritten[-1]

    monkeypatch.setattr(Database, "clean", rewrites)
    for user in (ANN, BEN, 103):
        await privacy(base).erase(user, NOW)
    assert not rewritten, "play goes on"
    for _ in range(3):
        assert await privacy(base).clean()
    assert rewritten == [True]
    assert not files_with(tmp_path, *[form for user in (ANN, BEN) for form in encodings(user)])


async def test_a_file_with_nothing_deleted_is_not_rewritten(base: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await privacy(base).erase(ANN, NOW)
    assert await privacy(base).clean()

    async def rewrites() -> bool:
        raise AssertionError("to rewrite the file delays all players")

    monkeypatch.setattr(base, "clean", rewrites)
    assert await privacy(base).clean(), "it is clean already"


async def test_old_matches_go_with_the_people_who_stand_in_no_other(base: Database) -> None:
    await base.write(lambda c: c.execute("UPDATE match SET status = 'over', ended_at = id WHERE id < 6").rowcount)
    await base.write(lambda c: c.execute("INSERT INTO person (user, name, seen_at) VALUES (105, 'Fay', 9999)").rowcount)
    await base.write(
        lambda c: c.execute("INSERT INTO seat (match, number, user, name) VALUES (1, 7, 105, '')").rowcount
    )
    await base.write(lambda c: c.execute("INSERT INTO person (user, name, seen_at) VALUES (106, 'Gil', 9999)").rowcount)
    await base.write(
        lambda c: c.execute("INSERT INTO former (match, user, seat, removed) VALUES (1, 106, 0, 0)").rowcount
    )
    people = "SELECT user FROM person ORDER BY user"

    async def left() -> set[int]:
        return {row[0] for row in await base.read(lambda c: c.execute(people).fetchall())}

    hours = "SELECT count(*) FROM hours WHERE user = ?"
    before = await left()
    assert await privacy(base).erase_ended(1) == 0
    assert await privacy(base).erase_ended(2) == 1
    assert await left() == before - {104, 105, 106}, "users who only waited, sat or had sat at it go with it"
    assert await privacy(base).erase_ended(NOW) == stored() - 1
    assert await left() == {ANN, BEN}, "they sit in the lobby"
    assert await base.read(lambda c: c.execute(hours, (ANN,)).fetchone()[0]) == 1, "and keep their hours"
    assert await base.read(lambda c: c.execute("SELECT count(*) FROM move").fetchone()[0]) == 0
    assert [row["match"] for row in (await privacy(base).everything(ANN))["seats"]] == [LOBBY]
