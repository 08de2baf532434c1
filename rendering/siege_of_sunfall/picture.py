"""Siege of Sunfall on the table: walnut planks under the city's walls at sunset.

The table of an onlooker has the card faced, the pledges opened last, and a board for each player. A seat's picture is
its own coins, cards and seal, with the card faced and a line for each of the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from PIL import Image, ImageDraw

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, blank, count, leaning, place_card, plate, tag
from rendering.core.labels import Labels
from rendering.core.png import FAST
from rendering.core.sprites import Colour, Pen, Pixels, lit_from_above, mix, sprite
from rendering.core.theme import Plate
from rendering.core.words import ALT_TEXT, drawn_name, within
from rendering.siege_of_sunfall.words import reveal_text, seal_text
from rules.siege_of_sunfall.facts import ARMIES_PAY, BOOST_ADDS, GOLD_PAYS, Kind, Reveal, SiegeView

SLUG = "siege_of_sunfall"

# Colours

WALNUT: Colour = (88, 56, 36)
DUSK: Colour = (58, 36, 74)
GLOW: Colour = (238, 142, 66)
STONE: Colour = (44, 28, 34)
BOARD = Plate((246, 234, 206), (150, 118, 74), (170, 136, 88), theme.INK, theme.INK_SOFT)
OUT = Plate((170, 148, 120), (98, 74, 50), (120, 94, 64), (78, 62, 50), (98, 80, 64))
TINTS: dict[Kind, Colour] = {
    Kind.SWORDS: (52, 80, 116),
    Kind.HELMET: (122, 72, 30),
    Kind.BOW: (52, 98, 54),
    Kind.BOOST: (160, 46, 40),
    Kind.GOLD: (170, 114, 10),
    Kind.ARMIES: (128, 34, 66),
    Kind.CROWN: (92, 54, 132),
    Kind.END: (206, 92, 30),
}


GLOWS = tuple(mix(mix(WALNUT, (0, 0, 0), 0.15), theme.BRASS_LIGHT, part / 7) for part in range(1, 7))
COLOURS = (*theme.COLOURS, WALNUT, STONE, BOARD.face, OUT.face, OUT.text, (166, 38, 36), *TINTS.values(), *GLOWS)
"""What the palette has exactly."""
PALETTE_SIZE = 192


def _boost(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A hand that adds to a pledge."""
    emblems.fist(pen, x - size * 0.1, y + size * 0.04, size * 0.82, colour, cut)
    for box in ((0.22, -0.46, 0.34, -0.1), (0.1, -0.34, 0.46, -0.22)):
        left, top, right, bottom = (v * size for v in box)
        pen.box(x + left, y + top, x + right, y + bottom, 1, colour)


