"""What lies behind the pages of Photosynthesis: the island in the light of the hour, and the woods."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PIL import Image

from rendering.core.art import art, resized, stage
from rendering.core.canvas import WIDTH
from rendering.photosynthesis.scene import TABLE, Scene

SLUG = "photosynthesis"
HOURS = ("dawn", "morning", "noon", "afternoon", "sunset", "dusk")
"""The hour with the sun at each corner."""
LIGHTS = (*HOURS, "cover")
"""Each has its palette."""


@lru_cache(maxsize=24)
def island(scene: Scene, sun: int, *, night: bool = False) -> Callable[[int, int], Image.Image]:
    """Return what paints the island in the light from that corner, or by night; on a high page grass lies below it."""
    paint = stage(f"{SLUG}/{'table' if scene == TABLE else 'hand'}_{sun}")

    def lit(width: int, height: int) -> Image.Image:
        image = paint(width, height)
        if (more := height - GRASS) > 0:
            grass = resized(art(f"{SLUG}/floor").layer, width, more)
            image.paste(grass, (0, GRASS), grass)
        if night:
            image = Image.blend(image.point(NIGHT), image.convert("L").convert("RGB").point(MOONLIGHT), 0.4)
        return image

    return lit


MOONLIGHT = [value * part // 255 for part in (96, 140, 226) for value in range(256)]
NIGHT = [value * part // 255 + least for part, least in ((80, 8), (124, 14), (190, 38)) for value in range(256)]
"""What becomes of grey, and of colours, by night."""
GRASS = 900
"""The height of a page above the grass of a higher one."""


@lru_cache(maxsize=2)
def painted(scene: Scene, sun: int) -> Image.Image:
    """Return the same as a picture, by day."""
    return island(scene, sun)(WIDTH, scene.y * 2)
