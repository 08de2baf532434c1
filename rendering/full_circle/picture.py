"""Full Circle on the table: a lacquered board with fine rings, the four quadrants bright in the middle of it.

The table of an onlooker has the circle, a plate for each player, and a slab with the pile, what is asked and the trap.
A seat's picture has its hand as well, what fits raised; when a card is chosen, the quadrants where it fits are lit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import WIDTH, Colour, Page, Pen, Point, Sprite, lit_from_above, mix, sprite, tinted
from rendering.core.cards import blank, leaning, place_card, plate, tag
from rendering.core.labels import Labels
from rendering.core.theme import Plate
from rendering.core.words import ALT_TEXT, drawn_name, signed, within
from rendering.full_circle.signs import INKS, SIGNS, TINTS, lock, wheel
from rendering.full_circle.words import phase_text, round_text
from rules.full_circle import PLACES, FullCircleView, Phase, Quadrant, RoundResult

SLUG = "full_circle"

# Colours

BOARD: Colour = (46, 38, 56)
RING: Colour = (58, 49, 70)
HOLLOW: Colour = (34, 28, 42)
BACK: Colour = (92, 58, 112)
PLATE = Plate((66, 56, 80), (28, 22, 36), (128, 112, 146), theme.CREAM, (204, 192, 216))
ASIDE = Plate((52, 44, 62), (28, 22, 36), (84, 74, 96), (158, 146, 170), (136, 124, 148))

GLOWS = tuple(mix(mix(BOARD, (0, 0, 0), 0.15), theme.BRASS_LIGHT, part / 7) for part in range(1, 7))
DIM = 0.6
"""How far what does not fit sinks into the board."""
COLOURS = (
    *(*theme.COLOURS, BOARD, HOLLOW, BACK, PLATE.face, PLATE.edge, PLATE.soft, ASIDE.face, *TINTS.values(), *GLOWS),
    *(mix(tint, BOARD, DIM) for tint in TINTS.values()),
)  # fmt: skip
"""What the palette has exactly."""
PALETTE_SIZE = 128

# Sizes

TABLE_RADIUS = 286
HAND_RADIUS = 216
HELD = ((6, (176, 232)), (8, (132, 178)), (10, (102, 136)))
"""How many cards of a hand lie in a row, and how large: all in one row, else eight in each of two, else small ones."""


# Pieces


def _board(width: int, height: int) -> Image.Image:
    """Dark lacquer with rings round the circle's middle. Few colours, so the file stays small."""
    image = Image.new("RGB", (width, height), BOARD)
    pen = ImageDraw.Draw(image)
    for radius in range(400, 1500, 210):
        pen.ellipse((330 - radius, 380 - radius, 330 + radius, 380 + radius), outline=RING, width=6)
    return lit_from_above(image, 0.74)


def _edges(place: int) -> tuple[Point, Point]:
    """The directions of a quadrant's counter-clockwise and clockwise edge, from the circle's middle."""
    start = math.radians(180 + 90 * place)
    return (math.cos(start), math.sin(start)), (-math.sin(start), math.cos(start))


def _point(place: int, size: float, radius: float, degrees: float) -> Point:
    """A point of the quadrant on its sprite, by distance from the middle and angle from the counter-clockwise edge."""
    (ax, ay), (bx, by) = _edges(place)
    u, v = radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))
    corner = _corner(place, size)
    return corner[0] + u * ax + v * bx, corner[1] + u * ay + v * by


def _corner(place: int, size: float) -> Point:
    """Where on a quadrant's sprite the circle's middle is."""
    return (size if place in (0, 3) else 0, size if place in (0, 1) else 0)


def _quarter(place: int, size: float, inset: float, first: float, last: float) -> list[Point]:
    """The outline of the quarter disc between two angles, so far inside its edges."""
    outer = size - inset
    low, high = math.degrees(math.asin(inset / outer)), 90 - math.degrees(math.asin(inset / outer))
    first, last = max(first, low), min(last, high)
    arc = [_point(place, size, outer, first + (last - first) * step / 24) for step in range(25)]
    return [_point(place, size, inset * math.sqrt(2), 45), *arc]


def _colour_sign(pen: Pen, x: float, y: float, size: float, letter: str) -> None:
    SIGNS[letter](pen, x, y, size, INKS[letter], TINTS[letter])


