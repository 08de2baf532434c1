"""What floats on the sea of Sea Change, and its light: lanterns and boards, the light's disc and its path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from PIL import Image, ImageChops

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, mix
from rendering.sea_change.stage import PILES
from rendering.studio.brush import BLACK, WHITE, Sheet, coin, ink, linear, polygon, radial, smooth, wood
from rendering.studio.sea_change.deck import wave
from rendering.studio.sea_change.fleet import OAK, PITCH, SUNLIT, across, bend, corners, down, solid

BRASS: Colour = (222, 172, 84)


def lamp(lit: bool) -> Image.Image:
    """Paint a float of the way to the buoy: a lantern that burns, or one that is dark."""
    sheet = Sheet(56, 56)
    if lit:
        sheet.disc(28, 28, 26, radial((28, 28), 26, (0, (255, 214, 110), 170), (1, (255, 190, 80), 0)))
    tones: tuple[Colour, ...] = ((112, 130, 150), (48, 62, 84), (16, 22, 36))
    if lit:
        tones = (255, 252, 224), (255, 214, 96), (206, 124, 30)
    sheet.disc(28, 28, 15.5, ink(PITCH))
    sheet.disc(28, 28, 13.4, radial((23, 22), 21, *((at * 0.45, tone) for at, tone in enumerate(tones))))
    sheet.disc(28, 28, 14.4, ink(mix(BRASS, WHITE, 0.3) if lit else (128, 142, 160), 210, stroke=1.8))
    sheet.oval(21, 18, 28, 23, ink(WHITE, 190 if lit else 110))
    return sheet.image()


def rail() -> Image.Image:
    """Paint the rail of the pier in front: a ledge on which cards stand, three planks for words, and the pier's floor
    before it. Pages give it the colour of their light.
    """
    tall, floor, random = 440, LEDGE + 3 * PLANK, scatter("rail")
    sheet = Sheet(1200, tall)
    closer = 1 + 0.0052 * (tall - floor)
    sheet.box(0, floor, 1200, tall, down(floor, tall, mix(OAK, BLACK, 0.72), mix(OAK, BLACK, 0.36)))
    for number in range(-9, 10):  # boards of the floor, towards the viewer
        near, far = ([600 + at * grow * 78 for at in (number - 0.5, number + 0.5)] for grow in (closer, 1))
        tone = mix(OAK, (164, 132, 96), random.uniform(0, 0.35))
        board = polygon([(far[0] + 1, floor), (far[1] - 1, floor), (near[1] - 2, tall), (near[0] + 2, tall)])
        shade = (0, mix(tone, BLACK, 0.6)), (0.12, mix(tone, BLACK, 0.36)), (1, mix(tone, BLACK, 0.22))
        sheet.path(board, linear((0, floor), (0, tall), *shade))
        for _ in range(5):
            part = random.uniform(0.1, 0.9)
            top, foot = far[0] + part * 78, near[0] + part * (near[1] - near[0])
            sheet.line((top, floor), (foot, tall), ink(mix(tone, BLACK, 0.62), 110, stroke=1.4))
    sheet.box(-30, floor - 4, 1230, floor + 16, ink(BLACK, 150, blur=7))
    for row in range(3):
        top = LEDGE + row * PLANK
        edges = [-20.0, *sorted(random.uniform(0, 1200) for _ in range(row % 2 + 1)), 1220.0]
        for left, right in pairwise(edges):
            tone = mix(mix(OAK, (150, 116, 84), random.uniform(0.1, 0.45)), BLACK, 0.1 + 0.05 * row)
            box = left + 1, top, right - 1, top + PLANK - 2
            wood(sheet, polygon([(left + 1, top), (right - 1, top), (right - 1, box[3]), (left + 1, box[3])]), box,
                 random, tone, mix(OAK, BLACK, 0.74))  # fmt: skip
            for nail in ((x, y) for x in (left + 14, right - 14) for y in (top + 11, top + PLANK - 13)):
                sheet.disc(*nail, 3.2, ink(PITCH))
                sheet.disc(nail[0] - 0.8, nail[1] - 0.8, 1.4, ink(mix(BRASS, BLACK, 0.2)))
    sheet.box(-4, LEDGE - 4, 1204, LEDGE + 14, ink(BLACK, 130, blur=5))
    ledge = down(0, LEDGE - 5, mix(OAK, SUNLIT, 0.26), mix(OAK, SUNLIT, 0.5))
    sheet.box(-4, 0, 1204, LEDGE - 5, ledge)
    for _ in range(70):
        x, y, long = random.uniform(-40, 1200), random.uniform(2, LEDGE - 7), random.uniform(40, 190)
        sheet.line((x, y), (x + long, y + random.uniform(-1, 1)), ink(mix(OAK, BLACK, 0.3), 120, stroke=1.2))
    sheet.box(-4, LEDGE - 6, 1204, LEDGE + 1, down(LEDGE - 6, LEDGE + 1, mix(OAK, SUNLIT, 0.75), mix(OAK, BLACK, 0.35)))
    sheet.line((-4, 0.6), (1204, 0.6), ink(mix(OAK, BLACK, 0.55), 230, stroke=1.6))
    return sheet.image()


def piles() -> Image.Image:
    """Paint the piles at both ends of the rail, with rope round them: a lantern on one, a gull on the other."""
    foot = LEDGE + 3 * PLANK
    sheet = Sheet(1200, PILES + foot + 20)
    sheet.canvas.translate(0, PILES)
    for x in (12, 1188):
        oak = across(x - 20, x + 20, mix(OAK, SUNLIT, 0.24), mix(OAK, BLACK, 0.2), mix(OAK, BLACK, 0.8))
        solid(sheet, bend(f"{x - 20} -52 {x + 20} -52 {x + 21} {foot} {x} {foot + 8} {x - 21} {foot}"), oak)
        sheet.oval(x - 20, -60, x + 20, -42, ink(mix(OAK, SUNLIT, 0.5)))
        for y in (-24, -15, -6):
            for colour, wide in ((PITCH, 11), ((206, 170, 112), 7), ((240, 210, 156), 2)):
                sheet.path(smooth([(x - 23, y), (x, y + 6), (x + 23, y)]), ink(colour, stroke=wide))
    with sheet.moved(18 - 110 * 0.56, -52 - 120 * 0.56, 0, 0.56, 0.56):
        lantern(sheet)
    with sheet.moved(1168, -52):  # a gull
        for x in (-6, 4):
            sheet.line((x, -14), (x, 2), ink((236, 150, 60), stroke=3))
        body = bend("-44 -20 -20 -36 4 -40 8 -56 20 -62 28 -52 22 -28 6 -12 -22 -12")
        solid(sheet, body, ink((244, 244, 240)), wide=3)
        sheet.path(bend("-50 -20 -18 -34 6 -32 -2 -20 -30 -18"), ink((150, 160, 176)))
        sheet.path(corners("26 -54 40 -50 26 -48"), ink((240, 160, 50)))
        sheet.disc(20, -54, 2, ink(PITCH))
    return sheet.image()


def coil() -> Image.Image:
    """Paint a coil of rope on the pier, and in it the upper end of an anchor."""
    sheet, rope = Sheet(220, 190), (206, 170, 112)
    sheet.oval(8, 132, 212, 188, ink(BLACK, 120, blur=7))
    for colour, wide in ((PITCH, 17), ((116, 124, 140), 11), ((190, 198, 210), 3)):  # the anchor
        sheet.path(polygon([(128, 12), (96, 150)], closed=False), ink(colour, stroke=wide))
        sheet.path(polygon([(92, 34), (158, 50)], closed=False), ink(colour, stroke=wide))
        sheet.disc(131, 12, 10, ink(colour, stroke=wide * 0.55))

    def turn(x: float, y: float, wide: float, high: float) -> None:
        ring = (x - wide, y - high, x + wide, y + high)
        sheet.oval(*ring, ink(PITCH, stroke=23))
        sheet.oval(*ring, ink(mix(rope, BLACK, 0.34), stroke=19))
        sheet.oval(x - wide, y - high - 3, x + wide, y + high - 3, ink(rope, stroke=11))
        for number in range(round(wide / 2.2)):  # its strands
            at = math.tau * number / round(wide / 2.2)
            px, py = x + wide * math.cos(at), y + high * math.sin(at)
            sheet.line((px - 4, py - 8), (px + 4, py + 7), ink(mix(rope, BLACK, 0.62), 190, stroke=2))

    for row, wide in enumerate((84, 80, 74)):
        turn(110, 148 - 19 * row, wide, 24)
    turn(110, 111, 44, 12)
    for colour, wide in ((PITCH, 23), (mix(rope, BLACK, 0.2), 18), (rope, 9)):
        sheet.path(smooth([(150, 104), (196, 118), (204, 152), (186, 176)]), ink(colour, stroke=wide))
    return sheet.image()


def cask() -> Image.Image:
    """Paint a cask on the pier, on which a lantern burns."""
    sheet = Sheet(220, 270)
    sheet.oval(22, 226, 198, 268, ink(BLACK, 120, blur=7))
    body = bend("44 128 30 186 44 246 110 258 176 246 190 186 176 128 110 138")
    sheet.path(body, ink(PITCH, stroke=8))

    def staves() -> None:
        oak = across(30, 190, mix(OAK, SUNLIT, 0.34), mix(OAK, BLACK, 0.1), mix(OAK, BLACK, 0.66))
        sheet.box(20, 110, 200, 270, oak)
        for number in range(7):
            part = (number - 3) / 3
            stave = smooth([(110 + 62 * part, 120), (110 + 76 * part, 186), (110 + 62 * part, 262)])
            sheet.path(stave, ink(mix(OAK, BLACK, 0.72), 200, stroke=2.6))
        for y, drop in ((150, 10), (222, 14)):
            for colour, wide in ((PITCH, 19), ((104, 100, 108), 14), ((176, 172, 176), 3)):
                sheet.path(smooth([(20, y - 4), (110, y + drop), (200, y - 4)]), ink(colour, stroke=wide))

    sheet.inside(body, staves)
    sheet.oval(46, 114, 174, 144, ink(PITCH))
    sheet.oval(50, 116, 170, 141, across(50, 170, mix(OAK, SUNLIT, 0.5), mix(OAK, BLACK, 0.2)))
    lantern(sheet)
    return hazy(sheet.image(), 8, 2)


def lantern(sheet: Sheet) -> None:
    """Paint a lantern that burns, its foot at (110, 120)."""
    gold = (255, 206, 104)
    sheet.disc(110, 76, 76, radial((110, 76), 76, (0, gold, 150), (0.4, gold, 70), (1, gold, 0)))
    sheet.box(84, 42, 136, 112, ink(PITCH), 8)
    light = (0, (255, 252, 226)), (0.4, (255, 222, 120)), (1, (206, 112, 28))
    sheet.box(88, 48, 132, 106, radial((110, 82), 40, *light), 5)
    sheet.path(bend("110 58 119 80 110 94 101 80"), ink((255, 253, 240)))
    for x in (88, 110, 132):
        sheet.line((x, 46), (x, 108), ink(PITCH, stroke=4))
    brass = mix(BRASS, WHITE, 0.4), BRASS, mix(BRASS, BLACK, 0.5)
    solid(sheet, corners("78 46 110 22 142 46"), across(78, 142, *brass), wide=4)
    sheet.box(80, 106, 140, 120, ink(PITCH), 4)
    sheet.box(82, 107, 138, 116, across(82, 138, *brass), 3)
    sheet.disc(110, 14, 10, ink(PITCH, stroke=6))
    sheet.disc(110, 14, 10, ink(BRASS, stroke=3))


LEDGE, PLANK = 20, 47
"""The height of the rail's ledge and of each of its planks, as pages write on them."""


