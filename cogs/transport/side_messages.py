"""The messages beside a table's: the notice that a player looks for a substitute, and the message that tells the end.

The notice goes when no substitute is sought any more. The end is told once, in the place of the table. Its post is
stored in the transaction that ends the match, so it is told also after a crash, and once (delivery.py). The message
that tells it is never edited, except when it is unsure what it shows, and never sent again, even if it is deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

import discord

from cogs.match.table_options import set_place
from cogs.messages import end as end_texts
from cogs.messages import table as table_texts
from cogs.messages.content import Content
from cogs.messages.end import tells_end
from cogs.messages.presenter import Presenter
from cogs.transport.components import offered_in
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.pings import Pings
from cogs.transport.senders import Handles, edit, nonce, send_public
from data.records.match import Match
from data.records.people import Person
from data.records.post import EndPost, NoticePost, PostState, Sending

log = logging.getLogger(__name__)

NOTICE_ACTION = "take"
"""The only action that the notice offers."""


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
