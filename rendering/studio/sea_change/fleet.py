"""The fleet of Sea Change: a boat for each colour of a seat, with a rig of its own; and strokes of all its things."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import skia
from PIL import Image

from rendering.core.discs import COLOURS
from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, between, coin, ink, linear, lit_edge, polygon, smooth

BOAT, WATERLINE = (230, 216), 196
"""The size of a boat, and the row on which it floats. A seat's disc fits on its sail at (110, 92)."""
OAK: Colour = (126, 76, 44)
PITCH: Colour = (40, 26, 26)
FOAM: Colour = (240, 248, 246)
SUNLIT: Colour = (255, 232, 184)

# Strokes


def dots(text: str) -> list[Point]:
    """Return points from their numbers, across and down in turn."""
    numbers = [float(number) for number in text.split()]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def corners(text: str) -> skia.Path:
    """Return the shape with these corners."""
    return polygon(dots(text))


def bend(text: str) -> skia.Path:
    """Return the round shape through these points."""
    return smooth(dots(text), closed=True)


def down(top: float, foot: float, *colours: Colour) -> skia.Paint:
    """Return paint that goes over from one colour to the next downwards."""
    return linear((0, top), (0, foot), *((at / (len(colours) - 1), colour) for at, colour in enumerate(colours)))


def across(left: float, right: float, *colours: Colour) -> skia.Paint:
    """Return the same to the right."""
    return linear((left, 0), (right, 0), *((at / (len(colours) - 1), colour) for at, colour in enumerate(colours)))


def solid(sheet: Sheet, path: skia.Path, paint: skia.Paint, edge: Colour = PITCH, wide: float = 5) -> None:
    """Paint a shape with a dark edge."""
    sheet.edged(path, paint, edge, wide)


def foam(sheet: Sheet, random: Random, box: tuple[float, float, float, float], count: int, long: float = 12) -> None:
    """Paint foam within left, top, right and bottom."""
    left, top, right, bottom = box
    for _ in range(count):
        x, y = random.uniform(left, right), random.uniform(top, bottom)
        wide = long * random.uniform(0.5, 1.1)
        sheet.oval(x - wide, y - 2.2, x + wide, y + 2.4, ink(FOAM, random.randrange(130, 235)))


def spar(sheet: Sheet, start: Point, end: Point, wide: float = 6) -> None:
    """Paint a mast or a yard."""
    sheet.line(start, end, ink(PITCH, stroke=wide + 3))
    sheet.line(start, end, ink(OAK, stroke=wide))
    lit = ink(mix(OAK, SUNLIT, 0.55), stroke=wide * 0.32)
    sheet.line((start[0] - wide * 0.2, start[1]), (end[0] - wide * 0.2, end[1]), lit)


def _sail(sheet: Sheet, edge: str, colour: Colour, seams: str = "", *, round_: bool = True, sag: float = 5) -> None:
    """Paint a sail: lit where the wind fills it, in shade towards its leech, with seams."""
    path = bend(edge) if round_ else corners(edge)
    left, top, right, foot = path.getBounds()
    wide, high, dark = right - left, foot - top, mix(colour, (24, 10, 40), 0.66)
    solid(sheet, path, ink(mix(colour, dark, 0.55)), mix(colour, BLACK, 0.66), 6)

    def cloth() -> None:
        """The belly that the wind fills, from its lit luff to the leech in shade, in few tones; seams and folds."""
        for shift, light in ((0.09, 0.0), (0.5, 0.14), (0.7, 0.27)):
            with sheet.moved(-wide * shift, -high * shift * 0.22):
                sheet.path(path, ink(mix(colour, SUNLIT, light)))
        ends = dots(seams)
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            line = smooth([start, ((start[0] + end[0]) / 2 + sag, (start[1] + end[1]) / 2 + sag), end])
            sheet.path(line, ink(dark, 90, blur=3, stroke=8))
            sheet.path(line, ink(dark, 170, stroke=2))
        for part in (0.3, 0.52, 0.74):  # folds that the sheet pulls towards the foot
            fold = [(left + wide * at, top + high * low) for at, low in ((part, 0.3), (part + 0.08, 0.66), (1, 1))]
            sheet.path(smooth(fold), ink(dark, 46, blur=3, stroke=9))
            sheet.path(smooth([(x - 6, y) for x, y in fold]), ink(SUNLIT, 44, blur=2, stroke=4))

    sheet.inside(path, cloth)
    sheet.path(path, ink(mix(colour, SUNLIT, 0.6), 170, stroke=1.6))


