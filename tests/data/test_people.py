"""The table of people: who is due, what is stored of them while it changes, and nothing once they are deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import data.records.people
from data.records.people import People, Person, PingPreference
from data.store.database import Database
from data.store.engine import Connection


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
