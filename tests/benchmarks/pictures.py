"""From a view to the bytes of a PNG: our renderers, cold (cold.py), and warm beside skia-python drawing the same pages.

Warm, both sides draw a match move by move, as a table does, never the same view twice in a row: warm means that earlier
matches were drawn. Ours begins with a view: it lays out the page, draws what has changed, and compresses that.

Skia is given the pages laid out, which costs it nothing, and draws all of their strokes in the fastest way that we
know: each sprite, text and shadow is an image of its own memory layout, made before, and so is the background. Its
encoder is the only one that skia-python has; it knows no palette. So there is a second peer without that handicap:
Pillow matches skia's pixels against the palette of the page and compresses them at level 1. Time is processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import count, cycle
from time import process_time
from typing import Any, NamedTuple

import skia
from PIL import Image

from data.content.texts import texts
from rendering import prewarm, renderer
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.palette import palette
from rendering.core.sprites import Sprite, Tint
from rules import GAMES
from rules.core.game import AnyState, Seat
from tests.benchmarks import cold
from tests.benchmarks.pairs import Row
from tests.goldens.case import labels
from tests.goldens.views import CASES

PICTURES = 12
"""Pictures in a slice."""


def rate(draw: Callable[[], bytes]) -> float:
    """Pictures a second."""
    begin = process_time()
    for _ in range(PICTURES):
        draw()
    return PICTURES / (process_time() - begin)


class LaidOut(NamedTuple):
    """A page for skia: what to draw where, from the lowest, on which surface, and the colours of the file."""

    strokes: list[tuple[skia.Image, int, int]]
    surface: skia.Surface
    page: Image.Image
    """What the surface shows: it shares its memory."""
    palette: Image.Image


class WithSkia:
    """The same pages drawn with skia, one after the other; a call returns the bytes of the next one's PNG. `encode`
    turns what was drawn into that file.
    """

    def __init__(self, pages: Sequence[Page], encode: Callable[[LaidOut], bytes]) -> None:
        self._encode = encode
        self._images: dict[object, skia.Image] = {}
        self._surfaces: dict[int, tuple[skia.Surface, Image.Image]] = {}
        self._turns = cycle([self._laid_out(page) for page in pages])

    def __call__(self) -> bytes:
        """Draw the next page."""
        laid_out = next(self._turns)
        canvas = laid_out.surface.getCanvas()
        for image, left, top in laid_out.strokes:
            canvas.drawImage(image, left, top)
        return self._encode(laid_out)

    def _laid_out(self, page: Page) -> LaidOut:
        ground = page.ground
        strokes = [(self._image(ground, lambda: ground.layer.convert("RGBA")), 0, 0)]
        strokes += [
            (self._image(what, lambda what=what: _shown(what)), left, top) for what, left, top, _, _ in page.strokes
        ]
        if page.height not in self._surfaces:
            pixels = bytearray(WIDTH * page.height * 4)
            info = skia.ImageInfo.Make(WIDTH, page.height, skia.kRGBA_8888_ColorType, skia.kOpaque_AlphaType)
            surface = skia.Surface.MakeRasterDirect(info, pixels, WIDTH * 4)
            shown = Image.frombuffer("RGBX", (WIDTH, page.height), pixels, "raw", "RGBX", 0, 1)
            self._surfaces[page.height] = surface, shown
        surface, shown = self._surfaces[page.height]
        return LaidOut(strokes, surface, shown, palette(page.slug))

    def _image(self, what: object, draw: Callable[[], Image.Image]) -> skia.Image:
        """Return the image of a stroke, made once, in skia's fastest layout."""
        if what not in self._images:
            drawn = draw().convert("RGBa")
            info = skia.ImageInfo.Make(*drawn.size, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
            pixmap = skia.Pixmap(info, drawn.tobytes(), drawn.width * 4)
            self._images[what] = skia.Image.MakeRasterCopy(pixmap)
        return self._images[what]


def by_skia(drawn: LaidOut) -> bytes:
    """Return the file in full colours, by skia's own encoder."""
    return bytes(drawn.surface.makeImageSnapshot().encodeToData(skia.kPNG, 100))


def by_pillow(drawn: LaidOut) -> bytes:
    file = BytesIO()
    numbered = drawn.page.convert("RGB").quantize(palette=drawn.palette, dither=Image.Dither.NONE)
    numbered.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _shown(what: Sprite | Tint) -> Image.Image:
    """Return the picture of a stroke, with its coverage."""
    if isinstance(what, Sprite):
        shown, alpha = what.image.convert("RGBA"), what.alpha
    else:
        alpha = what.draw()
        shown = Image.new("RGBA", alpha.size, what.colour)
    shown.putalpha(alpha)
    return shown


def positions(slug: str, seats: int) -> Iterator[tuple[AnyState, Seat]]:
    """The positions of match after match, each with the seat that has just moved."""
    game = GAMES[slug]
    for match in count():
        state = game.new(seats, {}, f"match {match}")
        while state.outcome() is None:
            seat = min(state.to_move())
            state, _ = state.apply(choose_plainly(state.legal_moves(seat), state.ply + match))
            yield state, seat


def choose_plainly(moves: Sequence[Any], ply: int) -> Any:
    return moves[7 * ply % len(moves)]


WARMING = 400
"""Pictures of ours before the first that counts: about ten rounds."""
PAGES = 60
"""The pages that skia draws again and again."""


def rows() -> Iterator[Row]:
    """A process's first pictures; for each game the table and a hand of about four players, and its goldens' bytes."""
    yield from cold.rows()
    for slug in GAMES:
        yield from (*in_time(slug, own=False), *in_time(slug, own=True), in_bytes(slug))


def in_time(slug: str, own: bool) -> list[Row]:
    """Our pictures of matches beside skia's: the table's, or the hand of the seat that has just moved."""
    game, drawn = GAMES[slug], renderer(slug)
    seats = min(game.seats, key=lambda seats: abs(seats - 4))
    shown = labels(slug, seats)
    for _ in prewarm(slug, texts("en", slug)):  # as the bot does when it starts
        pass
    views = (state.view(seat if own else None) for state, seat in positions(slug, seats))
    ours = (drawn.draw(view, shown) for view in views)
    for _ in range(WARMING):
        next(ours)
    pages = [drawn.paint(next(views), shown) for _ in range(PAGES)]
    name = f"{game.title}, {'own hand' if own else 'table'} of {seats}, view to PNG"
    found = []
    for peer, encode, bound in (("skia-python", by_skia, 4.0), ("skia-python, encoded by Pillow", by_pillow, None)):
        theirs = WithSkia(pages, encode)
        theirs()
        found.append(Row(name, peer, bound, "pictures/s", lambda: rate(ours.__next__), partial(rate, theirs)))
    return found


def in_bytes(slug: str) -> Row:
    """The largest of all pictures of a game that somebody has looked at."""
    cases = [case for case in CASES if case.slug == slug]
    return Row(
        f"{GAMES[slug].title}, largest of {len(cases)} goldens",
        f"{MOST_FILE_BYTES:,} bytes",
        1.0,
        "bytes",
        lambda: float(max(len(case.page().png()) for case in cases)),
        lambda: float(MOST_FILE_BYTES),
        at_most=True,
        rounds=1,
    )
