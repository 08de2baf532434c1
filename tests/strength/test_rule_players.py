"""The rule players against which computers are measured make legal moves, know what a seat sees, and beat chance."""

from __future__ import annotations

from statistics import fmean

import pytest

from rules import GAMES
from rules.core.game import AnyState, Seat
from rules.core.search import random_numbers
from tests.strength.arena import RULE_PLAYERS, deal, rule_player, share
from tests.strength.solo import round_won
from tests.support.published import PUBLISHED

TABLES = [
    *(
        pytest.param(slug, seats, {}, marks=[] if seats == min(GAMES[slug].seats) else pytest.mark.long)
        for slug in PUBLISHED
        for seats in GAMES[slug].seats
    ),
    ("sea_change", 4, {"teams": "2v2"}),
    ("sea_change", 7, {"teams": "3v2v2"}),
    ("photosynthesis", 3, {"shade": True, "revolutions": 4}),
]


class Seen:
    """A state of which only a seat's own view and moves can be read."""

    def __init__(self, state: AnyState, seat: Seat) -> None:
        self._state, self._seat = state, seat

    def view(self, seat: Seat | None) -> object:
        assert seat == self._seat
        return self._state.view(seat)

    def legal_moves(self, seat: Seat) -> object:
        assert seat == self._seat
        return self._state.legal_moves(seat)


@pytest.mark.parametrize("name", RULE_PLAYERS)
@pytest.mark.parametrize(("slug", "seats", "options"), TABLES)
def test_they_know_what_their_seat_sees_and_make_legal_moves(
    slug: str, seats: int, options: dict[str, object], name: str
) -> None:
    choose = rule_player(slug, name)
    seed = f"rule players {slug} {seats} {name}"
    print(f"seed {seed!r}")
    game, luck = GAMES[slug], random_numbers(seed)
    state = game.new(seats, options, seed)
    for _ in range(150):
        if not (awaited := state.to_move()):
            break
        seat = min(awaited)
        move = choose(Seen(state, seat), seat)
        moves = state.legal_moves(seat)
        assert move in moves
        state, _ = state.apply(move if next(luck) & 3 else moves[next(luck) % len(moves)])


@pytest.mark.parametrize("name", RULE_PLAYERS)
@pytest.mark.games("slug", short=["full_sun"], long=PUBLISHED)
def test_they_beat_chance(slug: str, name: str) -> None:
    found = fmean(deal(slug, 4, name, "random", f"beats chance {slug} {number}") for number in range(3))
    assert found > 0.4, "fair is a quarter"


def test_a_share_has_an_interval_by_deals() -> None:
    found = share([0.25, 0.75, 0.5, 0.5], 4)
    assert (found.mean, found.matches) == (0.5, 16)
    assert 0.19 < found.half_width < 0.21
    assert str(found) == "0.50 ± 0.20"


def test_solo_rounds_are_won_and_lost() -> None:
    """The same ones each time: a round follows from its number and its player."""
    won = [round_won("greedy", number) for number in range(12)]
    assert set(won) == {0.0, 1.0}
    assert won == [round_won("greedy", number) for number in range(12)]
