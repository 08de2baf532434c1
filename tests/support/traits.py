"""Traits of a game that tests find out by playing random matches: seats, length, undo, steps of a choice."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import product
from random import Random
from typing import Any

from data.content.texts import DEFAULT, texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState, Game, Seat

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
MATCHES = 5
BEGINNING = 12
"""The plies at the beginning of a match that `has_steps` looks at."""
LONG = 150
"""The most plies of a sample match."""


def nearest_seats(game: Game[Any, Any, Any], wanted: int) -> int:
    """Return the number of players nearest to `wanted` that the game takes; of two, the smaller."""
    return min(game.seats, key=lambda seats: abs(seats - wanted))


@cache
def sample_matches(slug: str, seats: int) -> tuple[tuple[AnyState, ...], ...]:
    """Return the positions of some random matches, at most LONG of each."""
    found = []
    for number in range(MATCHES):
        random = Random(f"course {slug} {seats} {number}")
        state = GAMES[slug].new(seats, {}, f"course {number}")
        course = [state]
        while (awaited := sorted(state.to_move())) and len(course) < LONG:
            state, _ = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
            course.append(state)
        found.append(tuple(course))
    return tuple(found)


def plies(slug: str, wanted: int, seats: int | None = None) -> int:
    """Return `wanted`, but in a short game at most a third of the plies of its shortest sample match."""
    players = nearest_seats(GAMES[slug], 3) if seats is None else seats
    return min(wanted, max(1, min(map(len, sample_matches(slug, players))) // 3))


@cache
def lasting(slug: str, seats: int, wanted: int) -> dict[str, str] | None:
    """Return the smallest numeric options with which matches last at least `wanted` plies; None if there are none."""
    numbers = {o.name: sorted(map(int, o.values)) for o in GAMES[slug].options(seats, {}) if type(o.default) is int}
    for step in range(max(map(len, numbers.values()), default=1)):
        options = {name: values[min(step, len(values) - 1)] for name, values in numbers.items()}
        if all(_lasts(slug, seats, options, wanted, Random(f"lasting {number}")) for number in range(MATCHES)):
            return {name: str(value) for name, value in options.items()}
    return None


def _lasts(slug: str, seats: int, options: dict[str, int], wanted: int, random: Random) -> bool:
    state = GAMES[slug].new(seats, options, f"{random.random()}")
    for _ in range(wanted):
        if not (awaited := sorted(state.to_move())):
            return False
        state, _ = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
    return True


def no_choice(state: AnyState, seat: Seat) -> bool:
    """Return whether this awaited seat has exactly one legal move, and no move to undo."""
    return len(state.legal_moves(seat)) == 1 and not state.may_take_back(seat)


def forces(slug: str) -> bool:
    """Return whether each sample match has a position before its end in which a player has no choice."""
    positions = [course[:-2] for course in sample_matches(slug, nearest_seats(GAMES[slug], 3))]
    return all(any(no_choice(state, seat) for state in states for seat in state.to_move()) for states in positions)


def allows_undo(slug: str) -> bool:
    """Return whether a player may ever undo the last move without a vote."""
    seats = nearest_seats(GAMES[slug], 3)
    states = (state for course in sample_matches(slug, seats) for state in course)
    return any(state.may_take_back(Seat(seat)) for state in states for seat in range(seats))


@cache
def hides(slug: str) -> bool:
    """Return whether a player sees anything that another may not know: cards, or sealed moves."""
    seats = nearest_seats(GAMES[slug], 3)
    states = (state for course in sample_matches(slug, seats) for state in course)
    pairs = [(Seat(one), Seat(other)) for one in range(seats) for other in range(seats) if one != other]
    return any(
        state.redeal_unseen(one, "other").view(other) != state.view(other) for state in states for one, other in pairs
    )


def has_steps(slug: str) -> bool:
    """Return whether each match has, near its beginning, a move of several presses: a choice that leads to another."""
    seats, drawn = nearest_seats(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))

    def step(state: AnyState, seat: Seat) -> bool:
        prompt = drawn.question(state.view(seat), state.legal_moves(seat), (), labels)
        return any(choice.move is None for choice in prompt.choices)

    beginnings = [course[:BEGINNING] for course in sample_matches(slug, seats)]
    return all(any(step(state, seat) for state in states for seat in state.to_move()) for states in beginnings)


def paints_last(slug: str) -> bool:
    """Return whether the renderer paints a picture of the last trick or turn."""
    seats, drawn = nearest_seats(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))
    return any(drawn.paint_last(state.view(None), labels) for state in sample_matches(slug, seats)[0])


def names_ahead(slug: str) -> bool:
    """Return whether players of the game may name a move for their next decision."""
    return GAMES[slug].ahead is not next(field.default for field in fields(Game) if field.name == "ahead")


def in_teams(slug: str) -> bool:
    """Return whether three people can play the game in teams."""
    game, seats = GAMES[slug], nearest_seats(GAMES[slug], 3)
    options = game.options(seats, {})
    choices = product(*(option.values for option in options))
    return any(game.teams(seats, dict(zip([o.name for o in options], values, strict=True))) for values in choices)
