"""The players of Photosynthesis as gardeners: a stall for each, the rivals in a list, and the viewer's seed tray."""

from __future__ import annotations

from typing import NamedTuple

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import aglow, cut, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point, Sprite
from rendering.photosynthesis.narration import next_light
from rendering.photosynthesis.steps import BUY, Step
from rendering.photosynthesis.trees import EVENING, SHADED, place_coin, sized_piece, thing
from rules.photosynthesis.types import KINDS, PRICES, Buy
from rules.photosynthesis.view import PhotosynthesisView

ICONS = (74, 52, 44, 36)
"""Pieces beside a number, by height: hundredths of their size."""


def write(
    page: Page,
    x: float,
    y: float,
    text: str,
    size: int,
    fill: Colour = theme.CREAM,
    width: int = WIDTH,
    anchor: str = "lm",
) -> int:
    """Write on the scene, with a soft dark round the letters; of a long text these are narrower. Return the width."""
    return page.text(x, y, text, size, fill, width, anchor, halo=EVENING, squeezed=theme.SQUEEZED)


def lights(view: PhotosynthesisView, seat: int) -> bool:
    """Return whether a seat stands in the light: it is to move, or it won."""
    return seat in view.outcome.winners if view.outcome else seat == view.to_move


def first_mark(page: Page, view: PhotosynthesisView, seat: int, x: float, y: float) -> None:
    """Pin the first player's token on."""
    if seat == view.first and not view.outcome:
        page.place(chrome.token(emblems.sun, 36, theme.CREAM, SUN_EDGE), x, y, "mm")


SUN_EDGE: Colour = (226, 128, 32)


# A stall

CORNERS: tuple[Point, ...] = ((2, 124), (WIDTH - 278, 124), (WIDTH - 278, 694), (2, 694))
"""The upper left corner of each stall on the table, clear of the board: clockwise from the upper left."""
TIES = ("pieces", "shared")
"""The reasons for an end that points alone do not tell."""
INSIDE, COUNTER = 98, 179
"""Where words begin within a stall, and the middle of those on its counter."""
ROOM, COUNTER_ROOM = 160, 258
"""The width of what stands within a stall, beside the gardener, and on its counter."""


def stall(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, x: float, y: float) -> None:
    """Place a player's stall, its upper left corner at (x, y): the name on its board, the gardener, points, light; on
    the counter the hand, for the viewer the light of the next round or, at the end, what the trees brought.
    """
    lit, booth = lights(view, seat), thing(f"stall_{seat}")
    ink = theme.BRASS_LIGHT if lit else theme.CREAM
    if lit:
        page.place(lit_up(seat), x - 16, y - 16)
    page.place(booth if lit else toned(booth, SHADED), x, y)
    page.place(thing(f"gardener_{seat}"), x + 2, y + 60)
    page.place(disc(labels, seat, 60), x + 30, y + 27, "mm")
    if view.outcome and lit:
        page.place(chrome.crown(56), x + 56, y + 107, "mb")
    whole = round(NAME / theme.SQUEEZED)
    name = labels.say("picture.you") if seat == view.viewer else short_name(labels, seat, theme.SMALL, whole)
    size = lettering.fitting(name, 44, theme.SMALL, NAME)
    page.text(x + 64, y + 28, name, size, ink, NAME, squeezed=theme.SQUEEZED)
    first_mark(page, view, seat, x + 256, y + 62)
    points = labels.count("points", view.scores[seat])
    page.text(
        x + INSIDE, y + 88, points, lettering.fitting(points, 40, theme.SMALL, ROOM), ink, ROOM, squeezed=theme.SQUEEZED
    )
    if not view.outcome:
        place_coin(page, x + INSIDE + 26, y + 131, str(view.light[seat]), COIN)
        _line(page, x + INSIDE + 58, y + 131, labels.say("picture.light"), ROOM - 58, ink)
        page.name("light", 3)
    elif view.outcome.reason in TIES:
        _line(page, x + INSIDE, y + 131, labels.count("pieces", view.on_board[seat]), ROOM)
    else:
        light = view.scores[seat] - sum(token.points for token in view.tokens[seat])
        _line(page, x + INSIDE, y + 131, labels.say("picture.light_brought", points=light), ROOM)
    _counter(page, view, labels, seat, x, y + COUNTER)


def lit_up(seat: int) -> Sprite:
    """Return the light round a stall."""
    return aglow(thing(f"stall_{seat}"), 8, theme.BRASS_LIGHT, 1.6)


NAME = 206
"""The most room of a name."""


def _line(page: Page, x: float, y: float, text: str, room: int, ink: Colour = theme.CREAM) -> None:
    """Write a small line in so much room; of a long one the letters are narrower."""
    page.text(x, y, text, theme.SMALL, ink, room, squeezed=theme.SQUEEZED)


COIN = 56
"""The width of a coin with a figure of two digits."""


