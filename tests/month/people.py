"""Simulated people with a time zone and habits: they press random buttons of what they see, when they have time.

They use only what was sent to them: they answer pings, look at their tables once a day, and choose among the buttons of
their messages. They never read the bot's objects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from data.records.hours import Hours
from tests.month.fake_discord import FakeDiscord
from tests.month.messages import Message, Press
from tests.support import apicheck
from tests.support.simulation import offers

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC", "Pacific/Auckland")
TEMPERS = {"quick": 60.0, "steady": 1800.0, "evenings": 6 * 3600.0, "slow": 20 * 3600.0}
"""The mean seconds until a person comes, if not at once."""
MOST_PRESSES = 25


@dataclass(slots=True)
class Person:
    id: int
    zone: str
    temper: str
    hours: Hours
    sleeps: tuple[int, int]
    """The hours of the day between which they sleep; the bot need not know them."""
    way: str = "dm"
    """How they want to be pinged."""
    gone_until: float = 0.0
    tables: set[int] = field(default_factory=set)
    """The tables at which they know that they sit."""
    coming: set[int] = field(default_factory=set)
    """The tables to which they are already coming."""


def draw_person(random: Random, number: int, today: date) -> Person:
    """Draw a person: some 60 % have told the bot their quiet hours."""
    hours = Hours()
    zone = random.choice(ZONES)
    if random.random() < 0.6:
        quiet = (
            random.choice((20 * 60, 21 * 60 + 30, 22 * 60, 23 * 60, 0)),
            random.choice((6 * 60, 7 * 60 + 30, 9 * 60)),
        )
        days = frozenset(random.sample(range(7), random.choice((0, 0, 0, 1, 2))))
        holidays: tuple[tuple[date, date], ...] = ()
        if random.random() < 0.25:
            first = today + timedelta(days=random.randrange(2, 20))
            holidays = ((first, first + timedelta(days=random.randrange(1, 9))),)
        hours = Hours(zone, quiet, days, holidays)
    bed = random.choice((22, 23, 0))
    way = random.choice(("dm", "dm", "dm", "dm", "mention", "mention", "both", "both", "none"))
    return Person(number, zone, random.choice(tuple(TEMPERS)), hours, (bed, random.choice((6, 7, 8))), way)


class Crowd:
    """All people, on one Discord. `now` returns seconds since 1970."""

    def __init__(self, discord: FakeDiscord, random: Random, now: Callable[[], float]) -> None:
        self.discord, self.random, self._now = discord, random, now
        self.people: dict[int, Person] = {}
        self.answer_at_once = False
        """Whether all people answer at once, as the run comes to its end."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.presses = 0
        self._context = copy_context()  # not of the bot's process, so that these tasks outlive it

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task of a person."""
        task = asyncio.create_task(work, context=self._context.copy())
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.result()

    # When they come.

    def on_ping(self, user: int, number: int | None) -> None:
        """Let a pinged person come to the table later."""
        if number is not None:
            self.people[user].tables.add(number)
            self.come(self.people[user], number, self._delay(self.people[user]))

    def come(self, person: Person, number: int, delay: float) -> None:
        if number not in person.coming:
            person.coming.add(number)
            self.do(self._come(person, number, delay))

    def _delay(self, person: Person) -> float:
        if self.answer_at_once:
            return self.random.uniform(5, 30)
        if self.random.random() < 0.3:
            return self.random.uniform(5, 120)
        if self.random.random() < 0.02:
            return self.random.uniform(1, 5) * 86400
        return self.random.expovariate(1 / TEMPERS[person.temper])

    async def _come(self, person: Person, number: int, delay: float) -> None:
        await asyncio.sleep(delay)
        while True:
            wait = self._seconds_away(person)
            if wait <= 0 or self.answer_at_once:
                break
            await asyncio.sleep(wait)
        person.coming.discard(number)
        if not self.discord.connected:
            self.come(person, number, self.random.uniform(60, 1200))
            return
        await self.visit(person, number)

    def _seconds_away(self, person: Person) -> float:
        """Return the seconds for which a person is away or sleeps."""
        if person.gone_until > self._now():
            return person.gone_until - self._now() + self.random.uniform(0, 7200)
        there = datetime.fromtimestamp(self._now(), UTC).astimezone(ZoneInfo(person.zone))
        bed, up = person.sleeps
        asleep = there.hour >= bed or there.hour < up if bed > up else bed <= there.hour < up
        return (up - there.hour) % 24 * 3600 - there.minute * 60 + self.random.uniform(0, 3600) if asleep else 0.0

    async def daily(self, person: Person) -> None:
        """Let a person look at their tables about once a day, and now and then be away for some days."""
        while True:
            await asyncio.sleep(self.random.uniform(0.6, 1.4) * (3600 if self.answer_at_once else 86400))
            if self.random.random() < 0.015 and not self.answer_at_once:
                person.gone_until = self._now() + self.random.uniform(2, 8) * 86400
            for number in sorted(person.tables):
                if self.answer_at_once or self.random.random() < 0.5:
                    self.come(person, number, self.random.uniform(0, 60 if self.answer_at_once else 3600))

    # What they do at a table.

    async def visit(self, person: Person, number: int) -> None:
        """Look at the table, perhaps vote or offer the seat, and play while the person must decide."""
        table = self.discord.tables.get(number)
        if table is None:
            return
        if not any("/hand/" in custom_id for custom_id in table.ids):
            await self._at_idle_table(person, table)
            return
        await self._with_others(person, table)
        for _ in range(MOST_PRESSES):
            hand = await self._hand(person, number)
            if hand is None or not await self._play(person, hand):
                return
            if not self.answer_at_once and self.random.random() < 0.1:  # the next move later
                self.come(person, number, self._delay(person))
                return

    async def _hand(self, person: Person, number: int) -> Message | None:
        """Return the hand from their direct messages, or the one that My hand shows."""
        hand = self.discord.hands.get((person.id, number))
        if hand is not None and person.id not in self.discord.closed_dms and self.random.random() < 0.8:
            back = [custom_id for custom_id in hand.ids if "/here/" in custom_id]
            if not back and offers(hand.body):
                return hand
            if not back and not self.answer_at_once:
                return None
        shown = await self.press(person, self.discord.tables[number], f"1/{number}/hand//")
        return shown.answer if shown.answer is not None and shown.answer.match == number else None

    async def _play(self, person: Person, hand: Message) -> bool:
        """Make one decision by the hand's buttons. Return False if there is none to make, or the bot did not answer."""
        for _ in range(6):
            found = offers(hand.body)
            if not found:
                return False
            undo = [custom_id for custom_id in hand.ids if "/undo/" in custom_id]
            if undo and not self.answer_at_once and self.random.random() < 0.03:
                await self.press(person, hand, undo[0])
                return True
            offer = self.random.choice(found)
            shown = await self.press(person, hand, offer.custom_id, offer.value)
            if shown.answer is None:
                return False
            if offer.action == "move":
                return True
            hand = shown.answer
        return True

    async def _with_others(self, person: Person, table: Message) -> None:
        """Vote, or propose a vote, by the buttons of the table and its list of people."""
        nudge = [custom_id for custom_id in table.ids if "/nudge/" in custom_id]
        if nudge and self.random.random() < 0.3:
            await self.press(person, table, nudge[0])
        votes = [custom_id for custom_id in table.ids if "/vote/" in custom_id or "/refuse/" in custom_id]
        resume = [custom_id for custom_id in votes if custom_id.endswith("/resume")]
        if resume and (self.answer_at_once or self.random.random() < 0.5):
            await self.press(person, table, resume[0])
        elif votes and not self.answer_at_once and self.random.random() < 0.25:
            await self._vote(person, table, self.random.choice(votes))
        elif self.random.random() < (0.3 if self.answer_at_once and self._rests(table) else 0.012):
            await self._propose(person, table)

    async def _vote(self, person: Person, message: Message, custom_id: str) -> Press:
        """Vote, and answer the question that comes before a vote to end a match, mostly with yes."""
        said = await self.press(person, message, custom_id)
        sure = [found for found in said.answer.ids if "/vote_sure/" in found] if said.answer is not None else []
        if said.answer is None or not sure:
            return said
        return await self.press(person, said.answer, sure[0] if self.random.random() < 0.8 else said.answer.ids[0])

    def _rests(self, table: Message) -> bool:
        return "rests" in table.text

    async def _propose(self, person: Person, table: Message) -> None:
        shown = await self.press(person, table, f"1/{table.match}/people//")
        if shown.answer is None:
            return
        nudge = [custom_id for custom_id in shown.answer.ids if "/nudge/" in custom_id]
        if nudge and self.random.random() < 0.3:
            await self.press(person, shown.answer, nudge[0])
        choices = [custom_id for custom_id in shown.answer.ids if "/vote/" in custom_id or "/resign/" in custom_id]
        if self.answer_at_once:
            choices = [custom_id for custom_id in choices if custom_id.endswith("/resume")]
        elif choices and self.random.random() < 0.7:  # votes to end, and leaving, are rarer
            choices = [c for c in choices if not c.endswith("/end") and "/resign/" not in c] or choices
        if not choices:
            return
        chosen = self.random.choice(choices)
        if chosen.endswith("/vote//"):  # the list of players who could be removed
            await self.press(person, shown.answer, chosen, self._first_value(shown.answer, chosen))
            return
        said = await self._vote(person, shown.answer, chosen)
        if "/resign/" in chosen and said.answer is not None and said.answer.ids:
            await self._vote(person, said.answer, self.random.choice(said.answer.ids))

    def _first_value(self, message: Message, custom_id: str) -> str | None:
        for part in apicheck.components(message.body):
            if part.get("custom_id") == custom_id:
                return str(self.random.choice(part["options"])["value"])
        return None

    async def _at_idle_table(self, person: Person, table: Message) -> None:
        """Join or start at a lobby, or play again at a finished table."""
        told = self.discord.ends.get(table.match or 0, {}).values()
        again = [
            (message, custom_id) for message in (table, *told) for custom_id in message.ids if "/again/" in custom_id
        ]
        join = [custom_id for custom_id in table.ids if "/join/" in custom_id]
        if again:
            person.tables.discard(table.match or 0)
            if not self.answer_at_once and self.random.random() < 0.04:
                await self.press(person, *again[0])
        elif join and table.match not in person.tables:
            await self.press(person, table, join[0])
        elif join:
            await self.press(person, table, f"1/{table.match}/start//")

    async def pass_by(self, person: Person, table: Message) -> None:
        """Let a person take an offered seat that they see."""
        seats = [custom_id for custom_id in table.ids if "/take/" in custom_id]
        if seats and table.match is not None:
            await self.press(person, table, self.random.choice(seats))
            person.tables.add(table.match)

    async def press(self, person: Person, message: Message, custom_id: str, value: str | None = None) -> Press:
        self.presses += 1
        return await self.discord.press(person.id, message, custom_id, value)
