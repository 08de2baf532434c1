"""Every error that Discord answers with, at every place in the code that asks it for something, in a running match.

docs/lab/reliability-runs.md says what happens then: a row for each place and a column for each kind of error. Always:
no player sees what is another's, no player is pinged twice for the same, nothing is logged as a fault of ours, there
is one table, and the match is played on.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest
from PIL import Image
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

import cogs.replay
import cogs.transport.app_emoji
import cogs.transport.senders
import cogs.transport.table_message
from cogs.match.refusals import Refused
from cogs.messages.content import Content, EmojiTable, Id
from cogs.messages.hand import hand_message
from cogs.messages.table import table_message
from cogs.transport.app_emoji import AppEmoji
from cogs.transport.database_mark import DatabaseMark
from cogs.transport.errors import DiscordFailure
from cogs.transport.errors import Failure as Failed
from cogs.transport.hand_messages import HandMessages
from cogs.transport.interactions import Asked, Interactions
from cogs.transport.lobby_pings import REMINDED_WITHIN
from cogs.transport.publisher import PublishTiming
from cogs.transport.senders import Handles
from cogs.transport.table_message import TableMessage
from data.records.key_values import KeyValues
from data.records.match import Match, RestoreCheck
from data.records.people import Person, PingPreference
from data.records.pings import Ping, SeatPings
from data.records.post import HandPost, Invitation, OldTable, Post, PostState, Sending, TablePost
from data.records.post_store import PostStore
from tests.cogs.message_text import shown_words, shows_hand
from tests.support.call_sites import GONE, FailingConnection, Failure, call_sites, primitives
from tests.support.inside import forget_direct_messages
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

DOCS = Path(__file__).parents[2] / "docs" / "lab" / "reliability-runs.md"
WORDS = {"again", "new", "left", "stays", "board", "table", "press", "look", "channel", "pause", "later"}
RETRIES = 4
"""Failures in a row: with pauses of 2, 4, 8 and 16 s the fifth try comes within the minute."""

PER_MATCH = 10
"""Errors that strike in one match after the other."""

KINDS: dict[str, tuple[Failure, ...]] = {
    "message gone": (Failure("10008", 404, 10008),),
    "channel gone": (Failure("10003", 404, 10003),),
    "press too old": (Failure("10062", 404, 10062), Failure("40060", 400, 40060), Failure("50027", 401, 50027)),
    "edited too often": (Failure("30046", 400, 30046),),
    "not allowed": (Failure("50001", 403, 50001), Failure("50013", 403, 50013), Failure("160005", 403, 160005)),
    "no DMs": (Failure("50007", 403, 50007), Failure("50278", 403, 50278)),
    "archived": (Failure("50083", 400, 50083),),
    "not accepted": (Failure("20026", 403, 20026), Failure("40005", 413, 40005), Failure("unknown code", 400, 99_999)),
    "out of order": (
        Failure("429", 429),
        Failure("500", 500),
        Failure("503", 503),
        Failure("401 without a code", 401),
        Failure("403 without a code", 403),
        Failure("reset"),
        Failure("timeout"),
        Failure("lost", lost=True),
        Failure("stalled", stalled=True),
        Failure("stalled, done", lost=True, stalled=True),
    ),
}
PASSING, LASTING = "out of order", "not accepted"


def stated() -> dict[tuple[str, str], str]:
    """What docs/lab/reliability-runs.md says of each place and kind of error: a word of its legend."""
    found = {}
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(KINDS) + 2 or not (site := re.fullmatch(r"`(.+)`", cells[1])):
            continue
        found |= {(site[1], kind): word for kind, word in zip(KINDS, cells[2:], strict=True)}
    return found


STATED = stated()


class Stage:
    """A running match of three in which one request fails: alice manages the server, carol is called at the table."""

    def __init__(self, sim: Simulation, table: Table, wire: FailingConnection) -> None:
        self.sim, self.table, self.wire = sim, table, wire
        self.results: list[InteractionResult] = []
        self.elsewhere = sim.guild.create_text_channel("elsewhere")
        self.lobby = 0
        """Another match of the same people, that is played again after one; 0 until `open_lobby`."""
        self.ended = 0
        """Another match of the same people, that has ended by a vote; 0 until `ending`."""
        self.alarms: list[str] = []
        """What the log told the operator of private messages that were shown to all."""

    @classmethod
    async def open(cls, sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str = "photosynthesis") -> Stage:
        keeper = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
        people = [*sim.join_server("alice", roles=[keeper]), *sim.join_server("bob", "carol")]
        table = await Table.open(sim, game, people, seed="errors")
        await sim.service.people.change(people[2].id, ping=PingPreference.MENTION)
        sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.002, longest_retry=0.01))
        await sim.press(people[0], sim.board(), "Start")
        return cls(sim, table, FailingConnection(monkeypatch))

    def hears(self, record: logging.LogRecord) -> bool:
        """A filter that takes the alarms out of the log, where else an error is a fault of ours."""
        if record.levelno < logging.ERROR:
            return True
        self.alarms.append(record.getMessage())
        return False

    # What people do.

    @property
    def number(self) -> int:
        return self.table.number

    async def now(self) -> Match:
        return await self.sim.match(self.number)

    def person(self, name: str) -> MemberActor:
        return self.sim.people[name]

    async def press(
        self, name: str, action: str, turn: str = "", rest: str = "", *, dm: bool = False, **how: Any
    ) -> str:
        """Press something at the table, or in the own direct messages; no player is pinged twice for it."""
        sim, person, cursor = self.sim, self.person(name), self.sim.cursor
        board = self.board()
        where: dict[str, Any] = {"channel": board[0], "message": board[1].id}
        if dm:
            where = {"message": await self.hand(name), "channel": person.user.dm_channel.id}
        result = sim.raw_press(person, str(Id(how.pop("match", self.number), action, turn, rest)), **{**where, **how})
        await sim.env.settle()
        self.results.append(result)
        pinged = Counter(sim.pings(cursor))
        assert all(times == 1 for times in pinged.values()), f"pinged twice: {pinged}"
        return sim.said(result) if result.acknowledged else ""

    async def hand(self, name: str) -> int | None:
        """The message in somebody's direct messages that they press in: their hand, else the newest."""
        posts, user = await self.sim.matches.posts.of(self.number), self.person(name).id
        known = {post.message for post in posts.hands.values() if post.user == user}
        there = [message.id for message in self.sim.dms(self.person(name))]
        return next((message for message in there if message in known), there[-1] if there else None)

    async def move(self) -> None:
        """A move of the awaited player, in their direct messages if they have any."""
        match, state = await self.table.now()
        seat = min(state.to_move(), key=lambda seat: (match.moves + seat) % 3)
        name = self.sim.by_id(match.chairs[seat].user).name
        moves = state.legal_moves(seat)
        text = str(moves[self.table.random.randrange(len(moves))])
        dm = await self.hand(name) is not None
        await self.press(name, "move", self.sim.service.turn(match, seat), text, dm=dm)

    async def until_awaited(self, name: str) -> None:
        """At least one move, and on until the table waits for that person."""
        for _ in range(30):
            await self.move()
            match, state = await self.table.now()
            if match.seat_of(self.person(name).id) in state.to_move():
                return

    async def until_hit(self, act: Callable[[], Awaitable[Any]]) -> None:
        for _ in range(12):
            await act()
            if self.wire.hits or not self.wire.site:
                return
        raise AssertionError(f"{self.wire.site} is not reached")

    async def changed(self, **how: Any) -> None:
        """The stored match is another from now on."""
        async with self.sim.service.deciding(self.number) as match:
            await self.sim.service.save(replace(match, **how))
        self.sim.bot.app.publisher.changed(self.number)
        await self.calm()

    async def calm(self) -> None:
        """Wait until everything is shown, as far as it can be, tries after failures too."""
        for _ in range(30):
            await self.sim.env.settle()
            await asyncio.sleep(0.004)
            shown = self.sim.app.publisher
            private = (*shown.replies.by_seat.values(), *shown.answers.by_message.values())
            if not await self.sim.matches.posts.behind() and not any(kept.work for kept in private):
                return

    async def relocate(self, place: ChannelHandle | None = None) -> None:
        """The table moves to the other of two channels, or there."""
        match = await self.now()
        self.sim.bot.get_cog("Relocate").moved.clear()
        place = place or next(channel for channel in (self.sim.channel, self.elsewhere) if channel.id != match.channel)
        await self.sim.slash(self.person("alice"), "relocate", place, table=self.number)
        await self.sim.env.settle()

    # What is shown.

    def boards(self) -> list[Any]:
        """Every public message that shows the table."""
        found = []
        for channel, messages in self.sim.env.backend.messages.items():
            if self.sim.env.backend.channels[channel].guild_id is not None:
                for message in messages.values():
                    text = "\n".join(controls({"components": message.components}))
                    if not message.is_ephemeral and f"1/{self.number}/hand/" in text:
                        found.append((channel, message))
        return found

    def board(self) -> tuple[int, Any]:
        """The channel and the message of the table."""
        shown = self.boards()
        return shown[-1] if shown else (self.sim.channel.id, self.sim.channel.history()[-1])

    async def remove_old_tables(self) -> None:
        post = (await self.sim.matches.posts.of(self.number)).table
        for channel, message in self.boards():
            if message.id != post.message:
                self.sim.env.backend.delete_message(channel, message.id)

    async def behind(self, *, board: bool = True, hands: bool = True) -> list[str]:
        """What does not show the match as it is."""
        match, people = await self.now(), self.sim.service.people
        messages, posts, found = self.sim.bot.app.messages, await self.sim.matches.posts.of(self.number), []
        if board:
            shown = self.boards()
            found += [f"{len(shown)} tables"] if len(shown) != 1 else []
            shown = [(channel, message) for channel, message in shown if message.id == posts.table.message]
            content = await table_message(messages, match, await self.sim.matches.votes(self.number))
            if shown and words({"components": shown[-1][1].components})[1:] != shown_words(content):
                found.append("the table is out of date")
        for chair in match.people if hands else ():
            person, post = await people.get(chair.user or 0), posts.hands.get(chair.number)
            if person is None or post is None or post.shown != match.version:
                found.append(f"{chair.name}'s post is behind")
            elif person.reached and post.message is not None:
                message = next((m for m in self.sim.dms(self.sim.by_id(person.user)) if m.id == post.message), None)
                if message is None or not shows_hand(message, await hand_message(messages, match, person)):
                    found.append(f"{chair.name}'s hand is out of date")
        for reply in self.sim.app.publisher.replies.by_seat.values() if hands else ():
            person = await people.get(reply.user)
            content = await hand_message(messages, match, person, path=reply.path, refreshable=True)
            if reply.match == match.id and words(self.components(reply.message.id))[2:] != shown_words(content)[1:]:
                found.append(f"{person.name}'s private hand is out of date")
        for kept in self.sim.app.publisher.answers.by_message.values() if hands else ():
            if words(self.components(kept.message.id))[1:] != shown_words(await kept.live.again()):
                found.append("a private answer is out of date")
        return found

    def components(self, number: int) -> dict[str, Any]:
        """The components of a message, whose number is the only thing known of it."""
        messages = self.sim.env.backend.messages.values()
        return next({"components": there[number].components} for there in messages if number in there)


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


