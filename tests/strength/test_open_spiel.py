"""The adapter to OpenSpiel's games keeps what our search relies on. Only `make bench` installs OpenSpiel."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="only `make bench` installs OpenSpiel")

from rules.core.game import Seat
from rules.core.search import play_on, search
from tests.strength import open_spiel, peers


def positions(name: str, count: int) -> list[Any]:
    """Positions of a random deal, with two choices or more."""
    random, state, found = Random(name), open_spiel.game(name).new(4, {}, name), []
    while state.to_move():
        (seat,) = state.to_move()
        moves = state.legal_moves(seat)
        found += [state] if len(moves) > 1 else []
        state, _ = state.apply(random.choice(moves))
    return found[:: max(1, len(found) // count)]


@pytest.mark.parametrize("name", open_spiel.GAMES)
def test_a_deal_follows_from_its_seed_and_moves_change_no_earlier_position(name: str) -> None:
    game = open_spiel.game(name)
    state = game.new(4, {}, "one")
    assert state == game.new(4, {}, "one") != game.new(4, {}, "two")
    (seat,) = state.to_move()
    before = str(state.spiel)
    after, _ = state.apply(state.legal_moves(seat)[0])
    assert str(state.spiel) == before != str(after.spiel)
    assert not any(state.legal_moves(other) for other in map(Seat, range(4)) if other != seat)


@pytest.mark.parametrize("name", open_spiel.GAMES)
def test_a_redeal_tells_its_seat_nothing_new_and_deals_the_rest_again(name: str) -> None:
    changed = 0
    for state in positions(name, 12):
        (seat,) = state.to_move()
        other = state.redeal_unseen(seat, "luck")
        assert other.spiel.information_state_string(seat) == state.spiel.information_state_string(seat)
        assert other.legal_moves(seat) == state.legal_moves(seat)
        assert other == state.redeal_unseen(seat, "luck")
        changed += other != state
    assert changed > 8


@pytest.mark.parametrize("name", open_spiel.GAMES)
def test_a_playout_ends_with_the_points_of_open_spiel(name: str) -> None:
    game = open_spiel.game(name)
    state = game.new(4, {}, "end")
    end = play_on(game, state, state, "luck")
    outcome = end.outcome()
    assert outcome is not None
    assert [game.evaluate(end, Seat(seat)) for seat in range(4)] == list(outcome.scores) == end.spiel.returns()
    assert end.to_move() == frozenset()
    if name == "hearts":
        assert sum(26 - points for points in outcome.scores) == 26
    assert outcome.winners == {seat for seat in range(4) if outcome.scores[seat] == max(outcome.scores)}


def test_the_search_finds_the_move_that_all_see() -> None:
    """The last trick but one of Hearts: a player who can give the queen of spades away does."""
    game = open_spiel.game("hearts")
    for number in range(200):
        random, state = Random(number), game.new(4, {}, f"end {number}")
        while state.to_move():
            (seat,) = state.to_move()
            moves = state.legal_moves(seat)
            values = [play_on(game, state, state.apply(move)[0], "luck").spiel.returns()[seat] for move in moves]
            if state.ply >= 52 + 46 and len(moves) == 2 and abs(values[0] - values[1]) >= 13:
                best = search(game, state, seat, "luck", 200)[0].move
                assert values[moves.index(best)] == max(values)
                return
            state, _ = state.apply(random.choice(moves))
    raise AssertionError("no such position")


@pytest.mark.parametrize("name", open_spiel.GAMES)
def test_both_sides_of_a_deal_share_all_points(name: str) -> None:
    points, wins = peers.deal(name, 8, 6.0, "share")
    assert 0 < points < 1 and 0 <= wins <= 1
    assert peers.played(name, 2, 6.0, frozenset(range(4)), "share") == (1, 1)
    assert peers.played(name, 2, 6.0, frozenset(), "share") == (0, 0)
