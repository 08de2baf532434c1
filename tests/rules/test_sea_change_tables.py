"""Sea Change, ruling by ruling: two players, one against the AI, and teams (C10 to C12)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rules.core.chance import Shuffled
from rules.core.game import AnyState, Event, Playout, Seat
from rules.core.tricks import Card, TrickTaken
from rules.sea_change import GAME, hints
from rules.sea_change.types import CardDrawn, CardPlayed, MatchWon, RoundBegan, RoundScored, SeaChanged, TrumpSet
from tests.rules.playing import legal, only, play, play_at_random, some
from tests.rules.playing_sea_change import SEATING, position, teams_of

# --- C10


def test_C10_a_card_is_drawn_at_once_while_the_pile_lasts() -> None:
    state = GAME.new(2, {}, "seed")
    pile = state.to_json()["pile"]
    for ply in range(30):
        (seat,) = state.to_move()
        had = set(state.view(seat).hand)
        state, events = state.apply(state.legal_moves(seat)[0])
        played = only(events, CardPlayed).card
        drawn = some(events, CardDrawn)
        if ply < 10:
            assert drawn == [CardDrawn(seat, pile[ply])]
            assert events.index(drawn[0]) > [type(event) for event in events].index(CardPlayed)
            assert set(state.view(seat).hand) == had - {played} | {pile[ply]}
            assert state.view(None).pile == 9 - ply
        else:
            assert not drawn
        assert len(some(events, TrickTaken)) == ply % 2
        assert len(some(events, RoundScored)) == (ply == 29), "15 tricks"


def test_C10_the_drawn_card_is_in_hand_before_the_other_plays() -> None:
    state = position(["B5 Y4", "P8 P9"], "Y", pile=["B9", "P4", "P5"], leader=0)
    state, events = play(state, "B5")
    assert state.view(Seat(0)).hand == ("B9", "Y4")
    assert state.to_move() == {1}
    state, events = play(state, "P8")
    kinds = [type(event) for event in events]
    assert kinds.index(CardDrawn) < kinds.index(TrickTaken)
    assert state.view(Seat(1)).hand == ("P4", "P9")
    assert legal(state, 0) == {"B9", "Y4"}


def test_C10_a_drawn_card_is_seen_by_its_seat_alone() -> None:
    event = CardDrawn(Seat(0), Card("B9"))
    assert event.seen_by(Seat(0)) == event
    assert event.seen_by(Seat(1)) == event.seen_by(None) == CardDrawn(Seat(0), None)


def test_C10_the_pile_is_hidden() -> None:
    state = position(["B5", "P8"], "Y", pile=["B9", "P4", "P5"], leader=0)
    assert state.view(None).pile == 3
    for viewer in (None, Seat(0), Seat(1)):
        assert not {"B9", "P4", "P5"} & set(re.findall(r"[BGRPY]\d+", json.dumps(state.view(viewer).to_json())))


# --- C11


def test_C11_the_ai_leads_its_top_card_and_sets_the_trump() -> None:
    for n in range(10):
        state = GAME.new(1, {}, f"solo {n}")
        deal = max(some(state.opening(), Shuffled), key=lambda event: event.ordinal)
        top = deal.after[10]
        view = state.view(Seat(0))
        assert [(lay.player, lay.card) for lay in view.lays] == [(1, top)]
        assert only(state.opening(), CardPlayed) == CardPlayed(1, top)
        assert only(state.opening(), TrumpSet).suit == view.trump == top[0]
        assert state.to_move() == {0}
        assert view.sides == (0, 1)
        assert (view.leader, view.hand_sizes, view.pile) == (1, (10,), 19)


def test_C11_the_ai_plays_the_third_card_and_leads_again_whichever_player_won() -> None:
    state = position(["B9 P4 P6"], "Y", lays=[[1, "B5"]], pile=["B4", "P12", "Y4", "B6", "B7"])
    assert legal(state, 0) == {"B9"}
    state, events = play(state, "B9")
    assert some(events, CardPlayed) == [CardPlayed(0, "B9"), CardPlayed(1, "B4"), CardPlayed(1, "P12")]
    assert only(events, TrickTaken).winner == 0
    view = state.view(Seat(0))
    assert [(lay.player, lay.card) for lay in view.lays] == [(1, "P12")]
    assert (view.leader, view.trump, view.pile) == (1, "Y", 3)
    assert (view.captured, view.tricks_won) == ((3, 0), (1, 0))
    assert [lay.card for lay in view.last_trick.lays] == ["B5", "B9", "B4"]


def test_C11_the_ai_need_not_follow() -> None:
    state = position(["B9 P4"], "Y", lays=[[1, "B5"]], pile=["Y4", "B12", "B6"])
    state, events = play(state, "B9")
    assert only(events, TrickTaken).winner == 1


def test_C11_sea_changes_happen_for_both() -> None:
    state = position(["P5 B6 B4"], "Y", lays=[[1, "B5"]], pile=["P4", "P12", "P9", "B12", "B9"])
    assert legal(state, 0) == {"P5", "B6", "B4"}
    after, events = play(state, "P5")
    assert some(events, SeaChanged) == [SeaChanged(0, "P")]
    assert only(events, TrickTaken).winner == 0
    state = position(["B6 B4"], "Y", lays=[[1, "B5"]], pile=["P6", "P12", "P9"])
    after, events = play(state, "B6")
    assert some(events, SeaChanged) == [SeaChanged(1, "P")]
    assert only(events, TrickTaken).winner == 1
    assert after.view(None).trump == "P"


def test_C11_the_ais_lead_of_a_later_trick_changes_no_trump() -> None:
    state = position(["B9 P4 P6"], "Y", lays=[[1, "B5"]], pile=["B4", "P4", "Y4", "B6", "B7"])
    state, events = play(state, "B9")  # B4, then the AI leads P4: no Sea Change across tricks
    assert not some(events, SeaChanged)
    assert not some(events, TrumpSet)
    assert state.view(None).trump == "Y"


def end_of_solo(mine: str, ais: str, **fields: Any) -> tuple[AnyState, list[Event]]:
    """The last trick of a solo round, worth nothing and taken by the AI. Yellow is trump."""
    captured = [mine.split(), ais.split()]
    state = position(["B5"], "Y", lays=[[1, "B4"]], pile=["B6"], captured=captured, **fields)
    return play(state, "B5")


@pytest.mark.parametrize(
    ("mine", "ais", "side"),
    [
        ("Y0 P8", "", 0),  # 1 to 0, with an 8
        ("Y0", "P8", 1),  # 5 to -4, without an 8
        ("Y0 P8", "B12", 1),  # 1 to 1
        ("B8", "P8 Y8", 0),  # -4 to -8
        ("B8", "", 1),
        ("B8 B9 P9", "Y8", 0),  # 0 to -4
        ("", "P8", 1),
    ],
)
def test_C11_the_player_needs_more_points_and_an_8(mine: str, ais: str, side: int) -> None:
    state, events = end_of_solo(mine, ais)
    scored = only(events, RoundScored)
    assert scored.result.winners == (side,)
    assert scored.victory_points == ((1, 0), (0, 1))[side]
    assert state.outcome() is None
    assert only(events, RoundBegan).round == 2
    assert state.to_move() == {0}
    assert len(state.view(None).lays) == 1, "the AI leads the new round"
    assert state.view(None).trump == state.view(None).lays[0].card[0]


def test_C11_the_player_may_win_the_match() -> None:
    state, events = end_of_solo("Y0 P8", "", victory_points=[2, 2])
    assert state.outcome().winners == {0}
    assert state.outcome().scores == (3,)
    assert only(events, MatchWon) == MatchWon((0,), "")


def test_C11_if_the_ai_wins_no_player_does() -> None:
    state, events = end_of_solo("", "", victory_points=[2, 2])
    assert state.outcome().winners == frozenset()
    assert state.outcome().scores == (2,)
    assert state.view(None).victory_points == (2, 3)
    assert only(events, MatchWon) == MatchWon((1,), "")
    assert not some(events, RoundBegan)


def test_C11_a_hint_takes_no_card_of_the_ai_for_the_players_own() -> None:
    """The AI answers with the same move: what its card brings about is neither the player's doing nor certain."""
    for number in range(10):
        state: Any = GAME.new(1, {}, f"hints {number}")
        while state.round.last is None:
            for move in state.legal_moves(Seat(0)):
                after, own = state.apply(move)
                playout = Playout(state, after, after, own, ())
                told = {key for key in hints.reasons(playout, move) if key.startswith("trump")}
                assert told <= {f"trump_{move.card[0]}"}, (number, move, own)
                assert "trick_won" not in hints.certain(playout, move), (number, move, own)
            state = after


