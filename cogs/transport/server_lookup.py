"""Finds a server of the bot, also one of which another process hears, and which is not in this process's cache; and
who is still a member there.

Discord tells a bot without a privileged intent of no departure, so the bot asks. A press in a server shows that its
user is there. Of a player who presses elsewhere, as in direct messages, and before a ping, the bot asks Discord. If
they have left the server or were banned, and its managers have not decided otherwise, their press is refused and they
get no ping. A minute later the bot asks once more, as they may have left by mistake; then they leave the match as if
they had done so themselves. Without an answer they play on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from typing import Any

import discord

from cogs.match.membership import Membership
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.runtime.periodic import end_tasks
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.permissions import Visit
from data.lru import Lru
from data.records.match import Match
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)

KNOWN_FOR = 300.0
"""Seconds for which Discord's answer about a server of another process serves."""
MOST_KNOWN = 1_000
"""Answers about servers that are kept at most."""
PATIENCE = 1.5
"""Seconds that a press waits for the answer: a form must be shown within three."""
LONG_PATIENCE = 10.0
"""Seconds that the answer to a command waits."""
AT_ONCE = 8
"""If so many questions are under way, as when requests are scarce, an answer of the last `LATELY` serves."""
LATELY = 120.0
"""Seconds."""
BEFORE_PINGS = 600.0
"""Seconds for which an answer serves if no player has pressed."""
TO_COME_BACK = 60.0
"""Seconds until a player who is not in the server leaves its match too."""
MOST_ASKED, MOST_DEPARTED = 20_000, 1_000
GONE = (10007, 10013)
"""Discord's codes for a user who is no member, and for one that does not exist any more."""

Key = tuple[int, int]
"""A server and a user."""


