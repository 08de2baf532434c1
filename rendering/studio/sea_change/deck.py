"""The cards of Sea Change. A suit's card is painted in three layers: what is far, the figure, which rises with the
card's value, and what is near. And what lies on a card that brings points or costs them.
"""

from __future__ import annotations

import math

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, along, mix
from rendering.core.theme import INK, PAPER
from rendering.studio import pack
from rendering.studio.brush import BLACK, WHITE, Sheet, between, coin, dab, ink, linear, polygon, radial, smooth
from rendering.studio.sea_change.fleet import (
    FOAM,
    OAK,
    PITCH,
    SUNLIT,
    across,
    bend,
    corners,
    dots,
    down,
    foam,
    solid,
    spar,
)  # fmt: skip

CARD = (270, 378)
TONES: dict[str, tuple[Colour, Colour, Colour, Colour]] = {
    "B": ((226, 242, 248), (150, 206, 232), (40, 118, 184), (12, 54, 112)),
    "G": ((230, 246, 224), (146, 212, 184), (28, 122, 100), (6, 60, 56)),
    "R": ((255, 238, 216), (250, 188, 150), (196, 56, 58), (96, 18, 40)),
    "P": ((244, 230, 246), (206, 170, 220), (116, 62, 142), (50, 20, 72)),
    "Y": ((255, 246, 214), (255, 216, 128), (226, 132, 34), (128, 58, 12)),
}
"""Each suit's colours from pale to dark."""
GOLD: Colour = (240, 190, 96)
SHADES = 48
"""The colours of what is far on a suit's cards."""


def far(suit: str) -> Image.Image:
    """Paint the ground of a suit's cards: pale above, where the value stands."""
    pale, light, strong, dark = TONES[suit]
    sheet, random = Sheet(*CARD), scatter(suit)
    stops = (0, pale), (0.42, mix(pale, light, 0.55)), (0.8, mix(light, strong, 0.45)), (1, strong)
    sheet.box(0, 0, *CARD, linear((0, 0), (0, 378), *stops))
    if suit == "G":  # bands of one tone each: a slow gradient breaks into steps in a page's few greens
        tones = pale, mix(pale, light, 0.45), mix(pale, light, 0.9), mix(light, strong, 0.22), mix(light, strong, 0.42)
        for number, tone in enumerate(tones):
            crest = [(x, 76 * number - 14 + 7 * math.sin(x / 29 + 2 * number)) for x in range(-14, 300, 14)]
            sheet.path(between(crest, [(x, 400) for x, _ in crest]), ink(tone))
        for _ in range(16):
            bubble = random.uniform(120, 262), random.uniform(20, 330), random.uniform(2, 6)
            sheet.disc(*bubble, ink(WHITE, 150, stroke=1.6))
    else:
        for y in (36.0, 70.0, 112.0, 150.0, 186.0) * 5:
            x, long = random.uniform(90, 290), random.uniform(30, 170)
            sheet.oval(x - long, y - 7, x + long, y + random.uniform(4, 9), ink(mix(WHITE, light, 0.25), 56, blur=3))
    if suit in "BRP":
        sheet.disc(206, 66, 90, radial((206, 66), 90, (0, (255, 252, 236), 170), (1, (255, 252, 236), 0)))
        sheet.disc(206, 66, 27, ink((255, 252, 238)))
    if suit == "P":
        sheet.box(-4, 236, 274, 380, down(236, 378, mix(light, strong, 0.45), dark))
        for _ in range(50):
            x, y = random.uniform(0, 270), random.uniform(240, 350)
            long, glint = (y - 226) / 5, ink(mix(pale, light, random.random()), 110)
            sheet.oval(x - long, y - 1, x + long, y + 1.4, glint)
    if suit == "R":
        for side in (64, 280):
            sheet.line((172, 22), (side, 350), ink(PITCH, 150, stroke=2.4))
        spar(sheet, (172, 16), (172, 372), 8)
        coin(sheet, 172, 13, 8, GOLD)
    return pack.flat(sheet.image().convert("RGB"), SHADES)


