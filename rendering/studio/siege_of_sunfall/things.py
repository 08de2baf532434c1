"""Siege of Sunfall's things: standards, cards, coins, seals, plates, the edge of the walk."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Pen, Point, mix
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.pieces import SIGNS, TINTS
from rendering.studio import brush
from rendering.studio.brush import BLACK, WHITE, Sheet, coin, ink, linear, lit_edge, polygon, shadow, smooth, stones
from rendering.studio.siege_of_sunfall.drawing import RIM, draw
from rendering.studio.siege_of_sunfall.stage import EMBER, STONE

CREAM: Colour = (255, 244, 222)
GOLDEN: Colour = (240, 196, 104)
BRONZE: Colour = (142, 82, 22)
CLOTH = (300, 470)
"""The size of a standard."""
SIGN_AT = {"crown": (170, 240), "end": (170, 240)}
"""The size of a sign on a standard, and how far down its middle is; of the others OTHERS."""
OTHERS = (136, 316)
PLATES: dict[str, Colour] = {"turn": (226, 180, 94), "sealed": emblems.WAX, "idle": (66, 54, 74)}
FIRE = """L ink/17 46,88 46,112; L wood/9 46,90 46,110; S #ec5c22! 46,2 66,34 62,58 46,66 30,58 24,34
S #ffac38! 46,22 58,44 56,60 46,66 36,60 34,44; S #fff2ba! 46,40 53,52 46,64 39,52
P dark! 18,62 74,62 60,92 32,92; L gold/4 18,62 74,62"""
FOLDS = ((0, BLACK, 46, 26), (3, BLACK, 52, 10), (24, WHITE, 22, 15), (22, WHITE, 26, 5))
CARDS = ("swords", "helmet", "bow", "boost", "gold")
TINT = {kind.value: tint for kind, tint in TINTS.items()}
SIGN = {kind.value: sign for kind, sign in SIGNS.items()}


def sign(sheet: Sheet, kind: str, size: int, at: Point, colour: Colour, cut: Colour) -> None:
    """Paint the sign of a kind in two colours; `at`: its middle."""
    pen = Pen(size, size)
    SIGN[kind](pen, size / 2, size / 2, size * 0.94, colour, cut)
    sheet.lay(pen.sheet.reduce(4), at[0] - size / 2, at[1] - size / 2)


def sunburst(sheet: Sheet, x: float, y: float, size: float, colour: Colour) -> None:
    """Paint the city's sun."""
    for number in range(16):
        angle, out = number * math.tau / 16, size if number % 2 else size * 0.8
        rays = (-0.14, 0.4 * size), (0, out), (0.14, 0.4 * size)
        tips = [(x + r * math.cos(angle + turn), y + r * math.sin(angle + turn)) for turn, r in rays]
        sheet.path(polygon(tips), ink(colour))
    sheet.disc(x, y, size * 0.44, ink(colour))
    sheet.disc(x, y, size * 0.34, linear((0, y - size), (0, y + size), (0.2, mix(colour, WHITE, 0.6)), (0.8, colour)))


def banner(kind: str) -> Image.Image:
    """Paint the standard of a kind, without its number; that of the city has the sun."""
    wide, tall = CLOTH
    sheet, tint, middle = Sheet(wide, tall), TINT.get(kind, (120, 44, 60)), wide / 2
    draw(sheet, f"L ink/15 {middle},24 {middle},{tall}\nL wood/4 {middle + 3},24 {middle + 3},{tall}")

    def cloth(inset: float) -> list[Point]:
        foot = tall - 30 - inset
        half = [(0.0, 38.0), (3, tall * 0.3), (-3, tall * 0.6), (2, foot - 76), (64 - inset / 2, foot - 48)]
        left = [(22 + inset + x, y) for x, y in half]
        return [*left, (middle, foot), *((wide - x, y) for x, y in reversed(left))]

    shine = ((0, BLACK, 0.25), (0.3, WHITE, 0), (0.6, BLACK, 0.2), (0.8, WHITE, 0.2), (1, BLACK, 0.3))
    gold = [(at, mix(GOLDEN, shade, part)) for at, shade, part in shine]
    sheet.path(polygon(cloth(-4)), ink((18, 8, 22)))
    sheet.path(polygon(cloth(0)), linear((22, 0), (wide - 22, 0), *gold))

    def weave() -> None:
        sheet.box(0, 0, wide, tall, ink(mix(tint, WHITE, 0.04)))
        for number, (x, swing) in enumerate(((44, 6), (96, -7), (150, 5), (206, -6), (256, 7))):
            points = [(x + swing * math.sin(step * 0.8 + number), 30.0 + 64 * step) for step in range(8)]
            for across, tone, alpha, thick in FOLDS:
                sheet.path(smooth([(px + across, py) for px, py in points]), ink(tone, alpha, stroke=thick))
        dusk = (0, (10, 4, 24), 120), (0.16, (10, 4, 24), 0), (0.62, (10, 4, 24), 0), (1, (255, 140, 70), 80)
        sheet.box(0, 0, wide, tall, linear((0, 30), (0, tall), *dusk))

    sheet.inside(polygon(cloth(9)), weave)
    sheet.path(polygon(cloth(17)), ink(mix(tint, GOLDEN, 0.7), 130, stroke=2))
    if kind in SIGN:
        size, down = SIGN_AT.get(kind, OTHERS)
        sign(sheet, kind, size, (middle + 2, down + 4), mix(tint, BLACK, 0.6), mix(tint, BLACK, 0.6))
        sign(sheet, kind, size, (middle, down), CREAM, mix(tint, BLACK, 0.2))
    else:
        sunburst(sheet, middle, 226, 82, GOLDEN)
    draw(sheet, "L ink/17 10,32 290,32; L wood/6 12,30 288,30; P gold 135,18 150,-2 165,18 150,30")
    for x in (14, wide - 14):
        coin(sheet, x, 32, 13, GOLDEN)
    return lit_edge(sheet.image(), RIM, -3, 0, 0.5)


