"""What people see of duplicate tables in Discord. While one is held, an onlooker and the players of the other tables
learn nothing of its position by any way to look; once all have ended, everyone sees everything.

Pairs of worlds that differ only in one move at a held table must show them the same, to the letter.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor

import cogs.match.duplicates
import cogs.match.playback
import cogs.match.verification
import cogs.messages.table
import cogs.tables
import cogs.transport.match_posts
from cogs.match.restored import Mark, mark
from cogs.messages.content import Content
from cogs.messages.presenter import Presenter
from data.content.texts import texts
from data.records.match import Match, Status
from data.store import schema
from rules import GAMES
from tests.cogs.managing import manager
from tests.cogs.message_text import read
from tests.cogs.test_end import told
from tests.support.apicheck import components
from tests.support.simulation import ErrorLog, Shown, Simulation, controls, finish, raw, seed_secrets, simulate, words
from tests.support.table import Table, fewest_seats, shortest_options

pytestmark = pytest.mark.usefixtures("plain")

HELD = texts("en")["refused.held"]
LOOKS = (
    *("board//", "last//", "log//", "log//1", "fair//", "verify//", "people//", "rules//", "hand//", "catch_up//"),
    *("hint//", "review//", "refresh//", "replay//", "step//8/table/next", "step//8/all/next", "share//8/table/"),
    *("file//0/table/page", "file//0/all/record", "file//0/1/film", "mine//", "undo//", "nudge//", "join//"),
)
OF_A_PLAYER = ("board//", "last//", "log//", "fair//", "replay//", "people//")
COMMANDS = ("board", "log", "hand", "verify", "replay", "move")
OWN_COMMANDS = ("games", "history", "profile")
PLIES = 7
"""Moves before the one that differs."""


async def group(sim: Simulation, slug: str) -> tuple[list[MemberActor], list[MemberActor]]:
    """Start two tables with the same deals, 1 and 2, by presses alone. Return their players."""
    seats = fewest_seats(slug)
    people = sim.join_server("alice", "bob", "carol", "dave", "erin", "frank")
    first, second = people[:seats], people[3 : 3 + seats]
    options = {**shortest_options(slug, seats), "seats": str(seats)}
    await Table.open(sim, slug, first, seed=f"held {slug}", options=options)
    lobby = sim.board()
    await sim.forge(first[0], "1/1/duplicate//sure", message=lobby.id)
    for person in second:
        await sim.press(person, sim.board(), "Join")
    await sim.press(second[0], sim.board(), "Start")
    await sim.forge(first[0], "1/1/start//", message=lobby.id)
    assert [(await sim.match(number)).status for number in (1, 2)] == [Status.PLAYING] * 2
    return first, second


async def differing_move(sim: Simulation, which: int) -> None:
    """Make one of two moves at table 1 after which the same seats are to move, but everyone there sees another
    position, if there are such moves; of sealed ones only their player.
    """
    for _ in range(30):
        match = await sim.match(1)
        state = sim.service.state(match)
        seat = min(state.to_move())
        found: dict[Any, list[Any]] = {}
        for move in state.legal_moves(seat):
            after, events = state.apply(move)
            if after.outcome() is None:
                learned = len([1 for event in events if event.seen_by(None) is not None]) > 0
                found.setdefault((after.to_move(), learned), []).append((move, after))
        for pair in found.values():
            different = [found for found in pair[1:] if found[1].to_json() != pair[0][1].to_json()]
            if different:
                move = (pair[0], different[-1])[which][0]
                await sim.service.play(1, match.chairs[seat].player, None, str(move))
                return await sim.caught_up()
        await sim.service.play(1, match.chairs[seat].player, None, str(state.legal_moves(seat)[0]))
        await sim.caught_up()  # else it is left to chance whether the table shows each move by itself
    raise AssertionError("no two moves leave the same seats to move")


async def looked(sim: Simulation, person: MemberActor, looks: Sequence[str]) -> None:
    """Look at table 1 by these presses and every command."""
    board = sim.board().id
    for look in looks:
        await sim.forge(person, f"1/1/{look}", message=board)
    for command in COMMANDS:
        await sim.slash(person, command, table=1, **({"move": "1"} if command == "move" else {}))
    for command in OWN_COMMANDS:
        await sim.slash(person, command)


def seen(sim: Simulation, shown: Shown) -> tuple[str, ...]:
    """Return what can be seen of it, with names in place of users' ids. Discord's other ids count on with every request
    and tell nothing.
    """
    names = {str(person.id): name for name, person in sim.people.items()}
    body = json.dumps({key: part for key, part in shown.body.items() if key not in ("token", "nonce")}, sort_keys=True)
    told = re.sub(r"\d{17,}", lambda found: names.get(found[0], "…"), body)
    return names.get(str(shown.viewer), "everyone"), shown.method, told


async def world(folder: Path, monkeypatch: pytest.MonkeyPatch, slug: str, which: int, *, ended: bool) -> list[Any]:
    """Return all that an onlooker, who manages the server, and a player of table 2 get to see of table 1 after the move
    that differs. `ended`: table 1 is then stopped by its players.
    """
    seed_secrets(monkeypatch, "the same world")
    sim = await simulate(folder, f"{slug}{which}{ended}.db")
    first, second = await group(sim, slug)
    gina = manager(sim, "gina")
    await sim.play_on(1, PLIES, random=Random("before"))
    cursor, known = sim.cursor, set(sim.files)
    await differing_move(sim, which)
    for _ in range(2 if ended else 0):
        for person in first:
            await sim.forge(person, "1/1/vote_sure//end")
    if ended:
        assert (await sim.match(1)).status is Status.STOPPED
    found = []
    for person, looks in ((gina, LOOKS), (second[0], OF_A_PLAYER)):
        await looked(sim, person, looks)
        found.append(await person.autocomplete(sim.channel, "board", "table", ""))
        found.append(await person.autocomplete(sim.channel, "move", "move", ""))
    own = {person.id for person in first}
    # Which of two people's messages, or of two tables', comes first is left to chance.
    found += sorted(seen(sim, shown) for shown in sim.shown(cursor) if shown.viewer not in own)
    own_dms = {str(person.user.dm_channel.id) for person in first}
    files = {url: data for url, data in sim.files.items() if url not in known}
    found += sorted({data for url, data in files.items() if not any(dm in url for dm in own_dms)})
    await finish(sim)
    return found


async def differences(folder: Path, monkeypatch: pytest.MonkeyPatch, slug: str, *, ended: bool = False) -> list[Any]:
    faults = ErrorLog()
    logging.getLogger().addHandler(faults)
    one, other = [await world(folder, monkeypatch, slug, which, ended=ended) for which in range(2)]
    logging.getLogger().removeHandler(faults)
    assert not faults.lines
    return [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]] + [len(one)] * (
        len(one) != len(other)
    )


def mostly_long(chosen: Iterable[str], *short: str) -> list[Any]:
    """Return the parameters, all but these marked as long."""
    return [one if one in short else pytest.param(one, marks=pytest.mark.long) for one in chosen]


@pytest.mark.parametrize("slug", mostly_long(GAMES, "full_sun", "siege_of_sunfall"))
async def test_a_move_at_a_held_table_shows_only_to_its_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    assert await differences(tmp_path, monkeypatch, slug, ended=slug == "full_sun") == []


async def unheld_table(presenter: Presenter, match: Match, votes: Mapping[int, str]) -> Content:
    return await cogs.messages.table.table_message(presenter, replace(match, held=False), votes)


def mark_of_position(match: Match, *how: Any) -> Mark:
    return mark(replace(match, held=False), *how)


SEEDED: dict[str, tuple[Any, str, Any]] = {
    "board, last and log are open to all": (cogs.tables, "check_shown", lambda match, user: None),
    "the table shows its position": (cogs.messages.table, "_held", unheld_table),
    "the mark is that of the position": (cogs.messages.table, "mark", mark_of_position),
    "the replay does not wait": (cogs.match.playback, "check_released", lambda match: None),
    "the check of the deals does not wait": (cogs.match.verification, "check_released", lambda match: None),
}


@pytest.mark.parametrize("bug", mostly_long(SEEDED, "board, last and log are open to all"))
async def test_the_pairs_find_a_seeded_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: str) -> None:
    monkeypatch.setattr(*SEEDED[bug])
    assert await differences(tmp_path, monkeypatch, "sea_change", ended="wait" in bug)


# What people see.


def table(sim: Simulation, number: int) -> Any:
    return [m for m in sim.channel.history() if any(c.startswith(f"1/{number}/") for c in controls(raw(m)))][-1]


async def test_the_lobbies_link_to_each_other(sim: Simulation) -> None:
    first = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", first, seed="links", options={"seats": "2"})
    asked = sim.said(await sim.press(first[0], sim.board(), "Duplicate table"))
    assert "both tables then have exactly 2 seats" in asked and await sim.matches.get(2) is None
    said = await sim.forge(first[0], "1/1/duplicate//sure")
    assert "table 2](" in said
    assert "is open" in said
    one, two = table(sim, 1), table(sim, 2)
    for message, other, number in ((one, two, 2), (two, one, 1)):
        assert f"**Duplicate** of [table {number}](" in read(message)
        assert f"/{sim.channel.id}/{other.id})" in read(message)
    assert "Players: 0 of 2" in read(two)
    await sim.press(first[1], one, "Leave")
    (carol,) = sim.join_server("carol")
    await sim.press(carol, two, "Join")
    assert "**carol** · " in read(table(sim, 2))
    assert "You play these deals at table 1." in sim.said(await sim.press(first[0], two, "Join"))


async def test_the_host_alone_opens_one_and_is_asked_if_players_have_cut(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", people, seed="asked", options={"seats": "2"})
    say = texts("en")
    for press in ("duplicate//", "duplicate//sure"):
        assert say["refused.only_host"] in await sim.forge(people[1], f"1/1/{press}")
    shown = await sim.more(people[1])
    await people[1].click(shown, label="Options …")
    assert "Duplicate table" not in controls(raw(shown.message))
    await sim.forge(people[1], "1/1/cut_with//")
    said = await sim.forge(people[0], "1/1/duplicate//")
    assert "**bob**" in said
    assert (await sim.match(1)).cuts, "nothing has happened yet"
    assert "is open" in await sim.forge(people[0], "1/1/duplicate//sure")
    assert not (await sim.match(1)).cuts


async def test_a_group_that_came_apart_says_so(sim: Simulation) -> None:
    first = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", first, seed="apart", options={"seats": "2"})
    await sim.forge(first[0], "1/1/duplicate//sure")
    (carol,) = sim.join_server("carol")
    await sim.press(carol, table(sim, 2), "Join")
    await sim.press(first[0], table(sim, 1), "Start")
    await sim.database.write(schema.mark_restored)
    await sim.restart()
    await sim.caught_up()
    say = texts("en")
    assert say["duplicate.apart"] in read(table(sim, 2))
    assert say["duplicate.apart_begun"] in read(table(sim, 1))


async def test_a_cancelled_duplicate_releases_the_lobby(sim: Simulation) -> None:
    first = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", first, seed="links", options={"seats": "2"})
    await sim.forge(first[0], "1/1/duplicate//sure")
    await sim.cancel(first[0], 2)
    await sim.caught_up()
    match = await sim.match(1)
    assert (match.held, match.duplicate) == (False, None)
    assert "Duplicate" not in read(table(sim, 1))


async def test_the_players_see_their_own_table_and_others_do_not(sim: Simulation) -> None:
    first, second = await group(sim, "sea_change")
    board = table(sim, 1)
    assert [part["type"] for part in components(raw(board)) if part["type"] in (11, 12)] == [], "no picture"
    assert "**To move:**" in read(board)
    assert "only the players here see this one" in read(board)
    hand = sim.hand(first[0])
    assert "Scores" in controls(raw(hand))
    for look in ("board//", "last//", "log//"):
        assert HELD not in await sim.forge(first[0], f"1/1/{look}", message=board.id)
        assert HELD in await sim.forge(second[0], f"1/1/{look}", message=board.id)
    await sim.play_on(1, random=Random("to the end"))
    board = table(sim, 1)
    assert "**This table has finished.**" in read(board)
    assert told(sim, 1) == []
    for look in ("replay//", "verify//", "review//", "file//0/table/page"):
        assert HELD in await sim.forge(first[0], f"1/1/{look}", message=board.id)
    for look in ("board//", "last//", "log//"):
        assert HELD not in await sim.forge(first[0], f"1/1/{look}", message=board.id)
    assert " won!" in await sim.forge(first[0], "1/1/hand//", message=board.id), "they know their own table's result"
    fair = await sim.forge(first[0], "1/1/fair//", message=board.id)
    assert (await sim.match(1)).secret not in fair
    assert texts("en")["duplicate.fair"] in fair


async def test_every_end_is_told_once_all_have_ended(sim: Simulation) -> None:
    first, second = await group(sim, "sea_change")
    for number in (1, 2):
        assert told(sim, 1) == told(sim, 2) == []
        await sim.play_on(number, random=Random(f"end {number}"))
    for number, other in ((1, 2), (2, 1)):
        ((_, message),) = told(sim, number)
        shown = "\n".join(words({"components": message.components}))
        assert texts("en")["duplicate.title"] in shown
        assert all(person.name in shown for person in (*first, *second))
        assert f"Same deals: [table {other}](" in shown
        assert not (await sim.match(number)).held
    verified = [await sim.slash(first[0], "verify", table=number) for number in (1, 2)]
    secret = (await sim.match(1)).secret
    assert all(secret in said and "✓ Everything checks out" in said for said in verified)


async def test_a_kill_between_the_end_and_the_release_delays_the_end_only(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    await group(sim, "sea_change")
    await sim.play_on(1, random=Random("one"))

    async def killed(*_: Any) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(cogs.match.duplicates, "release", killed)
        await sim.play_on(2, random=Random("two"))
        assert (await sim.match(1)).held
        assert told(sim, 1) == []
    await sim.restart()
    await sim.caught_up()
    assert not (await sim.match(1)).held
    assert len(told(sim, 1)) == len(told(sim, 2)) == 1


async def test_a_season_table_gets_no_duplicate(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", first, seed="season")

    async def yes(number: int) -> bool:
        return number == 1

    monkeypatch.setattr(sim.service.index, "in_season", yes)
    assert texts("en")["refused.not_duplicated"] in await sim.forge(first[0], "1/1/duplicate//sure")


async def test_a_duplicate_opens_only_beside_its_table(sim: Simulation) -> None:
    first = sim.join_server("alice", "bob")
    await Table.open(sim, "sea_change", first, seed="elsewhere")
    elsewhere = sim.guild.create_text_channel("elsewhere")
    there = await first[0].send(elsewhere, "A message")
    said = await sim.forge(first[0], "1/1/duplicate//", message=there.id, channel=elsewhere.id)
    assert texts("en")["refused.duplicate_here"] in said
    assert (await sim.match(1)).duplicate is None
