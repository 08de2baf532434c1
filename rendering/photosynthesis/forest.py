"""The board of Photosynthesis with its pieces, and the piles of tokens beside it."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite
from rendering.photosynthesis import trees
from rendering.photosynthesis.scene import LEAF, PEAT, SUN, SUN_EDGE, Scene
from rendering.photosynthesis.soil import DUSK, Shadows, cell, coordinate, last_mark, leaf_outline
from rendering.photosynthesis.trees import sized_piece
from rules.core.hexes import STEPS
from rules.photosynthesis import BOARD, HEXES, PhotosynthesisView

TOKENS: tuple[Colour, ...] = ((150, 176, 84), (108, 148, 66), (68, 118, 58), (34, 84, 52))
COLOURS: tuple[Colour, ...] = TOKENS
"""The colours that the palette has exactly."""

DIM = 0.16
"""How far a piece on a hex that cannot be chosen sinks into the dusk: less than the hex, so that all are told apart."""

ON_BOARD = 121
"""The size of pieces on the table's board, in hundredths."""
FOOT = 24
"""How far the foot of a tree is below the middle of its hex, on the table's board."""
NAME_AT, NAME_BESIDE = (0, 20), (-32, 26)
"""The middle of a hex's name, from the middle of the hex, on the table's board: of an empty hex below its leaves, with
a piece at the left of its foot. It lies inside its hex, so that it is not read as its neighbour's.
"""


COIN_TYPE = 0.76
"""The size of a coin's number, as a part of the coin."""
COIN, COST = 50, 66
"""The size of the coin that a tree has earned, and of one that says what a choice costs or brings."""


@sprite
def coin(size: int, text: str) -> Pixels:
    """A small sun with a number: light. It has rays if there is room or no number."""
    pen = Pen(size, size)
    c = size / 2
    if not text:
        for i in range(12):
            shape = [trees.around(c, size * r, 30 * i + t) for r, t in ((0.36, -14), (0.5, 0), (0.36, 14))]
            pen.polygon(shape, SUN_EDGE)
    pen.disc(c, c, size * 0.44, mix(SUN_EDGE, PEAT, 0.45))
    pen.disc(c, c, size * 0.4, SUN)
    if text:
        pen.text(c, c, text, size * COIN_TYPE, theme.INK, lettering.TEXT)
    return pen.pixels()


@sprite
def points_disc(size: int, text: str) -> Pixels:
    """Points, on a disc in the tokens' green; without a number, with a leaf."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.BRASS)
    pen.disc(c, c, c * 0.89, TOKENS[3])
    if not text:
        pen.polygon(leaf_outline(c, c, size * 0.62, -60), theme.CREAM)
        return pen.pixels()
    pen.text(c, c, text, size * 0.74, theme.CREAM, lettering.TEXT)
    return pen.pixels()


@sprite
def activated_mark(size: int) -> Pixels:
    """A tick: acted on in this turn."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, size * 0.46, theme.INK)
    pen.disc(c, c, size * 0.39, theme.GOOD)
    tick = [(size * 0.28, c), (size * 0.44, size * 0.66), (size * 0.74, size * 0.34)]
    pen.line(tick, theme.CREAM, size * 0.12)
    return pen.pixels()


# The whole board


PLACES = {BOARD.axial[hex_]: place for place, hex_ in enumerate(HEXES)}
"""The place of each hex in HEXES, by its coordinates."""


def shadows_on_hexes(view: PhotosynthesisView, sun: int) -> list[Shadows]:
    """Return the shadows on each hex under a sun as (height of the tree, steps from it); its own tree is at 0 steps."""
    found: list[list[tuple[int, int]]] = [[] for _ in HEXES]
    dq, dr = STEPS[sun]
    for hex_, there in zip(HEXES, view.board, strict=True):
        if there is None or there.height == 0:
            continue
        q, r = BOARD.axial[hex_]
        for steps in range(there.height + 1):
            place = PLACES.get((q + dq * steps, r + dr * steps))
            if place is not None:
                found[place].append((there.height, steps))
    return [tuple(sorted(one)) for one in found]


@sprite
def _dimmed(seat: int, height: int, parts: int) -> Pixels:
    bright = sized_piece(seat, height, parts)
    return Pixels(Image.blend(bright.image, Image.new("RGB", bright.size, DUSK), DIM), bright.alpha)


