"""Photosynthesis, ruling by ruling (P1 to P12), the rules page's tables, and a second version that must agree.

A forest is written hex by hex, "D4=O3 A1=B0": orange's large tree on D4, blue's seed on A1.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from rules.core.game import AnyState, BadOption, Event, IllegalMove, Json, Refusal, Seat
from rules.photosynthesis import (
    BOARD,
    GAME,
    HEXES,
    KINDS,
    LEAVES,
    PRICES,
    Bought,
    Collected,
    Final,
    FirstPlayerPassed,
    Grown,
    LightCollected,
    MatchWon,
    Piece,
    Placed,
    Planted,
    Sunlight,
    SunMoved,
    Token,
    TurnEnded,
    Unable,
    lit_trees,
)
from rules.photosynthesis.planning import turns_of
from tests.rules import naive_photosynthesis as naive
from tests.rules.playing import verbs

COLOURS = "OBGY"
PILES = {
    1: [14, 14, 13, 13, 13, 12, 12, 12, 12],
    2: [17, 16, 16, 14, 14, 13, 13],
    3: [19, 18, 18, 17, 17],
    4: [22, 21, 20],
}
"""The rules page's table of scoring tokens, top first."""

ALL = (6, 8, 4, 2)
"""A player's pieces: seeds, small, medium and large trees."""

HAND, COLUMNS = (2, 4, 1, 0), (4, 4, 3, 2)
"""Where they are at the start."""

NEIGHBOURS = {
    "A1": "A2 B1 B2",
    "A3": "A2 A4 B3 B4",
    "A4": "A3 B4 B5",
    "B1": "A1 B2 C1 C2",
    "B3": "A2 A3 B2 B4 C3 C4",
    "C1": "B1 C2 D1 D2",
    "C5": "B4 B5 C4 C6 D5 D6",
    "D1": "C1 D2 E1",
    "D4": "C3 C4 D3 D5 E3 E4",
    "D7": "C6 D6 E6",
    "E1": "D1 D2 E2 F1",
    "E4": "D4 D5 E3 E5 F3 F4",
    "F5": "E5 E6 F4 G4",
    "G1": "F1 F2 G2",
    "G4": "F4 F5 G3",
}

BEHIND_THE_CENTRE = ("D5 D6 D7", "E4 F4 G4", "E3 F2 G1", "D3 D2 D1", "C3 B2 A1", "C4 B4 A4")
"""The three hexes behind D4 by the sun's position: the light travels E, SE, SW, W, NW, NE."""

# --- positions and play


def forest_json(forest: str) -> dict[str, list[int]]:
    named = (piece.split("=") for piece in forest.split())
    return {hex_: [COLOURS.index(what[0]), int(what[1])] for hex_, what in named}


def position(forest: str = "", seats: int = 2, **fields: Any) -> AnyState:
    """A position, by default in round 1 with seat 0 to move, 20 light and the first pieces in each hand.

    `sun` sets the round of the first revolution in which it stands there; `shade` and `revolutions` are the options;
    the other fields are those of the state's JSON.
    """
    data = GAME.new(
        seats, {name: fields.pop(name) for name in ("shade", "revolutions") if name in fields}, "s"
    ).to_json()
    data |= {"round": fields.pop("sun", 0) + 1, "ply": 2 * seats, "light": [20] * seats, "board": forest_json(forest)}
    assert set(fields) <= set(data)
    return GAME.from_json(json.loads(json.dumps(data | fields)))


def hands(*mine: int, seats: int = 2) -> list[list[int]]:
    """Seat 0 holds these pieces, the others none."""
    return [list(mine)] + [[0] * 4 for _ in range(seats - 1)]


def play(state: AnyState, *texts: str) -> tuple[AnyState, list[Event]]:
    """The moves one after the other, each by the player to move, and the events of all."""
    events: list[Event] = []
    for text in texts:
        (seat,) = state.to_move()
        state, new = state.apply(GAME.parse(seat, text))
        events += new
    return state, events


def collected(forest: str, sun: int, seats: int = 2, **fields: Any) -> LightCollected:
    """The light collected at that position of the sun: the round before it ends with the last seat's `end`."""
    before = position(forest, seats, round=sun or 6, mover=seats - 1, **{"light": [0] * seats} | fields)
    after, events = play(before, "end")
    assert after.view(None).sun == sun
    return only(events, LightCollected)


def only(events: Iterable[Event], kind: type[Any]) -> Any:
    """The one event of its kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def legal(state: AnyState, verb: str = "", seat: int | None = None) -> list[str]:
    """The legal moves' notation, by default of the player to move; with a verb, what follows it."""
    (mover,) = state.to_move()
    texts = [str(move) for move in state.legal_moves(mover if seat is None else Seat(seat))]
    return [text.removeprefix(f"{verb} ") for text in texts if text.startswith(verb)]


