"""Shows players their hands in answer to their own presses and commands, with buttons that lead on.

Such an answer can also offer the next table that waits for the player, and what they have missed. Hands that a worker
shows never do, so that no edit of a hand reveals what happens elsewhere.
"""

from __future__ import annotations

from typing import Any

import discord

from cogs.match.agenda import missed, others_than, waiting_for
from cogs.match.refusals import seat_or_refuse
from cogs.match.service import MatchService
from cogs.messages.catchup import catch_up_button
from cogs.messages.content import Button, Content, Id
from cogs.messages.messages import Messages
from cogs.transport.components import Interaction, in_own_messages, is_ephemeral, offered_in
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.live_replies import LiveReplies, LiveReply
from cogs.transport.senders import edit_own, send_private
from data.records.match import Match
from data.records.people import Person
from rules.core.game import Seat

_IN_A_HAND = {"move", "pick", "path", "undo"}
"""The actions that only hands offer."""


class HandReplies:
    """Shows hands in answer to presses and commands."""

    def __init__(self, service: MatchService, messages: Messages, hands: HandMessages, live: LiveReplies) -> None:
        self._service = service
        self._posts = service.posts
        self._messages = messages
        self._hands = hands
        self._live = live

    async def show(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Show a seated player their hand, if `private` in the message pressed. `how` goes to `Messages.hand`."""
        if not how.get("path"):
            how["passing"] = (*how.get("passing", ()), *await self._passing(interaction, match, person))

        if private and not is_ephemeral(interaction):  # a direct message, which the publisher keeps up to date

            async def in_place(content: Content) -> int | None:
                stays = not self._hands.is_leaving(interaction.message)
                shown = await _shown(interaction, person, content, private and stays)
                return shown.id if interaction.message is not None and shown.id == interaction.message.id else None

            await self._hands.show(match, person, in_place, _pressed_hand(interaction, match), **how)
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
            content = await self._messages.hand(match, person, refreshable=True)
        turn = self._service.turn(match, Seat(seat)) if path else ""
        reply = LiveReply(match.id, seat, person.user, message, match.version, content.digest(), path, turn)
        self._live.keep(reply, before)

    async def look(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Do the same as `show`. A player who looks at their hand is back: a computer plays for them no more."""
        with self._service.after(match.id):
            match = await self._service.back(match.id, person.user)
            await self.show(interaction, match, person, private, **how)

    async def _passing(self, interaction: Interaction, match: Match, person: Person) -> tuple[Button, ...]:
        """Return the buttons of this answer alone: catching up, and the next table; none in a lesson."""
        labels = self._messages.labels(match, person.locale)
        if match.lesson:
            return ()
        found = missed(match, await self._service.events_of(match), person.user)
        buttons = []
        if found.long_ago(match, int(self._service.now())) and not found.much(match):
            buttons.append(catch_up_button(match, labels))
        others = others_than(match.id, await waiting_for(self._service, person.user))
        if others:
            label = labels.say("games.next", count=len(others))
            buttons.append(await self._next(interaction, match, others[0], person.user, label))
        return tuple(buttons)

    async def _next(self, interaction: Interaction, match: Match, following: Match, user: int, label: str) -> Button:
        """Return the button to the next table. In direct messages it links to that table's hand, if there is one."""
        if in_own_messages(interaction) and not is_ephemeral(interaction):
            seat = following.seat_of(user)
            post = None if seat is None else (await self._posts.of(following.id)).hands.get(seat)
            if post is not None and post.user == user and post.message is not None:
                return Button(label, url=f"https://discord.com/channels/@me/{post.channel}/{post.message}")
        return Button(label, Id(match.id, "next"), "primary")


async def _shown(interaction: Interaction, person: Person, content: Content, private: bool) -> discord.Message:
    """Show the hand in the message pressed if `private` and it is still there, else in a new answer. Return that."""
    if private:
        try:
            return await edit_own(interaction, content)
        except DiscordFailure as failure:
            if failure.kind is not Failure.MESSAGE_GONE:  # deleted because a newer one replaces it
                raise
    return await send_private(interaction, person.user, content)


def _pressed_hand(interaction: Interaction, match: Match) -> discord.Message | None:
    """Return the message pressed if it is a hand of that match in direct messages, or None."""
    message = interaction.message
    if message is None or not in_own_messages(interaction) or message.flags.ephemeral:
        return None
    return message if {found.action for found in offered_in(message, match.id)} & _IN_A_HAND else None
