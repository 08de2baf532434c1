"""The vignette of the game: a tower with a torch before the setting sun, and the torches of the host."""

from __future__ import annotations

import math
from functools import partial
from random import Random

from rendering.studio.brush import Sheet, flame, ink, linear, polygon, radial, screened, smooth, stones
from rendering.studio.vignettes import framed, sky


def scene(sheet: Sheet, random: Random) -> None:
    """A tower with a torch before the setting sun, and the torches of the host."""
    sky(sheet, (0, (44, 18, 60)), (0.4, (150, 44, 86)), (0.68, (240, 128, 70)), (1, (255, 210, 120)))
    sheet.disc(88, 150, 70, screened(radial((88, 150), 90, (0, (255, 236, 180)), (1, (255, 120, 60), 0))))
    sheet.disc(88, 150, 34, radial((88, 150), 36, (0, (255, 252, 220)), (1, (255, 206, 110))))
    ridge = [(0, 160), (30, 150), (60, 164), (100, 152), (150, 166), (240, 156), (240, 240), (0, 240)]
    sheet.path(polygon(ridge), ink((74, 24, 58)))
    for x in range(14, 150, 15):
        y = 168 + 6 * math.sin(x)
        sheet.oval(x - 5, y - 14, x + 5, y + 20, ink((34, 12, 36)))
        if x % 2:
            sheet.line((x + 5, y), (x + 8, y - 24), ink((34, 12, 36), stroke=2))
            flame(sheet, x + 8, y - 24, 16)
    sheet.path(polygon([(0, 192), (240, 186), (240, 240), (0, 240)]), ink((26, 10, 30)))
    sheet.box(144, 104, 204, 240, ink((60, 34, 66)))
    stones(sheet, (144, 104, 204, 240), random, ((96, 62, 92), (126, 76, 96), (70, 46, 84)), 18, (255, 160, 110))
    for x in (136, 164, 192):
        sheet.box(x, 84, x + 20, 112, ink((96, 62, 92)))
        sheet.box(x, 84, x + 4, 112, ink((255, 170, 120), 150))
    sheet.box(132, 104, 216, 116, ink((72, 42, 78)))
    sheet.box(166, 140, 182, 172, ink((255, 196, 96)), 8)
    sheet.line((174, 84), (174, 40), ink((40, 20, 30), stroke=4))
    flag = smooth([(174, 40), (150, 44), (122, 38), (130, 52), (120, 66), (150, 62), (174, 68)])
    sheet.path(flag, linear((120, 0), (174, 0), (0, (236, 70, 60)), (1, (130, 20, 40))))


vignette = partial(framed, scene)
