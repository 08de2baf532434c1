"""Shows one match in all its messages: the table (table_message.py), the end (side_messages.py), the hands
(hand_messages.py), the pings (pings.py), and its event (calendar_events.py). The publisher says when.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import discord

from cogs.match import duplicates
from cogs.match.quarantine import Fault
from cogs.messages import table as table_texts
from cogs.messages.presenter import Presenter
from cogs.transport.calendar_events import CalendarEvents
from cogs.transport.compare_restored import compare
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.errors import DiscordFailure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.lobby_pings import LobbyPings
from cogs.transport.newcomers import Newcomers
from cogs.transport.pings import Pings
from cogs.transport.request_budget import Postponed, Requests
from cogs.transport.senders import DirectMessages, Handles
from cogs.transport.server_lookup import BEFORE_PINGS, Members, ServerLookup
from cogs.transport.side_messages import EndMessage, SubstituteNotice
from cogs.transport.table_message import TableMessage, unsure
from data.records.match import Match, RestoreCheck, Status
from data.records.people import Person
from data.records.post import HandPost, NoticePost, OldTable, Posts, PostState, SentAfter, TablePost
from data.turns import asker
from rules.core.game import Seat

log = logging.getLogger(__name__)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a try to show a match has come to."""

    version: int = 0
    """The version of the match; 0 if there is none."""
    edited: bool = False
    """Whether the table's message has changed."""
    again: bool = False
    """Whether to show the match once more: the table has moved, or must tell the end."""
    failure: Exception | None = None
    """The first failure, after the rest was tried: a fault of ours before one of Discord's."""
    delays_a_player: bool = False
    """Whether a failure keeps something from the table or from a player who is to move."""


class _Attempts:
    """The parts of one showing. Each is tried, also after another has failed; the publisher reports the failures."""

    def __init__(self) -> None:
        self.failed: list[Exception] = []
        self.delays_a_player = False

    # Takes a function: a coroutine made outside would never be awaited if this is cancelled before its turn.
    async def __call__(self, work: Callable[[], Awaitable[T]], delays: bool = True) -> T | None:
        """Return what the work returns; None if it failed. `delays`: its failure keeps something from the table or from
        a player who is to move.
        """
        try:
            return await work()
        except Exception as error:
            self.failed.append(error)
            self.delays_a_player |= delays
            return None

    @property
    def failure(self) -> Exception | None:
        """The first failure: a fault of ours before one of Discord's."""
        return min(self.failed, key=lambda error: isinstance(error, DiscordFailure), default=None)


