"""The players' boards of Photosynthesis: a plate for each, and the viewer's own, which is larger."""

from __future__ import annotations

from PIL import Image

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import plate
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import CAPITALS, Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.core.theme import Plate
from rendering.photosynthesis.forest import PEAT, SUN, SUN_EDGE, coin, points_plate
from rendering.photosynthesis.narration import next_light
from rendering.photosynthesis.steps import BUY, Step
from rendering.photosynthesis.trees import TONES, sized_piece
from rules.photosynthesis import KINDS, MOST_LIGHT, PRICES, Buy, PhotosynthesisView

PLATE = Plate((246, 237, 210), (112, 92, 58), (166, 142, 94), theme.INK, theme.INK_SOFT)
HOLLOW = mix(PLATE.face, PEAT, 0.2)
FAINT = mix(PLATE.face, PEAT, 0.42)

TALL = 158
"""Height of a player's plate on the table."""
OWN = 218
"""Height of the viewer's own board."""
OTHER = 108
"""Height of another player's plate in the viewer's picture."""
COLUMN_GAP = 46
"""The distance from one kind's column of the viewer's board to the next."""
ICONS = (88, 72, 60, 50)
"""Pieces beside a number, by height: hundredths of their size on the board."""


# Parts of plates


@sprite
def pips(height: int, left: int, seat: int) -> Pixels:
    """The spaces of a player board's column; a filled space is a piece for sale."""
    spaces = len(PRICES[height])
    pen = Pen(13 * spaces + 1, 14)
    for i in range(spaces):
        x = 7 + 13 * i
        pen.disc(x, 7, 6, TONES[seat].line)
        pen.disc(x, 7, 4, TONES[seat].base if i >= spaces - left else PLATE.face)
    return pen.pixels()


@sprite
def slot(price: int, state: str, seat: int) -> Pixels:
    """A space of the viewer's player board: "empty", "filled", or "next" (the piece that is sold next)."""
    width, height = 44, 54
    pen = Pen(width, height)
    if state == "empty":
        pen.box(1, 1, width - 1, height - 1, 9, HOLLOW, FAINT, 2.5)
        return pen.pixels()
    rim = theme.BRASS_DARK if state == "next" else TONES[seat].line
    pen.box(0, 0, width, height, 10, rim)
    inset = 4 if state == "next" else 2.5
    face = SUN if state == "next" else mix(PLATE.face, TONES[seat].light, 0.5)
    pen.box(inset, inset, width - inset, height - inset, 7, face)
    pen.text(width / 2, height / 2, str(price), theme.SMALL, theme.INK, lettering.TEXT)
    return pen.pixels()


def _points(view: PhotosynthesisView, labels: Labels, seat: int) -> Sprite:
    return points_plate(labels.count("pts", view.scores[seat]))


def _first_token(page: Page, size: int, x: float, y: float) -> None:
    """Place the first player's token at the lower left of a disc, beside its initials; x, y and `size` are the disc's
    left edge, its middle and its width.
    """
    page.place(chrome.token(emblems.sun, 40, theme.CREAM, SUN_EDGE), x + size * 0.08, y + size * 0.42, "mm")


def _light(page: Page, x: float, y: float, light: int, size: int, type_size: int) -> None:
    """Place a sun and a player's light; x is their right end."""
    wide = page.text(x, y, str(light), type_size, theme.INK, 120, "rm")
    page.place(coin(size, ""), x - wide - 8, y, "rm")


def frame(page: Page, box: tuple[int, int, int, int], is_lit: bool) -> None:
    """Place a plate, which glows if it is that player's turn or win."""
    x, y, width, height = box
    if is_lit:
        page.shade(x - 2, y - 2, width + 4, height + 4, theme.CORNER, 9, 255, theme.BRASS_LIGHT, 0)
    page.place(plate(width, height, PLATE, is_lit), x, y)


def _is_lit(view: PhotosynthesisView, seat: int) -> bool:
    return seat in view.outcome.winners if view.outcome else seat == view.to_move


def _name(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, x: float, y: float, room: int) -> None:
    """Place the player's disc, the first player's token, the name."""
    page.place(disc(labels, seat, 60), x, y, "lm")
    if seat == view.first and not view.outcome:
        _first_token(page, 60, x, y)
    page.text(x + 72, y, short_name(labels, seat, theme.BODY, room - 72), theme.BODY, theme.INK, room - 72)


def player_plate(
    page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int, int]
) -> None:
    """Place a player: name, light, points; below them, by kind, the hand, the pieces for sale and their prices."""
    x, y, width, _ = box
    frame(page, box, _is_lit(view, seat))
    points = _points(view, labels, seat)
    page.place(points, x + width - 12, y + 40, "rm")
    end = width - 12 - points.size[0] - 14
    _light(page, x + end, y + 40, view.light[seat], 46, 42)
    step = (width - 20) / 4
    for height in range(4):
        held = view.hands[seat][height], view.player_boards[seat][height], view.prices[seat][height]
        page.place(_stock(seat, height, *held), x + 12 + step * height, y + 112, "lm")
    _name(page, view, labels, seat, x + 16, y + 40, end - 16 - 106)


