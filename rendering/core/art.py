"""Painted sprites and stages: the files of data/art, which rendering/studio paints. Here Pillow reads them.

`art("siege_of_sunfall/guard_3")` is the sprite of that file. rendering/sprites/<slug>.txt lists a game's files with
their digests: `examine` refuses files that are missing or damaged, and the bot calls it before it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from rendering.core.sprites import MOST_REMEMBERED, Colour, Pixels, Sprite, Toned, pixels, sprite

FOLDER = Path(__file__).resolve().parents[2] / "data" / "art"
LISTS = Path(__file__).resolve().parents[1] / "sprites"
MOST_NAMED = 3
"""The most damaged files that are named."""
NIGHTFALL: Colour = (150, 160, 205)
"""What the colours of a thing are multiplied with, in 255ths, if the light of the page is on another."""
EVENING: Colour = (198, 202, 228)
"""The same for a stage on which only the winner stands in the light."""


def list_of(slug: str) -> Path:
    """Return the file that lists a game's sprites."""
    return LISTS / f"{slug}.txt"


def digest(path: Path) -> str:
    """Return a digest of a file."""
    return sha256(path.read_bytes()).hexdigest()[:16]


class DamagedArt(Exception):
    """Files of data/art are missing or damaged. `str()` is one sentence for the operator."""


def faults() -> Iterator[str]:
    """Yield each file of data/art that a list names and that is missing or damaged, as a path in data/art."""
    for listed in sorted(LISTS.glob("*.txt")):
        for line in listed.read_text(encoding="utf-8", errors="replace").splitlines():
            wanted, _, name = line.partition(" ")
            try:
                sound = digest(FOLDER / listed.stem / name) == wanted
            except OSError:
                sound = False
            if not sound:
                yield f"{listed.stem}/{name}"


def examine() -> None:
    """Raise DamagedArt if a file of data/art is missing or damaged: a match would have broken pictures, or none."""
    found = list(faults())
    if not found:
        return
    named = ", ".join(found[:MOST_NAMED]) + (f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else "")
    what = "A picture" if len(found) == 1 else f"{len(found)} pictures"
    raise DamagedArt(f"{what} of data/art cannot be used: {named}. Install this version of the program again.")


@sprite
def art(name: str, width: int = 0) -> Pixels:
    """Return a painted sprite, in its own size or `width` pixels wide. `name`: its path in data/art without ".png"."""
    with PngImageFile(FOLDER / f"{name}.png") as file:  # Image.open would first load what reads other kinds of files
        if width and width != file.width:
            return pixels(resized(file.convert("RGBA"), width, round(file.height * width / file.width)))
        clear = file.info.pop("transparency")  # of the first colours, or the number of the one that is not opaque
        cover = [255 * (number != clear) for number in range(256)]
        if isinstance(clear, bytes):
            cover[: len(clear)] = clear
        return Pixels(file.convert("RGB"), file.point(cover, "L"))


@sprite
def standing(name: str, height: int) -> Pixels:
    """Return a painted sprite without the room round it, that many pixels high: a figure that stands on something."""
    image = art(name).layer
    image = image.crop(image.getbbox())
    return pixels(resized(image, max(1, round(image.width * height / image.height)), height))


def resized(image: Image.Image, width: int, height: int) -> Image.Image:
    """Return an image in mode RGBA in another size, without dark fringes."""
    return image.convert("RGBa").resize((width, height), Image.Resampling.BILINEAR).convert("RGBA")


@cache
def stage(name: str) -> Callable[[int, int], Image.Image]:
    """Return what paints a stage as a page's ground. `name`: its path in data/art without ".webp". The file is cut or
    its last row repeated to the page's height.
    """

    def paint(width: int, height: int) -> Image.Image:
        with WebPImageFile(FOLDER / f"{name}.webp") as file:
            image = file.crop((0, 0, width, height))
        if (more := height - file.height) > 0:
            last = image.crop((0, file.height - 1, width, file.height))
            image.paste(last.resize((width, more)), (0, file.height))
        return image

    return paint


@lru_cache(maxsize=MOST_REMEMBERED)
def toned(sprite: Sprite, tone: Colour = NIGHTFALL) -> Sprite:
    """Return a sprite in coloured shade: each channel multiplied by the tone's, in 255ths. It never turns grey."""
    return Toned(sprite, tone)


@sprite
def mirrored(sprite: Sprite) -> Pixels:
    """Return a sprite that looks the other way."""
    image, alpha = sprite.pixels
    flip = Image.Transpose.FLIP_LEFT_RIGHT
    return Pixels(image.transpose(flip), alpha.transpose(flip))


@sprite
def aglow(sprite: Sprite, blur: int, colour: Colour, strength: float = 1) -> Pixels:
    """Return the light round a sprite, to be laid below it: `2 * blur` larger on each side."""
    alpha = sprite.alpha
    mask = Image.new("L", (alpha.width + 4 * blur, alpha.height + 4 * blur))
    mask.paste(alpha, (2 * blur, 2 * blur))
    mask = mask.filter(ImageFilter.GaussianBlur(blur)).point([min(255, int(value * strength)) for value in range(256)])
    return Pixels(Image.new("RGB", mask.size, colour), mask)


