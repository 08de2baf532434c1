"""The trees of Full Sun: four species, each painted at nine heights; the picture scales them to those between."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along
from rendering.studio.brush import BLOB, Clump, Sheet, crown, dab, ink, limb, polygon, smooth

HEIGHTS = tuple(range(100, 421, 40))
"""The heights at which a species is painted, in pixels."""
FOOT = 8
"""Pixels below the line on which a tree stands."""

TONES: dict[str, tuple[Colour, ...]] = {
    "B": ((78, 28, 10), (130, 54, 12), (188, 92, 18), (230, 138, 36), (252, 184, 72), (255, 226, 144)),
    "R": ((70, 10, 44), (118, 20, 66), (168, 38, 96), (212, 78, 134), (240, 144, 180), (255, 216, 226)),
    "S": ((4, 42, 58), (4, 74, 96), (8, 110, 132), (52, 154, 166), (134, 206, 204), (222, 248, 236)),
    "L": ((14, 36, 16), (26, 60, 18), (52, 92, 26), (98, 134, 44), (160, 184, 80), (228, 232, 150)),
}
"""The leaves of a species, from dark to light."""
SUNNY: dict[str, Colour] = {"B": (255, 244, 196), "R": (255, 232, 232), "S": (236, 255, 240), "L": (240, 240, 168)}
BARK: dict[str, tuple[Colour, Colour]] = {
    "B": ((204, 194, 176), (104, 96, 94)), "R": (((132, 96, 88)), (58, 36, 42)),
    "S": ((250, 244, 226), (164, 170, 164)), "L": ((128, 102, 74), (50, 38, 34)),
}  # fmt: skip
"""Its bark in the light and in the shade."""

Pattern = tuple[tuple[float, float, float], ...]
"""The clumps of a crown: x, y and radius, in parts of its own radii."""
EGG: Pattern = (
    (0.02, -0.8, 0.34), (-0.34, -0.56, 0.36), (0.38, -0.52, 0.35), (0.0, -0.42, 0.42), (-0.64, -0.14, 0.36),
    (0.68, -0.08, 0.35), (-0.2, -0.06, 0.44), (0.28, 0.0, 0.42), (-0.76, 0.3, 0.31), (0.78, 0.36, 0.29),
    (-0.36, 0.4, 0.42), (0.38, 0.44, 0.4), (0.02, 0.52, 0.38), (-0.58, 0.7, 0.28), (0.56, 0.72, 0.26),
    (0.0, 0.84, 0.24),
)  # fmt: skip
BROAD: Pattern = (
    (-0.06, -0.74, 0.34), (0.3, -0.6, 0.32), (-0.42, -0.48, 0.34), (0.06, -0.3, 0.4), (0.66, -0.26, 0.32),
    (-0.74, -0.06, 0.32), (0.36, -0.02, 0.36), (-0.3, 0.02, 0.38), (0.88, 0.18, 0.26), (-0.92, 0.36, 0.26),
    (-0.52, 0.42, 0.32), (0.58, 0.4, 0.32), (0.04, 0.36, 0.36), (-0.76, 0.68, 0.24), (0.82, 0.6, 0.22),
    (-0.28, 0.7, 0.26), (0.34, 0.72, 0.26),
)  # fmt: skip


class Tree:
    """A tree to paint, `tall` pixels high; its foot is in the middle, `FOOT` above the lower edge."""

    def __init__(self, suit: str, tall: int, wide: float) -> None:
        self.suit, self.tall, self.wide = suit, tall, wide
        self.chance = scatter(f"{suit}{tall}")
        self.sheet = Sheet(2 * round(wide / 2 + 22), tall + 16 + FOOT, 3)
        self.x, self.foot = self.sheet.width / 2, self.sheet.height - FOOT
        self.some = self.chance.uniform

    def limb(self, points: Sequence[Point], thick: float, thin: float) -> None:
        """A branch or trunk; points from the middle of the foot, the second number in parts of its height."""
        path = [(self.x + across, self.foot - up * self.tall) for across, up in points]
        limb(self.sheet, path, thick, thin, *BARK[self.suit])

    def trunk(self, points: Sequence[Point], thick: float, thin: float, roots: float) -> None:
        """A trunk with its roots."""
        self.limb(points, thick, thin)
        x, foot = self.x, self.foot
        for side, tone in zip((-1, 1), BARK[self.suit], strict=True):
            root = polygon([(x + side * roots * 0.1, foot - roots * 1.3)], closed=False)
            root.quadTo(x + side * roots * 0.62, foot - roots * 0.5, x + side * roots * 1.35, foot + 3)
            root.lineTo(x - side * roots * 0.1, foot + 3)
            self.sheet.path(root, ink(tone))

    def crown(self, clumps: Sequence[Clump], whole: Clump, part: float, **how: Any) -> None:
        """Leaves; `part`: their size beside that of a beech's."""
        size = (3.8 + 2.3 * self.tall / 300) * part
        crown(self.sheet, clumps, whole, TONES[self.suit], self.chance, size, sunny=SUNNY[self.suit], **how)

    def ball(self, pattern: Pattern, deep: float, wider: tuple[float, float], part: float) -> None:
        """A crown of that pattern; `deep`: half its height in parts of the tree's."""
        across, down, found = self.wide / 2, self.tall * deep, list[Clump]()
        y = self.foot - self.tall + down
        for px, py, radius in pattern:
            wide = max(radius * across * self.some(0.9, 1.24), 11)
            high = min(max(radius * down * self.some(0.62, 0.84), wide * 0.72), wide * 1.2)
            out, up = (max(-1.0, min(1.0, at + self.some(-far, far))) for at, far in ((px, 0.16), (py, 0.09)))
            found.append((self.x + out * (across - wide * 0.66), y + up * (down - high * 0.7), wide, high))
        self.crown(found, (self.x, y, across * wider[0], down * wider[1]), part)


