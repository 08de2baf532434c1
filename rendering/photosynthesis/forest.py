"""The board of Photosynthesis: light and shade on its hexes, the pieces, the last moves, the sun, the tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rendering.core import theme
from rendering.core.art import aglow, toned
from rendering.core.canvas import Page
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.photosynthesis import trees
from rendering.photosynthesis.narration import changed_hex
from rendering.photosynthesis.scene import TABLE, Scene
from rendering.photosynthesis.steps import token_at
from rendering.photosynthesis.trees import (
    AFTERGLOW,
    BELOW,
    EVENING,
    FOOT,
    PALE,
    SHADED,
    Shadows,
    coordinate,
    place_coin,
    place_number,
    sized_piece,
    thing,
)
from rules.core.hexes import STEPS
from rules.photosynthesis.types import BOARD, HEXES, Move
from rules.photosynthesis.view import PhotosynthesisView

COIN = 56
"""The width of the coin that a tree has earned."""
COIN_AT: Point = (30, 22)
"""From the middle of a hex to that of its coin, beside the foot of the tree, on the table's board: within the hex, so
that it belongs to no neighbour. A token that may be collected there lies at the other side.
"""
NAME_AT = (0, 32)
"""The middle of a hex's name, from the middle of the hex, there: before its tree, below its leaves."""
FLAG, NEWEST, FLAG_AT = 48, 58, (-30, 38)
"""The width of the flag of a move that changed a hex, with its number, and of that of the newest; and from the hex's
middle to the foot of its pole, there.
"""
LIFT = 12
"""How far the middle of a flag of that width is above the middle of its sprite."""
PLACES = {BOARD.axial[hex_]: place for place, hex_ in enumerate(HEXES)}
"""The place of each hex in HEXES, by its coordinates."""


def shadows_on_hexes(view: PhotosynthesisView) -> list[Shadows]:
    """Return the shadows on each hex as (seat, height, steps from the tree); its own tree is at 0 steps."""
    found: list[list[tuple[int, int, int]]] = [[] for _ in HEXES]
    dq, dr = STEPS[view.sun]
    for hex_, there in zip(HEXES, view.board, strict=True):
        if there is None or there.height == 0:
            continue
        q, r = BOARD.axial[hex_]
        for steps in range(there.height + 1):
            place = PLACES.get((q + dq * steps, r + dr * steps))
            if place is not None:
                found[place].append((there.seat, there.height, steps))
    return [tuple(sorted(one)) for one in found]


