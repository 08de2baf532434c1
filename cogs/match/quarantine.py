"""Finds matches that cannot be played on: their stored data is damaged, or belongs to rules that this program lacks.

Each open match is verified once after each start, before a player can do anything in it: its row is readable, its rules
are known, its log is the recorded one (data/store/hash_chain.py), and replaying the log leads to the stored position.
With several processes each looks through the matches of its own servers, and verifies any other when it is needed.
A match that fails is quarantined: nothing in it changes, its table says so, and all other matches go on. The next start
verifies it again, because a backup or a newer program may have repaired it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from cogs.match.positions import is_stored, replay
from cogs.match.refusals import Reason, Refused
from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.store.database import OUT_OF_REACH
from rules.core.game import AnyGame

log = logging.getLogger(__name__)


REST = 3.0
"""Seconds to rest for each second that a match took while all are looked through: players come first."""


class Fault(NamedTuple):
    """Why a match is quarantined: `refused.<reason>` is the sentence; the code is in the program's log too."""

    reason: Reason
    code: str


class Quarantine:
    """Verifies the open matches of a service. It calls `on_fault` with the number of each match that it quarantines."""

    def __init__(self, matches: Matches, games: Mapping[str, AnyGame], on_fault: Callable[[int], None]) -> None:
        self._matches = matches
        self._games = games
        self.sound: set[int] = set()
        """The numbers of the open matches that were verified and can be played on."""
        self._faults: dict[int, Fault] = {}
        self._on_fault = on_fault

    def holds(self, number: int) -> bool:
        """Return whether that match is known to be quarantined."""
        return number in self._faults

    def among(self, numbers: Iterable[int]) -> dict[int, Fault]:
        """Return the known faults of these matches, by number."""
        return {number: self._faults[number] for number in numbers if number in self._faults}

    async def fault(self, match: Match) -> Fault | None:
        """Return why that match is quarantined, verifying it if need be; None if it is sound."""
        if not match.open:
            self.sound.discard(match.id)
            return None
        if match.id in self.sound:
            return None
        if match.id not in self._faults:
            await self._verify(match.id)
        return self._faults.get(match.id)

    async def check(self, match: Match) -> None:
        """Raise Refused if the match is quarantined."""
        fault = await self.fault(match)
        if fault is not None:
            raise Refused(fault.reason, code=fault.code)

    async def examined(self, number: int) -> Fault | None:
        """Verify a match, also an ended one, without quarantining it. Return its fault; None if sound, or no match."""
        found = await self._matches.whole(number)
        fault = None if found is None else await asyncio.to_thread(fault_of, self._games, *found)
        return None if fault is None else Fault(fault[0], _code(number, fault[1]))

    async def sweep(self, is_mine: Callable[[int], bool] = lambda _: True) -> None:
        """Verify all other open matches in servers that are this process's, the newest first, and rest three quarters
        of the time.
        """
        for number, guild in await self._matches.index.still_open():
            if number not in self.sound and number not in self._faults and is_mine(guild):
                await self._verify(number, rest=REST)

    async def _verify(self, number: int, rest: float = 0.0) -> None:
        """Verify a match, and then rest in the thread for so many seconds for each second that it took."""
        found = await self._matches.whole(number)
        if found is None:
            return
        fault = await asyncio.to_thread(_timed, partial(fault_of, self._games, *found), rest)
        if fault is None:
            self.sound.add(number)
        elif number not in self._faults:
            reason, why = fault
            code = _code(number, why)
            self._faults[number] = Fault(reason, code)
            log.error("match %d is held (code %s): %s", number, code, why)
            try:
                await self._matches.stop_clocks(number)
            except OUT_OF_REACH:  # each deadline is refused when it comes
                log.warning("the clocks of match %d cannot be stopped", number)
            self._on_fault(number)


def fault_of(
    games: Mapping[str, AnyGame], match: Match, moves: Sequence[LoggedMove], whole: bool
) -> tuple[Reason, str] | None:
    """Return why the match must be quarantined, as a key and as a text for the log; None if it is sound.
    `moves`: its whole log; `whole`: whether that fits the hash chain.
    """
    if not match.readable:
        return Reason.DAMAGED, "its row cannot be read"
    game = games.get(match.game)
    if game is None:
        return Reason.OTHER_RULES, "there is no such game"
    if match.rules != game.version:
        return Reason.OTHER_RULES, f"it began under version {match.rules} of its rules, and this is {game.version}"
    if match.state is None:
        return None
    if not whole:
        return Reason.DAMAGED, "its log is not the one that was recorded"
    try:
        _, state = replay(game, match, moves)
        same = is_stored(game, state, match.state)
    except Exception as error:  # damaged data can raise anything
        return Reason.DAMAGED, f"its log cannot be replayed: {type(error).__name__}"
    return None if same else (Reason.DAMAGED, "its log leads to another position than the one that is stored")


def _code(number: int, why: str) -> str:
    """Return the code by which an operator finds in the log why a player was refused."""
    return sha256(f"{number} {why}".encode()).hexdigest()[:8]


def _timed(work: Callable[[], tuple[Reason, str] | None], rest: float) -> tuple[Reason, str] | None:
    """Return the result of the work, after the rest."""
    begin = time.perf_counter()
    found = work()
    time.sleep(rest * (time.perf_counter() - begin))
    return found