async def invitation(stage: Stage) -> None:
    publisher, matches = stage.sim.bot.app.publisher, stage.sim.matches

    async def act() -> None:
        posts = await matches.posts.of(stage.lobby)
        await matches.posts.note(replace(posts.table, invited=False, ping=None))
        publisher.changed(stage.lobby)
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def invitation_of_which_no_answer_came(stage: Stage) -> None:
    posts = stage.sim.matches.posts

    async def act() -> None:
        table = (await posts.of(stage.lobby)).table
        begun = Sending(table.channel, 0, "again 0")
        await posts.note(replace(table, invited=False, ping=None, sending=begun))
        stage.sim.bot.app.publisher.changed(stage.lobby)
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def reminder(stage: Stage) -> None:
    """A reminder of the lobby's start, which is due each time."""
    service = stage.sim.service

    async def act() -> None:
        async with service.deciding(stage.lobby) as match:
            at = (match.starts_at or int(service.now()) + 86_400) + REMINDED_WITHIN
            await service.save(replace(match, starts_at=at, starts_soon=True))
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def greeting(stage: Stage, begun: Sending | None = None) -> None:
    """The greeting of a server. Alice's server has open matches, so another one invites the bot."""
    sim = stage.sim
    guild = sim.guild

    async def act() -> None:
        await sim.service.policy.change(guild.id, greeted=False, greeting=begun or Sending(stage.elsewhere.id, 0))
        if begun is None:
            await sim.service.policy.change(guild.id, greeting=None)
        cog = sim.bot.get_cog("Guilds")
        found = sim.bot.get_guild(guild.id)
        assert cog is not None and found is not None
        await cog.greet(found)
        await sim.env.settle()

    await stage.until_hit(act)


