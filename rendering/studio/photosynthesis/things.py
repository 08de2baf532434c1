"""What lies and stands round the board: gardeners and their hats, coins of light, tokens, tags, leaves, the sun."""

from __future__ import annotations

import math
from random import Random

import skia
from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio import brush
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, polygon, radial, smooth
from rendering.studio.photosynthesis.trees import LEAVES

STRAW: tuple[Colour, Colour, Colour] = ((120, 78, 30), (206, 156, 76), (248, 216, 140))
WOOD: tuple[Colour, Colour] = ((172, 120, 70), (66, 42, 30))
TOKENS: tuple[Colour, ...] = ((190, 212, 118), (68, 104, 44), (46, 90, 44), (26, 68, 42))
SUN: tuple[Colour, ...] = ((255, 250, 214), (255, 226, 112), (255, 190, 60), (236, 128, 30))


def _leaf(sheet: Sheet, x: float, y: float, size: float, degrees: float, light: Colour, dark: Colour) -> None:
    """A leaf with a lit half and a vein, its tip in that direction."""
    parts = (-0.5, 0), (-0.3, -0.24), (0.06, -0.3), (0.34, -0.16), (0.54, 0)
    half = [(px * size, py * size) for px, py in parts]
    whole = smooth([*half, *((px, -py) for px, py in half[-2:0:-1])], closed=True)
    with sheet.moved(x, y, degrees):
        sheet.edged(whole, ink(dark), mix(dark, BLACK, 0.35), size * 0.09)
        sheet.path(smooth(half), ink(light))
        sheet.line((-0.5 * size, 0), (0.36 * size, 0), ink(mix(light, WHITE, 0.5), 220, stroke=size * 0.05))


# Gardeners: a face under a hat, behind the counter of a stall

BUST, HAT = (100, 98), (112, 52)
SKIN: tuple[Colour, ...] = ((226, 168, 128), (236, 188, 158), (148, 94, 66), (196, 136, 96))
HAIR: tuple[Colour, ...] = ((116, 52, 30), (226, 224, 220), (40, 28, 30), (92, 58, 34))


def gardener(seat: int) -> Image.Image:
    """Head and shoulders of a gardener."""
    sheet = Sheet(*BUST, 3)
    portray(sheet, seat)
    return sheet.image()


def portray(sheet: Sheet, seat: int, k: int = 1) -> None:
    """Paint head and shoulders in a smock of the variety's colour: freckles, a white beard, dark locks, a moustache.
    `k`: how fine the hat is.
    """
    tones, skin, hair = LEAVES[seat], SKIN[seat], HAIR[seat]
    x, y = 50, 56
    body = smooth([(2, 104), (8, 84), (28, 76), (50, 72), (72, 76), (92, 84), (98, 104)])
    body.close()
    sheet.path(body, linear((4, 70), (96, 100), (0, tones[4]), (0.4, tones[2]), (1, tones[0])))
    for side in (-1, 1):
        sheet.path(smooth([(x + side * 26, 77), (x + side * 20, 104)]), ink((236, 222, 190), stroke=7))
    dark = mix(skin, (70, 26, 22), 0.55)
    if seat == 2:
        for dx, dy in ((-24, -4), (-25, 8), (-21, 18), (24, -4), (25, 8), (21, 18)):
            sheet.disc(x + dx, y + dy, 9, ink(hair))
    sheet.box(x - 10, y + 8, x + 10, y + 24, ink(dark), 6)
    for side in (-1, 1):
        sheet.oval(x + side * 24 - 5, y - 6, x + side * 24 + 5, y + 8, ink(mix(skin, dark, 0.35)))
    head = smooth([(x - 24, y - 10), (x, y - 28), (x + 24, y - 10), (x + 19, y + 14), (x, y + 25), (x - 19, y + 14)],
                  closed=True)  # fmt: skip
    sheet.path(head, radial((x - 9, y - 10), 40, (0, mix(skin, WHITE, 0.3)), (0.55, skin), (1, mix(skin, dark, 0.7))))
    if seat == 1:
        beard = [(x - 22, y + 3), (x - 8, y + 8), (x + 8, y + 8), (x + 22, y + 3), (x + 17, y + 26), (x, y + 38)]
        sheet.path(smooth([*beard, (x - 17, y + 26)], closed=True), linear((x - 18, y), (x + 18, y + 36),
            (0, WHITE), (1, mix(hair, (90, 96, 120), 0.4))))  # fmt: skip
    for side in (-1, 1):
        sheet.disc(x + side * 14, y + 7, 6, ink((226, 90, 70), 80, blur=2))
        sheet.oval(x + side * 9 - 3.4, y - 6, x + side * 9 + 3.4, y + 3, ink((36, 24, 26)))
        sheet.disc(x + side * 9 - 1, y - 3.4, 1.3, ink(WHITE))
        brow = [(x + side * 5, y - 11), (x + side * 10, y - 13), (x + side * 15, y - 10)]
        sheet.path(smooth(brow), ink(mix(hair, dark, 0.3), stroke=3))
    sheet.oval(x - 4, y + 1, x + 4, y + 8, ink(mix(skin, (206, 80, 60), 0.35)))
    if seat == 3:
        for side in (-1, 1):
            sheet.path(smooth([(x, y + 9), (x + side * 9, y + 9), (x + side * 17, y + 14)]), ink(hair, stroke=7))
    sheet.path(smooth([(x - 8, y + 14), (x, y + 18), (x + 8, y + 14)]), ink((130, 40, 40), stroke=2.6))
    if seat == 0:
        for dx, dy in ((-16, 2), (-13, 6), (16, 2), (13, 6)):
            sheet.disc(x + dx, y + dy, 1.3, ink(dark))
        for side in (-1, 1):
            sheet.path(smooth([(x + side * 23, y - 8), (x + side * 28, y + 10), (x + side * 25, y + 26)]),
                       ink(hair, stroke=9))  # fmt: skip
    with sheet.moved(x - 46, 0, 0, 0.82 / k, 0.82 / k):
        sheet.lay(hat(seat, k), 0, 0)


