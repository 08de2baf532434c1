"""The files of a replay stay within their limits, also for a very long match."""

from __future__ import annotations

import asyncio
import struct
from io import BytesIO
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from cogs.match.lobby import Lobby
from cogs.match.playback import Eyes, Playback, Step
from cogs.match.service import MatchService
from cogs.messages import replay_animation, replay_page
from cogs.messages.drawing import Drawing
from cogs.messages.presenter import Presenter
from cogs.messages.replay_files import ReplayFiles
from cogs.messages.replay_steps import scenes
from cogs.workers.pool import Urgency, urgency
from data.content.texts import texts
from rules import GAMES
from tests.cogs.replays import Sized, always, data_of, labels, steps_of
from tests.support.ended import played


def times(webp: bytes) -> list[int]:
    """The milliseconds of each frame of an animation."""
    found, at = [], 12
    while at < len(webp):
        kind, size = struct.unpack_from("<4sI", webp, at)
        found += [int.from_bytes(webp[at + 20 : at + 23], "little")] if kind == b"ANMF" else []
        at += 8 + size + size % 2
    return found


# --- Limits


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
async def test_an_animation_is_short_and_small_and_holds_its_end(slug: str) -> None:
    drawing, seats = Drawing(), min(max(GAMES[slug].seats), 4)
    steps, told = steps_of(slug, seats, 10), list[tuple[int, int]]()
    made = await replay_animation.animation(
        drawing, slug, steps, -1, always(labels(slug, seats)), lambda done, count: told.append((done, count))
    )
    drawing.close()
    assert len(made) <= replay_animation.MOST_BYTES
    found, image = times(made), Image.open(BytesIO(made))
    assert (image.n_frames, image.info["loop"], image.width) == (len(found), 1, 600)
    assert sum(found) <= replay_animation.MOST_MILLISECONDS
    assert found[-1] == max(found)
    assert told == sorted(set(told))
    assert told[-1] == (len(steps), len(steps))


def longest(slug: str, plies: int) -> list[Step]:
    """More steps than any match has; every fifth begins a turn."""
    random, found = Random(slug), list[Step]()
    while len(found) < plies:
        found += steps_of(slug, max(GAMES[slug].seats), plies - len(found) - 1, f"{slug} {random.random()}")
    return [Step(step.state, -1, step.seen, at % 5 == 0) for at, step in enumerate(found[:plies])]


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
async def test_of_a_very_long_match_an_animation_shows_fewer_steps(drawing: Drawing, slug: str) -> None:
    steps = longest(slug, 2_000)
    made = await replay_animation.animation(drawing, slug, steps, -1, always(labels(slug, max(GAMES[slug].seats))))
    assert 20 < len(times(made)) <= 300
    assert sum(times(made)) <= replay_animation.MOST_MILLISECONDS


async def test_an_animation_that_is_too_large_is_smaller_then_worse_then_shows_less() -> None:
    steps, named = [*steps_of("full_sun", 3, 119)], labels("full_sun", 3)
    for at, (best, part) in enumerate(replay_animation.QUALITIES.items()):
        room = 16_400 / part
        drawing = Sized(lambda quality, room=room: round(room * replay_animation.QUALITIES[quality]))
        made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
        drawing.close()
        assert len(made) <= replay_animation.MOST_BYTES
        assert (len(times(made)), drawing.asked[-1][0]) == (120, best), at
        tried = {quality for quality, _, _ in drawing.asked}
        assert tried <= {best, replay_animation.PROBED}, "a sample tells which quality fits"
    drawing = Sized(lambda quality: 40_000)
    made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
    drawing.close()
    assert len(made) <= replay_animation.MOST_BYTES
    assert 30 <= len(times(made)) <= 61


async def test_if_the_sample_was_too_small_the_next_quality_is_drawn() -> None:
    best, second = list(replay_animation.QUALITIES)[:2]
    drawing = Sized(lambda quality: 20_000 if quality == best else 9_000)
    steps, named = steps_of("full_sun", 3, 119), labels("full_sun", 3)
    made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
    drawing.close()
    assert (len(times(made)), drawing.asked[-1][0]) == (120, second)
    assert any(quality == best for quality, _, _ in drawing.asked)


def test_thinned_steps_are_the_ends_of_turns_and_lose_no_event() -> None:
    steps = longest("full_circle", 101)
    named = labels("full_circle", 4)
    for every in range(4):
        shown = scenes("full_circle", steps, always(named), every)
        assert [event for scene in shown for event in scene.events] == [e for step in steps for e in step.seen]
        assert (shown[0].step, shown[-1].step) == (steps[0], steps[-1])
        places = [steps.index(scene.step) for scene in shown]
        if every:
            assert all(place % 5 == 4 for place in places[1:-1])
            assert all(after - before == 5 * every for before, after in pairwise(places[1:-1]))
        else:
            assert shown and places == list(range(101))


@pytest.mark.parametrize(
    ("sizes", "eyes", "wanted"),
    [
        ((50_000, 9_000, 5_000), -1, (120, 50_000, 1)),
        ((20_000, 9_000, 5_000), -2, (120, 9_000, 4)),
        ((50_000, 20_000, 5_000), -2, (120, 50_000, 1)),
        ((190_000, 140_000, 100_000), -1, (61, 100_000, 1)),
    ],
)
async def test_a_page_that_is_too_large_has_worse_pictures_then_fewer(
    sizes: tuple[int, ...], eyes: int, wanted: tuple[int, int, int]
) -> None:
    """Wanted: at most that many steps, the size of a picture, the number of viewers."""
    by_quality = dict(zip(replay_page.QUALITIES, sizes, strict=True))
    drawing = Sized(by_quality.__getitem__)
    steps = steps_of("full_sun", 3, 119)
    made = await replay_page.page(drawing, "full_sun", steps, eyes, always(labels("full_sun", 3)), "T", "A", "en")
    drawing.close()
    assert len(made) <= replay_page.MOST_BYTES
    data = data_of(made)
    viewers, count = data["viewers"], len(data["viewers"][0]["lines"])
    most, size, number = wanted
    assert (count <= most, by_quality[drawing.asked[-1][0]], len(viewers)) == (True, size, number)
    notes = texts("en")
    assert (notes["replay_file.thinned"] in data["notes"]) == (count < 120)
    assert (notes["replay_file.table_only"] in data["notes"]) == (eyes == Eyes.ALL_HANDS and number == 1)


async def test_a_job_draws_few_pictures_and_goes_behind_all_else(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter = Presenter(service, Lobby(service))
    presenter.drawing = drawing = Sized(lambda quality: 5_000)
    files = ReplayFiles(presenter, Playback(service))
    match = await played(service, "full_sun", "jobs", 30)
    one, other = await asyncio.gather(files.animation(match.id, -1), files.animation(match.id, -1))
    assert one == other
    assert sum(count for _, count, _ in drawing.asked) == 31 + 3, "each picture once, and the last of each job again"
    assert all(count <= 11 and how is Urgency.LATE for _, count, how in drawing.asked)
    assert urgency.get() is Urgency.PRESS
    drawing.close()
