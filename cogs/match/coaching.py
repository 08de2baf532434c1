"""Hints during a match, and reviews after it: who may have one, and what is remembered of it. coach.py thinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cogs.match.coach import Coach, Moment, ThreadCoach, review
from cogs.match.groups import check_released
from cogs.match.refusals import Reason, Refused, check_playing, seat_or_refuse
from cogs.match.searches import Kind, Searches, Sought
from cogs.match.service import MatchService
from data.lru import Lru
from data.records.match import Match
from rules.core.coach import Advised
from rules.core.computer import decision_seed
from rules.core.game import AnyState, Seat

MOST_KEPT_REVIEWS = 64
"""The most reviews that are remembered: each takes its workers some seconds."""
MOST_KEPT_HINTS = 256
"""The most decisions whose advice is remembered: another press of *Hint* shows the same."""


class _Advice(NamedTuple):
    """The best moves of a seat by what it knew."""

    known: AnyState
    moves: Sequence[Advised[Any]]


class Coaching:
    """Advises the players of a service's matches. `coach` None: a thread of this process thinks."""

    def __init__(self, service: MatchService, coach: Coach | None = None, searches: Searches | None = None) -> None:
        self._service = service
        self._coach = coach or ThreadCoach()
        self._searches = searches or Searches()
        self._advised = Lru[tuple[int, Seat, str], _Advice](MOST_KEPT_HINTS)
        self._reviewed = Lru[tuple[int, int], tuple[Moment, ...]](MOST_KEPT_REVIEWS)

    async def hint(self, number: int, user: int) -> tuple[Match, Seat, Sequence[Advised[Any]]]:
        """Return the player's seat and the best moves that it has now, from what it can see. The hint is counted, once
        for each decision. Refused: not seated, nothing to decide, the table plays without hints, or as `Searches.run`
        does.
        """
        match = await self._service.load(number)
        seat = self._advised_seat(match, user)
        turn = self._service.turn(match, seat)

        async def hint() -> tuple[Match, Seat, Sequence[Advised[Any]]]:
            return await self._hint(number, user)

        kept = self._advised.get((number, seat, turn))
        if kept is not None and kept.known == self._known(match, seat, turn):
            return match, seat, kept.moves
        return await self._searches.run(Sought(Kind.HINT, number, (seat, turn)), match.guild, hint)

    def _advised_seat(self, match: Match, user: int) -> Seat:
        """Return the seat of a player who may have a hint now. Refused otherwise."""
        check_playing(match)
        seat = Seat(seat_or_refuse(match, user))
        if not match.hints:
            raise Refused(Reason.NO_HINTS)
        if match.rests_since is not None:
            raise Refused(Reason.RESTS)
        if len(self._service.state(match).legal_moves(seat)) < 2:
            raise Refused(Reason.NOTHING_TO_DECIDE)
        return seat

    async def _hint(self, number: int, user: int) -> tuple[Match, Seat, Sequence[Advised[Any]]]:
        """Count the hint, and think about what the player has to decide now: they may have waited for it."""
        async with self._service.deciding(number) as match:
            seat = self._advised_seat(match, user)
            turn = self._service.turn(match, seat)
            if match.chairs[seat].hinted != turn:
                chairs = list(match.chairs)
                chairs[seat] = replace(chairs[seat], hints=chairs[seat].hints + 1, hinted=turn)
                match = await self._service.save(replace(match, chairs=tuple(chairs)), soon=False)
        known = self._known(match, seat, turn)
        moves = await self._coach.advise(self._service.game(match), known, seat, _seed(match, seat, turn))
        if not moves:
            raise Refused(Reason.NO_ADVICE)
        self._advised[number, seat, turn] = _Advice(known, moves)
        return match, seat, moves

    def _known(self, match: Match, seat: Seat, turn: str) -> AnyState:
        """Return a redeal of the position, which shows what the seat knows."""
        return self._service.state(match).redeal_unseen(seat, _seed(match, seat, turn))

    async def review(self, number: int, user: int) -> tuple[Match, Seat, tuple[Moment, ...]]:
        """Return the player's seat in an ended match, and the moments in which another move was much better by what it
        knew then. Refused: not seated, not over, held, or as `Searches.run` does.
        """
        match = await self._service.load(number)
        if match.open or match.state is None:
            raise Refused(Reason.NOT_REVIEWED)
        check_released(match)
        seat = Seat(seat_or_refuse(match, user))

        async def look_back() -> tuple[Moment, ...]:
            game, log = self._service.game(match), await self._service.log(number)
            self._reviewed[number, user] = found = await review(self._coach, game, match, log, user, seat)
            return found

        moments = self._reviewed.get((number, user))
        if moments is None:
            moments = await self._searches.run(Sought(Kind.REVIEW, number, (user,)), match.guild, look_back)
        return match, seat, moments


def _seed(match: Match, seat: Seat, turn: str) -> str:
    return decision_seed(match.seed, seat, f"hint {turn}")
