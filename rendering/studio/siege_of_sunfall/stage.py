"""Siege of Sunfall's place: skies in three lights, the sun, the field with the far host, the wall and its walk.

All are parts of one scene, which the bot puts together at the height of a page: the sky ends at the horizon, the field
begins `LAND` pixels above it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from typing import NamedTuple

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.studio.brush import (
    BLACK,
    BLOB,
    Sheet,
    dab,
    ground,
    ink,
    linear,
    polygon,
    radial,
    screened,
    smooth,
    stones,
)
from rendering.studio.pack import flat
from rendering.studio.siege_of_sunfall.drawing import draw

WIDTH, SKY, OVER, LAND, FIELD = 1200, 460, 160, 140, 340
"""The width of all; the height of a sky, and of what high pages show over it; what of the land is above the horizon;
the height of the land.
"""
SUN_AT, SUN = 742, 80
"""The middle of the sun, and its radius."""
WALL, WALK, LEDGE = 150, 880, 14
"""The height of the wall, the depth of the walk below it, the thickness of the wall's lit upper edge."""
MERLON, MERLONS = 66, tuple(range(12, 1200, 196))
"""The height of the merlons above the wall, and their middles: six guards stand between them."""
EMBER: Colour = (255, 178, 98)
"""The colour of light on the edges of stones."""
STONE: tuple[Colour, ...] = ((74, 48, 60), (102, 66, 68), (44, 28, 46), (88, 64, 78))


class Light(NamedTuple):
    """The colours of the sky from above to the horizon; of three chains of hills; of the field from far to near; of
    those who stand on it, far and near; the light round the sun, and where it is in the sky.
    """

    sky: tuple[Colour, ...]
    hills: tuple[Colour, ...]
    field: tuple[Colour, Colour, Colour]
    host: tuple[Colour, Colour]
    glow: Colour
    low: float


LIGHTS: dict[str, Light] = {
    "day": Light(
        ((38, 34, 84), (74, 60, 122), (150, 98, 134), (226, 142, 112), (252, 192, 116), (255, 226, 158)),
        ((206, 132, 118), (160, 96, 112), (112, 66, 98)), ((206, 132, 92), (126, 78, 84), (58, 38, 62)),
        ((150, 92, 104), (84, 46, 74)), (255, 232, 170), 0.8,
    ),
    "evening": Light(
        ((24, 16, 50), (58, 24, 74), (122, 38, 88), (200, 68, 80), (244, 128, 68), (255, 196, 104)),
        ((196, 84, 80), (146, 54, 80), (96, 36, 70)), ((160, 66, 66), (80, 36, 58), (36, 18, 42)),
        ((128, 50, 72), (66, 26, 54)), (255, 214, 130), 0.92,
    ),
    "dusk": Light(
        ((12, 12, 38), (26, 18, 60), (60, 24, 78), (126, 34, 80), (202, 66, 70), (250, 138, 78)),
        ((142, 52, 80), (98, 36, 76), (60, 26, 64)), ((112, 44, 66), (56, 26, 56), (26, 14, 38)),
        ((92, 36, 68), (46, 20, 50)), (255, 168, 92), 1.0,
    ),
}  # fmt: skip
CLOUDS = (
    (180, -70, 620, 40), (980, -40, 480, 34),
    (60, 96, 430, 46), (520, 40, 560, 30), (1010, 92, 520, 50), (330, 178, 360, 38), (1130, 196, 420, 74),
    (30, 268, 520, 120), (500, 270, 220, 14), (1040, 306, 380, 60), (290, 344, 300, 44), (560, 352, 200, 14),
    (905, 372, 260, 20), (1140, 380, 240, 30), (90, 392, 320, 26), (400, 408, 300, 14), (640, 420, 170, 7),
    (840, 424, 200, 9), (1060, 428, 260, 12), (180, 430, 280, 10),
)  # fmt: skip
"""Clouds from above to the horizon: the middle and the line of the foot of each, how long and how high it is."""
TOWER = "P far! 0,8 0,-92 42,-92 42,8\nP far! -5,-92 21,-117 47,-92\nP far! 21,-114 21,-136 40,-129 21,-122" + "".join(
    f"\nP glow! 15,{y} 26,{y} 26,{y + 11} 15,{y + 11}" for y in (-78, -52, -26)
)
TENT = "P far! 0,8 26,-26 52,8"
CATAPULT = "L far/6 0,8 30,-39 62,8\nL far/5 -18,-12 84,-70\nO far! -28,-17 -12,-1"
ENGINES = ((322, 0.8, TOWER), (1052, 1, TOWER), (1128, 0.64, TOWER), (86, 0.6, TOWER), (180, 1, TENT), (226, 0.8, TENT),
           (450, 0.8, TENT), (920, 1.1, TENT), (974, 0.8, TENT), (600, 0.6, TENT), (516, 1, CATAPULT))  # fmt: skip
