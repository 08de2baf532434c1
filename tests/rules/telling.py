"""Prints a match of each game with all that there is to see of it, after a line with a set of texts as it comes out.

`python -m tests.rules.telling`. Everything follows from fixed seeds, so two processes print the same but for the first
line, however Python hashes: tests/rules/test_order.py compares them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from rules import GAMES
from rules.core.computer import choose
from rules.core.game import AnyState, Game, Seat, chosen_options
from tests.support.traits import nearest_seats

PLIES = 80
"""As many moves of each match are made."""
THINKING = 20
"""One in so many is a computer's choice."""


def data(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)  # in the order of its keys, and no set fits in


def standing(game: Game, state: AnyState, seats: range) -> Iterator[str]:
    """A position: all of it, what each viewer sees, and what each seat may do."""
    yield data(state.to_json())
    yield data(game.from_json(state.to_json()).to_json())
    yield data(state.redeal_unseen(Seat(state.ply % len(seats)), "another").to_json())
    outcome = state.outcome()
    yield data([sorted(state.to_move()), outcome and outcome.to_json()])
    yield data(state.view(None).to_json())
    for seat in map(Seat, seats):
        moves = state.legal_moves(seat)
        yield data([state.view(seat).to_json(), state.turn(seat), state.may_take_back(seat)])
        yield data([*map(str, moves)])
        if moves:
            yield data(
                [str(state.default_move(seat)), str(game.rollout_move(state, seat, 12_345)), game.evaluate(state, seat)]
            )


def match(game: Game, seats: range) -> Iterator[str]:
    """The beginning of a match, or all of a short one; every event as each viewer learns of it."""
    random = Random(game.slug)
    options = chosen_options(game, len(seats), {})
    yield f"{game.slug} {data(options)} {game.options(len(seats), options)}"
    state = game.new(len(seats), options, f"hashes of {game.slug}")
    happened = [*state.opening()]
    yield from standing(game, state, seats)
    while (awaited := sorted(state.to_move())) and state.ply < PLIES:
        seat = random.choice(awaited)
        move = random.choice(state.legal_moves(seat))
        if state.ply % THINKING == 0:
            move = choose(game, state, seat, "hashes")
        state, events = state.apply(move)
        happened += events
        yield f"{move} {[[event.seen_by(viewer) for viewer in (None, *map(Seat, seats))] for event in events]}"
        yield from standing(game, state, seats)
    yield f"{game.visible_history(happened)}"


if __name__ == "__main__":
    print({"Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"})
    for slug in sorted(GAMES):
        print(*match(GAMES[slug], range(nearest_seats(GAMES[slug], 3))), sep="\n")
