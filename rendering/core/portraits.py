"""Avatars as discs: a file that Discord sent becomes a small grey picture, and that one a disc in a seat's colour."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw, ImageOps

from rendering.core import theme
from rendering.core.art import art
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, mix, pixels, sprite

SIDE = 96
"""The width and height of a stored face, in pixels; one byte each."""
MOST_BYTES, MOST_SIDE = 1_000_000, 1_024
"""A larger file, or a picture with a longer side, is no avatar of 128 pixels, as it was asked for."""
FORMATS = ("PNG", "WEBP", "JPEG", "GIF")


def face_of(data: bytes) -> bytes | None:
    """Return the levels of grey of an avatar, `SIDE` rows of `SIDE` bytes; of one that moves, of its first frame. None
    if the data is no such picture.
    """
    if len(data) > MOST_BYTES:
        return None
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if max(image.size) > MOST_SIDE:
                return None
            shown = image.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    ground = Image.new("RGBA", shown.size, (128, 128, 128, 255))
    ground.alpha_composite(shown)
    grey = ImageOps.autocontrast(ImageOps.fit(ground.convert("L"), (SIDE, SIDE)), cutoff=1)
    return grey.tobytes()


CORE = 0.75
"""The width of what a ring of enamel goes round, as a part of its own."""
DARK: Colour = (22, 20, 30)
"""What lies inside it."""


def enamelled(sheet: Image.Image) -> Pixels:
    """Return a disc in a seat's colour and what lies on it, with the painted rims of gold round its ring of enamel."""
    sheet.alpha_composite(art("common/ring", sheet.width).layer)
    return pixels(sheet)


@sprite
def portrait(face: bytes, colour: Colour, size: int) -> Pixels:
    """A disc with a face in the tones of a seat's colour, and a ring of enamel in that colour."""
    grey = Image.frombytes("L", (SIDE, SIDE), face)
    tones = ImageOps.colorize(grey, mix(colour, theme.INK, 0.75), mix(colour, theme.CREAM, 0.92), colour, midpoint=120)
    pen, inner = Pen(size, size), round(size * CORE)
    pen.disc(size / 2, size / 2, size * 0.485, colour)
    sheet = pen.sheet.reduce(SCALE)
    mask = Image.new("L", (inner * SCALE, inner * SCALE))
    ImageDraw.Draw(mask).ellipse((0, 0, inner * SCALE - 1, inner * SCALE - 1), 255)
    at = (size - inner) // 2
    sheet.paste(tones.resize((inner, inner), Image.Resampling.LANCZOS), (at, at), mask.reduce(SCALE))
    return enamelled(sheet)
