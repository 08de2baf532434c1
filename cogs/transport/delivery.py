"""Says once what is said once: the table, the end, hands, turn pings and digests, invitations, reminders, seasons,
events.

1. Note: before a message is sent, where and since when is stored (`Sending`). The note goes in the transaction that
   stores the message's id, or that it could not be sent.
2. Look: if a note is left, the answer to an earlier try was lost, or the bot ended before it could store the id. Then
   the bot looks in that channel for the message: one of its own, not older than the note, with the marks of what is
   said. It knows them by the ids of their controls, and plain texts by the digest that the note keeps.
3. Send, if it is not there. While Discord remembers the nonce, it returns the earlier message even so.

So it does not matter when the bot comes back. If it may not read a channel's history, the nonce is all it has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

import discord

from data.records.post import Sending


class Said(NamedTuple):
    """A message that is there."""

    message: int
    channel: int
    found: bool
    """Whether an earlier try has sent it, so that it may say something older."""


async def deliver(
    begun: Sending | None,
    sending: Sending,
    *,
    look: Callable[[Sending], Awaitable[int | None]],
    note: Callable[[Sending], Awaitable[object]],
    send: Callable[[], Awaitable[int]],
) -> Said:
    """Find the message whose send is noted as `begun`, or send it as `sending` says, and note that before. The caller
    stores the result. Raises DiscordFailure; if Discord refuses for good, the caller stores that too.
    """
    if begun is not None and (found := await look(begun)) is not None:
        return Said(found, begun.channel, True)
    await note(sending)
    return Said(await send(), sending.channel, False)


def mark(kind: str, text: str) -> str:
    """Return what a note keeps of a plain text, by which `bears` knows its message."""
    return f"{kind} {sha256(text.strip().encode()).hexdigest()[:16]}"


def bears(message: discord.Message, what: str) -> bool:
    """Return whether a message is, or its components say, the text that was noted so."""
    kind, _, _ = what.rpartition(" ")
    return any(mark(kind, text) == what for text in (message.content, *_texts(message.components)))


def _texts(components: Iterable[object]) -> Iterator[str]:
    for part in components:
        if isinstance(part, discord.TextDisplay):
            yield part.content
        yield from _texts(getattr(part, "children", ()))


def is_of_kind(sending: Sending, kind: str) -> bool:
    """Return whether a note is of a plain text of that kind."""
    return sending.what.rpartition(" ")[0] == kind
