"""An ended match as an animated WebP: a frame a step, moments held."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cogs.match.playback import Step
from cogs.messages.drawing import Drawing
from cogs.messages.films import Shot, shots
from cogs.messages.replay_steps import Scene, scenes
from rendering.core.film import Frame, Quality, moving
from rendering.core.labels import Labels

MOST_BYTES, MOST_MILLISECONDS = 2_000_000, 90_000
LONGEST, SHORTEST = 700, 300
"""Milliseconds of a usual step: as long as the whole allows, within these."""
FIRST, ROUND, MOMENT, LAST = 2, 2, 3, 6
"""How many times as long the first step stays, one at which a round ends, a moment, and the last step."""
QUALITIES = (Quality(600, 50), Quality(480, 50), Quality(480, 30), Quality(400, 30), Quality(400, 15))
"""From the best on: the first one with which the whole fits. If none does, fewer steps are shown."""
REST_OF_FILE, REST_OF_FRAME = 100, 24
"""Bytes of the file beside its frames, and of each frame beside its pixels."""


async def animation(
    drawing: Drawing,
    slug: str,
    steps: Sequence[Step],
    eyes: int,
    labels: Labels,
    told: Callable[[int, int], None] | None = None,
) -> bytes:
    """Return the animation. `told` is called with how many of how many steps are done.

    If all steps take too long, it shows the end of each turn; if these do, the end of every second turn, and so on.
    """
    every, done = 0, 0
    while True:
        shown = scenes(slug, steps, labels, every)
        weights = _weights(shown)
        if sum(weights) * SHORTEST <= MOST_MILLISECONDS or len(shown) <= 2:
            views = [scene.step.view(eyes) for scene in shown]

            def tell(count: int, total: int = len(shown)) -> None:
                nonlocal done
                if told is not None and count * len(steps) // total > done:  # with another quality it begins again
                    done = count * len(steps) // total
                    told(done, len(steps))

            for quality in QUALITIES:
                room = MOST_BYTES - REST_OF_FILE - REST_OF_FRAME * len(shown)
                if (found := await shots(drawing, slug, views, labels, quality, room, told=tell)) is not None:
                    unit = min(LONGEST, MOST_MILLISECONDS // sum(weights))
                    return moving(_timed(found, [unit * weight for weight in weights]))
        every += 1


def _weights(shown: Sequence[Scene]) -> list[int]:
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
