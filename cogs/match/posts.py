"""The posts of matches: the messages that show them, and how far each has shown its match.

What must be shown follows from here and is stored: a post that shows an older version than its match is behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.records.match import Conflict
from data.records.matches import Matches
from data.records.post import OldTable, Post, StaleHand


class Posts:
    """The stored posts. Each method that writes raises NotStored if the database takes nothing."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def of(self, number: int) -> dict[int, Post]:
        """Return the posts of a match, by place: TABLE, CALL, or the seat whose hand it is."""
        return await self._matches.posts(number)

    async def note(self, *posts: Post, old: Sequence[OldTable] = (), gone: Sequence[OldTable] = ()) -> None:
        """Store these posts and these `old` messages of tables, and delete the `gone` ones, in one transaction. The
        hand of a player who has left since is stored as stale.
        """
        await self._matches.save_posts(posts, old=old, gone=gone)

    async def note_unchanged(self, post: Post, version: int) -> bool:
        """Store this post as `note` does. Return False if another process has changed it since it was read, or if the
        match has not that version any more.
        """
        try:
            await self._matches.save_posts([post], unchanged=version)
        except Conflict:
            return False
        return True

    async def old_tables(self, number: int) -> list[OldTable]:
        """Return the messages that have shown the match's table before, the oldest first."""
        return await self._matches.old_tables(number)

    async def forget_refusals(self, channel: int | None = None) -> list[int]:
        """Forget that Discord refused to change or delete these old tables, in this channel or in all: the bot tries
        again. Return the numbers of their matches, which are behind from now on.
        """
        return await self._matches.forget_refusals(channel)

    async def begin_sending(self, unknown: OldTable) -> bool:
        """Store that a message of the table will be sent. Return False if the note of an earlier send there is left."""
        return await self._matches.begin_sending(unknown)

    async def behind(self) -> list[int]:
        """Return the numbers of the matches with a post that is behind."""
        return await self._matches.index.unshown()

    async def doubt(self, number: int) -> None:
        """Store that it is unknown what the messages of a match show: each is edited once more."""
        await self._matches.doubt_posts(number)

    async def stale_hands(self, number: int) -> list[StaleHand]:
        """Return the direct messages with hands of players who have left, which are not emptied yet."""
        return await self._matches.stale_hands(number)

    async def emptied(self, hand: StaleHand) -> None:
        """Store that this message is emptied or deleted."""
        await self._matches.stale_hand_emptied(hand)

    async def has_invited(self, previous: int) -> bool:
        """Return whether a lobby that followed that match, and was called off, has sent its invitation."""
        return await self._matches.index.has_invited(previous)

    async def invitations(self, number: int) -> dict[int, int]:
        """Return the message that invited each guest of a lobby, by user; SENDING and 0 as in data/records/match.py.
        Guests without one are left out.
        """
        return await self._matches.invitations(number)

    async def times_invited(self, user: int, host: int, since: int) -> int:
        """Return to how many lobbies of that host, opened since that instant, a message has invited the user."""
        return await self._matches.times_invited(user, host, since)

    async def inviting_in(self, number: int) -> int | None:
        """Return the channel in which a message is being sent that invites guests of that match, or None."""
        return await self._matches.inviting_in(number)

    async def note_invitations(self, number: int, users: Sequence[int], message: int, channel: int, since: int) -> None:
        """Store that this message invites these guests, or what stands in its place. `channel`: where it is sent; it
        was not sent before `since`. Once the lobby is over it is an old message of the table.
        """
        await self._matches.save_invitations(number, users, message, channel, since)

    async def check_storage(self) -> None:
        """Raise NotStored if `note` would."""
        await self._matches.check_writable()
