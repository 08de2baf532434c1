"""The first lesson of Photosynthesis: two players, five rounds, from the first tree to the first harvest."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Seat
from rules.core.lesson import OTHER, Lesson, Step
from rules.photosynthesis.types import Buy, End, Grow, Move, Piece, Plant
from rules.photosynthesis.view import PhotosynthesisView

ME = Seat(0)
MOST_ROUNDS = 8
"""The rounds after which the lesson ends for a learner who has not harvested."""
SEED, SMALL, MEDIUM, LARGE = range(4)


def _has(view: PhotosynthesisView, hex_: str, height: int) -> bool:
    return view.at(hex_) == Piece(ME, height)


def _grow(view: PhotosynthesisView, happened: Sequence[Event]) -> bool:
    return view.round == 1 and view.light[ME] == 2 and _has(view, "D1", SMALL)


def _shadowed(view: PhotosynthesisView, happened: Sequence[Event]) -> bool:
    begins = view.sunlight is not None and view.sunlight.round == view.round == 2 and not view.turn
    shaded = begins and _has(view, "B5", SMALL) and view.at("A4") == Piece(Seat(1), MEDIUM)
    return shaded and _has(view, "D1", MEDIUM)


def _buy(view: PhotosynthesisView, happened: Sequence[Event]) -> bool:
    return view.light[ME] >= 4 and _has(view, "D1", MEDIUM) and not view.hands[ME].large and view.prices[ME][LARGE] == 4


def _large(view: PhotosynthesisView, happened: Sequence[Event]) -> bool:
    return view.light[ME] >= 3 and _has(view, "D1", MEDIUM) and view.hands[ME].large > 0


def _instead_of_growing(view: PhotosynthesisView, move: Move) -> str:
    if isinstance(move, Grow):
        return OTHER
    if isinstance(move, End):
        return "waits"
    return "in_hand" if isinstance(move, Buy) else "no_income"


def _near_the_first(view: PhotosynthesisView, move: Move) -> str:
    return "near" if str(move) in ("place C1", "place E1") else OTHER


def _saves(view: PhotosynthesisView, move: Move) -> str:
    return "waits" if isinstance(move, End) else "saves"


LESSON: Lesson[PhotosynthesisView, Move] = Lesson(
    seats=2,
    seat=ME,
    seed="0" * 64,
    line=(
        *("0 place D1", "1 place G1", "0 place B5", "1 place A4"),
        *("0 grow D1", "0 end", "1 grow A4", "1 end"),
        *("1 plant A4 B3", "1 plant G1 F2", "1 end", "0 plant D1 D3", "0 end"),
        *("0 buy large", "0 end", "1 grow B3", "1 buy small", "1 end"),
        *("1 grow F2", "1 end", "0 grow D1", "0 end"),
        "0 collect D1",
    ),
    steps=(
        Step("first_tree", lambda view, _: view.round == 0 and view.on_board[ME] == 0),
        Step("second_tree", lambda view, _: view.round == 0 and _has(view, "D1", SMALL), _near_the_first),
        Step("grow", _grow, _instead_of_growing),
        Step("end", lambda view, _: view.round == 1 and view.light[ME] == 0),
        Step("shadow", _shadowed, lambda view, move: "poor_soil" if isinstance(move, Plant) else _saves(view, move)),
        Step("used", lambda view, _: view.turn == ("plant D1 D3",), _saves),
        Step("buy", _buy, _saves),
        Step("bought", lambda view, _: view.turn == ("buy large",) and view.light[ME] == 0),
        Step("large", _large, _saves),
        Step("grown", lambda view, _: view.turn == ("grow D1",) and _has(view, "D1", LARGE)),
        Step("collect", lambda view, _: view.light[ME] >= 4 and _has(view, "D1", LARGE) and not view.turn, _saves),
    ),
    over=lambda view: bool(view.tokens[ME]) or view.round > MOST_ROUNDS,
)
