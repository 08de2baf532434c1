"""The message that tells the end of a match, once, in the place of its table.

Its post is stored in the transaction that ends the match, so it is told also after a crash. The post is stored as being
sent before the message is sent. If the answer to that send is lost, the bot looks for the message before it sends
another; within minutes Discord also recognises the nonce. A message that is there is never edited, except when it is
unsure what it shows, and never sent again, even if it is deleted.
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
        content, begun = await self._messages.end_message(match), post.sending
        known = None
        if begun is not None:
            known = await self._handles.sent_before(
                match.guild, begun.channel, match.id, lambda there: any(map(tells_end, offered_in(there, match.id)))
            )
        tried = begun is not None
        if begun is None or known is None:
            begun = Sending(match.place, int(self._service.now()))
        post = replace(post, channel=begun.channel, sending=begun)
        if known is None:
            await self._posts.note(post)
            try:
                channel, users = (
                    self._handles.channel(match.guild, match.place),
                    await self._pings.due_at_end(match, people),
                )
                key = nonce("end", match.id, match.place)
                known = (await send_public(channel, content, nonce=key, pinged=users)).id
            except DiscordFailure as failure:
                await self._give_up(match, post, people, failure)
                return
        post = replace(post, message=known, digest=PostState.UNSURE if tried else content.digest(), sending=None)
        shown = post.shown if tried else match.version
        await self._posts.note(*await self._pings.told_by_end(match, people), replace(post, shown=shown))
        if tried:  # the earlier try may have sent other names, if a player has had their data deleted since
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
        await self._posts.note(replace(post, digest=content.digest(), shown=match.version))

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
