"""The notice beside the table that a player looks for a substitute. It goes when none is sought any more."""

from __future__ import annotations

import logging
from dataclasses import replace

import discord

from cogs.match.service import MatchService
from cogs.messages.content import Content
from cogs.messages.messages import Messages
from cogs.transport.components import offered_in
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.senders import Handles, edit, nonce, send_public
from data.records.match import Match
from data.records.post import NoticePost, PostState, Sending

log = logging.getLogger(__name__)

NOTICE_ACTION = "take"
"""The only action that the notice offers."""


class SubstituteNotice:
    """The notices of all matches."""

    def __init__(self, handles: Handles, service: MatchService, messages: Messages) -> None:
        self._handles = handles
        self._service = service
        self._posts = service.posts
        self._messages = messages

    async def show(self, match: Match, post: NoticePost) -> None:
        """Show the notice in the table's channel while a player looks for a substitute; delete it after that. Raises
        DiscordFailure to try again.
        """
        content, old = self._messages.substitute_notice(match), post.message
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
                if failure.kind in (Failure.LATER, Failure.OLD):
                    raise
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
