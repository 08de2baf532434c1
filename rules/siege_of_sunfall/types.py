"""Siege of Sunfall: numbers, cards, moves, reasons for refusing a move, and views. Its events are in events.py."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, final

from rules.core import text
from rules.core.game import Json, Outcome, Seat
from rules.core.records import json_object

PILES = {3: (8, 12), 4: (10, 12), 5: (10, 10), 6: (12, 10)}
"""By number of players: the cards in a round and the starting coins."""

BOOST_ADDS = 2
GOLD_PAYS = 3
ARMIES_PAY = 3
SET_SIZE = 3
SET_ARMIES = 1
SET_COINS = 5


class Kind(StrEnum):
    """A kind of card. The first three have a strength."""

    SWORDS = "swords"
    HELMET = "helmet"
    BOW = "bow"
    BOOST = "boost"
    GOLD = "gold"
    ARMIES = "armies"
    CROWN = "crown"
    END = "end"


ATTACKERS = (Kind.SWORDS, Kind.HELMET, Kind.BOW)


class Card(NamedTuple):
    """A card of the pile. `str(card)` is "swords 5", "boost", …; strength 0 for kinds without one."""

    kind: Kind
    strength: int = 0

    def __str__(self) -> str:
        return f"{self.kind.value} {self.strength}" if self.strength else self.kind.value

    def to_json(self) -> str:
        """Return its notation."""
        return str(self)

    @classmethod
    def from_json(cls, notation: str) -> Card:
        """Return the card of a notation."""
        return card_of(notation)


@lru_cache(maxsize=256)
def card_of(notation: str) -> Card:
    """Return the card of a notation, such as "swords 5" or "boost". Raises ValueError for an unknown kind."""
    kind, _, strength = notation.partition(" ")
    return Card(Kind(kind), int(strength or 0))


def cards_of(notations: list[str]) -> tuple[Card, ...]:
    """Return the cards of these notations, in their order."""
    return tuple(map(card_of, notations))


@final
class Pledge(NamedTuple):
    """Seal a pledge (K2): "pledge 3", "pledge 3 boost 1"."""

    seat: Seat
    coins: int
    boosts: int = 0

    def __str__(self) -> str:
        return f"pledge {self.coins} boost {self.boosts}" if self.boosts else f"pledge {self.coins}"


@final
class Award(NamedTuple):
    """The King's decision in a tie (K6), or to whom he gives the crown (K8): "award 2"."""

    seat: Seat
    to: Seat

    def __str__(self) -> str:
        return f"award {self.to}"


@final
class UseGold(NamedTuple):
    """Seal how many gold cards to use (K12): "gold 1"."""

    seat: Seat
    cards: int

    def __str__(self) -> str:
        return f"gold {self.cards}"


Move = Pledge | Award | UseGold


class Reason(StrEnum):
    """Why a move was refused. Each reason lists the facts that come with it."""

    TOO_MANY_COINS = "too_many_coins"
    """coins: the number tried; have: the number in hand."""
    TOO_MANY_BOOSTS = "too_many_boosts"
    """boosts: the number tried; have: the number in hand."""
    TOO_MANY_GOLD_CARDS = "too_many_gold_cards"
    """cards: the number tried; have: the number in hand."""
    NO_GOLD_CARDS = "no_gold_cards"
    """Only players with gold cards decide about them (K12)."""
    NOT_IN_ROUND = "not_in_round"
    """The seat is out until the next round."""
    NOT_KING = "not_king"
    """king: the seat that decides (K6)."""
    NOT_TIED = "not_tied"
    """to: a seat to which the King may not award the card (K6, K8)."""
    CROWN_GIVEN_AWAY = "crown_given_away"
    """A King among the tied for the crown cannot keep it (K8)."""


class Phase(StrEnum):
    """The decision to make: gold cards to use, a pledge, the King's award, or none after the match."""

    GOLD = "gold"
    PLEDGE = "pledge"
    AWARD = "award"
    OVER = "over"