"""What stands on the horizon: where, and how large."""
ROOF = 97
"""How far down the rafters of the roof reach."""
EDGE = ((6, 168), (26, 182), (22, 204), (50, 212), (46, 236), (70, 246), (66, 268), (96, 284), (100, 304))
"""The left edge of a gap in the wall."""


def _few(sheet: Sheet, count: int) -> Image.Image:
    """Return what was painted in that many colours, whatever shows through it: a page compresses far better."""
    image = sheet.image()
    whole = flat(image.convert("RGB"), count)
    whole.putalpha(image.getchannel("A"))
    return whole


def _cloud(sheet: Sheet, random: Random, foot: Point, long: float, high: float, light: str) -> None:
    """Paint a cloud: heads that swell towards its middle, each lit where it looks to the low sun, on a flat foot."""
    tones, _, _, _, glow, low = LIGHTS[light]
    (x, y), at, bank = foot, (SUN_AT, low * SKY), skia.Path()
    away = math.hypot(at[0] - x, at[1] - y)
    near, (ux, uy) = max(0.0, 1 - away / 700), ((at[0] - x) / away, (at[1] - y) / away)
    dark = mix(along(tones, y / SKY * 0.72), tones[1], 0.5)
    lit = mix(mix(along(tones, min(1, y / SKY * 0.5 + 0.42)), glow, 0.15 + 0.6 * near), dark, 0.24 * (1 - near))
    for _ in range(round(long / 13) * (high > 18)):
        part = random.gauss(0, 0.36)
        swell = high * max(0.1, 1 - part * part) * random.uniform(0.35, 1)
        size, px = swell * 0.45 + high * 0.1, x + part * long / 2
        bank.addOval(skia.Rect.MakeLTRB(px - size * 1.3, y - swell, px + size * 1.3, y - swell + size * 2.2))
    for _ in range(7):  # torn by the wind; a far cloud is no more than that
        middle, half = x + random.uniform(-0.34, 0.34) * long, long * random.uniform(0.16, 0.42)
        thick = max(1.6, high * random.uniform(0.04, 0.14))
        top = y - random.random() ** 2 * high * 0.5
        torn = [(middle - half, top), (middle, top - thick), (middle + half, top + 1), (middle, top + thick * 0.7)]
        bank.addPath(smooth(torn, closed=True))
    bank = skia.Simplify(bank) or bank
    sheet.canvas.save()
    sheet.canvas.clipRect(skia.Rect.MakeLTRB(0, -OVER, WIDTH, y + 4 + high * 0.06), doAntiAlias=True)
    sheet.path(bank, ink(lit))
    for shift, part in ((0.06, 0.4), (0.15, 0.74), (0.3, 1)):
        inner, far = skia.Path(bank), max(2.5, high * shift)
        inner.offset(-ux * far * 1.6, -(uy + 0.25) * far)
        sheet.inside(bank, partial(sheet.path, inner, ink(mix(lit, dark, part))))
    sheet.canvas.restore()


