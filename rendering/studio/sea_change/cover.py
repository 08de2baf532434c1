"""The cover of Sea Change: a wave that tears the old sky from the new one, and the ship that rides it, whose sails are
two cards of one value. The cards are laid by the page, for they bear figures.
"""

from __future__ import annotations

import math
from itertools import pairwise

from PIL import Image, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio import pack
from rendering.studio.brush import BLACK, WHITE, Sheet, coin, ink, linear, polygon, radial, smooth
from rendering.studio.sea_change import deck, fleet, water
from rendering.studio.sea_change.fleet import FOAM, OAK, PITCH, SUNLIT, across, bend, corners, dots, down, foam, solid
from rendering.studio.sea_change.things import BRASS, rolled

WIDTH, HEIGHT, HORIZON = 1200, 640, 318
MASTS = 652, 888
"""Where the ship's masts stand; the cards hang before them."""
SHADES = 192
"""The colours of the cover."""


def cover() -> Image.Image:
    """Paint the cover without its words and its cards."""
    whole = _scene("Y")
    sheet, random = Sheet(WIDTH, HEIGHT), scatter(41)
    sheet.disc(1068, 262, 210, radial((1068, 262), 210, (0, (255, 246, 206), 230), (1, (255, 220, 150), 0)))
    sheet.disc(1068, 262, 58, ink((255, 250, 222)))
    for number in range(90):
        y = HORIZON + 4 + 3.2 * number
        wide = 10 + number * 0.8 * random.random()
        x = 1068 + random.gauss(0, 12 + number * 0.5)
        sheet.oval(x - wide, y - 1.4, x + wide, y + 1.6, ink((255, 246, 206), max(20, 170 - 2 * number)))
    whole.paste(sheet.image(), (0, 0), sheet.image())
    edge = [(596.0, -10.0), (560.0, 60.0), (584.0, 128.0), (520.0, 200.0), (500.0, 262.0), (440.0, 330.0)]
    torn = Sheet(WIDTH, HEIGHT)
    torn.path(polygon([*_ragged(edge), (-10, 330), (-10, -10)]), ink(WHITE))
    whole.paste(_scene("B"), (0, 0), torn.image().getchannel("A"))
    sheet = Sheet(WIDTH, HEIGHT)
    rolled(sheet, _ragged(edge), 24)
    _ship(sheet)
    _swell(sheet, 570, (38, 50, 92), (10, 20, 46), (255, 214, 150), 5)
    with sheet.moved(-34, 10, 0, 1.72, 1.62):
        deck.wave(sheet)
    _swell(sheet, 604, (14, 66, 128), (6, 26, 62), (206, 234, 240), 9)
    for _ in range(150):  # spray that the wave throws over the torn edge
        x, y = random.gauss(440, 44), random.gauss(300, 60)
        sheet.disc(x, y, random.uniform(1.2, 4.2), ink(WHITE, random.randrange(120, 250)))
    painted = sheet.image()
    whole.paste(painted, (0, 0), painted)
    return pack.flat(whole.filter(ImageFilter.MedianFilter(3)), SHADES, 400)


def _ragged(edge: list[Point]) -> list[Point]:
    """Return a ragged line along those points."""
    random, line = scatter(13), list[Point]()
    for (x, y), (x2, y2) in pairwise(edge):
        for step in range(8):
            line.append((x + (x2 - x) * step / 8 + random.uniform(-6, 6), y + (y2 - y) * step / 8))
    return [*line, edge[-1]]


