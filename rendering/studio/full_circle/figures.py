"""The glaziers, one for each disc of a seat: half-figures in its colour, with eight hats and eight tools."""

# Points and tones are read in rows.
# fmt: off
from __future__ import annotations

from collections.abc import Callable

import skia
from PIL import Image

from rendering.core.discs import COLOURS
from rendering.core.sprites import Colour, Point, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, between, ink, linear, lit_edge, polygon, radial, smooth

WIDE, TALL = 200, 224
FINE = 1.5
"""How much larger it is painted."""
X = 100.0
"""The middle of a figure; its chest, with the roundel, is at (X, CHEST)."""
CHEST = 158.0
RIM: Colour = (255, 214, 138)
SKINS: tuple[Colour, ...] = ((226, 172, 130), (150, 98, 66), (244, 178, 126), (196, 138, 98), (214, 158, 118), (120,
    76, 52), (242, 200, 164), (176, 120, 84))
IRON: Colour = (112, 110, 126)
WOOD: Colour = (146, 98, 58)


def _shape(sheet: Sheet, points: list[Point], tone: Colour, *, smoothly: bool = True) -> skia.Path:
    """Paint a closed shape, lit from above."""
    path = smooth(points, closed=True) if smoothly else polygon(points)
    box = path.getBounds()
    sheet.path(path, linear((0, box.top()), (0, box.bottom()), (0, mix(tone, WHITE, 0.16)), (0.45, tone), (1,
        mix(tone, BLACK, 0.34))))
    return path


def _body(sheet: Sheet, colour: Colour) -> None:
    """Paint a tunic with sleeves, and over it an apron of leather."""
    deep = mix(colour, (16, 8, 24), 0.42)
    tunic = _shape(sheet, [(44, 226), (46, 168), (54, 124), (78, 106), (100, 102), (122, 106), (146, 124), (154, 168),
        (156, 226)], mix(colour, WHITE, 0.04))

    def folds() -> None:
        for x, lean in ((62, -6), (84, -2), (118, 3), (140, 7)):
            sheet.path(between([(x, 112), (x + lean, 226)], [(x + 3, 112), (x + lean + 13, 226)]), ink(deep, 90))

    sheet.inside(tunic, folds)
    apron = _shape(sheet, [(68, 136), (132, 136), (140, 228), (60, 228)], (104, 66, 42), smoothly=False)
    sheet.path(apron, ink((58, 34, 22), stroke=2.4))
    sheet.path(polygon([(72, 138), (84, 108)], closed=False), ink((92, 58, 36), stroke=7))
    sheet.path(polygon([(128, 138), (116, 108)], closed=False), ink((92, 58, 36), stroke=7))
    sheet.line((66, 141), (134, 141), ink((166, 116, 76), 190, stroke=1.6))


def _arms(sheet: Sheet, colour: Colour, skin: Colour, right: bool, high: float) -> None:
    """Paint both arms: one hand holds the roundel before the chest, the other, `high` or low, a tool."""
    hand = radial((-3, -4), 18, (0, mix(skin, WHITE, 0.15)), (1, mix(skin, BLACK, 0.3)))
    top = [(30, 106), (48, 112)]
    held = [*top, (62, 136), (68, 166), (60, 192), (42, 200), (34, 184), (44, 172), (38, 150), (28, 128)]
    raised = [*top, (64, 132), (72, 140), (66, high), (84, high - 4), (94, 142), (84, 168), (66, 170), (36, 136)]
    for side, shape, (x, y) in ((-1, held, (38, 182)), (1, raised, (76, high - 4))):
        with sheet.moved(X, 0, 0, side if right else -side, 1):
            path = smooth(shape, closed=True)
            pale = mix(colour, WHITE, 0.2 if (side < 0) == right else 0.04)
            sheet.path(path, ink(mix(colour, BLACK, 0.55), stroke=2.4))
            sheet.path(path, linear((30, 110), (66, 196), (0, pale), (0.5, colour), (1, mix(colour, BLACK, 0.42))))
            sheet.path(smooth([(44, 150), (54, 155), (64, 148)]), ink(mix(colour, BLACK, 0.45), 150, stroke=2))
            with sheet.moved(x, y):
                sheet.oval(-12, -14, 12, 14, hand)