@sprite
def quadrant(place: int, face: str, first: str, second: str, radius: int) -> Sprite:
    """A card in the circle: a half for each edge with its colour, sign and letter; a wild has stripes and a wheel."""
    pen = Pen(radius, radius)
    wild = face[0] == "W"
    pen.polygon(_quarter(place, radius, 2, 0, 90), mix(theme.INK, TINTS[first], 0.2))
    pen.polygon(_quarter(place, radius, 4, 0, 90), theme.PAPER)
    pen.polygon(_quarter(place, radius, 10, 0, 45), TINTS[first])
    pen.polygon(_quarter(place, radius, 10, 45, 90), TINTS[second])
    if wild:
        _rainbow(pen, place, radius)
    elif first != second:
        seam = [_point(place, radius, 14, 45), _point(place, radius, radius - 10, 45)]
        pen.line(seam, theme.PAPER, 4)
    for letter, degrees in ((first, 23.5), (second, 66.5)):
        _colour_sign(pen, *_point(place, radius, radius * 0.745, degrees), radius * 0.27, letter)
        pen.text(*_point(place, radius, radius * 0.47, degrees), letter, radius * 0.25, INKS[letter])
    if wild:
        wheel(pen, *_point(place, radius, radius * 0.57, 45), radius * 0.115)
    return pen.sprite()


def _rainbow(pen: Pen, place: int, radius: int) -> None:
    """A wild's rim: all six colours, none of which counts."""

    def band(inner: float, outer: float, low: float, high: float, colour: Colour) -> None:
        angles = [low + (high - low) * step / 12 for step in range(13)]
        far = [_point(place, radius, outer, degrees) for degrees in angles]
        near = [_point(place, radius, inner, degrees) for degrees in reversed(angles)]
        pen.polygon([*far, *near], colour)

    low, high = 2.6, 87.4
    band(radius * 0.9, radius - 10, low - 0.4, high + 0.4, theme.PAPER)
    for i, letter in enumerate("BPROYG"):
        step = (high - low) / 6
        band(radius * 0.918, radius - 10, low + i * step, low + (i + 1) * step, TINTS[letter])


@sprite
def empty_quadrant(place: int, radius: int) -> Sprite:
    """Where a card will lie."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 4, 0, 90), ASIDE.rim)
    pen.polygon(_quarter(place, radius, 7, 0, 90), HOLLOW)
    return pen.sprite()


@sprite
def outline(place: int, radius: int) -> Sprite:
    """Round a quadrant where the chosen card fits."""
    pen = Pen(radius, radius)
    path = _quarter(place, radius, 7, 0, 90)
    pen.line([*path, path[0], path[1]], theme.BRASS_DARK, 14)
    pen.line([*path, path[0], path[1]], theme.BRASS_LIGHT, 10)
    return pen.sprite()


@sprite
def marker(size: int) -> Sprite:
    """The marker: a brass stud with a padlock."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 3, theme.BRASS_LIGHT)
    pen.disc(c, c, c - 8, theme.BRASS)
    lock(pen, c, c - size * 0.03, size * 0.56, theme.INK, theme.BRASS)
    return pen.sprite()


@sprite
def card_face(card: str, width: int, height: int) -> Sprite:
    """A card of a hand: its counter-clockwise colour on the left, the clockwise one on the right."""
    pen = Pen(width, height)
    tone = TINTS[card[0]] if card != "W" else BACK
    blank(pen, tone)
    inset = width * 0.07
    if card == "W":
        wheel(pen, width / 2, height * 0.4, width * 0.36)
        pen.text(width / 2, height * 0.82, "W", width * 0.34, theme.INK)
        return pen.sprite()
    field = Pen(width, height)
    field.box(inset, inset, width - inset, height - inset, width * 0.05, TINTS[card[0]])
    if len(card) == 2:
        right = Pen(width, height)
        right.box(inset, inset, width - inset, height - inset, width * 0.05, TINTS[card[1]])
        right.sheet.paste((0, 0, 0, 0), (0, 0, round(width * 2), height * 4))
        field.paste(0, 0, right.sheet)
        field.line([(width / 2, inset + 2), (width / 2, height - inset - 2)], theme.PAPER, max(2.0, width * 0.022))
    pen.paste(0, 0, field.sheet)
    if len(card) == 1:
        _colour_sign(pen, width / 2, height * 0.38, width * 0.52, card)
        pen.text(width / 2, height * 0.79, card, width * 0.4, INKS[card])
    else:
        for letter, x in ((card[0], width * 0.285), (card[1], width * 0.715)):
            _colour_sign(pen, x, height * 0.33, width * 0.32, letter)
            pen.text(x, height * 0.7, letter, width * 0.37, INKS[letter])
    return pen.sprite()


