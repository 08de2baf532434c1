"""Looks at every deadline when it is due, gives back the time in which nobody could play, and `/clock` and `/hours`.

One task sleeps until the earliest deadline, a minute at most, and asks one index for it, however many matches there
are. It holds while the bot is not connected, the host's time is not to be believed or nothing can be stored; what has
passed meanwhile, and while the bot was down, is given back to every clock that ran.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from math import inf

from discord import app_commands
from discord.ext import commands

from cogs.match import time_controls as times
from cogs.match.clocks import ABSENT, GRACE
from cogs.match.quiet_hours import BadHours
from cogs.match.quiet_hours import zones as zone_names
from cogs.match.refusals import Refused
from cogs.match.time_controls import PRESETS
from cogs.match.votes import Choice
from cogs.messages import clock as clockface
from cogs.messages import hours as spoken
from cogs.messages.content import Content
from cogs.messages.names import written
from cogs.runtime.logs import without_text
from cogs.runtime.trusted_clock import TrustedClock
from cogs.seats import Seats
from cogs.tables import EVERYWHERE
from cogs.transport.interactions import Answer, House, Interaction
from cogs.transport.translator import SAID
from data.content.texts import DEFAULT, texts
from data.records.deadlines import Deadline, Deadlines
from data.records.hours import Hours, PeopleHours
from data.records.key_values import KeyValues
from data.records.match import Match, Status
from data.store.database import NotStored
from rendering.core.labels import Labels

log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat"
"""The fact that says when the bot was last seen at work."""
STOOD_STILL = 30.0
"""Seconds by which a look is late where the whole process stood still, as when it or its machine is suspended."""
LEAST, AFTER_TROUBLE = 0.5, 5.0
"""Seconds to sleep at least, and after a deadline that could not be looked at."""
_ENGLISH = Labels((), texts(DEFAULT))
_POLICIES = [app_commands.Choice(name=_ENGLISH.say(f"clock.absent.{name}"), value=name) for name in ABSENT]
_TERMS = [app_commands.Choice(name=clockface.terms(name, _ENGLISH), value=name) for name in PRESETS]


class Clock(commands.Cog):
    """The task that looks at deadlines, and the commands on time. `beat`: seconds between two heartbeats."""

    def __init__(
        self,
        seats: Seats,
        hours: PeopleHours,
        deadlines: Deadlines,
        facts: KeyValues,
        watch: TrustedClock,
        beat: float,
    ) -> None:
        self.seats = seats
        self.house: House = seats.house
        self.host = seats.house.host
        self._keeper = self.host.clocks
        self._hours = hours
        self._deadlines = deadlines
        self._facts = facts
        self._watch = watch
        self._beat = beat
        self._task: asyncio.Task[None] | None = None
        self._wakes_at: float | None = None
        """When the sleep ends that is under way."""
        self._soonest = 0.0
        """When to look next, as told since the last look began."""
        self._connected = False
        self._started = False
        self._good = 0
        """When all was well last."""

    # The task.

    async def start(self) -> None:
        """Take up the time where the last run left it; it is held until the bot is connected."""
        before = await self._facts.get(HEARTBEAT)
        if before is not None:
            self._watch.not_before(int(before))
        now = int(self._watch.now())
        self._good = self._keeper.held_since = min(now, int(before or now))
        self._keeper.grace_until = now + GRACE
        self._keeper.alarm = self._alarm
        self._wake()

    async def close(self) -> None:
        """Stop, and note down when: after a crash it is the last heartbeat."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        self._wakes_at = None
        if self._keeper.held_since is None:
            with suppress(NotStored):
                await self._facts.put(HEARTBEAT, str(int(self._watch.now())))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        self._connect(True)

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        self._connect(True)

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        self._connect(False)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Discord's own time stands in the id of whatever it sends."""
        self._watch.heard(interaction.created_at.timestamp())

    @property
    def connected(self) -> bool:
        """Whether the gateway is."""
        return self._connected

    def lag(self) -> float:
        """Seconds by which the next look at the clocks is late; 0 while none is due, or one is under way."""
        return 0.0 if self._wakes_at is None else max(0.0, self._watch.now() - self._wakes_at)

    def _connect(self, connected: bool) -> None:
        if self._connected == connected:
            return
        self._connected = connected
        self._notice_standstill()
        if not connected and self._keeper.held_since is None:
            self._keeper.held_since = int(self._watch.now())
        self._alarm(int(self._watch.now()))

    def _alarm(self, due: int) -> None:
        self._soonest = min(self._soonest, due)
        if self._wakes_at is not None and due < self._wakes_at:
            self._wake()

    def _wake(self) -> None:
        """Begin anew with a look. Only ever called while the task sleeps or is not there."""
        self._notice_standstill()
        if self._task is not None:
            self._task.cancel()
        self._wakes_at = None
        self._task = asyncio.create_task(self._run(), name="clock")

    async def _run(self) -> None:
        while True:
            self._soonest = inf
            try:
                pause = await self.look()
            except Exception as error:  # whatever it was, the clocks must not stop for it
                log.error("the clocks cannot be looked at: %s", type(error).__name__, exc_info=without_text(error))
                pause = self._beat
            pause = max(LEAST, min(pause, self._soonest - self._watch.now()))
            self._wakes_at = self._watch.now() + pause
            await asyncio.sleep(pause)
            self._notice_standstill()
            self._wakes_at = None

    def _notice_standstill(self) -> None:
        """Hold all clocks since the look that is late by far: until it was due the process was at work."""
        if self._wakes_at is not None and self.lag() > STOOD_STILL and self._keeper.held_since is None:
            log.warning("this process stood still for %.0f s: every clock is held", self.lag())
            self._keeper.held_since = int(self._wakes_at)

    async def look(self) -> float:
        """Whatever is to be done now. Gives the seconds until the next look."""
        if not self._watch.look() or not self._connected:
            if self._keeper.held_since is None:
                log.warning("the time of this machine has jumped: every clock is held until it is believable again")
                self._keeper.held_since = self._good
            return self._beat
        if self._keeper.held_since is not None and not await self._give_back(self._keeper.held_since):
            return AFTER_TROUBLE
        now = int(self._watch.now())
        if now - self._good >= self._beat or self._keeper.held_since is not None:
            try:
                await self._facts.put(HEARTBEAT, str(now))
            except NotStored:  # then no move is stored either
                if self._keeper.held_since is None:
                    log.warning("nothing can be stored: every clock is held until it can")
                    self._keeper.held_since = self._good
                return AFTER_TROUBLE
            self._good, self._keeper.held_since = now, None
        done = [await self._ring(deadline) for deadline in await self._deadlines.due(now)]
        earliest = await self._deadlines.earliest()
        if not all(done):
            return AFTER_TROUBLE
        return self._beat if earliest is None else min(self._beat, earliest - self._watch.now())

    async def _give_back(self, until: int) -> bool:
        """Nobody's clock has run since then; to say it twice changes nothing. False where some could not be told."""
        if not self._started:
            self._started = True
            self._keeper.grace_until = int(self._watch.now()) + GRACE
        done = True
        for number in await self._deadlines.running():
            try:
                if await self.host.give_back(number, until):
                    self.house.publisher.later(number)  # it may be every match
            except (Refused, NotStored) as error:
                log.warning("match %d waits for its time: %s", number, type(error).__name__)
                done = False
        return done

    async def _ring(self, deadline: Deadline) -> bool:
        """Look at one clock. What fails is looked at again and stops nobody else's; so is the clock of somebody who
        cannot be told what is asked of them, because Discord takes no messages.
        """
        if self.house.publisher.is_stuck(deadline.match):
            return False
        try:
            rung = await self.host.ring(deadline.match, deadline.seat, deadline.turn)
        except Exception as error:
            log.error("a clock of match %d: %s", deadline.match, type(error).__name__, exc_info=without_text(error))
            return False
        if rung:
            self.house.publisher.changed(deadline.match)
        return rung

    # Commands.

    @app_commands.command(description=SAID["command.clock.description"])
    @app_commands.describe(
        table=SAID["command.clock.table.description"],
        terms=SAID["command.clock.terms.description"],
        absent=SAID["command.clock.absent.description"],
    )
    @app_commands.choices(terms=_TERMS, absent=_POLICIES)
    @EVERYWHERE
    async def clock(
        self,
        interaction: Interaction,
        table: int | None = None,
        terms: str | None = None,
        absent: str | None = None,
    ) -> None:
        async def show(interaction: Interaction, match: Match) -> Answer:
            labels = self.house.desk.labels(match, interaction.locale.value)
            title = self.house.desk.title(match, labels)
            if terms is None and absent is None:
                return Content((f"### {title}\n{clockface.clock_summary(match, labels)}",), user=interaction.user.id)
            chosen = terms or match.clock
            if absent is not None and chosen == "none":
                raise Refused("no_policy")
            if match.status is not Status.LOBBY:
                choice = Choice("clock", terms=chosen, policy=absent or "")
                return await self.seats.vote(interaction, match, str(choice))
            for name, value in (("clock", terms), ("absent", absent)):
                if value is not None:
                    match = await self.house.lobby.choose_option(match.id, interaction.user.id, name, value)
            self.house.publisher.changed(match.id)
            return labels.say("done.clock_chosen", table=title)

        work = self.house.which.at(interaction, table, show, lambda match: match.open, here=True)
        await self.house.answer(interaction, work)

    @clock.autocomplete("table")
    async def _complete_table(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await self.house.complete(interaction, lambda: self.house.which.choices(interaction, typed))

    @app_commands.command(description=SAID["command.hours.description"])
    @app_commands.describe(
        zone=SAID["command.hours.zone.description"],
        quiet_from=SAID["command.hours.quiet_from.description"],
        quiet_to=SAID["command.hours.quiet_to.description"],
        days_off=SAID["command.hours.days_off.description"],
        holiday_from=SAID["command.hours.holiday_from.description"],
        holiday_to=SAID["command.hours.holiday_to.description"],
    )
    @EVERYWHERE
    async def hours(
        self,
        interaction: Interaction,
        zone: str = "",
        quiet_from: str = "",
        quiet_to: str = "",
        days_off: str = "",
        holiday_from: str = "",
        holiday_to: str = "",
    ) -> None:
        async def change() -> Answer:
            person, labels = await self.house.meet(interaction), self.house.labels(interaction)
            before, now = await self._hours.get(person.user), int(self._watch.now())
            try:
                after = spoken.in_zone(before, zone)
                after = spoken.with_quiet(after, quiet_from, quiet_to, labels)
                after = spoken.with_days_off(after, days_off, labels)
                after = spoken.with_holiday(after, holiday_from, holiday_to, now, labels)
            except BadHours as error:
                facts = {name: written(str(fact)) for name, fact in error.facts.items()}
                raise Refused(error.key, **facts) from error
            if after != before:
                await self._check_changes(interaction)
                await self._hours.put(person.user, after)
            await self._count_by(person.user, before, after)
            return Content((spoken.in_words(after, now, labels),), user=person.user)

        await self.house.answer(interaction, change)

    @hours.autocomplete("zone")
    async def _complete_zone(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        async def zones() -> list[app_commands.Choice[str]]:
            wanted = typed.strip().replace(" ", "_").lower()
            found = [name for name in zone_names() if wanted in name.lower()]
            # Cities that begin like that come first, as "Berlin" in "Europe/Berlin".
            found.sort(key=lambda name: not name.lower().rpartition("/")[2].startswith(wanted))
            return [app_commands.Choice(name=name.replace("_", " "), value=name) for name in found[:25]]

        return await self.house.complete(interaction, zones)

    async def _check_changes(self, interaction: Interaction) -> None:
        """Refused where somebody changes their hours again and again in one turn."""
        user = interaction.user.id
        for match in await self.host.matches.of_user(user):
            if match.status is Status.PLAYING and not self._keeper.may_rehour(match, user):
                table = self.house.which.link(interaction, match)
                raise Refused("hours_too_often", count=times.MOST_CHANGES, table=table)

    async def _count_by(self, user: int, before: Hours, after: Hours) -> None:
        """Count all clocks of a person by these hours from now on, and those that could not be the last time. Refused
        where some cannot.
        """
        failed = None
        for match in await self.host.matches.of_user(user):
            if match.status is not Status.PLAYING or await self.host.quarantine.fault(match) is not None:
                continue
            try:
                rehoured = await self.host.rehour(match.id, user, before)
            except Refused as error:
                log.warning("match %d counts by older hours: %s", match.id, error.key)
                rehoured, failed = False, error
            if rehoured or after != before:
                self.house.publisher.changed(match.id)
        if failed is not None:
            raise Refused("hours_half") from failed
