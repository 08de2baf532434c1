"""Pictures as a person may want them: with larger cards, or without a stage."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from rendering import Renderer
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import tall_rows
from rendering.full_circle import hand as full_circle
from rendering.sea_change import hand as sea_change
from rendering.sea_change.stage import scene
from rules import GAMES
from rules.core.game import Seat
from tests.rendering.play import drawn, game, labels

TALLEST = 1_500


def below(page: Page) -> int:
    """The area of all that lies in the lower part of a hand's picture: its cards."""
    return sum(stroke.what.size[0] * stroke.what.size[1] for stroke in page.strokes if stroke.top > 440)


@pytest.mark.parametrize("slug", ["sea_change", "full_sun"])
def test_large_cards_lie_on_the_page_and_are_larger(slug: str) -> None:
    for seats in (GAMES[slug].seats[0], GAMES[slug].seats[-1]):
        states, _ = game(slug, seats, "large")
        for state in states[:: len(states) // 3]:
            view = state.view(Seat(0))
            if not view.hand or view.outcome:
                continue
            usual = replace(labels(slug, seats), plain=True)  # nothing but cards lies there
            page, large = drawn(slug).paint(view, usual), drawn(slug).paint(view, replace(usual, large=True))
            assert page.height <= large.height <= TALLEST
            assert all(stroke.top + 30 < large.height for stroke in large.strokes)
            assert below(large) > 1.3 * below(page)


@pytest.mark.parametrize("held", range(1, 17))
def test_of_each_large_card_enough_is_seen(held: int) -> None:
    """At least the part with the value and the sign, which is the left 45 hundredths."""
    width, height = sea_change.LARGE
    places = tall_rows(held, (width, height), 0)
    assert len(places) == held
    for (x, y), (after, below) in pairwise(places):
        assert below > y + height or after - x >= 0.45 * width
    assert min(x for x, _ in places) >= 0 and max(x for x, _ in places) + width <= WIDTH


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("large", [False, True])
def test_full_circle_has_room_for_each_number_of_cards(seats: int, large: bool) -> None:
    """The hand has up to all cards, except those that must lie elsewhere. All have one shape, a quarter of a disc; they
    overlap, and the upper part of each, which tells it apart, is seen; of up to twelve also where they fit.
    """
    room = full_circle.room_of(replace(labels("full_circle", seats), large=large))
    for held in range(1, 47):
        radius, places = full_circle.held_places(held, room)
        assert len(places) == held and radius >= 62
        half = radius / 2**0.5 + 5
        assert all(room.left - 1 <= x - half and x + half <= room.left + room.width + 1 for x, _ in places)
        assert all(room.top <= y - radius * 1.08 and y <= room.top + room.height for _, y in places)
        for number, (x, y) in enumerate(places):
            for other_x, other_y in places[:number]:
                assert abs(x - other_x) >= 1.19 * radius or y - other_y >= (0.79 if held <= 12 else 0.55) * radius


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
def test_a_plain_picture_has_one_dark_colour_behind_it(slug: str) -> None:
    states, _ = game(slug, max(GAMES[slug].seats), "plain")
    view, found = states[len(states) // 2].view(None), labels(slug, max(GAMES[slug].seats))
    stage = Image.open(BytesIO(drawn(slug).draw(view, found))).convert("RGB")
    plain = Image.open(BytesIO(drawn(slug).draw(view, replace(found, plain=True)))).convert("RGB")
    has_stage = type(drawn(slug)).ground is not Renderer.ground
    assert stage.size == plain.size and (not has_stage or stage.tobytes() != plain.tobytes())
    count, colour = max(plain.getcolors(2**24) or [])
    assert isinstance(colour, tuple) and sum(colour) < 120
    assert count >= plain.width * plain.height * 0.2


def test_a_page_without_its_stage_keeps_what_lies_on_it() -> None:
    page = Page("sea_change_R", 200, scene("R"))
    page.text(600, 100, "Ann", 60, (255, 249, 235), 400, "mm")
    page.leave_stage()
    colours = {colour for _, colour in page.painted().getcolors(2**24) or []}
    assert {(255, 249, 235), (14, 20, 34)} <= colours
