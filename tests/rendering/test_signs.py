"""Scores, signs, letters and discs mean what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, groupby, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from data.content.texts import languages
from rendering import renderer
from rendering.core import chrome, discs, lettering, result, theme
from rendering.core.art import art
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.portraits import SIDE
from rendering.core.sprites import Colour, Sprite
from rendering.core.story import capital
from rendering.full_sun import pieces
from rendering.full_sun.pieces import resting, sign_for
from rendering.full_sun.trick import LOW, TALL, Rows, look_of
from rendering.sea_change import pieces as sea_change
from rendering.sea_change.emblems import anchor, pennant
from rendering.sea_change.fleet import LABEL, shown_trick
from rendering.sea_change.hand import hand_cells
from rendering.sea_change.picture import table_cells
from rendering.sea_change.pieces import points_on
from rules import GAMES
from rules.core.game import Seat
from rules.full_circle.types import Play
from rules.full_sun.types import SUITS
from tests.goldens.case import NAMES
from tests.goldens.case import labels as people
from tests.goldens.views_full_circle import VIEWS as CIRCLES
from tests.goldens.views_full_sun import VIEWS as SUN
from tests.goldens.views_sea_change import VIEWS as SEA
from tests.rendering.play import game, labels

# Scores, signs and letters


def middle_of(sprite: Sprite) -> int:
    width, height = sprite.size
    lightness = sprite.image.convert("RGB").convert("L").getpixel((width // 2, height // 2))
    assert isinstance(lightness, int)
    return lightness


def test_a_point_scored_is_bright_and_a_missing_one_dark() -> None:
    assert middle_of(art("sea_change/lamp_lit")) - middle_of(art("sea_change/lamp_dark")) > 80


def gaps_of(sheet: Image.Image, box: tuple[float, float, float, float], paper: Colour) -> list[int]:
    """How many columns of bare paper lie between the marks in a part of a sprite."""
    left, top, right, foot = map(round, box)
    part = sheet.convert("RGB").crop((left, top, right, foot))
    bare = ImageChops.difference(part, Image.new("RGB", part.size, paper)).convert("L").point(lambda p: p > 60)
    across, _ = bare.getprojection()
    runs = [(marked, len(list(run))) for marked, run in groupby(across)]
    return [long for marked, long in runs[1:-1] if not marked]


@pytest.mark.parametrize("suit", sea_change.SUITS)
@pytest.mark.parametrize("size", [(140, 196), sea_change.HELD])
def test_a_sign_and_its_letter_do_not_read_as_a_word(suit: str, size: tuple[int, int]) -> None:
    """On a card there is room between them, as wide as a stroke of the letter."""
    width, height = size
    face = sea_change.card_face(f"{suit}6", "", *size).image
    line = height * 0.285 + width * 0.125
    box = (width * 0.04, line - height * 0.03, width * 0.5, line + height * 0.03)
    assert max(gaps_of(face, box, sea_change.PALE[suit]), default=0) >= 0.03 * width


@pytest.mark.parametrize("trump", [None, *sea_change.SUITS])
def test_what_a_0_would_count_is_lit_on_that_of_the_trump_alone(trump: str | None) -> None:
    view = SEA["hand_following"]._replace(trump=trump)
    plates = {
        suit: sea_change.face_of(view, f"{suit}0", sea_change.HELD, "Trump").image.convert("RGB").getcolors(2**16)
        for suit in sea_change.SUITS
    }
    lit = [suit for suit, found in plates.items() if sum(count for count, ink in found or () if ink == LIT) > 900]
    assert lit == [trump][trump is None :]


LIT = theme.BRASS_LIGHT
SMALL_SEAS = ["hand_following", "hand_8_teams", "hand_8_leading", "table_8_teams", "table_4_last_trick", "table_5_over"]


@pytest.mark.parametrize("name", SEA)
def test_each_side_has_its_victory_points_in_a_word(name: str, written: list[str]) -> None:
    """Those of a team once."""
    view, names = SEA[name], people("sea_change", SEA[name].seats)
    renderer("sea_change").paint(view, names)
    told = [line for line in written if "first to" not in line]
    for have in set(view.victory_points):
        assert sum(line.endswith(f"{have} VP") for line in told) == view.victory_points.count(have)


@pytest.mark.parametrize("name", SMALL_SEAS)
def test_nothing_hides_the_points_on_a_card_of_the_trick(name: str) -> None:
    view = SEA[name]
    (lays, _), large = shown_trick(view), name.startswith("table")
    pointed = {lay.player for lay in lays if points_on(view, lay.card)}
    names = people("sea_change", view.seats)
    page = renderer("sea_change").paint(view, names)
    assert pointed
    for cell in (table_cells if large else hand_cells)(view, names):
        if cell.player in pointed:
            left, top, width, height = cell.card
            box = (left, top + round(height * 0.55), left + width // 2, top + round(height * 0.92))
            over = [
                stroke
                for stroke in page.strokes
                if stroke.left < box[2] and box[0] < stroke.right and stroke.top < box[3] and box[1] < stroke.bottom
            ]
            card = max(at for at, stroke in enumerate(over) if abs(stroke.right - stroke.left - width) < 4)
            assert not [stroke for stroke in over[card + 1 :] if isinstance(stroke.what, Sprite)], cell.player


PENNANTS = [[pennant(width, LABEL, side) for width in range(200, 800)] for side in range(4)]


@pytest.mark.parametrize("name", ["hand_8_teams", "table_8_teams", "table_5_over"])
def test_each_team_sails_under_one_pennant(name: str) -> None:
    """Team-mates lie side by side, in one row, and have one sum."""
    view = SEA[name]
    names = people("sea_change", view.seats)
    page = renderer("sea_change").paint(view, names)
    cells = (table_cells if "table" in name else hand_cells)(view, names)
    for side in set(view.sides):
        pennants = [stroke for stroke in page.strokes if stroke.what in PENNANTS[side]]
        own = [at for at, cell in enumerate(cells) if view.sides[cell.player] == side]
        assert own == list(range(own[0], own[-1] + 1)) and len({cells[at].water for at in own}) == 1
        (cloth,) = pennants
        assert all(cloth.left <= cells[at].middle <= cloth.right for at in own)


@pytest.mark.parametrize("name", SMALL_SEAS)
def test_nothing_hides_a_sigil(name: str) -> None:
    """Neither a pennant nor the dealer's anchor covers the sign on a disc."""
    view = SEA[name]
    names = people("sea_change", view.seats)
    page = renderer("sea_change").paint(view, names)
    sizes = range(20, 100)
    shown = {disc(names, seat, size): size for seat in range(view.seats) for size in sizes}
    sigils = [
        (stroke.left + size / 2, stroke.top + size * 0.77, size * 0.11)
        for stroke in page.strokes
        if (size := shown.get(stroke.what, 0))
    ]
    marks = [*(chrome.token(anchor, size) for size in sizes), *chain(*PENNANTS)]
    laid = [stroke for stroke in page.strokes if stroke.what in marks]
    assert len(sigils) == view.seats and laid
    for x, y, half in sigils:
        for mark in laid:
            assert max(mark.left - x, x - mark.right, mark.top - y, y - mark.bottom) >= half, (x, y)