def hat(seat: int, k: int = 1) -> Image.Image:
    """A straw hat with a bird, a pointed cap, a crown of leaves, a flat cap with a feather; `k` times as large."""
    sheet, tones = Sheet(HAT[0] * k, HAT[1] * k, 3), LEAVES[seat]
    sheet.canvas.scale(k, k)
    x = HAT[0] / 2
    dark, middle, light = STRAW
    if seat == 0:
        sheet.oval(x - 52, 28, x + 52, 50, linear((x - 52, 0), (x + 52, 0), (0, light), (0.5, middle), (1, dark)))
        sheet.oval(x - 44, 36, x + 44, 50, ink(dark, 120))
        sheet.path(smooth([(x - 29, 40), (x - 24, 14), (x, 7), (x + 24, 14), (x + 29, 40), (x, 45)], closed=True),
                   linear((x - 28, 0), (x + 28, 0), (0, light), (0.5, middle), (1, dark)))  # fmt: skip
        sheet.path(smooth([(x - 29, 34), (x, 41), (x + 29, 34)]), ink(tones[2], stroke=6))
        for step in range(4):
            straw = smooth([(x - 50 + step * 6, 37 + step), (x, 46 - step * 2), (x + 50 - step * 6, 37 + step)])
            sheet.path(straw, ink(dark, 70, stroke=1))
        sheet.oval(x + 14, 0, x + 32, 13, ink((60, 120, 176)))  # the bird
        sheet.disc(x + 31, 4, 5, ink((60, 120, 176)))
        sheet.path(polygon([(x + 35, 3), (x + 41, 5), (x + 35, 7)]), ink((250, 190, 60)))
        sheet.disc(x + 32.5, 3.4, 1.2, ink(BLACK))
        sheet.oval(x + 16, 6, x + 27, 13, ink((250, 214, 170)))
    elif seat == 1:
        sheet.path(smooth([(x - 36, 44), (x - 24, 20), (x - 2, 5), (x + 22, 1), (x + 40, 12), (x + 24, 16),
            (x + 30, 30), (x + 36, 44), (x, 50)], closed=True),
                   linear((x - 36, 0), (x + 36, 40), (0, tones[4]), (0.4, tones[3]), (1, tones[1])))  # fmt: skip
        sheet.path(smooth([(x - 37, 41), (x, 49), (x + 37, 41)]), ink((236, 230, 214), stroke=9))
        sheet.path(smooth([(x - 37, 44), (x, 52), (x + 37, 44)]), ink((170, 160, 150), 130, stroke=3))
        sheet.disc(x + 41, 12, 7, ink((246, 240, 226)))
    elif seat == 2:
        random = scatter("wreath")
        for step in range(19):
            part = step / 18
            px, py = x - 40 + 80 * part, 38 - 18 * math.sin(part * math.pi)
            degrees = -150 + 120 * part + random.uniform(-14, 14)
            _leaf(sheet, px, py + (8 if step % 2 else 0), 25, degrees, tones[4], tones[2] if step % 3 else tones[1])
        for px, py, petal in ((-20, 26, (255, 244, 236)), (2, 20, (255, 190, 206)), (24, 27, (255, 244, 236))):
            for step in range(5):
                turn = math.tau * step / 5
                sheet.disc(x + px + 5.4 * math.cos(turn), py + 5 * math.sin(turn), 4, ink(petal))
            sheet.disc(x + px, py, 3.4, ink((250, 186, 60)))
    else:
        sheet.path(smooth([(x - 42, 42), (x - 46, 28), (x - 26, 14), (x + 8, 10), (x + 36, 18), (x + 44, 34),
            (x + 38, 44), (x, 46)], closed=True),
                   linear((x - 40, 0), (x + 44, 44), (0, tones[5]), (0.35, tones[3]), (1, tones[0])))  # fmt: skip
        sheet.path(smooth([(x - 44, 42), (x - 54, 48), (x - 20, 50), (x + 30, 48)]), ink(tones[0], stroke=6))
        sheet.path(smooth([(x - 10, 12), (x + 4, 26), (x + 10, 44)]), ink(tones[1], 120, stroke=2))
        feather = smooth([(x + 26, 38), (x + 34, 16), (x + 50, 2), (x + 46, 22), (x + 32, 38)], closed=True)
        sheet.path(feather, linear((x + 30, 40), (x + 50, 0), (0, (150, 40, 30)), (1, (240, 120, 80))))
    return sheet.image()


