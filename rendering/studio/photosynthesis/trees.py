"""The four varieties: oak, fir, poplar and acacia, each in three sizes, and their seeds.

A tree has as many tiers as its height. At its foot lies a ring, another one for each variety, so that they can be told
without their colours. The light comes from the left; at run time sprites are mirrored for a sun on the right.
"""

from __future__ import annotations

import math
from random import Random

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.studio import brush
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, radial, smooth

LEAVES: tuple[tuple[Colour, ...], ...] = (
    ((70, 14, 10), (124, 28, 10), (178, 44, 8), (214, 72, 20), (240, 120, 50), (255, 178, 104)),
    ((8, 16, 44), (14, 34, 74), (22, 58, 110), (40, 92, 152), (84, 142, 198), (156, 204, 236)),
    ((8, 58, 46), (20, 104, 72), (52, 150, 100), (96, 186, 134), (152, 216, 168), (212, 246, 208)),
    ((112, 62, 4), (172, 108, 6), (224, 158, 12), (252, 196, 24), (255, 224, 88), (255, 246, 176)),
)
"""The leaves of each seat's variety, from its shade to its light."""
BARK: Colour = (122, 84, 58)
DEEP: Colour = (52, 32, 34)
SIZES = ((60, 58), (104, 96), (116, 126), (128, 158))
"""Width and height of a seed, a small, a medium and a large tree on the table's board."""
FOOT = 17
"""From the lower edge of a tree's sprite to its foot."""


def _ring(sheet: Sheet, seat: int, x: float, y: float, rx: float, colours: tuple[Colour, ...]) -> None:
    """A ring of flowers on the ground: whole, toothed, of dots, of four arcs."""
    ry, pale, dark = rx * 0.44, mix(colours[4], WHITE, 0.3), mix(colours[0], BLACK, 0.2)
    sheet.oval(x - rx - 3, y - ry - 2, x + rx + 3, y + ry + 3, ink((28, 34, 30), 90, blur=3))

    def at(degrees: float, out: float = 1) -> Point:
        turn = math.radians(degrees)
        return x + rx * out * math.cos(turn), y + ry * out * math.sin(turn)

    def arc(start: float, end: float) -> None:
        path = smooth([at(start + (end - start) * step / 12) for step in range(13)])
        sheet.path(path, ink(dark, 200, stroke=6))
        sheet.path(path, ink(pale, stroke=4))

    if seat == 0:
        arc(0, 360)
    elif seat == 1:
        points = [at(360 * step / 24, 1.14 if step % 2 else 0.82) for step in range(25)]
        sheet.path(brush.polygon(points), ink(dark, 200, stroke=5.6))
        sheet.path(brush.polygon(points), ink(pale, stroke=3.4))
    elif seat == 2:
        for step in range(10):
            px, py = at(36 * step + 18)
            sheet.oval(px - 5, py - 4, px + 5, py + 4, ink(dark))
            sheet.oval(px - 3.4, py - 2.6, px + 3.4, py + 2.6, ink(pale))
    else:
        for step in range(4):
            arc(90 * step + 64, 90 * step + 116)


def _trunk(sheet: Sheet, x: float, foot: float, top: float, thick: float) -> None:
    points = [(x, foot), (x, foot - (foot - top) * 0.4), (x, top)]
    for side in (-1, 1):  # roots
        brush.limb(sheet, [(x + side * thick * 1.0, foot + 2.5), (x + side * thick * 0.4, foot - 3), (x,
            foot - thick * 1.5)],
                   thick * 0.5, thick * 0.5, BARK if side < 0 else DEEP, DEEP)  # fmt: skip
    brush.limb(sheet, points, thick * 1.3, thick * 0.8, mix(BARK, WHITE, 0.12), DEEP)


def _oak(sheet: Sheet, height: int, x: float, foot: float, k: float, random: Random) -> None:
    tones = LEAVES[0]
    tall = (0, 60, 88, 118)[height] * k
    _trunk(sheet, x, foot, foot - tall * 0.5, (6 + 2.4 * height) * k)
    clumps: list[brush.Clump] = []
    for tier in range(height):
        wide = (30, 38, 44)[height - 1] * k * 0.76**tier
        y = foot - (22 + 4 * height) * k - tier * (31 - 1.6 * height) * k
        clumps += [(x - wide * 0.56, y + 3 * k, wide * 0.52, wide * 0.4), (x + wide * 0.56, y + 3 * k,
            wide * 0.52, wide * 0.4),
                   (x, y - wide * 0.2, wide * 0.66, wide * 0.5)]  # fmt: skip
    low, high = foot - (14 + 3 * height) * k, foot - tall
    whole = (x, (low + high) / 2, (34, 42, 48)[height - 1] * k, (low - high) / 2 + 6 * k)
    brush.crown(sheet, clumps, whole, tones, random, 4.6 * k, sunny=tones[5], density=1.1)


