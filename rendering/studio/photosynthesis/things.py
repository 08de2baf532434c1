"""What lies and stands round the board: gardeners and their hats, coins of light, tokens, tags, leaves, the sun."""

from __future__ import annotations

import math

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.studio import brush
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, polygon, radial, smooth
from rendering.studio.photosynthesis.trees import LEAVES

STRAW: tuple[Colour, Colour, Colour] = ((120, 78, 30), (206, 156, 76), (248, 216, 140))
STEEL: tuple[Colour, Colour] = ((76, 84, 96), (196, 208, 216))
WOOD: tuple[Colour, Colour] = ((172, 120, 70), (66, 42, 30))
TOKENS: tuple[Colour, ...] = ((190, 212, 118), (68, 104, 44), (46, 90, 44), (26, 68, 42))
SUN: tuple[Colour, ...] = ((255, 250, 214), (255, 226, 112), (255, 190, 60), (236, 128, 30))


def _leaf(sheet: Sheet, x: float, y: float, size: float, degrees: float, light: Colour, dark: Colour) -> None:
    """A leaf with a lit half and a vein, its tip in that direction."""
    canvas = sheet.canvas
    canvas.save()
    canvas.translate(x, y)
    canvas.rotate(degrees)
    half = [(-0.5, 0), (-0.3, -0.24), (0.06, -0.3), (0.34, -0.16), (0.54, 0)]
    whole = smooth(
        [(px * size, py * size) for px, py in [*half, *((px, -py) for px, py in half[-2:0:-1])]], closed=True
    )
    sheet.path(whole, ink(mix(dark, BLACK, 0.35), stroke=size * 0.09))
    sheet.path(whole, ink(dark))
    sheet.path(smooth([(px * size, py * size) for px, py in half]), ink(light))
    sheet.line((-0.5 * size, 0), (0.36 * size, 0), ink(mix(light, WHITE, 0.5), 220, stroke=size * 0.05))
    canvas.restore()


# Gardeners: a bust, on which a player's disc lies as the head, and a hat over it

BUST, HAT = (132, 74), (112, 52)


def gardener(seat: int) -> Image.Image:
    """Shoulders in a smock of the variety's colour, with a rake, a spade, a watering can, a lantern."""
    sheet, tones, (wide, tall) = Sheet(*BUST, 3), LEAVES[seat], BUST
    x = wide / 2 - 8
    tool = wide - 20
    if seat in (0, 1):
        brush.limb(sheet, [(tool, tall + 6), (tool + 1, tall / 2), (tool + 2, 8)], 7, 6, WOOD[0], WOOD[1])
    if seat == 0:  # a rake
        sheet.box(tool - 16, 4, tool + 18, 11, ink(WOOD[1]), 3)
        for step in range(5):
            sheet.box(tool - 15 + step * 7.4, 0, tool - 12 + step * 7.4, 8, ink(WOOD[0]), 1)
    elif seat == 1:  # a spade
        sheet.path(smooth([(tool - 12, 22), (tool - 11, 8), (tool + 2, 0), (tool + 15, 8), (tool + 16, 22),
            (tool + 2, 26)], closed=True),
                   linear((tool - 12, 0), (tool + 16, 20), (0, STEEL[1]), (1, STEEL[0])))  # fmt: skip
    shoulders = [
        (x - 50, tall + 8),
        (x - 46, 44),
        (x - 30, 26),
        (x, 18),
        (x + 30, 26),
        (x + 46, 44),
        (x + 50, tall + 8),
    ]
    body = smooth(shoulders)
    body.close()
    sheet.path(body, linear((x - 50, 10), (x + 50, 70), (0, tones[4]), (0.35, tones[2]), (1, tones[0])))

    def folds() -> None:
        for dx, lean in ((-30, -4), (-16, -2), (16, 3), (32, 6)):
            sheet.path(
                smooth([(x + dx, 32), (x + dx + lean, 52), (x + dx + lean * 2.2, tall)]), ink(tones[0], 150, stroke=3)
            )
            sheet.path(
                smooth([(x + dx - 3, 34), (x + dx + lean - 3, 52), (x + dx + lean * 2.2 - 3, tall)]),
                ink(tones[4], 110, stroke=1.6),
            )
        sheet.box(
            x - 22,
            40,
            x + 22,
            tall + 6,
            linear((x - 22, 40), (x + 22, tall), (0, (236, 222, 190)), (1, (176, 150, 116))),
            8,
        )
        sheet.box(x - 13, 54, x + 13, tall + 6, ink((150, 124, 92), 170), 4)

    sheet.inside(body, folds)
    sheet.path(smooth(shoulders), ink(tones[5], 150, stroke=1.8))
    if seat == 2:  # a watering can
        sheet.path(smooth([(tool - 16, 44), (tool - 14, 26), (tool + 6, 22), (tool + 12, 40)]), ink(STEEL[0], stroke=4))
        sheet.path(polygon([(tool + 6, 58), (tool + 18, 30), (tool + 23, 33), (tool + 12, 66)]), ink(STEEL[0]))
        sheet.box(
            tool - 22, 42, tool + 10, tall, linear((tool - 22, 0), (tool + 10, 0), (0, STEEL[1]), (1, STEEL[0])), 5
        )
        sheet.oval(tool + 14, 25, tool + 26, 34, ink(STEEL[1]))
    elif seat == 3:  # a lantern
        sheet.disc(tool - 2, 48, 30, ink((255, 196, 80), 90, blur=9))
        sheet.path(smooth([(tool - 12, 32), (tool - 2, 18), (tool + 8, 32)]), ink(WOOD[1], stroke=3))
        sheet.box(tool - 15, 31, tool + 11, 37, ink(WOOD[1]), 2)
        sheet.box(
            tool - 12,
            36,
            tool + 8,
            62,
            radial((tool - 2, 52), 18, (0, (255, 250, 210)), (0.5, (255, 206, 90)), (1, (206, 120, 30))),
            3,
        )
        sheet.box(tool - 15, 61, tool + 11, 67, ink(WOOD[1]), 2)
        sheet.line((tool - 2, 37), (tool - 2, 61), ink(WOOD[1], stroke=2))
    return sheet.image()


