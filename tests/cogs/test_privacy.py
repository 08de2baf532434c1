"""A player deletes their data: nothing of it is left, and the tables go on."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from discord import Locale
from simcord.actors import MemberActor

from cogs.match.refusals import Reason
from cogs.privacy import PrivacyCommands
from cogs.transport.publisher import PublishTiming
from data.records.match import DEPARTED, Match, Status
from data.records.privacy import Privacy
from data.store.backups import Backups, restore
from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog
from data.store.hash_chain import broken
from tests.cogs.deletions import everywhere, traces
from tests.data.people_everywhere import encodings
from tests.support.matches import refusal
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table
from tests.support.verified import run

pytestmark = pytest.mark.usefixtures("plain")


def lines_of_departures(sim: Simulation) -> int:
    path = Path(f"{sim.settings.database}.departed")
    return path.read_bytes().count(b"\n") if path.exists() else 0


async def delete(sim: Simulation, person: MemberActor) -> str:
    """Through the command and its two buttons. Then an hour has passed, and the file is rewritten."""
    shown = await person.slash(sim.channel, "privacy")
    asked = await person.click(shown.response, label="Delete my data")
    assert "cannot be undone" in sim.said(asked)
    done = await person.click(asked.response, label="Delete it all")
    await sim.env.settle()
    await sim.bot.get_cog("PrivacyCommands").sweep()
    return sim.said(done)


def with_controls(sim: Simulation, person: MemberActor) -> list[int]:
    """The direct messages in which that person could press something."""
    return [message.id for message in sim.dms(person) if controls(raw(message))]


async def a_move(sim: Simulation, person: MemberActor, table: int) -> str:
    choices = await person.autocomplete(sim.channel, "move", "move", "", table=table)
    return str(choices[0]["value"])


async def test_after_a_deletion_no_byte_of_the_person_is_left(
    sim: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("sundial", "cogs", "data", "bot"):
        caplog.set_level(logging.DEBUG, logger=name)
    caplog.set_level(logging.INFO)
    people = await everywhere(sim)
    assert all(traces(sim, person.id) for person in people), "the scan finds what it looks for"
    for at, person in enumerate(people):
        assert "nothing about you is stored" in await delete(sim, person)
        assert not traces(sim, person.id), person.name
        others = people[at + 1 :]
        assert all(traces(sim, other.id) for other in others), "no other's"
    assert not [line for line in caplog.messages if any(str(person.id) in line for person in people)]
    await sim.restart()
    assert not [person.name for person in people if traces(sim, person.id)]


async def test_a_deletion_is_no_way_back_to_a_table_nor_to_other_cards(sim: Simulation) -> None:
    """Who was removed stays so, and who has seen a hand takes no other one."""
    people = sim.join_server("alice", "bob", "carol", "dave")
    alice, bob, carol, dave = people
    table = await Table.open(sim, "siege_of_sunfall", people, seed="way back")
    await sim.env.advance_time(10)
    await table.start()
    await sim.env.advance_time(10)
    await sim.forge(carol, "1/1/give_seat//")
    for person in (alice, bob):
        await sim.forge(person, f"1/1/vote//remove {dave.id}")
    await sim.forge(alice, f"1/1/vote//remove {dave.id}")
    match = await sim.match()
    assert {chair.user for chair in match.people} == {alice.id, bob.id}
    (free, *_) = (chair.number for chair in match.chairs if chair.user is None)
    for person in (carol, dave):
        await delete(sim, person)
        for chair in match.chairs:
            if chair.user is None:
                said = await sim.forge(person, f"1/1/take//{chair.number}")
                assert "deleted your data after this match began" in said
    (erin,) = sim.join_server("erin")
    await sim.slash(erin, "settings")
    await delete(sim, erin)
    assert "after this match began" in await sim.forge(erin, f"1/1/take//{free}"), "no player can tell any more"
    await sim.env.advance_time(10)
    await sim.slash(carol, "play", game="siege_of_sunfall")
    await sim.forge(dave, "1/2/join//")
    assert {chair.user for chair in (await sim.match(2)).people} == {carol.id, dave.id}


async def test_nor_is_one_while_a_seat_is_waited_for(sim: Simulation) -> None:
    """While a computer thinks, the table does nothing else. A user who asks for another seat then, and has their data
    deleted before they get it, has still seen a hand there.
    """
    people = sim.join_server("alice", "bob", "carol")
    alice, bob, _ = people
    table = await Table.open(sim, "siege_of_sunfall", people, seed="meanwhile")
    await sim.env.advance_time(10)
    await table.start()
    await sim.env.advance_time(10)
    other = (await sim.match()).seat_of(bob.id)
    for person in (alice, bob):
        await sim.forge(person, "1/1/give_seat//")
    async with sim.service.deciding(1):
        asked = asyncio.create_task(sim.app.membership.take_seat(1, alice.id, "alice", other or 0))
        await asyncio.sleep(0.05)
        await delete(sim, alice)
        await sim.service.people.meet(alice.id, "alice")  # as any press does
    assert await refusal(asked) is Reason.DEPARTED_SINCE
    assert (await sim.match()).seat_of(alice.id) is None


async def test_where_nothing_is_stored_nothing_is_noted_nor_written_again(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To write the file again holds everybody up, and the list of departures only grows."""
    cleaned, clean = list[bool](), Database.clean

    async def cleaning(self: Database) -> bool:
        cleaned.append(await clean(self))
        return cleaned[-1]

    monkeypatch.setattr(Database, "clean", cleaning)
    (erin,) = sim.join_server("erin")
    for _ in range(2):
        assert "nothing about you is stored" in await delete(sim, erin)
    assert not cleaned and not lines_of_departures(sim)
    match = await siege.play(lambda match, state: match.moves > 0)
    await sim.forge(siege.people[0], "1/1/give_seat//")
    seat = match.seat_of(siege.people[0].id)
    await sim.forge(erin, f"1/1/take//{seat}")
    assert (await sim.match()).seat_of(erin.id) == seat, "who never was here has seen no cards"
    await delete(sim, erin)
    noted = lines_of_departures(sim)
    await sim.slash(erin, "settings")
    await delete(sim, erin)
    assert len(cleaned) == 2 and lines_of_departures(sim) == noted + 1, "a backup may hold them"
    assert "nothing about you is stored" in await delete(sim, erin)
    assert len(cleaned) == 2 and not traces(sim, erin.id)
    assert "after this match began" in await sim.forge(erin, f"1/1/take//{seat}")


