"""Computer players: legal, bounded, blind to what is hidden, and better than no thought at all. Seeds are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from rules import GAMES
from rules.core import computer
from rules.core.computer import MOST_MOVES, PLIES, choose
from rules.core.game import AnyState, Game, Move, Seat
from rules.core.records import margin

TABLES = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
"""Every game with every number of players."""

Player = Callable[[AnyState, Seat], Move]


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def table(request: pytest.FixtureRequest) -> tuple[Game, int, str]:
    """A game, a number of players and a seed."""
    slug, seats = request.param
    seed = f"computer {slug} {seats}"
    print(f"seed {seed!r}")
    return GAMES[slug], seats, seed


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions at a fraction of their price, and their quality."""
    monkeypatch.setattr(computer, "PLIES", PLIES // 10)


def positions(game: Game, seats: int, seed: str, count: int) -> Iterator[AnyState]:
    """Yield `count` positions of a random match, spread over its course; a short match yields some twice. At times a
    seat changes what it has sealed.
    """
    random = Random(seed)
    state = game.new(seats, {}, seed)
    course = []
    while awaited := sorted(state.to_move()):
        course.append(state)
        asked = [seat for seat in map(Seat, range(seats)) if state.legal_moves(seat)]
        seat = random.choice(asked if random.random() < 0.3 else awaited)
        state, _ = state.apply(random.choice(state.legal_moves(seat)))
    for number in range(count):
        first, end = len(course) * number // count, len(course) * (number + 1) // count
        yield course[random.randrange(first, max(first + 1, end))]


def asked_in(state: AnyState, seats: int) -> list[Seat]:
    """Who has a choice of moves."""
    return [seat for seat in map(Seat, range(seats)) if len(state.legal_moves(seat)) > 1]


def test_a_computer_makes_legal_moves(table: tuple[Game, int, str], hasty: None) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 8):
        for seat in map(Seat, range(seats)):
            if moves := state.legal_moves(seat):
                assert choose(game, state, seat, seed) in moves


def test_a_computer_does_not_know_what_is_hidden(table: tuple[Game, int, str], hasty: None) -> None:
    """What it does is the same in every position that its seat cannot tell from the real one."""
    game, seats, seed = table
    for number, state in enumerate(positions(game, seats, f"{seed} hidden", 5)):
        for seat in asked_in(state, seats):
            move = choose(game, state, seat, seed)
            assert move == choose(game, state, seat, seed)
            for redeal in range(2):
                other = state.redeal_unseen(seat, f"{seed} {number} {redeal}")
                assert choose(game, other, seat, seed) == move


def test_a_redeal_follows_from_what_the_seat_knows(table: tuple[Game, int, str]) -> None:
    """Redealing a redeal gives what redealing the state itself gives; a computer's blindness rests on it."""
    game, seats, seed = table
    for state in positions(game, seats, f"{seed} redeals", 12):
        for seat in map(Seat, range(seats)):
            assert state.redeal_unseen(seat, "one").redeal_unseen(seat, "two") == state.redeal_unseen(seat, "two")


class Onlooked:
    """A state that notes what is asked of it."""

    def __init__(self, state: AnyState) -> None:
        self.state = state
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.asked.add(name)
        return getattr(self.state, name)


def test_a_computer_is_shown_redeals_only(table: tuple[Game, int, str], hasty: None) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 3):
        for seat in asked_in(state, seats):
            onlooked: Any = Onlooked(state)
            choose(game, onlooked, seat, seed)
            assert onlooked.asked == {"legal_moves", "default_move", "redeal_unseen"}


def test_seats_that_a_match_does_not_have_have_no_moves(table: tuple[Game, int, str]) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 3):
        assert all(state.legal_moves(Seat(number)) == () for number in range(seats, game.seats[-1] + 1))


def constant(plies: int) -> Callable[[AnyState], int]:
    return lambda state: plies


