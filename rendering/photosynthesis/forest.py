"""The board of Photosynthesis: light and shade on its hexes, the pieces, the last moves, the sun, the tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.art import toned
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.photosynthesis import trees
from rendering.photosynthesis.narration import changed_hex
from rendering.photosynthesis.scene import Scene
from rendering.photosynthesis.trees import (
    AFTERGLOW,
    BELOW,
    EVENING,
    FOOT,
    SHADED,
    Shadows,
    coordinate,
    place_coin,
    place_number,
    sized_piece,
    thing,
)
from rules.core.hexes import STEPS
from rules.photosynthesis import BOARD, HEXES, LEAVES, Move, PhotosynthesisView

COIN, COST = 56, 64
"""The width of the coin that a tree has earned, and of the one that a choice costs, on the table's board."""
COIN_AT: Point = (42, 24)
"""From the middle of a hex to that of its coin, there."""
NAME_AT, NAME_BESIDE = (0, 24), (-36, 28)
"""The middle of a hex's name, from the middle of the hex, on the table's board: of an empty hex below its leaves, with
a piece at the left of its foot. It lies inside its hex, so that it is not read as its neighbour's.
"""
LEAF_AT: Point = (-44, -6)
"""From the middle of a hex to the leaf with the number of the move that changed it, there."""
PLACES = {BOARD.axial[hex_]: place for place, hex_ in enumerate(HEXES)}
"""The place of each hex in HEXES, by its coordinates."""


def shadows_on_hexes(view: PhotosynthesisView, sun: int, only: frozenset[str] | None = None) -> list[Shadows]:
    """Return the shadows on each hex under a sun as (seat, height, steps from the tree); its own tree is at 0 steps.
    `only`: of the trees on these hexes.
    """
    found: list[list[tuple[int, int, int]]] = [[] for _ in HEXES]
    dq, dr = STEPS[sun]
    for hex_, there in zip(HEXES, view.board, strict=True):
        if there is None or there.height == 0 or (only is not None and hex_ not in only):
            continue
        q, r = BOARD.axial[hex_]
        for steps in range(there.height + 1):
            place = PLACES.get((q + dq * steps, r + dr * steps))
            if place is not None:
                found[place].append((there.seat, there.height, steps))
    return [tuple(sorted(one)) for one in found]


def reaching(view: PhotosynthesisView, seat: int, sun: int) -> frozenset[str]:
    """Return the hexes of the trees that will keep the light from one of the seat's trees under that sun."""
    found = set()
    dq, dr = STEPS[sun]
    for hex_, there in zip(HEXES, view.board, strict=True):
        q, r = BOARD.axial[hex_]
        for steps in range(1, there.height + 1 if there else 1):
            place = PLACES.get((q + dq * steps, r + dr * steps))
            other = None if place is None else view.board[place]
            if there and other and other.seat == seat and 0 < other.height <= there.height:
                found.add(str(hex_))
    return frozenset(found)