def _skirt(
    sheet: Sheet, x: float, top: float, low: float, half: float, tones: tuple[Colour, ...], k: float, random: Random
) -> None:
    """A tier of a fir: twigs that hang outwards, in the light on the left."""
    hem = [
        (x + half * 0.84 * (step / 6), low - 3 * k - (0 if step % 2 else 3 * k) - 5 * k * (step / 6) ** 2)
        for step in range(-6, 7)
    ]
    sheet.path(brush.polygon([(x, top), *hem[::-1]]), ink(tones[0]))
    twigs = []
    for _ in range(int(half * (low - top) / (5.2 * k * k))):
        down = random.random() ** 0.62
        across = random.uniform(-1, 1)
        px, py = x + across * half * down * 0.94, top + (low - top) * down - 5 * k * across * across * down
        bright = 0.5 - 0.44 * across - 0.2 * down + random.gauss(0, 0.09) + (0.12 if down > 0.8 else 0)
        twigs.append((bright, px, py, 90 - 46 * across))
    for bright, px, py, angle in sorted(twigs):
        tone = round(min(max(bright, 0.02), 0.92) * 7) / 7
        brush.dab(sheet, px, py, 6.2 * k * random.uniform(0.8, 1.15), angle, along(tones, tone), 255, brush.LEAF, 0.5)


def _fir(sheet: Sheet, height: int, x: float, foot: float, k: float, random: Random) -> None:
    _trunk(sheet, x, foot, foot - 26 * k, (6 + 1.6 * height) * k)
    tall = (0, 64, 96, 128)[height] * k
    low = foot - 9 * k - height * k
    step = (tall - 10 * k) / (height + 0.55)
    for tier in range(height):
        half = (29, 37, 45)[height - 1] * k * (1 - tier * 0.74 / (height + 0.4))
        _skirt(sheet, x, low - step * 1.55, low, half, LEAVES[1], k, random)
        low -= step


def _poplar(sheet: Sheet, height: int, x: float, foot: float, k: float, random: Random) -> None:
    tones = LEAVES[2]
    tall = (0, 64, 96, 128)[height] * k
    _trunk(sheet, x, foot, foot - tall * 0.6, (5 + 1.5 * height) * k)
    clumps: list[brush.Clump] = []
    low, step = foot - 11 * k, (tall - 12 * k) / (height + 0.5)
    for tier in range(height):
        half = (23, 27, 31)[height - 1] * k * 0.84**tier
        for part, wide in ((0.2, 0.86), (0.42, 1.0), (0.7, 0.8), (0.98, 0.52), (1.26, 0.26)):
            clumps.append((x, low - step * part, half * wide, step * 0.27))
        low -= step
    whole = (x, foot - tall * 0.5, (27, 31, 36)[height - 1] * k, tall * 0.52)
    order = sorted(clumps, key=lambda clump: -clump[1])
    for clump in order:  # from below: the tips of a tier lie before the next one
        brush.crown(sheet, [clump], (whole[0], clump[1] + 4 * k, whole[2], max(whole[3] * 0.5, 20 * k)), tones,
            random, 4.4 * k,
                    sunny=tones[5] if clump[2] > 8 * k else None, density=1.1, flat=0.9)  # fmt: skip


def _acacia(sheet: Sheet, height: int, x: float, foot: float, k: float, random: Random) -> None:
    tones = LEAVES[3]
    tall = (0, 58, 86, 114)[height] * k
    top = foot - tall
    step = (tall - 30 * k) / max(1, height - 1) if height > 1 else 0
    _trunk(sheet, x, foot, top + 8 * k, (5.5 + 1.5 * height) * k)
    tiers = []
    for tier in range(height):
        y = top + 10 * k + step * (height - 1 - tier)
        tiers.append((y, (31, 40, 47)[height - 1] * k * 0.8**tier))
    for y, wide in tiers:
        for side in (-1, 1):
            brush.limb(sheet, [(x, y + 20 * k), (x + side * wide * 0.3, y + 10 * k), (x + side * wide * 0.62,
                y + 2 * k)],
                       5 * k, 2.5 * k, BARK, DEEP)  # fmt: skip
    for y, wide in tiers:
        clumps = [(x - wide * 0.52, y + 2 * k, wide * 0.48, 8.5 * k), (x + wide * 0.52, y + 2 * k, wide * 0.48,
            8.5 * k),
                  (x, y - 2 * k, wide * 0.7, 12 * k)]  # fmt: skip
        brush.crown(sheet, clumps, (x, y, wide, 16 * k), tones, random, 4.2 * k, sunny=tones[5], density=1.2, flat=0.8)


