"""The end of a match is told once: in a new message in the place of the match, and to each player in their own way."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from cogs.messages.presenter import table_link
from cogs.transport.publisher import PublishTiming
from data.content.texts import texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import PingPreference
from data.records.pings import THE_END
from data.records.post import EndPost, PostState
from rules import GAMES
from tests.cogs.pings import calls, choose, mentioned, other_than
from tests.cogs.test_hand_pings import post_of
from tests.cogs.test_pings import EXPECTED
from tests.support.call_sites import FailingConnection, Failure
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

MIGRATION = Path(__file__).parents[2] / "data" / "migrations" / "0016_door.sql"
SEND = "transport.side_messages._tell:send_public"


def told(sim: Simulation, number: int = 1) -> list[tuple[int, Any]]:
    """Every message that tells the end of that match, with its channel."""
    backend = sim.env.backend
    return [
        (channel, message)
        for channel, messages in backend.messages.items()
        for message in messages.values()
        if f"1/{number}/again//end" in controls({"components": message.components})
    ]


def said(message: Any) -> str:
    return "\n".join(words({"components": message.components}))


async def last_move(table: Table) -> tuple[Match, MemberActor]:
    """Play without looking until the next move ends the match. Return the match, and the player who is to make it."""
    sim = table.sim
    while True:
        match, state = await table.now()
        (seat,) = state.to_move()
        user = match.chairs[seat].player
        moves = state.legal_moves(seat)
        if all(state.apply(move)[0].outcome() is not None for move in moves):
            break
        await sim.service.play(match.id, user, None, str(table.random.choice(moves)))
    while sim.app.publisher.behind()[0]:
        await sim.env.settle()
    table.known_turns, table.cursor = table.due_turns(match, state), sim.cursor
    return match, sim.by_id(user)


async def played(table: Table) -> None:
    """Play to the end."""
    _, mover = await last_move(table)
    await table.decide(mover)
    assert (await table.now())[0].status is Status.OVER


async def short(sim: Simulation, *names: str, **options: str) -> Table:
    people = sim.join_server(*names)
    return await Table.begin(sim, "sea_change", people, seed="end", options={"target": "1", **options})


async def ended(sim: Simulation, **options: str) -> Table:
    """A table of alice and bob whose match is over."""
    table = await short(sim, "alice", "bob", **options)
    await played(table)
    return table


async def ending(
    sim: Simulation, way: PingPreference = PingPreference.MENTION
) -> tuple[Table, MemberActor, MemberActor]:
    """A table of two at which the next move ends the match, the player who makes it, and the other one, who wants to be
    called in that way.
    """
    table = await short(sim, "alice", "bob")
    _, mover = await last_move(table)
    other = other_than(table, mover)
    await choose(sim, other, way)
    return table, mover, other


async def test_who_loses_against_the_game_is_told_who_won(sim: Simulation) -> None:
    """The heading says it as the picture does, at the table, in the message of the end and in the player's hand."""
    table = await short(sim, "alice")
    match = await sim.play_on()
    assert (await table.now())[1].outcome().reason == "solo_lost", "with that seed"
    hand = "\n".join(words(raw(sim.hand(sim.people["alice"]))))
    ((_, message),) = told(sim)
    tables = [text for text in sim.visible(sim.people["alice"]) if "\U0001f3c6 The Tide won!" in text]
    assert len(tables) == 1 and "### The Tide won!" in said(message)
    assert "## The Tide won!" in hand and f"Your place: 2 of {len(match.chairs) + 1}." in hand


async def test_an_early_end_that_counts_does_not_say_that_no_player_has_won(sim: Simulation) -> None:
    """Those who were there come first: the leaderboard counts it as a win."""
    people = sim.join_server("alice", "bob", "carol")
    await Table.begin(sim, "siege_of_sunfall", people, seed="early", options={"rated": "on"})
    await sim.forge(people[0], "1/1/give_seat//")
    for person in people[1:]:
        await sim.forge(person, "1/1/vote_sure//end")
    ((_, message),) = told(sim)
    hand = "\n".join(words(raw(sim.hand(people[1]))))
    for text in (said(message), hand):
        assert "no winner" not in text and "Players who were not there come last, the others first." in text
    assert "1 match, 1 won" in await sim.slash(people[1], "leaderboard", game="siege_of_sunfall")


