"""The glade of Full Sun in three lights: a clearing between trunks at four distances, and the leaves above its head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.studio import brush
from rendering.studio.brush import BLACK, BLOB, Sheet, dab, ink, limb, linear, polygon, radial, screened, smooth
from rendering.studio.pack import flat

WIDTH = 1200


class Light(NamedTuple):
    """The colours of the glade: from the far light outwards; the dark between; the ground from far to near; its grass
    from shade to light; its pool of light; the rays and their strength; the leaves above, and those at their edge.
    """

    glow: tuple[Colour, ...]
    dark: Colour
    ground: tuple[Colour, ...]
    grass: tuple[Colour, ...]
    pool: Colour
    ray: Colour
    strength: int
    leaves: tuple[Colour, Colour, Colour]


LIGHTS: dict[str, Light] = {
    "": Light(
        ((255, 248, 196), (234, 226, 138), (168, 188, 104), (92, 142, 98), (40, 92, 80), (16, 48, 52)), (14, 36, 40),
        ((190, 178, 72), (112, 122, 54), (44, 66, 44), (20, 36, 34), (11, 23, 26)),
        ((28, 52, 40), (66, 92, 48), (132, 142, 60), (240, 218, 112)), (255, 228, 120), (255, 244, 190), 84,
        ((9, 24, 28), (28, 60, 52), (214, 196, 100)),
    ),
    "Rain": Light(
        ((204, 216, 226), (166, 184, 202), (122, 144, 170), (82, 106, 138), (48, 70, 100), (22, 36, 62)), (16, 28, 50),
        ((104, 122, 132), (72, 92, 106), (42, 60, 78), (22, 34, 52), (12, 20, 34)),
        ((26, 44, 58), (52, 76, 88), (96, 120, 126), (166, 186, 190)), (176, 196, 210), (220, 232, 244), 34,
        ((9, 17, 34), (32, 50, 76), (120, 146, 176)),
    ),
    "Sun": Light(
        ((255, 250, 212), (255, 232, 142), (246, 200, 86), (204, 152, 58), (126, 96, 44), (54, 44, 28)), (46, 36, 22),
        ((226, 182, 72), (164, 128, 50), (92, 76, 36), (44, 38, 24), (24, 21, 17)),
        ((66, 56, 28), (132, 108, 44), (206, 168, 66), (255, 232, 136)), (255, 236, 140), (255, 246, 196), 120,
        ((26, 20, 14), (74, 60, 30), (255, 220, 120)),
    ),
}  # fmt: skip
"""The light of the trick: with Rain in it, or with the Sun; "" without either."""


FLOWERS: tuple[Colour, ...] = ((250, 246, 232), (248, 214, 92), (196, 150, 220), (250, 246, 232))

ANTLER = ((-11, -134), (-15, -112), (-2, -92)), ((-28, -124), (-14, -114)), ((-24, -108), (-9, -104))


class Glade:
    """A glade to paint. `ground`: where its ground begins; `light`: where the far light is; `deep`: how far down the
    ground is dark.
    """

    def __init__(self, weather: str, height: int, ground: float, light: Point, deep: float) -> None:
        self.sheet = Sheet(WIDTH, height)
        self.height, self.ground, (self.x, self.y), self.deep = height, ground, light, deep
        self.light, self.chance = LIGHTS[weather], scatter("glade")
        self.some = self.chance.uniform

    def far(self, x: float, y: float) -> Colour:
        """Return the light behind a place."""
        return along(self.light.glow, math.hypot((x - self.x) / 640, (y - self.y) / 470) * 0.92)

    def fog(self, x: float, y: float, near: float) -> Colour:
        """Return the colour of a thing there; `near`: from 0, far in the fog, to 1."""
        return mix(self.far(x, y), self.light.dark, near)

    def sky(self) -> None:
        """The light between the trunks, with far leaves as specks in it: they hide the steps of few colours."""
        stops = [*zip((0, 0.2, 0.42, 0.62, 0.8, 1), self.light.glow, strict=True)]
        self.sheet.canvas.drawPaint(radial((self.x, self.y), 640, *stops, flat=0.84))
        for _ in range(round(2.6 * self.ground)):
            x, y = self.some(0, WIDTH), self.some(0, self.ground)
            other = self.chance.choice((self.light.glow[0], self.light.glow[3]))
            tone = mix(self.far(x, y), other, self.some(0.06, 0.2))
            dab(self.sheet, x, y, self.some(5, 17), self.some(-80, 80), tone, 120)

    def trunk(self, x: float, wide: float, near: float, foot: float) -> None:
        """A trunk, brighter at the side of the light, with bark if it is near, and a few dead branches."""
        some, top, last = self.some, -20, 8
        lean, bow = some(-1.1, 1.1) * min(wide + 12, 46), some(-0.5, 0.5)
        left, right = list[Point](), list[Point]()
        for step in range(last + 1):
            part = step / last
            half = wide * (1 - 0.35 * part) / 2 * (1 + 1.1 * math.exp(-part * 22)) + some(-0.02, 0.02) * wide
            middle, y = x + lean * part + math.sin(part * 3.4 + x) * wide * bow, foot + (top - foot) * part
            left.append((middle - half, y))
            right.append((middle + half, y))
        low = (0, self.ground)
        tones = [self.fog(x, y, min(1, near + more)) for y, more in ((40, 0), (self.y, 0), (self.ground, 0.08))]
        self.sheet.path(brush.between(left, right), linear((0, 0), low, *zip((0, 0.45, 1), tones, strict=True)))
        lit, other = (right, left) if x < self.x else (left, right)
        inner = [(a[0] + (b[0] - a[0]) * 0.24, a[1]) for a, b in zip(lit, other, strict=True)]
        rim = mix(tones[1], self.far(x + (self.x - x) * 0.4, self.y), 0.55)
        self.sheet.path(brush.between(lit, inner), linear((0, 0), low, (0.05, rim, 0), (0.5, rim, 210), (1, rim, 40)))
        for _ in range(int(wide * 1.3) if wide > 24 else 0):
            part, across, long = self.chance.random(), some(0.08, 0.92), some(16, 60)
            y, at = foot + (top - foot) * part, min(int(part * last), last - 1)
            start = left[at][0] + (right[at][0] - left[at][0]) * across
            tone = mix(self.fog(x, y, near), BLACK if self.chance.random() < 0.7 else self.far(x, y), 0.22)
            line = smooth([(start, y), (start + some(-2, 2), y - long / 2), (start, y - long)])
            self.sheet.path(line, ink(tone, 150, stroke=some(1.2, 2.6)))
        for _ in range(self.chance.randint(1, 3)):
            part, side = some(0.34, 0.8), self.chance.choice((-1, 1))
            y, start = foot + (top - foot) * part, (right if side > 0 else left)[int(part * last)][0]
            long, tone = min(wide * some(0.9, 1.7), 84), self.fog(x, y, near)
            twig = [(start + side * (out * long - 3), y + 2 - up * long) for out, up in ((0, 0), (0.5, 0.1), (1, 0.42))]
            limb(self.sheet, twig, max(2, min(wide * 0.13, 8)), 0.8, tone, tone)

    def bushes(self, y: float, near: float, count: int, sizes: tuple[float, float], gap: float = 0) -> None:
        """Undergrowth at the foot of the trunks; `gap`: how far from the light none grows."""
        some = self.some
        for _ in range(count):
            x, radius, foot = some(-20, WIDTH + 20), some(*sizes), y + some(-6, 6)
            for _ in range(34 if abs(x - self.x) >= gap else 0):
                turn, out = some(math.pi, math.tau), radius * math.sqrt(self.chance.random())
                bright = max(0, -math.sin(turn) * out / radius - 0.45) * 0.7 + some(0, 0.07)
                tone, px = mix(self.fog(x, foot, near), self.far(x, foot), bright), x + 1.2 * out * math.cos(turn)
                size = some(4, 8) * radius / 40
                dab(self.sheet, px, foot + out * 0.62 * math.sin(turn), size, some(-80, 20), tone)

    def leaves(self, near: float, low: tuple[float, float], count: int, size: float, gap: float, bend: float) -> None:
        """Leaves of the trees' crowns: down to `low`, in the middle and at the sides; `gap`: how few in the middle."""
        for _ in range(count):
            x = self.some(-30, WIDTH + 30)
            side = abs(x - self.x) / 620
            y = self.some(-10, max(6, low[0] + (low[1] - low[0]) * side**bend)) + self.chance.gauss(0, 8)
            bright = self.chance.random()
            if self.chance.random() >= gap * (1 - side):
                part = 0.34 if bright > 0.86 else 0.1 if bright > 0.5 else 0
                tone = mix(self.fog(x, y, near), self.far(x, min(y + 140, 300)), part)
                dab(self.sheet, x, y, size * self.some(0.6, 1.25), self.some(-80, 80), tone)

    def rays(self, strength: float) -> None:
        """Shafts of light that fall from the upper left through the crowns."""
        x, low, ray, alpha = self.x - 560, self.ground + 40, self.light.ray, self.light.strength * strength
        for out, wide in ((-230, 34), (-120, 60), (10, 26), (120, 74), (250, 40), (360, 24), (480, 56), (640, 34)):
            foot, paint = self.x + out, linear((0, 30), (0, low), (0, ray, 0), (0.34, ray, round(alpha)), (1, ray, 0))
            paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 3))
            head = x + (foot - x) * 0.3
            shaft = polygon([(head - wide * 0.3, 0), (head + wide * 0.3, 0), (foot + wide, low), (foot - wide, low)])
            self.sheet.path(shaft, screened(paint))

    def shadows(self, places: Sequence[float], wide: float) -> None:
        """The shadows of trunks, which fan out from the light towards the front."""
        for x in places:
            way, foot = (x - self.x) * 0.8, self.ground + min(300, self.deep * 0.5)
            stops = (0, self.light.dark, 150), (0.5, self.light.dark, 90), (1, self.light.dark, 0)
            near, far = (-wide / 2, wide / 2), (way + wide * 2, way - wide * 0.8)
            ends = [*((x + out, self.ground) for out in near), *((x + out, foot) for out in far)]
            self.sheet.path(polygon(ends), linear((0, self.ground), (0, foot), *stops))

    def stag(self, x: float, y: float, size: float) -> None:
        """A stag that looks out of the light between the trunks."""
        tone, line = ink(self.fog(x, y, 0.42)), ink(self.fog(x, y, 0.42), stroke=3.8)
        with self.sheet.moved(x, y, 0, size, size):
            for left, right in ((-30, -26), (-19, -22), (20, 18), (30, 28)):
                self.sheet.line((left, 0), (right, -50), line)
            body = ((-38, -58), (-43, -78), (-64, -82), (-48, -96), (-32, -95), (-22, -77), (20, -76), (36, -66),
                    (36, -50), (18, -42), (-18, -44), (-32, -50))  # fmt: skip
            self.sheet.path(smooth(body, closed=True), tone)
            for side in (-1, 1):
                for way in ANTLER:
                    self.sheet.path(smooth([(side * px - 38, py) for px, py in way]), line)

    def floor(self) -> None:
        """Moss and grass, bright in the clearing and dark towards the front, with flowers."""
        some, light, ground = self.some, self.light, self.ground
        heights = (0, 8), (200, -8), (420, -18), (640, -20), (860, -12), (WIDTH, 10)
        edge = brush.ground([(x, ground + y) for x, y in heights], self.height)
        stops = [*zip((0, 0.16, 0.36, 0.62, 1), light.ground, strict=True)]
        self.sheet.path(edge, linear((0, ground - 20), (0, ground + self.deep), *stops))
        pool = (0, light.pool, 190), (0.4, light.pool, 90), (0.8, light.pool, 0)
        paint = radial((self.x, ground + 4), 620, *pool, flat=0.2)
        self.sheet.inside(edge, lambda: self.sheet.canvas.drawPaint(paint))
        for part in sorted(self.chance.random() ** 1.5 for _ in range(270 + round(self.deep * 0.1))):
            x, low = some(-20, WIDTH + 20), part * self.deep * 0.42
            away = abs(x - self.x)
            y, lit = ground - 16 + low + away / 60, max(0, 1 - away / 600) * (1 - part * 0.8)
            for _ in range(7):
                long, bend = 6 + 22 * part + some(0, 8), some(-9, 9) * (0.4 + part)
                root = x + some(-14, 14) * (0.5 + part)
                self.blade(root, y, long, bend, 2 + 2.2 * part, lit * 0.9 + some(-0.12, 0.2))
        for _ in range(80):
            x, part, tone = some(0, WIDTH), self.chance.random(), self.chance.choice(FLOWERS)
            y, size = ground - 6 + part * self.deep * 0.36, 2.2 + 3 * part
            for _ in range(5):
                place = x + some(-16, 16) * (0.5 + part), y + some(-8, 8) * (0.4 + part)
                dab(self.sheet, *place, size, 0, mix(tone, light.dark, 0.1 + 0.5 * part), 255, BLOB)

    def blade(self, x: float, y: float, long: float, bend: float, wide: float, lit: float) -> None:
        """A blade of grass from its root; `lit`: from 0, in the shade, to 1."""
        tone = along(self.light.grass, lit)
        limb(self.sheet, [(x, y), (x + bend * 0.3, y - long * 0.6), (x + bend, y - long)], wide, 0.5, tone, tone)

    def fern(self, x: float, y: float, long: float, near: float) -> None:
        """A fern: fronds that bend outwards from one foot, lit towards the light."""
        for turn in (-1.25, -0.85, -0.45, 0.05, 0.5, 0.9, 1.3):
            turn, size = turn + self.some(-0.12, 0.12), long * self.some(0.75, 1.1)
            lit = along(self.light.grass, 0.7 if turn * (self.x - x) > 0 else 0.4)
            tone = mix(self.fog(x, self.ground - 60, near), lit, 0.45)
            stem = [
                (x + math.sin(turn) * size * at, y - math.cos(turn) * size * at + 0.42 * size * at * at * abs(turn))
                for at in (number / 9 for number in range(10))
            ]
            self.sheet.path(smooth(stem), ink(mix(tone, BLACK, 0.3), stroke=max(1.5, long / 60)))
            for number, (px, py) in enumerate(stem[1:], 1):
                leaf = size * 0.2 * (1 - number / 11)
                for side in (-1, 1):
                    angle = math.degrees(turn) - 90 + side * 62
                    reach = math.radians(angle)
                    at = px + leaf * 0.8 * math.cos(reach), py + leaf * 0.8 * math.sin(reach)
                    dab(self.sheet, *at, leaf, angle, mix(tone, BLACK, 0.12 * (side > 0)), flat=0.62)

    def frame(self) -> None:
        """The trunks at both sides of the page, before the others, with ferns and grass round their feet."""
        some, foot = self.some, self.ground + 62
        for x, wide, side in ((-8, 128, 1), (1206, 140, -1)):
            self.sheet.oval(x - 190, foot - 22, x + 190, foot + 30, ink(self.light.dark, 170, blur=14))
            self.trunk(x, wide, 0.9, foot)
            for out, up, long in ((104, 16, 62), (40, -6, 86), (0, -22, 70), (132, -24, 56), (74, -34, 78)):
                self.fern(x + side * out, foot - up, long, 0.72)
            for _ in range(80):
                root = x + side * some(-30, 170), foot + some(-6, 44)
                self.blade(*root, some(14, 34), some(-12, 12), 4, some(0, 0.34))

    def log(self, top: float) -> None:
        """A fallen trunk before the clearing, on which a hand lies: bark, with moss and ferns along its upper edge."""
        some, low, bark = self.some, self.height, mix((150, 100, 62), self.light.dark, 0.24)
        lit, dark = mix(bark, self.light.glow[1], 0.42), mix(mix(bark, BLACK, 0.68), self.light.dark, 0.25)
        edge = brush.ground([(x, top + some(-7, 7)) for x in range(-60, WIDTH + 120, 90)], low)
        stops = (0, lit), (0.12, bark), (0.5, mix(bark, dark, 0.5)), (0.9, dark), (1, dark)
        self.sheet.edged(edge, linear((0, top - 8), (0, low), *stops), dark, 9)
        for _ in range(150):
            x, part, long = some(-80, WIDTH), self.chance.random(), some(50, 200)
            y = top + 14 + (low - top - 60) * part
            line = smooth([(x, y), (x + long / 2, y + some(-5, 5)), (x + long, y + some(-3, 3))])
            tone = mix(bark, dark, 0.1 + part) if self.chance.random() < 0.4 else mix(dark, BLACK, 0.3)
            self.sheet.path(line, ink(tone, round(210 - 150 * part), stroke=some(1.6, 4.4)))
        for _ in range(760):
            x, down = some(-20, WIDTH + 20), abs(self.chance.gauss(0, 9))
            tone = mix(along(self.light.grass, max(0.0, 0.8 - down / 24)), self.light.dark, 0.14)
            bump = 5 * max(0.0, math.sin(x / 61) + math.sin(x / 23) * 0.6)
            dab(self.sheet, x, top - bump + down + 2, some(3, 6), some(-60, 60), tone, 255, BLOB)
        for x in (-4, 70, 1120, 1204):
            self.fern(x, top + 6, some(50, 70), 0.8)

    def rain(self) -> None:
        """Drops, and puddles with rings in the grass."""
        some, ring = self.some, ink((232, 240, 250), 200, stroke=1.6)
        for x, down, long in ((330.0, 10.0, 96.0), (640.0, 22.0, 170.0), (1010.0, 16.0, 120.0)):
            wide, y = long * some(0.85, 1.05), self.ground + down
            water = linear((0, y - 14), (0, y + 14), (0, (190, 206, 222)), (1, (96, 122, 156)))
            self.sheet.oval(x - wide, y - 14, x + wide, y + 15, ink((42, 58, 82)))
            self.sheet.oval(x - wide + 3, y - 13, x + wide - 4, y + 11, water)
            for _ in range(3):
                px, py, radius = x + some(-0.6, 0.6) * wide, y + some(-5, 5), some(10, 26)
                for out in (radius, radius / 2):
                    self.sheet.oval(px - out, py - out * 0.24, px + out, py + out * 0.24, ring)
        for _ in range(330):
            start, far = (some(-20, WIDTH + 60), some(-20, self.ground + 60)), some(18, 58)
            drop = ink((226, 236, 248), self.chance.randrange(50, 150), stroke=some(1.2, 2.6))
            self.sheet.line(start, (start[0] - far * 0.2, start[1] + far), drop)

    def sun(self) -> None:
        """A flood of light between the trunks."""
        middle = self.x, self.y
        flood = (0, (255, 250, 210), 255), (0.3, (255, 232, 140), 170), (1, (255, 200, 90), 0)
        self.sheet.disc(*middle, 330, screened(radial(middle, 330, *flood)))

    def trunks(self, places: Sequence[float], sizes: tuple[float, float], near: float, foot: float) -> None:
        """Trunks at one distance."""
        for x in places:
            self.trunk(x + self.some(-8, 8), self.some(*sizes), near, self.ground + foot)