class ServerLookup:
    """Looks servers up. `is_mine`: whether this process hears of a server, so that its cache is right."""

    def __init__(
        self, client: discord.Client, is_mine: Callable[[int], bool], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._steady = steady
        self._known: dict[int, tuple[float, discord.Guild | None]] = {}
        self.is_mine = is_mine

    async def is_there(self, guild: int) -> bool:
        """Return whether the bot is in that server, by what this process hears, or else by Discord's answer. Raises
        DiscordFailure if Discord must be asked and does not say.
        """
        return await self.find(guild) is not None

    async def find(self, guild: int) -> discord.Guild | None:
        """Return that server, or None if the bot is not in it. One that had to be asked for has no channels and roles.
        Raises DiscordFailure if Discord must be asked and does not say.
        """
        if self.is_mine(guild):
            return self._client.get_guild(guild)
        known = self._known.get(guild)
        if known is not None and self._steady() - known[0] < KNOWN_FOR:
            return known[1]
        found = await self.ask(guild)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[guild] = self._steady(), found
        return found

    async def visit(self, guild: int, place: int, user: int) -> Visit | None:
        """Return what the user may do in that channel or thread; None if Discord lets them press nothing there, since
        they are no member, not one yet, or timed out, or if this process cannot know since another one hears of the
        server. Raises DiscordFailure.
        """
        server = self._client.get_guild(guild) if self.is_mine(guild) else None
        channel = None if server is None else server.get_channel_or_thread(place)
        if server is None or channel is None:
            return None
        try:
            async with discord_call():
                member = await server.fetch_member(user)
        except DiscordFailure as failure:
            if failure.code in GONE:
                return None
            raise
        if member.pending or member.is_timed_out():
            return None
        allowed = channel.permissions_for(member), channel.permissions_for(server.me)
        return Visit(self._client, server, guild, channel, place, member, *allowed)

    async def ask(self, guild: int) -> discord.Guild | None:
        """Ask Discord for a server. Return None if the bot is not in it. Raises DiscordFailure if it does not say."""
        try:
            async with discord_call():
                return await self._client.fetch_guild(guild, with_counts=False)
        except DiscordFailure as failure:
            if failure.kind in (Failure.CHANNEL_GONE, Failure.FORBIDDEN):
                return None
            raise


class Members:
    """Asks who is a member, and lets players leave who are none. `membership` None: no player does."""

    def __init__(self, servers: ServerLookup, service: MatchService, membership: Membership | None) -> None:
        self._servers = servers
        self._service = service
        self._now = service.now
        self._policy = service.policy
        self._membership = membership
        self._departed: dict[int, dict[int, float]] = {}
        """By server: the users who were no members when they were asked about, and when that was."""
        self._leaving: dict[tuple[int, int], asyncio.Task[None]] = {}
        """By the match and the user."""
        self._known: Lru[Key, tuple[float, bool]] = Lru(MOST_ASKED)
        self._asking: dict[Key, asyncio.Task[bool | None]] = {}

    def met(self, guild: int, user: int) -> None:
        """Note that the user is in that server now, since they pressed there."""
        self._note((guild, user), is_member=True)

    async def close(self) -> None:
        """Wait for no player any more: their next press finds that they are gone."""
        await end_tasks(*self._leaving.values(), *self._asking.values())

    async def check(self, interaction: discord.Interaction[Any], match: Match) -> None:
        """Raise Refused if the player or waiting user has left the match's server; they leave the match soon."""
        user = interaction.user.id
        if interaction.guild_id == match.guild:
            self.met(match.guild, user)
            return
        waits = any(who.user == user for who in match.waiting)
        if (waits or match.seat_of(user) is not None) and await self.is_out(match, user):
            raise Refused(Reason.NOT_IN_SERVER)

    async def is_out(self, match: Match, user: int, lasts: float = 0.0) -> bool:
        """Return whether a player or waiting user of an open match is no member of its server any more, and the server
        is for members alone. They leave the match soon. `lasts`: as in `is_gone`.
        """
        if self._membership is None or match.private or not match.open or match.paused:
            return False
        if not await self.is_gone(match.guild, user, lasts):
            return False
        if not (await self._policy.of(match.guild)).members_only:
            return False
        key = match.id, user
        if key not in self._leaving:
            leave = self._leave(match.id, match.guild, user)
            self._leaving[key] = asyncio.create_task(leave, name=f"clock: out of the server in match {match.id}")
        return True

    async def look_for(self, match: Match) -> None:
        """Let players and waiting users of an open match leave it soon who have left its server."""
        there = {chair.player for chair in match.people} | {who.user for who in match.waiting}
        await asyncio.gather(*(self.is_out(match, user, LATELY) for user in there))

    async def _leave(self, number: int, guild: int, user: int) -> None:
        """Wait, and let the user leave the match if they are still not in the server."""
        assert self._membership is not None
        try:
            await asyncio.sleep(TO_COME_BACK)
            if await self.is_gone(guild, user):
                await self._membership.leave_with_server(number, user)
            else:
                self._service.listener.changed(number)
        except Refused as error:  # the match is over, or cannot change now: their next press finds them again
            log.info("match %d keeps a player who has left the server: %s", number, error.reason)
        except OUT_OF_REACH as error:
            log.warning("match %d keeps a player who has left the server: %s", number, type(error).__name__)
        finally:
            del self._leaving[number, user]

    def departed(self, guild: int, lasts: float) -> frozenset[int]:
        """Return the users whom Discord has called no members of that server within so many seconds."""
        since = self._now() - lasts
        return frozenset(user for user, at in self._departed.get(guild, {}).items() if at > since)

    async def gone(self, guild: int, users: Collection[int]) -> frozenset[int]:
        """Return which of these users Discord says are no members of that server."""
        found = await asyncio.gather(*(self.is_gone(guild, user, patience=LONG_PATIENCE) for user in users))
        return frozenset(user for user, is_gone in zip(users, found, strict=True) if is_gone)

    async def is_gone(self, guild: int, user: int, lasts: float = 0.0, patience: float = PATIENCE) -> bool:
        """Return whether Discord says that the user is no member of that server; False if it does not answer within
        `patience` seconds. An answer serves for `lasts` seconds.
        """
        key = guild, user
        if len(self._asking) >= AT_ONCE:
            lasts = max(lasts, LATELY)
        known = self._known.get(key)
        if known is not None and self._now() - known[0] < lasts:
            return not known[1]
        if key not in self._asking:
            self._asking[key] = asyncio.create_task(self._ask(key), name="ask whether a player is a member")
        asking = self._asking[key]
        await asyncio.wait({asking}, timeout=patience)
        return asking.done() and not asking.cancelled() and asking.result() is False

    def _note(self, key: Key, *, is_member: bool) -> None:
        guild, user = key
        self._known[key] = self._now(), is_member
        departed = self._departed.setdefault(guild, {})
        departed.pop(user, None)
        if not is_member:
            departed[user] = self._now()
            self._departed[guild] = dict([*departed.items()][-MOST_DEPARTED:])
        elif not departed:
            del self._departed[guild]

    async def _ask(self, key: Key) -> bool | None:
        """Ask Discord whether a user is a member. Return None if it does not say."""
        guild, user = key
        try:
            server = await self._servers.find(guild)
            if server is None:  # the match pauses
                return None
            async with discord_call():
                await server.fetch_member(user)
        except DiscordFailure as failure:
            if failure.code not in GONE:
                log.info("Discord does not say whether a player is a member: %s", failure)
                return None
            self._note(key, is_member=False)
            return False
        finally:
            del self._asking[key]
        self._note(key, is_member=True)
        return True
