"""What lies behind the pages of Photosynthesis: the island in the light of the hour, and the woods."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PIL import Image

from rendering.core.art import stage
from rendering.core.canvas import WIDTH
from rendering.photosynthesis.scene import TABLE, Scene

SLUG = "photosynthesis"
HOURS = ("dawn", "morning", "noon", "afternoon", "sunset", "dusk")
"""The hour with the sun at each corner."""
LIGHTS = (*HOURS, "cover")
"""Each has its palette."""


@lru_cache(maxsize=24)
def island(scene: Scene, sun: int, *, night: bool = False) -> Callable[[int, int], Image.Image]:
    """Return what paints the island in the light from that corner, or by night; its last row goes on to the foot of the
    page.
    """
    day = stage(f"{SLUG}/{'table' if scene == TABLE else 'hand'}_{sun}")

    def moonlit(width: int, height: int) -> Image.Image:
        image = day(width, height)
        return Image.blend(image, Image.new("RGB", image.size, NIGHT), 0.42)

    return moonlit if night else day


NIGHT = (10, 18, 52)
"""What is laid thinly on the island by night."""


@lru_cache(maxsize=2)
def painted(scene: Scene, sun: int) -> Image.Image:
    """Return the same as a picture, by day."""
    return island(scene, sun)(WIDTH, scene.y * 2)