def sky(light: str) -> Image.Image:
    """Paint the sky with its clouds, without the sun."""
    tones, _, _, _, glow, low = LIGHTS[light]
    sheet, random, sun_at = Sheet(WIDTH, OVER + SKY), scatter(f"sky {light}"), (SUN_AT, low * SKY)
    sheet.canvas.translate(0, OVER)
    sheet.box(0, -OVER, WIDTH, 1, ink(tones[0]))
    stops = [((number / (len(tones) - 1)) ** 0.9, tone) for number, tone in enumerate(tones)]
    sheet.fall(0, 0, WIDTH, SKY, *stops)
    fading = (0, glow, 240), (0.16, glow, 160), (0.5, mix(tones[3], glow, 0.3), 60), (1, tones[2], 0)
    sheet.box(0, -OVER, WIDTH, SKY, radial(sun_at, 640, *fading, flat=0.6))
    for number in range(11):  # rays
        turn, wide = math.pi * (0.03 + 0.94 * number / 10) + random.uniform(-0.05, 0.05), random.uniform(0.02, 0.06)
        tips = [
            (SUN_AT + 1100 * math.cos(turn + way), sun_at[1] - 1000 * math.sin(turn + way)) for way in (-wide, wide)
        ]
        fall = radial(sun_at, 700, (0.08, glow, 60), (0.5, glow, 22), (1, glow, 0), flat=0.8)
        sheet.path(polygon([sun_at, *tips]), screened(fall))
    for _ in range({"day": 0, "evening": 22, "dusk": 60}[light]):
        star = random.uniform(0, WIDTH), random.uniform(-OVER, 180), random.uniform(0.7, 1.5)
        sheet.disc(*star, ink((255, 236, 214), 160))
    for x, y, long, high in CLOUDS:
        _cloud(sheet, random, (x, y), long, high, light)
    return flat(sheet.image().convert("RGB"), 40, OVER + SKY).convert("RGBA")


def bank(light: str) -> Image.Image:
    """Paint the long dark cloud under the eaves, before which words stand."""
    sheet = Sheet(WIDTH, 180)
    sheet.canvas.translate(0, -90)
    for x, y, long, high in ((540, 196, 1500, 84), (420, 236, 1300, 100), (620, 250, 900, 60)):
        _cloud(sheet, scatter(f"bank {x}"), (x, y), long, high, light)
    return _few(sheet, 16)


def sun() -> Image.Image:
    """Paint the sun with its glow."""
    sheet, c = Sheet(3 * SUN, 3 * SUN), 1.5 * SUN
    glow = (0.5, (255, 226, 150), 150), (0.62, (255, 214, 130), 60), (0.8, (255, 190, 100), 0)
    sheet.disc(c, c, c, radial((c, c), c, *glow))
    face = (0, (255, 246, 200)), (0.86, (255, 242, 190)), (1, (255, 214, 120))
    sheet.disc(c, c, SUN, radial((c, c), SUN, *face))
    return sheet.image()


def _soldier(sheet: Sheet, x: float, y: float, size: float, tone: Colour, random: Random) -> None:
    """Paint one of the far host: a head, a body, perhaps a spear."""
    sheet.oval(x - size * 0.26, y - size, x + size * 0.26, y - size * 0.48, ink(tone))
    sheet.box(x - size * 0.34, y - size * 0.55, x + size * 0.34, y + size * 0.5, ink(tone), size * 0.2)
    if random.random() < 0.5:
        tip = x + size * (0.4 + random.uniform(-0.24, 0.24)), y - size * 2.1
        sheet.line((x + size * 0.4, y), tip, ink(tone, stroke=max(1, size * 0.1)))


