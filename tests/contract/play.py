"""Plays games for the contract tests: every choice of seats and options, moves drawn evenly from the legal ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from rules import GAMES
from rules.core.game import AnyGame, AnyState, Event, Json, Move, Option, OptionValue, Seat

MOST_PLIES = 20_000
"""A game that is longer than this under random moves does not end."""


class Setting(NamedTuple):
    """What a match is made of. `options` as pairs, to be hashable."""

    slug: str
    seats: int
    options: tuple[tuple[str, OptionValue], ...]
    seed: str

    @property
    def game(self) -> AnyGame:
        return GAMES[self.slug]

    def new(self) -> AnyState:
        return self.game.new(self.seats, dict(self.options), self.seed)

    def __str__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.options)
        return "-".join(filter(None, (self.slug, str(self.seats), chosen, self.seed)))


class Step(NamedTuple):
    """A move that was made: the state before it, the move, what happened."""

    state: AnyState
    move: Move
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game: its steps and the state at its end."""

    setting: Setting
    steps: tuple[Step, ...]
    end: AnyState

    @property
    def states(self) -> tuple[AnyState, ...]:
        """Every state, the last one included."""
        return (*(step.state for step in self.steps), self.end)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event, those of the opening first."""
        return (*self.steps[0].state.opening(), *(event for step in self.steps for event in step.events))


def option_sets(game: AnyGame, seats: int) -> Iterator[dict[str, OptionValue]]:
    """Every choice of options with that many players; of long ranges of numbers the smallest and the default."""

    def branch(chosen: dict[str, OptionValue]) -> Iterator[dict[str, OptionValue]]:
        left = [option for option in game.options(seats, chosen) if option.name not in chosen]
        if not left:
            yield chosen
            return
        # Numbers last: their default may follow from the rest.
        option = min(left, key=lambda option: type(option.default) is int)
        for value in sampled(option):
            yield from branch({**chosen, option.name: value})

    return branch({})


def sampled(option: Option) -> tuple[OptionValue, ...]:
    if type(option.default) is int and len(option.values) > 2:
        numbers = [value for value in option.values if isinstance(value, int)]
        return tuple(sorted({min(numbers), option.default}))
    return option.values


def settings(slug: str, seed: str) -> tuple[Setting, ...]:
    """Every choice of seats and options of a game, under one seed."""
    game = GAMES[slug]
    return tuple(
        Setting(slug, seats, tuple(sorted(options.items())), seed)
        for seats in game.seats
        for options in option_sets(game, seats)
    )


@lru_cache(maxsize=2)
def play(setting: Setting) -> Played:
    """The game played to its end: now and then by a seat that is not awaited but may act, else by an awaited one."""
    random = Random(str(setting))
    seats = tuple(Seat(seat) for seat in range(setting.seats))
    state = setting.new()
    steps: list[Step] = []
    while awaited := sorted(state.to_move()):
        others = [seat for seat in seats if seat not in awaited and state.legal_moves(seat)]
        seat = random.choice(others) if others and random.random() < 0.2 else random.choice(awaited)
        move = random.choice(state.legal_moves(seat))
        after, events = state.apply(move)
        steps.append(Step(state, move, events))
        state = after
        assert len(steps) < MOST_PLIES, f"{setting} does not end"
    return Played(setting, tuple(steps), state)


def to_the_end(state: AnyState, random: Random) -> AnyState:
    """The state after random moves of awaited seats until no player is awaited."""
    for _ in range(MOST_PLIES):
        awaited = sorted(state.to_move())
        if not awaited:
            return state
        state, _ = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
    raise AssertionError("the game does not end")


@lru_cache(maxsize=2)
def stored(setting: Setting) -> tuple[Json, ...]:
    """Every state of the game that `play` gives as `to_json` gives it."""
    return tuple(state.to_json() for state in play(setting).states)


def through_text(data: Json) -> Json:
    """The same data after json.dumps and json.loads, as the store keeps it."""
    loaded: Json = json.loads(json.dumps(data, allow_nan=False))
    return loaded


def copy_of(setting: Setting, state: AnyState) -> AnyState:
    """The state, made again from its stored text."""
    return setting.game.from_json(through_text(state.to_json()))


def without_seed(state: AnyState) -> dict[str, Any]:
    """The position alone: what a redeal may change, besides the chance to come."""
    return {key: value for key, value in state.to_json().items() if key != "seed"}


def viewers(setting: Setting) -> tuple[Seat | None, ...]:
    """Every seat, and the onlooker."""
    return (*map(Seat, range(setting.seats)), None)


def seats(setting: Setting) -> tuple[Seat, ...]:
    return tuple(map(Seat, range(setting.seats)))