@sprite
def _back(width: int, height: int) -> Sprite:
    """A card from behind: a disc in four quarters."""
    pen = Pen(width, height)
    blank(pen, BACK)
    inset, x, y, size = width * 0.08, width / 2, height / 2, width * 0.3
    pen.box(inset, inset, width - inset, height - inset, width * 0.06, BACK)
    pen.disc(x, y, size, theme.PAPER)
    pen.line([(x - size, y), (x + size, y)], BACK, width * 0.07)
    pen.line([(x, y - size), (x, y + size)], BACK, width * 0.07)
    return pen.sprite()


@sprite
def colour_medallion(letter: str, size: int) -> Sprite:
    """A trap's colour, its jaws round it."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 3, TINTS[letter])
    _colour_sign(pen, c, c - size * 0.1, size * 0.46, letter)
    pen.text(c, c + size * 0.28, letter, size * 0.3, INKS[letter])
    return pen.sprite()


def _count(page: Page, x: float, y: float, emblem: Sprite, number: int, colour: Colour, anchor: str) -> None:
    """A sign and a number, beginning ("l") or ending ("r") there."""
    if anchor == "l":
        page.place(emblem, x, y, "lm")
        page.text(x + emblem.size[0] + 6, y, str(number), theme.SMALL, colour, 80)
    else:
        width = page.text(x, y, str(number), theme.SMALL, colour, 80, "rm")
        page.place(emblem, x - width - 6, y, "rm")


# The circle


def _circle(page: Page, view: FullCircleView, x: int, y: int, radius: int, lit: frozenset[str] | None) -> None:
    """The circle, its middle there; `lit` are the places where a chosen card fits, None while none is chosen."""
    page.shade(x - radius, y - radius, 2 * radius, 2 * radius, radius, 12, 150)
    for number, (place, card) in enumerate(zip(PLACES, view.circle, strict=True)):
        left, top = (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)
        piece = _quadrant(number, card, radius)
        page.place(tinted(piece, BOARD, DIM) if lit is not None and place not in lit else piece, left, top)
        if lit is not None and place in lit:
            page.place(outline(number, radius), left, top)
        _place_notes(page, place, card, x, y, radius)
        if place == view.marker:
            px, py = _point(number, radius, radius * 0.87, 45)
            page.place(marker(round(radius * 0.31)), left + px, top + py, "mm")


def _quadrant(number: int, card: Quadrant | None, radius: int) -> Sprite:
    if card is None:
        return empty_quadrant(number, radius)
    return quadrant(number, card.face, card.first, card.second, radius)


def _place_notes(page: Page, place: str, card: Quadrant | None, x: int, y: int, radius: int) -> None:
    """In the corner beside a quadrant: its letters, and how many cards it covers."""
    across, side = ("l", -1) if place[1] == "L" else ("r", 1)
    edge = x + side * (radius + (2 if radius == TABLE_RADIUS else 24))
    above = place[0] == "T"
    outer = y + (20 - radius if above else radius - 20)
    page.text(edge, outer, place, theme.SMALL, PLATE.soft, 80, across + "m")
    if card is not None and card.covered:
        pile = emblems.sign(emblems.captured, 38, theme.PAPER_EDGE, BOARD)
        _count(page, edge, outer + (44 if above else -44), pile, card.covered, theme.CREAM, across)


# The table


def _heading(page: Page, view: FullCircleView, labels: Labels, y: int) -> None:
    page.text(theme.MARGIN, y, _round(view, labels), theme.HEADING, theme.CREAM, 620)
    page.text(WIDTH - theme.MARGIN, y, labels.say("picture.target", target=view.target), theme.BODY, PLATE.soft, 400,
              "rm")  # fmt: skip


def _round(view: FullCircleView, labels: Labels) -> str:
    if view.outcome:
        return labels.say("picture.finished")
    return labels.say("picture.play_off" if view.play_off else "picture.round", round=view.round)


def _total(total: int) -> str:
    return str(total).replace("-", "−")


def _winners(view: FullCircleView) -> frozenset[int]:
    return frozenset(view.outcome.winners) if view.outcome else frozenset()


def _plate(page: Page, view: FullCircleView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """A player's plate: name, total, the hand from behind or its open last card."""
    x, y, width, height = box
    wins = seat in _winners(view)
    lit = wins or seat == view.to_move
    colours = PLATE if seat in view.players else ASIDE
    if lit:
        page.shade(x - 3, y - 3, width + 6, height + 6, theme.CORNER, 10, 255, theme.BRASS, 0)
    else:
        page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, colours, lit), x, y)
    medal = 92
    total = _total(view.totals[seat])
    page.place(emblems.medal(medal, total), x + width - 14, y + height / 2 - 2, "rm")
    room = width - medal - 44
    if lit:
        word = labels.say("picture.wins" if wins else "picture.to_play")
        tag(page, x + width - medal - 24 - 62, y + 38, word, 124)
        room -= 130
    page.text(x + 18, y + 38, drawn_name(labels, seat), theme.BODY, colours.text, room)
    if seat in view.players and view.hand_sizes[seat]:
        _held(page, view, labels, seat, x + 18, y + 66, width - medal - 60, height - 82)
    else:
        words = labels.say("picture.out" if seat in view.players else "picture.watches")
        page.text(x + 18, y + height - 40, words, theme.SMALL, colours.soft, room)


