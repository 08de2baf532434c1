"""The sun of Photosynthesis at its corner, the arrows of its light, and the track on which it goes round the board."""

from __future__ import annotations

import math

from rendering.core.canvas import Page
from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite
from rendering.photosynthesis.scene import PEAT, SUN, SUN_EDGE, Scene, first_in_light
from rendering.photosynthesis.stage import WOOD, rail
from rendering.photosynthesis.trees import Tones, round_shape, rounded_body

SIZE = 132
"""The sun's size beside the table's board."""
_TONES = Tones(mix(SUN_EDGE, PEAT, 0.4), (246, 172, 52), SUN, (255, 240, 176))
NOTCHES = (-1.5, -0.5, 0.5, 1.5)
"""Where the notches of a side of the track are, in hexes from its middle: between the arrows of the light."""
GLOW: Colour = (255, 255, 240)


@sprite
def sun_face(size: int, sun: int) -> Pixels:
    """The sun: a face of light, with longer rays in the direction of the light."""
    pen, k = Pen(size, size), size / SIZE
    c = size / 2
    for i in range(15):
        degrees = 24 * i + 60 * sun
        near = abs((24 * i + 180) % 360 - 180)
        reach = 65 if near <= 60 else 56 if i % 2 == 0 else 51
        points = []
        for radius, turn in ((38, -8), (reach, 0), (38, 8)):
            angle = math.radians(degrees + turn)
            points.append((c + radius * k * math.cos(angle), c + radius * k * math.sin(angle)))
        pen.line([*points, points[0]], mix(SUN_EDGE, PEAT, 0.45), 2.4 * k)
        pen.polygon(points, SUN if near <= 60 else SUN_EDGE)
    rounded_body(pen, [round_shape(c, c, 40 * k, 40 * k)], _TONES, 8 * k, 2.4 * k)
    return pen.pixels()


@sprite
def _arrow(size: int, dx: float, dy: float) -> Pixels:
    """A beam that comes in over the board's edge."""
    pen = Pen(size, size)
    c, k = size / 2, size / 52

    def at(along: float, across: float) -> Point:
        return c + k * (along * dx - across * dy), c + k * (along * dy + across * dx)

    shape = [at(-22, -3), at(4, -5), at(2, -13), at(23, 0), at(2, 13), at(4, 5), at(-22, 3)]
    pen.line([*shape, shape[0], shape[1]], mix(SUN_EDGE, PEAT, 0.55), 4 * k)
    pen.polygon(shape, SUN)
    pen.line([at(-19, 0), at(-6, 0)], mix(SUN, SUN_EDGE, 0.5), 3 * k)
    return pen.pixels()


@sprite
def _ghost(size: int) -> Pixels:
    """The place to which the sun goes next: its outline in dashes."""
    pen, c = Pen(size, size), size / 2
    for thick, tone in ((size * 0.1, PEAT), (size * 0.062, SUN)):
        for dash in range(10):
            arc = []
            for step in range(7):
                angle = math.radians(36 * dash + 3.4 * step)
                arc.append((c + size * 0.3 * math.cos(angle), c + size * 0.3 * math.sin(angle)))
            pen.line(arc, tone, thick)
            angle = math.radians(36 * dash + 28)
            ray = [(c + size * r * math.cos(angle), c + size * r * math.sin(angle)) for r in (0.39, 0.45)]
            pen.line(ray, tone, thick * 0.8)
    return pen.pixels()


@sprite
def notch(size: int, state: str) -> Pixels:
    """A notch of the track: "ahead", "done", or "now"."""
    pen, c = Pen(size, size), size / 2
    pen.disc(c, c, size * 0.5, GLOW if state == "now" else PEAT)
    if state == "now":
        pen.disc(c, c, size * 0.4, PEAT)
    pen.disc(c, c, size * (0.32 if state == "now" else 0.38), WOOD if state == "ahead" else SUN)
    return pen.pixels()


def notch_at(scene: Scene, revolution: int, sun: int) -> Point:
    """Return the middle of the notch of a round: on the side of the track that begins at the sun's corner."""
    (ax, ay), (bx, by) = rail(scene)[sun], rail(scene)[(sun + 1) % 6]
    part = 0.5 + NOTCHES[revolution] / 3.84
    return ax + (bx - ax) * part, ay + (by - ay) * part


def track(page: Page, scene: Scene, rounds: int, now: int) -> None:
    """Place a notch for each round; those that have begun are gold."""
    for number in range(1, rounds + 1):
        state = "now" if number == now else "done" if number < now else "ahead"
        size = scene.scaled(34 if state == "now" else 26)
        page.place(notch(size, state), *notch_at(scene, (number - 1) // 6, (number - 1) % 6), "mm")


def sunlight(page: Page, scene: Scene, sun: int, coming: int | None) -> None:
    """Place the sun at its corner, an arrow at the head of each of the lines of its light, and where it goes next."""
    if coming is not None and coming != sun:
        page.place(_ghost(scene.scaled(SIZE)), *scene.sun_at(coming), "mm")
    dx, dy = scene.direction(sun)
    long = math.hypot(dx, dy)
    for hex_ in first_in_light(sun):
        x, y = scene.centre(hex_)
        if math.dist((x - 0.8 * dx, y - 0.8 * dy), scene.sun_at(sun)) > scene.hex * 0.3:
            away = 0.86 if sun % 3 else 1.1  # from the side, beyond the names at the rim
            page.place(_arrow(scene.scaled(50), dx / long, dy / long), x - away * dx, y - away * dy, "mm")
    page.place(sun_face(scene.scaled(SIZE), sun), *scene.sun_at(sun), "mm")
