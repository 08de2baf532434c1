"""Who is called for what, and how: whose preference, quiet hours or digest hold a call back, and the mentions.

A call is what a person is told once: that it is their turn, that their time runs out, that a computer plays for them,
that all others have decided. It is noted with the post of their hand, by a text that names it (`Pings.call`). One who
has looked at their hand knows of it. What is held back for a while leaves the hand's post behind its match, so that it
is found again, also after a restart. Calls by direct message are in hand_messages.py, digests
in digests.py.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum

from cogs.match import time_controls as clock
from cogs.match.calls import is_last, ping_owed
from cogs.match.clocks import time_control_of
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from cogs.messages.presenter import table_link
from cogs.transport.senders import DiscordFailure, Failure, Handles, nonce, send_ping
from data.records.match import TABLE, Chair, Match, Post, Status
from data.records.people import Person, PingPreference

log = logging.getLogger(__name__)

INVITED = "again"
"""What a lobby's post has pinged for once all are invited."""
LAST = " last"
"""What follows in a call's text once its person is the last one awaited."""


class News(Enum):
    """What somebody has not been called for; the value is the key of the sentence at the table."""

    TURN = "ping"
    NUDGE = "clock.ping"
    AWAY = "clock.ping_away"
    LAST = "ping_last"


class Stand(Enum):
    """Whether somebody is to be called now."""

    NOTHING = "there is nothing to call them for, or they want no calls"
    HELD = "later: at the end of quiet hours, or with the digest"
    DUE = "now"


def way_of(chair: Chair, person: Person) -> PingPreference:
    """How this person wants to be called at this table."""
    return chair.ping or person.ping


def by_dm(chair: Chair, person: Person) -> bool:
    return person.reached and way_of(chair, person) in (PingPreference.DM, PingPreference.BOTH)


def by_mention(chair: Chair, person: Person) -> bool:
    way = way_of(chair, person)
    return way in (PingPreference.MENTION, PingPreference.BOTH) or (way is PingPreference.DM and not person.reached)


def in_both_ways(chair: Chair, person: Person) -> bool:
    return by_dm(chair, person) and by_mention(chair, person)


