"""The table's message, in a channel or a thread.

It is edited in place. If it is deleted, buried by chat, or left behind because the table has moved, it is sent again.
A table that people have pinned is edited in place however much chat follows it, so that it stays pinned. If a post is
still behind afterwards, the worker that asked (publisher.py) tries again.

There is one table at a time. A message that is the table's no more is stored in the same transaction that stores its
successor, and so is a send before it is made, because its answer may be lost. The worker works these off until Discord
confirms that every such message is gone or says where the table is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import discord

from cogs.match.reminders import was_reminded
from cogs.match.table_options import set_place
from cogs.messages import lobby as lobby_texts
from cogs.messages import table as table_texts
from cogs.messages.content import Content
from cogs.messages.door import INVITES
from cogs.messages.end import tells_end
from cogs.messages.presenter import Presenter
from cogs.messages.replay import in_replay
from cogs.messages.table import left_behind
from cogs.transport.components import offered_in
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.lobby_pings import LobbyPings
from cogs.transport.pings import Pings
from cogs.transport.senders import Handles, edit, nonce, send_public
from cogs.transport.side_messages import NOTICE_ACTION
from data.records.match import Match, Status
from data.records.people import Person
from data.records.post import OldTable, Posts, PostState, Sending, SentAfter, TablePost

log = logging.getLogger(__name__)

BURIED = 6
"""Messages after the table's that count as having buried it."""
MOST_LOOKED_AT = 500
"""The most messages of a channel to search for one whose send had no answer."""
CLOCKS_DIFFER = 3600
"""Seconds by which this machine's clock may be ahead of Discord's."""