@pytest.mark.parametrize("viewer", [None, Seat(0)])
@pytest.mark.parametrize(("slug", "views"), [("sea_change", SEA), ("full_sun", SUN)])
def test_a_trick_says_who_played_what_last(
    slug: str, views: Mapping[str, Any], viewer: Seat | None, written: list[str]
) -> None:
    for name, view in views.items():
        if not view.lays or (view.viewer is None) != (viewer is None):
            continue
        written.clear()
        renderer(slug).paint(view, people(slug, view.seats))
        assert any(re.search(r" played |: \w+ \d+$", line) for line in written), name


def test_a_match_that_is_over_crowns_its_winners_alone() -> None:
    """That of its winner, or of each who shares the win: none lies on the last trick."""
    for slug, view, count in (("sea_change", SEA["table_5_over"], 2), ("full_sun", SUN["table_4_over"], 1)):
        page = renderer(slug).paint(view, people(slug, view.seats))
        crowns = [chrome.crown(size) for size in range(40, 130)]
        assert sum(stroke.what in crowns for stroke in page.strokes) == count


def test_a_header_names_the_trick_to_be_played_or_the_last_one_of_a_round(written: list[str]) -> None:
    renderer("sea_change").paint(SEA["table_4_last_trick"], people("sea_change", 4))
    assert "Trick 5 of 10 · first to 3 VP · Round 2" in written
    renderer("full_sun").paint(SUN["table_5_dealt"], people("full_sun", 5))
    assert "Last trick of round 4" in written and "Round 5 · trick 1 of 12" not in written