def land(light: str) -> Image.Image:
    """Paint hills, engines, and the far host on the field."""
    _, hills, (first, second, third), (far, near), glow, _ = LIGHTS[light]
    sheet, random = Sheet(WIDTH, FIELD), scatter("land")
    for number, (rise, swing) in enumerate(((34, 30), (16, 20), (0, 12))):
        points: list[Point] = [(-30, LAND - rise * 0.8)]
        while points[-1][0] < WIDTH + 120:
            x = points[-1][0] + random.uniform(60, 120)
            points.append((x, LAND - rise - random.uniform(0, swing) * (1.4 if abs(x - SUN_AT) > 240 else 0.35)))
        sheet.path(ground(points, FIELD), ink(hills[number]))
        for x, size, engine in ENGINES if number == 1 else ():
            with sheet.moved(x, LAND, 0, size, size):
                draw(sheet, engine, {"far": mix(hills[1], hills[2], 0.7), "glow": mix(glow, hills[1], 0.2)})
    sheet.box(0, LAND + 6, WIDTH, FIELD, linear((0, LAND), (0, FIELD), (0, first), (0.34, second), (0.8, third)))
    shine = (0, glow, 200), (0.5, mix(glow, first, 0.5), 80), (1, first, 0)
    sheet.box(0, LAND + 6, WIDTH, LAND + 130, radial((SUN_AT, LAND + 6), 430, *shine, flat=0.17))
    for row, (down, size) in enumerate(((7, 8), (15, 10), (27, 14), (44, 20), (68, 28))):
        x, tone = -10.0, mix(far, near, row / 4)
        while x < WIDTH + 20:
            lit = mix(tone, glow, (0.34 - 0.05 * row) * max(0, 1 - abs(x - SUN_AT) / 480))
            _soldier(sheet, x, LAND + down + random.uniform(-2, 3), size * random.uniform(0.85, 1.15), lit, random)
            if random.random() < 0.05 + 0.02 * row:  # a standard of the company, or a ladder
                high, lean = size * random.uniform(3, 4.2), size * random.uniform(-0.4, 0.4)
                foot, top = LAND + down, LAND + down - high
                sheet.line((x, foot), (x + lean, top), ink(lit, stroke=max(1.2, size * 0.1)))
                flag = [(x + lean, top), (x + lean - size * 1.3, top + size * 0.34), (x + lean * 0.9, top + size * 0.9)]
                sheet.path(polygon(flag), ink(mix(lit, (200, 60, 60), 0.3)))
            x += size * random.uniform(0.95, 1.4)
            x += size * random.uniform(1, 4) if random.random() < 0.09 else 0  # between two companies
    for _ in range(26):
        x, y = random.uniform(0, WIDTH), random.uniform(LAND + 2, LAND + 48)
        sheet.disc(x, y, 7, ink((255, 150, 60), 66, blur=4))
        sheet.disc(x, y, random.uniform(1.3, 2.3), ink((255, 218, 130)))
    for _ in range(90):  # grass
        x, y = random.uniform(0, WIDTH), LAND + 60 + 130 * random.random()
        tone = mix(along((first, second, third), (y - LAND) / FIELD), glow if random.random() < 0.3 else BLACK, 0.22)
        sheet.line((x, y), (x + random.uniform(-3, 3), y - 3 - (y - LAND) / 22), ink(tone, 200, stroke=1.6))
    return _few(sheet, 28)


def _merlon(sheet: Sheet, x: float, random: Random) -> None:
    """Paint a merlon: its inner side, its sides, and its coping in the sun. `x`: its middle."""
    left, right, foot = x - 49, x + 49, MERLON + 8
    sheet.box(left, 10, right, foot, ink((28, 16, 30)))
    stones(sheet, (left + 1, 14, right - 1, foot), random, STONE, 27, EMBER)
    sheet.fall(left, 12, right, foot, (0, (14, 6, 24), 10), (1, (14, 6, 24), 110))
    for edge in (left, right - 2):
        sheet.box(edge, 12, edge + 2, foot, ink((246, 160, 98), 150))
    top = [(x + at, random.uniform(0, 3)) for at in (-55, -34, -11, 14, 39, 55)]
    lit = (0, (255, 186, 114)), (0.36, (224, 136, 92)), (0.5, (120, 70, 68)), (1, (80, 48, 58))
    sheet.path(polygon([(x - 56, 18), *top, (x + 56, 18)]), linear((0, 0), (0, 18), *lit))


def wall() -> Image.Image:
    """Paint the wall's inner side with its lit coping and its merlons."""
    sheet, random = Sheet(WIDTH, MERLON + WALL), scatter("wall")
    for middle in MERLONS:
        _merlon(sheet, middle, random)
    sheet.canvas.translate(0, MERLON)
    sheet.box(0, 8, WIDTH, WALL, ink((28, 16, 30)))
    stones(sheet, (0, LEDGE, WIDTH, WALL), random, STONE, 45, EMBER)
    for middle in MERLONS:  # the buttresses that bear them
        sheet.box(middle - 52, LEDGE, middle + 60, WALL, ink((12, 5, 20), 150, blur=4))
        sheet.box(middle - 46, LEDGE, middle + 46, WALL, ink((28, 16, 30)))
        stones(sheet, (middle - 46, LEDGE, middle + 46, WALL), random, (STONE[1], *STONE), 50, EMBER)
        sheet.line((middle - 46, LEDGE), (middle - 46, WALL), ink(EMBER, 120, stroke=2))
    for number, alpha in enumerate((56, 84, 132)):  # in steps: flat stones make small files
        sheet.box(0, LEDGE + 45 * number, WIDTH, LEDGE + 45 * (number + 1), ink((12, 5, 22), alpha))
    coping = (0, (250, 172, 104)), (0.3, (206, 122, 88)), (0.45, (112, 66, 66)), (1, (70, 42, 54))
    sheet.box(-4, 0, WIDTH + 4, LEDGE + 3, linear((0, 0), (0, LEDGE + 4), *coping), 3)
    for number in range(11):
        seam = 109 * number + random.uniform(20, 80)
        sheet.line((seam, 1), (seam - 1, LEDGE + 2), ink((60, 32, 44), 220, stroke=2))
    lit = radial((SUN_AT, 0), 560, (0, (255, 150, 80), 72), (1, (255, 150, 80), 0), flat=0.3)
    sheet.box(0, LEDGE, WIDTH, WALL, screened(lit))
    return _few(sheet, 26)


