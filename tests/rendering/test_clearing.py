"""The pictures of Photosynthesis: their formats, and what lies on the clearing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist
from random import Random

import pytest

from rendering.core import canvas
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.png import SMALL
from rendering.core.sprites import Sprite, shadow
from rendering.photosynthesis import soil
from rendering.photosynthesis.forest import COIN, FOOT, RIM
from rendering.photosynthesis.scene import HAND, LARGE, LAST, TABLE, Scene
from rendering.photosynthesis.sun import notch, notch_at
from rules import GAMES
from rules.photosynthesis import HEXES, LEAVES, Collect, End, PhotosynthesisView
from tests.goldens.case import labels as people
from tests.goldens.views_photosynthesis import OWN, VIEWS
from tests.rendering.play import drawn, game, labels
from tests.support.languages import SPOKEN

SLUG = "photosynthesis"
SCENES = {"table": TABLE, "hand": HAND, "large": LARGE, "last": LAST}


def paths(seats: int) -> Iterator[tuple[Page, tuple[str, ...]]]:
    """The own pictures of some positions, on every path of the choice."""
    states, _ = game(SLUG, seats, "formats")
    found, by = labels(SLUG, seats), drawn(SLUG)
    for state in states[:: max(1, len(states) // 8)]:
        for seat in sorted(state.to_move()):
            view, moves = state.view(seat), state.legal_moves(seat)
            ways: list[tuple[str, ...]] = [()]
            for path in ways:
                yield by.paint(view, found, path), path
                ways += [choice.path for choice in by.prompt(view, moves, path, found).choices if choice.move is None]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_formats(seats: int) -> None:
    states, _ = game(SLUG, seats, "formats")
    found, by = labels(SLUG, seats), drawn(SLUG)
    for state in (*states[:: max(1, len(states) // 6)], states[-1]):
        assert by.paint(state.view(None), found).height == 900
        last = by.paint_last(state.view(None), found)
        assert last is None or 640 <= last.height <= 764
        for seat in state.to_move():
            explained = by.paint_explained(state.view(seat), replace(found, large=True))
            assert explained.height == 764
    heights = {page.height for page, _ in paths(seats)}
    assert heights == {764}


def dense(seed: int) -> Iterator[PhotosynthesisView]:
    """Yield views of the late rounds of a match in which all players plant and grow: an onlooker's and the mover's."""
    random, state = Random(seed), GAMES[SLUG].new(4, {}, str(seed))
    while awaited := sorted(state.to_move()):
        moves = state.legal_moves(awaited[0])
        grown = [move for move in moves if not isinstance(move, End | Collect)]
        state, _ = state.apply(random.choice(grown or moves))
        view = state.view(None)
        if view.round > 12:
            yield view
            yield from (state.view(seat) for seat in sorted(state.to_move()))


def test_files_of_a_dense_forest_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are small enough that bands are rarely compressed a second time, which is slow."""
    packed: list[object] = []
    pack = canvas.pack
    monkeypatch.setattr(canvas, "pack", lambda rows, way: packed.append(way) or pack(rows, way))
    found, by, pages, trees = labels(SLUG, 4), drawn(SLUG), 0, 0
    for view in list(dense(3))[::9]:
        size = len(by.paint(view, found).png())
        assert size <= (160_000 if view.viewer is not None else 195_000)
        pages, trees = pages + 1, max(trees, sum(there is not None for there in view.board))
    assert pages >= 20 and trees >= 34
    assert packed.count(SMALL) <= pages


def cut(page: Page) -> list[object]:
    """Return what does not lie wholly on the page, except soft shadows behind things."""
    return [
        stroke
        for stroke in page.strokes
        if getattr(getattr(stroke.what, "draw", None), "func", None) is not shadow
        and not (stroke.left >= 0 and stroke.right <= WIDTH and stroke.top >= 0 and stroke.bottom <= page.height)
    ]


