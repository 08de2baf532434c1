"""The frame of gold of a vignette, which is a round picture of a game, and the vignette of a game that has none."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour
from rendering.studio.brush import BLOB, Sheet, dab, ink, linear, polygon, radial

SIZE, C, R = 240, 120, 108
"""The sheet, its middle, and the radius of the picture."""


def framed(draw: Callable[[Sheet, Random], None]) -> Image.Image:
    """Return a scene in the frame, as a sprite."""
    sheet, window = Sheet(SIZE, SIZE), skia.Path()
    sheet.disc(C, C, 119, ink((34, 18, 10)))
    lit, sides = (0, (255, 240, 190)), ((30, 20), (210, 220))
    sheet.disc(C, C, 116, linear(*sides, lit, (0.45, (222, 170, 76)), (1, (104, 60, 18))))
    sheet.disc(C, C, 110, linear(*sides, (0, (104, 60, 18)), (1, (250, 220, 150))))
    window.addCircle(C, C, R - 1)
    sheet.inside(window, lambda: draw(sheet, scatter("vignette")))
    sheet.disc(C, C, R, ink((20, 10, 10), 120, stroke=5, blur=3))
    return sheet.image()


def sky(sheet: Sheet, *stops: tuple[float, Colour]) -> None:
    """Paint the sky behind a scene."""
    sheet.box(0, 0, SIZE, SIZE, linear((0, 10), (0, 230), *stops))


def plain(sheet: Sheet, random: Random) -> None:
    """A die and a card on a table, for a game without a vignette."""
    sheet.box(0, 0, SIZE, SIZE, radial((90, 80), 190, (0, (120, 78, 52)), (1, (34, 20, 24))))
    sheet.oval(50, 176, 200, 212, ink((14, 6, 10), 170, blur=8))
    card = polygon([(64, 52), (136, 34), (166, 170), (96, 190)])
    sheet.edged(card, linear((64, 40), (166, 190), (0, (255, 251, 236)), (1, (220, 198, 156))), (40, 22, 18), 5)
    turns = [(math.pi * step / 5, 11 if step % 2 else 26) for step in range(10)]
    star = [(112 + math.sin(turn) * far, 110 - math.cos(turn) * far) for turn, far in turns]
    sheet.path(polygon(star), ink((176, 46, 44)))
    for face, tone in (
        (((128, 140), (182, 132), (188, 184), (134, 194)), (236, 226, 206)),
        (((182, 132), (206, 146), (208, 190), (188, 184)), (150, 128, 118)),
        (((128, 140), (152, 152), (206, 146), (182, 132)), (255, 252, 240)),
    ):
        sheet.edged(polygon(face), ink(tone), (48, 30, 26), 4)
    for x, y in ((146, 152), (172, 149), (148, 178), (174, 174), (160, 163)):
        dab(sheet, x, y, 5, 0, (60, 36, 34), 255, BLOB)


vignette = partial(framed, plain)