def raft() -> Image.Image:
    """Paint a board on two posts: the place for a card, with room for what is demanded of it."""
    sheet, random = Sheet(270, 378), scatter(9)
    for post in (34, 236):
        sheet.line((post, 30), (post, 366), ink(PITCH, stroke=20))
        sheet.line((post, 30), (post, 366), ink(mix(OAK, BLACK, 0.25), stroke=14))
        coin(sheet, post, 24, 13, BRASS)
    for top in range(42, 330, 96):
        left, right = 5 + random.uniform(-4, 4), 265 + random.uniform(-4, 4)
        board = polygon([(left, top), (right, top + 2), (right, top + 93), (left, top + 93)])
        tone = mix(OAK, (150, 116, 84), random.uniform(0.1, 0.5))
        wood(sheet, board, (left, top, right, top + 93), random, tone, mix(OAK, BLACK, 0.62))
        for nail in ((34, top + 14), (34, top + 78), (236, top + 14), (236, top + 78)):
            sheet.disc(*nail, 3.4, ink(PITCH))
    return sheet.image()


def disc() -> Image.Image:
    """Paint the light itself, white: a disc with its halo. Pages give it the light's colour."""
    sheet = Sheet(420, 260)
    halo = (0, WHITE, 255), (0.3, WHITE, 150), (0.55, WHITE, 62), (1, WHITE, 0)
    sheet.disc(210, 130, 210, radial((210, 130), 210, *halo, flat=0.62))
    sheet.disc(210, 130, 62, ink(WHITE))
    return hazy(sheet.image(), 12, 1)