async def test_the_end_is_told_to_each_player_in_their_hand(sim: Simulation) -> None:
    """To the winner as a victory, to the other with their place, with the picture and the ways on from there."""
    table = await ended(sim)
    match, state = await table.now()
    outcome = state.outcome()
    for chair in match.people:
        hand = sim.hand(sim.by_id(chair.player))
        text = "\n".join(words(raw(hand)))
        won = "## 🏆 You won!" in text
        assert won == (chair.number in outcome.winners)
        assert won or "Your place: 2 of 2." in text
        assert "1 VP" in text and "captured" not in text, "the picture has all scores"
        assert [shown.filename.partition(".")[0] for shown in hand.attachments] == ["end"], "the result and no hand"
        labels = [text for text in controls(raw(hand)) if "/" not in text]
        assert labels == ["Play again", "▶ Replay", "Review", "Log", "🔒 Fair deal"]


async def test_play_again_in_a_hand_opens_and_joins_the_next_lobby(sim: Simulation) -> None:
    alice, bob = (await ended(sim)).people
    opened = sim.said(await sim.press(alice, sim.hand(alice), "Play again"))
    assert f"({table_link(await sim.match(2))}) is open, and you are in" in opened, "with a link to where it is"
    joined = sim.said(await sim.press(bob, sim.hand(bob), "Play again"))
    assert "You have joined" in joined
    assert [chair.user for chair in (await sim.match(2)).people] == [alice.id, bob.id]


async def test_who_opens_the_next_lobby_reads_so_though_others_waited_for_it(sim: Simulation) -> None:
    alice, _ = (await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="waited")).people
    await sim.forge(*sim.join_server("carol"), "1/1/join//")
    await sim.play_on()
    assert " is open, and you are in" in sim.said(await sim.press(alice, sim.hand(alice), "Play again"))
    assert [chair.name for chair in (await sim.match(2)).people] == ["alice", "carol"]


async def test_play_again_in_a_hand_asks_for_what_the_channel_asks_for(sim: Simulation) -> None:
    """The press in direct messages opens no table that a press in the channel might not open: Discord takes none there
    from a member who is timed out, or has not accepted the server's rules.
    """
    _, bob = (await ended(sim)).people
    member = sim.env.backend.get_member(sim.guild.id, bob.id)
    for kept_out in ({"timed_out_until": "2100-01-01T00:00:00+00:00"}, {"pending": True}):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in kept_out.items():
                patch.setattr(member, name, value)
            assert "that you cannot see" in sim.said(await sim.press(bob, sim.hand(bob), "Play again")), kept_out
    hidden = Overwrite(bob.id, OverwriteType.MEMBER, 0, discord.Permissions(view_channel=True).value)
    sim.env.backend.set_overwrite(sim.channel.id, hidden)
    await sim.env.settle()
    assert "that you cannot see" in sim.said(await sim.press(bob, sim.hand(bob), "Play again"))
    assert await sim.service.index.played_again(1) is None


