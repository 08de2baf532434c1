"""Drawings in words: a line for each shape, painted one over the other.

`S steel -20,0 0,-30 20,0`: the kind of shape, its tone, its corners. Kinds: S smooth and filled, P with corners and
filled, C a smooth line, L a straight one, O an ellipse between two corners. A small letter paints it mirrored too. A
tone is a name or `#rrggbb`; with a number, `gold/4`, it is a line of that width; a filled shape is rounded by light,
`steel!` is flat. `;` ends a shape as the end of a line does.
"""

from __future__ import annotations

from collections.abc import Mapping

import skia
from PIL import Image, ImageColor

from rendering.core.sprites import Colour, Point, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, lit_edge, polygon, smooth

NIGHT: Colour = (20, 10, 30)
RIM: Colour = (255, 186, 104)
GOLD: Colour = (226, 180, 92)
TONES: dict[str, Colour] = {
    "dark": (32, 28, 42), "steel": (78, 72, 90), "pale": (128, 120, 138), "gold": GOLD, "leather": (104, 64, 42),
    "wood": (124, 80, 52), "red": (206, 56, 52), "wine": (128, 22, 34), "hair": (116, 66, 40), "bone": (224, 206, 176),
    "skin": (164, 108, 88), "face": (206, 140, 108), "ink": (40, 20, 26), "night": NIGHT, "iron": (96, 88, 106),
    "bright": (186, 178, 190), "plate": (158, 148, 148), "shell": (92, 84, 90),
}  # fmt: skip


def corners(words: str) -> list[Point]:
    """Return the corners of "x,y x,y"."""
    return [(float(x), float(y)) for x, _, y in (word.partition(",") for word in words.split())]


def rounded(tone: Colour, points: list[Point]) -> skia.Paint:
    """Return paint of something round that is as wide as these points: lit at the left, dark at both sides."""
    across = [x for x, _ in points]
    stops = (0, mix(tone, BLACK, 0.36)), (0.32, mix(tone, WHITE, 0.2)), (0.58, tone), (1, mix(tone, BLACK, 0.48))
    return linear((min(across), 0), (max(across), 0), *stops)


def draw(sheet: Sheet, words: str, tones: Mapping[str, Colour] | None = None) -> None:
    """Paint a drawing; `tones`: more colours than TONES, by name."""
    known = {**TONES, **(tones or {})}
    for line in words.replace(";", "\n").strip().splitlines():
        kind, what, rest = line.split(maxsplit=2)
        name, _, width = what.partition("/")
        flat, name = name.endswith("!"), name.rstrip("!")
        tone = ImageColor.getrgb(name)[:3] if name[0] == "#" else known[name]
        points = corners(rest)
        for side in (1, -1) if kind.islower() else (1,):
            placed = [(side * x, y) for x, y in points]
            paint = ink(tone, stroke=float(width)) if width else ink(tone) if flat else rounded(tone, placed)
            if kind in "Oo":
                (x1, y1), (x2, y2) = placed
                sheet.oval(min(x1, x2), y1, max(x1, x2), y2, paint)
            elif kind in "Ss" or (kind in "Cc"):
                sheet.path(smooth(placed, closed=kind in "Ss"), paint)
            else:
                sheet.path(polygon(placed, closed=kind in "Pp"), paint)


def against_the_light(sheet: Sheet, across: int = 3, down: int = 4) -> Image.Image:
    """Return what was painted, with a rim of the low sun's light above and at both sides."""
    warm = mix(RIM, (236, 100, 70), 0.4)
    image = lit_edge(sheet.image(), RIM, 0, down, 0.95)
    return lit_edge(lit_edge(image, warm, -across, 0, 0.8), warm, across, 0, 0.6)
