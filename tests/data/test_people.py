"""The tables of people: what an older database holds is carried over, and nothing of a seat outlives its person."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import data.records.people
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.records.pings import Ping
from data.store import schema
from data.store.database import Database
from data.store.engine import Connection

MATCH = (
    "INSERT INTO match (game, status, guild, channel, place, host, locale, options, secret, state, version, opened_at) "
    "VALUES ('sea_change', ?, 1, 2, 2, 100, 'en', '{}', 'seed', '{}', 3, 1000)"
)


def as_it_was(path: Path, before: str = "0004") -> None:
    """A database with one running match and two hands, and where that was so with a vote, from before that step."""
    connection = sqlite3.connect(path, isolation_level=None)
    steps = [step for step in schema.steps() if step.name < before]
    for step in steps:
        connection.executescript(step.read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA user_version = {len(steps)}")
    for user in (100, 200):
        connection.execute("INSERT INTO person (user, name) VALUES (?, ?)", (user, f"{user}"))
    connection.execute(MATCH, ("playing",))
    connection.execute("INSERT INTO seat (match, number, user, name) VALUES (1, 0, 200, 'Ben'), (1, 1, 100, 'Ann')")
    if before == "0004":
        connection.execute("INSERT INTO vote VALUES (1, 100, 'end'), (1, 200, 'go_on')")
    connection.execute("INSERT INTO post (match, place, channel, message) VALUES (1, -1, 2, 7), (1, 0, 20, 8)")
    connection.close()


async def test_an_older_database_is_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    as_it_was(path)
    base = await Database.open(path)
    matches = Matches(base)
    match = await matches.get(1)
    assert match is not None
    assert (match.touched_at, match.rests_since, match.previous, match.former) == (1000, None, None, ())
    assert await matches.votes(1) == {100: "end"}
    posts = await matches.posts.of(1)
    assert (posts.hands[0].user, posts.hands[0].message) == (200, 8)
    await base.close()


async def test_forced_moves_stay_on_at_the_tables_of_who_had_them_on(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    as_it_was(path, before="0006")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE person SET plays_forced = 1 WHERE user = 100")
    connection.execute("UPDATE post SET pinged = '3.1' WHERE place = 0")
    connection.commit()
    connection.close()
    base = await Database.open(path)
    match = await Matches(base).get(1)
    assert match is not None
    assert {(chair.user, chair.plays_forced, chair.ping) for chair in match.chairs} == {
        (100, True, None),
        (200, False, None),
    }
    assert match.alone == ""
    post = (await Matches(base).posts.of(1)).hands[0]
    assert (post.pinged, post.mentioned) == (Ping("3.1"), Ping("3.1")), "the player is not pinged again for it"
    assert await People(base).get(100) == Person(100, "100")
    await base.close()


async def test_what_is_set_for_one_table_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    as_it_was(path, before="0006")
    base = await Database.open(path)
    match = await Matches(base).get(1)
    assert match is not None
    chairs = tuple(replace(chair, ping=PingPreference.NONE, plays_forced=chair.user == 100) for chair in match.chairs)
    await Matches(base).save(replace(match, chairs=chairs, alone="3.1"))
    again = await Matches(base).get(1)
    assert again is not None
    assert (again.chairs, again.alone) == (chairs, "3.1")
    await base.close()


async def test_the_earliest_digest_comes_first(tmp_path: Path) -> None:
    base = await Database.open(tmp_path / "sundial.db")
    people = People(base)
    assert await people.earliest_digest() is None
    for user, due in ((1, 500), (2, 300), (3, 900)):
        await people.meet(user, f"{user}")
        await people.change(user, digest_hours=1, digest_due=due)
    assert await people.earliest_digest() == 300
    assert await people.digests_due(299) == []
    assert await people.digests_due(500) == [2, 1]
    person = await people.get(2)
    assert person is not None
    await people.next_digest(person, 3900)
    assert await people.digests_due(500) == [1]
    # A person who sets something else in the meantime keeps that.
    stale = await people.change(1, digest_due=None, digest_hours=0)
    assert await people.next_digest(replace(stale, digest_due=500), 4100) == stale
    assert await people.earliest_digest() == 900
    await base.close()


async def test_of_a_person_who_was_deleted_meanwhile_nothing_is_stored(tmp_path: Path) -> None:
    """As while they are greeted, or their digest is under way."""
    base = await Database.open(tmp_path / "sundial.db")
    people = People(base)
    await people.meet(1, "Ann")
    ann = await people.change(1, digest_hours=1, digest_due=500)
    await base.write(lambda c: c.execute("DELETE FROM person").rowcount)
    no_one = Person(1, "")
    assert await people.change(1, dm=10, dm_works=True, ping=PingPreference.BOTH) == no_one
    assert await people.next_digest(ann, 4100) == no_one
    assert await people.get(1) is None
    assert await people.meet(1, "Ann") == Person(1, "Ann")
    await base.close()


async def test_several_people_are_found_while_one_of_them_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann is in memory, Ben is read, and Ann's write begins before that read ends; or Ben takes her place in memory."""
    base = await Database.open(tmp_path / "sundial.db")
    people, read = People(base), base.read
    changes = list[asyncio.Task[Person]]()

    async def late(work: Callable[[Connection], list[Person]]) -> list[Person]:
        found = await read(work)
        changes.append(asyncio.create_task(people.change(1, dm=10)))
        await asyncio.sleep(0)
        return found

    await people.meet(2, "Ben")
    people.forget()
    await people.meet(1, "Ann")
    with monkeypatch.context() as patch:
        patch.setattr(base, "read", late)
        assert list(await people.several([1, 2, 3])) == [1, 2]
    assert [person.dm for person in await asyncio.gather(*changes)] == [10]
    monkeypatch.setattr(data.records.people, "MOST_KNOWN", 1)
    people.forget()
    await people.get(1)
    assert list(await people.several([1, 2, 3])) == [1, 2]
    await base.close()