def refused(state: AnyState, text: str, reason: Any, seat: int | None = None, **facts: object) -> None:
    """The move is not legal, is refused for that reason and with these facts, and changes nothing."""
    mover = min(state.to_move(), default=Seat(0)) if seat is None else Seat(seat)
    before = json.dumps(state.to_json())
    with pytest.raises(IllegalMove) as caught:
        state.apply(GAME.parse(mover, text))
    assert caught.value.reason is reason
    assert caught.value.facts == facts
    assert text not in map(str, state.legal_moves(mover))
    assert json.dumps(state.to_json()) == before
    assert state == GAME.from_json(json.loads(before))


def two_players() -> AnyState:
    """Round 1 of a match of two with the trees on A1 and D7 (orange), G1 and G4 (blue), all of them in the sun."""
    return play(GAME.new(2, {}, "s"), "place A1", "place G1", "place D7", "place G4")[0]


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
    for seats in (0, 1, 5):
        with pytest.raises(BadOption):
            GAME.new(seats, {}, "s")


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


def test_the_others_wait() -> None:
    state = position("D4=O3 G4=B1", 3)
    assert state.legal_moves(Seat(1)) == state.legal_moves(Seat(2)) == state.legal_moves(Seat(3)) == ()
    for text in ("end", "buy seed", "grow G4", "plant G4 G3"):
        refused(state, text, Refusal.OUT_OF_TURN, seat=1)


# --- P5


def test_P5_a_grown_tree_is_no_origin_this_turn() -> None:
    state, _ = play(position("A1=O1"), "grow A1")
    assert state.view(None).activated == ("A1",)
    assert legal(state, "plant") == []
    refused(state, "plant A1 A2", Unable.ACTIVATED, hex="A1")


def test_P5_no_tree_grows_twice_in_a_turn() -> None:
    state, _ = play(position("A1=O0", hands=hands(1, 1, 1, 1)), "grow A1")
    refused(state, "grow A1", Unable.ACTIVATED, hex="A1")
    state, _ = play(position("A1=O2", hands=hands(1, 1, 1, 1)), "grow A1")
    refused(state, "collect A1", Unable.ACTIVATED, hex="A1")


def test_P5_planting_activates_origin_and_target() -> None:
    state, _ = play(position("A1=O3", hands=hands(2, 1, 1, 1)), "plant A1 A2")
    assert state.view(None).activated == ("A1", "A2")
    refused(state, "plant A1 B1", Unable.ACTIVATED, hex="A1")
    refused(state, "collect A1", Unable.ACTIVATED, hex="A1")
    refused(state, "grow A2", Unable.ACTIVATED, hex="A2")
    state, _ = play(position("A1=O2", hands=hands(2, 1, 1, 1)), "plant A1 A2")
    refused(state, "grow A1", Unable.ACTIVATED, hex="A1")


def test_P5_a_collector_cannot_plant_on_that_hex() -> None:
    state, _ = play(position("A1=O3 A2=O1"), "collect A1")
    assert sorted(legal(state, "plant")) == ["A2 A3", "A2 B2", "A2 B3"]
    for text in ("plant A2 A1", "plant A1 B1", "grow A1", "collect A1"):
        refused(state, text, Unable.ACTIVATED, hex="A1")


def test_P5_activation_ends_with_the_turn() -> None:
    state, _ = play(position("A1=O1 G4=B1", round=1), "grow A1", "end", "end", "end")
    assert state.view(None).activated == ()
    assert state.to_move() == {0}
    assert "plant A1 A3" in legal(state)


def test_P5_activation_never_binds_another_player() -> None:
    state, _ = play(position("A1=O3 A2=B1"), "collect A1", "end")
    assert "plant A2 A1" in legal(state)
    state, events = play(state, "plant A2 A1")
    assert events == [Planted(Seat(1), "A2", "A1")]


def test_P5_a_bought_piece_may_be_used_in_the_same_turn() -> None:
    state = position("A1=O1", hands=hands(0, 0, 0, 0))
    refused(state, "plant A1 A2", Unable.NOT_IN_HAND, kind="seed")
    refused(state, "grow A1", Unable.NOT_IN_HAND, kind="medium")
    state, _ = play(state, "buy medium", "buy seed")
    assert state.view(None).activated == ()
    assert {"grow A1", "plant A1 A2"} <= set(legal(state))
    state, _ = play(state, "grow A1")
    assert state.view(None).light[0] == 20 - 3 - 1 - 2


# --- P6


def test_P6_planting_takes_a_seed_and_one_light() -> None:
    state, events = play(position("D4=O1", light=[1, 0]), "plant D4 D5")
    assert events == [Planted(Seat(0), "D4", "D5")]
    view = state.view(None)
    assert view.at("D5") == Piece(Seat(0), 0)
    assert (view.light, view.hands[0], view.player_boards[0]) == ((0, 0), (1, 4, 1, 0), COLUMNS)


@pytest.mark.parametrize(("origin", "height", "count"), [("D4", 1, 6), ("D4", 2, 18), ("D4", 3, 36), ("A1", 3, 15)])
def test_P6_the_reach_is_the_trees_height(origin: str, height: int, count: int) -> None:
    """From a corner of the board, reach 3 covers a rhombus of 4 by 4 hexes, the corner's own among them."""
    assert len(legal(position(f"{origin}=O{height}"), "plant")) == count