# Light, points, prices


def coin() -> Image.Image:
    """A coin of light: a sun with short rays, its face free for a number."""
    sheet, c = Sheet(72, 72, 3), 36
    for step in range(18):
        turn = math.tau * step / 18
        ray = [(c + r * math.cos(turn + lean), c + r * math.sin(turn + lean))
               for r, lean in ((31, -0.15), (35.5, 0), (31, 0.15))]  # fmt: skip
        sheet.path(polygon(ray), ink(SUN[3]))
    sheet.disc(c, c, 32, ink((150, 76, 16)))
    sheet.disc(c, c, 30, linear((c - 20, c - 24), (c + 20, c + 24), (0, SUN[0]), (0.45, SUN[1]), (1, SUN[2])))
    face = (0, (255, 243, 180)), (0.5, (255, 222, 104)), (1, (252, 192, 66))
    sheet.disc(c, c, 26.5, radial((c - 7, c - 9), 42, *face))
    return sheet.image()


def token(leaves: int) -> Image.Image:
    """A token of harvest: a slice of a trunk with bark, its face in the green of its soil."""
    sheet, c, random = Sheet(92, 92, 3), 46, scatter(f"token {leaves}")
    colour = TOKENS[leaves - 1]
    some, turns = random.uniform, [math.tau * step / 26 for step in range(26)]
    bark = [(c + (43 + some(-1.5, 1.8)) * math.cos(turn), c + 1 + (43 + some(-1.5, 1.8)) * math.sin(turn))
            for turn in turns]  # fmt: skip
    sheet.path(smooth([(x, y + 2) for x, y in bark], closed=True), ink((34, 22, 18)))
    rind = linear((c - 40, c - 40), (c + 40, c + 40), (0, (150, 104, 66)), (1, (70, 46, 34)))
    sheet.path(smooth(bark, closed=True), rind)
    sheet.disc(c, c, 37, ink((228, 196, 140)))
    face = (0, mix(colour, WHITE, 0.07)), (0.5, colour), (1, mix(colour, BLACK, 0.3))
    sheet.disc(c, c, 34, linear((c - 30, c - 34), (c + 30, c + 34), *face))
    pale, shade = (mix(colour, WHITE, 0.86), mix(colour, WHITE, 0.56)) if leaves > 1 else ((40, 70, 26), (24, 54, 24))
    for number in range(leaves):
        degrees = -90 + 36 * (number - (leaves - 1) / 2)
        turn = math.radians(degrees)
        _leaf(sheet, c + 25 * math.cos(turn), c + 2 + 25 * math.sin(turn), 16, degrees, pale, shade)
    return sheet.image()


