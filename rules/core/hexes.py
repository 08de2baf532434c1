"""A hexagonal board of hexes as bit masks: a set of hexes is an integer, a step of all of them a shift.

Hexes stand on a corner. Rows are lettered from the top, places numbered from the left: with radius 3 the rows A to G
have 4, 5, 6, 7, 6, 5, 4 places and D4 is the centre. Coordinates are axial, (q, r) with r = 0 in the middle row.

A mask's highest bit is its first hex, row by row, because it is the quickest to find (`int.bit_length`). The hex (q, r)
is bit (radius - r) * width + radius - q. A row is `radius` bits wider than the board. Those bits and the two cut-off
corners belong to no hex: at most `radius` steps across the border end on them or outside the mask.
"""

from __future__ import annotations

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""(q, r) of one step E, SE, SW, W, NW, NE: clockwise."""


class HexBoard:
    """All hexes within `radius` of a centre. A direction is an index into STEPS."""

    def __init__(self, radius: int) -> None:
        width = 3 * radius + 1
        rows = range(-radius, radius + 1)
        axial = [(q, r) for r in rows for q in range(-radius - min(r, 0), radius - max(r, 0) + 1)]
        self.bits: tuple[int, ...] = tuple(1 << (radius - r) * width + radius - q for q, r in axial)
        """The bit of each hex, row by row, left to right."""
        self.names: tuple[str, ...] = tuple(
            f"{chr(ord('A') + r + radius)}{q + radius + min(r, 0) + 1}" for q, r in axial
        )
        self.axial = dict(zip(self.names, axial, strict=True))
        self.bit = dict(zip(self.names, self.bits, strict=True))
        self.name = dict(zip(self.bits, self.names, strict=True))
        self.all: int = sum(self.bits)
        self.shifts: tuple[int, ...] = tuple(q + r * width for q, r in STEPS)
        """By direction: n steps, at most `radius`, move the mask's hexes to `mask >> n * shift & all`, or, if the shift
        is negative, to `mask << n * -shift & all`."""

    def distance(self, one: str, other: str) -> int:
        """Return the steps from one hex to the other.

        >>> HexBoard(3).distance("A1", "D4")
        3
        """
        (q, r), (other_q, other_r) = self.axial[one], self.axial[other]
        return max(abs(q - other_q), abs(r - other_r), abs(q + r - other_q - other_r))

    def within(self, name: str, distance: int) -> int:
        """Return the mask of all hexes at most `distance` steps away, without the hex itself."""
        return sum(bit for other, bit in self.bit.items() if 0 < self.distance(name, other) <= distance)


def bits_of(mask: int) -> list[int]:
    """Return the one-bit masks of a mask's hexes, row by row."""
    bits = []
    while mask:
        bit = 1 << mask.bit_length() - 1
        bits.append(bit)
        mask ^= bit
    return bits