def hat(seat: int) -> Image.Image:
    """A straw hat with a bird on it, a pointed cap, a crown of leaves, a flat cap with a feather."""
    sheet, tones = Sheet(*HAT, 3), LEAVES[seat]
    x = HAT[0] / 2
    dark, middle, light = STRAW
    if seat == 0:
        sheet.oval(x - 52, 28, x + 52, 50, linear((x - 52, 0), (x + 52, 0), (0, light), (0.5, middle), (1, dark)))
        sheet.oval(x - 44, 36, x + 44, 50, ink(dark, 120))
        sheet.path(smooth([(x - 29, 40), (x - 24, 14), (x, 7), (x + 24, 14), (x + 29, 40), (x, 45)], closed=True),
                   linear((x - 28, 0), (x + 28, 0), (0, light), (0.5, middle), (1, dark)))  # fmt: skip
        sheet.path(smooth([(x - 29, 34), (x, 41), (x + 29, 34)]), ink(tones[2], stroke=6))
        for step in range(4):
            sheet.path(
                smooth([(x - 50 + step * 6, 37 + step), (x, 46 - step * 2), (x + 50 - step * 6, 37 + step)]),
                ink(dark, 70, stroke=1),
            )
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
        sheet.path(
            smooth([(x + 26, 38), (x + 34, 16), (x + 50, 2), (x + 46, 22), (x + 32, 38)], closed=True),
            linear((x + 30, 40), (x + 50, 0), (0, (150, 40, 30)), (1, (240, 120, 80))),
        )
    return sheet.image()


def hedge() -> Image.Image:
    """The hedge behind which a gardener stands."""
    sheet, random = Sheet(160, 44, 3), scatter("hedge")
    for row, (light, dark) in enumerate((((46, 84, 62), (20, 46, 42)), ((74, 118, 66), (30, 66, 46)))):
        for step in range(19 - row):
            x, y = (
                8 + 8.4 * step + random.uniform(-3, 3),
                26 + 9 * row - 9 * math.sin(math.pi * step / 18) + random.uniform(-3, 3),
            )
            _leaf(sheet, x, y, random.uniform(17, 24), random.uniform(-150, -30), light, dark)
    return sheet.image()


# Light, points, prices


def coin() -> Image.Image:
    """A coin of light: a small sun with rays, its face free for a number."""
    sheet, c = Sheet(72, 72, 3), 36
    for step in range(16):
        turn = math.tau * step / 16
        sheet.path(polygon([(c + 27 * math.cos(turn - 0.16), c + 27 * math.sin(turn - 0.16)),
            (c + 35 * math.cos(turn), c + 35 * math.sin(turn)),
                            (c + 27 * math.cos(turn + 0.16), c + 27 * math.sin(turn + 0.16))]),
                                ink(SUN[3]))  # fmt: skip
    sheet.disc(c, c, 29, ink((150, 76, 16)))
    sheet.disc(c, c, 27, linear((c - 20, c - 24), (c + 20, c + 24), (0, SUN[0]), (0.45, SUN[1]), (1, SUN[2])))
    sheet.disc(c, c, 22.5, radial((c - 7, c - 9), 36, (0, (255, 240, 168)), (0.5, (255, 218, 92)), (1, (250, 184, 56))))
    return sheet.image()


