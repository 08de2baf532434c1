"""What stands on Siege of Sunfall's wall and before it: plates, standards, attackers, torches, coins, a breach."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, pixels, sprite
from rendering.siege_of_sunfall.pieces import SIGNS, TINTS
from rules.siege_of_sunfall.types import Kind

KINGS: Colour = (88, 40, 120)
"""The colour of the King's token."""
BREACH: Colour = (30, 18, 26)
RUBBLE: Colour = (112, 78, 72)


@sprite
def tab(width: int, height: int) -> Pixels:
    """A slip of paper for a title."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 10, theme.INK)
    pen.box(2, 2, width - 2, height - 3, 9, theme.PAPER)
    return pen.pixels()


@sprite
def plate(width: int, height: int, face: Colour, edge: Colour) -> Pixels:
    """A plate under a name."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 22, edge)
    pen.box(2, 2, width - 2, height - 4, 20, face)
    return pen.pixels()


@sprite
def outlined(colour: Colour, letters: str, size: int) -> Pixels:
    """The disc of a player who is out: an outline."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 2, mix(colour, theme.CREAM, 0.55))
    pen.disc(c, c, c - 8, chrome.NIGHT)
    pen.text(c, c, letters or "–", max(37, size * 0.36), theme.CREAM, lettering.TEXT)
    return pen.pixels()


@sprite
def standard(height: int) -> Pixels:
    """An army's standard on a pole."""
    pen = Pen(72, height)
    pen.line([(36, 6), (36, height)], theme.INK, 9)
    pen.line([(36, 6), (36, height)], theme.BRASS_DARK, 5)
    cloth = [(6, 12), (66, 12), (66, 76), (36, 62), (6, 76)]
    pen.polygon([(36 + (x - 36) * 1.1, 40 + (y - 40) * 1.06) for x, y in cloth], theme.INK)
    pen.polygon(cloth, KINGS)
    core.sun(pen, 36, 38, 38, theme.BRASS_LIGHT, KINGS)
    return pen.pixels()


@sprite
def breach(size: int) -> Pixels:
    """A hole in the wall, with rubble at its foot and smoke above it, in place of a player who is out."""
    pen = Pen(size, size)
    for x, y, r, part in (
        (0.34, 0.2, 0.14, 0.3),
        (0.6, 0.14, 0.13, 0.4),
        (0.48, 0.3, 0.18, 0.2),
        (0.74, 0.28, 0.1, 0.5),
    ):
        pen.disc(size * x, size * y, size * r, mix(BREACH, (150, 130, 140), part))
    edge = [
        *((0.06, 0.16), (0.2, 0.24), (0.28, 0.14), (0.4, 0.3), (0.56, 0.22), (0.68, 0.32), (0.8, 0.16), (0.95, 0.22)),
        *((0.86, 0.44), (0.96, 0.6), (0.8, 0.8), (0.64, 0.92), (0.4, 0.94), (0.2, 0.84), (0.06, 0.62), (0.14, 0.42)),
    ]
    pen.polygon([(size * x, size * y) for x, y in edge], mix(RUBBLE, (0, 0, 0), 0.45))
    pen.polygon([(size * (0.5 + (x - 0.5) * 0.86), size * (0.55 + (y - 0.55) * 0.86)) for x, y in edge], BREACH)
    for number in range(9):
        x, y = 0.12 + 0.095 * number, 0.86 + 0.05 * (number % 2)
        pen.box(size * (x - 0.05), size * (y - 0.05), size * (x + 0.045), size * (y + 0.05), 4,
                mix(RUBBLE, (0, 0, 0), 0.12 * (number % 3)))  # fmt: skip
    return pen.pixels()


@sprite
def track(strength: int, total: int, step: int) -> Pixels:
    """Torches, as many as the attack is strong, and the coins that put them out; coins beyond them are ringed."""
    number = max(strength, total, 1)
    pieces = []
    for at in reversed(range(max(strength, total))):
        piece = torch() if at >= total else track_coin(at >= strength > 0)
        pieces.append((piece, at * step, 0))
    return _composed((step * (number - 1) + 48, 60), pieces)


@sprite
def track_coin(surplus: bool) -> Pixels:
    """A coin in place of a torch; ringed if it was more than needed."""
    pen = Pen(48, 60)
    if surplus:
        pen.disc(24, 32, 23, theme.CREAM)
        pen.disc(24, 32, 21, theme.GOOD)
    pen.disc(24, 32, 18.5, theme.INK)
    pen.disc(24, 32, 17, theme.BRASS_DARK)
    pen.disc(24, 31, 16, theme.BRASS_LIGHT)
    core.sun(pen, 24, 31, 24, theme.BRASS_DARK, theme.BRASS_LIGHT)
    return pen.pixels()


@sprite
def torch() -> Pixels:
    """A torch that burns."""
    pen = Pen(48, 60)
    x, y = 24, 30
    pen.line([(x, y + 27), (x, y + 2)], theme.INK, 9)
    pen.line([(x, y + 26), (x, y + 2)], (150, 104, 66), 5)
    for size, colour in ((1.0, theme.INK), (0.86, (232, 72, 40)), (0.56, (255, 176, 60)), (0.28, (255, 244, 200))):
        flame = [(0, -29), (9, -14), (12, -5), (7, 6), (0, 8), (-7, 6), (-12, -5), (-6, -12)]
        pen.polygon([(x + px * size, y - 4 + (py + 4) * size) for px, py in flame], colour)
    return pen.pixels()


ATTACKER = (92, 96)
"""The size of an attacker."""


