"""The bot: how its parts are wired, and how it starts and ends.

Importing this does nothing. `Settings.from_env(mapping)` and `create_bot(settings)` need neither token nor network.
`main` is the command line: `python bot.py`, or `python bot.py --local` to play in the browser on a simulated Discord.
"""

from __future__ import annotations

import os
import signal
import sys

if __name__ == "__main__":  # The imports take a second. A signal in it ends the bot at once: nothing has begun.
    for ending in (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        if signal.getsignal(ending) is not signal.SIG_IGN:
            signal.signal(ending, lambda *_: os._exit(130 if sys.argv[1:] and "--local" not in sys.argv else 0))

import argparse
import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, cached_property, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeVar

import discord
from discord.ext import commands

import cogs
from cogs.app import App, AppCog, Part, Store, background_wing, open_store
from cogs.check import check
from cogs.guilds import Guilds
from cogs.move import move
from cogs.privacy import PrivacyCommands
from cogs.runtime import cli
from cogs.runtime.health import PORTS, UNWRITTEN, Health, HealthProbes, counting
from cogs.runtime.holdings import Holdings, SharedHoldings
from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import end_tasks
from cogs.runtime.process import Service, process_name, run_until_signal, version
from cogs.runtime.settings import Settings
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.database_mark import DatabaseMark
from cogs.transport.errors import explain, within_lease
from cogs.transport.gateway import use_addresses
from cogs.transport.permissions import invite_link
from cogs.transport.request_budget import Breaker, RequestBudget
from cogs.transport.shards import Shards, shards_of
from cogs.transport.slash_commands import CommandTree, Translator, digest_of, offer_to_servers_alone
from cogs.workers.pool import Pool, default_workers
from data.records.key_values import KeyValues
from data.store.backups import Backups
from data.store.database import OUT_OF_REACH, Database
from rendering.core import art

__all__ = ["Bot", "Settings", "create_bot"]

log = logging.getLogger("sundial")

C = TypeVar("C", bound=commands.Cog)

ROOT = Path(__file__).parent
PATIENCE = 10.0
"""Seconds for work under way to finish before the bot ends."""
HAND_OVER = 30.0
"""Seconds for other processes to take over the shards of this one before it ends; more if it has many."""
GATEWAY_PATIENCE = 3.0
"""Seconds for the gateway to close."""


class Bot(commands.Bot):
    """The bot with its tables. `setup_hook` makes everything that needs a running loop."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float],
        steady: Callable[[], float],
        ready: Callable[[], Awaitable[None]],
    ) -> None:
        self.name = process_name()
        self.metrics = Metrics({"process": self.name, "version": version(ROOT)})
        self.budget = RequestBudget(self.metrics, steady)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            # Also if the operator ticks *User Install*: with it users could open tables in servers without the bot.
            # Users install only commands marked `personal` for themselves (transport/slash_commands.py).
            allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False),
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            proxy=settings.discord_proxy,
            http_trace=within_lease(self.budget.trace(counting(self.metrics, self._hear))),
        )
        self.settings, self.wall, self.steady, self._tell_ready = settings, now, steady, ready
        self.app: App | None = None
        self.clock: ClockWorker | None = None
        self.shards: Shards | None = None
        self._mark: DatabaseMark | None = None
        self._database: Database | None = None
        self._pool: Pool | None = None
        self.background: list[Part] = []
        """What runs from the start on; what began last ends first."""
        self._when_ready: list[Part] = []
        """What begins once Discord has told the bot its servers."""
        self._holdings = Holdings()
        self._health: Health | None = None
        self._sweep: asyncio.Task[None] | None = None
        self._resumed = False

    @cached_property
    def watch(self) -> TrustedClock:
        """The trusted clock. From the login on, Discord's answers correct it."""
        return TrustedClock(self.wall, self.steady)

    def _hear(self, instant: float) -> None:
        """Correct the clock by the time in an answer of Discord."""
        self.watch.heard(instant)

    async def setup_hook(self) -> None:
        """Open the database, make the parts, and continue what the last run left. Raises DatabaseRefusal."""
        store = await open_store(self.settings, ROOT, self.metrics, self.watch)
        self._database = store.database
        self.shards = shards_of(
            self, store.database, store.values, self.settings.shard_count, self.budget, self.wall, self.name
        )
        if self.settings.token is not None:
            self._mark = DatabaseMark(self, store.values, self.shards.fail, shared=store.database.shared)
            if store.database.shared:  # the bot of --local is alone on its database
                self._holdings = SharedHoldings(store.database, self.name)
        app = self.app = self._make_parts(store, self.shards)
        if app.emoji is not None:
            await app.emoji.load()
        self.clock = app.clock
        await app.privacy.erase_again(int(self.watch.now()))
        if self.settings.health_port is not None:
            await self._answer_probes(app, self.settings.health_port)
        for cog in cogs_found():
            await self.add_cog(cog(app))
        await self.tree.set_translator(Translator())
        await self.sync_commands(store.values)
        gc.collect()  # before there are servers
        app.messages.drawing.warm_up(app.service.games)
        await self._begin_background(app)
        if not self._holdings.shared:
            self._look_through_matches()

    def _make_parts(self, store: Store, shards: Shards) -> App:
        settings = self.settings
        workers = default_workers() if settings.workers is None else settings.workers
        self._pool = Pool(workers, partial(self.metrics.count, "workers_lost_total")) if workers else None
        return App(
            self,
            settings=settings,
            store=store,
            pool=self._pool,
            watch=self.watch,
            wall=self.wall,
            steady=self.steady,
            metrics=self.metrics,
            budget=self.budget,
            holdings=self._holdings,
            is_mine=shards.is_mine,
            shares_token=self.shares_token,
            version=version(ROOT),
        )

    async def _answer_probes(self, app: App, port: int) -> None:
        """Answer the operator's questions how the bot is."""
        probes = HealthProbes(
            connected=lambda: app.clock.connected,
            stored=self.stores,
            clock_lag=app.clock.lag,
            behind=app.publisher.behind,
            matches=app.store.matches.index.counts,
            database=app.store.path,
            asks=lambda: self.budget.breaker is not Breaker.STOP,
            others=self._gauges,
            workers=lambda: () if self._pool is None else self._pool.pids,
            unwritten=self.unwritten,
        )
        self._health = Health(probes, self.metrics, self.steady, self.wall)
        shared = app.store.database.shared
        port = await self._health.open(port, self.settings.health_host, PORTS if shared else 1)
        log.info("/livez, /readyz and /metrics are at port %d", port)

    async def _begin_background(self, app: App) -> None:
        self.background, self._when_ready = background_wing(
            app,
            mark=self._mark,
            look_round=self._cog(Guilds).look_round,
            delete_old=self._cog(PrivacyCommands).sweep,
            holdings=self._holdings,
        )
        for part in self.background:
            if (starting := part.start()) is not None:
                await starting

    def _cog(self, kind: type[C]) -> C:
        found = self.get_cog(kind.__name__)
        assert isinstance(found, kind)
        return found

    def _gauges(self) -> dict[str, float]:
        """Return what the parts tell as metrics."""
        assert self.shards is not None and self._database is not None
        found: dict[str, float] = {
            "newcomers_waiting": 0 if self.app is None else len(self.app.publisher.newcomers),
            "other_database": self.shares_token(),
            "database_failures_total": self._database.failed,
        }
        for part in (self.shards, self.budget, self._holdings, self._pool, *self.background):
            if isinstance(part, (Shards, RequestBudget, Holdings, Pool, Backups)):
                found |= part.gauges()
        return found

    def shares_token(self) -> bool:
        """Return whether a bot on another database seems to use the same token."""
        return self._mark is not None and self._mark.other

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep up this process's shards until it is cancelled. Raises what Discord refuses the first of them with."""
        assert self.shards is not None
        await self.shards.run()

    async def sync_commands(self, facts: KeyValues) -> None:
        """Send Discord the commands if they have changed: it accepts 200 creations a day.

        Discord does not say whether it takes commands for users while *User Install* is not ticked in its portal. If it
        refuses them, only servers get commands, and the next start tries again.
        """
        digest = await digest_of(self.tree, self.application_id)
        if await facts.get("commands") == digest:
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            if error.status != 400:
                raise
            log.warning(
                "Discord refuses commands for users, only servers get them. Is *User Install* ticked? %s", error
            )
            offer_to_servers_alone(self.tree)
            await self.tree.sync()
        else:
            await facts.put("commands", digest)

    def _look_through_matches(self) -> None:
        """Verify the matches of this process's servers when there is time."""
        assert self.app is not None
        if self._sweep is not None:
            self._sweep.cancel()
        sweep = self.app.service.quarantine.sweep(self.app.publisher.servers.is_mine)
        self._sweep = asyncio.create_task(sweep, name="look through all matches")

    async def on_ready(self) -> None:
        """Begin the work: Discord has listed the servers. It does so again after a long disconnection."""
        assert self.app is not None and self.clock is not None
        self.clock.connect(True)
        await self._tell_ready()
        log.info("ready: %d servers, %d shards", len(self.guilds), len(self.shards.standing.held) if self.shards else 0)
        try:
            await self._cog(Guilds).look_round()
        finally:
            # Only now is it known in which servers the bot still is. It sends nothing to others.
            if not self._resumed:
                self._resumed = True
                await self.app.publisher.resume()
                for part in self._when_ready:
                    part.start()
            await self.app.publisher.newcomers.resume(self.app.publisher.servers.is_mine)
            if self._holdings.shared:  # again if this process has taken over servers; what it knows is passed over
                self._look_through_matches()
            # A full garbage collection stops the loop, for a second if there are 25,000 servers. So it leaves out all
            # objects made until now. Servers that are forgotten are freed without it (transport/gateway.py).
            gc.freeze()

    async def on_resumed(self) -> None:
        """Tell the clock worker that the gateway is connected again, after a short disconnection."""
        if self.clock is not None:
            self.clock.connect(True)

    async def on_disconnect(self) -> None:
        """Tell the clock worker that the gateway is not connected: clocks freeze."""
        if self.clock is not None:
            self.clock.connect(False)

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Handle a press or a form by the router; the tree handles commands."""
        self.watch.heard(interaction.created_at.timestamp())  # Discord's own time is in its ids
        if self.app is not None:
            await self.app.router.on_interaction(interaction)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Log the kind of an exception, never its text: discord.py's own handler could print a hand."""
        kind = sys.exc_info()[0]
        level = logging.WARNING if kind is not None and issubclass(kind, OUT_OF_REACH) else logging.ERROR
        log.log(level, "fault in %s: %s", event_method, kind.__name__ if kind else "unknown")

    async def lives(self) -> bool:
        """Return whether the loop runs and the database, while one is open, answers and has not failed to write for
        long.
        """
        return self._database is None or (await self._database.answers() and await self.unwritten() < UNWRITTEN)

    async def stores(self) -> bool:
        """Return whether the database answers and can be written."""
        return self._database is not None and await self._database.answers() and not await self.unwritten()

    async def unwritten(self) -> float:
        """Return the seconds for which nothing could be written to the database; 0.0 without one."""
        return 0.0 if self._database is None else await self._database.unwritten()

    async def drain(self) -> None:
        """Let other processes take over the shards, if there are any: in 30 s at most, or longer if it has many. Then
        refuse new work, finish what is under way and publish all changes, in 10 s at most. Call `close` next.
        """
        if self.app is None or self.clock is None:
            return
        if self.shards is not None:
            await self.shards.hand_over(HAND_OVER)
        until = time.monotonic() + PATIENCE
        self.app.interactions.closing = True
        await self.clock.close()
        await self.app.interactions.finish()
        await self.app.publisher.drain(until - time.monotonic())

    async def close(self) -> None:
        """Finish or break off what is under way and close the database, in 6 s at most after `drain`."""
        await end_tasks(self._sweep)
        for part in (*self._when_ready, *reversed(self.background)):
            await part.close()
        if self.app is not None:
            if not self.app.interactions.closing:  # `drain` has given them their time
                await self.app.interactions.finish()
            await self.app.interactions.break_off()
            await self.app.publisher.close()
            if self.app.interactions.avatars is not None:
                await self.app.interactions.avatars.close()
            self.app.messages.drawing.close()
        if self._pool is not None:
            await self._pool.close()
        if self._health is not None:
            await self._health.close()
        try:
            async with asyncio.timeout(GATEWAY_PATIENCE):
                if self.shards is not None:
                    await self.shards.close()
                await super().close()
        except TimeoutError:
            await self.http.close()
        if self._database is not None:
            await self._database.close()
            self._database = None


@cache
def cogs_found() -> tuple[type[AppCog], ...]:
    """Return the cogs: each module of cogs/ that has one is found, and made with the parts of the bot alone."""
    names = [f"cogs.{found.name}" for found in iter_modules(cogs.__path__) if not found.ispkg]
    for name in names:
        import_module(name)
    return tuple(kind for kind in AppCog.__subclasses__() if kind.__module__ in names)


async def unheard() -> None:
    """Ignore that the bot is ready."""


def create_bot(
    settings: Settings,
    now: Callable[[], float] = time.time,
    steady: Callable[[], float] = time.monotonic,
    ready: Callable[[], Awaitable[None]] = unheard,
) -> Bot:
    """Return the bot, not yet started.

    `now` returns seconds since 1970, `steady` seconds that only ever count up; `ready` is called each time that Discord
    has told the bot all its servers.
    """
    return Bot(settings, now, steady, ready)


async def run(settings: Settings) -> None:
    """Run on Discord until a signal or a refusal ends it. Raises DamagedArt before anything else."""
    assert settings.token is not None
    art.examine()
    use_addresses(settings.discord_api, settings.discord_gateway)
    service = Service(os.environ.get("NOTIFY_SOCKET", ""))
    bot = create_bot(settings, ready=service.ready)
    log.info("version %s, process %s", version(ROOT), bot.name)
    await run_until_signal(_start(bot, settings.token), service, bot.lives, bot.drain)


async def _start(bot: Bot, token: str) -> None:
    async with bot:
        await bot.login(token)
        if bot.application_id is not None:
            log.info("invite link: %s", invite_link(bot.application_id))
        if bot.shards is not None:
            await bot.shards.wait()
        await bot.connect()


async def play_locally(settings: Settings, options: argparse.Namespace) -> int:
    """Run on a simulated Discord in the browser, and return the exit code. Raises DatabaseRefusal and DamagedArt."""
    from cogs.local.play import play_locally as play  # simcord is not installed in production

    art.examine()
    with ExitStack() as stack:
        if options.postgresql:
            from cogs.local.postgres_server import PostgresServer

            server = PostgresServer()
            stack.callback(server.close)
            settings = replace(settings, database_url=server.make("sundial"))

        def make(now: Callable[[], float]) -> Bot:
            return create_bot(settings, now, now)

        target = settings.database_url or Path(settings.database)
        return await play(make, target, options.port, options.players, options.fresh, emoji=settings.emoji)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Return the exit code, one of `Exit`."""
    return cli.main(arguments, root=ROOT, run=run, play=play_locally, check=check, move=move, explain=explain)


if __name__ == "__main__":
    sys.exit(main())