def flag(seat: int) -> Image.Image:
    """A pennant in a variety's colour, on a pole, on which a number stands."""
    sheet, tones = Sheet(66, 80, 3), LEAVES[seat]
    sheet.oval(1, 72, 19, 80, ink((24, 30, 26), 130, blur=2))
    for stroke, tone in ((8, (52, 34, 30)), (4, STRAW[2])):
        sheet.line((8, 5), (8, 75), ink(tone, stroke=stroke))
    cloth = smooth([(9, 6), (26, 3), (44, 8), (63, 5)])
    for x, y in ((55, 25), (63, 45)):
        cloth.lineTo(x, y)
    cloth.addPath(smooth([(63, 45), (44, 48), (26, 43), (9, 46)]), skia.Path.kExtend_AddPathMode)
    cloth.close()
    lit = (tones[2], tones[2], tones[1], mix(tones[0], tones[1], 0.35))[seat]
    folds = (0, lit), (0.35, mix(lit, BLACK, 0.2)), (0.7, lit), (1, mix(lit, BLACK, 0.3))
    sheet.edged(cloth, linear((8, 0), (62, 0), *folds), (250, 240, 214), 4.5)
    return sheet.image()


def soil(leaves: int) -> Image.Image:
    """The leaves of a soil, as they lie on an empty hex."""
    sheet = Sheet(84, 62, 3)
    spread = ((-90,), (-125, -55), (-150, -90, -30), (-162, -114, -66, -18))[leaves - 1]
    for degrees in spread:
        turn = math.radians(degrees)
        _leaf(sheet, 42 + 20 * math.cos(turn), 44 + 20 * math.sin(turn), 25, degrees, (122, 176, 74), (44, 96, 44))
    return sheet.image()


def sun() -> Image.Image:
    """The sun at its corner: a disc with soft flames round it."""
    sheet, c = Sheet(148, 148, 3), 74
    sheet.disc(c, c, 58, ink(SUN[1], 110, blur=9))
    for ring, (out, wide, tone) in enumerate(((70, 0.15, SUN[3]), (63, 0.17, SUN[2]))):
        for step in range(14):
            turn = math.tau * (step + ring / 2) / 14
            rim = (40, -wide - 0.05), (54, -wide * 0.3), (out, 0.1), (54, wide * 0.6), (40, wide + 0.05)
            points = [(c + r * math.cos(turn + d), c + r * math.sin(turn + d)) for r, d in rim]
            sheet.path(smooth(points, closed=True), ink(tone))
    sheet.disc(c, c, 45, ink(SUN[3]))
    sheet.disc(c, c, 43, radial((c - 12, c - 14), 62, (0, SUN[0]), (0.45, SUN[1]), (1, SUN[2])))
    for dx in (-14, 14):  # a sleepy, friendly face
        sheet.path(smooth([(c + dx - 8, c - 4), (c + dx, c + 2), (c + dx + 8, c - 4)]), ink((176, 84, 20), stroke=3.4))
        sheet.oval(c + dx * 1.7 - 7, c + 6, c + dx * 1.7 + 7, c + 14, ink((250, 150, 60), 130, blur=2))
    sheet.path(smooth([(c - 13, c + 14), (c, c + 22), (c + 13, c + 14)]), ink((176, 84, 20), stroke=3.4))
    return sheet.image()


def ghost() -> Image.Image:
    """Where the sun goes next: its pale outline in dashes."""
    sheet, c = Sheet(112, 112, 3), 56

    def at(out: float, degrees: float) -> Point:
        return c + out * math.cos(math.radians(degrees)), c + out * math.sin(math.radians(degrees))

    for stroke, tone, alpha in ((9, (30, 30, 60), 120), (4.6, SUN[1], 255)):
        paint = ink(tone, alpha, stroke=stroke)
        for turn in range(0, 360, 36):
            sheet.path(smooth([at(32, turn + part) for part in (0, 7, 14, 21)]), paint)
            sheet.line(at(42, turn + 28), at(49, turn + 28), paint)
    return sheet.image()


