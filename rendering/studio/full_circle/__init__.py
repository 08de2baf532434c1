"""Paints Full Circle: a chapel at night with a rose window, its glass, its cards, and the glaziers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.full_circle.panes import HAND_RADIUS, TABLE_RADIUS
from rendering.full_circle.people import FIGURE, SMALL
from rendering.full_circle.signs import BRIGHT
from rendering.studio import pack
from rendering.studio.full_circle import chapel, figures, glass, things

Painter = Callable[[], Image.Image]


def scaled(paint: Painter, part: float, colours: int) -> Image.Image:
    """Return what is painted, that much smaller or larger; in so many colours, unless that is 0."""
    whole = paint().convert("RGBa")
    size = round(whole.width * part), round(whole.height * part)
    found = whole.resize(size, Image.Resampling.LANCZOS).convert("RGBA")
    if colours:
        flat = pack.flat(found.convert("RGB"), colours)
        flat.putalpha(found.getchannel("A"))
        return flat
    return found


WINDOW: dict[str, Painter] = {
    **{
        f"{half}_{letter}": partial(glass.octant, letter, first=half == "first")
        for half in ("first", "second")
        for letter in (*glass.TONES, "W")
    },
    "empty": glass.empty_quarter,
    "jewels": glass.jewels,
    "lattice": glass.quarter_lattice,
    "rim": partial(chapel.rim, lit=False),
    "rim_lit": partial(chapel.rim, lit=True),
    "glow_first": partial(chapel.glow, True),
    "glow_second": partial(chapel.glow, False),
}
GLAZIERS: dict[str, Painter] = {f"glazier_{number}": partial(figures.glazier, number) for number in range(8)}
SIZED: dict[str, Painter] = {
    f"{kind}{name}": partial(scaled, paint, wide / whole, colours)
    for sprites, whole, sizes in (
        (WINDOW, glass.RADIUS, (("", TABLE_RADIUS, 0), ("small_", HAND_RADIUS, 12))),
        (GLAZIERS, figures.WIDE * figures.FINE, (("", FIGURE, 0), ("small_", SMALL, 18))),
    )
    for kind, wide, colours in sizes
    for name, paint in sprites.items()
}
"""What has a file for the table and one for a hand, whose file has less room: few colours compress better."""
SPRITES: dict[str, Painter] = {
    **SIZED,
    "vignette": chapel.vignette,
    **{f"seam_{letter}": partial(glass.seam, tones) for letter, tones in glass.TONES.items()},
    "boss": partial(glass.boss, lit=False),
    "boss_lit": partial(glass.boss, lit=True),
    "frame": glass.quarter_frame,
    "frame_brass": partial(glass.quarter_frame, brass=True),
    "slip": glass.slip,
    "rosette": things.wild,
    "chapel": chapel.chapel,
    **{f"pool_{octant}": partial(chapel.pool, octant) for octant in range(8)},
    "bar": chapel.bar,
    "bench": chapel.bench,
    "hall": chapel.hall,
    "floor": lambda: chapel.bench().crop((0, chapel.BENCH, 1200, 764)),
    **{f"great_{number}": partial(scaled, partial(figures.glazier, number), 1.2, 0) for number in range(8)},
    "plate": glass.plate,
    **{f"pale_{letter}": partial(things.sign, letter, dark=False) for letter in glass.TONES},
    **{f"dark_{letter}": partial(things.sign, letter, dark=True) for letter in BRIGHT if letter != "W"},
    **{f"letter_pale_{letter}": partial(things.letter, letter, dark=False) for letter in (*glass.TONES, "W")},
    **{f"letter_dark_{letter}": partial(things.letter, letter, dark=True) for letter in BRIGHT},
    "compass": things.compass,
    **{f"quarter_{kind}": partial(things.quarter, kind) for kind in ("dim", "lit", "double")},
    "lock": things.lock,
    "flame": things.flame,
    "candle": things.candle,
    "candlestick": things.candlestick,
    **{f"crate_{level}": partial(things.crate, level) for level in range(3)},
    "choice": partial(things.choice, glass.RADIUS),
    "open": partial(things.opened, glass.RADIUS),
    "chain": partial(things.chain, glass.RADIUS),
    "tick": things.tick,
}
