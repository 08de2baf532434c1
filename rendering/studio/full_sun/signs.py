"""The signs of Full Sun, white on nothing: a leaf for each tree, the weather, the dealer's acorn."""

from __future__ import annotations

from PIL import Image, ImageChops

from rendering.core.emblems import Emblem, placed, sun
from rendering.core.sprites import Colour, Pen, Point, curve, mix


def _mirrored(right: list[Point]) -> list[Point]:
    """The outline whose right half runs from the top to the bottom."""
    return [*right, *((-px, py) for px, py in reversed(right))]


def beech(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A beech leaf: a pointed egg with straight ribs, each of which ends in a tooth."""
    half = [
        (0.0, -1.0), (0.2, -0.78), (0.32, -0.74), (0.46, -0.5), (0.57, -0.44), (0.64, -0.18), (0.73, -0.1),
        (0.71, 0.14), (0.74, 0.24), (0.58, 0.46), (0.54, 0.56), (0.3, 0.7), (0.0, 0.76),
    ]  # fmt: skip
    pen.polygon(placed(x, y, size, _mirrored(half)), colour)
    pen.line(placed(x, y, size, [(0, 0.6), (0, 0.98)]), colour, size * 0.075)
    pen.line(placed(x, y, size, [(0, -0.7), (0, 0.72)]), cut, size * 0.04)
    for foot, tip in ((-0.3, (0.36, -0.6)), (0.0, (0.54, -0.3)), (0.28, (0.58, 0.02)), (0.54, (0.44, 0.34))):
        for side in (-1, 1):
            pen.line(placed(x, y, size, [(0, foot), (tip[0] * side, tip[1])]), cut, size * 0.032)


def redbud(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A redbud leaf: a heart on its stalk."""
    half = [
        *curve((0.0, -0.5), (0.1, -1.0), (0.98, -0.98), (0.94, -0.22)),
        *curve((0.94, -0.22), (0.9, 0.3), (0.3, 0.48), (0.0, 0.98)),
    ]
    pen.polygon(placed(x, y, size, _mirrored(half)), colour)
    pen.line(placed(x, y, size, curve((0.0, -0.5), (0.0, -0.8), (0.08, -0.9), (0.16, -1.0))), colour, size * 0.07)
    pen.line(placed(x, y, size, [(0, -0.42), (0, 0.66)]), cut, size * 0.04)
    for side in (-1, 1):
        pen.line(placed(x, y, size, curve((0, -0.4), (0.34 * side, -0.44), (0.66 * side, -0.18))), cut, size * 0.036)
        pen.line(placed(x, y, size, curve((0, -0.36), (0.3 * side, -0.1), (0.42 * side, 0.2))), cut, size * 0.036)


def sycamore(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A sycamore leaf: broad, with five toothed lobes."""
    half = [
        (0.0, -1.0), (0.14, -0.74), (0.26, -0.7), (0.3, -0.36), (0.5, -0.5), (0.62, -0.7), (0.7, -0.52),
        (0.98, -0.46), (0.86, -0.22), (0.9, -0.06), (0.66, 0.1), (0.84, 0.22), (0.88, 0.48), (0.6, 0.46), (0.42, 0.62),
        (0.16, 0.52), (0.0, 0.6),
    ]  # fmt: skip
    pen.polygon(placed(x, y, size, _mirrored(half)), colour)
    pen.line(placed(x, y, size, [(0, 0.4), (0, 0.98)]), colour, size * 0.08)
    pen.line(placed(x, y, size, [(0, 0.52), (0, -0.62)]), cut, size * 0.04)
    for side in (-1, 1):
        pen.line(placed(x, y, size, [(0, 0.34), (0.62 * side, -0.32)]), cut, size * 0.036)
        pen.line(placed(x, y, size, [(0, 0.42), (0.6 * side, 0.34)]), cut, size * 0.034)


def locust(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A black locust leaf: a stalk with pairs of small round leaves, and one at its end."""
    pen.line(placed(x, y, size, curve((0.0, -0.6), (0.06, 0.1), (-0.02, 0.5), (0.1, 1.0))), colour, size * 0.06)

    def leaflet(px: float, py: float, length: float, angle: float) -> None:
        half = [*curve((0.0, -1.0), (0.5, -0.9), (0.62, 0.2), (0.0, 1.0))]
        (cx, cy) = placed(x, y, size, [(px, py)])[0]
        pen.polygon(placed(cx, cy, size * length, _mirrored(half), angle), colour)
        pen.line(placed(cx, cy, size * length, [(0, -0.3), (0, 0.9)], angle), cut, size * 0.024)

    leaflet(0.0, -0.7, 0.32, 0)
    for row, py in enumerate((-0.36, 0.08, 0.5)):
        for side in (-1, 1):
            leaflet(0.04 + 0.46 * side, py - 0.08, 0.36 + 0.02 * row, 66 * side)


def cloud(pen: Pen, x: float, y: float, size: float, colour: Colour) -> None:
    """A cloud, as wide as its size."""
    for px, py, r in ((-0.56, 0.08, 0.36), (-0.1, -0.2, 0.46), (0.46, -0.02, 0.4)):
        pen.disc(*placed(x, y, size, [(px, py)])[0], size * r / 2, colour)
    left, right = placed(x, y, size, [(-0.92, -0.28), (0.86, 0.44)])
    pen.box(*left, *right, size * 0.18, colour)


def rain(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A cloud and its drops."""
    cloud(pen, *placed(x, y, size, [(0, -0.34)])[0], size, colour)
    for px, py in ((-0.5, 0.42), (0.0, 0.5), (0.5, 0.42)):
        drop = [*curve((0.0, -0.24), (0.06, -0.04), (0.17, 0.06), (0.16, 0.2))]
        drop += curve((0.16, 0.2), (0.14, 0.36), (0.0, 0.36), (0.0, 0.36))
        pen.polygon(placed(*placed(x, y, size, [(px, py + 0.06)])[0], size, _mirrored(drop)), colour)


def weather(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """The sun behind a cloud: the back of Rain and Sun."""
    sun(pen, *placed(x, y, size, [(0.24, -0.26)])[0], size * 0.74, colour, cut)
    middle = placed(x, y, size, [(-0.08, 0.4)])[0]
    for px, py in ((0, -0.06), (0.05, 0.03), (-0.05, 0.03)):
        cloud(pen, middle[0] + px * size, middle[1] + py * size, size * 0.88, cut)
    cloud(pen, *middle, size * 0.84, colour)


def acorn(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """An acorn: the dealer."""
    nut = [*curve((0.56, -0.2), (0.6, 0.5), (0.2, 0.72), (0.0, 0.98))]
    pen.polygon(placed(x, y, size, _mirrored(nut)), mix(colour, cut, 0.25))
    cap = [*curve((0.0, -0.72), (0.5, -0.74), (0.78, -0.5), (0.74, -0.2)), (0.0, -0.12)]
    pen.polygon(placed(x, y, size, _mirrored(cap)), colour)
    pen.line(placed(x, y, size, [(0, -0.66), (0.1, -0.96)]), colour, size * 0.09)
    for px in (-0.44, 0.0, 0.44):
        pen.line(placed(x, y, size, [(px * 0.7, -0.58), (px, -0.22)]), cut, size * 0.035)


SIGNS: dict[str, Emblem] = {
    "B": beech,
    "R": redbud,
    "S": sycamore,
    "L": locust,
    "W": weather,
    "Rain": rain,
    "Sun": sun,
    "acorn": acorn,
}
SIZE = 128


def sign(name: str) -> Image.Image:
    """Return a sign, `SIZE` pixels wide and high: its coverage, in white; its ribs and gaps are holes."""
    pen = Pen(SIZE, SIZE)
    SIGNS[name](pen, SIZE / 2, SIZE / 2, SIZE * 0.94, (255, 255, 255), (0, 0, 0))
    drawn = pen.pixels()
    whole = Image.new("RGBA", drawn.alpha.size, (255, 255, 255, 0))
    whole.putalpha(ImageChops.multiply(drawn.image.convert("L"), drawn.alpha))
    return whole
