"""Sends, edits and deletes messages on Discord, and opens direct-message channels.

Content leaves in two ways only: `send_public` for all users, and `send_private` for one. Each message may later be
edited in place. A private send that fails is never replaced by a public one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import discord

from cogs.messages.content import Content
from cogs.runtime.settings import DM_GAP
from cogs.transport.components import files, has_files, layout_view
from cogs.transport.errors import GONE, DiscordFailure, Failure, discord_call
from data.records.post import Sending

log = logging.getLogger(__name__)

T = TypeVar("T")
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Live:
    """An answer about matches as they are now, which is made again when one of them changes (live_answers.py).
    `again` raises Refused once it can be made no more.
    """

    content: Content
    matches: frozenset[int]
    again: Callable[[], Awaitable[Content]]

    @property
    def user(self) -> int:
        """The only person who sees it."""
        assert self.content.user is not None
        return self.content.user


class Lasting(str):
    """A sentence that its reader may need later: a fingerprint, or a code for the operator. It stays."""


Answer = Content | Live | str
"""What an interaction is answered with."""


def content_of(said: Answer, user: int | None = None) -> Content:
    """Return what an answer shows; a sentence is for that user alone."""
    if isinstance(said, str):
        return Content((said,), user=user)
    return said.content if isinstance(said, Live) else said


MOST_LOOKED_AT = 1000
"""The most messages of a channel, the newest, to search for one whose send had no answer."""
CLOCKS_DIFFER = 600
"""Seconds by which the trusted time may be ahead of Discord's, and more (cogs/runtime/trusted_clock.py)."""
DM_PER_MINUTE = 5
LIFE = 14 * 60.0
"""Seconds from a press in which its answer is edited. Discord takes edits for a minute longer."""
_EDITED = "edited"
TAKE_BACK = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Seconds to wait before each try to delete a private message that Discord has shown to all."""


def nonce(*facts: object) -> str:
    """Return the same nonce for the same facts: Discord then returns the message it made before, not a second one.

    The message's readers can read its nonce. So the facts must be known to them, such as the message before. A version
    of the match must not be among them: it counts sealed decisions too.
    """
    return sha256(repr(facts).encode()).hexdigest()[:25]


async def send_public(
    channel: discord.abc.Messageable, content: Content, *, nonce: str, pinged: Sequence[int] = ()
) -> discord.Message:
    """Send content for all users. Of the users that it mentions, it pings only `pinged`. Raises DiscordFailure."""
    _for_eyes_of(content, None)
    mentions = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
    return await _tried(
        content, lambda view, files: channel.send(view=view, files=files, nonce=nonce, allowed_mentions=mentions)
    )


async def send_private(
    channel: discord.abc.Messageable | discord.Interaction[Any],
    user: int,
    content: Content,
    *,
    nonce: str | None = None,
    silent: bool = False,
) -> discord.Message:
    """Send content that only `user` may see: to their direct messages, or as the ephemeral answer to their own press.
    Raises DiscordFailure.

    A direct message needs a nonce of its own: for a nonce that it knows, Discord returns the earlier message. `silent`:
    it arrives without a notification.
    """
    _for_eyes_of(content, user)
    if not isinstance(channel, discord.Interaction):
        assert nonce
        return await _tried(
            content, lambda view, files: channel.send(view=view, files=files, nonce=nonce, silent=silent)
        )
    _for_eyes_of(content, channel.user.id)
    message = await _answered(channel, content)
    if not message.flags.ephemeral and not (channel.guild_id is None and channel.context.dm_channel):
        await _take_back(message)
        raise DiscordFailure(Failure.REFUSED)
    return message


async def _take_back(message: discord.WebhookMessage) -> None:
    """Delete a private message that Discord has shown to all. The log says so first: others may have read it."""
    log.error("PRIVACY: Discord has shown to everyone in a channel what was meant for one person; it is being deleted")
    for pause in TAKE_BACK:
        await asyncio.sleep(pause)
        try:
            async with discord_call():
                await message.delete()
        except DiscordFailure as failure:
            if failure.kind is not Failure.MESSAGE_GONE:
                log.warning("what was shown to everyone is not deleted yet: %s", failure)
                continue
        log.warning("what was shown to everyone is deleted")
        return
    log.error("PRIVACY: what was meant for one person could not be deleted: everyone in that channel can read it")


async def turn_away(interaction: discord.Interaction[Any], text: str) -> None:
    """Answer a press that the bot does not take up, to its user alone. The message pressed stays as it is."""
    async with discord_call():
        await interaction.response.send_message(text, ephemeral=True)


async def send_ping(
    channel: discord.abc.Messageable, text: str, users: Sequence[int], *, nonce: str, roles: Sequence[int] = ()
) -> discord.Message:
    """Send a text at the table that pings these users and roles, and no other mention in it. Raises DiscordFailure."""
    mentions = discord.AllowedMentions(
        users=[discord.Object(user) for user in users], roles=[discord.Object(role) for role in roles]
    )
    async with discord_call():
        return await channel.send(text, allowed_mentions=mentions, nonce=nonce)


async def send_invitation(
    channel: discord.abc.Messageable, content: Content, users: Sequence[int], *, nonce: str
) -> discord.Message:
    """Send content that all users may see, and ping these users in it, and no others. Raises DiscordFailure."""
    _for_eyes_of(content, None)
    mentions = discord.AllowedMentions(users=[discord.Object(user) for user in users])
    async with discord_call():
        return await channel.send(view=layout_view(content), allowed_mentions=mentions, nonce=nonce)


async def edit_private(message: discord.Message, user: int, content: Content) -> None:
    """Show new content in an answer that `send_private` or `edit_own` returned, which only `user` sees. It is edited by
    the token of that press. Raises DiscordFailure.
    """
    _for_eyes_of(content, user)
    await _edited(message, content)


async def delete_private(message: discord.Message) -> None:
    """Delete an answer that `send_private` or `edit_own` returned, by that press's token. Raises DiscordFailure."""
    async with discord_call():
        await message.delete()


