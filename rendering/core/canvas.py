"""The page on which a picture's sprites and texts are laid, and its file.

Strokes are composed in RGB with 8-bit masks, so that every edge is smooth on every ground, and matched against the
game's fixed palette. Patches and bands that were composed or compressed before are cached. The file has only what the
page shows: no alpha, no text chunks, nothing underneath.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache as cache_result
from functools import cached_property, lru_cache
from itertools import accumulate, count
from threading import Lock
from typing import NamedTuple

from PIL import Image

from rendering.core import lettering, sprites
from rendering.core.palette import palette
from rendering.core.pixel_cache import cache, pixel_numbers
from rendering.core.png import EVEN, SMALL, Band, pack, png
from rendering.core.sprites import CAPITALS, Colour, Sprite, Tint

WIDTH = 1200

BAND = 48
"""Rows of pixels that are compressed together."""
MOST_PATCH_BYTES = 56 * 2**20
"""Limit of cached patches, in bytes. Above it the cache is emptied, and patches are composed again when needed."""
MOST_BANDS = 4_000
"""Limit of cached bands: about 20 MB with their keys. Above it the cache is emptied."""
LARGE = 160_000
"""A file with more bytes is compressed once more as SMALL."""
MOST_FILE_BYTES = 200_000
"""Limit of a file's size, in bytes; the tests hold it."""

Key = tuple[object, ...]


class Box(NamedTuple):
    """A rectangle of the page, in pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def bands(self) -> slice:
        """The bands of the page that the box overlaps, as a slice."""
        return slice(self.top // BAND, (self.bottom - 1) // BAND + 1)

    def around(self, core: Box) -> tuple[Box, Box, Box, Box]:
        """Return the rest of this box: its parts around `core`, a box inside it."""
        left, top, right, bottom = self
        return (
            Box(left, top, right, core.top),
            Box(left, core.bottom, right, bottom),
            Box(left, core.top, core.left, core.bottom),
            Box(core.right, core.top, right, core.bottom),
        )


class Stroke(NamedTuple):
    """A sprite or a tint laid on a page, and its position."""

    what: Sprite | Tint
    left: int
    top: int

    def within(self, height: int) -> tuple[Box, bool]:
        """Return its box on a page of that height, and whether all of it is on the page."""
        width, tall = self.what.size
        whole = Box(self.left, self.top, self.left + width, self.top + tall)
        box = Box(max(whole.left, 0), max(whole.top, 0), min(whole.right, WIDTH), min(whole.bottom, height))
        return box, box == whole

    def core(self) -> Box | None:
        """Return the box inside it that hides everything below, if it has a large one."""
        core = self.what.core
        if core is None:
            return None
        x, y = self.left, self.top
        return Box(x + core[0], y + core[1], x + core[2], y + core[3])

    def lay(self, image: Image.Image, left: int = 0, top: int = 0) -> None:
        """Lay it on an image whose upper left corner is at (`left`, `top`) on the page."""
        self.what.lay(image, (self.left - left, self.top - top))


class PlacedStroke(NamedTuple):
    """A stroke on its page."""

    stroke: Stroke
    box: Box
    core: Box | None
    """None too if the page cuts off some of the stroke."""


class Ground:
    """A game's background at one height."""

    def __init__(self, slug: str, height: int, paint: Callable[[int, int], Image.Image], plain_rows: int) -> None:
        self.number = next(pixel_numbers)
        self.height = height
        self._slug, self._paint, self._plain_rows = slug, paint, plain_rows

    @property
    def rows(self) -> bytes:
        """The rows in palette numbers, as the file has them: a filter byte, then the pixels. They are painted again if
        the cache has dropped them.
        """
        return cache.get(self.number, self._draw)[0]

    def painted(self) -> Image.Image:
        """Paint the background in full colours."""
        image = self._paint(WIDTH, self.height)
        for y in range(self.height - self._plain_rows, self.height):
            row = (0, y, WIDTH, y + 1)
            _, commonest = max(image.crop(row).getcolors() or [])
            assert isinstance(commonest, tuple)
            image.paste(commonest, row)
        return image

    def crop(self, box: Box) -> Image.Image:
        """Return a part of the background, in RGB, in the colours that the file shows."""
        return self._in_palette().crop((box.left + 1, box.top, box.right + 1, box.bottom)).convert("RGB")

    def _draw(self) -> tuple[bytes]:
        matched = Image.new("P", (WIDTH + 1, self.height))  # the column on the left is 0: PNG's filter "none"
        matched.paste(_matched(self.painted(), self._slug).point(_settled(self._slug)), (1, 0))
        return (matched.tobytes(),)

    def _in_palette(self) -> Image.Image:
        """Return the rows as an image one pixel wider than the page; it shares their memory."""
        image = Image.frombuffer("P", (WIDTH + 1, self.height), self.rows, "raw", "P", 0, 1)
        image.putpalette(palette(self._slug).getpalette() or b"")
        return image

    @cached_property
    def patterned_rows(self) -> list[int]:
        """Return for each y how many rows above it have several colours.

        Over rows of one colour a stroke looks the same at any x.
        """
        image = self._in_palette()
        rows = (image.crop((1, y, WIDTH + 1, y + 1)).getcolors(1) is None for y in range(self.height))
        return list(accumulate(rows, initial=0))