def _gold(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Two stacks of coins."""
    for column, (px, high) in enumerate(((-0.24, 4), (0.24, 3))):
        for i in range(high):
            top = y + size * (0.26 - 0.17 * i)
            left, right = x + size * (px - 0.24), x + size * (px + 0.24)
            pen.box(left, top, right, top + size * 0.2, size * 0.09, cut)
            pen.box(left, top, right, top + size * 0.155, size * 0.075, mix(colour, cut, 0.12 * column))


SIGNS: dict[Kind, emblems.Emblem] = {
    Kind.SWORDS: emblems.swords,
    Kind.HELMET: emblems.helmet,
    Kind.BOW: emblems.bow,
    Kind.BOOST: _boost,
    Kind.GOLD: _gold,
    Kind.ARMIES: emblems.banner,
    Kind.CROWN: emblems.crown,
    Kind.END: emblems.gate,
}

# Sizes

BAND = 132
"""Height of the city at the top."""
FACED = (232, 325)
HELD = (150, 210)
MINI = (44, 60)


# Pieces


def _table_top(width: int, height: int) -> Image.Image:
    """Planks of walnut, and the city against the evening sky above them."""
    image = Image.new("RGB", (width, height), WALNUT)
    pen = ImageDraw.Draw(image)
    random = Random(51)  # noqa: S311 - the same grain every time
    for top in range(BAND, height, 118):
        tone = mix(WALNUT, (0, 0, 0), random.choice((0.0, 0.05, 0.1)))
        pen.rectangle((0, top, width, top + 118), tone)
        for _ in range(6):
            y, wave = top + random.randrange(8, 112), random.random() * 6
            line = [(x, y + 3 * math.sin(x / 170 + wave)) for x in range(0, width + 40, 40)]
            pen.line(line, mix(tone, (0, 0, 0), random.choice((0.08, 0.12))), random.choice((2, 3)))
        pen.line((0, top, width, top), mix(WALNUT, (0, 0, 0), 0.5), 4)
        pen.line((0, top + 3, width, top + 3), mix(WALNUT, (255, 220, 170), 0.14), 2)
    image = lit_from_above(image, 0.78)
    image.paste(_city(width).image, (0, 0))
    return image


@sprite
def _city(width: int) -> Pixels:
    """The walls and towers of Sunfall, the sun going down behind them."""
    pen = Pen(width, BAND)
    for i in range(BAND // 4):
        t = (i / (BAND // 4)) ** 1.3
        sky = mix(DUSK, (178, 70, 72), min(1.0, t * 1.6)) if t < 0.6 else mix((178, 70, 72), GLOW, (t - 0.6) / 0.4)
        pen.box(0, i * 4, width, i * 4 + 5, 0, sky)
    sun = width * 0.5
    pen.disc(sun, BAND - 22, 66, mix(GLOW, (255, 214, 120), 0.45))
    pen.disc(sun, BAND - 22, 56, (255, 220, 138))
    random = Random(7)  # noqa: S311 - the same city every time
    x = 0.0
    while x < width:
        wide = random.choice((34, 46, 60))
        near = 1 - min(1.0, abs(x + wide / 2 - sun) / 260)
        high = random.choice((30, 38, 46)) * (1 - 0.45 * near)
        roof = random.random() < 0.35
        pen.box(x, BAND - high, x + wide + 1, BAND, 0, STONE)
        if roof:
            pen.polygon([(x - 3, BAND - high), (x + wide / 2, BAND - high - 26), (x + wide + 3, BAND - high)], STONE)
        else:
            for at in range(int(x), int(x + wide), 14):
                pen.box(at, BAND - high - 7, at + 8, BAND - high + 1, 0, STONE)
        if random.random() < 0.5:
            pen.box(x + wide / 2 - 3, BAND - high + 9, x + wide / 2 + 3, BAND - high + 19, 3, mix(GLOW, STONE, 0.15))
        x += wide
    pen.box(0, BAND - 6, width, BAND, 0, mix(STONE, (0, 0, 0), 0.5))
    return pen.pixels()


@sprite
def card_face(kind: Kind, strength: int, title: str, width: int, height: int) -> Pixels:
    """A card: its sign, its strength on a shield or what it brings, its name where there is room."""
    pen = Pen(width, height)
    tint = TINTS[kind]
    blank(pen, tint)
    middle = height * (0.52 if title else 0.55)
    pen.disc(width * 0.5, middle, width * 0.37, mix(theme.PAPER, tint, 0.14))
    SIGNS[kind](pen, width * 0.5, middle, width * 0.56, tint, mix(theme.PAPER, tint, 0.14))
    bonus = {Kind.BOOST: f"+{BOOST_ADDS}", Kind.GOLD: f"+{GOLD_PAYS}", Kind.ARMIES: f"+{ARMIES_PAY}"}.get(kind, "")
    if strength:
        x, y, s = width * 0.23, height * 0.175, width * 0.19
        shield = [(x - s, y - s), (x + s, y - s), (x + s, y + s * 0.35), (x, y + s * 1.35), (x - s, y + s * 0.35)]
        pen.polygon(shield, tint)
        pen.text(x, y - s * 0.02, str(strength), width * (0.26 if strength < 10 else 0.22), theme.PAPER)
    elif bonus:
        pen.text(width * 0.26, height * 0.15, bonus, width * 0.27, tint)
    if title:
        pen.text(width / 2, height * 0.89, title, width * 0.15, theme.INK, lettering.TEXT)
    return pen.pixels()


@sprite
def mini_card(kind: Kind) -> Pixels:
    """A boost or gold card on a player's board."""
    width, height = MINI
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 7, theme.INK)
    pen.box(1.5, 1.5, width - 1.5, height - 2, 6, TINTS[kind])
    SIGNS[kind](pen, width / 2, height * 0.66, width * 0.62, theme.PAPER, TINTS[kind])
    pen.text(
        width / 2, height * 0.2, f"+{BOOST_ADDS if kind is Kind.BOOST else GOLD_PAYS}", 21, theme.PAPER, lettering.TEXT
    )
    return pen.pixels()


