"""Decides which pings each player gets, when and how, and sends the mentions at the table.

A ping tells a player something once: that it is their turn, that their time runs out, that a computer plays for them,
that all others have decided, that a vote waits for them, or that the match has ended. (The message that tells the end,
side_messages.py, mentions the players itself.) The post of their hand stores it (`Pings.owed`). A player who opens
their hand needs it no more. The player's preference, quiet hours or digest can defer a ping: the hand's post then stays
behind its match, so the bot finds the ping again, also after a restart. hand_messages.py sends pings by direct message,
digests.py the digests.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

import discord

from cogs.match import time_controls as clock
from cogs.match.agenda import is_last, ping_owed
from cogs.match.clocks import time_control_of
from cogs.match.reminders import nudge_from, reminder_of
from cogs.match.votes import asked
from cogs.messages.players import nudger_of
from cogs.messages.presenter import Presenter
from cogs.runtime.periodic import end_tasks
from cogs.transport.delivery import bears, deliver, mark
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.senders import Handles, nonce, send_ping
from data.records.match import Chair, Match
from data.records.people import Person, PingPreference
from data.records.pings import THE_END, Ping, SeatPings
from data.records.post import HandPost, Posts, Sending, TablePost

log = logging.getLogger(__name__)

BETWEEN_VOTES = 6 * clock.HOUR
"""Seconds from one vote that calls a player to the next one that does: else two players could call a third at will."""


class PingReason(Enum):
    """Why a player is pinged. The value is the key of the text of the mention; with `_many` at its end, of one that
    mentions several. LAST is the only one.
    """

    TURN = "ping"
    NUDGE = "clock.ping"
    AWAY = "clock.ping_away"
    LAST = "ping_last"
    REMINDER = "nudge.reminder"
    NUDGED = "nudge.ping"
    VOTE = "votes.ping"
    END = ""
    """The match has ended: side_messages.py writes the mention."""


class PingState(Enum):
    """When a player is pinged."""

    NOTHING = "no ping: there is no reason, or the player wants none"
    DEFERRED = "later: at the end of quiet hours, or with the digest"
    DUE = "now"


def way_of(chair: Chair, person: Person) -> PingPreference:
    """Return how this player wants to be pinged at this table."""
    return chair.ping or person.ping


def by_dm(chair: Chair, person: Person) -> bool:
    """Return whether direct messages ping this player."""
    return person.reached and way_of(chair, person) in (PingPreference.DM, PingPreference.BOTH)


def by_mention(chair: Chair, person: Person) -> bool:
    """Return whether mentions ping this player: by choice, or since direct messages do not reach them."""
    way = way_of(chair, person)
    return way in (PingPreference.MENTION, PingPreference.BOTH) or (way is PingPreference.DM and not person.reached)


def in_both_ways(chair: Chair, person: Person) -> bool:
    """Return whether both direct messages and mentions ping this player."""
    return by_dm(chair, person) and by_mention(chair, person)


class Pings:
    """The pings of a service's tables. A match is shown again once quiet hours are over that have deferred a ping, and
    once its players may nudge.
    """

    def __init__(self, handles: Handles, messages: Presenter) -> None:
        self._handles = handles
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages
        self._waits: dict[tuple[int, int], tuple[int, asyncio.Task[None]]] = {}
        """By match and user (0: all) the instant at which the match is shown again, and the task that waits for it."""

    async def close(self) -> None:
        """Stop all waiting."""
        await end_tasks(*(task for _, task in self._waits.values()))

    # Which pings, and when.

    def owed(self, match: Match, seat: int, known: Ping | None = None) -> Ping | None:
        """Return the ping that a seat's player should have had by now, or None. It keeps the last vote that the player
        was called for, by the last ping that they have had (`known`).
        """
        ping = ping_owed(self._service, match, seat)
        if ping is None:
            return None
        vote = known.vote if known is not None and ping.vote is None and not ping.ended else ping.vote
        return replace(ping, last=is_last(self._service, match, seat), vote=vote)

    def reason(self, match: Match, seat: int, known: Ping | None) -> PingReason | None:
        """Return the reason for the ping that this seat still needs, given the last one its player has had (`known`),
        or None.

        That all others have decided is a reason of its own, only after the ping for the turn.
        """
        ping = ping_owed(self._service, match, seat)
        if ping is None:
            return None
        if ping.ended:
            return None if known == ping else PingReason.END
        reason = None if ping == ping.of_vote else self._of_turn(match, seat, replace(ping, vote=None), known)
        told = None if known is None else known.vote
        is_new = ping.vote is not None and (told is None or ping.vote - told >= BETWEEN_VOTES)
        return reason or (PingReason.VOTE if is_new else None)

    def _of_turn(self, match: Match, seat: int, ping: Ping, known: Ping | None) -> PingReason | None:
        """Return the reason for a ping for a turn, or since a computer plays, as `reason` does."""
        if known is not None and known.of_turn == ping.of_turn and ping.away is None and ping.nudges < known.nudges:
            return None  # another time limit counts from the beginning: the player has had their pings for this turn
        if known is None or ping != replace(known.not_last, vote=None):
            if ping.away is not None:
                return PingReason.AWAY
            return _again(match, seat) if ping.nudges else PingReason.TURN
        return PingReason.LAST if is_last(self._service, match, seat) and not known.last else None

    def owes_any(self, match: Match, posts: Posts) -> bool:
        """Return whether any player still needs a ping at the table of a match that is not over."""
        return match.open and any(
            self.reason(match, seat, hand.pinged) is not None
            for seat, hand in posts.hands.items()
            if match.chairs[seat].user is not None
        )

    async def state(self, match: Match, chair: Chair, person: Person, known: Ping | None) -> PingState:
        """Return when to ping the player on that chair, given the last ping they have had (`known`)."""
        reason = self.reason(match, chair.number, known)
        if reason is None or way_of(chair, person) is PingPreference.NONE:
            return PingState.NOTHING
        if reason is PingReason.VOTE and await self._has_voted(match, chair):
            return PingState.NOTHING
        if in_digest(match, person, reason) or await self.is_quiet(match, person.user):
            return PingState.DEFERRED
        return PingState.DUE

    async def _has_voted(self, match: Match, chair: Chair) -> bool:
        """Return whether the player on that chair is in favour of the newest vote that waits for them."""
        newest = next(iter(asked(match, chair.number)), None)
        return newest is not None and (await self._service.votes(match.id)).get(chair.player) == newest.choice

    async def is_quiet(self, match: Match, user: int) -> bool:
        """Return whether quiet hours defer the player's pings for this match now. Their end shows it again."""
        until = await self._service.clocks.quiet_at(match, user)
        if until is not None:
            self._show_at(match.id, user, until)
        return until is not None

    def wait_for_nudge(self, match: Match) -> None:
        """Have the match shown again once its players may nudge, if they may not yet."""
        if match.reminders and (first := nudge_from(match)) > self._service.now():
            self._show_at(match.id, 0, first)

    def wakes_in(self, number: int) -> float | None:
        """Return the seconds until the match is shown again for one of these reasons, or None."""
        ends = [until for (match, _), (until, _) in self._waits.items() if match == number]
        return max(0.0, min(ends) - self._service.now()) if ends else None

    def _show_at(self, number: int, user: int, until: int) -> None:
        before = self._waits.get((number, user))
        if before is None or before[0] != until:
            if before is not None:
                before[1].cancel()
            wait = self._wait(number, user, max(1, until - self._service.clocks.now()))
            task = asyncio.create_task(wait, name=f"clock: match {number}")
            self._waits[number, user] = until, task

    async def _wait(self, number: int, user: int, seconds: int) -> None:
        await asyncio.sleep(seconds)
        del self._waits[number, user]
        self._service.listener.changed(number)

    # Mentions.

    async def mention(self, match: Match, table: TablePost, people: Mapping[int, Person]) -> TablePost:
        """Mention the players whose pings are due at the table, in one message with a line for each reason. It replaces
        the last one. Return the table's post.

        The pings are stored before the message is sent. If the answer to an earlier send was lost, its message is first
        sent again for the same pings: by now a player may have decided, and a message to the others alone would ping
        them twice.
        """
        if table.mentioning is not None:
            table = await self._mention(match, table, people, table.mentioning)
        return await self._mention(match, table, people)

    async def _mention(
        self, match: Match, table: TablePost, people: Mapping[int, Person], begun: SeatPings | None = None
    ) -> TablePost:
        """Send the mentions. `begun`: mention only these seats, and only for these pings."""
        due = await self.due(match, people)
        if begun is not None:
            due = {
                seat: (reason, ping)
                for seat, (reason, ping) in due.items()
                if (known := begun.get(seat)) is not None and known.not_last == ping.not_last
            }
        elif not due:
            return table
        pings = begun if begun is not None else SeatPings(tuple((seat, ping) for seat, (_, ping) in due.items()))
        text, users = self._in_words(match, table, due)
        before = None if begun is None else table.sending
        said = list[str]()  # what an earlier try has sent

        def is_it(message: discord.Message) -> bool:
            if before is None or not bears(message, before.what):
                return False
            said.append(message.content)
            return True

        async def look(at: Sending) -> int | None:
            return await self._handles.sent_before(match.guild, at, is_it, after=table.ping or 0)

        async def note(sending: Sending | None) -> None:
            mentioning = None if sending is None else pings
            noted = replace(table, mentioning=mentioning, sending=sending, invited=False, called=False)
            if noted != table:
                await self._posts.note(noted)

        async def send() -> int:
            channel = self._handles.channel(match.guild, match.place)
            # The message before is part of the nonce: after a rest, the same pings need another message.
            once = nonce("ping", match.id, match.place, table.ping, pings.to_json())
            return (await send_ping(channel, text, users, nonce=once)).id

        try:
            if due:
                here = Sending(match.place, int(self._service.now()), mark("mention", text))
                sent = (await deliver(before, here, look=look, note=note, send=send)).message
            elif before is None or (sent := await look(before) or 0) == 0:  # none of `begun` is due any more
                await note(None)
                return replace(table, mentioning=None, sending=None, invited=False, called=False)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.warning("match %d: the mentions cannot be sent: %s", match.id, failure)
            await note(None)
            return replace(table, mentioning=None, sending=None, invited=False, called=False)
        if said:
            due = {seat: what for seat, what in due.items() if f"<@{match.chairs[seat].player}>" in said[0]}
        posts = await self._posts.of(match.id)  # a player may have opened their hand since
        changed = []
        for seat, (_, ping) in due.items():
            chair, post = match.chairs[seat], posts.hands.get(seat)
            if post is not None and post.user == chair.user:
                both = in_both_ways(chair, people[chair.player])
                changed.append(replace(post, mentioned=ping, pinged=post.pinged if both else ping))
        shown = replace(posts.table, ping=sent, mentioning=None, sending=None)
        await self._posts.note(*changed, shown)
        if table.ping is not None:
            await self._handles.delete(match.guild, match.place, table.ping)
        return shown

    async def due(self, match: Match, people: Mapping[int, Person]) -> dict[int, tuple[PingReason, Ping]]:
        """Return the mentions that are due now, by seat: the reason, and the ping.

        If the match has gone on since, only pings that are still owed are due. A player may have had a later one, in
        whose light an earlier one would seem to be due.
        """
        posts = await self._posts.of(match.id)  # a player may have opened their hand since
        now = await self._service.find(match.id)  # after the posts, so that it is as new as what they note
        due = dict[int, tuple[PingReason, Ping]]()
        for chair in match.people:
            person, post = people.get(chair.player), posts.hands.get(chair.number)
            if person is None or post is None or not by_mention(chair, person):
                continue
            known = post.mentioned if in_both_ways(chair, person) else post.pinged
            ping = self.owed(match, chair.number, known)
            if ping is None or now is None or not self.is_owed(now, match, chair, ping):
                continue
            reason = self.reason(match, chair.number, known)
            if reason is None or reason is PingReason.END:
                continue
            if await self.state(match, chair, person, known) is PingState.DUE:
                due[chair.number] = reason, ping
        return due

    def is_owed(self, now: Match, match: Match, chair: Chair, ping: Ping) -> bool:
        """Return whether the ping that a seat was owed in `match` is owed still, or the first one of the same turn."""
        if now.version == match.version:
            return True
        if now.chairs[chair.number].user != chair.user:
            return False
        owed = ping_owed(self._service, now, chair.number)
        return owed is not None and owed.of_turn == ping.of_turn

    def _in_words(
        self, match: Match, table: TablePost, due: Mapping[int, tuple[PingReason, Ping]]
    ) -> tuple[str, list[int]]:
        """Return the message that mentions these seats' players, with a line for each reason, and their ids."""
        labels, lines, users = self._messages.labels(match), list[str](), list[int]()
        link = self._messages.link(match, labels, table)
        found: dict[tuple[PingReason, str], list[int]] = {}
        for seat, (why, _) in due.items():
            name = nudger_of(match, seat, labels) if why is PingReason.NUDGED else ""
            found.setdefault((why, name), []).append(match.chairs[seat].player)
        order = list(PingReason)
        for reason, name in sorted(found, key=lambda why: order.index(why[0])):
            mentioned = found[reason, name]
            who = labels.list([f"<@{user}>" for user in mentioned])
            key = f"{reason.value}_many" if len(mentioned) > 1 else reason.value
            lines.append(labels.say(key, who=who, link=link, name=name))
            users += mentioned
        return "\n".join(lines), users

    async def due_at_end(self, match: Match, people: Mapping[int, Person]) -> list[int]:
        """Return the users whom the message that tells the end pings. It names those in quiet hours only."""
        told = await self.told_by_end(match, people)
        users = [post.user for post in told if post.user is not None]
        return [user for user in users if await self._service.clocks.quiet_until(user) is None]

    async def told_by_end(self, match: Match, people: Mapping[int, Person]) -> list[HandPost]:
        """Return the posts of the hands whose players need no mention once the end is told, as they are then. Players
        in quiet hours are among them: no later message mentions them.
        """
        posts, told = await self._posts.of(match.id), list[HandPost]()
        for chair in match.people:
            person, post = people.get(chair.player), posts.hands.get(chair.number)
            if person is None or post is None or post.user != chair.user or not by_mention(chair, person):
                continue
            both = in_both_ways(chair, person)
            if self.reason(match, chair.number, post.mentioned if both else post.pinged) is PingReason.END:
                told.append(replace(post, mentioned=THE_END, pinged=post.pinged if both else THE_END))
        return told

    async def forget_mentions(self, match: Match, posts: Posts, people: Mapping[int, Person]) -> Posts:
        """Clear the mentions made at the table's old location, so that those players are mentioned at the new one.
        Return the match's posts.

        It happens at most once per turn, however often the table moves, and never for a vote. The table's post stores
        for which turns.
        """
        table, turns, lost = posts.table, list[tuple[int, Ping]](), list[HandPost]()
        for chair in match.people:
            person, post = people.get(chair.player), posts.hands.get(chair.number)
            ping = ping_owed(self._service, match, chair.number)
            if person is None or post is None or ping is None or ping.ended or ping == ping.of_vote:
                continue
            turn = (chair.number, ping.of_turn)
            if turn in table.mentioned_again.pings:
                turns.append(turn)
            elif post.mentioned is not None and by_mention(chair, person):
                turns.append(turn)
                both, vote = in_both_ways(chair, person), post.mentioned.of_vote
                lost.append(replace(post, mentioned=vote, pinged=post.pinged if both else vote))
        if lost:
            await self._posts.note(*lost, replace(table, mentioned_again=SeatPings(tuple(turns))))
        return await self._posts.of(match.id)


def _again(match: Match, seat: int) -> PingReason:
    """Return why the seat's player is pinged again in the same turn."""
    reminder = reminder_of(match, seat)
    if reminder is None:
        return PingReason.NUDGE
    return PingReason.REMINDER if reminder.nudger is None else PingReason.NUDGED


def in_digest(match: Match, person: Person, reason: PingReason) -> bool:
    """Return whether this ping waits for the player's digest: only a ping for a turn does, and not in a live match."""
    if not person.digest_hours or time_control_of(match).kind is clock.ClockKind.LIVE:
        return False
    return reason in (PingReason.TURN, PingReason.LAST)
