"""The vignette of the game: a sail on a breaking wave, half the sky in one light and half in another."""

from __future__ import annotations

import math
from functools import partial
from random import Random

from rendering.core.sprites import mix
from rendering.studio.brush import LEAF, Sheet, dab, ink, polygon, smooth
from rendering.studio.sea_change.fleet import across, down
from rendering.studio.vignettes import framed, sky


def scene(sheet: Sheet, random: Random) -> None:
    """A sail on a breaking wave, half the sky in one light and half in another."""
    sky(sheet, (0, (64, 60, 130)), (0.5, (238, 120, 90)), (0.62, (255, 214, 140)), (1, (255, 214, 140)))
    torn = smooth([(126, -10), (150, 40), (128, 80), (158, 130), (150, 160), (260, 160), (260, -10)], closed=True)
    sheet.path(torn, down(0, 150, (18, 72, 98), (110, 206, 190)))
    sheet.path(smooth([(126, -10), (150, 40), (128, 80), (158, 130), (150, 160)]), ink((255, 250, 226), stroke=4))
    sheet.disc(60, 138, 26, ink((255, 244, 200)))
    bands = (((22, 62, 110), 138), ((16, 84, 128), 158), ((10, 60, 106), 184))
    for number, (tone, top) in enumerate(bands):
        if number == 2:
            hull = polygon([(84, 168), (170, 160), (154, 194), (100, 196)])
            sheet.path(hull, across(84, 170, (176, 96, 52), (70, 30, 26)))
            sheet.line((128, 166), (122, 52), ink((60, 30, 20), stroke=4))
            sail = smooth([(119, 56), (66, 92), (62, 150), (118, 154)])
            sheet.path(sail, across(60, 124, (255, 250, 232), (236, 190, 150)))
            jib = smooth([(128, 64), (168, 106), (166, 148), (132, 152)])
            sheet.path(jib, across(124, 170, (232, 84, 60), (140, 30, 40)))
        crest = [(x, top + 9 * math.sin(x / (17 + 5 * number) + number * 2)) for x in range(-10, 260, 10)]
        wave = polygon([*crest, (260, 250), (-10, 250)])
        sheet.path(wave, down(top, top + 70, mix(tone, (120, 220, 220), 0.35), tone))
        sheet.path(smooth(crest), ink((236, 250, 250), 230, stroke=2 + number * 1.4))
        for _ in range(16):
            place = random.uniform(0, 240), top + random.uniform(10, 34), random.uniform(4, 11)
            dab(sheet, *place, 0, (190, 236, 236), 110, LEAF, 0.3)
    spray = [(-10, 226), (30, 204), (66, 214), (86, 238), (60, 252), (-10, 252)]
    sheet.path(smooth(spray, closed=True), ink((240, 252, 252)))


vignette = partial(framed, scene)
