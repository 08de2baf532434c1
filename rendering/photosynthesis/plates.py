"""The players of Photosynthesis as gardeners: a corner of the table for each, and what the viewer has and can buy."""

from __future__ import annotations

from typing import NamedTuple

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import aglow, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Sprite
from rendering.photosynthesis.narration import next_light
from rendering.photosynthesis.steps import BUY, Step
from rendering.photosynthesis.trees import EVENING, place_number, sized_piece, thing
from rules.photosynthesis import KINDS, MOST_LIGHT, PRICES, Buy, PhotosynthesisView

HEAD = 70
"""The width of a gardener's head, which is the player's disc."""
ICONS = (74, 52, 44, 36)
"""Pieces beside a number, by height: hundredths of their size."""


def gardener(
    page: Page, labels: Labels, seat: int, x: float, y: float, *, lit: bool, won: bool = False, size: int = HEAD
) -> None:
    """Place a player as a gardener, the head's middle at (x, y): the disc between a smock and a hat or a crown. `lit`:
    they stand in the light, the others in the evening.
    """
    k = size / HEAD
    body, hat = thing(f"gardener_{seat}", round(132 * k)), thing(f"hat_{seat}", round(112 * k))
    left, top = x - 58 * k, y + 9 * k
    if lit:
        page.place(thing("glow"), x, y + 6, "mm")
    page.place(body if lit else toned(body), left, top)
    hedge = thing("hedge", round(130 * k))
    page.place(hedge if lit else toned(hedge), x + 6 * k, y + 92 * k, "mb")
    page.place(disc(labels, seat, size), x, y, "mm")
    if won:
        page.place(chrome.crown(64), x, y - 24 * k, "mb")
    else:
        page.place(hat if lit else toned(hat), x, y - 19 * k, "mb")


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
    """Write on the scene, with a soft dark round the letters. Return the width."""
    return page.text(x, y, text, size, fill, width, anchor, halo=EVENING)


def counted(
    page: Page, sign: Sprite, x: float, y: float, text: str, fill: Colour = theme.CREAM, size: int = theme.SMALL
) -> float:
    """Place a sign with its left middle at (x, y), and a figure behind it. Return where it ends."""
    page.place(sign, x, y, "lm")
    return x + sign.size[0] + 4 + write(page, x + sign.size[0] + 4, y, text, size, fill, 140)


def lights(view: PhotosynthesisView, seat: int) -> bool:
    """Return whether a seat stands in the light: it is to move, or it won."""
    return seat in view.outcome.winners if view.outcome else seat == view.to_move


def first_mark(page: Page, view: PhotosynthesisView, seat: int, x: float, y: float, size: int = 44) -> None:
    """Pin the first player's token on."""
    if seat == view.first and not view.outcome:
        page.place(chrome.token(emblems.sun, size, theme.CREAM, SUN_EDGE), x, y, "mm")


SUN_EDGE: Colour = (226, 128, 32)


# A corner of the table

CORNERS = ((60, 146), (WIDTH - 74, 146), (WIDTH - 74, 764), (60, 764))
"""The middle of each gardener's head: clockwise from the upper left."""
TIES = ("pieces", "shared")
"""The reasons for an end that points alone do not tell."""


def corner(page: Page, view: PhotosynthesisView, labels: Labels, seat: int) -> None:
    """Place a player in a corner of the table: name and points; below them light and hand or, at the end, what the
    trees and the light brought and, if they broke a tie, the pieces on the board.
    """
    x, y = CORNERS[(0, 2)[seat] if view.seats == 2 else seat]
    right = x > WIDTH / 2
    y += (-14 if y > 400 else 14) if view.outcome else 0  # room for a crown and two lines
    gardener(page, labels, seat, x, y, lit=lights(view, seat), won=bool(view.outcome and seat in view.outcome.winners))
    first_mark(page, view, seat, x - 38, y + 32)
    at, anchor = (x - 52, "rm") if right else (x + 54, "lm")
    fill = theme.BRASS_LIGHT if lights(view, seat) else theme.CREAM
    name = short_name(labels, seat, theme.SMALL, NAME)
    write(page, at, y - 18, name, lettering.fitting(name, 44, theme.SMALL, 206), fill, NAME, anchor)
    write(page, at, y + 24, labels.count("points", view.scores[seat]), theme.SMALL, fill, NAME, anchor)
    if view.outcome:
        _harvest(page, view, labels, seat, (WIDTH - 14 if right else 14, y + 78), anchor)
        return
    left, line = (WIDTH - HELD - 4 if right else 6), y + 88
    page.place(thing("coin", 42), left, line, "lm")
    write(page, left + 45, line + 2, str(view.light[seat]), theme.SMALL)
    for height in range(4):
        middle = left + 110 + 53 * height
        page.place(sized_piece(seat, height, ICONS[height] * 0.84), middle, line + 16, "mb")
        write(page, middle + 24, line + 2, str(view.hands[seat][height]), theme.SMALL, anchor="mm")


NAME = 236
"""The most room of a name, and the width of a player's light and hand."""
HELD = 304


def _harvest(
    page: Page, view: PhotosynthesisView, labels: Labels, seat: int, at: tuple[float, float], anchor: str
) -> None:
    assert view.outcome is not None
    tokens, tie = sum(token.points for token in view.tokens[seat]), view.outcome.reason in TIES
    write(
        page, at[0], at[1], labels.say("picture.tokens_brought", points=tokens), theme.SMALL, width=300, anchor=anchor
    )
    key = "picture.light_beside" if tie else "picture.light_brought"
    light = labels.say(key, points=view.scores[seat] - tokens)
    wide = write(page, at[0], at[1] + 38, light, theme.SMALL, width=300, anchor=anchor)
    if tie:
        x = at[0] + (wide + 14 if anchor == "lm" else -wide - 84)
        page.place(sized_piece(seat, 3, 30), x, at[1] + 38, "lm")
        write(page, x + 40, at[1] + 38, f"×{view.on_board[seat]}", theme.SMALL)