async def greeting_of_which_no_answer_came(stage: Stage) -> None:
    await greeting(stage, Sending(stage.elsewhere.id, 0))


async def set_start(stage: Stage, value: str) -> None:
    await stage.sim.service.policy.change(stage.sim.guild.id, events=True)
    await stage.press("alice", "start_time", match=stage.lobby, values=[value])
    await stage.calm()


async def event(stage: Stage) -> None:
    async def act() -> None:
        await set_start(stage, "none")
        await set_start(stage, "86400")

    await stage.until_hit(act)


async def emoji(stage: Stage) -> None:
    """An emoji is uploaded, and one that is out of date is deleted."""
    blue = "sea_change", "sign.B", b"\x89PNG\r\n\x1a\n"
    stage.wire.monkeypatch.setattr(cogs.transport.app_emoji, "PAUSE", 0.0)
    stage.wire.monkeypatch.setattr(cogs.transport.app_emoji, "emoji", lambda: [blue])
    backend, database = stage.sim.env.backend, stage.sim.database
    assert database is not None

    async def act() -> None:
        backend.application_emojis.clear()
        backend.create_application_emoji("sundial_old_00000000")
        ours = AppEmoji(stage.sim.bot, KeyValues(database), EmojiTable())
        await ours.load()
        await ours.renew()

    await stage.until_hit(act)


