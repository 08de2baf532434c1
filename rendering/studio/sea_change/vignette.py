"""The vignette of the game: a boat between two skies, before the wave."""

from __future__ import annotations

from functools import partial
from random import Random

from PIL import Image

from rendering.studio.brush import Sheet, ink, polygon, smooth
from rendering.studio.sea_change.fleet import boat, dots
from rendering.studio.sea_change.things import tide
from rendering.studio.sea_change.water import scene
from rendering.studio.vignettes import SIZE, framed


def between(sheet: Sheet, random: Random) -> None:
    """Paint a boat between two skies, before the wave."""
    for name, shape in (("Y", "0 0 240 0 240 240 0 240"), ("B", "126 0 150 40 128 80 158 130 140 240 240 240 240 0")):
        view = scene(name).crop((300, 60, 800, 560)).resize((SIZE, SIZE), Image.Resampling.LANCZOS)
        sheet.inside(polygon(dots(shape)), partial(sheet.lay, view, 0, 0))
    sheet.path(smooth(dots("126 -10 150 40 128 80 158 130 140 250")), ink((255, 250, 226), stroke=4))
    for picture, wide, x, y in ((tide(), 190, 92, 46), (boat(0), 150, 18, 72)):
        sheet.lay(picture.resize((wide, wide * picture.height // picture.width), Image.Resampling.LANCZOS), x, y)


vignette = partial(framed, between)
