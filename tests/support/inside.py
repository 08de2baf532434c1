"""What tests see or damage beside the product, behind its back: the one place that knows its private names."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from cogs.match.clocks import Clocks
from cogs.match.coaching import Coaching
from cogs.match.lobby import Lobby
from cogs.match.quarantine import Quarantine
from cogs.match.service import MatchService
from cogs.messages import drawing
from cogs.workers.pool import Pool, Urgency
from data.records.hours import Hours
from data.records.matches import Matches
from data.store.database import Database
from rules import GAMES

if TYPE_CHECKING:  # a store that is killed hundreds of times needs neither
    import discord
    from aiohttp import web

C = TypeVar("C", bound=Any)
SLEEP = "_set_result_unless_cancelled"
"""What a loop calls for `asyncio.sleep`."""


def stored_matches(service: MatchService) -> Matches:
    return service._matches


def database_of(store: Any) -> Database:
    """Return the database of a bot, or of what stores something in it."""
    found: Database | None = store._database
    assert found is not None, "it is not open"
    return found


def spoil(transaction: Any) -> None:
    """Leave the connection of a transaction to PostgreSQL as one that broke in the middle of a batch may be: it is not
    closed, and stays in pipeline mode, since it waits for an answer that never comes.
    """
    connection = transaction._connection.pgconn
    connection.enter_pipeline_mode()
    connection.send_query_params(b"SELECT 1", None)


def service_of(room: Any) -> MatchService:
    found: MatchService = room._service
    return found


def lobby_of(room: Any) -> Lobby:
    found: Lobby = room._lobby
    return found


def hours_of(clocks: Clocks) -> Callable[[int], Awaitable[Hours]]:
    """Return what gives the clocks a player's hours."""
    return clocks._hours


def faults_of(quarantine: Quarantine) -> Any:
    """Return the faults of the matches that are held, by match."""
    return quarantine._faults


def coached_by(coaching: Coaching, coach: C) -> C:
    """Let that coach think for the players from now on, and return it."""
    coaching._think = coach
    return coach


def waiting_in(pool: Pool) -> Mapping[Urgency, Iterable[object]]:
    """Return the jobs that no worker has begun, by urgency."""
    return pool._waiting


def interaction_of(result: Any) -> Any:
    """Return the interaction, as the simulated Discord keeps it, that has this result."""
    return result._interaction


def files_of(env: Any) -> dict[str, bytes]:
    """Return all files that the simulated Discord keeps, by address."""
    kept: dict[str, bytes] = env.backend.cdn._blobs
    return kept


def within_the_bot(env: Any) -> AbstractContextManager[None]:
    """Inside, what is done is done by the simulated Discord's bot."""
    scope: AbstractContextManager[None] = env._bot_scope()
    return scope


def connection_of(client: discord.Client) -> Any:
    """Return the state of discord.py: what it keeps of servers, channels and members."""
    return client._connection


def forget_server(client: discord.Client, guild: int) -> None:
    """Let discord.py keep that server no more."""
    connection_of(client)._guilds.pop(guild, None)


def forget_direct_messages(client: discord.Client) -> None:
    """Let discord.py keep no channel of direct messages."""
    for channel in list(client.private_channels):
        connection_of(client)._remove_private_channel(channel)


def transport_of(socket: web.WebSocketResponse) -> asyncio.Transport:
    """Return the line of a server's socket."""
    request: Any = socket._req
    found: asyncio.Transport = request.transport
    return found


def awaited_by(task: Any) -> Any:
    """Return the future that a task waits for; None: it is running, or is about to."""
    return task._fut_waiter


def is_awaited(task: Any) -> bool:
    """Return whether something goes on when the task ends."""
    return bool(task._callbacks)


def scheduled(loop: Any) -> Sequence[Any]:
    """Return the handles of what a loop is to call later."""
    found: Sequence[Any] = loop._scheduled
    return found


def goes_on(loop: Any) -> bool:
    """Return whether a loop has something to call at once."""
    return bool(loop._ready)


def has_sockets(loop: Any) -> bool:
    """Return whether a loop waits for a socket or a pipe other than its own, by which threads wake it."""
    return len(loop._selector.get_map()) > 1


def given_to(handle: Any) -> tuple[Any, ...]:
    """Return what a handle calls its function with; nothing if it was cancelled."""
    return handle._args or ()


def is_sleep(handle: Any) -> bool:
    """Return whether a handle ends an `asyncio.sleep`."""
    function = handle._callback
    return getattr(getattr(function, "__simcord_original_callback__", function), "__name__", "") == SLEEP


def draw_when_asked() -> None:
    """Let no picture be drawn before it is asked for."""
    drawing._prewarmed.update(GAMES)
