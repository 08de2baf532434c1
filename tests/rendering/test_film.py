"""Films: pictures go in and come out again, one by one or as an animation, whatever differs between them."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageDraw

from rendering.core.canvas import WIDTH
from rendering.core.film import TICK, Frame, Quality, film, frames, moving
from rules import GAMES
from tests.rendering.play import drawn, game, labels
from tests.support.pixels import apart

FINE = Quality(WIDTH, 95)
SMALL = Quality(480, 50)


def scene(random: Random, height: int = 300) -> Image.Image:
    image = Image.new("RGB", (WIDTH, height), (20, 60, 90))
    pen = ImageDraw.Draw(image)
    for _ in range(random.randrange(1, 4)):
        x, y = random.randrange(1000), random.randrange(200)
        colour = (random.randrange(256), random.randrange(256), random.randrange(256))
        pen.rectangle((x, y, x + random.randrange(200), y + 50), colour)
    return image


def shown(found: list[Frame | None]) -> list[Image.Image]:
    """The pictures as a viewer of the animation sees them."""
    webp, pictures = Image.open(BytesIO(moving([(frame, TICK) for frame in found if frame is not None]))), []
    at = -1
    for frame in found:
        at += frame is not None
        webp.seek(at)
        pictures.append(webp.convert("RGB"))
    return pictures


def test_every_picture_comes_back() -> None:
    print("seed film")
    random = Random("film")
    scenes = [scene(random) for _ in range(12)]
    scenes[5:8] = [scenes[4]] * 3
    made, heights = film(scenes, FINE)
    assert heights == " ".join(["300"] * 12)
    found = frames(made, 12)
    assert found[5:8] == [None, None, None]
    assert all(apart(one, other) < 3 for one, other in zip(shown(found), scenes, strict=True))


@pytest.mark.parametrize("count", [1, 2, 9])
def test_equal_pictures_are_one_frame(count: int) -> None:
    made, _ = film([scene(Random(1))] * count, FINE)
    first, *others = frames(made, count)
    assert first is not None
    assert others == [None] * (count - 1)
    assert apart(shown([first])[0], scene(Random(1))) < 3


def test_pictures_of_other_heights_have_a_band_below() -> None:
    scenes = [scene(Random(1)), scene(Random(2), 200)]
    made, heights = film(scenes, FINE)
    assert heights == "300 200"
    first, second = shown(frames(made, 2))
    assert apart(first, scenes[0]) < 3
    assert apart(second.crop((0, 0, WIDTH, 200)), scenes[1]) < 3
    assert max(second.getpixel((600, 280))) < 50


def test_films_are_joined_without_the_picture_that_both_have() -> None:
    print("seed joined")
    random = Random("joined")
    scenes = [scene(random) for _ in range(10)]
    one, _ = film(scenes[:5], FINE)
    other, _ = film(scenes[4:], FINE)
    joined = [*frames(one, 5), *frames(other, 6)[1:]]
    webp = Image.open(BytesIO(moving([(frame, 7 * TICK) for frame in joined if frame is not None])))
    assert webp.n_frames == 10
    assert webp.info["loop"] == 1
    for number, picture in enumerate(scenes):
        webp.seek(number)
        assert apart(webp.convert("RGB"), picture) < 3
        assert webp.info["duration"] == 7 * TICK


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
def test_a_games_pictures_are_nearly_the_same_in_a_small_film(slug: str) -> None:
    seats = max(GAMES[slug].seats)
    states, _ = game(slug, seats, "film")
    views = [state.view(None) for state in states[-6:]]
    made, heights = drawn(slug).draw_film([(view, labels(slug, seats)) for view in views], SMALL)
    found, high = frames(made, len(views)), int(heights.split()[0])
    webp = Image.open(BytesIO(moving([(frame, 300) for frame in found if frame is not None])))
    webp.seek(webp.n_frames - 1)
    whole = Image.open(BytesIO(drawn(slug).draw(views[-1], labels(slug, seats)))).convert("RGB")
    assert webp.size == (480, high)
    assert apart(webp.convert("RGB"), whole.resize(webp.size, Image.Resampling.BOX)) < 8


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
def test_a_flat_page_has_the_pixels_of_its_file(slug: str) -> None:
    seats = min(GAMES[slug].seats)
    states, _ = game(slug, seats, "flat")
    for state in (states[-1], states[0], states[len(states) // 2]):
        page, again = (drawn(slug).paint(state.view(None), labels(slug, seats)) for _ in range(2))
        flat = page.flat()
        assert flat.mode == "RGB"
        assert flat.tobytes() == Image.open(BytesIO(again.png())).convert("RGB").tobytes()
