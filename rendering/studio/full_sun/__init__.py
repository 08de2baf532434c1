"""The sprites of Full Sun: its trees, the glade in three lights, boards and signs of wood, the cards' posters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.studio.full_sun import posters, signs, things, trees, vignette, wood

SPRITES: dict[str, Callable[[], Image.Image]] = {
    "vignette": vignette.vignette,
    **{f"tree_{suit}_{at}": partial(trees.tree, suit, trees.HEIGHTS[at]) for suit in "BRSL" for at in range(9)},
    "seedling": trees.seedling,
    **{f"glade{weather}": partial(wood.glade, weather) for weather in wood.LIGHTS},
    **{f"near{weather}": partial(wood.glade, weather, 764, 196, (600, 90), 720, 536) for weather in wood.LIGHTS},
    **{f"canopy{weather}": partial(wood.canopy, weather) for weather in wood.LIGHTS},
    **{name: partial(things.board, name) for name in things.WOODS},
    **{f"poster_{suit}": partial(posters.clearing, suit) for suit in posters.SKIES},
    "poster_Rain": posters.rain, "poster_Sun": posters.sun,
    **{f"tuft_{number}": partial(things.tuft, number) for number in range(3)},
    **{f"leaf_{name}": partial(signs.sign, name) for name in signs.SIGNS},
    **{f"bird_{number}": partial(things.bird, number, plumage=True) for number in range(8)},
    **{f"beak_{number}": partial(things.bird, number, plumage=False) for number in range(8)},
    "pool": partial(things.spot, 340, 76, (254, 234, 150), 216, 0.22),
    "shade": partial(things.spot, 240, 52, (6, 22, 24), 190, 0.2),
    "floor": wood.log,
    "shaft": things.shaft, "point": things.point, "pip": things.pip, "high_sun": things.high_sun, "cloud": things.cloud,
    "chevron": things.chevron, "umbrella": things.umbrella,
    "toadstools": things.toadstools, "hedgehog": things.hedgehog,
}  # fmt: skip
