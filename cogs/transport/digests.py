"""Digests: one message every few hours for players in many matches, instead of a ping for each turn.

A digest lists the tables that wait for the player, ordered by the end of the player's time. It is sent only if the
player has had no ping yet for one of them. One task sleeps until the earliest digest is due, a beat at most, and asks
one index for it. The database stores when the next digest is due. A digest whose answer was lost is found again
(cogs/transport/delivery.py): it has told of the tables that waited when it was sent, and only of what has become news
since is there another one.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

import discord

from cogs.match.clocks import clock_of
from cogs.match.refusals import seat_or_refuse
from cogs.messages import clock as clockface
from cogs.messages.content import Content, relative
from cogs.messages.presenter import Presenter
from cogs.runtime.holdings import Holdings
from cogs.runtime.logs import log_failure
from cogs.runtime.periodic import Periodic
from cogs.transport.delivery import Said, bears, deliver, mark
from cogs.transport.errors import DiscordFailure, Failure, Troubles
from cogs.transport.hand_messages import HandMessages
from cogs.transport.pings import Pings, by_dm, by_mention, in_both_ways, in_digest
from cogs.transport.senders import Handles, nonce, send_ping, send_private
from cogs.transport.server_lookup import BEFORE_PINGS, Members
from data.content.texts import DEFAULT, language, texts
from data.records.match import Chair, Match
from data.records.people import Person
from data.records.pings import Ping
from data.records.post import Sending
from data.store.database import Busy
from rendering.core.labels import Labels

log = logging.getLogger(__name__)

MOST_LISTED = 10
"""Tables in a digest at most; further ones are only counted."""
AFTER_TROUBLE = 60.0
"""Seconds until the next try after a digest that could not be sent."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table that waits for the player on that chair. `is_news`: the ping is not sent yet."""

    match: Match
    chair: Chair
    ping: Ping
    is_news: bool

    def urgency(self) -> tuple[float, int]:
        """Return when the player's time ends, and since when the table waits."""
        clock = clock_of(self.match, self.chair.number)
        return inf if clock is None or clock.ends is None else clock.ends, self.match.waits_since