def _held(page: Page, view: FullCircleView, labels: Labels, seat: int, x: int, y: int, room: int, height: int) -> None:
    """The hand from behind and how many cards there are, or the last card face up with its letters (F12)."""
    width = round(height * 0.74)
    cards, card = view.hand_sizes[seat], view.open_cards[seat]
    if card is not None:
        page.place(card_face(card, width, height), x, y)
        at = x + width + 12
        at += page.text(at, y + height / 2, card, theme.BODY, theme.CREAM, 80) + 14
        page.text(at, y + height / 2, labels.say("picture.last_card"), theme.SMALL, PLATE.soft, x + room - at)
        return
    step = min(round(width * 0.52), (room - width - 50) // max(1, cards - 1))
    for i in range(cards):
        page.place(_back(width, height), x + i * step, y)
    page.text(x + step * (cards - 1) + width + 12, y + height / 2, str(cards), theme.BODY, PLATE.soft, 60)


def _lines(text: str, size: int, width: int) -> list[str]:
    """The text in one line where it fits, else in two."""
    if lettering.shorten(text, size, width) == lettering.drawable(text):
        return [text]
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        first = " ".join(words[:at])
        if lettering.shorten(first, size, width) == lettering.drawable(first):
            return [first, " ".join(words[at:])]
    return [text]


def _slab(page: Page, view: FullCircleView, labels: Labels, box: tuple[int, int, int, int]) -> None:
    """The pile, what is asked, the card drawn, the trap."""
    x, y, width, height = box
    page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, PLATE), x, y)
    stack, middle = _back(66, 90), y + height // 2 - 2
    for i in range(min(3, view.pile)):
        page.place(stack, x + 24 - i * 4, middle - i * 4 + 2, "lm")
    page.text(x + 102, middle, str(view.pile), theme.HEADING, theme.CREAM, 80)
    left, right = x + 190, x + width - 24
    if view.trap:
        page.place(colour_medallion(view.trap.colour, 92), right, middle, "rm")
        name = lettering.shorten(drawn_name(labels, view.trap.setter), theme.SMALL, 190)
        page.text(right - 110, middle - 22, labels.say("picture.trap"), theme.BODY, theme.BRASS_LIGHT, 280, "rm")
        by = labels.say("picture.trap_by", name=name)
        page.text(right - 110, middle + 24, by, theme.SMALL, PLATE.soft, 290, "rm")
        right -= 420
    if view.drawn:
        page.place(card_face(view.drawn, 72, 96), left, middle, "lm")
        left += 90
    lines = _lines(_asked(view, labels), theme.BODY, right - left)
    for number, line in enumerate(lines):
        at = middle + 44 * number - 22 * (len(lines) - 1)
        page.text(left, at, line, theme.BODY, theme.CREAM, right - left)


def _asked(view: FullCircleView, labels: Labels) -> str:
    """What is asked of the seat to move, or how the match ended."""
    if view.outcome is None:
        return phase_text(view, labels)
    (winner,) = view.outcome.winners
    name = lettering.shorten(drawn_name(labels, winner), theme.BODY, 300)
    return labels.say("alt.won", name=name, reason=labels.say(f"outcome.{view.outcome.reason}"))


PLATE_HEIGHTS = {2: 216, 3: 178, 4: 137}
SLAB = 124