def _head(sheet: Sheet, skin: Colour, *, brows: Colour, smile: float = 3) -> None:
    """Paint neck, ears and face."""
    sheet.box(88, 84, 112, 112, ink(mix(skin, BLACK, 0.3)), 8)
    for side in (-1, 1):
        sheet.oval(X + 30 * side - 6, 62, X + 30 * side + 6, 80, ink(mix(skin, BLACK, 0.16)))
    face = [(70, 56), (72, 40), (100, 32), (128, 40), (130, 56), (128, 78), (116, 94), (100, 99), (84, 94), (72, 78)]
    sheet.path(smooth(face, closed=True), radial((92, 56), 52, (0, mix(skin, WHITE, 0.2)), (0.55, skin), (1, mix(skin,
        (60, 20, 30), 0.45))))
    for side in (-1, 1):
        sheet.oval(X + 13 * side - 4, 61, X + 13 * side + 4, 71, ink((36, 24, 28)))
        sheet.disc(X + 13 * side - 1, 64, 1.5, ink(WHITE))
        sheet.path(smooth([(X + 6 * side, 55), (X + 13 * side, 52), (X + 20 * side, 55)]), ink(brows, stroke=3.6))
        sheet.oval(X + 21 * side - 7, 72, X + 21 * side + 7, 81, ink((226, 96, 80), 60, blur=2))
    sheet.path(smooth([(100, 62), (104, 74), (97, 77)]), ink(mix(skin, (90, 30, 20), 0.45), stroke=3))
    sheet.path(smooth([(91, 84), (100, 84 + smile), (109, 84)]), ink(mix(skin, (110, 20, 30), 0.66), stroke=3))


def _beard(sheet: Sheet, tone: Colour, long: float) -> None:
    sheet.path(smooth([(69, 62), (76, 78), (90, 78), (100, 75), (110, 78), (124, 78), (131, 62), (130, 88), (116,
        96 + long * 0.6), (100, 98 + long), (84, 96 + long * 0.6), (70, 88)], closed=True), linear((0, 62), (0,
        100 + long), (0, mix(tone, WHITE, 0.2)), (1, mix(tone, BLACK, 0.3))))
    sheet.path(smooth([(92, 86), (100, 89), (108, 86)]), ink(mix(tone, BLACK, 0.6), stroke=3.4))


def _moustache(sheet: Sheet, tone: Colour) -> None:
    for side in (-1, 1):
        sheet.path(smooth([(X, 79), (X + 14 * side, 78), (X + 27 * side, 72), (X + 22 * side, 84), (X + 8 * side,
            86)], closed=True), ink(tone))


def _cap(sheet: Sheet, colour: Colour) -> None:
    _moustache(sheet, (86, 60, 48))
    _shape(sheet, [(64, 48), (66, 24), (92, 10), (126, 14), (138, 34), (134, 48), (100, 42)], mix(colour, BLACK, 0.12))
    _shape(sheet, [(62, 46), (100, 38), (138, 46), (140, 54), (100, 47), (60, 54)], mix(colour, BLACK, 0.42))
    sheet.disc(104, 12, 5, ink(mix(colour, WHITE, 0.2)))


def _hood(sheet: Sheet, colour: Colour) -> None:
    outer = [(100, 2), (124, 10), (142, 42), (142, 78), (134, 112), (100, 122), (66, 112), (58, 78), (58, 42), (76, 10)]
    inner = [(100, 30), (122, 40), (127, 62), (124, 86), (114, 100), (100, 104), (86, 100), (76, 86), (73, 62), (78,
        40)]
    path = smooth(outer, closed=True)
    path.addPath(smooth(inner, closed=True))
    path.setFillType(skia.PathFillType.kEvenOdd)
    sheet.path(path, linear((0, 0), (0, 120), (0, mix(colour, WHITE, 0.16)), (1, mix(colour, BLACK, 0.35))))
    sheet.path(smooth(inner, closed=True), ink(mix(colour, BLACK, 0.6), 170, stroke=5))
    _shape(sheet, [(92, 6), (108, 6), (118, -8), (104, -2)], colour)


def _straw(sheet: Sheet, colour: Colour) -> None:
    straw = (226, 182, 96)
    _shape(sheet, [(40, 46), (70, 36), (100, 33), (130, 36), (160, 46), (130, 53), (100, 50), (70, 53)], mix(straw,
        BLACK, 0.1))
    _shape(sheet, [(72, 40), (76, 14), (100, 6), (124, 14), (128, 40), (100, 36)], straw)
    sheet.path(smooth([(73, 36), (100, 30), (127, 36)]), ink(colour, stroke=8))
    for x in (82, 94, 106, 118):
        sheet.line((x, 12), (x - 2, 26), ink((170, 124, 52), 150, stroke=1.4))