def _counter(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, x: float, y: float) -> None:
    if view.outcome:
        tokens = sum(token.points for token in view.tokens[seat])
        _line(page, x + 12, y, labels.say("picture.tokens_brought", points=tokens), COUNTER_ROOM)
    elif seat == view.viewer and not view.forecast:
        _line(page, x + 12, y, labels.say("picture.no_next"), COUNTER_ROOM)
    elif seat == view.viewer:
        _line(page, x + 3, y, "+", 20)  # the coin has no room for it
        place_coin(page, x + 45, y, str(next_light(view, seat)[0]), 50)
        _line(page, x + 75, y, labels.say("picture.next"), COUNTER_ROOM - 67)
    else:
        held = [(height, number) for height, number in enumerate(view.hands[seat]) if number]
        said = labels.say("picture.in_hand" if held else "picture.empty_hand") if len(held) < len(ICONS) else ""
        room = 88 if held else COUNTER_ROOM  # all kinds need that of the word
        begin = x + 20 + page.text(x + 10, y, said, theme.SMALL, theme.CREAM, room, squeezed=theme.SQUEEZED)
        step = min(60, (x + 218 - begin) / max(1, len(held) - 1))
        for place, (height, number) in enumerate(held):
            left = begin + step * place
            page.place(sized_piece(seat, height, ICONS[height] * 0.8), left + 17, y + 16, "mb")
            page.text(left + 42, y, str(number), theme.SMALL, theme.CREAM, 60, "mm")


# The viewer's own picture


class Desk(NamedTuple):
    """Where the viewer's things are in their own picture: the left and the top of each."""

    own: Point
    """The viewer's stall."""
    rivals: Point
    room: int
    """The height for all rivals."""
    stock: Point
    """The seed tray."""
    crate: str
    """The tray's sprite."""
    size: int
    """The type on the tray."""


def rivals(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the other players below each other, in the order of play from the viewer on: disc, name, points, light."""
    assert view.viewer is not None
    x, y = desk.rivals
    room = WIDTH - 72 - round(x) if desk.stock[0] < x + 200 else 400  # in large print the tray stands beside them
    step = min(100, desk.room // (view.seats - 1))
    for number in range(1, view.seats):
        seat = (view.viewer + number) % view.seats
        middle = y + step * (number - 0.5)
        page.place(cut(thing("plank"), room + 72, min(84, round(step) - 2)), x - 6, middle, "lm")
        lit, face = lights(view, seat), disc(labels, seat, 56)
        if lit:
            page.place(aglow(face, 10, theme.BRASS_LIGHT, 1.3), x + 28, middle, "mm")
        page.place(face, x, middle, "lm")
        first_mark(page, view, seat, x + 8, middle + 22)
        ink, at = theme.BRASS_LIGHT if lit else theme.CREAM, x + 66
        name = short_name(labels, seat, theme.SMALL, round(room / theme.SQUEEZED))
        apart = min(20, round(step / 4))
        _line(page, at, middle - apart, name, room, ink)
        points = labels.count("points", view.scores[seat])
        end = at + page.text(at, middle + apart, points, theme.SMALL, ink, room - 58, squeezed=theme.SQUEEZED)
        place_coin(page, end + 34, middle + apart - 1, str(view.light[seat]), 46)


SOLD, SLOT = 140, 44
"""The left end of the spaces from the left of the tray, and the width of one, in the usual tray."""
CRATE = 336
"""The width of the usual tray."""


def stock(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk, step: Step) -> None:
    """Place the viewer's tray: of each kind how many are in hand, and the prices of those for sale as coins, the next
    one at the left bright if it can be paid, in light if it can be chosen now.
    """
    seat, (x, y), crate = view.viewer, desk.stock, thing(desk.crate)
    assert seat is not None
    k, row = crate.size[0] / CRATE, (crate.size[1] - 12) / 5
    page.place(crate, x, y)
    for word, across, room in (("in_hand", 78, 112), ("for_sale", SOLD + 88, 180)):
        text = labels.say(f"picture.{word}")
        page.text(x + across * k, y + 6 + row / 2, text, desk.size, theme.CREAM, round(room * k), "mm")
    buyable = {move.kind for move in step.moves if isinstance(move, Buy)} if step.kind == BUY else set()
    for height, kind in enumerate(KINDS):
        middle, number = y + 6 + row * (height + 1.5), view.hands[seat][height]
        page.place(sized_piece(seat, height, ICONS[height] * k * 0.86), x + 52 * k, middle, "mm")
        page.text(x + 104 * k, middle, str(number), round(46 * k), theme.CREAM if number else FAINT, 90, "mm")
        spaces, left = PRICES[height], view.player_boards[seat][height]
        for place in range(len(spaces) - left, len(spaces)):
            at, following = x + (SOLD + SLOT * (place + 0.5)) * k, place == len(spaces) - left
            if following and kind in buyable:
                page.place(aglow(thing("coin", round(46 * k)), 8, theme.PAPER, 2), at, middle, "mm")
            able = following and spaces[place] <= view.light[seat]
            place_coin(page, at, middle, str(spaces[place]), round(46 * k), desk.size, None if able else DEAR)
            if able:
                page.name("prices", 2)


FAINT: Colour = (222, 200, 176)
DEAR: Colour = (186, 168, 162)
"""The light of a coin that the viewer cannot pay, or not next."""
COLOURS: tuple[Colour, ...] = (FAINT,)
"""The colours that the palette has exactly."""