@sprite
def progress(kind: Kind, have: int, face: Colour) -> Pixels:
    """How near a set of three is: the kind's sign and three pips beside it, as many filled as cards are held."""
    pen = Pen(60, 54)
    ink = TINTS[kind] if have else mix(face, theme.INK, 0.28)
    SIGNS[kind](pen, 22, 27, 42, ink, face)
    for i in range(3):
        y = 43 - i * 16
        pen.disc(52, y, 6.5, ink)
        if i >= have:
            pen.disc(52, y, 4.2, face)
    return pen.pixels()


def _title(labels: Labels, kind: Kind) -> str:
    return labels.say(f"card.{kind.value}")


# The table


def _head(page: Page, view: SiegeView, labels: Labels) -> None:
    """Round and pile, on the sky."""
    text = labels.say("picture.over" if view.outcome else "picture.round", round=view.round, rounds=view.rounds)
    page.text(theme.MARGIN, 38, text, theme.HEADING, theme.CREAM, 480)
    if view.card_number:
        text = labels.say("picture.card", number=view.card_number, left=view.pile)
        page.text(WIDTH - theme.MARGIN, 38, text, theme.BODY, theme.CREAM, 440, "rm")


def _faced(page: Page, view: SiegeView, labels: Labels, x: int, y: int) -> None:
    """The card faced, with the pile under it."""
    if view.card is None:
        stack = back(*FACED, emblems.sun, (120, 44, 40))
        place_card(page, stack, x, y)
        return
    for i in range(min(3, view.pile), 0, -1):
        page.place(back(*FACED, emblems.sun, (120, 44, 40)), x + 9 * i, y + 5 * i)
    place_card(page, card_face(view.card.kind, view.card.strength, _title(labels, view.card.kind), *FACED), x, y)


def _chip(page: Page, reveal: Reveal, labels: Labels, seat: int, x: int, y: int, width: int, face: Colour) -> None:
    """One opened pledge: name, coins, boosts; who takes the card is marked, who falls too."""
    coins, boosts = reveal.pledges[seat], reveal.boosts[seat]
    assert coins is not None
    number = f"{coins}+{BOOST_ADDS * boosts}" if boosts else str(coins)
    ink = BOARD.text
    room = width - 130
    mark = None
    if seat == reveal.taker:
        mark = emblems.sign(emblems.points, 34, theme.BRASS_DARK, face)
    elif seat in reveal.eliminated:
        mark, ink = emblems.sign(emblems.broken, 38, theme.ALARM, face), theme.ALARM
    elif seat in reveal.tied:
        mark = emblems.sign(emblems.points, 34, mix(face, theme.BRASS_DARK, 0.45), face)
    if mark:
        page.place(mark, x, y, "lm")
    page.text(x + 42, y, drawn_name(labels, seat), theme.SMALL, ink, room - 42)
    page.place(emblems.coin(34), x + width - 118, y, "lm")
    page.text(x + width - 76, y, number, theme.BODY, ink, 80)


