"""The glass of the rose window: octants, the empty quarter, a wild's jewels, lead, and the light along a seam."""

# Points and tones are read in rows.
# fmt: off
from __future__ import annotations

import math
from itertools import product
from typing import TypeAlias

import numpy as np
import skia
from PIL import Image, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.studio.brush import WHITE, Sheet, ink, linear, polygon, radial, smooth

RADIUS = 280
"""The radius of the window's glass."""
FINE = 2
PETAL_AT, PETAL, TAPER = 0.645, 0.205, 18.4
"""The middle and the radius of a petal's round end, in radii, and half the angle of its taper, in degrees."""
WAIST = 0.475
"""Where the lead between the two panes of a petal lies."""
BORDER = 0.905
"""Where the border of small panes begins."""
LEAD: Colour = (22, 19, 28)
TONES: dict[str, tuple[Colour, ...]] = {"B": ((12, 26, 74), (26, 62, 138), (49, 95, 164), (74, 138, 224), (150, 204,
    255), (232, 246, 255)), "R": ((72, 6, 26), (142, 22, 46), (204, 67, 81), (238, 82, 84), (255, 150, 120), (255,
    232, 208)), "Y": ((150, 88, 16), (224, 164, 36), (255, 222, 76), (255, 240, 100), (255, 250, 172), (255, 255,
    236)), "G": ((8, 52, 50), (28, 104, 94), (74, 154, 138), (84, 196, 160), (152, 240, 196), (232, 255, 240)),
    "O": ((104, 36, 8), (178, 92, 22), (222, 145, 56), (248, 168, 66), (255, 206, 126), (255, 244, 214)), "P": ((22,
    6, 52), (44, 16, 90), (64, 26, 120), (100, 50, 184), (158, 104, 250), (234, 214, 255))}
"""Each colour from where its glass is dark to where the light is behind it; the third is its tint."""
OPAL = ((92, 86, 104), (168, 160, 176), (226, 216, 214), (246, 240, 228), (255, 250, 240), (255, 255, 255))
"""The same of a wild's milk glass."""

Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.floating]]


def at(radius: float, degrees: float, middle: Point = (0, 0)) -> Point:
    """Return the point at that distance from the middle, `degrees` clockwise from the left."""
    turn = math.radians(degrees)
    return middle[0] - radius * math.cos(turn), middle[1] - radius * math.sin(turn)


def noise(size: int, seed: int, across: float, down: float) -> Array:
    """Return streaks of about that length and height, from -1 to 1."""
    rng = np.random.default_rng(seed)
    small = rng.normal(0, 1, (max(2, int(size / down) + 2), max(2, int(size / across) + 2))).astype(np.float32)
    wide = Image.fromarray(small).resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(wide) / 2.2


def coloured(value: Array, tones: tuple[Colour, ...]) -> Array:
    """Return the colours of brightnesses: 0 is the first tone, 1 the last."""
    place = np.clip(value, 0, 1) * (len(tones) - 1)
    steps = np.arange(len(tones))
    return np.stack([np.interp(place, steps, [tone[part] for tone in tones]) for part in range(3)], -1)


