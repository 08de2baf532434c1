"""Shows one match in all its messages: the table (table_message.py), the end (side_messages.py), the hands
(hand_messages.py), the pings (pings.py), and its event (calendar_events.py). The publisher says when.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import discord

from cogs.match import duplicates
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from cogs.transport.calendar_events import CalendarEvents
from cogs.transport.compare_restored import compare
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.errors import DiscordFailure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.lobby_pings import LobbyPings
from cogs.transport.match_worker import Worker
from cogs.transport.pings import Pings
from cogs.transport.request_budget import Postponed, Requests
from cogs.transport.senders import Handles
from cogs.transport.server_lookup import BEFORE_PINGS, Members, ServerLookup
from cogs.transport.side_messages import EndMessage, SubstituteNotice
from cogs.transport.table_message import TableMessage, unsure
from data.records.match import Match, RestoreCheck, Status
from data.records.people import People, Person
from data.records.post import HandPost, NoticePost, OldTable, Posts, PostState, SentAfter, TablePost
from data.turns import asker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MatchPostsCallbacks:
    """What the publisher does for them. Each gets a match's number, but for the last two."""

    changed: Callable[[int], None]
    """Show the match now."""
    later: Callable[[int], None]
    """Show the match when there is time."""
    again: Callable[[int], None]
    """Show the match once more, after this time."""
    edited: Callable[[int], None]
    """The table's message has changed."""
    credit: Callable[[Worker], Awaitable[None]]
    """Credit the clocks for the time in which the match could not be shown."""
    greet: Callable[[Match, Person], Awaitable[None]]
    """Open direct messages to a player if that was never tried."""


