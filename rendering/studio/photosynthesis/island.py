"""The island over the woods in the light of six hours: sky, valley, earth with roots, turf with its four soils.

A stage is wider than a page: pages cut what they need (scenes.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
import skia
from PIL import Image, ImageDraw

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.photosynthesis.scene import SOILS as LEAVES
from rendering.photosynthesis.scene import TABLE
from rendering.studio import brush
from rendering.studio.brush import BLACK, Sheet, ink, linear, screened, smooth

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
    ((134, 132, 60), (186, 184, 94), (204, 202, 114), (168, 168, 80)),
    ((98, 124, 48), (142, 164, 66), (160, 182, 82), (124, 148, 56)),
    ((64, 106, 44), (100, 144, 58), (120, 162, 72), (82, 124, 50)),
    ((36, 82, 42), (66, 120, 56), (86, 142, 68), (50, 100, 46)),
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
    """A sky of long clouds with crisp edges, darker above; round the sun rings of light."""
    high, middle, low = hour.sky
    sheet.box(0, 0, WIDE, HORIZON + 40, ink(mix(high, BLACK, 0.42)))
    for row in range(9):
        part = ((row + 1) / 9) ** 1.7  # words stand above, on what is dark
        tone = along((mix(high, BLACK, 0.3), high, mix(high, middle, 0.6), middle, low), part)
        for puff in range(2):
            points, edge = list[Point](), 8 + 16 * row + 5 * puff
            for step in range(-1, 24):
                swell = random.uniform(2, 10) if step % 3 else random.uniform(-7, 0)
                points.append((step * 68 + random.uniform(-16, 16), edge + swell))
            sheet.path(brush.ground(points, HORIZON + 40), ink(tone, 130))
    if sun == 5:
        for _ in range(90):
            x, y = random.uniform(0, WIDE), random.uniform(0, 90)
            sheet.disc(x, y, random.uniform(0.7, 1.8), ink((226, 226, 255), random.randrange(110, 240)))
    for _ in range(15):  # clouds: flat below, heaped above, lit by the sun
        x, y, wide = random.uniform(0, WIDE), random.uniform(66, HORIZON - 14), random.uniform(34, 90)
        tone = mix(mix(middle, low, y / HORIZON), hour.light, random.uniform(0.1, 0.45))
        cloud = skia.Path()
        for _ in range(7):
            dx, size = random.uniform(-1, 1), random.uniform(0.1, 0.2)
            rise = wide * size * (1.2 - abs(dx))
            cloud.addOval(skia.Rect.MakeLTRB(x + (dx - size) * wide, y - rise, x + (dx + size) * wide, y + rise))
        cloud.addOval(skia.Rect.MakeLTRB(x - wide * 1.3, y - 4, x + wide * 1.3, y + 4))
        base = skia.Path()
        base.addRect(skia.Rect.MakeLTRB(0, 0, WIDE, y + 2))
        sheet.inside(base, partial(sheet.path, cloud, ink(tone, 190)))


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
    """Wooded ridges, the farther the paler; mist lies at the foot of each."""
    side = -1 if sun in (0, 1, 5) else 1
    for row in range(9):
        near = row / 8
        y, size = HORIZON - 16 + 62 * near + 590 * near**1.9, 15 + 80 * near**1.3
        tone = along((mix(hour.mist, hour.sky[2], 0.4), mix(hour.mist, hour.woods, 0.55), hour.woods,
                      mix(hour.woods, BLACK, 0.35)), near**0.8)  # fmt: skip
        swing, long, turn = 14 + 16 * near, 150 + 210 * near, random.uniform(0, 6)

        def top(x: float, y: float = y, swing: float = swing, long: float = long, turn: float = turn) -> float:
            return y + swing * math.sin(x / long + turn)

        sheet.path(brush.ground([(x, top(x)) for x in range(-30, WIDE + 60, 30)], TALL), ink(tone))
        lit, mist = mix(tone, mix(hour.light, hour.mist, 0.5), 0.2), mix(tone, hour.mist, 0.3 - 0.14 * near)
        for x in sorted((random.uniform(-20, WIDE + 20) for _ in range(round(WIDE * 2.2 / size))), key=top):
            foot, high = top(x) + size * random.uniform(0.1, 0.8), size * random.uniform(0.6, 1.25)
            fir(sheet, x, foot, high, tone, lit, side)
        for down, alpha in ((1.0, 130), (1.35, 255)):
            points = [(x, top(x) + size * down + random.uniform(-0.12, 0.12) * size) for x in range(-40, WIDE + 90, 44)]
            sheet.path(brush.ground(points, TALL), ink(mist, alpha))


def fir(sheet: Sheet, x: float, foot: float, high: float, tone: Colour, lit: Colour, side: int) -> None:
    """A far fir in two tones, bright on the side of the sun (-1: the left)."""
    for half in (-side, side):
        hem = (0, 1), (0.13, 0.7), (0.07, 0.7), (0.2, 0.42), (0.1, 0.42), (0.28, 0.1), (0.05, 0.06), (0.05, 0), (0, 0)
        points = [(x + half * across * high, foot - up * high) for across, up in hem]
        sheet.path(brush.polygon(points), ink(lit if half == side else tone))


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
            _, _, light, dark = SOILS[leaves - 1]
            for _ in range(4 + 3 * leaves):
                px, py, size = x + random.uniform(-62, 62), y + random.uniform(-50, 54), random.uniform(6, 9.5)
                tone = random.choice((light, dark))
                for lean in (-24, 2, 26):
                    brush.dab(sheet, px + lean * 0.14, py, size, -90 + lean, tone, flat=0.34)
            _plants(sheet, x, y, leaves, random)

        def relief(edge: list[Point] = edge) -> None:
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
    tint = cool + (light * (1.24 if sun != 5 else 1.1) - cool) * (0.25 + 0.75 * near[..., None])
    pixels[..., :3] *= tint
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8), image.mode)


@cache
def stage(sun: int) -> Image.Image:
    """The island in the light from that corner, wider than any page."""
    hour, random = HOURS[sun], scatter("woods")
    back = Sheet(WIDE, TALL)
    _sky(back, hour, sun, random)
    sx, sy = TABLE.sun_at(sun)
    for far in (330, 240, 165, 105):
        back.disc(sx, sy, far, screened(ink(mix(hour.mist, hour.light, 0.6), 30)))
    _valley(back, hour, sun, random)
    for far in (250, 170, 110):
        back.disc(sx, sy, far, screened(ink(mix(hour.mist, hour.light, 0.5), 26)))
    _earth(back, hour, sun, random)
    _fall(back, hour, random)
    back.lay(_lit(_turf(), hour, sun), 0, 0)
    return back.image().convert("RGB")
