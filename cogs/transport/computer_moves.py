"""Moves that need no player: computers move, and the bot moves for absent players and those without a choice.

One task a match moves at a human pace for as long as the table waits for such a seat. Nothing of it is stored: after a
start the publisher finds the matches again. Of several processes, the holder of a match makes its moves.
"""

from __future__ import annotations

import asyncio
import logging

from cogs.match.automatic_moves import AutomaticMoves, Pace
from cogs.match.service import MatchService
from cogs.runtime.holdings import Holdings
from cogs.runtime.periodic import end_tasks
from cogs.transport.errors import report
from cogs.transport.request_budget import PublishTiming
from data.records.leases import fenced
from data.records.match import Match

log = logging.getLogger(__name__)

USUAL = 1.6
"""Seconds from one move of a computer to the next at which computers keep the pace of cogs.match.automatic_moves."""
PAUSE = 0.25
"""The share of these seconds that passes before a computer begins to think."""


class ComputerMoves:
    """The tasks that make these moves, one for each match."""

    def __init__(
        self, service: MatchService, moves: AutomaticMoves, timing: PublishTiming, holdings: Holdings | None = None
    ) -> None:
        self._holdings = holdings or Holdings()
        self._service = service
        self.moves = moves
        self.timing = timing
        self._pace = Pace(min(1.0, timing.computer / USUAL))
        self._pause = max(PAUSE * timing.computer, timing.computer - (1 - PAUSE) * USUAL)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._waking: asyncio.Task[None] | None = None
        self._resting = False

    def resume(self) -> None:
        """After a start, move at every table that waits for such a move, even if all its posts are up to date."""
        self._waking = asyncio.create_task(self._wake(), name="wake the computers")

    async def _wake(self) -> None:
        for number in await self._service.index.with_automatic_moves():
            match = await self._service.find(number)
            if match is not None and await self._service.quarantine.fault(match) is None:
                self.move_at(match)

    def move_at(self, match: Match) -> None:
        """Begin to move at this table, if it waits for a move that needs no player."""
        if self._resting or match.id in self._tasks or self.moves.next_seat(match) is None:
            return
        with fenced(None):  # the task may outlive the lease under which the match is shown now
            task = asyncio.create_task(self.make_moves(match.id), name=f"computers of match {match.id}")
        self._tasks[match.id] = task

    def move_in(self, number: int) -> bool:
        """Return whether computers move at this table."""
        return number in self._tasks

    async def make_moves(self, number: int) -> None:
        """Move, one seat after the other, until the table waits for a player."""
        pause, retry = self._pause, self.timing.retry
        try:
            while True:
                await asyncio.sleep(pause)
                if self._resting or not self._holdings.holds(number):  # otherwise its holder makes the moves
                    return
                try:
                    played = await self.moves.play(number, self._pace)
                    if played is None:
                        return
                    if played.made_do:
                        log.warning("match %d: a computer made its default move", number, extra={"match": number})
                except Exception as error:  # no press can help a table that waits for a computer: try again
                    first = retry == self.timing.retry
                    report(log, number, "waits for a computer that cannot move", error, retry, first=first)
                    pause, retry = retry, min(2 * retry, self.timing.longest_retry)
                else:
                    pause, retry = self._pause, self.timing.retry
        finally:
            self._tasks.pop(number, None)

    def rest(self) -> None:
        """Begin no more moves."""
        self._resting = True

    async def close(self) -> None:
        """End every task, whatever it is doing."""
        self._resting = True
        await end_tasks(*self._tasks.values(), self._waking)
