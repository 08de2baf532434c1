"""Pictures that move: at few moments, briefly, once, and beginning with what they end with."""

from __future__ import annotations

from io import BytesIO
from statistics import correlation

import pytest
from PIL import Image

from rendering.core import motion
from rules import GAMES
from tests.rendering.play import drawn, game, labels
from tests.support import apicheck
from tests.support.pixels import apart

MOVING = {
    "sea_change": ("SeaChanged",),
    "full_circle": ("TrapSet", "FullCircled"),
    "siege_of_sunfall": ("PledgesRevealed",),
    "full_sun": (),
    "photosynthesis": (),
}


def frames(webp: bytes) -> list[Image.Image]:
    image = Image.open(BytesIO(webp))
    found = []
    for number in range(image.n_frames):
        image.seek(number)
        found.append(image.convert("RGB"))
    return found


def test_a_picture_begins_and_ends_with_the_new_one() -> None:
    old, new = Image.new("RGB", (1200, 900), (200, 30, 30)), Image.new("RGB", (1200, 900), (20, 30, 160))
    webp = motion.animate(old, new, (300, 200))
    assert apicheck.webp_faults("made", webp) == []
    shown = frames(webp)
    assert shown[0].size == (motion.WIDTH, motion.WIDTH * 3 // 4)
    assert apart(shown[0], shown[-1]) < 4
    assert apart(shown[0], shown[1]) > 60, "the picture before"
    steps = [apart(frame, shown[-1]) for frame in shown[1:]]
    assert steps == sorted(steps, reverse=True), "the new one spreads"
    assert Image.open(BytesIO(webp)).info["loop"] == 1


@pytest.mark.parametrize("slug", GAMES)
def test_only_its_moments_move(slug: str) -> None:
    """From each event of a match by itself."""
    states, events = game(slug, max(GAMES[slug].seats), "moments")
    view = states[-1].view(None)
    moving = {type(event).__name__ for event in events if drawn(slug).moment(view, [event]) is not None}
    assert moving == {type(event).__name__ for event in events} & set(MOVING.get(slug, ()))
    assert drawn(slug).moment(view, []) is None


@pytest.mark.parametrize("slug", [slug for slug, kinds in MOVING.items() if kinds and slug in GAMES])
def test_a_table_and_an_end_move_within_their_bounds(slug: str) -> None:
    seats = max(GAMES[slug].seats)
    states, events = game(slug, seats, "moments")
    found = labels(slug, seats)
    for at in (len(states) // 3, len(states) // 2):
        before, after = states[at].view(None), states[at + 1].view(None)
        webp = drawn(slug).draw_moving(before, after, (600, 400), found)
        assert apicheck.webp_faults(slug, webp) == []
        assert apart(frames(webp)[0], frames(webp)[-1]) < 6
    story = drawn(slug).story(states[-1].view(None), events, found)
    assert story is not None
    webp, whole = drawn(slug).draw_moving_story(story, found), drawn(slug).paint_result(story, found).image
    assert apicheck.webp_faults(slug, webp) == []
    for frame in frames(webp):  # none is an empty stage: whichever of them a viewer stops at, the words can be read
        names = [image.convert("L").resize((60, 80)) for image in (frame, whole)]
        assert correlation(*(image.tobytes() for image in names)) > 0.6
