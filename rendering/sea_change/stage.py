"""Sea Change's stage: a sky and a sea in the light of the trump, and where that light stands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from PIL import Image

from rendering.core.art import art, resized, stage, toned
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.sprites import Colour, Pixels, pixels, sprite

SLUG = "sea_change"
PAINTED, HORIZON, FRONT, PILES = 1000, 250, 180, 130
"""A painted stage's height, the row where sky meets water, the rows of its front wave; how high piles rise."""


class Light(NamedTuple):
    """What a trump's light does to a page."""

    glow: Colour
    """The colour of the light itself."""
    dark: Colour
    """The dark round words on its sky."""
    shade: Colour
    """What is multiplied with colours of things that do not stand in the light, in 255ths."""
    rest: Colour
    """The same of cards that cannot be played."""
    wood: Colour
    """The same of the pier from which one looks at the sea."""


LIGHTS: dict[str, Light] = {
    "": Light((206, 224, 236), (6, 12, 26), (204, 210, 224), (150, 158, 182), (136, 150, 190)),
    "B": Light((255, 252, 228), (4, 30, 72), (208, 216, 232), (160, 174, 200), (246, 244, 238)),
    "G": Light((250, 250, 190), (2, 28, 34), (204, 224, 214), (158, 184, 174), (190, 222, 188)),
    "R": Light((255, 206, 138), (22, 8, 20), (224, 208, 206), (186, 162, 158), (238, 150, 140)),
    "P": Light((255, 222, 236), (14, 8, 38), (216, 208, 228), (168, 158, 184), (204, 158, 214)),
    "Y": Light((255, 246, 206), (34, 22, 62), (228, 214, 206), (194, 176, 166), (255, 208, 176)),
}
"""The light of each trump; "" before there is one."""


@cache
def scene(
    trump: str, horizon: int = HORIZON, torn: str | None = None, rail: int = 0
) -> Callable[[int, int], Image.Image]:
    """Return the painter of the scene in that trump's light with its horizon on that row. `torn`: the trump before,
    whose sky hangs torn over the new one; `rail`: the row on which the pier's rail begins, if there is one. Equal
    arguments have the same painter.
    """

    def paint(width: int, height: int) -> Image.Image:
        image, painted, deep = Image.new("RGB", (width, height)), _whole(trump), height - horizon
        image.paste(_sky(painted, horizon))
        sea = painted.crop((0, HORIZON, width, min(HORIZON + deep, PAINTED)))
        image.paste(sea if sea.height == deep else sea.resize((width, deep)), (0, horizon))
        if rail:
            wood, piles = (toned(art(f"{SLUG}/{name}"), LIGHTS[trump].wood).layer for name in ("rail", "piles"))
            more = max(0, height - rail - wood.height)
            image.paste(wood, (0, rail), wood)
            image.paste(piles, (0, rail - PILES), piles)
            floor = wood.crop((0, wood.height - 1, width, wood.height)).resize((width, more or 1))
            image.paste(floor.convert("RGB"), (0, height - more))
        elif sea.height == deep:  # the wave that stands in front was cut off
            front = Image.linear_gradient("L").resize((width, FRONT)).point([min(255, 3 * at) for at in range(256)])
            image.paste(painted.crop((0, PAINTED - FRONT, width, PAINTED)), (0, height - FRONT), front)
        if torn is not None:
            for name, what in (("torn", _sky(_whole(torn), horizon)), ("tear", None)):
                sheet = art(f"{SLUG}/{name}")
                size = width, round(sheet.size[1] * horizon / HORIZON)
                mask = sheet.alpha.resize(size)
                shown = what or sheet.image.resize(size)
                image.paste(shown, (0, 0), mask.crop((0, 0, *shown.size)))
        return image

    return paint


def _whole(trump: str) -> Image.Image:
    return stage(f"{SLUG}/stage_{trump or 'dark'}")(WIDTH, PAINTED)


def _sky(painted: Image.Image, horizon: int) -> Image.Image:
    """Return the sky down to its horizon, cut at the head or, if there is too little of it, stretched."""
    sky = painted.crop((0, max(0, HORIZON - horizon), WIDTH, HORIZON))
    return sky if sky.height == horizon else sky.resize((WIDTH, horizon))


def page_of(
    trump: str, height: int, horizon: int, rail: int, torn: str | None = None, most: int = MOST_FILE_BYTES
) -> Page:  # fmt: skip
    """Return a page with the sea in that trump's light, seen over the rail of a pier."""
    return Page(f"{SLUG}_{trump}" if trump else SLUG, height, scene(trump, horizon, torn, rail), most)


def place_light(
    page: Page, trump: str, x: float, y: float, size: int, horizon: int, path: tuple[int, int], *, plain: bool = False
) -> None:  # fmt: skip
    """Place the light with its path on the water, as wide in front and as deep as `path`; (x, y) is the middle of the
    light, `size` the width of its halo. `plain`: it has neither.
    """
    glow = LIGHTS[trump].glow
    if plain:
        page.place(toned(art(f"{SLUG}/orb", 2 * disc_of(size)), glow), x, y, "mm")
        return
    page.place(toned(_glints(*path), glow), x, horizon, "mt")
    page.place(toned(art(f"{SLUG}/disc", size), glow), x, y, "mm")


@sprite
def _glints(wide: int, deep: int) -> Pixels:
    """The light's path on the water."""
    return pixels(resized(art(f"{SLUG}/path").layer, wide, deep))


def disc_of(size: int) -> int:
    """Return the radius of the light whose halo has that width."""
    return round(size * 62 / 420)


def dark_of(trump: str | None) -> Colour:
    """Return the dark round words in that trump's light."""
    return LIGHTS[trump or ""].dark


def ground(width: int, height: int) -> Image.Image:
    """Paint what lies behind results: the sunrise. The foot of a high page, which is covered, stays dark."""
    high = height > PAINTED
    return scene("Y", 300 if high else HORIZON)(width, min(height, PAINTED)).crop((0, 0, width, height))