async def another_time(stage: Stage) -> None:
    async def act() -> None:
        await set_start(stage, "86400")
        await set_start(stage, "7200")

    await stage.until_hit(act)


async def event_after_a_lost_answer(stage: Stage) -> None:
    """Of an earlier request it is unknown whether it has made an event."""

    async def act() -> None:
        await set_start(stage, "none")
        posts = await stage.sim.matches.posts.of(stage.lobby)
        assert posts.event is not None
        await stage.sim.matches.posts.note(replace(posts.event, message=None, sending=Sending(0, 0)))
        await set_start(stage, "86400")

    await set_start(stage, "86400")
    await stage.until_hit(act)


async def ending(stage: Stage) -> None:
    """Another match of some of the people ends."""
    ended = await Table.open(stage.sim, "sea_change", [stage.person("alice"), stage.person("bob")], seed="ended")
    await stage.press("alice", "start", match=ended.number)
    stage.ended = ended.number
    for name in ("alice", "bob"):
        await stage.press(name, "vote_sure", rest="end", match=ended.number)


async def ending_of_which_no_answer_came(stage: Stage) -> None:
    """It has been told, and the bot does not know it."""
    matches = stage.sim.matches
    await with_an_ended_match(stage)

    async def act() -> None:
        post = (await matches.posts.of(stage.ended)).the_end
        assert post is not None
        await matches.posts.note(replace(post, message=None, sending=Sending(post.channel, 0), shown=0))
        stage.sim.bot.app.publisher.changed(stage.ended)
        await stage.calm()

    await stage.until_hit(act)


async def with_an_ended_match(stage: Stage) -> None:
    """Let another match end, without an error, unless one has."""
    if not stage.ended:
        site, stage.wire.site = stage.wire.site, ""
        await ending(stage)
        await stage.calm()
        stage.wire.site = site


async def playing_again_in_private(stage: Stage) -> None:
    """Without an answer no table is opened, and the player is told."""
    await with_an_ended_match(stage)
    await stage.press("alice", "again", dm=True, match=stage.ended)


async def showing_a_replay(stage: Stage) -> None:
    """A player shows another match, which has ended, to everyone."""
    await with_an_ended_match(stage)
    where = {"channel": stage.sim.channel.id, "message": stage.sim.channel.history()[-1].id}
    await stage.press("alice", "share", rest="0/table/share", match=stage.ended, **where)


async def drawing_a_film(stage: Stage) -> None:
    """A player has a replay drawn as an animation, and is told on the way how far it is."""
    await with_an_ended_match(stage)
    film = BytesIO()
    Image.new("RGB", (8, 8)).save(film, "WEBP")

    async def slow(number: int, eyes: int) -> bytes:
        await asyncio.sleep(0.05)
        return film.getvalue()

    where = {"channel": stage.sim.channel.id, "message": stage.sim.channel.history()[-1].id}
    with stage.wire.monkeypatch.context() as patch:
        patch.setattr(cogs.replay, "PROGRESS_SECONDS", 0.01)
        patch.setattr(stage.sim.bot.get_cog("Replay").files, "animation", slow)
        await stage.press("alice", "file", rest="0/table/film", match=stage.ended, **where)
        await stage.calm()


async def stepping_for_all(stage: Stage) -> None:
    """Another player steps on in it."""
    await showing_a_replay(stage)
    step = Id(stage.ended, "step", rest="0/table/first")
    shown = [m for m in stage.sim.channel.history() if not m.flags.ephemeral and str(step) in controls(raw(m))]
    stage.results.append(stage.sim.raw_press(stage.person("bob"), str(step), message=shown[-1].id))
    await stage.sim.env.settle()


async def guests(stage: Stage) -> None:
    """The host invites somebody who was never invited there, again and again."""
    door, host = stage.sim.app.door, stage.person("alice").id

    async def act() -> None:
        match = await stage.sim.match(stage.lobby)
        await door.invite(stage.lobby, match.host, [(host + 1_000_000 + len(match.guests), "guest")])
        await stage.calm()

    await stage.until_hit(act)


async def guests_of_whom_no_answer_came(stage: Stage) -> None:
    """A guest is invited, and the bot does not know it."""
    posts, site = stage.sim.service.posts, stage.wire.site
    stage.wire.site = ""
    match = await stage.sim.match(stage.lobby)
    guest = stage.person("alice").id + 2_000_000 + len(match.guests)
    await stage.sim.app.door.invite(stage.lobby, match.host, [(guest, "guest")])
    await stage.calm()
    stage.wire.site = site

    async def act() -> None:
        await posts.note_invitations(
            stage.lobby, [guest], Invitation.SENDING, stage.sim.channel.id, int(stage.sim.service.now())
        )
        stage.sim.app.publisher.changed(stage.lobby)
        await stage.calm()

    await stage.until_hit(act)


