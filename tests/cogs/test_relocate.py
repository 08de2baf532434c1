"""Where tables stand: they move with /relocate, get threads that last, and are kept out where the bot may not write."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.builders import ChannelHandle

from cogs.match.table_options import move_table
from cogs.relocate import REST
from cogs.transport.table_message import TableMessage
from data.records.match import Match, Status
from data.records.post import Post
from tests.cogs.managing import choose, manager
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import MY_HAND, Table
from tests.support.threads import Threads

pytestmark = pytest.mark.usefixtures("plain")


def texts(channel: ChannelHandle) -> str:
    return "\n".join("\n".join(words(raw(message))) for message in channel.history())


def tables(channel: ChannelHandle) -> list[discord.Message]:
    return [message for message in channel.history() if "My hand" in controls(raw(message))]


async def elsewhere(sim: Simulation, person: MemberActor, channel: ChannelHandle, **how: object) -> str:
    return await sim.slash(person, "relocate", channel, **how)


async def test_a_running_table_moves_with_all_that_belongs_to_it(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    parlour = sim.guild.create_text_channel("parlour")
    await sim.forge(alice, "1/1/offer//1")
    old = tables(sim.channel)[0].id
    hands = [sim.hand(person).id for person in (alice, bob)]
    cursor = sim.cursor
    said = await elsewhere(sim, alice, parlour)
    assert f"/{parlour.id})" in said and "is here from now on" in said
    assert sim.pings(cursor) == [], "whom direct messages reach is called by none"
    assert [message.id for message in sim.channel.history()] == [old], "the call for a substitute is gone too"
    assert f"This table has moved to <#{parlour.id}>." in texts(sim.channel)
    assert not controls(raw(sim.channel.history()[0]))
    board, call = parlour.history()
    assert "My hand" in controls(raw(board)) and "Take alice's seat" in controls(raw(call))
    posts = await sim.matches.posts.of(1)
    assert [(post.channel, post.message) for post in (posts.table, posts.notice)] == [
        (parlour.id, board.id),
        (parlour.id, call.id),
    ]
    for person, hand in zip((alice, bob), hands, strict=True):
        assert sim.hand(person).id == hand
        assert f"channels/{sim.guild.id}/{parlour.id}" in "\n".join(words(raw(sim.hand(person))))
    match, state = await tide.now()
    mover = sim.by_id(match.chairs[min(state.to_move())].user)
    assert "✓ Done" in sim.said(await tide.decide(mover))
    assert f"**{mover.name}** plays" in texts(parlour)
    # A press at the table as it was finds the match all the same.
    assert "Your hand:" in await sim.forge(alice, "1/1/hand//", message=old)
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end", message=board.id, channel=parlour.id)
    await sim.press(alice, parlour.history()[-1], "Play again")
    assert (await sim.match(2)).channel == parlour.id


async def test_a_table_whose_channel_was_deleted_finds_another(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    parlour = sim.guild.create_text_channel("parlour")
    sim.env.backend.delete_channel(sim.channel.id)
    await tide.decide(await tide.mover())
    await sim.restart()
    assert "is here" in await elsewhere(sim, bob, parlour)
    (board,) = tables(parlour)
    assert await sim.matches.posts.behind() == []
    assert "Your hand:" in sim.said(await sim.press(alice, board, "My hand"))


async def test_a_lobby_moves_with_its_host_alone_and_opens_its_thread_there(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    parlour = sim.guild.create_text_channel("parlour")
    await Table.open(sim, "sea_change", [alice, bob], seed="lobby", options={"place": "thread"})
    assert "Only the host can move a table before" in await elsewhere(sim, bob, parlour)
    assert "is here" in await elsewhere(sim, alice, parlour)
    assert "This table has moved" in texts(sim.channel)
    (lobby,) = parlour.history()
    await sim.press(alice, lobby, "Start")
    (thread,) = parlour.threads
    assert tables(thread) and not tables(parlour) and not sim.channel.threads
    assert (await sim.match()).place == thread.id
    # Out of the thread into the channel, and back.
    await sim.env.advance_time(REST)
    assert "is here" in await elsewhere(sim, bob, parlour)
    assert tables(parlour) and not tables(thread)
    assert f"moved to <#{parlour.id}>" in texts(thread)
    await sim.env.advance_time(REST)
    assert "is here" in await elsewhere(sim, bob, thread)
    assert tables(thread) and not tables(parlour)
    assert len(parlour.threads) == 1


async def test_who_takes_no_direct_messages_is_called_where_the_table_went(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    ways = dict.fromkeys(("alice", "bob"), MY_HAND)
    table = await Table.begin(sim, "sea_change", people, seed="closed", ways=ways)
    parlour, cursor = sim.guild.create_text_channel("parlour"), sim.cursor
    assert [message for message in sim.channel.history() if message.content]
    match, state = await table.now()
    asked = match.chairs[min(state.to_move())].user
    await elsewhere(sim, people[0], parlour)
    assert sim.pings(cursor) == [asked]
    assert [m.content.startswith(f"<@{asked}>") for m in parlour.history() if m.content] == [True]
    assert not [message for message in sim.channel.history() if message.content]
    await sim.restart()
    assert sim.pings(cursor) == [asked]


async def test_a_table_that_moves_to_and_fro_calls_once_more_for_each_turn(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    ways = dict.fromkeys(("alice", "bob"), MY_HAND)
    table = await Table.begin(sim, "sea_change", people, seed="to and fro", ways=ways)
    mona = manager(sim)
    parlour = sim.guild.create_text_channel("parlour")
    match, state = await table.now()
    asked = match.chairs[min(state.to_move())].user
    cursor = sim.cursor
    for channel in (parlour, sim.channel, parlour):
        await elsewhere(sim, mona, channel, table=1)
    assert sim.pings(cursor) == [asked]
    await sim.restart()
    (board,) = tables(parlour)
    await sim.forge(sim.by_id(asked), "1/1/hand//", message=board.id, channel=parlour.id)
    await elsewhere(sim, mona, sim.channel, table=1)
    assert sim.pings(cursor) == [asked], "nor once they have looked"
    # Of the next turn the player asked then is called, and once more where the table goes.
    await table.play(lambda match, state: match.chairs[min(state.to_move())].user != asked)
    match, state = await table.now()
    other, cursor = match.chairs[min(state.to_move())].user, sim.cursor
    for channel in (parlour, sim.channel):
        await elsewhere(sim, mona, channel, table=1)
    assert sim.pings(cursor) == [other]


async def test_who_may_move_a_table_and_to_where(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    (ida,) = sim.join_server("ida")
    mona = manager(sim)
    parlour, attic = (sim.guild.create_text_channel(name) for name in ("parlour", "attic"))
    assert "That does not work at any table here." in await elsewhere(sim, ida, parlour)
    assert "There is no such table." in await elsewhere(sim, ida, parlour, table=1)
    assert "You are not playing at this table." in await elsewhere(sim, ida, sim.channel, table=1)
    assert "is already here" in await elsewhere(sim, alice, sim.channel)
    assert "is already here" in await elsewhere(sim, alice, sim.channel, table=1)
    assert "There is no such table." in await elsewhere(sim, alice, parlour, table=9)
    version = (await tide.now())[0].version
    await choose(sim, mona, "channels", sim.channel, attic)
    assert f"Tables cannot be opened in this channel. Try <#{sim.channel.id}>" in await elsewhere(sim, bob, parlour)
    await choose(sim, mona, "games", "full_sun")
    assert "Sea Change is not available in this server." in await elsewhere(sim, bob, attic)
    await choose(sim, mona, "games")
    assert (await tide.now())[0].version == version
    assert "is here" in await elsewhere(sim, bob, attic)
    assert "was moved a moment ago" in await elsewhere(sim, alice, sim.channel)
    assert "is here" in await elsewhere(sim, mona, sim.channel, table=1), "a manager may always"
    await sim.env.advance_time(REST)
    assert "is here" in await elsewhere(sim, alice, attic)
    await sim.forge(alice, "1/1/vote_sure//end", channel=attic.id, message=tables(attic)[0].id)
    await sim.forge(bob, "1/1/vote_sure//end", channel=attic.id, message=tables(attic)[0].id)
    assert "The players voted to end this match early." in await elsewhere(sim, alice, sim.channel, table=1)


async def test_a_permission_that_is_missing_there_is_named(sim: Simulation, tide: Table) -> None:
    before = (await tide.now())[0]
    for name in ("send_messages", "attach_files", "read_message_history"):
        denied = discord.PermissionOverwrite(**{name: False})
        closed = sim.guild.create_text_channel(name, overwrites={sim.guild.me: denied})
        said = await elsewhere(sim, tide.people[0], closed)
        assert f"Missing: {name.replace('_', ' ').title()}." in said
    assert (await tide.now())[0] == before and tables(sim.channel)


async def test_a_table_of_another_server_stays_there(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    desert = sim.env.create_guild("Desert")
    there = desert.create_text_channel("dunes")
    visitor = desert.add_member(alice.user)
    assert "belongs to another server" in await elsewhere(sim, visitor, there, table=1)
    assert "That does not work at any table here" in await elsewhere(sim, visitor, there)
    assert await visitor.autocomplete(there, "relocate", "table", "") == []


async def test_which_tables_are_offered(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    mona = manager(sim)
    parlour = sim.guild.create_text_channel("parlour")
    await sim.slash(bob, "play", game="full_sun")
    await sim.slash(mona, "play", parlour, game="full_sun")

    async def offered(person: MemberActor, channel: ChannelHandle, typed: str = "") -> list[int]:
        return [choice["value"] for choice in await person.autocomplete(channel, "relocate", "table", typed)]

    assert await offered(alice, parlour) == [1]
    assert await offered(bob, parlour) == [2, 1]
    assert await offered(bob, parlour, "sea") == [1]
    assert sorted(await offered(mona, parlour)) == [1, 2]
    assert await offered(mona, sim.channel) == [3]
    assert "Which table?" in await elsewhere(sim, bob, parlour)


@pytest.mark.parametrize("failing", ["sent", "edited"])
async def test_a_move_that_a_restart_breaks_off_is_finished(sim: Simulation, tide: Table, failing: str) -> None:
    """Discord fails at one of the steps, and the bot is restarted: one table stands there, and none where it stood."""
    parlour = sim.guild.create_text_channel("parlour")
    where = {"sent": ("POST", parlour), "edited": ("PATCH", sim.channel)}[failing]
    sim.env.inject_error(where[0], f"/channels/{where[1].id}/messages*", status=503, times=None)
    sim.env.settle_timeout = 1.0
    await elsewhere(sim, tide.people[0], parlour)
    assert 1 in await sim.matches.posts.behind()
    sim.env.backend.faults.clear()
    sim.env.settle_timeout = 60
    await sim.restart()
    assert len(tables(parlour)) == 1 and not tables(sim.channel)
    assert "This table has moved to" in texts(sim.channel)
    assert await sim.matches.posts.behind() == []


async def test_who_cannot_see_where_the_next_match_stands_does_not_get_there_from_here(
    sim: Simulation, tide: Table
) -> None:
    alice, bob = tide.people
    ida, eve = sim.join_server("ida", "eve")
    unseen, seen = discord.PermissionOverwrite(view_channel=False), discord.PermissionOverwrite(view_channel=True)
    cellar = sim.guild.create_text_channel(
        "cellar", overwrites={sim.guild.default_role: unseen, **dict.fromkeys((alice, bob, eve, sim.guild.me), seen)}
    )
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    board = sim.board().id
    await sim.forge(alice, "1/1/again//", message=board)
    assert "is here" in await elsewhere(sim, alice, cellar, table=2)
    refused = "The next match is in another channel, and it seems that you cannot see it"
    assert refused in await sim.forge(ida, "1/1/again//", message=board)
    assert "You have joined" in await sim.forge(eve, "1/1/again//", message=board)
    assert "You are already at this table." in await sim.forge(alice, "1/1/again//", message=board)
    match = await sim.match(2)
    assert [chair.user for chair in match.chairs] == [alice.id, eve.id] and not match.waiting
    # Nor is one opened there by who cannot see it.
    await sim.slash(alice, "leave", cellar, table=2)
    lobby = sim.board(cellar)
    await sim.press(bob, lobby, "Join")
    await sim.press(eve, lobby, "Start")
    table = sim.board(cellar)
    for person in (eve, bob):
        await sim.forge(person, "1/2/vote_sure//end", message=table.id, channel=cellar.id)
    assert (await sim.match(2)).status is Status.STOPPED
    assert "so I have not opened it" in await sim.forge(ida, "1/1/again//", message=board)
    hand = sim.hand(bob)
    sim.env.backend.delete_channel(cellar.id)
    said = await sim.forge(bob, "1/2/again//", message=hand.id, channel=hand.channel.id)
    assert "in a channel that is gone" in said, "there is no next match to join"
    assert await sim.matches.get(3) is None


# Threads.


async def in_thread(sim: Simulation) -> tuple[Table, ChannelHandle]:
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="thread", options={"place": "thread"})
    return table, table.channel


async def test_a_thread_lasts_a_week_and_the_next_turn_revives_it(sim: Simulation) -> None:
    """Discord refuses to edit in an archived thread, and takes a new message, which revives it."""
    table, thread = await in_thread(sim)
    archive = sim.env.backend.channels[thread.id].thread_metadata
    assert archive.auto_archive_duration == 7 * 24 * 60
    before = tables(thread)[0].id
    sim.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=1)
    await table.decide(await table.mover())
    (board,) = tables(thread)
    assert board.id > before
    assert (await table.now())[0].place == thread.id


async def test_a_locked_thread_is_as_one_without_permission(sim: Simulation) -> None:
    """The match goes on by direct message, and /relocate brings the table out of it; into it none is taken."""
    plain = discord.PermissionOverwrite(manage_threads=False)  # as the invite link asks for
    sim.channel = sim.guild.create_text_channel("plain", overwrites={sim.guild.me: plain})
    table, thread = await in_thread(sim)
    alice, bob = table.people
    for method in ("PATCH", "POST"):
        sim.env.inject_error(method, f"/channels/{thread.id}/messages*", status=403, code=160005, times=None)
    await table.play(lambda match, state: match.moves >= 3)
    assert await sim.matches.posts.behind() == []
    assert all(offers(sim.hand(p)) or "Waiting for" in "\n".join(words(raw(sim.hand(p)))) for p in (alice, bob))
    assert "is here" in await elsewhere(sim, alice, sim.channel)
    assert tables(sim.channel)
    await sim.env.advance_time(REST)
    locked = sim.env.backend.channels[thread.id]
    locked.thread_metadata.locked = True
    sim.env.backend.emit("THREAD_UPDATE", dict(serializers.channel_payload(sim.env.backend, locked)))
    await sim.env.settle()
    assert "Missing: Send Messages in Threads." in await elsewhere(sim, bob, thread)
    assert "Missing: Send Messages in Threads." in await sim.slash(bob, "play", thread, game="sea_change")
    assert (await sim.match()).status is Status.PLAYING


async def test_a_table_that_leaves_an_archived_thread_says_so_there(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot opens the thread for that."""
    table, thread = await in_thread(sim)
    threads = Threads(sim, monkeypatch)
    await threads.set(thread, archived=True)
    assert "is here" in await elsewhere(sim, table.people[0], sim.channel)
    assert f"This table has moved to <#{sim.channel.id}>." in texts(thread)
    assert not tables(thread) and len(tables(sim.channel)) == 1
    assert len(threads.refused) == 1
    assert await sim.matches.posts.behind() == []


