"""A table in a channel where people talk, delete and leave: nothing is lost, and nothing is said twice."""

from __future__ import annotations

import discord
import pytest

from cogs.transport.publisher import PublishTiming
from data.records.match import Status
from data.records.post import PostState
from rendering import renderer
from rules import GAMES
from rules.core.game import Seat
from tests.cogs.faults import move
from tests.cogs.managing import manager
from tests.support.languages import speak
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import DM, MY_HAND, Table

pytestmark = pytest.mark.usefixtures("plain")


def boards(sim: Simulation, channel: object = None) -> list[discord.Message]:
    """The public messages of the bot with controls that stand in the channel."""
    history = (channel or sim.channel).history()
    return [message for message in history if not message.flags.ephemeral and controls(raw(message))]


async def some_moves(table: Table, count: int = 1) -> None:
    moves = (await table.now())[0].moves
    await table.play(lambda match, state: match.moves >= moves + count)


# Where the table's message is.


@pytest.fixture(params=["channel", "thread"])
async def table(sim: Simulation, request: pytest.FixtureRequest) -> Table:
    """A match for two that has just begun, in its channel or in a thread."""
    people, options = sim.join_server("alice", "bob"), {"place": request.param}
    return await Table.begin(sim, "sea_change", people, seed="placed", options=options)


async def test_the_board_is_edited_where_it_is(sim: Simulation, tide: Table) -> None:
    for _ in range(5):
        await sim.people["alice"].send(sim.channel, "nice card")
    board = sim.board().id
    await some_moves(tide, 6)
    assert [message.id for message in boards(sim)] == [board]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_a_buried_board_is_posted_again(sim: Simulation, place: str, closed: bool) -> None:
    """Six messages after it, and it comes again with the next turn; the old one goes."""
    people = sim.join_server("alice", "bob")
    if closed:
        sim.close_dms(*people)
    ways = dict.fromkeys(("alice", "bob"), MY_HAND if closed else DM)
    table = await Table.begin(sim, "sea_change", people, seed="buried", ways=ways, options={"place": place})
    first = sim.board(table.channel).id
    for number in range(6):
        await people[0].send(table.channel, f"chat {number}")
    await some_moves(table, 2)
    (board,) = boards(sim, table.channel)
    assert board.id > first
    assert (await sim.matches.posts.of(1)).table.message == board.id
    await some_moves(table, 2)
    assert [message.id for message in boards(sim, table.channel)] == [board.id]


async def test_a_pinned_board_is_edited_in_place_however_much_chat_follows(sim: Simulation, table: Table) -> None:
    """Without its pin it comes again as any other."""
    first = sim.board(table.channel).id
    stored = sim.env.backend.messages[table.channel.id][first]
    stored.pinned = True
    for number in range(12):
        await table.people[0].send(table.channel, f"chat {number}")
    before = words(raw(sim.board(table.channel)))
    await some_moves(table, 4)
    (board,) = boards(sim, table.channel)
    assert (board.id, board.pinned) == (first, True)
    assert words(raw(board)) != before
    stored.pinned = False
    await some_moves(table, 2)
    (board,) = boards(sim, table.channel)
    assert board.id > first


async def test_a_pinned_board_that_can_be_edited_no_more_has_a_pinned_successor(sim: Simulation, tide: Table) -> None:
    old = sim.board()
    sim.env.backend.messages[tide.channel.id][old.id].pinned = True
    sim.env.inject_error("PATCH", f"/channels/{tide.channel.id}/messages/{old.id}", status=400, code=30046, times=None)
    await some_moves(tide, 2)
    (board,) = boards(sim, tide.channel)
    assert board.id > old.id and board.pinned


async def test_a_table_that_has_no_place_is_told_once_and_once_when_it_has_one_again(
    sim: Simulation, tide: Table, caplog: pytest.LogCaptureFixture
) -> None:
    messages = f"/channels/{tide.channel.id}/messages"
    for refused in (50013, 50001):
        sim.env.inject_error("*", f"{messages}*", status=403, code=refused, times=None)
        for _ in range(2):
            await move(tide)
        sim.env.backend.faults.clear()
    await move(tide)
    await move(tide)
    said = [record.getMessage() for record in caplog.records if "place" in record.getMessage()]
    refusals = [f"the table of match 1 has no place: FORBIDDEN ({code})" for code in (50013, 50001)]
    assert said == [*refusals, "the table of match 1 has a place again"]


async def test_a_deleted_board_comes_back_with_the_next_move(sim: Simulation, table: Table) -> None:
    gone = sim.board(table.channel)
    sim.env.backend.delete_message(gone.channel.id, gone.id)
    await some_moves(table)
    (board,) = [m for m in boards(sim, table.channel) if "My hand" in controls(raw(m))]
    assert board.id != gone.id
    # And at once with /board.
    sim.env.backend.delete_message(board.channel.id, board.id)
    assert "Sea Change" in await sim.slash(table.people[0], "board")
    assert [m for m in boards(sim, table.channel) if "My hand" in controls(raw(m))]