@sprite
def _stock(seat: int, height: int, in_hand: int, for_sale: int, price: int | None) -> Pixels:
    """A kind on a plate: the number in hand, the number for sale, and the price of the next (None: none for sale)."""
    image = Image.new("RGB", (136, 66), PLATE.face)

    def lay(part: Sprite, x: int, y: int) -> None:
        image.paste(part.image, (x - part.size[0] // 2, y - part.size[1] // 2), part.alpha)

    def write(text: str, left: int, middle: int, size: int, tone: Colour) -> None:
        mask = lettering.mask(text, size, lettering.TEXT)
        top = round(middle - lettering.baseline(size) + size * CAPITALS / 2)
        image.paste(tone, (left, top, left + mask.width, top + mask.height), mask)

    lay(sized_piece(seat, height, ICONS[height]), 24, 33)
    write(str(in_hand), 50, 33, 42, theme.INK if in_hand else theme.INK_SOFT)
    if price is not None:
        lay(coin(30, ""), 96, 20)
        write(str(price), 113, 20, theme.SMALL, theme.INK)
    lay(pips(height, for_sale, seat), 107, 53)
    return Pixels(image, Image.new("L", image.size, 255))


@sprite
def _rule(height: int) -> Pixels:
    pen = Pen(3, height)
    pen.box(0.5, 0, 2.5, height, 1, HOLLOW)
    return pen.pixels()


# The viewer's board

LIGHT_LINE, NEXT_LINE, POINTS_LINE, HAND_LINE, PRICE_LINE = 44, 112, 178, 64, 161
"""The middles of its lines, from its upper edge: the light, the light next round, the points, the hand, the prices."""


def own_board(page: Page, view: PhotosynthesisView, labels: Labels, step: Step, y: int) -> None:
    """Place the viewer's light now and next round, points, hand, and player board space by space."""
    seat = view.viewer
    assert seat is not None
    x, width = theme.MARGIN, WIDTH - 2 * theme.MARGIN
    frame(page, (x, y, width, OWN), _is_lit(view, seat))
    page.place(coin(60, ""), x + 20, y + LIGHT_LINE, "lm")
    wide = page.text(x + 100, y + LIGHT_LINE, str(view.light[seat]), 60, theme.INK, 110)
    page.text(x + 106 + wide, y + LIGHT_LINE + 6, f"/{MOST_LIGHT}", theme.SMALL, theme.INK_SOFT, 70)
    if view.forecast:
        page.place(coin(70, f"+{next_light(view, seat)[0]}"), x + 15, y + NEXT_LINE, "lm")
        page.text(x + 100, y + NEXT_LINE, labels.say("picture.next"), theme.SMALL, theme.INK, 236)
    else:
        page.text(x + 20, y + NEXT_LINE, labels.say("picture.no_next"), theme.SMALL, theme.INK_SOFT, 310)
    page.place(_points(view, labels, seat), x + 20, y + POINTS_LINE, "lm")
    buyable = {move.kind for move in step.moves if isinstance(move, Buy)} if step.kind == BUY else set()
    if seat == view.first:
        page.place(chrome.token(emblems.sun, 54, theme.CREAM, SUN_EDGE), x + 330, y + POINTS_LINE, "rm")
    for (height, kind), left in zip(enumerate(KINDS), column_edges(), strict=True):
        _column(page, view, seat, height, left, y, kind in buyable)


def column_edges() -> list[float]:
    """Return the left edge of each kind's column on the viewer's board."""
    widths = [48 * len(prices) + COLUMN_GAP for prices in PRICES]
    return [theme.MARGIN + 370 + sum(widths[:height]) for height in range(len(KINDS))]


def _column(page: Page, view: PhotosynthesisView, seat: int, height: int, x: float, y: int, is_lit: bool) -> None:
    """Place a kind: the number in hand; below it the spaces of the board, the next piece for sale on the left."""
    spaces, left = PRICES[height], view.player_boards[seat][height]
    wide = 48 * len(spaces) - 4
    if is_lit:
        page.shade(round(x) - 4, y + 122, wide + 8, 66, 12, 8, 255, theme.BRASS, 0)
    page.place(_rule(170), x - COLUMN_GAP / 2 - 2, y + OWN / 2, "mm")
    number = view.hands[seat][height]
    page.place(sized_piece(seat, height, ICONS[height] * 3 // 2), x + wide / 2 - 26, y + 64, "mm")
    page.text(x + wide / 2 + 24, y + 66, str(number), 58, theme.INK if number else theme.INK_SOFT, 60)
    for i, price in enumerate(spaces):
        state = "empty" if i < len(spaces) - left else "next" if i == len(spaces) - left else "filled"
        page.place(slot(price, state, seat), x + 48 * i, y + 128)


def other_plate(
    page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int, int]
) -> None:
    """Place another player in the viewer's picture: name, light, points; in two lines if there is little room."""
    x, y, width, height = box
    frame(page, box, _is_lit(view, seat))
    middle = y + height // 2 - 2
    upper = lower = middle
    if narrow := width < 500:
        upper, lower = middle - 25, middle + 23
    page.place(disc(labels, seat, 64), x + 12, middle, "lm")
    if seat == view.first:
        _first_token(page, 64, x + 12, middle)
    tree = sized_piece(seat, 3, 38 if narrow else 50)
    page.place(tree, x + 86, upper, "lm")
    points = _points(view, labels, seat)
    page.place(points, x + width - 10, lower, "rm")
    end = width - 10 - points.size[0] - 14
    if narrow:
        page.place(coin(36, ""), x + 86, lower, "lm")
        page.text(x + 128, lower, str(view.light[seat]), theme.SMALL, theme.INK, 60)
    else:
        _light(page, x + end, middle, view.light[seat], 42, 38)
    at = 94 + tree.size[0]
    room = (width - 12 if narrow else end - 96) - at
    page.text(x + at, upper, short_name(labels, seat, theme.SMALL, room), theme.SMALL, theme.INK, room)
