"""Draws the pictures of a replay in short jobs, behind all that players wait for: a few positions a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cogs.messages.drawing import Drawing
from cogs.workers.jobs import picture
from rendering import Renderer
from rendering.core.film import Frame, Quality, frames
from rendering.core.labels import Labels
from rendering.core.layers import Sheet, read_layered
from rules.core.game import View

PER_JOB = 10
"""Pictures a job, so that a press waits for half a second at most on a quiet machine."""
SPARE, START = 1.05, 0.06
"""Drawing stops early if the bytes so far are more than this many times their part of the room, and a part for the
start.
"""

Look = tuple[View, Labels]
"""A position as its viewer saw it, and the labels with which it is drawn."""


@dataclass(frozen=True, slots=True)
class Shot:
    """The picture of a position."""

    frame: Frame | None
    """None: it looks like the one before."""
    height: int


async def shots(
    drawing: Drawing,
    slug: str,
    looks: Sequence[Look],
    quality: Quality,
    room: int,
    told: Callable[[int], None] = lambda _: None,
) -> list[Shot] | None:
    """Return the pictures of these views; None if they need more than `room` bytes, or will by all appearances.

    What it returns depends on the arguments alone. `told` is called with the number of pictures that are done.
    """
    found: list[Shot] = []
    size = first = 0
    while (at := len(found)) < len(looks):
        new, over = list(looks[at : at + PER_JOB]), at > 0
        drawn = await _drawn(drawing, slug, [looks[at - 1], *new] if over else new, quality)
        if over and len({shot.height for shot in drawn}) > 1:  # frames fit together only on pictures of one height
            over, drawn = False, await _drawn(drawing, slug, new, quality)
        found += drawn[over:]
        size += sum(len(shot.frame.data) for shot in drawn[over:] if shot.frame is not None)
        first = first or (len(drawn[0].frame.data) if drawn[0].frame is not None else 0)
        if size > room or size - first > room * (SPARE * len(found) / len(looks) + START):
            return None
        told(len(found))
    return found


async def _drawn(drawing: Drawing, slug: str, looks: Sequence[Look], quality: Quality) -> list[Shot]:
    result = await drawing.done(picture(slug, Renderer.draw_film, tuple(looks), quality))
    assert isinstance(result, tuple)
    film, heights = result
    parts = zip(frames(film, len(looks)), map(int, heights.split()), strict=True)
    return [Shot(frame, height) for frame, height in parts]


async def sheets(
    drawing: Drawing, slug: str, looks: Sequence[Look], quality: int, room: int
) -> tuple[list[Sheet], dict[str, bytes]] | None:
    """Return the pages of these positions as what lies on them, and each layer's picture by name; None if the pictures
    need more than `room` bytes. `quality`: see rendering/core/layers.py.
    """
    found: list[Sheet] = []
    files = dict[str, bytes]()
    while (at := len(found)) < len(looks):
        new = tuple(looks[at : at + PER_JOB])
        result = await drawing.done(picture(slug, Renderer.draw_layers, new, frozenset(files), quality))
        assert isinstance(result, tuple)
        more, pictures = read_layered(*result)
        found += more
        files |= pictures
        if sum(map(len, files.values())) > room:
            return None
    return found, files