def _hull(
    sheet: Sheet, rail: Sequence[Point], left: float, right: float, tone: Colour, stripe: Colour | None = None
) -> None:
    """Paint a hull below its rail, from `left` to `right` on the water: planks, a lit rail, the foot in shade."""
    keel = [(left + (right - left) * at / (len(rail) - 1), WATERLINE + 6.0) for at in range(len(rail))]
    path, top = between(rail, keel), min(y for _, y in rail)
    solid(sheet, path, down(top, WATERLINE + 6, mix(tone, SUNLIT, 0.4), tone, mix(tone, (16, 12, 36), 0.72)))

    def planks() -> None:
        for part in (0.26, 0.5, 0.74):
            row = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in zip(rail, keel, strict=True)]
            sheet.path(smooth(row), ink(mix(tone, BLACK, 0.5), 190, stroke=2))
            sheet.path(smooth([(x, y + 2) for x, y in row]), ink(mix(tone, SUNLIT, 0.35), 110, stroke=1.3))
        if stripe:
            sheet.path(smooth([(x, y + 8) for x, y in rail]), ink(stripe, stroke=8))
        sheet.path(smooth([(x, y + 9) for x, y in rail]), ink(BLACK, 120, blur=4, stroke=9))  # the rail's shadow
        for end, light in ((right + 24, (20, 10, 30)), (left - 14, SUNLIT)):  # the round of the bow, and of the stern
            sheet.disc(end, WATERLINE - 16, 46, ink(light, 120 if light is not SUNLIT else 60, blur=18))

    sheet.inside(path, planks)
    sheet.path(smooth(rail), ink(PITCH, stroke=8))
    sheet.path(smooth(rail), ink(mix(tone, SUNLIT, 0.6), stroke=4.5))


def _rail(left: float, right: float, high: float, dip: float, prow: float) -> list[Point]:
    parts = [at / 5 for at in range(6)]
    return [(left + (right - left) * at, high + dip * math.sin(math.pi * at) - prow * at**5) for at in parts]


# Rigs


def _sloop(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (128, 176), (128, 8))
    _sail(sheet, "124 12 70 70 30 146 124 150", colour, "95 40 124 44 56 92 124 98 40 124 124 128", round_=False)
    _sail(sheet, "136 26 168 92 204 150 140 146", mix(colour, WHITE, 0.12), "138 90 170 94")
    _hull(sheet, _rail(34, 212, 160, 8, 8), 56, 190, OAK, mix(colour, WHITE, 0.2))


def _felucca(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (136, 176), (128, 50))
    _sail(sheet, "26 14 84 62 190 140 176 150 60 146 38 84", colour, "34 50 80 152 66 56 110 150 110 86 142 150")
    spar(sheet, (16, 4), (206, 152), 5)
    _hull(sheet, _rail(24, 218, 152, 14, 12), 56, 180, mix(OAK, (210, 160, 96), 0.4))


def _junk(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (122, 176), (116, 4), 7)
    _sail(sheet, "62 22 132 8 168 50 180 100 176 146 44 150 48 84", colour, round_=False)
    battens = dots("58 46 156 34 52 78 174 70 48 112 180 108 45 147 176 144")
    for left, right in zip(battens[::2], battens[1::2], strict=True):
        spar(sheet, left, right, 3.4)
    _hull(sheet, dots("22 132 44 160 90 166 134 166 178 160 208 146"), 50, 184, mix(OAK, (150, 40, 30), 0.4))
    _castle(sheet, "18 130 56 136 56 160 30 152")


def _castle(sheet: Sheet, edge: str) -> None:
    sheet.path(corners(edge), ink(mix(PITCH, OAK, 0.5)))
    start, end = dots(edge)[:2]
    sheet.line(start, end, ink(mix(OAK, SUNLIT, 0.5), stroke=5))