def brightness(first: bool) -> tuple[Array, Array]:
    """Return how bright each pixel of an octant's glass is, and a number for the pane to which it belongs."""
    size = RADIUS * FINE
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    across, up = (size - x) / size, (size - y) / size
    far, turn = np.hypot(across, up), np.degrees(np.arctan2(up, across))
    middle = 22.5 if first else 67.5
    away = turn - middle
    px, py = PETAL_AT * math.cos(math.radians(middle)), PETAL_AT * math.sin(math.radians(middle))
    out = np.hypot(across - px, up - py)
    petal = (out < PETAL) | ((np.abs(away) < TAPER) & (far < PETAL_AT))
    pane = np.where(petal, np.where(far < WAIST, 1, 2), np.where(away < 0, 3, 4))
    pane = np.where(far > BORDER, 5 + np.clip((away + 22.5) // 15, 0, 2), pane)
    seed = 7 if first else 19
    grain = 0.062 * noise(size, seed, 130, 30) + 0.03 * noise(size, seed + 1, 36, 110)
    inner = 0.93 - 0.62 * np.clip((far - 0.16) / 0.34, 0, 1) ** 0.8
    gleam = np.hypot(across - px - 0.05, up - py - 0.05)
    outer = 0.36 + 0.27 * np.exp(-((out / 0.16) ** 2)) + 0.2 * np.exp(-((gleam / 0.075) ** 2))
    value = np.select([pane == 1, pane == 2, pane == 3, pane == 4], [inner, outer, 0.2 + 0.2 * (1 - far),
        0.27 + 0.16 * (1 - far)], 0.26 + 0.16 * ((pane + first) % 2) + 0.16 * np.exp(-(((far - 0.95) / 0.02) ** 2)))
    return value + grain * np.where(pane <= 2, 1.15, 1.4), pane


def octant(letter: str, *, first: bool) -> Image.Image:
    """Paint half of the upper left quarter of the window, whose lower right corner is the window's middle."""
    tones = TONES.get(letter, OPAL)
    value, pane = brightness(first)
    edge = np.zeros(pane.shape, np.float32)
    for axis in (0, 1):
        step = np.diff(pane, axis=axis, append=pane.take([-1], axis)) != 0
        edge = np.maximum(edge, step)
    near = (np.asarray(Image.fromarray((edge * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(7)),
        np.float32) / 255)
    colours = coloured(value - near * 1.1, tones)
    whole = (Image.fromarray(colours.clip(0, 255).astype(np.uint8)) .convert("RGBA") .resize((RADIUS, RADIUS),
        Image.Resampling.BOX))
    sheet = Sheet(RADIUS, RADIUS, 3)
    low, high = (-0.5, 45.2) if first else (44.8, 90.5)
    corner = (float(RADIUS), float(RADIUS))
    rim = [at(RADIUS, low + (high - low) * step / 24, corner) for step in range(25)]
    sheet.inside(polygon([corner, *rim]), lambda: sheet.lay(whole, 0, 0))
    sheet.inside(polygon([corner, *rim]), lambda: _figured(sheet, letter, tones, 22.5 if first else 67.5))
    cames(sheet, corner, 22.5 if first else 67.5)
    return sheet.image()


def _figured(sheet: Sheet, letter: str, tones: tuple[Colour, ...], middle: float) -> None:
    """What is painted on the glass beside a petal, another figure for each colour: waves, scales, rays, veins, the
    segments of an orange, stars; on milk glass nothing.
    """
    corner, random, lines, tip = (float(RADIUS), float(RADIUS)), scatter(f"figured {letter}"), [], PETAL_AT

    def spot(far: float, turn: float) -> Point:
        return at(RADIUS * far, middle + turn, corner)

    turns = [step * 0.9 for step in range(-26, 27)]
    if letter == "B":
        waves = [(turn, 0.016 * math.sin(turn / 2.2)) for turn in turns]
        lines = [[spot(0.2 + 0.062 * row + wave, turn) for turn, wave in waves] for row in range(13)]
    elif letter == "R":
        for row in range(12):
            bows = [(turn, abs(math.sin(math.radians(turn + row % 2 * 4.5) * 20))) for turn in turns]
            lines.append([spot(0.24 + 0.064 * row + 0.05 * bow, turn) for turn, bow in bows])
    elif letter == "Y":
        lines = [[at(RADIUS * far, 12 * step, spot(tip, 0)) for far in (0.2, 0.3, 0.5)] for step in range(30)]
    elif letter == "G":
        for row, way in product(range(12), (-1, 1)):
            far, slope = 0.1 + 0.075 * row, way * (1 - 0.03 * row)
            lines.append([spot(far + 0.007 * out, slope * out) for out in (0, 8, 16, 24)])
    elif letter == "O":
        lines = [[spot(0.1, turn), spot(1, turn)] for turn in range(-22, 23, 4)]
    elif letter == "P":
        for _ in range(34):
            (x, y), size = spot(random.uniform(0.2, 0.98), random.uniform(-22, 22)), random.uniform(3, 8)
            lines += [[(x - size, y), (x + size, y)], [(x, y - size), (x, y + size)]]
    petal = skia.Path()
    petal.addCircle(*spot(tip, 0), RADIUS * PETAL)
    petal.addPath(polygon([corner, spot(tip, -TAPER), spot(tip, TAPER)]))
    sheet.canvas.clipPath(petal, skia.ClipOp.kDifference, True)
    for line in lines:
        sheet.path(smooth(line), ink(tones[4 if letter == "P" else 0], 150, stroke=2.8))


def came(sheet: Sheet, path: skia.Path, wide: float) -> None:
    """Paint a strip of lead: dark, rounded, with a cold gleam along its upper side."""
    sheet.path(path, ink((8, 6, 14), 120, stroke=wide + 2.4, blur=1.2))
    sheet.path(path, ink(LEAD, stroke=wide))
    with sheet.moved(-wide * 0.1, -wide * 0.16):
        sheet.path(path, ink((92, 90, 108), 150, stroke=wide * 0.34))


def solder(sheet: Sheet, x: float, y: float, size: float) -> None:
    """Paint a drop of solder on a joint of the lead."""
    sheet.oval(x - size, y - size * 0.86, x + size, y + size, ink((12, 10, 18)))
    sheet.oval(x - size * 0.86, y - size * 0.8, x + size * 0.86, y + size * 0.8, linear((x, y - size), (x, y + size),
        (0, (128, 126, 142)), (0.5, (66, 63, 78)), (1, (30, 27, 38))))
    sheet.oval(x - size * 0.42, y - size * 0.56, x + size * 0.1, y - size * 0.14, ink((214, 214, 226), 190))


def _arc(radius: float, first: float, last: float, corner: Point) -> skia.Path:
    return smooth([at(radius, first + (last - first) * step / 20, corner) for step in range(21)])


def cames(sheet: Sheet, corner: Point, middle: float) -> None:
    """Paint the lead within an octant: round the petal, at its waist, and round the border's panes."""
    size = RADIUS
    tip = at(PETAL_AT * size, middle, corner)
    tangent = math.degrees(math.asin(PETAL / PETAL_AT))
    end = math.sqrt(PETAL_AT**2 - PETAL**2) * size
    start = [at(size * 0.1, middle - TAPER, corner), at(end * 0.6, middle - TAPER, corner)]
    back = [at(end * 0.6, middle + TAPER, corner), at(size * 0.1, middle + TAPER, corner)]
    half = 90 + tangent
    round_end = [at(PETAL * size, middle - half + 2 * half * step / 28, tip) for step in range(29)]
    came(sheet, smooth([*start, *round_end, *back]), 4.4)
    came(sheet, _arc(WAIST * size, middle - TAPER, middle + TAPER, corner), 3.8)
    came(sheet, _arc(BORDER * size, middle - 22.5, middle + 22.5, corner), 4.2)
    came(sheet, polygon([at(size * (PETAL_AT + PETAL), middle, corner), at(size * BORDER, middle, corner)],
        closed=False), 3.6)
    for offset in (-7.5, 7.5):
        came(sheet, polygon([at(size * BORDER, middle + offset, corner), at(size, middle + offset, corner)],
            closed=False), 3.4)
        solder(sheet, *at(BORDER * size, middle + offset, corner), 4)
    solder(sheet, *at(size * (PETAL_AT + PETAL), middle, corner), 4.6)
    for side in (-TAPER, TAPER):
        solder(sheet, *at(WAIST * size, middle + side, corner), 4)


def empty_quarter() -> Image.Image:
    """Paint the upper left quarter without a card: clear quarries, and behind them the night."""
    size = RADIUS
    sheet = Sheet(size, size, 3)
    corner = (float(size), float(size))
    shape = polygon([corner, *(at(size, 90 * step / 40, corner) for step in range(41))])
    random = scatter("night")

    def night() -> None:
        step = size / 5
        for row, column in product(range(10), range(-1, 12)):  # each quarry has one tone
            x, y = (column + (row + 1) % 2 / 2) * step, row * 0.6 * step
            far = min(1, math.hypot(x - size, y - size) / size) + random.uniform(-0.12, 0.12)
            quarry = [(x, y - step * 0.6), (x + step / 2, y), (x, y + step * 0.6), (x - step / 2, y)]
            sheet.path(polygon(quarry), ink(along(((46, 66, 116), (26, 40, 84), (12, 18, 46)), far)))
        for _ in range(46):
            x, y = random.uniform(0, size), random.uniform(0, size)
            sheet.disc(x, y, random.uniform(0.7, 1.7), ink((206, 220, 255), random.randrange(60, 190)))
        for number in range(-6, 14):
            for lean in (1.2, -1.2):
                foot = number * step
                sheet.line((foot, 0), (foot + size / lean, size), ink((6, 8, 20), 235, stroke=4.4))
                sheet.line((foot - 0.8, -0.8), (foot + size / lean - 0.8, size - 0.8), ink((66, 74, 104), 150,
                    stroke=1.3))
        sheet.disc(*corner, size, ink((4, 6, 16), 200, stroke=26, blur=9))

    sheet.inside(shape, night)
    return sheet.image()


def jewels() -> Image.Image:
    """Paint what a wild has above its panes: beads of all six colours along the border, and a rosette."""
    size = RADIUS
    sheet = Sheet(size, size, 3)
    corner = (float(size), float(size))
    for number, letter in enumerate("BPROYGBPROYG"):
        x, y = at(size * 0.952, 5 + 80 * number / 11, corner)
        bead(sheet, x, y, size * 0.04, TONES[letter])
    rosette(sheet, *at(size * 0.67, 45, corner), size * 0.088)
    return sheet.image()


def bead(sheet: Sheet, x: float, y: float, radius: float, tones: tuple[Colour, ...]) -> None:
    """Paint a round jewel of glass in lead."""
    sheet.disc(x, y, radius * 1.24, ink(LEAD))
    sheet.disc(x, y, radius, radial((x - radius * 0.2, y - radius * 0.25), radius * 1.2, (0, tones[4]), (0.4,
        tones[3]), (0.8, tones[2]), (1, tones[1])))
    sheet.oval(x - radius * 0.55, y - radius * 0.65, x, y - radius * 0.2, ink(WHITE, 150))


def rosette(sheet: Sheet, x: float, y: float, radius: float) -> None:
    """Paint a wild's sign: a small rose of all six colours round a milk-white heart."""
    sheet.disc(x, y, radius * 1.12, ink(LEAD))
    sheet.disc(x, y, radius, ink((236, 226, 216)))
    for number, letter in enumerate("BPROYG"):
        arc = [at(radius * 0.9, number * 60 + 4 + 52 * step / 8, (x, y)) for step in range(9)]
        tones = TONES[letter]
        sheet.path(polygon([(x, y), *arc]), radial((x, y), radius, (0.3, tones[3]), (0.75, tones[2]), (1, tones[1])))
        sheet.line((x, y), at(radius * 0.95, number * 60, (x, y)), ink(LEAD, stroke=radius * 0.09))
    sheet.disc(x, y, radius * 0.38, ink(LEAD))
    sheet.disc(x, y, radius * 0.3, radial((x, y), radius * 0.3, (0, WHITE), (1, (226, 210, 200))))


def lattice() -> Image.Image:
    """Paint the lead of the whole window: the cross, the diagonals, and the ring, with drops of solder."""
    size = 2 * RADIUS + 8
    sheet = Sheet(size, size, 3)
    middle = (size / 2, size / 2)
    for number in range(8):
        inner, outer = at(RADIUS * 0.08, number * 45, middle), at(RADIUS, number * 45, middle)
        strong = number % 2 == 0
        came(sheet, polygon([inner, outer], closed=False), 11 if strong else 5)
        for part in (0.33, 0.905) if strong else (0.905,):
            solder(sheet, *at(RADIUS * part, number * 45, middle), 8.4 if strong else 5.4)
    ring = skia.Path()
    ring.addCircle(*middle, RADIUS - 2)
    came(sheet, ring, 9)
    return sheet.image()


def quarter_lattice() -> Image.Image:
    """Paint the part of the lead that lies on the upper left quarter."""
    return lattice().crop((4, 4, RADIUS + 4, RADIUS + 4))


def boss(*, lit: bool) -> Image.Image:
    """Paint the knot of lead in the middle of the window; `lit`: light shines through its heart."""
    radius = 34
    sheet = Sheet(6 * radius, 6 * radius, 3)
    x = y = 3.0 * radius
    if lit:
        sheet.disc(x, y, radius * 2.8, radial((x, y), radius * 2.8, (0, (255, 252, 226), 250), (0.3, (255, 232, 160),
            170), (1, (255, 210, 110), 0)))
    sheet.disc(x, y + 2, radius, ink((8, 6, 12)))
    sheet.disc(x, y, radius * 0.96, linear((x - radius, y - radius), (x + radius, y + radius), (0, (150, 148, 166)),
        (0.45, (66, 63, 78)), (1, (24, 21, 32))))
    sheet.disc(x, y, radius * 0.72, ink(LEAD))
    heart = ((255, 252, 228), (255, 226, 150), (206, 134, 40)) if lit else ((196, 150, 92), (128, 84, 44), (56, 34, 24))
    sheet.disc(x, y, radius * 0.62, radial((x - 4, y - 5), radius * 0.7, *zip((0, 0.5, 1), heart, strict=True)))
    for number in range(8):
        solder(sheet, *at(radius * 0.84, number * 45 + 22.5, (x, y)), 3.4)
    return sheet.image()


def seam(tones: tuple[Colour, ...]) -> Image.Image:
    """Paint the light along an upright edge at which two panes match: the lead has melted into it from end to end."""
    long, wide = round(RADIUS * 0.9), 124
    y, x = np.mgrid[0 : long * 2, 0 : wide * 2].astype(np.float32) / 2 + 0.25
    along, away = np.abs(y / long - 0.5) * 2, np.abs(x - wide / 2)
    fade = np.clip((1 - along) / 0.1, 0, 1) ** 0.7
    wave = 1 + 0.26 * np.sin(y / 13.0) * np.sin(y / 5.3 + 1) + 0.12 * np.sin(y / 4.1 + 1)
    bloom = np.exp(-((away / 19) ** 2)) * 0.8 + np.exp(-((away / 40) ** 2)) * 0.3
    blade = np.clip(1.6 - away / (8.4 * wave * fade + 0.01), 0, 1)
    core = np.clip(1.4 - away / (3.4 * wave * fade + 0.01), 0, 1)
    halo, pale = np.array(tones[4], np.float32), np.array(tones[5], np.float32)
    colour = halo + (pale - halo) * blade[..., None]
    colour = colour + (255 - colour) * core[..., None]
    alpha = np.maximum(bloom * fade, blade)
    whole = Image.fromarray(np.concatenate([colour, alpha[..., None] * 255], -1).clip(0, 255).astype(np.uint8), "RGBA")
    sheet = Sheet(wide, long, 2)
    sheet.lay(whole.resize((wide, long), Image.Resampling.BOX), 0, 0)
    random = scatter("melting")
    for _ in range(14):  # drops of molten lead, and sparks
        px, py = wide / 2 + random.choice((-1, 1)) * random.uniform(10, 17), random.uniform(long * 0.08, long * 0.92)
        drop = random.uniform(1.6, 3.4)
        sheet.disc(px, py, drop, ink(mix(LEAD, tones[4], 0.55)))
        sheet.disc(px - drop * 0.3, py - drop * 0.3, drop * 0.5, ink(tones[5]))
    return sheet.image()


def quarter_frame(*, brass: bool = False) -> Image.Image:
    """Paint the metal round a card: a quarter of the window, its point below, and the lead between its panes."""
    size = CARD
    wide, tall = round(size * math.sqrt(2)) + 8, size + 10
    sheet = Sheet(wide, tall, 3)
    corner = (wide / 2, size + 4.0)
    rim = [at(size - 3, 45 + 90 * step / 48, corner) for step in range(49)]
    tip = (corner[0], corner[1] - 4)
    shape = polygon([tip, *rim])
    came(sheet, polygon([at(size * 0.05, 90, corner), at(size - 4, 90, corner)], closed=False), 5)
    sheet.path(shape, ink((10, 8, 16), stroke=11))
    sheet.path(shape, ink((198, 148, 66) if brass else (74, 71, 88), stroke=7.4))
    with sheet.moved(-0.8, -1.2):
        sheet.path(shape, ink((255, 232, 166) if brass else (176, 174, 190), stroke=2.6))
    for place in (rim[0], rim[24], rim[48]):
        solder(sheet, *place, 6)
    return sheet.image()


CARD = 200
"""The radius of a card in its file."""


def plate() -> Image.Image:
    """Paint a plate of clear glass that lies, seen a little from above: its face, and its bright edge in front."""
    sheet = Sheet(132, 34, 4)
    face = polygon([(28, 3), (128, 3), (104, 25), (4, 25)])
    sheet.path(face, linear((10, 30), (122, 0), (0, WHITE, 150), (0.4, WHITE, 235), (0.5, (190, 200, 226), 150), (0.62,
        WHITE, 245), (1, (170, 182, 214), 150)))
    sheet.path(face, ink((52, 56, 84), 220, stroke=1.6))
    sheet.fall(4, 25, 104, 31, (0, WHITE), (0.4, (196, 206, 230)), (1, (90, 98, 134)))
    sheet.path(polygon([(104, 25), (128, 3), (128, 8), (104, 31)]), ink((150, 160, 196)))
    sheet.path(polygon([(4, 31), (104, 31), (128, 8)], closed=False), ink((24, 22, 40), 230, stroke=2))
    return sheet.image()


def slip(colour: Colour = (176, 196, 214)) -> Image.Image:
    """Paint a slip of clear glass in lead, standing: a card that its owner alone sees."""
    wide, tall = 34, 56
    sheet = Sheet(wide, tall, 4)
    shape = polygon([(5, 6), (wide - 4, 4), (wide - 5, tall - 4), (4, tall - 4)])
    sheet.path(shape, ink((10, 8, 16), stroke=6))
    sheet.path(shape, linear((4, 4), (wide, tall), (0, mix(colour, WHITE, 0.5)), (0.4, colour), (0.55, mix(colour,
        (40, 60, 96), 0.55)), (1, mix(colour, (30, 44, 80), 0.75))))
    for x, stroke in ((2, 5), (13, 2.5)):
        sheet.line((x + 3, tall - 6), (x + 16, 8), ink(WHITE, 80, stroke=stroke))
    sheet.path(shape, ink((58, 55, 70), stroke=2.6))
    sheet.path(shape, ink((150, 150, 168), 150, stroke=0.9))
    return sheet.image()