def test_P6_the_way_may_bend_and_pass_over_occupied_hexes() -> None:
    """D4's six neighbours are all taken: of 36 hexes around it 30 are left, B3 on no straight line from it."""
    state = position("D4=O3 " + " ".join(f"{name}=B1" for name in NEIGHBOURS["D4"].split()))
    assert len(legal(state, "plant")) == 30
    assert "D4 B3" in legal(state, "plant")
    fenced = position("A1=O2 A2=B3 B1=B3 B2=B3")
    assert sorted(legal(fenced, "plant A1")) == ["A3", "B3", "C1", "C2", "C3"]


def test_P6_refusals() -> None:
    forest = "D4=O1 D5=B2 D1=O0 B3=B3"
    state = position(forest)
    refused(state, "plant A1 A2", Unable.NOTHING_THERE, hex="A1")
    refused(state, "plant D5 D6", Unable.NOT_YOURS, hex="D5", kind="medium")
    refused(state, "plant D1 D2", Unable.NO_TREE, hex="D1")
    refused(state, "plant D4 D5", Unable.OCCUPIED, hex="D5", kind="medium")
    refused(state, "plant D4 D4", Unable.OCCUPIED, hex="D4", kind="small")
    refused(state, "plant D4 D2", Unable.TOO_FAR, hex="D4", kind="small", target="D2", distance=2, reach=1)
    refused(state, "plant D4 A2", Unable.TOO_FAR, hex="D4", kind="small", target="A2", distance=3, reach=1)
    refused(position(forest, hands=hands(0, 1, 1, 1)), "plant D4 D3", Unable.NOT_IN_HAND, kind="seed")
    refused(position(forest, light=[0, 20]), "plant D4 D3", Unable.TOO_DEAR, price=1, light=0)
    large = position("A1=O3")
    refused(large, "plant A1 D5", Unable.TOO_FAR, hex="A1", kind="large", target="D5", distance=4, reach=3)


# --- P7


@pytest.mark.parametrize("height", [0, 1, 2])
def test_P7_growing_costs_the_new_height_and_that_piece(height: int) -> None:
    mine, columns = [1, 1, 1, 1], [3, 3, 2, 1]
    state = position(f"D4=O{height}", hands=hands(*mine), player_boards=[columns, COLUMNS], light=[height + 1, 0])
    assert legal(state, "grow") == ["D4"]
    state, events = play(state, "grow D4")
    assert events == [Grown(Seat(0), "D4", height + 1, returned=True)]
    mine[height + 1] -= 1
    columns[height] += 1
    view = state.view(None)
    assert view.at("D4") == Piece(Seat(0), height + 1)
    assert (view.light, view.hands[0], view.player_boards[0]) == ((0, 0), tuple(mine), tuple(columns))


def test_P7_what_comes_back_goes_to_the_highest_empty_space() -> None:
    """Two of four small trees are left, the next costs 3; one comes back, and then the next costs 2."""
    state = position("A1=O1", player_boards=[[4, 2, 3, 2], COLUMNS])
    assert state.view(None).prices[0] == (1, 3, 3, 4)
    state, _ = play(state, "grow A1")
    assert state.view(None).player_boards[0] == (4, 3, 3, 2)
    assert state.view(None).prices[0] == (1, 2, 3, 4)


def test_P7_what_comes_back_to_a_full_column_leaves_the_game() -> None:
    """All 6 seeds: 4 on the player board, 1 in hand, 1 on D4, which is out of the game when it grows."""
    state = position("D4=O0", hands=hands(1, 4, 1, 0))
    assert state.view(None).discarded[0] == (0, 0, 0, 0)
    state, events = play(state, "grow D4")
    assert events == [Grown(Seat(0), "D4", 1, returned=False)]
    view = state.view(None)
    assert (view.hands[0], view.player_boards[0]) == ((1, 3, 1, 0), COLUMNS)
    assert view.discarded[0][0] == 1
    assert view.prices[0][0] == 1


def test_P7_refusals() -> None:
    forest = "D4=O0 A1=O1 A2=O2 A3=O3 G4=B1"
    state = position(forest, hands=hands(1, 0, 0, 0))
    refused(state, "grow G1", Unable.NOTHING_THERE, hex="G1")
    refused(state, "grow G4", Unable.NOT_YOURS, hex="G4", kind="small")
    refused(state, "grow A3", Unable.FULL_GROWN, hex="A3")
    for name, kind in (("D4", "small"), ("A1", "medium"), ("A2", "large")):
        refused(state, f"grow {name}", Unable.NOT_IN_HAND, kind=kind)
    for name, cost in (("D4", 1), ("A1", 2), ("A2", 3)):
        poor = position(forest, hands=hands(1, 1, 1, 1), light=[cost - 1, 20])
        refused(poor, f"grow {name}", Unable.TOO_DEAR, price=cost, light=cost - 1)


