"""The posts of matches: the messages that show them, and how far each has shown its match.

What must be shown follows from here and is stored: a post that shows an older version than its match is behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.records.match import OldTable, Post, StaleHand
from data.records.matches import Matches


class Posts:
    """The stored posts. Each method that writes raises NotStored if the database takes nothing."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def of(self, number: int) -> dict[int, Post]:
        """The posts of a match, by place: TABLE, CALL, or the seat whose hand it is."""
        return await self._matches.posts(number)

    async def note(self, *posts: Post, old: Sequence[OldTable] = (), gone: Sequence[OldTable] = ()) -> None:
        """Store what has been shown, in one transaction with the `old` messages of the table that are there as they
        say, and those that are `gone`. The hand of a player who has left meanwhile is stored as stale.
        """
        await self._matches.save_posts(posts, old=old, gone=gone)

    async def old_tables(self, number: int) -> list[OldTable]:
        """The messages that have shown the match's table before, the oldest first."""
        return await self._matches.old_tables(number)

    async def begin_sending(self, unknown: OldTable) -> bool:
        """Note that a message of the table is about to be sent. False if a note of an earlier send there is left."""
        return await self._matches.begin_sending(unknown)

    async def behind(self) -> list[int]:
        """The matches of which some post is behind."""
        return await self._matches.unshown()

    async def stale_hands(self, number: int) -> list[StaleHand]:
        """Direct messages with the hands of players who have left, still to be emptied."""
        return await self._matches.stale_hands(number)

    async def emptied(self, hand: StaleHand) -> None:
        """Note that this message is empty, or gone."""
        await self._matches.stale_hand_emptied(hand)

    async def has_invited(self, previous: int, ping: str) -> bool:
        """Whether a lobby that followed that match, and was called off, has sent that ping."""
        return await self._matches.has_invited(previous, ping)

    async def check_storage(self) -> None:
        """Raise NotStored if `note` would."""
        await self._matches.check_writable()