def board(
    page: Page,
    scene: Scene,
    view: PhotosynthesisView,
    lit: Mapping[str, str] | None = None,
    chosen: frozenset[str] = frozenset(),
    moved: frozenset[str] = frozenset(),
) -> None:
    """Place the 37 hexes with their pieces, and names: the letter and the last number of each row at its ends, and the
    names of the hexes that matter.

    `lit` are the hexes that may be chosen, with the cost of the choice ("" if the cost does not matter); None if the
    viewer is not choosing. `chosen` are the hexes that the viewer has already chosen. `moved` are those that the last
    move changed. Only a seat's picture, in which
    somebody plans, has the shade that comes next.
    """

    def look(hex_: str) -> str:
        if lit is None:
            return "chosen" if hex_ in chosen else ""
        return "chosen" if hex_ in chosen else "lit" if hex_ in lit else "dim"

    now = shadows_on_hexes(view, view.sun)
    comes = view.viewer is not None and view.next_sun is not None and view.next_sun != view.sun
    coming = shadows_on_hexes(view, view.next_sun or 0) if comes else [()] * len(HEXES)
    for hex_, there, shade, ahead in zip(HEXES, view.board, now, coming, strict=True):
        looks = look(hex_)
        next_shade = (view.next_sun or 0, ahead if looks != "dim" else ())
        drawn = cell(scene.hex, hex_, view.sun, shade, next_shade, there is not None, looks)
        page.place(drawn, *scene.centre(hex_), "mm")
    parts = scene.scaled(ON_BOARD)
    for hex_, there in zip(HEXES, view.board, strict=True):
        x, y = scene.centre(hex_)
        if there is not None:
            drawn = (_dimmed if look(hex_) == "dim" else sized_piece)(there.seat, there.height, parts)
            page.place(drawn, x, y + scene.scaled(FOOT if there.height else 14), "mb")
    for changed in moved.difference(lit or ()):
        page.place(last_mark(scene.hex, _is_hidden_on_the_right(view, changed)), *scene.centre(changed), "mm")
    for hex_ in view.activated:
        x, y = scene.centre(hex_)
        page.place(activated_mark(scene.scaled(38)), x + scene.scaled(44), y - scene.scaled(26), "mm")
    _coins(page, scene, view, lit)
    _names(page, scene, view, {hex_: look(hex_) for hex_ in HEXES}, moved)


def _is_hidden_on_the_right(view: PhotosynthesisView, hex_: str) -> bool:
    """Say whether a tall tree stands before the lower right corner of a hex, and none before its lower left one."""
    q, r = BOARD.axial[hex_]
    right, left = (_height_at(view, (q + step, r + 1)) for step in (0, -1))
    return right >= TALL > left


TALL = 2
"""The height of a tree that hides what is behind it."""


def _height_at(view: PhotosynthesisView, axial: tuple[int, int]) -> int:
    """Return the height of the piece there; 0 without one."""
    there = view.board[PLACES[axial]] if axial in PLACES else None
    return there.height if there else 0


def _rim() -> dict[str, tuple[str, int, int]]:
    """Return for the hexes at the ends of rows what is written beside them: the row's letter on the left, its last
    number on the right, in the dents of the board's outline, clear of the sun, the arrows and the track.
    """
    found: dict[str, tuple[str, int, int]] = {}
    rows = [[hex_ for hex_ in HEXES if hex_[0] == row] for row in sorted({hex_[0] for hex_ in HEXES})]
    for row in rows:
        r = BOARD.axial[row[0]][1]
        across, down = (91, 18 if r < 0 else -14) if r else (86, 54)
        found[row[0]] = (row[0][0], -across, down)
        found[row[-1]] = (row[-1][1:], across, down if r else -down)
    return found


RIM = _rim()


def _names(page: Page, scene: Scene, view: PhotosynthesisView, looks: Mapping[str, str], moved: frozenset[str]) -> None:
    """Write the names above all else, so that nothing hides one."""
    for hex_, there in zip(HEXES, view.board, strict=True):
        x, y = scene.centre(hex_)
        if hex_ in moved or looks[hex_] in ("lit", "chosen"):
            name = coordinate(hex_, looks[hex_] == "dim")
            across, down = NAME_AT if there is None else NAME_BESIDE
            page.place(name, x + scene.scaled(across), y + scene.scaled(down), "mm")
        elif hex_ in RIM:
            text, across, down = RIM[hex_]
            page.place(coordinate(text, False), x + scene.scaled(across), y + scene.scaled(down), "mm")


