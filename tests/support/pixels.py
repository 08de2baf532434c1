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
    """A picture whose colour is that of the view, the names and what is lit."""
    colour = sha256(repr((view, labels.names, focus)).encode()).digest()[:3]
    file = BytesIO()
    Image.new("RGB", (1, 1), tuple(colour)).save(file, "PNG")
    return file.getvalue()


def plain_pictures(patch: pytest.MonkeyPatch, drawn: Callable[[], bool] = bool) -> None:
    """Tables, hands and covers are a pixel, unless `drawn` says that they are to be drawn."""
    for slug in GAMES:
        real = renderer(slug)
        patch.setattr(real, "draw", either(drawn, real.draw, pixel))
        patch.setattr(real, "cover", either(drawn, real.cover, lambda labels: pixel("cover", labels)))


def either(drawn: Callable[[], bool], real: Callable[..., T], plain: Callable[..., T]) -> Callable[..., T]:
    """The one or the other, as is asked at each call."""
    return lambda *given: (real if drawn() else plain)(*given)
