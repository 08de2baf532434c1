"""Where pictures are put together: sprites drawn once and supersampled, a page to paste them on, and the PNG.

A page is composed in RGB with 8-bit masks, so that every edge is smooth on every ground, and matched once against the
game's fixed palette: about as fast as composing in palette mode, without its ragged edges. What the page shows is all
that the file holds: no alpha, no text chunks, nothing underneath.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, wraps
from io import BytesIO
from typing import Any, NamedTuple, ParamSpec

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from rendering.core import lettering
from rendering.core.palette import palette

WIDTH = 1200
SCALE = 4
"""Sprites are drawn this much larger, then reduced."""

Colour = tuple[int, int, int]
Point = tuple[float, float]
P = ParamSpec("P")


class Sprite(NamedTuple):
    """A picture with soft edges: colours, and how much each pixel covers."""

    image: Image.Image
    cover: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        return self.image.size


class Pen:
    """Draws in the final picture's pixels on a sheet that is four times as large."""

    def __init__(self, width: int, height: int) -> None:
        self.sheet = Image.new("RGBA", (width * SCALE, height * SCALE))
        self._draw = ImageDraw.Draw(self.sheet)
        self.width, self.height = width, height

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], (*fill, 255))

    def line(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """A stroke with round ends and joints."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        thick = max(1, round(width * SCALE))
        self._draw.line(scaled, (*fill, 255), thick, joint="curve")
        for x, y in (scaled[0], scaled[-1]):
            r = thick / 2
            self._draw.ellipse((x - r, y - r, x + r, y + r), (*fill, 255))

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        self.oval(x - radius, y - radius, x + radius, y + radius, fill)

    def oval(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        self._draw.ellipse((left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1), (*fill, 255))

    def ring(self, x: float, y: float, radius: float, fill: Colour, width: float) -> None:
        box = ((x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE - 1, (y + radius) * SCALE - 1)
        self._draw.ellipse(box, outline=(*fill, 255), width=round(width * SCALE))

    def box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: Colour | None,
        outline: Colour | None = None, width: float = 0,
    ) -> None:  # fmt: skip
        """A rectangle with round corners."""
        self._draw.rounded_rectangle(
            (left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1),
            radius * SCALE,
            (*fill, 255) if fill else None,
            (*outline, 255) if outline else None,
            round(width * SCALE),
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: Colour,
        face: str = lettering.DISPLAY,
        anchor: str = "mm",
    ) -> None:
        """Text; the anchor's second letter is "m" (middle of the capitals) or "s" (baseline)."""
        cover, baseline = lettering.mask(text, round(size * SCALE), face)
        left = x * SCALE - {"l": 2, "m": cover.width / 2, "r": cover.width - 2}[anchor[0]]
        top = y * SCALE - baseline + (size * SCALE * CAPITALS / 2 if anchor[1] == "m" else 0)
        self.sheet.paste(Image.new("RGBA", cover.size, (*fill, 255)), (round(left), round(top)), cover)

    def paste(self, x: float, y: float, other: Image.Image) -> None:
        """Another pen's sheet, its upper left corner there."""
        self.sheet.paste(other, (round(x * SCALE), round(y * SCALE)), other)

    def sprite(self) -> Sprite:
        small = self.sheet.reduce(SCALE)
        return Sprite(small.convert("RGB"), small.getchannel("A"))


CAPITALS = 0.68
"""Height of a capital or a figure in parts of the type size, for both faces."""


def sprite(draw: Callable[P, Sprite]) -> Callable[P, Sprite]:
    """Draws each sprite once a process, the first time it is wanted."""
    cached: Any = cache(draw)

    @wraps(draw)
    def once(*args: P.args, **kwargs: P.kwargs) -> Sprite:
        found: Sprite = cached(*args, **kwargs)
        return found

    return once


@cache
def ground(width: int, height: int, paint: Callable[[int, int], Image.Image]) -> Image.Image:
    """A game's background at that size, painted once."""
    return paint(width, height)


def mix(a: Colour, b: Colour, part: float) -> Colour:
    """The colour `part` of the way from a to b."""
    return (
        round(a[0] + (b[0] - a[0]) * part),
        round(a[1] + (b[1] - a[1]) * part),
        round(a[2] + (b[2] - a[2]) * part),
    )


def curve(*points: Point, steps: int = 16) -> list[Point]:
    """A Bézier curve through its first and last point."""
    degree = len(points) - 1
    weights = [math.comb(degree, i) for i in range(degree + 1)]
    path = []
    for step in range(steps + 1):
        t = step / steps
        parts = [w * t**i * (1 - t) ** (degree - i) for i, w in enumerate(weights)]
        path.append(
            (sum(p * x for p, (x, _) in zip(parts, points, strict=True)),
             sum(p * y for p, (_, y) in zip(parts, points, strict=True)))
        )  # fmt: skip
    return path


@cache
def shadow(width: int, height: int, radius: int, blur: int, strength: int) -> tuple[Image.Image, int]:
    """A soft shadow's mask for a box of that size, and by how much it is larger on each side.

    Its few steps of grey cannot be told from many, and make smaller files.
    """
    margin = blur * 2
    image = Image.new("L", (width + 2 * margin, height + 2 * margin))
    ImageDraw.Draw(image).rounded_rectangle((margin, margin, margin + width - 1, margin + height - 1), radius, strength)
    soft = image.filter(ImageFilter.GaussianBlur(blur))
    return soft.point([value // 24 * 24 for value in range(256)]), margin


class Page:
    """A picture in the making, 1,200 pixels wide. Coordinates are pixels."""

    def __init__(self, slug: str, height: int, paint: Callable[[int, int], Image.Image]) -> None:
        self.slug = slug
        self.image = ground(WIDTH, height, paint).copy()
        self.height = height

    def place(self, sprite: Sprite, x: float, y: float, anchor: str = "lt") -> None:
        """Pastes it; the anchor is of "l", "m", "r" across and "t", "m", "b" down."""
        width, height = sprite.size
        left = round(x - {"l": 0, "m": width / 2, "r": width}[anchor[0]])
        top = round(y - {"t": 0, "m": height / 2, "b": height}[anchor[1]])
        self.image.paste(sprite.image, (left, top), sprite.cover)

    def shade(self, x: int, y: int, width: int, height: int, radius: int, blur: int = 8, strength: int = 120,
              colour: Colour = (0, 0, 0), drop: int = 5) -> None:  # fmt: skip
        """The shadow of a box, or its glow in another colour."""
        cover, margin = shadow(width, height, radius, blur, strength)
        box = (x - margin, y - margin + drop)
        self.image.paste(colour, (*box, box[0] + cover.width, box[1] + cover.height), cover)

    def text(
        self, x: float, y: float, text: str, size: int, fill: Colour, width: int = WIDTH, anchor: str = "lm",
        face: str = lettering.TEXT,
    ) -> int:  # fmt: skip
        """Writes a line, cut to `width`; y is the middle of its capitals. Gives the pixels that it takes."""
        cover, baseline = lettering.mask(lettering.fit(text, size, width, face), size, face)
        left = round(x - {"l": 2, "m": cover.width / 2, "r": cover.width - 2}[anchor[0]])
        top = round(y - baseline + size * CAPITALS / 2)
        self.image.paste(fill, (left, top, left + cover.width, top + cover.height), cover)
        return cover.width - 4

    def png(self) -> bytes:
        """The file: IHDR, PLTE, IDAT and IEND, nothing else."""
        matched = self.image.quantize(palette=palette(self.slug), dither=Image.Dither.NONE)
        file = BytesIO()
        matched.save(file, "PNG", compress_level=5)
        return file.getvalue()


def tinted(sprite: Sprite, colour: Colour, part: float) -> Sprite:
    """The sprite with its colours moved towards another."""
    return Sprite(Image.blend(sprite.image, Image.new("RGB", sprite.size, colour), part), sprite.cover)


def lit_from_above(image: Image.Image, foot: float, steps: int = 7) -> Image.Image:
    """The image darkened towards its bottom, to `foot` of its light: in few steps, and whole rows alike."""
    width, height = image.size
    shade = Image.new("L", (1, steps))
    shade.putdata([round(255 * (1 - (1 - foot) * step / (steps - 1))) for step in range(steps)])
    tint = shade.resize((width, height), Image.Resampling.NEAREST)
    return ImageChops.multiply(image, Image.merge("RGB", (tint, tint, tint)))