async def test_a_table_that_leaves_a_locked_thread_says_so_once_it_is_unlocked(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then nothing is tried but once at each start, and the match goes on."""
    table, thread = await in_thread(sim)
    threads = Threads(sim, monkeypatch)
    await threads.set(thread, archived=True, locked=True)
    assert "is here" in await elsewhere(sim, table.people[0], sim.channel)
    assert tables(thread) and len(tables(sim.channel)) == 1
    tried = len(threads.refused)
    await table.play(lambda match, state: match.moves >= 3)
    await threads.set(thread, archived=False)
    assert len(threads.refused) == tried and tables(thread)
    assert await sim.matches.posts.behind() == []
    await sim.restart()
    await sim.caught_up()
    assert len(threads.refused) > tried and tables(thread)
    await threads.set(thread, archived=True, locked=False)
    await sim.caught_up()
    assert f"This table has moved to <#{sim.channel.id}>." in texts(thread) and not tables(thread)
    assert await sim.matches.posts.behind() == []


async def test_a_thread_that_is_unlocked_while_the_bot_is_away_says_where_the_table_is_at_its_start(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, thread = await in_thread(sim)
    threads = Threads(sim, monkeypatch)
    await threads.set(thread, locked=True)
    assert "is here" in await elsewhere(sim, table.people[0], sim.channel)
    assert tables(thread)
    sim.env.backend.channels[thread.id].thread_metadata.locked = False
    await sim.restart()
    await sim.caught_up()
    assert f"This table has moved to <#{sim.channel.id}>." in texts(thread) and not tables(thread)


async def test_a_table_that_is_moved_while_its_thread_is_opened_stays_where_it_was_moved_to(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = sim.join_server("alice", "bob")
    parlour = sim.guild.create_text_channel("parlour")
    await Table.open(sim, "sea_change", [alice, bob], seed="crossed", options={"place": "thread"})
    thread_of = TableMessage.thread_of

    async def meanwhile(table: TableMessage, match: Match, post: Post) -> int | None:
        thread = await thread_of(table, match, post)
        if match.place == sim.channel.id:
            await move_table(sim.service, match.id, alice.id, parlour.id, manager=False)
        return thread

    monkeypatch.setattr(TableMessage, "thread_of", meanwhile)
    await sim.press(alice, sim.board(), "Start")
    await sim.env.settle()
    assert (await sim.match()).place == parlour.id
    assert len(tables(parlour)) == 1
    assert not tables(sim.channel) and not any(tables(thread) for thread in sim.channel.threads)
    assert await sim.matches.posts.behind() == []
