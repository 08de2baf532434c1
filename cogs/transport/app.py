"""The parts of the bot: what they are, and how they are made, a wing at a time: what is stored, what plays matches,
what speaks with Discord, and what runs in the background. Each part is complete when it is made, and no part is
replaced while the bot runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any, Protocol, cast

from discord import app_commands
from discord.ext import commands

from cogs.match.alone import Alone, Lessons
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.coaching import Coaching
from cogs.match.host_rights import Door, StartTimes, release_all
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
from cogs.transport.app_emoji import AppEmoji, DatabaseMark
from cogs.transport.avatars import Avatars
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.computer_moves import ComputerMoves
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
from data.store.erasure_log import ErasureLog
from data.store.schema import LOCAL
from rules import GAMES

HOUR, DAY = 3600.0, 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The database and what is stored in it."""

    database: Database
    path: Path | None
    """Its file; None if it has none."""
    values: KeyValues
    matches: Matches
    people: People
    hours: PeopleHours
    histories: Histories
    tallies: Tallies
    portraits: Portraits | None
    """None: the operator keeps no avatars."""
    erasures: ErasureLog


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchParts:
    """What plays matches. None of it knows Discord."""

    service: MatchService
    lobby: Lobby
    door: Door
    membership: Membership
    records: Records
    seasons: Seasons
    starts: StartTimes
    lessons: Lessons
    alone: Alone
    moves: AutomaticMoves
    searches: Searches
    coaching: Coaching
    verifier: Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class App(MatchParts):
    """All parts, one of each."""

    bot: commands.Bot
    settings: Settings
    version: str
    """This program's."""
    watch: TrustedClock
    wall: Callable[[], float]
    """The system clock, in seconds since 1970."""
    store: Store
    people: People
    privacy: Privacy
    messages: Presenter
    publisher: Publisher
    finder: TableFinder
    interactions: Interactions
    hands: HandReplies
    private: PrivateOpening
    router: Router
    digests: Digests
    season_messages: SeasonMessages
    clock: ClockWorker
    emoji: AppEmoji | None
    """None: the operator wants none."""
    budget: RequestBudget
    shares_token: Callable[[], bool]
    """Whether a bot on another database has the same token."""


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
    return Store(
        database=database,
        path=path,
        values=KeyValues(database),
        matches=Matches(database),
        people=People(database, watch.now),
        hours=PeopleHours(database),
        histories=Histories(database),
        tallies=Tallies(database),
        portraits=Portraits(database) if settings.avatars else None,
        erasures=database.erasures(path),
    )


def match_wing(*, store: Store, settings: Settings, watch: TrustedClock, pool: Pool | None) -> MatchParts:
    """Make what plays matches. `pool`: the workers that think; None: threads do."""
    database, think = store.database, None if pool is None else PoolThinker(pool)
    servers = Servers(database)
    service = MatchService(store.matches, store.people, GAMES, watch.now, servers, store.hours, settings.tables_each)
    lobby, searches = Lobby(service, load(GAMES), store.erasures), Searches()
    membership = Membership(service, lobby)
    records, seasons = Records(service, Results(database), honours), StoredSeasons(database)
    recheck = None if pool is None else PoolThinker(pool, urgency=Urgency.LATE)
    return MatchParts(
        service=service,
        lobby=lobby,
        door=Door(lobby),
        membership=membership,
        records=records,
        seasons=Seasons(service, lobby, records, seasons, think),
        starts=StartTimes(service, lobby),
        lessons=Lessons(service),
        alone=Alone(service, lobby, membership),
        moves=AutomaticMoves(service, think),
        searches=searches,
        coaching=Coaching(service, think, searches),
        verifier=Verifier(service, recheck, searches, seasons),
    )


async def transport_wing(
    bot: commands.Bot,
    *,
    settings: Settings,
    store: Store,
    match: MatchParts,
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
) -> App:
    """Make what words, draws and sends to Discord, and what answers its presses. `pool`: the workers that draw."""
    service, people = match.service, store.people
    messages = Presenter(
        service,
        match.lobby,
        pool,
        records=match.records,
        portraits=store.portraits,
        coaching=match.coaching,
        seasons=match.seasons.stored,
    )
    timing = PublishTiming(edits=settings.edit_seconds, computer=settings.computer_seconds)
    publisher = Publisher(
        bot,
        messages,
        ComputerMoves(service, match.moves, timing, holdings),
        timing,
        holdings=holdings,
        is_mine=is_mine,
        requests=budget,
        membership=match.membership,
        direct=DirectMessages(bot, steady, settings.dm_seconds),
        timed=metrics.timer("shown_seconds"),
    )
    service.announcer.listener = publisher
    finder = TableFinder(messages, publisher.members)
    avatars = None if store.portraits is None else Avatars(service, store.portraits, messages.drawing)
    limits = service.policy.pace = RateLimits(steady if settings.limited else None)
    interactions = Interactions(messages, finder, publisher.newcomers, limits, metrics, publisher.answers, avatars)
    hands = HandReplies(messages, publisher.hands, publisher.replies)
    emoji = None
    if settings.emoji:
        emoji = AppEmoji(bot, store.values, messages.signs, holdings)
        await emoji.load()
    kept = (store.matches, people, store.hours, store.portraits, avatars)
    return App(
        **{part.name: getattr(match, part.name) for part in fields(match)},
        bot=bot,
        settings=settings,
        version=version,
        watch=watch,
        wall=wall,
        store=store,
        people=people,
        privacy=Privacy(store.database, [part.forget for part in kept if part is not None], store.erasures),
        messages=messages,
        publisher=publisher,
        finder=finder,
        interactions=interactions,
        hands=hands,
        private=PrivateOpening(match.alone, messages, interactions, hands),
        router=Router(interactions, finder),
        digests=Digests(
            bot, messages, publisher.pings, publisher.members, publisher.hands, settings.beat_seconds, holdings
        ),
        season_messages=SeasonMessages(bot, match.seasons, messages, publisher.servers, holdings),
        clock=ClockWorker(
            service,
            match.starts,
            publisher.is_stuck,
            Deadlines(store.database),
            store.values,
            watch,
            settings.beat_seconds,
            holdings,
        ),
        emoji=emoji,
        budget=budget,
        shares_token=shares_token,
    )


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
