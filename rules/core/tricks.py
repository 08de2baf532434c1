"""What trick-taking games share: cards and moves, following suit, the end of a trick, the tricks that stay visible.

Inside a State a suit is its place in the game's suits and a card the integer 32 * suit + rank, so that `card >> 5` is
the suit and sorted cards lie by suit and rank. A *player* is a seat, or the AI of a solo game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, NewType, TypeVar

from rules.core.game import AnyState, Event, IllegalMove, Refusal, Seat

Card = NewType("Card", str)
"""Notation of a card, such as "B9"."""

Suit = NewType("Suit", str)
"""Letter of a suit, such as "B"."""


class Unplayable(StrEnum):
    """Why a card was refused. Facts of both: `card`, and `legal`, the cards that may be played: "B4, B9"."""

    NOT_IN_HAND = "not_in_hand"
    """The seat does not hold that card."""
    MUST_FOLLOW = "must_follow"
    """The seat holds the suit to follow (fact `suit`: "B"), and the rules do not let it play another (C5, S2)."""


class Play(NamedTuple):
    """A move: one card from the hand. `str(move)` is "play B9"."""

    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


class TrickTaken(NamedTuple):
    """The trick is complete: the player who takes it, and its cards in the order played."""

    winner: int
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None) -> TrickTaken:
        """Return the event itself. No `PublicEvent` dataclass: those are slow to make, and this event is made often."""
        return self


T = TypeVar("T")


class Cards:
    """All cards of a game, as integers and by notation. Lookups by card are tuples with gaps: tuples are fast."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.number: Mapping[str, int] = {name: card for card, name in names.items()}
        self.name = tuple(Card(names.get(card, "")) for card in range(max(names) + 1))
        self._typed = {name.lower(): Card(name) for name in self.number}

    def names(self, cards: Iterable[int]) -> tuple[Card, ...]:
        """Return the notation of these cards, in their order."""
        name = self.name
        return tuple([name[card] for card in cards])

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the integers of cards given by notation, in their order. Raises KeyError for an unknown card."""
        return tuple([self.number[name] for name in names])

    def by_player(self, players: int, kind: Callable[[Any, Card], T]) -> tuple[tuple[T, ...], ...]:
        """Return `kind(player, card)` for each player and card, by both: moves, facts or events made beforehand."""
        return tuple(tuple(kind(player, name) for name in self.name) for player in range(players))

    def parse(self, seat: Seat, text: str) -> Play:
        """Return the move that "play B9" names, in any case. Raises IllegalMove(UNPARSABLE)."""
        verb, _, name = " ".join(text.lower().split()).partition(" ")
        if verb != "play" or name not in self._typed:
            raise IllegalMove(Refusal.UNPARSABLE, text=text)
        return Play(seat, self._typed[name])

    def in_hand(self, state: Any, seat: Seat) -> list[Play]:
        """Return the cards of the seat's hand as moves ahead: which of them fit is known once others have played."""
        return [Play(seat, name) for name in self.names(state.hands[seat])]


def holds(hand: Sequence[int], suit: int) -> bool:
    """Return whether a sorted hand holds a card of the suit; a hand without one is void in it."""
    at = bisect_left(hand, suit << 5)
    return at < len(hand) and hand[at] >> 5 == suit


def strongest(lays: Sequence[int], strength: Mapping[int, Any] | Sequence[int]) -> int:
    """Return the place in the trick of the card that takes it: the one of the greatest `strength`."""
    return lays.index(max(lays, key=strength.__getitem__))


def refusal(state: AnyState, move: Play, reason: Unplayable, **facts: str) -> IllegalMove:
    """Return the exception for a card that may not be played, with the cards that may."""
    legal = ", ".join([play.card for play in state.legal_moves(move.seat)])
    return IllegalMove(reason, card=move.card, legal=legal, **facts)


def visible_history(events: Sequence[Event], closed: tuple[type[Event], ...]) -> tuple[Event | None, ...]:
    """Keep the current and the last complete trick as they were; of earlier ones only their winners (C7, S9).

    Events of the kinds `closed` are left out: they tell of cards that players may not look back at.
    """
    ends = [at for at, event in enumerate(events) if isinstance(event, TrickTaken)]
    open_from = ends[-2] + 1 if len(ends) > 1 else 0

    def visible(event: Event) -> Event | None:
        if isinstance(event, TrickTaken):
            return event._replace(cards=())
        return None if isinstance(event, closed) else event

    return (*map(visible, events[:open_from]), *events[open_from:])
