"""What tests see or damage beside the product, behind its back: the one place that knows its private names."""

from __future__ import annotations

from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from data.records.matches import Matches
from data.store.database import Database


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
