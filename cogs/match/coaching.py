"""Hints during a match, and reviews after it: who may have one, and what is remembered of it. coach.py thinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.match.coach import Coach, Moment, ThreadCoach, review
from cogs.match.groups import check_released
from cogs.match.refusals import Reason, Refused, check_playing, seat_or_refuse
from cogs.match.service import MatchService
from data.lru import Lru
from data.records.match import Match
from rules.core.coach import Advised
from rules.core.computer import decision_seed
from rules.core.game import Seat

MOST_KEPT_REVIEWS = 64
"""The most reviews that are remembered: each takes its workers some seconds."""


class Coaching:
    """Advises the players of a service's matches. `coach` None: a thread of this process thinks."""

    def __init__(self, service: MatchService, coach: Coach | None = None) -> None:
        self._service = service
        self._coach = coach or ThreadCoach()
        self._reviewed = Lru[tuple[int, int], tuple[Moment, ...]](MOST_KEPT_REVIEWS)

    async def hint(self, number: int, user: int) -> tuple[Match, Seat, Sequence[Advised[Any]]]:
        """Return the player's seat and the best moves that it has now, from what it can see. The hint is counted, once
        for each decision. Refused: not seated, nothing to decide, the table plays without hints.
        """
        async with self._service.deciding(number) as match:
            check_playing(match)
            seat = Seat(seat_or_refuse(match, user))
            if not match.hints:
                raise Refused(Reason.NO_HINTS)
            if match.rests_since is not None:
                raise Refused(Reason.RESTS)
            state, turn = self._service.state(match), self._service.turn(match, seat)
            if len(state.legal_moves(seat)) < 2:
                raise Refused(Reason.NOTHING_TO_DECIDE)
            if match.chairs[seat].hinted != turn:
                chairs = list(match.chairs)
                chairs[seat] = replace(chairs[seat], hints=chairs[seat].hints + 1, hinted=turn)
                match = await self._service.save(replace(match, chairs=tuple(chairs)), soon=False)
        seed = decision_seed(match.seed, seat, f"hint {turn}")
        advice = await self._coach.advise(self._service.game(match), state.redeal_unseen(seat, seed), seat, seed)
        if not advice:
            raise Refused(Reason.NO_ADVICE)
        return match, seat, advice

    async def review(self, number: int, user: int) -> tuple[Match, Seat, tuple[Moment, ...]]:
        """Return the player's seat in an ended match, and the moments in which another move was much better by what it
        knew then. Refused: not seated, not over, or held.
        """
        match = await self._service.load(number)
        if match.open or match.state is None:
            raise Refused(Reason.NOT_REVIEWED)
        check_released(match)
        seat = Seat(seat_or_refuse(match, user))
        moments = self._reviewed.get((number, user))
        if moments is None:
            game, log = self._service.game(match), await self._service.log(number)
            moments = self._reviewed[number, user] = await review(self._coach, game, match, log, user, seat)
        return match, seat, moments