def board(
    page: Page,
    scene: Scene,
    view: PhotosynthesisView,
    labels: Labels,
    lit: Mapping[str, str] | None = None,
    chosen: frozenset[str] = frozenset(),
    moves: Sequence[Move] = (),
) -> None:
    """Place what lies on the 37 hexes, and names: the letter and the last number of each row at its ends, and the
    names of the hexes that matter.

    `lit` are the hexes that may be chosen, with what the choice costs or, after a "+", brings ("" if neither matters);
    None if the viewer is not choosing. `chosen` are the hexes that the viewer has already chosen. `moves`: the newest
    ones, the oldest first. Only a seat's picture, in which its player plans, has coins, numbered leaves, and the shade
    that comes next on that seat's trees; pale rims are round its trees or, for an onlooker, round those of the player
    to move.
    """
    bright = {hex_: lit is None or hex_ in lit or hex_ in chosen for hex_ in HEXES}
    about = view.to_move if view.viewer is None else view.viewer
    now, coming = shadows_on_hexes(view, view.sun), list[Shadows]()
    if view.viewer is not None and view.next_sun not in (None, view.sun):
        coming = shadows_on_hexes(view, view.next_sun or 0, reaching(view, view.viewer, view.next_sun or 0))
    for place, hex_ in enumerate(HEXES):
        x, y = scene.centre(hex_)
        if labels.plain:
            page.place(trees.cell(scene, hex_, view.sun), x, y, "mm")
        if now[place]:
            page.place(trees.shade(scene.hex, now[place], view.sun), x, y, "mm")
            if view.board[place] is None:
                page.name("shadow")
        if coming and coming[place] and lit is None:
            page.place(trees.ahead(scene.hex, coming[place], view.next_sun or 0), x, y, "mm")
        if not bright[hex_]:
            page.place(trees.evening(scene.hex), x, y, "mm")
        elif lit is not None:
            page.place(trees.light(scene.hex, hex_ in chosen), x, y, "mm")
        if view.board[place] is None:
            down = scene.scaled(-14 if lit is not None and bright[hex_] else 0)
            page.place(trees.soil(scene.hex, hex_, dim=not bright[hex_]), x, y + down, "mm")
    for place, hex_ in enumerate(HEXES):
        if (there := view.board[place]) is not None:
            x, y = scene.centre(hex_)
            drawn = sized_piece(there.seat, there.height, scene.scaled(100), view.sun)
            if lit is None and there.seat == about:
                page.place(trees.rim(drawn), x, y + scene.scaled(FOOT + BELOW) + 4, "mb")
            if not bright[hex_]:
                drawn = toned(drawn, AFTERGLOW)
            elif view.shadow[place] >= there.height > 0:
                drawn = toned(drawn, SHADED)
            page.place(drawn, x, y + scene.scaled(FOOT + BELOW), "mb")
    _signs(page, scene, view, lit)
    _moved(page, scene, view, labels, moves, lit)
    _names(page, scene, view, {hex_ for hex_ in HEXES if lit is not None and bright[hex_]})


def _signs(page: Page, scene: Scene, view: PhotosynthesisView, lit: Mapping[str, str] | None) -> None:
    """Place what each choice costs or brings; if the viewer is not choosing, what the viewer's trees have earned."""
    earned = dict(view.sunlight.earned) if view.sunlight else {}
    for hex_ in view.activated:
        x, y = scene.centre(hex_)
        page.place(trees.activated_mark(scene.scaled(38)), x + scene.scaled(46), y - scene.scaled(20), "mm")
    for hex_, there in zip(HEXES, view.board, strict=True):
        x, y = scene.centre(hex_)
        x, y = x + scene.scaled(COIN_AT[0]), y + scene.scaled(COIN_AT[1])
        if lit is not None and (said := lit.get(hex_, "")):
            if said.startswith("+"):
                place_number(page, thing(f"token_{LEAVES[hex_]}", 72), x, y - 6, said[1:], theme.SMALL, theme.CREAM, 8)
            else:
                place_coin(page, x, y, f"−{said}", COST)
        elif lit is None and there is not None and there.seat == view.viewer and hex_ in earned:
            place_coin(page, x, y, f"+{earned[hex_]}", COIN)
            page.name("earned", 2)


def _moved(page: Page, scene: Scene, view: PhotosynthesisView, labels: Labels, moves: Sequence[Move],
           lit: Mapping[str, str] | None) -> None:  # fmt: skip
    """Mark what the newest moves changed: with numbered leaves, and the last one with its flag."""
    changed = [move for move in moves if changed_hex(move)]
    newest = {changed_hex(move): (number, move) for number, move in enumerate(changed, 1)}
    for hex_, (number, move) in newest.items() if lit is None else ():
        x, y = scene.centre(hex_)
        last = move is changed[-1]
        if last:  # on the right it flies to the left: the corner of the page is a player's
            word = labels.say("picture.last")
            left = scene.scaled(24) if x < scene.x + 1.2 * scene.hex else -lettering.width(word, theme.SMALL) - 70
            chrome.place_flag(page, x + left, y - scene.scaled(22 if left > 0 else 4), word)
        elif len(changed) > 1:
            leaf, (across, down) = thing(f"leaf_{move.seat}", 50), LEAF_AT
            at = x + scene.scaled(across), y + scene.scaled(down)
            place_number(page, leaf, *at, str(number), theme.SMALL, theme.CREAM)
        if last:
            page.place(coordinate(hex_), x + scene.scaled(NAME_BESIDE[0]), y + scene.scaled(NAME_BESIDE[1]), "mm")


