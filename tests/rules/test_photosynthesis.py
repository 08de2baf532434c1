"""Photosynthesis, by rulings: board, set-up, light, rounds and turns (P1 to P4), and the rules page's tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rules.core.game import Refusal, Seat
from rules.photosynthesis import GAME
from rules.photosynthesis.types import (
    BOARD,
    HEXES,
    KINDS,
    LEAVES,
    PRICES,
    Bought,
    FirstPlayerPassed,
    LightCollected,
    MatchWon,
    Piece,
    Placed,
    Sunlight,
    SunMoved,
    TurnEnded,
    Unable,
)
from tests.rules import naive_photosynthesis as naive
from tests.rules.playing import only
from tests.rules.playing_photosynthesis import (
    ALL,
    BEHIND_THE_CENTRE,
    COLUMNS,
    HAND,
    NEIGHBOURS,
    PILES,
    hands,
    legal,
    play,
    position,
    refused,
    two_players,
)


def collected(forest: str, sun: int, seats: int = 2, **fields: Any) -> LightCollected:
    """The light collected at that position of the sun: the round before it ends with the last seat's `end`."""
    before = position(forest, seats, round=sun or 6, mover=seats - 1, **{"light": [0] * seats} | fields)
    after, events = play(before, "end")
    assert after.view(None).sun == sun
    return only(events, LightCollected)


# --- the board


def test_board_is_that_of_the_rules_page() -> None:
    assert len(HEXES) == 37
    assert BOARD.axial == {name: cube[:2] for name, cube in naive.HEXES.items()}
    corners = {"A1": (0, -3), "A4": (3, -3), "D1": (-3, 0), "D4": (0, 0), "D7": (3, 0), "G1": (-3, 3), "G4": (0, 3)}
    assert {name: BOARD.axial[name] for name in corners} == corners


def test_soil_by_hand() -> None:
    rows = ("1111", "12221", "123321", "1234321", "123321", "12221", "1111")
    assert "".join(str(LEAVES[name]) for name in HEXES) == "".join(rows)
    assert Counter(LEAVES.values()) == {4: 1, 3: 6, 2: 12, 1: 18}


@pytest.mark.parametrize(("origin", "neighbours"), NEIGHBOURS.items())
def test_a_small_tree_plants_on_its_neighbours(origin: str, neighbours: str) -> None:
    assert sorted(legal(position(f"{origin}=O1"), f"plant {origin}")) == neighbours.split()


@pytest.mark.parametrize("sun", range(6))
def test_the_light_travels_clockwise_round_the_board(sun: int) -> None:
    """Blue's small trees stand alone behind orange's large one, in turn."""
    behind = BEHIND_THE_CENTRE[sun].split()
    for name in set(HEXES) - {"D4"}:
        gained = collected(f"D4=O3 {name}=B1", sun).sunlight.gained
        assert gained == (3, 0 if name in behind else 1), name