@pytest.mark.parametrize("language", languages())
def test_a_header_of_sea_change_always_has_the_round(language: str, written: list[str]) -> None:
    for view in SEA.values():
        for seat in (None, *range(view.seats)):
            found = labels("sea_change", view.seats, ("Maximilianus", "Wolfgangrick"), language)
            written.clear()
            renderer("sea_change").paint(view._replace(viewer=seat, hand=view.hand), found)
            assert any(line.endswith(found.say("picture.begins", round=view.round)) for line in written)


def test_a_round_that_the_viewer_won_went_to_them(written: list[str]) -> None:
    states, _ = game("sea_change", 3, "won")
    view = next(view for view in (state.view(Seat(1)) for state in states) if view.last_round and not view.lays)
    assert view.last_round is not None and view.trick_number == 1 and view.hand
    for winners, told in (((1,), "Round 1 goes to you"), ((0,), "Round 1 goes to Ann"), ((0, 1), "Ann and You")):
        renderer("sea_change").paint(
            view._replace(last_round=view.last_round._replace(winners=winners)), people("sea_change", 3)
        )
        assert any(told in line for line in written)


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_a_play_off_says_at_what_it_is_tied(viewer: Seat | None, written: list[str]) -> None:
    """Not at how many points the match ends: others may have more."""
    view = next(iter(CIRCLES.values()))
    view = view._replace(play_off=True, totals=(12, 60, 12, 48)[: view.seats], viewer=viewer)
    renderer("full_circle").paint(view, people("full_circle", view.seats))
    assert any("tied at 12" in line for line in written) and not any("ends at" in line for line in written)


def test_the_cards_of_a_trick_that_is_over_are_pale() -> None:
    """Else the player to move would seem to have played."""
    over, running = SUN["table_5_dealt"], SUN["table_5_full"]
    assert over.last_trick is not None
    lit = {sign_for(running, lay.card, look_of(5).sign) for lay in (*over.last_trick.lays, *running.lays)}
    pale = {resting(sign) for sign in lit}
    for view, expected in ((over, pale), (running, lit)):
        signs = [stroke.what for stroke in renderer("full_sun").paint(view, people("full_sun", 5)).strokes]
        shown = [sign for sign in signs if sign in lit | pale]
        assert len(shown) == len(view.lays or over.last_trick.lays) and expected.issuperset(shown)
    for sign in lit:
        assert resting(sign).image.convert("L").getextrema()[1] < 0.85 * sign.image.convert("L").getextrema()[1]


@pytest.mark.parametrize("rows", [TALL, LOW])
@pytest.mark.parametrize(("count", "width"), [("1", 40), ("6", 40), ("8", 44)])
def test_a_count_of_backs_lies_on_paper_alone(rows: Rows, count: str, width: int) -> None:
    """Neither the slip's frame nor its sign cuts it."""
    for suit in SUITS:
        bare, written = (pieces.slip(suit, text, width, rows.slip).layer for text in (" ", count))
        box = ImageChops.difference(bare, written).getbbox(alpha_only=False)
        assert box is not None and box[2] - box[0] > 8
        around = bare.crop((box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1))
        assert {colour[:3] for _, colour in around.getcolors() or ()} == {theme.PAPER}


@pytest.mark.parametrize("backs", [(2, 3, 4, 3, 1), (5, 0, 4, 3, 0), (12, 0, 0, 1, 0), (0, 0, 10, 2, 1)])
def test_counts_of_backs_have_room_on_their_slips(backs: tuple[int, ...]) -> None:
    """On the narrowest board; a slip has its sign above the count."""
    room = 1200 // 5 - 26
    slips = pieces.slips_of(backs, room)
    assert slips[0][1] >= 0 and slips[-1][1] + slips[-1][2] <= room
    assert all(left + width < after for (_, left, width), (_, after, _) in pairwise(slips))
    for cards, (_, _, width) in zip(backs, slips, strict=True):
        figures = lettering.width(str(cards), theme.SMALL)
        assert not cards or width >= figures + 8


# Discs