def _rim() -> dict[str, tuple[str, int, int]]:
    """Return for the hexes at the ends of rows what is written beside them, on the turf round the board: the row's
    letter on the left, its last number on the right.
    """
    found: dict[str, tuple[str, int, int]] = {}
    for row in sorted({hex_[0] for hex_ in HEXES}):
        ends = [hex_ for hex_ in HEXES if hex_[0] == row]
        r = BOARD.axial[ends[0]][1]
        across, down = (80, 12 if r < 0 else -12) if r else (72, 56)
        found[ends[0]] = (row, -across, down)
        found[ends[-1]] = (ends[-1][1:], across, down)
    return found


RIM = _rim()


def _names(page: Page, scene: Scene, view: PhotosynthesisView, named: set[str]) -> None:
    """Write the names above all else, so that nothing hides one."""
    for hex_, there in zip(HEXES, view.board, strict=True):
        x, y = scene.centre(hex_)
        if hex_ in named:
            across, down = NAME_AT if there is None else NAME_BESIDE
            page.place(coordinate(hex_), x + scene.scaled(across), y + scene.scaled(down), "mm")
        if hex_ in RIM:
            text, across, down = RIM[hex_]
            page.place(coordinate(text), x + scene.scaled(across), y + scene.scaled(down), "mm")


def sunlight(page: Page, scene: Scene, sun: int, coming: int | None) -> None:
    """Place the sun at its corner, and where it goes next."""
    if coming is not None and coming != sun:
        page.place(thing("ghost", scene.scaled(98)), *scene.sun_at(coming), "mm")
    page.place(thing("sun", scene.scaled(110)), *scene.sun_at(sun), "mm")
    page.name("sun")


TOKENS: tuple[Colour, ...] = ((150, 176, 84), (108, 148, 66), (68, 118, 58), (34, 84, 52))
"""The colour of the tokens of each soil."""
PILE = 72
"""The width of a pile of tokens on the table."""
EMPTY: Colour = (96, 104, 140)
"""The light of an empty pile."""
INK_ON: tuple[Colour, ...] = (theme.INK, theme.CREAM, theme.CREAM, theme.CREAM)


class Harvest(NamedTuple):
    """Where the four piles of tokens lie, and what tells what they are."""

    signs: tuple[Point, ...]
    """The middle of each sign."""
    piles: tuple[Point, ...]
    """The middle of each pile."""
    width: int = PILE


def harvest(page: Page, view: PhotosynthesisView, labels: Labels, at: Harvest) -> None:
    """Place the four piles of tokens, each with the worth of its top token and the number of its tokens. An empty pile
    is a dark slice with its leaves.
    """
    begin = len(page.strokes)
    for x, y in at.signs:
        page.place(thing("sign"), x, y, "mm")
        page.text(x, y, labels.say("picture.harvest"), theme.SMALL, theme.CREAM, 150, "mm")
    for leaves, (tokens, (x, y)) in enumerate(zip(view.piles, at.piles, strict=True), 1):
        face = thing(f"token_{leaves}", at.width)
        if tokens:
            place_number(page, face, x, y, str(tokens[0]), theme.SMALL, INK_ON[leaves - 1], at.width / 8)
        else:
            page.place(toned(face, EMPTY), x, y, "mm")
        text = f"×{len(tokens)}" if tokens else "0"
        page.text(x + at.width / 2 + 4, y, text, theme.SMALL, theme.CREAM, 90, halo=EVENING)
    page.name("tokens", len(page.strokes) - begin)
