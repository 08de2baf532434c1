"""The table as everybody sees it: its message in a channel or a thread, and the call for substitutes beside it.

Both are edited where they stand, and sent anew where they are gone, buried by chat, or left behind by a table that has
moved. What is behind afterwards is for the worker that asked (publisher.py), which tries again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

import discord

from cogs.match.service import MatchService
from cogs.messages.content import Content
from cogs.messages.messages import Messages
from cogs.messages.table import left_behind
from cogs.transport.pings import Pings
from cogs.transport.senders import DiscordFailure, Failure, Handles, discord_call, edit, nonce, send_public
from data.records.match import TABLE, Match, Post, Status
from data.records.people import Person

log = logging.getLogger(__name__)

BURIED = 6
"""Messages after the table's that count as having buried it."""
ANEW = "anew"
"""In the place of a digest: the table's message is being sent anew."""


class TableMessage:
    """Shows one match after the other. `again`: has it shown once more; `edited`: its message has changed."""

    def __init__(
        self,
        handles: Handles,
        service: MatchService,
        messages: Messages,
        pings: Pings,
        again: Callable[[int], None],
        edited: Callable[[int], None],
    ) -> None:
        self._handles = handles
        self._service = service
        self._posts = service.posts
        self._messages = messages
        self._pings = pings
        self._again = again
        self._edited = edited

    async def show(self, match: Match, posts: dict[int, Post], people: dict[int, Person]) -> None:
        """The lobby, or the table with whoever is called there; in a thread of its own where it is to have one."""
        post = posts[TABLE]
        if match.status is Status.CANCELLED and match.started_at is None:
            await self.put(match, post, self._messages.closed(match))
            return
        if match.status is Status.LOBBY:
            post = await self.put(match, post, await self._messages.lobby(match, people))
            await self._pings.invite(match, post)
            return
        if match.own_thread and post.channel == match.channel:  # not yet moved, or not yet to the end
            match, post = await self._open_thread(match, post)
        content = await self._messages.table(match, await self._service.votes(match.id))
        posts = await self._posts.of(match.id)  # somebody may have pressed in their hand in the meantime
        if _moved(match, post):
            posts = await self._pings.forget_mentions(match, posts, people)
            post = replace(post, mentioned=posts[TABLE].mentioned)
        # Only with something new to see: else to seal anew would bring the table back, where a call is held back.
        news = content.digest() != post.digest and self._pings.asks_anew(match, posts)
        # A send whose answer was lost is made again as it was: meanwhile its hands have called those who are asked.
        anew = post.digest == ANEW or (news and await self._is_buried(match, post))
        post = await self.put(match, post, content, anew=anew)
        await self._pings.mention(match, post, people)

    async def put(self, match: Match, post: Post, content: Content, *, anew: bool = False) -> Post:
        """Bring the table's message up to date: edit it, or send it anew where it is gone, buried or left behind."""
        digest, old, moved = content.digest(), post.message, _moved(match, post)
        if anew and post.digest != ANEW:
            post = replace(post, digest=ANEW)
            await self._posts.note(post)
        anew = anew or moved
        if old is not None and not anew and digest == post.digest:
            return post if post.shown == match.version else await self._shown(post, match, digest)
        self._edited(match.id)
        if old is not None and not anew:
            try:
                await edit(self._handles.message(match.guild, post.channel, old), content)
                return await self._shown(post, match, digest)
            except DiscordFailure as trouble:
                if trouble.kind is Failure.MESSAGE_GONE:
                    old = None
                elif trouble.kind not in (Failure.ARCHIVED, Failure.OLD, Failure.CHANNEL_GONE):
                    return await self._give_up(match, post, trouble)
        if moved:  # before anything is sent, so that a failure in between makes no second table
            await self._point_on(match, post)
        try:
            channel = self._handles.channel(match.guild, match.place)
            key = nonce("table", match.id, match.place, post.message or post.digest)
            sent = await send_public(channel, content, nonce=key)
        except DiscordFailure as trouble:
            self._handles.sure.discard((match.id, TABLE))
            held = self._service.quarantine.holds(match.id)  # nothing of such a match may be changed
            if trouble.kind is Failure.CHANNEL_GONE and match.place != match.channel and not held:
                # The thread was deleted: back to the channel that it hung in.
                match = await self._service.set_place(match, match.channel)
                self._again(match.id)
                return post
            return await self._give_up(match, post, trouble)
        if moved:
            post = replace(post, ping=None)
            self._again(match.id)  # a thread of its own may have to be opened there
        elif old is not None:
            await self._handles.delete(match.guild, post.channel, old)
        return await self._sent(replace(post, channel=match.place, message=sent.id), match, content)

    async def _sent(self, post: Post, match: Match, content: Content) -> Post:
        """Note that this message was sent, and that it shows the match if it is sure to."""
        assert post.message is not None
        message = self._handles.message(match.guild, post.channel, post.message)
        if digest := await self._handles.make_sure(match.id, TABLE, message, content):
            return await self._shown(post, match, digest)
        await self._posts.note(replace(post, digest=""))
        raise DiscordFailure(Failure.LATER)

    async def _point_on(self, match: Match, post: Post) -> None:
        """Where the table stood say where it went; its ping goes with it."""
        assert post.message is not None
        labels = self._messages.labels(match)
        title = self._messages.title(match, labels)
        try:
            await edit(
                self._handles.message(match.guild, post.channel, post.message), left_behind(match, title, labels)
            )
        except DiscordFailure as trouble:
            if trouble.kind is Failure.LATER:
                raise
            log.info("match %d leaves no word where it stood: %s", match.id, trouble)
        if post.ping is not None:
            await self._handles.delete(match.guild, post.channel, post.ping)

    async def _give_up(self, match: Match, post: Post, trouble: DiscordFailure) -> Post:
        """A table without a place: nothing is lost, hands go on by direct message, and `/board` brings it back."""
        if trouble.kind is Failure.LATER:
            raise trouble
        log.warning("the table of match %d has no place: %s", match.id, trouble)
        return await self._shown(post, match, "" if post.digest == ANEW else post.digest)

    async def _shown(self, post: Post, match: Match, digest: str) -> Post:
        # An invitation that is still to be made is found by that, also after a restart.
        invites = await self._pings.to_invite(match, post) is not None
        post = replace(post, shown=post.shown if invites else match.version, digest=digest)
        await self._posts.note(post)
        return post

    async def call(self, match: Match, post: Post) -> None:
        """The call for substitutes, in the channel to which the table belongs, as long as somebody looks for one."""
        content = self._messages.substitute_notice(match)
        digest, old = content.digest() if content else "", post.message
        moved = old is not None and post.channel != match.channel
        if moved or digest != post.digest or (content is None and old is not None):
            try:
                if content is None:
                    if old is not None:
                        await self._handles.delete(match.guild, post.channel, old)
                        post = replace(post, message=None, ping=old)
                elif old is None or moved:
                    channel, key = (
                        self._handles.channel(match.guild, match.channel),
                        nonce("call", *_at(match), post.message, post.ping, post.digest),
                    )
                    sent = await send_public(channel, content, nonce=key)
                    if old is not None:
                        await self._handles.delete(match.guild, post.channel, old)
                    await self._sent(replace(post, channel=match.channel, message=sent.id), match, content)
                    return
                else:
                    await edit(self._handles.message(match.guild, post.channel, old), content)
            except DiscordFailure as trouble:
                if trouble.kind in (Failure.LATER, Failure.OLD):
                    raise
                # Somebody deleted it, or it has no place: the table offers the seat all the same.
                log.info("match %d calls for nobody: %s", match.id, trouble)
                post = replace(post, message=None, ping=old)
        if (digest, match.version) != (post.digest, post.shown):
            await self._shown(post, match, digest)

    async def _is_buried(self, match: Match, post: Post) -> bool:
        if post.message is None or post.channel != match.place:
            return False
        try:
            async with discord_call():
                after = discord.Object(post.message)
                channel = self._handles.channel(match.guild, match.place)
                later = [m async for m in channel.history(after=after, limit=BURIED + 1)]
        except DiscordFailure as trouble:
            if trouble.kind is Failure.LATER:
                raise
            return False  # may not read the history: then the message is edited where it is
        return sum(message.id != post.ping for message in later) >= BURIED

    async def _open_thread(self, match: Match, post: Post) -> tuple[Match, Post]:
        """A thread of the table's own, hanging on the lobby's message, whose id it shares. Else the channel serves."""
        thread = await self._thread_of(match, post)
        self._again(match.id)  # the hands link to the table
        if thread is None or post.message is None:
            return await self._service.set_place(match, match.channel), post
        match = await self._service.set_place(match, thread)
        if match.place != thread:
            return match, post
        try:
            await edit(self._handles.message(match.guild, match.channel, post.message), self._messages.closed(match))
        except DiscordFailure as trouble:
            if trouble.kind is Failure.LATER:
                raise
        post = replace(post, channel=thread, message=None, digest="")
        await self._posts.note(post)
        return match, post

    async def _thread_of(self, match: Match, post: Post) -> int | None:
        """The thread on the lobby's message; None where there can be none."""
        if post.message is None:
            return None
        name = self._messages.title(match, self._messages.labels(match))
        try:
            async with discord_call():
                message = self._handles.message(match.guild, match.channel, post.message)
                return (await message.create_thread(name=name[:100], auto_archive_duration=10080)).id
        except DiscordFailure as trouble:
            if trouble.kind is Failure.LATER:
                raise
            if trouble.code == 160004:  # there is one already, made before a crash
                return post.message
            log.warning("match %d gets no thread: %s", match.id, trouble)
            return None


def unsure(post: Post) -> Post:
    """The table's post where nobody knows what its message says, or whether it is there. What is being sent stays so:
    under another nonce it would be sent twice.
    """
    return post if post.message is None or post.digest == ANEW else replace(post, digest="")


def _moved(match: Match, post: Post) -> bool:
    """Whether the table's message is still where the table stood before."""
    return post.message is not None and post.channel != match.place


def _at(match: Match) -> tuple[int, int]:
    """For nonces of what is said once at each place."""
    return match.id, match.place
