"""Matches of a match service, without Discord: opened, begun and played on; and why something is refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from data.records.match import Chair, Match, Status
from data.records.terms import Terms
from rules.core.game import AnyState, Seat
from tests.support import traits

NAMES = dict(enumerate(traits.NAMES, 100))
ANN, BEN, CLEO, DAN, EVE, *_ = PEOPLE = tuple(NAMES)
MOST_MOVES = 5_000
ONE, TWO, THREE = 101, 102, 103


def name_of(user: int, names: Mapping[int, str] = NAMES) -> str:
    """Return the name of a user; "P9" of one who has none."""
    return names.get(user, f"P{user}")


def seated(*users: int | None, **more: Any) -> Match:
    """Return a running match of Sea Change of these users, which is not stored. `more`: what is different."""
    chairs = tuple(Chair(at, user, f"{user}") for at, user in enumerate(users))
    match = Match(
        *(1, "sea_change", Status.PLAYING, 1, 2, 2, users[0] or 0, "5e" * 32, {}, 1, 5, 1, 1, 1, None),
        locale="en-GB",
        chairs=chairs,
    )
    return replace(match, **more)


async def lobby(
    service: MatchService,
    *users: int,
    game: str = "sea_change",
    computers: int = 0,
    options: Mapping[str, str] | None = None,
    terms: Terms | None = None,
    guild: int = 1,
    channel: int = 10,
    names: Mapping[int, str] = NAMES,
) -> Match:
    """Return a lobby in which these users sit, the first of them its host."""
    room, (host, *others) = Lobby(service), users
    for user in users:
        await service.people.meet(user, name_of(user, names))
    terms = terms or Terms(locale="en")
    match = await room.open(game, guild=guild, channel=channel, user=host, name=name_of(host, names), terms=terms)
    for user in others:
        match = await room.join(match.id, user, name_of(user, names))
    for _ in range(computers):
        match = await room.add_computer(match.id, host)
    for option, value in (options or {}).items():
        match = await room.choose_option(match.id, host, option, value)
    return match


async def begun(service: MatchService, *users: int, **how: Any) -> Match:
    """Return a match of these users that has just begun. `how`: that of `lobby`."""
    return await Lobby(service).start((await lobby(service, *users, **how)).id, users[0])


def mover(service: MatchService, match: Match) -> tuple[Seat, int]:
    seat = min(service.state(match).to_move())
    return seat, match.chairs[seat].player


async def play(service: MatchService, match: Match, move: str | int | None = None) -> Match:
    """Let that player make this move: a text, or one of their legal moves by its number (the number may be larger); by
    default the move that the clock would make.
    """
    (seat, user), state = mover(service, match), service.state(match)
    if isinstance(move, int):
        moves = state.legal_moves(seat)
        move = str(moves[move % len(moves)])
    return (await service.play(match.id, user, service.turn(match, seat), move or str(state.default_move(seat)))).match


async def play_on(
    service: MatchService,
    match: Match | int,
    most: int = MOST_MOVES,
    *,
    random: Random | None = None,
    until: Callable[[AnyState], bool] = lambda state: False,
) -> Match:
    """Let players make moves until that is true of the position, at most so many, or to the end: by chance, or those
    that the clock would make.
    """
    match = await service.load(match if isinstance(match, int) else match.id)
    for _ in range(most):
        state = service.state(match) if match.running else None
        if state is None or until(state):
            break
        seat = random.choice(sorted(state.to_move())) if random else min(state.to_move())
        move = random.choice(state.legal_moves(seat)) if random else state.default_move(seat)
        match = (await service.play(match.id, match.chairs[seat].player, None, str(move))).match
    return match


async def refused(work: Awaitable[Any]) -> Refused:
    """Return how that is refused."""
    with pytest.raises(Refused) as found:
        await work
    return found.value


async def refusal(work: Awaitable[Any]) -> Reason:
    return (await refused(work)).reason