class Pings:
    """The calls of the tables of a host. `again` shows a match once quiet hours are over."""

    def __init__(
        self,
        handles: Handles,
        service: MatchService,
        messages: Messages,
        again: Callable[[int], None],
    ) -> None:
        self._handles = handles
        self._service = service
        self._posts = service.posts
        self._messages = messages
        self._again = again
        self._quiet_until: dict[tuple[int, int], tuple[int, asyncio.Task[None]]] = {}

    async def close(self) -> None:
        tasks = [task for _, task in self._quiet_until.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Who is called for what.

    def call(self, match: Match, seat: int) -> str | None:
        """The text by which it is noted what a seat is called for at this moment; None where nobody needs it."""
        call = ping_owed(self._service, match, seat)
        return f"{call}{LAST}" if call is not None and is_last(self._service, match, seat) else call

    def news(self, match: Match, seat: int, known: str) -> News | None:
        """What a seat is to be called for whose person knows of that call; None: nothing.

        To be the last one awaited is told alone, never together with that it is their turn at all.
        """
        call = ping_owed(self._service, match, seat)
        if call is None:
            return None
        if call != known.removesuffix(LAST):
            return News.AWAY if call.startswith("away") else News.NUDGE if " " in call else News.TURN
        return News.LAST if is_last(self._service, match, seat) and not known.endswith(LAST) else None

    def asks_anew(self, match: Match, posts: Mapping[int, Post]) -> bool:
        """Whether anybody is asked something that they do not know of."""
        return any(
            chair.number in posts and self.news(match, chair.number, posts[chair.number].pinged) is not None
            for chair in match.people
        )

    async def stands(self, match: Match, chair: Chair, person: Person, known: str) -> Stand:
        """Whether to call the person on that chair now, who knows of that call."""
        news = self.news(match, chair.number, known)
        if news is None or way_of(chair, person) is PingPreference.NONE:
            return Stand.NOTHING
        if in_digest(match, person, news) or await self.is_quiet(match.id, person.user):
            return Stand.HELD
        return Stand.DUE

    async def is_quiet(self, number: int, user: int) -> bool:
        """Whether nothing may ping this person now. Then their match is shown again when that is over."""
        until = await self._service.clocks.quiet_until(user)
        if until is None:
            return False
        before = self._quiet_until.get((number, user))
        if before is None or before[0] != until:
            if before is not None:
                before[1].cancel()
            wait = self._wait(number, user, max(1, until - self._service.clocks.now()))
            task = asyncio.create_task(wait, name=f"clock: quiet in match {number}")
            self._quiet_until[number, user] = until, task
        return True

    async def _wait(self, number: int, user: int, seconds: int) -> None:
        await asyncio.sleep(seconds)
        del self._quiet_until[number, user]
        self._again(number)

    # Mentions.

    async def mention(self, match: Match, table: Post, people: Mapping[int, Person]) -> Post:
        """Mention at the table those who are to be called there: in one short message, with a line for each kind of
        call, which replaces the last one.

        Whom it calls is noted before. Where that message may be there without our knowing, it is made again first, for
        the same: by then somebody may have decided, and a message to the others alone would call them twice.
        """
        if table.pinged.startswith("{"):
            table = await self._mention(match, table, people, json.loads(table.pinged))
        return await self._mention(match, table, people)

    async def _mention(
        self, match: Match, table: Post, people: Mapping[int, Person], begun: Mapping[str, str] | None = None
    ) -> Post:
        """`begun`: of those who are to be called only these, by seat, for the turn that they were to be called for."""
        due = await self._due(match, people)
        if begun is not None:
            due = {
                seat: (news, call)
                for seat, (news, call) in due.items()
                if begun.get(str(seat), "").removesuffix(LAST) == call.removesuffix(LAST)
            }
        elif not due:
            return table
        told = table.pinged if begun else json.dumps({seat: call for seat, (_, call) in due.items()})
        noted = replace(table, pinged=told if due else "")  # of whom is begun, nobody may be due any more
        if noted != table:
            await self._posts.note(noted)
        if not due:
            return noted
        try:
            channel = self._handles.channel(match.guild, match.place)
            # With the ping before: who is called anew for the same, after a rest, is not to get that one back.
            once = nonce("ping", match.id, match.place, table.ping, told)
            sent = await send_ping(channel, *self._in_words(match, table, due), nonce=once)
        except DiscordFailure as trouble:
            if trouble.kind is Failure.LATER:
                raise
            log.warning("match %d: nobody can be mentioned: %s", match.id, trouble)
            noted = replace(noted, pinged="")
            await self._posts.note(noted)
            return noted
        posts = await self._posts.of(match.id)  # somebody may have looked at their hand in the meantime
        changed = []
        for seat, (_, call) in due.items():
            chair, post = match.chairs[seat], posts.get(seat)
            if post is not None and post.user == chair.user:
                both = in_both_ways(chair, people[chair.user or 0])
                changed.append(replace(post, mentioned=call, pinged=post.pinged if both else call))
        shown = replace(posts[TABLE], ping=sent.id, pinged="")
        await self._posts.note(*changed, shown)
        if table.ping is not None:
            await self._handles.delete(match.guild, match.place, table.ping)
        return shown

    async def _due(self, match: Match, people: Mapping[int, Person]) -> dict[int, tuple[News, str]]:
        """Who is to be mentioned now, by seat: for what, and the text by which that is noted."""
        posts = await self._posts.of(match.id)  # somebody may have looked at their hand by now
        due = {}
        for chair in match.people:
            person, post = people.get(chair.user or 0), posts.get(chair.number)
            if person is None or post is None or not by_mention(chair, person):
                continue
            known, call = post.mentioned if in_both_ways(chair, person) else post.pinged, self.call(match, chair.number)
            news = self.news(match, chair.number, known)
            if call is not None and news is not None and await self.stands(match, chair, person, known) is Stand.DUE:
                due[chair.number] = news, call
        return due

    def _in_words(self, match: Match, table: Post, due: Mapping[int, tuple[News, str]]) -> tuple[str, list[int]]:
        """The message that calls these, a line for each kind of news, and its users."""
        labels, link, lines, users = self._messages.labels(match), post_link(match, table), list[str](), list[int]()
        for news in News:
            called = [match.chairs[seat].user or 0 for seat, (what, _) in due.items() if what is news]
            if called:
                who = labels.list([f"<@{user}>" for user in called])
                lines.append(labels.say(news.value, who=who, link=link))
                users += called
        return "\n".join(lines), users

    async def forget_mentions(
        self, match: Match, posts: Mapping[int, Post], people: Mapping[int, Person]
    ) -> dict[int, Post]:
        """The posts once whoever was called at the table, where it stood, is to be called where it stands: once for
        each turn, however often it moves. The table's post tells for which turns that was.
        """
        table, turns, lost = posts[TABLE], [], []
        for chair in match.people:
            person, post = people.get(chair.user or 0), posts.get(chair.number)
            call = ping_owed(self._service, match, chair.number)
            if person is None or post is None or call is None:
                continue
            turn = f"{chair.number} {call if call.startswith('away') else call.partition(' ')[0]}"
            if turn in table.mentioned.split(","):
                turns.append(turn)
            elif post.mentioned and by_mention(chair, person):
                turns.append(turn)
                both = in_both_ways(chair, person)
                lost.append(replace(post, mentioned="", pinged=post.pinged if both else ""))
        if lost:
            await self._posts.note(*lost, replace(table, mentioned=",".join(turns)))
        return await self._posts.of(match.id)

    async def invite(self, match: Match, post: Post) -> None:
        """Mention once, at the lobby of a match that is played again, those who played or wait and have not come.

        It takes a host who played too, and counts for every later lobby after that match: else whoever opens one after
        the other could call them for ever. Whom nothing may ping now, or ever, is only named.
        """
        invited = await self.to_invite(match, post)
        if invited is None:
            return
        if invited:
            labels = self._messages.labels(match)
            who = labels.list([f"<@{user}>" for user in invited])
            text = labels.say("invitation", who=who, link=post_link(match, post))
            awake = [user for user in invited if user is not None and await self._may_be_invited(user)]
            try:
                channel = self._handles.channel(match.guild, match.place)
                sent = await send_ping(channel, text, awake, nonce=nonce("invitation", match.id))
                post = replace(post, ping=sent.id)
            except DiscordFailure as trouble:
                if trouble.kind is Failure.LATER:
                    raise
                log.warning("match %d: nobody can be invited: %s", match.id, trouble)
        await self._posts.note(replace(post, pinged=INVITED, shown=match.version))

    async def to_invite(self, match: Match, post: Post) -> list[int] | None:
        """Whom to invite to this lobby; None where nobody is to be, or all are already."""
        is_shown = match.status is Status.LOBBY and post.message is not None
        if not is_shown or match.previous is None or post.pinged == INVITED:
            return None
        before = await self._service.find(match.previous)
        if before is None or before.seat_of(match.host) is None:
            return None
        if await self._posts.has_invited(match.previous, INVITED):
            return None
        people = (*before.people, *match.people)
        return list(dict.fromkeys(chair.user for chair in people if chair.user not in (None, match.host)))

    async def _may_be_invited(self, user: int) -> bool:
        person = await self._service.people.get(user)
        wanted = person is None or person.ping is not PingPreference.NONE
        return wanted and await self._service.clocks.quiet_until(user) is None


def in_digest(match: Match, person: Person, news: News) -> bool:
    """Whether this waits for the person's digest: no time that runs out soon does."""
    if not person.digest_hours or time_control_of(match).kind is clock.Pace.LIVE:
        return False
    return news in (News.TURN, News.LAST)


def post_link(match: Match, post: Post) -> str:
    return f"{table_link(match)}/{post.message}" if post.message else table_link(match)
