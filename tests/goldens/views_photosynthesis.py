"""Views of Photosynthesis: positions set up by hand, as the rules show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rendering import Renderer
from rendering.core.canvas import Page
from rendering.core.story import Place, Story
from rules.core.game import Move, Outcome, Seat, View
from rules.photosynthesis import GAME
from rules.photosynthesis.types import HEXES
from rules.photosynthesis.view import PhotosynthesisView
from tests.goldens.case import Case, labels, of_view

SLUG = "photosynthesis"


def forest(text: str) -> dict[str, list[int]]:
    """ "A1 01, D4 23": seat and height by hex."""
    return {part.split()[0]: [int(digit) for digit in part.split()[1]] for part in text.split(",")}


def view(seats: int, trees: str, viewer: int | None = None, shade: bool = False, **changed: Any) -> PhotosynthesisView:
    """A round of Photosynthesis in which every tree that is in light now has been paid."""
    data = GAME.new(seats, {"shade": shade}, "goldens").to_json()
    data |= {"round": 1, "mover": 0, "board": forest(trees)} | changed
    seat = None if viewer is None else Seat(viewer)
    bare: PhotosynthesisView = GAME.from_json(data).view(seat)
    if not bare.round:
        return bare
    standing = zip(HEXES, bare.board, bare.shadow, strict=True)
    paid = [(hex_, piece) for hex_, piece, shadow in standing if piece and piece.height > shadow]
    earned = {hex_: piece.height for hex_, piece in paid}
    gained = [sum(piece.height for _, piece in paid if piece.seat == number) for number in range(seats)]
    sunlight = {"round": bare.round, "sun": bare.sun, "earned": earned, "gained": gained, "lost": [0] * seats}
    shown: PhotosynthesisView = GAME.from_json(data | {"sunlight": sunlight}).view(seat)
    return shown


FULL = (
    "A1 01, A2 12, A3 23, A4 31, B1 13, B2 00, B3 22, B4 33, B5 02, C1 21, C2 32, C3 12, C4 03, C5 20, C6 11, D1 02,"
    "D2 23, D3 33, D4 13, D5 01, D6 32, D7 22, E1 10, E2 31, E3 02, E4 21, E5 12, E6 30, F1 33, F2 03, F3 11, F4 32,"
    "F5 21, G1 12, G2 20, G3 01, G4 30"
)
MIDDLE = (
    "A1 01, A2 22, A4 12, B1 20, B2 13, B4 02, C1 12, C3 03, C4 21, C6 00, D1 22, D3 10, D4 23, D6 12, D7 01, E2 01,"
    "E3 23, E5 03, F1 11, F3 20, F4 12, G2 02, G4 21"
)
HANDS = [[2, 3, 1, 0], [0, 1, 2, 1], [1, 4, 0, 0], [3, 0, 1, 0]]
BOARDS = [[1, 2, 1, 1], [3, 0, 2, 0], [4, 2, 0, 2], [0, 4, 3, 1]]
PILES = [[14, 13, 13, 13, 12, 12, 12, 12], [16, 14, 14, 13, 13], [17, 17], [21, 20]]
TOKENS = [[[3, 19], [1, 14]], [], [[4, 22], [3, 18], [2, 17]], [[3, 18], [2, 16]]]


def middle(viewer: int | None = None, seats: int = 3, trees: str = MIDDLE, **changed: Any) -> PhotosynthesisView:
    """The middle of a match."""
    data: dict[str, Any] = {
        "round": 11, "first": 1, "mover": 0, "light": [9, 14, 20, 0][:seats], "hands": HANDS[:seats],
        "player_boards": BOARDS[:seats], "piles": PILES, "tokens": TOKENS[:seats],
        "last_turn": {"seat": 2, "moves": ["buy small", "grow A2", "plant E3 F3", "grow D1", "end"]},
    }  # fmt: skip
    return view(seats, trees, viewer, **(data | changed))


VIEWS: Mapping[str, PhotosynthesisView] = {
    "table_2_first": view(
        2, "A1 01, D7 11", round=0, mover=0, hands=[[2, 3, 1, 0]] * 2, last_turn={"seat": 1, "moves": ["place D7"]},
    ),
    "table_4_forest": middle(
        None, 4, FULL, round=14, mover=1, first=3, last_turn={"seat": 0, "moves": ["grow B2", "grow B5", "end"]},
    ),
    "table_3_shade": middle(None, 3, f"{MIDDLE}, D5 10", shade=True, round=9, mover=1, turn=["grow F1", "plant D6 D5"]),
    "table_4_over": middle(
        None, 4, "A1 01, C3 03, D2 12, E4 21, F3 33, G1 30", round=18, mover=None, light=[3, 1, 8, 0],
        piles=[[12, 12], [], [], []], outcome=Outcome(frozenset([Seat(2)]), (34, 0, 59, 34), "points").to_json(),
        last_turn={"seat": 0, "moves": ["collect D4", "end"]},
    ),
    "own_place": view(2, "A1 01, D7 11, G4 01", 1, round=0, mover=1, hands=[[2, 2, 1, 0], [2, 3, 1, 0]],
        last_turn={"seat": 0, "moves": ["place G4"]},
    ),
    "own_turn": middle(0, turn=["grow D7", "buy small"]),
    "own_forest": middle(3, 4, FULL, round=12, mover=2, last_turn={"seat": 1, "moves": ["buy large", "end"]}),
}  # fmt: skip
OWN = VIEWS["own_turn"]
PATHS = {
    "collect": ("collect",),
    "grow": ("grow",),
    "buy": ("buy",),
    "plant": ("plant",),
    "target": ("plant", "B4"),
}
WIDE = middle(2, 3, "D4 23, A1 01, G4 11, C2 22, D7 21", round=4, mover=2, last_turn={"seat": 1, "moves": ["end"]})
"""A large tree with so many free hexes round it that rows are chosen first."""

CASES = (
    *(of_view(SLUG, name, shown) for name, shown in VIEWS.items()),
    *(of_view(SLUG, f"own_{name}", OWN, path) for name, path in PATHS.items()),
    of_view(SLUG, "own_rows", WIDE, ("plant", "D4")),
    Case(SLUG, "last", lambda game: game.paint_last(OWN, labels(SLUG, 3))),
    Case(SLUG, "cover", lambda game: game.paint_cover(labels(SLUG))),
)


def _large(shown: PhotosynthesisView, game: Renderer[View, Move]) -> Page:
    return game.paint(shown, replace(labels(SLUG, shown.seats), large=True))


def _won(seat: int, game: Renderer[View, Move]) -> Page:
    """How a match went that this seat won."""
    places = tuple(Place(((seat + at) % 4,), at + 1, not at, "9 points", (0, 9 - at)) for at in range(4))
    return game.paint_result(Story(places, "", (), "1 round"), labels(SLUG, 4))


SHADES = (
    *(Case(SLUG, f"won_{seat}", partial(_won, seat)) for seat in range(4)),
    *(of_view(SLUG, f"bare_{n}", view(2, "A1 01", (None, 0)[n % 2], round=n // 2 + 1)) for n in range(12)),
    *(of_view(SLUG, f"sun_{sun}", middle(None, 4, FULL, round=sun + 1)) for sun in range(6)),
    *(Case(SLUG, f"large_{sun}", partial(_large, middle(0, 4, FULL, round=sun + 1))) for sun in range(6)),
)
"""What the palette is trained over besides: each winner, light from every side, and the grass of large print."""
