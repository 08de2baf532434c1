"""Full Sun's glade as a page's ground, in the light of the trick; and its trees, each as high as its card's number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image, ImageFilter

from rendering.core import art
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, Page
from rendering.core.sprites import Colour, Pixels, Sprite, pixels, sprite
from rules.full_sun.types import SUITS, FullSunView, suit_of

SLUG = "full_sun"
NIGHT: Colour = (6, 17, 21)
"""The dark round words on the glade."""
GROUND = 574
"""The line in the painted glade at which its ground begins."""
HEIGHTS = tuple(range(100, 421, 40))
"""The heights at which a tree is painted."""
FOOT = 8
"""Pixels of a painted tree below the line on which it stands."""
EVENING: dict[str, Colour] = {"": (206, 212, 226), "Rain": (168, 184, 218), "Sun": (236, 214, 176)}
"""The tone of a tree that does not stand in the light."""


def painted(name: str, width: int = 0) -> Sprite:
    """Return a painted sprite of the game, `width` pixels wide or as painted."""
    return art.art(f"{SLUG}/{name}", width)


@cache
def glade(weather: str, lift: int = 0, columns: int = 5) -> Callable[[int, int], Image.Image]:
    """Return the painter of a page's ground: the glade in that light, with leaves above. `lift`: how much higher the
    glade lies. With three columns of trees it is closer.
    """
    near = 1.25 if columns == 3 else 1
    return lambda _, height: _under_leaves(_cut(art.stage(f"{SLUG}/glade{weather}"), height, lift, near), weather)


@cache
def thicket(weather: str) -> Callable[[int, int], Image.Image]:
    """Return the painter of the ground of a hand: the same glade from farther away, and the log in front of it, on
    which the hand lies.
    """
    return lambda width, height: _under_leaves(art.stage(f"{SLUG}/near{weather}")(width, height), weather, 28)


def _cut(stage: Callable[[int, int], Image.Image], height: int, lift: int, near: float) -> Image.Image:
    """Return the part of a stage that a page shows. The line of its ground stays where it is, but for `lift`."""
    whole = stage(1200, height + lift)
    if near > 1:
        width, part = round(1200 / near), round(whole.height / near)
        left, top = (1200 - width) // 2, round(GROUND - GROUND / near)
        whole = whole.resize((1200, whole.height), Image.Resampling.BICUBIC, (left, top, left + width, top + part))
    return whole.crop((0, lift, 1200, lift + height)) if lift else whole


def _under_leaves(ground: Image.Image, weather: str, rise: int = 0) -> Image.Image:
    leaves = painted(f"canopy{weather}")
    ground.paste(leaves.image, (0, -rise), leaves.alpha)
    return ground


def from_rain_to_sun(width: int, height: int) -> Image.Image:
    """Paint the glade with rain at its left and the sun at its right."""
    rain, sun = (_cut(art.stage(f"{SLUG}/glade{weather}"), height, 56, 1) for weather in ("Rain", "Sun"))
    edge = Image.new("L", (width, height), 255)
    for y in range(height):
        edge.paste(0, (0, y, round(width * 0.56 - y * 0.2), y + 1))
    ground = Image.composite(sun, rain, edge.filter(ImageFilter.GaussianBlur(34)))
    leaves = painted("canopy").layer.resize((width, 267))
    ground.paste(leaves, (0, 0), leaves)
    return ground


def evening(width: int, height: int) -> Image.Image:
    """Paint the glade in which results stand; a low page shows its clearing alone, nearer."""
    if height < 700:
        return thicket("")(width, height)
    return _under_leaves(_cut(art.stage(f"{SLUG}/glade"), height, 0, 1), "")


@sprite
def tree(suit: str, height: int, near: float = 1) -> Pixels:
    """A tree of that height. `near`: how much larger it is than a painted one of the same age."""
    number = next((at for at, least in enumerate(HEIGHTS) if least * near >= height), len(HEIGHTS) - 1)
    whole, part = painted(f"tree_{suit}_{number}").layer, height / HEIGHTS[number]
    return pixels(art.resized(whole, round(whole.width * part), round(whole.height * part)))


@sprite
def pillar(name: str, width: int, height: int) -> Pixels:
    """A tree of that species, a cloud with its rain, or the sun in its light: what is as high as a figure."""
    if name not in ("Rain", "Sun"):
        return tree(name if name in SUITS else "B", height, max(1, height / HEIGHTS[-1])).pixels
    sky = painted("cloud" if name == "Rain" else "high_sun", width).layer
    whole = shaft(width, height).layer if name == "Sun" else Image.new("RGBA", (width, height))
    whole.alpha_composite(sky.crop((0, 0, width, min(height, sky.height))))
    drops = sky.crop((0, sky.height * 2 // 3, width, sky.height))
    for y in range(sky.height, height, drops.height) if name == "Rain" else ():
        whole.paste(drops, (0, y))
    return pixels(whole)


@sprite
def shaft(width: int, height: int) -> Pixels:
    """The light that falls on the highest tree."""
    whole = painted("shaft").layer
    return pixels(whole if whole.size == (width, height) else art.resized(whole, width, height))


def place_light(page: Page, x: float, foot: float, size: float = 1, clear: int = 88) -> None:
    """Place the light that falls on the highest tree, and its pool. `size`: beside that on a table; `clear`: the line
    above which none falls on the head of the page.
    """
    page.place(painted("pool", round(340 * size)), x, foot + 2, "mm")
    page.place(shaft(round(330 * size), round(foot + 4) - clear), x, foot + 4, "mb")


def place_tree(
    page: Page, suit: str, x: float, foot: float, height: int, near: float = 1, tone: Colour | None = None
) -> None:
    """Place a tree with its shade on the ground; `tone`: that of one which does not stand in the light."""
    drawn: Sprite = tree(suit, height, near)
    below = FOOT * drawn.size[1] / (height + 2 * FOOT + 8)
    size = min(240, drawn.size[0] + 20)
    page.place(painted("shade", size), x + size * 0.05, foot + 1, "mm")
    page.place(art.toned(drawn, tone) if tone else drawn, x, round(foot + below), "mb")


def weather_of(view: FullSunView) -> str:
    """Return the light of the trick: "Sun" or "Rain" if that card lies in it, the later one; else ""."""
    lays = view.lays or (view.last_trick.lays if view.last_trick else ())
    return next((str(lay.card) for lay in reversed(lays) if suit_of(lay.card) == "W"), "")


Painter = Callable[..., Callable[[int, int], Image.Image]]


def page_of(view: FullSunView, height: int, paint: Painter, *how: int) -> Page:
    """Return a page in the light of the trick; `paint`: `glade` or `thicket`, with what follows the light."""
    weather, most = weather_of(view), MOST_HAND_BYTES if paint is thicket else MOST_FILE_BYTES
    return Page(f"{SLUG}_{weather}" if weather else SLUG, height, paint(weather, *how), most)
