"""For those who run a server: `/setup`, `/doctor`, and what becomes of matches when the bot is removed from it.

A match pauses when the bot is removed, and goes on when it is invited again; 30 days later it ends. A server that is
merely unavailable, as they are now and then, changes nothing. What happened while the bot was not running is found by
`look_round`: at the start, and once a day.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.metadata import version as version_of
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.match.pausing import end_paused, go_on, pause
from cogs.match.refusals import Refused
from cogs.match.time_controls import PRESETS
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, EntitySelect, Id, Row, Select, SelectOption
from cogs.runtime.logs import without_text
from cogs.tables import IN_SERVERS
from cogs.transport.interactions import GlobalRoute, House, Interaction
from cogs.transport.permissions import NEEDED, manages, may_stand
from cogs.transport.senders import DiscordFailure, Failure, discord_call
from cogs.transport.translator import SAID
from data.records.match import Match
from data.records.servers import Server, Threads
from data.store.database import Health, NotStored
from rendering.core.labels import Labels

log = logging.getLogger(__name__)

DAY = 86_400.0
LIMITS = (1, 2, 3, 5, 10, 20, 50)
"""The numbers of open tables that may be chosen as the most."""
MOST_CHANNELS = 25
LOOKED = 60.0
"""Seconds for which it stays known how the database is: to find out reads all of it, while everything else waits."""
CLOCK_OFF = 3.0
"""Seconds: Discord waits no longer for an answer. Below that the difference may be the way to here."""
LITTLE_ROOM = 100 << 20
"""Bytes of a disk that is nearly full."""


class Owners(commands.Cog):
    """`health` tells how the database is, `version` is this program's, `wall` what this machine takes the time for."""

    def __init__(
        self,
        bot: commands.Bot,
        house: House,
        health: Callable[[], Awaitable[Health]],
        version: str,
        wall: Callable[[], float],
    ) -> None:
        self.bot = bot
        self.house = house
        self.host = house.host
        self._health = health
        self._version = version
        self._wall = wall
        self._known: tuple[float, Health] | None = None  # since when, by `wall`
        self._examining = asyncio.Lock()
        self._looking = asyncio.Lock()
        self._daily: asyncio.Task[None] | None = None
        self._resumed = False
        house.routes["setup"] = GlobalRoute(self._change)

    async def cog_unload(self) -> None:
        if self._daily is not None:
            self._daily.cancel()

    # /setup

    @app_commands.command(description=SAID["command.setup.description"])
    @app_commands.default_permissions(manage_guild=True)
    @IN_SERVERS
    async def setup(self, interaction: Interaction) -> None:
        async def show() -> Content:
            return self._settings(interaction, await self.host.policy.of(_managed(interaction)))

        await self.house.answer(interaction, show)

    async def _change(self, interaction: Interaction, pressed: Id, values: list[str]) -> None:
        """A choice in the message of `/setup`: the setting's name stands in the id's rest."""

        async def change() -> Content:
            guild = _managed(interaction)
            chosen = self._chosen(pressed.rest, values, await self.host.policy.of(guild))
            server = await self.host.policy.change(guild, **{pressed.rest: chosen})
            return self._settings(interaction, server, self.house.labels(interaction).say("setup.saved"))

        await self.house.update(interaction, change)

    def _chosen(self, setting: str, values: list[str], server: Server) -> Any:
        """The setting's value that a select's values stand for. Refused: what the message does not offer."""
        if setting == "channels" and len(values) <= MOST_CHANNELS and all(map(_is_id, values)):
            return sorted({int(value) for value in values})
        if setting == "role" and len(values) <= 1 and all(map(_is_id, values)):
            # The role of a server's own number is everybody's.
            return next((int(value) for value in values if int(value) != server.guild), None)
        if setting == "games" and set(values) <= self.host.games.keys():
            # All of them is what an owner means who chooses each, also of those that come later.
            return [] if len(set(values)) == len(self.host.games) else sorted(set(values))
        if setting == "clocks" and set(values) <= PRESETS.keys():
            return [] if len(set(values)) == len(PRESETS) else [name for name in PRESETS if name in values]
        if setting == "first_clock" and len(values) == 1 and values[0] in PRESETS and server.allows_clock(values[0]):
            return values[0]
        if setting == "threads" and len(values) == 1 and values[0] in list(Threads):
            return Threads(values[0])
        if setting in ("most_open", "most_each") and values in [["any"], *([str(limit)] for limit in LIMITS)]:
            return None if values[0] == "any" else int(values[0])
        raise Refused("unknown_button")

    def _settings(self, interaction: Interaction, server: Server, note: str = "") -> Content:
        labels = self.house.labels(interaction)
        say, clocks = labels.say, ", ".join(clockface.terms(name, labels) for name in server.clocks)
        games = ", ".join(self.host.games[slug].title for slug in server.games if slug in self.host.games)
        role = say("setup.role_and_managers", role=f"<@&{server.role}>") if server.role else say("setup.everybody")
        lines = (
            say("setup.channels", channels=_channels(server) or say("setup.every_channel")),
            say("setup.games", games=games or say("setup.every_game")),
            say("setup.threads", choice=say(f"setup.threads_{server.threads.value}")),
            say("setup.most_open", count=server.most_open or say("setup.any_number")),
            say("setup.most_each", count=server.most_each or say("setup.any_number")),
            say("setup.role", who=role),
            say("setup.clocks", clocks=clocks or say("setup.every_clock")),
            say("setup.first_clock", terms=clockface.terms(server.clock_at_first(), labels)),
        )
        head = f"## {say('setup.title')}\n{say('setup.intro')}"
        rows = self._controls(server, _still_there(interaction, server), labels)
        return Content((head, "\n".join(lines)), rows, interaction.user.id, note)

    def _controls(self, server: Server, known: Server, labels: Labels) -> tuple[Row, ...]:
        say = labels.say
        games = tuple(
            SelectOption(game.title, slug, chosen=slug in server.games)
            for slug, game in sorted(self.host.games.items())
        )
        threads = tuple(
            SelectOption(
                say("setup.entry_threads", choice=say(f"setup.threads_{choice.value}")),
                choice.value,
                chosen=choice is server.threads,
            )
            for choice in Threads
        )
        roles = (known.role,) if known.role is not None else ()
        return (
            EntitySelect(_id("channels"), say("setup.choose_channels"), "channel", known.channels, MOST_CHANNELS),
            Select(_id("games"), say("setup.choose_games"), games, least=0, most=len(games)),
            Select(_id("threads"), say("setup.choose_threads"), threads),
            _limits("most_open", server.most_open, say),
            _limits("most_each", server.most_each, say),
            EntitySelect(_id("role"), say("setup.choose_role"), "role", roles),
            *_clocks(server, labels),
            tuple(
                Button(say(f"setup.clear_{name}"), _id(name, "none"), disabled=not getattr(server, name))
                for name in ("channels", "games", "role", "clocks")
            ),
        )

    # /doctor

    @app_commands.command(description=SAID["command.doctor.description"])
    @IN_SERVERS
    async def doctor(self, interaction: Interaction) -> None:
        # At once: what comes later is late by our own fault.
        off = self._wall() - interaction.created_at.timestamp()
        await self.house.answer(interaction, lambda: self._examine(interaction, off))

    async def _examine(self, interaction: Interaction, off: float) -> Content:
        if interaction.guild_id is None:
            raise Refused("setup_in_servers")
        labels, person = self.house.labels(interaction), await self.house.meet(interaction)
        reached = await self.house.open_dm(interaction, person, labels.say("doctor.dm_hello"), anew=True)
        head = f"## {labels.say('doctor.title')}\n{labels.say('doctor.dm_good' if reached else 'doctor.dm_bad')}"
        if not manages(interaction):
            return Content((f"{head}\n{labels.say('doctor.more')}",), user=person.user)
        server = await self.host.policy.of(interaction.guild_id)
        numbers = await self.host.matches.open_in(interaction.guild_id)
        here = [labels.say("doctor.here"), *_in_this_channel(interaction, server, labels)]
        here.append(labels.say("doctor.open", count=len(numbers)))
        held = self.host.quarantine.among(numbers)
        if held:
            here.append(labels.say("doctor.held", tables=", ".join(f"{n} (`{why.code}`)" for n, why in held.items())))
        machine = [labels.say("doctor.machine"), *await self._machine(labels, off)]
        return Content((head, "\n".join(here), "\n".join(machine)), user=person.user)

    async def _machine(self, labels: Labels, off: float) -> list[str]:
        """How the database, its disk and the clock are, and which versions run."""
        say, health = labels.say, await self._looked()
        lines = []
        try:
            await self.host.matches.try_to_write()
        except NotStored:
            lines.append(say("doctor.database_unwritable"))
        if not health.sound:
            lines.append(say("doctor.database_unsound"))
        lines = lines or [say("doctor.database_good")]
        if health.free is not None:
            key = "doctor.disk_good" if health.free >= LITTLE_ROOM else "doctor.disk_bad"
            lines.append(say(key, free=_size(health.free)))
        key = "doctor.clock_good" if abs(off) <= CLOCK_OFF else "doctor.clock_bad"
        lines.append(say(key, seconds=f"{abs(off):.1f}"))
        versions = say(
            "doctor.versions",
            bot=self._version,
            discord=discord.__version__,
            python=platform.python_version(),
            sqlite=health.sqlite,
            pillow=version_of("Pillow"),
        )
        return [*lines, versions]

    async def _looked(self) -> Health:
        """How the database is, or was less than a minute ago."""
        async with self._examining:
            if self._known is None or not 0 <= self._wall() - self._known[0] < LOOKED:
                self._known = self._wall(), await self._health()
            return self._known[1]

    # Removed and invited again.

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Whenever Discord has told all servers anew: some may have gone or come while it could not tell."""
        if self._daily is None:
            self._daily = asyncio.create_task(self._every_day(), name="look round once a day")
        try:
            await self.look_round()
        finally:
            # Not before it is known where the bot still is: nothing is sent to a server that has removed it.
            if not self._resumed:
                self._resumed = True
                await self.house.publisher.resume()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Discord says that the bot was removed; of an outage it says `on_guild_unavailable`, which means nothing."""
        async with self._looking:
            await self._pause(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        async with self._looking:
            for match in await self._away():
                if match.guild == guild.id:
                    await self._bring_back(match)

    async def _every_day(self) -> None:
        while True:
            await asyncio.sleep(DAY)
            try:
                await self.look_round()
            except Exception as error:  # the next day it may go better
                log.error("the daily look round failed: %s", type(error).__name__, exc_info=without_text(error))

    async def look_round(self) -> None:
        """Pause matches in servers that the bot is in no more, let those go on where it is back, end those that have
        waited for as long as they may.
        """
        async with self._looking:
            there = {guild: await self._is_there(guild) for guild in await self.host.matches.guilds()}
            for guild, is_there in there.items():
                if is_there is False:
                    await self._pause(guild)
            for match in await self._away():
                is_there = there.get(match.guild, True)
                if is_there is True:
                    await self._bring_back(match)
                elif self.host.quarantine.holds(match.id):
                    continue
                elif is_there is False and not (await end_paused(self.host, match.id)).open:
                    self.house.publisher.changed(match.id)

    async def _is_there(self, guild: int) -> bool | None:
        """Whether the bot is in that server; None where that cannot be told now."""
        if self.bot.get_guild(guild) is not None:
            return True
        # Its absence from a list that may be incomplete is no proof: Discord says so of each by its number.
        try:
            async with discord_call():
                await self.bot.fetch_guild(guild, with_counts=False)
        except DiscordFailure as trouble:
            if trouble.kind in (Failure.CHANNEL_GONE, Failure.FORBIDDEN):
                return False
            log.warning("cannot tell whether a server is still there: %s", trouble)
            return None
        return True

    async def _pause(self, guild: int) -> None:
        for number in await self.host.matches.open_in(guild):
            try:
                await pause(self.host, number)
                log.info("match %d pauses: the bot is not in its server", number)
            except Refused as error:  # it is held, or nothing can be stored: the others pause all the same
                log.warning("match %d does not pause: %s", number, error.key)

    async def _bring_back(self, match: Match) -> None:
        """Let a match go on, and show all of it anew; of one that has ended meanwhile, how it ended. What cannot go on
        now keeps no other match from it, and is looked at again with the next look round.
        """
        if not match.paused or await self.host.quarantine.fault(match) is not None:
            self.house.publisher.changed(match.id)
            return
        try:
            # In this order: where the bot ends in between, the match still pauses, and is brought back at the start.
            await self.house.publisher.forget_shown(match.id)
            await go_on(self.host, match.id)
        except (Refused, NotStored) as error:
            log.warning("match %d does not go on yet: %s", match.id, type(error).__name__)
        self.house.publisher.changed(match.id)

    async def _away(self) -> list[Match]:
        found = [await self.host.matches.get(number) for number in await self.host.matches.away()]
        return [match for match in found if match is not None]


def _managed(interaction: Interaction) -> int:
    """The server that this person manages, where they are. Checked at each press: permissions change."""
    if interaction.guild_id is None:
        raise Refused("setup_in_servers")
    if not manages(interaction):
        raise Refused("needs_manage_server")
    return interaction.guild_id


def _id(setting: str, turn: str = "") -> Id:
    return Id(0, "setup", turn, setting)


def _is_id(value: str) -> bool:
    return value.isascii() and value.isdigit() and 0 < int(value) < 1 << 63


def _limits(setting: str, chosen: int | None, say: Callable[..., str]) -> Select:
    entries = [
        SelectOption(
            say(f"setup.entry_{setting}", count=say("setup.any_number") if limit is None else limit),
            "any" if limit is None else str(limit),
            chosen=limit == chosen,
        )
        for limit in (None, *LIMITS)
    ]
    return Select(_id(setting), say(f"setup.choose_{setting}"), tuple(entries))


def _clocks(server: Server, labels: Labels) -> tuple[Select, Select]:
    """Which terms lobbies offer, and of these the ones that a new table has at first."""
    offered = tuple(SelectOption(clockface.terms(name, labels), name, chosen=name in server.clocks) for name in PRESETS)
    first = tuple(
        SelectOption(
            labels.say("setup.entry_first_clock", terms=clockface.terms(name, labels)),
            name,
            chosen=name == server.clock_at_first(),
        )
        for name in PRESETS
        if server.allows_clock(name)
    )
    return (
        Select(_id("clocks"), labels.say("setup.choose_clocks"), offered, least=0, most=len(offered)),
        Select(_id("first_clock"), labels.say("setup.choose_first_clock"), first),
    )


def _channels(server: Server) -> str:
    return ", ".join(f"<#{channel}>" for channel in server.channels)


def _still_there(interaction: Interaction, server: Server) -> Server:
    """The settings without channels and roles that were deleted: a select takes no others."""
    guild = interaction.guild
    if guild is None or guild.unavailable:
        return server
    channels = tuple(channel for channel in server.channels if guild.get_channel(channel) is not None)
    role = server.role if server.role is not None and guild.get_role(server.role) is not None else None
    return replace(server, channels=channels, role=role)


def _in_this_channel(interaction: Interaction, server: Server, labels: Labels) -> list[str]:
    """The permissions of the bot where it was asked, one by one; and whether its owners want tables there."""
    say, lines = labels.say, []
    for name in NEEDED:
        granted = getattr(interaction.app_permissions, name)
        key = "doctor.permission_good" if granted else "doctor.permission_bad"
        lines.append(say(key, name=say(f"permission.{name}"), purpose=say(f"purpose.{name}")))
    lines.append(say("doctor.tables_good" if may_stand(server, interaction) else "doctor.tables_bad"))
    return lines


def _size(count: int) -> str:
    """Bytes in words, so coarse that nobody can read from two answers whether something was recorded in between."""
    return f"{count >> 20} MB" if count < 1 << 30 else f"{count >> 30} GB"
