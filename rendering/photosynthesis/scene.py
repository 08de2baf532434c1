"""Where the board of Photosynthesis lies on a page, and how large: seen from a slope, so it is flatter than wide."""

from __future__ import annotations

import math
from typing import NamedTuple

from rendering.core.sprites import Colour, Point, mix
from rules.core.hexes import STEPS
from rules.photosynthesis import BOARD

FLAT = 0.784
"""The height of things on the ground as a part of their depth."""

PEAT: Colour = (58, 42, 32)
MOSS: Colour = (106, 134, 70)
SUN: Colour = (255, 206, 84)
SUN_EDGE: Colour = (226, 128, 32)
LEAF: Colour = (24, 54, 24)

SUN_AT = 3.8
"""The sun's distance from the middle of the board, in hexes."""
RAIL_AT = 3.84
"""The same of the corners of the sun's track."""
LOWERED = 0.075
"""How far the track lies below the board's middle, because the slab hides what is behind it, in hexes."""
COLOURS: tuple[Colour, ...] = (PEAT, MOSS, SUN, SUN_EDGE, LEAF, mix(SUN_EDGE, PEAT, 0.45))
"""The colours that the palette has exactly."""


class Scene(NamedTuple):
    """A board on a page. Distances on the page are in pixels, distances on the ground in parts of a hex."""

    hex: int
    """The width of a hex, which is the distance of neighbours in a row; an even number."""
    x: int
    y: int
    """The middle of the board on the page."""

    @property
    def pitch(self) -> int:
        """The distance of two rows."""
        return round(self.hex * math.sqrt(3) / 2 * FLAT)

    @property
    def size(self) -> tuple[int, int]:
        """The size of a hex's sprite."""
        return self.hex, 2 * math.ceil(self.pitch * 2 / 3)

    def centre(self, hex_: str) -> Point:
        """Return a hex's middle on the page."""
        q, r = BOARD.axial[hex_]
        return self.x + self.hex * q + self.hex * r // 2, self.y + self.pitch * r

    def away(self, right: float, down: float) -> Point:
        """Return how many pixels of the page so many hexes of ground are."""
        return right * self.hex, down * self.pitch * 2 / math.sqrt(3)

    def direction(self, sun: int) -> Point:
        """Return the direction in which the light travels on the page, for a hex of ground: E, SE, SW, W, NW, NE."""
        return self.away(math.cos(math.radians(60 * sun)), math.sin(math.radians(60 * sun)))

    def sun_at(self, sun: int, distance: float = SUN_AT) -> Point:
        """Return where the sun stands."""
        dx, dy = self.direction(sun)
        return self.x - distance * dx, self.y - distance * dy + LOWERED * self.hex

    def corners(self, inset: float = 0.0) -> list[Point]:
        """Return a hex's outline round its middle, so many pixels inside its edges; clockwise from the upper corner."""
        part = 1 - 2 * inset / self.hex
        half, rise = self.hex / 2 * part, self.pitch * 2 / 3 * part
        return [(0, -rise), (half, -rise / 2), (half, rise / 2), (0, rise), (-half, rise / 2), (-half, -rise / 2)]

    def scaled(self, pixels: float) -> int:
        """Return a size that is meant for the table's board, in pixels of this one."""
        return round(pixels * self.hex / TABLE.hex)


TABLE = Scene(134, 600, 430)
HAND = Scene(112, 482, 372)
LARGE = Scene(132, 600, 430)
LAST = Scene(100, 434, 346)
"""The boards of the table, of a seat's own picture, of a large one, and of the last turn."""


def first_in_light(sun: int) -> tuple[str, ...]:
    """Return the seven hexes that the light reaches first."""
    dq, dr = STEPS[sun]
    on_board = set(BOARD.axial.values())
    return tuple(hex_ for hex_, (q, r) in BOARD.axial.items() if (q - dq, r - dr) not in on_board)