def test_a_decision_costs_what_it_may(table: tuple[Game, int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    game, seats, seed = table
    states = list(positions(game, seats, seed, 2))
    made: list[Move] = []
    kind = type(states[0])
    apply = kind.apply

    def counted(state: AnyState, move: Move) -> object:
        made.append(move)
        return apply(state, move)

    monkeypatch.setattr(kind, "apply", counted)
    monkeypatch.setattr(computer, "PLIES", 1_000)
    # Plies are those of trials: without the guesses at what others have sealed, a few each redeal.
    monkeypatch.setattr(computer, "_sample_position", lambda game, state, seat, seed: state.redeal_unseen(seat, seed))
    for state, depth in product(states, (1, 60, 10_000)):
        made.clear()
        seat = (asked_in(state, seats) or sorted(state.to_move()))[0]
        choose(replace(game, depth=constant(depth)), state, seat, seed)
        assert len(made) <= 1_000


def test_the_only_move_is_made_at_once(table: tuple[Game, int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    game, seats, seed = table
    monkeypatch.setattr(computer, "_sample_position", None)
    for state in positions(game, seats, seed, 40):
        for seat in map(Seat, range(seats)):
            if len(moves := state.legal_moves(seat)) == 1:
                assert choose(game, state, seat, seed) == moves[0]


def test_a_seat_without_moves_is_refused() -> None:
    state = GAMES["sea_change"].new(4, {}, "seed")
    idle = next(seat for seat in map(Seat, range(4)) if seat not in state.to_move())
    with pytest.raises(ValueError, match="no legal move"):
        choose(GAMES["sea_change"], state, idle, "seed")


def test_a_margin_is_over_the_best_of_all_others() -> None:
    assert [margin(at, (3, 5, 4)) for at in range(3)] == [-2, 1, -1]
    assert margin(0, (5, 5)) == 0


def test_of_many_moves_some_are_tried_the_default_always() -> None:
    moves: Any = tuple(range(100))
    spread = computer._evenly_spread(moves, 37)
    assert spread[0] == 37
    assert len(set(spread)) == len(spread) == MOST_MOVES
    assert {0, 99} <= set(spread)
    gaps = [after - before for before, after in pairwise(spread[1:])]
    assert max(gaps) - min(gaps) <= 2
    assert computer._evenly_spread(moves[:3], 1) == [1, 0, 2]


# --- how well it plays


def by_default(state: AnyState, seat: Seat) -> Move:
    move: Move = state.default_move(seat)
    return move


def by_chance(random: Random, state: AnyState, seat: Seat) -> Move:
    moves: tuple[Move, ...] = state.legal_moves(seat)
    return random.choice(moves)


def share_of_wins(game: Game, options: dict[str, int], deals: int, seed: str, opponent: Player) -> float:
    """The computer's share of the wins at tables of four; in each deal it sits once on every chair."""
    won = 0.0
    for deal in range(deals):
        for own in map(Seat, range(4)):
            state = game.new(4, options, f"{seed} {deal}")
            while awaited := state.to_move():
                seat = min(awaited)
                move = choose(game, state, seat, f"{seed} {state.ply}") if seat == own else opponent(state, seat)
                state, _ = state.apply(move)
            outcome = state.outcome()
            assert outcome is not None
            won += (own in outcome.winners) / len(outcome.winners)
    return won / (4 * deals)


@pytest.mark.parametrize(
    ("slug", "opponent", "options", "deals", "price"),
    [
        ("sea_change", "default", {"target": 1}, 10, PLIES // 4),
        ("sea_change", "chance", {"target": 1}, 10, PLIES // 4),
        ("siege_of_sunfall", "default", {}, 8, PLIES // 10),
        ("siege_of_sunfall", "chance", {}, 2, PLIES // 10),
    ],
)
def test_a_computer_beats_the_thoughtless(
    slug: str, opponent: str, options: dict[str, int], deals: int, price: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An equal among four would win a quarter. At a fraction of a decision's price a computer wins far more."""
    seed = f"{slug} against {opponent}"
    monkeypatch.setattr(computer, "PLIES", price)
    player: Player = by_default if opponent == "default" else partial(by_chance, Random(seed))
    share = share_of_wins(GAMES[slug], options, deals, seed, player)
    print(f"seed {seed!r}: {share:.0%} of {4 * deals} games")
    assert share >= 0.4
