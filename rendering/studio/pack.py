"""Colours of a picture: k-means in OKLab, in which equal distances look equal; and a sprite's file in 128 of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageFilter

SPRITE_COLOURS = 128
STAGE_QUALITY = 90
"""WebP's, of colours and edges."""
POWER = 0.7
"""A colour counts by its number of pixels to this power: a small bright thing gets its shades too."""
ROUNDS = 12
"""Steps of k-means."""
AT_ONCE = 512
"""So many points are measured at a time that their distances stay in the processor's cache."""
ALPHA_WEIGHT = 0.5
"""How far apart invisible and opaque are, beside OKLab's 1 between black and white."""

Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
CONES: Array = np.array(
    [
        [0.4122214708, 0.2119034982, 0.0883024619],
        [0.5363325363, 0.6806995451, 0.2817188376],
        [0.0514459929, 0.1073969566, 0.6299787005],
    ]
)
"""From linear red, green and blue to the light that the eye's cones take."""
LAB: Array = np.array(
    [
        [0.2104542553, 1.9779984951, 0.0259040371],
        [0.7936177850, -2.4285922050, 0.7827717662],
        [-0.0040720468, 0.4505937099, -0.8086757660],
    ]
)
"""From their cube roots to OKLab."""


def oklab(colours: Array) -> Array:
    """Return sRGB colours (n, 3), 0 to 255, in OKLab (Ottosson, 2020)."""
    part = colours / 255
    part = np.where(part > 0.04045, ((part + 0.055) / 1.055) ** 2.4, part / 12.92)
    return np.cbrt(part @ CONES) @ LAB


def nearest(points: Array, middles: Array) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return for each point (n, d) the number of the nearest middle (k, d)."""
    found = np.empty(len(points), np.intp)
    squares, twice = (middles**2).sum(1), np.ascontiguousarray(-2 * middles.T)
    apart: Array = np.empty((AT_ONCE, len(middles)))
    for start in range(0, len(points), AT_ONCE):
        part = points[start : start + AT_ONCE]
        away = np.matmul(part, twice, out=apart[: len(part)])
        away += squares
        away.argmin(1, out=found[start : start + AT_ONCE])
    return found


def clusters(points: Array, weights: Array, count: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return for each weighted point (n, d) the number of its cluster, of at most `count` (k-means++, then Lloyd)."""
    random, axes = np.random.default_rng(1), np.ascontiguousarray(points.T)
    placed: Array = np.empty((min(count, len(points)), len(axes)))
    away, chance = np.full(len(points), np.inf), weights / weights.sum()
    for middle in range(len(placed)):
        upto = np.cumsum(chance)  # as `choice` does, which looks at each chance first
        placed[middle] = points[(upto / upto[-1]).searchsorted(random.random(), "right")]
        apart = axes - placed[middle][:, None]
        away = np.minimum(away, reduce(np.add, apart * apart))  # `sum` of a few numbers each is far slower
        chance = away * weights
        if not (total := chance.sum()) > 0:
            placed = placed[: middle + 1]
            break
        chance /= total
    weighted = axes * weights
    for _ in range(ROUNDS):
        found = nearest(points, placed)
        totals = np.bincount(found, weights, len(placed))
        for axis, parts in enumerate(weighted):
            sums = np.bincount(found, parts, len(placed))
            placed[:, axis] = np.where(totals > 0, sums / np.maximum(totals, 1e-9), placed[:, axis])
    return nearest(points, placed)


def palette(images: Iterable[Image.Image], keep: Sequence[tuple[int, int, int]], count: int) -> bytes:
    """Return red, green and blue of `count` colours that suit these pictures; `keep` are exact and come first."""
    areas: dict[int, int] = {}
    for image in images:
        pixels = np.asarray(image.convert("RGB"), np.int64).reshape(-1, 3) >> 1
        keys, numbers = np.unique(pixels[:, 0] << 14 | pixels[:, 1] << 7 | pixels[:, 2], return_counts=True)
        for key, number in zip(keys.tolist(), numbers.tolist(), strict=True):
            areas[key] = areas.get(key, 0) + number
    key = np.array(list(areas))
    colours = np.stack([key >> 14, key >> 7 & 127, key & 127], 1) * 2.0 + 0.5
    weights = np.array(list(areas.values()), np.float64) ** POWER
    exact = list(dict.fromkeys(keep))
    found = clusters(oklab(colours), weights, count - len(exact))
    flat = [*exact]
    for number in np.unique(found):
        red, green, blue = np.average(colours[found == number], axis=0, weights=weights[found == number]).tolist()
        flat.append((int(red + 0.5), int(green + 0.5), int(blue + 0.5)))
    flat += [flat[-1]] * (count - len(flat))
    return bytes(part for colour in flat for part in colour)