def tag() -> Image.Image:
    """A white price tag on a string."""
    sheet = Sheet(64, 76, 3)
    sheet.path(smooth([(32, 16), (24, 6), (34, 1), (40, 8), (33, 16)]), ink((120, 84, 50), stroke=2.4))
    shape = polygon([(18, 12), (46, 12), (61, 27), (61, 68), (57, 73), (7, 73), (3, 68), (3, 27)])
    sheet.path(shape, ink((44, 36, 40), 255, stroke=4))
    sheet.path(shape, linear((10, 10), (54, 74), (0, WHITE), (1, (226, 222, 220))))
    sheet.disc(32, 20, 4.4, ink((96, 80, 70)))
    return sheet.image()


def token(leaves: int) -> Image.Image:
    """A token of harvest: a slice of a trunk with bark, its face in the green of its soil."""
    sheet, c, random = Sheet(92, 92, 3), 46, scatter(f"token {leaves}")
    colour = TOKENS[leaves - 1]
    bark: list[Point] = [
        (
            c + (43 + random.uniform(-1.5, 1.8)) * math.cos(math.tau * step / 26),
            c + 1 + (43 + random.uniform(-1.5, 1.8)) * math.sin(math.tau * step / 26),
        )
        for step in range(26)
    ]
    sheet.path(smooth([(x, y + 2) for x, y in bark], closed=True), ink((34, 22, 18)))
    sheet.path(
        smooth(bark, closed=True), linear((c - 40, c - 40), (c + 40, c + 40), (0, (150, 104, 66)), (1, (70, 46, 34)))
    )
    sheet.disc(c, c, 37, ink((228, 196, 140)))
    sheet.disc(
        c,
        c,
        34,
        linear(
            (c - 30, c - 34),
            (c + 30, c + 34),
            (0, mix(colour, WHITE, 0.07)),
            (0.5, colour),
            (1, mix(colour, BLACK, 0.3)),
        ),
    )
    pale, shade = (mix(colour, WHITE, 0.86), mix(colour, WHITE, 0.56)) if leaves > 1 else ((40, 70, 26), (24, 54, 24))
    for number in range(leaves):
        degrees = -90 + 36 * (number - (leaves - 1) / 2)
        turn = math.radians(degrees)
        _leaf(sheet, c + 25 * math.cos(turn), c + 2 + 25 * math.sin(turn), 16, degrees, pale, shade)
    return sheet.image()


def leaf(seat: int) -> Image.Image:
    """A fallen leaf in a variety's colour, on which a number stands."""
    sheet, tones = Sheet(66, 58, 3), LEAVES[seat]
    half = [(4, 33), (10, 14), (28, 5), (48, 10), (62, 29)]
    low = [(46, 48), (28, 53), (11, 47)]
    shape = smooth([*half, *low], closed=True)
    sheet.path(shape, ink((250, 240, 214), stroke=5))
    sheet.path(shape, linear((6, 6), (54, 52), (0, tones[1] if seat != 1 else tones[2]), (1, tones[0])))
    sheet.path(smooth([(0, 40), (14, 33), (30, 30), (56, 29)]), ink(tones[3], 130, stroke=2))
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
            points = [
                (c + r * math.cos(turn + d), c + r * math.sin(turn + d))
                for r, d in ((40, -wide - 0.05), (54, -wide * 0.3), (out, 0.1), (54, wide * 0.6), (40, wide + 0.05))
            ]
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
    for stroke, tone, alpha in ((9, (30, 30, 60), 120), (4.6, SUN[1], 255)):
        for step in range(10):
            arc = [
                (c + 32 * math.cos(math.radians(36 * step + d)), c + 32 * math.sin(math.radians(36 * step + d)))
                for d in (0, 7, 14, 21)
            ]
            sheet.path(smooth(arc), ink(tone, alpha, stroke=stroke))
            turn = math.radians(36 * step + 28)
            sheet.line(
                (c + 42 * math.cos(turn), c + 42 * math.sin(turn)),
                (c + 49 * math.cos(turn), c + 49 * math.sin(turn)),
                ink(tone, alpha, stroke=stroke),
            )
    return sheet.image()


def crate(wide: int, tall: int) -> Image.Image:
    """A seed tray of planks, on which the viewer's stock lies."""
    sheet, random = Sheet(wide, tall, 2), scatter(f"crate {wide}")
    row = (tall - 12) / 5
    for number in range(5):
        top = 6 + row * number
        box = 6.0, top, wide - 6.0, top + row
        brush.wood(
            sheet,
            polygon([(6, top), (wide - 6, top), (wide - 6, top + row), (6, top + row)]),
            box,
            random,
            (112, 76, 50),
            (58, 38, 30),
        )
    for x in (0, wide - 16):
        path = polygon([(x, 0), (x + 16, 0), (x + 16, tall), (x, tall)])
        brush.wood(sheet, path, (x, 0, x + 16, tall), random, (150, 104, 64), (62, 40, 30))
        for number in range(5):
            sheet.disc(x + 8, 6 + row * (number + 0.5), 3, ink((40, 30, 30)))
            sheet.disc(x + 7.4, 5.4 + row * (number + 0.5), 1.6, ink((206, 196, 180)))
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
