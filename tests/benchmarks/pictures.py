"""From a view to the bytes of a PNG, warm: our renderers, beside skia-python drawing and encoding something alike.

Ours draw a match move by move, as a table does, never the same view twice: warm is what earlier matches have left.

Skia gets what can be made once (background, fonts, the shapes of the signs) and draws the rest anew, as its users do;
ours pastes what it drew once. Both get their text from the same number of strings. Time is processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import skia

from rendering import renderer
from rules import GAMES
from rules.core.game import Seat
from tests.benchmarks.pairs import Row
from tests.goldens.case import labels
from tests.goldens.views import CASES

WIDTH = 1200
FACE = Path(__file__).parents[2] / "data" / "fonts" / "SourceSans3-Bold.ttf"
MOST_BYTES = 80_000
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


def with_skia(height: int, plates: int, cards: int) -> bytes:
    """So many people's plates with three numbers each, and so many cards with value, signs and points."""
    surface = skia.Surface(WIDTH, height)
    with surface as canvas:
        canvas.drawImage(background(height), 0, 0)
        fill, cream = skia.Paint(AntiAlias=True, Color=0xFF244766), skia.Paint(AntiAlias=True, Color=0xFFFBF0DB)
        glow = skia.Paint(
            AntiAlias=True, Color=0x80000000, MaskFilter=skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 8)
        )
        tint = skia.Paint(AntiAlias=True, Color=0xFF1E6E3C)
        for plate in range(plates):
            box = skia.Rect.MakeXYWH(20 + plate % 2 * 600, 70 + plate // 2 * 160, 560, 124)
            canvas.drawRoundRect(box, 18, 18, glow)
            canvas.drawRoundRect(box, 18, 18, fill)
            canvas.drawString(f"Person {plate}", box.left() + 20, box.top() + 50, font(36), cream)
            for place in range(3):
                canvas.drawCircle(box.left() + 40 + place * 100, box.top() + 92, 18, tint)
                canvas.drawString(str(place + 7), box.left() + 64 + place * 100, box.top() + 104, font(32), cream)
        for card in range(cards):
            box = skia.Rect.MakeXYWH(30 + card % 6 * 190, height - 260 - card // 6 * 240, 165, 228)
            canvas.drawRoundRect(box, 14, 14, glow)
            canvas.drawRoundRect(box, 14, 14, cream)
            canvas.drawString(str(card), box.left() + 20, box.top() + 60, font(60), tint)
            canvas.drawCircle(box.centerX() + 20, box.centerY() + 40, 50, fill)
            canvas.drawString("+1", box.left() + 20, box.bottom() - 16, font(30), tint)
            for x, y in ((20, 80), (60, 130)):
                canvas.save()
                canvas.translate(box.left() + x, box.top() + y)
                canvas.drawPath(sign(), tint)
                canvas.restore()
        canvas.drawString("Round 2 · trick 5 of 10", 24, 50, font(36), cream)
    return bytes(surface.makeImageSnapshot().encodeToData())


def pictures(slug: str, seats: int, own: bool) -> Iterator[bytes]:
    """One picture a move, match after match: the table's, or the hand of the seat that has just moved."""
    game, drawn = GAMES[slug], renderer(slug)
    for match in count():
        state = game.new(seats, {}, f"match {match}")
        while state.outcome() is None:
            seat = min(state.to_move())
            state, _ = state.apply(choose_plainly(state.legal_moves(seat), state.ply))
            yield drawn.draw(state.view(seat if own else None), labels(slug, seats))


def choose_plainly(moves: Sequence[Any], ply: int) -> Any:
    return moves[7 * ply % len(moves)]


WARMING = 400
"""Pictures drawn before the first is counted: about ten rounds."""


def rows() -> Iterator[Row]:
    """For every game the table and a hand of four players, or nearly so many, and the bytes of its goldens."""
    for slug, game in GAMES.items():
        seats = min(game.seats, key=lambda seats: abs(seats - 4))
        held = len(getattr(game.new(seats, {}, "match 0").view(Seat(0)), "hand", ()))
        yield from (
            in_time(slug, seats, own=False, plates=seats, cards=seats),
            in_time(slug, seats, True, 0, seats + held),
        )
        yield in_bytes(slug)


def in_time(slug: str, seats: int, own: bool, plates: int, cards: int) -> Row:
    """Our pictures of matches beside skia's of so many plates and cards, on pages of the same size."""
    drawn = pictures(slug, seats, own)
    height = [int.from_bytes(next(drawn)[20:24], "big") for _ in range(WARMING)][-1]
    name = f"{GAMES[slug].title}, {'own hand' if own else 'table'} of {seats}, view to PNG"
    return Row(
        name,
        "skia-python, alike",
        3.0,
        "pictures/s",
        lambda: rate(drawn.__next__),
        lambda: rate(lambda: with_skia(height, plates, cards)),
    )


def in_bytes(slug: str) -> Row:
    """The largest of all pictures of a game that somebody has looked at."""
    cases = [case for case in CASES if case.slug == slug]
    return Row(
        f"{GAMES[slug].title}, largest of {len(cases)} goldens",
        "80,000 bytes",
        1.0,
        "bytes",
        lambda: float(max(len(case.page().png()) for case in cases)),
        lambda: float(MOST_BYTES),
        at_most=True,
        rounds=1,
    )