def beech(tall: int) -> Tree:
    """An egg of gold on a smooth grey trunk."""
    tree, thick = Tree("B", tall, min(34 + tall * 0.56, 208)), 9 + tall * 0.058
    tree.trunk([(-1, 0), (1, 0.07), (0, 0.2), (2, 0.5)], thick * 1.2, thick * 0.6, thick)
    for side, bend in ((-1, 0.34), (1, 0.3), (-1, 0.2), (1, 0.22)):
        low, reach = tree.some(0.15, 0.24), side * tree.wide * bend
        tree.limb([(0, low), (reach * 0.4, low + 0.07), (reach, low + 0.2)], thick * 0.5, 2)
    tree.ball(EGG, 0.41, (1.05, 1.1), 1)
    return tree


def redbud(tall: int) -> Tree:
    """Several stems in a fan, and clouds of blossom."""
    tree, thick, clouds = Tree("R", tall, min(60 + tall * 0.42, 204)), 7 + tall * 0.034, list[Clump]()
    x, top, wide, some = tree.x, tree.foot - tall, tree.wide, tree.some
    radius = wide * 0.14 + tall * 0.025 + 4
    deep = tall * 0.12 / radius  # a high tree has blossom lower down too
    for lean, spread in ((-0.16, -0.28), (0.05, 0.03), (0.2, 0.29), (-0.05, -0.15), (0.12, 0.17)):
        start, end, tip = lean * thick * 2.2, spread * wide, 0.17 + 0.3 * abs(spread) ** 1.2
        way = end - start
        stem = [(start, 0), (start + way * 0.2, 0.24), (start + way * 0.62, 0.48), (end, 0.92 - tip)]
        tree.limb(stem, thick * some(0.9, 1.15), 2.5)
        puffs = (0, 0, 1.15), (-0.66, 0.5, 0.82), (0.66, 0.55, 0.82), (0, 0.62, 0.78), (0, 0.5 + 0.6 * deep, 0.8)
        for dx, dy, part in (*puffs, (math.copysign(0.45, spread), 0.62 + deep, 0.78)):
            size = radius * part
            clouds.append((x + end + dx * radius * some(0.85, 1.1), top + tip * tall + dy * radius, size, size * 0.66))
    for dx, dy in ((-0.13, 0.1), (0.15, 0.12), (0.0, 0.08)):
        clouds.append((x + dx * wide, top + tall * dy + radius * 0.2, radius * 1.1, radius * 0.72))
    right = tree.sheet.width - 3
    clouds = [(min(max(px, rx * 0.98 + 3), right - rx * 0.98), py, rx, ry) for px, py, rx, ry in clouds]
    tree.crown(clouds, (x, top + tall * 0.28, wide * 0.54, tall * 0.34), 0.84, shape=BLOB, density=1.15)
    for _ in range(int(8 + tall * 0.05)):  # fallen blossom
        place = x + tree.chance.gauss(0, wide * 0.22), tree.foot + some(-3, 5)
        tone = along(TONES["R"], some(0.5, 0.9))
        dab(tree.sheet, *place, 2.4, some(0, 90), tone, 230, BLOB)
    return tree


