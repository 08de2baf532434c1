"""Siege of Sunfall: events. No event contains a sealed number before the reveal, so every viewer sees each in full.

Those that playouts make most often are named tuples and no `PublicEvent`, because they are quicker to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rules.core.events import PublicEvent
from rules.core.game import Seat
from rules.siege_of_sunfall.types import Card, Kind, Reveal, RoundResult


@dataclass(frozen=True, slots=True)
class RoundBegan(PublicEvent):
    """Coins were paid and a pile was dealt (K1)."""

    round: int
    coins: tuple[int, ...]
    king: Seat


@dataclass(frozen=True, slots=True)
class Sealed(PublicEvent):
    """A seat sealed a pledge or its gold for the first time in this phase. Sealing again makes no event (K2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GoldUsed(PublicEvent):
    """The last holder of gold cards has sealed (K12): cards used by seat (None: not a holder)."""

    cards: tuple[int | None, ...]


class CardFaced(NamedTuple):
    """A card was turned up; `left` cards are in the pile under it, Siege End counted."""

    card: Card
    left: int

    def seen_by(self, viewer: Seat | None) -> CardFaced:
        """Return the event itself: it hides nothing."""
        return self


class PledgesRevealed(NamedTuple):
    """The last player sealed: all pledges are open (K2). In a tie `taker` and `crown_to` are not set yet (K6)."""

    reveal: Reveal

    def seen_by(self, viewer: Seat | None) -> PledgesRevealed:
        """Return the event itself: all players have sealed."""
        return self


class CardTaken(NamedTuple):
    """A player got the card (K4, K5); the taker of a crown card is King (K8)."""

    seat: Seat
    card: Card
    awarded: bool
    """The King decided it."""

    def seen_by(self, viewer: Seat | None) -> CardTaken:
        """Return the event itself: it hides nothing."""
        return self


class CardDiscarded(NamedTuple):
    """No seat got the card: the city lost it (K4), or all pledged 0 (K5)."""

    card: Card

    def seen_by(self, viewer: Seat | None) -> CardDiscarded:
        """Return the event itself: it hides nothing."""
        return self


@dataclass(frozen=True, slots=True)
class ArmiesPaid(PublicEvent):
    """An armies card paid (K10)."""

    seat: Seat
    armies: int


@dataclass(frozen=True, slots=True)
class SetTurnedIn(PublicEvent):
    """Three of a kind were turned in for an army and 5 coins (K11)."""

    seat: Seat
    kind: Kind


class Eliminated(NamedTuple):
    """The seats pledged least for a card that was not repelled, and are out of the round (K4)."""

    seats: tuple[Seat, ...]

    def seen_by(self, viewer: Seat | None) -> Eliminated:
        """Return the event itself: it hides nothing."""
        return self


class CrownPassed(NamedTuple):
    """The crown passed to another seat (K6, K8, K9)."""

    old: Seat
    new: Seat

    def seen_by(self, viewer: Seat | None) -> CrownPassed:
        """Return the event itself: it hides nothing."""
        return self


@dataclass(frozen=True, slots=True)
class RoundEnded(PublicEvent):
    """The round is over (K13). `siege_end`: that card ended it; else no player was left."""

    result: RoundResult
    siege_end: bool


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """The match is over: `seat` has most armies, or is the first of the tied clockwise from the King (K14)."""

    seat: Seat
    tied: tuple[Seat, ...]
    """The seats with the most armies, if more than one had them."""
