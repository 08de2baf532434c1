"""Computer players: legal, bounded, blind to what is hidden, and better than chance. Seeds are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest

from rules import GAMES
from rules.core import computer
from rules.core import search as searching
from rules.core.computer import LEVELS, Level, choose
from rules.core.game import AnyState, Game, Seat
from rules.core.leads import chances
from rules.core.records import margin
from rules.core.search import MOST_CANDIDATES, Tried, evenly_spread, foreseen, mixed, mixtures, pick, search
from tests.rules.naive_siege_of_sunfall import position
from tests.rules.playing_siege_of_sunfall import after
from tests.strength.arena import deal
from tests.support.hasty import hasty_levels
from tests.support.published import PUBLISHED

TABLES = [
    pytest.param((slug, seats), marks=[] if seats == min(game.seats) else pytest.mark.long)
    for slug, game in GAMES.items()
    for seats in game.seats
]
"""Every game with the fewest players; in long runs with every number."""


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
    monkeypatch.setattr(computer, "LEVELS", hasty_levels(24))


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
    return [seat for seat in map(Seat, range(seats)) if len(state.legal_moves(seat)) > 1]


@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_makes_legal_moves(level: Level, table: tuple[Game, int, str], hasty: None) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 4):
        for seat in map(Seat, range(seats)):
            if moves := state.legal_moves(seat):
                assert choose(game, state, seat, seed, level) in moves


@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_does_not_know_what_is_hidden(level: Level, table: tuple[Game, int, str], hasty: None) -> None:
    """What it does is the same in every position that its seat cannot tell from the real one."""
    game, seats, seed = table
    for number, state in enumerate(positions(game, seats, f"{seed} hidden", 3)):
        for seat in asked_in(state, seats):
            move = choose(game, state, seat, seed, level)
            assert move == choose(game, state, seat, seed, level)
            for redeal in range(2):
                other = state.redeal_unseen(seat, f"{seed} {number} {redeal}")
                assert choose(game, other, seat, seed, level) == move


def test_a_slip_is_the_second_or_third_best_move_but_not_a_bad_one_or_to_do_nothing(
    table: tuple[Game, int, str], hasty: None
) -> None:
    game, seats, seed = table
    playouts = computer.LEVELS["beginner"].playouts
    for state in positions(game, seats, f"{seed} slips", 3):
        for seat in asked_in(state, seats):
            best, *others = search(game, state, seat, seed, playouts)
            most = 0.75 * max([tried.lost for tried in others], default=0)
            near = others[:2] if len(others) > 2 else others[:1]
            slips = [tried.move for tried in near if tried.lost <= most and tried.move != state.default_move(seat)]
            assert choose(replace(game, slips=0), state, seat, seed, "beginner") == best.move
            for all_of_them in (60, 100):
                assert choose(replace(game, slips=all_of_them), state, seat, seed, "beginner") in (slips or [best.move])


def test_what_a_move_lost_is_judged_by_the_playouts_that_it_shares_with_the_best(
    table: tuple[Game, int, str],
) -> None:
    game, seats, seed = table
    for state in positions(game, seats, f"{seed} lost", 2):
        for seat in asked_in(state, seats):
            best, *others = search(game, state, seat, seed, 60)
            assert best.lost == 0
            for tried in others:
                shared = [more - less for more, less in zip(best.values, tried.values, strict=False)]
                assert len(shared) == len(tried.values)
                assert tried.lost == pytest.approx(fmean(shared))


def test_a_beginner_makes_no_senseless_move() -> None:
    """The only player with coins holds the wall; a King who may take three armies does not give them to a rival."""
    pile = ("bow 4", "swords 3", "helmet 5", "end")
    alone: Any = position(4, "helmet 2", pile=pile, coins=[6, 0, 0, 0], armies=[4, 2, 2, 0])
    tied: Any = after(position(4, "armies", pile=pile, coins=[2, 5, 2, 1]), 1, 1, 1, 1)
    for state, sensible in ((alone, "pledge 1"), (tied, "award 0")):
        made = {str(choose(SIEGE, state, Seat(0), f"seed {number}", "beginner")) for number in range(40)}
        assert made == {sensible}


def test_of_moves_that_did_equally_well_none_ends_the_turn(hasty: None) -> None:
    """In Full Circle an extra turn may be declined, but a person expects that it is not."""
    game, extra = replace(GAMES["full_circle"], evaluate=lambda state, seat: 0.5), 0
    for state in positions(game, 3, "ties", 60):
        seat = min(state.to_move())
        moves = [str(move) for move in state.legal_moves(seat)]
        if "stop" in moves[1:]:
            extra += 1
            assert str(choose(game, state, seat, "seed", "strong")) != "stop"
    assert extra


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


@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_is_shown_redeals_only(level: Level, table: tuple[Game, int, str], hasty: None) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 3):
        for seat in asked_in(state, seats):
            onlooked: Any = Onlooked(state)
            choose(game, onlooked, seat, seed, level)
            assert onlooked.asked <= {"legal_moves", "default_move", "redeal_unseen"}


def test_seats_that_a_match_does_not_have_have_no_moves(table: tuple[Game, int, str]) -> None:
    game, seats, seed = table
    for state in positions(game, seats, seed, 3):
        assert all(state.legal_moves(Seat(number)) == () for number in range(seats, game.seats[-1] + 1))


@pytest.mark.parametrize("playouts", [1, 60, 300])
def test_a_decision_costs_what_it_may(table: tuple[Game, int, str], playouts: int) -> None:
    """Each move is tried in each halving; otherwise there are as many playouts as asked for, or a few less."""
    game, seats, seed = table
    for state in positions(game, seats, seed, 2):
        seat = (asked_in(state, seats) or sorted(state.to_move()))[0]
        found = search(game, state, seat, seed, playouts)
        made = sum(len(tried.values) for tried in found)
        assert made <= max(playouts, 2 * len(found) + 2)
        assert made >= (playouts // 2 if len(found) > 1 else 0)
        assert all(tried.total == pytest.approx(sum(tried.values)) for tried in found)
        assert len(found[0].values) == max(len(tried.values) for tried in found)


def test_an_unknown_level_is_refused() -> None:
    state = GAMES["sea_change"].new(4, {}, "seed")
    with pytest.raises(ValueError, match="beginner, friend, strong"):
        choose(GAMES["sea_change"], state, min(state.to_move()), "seed", "genius")  # type: ignore[arg-type]


def test_the_only_move_is_made_at_once(table: tuple[Game, int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    game, seats, seed = table
    monkeypatch.setattr(searching, "sample_position", None)
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
    spread = evenly_spread(moves, 37)
    assert spread[0] == 37
    assert len(set(spread)) == len(spread) == MOST_CANDIDATES
    assert {0, 99} <= set(spread)
    gaps = [after - before for before, after in pairwise(spread[1:])]
    assert max(gaps) - min(gaps) <= 2
    assert evenly_spread(moves[:3], 1) == [1, 0, 2]


# How well it plays: docs/strength.md has the measurements; this shows that nothing is broken.


@pytest.mark.games("slug", short=[], long=PUBLISHED)
def test_each_level_beats_chance_and_the_search_beats_the_book(slug: str) -> None:
    """A player of equal strength would win one half, or one third of the matches of three."""
    seats = GAMES[slug].seats[0] if GAMES[slug].seats[0] > 1 else 2
    fair = 1 / seats
    for one, others, deals in (("beginner", "random", 8), ("32", "random", 2)):
        seeds = [f"{slug} {one} {number}" for number in range(deals)]
        found = fmean([deal(slug, seats, one, others, seed) for seed in seeds])
        print(f"seeds {seeds}: {one} among {others} wins {found:.0%}")
        assert found > fair, (one, others)


# Moves that several seats seal at once.

SIEGE = GAMES["siege_of_sunfall"]


def test_a_mixture_is_of_legal_moves_and_adds_up() -> None:
    state = SIEGE.new(4, {}, "mixture")
    for seat in map(Seat, range(4)):
        found = mixed(SIEGE, state, seat, "seed", 300)
        assert {tried.move for tried in found} <= set(state.legal_moves(seat))
        assert sum(tried.share for tried in found) == pytest.approx(1)
        assert [tried.share for tried in found] == sorted([tried.share for tried in found], reverse=True)
        assert all(tried.total == pytest.approx(sum(tried.values)) for tried in found)
        assert 300 <= sum(len(tried.values) for tried in found) < 300 + len(found)


def test_a_mixture_leans_from_habit_to_what_brings_more() -> None:
    """Compared to the first mixture, a move is made the more often, the more it brought."""
    for number in range(4):
        state, seat = SIEGE.new(3 + number % 4, {}, f"lean {number}"), Seat(number % 3)
        before = {tried.move: tried.share for tried in mixed(SIEGE, state, seat, "seed", 0)}
        usual = {SIEGE.rollout_move(state, seat, draw) for draw in range(64)}
        assert max(before, key=lambda move: before[move]) in usual
        assert min(before[move] for move in usual) > max(before[move] for move in {*before} - usual)
        found = sorted(mixed(SIEGE, state, seat, "seed", 200), key=lambda tried: tried.mean)
        grown = [tried.share / before[tried.move] for tried in found if tried.share]
        assert len(grown) > 1 and all(more > less * 0.999999 for less, more in pairwise(grown))


def test_a_mixture_does_not_depend_on_what_others_have_sealed() -> None:
    state = SIEGE.new(3, {}, "sealed")
    first = mixed(SIEGE, state, Seat(0), "seed", 200)
    for other, coins in ((1, 12), (1, 0), (2, 5)):
        state, _ = state.apply(SIEGE.parse(Seat(other), f"pledge {coins}"))
        assert {tried.move for tried in mixed(SIEGE, state, Seat(0), "seed", 200)} == {tried.move for tried in first}


def test_the_strong_computer_mixes_what_it_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "LEVELS", hasty_levels(100))
    state = SIEGE.new(4, {}, "mixes")
    assert len({choose(SIEGE, state, Seat(1), f"seed {number}", "strong") for number in range(6)}) > 1


def test_if_no_other_seat_seals_a_move_the_best_one_is_made() -> None:
    game = GAMES["full_circle"]
    state = game.new(3, {}, "alone")
    seat = min(state.to_move())
    found = mixed(game, state, seat, "seed", 100)
    assert found == search(game, state, seat, "seed", 100)
    assert [tried.share for tried in found] == [1.0] + [0.0] * (len(found) - 1)


def test_moves_are_picked_as_often_as_their_share_says() -> None:
    moves: Any = ["a", "b", "c"]
    picked = [pick(moves, [0.5, 0.0, 0.5], number << 22) for number in range(1024)]
    assert [picked.count(move) for move in moves] == [512, 0, 512]
    assert pick(moves, [0.3, 0.4, 0.3 - 1e-9], 2**32 - 1) == "b", "whatever is lost in rounding goes to the likeliest"


def test_chances_add_up_and_a_lead_counts_less_if_luck_is_great() -> None:
    assert chances([3, 3, 3], 4) == [pytest.approx(1 / 3)] * 3
    close, clear = chances([10, 6], 8), chances([10, 6], 4)
    assert 0.5 < close[0] < clear[0] < 1
    assert clear[0] / clear[1] == pytest.approx(2.718, rel=0.01)
    assert chances([10_000, 0], 1)[1] < 1e-4


@pytest.mark.parametrize("seats", SIEGE.seats)
def test_rules_of_thumb_hold_the_wall_together(seats: int) -> None:
    """Each has the coins for its share here, so together they reach the strength, and hardly pledge more."""
    print(f"seed 'wall {seats}'")
    random = Random(f"wall {seats}")
    for number in range(40):
        state: Any = SIEGE.new(seats, {}, f"wall {number}")
        strength = state.position.card.strength
        pledged = [SIEGE.rollout_move(state, Seat(seat), random.getrandbits(32)) for seat in range(seats)]
        assert strength == 0 or strength <= sum(pledge.coins for pledge in pledged) <= strength + seats


def test_what_rivals_are_foreseen_to_seal_hangs_less_on_luck() -> None:
    """Of an attack: the coins that the three others pledge on average, by seed."""
    game, state = GAMES["siege_of_sunfall"], position(4, "swords 8", pile=("swords 9", "end"))

    def pledged(found: Mapping[Seat, Sequence[Tried[Any]]]) -> float:
        return sum(tried.share * tried.move.coins for seat in map(Seat, (1, 2, 3)) for tried in found[seat])

    once, often = (
        pstdev(pledged(look(game, state, Seat(0), f"luck {number}", 240)) for number in range(8))
        for look in (mixtures, foreseen)
    )
    assert often < 0.7 * once, (often, once)
