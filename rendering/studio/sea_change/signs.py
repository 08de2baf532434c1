"""The signs of Sea Change in white, to which pages give their colour: those of the suits, and the dealer's anchor."""

from __future__ import annotations

import math

from PIL import Image

from rendering.core.sprites import curve
from rendering.studio.brush import WHITE, Sheet, cut, ink, polygon, smooth
from rendering.studio.sea_change.fleet import bend, dots

SIDE = 128


def sign(name: str) -> Image.Image:
    """Paint a sign: of a suit by its letter, or "anchor"."""
    sheet = Sheet(SIDE, SIDE)
    {"B": _wave, "G": _seaweed, "R": _flag, "P": _helm, "Y": _sun, "anchor": _anchor}[name](sheet)
    return sheet.image()


def _wave(sheet: Sheet) -> None:
    edge = "4 94 14 50 40 14 74 8 106 26 116 54 104 72 90 68 94 48 76 40 60 52 58 74 76 90 124 92 124 102 64 108"
    sheet.path(bend(edge), ink(WHITE))
    for side in (10, 84):
        sheet.path(smooth(dots(f"{side} 116 {side + 12} 110 {side + 24} 117 {side + 36} 111")), ink(WHITE, stroke=8))


BLADE = [*curve((0, 0.1), (0.16, 0.1), (0.36, -0.1), (0.4, -0.34)), *curve((0.4, -0.34), (0.2, -0.3), (0, 0.1))]
"""A leaf of seaweed, which grows to the right."""


def _seaweed(sheet: Sheet) -> None:
    for foot, head, lean, leaves in ((-0.2, -0.5, -0.42, 2), (0.0, -0.94, 0.0, 4), (0.2, -0.36, 0.46, 2)):
        stem = [(64 + 64 * (foot + lean * at / 24 + 0.09 * math.sin(at / 12 * math.pi)),
                 64 + 64 * (0.95 + (head - 0.95) * at / 24)) for at in range(25)]  # fmt: skip
        sheet.path(smooth(stem), ink(WHITE, stroke=9.6))
        reach = 64 if leaves == 4 else 46
        for x, y in (stem[8 + leaf * 16 // leaves] for leaf in range(leaves)):
            for side in (-reach, reach):
                sheet.path(polygon([(x + across * side, y + down * reach) for across, down in BLADE]), ink(WHITE))


def _flag(sheet: Sheet) -> None:
    sheet.line((22, 8), (22, 122), ink(WHITE, stroke=10))
    sheet.path(bend("28 14 52 8 84 22 124 12 106 46 124 82 86 88 54 72 28 78"), ink(WHITE))
    sheet.path(smooth(dots("28 46 54 38 82 52 108 46")), cut(8))


def _helm(sheet: Sheet) -> None:
    for spoke in range(8):
        turn = math.radians(spoke * 45 + 22.5)
        tip = 64 + math.cos(turn) * 56, 64 + math.sin(turn) * 56
        grip = 64 + math.cos(turn) * 50, 64 + math.sin(turn) * 50
        sheet.line((64, 64), tip, ink(WHITE, stroke=8))
        sheet.line(grip, tip, ink(WHITE, stroke=13))
    sheet.disc(64, 64, 36, ink(WHITE, stroke=13))
    sheet.disc(64, 64, 17, ink(WHITE))
    sheet.disc(64, 64, 7, cut())


def _sun(sheet: Sheet) -> None:
    for ray in range(16):
        turn, long = math.radians(ray * 22.5), 62 if ray % 2 else 52
        parts = (-0.17, 36), (0, long), (0.17, 36)
        tips = [(64 + math.cos(turn + side) * out, 64 + math.sin(turn + side) * out) for side, out in parts]
        sheet.path(polygon(tips), ink(WHITE))
    sheet.disc(64, 64, 37, cut())
    sheet.disc(64, 64, 31, ink(WHITE))


def _anchor(sheet: Sheet) -> None:
    sheet.disc(64, 20, 12, ink(WHITE, stroke=9))
    sheet.line((64, 34), (64, 114), ink(WHITE, stroke=13))
    sheet.line((38, 48), (90, 48), ink(WHITE, stroke=12))
    sheet.path(smooth(dots("18 76 30 106 64 118 98 106 110 76")), ink(WHITE, stroke=13))
    for side in (-1, 1):
        sheet.path(polygon([(64 + 60 * side, 86), (64 + 48 * side, 58), (64 + 28 * side, 82)]), ink(WHITE))
