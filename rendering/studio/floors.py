"""Soft ground in front of a stage. Far away it fades into the stage."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, mix
from rendering.studio.brush import BLACK, BLOB, LEAF, Sheet, dab, ink, radial

WIDE, TALL = 1200, 310
FAR = 60
"""The rows in which a floor fades into the stage."""


def _faded(sheet: Sheet, dark: Colour) -> Image.Image:
    """Return a floor that lies in the light of its middle, dark at its sides and its foot, without an upper edge."""
    night = radial((WIDE / 2, 70), 760, (0, dark, 0), (0.35, dark, 40), (1, dark, 235), flat=0.46)
    sheet.box(0, 0, WIDE, TALL, night)
    sheet.box(12, FAR - 30, WIDE - 12, FAR + 8, ink(dark, 200, blur=7), 16)  # shade
    whole = sheet.image()
    fade = Image.new("L", (WIDE, TALL), 255)
    fade.paste(Image.linear_gradient("L").resize((WIDE, FAR)))
    whole.putalpha(fade)
    return whole


def turf(light: Colour, dark: Colour, strewn: Sequence[Colour]) -> Image.Image:
    """Paint soft ground, with blades or dry leaves strewn over it, larger the nearer they are."""
    sheet, random = Sheet(WIDE, TALL, 1), scatter("turf")
    sheet.fall(0, 0, WIDE, TALL, (0, light), (1, mix(light, dark, 0.7)))
    for y in sorted(random.uniform(0, TALL) for _ in range(240)):
        near, x = 0.35 + y / TALL, random.uniform(-20, WIDE + 20)
        tone = mix(light, dark, random.uniform(0.1, 0.8))
        dab(sheet, x, y, 64 * near, random.uniform(-6, 6), tone, 70, BLOB, 0.22)
    for y in sorted(random.uniform(20, TALL) for _ in range(130)):
        near, x = 0.35 + y / TALL, random.uniform(0, WIDE)
        dab(sheet, x, y + 2, 11 * near, random.uniform(0, 180), dark, 150, LEAF, 0.6)
        dab(sheet, x, y, 11 * near, random.uniform(0, 180), random.choice(strewn), 230, LEAF, 0.5)
    return _faded(sheet, mix(dark, BLACK, 0.6))
