"""Where the island of Photosynthesis lies on a page, and how large: seen from above, so it is flatter than wide."""

from __future__ import annotations

import math
from typing import NamedTuple

from rendering.core.sprites import Point
from rules.photosynthesis.types import BOARD, HEXES, LEAVES

FLAT = 0.75
"""The height of things on the ground as a part of their depth."""
SOILS: dict[str, int] = {str(hex_): LEAVES[hex_] for hex_ in HEXES}
"""The leaves of each hex's soil."""
SUN_AT = 3.87
"""The sun's distance from the middle of the board, in hexes."""


_ASIDE = {0: (0, -0.05), 1: (-0.12, -0.04), 2: (0.12, -0.04), 3: (-0.06, -0.08), 4: (-0.16, 0.18), 5: (0.16, 0.18)}
"""How far to the right and how far down the sun is moved, in hexes."""


class Scene(NamedTuple):
    """A board on a page. Distances on the page are in pixels, distances on the ground in parts of a hex."""

    hex: int
    """The width of a hex, which is the distance of neighbours in a row; an even number."""
    x: int
    y: int
    """The middle of the board on the page."""

    @property
    def pitch(self) -> float:
        """The distance of two rows."""
        return self.hex * math.sqrt(3) / 2 * FLAT

    @property
    def size(self) -> tuple[int, int]:
        """The size of a hex's sprite."""
        return self.hex, 2 * math.ceil(self.pitch * 2 / 3)

    def centre(self, hex_: str) -> Point:
        """Return a hex's middle on the page."""
        q, r = BOARD.axial[hex_]
        return self.x + self.hex * q + self.hex * r / 2, self.y + self.pitch * r

    def direction(self, sun: int) -> Point:
        """Return the direction in which the light travels on the page, for a hex of ground: E, SE, SW, W, NW, NE."""
        turn = math.radians(60 * sun)
        return math.cos(turn) * self.hex, math.sin(turn) * self.hex * FLAT

    def sun_at(self, sun: int) -> Point:
        """Return where the sun stands: nearer to the middle than the corners, clear of the players."""
        (dx, dy), (right, down) = self.direction(sun), _ASIDE.get(sun, (0, 0))
        return self.x - SUN_AT * dx + right * self.hex, self.y - SUN_AT * dy + down * self.hex

    def corners(self, inset: float = 0.0) -> list[Point]:
        """Return a hex's outline round its middle, so many pixels inside its edges; clockwise from the upper corner."""
        part = 1 - 2 * inset / self.hex
        half, rise = self.hex / 2 * part, self.pitch * 2 / 3 * part
        return [(0, -rise), (half, -rise / 2), (half, rise / 2), (0, rise), (-half, rise / 2), (-half, -rise / 2)]

    def scaled(self, pixels: float) -> int:
        """Return a size that is meant for the table's board, in pixels of this one."""
        return round(pixels * self.hex / TABLE.hex)


TABLE = Scene(128, 600, 494)
HAND = Scene(108, 466, 413)
"""The boards of the table and of a large picture, and of a seat's own picture and of the last turn."""
