"""Paper, on which results are written down."""

from __future__ import annotations

from itertools import takewhile

from PIL import Image, ImageFilter

from rendering.core import lettering, theme
from rendering.core.art import art, cut
from rendering.core.canvas import WIDTH, Page
from rendering.core.sprites import Colour, Pixels, sprite

RUST: Colour = (128, 50, 24)
"""The second ink, for headings and what is counted."""


def place_paper(
    page: Page, top: int, height: int, left: int = theme.MARGIN, width: int = WIDTH - 2 * theme.MARGIN
) -> None:
    """Lay a sheet of paper with its shadow."""
    page.place(_sheet(width, height), left - 12, top - 6)


@sprite
def _sheet(width: int, height: int) -> Pixels:
    paper = cut(art("common/paper"), width, height, True).layer
    alpha = Image.new("L", (width + 24, height + 24))
    alpha.paste(paper.getchannel("A").point([value * 140 // 255 for value in range(256)]), (12, 14))
    sheet = Image.new("RGBA", alpha.size, (8, 5, 14, 0))
    sheet.putalpha(alpha.filter(ImageFilter.GaussianBlur(6)))
    sheet.alpha_composite(paper, (12, 6))
    return Pixels(sheet.convert("RGB"), sheet.getchannel("A"))


def wrapped(text: str, size: int, width: int) -> list[str]:
    """Return a text in lines that are at most so wide, unless a single word, or what no-break spaces join, is wider."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and lettering.width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def balanced(text: str, size: int, width: int) -> list[str]:
    """Return a text in as few lines as `wrapped` does, of lengths as equal as can be: no word stands alone."""
    lines = wrapped(text, size, width)
    narrower = (wrapped(text, size, room) for room in range(width, 0, -8))
    *_, lines = takewhile(lambda found: len(found) == len(lines), narrower)
    return lines
