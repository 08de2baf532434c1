"""What is remembered of each match that was played to its end, or that counts though it was not: its result, with the
time that its players took for their decisions, its ratings, and figures without names.

A result follows from the stored match and its log, and is stored once. Whatever a crash left out is made up for at the
next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence

from cogs.match.positions import LoggedStep, steps
from cogs.match.rated import beginner, counts, ended_without, gone
from cogs.match.service import MatchService
from data.records.feats import Feats
from data.records.match import LoggedMove, Match, Status
from data.records.results import Result, Results, Standing
from data.store.database import OUT_OF_REACH
from rules.core.game import AnyGame, AnyState, Event, Outcome, Seat
from rules.core.tally import Tally

log = logging.getLogger(__name__)

AT_ONCE = 100
"""How many old matches are looked up in one query."""
LENGTHS = {"quarter": 15, "half": 30, "hour": 60, "hours": 180, "day": 1440, "days": 4320, "week": 10_080}
"""The minutes below which a match's length has this name: a mean would tell little of hours and weeks."""
LONGER = "longer"
"""The name of all greater lengths."""
MOST_SECONDS = 30 * 86_400
"""What counts at most of one decision."""

Honours = Callable[[Match, AnyState, Sequence[Event]], Mapping[int, Sequence[str]]]
"""Returns the keys of the honours of each seat that has any (cogs/messages/end.py)."""


class Records:
    """Remembers the results of a service's matches. `honours`: what each seat did best."""

    def __init__(self, service: MatchService, results: Results, honours: Honours) -> None:
        self._service = service
        self._results = results
        self._honours = honours

    async def record(self, match: Match) -> Result | None:
        """Return the result of a match, stored now if it was not; None if it has none, or is held: `release`
        (duplicates.py) comes first. A match has one if it was played to its end and is no lesson, or if it counts for
        the ratings and has ended early while some of its players were gone.
        """
        early = ended_without(match)
        if not (early or match.status is Status.OVER) or match.lesson or match.state is None or match.held:
            return None
        known = await self._results.of(match.id)
        if known is not None:
            return known
        game, moves = self._service.game(match), await self._service.log(match.id)
        made = self._made_early if early else self._made
        result, tallies = await asyncio.to_thread(made, game, match, moves)
        # The figures are a server's.
        return await self._results.record(result, () if match.private else tallies)

    async def feats(self, match: int) -> Feats:
        """Return what everyone may know of how that match compares with those before it in its server and game."""
        return await self._results.feats(match)

    async def catch_up(self) -> None:
        """Record all ended matches without a result. One that cannot be read, or of an unknown game, stays without."""
        failed = set[int]()
        while numbers := [n for n in await self._results.missing(AT_ONCE + len(failed)) if n not in failed]:
            for number in numbers:
                match = await self._service.find(number)
                if match is None or await self.record_or_warn(match) is None:
                    failed.add(number)

    async def record_or_warn(self, match: Match) -> Result | None:
        """Return the same as `record`; None if the result cannot be made, which is logged. The end of a match is told
        all the same. Raises what is out of reach.
        """
        try:
            return await self.record(match)
        except OUT_OF_REACH:
            raise
        except Exception as error:  # damaged data can raise anything
            log.warning("match %d gets no result: %s", match.id, type(error).__name__)
            return None

    def _made_early(self, game: AnyGame, match: Match, moves: Sequence[LoggedMove]) -> tuple[Result, tuple[Tally, ...]]:
        """Return the result of a match that ended early while some players were gone: those who were left are first,
        and no seat has a score. It adds nothing to the figures of the game.
        """
        stands = [move for move in moves if move.undone_at is None]
        played = list(steps(game, match, stands))
        left = gone(match, played)
        outcome = Outcome(
            frozenset(Seat(chair.number) for chair in match.chairs if chair.number not in left),
            (0,) * len(match.chairs),
            "",
        )
        standings = _standings(game, match, outcome, played, {})
        return self._result(match, len(stands), standings, early=True), ()

    def _result(self, match: Match, moves: int, standings: tuple[Standing, ...], *, early: bool) -> Result:
        if match.ended_at is None:
            raise ValueError("the match has not ended")
        facts = (match.id, match.guild, match.game, match.ended_at, len(match.chairs), moves)
        return Result(*facts, counts(match), standings, early)

    def _made(self, game: AnyGame, match: Match, moves: Sequence[LoggedMove]) -> tuple[Result, tuple[Tally, ...]]:
        stands = [move for move in moves if move.undone_at is None]
        begin, played = game.new(len(match.chairs), match.options, match.seed), list(steps(game, match, stands))
        end = played[-1][2] if played else begin
        outcome = end.outcome()
        if outcome is None:
            raise ValueError("the log does not lead to an end")
        events = [*begin.opening(), *(event for *_, happened in played for event in happened)]
        standings = _standings(game, match, outcome, played, self._honours(match, end, events))
        result = self._result(match, len(stands), standings, early=False)
        return result, tuple(tallies(game, match, end, events, result))