def _scene(name: str) -> Image.Image:
    """Return a light's sky and sea with the cover's horizon."""
    painted = water.scene(name)
    whole = painted.crop((0, 0, WIDTH, water.HORIZON)).resize((WIDTH, HORIZON), Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", (WIDTH, HEIGHT))
    sheet.paste(whole)
    sheet.paste(painted.crop((0, water.HORIZON, WIDTH, water.HORIZON + HEIGHT - HORIZON)), (0, HORIZON))
    return sheet


def _ship(sheet: Sheet) -> None:
    """Paint the ship: a hull in its planks, two masts with yards and shrouds, a jib, a stern with lit windows."""
    for mast in MASTS:
        for foot in (-96, -70, 70, 96):
            sheet.line((mast, 206), (mast + foot, 506), ink(PITCH, 190, stroke=2.4))
        fleet.spar(sheet, (mast, 196), (mast, 520), 13)
        fleet.spar(sheet, (mast - 112, 232), (mast + 112, 228), 9)
        coin(sheet, mast, 194, 9, BRASS)
        flag = bend(f"{mast + 4} 196 {mast + 30} 190 {mast + 58} 200 {mast + 30} 208 {mast + 4} 212")
        solid(sheet, flag, across(mast, mast + 58, (232, 84, 60), (150, 34, 44)), wide=3)
    for x, side in ((MASTS[0], -1), (MASTS[0], 1), (MASTS[1], -1), (MASTS[1], 1)):
        sheet.line((x + 92 * side, 488), (x + 112 * side, 512), ink((236, 214, 170), stroke=3))
    fleet.spar(sheet, (1010, 492), (1146, 414), 9)
    sheet.line((MASTS[1], 204), (1142, 416), ink(PITCH, 200, stroke=2.4))
    jib = corners("1016 300 1128 418 1020 470")
    solid(sheet, jib, linear((1010, 300), (1110, 460), (0, (255, 246, 224)), (1, (226, 178, 140))), wide=4)
    rail = dots("498 446 540 470 620 498 720 508 830 506 930 494 1030 470")
    keel = [(560 + (1000 - 560) * at / (len(rail) - 1), 590.0) for at in range(len(rail))]
    hull = polygon([*_finer(rail), *reversed(keel)])
    solid(sheet, hull, down(446, 590, mix(OAK, SUNLIT, 0.3), OAK, mix(OAK, BLACK, 0.6)), wide=7)

    def planks() -> None:
        for part in (0.2, 0.4, 0.6, 0.8):
            row = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in zip(rail, keel, strict=True)]
            sheet.path(smooth(row), ink(mix(OAK, BLACK, 0.5), 200, stroke=3))
            sheet.path(smooth([(x, y + 3) for x, y in row]), ink(mix(OAK, SUNLIT, 0.4), 110, stroke=1.8))
        sheet.path(smooth([(x, y + 14) for x, y in rail]), ink((36, 82, 152), stroke=13))

    sheet.inside(hull, planks)
    for x in range(640, 960, 62):  # ports
        sheet.box(x, 532, x + 26, 552, ink(PITCH), 4)
        sheet.box(x + 3, 535, x + 23, 549, ink((255, 206, 110)), 3)
    stern = corners("470 396 560 408 584 486 540 470 500 448")
    solid(sheet, stern, down(396, 486, mix(OAK, SUNLIT, 0.35), mix(OAK, BLACK, 0.3)), wide=5)
    for x, y in ((498, 416), (526, 422)):
        sheet.box(x, y, x + 20, y + 24, ink((255, 214, 120)), 3)
    sheet.path(smooth(rail), ink(PITCH, stroke=12))
    sheet.path(smooth(rail), ink(mix(OAK, SUNLIT, 0.65), stroke=7))
    fleet.spar(sheet, (476, 396), (476, 360), 5)
    sheet.disc(476, 352, 30, radial((476, 352), 30, (0, (255, 226, 140), 200), (1, (255, 210, 120), 0)))
    coin(sheet, 476, 352, 10, (255, 226, 140))


def _finer(rail: list[Point]) -> list[Point]:
    """Return more points on the same line."""
    return [(a + (c - a) * at / 6, b + (d - b) * at / 6)
            for (a, b), (c, d) in pairwise(rail) for at in range(7)]  # fmt: skip


def _swell(sheet: Sheet, top: int, tone: Colour, deep: Colour, crest: Colour, seed: int) -> None:
    """Paint a wave across the foot of the page, with foam on its crest."""
    random = scatter(seed)
    line = [(x, top + 15 * math.sin(x / 97 + seed) + 5 * math.sin(x / 31)) for x in range(-20, 1240, 14)]
    shape = polygon([*line, (1240, HEIGHT + 9), (-20, HEIGHT + 9)])
    sheet.path(shape, linear((0, top - 20), (0, HEIGHT), (0, mix(tone, crest, 0.35)), (0.3, tone), (1, deep)))
    for x, y in line * 4:
        at, low = x + random.uniform(-9, 9), random.expovariate(0.2)
        long, lace = random.uniform(5, 17), ink(mix(FOAM, crest, 0.5), int(230 * math.exp(-low / 9)))
        sheet.oval(at - long, y + low - 2.4, at + long, y + low + 2.6, lace)
    foam(sheet, random, (560, top - 6, 1010, top + 8), 60, 15)