def near(suit: str) -> Image.Image:
    """Paint what stands before the figure: water, sand, a ship's rail."""
    _, light, strong, dark = TONES[suit]
    sheet, random = Sheet(*CARD), scatter(f"near {suit}")
    if suit == "G":
        sand = "-10 344 60 330 150 346 220 332 284 346 284 400 -10 400"
        sheet.path(bend(sand), down(330, 378, (232, 214, 160), (150, 132, 92)))
        for _ in range(60):
            dab(sheet, random.uniform(0, 270), random.uniform(342, 378), random.uniform(1, 3.4), 0, (120, 104, 74), 120)
    elif suit == "P":
        sheet.box(-4, 352, 276, 382, down(352, 378, mix(OAK, (120, 50, 110), 0.45), PITCH))
        sheet.line((-4, 353), (276, 353), ink(mix(OAK, SUNLIT, 0.6), stroke=4))
        for plank in range(8, 280, 44):
            sheet.line((plank, 360), (plank, 380), ink(PITCH, 160, stroke=2))
    else:
        for number, top in enumerate((300, 326, 352)):
            tone, swell = along((strong, mix(strong, dark, 0.6), dark), number / 2), number * 2.2
            crest = [
                (x, top + 5 * math.sin(x / 31 + swell) + 2 * math.sin(x / 13 + number)) for x in range(-14, 300, 12)
            ]
            tones = (0, mix(tone, light, 0.34)), (0.35, tone), (1, mix(tone, dark, 0.5))
            sheet.path(between(crest, [(x, 400) for x, _ in crest]), linear((0, top - 6), (0, top + 40), *tones))
            for x, y in crest * 3:
                at = x + random.uniform(-8, 8)
                sheet.oval(at - 9, y - 2.4, at + random.uniform(4, 12), y + 2, ink(mix(FOAM, light, 0.25), 210))
            for _ in range(26):
                at, y = random.uniform(0, 270), top + random.uniform(9, 24)
                sheet.oval(at - random.uniform(5, 18), y - 1, at + 12, y + 1.4, ink(light, 80))
    return sheet.image()


def figure(suit: str) -> Image.Image:
    """Paint a suit's figure in the place that it has on the highest card."""
    sheet = Sheet(*CARD)
    {"B": wave, "G": _kelp, "R": _flag, "P": _wheel, "Y": _sun}[suit](sheet)
    return sheet.image()


def wave(sheet: Sheet, tones: tuple[Colour, ...] = TONES["B"][1:]) -> None:
    """Paint a wave that breaks; `tones`: light, strong, dark."""
    light, strong, dark = tones
    random = scatter(3)
    path = bend(
        "-20 380 18 306 64 232 118 178 176 152 226 164 256 204 254 246 232 266 236 238 214 218 186 224 166 252 166 296 "
        "196 336 290 356 290 400 -20 400"
    )
    sheet.path(path, linear((60, 150), (150, 390), (0, mix(strong, light, 0.35)), (0.4, strong), (1, dark)))

    def ribs() -> None:
        for number in range(11):
            at = number / 10
            rib = [(250 * at - 30, 392), (8 + 140 * at, 320 - 20 * at), (70 + 84 * at, 232 + 16 * at),
                   (150 + 40 * at, 168 + 48 * at), (214 + 6 * at, 178 + 42 * at)]  # fmt: skip
            tone = (mix(light, WHITE, 0.3), mix(strong, light, 0.5), mix(dark, strong, 0.4))[number % 3]
            sheet.path(smooth(rib), ink(tone, 210, stroke=2.5 + 5 * math.sin(math.pi * at)))

    sheet.inside(path, ribs)
    crest = dots("92 198 124 172 158 156 196 150 230 162 254 190 262 222 254 254 236 272")
    for number in range(len(crest) - 1):
        (x, y), (x2, y2) = crest[number], crest[number + 1]
        for _ in range(16):
            at, out = random.random(), random.gauss(0, 7 + number)
            size = random.uniform(2.5, 5.5 + number * 0.8)
            tone = mix(WHITE, light, random.uniform(0, 0.3))
            sheet.disc(x + (x2 - x) * at + out * 0.5, y + (y2 - y) * at + out * 0.6, size, ink(tone))
    for _ in range(40):
        sheet.disc(random.gauss(240, 22), random.gauss(270, 34), random.uniform(1.2, 3.4), ink(WHITE, 220))


