"""The chapel at night, in the light of its window; the stone round the window, the pools of its light."""

# Points and tones are read in rows.
# fmt: off
from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import skia
from PIL import Image, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, polygon, radial, shaded, smooth, stones
from rendering.studio.full_circle.glass import (
    RADIUS,
    Array,
    at,
    bead,
    boss,
    lattice,
    noise,
    octant,
    solder,
)
from rendering.studio.pack import ORDER, flat
from rendering.studio.vignettes import SIZE, C, framed

MIDDLE: Point = (600, 408)
"""The middle of the window in the chapel, whose glass has the radius 250."""
FLOOR = 700
"""Where the floor begins."""
STONE: Colour = (150, 142, 152)


def _pointed(x: float, wide: float, top: float, foot: float) -> skia.Path:
    """Return a lancet's shape: a pointed arch over straight sides."""
    half = wide / 2
    spring = top + wide * 0.87
    left = [(x - half, foot), (x - half, spring)]
    curve = [(x + half - wide * math.cos(math.radians(60 * step / 12)),
        spring - wide * math.sin(math.radians(60 * step / 12))) for step in range(13)]
    return polygon([*left, *curve, *((2 * x - px, py) for px, py in reversed(curve)), (x + half, spring), (x + half,
        foot)])


def _shaft(sheet: Sheet, x: float, wide: float, top: float, foot: float, tone: Colour) -> None:
    """Paint a round shaft of stone, darker at both sides."""
    dark, pale = mix(tone, BLACK, 0.6), mix(tone, WHITE, 0.2)
    sheet.box(x, top, x + wide, foot, linear((x, 0), (x + wide, 0), (0, dark), (0.35, tone), (0.55, pale), (0.75,
        tone), (1, dark)))


def _pier(sheet: Sheet, x: float, side: int) -> None:
    """Paint a pier of three shafts with capital and base; the arch's ribs spring from it. `side`: -1 at the left."""
    for offset, wide in ((-24, 22), (2, 22), (-11, 26)):
        _shaft(sheet, x + offset, wide, 346, FLOOR - 26, mix(STONE, (120, 108, 130), 0.3))
    for top, wide, tall in ((330, 74, 12), (342, 62, 8), (FLOOR - 34, 66, 10), (FLOOR - 24, 78, 14), (FLOOR - 10, 92,
        14)):
        tone = mix(STONE, WHITE, 0.06)
        sheet.box(x - wide / 2, top, x + wide / 2, top + tall, linear((x - wide / 2, 0), (x + wide / 2, 0), (0,
            mix(tone, BLACK, 0.5)), (0.5 - side * 0.2, mix(tone, WHITE, 0.22)), (1, mix(tone, BLACK, 0.5))), 4)
        sheet.line((x - wide / 2 + 2, top + tall), (x + wide / 2 - 2, top + tall), ink(BLACK, 130, stroke=2))


def _ribs(sheet: Sheet, left: float, right: float, count: int) -> None:
    """Paint the ribs of the pointed arch, which rise from both piers and leave the picture above."""
    wide = right - left
    for radius, thick, light in ((wide + 34, 30, 0.0), (wide + 8, 20, 0.16), (wide - 12, 12, -0.3))[:count]:
        tone = mix(STONE, WHITE if light > 0 else BLACK, abs(light))
        for middle, first in ((right, 0), (left, 180)):
            arc = [at(radius, first + (step * 3.2 if not first else -step * 3.2), (middle, 334)) for step in range(14)]
            path = smooth(arc)
            sheet.path(path, ink(BLACK, 120, stroke=thick + 6, blur=3))
            sheet.path(path, ink(mix(tone, BLACK, 0.35), stroke=thick))
            with sheet.moved(-3 if first else 3, 2):
                sheet.path(path, ink(mix(tone, WHITE, 0.14), stroke=thick * 0.36))