@sprite
def cut(sprite: Sprite, width: int, height: int, foot: bool = False) -> Pixels:
    """Return a sprite in another size, its texture neither stretched nor squeezed: both sides stay, and of what is
    between them so much is left out or repeated. Below it is cut or goes on; with `foot` its lower edge stays.
    """
    whole = sprite.layer
    tall = whole.height
    sheet = Image.new("RGBA", (width, height))
    half, right = width // 2, width - width // 2
    if width <= whole.width:
        sheet.paste(whole.crop((0, 0, half, tall)))
        sheet.paste(whole.crop((whole.width - right, 0, whole.width, tall)), (half, 0))
    else:
        quarter = whole.width // 4
        middle = whole.crop((quarter, 0, 3 * quarter, tall))
        for x in range(quarter, width - quarter, middle.width):
            sheet.paste(middle, (x, 0))
        sheet.paste(whole.crop((0, 0, quarter, tall)))
        sheet.paste(whole.crop((whole.width - quarter, 0, whole.width, tall)), (width - quarter, 0))
    if height > tall:  # what is below its upper half comes again and again
        low = sheet.crop((0, tall // 2, width, tall))
        for y in range(tall, height, low.height):
            sheet.paste(low, (0, y))
    if foot and height < tall:  # its lower half comes in little by little: so no edge has a joint
        full, blend = cut(sprite, width, tall).layer, min(BLEND, height)
        low = full.crop((0, tall - height // 2 - blend // 2, width, tall))
        fade = Image.linear_gradient("L").resize((width, blend))
        mask = Image.new("L", low.size, 255)
        mask.paste(fade)
        top = height - low.height
        sheet.paste(Image.composite(low, sheet.crop((0, top, width, height)), mask), (0, top))
    return pixels(sheet)


BLEND = 96
"""The rows in which the two halves of a sprite that was cut pass into each other."""


def vignette(slug: str, width: int) -> Sprite:
    """Return the round picture of a game, or the one for games that have none."""
    name = f"{slug}/vignette"
    return art(name if (FOLDER / f"{name}.png").is_file() else "common/vignette", width)


Light = tuple[int, int, int]
"""Where light falls on a stage: the middle of its pool, half the width of that, and the line on which it lies."""


@lru_cache(maxsize=64)
def dimmed(
    paint: Callable[[int, int], Image.Image], lights: tuple[Light, ...] = (), hidden: int = 0, seen: int = 0
) -> Callable[[int, int], Image.Image]:
    """Return what paints the same ground in cool shade, darker at the head and at the foot, where words stand.
    `lights`: where the stage lies in its own light, a little warmer; `hidden`: how much of the foot is covered; `seen`:
    the rows that are not, if a floor lies before the stage.
    """
    dusk, cold = ([value * part // whole for part in EVENING for value in range(256)] for whole in (1000, 255))
    warm = [min(255, value * part // 128 + part // 14) for part in WARM for value in range(256)]

    def shaded(width: int, height: int) -> Image.Image:
        whole, rows, head = paint(width, height), seen or height, min(250, height // 4)
        ground, grain, column = whole.crop((0, 0, width, rows)), _grain(width, rows), Image.new("L", (1, rows))
        foot = height - hidden
        column.putdata(
            [
                round(max(DARKEST * max(0, 1 - y / head), DARK * min(1, max(0, 1 - (foot - y) / 180))))
                for y in range(rows)
            ]
        )
        cool = ground.point(cold)
        for x, half, low in lights:
            wide, low = half * 5 // 3, low + half // 2
            box = max(0, x - wide), 0, min(width, x + wide), min(rows, low)
            light = _pool().resize((2 * wide, low), Image.Resampling.BICUBIC)
            light = light.crop((box[0] - x + wide, 0, box[2] - x + wide, box[3]))
            cool.paste(ground.crop(box).point(warm), box, ImageChops.multiply(light, grain.crop(box)))
        cool.paste(ground.point(dusk), (0, 0), ImageChops.multiply(column.resize((width, rows)), grain))
        whole.paste(cool)
        return whole

    return shaded


@sprite
def shadow(width: int) -> Pixels:
    """Return the soft shadow of a thing so wide, to be laid below it, its middle on the line of its foot."""
    size = width * 5 // 4, width // 4
    return Pixels(Image.new("RGB", size, BLACK), _pool().resize(size, Image.Resampling.BICUBIC))


BLACK: Colour = (8, 6, 14)


@lru_cache(maxsize=4)
def _grain(width: int, height: int) -> Image.Image:
    """Return a mask a little darker by a pattern of 4 × 4: what is laid through it has no bands in the few colours of a
    palette, and the pattern costs a file few bytes.
    """
    rows = b"".join(bytes(255 - 2 * step for step in row) * (width // 4) for row in PATTERN)
    return Image.frombytes("L", (width, height), (rows * (height // 4 + 1))[: width * height])


PATTERN = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))
"""By which steps it is darker: any two beside each other differ by much (Bayer)."""


@cache
def _pool() -> Image.Image:
    """Return the mask of one round light: no edge, no plateau."""
    side = 178  # in Pillow's gradient, whose corners are at 255
    parts = [max(0, 1 - distance / side) for distance in range(256)]
    return Image.radial_gradient("L").point([round(BRIGHTEST * part * part * (3 - 2 * part)) for part in parts])


BRIGHTEST, DARKEST, DARK = 225, 180, 60
"""How warm the middle of a light is, and how dark the head and the foot of a page, of 255."""


WARM: Colour = (164, 154, 138)
"""What the colours of a stage are multiplied with if warm light falls on it, in 128ths."""
