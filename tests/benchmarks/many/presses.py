"""People in 20,000 matches: at some rate one of them makes a legal move, half in direct messages, half at the table.

In direct messages a move is one press, in the hand there. At the table it is two: *My hand*, and the move in the
private answer. Each player has one finger, and each match one press under way.

What is measured, from the moment of the press: its acknowledgement, the answer that shows the new hand, and the first
edit of the table's message, which shows the move to all others.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from cogs.messages.content import Id
from rules import GAMES
from tests.benchmarks.many.discord import ManyServers
from tests.benchmarks.many.matches import Crowd
from tests.process.loopback import until

TOKEN = re.compile(r"/(?:interactions|webhooks)/\d+/([^/]+)")
EDITED = re.compile(r"/channels/\d+/messages/(\d+)$")
PATIENCE = 30.0
"""Seconds after which an answer counts as missing."""
BY_DM = 0.5
"""The share of moves made in direct messages."""
BEAT = 0.02

_POSITION = "SELECT game, state, version FROM match WHERE id = %s AND status = 'playing'"
_SEATS = 'SELECT number, "user" FROM seat WHERE match = %s AND "user" IS NOT NULL'
Read = Callable[..., list[Any]]


@dataclass(eq=False)
class Figures:
    """What a stretch of presses has shown, in milliseconds; `missing`: answers and tables that did not come."""

    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """How late the loop of this Discord was: it makes all the other times longer."""
    missing: Counter[str] = field(default_factory=Counter)
    presses: int = 0


@dataclass(eq=False)
class _Press:
    """A press under way."""

    begun: float
    answer: asyncio.Future[int]
    """The id of the message that answers it."""


class People:
    """All players. `read` returns rows of the database."""

    def __init__(self, discord: ManyServers, crowd: Crowd, matches: int, read: Read, random: Random) -> None:
        self._discord, self._crowd, self._matches = discord, crowd, matches
        self._read, self._random = read, random
        self._presses: dict[str, _Press] = {}
        self._busy: set[int] = set()
        self._unshown: dict[int, float] = {}
        """By the table's message: when the move was pressed that it does not show yet."""
        self._making: set[asyncio.Task[None]] = set()
        self.figures = Figures()
        discord.on_applied = self._applied

    @property
    def under_way(self) -> int:
        """The presses without an answer."""
        return len(self._presses)

    @property
    def behind(self) -> int:
        """The tables that do not show a move yet."""
        return len(self._unshown)

    async def play(self, rate: float, seconds: float) -> None:
        """Make that many moves a second."""
        begun = perf_counter()
        due = begun
        watching = asyncio.create_task(self._watch())
        while (due := due + self._random.expovariate(rate)) < begun + seconds:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            self._making.add(making := asyncio.create_task(self._move()))
            making.add_done_callback(self._making.discard)
        await asyncio.sleep(max(0.0, begun + seconds - perf_counter()))
        watching.cancel()

    async def rest(self, seconds: float = PATIENCE) -> None:
        """Wait until all is answered and shown, for that time at most. What is missing then counts as such."""
        await until(lambda: not self._making and not self._unshown, seconds)
        self.figures.missing["tables"] += len(self._unshown)
        self._unshown.clear()

    async def _watch(self) -> None:
        while True:
            since = perf_counter()
            await asyncio.sleep(BEAT)
            self.figures.late.append(1000 * (perf_counter() - since - BEAT))

    async def _move(self) -> None:
        """Let a player make a legal move in some match."""
        found = next((asked for _ in range(20) if (asked := self._asked()) is not None), None)
        if found is None:
            self.figures.missing["no player was to move"] += 1
            return
        match, user, dm, seat, state = found
        self._busy.add(match)
        try:
            guild, channel = self._crowd.place(match)
            move = str(self._random.choice(state.legal_moves(seat)))
            made = Id(match, "move", state.turn(seat), move)
            table = self._crowd.message(match, -1)
            messages = self._discord.backend.messages
            if self._random.random() < BY_DM:
                where, message = dm, messages[dm].get(self._crowd.message(match, seat))
            else:
                self._discord.backend.add_member(guild, user)
                where = channel
                answer = await self._press(user, channel, messages[channel][table], Id(match, "hand"))
                message = messages[channel].get(answer)
            if message is None:  # it was sent again meanwhile
                return
            self._unshown.setdefault(table, perf_counter())
            await self._press(user, where, message, made)
        finally:
            self._busy.discard(match)

    def _asked(self) -> tuple[int, int, int, Any, Any] | None:
        """Return a match, a player who is to move there, their direct messages, their seat, and the position."""
        match = self._random.randint(1, self._matches)
        if match in self._busy or not (rows := self._read(_POSITION, match)):
            return None
        state = GAMES[rows[0][0]].from_json(json.loads(rows[0][1]))
        players = [(seat, user) for seat, user in self._read(_SEATS, match) if seat in state.to_move()]
        if not players:
            return None
        seat, user = self._random.choice(players)
        return match, user, self._discord.backend.dm_channels[user], seat, state

    async def _press(self, user: int, channel: int, message: Any, control: Id) -> int:
        """Press, and wait for the answer. Return its message; 0 if none came."""
        press = _Press(perf_counter(), asyncio.get_running_loop().create_future())
        self.figures.presses += 1
        record = self._discord.send(3, user, channel, {"component_type": 2, "custom_id": str(control)}, message)
        self._presses[record.token] = press
        try:
            return await asyncio.wait_for(press.answer, PATIENCE)
        except TimeoutError:
            self.figures.missing["answers"] += 1
            return 0
        finally:
            del self._presses[record.token]

    def _applied(self, method: str, path: str, body: Any, made: Any, known: bool) -> None:
        """Note what a request of the bot answers or shows."""
        if (found := TOKEN.search(path)) is not None:
            press = self._presses.get(found[1])
            if press is None:
                return
            took = 1000 * (perf_counter() - press.begun)
            if path.endswith("/callback"):
                self.figures.acknowledged.append(took)
            elif made is not None and not press.answer.done():
                self.figures.answered.append(took)
                press.answer.set_result(int(made["id"]))
        elif method == "PATCH" and (edited := EDITED.search(path)) is not None:
            begun = self._unshown.pop(int(edited[1]), None)
            if begun is not None:
                self.figures.shown.append(1000 * (perf_counter() - begun))
