"""The parts of the bot that the cogs use, wired by bot.py. No part is replaced while the bot runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from discord.ext import commands

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.coaching import Coaching
from cogs.match.door import Door
from cogs.match.lessons import Lessons
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.searches import Searches
from cogs.match.seasons import Seasons
from cogs.match.service import MatchService
from cogs.match.start_times import StartTimes
from cogs.match.verification import Verifier
from cogs.messages.messages import Messages
from cogs.runtime.settings import Settings
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.app_emoji import AppEmoji
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.digests import Digests
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions
from cogs.transport.publisher import Publisher
from cogs.transport.request_budget import RequestBudget
from cogs.transport.router import Router
from cogs.transport.season_messages import SeasonMessages
from cogs.transport.table_finder import TableFinder
from data.records.histories import Histories
from data.records.hours import PeopleHours
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.records.people import People
from data.records.portraits import Portraits
from data.records.privacy import Privacy
from data.records.tallies import Tallies
from data.store.database import Database
from data.store.erasure_log import ErasureLog


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
    moves: AutomaticMoves
    searches: Searches
    coaching: Coaching
    verifier: Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class App(MatchParts):
    """All parts, one of each. A cog takes the parts that it needs when it is created."""

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
    messages: Messages
    publisher: Publisher
    finder: TableFinder
    interactions: Interactions
    hands: HandReplies
    router: Router
    digests: Digests
    season_messages: SeasonMessages
    clock: ClockWorker
    emoji: AppEmoji | None
    """None: the operator wants none."""
    budget: RequestBudget
    shares_token: Callable[[], bool]
    """Whether a bot on another database has the same token."""
