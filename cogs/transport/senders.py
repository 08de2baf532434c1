"""Every call to Discord: one mapping of its failures, the two senders, and the slow gate to new direct messages.

There are two ways for content to leave, and no third: `send_public` for what everybody may see and `send_private` for
one person's eyes; each may later be edited where it is. A private send that fails is never replaced by a public one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from enum import Enum
from hashlib import sha256
from typing import Any

import aiohttp
import discord

from cogs.messages.content import Content
from cogs.runtime.settings import DM_GAP
from cogs.transport.components import files, layout_view

log = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that a call may take, with discord.py's own tries and waits: together with the longest time until the next
try less than the minute within which all is to be shown again.
"""
TAKE_BACK = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Seconds to wait before each try to delete what was meant for one person and shown to all."""
DM_PER_MINUTE = 5


class Failure(Enum):
    """What a failed call means for whoever made it."""

    MESSAGE_GONE = "the message is not there any more"
    CHANNEL_GONE = "the channel, thread or server is not there any more"
    FORBIDDEN = "the bot lacks a permission"
    DM_CLOSED = "this person takes no direct messages from the bot"
    ARCHIVED = "the thread is archived: a new message revives it"
    OLD = "the message is too old to be edited this often"
    EXPIRED = "the press is too long ago to be answered"
    LATER = "Discord or the way to it fails at the moment: try again"
    REFUSED = "Discord does not accept the request"


GONE = (Failure.MESSAGE_GONE, Failure.CHANNEL_GONE)
"""Of a message that nobody can see any more."""
_KINDS = {
    10003: Failure.CHANNEL_GONE,
    10004: Failure.CHANNEL_GONE,
    10008: Failure.MESSAGE_GONE,
    10015: Failure.EXPIRED,
    10062: Failure.EXPIRED,
    40060: Failure.EXPIRED,
    50027: Failure.EXPIRED,
    30046: Failure.OLD,
    40003: Failure.LATER,
    50001: Failure.FORBIDDEN,
    50013: Failure.FORBIDDEN,
    160005: Failure.FORBIDDEN,
    50007: Failure.DM_CLOSED,
    50278: Failure.DM_CLOSED,
    50083: Failure.ARCHIVED,
}


OUT_OF_REACH = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.RateLimited,
    aiohttp.ClientError,
    ConnectionError,
    TimeoutError,
)
"""What the start fails with where Discord is not to be reached. Any other OSError there may be the disk's."""


class DiscordFailure(Exception):
    """A call to Discord that failed. `code` is Discord's own, 0 where the answer never came, or came from something on
    the way; `locked_out` where that lets nothing of ours through, for longer where it is asked often.
    """

    def __init__(self, kind: Failure, code: int = 0, *, locked_out: bool = False) -> None:
        super().__init__(f"{kind.name} ({code})")
        self.kind = kind
        self.code = code
        self.locked_out = locked_out