async def play_with(stage: Stage) -> None:
    await stage.press("alice", "play_with", rest=str(stage.person("bob").id), match=0, values=["full_circle"])


async def form(stage: Stage) -> None:
    await stage.press("alice", "cut", match=stage.lobby)


async def left_over(stage: Stage) -> None:
    """A press in a hand of which nothing was noted down."""
    matches, found = stage.sim.matches, []
    while not found:
        await stage.until_awaited("bob")
        hand = await stage.hand("bob")
        found = [post for post in await matches.posts.of(stage.number) if hand == post.message]
    await matches.posts.note(*(replace(post, message=post.message - 1) for post in found if post.message))
    await stage.press("bob", "path", "0.0", dm=True)


async def leaving(stage: Stage) -> None:
    await stage.press("bob", "give_seat")


async def digest(stage: Stage, name: str) -> None:
    person, sim = stage.person(name), stage.sim

    async def act() -> None:
        await sim.service.people.change(person.id, digest_hours=1, digest_due=10**10)
        await stage.until_awaited(name)
        # Never at the same second, which is what tells one digest from another.
        await sim.service.people.change(person.id, digest_due=sim.service.clocks.now() - sim.cursor)
        for _ in range(RETRIES + 1):
            await sim.app.digests.tick()

    await stage.until_hit(act)
    await sim.service.people.change(person.id, digest_hours=0, digest_due=None)
    sim.bot.app.publisher.changed(stage.number)
    await sim.env.settle()


async def digest_by_dm(stage: Stage) -> None:
    await digest(stage, "bob")


async def digest_at_table(stage: Stage) -> None:
    await digest(stage, "carol")


async def digest_of_which_no_answer_came(stage: Stage) -> None:
    person = stage.person("bob")
    begun = Sending(person.user.dm_channel.id, 0, "digest 0")
    await stage.sim.service.people.change(person.id, digest_sending=str(begun))
    await digest(stage, "bob")


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


async def season(stage: Stage) -> None:
    """A season opens in the channel, and a player joins."""
    shows = stage.sim.app.season_messages
    assert shows is not None
    seasons, alice = stage.sim.app.seasons, stage.person("alice")

    async def act() -> None:
        if (known := await seasons.stored.newest(stage.sim.channel.id, None)) is not None and known.going_on:
            await seasons.stop(known.id, alice.id, manages=True)
        where = {
            "guild": stage.sim.guild.id,
            "channel": stage.sim.channel.id,
            "user": alice.id,
            "locale": "en",
        }
        how: dict[str, Any] = {**where, "seats": None, "rounds": None, "days": 7, "clock": None}
        opened = await seasons.open("sea_change", name="Cup", **how)
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