def card(kind: str) -> Image.Image:
    """Paint a card that a player has taken: a small banner in its colour with its sign."""
    wide, tall, tint = 84, 112, TINT[kind]
    sheet, cloth = Sheet(wide, tall), "{0},8 {1},8 {1},86 42,{2} {0},86"
    edges = [[(float(x), float(y)) for x, y in (one.split(",") for one in cloth.format(at, wide - at, foot).split())]
             for at, foot in ((1, 111), (3, 108), (8, 102))]  # fmt: skip
    gold = linear((0, 0), (wide, 0), (0, GOLDEN), (0.5, mix(GOLDEN, BLACK, 0.2)), (1, GOLDEN))
    silk = linear((0, 8), (0, tall), (0, mix(tint, BLACK, 0.2)), (0.3, mix(tint, WHITE, 0.1)), (1, tint))
    for edge, paint in zip(edges, (ink((24, 12, 22)), gold, silk), strict=True):
        sheet.path(polygon(edge), paint)
    sign(sheet, kind, 72, (wide / 2 + 1, 52), mix(tint, BLACK, 0.6), mix(tint, BLACK, 0.6))
    sign(sheet, kind, 72, (wide / 2, 50), CREAM, mix(tint, BLACK, 0.1))
    draw(sheet, "L ink/11 6,7 78,7; L gold/5 6,6 78,6")
    return sheet.image()


def money() -> Image.Image:
    """Paint a coin with the sun."""
    sheet = Sheet(84, 88)
    sheet.disc(42, 46, 40, ink((64, 32, 10), 200))
    coin(sheet, 42, 42, 40, (238, 184, 80))
    sunburst(sheet, 42, 42, 26, BRONZE)
    sheet.disc(41, 41, 9, ink((250, 214, 130)))
    return sheet.image()


def flat() -> Image.Image:
    """Paint a coin that lies flat: one of a stack."""
    sheet, edge = Sheet(96, 52), (176, 112, 34)
    sheet.oval(1, 15, 95, 51, ink((50, 24, 10)))
    side = (0, mix(edge, BLACK, 0.3)), (0.3, mix(edge, WHITE, 0.4)), (0.55, edge), (1, mix(edge, BLACK, 0.5))
    sheet.oval(2, 14, 94, 49, linear((2, 0), (94, 0), *side))
    for number in range(13):
        x = 10 + 6.4 * number
        y = 31 + 17 * math.sqrt(1 - ((x - 48) / 46) ** 2)
        sheet.line((x, y - 11), (x, y - 3), ink((90, 48, 16), 120, stroke=2))
    sheet.oval(1, 1, 95, 37, ink((70, 36, 12)))
    face = (0, (255, 244, 186)), (0.5, (240, 188, 88)), (1, (190, 124, 42))
    sheet.oval(2, 1.5, 94, 36, linear((2, 0), (94, 36), *face))
    sheet.oval(13, 6, 83, 31, ink((160, 98, 30), stroke=2.4))
    sheet.oval(32, 13, 64, 25, ink((160, 98, 30)))
    return sheet.image()


def seal() -> Image.Image:
    """Paint a seal of wax with a tick."""
    sheet = Sheet(92, 92)
    brush.wax(sheet, 46, 45, 42, emblems.WAX, scatter("wax"))
    draw(sheet, "C wine/12 30,47 42,60 64,33\nC bone/8 30,45 42,58 64,31")
    return shadow(sheet.image(), BLACK, 150, 2, 0, 3)