def _standings(
    game: AnyGame, match: Match, outcome: Outcome, played: Sequence[LoggedStep], honours: Mapping[int, Sequence[str]]
) -> tuple[Standing, ...]:
    seats, times = range(len(match.chairs)), decision_times(len(match.chairs), played)
    sides = game.teams(len(match.chairs), match.options) or tuple(seats)
    ranks, left = outcome.ranks(game.lowest_wins), gone(match, played) if counts(match) else frozenset[int]()
    began = {seat: beginner(match, seat) for seat in seats} if counts(match) else {}
    return tuple(
        Standing(
            seat,
            match.chairs[seat].user,
            sides[seat],
            ranks[seat],
            outcome.scores[seat],
            len(times[seat]),
            sum(times[seat]),
            honours=tuple(honours.get(seat, ())),
            beginner=None if began.get(seat) == match.chairs[seat].user else began.get(seat),
            gone=seat in left,
        )
        for seat in seats
    )


def tallies(game: AnyGame, match: Match, end: AnyState, events: Sequence[Event], result: Result) -> list[Tally]:
    """Return the figures of a match: who sat where and won, its options, its length, and the game's own."""
    wins = [at.seat for at in result.standings if at.rank == 1]
    found = [Tally("seat", f"{result.seats}.{seat}", 1, int(seat in wins)) for seat in range(result.seats)]
    found += [Tally("option", f"{name}={value}", 1, 0) for name, value in match.options.items() if name != "deck"]
    minutes = 0 if match.started_at is None else max(0, result.ended_at - match.started_at) // 60
    length = next((name for name, least in LENGTHS.items() if minutes < least), LONGER)
    found += [Tally("moves", str(result.seats), 1, result.moves), Tally("length", length, 1, minutes)]
    return [*found, *game.tallies(events, end)]


def decision_times(seats: int, steps: Iterable[LoggedStep]) -> list[list[int]]:
    """Return for each seat the seconds of its player's decisions. `steps`: a match without the moves taken back.

    The log says with each move how long the turn had lasted. But within a turn a player may make several moves, and if
    several players decide at the same time, a new turn begins for the table whenever one of them has decided. So a
    decision lasts from when the seat was asked, or from its last move in the same turn. Sealing again is no decision
    of its own.
    """
    found: list[list[int]] = [[] for _ in range(seats)]
    waited = dict[Seat, int]()
    lasted = 0  # what the turn had lasted at the last move, if it goes on
    for move, before, after, _ in steps:
        seat, now = Seat(move.seat), lasted if move.took is None else move.took
        asked, still = _asked(before), _asked(after)
        waited = {other: waited.get(other, 0) + max(0, now - lasted) for other in asked}
        if seat in asked and move.took is not None:
            found[seat].append(min(waited[seat], MOST_SECONDS))
        waited = {other: waited[other] for other in waited if other != seat and asked[other] == still.get(other)}
        goes_on = asked == still or (seat in still and after.may_take_back(seat))
        lasted = now if goes_on else 0
    return found


def _asked(state: AnyState) -> dict[Seat, str]:
    return {seat: state.turn(seat) for seat in state.to_move()}