async def test_a_deleted_thread_leaves_the_table_in_its_channel(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="thread", options={"place": "thread"})
    thread = table.channel
    assert thread.is_thread
    assert f"The match has started in <#{thread.id}>" in words(raw(sim.channel.history()[0]))[1]
    assert all(f"/{thread.id})" in words(raw(sim.hand(person)))[1] for person in people)
    sim.env.backend.delete_channel(thread.id)
    await some_moves(table, 3)
    assert "My hand" in controls(raw(boards(sim)[-1]))
    assert (await table.now())[0].place == sim.channel.id
    assert not sim.channel.threads


async def test_a_deleted_channel_stops_no_player_who_plays_by_direct_message(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="channel", options={"target": "1"})
    sim.env.backend.delete_channel(sim.channel.id)
    match = await table.play()
    assert match.status is Status.OVER
    for person in people:
        assert "won!" in "\n".join(sim.visible(person))
    posts = await sim.matches.posts.of(1)
    assert (posts.the_end.message, posts.the_end.digest) == (None, PostState.GIVEN_UP)
    assert not await sim.matches.posts.behind()


async def test_direct_messages_closed_on_the_way(sim: Simulation, siege: Table) -> None:
    """From then on one is mentioned at the table, once a turn; a player who has open ones is not."""
    alice = siege.people[0]
    await some_moves(siege, 2)
    sim.close_dms(alice)
    siege.ways["alice"] = MY_HAND
    cursor = sim.cursor
    rounds = (await siege.now())[0].moves + 9
    for _ in range(30):
        match, state = await siege.now()
        if match.moves > rounds:
            break
        await siege.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    mentions = [s for s in sim.public(cursor) if s.body.get("content")]
    assert mentions
    assert all(s.body["allowed_mentions"]["users"] == [alice.id] for s in mentions)
    assert all(f"<@{alice.id}>" in s.body["content"] and "My hand" in s.body["content"] for s in mentions)
    standing = [m for m in sim.channel.history() if m.content.startswith("<@")]
    assert len(standing) <= 1
    assert not (await sim.service.people.get(alice.id)).dm_works
    # Joining again, with direct messages open, brings them back.
    sim.env.backend.faults.clear()
    await sim.slash(alice, "play", game="sea_change")
    assert (await sim.service.people.get(alice.id)).dm_works


async def test_a_deleted_hand_comes_back_with_the_next_turn(sim: Simulation, tide: Table) -> None:
    for person in tide.people:
        for message in sim.dms(person):
            sim.env.backend.delete_message(message.channel.id, message.id)
    match, state = await tide.now()
    player = sim.by_id(match.chairs[min(state.to_move())].user)
    assert "✓ Done" in await sim.slash(player, "move", move=str(state.legal_moves(min(state.to_move()))[0]))
    await some_moves(tide, 4)


async def test_only_one_hand_stands_in_direct_messages(sim: Simulation, tide: Table) -> None:
    await some_moves(tide, 8)
    for person in tide.people:
        hands = [message for message in sim.dms(person) if controls(raw(message))]
        assert len(hands) == 1
        assert len(sim.dms(person)) == 2  # and the greeting


async def test_discord_fails_for_a_while(sim: Simulation, tide: Table) -> None:
    """Every request but answers fails three times over: later all of it is shown, once."""
    player = await tide.mover()
    hand = sim.hand(player)
    for method in ("PATCH", "POST"):
        sim.env.inject_error(method, "/channels/*", status=503, times=3)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    await sim.press(player, hand, offers(hand)[0].custom_id)
    assert (await tide.now())[0].moves == 1
    version = (await tide.now())[0].version
    assert any(post.shown < version for post in (await sim.matches.posts.of(1)))
    await sim.env.advance_time(6 * 3600)
    posts = await sim.matches.posts.of(1)
    version = (await tide.now())[0].version  # the table was out of reach for an hour, which counts for no wait
    assert all(post.shown == version for post in posts)
    assert f"**{player.name}** plays" in "\n".join(words(raw(sim.board())))


