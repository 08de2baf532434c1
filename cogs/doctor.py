"""`/doctor`: whether the bot can work in this channel, and for the bot's owner the state of the machine."""

from __future__ import annotations

import asyncio
import platform
from importlib.metadata import version as version_of

import discord

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason
from cogs.messages.content import Content, exact
from cogs.runtime.health import CLOCK_OFF, LITTLE_ROOM
from cogs.transport.newcomers import Reach
from cogs.transport.permissions import NEEDED, manages, may_stand, owns_bot, server_or_refuse
from cogs.transport.request_budget import Breaker
from cogs.transport.senders import Interaction
from cogs.transport.slash_commands import IN_SERVERS
from data.records.servers import Server
from data.store.database import OUT_OF_REACH, Health
from rendering.core.labels import Labels

_REACHED = {Reach.WORKS: "dm_good", Reach.CLOSED: "dm_bad", Reach.SOON: "dm_soon", Reach.REFUSED: "dm_refused"}
KNOWN_FOR = 600.0
"""Seconds for which one check of the database serves: a check reads all of it."""


class Doctor(AppCog):
    """The command."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._health = app.store.database.health
        self._version = app.version
        self._wall = app.wall
        self._budget = app.budget
        self._shares_token = app.shares_token
        self._known: tuple[float, Health] | None = None
        """The last check of the database and, before it, its instant by `wall`."""
        self._examining = asyncio.Lock()

    @slash(IN_SERVERS, answers=False)
    async def doctor(self, interaction: Interaction) -> None:
        """`/doctor`: say whether the bot can work in this channel. Managers of the server see all that concerns it, and
        the bot's owner the state of the machine.
        """
        # Measured first: any later moment adds our own delay.
        off = self._wall() - interaction.created_at.timestamp()
        await self._interactions.answer(interaction, lambda: self._examine(interaction, off))

    async def _examine(self, interaction: Interaction, off: float) -> Content:
        guild = server_or_refuse(interaction, Reason.SETUP_IN_SERVERS)
        labels, person = self._interactions.labels(interaction), await self._interactions.meet(interaction)
        reached = await self._interactions.open_dm(interaction, person, labels.say("doctor.dm_hello"), always=True)
        head = f"## {labels.say('doctor.title')}\n{labels.say(f'doctor.{_REACHED[reached]}')}"
        until = await self._service.clocks.quiet_until(person.user)
        if until is not None:
            head += f"\n{labels.say('hours.off', until=exact(until))}"
        machine = []
        if owns_bot(interaction):
            machine.append("\n".join([labels.say("doctor.machine"), *await self._machine(labels, off)]))
        if not manages(interaction):
            return Content((f"{head}\n{labels.say('doctor.more')}", *machine), user=person.user)
        server = await self._service.policy.of(guild)
        numbers = await self._service.index.open_in(guild)
        here = [labels.say("doctor.here"), *_in_this_channel(interaction, server, labels)]
        here.append(labels.say("doctor.open", count=len(numbers)))
        faults = self._service.quarantine.among(numbers)
        if faults:
            tables = ", ".join(f"{number} (`{fault.code}`)" for number, fault in faults.items())
            here.append(labels.say("doctor.held", tables=tables))
        return Content((head, "\n".join(here), *machine), user=person.user)

    async def _machine(self, labels: Labels, off: float) -> list[str]:
        """Return lines on the database, its disk, the clock and the versions that run."""
        say, health = labels.say, await self._examined()
        lines = []
        try:
            await self._service.posts.check_storage()
        except OUT_OF_REACH:
            lines.append(say("doctor.database_unwritable"))
        if not health.sound:
            lines.append(say("doctor.database_unsound"))
        lines = lines or [say("doctor.database_good")]
        if health.free is not None:
            key = "doctor.disk_good" if health.free >= LITTLE_ROOM else "doctor.disk_bad"
            lines.append(say(key, free=_size(health.free)))
        key = "doctor.clock_good" if abs(off) <= CLOCK_OFF else "doctor.clock_bad"
        lines.append(say(key, seconds=f"{abs(off):.1f}"))
        if self._budget.breaker is not Breaker.CLOSED:
            key = "doctor.requests_stopped" if self._budget.breaker is Breaker.STOP else "doctor.requests_slow"
            lines.append(say(key, count=self._budget.invalid))
        if self._shares_token():
            lines.append(say("doctor.other_database"))
        versions = say(
            "doctor.versions",
            bot=self._version,
            discord=discord.__version__,
            python=platform.python_version(),
            engine=health.engine,
            pillow=version_of("Pillow"),
        )
        return [*lines, versions]

    async def _examined(self) -> Health:
        """Check the database, one check at a time, or return the last one if it is not older than `KNOWN_FOR`."""
        async with self._examining:
            if self._known is None or not 0 <= self._wall() - self._known[0] < KNOWN_FOR:
                self._known = self._wall(), await self._health()
            return self._known[1]


def _in_this_channel(interaction: Interaction, server: Server, labels: Labels) -> list[str]:
    """Return a line for each permission that the bot needs in this channel, and whether managers allow tables here."""
    say, lines = labels.say, []
    for name in NEEDED:
        granted = getattr(interaction.app_permissions, name)
        key = "doctor.permission_good" if granted else "doctor.permission_bad"
        lines.append(say(key, name=say(f"permission.{name}"), purpose=say(f"purpose.{name}")))
    lines.append(say("doctor.tables_good" if may_stand(server, interaction) else "doctor.tables_bad"))
    return lines


def _size(count: int) -> str:
    """Return a number of bytes in words, so coarse that two answers do not show whether a move was stored between."""
    return f"{count >> 20} MB" if count < 1 << 30 else f"{count >> 30} GB"