def _reveal(page: Page, view: SiegeView, labels: Labels, reveal: Reveal | None, box: tuple[int, int, int, int]) -> None:
    """A sheet of parchment with the pledges opened last, and what came of them."""
    x, y, width, height = box
    page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, BOARD), x, y)
    if reveal is None:
        page.text(
            x + width / 2,
            y + height / 2 - 26,
            labels.say("picture.no_reveal"),
            theme.BODY,
            BOARD.text,
            width - 40,
            "mm",
        )
        coins = labels.say("picture.starting", coins=view.starting_coins)
        page.text(x + width / 2, y + height / 2 + 30, coins, theme.SMALL, BOARD.soft, width - 40, "mm")
        return
    face = BOARD.face
    page.place(emblems.sign(SIGNS[reveal.card.kind], 50, TINTS[reveal.card.kind], face), x + 18, y + 40, "lm")
    title = _title(labels, reveal.card.kind)
    against = labels.say("picture.against", total=reveal.total, strength=reveal.card.strength)
    end = x + 80 + page.text(x + 80, y + 40, title, theme.BODY, BOARD.text, 270)
    if reveal.card.strength:
        page.text(end + 18, y + 40, against, theme.BODY, BOARD.soft, 180)
    if reveal.repelled is not None:
        word = labels.say("picture.repelled" if reveal.repelled else "picture.fallen")
        tag(page, x + width - 102, y + 40, word, 172, theme.GOOD if reveal.repelled else theme.ALARM, theme.CREAM)
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    cell = (width - 40) // 2
    for i, seat in enumerate(seats):
        _chip(page, reveal, labels, seat, x + 20 + (i % 2) * (cell + 4), y + 104 + (i // 2) * 52, cell, face)
    page.text(x + 22, y + height - 36, _result(reveal, labels), theme.SMALL, BOARD.text, width - 44)


def _result(reveal: Reveal, labels: Labels) -> str:
    """Who gets the card, in a picture's few words."""
    if reveal.taker is not None:
        key = "picture.crowned" if reveal.card.kind is Kind.CROWN else "picture.takes"
        return labels.say(key, name=lettering.shorten(drawn_name(labels, reveal.taker), theme.SMALL, 520))
    if reveal.repelled is False:
        return labels.say("picture.falls", names=labels.list([drawn_name(labels, seat) for seat in reveal.eliminated]))
    if reveal.tied:
        return labels.say("picture.tie", names=labels.list([drawn_name(labels, seat) for seat in reveal.tied]))
    return labels.say("picture.nobody")


def _stock(page: Page, view: SiegeView, seat: int, x: float, y: float, face: Colour, ink: Colour) -> None:
    """Coins, armies, sets on the way, boosts and gold, on a line."""
    at = count(page, x, y, emblems.coin(46), str(view.coins[seat]), 40, ink) + 12
    banner = emblems.sign(emblems.banner, 46, TINTS[Kind.ARMIES], face)
    at = count(page, at, y, banner, str(view.armies[seat]), 40, ink) + 14
    held = view.held[seat]
    for kind, have in ((Kind.SWORDS, held.swords), (Kind.HELMET, held.helmet), (Kind.BOW, held.bow)):
        page.place(progress(kind, have, face), at, y, "lm")
        at += 64
    for kind, have in ((Kind.BOOST, held.boost), (Kind.GOLD, held.gold)):
        if have:
            page.place(mini_card(kind), at + 2, y, "lm")
            at += MINI[0] + 6
            if have > 1:
                at += page.text(at, y, str(have), theme.SMALL, ink) + 6


def _board(page: Page, view: SiegeView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """A player's board: name, crown, whether it has sealed; below what it owns."""
    x, y, width, height = box
    over = view.outcome
    lit = seat in over.winners if over else seat in view.to_move
    colours = BOARD if view.alive[seat] or over else OUT
    if lit:
        page.shade(x - 2, y - 2, width + 4, height + 4, theme.CORNER, 9, 255, theme.BRASS_LIGHT, 0)
    else:
        page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, colours, lit), x, y)
    left = x + 18
    if seat == view.king:
        page.place(emblems.sign(emblems.crown, 50, theme.BRASS_DARK, colours.face), left - 4, y + 40, "lm")
        left += 56
    status = _status(view, seat)
    reserved = 20
    if status == "sealed":
        page.place(emblems.wax(66), x + width - 12, y + 41, "rm")
        reserved = 96
    elif status:
        wide = {"out": 150, "wins": 150, "asked": 170}[status]
        face = {"out": (96, 74, 58), "wins": theme.BRASS, "asked": theme.BRASS}[status]
        tag(page, x + width - wide / 2 - 14, y + 42, labels.say(f"picture.{_verb(view, status)}"), wide, face,
             theme.CREAM if status == "out" else theme.INK)  # fmt: skip
        reserved = wide + 28
    page.text(left, y + 42, drawn_name(labels, seat), theme.BODY, colours.text, x + width - reserved - left)
    _stock(page, view, seat, x + 16, y + 106, colours.face, colours.text)


def _status(view: SiegeView, seat: int) -> str:
    """What a board says of its player's part: "wins", "out", "sealed", "asked" or nothing."""
    if view.outcome:
        return "wins" if seat in view.outcome.winners else ""
    if not view.alive[seat]:
        return "out"
    if seat in view.sealed:
        return "sealed"
    return "asked" if seat in view.to_move else ""


def _verb(view: SiegeView, status: str) -> str:
    return f"asked_{view.phase.value}" if status == "asked" else status


def _table(view: SiegeView, labels: Labels) -> Page:
    rows = (view.seats + 1) // 2
    top = BAND + 30
    boards = top + FACED[1] + 40
    page = Page(SLUG, boards + rows * 164 + 10, _table_top)
    _head(page, view, labels)
    _faced(page, view, labels, 44, top)
    _reveal(page, view, labels, view.open_reveal or view.last_reveal, (330, top, WIDTH - 330 - theme.MARGIN, FACED[1]))
    width = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    for seat in range(view.seats):
        x = theme.MARGIN + (seat % 2) * (width + theme.GAP)
        if seat == view.seats - 1 and view.seats % 2:
            x = (WIDTH - width) // 2
        _board(page, view, labels, seat, (x, boards + (seat // 2) * 164, width, 150))
    return page


# A seat's own picture


def _own(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """The card faced, the own board written large, and the others in a line each."""
    seat = view.viewer
    assert seat is not None
    top = BAND + 26
    others = [other for other in range(view.seats) if other != seat]
    lines = (len(others) + 1) // 2
    foot = top + FACED[1] + 36
    page = Page(SLUG, foot + lines * 78 + 12, _table_top, level=FAST)
    _head(page, view, labels)
    _faced(page, view, labels, 44, top)
    x, width = 330, WIDTH - 330 - theme.MARGIN
    page.shade(x, top, width, FACED[1], theme.CORNER)
    page.place(plate(width, FACED[1], BOARD, seat in view.to_move), x, top)
    left = x + 24
    if seat == view.king:
        page.place(emblems.sign(emblems.crown, 54, theme.BRASS_DARK, BOARD.face), left - 4, top + 50, "lm")
        left += 60
    page.text(left, top + 52, drawn_name(labels, seat), theme.HEADING, BOARD.text, x + width - left - 24)
    _stock(page, view, seat, x + 24, top + 134, BOARD.face, BOARD.text)
    _seal(page, view, labels, focus, x + 24, top + 236, width - 48)
    cell = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    for i, other in enumerate(others):
        _rival(page, view, labels, other, theme.MARGIN + (i % 2) * (cell + theme.GAP), foot + (i // 2) * 78, cell)
    return page


def _seal(page: Page, view: SiegeView, labels: Labels, focus: Sequence[str], x: int, y: int, width: int) -> None:
    """The own seal, what is being chosen, or what is asked."""
    if view.own_seal is not None and not focus:
        page.place(emblems.wax(118), x, y + 10, "lm")
        first, second = view.own_seal
        sentence = seal_text(view, labels, first, second)
        page.text(x + 138, y - 16, sentence, theme.HEADING, BOARD.text, width - 140)
        page.text(x + 138, y + 40, labels.say("picture.may_change"), theme.SMALL, BOARD.soft, width - 140)
        return
    coins = next((part for part in focus if part.isdecimal()), None)
    if coins is not None:
        page.place(emblems.coin(104), x + 4, y + 6, "lm")
        page.text(x + 130, y + 6, labels.say("picture.choosing", coins=coins), theme.HEADING, BOARD.text, width - 140)
        return
    status = _status(view, view.viewer) if view.viewer is not None else ""
    key = _verb(view, status) if status else ("wait_over" if view.outcome else "wait")
    page.text(x, y - 14, labels.say(f"ask.{key}"), theme.BODY, BOARD.text, width)
    waiting = labels.list([drawn_name(labels, s) for s in view.to_move if s != view.viewer])
    if waiting:
        page.text(x, y + 40, labels.say("picture.waiting", names=waiting), theme.SMALL, BOARD.soft, width)


def _rival(page: Page, view: SiegeView, labels: Labels, seat: int, x: int, y: int, width: int) -> None:
    """Another player in a line: name, crown, coins, armies, sealed or out."""
    colours = BOARD if view.alive[seat] or view.outcome else OUT
    page.place(plate(width, 66, colours), x, y)
    left = x + 16
    if seat == view.king:
        page.place(emblems.sign(emblems.crown, 40, theme.BRASS_DARK, colours.face), left - 4, y + 30, "lm")
        left += 42
    page.text(left, y + 31, drawn_name(labels, seat), theme.SMALL, colours.text, x + width - 292 - left)
    at = count(page, x + width - 282, y + 31, emblems.coin(40), str(view.coins[seat]), theme.BODY, colours.text) + 14
    banner = emblems.sign(emblems.banner, 42, TINTS[Kind.ARMIES], colours.face)
    count(page, max(at, x + width - 184), y + 31, banner, str(view.armies[seat]), theme.BODY, colours.text)
    status = _status(view, seat)
    if status == "sealed":
        page.place(emblems.wax(56), x + width - 10, y + 31, "rm")
    elif status == "out":
        page.place(emblems.sign(emblems.broken, 48, colours.text, colours.face), x + width - 14, y + 31, "rm")
    elif status == "wins":
        page.place(emblems.sign(emblems.points, 48, theme.BRASS_DARK, colours.face), x + width - 14, y + 31, "rm")


# The pictures


def paint(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """The picture before it becomes a file."""
    return _table(view, labels) if view.viewer is None else _own(view, labels, focus)


def draw(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> bytes:
    """The table, or the viewer's own board."""
    return paint(view, labels, focus).png()


def paint_cover(labels: Labels) -> Page:
    """The title under the walls, over a hand of cards."""
    page = Page(SLUG, 700, _table_top)
    for i, (kind, strength) in enumerate(
        ((Kind.BOW, 4), (Kind.SWORDS, 7), (Kind.CROWN, 0), (Kind.HELMET, 5), (Kind.ARMIES, 0))
    ):
        card = card_face(kind, strength, "", 392, 548)
        page.place(leaning(card, 16 - 8 * i), 600 + (i - 2) * 178, 508 + (28, 6, 0, 6, 28)[i], "mm")
    page.text(600, 220, labels.say("game.title"), 112, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 310, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    page.place(emblems.wax(110), 1090, 640, "mm")
    return page


def cover(labels: Labels) -> bytes:
    """The picture of a lobby."""
    return paint_cover(labels).png()


def paint_last(view: SiegeView, labels: Labels) -> Page | None:
    """The last opened pledges, before they become a file."""
    reveal = view.open_reveal or view.last_reveal
    if reveal is None:
        return None
    page = Page(SLUG, BAND + 30 + FACED[1] + 40, _table_top)
    page.text(theme.MARGIN, 38, labels.say("picture.last"), theme.HEADING, theme.CREAM, 500)
    face = card_face(reveal.card.kind, reveal.card.strength, _title(labels, reveal.card.kind), *FACED)
    place_card(page, face, 44, BAND + 30)
    _reveal(page, view, labels, reveal, (330, BAND + 30, WIDTH - 330 - theme.MARGIN, FACED[1]))
    return page


def last(view: SiegeView, labels: Labels) -> tuple[bytes, str] | None:
    """The pledges opened last, and what came of them."""
    page, reveal = paint_last(view, labels), view.open_reveal or view.last_reveal
    if page is None or reveal is None:
        return None
    return page.png(), within(ALT_TEXT, labels, lambda labels: reveal_text(reveal, labels))
