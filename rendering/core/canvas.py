"""Where pictures are put together: sprites drawn once and supersampled, a page to lay them on, and the PNG.

Strokes are composed in RGB with 8-bit masks, so that every edge is smooth on every ground, and matched against the
game's fixed palette; what has been composed or compressed before is kept. What the page shows is all that the file
holds: no alpha, no text chunks, nothing underneath.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import cache, wraps
from itertools import accumulate, count
from typing import Any, NamedTuple, ParamSpec

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from rendering.core import lettering
from rendering.core.palette import palette

WIDTH = 1200
SCALE = 4
"""Sprites are drawn this much larger, then reduced."""

BAND = 48
"""Rows of pixels that are compressed at once."""
LEAST_CORE = 20_000
"""Pixels from which on it pays to compose what a stroke hides apart from its edges."""
MOST_PATCHES = 8_000
MOST_BANDS = 4_000
"""Kept: about 40 and 20 MB; when they are more, all go and what is wanted comes back."""
MOST_BYTES = 80_000
FAST, EVEN, SMALL = 1, 3, 7
"""zlib's levels: for pages that are small anyway, for most, and for a picture that would be too large."""

Colour = tuple[int, int, int]
Point = tuple[float, float]
P = ParamSpec("P")
Key = tuple[object, ...]


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


class Stroke(NamedTuple):
    """Something laid on a page: a sprite's colours or one colour, how much each pixel covers, and where."""

    source: Image.Image | Colour
    cover: Image.Image
    left: int
    top: int

    def within(self, height: int) -> tuple[Box, bool]:
        """Its box on a page of that height, and whether none of it is cut off."""
        width, tall = self.cover.size
        whole = Box(self.left, self.top, self.left + width, self.top + tall)
        box = Box(max(whole.left, 0), max(whole.top, 0), min(whole.right, WIDTH), min(whole.bottom, height))
        return box, box == whole

    def lay(self, image: Image.Image, left: int = 0, top: int = 0) -> None:
        """Lay it on an image whose upper left corner is there on the page."""
        at = (self.left - left, self.top - top)
        if isinstance(self.source, Image.Image):
            image.paste(self.source, at, self.cover)
        else:
            image.paste(self.source, (*at, at[0] + self.cover.width, at[1] + self.cover.height), self.cover)


class Ground(NamedTuple):
    """A game's background: in full colours, and in its palette's numbers with the file's column of filter bytes."""

    image: Image.Image
    numbers: memoryview
    uneven: list[int]
    """By y, how many rows above it are not of one colour each: where none is, a stroke looks the same at any x."""


@cache
def ground(slug: str, height: int, paint: Callable[[int, int], Image.Image], calm: int) -> Ground:
    """The background at that height, painted once; its lowest `calm` rows without a pattern."""
    image = paint(WIDTH, height)
    for y in range(height - calm, height):
        row = (0, y, WIDTH, y + 1)
        _, commonest = max(image.crop(row).getcolors() or [])
        assert isinstance(commonest, tuple)
        image.paste(commonest, row)
    numbers = Image.new("P", (WIDTH + 1, height))  # the column on the left is 0: PNG's filter "none"
    numbers.paste(_matched(image, slug), (1, 0))
    rows = (image.crop((0, y, WIDTH, y + 1)).getcolors(1) is None for y in range(height))
    return Ground(image, memoryview(numbers.tobytes()), list(accumulate(rows, initial=0)))


class Patch(NamedTuple):
    """What lies within a stroke's box once it is laid, in the palette's numbers."""

    number: int
    image: Image.Image
    shows: tuple[object, ...]
    """Keeps the images alive whose ids the patch is known by."""


