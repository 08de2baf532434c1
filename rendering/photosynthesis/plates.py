"""The players of Photosynthesis: a corner of the table for each, and what the viewer has and can buy."""

from __future__ import annotations

from typing import NamedTuple

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import plate
from rendering.core.chrome import STRIP_HEIGHT, Score, place_strip
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.core.theme import Plate
from rendering.photosynthesis.forest import coin
from rendering.photosynthesis.narration import next_light
from rendering.photosynthesis.scene import PEAT, SUN, SUN_EDGE
from rendering.photosynthesis.steps import BUY, Step
from rendering.photosynthesis.trees import TONES, sized_piece
from rules.photosynthesis import KINDS, MOST_LIGHT, PRICES, Buy, PhotosynthesisView

PAPER: Colour = (246, 237, 210)
PLATES = tuple(Plate(PAPER, mix(PAPER, PEAT, 0.6), tones.base, theme.INK, theme.INK_SOFT) for tones in TONES)
"""Paper with a rim in the colour of each variety."""
HOLLOW = mix(PAPER, PEAT, 0.2)
FAINT = mix(PAPER, PEAT, 0.42)
COLOURS: tuple[Colour, ...] = (PAPER, HOLLOW, FAINT, mix(PAPER, PEAT, 0.6))
"""The colours that the palette has exactly."""

ICONS = (96, 78, 62, 50)
"""Pieces beside a number, by height: hundredths of their size."""


def turn_of(view: PhotosynthesisView, seat: int) -> chrome.Turn:
    """Return what a seat's strip says: it won, or it is its turn."""
    if view.outcome:
        return "won" if seat in view.outcome.winners else ""
    return "turn" if seat == view.to_move else ""


def first_token(view: PhotosynthesisView, seat: int, size: int) -> list[Sprite]:
    """Return the first player's token, if the seat has it."""
    has = seat == view.first and not view.outcome
    return [chrome.token(emblems.sun, size, theme.CREAM, SUN_EDGE)] if has else []


# A corner of the table

CORNER_WIDTH, SHELF_WIDTH, SHELF_HEIGHT = 312, 258, 92
"""The width of a player's strip, and the size of the shelf beside it with their light and hand."""
EDGE = 6
CROWNED = 20
"""How far lower the upper strips are once the match is over."""
TIES = ("pieces", "shared")
"""The reasons for an end that points alone do not tell."""


def corner_of(seats: int, seat: int) -> tuple[bool, bool]:
    """Return whether a seat's corner is on the right, and whether it is below: clockwise from the upper left."""
    return ((False, False), (True, True))[seat] if seats == 2 else (seat in (1, 2), seat >= 2)


def corner(page: Page, view: PhotosynthesisView, labels: Labels, seat: int) -> None:
    """Place a player in a corner of the table: name and points; beside them light and hand or, at the end, what the
    trees and the light brought and, if they broke a tie, the pieces on the board.
    """
    right, low = corner_of(view.seats, seat)
    top, gap = page.height - EDGE - STRIP_HEIGHT if low else EDGE, 8
    if view.outcome:  # room for a crown above the strip
        top, gap = (top, 36) if low else (top + CROWNED, 0)
    left = WIDTH - EDGE - CORNER_WIDTH if right else EDGE
    shelf = (
        (WIDTH - EDGE - SHELF_WIDTH if right else EDGE),
        top - gap - SHELF_HEIGHT if low else top + STRIP_HEIGHT + gap,
    )
    _shelf(page, view, labels, seat, shelf)
    score = Score(0, 0, labels.count("points", view.scores[seat]))
    turn = turn_of(view, seat)
    place_strip(page, labels, seat, (left, top, CORNER_WIDTH), turn, score, (), mirrored=right,
                tokens=first_token(view, seat, 44), most=chrome.NAME if turn else theme.SMALL)  # fmt: skip