def _lancet(sheet: Sheet, x: float, random: Random, *, near: bool) -> None:
    """Paint a narrow window, behind which is the night; `near`: its quarries are seen."""
    outer, inner = _pointed(x, 128, 128, 566), _pointed(x, 92, 158, 552)
    sheet.path(outer, ink((104, 98, 112)))
    sheet.path(outer, ink((58, 54, 66), stroke=5))
    sheet.path(_pointed(x, 108, 145, 560), ink((72, 68, 80)))

    def night() -> None:
        sheet.box(x - 60, 140, x + 60, 570, linear((0, 150), (0, 560), (0, (70, 100, 190)), (0.5, (54, 74, 150)), (1,
            (40, 48, 108))))
        for _ in range(30 if near else 8):
            sheet.disc(x + random.uniform(-48, 48), random.uniform(160, 540), random.uniform(0.8, 1.8), ink((230, 240,
                255), random.randrange(120, 255)))
        for number in range(-16, 20) if near else ():
            for lean in (1, -1):
                sheet.line((x - 60, 150 + 34 * number), (x + 60, 150 + 34 * number + lean * 178), ink((14, 14, 26),
                    stroke=3))
        for y in (262, 360, 458):
            sheet.box(x - 60, y, x + 60, y + 6, ink((14, 14, 24)))

    sheet.inside(inner, night)
    sheet.path(inner, ink((26, 24, 34), stroke=6))


def _courses(sheet: Sheet) -> None:
    """Paint the string courses along the foot of the wall, and a bench below them."""
    for top, tall, light in ((FLOOR - 122, 10, 0.2), (FLOOR - 112, 5, -0.4), (FLOOR - 26, 8, 0.24), (FLOOR - 18, 18,
        -0.1)):
        tone = mix(STONE, WHITE if light > 0 else BLACK, abs(light))
        sheet.box(0, top, 1200, top + tall, ink(tone))
        sheet.line((0, top + 1), (1200, top + 1), ink(mix(tone, WHITE, 0.3), stroke=2))
        sheet.line((0, top + tall), (1200, top + tall), ink(BLACK, 150, stroke=2.4))


def _floor(sheet: Sheet, height: int, random: Random) -> None:
    """Paint flags of stone that widen towards the viewer."""
    sheet.box(0, FLOOR, 1200, height, ink((54, 50, 60)))
    lines = [float(FLOOR)]
    while lines[-1] < height:
        lines.append(lines[-1] + 16 + (lines[-1] - FLOOR) * 0.34)
    for row, (top, low) in enumerate(pairwise(lines)):
        for flag in range(-14, 14):
            edges = []
            for y, side in ((top, 0), (top, 1), (low, 1), (low, 0)):
                spread = 74 * (1 + (y - FLOOR) / 190)
                edges.append((600 + (flag + side + 0.5 * (row % 2)) * spread, y))
            tone = mix((128, 120, 128), random.choice(((90, 84, 96), (150, 138, 138), (110, 100, 122))),
                random.uniform(0.1, 0.6))
            inset = [(edges[0][0] + 1.4, top + 1.2), (edges[1][0] - 1.4, top + 1.2), (edges[2][0] - 1.6, low - 1),
                (edges[3][0] + 1.6, low - 1)]
            sheet.path(polygon(inset), ink(tone))
            sheet.line(inset[0], inset[1], ink(WHITE, 46, stroke=1.6))


