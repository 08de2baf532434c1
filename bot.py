"""The bot: how its parts are wired, and how it starts and ends.

Importing this does nothing. `Settings.from_env(mapping)` and `create_bot(settings)` need neither token nor network.
`main` is the command line: `python bot.py`, or `python bot.py --local` to play in the browser on a simulated Discord.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import discord
from discord.ext import commands

from cogs.cancel import Cancel
from cogs.check import check
from cogs.cut import Cuts
from cogs.doctor import Doctor
from cogs.games import MyGames
from cogs.guilds import Guilds
from cogs.help import Help
from cogs.history import History
from cogs.invite import Invite
from cogs.learn import Learn
from cogs.lobby import LobbyPresses
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.coaching import Coaching
from cogs.match.door import Door
from cogs.match.groups import release_all
from cogs.match.lessons import Lessons
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.searches import Searches
from cogs.match.seasons import Seasons
from cogs.match.service import MatchService
from cogs.match.start_times import StartTimes
from cogs.match.verification import Verifier
from cogs.messages.honours import honours
from cogs.messages.messages import Messages
from cogs.move import move
from cogs.preferences import Preferences
from cogs.privacy import PrivacyCommands
from cogs.relocate import Relocate
from cogs.replay import Replay
from cogs.runtime import cli
from cogs.runtime.health import Health, HealthProbes, counting
from cogs.runtime.holdings import Holdings, SharedHoldings
from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import Periodic
from cogs.runtime.process import Service, run_until_signal, version
from cogs.runtime.settings import Settings
from cogs.runtime.trusted_clock import TrustedClock
from cogs.season import SeasonCommands
from cogs.seats import Seats
from cogs.setup import Setup
from cogs.start_time import StartTime
from cogs.stats import Stats
from cogs.tables import Tables
from cogs.time import TimeCommands
from cogs.transport.app import App
from cogs.transport.app_emoji import AppEmoji
from cogs.transport.avatars import Avatars
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.command_tree import CommandTree, digest_of, offer_to_servers_alone
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.database_mark import DatabaseMark
from cogs.transport.digests import Digests
from cogs.transport.direct_messages import DirectMessages
from cogs.transport.errors import explain, within_lease
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions
from cogs.transport.permissions import invite_link
from cogs.transport.publish_timing import PublishTiming
from cogs.transport.publisher import Publisher
from cogs.transport.rate_limits import RateLimits
from cogs.transport.request_budget import Breaker, RequestBudget
from cogs.transport.router import Router
from cogs.transport.season_messages import SeasonMessages
from cogs.transport.shards import Shards, shards_of
from cogs.transport.table_finder import TableFinder
from cogs.transport.translator import Translator
from cogs.workers.pool import Pool, Urgency, default_workers
from cogs.workers.thinking import PoolThinker
from data.content.decks import load
from data.records.deadlines import Deadlines
from data.records.histories import Histories
from data.records.hours import PeopleHours
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.records.people import People
from data.records.portraits import Portraits
from data.records.privacy import Privacy
from data.records.results import Results
from data.records.seasons import StoredSeasons
from data.records.servers import Servers
from data.records.tallies import Tallies
from data.store.backups import Backups
from data.store.database import OUT_OF_REACH, Database
from data.store.schema import LOCAL
from rules import GAMES

__all__ = ["Bot", "Settings", "create_bot"]

log = logging.getLogger("sundial")

ROOT = Path(__file__).parent
HOUR, DAY = 3600.0, 86_400.0
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
        self.metrics = Metrics()
        self.budget = RequestBudget(self.metrics, steady)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            # Also if the operator ticks *User Install*: with it users could open tables in servers without the bot.
            # Commands marked `personal` (transport/contexts.py) are the only ones that users install for themselves.
            allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False),
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            http_trace=within_lease(self.budget.trace(counting(self.metrics, self._hear))),
        )
        self.settings, self._now, self._steady, self._tell_ready = settings, now, steady, ready
        self.app: App | None = None
        self.clock: ClockWorker | None = None
        self.digests: Digests | None = None
        self.shards: Shards | None = None
        self._mark: DatabaseMark | None = None
        self._guilds: Guilds | None = None
        self._daily: Periodic | None = None
        self._hourly: tuple[Periodic, ...] = ()
        self._uploads: Periodic | None = None
        self._left: Periodic | None = None
        self.seasons: SeasonMessages | None = None
        self._database: Database | None = None
        self._pool: Pool | None = None
        self._backups: Backups | None = None
        self._health: Health | None = None
        self._sweep: asyncio.Task[None] | None = None
        self._resumed = False

    @cached_property
    def watch(self) -> TrustedClock:
        """The trusted clock. From the login on, Discord's answers correct it."""
        return TrustedClock(self._now, self._steady)

    def _count_lost(self, how: str) -> None:
        """Count a worker that was lost."""
        self.metrics.count("workers_lost_total", how)

    def _hear(self, instant: float) -> None:
        """Correct the clock by the time in an answer of Discord."""
        self.watch.heard(instant)

    async def setup_hook(self) -> None:
        """Open the database, wire the parts, and continue what the last run left. Raises DatabaseRefusal."""
        url = self.settings.database_url
        path = None if url or self.settings.database == ":memory:" else ROOT / self.settings.database
        database = self._database = await Database.open(
            url or path or ":memory:",
            lambda seconds: self.metrics.observe("commit_seconds", seconds),
            self.settings.bot_id if self.settings.token else LOCAL,
        )
        hours, values, watch = PeopleHours(database), KeyValues(database), self.watch
        matches, people = Matches(database), People(database, watch.now)
        erasures = database.erasures(path)
        shards = self.shards = shards_of(self, database, values, self.settings.shard_count, self.budget, self._now)
        if self.settings.token is not None:
            self._mark = DatabaseMark(self, values, shards.fail, shared=database.shared)

        # The bot of --local is alone on its database.
        holdings = SharedHoldings(database) if database.shared and self.settings.token else Holdings()

        # The application.
        workers = default_workers() if self.settings.workers is None else self.settings.workers
        pool = self._pool = Pool(workers, self._count_lost) if workers else None
        think = PoolThinker(pool) if pool is not None else None
        each = self.settings.tables_each
        service = MatchService(matches, people, GAMES, watch.now, Servers(database), hours, each)
        lobby = Lobby(service, load(GAMES), erasures)
        membership, messages = Membership(service, lobby), Messages(service, lobby, pool)
        records = messages.records = Records(service, Results(database), honours)
        stored_seasons = StoredSeasons(database)
        seasons = Seasons(service, lobby, records, stored_seasons, think)
        starts, lessons = StartTimes(service, lobby), Lessons(service)
        searches, moves = Searches(), AutomaticMoves(service, think)
        recheck = PoolThinker(pool, urgency=Urgency.LATE) if pool is not None else None
        coaching = Coaching(service, think, searches)
        verifier = Verifier(service, recheck, searches, stored_seasons)

        # Discord.
        timing = PublishTiming(edits=self.settings.edit_seconds, computer=self.settings.computer_seconds)
        computers = ComputerMoves(service, moves, timing, holdings)
        publisher = Publisher(
            *(self, service, people, messages, computers, timing, holdings, shards.is_mine, self.budget, membership),
            DirectMessages(self, self._steady, self.settings.dm_seconds),
        )
        service.listen(publisher)
        finder = TableFinder(service, messages, publisher.members)
        limits = RateLimits(self._steady if self.settings.limited else None)
        interactions = Interactions(service, people, messages, finder, publisher, limits, self.metrics)
        hands = HandReplies(service, messages, publisher.hands, publisher.replies)
        router = Router(interactions, finder)
        app = self.app = App(
            *(service, lobby, Door(lobby), membership, searches, coaching, verifier, people, messages),
            *(publisher, finder, interactions, hands, router),
        )

        # What runs in the background.
        beat = self.settings.beat_seconds
        self.digests = Digests(self, service, people, messages, publisher, beat, holdings)
        clock = self.clock = ClockWorker(service, starts, publisher, Deadlines(database), values, watch, beat, holdings)
        forgetters = [matches.forget, people.forget, hours.forget]
        if self.settings.avatars:
            portraits = messages.portraits = Portraits(database)
            avatars = interactions.avatars = Avatars(service, portraits, messages.drawing, publisher.later)
            forgetters += [portraits.forget, avatars.forget]
        if self.settings.emoji:
            emoji = AppEmoji(self, values, messages.signs, holdings)
            await emoji.load()
            self._uploads = Periodic("upload emoji", emoji.keep_up, HOUR)
        privacy = Privacy(database, forgetters, erasures)
        await privacy.erase_again(int(watch.now()))
        if self.settings.health_port is not None:
            probes = HealthProbes(
                *(lambda: clock.connected, self.stores, clock.lag, publisher.behind, matches.index.counts, path),
                *(lambda: self.budget.breaker is not Breaker.STOP, self._gateway_gauges),
            )
            self._health = Health(probes, self.metrics, self._steady, self._now)
            await self._health.open(self.settings.health_port, self.settings.health_host)

        # The commands.
        seats, personal = Seats(app), PrivacyCommands(app, privacy, self.settings.retention_days, watch)
        self._guilds = Guilds(self, app)
        self.seasons = SeasonMessages(self, service, seasons, publisher.servers, holdings)
        cogs: tuple[commands.Cog, ...] = (
            *(Tables(app), LobbyPresses(app), Invite(self, app), MyGames(app), seats, Learn(app, lessons)),
            *(Cuts(app), Cancel(app), StartTime(app, starts, hours), TimeCommands(app, hours, watch, seats.vote)),
            *(Preferences(app, self.digests), Relocate(app), Replay(app), personal, Setup(app), Help(app)),
            *(Stats(app, Tallies(database)), History(app, Histories(database)), self._guilds),
            *(
                Doctor(app, database.health, version(ROOT), self._now, self.budget, self.shares_token),
                SeasonCommands(app, seasons, self.seasons),
            ),
        )
        for cog in cogs:
            await self.add_cog(cog)
        await self.tree.set_translator(Translator())
        await self._sync_commands(values)

        # The start.
        gc.collect()  # before there are servers
        messages.warm_up()
        await clock.start()
        if self._mark is not None:
            self._mark.task.start()
        self.digests.start()
        self._daily = Periodic("look round once a day", self._guilds.look_round, DAY, at_once=False)
        hourly: dict[str, Callable[[], Awaitable[None]]] = {
            "end idle lessons": lessons.close_idle,
            "close idle lobbies": membership.close_idle,
            "delete what is old": personal.sweep,
            "release duplicates": lambda: release_all(service),
            "record what has ended": records.catch_up,
            "forget ended processes": self.budget.forget_dead,
        }
        self._hourly = tuple(Periodic(name, partial(holdings.alone, work), HOUR) for name, work in hourly.items())
        for task in self._hourly:
            task.start()
        if holdings.shared:
            self._left = Periodic("show what others left", partial(holdings.alone, publisher.show_left), HOUR)
        else:
            self._look_through_matches()
        if path is not None:
            self._backups = Backups(database, path, self.settings.backup_minutes, watch.now, lambda: watch.confirmed)
            await self._backups.start()

    def _gateway_gauges(self) -> dict[str, float]:
        """Return the gauges of the shards and of the requests to Discord."""
        assert self.shards is not None
        waiting = 0 if self.app is None else len(self.app.publisher.newcomers)
        others = {"newcomers_waiting": waiting, "other_database": self.shares_token()}
        return {**self.shards.gauges(), **self.budget.gauges(), **others}

    def shares_token(self) -> bool:
        """Return whether a bot on another database seems to use the same token."""
        return self._mark is not None and self._mark.other

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep up this process's shards until it is cancelled. Raises what Discord refuses the first of them with."""
        assert self.shards is not None
        await self.shards.run()

    async def _sync_commands(self, facts: KeyValues) -> None:
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
                if self._uploads is not None:
                    self._uploads.start()
                await self.app.publisher.resume()
                if self.seasons is not None:
                    self.seasons.task.start()
                if self._left is not None:
                    self._left.start()
            await self.app.publisher.newcomers.resume(self.app.publisher.servers.is_mine)
            if self._left is not None:  # again if this process has taken over servers; what it knows is passed over
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
        """Return whether the loop runs and the database, while one is open, answers."""
        return self._database is None or await self._database.answers()

    async def stores(self) -> bool:
        """Return whether the database answers and the last write to it succeeded."""
        return self._database is not None and self._database.writes and await self._database.answers()

    async def drain(self) -> None:
        """Let other processes take over the shards, if there are any: in 30 s at most, or longer if it has many. Then
        refuse new work, finish what is under way and publish all changes, in 10 s at most. Call `close` next.
        """
        if self.app is None or self.clock is None:
            return
        if self.shards is not None:
            await self.shards.hand_over(HAND_OVER)
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
        seasons = None if self.seasons is None else self.seasons.task
        mark = None if self._mark is None else self._mark.task
        parts = (self._backups, mark, self._uploads, self.clock, self.digests, self._daily, seasons, self._left)
        for part in (*parts, *self._hourly):
            if part is not None:
                await part.close()
        if self.app is not None:
            if not self.app.interactions.closing:  # `drain` has given them their time
                await self.app.interactions.finish()
            await self.app.interactions.break_off()
            await self.app.publisher.close()
            if self.app.interactions.avatars is not None:
                await self.app.interactions.avatars.close()
            self.app.messages.close()
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


async def _unheard() -> None:
    """Ignore that the bot is ready."""


def create_bot(
    settings: Settings,
    now: Callable[[], float] = time.time,
    steady: Callable[[], float] = time.monotonic,
    ready: Callable[[], Awaitable[None]] = _unheard,
) -> Bot:
    """Return the bot, not yet started.

    `now` returns seconds since 1970, `steady` seconds that only ever count up; `ready` is called each time that Discord
    has told the bot all its servers.
    """
    return Bot(settings, now, steady, ready)


async def run(settings: Settings) -> None:
    """Run on Discord until a signal or a refusal ends it."""
    assert settings.token is not None
    service = Service(os.environ.get("NOTIFY_SOCKET", ""))
    bot = create_bot(settings, ready=service.ready)
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
    """Run on a simulated Discord in the browser, and return the exit code. Raises DatabaseRefusal."""
    from cogs.local.play import play_locally as play  # simcord is not installed in production

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