GROWN = (_oak, _fir, _poplar, _acacia)


def tree(seat: int, height: int, k: float = 1, ring: bool = True, other: bool = False) -> Image.Image:
    """A tree of that height, `k` times as large as on the table's board; the `other` one leans and is slimmer."""
    wide, tall = (round(side * k) for side in SIZES[height])
    sheet = Sheet(wide, tall, 3)
    x, foot = wide / 2, tall - FOOT * k
    if ring:
        with sheet.moved(x, foot, 0, k, k):
            _ring(sheet, seat, 0, 0, 22 + 3 * height, LEAVES[seat])
    with sheet.moved(x, foot, *((-6, 0.9, 1.03) if other else (0, 1, 1))):
        GROWN[seat](sheet, height, 0, 0, k, scatter(f"{seat}{height}{'b' * other}"))
    return sheet.image()


# Seeds

SEEDS: tuple[list[Point], ...] = (
    [(-0.7, -0.3), (-0.66, 0.3), (-0.3, 0.8), (0, 1.06), (0.3, 0.8), (0.66, 0.3), (0.7, -0.3), (0, -0.6)],
    [(0, -1.2), (0.56, -0.7), (0.76, 0), (0.5, 0.8), (0, 1.06), (-0.5, 0.8), (-0.76, 0), (-0.56, -0.7)],
    [(-0.4, 0.5), (-0.9, -0.5), (-0.3, -1.16), (0.7, -1.1), (1.06, -0.6), (0.6, 0.1), (0.1, 0.7)],
    [*((-0.8, 0.2), (-0.78, -0.6), (-0.1, -1.04), (0.7, -0.7), (0.96, 0.1), (0.66, 0.8), (0.16, 0.74)),
     (0.02, 0.3), (-0.16, 0.34), (-0.4, 0.64)],
)  # fmt: skip
"""Outlines in a square from -1 to 1: an acorn, a cone, a winged seed, a bean."""
CUP: list[Point] = [(-0.86, -0.24), (-0.7, -0.74), (0, -0.98), (0.7, -0.74), (0.86, -0.24), (0, -0.06)]


def seed(seat: int) -> Image.Image:
    """A seed on its ring, as on the table's board."""
    wide, tall = SIZES[0]
    sheet, tones = Sheet(wide, tall, 3), LEAVES[seat]
    x, y, r = wide / 2, tall / 2 - 5, 19
    shell = (190, 140, 92)

    def at(px: float, py: float) -> Point:
        return x + px * r, y + py * r

    def shape(points: list[Point]) -> skia.Path:
        return smooth([at(*point) for point in points], closed=True)

    _ring(sheet, seat, x, tall - FOOT, 22, tones)
    body = linear(at(-1, -1), at(1, 1), (0, tones[5]), (0.3, tones[4]), (0.55, tones[3]), (1, tones[0]))
    sheet.path(shape(SEEDS[seat]), body)
    if seat == 0:
        sheet.path(shape(CUP), linear(at(-1, -1), at(1, 0), (0, shell), (1, DEEP)))
        brush.limb(sheet, [at(0, -0.9), at(0.1, -1.1), at(0.24, -1.24)], 4, 3, BARK, DEEP)
    elif seat == 1:
        for row in range(5):
            for column in range(-2, 3):
                px, py = x + (column + row % 2 / 2 - 0.25) * r * 0.42, y + (row - 2) * r * 0.4
                if abs(px - x) < r * 0.62 * (1 - abs(row - 2) * 0.14):
                    scale = smooth([(px - 4, py - 2), (px, py + 3.4), (px + 4, py - 2)])
                    sheet.path(scale, ink(tones[0], 220, stroke=2))
    elif seat == 2:
        for px in (0.1, 0.5, 0.8):
            vein = smooth([at(-0.2, 0.5), at(px - 0.3, -0.2), at(px, -0.8)])
            sheet.path(vein, ink(tones[1], 170, stroke=1.8))
        sheet.oval(*at(-0.72, 0.2), *at(0.22, 0.96), radial(at(-0.4, 0.4), r, (0, shell), (1, DEEP)))
    return sheet.image()
