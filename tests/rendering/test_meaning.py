"""What a picture says is so: mistakes that pictures have made, each held by a test."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from data.content.texts import languages
from rendering import renderer
from rendering.core import theme
from rendering.core.canvas import Page, Stroke
from rendering.core.sprites import Sprite
from rendering.full_sun import trick as full_sun
from rendering.full_sun.narration import ahead, possible_species
from rendering.photosynthesis import forest
from rendering.sea_change.narration import ahead_in, change_in
from rendering.sea_change.pieces import points_on
from rules.core.game import Seat
from tests.goldens.case import labels as people
from tests.goldens.views_photosynthesis import OWN
from tests.goldens.views_photosynthesis import VIEWS as FORESTS
from tests.goldens.views_photosynthesis import middle as forest_of
from tests.goldens.views_siege_of_sunfall import VIEWS as SIEGE
from tests.rendering.play import TABLES, game, labels


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
        missing = [view.face(card).pips - view.tricks_won[0] for card in possible_species(view)]
        told = ["+1 point" if not more else f"win {more} more" if 0 < more <= left else "0 points" for more in missing]
        assert sorted(told) == sorted(line for line in written if line in ("+1 point", "0 points", *set(told)))
        late += sum(more > left for more in missing)
    assert late


def test_a_hand_without_the_suit_that_was_led_is_told_that_any_card_will_do(written: list[str]) -> None:
    """In the head and on the board; a hand that has the suit, and every other player, reads which suit to follow."""
    free = set()
    for state in game("sea_change", 4, "free")[0]:
        view = state.view(state.view(None).to_move)
        if not view.lays or view.outcome:
            continue
        written.clear()
        renderer("sea_change").paint(view, labels("sea_change", 4))
        lead = view.lays[0].card[0]
        free.add(own := all(card[0] != lead for card in view.hand))
        assert ("Your turn: any card" in written) == own == ("or " + view.lays[-1].card[1:] not in written)
        written.clear()
        renderer("sea_change").paint(view._replace(viewer=None), labels("sea_change", 4))
        assert any("must follow" in line for line in written)
    assert free == {True, False}


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


def test_a_new_round_of_sea_change_says_who_won_the_last_one(written: list[str]) -> None:
    teams = ("teams", "2v2v2v2")
    for players, option, sides in ((4, (), ["Ann", "Bo", "Cid", "Dee"]), (8, teams, [f"Team {one}" for one in "ABCD"])):
        found = labels("sea_change", players, ("Ann", "Bo", "Cid", "Dee") * (players // 4))
        told = 0
        for state in game("sea_change", players, "rounds", ("target", 9), *([option] if option else []))[0]:
            view = state.view(None)
            if view.last_round and view.trick_number == 1 and not view.lays and not view.outcome:
                written.clear()
                renderer("sea_change").paint(view, found)
                won = found.list([sides[side] for side in view.last_round.winners])
                assert any(line.startswith(f"Round {view.last_round.round} goes to {won}") for line in written), written
                told += 1
        assert told


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
    [("table_2_first", "Maximilian placed D7"), ("table_4_forest", "Ann grew B5"),
     ("table_4_over", "Ann collected D4: 14 points"), ("own_turn", "You bought a small tree"),
     ("own_place", "Ann placed G4")],
)  # fmt: skip
def test_a_forest_tells_the_last_move(name: str, told: str, written: list[str]) -> None:
    view = FORESTS[name]
    renderer("photosynthesis").paint(view, people("photosynthesis", view.seats))
    assert any(line.split(" · ")[-1] == told for line in written)


@pytest.mark.parametrize(("viewer", "who"), [(None, "Ann"), (Seat(0), "You"), (Seat(1), "Ann")])
@pytest.mark.parametrize("ended", [False, True])
def test_a_harvest_is_told_before_what_came_after_it(
    viewer: Seat | None, who: str, ended: bool, written: list[str]
) -> None:
    moves = ["collect D4", "grow B1", "collect C3", "buy seed"]
    turn = {"last_turn": {"seat": 0, "moves": [*moves, "end"]}, "mover": 1} if ended else {"turn": moves}
    view = forest_of(viewer, 4, **turn)
    renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    assert any(line.split(" · ")[-1] == f"{who} collected D4, C3: 33 points" for line in written)


def test_after_a_harvest_the_hex_that_is_marked_is_told(written: list[str]) -> None:
    view = forest_of(Seat(0), 4, turn=["collect D4", "grow B1", "buy seed"])
    renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    assert any(line.endswith("You collected D4: 14 points · You grew B1") for line in written)


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
                       (("buy",), "costs 2 to 5 light · You bought a small tree")],
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
    assert {"Helmets: Fallen!", "Out: Maximilian"} <= set(written)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_points_of_full_sun_are_larger_than_tricks(seats: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and hands have the word beside the figure."""
    sizes: dict[str, int] = {}
    text = Page.text

    def noted(page: Page, x: float, y: float, line: str, size: int, *how: Any, **more: Any) -> int:
        sizes[line] = max(size, sizes.get(line, 0))
        return text(page, x, y, line, size, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    state, found = game("full_sun", seats, "points")[0][2 * seats], labels("full_sun", seats, language=language)
    for viewer in (None, Seat(0)):
        view = state.view(viewer)._replace(points=tuple(range(seats)), tricks_won=(7,) * seats)
        sizes.clear()
        renderer("full_sun").paint(view, found)
        for points in range(seats):
            figure, _, word = found.count("points", points).partition(" ")
            assert sizes[figure] > theme.SMALL
            assert word in sizes
        assert sizes[found.count("tricks", 7)] == theme.SMALL


STANDING = {"siege_of_sunfall": ("armies", "armies"), "full_sun": ("points", "points"),
            "photosynthesis": ("points", "scores"), "full_circle": ("points", "totals"),
            "sea_change": ("victory_points", "victory_points")}  # fmt: skip
"""Of each game, how its texts count what wins, and the part of a view that has it."""


@pytest.mark.parametrize(("slug", "seats"), [table for table in TABLES if table[0] in STANDING])
def test_every_picture_says_how_players_stand_with_the_unit(slug: str, seats: int, written: list[str]) -> None:
    """In a word, at each table and in each own picture, in each language, also in large print."""
    states = game(slug, seats, "standing")[0]
    unit, part = STANDING[slug]
    for number, language in enumerate(languages()):
        state = states[len(states) * (number + 1) // 7]
        for viewer, large in ((None, False), (Seat(0), False), (Seat(number % seats), True)):
            view: Any = state.view(viewer)
            found = replace(labels(slug, seats, language=language), large=large)
            written.clear()
            renderer(slug).paint(view, found)
            told = " ".join(written)
            for said, players in Counter(found.count(unit, standing) for standing in getattr(view, part)).items():
                assert len(re.findall(rf"(?<![\d−]){said}\b", told)) >= players, (language, viewer, large, told)