# --- the set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup_counts(seats: int) -> None:
    view = GAME.new(seats, {}, "s").view(None)
    assert view.hands == (HAND,) * seats
    assert view.player_boards == (COLUMNS,) * seats
    assert tuple(map(sum, zip(HAND, COLUMNS, strict=True))) == ALL
    assert view.discarded == ((0, 0, 0, 0),) * seats
    assert view.light == view.scores == view.on_board == (0,) * seats
    assert view.board == (None,) * 37
    assert (view.round, view.rounds, view.sun, view.first, view.to_move) == (0, 18, 0, 0, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup_piles(seats: int) -> None:
    piles = GAME.new(seats, {}, "s").view(None).piles
    assert [list(pile) for pile in piles] == [PILES[1], PILES[2], PILES[3], PILES[4] if seats > 2 else []]
    assert sum(map(len, piles)) == (24 if seats > 2 else 21)


def test_seats_are_two_to_four() -> None:
    assert GAME.seats == (2, 3, 4)


def test_prices_are_those_of_the_table() -> None:
    assert dict(zip(KINDS, map(list, PRICES), strict=True)) == naive.PRICES
    assert tuple(map(len, PRICES)) == COLUMNS


@pytest.mark.parametrize(
    ("kind", "prices"), [("seed", [1, 1, 2, 2]), ("small", [2, 2, 3, 3]), ("medium", [3, 3, 4]), ("large", [4, 5])]
)
def test_a_column_is_bought_from_the_bottom_up(kind: str, prices: list[int]) -> None:
    state, place = position(), KINDS.index(kind)
    for bought, cost in enumerate(prices):
        view = state.view(None)
        assert view.prices[0][place] == cost
        assert view.player_boards[0][place] == len(prices) - bought
        state, events = play(state, f"buy {kind}")
        assert events == [Bought(Seat(0), kind, cost)]
        assert state.view(None).light == (view.light[0] - cost, 20)
        assert state.view(None).hands[0][place] == HAND[place] + bought + 1
    assert state.view(None).prices[0][place] is None
    refused(state, f"buy {kind}", Unable.SOLD_OUT, kind=kind)
    assert state.view(None).prices[1][place] == prices[0], "the others' columns are their own"


# --- shadow and light


@pytest.mark.parametrize(
    ("forest", "gained"),
    [
        ("", (0, 0)),
        ("D1=O1 G4=B2 A2=O3", (4, 2)),
        ("D1=O0 D2=B0 G1=B0", (0, 0)),  # seeds pay nothing
        ("D1=O0 D2=B1", (0, 1)),  # and cast no shadow
        ("D1=O1 D2=B1", (1, 0)),  # equal height is shadowed
        ("D1=O2 D2=B2", (2, 0)),
        ("D1=O3 D2=B3", (3, 0)),
        ("D1=O1 D2=B2", (1, 2)),  # a taller one is not
        ("D1=O2 D2=B3", (2, 3)),
        ("D1=O1 D3=B1", (1, 1)),  # small reaches 1,
        ("D1=O2 D3=B1", (2, 0)),  # medium 2
        ("D1=O2 D4=B1", (2, 1)),
        ("D1=O3 D4=B1", (3, 0)),  # and large 3
        ("D1=O3 D5=B1", (3, 1)),
        ("D1=O3 D4=B3", (3, 0)),  # equal and at its very end
        ("D1=O3 D5=B3", (3, 3)),
        ("D1=O1 D4=B3", (1, 3)),  # the reach is the other tree's, not one's own
        ("D2=O3 D1=B1", (3, 1)),  # nothing is shadowed towards the sun
        ("D1=O3 C2=B1 E2=B1 C1=B1", (3, 2)),  # nor beside it: C2 stands behind C1
        ("D6=O3 D7=B2", (3, 0)),  # at the edge
        ("D7=O3 D1=B2", (3, 2)),  # the shadow does not go round the board
        ("A3=O3 A4=B1 B1=B1", (3, 1)),
        ("D1=O1 D2=O1", (1, 0)),  # one's own shadow
        ("D1=O3 D2=O1 D3=O2 D4=O3", (3, 0)),
        # Whatever stands between makes no difference: a lower tree,
        ("D1=O3 D2=B1 D4=B3", (3, 0)),
        ("D1=O3 D2=B1 D3=B2", (3, 0)),
        # a seed,
        ("D1=O2 D2=B0 D3=B2", (2, 0)),
        # one that is itself the taller: D2 stands out of D1's shadow, D3 in both,
        ("D1=O1 D2=B3 D3=O1", (1, 3)),
        # a nearer one out of reach or too low: only D1 shadows D4.
        ("D1=O3 D2=B1 D3=B1 D4=B2", (3, 0)),
        ("D1=O3 D3=B1 D5=B1", (3, 1)),
        # Shadowed trees cast shadow: D5 is out of D1's reach and in the shadowed D3's.
        ("D1=O3 D3=B2 D5=B2", (3, 0)),
        ("D1=O3 D3=O2 D5=B2", (3, 0)),
        ("D1=O1 D2=B1 D3=O1 D4=B1 D5=O1 D6=B1 D7=O1", (1, 0)),
    ],
)
def test_light_from_the_west(forest: str, gained: tuple[int, int]) -> None:
    told = collected(forest, sun=0)
    assert told.sunlight.gained == told.light == gained
    assert sum(light for _, light in told.sunlight.earned) == sum(gained)


def test_a_forest_by_hand_under_all_six_suns() -> None:
    """Orange: D4 large, B5 small. Blue: E4 medium, C4 large. Green: F4 small. All lit: 4, 5, 1.

    Two lines have more than one tree: D4, E4, F4 to the SE, and D4, C4 to the NE; B5 is in neither, nor in C4's.
    SE: E4 and F4 are in D4's shadow. SW: D4 is in C4's, as tall. NE: C4 is in D4's. NW: E4 is taller than F4, and D4
    than both. E and W: no player.
    """
    forest = "D4=O3 B5=O1 E4=B2 C4=B3 F4=G1"
    expected = [(4, 5, 1), (4, 3, 0), (1, 5, 1), (4, 5, 1), (4, 5, 1), (4, 2, 1)]
    assert [collected(forest, sun, 3).sunlight.gained for sun in range(6)] == expected


def test_light_is_capped_at_20() -> None:
    told = collected("A1=O3 B1=O3 C1=B2 D1=B1", sun=0, light=[18, 17])
    assert told.light == (20, 20)
    assert told.sunlight == Sunlight(
        round=7, sun=0, earned=(("A1", 3), ("B1", 3), ("C1", 2), ("D1", 1)), gained=(6, 3), lost=(4, 0)
    )


def test_the_view_shows_the_shadow_now_and_next() -> None:
    """Sun 0: D4's large tree throws 3 on D5, D6, D7; D6's medium one 2 on D7, where 3 is more; A1 1 on A2.
    Next, SE: D4 on E4, F4, G4; D6 (2, 0) on E6 (2, 1), and is at the edge there; A1 (0, -3) on B2 (0, -2)."""
    view = position("D4=O3 D6=B2 A1=B1 F3=O0", light=[0, 0]).view(None)
    now = {"D5": 3, "D6": 3, "D7": 3, "A2": 1}
    soon = {"E4": 3, "F4": 3, "G4": 3, "E6": 2, "B2": 1}
    assert {name: dark for name, dark in zip(HEXES, view.shadow, strict=True) if dark} == now
    assert {name: dark for name, dark in zip(HEXES, view.next_shadow, strict=True) if dark} == soon
    assert (view.sun, view.next_sun, view.forecast) == (0, 1, (3, 3))
    assert view.at("D4") == Piece(Seat(0), 3)
    assert view.at("D5") is None


def test_the_forecast_is_what_is_collected() -> None:
    forest = "D4=O3 B5=O1 E4=B2 C4=B3 F4=G1"
    for sun in range(6):
        before = position(forest, 3, round=sun or 6, mover=2)
        assert before.view(None).forecast == collected(forest, sun, 3).sunlight.gained
    last = position(forest, 3, round=18).view(None)
    assert (last.next_sun, last.next_shadow, last.forecast) == (None, (), ())


# --- P1, P2


def test_P1_seat_0_is_the_first_player() -> None:
    for seats in GAME.seats:
        state = GAME.new(seats, {}, "any")
        assert state.to_move() == {0}
        assert state.view(None).first == 0
        assert state.opening() == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_P2_each_places_one_small_tree_then_a_second(seats: int) -> None:
    state = GAME.new(seats, {}, "s")
    border = [name for name in HEXES if LEAVES[name] == 1]
    placed: list[str] = []
    for n in range(2 * seats):
        assert state.to_move() == {n % seats}
        assert legal(state, "place") == [name for name in border if name not in placed]
        assert len(legal(state)) == 18 - n, "nothing but placing, on any empty hex of the border"
        placed.append(border[5 * n % 18])
        state, events = play(state, f"place {placed[-1]}")
        assert events[0] == Placed(Seat(n % seats), placed[-1])
        assert len(events) == 1 + (n == 2 * seats - 1)
        assert not any(state.may_take_back(Seat(seat)) for seat in range(seats))
    view = state.view(None)
    assert view.hands == ((2, 2, 1, 0),) * seats
    assert view.player_boards == (COLUMNS,) * seats
    assert (view.round, view.sun, view.first, view.to_move) == (1, 0, 0, 0), "setup does not move the token"


def test_P2_the_last_placement_starts_round_1_with_the_light() -> None:
    """From the west, A1 shadows A2; D1 and D7 are far apart."""
    state, events = play(GAME.new(2, {}, "s"), "place A1", "place A2", "place D1")
    assert state.view(None).sunlight is None
    state, events = play(state, "place D7")
    sunlight = Sunlight(1, 0, (("A1", 1), ("D1", 1), ("D7", 1)), (2, 1), (0, 0))
    assert events == [Placed(Seat(1), "D7"), LightCollected(sunlight, (2, 1))]
    assert state.view(None).light == (2, 1)
    assert state.view(None).sunlight == sunlight


@pytest.mark.parametrize("text", ["end", "buy seed", "plant A1 A2", "grow A1", "collect A1"])
def test_P2_nothing_but_placing_before_round_1(text: str) -> None:
    refused(GAME.new(2, {}, "s"), text, Unable.PLACE_FIRST)
    refused(play(GAME.new(2, {}, "s"), "place A1", "place G1")[0], text, Unable.PLACE_FIRST)


def test_P2_the_first_trees_stand_on_empty_1_leaf_soil() -> None:
    state, _ = play(GAME.new(3, {}, "s"), "place A1")
    refused(state, "place A1", Unable.OCCUPIED, hex="A1", kind="small")
    refused(state, "place B2", Unable.NOT_BORDER, hex="B2", leaves=2)
    refused(state, "place C3", Unable.NOT_BORDER, hex="C3", leaves=3)
    refused(state, "place D4", Unable.NOT_BORDER, hex="D4", leaves=4)
    refused(state, "place A2", Refusal.OUT_OF_TURN, seat=0)


def test_P2_no_placing_after_setup() -> None:
    refused(two_players(), "place A2", Refusal.NOT_NOW)
    refused(two_players(), "place A1", Refusal.NOT_NOW)


# --- P3, P4


def test_P3_light_is_collected_before_the_first_players_turn() -> None:
    """A1, D7, G1 and G4 stand alone on their lines to the SE too."""
    state, events = play(two_players(), "end")
    assert events == [TurnEnded(Seat(0))]
    state, events = play(state, "end")
    sunlight = Sunlight(2, 1, (("A1", 1), ("D7", 1), ("G1", 1), ("G4", 1)), (2, 2), (0, 0))
    assert events == [
        TurnEnded(Seat(1)),
        FirstPlayerPassed(Seat(1)),
        SunMoved(2, 1),
        LightCollected(sunlight, (4, 4)),
    ]
    assert state.view(None).light == (4, 4)


def test_P3_nothing_is_collected_after_the_last_round() -> None:
    state = position("D1=O3 G4=B1", round=18, mover=1, light=[3, 3])
    state, events = play(state, "end")
    assert [type(event) for event in events] == [TurnEnded, MatchWon]
    view = state.view(None)
    assert (view.round, view.sun, view.light, view.to_move) == (18, 5, (3, 3), None)
    assert state.to_move() == set()
    assert state.legal_moves(Seat(0)) == state.legal_moves(Seat(1)) == ()
    for text in ("end", "buy seed", "place A2"):
        refused(state, text, Refusal.GAME_OVER)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("revolutions", [3, 4])
def test_P3_P11_a_match_has_six_rounds_a_revolution(seats: int, revolutions: int) -> None:
    state = GAME.new(seats, {"revolutions": revolutions}, "s")
    border = [name for name in HEXES if LEAVES[name] == 1]
    state, _ = play(state, *(f"place {name}" for name in border[: 2 * seats]))
    assert state.view(None).rounds == 6 * revolutions
    suns, ends = [0], 0
    while state.outcome() is None:
        assert state.view(None).next_sun == (None if state.view(None).round == 6 * revolutions else len(suns) % 6)
        state, events = play(state, *["end"] * seats)
        ends += seats
        suns += [event.sun for event in events if isinstance(event, SunMoved)]
    assert suns == [0, 1, 2, 3, 4, 5] * revolutions
    assert ends == 6 * revolutions * seats
    assert state.view(None).round == 6 * revolutions


def test_P4_a_turn_is_any_number_of_actions_then_end() -> None:
    """Every action is the player's to take back, up to the first; `end` until another player has acted."""
    state = position("D4=O3 A1=O1 A4=O2 G1=O3 G4=B1", hands=hands(3, 3, 3, 3))
    actions = ["buy seed", "plant D4 D1", "grow A1", "buy large", "plant A4 C4", "collect G1"]
    assert not state.may_take_back(Seat(0))
    for n, action in enumerate(actions):
        assert state.to_move() == {0}
        state, _ = play(state, action)
        assert state.view(None).turn == tuple(actions[: n + 1])
        assert state.may_take_back(Seat(0))
        assert not state.may_take_back(Seat(1))
    state, _ = play(state, "end")
    assert state.to_move() == {1}
    assert state.may_take_back(Seat(0))
    assert not state.may_take_back(Seat(1))
    assert not play(state, "end")[0].may_take_back(Seat(0))
    assert state.view(None).turn == ()
    assert state.view(None).last_turn == (0, (*actions, "end"))


def test_P4_all_is_open() -> None:
    """Nothing in a turn is hidden or random: everyone sees the same, and the seed makes no difference."""
    state, events = play(position("D4=O3 G4=B1"), "buy seed", "plant D4 D1", "end")
    views = [state.view(viewer)._replace(viewer=None) for viewer in (None, Seat(0), Seat(1))]
    assert views[0] == views[1] == views[2]
    assert all(event.seen_by(viewer) == event for event in events for viewer in (None, Seat(0), Seat(1)))
    assert state.redeal_unseen(Seat(0), "x").view(Seat(0)) == state.view(Seat(0))
