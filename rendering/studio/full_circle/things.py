"""The things of the chapel: signs and letters of the colours, the compass, the lock, the crate of glass and its cat."""

# Points and tones are read in rows.
# fmt: off
from __future__ import annotations

import numpy as np
import skia
from PIL import Image, ImageFilter

from rendering.core import lettering
from rendering.core.emblems import Emblem, sun
from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Pen, mix
from rendering.studio import brush
from rendering.studio.brush import BLACK, WHITE, Sheet, ink, linear, polygon, radial, smooth
from rendering.studio.full_circle import signs
from rendering.studio.full_circle.glass import TONES, at, rosette

SIGN = 92
"""The width of a sign's file."""
FACE = "Texturina-Black.ttf"
CREAM: Colour = (255, 250, 238)
INK: Colour = (34, 24, 26)
BRASS: Colour = (214, 168, 84)
SIGNS: dict[str, Emblem] = {"B": signs.drop, "R": signs.heart, "Y": sun, "G": signs.leaf, "O": signs.slice_of_orange,
    "P": signs.moon}


def _leaded(mask: Image.Image, fill: Colour, halo: Colour) -> Image.Image:
    """Return a mask's shape in one colour, in a soft dark (or light) contour, as glass painters draw it."""
    soft = mask.filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.GaussianBlur(3))
    grown = soft.point([min(255, value * 2) for value in range(256)])
    alpha = np.maximum(np.asarray(grown, np.float32) * 0.86, np.asarray(mask, np.float32))
    part = (np.asarray(mask, np.float32) / 255)[..., None]
    tall = np.linspace(0.04, -0.1, mask.height)[:, None, None]
    colour = np.array(halo, np.float32) * (1 - part) + (np.array(fill, np.float32) + 255 * np.minimum(tall, 0)) * part
    return Image.fromarray(np.concatenate([colour, alpha[..., None]], -1).clip(0, 255).astype(np.uint8), "RGBA")