def _kelp(sheet: Sheet) -> None:
    _, light, strong, dark = TONES["G"]
    random = scatter(8)
    for number, (foot, top) in enumerate(((150, 150), (248, 190), (116, 236), (204, 104), (176, 210), (232, 128))):
        tone, sway = mix(mix(strong, dark, 0.75), light, 0.08 + 0.09 * number), random.uniform(0, 6)
        stem = [(foot + (10 + 0.03 * up) * math.sin(up / 36 + sway), 380 - up) for up in range(0, 380 - top, 12)]
        sheet.path(smooth(stem), ink(mix(tone, dark, 0.4), stroke=5.5))
        for at, (x, y) in enumerate(stem[2:], 2):
            size = 21 * (1 - 0.5 * at / len(stem))
            out, parts = size if at % 2 else -size, ((0.8, 0.14), (1.5, 0.95), (0.5, 0.66))
            leaf = [(x, y + 2), *((x + out * aside, y - size * up) for aside, up in parts)]
            lit = linear((x, y), (x + out * 1.5, y - size), (0, tone), (1, mix(tone, light, 0.55)))
            sheet.path(smooth(leaf, closed=True), lit)


def _flag(sheet: Sheet) -> None:
    red, pale, edge = (200, 30, 46), (255, 232, 200), dots("178 48 199 38 219 54 240 44 262 60")
    foot = [(x - 3 * (x > 250), y + 110) for x, y in edge]

    def folds(colour: Colour) -> list[Colour]:
        lit = (BLACK, 0.2), (WHITE, 0.16), (BLACK, 0.24), (WHITE, 0.22), (BLACK, 0.2)
        return [mix(colour, other, part) for other, part in lit]

    solid(sheet, between(edge, foot), across(178, 262, *folds(red)), (70, 8, 24), 6)
    band = [(x, y + 44) for x, y in edge]
    sheet.path(between(band, [(x, y + 22) for x, y in band]), across(178, 262, *folds(pale)))
    sheet.line((172, 42), (172, 164), ink(PITCH, stroke=4))


def _wheel(sheet: Sheet) -> None:
    x, y, r = 166.0, 262.0, 96.0
    wood = mix(OAK, (120, 60, 120), 0.35)

    def at(part: float, degrees: float) -> tuple[float, float]:
        return x + math.cos(math.radians(degrees)) * r * part, y + math.sin(math.radians(degrees)) * r * part

    for number in range(8):
        turn = number * 45 + 22.5
        for start, tone, wide in ((0.0, PITCH, 15), (0.0, wood, 10), (0.9, PITCH, 20), (0.9, mix(wood, GOLD, 0.4), 14)):
            sheet.line(at(start, turn), at(1.04, turn), ink(tone, stroke=wide))
        sheet.line(at(0.1, turn - 12), at(0.86, turn - 1.4), ink(mix(wood, SUNLIT, 0.6), stroke=3))
    lit, dark = mix(wood, SUNLIT, 0.55), mix(wood, BLACK, 0.4)
    for part, wide, tone in ((0.73, 27, PITCH), (0.73, 21, wood), (0.77, 4, lit), (0.66, 4, dark)):
        sheet.disc(x, y, r * part, ink(tone, stroke=wide))
    for number in range(8):
        coin(sheet, *at(0.73, number * 45), 5, GOLD)
    coin(sheet, x, y, 26, GOLD)