def flat(image: Image.Image, count: int, soft: int = 0, sky: int = 0) -> Image.Image:
    """Return an opaque picture in that many colours of its own: a page that lies on it compresses far better. What is
    smooth in the uppermost rows, `soft` of them, changes from one colour to the next in a pattern instead of bands.
    `sky`: so many of the colours are fitted to these rows alone.
    """
    book = Image.new("P", (1, 1))
    small = image.resize((image.width // 3, image.height // 3), Image.Resampling.NEAREST)
    above = palette([small.crop((0, 0, small.width, soft // 3))], [], sky) if sky else b""
    colours = palette([small], list(zip(above[::3], above[1::3], above[2::3], strict=True)), count)
    book.putpalette(colours)
    whole = image.quantize(palette=book, dither=Image.Dither.NONE)
    if not soft:
        return whole.convert("RGB")
    image = image.crop((0, 0, image.width, soft))
    entries, grey = oklab(np.frombuffer(colours, np.uint8).reshape(-1, 3).astype(np.float64)), image.convert("L")
    pixels = oklab(np.asarray(image, np.float64).reshape(-1, 3))
    found = nearest(pixels, entries)
    spread = (np.asarray(grey.filter(kind(7)), np.int64) for kind in (ImageFilter.MaxFilter, ImageFilter.MinFilter))
    smooth = np.flatnonzero(np.subtract(*spread).reshape(-1) < SMOOTH)
    own, here = entries[found[smooth]], pixels[smooth]
    other = nearest(2 * here - own, entries)  # on the other side of the pixel's true colour
    way = entries[other] - own
    far = (way**2).sum(1)
    part = ((here - own) * way).sum(1) / np.maximum(far, 1e-12)
    pattern = np.tile((np.array(ORDER) + 0.5) / 16, (image.height // 4 + 1, image.width // 4 + 1))
    steps = pattern[: image.height, : image.width].reshape(-1)[smooth]
    found[smooth] = np.where((part > steps) & (far < APART**2), other, found[smooth])
    whole.paste(Image.fromarray(found.astype(np.uint8).reshape(image.height, image.width), "P"))
    return whole.convert("RGB")


SMOOTH, APART = 10, 0.06
"""A part is smooth if its tones differ by less than this, of 255, round a pixel; colours farther apart in OKLab than
that do not mix to the eye.
"""
ORDER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))
"""In which order the pixels of a pattern take the next colour: a regular one costs a file few bytes."""


def store(image: Image.Image, path: Path) -> None:
    """Write a picture's file, whose folder exists: of a sprite (RGBA) a PNG in 128 colours with alpha, of a stage (RGB)
    a WebP, which keeps soft skies in a tenth of the bytes; one in at most 256 colours keeps all of them.
    """
    if image.mode == "RGB" and image.getcolors(256):
        image.save(path, "WEBP", lossless=True, quality=80, method=4)
        return
    if image.mode == "RGB":
        image.save(path, "WEBP", quality=STAGE_QUALITY, method=6)
        return
    pixels = np.asarray(image.convert("RGBA"), np.float64).reshape(-1, 4)
    pixels[pixels[:, 3] < 4] = 0
    packed = pixels.astype(np.uint8).view(">u4").astype(np.uint32)  # numpy sorts rows far more slowly than numbers
    keys, number, areas = np.unique(packed, return_inverse=True, return_counts=True)
    unique = keys.astype(">u4").view(np.uint8).reshape(-1, 4)
    seen = unique[:, 3:] / 255.0
    points = np.concatenate([oklab(unique[:, :3].astype(np.float64)) * seen, seen * ALPHA_WEIGHT], 1)
    found = clusters(points, areas.astype(np.float64) ** POWER * (0.2 + seen[:, 0]), SPRITE_COLOURS - 1)
    clear = unique[:, 3] == 0
    colours, table = [np.zeros(4)], np.zeros(len(unique), np.uint8)
    for cluster in np.unique(found[~clear]):
        inside = (found == cluster) & ~clear
        table[inside] = len(colours)
        colours.append(np.average(unique[inside], axis=0, weights=areas[inside] * unique[inside, 3]))
    entries = np.array(colours).round().astype(np.uint8)
    indexed = Image.fromarray(table[number.reshape(-1)].reshape(image.height, image.width), "P")
    indexed.putpalette(entries[:, :3].tobytes())
    indexed.save(path, "PNG", optimize=True, transparency=entries[:, 3].tobytes())
