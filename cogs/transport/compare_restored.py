"""Reads what Discord shows of a match after a backup was restored, and compares it with what is stored.

cogs/match/restored.py explains the mark that each table's message carries, and decides what the result does to a match.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import discord

from cogs.match.restored import ENDED, Mark, mark, settle
from cogs.match.service import MatchService
from cogs.transport.components import offered_in, parts_of
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from data.records.match import Match
from data.records.post import OldTable, PostState, TablePost

log = logging.getLogger(__name__)

MOST_LOOKED_AT = 100
"""Messages to search at most if the table's message is gone: often a newer message of the table has replaced it."""
_AT_THE_END = {"verify", "again"}
"""Actions that only messages about an ended match offer."""
_PLACE = re.compile(r"<#(\d+)>")
"""A channel or thread, as named by a message that says where the table is."""
_MARK = re.compile(r"\b(\d{1,9}) · `([0-9a-f]{8})`$", re.MULTILINE)
"""The mark as older versions have written it: "Position 41 · `8f3a09bc`", in any language, as the last line."""


class Shown(NamedTuple):
    """What Discord shows of a match: the message of its table, its mark, and whether the match has ended there."""

    message: discord.Message
    mark: Mark
    ended: bool


async def compare(
    client: discord.Client, service: MatchService, match: Match, post: TablePost
) -> tuple[Match, TablePost]:
    """Find out whether Discord shows later moves of a match than are stored, and store the result.

    Return the match and the post of its table; the post names the newer message if one has replaced the table's
    message. Raises DiscordFailure if Discord cannot say now.
    """
    found = await _shown(client, match, post)
    own = mark(match, service.state(match), await service.events_of(match))
    old = list[OldTable]()
    if found is None or found.mark != own:  # the stored digest is not that of the message
        post = replace(post, digest=PostState.UNSURE)
    if found is not None and found.ended:
        post = replace(post, message=None)  # the message that shows the end must not be overwritten
    elif found is not None and found.message.id != post.message:
        if post.message is not None:
            old.append(OldTable(match.id, post.channel, post.message, int(service.now())))
        post = replace(post, channel=found.message.channel.id, message=found.message.id)
    await service.posts.note(post, old=old)
    behind = found is not None and (found.ended or own.is_behind(found.mark))
    return await settle(service, match.id, behind, found is not None and found.ended), post


async def _shown(client: discord.Client, match: Match, post: TablePost) -> Shown | None:
    """Return the message that shows the table now, also if it has moved since; None if Discord shows none."""
    channel = client.get_partial_messageable(post.channel, guild_id=match.guild)
    try:
        if post.message is not None:
            try:
                async with discord_call():
                    message = await channel.fetch_message(post.message)
                if (shown := shown_by(message, match.id)) is not None:
                    return shown
                elsewhere = [int(place) for part in parts_of(message) for place in _PLACE.findall(_text(part))]
                return await _newest(client, match, elsewhere[0]) if elsewhere else None
            except DiscordFailure as failure:
                if failure.kind is not Failure.MESSAGE_GONE:
                    raise
        return await _newest(client, match, post.channel)
    except DiscordFailure as failure:
        failure.raise_if(Failure.LATER)
        log.info("match %d cannot be compared with what Discord shows: %s", match.id, failure)
        return None


async def _newest(client: discord.Client, match: Match, place: int) -> Shown | None:
    """Return the newest message of this bot in that channel that shows the table."""
    channel = client.get_partial_messageable(place, guild_id=match.guild)
    async with discord_call():
        later = [m async for m in channel.history(limit=MOST_LOOKED_AT) if m.author == client.user]
    return next((found for message in later if (found := shown_by(message, match.id)) is not None), None)


def _text(part: Mapping[str, Any]) -> str:
    return str(part.get("content", ""))


def shown_by(message: discord.Message, number: int) -> Shown | None:
    """Return what the message shows of that match; None if it is no table of it."""
    offered = offered_in(message, number)
    rests = [pressed.rest for pressed in offered if pressed.action == "fair"]
    found = [mark for rest in rests if (mark := Mark.of_rest(rest)) is not None]
    found = found or [Mark(int(n), digest) for n, digest in _MARK.findall("\n".join(map(_text, parts_of(message))))]
    if not offered or not found:
        return None
    ended = any(pressed.action in _AT_THE_END for pressed in offered) or any(rest.endswith(ENDED) for rest in rests)
    return Shown(message, found[-1], ended)