@sprite
def attackers(kind: Kind, strength: int, step: int) -> Pixels:
    """Those who come over the field, as many as the card is strong, every second one a little farther away."""
    pieces = [(attacker(kind), at * step, 6 * (at % 2)) for at in range(strength)]
    return _composed((step * (strength - 1) + ATTACKER[0], ATTACKER[1] + 6), sorted(pieces, key=lambda one: one[2]))


@sprite
def attacker(kind: Kind) -> Pixels:
    """One who attacks: a helmet, a cloak in the card's colour, a shield with its sign, and a torch."""
    wide, tall = ATTACKER
    pen = Pen(wide, tall)
    tint = TINTS[kind]
    cloth, steel = mix(tint, theme.CREAM, 0.12), mix(tint, theme.CREAM, 0.66)
    pen.line([(70, tall), (70, 34)], theme.INK, 9)
    pen.line([(70, tall), (70, 34)], (150, 104, 66), 5)
    for size, colour in ((1.0, theme.INK), (0.86, (232, 72, 40)), (0.56, (255, 176, 60)), (0.28, (255, 244, 200))):
        flame = [(0, -29), (9, -14), (12, -5), (7, 6), (0, 8), (-7, 6), (-12, -5), (-6, -12)]
        pen.polygon([(70 + px * size, 32 + (py + 4) * size) for px, py in flame], colour)
    for grow, colour in ((3.0, theme.INK), (0.0, cloth)):
        pen.polygon([(22 - grow, 42 - grow), (58 + grow, 42 - grow), (66 + grow, tall), (12 - grow, tall)], colour)
        pen.line([(56, 50), (70, 62)], colour, 11 + 2 * grow)
    pen.polygon([(50, 44), (58, 44), (66, tall), (56, tall)], mix(cloth, (255, 170, 90), 0.45))
    pen.disc(40, 27, 20, theme.INK)
    pen.disc(40, 27, 17, steel)
    pen.polygon([(23, 26), (57, 26), (54, 43), (26, 43)], steel)
    pen.box(27, 25, 55, 32, 2, theme.INK)
    pen.line([(40, 5), (40, 42)], theme.INK, 3)
    shield = [(2, 50), (42, 50), (42, 72), (22, 95), (2, 72)]
    pen.polygon(shield, theme.INK)
    pen.polygon([(22 + (x - 22) * 0.87, 70 + (y - 70) * 0.87) for x, y in shield], theme.PAPER)
    SIGNS[kind](pen, 22, 68, 28, tint, theme.PAPER)
    return pen.pixels()


@sprite
def prize(kind: Kind) -> Pixels:
    """What lies between two braziers on the field for the one who pledges most: the card's sign on a chest."""
    pen = Pen(360, 102)
    tint = TINTS[kind]
    for x in (40, 320):
        pen.polygon([(x - 20, 60), (x + 20, 60), (x + 8, 80), (x + 12, 102), (x - 12, 102), (x - 8, 80)], theme.INK)
        pen.polygon([(x - 16, 63), (x + 16, 63), (x + 6, 78), (x - 6, 78)], theme.BRASS_DARK)
        for size, colour in ((1.0, theme.INK), (0.86, (232, 72, 40)), (0.56, (255, 176, 60)), (0.28, (255, 244, 200))):
            flame = [(0, -58), (10, -30), (20, -16), (14, 4), (0, 10), (-14, 4), (-20, -16), (-10, -26)]
            pen.polygon([(x + px * size, 56 + (py + 4) * size) for px, py in flame], colour)
    pen.box(96, 46, 264, 102, 10, theme.INK)
    pen.box(99, 49, 261, 102, 8, (112, 70, 44))
    pen.box(99, 49, 261, 66, 8, (150, 98, 60))
    for x in (112, 232):
        pen.box(x, 46, x + 16, 102, 2, theme.BRASS_DARK)
        pen.box(x + 2, 46, x + 12, 102, 2, theme.BRASS)
    pen.disc(180, 51, 50, theme.INK)
    pen.disc(180, 51, 47, theme.BRASS_LIGHT)
    pen.disc(180, 51, 42, theme.PAPER)
    SIGNS[kind](pen, 180, 51, 66, tint, theme.PAPER)
    return pen.pixels()


@sprite
def stack(width: int, coins: int, rise: int) -> Pixels:
    """Coins that lie on each other."""
    tall = round(width * 0.52)
    pieces = [(_flat_coin(width), 0, rise * (coins - 1 - number)) for number in range(coins)]
    return _composed((width, tall + rise * (coins - 1)), pieces)


@sprite
def _flat_coin(width: int) -> Pixels:
    """A coin that lies flat."""
    tall = round(width * 0.52)
    pen = Pen(width, tall)
    pen.oval(0, tall * 0.2, width, tall, theme.INK)
    pen.oval(1.5, tall * 0.16, width - 1.5, tall * 0.95, theme.BRASS_DARK)
    pen.oval(0, 0, width, tall * 0.78, theme.INK)
    pen.oval(1.5, 1.5, width - 1.5, tall * 0.76, theme.BRASS)
    pen.oval(width * 0.12, tall * 0.09, width * 0.88, tall * 0.67, theme.BRASS_LIGHT)
    pen.oval(width * 0.2, tall * 0.16, width * 0.8, tall * 0.6, (232, 190, 100))
    return pen.pixels()


def _composed(size: tuple[int, int], pieces: Sequence[tuple[Sprite, int, int]]) -> Pixels:
    """Return pieces laid over each other, each with its left and upper edge: faster than drawing them all again."""
    sheet = Image.new("RGBA", size)
    for piece, left, top in pieces:
        shown = piece.image.convert("RGBA")
        shown.putalpha(piece.alpha)
        sheet.alpha_composite(shown, (left, top))
    return pixels(sheet)
