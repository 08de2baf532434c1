"""What stands beside a table's message: the notice that a player looks for a substitute, the message that tells the
end, and, if the managers allow it, an event in the server's calendar for a lobby that starts by itself.

The notice goes when no substitute is sought any more. The end is told once, in the place of the table. Its post is
stored in the transaction that ends the match, so it is told also after a crash, and once (senders.py). The message
that tells it is never edited, except when it is unsure what it shows, and never sent again, even if it is deleted. An
event is behind while it shows an older version of its match. Discord knows no nonces for events; senders.py makes each
once all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import discord

from cogs.match.table_options import set_place
from cogs.messages import end as end_texts
from cogs.messages import table as table_texts
from cogs.messages.content import Content
from cogs.messages.end import tells_end
from cogs.messages.presenter import Presenter, table_link
from cogs.transport.components import offered_in
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.pings import Pings
from cogs.transport.senders import Handles, deliver, edit, nonce, send_public
from cogs.transport.server_lookup import ServerLookup
from data.records.match import Match, Status
from data.records.people import Person
from data.records.post import EndPost, EventPost, NoticePost, PostState, Sending

log = logging.getLogger(__name__)

NOTICE_ACTION = "take"
"""The only action that the notice offers."""
LASTS = timedelta(hours=2)
"""How long an event lasts: Discord wants an end."""
MOST_NAME, MOST_LOCATION = 100, 100
"""Characters that Discord takes."""


class SubstituteNotice:
    """The notices of all matches."""

    def __init__(self, handles: Handles, messages: Presenter) -> None:
        self._handles = handles
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages

    async def show(self, match: Match, post: NoticePost) -> None:
        """Show the notice in the table's channel while a player looks for a substitute; delete it after that. Raises
        DiscordFailure to try again.
        """
        content, old = table_texts.substitute_notice(self._messages, match), post.message
        digest = content.digest() if content else PostState.UNSURE
        moved = old is not None and post.channel != match.channel
        if moved or digest != post.digest or (content is None and old is not None):
            try:
                if content is None:
                    if old is not None:
                        await self._handles.delete(match.guild, post.channel, old)
                        post = replace(post, message=None, deleted=old)
                else:
                    is_new = False
                    if old is None or moved:
                        post, is_new = await self._send(match, post, content)
                    if not is_new and post.message is not None:
                        await edit(self._handles.message(match.guild, post.channel, post.message), content)
            except DiscordFailure as failure:
                failure.raise_if(Failure.LATER, Failure.OLD)
                # It was deleted, or the channel is closed to the bot. The table's message offers the seat too.
                log.info("match %d has no substitute notice: %s", match.id, failure)
                post = replace(post, message=None, deleted=old)
        if (digest, match.version) != (post.digest, post.shown) or post.sending is not None:
            await self._posts.note(replace(post, digest=digest, shown=match.version, sending=None))

    async def _send(self, match: Match, post: NoticePost, content: Content) -> tuple[NoticePost, bool]:
        """Send the notice, or find the one that an earlier try has sent. Return its post, not stored yet, and whether
        it surely shows the content.
        """

        def is_it(message: discord.Message) -> bool:
            return {offered.action for offered in offered_in(message, match.id)} == {NOTICE_ACTION}

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(match.guild, begun, is_it, after=max(post.newest, post.deleted or 0))

        async def send() -> int:
            key = nonce("call", match.id, match.place, post.message, post.deleted, str(post.digest))
            return (await send_public(self._handles.channel(match.guild, match.channel), content, nonce=key)).id

        said = await deliver(
            post.sending,
            Sending(match.channel, int(self._service.now())),
            look=look,
            note=lambda sending: self._posts.note(replace(post, sending=sending)),
            send=send,
        )
        if post.message is not None:
            await self._handles.delete(match.guild, post.channel, post.message)
        is_new = post.sending is None  # otherwise Discord may have returned what an earlier try has sent
        return replace(post, channel=said.channel, message=said.message, sending=None), is_new


class EndMessage:
    """Tells the ends of all matches."""

    def __init__(self, handles: Handles, messages: Presenter, pings: Pings) -> None:
        self._handles = handles
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages
        self._pings = pings

    async def show(self, match: Match, people: Mapping[int, Person]) -> bool:
        """Tell the end if that is due: not while the match is held. Return whether this is left to the table. Raises
        DiscordFailure to try again.
        """
        post = (await self._posts.of(match.id)).the_end
        if post is None:  # it ended before a version that tells ends
            return False
        if match.held:  # told once it is released, which raises the version
            await self._posts.note(replace(post, shown=match.version))
            return False
        if post.message is not None and post.digest == PostState.UNSURE:
            await self._correct(match, post, await end_texts.end_message(self._messages, match))
        elif post.message is None and post.digest != PostState.GIVEN_UP:
            return await self._tell(match, post, people)
        elif post.shown != match.version:
            await self._posts.note(replace(post, shown=match.version))
        return False

    async def _tell(self, match: Match, post: EndPost, people: Mapping[int, Person]) -> bool:
        """Send the message, or find the one that an earlier try has sent. Return as `show` does."""
        content = await end_texts.end_message(self._messages, match)

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(
                match.guild, begun, lambda there: any(map(tells_end, offered_in(there, match.id)))
            )

        async def send() -> int:
            channel = self._handles.channel(match.guild, match.place)
            users = await self._pings.due_at_end(match, people)
            return (await send_public(channel, content, nonce=nonce("end", match.id, match.place), pinged=users)).id

        try:
            said = await deliver(
                post.sending,
                Sending(match.place, int(self._service.now())),
                look=look,
                note=lambda sending: self._posts.note(replace(post, channel=match.place, sending=sending)),
                send=send,
            )
        except DiscordFailure as failure:
            await self._give_up(match, post, people, failure)
            return True
        unsure = post.sending is not None  # other names may have been sent, if a player's data is deleted since
        post = replace(post, channel=said.channel, message=said.message, sending=None)
        post = replace(post, digest=PostState.UNSURE) if unsure else self._shown(post, match, content)
        await self._posts.note(*await self._pings.told_by_end(match, people), post)
        if unsure:
            await self._correct(match, post, content)
        return False

    async def _correct(self, match: Match, post: EndPost, content: Content) -> None:
        """Make sure that the message shows `content`. If it is gone, it stays so."""
        assert post.message is not None
        try:
            await edit(self._handles.message(match.guild, post.channel, post.message), content)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER, Failure.OLD)
            log.info("the end of match %d stays as it was told: %s", match.id, failure)
        await self._posts.note(self._shown(post, match, content))

    @staticmethod
    def _shown(post: EndPost, match: Match, content: Content) -> EndPost:
        return replace(post, digest=content.digest(), shown=match.version)

    async def _give_up(
        self, match: Match, post: EndPost, people: Mapping[int, Person], failure: DiscordFailure
    ) -> None:
        """Leave it to the table to tell the end. Raises the failure if the bot will try again."""
        failure.raise_if(Failure.LATER)
        if failure.kind is Failure.CHANNEL_GONE and match.place != match.channel:
            # The thread was deleted: the table returns to the thread's channel, and the end is told there.
            await set_place(self._service, match, match.channel)
            return
        log.warning("the end of match %d has no message of its own: %s", match.id, failure)
        told = await self._pings.told_by_end(match, people)
        await self._posts.note(*told, replace(post, digest=PostState.GIVEN_UP, sending=None, shown=match.version))


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
