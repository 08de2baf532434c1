"""Photosynthesis: trees, the island in the light of six hours, the gardeners, and what they handle."""

from __future__ import annotations

from functools import partial

from rendering.photosynthesis.scene import HAND, TABLE
from rendering.studio import floors
from rendering.studio.photosynthesis import scenes, things, trees, vignette

SPRITES = {
    **{f"table_{sun}": partial(scenes.cut, sun, TABLE, 900) for sun in range(6)},
    **{f"hand_{sun}": partial(scenes.cut, sun, HAND, 764) for sun in range(6)},
    **{f"seed_{seat}": partial(trees.seed, seat) for seat in range(4)},
    **{f"tree_{seat}{height}": partial(trees.tree, seat, height) for seat in range(4) for height in (1, 2, 3)},
    **{f"tree_{n // 2}{2 + n % 2}b": partial(trees.tree, n // 2, 2 + n % 2, other=True) for n in range(8)},
    **{f"grown_{seat}": partial(trees.tree, seat, 3, 2.4, ring=False) for seat in range(4)},
    **{f"gardener_{seat}": partial(things.gardener, seat) for seat in range(4)},
    **{f"grower_{seat}": partial(scenes.grower, seat, won=False) for seat in range(4)},
    **{f"victor_{seat}": partial(scenes.grower, seat, won=True) for seat in range(4)},
    **{f"stall_{seat}": partial(things.stall, seat) for seat in range(4)},
    **{f"flag_{seat}": partial(things.flag, seat) for seat in range(4)},
    **{f"soil_{leaves}": partial(things.soil, leaves) for leaves in (1, 2, 3, 4)},
    **{f"token_{leaves}": partial(things.token, leaves) for leaves in (1, 2, 3, 4)},
    "vignette": vignette.vignette,
    "cover": scenes.cover,
    "grove": scenes.grove,
    "bank": scenes.bank,
    "floor": partial(floors.turf, (84, 116, 62), (16, 34, 30), ((112, 150, 74), (70, 108, 58), (148, 172, 92))),
    "coin": things.coin,
    "sun": things.sun,
    "basket": things.basket,
    "ghost": things.ghost,
    "sign": partial(things.sign, 168, 48),
    "plank": partial(things.sign, 290, 84),
    "islet": things.islet,
    "crate": partial(things.crate, 336, 252),
    "crate_large": partial(things.crate, 560, 470),
}
"""The name of each sprite, and what paints it."""