def test_P7_no_size_is_skipped() -> None:
    """A seed needs a small tree: a medium one in hand is of no use to it."""
    state = position("D4=O0", hands=hands(0, 0, 4, 2))
    assert legal(state, "grow") == []
    refused(state, "grow D4", Unable.NOT_IN_HAND, kind="small")


# --- P8


@pytest.mark.parametrize(
    ("seats", "where", "token"),
    [(3, "D4", (4, 22)), (3, "C3", (3, 19)), (3, "B3", (2, 17)), (3, "A1", (1, 14)), (4, "D4", (4, 22))],
)
def test_P8_collecting_takes_the_top_token_of_the_soil(seats: int, where: str, token: tuple[int, int]) -> None:
    columns = [[4, 4, 3, 1], *[COLUMNS] * (seats - 1)]
    state = position(f"{where}=O3", seats, player_boards=columns, light=[4] * seats)
    state, events = play(state, f"collect {where}")
    assert events == [Collected(Seat(0), where, token[0], Token(*token), returned=True)]
    view = state.view(None)
    assert view.light[0] == 0
    assert view.at(where) is None
    assert view.player_boards[0] == (4, 4, 3, 2)
    assert view.tokens[0] == (token,)
    assert view.scores[0] == token[1]
    assert list(view.piles[token[0] - 1]) == PILES[token[0]][1:]
    assert all(list(view.piles[leaves - 1]) == PILES[leaves] for leaves in PILES if leaves != token[0])


def test_P8_the_piles_are_taken_from_the_top() -> None:
    """Six trees on 3-leaf soil take its five tokens and then the best of the 2-leaf pile."""
    trees = NEIGHBOURS["D4"].split()
    state, events = position(" ".join(f"{name}=O3" for name in trees), 3), []
    for name in trees:
        state, new = play(GAME.from_json(state.to_json() | {"light": [20, 0, 0]}), f"collect {name}")
        events += new
    assert [event.token for event in events] == [(3, 19), (3, 18), (3, 18), (3, 17), (3, 17), (2, 17)]
    assert [event.leaves for event in events] == [3] * 6


def test_P8_with_two_players_the_centre_is_3_leaf_soil() -> None:
    state, events = play(position("D4=O3"), "collect D4")
    assert events == [Collected(Seat(0), "D4", 3, Token(3, 19), returned=False)]
    assert state.view(None).scores[0] == 19 + 16 // 3
    _, events = play(position("D4=O3", piles=[[14], [13], [], []]), "collect D4")
    assert only(events, Collected).token == (2, 13)


@pytest.mark.parametrize(
    ("where", "left", "token"),
    [
        ("D4", [[14], [13], [17], []], (3, 17)),
        ("D4", [[14], [13], [], []], (2, 13)),
        ("D4", [[14], [], [], []], (1, 14)),
        ("C3", [[14], [], [], [22]], (1, 14)),  # never a richer one
        ("B3", [[12], [], [19], [22]], (1, 12)),
        ("A1", [[], [17], [19], [22]], (0, 0)),
        ("B3", [[], [], [19], [22]], (0, 0)),
        ("D4", [[], [], [], []], (0, 0)),
    ],
)
def test_P8_an_empty_pile_sends_to_the_next_lower_one(
    where: str, left: list[list[int]], token: tuple[int, int]
) -> None:
    state, events = play(position(f"{where}=O3", 3, piles=left), f"collect {where}")
    assert only(events, Collected).token == token
    view = state.view(None)
    assert view.tokens[0] == (token,)
    assert view.scores[0] == token[1] + 16 // 3
    assert view.at(where) is None
    assert sum(map(len, view.piles)) == sum(map(len, left)) - (token != (0, 0))


def test_P8_the_tree_comes_back_or_leaves_the_game() -> None:
    _, events = play(position("A1=O3", player_boards=[[4, 4, 3, 2], COLUMNS]), "collect A1")
    assert not only(events, Collected).returned
    state, events = play(position("A1=O3", player_boards=[[4, 4, 3, 0], COLUMNS]), "collect A1")
    assert only(events, Collected).returned
    assert state.view(None).prices[0][3] == 5, "in the topmost space"


def test_P8_refusals() -> None:
    state = position("A1=O3 A2=O2 A3=O0 G4=B3", light=[3, 20])
    refused(state, "collect A1", Unable.TOO_DEAR, price=4, light=3)
    refused(state, "collect A2", Unable.NOT_LARGE, hex="A2", kind="medium")
    refused(state, "collect A3", Unable.NOT_LARGE, hex="A3", kind="seed")
    refused(state, "collect G4", Unable.NOT_YOURS, hex="G4", kind="large")
    refused(state, "collect G1", Unable.NOTHING_THERE, hex="G1")


# --- P9, P10


def test_P9_end_is_always_there_and_the_only_pass() -> None:
    assert legal(position(light=[0, 0])) == ["end"]
    assert str(position("D4=O3").default_move(Seat(0))) == "end"
    for text in ("pass", "skip", ""):
        with pytest.raises(IllegalMove) as caught:
            GAME.parse(Seat(0), text)
        assert caught.value.reason is Refusal.UNPARSABLE


