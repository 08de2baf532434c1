"""Whether a drawn picture looks like a stored one: the same but for what other versions of FreeType and zlib change."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageStat

MOST_ALIKE = 1.0
"""Mean difference of a channel that another version of FreeType or zlib may make; a moved sign makes far more."""
MOST_LOCAL = 12.0
"""The same within a tile of 60 by 60 pixels: a changed number shows there."""


def difference(drawn: Image.Image, stored: Image.Image) -> Image.Image | None:
    """Return where the pictures differ; None if they look alike. Pictures of other sizes differ everywhere."""
    if drawn.size != stored.size:
        return drawn
    found = ImageChops.difference(drawn, stored)
    mean = sum(ImageStat.Stat(found).mean) / 3
    return None if mean <= MOST_ALIKE and worst_tile(found) <= MOST_LOCAL else found


def worst_tile(found: Image.Image) -> float:
    """Return the largest mean of a tile of 60 by 60 pixels."""
    tiles = found.convert("L").resize((found.width // 60, found.height // 60), Image.Resampling.BOX)
    return max(tiles.tobytes())