async def edit_own(interaction: discord.Interaction[Any], content: Content) -> discord.InteractionMessage:
    """Show new content in the message that a user pressed, which only they see. Raises DiscordFailure."""
    _for_eyes_of(content, interaction.user.id)
    interaction.extras[_EDITED] = True
    return await _tried(content, lambda view, files: interaction.edit_original_response(view=view, attachments=files))


def has_edited(interaction: Interaction) -> bool:
    """Return whether something was shown in the message that a user pressed."""
    return _EDITED in interaction.extras


async def edit_for_all(interaction: discord.Interaction[Any], content: Content) -> discord.InteractionMessage:
    """Show new content in the message that a user pressed and that all users may see. Raises DiscordFailure."""
    _for_eyes_of(content, None)
    none = discord.AllowedMentions.none()
    return await _tried(
        content,
        lambda view, files: interaction.edit_original_response(view=view, attachments=files, allowed_mentions=none),
    )


def _for_eyes_of(content: Content, user: int | None) -> None:
    """Raise RuntimeError if the content was made for another user: an optimised run leaves assertions out."""
    if content.user != user:
        raise RuntimeError("content made for other eyes")


async def edit(message: discord.PartialMessage, content: Content) -> None:
    """Show new content in a message that was sent to the same user, or to all. Raises DiscordFailure."""
    await _edited(message, content)


async def _edited(message: discord.Message | discord.PartialMessage, content: Content) -> None:
    none = discord.AllowedMentions.none()
    await _tried(content, lambda view, files: message.edit(view=view, attachments=files, allowed_mentions=none))


async def _answered(interaction: discord.Interaction[Any], content: Content) -> discord.WebhookMessage:
    return await _tried(
        content, lambda view, files: interaction.followup.send(view=view, files=files, ephemeral=True, wait=True)
    )


async def _tried(content: Content, send: Callable[[discord.ui.LayoutView, list[discord.File]], Awaitable[T]]) -> T:
    """Return what `send` returns for the content's view and files. If Discord refuses them, it is tried with less:
    without the bot's own emoji, which the operator may have deleted, then in words, without files. Raises
    DiscordFailure.
    """
    while True:
        try:
            async with discord_call():
                return await send(layout_view(content), files(content))
        except DiscordFailure as failure:
            if failure.kind is not Failure.REFUSED:
                raise
            plain, less = content.without_emoji(), "the bot's own emoji"
            if plain is content:
                if not has_files(content):
                    raise
                plain, less = content.in_words(), "files"
            content = plain
            log.info("a message is sent again without %s: %s", less, failure)