def _bald(sheet: Sheet, colour: Colour) -> None:
    _beard(sheet, (196, 190, 196), 30)
    sheet.path(smooth([(70, 46), (100, 38), (130, 46)]), ink((54, 46, 52), stroke=8))
    for x in (84, 116):  # goggles on the forehead
        sheet.disc(x, 42, 13, ink((62, 52, 50)))
        sheet.disc(x, 42, 9.4, radial((x - 3, 38), 12, (0, (214, 240, 255)), (0.6, (96, 150, 196)), (1, (40, 70, 110))))
    sheet.oval(86, 26, 102, 33, ink(WHITE, 70))


def _scarf(sheet: Sheet, colour: Colour) -> None:
    for side in (-1, 1):
        sheet.path(smooth([(X + 27 * side, 50), (X + 33 * side, 66), (X + 26 * side, 86), (X + 24 * side, 66)],
            closed=True), ink((64, 38, 30)))
    _shape(sheet, [(66, 56), (66, 30), (82, 14), (100, 10), (118, 14), (134, 30), (134, 56), (118, 42), (100, 39),
        (82, 42)], mix(colour, BLACK, 0.06))
    for x, y in ((80, 28), (98, 22), (117, 27), (90, 36), (110, 36)):
        sheet.disc(x, y, 3, ink(mix(colour, (120, 40, 60), 0.6)))
    _shape(sheet, [(132, 46), (150, 34), (156, 44), (146, 52), (158, 62), (146, 64)], mix(colour, BLACK, 0.16))


def _tall(sheet: Sheet, colour: Colour) -> None:
    _beard(sheet, (46, 30, 30), 6)
    _shape(sheet, [(70, 42), (78, -4), (100, -10), (122, -4), (130, 42), (100, 36)], mix(colour, WHITE, 0.1))
    _shape(sheet, [(56, 44), (100, 34), (144, 44), (138, 52), (100, 44), (62, 52)], mix(colour, WHITE, 0.22))
    sheet.path(smooth([(72, 34), (100, 28), (128, 34)]), ink((214, 168, 84), stroke=6))
    sheet.box(93, 24, 107, 36, ink((248, 219, 150)), 2)


def _beret(sheet: Sheet, colour: Colour) -> None:
    for side in (-1, 1):
        sheet.path(smooth([(X + 26 * side, 44), (X + 37 * side, 62), (X + 31 * side, 92), (X + 24 * side, 70)],
            closed=True), ink((206, 128, 58)))
    _shape(sheet, [(60, 40), (58, 24), (84, 8), (124, 8), (146, 24), (136, 42), (100, 36)], mix(colour, BLACK, 0.14))
    sheet.path(smooth([(66, 42), (100, 35), (134, 42)]), ink(mix(colour, BLACK, 0.5), stroke=6))
    sheet.path(smooth([(126, 30), (140, 8), (156, -6), (154, 14), (138, 34)], closed=True), linear((126, 30), (156,
        -6), (0, (240, 236, 226)), (1, (206, 60, 60))))


def _curls(sheet: Sheet, colour: Colour) -> None:
    tone = (72, 40, 34)
    for x, y, size in ((70, 40, 15), (64, 60, 14), (66, 80, 13), (80, 24, 16), (100, 17, 18), (120, 24, 16), (130, 40,
        15), (136, 60, 14), (134, 80, 13)):
        sheet.disc(x, y, size, radial((x - 4, y - 5), size * 1.3, (0, mix(tone, (220, 150, 110), 0.45)), (0.6, tone),
            (1, mix(tone, BLACK, 0.4))))
    sheet.path(smooth([(68, 40), (84, 27), (100, 24), (116, 27), (132, 40)]), ink(colour, stroke=8))


HATS: tuple[Callable[[Sheet, Colour], None], ...] = (_cap, _hood, _straw, _bald, _scarf, _tall, _beret, _curls)


