"""From a view to the bytes of a PNG, warm: our renderers, beside skia-python drawing something alike.

Ours draw a match move by move, as a table does, never the same view twice: warm means that earlier matches were drawn.

Skia draws other cards and numbers on each page, in the fastest way that we know. It keeps what can be drawn once: the
background, a plate with its name, a card. It pastes these, and draws the numbers each time. It draws on one opaque
surface. Pillow matches the pixels against the palette of the first page and compresses them at level 1: a picture takes
about a third of the time that it takes with skia's own encoder, which knows no palette. Both sides are warm before the
first picture counts. Time is processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import skia
from PIL import Image

from data.content.texts import texts
from rendering import prewarm, renderer
from rendering.core.canvas import MOST_FILE_BYTES
from rules import GAMES
from rules.core.game import Seat
from tests.benchmarks.pairs import Row
from tests.goldens.case import labels
from tests.goldens.views import CASES

WIDTH = 1200
FACE = Path(__file__).parents[2] / "data" / "fonts" / "SourceSans3-Bold.ttf"
PICTURES = 12
"""Pictures in a slice."""


def rate(draw: Callable[[], bytes]) -> float:
    """Pictures a second."""
    begin = process_time()
    for _ in range(PICTURES):
        draw()
    return PICTURES / (process_time() - begin)


@cache
def background(height: int) -> skia.Image:
    """Dark blue with rows of waves."""
    surface = skia.Surface(WIDTH, height)
    with surface as canvas:
        canvas.clear(skia.ColorSetRGB(16, 42, 67))
        line = skia.Paint(AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=4, Color=0xFF1B3A57)
        for y in range(0, height, 84):
            for x in range(-20, WIDTH, 200):
                for step in range(3):
                    canvas.drawArc(skia.Rect.MakeXYWH(x + step * 26, y, 27, 26), 180, 180, False, line)
    return surface.makeImageSnapshot()


@cache
def font(size: int) -> skia.Font:
    return skia.Font(skia.Typeface.MakeFromFile(str(FACE)), size)


@cache
def sign() -> skia.Path:
    """A closed curve of about as many points as a suit's sign."""
    path = skia.Path()
    path.moveTo(0, 30)
    for step in range(12):
        path.cubicTo(step * 8, -20, step * 8 + 4, 60, step * 8 + 8, 30 - step)
    path.close()
    return path


FILL, CREAM, TINT = (skia.Paint(AntiAlias=True, Color=color) for color in (0xFF244766, 0xFFFBF0DB, 0xFF1E6E3C))
GLOW = skia.Paint(AntiAlias=True, Color=0x80000000, MaskFilter=skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 8))
MARGIN = 24
"""Pixels around a plate or a card for its shadow, three times the blur."""
DECK = 60
"""Skia's cards, each drawn once."""


@cache
def plate(number: int) -> skia.Image:
    """A player's plate with its name and three signs, without the numbers, which change."""
    surface, box = skia.Surface(560 + 2 * MARGIN, 124 + 2 * MARGIN), skia.Rect.MakeXYWH(MARGIN, MARGIN, 560, 124)
    with surface as canvas:
        canvas.drawRoundRect(box, 18, 18, GLOW)
        canvas.drawRoundRect(box, 18, 18, FILL)
        canvas.drawString(f"Person {number}", MARGIN + 20, MARGIN + 50, font(36), CREAM)
        for place in range(3):
            canvas.drawCircle(MARGIN + 40 + place * 100, MARGIN + 92, 18, TINT)
    return surface.makeImageSnapshot()


@cache
def card(number: int) -> skia.Image:
    """A card with value, signs and points."""
    surface, box = skia.Surface(165 + 2 * MARGIN, 228 + 2 * MARGIN), skia.Rect.MakeXYWH(MARGIN, MARGIN, 165, 228)
    with surface as canvas:
        canvas.drawRoundRect(box, 14, 14, GLOW)
        canvas.drawRoundRect(box, 14, 14, CREAM)
        canvas.drawString(str(number), MARGIN + 20, MARGIN + 60, font(60), TINT)
        canvas.drawCircle(box.centerX() + 20, box.centerY() + 40, 50, FILL)
        canvas.drawString("+1", MARGIN + 20, MARGIN + 212, font(30), TINT)
        for x, y in ((20, 80), (60, 130)):
            canvas.save()
            canvas.translate(MARGIN + x, MARGIN + y)
            canvas.drawPath(sign(), TINT)
            canvas.restore()
    return surface.makeImageSnapshot()


