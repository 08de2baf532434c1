"""Sea Change's sprites: the stages, the fleet, the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.studio.sea_change import cover, deck, fleet, signs, things, vignette, water

SPRITES: dict[str, Callable[[], Image.Image]] = {
    "vignette": vignette.vignette,
    "cover": cover.cover,
    **{f"stage_{name or 'dark'}": partial(water.stage, name) for name in water.LIGHTS},
    **{f"boat_{number}": partial(fleet.boat, number) for number in range(8)},
    **{f"great_{number}": partial(fleet.boat, number, 2) for number in range(8)},
    **{f"far_{suit}": partial(deck.far, suit) for suit in deck.TONES},
    **{f"figure_{suit}": partial(deck.figure, suit) for suit in deck.TONES},
    **{f"near_{suit}": partial(deck.near, suit) for suit in deck.TONES},
    **{painter.__name__: painter for painter in (deck.edge, deck.shape, deck.chest, deck.wreck, deck.pearl)},
    **{f"lamp_{name}": partial(things.lamp, lit) for name, lit in (("lit", True), ("dark", False))},
    **{
        painter.__name__: painter
        for painter in (
            things.rail,
            things.piles,
            things.raft,
            things.disc,
            things.orb,
            things.path,
            things.pennant,
            things.coil,
            things.cask,
        )
    },
    "sail": fleet.sail,
    "hull": fleet.hull,
    "tide": things.tide,
    **{name: partial(things.tear, gone) for name, gone in (("tear", False), ("torn", True))},
    **{f"sign_{name}": partial(signs.sign, name) for name in (*deck.TONES, "anchor")},
}
