"""An ended match as an animated WebP: a frame a step, moments held. It is drawn in short jobs, of a few positions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cogs.match.playback import Step
from cogs.messages.drawing import Drawing, picture
from cogs.messages.replay_steps import PER_JOB, Look, Named, Scene, scenes
from rendering import Renderer
from rendering.core.film import Frame, Quality, frames, moving

MOST_BYTES, MOST_MILLISECONDS = 2_000_000, 90_000
LONGEST, SHORTEST = 700, 300
"""Milliseconds of a usual step: as long as the whole allows, within these."""
FIRST, ROUND, MOMENT, LAST = 2, 2, 3, 6
"""How many times as long the first step stays, one at which a round ends, a moment, and the last step."""
QUALITIES = {
    Quality(600, 50): 1.3,
    Quality(480, 50): 1.0,
    Quality(480, 30): 0.8,
    Quality(400, 30): 0.62,
    Quality(400, 15): 0.42,
}
"""From the best on, with the bytes beside those of `PROBED`: the first one that fits by a sample, and with which the
whole fits then. If none does, fewer steps are shown.
"""
PROBED = Quality(480, 50)
"""The quality of the sample by which the other sizes are told."""
SAMPLES, SAMPLE = 5, 4
"""Runs of steps in the sample, and steps of a run. A match of fewer steps than twice these is not sampled."""
REST_OF_FILE, REST_OF_FRAME = 100, 24
"""Bytes of the file beside its frames, and of each frame beside its pixels."""
SPARE, START = 1.05, 0.06
"""Drawing stops early if the bytes so far are more than this many times their part of the room, and a part for the
start.
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """The picture of a position."""

    frame: Frame | None
    """None: it looks like the one before."""
    height: int


async def animation(
    drawing: Drawing,
    slug: str,
    steps: Sequence[Step],
    eyes: int,
    named: Named,
    told: Callable[[int, int], None] | None = None,
) -> bytes:
    """Return the animation. `told` is called with how many of how many steps are done.

    If all steps take too long, it shows the end of each turn; if these do, the end of every second turn, and so on.
    """
    every, done = 0, 0
    while True:
        shown = await asyncio.to_thread(scenes, slug, steps, named, every)
        weights = durations(shown)
        if sum(weights) * SHORTEST <= MOST_MILLISECONDS or len(shown) <= 2:
            looks = [(scene.step.view(eyes), scene.labels.only_drawn) for scene in shown]

            def tell(count: int, total: int = len(shown)) -> None:
                nonlocal done
                if told is not None and count * len(steps) // total > done:  # with another quality it begins again
                    done = count * len(steps) // total
                    told(done, len(steps))

            room = MOST_BYTES - REST_OF_FILE - REST_OF_FRAME * len(shown)
            most = room / await _needed(drawing, slug, looks)
            for quality, part in QUALITIES.items():
                if part > most:
                    continue
                if (found := await shots(drawing, slug, looks, quality, room, told=tell)) is not None:
                    unit = min(LONGEST, MOST_MILLISECONDS // sum(weights))
                    return moving(_timed(found, [unit * weight for weight in weights]))
        every += 1


async def _needed(drawing: Drawing, slug: str, looks: Sequence[Look]) -> float:
    """Return how many bytes the whole needs with `PROBED`, by a sample of it; 1 for a few steps, which always fit."""
    if len(looks) < 2 * SAMPLES * SAMPLE:
        return 1.0
    first, others = 0, list[int]()
    for number in range(SAMPLES):
        at = number * (len(looks) - SAMPLE) // (SAMPLES - 1)
        found = await shots(drawing, slug, looks[at : at + SAMPLE], PROBED, MOST_BYTES)
        assert found is not None, "four pictures have 2 MB"
        whole, *sizes = (len(shot.frame.data) if shot.frame is not None else 0 for shot in found)
        first = max(first, whole)
        others += sizes
    return first + (len(looks) - 1) * sum(others) / len(others)


def durations(shown: Sequence[Scene]) -> list[int]:
    """Return how many times as long as a usual step each one stays."""
    found = [MOMENT if scene.moment else ROUND if scene.round else 1 for scene in shown]
    found[0] = FIRST
    found[-1] = LAST
    return found


def _timed(found: Sequence[Shot], times: Sequence[int]) -> list[tuple[Frame, int]]:
    """Return the frames with their times. A step that looks like the one before adds its time to that frame."""
    parts: list[tuple[Frame, int]] = []
    for shot, time in zip(found, times, strict=True):
        if shot.frame is not None:
            parts.append((shot.frame, time))
        else:
            frame, before = parts[-1]
            parts[-1] = frame, before + time
    return parts


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