def test_C11_a_round_has_ten_tricks() -> None:
    state, events = play_at_random(GAME.new(1, {}, "solo"), Random("C11"), 9)
    assert not some(events, RoundScored)
    assert len(some(events, TrickTaken)) == 9
    state, events = play_at_random(state, Random("C11"), 1)
    scored = only(events, RoundScored)
    assert sum(map(len, scored.result.captured)) == 30


def test_C12_the_teams_offered() -> None:
    for seats in GAME.seats:
        named = tuple(teams for number, teams in SEATING if number == seats)
        assert teams_of(seats) == (("none", *named) if named else ())


@pytest.mark.parametrize(("seats", "teams"), SEATING)
def test_C12_seating_and_target(seats: int, teams: str) -> None:
    state = GAME.new(seats, {"teams": teams}, "seed")
    view = state.view(None)
    assert view.sides == tuple("ABCD".index(team) for team in SEATING[seats, teams])
    assert view.target == max(map(int, teams.split("v"))) + 1
    assert len(view.victory_points) == len(view.captured) == len(teams.split("v"))
    assert len(view.tricks_won) == seats
    sizes = Counter(SEATING[seats, teams]).values()
    assert sorted(map(int, teams.split("v"))) == sorted(sizes)


@pytest.mark.parametrize("seats", GAME.seats)
def test_C12_without_teams_the_target_is_3(seats: int) -> None:
    assert GAME.new(seats, {}, "seed").view(None).target == 3


