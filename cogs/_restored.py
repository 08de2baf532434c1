"""After a backup was restored: whether Discord shows later moves of a match than the database knows.

Every table's message ends in a mark: how many things have happened that everybody could see, and a hash of what an
onlooker sees now. Both follow from public facts alone, so that sealing anew, which nobody may notice, leaves the mark
as it is; and the number only ever grows, also where a move is taken back. A match whose table carries a later mark, or
another hash at the same number, rests until its people decide; every other goes on as if nothing had happened.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

import discord

from cogs._components import Id
from cogs._discord import Kind, Trouble, calls
from cogs._host import Host
from cogs._replay import Told
from data.match import Doubt, Match, Post, Status
from rules.core.game import AnyState

log = logging.getLogger(__name__)

MOST_LOOKED_AT = 100
"""Messages that are looked at where the table's is gone: a newer one has often taken its place."""
_MARK = re.compile(r"\b(\d{1,9}) · `([0-9a-f]{8})`$", re.MULTILINE)


class Mark(NamedTuple):
    """What a table's message says of its position."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number} · `{self.hash}`"

    def is_behind(self, shown: Mark) -> bool:
        """Whether somebody who has seen `shown` has seen something that this position does not know."""
        return shown.number > self.number or (shown.number == self.number and shown.hash != self.hash)


def mark(match: Match, state: AnyState, story: Sequence[Told]) -> Mark:
    """The mark of a started match with that story."""
    seen = sum(told.event.seen_by(None) is not None for told in story)
    shown = json.dumps([match.ending, state.view(None).to_json()], sort_keys=True, separators=(",", ":"))
    return Mark(seen + match.branch, sha256(shown.encode()).hexdigest()[:8])


async def compare(client: discord.Client, host: Host, match: Match, post: Post) -> tuple[Match, Post]:
    """Find out whether Discord shows later moves of a match than are stored, and store that. Raises Trouble.

    Where the table's message was replaced meanwhile, the post that is given back names the one that took its place.
    """
    found = await _shown(client, match, post)
    own = mark(match, host.state(match), await host.story(match))
    message, shown = (None, None) if found is None else found
    behind = shown is not None and own.is_behind(shown)
    if shown != own:  # whatever stands there is not what was noted down
        post = replace(post, digest="")
    if message is not None and message.id != post.message:
        post = replace(post, channel=message.channel.id, message=message.id)
    await host.matches.save_posts([post])
    if behind:
        log.warning("match %d rests: Discord shows later moves than the restored backup knows", match.id)
    return await _settle(host, match.id, behind), post


async def _settle(host: Host, number: int, behind: bool) -> Match:
    async with host.deciding(number) as match:
        if match.doubt is not Doubt.UNCHECKED:
            return match
        if not behind or match.status is not Status.PLAYING:
            return await host.save(replace(match, doubt=None))
        since = match.rests_since or int(host.now())
        return await host.save(
            replace(match, doubt=Doubt.BEHIND, restores=match.restores + 1, rests_since=since), votes={}
        )


async def _shown(client: discord.Client, match: Match, post: Post) -> tuple[discord.Message, Mark] | None:
    """The message that shows the table now, with its mark; None where Discord shows none."""
    channel = client.get_partial_messageable(post.channel, guild_id=match.guild)
    try:
        if post.message is not None:
            try:
                async with calls():
                    message = await channel.fetch_message(post.message)
                found = mark_of(message, match.id)
                return None if found is None else (message, found)
            except Trouble as trouble:
                if trouble.kind is not Kind.MESSAGE_GONE:
                    raise
        async with calls():
            later = [m async for m in channel.history(limit=MOST_LOOKED_AT)]  # the newest first
    except Trouble as trouble:
        if trouble.kind is Kind.LATER:
            raise
        log.info("match %d cannot be compared with what Discord shows: %s", match.id, trouble)
        return None
    marked = ((message, mark_of(message, match.id)) for message in later)
    return next(((message, found) for message, found in marked if found is not None), None)


def mark_of(message: discord.Message, number: int) -> Mark | None:
    """The mark of that match's table; None where the message shows no table of it."""
    parts = [part for component in message.components for part in _parts(component.to_dict())]
    ids = (Id.parse(str(part.get("custom_id", ""))) for part in parts)
    if not any(pressed is not None and pressed.match == number for pressed in ids):
        return None
    texts = "\n".join(str(part.get("content", "")) for part in parts)
    found = _MARK.findall(texts)
    return Mark(int(found[-1][0]), found[-1][1]) if found else None


def _parts(component: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A component with all that are in it."""
    yield component
    for part in component.get("components", ()):
        yield from _parts(part)
