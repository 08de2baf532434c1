"""What a picture says is so: mistakes that pictures have made, each held by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, groupby, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from rendering import renderer
from rendering.core import chrome, discs, lettering, race, result, theme
from rendering.core.art import art, toned
from rendering.core.canvas import WIDTH, Page, Stroke
from rendering.core.chrome import HEADER_LINE, VICTORY, victory
from rendering.core.discs import COLOURS, disc
from rendering.core.labels import Labels
from rendering.core.portraits import SIDE
from rendering.core.score_chart import Chart, drawn, spread
from rendering.core.sprites import Colour, Sprite
from rendering.core.story import Honour, Place, Story, describe_round, places
from rendering.full_sun import pieces
from rendering.full_sun import trick as full_sun
from rendering.full_sun.narration import ahead
from rendering.full_sun.pieces import resting, sign_for
from rendering.full_sun.trick import look_of
from rendering.photosynthesis import forest
from rendering.photosynthesis.trees import thing
from rendering.sea_change import pieces as sea_change
from rendering.sea_change.emblems import anchor, pennant
from rendering.sea_change.fleet import LABEL, shown_trick
from rendering.sea_change.hand import hand_cells
from rendering.sea_change.narration import ahead_in, change_in
from rendering.sea_change.picture import table_cells
from rendering.sea_change.pieces import points_on
from rendering.siege_of_sunfall import own, scene
from rendering.siege_of_sunfall import picture as siege
from rendering.siege_of_sunfall import pieces as siege_pieces
from rules import GAMES
from rules.core.game import Seat
from rules.siege_of_sunfall.types import Card, Kind, Reveal
from tests.goldens.case import labels as people
from tests.goldens.views_full_circle import VIEWS as CIRCLES
from tests.goldens.views_full_sun import VIEWS as SUN
from tests.goldens.views_photosynthesis import OWN
from tests.goldens.views_photosynthesis import VIEWS as FORESTS
from tests.goldens.views_photosynthesis import middle as forest_of
from tests.goldens.views_sea_change import VIEWS as SEA
from tests.goldens.views_siege_of_sunfall import VIEWS as SIEGE
from tests.rendering.play import LONG, STRANGE, game, labels
from tests.support.pixels import lettering_of
from tests.support.published import PUBLISHED


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines that pages have written."""
    lines: list[str] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, said: str, *how: Any, **more: Any) -> int:
        lines.append(said)
        return text(page, x, y, said, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    yield lines


def test_arrows_follow_the_trick_that_lies_there() -> None:
    """Not the direction of the next round, before its first card."""
    before = set()
    for state in game("full_sun", 5, "arrows")[0]:
        view = state.view(None)
        if not view.lays and view.last_trick is not None:
            (first, second) = (lay.seat for lay in view.last_trick.lays[:2])
            assert full_sun.direction_shown(view) == (second == (first + 1) % 5)
            before.add(full_sun.direction_shown(view) == view.clockwise)
    assert before == {True, False}, "the direction changes from round to round"


def test_what_cannot_be_reached_is_not_shown_as_reachable(written: list[str]) -> None:
    """A hand says how many tricks are missing only if as many are left."""
    late = 0
    for state in game("full_sun", 4, "late")[0]:
        view = state.view(0)
        if state.to_move() != {0} or view.outcome:
            continue
        written.clear()
        renderer("full_sun").paint(view, labels("full_sun", 4))
        left = view.tricks - view.trick_number + 1
        missing = [int(line.split()[0]) for line in written if line.endswith(" to go")]
        assert all(number <= left for number in missing), (left, missing)
        late += written.count("too late")
    assert late


def test_a_tie_is_explained(written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_5_over"], labels("siege_of_sunfall", 5))
    assert any("tie" in line and "crown" in line for line in written)


def test_a_zero_is_decided_once_the_match_is_over() -> None:
    states, _ = game("sea_change", 4, "zero", ("target", 1))
    running, over = states[0].view(None), states[-1].view(None)
    assert over.outcome is not None and over.trump is not None
    assert points_on(running, f"{over.trump}0").endswith("?")
    assert points_on(over, f"{over.trump}0").startswith("+")
    (other, *_) = (suit for suit in over.suits if suit != over.trump)
    assert points_on(over, f"{other}0") == ""


@pytest.mark.parametrize("players", [1, 2, 4, 8])
def test_the_crown_and_the_rings_of_sea_change_say_what_the_rules_say(players: int) -> None:
    """The card under the crown takes the trick, and the ringed cards made the trump."""
    changed = 0
    for state in game("sea_change", players, "crowns")[0]:
        trick = state.view(None).last_trick
        if trick is not None:
            assert trick.lays[ahead_in(trick.lays, trick.trump)].player == trick.winner
            if at := change_in(trick.lays):
                changed += 1
                assert trick.lays[at].card[0] == trick.trump
                assert trick.lays[at].card[1:] == trick.lays[at - 1].card[1:]
    assert changed


def test_the_crown_of_full_sun_says_what_the_rules_say() -> None:
    for state in game("full_sun", 5, "crowns")[0]:
        view = state.view(None)
        if (trick := view.last_trick) is not None:
            place = ahead(view, trick.lays)
            assert place is not None and trick.lays[place].seat == trick.winner


def test_alt_texts_say_which_player_is_ahead() -> None:
    for slug, words in (("sea_change", "is winning the trick."), ("full_sun", "has the highest card.")):
        states = [state for state in game(slug, 4, "ahead")[0] if state.view(None).lays]
        told = [renderer(slug).describe(state.view(None), labels(slug, 4)) for state in states]
        assert told and all(words in text for text in told)


@pytest.mark.parametrize(
    ("name", "told"),
    [("table_2_first", "placed D7"), ("table_4_forest", "grew B5"), ("table_4_over", "collected D4"),
     ("own_turn", "bought a small tree"), ("own_place", "placed G4")],
)  # fmt: skip
def test_a_forest_tells_the_last_move(name: str, told: str, written: list[str]) -> None:
    view = FORESTS[name]
    renderer("photosynthesis").paint(view, people("photosynthesis", view.seats))
    assert any(line.endswith(f" {told}") for line in written)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("seats", [3, 4])
def test_the_name_of_the_mover_is_the_largest(seats: int, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is larger than any other name. The viewer is "You"."""
    sizes: dict[str, list[int]] = {}
    text = Page.text

    def noted(page: Page, x: float, y: float, line: str, size: int, *how: Any, **more: Any) -> int:
        sizes.setdefault(line, []).append(size)
        return text(page, x, y, line, size, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    found = replace(people("photosynthesis", seats), large=large)
    shown = {name.split()[0] for name in found.names}
    for mover in range(seats):
        for viewer in (None, *map(Seat, range(seats))):
            sizes.clear()
            view = forest_of(viewer, seats)._replace(to_move=Seat(mover))
            renderer("photosynthesis").paint(view, found)
            words = shown | {"You", "Your"}
            named: dict[str, int] = {}
            for line, written in sizes.items():
                if (word := line.split()[0]) in words:
                    named[word] = max(*written, named.get(word, 0))
            name = "Your" if viewer == mover else found.names[mover].split()[0]
            assert ("You" in named) == (viewer is not None)
            assert any(line.startswith("Your turn") for line in sizes) == (viewer == mover)
            assert any(line.startswith(f"{name} may ") for line in sizes) == (viewer != mover)
            others = [size for other, size in named.items() if other != name]
            assert named[name] > max(others), (mover, viewer, named)


@pytest.mark.parametrize(
    ("path", "said"), [(("plant",), "Plant: which tree?"), (("plant", "B4"), "Plant from B4: where?"),
                       (("buy",), "costs 2 to 5 light · Ann bought a small tree")],
)  # fmt: skip
def test_each_step_of_a_choice_is_told(path: tuple[str, ...], said: str, written: list[str]) -> None:
    renderer("photosynthesis").paint(OWN, people("photosynthesis", OWN.seats), path)
    assert said in written


def is_clear(over: Stroke, box: Stroke) -> bool:
    """Whether a sprite shows nothing within the box of another."""
    x, y = over.left, over.top
    part = max(box.left, x) - x, max(box.top, y) - y, min(box.right, over.right) - x, min(box.bottom, over.bottom) - y
    return isinstance(over.what, Sprite) and over.what.alpha.crop(part).getextrema() == (0, 0)


@pytest.mark.parametrize("path", [(), ("grow",), ("plant", "B4")])
def test_nothing_hides_the_name_of_a_hex(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[Sprite] = []
    draw = forest.coordinate

    def noted(hex_: str) -> Sprite:
        names.append(draw(hex_))
        return names[-1]

    monkeypatch.setattr(forest, "coordinate", noted)
    page = renderer("photosynthesis").paint(OWN, people("photosynthesis", OWN.seats), path)
    placed = [(stroke, stroke.what in names) for stroke in page.strokes]
    assert sum(is_name for _, is_name in placed) >= (3 if path else 14)
    for number, (box, is_name) in enumerate(placed):
        for over, is_other in placed[number + 1 :] if is_name else ():
            apart = over.left >= box.right or box.left >= over.right or over.top >= box.bottom or box.top >= over.bottom
            assert apart or is_other or is_clear(over, box), box


def test_a_seat_is_told_what_happened_last(written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["own_asked"], people("siege_of_sunfall", 4))
    assert {"Fallen!", "Out: Maximilian of the Deep"} <= set(written)


def test_a_decision_names_who_decides_what(written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_4_award"], people("siege_of_sunfall", 4))
    assert {"Highest: Ann and Børge", "Ann decides who gets it"} <= set(written)


def guards_of(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Seat, dict[str, Any]]]:
    """Return a list to which each guard on the wall adds the seat, and how the guard stands."""
    guards: list[tuple[Seat, dict[str, Any]]] = []

    def noted(page: Page, names: Labels, seat: Seat, column: scene.Column, **how: Any) -> None:
        guards.append((seat, how))

    monkeypatch.setattr(siege, "place_guard", noted)
    return guards


def test_all_of_many_tied_players_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if there is no room for their names: their guards stand in the light."""
    guards, seats = guards_of(monkeypatch), tuple(Seat(seat) for seat in range(6))
    tie = Reveal(Card(Kind.ARMIES), (2,) * 6, (0,) * 6, 12, None, (), seats, None, None)
    view = SIEGE["table_6"]._replace(alive=(True,) * 6, open_reveal=tie)
    for viewer in (None, Seat(1)):
        guards.clear()
        renderer("siege_of_sunfall").paint(view._replace(viewer=viewer), people("siege_of_sunfall", 6))
        assert {seat for seat, how in guards if how["lit"] and not how["cool"]} == set(seats)


def plates_of(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each plate under a name adds its state."""
    states: list[str] = []
    plaque = scene.plaque

    def noted(state: str, width: int, height: int) -> Sprite:
        states.append(state)
        return plaque(state, width, height)

    monkeypatch.setattr(scene, "plaque", noted)
    return states


@pytest.mark.parametrize("name, count", [("table_3_first", 3), ("table_4_lost", 2), ("table_4_award", 1)])
def test_all_who_are_to_decide_are_marked(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plates = plates_of(monkeypatch)
    renderer("siege_of_sunfall").paint(SIEGE[name], people("siege_of_sunfall", 4))
    assert plates.count("turn") == count


@pytest.mark.parametrize("name, past", [("table_4_lost", True), ("own_asked", True), ("table_4_award", False)])
def test_coins_of_an_earlier_card_are_named(name: str, past: bool, written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE[name], people("siege_of_sunfall", 4))
    assert ("Last card" in written) == past


@pytest.mark.parametrize("viewer", [None, Seat(0)])
@pytest.mark.parametrize("name", ["table_6", "table_4_lost", "own_asked", "own_sealed"])
def test_no_past_pledge_looks_live(name: str, viewer: Seat | None) -> None:
    """Over the heads, a picture is the same whatever was pledged for the last card."""
    view = SIEGE[name]._replace(viewer=viewer, own_seal=None)
    assert view.last_reveal is not None and view.open_reveal is None
    layout = siege.TABLE if viewer is None else own.USUAL
    box = (0, layout.purse + 90, WIDTH, layout.walls[0] + 50)
    paint, names = renderer("siege_of_sunfall").paint, people("siege_of_sunfall", view.seats)
    shown = [paint(view._replace(last_reveal=past), names).image.crop(box) for past in (view.last_reveal, None)]
    assert shown[0].tobytes() == shown[1].tobytes()


def test_coins_lie_on_the_battlements_while_the_pledges_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stacks: list[int] = []
    stack = scene.stack

    def noted(width: int, coins: int, rise: int) -> Sprite:
        stacks.append(coins)
        return stack(width, coins, rise)

    monkeypatch.setattr(scene, "stack", noted)
    for name, coins in (("table_4_award", [3, 3, 2]), ("table_4_lost", []), ("table_6", []), ("own_asked", [])):
        stacks.clear()
        renderer("siege_of_sunfall").paint(SIEGE[name], people("siege_of_sunfall", SIEGE[name].seats))
        assert stacks == coins, name


@pytest.mark.parametrize("name", ["table_3_first", "table_6", "table_4_award"])
def test_a_fist_stands_over_each_head_that_has_pledged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    guards, view = guards_of(monkeypatch), SIEGE[name]
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", view.seats))
    assert {seat for seat, how in guards if how["arm"] == "fist"} == set(view.sealed)


@pytest.mark.parametrize(
    ("name", "said"),
    [("table_3_first", "Still to pledge: Ann, Maximilian and Børge"),
     ("table_6", "Still to pledge: Maximilian, 田中さくら and Zoë"),
     ("table_4_lost", "Still to pledge: Ann and Дмитрий"),
     ("own_sealed", "Still to pledge: Maximilian and Дмитрий"), ("table_4_award", "Ann decides who gets it")],
)  # fmt: skip
def test_the_title_of_a_siege_says_for_whom_the_match_waits(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[tuple[str, int]] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, line: str, size: int, *how: Any, **more: Any) -> int:
        if y == HEADER_LINE:
            titles.append((line, size))
        return text(page, x, y, line, size, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    view = SIEGE[name]
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", view.seats))
    title, size = next((line, size) for line, size in titles if line == said)
    assert size > theme.SMALL, title


@pytest.mark.parametrize(
    ("name", "said"), [("table_6", "pledged 11, needed 6"), ("table_4_award", "pledged 8 in all"),
                       ("table_4_award", "for the highest pledge"), ("table_6", "21"), ("table_6", "23"),
                       ("own_asked", "0 armies"), ("own_asked", "out"),
                       ("own_sealed", "You keep 6 of 10."), ("own_asked", "2 boosts: up to 11")],
)  # fmt: skip
def test_a_siege_says_what_its_numbers_are(name: str, said: str, written: list[str]) -> None:
    view, names = SIEGE[name], people("siege_of_sunfall", SIEGE[name].seats)
    renderer("siege_of_sunfall").paint(view, names)
    renderer("siege_of_sunfall").paint_last(view, names)
    assert any(line.endswith(said) for line in written)


def test_who_is_to_pledge_sees_who_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The viewer first, then clockwise: in brass who is to pledge, in the colour of wax who has, in iron who is out."""
    plates = plates_of(monkeypatch)
    renderer("siege_of_sunfall").paint(SIEGE["own_asked"], people("siege_of_sunfall", 4))
    assert plates == ["turn", "sealed", "turn", "idle"]


@pytest.mark.parametrize("name", ["table_6", "own_sealed"])
def test_all_who_have_pledged_are_marked_beside_their_discs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a plate in the colour of wax, and by a seal that leaves the letters free."""
    plates = plates_of(monkeypatch)
    view, names = SIEGE[name], people("siege_of_sunfall", 6)
    page = renderer("siege_of_sunfall").paint(view, names)
    assert plates.count("sealed") == len(view.sealed)
    wax = {siege_pieces.sprite_of("seal", size) for size in range(40, 90)}
    discs = {disc(names, seat, size) for seat in range(6) for size in range(60, 110)}
    seals = [stroke for stroke in page.strokes if stroke.what in wax]
    assert len(seals) == len(view.sealed)
    for _, left, _, right, _ in (stroke for stroke in page.strokes if stroke.what in discs):
        assert all(seal.left >= right - 8 or seal.right <= left + 8 for seal in seals)


@pytest.mark.parametrize(("room", "coins"), [(900, 11), (240, 6), (90, 0)])
def test_coins_for_which_there_is_no_room_are_left_out(room: int, coins: int, written: list[str]) -> None:
    """First those beyond what was needed: how many they are is told in words."""
    page = Page("siege_of_sunfall", 764, renderer("siege_of_sunfall").ground)
    scene.place_track(page, 6, 11, 20, 100, 20 + room)
    assert not written
    step = 44 if room > 800 else 38
    assert [stroke.what for stroke in page.strokes] == ([siege_pieces.track(6, coins, step)] if coins else [])
    assert all(stroke.right <= 20 + room + 4 for stroke in page.strokes)


@pytest.mark.parametrize(("seats", "words"), [(6, 0), (3, 1)])
def test_a_pledge_says_what_a_boost_added(seats: int, words: int, written: list[str]) -> None:
    page = Page("siege_of_sunfall", 764, renderer("siege_of_sunfall").ground)
    (column, *_) = scene.columns_of(range(seats), (612,)).values()
    reveal = Reveal(Card(Kind.BOW, 6), (2,) * seats, (1,) * seats, 8, True, (), (), None, None)
    scene.place_stack(page, reveal, people("siege_of_sunfall", seats), Seat(0), column, 170)
    assert written == ["2+2", *["boost"] * words]
    card = siege_pieces.sprite_of("card_boost", 36)
    assert any(stroke.what is card for stroke in page.strokes) != bool(words)


@pytest.mark.parametrize("viewer, said", [(None, "The taker becomes King"), (Seat(0), "You become King")])
def test_on_a_table_no_player_is_you(viewer: Seat | None, said: str, written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_4_lost"]._replace(viewer=viewer), people("siege_of_sunfall", 4))
    assert f"{said} and decide{'' if viewer is not None else 's'} ties" in written


@pytest.mark.parametrize("name", ["table_4_lost", "own_asked", "own_choosing"])
def test_names_have_the_room_that_is_left(name: str, written: list[str]) -> None:
    view = SIEGE[name.replace("choosing", "asked")]
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", 4), ("3",) if "choosing" in name else ())
    assert "Maximilian" in written


# Scores, signs and letters


def middle_of(sprite: Sprite) -> int:
    """The lightness of a sprite's middle, from 0 to 255."""
    width, height = sprite.size
    lightness = sprite.image.convert("RGB").convert("L").getpixel((width // 2, height // 2))
    assert isinstance(lightness, int)
    return lightness


@pytest.mark.parametrize(
    ("scored", "missing"), [("full_sun/point", "full_sun/hollow"), ("sea_change/lamp_lit", "sea_change/lamp_dark")]
)
def test_a_point_scored_is_bright_and_a_missing_one_dark(scored: str, missing: str) -> None:
    assert middle_of(art(scored)) - middle_of(art(missing)) > 80


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
    page = renderer("sea_change").paint(view, people("sea_change", view.seats))
    assert pointed
    for cell in table_cells(view) if large else hand_cells(view):
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
    page = renderer("sea_change").paint(view, people("sea_change", view.seats))
    for side in set(view.sides):
        pennants = [stroke for stroke in page.strokes if stroke.what in PENNANTS[side]]
        cells = table_cells(view) if "table" in name else hand_cells(view)
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


def test_a_header_names_the_trick_that_lies_there(written: list[str]) -> None:
    renderer("sea_change").paint(SEA["table_4_last_trick"], people("sea_change", 4))
    assert "Trick 4 of 10 · first to 3 VP · Round 2" in written
    renderer("full_sun").paint(SUN["table_5_dealt"], people("full_sun", 5))
    assert "Last trick of round 4" in written and "Round 5 · trick 1 of 12" not in written


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


# The end


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("names", [(), LONG, STRANGE], ids=["usual", "long", "strange"])
@pytest.mark.parametrize("slug", PUBLISHED)
def test_the_title_of_a_match_that_is_over_says_who_won(
    slug: str, names: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the largest text but for figures and ribbons, at the top, whole, and nothing else repeats it."""
    lines: list[tuple[str, float, int]] = []
    text = Page.text

    def noted(
        page: Page, x: float, y: float, said: str, size: int, ink: Any, width: int, anchor: str = "lm",
        face: str = lettering.TEXT, *halo: Any, **more: Any,
    ) -> int:  # fmt: skip
        lines.append((said, y, size))
        assert y > 60 or lettering.shorten(said, size, width, face) == lettering.drawable(said), said
        return text(page, x, y, said, size, ink, width, anchor, face, *halo, **more)

    monkeypatch.setattr(Page, "text", noted)
    for seats in (min(GAMES[slug].seats), max(GAMES[slug].seats)):
        states, _ = game(slug, seats, "who won")
        view = states[-1].view(None)
        assert view.outcome is not None
        found = labels(slug, seats, names, language)
        lines.clear()
        renderer(slug).paint(view, found)
        wins = "wins!" if language == "en" else "gewinnt!"
        (title,) = [line for line in lines if line[0].endswith((wins, wins.replace("wins", "win"), "gewinnen!"))]
        said, y, size = title
        assert y < 60 and size >= VICTORY[1]
        won = sorted(view.outcome.winners) or [1]
        assert names or all(found.name(seat).split()[0] in said for seat in won)


@pytest.mark.parametrize("names", [(), LONG, STRANGE], ids=["usual", "long", "strange"])
@pytest.mark.parametrize("winners", [(), (1,), (0, 2), (0, 1, 2, 3), tuple(range(8))], ids=len)
@pytest.mark.parametrize("team", ["", "Team A"])
@pytest.mark.parametrize("width", [430, 520, 1140])
def test_the_title_fits_with_any_winners(
    width: int, team: str, winners: tuple[int, ...], names: tuple[str, ...]
) -> None:
    text, size = victory(labels("sea_change", 8, names), winners, width, team if len(winners) > 1 else "")
    assert lettering.width(text, size) <= width, text
    assert VICTORY[1] <= size <= VICTORY[0]
    assert any(word in text for word in ("win!", "wins!", "wins.", "A shared win"))


@pytest.mark.parametrize("winner", range(4))
def test_a_winner_s_crown_hides_no_words(winner: int) -> None:
    """It lies on the page as a whole."""
    view = FORESTS["table_4_over"]
    view = view._replace(outcome=replace(view.outcome, winners=frozenset({winner})))
    page = renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    (crown,) = [stroke for stroke in page.strokes if stroke.what is chrome.crown(56)]
    assert crown.top >= 0
    for stroke in page.strokes:
        if (words := lettering_of(stroke.what)) is not None:
            box = words().getbbox()
            assert box is not None
            left, top, right, foot = (at + (stroke.left, stroke.top)[side % 2] for side, at in enumerate(box))
            assert left >= crown.right or right <= crown.left or top >= crown.bottom or foot <= crown.top


@pytest.mark.parametrize("language, parts", [("en", ("57 from trees", "+2 light")), ("de", ("57 geerntet",))])
@pytest.mark.parametrize("tie", [False, True])
def test_the_stalls_of_a_forest_that_is_over_say_what_brought_the_points(
    tie: bool, language: str, parts: tuple[str, ...], written: list[str]
) -> None:
    """The pieces on the board stand there, in place of the light, if they decided."""
    view = FORESTS["table_4_over"]
    assert view.outcome is not None
    if tie:
        view = view._replace(outcome=replace(view.outcome, reason="pieces"))
    renderer("photosynthesis").paint(view, labels("photosynthesis", 4, language=language))
    assert set(parts[:1] if tie else parts) <= set(written)
    found = labels("photosynthesis", 4, language=language)
    assert tie == ({found.count("pieces", number) for number in view.on_board} <= set(written))


def test_an_empty_pile_is_a_dark_slice_with_its_leaves_and_a_nought(written: list[str]) -> None:
    view = FORESTS["table_4_over"]
    page = renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    gone = [leaves for leaves, tokens in enumerate(view.piles, 1) if not tokens]
    assert gone == [2, 3, 4]
    assert written.count("0") == len(gone)
    looks = set()
    for leaves in gone:
        face = thing(f"token_{leaves}", forest.PILE)
        place = toned(face, forest.EMPTY)
        assert any(stroke.what is place for stroke in page.strokes)
        assert ImageStat.Stat(place.image.convert("L")).mean[0] < 0.6 * ImageStat.Stat(face.image.convert("L")).mean[0]
        looks.add(place.image.tobytes())
    assert len(looks) == len(gone)


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


# The chart of scores


def test_lines_of_equal_scores_are_all_seen() -> None:
    courses = tuple((colour, (0, 0, 0, 2, 2)) for colour in COLOURS)
    chart = Chart(560, 284, courses)
    seen = {colour for _, colour in drawn(chart).image.getcolors(560 * 284) or []}
    assert set(COLOURS) <= seen


def test_lines_lie_at_their_scores_side_by_side() -> None:
    """Those of equal scores are four pixels apart, so that all eight are seen."""
    courses = tuple((colour, (0, at // 3, 2)) for at, colour in enumerate(COLOURS))
    chart = Chart(560, 284, courses)
    for (_, course), line in zip(courses, chart.lines, strict=True):
        assert all(abs(y - chart.line_of(value)) <= 14 for (_, y), value in zip(line, course, strict=True))


@pytest.mark.parametrize("scores", [(3, 2, 2, 1), (3, 0, 0, 0, 0, 0), (3, 2, 1, 1, 1, 0), (3,) * 5, (3, 3, 2, 2, 1)])
def test_who_shares_a_place_shares_a_step_or_has_none(scores: tuple[int, ...]) -> None:
    won = [at for at, score in enumerate(scores) if score == 3]
    shown = places(scores, [str(score) for score in scores], [(0, score) for score in scores], won)
    steps = result.steps_of(shown)
    on_steps = [place for step in steps for place in step]
    assert len(steps) <= 3 and on_steps == list(shown[: len(on_steps)])
    assert on_steps[-1].rank not in [place.rank for place in shown[len(on_steps) :]]
    assert len({step[0].rank for step in steps}) == len(steps), "a tie shares a step"
    assert all(len({place.rank for place in step}) == 1 for step in steps)


def test_a_result_calls_a_player_by_one_name(written: list[str]) -> None:
    """But for the headline, which has the name in full."""
    found = people("sea_change", 8)
    shown = places([8 - at for at in range(8)], ["1 VP"] * 8, [(0, 8 - at) for at in range(8)], [0])
    honours = tuple(Honour("best_round", (seat,), "Best round", "9 points") for seat in (6, 1, 0))
    renderer("sea_change").paint_result(Story(shown, "", honours, "1 round"), found)
    assert sum("Hans" in line for line in written) == 2 and not any("von" in line for line in written)


@pytest.mark.parametrize("apart", [5, 40])
def test_what_is_spread_keeps_its_order_and_its_bounds(apart: int) -> None:
    found = spread([90, 10, 12, 12, 95], apart, 8, 260)
    order = sorted(range(5), key=lambda at: found[at])
    assert order == [1, 2, 3, 0, 4]
    assert all(found[b] - found[a] >= apart for a, b in pairwise(order))
    assert found[1] >= 8 and found[4] <= 260


@pytest.mark.parametrize("slug", GAMES)
def test_the_winner_is_on_top_of_the_chart(slug: str) -> None:
    """This holds also if the lowest score wins. A game need not tell a story."""
    seats = max(GAMES[slug].seats)
    states, events = game(slug, seats, "chart")
    story = renderer(slug).story(states[-1].view(None), events, labels(slug, seats))
    if story is None:
        pytest.skip(f"{slug} has no chart")
    chart = Chart(
        560, 284, tuple((COLOURS[at], place.course) for at, place in enumerate(story.places)), story.lowest_wins
    )
    heights = [chart.line_of(place.course[-1]) for place in story.places]
    assert heights[0] == min(heights)
    assert 0 in chart.marked


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("count", range(1, 9))
def test_a_round_s_lanes_lie_side_by_side(slug: str, count: int) -> None:
    """Of 1 to 8 places, in one row or two. All that belongs to one lies on the page, below its two lines."""
    shown = tuple(Place((seat,), 1 + seat // 2, False, "3 points", (0, seat)) for seat in range(count))
    game = renderer(slug)
    story, found = Story(shown, "", (), "1 round", goal=9), labels(slug, 8)
    lanes = race.lanes_of(game.setting, story, found)
    assert [lane.place for lane in lanes] == list(shown)
    for one, other in pairwise(lanes):
        assert one.foot < other.foot or one.x + one.width / 2 <= other.x - other.width / 2
    for lane in lanes if count <= max(GAMES[slug].seats) else ():
        page = Page(slug, race.HEIGHT if lanes[0].foot == lanes[-1].foot else race.TALLER, game.ground)
        game.place_score(page, game.coloured(found), lane)
        assert page.strokes and all(stroke.top > 120 and stroke.bottom <= page.height for stroke in page.strokes)


@pytest.mark.parametrize("lowest", [True, False])
def test_who_leads_has_the_highest_thing(lowest: bool) -> None:
    shown = (Place((0,), 1, False, "2", (0, 2)), Place((1,), 2, False, "9", (0, 9)))
    story = Story(shown if lowest else shown[::-1], "", (), "1 round", lowest_wins=lowest, goal=10)
    first, second = race.lanes_of(renderer("full_circle").setting, story, labels("full_circle", 2))
    assert (first.part > second.part) == lowest


def test_a_flag_tells_what_a_round_added(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(race, "place_flag", lambda page, x, y, text: said.append(text))
    courses = ((3, 9), (9, 3), (4, 4))
    shown = tuple(Place((at,), 1 + at, False, f"{course[-1]}", course) for at, course in enumerate(courses))
    race.paint_round(renderer("photosynthesis").setting, Story(shown, "", (), "2 rounds"), labels("photosynthesis", 3))
    assert said == ["+6", "−6"]


@pytest.mark.parametrize("lowest", [True, False])
def test_a_round_s_title_says_if_the_lowest_wins(lowest: bool, written: list[str]) -> None:
    shown = (Place((0,), 1, False, "3 points", (0, 3)),)
    story, found = Story(shown, "", (), "2 rounds", lowest_wins=lowest), labels("full_circle", 2)
    renderer("full_circle").paint_round(story, found)
    assert any(line.startswith("After 2 rounds · lowest wins") for line in written) == lowest
    assert describe_round(story, found).startswith("After 2 rounds · lowest wins" if lowest else "After 2 rounds:")


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


@pytest.mark.parametrize("viewer", [0, 3])
def test_a_long_name_takes_what_its_neighbour_leaves(viewer: int, written: list[str]) -> None:
    names = ("Maximilian", "Alexandrovna", "Wilhelmine", "Bartholomew")
    view = CIRCLES["hand_turn"]._replace(viewer=Seat(viewer))
    renderer("full_circle").paint(view, replace(people("full_circle", 4), names=names))
    assert {"You", *names} - set(written) == {names[viewer]}
