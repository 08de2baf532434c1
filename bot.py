"""The bot: how its parts are wired, and how it starts and ends.

Importing this does nothing. `Settings.from_env(mapping)` and `create_bot(settings)` need neither token nor network.
`main` is the command line: `python bot.py`, or `python bot.py --local` to play in the browser on a simulated Discord.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import hashlib
import json
import logging
import os
import sys
import time
import tomllib
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from pathlib import Path

import aiohttp
import discord
from discord.ext import commands

from cogs.cut import Cuts
from cogs.doctor import Doctor
from cogs.games import MyGames
from cogs.guilds import Guilds
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from cogs.preferences import Preferences
from cogs.privacy import PrivacyCommands
from cogs.relocate import Relocate
from cogs.runtime import cli, logs
from cogs.runtime.health import Health, HealthProbes, counting
from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import Periodic
from cogs.runtime.process import Exit, Service, end_on_signals
from cogs.runtime.settings import BadSettings, Settings
from cogs.runtime.start_throttle import StartThrottle
from cogs.runtime.trusted_clock import TrustedClock
from cogs.seats import Seats
from cogs.setup import Setup
from cogs.tables import Tables
from cogs.time import TimeCommands
from cogs.transport.app import App
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.digests import Digests
from cogs.transport.direct_messages import DirectMessages
from cogs.transport.errors import OUT_OF_REACH
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions
from cogs.transport.permissions import PERMISSIONS
from cogs.transport.publish_timing import PublishTiming
from cogs.transport.publisher import Publisher
from cogs.transport.rate_limits import RateLimits
from cogs.transport.router import Router
from cogs.transport.table_finder import TableFinder
from cogs.transport.translator import Translator
from data.content.decks import load
from data.records.deadlines import Deadlines
from data.records.hours import PeopleHours
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.records.servers import Servers
from data.store.backups import Backups
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES

__all__ = ["Bot", "Settings", "create_bot"]

log = logging.getLogger("sundial")

ROOT = Path(__file__).parent
HOUR, DAY = 3600.0, 86_400.0
PATIENCE = 10.0
"""Seconds for work under way to finish before the bot ends."""
GATEWAY_PATIENCE = 3.0
"""Seconds for the gateway to close."""
TOKEN_REFUSED = 4004
"""The code with which the gateway refuses a token."""


class Tree(discord.app_commands.CommandTree[discord.Client]):
    """The commands. An exception that no command of ours has answered is logged by its kind alone."""

    async def on_error(
        self, interaction: discord.Interaction[discord.Client], error: discord.app_commands.AppCommandError, /
    ) -> None:
        """discord.py's own handler would print the text of the exception, which could hold a hand."""
        cause = error.__cause__ or error
        log.error("fault in a command: %s", type(cause).__name__)