def walk() -> Image.Image:
    """Paint the flags of the walk behind the wall: worn slabs, light from between the merlons, dark at its foot."""
    sheet, random, depths = Sheet(WIDTH, WALK), scatter("walk"), (-4, 12, 42, 86, 146, 222, 316, 430, 566, 730, 930)
    sheet.box(0, 0, WIDTH, WALK, ink((18, 10, 22)))

    def at(x: float, y: float) -> Point:
        return WIDTH / 2 + x * (0.62 + y / 900), y

    for row, (top, foot) in enumerate(pairwise(depths)):
        x = -1300 - random.uniform(0, 120)
        while x < 1300:
            wide = random.uniform(110, 250)
            corners = [at(x + 3, top + 2), at(x + wide - 3, top + 2), at(x + wide - 3, foot - 2), at(x + 3, foot - 2)]
            middle = (corners[0][0] + corners[1][0]) / 2
            tone = mix((74, 48, 66), random.choice(((104, 66, 70), (60, 38, 58), (88, 54, 62))), random.uniform(0, 0.7))
            tone = mix(tone, BLACK, min(0.62, 0.09 * row + 0.2 * abs(middle / WIDTH - 0.5)))
            slab = polygon(corners)
            sheet.edged(slab, ink(tone), tone, 5)
            lit = mix(tone, EMBER, 0.34)
            sheet.line((corners[0][0] + 3, top + 2), (corners[1][0] - 3, top + 2), ink(lit, 210, stroke=2))
            sheet.line(corners[1], corners[2], ink((14, 8, 18), 190, stroke=2.4))
            for _ in range(int((foot - top) * wide / 9000) if row < 3 else 0):
                px, py = random.uniform(corners[0][0] + 8, corners[1][0] - 8), random.uniform(top + 7, foot - 6)
                pit = mix(tone, random.choice((BLACK, EMBER)), random.uniform(0.1, 0.22))
                size, angle = random.uniform(2, 9) * (0.5 + top / 400), random.uniform(-8, 8)
                dab(sheet, px, py, size, angle, pit, 120, BLOB, 0.35)
            x += wide
    for middle in range(MERLONS[0] + 98, WIDTH, 196):  # light that falls between the merlons
        near, far = (at((middle - 600) / 0.62, y)[0] for y in (0, 330))
        fall = linear((0, 0), (0, 330), (0, EMBER, 74), (0.3, EMBER, 46), (1, EMBER, 0))
        sheet.path(polygon([(near - 46, 0), (near + 46, 0), (far + 92, 330), (far - 92, 330)]), screened(fall))
    sheet.box(0, -2, WIDTH, 34, linear((0, 0), (0, 34), (0, (10, 4, 16), 190), (1, (10, 4, 16), 0)))  # the wall's shade
    return flat(sheet.image().convert("RGB"), 16)  # so that its wide flags make small files