@asynccontextmanager
async def discord_call() -> AsyncIterator[None]:
    """Around every call: raises DiscordFailure for whatever goes wrong with it, also where no answer comes at all.

    Connection resets are aiohttp's or the system's errors, not discord.py's, and discord.py does not retry them.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except discord.HTTPException as error:
        known, locked_out = _KINDS.get(error.code), _is_locked_out(error)
        if known is None:
            passes = locked_out or error.status >= 500 or error.status == 429
            known = Failure.LATER if passes else Failure.REFUSED
        raise DiscordFailure(known, error.code, locked_out=locked_out) from error
    except discord.InteractionResponded as error:
        raise DiscordFailure(Failure.EXPIRED) from error
    except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError) as error:
        raise DiscordFailure(Failure.LATER) from error


def _is_locked_out(error: discord.HTTPException) -> bool:
    """Discord itself says by a code what it refuses; without one it is whatever stands before it, or a bad token."""
    return error.code == 0 and error.status in (401, 403)


def nonce(*facts: object) -> str:
    """The same for the same post: Discord then gives back the message made before instead of a second one.

    Whoever gets the message can read it. The facts are what they may know: the message before, and never a version of
    the match, which counts sealed decisions too.
    """
    return sha256(repr(facts).encode()).hexdigest()[:25]


async def send_public(channel: discord.abc.Messageable, content: Content, *, nonce: str) -> discord.Message:
    """Send what everybody may see. Pings nobody."""
    _for_eyes_of(content, None)
    async with discord_call():
        return await channel.send(view=layout_view(content), files=files(content), nonce=nonce)


async def send_private(
    channel: discord.abc.Messageable | discord.Interaction[Any],
    user: int,
    content: Content,
    *,
    nonce: str | None = None,
    silent: bool = False,
) -> discord.Message:
    """Send what only `user` may see: to their direct messages, or as the ephemeral answer to their own press.

    A direct message needs a nonce of its own: Discord would take one that it knows for the message that it knows.
    `silent`: it comes without a notification.
    """
    _for_eyes_of(content, user)
    if not isinstance(channel, discord.Interaction):
        assert nonce
        async with discord_call():
            return await channel.send(view=layout_view(content), files=files(content), nonce=nonce, silent=silent)
    _for_eyes_of(content, channel.user.id)
    async with discord_call():
        message = await channel.followup.send(
            view=layout_view(content), files=files(content), ephemeral=True, wait=True
        )
    if not message.flags.ephemeral and channel.guild_id is not None:
        await _take_back(message)
        raise DiscordFailure(Failure.REFUSED)
    return message


async def _take_back(message: discord.WebhookMessage) -> None:
    """Delete what was meant for one person and that Discord shows to all. The operator is told in any case, first of
    all: whatever becomes of the tries, somebody may have read it.
    """
    log.error("PRIVACY: Discord has shown to everybody in a channel what was meant for one person; it is being deleted")
    for pause in TAKE_BACK:
        await asyncio.sleep(pause)
        try:
            async with discord_call():
                await message.delete()
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.MESSAGE_GONE:
                log.warning("what was shown to everybody is not deleted yet: %s", trouble)
                continue
        log.warning("what was shown to everybody is deleted")
        return
    log.error("PRIVACY: what was meant for one person could not be deleted: everybody in that channel can read it")


async def turn_away(interaction: discord.Interaction[Any], text: str) -> None:
    """Answer a press that is not taken up, at once and to that person alone; the message pressed stays as it is."""
    async with discord_call():
        await interaction.response.send_message(text, ephemeral=True)


async def send_ping(
    channel: discord.abc.Messageable, text: str, users: Sequence[int], *, nonce: str
) -> discord.Message:
    """A line at the table that mentions these people, and nothing else that is in it."""
    mentions = discord.AllowedMentions(users=[discord.Object(user) for user in users])
    async with discord_call():
        return await channel.send(text, allowed_mentions=mentions, nonce=nonce)


async def edit_own(interaction: discord.Interaction[Any], content: Content) -> discord.InteractionMessage:
    """Show new content in the message that a person pressed, which only that person sees."""
    _for_eyes_of(content, interaction.user.id)
    async with discord_call():
        return await interaction.edit_original_response(view=layout_view(content), attachments=files(content))


def _for_eyes_of(content: Content, user: int | None) -> None:
    """Not an assertion, which an optimised run would leave out: nothing goes to anybody that was made for another."""
    if content.user != user:
        raise RuntimeError("content made for other eyes")


async def edit(message: discord.PartialMessage, content: Content) -> None:
    """Show new content in a message that was sent for the same eyes."""
    async with discord_call():
        await message.edit(
            view=layout_view(content), attachments=files(content), allowed_mentions=discord.AllowedMentions.none()
        )


class Handles:
    """Channels and messages by their ids, which need no cache. Where no server is named they are direct messages."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self.sure: set[tuple[int, int]] = set()
        """Posts, by match and place, to which a message was sent since the start, and without trouble since: none of
        theirs was sent without our knowing. It follows from each post's own messages alone: an edit more, after what
        happened to another's hand, would tell its person of that.
        """

    def channel(self, guild: int | None, channel: int) -> discord.PartialMessageable:
        kind = discord.ChannelType.private if guild is None else None
        return self._client.get_partial_messageable(channel, guild_id=guild, type=kind)

    def message(self, guild: int | None, channel: int, message: int) -> discord.PartialMessage:
        return self.channel(guild, channel).get_partial_message(message)

    async def delete(self, guild: int | None, channel: int, message: int, *, insist: bool = False) -> None:
        """Delete a message of ours that a newer one replaces; if it cannot be, it stays, out of date but harmless.

        `insist`: raise DiscordFailure if it stays, because the caller tries again.
        """
        try:
            async with discord_call():
                await self.message(guild, channel, message).delete()
        except DiscordFailure as trouble:
            if insist and trouble.kind not in GONE:
                raise
            if trouble.kind is not Failure.MESSAGE_GONE:
                log.info("a message stays that a newer one replaces: %s", trouble)

    def is_own(self, message: discord.Message) -> bool:
        """Whether this bot has sent the message."""
        return message.author == self._client.user

    async def make_sure(self, match: int, place: int, message: discord.PartialMessage, content: Content) -> str:
        """The nonce may have given back a message from before a crash or a lost answer, with what was true then. Gives
        the digest of what it says now; "" where it must be edited once more.

        Raises nothing: the message is there, and is to be noted. Discord forgets a nonce, and would send a second one.
        """
        if (match, place) not in self.sure:
            try:
                await edit(message, content)
            except DiscordFailure as trouble:
                if trouble.kind in (
                    Failure.LATER,
                    Failure.OLD,
                    Failure.MESSAGE_GONE,
                ):  # it may have been deleted before
                    return ""
                log.info("a message of match %d stays as it was sent: %s", match, trouble)
            self.sure.add((match, place))
        return content.digest()


class DirectMessages:
    """The gate to new direct-message channels: one every 2 s and five a minute for the whole bot.

    Discord takes more for spam. `clock` counts seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float], gap: float = DM_GAP) -> None:
        self._clock = clock
        self._gap = gap
        self._opened: deque[float] = deque(maxlen=DM_PER_MINUTE)
        self._gate = asyncio.Lock()

    async def open(self, user: discord.abc.User) -> int:
        """The id of the channel to this person. Raises DiscordFailure; `DM_CLOSED` where they take none."""
        assert isinstance(user, discord.User | discord.Member)
        if user.dm_channel is not None:
            return user.dm_channel.id
        async with self._gate:
            now = self._clock()
            wait = self._opened[-1] + self._gap - now if self._opened else 0.0
            if len(self._opened) == DM_PER_MINUTE and self._gap:
                wait = max(wait, self._opened[0] + 60 - now)
            if wait > 0:
                await asyncio.sleep(wait)
            self._opened.append(self._clock())
            async with discord_call():
                try:
                    return (await user.create_dm()).id
                except discord.HTTPException as error:
                    # Opening may answer 400 where 403 is meant.
                    if error.status in (400, 403) and error.code not in _KINDS and not _is_locked_out(error):
                        raise DiscordFailure(Failure.DM_CLOSED, error.code) from error
                    raise
