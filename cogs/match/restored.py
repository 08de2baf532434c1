"""After a backup was restored: whether Discord shows later moves of a match than the database knows.

Every table's message ends in a mark: how many things have happened that everybody could see, and a hash of what an
onlooker sees now. Both follow from public facts alone, so that sealing anew, which nobody may notice, leaves the mark
as it is; and the number only ever grows, also where a move is taken back. A match whose table carries a later mark, or
another hash at the same number, rests until its people decide; every other goes on as if nothing had happened. Where
the table's message is that of a match that has ended, it is stopped: the end has shown the secret.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

import discord

from cogs.match.replay import LoggedEvent
from cogs.match.service import MatchService
from cogs.transport.components import offered_in, parts_of
from cogs.transport.senders import DiscordFailure, Failure, discord_call
from data.records.match import Match, Post, RestoreCheck, Status
from rules.core.game import AnyState

log = logging.getLogger(__name__)

MOST_LOOKED_AT = 100
"""Messages that are looked at where the table's is gone: a newer one has often taken its place."""
_AT_THE_END = {"verify", "again"}
"""What only the table of a match that has ended offers."""
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


class Shown(NamedTuple):
    """What Discord shows of a match: the message of its table, its mark, and whether the match has ended there."""

    message: discord.Message
    mark: Mark
    ended: bool


def mark(match: Match, state: AnyState, story: Sequence[LoggedEvent]) -> Mark:
    """The mark of a started match with that story."""
    seen = sum(told.event.seen_by(None) is not None for told in story)
    shown = json.dumps([match.ending, state.view(None).to_json()], sort_keys=True, separators=(",", ":"))
    return Mark(seen + match.branch, sha256(shown.encode()).hexdigest()[:8])


async def compare(client: discord.Client, host: MatchService, match: Match, post: Post) -> tuple[Match, Post]:
    """Find out whether Discord shows later moves of a match than are stored, and store that. Raises Trouble.

    Where the table's message was replaced meanwhile, the post that is given back names the one that took its place.
    """
    found = await _shown(client, match, post)
    own = mark(match, host.state(match), await host.story(match))
    if found is None or found.mark != own:  # whatever stands there is not what was noted down
        post = replace(post, digest="")
    if found is not None and found.ended:
        post = replace(post, message=None)  # what it says of the end is not written over
    elif found is not None and found.message.id != post.message:
        post = replace(post, channel=found.message.channel.id, message=found.message.id)
    await host.matches.save_posts([post])
    behind = found is not None and (found.ended or own.is_behind(found.mark))
    return await _settle(host, match.id, behind, found is not None and found.ended), post


async def _settle(host: MatchService, number: int, behind: bool, ended: bool) -> Match:
    async with host.deciding(number) as match:
        if match.doubt is not RestoreCheck.UNCHECKED:
            return match
        if not behind or match.status is not Status.PLAYING:
            return await host.save(replace(match, doubt=None))
        now, settled = int(host.now()), replace(match, doubt=RestoreCheck.BEHIND, restores=match.restores + 1)
        if ended:
            log.warning("match %d is stopped: Discord shows its end, which the restored backup does not know", number)
            settled = replace(settled, status=Status.STOPPED, ended_at=now, rests_since=None)
        else:
            log.warning("match %d rests: Discord shows later moves than the restored backup knows", number)
            settled = replace(settled, rests_since=match.rests_since or now)
        return await host.save(settled, votes={})


async def _shown(client: discord.Client, match: Match, post: Post) -> Shown | None:
    """The message that shows the table now; None where Discord shows none."""
    channel = client.get_partial_messageable(post.channel, guild_id=match.guild)
    try:
        if post.message is not None:
            try:
                async with discord_call():
                    message = await channel.fetch_message(post.message)
                return shown_by(message, match.id)
            except DiscordFailure as trouble:
                if trouble.kind is not Failure.MESSAGE_GONE:
                    raise
        async with discord_call():
            # The newest first; and none that another bot has sent.
            later = [m async for m in channel.history(limit=MOST_LOOKED_AT) if m.author == client.user]
    except DiscordFailure as trouble:
        if trouble.kind is Failure.LATER:
            raise
        log.info("match %d cannot be compared with what Discord shows: %s", match.id, trouble)
        return None
    return next((found for message in later if (found := shown_by(message, match.id)) is not None), None)


def shown_by(message: discord.Message, number: int) -> Shown | None:
    """What the message shows of that match; None where it is no table of it."""
    offered = {pressed.action for pressed in offered_in(message, number)}
    found = _MARK.findall("\n".join(str(part.get("content", "")) for part in parts_of(message)))
    if not offered or not found:
        return None
    return Shown(message, Mark(int(found[-1][0]), found[-1][1]), bool(offered & _AT_THE_END))
