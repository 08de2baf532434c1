"""Matches as they are kept: a save that comes too late is refused, a decision is stored once, nothing shown is lost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from data.records.deadlines import SeatClock, Stage
from data.records.key_values import KeyValues
from data.records.match import Chair, Conflict, LoggedMove, Match, Status
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.records.post import HandPost, TablePost
from data.store.database import Database, NotStored
from tests.data.users import ANN, BEN
from tests.support.matches import seated


@pytest.fixture
def matches(base: Database) -> Matches:
    return Matches(base)


def lobby(**changed: Any) -> Match:
    options, chairs = {"target": 3, "open_scores": True}, (Chair(0, ANN, "Ann"), Chair(1, None, "Ada"))
    new: dict[str, Any] = dict.fromkeys(("state", "started_at", "turn_since")) | dict.fromkeys(
        ("id", "version", "moves"), 0
    )
    where = {"channel": 10, "place": 10, "opened_at": 1000}
    return seated(
        ANN, None, **{"status": Status.LOBBY, "options": options, "chairs": chairs, **new, **where, **changed}
    )


async def playing(matches: Matches, **changed: Any) -> Match:
    """A match under way between Ann and Ben."""
    opened = await matches.open(lobby())
    chairs = (Chair(0, BEN, "Ben"), Chair(1, ANN, "Ann"))
    started = replace(opened, status=Status.PLAYING, state={"ply": 0}, started_at=1001, chairs=chairs, **changed)
    return await matches.save(started)


def after(match: Match, number: int, seat: int = 0, turn: str = "1", text: str = "B1") -> tuple[Match, LoggedMove]:
    return replace(match, state={"ply": number + 1}, moves=number + 1), LoggedMove(number, seat, turn, text, ANN)


async def test_a_match_comes_back_as_it_was_stored(matches: Matches) -> None:
    opened = await matches.open(lobby())
    assert opened == lobby(id=opened.id, version=1)
    assert await matches.get(opened.id) == opened
    started = await playing(matches)
    assert await matches.get(started.id) == started
    assert started.version == 2
    assert await matches.get(999) is None


async def test_numbers_are_never_used_again(base: Database, matches: Matches) -> None:
    """An old button names a match: it must not reach another one."""
    first = await matches.open(lobby())
    await base.write(lambda c: c.execute("DELETE FROM match").rowcount)
    assert (await matches.open(lobby())).id > first.id


async def test_a_save_of_what_has_changed_since_is_refused_whole(matches: Matches) -> None:
    match = await playing(matches)
    saved = await matches.save(*after(match, 0))
    with pytest.raises(Conflict):
        await matches.save(*after(match, 1, turn="2"))
    with pytest.raises(Conflict):
        await matches.save(replace(match, status=Status.CANCELLED))
    assert await matches.get(match.id) == saved
    assert [move.number for move in await matches.moves(match.id)] == [0]


async def test_a_seat_decides_once_in_a_turn(matches: Matches) -> None:
    match = await playing(matches)
    match = await matches.save(*after(match, 0, seat=0, turn="1", text="B1"))
    with pytest.raises(Conflict):
        await matches.save(*after(match, 1, seat=0, turn="1", text="B2"))
    assert await matches.get(match.id) == match, "the snapshot of the refused move is rolled back with it"
    match = await matches.save(*after(match, 1, seat=1, turn="1", text="B2"))
    match = await matches.save(*after(match, 2, seat=0, turn="2", text="B3"))
    assert [(m.number, m.seat, m.turn, m.text) for m in await matches.moves(match.id)] == [
        (0, 0, "1", "B1"),
        (1, 1, "1", "B2"),
        (2, 0, "2", "B3"),
    ]
    assert await matches.decision(match.id, 0, "1") == LoggedMove(0, 0, "1", "B1", ANN)
    assert await matches.decision(match.id, 0, "3") is None


async def test_a_move_is_taken_back_once_and_stays_in_the_log(matches: Matches) -> None:
    match = await playing(matches)
    match = await matches.save(*after(match, 0, turn="1", text="B1"))
    (made,) = await matches.moves(match.id)
    undone = replace(made, undone_at=1)
    match = await matches.save(replace(match, state={"ply": 0}, undone=1), undone)
    assert await matches.get(match.id) == match
    assert await matches.moves(match.id) == [undone]
    assert await matches.decision(match.id, 0, "1") is None
    with pytest.raises(Conflict):
        await matches.save(replace(match, state={"ply": -1}, undone=2), undone)
    assert await matches.get(match.id) == match, "the snapshot is rolled back with the mark"
    match = await matches.save(*after(match, 1, turn="1-1", text="B1"))
    assert [move.undone_at for move in await matches.moves(match.id)] == [1, None]


async def test_the_log_is_only_added_to(matches: Matches) -> None:
    match = await playing(matches)
    log: list[LoggedMove] = []
    for number in range(5):
        match = await matches.save(*after(match, number, seat=number % 2, turn=str(number)))
        now = await matches.moves(match.id)
        assert now[:-1] == log
        log = now
    with pytest.raises(Conflict):
        await matches.save(*after(match, 4, seat=0, turn="new"))
    assert await matches.moves(match.id) == log


async def test_open_matches_are_found_by_channel_and_person(matches: Matches) -> None:
    first = await playing(matches)
    moved = await playing(matches, place=77, own_thread=True)
    ended = await playing(matches)
    await matches.save(replace(ended, status=Status.OVER, ended_at=2000))
    elsewhere = await matches.open(lobby(channel=11, place=11))
    assert [m.id for m in await matches.index.in_channel(10)] == [moved.id, first.id]
    assert [m.id for m in await matches.index.in_channel(77)] == [moved.id]
    assert [m.id for m in await matches.index.of_player(BEN)] == [moved.id, first.id]
    assert [m.id for m in await matches.index.of_player(ANN)] == [elsewhere.id, moved.id, first.id]
    assert await matches.index.of_player(300) == []


async def test_what_is_not_shown_as_it_stands_is_remembered(matches: Matches) -> None:
    match = await playing(matches)
    assert await matches.posts.behind() == [match.id]
    posts = await matches.posts.of(match.id)
    assert {post.of for post in posts} == {(TablePost, None), (HandPost, 0), (HandPost, 1)}
    await matches.posts.note(*(replace(post, shown=match.version) for post in posts))
    assert await matches.posts.behind() == []
    match = await matches.save(*after(match, 0))
    assert await matches.posts.behind() == [match.id]
    posts = await matches.posts.of(match.id)
    await matches.posts.note(replace(posts.table, shown=match.version, message=5))
    assert await matches.posts.behind() == [match.id], "the hands are still behind"
    await matches.posts.note(*(replace(posts.hands[seat], shown=match.version) for seat in (0, 1)))
    assert await matches.posts.behind() == []
    assert (await matches.posts.of(match.id)).table.message == 5


async def test_a_running_match_with_a_computer_is_always_looked_at(matches: Matches) -> None:
    """After a start it may be the computer's turn, though everything is shown."""
    match = await playing(matches)
    match = await matches.save(replace(match, chairs=(Chair(0, None, "Ada"), match.chairs[1])))
    await matches.posts.note(*(replace(post, shown=match.version) for post in (await matches.posts.of(match.id))))
    assert await matches.posts.behind() == []
    assert await matches.index.with_automatic_moves() == [match.id]
    match = await matches.save(replace(match, status=Status.STOPPED, ended_at=2000))
    await matches.posts.note(*(replace(post, shown=match.version) for post in (await matches.posts.of(match.id))))
    assert await matches.index.with_automatic_moves() == []


