"""The chain over a log: whatever is changed, left out, put in or cut off does not fit."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random, SystemRandom
from types import SimpleNamespace

import pytest
import pytest_asyncio

from cogs.match.deadlines import ring
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from data.store.hash_chain import Entry, broken, fill, is_whole, links, move_link, read_lossy, undo_link
from rules import GAMES
from tests.data.test_schemas import FIRST, host, old, stored
from tests.support.matches import play_on, refusal

PHOTOSYNTHESIS, SIEGE = 3, 5
"""The numbers of their matches in the stored database. In that of Photosynthesis a move was taken back."""


@pytest_asyncio.fixture
async def base(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(old(tmp_path, FIRST))
    yield opened
    await opened.close()


async def change(base: Database, sql: str, *values: object) -> None:
    assert await base.write(lambda c: c.execute(sql, values).rowcount)


async def undo(tables: MatchService, number: int) -> None:
    """A move that its player may take back, as soon as there is one, and back."""
    for _ in range(60):
        match = await tables.load(number)
        state = tables.state(match)
        (seat,) = state.to_move()
        user = match.chairs[seat].player
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        if moves:
            await tables.play(number, user, None, str(moves[0]))
            await undo_alone(tables, number, user, None)
            return
        await play_on(tables, number, 1)
    raise AssertionError("nothing could be taken back")


async def test_moves_and_undone_moves_keep_it_whole(base: Database) -> None:
    tables = host(base)
    for _ in range(3):
        await play_on(tables, PHOTOSYNTHESIS, 3)
        await undo(tables, PHOTOSYNTHESIS)
        assert await base.read(broken) == []
    assert (await tables.load(PHOTOSYNTHESIS)).undone >= 4


async def test_it_can_be_made_again_from_the_rows(base: Database) -> None:
    tables = host(base)
    await play_on(tables, PHOTOSYNTHESIS, 5)
    await undo(tables, PHOTOSYNTHESIS)

    def chains(c: sqlite3.Connection) -> list[bytes]:
        links = [row[0] for row in c.execute("SELECT link FROM move ORDER BY match, number")]
        return links + [row[0] for row in c.execute("SELECT chain FROM match ORDER BY id")]

    before = await base.read(chains)
    await base.write(lambda c: c.execute("UPDATE move SET link = NULL").rowcount)
    await base.write(fill)
    assert await base.read(chains) == before


async def test_who_is_forgotten_leaves_it_whole(base: Database) -> None:
    await change(base, "UPDATE move SET user = NULL")
    await change(base, "UPDATE seat SET user = NULL, name = 'somebody'")
    assert await base.read(broken) == []


TAMPERING = {
    "a word": "UPDATE move SET text = text || ' ' WHERE match = ? AND number = 3",
    "a seat": "UPDATE move SET seat = seat + 1 WHERE match = ? AND number = 3",
    "a turn": "UPDATE move SET turn = turn || '0' WHERE match = ? AND number = 3",
    "a link": "UPDATE move SET link = zeroblob(32) WHERE match = ? AND number = 3",
    "no link": "UPDATE move SET link = NULL WHERE match = ? AND number = 11",
    "left out": "DELETE FROM move WHERE match = ? AND number = 3",
    "cut off": "DELETE FROM move WHERE match = ? AND number = 11",
    "put in": "INSERT INTO move (match, number, seat, turn, text) VALUES (?, 12, 0, 'x', 'y')",
    "undone later": "UPDATE move SET undone_at = 12 WHERE match = ? AND undone_at IS NOT NULL",
    "one more undone": "UPDATE match SET undone = undone + 1 WHERE id = ?",
    "not undone": "UPDATE move SET undone_at = NULL WHERE match = ? AND undone_at IS NOT NULL",
    "the seed": "UPDATE match SET secret = 'f' || substr(secret, 2) WHERE id = ?",
    "an option": "UPDATE match SET options = replace(options, '{', '{ ') WHERE id = ?",
    "the end": "UPDATE match SET chain = NULL WHERE id = ?",
    "the game": "UPDATE match SET game = 'full_sun' WHERE id = ?",
    "the position": "UPDATE match SET state = replace(state, '1', '2') WHERE id = ?",
    "no JSON": "UPDATE match SET state = substr(state, 2) WHERE id = ?",
    "no text": "UPDATE match SET state = CAST(x'ff' AS TEXT) || state WHERE id = ?",
    "a word that is none": "UPDATE move SET text = CAST(x'ff' AS TEXT) || text WHERE match = ? AND number = 3",
}


@pytest.mark.parametrize("what", TAMPERING)
async def test_whatever_is_tampered_with_the_match_is_held_and_the_others_play_on(what: str, base: Database) -> None:
    await change(base, TAMPERING[what], PHOTOSYNTHESIS)
    tables, told = host(base), []
    tables.announcer.listener = SimpleNamespace(changed=told.append, later=told.append)
    with pytest.raises(Refused) as caught:
        await play_on(tables, PHOTOSYNTHESIS, 1)
    assert caught.value.reason == "damaged"
    await tables.quarantine.sweep()
    assert told == [PHOTOSYNTHESIS]
    for number in range(1, stored() + 1):
        if number != PHOTOSYNTHESIS:
            await play_on(tables, number, 2)
    assert len(await tables.index.of_player(101)) == stored()


@pytest.mark.parametrize("what", sorted(TAMPERING.keys() - {"the position", "no JSON", "no text"}))
async def test_the_chain_notices_it_by_itself(what: str, base: Database) -> None:
    """Replaying the log may notice some of it too. `broken` has the chain alone."""
    await change(base, TAMPERING[what], PHOTOSYNTHESIS)
    assert await base.read(broken) == [PHOTOSYNTHESIS]


def test_the_later_of_two_moves_taken_back_at_the_same_length_comes_first() -> None:
    """Three moves, of which the last two are taken back one after the other, and a fourth instead of the second."""
    rows = [(0, None), (1, 3), (2, 3), (3, None)]
    log = [Entry(number, 0, f"turn {number}", f"move {number}", undone_at, None) for number, undone_at in rows]
    link, expected = b"first", []
    for entry in log[:3]:
        link = move_link(link, 7, entry.number, 0, entry.turn, entry.text)
        expected.append(link)
    link = undo_link(undo_link(link, 7, 2, 3), 7, 1, 3)
    link = move_link(link, 7, 3, 0, "turn 3", "move 3")
    assert [found for _, found in links(b"first", 7, log)] == [*expected, link, link]


def test_a_damaged_row_is_read_once_and_is_damaged_for_all_others() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        sql = "SELECT CAST(x'ff61' AS TEXT)"
        assert read_lossy(connection, sql, ()) == [("\ufffda",)]
        with pytest.raises(sqlite3.OperationalError):
            connection.execute(sql).fetchall()


async def test_each_move_of_a_long_log_counts_wherever_the_chain_is_looked_at(base: Database) -> None:
    """The longest matches have a few hundred moves. Here the first, one between and the last have another turn, which
    replaying does not notice.
    """
    await play_on(host(base), SIEGE, 128)
    assert await base.read(lambda c: c.execute("SELECT moves FROM match WHERE id = ?", (SIEGE,)).fetchone()[0]) == 140
    for number in (0, 70, 139):
        assert await base.read(broken) == []
        assert (await host(base).load(SIEGE)).moves == 140
        await change(base, "UPDATE move SET turn = turn || '0' WHERE match = ? AND number = ?", SIEGE, number)
        assert await base.read(broken) == [SIEGE]
        assert await refusal(host(base).load(SIEGE)) == "damaged"
        row = "match = ? AND number = ?"
        await change(base, f"UPDATE move SET turn = substr(turn, 1, length(turn) - 1) WHERE {row}", SIEGE, number)


async def test_any_letter_of_a_log_that_changes_is_noticed(base: Database) -> None:
    seed = SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    random = Random(seed)

    def flip(c: sqlite3.Connection) -> None:
        match, number = random.randrange(1, stored() + 1), random.randrange(12)
        for column in ("text", "turn"):
            (text,) = c.execute(f"SELECT {column} FROM move WHERE match = ? AND number = ?", (match, number)).fetchone()
            at = random.randrange(len(text))
            flipped = text[:at] + chr(ord(text[at]) ^ 1 << random.randrange(7)) + text[at + 1 :]
            for written, whole in ((flipped, False), (text, True)):
                c.execute(f"UPDATE move SET {column} = ? WHERE match = ? AND number = ?", (written, match, number))
                assert is_whole(c, match) is whole, (match, number, column, written)

    await base.write(lambda c: c.execute("DROP INDEX move_once").rowcount)  # else that would refuse some
    for _ in range(200):
        await base.write(flip)


async def test_the_clock_of_a_held_match_calls_no_player(base: Database) -> None:
    await change(base, "INSERT INTO clock VALUES (1, 0, 'x', 0, 10, 0, 0, 10, 10, 0, 0, NULL, 0, NULL)")
    await change(base, "UPDATE match SET state = '' WHERE id = 1")
    tables = MatchService(Matches(base), People(base), GAMES, lambda: 5000)
    with pytest.raises(Refused):
        await ring(tables, 1, 0, "x")
    assert await base.read(lambda c: c.execute("SELECT due FROM clock WHERE match = 1").fetchone()[0]) is None
