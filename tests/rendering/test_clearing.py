"""The pictures of Photosynthesis: their formats, and what lies on the clearing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist
from random import Random

import pytest
from PIL import Image, ImageDraw, ImageStat

from rendering.core import canvas
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, WIDTH, Page
from rendering.core.png import SMALL
from rendering.core.sprites import Sprite
from rendering.photosynthesis import stalls, trees
from rendering.photosynthesis.forest import COIN, COIN_AT, FLAG, FLAG_AT, rim
from rendering.photosynthesis.scene import HAND, TABLE, Scene
from rendering.photosynthesis.trees import FOOT
from rules import GAMES
from rules.photosynthesis.types import HEXES, LEAVES, Collect, End
from rules.photosynthesis.view import PhotosynthesisView
from tests.goldens.case import labels as people
from tests.goldens.views_photosynthesis import OWN
from tests.rendering.play import drawn, game, labels
from tests.support.languages import SPOKEN
from tests.support.pixels import lettering_of

SLUG = "photosynthesis"
SCENES = {"table": TABLE, "hand": HAND}


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
            own = by.paint(state.view(seat), found)
            assert own.height == 764
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
    """Files are small enough that at most a third of their bands are compressed a second time, which is slow."""
    packed: list[object] = []
    pack = canvas.pack
    monkeypatch.setattr(canvas, "pack", lambda rows, way: packed.append(way) or pack(rows, way))
    found, by, pages, trees = labels(SLUG, 4), drawn(SLUG), 0, 0
    for view in list(dense(3))[::9]:
        size = len(by.paint(view, found).png())
        assert size <= (MOST_FILE_BYTES if view.viewer is None else MOST_HAND_BYTES)
        pages, trees = pages + 1, max(trees, sum(there is not None for there in view.board))
    assert pages >= 20 and trees >= 34
    assert packed.count(SMALL) <= 6 * pages


def test_no_stall_stands_over_the_board() -> None:
    board = Image.new("L", (WIDTH, 900))
    for hex_ in HEXES:
        x, y = TABLE.centre(hex_)
        ImageDraw.Draw(board).polygon([(x + px, y + py) for px, py in TABLE.corners()], 255)
    wide, tall = trees.thing("stall_0").size
    for x, y in stalls.CORNERS:
        assert board.crop((round(x), round(y), round(x) + wide, round(y) + tall)).getbbox() is None


def cut(page: Page) -> list[object]:
    """Return what does not lie wholly on the page, except soft light and shade round things."""
    found: list[object] = []
    soft = [stalls.lit_up(seat) for seat in range(4)]
    for stroke in page.strokes:
        words = lettering_of(stroke.what)
        if stroke.what in soft or (words is None and not isinstance(stroke.what, Sprite)):
            continue
        mask = words() if words else stroke.what.alpha.point([255 * (value > 60) for value in range(256)])
        left, top, right, foot = mask.getbbox() or (0, 0, 1, 1)
        inside = stroke.left + left >= 0 and stroke.left + right <= WIDTH
        if not (inside and stroke.top + top >= 0 and stroke.top + foot <= page.height):
            found.append(stroke)
    return found


@pytest.mark.parametrize(
    ("language", "large"),
    [
        pytest.param(language, large, marks=[] if number % 2 == large else pytest.mark.long)
        for number, language in enumerate(language for slug, language in SPOKEN if slug == SLUG)
        for large in (False, True)
    ],
)
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
    assert TABLE.hex > 1.15 * HAND.hex
    assert len(large.png()) <= MOST_FILE_BYTES


@pytest.mark.parametrize("sun", range(6))
@pytest.mark.parametrize("name", SCENES)
def test_no_name_at_the_rim_lies_under_the_sun_or_on_a_hex(name: str, sun: int) -> None:
    scene, suns = SCENES[name], (sun, (sun + 1) % 6)
    found = [(scene.centre(hex_), across, down) for hex_, (_, across, down) in rim(scene).items()]
    places = [(x + scene.scaled(across), y + scene.scaled(down)) for (x, y), across, down in found]
    for at in places:
        assert min(dist(at, other) for other in places if other != at) > 42, "each letter has room"
        assert min(dist(at, scene.sun_at(one)) for one in suns) > scene.scaled(58)
        for other in HEXES:
            ox, oy = scene.centre(other)
            assert not inside(scene, at[0] - ox, at[1] - oy)


def inside(scene: Scene, x: float, y: float) -> bool:
    """Return whether a point, measured from the middle of a hex, lies in the hex."""
    across, down = abs(x) * 2 / scene.hex, abs(y) * 1.5 / scene.pitch
    return across <= 1 and down <= 1 - across / 2


@pytest.mark.parametrize("name", SCENES)
def test_what_a_tree_stands_on_and_earns_lies_in_its_hex(name: str) -> None:
    scene = SCENES[name]
    assert inside(scene, 0, scene.scaled(FOOT))
    assert inside(scene, scene.scaled(COIN_AT[0]), scene.scaled(COIN_AT[1]))
    assert inside(scene, scene.scaled(FLAG_AT[0]), scene.scaled(FLAG_AT[1]))
    assert scene.scaled(COIN_AT[0]) + COIN * 0.44 <= scene.hex / 2 + 14
    between = scene.hex - scene.scaled(COIN_AT[0])
    assert between + scene.scaled(FLAG_AT[0]) + FLAG / 3 > COIN / 2, "a coin hides no number of the next hex"
    assert between - scene.scaled(COIN_AT[0]) > COIN


def grey(leaves: int, sun: int) -> float:
    """Return how bright a soil is in grey."""
    hex_ = next(hex_ for hex_ in ("D7", "C5", "D5", "D4") if LEAVES[hex_] == leaves)
    return float(ImageStat.Stat(trees.cell(TABLE, hex_, sun).image.convert("L").crop((34, 20, 94, 90))).mean[0])


@pytest.mark.parametrize("sun", range(6))
def test_soils_differ_in_grey(sun: int) -> None:
    """Richer soils are darker, beside each other in the same light; and each has its number of leaves."""
    found = [grey(leaves, sun) for leaves in (1, 2, 3, 4)]
    assert all(a - b > 5 for a, b in pairwise(found)), found
    assert len({trees.thing(f"soil_{leaves}").image.tobytes() for leaves in LEAVES.values()}) == 4
    assert len(LEAVES) == len(HEXES)


def test_shade_is_cool() -> None:
    red, green, blue = trees.SHADE
    assert red + green + blue < 255 and blue > 2 * max(red, green)
    red, green, blue = trees.EVENING
    assert blue > 3 * max(red, green)