def glade(
    weather: str, height: int = 900, ground: float = 574, light: Point = (590, 230), deep: float = 326,
    log: float = 0,
) -> Image.Image:  # fmt: skip
    """Paint the glade in a light. Its head and its foot are dark: words and boards lie there. `log`: the upper edge of
    a fallen trunk in front.
    """
    place, near = Glade(weather, height, ground, light, deep), (86, 232, 1010, 1102)
    middle = (24, 66, 148, 182, 268, 356, 398, 776, 812, 846, 902, 972, 1060, 1088, 1160)
    place.sky()
    place.trunks([place.some(0, WIDTH) for _ in range(26)], (5, 11), 0.16, -14)
    if weather == "Sun":
        place.sun()
    place.leaves(0.18, (40, 240), 1100, 13, 0.5, 1)
    place.bushes(ground - 12, 0.22, 60, (22, 46))
    if weather != "Rain":
        place.stag(706, ground - 6, ground / 820)
    place.rays(0.8)
    place.trunks(middle, (10, 26), 0.42, -8)
    place.leaves(0.46, (10, 230), 1200, 15, 0.86, 1.3)
    place.bushes(ground - 4, 0.48, 46, (26, 54), 210)
    place.rays(1.1)
    place.trunks(near, (36, 60), 0.72, 4)
    place.leaves(0.76, (-30, 210), 1100, 18, 0.95, 1.7)
    place.floor()
    place.shadows(middle, 15)
    place.shadows(near, 44)
    place.bushes(ground + 10, 0.78, 30, (30, 60), 330)
    place.frame()
    if log:
        place.log(log)
    if weather == "Rain":
        place.rain()
    dark = mix(place.light.dark, BLACK, 0.3)
    whole = brush.vignette(place.sheet.image().convert("RGB"), dark, 0.55, (600, height * 0.48), 0.5)
    return flat(whole, 48 if log else 64, round(ground) + 40)


