"""What a test of any game finds out by playing it: how many play, how long, and what there is to do."""

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
"""Plies of it."""
LONG = 150
"""Plies of a match that are looked at."""


def near(game: Game[Any, Any, Any], wanted: int) -> int:
    """The number of players that is nearest to `wanted` among those that the game takes; of two, the smaller."""
    return min(game.seats, key=lambda seats: abs(seats - wanted))


@cache
def courses(slug: str, seats: int) -> tuple[tuple[AnyState, ...], ...]:
    """The positions of some random matches, from the first on, at most LONG of each."""
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
    """As many plies as wanted, or in a short game a third of its shortest random match."""
    players = near(GAMES[slug], 3) if seats is None else seats
    return min(wanted, max(1, min(map(len, courses(slug, players))) // 3))


@cache
def lasting(slug: str, seats: int, wanted: int) -> dict[str, str] | None:
    """Options with which a match lasts for that many plies: of everything that is a number, the smallest. None if no
    option makes it last.
    """
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
    """Whether this seat, which is to move, has a single legal move and nothing to take back."""
    return len(state.legal_moves(seat)) == 1 and not state.may_take_back(seat)


def forces(slug: str) -> bool:
    """Whether each match comes to positions in which somebody has no choice, and goes on after them."""
    positions = [course[:-2] for course in courses(slug, near(GAMES[slug], 3))]
    return all(any(no_choice(state, seat) for state in states for seat in state.to_move()) for states in positions)


def takes_back(slug: str) -> bool:
    """Whether a player may ever take the last move back alone."""
    seats = near(GAMES[slug], 3)
    states = (state for course in courses(slug, seats) for state in course)
    return any(state.may_take_back(Seat(seat)) for state in states for seat in range(seats))


def has_steps(slug: str) -> bool:
    """Whether each match begins with moves of which some take two presses: a choice that leads to another choice."""
    seats, drawn = near(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))

    def step(state: AnyState, seat: Seat) -> bool:
        prompt = drawn.prompt(state.view(seat), state.legal_moves(seat), (), labels)
        return any(choice.move is None for choice in prompt.choices)

    beginnings = [course[:BEGINNING] for course in courses(slug, seats)]
    return all(any(step(state, seat) for state in states for seat in state.to_move()) for states in beginnings)


def looks_back(slug: str) -> bool:
    """Whether the renderer paints what lies behind: the last trick, say."""
    seats, drawn = near(GAMES[slug], 3), renderer(slug)
    labels = Labels(NAMES[:seats], texts(DEFAULT, slug))
    return any(drawn.paint_last(state.view(None), labels) for state in courses(slug, seats)[0])
