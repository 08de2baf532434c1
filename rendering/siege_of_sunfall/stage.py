"""Siege of Sunfall's stage: the sky, the setting sun, and the field with the host, seen from our wall.

The later in the round, the lower the sun: it stands high at first, and sinks once Siege End can be the next card (K1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image

from rendering.core.art import art, stage, toned
from rendering.core.canvas import WIDTH
from rendering.core.sprites import Colour, Pixels, laid, pixels, sprite
from rendering.siege_of_sunfall.pieces import SLUG
from rules.siege_of_sunfall.types import PILES, SiegeView

Painter = Callable[[int, int], Image.Image]
LIGHTS: dict[str, tuple[str, int]] = {"day": ("day", -74), "evening": ("evening", -20), "": ("dusk", 26)}
"""The light by how far the round is: its name among the sprites, and how many pixels below the horizon the sun's middle
is; "" once the next card can be Siege End, and after the match.
"""
SUN_AT, SUN = 742, 240
"""The middle of the sun, and the width of its picture."""
LAND = 140
"""What of the land is above the horizon."""
WALL, MERLON = 150, 66
"""The height of the wall, and of its merlons above it."""


def light_of(view: SiegeView) -> str:
    """Return the light of a view: a key of LIGHTS."""
    half = PILES[view.seats][0] // 2
    if view.outcome or view.card_number >= half:
        return ""
    return "day" if view.card_number <= half // 2 else "evening"


@cache
def scene(light: str, horizon: int, top: int, grow: float = 1, tone: Colour = (255, 255, 255)) -> Painter:
    """Return the painter of sky, sun, field, the wall without its merlons, and the walk behind it down to the foot of
    the page, in that light; the same one for the same arguments. `top`: that of the wall; `grow`: how much larger than
    usual the sun is, and its tone.
    """

    def paint(width: int, height: int) -> Image.Image:
        (name, low), sun = LIGHTS[light], toned(art(f"{SLUG}/sun", round(SUN * grow)), tone)
        sky, foot = art(f"{SLUG}/sky_{name}"), top + WALL
        whole = laid(
            Image.new("RGB", (width, height)),
            (sky, 0, horizon - sky.size[1]),
            (sun, SUN_AT - sun.size[0] // 2, horizon + round(low * grow) - sun.size[1] // 2),
            (art(f"{SLUG}/land_{name}"), 0, horizon - LAND),
            *[(art(f"{SLUG}/bank_{name}"), 0, min(66, horizon - 250))] * (grow == 1),
            (art(f"{SLUG}/roof"), 0, 0),
        )
        whole.paste(wall().crop((0, MERLON, width, MERLON + WALL)), (0, top))
        whole.paste(stage(f"{SLUG}/walk")(width, max(0, height - foot)), (0, foot))
        return whole

    return paint


def wall() -> Image.Image:
    """Return the picture of the wall with its merlons."""
    return art(f"{SLUG}/wall").layer


@sprite
def merlons() -> Pixels:
    """The merlons of a row of the wall, on the edge of its top: who stands before the city is behind them."""
    return pixels(wall().crop((0, 0, WIDTH, MERLON)))


def dusk(width: int, height: int) -> Image.Image:
    """Paint the scene over the merlons as one who came nearer sees it, the low sun in the middle, behind stories."""
    wide, tall = round(width / NEAR), round(height / NEAR) + UNDER
    top, left = UNDER + min(GUARDED, (tall - UNDER) * 2 // 5), SUN_AT - wide // 2
    whole = laid(scene("evening", top - SUNK, top, GROWN, GOLD)(WIDTH, tall), (merlons(), 0, top - MERLON))
    bright = whole.crop((left, UNDER, left + wide, tall)).point([min(255, value * 5 // 4) for value in range(256)] * 3)
    return bright.resize((width, height), Image.Resampling.BICUBIC)


NEAR, UNDER = 1.31, 105
"""How much larger all is from there, and how much of the height is not seen: the roof."""
GUARDED, SUNK, GROWN = 290, 64, 1.7
"""The most of what is seen above the wall, how far above that the horizon is, and how much larger the sun is."""
GOLD: Colour = (236, 150, 84)
"""The tone of the sun: the shade in which all lies makes it pale."""
