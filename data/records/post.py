"""The messages that show matches, as they are stored: a type for each kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, StrEnum
from typing import Self, TypeVar

from data.records.pings import NO_PINGS, Ping, SeatPings


class PostState(StrEnum):
    """What stands in place of the digest of a message's content. The values are stored, and part of nonces."""

    UNSURE = ""
    """The message may show anything, or there was none."""
    BACK = "back"
    """The player is back on the seat, and the hand's message says that they have left."""
    RESENDING = "anew"
    """The table's message is being sent again."""
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
class Sending:
    """A send that has begun: if its answer is lost, the message may be there (cogs/transport/delivery.py)."""

    channel: int
    since: int
    """It was not sent before this instant, in seconds since 1970."""
    what: str = ""
    """What tells the message from others of the bot there; of a hand, what it says to its player."""

    def __str__(self) -> str:
        """The text that is stored."""
        return f"{self.since} {self.channel} {self.what}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the send of a stored text."""
        since, channel, *what = text.split(" ", 2)
        return cls(int(channel), int(since), *what)


@dataclass(frozen=True, slots=True)
class Post:
    """A message that shows a match."""

    match: int
    channel: int
    message: int | None = None
    """Discord's id; None: there is no message."""
    shown: int = 0
    """The version of the match up to which it is shown. The post is behind if the match has a later one."""
    digest: str | SentAfter = PostState.UNSURE
    """The digest of the message's content, also after the message was deleted; or what stands in its place."""
    _: KW_ONLY
    sending: Sending | None = None
    """The message being sent, whose id is not known yet."""
    origin: Origin | None = field(default=None, repr=False, compare=False)
    """Its row, if other processes may change it (post_merge.py)."""

    @property
    def after(self) -> int | str:
        """What makes the nonce of the next message another than that of the last."""
        return str(self.digest) if self.message is None else self.message

    @property
    def newest(self) -> int:
        """The id of the last message that is known to have been sent; 0: none is known."""
        if self.message is not None:
            return self.message
        return self.digest.message if isinstance(self.digest, SentAfter) else 0

    @property
    def of(self) -> tuple[type[Post], int | None]:
        """Its kind, and the seat if it is a hand: no two posts of a match have the same."""
        return type(self), None


@dataclass(frozen=True, slots=True)
class TablePost(Post):
    """The table's message."""

    _: KW_ONLY
    mentioning: SeatPings | None = None
    """The pings of a mention that is being sent."""
    invited: bool = False
    """Of a lobby: whether its invitation is sent."""
    called: bool = False
    """Of a lobby: whether its host has been told that enough players are there."""
    announced: bool = False
    """Of a lobby: whether it has pinged the role of the server's players."""
    ping: int | None = None
    """The id of its last mention."""
    mentioned_again: SeatPings = NO_PINGS
    """The turns for which it has mentioned a player again after it moved."""
    reminded: int | None = None
    """Of a lobby: the start time of which its players have been reminded."""

    @property
    def of_lobby(self) -> bool:
        """Whether it notes what was said in the lobby, which means nothing once the match has begun."""
        return self.invited or self.called or self.announced or self.reminded is not None

    def begun(self) -> Self:
        """Return the post of a match that has begun."""
        return replace(self, invited=False, called=False, announced=False, reminded=None)


@dataclass(frozen=True, slots=True)
class NoticePost(Post):
    """The notice that a player looks for a substitute."""

    _: KW_ONLY
    deleted: int | None = None
    """The id of the notice deleted last."""


@dataclass(frozen=True, slots=True)
class EndPost(Post):
    """The message that tells the end of a match."""


@dataclass(frozen=True, slots=True)
class EventPost(Post):
    """The event in the server's calendar that announces a lobby's start. Its channel is always 0."""

    _: KW_ONLY
    over: bool = False
    """The lobby is over: the event is never behind again."""


@dataclass(frozen=True, slots=True)
class HandPost(Post):
    """The direct message that shows a seat's hand."""

    _: KW_ONLY
    seat: int
    user: int | None
    """The player whose hand it is; None: an old version did not store it."""
    pinged: Ping | None = None
    """The last ping that its player has had or no longer needs."""
    mentioned: Ping | None = None
    """As `pinged`, but for mentions alone, since a player can want both ways."""

    @property
    def of(self) -> tuple[type[Post], int | None]:
        """Its kind and its seat."""
        return HandPost, self.seat


P = TypeVar("P", bound=Post)


@dataclass(frozen=True, slots=True)
class Posts:
    """The posts of one match."""

    all: tuple[Post, ...] = ()

    def __iter__(self) -> Iterator[Post]:
        return iter(self.all)

    @property
    def table(self) -> TablePost:
        """The table's post. Raises LookupError of a private match, which has none."""
        found = self._one(TablePost)
        if found is None:
            raise LookupError("the match has no table")
        return found

    @property
    def notice(self) -> NoticePost | None:
        """The substitute notice, once a player has looked for a substitute."""
        return self._one(NoticePost)

    @property
    def the_end(self) -> EndPost | None:
        """The message that tells the end, once the match has ended."""
        return self._one(EndPost)

    @property
    def event(self) -> EventPost | None:
        """The event, once the lobby has had a start time."""
        return self._one(EventPost)

    @property
    def hands(self) -> dict[int, HandPost]:
        """The hands, by seat."""
        return {post.seat: post for post in self.all if isinstance(post, HandPost)}

    def having(self, post: Post) -> Self:
        """Return these posts with that one in place of the one of its kind, if there is one."""
        return type(self)(tuple(post if post.of == other.of else other for other in self.all))

    def _one(self, kind: type[P]) -> P | None:
        return next((post for post in self.all if isinstance(post, kind)), None)


@dataclass(slots=True)
class Origin:
    """The row of a post as it was read, or stored since: `post`, and how often several processes had changed it. All
    copies of the post share it.
    """

    post: Post
    revision: int


@dataclass(frozen=True, slots=True)
class StaleHand:
    """A direct message with the hand of a player who has left, which the bot must still empty."""

    match: int
    user: int | None
    """None: their data was deleted."""
    channel: int
    message: int | None
    """None: a send whose answer never came may have made the message."""


@dataclass(frozen=True, slots=True)
class OldTable:
    """A message, in a channel or thread, that has shown the table of a match until a newer one replaced it."""

    match: int
    channel: int
    message: int | None
    """None: a send whose answer never came may have made the message."""
    since: int
    """It was not sent before this instant, in seconds since 1970."""
    named: int | None = None
    """The channel or thread in which the message says that the table is now; None: it may still show the table."""
    refused: bool = False
    """Whether it still shows the table, because Discord refused to change or delete it while the table was there."""


class Invitation(Enum):
    """Stands in place of the id of the message that invites a guest."""

    SENDING = -1
    """It is being sent."""
    NONE = 0
    """It could not be sent."""
