"""The computers of Siege of Sunfall, thought in C++ (think.cpp): the same moves, some hundred times as fast."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rules.core import computer
from rules.core.computer import LEVELS
from rules.core.game import AnyGame, Seat
from rules.core.search import MOST_CANDIDATES, pick, random_numbers
from rules.siege_of_sunfall.resolution import AWARDING, PLEDGING, USING_GOLD
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import Award, Kind, Move, Pledge, UseGold
from tests.strength.arena import Player

SEARCH, MIXED, READER = range(3)
"""Ways to think: for one best move, for a mixture, and for one best move among rivals who were watched."""

_KINDS = {kind: at for at, kind in enumerate(sorted(set(Kind) - {Kind.END}))}
_PHASES = {USING_GOLD: 0, PLEDGING: 1, AWARDING: 2}
_HELD = (Kind.SWORDS, Kind.HELMET, Kind.BOW, Kind.BOOST, Kind.GOLD)


class Found(NamedTuple):
    """A move that was tried."""

    move: Move
    share: float
    total: float
    lost: float


def compiler() -> str | None:
    """Return the C++ compiler, if there is one."""
    return shutil.which("c++")


@cache
def _library() -> ctypes.CDLL:
    with TemporaryDirectory() as folder:
        made = Path(folder) / "think.so"
        source = Path(__file__).with_name("think.cpp")
        subprocess.run(
            [compiler() or "c++", "-O3", "-ffp-contract=off", "-std=c++17", "-shared", "-fPIC", "-o", made, source],
            check=True,
        )
        return ctypes.CDLL(str(made))


def _numbers(state: SiegeState) -> Any:
    """Return the position as think.cpp reads it. The order of cards that no player has seen is not in it."""
    position = state.position
    pile = [card for card in position.pile if card.kind is not Kind.END]
    unseen = sorted([*pile, *position.round.undealt, *position.round.skipped])
    card = position.card
    found = [
        *(position.setup.seats, position.round.number, position.card_number),
        *((_KINDS[card.kind], card.strength) if card else (0, 0)),
        *(position.alive, position.king, _PHASES[position.phase], sum(1 << seat for seat in position.award_to)),
        *(state.awaited, len(position.round.undealt), len(pile), len(unseen), len(pile) < len(position.pile)),
    ]
    for coins, armies, held in zip(position.coins, position.armies, position.held, strict=True):
        kinds = [each.kind for each in held]
        found += [coins, armies, *map(kinds.count, _HELD)]
    for each in unseen:
        found += [_KINDS[each.kind], each.strength]
    return (ctypes.c_int * len(found))(*found)


def forget() -> None:
    """Forget what was watched."""
    _library().forget()


def watch(state: SiegeState, move: Pledge) -> None:
    """Note what the seat pledges in this position."""
    _library().watch(_numbers(state), int(move.seat), move.coins, move.boosts)


def think(state: SiegeState, seat: Seat, seed: str, playouts: int, way: int) -> list[Found]:
    """Return what `search` or `mixed` of rules.core.search would, or what the reader finds: the best move first."""
    moves, figures = (ctypes.c_int * (2 * MOST_CANDIDATES))(), (ctypes.c_double * (3 * MOST_CANDIDATES))()
    count = _library().think(_numbers(state), int(seat), seed.encode(), playouts, way, moves, figures)
    found: list[Found] = []
    for at in range(count):
        number, boosts = moves[2 * at : 2 * at + 2]
        move: Move = Pledge(seat, number, boosts)
        if state.position.phase is not PLEDGING:
            move = UseGold(seat, number) if state.position.phase is USING_GOLD else Award(seat, Seat(number))
        found.append(Found(move, *figures[3 * at : 3 * at + 3]))
    return found


def install() -> None:
    """Let the computers of this process think with the copy: of Siege of Sunfall alone."""
    # The types of these two are generic in the game; the copy serves one.
    computer.search, computer.mixed = _search, _mixed  # type: ignore[assignment]


def _search(game: AnyGame, state: Any, seat: Seat, seed: str, playouts: int) -> list[Found]:
    return think(state, seat, seed, playouts, SEARCH)


def _mixed(game: AnyGame, state: Any, seat: Seat, seed: str, playouts: int) -> list[Found]:
    return think(state, seat, seed, playouts, MIXED)


def player(way: int, playouts: int = LEVELS["strong"].playouts) -> Player:
    """Return a player of tests/strength/arena.py that thinks in this way."""

    def play(state: Any, seat: Seat, seed: str) -> Any:
        moves = state.legal_moves(seat)
        if len(moves) == 1:
            return moves[0]
        found = think(state, seat, seed, playouts, way)
        return pick([tried.move for tried in found], [tried.share for tried in found], next(random_numbers(seed)))

    return play
