"""The page on which a picture's sprites and texts are laid, and its file.

Strokes are composed in RGB with 8-bit masks, so that every edge is smooth on every ground, and matched against the
game's fixed palette. A page begins with an earlier one that resembles it: only what differs is composed and compressed.
The file has only what the page shows: no alpha, no text chunks, nothing underneath.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache as cache_result
from functools import lru_cache
from itertools import product
from threading import Lock
from typing import Any, NamedTuple

from PIL import Image, _imaging

from rendering.core import lettering, sprites
from rendering.core.palette import palette
from rendering.core.pixel_cache import cache, pixel_numbers
from rendering.core.png import FAST, SMALL, SMALLEST, Band, pack, png
from rendering.core.sprites import HALO, Colour, Sprite, Tint

WIDTH = 1200

BAND = 48
"""Rows of pixels that are compressed together."""
MOST_PAGE_BYTES = 28 * 2**20
"""Limit of the pages that are kept for those that resemble them, in bytes: some 25 of them."""
MOST_HAND_BYTES = 192_000
"""Limit of the size of a hand's file, in bytes; the tests hold it."""
MOST_FILE_BYTES = 256_000
"""Limit of any other file's size, in bytes; the tests hold it."""
REST_OF_FILE = 3_000
"""Bytes of a file beside its compressed bands, and some to spare."""
BOX_COST = 3_000
"""The number of pixels that are composed in the time that one more box takes."""


class Box(NamedTuple):
    """A rectangle of the page, in pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int


Part = tuple[float, float, float, float]
"""A part of a box: its left, upper, right and lower edge, each from 0 to 1."""


class Stroke(NamedTuple):
    """A sprite or a tint laid on a page, and its box, some of which may be off the page."""

    what: Sprite | Tint
    left: int
    top: int
    right: int
    bottom: int

    @property
    def shown(self) -> Box:
        """What of its box is not empty."""
        left, top, right, bottom = self.what.box
        return Box(self.left + left, self.top + top, self.left + right, self.top + bottom)

    def hides(self, box: Box) -> bool:
        """Return whether nothing shows through it within a box."""
        core = self.what.core
        if core is None:
            return False
        x, y = self.left, self.top
        left, top, right, bottom = box
        return x + core[0] <= left and right <= x + core[2] and y + core[1] <= top and bottom <= y + core[3]


class _Run(NamedTuple):
    """Strokes that lie in the same order on two pages: the last one, and those before it."""

    stroke: Stroke
    before: _Run | None


class Thing(NamedTuple):
    """A thing on a page: the strokes that show it, the part of them that is meant, and the values in its text."""

    strokes: list[Stroke]
    part: Part
    values: dict[str, Any]

    @property
    def middle(self) -> float:
        """The x of its middle."""
        left, right = min(one.shown.left for one in self.strokes), max(one.shown.right for one in self.strokes)
        return left + (right - left) * (self.part[0] + self.part[2]) / 2


class Ground:
    """A game's background at one height."""

    def __init__(self, slug: str, height: int, paint: Callable[[int, int], Image.Image]) -> None:
        self.height = height
        self._slug, self._paint = slug, paint
        self._number = next(pixel_numbers)

    @property
    def rows(self) -> bytes:
        """The rows in palette numbers, as the file has them: a filter byte, then the pixels."""
        return cache.get(self._number, self._draw)[0]

    @property
    def layer(self) -> Image.Image:
        """The background alone, in RGB."""
        return in_colours(self.rows, self.height, self._slug)

    def painted(self) -> Image.Image:
        """Paint the background in full colours."""
        return self._paint(WIDTH, self.height)

    def _draw(self) -> tuple[bytes]:
        shown = in_palette(self.painted(), self._slug).point(_settled(self._slug))
        matched = Image.new("P", (WIDTH + 1, self.height))  # the column on the left is 0: PNG's filter "none"
        matched.paste(shown, (1, 0))
        return (matched.tobytes(),)


@lru_cache(maxsize=64)
def ground(slug: str, height: int, paint: Callable[[int, int], Image.Image]) -> Ground:
    """Return the background at that height, one object for equal arguments."""
    return Ground(slug, height, paint)


class Drawn(NamedTuple):
    """A page: `rows` as `Ground.rows`, `bands` these compressed fast, by number, `smaller` some compressed well."""

    ground: Ground
    strokes: list[Stroke]
    distinct: frozenset[Stroke]
    rows: bytes | bytearray
    bands: dict[int, Band]
    smaller: dict[int, Band]

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        bands = (*self.bands.values(), *self.smaller.values())
        return len(self.rows) + sum(len(band.packed) for band in bands)