def log() -> Image.Image:
    """Paint the fallen trunk alone, its moss without the grass behind it."""
    whole = glade("", 764, 196, (600, 90), 720, 536).crop((0, 516, WIDTH, 708)).convert("RGBA")
    fade = Image.new("L", whole.size, 255)
    fade.paste(Image.linear_gradient("L").resize((WIDTH, 18)))
    whole.putalpha(fade)
    return whole


def canopy(weather: str) -> Image.Image:
    """Paint the dark leaves over the head of a page, lit at their lower edge in the middle."""
    (shade, middle, edge), sheet, chance = LIGHTS[weather].leaves, Sheet(WIDTH, 178), scatter("canopy")
    sheet.box(0, 0, WIDTH, 100, ink(mix(shade, middle, 0.05)))
    for _ in range(2900):
        x = chance.uniform(-30, WIDTH + 30)
        side = abs(x - 590) / 620
        low = 118 + 46 * side * side + 10 * math.sin(x / 37) + 6 * math.sin(x / 13)
        y = chance.uniform(-20, low) - abs(chance.gauss(0, 9))
        part = max(0, y / low)
        tone = mix(shade, middle, max(0, part * 0.8 + chance.uniform(-0.08, 0.14)))
        if part > 0.86 and chance.random() < 0.28:
            tone = mix(tone, edge, 0.5 * (1 - min(1, side)))
        dab(sheet, x, y, 17 * chance.uniform(0.6, 1.2), chance.uniform(-80, 80), tone)
    return sheet.image()
