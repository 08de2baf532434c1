"""Tricks on the stage, and what is beside them: nothing is cut off, and no text is covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rendering import renderer
from rendering.core import chrome, lettering, theme
from rendering.core.art import art, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import WIDE_BESIDE
from rendering.core.discs import short_name
from rendering.core.sprites import Colour
from rendering.full_sun import hand as sun_hand
from rendering.full_sun import trick as full_sun
from rendering.full_sun.glade import EVENING, weather_of
from rendering.sea_change import hand as sea_hand
from rendering.sea_change.fleet import LINE
from rendering.sea_change.hand import hand_cells
from rendering.sea_change.picture import table_cells
from rendering.sea_change.stage import LIGHTS
from rules.core.game import Seat
from rules.core.tricks import Card
from rules.full_sun.types import Lay
from tests.goldens.case import Case
from tests.goldens.case import labels as people
from tests.goldens.views import CASES
from tests.goldens.views_full_sun import VIEWS as SUN
from tests.goldens.views_full_sun import sun
from tests.goldens.views_sea_change import VIEWS as SEA
from tests.rendering.play import STRANGE, drawn, game, labels

GAMES = ("sea_change", "full_sun")
HEIGHTS = {
    "table": (900, 1000),
    "hand": (800, 890),
    "last": (640,),
    "result": (1184, 1426, 1472),
    "round": (600, 940),
    "cover": (640,),
    "explained": (1362, 1258),
    "statistics": (860,),
    "profile": (984,),
}
"""The greatest height of each kind of picture."""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, float, float, float]]]:
    """Yield the lines that pages have written: the text, its left and right end, and its middle."""
    lines: list[tuple[str, float, float, float]] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, said: str, size: int, fill: Any, width: int = WIDTH, anchor: str = "lm",
              face: str = lettering.TEXT, *more: Any, **named: Any) -> int:  # fmt: skip
        wide = text(page, x, y, said, size, fill, width, anchor, face, *more, **named)
        left = x - {"l": 0, "m": wide / 2, "r": wide}[anchor[0]]
        room = round(width / named.get("squeezed", 1))
        lines.append((lettering.shorten(said, size, room, face), left, left + wide, y))
        return wide

    monkeypatch.setattr(Page, "text", noted)
    yield lines


@pytest.mark.parametrize("case", [case for case in CASES if case.slug in GAMES], ids=lambda case: case.file)
def test_a_picture_has_one_of_few_formats(case: Case) -> None:
    kind = case.name.split("_")[0]
    assert case.page().height in HEIGHTS.get(kind, range(300, 641))


@pytest.mark.parametrize("case", [case for case in CASES if case.slug in GAMES], ids=lambda case: case.file)
def test_no_name_is_cut(case: Case, written: list[tuple[str, float, float, float]]) -> None:
    """The golden pictures' people have names of all lengths, in three scripts."""
    case.page()
    assert [line for line, *_ in written if lettering.ELLIPSIS in line] == []


@pytest.mark.parametrize("seats", range(1, 9))
def test_no_card_of_a_trick_covers_another(seats: int) -> None:
    """On the table and above a hand each card lies wholly on the page, below or beside its player's boat."""
    view, names = game("sea_change", seats, "cells")[0][0].view(None), labels("sea_change", seats)
    for cells in (table_cells(view, names), hand_cells(view, names)):
        boxes = [cell.card for cell in cells]
        for number, (left, top, width, height) in enumerate(boxes):
            assert left >= 0 and left + width <= WIDTH and top > 100
            for x, y, wide, tall in boxes[:number]:
                assert left >= x + wide or x >= left + width or top >= y + tall or y >= top + height


@pytest.mark.parametrize(("first", "lines"), [("Ann", 1), ("Christophanie", 2)])
def test_eight_names_stand_over_their_scores(
    first: str, lines: int, written: list[tuple[str, float, float, float]]
) -> None:
    """Each in the column of its boat and card; only if one has no room there, in two lines by turns."""
    view, found = SEA["hand_8_leading"], people("sea_change")
    found = replace(found, names=(first, *found.names[1:]))
    renderer("sea_change").paint(view, found)
    cells = hand_cells(view, found)
    assert len({cell.name for cell in cells}) == lines
    for cell in cells:
        (name,) = (
            (said, left, right)
            for said, left, right, y in written
            if y == cell.name and abs((left + right) / 2 - cell.middle) < cell.width / 2
        )
        assert lettering.ELLIPSIS not in name[0]
        if lines == 1:
            assert cell.left <= name[1] and name[2] <= cell.left + cell.width and cell.name == cell.label - LINE


