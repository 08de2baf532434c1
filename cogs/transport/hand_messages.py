"""Shows players their hands, by direct message or in answer to a press, and empties the hands of players who have left.

A hand in direct messages is edited in place, which pings no player. To ping its player, the bot sends it again; for any
other reason it sends it without a notification. A player who wants no direct messages gets no new ones, but a hand
already there is kept up to date.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import discord

from cogs.messages import hand as hand_texts
from cogs.messages.content import Content
from cogs.messages.hand_pages import left_seat
from cogs.messages.presenter import Presenter
from cogs.transport.components import offered_in
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.pings import PingReason, Pings, PingState, by_dm, way_of
from cogs.transport.senders import Handles, edit, nonce, send_private
from data.records.match import Chair, Match
from data.records.people import Person, PingPreference
from data.records.pings import Ping
from data.records.post import HandPost, PostState, Sending, SentAfter, StaleHand
from rules.core.game import Seat

log = logging.getLogger(__name__)

Answer = Callable[[Content], Awaitable[int | None]]
"""Shows a hand to the player who pressed. Returns the id of the message if it is a direct one, else None."""


def _shows_hand(message: discord.Message, match: int) -> bool:
    """Return whether a message in direct messages shows a hand of that match, by what only hands offer there. The hand
    of a private match also shows its lobby and its end. Hands that an earlier version sent offer all lookups at once.
    """
    actions = {offered.action for offered in offered_in(message, match)}
    return {"last", "log", "rules"} <= actions or bool({"lookups", "start", "again"} & actions)


def _revision(post: HandPost) -> int | None:
    """Return how often several processes have changed the post; None if there is one process."""
    return None if post.origin is None else post.origin.revision


class HandMessages:
    """The hands of a service's matches. `reserved`: waits for the turn of a request (request_budget.py)."""

    def __init__(
        self,
        handles: Handles,
        messages: Presenter,
        pings: Pings,
        reserved: Callable[[], AbstractAsyncContextManager[Callable[[], bool]]],
    ) -> None:
        self.handles = handles
        self._service, self.posts = messages.service, messages.service.posts
        self._people = messages.service.people
        self.messages = messages
        self._pings = pings
        self.reserved = reserved
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._leaving: set[int] = set()
        """Hands in direct messages that are being deleted, because newer ones replace them."""

    def lock(self, match: int, seat: int) -> asyncio.Lock:
        """Return the lock of a hand. Hold it to show the hand or to change its post: otherwise changes may be lost."""
        return self._locks.setdefault((match, seat), asyncio.Lock())

    def is_leaving(self, message: discord.Message | None) -> bool:
        """Return whether a hand in direct messages is being deleted, so that nothing should be shown in it."""
        return message is not None and message.id in self._leaving

    async def show(
        self,
        match: Match,
        person: Person,
        answer: Answer | None = None,
        pressed: discord.Message | None = None,
        **how: Any,
    ) -> None:
        """Show a seated player their hand: through `answer` to their own press, or by direct message if it is None.

        If `answer` returns a message's id, that direct message is up to date then. `how` goes to `hand_message`. A
        player who has had an answer needs no other ping for this turn. `pressed`: the hand in their direct messages in
        which they pressed. Raises DiscordFailure if the hand is to be shown later.
        """
        seat = match.seat_of(person.user)
        if seat is None:
            return
        if answer is None:
            await self._show_change(match, person, seat)
            return
        old: tuple[int, int] | None = None
        try:
            async with self.lock(match.id, seat):  # the player may press while a worker shows the hand
                while (adopted := await self._adopt(match, person, seat, pressed)) is None:
                    pass
                newest, revision, old = adopted
                content = await hand_texts.hand_message(self.messages, match, person, **how)
                shown_in = await answer(content)
                if how.get("path") and shown_in is not None:
                    # Without the step under way. Otherwise the next edit would remove the step although nothing has
                    # changed for this player, and reveal that another has changed a sealed decision.
                    content = await hand_texts.hand_message(self.messages, match, person)
                # Another process may show the hand at the same time, or change its post, which must then be read again.
                while not await self._answered(match, person, seat, content, shown_in, newest, revision):
                    pass
        finally:
            if old is not None:  # also if the answer has failed, since the post is of the newer hand now
                await self.handles.delete(None, *old)

    async def _show_change(self, match: Match, person: Person, seat: int) -> None:
        """Show the hand by direct message if its post is behind. Raises DiscordFailure to try again."""
        if not self._is_behind(match, person, (await self.posts.of(match.id)).hands.get(seat)):
            return
        # The picture is drawn before the lock is taken, and each request has its turn before that: a player who presses
        # now need not wait for either.
        post = (await self.posts.of(match.id)).hands.get(seat)
        pings = self._pings.reason(match, seat, None if post is None else post.pinged) is not None
        content = await hand_texts.hand_message(self.messages, match, person, pings=pings) if person.reached else None
        is_unsure = True
        while is_unsure:
            async with self.reserved() as lasts, self.lock(match.id, seat):
                if not lasts():  # the lock was not free for long
                    continue
                post = (await self.posts.of(match.id)).hands.get(seat)
                if post is None or not self._is_behind(match, person, post):
                    return
                if not person.reached and (now := await self._people.get(person.user)) is not None and now.reached:
                    self._service.listener.changed(match.id)  # direct messages have been opened meanwhile
                    return
                shown = await self._found(match, person, match.chairs[seat], post)
                shown = shown or await self.bring_up_to_date(match, person, match.chairs[seat], post, content)
                is_new = shown.message is not None and shown.message != post.message
                if is_new and post.message is not None:
                    self._leaving.add(post.message)
            if is_new and post.message is not None:
                try:  # before the new one is stored: after a crash it is found, and the old one is deleted then
                    await self._delete(post.channel, post.message)
                    async with self.lock(match.id, seat):
                        await self._store(match, post, shown)
                finally:
                    self._leaving.discard(post.message)
            is_unsure = is_new and shown.digest == PostState.UNSURE

    async def _delete(self, channel: int, message: int) -> None:
        """Delete a hand that a newer one replaces. Raises DiscordFailure to try again."""
        try:
            await self.handles.delete(None, channel, message, insist=True)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.info("a hand stays that a newer one replaces: %s", failure)

    async def _found(self, match: Match, person: Person, chair: Chair, post: HandPost) -> HandPost | None:
        """Return the post with the message that an earlier try has sent, and the ping that it was; None if there is
        none. Raises DiscordFailure to try again.
        """
        begun = post.sending
        if begun is None:
            return None
        found = await self.handles.sent_before(
            None, begun, lambda there: _shows_hand(there, match.id), after=post.newest
        )
        if found is None:
            return None
        new = replace(post, channel=begun.channel, message=found, digest=PostState.UNSURE, sending=None)
        ping, owed = Ping.parse(begun.what), self._pings.owed(match, chair.number)
        is_due = ping is not None and owed is not None and ping.of_turn == owed.of_turn
        seen = post.pinged is not None and ping is not None and post.pinged.of_turn == ping.of_turn
        if is_due and ping is not None and (not seen or ping.says_more(post.pinged)):
            both = way_of(chair, person) is PingPreference.BOTH
            new = replace(new, pinged=ping, mentioned=post.mentioned if both else ping)
        if post.message is None:
            await self._store(match, post, new)
        return new

    async def _store(self, match: Match, before: HandPost, shown: HandPost) -> None:
        """Store that a new message shows the hand. Its player may have pressed in it since."""
        now = (await self.posts.of(match.id)).hands.get(before.seat)
        if now is not None and now.user == before.user:
            known = now if now.message == shown.message != before.message else shown
            pinged = known.pinged if now.pinged == before.pinged else now.pinged
            mentioned = known.mentioned if now.mentioned == before.mentioned else now.mentioned
            shown = replace(known, pinged=pinged, mentioned=mentioned, sending=None)
        await self.posts.note(shown)

    @staticmethod
    def _is_behind(match: Match, person: Person, post: HandPost | None) -> bool:
        return post is not None and post.user == person.user and post.shown < match.version

    async def _adopt(
        self, match: Match, person: Person, seat: int, pressed: discord.Message | None
    ) -> tuple[int, int | None, tuple[int, int] | None] | None:
        """If the pressed hand is newer than the stored one, store it instead, even if the answer fails. Return the
        newest version of the match that a hand has shown, the revision of the post, and the channel and number of the
        message to delete then, or None. None: another process has changed the post or the match in that moment.
        """
        post = (await self.posts.of(match.id)).hands.get(seat)
        if post is None or post.user != person.user:
            return match.version, None, None
        # While a message is being sent, the worker that sends it stores it, or finds it after a crash.
        is_sending = post.sending is not None
        if pressed is None or is_sending or (post.message is not None and pressed.id <= post.message):
            return post.shown, _revision(post), None
        now = await self._service.find(match.id)
        if now is None:
            return match.version, None, None
        adopted = replace(
            post, channel=pressed.channel.id, message=pressed.id, digest=PostState.UNSURE, shown=post.shown - 1
        )
        ping = self._pings.owed(now, seat, post.pinged)
        if ping is not None and self._service.turn(now, Seat(seat)) in {o.turn for o in offered_in(pressed, match.id)}:
            adopted = replace(adopted, pinged=ping, mentioned=ping)  # that message was this ping
        if not await self.posts.note_unchanged(adopted, now.version):
            return None
        self._service.listener.changed(match.id)
        return post.shown, _revision(adopted), None if post.message is None else (post.channel, post.message)

    async def _answered(
        self,
        match: Match,
        person: Person,
        seat: int,
        content: Content,
        shown_in: int | None,
        newest: int,
        revision: int | None,
    ) -> bool:
        """Note what an answer has shown. `revision`: that of the post before the answer. Return False if another
        process has changed the post meanwhile.
        """
        # Both are read after the answer: a worker may have mentioned this player since, also for a later turn.
        now = await self._service.find(match.id)
        before = (await self.posts.of(match.id)).hands.get(seat)
        if now is None or before is None or before.user != person.user:
            if shown_in is not None and person.dm is not None:
                # The player has left the seat since: the hand just shown becomes a stale one.
                late = HandPost(match.id, person.dm, shown_in, seat=seat, user=person.user)
                await self.posts.note(late)
                self._service.listener.changed(match.id)
            return True
        post, (ping, owed) = before, (self._pings.owed(at, seat, before.pinged) for at in (match, now))
        if ping is not None and owed is not None and ping.not_last == owed.not_last:
            pinged, mentioned = (known if known == owed else ping for known in (post.pinged, post.mentioned))
            post = replace(post, pinged=pinged, mentioned=mentioned)
        in_place, is_unsure = shown_in is not None and shown_in == post.message, False
        if in_place:
            post = replace(post, shown=match.version, digest=content.digest())
            # It is unknown whose content Discord shows, or whether a newer hand is there: a worker must look for it.
            if is_unsure := _revision(before) != revision or post.sending is not None:
                post = replace(post, shown=match.version - 1, digest=PostState.UNSURE)
        # Other processes learn from the revision that this one has shown something, even if the post is the same.
        tells = in_place and before.origin is not None
        if (post != before or tells) and not await self.posts.note_unchanged(post, now.version):
            return False
        if is_unsure or post.shown < newest:
            self._service.listener.changed(match.id)
        return True

    async def bring_up_to_date(
        self, match: Match, person: Person, chair: Chair, post: HandPost, content: Content | None
    ) -> HandPost:
        """Show the hand, with one request. Return its post as it is now. `content`: for whom direct messages reach."""
        before = post
        state = await self._pings.state(match, chair, person, post.pinged)
        reason = self._pings.reason(match, chair.number, post.pinged)
        ping = post.pinged if reason is None else self._pings.owed(match, chair.number, post.pinged)
        now = await self._service.find(match.id)  # after the post, so that it is as new as what that notes
        if reason is not None and not (now and ping and self._pings.is_owed(now, match, chair, ping)):
            # The match has gone on since it was read. The next look pings for what is now.
            state, reason, ping = PingState.NOTHING, None, post.pinged
        if state is PingState.NOTHING and reason is PingReason.VOTE:  # the player has voted
            reason, post = None, replace(post, pinged=ping, mentioned=ping)
        if by_dm(chair, person):
            assert content is not None
            return await self._by_dm(match, person, chair, post, ping, state, content)
        post = replace(post, sending=None)
        if content is not None:
            post = await self._edited(match, person, post, content)
        if way_of(chair, person) is PingPreference.NONE or post.mentioned == ping:
            post = replace(post, shown=match.version, pinged=ping, mentioned=ping)
        elif reason is None:  # otherwise it stays behind until the table has mentioned them, also after a restart
            post = replace(post, shown=match.version)
        if post != before:
            await self.posts.note(post)
        return post

    async def _by_dm(
        self,
        match: Match,
        person: Person,
        chair: Chair,
        post: HandPost,
        ping: Ping | None,
        state: PingState,
        content: Content,
    ) -> HandPost:
        """Show the hand by direct message: in a new one if the ping is due, otherwise in place. If the ping is
        deferred, or it is unsure what the new message shows, the post stays behind. Return the post.
        """
        if post.message is not None and state is not PingState.DUE:
            shown = await self._edited(match, person, post, content)
        elif state is not PingState.DUE and not match.private and await self._pings.is_quiet(match, person.user):
            return post  # a private match has just been opened or begun by its player
        else:
            silent = state is not PingState.DUE
            shown = await self._sent(match, person, chair, post, ping, content, silent=silent)
        if shown.message is None:  # it failed: the next try is under way, or there will be none
            return shown
        if state is not PingState.DEFERRED:
            both = way_of(chair, person) is PingPreference.BOTH
            mentioned = shown.mentioned if both else ping
            # The post stays behind until the table has mentioned the player as well, also after a restart.
            owed = both and self._pings.reason(match, chair.number, mentioned) is not None
            version = match.version if shown.digest != PostState.UNSURE and not owed else post.shown
            shown = replace(shown, shown=version, pinged=ping, mentioned=mentioned)
        if post.message is None or shown.message == post.message:  # otherwise the old message is deleted first
            shown = replace(shown, sending=None)
            if shown != post:
                await self._store(match, post, shown)
        return shown

    async def _sent(
        self,
        match: Match,
        person: Person,
        chair: Chair,
        post: HandPost,
        ping: Ping | None,
        content: Content,
        *,
        silent: bool,
    ) -> HandPost:
        """Send the hand. Return its post with the new message, or, already stored, without one if that failed for good.
        Raises DiscordFailure to try again.
        """
        assert person.dm is not None
        try:
            channel = self.handles.channel(None, person.dm)
            # `silent` is part of the nonce: Discord would otherwise return a silent message in place of a ping.
            text = "" if ping is None else str(ping)
            key = nonce("hand", match.id, chair.number, text, silent, post.after)
            begun = Sending(person.dm, int(self._service.now()), "" if silent else text)
            await self.posts.note(replace(post, sending=begun))
            sent = await send_private(channel, person.user, content, nonce=key, silent=silent)
        except DiscordFailure as failure:
            return await self.after_failure(match, person, post, failure)
        # If a note was left, Discord may have returned what an earlier try has sent, with older content.
        digest = content.digest() if post.sending is None else PostState.UNSURE
        return replace(post, channel=person.dm, message=sent.id, digest=digest, sending=None)

    async def _edited(self, match: Match, person: Person, post: HandPost, content: Content) -> HandPost:
        """Edit the hand's message, if there is one. Return its post, or after a failure as `_sent` does."""
        if post.message is None:
            return post
        digest = content.digest()
        if digest != post.digest:
            try:
                await edit(self.handles.message(None, post.channel, post.message), content)
            except DiscordFailure as failure:
                return await self.after_failure(match, person, post, failure)
        return replace(post, digest=digest)

    async def after_failure(self, match: Match, person: Person, before: HandPost, failure: DiscordFailure) -> HandPost:
        """Store that a hand could not be shown by direct message. The table then says how to see it; no other message
        shows it. Raises the failure if the bot will try again.
        """
        failure.raise_if(Failure.LATER, Failure.OLD)
        after = replace(before, message=None, sending=None)
        if before.message is not None:
            after = replace(after, digest=SentAfter(before.message))
        if failure.kind is not Failure.MESSAGE_GONE:  # otherwise the player has deleted it: the next is a new message
            # No second try: until the player's next press the table mentions them instead. Their post stays behind
            # until it has, also after a restart.
            await self._people.change(person.user, dm_works=False, dm_refused=failure.kind is not Failure.DM_CLOSED)
            if way_of(match.chairs[before.seat], person) is PingPreference.BOTH:  # the table's mentions count
                after = replace(after, pinged=before.mentioned)
        await self.posts.note(after)
        self._service.listener.changed(match.id)
        return after

    async def reach(self, user: int, channel: int) -> None:
        """Store that direct messages reach this player from now on, and send the hands there that were shown elsewhere
        until now. The first write says both: a kill leaves no hand behind. Raises NotStored.
        """
        matches = await self._service.index.of_player(user)
        hands = [(match.id, seat) for match in matches if (seat := match.seat_of(user)) is not None]
        async with AsyncExitStack() as held:  # no worker, who knew of no direct messages, notes a hand as shown
            for hand in hands:
                await held.enter_async_context(self.lock(*hand))
            behind = partial(self.posts.note_hands_unsent, user=user)
            await self._people.change(user, also=behind, dm=channel, dm_works=True, dm_refused=False)
            await self._people.change(user, also=behind)  # a mention may have been noted on what was known before
        for number, _ in hands:
            self._service.listener.changed(number)

    async def empty_stale(self, match: Match) -> list[DiscordFailure]:
        """Empty the hands of players who have left that match. Return the failures; those hands stay."""
        failures = list[DiscordFailure]()
        for hand in await self.posts.stale_hands(match.id):
            try:
                await self.empty(match, hand)
            except DiscordFailure as failure:
                log.info("an old hand in match %d stays: %s", match.id, failure)
                failures.append(failure)
        return failures

    async def empty(self, match: Match, hand: StaleHand) -> None:
        """Take the picture, the words and the controls out of the hand of a player who has left. If it is not known,
        look for it first. A player who only has another seat now, as a match alone draws them when it begins, has a
        newer hand: that of the old seat is deleted. Raises DiscordFailure to try again.
        """
        person = None if hand.user is None else await self._people.get(hand.user)
        hands = (await self.posts.of(match.id)).hands.values()
        newer = next((post for post in hands if hand.user is not None and post.user == hand.user), None)
        try:
            message = hand.message or await self.handles.sent_before(
                None, Sending(hand.channel, 0), lambda there: _shows_hand(there, match.id)
            )
            if message is not None and newer is not None:
                if message != newer.message:
                    await self._delete(hand.channel, message)
            elif message is not None:
                old = self.handles.message(None, hand.channel, message)
                await edit(old, left_seat(self.messages, match, hand.user or 0, person))
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER, Failure.OLD)
            log.info("an old hand in match %d is out of reach: %s", match.id, failure)
        await self.posts.emptied(hand)