def board(
    page: Page,
    scene: Scene,
    view: PhotosynthesisView,
    labels: Labels,
    lit: Collection[str] | None = None,
    chosen: str = "",
    moves: Sequence[Move] = (),
    able: Collection[str] = (),
) -> None:
    """Place what lies on the 37 hexes, and names: of the hexes that may be chosen or, without a choice, the letter and
    the last number of each row at its ends.

    `lit` are the hexes that may be chosen, in the light of day while night lies on the rest; None if the viewer is not
    choosing a hex. `chosen` is the hex that the viewer has already chosen. `moves`: the newest ones, the oldest first.
    `able`: the hexes with what may act, ringed while the viewer is choosing none; pale rims are round their pieces and,
    after the match, round those of the winners. A flag stands where a move changed a hex, with its number if there are
    several; the newest is the largest. Only a seat's picture has coins and tokens.
    """
    won = winners(view)
    bright = {hex_: lit is None or hex_ in lit or hex_ == chosen for hex_ in HEXES}
    changed = [(hex_, move.seat) for move in moves if (hex_ := changed_hex(move))] if lit is None else []
    for place, (hex_, shadows) in enumerate(zip(HEXES, shadows_on_hexes(view), strict=True)):
        x, y = scene.centre(hex_)
        day = lit is not None and bright[hex_]
        if labels.plain or day:
            cell = trees.cell(scene, hex_, view.sun)
            page.place(cell if bright[hex_] else toned(cell, AFTERGLOW), x, y, "mm")
        if shadows:
            page.place(trees.shade(scene.hex, shadows, view.sun), x, y, "mm")
            if view.board[place] is None:
                page.name("shadow")
        if day:
            page.place(trees.light(scene.hex, hex_ == chosen), x, y, "mm")
        if lit is None and hex_ in able and view.viewer is not None:
            page.place(trees.ring(scene.hex), x, y, "mm")
        if view.board[place] is None:
            page.place(trees.soil(scene.hex, hex_, dim=not bright[hex_]), x, y - scene.scaled(14 * day), "mm")
    for place, hex_ in enumerate(HEXES):
        if (there := view.board[place]) is not None:
            x, y = scene.centre(hex_)
            drawn = sized_piece(there.seat, there.height, scene.scaled(100), view.sun, place)
            if lit is None and (hex_ in able or there.seat in won):
                page.place(trees.rim(drawn), x, y + scene.scaled(FOOT + BELOW) + 4, "mb")
            if not bright[hex_]:
                drawn = toned(drawn, AFTERGLOW)
            elif view.shadow[place] >= there.height > 0:
                drawn = toned(drawn, SHADED)
            page.place(drawn, x, y + scene.scaled(FOOT + BELOW), "mb")
    if lit is None:
        for number, (hex_, seat) in enumerate(changed, 1):
            flag, (x, y) = thing(f"flag_{seat}", NEWEST if number == len(changed) else FLAG), scene.centre(hex_)
            x, y = x + scene.scaled(FLAG_AT[0]), y + scene.scaled(FLAG_AT[1])
            wide, tall = flag.size
            if number == len(changed):
                page.place(aglow(flag, 5, PALE, 2), x + wide * 0.37, y - tall / 2, "mm")
            page.place(flag, x - wide * 0.13, y, "lb")
            if len(changed) > 1:
                up = tall / 2 + LIFT * wide / FLAG
                page.text(x + wide * 0.36, y - up, str(number), theme.SMALL, theme.CREAM, 60, "mm")
        _earned(page, scene, view)
    names = rim(scene) if lit is None else {hex_: (hex_, *NAME_AT) for hex_ in HEXES if bright[hex_]}
    for hex_, (text, across, down) in names.items():  # above all else, so that nothing hides one
        x, y = scene.centre(hex_)
        page.place(coordinate(text), x + scene.scaled(across), y + scene.scaled(down), "mm")


def _earned(page: Page, scene: Scene, view: PhotosynthesisView) -> None:
    """Place what the viewer's trees have earned."""
    earned = dict(view.sunlight.earned) if view.sunlight else {}
    for hex_, there in zip(HEXES, view.board, strict=True):
        if there is not None and there.seat == view.viewer and hex_ in earned:
            x, y = scene.centre(hex_)
            place_coin(page, x + scene.scaled(COIN_AT[0]), y + scene.scaled(COIN_AT[1]), f"+{earned[hex_]}", COIN)
            page.name("earned", 2)


def collectable(page: Page, scene: Scene, view: PhotosynthesisView, hexes: Collection[str]) -> None:
    """Place at each tree that the viewer may collect the token that it would bring."""
    for hex_ in sorted(hexes):
        (x, y), token = scene.centre(hex_), token_at(view, hex_)
        face, ink = thing(f"token_{token.leaves}", COIN), INK_ON[token.leaves - 1]
        at = x - scene.scaled(COIN_AT[0]), y + scene.scaled(COIN_AT[1])
        place_number(page, face, *at, str(token.points), theme.SMALL, ink, COIN / 8)


ENDS = [(row[0], row[-1]) for row in ([hex_ for hex_ in HEXES if hex_[0] == letter] for letter in "ABCDEFG")]
"""The first and the last hex of each row."""
LEVEL: dict[bool, tuple[Point, ...]] = {
    True: ((152, 0), (152, 0), (152, 0), (92, 58), (108, 0), (108, 0), (108, 0)),
    False: ((96, 0), (80, 12), (96, 0), (88, 48), (96, 0), (96, 0), (96, 0)),
}
"""How far beside the ends of a row its letter and its last number stand, and how far below: outside the board and clear
of its trees; on a table, nearer than the stalls in its corners. Those of the middle row stand below the sun, which
comes to both its ends.
"""


def rim(scene: Scene) -> dict[str, tuple[str, float, float]]:
    """Return for the hexes at the ends of rows what is written beside them: the row's letter on the left, its last
    number on the right.
    """
    found: dict[str, tuple[str, float, float]] = {}
    for (first, last), (across, down) in zip(ENDS, LEVEL[scene.hex < TABLE.hex], strict=True):
        found |= {first: (first[0], -across, down), last: (last[1:], across, down)}
    return found


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
