"""Brushes of all games: paper, light, foliage, limbs, and the materials of which things are made.

Lengths are pixels of the finished sprite: a sheet is twice as fine and is reduced at the end. Light comes from the
upper left. Chance is seeded, so a sprite is painted alike each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from random import Random
from typing import TypeAlias

import numpy as np
import skia
from PIL import Image, ImageFilter

from rendering.core.sprites import Colour, Point, along, mix

Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.floating]]
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
FINE = 2
"""A sheet has so many pixels for one of the sprite, across and down."""
LIGHT = (-0.42, -0.78, 0.46)
"""Where the light is, seen from a thing: to the left, above, in front."""


class Sheet:
    """A transparent sheet to paint on. `canvas` is skia's, in pixels of the finished sprite."""

    def __init__(self, width: int, height: int, fine: int = FINE) -> None:
        self.width, self.height, self.fine = width, height, fine
        self._surface = skia.Surface(width * fine, height * fine)
        self.canvas = self._surface.getCanvas()
        self.canvas.clear(skia.ColorTRANSPARENT)
        self.canvas.scale(fine, fine)

    def image(self) -> Image.Image:
        """Return what was painted, in mode RGBA, reduced so that soft edges take no dark fringe."""
        pixels = self._surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)
        planes = np.moveaxis(pixels, -1, 0).astype(np.float32, "C")  # numpy is slow along an axis of four
        planes[:3] *= planes[3] / 255
        cells = planes.reshape(4, self.height, self.fine, self.width, self.fine)
        parts = (cells[:, :, down, :, across] for down in range(self.fine) for across in range(self.fine))
        small = reduce(np.add, parts) / self.fine**2  # the same as `mean`, which takes some times as long
        small[:3] *= 255 / np.maximum(small[3], 1)
        return Image.fromarray(np.moveaxis((small + 0.5).clip(0, 255).astype(np.uint8), 0, -1).copy(), "RGBA")

    def path(self, path: skia.Path, paint: skia.Paint) -> None:
        """Fill or stroke a path."""
        self.canvas.drawPath(path, paint)

    def disc(self, x: float, y: float, radius: float, paint: skia.Paint) -> None:
        """Paint a circle; (x, y) is its middle."""
        self.canvas.drawCircle(x, y, radius, paint)

    def oval(self, left: float, top: float, right: float, bottom: float, paint: skia.Paint) -> None:
        """Paint the ellipse inside this rectangle."""
        self.canvas.drawOval(skia.Rect.MakeLTRB(left, top, right, bottom), paint)

    def box(self, left: float, top: float, right: float, bottom: float, paint: skia.Paint, radius: float = 0) -> None:
        """Paint a rectangle with round corners."""
        self.canvas.drawRoundRect(skia.Rect.MakeLTRB(left, top, right, bottom), radius, radius, paint)

    def line(self, start: Point, end: Point, paint: skia.Paint) -> None:
        """Paint a line."""
        self.canvas.drawLine(*start, *end, paint)

    def edged(self, path: skia.Path, paint: skia.Paint, edge: Colour, wide: float) -> None:
        """Paint a shape over a line in another colour round it."""
        self.path(path, ink(edge, stroke=wide))
        self.path(path, paint)

    def fall(self, left: float, top: float, right: float, bottom: float, *stops: Stop, radius: float = 0) -> None:
        """Paint a rectangle that changes from its top to its foot."""
        self.box(left, top, right, bottom, linear((0, top), (0, bottom), *stops), radius)

    @contextmanager
    def moved(self, x: float, y: float, turn: float = 0, across: float = 1, down: float = 1) -> Iterator[None]:
        """Paint at (x, y) as if it were the sheet's corner, turned by so many degrees, and so much larger."""
        self.canvas.save()
        self.canvas.translate(x, y)
        self.canvas.rotate(turn)
        self.canvas.scale(across, down)
        yield
        self.canvas.restore()

    def inside(self, path: skia.Path, draw: Callable[[], None]) -> None:
        """Paint what `draw` paints inside a path only."""
        self.canvas.save()
        self.canvas.clipPath(path, doAntiAlias=True)
        draw()
        self.canvas.restore()

    def lay(self, image: Image.Image, x: float, y: float) -> None:
        """Lay a painted image with its upper left corner at (x, y)."""
        pixels = np.ascontiguousarray(np.asarray(image.convert("RGBA")))
        drawn = skia.Image.fromarray(pixels, colorType=skia.kRGBA_8888_ColorType)
        place = skia.Rect.MakeXYWH(x, y, image.width, image.height)
        self.canvas.drawImageRect(drawn, place, skia.SamplingOptions(skia.FilterMode.kLinear))


