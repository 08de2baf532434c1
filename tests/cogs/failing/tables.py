"""The way to each place that shows tables and hands, or what comes after a restore."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

import cogs.transport.senders
import cogs.transport.table_message
from cogs.match.refusals import Refused
from cogs.messages.content import Content
from cogs.transport.database_mark import DatabaseMark
from cogs.transport.errors import DiscordFailure
from cogs.transport.errors import Failure as Failed
from cogs.transport.senders import Handles
from data.records.key_values import KeyValues
from data.records.match import RestoreCheck
from data.records.people import PingPreference
from data.records.pings import Ping, SeatPings
from data.records.post import OldTable, PostState, Sending
from data.records.seasons import Season
from tests.cogs.failing.stage import RETRIES, Stage
from tests.support.inside import forget_direct_messages
from tests.support.simulation import controls, raw
from tests.support.table import Table

# The way to each place.


def buried(stage: Stage) -> None:
    """From now on the chat buries the table at once, so that each turn brings it back."""
    stage.wire.monkeypatch.setattr(cogs.transport.table_message, "BURIED", 0)


async def turn(stage: Stage) -> None:
    await stage.until_hit(stage.move)


async def turn_after_burying(stage: Stage) -> None:
    buried(stage)
    await turn(stage)


async def turn_after_a_lost_send(stage: Stage) -> None:
    """It is unknown whether an earlier send has made a message."""

    async def act() -> None:
        match = await stage.now()
        lost = OldTable(match.id, match.place, None, int(stage.sim.service.now()))
        await stage.sim.matches.posts.note(old=[lost])
        await stage.move()

    await stage.until_hit(act)


async def burying_after_a_lost_send(stage: Stage) -> None:
    buried(stage)
    await turn_after_a_lost_send(stage)


async def turn_of_a_pinned_table_too_old(stage: Stage) -> None:
    """Discord takes no more edits of its message."""
    channel, board = stage.board()
    stage.sim.env.backend.messages[channel][board.id].pinned = True
    with stage.wire.monkeypatch.context() as patch:
        edit = cogs.transport.table_message.edit

        async def edited(message: discord.PartialMessage, content: Content) -> None:
            if message.id == board.id:
                raise DiscordFailure(Failed.OLD, 30046)
            await edit(message, content)

        patch.setattr(cogs.transport.table_message, "edit", edited)
        await turn(stage)
    for message in stage.sim.env.backend.messages[channel].values():
        message.pinned = False  # what is pinned stays where it is, and the next error may be that of a table sent again


async def relocation(stage: Stage) -> None:
    await stage.until_hit(stage.relocate)


async def relocation_with_ping(stage: Stage) -> None:
    async def act() -> None:
        await stage.until_awaited("carol")
        await stage.relocate()

    await stage.until_hit(act)


async def relocation_from_an_archived_thread(stage: Stage) -> None:
    """As far as the bot can tell, the thread is archived again each time."""
    with stage.wire.monkeypatch.context() as patch:
        archived = {(await stage.now()).place}

        async def edited(message: discord.PartialMessage, content: Content) -> None:
            if message.channel.id in archived:
                raise DiscordFailure(Failed.ARCHIVED, 50083)
            await edit(message, content)

        async def revived(handles: Handles, channel: int) -> None:
            await revive(handles, channel)
            archived.discard(channel)

        edit, revive = cogs.transport.table_message.edit, Handles.revive
        patch.setattr(cogs.transport.table_message, "edit", edited)
        patch.setattr(Handles, "revive", revived)
        await stage.relocate()
        await stage.calm()


async def showing_again(stage: Stage) -> None:
    await stage.sim.bot.app.publisher.shown.forget_shown(stage.number)
    stage.sim.bot.app.publisher.changed(stage.number)
    await stage.sim.env.settle()


async def turn_with_mentions(stage: Stage) -> None:
    for person in stage.sim.people.values():
        await stage.sim.service.people.change(person.id, ping=PingPreference.MENTION)
    await turn(stage)
    for name in ("alice", "bob"):
        await stage.sim.service.people.change(stage.person(name).id, ping=PingPreference.DM)
    stage.sim.bot.app.publisher.changed(stage.number)
    await stage.sim.env.settle()


async def offer(stage: Stage) -> None:
    await stage.press("alice", "offer", rest="1")


async def offer_of_which_no_answer_came(stage: Stage) -> None:
    """It is there, and the bot does not know it."""
    await offer(stage)
    posts = stage.sim.matches.posts

    async def act() -> None:
        notice = (await posts.of(stage.number)).notice
        assert notice is not None
        begun = Sending(stage.sim.channel.id, 0)
        await posts.note(replace(notice, message=None, digest=PostState.UNSURE, shown=0, sending=begun))
        stage.sim.app.publisher.changed(stage.number)
        await stage.calm()

    await stage.until_hit(act)


async def hand_of_which_no_answer_came(stage: Stage) -> None:
    """It is unknown whether a new message of a hand was sent."""
    posts = stage.sim.matches.posts

    async def act() -> None:
        hands = (await posts.of(stage.number)).hands.values()
        await posts.note(*(replace(hand, sending=Sending(hand.channel, 0)) for hand in hands))
        await stage.move()

    await stage.until_hit(act)


async def mention_of_which_no_answer_came(stage: Stage) -> None:
    posts = stage.sim.matches.posts

    async def act() -> None:
        table = (await posts.of(stage.number)).table
        begun = Sending(table.channel, 0, "mention 0")
        await posts.note(replace(table, mentioning=SeatPings(((0, Ping("0.0")),)), sending=begun))
        await stage.move()

    await stage.until_hit(act)


async def no_offer_any_more(stage: Stage) -> None:
    await offer(stage)
    await stage.press("alice", "offer", rest="0")


async def offer_moved(stage: Stage) -> None:
    await offer(stage)
    await stage.relocate()


async def second_offer(stage: Stage) -> None:
    await offer(stage)
    await stage.press("bob", "offer", rest="1")


async def thread(stage: Stage) -> None:
    await stage.relocate()
    await stage.changed(own_thread=True)


async def open_lobby(stage: Stage) -> None:
    """A lobby whose people played together before."""
    if not stage.lobby:
        second = await Table.open(stage.sim, "sea_change", [stage.person("alice"), stage.person("bob")], seed="second")
        await stage.press("alice", "start", match=second.number)
        for name in ("alice", "bob"):
            await stage.press(name, "vote_sure", rest="end", match=second.number)
        await stage.press("alice", "again", match=second.number)
        stage.lobby = second.number + 1


async def my_hand(stage: Stage) -> None:
    await stage.press("alice", "hand")


async def my_hand_twice(stage: Stage) -> None:
    await my_hand(stage)
    await my_hand(stage)
    await stage.calm()


async def turn_with_open_hands(stage: Stage) -> None:
    for name in ("alice", "bob", "carol"):
        await stage.press(name, "hand")
    await turn(stage)


async def turn_with_open_answers(stage: Stage) -> None:
    await stage.press("bob", "board")
    await turn(stage)


async def answer_that_is_moot(stage: Stage) -> None:
    """It says that the player's seat is offered, which it is no more."""
    for offered in ("1", "0"):
        await stage.press("bob", "offer", rest=offered)
    await stage.calm()