async def test_a_press_does_not_wait_for_the_next_try(sim: Simulation, tide: Table) -> None:
    player = await tide.mover()
    sim.env.inject_error("*", "/channels/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    await tide.decide(player)
    await sim.env.advance_time(60)
    sim.env.backend.faults.clear()
    await sim.env.advance_time(60)
    assert await sim.matches.posts.behind() == [1]
    await sim.slash(tide.people[0], "board", table=1)
    assert await sim.matches.posts.behind() == []
    assert f"**{player.name}** plays" in "\n".join(words(raw(sim.board())))


# Looking.


async def test_what_a_stranger_in_the_channel_may_look_at(sim: Simulation, tide: Table) -> None:
    (ida,) = sim.join_server("ida")
    await some_moves(tide, 4)
    for label in ("Scores", "Last trick", "Rules", "Log"):
        result = await sim.press(ida, sim.board(), label)
        assert sim.said(result).strip()
    said = await sim.slash(ida, "board")
    assert "Your hand" not in said
    assert "Victory points to win: 3" in said and "Time limit: none" in said, "what was chosen in the lobby"
    assert "draws a card" in await sim.slash(ida, "log", table=1)
    assert "You are not playing at this table." in await sim.slash(ida, "hand", table=1)
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/resign//")
    assert not await ida.autocomplete(sim.channel, "move", "move", "", table=1)


@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_public_pictures_are_what_an_onlooker_may_know(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.undo()
    people = sim.join_server("alice", "bob", "carol")
    table = await Table.begin(sim, game, people, seed="pictures")
    match, _ = await table.now()
    await sim.service.policy.change(match.guild, motion=False)
    await some_moves(table, 2)
    match, state = await table.now()
    labels = sim.bot.app.messages.labels(match)
    public = renderer(game).draw(state.view(None), labels)
    blobs = sim.files
    assert blobs[sim.board().attachments[0].url] == public
    for person in people:
        seat = Seat(match.seat_of(person.id))
        assert blobs[sim.hand(person).attachments[0].url] == renderer(game).draw(state.view(seat), labels, ())


# Ends.


async def test_a_running_match_is_called_off_by_a_manager_alone(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    assert "Only a server manager" in await sim.cancel(alice, 1)
    assert "Only a server manager" in await sim.forge(alice, "1/1/cancel//")
    assert (await tide.now())[0].status is Status.PLAYING
    assert "is cancelled" in await sim.cancel(manager(sim), 1)
    told = "**mona**, a manager of the server, cancelled the match."
    assert told in "\n".join(words(raw(sim.board()))) and told in "\n".join(sim.visible(alice))
    assert told in await sim.forge(alice, "1/1/log//")
    said = await sim.forge(alice, "1/1/move/1.1/play B9", message=sim.board().id)
    assert "This match was cancelled." in said
    assert "✓ Everything checks out" in await sim.slash(alice, "verify", table=1)


async def test_a_page_of_the_log_with_another_kind_of_digit_is_the_last(sim: Simulation, tide: Table) -> None:
    said = await sim.forge(sim.people["alice"], "1/1/log//", values=["\N{SUPERSCRIPT ONE}"])
    assert "went wrong" not in said and said == await sim.forge(sim.people["alice"], "1/1/log//0")


async def test_a_seat_given_to_a_computer_is_played_by_it(sim: Simulation, siege: Table) -> None:
    alice = siege.people[0]
    asked = await alice.slash(sim.channel, "leave")
    assert "Choose what follows" in sim.said(asked)
    await sim.press(alice, asked.response, "Give my seat to a computer")
    match, _ = await siege.now()
    assert match.seat_of(alice.id) is None
    assert [chair.name for chair in match.chairs if chair.user is None] == ["Ada"]
    assert match.moves == 1
    assert "You are no longer at this table." in await sim.forge(alice, "1/1/give_seat//")
    assert "You are no longer at this table." in sim.said(await sim.press(alice, sim.board(), "My hand"))
    del sim.people["alice"]
    await some_moves(siege, 6)


async def test_a_match_without_people_stops(sim: Simulation, siege: Table) -> None:
    for person in siege.people:
        await sim.forge(person, "1/1/give_seat//")
    match, _ = await siege.now()
    assert match.status is Status.STOPPED
    moves = match.moves
    await sim.env.advance_time(3600)
    assert (await siege.now())[0].moves == moves
    text = "\n".join(words(raw(sim.board())))
    assert "The players ended this match early" in text


# Everybody.


async def test_every_command_answers_somebody_who_sits_nowhere(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for command in ("join", "leave", "hand", "board", "log", "leave", "cancel"):
        assert "That does not work at any table here." in await sim.slash(alice, command)
    assert "That does not work at any table here" in await sim.slash(alice, "move", move="play B9")
    assert await alice.autocomplete(sim.channel, "move", "move", "") == []
    assert "You are not at any table." in await sim.slash(alice, "games")


@pytest.mark.parametrize("locale", ["xx", "en-GB", "zh-TW"])
async def test_people_of_every_language_are_understood(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    """Where there are no texts in a language, there are English ones; a hand is not sent twice for it."""
    speak(monkeypatch, lambda user: locale, lambda: locale)
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="languages")
    await some_moves(table, 4)
    assert "Sundial" in await sim.slash(people[0], "help")