def crate(wide: int, tall: int) -> Image.Image:
    """A seed tray of planks, on which the viewer's stock lies."""
    sheet, random = Sheet(wide, tall, 2), scatter(f"crate {wide}")
    row = (tall - 12) / 5
    for number in range(5):
        _board(sheet, 6, 6 + row * number, wide - 6, 6 + row * (number + 1), random)
    for x in (0, wide - 16):
        path = polygon([(x, 0), (x + 16, 0), (x + 16, tall), (x, tall)])
        brush.wood(sheet, path, (x, 0, x + 16, tall), random, (150, 104, 64), (62, 40, 30))
        for number in range(5):
            sheet.disc(x + 8, 6 + row * (number + 0.5), 3, ink((40, 30, 30)))
            sheet.disc(x + 7.4, 5.4 + row * (number + 0.5), 1.6, ink((206, 196, 180)))
    return sheet.image()


STALL = (276, 202)


def stall(seat: int) -> Image.Image:
    """A player's stall: a board for the name, an awning in the variety's colour, the room within, and the counter."""
    (wide, tall), tones, random = STALL, LEAVES[seat], scatter(f"stall {seat}")
    sheet = Sheet(wide, tall, 2)
    room = (0, (26, 20, 30)), (0.4, (58, 40, 40)), (1, (88, 60, 46))
    sheet.box(10, 20, wide - 10, 170, linear((0, 48), (0, 170), *room))
    for seam in range(22, wide - 20, 34):  # the boards of the wall behind
        sheet.line((seam, 46), (seam, 160), ink((24, 16, 22), 110, stroke=1.6))
    for x, lit in ((4.0, 0.0), (wide - 18.0, 0.2)):
        post = linear((x, 0), (x + 14, 0), (0, (190, 138, 88)), (0.4, (150, 104, 64)), (1, (66, 44, 34)))
        sheet.box(x, 40, x + 14, tall - 6, post, 3)
        sheet.fall(x, 40, x + 14, 84, (0, BLACK, 150 - round(lit * 100)), (1, BLACK, 0), radius=3)
    sheet.box(4, 44, wide - 4, 80, ink(BLACK, 120, blur=6))  # the awning's shade
    step = (wide - 4) / 11
    for number in range(11):
        x, tone = 2 + step * number, (tones[3], (246, 236, 212))[number % 2]
        flap = smooth([(x, 44), (x, 60), (x + step * 0.2, 68), (x + step / 2, 71), (x + step * 0.8, 68), (x + step, 60),
                       (x + step, 44)], closed=True)  # fmt: skip
        fall = (0, mix(tone, BLACK, 0.5)), (0.35, mix(tone, BLACK, 0.12)), (0.7, mix(tone, WHITE, 0.12)), (1, tone)
        sheet.path(flap, linear((0, 44), (0, 71), *fall))
        sheet.path(smooth([(x, 60), (x + step * 0.2, 68), (x + step / 2, 71), (x + step * 0.8, 68), (x + step, 60)]),
                   ink(mix(tone, BLACK, 0.45), 200, stroke=1.4))  # fmt: skip
    top = polygon([(8, 146), (wide - 8, 146), (wide, 158), (0, 158)])
    sheet.path(top, linear((0, 146), (0, 158), (0, (118, 82, 56)), (1, (196, 146, 98))))

    for upper, foot in ((0.0, 48.0), (158.0, tall - 2.0)):
        _board(sheet, 0, upper, wide, foot, random)
    sheet.fall(1, 159, wide - 1, 168, (0, BLACK, 120), (1, BLACK, 0))
    for _ in range(46):  # grass at its foot
        x = random.choice((random.uniform(0, 40), random.uniform(wide - 40, wide), random.uniform(0, wide)))
        tone = random.choice(((78, 112, 46), (124, 156, 66), (156, 180, 86), (58, 92, 44)))
        brush.dab(sheet, x, tall - 3, random.uniform(5, 11), -90 + random.uniform(-24, 24), tone, 255, brush.LEAF, 0.42)
    return sheet.image()