class HeldCards(NamedTuple):
    """Cards in front of a player: swords, helmets and bows not yet turned in, boosts, gold."""

    swords: int = 0
    helmet: int = 0
    bow: int = 0
    boost: int = 0
    gold: int = 0

    @classmethod
    def of(cls, cards: tuple[Card, ...]) -> HeldCards:
        """Return the number of cards of each kind."""
        kinds = [card.kind for card in cards]
        return cls(*(kinds.count(kind) for kind in (Kind.SWORDS, Kind.HELMET, Kind.BOW, Kind.BOOST, Kind.GOLD)))


class Reveal(NamedTuple):
    """Opened pledges (K2). `pledges` and `boosts` by seat (None: not in the round); `total` counts the boosts."""

    card: Card
    pledges: tuple[int | None, ...]
    boosts: tuple[int | None, ...]
    total: int
    repelled: bool | None
    """None for cards that do not attack."""
    eliminated: tuple[Seat, ...]
    tied: tuple[Seat, ...]
    """The seats that pledged most, if more than one did; () if no seat gets the card (lost, or all pledged 0)."""
    taker: Seat | None
    """The seat that took the card, or the crown; None while the King decides, or if no seat did."""
    crown_to: Seat | None
    """The new King, if the crown moved."""


class RoundResult(NamedTuple):
    """A finished round (K13): armies gained at its end by seat (0 for the eliminated), then the armies of all."""

    round: int
    gained: tuple[int, ...]
    armies: tuple[int, ...]
    survivors: tuple[Seat, ...]


class SiegeView(NamedTuple):
    """What a seat (`viewer` None: an onlooker) may know (K16). Coins and cards are those before sealed pledges."""

    viewer: Seat | None
    seats: int
    phase: Phase
    round: int
    rounds: int
    card: Card | None
    """The card faced; None in the gold phase and after the match."""
    card_number: int
    """1 for the first card of the round; 0 before it and after the match."""
    pile: int
    """The number of cards left in the pile, with Siege End."""
    king: Seat
    coins: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[HeldCards, ...]
    alive: tuple[bool, ...]
    """By seat: whether it is in the round."""
    to_move: tuple[Seat, ...]
    sealed: tuple[Seat, ...]
    """The seats that have sealed in this phase."""
    own_seal: tuple[int, int] | None
    """The viewer's own sealed (coins, boosts), or (gold cards, 0)."""
    award_to: tuple[Seat, ...]
    """The seats among which the King decides, in the award phase."""
    open_reveal: Reveal | None
    """The opened pledges that the King decides on, in the award phase."""
    last_reveal: Reveal | None
    last_round: RoundResult | None
    starting_coins: int
    strengths: tuple[tuple[Kind, tuple[int, ...]], ...]
    """The deck table: strengths by kind."""
    outcome: Outcome | None

    def to_json(self) -> Json:
        """Return the whole view, as lists, objects and strings; the strengths by kind."""
        return json_object(self) | {"strengths": {kind: list(row) for kind, row in self.strengths}}

    def __str__(self) -> str:
        """The board as text. "King" marks the King, "out" a player who is out of the round."""
        marks = [
            text.listed(["King"] * (seat == self.king) + ["out"] * (not alive) + ["sealed"] * (seat in self.sealed))
            for seat, alive in enumerate(self.alive)
        ]
        kinds = [f"{kind.value} {text.listed(row)}" for kind, row in self.strengths]
        rows = zip(range(self.seats), self.coins, self.armies, *zip(*self.held, strict=True), marks, strict=True)
        return text.board(
            f"Siege of Sunfall: round {self.round} of {self.rounds}, {self.phase.value}, {self.pile} cards in the pile",
            f"Card {self.card_number}: {self.card}" if self.card else "",
            f"Strengths: {', '.join(kinds)}",
            _pledged(self.open_reveal or self.last_reveal),
            text.table(("seat", "coins", "armies", *HeldCards._fields, ""), *rows),
            f"The King awards it to one of {text.listed(self.award_to)}" if self.award_to else "",
            text.turn(self.viewer, self.to_move, self.outcome),
            f"You have sealed {text.listed(self.own_seal)} (coins or gold cards, boosts)" if self.own_seal else "",
        )


def _pledged(reveal: Reveal | None) -> str:
    if reveal is None:
        return ""
    pledges = text.listed("-" if coins is None else coins for coins in reveal.pledges)
    return f"Last pledges, by seat: {pledges} for {reveal.card}"