# Paint


def shade(colour: Colour, alpha: int = 255) -> int:
    """Return a colour as skia has it."""
    return int(skia.Color(*(int(part) for part in colour), int(alpha)))


def ink(colour: Colour, alpha: int = 255, *, blur: float = 0, stroke: float = 0) -> skia.Paint:
    """Return paint of one colour. `blur`: how soft its edges are; `stroke`: the width of a line with round ends,
    instead of a filling.
    """
    paint = skia.Paint(AntiAlias=True, Color=shade(colour, alpha))
    if blur:
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


Stop = tuple[float, Colour] | tuple[float, Colour, int]
"""A place of a gradient, from 0 to 1, its colour there, and its alpha."""


def _stops(stops: Sequence[Stop]) -> tuple[list[int], list[float]]:
    return [shade(stop[1], stop[2] if len(stop) > 2 else 255) for stop in stops], [stop[0] for stop in stops]


def linear(start: Point, end: Point, *stops: Stop) -> skia.Paint:
    """Return paint that changes from one point to another."""
    paint = skia.Paint(AntiAlias=True)
    paint.setShader(skia.GradientShader.MakeLinear([start, end], *_stops(stops)))
    return paint


def radial(middle: Point, radius: float, *stops: Stop, flat: float = 1) -> skia.Paint:
    """Return paint that changes from a point outwards; `flat`: the height of its rings as a part of their width."""
    matrix = skia.Matrix()
    matrix.setScale(1, flat, *middle)
    paint = skia.Paint(AntiAlias=True)
    paint.setShader(skia.GradientShader.MakeRadial(middle, radius, *_stops(stops)).makeWithLocalMatrix(matrix))
    return paint


def cut(stroke: float = 0) -> skia.Paint:
    """Return paint that takes paint away; `stroke`: as in `ink`."""
    paint = ink(WHITE, stroke=stroke)
    paint.setBlendMode(skia.BlendMode.kClear)
    return paint


def screened(paint: skia.Paint) -> skia.Paint:
    """Return the paint as light: it makes what lies below it brighter."""
    paint.setBlendMode(skia.BlendMode.kScreen)
    return paint


# Shapes


def polygon(points: Sequence[Point], *, closed: bool = True) -> skia.Path:
    """Return the path through these corners."""
    path = skia.Path()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    if closed:
        path.close()
    return path


def smooth(points: Sequence[Point], *, closed: bool = False) -> skia.Path:
    """Return a curve through these points (Catmull-Rom)."""
    count = len(points)

    def at(number: int) -> Point:
        return points[number % count if closed else min(max(number, 0), count - 1)]

    path = skia.Path()
    path.moveTo(*points[0])
    for number in range(count if closed else count - 1):
        before, start, end, after = (at(number + step) for step in (-1, 0, 1, 2))
        path.cubicTo(start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6,
                     end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6, *end)  # fmt: skip
    if closed:
        path.close()
    return path


def ground(points: Sequence[Point], foot: float) -> skia.Path:
    """Return all below a smooth line across a sheet, down to `foot`."""
    path = smooth(points)
    for x, _ in (points[-1], points[0]):
        path.lineTo(x, foot)
    path.close()
    return path


def between(left: Sequence[Point], right: Sequence[Point]) -> skia.Path:
    """Return the shape between two smooth sides."""
    path, back = smooth(left), smooth(right[::-1])
    path.lineTo(*right[-1])
    path.addPath(back, skia.Path.kExtend_AddPathMode)
    path.close()
    return path


def _leaf() -> skia.Path:
    path = skia.Path()
    path.moveTo(-1, 0)
    path.quadTo(-0.2, -0.72, 1, 0)
    path.quadTo(-0.2, 0.72, -1, 0)
    path.close()
    return path


def _blob() -> skia.Path:
    path = skia.Path()
    path.addOval(skia.Rect.MakeLTRB(-1, -0.8, 1, 0.8))
    return path


LEAF, BLOB = _leaf(), _blob()
"""Shapes of a dab, one pixel in radius."""


