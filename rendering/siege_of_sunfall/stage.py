"""Siege of Sunfall's stage: the sky, the setting sun, and the field with the host, seen from our wall.

The later in the round, the lower the sun: it stands high at first, and sinks once Siege End can be the next card (K1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image

from rendering.core.art import art
from rendering.core.sprites import Colour
from rendering.siege_of_sunfall.pieces import SLUG
from rules.siege_of_sunfall.types import PILES, SiegeView

LIGHTS: dict[str, tuple[str, int]] = {"day": ("day", -74), "evening": ("evening", -20), "": ("dusk", 26)}
"""The light by how far the round is: its name among the sprites, and how many pixels below the horizon the sun's middle
is; "" once the next card can be Siege End, and after the match.
"""
SUN_AT = 742
LAND = 140
"""What of the land is above the horizon."""
WALL, MERLON, GUARDED = 150, 66, 400
"""The height of the wall, of its merlons above it, and of what `ground` shows above it."""
WALK: Colour = (24, 15, 30)
"""The colour of the walk behind the wall, in the shade."""


def light_of(view: SiegeView) -> str:
    """Return the light of a view: a key of LIGHTS."""
    half = PILES[view.seats][0] // 2
    if view.outcome or view.card_number >= half:
        return ""
    return "day" if view.card_number <= half // 2 else "evening"


@cache
def scene(light: str, horizon: int) -> Callable[[int, int], Image.Image]:
    """Return the painter of sky, sun and field in that light; the same one for the same arguments."""

    def paint(width: int, height: int) -> Image.Image:
        name, low = LIGHTS[light]
        whole = Image.new("RGB", (width, height), WALK)
        whole.paste(
            art(f"{SLUG}/sky_{name}").image.resize((width, horizon), Image.Resampling.NEAREST)
        )  # keeps flat tones flat
        for sprite, x, y in (
            (sun := art(f"{SLUG}/sun"), SUN_AT - sun.size[0] // 2, horizon + low - sun.size[1] // 2),
            (art(f"{SLUG}/land_{name}"), 0, horizon - LAND),
        ):
            sprite.lay(whole, (x, y))
        return whole

    return paint


def dusk(width: int, height: int) -> Image.Image:
    """Paint the scene over the wall with its merlons, as the ground of what tells of matches."""
    top, wall = min(GUARDED, height * 5 // 9), art(f"{SLUG}/wall")
    whole = scene("", top - 90)(width, height)
    wall.lay(whole, (0, top - MERLON))
    walk = wall.image.crop((0, MERLON + WALL + 66, width, MERLON + WALL + 270))
    for y in range(top + WALL + 270, height, walk.height):
        whole.paste(walk, (0, y))
    return whole