def _wall(height: int, light: Array) -> Image.Image:
    """Paint courses of hewn stone. Each stone has one tone, in the light that falls on its middle."""
    sheet, random = Sheet(1200, height, 2), scatter("masonry")
    joint = np.median(light, (0, 1)) * 44
    sheet.box(0, 0, 1200, height, ink(tuple(joint)))
    for course in range(-1, height // 46 + 1):
        x, top = -random.uniform(0, 60), course * 46 - 6
        while x < 1200:
            wide = random.uniform(62, 132)
            shine = light[min(max(top + 23, 0), height - 1), min(max(int(x + wide / 2), 0), 1199)]
            pale = random.choice(((134, 126, 138), (154, 143, 148), (118, 110, 126), (140, 128, 130)))
            recess = 0.84 if 226 < x + wide / 2 < 974 else 1
            tone = tuple(np.clip(np.array(pale) * shine * recess, 0, 255))
            sheet.box(x + 1.5, top + 1.5, x + wide - 1.5, top + 44.5, ink(tone), 5)
            sheet.line((x + 6, top + 3), (x + wide - 6, top + 3), ink(mix(tone, (255, 226, 200), 0.16), stroke=1.8))
            sheet.line((x + 6, top + 43.4), (x + wide - 6, top + 43.4), ink(mix(tone, BLACK, 0.34), stroke=1.8))
            x += wide
    return sheet.image()


def _masonry(height: int, *, near: bool = True) -> Image.Image:
    """Paint what stands before the wall, and the floor, in even light."""
    sheet = Sheet(1200, height, 2)
    random = scatter("masonry")
    for x in (104, 1096):
        _lancet(sheet, x, random, near=near)
    _ribs(sheet, 226, 974, 3 if near else 1)
    _courses(sheet)
    for x, side in ((226, -1), (974, 1)):
        _pier(sheet, x, side)
    _floor(sheet, height, random)
    return sheet.image()


def _light(height: int) -> Array:
    """Return what each pixel's colours are multiplied with: night everywhere, and the window's light."""
    y, x = np.mgrid[0:height, 0:1200].astype(np.float32)
    away = np.hypot(x - MIDDLE[0], (y - MIDDLE[1]) * 1.02)
    near = np.exp(-np.clip(away - 262, 0, None) / 130)
    wide = np.exp(-((away / 560) ** 2))
    night = np.stack([0.145 + 0 * x, 0.16 + 0 * x, 0.31 + 0 * x], -1)
    warm = np.array([1.02, 0.74, 0.5], np.float32)
    lit = night + warm * (0.7 * near + 0.28 * wide)[..., None]
    floor = np.clip((y - FLOOR) / 4, 0, 1)
    pool = np.exp(-(((x - 600) / 330) ** 2) - ((y - FLOOR - 40) / 74) ** 2)
    lit = lit + warm * (0.34 * pool * floor)[..., None]
    moon = np.exp(-(((np.abs(x - 600) - 496) / 70) ** 2) - ((y - 350) / 260) ** 2)
    lit = lit + np.array([0.10, 0.15, 0.34], np.float32) * moon[..., None]
    head = np.clip((118 - y) / 118, 0, 1)[..., None]
    foot = np.clip((y - 770) / 110, 0, 1)[..., None]
    return lit * (1 - 0.74 * head) * (1 - 0.62 * foot)


def _in_light(height: int, *, near: bool = True) -> Image.Image:
    """Paint the chapel in the light of its window; `near`: with the quarries of other windows."""
    light, front = _light(height), _masonry(height, near=near)
    pixels = np.asarray(front.convert("RGB"), np.float32) * light
    whole = _wall(height, light)
    whole.paste(Image.fromarray(pixels.clip(0, 255).astype(np.uint8)), (0, 0), front.getchannel("A"))
    return whole.convert("RGB")


def _desks(wall: Image.Image, top: int, foot: int, inner: int) -> None:
    """Paint desks of oak before the wall, at both sides of the window, whose light falls on their inner ends."""
    sheet, random = Sheet(1200, wall.height, 2), scatter("desks")
    oak, deep = (104, 70, 54), (34, 23, 28)
    for side in (-1, 1):
        with sheet.moved(600, 0, 0, side, 1):
            end, out = 600 - inner, 620
            box = (end, top, out, foot)
            sheet.box(end - 8, top - 30, out, foot, ink(BLACK, 130, blur=12))
            sheet.fall(*box, (0, mix(oak, BLACK, 0.15)), (1, deep))
            sheet.fall(end + 26, top + 22, out, foot - 10, (0, deep), (0.2, mix(oak, deep, 0.7)), (1, deep), radius=6)
            for _ in range(26):
                y, x, long = random.uniform(top + 26, foot - 14), random.uniform(end + 30, out), random.uniform(40, 200)
                sheet.line((x, y), (x + long, y + 1), ink(mix(oak, deep, 0.3), 70, stroke=1.4))
            sheet.line((end + 30, foot - 11), (out, foot - 11), ink(mix(oak, WHITE, 0.14), 150, stroke=2))
            sheet.box(*box, linear((end, 0), (end + 230, 0), (0, (255, 190, 120), 96), (1, (255, 170, 90), 0)))
            lit = (0, (206, 158, 110)), (0.4, oak), (1, deep)
            sheet.fall(end - 10, top - 2, out, top + 14, *lit, radius=4)
            _shaft(sheet, end - 4, 22, top - 6, foot, mix(oak, (255, 190, 120), 0.2))
            sheet.fall(end - 9, top - 14, end + 23, top + 6, *lit, radius=3)
            sheet.disc(end + 7, top - 26, 15, radial((end + 1, top - 32), 22, *lit))
    sheet.fall(0, foot - 30, 1200, foot, (0, (8, 6, 14), 0), (1, (8, 6, 14), 170))
    wall.paste(desks := sheet.image(), (0, 0), desks)


BEAM = 124
"""How deep the beam below the roof is, on which words stand."""


def _beam(wall: Image.Image) -> None:
    """Paint the beam of old oak below the roof, its lower edge in the window's light."""
    sheet, random = Sheet(1200, BEAM + 30, 2), scatter("beam")
    oak, deep = (48, 33, 34), (30, 20, 26)
    sheet.fall(0, BEAM - 4, 1200, BEAM + 26, (0, BLACK, 210), (1, BLACK, 0))
    sheet.box(0, 0, 1200, BEAM, ink(oak))
    for _ in range(42):
        x, y, tone = random.uniform(-200, 1100), random.uniform(4, BEAM - 14), random.choice((deep, (58, 41, 40)))
        points = [(x + 70 * step, y + random.uniform(-2, 2)) for step in range(random.randrange(3, 8))]
        sheet.path(smooth(points), ink(tone, stroke=random.uniform(1.6, 3.4)))
    for top, tall, tone in ((BEAM - 12, 3, deep), (BEAM - 9, 9, (86, 58, 48)), (BEAM - 9, 2.4, (148, 104, 74))):
        sheet.box(0, top, 1200, top + tall, ink(tone))
    wall.paste(beam := sheet.image(), (0, 0), beam)


def chapel() -> Image.Image:
    """Paint the chapel with the light of its window, without the window: the table's stage."""
    whole = _in_light(900)
    _beam(whole)
    _desks(whole, 744, 900, 466)
    return flat(whole.filter(ImageFilter.MedianFilter(3)), 56).convert("RGBA")


BENCH = 520
"""Where the bench begins in a hand's picture."""


def bench() -> Image.Image:
    """Paint the upper part of the chapel nearer to its window, and before it a glazier's bench: a hand's stage."""
    height = 764
    wall = _in_light(900, near=False).crop((0, 84, 1200, 84 + height))
    _beam(wall)
    _desks(wall, 360, BENCH, 388)
    sheet = Sheet(1200, height, 2)
    random = scatter("bench")
    sheet.fall(0, BENCH - 26, 1200, BENCH, (0, BLACK, 0), (1, BLACK, 190))
    sheet.box(0, BENCH, 1200, height, ink((34, 22, 24)))
    for row, (top, low) in enumerate(((BENCH + 13, 592), (592, 676), (676, 764))):  # planks, each in its own light
        x = -random.uniform(60, 200)
        while x < 1200:
            wide = random.uniform(190, 330)
            near = math.exp(-(((x + wide / 2 - 600) / 430) ** 2)) * (1 - 0.16 * row)
            oak = mix(mix((66, 42, 40), (164, 112, 80), near), random.choice(((60, 36, 36), (150, 104, 70))), 0.16)
            sheet.box(x, top + 1.4, x + wide - 2.4, low - 1.4, ink(oak))
            sheet.line((x + 1, top + 2.4), (x + wide - 4, top + 2.4), ink(mix(oak, (255, 214, 160), 0.3), stroke=2.2))

            def grain(x: float = x, wide: float = wide, top: int = top, low: int = low, oak: Colour = oak) -> None:
                for _ in range(7):
                    y, begin = random.uniform(top + 8, low), x + random.uniform(-60, wide)
                    points = [(begin + 40 * n, y + random.uniform(-1.6, 1.6)) for n in range(random.randrange(3, 6))]
                    tone = mix(oak, random.choice((BLACK, BLACK, (255, 200, 140))), 0.2)
                    sheet.path(smooth(points), ink(tone, stroke=random.uniform(1.2, 2.2)))
                knot = x + random.uniform(30, wide), random.uniform(top + 16, low - 10)
                for size in (9, 5.4, 2.2):
                    sheet.oval(knot[0] - size * 1.7, knot[1] - size * 0.7, knot[0] + size * 1.7, knot[1] + size * 0.7,
                        ink(mix(oak, BLACK, 0.34 if size != 5.4 else 0.1)))

            plank = polygon([(x, top), (x + wide - 2.4, top), (x + wide - 2.4, low), (x, low)])
            sheet.inside(plank, grain)
            x += wide
    sheet.fall(0, BENCH, 1200, BENCH + 12, (0, (214, 160, 110)), (0.3, (160, 112, 80)), (1, (78, 52, 44)))
    wall.paste(bench := sheet.image(), (0, 0), bench)
    y, x = np.mgrid[0:height, 0:1200].astype(np.float32)
    sides = np.clip((np.abs(x - 600) - 300) / 300, 0, 1) * np.clip((BENCH - y) / 40, 0, 1)
    return flat(shaded(wall, (10, 8, 18), 0.4 * sides), 22).convert("RGBA")


ROSE = "RBGPROGB"
"""The colours of the window behind a result, from the left."""


def rose() -> Image.Image:
    """Paint the window with all its glass, and its shining stone."""
    window, whole = Sheet(2 * RADIUS, 2 * RADIUS, 1), Image.new("RGBA", (641, 641))
    for number, name in enumerate(ROSE):
        half = octant(name, first=number % 2 == 0).rotate(-90 * (number // 2))
        window.lay(half, RADIUS if number // 2 in (1, 2) else 0, RADIUS if number // 2 in (2, 3) else 0)
    for picture, wide in ((window.image(), 500), (lattice(), 507), (boss(lit=True), 182), (rim(lit=True), 641)):
        shown = picture.resize((wide, wide), Image.Resampling.LANCZOS)
        whole.alpha_composite(shown, (320 - wide // 2, 320 - wide // 2))
    return whole


def vignette() -> Image.Image:
    """Paint the vignette of the game: its window, lit from behind."""

    def scene(sheet: Sheet, random: Random) -> None:
        sheet.box(0, 0, SIZE, SIZE, ink((20, 20, 38)))
        stones(sheet, (0, 0, SIZE, SIZE), random, ((52, 50, 74), (70, 66, 88), (40, 38, 62)), 24, (180, 170, 200))
        sheet.lay(rose().resize((206, 206), Image.Resampling.LANCZOS), C - 103, C - 103)

    return framed(scene)


def hall() -> Image.Image:
    """Paint the chapel behind results: its window, all its glass in place, glows above a dark floor."""
    tall, lift = 1251, 51
    image, window = _in_light(tall), rose()
    image.paste(window, (280, 83), window)
    y, x = np.mgrid[0:tall, 0:1200].astype(np.float32)
    far = np.clip((np.hypot(x - 600, y - 403) - 150) / 380, 0, 1)
    shown = shaded(image, (9, 8, 18), np.clip(0.06 + 0.3 * far + 0.34 * np.clip((y - 700) / 160, 0, 1), 0, 0.9))
    return shown.crop((0, lift, 1200, tall)).convert("RGBA")


RIM = 1.125
"""How far the stone round the window reaches, in radii."""


def rim(*, lit: bool) -> Image.Image:
    """Paint the moulded stone round the window, with a jewel in each of its 32 cusps. They shine if all six colours are
    in the window; else they are dark.
    """
    reach = round(RADIUS * RIM)
    margin = 44 if lit else 8
    size = 2 * (reach + margin)
    sheet = Sheet(size, size, 2)
    x = y = size / 2

    def ring(radius: float, wide: float, paint: skia.Paint) -> None:
        path = skia.Path()
        path.addCircle(x, y, radius)
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(wide)
        sheet.path(path, paint)

    if lit:
        ring(RADIUS * 1.07, 40, ink((255, 206, 104), 190, blur=17))
    ring(RADIUS + 18, 36, ink((26, 23, 34)))
    pale: Colour = (244, 206, 132) if lit else (148, 132, 136)
    dark: Colour = (122, 74, 30) if lit else (58, 52, 66)
    for radius, wide in ((reach - 3, 6), (RADIUS + 3, 6)):
        ring(radius, wide, linear((x - reach, y - reach), (x + reach, y + reach), (0, mix(pale, WHITE, 0.2)), (0.5,
            pale), (1, dark)))
    ring(RADIUS + 18.5, 22, linear((x - reach, y - reach), (x + reach, y + reach), (0, mix(pale, dark, 0.45)), (0.5,
        mix(pale, dark, 0.7)), (1, mix(dark, BLACK, 0.2))))
    for band, tone, alpha in ((reach - 7.0, BLACK, 150), (RADIUS + 7.5, BLACK, 170), (RADIUS + 9.5, mix(pale, WHITE,
        0.3), 90)):
        ring(band, 2.2, ink(tone, alpha))
    amber = ((96, 50, 10), (190, 116, 26), (244, 180, 66), (255, 214, 110), (255, 240, 180), WHITE)
    slate = ((14, 14, 26), (26, 28, 48), (40, 44, 72), (60, 68, 104), (110, 124, 166), WHITE)
    for number in range(32):
        px, py = at(RADIUS + 18.5, number * 11.25 + 5.625, (x, y))
        if lit:
            sheet.disc(px, py, 15, radial((px, py), 15, (0, (255, 240, 180), 200), (1, (255, 200, 90), 0)))
        bead(sheet, px, py, 6.4, amber if lit else slate)
        sheet.line(at(RADIUS + 11, number * 11.25, (x, y)), at(RADIUS + 26, number * 11.25, (x, y)), ink((20, 17, 26),
            190, stroke=2.4))
        if number % 4 == 0:
            solder(sheet, *at(RADIUS + 18.5, number * 11.25, (x, y)), 6)
    return sheet.image()


POOL = (330, 92)
"""Half the width and half the depth of the window's light on the floor."""


def pool(octant: int) -> Image.Image:
    """Paint what one octant of the window throws on the floor, in white: as far as it is opaque, its colour is seen.
    What is above in the window falls nearest to the viewer. The box is the whole pool's.
    """
    wide, deep = POOL
    y, x = np.mgrid[0 : 2 * deep, 0 : 2 * wide].astype(np.float32)
    across, down = (x - wide) / wide, -(y - deep) / deep
    far = np.hypot(across, down)
    turn = np.degrees(np.arctan2(-down, -across)) % 360
    inside = np.clip(1.5 - np.abs((turn - octant * 45 - 22.5 + 180) % 360 - 180) / 15, 0,
        1) * np.clip((far - 0.08) * 9, 0, 1)
    petal = 0.62 + 0.38 * np.exp(-(((far - 0.62) / 0.2) ** 2))
    alpha = inside * petal * np.clip((1 - far) / 0.26, 0, 1) * 0.8 * (1 + 0.2 * noise(2 * wide, 5, 40, 12)[: 2 * deep])
    mask = Image.fromarray((alpha * 255).clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(2.5))
    whole = Image.new("RGBA", mask.size, (*WHITE, 0))
    whole.putalpha(mask)
    return whole


GLOW = 412
"""Half the width of the light round the window on the wall, for a radius of 280."""


def glow(first: bool) -> Image.Image:
    """Paint what half of the upper left quarter throws on the wall beside the window, in white."""
    y, x = np.mgrid[0:GLOW, 0:GLOW].astype(np.float32)
    across, up = (GLOW - x) / RADIUS, (GLOW - y) / RADIUS
    far, turn = np.hypot(across, up), np.degrees(np.arctan2(up, across))
    inside = np.cos(np.radians(np.clip(np.abs(turn - (22.5 if first else 67.5)) * 2, 0, 90))) ** 2
    alpha = inside * np.clip((far - 1.08) / 0.05, 0, 1) * np.clip((GLOW / RADIUS - far) / 0.36, 0, 1) ** 2
    whole = Image.new("RGBA", (GLOW, GLOW), (*WHITE, 0))
    grain = np.tile(np.array(ORDER) / 21 + 0.64, (GLOW // 4, GLOW // 4))  # so that it does not fade in steps
    whole.putalpha(Image.fromarray((alpha * grain * 150).clip(0, 255).astype(np.uint8)))
    return whole


def bar() -> Image.Image:
    """Paint the board of oak behind which a glazier stands."""
    sheet = Sheet(260, 26, 3)
    sheet.box(2, 7, 258, 24, ink((6, 5, 10), 160, blur=3), 6)
    sheet.fall(2, 3, 258, 20, (0, (206, 156, 108)), (0.3, (146, 102, 74)), (1, (58, 38, 36)), radius=5)
    sheet.line((8, 5), (252, 5), ink((255, 214, 160), 150, stroke=1.6))
    return sheet.image()
