"""Full Circle's stages: a chapel at night in the light of its window. A Colour Trap floods it with its colour."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image

from rendering.core import art, theme
from rendering.core.canvas import Page
from rendering.core.sprites import Colour, mix
from rendering.full_circle.signs import GLOWS

SLUG = "full_circle"
FACE = "Texturina-Black.ttf"
"""The face of its large sentences."""
DARK: Colour = (12, 9, 20)
"""The soft dark round words on the stage."""
LIGHTS = ("", *GLOWS)
"""A palette for each trap, and one without."""

BENCH = 240
"""The height of the bench, at the foot of its stage: on a higher page it is deeper."""


@cache
def chapel(name: str, trap: str) -> Callable[[int, int], Image.Image]:
    """Return the painter of that stage in the light of that trap; the same one for the same arguments."""

    def painted(width: int, height: int) -> Image.Image:
        image = art.art(f"{SLUG}/{name}").image
        edge, image = image.height - BENCH, image.crop((0, 0, width, max(height, image.height)))
        if height > edge + BENCH:
            image.paste(image.crop((0, edge, width, edge + BENCH)).resize((width, height - edge)), (0, edge))
        image = image.crop((0, 0, width, height))
        if not trap:
            return image
        grey = image.convert("L")
        tone = Image.merge("RGB", [grey.point([min(255, value * part // 118) for value in range(256)])
                                   for part in mix(GLOWS[trap], (120, 120, 140), 0.16)])  # fmt: skip
        return Image.blend(image, tone, 0.8)

    return painted


def dark(width: int, height: int) -> Image.Image:
    """Paint the chapel for a result: the window, all its glass in place, glows behind the winner."""
    return chapel("hall", "")(width, height)


def say(page: Page, x: float, y: float, text: str, width: int, ink: Colour = theme.CREAM) -> None:
    """Write small words on the stage, their middle at x."""
    page.text(x, y, text, theme.SMALL, ink, width, "mm", halo=DARK)
