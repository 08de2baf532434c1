"""Sprites: pictures with soft edges, drawn four times as large as they appear, and pictures made of them.

A function that draws a sprite is decorated with `@sprite`. It then returns only a name for the sprite: the pixels are
drawn when a page needs them, and stay in the cache (rendering/core/pixel_cache.py) while there is room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial, wraps
from typing import Any, NamedTuple, ParamSpec, cast

from PIL import Image, ImageDraw, ImageFilter

from rendering.core import lettering
from rendering.core.pixel_cache import brief, cache, pixel_numbers

SCALE = 4
"""Sprites are drawn this much larger, then reduced."""
LEAST_CORE = 20_000
"""Least pixels of a core: what a smaller one hides costs little."""
MOST_REMEMBERED = 4_000
"""Limit of a function's remembered sprites: a few hundred bytes each, beside their pixels in the cache."""

Colour = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are exclusive."""
Planes = Sequence[Any]
"""Red, green and blue of a picture, each in mode L: so Pillow lays it in a fifth of the time that it takes in RGB. They
are Pillow's pixels (`Image.im`), as its images look at their arguments for longer than it takes to paste most sprites.
"""
P = ParamSpec("P")


class Pixels(NamedTuple):
    """Colours (RGB), and the coverage of each pixel (L)."""

    image: Image.Image
    alpha: Image.Image


class Table(ImageFilter.MultibandFilter):
    """A filter that does what `Image.point` does, which rounds each value of its table for longer than it takes to look
    up the pixels of most sprites.
    """

    def __init__(self, values: Sequence[int]) -> None:
        self.values = values

    def filter(self, image: Any) -> Any:
        """Return the image with each value replaced by that of the table."""
        return image.point(self.values, None)


def pixels(image: Image.Image) -> Pixels:
    """Return the pixels of an image in mode RGBA."""
    return Pixels(image.convert("RGB"), image.getchannel("A"))


OPAQUE = Table([0] * 255 + [255])
"""Of a coverage, what lets nothing through."""


class Sprite:
    """A picture with soft edges. Equal pictures are the same object."""

    def __init__(self, draw: Callable[[], Pixels]) -> None:
        self.number = next(pixel_numbers)
        self._draw = draw

    @property
    def planes(self) -> tuple[Image.Image, ...]:
        """Red, green, blue and the coverage, each in mode L, drawn again if the store has dropped them."""
        return cache.get(self.number, self._drawn)

    def _drawn(self) -> tuple[Image.Image, ...]:
        colours, alpha = self._draw()
        return *colours.split(), alpha

    @property
    def pixels(self) -> Pixels:
        """The pixels."""
        *colours, alpha = self.planes
        return Pixels(Image.merge("RGB", colours), alpha)

    @property
    def layer(self) -> Image.Image:
        """The picture in mode RGBA."""
        return Image.merge("RGBA", self.planes)

    @property
    def image(self) -> Image.Image:
        """The colours, in mode RGB."""
        return self.pixels.image

    @property
    def alpha(self) -> Image.Image:
        """The coverage, in mode L."""
        return self.planes[3]

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; reading them draws the sprite once."""
        return self.planes[3].size

    @property
    def box(self) -> Box:
        """All of it: sprites are painted without empty room round them."""
        return 0, 0, *self.size

    @cached_property
    def core(self) -> Box | None:
        """Return the box within which it hides everything below; None if that box is small."""
        alpha = self.planes[3]
        if alpha.width * alpha.height < LEAST_CORE:
            return None
        box = alpha.filter(OPAQUE).getbbox()
        while box is not None:
            left, top, right, bottom = box
            if (right - left) * (bottom - top) < LEAST_CORE:
                return None
            if alpha.crop(box).getextrema()[0] == 255:
                break
            box = (left + 2, top + 2, right - 2, bottom - 2)
        return box

    @cached_property
    def _edges(self) -> list[Box]:
        """The boxes around its core."""
        assert self.core is not None
        (left, top, right, bottom), (width, height) = self.core, self.size
        around = (0, 0, width, top), (0, bottom, width, height), (0, top, left, bottom), (right, top, width, bottom)
        return [box for box in around if box[0] < box[2] and box[1] < box[3]]

    def prepare(self) -> None:
        """Draw it and find its core, if the cache lacks them."""
        _ = self.planes, self.core

    def lay(self, below: Planes, at: tuple[int, int]) -> None:
        """Lay it on a picture with its upper left corner at `at`."""
        *colours, alpha = self.planes
        if self.core is None:
            place = *at, at[0] + self.size[0], at[1] + self.size[1]
            for plane, colour in zip(below, colours, strict=True):
                plane.paste(colour.im, place, alpha.im)
            return
        for part in (self.core, *self._edges):
            left, top, right, bottom = part
            place = at[0] + left, at[1] + top, at[0] + right, at[1] + bottom
            mask = () if part is self.core else (alpha.im.crop(part),)  # far faster without one
            for plane, colour in zip(below, colours, strict=True):
                plane.paste(colour.im.crop(part), place, *mask)


