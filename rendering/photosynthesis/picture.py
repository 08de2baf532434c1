"""Photosynthesis on the table: a forest on a clearing, the sun at its corner, the players' boards below.

The table of an onlooker has a plate for each player: light, points, hand, and what its board sells at which price. A
seat's picture has its own board large, with the light to come, and while it chooses, what may be chosen is lit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import plate
from rendering.core.labels import Labels
from rendering.core.png import SMALL
from rendering.core.sprites import CAPITALS, Colour, Pen, Pixels, Sprite, curve, mix, sprite
from rendering.core.theme import Plate
from rendering.core.words import ALT_TEXT, drawn_name, within
from rendering.photosynthesis import forest, trees
from rendering.photosynthesis.aims import BUY, GROW, PLANT, Aim, aim, cost, legal, token_at
from rendering.photosynthesis.forest import PEAT, SUN, WOOD, coin, worth
from rendering.photosynthesis.trees import TONES, crisp, sized_piece
from rendering.photosynthesis.words import last_text, next_light, revolution, turn_words
from rules.core.game import Seat
from rules.photosynthesis import GAME, KINDS, MOST_LIGHT, PRICES, Buy, Collect, End, PhotosynthesisView, Plant

SLUG = "photosynthesis"

PLATE = Plate((246, 237, 210), (112, 92, 58), (166, 142, 94), theme.INK, theme.INK_SOFT)
HOLLOW = mix(PLATE.face, PEAT, 0.2)
FAINT = mix(PLATE.face, PEAT, 0.42)
GLOWS = tuple(mix(WOOD, theme.BRASS_LIGHT, part / 7) for part in range(1, 7))
COLOURS = (*theme.COLOURS, PLATE.face, PLATE.edge, HOLLOW, *trees.COLOURS, *forest.COLOURS, *GLOWS)
"""What the palette has exactly."""
PALETTE_SIZE = 132

BOARD_HEIGHT = 900
TALL = 158
"""A player's plate."""
OWN = 218
OTHER = 92
COLUMN_GAP = 46
ICONS = (88, 72, 60, 50)
"""Pieces beside a number, by height: hundredths of their size on the board."""


# Pieces of plates


@sprite
def pips(height: int, left: int, seat: int) -> Pixels:
    """The spaces of a player board's column, as many filled as pieces are for sale."""
    spaces = len(PRICES[height])
    pen = Pen(13 * spaces + 1, 14)
    for i in range(spaces):
        x = 7 + 13 * i
        pen.disc(x, 7, 6, TONES[seat].line)
        pen.disc(x, 7, 4, TONES[seat].base if i >= spaces - left else PLATE.face)
    return crisp(pen)


@sprite
def slot(price: int, state: str, seat: int) -> Pixels:
    """A space of the own player board: "empty", "filled", or "next", the one that is sold next."""
    width, height = 44, 54
    pen = Pen(width, height)
    if state == "empty":
        pen.box(1, 1, width - 1, height - 1, 9, HOLLOW, FAINT, 1.5)
        pen.text(width / 2, height / 2, str(price), 29, FAINT, lettering.TEXT)
        return crisp(pen)
    rim = theme.BRASS_DARK if state == "next" else TONES[seat].line
    pen.box(0, 0, width, height, 10, rim)
    inset = 4 if state == "next" else 2.5
    face = SUN if state == "next" else mix(PLATE.face, TONES[seat].light, 0.5)
    pen.box(inset, inset, width - inset, height - inset, 7, face)
    pen.text(width / 2, height / 2, str(price), 33, theme.INK, lettering.TEXT)
    return crisp(pen)


def _light(page: Page, x: float, y: float, light: int, size: int, type_size: int) -> None:
    """A sun and the light a player has, ending there."""
    wide = page.text(x, y, str(light), type_size, theme.INK, 120, "rm")
    page.place(coin(size, ""), x - wide - 8, y, "rm")


def _frame(page: Page, box: tuple[int, int, int, int], is_lit: bool) -> None:
    """A plate, glowing where it is that player's turn or win."""
    x, y, width, height = box
    if is_lit:
        page.shade(x - 2, y - 2, width + 4, height + 4, theme.CORNER, 9, 255, theme.BRASS_LIGHT, 0)
    page.place(plate(width, height, PLATE, is_lit), x, y)