def test_P10_the_token_passes_clockwise_and_its_holder_begins() -> None:
    state = play(GAME.new(3, {}, "s"), *(f"place A{n}" for n in (1, 2, 3, 4)), "place G1", "place G2")[0]
    movers, passed = [], []
    for _ in range(4 * 3):
        movers += state.to_move()
        state, events = play(state, "end")
        passed += [event.seat for event in events if isinstance(event, FirstPlayerPassed)]
    assert movers == [0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]
    assert passed == [1, 2, 0, 1]
    assert state.view(None).first == 1


# --- P11


def test_P11_options() -> None:
    options = {option.name: (option.values, option.default) for option in GAME.options(2, {})}
    assert options == {"revolutions": ((3, 4), 3), "shade": ((False, True), False)}
    for bad in ({"revolutions": 2}, {"revolutions": "3"}, {"shade": 1}, {"shade": "yes"}, {"moon": True}):
        with pytest.raises(BadOption):
            GAME.new(2, bad, "s")
    assert GAME.new(2, {"shade": True}, "s").view(None).shade
    assert GAME.new(2, {"shade": True, "revolutions": 4}, "s").view(None).rounds == 24


SHADED = "A1=B3 A2=O2 A4=O0 B2=O1 B3=O1 B4=O1 D4=O3"
"""The light travels E: A1 shadows A2 to A4, B2 shadows B3, B3 B4 and B4 B5, and D4 D5 to D7."""


def test_P11_no_planting_where_a_seed_would_be_shadowed() -> None:
    state = position(SHADED, shade=True)
    refused(state, "plant A2 A3", Unable.SHADOWED, hex="A3", kind="seed")
    refused(state, "plant B4 B5", Unable.SHADOWED, hex="B5", kind="seed")
    # D4 is the origin, and its own shadow counts.
    refused(state, "plant D4 D5", Unable.SHADOWED, hex="D5", kind="seed")
    refused(state, "plant D4 D7", Unable.SHADOWED, hex="D7", kind="seed")
    targets = legal(state, "plant D4")
    assert {"D3", "E4", "C4"} <= set(targets)
    # The 30 hexes with nothing on them, without A3, B5, D5, D6 and D7; all are within 3 of the centre.
    assert len(targets) == 30 - 5
    # Behind a seed there is light.
    assert "E4 D4" in legal(position("D3=B0 E4=O1", shade=True), "plant")


def test_P11_a_shadowed_tree_may_be_an_origin() -> None:
    """A2 stands in A1's shadow. Within 2 of it: A1 A2 A3 A4, B1 to B4, C2 C3 C4; free and lit B1 and C2 C3 C4."""
    assert sorted(legal(position(SHADED, shade=True), "plant A2")) == ["B1", "C2", "C3", "C4"]


def test_P11_no_growing_where_the_piece_as_it_stands_is_shadowed() -> None:
    state = position(SHADED, shade=True, hands=hands(1, 1, 1, 1))
    refused(state, "grow A2", Unable.SHADOWED, hex="A2", kind="medium")
    refused(state, "grow A4", Unable.SHADOWED, hex="A4", kind="seed")
    refused(state, "grow B3", Unable.SHADOWED, hex="B3", kind="small")
    assert legal(state, "grow") == ["B2"]
    # It is before growing that counts: a medium tree behind a small one is in the light.
    assert legal(position("D1=B1 D2=O2", shade=True, hands=hands(0, 0, 0, 1)), "grow") == ["D2"]


def test_P11_judged_by_the_board_of_the_moment() -> None:
    grown = position("D1=O1 D3=O0 A1=O3", shade=True, hands=hands(1, 1, 1, 1))
    assert "grow D3" in legal(grown)
    grown, _ = play(grown, "grow D1")
    refused(grown, "grow D3", Unable.SHADOWED, hex="D3", kind="seed")
    collected_ = position("D1=O3 D3=O0 C1=O2", shade=True, hands=hands(1, 1, 1, 1))
    refused(collected_, "grow D3", Unable.SHADOWED, hex="D3", kind="seed")
    refused(collected_, "plant C1 D2", Unable.SHADOWED, hex="D2", kind="seed")
    collected_, _ = play(collected_, "collect D1")
    assert {"grow D3", "plant C1 D2"} <= set(legal(collected_))


@pytest.mark.parametrize("sun", range(6))
def test_P11_judged_with_this_rounds_sun(sun: int) -> None:
    state = position("D4=O3", sun=sun, shade=True)
    assert set(HEXES) - set(legal(state, "plant D4")) == {"D4", *BEHIND_THE_CENTRE[sun].split()}


def test_P11_placing_buying_and_collecting_are_unaffected() -> None:
    state = position("A1=B3 A2=O3", shade=True)
    assert "collect A2" in legal(state)
    assert legal(state, "buy") == list(KINDS)
    state, _ = play(GAME.new(2, {"shade": True}, "s"), "place A1")
    assert "A2" in legal(state, "place")