def hazy(image: Image.Image, strength: int, seed: int) -> Image.Image:
    """Return a soft light with so uneven an alpha, of 255, that it shows no rings in a page's few colours."""
    alpha = np.asarray(image.getchannel("A"), np.int64)
    noise = np.random.default_rng(seed).integers(-strength, strength + 1, alpha.shape)
    uneven = np.where((alpha > 0) & (alpha < 250), alpha + noise, alpha).clip(0, 255)
    image.putalpha(Image.fromarray(uneven.astype(np.uint8)))
    return image


def orb() -> Image.Image:
    """Paint the light without its halo."""
    sheet = Sheet(124, 124)
    sheet.disc(62, 62, 61, ink(WHITE))
    return sheet.image()


def path() -> Image.Image:
    """Paint the light's path on the water, white: glints that grow wider towards the front and fade."""
    sheet, random = Sheet(460, 520), scatter(12)
    for number in range(560):
        part = (number / 560) ** 1.5
        y, x = 2 + 512 * part, 230 + random.gauss(0, 0.42) * (34 + 150 * part)
        long, thick = random.uniform(0.4, 1) * (9 + 38 * part), 0.8 + 3.4 * part
        alpha = int(235 * (1 - part) ** 0.9 * math.exp(-(((x - 230) / (40 + 170 * part)) ** 2)))
        glint = [(x - long, y), (x - long * 0.2, y - thick * 0.8), (x + long, y), (x + long * 0.1, y + thick)]
        sheet.path(smooth(glint, closed=True), ink(WHITE, alpha))
    return sheet.image()


