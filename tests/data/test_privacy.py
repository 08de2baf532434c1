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
from data.records.terms import TERMS
from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog
from data.store.hash_chain import broken
from tests.data.test_schemas import FIRST, old, stored

ANN, BEN, NOW = 1398712347623000101, 1398712347623000102, 5000
LOBBY = stored() + 1
USERS = {
    **{
        table: {"user"}
        for table in (
            "person",
            "hours",
            "seat",
            "waiting",
            "former",
            "seat_change",
            "guest",
            "move",
            "vote",
            "post",
            "portrait",
            "player",
        )
    },
    "farewell": {"user"},
    "match": {"host"},
    "refusal": {"user"},
    "proposal": {"starter"},
    "entrant": {"user"},
    "season": {"opener"},
}
"""The columns that hold ids of people. A vote's `choice` may name one besides."""
OTHERS = {
    "person": (
        "name dm dm_works dm_refused wants_text locale ping digest_hours digest_due digest_message digest_sending "
        "wants_help pictures shows_history seen_at"
    ),
    "match": (
        f"id game status guild channel place {' '.join(TERMS)} secret state version moves undone opened_at started_at "
        "turn_since ended_at paused_at previous touched_at rests_since alone chain rules doubt restores starts_at "
        "starts_soon missed_start nudged_at lesson duplicate held clock_kept_until parent uncounted dissolved season "
        "credited"
    ),
    "seat": "match number name since offered ping plays_forced cut came ready team level hints hinted sat ahead",
    "move": "match number seat turn text undone_at computer took link",
    "post": "match place channel message shown digest pinged ping mentioned reminded sending revision",
    "waiting": "match place name",
    "former": "match seat removed hints hinted",
    "seat_change": "match number moves seat kind name computer",
    "guest": "match name state said",
    "vote": "match choice",
    "refusal": "match choice",
    "proposal": "match choice since due ended",
    "invitation": "match channel message since",
    "reminder": "match seat turn since due sent pings nudger hours",
    "clock": "match seat turn since left reserve nudge ends due stage called away put_off hours",
    "hours": "zone quiet_from quiet_to days_off holidays",
    "farewell": "match channel message said",
    "old_table": "match channel message since named",
    "setting": "name value",
    "portrait": "hash face",
    "server": (
        "guild channels games threads most_open most_each role clocks first_clock events motion shows_history "
        "members_only greeting greeted"
    ),
    "player": "id",
    "result": "number match guild game ended_at seats moves rated early",
    "standing": "match seat player side rank score decisions seconds points gain honours beginner gone",
    "rating": ("guild game month player mu sigma points matches wins base_mu base_sigma base_matches base_wins"),
    "tally": "guild game kind name of hits",
    "season": (
        "id guild channel game name locale seats rounds days clock secret status version round round_ends touched_at "
        "ended_at message shown last_message unfinished restores"
    ),
    "entrant": "season number name removed",
    "season_table": "season round number places match points winners",
    "lease": "match holder until epoch done wake",
    "duty": "name holder until epoch",
    "gateway_process": "id total until leaving",
    "shard": "total number holder until epoch heir heir_until",
    "identify": "bucket free_at",
    "budget": "name tokens counted_at",
    "invalid_requests": "minute process count",
    "sqlite_sequence": "name seq",
}
PLANTED = (
    "PRAGMA defer_foreign_keys=ON",
    *(
        f"UPDATE {table} SET {name} = {user} WHERE {name} = {before}"
        for user, before in ((ANN, 101), (BEN, 102))
        for table, (name,) in USERS.items()
    ),
    "UPDATE person SET name = 'Annabel', dm = 7771, locale = 'de' WHERE user = :ann",
    "UPDATE seat SET name = 'Annabel', cut = 'a cut of hers', ping = 'both', ahead = 'a move' WHERE user = :ann",
    "INSERT INTO portrait VALUES (:ann, 'a_face_of_hers', x'01020304')",
    "INSERT INTO player VALUES (1, :ann), (2, :ben)",
    "INSERT INTO result VALUES (1, 2, 1, 'full_sun', 2000, 3, 9, 1, 0)",
    "INSERT INTO standing VALUES (2, 0, 1, 0, 1, 9, 4, 60, 1050, 50, 'tall', NULL, 0), "
    "(2, 1, 2, 1, 2, 5, 4, 60, 980, -20, '', NULL, 0), (2, 2, NULL, 2, 3, 1, 0, 0, 950, -50, '', 1, 1)",
    (
        "INSERT INTO rating (guild, game, month, player, mu, sigma, points, matches, wins) "
        "VALUES (1, 'full_sun', '', 1, 27, 8, 1050, 1, 1)"
    ),
    (
        "INSERT INTO season (id, guild, channel, opener, game, name, locale, seats, rounds, days, clock, secret, "
        "status, touched_at) VALUES (1, 1, 10, :ann, 'full_sun', 'Cup', 'en', 2, 1, 7, 'none', 'ff', 'playing', 1000), "
        "(2, 1, 10, :ben, 'full_circle', 'Open', 'en', 2, 1, 7, 'none', 'ff', 'open', 1000)"
    ),
    (
        "INSERT INTO entrant (season, number, user, name) VALUES (1, 0, :ann, 'Annabel'), (1, 1, :ben, 'Ben'), "
        "(2, 0, :ben, 'Ben'), (2, 1, :ann, 'Ann')"
    ),
    "INSERT INTO season_table VALUES (1, 1, 0, '1 0', 2, '2 0', '1')",
    "INSERT INTO lease VALUES (1, 'a process', 0, 1, 1, 0)",
    "INSERT INTO duty VALUES ('digests', 'a process', 0, 1)",
    "INSERT INTO gateway_process VALUES ('a process', 1, 5, 0)",
    "INSERT INTO shard VALUES (1, 0, 'a process', 5, 1, NULL, 0)",
    "INSERT INTO identify VALUES (0, 5)",
    "INSERT INTO budget VALUES ('requests', 45000, 5)",
    "INSERT INTO invalid_requests VALUES (1, 'a process', 1)",
    "INSERT INTO hours VALUES (:ann, 'Europe/Berlin', 1320, 420, '[6]', '[]')",
    "INSERT INTO waiting SELECT 1, 0, user, name FROM person WHERE user = 104",
    "INSERT INTO waiting SELECT 2, 0, user, name FROM person WHERE user = 104",
    "UPDATE waiting SET user = :ann, name = 'Annabel' WHERE match = 2",
    "INSERT INTO former (match, user, seat, removed) VALUES (3, :ann, 0, 0)",
    "INSERT INTO seat_change VALUES (3, 0, 2, 0, 'left', :ann, 'Annabel', 'Ada')",
    "INSERT INTO seat_change VALUES (1, 0, 2, 1, 'left', :ben, 'Ben', 'Bo')",
    "INSERT INTO guest VALUES (2, :ann, 'Annabel', 'invited', 7774)",
    "INSERT INTO clock VALUES (1, 0, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, NULL)",
    (
        "INSERT INTO clock VALUES (3, 0, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, "
        "'[\"Europe/Rome\", null, [], [], null]')"
    ),
    "UPDATE seat SET user = NULL, name = 'Ada' WHERE match = 3 AND number = 0",
    "INSERT INTO vote VALUES (1, :ann, 'remove ' || :ben)",
    "INSERT INTO vote VALUES (1, :ben, 'remove ' || :ann)",
    "INSERT INTO proposal VALUES (1, 'remove ' || :ben, :ann, 1000, 2000, NULL)",
    "INSERT INTO proposal VALUES (1, 'remove ' || :ann, :ben, 1000, 2000, NULL)",
    "INSERT INTO proposal VALUES (1, 'pause', :ann, 1000, 2000, 'refused')",
    "INSERT INTO refusal VALUES (1, :ann, 'remove ' || :ben)",
    "INSERT INTO refusal VALUES (1, :ben, 'end')",
    "INSERT INTO reminder VALUES (1, 0, '0', 0, 60, 1, 2, 1, NULL)",
    "INSERT INTO farewell VALUES (3, :ann, 7771, 7772, 0)",
    "UPDATE post SET channel = 7771, message = 7773 WHERE user = :ann AND match = 1",
    (
        "INSERT INTO match (id, game, status, guild, channel, place, host, locale, options, secret, opened_at) "
        "VALUES (:lobby, 'sea_change', 'lobby', 1, 10, 10, :ann, 'en', '{}', 'ff', 1000)"
    ),
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby, 0, :ann, 'Annabel')",
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby, 1, :ben, 'Ben')",
)
"""What Ann, and Ben in part, leave in every table that there is for people."""


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