class Bot(commands.Bot):
    """The bot with its tables. `setup_hook` makes everything that needs a running loop."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float],
        steady: Callable[[], float],
        ready: Callable[[], Awaitable[None]],
    ) -> None:
        self.metrics = Metrics()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # Whatever the operator has ticked: with *User Install*, tables could be opened where the bot is not.
            allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False),
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            http_trace=counting(self.metrics, self._hear),
        )
        self.settings, self._now, self._steady, self._tell_ready = settings, now, steady, ready
        self.app: App | None = None
        self.clock: ClockWorker | None = None
        self.digests: Digests | None = None
        self.starts: StartThrottle | None = None
        self._guilds: Guilds | None = None
        self._daily: Periodic | None = None
        self._hourly: Periodic | None = None
        self._old: Periodic | None = None
        self._database: Database | None = None
        self._backups: Backups | None = None
        self._health: Health | None = None
        self._sweep: asyncio.Task[None] | None = None
        self._resumed = False

    @cached_property
    def watch(self) -> TrustedClock:
        """The time. From the login on, Discord's answers correct it."""
        return TrustedClock(self._now, self._steady)

    def _hear(self, instant: float) -> None:
        """Discord tells the time with each answer."""
        self.watch.heard(instant)

    async def setup_hook(self) -> None:
        """Open the database, wire the parts, and continue what the last run left. Raises DatabaseRefusal."""
        path = None if self.settings.database == ":memory:" else ROOT / self.settings.database
        database = self._database = await Database.open(
            path or ":memory:", lambda seconds: self.metrics.observe("commit_seconds", seconds)
        )
        hours, values, watch = PeopleHours(database), KeyValues(database), self.watch
        matches, people, erasures = Matches(database), People(database, watch.now), ErasureLog(path)

        # The application.
        service = MatchService(matches, people, GAMES, watch.now, Servers(database), hours)
        lobby = Lobby(service, load(GAMES))
        membership, messages = Membership(service, lobby, erasures), Messages(service, lobby)

        # Discord.
        timing = PublishTiming(edits=self.settings.edit_seconds, computer=self.settings.computer_seconds)
        publisher = Publisher(self, service, people, messages, timing)
        service.listen(publisher)
        finder = TableFinder(service, messages)
        direct = DirectMessages(time.monotonic, self.settings.dm_seconds)
        limits = RateLimits(self._steady if self.settings.limited else None)
        interactions = Interactions(service, people, messages, finder, publisher, direct, limits, self.metrics)
        hands = HandReplies(service, messages, publisher.hands)
        router = Router(interactions, finder)
        app = self.app = App(
            service, lobby, membership, people, messages, publisher, finder, interactions, hands, router
        )

        # What runs in the background.
        beat = self.settings.beat_seconds
        self.starts = StartThrottle(values, self._now)
        self.digests = Digests(self, service, people, messages, publisher, beat)
        clock = self.clock = ClockWorker(service, publisher, Deadlines(database), values, watch, beat)
        privacy = Privacy(database, (matches.forget, people.forget, hours.forget), erasures)
        await privacy.erase_again(int(watch.now()))
        if self.settings.health_port is not None:
            probes = HealthProbes(
                lambda: clock.connected, self.stores, clock.lag, publisher.behind, matches.counts, path
            )
            await self._serve_health(probes, self.settings.health_port)

        # The commands.
        seats, personal = Seats(app), PrivacyCommands(app, privacy, self.settings.retention_days, watch)
        self._guilds = Guilds(self, app)
        cogs: tuple[commands.Cog, ...] = (
            *(Tables(app), MyGames(app), seats, Cuts(app), TimeCommands(app, hours, watch, seats.vote)),
            *(Preferences(app, self.digests), Relocate(app), personal, Setup(app)),
            *(Doctor(app, database.health, version(), self._now), self._guilds),
        )
        for cog in cogs:
            await self.add_cog(cog)
        await self.tree.set_translator(Translator())
        await self._sync_commands(values)

        # The start.
        messages.warm_up()
        await clock.start()
        self.digests.start()
        self._daily = Periodic("look round once a day", self._guilds.look_round, DAY, at_once=False)
        self._hourly = Periodic("close idle lobbies", membership.close_idle, HOUR)
        self._hourly.start()
        self._old = Periodic("delete what is old", personal.sweep, HOUR)
        self._old.start()
        self._sweep = asyncio.create_task(service.quarantine.sweep(), name="look through all matches")
        if path is not None:
            self._backups = Backups(database, path, self.settings.backup_minutes, watch.now, lambda: watch.confirmed)
            await self._backups.start()

    async def _serve_health(self, probes: HealthProbes, port: int) -> None:
        """Serve /livez, /readyz and /metrics. Raises BadSettings if the port is taken."""
        self._health = Health(probes, self.metrics, self._steady, self._now)
        try:
            await self._health.open(port)
        except OSError as error:
            raise BadSettings([f"HEALTH_PORT: port {port} of 127.0.0.1 cannot be used."]) from error

    async def _sync_commands(self, facts: KeyValues) -> None:
        """Send Discord the commands if they have changed: it accepts 200 creations a day."""
        translator = self.tree.translator
        assert translator is not None
        payload = [await command.get_translated_payload(self.tree, translator) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps([self.application_id, payload], sort_keys=True).encode()).hexdigest()
        if await facts.get("commands") != digest:
            await self.tree.sync()
            await facts.put("commands", digest)

    async def on_ready(self) -> None:
        """Begin the work: Discord has listed the servers. It does so again after a long disconnection."""
        assert self.app is not None and self.clock is not None and self._guilds is not None and self._daily is not None
        self.clock.connect(True)
        await self._tell_ready()
        log.info("ready: %d servers", len(self.guilds))
        if not self._daily.running:
            self._daily.start()
        try:
            await self._guilds.look_round()
        finally:
            # Only now is it known in which servers the bot still is. It sends nothing to others.
            if not self._resumed:
                self._resumed = True
                await self.app.publisher.resume()
            # A full garbage collection stops the loop, so it leaves out all objects made until now. Objects frozen
            # the last time may be garbage by now.
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    async def on_resumed(self) -> None:
        """The gateway is connected again after a short disconnection."""
        if self.clock is not None:
            self.clock.connect(True)

    async def on_disconnect(self) -> None:
        """The gateway is not connected."""
        if self.clock is not None:
            self.clock.connect(False)

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """A command, a press or a form; commands go through the tree, the rest through the router."""
        self.watch.heard(interaction.created_at.timestamp())  # Discord's own time is in its ids
        if self.app is not None:
            await self.app.router.on_interaction(interaction)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Log the kind of an exception, never its text: discord.py's own handler could print a hand."""
        kind = sys.exc_info()[0]
        log.error("fault in %s: %s", event_method, kind.__name__ if kind else "unknown")

    async def lives(self) -> bool:
        """Whether the loop runs and the database, while one is open, answers."""
        return self._database is None or await self._database.answers()

    async def stores(self) -> bool:
        """Whether the database answers and the last write to it succeeded."""
        return self._database is not None and self._database.writes and await self._database.answers()

    async def drain(self) -> None:
        """Refuse new work, finish what is under way and publish all changes, in 10 s at most. Call `close` next."""
        if self.app is None or self.clock is None:
            return
        until = time.monotonic() + PATIENCE
        self.app.interactions.turn_away()
        await self.clock.close()
        await self.app.interactions.finish()
        await self.app.publisher.drain(until - time.monotonic())

    async def close(self) -> None:
        """Finish or break off what is under way and close the database, in 6 s at most after `drain`."""
        if self._sweep is not None:
            self._sweep.cancel()
            await asyncio.gather(self._sweep, return_exceptions=True)
        for part in (self._backups, self.clock, self.digests, self._daily, self._hourly, self._old):
            if part is not None:
                await part.close()
        if self.app is not None:
            if not self.app.interactions.closing:  # `drain` has given them their time
                await self.app.interactions.finish()
            await self.app.interactions.break_off()
            await self.app.publisher.close()
            self.app.messages.close()
        if self._health is not None:
            await self._health.close()
        try:
            await asyncio.wait_for(super().close(), GATEWAY_PATIENCE)
        except TimeoutError:
            await self.http.close()
        if self._database is not None:
            await self._database.close()
            self._database = None


