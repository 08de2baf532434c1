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


def island(scene: Scene, sun: int) -> Callable[[int, int], Image.Image]:
    """Return what paints the island in the light from that corner; its last row goes on to the foot of the page."""
    return stage(f"{SLUG}/{'table' if scene == TABLE else 'hand'}_{sun}")


@lru_cache(maxsize=2)
def painted(scene: Scene, sun: int) -> Image.Image:
    """Return the same as a picture."""
    return island(scene, sun)(WIDTH, scene.y * 2)