def islet() -> Image.Image:
    """The clod of earth on which a stall floats beside the island: turf above; roots below, and ropes for a sign."""
    sheet, random = Sheet(270, 66, 2), scatter("islet")
    wide = sheet.width
    rim = [(6, 12), (40, 8), (wide / 2, 6), (wide - 40, 8), (wide - 6, 12)]
    low = [(wide - 34, 28), (wide - 82, 40), (wide * 0.56, 54), (wide * 0.42, 48), (78, 42), (30, 26)]
    body = smooth([*rim, *low], closed=True)
    for x in (30.0, 146.0):
        sheet.line((x, 30), (x, 66), ink((52, 36, 30), stroke=5))
        sheet.line((x, 30), (x, 66), ink((206, 170, 116), stroke=2.6))
    for _ in range(26):
        x, y = random.choice(low)
        x, long, sway = x + random.uniform(-26, 26), random.uniform(8, 22), random.uniform(-8, 8)
        brush.limb(sheet, [(x, y - 14), (x + sway * 0.3, y + long * 0.3), (x + sway, y + long * 0.6)],
                   random.uniform(2.4, 4.4), 0.8, (96, 64, 44), (34, 22, 26))  # fmt: skip

    def earth() -> None:
        sheet.box(0, 0, wide, 66, linear((0, 8), (0, 54), (0, (96, 64, 44)), (1, (34, 22, 26))))
        for _ in range(90):
            x, y = random.uniform(0, wide), random.uniform(10, 56)
            tone = random.choice(((34, 22, 26), (62, 40, 34), (132, 92, 60)))
            brush.dab(sheet, x, y, random.uniform(3, 9), random.uniform(-12, 12), tone, 120, brush.BLOB, 0.4)

    sheet.inside(body, earth)
    sheet.path(smooth([*rim, (wide - 30, 20), (wide / 2, 24), (30, 20)], closed=True), ink((92, 124, 54)))
    for _ in range(170):
        x = random.uniform(6, wide - 6)
        tone = random.choice(((78, 104, 44), (124, 148, 66), (150, 176, 84), (96, 130, 54)))
        at, size, angle = random.uniform(12, 23), random.uniform(4, 8), random.uniform(60, 120)
        brush.dab(sheet, x, at, size, angle, tone, 255, brush.LEAF, 0.44)
    return sheet.image()


def _board(sheet: Sheet, left: float, top: float, right: float, foot: float, random: Random) -> None:
    """A board of dark wood, a little askew, with a nail at each end."""
    shape = polygon([(left, top + 2), (right, top), (right - 1, foot), (left + 1, foot - 1)])
    brush.wood(sheet, shape, (left, top, right, foot), random, (108, 72, 48), (58, 38, 30))
    for x in (left + 7, right - 7):
        sheet.disc(x, (top + foot) / 2, 2.6, ink((40, 30, 30)))
        sheet.disc(x - 0.6, (top + foot) / 2 - 0.6, 1.3, ink((206, 196, 180)))


def sign(wide: int, tall: int) -> Image.Image:
    """A board on which words stand."""
    sheet = Sheet(wide, tall, 2)
    _board(sheet, 1, 1, wide - 1, tall - 1, scatter("sign"))
    return sheet.image()


def basket() -> Image.Image:
    """A basket with leaves: something is bought."""
    sheet = Sheet(110, 110, 3)
    for x, y, degrees in ((26, 44, -132), (84, 44, -48), (55, 34, -90)):
        _leaf(sheet, x, y, 54, degrees, (150, 206, 110), (70, 140, 74))
    sheet.path(smooth([(14, 62), (20, 22), (55, 6), (90, 22), (96, 62)]), ink(WOOD[1], stroke=12))
    sheet.path(smooth([(14, 62), (20, 22), (55, 6), (90, 22), (96, 62)]), ink(STRAW[1], stroke=7))
    body = smooth([(4, 56), (55, 62), (106, 56), (92, 102), (55, 108), (18, 102)], closed=True)
    sheet.path(body, linear((4, 50), (106, 106), (0, STRAW[2]), (0.5, STRAW[1]), (1, STRAW[0])))
    for y in (68, 82, 95):
        sheet.path(smooth([(10, y - 2), (55, y + 4), (100, y - 2)]), ink(STRAW[0], stroke=3))
    return sheet.image()
