"""The posters of Full Sun's cards: a clearing in the light of each suit, for its tree; the rain; the sun."""

from __future__ import annotations

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, ground, ink, limb, linear, polygon, radial
from rendering.studio.full_sun.things import rays
from rendering.studio.full_sun.trees import TONES

WIDE, TALL = 264, 372
SKIES: dict[str, tuple[Colour, ...]] = {
    "B": ((255, 250, 226), (253, 224, 164), (238, 180, 110)), "R": ((255, 248, 242), (252, 220, 218), (234, 172, 188)),
    "S": ((246, 253, 246), (202, 232, 226), (132, 190, 190)), "L": ((253, 251, 222), (226, 230, 166), (164, 184, 112)),
}  # fmt: skip


def clearing(suit: str) -> Image.Image:
    """Paint the ground of a tree's card: a high sun behind three rows of woods, and the hill on which the tree is."""
    sheet, chance, sky = Sheet(WIDE, TALL), scatter(f"poster {suit}"), SKIES[suit]
    some, dark, at = chance.uniform, mix(TONES[suit][1], (40, 70, 44), 0.3), (WIDE * 0.62, TALL * 0.5)
    sheet.canvas.drawPaint(linear((0, 0), (0, TALL * 0.7), *zip((0, 0.45, 1), sky, strict=True)))
    for foot, half in ((60, 20), (150, 34), (262, 24)):
        shaft = polygon([(foot - 190, -10), (foot - 168, -10), (foot + half, TALL), (foot - half, TALL)])
        sheet.path(shaft, ink((255, 255, 240), 76))
    for radius, alpha in ((118, 70), (96, 110), (76, 235)):
        sheet.disc(*at, radius, ink(mix(sky[0], (255, 248, 200), 0.5), alpha))
    for line, near, size in ((0.64, 0.16, 17), (0.7, 0.36, 22), (0.76, 0.58, 28)):
        tone = mix(mix(sky[2], WHITE, 0.1), dark, near)
        x = -some(0, 1) * size
        while x < WIDE + size:
            wide, high = size * some(0.8, 1.3), size * some(0.5, 1.3)
            sheet.oval(x - wide, TALL * line - high, x + wide, TALL * line + high, ink(tone))
            lit = x - wide * 0.7, TALL * line - high * 0.94, x + wide * 0.3, TALL * line + high * 0.2
            sheet.oval(*lit, ink(mix(tone, sky[0], 0.1)))
            x += wide * some(0.7, 1.3)
        sheet.box(0, TALL * line, WIDE, TALL, ink(tone))
    hill = ground([(-10, TALL * 0.84), (WIDE * 0.6, TALL * 0.795), (WIDE + 10, TALL * 0.82)], TALL + 10)
    sheet.path(hill, ink(mix(dark, (255, 236, 150), 0.62), stroke=5))
    sheet.path(hill, linear((0, TALL * 0.8), (0, TALL), (0, mix(dark, (250, 230, 140), 0.34)), (0.5, dark),
                            (1, mix(dark, BLACK, 0.5))))  # fmt: skip
    sheet.oval(at[0] - 70, TALL * 0.825, at[0] + 96, TALL * 0.875, ink(mix(dark, BLACK, 0.5), 170))
    for _ in range(90):
        x, part, bend = some(0, WIDE), chance.random(), some(-3, 3)
        y, long, pale = TALL * (0.84 + 0.15 * part), some(7, 16), chance.random() < 0.5
        tone = mix(dark, (250, 236, 150) if pale else BLACK, some(0.16, 0.4) * (1.2 - part))
        limb(sheet, [(x, y), (x + bend, y - long)], 3, 0.6, tone, tone)
    return sheet.image()


def rain() -> Image.Image:
    """Paint the ground of the Rain card."""
    sheet, chance = Sheet(WIDE, TALL), scatter("poster Rain")
    some = chance.uniform
    sky = (0, (236, 242, 248)), (0.34, (178, 194, 218)), (0.7, (84, 104, 146)), (1, (36, 50, 88))
    sheet.canvas.drawPaint(linear((0, 0), (0, TALL), *sky))
    for layer, (tone, y) in enumerate((((126, 146, 184), 172), ((92, 112, 156), 204), ((62, 82, 128), 236))):
        paint = linear((0, y - 60), (0, y + 50), (0, mix(tone, WHITE, 0.34 - 0.06 * layer)), (1, tone))
        for number in range(7):
            sheet.disc(WIDE * (0.02 + 0.17 * number) + some(-12, 12), y + some(-14, 14), some(34, 54), paint)
    for _ in range(90):
        start, long = (some(-10, WIDE + 30), some(236, TALL)), some(20, 46)
        drop = ink((212, 228, 248), chance.randrange(90, 220), stroke=some(1.6, 3))
        sheet.line(start, (start[0] - long * 0.26, start[1] + long), drop)
    puddle = linear((0, TALL - 62), (0, TALL), (0, (150, 172, 210)), (1, (58, 78, 124)))
    sheet.oval(-60, TALL - 58, WIDE + 40, TALL + 30, puddle)
    for x, low, wide in ((70, 34, 30), (168, 22, 40), (222, 44, 20)):
        for out in (wide, wide / 2):
            ring = ink((214, 230, 250), 190, stroke=2)
            sheet.oval(x - out, TALL - low - out * 0.26, x + out, TALL - low + out * 0.26, ring)
    return sheet.image()


def sun() -> Image.Image:
    """Paint the ground of the Sun card."""
    sheet, chance, x, y = Sheet(WIDE, TALL), scatter("poster Sun"), WIDE * 0.58, TALL * 0.55
    some = chance.uniform
    sky = (0, (255, 253, 222)), (0.35, (255, 228, 122)), (0.7, (250, 178, 56)), (1, (216, 108, 36))
    sheet.canvas.drawPaint(radial((x, y), 300, *sky))
    rays(sheet, (x, y), 84, 24, (178, 236), 0.06, (255, 242, 168))
    sheet.disc(x, y, 82, ink((228, 134, 22)))
    face = (0, (255, 254, 232)), (0.6, (255, 236, 140)), (1, (255, 198, 70))
    sheet.disc(x, y, 76, radial((x - 20, y - 24), 110, *face))
    hill = ground([(-10, TALL * 0.9), (WIDE * 0.5, TALL * 0.86), (WIDE + 10, TALL * 0.9)], TALL + 10)
    tones = (0, (190, 116, 30)), (0.4, (152, 91, 27)), (1, (96, 54, 22))
    sheet.path(hill, linear((0, TALL * 0.86), (0, TALL), *tones))
    for _ in range(60):
        px, long, foot, tip = some(0, WIDE), some(8, 20), TALL * 0.9 + some(-6, 20), some(-4, 4)
        tone = mix((120, 72, 24), (232, 168, 60), chance.random())
        limb(sheet, [(px, foot), (px + tip, TALL * 0.88 - long)], 3, 0.6, tone, tone)
    return sheet.image()