def rolled(sheet: Sheet, edge: Sequence[Point], wide: float) -> None:
    """Paint the edge of a torn sky, whose paper rolls up along it, with its shade on what lies behind."""
    for out, tone, alpha, blur, stroke in (
        (0.5, BLACK, 120, wide / 3, wide), (0.16, (150, 122, 92), 255, 0, wide),
        (0.06, (218, 196, 160), 255, 0, wide * 0.8),
        (-0.04, (250, 238, 212), 255, 0, wide * 0.5), (-0.12, WHITE, 255, 0, wide * 0.16),
    ):  # fmt: skip
        line = [(x + out * wide, y + out * wide) for x, y in edge]
        sheet.path(smooth(line), ink(tone, alpha, blur=blur, stroke=stroke))


def tear(gone: bool) -> Image.Image:
    """Paint the rolled edge along which the new sky lifts the old one; or what is left of that, in white (`gone`)."""
    sheet, random = Sheet(1200, 300), scatter(77)
    edge = [
        (x, 156 + 84 * math.exp(-(((x + 60) / 190) ** 2)) + 58 * math.exp(-(((x - 1250) / 170) ** 2))
         + 5 * math.sin(x / 57) + 3 * math.sin(x / 19) + random.uniform(-3, 3))
        for x in range(-20, 1232, 12)
    ]  # fmt: skip
    if gone:
        sheet.path(polygon([*edge, (1230, -5), (-20, -5)]), ink(WHITE))
        return sheet.image()
    rolled(sheet, edge, 22)
    return sheet.image()


def pennant() -> Image.Image:
    """Paint a team's pennant, white: a long cloth with a rope in its hem and a forked end."""
    sheet = Sheet(640, 42)
    solid(sheet, corners("6 3 636 3 618 21 636 39 6 39"), down(3, 39, WHITE, (244, 244, 244), (222, 222, 222)), wide=3)
    sheet.box(2, 0, 9, 42, across(2, 9, (250, 238, 206), (150, 118, 70)), 3)
    return sheet.image()


def tide() -> Image.Image:
    """Paint the Tide, against whom one plays alone: a wave that breaks to the left, its foot lost in the water."""
    sheet = Sheet(460, 432)
    sheet.canvas.translate(438, -250)
    sheet.canvas.scale(-1.48, 1.76)
    wave(sheet, ((150, 226, 216), (23, 126, 127), (8, 58, 74)))
    image, fade = sheet.image(), Image.new("L", (460, 432), 255)
    fade.paste(Image.linear_gradient("L").rotate(180).resize((460, 110)), (0, 310))
    fade.paste(0, (0, 420, 460, 432))
    image.putalpha(ImageChops.multiply(image.getchannel("A"), fade))
    return image
