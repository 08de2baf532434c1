"""Photosynthesis, ruling by ruling: planting, growing, collecting, shade, and the end (P5 to P12)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.core.game import AnyState, IllegalMove, Refusal, Seat
from rules.photosynthesis import GAME
from rules.photosynthesis.types import (
    HEXES,
    KINDS,
    Collected,
    Final,
    FirstPlayerPassed,
    Grown,
    MatchWon,
    Piece,
    Planted,
    Token,
    Unable,
)
from tests.rules.playing import only
from tests.rules.playing_photosynthesis import (
    BEHIND_THE_CENTRE,
    COLUMNS,
    NEIGHBOURS,
    PILES,
    hands,
    legal,
    play,
    position,
    refused,
)

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