def dab(sheet: Sheet, x: float, y: float, size: float, angle: float, colour: Colour, alpha: int = 255,
        shape: skia.Path = LEAF, flat: float = 1) -> None:  # fmt: skip
    """Set a dab of the brush: a leaf, or a blob."""
    with sheet.moved(x, y, angle, size, size * flat):
        sheet.path(shape, ink(colour, alpha))


# Plants


def limb(sheet: Sheet, points: Sequence[Point], thick: float, thin: float, light: Colour, dark: Colour,
         rim: Colour | None = None) -> None:  # fmt: skip
    """Paint a branch, an arm or a trunk along points, from `thick` to `thin`, lit from the left."""
    left, right, middle = [], [], []
    for number, (x, y) in enumerate(points):
        before, after = points[max(number - 1, 0)], points[min(number + 1, len(points) - 1)]
        across, down = after[0] - before[0], after[1] - before[1]
        long = math.hypot(across, down) or 1
        wide = (thick + (thin - thick) * number / (len(points) - 1)) / 2
        nx, ny = -down / long * wide, across / long * wide
        left.append((x - nx, y - ny))
        right.append((x + nx, y + ny))
        middle.append((x + nx * 0.1, y + ny * 0.1))
    sheet.path(between(left, right), ink(dark))
    lit = left if left[0][0] < right[0][0] else right
    sheet.path(between(lit, middle), ink(light))
    if rim:
        sheet.path(smooth(lit), ink(rim, 220, stroke=max(1.2, thick * 0.12)))


Clump = tuple[float, float, float, float]
"""A clump of leaves: its middle, and its radii across and down."""


def crown(
    sheet: Sheet, clumps: Sequence[Clump], whole: Clump, tones: Sequence[Colour], random: Random, size: float, *,
    shape: skia.Path = LEAF, sunny: Colour | None = None, density: float = 1, flat: float = 1,
) -> None:  # fmt: skip
    """Paint foliage, clump by clump from above, each from its dark leaves to its light ones.

    `whole`: the crown that the clumps make up; `tones`: from dark to light; `size`: of a leaf; `sunny`: the colour of
    single leaves at the lit edge.
    """
    length = math.hypot(*LIGHT)
    lx, ly, lz = (part / length for part in LIGHT)
    wx, wy, wrx, wry = whole
    for cx, cy, rx, ry in sorted(clumps, key=lambda clump: clump[1]):
        dabs = []
        for _ in range(int(density * 6.8 * rx * ry / (size * size))):
            out, turn = math.sqrt(random.random()), random.random() * math.tau
            if out > 0.93 and random.random() < 0.45:
                continue
            nx, ny = out * math.cos(turn), out * math.sin(turn)
            x, y = cx + nx * rx, cy + ny * ry
            gx, gy = (x - wx) / wrx, (y - wy) / wry
            own = nx * lx + ny * ly + math.sqrt(max(0, 1 - nx * nx - ny * ny)) * lz
            far = gx * lx + gy * ly + math.sqrt(max(0, 1 - min(1, gx * gx + gy * gy))) * lz
            bright = 0.5 * own + 0.54 * far - 0.05 + random.gauss(0, 0.075)
            if bright < -0.1 and ny < 0.1:
                bright = random.uniform(-0.05, 0.15)  # no dark holes on a lit side
            dabs.append((bright, x, y))
        sheet.oval(cx - rx * 0.9, cy - ry * 0.88, cx + rx * 0.9, cy + ry * 0.9, ink(along(tones, 0.26)))
        for bright, x, y in sorted(dabs):
            tone = round(min((bright + 0.66) / 1.72, 0.92) * 7) / 7  # gouache: a few tones
            big = size * (1.15 - 0.45 * max(0, tone)) * random.uniform(0.8, 1.2)
            angle = random.uniform(-70, 50) if shape is LEAF else random.uniform(0, 180)
            dab(sheet, x, y, big, angle, along(tones, tone), 255, shape, flat)
        for _ in range(int(rx * 0.5) if sunny else 0):
            assert sunny is not None
            turn, out = random.uniform(math.pi * 1.12, math.pi * 1.72), random.uniform(0.82, 1.02)
            x, y = cx + rx * out * math.cos(turn), cy + ry * out * math.sin(turn)
            dab(sheet, x, y, size * random.uniform(0.45, 0.8), random.uniform(-60, 40), sunny, 235, shape, flat)


