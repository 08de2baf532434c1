"""Playing in tests of rules: cards by their notation or at random, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from rules.core.game import AnyState, BadOption, Event, Game, IllegalMove, Refusal, Seat
from rules.core.tricks import Card, Play


def some(events: Iterable[Event | None], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Iterable[Event], kind: type[Any]) -> Any:
    (event,) = some(events, kind)
    return event


def play(state: AnyState, cards: str) -> tuple[AnyState, list[Event]]:
    """The cards played one after the other, each by the player to move."""
    events: list[Event] = []
    for card in cards.split():
        (seat,) = state.to_move()
        state, new = state.apply(Play(seat, Card(card)))
        events += new
    return state, events


def play_at_random(state: AnyState, random: Random, plies: int) -> tuple[AnyState, list[Event]]:
    events: list[Event] = []
    for _ in range(plies):
        (seat,) = state.to_move()
        state, new = state.apply(random.choice(state.legal_moves(seat)))
        events += new
    return state, events


def legal(state: AnyState, seat: int) -> set[str]:
    """The cards that the seat may play."""
    return {move.card for move in state.legal_moves(Seat(seat))}


def refused(state: AnyState, seat: int, card: str) -> IllegalMove:
    """The refusal of a card."""
    with pytest.raises(IllegalMove) as caught:
        state.apply(Play(Seat(seat), Card(card)))
    return caught.value


def bad_option(make: Callable[..., object], *given: Any) -> str:
    """The option for which that is refused."""
    with pytest.raises(BadOption) as caught:
        make(*given)
    return caught.value.option


def check_decks_are_refused(game: Game[Any, Any, Any], seats: int, decks: Iterable[Any]) -> None:
    for deck in decks:
        print(deck)
        assert bad_option(game.check_deck, deck) == bad_option(game.new, seats, {"deck": deck}, "seed") == "deck"


def check_words_are_refused(game: Game[Any, Any, Any], texts: str) -> None:
    """None of them is a move of the game; "|" stands between two."""
    for text in texts.split("|"):
        print(repr(text))
        with pytest.raises(IllegalMove) as caught:
            game.parse(Seat(0), text)
        assert caught.value.reason is Refusal.UNPARSABLE


def compare(positions: int, one: Callable[[Random], Iterable[str]], ways: set[str]) -> Counter[str]:
    """Compare so many random positions with a second version, each as `one` does, which says what happened. In a
    thousand all these ways were met.
    """
    happened = Counter[str]()
    for number in range(positions):
        seed = f"naive {number}"
        print("position of seed", repr(seed))
        happened.update(one(Random(seed)))
    print(happened)
    assert positions < 1_000 or set(happened) >= ways, "every way was met"
    return happened


def verbs(game: Game[Any, Any, Any]) -> tuple[set[str], set[str]]:
    """Play some matches at random. Return the first words of moves that were a player's only one, and of all others."""
    random, forced, free = Random(game.slug), set[str](), set[str]()
    print(f"moves by seed {game.slug}")
    for number in range(6):
        state = game.new(game.seats[-1], {}, f"{game.slug} {number}")
        while awaited := sorted(state.to_move()):
            moves = state.legal_moves(random.choice(awaited))
            (forced if len(moves) == 1 else free).update(str(move).split()[0] for move in moves)
            state, _ = state.apply(random.choice(moves))
    return forced, free