@pytest.mark.parametrize("language", [language for slug, language in SPOKEN if slug == SLUG])
@pytest.mark.parametrize("large", [False, True])
def test_nothing_is_cut(language: str, large: bool) -> None:
    for seats in (2, 4):
        found, by = replace(labels(SLUG, seats, language=language), large=large), drawn(SLUG)
        for state in game(SLUG, seats, "formats")[0][::27]:
            for viewer in (None, *state.to_move()):
                assert cut(by.paint(state.view(viewer), found)) == []
            last = by.paint_last(state.view(None), found)
            assert last is None or cut(last) == []


def test_a_larger_picture_has_a_larger_board() -> None:
    usual = people(SLUG, OWN.seats)
    page, large = drawn(SLUG).paint(OWN, usual), drawn(SLUG).paint(OWN, replace(usual, large=True))
    assert page.height < large.height <= 1500
    assert LARGE.hex > 1.15 * HAND.hex
    assert len(large.png()) <= MOST_FILE_BYTES


@pytest.mark.parametrize("name", SCENES)
def test_the_board_lies_within_its_track(name: str) -> None:
    """The names at its rim do too, and no name lies on a notch or under the sun."""
    scene = SCENES[name]
    notches = [notch_at(scene, revolution, sun) for revolution in range(3) for sun in range(6)]
    assert len({(round(x), round(y)) for x, y in notches}) == 18
    for hex_, (_, across, down) in RIM.items():
        x, y = scene.centre(hex_)
        at = x + scene.scaled(across), y + scene.scaled(down)
        assert min(dist(at, there) for there in notches) > scene.scaled(13) + 12
        assert min(dist(at, scene.sun_at(sun)) for sun in range(6)) > scene.scaled(40)


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_each_round_that_has_begun_has_a_golden_notch(
    view: PhotosynthesisView, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed: list[Sprite] = []
    place = Page.place

    def noted(page: Page, sprite: Sprite, x: float, y: float, anchor: str = "lt") -> None:
        placed.append(sprite)
        place(page, sprite, x, y, anchor)

    monkeypatch.setattr(Page, "place", noted)
    drawn(SLUG).paint(view, people(SLUG, view.seats))
    scene, now = HAND if view.viewer is not None else TABLE, view.round
    states = [("now", 34, min(now, 1)), ("done", 26, max(0, now - 1)), ("ahead", 26, 18 - now)]
    assert [placed.count(notch(scene.scaled(size), state)) for state, size, _ in states] == [n for *_, n in states]


def inside(scene: Scene, x: float, y: float) -> bool:
    """Return whether a point, measured from the middle of a hex, lies in the hex."""
    across, down = abs(x) * 2 / scene.hex, abs(y) * 1.5 / scene.pitch
    return across <= 1 and down <= 1 - across / 2


@pytest.mark.parametrize("name", SCENES)
def test_what_a_tree_stands_on_and_earns_lies_in_its_hex(name: str) -> None:
    scene = SCENES[name]
    assert inside(scene, 0, scene.scaled(FOOT))
    assert inside(scene, scene.scaled(38), scene.scaled(24))
    assert scene.scaled(38) + COIN * 0.44 <= scene.hex / 2


def grey(leaves: int, sun: int) -> tuple[float, float]:
    """Return how bright a soil is in grey, and how rough: the spread of its brightness."""
    picture = soil.earth(TABLE.hex, leaves, sun).image.convert("L").crop((34, 30, 100, 92))
    values = list(picture.tobytes())
    mean = sum(values) / len(values)
    return mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


def test_soils_differ_in_grey() -> None:
    """Richer soils are darker, and what grows on them differs."""
    found = [grey(leaves, 0) for leaves in (1, 2, 3, 4)]
    brightness = [mean for mean, _ in found]
    assert all(a - b > 8 for a, b in pairwise(brightness))
    assert found[0][1] < min(spread for _, spread in found[2:])
    assert set(LEAVES.values()) == {1, 2, 3, 4} and len(LEAVES) == len(HEXES)


def test_shade_is_cool() -> None:
    for sand in soil.SOILS:
        dark = soil.shaded(sand)
        assert sum(dark) < 0.7 * sum(sand)
        assert dark[2] / sum(dark) > sand[2] / sum(sand)