def test_C12_the_default_target_follows_the_chosen_teams() -> None:
    def target(chosen: dict[str, Any]) -> Any:
        (option,) = [option for option in GAME.options(8, chosen) if option.name == "target"]
        assert option.values == tuple(range(1, 10))
        return option.default

    assert [target({}), target({"teams": "none"}), target({"teams": "2v2v2v2"}), target({"teams": "4v4"})] == [
        3,
        3,
        3,
        5,
    ]
    assert GAME.new(8, {"teams": "4v4", "target": 2}, "seed").view(None).target == 2


LAST_OF_FOUR = ["B4", "B5", "B6", "B7"]


def end_of_2v2(captured: Sequence[str], **fields: Any) -> tuple[AnyState, list[Event]]:
    """The last trick of two against two, worth nothing and taken by seat 3 of team 1. Yellow is trump."""
    piles = [cards.split() for cards in captured]
    state = position(LAST_OF_FOUR, "Y", leader=0, teams="2v2", captured=piles, **fields)
    return play(state, "B4 B5 B6 B7")


def test_C12_captures_points_and_victory_points_are_pooled() -> None:
    state, events = end_of_2v2(["B9", "P9", "P10", "B8"])
    scored = only(events, RoundScored)
    assert scored.result.points == (3, -2)
    assert [len(cards) for cards in scored.result.captured] == [2, 6]
    assert scored.result.winners == (0,)
    assert state.view(None).victory_points == (1, 0)


def test_C12_all_seats_of_the_winning_team_win() -> None:
    state, events = end_of_2v2(["B9", "", "P10", ""], victory_points=[2, 1])
    assert state.outcome().winners == {0, 2}
    assert state.outcome().scores == (3, 1, 3, 1)
    assert only(events, MatchWon) == MatchWon((0,), "")


def test_C12_ties_are_broken_by_team() -> None:
    # 1 to 1. Team 1 has the fewer cards, team 0 the trump's 0 in the second seat's pile.
    state, events = end_of_2v2(["P4 P5 P6 P7", "B12", "Y0 B8", ""], victory_points=[2, 2])
    assert only(events, MatchWon) == MatchWon((0,), "zero")
    assert state.outcome().winners == {0, 2}
    # 1 to 1, Red is trump and its 0 lies with no one: 4 cards against 1 and the last trick's 4.
    state, events = end_of_2v2(["P12 P4", "B12", "P5 P6", ""], victory_points=[2, 2], suits="BGPY")
    assert only(events, MatchWon) == MatchWon((0,), "cards")
    state, events = end_of_2v2(["P12 P4 R4", "B12", "P5 P6", ""], victory_points=[2, 2])
    assert only(events, MatchWon) == MatchWon((0, 1), "shared")
    assert state.outcome().winners == {0, 1, 2, 3}


def test_C12_team_mates_do_not_see_each_others_hands() -> None:
    state = GAME.new(4, {"teams": "2v2"}, "seed")
    hands = [set(hand) for hand in state.to_json()["hands"]]
    for seat in range(4):
        shown = set(re.findall(r"[BGRPY]\d+", json.dumps(state.view(Seat(seat)).to_json())))
        assert shown == hands[seat]
