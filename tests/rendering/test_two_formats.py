"""Full Circle and Siege of Sunfall have two formats: a table of 1200 x 900, a seat's own picture of at most 1200 x 764.

In every state, also with the largest hand; with larger cards a seat's own picture is taller, at most 1200 x 1500.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import ImageChops

from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, WIDTH, Page
from rendering.full_circle import hand as full_circle
from rendering.full_circle import panes
from rendering.full_circle.signs import TINTS, unlit
from rendering.siege_of_sunfall import own as siege
from rendering.siege_of_sunfall import scene
from rules import GAMES
from rules.core.game import Seat, View
from rules.full_circle.types import Card
from rules.siege_of_sunfall.types import Card as Attack
from rules.siege_of_sunfall.types import Kind
from tests.goldens.views_full_circle import VIEWS as CIRCLES
from tests.goldens.views_siege_of_sunfall import VIEWS as SIEGES
from tests.rendering.play import LONG, drawn, game, labels, viewers
from tests.support.pixels import lettering_of

TABLE, HAND, LARGE = 900, 764, 1_500
SLUGS = ("full_circle", "siege_of_sunfall")
ALL = [Card(c) for c in "BRYGOP" for _ in "xx"] + [Card(a + b) for a in "BRYGOP" for b in "BRYGOP" if a != b]
CARDS = tuple(sorted([*ALL, *map(Card, "WWWWWW")]))


def pages(slug: str, seats: int, **look: Any) -> Iterator[tuple[View, Page]]:
    """Pictures of a random game, each viewer's in turn."""
    states, _ = game(slug, seats, "formats")
    found = replace(labels(slug, seats, LONG), **look)
    for number, state in enumerate([*states[:: max(1, len(states) // 9)], states[-1]]):
        views = [state.view(viewer) for viewer in viewers(seats)]
        for view in (views[0], views[1 + number % seats]):
            yield view, drawn(slug).paint(view, found)


@pytest.mark.parametrize(
    ("slug", "seats"),
    [
        pytest.param(slug, seats, marks=[] if seats == GAMES[slug].seats[-1] else pytest.mark.long)
        for slug in SLUGS
        for seats in GAMES[slug].seats
    ],
)
def test_every_picture_has_its_format(slug: str, seats: int) -> None:
    for view, page in pages(slug, seats):
        assert page.height == (TABLE if view.viewer is None else HAND)
    for view, page in pages(slug, seats, large=True):
        assert page.height == TABLE if view.viewer is None else HAND <= page.height <= LARGE
    states, _ = game(slug, seats, "formats")
    lasts = [drawn(slug).paint_last(state.view(None), labels(slug, seats)) for state in states[:: len(states) // 9]]
    assert {page.height for page in lasts if page} <= set(range(640, HAND + 1))


def test_hands_in_large_print_are_small_files() -> None:
    """Of six guards, who are larger: the same limit holds as for the usual print."""
    for view, page in pages("siege_of_sunfall", 6, large=True):
        assert view.viewer is None or len(page.png()) <= MOST_HAND_BYTES


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("held", [1, 2, 6, 7, 12, 13, 15, 16, 28, 29, 46])
def test_each_number_of_cards_has_the_format(held: int, large: bool) -> None:
    view = CIRCLES["hand_turn"]._replace(hand=CARDS[:held], hand_sizes=(held, 1, 3, 5))
    page = drawn("full_circle").paint(view, replace(labels("full_circle", 4), large=large))
    assert page.height <= LARGE if large else page.height == HAND
    assert all(stroke.left + stroke.what.size[0] <= WIDTH + 40 for stroke in page.strokes)
    assert len(page.png()) <= (MOST_FILE_BYTES if large else MOST_HAND_BYTES)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_larger_cards_are_larger(seats: int) -> None:
    found = labels("full_circle", seats)
    rooms = [full_circle.room_of(replace(found, large=large)) for large in (False, True)]
    for held in range(1, 47):
        usual, large = (full_circle.held_places(held, room)[0] for room in rooms)
        assert large**2 >= 1.3 * usual**2, held
    for name in ("own_asked", "own_gold", "own_sealed"):
        siege_view = SIEGES[name]
        layouts = [
            siege.layout_of(siege_view, replace(labels("siege_of_sunfall", 4), large=big)) for big in (False, True)
        ]
        assert layouts[1].card[0] > 1.5 * layouts[0].card[0] and layouts[1].grow >= 1.2


@pytest.mark.parametrize("letter", TINTS)
def test_the_glass_of_a_card_that_does_not_fit_still_has_its_colour(letter: str) -> None:
    dark = unlit(TINTS[letter])
    assert max(dark) - min(dark) > 0.3 * (max(TINTS[letter]) - min(TINTS[letter]))


@pytest.mark.parametrize("letter", TINTS)
@pytest.mark.parametrize("size", [panes.SMALL_LETTER, panes.LEAST_LETTER])
def test_the_smallest_cards_have_letters_that_a_phone_shows(letter: str, size: int) -> None:
    """Their capitals have 24 pixels, without the dark contour."""
    drawn = panes.mark("letter_", letter, size, lit=False).convert("RGBA")
    light = drawn.convert("L").point([0] * 128 + [255] * 128)
    box = ImageChops.multiply(light, drawn.getchannel("A")).point([0] * 128 + [255] * 128).getbbox()
    assert box is not None and box[3] - box[1] >= 24


def test_the_last_move_is_marked_where_it_was_made() -> None:
    """The lock marks it, and a line says who and what."""
    for name, viewer in (("table_4_trap", None), ("hand_turn", Seat(0))):
        view = CIRCLES[name]
        page = drawn("full_circle").paint(view, labels("full_circle", 4))
        other = drawn("full_circle").paint(view._replace(last=None), labels("full_circle", 4))
        assert page.png() != other.png(), viewer


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_players_stand_apart_on_the_wall(seats: int) -> None:
    for walls in ((600,), (600, 1000)):
        columns = list(scene.columns_of(range(seats), walls).values())
        assert len(columns) == seats
        for number, column in enumerate(columns):
            assert column.x - column.width // 2 >= 0 and column.x + column.width // 2 <= WIDTH
            for other in columns[:number]:
                assert other.wall != column.wall or abs(other.x - column.x) >= column.width


@pytest.mark.parametrize(("strength", "total"), [(9, 7), (6, 11), (0, 8), (0, 0), (12, 0), (10, 70)])
def test_coins_and_torches_keep_their_room(strength: int, total: int) -> None:
    for room in (60, 200, 480, 900):
        page = Page("siege_of_sunfall", 764, drawn("siege_of_sunfall").ground)
        scene.place_track(page, strength, total, 20, 100, 20 + room)
        assert all(stroke.right <= 20 + room + 4 for stroke in page.strokes)


def test_the_viewer_is_told_what_the_decision_needs() -> None:
    """The picture shows the coins and boosts to pledge, what the viewer keeps, what is needed, what all players hold,
    what the card brings, and how many cards are left.
    """
    found = labels("siege_of_sunfall", 4)
    view = SIEGES["own_asked"]
    attack = view._replace(card=Attack(Kind.SWORDS, 9))
    for shown, focus, lines in (
        (view, ("3",), {"Pledge 3 coins?", "You keep 4 of 7", "Adds 2 to a later pledge"}),
        (
            attack,
            (),
            {
                *("9", "9 needed together", "22 coins in all", "7", "7 coins + 2 boosts", "Make your pledge: up to 11"),
                *("Helmets: Fallen!", "Card 6 · 8 left · the end is near"),
            },
        ),
    ):
        page = drawn("siege_of_sunfall").paint(shown, found, focus)
        written = {words.args[0] for stroke in page.strokes if (words := lettering_of(stroke.what)) is not None}
        assert lines <= written, lines - written