def test_a_tree_is_as_high_as_its_number() -> None:
    """Rain is the lowest, the Sun the highest."""
    for seats, suits in ((3, 7), (4, 11), (5, 17)):
        view = sun(seats)
        cards = ["Rain", *(f"L{number}" for number in range(1, suits + 1)), "Sun"]
        heights = [full_sun.height_of(view, Lay(Seat(0), Card(card))) for card in cards]
        assert heights == sorted(heights) and len(set(heights)) == len(heights)
        assert heights[-1] <= full_sun.TALLEST


# Names


@pytest.mark.parametrize(
    ("width", "shown"),
    [(600, "Hans-Jürgen von Hohenberg"), (230, "Hans-Jürgen"), (190, "Hans"), (70, "H…")],
)
def test_a_name_is_shortened_at_a_word(width: int, shown: str) -> None:
    found = short_name(people("sea_change"), 6, theme.SMALL, width)
    assert found == shown or (shown.endswith("…") and found.endswith("…"))
    assert lettering.width(found, theme.SMALL) <= width


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.long) for name in (*STRANGE, "-" * 32, "\u202e" + "evil" * 7)),
        *("🦄" * 32, "\u200b" * 32, "ﷺ" * 32),
    ],
)
def test_any_name_keeps_to_its_place(name: str, written: list[tuple[str, float, float, float]]) -> None:
    """On a table, in a hand, in a result and in a round no line leaves the page, and each name keeps some letters."""
    states, events = game("sea_change", 8, "names")
    found = labels("sea_change", 8, (name,))
    story = drawn("sea_change").story(states[-1].view(None), events, found)
    assert story is not None
    for page in (
        drawn("sea_change").paint(SEA["table_8_teams"], found),
        drawn("sea_change").paint(SEA["hand_following"], found),
        drawn("full_sun").paint(sun(5), labels("full_sun", 5, (name,))),
        renderer("sea_change").paint_result(story, found),
        renderer("sea_change").paint_round(story, found),
    ):
        assert page.png()
    assert written
    assert all(left >= 0 and right <= WIDTH for _, left, right, _ in written)
    assert lettering.ELLIPSIS not in {said for said, *_ in written}, "something is left of each name"


@pytest.mark.parametrize("held", range(1, 11))
@pytest.mark.parametrize(
    ("hand", "view", "names", "tone"),
    [(sea_hand, SEA["hand_first"], ("coil", "cask"), LIGHTS[""].wood),
     (sun_hand, SUN["hand_full"], ("toadstools", "hedgehog"), EVENING[weather_of(SUN["hand_full"])])],
    ids=GAMES,
)  # fmt: skip
def test_things_stand_beside_the_cards_of_a_small_hand(
    hand: Any, view: Any, names: tuple[str, str], tone: Colour, held: int
) -> None:
    slug = GAMES[hand is sun_hand]
    view = view._replace(hand=view.hand[:held])
    page = drawn(slug).paint(view, labels(slug, view.seats))
    furniture = [toned(art(f"{slug}/{name}"), tone) for name in names]
    things = [stroke for stroke in page.strokes if stroke.what in furniture]
    places = hand.held_places(view, large=False)
    left, right = places[0][0], places[-1][0] + hand.HELD[0]
    assert len(things) == (2 if left >= WIDE_BESIDE else 0)
    assert (held <= 3) <= bool(things) <= (held <= 4)
    assert all(thing.right < left or thing.left > right for thing in things)


@pytest.mark.parametrize("name", ["hand_following", "table_4", "hand_leading", "table_3_first"])
def test_who_led_a_trick_has_a_flag(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While cards of it lie there; it stands in the column of that player."""
    feet: list[float] = []
    monkeypatch.setattr(chrome, "place_flag", lambda page, x, y, text, right: feet.append(x))
    view = SUN[name]
    drawn("full_sun").paint(view, labels("full_sun", view.seats))
    assert [int(x * view.seats / WIDTH) for x in feet] == [lay.seat for lay in view.lays[:1]]


def test_a_new_lead_leaves_the_last_trick_above_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[str] = []
    monkeypatch.setattr(full_sun, "place_tree", lambda page, suit, *where: grown.append(suit))
    view = SUN["hand_leading"]
    assert view.last_trick and not view.lays
    drawn("full_sun").paint(view, labels("full_sun", view.seats))
    assert sorted(grown) == sorted(lay.card[0] for lay in view.last_trick.lays)
