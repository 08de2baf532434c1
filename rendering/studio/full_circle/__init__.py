"""Paints Full Circle: a chapel at night with a rose window, its glass, its cards, and the glaziers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.full_circle.signs import BRIGHT
from rendering.studio.full_circle import chapel, figures, glass, things, vignette

SPRITES: dict[str, Callable[[], Image.Image]] = {
    "vignette": vignette.vignette,
    **{
        f"{half}_{letter}": partial(glass.octant, tones, first=half == "first")
        for half in ("first", "second")
        for letter, tones in {**glass.TONES, "W": glass.OPAL}.items()
    },
    **{f"seam_{letter}": partial(glass.seam, tones) for letter, tones in glass.TONES.items()},
    "empty": glass.empty_quarter,
    "jewels": glass.jewels,
    "lattice": glass.quarter_lattice,
    "boss": partial(glass.boss, lit=False),
    "boss_lit": partial(glass.boss, lit=True),
    "frame": glass.quarter_frame,
    "slip": glass.slip,
    "slips": glass.slips,
    "rosette": things.wild,
    "chapel": chapel.chapel,
    "rim": partial(chapel.rim, lit=False),
    "rim_lit": partial(chapel.rim, lit=True),
    **{f"pool_{octant}": partial(chapel.pool, octant) for octant in range(8)},
    "bar": chapel.bar,
    "bench": chapel.bench,
    "hall": chapel.hall,
    **{f"plinth_{rank}": partial(chapel.plinth, rank) for rank in range(3)},
    "glow_first": partial(chapel.glow, True),
    "glow_second": partial(chapel.glow, False),
    **{f"glazier_{number}": partial(figures.glazier, number) for number in range(8)},
    **{f"pale_{letter}": partial(things.sign, letter, dark=False) for letter in glass.TONES},
    **{f"dark_{letter}": partial(things.sign, letter, dark=True) for letter in BRIGHT if letter != "W"},
    **{f"letter_pale_{letter}": partial(things.letter, letter, dark=False) for letter in (*glass.TONES, "W")},
    **{f"letter_dark_{letter}": partial(things.letter, letter, dark=True) for letter in BRIGHT},
    "compass": things.compass,
    **{f"dot_{kind}": partial(things.dot, kind) for kind in ("dim", "lit", "double")},
    "lock": things.lock,
    "spark": things.spark,
    "flame": things.flame,
    "candle": things.candle,
    "candlestick": things.candlestick,
    **{f"crate_{level}": partial(things.crate, level) for level in range(3)},
    "choice": partial(things.choice, glass.RADIUS),
    "tick": things.tick,
}