def _coins(page: Page, scene: Scene, view: PhotosynthesisView, lit: Mapping[str, str] | None) -> None:
    """Place the cost of choosing each hex; if the viewer is not choosing, what each tree has earned this round."""
    earned = dict(view.sunlight.earned) if view.sunlight else {}
    for hex_, there in zip(HEXES, view.board, strict=True):
        x, y = scene.centre(hex_)
        if lit is not None:
            if lit.get(hex_):
                shown = points_disc if lit[hex_].startswith("+") else coin
                page.place(shown(COST, lit[hex_].strip("+")), x + scene.scaled(40), y + scene.scaled(28), "mm")
        elif there is not None and there.height and hex_ in earned:
            page.place(coin(COIN, str(earned[hex_])), x + scene.scaled(38), y + scene.scaled(24), "mm")


# Tokens


@sprite
def pile(size: int, leaves: int, top: int, following: int) -> Pixels:
    """A pile of tokens: the top one with its soil's leaves and its worth, and the worth of the next (0: none)."""
    peek = round(size * 0.46)
    pen = Pen(size, size + peek)
    c, colour = size / 2, TOKENS[leaves - 1]
    ink = theme.CREAM if leaves > 1 else theme.INK
    dark = mix(colour, (0, 0, 0), 0.5)
    if following:
        pen.disc(c, c + peek, c, dark)
        pen.disc(c, c + peek - 2, c - 3, mix(colour, theme.CREAM, 0.3))
        pen.disc(c, c + peek - 2, c - 6, mix(colour, dark, 0.3 if leaves > 1 else 0))
        pen.text(c, size + peek - 25, str(following), theme.SMALL, ink, lettering.TEXT)
    pen.disc(c, c, c, dark)
    pen.disc(c, c - 3, c - 2, mix(colour, theme.CREAM, 0.5))
    pen.disc(c, c - 3, c - 5, colour)
    pen.text(c, c + size * 0.11, str(top), max(theme.SMALL, size * 0.48), ink, lettering.TEXT)
    _leaves(pen, (c, c), size * 0.33, size * 0.22, leaves, mix(colour, theme.CREAM, 0.85) if leaves > 1 else LEAF)
    return pen.pixels()


def _leaves(pen: Pen, middle: Point, out: float, long: float, number: int, fill: Colour) -> None:
    """Draw a soil's leaves as a fan, each `long` and `out` of the middle."""
    x, y = middle
    for i in range(number):
        degrees = -90 + 34 * (i - (number - 1) / 2)
        right, down = trees.around(0, out, degrees)
        pen.polygon(leaf_outline(x + right, y + down, long, degrees), fill)


@sprite
def no_pile(size: int, leaves: int) -> Pixels:
    """The empty place of a pile: an outline round its soil's leaves."""
    pen = Pen(size, size)
    c = size / 2
    pen.ring(c, c, c, theme.INK, 8)
    pen.ring(c, c, c - 2, theme.CREAM, 4)
    for long, fill in ((0.38, theme.INK), (0.29, theme.CREAM)):
        _leaves(pen, (c, size * 0.84), size * 0.41, size * long, leaves, fill)
    return pen.pixels()


def piles(page: Page, view: PhotosynthesisView, size: int, places: tuple[Point, ...]) -> None:
    """Place the four piles of tokens, each with its upper edge's middle at its place, and the number of its tokens."""
    for leaves, (tokens, (x, y)) in enumerate(zip(view.piles, places, strict=True), 1):
        side = 1 if x < WIDTH / 2 else -1
        text = f"×{len(tokens)}" if tokens else "0"
        wide = lettering.width(text, theme.SMALL)
        page.shade(round(x + side * (size / 2 + 8 + wide / 2) - wide / 2 - 10), round(y + size / 2 - 22), wide + 20, 44,
                   22, 2, 178, chrome.NIGHT, 0)  # fmt: skip
        page.place(pile(size, leaves, *(*tokens, 0)[:2]) if tokens else no_pile(size, leaves), x, y, "mt")
        page.text(x + side * (size / 2 + 8 + wide / 2), y + size / 2, text, theme.SMALL, theme.CREAM, 100, "mm")