async def test_votes_are_replaced_only_where_given(matches: Matches) -> None:
    match = await playing(matches)
    match = await matches.save(match, votes={ANN: "end"})
    match = await matches.save(*after(match, 0))
    assert await matches.votes(match.id) == {ANN: "end"}
    await matches.save(match, votes={ANN: "go_on", BEN: "end"})
    assert await matches.votes(match.id) == {ANN: "go_on", BEN: "end"}


async def test_cuts_wishes_and_clocks_come_back_as_they_were_stored(base: Database, matches: Matches) -> None:
    """The seed follows from the cuts, and the check of the seats from who came when."""
    opened = await matches.open(lobby())
    assert (opened.cuts, opened.seed) == ((), opened.secret)
    two, none = Chair(0, BEN, "Ben", cut="☀ two", came=1), Chair(1, ANN, "Ann", cut="", came=0)
    chairs = (replace(two, ping=PingPreference.NONE), replace(none, plays_forced=True), Chair(2, None, "Ada"))
    runs = SeatClock(0, "1.1", 100, 50, 20, 10, ends=150, due=140, called=2, stage=Stage.EXTENDED)
    saved = await matches.save(replace(opened, chairs=chairs, clocks=(runs, SeatClock(1, away=70)), alone="3.1"))
    assert (await Matches(base).get(saved.id)) == saved
    assert saved.cuts == ("☀ two", "")
    assert saved.seed == sha256(f"{saved.secret}\n☀ two\n".encode()).hexdigest()
    assert saved.seed not in repr(saved)