def roof() -> Image.Image:
    """Paint the eaves under which the guards stand: rafters and boards that lead to the sun, lit along their edge."""
    sheet, random, edge = Sheet(WIDTH, ROOF + 8), scatter("roof"), ROOF - 12

    def at(x: float, y: float) -> Point:
        return SUN_AT + (x - SUN_AT) * (1.34 - 0.34 * y / edge), y

    sheet.box(0, 0, WIDTH, edge, ink((20, 11, 22)))
    for number in range(6):  # boards, across the rafters
        y = edge * (number / 6) ** 0.8
        tone = mix((44, 26, 36), (70, 40, 42), random.random() * 0.5 + number / 14)
        sheet.box(0, y + 1.2, WIDTH, y + 17, ink(mix(tone, (18, 10, 22), 0.55)))
    for x in range(-240, WIDTH + 300, 104):
        wide, tone = random.uniform(11, 14), random.choice(((58, 34, 40), (66, 38, 40), (50, 30, 40)))
        end = edge + random.uniform(9, 13)
        sides = [at(x - wide, 0), at(x + wide, 0), (at(x, edge)[0] + wide, end), (at(x, edge)[0] - wide, end)]
        sheet.edged(polygon(sides), ink(mix(tone, BLACK, 0.2)), (14, 7, 18), 4)
        lit = 1 if x < SUN_AT else -1
        sheet.line(sides[1 if lit > 0 else 0], sides[2 if lit > 0 else 3], ink(mix(tone, EMBER, 0.42), 200, stroke=2.2))
        foot = at(x, edge)[0]
        sheet.box(foot - wide, end - 2.6, foot + wide, end + 0.4, ink(EMBER, 200), 1.5)
    sheet.fall(0, edge - 10, WIDTH, edge, (0, (96, 56, 50)), (0.5, (60, 34, 42)), (1, (30, 16, 28)))
    sheet.line((0, edge - 1), (WIDTH, edge - 1), ink(mix(EMBER, (96, 56, 50), 0.45), stroke=2))
    return _few(sheet, 16)


def gap() -> Image.Image:
    """Paint a section of the wall that has broken: the field shows through, rubble lies in it, smoke rises."""
    wide, tall = 250, 330
    sheet, random = Sheet(wide, tall), scatter("gap")
    for number in range(54):  # smoke
        up = number / 54
        x, y = wide * (0.5 + 0.12 * math.sin(up * 6)) + random.gauss(0, 15 + 24 * up), 214 - 180 * up
        tone = mix((52, 34, 52), (176, 128, 128), min(1, up * 0.7 + random.uniform(0, 0.4)))
        smoke = ink(tone, round(150 * (1 - up) ** 0.6), blur=7)
        sheet.disc(x, y + random.uniform(-10, 10), random.uniform(12, 26), smoke)
    hole = polygon([*EDGE, *((wide - x, y) for x, y in reversed(EDGE))])
    sheet.path(hole, linear((0, 170), (0, 308), (0, (216, 100, 78)), (0.3, (120, 50, 68)), (1, (36, 18, 40))))
    for x in (random.uniform(24, 226) for _ in range(22)):
        sheet.inside(hole, partial(_soldier, sheet, x, 200 + random.uniform(-6, 5), 13, (66, 26, 54), random))
    for side in (0, 1):  # the stones' broken faces, in the light of the field
        for (x1, y1), (x2, y2) in pairwise(EDGE):
            deep = random.uniform(8, 15)
            face = [(x1, y1), (x2, y2), (x2 + deep, y2 + 4), (x1 + deep * 0.8, y1 + 5)]
            shape = polygon([(wide - x if side else x, y) for x, y in face])
            sheet.path(shape, ink((22, 12, 26), stroke=3))
            lit = (216, 128, 92) if abs(y2 - y1) < abs(x2 - x1) else (134, 78, 76)
            sheet.path(shape, ink(mix(lit, STONE[0], random.uniform(0, 0.4))))
    for _ in range(44):
        x = random.gauss(wide / 2, 52)
        size, turn = random.uniform(7, 18) * (1.15 - abs(x - wide / 2) / wide), random.uniform(0, math.tau)
        y = 308 - max(0, 30 - abs(x - 125) * 0.4) * random.random() + random.uniform(0, 12)
        rim = [
            (x + size * math.cos(turn + k) * random.uniform(0.75, 1.1), y + size * 0.72 * math.sin(turn + k))
            for k in range(6)
        ]
        tone = mix(STONE[0], random.choice(STONE[1:]), 0.6)
        sheet.path(polygon(rim), ink((20, 12, 24), stroke=3))
        lit_stops = (0, mix(tone, EMBER, 0.5)), (0.35, tone), (1, mix(tone, BLACK, 0.5))
        sheet.path(polygon(rim), linear((x, y - size), (x, y + size), *lit_stops))
    return sheet.image()


SPRITES: dict[str, Callable[[], Image.Image]] = {
    **{f"sky_{light}": partial(sky, light) for light in LIGHTS},
    **{f"bank_{light}": partial(bank, light) for light in LIGHTS},
    **{f"land_{light}": partial(land, light) for light in LIGHTS},
    "sun": sun,
    "wall": wall,
    "walk": walk,
    "roof": roof,
    "gap": gap,
}
