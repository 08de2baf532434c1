"""The stages of Sea Change: a sky for each light, and the sea below it in perspective."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from PIL import Image, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, mix
from rendering.studio import pack
from rendering.studio.brush import WHITE, Sheet, ink, linear, polygon, smooth

WIDTH, HEIGHT, HORIZON = 1200, 1000, 250
"""The size of a stage, and the row in which sky and water meet."""
ROWS = 50
"""So many fine rows are painted at a time; the sky and the sea have a multiple of it."""

Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Places: TypeAlias = Any
"""An array with the row, or the column, of each pixel; numpy's types take a part of it for float64."""


class Light(NamedTuple):
    """The colours of a light: the sky from above to the horizon, its clouds in shade and where they are lit, the water
    from the horizon to the front, and the light itself.
    """

    sky: tuple[Colour, ...]
    shade: Colour
    lit: Colour
    sea: tuple[Colour, ...]
    glow: Colour


LIGHTS: dict[str, Light] = {
    "": Light(((7, 13, 30), (13, 25, 50), (24, 46, 78), (58, 92, 122)), (22, 38, 62), (96, 128, 156),
              ((52, 86, 116), (24, 52, 82), (12, 30, 54), (6, 14, 28)), (206, 224, 236)),
    "B": Light(((8, 40, 92), (24, 92, 164), (88, 164, 218), (206, 234, 240)), (86, 142, 196), (244, 250, 250),
               ((120, 190, 214), (40, 122, 182), (14, 66, 128), (6, 26, 62)), (255, 252, 228)),
    "G": Light(((4, 34, 42), (12, 74, 76), (72, 146, 118), (214, 226, 158)), (34, 100, 92), (212, 230, 170),
               ((150, 204, 152), (36, 128, 112), (10, 72, 72), (4, 26, 34)), (250, 250, 190)),
    "R": Light(((20, 8, 22), (66, 14, 34), (150, 32, 40), (246, 128, 78)), (54, 14, 34), (224, 92, 62),
               ((214, 92, 66), (112, 30, 46), (52, 16, 36), (18, 8, 20)), (255, 206, 138)),
    "P": Light(((14, 8, 40), (40, 20, 78), (104, 54, 134), (226, 146, 186)), (52, 28, 92), (216, 138, 186),
               ((180, 112, 168), (80, 46, 124), (38, 22, 78), (14, 8, 34)), (255, 222, 236)),
    "Y": Light(((42, 28, 76), (132, 58, 92), (236, 132, 74), (255, 214, 124)), (142, 66, 92), (255, 196, 116),
               ((248, 168, 92), (120, 82, 110), (38, 50, 92), (10, 20, 46)), (255, 246, 206)),
}  # fmt: skip


def _noise(size: int, seed: int, octaves: tuple[int, ...], fall: float = 0.55) -> Array:
    """Return noise from 0 to 1 that repeats at its edges; `octaves`: how many bumps each layer has across."""
    random, whole, weight = np.random.default_rng(seed), np.zeros((size, size), np.float32), 1.0
    for bumps in octaves:
        grid = random.random((bumps, bumps)).astype(np.float32)
        around = Image.fromarray(np.tile(grid, (3, 3))).resize((size * 3, size * 3), Image.Resampling.BICUBIC)
        whole += weight * np.asarray(around)[size : 2 * size, size : 2 * size]
        weight *= fall
    low, high = np.percentile(whole, (0.5, 99.5))
    return ((whole - low) / (high - low)).clip(0, 1)


def _at(noise: Array, x: Array, y: Array) -> Array:
    """Return the noise at those places, of which 1 is the whole width, smoothly between its pixels."""
    size = noise.shape[0]
    px, py = x * size, y * size
    left, top = np.floor(px).astype(np.int64), np.floor(py).astype(np.int64)
    across, down = px - left, py - top
    top, left = top % size, left % size
    bottom, right = np.where(top + 1 < size, top + 1, 0), np.where(left + 1 < size, left + 1, 0)
    top, bottom = top * size, bottom * size
    a, b, c, d = (noise.take(place) for place in (top + left, top + right, bottom + left, bottom + right))
    return ((a * (1 - across) + b * across) * (1 - down) + (c * (1 - across) + d * across) * down).astype(np.float32)


def _tones(tones: tuple[Colour, ...], part: Array) -> Array:
    """Return the colours at those parts of the way through the tones."""
    stops, colours = np.linspace(0, 1, len(tones)), np.array(tones, np.float32)
    return np.stack([np.interp(part, stops, colours[:, channel]) for channel in range(3)], -1)