class Box(NamedTuple):
    """A place on the page, in pixels, right and bottom outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def bands(self) -> slice:
        return slice(self.top // BAND, (self.bottom - 1) // BAND + 1)

    def around(self, core: Box) -> tuple[Box, Box, Box, Box]:
        """What is left of it beside a box in its midst."""
        left, top, right, bottom = self
        return (
            Box(left, top, right, core.top),
            Box(left, core.bottom, right, bottom),
            Box(left, core.top, core.left, core.bottom),
            Box(core.right, core.top, right, core.bottom),
        )


class Laid(NamedTuple):
    """A stroke on its page, and the box in its midst where nothing below it shows through, if it has a large one."""

    stroke: Stroke
    look: tuple[object, int]
    """What it is known by, but for its place."""
    box: Box
    core: Box | None


class Page:
    """A picture in the making, 1,200 pixels wide. Coordinates are pixels.

    Nothing is drawn before the end: a page is a list of strokes. Most of a picture is as it was a move ago, and most of
    the rest has been seen elsewhere: what a stroke makes of what lies under it is composed once and kept as a patch,
    and a page is its patches laid over each other. Only bands with a new patch or a patch moved are compressed.

    The lowest `calm` rows of the ground are without its pattern: there a patch serves at any x, so that a hand of cards
    which closes up is not composed anew. `level` is FAST for pages that are far from being too large, and SMALL for
    those of which most would be otherwise.
    """

    def __init__(
        self, slug: str, height: int, paint: Callable[[int, int], Image.Image], calm: int = 0, level: int = EVEN
    ) -> None:
        self.slug = slug
        self.height = height
        self._level = level
        self._ground = ground(slug, height, paint, calm)
        self._strokes: list[Stroke] = []

    @property
    def image(self) -> Image.Image:
        """The page in full colours, before it is matched against the palette."""
        image = self._ground.image.copy()
        for stroke in self._strokes:
            stroke.lay(image)
        return image

    def place(self, sprite: Sprite, x: float, y: float, anchor: str = "lt") -> None:
        """Pastes it; the anchor is of "l", "m", "r" across and "t", "m", "b" down."""
        width, height = sprite.size
        left = round(x - {"l": 0, "m": width / 2, "r": width}[anchor[0]])
        top = round(y - {"t": 0, "m": height / 2, "b": height}[anchor[1]])
        self._strokes.append(Stroke(sprite.image, sprite.cover, left, top))

    def shade(self, x: int, y: int, width: int, height: int, radius: int, blur: int = 8, strength: int = 120,
              colour: Colour = (0, 0, 0), drop: int = 5) -> None:  # fmt: skip
        """The shadow of a box, or its glow in another colour."""
        cover, margin = shadow(width, height, radius, blur, strength)
        self._strokes.append(Stroke(colour, cover, x - margin, y - margin + drop))

    def text(
        self, x: float, y: float, text: str, size: int, fill: Colour, width: int = WIDTH, anchor: str = "lm",
        face: str = lettering.TEXT,
    ) -> int:  # fmt: skip
        """Writes a line, cut to `width`; y is the middle of its capitals. Gives the pixels that it takes."""
        cover, baseline = lettering.mask(lettering.fit(text, size, width, face), size, face)
        left = round(x - {"l": 2, "m": cover.width / 2, "r": cover.width - 2}[anchor[0]])
        top = round(y - baseline + size * CAPITALS / 2)
        self._strokes.append(Stroke(fill, cover, left, top))
        return cover.width - 4

    def png(self) -> bytes:
        """The file: IHDR, PLTE, IDAT and IEND, nothing else."""
        if max(len(_patches), len(_pieces)) > MOST_PATCHES:
            _patches.clear()
            _pieces.clear()
            _bands.clear()
            _cores.clear()  # each is of an image that some patch shows; texts never end
        if len(_bands) > MOST_BANDS:
            _bands.clear()
        patches = self._patches()
        file = self._file(patches, self._level)
        return file if len(file) <= MOST_BYTES or self._level == SMALL else self._file(patches, SMALL)

    def _patches(self) -> list[tuple[Box, Patch]]:
        """What the strokes make of what lies under them, in the order of laying.

        A large stroke is several patches: its core, which looks the same wherever it lies, and the frame around that.
        """
        # Tests whether boxes meet or hold each other are written out: they are most of what a page costs.
        laid: list[Laid] = []
        patches = []
        for stroke in self._strokes:
            box, whole = stroke.within(self.height)
            left, top, right, bottom = box
            if left >= right or top >= bottom:
                continue
            source = stroke.source
            look = (id(source) if isinstance(source, Image.Image) else source, id(stroke.cover))
            core = _core(stroke) if whole else None
            laid.append(Laid(stroke, look, box, core))
            below = [
                one
                for one in reversed(laid)
                if (under := one.box)[0] < right and left < under[2] and under[1] < bottom and top < under[3]
            ]
            known = self._known(box, below)
            pieces = _pieces.get(known)
            if pieces is None:
                parts = (box,) if core is None else (core, *box.around(core))
                pieces = _pieces[known] = [
                    (part.left - left, part.top - top, part.right - left, part.bottom - top, self._patch(part, below))
                    for part in parts
                ]
            patches += [(Box(left + x, top + y, left + x2, top + y2), patch) for x, y, x2, y2, patch in pieces]
        return patches

    def _known(self, box: Box, below: list[Laid]) -> Key:
        """What tells how a box looks under those strokes; they come from the uppermost down."""
        left, top, right, bottom = box
        key: list[object] = [self.slug, right - left, bottom - top]
        for stroke, look, _, core in below:
            key += (*look, stroke.left - left, stroke.top - top)
            if core is not None and core[0] <= left and right <= core[2] and core[1] <= top and bottom <= core[3]:
                return tuple(key)
        uneven = self._ground.uneven  # the ground shows through
        key += (id(self._ground.image), top, None if uneven[top] == uneven[bottom] else left)
        return tuple(key)

    def _patch(self, box: Box, below: list[Laid]) -> Patch:
        """What strokes leave in a part of the first one's box."""
        left, top, right, bottom = box
        seen = []
        for one in below:
            x, y, x2, y2 = one.box
            if x < right and left < x2 and y < bottom and top < y2:
                seen.append(one)
                core = one.core
                if core is not None and core[0] <= left and right <= core[2] and core[1] <= top and bottom <= core[3]:
                    break
        known = self._known(box, seen)
        patch = _patches.get(known)
        if patch is None:
            area = self._ground.image.crop(box)
            for one in reversed(seen):
                one.stroke.lay(area, left, top)
            shows = tuple(one.stroke for one in seen)
            patch = _patches[known] = Patch(next(_numbers), _matched(area, self.slug), shows)
        return patch

    def _file(self, patches: list[tuple[Box, Patch]], level: int) -> bytes:
        shown: list[list[int]] = [[id(self._ground.image), level, y] for y in range(-(-self.height // BAND))]
        for box, patch in patches:
            for band in shown[box.bands]:
                band += (patch.number, box.left, box.top)
        keys = [tuple(band) for band in shown]
        fresh = [y for y, key in enumerate(keys) if key not in _bands]
        if fresh:
            wide, upper, lower = WIDTH + 1, fresh[0] * BAND, min((fresh[-1] + 1) * BAND, self.height)
            rows = bytearray(self._ground.numbers[upper * wide : lower * wide])
            sheet = Image.frombuffer("P", (wide, lower - upper), rows, "raw", "P", 0, 1)
            sheet.readonly = 0  # what is pasted goes into `rows` itself
            for box, patch in patches:
                if box.top < lower and upper < box.bottom:
                    sheet.paste(patch.image, (box.left + 1, box.top - upper))
            raw = memoryview(rows)
            for y in fresh:
                start = (y * BAND - upper) * wide
                _bands[keys[y]] = _packed(raw[start : start + BAND * wide], level)
        data, low, high = [b"\x78\x5e"], 1, 0
        for key in keys:
            packed, checksum, count = _bands[key]
            data.append(packed)
            high = (high + (checksum >> 16) + count * (low - 1)) % 65521
            low = (low + (checksum & 0xFFFF) - 1) % 65521
        data.append(b"\x03\x00" + (high << 16 | low).to_bytes(4, "big"))
        return _png(self.height, self.slug, b"".join(data))


_patches: dict[Key, Patch] = {}
_pieces: dict[Key, list[tuple[int, int, int, int, Patch]]] = {}
"""The patches of a whole stroke."""
_numbers = count()
_bands: dict[Key, tuple[bytes, int, int]] = {}
"""Compressed bands: bytes of a deflate stream, the checksum and the number of the bytes in it."""


_cores: dict[int, tuple[Image.Image, Box | None]] = {}


def _core(stroke: Stroke) -> Box | None:
    """The box within which a stroke hides all that is below it; None where that would be small."""
    cover, left, top = stroke.cover, stroke.left, stroke.top
    if id(cover) not in _cores:
        _cores[id(cover)] = (cover, _solid(cover))  # kept with its id
    core = _cores[id(cover)][1]
    return core and Box(left + core.left, top + core.top, left + core.right, top + core.bottom)


def _solid(cover: Image.Image) -> Box | None:
    solid = cover.point([0] * 255 + [255]).getbbox()
    if solid is None:
        return None
    box = Box(*solid)
    while (box.right - box.left) * (box.bottom - box.top) >= LEAST_CORE:
        if cover.crop(box).getextrema()[0] == 255:
            return box
        box = Box(box.left + 2, box.top + 2, box.right - 2, box.bottom - 2)
    return None


def _matched(image: Image.Image, slug: str) -> Image.Image:
    return image.quantize(palette=palette(slug), dither=Image.Dither.NONE)


def _packed(raw: memoryview, level: int) -> tuple[bytes, int, int]:
    """Rows of a file as a piece of a deflate stream that stands alone."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(raw) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(raw), len(raw)


def _png(height: int, slug: str, data: bytes) -> bytes:
    """The chunks of a file in palette colours, 8 bits a pixel."""
    colours = bytes(palette(slug).getpalette() or b"")
    header = struct.pack(">IIBBBBB", WIDTH, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


_tinted: dict[Key, tuple[Sprite, Sprite]] = {}


def tinted(sprite: Sprite, colour: Colour, part: float) -> Sprite:
    """The sprite with its colours moved towards another; the same one again for the same sprite."""
    key = (id(sprite.image), colour, part)
    if key not in _tinted:
        blend = Image.blend(sprite.image, Image.new("RGB", sprite.size, colour), part)
        _tinted[key] = (sprite, Sprite(blend, sprite.cover))  # the first keeps its id from being used again
    return _tinted[key][1]


_raised: dict[Key, tuple[Sprite, tuple[Sprite, int, int]]] = {}


def raised(
    sprite: Sprite, grow: int, radius: int, blur: int, strength: int, colour: Colour, drop: int
) -> tuple[Sprite, int, int]:
    """The sprite with a box's shadow or glow behind it as one sprite, and by how much that is larger left and above.

    The box is the sprite's, `grow` larger on each side; the shadow falls `drop` lower. The same again for the same.
    """
    key = (id(sprite.image), grow, radius, blur, strength, colour, drop)
    if key not in _raised:
        width, height = sprite.size
        cover, margin = shadow(width + 2 * grow, height + 2 * grow, radius, blur, strength)
        sheet = Image.new("RGBA", cover.size, (*colour, 0))
        sheet.putalpha(cover)
        front = sprite.image.convert("RGBA")
        front.putalpha(sprite.cover)
        left, top = grow + margin, grow + margin - drop
        sheet.alpha_composite(front, (left, top))
        merged = Sprite(sheet.convert("RGB"), sheet.getchannel("A"))
        _raised[key] = (sprite, (merged, left, top))  # the first keeps its id from being used again
    return _raised[key][1]


def lit_from_above(image: Image.Image, foot: float, steps: int = 7) -> Image.Image:
    """The image darkened towards its bottom, to `foot` of its light: in few steps, and whole rows alike."""
    width, height = image.size
    shade = Image.new("L", (1, steps))
    shade.putdata([round(255 * (1 - (1 - foot) * step / (steps - 1))) for step in range(steps)])
    tint = shade.resize((width, height), Image.Resampling.NEAREST)
    return ImageChops.multiply(image, Image.merge("RGB", (tint, tint, tint)))