async def test_who_is_deleted_while_being_greeted_is_met_with_no_fault(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (alice,) = sim.join_server("alice")
    direct, personal = sim.bot.app.publisher.newcomers.direct, sim.bot.get_cog("PrivacyCommands")
    assert isinstance(personal, PrivacyCommands)
    opens = direct.open

    async def slowly(user: int) -> int:
        channel = await opens(user)
        await sim.app.privacy.erase(alice.id, 0)
        return channel

    monkeypatch.setattr(direct, "open", slowly)
    assert "Sea Change" in await sim.slash(alice, "play", game="sea_change")
    await personal.sweep()
    assert not traces(sim, alice.id)


async def test_the_tables_go_on_without_a_player_who_left(sim: Simulation) -> None:
    alice, bob, carol, _, erin = await everywhere(sim)
    await delete(sim, alice)
    running, over, lobby = await sim.match(2), await sim.match(1), await sim.match(3)
    assert running.status is Status.PLAYING
    assert {chair.user for chair in running.people} == {bob.id, carol.id}
    assert [chair.name for chair in over.chairs].count(DEPARTED) == 1
    assert lobby.host == carol.id
    assert "deleted player" in sim.bot.app.messages.labels(over).names
    assert "gelöschtes Konto" in sim.bot.app.messages.labels(over, "de").names
    # Their hand is empty, and nothing calls them any more.
    assert not [m for m in sim.dms(alice) if any("/2/move/" in c or "/2/pick/" in c for c in controls(raw(m)))]
    # A computer plays there, under that word, until somebody takes the seat.
    seat = next(chair for chair in running.chairs if chair.name == DEPARTED)
    assert seat.user is None and seat.offered
    log = len(await sim.matches.moves(2))
    for person in (bob, carol):
        await sim.slash(person, "move", move=await a_move(sim, person, 2), table=2)
    log = [move for move in (await sim.matches.moves(2))[log:] if move.undone_at is None]
    assert {move.seat for move in log} >= {seat.number, running.seat_of(bob.id), running.seat_of(carol.id)}
    assert "deleted player" in sim.said(await bob.slash(sim.channel, "log", table=2))
    await sim.forge(erin, f"1/2/take//{seat.number}")
    assert (await sim.match(2)).seat_of(erin.id) == seat.number
    await delete(sim, carol)
    lobby = await sim.match(3)
    assert (lobby.status, lobby.host) == (Status.LOBBY, bob.id)
    await delete(sim, bob)
    assert (await sim.match(3)).status is Status.CANCELLED
    assert [chair.user for chair in (await sim.match(2)).people] == [erin.id]
    await delete(sim, erin)
    assert (await sim.match(2)).status is Status.STOPPED
    # A person who comes back begins again.
    await sim.slash(alice, "play", game="sea_change")
    assert (await sim.match(4)).host == alice.id


async def test_a_hand_that_could_not_be_emptied_then_is_emptied_later(sim: Simulation, siege: Table) -> None:
    """Also when somebody else has the seat by then, and after a restart."""
    alice = siege.people[0]
    seat, hand = (await sim.match()).seat_of(alice.id), sim.hand(alice)
    sim.env.inject_error("PATCH", f"/channels/{hand.channel.id}/messages/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    await delete(sim, alice)
    assert not traces(sim, alice.id)
    (erin,) = sim.join_server("erin")
    await sim.forge(erin, f"1/1/take//{seat}")
    assert with_controls(sim, alice) == [hand.id]
    sim.env.backend.faults.clear()
    await sim.restart()
    await sim.env.settle()
    assert not with_controls(sim, alice)
    assert await sim.database.read(lambda c: c.execute("SELECT count(*) FROM farewell").fetchone()[0]) == 0


async def test_a_computer_moves_for_a_player_who_left_though_nothing_is_noted_beside_it(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full once the seat is given up, before it is noted that the old hand is empty."""
    match, state = await tide.now()
    mover = sim.by_id(match.chairs[min(state.to_move())].user)

    async def full(number: int) -> None:
        raise NotStored

    monkeypatch.setattr(sim.bot.app.publisher.hands, "empty_stale", full)
    await delete(sim, mover)
    assert (await sim.match()).moves > match.moves


async def test_a_match_is_checked_and_played_again_without_a_player_who_left(sim: Simulation, tmp_path: Path) -> None:
    alice, bob, *_ = await everywhere(sim)
    await delete(sim, alice)
    said = await sim.slash(bob, "verify", table=1)
    assert "deleted player" in said and "left of the middle" in said and "✗" not in said
    path, export = tmp_path / "match-1.json", (await sim.app.verifier.verify(1)).export
    path.write_bytes(export)
    code, said = run(path)
    assert (code, "NO" in said) == (0, False)
    assert "departed" in [player["name"] for player in json.loads(export)["players"]]
    assert await sim.database.read(broken) == []
    await sim.forge(bob, "1/1/again//")
    assert [chair.user for chair in (await sim.match(4)).chairs] == [bob.id], "and no computer in her place"


async def test_where_nothing_can_be_done_the_seat_is_given_up_all_the_same(tide: Table) -> None:
    """While the bot is not in the server: one match runs, and one lobby waits."""
    sim = tide.sim
    alice, bob = tide.people
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(bob, sim.board(), "1/2/join//")
    await sim.database.write(lambda c: c.execute("UPDATE match SET paused_at = 1").rowcount)
    sim.matches.forget()
    assert with_controls(sim, alice)
    await delete(sim, alice)
    assert not traces(sim, alice.id)
    assert not with_controls(sim, alice)
    running, lobby = await sim.match(1), await sim.match(2)
    assert [(chair.user, chair.name) for chair in running.chairs if chair.user != bob.id] == [(None, DEPARTED)]
    assert ([chair.user for chair in lobby.chairs], lobby.host) == ([bob.id], bob.id)
    await delete(sim, bob)
    assert not traces(sim, bob.id)
    assert [(await sim.match(number)).status for number in (1, 2)] == [Status.STOPPED, Status.CANCELLED]


async def test_who_is_deleted_is_on_the_list_before(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a kill in between no player would note it any more, and an older backup would bring them back."""
    alice, *_ = await everywhere(sim)
    listed, seen = ErasureLog(Path(sim.settings.database)), list[list[int]]()
    leave, erase = PrivacyCommands.leave, Privacy.erase

    async def leaving(self: PrivacyCommands, match: Match, user: int) -> None:
        seen.append(listed.since([user], 0))
        await leave(self, match, user)

    async def erasing(self: Privacy, user: int, now: int) -> list[int]:
        seen.append(listed.since([user], 0))
        return await erase(self, user, now)

    monkeypatch.setattr(PrivacyCommands, "leave", leaving)
    monkeypatch.setattr(Privacy, "erase", erasing)
    await delete(sim, alice)
    assert len(seen) > 1 and all(found == [alice.id] for found in seen)


async def test_one_is_deleted_after_the_other(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup made in between would take a person who is noted and not yet deleted for gone."""
    alice, bob, *_ = await everywhere(sim)
    personal, done = sim.bot.get_cog("PrivacyCommands"), list[tuple[str, int]]()
    assert isinstance(personal, PrivacyCommands)
    note, erase = Privacy.note_departure, Privacy.erase

    async def noting(privacy: Privacy, user: int, now: int) -> None:
        done.append(("note", user))
        await note(privacy, user, now)

    async def erasing(privacy: Privacy, user: int, now: int) -> list[int]:
        done.append(("erase", user))
        return await erase(privacy, user, now)

    monkeypatch.setattr(Privacy, "note_departure", noting)
    monkeypatch.setattr(Privacy, "erase", erasing)
    asked = [SimpleNamespace(user=person, locale=Locale.british_english) for person in (alice, bob)]
    await asyncio.gather(*(personal.delete_data(cast(Any, interaction), cast(Any, None)) for interaction in asked))
    assert done == [(what, person.id) for person in (alice, bob) for what in ("note", "erase")]


async def test_an_older_backup_does_not_bring_them_back(sim: Simulation) -> None:
    """But a person who has come back before it was made is left alone."""
    alice, bob, carol, *_ = await everywhere(sim)
    path, base = Path(sim.settings.database), sim.database
    await delete(sim, carol)
    sim.env.backend.advance_clock(60)
    await sim.slash(carol, "play", game="sea_change")
    backup = await Backups(base, path, 0, sim.now).make()
    sim.env.backend.advance_clock(60)
    await delete(sim, alice)
    await sim.env.settle()
    await sim.bot.close()
    done = restore(path, backup, datetime.now(UTC))
    for aside in done.aside:
        aside.unlink()
    await sim.start_bot()
    await sim.env.settle()
    gone = [person.name for person in (alice, bob, carol) if not [f for f in traces(sim, person.id) if f == path.name]]
    assert gone == ["alice"]
    assert [chair.user for chair in (await sim.match(2)).people] == [bob.id]
    assert await sim.service.people.get(carol.id) is not None
    listed = path.with_name(f"{path.name}.departed")
    assert listed.stat().st_mode & 0o077 == 0
    assert not any(form in listed.read_bytes() for person in (alice, carol) for form in encodings(person.id))
