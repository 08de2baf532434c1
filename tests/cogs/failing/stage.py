"""A running match in which one request fails, and what the page says of each place and kind of error."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from cogs.messages.content import Id
from cogs.messages.hand import hand_message
from cogs.messages.table import table_message
from cogs.transport.publisher import PublishTiming
from data.records.match import Match
from data.records.people import PingPreference
from tests.cogs.message_text import shown_words, shows_hand
from tests.support.call_sites import FailingConnection, Failure
from tests.support.simulation import Simulation, controls, words
from tests.support.table import Table

DOCS = Path(__file__).parents[3] / "docs" / "lab" / "reliability-runs.md"
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
            private = (*shown.replies.kept.values(), *shown.answers.kept.values())
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
        for reply in self.sim.app.publisher.replies.kept.values() if hands else ():
            person = await people.get(reply.user)
            content = await hand_message(messages, match, person, path=reply.path, refreshable=True)
            if reply.match == match.id and words(self.components(reply.message.id))[2:] != shown_words(content)[1:]:
                found.append(f"{person.name}'s private hand is out of date")
        for kept in self.sim.app.publisher.answers.kept.values() if hands else ():
            if kept.live and words(self.components(kept.message.id))[1:] != shown_words(await kept.live.again()):
                found.append("a private answer is out of date")
        return found

    def components(self, number: int) -> dict[str, Any]:
        """The components of a message, whose number is the only thing known of it."""
        messages = self.sim.env.backend.messages.values()
        return next({"components": there[number].components} for there in messages if number in there)
