"""Paper, on which results, profiles and statistics are written down, and the bars on it."""

from __future__ import annotations

from PIL import Image, ImageFilter

from rendering.core import lettering, theme
from rendering.core.art import art, cut
from rendering.core.canvas import WIDTH, Page
from rendering.core.sprites import Colour, Pen, Pixels, mix, sprite

GROOVE: Colour = mix(theme.PAPER_EDGE, theme.INK_SOFT, 0.3)
"""What a bar lies in."""
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


@sprite
def bar(width: int, height: int, reach: int, tone: Colour) -> Pixels:
    """A bar of sealing wax in a groove; without wax, if it is shorter than its rounding."""
    pen, r = Pen(width, height), height / 2
    pen.box(0, 2, width, height - 1, r - 2, mix(theme.PAPER, (255, 255, 255), 0.4))
    pen.box(0, 1, width, height - 3, r - 2, mix(GROOVE, theme.INK, 0.3))
    pen.box(2, 4, width - 2, height - 4, r - 4, mix(GROOVE, theme.PAPER, 0.2))
    if reach >= height:
        pen.box(0, 0, reach, height, r, theme.INK)
        pen.box(2.5, 2.5, reach - 2.5, height - 2.5, r - 2.5, mix(tone, (0, 0, 0), 0.22))
        pen.box(2.5, 2.5, reach - 2.5, height - 6, r - 4, tone)
        pen.box(r, 5.5, max(r + 1, reach - r), 9, 2, mix(tone, (255, 255, 255), 0.45))
    return pen.pixels()


def wrapped(text: str, size: int, width: int, face: str = lettering.TEXT) -> list[str]:
    """Return a text in lines that are at most so wide, unless a single word is wider."""
    lines: list[str] = []
    for word in text.split():
        if lines and lettering.width(f"{lines[-1]} {word}", size, face) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
