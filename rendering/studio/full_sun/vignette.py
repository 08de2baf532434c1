"""The vignette of the game: a golden tree in a shaft of light, high above the others."""

from __future__ import annotations

from functools import partial
from random import Random

from rendering.studio.brush import Sheet, crown, ink, linear, polygon, radial, screened, smooth
from rendering.studio.vignettes import framed, sky


def scene(sheet: Sheet, random: Random) -> None:
    """A golden tree in a shaft of light, high above the others."""
    sky(sheet, (0, (226, 232, 150)), (0.5, (120, 168, 92)), (1, (22, 58, 44)))
    for x, tall in ((20, 120), (52, 150), (190, 140), (222, 108)):
        sheet.box(x - 3, 210 - tall, x + 3, 210, ink((38, 74, 56)))
        sheet.oval(x - 26, 180 - tall, x + 26, 240 - tall, ink((52, 104, 70)))
    shaft = linear((120, 0), (120, 220), (0, (255, 250, 190), 210), (1, (255, 240, 150), 20))
    sheet.path(polygon([(86, 0), (160, 0), (196, 226), (44, 226)]), screened(shaft))
    sheet.oval(20, 188, 220, 260, radial((118, 200), 110, (0, (210, 200, 84)), (1, (44, 86, 44)), flat=0.5))
    trunk = smooth([(112, 214), (116, 170), (110, 120), (130, 120), (126, 170), (136, 214)])
    sheet.path(trunk, linear((106, 0), (136, 0), (0, (214, 176, 140)), (1, (84, 54, 48))))
    golds = ((110, 54, 10), (176, 98, 16), (226, 150, 30), (248, 196, 72), (255, 232, 150))
    clumps = [(120, 130, 34, 20), (94, 106, 36, 26), (148, 104, 36, 26), (120, 84, 44, 32), (118, 54, 32, 24)]
    crown(sheet, clumps, (120, 92, 62, 60), golds, random, 5, sunny=(255, 250, 200))
    for bush in ((44, 166, 18, 20), (196, 160, 18, 20)):
        crown(sheet, [bush], bush, ((60, 16, 46), (140, 40, 96), (206, 90, 150)), random, 4)


vignette = partial(framed, scene)
