"""What Siege of Sunfall speaks of: its numbers, cards, moves, refusals, views and events."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, final

from rules.core import text
from rules.core.game import Json, Outcome, Seat

PILES = {3: (8, 12), 4: (10, 12), 5: (10, 10), 6: (12, 10)}
"""Cards a round and starting coins, by number of players."""

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


@lru_cache(maxsize=256)
def card_of(notation: str) -> Card:
    kind, _, strength = notation.partition(" ")
    return Card(Kind(kind), int(strength or 0))


def cards_of(notations: list[str]) -> tuple[Card, ...]:
    return tuple(map(card_of, notations))


@final
class Pledge(NamedTuple):
    """Seal a pledge: "pledge 3", "pledge 3 boost 1"."""

    seat: Seat
    coins: int
    boosts: int = 0

    def __str__(self) -> str:
        return f"pledge {self.coins} boost {self.boosts}" if self.boosts else f"pledge {self.coins}"


@final
class Award(NamedTuple):
    """The King's decision in a tie (also K8's giving of the crown): "award 2"."""

    seat: Seat
    to: Seat

    def __str__(self) -> str:
        return f"award {self.to}"


@final
class UseGold(NamedTuple):
    """Seal how many gold cards are used: "gold 1"."""

    seat: Seat
    cards: int

    def __str__(self) -> str:
        return f"gold {self.cards}"


Move = Pledge | Award | UseGold


class Reason(StrEnum):
    """Why a move was refused, and the facts that come with it."""

    TOO_MANY_COINS = "too_many_coins"
    """coins: the pledge tried; have."""
    TOO_MANY_BOOSTS = "too_many_boosts"
    """boosts: how many were tried; have."""
    TOO_MANY_GOLD_CARDS = "too_many_gold_cards"
    """cards: how many were tried; have."""
    NO_GOLD_CARDS = "no_gold_cards"
    """Only holders of gold cards are asked."""
    NOT_IN_ROUND = "not_in_round"
    """The seat is out until the next round."""
    NOT_KING = "not_king"
    """king: the seat that decides."""
    NOT_TIED = "not_tied"
    """to: a seat that may not get what is awarded."""
    CROWN_GIVEN_AWAY = "crown_given_away"
    """K8: a King among the tied for the crown cannot keep it."""


class Phase(StrEnum):
    """What is asked: gold cards to use, a pledge, the King's decision, or nothing any more."""

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
        kinds = [card.kind for card in cards]
        return cls(*(kinds.count(kind) for kind in (Kind.SWORDS, Kind.HELMET, Kind.BOW, Kind.BOOST, Kind.GOLD)))


def _lists(fields: Mapping[str, Any]) -> Json:
    """The fields as `json.loads` returns them: lists for tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


class Reveal(NamedTuple):
    """Opened pledges. `pledges` and `boosts` by seat (None: had no part); `total` counts the boosts."""

    card: Card
    pledges: tuple[int | None, ...]
    boosts: tuple[int | None, ...]
    total: int
    repelled: bool | None
    """None for cards that are not repelled."""
    eliminated: tuple[Seat, ...]
    tied: tuple[Seat, ...]
    """The seats that pledged most, if more than one did; () if no seat gets the card (lost, or all pledged 0)."""
    taker: Seat | None
    """Who took the card, or the crown; None while the King decides, or if no seat did."""
    crown_to: Seat | None
    """The new King, if the crown moved."""

    def to_json(self) -> Json:
        return {**_lists(self._asdict()), "card": str(self.card)}

    @classmethod
    def from_json(cls, data: Json) -> Reveal:
        lists = ("pledges", "boosts", "eliminated", "tied")
        return cls(**{**data, "card": card_of(data["card"]), **{name: tuple(data[name]) for name in lists}})


class RoundResult(NamedTuple):
    """A finished round: armies gained at Siege End by seat (0 for the eliminated), and the armies of all after it."""

    round: int
    gained: tuple[int, ...]
    armies: tuple[int, ...]
    survivors: tuple[Seat, ...]

    def to_json(self) -> Json:
        return _lists(self._asdict())

    @classmethod
    def from_json(cls, data: Json) -> RoundResult:
        return cls(data["round"], tuple(data["gained"]), tuple(data["armies"]), tuple(data["survivors"]))


class SiegeView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Coins and cards are those before sealed pledges."""

    viewer: Seat | None
    seats: int
    phase: Phase
    round: int
    rounds: int
    card: Card | None
    """The card faced; None in the gold phase and when the game is over."""
    card_number: int
    """1 for the first card of the round; 0 before it and when the game is over."""
    pile: int
    """Cards left in the pile, Siege End counted."""
    king: Seat
    coins: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[HeldCards, ...]
    alive: tuple[bool, ...]
    """Who is in the round."""
    to_move: tuple[Seat, ...]
    sealed: tuple[Seat, ...]
    """Who has sealed in this phase."""
    own_seal: tuple[int, int] | None
    """The viewer's own sealed (coins, boosts), or (gold cards, 0)."""
    award_to: tuple[Seat, ...]
    """Among whom the King decides, in the award phase."""
    open_reveal: Reveal | None
    """The opened pledges that the King decides on, in the award phase."""
    last_reveal: Reveal | None
    last_round: RoundResult | None
    starting_coins: int
    strengths: tuple[tuple[Kind, tuple[int, ...]], ...]
    """The deck table: strengths by kind."""
    outcome: Outcome | None

    def to_json(self) -> Json:
        """All of it, as lists and strings; what is held and the strengths by kind."""
        return {
            **_lists(self._asdict()),
            "card": self.card and str(self.card),
            "held": [held._asdict() for held in self.held],
            "open_reveal": self.open_reveal and self.open_reveal.to_json(),
            "last_reveal": self.last_reveal and self.last_reveal.to_json(),
            "last_round": self.last_round and self.last_round.to_json(),
            "strengths": _lists(dict(self.strengths)),
            "outcome": self.outcome and self.outcome.to_json(),
        }

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


