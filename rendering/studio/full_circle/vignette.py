"""The vignette of the game: a rose window of six colours, lit from behind."""

from __future__ import annotations

import math
from functools import partial
from random import Random

import skia

from rendering.core.sprites import Colour, Point, mix
from rendering.studio.brush import BLACK, BLOB, WHITE, Sheet, dab, ink, radial, stones
from rendering.studio.vignettes import SIZE, C, framed


def glass(sheet: Sheet, shape: skia.Path, middle: Point, radius: float, colour: Colour, random: Random) -> None:
    """Paint a pane: bright where light comes through, darker towards the lead, with bubbles and streaks."""
    x, y = middle

    def pane() -> None:
        inner = (0, mix(colour, WHITE, 0.62)), (0.35, mix(colour, WHITE, 0.2))
        sheet.canvas.drawPaint(radial(middle, radius, *inner, (0.75, colour), (1, mix(colour, BLACK, 0.42))))
        for _ in range(int(radius / 3)):
            px, py = x + random.gauss(0, radius * 0.6), y + random.gauss(0, radius * 0.6)
            tone = mix(colour, WHITE if random.random() < 0.6 else BLACK, 0.5)
            size, angle = random.uniform(2, radius * 0.16), random.uniform(-30, 60)
            dab(sheet, px, py, size, angle, tone, random.randrange(16, 46), BLOB, 0.3)

    sheet.inside(shape, pane)


def scene(sheet: Sheet, random: Random) -> None:
    """A rose window of six colours, lit from behind."""
    sheet.box(0, 0, SIZE, SIZE, ink((20, 20, 38)))
    stones(sheet, (0, 0, 240, 240), random, ((52, 50, 74), (70, 66, 88), (40, 38, 62)), 24, (180, 170, 200))
    colours = (206, 40, 48), (240, 150, 30), (246, 214, 60), (40, 150, 84), (40, 92, 190), (124, 60, 170)
    sheet.disc(C, C, 96, ink((255, 220, 150), 120, blur=12))
    sheet.disc(C, C, 92, ink((16, 12, 20)))

    def slice_of(inner: float, outer: float, start: float, sweep: float) -> skia.Path:
        path = skia.Path()
        path.arcTo(skia.Rect.MakeLTRB(C - outer, C - outer, C + outer, C + outer), start, sweep, True)
        path.arcTo(skia.Rect.MakeLTRB(C - inner, C - inner, C + inner, C + inner), start + sweep, -sweep, False)
        path.close()
        return path

    for number in range(len(colours)):
        start = number * 60 - 90
        for near, wide, at in ((30, 60, 0), (62, 88, 3)):
            turn = math.radians(start + 30)
            far = (near + wide) / 2
            middle = C + far * math.cos(turn), C + far * math.sin(turn)
            glass(sheet, slice_of(near, wide, start, 60), middle, 36, colours[(number + at) % 6], random)
        turn = math.radians(start)
        inner, outer = ((C + far * math.cos(turn), C + far * math.sin(turn)) for far in (28, 92))
        sheet.line(inner, outer, ink((20, 18, 26), stroke=6))
        sheet.line(inner, outer, ink((120, 122, 138), stroke=1.8))
    for far in (30, 61, 90):
        sheet.disc(C, C, far, ink((20, 18, 26), stroke=6))
        sheet.disc(C, C, far, ink((120, 122, 138), stroke=1.8))
    glass(sheet, skia.Path().addCircle(C, C, 27), (C, C), 30, (250, 226, 170), random)


vignette = partial(framed, scene)
