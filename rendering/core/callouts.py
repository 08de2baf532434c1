"""Numbered callouts on a page: discs with lines to the things that they explain, readable at 400 pixels wide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import theme
from rendering.core.art import art
from rendering.core.canvas import WIDTH, Page
from rendering.core.sprites import SCALE, Pen, Pixels, pixels, sprite

DISC = 56
"""Diameter of a disc, in pixels of a page that is 1,200 wide."""
DOT = 13
"""Diameter of the dot at the end of a line."""
_EDGE = DISC / 2 + 4
"""A disc's middle is at least this far from the page's edges."""
_LINE, _RIM = 5, 3


class Callout(NamedTuple):
    """A thing on a page, and the text that explains it. Its number is its place among the page's callouts."""

    x: float
    y: float
    """The thing, in pixels of the page."""
    right: float
    down: float
    """From the thing to the middle of the disc. (0, 0): the disc lies on the thing, without a line."""
    text: str

    def disc(self, height: int) -> tuple[float, float]:
        """Return the middle of the disc on a page of that height, moved inwards if it would be cut off."""
        x, y = self.x + self.right, self.y + self.down
        return min(max(x, _EDGE), WIDTH - _EDGE), min(max(y, _EDGE), height - _EDGE)


def place_callouts(page: Page, callouts: Sequence[Callout]) -> None:
    """Place all lines, then all discs, numbered from 1."""
    for callout in callouts:
        x, y = callout.disc(page.height)
        across, down = round(callout.x - x), round(callout.y - y)
        if math.hypot(across, down) > DISC / 2:
            page.place(_leader(across, down), (x + callout.x) / 2, (y + callout.y) / 2, "mm")
    for number, callout in enumerate(callouts, 1):
        page.place(_disc(number), *callout.disc(page.height), "mm")


@sprite
def _disc(number: int) -> Pixels:
    """A red button with a pale rim: no game has one."""
    pen = Pen(DISC, DISC)
    pen.text(DISC / 2, DISC / 2, str(number), 38, theme.PAPER)
    sheet = art("common/callout", DISC).layer
    sheet.alpha_composite(pen.sheet.reduce(SCALE))
    return pixels(sheet)


@sprite
def _leader(across: int, down: int) -> Pixels:
    """A line from the middle of a disc to the thing, which is that far from it, with a dot at its end."""
    margin = DOT
    pen = Pen(abs(across) + 2 * margin, abs(down) + 2 * margin)
    start = margin + max(0, -across), margin + max(0, -down)
    end = start[0] + across, start[1] + down
    for grow, colour in ((_RIM, theme.INK), (0, theme.PAPER)):
        pen.line([start, end], colour, _LINE + 2 * grow)
        pen.disc(*end, DOT / 2 + grow, colour)
    return pen.pixels()