# Materials


def stones(sheet: Sheet, box: tuple[float, float, float, float], random: Random, tones: Sequence[Colour],
           course: float = 44, lit: Colour = (255, 170, 110)) -> None:  # fmt: skip
    """Paint courses of hewn stone: each block with a lit upper edge, a dark lower one and some pits. `tones`: that of
    most blocks, then those towards which single ones go; `course`: the height of a course.
    """
    left, top, right, bottom = box
    y = top
    while y < bottom:
        x = left - random.uniform(0, 1.4 * course)
        while x < right:
            wide = random.uniform(1.3, 2.9) * course
            tone = mix(tones[0], random.choice(tones[1:]), random.uniform(0.05, 0.34))
            x1, x2, y1, y2 = max(x, left) + 1.5, min(x + wide, right) - 1.5, y + 1.5, min(y + course, bottom) - 1.5
            if x2 - x1 > 4:
                sheet.box(x1, y1, x2, y2, ink(tone), 5)
                sheet.line((x1 + 4, y1 + 1.2), (x2 - 4, y1 + 1.2), ink(mix(tone, lit, 0.28), 200, stroke=1.6))
                sheet.line((x1 + 4, y2 - 1), (x2 - 4, y2 - 1), ink(mix(tone, BLACK, 0.4), 200, stroke=1.6))
                for _ in range(3):
                    pit = random.uniform(x1 + 4, x2 - 4), random.uniform(y1 + 5, max(y1 + 6, y2 - 4))
                    dab(sheet, *pit, random.uniform(1, 3), random.uniform(0, 90), mix(tone, BLACK, 0.25), 160, BLOB)
            x += wide
        y += course


def wood(sheet: Sheet, shape: skia.Path, box: tuple[float, float, float, float], random: Random,
         light: Colour, dark: Colour) -> None:  # fmt: skip
    """Paint a board: its shape with grain along its length, a lit upper edge and a dark lower one."""
    left, top, right, bottom = box

    def grain() -> None:
        sheet.box(left, top, right, bottom, linear((0, top), (0, bottom), (0, light), (1, mix(light, dark, 0.45))))
        for _ in range(int((bottom - top) / 3)):
            y, swing = random.uniform(top, bottom), random.uniform(1, 4)
            points = [(left + (right - left) * at / 6, y + swing * math.sin(at * 1.3 + y)) for at in range(7)]
            tone = mix(light, dark, random.uniform(0.3, 0.8))
            sheet.path(smooth(points), ink(tone, 120, stroke=random.uniform(0.8, 2)))

    sheet.inside(shape, grain)
    sheet.path(shape, ink(dark, stroke=2.5))
    sheet.line((left + 8, top + 3), (right - 8, top + 3), ink(mix(light, WHITE, 0.45), 190, stroke=2))


def coin(sheet: Sheet, x: float, y: float, radius: float, colour: Colour = (232, 178, 72)) -> None:
    """Paint a coin or a medal: a rim, a sunken face, and a gleam at the upper left."""
    dark, pale = mix(colour, (70, 30, 6), 0.6), mix(colour, WHITE, 0.55)
    sheet.disc(x, y + radius * 0.06, radius, ink(mix(dark, BLACK, 0.35)))
    across = (x - radius, y - radius), (x + radius, y + radius)
    sheet.disc(x, y, radius * 0.97, linear(*across, (0, pale), (0.5, colour), (1, dark)))
    sheet.disc(x, y, radius * 0.78, linear(*across, (0.1, dark), (0.45, colour), (1, pale)))
    face = (0, mix(colour, WHITE, 0.3)), (0.6, colour), (1, mix(colour, dark, 0.7))
    sheet.disc(x, y, radius * 0.72, radial((x - radius * 0.25, y - radius * 0.3), radius * 1.2, *face))


def wax(sheet: Sheet, x: float, y: float, radius: float, colour: Colour, random: Random) -> None:
    """Paint a seal of wax: an uneven rim, and a pressed middle."""
    rim = [(x + math.cos(turn) * radius * out, y + math.sin(turn) * radius * out)
           for turn, out in ((math.tau * step / 14, random.uniform(0.88, 1.02)) for step in range(14))]  # fmt: skip
    sheet.path(smooth(rim, closed=True), ink(mix(colour, BLACK, 0.45)))
    tones = (0, mix(colour, WHITE, 0.4)), (0.4, colour), (1, mix(colour, BLACK, 0.4))
    lit = radial((x - radius * 0.35, y - radius * 0.45), radius * 1.6, *tones)
    sheet.path(smooth([(px, py - radius * 0.05) for px, py in rim], closed=True), lit)
    sheet.disc(x, y, radius * 0.66, ink(mix(colour, BLACK, 0.32)))
    sheet.disc(x, y + radius * 0.05, radius * 0.62, ink(mix(colour, WHITE, 0.06)))


