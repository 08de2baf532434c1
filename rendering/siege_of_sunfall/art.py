"""The scenes on Siege of Sunfall's cards: attackers before the wall, as many as they are strong, and gifts."""

from __future__ import annotations

from PIL import Image

from rendering.core.cards import window
from rendering.core.sprites import Colour, Pen, mix
from rules.siege_of_sunfall.types import Kind

DUSK: tuple[Colour, ...] = ((255, 214, 150), (244, 158, 96), (204, 96, 88))


def art(kind: Kind, strength: int, width: int, height: int, radius: float, tint: Colour) -> Image.Image:
    """Return a card's ground in a window with round corners, four times as large, in mode RGBA."""
    pen = Pen(width, height)
    if strength:
        _crowd(pen, width, height, strength, tint)
    else:
        _banner_hall(pen, width, height, tint, bright=kind is not Kind.END)
    return window(pen, radius)


def _crowd(pen: Pen, width: float, height: float, strength: int, tint: Colour) -> None:
    """A crowd with a torch for each point of strength, in the dusk."""
    for number, colour in enumerate(DUSK):
        pen.box(0, height * 0.26 * number, width + 1, height + 1, 0, colour)
    pen.disc(width * 0.5, height * 0.62, width * 0.3, mix(DUSK[0], (255, 255, 255), 0.3))
    dark = mix(tint, (0, 0, 0), 0.62)
    for number in range(strength):
        row, place = divmod(number, 6)
        count = min(6, strength - 6 * row)
        x = width * (0.5 + (place - (count - 1) / 2) * 0.15)
        y = height * (0.74 - 0.13 * row)
        pen.line([(x, height * 0.92), (x + width * 0.03, y)], dark, width * 0.02)
        pen.oval(x - width * 0.012, y - height * 0.075, x + width * 0.072, y + height * 0.02, (255, 196, 70))
        pen.oval(x + width * 0.01, y - height * 0.045, x + width * 0.05, y + height * 0.015, (255, 244, 200))
    for number in range(9):
        x = width * (number / 8)
        pen.disc(x, height * 0.88, width * 0.07, dark)
        pen.box(x - width * 0.09, height * 0.92, x + width * 0.09, height + 2, width * 0.04, dark)


def _banner_hall(pen: Pen, width: float, height: float, tint: Colour, *, bright: bool) -> None:
    """Rays on a cloth of the card's colour."""
    ground = mix(tint, (255, 250, 235), 0.78 if bright else 0.5)
    pen.box(0, 0, width + 1, height + 1, 0, ground)
    for radius, part in ((0.72, 0.86), (0.5, 0.92), (0.3, 0.97)):
        pen.disc(width * 0.5, height * 0.5, width * radius, mix(tint, (255, 252, 242), part if bright else part - 0.3))
