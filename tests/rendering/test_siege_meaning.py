"""What a picture of Siege of Sunfall says is so: mistakes that pictures have made, each held by a test."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.messages.content import prompt_rows
from cogs.messages.narration import MOST_TAUGHT
from data.content.texts import languages
from rendering import renderer
from rendering.core import chrome, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.sprites import Sprite
from rendering.siege_of_sunfall import own, scene
from rendering.siege_of_sunfall import picture as siege
from rendering.siege_of_sunfall import pieces as siege_pieces
from rules import GAMES
from rules.core.game import Seat
from rules.siege_of_sunfall.events import CardFaced, PledgesRevealed
from rules.siege_of_sunfall.types import Card, Kind, Phase, Pledge, Reveal
from tests.goldens.case import NAMES
from tests.goldens.case import labels as people
from tests.goldens.views_siege_of_sunfall import VIEWS as SIEGE
from tests.rendering.play import labels


def test_a_decision_names_who_decides_what(written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_4_award"], people("siege_of_sunfall", 4))
    assert {"Highest: Ann and Børge", "Ann decides who gets it"} <= set(written)


def test_a_pledge_of_up_to_15_coins_has_buttons_and_says_that_boosts_come_next() -> None:
    """A round's 12 coins and a gold card make 15."""
    view, coins = SIEGE["own_asked"], [Pledge(Seat(0), coins) for coins in range(16)]
    boosts = [Pledge(Seat(0), coins, 1) for coins in range(16)]
    for moves, boosted in ((coins, False), ([*coins, *boosts], True)):
        prompt = renderer("siege_of_sunfall").question(view, moves, (), people("siege_of_sunfall", 4))
        assert ("Boosts come next." in prompt.question) == boosted
        rows = prompt_rows(prompt, 1, "1", "?")
        assert [len(row) for row in rows if isinstance(row, tuple)] == [4, 4, 4, 4]


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


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_raised_fist_leaves_the_standard_free(seats: int) -> None:
    """Also if a prize makes the other guards turn to it."""
    slug, card = "siege_of_sunfall", Card(Kind.BOOST, 0)
    state = GAMES[slug].new(seats, {}, "fist")
    for seat in range(seats - 1):
        state, _ = state.apply(state.legal_moves(Seat(seat))[0])
    view, found = state.view(None)._replace(card=card), people(slug, seats)
    page, (*_, wide) = renderer(slug).paint(view, found), siege.suited(siege.TABLE, view, found).card
    banner = siege_pieces.sprite_of("banner_boost", wide)
    standard = next(stroke.shown for stroke in page.strokes if stroke.what == banner)
    seals = {siege_pieces.sprite_of("seal", width) for width in range(40, 120)}
    fists = [page.strokes[at - 2].shown for at, stroke in enumerate(page.strokes) if stroke.what in seals]
    assert len(fists) == seats - 1
    right = standard.left + (standard.right - standard.left) * 0.72  # the sign ends there, and at the foot
    foot = standard.top + (standard.bottom - standard.top) * 0.8
    assert all(fist.left >= right or fist.top >= foot for fist in fists), (standard, fists)


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
    assert ("Helmets: Fallen!" in written) == past


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
     ("own_sealed", "Your choice is in. You may change it."), ("table_4_award", "Ann decides who gets it")],
)  # fmt: skip
def test_the_title_of_a_siege_says_for_whom_it_waits_or_what_may_change(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[tuple[str, int]] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, line: str, size: int, *how: Any, **more: Any) -> int:
        if y == chrome.HEADER_LINE:
            titles.append((line, size))
        return text(page, x, y, line, size, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    view = SIEGE[name]
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", view.seats))
    title, size = next((line, size) for line, size in titles if line == said)
    assert size > theme.SMALL, title


@pytest.mark.parametrize(
    ("name", "said"), [("table_6", "pledged 11, needed 6"), ("table_4_award", "pledged 8 in all"),
                       ("table_4_award", "for the highest pledge"), ("table_6", "21 armies"), ("table_6", "23"),
                       ("own_asked", "0 armies"), ("own_asked", "out"),
                       ("own_sealed", "You keep 6 of 10"), ("own_asked", "Make your pledge: up to 11"),
                       ("table_6", "last 2+2"), ("own_asked", "last 3")],
)  # fmt: skip
def test_a_siege_says_what_its_numbers_are(name: str, said: str, written: list[str]) -> None:
    view, names = SIEGE[name], people("siege_of_sunfall", SIEGE[name].seats)
    renderer("siege_of_sunfall").paint(view, names)
    renderer("siege_of_sunfall").paint_last(view, names)
    assert any(line.endswith(said) for line in written)


def test_a_new_round_of_a_siege_says_so_and_tells_of_no_card_before(written: list[str]) -> None:
    """Not which player was out in the round before: all are back."""
    view = SIEGE["table_4_lost"]._replace(round=2, card_number=1, alive=(True,) * 4, king=Seat(3))
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", 4))
    assert {"Round 1 is over", "Дмитрий is King"} <= set(written)
    assert not any(line.startswith(("Out:", "last ")) or "Fallen!" in line for line in written)
    view = view._replace(round=2, phase=Phase.GOLD, card=None, card_number=0)
    written.clear()
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", 4))
    assert "Round 1 is over" in written and not any("Fallen!" in line for line in written)


@pytest.mark.parametrize("bows", [0, 1])
def test_a_siege_tells_that_a_set_was_turned_in(bows: int, written: list[str]) -> None:
    """If the taker has no card of that kind any more."""
    view = SIEGE["table_6"]
    held = (*view.held[:5], view.held[5]._replace(bow=bows))
    renderer("siege_of_sunfall").paint(view._replace(held=held), people("siege_of_sunfall", 6))
    assert any("turns in three Bows" in line for line in written) == (bows == 0)


@pytest.mark.parametrize("language", languages())
def test_a_siege_says_which_round_it_is(language: str, written: list[str]) -> None:
    for name, view in SIEGE.items():
        names = labels("siege_of_sunfall", view.seats, NAMES, language)
        written.clear()
        renderer("siege_of_sunfall").paint(view, names)
        said = names.say("picture.round", round=view.round, rounds=view.rounds)
        assert view.outcome or any(said in line for line in written), name


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


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_what_a_crown_would_bring_reads_as_no_news(viewer: Seat | None, written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_4_lost"]._replace(viewer=viewer), people("siege_of_sunfall", 4))
    assert "The taker becomes King and decides ties" in written


def test_of_no_coins_none_are_kept(written: list[str]) -> None:
    view = SIEGE["own_sealed"]
    assert view.viewer is not None
    coins = tuple(0 if seat == view.viewer else have for seat, have in enumerate(view.coins))
    renderer("siege_of_sunfall").paint(view._replace(coins=coins, own_seal=(0, 0)), people("siege_of_sunfall", 6))
    assert not any("0 of 0" in line for line in written)
    assert any("0 coins" in line for line in written)


def test_what_the_last_card_came_to_stands_beside_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named, not at the foot, as if it belonged to the card that lies there."""
    lines: dict[str, float] = {}
    text = Page.text

    def noted(page: Page, x: float, y: float, line: str, *how: Any, **more: Any) -> int:
        lines[line] = y
        return text(page, x, y, line, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    renderer("siege_of_sunfall").paint(SIEGE["table_6"], people("siege_of_sunfall", 6))
    assert lines["11 of 6"] == lines["Bows: Repelled!"]
    lines.clear()
    renderer("siege_of_sunfall").paint(SIEGE["own_asked"], people("siege_of_sunfall", 4))
    assert "Round 1 of 5 · Helmets: 6 of 9" in lines or lines["6 of 9"] == lines["Helmets: Fallen!"]


@pytest.mark.parametrize("name", ["table_4_lost", "own_asked", "own_choosing"])
def test_names_have_the_room_that_is_left(name: str, written: list[str]) -> None:
    view = SIEGE[name.replace("choosing", "asked")]
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", 4), ("3",) if "choosing" in name else ())
    assert "Maximilian" in written


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("layout", [siege.TABLE, own.USUAL, *own.LARGE])
def test_no_player_stands_before_a_prize(seats: int, layout: siege.Layout) -> None:
    columns = scene.columns_of(range(seats), layout.walls, layout.grow)
    x = scene.prize_at(columns)
    assert layout.beside < x < WIDTH
    assert all(
        abs(x - column.x) >= column.width // 2 - 1 for column in columns.values() if column.wall == layout.walls[0]
    )


def test_a_hand_without_coins_says_no_number(written: list[str]) -> None:
    view = SIEGE["own_asked"]
    poor = view._replace(coins=(0,) * 4, held=(view.held[0]._replace(boost=0),) * 4)
    renderer("siege_of_sunfall").paint(poor, people("siege_of_sunfall", 4))
    assert "Pledge 0: nothing is left" in written


@pytest.mark.parametrize(
    ("coins", "boosts", "said"),
    [((4, 4, 4), 0, "12 coins in all"), ((1, 0, 0), 0, "1 coin in all: too few"),
     ((1, 0, 0), 4, "1 coin in all: too few"), ((1, 0, 0), 5, "1 coin in all")],
)  # fmt: skip
def test_what_all_hold_is_too_few_if_boosts_do_not_help(
    coins: tuple[int, ...], boosts: int, said: str, written: list[str]
) -> None:
    view = SIEGE["table_3_first"]
    held = (view.held[0]._replace(boost=0), view.held[1]._replace(boost=0), view.held[2]._replace(boost=boosts))
    card = Card(Kind.SWORDS, 11)
    renderer("siege_of_sunfall").paint(view._replace(card=card, coins=coins, held=held), people("siege_of_sunfall", 3))
    assert said in written and "11 needed together" in written


@pytest.mark.parametrize(
    ("what", "said"),
    [({"taker": Seat(5)}, "You take the card"), ({"taker": Seat(5), "card": Card(Kind.CROWN)}, "You are King"),
     ({"taker": None, "repelled": False, "eliminated": (Seat(0), Seat(5))}, "Out: Ann and You")],
)  # fmt: skip
def test_what_a_player_did_is_said_to_that_player(what: dict[str, Any], said: str, written: list[str]) -> None:
    view = SIEGE["table_6"]
    assert view.open_reveal is None and view.last_reveal is not None
    held = (*view.held[:5], view.held[5]._replace(bow=1))
    view = view._replace(last_reveal=view.last_reveal._replace(**what), held=held)
    renderer("siege_of_sunfall").paint(view, people("siege_of_sunfall", 6))
    assert said not in written
    renderer("siege_of_sunfall").paint(view._replace(viewer=Seat(5)), people("siege_of_sunfall", 6))
    assert said in written


@pytest.mark.parametrize("language", languages())
def test_a_hand_says_how_an_attack_ended_in_one_short_sentence(language: str) -> None:
    """Above its picture, which shows each pledge: so names of any length leave room for it."""
    drawn, said = renderer("siege_of_sunfall"), labels("siege_of_sunfall", 6, language)
    for repelled in (True, False):
        reveal = Reveal(Card(Kind.SWORDS, 7), (2,) * 6, (0,) * 6, 12, repelled, (), (), None, None)
        told = drawn.narrate_briefly(PledgesRevealed(reveal), said)
        assert "**12**" in told and "7" in told and "\n" not in told and len(told) < MOST_TAUGHT - 20
        assert told != drawn.narrate_briefly(PledgesRevealed(reveal._replace(repelled=not repelled)), said)
    assert CardFaced in drawn.DRAWN, "the next card, which is in the picture, does not take its place"


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_smoke_of_a_gap_leaves_the_words_free(seats: int) -> None:
    """Also if the wall stands higher because armies have a line of their own."""
    slug, found = "siege_of_sunfall", labels("siege_of_sunfall", seats, language="es")
    view = GAMES[slug].new(seats, {}, "smoke").view(Seat(0))._replace(alive=(True, *[False] * (seats - 1)))
    widths = {siege_pieces.sprite_of("gap", width) for width in range(80, 300)}
    gaps = [stroke for stroke in renderer(slug).paint(view, found).strokes if stroke.what in widths]
    assert len(gaps) == seats - 1
    assert all(gap.top >= own.USUAL.need + siege.BELOW + theme.SMALL // 2 for gap in gaps)