def test_P11_without_shade_shadow_forbids_nothing() -> None:
    state = position(SHADED, hands=hands(1, 1, 1, 1))
    assert sorted(legal(state, "grow")) == ["A2", "A4", "B2", "B3", "B4"]
    assert {"plant A2 A3", "plant B4 B5", "plant D4 D5"} <= set(legal(state))


# --- P12


def ended(forest: str, light: Sequence[int], tokens: Sequence[Sequence[Sequence[int]]]) -> tuple[AnyState, MatchWon]:
    """The match's end."""
    seats = len(light)
    state = position(forest, seats, round=18, mover=seats - 1, first=0, light=list(light), tokens=tokens)
    state, events = play(state, "end")
    return state, only(events, MatchWon)


def test_P12_tokens_and_a_point_for_every_3_light() -> None:
    for light in range(21):
        state, won = ended("", [light, 0], [[[4, 22], [1, 12]], [[3, 17], [0, 0]]])
        assert won == MatchWon((Seat(0),), (Final(34, light // 3, 0), Final(17, 0, 0)))
        outcome = state.outcome()
        assert (outcome.winners, outcome.scores, outcome.reason) == ({0}, (34 + light // 3, 17), "points")


def test_P12_a_tie_goes_to_more_pieces_on_the_board() -> None:
    """14 + 1 against 13 + 2 and 12 + 2: the third has most pieces, but did not tie. A seed counts as much as a tree."""
    state, won = ended("A1=O3 A2=B0 A3=B0 G1=G3 G2=G3 G3=G3", [5, 8, 6], [[[1, 14]], [[1, 13]], [[1, 12]]])
    assert won == MatchWon((Seat(1),), (Final(14, 1, 1), Final(13, 2, 2), Final(12, 2, 3)))
    assert (state.outcome().scores, state.outcome().reason) == ((15, 15, 14), "pieces")


def test_P12_hands_and_player_boards_break_no_tie() -> None:
    state = position("A1=O1 G1=B1", round=18, mover=1, light=[0, 0], hands=hands(6, 4, 2, 1))
    state, events = play(state, "end")
    assert only(events, MatchWon).seats == (0, 1)
    assert state.outcome().reason == "shared"


def test_P12_still_tied_they_share_the_win() -> None:
    state, won = ended("A1=O1 A2=B0 G1=G2 G2=Y3 G3=Y3", [3, 4, 5, 0], [[], [], [], []])
    assert won.seats == (0, 1, 2)
    outcome = state.outcome()
    assert (outcome.winners, outcome.scores, outcome.reason) == ({0, 1, 2}, (1, 1, 1, 0), "shared")
    assert state.view(None).outcome == outcome


# --- counts by hand


def test_moves_of_a_first_turn_counted_by_hand() -> None:
    """Orange has A1 and D7, 2 light, and 2 seeds, 2 small and 1 medium in hand. A1 has 3 neighbours and D7 3, all
    empty: 6 plantings. Each tree may grow for 2 light: 2. A seed costs 1, a small tree 2, a medium 3, a large 4:
    2 purchases. And `end`: 11. After one purchase of a seed: 1 light left, so no growing and no small tree: 6 + 1 + 1.
    """
    state = two_players()
    assert state.view(None).light == (2, 2)
    assert len(legal(state)) == 6 + 2 + 2 + 1
    assert len(legal(play(state, "buy seed")[0])) == 6 + 1 + 1
    assert len(legal(play(state, "buy small")[0])) == 1


COUNTED: Json = {
    "forest": "C3=O2 D5=O0 F2=O3 D4=B1",
    "hands": hands(1, 1, 0, 0),
    "light": [4, 4],
}
"""Orange: C3 medium, D5 a seed, F2 large. Blue: D4 small. 4 light; a seed and a small tree in hand."""


def test_moves_of_a_middle_position_counted_by_hand() -> None:
    """Collect F2: 1. Grow D5: 1 (C3 needs a large tree). Buy for 1, 2, 3, 4: 4. End: 1.

    Plant from C3: 18 hexes within 2, all on the board; D4 and D5 are taken: 16.
    Plant from F2, within 3: C1 to C4, D1 to D5, E1 to E5, F1 to F5, G1 to G4 are 23; F2, C3, D4, D5 are taken: 19.
    Together 1 + 1 + 16 + 19 + 4 + 1 = 42.
    After planting 3 light and no seed are left: D5 grows, purchases for 1, 2, 3, end: 5.
    """
    state = position(**COUNTED)
    counts = [len(legal(state, verb)) for verb in ("collect", "grow", "plant C3", "plant F2", "buy", "end")]
    assert counts == [1, 1, 16, 19, 4, 1]
    assert len(legal(state)) == 42
    assert legal(play(state, "plant C3 D3")[0]) == ["grow D5", "buy seed", "buy small", "buy medium", "end"]


def test_moves_with_shade_counted_by_hand() -> None:
    """The light travels E. C3 shadows C4 C5, D4 D5, and F2 F3 F4 F5: D5 does not grow; from C3 not C4 nor C5: 14; from
    F2 not C4, F3, F4, F5 (C5 is too far anyway): 15. Together 1 + 0 + 14 + 15 + 4 + 1 = 35."""
    state = position(**COUNTED, shade=True)
    counts = [len(legal(state, verb)) for verb in ("collect", "grow", "plant C3", "plant F2", "buy", "end")]
    assert counts == [1, 0, 14, 15, 4, 1]
    assert len(legal(state)) == 35


def test_legal_moves_keep_an_order() -> None:
    verbs = [text.split()[0] for text in legal(position(**COUNTED))]
    assert list(dict.fromkeys(verbs)) == ["collect", "grow", "plant", "buy", "end"]
    assert legal(position(**COUNTED)) == legal(position(**COUNTED))


# --- buying, words, JSON


def test_buying_refusals() -> None:
    state = position(light=[2, 0], player_boards=[[4, 2, 3, 0], COLUMNS])
    refused(state, "buy small", Unable.TOO_DEAR, price=3, light=2)
    refused(state, "buy medium", Unable.TOO_DEAR, price=3, light=2)
    refused(state, "buy large", Unable.SOLD_OUT, kind="large")
    assert legal(state) == ["buy seed", "end"]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("END", "end"),
        ("  buy   Seed ", "buy seed"),
        ("Plant c3 d5", "plant C3 D5"),
        ("grow d5", "grow D5"),
        ("COLLECT D5", "collect D5"),
        ("place a1", "place A1"),
    ],
)
def test_case_and_spaces_do_not_matter(typed: str, text: str) -> None:
    move = GAME.parse(Seat(1), typed)
    assert (str(move), move.seat) == (text, 1)
    assert GAME.parse(Seat(1), text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "end now",
        "buy",
        "buy tree",
        "buy seed seed",
        "grow",
        "grow A0",
        "grow A5",
        "grow D8",
        "grow H1",
        "grow D٤",
        "grow D4 D5",
        "growD4",
        "plant D4",
        "plant D4 D5 D6",
        "plant D4 Z1",
        "plant A5 D4",
        "collect G5",
        "place 1A",
        "place D04",
        "place D4.",
        "undo",
        "harvest D4",
    ],
)
def test_words_that_name_no_move_are_refused(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(Seat(0), text)
    assert caught.value.reason is Refusal.UNPARSABLE


# --- against the naive version


def random_position(random: Random) -> AnyState:
    """Any forest, tokens and columns that a match might come to, and some that are odder, in any round."""
    seats = random.choice(GAME.seats)
    data = GAME.new(seats, {"shade": random.random() < 0.5, "revolutions": random.choice((3, 4))}, "s").to_json()
    left = [list(ALL) for _ in range(seats)]
    board, density = {}, random.uniform(0.1, 0.9)
    for name in HEXES:
        seat, height = random.randrange(seats), random.randrange(4)
        if random.random() < density and left[seat][height]:
            left[seat][height] -= 1
            board[name] = [seat, height]
    columns = [[random.randint(0, min(COLUMNS[k], mine[k])) for k in range(4)] for mine in left]
    mine = [[random.randint(0, left[seat][k] - columns[seat][k]) for k in range(4)] for seat in range(seats)]
    tokens: list[list[list[int]]] = [[] for _ in range(seats)]
    for leaves, pile in enumerate(data["piles"], start=1):
        for _ in range(random.choice((0, random.randint(0, len(pile)), len(pile)))):
            random.choice(tokens).append([leaves, pile.pop(0)])
    light = [random.choice((random.randint(0, 20), random.randint(0, 5), 19)) for _ in range(seats)]
    first, last = random.randrange(seats), 6 * data["options"]["revolutions"]
    number = random.choice((random.randint(1, 17), last))
    if number == last and random.random() < 0.5:  # near a tie
        light, tokens = [random.randint(0, 6) for _ in range(seats)], [[] for _ in range(seats)]
    data |= {
        "round": number,
        "first": first,
        "mover": (first + random.randrange(seats)) % seats,
        "ply": 2 * seats + number,
        "board": board,
        "light": light,
        "hands": mine,
        "player_boards": columns,
        "tokens": tokens,
    }
    return GAME.from_json(json.loads(json.dumps(data)))


def table_of(state: AnyState) -> naive.Table:
    """The position as the naive version keeps it, read from the state's JSON."""
    data = state.to_json()
    return naive.Table(
        forest={name: (owner, height) for name, (owner, height) in data["board"].items()},
        light=list(data["light"]),
        hands=[Counter(dict(zip(naive.KINDS, hand, strict=True))) for hand in data["hands"]],
        boards=[Counter(dict(zip(naive.KINDS, board, strict=True))) for board in data["player_boards"]],
        piles={leaves: list(pile) for leaves, pile in enumerate(data["piles"], start=1)},
        taken=[[points for _, points in tokens if points] for tokens in data["tokens"]],
        sun=(data["round"] - 1) % 6,
        shade=data["options"]["shade"],
        mover=data["mover"],
        acted={name for text in data["turn"] for name in text.split()[1:] if name in naive.HEXES},
    )


def any_text(random: Random) -> str:
    """A move of the notation, most likely an illegal one."""
    one, other = random.choice(HEXES), random.choice(HEXES)
    kind = random.choice(KINDS)
    return random.choice((f"plant {one} {other}", f"grow {one}", f"collect {one}", f"buy {kind}", f"place {one}"))


def agree_for_a_while(state: AnyState, random: Random) -> set[str]:
    """Plays a few moves with both versions; says what happened."""
    table, happened = table_of(state), set[str]()
    for _ in range(random.randint(1, 5)):
        (seat,) = state.to_move()
        assert seat == table.mover
        moves = {str(move): move for move in state.legal_moves(seat)}
        assert set(moves) == naive.legal(table)
        if (text := any_text(random)) not in moves:
            with pytest.raises(IllegalMove):
                state.apply(GAME.parse(seat, text))
        text = random.choice([text for text in moves if random.random() < 0.5 or text == "end"])
        if random.random() < 0.5:  # there are fewer of these, and each says more
            text = random.choice([text for text in moves if text.startswith(("collect", "grow"))] or [text])
        view, soil = state.view(None), naive.leaves(text.split()[1]) if text.startswith("collect") else 0
        state, events = state.apply(moves[text])
        if text != "end":
            naive.act(table, text)
            assert table_of(state) == table
            happened |= what(events, soil, len(table.light))
        elif (seat + 1) % len(table.light) != view.first:
            table.mover, table.acted = (seat + 1) % len(table.light), set()
        elif view.round == view.rounds:
            points = naive.scores(table.light, table.taken)
            outcome = state.outcome()
            assert (list(outcome.scores), outcome.winners) == (points, naive.winners(points, table.forest))
            return happened | {outcome.reason}
        else:
            happened.add("round")
            naive.next_round(table, (view.first + 1) % len(table.light))
            gained = naive.income(table.forest, table.sun, len(table.light))
            assert list(only(events, LightCollected).sunlight.gained) == gained == list(view.forecast)
        assert table_of(state) == table
    assert list(state.view(None).scores) == naive.scores(table.light, table.taken)
    return happened


def what(events: Sequence[Event], soil: int, seats: int) -> set[str]:
    """What an action showed: its event's name, and a poorer pile, none, or a piece that left the game."""
    (event,) = events
    shown = {type(event).__name__}
    if isinstance(event, Collected):
        own = 3 if (soil, seats) == (4, 2) else soil
        assert event.leaves == own
        shown |= {"worthless"} if event.token == (0, 0) else {"poorer"} if event.token.leaves < own else set()
    if isinstance(event, Grown | Collected) and not event.returned:
        shown.add("left the game")
    return shown


def test_the_naive_version_agrees(pytestconfig: pytest.Config) -> None:
    number = pytestconfig.getoption("--positions")
    happened = Counter[str]()
    for n in range(number):
        seed = f"naive {n}"
        print("position of seed", repr(seed))
        random = Random(seed)
        happened.update(agree_for_a_while(random_position(random), random))
    print(happened)
    if number >= 1_000:
        ways = {"Bought", "Planted", "Grown", "Collected", "poorer", "worthless", "left the game", "round"}
        assert set(happened) >= ways | {"points", "pieces", "shared"}, "every way was met"


def test_light_in_every_row_there_is() -> None:
    """All 4^7 rows of pieces on the longest line, with the light along it either way, by the words of the page."""
    for code in range(4**7):
        heights = [code >> 2 * place & 3 for place in range(7)]
        masks = [sum(BOARD.bit[f"D{place + 1}"] for place in range(7) if heights[place] == h) for h in (1, 2, 3)]
        for sun, order in ((0, heights), (3, heights[::-1])):
            expected = sum(
                height
                for place, height in enumerate(order)
                if not any(order[place - d] >= max(d, height) for d in range(1, min(place, 3) + 1))
            )
            small, medium, large = lit_trees(*masks, sun)
            assert small.bit_count() + 2 * medium.bit_count() + 3 * large.bit_count() == expected, (heights, sun)


def test_to_end_the_turn_is_forced_when_nothing_else_can_be_done() -> None:
    assert verbs(GAME)[0] == {"end"}


def test_redeals_share_the_plan_of_a_turn() -> None:
    """They differ in nothing but the seed, and planning takes longer than a hundred playouts."""
    state = GAME.new(2, {}, "plan")
    while state.round.number < 2:
        seat = min(state.to_move())
        state, _ = state.apply(GAME.rollout_move(state, seat, state.ply * 2_654_435_761 % 2**32))
    seat = min(state.to_move())
    plan = turns_of(state, seat)
    assert all(turns_of(state.redeal_unseen(seat, seed), seat) is plan for seed in ("one", "two"))
