"""The island over the woods in the light of six hours: sky, valley, earth with roots, turf with its four soils.

A stage is wider than a page: pages cut what they need (scenes.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.photosynthesis.scene import SOILS as LEAVES
from rendering.photosynthesis.scene import TABLE
from rendering.studio import brush
from rendering.studio.brush import BLACK, Sheet, ink, linear, radial, screened, smooth

WIDE, TALL = 1480, 920
HORIZON = 150


class Hour(NamedTuple):
    """The colours of an hour: the sky from above to the horizon, the light, the woods in the valley, the mist."""

    sky: tuple[Colour, Colour, Colour]
    light: Colour
    woods: Colour
    mist: Colour


HOURS = (
    Hour(((52, 48, 104), (176, 98, 124), (255, 196, 146)), (255, 214, 184), (40, 50, 76), (216, 150, 150)),
    Hour(((30, 82, 130), (92, 152, 186), (248, 232, 186)), (255, 240, 206), (28, 72, 98), (186, 208, 206)),
    Hour(((18, 82, 150), (72, 152, 206), (206, 236, 240)), (255, 253, 238), (22, 78, 102), (176, 222, 230)),
    Hour(((32, 84, 140), (120, 166, 184), (255, 226, 150)), (255, 230, 164), (26, 82, 104), (176, 206, 192)),
    Hour(((58, 32, 84), (176, 66, 76), (255, 158, 76)), (255, 194, 138), (52, 40, 62), (232, 124, 86)),
    Hour(((14, 20, 62), (58, 58, 128), (180, 122, 172)), (190, 192, 246), (22, 30, 62), (120, 108, 170)),
)
SOILS: tuple[tuple[Colour, ...], ...] = (
    ((132, 128, 66), (198, 196, 112), (222, 216, 138), (166, 172, 88)),
    ((94, 118, 50), (140, 164, 72), (168, 186, 92), (112, 140, 58)),
    ((66, 104, 46), (104, 146, 64), (130, 168, 80), (84, 124, 54)),
    ((38, 82, 42), (66, 118, 56), (90, 142, 68), (50, 100, 48)),
)
"""The turf by its leaves: its groove, its ground, its light and its dark blades."""
EARTH: tuple[Colour, ...] = ((34, 22, 26), (62, 40, 34), (96, 64, 44), (132, 92, 60))


def _rim(grown: float) -> list[Point]:
    """The island's uneven outline, clockwise from the east: `grown` pixels round the hull of all hexes."""
    corners = sorted(
        (TABLE.centre(hex_)[0] + px, TABLE.centre(hex_)[1] + py) for hex_ in LEAVES for px, py in TABLE.corners(-grown)
    )
    hull: list[Point] = []
    for points in (corners, corners[::-1]):
        start = len(hull)
        for x, y in points:
            while len(hull) - start > 1 and (hull[-1][0] - hull[-2][0]) * (y - hull[-2][1]) <= (
                hull[-1][1] - hull[-2][1]
            ) * (x - hull[-2][0]):
                hull.pop()
            hull.append((x, y))
        hull.pop()
    found, random = [], scatter("rim")
    for (ax, ay), (bx, by) in pairwise([*hull, hull[0]]):
        count = max(1, round(math.hypot(bx - ax, by - ay) / 26))
        for step in range(count):
            swing = random.uniform(-4.5, 4.5)
            found.append((ax + (bx - ax) * step / count + swing, ay + (by - ay) * step / count + swing * 0.6))
    return found


def _sky(sheet: Sheet, hour: Hour, sun: int, random: Random) -> None:
    high, middle, low = hour.sky
    sky = linear((0, 0), (0, HORIZON + 6), (0, high), (0.52, mix(high, middle, 0.6)), (0.8, middle), (1, low))
    sheet.box(0, 0, WIDE, HORIZON + 40, sky)
    if sun == 5:
        for _ in range(90):
            x, y = random.uniform(0, WIDE), random.uniform(0, 80)
            sheet.disc(x, y, random.uniform(0.6, 1.7), ink((226, 226, 255), random.randrange(90, 220)))
    for _ in range(16):  # clouds: flat strokes, lit from below
        x, y, wide = random.uniform(0, WIDE), random.uniform(44, HORIZON - 12), random.uniform(60, 210)
        tone = mix(middle, low, random.uniform(0.25, 0.8))
        for step in range(5):
            dx = (step - 2) * wide * 0.2
            top = y - 6 + abs(step - 2) * 1.6
            sheet.oval(x + dx - wide * 0.3, top, x + dx + wide * 0.3, y + 5, ink(tone, 66, blur=4))