def _sun(sheet: Sheet) -> None:
    x, y, r = 196.0, 178.0, 58.0
    glow = (0, (255, 244, 190), 230), (0.5, (255, 230, 150), 110), (1, (255, 220, 130), 0)
    sheet.disc(x, y, 150, radial((x, y), 150, *glow))
    for ray in range(24):
        turn, long = math.radians(ray * 15), 1.62 if ray % 2 else 1.34
        tip = [(x + math.cos(turn + side) * r * out, y + math.sin(turn + side) * r * out)
               for side, out in ((0.085, 1.1), (0, long), (-0.085, 1.1))]  # fmt: skip
        sheet.path(polygon(tip), ink((232, 138, 26)))
    sheet.disc(x, y, r * 1.03, ink((196, 96, 10)))
    face = (0, (255, 252, 220)), (0.45, (255, 214, 92)), (1, (236, 142, 30))
    sheet.disc(x, y, r * 0.97, radial((x - 16, y - 18), r * 1.5, *face))


def edge() -> Image.Image:
    """Paint a card's edge, pale within dark."""
    sheet, (width, height) = Sheet(*CARD), CARD
    sheet.box(1, 1, width - 1, height - 1, ink(INK, stroke=2), 20)
    sheet.box(5, 5, width - 5, height - 5, ink(PAPER, stroke=6), 16)
    return sheet.image()


def shape() -> Image.Image:
    """Paint a card's shape, in white."""
    sheet = Sheet(*CARD)
    sheet.box(0, 0, *CARD, ink(WHITE), 21)
    return sheet.image()


# What a card is worth, with room for a figure


def chest() -> Image.Image:
    """Paint an open chest of gold."""
    sheet, random = Sheet(132, 104), scatter(6)
    solid(sheet, bend("14 44 20 10 66 2 112 10 118 44"), down(2, 44, mix(OAK, SUNLIT, 0.3), mix(OAK, BLACK, 0.6)))
    for _ in range(26):
        place = min(max(random.gauss(66, 25), 18), 114), random.uniform(26, 46), random.uniform(6, 9)
        coin(sheet, *place, (246, 190, 70))
    sheet.box(8, 42, 124, 102, ink(PITCH), 9)
    sheet.box(11, 45, 121, 99, down(45, 99, (44, 116, 70), (24, 78, 48)), 7)
    for left in (11, 109):
        sheet.box(left, 45, left + 12, 99, across(left, left + 12, (255, 222, 140), (176, 116, 40)), 4)
    sheet.line((11, 47), (121, 47), ink((255, 222, 140), stroke=4))
    return sheet.image()


def wreck() -> Image.Image:
    """Paint a hull that has gone down."""
    sheet = Sheet(132, 104)
    spar(sheet, (44, 46), (62, 4), 4)
    sheet.path(bend("60 10 92 16 84 26 100 38 54 34"), ink((214, 200, 180)))
    sheet.line((46, 26), (86, 34), ink(PITCH, stroke=5))
    hull = corners("2 32 24 46 60 44 96 50 130 44 122 78 110 102 18 102 6 70")
    solid(sheet, hull, down(36, 102, (186, 56, 46), (128, 26, 26)))
    for hole in ("94 52 108 48 111 62 98 67", "108 64 122 60 125 74 112 79", "4 48 18 44 21 58 8 63"):
        sheet.path(corners(hole), ink((46, 10, 14)))
    foam(sheet, scatter(2), (8, 98, 124, 101), 30, 9)
    return sheet.image()


def pearl() -> Image.Image:
    """Paint a shell with a pearl, which counts only in the last light."""
    sheet = Sheet(132, 104)
    fan = "66 70 6 58 14 34 34 14 66 4 98 14 118 34 126 58"
    solid(sheet, bend(fan), ink((236, 196, 190)), wide=6)
    for rib in dots("20 44 40 22 66 14 92 22 112 44"):
        sheet.line((66, 66), rib, ink((190, 130, 134), 190, stroke=3))
    sheet.disc(66, 44, 17, radial((60, 37), 24, (0, WHITE), (0.5, (240, 232, 240)), (1, (158, 140, 170))))
    sheet.box(8, 56, 124, 102, ink(PITCH), 10)
    sheet.box(11, 59, 121, 99, down(58, 99, (66, 92, 128), (34, 54, 88)), 8)
    return sheet.image()