def _table(view: FullCircleView, labels: Labels) -> Page:
    """The circle on the left, the players on the right, the slab below."""
    radius, top = TABLE_RADIUS, 88
    height = top + 2 * radius + 26
    page = Page(SLUG, height + SLAB + theme.MARGIN, _board)
    _heading(page, view, labels, 44)
    _circle(page, view, theme.MARGIN + radius, top + radius, radius, None)
    x = theme.MARGIN + 2 * radius + 34
    tall = PLATE_HEIGHTS[view.seats]
    gap = (2 * radius - view.seats * tall) // max(1, view.seats - 1) if view.seats > 2 else 24
    first = top + (2 * radius - view.seats * tall - (view.seats - 1) * gap) // 2
    for seat in range(view.seats):
        _plate(page, view, labels, seat, (x, first + seat * (tall + gap), WIDTH - theme.MARGIN - x, tall))
    _slab(page, view, labels, (theme.MARGIN, height, WIDTH - 2 * theme.MARGIN, SLAB))
    return page


# A seat's hand


def _hand(view: FullCircleView, labels: Labels, focus: Sequence[str]) -> Page:
    """The circle and the others above, the hand below, what fits raised."""
    plays = view.plays()
    chosen = (view.drawn,) if view.drawn and view.to_move == view.viewer and not focus else tuple(focus)
    face = ":".join(chosen)
    aimed = [play for play in plays if chosen and (play.face == face or play.face.startswith(f"{face}:"))]
    radius, top = HAND_RADIUS, 96
    below = top + 2 * radius + 30
    rows, size = _hand_rows(view.hand)
    hand = len(rows) * (size[1] + 34) + 6
    page = Page(SLUG, below + SLAB + 44 + hand, _board, hand + 42)
    _hand_heading(page, view, labels)
    lit = frozenset(play.place for play in aimed) if aimed else None
    _circle(page, view, theme.MARGIN + radius + 20, top + radius, radius, lit)
    _others(page, view, labels, theme.MARGIN + 2 * radius + 74, top, 2 * radius)
    _slab(page, view, labels, (theme.MARGIN, below, WIDTH - 2 * theme.MARGIN, SLAB))
    asked = view.to_move == view.viewer and view.phase in (Phase.TURN, Phase.DRAWN)
    fitting = {play.face[0] if play.face[0] == "W" else play.face for play in plays}
    gift = chosen[1] if len(chosen) > 1 and chosen[0] == "give" else ""
    for number, row in enumerate(rows):
        y = below + SLAB + 44 + number * (size[1] + 34)
        _hand_row(page, row, y, size, fitting if plays or asked else None, gift or (chosen[:1] or ("",))[0])
    return page