def _tool(sheet: Sheet, number: int) -> None:
    """Paint the tool that stands beside a glazier's head."""
    right = number % 2 == 0
    x = 172.0 if right else 28.0
    foot: Point = (X + 58 * (1 if right else -1), 182)
    dark, steel = mix(WOOD, BLACK, 0.5), mix(IRON, WHITE, 0.4)

    def pole(top: float, tone: Colour = WOOD, wide: float = 7) -> None:
        sheet.line(foot, (x, top), ink(mix(tone, BLACK, 0.55), stroke=wide + 2))
        sheet.line(foot, (x, top), ink(tone, stroke=wide))

    if number == 0:  # a hammer
        pole(46)
        _shape(sheet, [(x - 22, 34), (x + 14, 34), (x + 22, 28), (x + 22, 54), (x + 14, 50), (x - 22, 52)], steel,
            smoothly=False)
    elif number == 1:  # a ladder
        for dx in (-10, 10):
            sheet.line((foot[0] + dx, foot[1]), (x + dx, 6), ink(dark, stroke=8))
            sheet.line((foot[0] + dx, foot[1]), (x + dx, 6), ink(WOOD, stroke=5.4))
        for y in range(16, 180, 24):
            px = x + (foot[0] - x) * (y - 6) / (foot[1] - 6)
            sheet.line((px - 10, y), (px + 10, y), ink(mix(WOOD, WHITE, 0.12), stroke=5))
    elif number == 2:  # a soldering iron
        pole(70)
        sheet.line((x, 74), (x, 40), ink(IRON, stroke=6))
        _shape(sheet, [(x - 9, 46), (x - 7, 22), (x, 10), (x + 7, 22), (x + 9, 46)], (196, 110, 64))
        sheet.disc(x, 14, 12, ink((255, 150, 60), 120, blur=6))
    elif number == 3:  # a square
        pole(14, steel, 8)
        sheet.line((x - 4, 16), (x + 34, 16), ink(mix(IRON, BLACK, 0.5), stroke=12))
        sheet.line((x - 4, 16), (x + 34, 16), ink(steel, stroke=8.6))
    elif number == 4:  # a brush
        pole(66)
        sheet.box(x - 8, 50, x + 8, 68, ink(steel), 2)
        _shape(sheet, [(x - 9, 52), (x - 11, 30), (x, 8), (x + 11, 30), (x + 9, 52)], (222, 190, 140))
        _shape(sheet, [(x - 10, 30), (x, 8), (x + 10, 30), (x, 36)], (60, 40, 130))
    elif number == 5:  # pliers
        for side in (-1, 1):
            leg = [(foot[0] + 6 * side, foot[1]), (x + 12 * side, 110), (x, 62), (x - 9 * side, 30), (x - 3 * side, 18)]
            for tone, wide in ((mix(IRON, BLACK, 0.5), 9), (steel, 6)):
                sheet.path(smooth(leg), ink(tone, stroke=wide))
        sheet.disc(x, 64, 7, ink(mix(IRON, BLACK, 0.3)))
    elif number == 6:  # a coil of lead
        pole(60)
        for radius in (24, 17, 10):
            sheet.disc(x - 4, 40, radius + 3, ink((36, 34, 44)))
            sheet.disc(x - 4, 40, radius, ink(mix(IRON, WHITE, 0.1 + radius / 100)))
        sheet.disc(x - 4, 40, 6, ink((36, 34, 44)))
    else:  # a lantern on a pole
        pole(12)
        sheet.line((x, 14), (x + 20, 22), ink(IRON, stroke=5))
        sheet.disc(x + 20, 48, 30, ink((255, 190, 90), 110, blur=12))
        sheet.box(x + 9, 30, x + 31, 64, ink((48, 40, 40)), 4)
        sheet.box(x + 12, 35, x + 28, 59, radial((x + 20, 48), 18, (0, (255, 250, 206)), (1, (255, 170, 60))), 3)


def glazier(number: int) -> Image.Image:
    """Paint the glazier of the disc with that number."""
    colour, skin = COLOURS[number], SKINS[number]
    if sum(colour) < 200:
        colour = mix(colour, WHITE, 0.14)
    sheet = Sheet(round(WIDE * FINE), round(TALL * FINE), 2)
    sheet.canvas.translate(0, 14 * FINE)
    sheet.canvas.scale(FINE, FINE * (TALL - 14) / TALL)
    lean = (-3, 4, 3, -4, -3, 3, 4, -3)[number]  # the weight on one leg
    with sheet.moved(X, 230, lean):
        sheet.canvas.translate(-X - lean, -230)
        _body(sheet, colour)
    _tool(sheet, number)
    with sheet.moved(X, 104, (-7, 4, 6, -4, -6, 5, 8, -5)[number], 1, (1, 1, 0.97, 1.03, 1, 0.96, 1.04, 1)[number]):
        sheet.canvas.translate(-X, -104)
        brows = (196, 190, 196) if number == 3 else (62, 38, 32)
        _head(sheet, skin, brows=brows, smile=(3, 4, 5, 2, 5, 2, 4, 5)[number])
        HATS[number](sheet, colour)
    _arms(sheet, colour, skin, number % 2 == 0, (112, 124, 104, 118, 110, 126, 116, 106)[number])
    return lit_edge(lit_edge(sheet.image(), RIM, 0, 3, 0.75), RIM, 1, 1, 0.35)
