"""Siege of Sunfall: pledges sealed all at once, to hold the city and to gain by it. 3 to 6 players.

(the rules in prose and the variant chosen go here: house style 2)
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from rules.core.game import Json, Outcome, Seat


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


class Card(NamedTuple):
    """A card of the pile. `str(card)` is "swords 5", "boost", …; strength 0 for kinds without one."""

    kind: Kind
    strength: int = 0

    def __str__(self) -> str:
        return f"{self.kind.value} {self.strength}" if self.strength else self.kind.value


class Pledge(NamedTuple):
    """Seal a pledge: "pledge 3", "pledge 3 boost 1"."""

    seat: Seat
    coins: int
    boosts: int = 0


class Award(NamedTuple):
    """The King's decision in a tie (also K8's giving of the crown): "award 2"."""

    seat: Seat
    to: Seat


class UseGold(NamedTuple):
    """Seal how many gold cards are used: "gold 1"."""

    seat: Seat
    cards: int


Move = Pledge | Award | UseGold


class Phase(StrEnum):
    GOLD = "gold"
    PLEDGE = "pledge"
    AWARD = "award"
    OVER = "over"


class Held(NamedTuple):
    """Cards in front of a player: swords, helmets and bows not yet turned in, boosts, gold."""

    swords: int = 0
    helmet: int = 0
    bow: int = 0
    boost: int = 0
    gold: int = 0


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
    """All who pledged most, where more than one did."""
    taker: Seat | None
    """Who took the card, or the crown; None while the King decides, or where nobody did."""
    crown_to: Seat | None
    """The King after it, where the crown moved."""


class RoundResult(NamedTuple):
    """A finished round: armies gained at Siege End by seat (0 for the eliminated), and the armies of all after it."""

    round: int
    gained: tuple[int, ...]
    armies: tuple[int, ...]
    survivors: tuple[Seat, ...]


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
    """1 for the first card of the round."""
    pile: int
    """Cards left in the pile, Siege End counted."""
    king: Seat
    coins: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[Held, ...]
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
        """All of it, as lists and strings."""
        raise NotImplementedError


# Events. `seen_by` of each gives the event itself where nothing is said.


class RoundBegan(NamedTuple):
    round: int
    coins: tuple[int, ...]
    king: Seat


class Sealed(NamedTuple):
    """A seat sealed a pledge or its gold for the first time in this phase. Sealing anew makes no event."""

    seat: Seat


class GoldUsed(NamedTuple):
    """All holders have sealed: cards used by seat (None: not a holder)."""

    cards: tuple[int | None, ...]


class CardFaced(NamedTuple):
    card: Card
    left: int


class PledgesRevealed(NamedTuple):
    reveal: Reveal


class CardTaken(NamedTuple):
    seat: Seat
    card: Card
    awarded: bool
    """The King decided it."""


class CardDiscarded(NamedTuple):
    card: Card


class ArmiesPaid(NamedTuple):
    seat: Seat
    armies: int


class SetTurnedIn(NamedTuple):
    seat: Seat
    kind: Kind


class Eliminated(NamedTuple):
    seats: tuple[Seat, ...]


class CrownPassed(NamedTuple):
    old: Seat
    new: Seat


class RoundEnded(NamedTuple):
    """`siege_end`: the card ended it; else nobody was left."""

    result: RoundResult
    siege_end: bool


class MatchWon(NamedTuple):
    seat: Seat
    tied: tuple[Seat, ...]
    """All with the most armies, where more than one had."""


# State JSON (what `to_json` gives and `from_json` takes), for tests that set up a position. Cards by notation:
#
# {"seats": 4, "options": {}, "deck": {…}, "seed": "…", "ply": 0, "deals": 2,
#                                            deals: 0 shuffles the 51 cards, r places Siege End in round r
#  "phase": "pledge", "round": 1, "card_number": 1,
#  "card": "swords 5" or null, "pile": ["bow 3", …, "end", …],     this round's pile, next card first, Siege End in it
#  "undealt": ["helmet 2", …],                next card first
#  "discard": ["gold", …],                    used, lost, skipped and turned-in cards
#  "coins": [12, 12, 12, 12], "armies": [0, 0, 0, 0], "held": [["swords 5", "boost"], …],
#  "alive": [true, true, true, true], "king": 0,
#  "sealed": [null, [3, 1], null, null],      (coins, boosts) or (gold cards, 0)
#  "seals": [0, 1, 0, 0],                     how often each seat has sealed in this phase
#  "phases": 7,                               ordinal of the phase, for turn()
#  "award_to": [], "open_reveal": null or {...Reveal fields},
#  "last_reveal": null or {…}, "last_round": null or {…}, "outcome": null or Outcome.to_json()}
#
# No options. Deck table: {"strengths": {"swords": [2, 3, …], "helmet": […], "bow": […]}, "boost": 3, "gold": 3,
# "armies": 3, "crown": 3}; counts must add up to 51 cards.