async def press_while_ending(stage: Stage) -> None:
    """The bot is about to end."""
    stage.sim.bot.app.interactions.closing = True
    await my_hand(stage)
    stage.sim.bot.app.interactions.closing = False


async def move_in_private(stage: Stage) -> None:
    """Without an answer a move in direct messages counts."""
    match = await stage.now()
    for _ in range(3):
        await stage.move()
    assert (await stage.now()).moves > match.moves


async def who_plays(stage: Stage) -> None:
    await stage.press("alice", "people")


async def settings(stage: Stage) -> None:
    """In the answer to a command, which is a message of its own."""
    bob = stage.person("bob")
    shown = await bob.slash(stage.sim.channel, "settings", table=stage.number)
    where = {"channel": stage.sim.channel.id, "message": shown.response.id}
    await stage.press("bob", "setting", rest="all", **where)


async def first_dm(stage: Stage) -> None:
    await stage.sim.service.people.change(stage.person("bob").id, dm=None, dm_works=None)
    forget_direct_messages(stage.sim.bot)
    await stage.press("bob", "setting", rest="ping", match=0, values=["dm"])
    await stage.sim.greeted()


async def wrong_eyes(stage: Stage) -> None:
    """What is private is called public; the operator is told, which is no fault of ours."""
    stage.wire.monkeypatch.setattr(cogs.transport.senders, "TAKE_BACK", [0.0] * len(cogs.transport.senders.TAKE_BACK))
    stage.wire.unflagged = True
    cogs.transport.senders.log.addFilter(stage.hears)
    await stage.press("alice", "people")
    cogs.transport.senders.log.removeFilter(stage.hears)
    stage.wire.unflagged = False
    assert stage.alarms[0].endswith("is being deleted")


