"""The vignette of the game: an island of turf with trees of three heights, and the sun that goes round it."""

from __future__ import annotations

from functools import partial
from random import Random

from rendering.studio.brush import Sheet, crown, ink, linear, polygon, radial, screened, smooth
from rendering.studio.vignettes import framed, sky


def scene(sheet: Sheet, random: Random) -> None:
    """An island of turf with trees of three heights, and the sun that goes round it."""
    sky(sheet, (0, (74, 132, 190)), (0.55, (176, 216, 222)), (1, (250, 232, 180)))
    sheet.disc(62, 58, 60, screened(radial((62, 58), 64, (0, (255, 246, 190)), (1, (255, 214, 120), 0))))
    sheet.disc(62, 58, 24, radial((56, 50), 30, (0, (255, 255, 230)), (1, (255, 206, 84))))
    earth = smooth([(26, 160), (60, 214), (120, 232), (180, 214), (216, 160)])
    sheet.path(earth, linear((0, 160), (0, 232), (0, (132, 88, 54)), (1, (54, 34, 34))))
    sheet.oval(20, 128, 220, 196, ink((60, 104, 50)))
    sheet.oval(20, 124, 220, 190, radial((90, 140), 130, (0, (182, 206, 94)), (1, (84, 140, 64)), flat=0.5))
    greens = ((14, 46, 46), (30, 86, 62), (62, 132, 74), (122, 178, 88), (206, 226, 132))
    blues = ((18, 30, 66), (36, 66, 116), (64, 112, 164), (120, 170, 206), (200, 228, 236))
    for x, y, tall, tones in ((172, 156, 46, blues), (74, 160, 62, blues), (126, 172, 108, greens)):
        sheet.oval(x - 4, y - 8, x + tall * 0.72, y + 7, ink((40, 60, 110), 110, blur=3))
        trunk = (-0.06, 0), (0.06, 0), (0.03, 0.5), (-0.03, 0.5)
        sheet.path(polygon([(x + tall * px, y - tall * up) for px, up in trunk]), ink((86, 56, 46)))
        r, parts = tall * 0.34, ((0, 0.52, 1, 0.7), (-0.4, 0.7, 0.8, 0.66), (0.4, 0.7, 0.8, 0.66), (0, 0.94, 0.7, 0.6))
        clumps = [(x + r * px, y - tall * up, r * wide, r * high) for px, up, wide, high in parts]
        crown(sheet, clumps, (x, y - tall * 0.7, r * 1.2, r * 1.4), tones, random, 4.2)


vignette = partial(framed, scene)