def encodings(user: int) -> list[bytes]:
    """How an id may stand in a file: as text, as SQLite's integer of a column and as that of a row's own number."""
    groups = [user >> (8 + 7 * at) & 0x7F | 0x80 for at in range(8)][::-1]
    return [str(user).encode(), user.to_bytes(8, "big"), bytes([*groups, user & 0xFF])]


def files_with(folder: Path, *forms: bytes) -> list[str]:
    """The files of the database in which one of these stands."""
    found = [path for path in folder.glob("sundial.db*") if path.is_file()]
    assert found
    return [path.name for path in found if any(form in path.read_bytes() for form in forms)]


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
    for planted in (
        "Annabel",
        "a cut of hers",
        "a move",
        "Europe/Berlin",
        "7771",
        "7772",
        "7773",
        "remove seat",
    ):
        assert planted in text, planted
    assert str(BEN) not in text
    assert len(found["moves"]) == await base.read(
        lambda c: c.execute("SELECT count(*) FROM move WHERE user = ?", (ANN,)).fetchone()[0]
    )


OF_OTHERS = (
    "INSERT INTO clock SELECT match, number, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, NULL FROM seat "
    "WHERE (match, number) IN ((1, 1), (2, 0), (2, 1), (5, 2))",
    "INSERT INTO vote VALUES (2, :ben, 'end'), (5, :ben, 'remove 103')",
    "INSERT INTO proposal VALUES (2, 'end', :ben, 1000, 2000, NULL)",
    "INSERT INTO refusal VALUES (5, :ben, 'end')",
    "INSERT INTO reminder SELECT match, number, '0', 0, 60, 0, 0, NULL, NULL FROM seat "
    "WHERE (match, number) IN ((1, 1), (2, 0), (2, 1))",
    "INSERT INTO hours VALUES (:ben, 'Europe/Berlin', 1320, 420, '[6]', '[]')",
    "INSERT INTO former (match, user, seat, removed) VALUES (2, 104, 1, 0)",
    "INSERT INTO farewell VALUES (2, :ben, 7781, 7782, 0)",
    "UPDATE move SET undone_at = 12 WHERE match = 1 AND number > 6",
    "UPDATE match SET status = 'over', ended_at = 1 WHERE id = 4",
    (
        "INSERT INTO match (id, game, status, guild, channel, place, host, locale, options, secret, opened_at) "
        "VALUES (:lobby + 1, 'sea_change', 'lobby', 1, 10, 10, 103, 'en', '{}', 'ff', 1000)"
    ),
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby + 1, 0, 103, 'Cem')",
    "INSERT INTO former (match, user, seat, removed) VALUES (:lobby + 1, 104, 0, 0)",
    "INSERT INTO vote VALUES (:lobby + 1, 103, 'end')",
    "UPDATE seat SET user = NULL, name = 'Ada' WHERE (match, number) IN ((3, 1), (5, 1))",
)
"""Rows of others beside hers: of the same kinds, in the same matches and in one that she has not seen."""


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