def ridge(
    sheet: Sheet, random: Random, y: float, swing: float, long: float, turn: float, tone: Colour, firs: int, size: float
) -> None:
    """A wooded ridge that swings about y in waves so `long`, begun at `turn`, and the tips of firs on it."""
    wide, tall = sheet.width, sheet.height
    points = [(x, y + swing * math.sin(x / long + turn) + random.uniform(-4, 4)) for x in range(-20, wide + 40, 30)]
    sheet.path(brush.ground(points, tall), ink(tone))
    for _ in range(firs):
        x = random.uniform(0, wide)
        foot = y + swing * math.sin(x / long + turn) + 5
        high = random.uniform(6, 13) * size
        sheet.path(brush.polygon([(x - high * 0.3, foot), (x, foot - high), (x + high * 0.3, foot)]), ink(tone))


def pebbles(sheet: Sheet, random: Random, count: int, box: tuple[float, float, float, float], sizes: Point,
            pale: float) -> None:  # fmt: skip
    """Stones in the earth within a box, their upper side lit."""
    left, top, right, foot = box
    for _ in range(count):
        x, y, r = random.uniform(left, right), random.uniform(top, foot), random.uniform(*sizes)
        sheet.oval(x - r * 1.2, y - r * 0.8, x + r * 1.2, y + r, ink(EARTH[0], 180))
        sheet.oval(x - r * 1.1, y - r * 0.8, x + r, y + r * 0.5, ink(mix(EARTH[3], (170, 156, 146), pale)))


def _valley(sheet: Sheet, hour: Hour, sun: int, random: Random) -> None:
    """Ridges at the horizon, then a sea of clouds on which the light lies."""
    deep = mix(hour.woods, hour.mist, 0.3)
    for layer, (y, part) in enumerate(((HORIZON - 16.0, 0.72), (HORIZON + 2.0, 0.46), (HORIZON + 24.0, 0.26))):
        tone = mix(hour.woods, mix(hour.mist, hour.sky[2], 0.3), part)
        ridge(sheet, random, y, 16, 150 + 40 * layer, layer * 2.1, tone, 420, 0.7 + layer * 0.4)
    tones = (0, mix(deep, hour.mist, 0.35)), (0.35, deep), (1, mix(hour.woods, BLACK, 0.25))
    sheet.fall(0, HORIZON + 40, WIDE, TALL, *tones)
    shadow, lit = mix(hour.woods, hour.mist, 0.2), mix(hour.mist, hour.light, 0.6)
    across = -0.3 if sun in (0, 1, 5) else 0.3
    for row in range(7):
        near = row / 6
        y = HORIZON + 50 + 60 * near + 580 * near**1.35
        body, edge = mix(shadow, deep, 0.5 * near), mix(lit, shadow, 0.1 + 0.25 * near)
        x = random.uniform(-120, 0)
        while x < WIDE + 120:
            wide, high = (54 + 130 * near) * random.uniform(0.6, 1.5), (16 + 52 * near) * random.uniform(0.5, 1.3)
            puffs = [(random.uniform(0, 1), random.uniform(-1, 1), random.uniform(0.3, 0.56)) for _ in range(18)]
            for low, out, size in sorted(puffs):  # from above: the lower, the deeper in shade
                r, at = high * size, x + out * wide
                top = y - high * ((1 - out * out) ** 0.5 * 0.95 - 0.75 * low)
                first = mix(edge, body, 0.7 * low + 0.2 * abs(out + across) * (out * across > 0))
                parts = (0, first), (0.45, mix(first, body, 0.45)), (0.9, body)
                glow = radial((at + 1.2 * across * r, top - 0.9 * r), r * 2, *parts)
                sheet.oval(at - r * 1.5, top - r, at + r * 1.5, top + r * 1.5, glow)
            x += wide * random.uniform(0.9, 1.5)
        sheet.box(-20, y + 12, WIDE + 20, y + 30 + 110 * near, ink(body, 220, blur=10 + 12 * near))


def grass(sheet: Sheet, random: Random, count: int, place: Callable[[], Point], tones: tuple[Colour, ...], light: Point,
          reach: float, size: float = 1) -> None:  # fmt: skip
    """Tufts of grass, the farther the nearer: lighter towards the light."""
    for x, y in sorted((place() for _ in range(count)), key=lambda at: at[1]):
        far = min(1, math.hypot(x - light[0], (y - light[1]) * 1.6) / reach)
        tone = mix(along(tones, 1 - far), BLACK, random.uniform(0, 0.2))
        for lean in (-22, 0, 20):
            long, angle = random.uniform(5, 10) * size, -90 + lean + random.uniform(-8, 8)
            brush.dab(sheet, x + lean * 0.12, y, long, angle, tone, 225, brush.LEAF, 0.3)