def _shelf(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, at: tuple[int, int]) -> None:
    x, y = at
    page.place(plate(SHELF_WIDTH, SHELF_HEIGHT, PLATES[seat]), x, y)
    if view.outcome:
        tokens, tie = sum(token.points for token in view.tokens[seat]), view.outcome.reason in TIES
        harvest = labels.say("picture.tokens_brought", points=tokens)
        page.text(x + 10, y + 25, harvest, theme.SMALL, theme.INK, SHELF_WIDTH - 20)
        key = "picture.light_beside" if tie else "picture.light_brought"
        light = labels.say(key, points=view.scores[seat] - tokens)
        page.text(x + 10, y + 66, light, theme.SMALL, theme.INK, SHELF_WIDTH - 20)
        if tie:
            end = x + SHELF_WIDTH - 6
            wide = page.text(end, y + 66, f"×{view.on_board[seat]}", theme.SMALL, theme.INK, 62, "rm")
            page.place(sized_piece(seat, 3, 36), end - wide - 2, y + 64, "rm")
        return
    step = (SHELF_WIDTH - 14) / 5
    page.place(_held(coin(44, ""), str(view.light[seat])), x + 7, y + 6)
    for height in range(4):
        piece = sized_piece(seat, height, ICONS[height] * 4 // 5)
        page.place(_held(piece, str(view.hands[seat][height])), x + 7 + step * (height + 1), y + 6)


@sprite
def _held(sign: Sprite, number: str) -> Pixels:
    """A thing over how many of it somebody has, on paper."""
    pen = Pen(49, 76)
    pen.box(0, 0, 49, 76, 0, PAPER)
    pen.text(24.5, 60, number, theme.SMALL, theme.INK if number != "0" else theme.INK_SOFT, lettering.TEXT)
    found = pen.pixels()
    found.image.paste(sign.image, (24 - sign.size[0] // 2, 44 - sign.size[1]), sign.alpha)
    return found


# The viewer's own picture


class Desk(NamedTuple):
    """Where the viewer's things are in their own picture: each has its left, its top, and its width."""

    strip: tuple[int, int, int]
    told: tuple[int, int, int]
    """What to do now."""
    ahead: tuple[int, int, int]
    """What the next sun brings."""
    rivals: tuple[int, int, int]
    stock: tuple[int, int]
    grown: float
    """How much larger the stock is."""


def own_strip(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the viewer: points, light. While another player is to move, that player stands there, and is named in
    larger type; the viewer follows below, in place of what there is to do.
    """
    seat, mover = view.viewer, view.to_move
    assert seat is not None
    if mover is None or mover == seat:
        _own(page, view, labels, seat, desk.strip, lit=mover == seat)
        return
    acts = Score(0, 0, labels.say("picture.to_play" if view.round else "picture.to_place"))
    place_strip(page, labels, mover, desk.strip, "turn", acts, (), tokens=first_token(view, mover, 44), most=MOVER)
    _own(page, view, labels, seat, desk.told, lit=False)


MOVER, OWN_DISC = 48, (76, 92)
"""The size of the name of the player whose turn it is, in another's picture, and of the viewer's disc: while they wait,
and in their turn.
"""


def _own(
    page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int], *, lit: bool
) -> None:
    """Place the viewer: "You", points, light. `box`: left, top, width. `lit`: it is their turn."""
    x, y, width = box
    size, gap = (OWN_DISC[1], 6) if lit else (OWN_DISC[0], 10)
    if lit:
        page.shade(x, y, width, STRIP_HEIGHT, STRIP_HEIGHT // 2, 10, 150)
        page.place(_brass(width, STRIP_HEIGHT), x, y)
    else:
        page.shade(x, y, width, STRIP_HEIGHT, STRIP_HEIGHT // 2, 2, 178, chrome.NIGHT, 0)
    ink = theme.INK if lit else theme.CREAM
    page.place(disc(labels, seat, size), x + gap, y + STRIP_HEIGHT / 2, "lm")
    for token in first_token(view, seat, 44):
        page.place(token, x + size, y + STRIP_HEIGHT - 22, "mm")
    at, end = x + gap + size + 12, x + width - 16
    page.text(at, y + 34, labels.say("picture.you"), chrome.NAME, ink, end - at)
    points = labels.count("points", view.scores[seat])
    at += 18 + page.text(at, y + 76, points, theme.SMALL, ink, end - at - 100)
    page.place(coin(44, ""), at, y + 76, "lm")
    light = f"{view.light[seat]}/{MOST_LIGHT}" if lit else str(view.light[seat])
    page.text(at + 50, y + 76, light, theme.SMALL, ink, end - at - 40)


AHEAD_HEIGHT = 52


def ahead(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the light that the next sun brings the viewer."""
    seat = view.viewer
    assert seat is not None
    x, y, width = desk.ahead
    page.shade(x, y, width, AHEAD_HEIGHT, AHEAD_HEIGHT // 2, 2, 178, chrome.NIGHT, 0)
    if not view.forecast:
        page.text(x + 24, y + AHEAD_HEIGHT // 2, labels.say("picture.no_next"), theme.SMALL, theme.CREAM, width - 40)
        return
    page.place(coin(48, ""), x + 4, y + AHEAD_HEIGHT / 2, "lm")
    light = f"+{next_light(view, seat)[0]}"
    wide = page.text(x + 58, y + AHEAD_HEIGHT // 2, light, 44, theme.BRASS_LIGHT, 90)
    page.text(x + 70 + wide, y + AHEAD_HEIGHT // 2 + 2, labels.say("picture.next"), theme.SMALL, theme.CREAM,
              width - 90 - wide)  # fmt: skip


RIVALS_HEIGHT, RIVAL_GAP, MOST_RIVAL = 176, 6, 88
"""The height of all rivals together, the gap between two, and the most that one has with it."""
TWO_LINES = 76
"""The height from which a rival has two lines, and says in words what its numbers are."""
HEADS = 38
"""The height of the heads over the columns of rivals with one line."""
LIGHT_AT, POINTS_AT = 80, 18
"""The middle of the light from the left of a rival with one line, and the right end of the heads and points."""


def rivals(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk) -> None:
    """Place the other players below each other, in the order of play from the viewer on: disc, light, points."""
    assert view.viewer is not None
    x, y, width = desk.rivals
    step = min(MOST_RIVAL, (RIVALS_HEIGHT + RIVAL_GAP) // (view.seats - 1))
    if step - RIVAL_GAP < TWO_LINES:
        y -= RIVAL_GAP
        page.shade(x, y, width, HEADS, HEADS // 2, 2, 178, chrome.NIGHT, 0)
        middle, end = y + HEADS // 2, x + width - POINTS_AT + 8
        page.text(x + LIGHT_AT, middle, labels.say("picture.light"), theme.SMALL, theme.BRASS_LIGHT, 90, "mm")
        page.text(end, middle, labels.say("picture.points"), theme.SMALL, theme.BRASS_LIGHT, 118, "rm")
        y, step = y + HEADS + 4, (RIVALS_HEIGHT - HEADS + 2 * RIVAL_GAP - 4) // (view.seats - 1)
    for number in range(1, view.seats):
        seat = (view.viewer + number) % view.seats
        _rival(page, view, labels, seat, (x, y + (number - 1) * step, width, step - RIVAL_GAP))


def _rival(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    x, y, width, height = box
    middle = y + height / 2
    lit = turn_of(view, seat) == "turn"
    if lit:
        page.place(_brass(width, height), x, y)
    else:
        page.shade(x, y, width, height, height // 2, 2, 178, chrome.NIGHT, 0)
    ink = theme.INK if lit else theme.CREAM
    size = min(height + 4, 58)
    page.place(disc(labels, seat, size), x + 4, middle, "lm")
    for token in first_token(view, seat, size // 2):
        page.place(token, x + 8, middle + size // 3, "mm")
    light, points = view.light[seat], view.scores[seat]
    if height >= TWO_LINES:
        left, room = x + size + 12, width - size - 14
        for key, number, line in (("light", light, middle - 18), ("points", points, middle + 20)):
            text = labels.count(key, number)
            page.text(left, line, text if lettering.width(text, theme.SMALL) <= room else str(number), theme.SMALL, ink,
                      room)  # fmt: skip
        return
    page.text(x + LIGHT_AT, middle, str(light), theme.SMALL, ink, 60, "mm")
    page.text(x + width - POINTS_AT, middle, str(points), theme.SMALL, ink, 90, "rm")


@sprite
def _brass(width: int, height: int) -> Pixels:
    """The bar of the player whose turn it is."""
    pen = Pen(width, height)
    r = height / 2
    pen.box(0, 0, width, height, r, theme.BRASS_DARK)
    pen.box(2, 2, width - 2, height - 4, r - 3, theme.BRASS)
    return pen.pixels()


STOCK_SIZE = (322, 268)
"""The viewer's stock, if it is not grown."""
STOCK_HEAD, STOCK_ROW = 46, 54
HAND_AT, SHOP_AT = 104, 142
"""The middle of the numbers in hand, and the left end of the spaces, from the left of the stock."""
SLOT = 43


def stock(page: Page, view: PhotosynthesisView, labels: Labels, desk: Desk, step: Step) -> None:
    """Place the viewer's pieces: by kind, how many are in hand, and the spaces of the player board with prices."""
    seat, (x, y), k = view.viewer, desk.stock, desk.grown
    assert seat is not None
    page.shade(x, y, round(STOCK_SIZE[0] * k), round(STOCK_SIZE[1] * k), theme.CORNER)
    page.place(
        plate(round(STOCK_SIZE[0] * k), round(STOCK_SIZE[1] * k), PLATES[seat], turn_of(view, seat) == "turn"), x, y
    )
    size = max(theme.SMALL, round(theme.SMALL * (1 + (k - 1) * 0.5)))
    head = y + round(STOCK_HEAD * k / 2) + 2
    middle = round((SHOP_AT - 8) * k)
    page.text(x + middle - round(10 * k), head, labels.say("picture.in_hand"), size, theme.INK, middle - 16, "rm")
    page.text(x + middle + round(14 * k), head, labels.say("picture.for_sale"), size, theme.INK, middle, "lm")
    page.place(_fold(round((STOCK_SIZE[1] - 24) * k)), x + middle, y + round(STOCK_SIZE[1] * k / 2), "mm")
    buyable = {move.kind for move in step.moves if isinstance(move, Buy)} if step.kind == BUY else set()
    for height, kind in enumerate(KINDS):
        _row(
            page, view, seat, height, (x, y + round((STOCK_HEAD + STOCK_ROW * (height + 0.5)) * k)), k, kind in buyable
        )


def _row(
    page: Page, view: PhotosynthesisView, seat: int, height: int, at: tuple[int, int], k: float, is_lit: bool
) -> None:
    """Place a kind: the number in hand, and the spaces of the board, the next piece for sale on the left."""
    x, y = at
    spaces, left = PRICES[height], view.player_boards[seat][height]
    if is_lit:
        start = x + round((SHOP_AT + SLOT * (len(spaces) - left) - 1) * k)
        page.shade(start, y - round(25 * k), round(42 * k), round(50 * k), 12, 8, 255, theme.BRASS_DARK, 0)
    number = view.hands[seat][height]
    page.place(sized_piece(seat, height, round(ICONS[height] * k * 0.94)), x + 42 * k, y, "mm")
    page.text(x + HAND_AT * k, y, str(number), round(50 * k), theme.INK if number else theme.INK_SOFT, 80, "mm")
    for i, price in enumerate(spaces):
        state = "empty" if i < len(spaces) - left else "filled"
        if i == len(spaces) - left:
            state = "next" if price <= view.light[seat] else "dear"
        page.place(slot(price, state, seat, round(100 * k)), x + (SHOP_AT + SLOT * i) * k, y, "lm")


@sprite
def _fold(height: int) -> Pixels:
    """The line between what is in hand and what is for sale."""
    pen = Pen(4, height)
    pen.box(0, 0, 4, height, 2, FAINT)
    return pen.pixels()


@sprite
def slot(price: int, state: str, seat: int, parts: int) -> Pixels:
    """A space of the viewer's player board: "empty", "filled", or if its piece is sold next, "next" or "dear": the
    viewer can pay it or not.
    """
    width, height = 40 * parts // 100, 48 * parts // 100
    pen = Pen(width, height)
    if state == "empty":
        pen.box(1, 1, width - 1, height - 1, 9, HOLLOW, FAINT, 2.5)
        return pen.pixels()
    if state == "dear":
        pen.box(1, 1, width - 1, height - 1, 9, PAPER, FAINT, 2.5)
        pen.text(width / 2, height / 2, str(price), theme.SMALL * parts / 100, theme.INK_SOFT, lettering.TEXT)
        return pen.pixels()
    rim = theme.BRASS_DARK if state == "next" else TONES[seat].line
    pen.box(0, 0, width, height, 10, rim)
    inset = 4 if state == "next" else 2.5
    face = SUN if state == "next" else mix(PAPER, TONES[seat].light, 0.5)
    pen.box(inset, inset, width - inset, height - inset, 7, face)
    pen.text(width / 2, height / 2, str(price), theme.SMALL * parts / 100, theme.INK, lettering.TEXT)
    return pen.pixels()
