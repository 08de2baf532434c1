"""An ended match step by step, as one viewer knew it then: a seat, an onlooker, or a viewer of all hands.

A step is a position that the viewer could tell from the one before. So the moves that others sealed are no steps of
their own: neither their number nor their order shows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from cogs.match.positions import phase, steps
from cogs.match.refusals import Reason, Refused, check_released
from cogs.match.service import MatchService
from data.lru import Lru
from data.records.match import LoggedMove, Match
from data.turns import Gate
from rules.core.game import AnyGame, AnyState, Event, Seat, View

log = logging.getLogger(__name__)

KEPT = 16
"""The most matches whose positions are remembered: a player who steps through one asks for the next one soon."""


class Eyes(IntEnum):
    """Viewers that are no seats; the number of a seat is a viewer too."""

    ONLOOKER = -1
    ALL_HANDS = -2
    """Sees what every seat sees."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position, and what the viewer learned on the way to it from the step before."""

    state: AnyState
    move: int
    """The number of the last move on the way; -1: the first position. It counts what is sealed: no message shows it."""
    seen: tuple[Event, ...]
    """What the viewer learned of the events, in order; of all hands, the whole events."""
    new_turn: bool
    """Whether a seat is to move that was not before, or was in another phase: a turn begins."""

    def view(self, eyes: int) -> View:
        """Return the position as these eyes see it; of all hands, what an onlooker sees."""
        return self.state.view(Seat(eyes) if eyes >= 0 else None)


@dataclass(frozen=True, slots=True)
class Ply:
    """A position of the log, the number of the move that led to it (-1: none), and what happened."""

    state: AnyState
    move: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """The positions of a match at one version, and the steps that were asked for, by eyes."""

    version: int
    plies: tuple[Ply, ...]
    steps: dict[int, tuple[Step, ...]] = field(default_factory=dict)


class Playback:
    """The steps of a service's ended matches."""

    def __init__(self, service: MatchService) -> None:
        self._service = service
        self._known = Lru[int, _Known](KEPT)
        self._gate = Gate()

    async def steps(self, number: int, eyes: int) -> tuple[Match, tuple[Step, ...]]:
        """Return an ended match and its steps for these eyes, the first position first.

        Refused: it is not over, it was never begun, it is held, it has no such seat, its data is damaged, or
        it was played by rules that this program lacks.
        """
        match = await self._service.load(number)
        if match.open or (match.state is None and match.readable):
            raise Refused(Reason.NOT_REPLAYED)
        check_released(match)
        if eyes not in (*range(len(match.chairs)), *Eyes):
            raise Refused(Reason.NO_SUCH_SEAT)
        known = self._known.get(number)
        if known is None or known.version != match.version or eyes not in known.steps:
            async with self._gate:  # of several who ask for the same, the first one has it replayed
                known = await self._replayed(match, eyes)
        return match, known.steps[eyes]

    async def _replayed(self, match: Match, eyes: int) -> _Known:
        """Return the match with its steps for these eyes. Refused as `steps` says."""
        number = match.id
        known = self._known.get(number)
        if known is None or known.version != match.version:
            fault = await self._service.quarantine.examined(number)
            if fault is not None:
                log.warning("match %d cannot be replayed (code %s)", number, fault.code)
                raise Refused(Reason.OLD_RULES if fault.reason is Reason.OTHER_RULES else fault.reason, code=fault.code)
            game, moves = self._service.game(match), await self._service.log(number)
            known = _Known(match.version, await asyncio.to_thread(plies_of, game, match, moves))
            self._known[number] = known
        if eyes not in known.steps:
            known.steps[eyes] = await asyncio.to_thread(seen, known.plies, len(match.chairs), eyes)
        return known


def plies_of(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[Ply, ...]:
    """Return the positions of a match, without the moves that were taken back."""
    first = game.new(len(match.chairs), match.options, match.seed)
    found = [Ply(first, -1, first.opening())]
    stands = [move for move in log if move.undone_at is None]
    found += [Ply(after, move.number, events) for move, _, after, events in steps(game, match, stands)]
    return tuple(found)


def seen(plies: Sequence[Ply], seats: int, eyes: int) -> tuple[Step, ...]:
    """Return the steps for these eyes."""
    found: list[Step] = []
    before: tuple[View, ...] = ()
    for ply in plies:
        views, learned = _views(ply.state, seats, eyes), _learned(ply.events, eyes)
        if views == before and not learned:
            continue
        new_turn = not found or not _asked(ply.state) <= _asked(found[-1].state)
        found.append(Step(ply.state, ply.move, learned, new_turn))
        before = views
    return tuple(found)


def same_moment(steps: Sequence[Step], move: int) -> int:
    """Return the index of the step at which these eyes were when the move of that number had been made."""
    return max(at for at, step in enumerate(steps) if step.move <= move)


def _views(state: AnyState, seats: int, eyes: int) -> tuple[View, ...]:
    if eyes == Eyes.ALL_HANDS:
        return tuple(state.view(viewer) for viewer in (None, *map(Seat, range(seats))))
    return (state.view(Seat(eyes) if eyes >= 0 else None),)


def _learned(events: Sequence[Event], eyes: int) -> tuple[Event, ...]:
    if eyes == Eyes.ALL_HANDS:
        return tuple(events)
    told = (event.seen_by(Seat(eyes) if eyes >= 0 else None) for event in events)
    return tuple(event for event in told if event is not None)


def _asked(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Return the seats to move, each with the phase of its decision. Both are public."""
    return frozenset((seat, phase(state.turn(seat))) for seat in state.to_move())
