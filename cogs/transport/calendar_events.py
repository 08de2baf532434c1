"""Announces lobbies that start by themselves as events in their servers' calendars, if the managers allow it.

An event is a post (`EVENT`): it is behind while it shows an older version of its match. Discord knows no nonces for
events; delivery.py makes each once all the same.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import discord

from cogs.messages.presenter import Presenter, table_link
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.server_lookup import ServerLookup
from data.records.match import Match, Status
from data.records.post import EventPost, PostState, Sending

log = logging.getLogger(__name__)

LASTS = timedelta(hours=2)
"""How long an event lasts: Discord wants an end."""
MOST_NAME, MOST_LOCATION = 100, 100
"""Characters that Discord takes."""


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """What an event says."""

    name: str
    about: str
    location: str
    """A link to the table. It tells our events apart."""
    start: datetime

    def digest(self) -> str:
        """Return a hash of it: equal for equal events only."""
        return sha256(repr(self).encode()).hexdigest()[:32]


class CalendarEvents:
    """Makes, changes and deletes the events of a service's lobbies."""

    def __init__(self, servers: ServerLookup, messages: Presenter) -> None:
        self._servers = servers
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages

    async def show(self, match: Match, post: EventPost) -> None:
        """Bring the event of a lobby up to date, or leave it for good once its match has begun. If Discord refuses a
        change, the lobby does without. Raises DiscordFailure to try again.
        """
        wanted = await self._wanted(match)
        digest = PostState.UNSURE if wanted is None else wanted.digest()
        changes = digest != post.digest and not _stays(match)
        guild = await self._servers.find(match.guild) if changes else None
        if guild is not None:
            try:
                post = await self._change(guild, post, wanted)
            except DiscordFailure as failure:
                failure.raise_if(Failure.LATER)
                log.warning("match %d: its event cannot be changed: %s", match.id, failure)
            post = replace(post, digest=digest)
        await self._posts.note(replace(post, shown=match.version, sending=None, over=match.status is not Status.LOBBY))

    async def _wanted(self, match: Match) -> CalendarEvent | None:
        """Return the event that a lobby should have; None: none."""
        if match.status is not Status.LOBBY or match.starts_at is None:
            return None
        if not (await self._service.policy.of(match.guild)).events:
            return None
        labels = self._messages.labels(match)
        return CalendarEvent(
            self._messages.title(match, labels)[:MOST_NAME],
            labels.say("game.tagline"),
            table_link(match)[:MOST_LOCATION],
            datetime.fromtimestamp(match.starts_at, UTC),
        )

    async def _change(self, guild: discord.Guild, post: EventPost, wanted: CalendarEvent | None) -> EventPost:
        """Make, change or delete the event. Return its post, not stored yet."""
        if post.message is None and wanted is not None:
            said = await deliver(
                post.sending,
                Sending(0, int(self._service.now())),
                look=lambda _: self._found(guild, wanted),
                note=lambda sending: self._posts.note(replace(post, sending=sending)),
                send=lambda: self._made(guild, wanted),
            )
            return replace(post, message=said.message)
        if post.message is None:
            return post
        try:
            async with discord_call():
                event = await guild.fetch_scheduled_event(post.message, with_counts=False)
                if wanted is None:
                    await event.delete()
                else:
                    await event.edit(
                        name=wanted.name,
                        description=wanted.about,
                        start_time=wanted.start,
                        end_time=wanted.start + LASTS,
                        location=wanted.location,
                    )
        except DiscordFailure as failure:
            if failure.kind is not Failure.MESSAGE_GONE:
                raise
            return replace(post, message=None)  # a manager has deleted it, and need not have it again
        return replace(post, message=None) if wanted is None else post

    async def _made(self, guild: discord.Guild, wanted: CalendarEvent) -> int:
        async with discord_call():
            event = await guild.create_scheduled_event(
                name=wanted.name,
                description=wanted.about,
                start_time=wanted.start,
                end_time=wanted.start + LASTS,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                location=wanted.location,
            )
        return event.id

    async def _found(self, guild: discord.Guild, wanted: CalendarEvent) -> int | None:
        """Return the event that a request without an answer has made, or None."""
        async with discord_call():
            events = await guild.fetch_scheduled_events(with_counts=False)
        return next((event.id for event in events if event.location == wanted.location), None)


def _stays(match: Match) -> bool:
    """Return whether the match began on time: its event then stays as it is."""
    return match.started_at is not None and match.starts_at is not None and match.started_at >= match.starts_at
