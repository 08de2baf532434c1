"""Pictures of a single pixel, for tests of what happens and not of how it looks; and the words in a real one."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any, TypeVar

import pytest
from PIL import Image, ImageChops, ImageStat

from rendering import renderer
from rendering.core import lettering
from rendering.core.film import Quality, film
from rendering.core.sprites import Tint
from rules import GAMES

T = TypeVar("T")


def lettering_of(what: object) -> partial[Image.Image] | None:
    """Return the call of `lettering.mask` that draws a sprite, if it is one of words: its text, size and weight."""
    draw = what.draw if isinstance(what, Tint) else None
    return draw if isinstance(draw, partial) and draw.func is lettering.mask else None


def shown(labels: Any) -> tuple[object, ...]:
    """Return all of the labels that a picture shows, but for the texts."""
    return labels.names, labels.discs, labels.large, labels.plain, labels.faces, labels.colours, labels.halt


def pixel(view: object, labels: Any, focus: object = ()) -> bytes:
    """Return a picture whose colour follows from the view, the names and the focus."""
    colour = sha256(repr((view, shown(labels), focus)).encode()).digest()[:3]
    file = BytesIO()
    Image.new("RGB", (1, 1), tuple(colour)).save(file, "PNG")
    return file.getvalue()


def moving_pixel(before: object, view: object, centre: object, labels: Any) -> bytes:
    """Return a WebP of one pixel whose colour follows from both views and the names."""
    colour = sha256(repr((before, view, shown(labels))).encode()).digest()[:3]
    file = BytesIO()
    Image.new("RGB", (1, 1), tuple(colour)).save(file, "WEBP", lossless=True, method=0)
    return file.getvalue()


def moving_story_pixel(story: object, labels: Any) -> bytes:
    """Return a WebP of one pixel whose colour follows from the story and the names."""
    return moving_pixel((), story, (), labels)


def layered_pixels(looks: Sequence[tuple[object, Any]], known: Collection[str], quality: int) -> tuple[bytes, str]:
    """Return pages of one layer each, whose colour follows from the view and the names."""
    pictures = [pixel(view, labels) for view, labels in looks]
    names = [sha256(picture).hexdigest() for picture in pictures]
    files = {name: picture for name, picture in zip(names, pictures, strict=True) if name not in known}
    told = {
        "sheets": [(1, [(name, 0, 0)]) for name in names],
        "files": {name: len(file) for name, file in files.items()},
    }
    return b"".join(files.values()), json.dumps(told)


def film_of_pixels(shown: Sequence[tuple[object, Any]], quality: Quality) -> tuple[bytes, str]:
    """Return a film of small plain pictures whose colour follows from the view and the names."""
    pictures = (Image.open(BytesIO(pixel(view, labels))).resize((quality.width, 4)) for view, labels in shown)
    return film(pictures, quality)


def plain_pictures(patch: pytest.MonkeyPatch, drawn: Callable[[], bool] = bool) -> None:
    """Make tables, hands, also explained ones, covers, ends, and the pictures of rounds and replays tiny, except while
    `drawn` returns true.
    """
    for slug in GAMES:
        real = renderer(slug)
        patch.setattr(real, "draw", either(drawn, real.draw, pixel))
        patch.setattr(real, "draw_moving", either(drawn, real.draw_moving, moving_pixel))
        patch.setattr(real, "draw_layers", either(drawn, real.draw_layers, layered_pixels))
        patch.setattr(real, "draw_film", either(drawn, real.draw_film, film_of_pixels))
        patch.setattr(real, "draw_explained", either(drawn, real.draw_explained, pixel))
        patch.setattr(real, "draw_round", either(drawn, real.draw_round, pixel))
        patch.setattr(real, "draw_story", either(drawn, real.draw_story, pixel))
        patch.setattr(real, "draw_moving_story", either(drawn, real.draw_moving_story, moving_story_pixel))
        patch.setattr(real, "cover", either(drawn, real.cover, lambda labels, seats=0: pixel("cover", labels, seats)))


def either(drawn: Callable[[], bool], real: Callable[..., T], plain: Callable[..., T]) -> Callable[..., T]:
    """Return a function that calls `real` while `drawn` returns true, else `plain`."""
    return lambda *given: (real if drawn() else plain)(*given)


def apart(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of two pictures, in levels."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3
