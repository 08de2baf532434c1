"""What stands in the glade of Full Sun: boards and signs of wood, light, suns and clouds, birds."""

from __future__ import annotations

import math

import numpy as np
import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, limb, linear, polygon, radial, smooth

CREAM: Colour = (255, 246, 220)
WOODS: dict[str, Colour] = {
    "board_idle": (86, 58, 40), "board_turn": (238, 188, 100), "board_rung": (104, 72, 48), "board_fits": (40, 96, 52),
    "sign_B": (152, 88, 20), "sign_R": (142, 28, 78), "sign_S": (4, 94, 118), "sign_L": (38, 76, 20),
    "sign_W": (24, 48, 142), "sign_Sun": (222, 160, 36), "sign_none": (70, 53, 39),
}  # fmt: skip
"""The wood of players' boards, of the ruler's rungs, and of the cards' signs."""
EDGE = 12
"""Pixels of soft shadow round a board or a sign."""


def board(name: str) -> Image.Image:
    """Paint a board with long grain: a player's with four nails, a card's sign with a routed line. Pictures stretch it
    between its corners.
    """
    sign, tone, chance = name.startswith("sign"), WOODS[name], scatter(name.replace("_", " "))
    wide, tall, radius, some = 240 - 20 * sign, 96 if sign else 200, 12 if sign else 14, chance.uniform
    sheet, shape = Sheet(wide + 2 * EDGE, tall + 2 * EDGE), skia.Path()
    shape.addRoundRect((0, 0, wide, tall), radius, radius)

    def grain() -> None:
        stops = (0, mix(tone, (255, 244, 200), 0.17)), (0.5, tone), (1, mix(tone, BLACK, 0.25))
        sheet.canvas.drawPaint(linear((0, 0), (0, tall), *stops))
        for _ in range(wide * tall // 330):
            x, y, long = some(-40, wide), some(2, tall - 2), some(40, 170)
            line = mix(tone, BLACK if chance.random() < 0.66 else (255, 240, 200), some(0.12, 0.36))
            path = smooth([(x, y), (x + long / 2, y + some(-1.8, 1.8)), (x + long, y + some(-1, 1))])
            sheet.path(path, ink(line, round((82 if sign else 66) * some(0.5, 1.4)), stroke=some(0.8, 2)))

    sheet.canvas.translate(EDGE, EDGE)
    sheet.box(0, 4, wide, tall + 3, ink((4, 12, 14), 150, blur=5), radius)
    sheet.inside(shape, grain)
    for y in () if sign else (tall * 0.36, tall * 0.7):  # planks
        sheet.line((2, y), (wide - 2, y), ink(mix(tone, BLACK, 0.5), 170, stroke=2.6))
        sheet.line((2, y + 2.2), (wide - 2, y + 2.2), ink(mix(tone, (255, 244, 200), 0.3), 130, stroke=1.4))
    sheet.path(shape, ink(mix(tone, BLACK, 0.64), stroke=3))
    sheet.line((radius, tall - 4), (wide - radius, tall - 4), ink(mix(tone, BLACK, 0.5), 150, stroke=4))
    sheet.line((radius, 2.6), (wide - radius, 2.6), ink(mix(tone, (255, 246, 210), 0.55), 200, stroke=1.8))
    for shift, line, alpha in ((1.2, mix(tone, BLACK, 0.6), 200), (0, mix(tone, CREAM, 0.84), 240)) if sign else ():
        sheet.box(6.5, 6.5 + shift, wide - 6.5, tall - 6.5 + shift, ink(line, alpha, stroke=2.6), 7)
    nailed = name in ("board_idle", "board_turn")
    for x, y in ((10, 10), (wide - 10, 10), (10, tall - 10), (wide - 10, tall - 10)) if nailed else ():
        sheet.disc(x, y + 0.6, 3.6, ink((20, 14, 12), 200))
        sheet.disc(x - 0.8, y - 0.6, 2.2, ink((204, 184, 148), 220))
    return sheet.image()


# Light


def shaft() -> Image.Image:
    """Paint the light that falls on the highest tree, with motes in it."""
    wide, tall = 330, 514
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    part = y / tall
    away = np.abs(x - wide / 2 - (1 - part) * 6) / (34 + part * (wide * 0.5 - 52))
    streaks = np.sin(x * 0.045 - y * 0.012) * 0.05 + np.sin(x * 0.11 - y * 0.02 + 2) * 0.03
    fall = ((part - 0.02) / 0.2).clip(0, 1) * (1 - 0.4 * part) * (0.62 + streaks)
    alpha = ((1.06 - away) / 0.34).clip(0, 1) ** 1.5 * fall
    colours = np.stack([np.full_like(x, 255), 242 - 16 * part, 188 - 30 * part, alpha * 255], -1)
    whole = Image.fromarray(colours.clip(0, 255).astype(np.uint8), "RGBA")
    sheet, chance = Sheet(wide, tall), scatter("motes")
    for _ in range(60):
        down, across = chance.uniform(0.12, 0.95), chance.uniform(-0.8, 0.8)
        paint = ink((255, 250, 220), chance.randrange(90, 230))
        sheet.disc(wide / 2 + across * (34 + down * (wide / 2 - 60)), down * tall, chance.uniform(0.9, 2.3), paint)
    whole.alpha_composite(sheet.image())
    return whole


def spot(wide: int, tall: int, colour: Colour, alpha: int, flat: float) -> Image.Image:
    """Paint a soft oval on the ground: the pool of light round the highest tree, the shade below a tree."""
    sheet, middle, radius = Sheet(wide, tall), (wide / 2, tall / 2), wide / 2 - 4
    stops = (0, colour, alpha), (0.5, colour, round(alpha * 0.57)), (1, colour, 0)
    sheet.canvas.drawPaint(radial(middle, radius, *stops, flat=flat))
    return sheet.image()


def tuft(number: int) -> Image.Image:
    """Paint grass that stands before a trunk."""
    sheet, chance = Sheet(130, 46, 3), scatter(f"tuft {number}")
    for _ in range(54):
        x, bend = 65 + chance.gauss(0, 27), chance.uniform(-7, 7)
        long = chance.uniform(8, 32) * max(0.3, 1 - abs(x - 65) / 72)
        tone = along(((26, 50, 36), (70, 96, 46), (156, 162, 70)), chance.random())
        limb(sheet, [(x, 44), (x + bend * 0.3, 44 - long * 0.6), (x + bend, 44 - long)], 3.4, 0.6, tone, tone)
    return sheet.image()


def rays(
    sheet: Sheet, middle: Point, radius: float, count: int, reach: tuple[float, float], wide: float, tone: Colour
) -> None:
    """Paint the rays of a sun: each second one as long as the second number of `reach`."""
    for number in range(count):
        turn, tips = number * math.tau / count, ((radius, -wide), (reach[number % 2], 0), (radius, wide))
        ends = [(middle[0] + out * math.cos(turn + by), middle[1] + out * math.sin(turn + by)) for out, by in tips]
        sheet.path(polygon(ends), ink(tone))


def point() -> Image.Image:
    """Paint a point: a risen sun."""
    sheet, middle = Sheet(80, 80), (20, 20)
    sheet.canvas.scale(2, 2)
    for grow, tone in ((1.6, (70, 40, 14)), (0, (255, 198, 60))):
        rays(sheet, middle, 10 + grow, 12, (18.2 + grow, 16.4 + grow), 0.24 + grow * 0.04, tone)
    sheet.disc(*middle, 12, ink((150, 84, 14)))
    sheet.disc(*middle, 11, radial((16, 15), 16, (0, (255, 252, 214)), (0.45, (255, 216, 92)), (1, (234, 152, 32))))
    return sheet.image()


def pip() -> Image.Image:
    """Paint a pip: a white dot. (A sun is a point.)"""
    sheet = Sheet(24, 24, 4)
    sheet.disc(12, 12, 9, ink(WHITE))
    return sheet.image()


def high_sun() -> Image.Image:
    """Paint the Sun card's sun, as it stands over the glade."""
    sheet, middle = Sheet(300, 300), (150, 150)
    glow = (0, (255, 240, 160), 255), (0.5, (255, 226, 120), 130), (1, (255, 214, 100), 0)
    sheet.canvas.drawPaint(radial(middle, 150, *glow))
    rays(sheet, middle, 62, 20, (122, 96), 0.1, (255, 236, 150))
    sheet.disc(*middle, 64, ink((214, 128, 20)))
    face = (0, (255, 255, 236)), (0.55, (255, 238, 150)), (1, (255, 196, 66))
    sheet.disc(*middle, 59, radial((134, 130), 84, *face))
    return sheet.image()


def cloud() -> Image.Image:
    """Paint the Rain card's cloud, low over the ground, with its rain."""
    sheet, chance = Sheet(230, 190), scatter("cloud")
    for _ in range(34):
        x, y, long = chance.uniform(44, 196), chance.uniform(84, 140), chance.uniform(16, 40)
        drop = ink((214, 228, 246), chance.randrange(120, 240), stroke=chance.uniform(1.8, 3))
        sheet.line((x, y), (x - long * 0.22, y + long), drop)
    puffs = ((52, 82, 32), (86, 58, 40), (128, 52, 44), (168, 70, 36),
             (196, 88, 24), (112, 84, 38), (150, 86, 34), (76, 90, 28))  # fmt: skip
    for grow, tone in ((4, (24, 34, 66)), (0, (74, 94, 140))):
        for x, y, radius in puffs:
            sheet.disc(x, y, radius + grow, ink(tone))
    for x, y, radius in puffs:
        stops = (0, (176, 194, 222)), (0.5, (112, 134, 178)), (1, (70, 88, 134))
        sheet.disc(x - 3, y - 5, radius - 4, linear((0, y - radius), (0, y + radius), *stops))
    return sheet.image()


# Signs


def chevron() -> Image.Image:
    """Paint the way that a trick goes."""
    sheet, arrow = Sheet(40, 44, 3), polygon([(11, 8), (27, 22), (11, 36)], closed=False)
    sheet.path(arrow, ink((16, 26, 22), 210, stroke=11))
    sheet.path(arrow, ink((248, 222, 148), stroke=5.6))
    return sheet.image()


# Birds

BIRDS: tuple[tuple[float, float, float, float, float, str], ...] = (
    (15, 13, 9.5, 16, 7, ""), (12, 17, 11, 8, 5, "ears"), (14, 11, 8.5, 19, 12, ""), (13, 12, 9, 12, 6, "crest"),
    (11, 10.5, 8.5, 11, 8, "tail"), (17, 14, 8.5, 12, 9, ""), (12, 11, 9.5, 20, 5, "crest"), (15, 15, 10, 9, 14, ""),
)  # fmt: skip
"""A player's bird: half its body across and down, its head, its tail, its beak, and what is special: eight shapes."""
TUFTS = {"ears": (-0.75, 0.75), "crest": (-0.9, -0.5, -0.1)}
"""Where feathers stand on a head, in radians from above."""


def bird(number: int, *, plumage: bool) -> Image.Image:
    """Paint a bird that looks to the right: its plumage, pale, to be coloured; or all else of it."""
    across, down, head, tail, beak, special = BIRDS[number]
    sheet, x, y, lift = Sheet(144, 128, 2), 34.0, 58 - down, -0.9 if special == "tail" else 0.35
    sheet.canvas.scale(2, 2)
    hx, hy = x + across * 0.62, y - down * 0.82
    if not plumage:
        for px in (x - 2, x + 4):
            sheet.line((px, y + down - 2), (px + 1, 62), ink((230, 150, 60), stroke=2))
        tip = polygon([(hx + head * 0.8, hy - 3), (hx + head + beak, hy + 1), (hx + head * 0.8, hy + 4)])
        sheet.path(tip, ink((250, 190, 70)))
        sheet.disc(hx + head * 0.3, hy - 1.5, 3.4, ink((255, 252, 240)))
        sheet.disc(hx + head * 0.45, hy - 1.5, 2.1, ink((20, 14, 12)))
        brow = smooth([(hx - head * 0.9, hy), (hx - head * 0.5, hy - head * 0.85), (hx + head * 0.3, hy - head * 0.95)])
        sheet.path(brow, ink((255, 248, 220), 210, stroke=1.6))
        return sheet.image()
    rim = [(x + px * across, y + py * down) for px, py in ((0.95, 0.2), (0.2, 1), (-0.7, 0.6), (-1, 0), (-0.3, -0.7))]
    body = smooth([(hx + head * 0.4, hy + head * 0.6), *rim], closed=True)
    end = x - across - tail, y + tail * lift
    shapes = [body, polygon([(x - across * 0.7, y - 4), (end[0], end[1] - 3), (end[0] + tail * 0.1, end[1] + 5),
                             (x - across * 0.5, y + down * 0.6)])]  # fmt: skip
    for turn in TUFTS.get(special, ()):
        tips = (turn - 0.4, 0.9), (turn, 1.6), (turn + 0.4, 0.9)
        shapes.append(polygon([(hx + math.sin(to) * head * out, hy - math.cos(to) * head * out) for to, out in tips]))
    for grow, tone in ((2.4, (40, 36, 44)), (0, (214, 212, 216))):
        for shape in shapes:
            sheet.path(shape, ink(tone, stroke=grow * 2))
        sheet.disc(hx, hy, head + grow, ink(tone))
    sheet.disc(hx, hy, head, radial((hx - 3, hy - 4), head * 1.6, (0, WHITE), (1, (190, 188, 196))))
    down_feathers = (0, WHITE), (0.5, (224, 222, 226)), (1, (150, 146, 160))
    sheet.path(body, radial((x + across / 2, y), across * 1.7, *down_feathers))
    wing = (0.2, -0.35), (-0.1, 0.5), (-1.15, 0.3), (-0.7, -0.3)
    sheet.path(smooth([(x + px * across, y + py * down) for px, py in wing], closed=True), ink((128, 124, 138)))
    return sheet.image()


def umbrella() -> Image.Image:
    """Paint the leaf that keeps a bird dry."""
    sheet = Sheet(78, 66, 4)
    sheet.line((39, 24), (34, 64), ink((96, 136, 56), stroke=3))
    leaf = smooth([(4, 34), (14, 14), (40, 4), (64, 14), (75, 36), (40, 26)], closed=True)
    sheet.edged(leaf, linear((0, 4), (0, 36), (0, (176, 214, 104)), (1, (84, 138, 48))), (30, 66, 26), 3)
    for end in ((14, 27), (28, 24), (52, 24), (66, 28)):
        sheet.line((40, 6), end, ink((64, 112, 40), stroke=1.4))
    return sheet.image()


# Beside a small hand


def _blades(sheet: Sheet, name: str, wide: float, foot: float) -> None:
    """Paint grass at the foot of a thing."""
    chance = scatter(name)
    for _ in range(60):
        x, long, bend = chance.uniform(6, wide - 6), chance.uniform(8, 26), chance.uniform(-8, 8)
        tone = along(((26, 50, 36), (70, 96, 46), (156, 162, 70)), chance.random())
        limb(sheet, [(x, foot), (x + bend * 0.3, foot - long * 0.6), (x + bend, foot - long)], 3.6, 0.6, tone, tone)


def toadstools() -> Image.Image:
    """Paint three toadstools in the grass."""
    sheet, dark = Sheet(210, 190), (40, 18, 16)
    sheet.oval(14, 150, 200, 188, ink(BLACK, 110, blur=8))
    for x, foot, size in ((150.0, 166.0, 0.62), (50.0, 170.0, 0.48), (96.0, 176.0, 1.0)):
        stem = [(-13, 0), (-9, -52), (-11, -78), (11, -78), (9, -52), (15, 0)]
        stalk = smooth([(x + px * size, foot + py * size) for px, py in stem], closed=True)
        pale = (0, (255, 248, 226)), (0.5, (236, 220, 188)), (1, (150, 128, 104))
        sheet.edged(stalk, linear((x - 14 * size, 0), (x + 15 * size, 0), *pale), dark, 5)
        frill = [(-19, -58), (0, -50), (19, -58), (12, -68), (-12, -68)]
        sheet.path(smooth([(x + px * size, foot + py * size) for px, py in frill], closed=True), ink((246, 234, 206)))
        cap = [(-62, -76), (-52, -112), (-20, -140), (20, -140), (52, -112), (62, -76), (30, -68), (-30, -68)]
        hat = smooth([(x + px * size, foot + py * size) for px, py in cap], closed=True)
        red = (0, (255, 132, 92)), (0.4, (222, 58, 44)), (1, (112, 14, 26))
        sheet.edged(hat, radial((x - 22 * size, foot - 122 * size), 100 * size, *red), dark, 6)
        for px, py, r in ((-34, -96, 9), (-6, -122, 10), (26, -110, 8), (4, -90, 8), (44, -86, 6), (-52, -80, 5)):
            at = x + px * size, foot + py * size
            sheet.oval(at[0] - r * size, at[1] - r * 0.8 * size, at[0] + r * size, at[1] + r * 0.8 * size, ink(CREAM))
    _blades(sheet, "toadstools", 210, 184)
    return sheet.image()


def hedgehog() -> Image.Image:
    """Paint a hedgehog in the grass, which looks at the cards on its left."""
    sheet, chance, dark = Sheet(220, 160), scatter("hedgehog"), (36, 24, 22)
    sheet.oval(16, 122, 208, 158, ink(BLACK, 110, blur=8))
    for x in (74.0, 104.0, 148.0, 172.0):
        sheet.oval(x - 12, 128, x + 12, 146, ink(dark))
    face = smooth([(14, 112), (40, 84), (78, 66), (98, 92), (92, 134), (52, 134), (24, 124)], closed=True)
    sheet.edged(face, linear((30, 70), (70, 140), (0, (248, 220, 172)), (1, (176, 126, 82))), dark, 6)
    back = smooth([(70, 76), (90, 42), (136, 22), (180, 42), (206, 92), (196, 134), (110, 140), (88, 120)], closed=True)
    sheet.edged(back, linear((100, 20), (150, 150), (0, (150, 110, 78)), (1, (58, 38, 34))), dark, 7)
    spines = [(chance.uniform(70, 206), chance.uniform(24, 138)) for _ in range(520)]
    for x, y in sorted(spines, key=lambda at: -at[1]):
        turn = math.atan2(y - 128, x - 108)
        if ((x - 140) / 66) ** 2 + ((y - 88) / 62) ** 2 < 1:
            tone = along(((64, 42, 36), (120, 84, 58), (214, 176, 124)), chance.random() * (1 - y / 190))
            tip = x + 17 * math.cos(turn), y + 17 * math.sin(turn)
            sheet.path(polygon([(x - 3, y + 2), tip, (x + 3, y - 2)]), ink(dark))
            sheet.path(polygon([(x - 1.8, y + 1), tip, (x + 1.8, y - 1)]), ink(tone))
    sheet.oval(80, 74, 102, 100, ink(dark))
    sheet.oval(83, 77, 99, 97, ink((214, 160, 112)))
    sheet.disc(15, 111, 8, ink(dark))
    sheet.disc(13, 108, 2.6, ink(WHITE))
    sheet.disc(56, 98, 6.4, ink(dark))
    sheet.disc(54, 96, 2.4, ink(WHITE))
    sheet.path(smooth([(26, 124), (38, 128), (50, 122)]), ink(dark, stroke=3))
    _blades(sheet, "hedge", 220, 156)
    return sheet.image()