def _earth(sheet: Sheet, hour: Hour, sun: int, random: Random) -> None:
    """The island's underside: strata, stones, and roots that hang below its rim."""
    front = [point for point in _rim(11) if point[1] > TABLE.y - 6]
    front.sort(key=lambda point: point[0])
    left, right = front[0], front[-1]
    hang: list[Point] = []
    for number in range(41):
        part = number / 40
        x = left[0] + (right[0] - left[0]) * part
        edge = np.interp(x, [p[0] for p in front], [p[1] for p in front])
        deep = 34 + 58 * math.sin(part * math.pi) ** 0.7 + random.uniform(-14, 16)
        hang.append((TABLE.x + (x - TABLE.x) * 0.985, float(edge) + deep))
    body = smooth([*hang])
    for point in front[::-1]:
        body.lineTo(*point)
    body.close()
    lit = mix(EARTH[2], hour.light, 0.22)

    def strata() -> None:
        deep = linear(
            (0, TABLE.y), (0, TABLE.y + 400), (0, EARTH[2]), (0.8, mix(EARTH[2], EARTH[3], 0.4)), (1, EARTH[1])
        )
        sheet.box(0, TABLE.y, WIDE, TALL, deep)
        for _ in range(560):
            x, y = random.uniform(left[0], right[0]), random.uniform(TABLE.y, TABLE.y + 390)
            tone = random.choice((EARTH[0], EARTH[1], EARTH[3], lit))
            size, angle, alpha = random.uniform(4, 15), random.uniform(-12, 12), random.randrange(60, 150)
            brush.dab(sheet, x, y, size, angle, tone, alpha, brush.BLOB, 0.34)
        pebbles(sheet, random, 130, (left[0], TABLE.y, right[0], TABLE.y + 390), (3, 8), 0.6)
        # the lower part sinks into shade, and so does the side away from the sun
        for deep, alpha in ((0, 30), (14, 50), (30, 60)):
            path = smooth([(x, y - 44 + deep) for x, y in hang])
            path.lineTo(right[0] + 60, TALL)
            path.lineTo(left[0] - 60, TALL)
            path.close()
            sheet.path(path, ink(mix(hour.woods, BLACK, 0.5), alpha, blur=7))
        ends = ((left[0], 0), (right[0], 0)) if sun in (0, 1, 5) else ((right[0], 0), (left[0], 0))
        dark, strength = (20, 16, 40), 96 if sun < 4 else 60
        shade = linear(*ends, (0, dark, 0), (0.4, dark, strength // 3), (1, dark, strength))
        sheet.box(0, TABLE.y - 20, WIDE, TALL, shade)

    for _ in range(46):  # roots behind and below
        x, y = random.choice(hang)
        x, long = x + random.uniform(-12, 12), random.uniform(14, 44)
        sway = random.uniform(-14, 14)
        brush.limb(sheet, [(x, y - 24), (x + sway * 0.2, y + long * 0.3), (x + sway * 0.9, y + long * 0.62),
            (x + sway * 0.5, y + long)],
                   random.uniform(3, 6), 0.8, EARTH[2], EARTH[0])  # fmt: skip
    sheet.inside(body, strata)
    for _ in range(34):  # roots on the earth
        x, y = random.choice(hang)
        x += random.uniform(-14, 14)
        sway = random.uniform(-20, 20)
        brush.limb(sheet, [(x + sway * 0.3, y - random.uniform(40, 66)), (x, y - 24), (x + sway * 0.6, y - 6),
            (x + sway * 0.5, y + random.uniform(4, 16))],
                   random.uniform(3.4, 6.5), 1, mix(EARTH[3], hour.light, 0.2), EARTH[0])  # fmt: skip


def _fall(sheet: Sheet, hour: Hour, random: Random) -> None:
    """A spring that falls out of the earth into the clouds."""
    x, top, foam = TABLE.x + 92, TABLE.y + 304, mix(hour.light, brush.WHITE, 0.55)
    water = mix(foam, hour.sky[1], 0.45)
    sheet.oval(x - 40, top - 14, x + 40, top + 30, ink(EARTH[0], 230, blur=4))
    sides = ([(x + way * 22, top), (x + way * 25, top + 24), (x + way * 34, TALL)] for way in (-1, 1))
    shape, tones = brush.between(*sides), ((0, foam), (0.4, water), (1, mix(water, BLACK, 0.3)))

    def streaks() -> None:
        sheet.box(x - 40, top, x + 40, TALL, linear((x - 30, 0), (x + 30, 0), *tones))
        for _ in range(26):
            at, high, long = random.uniform(-24, 24), random.uniform(top, TALL), random.uniform(14, 40)
            drop = ink(foam, 200, stroke=random.uniform(1.6, 3.6))
            sheet.line((x + at, high), (x + at * 1.15, high + long), drop)

    sheet.inside(shape, streaks)


@cache
def _turf() -> Image.Image:
    """The lip of grass, then each hex with what grows on its soil: the same at each hour."""
    sheet, random = Sheet(WIDE, TALL), scatter("turf")
    rim = _rim(13)
    with sheet.moved(0, 9):
        sheet.path(smooth(rim, closed=True), ink((58, 78, 36)))
    sheet.path(smooth(rim, closed=True), ink((104, 128, 58)))
    for (ax, ay), (bx, by) in pairwise([rim[-1], *rim]):
        for _ in range(int(math.hypot(bx - ax, by - ay) / 2.6)):
            part = random.random()
            x, y = ax + (bx - ax) * part, ay + (by - ay) * part
            front = y > TABLE.y
            tone = random.choice(((78, 104, 44), (124, 148, 66), (150, 170, 84), (96, 122, 54)))
            angle = random.uniform(60, 120) if front else random.uniform(-120, -60)
            brush.dab(sheet, x, y + (4 if front else 1), random.uniform(4, 9), angle, tone, 255, brush.LEAF, 0.44)
    _edge(sheet, rim)
    for hex_ in LEAVES:
        x, y = TABLE.centre(hex_)
        groove, ground, _, _ = SOILS[LEAVES[hex_] - 1]
        path = brush.polygon([(x + px, y + py) for px, py in TABLE.corners(0)])
        edge = [(x + px, y + py) for px, py in TABLE.corners(2)]
        inner = brush.polygon(edge)
        sheet.path(path, ink(mix(groove, (30, 44, 30), 0.22)))
        sheet.path(inner, ink(ground))

        def grow(x: float = x, y: float = y, leaves: int = LEAVES[hex_]) -> None:
            groove, _, light, dark = SOILS[leaves - 1]
            for _ in range(3):
                px, py = x + random.uniform(-60, 60), y + random.uniform(-48, 48)
                sheet.oval(px - 16, py - 8, px + 16, py + 8, ink(random.choice((light, dark)), 70, blur=3))
            for _ in range(3 + 4 * leaves):
                px, py = x + random.uniform(-62, 62), y + random.uniform(-52, 52)
                tone = random.choice((light, light, dark, groove))
                for lean in (-16, 4, 20):
                    size = random.uniform(3.4, 5.2)
                    brush.dab(sheet, px + lean * 0.1, py, size, -90 + lean, tone, 190, brush.LEAF, 0.5)
            _plants(sheet, x, y, leaves, random)

        def relief(x: float = x, y: float = y, edge: list[Point] = edge) -> None:
            top, foot = y - TABLE.pitch * 0.66, y + TABLE.pitch * 0.66
            fall = (0, (255, 255, 220), 40), (0.4, (255, 255, 220), 0), (0.6, BLACK, 0), (1, (20, 40, 30), 56)
            sheet.box(x - 70, top, x + 70, foot, linear((x - 30, top), (x + 30, foot), *fall))
            upper, lower = [edge[4], edge[5], edge[0], edge[1]], [edge[1], edge[2], edge[3], edge[4]]
            sheet.path(brush.polygon(lower, closed=False), ink((24, 40, 26), 64, stroke=6, blur=1.6))
            sheet.path(brush.polygon(upper, closed=False), ink((255, 252, 206), 130, stroke=4, blur=0.8))

        sheet.inside(inner, grow)
        sheet.inside(inner, relief)
    return sheet.image()


def _edge(sheet: Sheet, rim: list[Point]) -> None:
    """Bushes and stones round the board."""
    random = scatter("edge")
    greens: tuple[Colour, ...] = ((30, 56, 34), (52, 88, 40), (84, 124, 52), (120, 160, 70), (166, 196, 98))
    for across, down in sorted(rim, key=lambda one: one[1]):
        x, y = TABLE.x + (across - TABLE.x) * 0.985, TABLE.y + (down - TABLE.y) * 0.985 + 2
        chance = random.random()
        if chance < 0.36:
            size = random.uniform(8, 20)
            clumps = [(x + dx * size, y - up * size, size * 0.8, size * 0.6)
                      for dx, up in ((-0.7, 0.3), (0.7, 0.3), (0, 0.8))]  # fmt: skip
            sheet.oval(x - size * 1.6, y - 3, x + size * 1.8, y + 6, ink((30, 44, 30), 110, blur=3))
            brush.crown(sheet, clumps, (x, y - size * 0.4, size * 1.5, size), greens, random, 4.4, sunny=greens[4])
        elif chance < 0.48:
            pebbles(sheet, random, 4, (x - 12, y - 4, x + 12, y + 5), (4, 8), 0.8)


def _plants(sheet: Sheet, x: float, y: float, leaves: int, random: Random) -> None:
    """Stones on poor soil, ferns on good soil, flowers on the best: at the rim of a hex, where no piece stands."""
    for number in range(count := (3, 4, 6, 8)[leaves - 1]):
        turn = math.tau * (number + random.uniform(0, 0.7)) / count
        px, py = x + 47 * math.cos(turn), y + 35 * math.sin(turn)
        if leaves < 3:
            pebbles(sheet, random, 1, (px, py, px, py), (3, 5), 0.9)
        elif leaves == 3 or number % 2:
            for angle in (-160, -125, -90, -55, -20):
                turn, tone = math.radians(angle), (64, 108, 44) if angle < -80 else (104, 150, 62)
                brush.dab(sheet, px + 6 * math.cos(turn), py + 6 * math.sin(turn), 8, angle, tone, flat=0.36)
        else:
            petal = random.choice(((255, 250, 240), (255, 214, 236), (206, 196, 255)))
            for angle in range(0, 360, 72):
                sheet.disc(
                    px + 3.6 * math.cos(math.radians(angle)), py + 2.8 * math.sin(math.radians(angle)), 2.5, ink(petal)
                )
            sheet.disc(px, py, 2, ink((255, 190, 60)))


def _lit(image: Image.Image, hour: Hour, sun: int) -> Image.Image:
    """The turf in the light of the hour: tinted, brighter near the sun, its grooves lit from there."""
    pixels = np.asarray(image, np.float32).copy()
    y, x = np.mgrid[0:TALL, 0:WIDE].astype(np.float32)
    dx, dy = math.cos(math.radians(60 * sun)), math.sin(math.radians(60 * sun))
    row, column = (y - TABLE.y) / TABLE.pitch, (x - TABLE.x) / TABLE.hex  # beside the hexes light falls evenly
    for hex_ in LEAVES:  # each of them has one tone
        (at, down), mask = TABLE.centre(hex_), Image.new("1", image.size)
        ImageDraw.Draw(mask).polygon([(at + px, down + py) for px, py in TABLE.corners(-1)], 1)
        inside = np.asarray(mask)
        row[inside], column[inside] = (down - TABLE.y) / TABLE.pitch, (at - TABLE.x) / TABLE.hex
    far = (column * dx + row * math.sqrt(3) / 2 * dy) / 3.4
    near = (1 - far.clip(-1, 1)) / 2
    light = np.array(hour.light, np.float32) / 255
    cool = np.array((0.66, 0.76, 0.96), np.float32) if sun != 5 else np.array((0.54, 0.62, 0.92), np.float32)
    light = light * 0.9 + 0.1
    tint = cool + (light * (1.4 if sun != 5 else 1.14) - cool) * (0.2 + 0.8 * near[..., None])
    pixels[..., :3] *= tint
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8), image.mode)


