"""The message that tells the end of a match, once, in the place of its table.

Its post is stored in the transaction that ends the match, so it is told also after a crash, and once (delivery.py). A
message that is there is never edited, except when it is unsure what it shows, and never sent again, even if it is
deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from cogs.match.places import set_place
from cogs.match.service import MatchService
from cogs.messages.content import Content
from cogs.messages.end import tells_end
from cogs.messages.messages import Messages
from cogs.transport.components import offered_in
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.pings import Pings
from cogs.transport.senders import Handles, edit, nonce, send_public
from data.records.match import Match
from data.records.people import Person
from data.records.post import EndPost, PostState, Sending

log = logging.getLogger(__name__)


class EndMessage:
    """Tells the ends of all matches. `again`: called with a match's number to show it once more."""

    def __init__(
        self,
        handles: Handles,
        service: MatchService,
        messages: Messages,
        pings: Pings,
        again: Callable[[int], None],
    ) -> None:
        self._handles = handles
        self._service = service
        self._posts = service.posts
        self._messages = messages
        self._pings = pings
        self._again = again

    async def show(self, match: Match, people: Mapping[int, Person]) -> None:
        """Tell the end if that is due: not while the match is held. Raises DiscordFailure to try again."""
        post = (await self._posts.of(match.id)).the_end
        if post is None:  # it ended before a version that tells ends
            return
        if match.held:  # told once it is released, which raises the version
            await self._posts.note(replace(post, shown=match.version))
            return
        if post.message is not None and post.digest == PostState.UNSURE:
            await self._correct(match, post, await self._messages.end_message(match))
        elif post.message is None and post.digest != PostState.GIVEN_UP:
            await self._tell(match, post, people)
        elif post.shown != match.version:
            await self._posts.note(replace(post, shown=match.version))

    async def _tell(self, match: Match, post: EndPost, people: Mapping[int, Person]) -> None:
        """Send the message, or find the one that an earlier try has sent."""
        content = await self._messages.end_message(match)

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(
                match.guild, begun, lambda there: any(map(tells_end, offered_in(there, match.id)))
            )

        async def send() -> int:
            channel, users = (
                self._handles.channel(match.guild, match.place),
                await self._pings.due_at_end(match, people),
            )
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
            return
        unsure = (
            post.sending is not None
        )  # an earlier try may have sent other names, if a player's data is deleted since
        post = replace(post, channel=said.channel, message=said.message, sending=None)
        post = replace(post, digest=PostState.UNSURE) if unsure else self._shown(post, match, content)
        await self._posts.note(*await self._pings.told_by_end(match, people), post)
        if unsure:
            await self._correct(match, post, content)

    async def _correct(self, match: Match, post: EndPost, content: Content) -> None:
        """Make sure that the message shows `content`. If it is gone, it stays so."""
        assert post.message is not None
        try:
            await edit(self._handles.message(match.guild, post.channel, post.message), content)
        except DiscordFailure as failure:
            if failure.kind in (Failure.LATER, Failure.OLD):
                raise
            log.info("the end of match %d stays as it was told: %s", match.id, failure)
        await self._posts.note(self._shown(post, match, content))

    @staticmethod
    def _shown(post: EndPost, match: Match, content: Content) -> EndPost:
        return replace(post, digest=content.digest(), shown=match.version)

    async def _give_up(
        self, match: Match, post: EndPost, people: Mapping[int, Person], failure: DiscordFailure
    ) -> None:
        """Leave it to the table to tell the end. Raises the failure if the bot will try again."""
        if failure.kind is Failure.LATER:
            raise failure
        self._again(match.id)
        if failure.kind is Failure.CHANNEL_GONE and match.place != match.channel:
            # The thread was deleted: the table returns to the thread's channel, and the end is told there.
            await set_place(self._service, match, match.channel)
            return
        log.warning("the end of match %d has no message of its own: %s", match.id, failure)
        told = await self._pings.told_by_end(match, people)
        await self._posts.note(*told, replace(post, digest=PostState.GIVEN_UP, sending=None, shown=match.version))
