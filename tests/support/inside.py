"""What tests see or damage beside the product, behind its back: the one place that knows its private names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from cogs.match.clocks import Clocks
from cogs.match.lobby import Lobby
from cogs.match.quarantine import Quarantine
from cogs.match.service import MatchService
from cogs.messages import drawing
from data.records.hours import Hours
from data.records.matches import Matches
from data.store.database import Database
from rules import GAMES


def stored_matches(service: MatchService) -> Matches:
    """Return the stored matches of a match service."""
    return service._matches


def database_of(store: Any) -> Database:
    """Return the database of a bot, or of what stores something in it."""
    found: Database | None = store._database
    assert found is not None, "it is not open"
    return found


def service_of(room: Any) -> MatchService:
    """Return the match service that a room works with."""
    found: MatchService = room._service
    return found


def lobby_of(room: Any) -> Lobby:
    """Return the lobby that a room works with."""
    found: Lobby = room._lobby
    return found


def hours_of(clocks: Clocks) -> Callable[[int], Awaitable[Hours]]:
    """Return what gives the clocks a player's hours."""
    return clocks._hours


def faults_of(quarantine: Quarantine) -> Any:
    """Return the faults of the matches that are held, by match."""
    return quarantine._faults


def interaction_of(result: Any) -> Any:
    """Return the interaction, as the simulated Discord keeps it, that has this result."""
    return result._interaction


def connection_of(client: discord.Client) -> Any:
    """Return the state of discord.py: what it keeps of servers, channels and members."""
    return client._connection


def awaited_by(task: Any) -> Any:
    """Return the future that a task waits for; None: it is running, or is about to."""
    return task._fut_waiter


def draw_when_asked() -> None:
    """Let no picture be drawn before it is asked for."""
    drawing._prewarmed.update(GAMES)