def version() -> str:
    """Return this program's version, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


async def _unheard() -> None:
    """Ignore that the bot is ready."""


def create_bot(
    settings: Settings,
    now: Callable[[], float] = time.time,
    steady: Callable[[], float] = time.monotonic,
    ready: Callable[[], Awaitable[None]] = _unheard,
) -> Bot:
    """The bot, not yet started. `now` returns seconds since 1970, `steady` seconds that only ever count up; `ready` is
    called each time that Discord has told the bot all its servers.
    """
    return Bot(settings, now, steady, ready)


def invite_link(application: int) -> str:
    """Return the link that adds the bot to a server with exactly the permissions it needs."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


async def run(settings: Settings) -> None:
    """Run on Discord until a signal or a refusal ends it."""
    asyncio.get_running_loop().set_exception_handler(logs.report)
    service = Service(os.environ.get("NOTIFY_SOCKET", ""))
    bot = create_bot(settings, ready=service.ready)
    watching = asyncio.create_task(service.watch(bot.lives), name="watchdog")
    running = asyncio.create_task(_start(bot, settings.token or ""))
    end_on_signals(running, bot.drain)
    try:
        await running
    except asyncio.CancelledError:
        log.info("stopped")
    finally:
        watching.cancel()


async def _start(bot: Bot, token: str) -> None:
    async with bot:
        await bot.login(token)
        log.info("invite link: %s", invite_link(bot.application_id or 0))
        if bot.starts is not None:
            await bot.starts.wait()
        try:
            await bot.connect()
        except AttributeError as error:
            # discord.py 2.7 raises this if the very first connection to the gateway fails.
            if bot.ws is not None:
                raise
            raise aiohttp.ClientError("no gateway") from error


async def play_locally(settings: Settings, options: argparse.Namespace) -> int:
    """Run on a simulated Discord in the browser, and return the exit code. Raises DatabaseRefusal."""
    from cogs.local.play import play_locally as play  # simcord is not installed in production

    def make(now: Callable[[], float]) -> Bot:
        return create_bot(settings, now, now)

    return await play(make, Path(settings.database), options.port, options.players, options.fresh)


def explain(error: Exception) -> tuple[Exit, str] | None:
    """Return the exit code for an error of Discord and a sentence for the operator; None for any other error."""
    closed = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or closed == TOKEN_REFUSED:
        return Exit.TOKEN, "Discord refuses the token in DISCORD_TOKEN. Take a new one from the developer portal."
    if closed is not None or isinstance(error, OUT_OF_REACH):
        # Only at the start: once connected, discord.py goes on trying by itself, unless Discord tells it to stop.
        return Exit.UNREACHABLE, f"Discord cannot be reached: {logs.kind_of(error)}. Try again later."
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Return the exit code, one of `Exit`."""
    return cli.main(arguments, root=ROOT, run=run, play=play_locally, explain=explain)


if __name__ == "__main__":
    sys.exit(main())
