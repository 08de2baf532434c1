"""How a season's table counts if it is not finished when its round ends: whom it has waited for, how it would end."""

from __future__ import annotations

import asyncio

from cogs.match.automatic_moves import Thinker
from cogs.match.positions import steps
from cogs.match.records import decision_times
from cogs.match.service import MatchService
from data.records.match import Match
from rules.core.computer import decision_seed

SAME = 60
"""Seconds by which the waits for two players may differ and still count as equal."""
MOST_MOVES = 5_000
"""The most moves that computers make to finish a match."""


async def slowest(service: MatchService, match: Match) -> frozenset[int]:
    """Return the seats of the players for whom a running match has waited longest in all, now included, but not while
    it rests or is paused. So no player gains by making the others wait and then moving just before a round ends.
    """
    log = [move for move in await service.log(match.id) if move.undone_at is None]
    until = min(instant for instant in (match.rests_since, match.paused_at, int(service.now())) if instant is not None)
    state, waits = service.state(match), max(0, until - match.waits_since)
    played = await asyncio.to_thread(lambda: list(steps(service.game(match), match, log)))
    total = [sum(times) for times in decision_times(len(match.chairs), played)]
    for seat in state.to_move():
        total[seat] += waits
    people = [chair.number for chair in match.people]
    return frozenset(seat for seat in people if total[seat] > max(total[other] for other in people) - SAME)


async def played_on(service: MatchService, think: Thinker, match: Match) -> list[int] | None:
    """Return the rank of each seat if computers play on for all from here; None if they come to no end. The match stays
    as it is.
    """
    game, state = service.game(match), service.state(match)
    for _ in range(MOST_MOVES):
        if (outcome := state.outcome()) is not None:
            return [*outcome.ranks(game.lowest_wins)]
        seat = min(state.to_move())
        seed = decision_seed(match.seed, seat, f"unfinished {state.turn(seat)}")
        thought = await think(game, state.redeal_unseen(seat, seed), seat, seed, match.default_level, lambda: None)
        state, _ = state.apply(thought.move)
    return None
