"""Traits of a game that tests find out by playing random matches: seats, length, undo, steps of a choice."""

from __future__ import annotations

from functools import cache
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


def allows_undo(slug: str) -> bool:
    """Return whether a player may ever undo the last move without a vote."""
    seats = nearest_seats(GAMES[slug], 3)
    states = (state for course in sample_matches(slug, seats) for state in course)
    return any(state.may_take_back(Seat(seat)) for state in states for seat in range(seats))


def has_steps(slug: str) -> bool:
    """Return whether each match has, near its beginning, a move of several presses: a choice that leads to another."""
    seats, drawn = nearest_seats(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))

    def step(state: AnyState, seat: Seat) -> bool:
        prompt = drawn.prompt(state.view(seat), state.legal_moves(seat), (), labels)
        return any(choice.move is None for choice in prompt.choices)

    beginnings = [course[:BEGINNING] for course in sample_matches(slug, seats)]
    return all(any(step(state, seat) for state in states for seat in state.to_move()) for states in beginnings)


def paints_last(slug: str) -> bool:
    """Return whether the renderer paints a picture of the last trick or turn."""
    seats, drawn = nearest_seats(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))
    return any(drawn.paint_last(state.view(None), labels) for state in sample_matches(slug, seats)[0])