class TableMessage:
    """Shows the tables of all matches. `is_scarce`: whether requests to Discord are scarce."""

    def __init__(
        self,
        handles: Handles,
        messages: Presenter,
        pings: Pings,
        lobby_pings: LobbyPings,
        is_scarce: Callable[[], bool],
    ) -> None:
        self.handles = handles
        self._service, self.posts = messages.service, messages.service.posts
        self.messages = messages
        self.is_scarce = is_scarce
        self._pings = pings
        self._lobby_pings = lobby_pings
        self._placeless: dict[int, int] = {}
        """Matches that are not over whose tables Discord takes nowhere, and its code: the log tells of each once."""

    async def show(self, match: Match, posts: Posts, people: dict[int, Person]) -> None:
        """Show the lobby or the table, in a thread of its own if it has chosen one, and send the mentions that are due.
        Raises DiscordFailure to try again.
        """
        post = posts.table
        if match.status is Status.CANCELLED and match.started_at is None:
            post = await self._lobby_pings.close(match, post)
            await self.put(match, post, lobby_texts.closed_message(self.messages, match))
            return
        if match.status is Status.LOBBY:
            post = await self.put(match, post, await lobby_texts.open_lobby(self.messages, match, people))
            await self._lobby_pings.send_due(match, post)
            await self._is_shown(match)
            return
        post = await self._lobby_pings.close(match, post)
        if match.own_thread and post.channel == match.channel:  # not yet moved, or not completely
            match, post = await self._open_thread(match, post)
        content = await table_texts.table_message(self.messages, match, await self._service.votes(match.id))
        posts = await self.posts.of(match.id)  # a player may have pressed in their hand since
        if _moved(match, post):
            posts = await self._pings.forget_mentions(match, posts, people)
            post = replace(post, mentioned_again=posts.table.mentioned_again)
        # Only if the table shows something new: while a ping is deferred, a changed sealed decision must not resend it.
        needed = content.digest() != post.digest and self._pings.owes_any(match, posts)
        # A send whose answer was lost goes on, even if the hands have sent all pings since.
        resend = post.digest == PostState.RESENDING or (needed and await self._is_buried(match, post))
        post = await self.put(match, post, content, resend=resend)
        post = await self._pings.mention(match, post, people)
        await self._lobby_pings.close(match, post)
        if was_reminded(match):  # only such a table has the button
            self._pings.wait_for_nudge(match)

    async def put(self, match: Match, post: TablePost, content: Content, *, resend: bool = False) -> TablePost:
        """Bring the table's message up to date: edit it, or send it again if it is deleted, moved or to `resend`.
        Return its post. Raises DiscordFailure to try again.
        """
        digest, old, moved = content.digest(), post.message, _moved(match, post)
        if resend and post.digest != PostState.RESENDING:
            post = replace(post, digest=PostState.RESENDING)
            await self.posts.note(post)
        resend = resend or moved
        if old is not None and not resend and digest == post.digest:
            return post if post.shown == match.version else await self.shown(post, match, digest)
        too_old = False
        if old is not None and not resend:
            try:
                await edit(self.handles.message(match.guild, post.channel, old), content)
                self._note_place(match)
                return await self.shown(post, match, digest)
            except DiscordFailure as failure:
                if failure.kind is Failure.MESSAGE_GONE:
                    old = None
                elif failure.kind not in (Failure.ARCHIVED, Failure.OLD, Failure.CHANNEL_GONE):
                    return await self.give_up(match, post, failure)
                too_old = failure.kind is Failure.OLD
        if moved:  # before the new message is sent, so that a failure in between makes no second table
            post = await self.leave(match, post)
        known = await self.posts.old_tables(match.id)
        left = next((o for o in known if o.message is None and o.channel == match.place), None)
        unknown = None if match.ending == "restored" else left  # what it would find shows the end, and stays
        # If the note of an earlier send is left, `tidy` looks whether that has made more than the message found here.
        done = [] if unknown else [OldTable(match.id, match.place, None, int(self._service.now()))]
        past = {o.message for o in known} | {post.message}
        try:
            said = await deliver(
                None if unknown is None else Sending(match.place, unknown.since),
                Sending(match.place, int(self._service.now())),
                look=lambda begun: self._look(match, begun, past),
                note=lambda _: self._begin(done),
                send=lambda: self._send(match, post, content),
            )
        except DiscordFailure as failure:
            if failure.kind is not Failure.LATER:
                await self.posts.note(gone=done)
            quarantined = self._service.quarantine.holds(match.id)  # a quarantined match must not change
            if failure.kind is Failure.CHANNEL_GONE and match.place != match.channel and not quarantined:
                # The thread was deleted: the table returns to the thread's channel.
                match = await set_place(self._service, match, match.channel)
                return post
            return await self.give_up(match, post, failure)
        self._note_place(match)
        if moved:
            post = replace(post, ping=None)
        replaced = [self._old(post)] if old is not None and not moved and old != said.message else []
        post = await self._sent(
            replace(post, channel=match.place, message=said.message),
            match,
            content,
            replaced,
            done,
            unsure=left is not None,
        )
        if too_old and old is not None:
            await self._keep_pinned(match, old, said.message)
        return post

    async def _look(self, match: Match, begun: Sending, past: set[int | None]) -> int | None:
        """Return the message that an earlier send has made; not one of `past`."""
        return await self.handles.sent_before(
            match.guild, begun, lambda there: there.id not in past and self._shows_table(match, there)
        )

    async def _begin(self, unknown: Sequence[OldTable]) -> None:
        for table in unknown:
            await self.posts.begin_sending(table)

    async def _send(self, match: Match, post: TablePost, content: Content) -> int:
        channel = self.handles.channel(match.guild, match.place)
        return (await send_public(channel, content, nonce=nonce("table", match.id, match.place, post.after))).id

    async def _keep_pinned(self, match: Match, old: int, new: int) -> None:
        """Pin the table's new message if people have pinned the one that it replaces, and the bot may pin."""
        try:
            async with discord_call():
                if (await self.handles.message(match.guild, match.place, old).fetch()).pinned:
                    await self.handles.message(match.guild, match.place, new).pin()
        except DiscordFailure as failure:
            log.info("the new message of match %d is not pinned: %s", match.id, failure)

    async def _sent(
        self,
        post: TablePost,
        match: Match,
        content: Content,
        old: Sequence[OldTable] = (),
        gone: Sequence[OldTable] = (),
        *,
        unsure: bool,
    ) -> TablePost:
        """Store that this message was sent, with `old` and `gone` (`Posts.note`), and that it shows the match. Return
        the post. `unsure`: an earlier try may have sent it, with older content, so it is edited. Raises DiscordFailure
        if that fails: the post is stored then too, as another try would send a second message.
        """
        assert post.message is not None
        if unsure:
            try:
                await edit(self.handles.message(match.guild, post.channel, post.message), content)
            except DiscordFailure as failure:
                # It may have been deleted before this edit.
                if failure.kind in (Failure.LATER, Failure.OLD, Failure.MESSAGE_GONE):
                    await self.posts.note(replace(post, digest=PostState.UNSURE), old=old, gone=gone)
                    raise DiscordFailure(Failure.LATER) from failure
                log.info("the table of match %d stays as it was sent: %s", match.id, failure)
        return await self.shown(post, match, content.digest(), old, gone)

    async def leave(self, match: Match, post: TablePost) -> TablePost:
        """Let the message at the table's old location say where the table is now, and delete its last mention. Return
        the post as stored. Its digest is cleared: if the table returns before it was sent elsewhere, its message must
        be edited.
        """
        old = self._old(post)
        assert old.message is not None
        post = replace(post, digest=post.digest if post.digest == PostState.RESENDING else PostState.UNSURE)
        await self.posts.note(post, old=[old])
        await self._take_down(match, old, old.message)
        if post.ping is not None:
            await self.handles.delete(match.guild, post.channel, post.ping)
        return post

    def _old(self, post: TablePost) -> OldTable:
        """Return the message of the table's post as one that a newer one replaces."""
        assert post.message is not None
        return OldTable(post.match, post.channel, post.message, int(self._service.now()))

    async def tidy(self, match: Match) -> None:
        """Take down all old messages of the table: those in other channels say where the table is now, those in its own
        channel are deleted. Raises DiscordFailure to try again.
        """
        known = await self.posts.old_tables(match.id)
        for old in known:
            post = (await self.posts.of(match.id)).table
            if match.ending == "restored":  # the message that shows the end stays, and so do all others
                await self.posts.note(gone=[old])
            elif old.message is None:
                await self._look_for(match, post, old)
            elif old.channel == match.place and old.message == post.message:  # it has come back
                await self.posts.note(gone=[old])
            elif old.named != match.place:
                await self._take_down(match, old, old.message)
        if any(old.message is None for old in known):
            for old in await self.posts.old_tables(match.id):
                if old.named is None and old.message is not None:
                    await self._take_down(match, old, old.message)

    async def _look_for(self, match: Match, post: TablePost, old: OldTable) -> None:
        """Find the messages that a send without an answer has left in that channel, and store them as old ones."""
        if old.channel == match.place and (post.channel != match.place or post.message is None):
            return  # the table will be sent there, and Discord may then return the message of the first try
        found = []
        try:
            async with discord_call():
                async for message in self.handles.channel(match.guild, old.channel).history(limit=MOST_LOOKED_AT):
                    if message.created_at.timestamp() < old.since - CLOCKS_DIFFER:
                        break
                    if message.id != post.message and self._shows_table(match, message):
                        found.append(replace(old, message=message.id))
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.info("match %d: an old table may stay in channel %d: %s", match.id, old.channel, failure)
        await self.posts.note(old=found, gone=[old])

    def _shows_table(self, match: Match, message: discord.Message) -> bool:
        """Return whether a message of the bot shows the table of a match, as it is or as it was."""
        ids = offered_in(message, match.id)
        if match.status is Status.LOBBY:  # its invitations stay
            ids = [i for i in ids if i.action not in INVITES]
        stays = any(tells_end(i) or in_replay(i) for i in ids)
        return any(i.action != NOTICE_ACTION for i in ids) and not stays and self.handles.is_own(message)

    async def _take_down(self, match: Match, old: OldTable, message: int) -> None:
        """Let an old message say where the table is now, or delete it if it is in the table's own channel or cannot be
        edited. If Discord refuses that, as in a locked thread, the table's next move, the next start or the unlocking
        tries again. Raises DiscordFailure to try sooner.
        """
        if old.named is not None:  # if the answer to the edit is lost, it is unknown which location the message names
            old = replace(old, named=None, refused=False)
            await self.posts.note(old=[old])
        named = [replace(old, named=match.place)]
        try:
            if old.channel == match.place or not await self._points_on(match, old.channel, message):
                await self.handles.delete(match.guild, old.channel, message, insist=True)
                named = []
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.warning("an old table of match %d stays: %s", match.id, failure)
            named = [replace(old, named=match.place, refused=True)]
        await self.posts.note(old=named, gone=[] if named else [old])

    async def _points_on(self, match: Match, channel: int, message: int) -> bool:
        """Edit an old message to say where the table is now; an archived thread is opened for that. Return False if
        Discord refuses, or the message is deleted.
        """
        labels = self.messages.labels(match)
        content = left_behind(match, self.messages.title(match, labels), labels)
        archived = False
        for _ in range(2):
            try:
                if archived:
                    await self.handles.revive(channel)
                await edit(self.handles.message(match.guild, channel, message), content)
                return True
            except DiscordFailure as failure:
                failure.raise_if(Failure.LATER)
                archived = failure.kind is Failure.ARCHIVED
                if not archived:
                    return False
        return False

    async def give_up(self, match: Match, post: TablePost, failure: DiscordFailure) -> TablePost:
        """Leave the table without a message; hands go on by direct message, and `/board` brings it back. Raises the
        failure if the bot will try again.
        """
        failure.raise_if(Failure.LATER)
        if self._placeless.get(match.id) != failure.code:
            log.warning("the table of match %d has no place: %s", match.id, failure, extra={"match": match.id})
        self._placeless[match.id] = failure.code
        if match.status not in (Status.LOBBY, Status.PLAYING):
            del self._placeless[match.id]
        return await self.shown(post, match, PostState.UNSURE if post.digest == PostState.RESENDING else post.digest)

    def _note_place(self, match: Match) -> None:
        """Tell the operator if the table had no place until now."""
        if self._placeless.pop(match.id, None) is not None:
            log.warning("the table of match %d has a place again", match.id, extra={"match": match.id})

    async def shown(
        self,
        post: TablePost,
        match: Match,
        digest: str | SentAfter,
        old: Sequence[OldTable] = (),
        gone: Sequence[OldTable] = (),
    ) -> TablePost:
        """Note that the table shows the match as it is, and return its post."""
        # While an invitation, a reminder or the picture that moves is still to be sent the post stays behind: it is
        # found also after a restart.
        shown = post.shown if await self._lobby_pings.owes_any(match, post) else match.version
        if self.messages.lacks_motion(match.id):
            shown = match.version - 1
        post = replace(post, shown=shown, digest=digest)
        await self.posts.note(post, old=old, gone=gone)
        return post

    async def _is_shown(self, match: Match) -> None:
        """Note that a lobby is shown whose invitations are sent."""
        post = (await self.posts.of(match.id)).table
        if post.message is not None and post.shown < match.version:
            await self.posts.note(replace(post, shown=match.version))

    async def _is_buried(self, match: Match, post: TablePost) -> bool:
        """Return whether chat has buried the table's message. One that people have pinned is found by its pin."""
        if post.message is None or post.channel != match.place or self.is_scarce():
            return False
        try:
            async with discord_call():
                table = discord.Object(post.message)
                channel = self.handles.channel(match.guild, match.place)
                # Around it, for one request tells both whether it is pinned and what follows: as much as comes before.
                found = [m async for m in channel.history(around=table, limit=2 * (BURIED + 2))]
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            return False  # the bot may not read the history: edit the message in place
        if any(message.id == post.message and message.pinned for message in found):
            return False
        return sum(message.id > post.message and message.id != post.ping for message in found) >= BURIED

    async def _open_thread(self, match: Match, post: TablePost) -> tuple[Match, TablePost]:
        """Open the table's own thread on the lobby's message, and move the table there. If Discord allows no thread,
        the table stays in the channel. Return the match and the table's post.
        """
        thread = await self.thread_of(match, post)
        if thread is None or post.message is None:
            return await set_place(self._service, match, match.channel), post
        match = await set_place(self._service, match, thread)
        if match.place != thread:
            return match, post
        old = replace(self._old(post), named=thread)
        try:
            await edit(
                self.handles.message(match.guild, match.channel, post.message),
                lobby_texts.closed_message(self.messages, match),
            )
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            old = replace(old, named=None)
        post = replace(post, channel=thread, message=None, digest=SentAfter(post.message))
        await self.posts.note(post, old=[old])
        return match, post

    async def thread_of(self, match: Match, post: TablePost) -> int | None:
        """Return the id of the thread on the lobby's message, which is opened if needed; None if that is impossible."""
        if post.message is None:
            return None
        name = self.messages.title(match, self.messages.labels(match))
        try:
            async with discord_call():
                message = self.handles.message(match.guild, match.channel, post.message)
                return (await message.create_thread(name=name[:100], auto_archive_duration=10080)).id
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            if failure.code == 160004:  # it exists already, opened before a crash; its id is the message's
                return post.message
            log.warning("match %d gets no thread: %s", match.id, failure)
            return None


def unsure(post: TablePost) -> TablePost:
    """Return the table's post for a message that may show anything, or be deleted. If it is being sent again, the post
    stays as it is: another digest would give another nonce and so a second message.
    """
    return (
        post if post.message is None or post.digest == PostState.RESENDING else replace(post, digest=PostState.UNSURE)
    )


def _moved(match: Match, post: TablePost) -> bool:
    return post.message is not None and post.channel != match.place
