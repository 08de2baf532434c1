"""The parts of the bot: what they are, and how they are made, a wing at a time: what is stored, what plays matches,
what speaks with Discord, and what runs in the background. Each part is complete when it is made, and no part is
replaced while the bot runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any, Protocol, cast

from discord import app_commands
from discord.ext import commands

from cogs.match.alone import Alone, Lessons
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.coaching import Coaching
from cogs.match.duplicates import release_all
from cogs.match.host_rights import Door, StartTimes
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.searches import Searches
from cogs.match.seasons import Seasons
from cogs.match.service import MatchService
from cogs.match.verification import Verifier
from cogs.messages.end import honours
from cogs.messages.presenter import Presenter
from cogs.runtime.holdings import Holdings
from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import Periodic
from cogs.runtime.settings import Settings
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.app_emoji import AppEmoji
from cogs.transport.avatars import Avatars
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.database_mark import DatabaseMark
from cogs.transport.digests import Digests
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions, RateLimits
from cogs.transport.openings import PrivateOpening
from cogs.transport.publisher import Publisher
from cogs.transport.request_budget import PublishTiming, RequestBudget
from cogs.transport.router import Router
from cogs.transport.season_messages import SeasonMessages
from cogs.transport.senders import DirectMessages, Interaction
from cogs.transport.slash_commands import SAID
from cogs.transport.table_finder import TableFinder
from cogs.workers.pool import Pool, Urgency
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
from data.store.database import Database
from data.store.schema import LOCAL
from rules import GAMES

HOUR, DAY = 3600.0, 86_400.0


class Store:
    """The database and what is stored in it. `path`: its file; None if it has none."""

    def __init__(self, database: Database, path: Path | None, watch: TrustedClock, *, avatars: bool) -> None:
        self.database, self.path = database, path
        self.values = KeyValues(database)
        self.matches = Matches(database)
        self.people = People(database, watch.now)
        self.hours = PeopleHours(database)
        self.histories = Histories(database)
        self.tallies = Tallies(database)
        self.portraits = Portraits(database) if avatars else None
        """None: the operator keeps no avatars."""
        self.erasures = database.erasures(path)


class App:
    """All parts, one of each."""

    def __init__(
        self,
        bot: commands.Bot,
        *,
        settings: Settings,
        store: Store,
        pool: Pool | None,
        watch: TrustedClock,
        wall: Callable[[], float],
        steady: Callable[[], float],
        metrics: Metrics,
        budget: RequestBudget,
        holdings: Holdings,
        is_mine: Callable[[int], bool],
        shares_token: Callable[[], bool],
        version: str,
    ) -> None:
        """`pool`: the workers that draw and think; None: threads do. `wall`: the system clock, in seconds since 1970.
        `shares_token`: whether a bot on another database has the same token. `version`: this program's.
        """
        self.bot, self.settings, self.version = bot, settings, version
        self.store, self.people, self.watch, self.wall = store, store.people, watch, wall
        self.budget, self.shares_token = budget, shares_token
        self._make_match_wing(pool)
        self._make_transport_wing(pool, steady, metrics, holdings, is_mine)

    def _make_match_wing(self, pool: Pool | None) -> None:
        """Make what plays matches. None of it knows Discord."""
        store, database, think = self.store, self.store.database, None if pool is None else PoolThinker(pool)
        recheck = None if pool is None else PoolThinker(pool, urgency=Urgency.LATE)
        self.service = service = MatchService(
            store.matches,
            store.people,
            GAMES,
            self.watch.now,
            Servers(database),
            store.hours,
            self.settings.tables_each,
        )
        self.lobby = lobby = Lobby(service, load(GAMES), store.erasures)
        self.door = Door(lobby)
        self.membership = Membership(service, lobby)
        self.records = Records(service, Results(database), honours)
        self.seasons = Seasons(service, lobby, self.records, StoredSeasons(database), think)
        self.starts = StartTimes(service, lobby)
        self.lessons = Lessons(service)
        self.alone = Alone(service, lobby, self.membership)
        self.moves = AutomaticMoves(service, think)
        self.searches = Searches()
        self.coaching = Coaching(service, think, self.searches)
        self.verifier = Verifier(service, recheck, self.searches, self.seasons.stored)

    def _make_transport_wing(
        self,
        pool: Pool | None,
        steady: Callable[[], float],
        metrics: Metrics,
        holdings: Holdings,
        is_mine: Callable[[int], bool],
    ) -> None:
        """Make what words, draws and sends to Discord, and what answers its presses."""
        bot, settings, store, service = self.bot, self.settings, self.store, self.service
        self.messages = messages = Presenter(
            service,
            self.lobby,
            pool,
            records=self.records,
            portraits=store.portraits,
            coaching=self.coaching,
            seasons=self.seasons.stored,
        )
        timing = PublishTiming(edits=settings.edit_seconds, computer=settings.computer_seconds)
        self.publisher = publisher = Publisher(
            bot,
            messages,
            ComputerMoves(service, self.moves, timing, holdings),
            timing,
            holdings=holdings,
            is_mine=is_mine,
            requests=self.budget,
            membership=self.membership,
            direct=DirectMessages(bot, steady, settings.dm_seconds),
            timed=metrics.timer("shown_seconds"),
        )
        service.announcer.listener = publisher
        self.finder = finder = TableFinder(messages, publisher.members)
        avatars = None if store.portraits is None else Avatars(service, store.portraits, messages.drawing)
        limits = service.policy.pace = RateLimits(steady if settings.limited else None)
        self.interactions = Interactions(
            messages, finder, publisher.newcomers, limits, metrics, publisher.answers, avatars
        )
        self.hands = HandReplies(messages, publisher.hands, publisher.replies)
        self.emoji = AppEmoji(bot, store.values, messages.signs, holdings) if settings.emoji else None
        """None: the operator wants none."""
        kept = (store.matches, store.people, store.hours, store.portraits, avatars)
        forget = [part.forget for part in kept if part is not None]
        self.privacy = Privacy(store.database, forget, store.erasures)
        self.private = PrivateOpening(self.alone, messages, self.interactions, self.hands)
        self.router = Router(self.interactions, finder)
        self.digests = Digests(
            bot, messages, publisher.pings, publisher.members, publisher.hands, settings.beat_seconds, holdings
        )
        self.season_messages = SeasonMessages(bot, self.seasons, messages, publisher.servers, holdings)
        self.clock = ClockWorker(
            service,
            self.starts,
            publisher.is_stuck,
            Deadlines(store.database),
            store.values,
            self.watch,
            settings.beat_seconds,
            holdings,
        )


class AppCog(commands.Cog):
    """A cog, which is made with the parts of the bot, and keeps those that most cogs use."""

    def __init__(self, app: App) -> None:
        self._service, self._lobby, self._membership = app.service, app.lobby, app.membership
        self._messages, self._publisher, self._hands = app.messages, app.publisher, app.hands
        self._finder, self._interactions = app.finder, app.interactions


class Part(Protocol):
    """What runs in the background."""

    def start(self) -> Awaitable[None] | None:
        """Begin."""

    async def close(self) -> None:
        """End."""


async def open_store(settings: Settings, root: Path, metrics: Metrics, watch: TrustedClock) -> Store:
    """Open the database. Raises DatabaseRefusal."""
    url = settings.database_url
    path = None if url or settings.database == ":memory:" else root / settings.database
    database = await Database.open(
        url or path or ":memory:", metrics.timer("commit_seconds"), settings.bot_id if settings.token else LOCAL
    )
    return Store(database, path, watch, avatars=settings.avatars)


def background_wing(
    app: App,
    *,
    mark: DatabaseMark | None,
    look_round: Callable[[], Awaitable[None]],
    delete_old: Callable[[], Awaitable[None]],
    holdings: Holdings,
) -> tuple[list[Part], list[Part]]:
    """Return what runs in the background from the start on, and what begins once Discord has told the bot its
    servers. `look_round` and `delete_old`: what the cogs have to do once a day and once an hour.
    """
    hourly: dict[str, Callable[[], Awaitable[None]]] = {
        "end idle private matches": app.alone.close_idle,
        "close idle lobbies": app.membership.close_idle,
        "delete what is old": delete_old,
        "release duplicates": partial(release_all, app.service),
        "record what has ended": app.records.catch_up,
        "forget ended processes": app.budget.forget_dead,
    }
    at_once: list[Part] = [app.clock, app.digests.task]
    at_once += [Periodic(name, partial(holdings.alone, work), HOUR) for name, work in hourly.items()]
    if mark is not None:
        at_once.append(mark.task)
    if app.store.path is not None:
        minutes, confirmed = app.settings.backup_minutes, lambda: app.watch.confirmed
        at_once.append(Backups(app.store.database, app.store.path, minutes, app.watch.now, confirmed))
    later: list[Part] = [Periodic("look round once a day", look_round, DAY, at_once=False), app.season_messages.task]
    if app.emoji is not None:
        later.append(Periodic("upload emoji", app.emoji.keep_up, HOUR))
    if holdings.shared:
        later.append(Periodic("show what others left", partial(holdings.alone, app.publisher.show_left), HOUR))
    return at_once, later


async def complete_table(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """Return the tables that the user may mean. discord.py gives autocompletion no cog, so `App` comes from the bot."""
    app: App = interaction.client.app
    return await app.interactions.complete(interaction, lambda: app.finder.choices(interaction, typed))


def slash(
    where: Callable[[Any], Any] | None = None,
    *,
    group: app_commands.Group | None = None,
    answers: bool = True,
    **choices: Sequence[app_commands.Choice[str]],
) -> Callable[[Callable[..., Any]], app_commands.Command[Any, ..., None]]:
    """Make a cog's method the slash command of its name, offered `where`; in a `group`, as that is. The command is
    acknowledged, and then answered with what the method returns; unless `answers` is False: the method does both.

    Its texts are found by its name and those of its options; `choices`: those of an option. An option `table` that may
    be left out completes the user's tables.
    """

    def make(method: Callable[..., Any]) -> app_commands.Command[Any, ..., None]:
        async def answered(cog: AppCog, interaction: Interaction, **given: Any) -> None:
            app: App = interaction.client.app
            await app.interactions.answer(interaction, partial(method, cog, interaction, **given))

        name = method.__name__ if group is None else f"{group.name}.{method.__name__}"
        signature, callback = inspect.signature(method, eval_str=True), method
        if answers:
            callback = update_wrapper(answered, method)
            cast(Any, callback).__signature__ = signature  # by it discord.py finds the options
        _, _, *options = signature.parameters.values()
        shown = {option.name: option.name.rstrip("_") for option in options}
        app_commands.rename(**shown)(callback)
        app_commands.describe(**{given: SAID[f"command.{name}.{said}.description"] for given, said in shown.items()})(
            callback
        )
        app_commands.choices(**cast(Any, choices))(callback)
        if any(option.name == "table" and option.default is None for option in options):
            app_commands.autocomplete(table=complete_table)(callback)
        kind = app_commands.command if group is None else group.command
        command: app_commands.Command[Any, ..., None] = kind(description=SAID[f"command.{name}.description"])(callback)
        return command if where is None else where(command)

    return make