def _longship(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (112, 176), (112, 4), 7)
    _sail(sheet, "38 26 30 86 40 142 112 152 184 142 194 86 182 26 112 24", colour)
    for x, bow in ((70, -5), (96, -2), (128, 2), (152, 5)):
        stripe = smooth([(x, 27), (x + bow, 86), (x, 146)])
        sheet.path(stripe, ink(mix(colour, WHITE, 0.42), 170, stroke=9))
    spar(sheet, (28, 24), (196, 24))
    _hull(sheet, dots("14 122 34 156 84 168 140 168 188 156 210 118"), 54, 176, OAK)
    sheet.path(bend("207 126 206 104 216 96 228 104 216 108 214 124"), ink(mix(OAK, SUNLIT, 0.3)))
    for x in range(64, 176, 26):
        coin(sheet, x, 172, 10, mix(colour, (200, 160, 90), 0.35))


def _proa(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (120, 178), (118, 96), 5)
    claw = "150 156 78 120 34 60 40 12 96 36 150 30 176 8 188 70 170 124"
    _sail(sheet, claw, colour, "150 150 66 26 150 150 112 36 150 150 158 26", sag=2)
    for yard in ("152 160 78 124 32 62 38 6", "152 160 174 124 191 70 178 4"):
        sheet.path(smooth(dots(yard)), ink(PITCH, stroke=8))
        sheet.path(smooth(dots(yard)), ink(mix(OAK, SUNLIT, 0.3), stroke=4.5))
    _hull(sheet, _rail(12, 222, 164, 12, 6), 40, 190, mix(OAK, (90, 120, 90), 0.25))
    spar(sheet, (60, 200), (196, 200), 6)


def _tub(sheet: Sheet, colour: Colour) -> None:
    """A bathtub with a towel for a sail, and a duck as its figurehead."""
    spar(sheet, (112, 160), (112, 6))
    _sail(sheet, "42 28 182 24 178 84 184 140 112 148 38 142 46 84", colour)
    for y in (44, 126):
        sheet.path(smooth([(42, y), (112, y + 5), (182, y - 2)]), ink(mix(colour, WHITE, 0.55), 190, stroke=7))
    spar(sheet, (32, 26), (192, 22), 5)
    rim = dots("26 148 46 152 90 156 134 156 178 152 204 144")
    _hull(sheet, rim, 52, 176, (226, 226, 218))
    sheet.path(smooth(rim), ink((250, 248, 240), stroke=9))
    yellow: Colour = (255, 204, 52)
    solid(sheet, bend("176 142 182 120 204 124 214 110 212 138 196 146"), ink(yellow), wide=4)
    sheet.disc(186, 112, 15, ink(PITCH))
    sheet.disc(186, 112, 13, ink(yellow))
    sheet.path(corners("196 108 212 111 197 118"), ink((238, 120, 30)))
    sheet.disc(190, 108, 2.6, ink(PITCH))


def _schooner(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (82, 176), (82, 20))
    spar(sheet, (148, 176), (148, 6))
    _sail(sheet, "78 44 30 26 16 148 78 150", mix(colour, WHITE, 0.1), "26 66 78 74 20 108 78 112", round_=False)
    _sail(sheet, "144 26 90 12 84 150 144 150", colour, "88 50 144 56 86 104 144 108", round_=False)
    _sail(sheet, "154 20 178 82 212 148 158 144", mix(colour, WHITE, 0.16), "158 92 184 96")
    _hull(sheet, _rail(14, 220, 160, 8, 12), 36, 190, mix(PITCH, (60, 90, 110), 0.4), mix(colour, WHITE, 0.35))