async def test_the_end_is_a_new_message_with_the_result_and_the_table_keeps_the_last_position(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob")
    _, mover = await last_move(table)
    board = sim.board()
    cursor = sim.cursor
    await table.step(*await table.now())
    match, state = await table.now()
    ((_, message),) = told(sim)
    assert message.id == sim.channel.history()[-1].id
    heading, picture, scores, thanks = words({"components": message.components})[1:5]
    outcome = state.outcome()
    winner = match.chairs[min(outcome.winners)].name
    assert heading.startswith(f"### **{winner}** won!\nThe first to reach the winning score. Won by 1 VP.")
    assert "Sea Change" in picture
    assert "🏆" in scores and f"<@{mover.id}>" in scores
    assert thanks.startswith("-# ♥ Thank you to Conor McGoey")
    labels = [text for text in controls({"components": message.components}) if "/" not in text]
    assert labels == ["Play again", "▶ Replay", "Review", "Log", "🔒 Fair deal"]
    (sent,) = [shown for shown in sim.public(cursor) if shown.method == "POST"]
    assert mentioned(sent.body) == [], "both are told by direct message"
    # The table above is edited in place, and says the result in a line.
    after = sim.channel.history()[-2]
    assert after.id == board.id
    text = words(raw(after))
    assert text[-1] == f"🏆 **{winner}** won! The first to reach the winning score."
    assert [label for label in controls(raw(after)) if "/" not in label] == ["▶ Replay", "Log", "🔒 Fair deal"]
    assert not re.search("[0-9a-f]{64}", "\n".join([*text, said(message)]))


@pytest.mark.parametrize("way", PingPreference)
async def test_each_player_is_told_once_in_the_way_that_they_chose(sim: Simulation, way: PingPreference) -> None:
    table, mover, other = await ending(sim, way)
    hand, cursor = sim.hand(other), sim.cursor
    await table.decide(mover)
    assert calls(sim, other, cursor) == EXPECTED[way]
    assert calls(sim, mover, cursor) == (0, 0), "who made the last move saw the end in the answer"
    assert len(told(sim)) == 1
    assert "won!" in "\n".join(words(raw(sim.hand(other)))), "the hand shows it too"
    assert (sim.hand(other).id == hand.id) == (way in (PingPreference.MENTION, PingPreference.NONE))
    assert (await post_of(sim, other)).pinged == THE_END
    await sim.restart()
    assert not await sim.matches.posts.behind()
    assert calls(sim, other, cursor) == EXPECTED[way]
    assert len(told(sim)) == 1


async def test_quiet_hours_name_a_player_and_ping_them_neither_now_nor_later(sim: Simulation) -> None:
    table, mover, other = await ending(sim)
    await sim.slash(other, "hours", quiet_from="23", quiet_to="6")  # the simulation begins at midnight, UTC
    cursor = sim.cursor
    await table.decide(mover)
    ((_, message),) = told(sim)
    assert f"<@{other.id}>" in said(message)
    assert calls(sim, other, cursor) == (0, 0)
    await sim.env.advance_time(7 * 3600)
    assert calls(sim, other, cursor) == (0, 0)
    assert not await sim.matches.posts.behind()


async def test_a_match_ended_by_a_vote_is_told_without_a_winner(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await choose(sim, carol, PingPreference.MENTION)
    cursor = sim.cursor
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await sim.match()).status is Status.STOPPED
    ((_, message),) = told(sim)
    assert "ended this match early" in said(message)
    assert "won" not in said(message)
    shown = [str(one.components) for one in sim.env.backend.messages[sim.channel.id].values()]
    assert sum("table.png" in one for one in shown) == 1 and not any("end." in one for one in shown), "one picture"
    assert calls(sim, carol, cursor) == (0, 2), "to vote, and at the end"


async def test_a_match_called_off_by_a_manager_is_not_told(sim: Simulation) -> None:
    keeper = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    (alice,) = sim.join_server("alice", roles=[keeper])
    await Table.begin(sim, "sea_change", [alice, *sim.join_server("bob")], seed="off")
    cursor = sim.cursor
    await sim.cancel(alice, 1)
    assert (await sim.match()).status is Status.CANCELLED
    assert not told(sim)
    assert not sim.pings(cursor)
    assert "Play again" in controls(raw(sim.board())), "its table keeps the button"


async def test_in_a_thread_it_is_told_there(sim: Simulation) -> None:
    table = await ended(sim, place="thread")
    ((channel, _),) = told(sim)
    assert channel == sim.channel.threads[0].id
    await table.check_end()


async def test_play_again_from_the_end_and_from_the_button_of_an_older_version(sim: Simulation) -> None:
    table = await ended(sim)
    await sim.press(table.people[0], sim.board(), "Play again")
    assert (await sim.match(2)).previous == 1
    assert "You have joined" in await sim.forge(table.people[1], "1/1/again//")
    assert len((await sim.match(2)).people) == 2


async def test_a_restart_between_the_last_move_and_the_message_tells_it_once(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob")
    _, mover = await last_move(table)
    sim.env.inject_error("*", "/channels/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    await table.decide(mover)
    assert (await sim.match()).status is Status.OVER
    assert not told(sim)
    cursor = sim.cursor
    sim.env.backend.faults.clear()
    await sim.restart()
    assert len(told(sim)) == 1
    assert len([user for user in sim.pings(cursor) if user != mover.id]) == 1
    await sim.restart()
    assert len(told(sim)) == 1


async def test_a_lost_answer_makes_no_second_message_however_late_the_next_try(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then Discord has forgotten the nonce."""
    table, mover, other = await ending(sim)
    wire = FailingConnection(monkeypatch)
    wire.fail(SEND, Failure("lost", lost=True), 1)
    cursor = sim.cursor
    await table.decide(mover)
    assert wire.hits == 1
    wire.sent.clear()
    await sim.restart()
    assert len(told(sim)) == 1
    assert calls(sim, other, cursor) == (0, 1)
    post = (await sim.service.posts.of(1)).the_end
    assert post.message == told(sim)[0][1].id
    assert not await sim.matches.posts.behind()


async def test_a_message_that_is_deleted_is_not_told_again(sim: Simulation) -> None:
    table = await ended(sim)
    ((channel, message),) = told(sim)
    sim.env.backend.delete_message(channel, message.id)
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, host=match.host))
    await sim.env.settle()
    await sim.slash(table.people[0], "board", table=1)
    await sim.restart()
    assert not told(sim)
    assert not await sim.matches.posts.behind()


async def test_a_channel_that_takes_no_message_is_given_up_and_the_table_tells_it(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, mover, _ = await ending(sim)
    wire = FailingConnection(monkeypatch)
    wire.fail(SEND, Failure("50013", 403, 50013), 99)
    await table.decide(mover)
    assert wire.hits == 1, "a loop would be banned by Discord"
    assert not told(sim)
    post = (await sim.service.posts.of(1)).the_end
    assert post.digest == PostState.GIVEN_UP
    assert not await sim.matches.posts.behind()
    assert "Play again" in controls(raw(sim.board()))
    assert "🏆" in words(raw(sim.board()))[-1], "and the scores"


async def test_a_thread_deleted_in_the_end_has_it_told_in_its_channel(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob", place="thread")
    match, mover = await last_move(table)
    sim.env.backend.delete_channel(match.place)
    hand = sim.hand(mover)
    await sim.press(mover, hand, next(text for text in controls(raw(hand)) if "/move/" in text))
    await sim.env.settle()
    assert [channel for channel, _ in told(sim)] == [sim.channel.id]
    assert not await sim.matches.posts.behind()


async def test_a_match_that_ended_before_the_upgrade_is_not_told(sim: Simulation) -> None:
    """It has no post for the end, and no player was pinged for it."""
    await ended(sim)
    ((channel, message),) = told(sim)
    sim.env.backend.delete_message(channel, message.id)

    def older(c: sqlite3.Connection) -> None:
        c.execute("DELETE FROM post WHERE place = -3")
        c.execute("UPDATE post SET pinged = '', mentioned = '' WHERE place >= 0")
        for statement in MIGRATION.read_text(encoding="utf-8").split(";"):
            if "UPDATE post" in statement:
                c.execute(statement)
        c.execute("UPDATE match SET version = version + 1")

    await sim.database.write(older)
    cursor = sim.cursor
    await sim.restart()
    assert not told(sim)
    assert not sim.pings(cursor)
    assert not await sim.matches.posts.behind()
    assert "Play again" in controls(raw(sim.board()))


async def test_the_post_is_stored_with_the_end_and_with_no_other_change(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob")
    kept: list[tuple[Status, EndPost | None]] = []
    save = Matches.save

    async def noted(self: Matches, match: Match, *args: Any, **how: Any) -> Match:
        saved = await save(self, match, *args, **how)
        kept.append((saved.status, (await Matches(self._database).posts.of(saved.id)).the_end))
        return saved

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Matches, "save", noted)
        await sim.play_on(random=table.random)
    assert [post is not None for status, post in kept] == [status is Status.OVER for status, _ in kept]
    assert kept[-1][0] is Status.OVER
    post = kept[-1][1]
    assert (post.message, post.shown) == (None, 0)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_a_result_and_the_thanks_are_a_line_each(game: str, language: str) -> None:
    found = texts(language, game)
    for key, text in found.items():
        if key.startswith("outcome.") or key == "game.thanks":
            assert len(text) <= 200, key
            assert "\n" not in text, key
