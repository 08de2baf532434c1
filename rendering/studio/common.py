"""What all games share: the crown, the ring of a disc, ribbon, flag, tokens, medals, paper, stone, the
table of a game without a stage of its own, and the vignette of one that has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import skia
from PIL import Image

from rendering.core import theme
from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio import vignettes
from rendering.studio.brush import (
    BLACK,
    BLOB,
    WHITE,
    Sheet,
    coin,
    dab,
    grain,
    ink,
    linear,
    polygon,
    radial,
    smooth,
    stones,
    vignette,
    wax,
    wood,
)  # fmt: skip
from rendering.studio.sigils import SIGILS

GOLD: Colour = (228, 172, 72)
PALE: Colour = (255, 240, 190)
DEEP: Colour = (112, 62, 18)
ROOM: Colour = (24, 18, 34)
"""The dark of a room by evening."""


def _metal(x: float, wide: float, metal: Colour) -> skia.Paint:
    """Return paint of metal that bends away at both sides."""
    pale, dark = mix(metal, WHITE, 0.55), mix(metal, (50, 20, 10), 0.6)
    return linear((x, 0), (x + wide, 0), (0, dark), (0.18, metal), (0.34, pale), (0.55, metal), (1, dark))


def _star(x: float, y: float, radius: float) -> list[Point]:
    turns = [(math.pi * step / 5, radius if step % 2 == 0 else radius * 0.44) for step in range(10)]
    return [(x + math.sin(turn) * far, y - math.cos(turn) * far) for turn, far in turns]


def crown() -> Image.Image:
    """A crown of five points with a cap of red velvet, a band with stones, and pearls."""
    sheet = Sheet(240, 200)
    sheet.path(
        smooth([(40, 150), (52, 84), (120, 62), (188, 84), (200, 150)]),
        radial((100, 80), 120, (0, (196, 44, 52)), (1, (84, 8, 28))),
    )
    tips: list[Point] = [(24, 58), (70, 44), (120, 20), (170, 44), (216, 58)]
    valleys: list[Point] = [(50, 104), (94, 96), (146, 96), (190, 104), (204, 160)]
    body = polygon([(36, 160), *(point for pair in zip(tips, valleys, strict=True) for point in pair)])
    sheet.edged(body, _metal(22, 196, GOLD), (66, 30, 10), 11)
    for number, (x, y) in enumerate(tips):  # the lit flank of each point
        foot = 50 + number * 36
        sheet.path(polygon([(x, y + 6), (foot - 8, 150), (foot + 6, 150)]), ink(PALE, 120))
    band = smooth([(34, 148), (120, 160), (206, 148)])
    sheet.path(band, ink((66, 30, 10), stroke=39))
    sheet.path(band, ink(mix(GOLD, DEEP, 0.35), stroke=32))
    sheet.path(smooth([(34, 143), (120, 155), (206, 143)]), ink(GOLD, stroke=22))
    sheet.path(smooth([(40, 136), (120, 147), (200, 136)]), ink(PALE, 220, stroke=4))
    blue, red = (40, 110, 190), (200, 30, 46)
    for x, y, size, colour in ((68, 152, 9, blue), (120, 159, 12, red), (172, 152, 9, blue)):
        sheet.disc(x, y, size + 3, ink(DEEP))
        tones = (0, mix(colour, WHITE, 0.7)), (0.5, colour), (1, mix(colour, BLACK, 0.5))
        sheet.disc(x, y, size, radial((x - size * 0.3, y - size * 0.4), size * 1.5, *tones))
    for x, y in tips:
        sheet.disc(x, y - 3, 14, ink((66, 30, 10)))
        sheet.disc(x, y - 3, 11, radial((x - 4, y - 8), 18, (0, WHITE), (0.4, (246, 226, 200)), (1, (150, 104, 70))))
    return sheet.image()


def ring() -> Image.Image:
    """What lies on a disc of enamel: two rims of gold, a gleam, and a hole for a portrait."""
    sheet, c = Sheet(256, 256), 128
    for radius, wide in ((123, 7), (95, 6)):
        sheet.disc(c, c, radius, ink((44, 22, 10), stroke=wide + 3))
        turned = skia.Paint(AntiAlias=True)
        turned.setShader(
            skia.GradientShader.MakeSweep(c, c, [int(skia.Color(*tone)) for tone in (GOLD, DEEP, GOLD, PALE, GOLD)])
        )
        turned.setStyle(skia.Paint.kStroke_Style)
        turned.setStrokeWidth(wide)
        sheet.disc(c, c, radius, turned)
    sheet.canvas.drawArc(skia.Rect.MakeLTRB(19, 19, 237, 237), 205, 62, False, ink(WHITE, 130, stroke=5, blur=1.5))
    sheet.canvas.drawArc(skia.Rect.MakeLTRB(19, 19, 237, 237), 30, 70, False, ink(BLACK, 90, stroke=9, blur=4))
    return sheet.image()


def seat() -> Image.Image:
    """A free place at the table: a stool of wood with an empty ring of brass round it."""
    sheet, c, random = Sheet(168, 168), 84, scatter("seat")
    sheet.disc(c, c, 80, ink((26, 16, 12), 235))
    sheet.disc(c, c, 63, radial((64, 56), 104, (0, (170, 120, 74)), (0.6, (110, 70, 42)), (1, (56, 32, 20))))
    for _ in range(26):
        turn, out = random.uniform(0, math.tau), random.uniform(10, 56)
        x, y = c + out * math.cos(turn), c + out * math.sin(turn)
        dab(sheet, x, y, random.uniform(3, 9), math.degrees(turn) + 90, (60, 34, 20), 90, flat=0.3)
    for radius in (48, 33, 18):
        sheet.disc(c, c, radius, ink((66, 36, 20), 120, stroke=2.5))
    sheet.disc(c, c, 74, ink(mix(theme.BRASS, BLACK, 0.3), stroke=9))
    sheet.canvas.drawArc(skia.Rect.MakeLTRB(10, 10, 158, 158), 190, 110, False, ink(PALE, 200, stroke=4))
    return sheet.image()


def rest() -> Image.Image:
    """The soft shadow on which a disc rests."""
    sheet = Sheet(160, 60)
    sheet.oval(22, 16, 138, 46, ink((6, 3, 12), 190, blur=9))
    return sheet.image()


def ribbon() -> Image.Image:
    """A ribbon in white silk, to be toned: its tails fold behind it."""
    sheet = Sheet(1000, 168)
    for side in (-1, 1):
        x = 500 + side * 380
        tail = polygon([(x, 40), (x + side * 118, 40), (x + side * 70, 100), (x + side * 118, 162), (x, 162)])
        tones = (0, (92, 84, 92)), (0.5, (176, 170, 176)), (1, (140, 132, 140))
        sheet.edged(tail, linear((x, 0), (x + side * 118, 0), *tones), (40, 34, 40), 5)
        fold = polygon([(x, 130), (x + side * 66, 130), (x, 162)])
        sheet.path(fold, ink((46, 38, 46)))
    band = skia.Path()
    band.addRoundRect(skia.Rect.MakeLTRB(54, 6, 946, 132), 6, 6)
    silk = (0, (214, 208, 212)), (0.22, (244, 240, 240)), (0.6, (226, 220, 224)), (1, (176, 168, 176))
    sheet.edged(band, linear((0, 6), (0, 132), *silk), (40, 34, 40), 6)
    for x, left, right in ((54, 70, 0), (826, 0, 70)):
        bend = linear((x, 0), (x + 120, 0), (0, BLACK, left), (0.5, WHITE, 60), (1, BLACK, right))
        sheet.box(x, 8, x + 120, 130, bend)
    for y in (18, 119):
        sheet.line((58, y), (942, y), ink(mix(theme.BRASS, WHITE, 0.35), stroke=3.5))
    return sheet.image()


def flag() -> Image.Image:
    """A pennant on a pole, without its word: brass cloth that flutters, its end forked."""
    sheet = Sheet(420, 56)
    shape = polygon([(6, 3), (417, 3), (404, 22), (417, 41), (6, 41)])
    brass = linear((0, 0), (0, 44), (0, (250, 214, 130)), (0.35, theme.BRASS), (1, (190, 138, 56)))
    sheet.edged(shape, brass, (43, 35, 32), 5)
    sheet.line((6, 6), (410, 6), ink(PALE, 220, stroke=2))
    sheet.box(1, 0, 9, 56, ink((43, 35, 32)), 3)
    sheet.box(3, 1, 7, 54, linear((3, 0), (7, 0), (0, PALE), (1, theme.BRASS_DARK)), 2)
    return sheet.image()


def token() -> Image.Image:
    """The face of a token: a coin of brass."""
    sheet = Sheet(96, 96)
    sheet.disc(48, 48, 47, ink((43, 28, 20)))
    coin(sheet, 48, 46, 44, theme.BRASS)
    return sheet.image()


def medal() -> Image.Image:
    """A medal on a ribbon, a star on its face."""
    sheet = Sheet(150, 200)
    for side in (-1, 1):
        tail = polygon([(75 + side * 8, 84), (75 + side * 46, 4), (75 + side * 8, 4), (75 - side * 14, 60)])
        red = linear((75, 0), (75 + side * 46, 0), (0, (120, 20, 36)), (1, (206, 52, 58)))
        sheet.edged(tail, red, (40, 10, 20), 4)
        sheet.line((75 + side * 36, 6), (75 + side * 4, 76), ink(theme.BRASS_LIGHT, stroke=4))
    sheet.disc(75, 130, 66, ink((50, 26, 10)))
    coin(sheet, 75, 128, 62)
    star = _star(75, 129, 34)
    sheet.path(polygon([(x + 1.5, y + 2.5) for x, y in star]), ink(DEEP))
    sheet.path(polygon(star), linear((50, 100), (100, 160), (0, WHITE), (0.5, PALE), (1, GOLD)))
    return sheet.image()


def laurel() -> Image.Image:
    """A wreath of gilded laurel, open above, tied below."""
    sheet, c, random = Sheet(320, 320), 160, scatter("laurel")
    for side in (-1, 1):
        turns = [math.radians(degrees) for degrees in range(4, 152, 8)]
        stem = [(c + side * math.sin(turn) * 128, c + math.cos(turn) * 128) for turn in turns]
        sheet.path(smooth(stem), ink((70, 44, 16), stroke=7))
        for number, (x, y) in enumerate(stem[1:]):
            along = math.degrees(math.atan2(y - stem[number][1], x - stem[number][0]))
            for lean in (-34, 30, -4):
                size = random.uniform(25, 31) * (1 - number * 0.018)
                turn = math.radians(along + lean)
                dx, dy = math.cos(turn) * size * 0.8, math.sin(turn) * size * 0.8
                light = 0.5 - 0.5 * math.sin(math.radians(along + lean + 50)) * side
                tone = mix((92, 80, 26), (236, 204, 104), min(1, max(0, light + random.uniform(-0.2, 0.2))))
                dab(sheet, x + dx + 1, y + dy + 2, size + 2, along + lean, (44, 32, 14))
                dab(sheet, x + dx, y + dy, size, along + lean, tone, flat=0.92)
                dab(sheet, x + dx, y + dy - 2, size * 0.7, along + lean, mix(tone, PALE, 0.4), 150, flat=0.4)
    wax(sheet, c, 288, 24, (176, 40, 40), random)
    return sheet.image()


def paper() -> Image.Image:
    """A sheet of paper with worn edges: what is written down lies on it."""
    wide, tall, random = 1152, 900, scatter("paper")
    across, down = range(10, wide - 10, 26), range(10, tall - 10, 26)
    corners = [*((x, 7) for x in across), *((wide - 7, y) for y in down), *((x, tall - 8) for x in across[::-1]),
               *((7, y) for y in down[::-1])]  # fmt: skip
    edge: list[Point] = [(x + random.uniform(-3, 3), y + random.uniform(-3, 3)) for x, y in corners]
    sheet, shape = Sheet(wide, tall, 1), smooth(edge, closed=True)
    sheet.path(shape, ink((120, 84, 44)))

    def sheet_of_paper() -> None:
        sheet.box(0, 0, wide, tall, ink((244, 229, 194)))
        sides = (
            ((0, 0, wide, 46), ((0, 0), (0, 46))),
            ((0, tall - 60, wide, tall), ((0, tall), (0, tall - 60))),
            ((0, 0, 46, tall), ((0, 0), (46, 0))),
            ((wide - 46, 0, wide, tall), ((wide, 0), (wide - 46, 0))),
        )
        for box, (start, end) in sides:
            worn = linear(start, end, (0, (176, 128, 70), 150), (0.3, (206, 166, 106), 70), (1, (244, 229, 194), 0))
            sheet.box(*box, worn)

    sheet.inside(shape, sheet_of_paper)
    sheet.path(shape, ink((255, 250, 228), 200, stroke=1.6))
    return sheet.image()


def stone() -> Image.Image:
    """A block of hewn stone, its left side lit, its right side in shade."""
    sheet = Sheet(600, 460)
    box = (14.0, 0.0, 586.0, 460.0)
    sheet.box(*box, ink((30, 25, 38)))
    stones(sheet, box, scatter("stone"), ((92, 84, 104), (118, 104, 118), (70, 66, 92)), 46, (255, 214, 160))
    sheet.box(14, 0, 90, 460, linear((14, 0), (90, 0), (0, (255, 214, 160), 60), (1, (255, 214, 160), 0)))
    sheet.box(470, 0, 586, 460, linear((470, 0), (586, 0), (0, (14, 8, 30), 0), (1, (14, 8, 30), 150)))
    sheet.fall(14, 0, 586, 40, (0, (10, 6, 22), 190), (1, (10, 6, 22), 0))
    return sheet.image()


def table() -> Image.Image:
    """The stage of a game without one of its own: a table of dark wood by evening, in the light of a lamp."""
    sheet, random = Sheet(1200, 1240, 1), scatter("table")
    sheet.box(0, 0, 1200, 1240, ink((52, 34, 28)))
    y = 0.0
    while y < 1240:
        tall = random.uniform(96, 128)
        tone = mix((74, 47, 36), (56, 36, 32), random.random())
        board = skia.Path()
        board.addRect(skia.Rect.MakeLTRB(-6, y, 1206, y + tall - 3))
        wood(sheet, board, (-6, y, 1206, y + tall - 3), random, tone, mix(tone, BLACK, 0.5))
        for _ in range(3):
            knot = random.uniform(0, 1200), y + random.uniform(20, tall - 24), random.uniform(4, 9)
            dab(sheet, *knot, 0, mix(tone, BLACK, 0.5), 150, BLOB, 0.5)
        y += tall
    whole = vignette(sheet.image().convert("RGB"), ROOM, 0.86, (600, 520), 0.12)
    return grain(whole, 2.2, 3)


def flourish() -> Image.Image:
    """Paint the rule round a certificate: two lines of brown ink, which end in scrolls and a leaf at each corner."""
    wide, tall, tone = 1092, 372, (150, 96, 52)
    sheet = Sheet(wide, tall, 2)
    for inset, stroke, alpha in ((8, 3.4, 190), (17, 1.6, 150)):
        cut = 46 - inset
        left, top, right, foot = inset, inset, wide - inset, tall - inset
        for y in (top, foot):
            sheet.line((left + cut, y), (right - cut, y), ink(tone, alpha, stroke=stroke))
        for x in (left, right):
            sheet.line((x, top + cut), (x, foot - cut), ink(tone, alpha, stroke=stroke))
    ways = [(n / 4, 3 + 2.1 * n / 4) for n in range(21)]
    scroll = [(40 + math.cos(turn) * far, 13 + math.sin(turn) * far) for turn, far in ways]
    for x, y, across, down in ((8, 8, 1, 1), (wide - 8, 8, -1, 1), (8, tall - 8, 1, -1), (wide - 8, tall - 8, -1, -1)):
        with sheet.moved(x, y, 0, across, down):
            for points in (scroll, [(py, px) for px, py in scroll]):
                sheet.path(smooth(points), ink(tone, 190, stroke=2.6))
            for angle, size in ((45, 15), (14, 10), (76, 10)):
                turn = math.radians(angle)
                dab(sheet, 8 + 20 * math.cos(turn), 8 + 20 * math.sin(turn), size, angle, tone, 200, flat=0.8)
    return sheet.image()


SPRITES: dict[str, Callable[[], Image.Image]] = {
    "crown": crown, "ring": ring, "seat": seat, "rest": rest, "ribbon": ribbon, "flag": flag,
    "token": token, "medal": medal, "laurel": laurel, "flourish": flourish,
    "paper": paper, "stone": stone,
    "table": table, **SIGILS, "vignette": vignettes.vignette,
}  # fmt: skip