def flame(sheet: Sheet, x: float, y: float, size: float) -> None:
    """Paint a flame with its glow; (x, y) is its foot, `size` its height."""
    unit = size / 38
    sheet.disc(x, y - 6 * unit, 40 * unit, ink((255, 140, 50), 74, blur=18 * unit))
    sheet.disc(x, y - 6 * unit, 17 * unit, ink((255, 190, 90), 120, blur=8 * unit))
    for colour, part in (((232, 86, 30), 1.0), ((255, 166, 50), 0.72), ((255, 240, 180), 0.42)):
        rim = [(0, -30), (8, -12), (7, 2), (0, 7), (-7, 2), (-8, -10)]
        sheet.path(smooth([(x + px * unit * part, y + py * unit * part) for px, py in rim], closed=True), ink(colour))


# On finished images


def lit_edge(image: Image.Image, colour: Colour, across: int, down: int, strength: float = 0.8) -> Image.Image:
    """Return a sprite with a rim of light on the edges that face away from (across, down), in pixels."""
    alpha = np.asarray(image.getchannel("A"), np.float32) / 255
    moved = np.zeros_like(alpha)
    high, wide = alpha.shape
    y0, x0 = max(down, 0), max(across, 0)
    y1, x1 = min(high, high + down), min(wide, wide + across)
    moved[y0:y1, x0:x1] = alpha[y0 - down : y1 - down, x0 - across : x1 - across]
    rim = (alpha * (1 - moved) * strength)[..., None]
    pixels = np.asarray(image, np.float32).copy()
    pixels[..., :3] = pixels[..., :3] * (1 - rim) + np.array(colour, np.float32) * rim
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8), "RGBA")


def shaded(image: Image.Image, colour: Colour, part: Array) -> Image.Image:
    """Return an opaque picture that goes over to a colour: by 0 to 1 for each pixel, an array (height, width)."""
    pixels, weight = np.asarray(image.convert("RGB"), np.float32), part[..., None]
    mixed = pixels * (1 - weight) + np.array(colour, np.float32) * weight
    return Image.fromarray(mixed.clip(0, 255).astype(np.uint8))


def vignette(image: Image.Image, colour: Colour, strength: float, middle: Point, clear: float = 0.5) -> Image.Image:
    """Return a stage that gets darker towards its edges; `clear`: the part of the way from its middle that does not."""
    y, x = np.mgrid[0 : image.height, 0 : image.width]
    far = np.hypot((x - middle[0]) / (image.width * 0.72), (y - middle[1]) / (image.height * 0.72))
    return shaded(image, colour, strength * ((far - clear) / (1 - clear * 0.5)).clip(0, 1))


def grain(image: Image.Image, strength: float, seed: int) -> Image.Image:
    """Return an image with the texture of paper: each pixel lighter or darker by up to `strength` of 255."""
    noise: Array = np.random.default_rng(seed).normal(0, strength, (image.height, image.width)).astype(np.float32)
    pixels = np.asarray(image, np.float32).copy()
    pixels[..., :3] += noise[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8), image.mode)


def shadow(image: Image.Image, colour: Colour, alpha: int, blur: float, across: float, down: float) -> Image.Image:
    """Return a sprite with its own soft shadow below it; the sheet grows on all sides by twice the blur and the way."""
    margin = math.ceil(2 * blur + max(abs(across), abs(down)))
    size = image.width + 2 * margin, image.height + 2 * margin
    mask = Image.new("L", size)
    faint = image.getchannel("A").point([value * alpha // 255 for value in range(256)])
    mask.paste(faint, (margin + round(across), margin + round(down)))
    sheet = Image.new("RGBA", size, (*colour, 0))
    sheet.putalpha(mask.filter(ImageFilter.GaussianBlur(blur)))
    sheet.alpha_composite(image, (margin, margin))
    return sheet
