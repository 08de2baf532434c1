"""Ended matches for tests of replays, and pairs of them that one viewer cannot tell apart."""

from __future__ import annotations

from random import Random
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.playback import Ply
from cogs.match.service import MatchService
from data.records.match import Match
from rules import GAMES
from rules.core.game import AnyState, Event, Seat
from tests.support.matches import ANN, PEOPLE, begun
from tests.support.traits import nearest_seats

TRIED = 12
"""Moves that are tried to find one that the viewer cannot tell from another."""


async def played(
    service: MatchService, slug: str, seed: str, most: int | None = None, seats: int = 3, *, stop: bool = True
) -> Match:
    """Return a random match of that game, played to its end or stopped after `most` moves; `stop` False: it goes on
    after them. Players seal again now and then.
    """
    print(f"moves by seed {seed}")
    random, players = Random(seed), nearest_seats(GAMES[slug], seats)
    match = await begun(service, *PEOPLE[:players], game=slug)
    while match.open and (most is None or match.moves < most):
        state = service.state(match)
        sealed = [seat for seat in range(players) if state.legal_moves(Seat(seat)) and seat not in state.to_move()]
        seat = random.choice(sealed) if sealed and random.random() < 0.3 else random.choice(sorted(state.to_move()))
        move = str(random.choice(state.legal_moves(Seat(seat))))
        match = (await service.play(match.id, match.chairs[seat].player, None, move)).match
    return await Lobby(service).cancel(match.id, ANN, manager=True) if match.open and stop else match


def twins(slug: str, viewer: Seat | None, seed: str, most: int = 60) -> tuple[list[Ply], list[Ply]]:
    """Return the positions of two matches that differ only in what that viewer may not know: hidden cards, what others
    seal, and how often they seal again. They stop where the viewer would learn of a difference.
    """
    print(f"twins by seed {seed}")
    game, random = GAMES[slug], Random(seed)
    first = game.new(nearest_seats(game, 3), {}, seed)
    now: list[AnyState] = [first, first.redeal_unseen(viewer, seed)]
    logs = [[Ply(state, -1, first.opening())] for state in now]

    def go(run: int, move: Any) -> None:
        now[run], events = now[run].apply(move)
        logs[run].append(Ply(now[run], len(logs[run]) - 1, events))

    while len(logs[0]) < most:
        _seal_again(now[0], viewer, random, lambda move: go(0, move))
        pair = _pair_of_moves(now, viewer, random)
        if pair is None:
            break
        for run, move in enumerate(pair):
            go(run, move)
    return logs[0], logs[1]


def _seal_again(state: AnyState, viewer: Seat | None, random: Random, go: Any) -> None:
    """Let a player who has sealed seal another move, if the viewer sees nothing of it."""
    others = [Seat(seat) for seat in range(8) if seat != viewer and Seat(seat) not in state.to_move()]
    moves = [move for seat in others for move in state.legal_moves(seat)]
    if moves and random.random() < 0.5:
        move = random.choice(moves)
        after, events = state.apply(move)
        if not _learned(events, viewer) and after.view(viewer) == state.view(viewer):
            go(move)


def _pair_of_moves(now: list[AnyState], viewer: Seat | None, random: Random) -> tuple[Any, Any] | None:
    """Return a move of the same seat in each position, such that the viewer sees no difference; None if none is found.

    They differ if that is possible.
    """
    for seat in random.sample(sorted(now[0].to_move()), len(now[0].to_move())):
        moves, others = (list(state.legal_moves(seat)) for state in now)
        for move in random.sample(moves, min(TRIED, len(moves))):
            after, events = now[0].apply(move)
            candidates = [move] if seat == viewer else random.sample(others, min(TRIED, len(others)))
            for twin in sorted(candidates, key=lambda other: str(other) == str(move)):
                other, told = now[1].apply(twin)
                same = _learned(events, viewer) == _learned(told, viewer) and after.to_move() == other.to_move()
                if same and after.view(viewer) == other.view(viewer) and after.outcome() is None:
                    return move, twin
    return None


def _learned(events: tuple[Event, ...], viewer: Seat | None) -> list[Event]:
    return [seen for event in events if (seen := event.seen_by(viewer)) is not None]
