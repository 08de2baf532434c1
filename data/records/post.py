"""The messages that show matches, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from data.records.pings import NO_PINGS, Ping, SeatPings

TABLE, CALL, END, EVENT = -1, -2, -3, -4
"""The places of the public posts: the table's message, the substitute notice, the message that tells the end, and the
event in the server's calendar that announces a lobby's start. A place from 0 on is a seat, whose post is a direct
message.
"""


class PostState(StrEnum):
    """What stands in place of the digest of a message's content. The values are stored."""

    UNSURE = ""
    """The message may show anything, or there was none."""
    BACK = "back"
    """The player is back on the seat, and the hand's message says that they have left."""
    RESENDING = "anew"
    """The table's message is being sent again."""
    SENDING = "sending"
    """A send of the message that tells the end has begun. If its answer is lost, the message may be there."""
    GIVEN_UP = "given up"
    """Discord refuses the message that tells the end. The table tells it alone."""


@dataclass(frozen=True, slots=True)
class SentAfter:
    """Stands in place of a digest: the post has no message, and the next one is sent after this one."""

    message: int

    def __str__(self) -> str:
        """The text that is stored."""
        return f"after {self.message}"


@dataclass(frozen=True, slots=True)
class Post:
    """A message that shows a match: the table's, the substitute notice, or a hand."""

    match: int
    place: int
    """TABLE, CALL, END, or the seat whose hand it is."""
    channel: int
    message: int | None = None
    """Discord's id; None: there is no message."""
    shown: int = 0
    """The version of the match up to which it is shown. The post is behind if the match has a later one."""
    digest: str | SentAfter = PostState.UNSURE
    """The digest of the message's content, also after the message was deleted; or what stands in its place."""
    pinged: Ping | None = None
    """Of a hand: the last ping that its player has had or no longer needs."""
    mentioning: SeatPings | None = None
    """Of the table: the pings of a mention that is being sent."""
    invited: bool = False
    """Of a lobby: whether its invitation is sent."""
    ping: int | None = None
    """Of the table: the id of its last mention. Of the substitute notice: the id of the notice deleted last."""
    user: int | None = None
    """The player whose hand it is; None for public posts."""
    mentioned: Ping | None = None
    """Of a hand: as `pinged`, but for mentions alone, since a player can want both ways."""
    mentioned_again: SeatPings = NO_PINGS
    """Of the table: the turns for which it has mentioned a player again after it moved."""
    reminded: int | None = None
    """Of a lobby: the start time of which its players have been reminded."""
    origin: Origin | None = field(default=None, repr=False, compare=False)
    """Its row, if other processes may change it (post_merge.py)."""

    @property
    def after(self) -> int | str:
        """What makes the nonce of the next message another than that of the last."""
        return str(self.digest) if self.message is None else self.message


@dataclass(slots=True)
class Origin:
    """The row of a post as it was read, or stored since: `post`, and how often several processes had changed it. All
    copies of the post share it.
    """

    post: Post
    revision: int


@dataclass(frozen=True, slots=True)
class StaleHand:
    """A direct message with the hand of a player who has left, which the bot must still empty. `user` 0: their data was
    deleted.
    """

    match: int
    user: int
    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class OldTable:
    """A message, in a channel or thread, that has shown the table of a match until a newer one replaced it."""

    match: int
    channel: int
    message: int
    """UNKNOWN: a send whose answer never came may have made the message."""
    since: int
    """It was not sent before this instant, in seconds since 1970."""
    named: int = 0
    """The channel or thread in which the message says that the table is now; 0: it may still show the table. Negative:
    it still shows the table, because Discord refused to change or delete it while the table was in
    the channel or thread of that number.
    """


SENDING = -1
"""Stored in place of the id of the message that invites a guest while it is being sent; 0 if it could not be sent."""
UNKNOWN = 0
"""Stored in place of a message's id that is not known."""
