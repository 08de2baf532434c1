"""Shows players their hands in answer to their own presses and commands, with buttons that lead on.

Such an answer can also offer the next table that waits for the player, and what they have missed. Hands that a worker
shows never do, so that no edit of a hand reveals what happens elsewhere.
"""

from __future__ import annotations

from typing import Any

import discord

from cogs.match.agenda import others_than, waiting_for
from cogs.match.catchup import missed
from cogs.match.service import MatchService
from cogs.messages.catchup import catch_up_button
from cogs.messages.content import Button, Content, Id
from cogs.messages.messages import Messages
from cogs.transport.components import offered_in
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.interactions import Interaction, is_ephemeral
from cogs.transport.senders import edit_own, send_private
from data.records.match import Match
from data.records.people import Person

_IN_A_HAND = {"move", "pick", "path", "undo"}
"""The actions that only hands offer."""


class HandReplies:
    """Shows hands in answer to presses and commands."""

    def __init__(self, service: MatchService, messages: Messages, hands: HandMessages) -> None:
        self._service = service
        self._posts = service.posts
        self._messages = messages
        self._hands = hands

    async def show(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Show a seated player their hand, if `private` in the message pressed. `how` goes to `Messages.hand`."""
        if not how.get("path"):
            how["passing"] = await self._passing(interaction, match, person)

        async def answer(content: Content) -> int | None:
            shown = await _in_place(interaction, content) if private else None
            if shown is None:
                await send_private(interaction, person.user, content)
            return shown if interaction.guild_id is None else None

        pressed = _pressed_hand(interaction, match) if private else None
        await self._hands.show(match, person, answer, pressed, **how)

    async def look(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Do the same as `show`. A player who looks at their hand is back: a computer plays for them no more."""
        with self._service.after(match.id):
            match = await self._service.back(match.id, person.user)
            await self.show(interaction, match, person, private, **how)

    async def _passing(self, interaction: Interaction, match: Match, person: Person) -> tuple[Button, ...]:
        """Return the buttons of this answer alone: catching up, and the next table."""
        labels = self._messages.labels(match, person.locale)
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
        if interaction.guild_id is None and not is_ephemeral(interaction):
            seat = following.seat_of(user)
            post = (await self._posts.of(following.id)).get(-1 if seat is None else seat)
            if post is not None and post.user == user and post.message is not None:
                return Button(label, url=f"https://discord.com/channels/@me/{post.channel}/{post.message}")
        return Button(label, Id(match.id, "next"), "primary")


async def _in_place(interaction: Interaction, content: Content) -> int | None:
    """Show the hand in the message pressed. Return its id; None if it was deleted because a newer one replaces it."""
    try:
        return (await edit_own(interaction, content)).id
    except DiscordFailure as failure:
        if failure.kind is not Failure.MESSAGE_GONE:
            raise
        return None


def _pressed_hand(interaction: Interaction, match: Match) -> discord.Message | None:
    """Return the message pressed if it is a hand of that match in direct messages, or None."""
    message = interaction.message
    if message is None or interaction.guild_id is not None or message.flags.ephemeral:
        return None
    return message if {found.action for found in offered_in(message, match.id)} & _IN_A_HAND else None