def plate(tone: Colour) -> Image.Image:
    """Paint the plate under a name; its middle may be left out."""
    wide, tall = 420, 60
    sheet = Sheet(wide, tall)
    sheet.box(0, 1, wide, tall, ink((14, 8, 18)), 12)
    sheet.box(2, 2, wide - 2, tall - 3, ink(mix(tone, BLACK, 0.5)), 11)
    face = (0, mix(tone, WHITE, 0.35)), (0.18, mix(tone, WHITE, 0.08)), (0.6, tone), (1, mix(tone, BLACK, 0.2))
    sheet.box(3, 2.5, wide - 3, tall - 7, linear((0, 2), (0, tall - 6), *face), 10)
    sheet.box(8, 7.5, wide - 8, tall - 12, ink(mix(tone, BLACK, 0.35), 110, stroke=1.6), 6)
    return sheet.image()


def standard() -> Image.Image:
    """Paint an army's standard on a long pole, whose foot is hidden."""
    sheet, cloth = Sheet(120, 460), "24,16 52,10 82,20 116,12 108,40 116,70 84,80 54,68 24,76"
    draw(sheet, f"L ink/11 22,8 22,460; L wood/6 22,8 22,460; S ink/6 {cloth}; S #9654a0 {cloth}; O gold 14,1 30,17")
    sunburst(sheet, 68, 44, 26, GOLDEN)
    return lit_edge(sheet.image(), RIM, 0, 3, 0.7)


def fire() -> Image.Image:
    """Paint a torch that still burns, as one of a row: a basket of iron full of fire."""
    sheet = Sheet(92, 116)
    draw(sheet, FIRE)
    return sheet.image()


def ledge() -> Image.Image:
    """Paint the edge of the wall's walk, on which the guards stand before the city: hewn stone under a lit slab."""
    sheet = Sheet(1200, 240)
    sheet.box(0, 26, 1200, 240, ink((24, 14, 28)))
    stones(sheet, (-10, 34, 1210, 240), scatter("ledge"), STONE, 52, EMBER)
    sheet.fall(0, 34, 1200, 240, (0, (12, 6, 22), 110), (0.16, (12, 6, 22), 30), (1, (12, 6, 22), 120))
    for left in range(-60, 1200, 180):
        sheet.box(left, 2, left + 178, 34, ink((28, 14, 22)), 5)
        sheet.fall(left + 1, 3, left + 177, 31, (0, EMBER), (0.16, STONE[1]), (0.7, STONE[0]), (1, STONE[2]), radius=4)
    return sheet.image()


def tower() -> Image.Image:
    """Paint a tower of the wall, lit at its windows, that is cut to the height of a figure."""
    wide, tall = 210, 520
    sheet, edge = Sheet(wide, tall), polygon([(22.0, 40.0), (188.0, 40.0), (188.0, 520.0), (22.0, 520.0)])
    sheet.path(edge, ink((24, 14, 28)))
    stones(sheet, (24, 62, 186, tall), scatter("tower"), TOWER, 38, EMBER)
    sheet.path(edge, linear((22, 0), (188, 0), (0, EMBER, 70), (0.3, EMBER, 0), (0.6, BLACK, 0), (1, BLACK, 150)))
    for y in range(120, tall, 150):
        sheet.box(92, y, 118, y + 62, ink(EMBER, 120, blur=14), 13)
        sheet.box(93, y, 117, y + 60, ink((30, 14, 26)), 12)
        sheet.box(97, y + 5, 113, y + 60, linear((0, y), (0, y + 60), (0, (255, 222, 140)), (1, (232, 116, 50))), 8)
    for left in (6, 84, 162):
        sheet.box(left, 0, left + 42, 50, ink((24, 14, 28)), 3)
        stones(sheet, (left + 2, 8, left + 40, 46), scatter(f"merlon {left}"), TOWER, 38, EMBER)
        sheet.fall(left, 0, left + 42, 8, (0, (255, 214, 150)), (1, (206, 120, 76)), radius=3)
    sheet.fall(6, 42, 204, 62, (0, (244, 180, 120)), (0.4, (150, 86, 70)), (1, (70, 40, 52)), radius=4)
    return sheet.image()


TOWER: tuple[Colour, ...] = ((124, 82, 84), (150, 104, 94), (92, 58, 72), (134, 92, 98))
SPRITES: dict[str, Callable[[], Image.Image]] = {
    **{f"banner_{kind}": partial(banner, kind) for kind in (*SIGN, "city")},
    **{f"card_{kind}": partial(card, kind) for kind in CARDS},
    **{f"plaque_{state}": partial(plate, tone) for state, tone in PLATES.items()},
    "coin": money, "flat": flat, "seal": seal, "standard": standard, "tower": tower, "fire": fire,
    "ledge": ledge,
}  # fmt: skip
