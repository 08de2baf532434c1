"""Hints during a match, and reviews after it: who may have one, what is remembered of it, and who thinks about it.

A hint tells the best moves now; a review, after a match, the moments where another move was much better. Both say what
follows from what the player's seat knows, or knew then. A worker thinks, if the bot has any.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cogs.match.automatic_moves import Thinker, ThreadThinker
from cogs.match.positions import steps
from cogs.match.refusals import Reason, Refused, check_playing, check_released, seat_or_refuse
from cogs.match.searches import Kind, Searches, Sought
from cogs.match.service import MatchService, Played
from data.lru import Lru
from data.records.match import LoggedMove, Match
from rules.core.coach import Advised
from rules.core.computer import decision_seed
from rules.core.game import AnyGame, AnyState, Move, Seat

MOST_KEPT_REVIEWS = 64
"""The most reviews that are remembered: each takes its workers some seconds."""
MOST_KEPT_HINTS = 256
"""The most decisions whose advice is remembered: another press of *Hint* shows the same."""
MOST_REVIEWED = 24
"""The most decisions of a player that a review looks at, evenly spread over the match: that bounds its work."""
MOST_MOMENTS = 3
"""The most moments that a review tells."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision at which another move was much better, by what the seat knew then."""

    number: int
    """That of the move in the log."""
    known: AnyState
    """A redeal of the position for the seat."""
    best: tuple[Advised[Any], ...]
    """As a hint says it: one move, or those that should be mixed."""
    played: Advised[Any]


class _Advice(NamedTuple):
    """The best moves of a seat by what it knew."""

    known: AnyState
    moves: Sequence[Advised[Any]]


class Coaching:
    """Advises the players of a service's matches. `think` None: a thread of this process does."""

    def __init__(self, service: MatchService, think: Thinker | None = None, searches: Searches | None = None) -> None:
        self._service = service
        self._think = think or ThreadThinker()
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

    def given(self, match: Match, seat: Seat) -> Sequence[Advised[Any]]:
        """Return the best moves of the player's present decision if they have had a hint for it; else none. What others
        decide meanwhile changes nothing: the advice stays until the decision is made.
        """
        turn = self._service.turn(match, seat) if match.running else ""
        kept = self._advised.get((match.id, seat, turn)) if match.chairs[seat].hinted == turn else None
        return () if kept is None else kept.moves

    async def play(self, number: int, user: int, turn: str, moves: Sequence[str]) -> Played:
        """Record an advised decision, and then those that follow it in its turn; `turn` and errors as in
        `MatchService.play`. If the first was recorded before, no other is; what was recorded before an error stays.
        """
        played = await self._service.play(number, user, turn, moves[0], anyway=True)
        for text in moves[1:]:
            match = played.match
            if played.again or not match.running:
                break
            turn = self._service.turn(match, Seat(seat_or_refuse(match, user)))
            following = await self._service.play(number, user, turn, text, anyway=True)
            played = replace(following, earlier=(*played.earlier, played))
        return played

    def _advised_seat(self, match: Match, user: int) -> Seat:
        """Return the seat of a player who may have a hint now. Refused otherwise."""
        check_playing(match)
        seat = Seat(seat_or_refuse(match, user))
        if not match.hints and not match.lesson:
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
        moves = await self._think.advise(self._service.game(match), known, seat, _hint_seed(match, seat, turn))
        if not moves:
            raise Refused(Reason.NO_ADVICE)
        self._advised[number, seat, turn] = _Advice(known, moves)
        return match, seat, moves

    def _known(self, match: Match, seat: Seat, turn: str) -> AnyState:
        """Return a redeal of the position, which shows what the seat knows."""
        return self._service.state(match).redeal_unseen(seat, _hint_seed(match, seat, turn))

    async def review(self, number: int, user: int) -> tuple[Match, Seat, tuple[Moment, ...]]:
        """Return the player's seat in an ended match, and the moments in which another move was much better by what it
        knew then. Refused: not seated, not over, held, nothing decided, or as `Searches.run` does.
        """
        match = await self._service.load(number)
        if match.open or match.state is None:
            raise Refused(Reason.NOT_REVIEWED)
        check_released(match)
        seat = Seat(seat_or_refuse(match, user))

        async def look_back() -> tuple[Moment, ...]:
            game, log = self._service.game(match), await self._service.log(number)
            self._reviewed[number, user] = found = await review(self._think, game, match, log, user, seat)
            return found

        moments = self._reviewed.get((number, user))
        if moments is None:
            moments = await self._searches.run(Sought(Kind.REVIEW, number, (user,)), match.guild, look_back)
        return match, seat, moments


async def review(
    think: Thinker, game: AnyGame, match: Match, log: Sequence[LoggedMove], user: int, seat: Seat
) -> tuple[Moment, ...]:
    """Return the moments of an ended match in which that player lost most, in order. Refused: they decided nothing."""
    found, decisions = [], await asyncio.to_thread(_decisions, game, match, log, user, seat)
    if not decisions:
        raise Refused(Reason.NO_DECISIONS)
    for move, known, played in decisions:
        # With the seed of a hint: it would have said the same.
        told = await think.better(game, known, seat, _hint_seed(match, seat, move.turn), played)
        if told:
            found.append(Moment(move.number, known, tuple(told[:-1]), told[-1]))
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
        (move, before.redeal_unseen(seat, _hint_seed(match, seat, move.turn)), game.parse(seat, move.text))
        for move, before in found
    ]


def _hint_seed(match: Match, seat: Seat, turn: str) -> str:
    return decision_seed(match.seed, seat, f"hint {turn}")
