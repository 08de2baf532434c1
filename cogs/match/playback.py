"""An ended match step by step, as one viewer knew it then: a seat, an onlooker, or somebody who sees all hands.

A step is a position that the viewer could tell from the one before. So the moves that others sealed are no steps of
their own: neither their number nor their order shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from cogs.match.positions import phase
from cogs.match.refusals import Reason, Refused
from cogs.match.replay import steps
from cogs.match.service import MatchService
from data.lru import Lru
from data.records.match import LoggedMove, Match
from rules.core.game import AnyGame, AnyState, Event, Seat, View

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
    seat: int
    """The seat of the last move on the way; -1 for the first position."""
    seen: tuple[Event, ...]
    """What the viewer learned of the events, in order."""
    new_turn: bool
    """Whether other seats are to move than before, or the same ones in another phase: where a turn begins."""

    def view(self, eyes: int) -> View:
        """Return the position as these eyes see it; of all hands, what an onlooker sees."""
        return self.state.view(Seat(eyes) if eyes >= 0 else None)


@dataclass(frozen=True, slots=True)
class _Ply:
    """A position of the log, the seat whose move led to it (-1: none), and what happened."""

    state: AnyState
    seat: int
    events: tuple[Event, ...]


class Playback:
    """The steps of a service's ended matches."""

    def __init__(self, service: MatchService) -> None:
        self._service = service
        self._known = Lru[tuple[int, int], tuple[_Ply, ...]](KEPT)

    async def steps(self, number: int, eyes: int) -> tuple[Match, tuple[Step, ...]]:
        """Return an ended match and its steps for these eyes, the first position first. Refused: it is not over, it was
        never begun, or it has no such seat.
        """
        match = await self._service.load(number)
        if match.open or match.state is None:
            raise Refused(Reason.NOT_REPLAYED)
        if eyes not in (*range(len(match.chairs)), *Eyes):
            raise Refused(Reason.OUT_OF_DATE)
        plies = self._known.get((number, match.version))
        if plies is None:
            plies = plies_of(self._service.game(match), match, await self._service.log(number))
            self._known[number, match.version] = plies
        return match, seen(plies, len(match.chairs), eyes)


def plies_of(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[_Ply, ...]:
    """Return the positions of a match, without the moves that were taken back."""
    first = game.new(len(match.chairs), match.options, match.seed)
    found = [_Ply(first, -1, first.opening())]
    stands = [move for move in log if move.undone_at is None]
    for move, _, after, events in steps(game, match, stands):
        found.append(_Ply(after, move.seat, events))
    return tuple(found)


def seen(plies: Sequence[_Ply], seats: int, eyes: int) -> tuple[Step, ...]:
    """Return the steps for these eyes."""
    found: list[Step] = []
    pending: list[Event] = []
    for ply in plies:
        views = _views(ply.state, seats, eyes)
        pending += _learned(ply.events, eyes)
        if found and views == _views(found[-1].state, seats, eyes) and not pending:
            continue
        new_turn = not found or _asked(ply.state) != _asked(found[-1].state)
        found.append(Step(ply.state, ply.seat, tuple(pending), new_turn))
        pending = []
    return tuple(found)


def _views(state: AnyState, seats: int, eyes: int) -> tuple[View, ...]:
    """Return all that these eyes see of a position."""
    if eyes == Eyes.ALL_HANDS:
        return tuple(state.view(viewer) for viewer in (None, *map(Seat, range(seats))))
    return (state.view(Seat(eyes) if eyes >= 0 else None),)


def _learned(events: Sequence[Event], eyes: int) -> list[Event]:
    """Return what these eyes learn of the events."""
    if eyes == Eyes.ALL_HANDS:
        return list(events)
    told = (event.seen_by(Seat(eyes) if eyes >= 0 else None) for event in events)
    return [event for event in told if event is not None]


def _asked(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Return the seats to move, each with the phase of its decision. Both are public."""
    return frozenset((seat, phase(state.turn(seat))) for seat in state.to_move())