def _galleon(sheet: Sheet, colour: Colour) -> None:
    spar(sheet, (74, 170), (74, 30), 7)
    spar(sheet, (132, 170), (132, 4), 7)
    spar(sheet, (190, 160), (226, 118), 5)
    for left, right, top, foot in ((44, 104, 44, 84), (36, 108, 90, 140), (98, 170, 16, 62), (92, 182, 68, 142)):
        edge = f"{left + 8} {top} {right - 8} {top} {right} {foot} {(left + right) / 2} {foot + 7} {left} {foot}"
        _sail(sheet, edge, colour if foot > 100 else mix(colour, WHITE, 0.14))
        spar(sheet, (left + 2, top), (right - 2, top), 4)
    _hull(sheet, dots("14 120 40 152 84 166 136 166 180 154 206 140"), 44, 184, OAK, mix(colour, BLACK, 0.1))
    _castle(sheet, "10 118 56 126 58 160 28 152")
    for x in (28, 44):
        sheet.box(x - 5, 131, x + 5, 142, ink((255, 214, 120)), 2)


RIGS: tuple[Callable[[Sheet, Colour], None], ...] = (
    _sloop, _felucca, _junk, _longship, _proa, _tub, _schooner, _galleon,
)  # fmt: skip


def sail() -> Image.Image:
    """Paint the mast and the white sail of the boat that is as high as a figure; its foot is cut."""
    wide, tall = TALL
    sheet = Sheet(wide, tall)
    spar(sheet, (wide / 2, 0), (wide / 2, tall), 8)
    _sail(sheet, f"22 26 {wide - 22} 26 {wide - 16} {tall} 16 {tall}", (246, 244, 238), round_=False)
    for y in range(150, tall, 128):
        sheet.path(smooth([(18, y), (wide / 2, y + 9), (wide - 18, y)]), ink((120, 116, 124), 130, stroke=2.4))
    sheet.box(22, 28, 60, tall, linear((22, 0), (60, 0), (0, WHITE, 150), (1, WHITE, 0)))
    spar(sheet, (8, 24), (wide - 8, 24), 9)
    return lit_edge(sheet.image(), SUNLIT, 2, 2, 0.4)


def hull() -> Image.Image:
    """Paint the hull below that sail."""
    wide, low = TALL[0], 110
    sheet, random = Sheet(wide, WATERLINE + 20), scatter("hull")
    _hull(sheet, _rail(6, wide - 6, WATERLINE - 68, 16, 14), 34, wide - 40, OAK, (232, 186, 96))
    foam(sheet, random, (16, WATERLINE - 2, wide - 16, WATERLINE + 9), 34)
    return lit_edge(sheet.image().crop((0, WATERLINE + 20 - low, wide, WATERLINE + 20)), SUNLIT, 2, 2, 0.5)


TALL = 200, 560
"""The size of the highest sail."""


HEEL = (-5, 4, -3, 3, -5, 4, 6, -3)
"""How far each boat leans in the wind, in degrees."""


def boat(number: int, size: int = 1) -> Image.Image:
    """Paint the boat of a seat's colour under way: it leans, a wave breaks at its bow, the water shows its image."""
    sheet, random, image = Sheet(BOAT[0] * size, BOAT[1] * size), scatter(number), mix(COLOURS[number], PITCH, 0.55)
    sheet.canvas.scale(size, size)
    for row in range(6):
        x, y, half = 114 + random.uniform(-8, 8), WATERLINE + 2.0 + 3.4 * row, 84 - 9 * row
        sheet.oval(x - half, y - 1.8, x + half, y + 2.2, ink(image, 200 - 22 * row))
    with sheet.moved(112, WATERLINE, HEEL[number]):
        sheet.canvas.translate(-112, -WATERLINE)
        RIGS[number](sheet, COLOURS[number])
    for x, wide in ((176, 1.0), (60, 0.55)):  # bow and stern
        with sheet.moved(x, WATERLINE + 4, 0, wide, wide):
            wave = bend("-26 2 -8 -4 6 -14 20 -20 34 -14 28 -11 34 -2 50 2 30 6 0 6")
            sheet.path(wave, ink(mix(FOAM, (60, 110, 130), 0.35)))
            sheet.path(bend("-16 1 2 -4 16 -13 28 -14 20 -4 30 2 8 3"), ink(FOAM))
    foam(sheet, random, (24, WATERLINE + 2, 196, WATERLINE + 7), 22)
    return lit_edge(sheet.image(), SUNLIT, 2, 2, 0.55)
