"""Advice for a player: the best moves now (a hint), and after a match the moments where another move was much better.

Both say what follows from what the player's seat knows, or knew then. A worker thinks, if the bot has any.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cogs.match.replay import steps
from data.records.match import LoggedMove, Match
from data.turns import Gate
from rules.core.coach import Advised, advise, better
from rules.core.computer import decision_seed
from rules.core.game import AnyGame, AnyState, Move, Seat, View

MOST_REVIEWED = 24
"""The most decisions of a player that a review looks at, evenly spread over the match: that bounds its work."""
MOST_MOMENTS = 3
"""The most moments that a review tells."""


class Coach(Protocol):
    """Thinks about a seat's moves. `known` is a redeal for the seat."""

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves, the best first; none if the thinking failed."""
        ...

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return a move that is surely better, and the one that was played; none if there is no such move, or if the
        thinking failed.
        """
        ...


class ThreadCoach:
    """Thinks in a thread of this process: about one position at a time, in turn among those for whom it is."""

    def __init__(self) -> None:
        self._gate = Gate()

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves, the best first."""
        async with self._gate:
            return await asyncio.to_thread(advise, game, known, seat, seed)

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return a move that is surely better, and the one that was played; none if there is no such move."""
        async with self._gate:
            return await asyncio.to_thread(better, game, known, seat, seed, played)


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision at which another move was much better, by what the seat knew then."""

    number: int
    """That of the move in the log."""
    view: View
    best: Advised[Any]
    played: Advised[Any]


async def review(
    coach: Coach, game: AnyGame, match: Match, log: Sequence[LoggedMove], user: int, seat: Seat
) -> tuple[Moment, ...]:
    """Return the moments of an ended match in which that player lost most, in the order in which they came."""
    found = []
    for move, known, played in await asyncio.to_thread(_decisions, game, match, log, user, seat):
        seed = _seed(match, seat, move)
        told = await coach.better(game, known, seat, seed, played)
        if told:
            found.append(Moment(move.number, known.view(seat), *told))
    worst = sorted(found, key=lambda moment: -moment.played.behind)[:MOST_MOMENTS]
    return tuple(sorted(worst, key=lambda moment: moment.number))


def _decisions(
    game: AnyGame, match: Match, log: Sequence[LoggedMove], user: int, seat: Seat
) -> list[tuple[LoggedMove, AnyState, Move]]:
    """Return the moves that this player made in that seat with a choice, and did not take back: each with a redeal of
    the position before it, at most MOST_REVIEWED.
    """
    found = [
        (move, before)
        for move, before, _, _ in steps(game, match, log)
        if (move.user, move.seat) == (user, seat) and move.undone_at is None and len(before.legal_moves(seat)) > 1
    ]
    if len(found) > MOST_REVIEWED:
        found = [found[place * (len(found) - 1) // (MOST_REVIEWED - 1)] for place in range(MOST_REVIEWED)]
    return [
        (move, before.redeal_unseen(seat, _seed(match, seat, move)), game.parse(seat, move.text))
        for move, before in found
    ]


def _seed(match: Match, seat: Seat, move: LoggedMove) -> str:
    return decision_seed(match.seed, seat, f"review {move.turn}")
