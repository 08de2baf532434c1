"""Shows players their hands in answer to their own presses and commands, and keeps these answers up to date.

Such an answer can also offer the next table that waits for the player, and what they have missed. Hands that a worker
shows never do, so that no edit of a hand reveals what happens elsewhere.

Discord lets the bot edit an answer that only its player sees for 15 minutes after the press. For each seat the newest
one is edited with the table, until a minute before that time is over: then its last edit takes the moves out, says so,
and puts *Refresh* first. Each press in the answer begins these minutes again.

Nothing of this is stored: a restart forgets all answers, and the next press in one brings its hand back. An answer is
edited only if it shows its own player something new, so its edits reveal nothing that others do in secret. They have
their own tasks: no failure or rate limit of theirs delays a table, a direct message, a clock or another player's hand.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

import discord

from cogs.match.agenda import others_than, waiting_for
from cogs.match.refusals import seat_or_refuse
from cogs.messages import hand as hand_texts
from cogs.messages.content import Button, Content, Id
from cogs.messages.hand_pages import left_seat, still_hand
from cogs.messages.presenter import Presenter
from cogs.runtime.periodic import end_tasks
from cogs.transport.components import offered_in
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.interactions import in_own_messages, is_ephemeral
from cogs.transport.live_answers import Kept, KeptMessages
from cogs.transport.request_budget import PublishTiming
from cogs.transport.senders import Interaction, delete_private, edit_own, edit_private, send_private
from data.records.match import Match
from data.records.people import Person
from rules.core.game import Seat

log = logging.getLogger(__name__)

_IN_A_HAND = {"move", "pick", "path", "undo"}
"""The actions that only hands offer."""


@dataclass(slots=True, eq=False, kw_only=True)
class LiveReply(Kept):
    """A private hand that can still be edited. `digest`: of the lasting content that it shows. `path`: the steps that
    its player has made in the decision `turn`.
    """

    match: int
    seat: int
    path: tuple[str, ...] = ()
    turn: str = ""
    sending: bool = False
    """Whether an edit is under way, or its result is unknown."""

    @property
    def key(self) -> tuple[int, int]:
        """The match and the seat."""
        return self.match, self.seat

    @property
    def what(self) -> str:
        """Its name in the log."""
        return f"a private hand of match {self.match}"


class LiveReplies(KeptMessages[LiveReply]):
    """The private hands of all matches that can still be edited, at most one for each seat."""

    def __init__(self, messages: Presenter, timing: PublishTiming) -> None:
        super().__init__(messages.service, timing)
        self._messages = messages
        self._deleting: set[asyncio.Task[None]] = set()

    async def suspend(self, match: int, seat: int) -> LiveReply | None:
        """Stop the edits of a seat's private hand, so that none overtakes the answer to a press. Return the hand, for
        `keep`; None if there is none. Call it with the lock of that hand.
        """
        reply = self.kept.pop((match, seat), None)
        if reply is not None:
            work = reply.work
            reply.stop()
            if work is not None:
                await asyncio.wait([work])
        return reply

    def keep(self, reply: LiveReply, before: LiveReply | None = None) -> None:
        """Edit this private hand from now on. `before`: the one that it replaces, deleted unless it is the same."""
        if self._closed:
            return
        for other in [other for other in self.kept.values() if other.message.id == reply.message.id]:
            self._forget(other)  # its message shows this hand now
        if before is not None and before.message.id != reply.message.id:
            task = asyncio.create_task(_delete(before), name="delete an old private hand")
            self._deleting.add(task)
            task.add_done_callback(self._deleting.discard)
        elif before is not None and before.sending:
            reply.digest = ""  # the edit that was broken off may have come after the answer
        self._begin(reply)

    def resume(self, reply: LiveReply) -> None:
        """Edit a suspended private hand again: the answer that was to replace it has failed."""
        if reply.sending:
            reply.digest, reply.sending = "", False
        self.keep(reply)

    async def close(self) -> None:
        """Stop all edits. The messages stay as they are."""
        await super().close()
        await end_tasks(*self._deleting)

    # One private hand.

    async def _bring_up_to_date(self, reply: LiveReply) -> bool:
        """Show the hand as it is now, if it differs. Return whether it was edited. Raises DiscordFailure."""
        match, person = await self._service.find(reply.match), await self._service.people.get(reply.user)
        if match is None:
            self._forget(reply)
            return False
        if person is not None and match.private and match.seat_of(reply.user) not in (None, reply.seat):
            self._forget(reply)  # the seats are drawn: the press on Start shows the hand
            return False
        if person is None or match.seat_of(reply.user) != reply.seat:
            await self._edit(reply, left_seat(self._messages, match, reply.user, person))
            self._forget(reply)
            return True
        fault = await self._service.quarantine.fault(match)
        if reply.ending and match.open:
            pictured = fault is None and match.state is not None
            await self._edit(reply, await still_hand(self._messages, match, person, pictured=pictured))
            self._forget(reply)
            return True
        # Like the hands in direct messages, a private one stays as it is while the match is paused or in quarantine.
        if match.paused or fault is not None:
            return False
        edited = False
        if not reply.digest or match.version > reply.versions[match.id]:
            edited = await self.show(reply, match, person)
        if not match.open:  # nothing more will change
            self._forget(reply)
        return edited

    async def show(self, reply: LiveReply, match: Match, person: Person) -> bool:
        """Show the hand as it is in this match, if it differs. Return whether it was edited. Raises DiscordFailure."""
        content = await hand_texts.hand_message(self._messages, match, person, refreshable=True)
        digest, edited = content.digest(), False
        if digest != reply.digest:
            if reply.path and reply.turn == self._turn(match, reply.seat):
                # The decision is still the same: the player goes on from the step that they have made.
                content = await hand_texts.hand_message(
                    self._messages, match, person, path=reply.path, refreshable=True
                )
            edited, reply.digest = True, ""  # what it shows is unsure until Discord has confirmed the edit
            await self._edit(reply, content)
        reply.versions[match.id], reply.digest = match.version, digest
        return edited

    def _turn(self, match: Match, seat: int) -> str:
        return self._service.turn(match, Seat(seat)) if match.running else ""

    async def _edit(self, reply: LiveReply, content: Content) -> None:
        reply.sending = True
        await edit_private(reply.message, reply.user, content)
        reply.sending = False


async def _delete(reply: LiveReply) -> None:
    """Delete a private hand that a newer one replaces. If that fails, it stays, out of date but harmless."""
    try:
        await delete_private(reply.message)
    except DiscordFailure as failure:
        log.info("a private hand of match %d stays that a newer one replaces: %s", reply.match, failure)


class HandReplies:
    """Shows hands in answer to presses and commands."""

    def __init__(self, messages: Presenter, hands: HandMessages, live: LiveReplies) -> None:
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages
        self._hands = hands
        self._live = live

    async def show(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Show a seated player their hand, if `private` in the message pressed. `how` goes to `hand_message`."""
        if not how.get("path"):
            how["answers"] = True
            how["passing"] = (*how.get("passing", ()), *await self.next_table(interaction, match, person))

        if private and not is_ephemeral(interaction):  # a direct message, which the publisher keeps up to date

            async def in_place(content: Content) -> int | None:
                stays = not self._hands.is_leaving(interaction.message)
                shown = await _shown(interaction, person, content, private and stays)
                return shown.id if interaction.message is not None and shown.id == interaction.message.id else None

            await self._hands.show(match, person, in_place, _pressed_hand(interaction.message, match), **how)
            return
        path = tuple(how.get("path", ()))

        async def answer(content: Content) -> None:
            await self._answer(interaction, match, person, content, private, path)

        await self._hands.show(match, person, answer, refreshable=True, **how)

    async def _answer(
        self,
        interaction: Interaction,
        match: Match,
        person: Person,
        content: Content,
        private: bool,
        path: tuple[str, ...],
    ) -> None:
        """Show a hand in the earlier answer pressed if `private`, else in a new one. From now on it is kept up to date,
        in place of the seat's last one.
        """
        seat = seat_or_refuse(match, person.user)
        before = await self._live.suspend(match.id, seat)
        try:
            message = await _shown(interaction, person, content, private)
        except BaseException:
            if before is not None:
                self._live.resume(before)
            raise
        if path:  # compare without the step under way, as HandMessages does
            content = await hand_texts.hand_message(self._messages, match, person, refreshable=True)
        turn = self._service.turn(match, Seat(seat)) if path else ""
        reply = LiveReply(
            match=match.id,
            seat=seat,
            user=person.user,
            message=message,
            versions={match.id: match.version},
            digest=content.digest(),
            path=path,
            turn=turn,
        )
        self._live.keep(reply, before)

    async def look(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Do the same as `show`. A player who looks at their hand is back: a computer plays for them no more."""
        with self._service.announcer.after(match.id):
            match = await self._service.back(match.id, person.user)
            await self.show(interaction, match, person, private, **how)

    async def next_table(self, interaction: Interaction, match: Match, person: Person) -> tuple[Button, ...]:
        """Return the button to the next table that waits for the player, if any; none in a lesson. In direct messages
        it links to that table's hand, if there is one.
        """
        known = match if match.open else None
        others = [] if match.lesson else others_than(match.id, await waiting_for(self._service, person.user, known))
        if not others:
            return ()
        following, label = others[0], self._messages.labels(match, person.locale).say("games.next", count=len(others))
        if in_own_messages(interaction) and not is_ephemeral(interaction):
            seat = following.seat_of(person.user)
            post = None if seat is None else (await self._posts.of(following.id)).hands.get(seat)
            if post is not None and post.user == person.user and post.message is not None:
                return (Button(label, url=f"https://discord.com/channels/@me/{post.channel}/{post.message}"),)
        return (Button(label, Id(match.id, "next"), "primary"),)


async def _shown(interaction: Interaction, person: Person, content: Content, private: bool) -> discord.Message:
    """Show the hand in the message pressed if `private` and it is still there, else in a new answer. Return that."""
    if private:
        try:
            return await edit_own(interaction, content)
        except DiscordFailure as failure:
            if failure.kind is not Failure.MESSAGE_GONE:  # deleted because a newer one replaces it
                raise
    return await send_private(interaction, person.user, content)


def _pressed_hand(message: discord.Message | None, match: Match) -> discord.Message | None:
    """Return the message pressed in direct messages if it is a hand of that match, or None."""
    if message is None:
        return None
    return message if {found.action for found in offered_in(message, match.id)} & _IN_A_HAND else None
