"""A vignette of each game: a round picture of its place, in a frame of gold. One more is for a game that has none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, mix
from rendering.studio.brush import (
    BLOB,
    LEAF,
    Sheet,
    crown,
    dab,
    flame,
    glass,
    ink,
    linear,
    polygon,
    radial,
    screened,
    smooth,
    stones,
)

SIZE, C, R = 240, 120, 108
"""The sheet, its middle, and the radius of the picture."""


def _framed(draw: Callable[[Sheet, Random], None]) -> Image.Image:
    sheet, window = Sheet(SIZE, SIZE), skia.Path()
    sheet.disc(C, C, 119, ink((34, 18, 10)))
    sheet.disc(
        C, C, 116, linear((30, 20), (210, 220), (0, (255, 240, 190)), (0.45, (222, 170, 76)), (1, (104, 60, 18)))
    )
    sheet.disc(C, C, 110, linear((30, 20), (210, 220), (0, (104, 60, 18)), (1, (250, 220, 150))))
    window.addCircle(C, C, R - 1)
    sheet.inside(window, lambda: draw(sheet, scatter("vignette")))
    sheet.disc(C, C, R, ink((20, 10, 10), 120, stroke=5, blur=3))
    return sheet.image()


def _sky(sheet: Sheet, *stops: tuple[float, Colour]) -> None:
    sheet.box(0, 0, SIZE, SIZE, linear((0, 10), (0, 230), *stops))


def siege_of_sunfall(sheet: Sheet, random: Random) -> None:
    """A tower with a torch before the setting sun, and the torches of the host."""
    _sky(sheet, (0, (44, 18, 60)), (0.4, (150, 44, 86)), (0.68, (240, 128, 70)), (1, (255, 210, 120)))
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
    sheet.path(
        smooth([(174, 40), (150, 44), (122, 38), (130, 52), (120, 66), (150, 62), (174, 68)]),
        linear((120, 0), (174, 0), (0, (236, 70, 60)), (1, (130, 20, 40))),
    )


def full_sun(sheet: Sheet, random: Random) -> None:
    """A golden tree in a shaft of light, high above the others."""
    _sky(sheet, (0, (226, 232, 150)), (0.5, (120, 168, 92)), (1, (22, 58, 44)))
    for x, tall in ((20, 120), (52, 150), (190, 140), (222, 108)):
        sheet.box(x - 3, 210 - tall, x + 3, 210, ink((38, 74, 56)))
        sheet.oval(x - 26, 180 - tall, x + 26, 240 - tall, ink((52, 104, 70)))
    shaft = linear((120, 0), (120, 220), (0, (255, 250, 190), 210), (1, (255, 240, 150), 20))
    sheet.path(polygon([(86, 0), (160, 0), (196, 226), (44, 226)]), screened(shaft))
    sheet.oval(20, 188, 220, 260, radial((118, 200), 110, (0, (210, 200, 84)), (1, (44, 86, 44)), flat=0.5))
    sheet.path(
        smooth([(112, 214), (116, 170), (110, 120), (130, 120), (126, 170), (136, 214)]),
        linear((106, 0), (136, 0), (0, (214, 176, 140)), (1, (84, 54, 48))),
    )
    golds = ((110, 54, 10), (176, 98, 16), (226, 150, 30), (248, 196, 72), (255, 232, 150))
    crown(
        sheet,
        [(120, 130, 34, 20), (94, 106, 36, 26), (148, 104, 36, 26), (120, 84, 44, 32), (118, 54, 32, 24)],
        (120, 92, 62, 60),
        golds,
        random,
        5,
        sunny=(255, 250, 200),
    )
    for x, tall in ((44, 34), (196, 40)):
        crown(
            sheet,
            [(x, 200 - tall, 18, 20)],
            (x, 200 - tall, 18, 20),
            ((60, 16, 46), (140, 40, 96), (206, 90, 150)),
            random,
            4,
        )


def photosynthesis(sheet: Sheet, random: Random) -> None:
    """An island of turf with trees of three heights, and the sun that goes round it."""
    _sky(sheet, (0, (74, 132, 190)), (0.55, (176, 216, 222)), (1, (250, 232, 180)))
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
        sheet.path(
            polygon(
                [
                    (x - tall * 0.06, y),
                    (x + tall * 0.06, y),
                    (x + tall * 0.03, y - tall * 0.5),
                    (x - tall * 0.03, y - tall * 0.5),
                ]
            ),
            ink((86, 56, 46)),
        )
        r = tall * 0.34
        clumps = [
            (x, y - tall * 0.52, r, r * 0.7),
            (x - r * 0.4, y - tall * 0.7, r * 0.8, r * 0.66),
            (x + r * 0.4, y - tall * 0.7, r * 0.8, r * 0.66),
            (x, y - tall * 0.94, r * 0.7, r * 0.6),
        ]
        crown(sheet, clumps, (x, y - tall * 0.7, r * 1.2, r * 1.4), tones, random, 4.2)


def sea_change(sheet: Sheet, random: Random) -> None:
    """A sail on a breaking wave, half the sky in one light and half in another."""
    _sky(sheet, (0, (64, 60, 130)), (0.5, (238, 120, 90)), (0.62, (255, 214, 140)), (1, (255, 214, 140)))
    torn = smooth([(126, -10), (150, 40), (128, 80), (158, 130), (150, 160), (260, 160), (260, -10)], closed=True)
    sheet.path(torn, linear((0, 0), (0, 150), (0, (18, 72, 98)), (1, (110, 206, 190))))
    sheet.path(smooth([(126, -10), (150, 40), (128, 80), (158, 130), (150, 160)]), ink((255, 250, 226), stroke=4))
    sheet.disc(60, 138, 26, ink((255, 244, 200)))
    bands = (((22, 62, 110), 138), ((16, 84, 128), 158), ((10, 60, 106), 184))
    for number, (tone, top) in enumerate(bands):
        if number == 2:
            sheet.path(
                polygon([(84, 168), (170, 160), (154, 194), (100, 196)]),
                linear((84, 0), (170, 0), (0, (176, 96, 52)), (1, (70, 30, 26))),
            )
            sheet.line((128, 166), (122, 52), ink((60, 30, 20), stroke=4))
            sheet.path(
                smooth([(119, 56), (66, 92), (62, 150), (118, 154)]),
                linear((60, 0), (124, 0), (0, (255, 250, 232)), (1, (236, 190, 150))),
            )
            sheet.path(
                smooth([(128, 64), (168, 106), (166, 148), (132, 152)]),
                linear((124, 0), (170, 0), (0, (232, 84, 60)), (1, (140, 30, 40))),
            )
        crest = [(x, top + 9 * math.sin(x / (17 + 5 * number) + number * 2)) for x in range(-10, 260, 10)]
        sheet.path(
            polygon([*crest, (260, 250), (-10, 250)]),
            linear((0, top), (0, top + 70), (0, mix(tone, (120, 220, 220), 0.35)), (1, tone)),
        )
        sheet.path(smooth(crest), ink((236, 250, 250), 230, stroke=2 + number * 1.4))
        for _ in range(16):
            dab(
                sheet,
                random.uniform(0, 240),
                top + random.uniform(10, 34),
                random.uniform(4, 11),
                0,
                (190, 236, 236),
                110,
                LEAF,
                0.3,
            )
    sheet.path(
        smooth([(-10, 226), (30, 204), (66, 214), (86, 238), (60, 252), (-10, 252)], closed=True), ink((240, 252, 252))
    )


def full_circle(sheet: Sheet, random: Random) -> None:
    """A rose window of six colours, lit from behind."""
    sheet.box(0, 0, SIZE, SIZE, ink((20, 20, 38)))
    stones(sheet, (0, 0, 240, 240), random, ((52, 50, 74), (70, 66, 88), (40, 38, 62)), 24, (180, 170, 200))
    colours: Sequence[Colour] = (
        (206, 40, 48),
        (240, 150, 30),
        (246, 214, 60),
        (40, 150, 84),
        (40, 92, 190),
        (124, 60, 170),
    )
    sheet.disc(C, C, 96, ink((255, 220, 150), 120, blur=12))
    sheet.disc(C, C, 92, ink((16, 12, 20)))

    def slice_of(inner: float, outer: float, start: float, sweep: float) -> skia.Path:
        path = skia.Path()
        path.arcTo(skia.Rect.MakeLTRB(C - outer, C - outer, C + outer, C + outer), start, sweep, True)
        path.arcTo(skia.Rect.MakeLTRB(C - inner, C - inner, C + inner, C + inner), start + sweep, -sweep, False)
        path.close()
        return path

    for number in range(len(colours)):
        start = number * 60 - 90
        for near, wide, at in ((30, 60, 0), (62, 88, 3)):
            turn = math.radians(start + 30)
            far = (near + wide) / 2
            glass(
                sheet,
                slice_of(near, wide, start, 60),
                (C + far * math.cos(turn), C + far * math.sin(turn)),
                36,
                colours[(number + at) % 6],
                random,
            )
        turn = math.radians(start)
        inner, outer = ((C + far * math.cos(turn), C + far * math.sin(turn)) for far in (28, 92))
        sheet.line(inner, outer, ink((20, 18, 26), stroke=6))
        sheet.line(inner, outer, ink((120, 122, 138), stroke=1.8))
    for far in (30, 61, 90):
        sheet.disc(C, C, far, ink((20, 18, 26), stroke=6))
        sheet.disc(C, C, far, ink((120, 122, 138), stroke=1.8))
    middle = skia.Path()
    middle.addCircle(C, C, 27)
    glass(sheet, middle, (C, C), 30, (250, 226, 170), random)


def plain(sheet: Sheet, random: Random) -> None:
    """A die and a card on a table, for a game without a vignette."""
    sheet.box(0, 0, SIZE, SIZE, radial((90, 80), 190, (0, (120, 78, 52)), (1, (34, 20, 24))))
    sheet.oval(50, 176, 200, 212, ink((14, 6, 10), 170, blur=8))
    card = polygon([(64, 52), (136, 34), (166, 170), (96, 190)])
    sheet.path(card, ink((40, 22, 18), stroke=5))
    sheet.path(card, linear((64, 40), (166, 190), (0, (255, 251, 236)), (1, (220, 198, 156))))
    star = [
        (
            112 + math.sin(math.pi * step / 5) * (26 if step % 2 == 0 else 11),
            110 - math.cos(math.pi * step / 5) * (26 if step % 2 == 0 else 11),
        )
        for step in range(10)
    ]
    sheet.path(polygon(star), ink((176, 46, 44)))
    for face, tone in (
        (((128, 140), (182, 132), (188, 184), (134, 194)), (236, 226, 206)),
        (((182, 132), (206, 146), (208, 190), (188, 184)), (150, 128, 118)),
        (((128, 140), (152, 152), (206, 146), (182, 132)), (255, 252, 240)),
    ):
        sheet.path(polygon(face), ink((48, 30, 26), stroke=4))
        sheet.path(polygon(face), ink(tone))
    for x, y in ((146, 152), (172, 149), (148, 178), (174, 174), (160, 163)):
        dab(sheet, x, y, 5, 0, (60, 36, 34), 255, BLOB)


VIGNETTES: dict[str, Callable[[], Image.Image]] = {
    "vignette": partial(_framed, plain),
    **{
        f"vignette_{scene.__name__}": partial(_framed, scene)
        for scene in (full_circle, full_sun, photosynthesis, sea_change, siege_of_sunfall)
    },
}
