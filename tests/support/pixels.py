"""Pictures of a single pixel: for tests of what happens, not of how it looks."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from typing import Any, TypeVar

import pytest
from PIL import Image

from rendering import renderer
from rules import GAMES

T = TypeVar("T")


def pixel(view: object, labels: Any, focus: object = ()) -> bytes:
    """Return a picture whose colour follows from the view, the names and the focus."""
    colour = sha256(repr((view, labels.drawn, focus)).encode()).digest()[:3]
    file = BytesIO()
    Image.new("RGB", (1, 1), tuple(colour)).save(file, "PNG")
    return file.getvalue()


def moving_pixel(before: object, view: object, centre: object, labels: Any) -> bytes:
    """Return a WebP of one pixel whose colour follows from both views and the names."""
    colour = sha256(repr((before, view, labels.drawn)).encode()).digest()[:3]
    file = BytesIO()
    Image.new("RGB", (1, 1), tuple(colour)).save(file, "WEBP", lossless=True)
    return file.getvalue()


def plain_pictures(patch: pytest.MonkeyPatch, drawn: Callable[[], bool] = bool) -> None:
    """Make tables, hands and covers a single pixel, except while `drawn` returns true."""
    for slug in GAMES:
        real = renderer(slug)
        patch.setattr(real, "draw", either(drawn, real.draw, pixel))
        patch.setattr(real, "draw_moving", either(drawn, real.draw_moving, moving_pixel))
        patch.setattr(real, "cover", either(drawn, real.cover, lambda labels, seats=0: pixel("cover", labels, seats)))


def either(drawn: Callable[[], bool], real: Callable[..., T], plain: Callable[..., T]) -> Callable[..., T]:
    """Return a function that calls `real` while `drawn` returns true, else `plain`."""
    return lambda *given: (real if drawn() else plain)(*given)
