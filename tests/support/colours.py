"""How far apart colours look, also to colour-blind eyes; and contrast.

Sources: the simulation matrices of Machado, Oliveira and Fernandes (2009) at severity 1, CIEDE2000 by Sharma, Wu and
Dalal (2005), and the contrast ratio of WCAG 2.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations

Colour = tuple[int, int, int]
Triple = tuple[float, float, float]

SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Matrices over linear light, by the name of the sight."""
_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.95047, 1.0, 1.08883)


def _linear(colour: Colour) -> Triple:
    def channel(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return channel(colour[0]), channel(colour[1]), channel(colour[2])


def _times(matrix: Iterable[Triple], light: Triple) -> Triple:
    red, green, blue = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
    return red, green, blue


def lab(colour: Colour, sight: str = "full") -> Triple:
    """Return L*, a* and b* of a colour as that sight sees it."""
    seen = _times(SIGHTS[sight], _linear(colour))
    light = _times(_XYZ, (min(1, max(0, seen[0])), min(1, max(0, seen[1])), min(1, max(0, seen[2]))))
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (value / white for value, white in zip(light, _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen_as(colour: Colour, sight: str) -> Colour:
    """Return the colour that shows full sight what that sight sees."""

    def channel(light: float) -> int:
        light = min(1.0, max(0.0, light))
        return round(255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))

    red, green, blue = _times(SIGHTS[sight], _linear(colour))
    return channel(red), channel(green), channel(blue)


def difference(one: Triple, other: Triple) -> float:
    """Return CIEDE2000 between two colours in L*a*b*. About 1 is just visible."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = math.hypot(stretch * a1, b1), math.hypot(stretch * a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * weight
    rotation = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rt = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(rotation)
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / sh
    return math.sqrt(dl**2 + dc**2 + dh**2 + rt * dc * dh)


def closest(colours: Iterable[Colour], sight: str) -> float:
    """Return the smallest difference between any two of these colours, as that sight sees them."""
    return min(difference(lab(one, sight), lab(other, sight)) for one, other in combinations(list(colours), 2))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    lights = sorted(sum(a * b for a, b in zip(_XYZ[1], _linear(colour), strict=True)) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)