class MatchPosts:
    """The messages of all matches."""

    def __init__(
        self,
        client: discord.Client,
        messages: Presenter,
        computers: ComputerMoves,
        servers: ServerLookup,
        members: Members,
        requests: Requests,
        postponed: Postponed,
        direct: DirectMessages,
    ) -> None:
        self._client = client
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages
        self._computers = computers
        self._servers = servers
        self._members = members
        self.handles = Handles(client)
        self.postponed = postponed
        self.pings = Pings(self.handles, messages)
        lobby = LobbyPings(self.handles, messages)
        self.table = TableMessage(self.handles, messages, self.pings, lobby, requests.is_scarce)
        self._notice = SubstituteNotice(self.handles, messages)
        self._end = EndMessage(self.handles, messages, self.pings)
        self.hands = HandMessages(self.handles, messages, self.pings, requests.reserved)
        self.newcomers = Newcomers(client, messages, direct, self.hands)
        self._events = CalendarEvents(servers, messages)

    async def show(self, number: int, *, missed: bool = False) -> Shown:
        """Show a match as it is stored now. `missed`: send or edit the table even if its post is up to date, as its
        message may have been deleted. Raises what keeps it from being shown at all.
        """
        match = await self._service.find(number)
        if match is None:
            return Shown()
        asker.set(match.host)  # no one person's tables delay those of others
        if match.paused:  # shown when it goes on; by then a hand may belong to no player, so those are emptied now
            return Shown(match.version, failure=await self._empty_hands_alone(match), delays_a_player=True)
        version = match.version
        ended = not match.open or await self._service.quarantine.fault(match) is not None
        if ended and match.duplicate is not None:  # here, because every end is shown, however it came about
            await duplicates.release(self._service, match.duplicate)
            match = await self._service.find(number)
            assert match is not None
        posts = await self._posts.of(number)
        if missed and not match.private:
            posts = posts.having(unsure(posts.table))
        if (fault := await self._service.quarantine.fault(match)) is not None:
            return await self._show_quarantined(match, posts, fault, version)
        if match.doubt is RestoreCheck.UNCHECKED:
            match, table = await compare(self._client, self._service, match, posts.table)
            posts = posts.having(table)
        out = await self._out(match, posts)
        people = await self._service.people.several([chair.player for chair in match.people if chair.player not in out])
        for person in people.values():
            await self.newcomers.greet(match, person)
        self._computers.move_at(match)
        to_move = self._service.state(match).to_move() if match.running else frozenset()
        attempt, edited, again = _Attempts(), False, False
        is_there = match.ending != "away" or await self._servers.is_there(match.guild)
        if is_there and not match.private:  # otherwise once the bot is invited again
            edited, again = await self._show_in_channel(match, posts, people, attempt)
        if match.status is not Status.LOBBY or match.private:
            await self._show_hands(match, posts.hands, people, to_move, attempt)
        for hand in await self._posts.stale_hands(number):
            await attempt(partial(self.hands.empty, match, hand), False)
        return Shown(version, edited, again, attempt.failure, attempt.delays_a_player)

    async def _show_quarantined(self, match: Match, posts: Posts, fault: Fault, version: int) -> Shown:
        """Show that a match cannot be read and why, in place of its table, and nothing else of it."""
        edited = again = False
        if not match.private:
            before = posts.table
            table = await self.table.put(match, before, table_texts.quarantined_message(self._messages, match, fault))
            await self.table.tidy(match)
            edited, again = _changed(before, table), table.channel != before.channel
        failure = await self._empty_hands_alone(match)
        return Shown(version, edited, again, failure, delays_a_player=True)

    async def _show_in_channel(
        self, match: Match, posts: Posts, people: dict[int, Person], attempt: _Attempts
    ) -> tuple[bool, bool]:
        """Show the table and all beside it. Return whether its message has changed, and whether to show it again."""
        before = posts.table
        await attempt(partial(self.table.show, match, posts, people))
        table = (await self._posts.of(match.id)).table
        again = table.channel != before.channel
        await self._link(match, before, table)
        if not attempt.failed and not again:  # otherwise the table may still move to the place of an old message
            await attempt(partial(self._tidy, match), False)
        if match.tells_end and not attempt.failed and not again:
            again = bool(await attempt(partial(self._tell_end, match, people), False))
        if posts.notice is not None:
            await attempt(partial(self._notice.show, match, posts.notice))
        if posts.event is not None and not posts.event.over and posts.event.shown < match.version:
            await attempt(partial(self._events.show, match, posts.event), False)
        return _changed(before, table), again

    async def _show_hands(
        self,
        match: Match,
        hands: Mapping[int, HandPost],
        people: dict[int, Person],
        to_move: Collection[Seat],
        attempt: _Attempts,
    ) -> None:
        """Show the hands, all at once. While requests are scarce, only those that are waited for."""
        seated = [(c.number, people[c.user]) for c in match.people if c.user in people and c.number in hands]
        now = seated
        if match.running and self.postponed.is_scarce():
            now = [(seat, p) for seat, p in seated if seat in to_move or self._owes(match, hands[seat])]
            if len(now) < len(seated):
                self.postponed.put(match.id)
        else:
            self.postponed.forget(match.id)
        await asyncio.gather(*(attempt(partial(self.hands.show, match, p), seat in to_move) for seat, p in now))

    async def _out(self, match: Match, posts: Posts) -> set[int]:
        """Return the players who would get a ping now and have left the server."""
        if not match.running:
            return set()
        hands = posts.hands
        owed = [chair for chair in match.people if chair.number in hands and self._owes(match, hands[chair.number])]
        return {c.player for c in owed if await self._members.is_out(match, c.player, BEFORE_PINGS)}

    def _owes(self, match: Match, post: HandPost) -> bool:
        """Return whether the player whose hand that is still needs a ping."""
        return self.pings.reason(match, post.seat, post.pinged) is not None

    async def _link(self, match: Match, before: TablePost, now: TablePost) -> None:
        """Show a group's other lobbies again if their link to this table is wrong. `before`: its post until now."""
        if match.duplicate is None or (match.status is not Status.CANCELLED and now.message == before.message):
            return
        for other in await self._service.index.duplicates_of(match):
            if other.status is Status.LOBBY:
                self._service.listener.changed(other.id)

    async def _tidy(self, shown: Match) -> None:
        """Take down the old tables of a match. Read the match again: showing it may have opened a thread."""
        match = await self._service.find(shown.id)
        assert match is not None
        if match.place == shown.place:  # otherwise show the table there first
            await self.table.tidy(match)

    async def _tell_end(self, shown: Match, people: Mapping[int, Person]) -> bool:
        """Tell the end of a match, read again as the table may have moved. Return whether to show the table again."""
        match = await self._service.find(shown.id)
        assert match is not None
        return match.place == shown.place and await self._end.show(match, people)

    async def _empty_hands_alone(self, match: Match) -> Exception | None:
        """Empty the stale hands of a match whose other hands are not shown now. Return the first failure."""
        return next(iter(await self.hands.empty_stale(match)), None)

    async def forget_shown(self, number: int) -> None:
        """Forget what was shown of a match: next time its table is a new message, and each player to move gets a ping.

        Only for a paused match: otherwise what a worker sends meanwhile would be forgotten too.
        """
        match, posts = await self._service.find(number), await self._posts.of(number)
        assert match is not None
        old = list[OldTable]()
        for post in posts:
            if isinstance(post, TablePost | NoticePost) and post.message is not None:
                try:
                    await self.handles.delete(
                        match.guild, post.channel, post.message, insist=isinstance(post, TablePost)
                    )
                except DiscordFailure as failure:
                    log.info("the table of match %d is deleted later: %s", number, failure)
                    old.append(OldTable(number, post.channel, post.message, int(self._service.now())))
                # `invited` stays: a lobby sends its invitations once.
                posts = posts.having(replace(post, message=None, digest=SentAfter(post.message)))
            elif isinstance(post, HandPost):
                posts = posts.having(replace(post, digest=PostState.UNSURE, pinged=None, mentioned=None))
        await self._posts.note(*posts, old=old)


def _changed(before: TablePost, now: TablePost) -> bool:
    """Return whether the table's message is another one now, or shows something else."""
    return (before.channel, before.message, before.digest) != (now.channel, now.message, now.digest)