def sycamore(tall: int) -> Tree:
    """A white, mottled trunk, and a broad crown."""
    tree, thick = Tree("S", tall, min(36 + tall * 0.58, 204)), 11 + tall * 0.055
    path = [(-thick * 0.2, 0), (-thick * 0.05, 0.18), (thick * 0.15, 0.36), (0, 0.66)]
    tree.trunk(path, thick * 1.2, thick * 0.6, thick * 0.92)
    for side, high, reach in ((-1, 0.3, 0.3), (1, 0.36, 0.32), (-1, 0.5, 0.24), (1, 0.56, 0.2)):
        end = side * tree.wide * reach
        tree.limb([(0, high), (end / 2, high + 0.09), (end, high + 0.17)], thick * 0.52, 3)
    for _ in range(int(8 + tall * 0.06)):
        high, across, spot = tree.some(0.04, 0.5), tree.some(-0.42, 0.42), tree.chance.choice(MOTTLES)
        place = tree.x + across * thick * (1.2 - high), tree.foot - tall * high
        dab(tree.sheet, *place, tree.some(2, 4.6), tree.some(60, 110), spot, 235, BLOB, 0.6)
    tree.ball(BROAD, 0.35, (1.1, 1.2), 1.08)
    return tree


MOTTLES: tuple[Colour, ...] = ((146, 150, 120), (190, 178, 140), (120, 130, 120))


def locust(tall: int) -> Tree:
    """A crooked dark trunk with shelves of fine leaves."""
    tree, thick, shelves = Tree("L", tall, min(58 + tall * 0.36, 178)), 6 + tall * 0.036, list[Clump]()
    x, top, wide, count = tree.x, tree.foot - tall, tree.wide, 5 + (tall > 150) + (tall > 230) + (tall > 310)
    path = [(-thick * 0.3, 0), (thick * 0.5, 0.28), (-thick * 0.4, 0.6), (thick * 0.3, 0.92)]
    tree.trunk(path, thick * 1.3, thick * 0.45, thick * 0.8)
    for number in range(count):
        part, side = number / (count - 1), -1 if number % 2 else 1
        up, reach, radius = 0.33 + 0.6 * part, wide * (0.29 - 0.14 * part), wide * 0.26 * (1.1 - 0.48 * part)
        end, y = side * reach * tree.some(0.78, 1.02), tree.foot - up * tall
        tree.limb([(0, up - 0.06), (end / 2, up - 0.02), (end, up)], thick * 0.42, 2)
        for dx, dy, rx, ry in ((0, 0, 1, 0.5), (-0.8 * side, 0.12, 0.72, 0.4), (0.6 * side, 0.22, 0.5, 0.32)):
            shelves.append((x + end + dx * radius, y + dy * radius, rx * radius, ry * radius))
        shelves.append((x - side * reach * 0.3, y - radius * 0.22, radius * 0.62, radius * 0.36))
    shelves.append((x, top + tall * 0.04 + 4, wide * 0.17, wide * 0.1))
    right = tree.sheet.width - 4
    shelves = [(min(max(px, rx + 4), right - rx), max(py, ry + 4), rx, ry) for px, py, rx, ry in shelves]
    tree.crown(shelves, (x, top + tall * 0.44, wide * 0.62, tall * 0.56), 0.92, density=1.15, flat=0.8)
    return tree


SPECIES = {"B": beech, "R": redbud, "S": sycamore, "L": locust}


def tree(suit: str, tall: int) -> Image.Image:
    """Paint a tree of that height."""
    return SPECIES[suit](tall).sheet.image()


def seedling() -> Image.Image:
    """Paint a seedling in its mound: a card is awaited here. Its foot is `FOOT` above the lower edge."""
    sheet, x, foot = Sheet(150, 116, 3), 75, 116 - FOOT
    sheet.oval(x - 62, foot - 19, x + 62, foot + 8, ink((38, 27, 22)))
    sheet.oval(x - 57, foot - 20, x + 52, foot - 1, ink((86, 60, 40)))
    for number in range(14):
        place = x + math.sin(number * 2.4) * 46, foot - 9 + math.cos(number * 1.7) * 6
        dab(sheet, *place, 4, number * 40, (58, 40, 28), 255, BLOB, 0.6)
    limb(sheet, [(x, foot - 11), (x - 3, foot - 38), (x + 2, foot - 62)], 6.5, 3.2, (166, 204, 92), (84, 128, 48))
    for angle, light, dark in ((-148, (186, 222, 104), (120, 170, 60)), (-30, (136, 184, 70), (84, 134, 46))):
        with sheet.moved(x + 2, foot - 60, angle):
            for shift, tone in ((0, dark), (-3, light)):
                sheet.path(smooth([(0, 0), (18, shift * 0.6 - 13), (50, 0), (18, 13 + shift)], closed=True), ink(tone))
            sheet.line((4, 0), (44, 0), ink(dark, stroke=1.6))
    return sheet.image()
