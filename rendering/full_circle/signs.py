"""The six colours: of their glass, of the writing on it, and of the light that falls through it."""

from __future__ import annotations

from rendering.core.sprites import Colour

TINTS: dict[str, Colour] = {
    "B": (49, 95, 164), "R": (204, 67, 81), "Y": (255, 240, 100), "G": (74, 154, 138), "O": (222, 145, 56),
    "P": (64, 26, 120),
}  # fmt: skip
BRIGHT = "YGOW"
"""The glass on which the writing is dark while there is light behind it; all other writing is pale."""
GLOWS: dict[str, Colour] = {
    "B": (70, 140, 255), "R": (255, 78, 92), "Y": (255, 222, 84), "G": (64, 214, 172), "O": (255, 164, 58),
    "P": (146, 84, 255),
}  # fmt: skip
"""The colour of the light through each glass: brighter than the glass, for it falls on dark stone."""
UNLIT: Colour = (178, 158, 164)
"""What the colours of glass are multiplied with, in 255ths, if there is no light behind it."""


def unlit(colour: Colour) -> Colour:
    """Return the colour of glass that has no light behind it."""
    return colour[0] * UNLIT[0] // 255, colour[1] * UNLIT[1] // 255, colour[2] * UNLIT[2] // 255