WAYS: dict[str, Callable[[Stage], Awaitable[None]]] = {
    "transport.digests._by_dm:delete": digest_by_dm,
    "transport.digests._by_dm:send_private": digest_by_dm,
    "transport.digests._by_mention:send_ping": digest_at_table,
    "transport.digests._deliver:sent_before": digest_of_which_no_answer_came,
    "transport.side_messages._correct:edit": ending_of_which_no_answer_came,
    "transport.side_messages._tell:send_public": ending,
    "transport.side_messages._tell:sent_before": ending_of_which_no_answer_came,
    "transport.hand_messages.show:delete": left_over,
    "transport.hand_messages._edited:edit": turn,
    "transport.hand_messages._found:sent_before": hand_of_which_no_answer_came,
    "transport.hand_messages._sent:send_private": turn,
    "transport.hand_messages._delete:delete": turn,
    "transport.hand_messages.empty:edit": leaving,
    "transport.senders._take_back:delete": wrong_eyes,
    "transport.hand_replies._shown:edit_own": turn,
    "transport.hand_replies._shown:send_private": my_hand,
    "transport.hand_replies._delete:delete_private": my_hand_twice,
    "transport.hand_replies._edit:edit_private": turn_with_open_hands,
    "transport.live_answers._bring_up_to_date:edit_private": turn_with_open_answers,
    "transport.live_answers._bring_up_to_date:delete_private": answer_that_is_moot,
    "transport.interactions.show:edit_own": settings,
    "transport.interactions.show:edit_for_all": stepping_for_all,
    "transport.interactions._defer:defer": turn,
    "transport.interactions._defer:defer#2": my_hand,
    "transport.interactions._defer:turn_away": press_while_ending,
    "transport.interactions.ask:send_modal": form,
    "transport.newcomers._tried:open": first_dm,
    "transport.newcomers._tried:send_private": first_dm,
    "transport.interactions.tell:send_private": who_plays,
    "transport.pings._mention:delete": turn_with_mentions,
    "transport.pings._mention:send_ping": turn_with_mentions,
    "transport.pings._mention:sent_before": mention_of_which_no_answer_came,
    "transport.lobby_pings._say_once:send_ping": invitation,
    "transport.lobby_pings._say_once:sent_before": invitation_of_which_no_answer_came,
    "transport.lobby_pings._drop:delete": reminder,
    "guilds.greet:send_public": greeting,
    "guilds.greet:sent_before": greeting_of_which_no_answer_came,
    "transport.calendar_events._made:create_scheduled_event": event,
    "transport.calendar_events._change:delete": event,
    "transport.calendar_events._change:edit": another_time,
    "transport.calendar_events._change:fetch_scheduled_event": another_time,
    "transport.calendar_events._found:fetch_scheduled_events": event_after_a_lost_answer,
    "transport.app_emoji._renew:create_application_emoji": emoji,
    "transport.app_emoji._renew:delete": emoji,
    "transport.app_emoji._renew:fetch_application_emojis": emoji,
    "transport.season_messages._shown:edit": season,
    "transport.season_messages._say:send_public": season,
    "transport.season_messages._sent_before:sent_before": season,
    "transport.lobby_pings._send:send_invitation": guests,
    "transport.lobby_pings._send:sent_before": guests_of_whom_no_answer_came,
    "invite._member:fetch_member": play_with,
    "transport.side_messages._send:sent_before": offer_of_which_no_answer_came,
    "transport.side_messages.show:delete": no_offer_any_more,
    "transport.side_messages._send:delete": offer_moved,
    "transport.side_messages.show:edit": second_offer,
    "transport.side_messages._send:send_public": offer,
    "transport.table_message._is_buried:history": turn,
    "transport.table_message._open_thread:edit": thread,
    "transport.table_message._keep_pinned:fetch": turn_of_a_pinned_table_too_old,
    "transport.table_message._keep_pinned:pin": turn_of_a_pinned_table_too_old,
    "transport.table_message.leave:delete": relocation_with_ping,
    "transport.table_message._look_for:history": turn_after_a_lost_send,
    "transport.table_message._points_on:edit": relocation,
    "transport.table_message._points_on:revive": relocation_from_an_archived_thread,
    "transport.table_message._take_down:delete": turn_after_burying,
    "transport.table_message.put:edit": turn,
    "transport.table_message._sent:edit": burying_after_a_lost_send,
    "transport.table_message._look:sent_before": burying_after_a_lost_send,
    "transport.table_message._send:send_public": turn_after_burying,
    "transport.table_message.thread_of:create_thread": thread,
    "transport.match_posts.forget_shown:delete": showing_again,
    "transport.compare_restored._shown:fetch_message": restored,
    "transport.compare_restored._newest:history": restored_without_table,
    "transport.server_lookup.ask:fetch_guild": look_round,
    "transport.server_lookup._ask:fetch_member": move_in_private,
    "transport.server_lookup.visit:fetch_member": playing_again_in_private,
    "transport.database_mark._marked:create_application_emoji": first_mark,
    "transport.database_mark._marked:edit": another_mark,
    "transport.database_mark._marked:fetch_application_emojis": first_mark,
    "replay._share:send_public": showing_a_replay,
    "replay._say_instead:edit_own": drawing_a_film,
}
IN_LOBBY = {
    "transport.interactions.ask:send_modal",
    "transport.lobby_pings._say_once:send_ping",
    "transport.lobby_pings._say_once:sent_before",
    "transport.lobby_pings._send:send_invitation",
    "transport.lobby_pings._send:sent_before",
} | {site for site, way in WAYS.items() if way in (reminder, event, another_time, event_after_a_lost_answer)}


# What then is true.


async def check(stage: Stage, word: str, before: Match, cursor: int) -> list[str]:
    """What is not as the word says, right after the error."""
    match, found = await stage.now(), []
    if word in ("stays", "board"):
        await stage.remove_old_tables()
    found += await stage.behind(board=word not in ("board", "pause"), hands=word not in ("pause", "later"))
    dead = [p for p in stage.sim.people.values() if (await stage.sim.service.people.get(p.id)).dm_works is False]
    if bool(dead) != (word == "table"):
        found.append(f"direct messages given up: {[person.name for person in dead]}")
    if match.paused != (word == "pause"):
        found.append(f"paused: {match.paused}")
    if word == "press" and match.version != before.version:
        found.append("something was done though the press could not be acknowledged")
    if stage.results and word not in ("press", "pause") and not stage.results[-1].acknowledged:
        found.append("the press was not answered")
    stage.table.cursor = cursor
    await stage.table.check_secrecy(match, stage.sim.service.state(match))
    return found


CORRECTED = "transport.side_messages._correct:edit"
UNTOLD = "transport.side_messages._tell:send_public"


def check_told(stage: Stage, times: int) -> list[str]:
    """Check that the end of that other match was told so many times, in messages that are there now."""
    text = f"1/{stage.ended}/again//end"
    told = [m for m in stage.sim.channel.history() if text in controls(raw(m))]
    stage.ended = 0 if not told else stage.ended
    return [] if len(told) == times else [f"the end is told {len(told)} times"]