class MatchPosts:
    """The messages of all matches."""

    def __init__(
        self,
        client: discord.Client,
        service: MatchService,
        people: People,
        messages: Messages,
        computers: ComputerMoves,
        servers: ServerLookup,
        members: Members | None,
        requests: Requests,
        call: MatchPostsCallbacks,
    ) -> None:
        self._client = client
        self._service = service
        self._posts = service.posts
        self._people = people
        self._messages = messages
        self._computers = computers
        self._servers = servers
        self._members = members
        self._call = call
        self._handles = Handles(client)
        self.postponed = Postponed(requests.is_scarce, call.later)
        self.pings = Pings(self._handles, service, messages, call.changed)
        lobby = LobbyPings(self._handles, service, messages)
        self._table = TableMessage(
            *(self._handles, service, messages, self.pings, lobby, call.again, call.edited),
            requests.is_scarce,
        )
        self._notice = SubstituteNotice(self._handles, service, messages)
        self._end = EndMessage(self._handles, service, messages, self.pings, call.again)
        self.hands = HandMessages(
            *(self._handles, service, people, messages, self.pings, requests.reserved, call.changed)
        )
        self._events = CalendarEvents(servers, service, messages)

    async def show(self, worker: Worker) -> None:
        """Show the match of that worker as it is stored now. Raises the first failure, after it has tried the rest."""
        number = worker.number
        match = await self._service.find(number)
        if match is None:
            return
        worker.version = match.version
        asker.set(match.host)  # no one person's tables delay those of others
        if match.paused:  # shown when it goes on; by then a hand may belong to no player, so those are emptied now
            await self._empty_hands_alone(match)
            return
        ended = not match.open or await self._service.quarantine.fault(match) is not None
        if ended and match.duplicate is not None:  # here, because every end is shown, however it came about
            await duplicates.release(self._service, match.duplicate)
            match = await self._service.find(number)
            assert match is not None
        posts = await self._posts.of(number)
        if worker.missed and not match.lesson:
            posts = posts.having(unsure(posts.table))
        if (fault := await self._service.quarantine.fault(match)) is not None:
            if not match.lesson:
                await self._table.put(match, posts.table, self._messages.quarantined(match, fault))
                await self._table.tidy(match)
            await self._empty_hands_alone(match)
            return
        if match.doubt is RestoreCheck.UNCHECKED:
            match, table = await compare(self._client, self._service, match, posts.table)
            posts = posts.having(table)
        out = await self._out(match, posts)
        people = {
            chair.user: person
            for chair in match.people
            if chair.user is not None
            and chair.user not in out
            and (person := await self._people.get(chair.user)) is not None
        }
        for person in people.values():
            await self._call.greet(match, person)
        self._computers.move_at(match)
        to_move = self._service.state(match).to_move() if match.running else frozenset()
        failed: list[Exception] = []
        delays_a_player = False

        # Takes a function: a coroutine made outside would never be awaited if this is cancelled before its turn.
        async def attempt(work: Callable[[], Awaitable[None]], counts: bool = True) -> None:
            nonlocal delays_a_player
            try:
                await work()
            except Exception as error:  # the other posts are shown all the same; the worker reports it
                failed.append(error)
                delays_a_player = delays_a_player or counts

        is_there = match.ending != "away" or await self._servers.is_there(match.guild)
        if is_there and not match.lesson:  # otherwise once the bot is invited again; a lesson has no table
            before = posts.table
            await attempt(partial(self._table.show, match, posts, people))
            await self._link(match, before)
            if not failed:  # otherwise the table may still move to the place of an old message
                await attempt(partial(self._tidy, worker), False)
            if match.tells_end and not failed:
                await attempt(partial(self._tell_end, worker, people), False)
            if posts.notice is not None:
                await attempt(partial(self._notice.show, match, posts.notice))
            if posts.event is not None and not posts.event.over and posts.event.shown < match.version:
                await attempt(partial(self._events.show, match, posts.event), False)
        if match.status is not Status.LOBBY:
            hands = posts.hands
            seated = [(c.number, people[c.user]) for c in match.people if c.user in people and c.number in hands]
            if match.running and self.postponed.is_scarce():
                now = [(seat, p) for seat, p in seated if seat in to_move or self._owes(match, hands[seat])]
                if len(now) < len(seated):
                    self.postponed.put(number)
                seated = now
            else:
                self.postponed.forget(number)
            await asyncio.gather(*(attempt(partial(self.hands.show, match, p), seat in to_move) for seat, p in seated))
        for hand in await self._posts.stale_hands(number):
            await attempt(partial(self.hands.empty, match, hand), False)
        if failed and not delays_a_player:
            # Failures that only affect seats that are not to move must not credit clocks later: the credit would reveal
            # a changed seal.
            await self._call.credit(worker)
            worker.trying_since = None
        if failed:
            raise min(failed, key=lambda error: isinstance(error, DiscordFailure))  # our own fault before Discord's

    async def _out(self, match: Match, posts: Posts) -> set[int]:
        """Return the players who would get a ping now and have left the server."""
        if self._members is None or not match.running:
            return set()
        hands = posts.hands
        owed = [chair for chair in match.people if chair.number in hands and self._owes(match, hands[chair.number])]
        return {c.player for c in owed if await self._members.is_out(match, c.player, BEFORE_PINGS)}

    def _owes(self, match: Match, post: HandPost) -> bool:
        """Return whether the player whose hand that is still needs a ping."""
        return self.pings.reason(match, post.seat, post.pinged) is not None

    async def _link(self, match: Match, before: TablePost) -> None:
        """Show the other lobbies of a group of duplicates again if their link to this table's message is no longer
        right. `before`: its post until now.
        """
        now = (await self._posts.of(match.id)).table
        if match.duplicate is None or (match.status is not Status.CANCELLED and now.message == before.message):
            return
        for other in await self._service.index.duplicates_of(match):
            if other.status is Status.LOBBY:
                self._call.changed(other.id)

    async def _tidy(self, worker: Worker) -> None:
        """Take down the old tables of a match. Read the match again: showing it may have opened a thread."""
        match = await self._service.find(worker.number)
        assert match is not None
        if not worker.dirty:  # otherwise the table may have moved since: show it there first
            await self._table.tidy(match)

    async def _tell_end(self, worker: Worker, people: Mapping[int, Person]) -> None:
        """Tell the end of a match. Read the match again: the table may have moved."""
        match = await self._service.find(worker.number)
        assert match is not None
        if not worker.dirty:  # otherwise show the table there first
            await self._end.show(match, people)

    async def _empty_hands_alone(self, match: Match) -> None:
        """Empty the stale hands of a match whose other hands are not shown now. Raises the first failure."""
        if failures := await self.hands.empty_stale(match):
            raise failures[0]

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
                    await self._handles.delete(
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