class Handles:
    """Finds channels and messages by id, without discord.py's cache. With `guild` None they are direct messages."""

    def __init__(self, client: discord.Client) -> None:
        self.client = client

    def channel(self, guild: int | None, channel: int) -> discord.PartialMessageable:
        """Return the channel or thread, without a request."""
        kind = discord.ChannelType.private if guild is None else None
        return self.client.get_partial_messageable(channel, guild_id=guild, type=kind)

    def message(self, guild: int | None, channel: int, message: int) -> discord.PartialMessage:
        """Return the message, without a request."""
        return self.channel(guild, channel).get_partial_message(message)

    async def delete(self, guild: int | None, channel: int, message: int, *, insist: bool = False) -> None:
        """Delete a message that a newer one replaces. If that fails, the message stays, out of date but harmless.

        `insist`: raise DiscordFailure if it stays, because the caller tries again.
        """
        try:
            async with discord_call():
                await self.message(guild, channel, message).delete()
        except DiscordFailure as failure:
            if insist and failure.kind not in GONE:
                raise
            if failure.kind is not Failure.MESSAGE_GONE:
                log.info("a message stays that a newer one replaces: %s", failure)

    async def revive(self, channel: int) -> None:
        """Open an archived thread again. Raises DiscordFailure, also if it is locked and the bot may not manage it."""
        async with discord_call():
            thread = await self.client.fetch_channel(channel)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False)

    def is_own(self, message: discord.Message) -> bool:
        """Return whether this bot has sent the message."""
        return message.author == self.client.user

    async def sent_before(
        self, guild: int | None, begun: Sending, is_it: Callable[[discord.Message], bool], *, after: int = 0
    ) -> int | None:
        """Return the id of the newest own message of that kind which an earlier try has sent, after the message
        `after`; None if there is none, or if the bot cannot read the channel. Raises DiscordFailure to try again.
        """
        try:
            async with discord_call():
                async for message in self.channel(guild, begun.channel).history(limit=MOST_LOOKED_AT):
                    if message.id <= after or message.created_at.timestamp() < begun.since - CLOCKS_DIFFER:
                        return None
                    if self.is_own(message) and is_it(message):
                        return message.id
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.info("channel %d: a message may be sent twice: %s", begun.channel, failure)
        return None


class DirectMessages:
    """Opens direct-message channels, slowly: Discord takes a bot that opens many at once for a spammer. At most
    `DM_PER_MINUTE` for the whole bot, and `gap` seconds apart.

    `clock` counts seconds and never goes back.
    """

    def __init__(self, client: discord.Client, clock: Callable[[], float], gap: float = DM_GAP) -> None:
        self._client = client
        self._clock = clock
        self._gap = gap
        self._turns: deque[float] = deque(maxlen=DM_PER_MINUTE)

    def take_turn(self) -> float:
        """Take the turn to open one channel; 0.0. If it is too early take none, and return the seconds to wait."""
        if (wait := self.wait()) > 0:
            return wait
        self._turns.append(self._clock())
        return 0.0

    def wait(self) -> float:
        """Return the seconds until the next turn is free; 0.0 if it is."""
        now = self._clock()
        wait = self._turns[-1] + self._gap - now if self._turns else 0.0
        if len(self._turns) == DM_PER_MINUTE and self._gap:
            wait = max(wait, self._turns[0] + 60 - now)
        return max(wait, 0.0)

    async def open(self, user: int) -> int:
        """Return the id of the channel to this user, after a turn. Raises DiscordFailure, DM_CLOSED if they refuse."""
        async with discord_call():
            try:
                return (await self._client.create_dm(discord.Object(user))).id
            except discord.HTTPException as error:
                # Discord may answer 400 in place of 403, without a code.
                if error.code == 0 and error.status == 400:
                    raise DiscordFailure(Failure.DM_CLOSED) from error
                raise