async def mend(stage: Stage) -> None:
    """Discord is well again; people do what they would."""
    sim = stage.sim
    stage.wire.site = ""
    await stage.remove_old_tables()
    stage.wire.monkeypatch.setattr(cogs.transport.table_message, "BURIED", 6)
    for person in sim.people.values():
        await sim.service.people.change(person.id, dm_works=True, dm=person.user.dm_channel.id)
    await sim.bot.get_cog("Guilds").look_round()
    match = await stage.now()
    if match.seat_of(stage.person("bob").id) is None:
        await stage.press("bob", "back")
    for chair in (await stage.now()).people:
        if chair.offered and chair.user is not None:
            await stage.press(sim.by_id(chair.user).name, "offer", rest="0")
    if (await stage.now()).rests_since is not None:
        await stage.changed(rests_since=None, doubt=None)
    if (await stage.now()).place not in (sim.channel.id, stage.elsewhere.id):
        await stage.relocate(sim.channel)
    await stage.sim.slash(stage.person("alice"), "board", table=stage.number)
    await stage.calm()


async def play_on(stage: Stage) -> list[str]:
    before = await stage.now()
    await stage.move()
    await stage.calm()
    return await stage.behind() + ([] if (await stage.now()).moves > before.moves else ["no player can move"])


async def suffer(stage: Stage, site: str, failure: Failure, times: int, word: str) -> list[str]:
    """One error at one place, so many times in a row: what went wrong besides."""
    before, cursor = await stage.now(), stage.sim.cursor
    stage.results.clear()
    if site in IN_LOBBY:
        await open_lobby(stage)
    stage.wire.fail(site, failure, times)
    await WAYS[site](stage)
    await stage.calm()
    if not stage.wire.hits:
        return ["not reached"]
    found = await check(stage, word, before, cursor)
    if WAYS[site] in (ending, ending_of_which_no_answer_came):
        untold = (site, word) == (UNTOLD, "left") or (site == CORRECTED and failure.code == GONE)
        found += check_told(stage, 0 if untold else 1)
    await mend(stage)
    return found + await play_on(stage)


SITES = sorted(call_sites())
FAILURES = [(kind, failure) for kind, failures in KINDS.items() for failure in failures]


def every(site: str) -> Iterator[tuple[str, str, Failure, int]]:
    """Every error at that place, once; and one of those that pass, from place to place another, several times."""
    for kind, failure in FAILURES:
        yield site, kind, failure, 1_000 if kind == LASTING else 1
    yield site, PASSING, KINDS[PASSING][SITES.index(site) % len(KINDS[PASSING])], RETRIES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Matches, each with as many errors as it can take before it is over. Every test run meets one error at every other
    place, another from place to place; a long one meets one at the rest and a sixth of all others, and with
    `--thorough` all.
    """
    if "cases" in metafunc.fixturenames:
        short, long = [], []
        for number, site in enumerate(SITES):
            cases = list(every(site))
            (long if number % 2 else short).append(cases.pop(number % len(cases)))
            long += cases if metafunc.config.getoption("--thorough") else cases[number % 6 :: 6]
        parts = [
            (case[at : at + PER_MATCH], marks)
            for case, marks in ((short, ()), (long, pytest.mark.long))
            for at in range(0, len(case), PER_MATCH)
        ]
        metafunc.parametrize(
            "cases", [pytest.param(part, marks=marks, id=f"{part[0][0]}, {part[0][2].name}") for part, marks in parts]
        )


async def test_the_match_goes_on_after_every_error(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, cases: list[tuple[str, str, Failure, int]]
) -> None:
    stage, found = await Stage.open(sim, monkeypatch), []
    for site, kind, failure, times in cases:
        word = STATED[site, kind]
        try:
            wrong = await suffer(stage, site, failure, times, word)
        except AssertionError as error:
            wrong = [str(error)[:300]]
        found += [f"{site}, {failure.name}, {times} times: {what}; stated: {word}" for what in wrong]
    assert not found, "\n".join(found)


def test_every_place_that_makes_requests_is_known() -> None:
    """A new one needs a way to it here, and a row in the table of what is to happen."""
    assert sorted(WAYS) == SITES
    assert {site for site, _ in STATED} == set(SITES)
    assert set(STATED.values()) <= WORDS
    assert primitives() == {
        "_answered:send",
        "_edited:edit",
        "_take_back:delete",
        "delete:delete",
        "delete_private:delete",
        "edit_for_all:edit_original_response",
        "edit_own:edit_original_response",
        "open:create_dm",
        "revive:edit",
        "revive:fetch_channel",
        "send_invitation:send",
        "send_ping:send",
        "send_private:send",
        "send_public:send",
        "sent_before:history",
        "turn_away:send_message",
    }


async def test_a_buried_table_whose_answer_is_lost_comes_back_once(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next try the hand has called the player asked: the old table is edited no more all the same."""
    stage = await Stage.open(sim, monkeypatch)
    site, lost = (
        "transport.table_message._send:send_public",
        next(failure for failure in KINDS[PASSING] if failure.lost),
    )
    for times in (1, 2, 3, 1, 2, 3):
        assert not await suffer(stage, site, lost, times, "again")