@pytest.mark.parametrize("faces", [(), (bytes(SIDE * SIDE),) * 4], ids=["initials", "faces"])
@pytest.mark.parametrize("slug", [slug for slug in GAMES if renderer(slug).SEAT_COLOURS])
def test_discs_have_the_colours_of_the_seats(
    slug: str, faces: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their places in the lobby do not matter. It holds for every picture of a match."""
    used: set[tuple[str, Colour]] = set()
    colour_of = discs.colour_of

    def noted(labels: Labels, seat: int) -> Colour:
        used.add((labels.name(seat), colour_of(labels, seat)))
        return colour_of(labels, seat)

    monkeypatch.setattr(discs, "colour_of", noted)
    monkeypatch.setattr(result, "colour_of", noted)
    drawn, seats = renderer(slug), max(GAMES[slug].seats)
    states, events = game(slug, seats, "discs")
    found = replace(labels(slug, seats), discs=tuple(reversed(range(seats))), faces=faces)
    story = drawn.story(states[-1].view(None), events, found)
    assert story is not None
    middle = states[len(states) // 2]
    for picture in (
        lambda: drawn.paint(middle.view(None), found),
        lambda: drawn.paint(middle.view(Seat(1)), found),
        lambda: drawn.paint_explained(middle.view(Seat(1)), found),
        lambda: drawn.paint(states[-1].view(None), found),
        lambda: drawn.paint_last(middle.view(None), found),
        lambda: drawn.paint_round(story, found),
        lambda: drawn.paint_result(story, found),
    ):
        used.clear()
        assert picture()
        assert used and used <= set(zip(found.names, drawn.SEAT_COLOURS, strict=True))


# Full Circle


@pytest.mark.parametrize(
    ("name", "said"),
    [("hand_drawn", "You drew Purple-Blue"), ("table_4_drawn", "Maximilian of the Deep drew Orange-Yellow"),
     ("hand_turn", "0 points"), ("table_4_drawn", "Maximilian must play Orange-Yellow")],
)  # fmt: skip
def test_a_circle_says_who_did_what_and_what_is_due(name: str, said: str, written: list[str]) -> None:
    view = CIRCLES[name]
    renderer("full_circle").paint(view, people("full_circle", view.seats))
    assert said in written


@pytest.mark.parametrize(
    ("name", "said"),
    [("table_4_streak", "Maximilian is ahead: fewest points win"), ("hand_streak", "You are ahead: fewest points win"),
     ("table_2_first", "fewest points win"), ("table_3_play_off", ""),
     ("table_3_over", "The fewest points win")],
)  # fmt: skip
def test_a_circle_says_who_is_ahead(name: str, said: str, written: list[str]) -> None:
    view = CIRCLES[name]
    renderer("full_circle").paint(view, people("full_circle", view.seats))
    assert [line for line in written if "fewest" in line] == [said] * bool(said)


def test_who_is_ahead_is_named_beside_the_longest_words(written: list[str]) -> None:
    """With the name as short as need be, and without what wins."""
    view, names = CIRCLES["table_4_streak"], ("Børge", "Hans-Jürgen von Hohenberg", "Zoë", "Li")
    assert isinstance(view.last, Play)
    long = view._replace(last=view.last._replace(seat=Seat(1), face="OP"))
    renderer("full_circle").paint(long, replace(people("full_circle", 4), names=names))
    assert "Hans is ahead" in written or "Hans-Jürgen is ahead" in written


@pytest.mark.parametrize("language", languages())
def test_a_sentence_after_a_colon_goes_on_small(language: str, written: list[str]) -> None:
    """But for German, which begins a whole sentence large."""
    view, names = CIRCLES["hand_turn"], labels("full_circle", 4, NAMES, language)
    renderer("full_circle").paint(view, names)
    said = names.say("own.turn").rstrip(".")
    assert said[0].isupper() == (language == "de")
    pair = names.say("pair", name=names.say("picture.your_turn"), value=said)
    assert {pair, capital(said)} & set(written)  # alone if there is no room for both
    assert capital(said) in renderer("full_circle").describe(view, names)


@pytest.mark.parametrize("viewer", [0, 3])
def test_a_long_name_takes_what_its_neighbour_leaves(viewer: int, written: list[str]) -> None:
    names = ("Maximilian", "Alexandrovna", "Wilhelmine", "Bartholomew")
    view = CIRCLES["hand_turn"]._replace(viewer=Seat(viewer))
    renderer("full_circle").paint(view, replace(people("full_circle", 4), names=names))
    assert {"You", *names} - set(written) == {names[viewer]}