async def restored(stage: Stage) -> None:
    await stage.changed(doubt=RestoreCheck.UNCHECKED)


async def restored_without_table(stage: Stage) -> None:
    channel, message = stage.board()
    stage.sim.env.backend.delete_message(channel, message.id)
    await restored(stage)


async def look_round(stage: Stage) -> None:
    with stage.wire.monkeypatch.context() as patch:
        patch.setattr(stage.sim.bot, "get_guild", lambda number: None)
        await stage.sim.bot.get_cog("Guilds").look_round()


async def first_mark(stage: Stage, *there: str) -> None:
    stage.sim.env.backend.application_emojis.clear()  # a lost answer may have left one
    for name in there:
        stage.sim.env.backend.create_application_emoji(name)
    await DatabaseMark(stage.sim.bot, KeyValues(stage.sim.database), print, shared=False).look()


async def another_mark(stage: Stage) -> None:
    await first_mark(stage, "sundialmark_another")


async def new_season(stage: Stage) -> Season:
    """Open a season in the channel, in place of the one before."""
    seasons, alice, channel = stage.sim.app.seasons, stage.person("alice"), stage.sim.channel.id
    if (known := await seasons.stored.newest(channel, None)) is not None and known.going_on:
        await seasons.stop(known.id, alice.id, manages=True)
    how: dict[str, Any] = {"seats": None, "rounds": None, "days": 7, "clock": None, "locale": "en", "name": "Cup"}
    return await seasons.open("sea_change", guild=stage.sim.guild.id, channel=channel, user=alice.id, **how)


async def season(stage: Stage) -> None:
    """A season opens in the channel, and a player joins."""
    shows = stage.sim.app.season_messages
    assert shows is not None
    seasons, alice = stage.sim.app.seasons, stage.person("alice")

    async def act() -> None:
        opened = await new_season(stage)
        await shows.look()
        with suppress(Refused):  # it ends with its channel
            await seasons.join(opened.id, alice.id, "alice")
        for _ in range(RETRIES + 1):
            await shows.look()

    await stage.until_hit(act)
    newest = await seasons.stored.newest(stage.sim.channel.id, None)
    assert newest is not None
    if stage.wire.left:  # what Discord does not accept, however often, is shown after the season's next change
        stage.wire.site = ""
        await seasons.join(newest.id, stage.person("bob").id, "bob")
        await shows.look()
    shown = [m.id for m in stage.sim.channel.history() if "/standings/" in "".join(controls(raw(m)))]
    known = await seasons.stored.get(newest.id)
    assert known is not None
    assert known.message in shown, "the season is not shown"


async def round_told(stage: Stage) -> None:
    """A season ends, and the message that tells it takes the place of the one about the round before."""
    seasons, alice, channel = stage.sim.app.seasons, stage.person("alice"), stage.sim.channel

    async def act() -> None:
        number = (await new_season(stage)).id
        for name in ("alice", "bob"):
            await seasons.join(number, stage.person(name).id, name)
        season = await seasons.load(number)
        assert await seasons.stored.begin(season, [[[0, 1]], [[0, 1]]], int(stage.sim.service.now()))
        before = await stage.sim.bot.get_channel(channel.id).send("about the round before")
        await seasons.stored.note(replace(season, last_message=before.id))
        await seasons.stop(number, alice.id, manages=True)
        for _ in range(RETRIES + 1):
            await stage.sim.app.season_messages.look()

    await stage.until_hit(act)