class Page:
    """A picture to be composed, 1,200 pixels wide. Coordinates are pixels.

    A page is a list of strokes, which `image` or `png` draws. If the file has more than `most` bytes, its largest bands
    are compressed again, and better, which takes three times as long; if need be once more, which takes ten times.
    """

    def __init__(
        self, slug: str, height: int, paint: Callable[[int, int], Image.Image], most: int = MOST_HAND_BYTES
    ) -> None:
        self.slug = slug
        self.height = height
        self._most = most - REST_OF_FILE
        self.ground = ground(slug, height, paint)
        self.strokes: list[Stroke] = []
        self.named: dict[str, Thing] = {}
        """The things that the rules explain."""
        self.passing: list[Stroke] = []
        """The words of what happens: who is to move, and what was done last."""

    @property
    def image(self) -> Image.Image:
        """Return the page in full colours over the background in the file's."""
        return self._over(self.ground.layer)

    def painted(self) -> Image.Image:
        """Return the page in full colours, as palettes are made from it."""
        return self._over(self.ground.painted())

    def _over(self, ground: Image.Image) -> Image.Image:
        return sprites.laid(ground, *(stroke[:3] for stroke in self.strokes))

    def leave_stage(self) -> None:
        """Put one dark colour in place of the background: for people who see better without it."""
        self.ground = ground(self.slug, self.height, dark)

    def place(self, sprite: Sprite | Tint, x: float, y: float, anchor: str = "lt") -> None:
        """Lay a sprite or a tint. The anchor is one of "l", "m", "r" across and one of "t", "m", "b" down."""
        width, height = sprite.size
        left = round(x - {"l": 0, "m": width / 2, "r": width}[anchor[0]])
        top = round(y - {"t": 0, "m": height / 2, "b": height}[anchor[1]])
        self.strokes.append(Stroke(sprite, left, top, left + width, top + height))

    def text(
        self, x: float, y: float, text: str, size: int, fill: Colour, width: int = WIDTH, anchor: str = "lm",
        face: str = lettering.TEXT, halo: Colour | None = None, *, squeezed: float = 1,
    ) -> int:  # fmt: skip
        """Write a line, cut to `width`; y is the middle of its capitals. Return its width in pixels. `halo`: the colour
        of the dark round its letters, on a scene. `squeezed`: the least part of their width that letters may have.
        """
        shown = lettering.fit(text, size, round(width / squeezed), face)
        wide = lettering.mask_size(shown, size, face)[0] - 4
        narrow = width + 4 if wide > width else 0
        what = sprites.text_tint(shown, size, face, fill, narrow)
        wide = what.size[0]
        left = round(x - {"l": 2, "m": wide / 2, "r": wide - 2}[anchor[0]])
        top = round(y - lettering.baseline(size) + size * lettering.capitals(face) / 2)
        if halo is not None:
            self._lay(sprites.halo_tint(shown, size, face, halo, narrow), left - HALO, top - HALO)
        self._lay(what, left, top)
        return wide - 4

    def name(self, thing: str, count: int = 1, part: Part = (0, 0, 1, 1), **values: Any) -> None:
        """Name the newest strokes, so many, or a part of their room, after a thing that the rules explain with these
        values (text `callout.<thing>`). Of things with one name the first is explained.
        """
        if count:
            self.named.setdefault(thing, Thing(self.strokes[-count:], part, values))

    def pass_over(self, count: int) -> None:
        """Say that the newest strokes, so many, tell what happens: the rules explain the page without them."""
        self.passing += self.strokes[len(self.strokes) - count :]

    def _lay(self, what: Tint, left: int, top: int) -> None:
        width, height = what.size
        self.strokes.append(Stroke(what, left, top, left + width, top + height))

    def layers(self) -> list[tuple[Sprite | Tint | Ground, int, int]]:
        """Return what one sees, from the ground up, each with its left and upper edge; not what is wholly hidden."""
        found: list[tuple[Sprite | Tint | Ground, int, int]] = []
        above: list[Stroke] = []
        for stroke in reversed(self.strokes):
            left, top, right, bottom = stroke[1:]
            box = Box(max(left, 0), max(top, 0), min(right, WIDTH), min(bottom, self.height))
            if box.left < box.right and box.top < box.bottom and not any(other.hides(box) for other in above):
                found.append(stroke[:3])
                if stroke.what.core is not None:
                    above.append(stroke)
        found.append((self.ground, 0, 0))
        return found[::-1]

    def prepare(self) -> None:
        """Draw the background and all that lies on it, as far as it is not cached, so that `png` only has to lay it."""
        with _lock:
            _ = self.ground.rows
            for stroke in self.strokes:
                stroke.what.prepare()

    def png(self) -> bytes:
        """Return the file: IHDR, PLTE, IDAT and IEND, nothing else."""
        with _lock:
            bands = self._bands()
        return png(WIDTH, self.height, bytes(palette(self.slug).getpalette() or b""), bands)

    def flat(self) -> Image.Image:
        """Return the pixels of `png` in RGB, in a third of the time that it takes to make and to read the file."""
        with _lock:
            drawn = self._composed_page()
            kept_pages.keep(drawn)
        return in_colours(drawn.rows, self.height, self.slug)

    def _composed_page(self) -> Drawn:
        """Draw the page, beginning with the page that it resembles most. Its bands are those that it shares with it."""
        distinct = frozenset(self.strokes)
        before = kept_pages.nearest(self.ground, distinct)
        stay: Collection[Stroke] = before.distinct & distinct
        old, new = ([one for one in strokes if one in stay] for strokes in (before.strokes, self.strokes))
        if old != new:
            stay = in_order(old, new)
        changed = [stroke for stroke in (*before.strokes, *self.strokes) if stroke not in stay]
        rows, bands, smaller = bytearray(before.rows), dict(before.bands), dict(before.smaller)
        sheet, ground = (numbers(one, self.height).im for one in (rows, self.ground.rows))
        for box in joined(changed, self.height):
            place = box.left + 1, box.top, box.right + 1, box.bottom
            sheet.paste(self._composed(box, ground.crop(place)), place)  # into `rows` itself
            for number in range(box.top // BAND, (box.bottom - 1) // BAND + 1):
                bands.pop(number, None)
                smaller.pop(number, None)
        return Drawn(self.ground, self.strokes.copy(), distinct, rows, bands, smaller)

    def _bands(self) -> list[Band]:
        """Draw the page; return it, compressed."""
        drawn = self._composed_page()
        rows, bands, smaller = drawn.rows, drawn.bands, drawn.smaller
        size = BAND * (WIDTH + 1)
        cut = [memoryview(rows)[start : start + size] for start in range(0, len(rows), size)]
        for number, part in enumerate(cut):
            if number not in bands:
                bands[number] = pack(part, FAST)
        found = [bands[number] for number in range(len(cut))]
        bytes_left = self._most - sum(len(band.packed) for band in found)
        largest = sorted(range(len(cut)), key=lambda number: -len(found[number].packed))
        for level, number in product((SMALL, SMALLEST), largest):
            if bytes_left >= 0:
                break
            if level == SMALLEST or number not in smaller:
                smaller[number] = pack(cut[number], level)
            bytes_left += len(found[number].packed) - len(smaller[number].packed)
            found[number] = smaller[number]
        kept_pages.keep(drawn)
        return found

    def _composed(self, box: Box, ground: Any) -> Any:
        """Return what the page shows within a box where that ground is, both Pillow's pixels in palette numbers."""
        left, top, right, bottom = box
        shown = []
        for stroke in reversed(self.strokes):
            if stroke[1] < right and left < stroke[3] and stroke[2] < bottom and top < stroke[4]:
                shown.append(stroke)
                if stroke.hides(box):
                    break
        area = [ground.point(channel, None) for channel in _channels(self.slug)]
        for what, x, y, _, _ in reversed(shown):
            what.lay(area, (x - left, y - top))
        return _imaging.merge("RGB", *area).convert("P", Image.Dither.NONE, palette(self.slug).im)


def in_order(before: Sequence[Stroke], now: Sequence[Stroke]) -> Collection[Stroke]:
    """Return strokes that both lists have once, and in the same order: as many as there can be."""
    counts = Counter(before), Counter(now)
    places = {stroke: at for at, stroke in enumerate(before) if all(count[stroke] == 1 for count in counts)}
    ends, runs = list[int](), list[_Run]()  # of the runs of each length the one that ends first, and its last place
    for stroke in now:
        if (place := places.get(stroke)) is not None:
            at = bisect_left(ends, place)
            ends[at : at + 1], runs[at : at + 1] = [place], [_Run(stroke, runs[at - 1] if at else None)]
    found, run = set[Stroke](), runs[-1] if runs else None
    while run is not None:
        found.add(run.stroke)
        run = run.before
    return found


def joined(strokes: Iterable[Stroke], height: int) -> list[Box]:
    """Return boxes that cover these strokes on a page of that height. Two boxes are one if that saves time."""
    found: list[Box] = []
    clipped = [
        (max(left, 0), max(top, 0), min(right, WIDTH), min(bottom, height))
        for left, top, right, bottom in (stroke.shown for stroke in strokes)
    ]
    for left, top, right, bottom in sorted(clipped, key=_area, reverse=True):  # the small ones often lie in a large one
        if left >= right or top >= bottom:
            continue
        at = 0
        while at < len(found):
            x, y, x2, y2 = found[at]
            if x <= left and y <= top and x2 >= right and y2 >= bottom:
                break
            apart = (right - left) * (bottom - top) + (x2 - x) * (y2 - y)
            x, y = x if x < left else left, y if y < top else top
            x2, y2 = x2 if x2 > right else right, y2 if y2 > bottom else bottom
            if (x2 - x) * (y2 - y) <= apart + BOX_COST:
                left, top, right, bottom = x, y, x2, y2
                del found[at]
                at = 0  # it has grown: it may overlap those that were looked at
            else:
                at += 1
        else:
            found.append(Box(left, top, right, bottom))
    return found


def _area(box: tuple[int, int, int, int]) -> int:
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


class Pages:
    """The pages that were drawn last, at most `most` bytes of them."""

    def __init__(self, most: int = MOST_PAGE_BYTES) -> None:
        self.most = most
        self.size = 0
        """The bytes that they take."""
        self.pages: deque[Drawn] = deque()

    def nearest(self, ground: Ground, distinct: frozenset[Stroke]) -> Drawn:
        """Return the page on that ground with the fewest other strokes; one without strokes if there is none."""
        alike = [page for page in self.pages if page.ground is ground]
        if alike:
            return min(alike, key=lambda page: len(page.distinct) - 2 * len(page.distinct & distinct))
        return Drawn(ground, [], frozenset(), ground.rows, {}, {})

    def keep(self, page: Drawn) -> None:
        """Keep a page, and drop the oldest ones if there are too many."""
        self.pages.append(page)
        self.size += page.size
        while self.size > self.most:
            self.size -= self.pages.popleft().size


kept_pages = Pages()
_lock = Lock()
"""Pictures are drawn in one thread. If there is a second, it waits for the page that is being composed."""


def share_memory(parts: int) -> None:
    """Share the limit of the kept pages among so many processes that draw."""
    kept_pages.most = MOST_PAGE_BYTES // parts


def dark(width: int, height: int) -> Image.Image:
    """Paint a ground of the dark of night."""
    return Image.new("RGB", (width, height), (14, 20, 34))


def numbers(rows: bytes | bytearray, height: int) -> Image.Image:
    """Return a picture whose pixels are the bytes of these rows."""
    return Image.frombuffer("L", (WIDTH + 1, height), rows, "raw", "L", 0, 1)


def in_colours(rows: bytes | bytearray, height: int, slug: str) -> Image.Image:
    """Return what these rows show in the colours of that game's palette, in mode RGB."""
    image = numbers(rows, height).crop((1, 0, WIDTH + 1, height))
    image.putpalette(palette(slug).getpalette() or b"")
    return image.convert("RGB")


@cache_result
def _channels(slug: str) -> list[list[int]]:
    """Return the red, the green and the blue of each colour's number."""
    colours = [*(palette(slug).getpalette() or []), *[0] * 768]  # some have fewer than 256
    return [colours[channel:768:3] for channel in range(3)]


def in_palette(image: Image.Image, slug: str) -> Image.Image:
    """Return the picture in the colours of that game's palette."""
    return image.quantize(palette=palette(slug), dither=Image.Dither.NONE)


@cache_result
def _settled(slug: str) -> list[int]:
    """Return for each colour's number the number at which it stays however often it is matched.

    Pillow matches all colours in a cube of 4 × 4 × 4 alike, so a colour of the palette may become its neighbour. A
    background in settled colours looks the same within a composed box and around it.
    """
    numbers = list(range(256))
    while True:
        row = Image.new("P", (256, 1))
        row.putdata(numbers)
        row.putpalette(palette(slug).getpalette() or b"")
        found = list(in_palette(row.convert("RGB"), slug).tobytes())
        if found == numbers:
            return numbers
        numbers = found