class Toned(Sprite):
    """A sprite whose colours are multiplied by a tone, in 255ths."""

    def __init__(self, sprite: Sprite, tone: Colour) -> None:
        self.number = next(pixel_numbers)
        self._sprite, self._tables = sprite, [_multiplied(part) for part in tone]
        self.size, self.core = sprite.size, sprite.core

    @property
    def planes(self) -> tuple[Image.Image, ...]:
        """As those of a sprite. They are drawn as fast as they would be unpacked."""
        return brief.get(self.number, self._drawn)

    def _drawn(self) -> tuple[Image.Image, ...]:
        *colours, alpha = self._sprite.planes
        return *(plane.filter(table) for plane, table in zip(colours, self._tables, strict=True)), alpha


@lru_cache(maxsize=256)
def _multiplied(part: int) -> Table:
    return Table([value * part // 255 for value in range(256)])


class Tint:
    """One colour through a mask: a text or a shadow. Equal tints are the same object."""

    core = None
    """It hides nothing, or too little to be worth a core."""

    def __init__(self, colour: Colour, size: tuple[int, int], draw: Callable[[], Image.Image]) -> None:
        self.number = next(pixel_numbers)
        self.size = size
        self.colour = colour
        self.draw = draw

    @cached_property
    def box(self) -> Box:
        """What of it is not empty; asking for it draws the mask once."""
        mask = self.draw()
        box = mask.getbbox() or (0, 0, 1, 1)
        brief.get(self.number, lambda: (mask.crop(box),))
        return box

    @property
    def _mask(self) -> Image.Image:
        """The mask within that box."""
        box = self.box
        return brief.get(self.number, lambda: (self.draw().crop(box),))[0]

    def prepare(self) -> None:
        """Draw the mask, if the cache lacks it."""
        _ = self._mask

    @property
    def layer(self) -> Image.Image:
        """The picture in mode RGBA."""
        whole, mask = Image.new("RGBA", self.size, (*self.colour, 0)), self._mask
        drawn = Image.new("RGB", mask.size, self.colour)
        drawn.putalpha(mask)
        whole.paste(drawn, self.box)
        return whole

    def lay(self, below: Planes, at: tuple[int, int]) -> None:
        """Lay it on a picture with its upper left corner at `at`."""
        mask, (left, top, right, bottom) = self._mask.im, self.box
        place = at[0] + left, at[1] + top, at[0] + right, at[1] + bottom
        for plane, value in zip(below, self.colour, strict=True):
            plane.paste(value, place, mask)


def laid(image: Image.Image, *placed: tuple[Sprite | Tint, int, int]) -> Image.Image:
    """Return an image in mode RGB with sprites laid on it, each with its left and upper edge."""
    below = image.split()
    planes = [plane.im for plane in below]
    for what, left, top in placed:
        what.lay(planes, (left, top))
    return Image.merge("RGB", below)


def sprite(draw: Callable[P, Pixels]) -> Callable[P, Sprite]:
    """Turn a function that draws pixels into one that returns the sprite of its arguments."""

    @lru_cache(maxsize=MOST_REMEMBERED)
    def named(*args: P.args, **kwargs: P.kwargs) -> Sprite:
        return Sprite(partial(draw, *args, **kwargs))

    return cast("Callable[P, Sprite]", wraps(draw)(named))


class Pen:
    """Draws in the final picture's pixels on a sheet that is four times as large."""

    def __init__(self, width: int, height: int) -> None:
        self.sheet = Image.new("RGBA", (width * SCALE, height * SCALE))
        self._draw = ImageDraw.Draw(self.sheet)
        self.width, self.height = width, height

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill the polygon with these corners."""
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], (*fill, 255))

    def line(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """Draw a line with round ends and joints."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        thick = max(1, round(width * SCALE))
        self._draw.line(scaled, (*fill, 255), thick, joint="curve")
        for x, y in (scaled[0], scaled[-1]):
            r = thick / 2
            self._draw.ellipse((x - r, y - r, x + r, y + r), (*fill, 255))

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """Fill a circle; (x, y) is its middle."""
        self.oval(x - radius, y - radius, x + radius, y + radius, fill)

    def oval(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        """Fill the ellipse inside this rectangle."""
        self._draw.ellipse((left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1), (*fill, 255))

    def ring(self, x: float, y: float, radius: float, fill: Colour, width: float) -> None:
        """Draw a circle's outline, `width` wide, inside its radius."""
        box = ((x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE - 1, (y + radius) * SCALE - 1)
        self._draw.ellipse(box, outline=(*fill, 255), width=round(width * SCALE))

    def box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: Colour | None,
        outline: Colour | None = None, width: float = 0,
    ) -> None:  # fmt: skip
        """Draw a rectangle with round corners."""
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
        """Write text; the anchor's second letter is "m" (middle of the capitals) or "s" (baseline)."""
        mask = lettering.mask(text, round(size * SCALE), face)
        left = x * SCALE - {"l": 2, "m": mask.width / 2, "r": mask.width - 2}[anchor[0]]
        top = (
            y * SCALE
            - lettering.baseline(round(size * SCALE))
            + (size * SCALE * lettering.capitals(face) / 2 if anchor[1] == "m" else 0)
        )
        self.sheet.paste(Image.new("RGBA", mask.size, (*fill, 255)), (round(left), round(top)), mask)

    def pixels(self) -> Pixels:
        """Return the drawing, reduced to its final size."""
        return pixels(self.sheet.reduce(SCALE))


def boxes(width: int, height: int, layers: Sequence[tuple[float, float, Colour]]) -> Image.Image:
    """Return boxes with round corners one within the other, in mode RGBA; of each how far it lies within the sheet, its
    radius and its colour. Their corners alone are drawn.
    """
    side = math.ceil(max(inset + radius for inset, radius, _ in layers)) + 2
    pen = Pen(min(width, 2 * side + 2), min(height, 2 * side + 2))
    for inset, radius, colour in layers:
        pen.box(inset, inset, pen.width - inset, pen.height - inset, radius, colour)
    return stretched(pen.sheet.reduce(SCALE), width, height, side, side, side)


def stretched(whole: Image.Image, width: int, height: int, side: int, top: int, foot: int) -> Image.Image:
    """Return an image in mode RGBA in that size: as much of its sides, top and foot stays, the rest is stretched."""
    sheet, clear = Image.new("RGBa", (width, height)), whole.convert("RGBa")
    cuts = [((0, side, wide - side, wide), (0, top, tall - foot, tall)) for wide, tall in (whole.size, sheet.size)]
    for column in range(3):
        for row in range(3 if foot else 2):
            part, place = ((x[column], y[row], x[column + 1], y[row + 1]) for x, y in cuts)
            size = place[2] - place[0], place[3] - place[1]
            sheet.paste(clear.resize(size, Image.Resampling.BILINEAR, part), place[:2])
    return sheet.convert("RGBA")


def mix(a: Colour, b: Colour, part: float) -> Colour:
    """Return the colour `part` of the way from a to b."""
    return (
        round(a[0] + (b[0] - a[0]) * part),
        round(a[1] + (b[1] - a[1]) * part),
        round(a[2] + (b[2] - a[2]) * part),
    )


def along(colours: Sequence[Colour], part: float) -> Colour:
    """Return the colour `part` of the way through the colours, from 0 to 1."""
    at = min(max(part, 0.0), 1.0) * (len(colours) - 1)
    first = min(int(at), len(colours) - 2)
    return mix(colours[first], colours[first + 1], at - first)


def curve(*points: Point) -> list[Point]:
    """Return a Bézier curve through its first and last point."""
    degree = len(points) - 1
    weights = [math.comb(degree, i) for i in range(degree + 1)]
    path = []
    for step in range(17):
        t = step / 16
        parts = [w * t**i * (1 - t) ** (degree - i) for i, w in enumerate(weights)]
        path.append(
            (sum(p * x for p, (x, _) in zip(parts, points, strict=True)),
             sum(p * y for p, (_, y) in zip(parts, points, strict=True)))
        )  # fmt: skip
    return path


@sprite
def shade(width: int, height: int, radius: int, blur: int, strength: int, colour: Colour) -> Pixels:
    """Return the soft shadow or glow of a box of that size, `2 * blur` larger on each side. All cards of a hand have
    the same, so it is no part of them.
    """
    margin = blur * 2
    image = Image.new("L", (width + 2 * margin, height + 2 * margin))
    ImageDraw.Draw(image).rounded_rectangle((margin, margin, margin + width - 1, margin + height - 1), radius, strength)
    return Pixels(Image.new("RGB", image.size, colour), image.filter(ImageFilter.GaussianBlur(blur)))


@lru_cache(maxsize=MOST_REMEMBERED)
def text_tint(text: str, size: int, face: str, colour: Colour, wide: int = 0) -> Tint:
    """Return the tint of a text that `lettering.fit` returned, in a colour. `wide`: that of its mask, if it is to be
    squeezed.
    """
    width, height = lettering.mask_size(text, size, face)
    if wide:
        return Tint(colour, (wide, height), partial(lettering.mask, text, size, face, wide=wide))
    return Tint(colour, (width, height), partial(lettering.mask, text, size, face))


HALO = 15
"""Pixels by which a halo is larger than its text on each side."""
GROWN = Table([min(255, value * 6) for value in range(256)])
SOFT = Table([min(255, value * 13 // 10) for value in range(256)])
"""How dark a halo is where its text's blurred mask has that value, and where the blurred halo has it."""


def halo(text: str, size: int, face: str, wide: int = 0) -> Image.Image:
    """Return the mask of the soft dark round a text, `HALO` larger on each side."""
    mask = lettering.mask(text, size, face, wide=wide)
    width, height = mask.width + 2 * HALO, mask.height + 2 * HALO
    whole = Image.new("L", (width + width % 2, height + height % 2))
    whole.paste(mask, (HALO, HALO))
    # In half the size: a blur needs no more, and takes a quarter of the time.
    grown = whole.reduce(2).filter(ImageFilter.BoxBlur(1.5)).filter(GROWN)
    soft = grown.filter(ImageFilter.GaussianBlur(2.5)).filter(SOFT)
    return soft.resize(whole.size, Image.Resampling.BILINEAR).crop((0, 0, width, height))


@lru_cache(maxsize=MOST_REMEMBERED)
def halo_tint(text: str, size: int, face: str, colour: Colour, wide: int = 0) -> Tint:
    """Return the soft dark round a text that `lettering.fit` returned, so that it can be read on a scene."""
    width, height = lettering.mask_size(text, size, face)
    return Tint(colour, ((wide or width) + 2 * HALO, height + 2 * HALO), partial(halo, text, size, face, wide))
