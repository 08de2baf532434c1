"""The parts of the bot that the cogs use, wired by bot.py. No part is replaced while the bot runs."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.match.coaching import Coaching
from cogs.match.door import Door
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.searches import Searches
from cogs.match.service import MatchService
from cogs.match.verification import Verifier
from cogs.messages.messages import Messages
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions
from cogs.transport.publisher import Publisher
from cogs.transport.router import Router
from cogs.transport.table_finder import TableFinder
from data.records.people import People


@dataclass(frozen=True, slots=True)
class App:
    """The parts, one of each. A cog takes the parts that it needs when it is created."""

    service: MatchService
    lobby: Lobby
    door: Door
    membership: Membership
    searches: Searches
    coaching: Coaching
    verifier: Verifier
    people: People
    messages: Messages
    publisher: Publisher
    finder: TableFinder
    interactions: Interactions
    hands: HandReplies
    router: Router