def sign(letter: str, *, dark: bool) -> Image.Image:
    """Paint the sign of a colour, in cream on dark glass or `dark` on bright glass."""
    pen = Pen(SIGN // 2, SIGN // 2)
    SIGNS[letter](pen, SIGN / 4, SIGN / 4, SIGN * 0.37, WHITE, BLACK)
    lit = pen.sheet.convert("L")
    lit.paste(0, mask=pen.sheet.getchannel("A").point([255 if value < 128 else 0 for value in range(256)]))
    mask = lit.resize((SIGN, SIGN), Image.Resampling.BOX)
    return _leaded(mask, *((INK, TONES[letter][4]) if dark else (CREAM, mix(TONES[letter][0], BLACK, 0.3))))


def letter(name: str, *, dark: bool) -> Image.Image:
    """Paint a colour's letter in the same way."""
    drawn = lettering.mask(name, SIGN, FACE)
    box = drawn.getbbox()
    assert box is not None
    mask = Image.new("L", (box[2] - box[0] + 20, box[3] - box[1] + 20))
    mask.paste(drawn.crop(box), (10, 10))
    tones = TONES.get(name, ((150, 140, 150),) * 6)
    return _leaded(mask, *((INK, tones[4]) if dark else (CREAM, mix(tones[0], BLACK, 0.3))))


def compass() -> Image.Image:
    """Paint the face of a compass: a small round window without its four panes."""
    sheet = Sheet(96, 96, 3)
    sheet.disc(48, 50, 46, ink(BLACK, 150, blur=1.5))
    sheet.disc(48, 48, 46, ink((20, 16, 24)))
    sheet.disc(48, 48, 44.4, linear((10, 10), (86, 86), (0, (255, 236, 180)), (0.5, BRASS), (1, (112, 74, 30))))
    sheet.disc(48, 48, 39.5, ink((16, 12, 20)))
    return sheet.image()


def quarter(kind: str) -> Image.Image:
    """Paint the upper left pane of a compass: dim, lit, or lit with a ring ("double")."""
    sheet, glass = Sheet(48, 48, 4), skia.Path()
    glass.moveTo(45.6, 45.6)
    glass.arcTo(skia.Rect.MakeLTRB(11, 11, 85, 85), 184, 82, False)
    glass.close()
    dim, lit = ((0, (70, 72, 104)), (1, (40, 42, 68))), ((0, WHITE), (0.5, (255, 236, 166)), (1, (250, 196, 96)))
    sheet.path(glass, radial((30, 30), 34, *(dim if kind == "dim" else lit)))
    if kind == "double":
        sheet.disc(30, 30, 8.5, ink((70, 34, 16), stroke=5.5))
    return sheet.image()


def lock() -> Image.Image:
    """Paint the marker: a padlock of brass."""
    sheet = Sheet(84, 96, 3)
    shackle = smooth([(24, 50), (22, 28), (42, 10), (62, 28), (60, 50)])
    for colour, wide in (((18, 12, 14), 16), ((116, 112, 126), 11), ((206, 204, 214), 4)):
        sheet.path(shackle, ink(colour, stroke=wide))
    sheet.box(9, 40, 75, 92, ink((18, 12, 14)), 11)
    sheet.box(12, 43, 72, 89, linear((12, 43), (72, 89), (0, (255, 238, 182)), (0.35, (232, 184, 96)), (1, (140, 92,
        36))), 9)
    sheet.box(17, 48, 67, 84, ink((140, 92, 36), 150, stroke=2), 6)
    sheet.disc(42, 61, 7.5, ink((34, 22, 16)))
    sheet.path(polygon([(38, 63), (46, 63), (49, 81), (35, 81)]), ink((34, 22, 16)))
    return sheet.image()


def flame() -> Image.Image:
    """Paint the flame of wins in a row; its number is written on its heart."""
    sheet = Sheet(84, 96, 3)
    sheet.disc(42, 58, 38, ink((255, 160, 60), 90, blur=7))
    outer = [(46, 4), (40, 22), (12, 44), (10, 66), (22, 86), (42, 92), (62, 86), (74, 66), (71, 42), (66, 30), (58,
        38), (56, 18)]
    sheet.path(smooth(outer, closed=True), ink((92, 26, 10)))
    with sheet.moved(42, 60, 0, 0.92, 0.93):
        sheet.canvas.translate(-42, -60)
        sheet.path(smooth(outer, closed=True), linear((0, 8), (0, 92), (0, (240, 96, 30)), (0.5, (250, 150, 46)), (1,
            (236, 110, 34))))
    sheet.path(smooth([(42, 34), (24, 52), (20, 68), (30, 82), (42, 86), (54, 82), (64, 68), (60, 52), (50, 44)],
        closed=True), radial((42, 66), 30, (0, (255, 250, 196)), (0.7, (255, 226, 110)), (1, (255, 190, 70))))
    return sheet.image()


def candle() -> Image.Image:
    """Paint a candle that no round has burnt yet, in its flame's light: a shorter one is cut off below."""
    sheet, tall, x = Sheet(210, 620, 3), 620, 105
    sheet.disc(x, 105, 104, radial((x, 105), 104, (0, (255, 196, 96), 130), (0.5, (255, 160, 60), 44), (1, BLACK, 0)))
    for colour, part in (((232, 86, 30), 1.0), ((255, 166, 50), 0.74), ((255, 240, 180), 0.44)):
        rim = [(0, -50), (13, -18), (12, 4), (0, 12), (-12, 4), (-13, -16)]
        sheet.path(smooth([(x + px * part, 114 + py * part) for px, py in rim], closed=True), ink(colour))
    sheet.line((x, 116), (x, 138), ink((44, 30, 30), stroke=4))
    body = [(x - 30, tall), (x - 30, 156), (x - 25, 138), (x - 11, 142), (x + 3, 135), (x + 15, 142), (x + 27, 135),
        (x + 30, 156), (x + 30, tall)]
    tones = (0, (150, 112, 84)), (0.2, (255, 240, 206)), (0.55, (240, 206, 156)), (1, (120, 76, 66))
    sheet.path(polygon(body), linear((x - 30, 0), (x + 30, 0), *tones))
    sheet.path(polygon(body), linear((0, 130), (0, 350), (0, (255, 214, 120), 170), (1, (255, 190, 110), 0)))
    for aside, start, end, wide in ((-24, 146, 228, 11), (-6, 144, 190, 9), (10, 148, 262, 12), (24, 144, 202, 9)):
        sheet.line((x + aside + 1.5, start), (x + aside + 1.5, end + 3), ink((150, 106, 84), 120, stroke=wide))
        sheet.line((x + aside, start), (x + aside, end), ink((255, 236, 196), stroke=wide))
        sheet.disc(x + aside - wide * 0.16, end, wide * 0.3, ink(WHITE, 170))
    melt = (0, (255, 252, 220)), (0.5, (255, 222, 138)), (1, (214, 160, 104))
    sheet.oval(x - 27, 130, x + 27, 150, radial((x, 140), 28, *melt))
    return sheet.image()


def candlestick() -> Image.Image:
    """Paint the foot of a candle: a saucer of brass with a ring to hold it by."""
    sheet = Sheet(170, 64, 3)
    tones = (0, (112, 74, 30)), (0.25, (255, 236, 180)), (0.5, BRASS), (1, (92, 58, 24))
    sheet.oval(4, 40, 154, 62, ink(BLACK, 130, blur=3))
    sheet.path(smooth([(138, 40), (160, 30), (164, 48), (140, 50)]), ink((150, 106, 46), stroke=7))
    sheet.oval(8, 26, 150, 58, linear((8, 0), (150, 0), *tones))
    sheet.oval(16, 26, 142, 50, linear((16, 0), (142, 0), (0, (70, 44, 20)), (0.5, (168, 122, 56)), (1, (70, 44, 20))))
    sheet.box(44, 6, 114, 42, linear((44, 0), (114, 0), *tones), 7)
    sheet.line((48, 11), (110, 11), ink(WHITE, 120, stroke=2))
    return sheet.image()


def crate(level: int) -> Image.Image:
    """Paint the crate from which glass is drawn: with many panes (2), with few (1), or with none but the cat (0)."""
    sheet = Sheet(170, 150, 3)
    random = scatter("crate")
    sheet.oval(8, 128, 162, 150, ink(BLACK, 150, blur=5))
    sheet.box(20, 52, 150, 84, ink((30, 20, 18)))
    for number in range(9 if level == 2 else 3 if level else 0):
        x = 28 + number * 12.4 + random.uniform(-2, 2)
        tall = random.uniform(6, 20)
        tone = mix((150, 178, 206), (70, 100, 150), random.random())
        pane = polygon([(x, 90), (x + 3, 34 - tall + 18), (x + 30, 26 - tall + 18), (x + 30, 90)])
        sheet.path(pane, linear((x, 20), (x + 30, 90), (0, mix(tone, WHITE, 0.5)), (0.4, tone), (1, mix(tone, (24, 30,
            64), 0.6))))
        sheet.path(pane, ink((30, 28, 40), stroke=2.4))
        sheet.line((x + 4, 35 - tall + 18), (x + 29, 27 - tall + 18), ink(WHITE, 170, stroke=1.4))
    if not level:
        cat(sheet, 84, 74)
    for y, wide in ((66, 72), (106, 70)):
        board = polygon([(85 - wide, y), (85 + wide, y), (85 + wide - 2, y + 34), (85 - wide + 2, y + 34)])
        brush.wood(sheet, board, (85 - wide, y, 85 + wide, y + 34), random, (176, 122, 72), (78, 46, 26))
    for x in (20, 140):
        sheet.box(x - 3, 60, x + 13, 144, linear((x, 0), (x + 12, 0), (0, (150, 100, 58)), (1, (84, 52, 30))), 2)
        for y in (76, 96, 116, 134):
            sheet.disc(x + 5, y, 2.2, ink((40, 34, 36)))
    return sheet.image()


def cat(sheet: Sheet, x: float, y: float) -> None:
    """Paint a cat that looks out of an empty crate."""
    fur: Colour = (92, 84, 96)
    sheet.path(smooth([(x - 30, y + 20), (x - 26, y - 14), (x, y - 24), (x + 26, y - 14), (x + 30, y + 20)],
        closed=True), linear((0, y - 24), (0, y + 20), (0, mix(fur, WHITE, 0.2)), (1, mix(fur, BLACK, 0.4))))
    for side in (-1, 1):
        sheet.path(polygon([(x + 8 * side, y - 20), (x + 25 * side, y - 40), (x + 27 * side, y - 10)]), ink(fur))
        sheet.path(polygon([(x + 13 * side, y - 20), (x + 23 * side, y - 33), (x + 24 * side, y - 14)]), ink((190,
            130, 130)))
        sheet.oval(x + 11 * side - 6, y - 11, x + 11 * side + 6, y - 1, ink((236, 220, 110)))
        sheet.oval(x + 11 * side - 1.6, y - 10.5, x + 11 * side + 1.6, y - 1.5, ink((20, 16, 20)))
        for step in (-3, 2):
            sheet.line((x + 8 * side, y + 4), (x + 34 * side, y + 3 + step), ink((220, 214, 220), 160, stroke=1))
    sheet.path(polygon([(x - 4, y + 1), (x + 4, y + 1), (x, y + 5)]), ink((206, 120, 120)))


def wild() -> Image.Image:
    """Paint a wild's sign alone."""
    sheet = Sheet(96, 96, 3)
    rosette(sheet, 48, 48, 42)
    return sheet.image()


def choice(radius: int) -> Image.Image:
    """Paint the light round the upper left quarter, if the chosen card fits there."""
    sheet = Sheet(radius, radius, 2)
    corner = (float(radius), float(radius))
    shape = polygon([at(14, 45, corner), *(at(radius - 9, 3 + 84 * step / 30, corner) for step in range(31))])
    for colour, alpha, wide, soft in (((255, 196, 84), 190, 26, 8), ((255, 226, 150), 255, 13, 1), ((255, 250, 222),
        255, 5, 0)):
        sheet.path(shape, ink(colour, alpha, stroke=wide, blur=soft))
    return sheet.image()


def opened(radius: int) -> Image.Image:
    """Paint the light along the rim of the upper left quarter, if a card of the hand fits there."""
    sheet, corner = Sheet(radius, radius, 2), (float(radius), float(radius))
    arc = polygon([at(radius - 10, 5 + 80 * step / 30, corner) for step in range(31)], closed=False)
    for colour, alpha, wide, soft in (((255, 196, 84), 200, 24, 8), ((255, 226, 150), 255, 10, 1)):
        sheet.path(arc, ink(colour, alpha, stroke=wide, blur=soft))
    return sheet.image()


def chain(radius: int) -> Image.Image:
    """Paint the chain along the rim of the upper left quarter, while none may play there."""
    sheet = Sheet(radius, radius, 2)
    for number in range(15):
        with sheet.moved(*at(radius * 0.952, 5.5 + 79 * number / 14, (radius, radius)), 5.5 + 79 * number / 14 + 90):
            for tone, wide in ((BLACK, 10), (BRASS, 5.6), ((255, 236, 180), 1.8)):
                sheet.oval(-14, -7, 14, 7, ink(tone, stroke=wide)) if number % 2 else sheet.line((-13, 0), (13, 0),
                    ink(tone, stroke=wide))
    return sheet.image()


def tick() -> Image.Image:
    """Paint the mark of the chosen card."""
    sheet = Sheet(60, 60, 3)
    sheet.disc(30, 31, 28, ink((18, 12, 14)))
    sheet.disc(30, 30, 26, linear((8, 8), (52, 52), (0, (255, 240, 190)), (1, BRASS)))
    sheet.path(polygon([(18, 31), (27, 41), (44, 19)], closed=False), ink((34, 22, 16), stroke=7))
    return sheet.image()
