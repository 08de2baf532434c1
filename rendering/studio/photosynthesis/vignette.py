"""The vignette of the game: three trees on the island's edge, and the sun."""

from __future__ import annotations

from functools import partial
from random import Random

from PIL import Image

from rendering.studio.brush import Sheet
from rendering.studio.photosynthesis import island, things, trees
from rendering.studio.vignettes import SIZE, framed


def edge(sheet: Sheet, random: Random) -> None:
    """Paint three trees on the island's edge, and the sun."""
    sheet.lay(island.stage(1).crop((20, 0, 620, 600)).resize((SIZE, SIZE), Image.Resampling.LANCZOS), 0, 0)
    sheet.lay(things.sun().resize((66, 66), Image.Resampling.LANCZOS), 28, 26)
    for seat, height, x, foot, k in ((1, 3, 176, 132, 0.74), (2, 2, 118, 150, 0.8), (0, 3, 150, 204, 1)):
        one = trees.tree(seat, height, k, ring=False)
        sheet.lay(one, x - one.width / 2, foot - one.height)


vignette = partial(framed, edge)