@lru_cache(maxsize=64)
def ground(slug: str, height: int, paint: Callable[[int, int], Image.Image], plain_rows: int) -> Ground:
    """Return the background at that height, one object for equal arguments."""
    return Ground(slug, height, paint, plain_rows)


class Patch(NamedTuple):
    """The pixels within a stroke's box once the stroke is laid, in palette numbers."""

    number: int
    image: Image.Image


class Page:
    """A picture to be composed, 1,200 pixels wide. Coordinates are pixels.

    A page is a list of strokes, which `image` or `png` draws. After a move most of a picture is unchanged, and most of
    the rest was drawn on another page. So a stroke over what lies under it is composed once and cached as a patch, and
    a page is its patches laid over each other. Only bands with a new or a moved patch are compressed.

    The lowest `plain_rows` of the ground have no pattern. There a patch serves at any x, so a hand of cards that closes
    up is not composed again. `level` is TIGHT for pages some of which would otherwise be too large. A file with more
    than `large` bytes is compressed once more as SMALL, which takes as long as all the rest.
    """

    def __init__(
        self, slug: str, height: int, paint: Callable[[int, int], Image.Image], plain_rows: int = 0, level: int = EVEN,
        large: int = LARGE,
    ) -> None:  # fmt: skip
        self.slug = slug
        self.height = height
        self._level, self._large = level, large
        self._ground = ground(slug, height, paint, plain_rows)
        self._strokes: list[Stroke] = []

    @property
    def image(self) -> Image.Image:
        """Return the page in full colours over the background in the file's."""
        return self._over(self._ground.crop(Box(0, 0, WIDTH, self.height)))

    def painted(self) -> Image.Image:
        """Return the page in full colours, as palettes are made from it."""
        return self._over(self._ground.painted())

    def _over(self, ground: Image.Image) -> Image.Image:
        for stroke in self._strokes:
            stroke.lay(ground)
        return ground

    def leave_stage(self) -> None:
        """Put one dark colour in place of the background: for people who see better without it."""
        self._ground = ground(self.slug, self.height, _dark, 0)

    def place(self, sprite: Sprite, x: float, y: float, anchor: str = "lt") -> None:
        """Lay a sprite. The anchor is one of "l", "m", "r" across and one of "t", "m", "b" down."""
        width, height = sprite.size
        left = round(x - {"l": 0, "m": width / 2, "r": width}[anchor[0]])
        top = round(y - {"t": 0, "m": height / 2, "b": height}[anchor[1]])
        self._strokes.append(Stroke(sprite, left, top))

    def shade(self, x: int, y: int, width: int, height: int, radius: int, blur: int = 8, strength: int = 120,
              colour: Colour = (0, 0, 0), drop: int = 5) -> None:  # fmt: skip
        """Lay the shadow of a box, or its glow in another colour."""
        what = sprites.shadow_tint(width, height, radius, blur, strength, colour)
        self._strokes.append(Stroke(what, x - 2 * blur, y - 2 * blur + drop))

    def text(
        self, x: float, y: float, text: str, size: int, fill: Colour, width: int = WIDTH, anchor: str = "lm",
        face: str = lettering.TEXT,
    ) -> int:  # fmt: skip
        """Write a line, cut to `width`; y is the middle of its capitals. Return its width in pixels."""
        what = sprites.text_tint(lettering.fit(text, size, width, face), size, face, fill)
        wide = what.size[0]
        left = round(x - {"l": 2, "m": wide / 2, "r": wide - 2}[anchor[0]])
        top = round(y - lettering.baseline(size) + size * CAPITALS / 2)
        self._strokes.append(Stroke(what, left, top))
        return wide - 4

    def png(self) -> bytes:
        """Return the file: IHDR, PLTE, IDAT and IEND, nothing else."""
        with _lock:
            _cache.make_room()
            patches = self._patches()
            file = self._file(patches, self._level)
            return file if len(file) <= self._large or self._level == SMALL else self._file(patches, SMALL)

    def _patches(self) -> list[tuple[Box, Patch]]:
        """Return the patches of the strokes with what lies under them, in the order of laying.

        A large stroke is several patches: its core, which looks the same everywhere, and the frame around the core.
        """
        # The tests whether boxes overlap or contain each other are inlined: they take most of a page's time.
        laid: list[PlacedStroke] = []
        patches = []
        for stroke in self._strokes:
            box, whole = stroke.within(self.height)
            left, top, right, bottom = box
            if left >= right or top >= bottom:
                continue
            core = stroke.core() if whole else None
            laid.append(PlacedStroke(stroke, box, core))
            below = [
                one
                for one in reversed(laid)
                if (under := one.box)[0] < right and left < under[2] and under[1] < bottom and top < under[3]
            ]
            key = self._cache_key(box, below)
            pieces = _cache.pieces.get(key)
            if pieces is None:
                parts = (box,) if core is None else (core, *box.around(core))
                pieces = _cache.pieces[key] = [
                    (part.left - left, part.top - top, part.right - left, part.bottom - top, self._patch(part, below))
                    for part in parts
                ]
            patches += [(Box(left + x, top + y, left + x2, top + y2), patch) for x, y, x2, y2, patch in pieces]
        return patches

    def _cache_key(self, box: Box, below: list[PlacedStroke]) -> Key:
        """Return the cache key of a box under these strokes, which come from the uppermost down."""
        left, top, right, bottom = box
        key: list[object] = [self.slug, right - left, bottom - top]
        for stroke, _, core in below:
            key += (stroke.what.number, stroke.left - left, stroke.top - top)
            if core is not None and core[0] <= left and right <= core[2] and core[1] <= top and bottom <= core[3]:
                return tuple(key)
        patterned_rows = self._ground.patterned_rows  # the ground shows through
        key += (self._ground.number, top, None if patterned_rows[top] == patterned_rows[bottom] else left)
        return tuple(key)

    def _patch(self, box: Box, below: list[PlacedStroke]) -> Patch:
        """Return what the strokes show in a part of the first stroke's box."""
        left, top, right, bottom = box
        seen = []
        for one in below:
            x, y, x2, y2 = one.box
            if x < right and left < x2 and y < bottom and top < y2:
                seen.append(one)
                core = one.core
                if core is not None and core[0] <= left and right <= core[2] and core[1] <= top and bottom <= core[3]:
                    break
        key = self._cache_key(box, seen)
        patch = _cache.patches.get(key)
        if patch is None:
            area = self._ground.crop(box)
            for one in reversed(seen):
                one.stroke.lay(area, left, top)
            patch = _cache.add(key, _matched(area, self.slug))
        return patch

    def _file(self, patches: list[tuple[Box, Patch]], level: int) -> bytes:
        shown: list[list[int]] = [[self._ground.number, level, y] for y in range(-(-self.height // BAND))]
        for box, patch in patches:
            for band in shown[box.bands]:
                band += (patch.number, box.left, box.top)
        keys = [tuple(band) for band in shown]
        bands = _cache.bands
        fresh = [y for y, key in enumerate(keys) if key not in bands]
        if fresh:
            wide, upper, lower = WIDTH + 1, fresh[0] * BAND, min((fresh[-1] + 1) * BAND, self.height)
            rows = bytearray(memoryview(self._ground.rows)[upper * wide : lower * wide])
            sheet = Image.frombuffer("P", (wide, lower - upper), rows, "raw", "P", 0, 1)
            sheet.readonly = 0  # pasting then writes into `rows` itself
            for box, patch in patches:
                if box.top < lower and upper < box.bottom:
                    sheet.paste(patch.image, (box.left + 1, box.top - upper))
            raw = memoryview(rows)
            for y in fresh:
                start = (y * BAND - upper) * wide
                bands[keys[y]] = pack(raw[start : start + BAND * wide], level)
        colours = bytes(palette(self.slug).getpalette() or b"")
        return png(WIDTH, self.height, colours, [bands[key] for key in keys])


class PatchCache:
    """The caches that pages are composed from: patches, the patches of whole strokes, and compressed bands.

    A patch's key is the numbers of what it shows. Pixels that are drawn again keep their numbers, so a picture whose
    patches are all cached needs no sprite.
    """

    def __init__(self) -> None:
        self.patches: dict[Key, Patch] = {}
        self.pieces: dict[Key, list[tuple[int, int, int, int, Patch]]] = {}
        self.bands: dict[Key, Band] = {}
        self.size = 0
        """Bytes of the patches."""
        self.parts = 1
        """Among how many processes the limits are shared."""
        self._numbers = count()

    def add(self, key: Key, image: Image.Image) -> Patch:
        """Cache the image of that key as a patch with a number of its own, and return it."""
        patch = self.patches[key] = Patch(next(self._numbers), image)
        self.size += image.width * image.height + PATCH_OVERHEAD
        return patch

    def make_room(self) -> None:
        """Empty the caches if they are above their limits. Call it between pages, not within one."""
        if self.size > MOST_PATCH_BYTES // self.parts:
            self.patches.clear()
            self.pieces.clear()
            self.bands.clear()
            self.size = 0
        if len(self.bands) > MOST_BANDS // self.parts:
            self.bands.clear()


PATCH_OVERHEAD = 1_500
"""Bytes that Python needs for a patch beside its pixels: its key, its objects, its share of the strokes' keys."""

_cache = PatchCache()
_lock = Lock()
"""Pictures are drawn in one thread. If there is a second, it waits for the page that is being composed."""


def share_memory(parts: int) -> None:
    """Share the limits of the caches among so many processes that draw."""
    _cache.parts = parts


def _dark(width: int, height: int) -> Image.Image:
    return Image.new("RGB", (width, height), (14, 20, 34))


def _matched(image: Image.Image, slug: str) -> Image.Image:
    return image.quantize(palette=palette(slug), dither=Image.Dither.NONE)


@cache_result
def _settled(slug: str) -> list[int]:
    """Return for each colour's number the number at which it stays however often it is matched.

    Pillow matches all colours in a cube of 4 × 4 × 4 alike, so a colour of the palette may become its neighbour. A
    background in settled colours looks the same within a patch and around it.
    """
    numbers = list(range(256))
    while True:
        row = Image.new("P", (256, 1))
        row.putdata(numbers)
        row.putpalette(palette(slug).getpalette() or b"")
        found = list(_matched(row.convert("RGB"), slug).tobytes())
        if found == numbers:
            return numbers
        numbers = found