# The viewer's own picture


class Desk(NamedTuple):
    """Where the viewer's things are in their own picture."""

    own: tuple[int, int]
    """The middle of the viewer's head."""
    rivals: tuple[int, int]
    """Left and top of the rivals."""
    stock: tuple[int, int]
    """Left and top of the crate."""
    crate: str
    """The crate's sprite."""
    size: int
    """The type of the crate."""


def own(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the viewer: points, light now and of the next round."""
    seat, (x, y) = view.viewer, desk.own
    assert seat is not None
    lit = lights(view, seat)
    gardener(page, labels, seat, x, y, lit=lit)
    at, ink = x + 70, theme.BRASS_LIGHT if lit else theme.CREAM
    write(page, at, y - 26, labels.say("picture.your_turn" if lit else "picture.you"), 44, ink, WIDTH - 10 - at)
    first_mark(page, view, seat, x - 38, y + 32)
    end = counted(page, thing("coin", 50), at - 4, y + 20, f"{view.light[seat]}/{MOST_LIGHT}", ink, 42)
    counted(page, thing("token_4", 46), end + 18, y + 20, str(view.scores[seat]), ink, 42)
    if not view.forecast:
        write(page, at, y + 66, labels.say("picture.no_next"), theme.SMALL, theme.CREAM, WIDTH - 10 - at)
        return
    wide = write(page, at, y + 66, f"+{next_light(view, seat)[0]}", 42, (255, 226, 112), 90)
    write(page, at + wide + 10, y + 67, labels.say("picture.next"), theme.SMALL, theme.CREAM, WIDTH - 14 - at - wide)


RIVALS_HEIGHT = 240


def rivals(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the other players below each other, in the order of play from the viewer on: disc, name, light, points."""
    assert view.viewer is not None
    x, y = desk.rivals
    step = min(100, RIVALS_HEIGHT // (view.seats - 1))
    end = desk.stock[0] - 10 if desk.stock[0] > x + 200 else WIDTH  # in large print the crate stands beside them
    for number in range(1, view.seats):
        seat = (view.viewer + number) % view.seats
        top = y + (number - 1) * step
        lit = lights(view, seat)
        face = disc(labels, seat, 52)
        if lit:
            page.place(aglow(face, 10, theme.BRASS_LIGHT, 1.3), x + 26, top + step / 2, "mm")
        page.place(face, x, top + step / 2, "lm")
        hat = thing(f"hat_{seat}", 76)
        page.place(hat if lit else toned(hat), x + 26, top + step / 2 - 14, "mb")
        first_mark(page, view, seat, x + 6, top + step / 2 + 22, 34)
        ink, room = theme.BRASS_LIGHT if lit else theme.CREAM, end - 2 - x - 58
        write(page, x + 58, top + step / 2 - 20, short_name(labels, seat, theme.SMALL, room), theme.SMALL, ink, room)
        told = counted(page, thing("coin", 38), x + 56, top + step / 2 + 18, str(view.light[seat]), ink)
        counted(page, thing("token_4", 36), told + 14, top + step / 2 + 18, str(view.scores[seat]), ink)


SOLD, SLOT = 140, 44
"""The left end of the spaces from the left of the crate, and the width of one, in the usual crate."""
CRATE = 336
"""The width of the usual crate."""


def stock(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk, step: Step) -> None:
    """Place the viewer's crate: of each kind how many are in hand, and the tags of those for sale, the next one at the
    left in white if it can be paid, in light if it can be chosen now.
    """
    seat, (x, y), crate = view.viewer, desk.stock, thing(desk.crate)
    assert seat is not None
    k, row = crate.size[0] / CRATE, (crate.size[1] - 12) / 5
    page.place(crate, x, y)
    page.text(x + 78 * k, y + 6 + row / 2, labels.say("picture.in_hand"), desk.size, theme.CREAM, round(112 * k), "mm")
    page.text(
        x + (SOLD + 88) * k,
        y + 6 + row / 2,
        labels.say("picture.for_sale"),
        desk.size,
        theme.CREAM,
        round(180 * k),
        "mm",
    )
    buyable = {move.kind for move in step.moves if isinstance(move, Buy)} if step.kind == BUY else set()
    for height, kind in enumerate(KINDS):
        middle, number = y + 6 + row * (height + 1.5), view.hands[seat][height]
        page.place(sized_piece(seat, height, ICONS[height] * k * 1.06), x + 52 * k, middle, "mm")
        page.text(x + 104 * k, middle, str(number), round(46 * k), theme.CREAM if number else FAINT, 90, "mm")
        spaces, left = PRICES[height], view.player_boards[seat][height]
        for place in range(len(spaces) - left, len(spaces)):
            tag, at = thing("tag", round(40 * k)), x + (SOLD + SLOT * (place + 0.5)) * k
            following = place == len(spaces) - left
            if following and kind in buyable:
                page.place(aglow(tag, 8, theme.BRASS_LIGHT, 2), at, middle, "mm")
            able = following and spaces[place] <= view.light[seat]
            place_number(
                page, tag if able else toned(tag, DEAR), at, middle, str(spaces[place]), desk.size, theme.INK, 5 * k
            )


FAINT: Colour = (222, 200, 176)
DEAR: Colour = (186, 172, 160)
"""The light of a price tag that the viewer cannot pay, or not next."""
COLOURS: tuple[Colour, ...] = (FAINT,)
"""The colours that the palette has exactly."""