async def test_secrets_and_moves_are_in_no_repr(matches: Matches) -> None:
    match = await playing(matches)
    assert match.secret not in repr(match)
    assert "B1" not in repr(after(match, 0)[1])


async def test_people_are_known_by_the_name_last_seen(base: Database) -> None:
    people = People(base)
    await people.change(ANN, dm=5, dm_works=False, ping=PingPreference.BOTH)
    assert await people.meet(ANN, "Anna") == Person(ANN, "Anna", dm=5, dm_works=False, ping=PingPreference.BOTH)
    assert await people.get(BEN) == Person(BEN, "Ben")
    assert await people.get(300) is None


async def test_it_is_noted_now_and_then_when_somebody_was_seen(base: Database) -> None:
    now = 1_000_000
    people = People(base, lambda: now)
    for later, seen in ((0, 0), (43_199, 0), (43_200, 43_200), (50_000, 43_200), (-90_000, -90_000)):
        now = 1_000_000 + later
        assert (await people.meet(900, "Ida")).seen_at == 1_000_000 + seen
        again = await People(base).get(900)
        assert again is not None and again.seen_at == 1_000_000 + seen


async def test_on_a_full_disk_a_person_who_is_known_is_met_all_the_same(
    base: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000
    people = People(base, lambda: now)
    ida = await people.meet(900, "Ida")

    async def full(*_: object) -> None:
        raise NotStored

    monkeypatch.setattr(base, "write", full)
    now += 50_000
    assert await people.meet(900, "Ida") == ida
    with pytest.raises(NotStored):
        await people.meet(900, "Ada")
    with pytest.raises(NotStored):
        await people.meet(901, "Eve")


async def test_people_are_spoken_to_in_the_language_last_heard(base: Database) -> None:
    people = People(base)
    assert (await people.meet(ANN, "Ann")).locale is None
    assert (await people.meet(ANN, "Ann", "de")).locale == "de"
    assert (await people.meet(ANN, "Anna")).locale == "de"
    assert await People(base).get(ANN) == Person(ANN, "Anna", locale="de")
    assert (await people.meet(ANN, "Anna", "en-GB")).locale == "en-GB"


async def test_two_changes_to_a_person_leave_each_other_alone(base: Database) -> None:
    people = People(base)
    await asyncio.gather(people.change(ANN, dm_works=False), people.change(ANN, wants_text=True), people.get(ANN))
    expected = Person(ANN, "Ann", dm_works=False, wants_text=True)
    assert [await people.get(ANN), await People(base).get(ANN)] == [expected, expected]


async def test_the_hand_goes_to_the_direct_messages_that_are_known(base: Database, matches: Matches) -> None:
    await People(base).change(ANN, dm=5, dm_works=True)
    posts = await matches.posts.of((await playing(matches)).id)
    assert (posts.table.channel, posts.hands[0].channel, posts.hands[1].channel) == (10, 0, 5)


async def test_facts_are_put_and_got(base: Database) -> None:
    facts = KeyValues(base)
    assert await facts.get("commands") is None
    await facts.put("commands", "one")
    await facts.put("commands", "two")
    assert await facts.get("commands") == "two"


async def test_a_deleted_match_takes_all_that_hangs_on_it(base: Database, matches: Matches) -> None:
    match = await matches.save(*after(await playing(matches), 0))
    await matches.save(match, votes={ANN: "end"})

    def left(c: sqlite3.Connection) -> list[int]:
        c.execute("DELETE FROM match WHERE id = ?", (match.id,))
        return [c.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("seat", "move", "post", "vote")]

    assert await base.write(left) == [0, 0, 0, 0]


async def lost(work: Coroutine[object, object, object]) -> None:
    """It is cancelled while the database is at it, which then brings it to its end all the same."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_a_cancelled_task_wrote_is_known(base: Database, matches: Matches) -> None:
    started = await playing(matches)
    assert await matches.votes(started.id) == {}
    await matches.save(started, votes={ANN: "go_on"})
    table = (await matches.posts.of(started.id)).table
    match = await matches.get(started.id)
    assert match is not None
    await lost(matches.posts.note(replace(table, message=7)))
    await lost(matches.save(match, votes={BEN: "end"}))
    for asked in (Matches(base), matches):  # the first one's answers come after the writes
        assert await asked.get(started.id) == replace(match, version=match.version + 1)
        assert await asked.votes(started.id) == {BEN: "end"}
        assert (await asked.posts.of(started.id)).table == replace(table, message=7)


async def test_people_are_kept_in_memory_up_to_a_number(base: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.records.people.MOST_KNOWN", 3)
    known = People(base)
    for user in range(1000, 1010):
        await known.meet(user, f"{user}")
    after_a_restart = People(base)
    for user in range(1000, 1010):
        assert await after_a_restart.get(user) == await known.get(user) == Person(user, f"{user}")
        assert len(after_a_restart.known) <= 3
        assert len(known.known) <= 3


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
async def test_memory_and_database_agree(base: Database, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Several at once read, save, fail, are refused and are cancelled, while hardly anything is kept."""
    print(f"seed {seed}")
    monkeypatch.setattr("data.records.matches.MOST_KEPT", 2)
    random, matches = Random(seed), Matches(base)
    numbers = [(await playing(matches)).id for _ in range(4)]

    async def one() -> None:
        number = random.choice(numbers)
        match, posts = await matches.get(number), await matches.posts.of(number)
        assert match is not None
        post = random.choice(list(posts))
        move = LoggedMove(match.moves, 0, f"{match.moves}", "B1", ANN)
        votes = {random.choice([ANN, BEN]): "end"}
        chairs = random.choice([match.chairs, (*match.chairs[:1], Chair(1, None, "Ada"))])
        work = random.choice(
            [
                lambda: matches.save(replace(match, moves=match.moves + 1), move),
                lambda: matches.save(replace(match, chairs=chairs)),
                lambda: matches.save(match, votes=votes),
                lambda: matches.posts.note(replace(post, shown=random.randrange(99))),
                lambda: matches.votes(number),
            ]
        )
        with suppress(Conflict):
            await work()

    for _ in range(15 if base.shared else 60):
        tasks = [asyncio.create_task(one()) for _ in range(4)]
        await asyncio.sleep(0.0005 * random.randrange(3))
        if random.random() < 0.3:
            random.choice(tasks).cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert not [result for result in results if isinstance(result, Exception)]  # to be cancelled is none
        fresh = Matches(base)
        for number in numbers:
            assert await fresh.get(number) == await matches.get(number)
            assert await fresh.votes(number) == await matches.votes(number)
            assert await fresh.posts.of(number) == await matches.posts.of(number)


async def test_a_hand_still_to_be_emptied_does_not_stop_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "again.db"
    for _ in range(2):
        opened = await Database.open(path)
        await People(opened).meet(ANN, "Ann")
        match = await Matches(opened).open(lobby())
        await Matches(opened).posts.note(HandPost(match.id, 1000, 77, seat=0, user=ANN))
        assert len(await Matches(opened).posts.stale_hands(match.id)) == 1
        await opened.close()