# Events. Everybody sees all of them: what is sealed is in no event before the reveal.


class RoundBegan(NamedTuple):
    """Coins were paid and a pile was dealt."""

    round: int
    coins: tuple[int, ...]
    king: Seat

    def seen_by(self, viewer: Seat | None) -> RoundBegan:
        return self


class Sealed(NamedTuple):
    """A seat sealed a pledge or its gold for the first time in this phase. Sealing again makes no event (K2)."""

    seat: Seat

    def seen_by(self, viewer: Seat | None) -> Sealed:
        return self


class GoldUsed(NamedTuple):
    """All holders have sealed: cards used by seat (None: not a holder)."""

    cards: tuple[int | None, ...]

    def seen_by(self, viewer: Seat | None) -> GoldUsed:
        return self


class CardFaced(NamedTuple):
    """A card was turned up; `left` are in the pile under it, Siege End counted."""

    card: Card
    left: int

    def seen_by(self, viewer: Seat | None) -> CardFaced:
        return self


class PledgesRevealed(NamedTuple):
    """The last one sealed: all pledges are open. In a tie `taker` and `crown_to` are still to come."""

    reveal: Reveal

    def seen_by(self, viewer: Seat | None) -> PledgesRevealed:
        return self


class CardTaken(NamedTuple):
    """A player got the card; who gets a crown card is King (K8)."""

    seat: Seat
    card: Card
    awarded: bool
    """The King decided it."""

    def seen_by(self, viewer: Seat | None) -> CardTaken:
        return self


class CardDiscarded(NamedTuple):
    """No seat got the card: the city lost it, or all pledged 0."""

    card: Card

    def seen_by(self, viewer: Seat | None) -> CardDiscarded:
        return self


class ArmiesPaid(NamedTuple):
    """An armies card paid."""

    seat: Seat
    armies: int

    def seen_by(self, viewer: Seat | None) -> ArmiesPaid:
        return self


class SetTurnedIn(NamedTuple):
    """Three of a kind were turned in for an army and 5 coins."""

    seat: Seat
    kind: Kind

    def seen_by(self, viewer: Seat | None) -> SetTurnedIn:
        return self


class Eliminated(NamedTuple):
    """They pledged least, and it did not suffice."""

    seats: tuple[Seat, ...]

    def seen_by(self, viewer: Seat | None) -> Eliminated:
        return self


class CrownPassed(NamedTuple):
    """The King is another one now."""

    old: Seat
    new: Seat

    def seen_by(self, viewer: Seat | None) -> CrownPassed:
        return self


class RoundEnded(NamedTuple):
    """`siege_end`: the card ended it; else no player was left."""

    result: RoundResult
    siege_end: bool

    def seen_by(self, viewer: Seat | None) -> RoundEnded:
        return self


class MatchWon(NamedTuple):
    seat: Seat
    tied: tuple[Seat, ...]
    """The seats with the most armies, if more than one had them."""

    def seen_by(self, viewer: Seat | None) -> MatchWon:
        return self
