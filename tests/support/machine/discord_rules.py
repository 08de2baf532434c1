"""Rules of Discord: messages, threads and channels are deleted, requests fail, the bot is removed from the server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from data.records.post import HandPost, TablePost
from tests.support.machine.base_machine import Machine
from tests.support.machine.clock_model import DAY, HOUR
from tests.support.machine.strategies import PLACES, tables
from tests.support.machine.table_model import TableModel
from tests.support.machine.virtual_world import GUILD, RETRY


class DiscordRules(Machine):
    """Rules of Discord."""

    @rule(which=tables, what=st.sampled_from(PLACES), asked=st.booleans())
    def delete(self, which: int, what: str, asked: bool) -> None:
        """Delete a message, a thread or a channel; `asked`: then a person asks for the table."""
        table, discord = self.table(which), self.world.discord
        match, posts = self.world.match(table.number), self.world.run(self.world.matches.posts.of(table.number))
        if what == "channel":
            discord.deleted.add(match.channel)
        elif what == "thread" and match.place != match.channel:
            discord.deleted.add(match.place)
        for post in posts:
            if (
                (what == "table" and isinstance(post, TablePost))
                or (what == "hand" and isinstance(post, HandPost))
                or (what == "call" and not isinstance(post, TablePost | HandPost))
            ):
                discord.messages.pop((post.channel, post.message or 0), None)
        if asked:
            self.world.bring_back(table.number)
            self.settle_and_check()
            self.brought_back(table)

    def brought_back(self, table: TableModel) -> None:
        """Check that the table has a message in its place, if Discord works and the place exists."""
        discord, match = self.world.discord, self.world.match(table.number)
        if not discord.failing and discord.in_server and match.place not in discord.deleted and match.ending != "away":
            post = self.world.run(self.world.matches.posts.of(table.number)).table
            assert (post.channel, post.message) in discord.messages

    @rule(trouble=st.sampled_from(["down", "lost"]))
    def fail(self, trouble: str) -> None:
        """From now on each request fails: before Discord carries it out ("down"), or after it ("lost")."""
        self.world.discord.failing = trouble

    @precondition(lambda self: self.world.discord.failing or not self.world.discord.in_server)
    @rule()
    def works_again(self) -> None:
        self.repair()
        self.pass_time(int(RETRY) + 1)

    @rule(
        told=st.booleans(),
        away=st.sampled_from([0, 0, 0, HOUR, HOUR, DAY, DAY, 31 * DAY]),
        back=st.sampled_from([True, True, False]),
    )
    def kick(self, told: bool, away: int, back: bool) -> None:
        """The bot is removed from the server, and perhaps invited again; it may find that out only later."""
        self.world.discord.in_server = False
        if told:
            self.world.run(self.world.guilds.on_guild_remove(cast(Any, SimpleNamespace(id=GUILD))))
            self.settle_and_check()
            assert all(table.paused is not None for table in self.tables if table.open)
        self.pass_time(min(away, DAY))
        if all(table.paused is not None for table in self.tables if table.open):
            self.skip_time(away - DAY)
        self.pass_time(HOUR if away else 0)
        if back:
            self.repair()
