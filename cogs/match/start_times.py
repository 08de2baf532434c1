"""Lobbies that start by themselves: the host sets a time, the players are reminded, the lobby starts or says why not.

The time, and what has been done about it, are stored with the lobby, so a restart loses and doubles nothing.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_lobby
from cogs.match.service import MatchService
from data.records.match import Match, MissedStart, Status

log = logging.getLogger(__name__)

SOONEST, LATEST = 60, 30 * 86_400
"""Seconds from now between which a start time may be."""
REMINDER = 600
"""Seconds before the start at which the players are reminded."""
LATE = 1800
"""Seconds after which a start that the bot has missed, as while it was down, is given up: the players have left."""
TOO_LATE = "late"
"""Stands for the reason of a start that was given up."""


class StartTimes:
    """Sets the start times of lobbies, and does what is due."""

    def __init__(self, service: MatchService, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    async def set(self, number: int, user: int, at: int | None) -> Match:
        """Let the lobby start by itself at that instant, in seconds since 1970; None: by a press alone. Refused: the
        user is not its host, or the time is too soon or too far away.
        """
        now = int(self._service.now())
        async with self._service.deciding(number) as match:
            check_lobby(match)
            check_host(match, user)
            if at is not None and not now + SOONEST <= at <= now + LATEST:
                raise Refused(Reason.BAD_START, days=LATEST // 86_400, time=f"<t:{at}:F>")
            match = replace(match, starts_at=at, starts_soon=False, missed_start=None, touched_at=now)
            saved = await self._service.save(match)
        if at is not None:
            self._service.clocks.alarm(at - REMINDER)
        return saved

    async def due(self) -> int | None:
        """Do all that is due now. Return when the next thing is due; None: nothing is. A lobby that refuses delays no
        other, nor does a fault in one, which is raised at the end.
        """
        now, fault = int(self._service.now()), None
        for number in await self._service.index.starting(now, REMINDER):
            if self._service.quarantine.holds(number):
                continue
            try:
                await self._look_at(number)
            except Refused as refused:  # by this lobby alone; the next look tries it again
                log.warning("lobby %d is looked at again: %s", number, refused.reason, extra={"match": number})
            except Exception as error:  # raised once the other lobbies have had their turn
                fault = fault or error
        if fault is not None:
            raise fault
        return await self._service.index.next_start(now, REMINDER)

    async def _look_at(self, number: int) -> None:
        """Start that lobby, or store that it starts soon or cannot start."""
        seen, now = await self._service.load(number), int(self._service.now())
        at = seen.starts_at
        if at is None or now < at:
            await self._store(number, at, starts_soon=True)
            return
        why = TOO_LATE
        if now < at + LATE:
            try:
                await self._lobby.start_on_time(number, at)
                return
            except Refused as refused:
                if refused.reason in (Reason.NOT_STORED, Reason.BUSY):
                    raise
                why = refused.reason.value
        missed = MissedStart(at, why)
        # Its players have been waiting for that time: only from now on it is a lobby in which nothing happens.
        await self._store(number, at, starts_at=None, starts_soon=False, missed_start=missed, touched_at=now)

    async def _store(self, number: int, at: int | None, **facts: Any) -> None:
        """Store these facts of a lobby that still starts at that instant."""
        async with self._service.deciding(number) as match:
            if match.status is Status.LOBBY and not match.paused and match.starts_at == at:
                await self._service.save(replace(match, **facts))
