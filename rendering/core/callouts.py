"""The things on a page that the rules explain: they stay bright, all else is dim, and each has a number beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from PIL import Image, ImageDraw, ImageFilter

from rendering.core import theme
from rendering.core.art import art
from rendering.core.canvas import WIDTH, Box, Page, Stroke
from rendering.core.chrome import NIGHT
from rendering.core.sprites import SCALE, Pen, Pixels, Sprite, Tint, pixels, sprite

DISC = 64
"""Diameter of a number's disc, in pixels of a page that is 1,200 wide."""
DIM, SOFT = 92, 8
"""How dark the shade on all else is, of 255; how far the light reaches round a thing."""
_EDGE = DISC / 2 + 4
"""A disc's middle is at least this far from the page's edges."""
FAR = 2 * DISC
"""A disc is nearer to its thing than this."""
SMALL = 80_000
"""What has fewer pixels is a sign: a number does not cover it if there is room elsewhere."""


def place_callouts(page: Page) -> None:
    """Put all in the shade but what the page names, and a number beside each such thing."""
    if not page.named:
        return
    bright = tuple(stroke for strokes, _ in page.named.values() for stroke in strokes)
    things = [_around(page, name) for name in in_order(page)]
    taken = [(stroke.shown, 12) for stroke in page.strokes if isinstance(stroke.what, Tint)]
    taken += [(stroke.shown, 1) for stroke in page.strokes if _area(stroke.shown) < SMALL]
    taken += [(thing, 20) for thing in things]
    discs: list[Box] = []
    for thing in things:
        room = Box(thing.left - FAR, thing.top - FAR, thing.right + FAR, thing.bottom + FAR)
        near = [(box, 8 if box == thing else weight) for box, weight in taken if shared(box, room)]
        costs = [
            (sum(shared(at, box) * weight for box, weight in near) + 3 * far * DISC**2, at)
            for at, far in _beside(thing, page.height)
            if not any(shared(at, disc) for disc in discs)
        ]
        discs.append(min(costs)[1])
    page.place(Sprite(partial(_shade, tuple(page.strokes), bright, page.height)), 0, 0)
    for number, disc in enumerate(discs, 1):
        page.place(_disc(number), *disc[:2])


def in_order(page: Page) -> list[str]:
    """Return the names of the things that a page names, in the order of their numbers: from the left to the right."""
    return sorted(page.named, key=lambda name: _around(page, name)[:2])


def _around(page: Page, name: str) -> Box:
    lefts, tops, rights, bottoms = zip(*(stroke.shown for stroke in page.named[name][0]), strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def _beside(box: Box, height: int) -> Iterator[tuple[Box, float]]:
    """Yield where a disc may lie beside a thing's box, wholly on the page, and how far from it, in its own widths."""
    middle, down = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    for far in (0.4, 0.5, 0.7, 1.0, 1.5):
        across, along = (box.right - box.left) / 2 + DISC * far, (box.bottom - box.top) / 2 + DISC * far
        for turn in range(0, 360, 15):
            right, below = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            part = max(abs(right), abs(below))
            x, y = round(middle + across * right / part), round(down + along * below / part)
            if _EDGE <= x <= WIDTH - _EDGE and _EDGE <= y <= height - _EDGE:
                yield Box(x - DISC // 2, y - DISC // 2, x + DISC // 2, y + DISC // 2), far


def _area(box: Box) -> int:
    return (box.right - box.left) * (box.bottom - box.top)


def shared(one: Box, other: Box) -> int:
    """Return the pixels that two boxes share."""
    across = min(one.right, other.right) - max(one.left, other.left)
    return max(0, across) * max(0, min(one.bottom, other.bottom) - max(one.top, other.top))


def _holds(one: Stroke, other: Stroke) -> bool:
    return one.left <= other.left and other.right <= one.right and one.top <= other.top and other.bottom <= one.bottom


def _shade(strokes: Sequence[Stroke], bright: Sequence[Stroke], height: int) -> Pixels:
    """Paint the shade of a page round the bright ones of its strokes, as far as others do not cover them; of words the
    lines are bright.
    """
    mask = Image.new("L", (WIDTH, height))
    for stroke in strokes:
        if stroke in bright and isinstance(stroke.what, Tint):
            ImageDraw.Draw(mask).rectangle(stroke.shown, 255)
        elif isinstance(stroke.what, Sprite) and (stroke in bright or not any(_holds(one, stroke) for one in bright)):
            mask.paste(255 if stroke in bright else 0, stroke[1:3], stroke.what.alpha)
    lit = mask.filter(ImageFilter.BoxBlur(SOFT)).point([min(255, value * 9) for value in range(256)])
    table = [(255 - value) * DIM // 255 for value in range(256)]
    return Pixels(Image.new("RGB", mask.size, NIGHT), lit.filter(ImageFilter.GaussianBlur(SOFT)).point(table))


@sprite
def _disc(number: int) -> Pixels:
    """A red button with a pale rim: no game has one."""
    pen = Pen(DISC, DISC)
    pen.text(DISC / 2, DISC / 2, str(number), 42, theme.PAPER)
    sheet = art("common/callout", DISC).layer
    sheet.alpha_composite(pen.sheet.reduce(SCALE))
    return pixels(sheet)
