"""The hands: each person's own by direct message or in answer to their press, and those that are to be emptied.

A hand in direct messages is edited where it is, which pings nobody. It is sent anew to call its person; sent for any
other reason it comes without a notification. Whoever wants no direct messages gets none, but one that is there already
is kept up to date.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

import discord

from cogs.match.service import MatchService
from cogs.messages.content import Content
from cogs.messages.messages import Messages
from cogs.transport.components import offered_in
from cogs.transport.pings import Pings, Stand, by_dm, way_of
from cogs.transport.senders import DiscordFailure, Failure, Handles, edit, nonce, send_private
from data.records.match import Chair, Match, Post, StaleHand
from data.records.people import People, Person, PingPreference
from rules.core.game import Seat

log = logging.getLogger(__name__)

Answer = Callable[[Content], Awaitable[int | None]]


class HandMessages:
    """The hands of a host's matches. `again` shows a match once more."""

    def __init__(
        self,
        handles: Handles,
        service: MatchService,
        people: People,
        messages: Messages,
        pings: Pings,
        again: Callable[[int], None],
    ) -> None:
        self._handles = handles
        self._service = service
        self._people = people
        self._posts = service.posts
        self._messages = messages
        self._pings = pings
        self._again = again
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    def lock(self, match: int, seat: int) -> asyncio.Lock:
        """Held while a hand is shown: what else is noted with its post meanwhile would be forgotten."""
        return self._locks.setdefault((match, seat), asyncio.Lock())

    async def show(
        self,
        match: Match,
        person: Person,
        answer: Answer | None = None,
        pressed: discord.Message | None = None,
        **how: Any,
    ) -> None:
        """Show a seated person their hand: through `answer` to their own press, else by direct message.

        `answer` gives the id of the message where it is that of the person's direct messages, which is then up to
        date; `how` goes to `Messages.hand`. A person who looks at the answer needs no other ping for this turn.
        `pressed`: the hand in their direct messages that they pressed in.
        """
        seat = match.seat_of(person.user)
        if seat is None:
            return
        # Unlike a worker's, a press of this person may come at the same time.
        async with self.lock(match.id, seat):
            if answer is None:
                post = (await self._posts.of(match.id)).get(seat)
                if post is not None and post.user == person.user and post.shown < match.version:
                    await self._bring_up_to_date(match, person, match.chairs[seat], post)
                return
            newest = await self._adopt(match, person, seat, pressed)
            content = await self._messages.hand(match, person, **how)
            shown_in = await answer(content)
            if how.get("path"):
                # As it is without the step under way: else the next edit, though nothing has changed for this
                # person, would undo it and so tell that another has sealed anew.
                content = await self._messages.hand(match, person)
            await self._answered(match, person, seat, content, shown_in, newest)

    async def _adopt(self, match: Match, person: Person, seat: int, pressed: discord.Message | None) -> int:
        """Have a pressed hand that is newer than the one noted down take its place, whatever becomes of the answer.
        Gives the newest version that a hand has shown.
        """
        post = (await self._posts.of(match.id)).get(seat)
        if post is None or post.user != person.user:
            return match.version
        if pressed is None or pressed.id <= (post.message or 0):
            return post.shown
        adopted = replace(post, channel=pressed.channel.id, message=pressed.id, digest="", shown=post.shown - 1)
        call = self._pings.call(match, seat)
        if call is not None and self._service.turn(match, Seat(seat)) in {
            o.turn for o in offered_in(pressed, match.id)
        }:
            adopted = replace(adopted, pinged=call, mentioned=call)  # it has called them for that
        await self._posts.note(adopted)
        self._again(match.id)
        if post.message is not None:
            await self._handles.delete(None, post.channel, post.message)
        return post.shown

    async def _answered(
        self, match: Match, person: Person, seat: int, content: Content, shown_in: int | None, newest: int
    ) -> None:
        # Read after the answer: a worker may have pinged this person at the table in the meantime.
        before = (await self._posts.of(match.id)).get(seat)
        if before is None or before.user != person.user:
            if shown_in is not None and person.dm is not None:
                # The seat has gone to somebody else in the meantime: what was just shown is to be emptied.
                late = Post(match.id, seat, person.dm, shown_in, user=person.user)
                await self._posts.note(late)
                self._again(match.id)
            return
        post, older = before, match.version < newest  # a newer hand has been shown while this one was made
        call = self._pings.call(match, seat)
        if call is not None and not older:
            post = replace(post, pinged=call, mentioned=call)
        if shown_in is not None and shown_in == post.message:
            post = replace(post, shown=match.version, digest=content.digest())
        if post != before:
            await self._posts.note(post)
        if post.shown < newest:
            self._again(match.id)

    async def _bring_up_to_date(self, match: Match, person: Person, chair: Chair, post: Post) -> None:
        stand = await self._pings.stands(match, chair, person, post.pinged)
        news = self._pings.news(match, chair.number, post.pinged)
        call = post.pinged if news is None else self._pings.call(match, chair.number) or ""
        if by_dm(chair, person):
            await self._by_dm(match, person, chair, post, call, stand)
            return
        before = post
        if person.reached:
            post = await self._edited(match, person, post)
        if way_of(chair, person) is PingPreference.NONE or post.mentioned == call:
            post = replace(post, shown=match.version, pinged=call, mentioned=call)
        elif news is None:  # else it stays behind until the table has called them, also after a restart
            post = replace(post, shown=match.version)
        if post != before:
            await self._posts.note(post)

    async def _by_dm(self, match: Match, person: Person, chair: Chair, post: Post, call: str, stand: Stand) -> None:
        """Show the hand by direct message: anew where its person is called, else where it is. What is held stays
        behind.
        """
        if post.message is not None and stand is not Stand.DUE:
            shown = await self._edited(match, person, post)
        elif stand is not Stand.DUE and await self._pings.is_quiet(match.id, person.user):
            return
        else:
            shown = await self._sent(match, person, chair, post, call, silent=stand is not Stand.DUE)
        if shown.message is None:  # it could not be: the next try is under way, or none is to be made
            return
        if stand is not Stand.HELD:
            both = way_of(chair, person) is PingPreference.BOTH
            mentioned = shown.mentioned if both else call
            # Behind until the table has mentioned them as well, also after a restart.
            owed = both and self._pings.news(match, chair.number, mentioned) is not None
            version = match.version if shown.digest and not owed else post.shown
            shown = replace(shown, shown=version, pinged=call, mentioned=mentioned)
        if shown != post:
            await self._posts.note(shown)
        if post.message is not None and shown.message != post.message:
            await self._handles.delete(None, post.channel, post.message)
        if not shown.digest:  # it is there, and says what was true before
            raise DiscordFailure(Failure.LATER)

    async def _sent(self, match: Match, person: Person, chair: Chair, post: Post, call: str, *, silent: bool) -> Post:
        """The post with a new message; without one where that could not be, which is then noted."""
        assert person.dm is not None
        content = await self._messages.hand(match, person)
        try:
            channel = self._handles.channel(None, person.dm)
            # What came silently would be given back in place of what is to ring.
            key = nonce("hand", match.id, chair.number, call, silent, post.message or post.digest)
            sent = await send_private(channel, person.user, content, nonce=key, silent=silent)
        except DiscordFailure as trouble:
            self._handles.sure.discard((match.id, chair.number))
            return await self._in_trouble(match, person, post, trouble)
        message = self._handles.message(None, person.dm, sent.id)
        digest = await self._handles.make_sure(match.id, chair.number, message, content)
        return replace(post, channel=person.dm, message=sent.id, digest=digest)

    async def _edited(self, match: Match, person: Person, post: Post) -> Post:
        """The post with its message, where there is one, as the hand is now. As `_sent` where that could not be."""
        if post.message is None:
            return post
        content = await self._messages.hand(match, person)
        digest = content.digest()
        if digest != post.digest:
            try:
                await edit(self._handles.message(None, post.channel, post.message), content)
            except DiscordFailure as trouble:
                return await self._in_trouble(match, person, post, trouble)
        return replace(post, digest=digest)

    async def _in_trouble(self, match: Match, person: Person, before: Post, trouble: DiscordFailure) -> Post:
        """A hand that could not be shown by direct message is shown by nobody else: the table tells how to see it."""
        if trouble.kind in (Failure.LATER, Failure.OLD):
            raise trouble
        after = replace(before, message=None)
        if trouble.kind is not Failure.MESSAGE_GONE:  # else they deleted it: the next hand is a new message
            # Nobody is asked twice: until their own next press they are mentioned at the table instead. Their post is
            # behind until they are, also after a restart.
            await self._people.change(person.user, dm_works=False)
            if way_of(match.chairs[before.place], person) is PingPreference.BOTH:  # what the table has said was said
                after = replace(after, pinged=before.mentioned)
        await self._posts.note(after)
        self._again(match.id)
        return after

    async def empty(self, match: Match, farewell: StaleHand) -> None:
        """Take the picture, the words and the controls out of a hand of somebody who has left."""
        person = await self._people.get(farewell.user)
        labels = self._messages.labels(match, person.locale if person is not None else None)
        said = labels.say("dm.left", table=self._messages.link(match, labels))
        try:
            old = self._handles.message(None, farewell.channel, farewell.message)
            await edit(old, Content((said,), user=farewell.user))
        except DiscordFailure as trouble:
            if trouble.kind in (Failure.LATER, Failure.OLD):
                raise
            log.info("an old hand in match %d is out of reach: %s", match.id, trouble)
        await self._posts.emptied(farewell)