def _hand_rows(cards: Sequence[str]) -> tuple[list[Sequence[str]], tuple[int, int]]:
    """The hand in rows, and the size of its cards."""
    (few, large), (some, medium), (most, small) = HELD
    in_row, size = (few, large) if len(cards) <= few else (some, medium) if len(cards) <= 2 * some else (most, small)
    rows = -(-len(cards) // in_row)
    in_row = -(-len(cards) // rows)
    return [cards[at : at + in_row] for at in range(0, len(cards), in_row)], size


def _hand_row(
    page: Page, row: Sequence[str], y: int, size: tuple[int, int], fitting: set[str] | None, chosen: str
) -> None:
    """Cards of the hand side by side; `fitting` those that may be played, None where nothing is asked."""
    step = size[0] + 14
    left = (WIDTH - step * len(row) + 14) // 2
    for i, card in enumerate(row):
        fits = fitting is None or card in fitting
        face = card_face(card, *size) if fits else tinted(card_face(card, *size), BOARD, DIM)
        top = y - 20 if fitting is not None and fits else y
        if card == chosen or size != HELD[-1][1]:
            place_card(page, face, left + i * step, top, theme.BRASS_LIGHT if card == chosen else None)
        else:  # shadows of so many would make too large a file
            page.place(face, left + i * step, top)


def _hand_heading(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Whose turn it is, the round, the own total."""
    assert view.viewer is not None
    mover = 0 if view.to_move is None else view.to_move
    name = lettering.shorten(drawn_name(labels, mover), theme.HEADING, 420)
    turn = labels.say("picture.your_turn" if mover == view.viewer else "picture.their_turn", name=name)
    page.text(theme.MARGIN, 48, turn, theme.HEADING, theme.BRASS_LIGHT if mover == view.viewer else theme.CREAM, 600)
    total = _total(view.totals[view.viewer])
    page.place(emblems.medal(84, total), WIDTH - theme.MARGIN, 48, "rm")
    words = _round(view, labels) + " · " + labels.say("picture.target", target=view.target)
    page.text(WIDTH - theme.MARGIN - 100, 48, words, theme.SMALL, PLATE.soft, 460, "rm")


def _others(page: Page, view: FullCircleView, labels: Labels, x: int, y: int, room: int) -> None:
    """The other players' plates, from the viewer's left."""
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    tall = min(178, (room - theme.GAP * (len(others) - 1)) // len(others))
    top = y + (room - len(others) * tall - (len(others) - 1) * theme.GAP) // 2
    for number, seat in enumerate(others):
        _plate(page, view, labels, seat, (x, top + number * (tall + theme.GAP), WIDTH - theme.MARGIN - x, tall))


# The pictures


def paint(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """The picture before it becomes a file."""
    return _hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def draw(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> bytes:
    """The table, or the viewer's hand while it has one."""
    return paint(view, labels, focus).png()


def paint_cover(labels: Labels) -> Page:
    """The title over a circle and a fan of cards."""
    page = Page(SLUG, 640, _board)
    for card, degrees, x, y in (("YR", 16, 124, 436), ("O", 6, 270, 412), ("W", -16, 1076, 436), ("GP", -6, 930, 412)):
        page.place(leaning(card_face(card, 316, 416), degrees), x, y, "mm")
    for number, face in enumerate(("RB", "BG", "GP", "PR")):
        left, top = (380 if number in (0, 3) else 600), (196 if number in (0, 1) else 416)
        page.place(quadrant(number, face, face[0], face[1], 220), left, top)
    page.text(600, 84, labels.say("game.title"), 112, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 164, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def cover(labels: Labels) -> bytes:
    """The picture of a lobby."""
    return paint_cover(labels).png()


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """The last round as it was counted, before it becomes a file."""
    result = view.last_round
    if result is None:
        return None
    talls = [124 + 98 * (max(0, len(result.hands[seat]) - 1) // COUNTED_IN_ROW) for seat in result.players]
    page = Page(SLUG, 100 + sum(talls) + len(talls) * theme.GAP + 10, _board)
    winner = 0 if result.winner is None else result.winner
    key = "last_without" if result.winner is None else "last_play_off" if result.play_off else "last_won"
    name = lettering.shorten(drawn_name(labels, winner), theme.HEADING, 640)
    title = labels.say(f"picture.{key}", name=name, round=result.round)
    page.text(theme.MARGIN, 52, title, theme.HEADING, theme.CREAM, 1140)
    y = 100
    for seat, tall in zip(result.players, talls, strict=True):
        _counted(page, result, labels, seat, y, tall)
        y += tall + theme.GAP
    return page


COUNTED_IN_ROW = 8


def _counted(page: Page, result: RoundResult, labels: Labels, seat: int, y: int, tall: int) -> None:
    """A player's line: the cards left, what they count (in a play-off nothing, F16), the total after that."""
    won, middle = seat == result.winner, y + tall / 2 - 2
    page.shade(theme.MARGIN, y, WIDTH - 2 * theme.MARGIN, tall, theme.CORNER)
    page.place(plate(WIDTH - 2 * theme.MARGIN, tall, PLATE, won), theme.MARGIN, y)
    page.text(theme.MARGIN + 20, middle, drawn_name(labels, seat), theme.BODY, PLATE.text, 270)
    points = "" if result.play_off else signed(result.points[seat] - (result.bonus if won else 0))
    page.place(emblems.medal(92, _total(result.totals[seat])), WIDTH - 38, middle, "rm")
    page.text(WIDTH - 150, middle, points, theme.HEADING, theme.BRASS_LIGHT, 120, "rm")
    if won:
        page.text(330, middle, labels.say("picture.out"), theme.BODY, PLATE.soft, 560)
    for i, card in enumerate(result.hands[seat]):
        row, column = divmod(i, COUNTED_IN_ROW)
        page.place(card_face(card, 70, 92), 330 + column * 76, y + 14 + row * 98)


def last(view: FullCircleView, labels: Labels) -> tuple[bytes, str] | None:
    """The last round (F15)."""
    page, result = paint_last(view, labels), view.last_round
    if page is None or result is None:
        return None
    return page.png(), within(ALT_TEXT, labels, lambda labels: round_text(result, labels))
