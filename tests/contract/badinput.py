"""Finds, for every game, positions in which typed words must be refused, with the sentence that says why.

Each game has a file `tests/contract/badinput_<slug>.py`:

- `WORDS`: what looks like a move and names none, and `NO_MOVE`, how the answer to that begins;
- `positions()`, where the game has any: positions that few matches come to;
- `bad(view)`: of a seat's view, what its player may type that the rules refuse, and how the answer begins ("" where
  any sentence will do), worked out from the view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from random import Random
from types import ModuleType
from typing import NamedTuple

from data.content.texts import texts
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState, IllegalMove, Refusal, Seat
from tests.contract.play import option_sets

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
MOST_GAMES = 60
"""Games played at most until every sentence of a game has been met."""
LEAST_GAMES = 3
ATTEMPTS = 16
"""Bad inputs in each position, drawn from all that the game's file has for it."""


class Bad(NamedTuple):
    """Words that are refused: in which position, who types them, for what reason, and the sentence."""

    state: AnyState
    seat: Seat
    text: str
    reason: str
    sentence: str


def bad_input(slug: str) -> ModuleType:
    return import_module(f"tests.contract.badinput_{slug}")


def labels(slug: str, seats: int) -> Labels:
    return Labels(NAMES[:seats], texts("en", slug))


def reasons(slug: str) -> frozenset[str]:
    """The refusals that the game has sentences for, but those that need not come to pass where there is one kind of
    move, or where everybody decides at once.
    """
    found = (key.removeprefix("refusal.") for key in texts("en", slug) if key.startswith("refusal."))
    return frozenset(found) - {Refusal.NOT_NOW.value, Refusal.OUT_OF_TURN.value}


def random_game(slug: str, number: int) -> Iterator[AnyState]:
    """The positions of a random game with any number of players and any options."""
    random = Random(f"bad input {slug} {number}")
    seats = random.choice(GAMES[slug].seats)
    state = GAMES[slug].new(seats, random.choice(list(option_sets(GAMES[slug], seats))), f"bad input {number}")
    yield state
    while awaited := sorted(state.to_move()):
        state, _ = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
        yield state


def attempts(slug: str, state: AnyState, seen: frozenset[str]) -> Iterator[tuple[Seat, str, str]]:
    """Who may type what in this position that is refused, and how the answer begins. `seen`: moves of earlier ones."""
    file, over = bad_input(slug), state.outcome() is not None
    for seat in map(Seat, range(state.view(None).seats)):
        if over or not state.legal_moves(seat):
            sentence = texts("en", slug)["refusal.game_over"] if over else ""
            yield from ((seat, text, sentence) for text in sorted(seen)[::7])
        yield from ((seat, text, file.NO_MOVE) for text in file.WORDS)
        if not over:
            yield from ((seat, text, sentence) for text, sentence in file.bad(state.view(seat)))


def refused(slug: str, state: AnyState, seat: Seat, text: str, begins: str) -> Bad:
    """The refusal of these words, which must be refused, with a sentence that begins so."""
    try:
        state.apply(GAMES[slug].parse(seat, text))
    except IllegalMove as error:
        sentence = labels(slug, state.view(None).seats).refusal(error)
        assert sentence.startswith(begins), f"seat {seat} types {text!r}: {sentence!r} should begin with {begins!r}"
        return Bad(state, seat, text, error.reason.value, sentence)
    raise AssertionError(f"seat {seat} may {text!r} in {state.to_json()}")


def refusals(slug: str) -> Iterator[Bad]:
    """Bad input at every ply of random games, until each sentence of the game was met."""
    met: set[str] = set()
    rare = getattr(bad_input(slug), "positions", tuple)
    games: list[Iterable[AnyState]] = [rare(), *(random_game(slug, number) for number in range(MOST_GAMES))]
    for number, game in enumerate(games):
        random, seen = Random(f"attempts {slug} {number}"), frozenset[str]()
        for state in game:
            seen |= {str(move) for seat in state.to_move() for move in state.legal_moves(seat)[:5]}
            found = list(attempts(slug, state, seen))
            for attempt in found if number == 0 else random.sample(found, min(len(found), ATTEMPTS)):
                bad = refused(slug, state, *attempt)
                met.add(bad.reason)
                yield bad
        if number > LEAST_GAMES and reasons(slug) <= met:
            return
    raise AssertionError(f"never refused with: {', '.join(sorted(reasons(slug) - met))}")


@cache
def examples(slug: str) -> tuple[Bad, ...]:
    """A refusal for each reason of the game, and another by somebody who may move."""
    found: dict[tuple[str, bool], Bad] = {}
    for bad in refusals(slug):
        found.setdefault((bad.reason, bool(bad.state.legal_moves(bad.seat))), bad)
    return tuple(found.values())