@pytest.mark.parametrize(("times", "deleted"), [(0, True), (4, True), (5, False)])
async def test_the_operator_is_told_of_what_was_shown_to_the_wrong_eyes(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, times: int, deleted: bool
) -> None:
    """And it is tried a few times more to delete it."""
    stage = await Stage.open(sim, monkeypatch)
    there = sim.env.backend.messages[sim.channel.id]
    before = len(there)
    stage.wire.fail("transport.senders._take_back:delete", KINDS[PASSING][1], times)
    await wrong_eyes(stage)
    assert stage.wire.hits == times
    assert len(stage.alarms) == (1 if deleted else 2)
    assert all(line.startswith("PRIVACY: ") and "alice" not in line and "bob" not in line for line in stage.alarms)
    assert deleted or stage.alarms[1].endswith("can read it")
    assert len(there) == before + (0 if deleted else 1)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.002, 0.004])
async def test_who_asks_for_the_table_while_it_is_sent_again_gets_no_second_one(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Also where the new message has just been noted: it is not forgotten again."""
    stage = await Stage.open(sim, monkeypatch)
    matches, publisher = sim.matches, sim.bot.app.publisher
    note, asked = matches.posts.note, count()

    async def asked_meanwhile(*posts: Post, **how: Any) -> None:
        saving = asyncio.create_task(note(*posts, **how))
        await asyncio.sleep(seconds)
        if any(isinstance(post, TablePost) for post in posts) and next(asked) < 6:
            publisher.bring_back(stage.number)
        await saving

    for _ in range(3):
        with monkeypatch.context() as patch:
            await publisher.shown.forget_shown(stage.number)
            publisher.changed(stage.number)
            patch.setattr(matches.posts, "note", asked_meanwhile)
            for _ in range(50):
                await stage.calm()
                if not publisher.behind()[0]:
                    break
            else:
                raise AssertionError("the table is never up to date")
        assert not await stage.behind()


# Bugs that this finds.


def a_second_message_for_a_lost_answer(patch: pytest.MonkeyPatch) -> None:
    """The bug also leaves the send unnoted. Otherwise the bot would delete the second message."""
    numbers = count()

    async def unnoted(posts: PostStore, unknown: OldTable) -> bool:
        return True

    patch.setattr(cogs.transport.table_message, "nonce", lambda *facts: f"{next(numbers)}")
    patch.setattr(PostStore, "begin_sending", unnoted)


def closed_direct_messages_are_not_noted(patch: pytest.MonkeyPatch) -> None:
    async def in_trouble(
        hands: HandMessages, match: Match, person: Person, before: HandPost, trouble: DiscordFailure
    ) -> Post:
        return replace(before, shown=match.version)

    patch.setattr(HandMessages, "after_failure", in_trouble)


def a_press_counts_though_its_player_is_not_told(patch: pytest.MonkeyPatch) -> None:
    acknowledge = Interactions.acknowledge

    async def always(app: Interactions, interaction: discord.Interaction[Any], asked: Asked, *, silent: bool) -> float:
        await acknowledge(app, interaction, asked, silent=silent)
        return 0.0

    patch.setattr(Interactions, "acknowledge", always)


def a_table_that_fails_is_given_up(patch: pytest.MonkeyPatch) -> None:
    async def give_up(table: TableMessage, match: Match, post: Post, trouble: DiscordFailure) -> Post:
        return await table.shown(post, match, post.digest)

    patch.setattr(TableMessage, "give_up", give_up)


@pytest.mark.parametrize(
    ("bug", "site", "kind", "failure"),
    [
        (a_second_message_for_a_lost_answer, "transport.table_message._send:send_public", PASSING, "lost"),
        (closed_direct_messages_are_not_noted, "transport.hand_messages._edited:edit", "no DMs", "50007"),
        (a_press_counts_though_its_player_is_not_told, "transport.interactions._defer:defer", PASSING, "503"),
        (a_table_that_fails_is_given_up, "transport.table_message.put:edit", PASSING, "reset"),
    ],
)
async def test_seeded_bugs_are_found(
    sim: Simulation,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    site: str,
    kind: str,
    failure: str,
) -> None:
    stage = await Stage.open(sim, monkeypatch)
    bug(monkeypatch)
    how = next(found for found in KINDS[kind] if found.name == failure)
    assert await suffer(stage, site, how, 1, STATED[site, kind])