class WithSkia:
    """Pages with a number of plates and cards, other cards and numbers on each; a call returns the bytes of a PNG."""

    def __init__(self, height: int, plates: int, cards: int) -> None:
        self._height, self._plates, self._cards = height, plates, cards
        self._turns = count()
        self._pixels = bytearray(WIDTH * height * 4)
        info = skia.ImageInfo.Make(WIDTH, height, skia.kRGBA_8888_ColorType, skia.kOpaque_AlphaType)
        self._surface = skia.Surface.MakeRasterDirect(info, self._pixels, WIDTH * 4)
        self._palette = self._page().quantize(256)

    def __call__(self) -> bytes:
        file = BytesIO()
        numbered = self._page().quantize(palette=self._palette, dither=Image.Dither.NONE)
        numbered.save(file, "PNG", compress_level=1)
        return file.getvalue()

    def _page(self) -> Image.Image:
        turn = next(self._turns)
        with self._surface as canvas:
            canvas.drawImage(background(self._height), 0, 0)
            for number in range(self._plates):
                left, top = 20 + number % 2 * 600, 70 + number // 2 * 160
                canvas.drawImage(plate(number), left - MARGIN, top - MARGIN)
                for place in range(3):
                    canvas.drawString(str((turn + place) % 20), left + 64 + place * 100, top + 104, font(32), CREAM)
            for number in range(self._cards):
                left, top = 30 + number % 6 * 190, self._height - 260 - number // 6 * 240
                canvas.drawImage(card((turn + number) % DECK), left - MARGIN, top - MARGIN)
            canvas.drawString(f"Round {turn // 10 + 1} · trick {turn % 10 + 1} of 10", 24, 50, font(36), CREAM)
        return Image.frombytes("RGB", (WIDTH, self._height), self._pixels, "raw", "RGBX")


def pictures(slug: str, seats: int, own: bool) -> Iterator[bytes]:
    """One picture a move, match after match: the table's, or the hand of the seat that has just moved."""
    game, drawn = GAMES[slug], renderer(slug)
    for _ in prewarm(slug, texts("en", slug)):  # as the bot does when it starts
        pass
    for match in count():
        state = game.new(seats, {}, f"match {match}")
        while state.outcome() is None:
            seat = min(state.to_move())
            state, _ = state.apply(choose_plainly(state.legal_moves(seat), state.ply + match))
            yield drawn.draw(state.view(seat if own else None), labels(slug, seats))


def choose_plainly(moves: Sequence[Any], ply: int) -> Any:
    return moves[7 * ply % len(moves)]


WARMING = 400
"""Pictures of ours before the first that counts: about ten rounds."""


def rows() -> Iterator[Row]:
    """For every game the table and a hand of about four players, and the bytes of its goldens."""
    for slug, game in GAMES.items():
        seats = min(game.seats, key=lambda seats: abs(seats - 4))
        held = len(getattr(game.new(seats, {}, "match 0").view(Seat(0)), "hand", ()))
        yield from (
            in_time(slug, seats, own=False, plates=seats, cards=seats),
            in_time(slug, seats, True, 0, seats + held),
        )
        yield in_bytes(slug)


def in_time(slug: str, seats: int, own: bool, plates: int, cards: int) -> Row:
    """Our pictures of matches beside skia's with that many plates and cards, on pages of the same size."""
    drawn = pictures(slug, seats, own)
    height = [int.from_bytes(next(drawn)[20:24], "big") for _ in range(WARMING)][-1]
    theirs = WithSkia(height, plates, cards)
    for _ in range(DECK):
        theirs()
    name = f"{GAMES[slug].title}, {'own hand' if own else 'table'} of {seats}, view to PNG"
    return Row(
        name,
        "skia-python and Pillow, alike",
        3.0,
        "pictures/s",
        lambda: rate(drawn.__next__),
        lambda: rate(theirs),
    )


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