@cache
def stage(sun: int) -> Image.Image:
    """The island in the light from that corner, wider than any page."""
    hour, random = HOURS[sun], scatter("woods")
    back = Sheet(WIDE, TALL)
    _sky(back, hour, sun, random)
    _valley(back, hour, sun, random)
    far = back.image().filter(ImageFilter.GaussianBlur(2.2))  # the island alone is in focus
    back = Sheet(WIDE, TALL)
    back.lay(far, 0, 0)
    sx, sy = TABLE.sun_at(sun)
    rays = (0, hour.light, 190), (0.18, hour.light, 120), (0.5, hour.mist, 40), (1, hour.mist, 0)
    back.disc(sx, sy, 420, screened(radial((sx, sy), 420, *rays)))
    below = ink(mix(hour.woods, BLACK, 0.6), 170, blur=40)
    back.oval(TABLE.x - 430, TABLE.y + 60, TABLE.x + 430, TABLE.y + 420, below)
    _earth(back, hour, sun, random)
    _fall(back, hour, random)
    back.lay(_lit(_turf(), hour, sun), 0, 0)
    back.fall(0, 0, WIDE, 90, (0, mix(hour.sky[0], BLACK, 0.45), 150), (1, hour.sky[0], 0))
    return back.image().convert("RGB")