class Digests:
    """Sends the digests. `beat`: seconds between two ticks at most; `pings` sends those that no digest defers."""

    def __init__(
        self,
        client: discord.Client,
        messages: Presenter,
        pings: Pings,
        members: Members,
        hands: HandMessages,
        beat: float,
        holdings: Holdings | None = None,
    ) -> None:
        self._holdings = holdings or Holdings()
        self._handles = Handles(client)
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages
        self._pings = pings
        self._members = members
        self._hand_lock = hands.lock
        self._beat = beat
        self._troubles = Troubles(log, "digests")
        self.task = Periodic(
            "clock: digests", partial(self._holdings.alone, self.tick), beat, after_failure=AFTER_TROUBLE
        )

    async def tick(self) -> float:
        """Send what is due. Return the seconds until the next tick."""
        now = self._service.clocks.now()
        done = [await self._attempt(user, now) for user in await self._service.people.digests_due(now)]
        earliest = await self._service.people.earliest_digest()
        if not all(done):
            return AFTER_TROUBLE
        if done:
            self._troubles.over()
        return self._beat if earliest is None else min(self._beat, earliest - self._service.now())

    async def _attempt(self, user: int, now: int) -> bool:
        """Send one player's digest. Return False to try again; a failure stops no other digest."""
        try:
            await self.send_due(user, now)
        except DiscordFailure as failure:
            self._troubles.tell(failure, "a digest is sent later: %s")
            return False
        except Busy:
            log.info("a digest is sent later: another process was faster")
            return False
        except Exception as error:
            log_failure(log, "a digest cannot be sent: %s", error=error)
            return False
        return True

    async def send_due(self, user: int, now: int) -> None:
        """Send a player the digest that is due; in quiet hours put it off until they end."""
        person = await self._service.people.get(user)
        if person is None or person.digest_due is None or person.digest_due > now:
            return
        quiet_until = await self._service.clocks.quiet_until(user)
        if quiet_until is not None:
            await self._service.people.next_digest(person, quiet_until)
            return
        await self._posts.check_storage()  # otherwise each try would send a digest that it cannot store as sent
        every, due = person.digest_hours * 3600, person.digest_due
        for send, way in ((self._by_dm, by_dm), (self._by_mention, by_mention)):
            while await send(person, await self.waiting(person, way)):
                person = await self._service.people.get(user) or person
            person = await self._service.people.get(user) or person  # direct messages may have failed
        await self._service.people.next_digest(person, due + ((now - due) // every + 1) * every)

    async def waiting(self, person: Person, way: Callable[[Chair, Person], bool]) -> list[Waiting]:
        """Return the tables that wait for this player and use that way of pinging, ordered by the end of the time."""
        found = []
        for match in await self._service.index.of_player(person.user):
            if await self._service.quarantine.fault(match) is not None:
                continue
            chair = match.chairs[seat_or_refuse(match, person.user)]
            post = (await self._posts.of(match.id)).hands.get(chair.number)
            ping = self._pings.owed(match, chair.number, None if post is None else post.pinged)
            if ping is None or post is None or not (ping.turn or ping.ended) or not way(chair, person):
                continue
            if await self._members.is_out(match, person.user, BEFORE_PINGS):
                continue
            known = post.mentioned if way is by_mention and in_both_ways(chair, person) else post.pinged
            reason = self._pings.reason(match, chair.number, known)
            found.append(Waiting(match, chair, ping, reason is not None and in_digest(match, person, reason)))
        return sorted(found, key=Waiting.urgency)

    async def _by_dm(self, person: Person, waiting: Sequence[Waiting]) -> bool:
        """Send one direct message about all tables; once none waits, delete the last one. Return whether one that was
        sent before was found in its place.
        """
        if not any(table.is_news for table in waiting):
            if not waiting and person.digest_message is not None:
                await self._service.people.change(person.user, digest_message=None)
                await self._drop(person)
            return False
        assert person.dm is not None
        channel, user = self._handles.channel(None, person.dm), person.user
        labels = Labels((), texts(language(person.locale or DEFAULT)))
        text = self.text(labels.say("digest.head", count=len(waiting)), waiting, labels, person.locale)
        content = Content((text,), user=user)

        async def send() -> int:
            return (await send_private(channel, user, content, nonce=_once(person, waiting))).id

        try:
            said = await self._deliver(person, None, person.dm, text, send)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER, Failure.OLD)
            refused = failure.kind is not Failure.DM_CLOSED
            await self._service.people.change(user, dm_works=False, dm_refused=refused, digest_sending=None)
            return False
        await self._note(person, waiting, said, mentioned=False)
        await self._service.people.change(user, digest_message=said.message, digest_sending=None)
        await self._drop(person, said.message)
        return said.found

    async def _drop(self, person: Person, now: int | None = None) -> None:
        """Delete the last digest, unless it is the one of `now`."""
        if person.dm is not None and person.digest_message not in (None, now):
            await self._handles.delete(None, person.dm, person.digest_message)

    async def _by_mention(self, person: Person, waiting: Sequence[Waiting]) -> bool:
        """Send one message to each channel, about its own tables only: its readers may not know of others. Return
        whether one that was sent before was found in place of one.
        """
        found, user = False, person.user
        for guild, channel in dict.fromkeys((table.match.guild, table.match.channel) for table in waiting):
            here = [table for table in waiting if (table.match.guild, table.match.channel) == (guild, channel)]
            if not any(table.is_news for table in here):
                continue
            locale = here[0].match.locale
            labels = Labels((), texts(language(locale)))
            head = labels.say("digest.mention", who=f"<@{user}>", count=len(here))
            text, once = self.text(head, here, labels, locale), _once(person, here, (guild, channel))
            place = self._handles.channel(guild, channel)

            async def send(place: discord.abc.Messageable = place, text: str = text, once: str = once) -> int:
                return (await send_ping(place, text, [user], nonce=once)).id

            try:
                said = await self._deliver(person, guild, channel, text, send)
            except DiscordFailure as failure:
                failure.raise_if(Failure.LATER)
                log.warning("a digest has no place: %s", failure)
                person = await self._service.people.change(user, digest_sending=None)
                continue
            await self._note(person, here, said, mentioned=True)
            person = await self._service.people.change(user, digest_sending=None)
            found |= said.found
        return found

    async def _deliver(
        self, person: Person, guild: int | None, channel: int, text: str, send: Callable[[], Awaitable[int]]
    ) -> Said:
        begun = person.digest_sending

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(guild, begun, lambda there: bears(there, begun.what))

        async def note(sending: Sending) -> None:
            await self._service.people.change(person.user, digest_sending=str(sending))

        return await deliver(
            begun if begun is not None and begun.channel == channel else None,
            Sending(channel, int(self._service.now()), mark("digest", text)),
            look=look,
            note=note,
            send=send,
        )

    def text(self, head: str, waiting: Sequence[Waiting], labels: Labels, locale: str | None) -> str:
        """Return the text of a digest: the head, and a line for each of the first tables that wait."""
        lines = [head]
        for table in waiting[:MOST_LISTED]:
            match, spoken = table.match, self._messages.labels(table.match, locale)
            link = self._messages.link(match, spoken)
            ends = clockface.with_end(match, table.chair.number, link, spoken)
            if ends == link:
                ends = spoken.say("digest.since", table=link, since=relative(match.waits_since))
            lines.append(f"• {ends}")
        if len(waiting) > MOST_LISTED:
            lines.append(labels.say("digest.more", count=len(waiting) - MOST_LISTED))
        return "\n".join(lines)

    async def _note(self, person: Person, tables: Sequence[Waiting], said: Said, *, mentioned: bool) -> None:
        """Store that the player has had these pings, so the publisher does not send them. A digest that was found has
        told of the tables only that waited when it was sent.
        """
        since = inf if not said.found or person.digest_sending is None else person.digest_sending.since
        for table in (table for table in tables if table.match.waits_since < since):
            async with self._hand_lock(table.match.id, table.chair.number):
                post = (await self._posts.of(table.match.id)).hands.get(table.chair.number)
                if post is None or post.user != person.user:
                    continue
                if in_both_ways(table.chair, person):
                    post = replace(post, mentioned=table.ping) if mentioned else replace(post, pinged=table.ping)
                else:
                    post = replace(post, pinged=table.ping, mentioned=table.ping)
                await self._posts.note(post)
            self._service.listener.changed(table.match.id)


def _once(person: Person, tables: Sequence[Waiting], *where: object) -> str:
    """Return the nonce of the digest that is due to this player, with these tables, at that place."""
    news = sorted((table.match.id, str(table.ping)) for table in tables if table.is_news)
    return nonce("digest", person.user, person.digest_due, news, *where)