def _is_lit(view: PhotosynthesisView, seat: int) -> bool:
    return seat in view.outcome.winners if view.outcome else seat == view.to_move


def _name(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, x: float, y: float, room: int) -> None:
    """The variety's tree, the first player's "1", the name."""
    page.place(sized_piece(seat, 3, 48), x, y, "lm")
    at = x + 54
    if seat == view.first and not view.outcome:
        page.place(emblems.numbered(38, "1"), at, y, "lm")
        at += 46
    page.text(at, y, drawn_name(labels, seat), theme.BODY, theme.INK, round(x + room - at))


def _plate(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """A player: name, light, points; below by kind the hand, and what its board sells at which price."""
    x, y, width, _ = box
    _frame(page, box, _is_lit(view, seat))
    page.place(worth(70, str(view.scores[seat])), x + width - 12, y + 40, "rm")
    _light(page, x + width - 96, y + 40, view.light[seat], 50, 42)
    _name(page, view, labels, seat, x + 16, y + 40, width - 236)
    step = (width - 20) / 4
    for height in range(4):
        held = view.hands[seat][height], view.player_boards[seat][height], view.prices[seat][height] or 0
        page.place(_stock(seat, height, *held), x + 12 + step * height, y + 112, "lm")


@sprite
def _stock(seat: int, height: int, in_hand: int, for_sale: int, price: int) -> Pixels:
    """A kind on a plate: how many are in hand, how many for sale, and the price of the next (0: none)."""
    image = Image.new("RGB", (136, 66), PLATE.face)

    def lay(part: Sprite, x: int, y: int) -> None:
        image.paste(part.image, (x - part.size[0] // 2, y - part.size[1] // 2), part.cover)

    lay(sized_piece(seat, height, ICONS[height]), 24, 33)
    number = lettering.mask(str(in_hand), 42, lettering.TEXT)
    corner = 50, round(33 - lettering.baseline(42) + 42 * CAPITALS / 2)
    tone = theme.INK if in_hand else FAINT
    image.paste(tone, (*corner, corner[0] + number.width, corner[1] + number.height), number)
    if price:
        lay(coin(40, str(price)), 107, 20)
    lay(pips(height, for_sale, seat), 107, 53)
    return Pixels(image, Image.new("L", image.size, 255))


@sprite
def _rule(height: int) -> Pixels:
    pen = Pen(3, height)
    pen.box(0.5, 0, 2.5, height, 1, HOLLOW)
    return crisp(pen)


# The own board


def _own(page: Page, view: PhotosynthesisView, labels: Labels, step: Aim, y: int) -> None:
    """The viewer's light, what it will be, its points; its hand, and its player board space by space."""
    seat = view.viewer
    assert seat is not None
    x, width = theme.MARGIN, WIDTH - 2 * theme.MARGIN
    _frame(page, (x, y, width, OWN), _is_lit(view, seat))
    page.place(coin(78, ""), x + 18, y + 58, "lm")
    wide = page.text(x + 106, y + 58, str(view.light[seat]), 68, theme.INK, 110)
    page.text(x + 112 + wide, y + 66, f"/{MOST_LIGHT}", theme.SMALL, theme.INK_SOFT, 70)
    page.place(worth(80, str(view.scores[seat])), x + 334, y + 56, "rm")
    if view.forecast:
        page.place(coin(60, f"+{next_light(view, seat)[0]}"), x + 26, y + 152, "lm")
        page.text(x + 100, y + 152, labels.say("picture.next"), theme.SMALL, theme.INK, 170)
    else:
        page.text(x + 26, y + 152, labels.say("picture.no_next"), theme.SMALL, theme.INK_SOFT, 290)
    buyable = {move.kind for move in step.moves if isinstance(move, Buy)} if step.kind == BUY else set()
    if seat == view.first:
        page.place(emblems.numbered(44, "1"), x + 330, y + 152, "rm")
    left: float = x + 370
    for height, kind in enumerate(KINDS):
        _column(page, view, seat, height, left, y, kind in buyable)
        left += 48 * len(PRICES[height]) + COLUMN_GAP


def _column(page: Page, view: PhotosynthesisView, seat: int, height: int, x: float, y: int, is_lit: bool) -> None:
    """A kind: how many in hand, and below the spaces of the board, the next one to be sold on the left of the rest."""
    spaces, left = PRICES[height], view.player_boards[seat][height]
    wide = 48 * len(spaces) - 4
    if is_lit:
        page.shade(round(x) - 4, y + 122, wide + 8, 66, 12, 8, 255, theme.BRASS, 0)
    page.place(_rule(170), x - COLUMN_GAP / 2 - 2, y + OWN / 2, "mm")
    number = view.hands[seat][height]
    page.place(sized_piece(seat, height, ICONS[height] * 3 // 2), x + wide / 2 - 26, y + 64, "mm")
    page.text(x + wide / 2 + 24, y + 66, str(number), 58, theme.INK if number else FAINT, 60)
    for i, price in enumerate(spaces):
        state = "empty" if i < len(spaces) - left else "next" if i == len(spaces) - left else "filled"
        page.place(slot(price, state, seat), x + 48 * i, y + 128)


def _other(page: Page, view: PhotosynthesisView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """Another player in the viewer's picture: name, light, points."""
    x, y, width, height = box
    _frame(page, box, _is_lit(view, seat))
    middle = y + height // 2 - 2
    page.place(worth(64, str(view.scores[seat])), x + width - 10, middle, "rm")
    _light(page, x + width - 84, middle, view.light[seat], 42, 38)
    page.place(sized_piece(seat, 3, 48), x + 10, middle - 4, "lm")
    if seat == view.first:
        page.place(emblems.numbered(32, "1"), x + 34, middle + 22, "lm")
    page.text(x + 70, middle, drawn_name(labels, seat), theme.SMALL, theme.INK, width - 70 - 186)


# The board's corners


def _heading(page: Page, view: PhotosynthesisView, labels: Labels, step: Aim) -> None:
    """Round and revolution on the left; on the right whose turn it is, and what a choice costs."""
    key = "finished" if view.outcome else "round" if view.round else "setup"
    title = labels.say(f"picture.{key}", round=view.round, rounds=view.rounds)
    page.text(theme.MARGIN, 46, title, 42, theme.CREAM, 262)
    lines = [labels.say("picture.revolution", number=revolution(view), revolutions=view.revolutions)]
    if view.shade:
        lines.append(labels.say("picture.shade"))
    for number, line in enumerate(lines):
        page.text(theme.MARGIN, 96 + 44 * number, line, theme.SMALL, mix(WOOD, theme.CREAM, 0.8), 262 - 30 * number)
    (first, colour), *rest = _status(view, labels, step)
    page.text(WIDTH - theme.MARGIN, 46, first, 42, colour, 262, "rm")
    for number, (line, colour) in enumerate(rest):
        page.text(WIDTH - theme.MARGIN, 96 + 44 * number, line, theme.SMALL, colour, 262 - 30 * number, "rm")


def _status(view: PhotosynthesisView, labels: Labels, step: Aim) -> list[tuple[str, Colour]]:
    """Whose turn it is, who has won, or what is being chosen: up to three short lines."""
    soft = mix(WOOD, theme.CREAM, 0.8)
    if view.outcome:
        names = [drawn_name(labels, seat) for seat in sorted(view.outcome.winners)]
        key = "picture.wins" if len(names) == 1 else "picture.win"
        return [(", ".join(names), theme.BRASS_LIGHT), (labels.say(key), soft)]
    assert view.to_move is not None
    if view.to_move != view.viewer:
        name = drawn_name(labels, view.to_move)
        return [(name, theme.CREAM), (labels.say("picture.to_play" if view.round else "picture.to_place"), soft)]
    if not view.round:
        return [(labels.say("picture.your_place"), theme.BRASS_LIGHT), (labels.say("picture.at_edge"), soft)]
    if not step.kind or not step.moves:
        return [(labels.say("picture.your_turn"), theme.BRASS_LIGHT)]
    lines = [(labels.say(f"picture.what_{step.kind}"), theme.BRASS_LIGHT)]
    costs = {cost(view, move) for move in step.moves}
    if len(costs) == 1:
        (spent,) = costs
        left = view.light[view.to_move] - spent
        lines.append((labels.say("picture.costs", light=spent, left=left), soft))
    elif step.kind == GROW:
        lines.append((labels.say("picture.cost_shown"), soft))
    return lines


# The pictures


def _choosing(view: PhotosynthesisView, step: Aim) -> tuple[dict[str, str] | None, frozenset[str]]:
    """What the board shows lit, with what it costs or brings, and what is chosen already."""
    if not step.lit:
        return None, frozenset()
    shown = {}
    for hex_, move in step.lit:
        if step.kind == GROW:
            shown[hex_] = str(cost(view, move))
        elif isinstance(move, Collect):
            shown[hex_] = f"+{token_at(view, hex_).points}"
        else:
            shown[hex_] = ""
    return shown, frozenset([step.origin] if step.kind == PLANT and step.origin else [])


def paint(view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """The picture before it becomes a file."""
    own = view.viewer is not None and view.outcome is None
    step = aim(legal(view), focus)
    rows = (view.seats + 1) // 2
    below = OWN + theme.GAP + OTHER if own else rows * TALL + (rows - 1) * theme.GAP
    page = Page(SLUG, BOARD_HEIGHT + below + theme.MARGIN, forest.floor, level=SMALL)
    _heading(page, view, labels, step)
    forest.sunlight(page, view.sun)
    forest.board(page, view, *_choosing(view, step))
    forest.piles(page, view)
    if own:
        _own(page, view, labels, step, BOARD_HEIGHT)
        _others(page, view, labels)
    else:
        _table(page, view, labels)
    return page


def _table(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """The players' plates, two in a row."""
    wide = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    for seat in range(view.seats):
        row, column = divmod(seat, 2)
        x = theme.MARGIN + column * (wide + theme.GAP)
        if seat == view.seats - 1 and column == 0:
            x = (WIDTH - wide) // 2
        _plate(page, view, labels, seat, (x, BOARD_HEIGHT + row * (TALL + theme.GAP), wide, TALL))


def _others(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """The other players in a row, from the viewer's left."""
    assert view.viewer is not None
    others = view.seats - 1
    wide = (WIDTH - 2 * theme.MARGIN - (others - 1) * theme.GAP) // others
    for number in range(others):
        seat = (view.viewer + 1 + number) % view.seats
        x = theme.MARGIN + number * (wide + theme.GAP)
        _other(page, view, labels, seat, (x, BOARD_HEIGHT + OWN + theme.GAP, wide, OTHER))


def draw(view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> bytes:
    """The forest with the players' boards, or with the viewer's own."""
    return paint(view, labels, focus).png()


# Cover


def _hill(width: int, height: int) -> Image.Image:
    """Hills in the evening sun."""
    sky, x, y = (250, 206, 128), 1990, 540
    image = Image.new("RGB", (width * 2, height * 2), sky)
    pen = ImageDraw.Draw(image)
    for i in range(18):
        angle = math.radians(20 * i + 6)
        points = [(x + 2400 * math.cos(angle + t), y + 2400 * math.sin(angle + t)) for t in (-0.08, 0.08)]
        pen.polygon([(x, y), *points], (255, 224, 156))
    for radius, tone in ((168, (255, 232, 172)), (128, SUN)):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), tone)
    for top, lift, tone in ((680, 90, (146, 158, 92)), (830, -70, (104, 136, 74)), (960, 60, WOOD)):
        line = curve(
            (0, top), (width * 0.7, top - lift * 3), (width * 1.3, top + lift * 2), (width * 2, top - lift / 2)
        )
        pen.polygon([*line, (width * 2, height * 2), (0, height * 2)], tone)
    return image.reduce(2)


def paint_cover(labels: Labels) -> Page:
    """The title over the four varieties on a hill."""
    page = Page(SLUG, 640, _hill)
    at = ((1, 3, 150, 568, 240), (3, 2, 306, 596, 230), (0, 3, 470, 586, 290), (2, 2, 640, 604, 240),
          (1, 1, 772, 596, 190), (3, 3, 890, 596, 250), (0, 1, 1018, 606, 190), (2, 3, 1110, 590, 210))  # fmt: skip
    for seat, height, x, y, parts in at:
        page.place(_long_shadow(parts), x + 8, y - 6, "rt")
        page.place(sized_piece(seat, height, parts), x, y + 8, "mb")
    page.text(600, 88, labels.say("game.title"), 122, theme.INK, 1150, "mm", lettering.DISPLAY)
    page.text(600, 176, labels.say("game.tagline"), theme.BODY, PEAT, 1150, "mm")
    return page


@sprite
def _long_shadow(size: int) -> Pixels:
    """A tree's shadow on the hill, away from the sun."""
    pen = Pen(size, 40)
    pen.polygon(
        [(size, 2), (size, 14), (size * 0.5, 34), (size * 0.1, 38), (0, 30), (size * 0.3, 16)],
        mix(WOOD, (0, 0, 0), 0.4),
    )
    return pen.pixels()


def cover(labels: Labels) -> bytes:
    """The picture of a lobby."""
    return paint_cover(labels).png()


# The last turn


def paint_last(view: PhotosynthesisView, labels: Labels) -> Page | None:
    """The board with the hexes of the last turn marked, its actions below, and what the sun paid this round."""
    turn = view.last_turn
    if turn is None:
        return None
    told = turn_words(view, labels, [text for text in turn.moves if text != str(End(turn.seat))])
    rows = max(1, -(-len(told) // 2))
    tall = 84 + 46 * rows + (62 if view.sunlight else 0)
    page = Page(SLUG, BOARD_HEIGHT + tall + theme.MARGIN, forest.floor, level=SMALL)
    _heading(page, view._replace(viewer=None), labels, aim((), ()))
    forest.sunlight(page, view.sun)
    forest.board(page, view._replace(activated=()), None, _touched(turn.moves))
    forest.piles(page, view)
    x, y = theme.MARGIN, BOARD_HEIGHT
    _frame(page, (x, y, WIDTH - 2 * x, tall), False)
    page.place(sized_piece(turn.seat, 3, 48), x + 16, y + 42, "lm")
    name = lettering.shorten(drawn_name(labels, turn.seat), theme.BODY, 700)
    page.text(x + 70, y + 42, labels.say("picture.last_turn", name=name), theme.BODY, theme.INK, 1060)
    for number, line in enumerate(told or [labels.say("picture.nothing_done")]):
        column, row = divmod(number, rows)
        page.text(x + 20 + 560 * column, y + 96 + 46 * row, line, theme.SMALL, theme.INK, 540)
    _paid(page, view, labels, y + 84 + 46 * rows + 22)
    return page


def _touched(moves: Sequence[str]) -> frozenset[str]:
    """The hexes that these moves name."""
    found: set[str] = set()
    for text in moves:
        match GAME.parse(Seat(0), text):
            case Plant(origin=origin, target=target):
                found |= {origin, target}
            case Buy() | End():
                pass
            case other:
                found.add(other.hex)
    return frozenset(found)


def _paid(page: Page, view: PhotosynthesisView, labels: Labels, y: int) -> None:
    """What the sun paid everybody this round, on a line."""
    if view.sunlight is None:
        return
    text = labels.say("picture.light_paid", round=view.sunlight.round)
    at = theme.MARGIN + 20 + page.text(theme.MARGIN + 20, y, text, theme.SMALL, theme.INK_SOFT, 420) + 30
    for seat, light in enumerate(view.sunlight.gained):
        page.place(sized_piece(seat, 3, 44), at, y - 2, "lm")
        page.text(at + 48, y, f"+{light}", theme.BODY, theme.INK, 80)
        at += 150


def last(view: PhotosynthesisView, labels: Labels) -> tuple[bytes, str] | None:
    """The last finished turn, and the light of this round."""
    page = paint_last(view, labels)
    if page is None:
        return None
    return (page.png(), within(ALT_TEXT, labels, lambda labels: last_text(view, labels)))
