"""The sun at the corner of the board of Photosynthesis, and the arrows of its light."""

from __future__ import annotations

import math

from rendering.core.canvas import Page
from rendering.core.sprites import Pen, Pixels, Point, mix, sprite
from rendering.photosynthesis.forest import MEADOW, MIDDLE, PEAT, SUN, SUN_AT, SUN_EDGE, centre, light_direction
from rendering.photosynthesis.trees import Tones, round_shape, rounded_body
from rules.core.hexes import STEPS
from rules.photosynthesis import BOARD

SIZE = 132
_TONES = Tones(mix(SUN_EDGE, PEAT, 0.4), (246, 172, 52), SUN, (255, 240, 176))


@sprite
def _sun(sun: int) -> Pixels:
    """The sun: a face of light, with longer rays in the direction of the light."""
    pen = Pen(SIZE, SIZE)
    c = SIZE / 2
    for radius, part in ((65, 0.2), (57, 0.36)):
        pen.disc(c, c, radius, mix(MEADOW[0], SUN, part))
    for i in range(15):
        degrees = 24 * i + 60 * sun
        near = abs((24 * i + 180) % 360 - 180)
        reach = 63 if near <= 60 else 55 if i % 2 == 0 else 50
        points = []
        for radius, turn in ((38, -8), (reach, 0), (38, 8)):
            angle = math.radians(degrees + turn)
            points.append((c + radius * math.cos(angle), c + radius * math.sin(angle)))
        pen.polygon(points, SUN if near <= 60 else SUN_EDGE)
    body = round_shape(c, c, 39, 39)
    rounded_body(pen, [body], _TONES, 8, 2.4)
    return pen.pixels()


@sprite
def _rays(sun: int) -> Pixels:
    """Light that fans out from the sun over the board's edge."""
    size = 520
    pen = Pen(size, size)
    c = size / 2
    for off, half, reach in ((-88, 8, 150), (-63, 10, 235), (-32, 10, 210), (32, 10, 210), (63, 10, 235), (88, 8, 150)):
        angle = math.radians(60 * sun + off)
        x, y = math.cos(angle), math.sin(angle)
        base = [(c + 40 * x - half * y, c + 40 * y + half * x), (c + 40 * x + half * y, c + 40 * y - half * x)]
        pen.polygon([*base, (c + reach * x, c + reach * y)], SUN)
    rays = pen.pixels()
    return Pixels(rays.image, rays.alpha.point([value * 3 // 10 for value in range(256)]))


@sprite
def _arrow(sun: int) -> Pixels:
    """A beam that comes in over the board's edge."""
    size = 52
    pen = Pen(size, size)
    dx, dy = light_direction(sun)
    c = size / 2

    def at(along: float, across: float) -> Point:
        return c + along * dx - across * dy, c + along * dy + across * dx

    shape = [at(-22, -3), at(4, -5), at(2, -13), at(23, 0), at(2, 13), at(4, 5), at(-22, 3)]
    pen.line([*shape, shape[0], shape[1]], mix(SUN_EDGE, PEAT, 0.55), 4)
    pen.polygon(shape, SUN)
    pen.line([at(-19, 0), at(-6, 0)], mix(SUN, SUN_EDGE, 0.5), 3)
    return pen.pixels()


@sprite
def _ghost() -> Pixels:
    """The place to which the sun goes next: its outline in dashes."""
    pen = Pen(96, 96)
    for dash in range(12):
        arc = []
        for step in range(7):
            angle = math.radians(30 * dash + 3 * step)
            arc.append((48 + 40 * math.cos(angle), 48 + 40 * math.sin(angle)))
        pen.line(arc, PEAT, 8)
        pen.line(arc, SUN, 5)
    return pen.pixels()


@sprite
def track(rounds: int, done: int) -> Pixels:
    """The sun's way through the match: a notch a round, six a row, those that have begun in gold."""
    rows = -(-rounds // 6)
    pen = Pen(6 * 36, rows * 34)
    for number in range(rounds):
        row, place = divmod(number, 6)
        x, y = 18 + 36 * place, 17 + 34 * row
        pen.disc(x, y, 13, PEAT)
        pen.disc(x, y, 11, SUN if number < done else MEADOW[-1])
        if number == done - 1:
            pen.ring(x, y, 16, (255, 255, 240), 3)
    return pen.pixels()


def sunlight(page: Page, sun: int, last: bool) -> None:
    """Place the sun at its corner, an arrow at the head of each of the seven lines of its light, and where it goes next
    unless this is the last round.
    """
    if not last:
        ax, ay = light_direction((sun + 1) % 6)
        page.place(_ghost(), MIDDLE[0] - SUN_AT * ax, MIDDLE[1] - SUN_AT * ay, "mm")
    (dx, dy), (dq, dr) = light_direction(sun), STEPS[sun]
    at = MIDDLE[0] - SUN_AT * dx, MIDDLE[1] - SUN_AT * dy
    page.place(_rays(sun), *at, "mm")
    on_board = set(BOARD.axial.values())
    for hex_, (q, r) in BOARD.axial.items():
        corner = (q, r) == (-3 * dq, -3 * dr)
        if (q - dq, r - dr) not in on_board and not corner:
            x, y = centre(hex_)
            page.place(_arrow(sun), x - 85 * dx, y - 85 * dy, "mm")
    page.place(_sun(sun), *at, "mm")
