"""From /play to Start: who may do what at a table that has not begun, and what is said to who may not."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from cogs.transport.delivery import mark
from cogs.transport.permissions import PERMISSIONS
from data.records.match import Status
from data.records.post import Sending
from tests.support.apicheck import components
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "gina", "hugo", "ida")


async def nine(sim: Simulation, game: str = "sea_change", seated: int = 1) -> list[object]:
    people = sim.join_server(*NAMES)
    await sim.lobby(*people[:seated], game=game)
    return people


async def test_the_ninth_finds_the_table_full(sim: Simulation) -> None:
    people = await nine(sim, seated=8)
    assert "This table is full. Seats: 8." in await sim.forge(people[8], "1/1/join//")
    assert "You are already on the waiting list of this table." in await sim.slash(people[8], "join")
    assert "This table is full. Seats: 8." in await sim.forge(people[0], "1/1/add//")
    assert len((await sim.match()).chairs) == 8
    join = next(part for part in components(raw(sim.board())) if part.get("custom_id") == "1/1/join//")
    assert join["label"] == "Wait for a seat"
    assert "Waiting list: **ida**" in "\n".join(words(raw(sim.board())))
    await sim.press(people[0], sim.board(), "Leave")
    assert (await sim.match()).seat_of(people[8].id) is not None


async def test_joining_twice_and_leaving_unseated(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim)
    version = (await sim.match()).version
    assert "You are already at this table." in sim.said(await sim.press(alice, sim.board(), "Join"))
    assert "You are already at this table." in await sim.slash(alice, "join")
    assert "You have not joined this table yet." in sim.said(await sim.press(bob, sim.board(), "Leave"))
    assert "That does not work at any table here." in await sim.slash(bob, "leave")
    assert "You have not joined this table yet." in await sim.slash(bob, "leave", table=1)
    for label in ("Add computer", "Remove computer", "Start"):
        assert "You have not joined this table yet." in sim.said(await sim.press(bob, sim.board(), label))
    assert "You have not joined this table yet." in await sim.forge(bob, "1/1/option//place", values=["thread"])
    assert "Only the host" in await sim.forge(bob, "1/1/cancel//")
    assert "There is no computer at this table." in await sim.forge(alice, "1/1/remove//")
    assert (await sim.match()).version == version


async def test_the_lesson_is_offered_while_a_player_has_finished_no_match_of_the_game(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")

    def offered() -> bool:
        return "1/0/learn//sea_change" in controls(raw(sim.board()))

    await sim.lobby(alice, bob, game="sea_change")
    assert offered()
    said = sim.said(await sim.press(carol, sim.board(), "First lesson"))
    assert "Sea Change · first lesson" in said
    await sim.press(alice, sim.board(), "Start")
    await sim.play_on()
    await sim.lobby(alice, bob, game="sea_change")
    assert not offered()
    await sim.press(carol, sim.board(), "Join")
    assert offered()
    await sim.press(carol, sim.board(), "Leave")
    assert not offered()


async def test_a_lobby_whose_host_leaves_goes_to_the_next(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim, seated=2)
    assert "You have left Sea Change · table 1." in sim.said(await sim.press(alice, sim.board(), "Leave"))
    match = await sim.match()
    assert (match.host, [chair.user for chair in match.chairs]) == (bob.id, [bob.id])
    assert "You have left" in await sim.slash(bob, "leave")
    assert (await sim.match()).status is Status.CANCELLED
    assert not controls(raw(sim.channel.last_message))
    assert "This match was cancelled." in await sim.forge(alice, "1/1/join//", message=sim.channel.last_message.id)


async def test_a_cancelled_lobby_says_so_to_every_press(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim)
    message = sim.board().id
    assert "Only the host of this lobby can cancel it." in await sim.cancel(bob, 1)
    assert "is cancelled" in await sim.cancel(alice, 1)
    for action in ("join", "leave", "add", "remove", "start", "cancel"):
        assert "This match was cancelled." in await sim.forge(bob, f"1/1/{action}//", message=message)
    for pressed in ("undo//", "move/1.0/play B1", "path/1.0/B", "undo/1.0/"):
        assert "This match was cancelled." in await sim.forge(alice, f"1/1/{pressed}", message=message)
    assert "This match was cancelled." in await sim.slash(alice, "move", move="play B1", table=1)
    for action in ("hand", "board", "last", "log"):
        said = await sim.forge(bob, f"1/1/{action}//", message=message)
        assert "not started" in said or "not playing" in said
    assert "The seed stays secret" in await sim.forge(bob, "1/1/verify//", message=message)
    assert "That does not work at any table here" in await sim.slash(bob, "join")


async def test_presses_for_a_hand_before_it_has_begun(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim)
    for action in ("hand", "board", "last", "log", "give_seat", "path"):
        assert "This match has not started yet." in await sim.forge(alice, f"1/1/{action}//")
    assert "This match has not started yet." in await sim.forge(alice, "1/1/move/1.1/play B9")
    assert "This match has not started yet." in await sim.forge(alice, "1/1/vote_sure//end")
    assert "You have not joined this table yet." in await sim.forge(bob, "1/1/move/1.1/play B9")
    for command in ("hand", "board", "log"):
        assert "That does not work at any table here." in await sim.slash(alice, command)
        assert "This match has not started yet." in await sim.slash(alice, command, table=1)


async def test_too_few_and_seats_that_are_wanted(sim: Simulation) -> None:
    people = await nine(sim, "siege_of_sunfall", seated=2)
    alice = people[0]
    assert "You need at least 3 players and have 2." in sim.said(await sim.press(alice, sim.board(), "Start"))
    await sim.press(alice, sim.board(), "1/1/option//seats", "4")
    await sim.press(people[2], sim.board(), "Join")
    assert "You need at least 4 players and have 3." in sim.said(await sim.press(alice, sim.board(), "Start"))
    await sim.press(people[3], sim.board(), "Join")
    assert "This table is full. Seats: 4." in await sim.forge(people[4], "1/1/join//")
    assert "Players already here: 4." in await sim.forge(alice, "1/1/option//seats", values=["3"])
    await sim.press(alice, sim.board(), "1/1/option//seats", "any")
    await sim.press(alice, sim.board(), "Start")
    assert (await sim.match()).status is Status.PLAYING


async def test_teams_that_do_not_fit_who_came(sim: Simulation) -> None:
    """Two against two, and then a fifth comes: Start says what does not fit, the lobby shows it, nothing begins."""
    people = await nine(sim, seated=4)
    for value in ("9v9", "", "True", "2v2"):
        said = await sim.forge(people[0], "1/1/option//teams", values=[value])
        assert ("That choice is no longer possible" in said) is (value != "2v2")
    await sim.press(people[4], sim.board(), "Join")
    assert "Teams: 2 against 2 does not work with this number of players" in "\n".join(words(raw(sim.board())))
    said = sim.said(await sim.press(people[0], sim.board(), "Start"))
    assert (
        "One of the choices does not work with this number of players (5); the lobby shows which. Please choose again."
        in said
    )
    assert (await sim.match()).status is Status.LOBBY
    await sim.press(people[4], sim.board(), "Leave")
    await sim.press(people[0], sim.board(), "Start")
    assert (await sim.match()).status is Status.PLAYING


async def test_start_pressed_by_five_at_once_begins_once(sim: Simulation) -> None:
    people = await nine(sim, seated=5)
    results = [sim.raw_press(person, "1/1/start//", message=sim.board().id) for person in people[:5]]
    await sim.env.settle()
    said = [sim.said(result) for result in results]
    assert sum("This match has already started." in text for text in said) == 4
    assert (await sim.match()).status is Status.PLAYING
    # Five people press Join at once for what is left of another table.
    await sim.slash(people[0], "play", game="siege_of_sunfall")
    board = sim.board().id
    for person in people[1:]:
        for _ in range(2):
            sim.raw_press(person, "1/2/join//", message=board)
    await sim.env.settle()
    assert len((await sim.match(2)).chairs) == 6


async def test_a_full_lobby_does_not_say_that_others_can_join(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")

    def text() -> str:
        return "\n".join(words(raw(sim.board())))

    assert "wait for others to join" in text()
    await sim.press(alice, sim.board(), "1/1/option//seats", "1")
    assert "All seats are taken" in text() and "others" not in text()
    await sim.press(alice, sim.board(), "1/1/option//seats", "2")
    (bob,) = sim.join_server("bob")
    await sim.press(bob, sim.board(), "Join")
    assert "All seats are taken" in text() and "more can join" not in text()
    await sim.press(alice, sim.board(), "1/1/option//seats", "any")
    assert "until then more can join" in text()


def calls(sim: Simulation) -> list[str]:
    """Return the messages in the channel that tell a host that enough players are there."""
    return [message.content for message in sim.channel.history() if "enough players are here" in message.content]


async def test_the_host_is_called_once_when_enough_players_are_there(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(alice, sim.board(), "Add computer")
    assert not calls(sim), "she knows what she does herself"
    await sim.press(bob, sim.board(), "Join")
    (said,) = calls(sim)
    assert f"<@{alice.id}>" in said and "Press *Start*" in said
    await sim.restart()
    await sim.press(bob, sim.board(), "Leave")
    await sim.press(bob, sim.board(), "Join")
    await sim.press(carol, sim.board(), "Join")
    assert len(calls(sim)) == 1
    await sim.press(alice, sim.board(), "Start")
    await sim.caught_up()
    assert not calls(sim), "it goes with the lobby"


async def test_a_call_of_the_host_goes_once_players_are_missing_again(sim: Simulation) -> None:
    alice, bob = await sim.lobby("alice", "bob", game="full_circle")
    assert len(calls(sim)) == 1
    lobby = next(message for message in sim.channel.history() if "1/1/start//" in controls(raw(message)))
    await sim.press(bob, lobby, "Leave")
    assert not calls(sim), "to press Start does nothing now"
    cursor = sim.cursor
    await sim.press(bob, lobby, "Join")
    assert alice.id not in sim.pings(cursor), "else each press of another pings the host"


async def test_a_host_who_wants_no_pings_is_not_called(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change")
    await sim.forge(alice, "1/0/setting//ping", values=["none"])
    await sim.press(bob, sim.board(), "Join")
    assert not calls(sim)


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_call_of_the_host_whose_answer_was_lost_is_looked_for(sim: Simulation, arrived: bool) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(bob, sim.board(), "Join")
    (message,) = [m for m in sim.channel.history() if "enough players are here" in m.content]
    posts = sim.matches.posts
    table = (await posts.of(1)).table
    begun = Sending(table.channel, int(sim.now()), mark("enough", message.content))
    await posts.note(replace(table, called=False, ping=None, sending=begun))
    if not arrived:
        await message.delete()
    sim.app.publisher.changed(1)
    await sim.caught_up()
    assert len(calls(sim)) == 1
    assert (await posts.of(1)).table.called


NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}


async def test_a_permission_that_is_missing_is_named_and_no_table_opened(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for names in (*([name] for name in NEEDED), ["send_messages", "embed_links", "attach_files"]):
        denied = discord.PermissionOverwrite(**dict.fromkeys(names, False))
        place = sim.guild.create_text_channel(names[0], overwrites={sim.guild.me: denied})
        said = await sim.slash(alice, "play", place, game="sea_change")
        missing = said.partition("Missing: ")[2].partition(".")[0]
        assert missing.replace(" and ", ", ").split(", ") == [NEEDED[name] for name in names]
        assert not [m for m in place.history() if not m.flags.ephemeral]
    assert await sim.matches.get(1) is None


async def test_without_threads_the_table_stays_in_the_channel(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    denied = discord.PermissionOverwrite(create_public_threads=False, send_messages_in_threads=False)
    sim.channel = sim.guild.create_text_channel("flat", overwrites={sim.guild.me: denied})
    table = await Table.begin(sim, "sea_change", [alice], seed="flat", options={"place": "thread", "target": "1"})
    assert not sim.channel.threads
    await table.play()
    await table.check_end()


def test_the_invite_link_asks_for_exactly_these() -> None:
    names = {*NEEDED, "create_public_threads", "send_messages_in_threads"}
    assert discord.Permissions(**dict.fromkeys(names, True)) == PERMISSIONS


async def test_in_direct_messages_no_table_fits(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    offered = alice.user.available_commands()
    assert {"join", "cancel"}.isdisjoint(offered)
    assert {"hand", "board", "move", "games", "leave", "log", "rules", "settings", "help", "verify"} <= {*offered}
    for command in ("hand", "board", "log", "leave"):
        said = sim.said(await alice.user.slash(command))
        assert "That does not work at any table here." in said
    assert "You are not at any table." in sim.said(await alice.user.slash("games"))
    assert "Sundial" in sim.said(await alice.user.slash("help"))
    assert "**Goal:** capture good cards" in sim.said(await alice.user.slash("rules", game="sea_change"))
    assert "There is no such table." in sim.said(await alice.user.slash("verify", table=77))


async def test_with_several_tables_it_is_asked_which(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim, seated=2)
    await sim.slash(alice, "play", game="siege_of_sunfall")
    cursor = sim.cursor
    assert "Which table?" in await sim.slash(alice, "leave")
    said = sim.shown(cursor)[-1].all_text
    assert "Sea Change · table 1" in said and "Siege of Sunfall · table 2" in said
    listed = await alice.autocomplete(sim.channel, "leave", "table", "sea")
    assert [(choice["name"], choice["value"]) for choice in listed] == [("Sea Change · table 1", 1)]
    assert "You have left Siege of Sunfall · table 2." in await sim.slash(alice, "leave", table=2)
    assert "Sea Change · table 1" in await sim.slash(alice, "games")
    # In another channel one's own only table is meant, wherever it is.
    elsewhere = sim.guild.create_text_channel("elsewhere")
    assert "You have left Sea Change · table 1." in await sim.slash(bob, "leave", elsewhere)
    assert "That does not work at any table here" in await sim.slash(bob, "join", elsewhere)


async def test_a_table_elsewhere_is_no_strangers_business(sim: Simulation) -> None:
    """Neither its number nor a forged press opens a table to one who is not where it is."""
    (alice,) = sim.join_server("alice")
    await Table.begin(sim, "sea_change", [alice], seed="elsewhere")
    other = sim.env.create_guild("Desert")
    mallory = other.add_member(sim.env.create_user("mallory"))
    there = other.create_text_channel("dunes")
    sim.people["mallory"] = mallory
    for command in ("join", "leave", "hand", "board", "log", "cancel", "move", "verify"):
        more = {"move": "play B9"} if command == "move" else {}
        said = sim.said(await mallory.slash(there, command, table=1, **more))
        assert said.strip() == "There is no such table.", command
        if command not in ("join", "cancel"):
            assert sim.said(await mallory.user.slash(command, table=1, **more)) == said


async def test_the_same_person_in_another_server_has_their_hand_there_too(sim: Simulation) -> None:
    """What they manage there does not count here."""
    (alice,) = sim.join_server("alice")
    await Table.begin(sim, "sea_change", [alice], seed="elsewhere")
    other = sim.env.create_guild("Desert")
    there = other.create_text_channel("dunes")
    role = other.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    again = other.add_member(alice.user, roles=[role])
    assert "Your hand:" in sim.said(await again.slash(there, "hand"))
    assert "Only a server manager (*Manage Server*) can cancel a running match" in sim.said(
        await again.slash(there, "cancel", table=1)
    )


async def test_calling_off_asks_once_and_has_a_way_to_stay(sim: Simulation) -> None:
    alice, bob, *_ = await nine(sim, seated=2)
    asked = await sim.press(alice, sim.board(), "Cancel this table")
    assert "Cancel Sea Change · table 1?" in sim.said(asked)
    assert (await sim.match()).status is Status.LOBBY
    kept = await alice.click(asked.response, label="No, keep it")
    assert "Sea Change · table 1 goes on." in sim.said(kept)
    assert (await sim.match()).status is Status.LOBBY
    assert "Only the host" in await sim.forge(bob, "1/1/cancel//sure"), "the second press is checked as the first"
    assert (await sim.match()).status is Status.LOBBY
    asked = await sim.press(alice, sim.board(), "Cancel this table")
    assert "is cancelled" in sim.said(await alice.click(asked.response, label="Yes, cancel it"))
    assert (await sim.match()).status is Status.CANCELLED
    again = await sim.forge(alice, "1/1/cancel//sure", message=asked.response.id)
    assert "was cancelled" in again