def _over(below: Array, colour: Colour, part: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Array:
    return below * (1 - part[..., None]) + np.array(colour, np.float32) * part[..., None]


def _step(value: Array, low: float, high: float) -> Array:
    part = ((value - low) / (high - low)).clip(0, 1)
    return part * part * (3 - 2 * part)


def _rows(high: int, paint: Callable[[Places, Places], Array]) -> Array:
    """Return that many rows, twice as fine as a stage, of which `paint` returns some by the places of their pixels: so
    few at a time that they stay in the processor's cache. They are reduced to rows of the stage.
    """
    parts = [paint(*np.mgrid[top : top + ROWS, 0 : WIDTH * 2].astype(np.float32)) for top in range(0, high, ROWS)]
    return np.concatenate([part.reshape(-1, 2, WIDTH, 2, 3).mean((1, 3)) for part in parts])


def _sky(light: Light, seed: int, much: float, tall: float) -> Array:
    """Return the rows above the horizon: a dark head, clouds that grow thin towards the horizon, light from below.
    `much`: how much of it clouds cover; `tall`: how high they are for their width.
    """
    noise, fine = _noise(768, seed, (5, 11, 23)), _noise(768, seed + 1, (31, 62, 124))

    def paint(y: Places, x: Places) -> Array:
        down = y / (HORIZON * 2)
        sky = _tones(light.sky, down**1.15)
        deep = 1 / (1.16 - down)
        u, v = (x / (WIDTH * 2) - 0.5) * (0.3 + 0.06 * deep), deep * 0.085 / tall

        def bank(back: float) -> Array:
            puff = 1 - np.abs(2 * _at(fine, u * 1.1, (v + back) * 1.6 * tall) - 1)
            return (_at(noise, u + 0.3, v + back) + 0.2 * (puff - 0.6)).astype(np.float32)

        here = bank(0)
        cover = _step(here, 0.66 - much, 0.71 - much) * _step(down, 0.34, 0.6) * (1 - 0.6 * _step(down, 0.93, 1.0))
        lit = (np.round(((here - bank(0.012)) * 9 + 0.25).clip(0, 1) * 4) / 4).astype(np.float32)
        sky = _over(sky, light.shade, cover * 0.9)
        sky = _over(sky, light.lit, lit * cover * (0.3 + 0.6 * down))
        return _over(sky, light.glow, 0.24 * _step(down, 0.78, 1.0))

    return _rows(HORIZON * 2, paint)


def _sea(light: Light, seed: int, swell: float) -> Array:
    """Return the rows below the horizon: swells in perspective, each with a lit side, some with foam on the crest."""
    high = (HEIGHT - HORIZON) * 2
    bend = _noise(512, seed, (3, 7))
    waves, chop = _noise(768, seed + 2, (9, 19), 0.5), _noise(768, seed + 3, (23, 49, 97), 0.6)

    def paint(y: Places, x: Places) -> Array:
        down = (y + 1) / high
        far = 1 / (down + 0.03)
        u, v = (x / (WIDTH * 2) - 0.5) * (far + 1.6) * 0.13, far * 0.09 - 0.1 * down
        v = v + 0.05 * (_at(bend, u * 0.7, v * 0.7) - 0.5)

        def height(back: float) -> Array:
            ridge = 1 - np.abs(2 * _at(waves, u * 0.6, (v + back) * 2.1) - 1)
            return (ridge**1.5 + 0.36 * _at(chop, u * 1.1, (v + back) * 2.8)).astype(np.float32)

        here, before = height(0), height(0.011)
        calm = 0.4 + 0.6 * _step(down, 0.0, 0.15)
        calm = calm * (1 - 0.62 * _step(down, 0.3, 0.8))  # in front it lies behind cards
        slope = np.round(((here - before) * 2.7 * swell * calm).clip(-1, 1) * 5) / 5
        deep = down**0.6 + 0.2 * _step(down, 0.55, 1)
        sea = _tones(light.sea, (deep - np.where(slope > 0, slope * (0.34 - 0.1 * down), slope * 0.2)).clip(0, 1))
        sea = _over(sea, light.glow, np.where(slope > 0.3, slope - 0.3, 0) * (0.5 - 0.5 * down).clip(0, 1))
        lace = _at(chop, u * 3.4, v * 4.2)
        foam = _step(here, 1.0, 1.05) * _step(lace, 0.4, 0.47) + 0.5 * _step(here, 0.8, 1.0) * _step(lace, 0.66, 0.72)
        foam = foam.clip(0, 1) * _step(down, 0.02, 0.14) * (1 - _step(down, 0.3, 0.55))
        sea = _over(sea, mix(light.glow, WHITE, 0.2), foam * (0.78 - 0.3 * down))
        return _over(sea, mix(light.sky[-1], light.glow, 0.3), (np.exp(-down * 26) * 0.62).astype(np.float32))

    return _rows(high, paint)


SHADES = 72
"""The colours of a stage. A page's file grows with each, and with every speck."""


def stage(name: str) -> Image.Image:
    """Paint the sky and the sea of a light, in few colours and without specks."""
    return pack.flat(scene(name).filter(ImageFilter.MedianFilter(3)), SHADES, HORIZON + 40)


@cache
def scene(name: str) -> Image.Image:
    """Paint the sky and the sea of a light."""
    light, number = LIGHTS[name], 11 + 7 * list(LIGHTS).index(name)
    clouds = {"": (0.04, 1.0), "B": (0.1, 2.2), "G": (0.02, 1.2), "R": (0.22, 1.6), "P": (0.04, 0.7), "Y": (0.12, 0.8)}
    much, tall = clouds[name]
    small = np.concatenate([_sky(light, number, much, tall), _sea(light, number + 3, 1.15 if name == "R" else 1.0)])
    image = Image.fromarray(small.clip(0, 255).astype(np.uint8))
    sheet, random = Sheet(WIDTH, HEIGHT), scatter(number)
    _details(sheet, name, light, random)
    _front(sheet, light, random)
    painted = sheet.image()
    image.paste(painted, (0, 0), painted)
    return image


def _details(sheet: Sheet, name: str, light: Light, random: Random) -> None:
    """Paint what one light has besides: stars, islands with palms, far rain, gulls."""
    if name in ("", "P"):
        for _ in range(110):
            x, y = random.uniform(0, WIDTH), random.uniform(4, 190) ** 0.98
            size = random.choice((0.9, 1.2, 1.2, 1.9))
            sheet.disc(x, y, size, ink(light.glow, int(240 * (1 - y / 230))))
    if name == "G":
        islands = (-60, 330, 64, 0.3), (860, 1260, 84, 0.3), (-80, 170, 40, 0.62), (1040, 1290, 44, 0.62)
        for left, right, high, shade in islands:
            tone = mix(light.sky[2], light.sea[2], shade)
            ups = [math.sin(math.pi * at / 12) ** 1.3 * (1 + 0.16 * math.sin(at * 2.3)) for at in range(13)]
            hill = [(left + (right - left) * at / 12, HORIZON + 2 - high * up) for at, up in enumerate(ups)]
            sheet.path(smooth([*hill, (right, HORIZON + 3), (left, HORIZON + 3)], closed=False), ink(tone))
        for x, tall, lean in ((96, 50, 14), (128, 38, -10), (1096, 88, -22), (1136, 60, 14)):
            _palm(sheet, x, tall, lean, mix(light.sea[2], light.sea[3], 0.5))
    if name == "R":
        for _ in range(90):
            x, y = random.choice((random.uniform(0, 330), random.uniform(860, 1200))), random.uniform(150, 226)
            sheet.line((x, y), (x - 7, y + 22), ink(mix(light.shade, light.lit, 0.4), 110, stroke=1.8))
        bolt = [(226, 158), (244, 182), (234, 187), (256, 212), (247, 216), (264, 246)]
        sheet.path(polygon(bolt, closed=False), ink((255, 190, 150), 120, blur=6, stroke=9))
        sheet.path(polygon(bolt, closed=False), ink((255, 236, 214), stroke=2.6))
    if name in ("Y", "B"):
        for x, y, size in ((338, 196, 17), (376, 180, 12), (820, 190, 14), (852, 206, 10)):
            parts = (-1, 0.1), (-0.5, 0.5), (0, 0), (0.55, 0.55), (1, 0.2)
            wing = smooth([(x + size * aside, y - size * up) for aside, up in parts])
            sheet.path(wing, ink(light.sky[0] if name == "Y" else WHITE, 230, stroke=2.6))


def _palm(sheet: Sheet, x: float, tall: float, lean: float, tone: Colour) -> None:
    top = x + lean, HORIZON - tall
    sheet.path(smooth([(x, HORIZON + 2), (x + lean * 0.3, HORIZON - tall * 0.5), top]), ink(tone, stroke=4.5))
    for turn, long in ((-170, 34), (-140, 36), (-95, 24), (-40, 36), (-8, 34), (22, 22), (158, 22)):
        across, down = math.cos(math.radians(turn)) * long, math.sin(math.radians(turn)) * long * 0.7
        tip = top[0] + across, top[1] + down + 15
        leaf = [top, (top[0] + across * 0.55, top[1] + down - 4), tip, (top[0] + across * 0.5, top[1] + down + 5)]
        sheet.path(smooth(leaf, closed=True), ink(tone))


def _front(sheet: Sheet, light: Light, random: Random) -> None:
    """Paint the wave that stands in front of each page."""
    top, deep = HEIGHT - 58, mix(light.sea[3], light.sea[2], 0.25)
    edge = [(x, top + 13 * math.sin(x / 131) + 6 * math.sin(x / 47 + 1)) for x in range(-20, 1240, 20)]
    shape = [*edge, (1240, HEIGHT + 9), (-20, HEIGHT + 9)]
    sheet.path(polygon(shape), ink(light.sea[3], 190, blur=16))
    tones = (0, mix(deep, light.sea[1], 0.4)), (0.35, deep), (1, light.sea[3])
    sheet.path(polygon(shape), linear((0, top - 16), (0, HEIGHT), *tones))
    foam = mix(light.glow, light.sea[1], 0.3)
    for x, y in edge:
        for _ in range(6):
            at, low, long = x + random.uniform(-12, 12), random.expovariate(0.24), random.uniform(5, 16)
            sheet.oval(at - long, y + low - 2.2, at + long, y + low + 2.4, ink(foam, int(210 * math.exp(-low / 8))))
