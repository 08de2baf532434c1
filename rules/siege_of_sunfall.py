"""Siege of Sunfall: pledges sealed all at once, to hold the city and to gain by it. 3 to 6 players.

Every round a small pile of cards is dealt to the middle, each player gets the same few coins, and the cards are turned
up one at a time. For each card every player still in the round seals a pledge of coins, none or all of them, with as
many of their boost cards (2 more each) as they like; when the last one has sealed, all are opened and paid.

- Swords, helmets and bows attack. Pledges that together reach the card's strength repel it, and the highest pledge
  takes the card; three of a kind are turned in at once for an army and 5 coins. Pledges that fall short lose the card,
  and whoever pledged least is out of the round.
- Boost, gold, armies and crown threaten nobody. The highest pledge of at least 1 takes them: a boost is added to some
  later pledge, a gold card is 3 more coins at the start of some later round, armies are 3 armies at once, the crown
  makes its taker King.
- The King decides between players who pledged the same. Taking a card himself costs him the crown, which passes to his
  left, and for a crown card he must name somebody else.

Somewhere in the lower half of the pile lies Siege End. When it is turned up, or when nobody is left, the round is over:
survivors gain an army and one more for each coin they kept. When no whole pile can be dealt any more, most armies win;
a tie goes to the first of the tied clockwise from the King.

Variant: the game of 2015, 51 cards. Its rulebook gives neither the distribution nor the strengths of the cards: those
below are the house's. Boosts are chosen when sealing, not after all have sealed. The rulings K1 to K16 are named where
they act; the ones that the rulebook does not settle:

- K1 Siege End is equally likely at each place below the upper half of the pile, the very bottom included.
- K2 A player who has sealed may seal anew until the last one has; nobody is told.
- K6, K7, K9 The crown passes to the next player clockwise who is still in the round; where nobody is, to the next seat.
- K8 A King among the tied for a crown card gives the crown to another of them or to the survivor on his left.
- K10 Armies won are kept by the eliminated, and so are cards held.
- K12 Gold cards are used, all at once and sealed, before a round's first card is turned up.
- K13 Coins kept by the eliminated count for nothing. A lone survivor plays on until Siege End.

Where the cards are, for whoever counts them: the 51 are the card faced, the pile, the undealt, the cards held and the
discard, in which the skipped ones, never turned up, come first. Siege End is a 52nd: in the pile while a round runs and
nowhere once it was turned up or nobody is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from operator import add, sub
from typing import Any, NamedTuple, TypeVar, final

from rules.core.chance import Shuffled, shuffle
from rules.core.game import BadOption, Event, Game, IllegalMove, Json, Outcome, Refusal, Seat, chosen_options

# The deck table. The rulebook counts 51 cards and names their kinds; every number here is the house's.
STRENGTHS = (2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10)  # house: alike in swords, helmets and bows
SPECIALS = {"boost": 3, "gold": 3, "armies": 3, "crown": 3}  # house: how many of each
CARDS = 51

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


class Held(NamedTuple):
    """Cards in front of a player: swords, helmets and bows not yet turned in, boosts, gold."""

    swords: int = 0
    helmet: int = 0
    bow: int = 0
    boost: int = 0
    gold: int = 0

    @classmethod
    def of(cls, cards: tuple[Card, ...]) -> Held:
        kinds = [card.kind for card in cards]
        return cls(*(kinds.count(kind) for kind in (Kind.SWORDS, Kind.HELMET, Kind.BOW, Kind.BOOST, Kind.GOLD)))


def _lists(fields: Mapping[str, Any]) -> Json:
    """The fields as JSON gives them back: lists for tuples."""
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
    """All who pledged most, where more than one did; () where nobody gets the card (lost, or all pledged 0)."""
    taker: Seat | None
    """Who took the card, or the crown; None while the King decides, or where nobody did."""
    crown_to: Seat | None
    """The King after it, where the crown moved."""

    def to_json(self) -> Json:
        return {**_lists(self._asdict()), "card": str(self.card)}

    @classmethod
    def from_json(cls, data: Json) -> Reveal:
        lists = ("pledges", "boosts", "eliminated", "tied")
        return cls(**{**data, "card": _card(data["card"]), **{name: tuple(data[name]) for name in lists}})


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


# Events. Everybody sees all of them: what is sealed is in no event before the reveal.


class RoundBegan(NamedTuple):
    """Coins were paid and a pile was dealt."""

    round: int
    coins: tuple[int, ...]
    king: Seat

    def seen_by(self, viewer: Seat | None) -> RoundBegan:
        return self


class Sealed(NamedTuple):
    """A seat sealed a pledge or its gold for the first time in this phase. Sealing anew makes no event (K2)."""

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
    """Nobody got the card: the city lost it, or all pledged 0."""

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
    """`siege_end`: the card ended it; else nobody was left."""

    result: RoundResult
    siege_end: bool

    def seen_by(self, viewer: Seat | None) -> RoundEnded:
        return self


class MatchWon(NamedTuple):
    seat: Seat
    tied: tuple[Seat, ...]
    """All with the most armies, where more than one had."""

    def seen_by(self, viewer: Seat | None) -> MatchWon:
        return self


class Deck(NamedTuple):
    """A complete deck table, and the cards it makes, in its order."""

    strengths: tuple[tuple[Kind, tuple[int, ...]], ...]
    counts: tuple[tuple[Kind, int], ...]
    cards: tuple[Card, ...]

    def to_json(self) -> Json:
        return {"strengths": {kind: list(row) for kind, row in self.strengths}, **dict(self.counts)}

    @classmethod
    def from_json(cls, table: Json) -> Deck:
        strengths = tuple((kind, tuple(table["strengths"][kind])) for kind in ATTACKERS)
        counts = tuple((Kind(name), table[name]) for name in SPECIALS)
        cards = [Card(kind, strength) for kind, row in strengths for strength in row]
        return cls(strengths, counts, (*cards, *(Card(kind) for kind, count in counts for _ in range(count))))


def check_deck(table: Mapping[str, Any]) -> Json:
    """The complete deck table from a partial one. Raises BadOption("deck", …).

    >>> check_deck({"boost": 4, "gold": 2})["gold"]
    2
    """

    def demand(holds: bool, why: str) -> None:
        if not holds:
            raise BadOption("deck", why)

    def whole(value: object, least: int) -> bool:
        return type(value) is int and value >= least

    demand(isinstance(table, Mapping), f"not a table: {table!r}")
    for name in table:
        demand(name == "strengths" or name in SPECIALS, f"no such key: {name!r}")
    rows = table.get("strengths", {})
    demand(isinstance(rows, Mapping), f"strengths are lists by kind, not {rows!r}")
    for name in rows:
        demand(name in ATTACKERS, f"only {', '.join(ATTACKERS)} have strengths, not {name!r}")
        demand(isinstance(rows[name], list | tuple), f"{name}: not a list of strengths: {rows[name]!r}")
        for strength in rows[name]:
            demand(whole(strength, 1), f"{name}: a strength is a whole number of at least 1, not {strength!r}")
    strengths = {kind.value: list(rows.get(kind, STRENGTHS)) for kind in ATTACKERS}
    counts = {name: table.get(name, count) for name, count in SPECIALS.items()}
    for name, count in counts.items():
        demand(whole(count, 0), f"{name}: a number of cards is a whole number of at least 0, not {count!r}")
    total = sum(map(len, strengths.values())) + sum(counts.values())
    demand(total == CARDS, f"the cards add up to {total}, not to {CARDS}")
    return {"strengths": strengths, **counts}


_DECK = Deck.from_json(check_deck({}))


@lru_cache(maxsize=256)
def _card(notation: str) -> Card:
    kind, _, strength = notation.partition(" ")
    return Card(Kind(kind), int(strength or 0))


_END = _card("end")


def _cards(notations: list[str]) -> tuple[Card, ...]:
    return tuple(_card(notation) for notation in notations)


# Sets of seats are bit masks inside a position; these tables make all else of them.
_MOST_SEATS = max(PILES)
_SEATS = tuple(Seat(seat) for seat in range(_MOST_SEATS))
_BITS = tuple(1 << seat for seat in _SEATS)
_SEATS_IN = tuple(tuple(seat for seat in _SEATS if mask >> seat & 1) for mask in range(1 << _MOST_SEATS))
_SET_OF = tuple(frozenset(seats) for seats in _SEATS_IN)

# Members of an enum are slow to look up by name in Python 3.11.
_BOOST, _GOLD, _ARMIES, _CROWN = Kind.BOOST, Kind.GOLD, Kind.ARMIES, Kind.CROWN
_USING_GOLD, _PLEDGING, _AWARDING, _OVER = Phase.GOLD, Phase.PLEDGE, Phase.AWARD, Phase.OVER

# A NamedTuple made from a tuple of its fields takes half the time of a call with them.
_new = tuple.__new__

# Made once: events and moves that come again and again.
_SEALED = tuple((Sealed(seat),) for seat in _SEATS)
_EVERYBODY = tuple((1 << seats) - 1 for seats in range(_MOST_SEATS + 1))
_NOTHING = tuple((0,) * seats for seats in range(_MOST_SEATS + 1))
_PLACES = {seats: tuple(str(place) for place in range(pile - pile // 2 + 1)) for seats, (pile, _) in PILES.items()}


@lru_cache(maxsize=2048)
def _pledges(seat: Seat, coins: int, boosts: int) -> tuple[Pledge, ...]:
    return tuple(Pledge(seat, c, b) for b in range(boosts + 1) for c in range(coins + 1))


_T = TypeVar("_T")


def _put(row: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    changed = list(row)
    changed[at] = value
    return tuple(changed)


def _take_out(held: tuple[Card, ...], kind: Kind, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards that stay, and the first `count` of the kind."""
    out = tuple(card for card in held if card.kind is kind)[:count]
    stay = list(held)
    for card in out:
        stay.remove(card)
    return tuple(stay), out


class Setup(NamedTuple):
    """What stays the same for a whole match."""

    seats: int
    deck: Deck
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # never the seed: a repr may reach a log


class Round(NamedTuple):
    """What stays the same for a whole round."""

    number: int
    undealt: tuple[Card, ...]
    skipped: tuple[Card, ...]
    """Never turned up in earlier rounds: they lay under Siege End, or nobody was left. Nobody has seen them."""
    last: RoundResult | None


class Players(NamedTuple):
    """What lies before the players and on the discard pile; it changes when pledges or gold cards are opened."""

    coins: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[tuple[Card, ...], ...]
    boosts: tuple[int, ...]
    gold: tuple[int, ...]
    """How many boost and gold cards are in `held`."""
    discard: tuple[Card, ...]
    """Used, lost and turned in."""
    alive: int
    king: Seat


class Position(NamedTuple):
    """All of a state but what is sealed: it stays the same until the last one has sealed."""

    setup: Setup
    round: Round
    phase: Phase
    phases: int
    asked: int
    """Who has a move in this phase."""
    card_number: int
    card: Card | None
    pile: tuple[Card, ...]
    players: Players
    award_to: tuple[Seat, ...]
    open_reveal: Reveal | None
    last_reveal: Reveal | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        return f"Position(phase {self.phases}: {self.phase.value})"  # never the cards: a repr may reach a log


class _Table:
    """`Players` while something is resolved: the only thing here that changes, and it is never kept."""

    __slots__ = ("alive", "armies", "boosts", "coins", "discard", "events", "gold", "held", "king")

    def __init__(self, players: Players, events: list[Event]) -> None:
        self.coins, self.armies, self.held, self.boosts, self.gold, self.discard, self.alive, self.king = players
        self.events = events

    def players(self) -> Players:
        return _new(
            Players,
            (self.coins, self.armies, self.held, self.boosts, self.gold, self.discard, self.alive, self.king),
        )

    def pay(self, sealed: tuple[int, ...], boosted: tuple[int, ...]) -> tuple[int, ...]:
        """K3; gives what the pledges count, 0 for those who are out (K2)."""
        self.coins = tuple(map(sub, self.coins, sealed))
        if not any(boosted):
            return sealed
        self.spend(_BOOST, boosted)
        return tuple([coins + BOOST_ADDS * boosts for coins, boosts in zip(sealed, boosted, strict=True)])

    def spend(self, kind: Kind, counts: tuple[int, ...]) -> None:
        """Discard so many boost or gold cards of each seat."""
        for seat, count in enumerate(counts):
            if count:
                stay, spent = _take_out(self.held[seat], kind, count)
                self.held = _put(self.held, seat, stay)
                self.discard += spent
        if kind is _BOOST:
            self.boosts = tuple(map(sub, self.boosts, counts))
        else:
            self.gold = tuple(map(sub, self.gold, counts))

    def lose(self, card: Card) -> None:
        self.discard += (card,)
        self.events.append(_new(CardDiscarded, (card,)))

    def crown(self, seat: Seat) -> Seat | None:
        """Make the seat King; gives it where it was not the King before."""
        if seat == self.king:
            return None
        self.events.append(CrownPassed(self.king, seat))
        self.king = seat
        return seat

    def left(self, seat: Seat) -> Seat:
        """The next seat clockwise that is in the round; the next one where nobody is (K7)."""
        seats = len(self.coins)
        for step in range(1, seats):
            if self.alive >> (left := (seat + step) % seats) & 1:
                return Seat(left)
        return Seat((seat + 1) % seats)

    def eliminate(self, seats: tuple[Seat, ...]) -> Seat | None:
        """K4 and K9; gives the new King, where the crown passes."""
        self.events.append(_new(Eliminated, (seats,)))
        for seat in seats:
            self.alive -= _BITS[seat]
        return self.crown(self.left(self.king)) if self.king in seats else None

    def take(self, seat: Seat, card: Card, awarded: bool) -> Seat | None:
        """Give the card to the seat, with all that it brings at once (K6, K8, K10, K11); gives the new King, if any."""
        self.events.append(_new(CardTaken, (seat, card, awarded)))
        kind = card.kind
        if kind is _CROWN:
            self.discard += (card,)
            return self.crown(seat)
        if kind is _ARMIES:
            self.discard += (card,)
            self.armies = _put(self.armies, seat, self.armies[seat] + ARMIES_PAY)
            self.events.append(ArmiesPaid(seat, ARMIES_PAY))
        else:
            mine = (*self.held[seat], card)
            self.held = _put(self.held, seat, mine)
            if kind is _BOOST:
                self.boosts = _put(self.boosts, seat, self.boosts[seat] + 1)
            elif kind is _GOLD:
                self.gold = _put(self.gold, seat, self.gold[seat] + 1)
            elif len(mine) >= SET_SIZE:
                self.turn_in(seat, kind)
        # K6: the King favoured himself.
        return self.crown(self.left(seat)) if awarded and seat == self.king else None

    def turn_in(self, seat: Seat, kind: Kind) -> None:
        """K11, where the seat has a set."""
        stay, out = _take_out(self.held[seat], kind, SET_SIZE)
        if len(out) == SET_SIZE:
            self.held = _put(self.held, seat, stay)
            self.discard += out
            self.armies = _put(self.armies, seat, self.armies[seat] + SET_ARMIES)
            self.coins = _put(self.coins, seat, self.coins[seat] + SET_COINS)
            self.events.append(SetTurnedIn(seat, kind))


def _begin_round(setup: Setup, before: Round, phases: int, table: _Table, reveal: Reveal | None) -> Position:
    """Deal the next pile with Siege End in it (K1), pay coins, and ask for gold cards or turn up the first card."""
    seats, number, undealt = setup.seats, before.number + 1, before.undealt
    size, coins = PILES[seats]
    places = _PLACES[seats]
    drawn = shuffle(setup.seed, number, places)
    end = size // 2 + int(drawn[0])
    pile = (*undealt[:end], _END, *undealt[end:size])
    round_ = Round(number, undealt[size:], before.skipped, before.last)
    table.coins = (coins,) * seats
    table.alive = _EVERYBODY[seats]
    table.events.append(Shuffled(number, places, drawn))
    table.events.append(RoundBegan(number, table.coins, table.king))
    if not any(table.gold):
        return _turn_up(setup, round_, phases, 0, pile, table, reveal)
    holders = _mask(table.gold)
    return Position(
        setup, round_, _USING_GOLD, phases + 1, holders, 0, None, pile, table.players(), (), None, reveal, None
    )


def _turn_up(
    setup: Setup,
    round_: Round,
    phases: int,
    number: int,
    pile: tuple[Card, ...],
    table: _Table,
    reveal: Reveal | None,
) -> Position:
    """The next card of the pile, which is not Siege End, is faced."""
    card, alive = pile[0], table.alive
    table.events.append(_new(CardFaced, (card, len(pile) - 1)))
    players = table.players()
    return _new(
        Position,
        (setup, round_, _PLEDGING, phases + 1, alive, number + 1, card, pile[1:], players, (), None, reveal, None),
    )


def _go_on(last: Position, table: _Table, reveal: Reveal) -> Position:
    """After a card: the next one, or the round's end at Siege End or where nobody is left (K13)."""
    setup, round_, _, phases, _, number, _, pile, _, _, _, _, _ = last
    if table.alive and pile[0] != _END:
        return _turn_up(setup, round_, phases, number, pile, table, reveal)
    survivors = _SEATS_IN[table.alive]
    gained = [0] * setup.seats
    for seat in survivors:
        gained[seat] = 1 + table.coins[seat]
    table.armies = tuple(map(add, table.armies, gained))
    table.coins = _NOTHING[setup.seats]
    result = RoundResult(round_.number, tuple(gained), table.armies, survivors)
    table.events.append(RoundEnded(result, bool(survivors)))
    skipped = round_.skipped + tuple([card for card in pile if card != _END])
    round_ = Round(round_.number, round_.undealt, skipped, result)
    if len(round_.undealt) >= PILES[setup.seats][0]:
        return _begin_round(setup, round_, phases, table, reveal)
    outcome = _decide_match(setup.seats, table)
    return Position(setup, round_, _OVER, phases + 1, 0, 0, None, (), table.players(), (), None, reveal, outcome)


def _decide_match(seats: int, table: _Table) -> Outcome:
    """Most armies win; a tie goes to the first of the tied clockwise from the King (K14)."""
    armies, king = table.armies, table.king
    tied = tuple(seat for seat in _SEATS_IN[_EVERYBODY[seats]] if armies[seat] == max(armies))
    winner = min(tied, key=lambda seat: (seat - king) % seats)
    table.events.append(MatchWon(winner, tied if len(tied) > 1 else ()))
    return Outcome(frozenset((winner,)), armies, "crown_tie" if len(tied) > 1 else "armies")


def _open_pledges(last: Position, sealed: tuple[int, ...], boosted: tuple[int, ...], events: list[Event]) -> Position:
    """All have sealed: pay and compare (K3, K4, K5), up to the next thing that somebody decides."""
    card = last.card
    assert card is not None
    table = _Table(last.players, events)
    alive = table.alive
    powers = table.pay(sealed, boosted)
    total, most = sum(powers), max(powers)
    repelled = total >= card.strength if card.strength else None
    eliminated: tuple[Seat, ...] = ()
    tied: tuple[Seat, ...] = ()
    award_to: tuple[Seat, ...] = ()
    taker: Seat | None = None
    crown_to: Seat | None = None
    opened_at = len(events)
    if repelled is False:
        players = _SEATS_IN[alive]
        least = min([powers[seat] for seat in players])
        eliminated = tuple([seat for seat in players if powers[seat] == least])
        table.lose(card)
        crown_to = table.eliminate(eliminated)
    elif most == 0:
        table.lose(card)
    else:
        if powers.count(most) == 1:
            taker = _SEATS[powers.index(most)]
        else:
            tied = tuple([seat for seat in _SEATS_IN[alive] if powers[seat] == most])
            award_to = _may_get(card, tied, table)
        if taker is not None:
            crown_to = table.take(taker, card, False)
    pledges, boosts = _shown(sealed, alive), _shown(boosted, alive)
    reveal = _new(Reveal, (card, pledges, boosts, total, repelled, eliminated, tied, taker, crown_to))
    events.insert(opened_at, _new(PledgesRevealed, (reveal,)))
    if award_to:
        return _ask_king(last, table, reveal, award_to)
    return _go_on(last, table, reveal)


def _shown(sealed: tuple[int, ...], asked: int) -> tuple[int | None, ...]:
    """None for those who had no part."""
    if asked == _EVERYBODY[len(sealed)]:
        return sealed
    return tuple([number if asked >> seat & 1 else None for seat, number in enumerate(sealed)])


def _may_get(card: Card, tied: tuple[Seat, ...], table: _Table) -> tuple[Seat, ...]:
    """Among whom the King decides: the tied; for the crown and one of them himself, the others and his left (K8)."""
    king = table.king
    if card.kind is not _CROWN or king not in tied:
        return tied
    return tuple(sorted({*tied, table.left(king)} - {king}))


def _ask_king(last: Position, table: _Table, reveal: Reveal, award_to: tuple[Seat, ...]) -> Position:
    setup, round_, _, phases, _, number, card, pile, _, _, _, last_reveal, _ = last
    asked, players = _BITS[table.king], table.players()
    return Position(
        setup, round_, _AWARDING, phases + 1, asked, number, card, pile, players, award_to, reveal, last_reveal, None
    )


def _open_gold(last: Position, sealed: tuple[int, ...], _: tuple[int, ...], events: list[Event]) -> Position:
    """All holders have sealed: pay for what they use, and turn up the round's first card (K12)."""
    table = _Table(last.players, events)
    table.coins = tuple([coins + GOLD_PAYS * cards for coins, cards in zip(table.coins, sealed, strict=True)])
    table.spend(_GOLD, sealed)
    events.append(GoldUsed(_shown(sealed, last.asked)))
    return _turn_up(last.setup, last.round, last.phases, 0, last.pile, table, last.last_reveal)


def _fair_share(position: Position, seat: Seat) -> int:
    """An equal part, rounded up, of what repels the card, as far as the seat's coins go; 0 for other cards."""
    players = position.players
    strength = position.card.strength if position.card else 0
    return min(-(-strength // len(_SEATS_IN[players.alive])), players.coins[seat])


class SiegeState(NamedTuple):
    """A position and what is sealed in it."""

    position: Position
    ply: int
    awaited: int
    """Who has not sealed yet, of those who are asked."""
    sealed: tuple[int, ...]
    """Coins pledged or gold cards used, by seat; 0 where nothing is sealed."""
    boosted: tuple[int, ...]
    """Boost cards that go with it."""
    reseals: tuple[int, ...]
    """How often each seat has sealed anew in this phase (K2)."""

    def __repr__(self) -> str:
        return f"SiegeState({self.position!r}, ply {self.ply})"  # never what is sealed: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        return _SET_OF[self.awaited]

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Pledges by boosts, then coins. A player who has sealed may seal anew, so has some, too (K2)."""
        position = self.position
        if seat not in _SET_OF[position.asked]:
            return ()
        players = position.players
        if position.phase is _PLEDGING:
            return _pledges(seat, players.coins[seat], players.boosts[seat])
        if position.phase is _AWARDING:
            return tuple(Award(seat, to) for to in position.award_to)
        return tuple(UseGold(seat, cards) for cards in range(players.gold[seat] + 1))

    def apply(self, move: Move) -> tuple[SiegeState, tuple[Event, ...]]:
        """One more seal, and with the last one all that follows from it; the King's decision at once.

        Refuses with a `Refusal` or a `Reason`.
        """
        position, ply, awaited, sealed, boosted, reseals = self
        phase, players = position.phase, position.players
        if type(move) is Pledge:
            seat, number, boosts = move
            legal = (
                phase is _PLEDGING
                and seat in _SET_OF[position.asked]
                and 0 <= number <= players.coins[seat]
                and 0 <= boosts <= players.boosts[seat]
            )
        elif type(move) is UseGold:
            seat, number = move
            boosts = 0
            legal = phase is _USING_GOLD and seat in _SET_OF[position.asked] and 0 <= number <= players.gold[seat]
        else:
            return self._award(move)
        if not legal:
            raise self._refusal(move)
        changed = list(sealed)
        changed[seat] = number
        sealed = tuple(changed)
        if boosts != boosted[seat]:
            boosted = _put(boosted, seat, boosts)
        others = awaited & ~(1 << seat)
        if others == awaited:
            reseals = _put(reseals, seat, reseals[seat] + 1)
            return SiegeState(position, ply + 1, awaited, sealed, boosted, reseals), ()
        if others:
            return _new(SiegeState, (position, ply + 1, others, sealed, boosted, reseals)), _SEALED[seat]
        events: list[Event] = [*_SEALED[seat]]
        position = (_open_pledges if phase is _PLEDGING else _open_gold)(position, sealed, boosted, events)
        return _asking(position, ply + 1), tuple(events)

    def _award(self, move: Award) -> tuple[SiegeState, tuple[Event, ...]]:
        position, reveal = self.position, self.position.open_reveal
        if reveal is None or move.seat != position.players.king or move.to not in position.award_to:
            raise self._refusal(move)
        events: list[Event] = []
        table = _Table(position.players, events)
        crown_to = table.take(move.to, reveal.card, awarded=True)
        settled = reveal._replace(taker=move.to, crown_to=crown_to)
        return _asking(_go_on(position, table, settled), self.ply + 1), tuple(events)

    def _refusal(self, move: Move) -> IllegalMove:
        """Why a move is not legal."""
        position, seat = self.position, move.seat
        phase, players = position.phase, position.players
        if phase is _OVER:
            return IllegalMove(Refusal.GAME_OVER)
        if type(move) is not _MOVES[phase]:
            return IllegalMove(Refusal.NOT_NOW)
        if not 0 <= seat < position.setup.seats:
            return IllegalMove(Refusal.OUT_OF_TURN)
        if type(move) is Award:
            return self._award_refusal(move)
        if type(move) is UseGold:
            have = players.gold[seat]
            if not have:
                return IllegalMove(Reason.NO_GOLD_CARDS)
            if move.cards > have:
                return IllegalMove(Reason.TOO_MANY_GOLD_CARDS, cards=move.cards, have=have)
        if type(move) is Pledge:
            if seat not in _SET_OF[players.alive]:
                return IllegalMove(Reason.NOT_IN_ROUND)
            if move.coins > (have := players.coins[seat]):
                return IllegalMove(Reason.TOO_MANY_COINS, coins=move.coins, have=have)
            if move.boosts > (have := players.boosts[seat]):
                return IllegalMove(Reason.TOO_MANY_BOOSTS, boosts=move.boosts, have=have)
        return IllegalMove(Refusal.UNPARSABLE)  # less than nothing: no words say it

    def _award_refusal(self, move: Award) -> IllegalMove:
        king, reveal = self.position.players.king, self.position.open_reveal
        if move.seat != king:
            return IllegalMove(Reason.NOT_KING, king=king)
        if move.to >= self.position.setup.seats:
            return IllegalMove(Refusal.UNPARSABLE)  # there is nobody of that number
        if reveal is not None and reveal.card.kind is _CROWN and move.to == king:
            return IllegalMove(Reason.CROWN_GIVEN_AWAY)
        return IllegalMove(Reason.NOT_TIED, to=move.to)

    def opening(self) -> tuple[Event, ...]:
        """The two shuffles, the coins paid, the first card: the card as it lies, which is what this viewer saw."""
        setup, card, pile = self.position.setup, self.position.card, self.position.pile
        assert card is not None
        deck, places = setup.deck.cards, _PLACES[setup.seats]
        return (
            Shuffled(0, tuple(map(str, deck)), tuple(map(str, shuffle(setup.seed, 0, deck)))),
            Shuffled(1, places, shuffle(setup.seed, 1, places)),
            RoundBegan(1, self.position.players.coins, self.position.players.king),
            CardFaced(card, len(pile)),
        )

    def _has_sealed(self) -> int:
        return self.position.asked & ~self.awaited

    def view(self, seat: Seat | None) -> SiegeView:
        position, has_sealed = self.position, _SEATS_IN[self._has_sealed()]
        setup, players = position.setup, position.players
        own = None if seat is None or seat not in has_sealed else (self.sealed[seat], self.boosted[seat])
        cards, coins = PILES[setup.seats]
        return SiegeView(
            viewer=seat,
            seats=setup.seats,
            phase=position.phase,
            round=position.round.number,
            rounds=CARDS // cards,
            card=position.card,
            card_number=position.card_number,
            pile=len(position.pile),
            king=players.king,
            coins=players.coins,
            armies=players.armies,
            held=tuple(map(Held.of, players.held)),
            alive=_flags(players),
            to_move=_SEATS_IN[self.awaited],
            sealed=has_sealed,
            own_seal=own,
            award_to=position.award_to,
            open_reveal=position.open_reveal,
            last_reveal=position.last_reveal,
            last_round=position.round.last,
            starting_coins=coins,
            strengths=setup.deck.strengths,
            outcome=position.outcome,
        )

    def _seals(self, seat: int) -> int:
        return self.reseals[seat] + (self._has_sealed() >> seat & 1)

    def turn(self, seat: Seat) -> str:
        return f"{self.position.phases}.{self._seals(seat)}"

    def outcome(self) -> Outcome | None:
        return self.position.outcome

    def default_move(self, seat: Seat) -> Move:
        """A fair share of what repels the card, no coin for another one, no gold card; a tie goes to the first of
        those whom the King may name, clockwise from him and himself last.
        """
        position = self.position
        if position.phase is _PLEDGING:
            return Pledge(seat, _fair_share(position, seat))
        if position.phase is _USING_GOLD:
            return UseGold(seat, 0)
        seats = position.setup.seats
        return Award(seat, min(position.award_to, key=lambda to: (to - seat - 1) % seats))

    def may_take_back(self, seat: Seat) -> bool:
        """Never: a seal may be the one that opens all, and until then it can be sealed anew."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> SiegeState:
        """Draws anew what others have sealed, the cards that nobody has seen, where Siege End lies, and the seed.

        What the others have sealed is drawn from all that they could. How often they did is not kept either.
        """
        position, draws = self.position, f"{seed} unseen"
        sealed, boosted, reseals = list(self.sealed), list(self.boosted), list(self.reseals)
        for other in _SEATS_IN[self._has_sealed()]:
            if other != seat:
                move = shuffle(draws, 2 + other, self.legal_moves(other))[0]
                sealed[other] = move.coins if type(move) is Pledge else move.cards if type(move) is UseGold else 0
                boosted[other] = move.boosts if type(move) is Pledge else 0
                reseals[other] = 0
        return SiegeState(
            _reshuffle(position, draws)._replace(setup=position.setup._replace(seed=seed)),
            self.ply - sum(self.reseals) + sum(reseals),
            self.awaited,
            tuple(sealed),
            tuple(boosted),
            tuple(reseals),
        )

    def to_json(self) -> Json:
        """As the end of this module says."""
        setup, round_, phase, phases, _, number, card, pile, players, award_to, _, _, outcome = self.position
        has_sealed = self._has_sealed()
        return {
            "seats": setup.seats,
            "options": {},
            "deck": setup.deck.to_json(),
            "seed": setup.seed,
            "ply": self.ply,
            "deals": round_.number + 1,
            "phase": phase.value,
            "round": round_.number,
            "card_number": number,
            "card": card and str(card),
            "pile": list(map(str, pile)),
            "undealt": list(map(str, round_.undealt)),
            "discard": list(map(str, round_.skipped + players.discard)),
            "skipped": len(round_.skipped),
            "coins": list(players.coins),
            "armies": list(players.armies),
            "held": [list(map(str, cards)) for cards in players.held],
            "alive": list(_flags(players)),
            "king": players.king,
            "sealed": [
                [coins, boosts] if has_sealed >> seat & 1 else None
                for seat, (coins, boosts) in enumerate(zip(self.sealed, self.boosted, strict=True))
            ],
            "seals": list(map(self._seals, range(setup.seats))),
            "phases": phases,
            "award_to": list(award_to),
            "open_reveal": self.position.open_reveal and self.position.open_reveal.to_json(),
            "last_reveal": self.position.last_reveal and self.position.last_reveal.to_json(),
            "last_round": round_.last and round_.last.to_json(),
            "outcome": outcome and outcome.to_json(),
        }


_MOVES: dict[Phase, type[Move]] = {_USING_GOLD: UseGold, _PLEDGING: Pledge, _AWARDING: Award}


def _flags(players: Players) -> tuple[bool, ...]:
    return tuple(bool(players.alive >> seat & 1) for seat in range(len(players.coins)))


def _asking(position: Position, ply: int) -> SiegeState:
    """The state at the beginning of a phase."""
    nothing = _NOTHING[position.setup.seats]
    return _new(SiegeState, (position, ply, position.asked, nothing, nothing, nothing))


def _reshuffle(position: Position, seed: str) -> Position:
    """Every card that nobody has seen, and Siege End, where they could lie as well (K1, K16)."""
    round_ = position.round
    pile = [card for card in position.pile if card != _END]
    # Sorted, so that what comes of it depends on nothing hidden.
    cards = shuffle(seed, 0, sorted([*pile, *round_.undealt, *round_.skipped]))
    in_pile, in_undealt = len(pile), len(pile) + len(round_.undealt)
    dealt = cards[:in_pile]
    if in_pile < len(position.pile):
        highest = max(0, PILES[position.setup.seats][0] // 2 - position.card_number)
        place = shuffle(seed, 1, range(min(highest, in_pile), in_pile + 1))[0]
        dealt = (*dealt[:place], _END, *dealt[place:])
    return position._replace(
        pile=dealt, round=round_._replace(undealt=cards[in_pile:in_undealt], skipped=cards[in_undealt:])
    )


def new(seats: int, options: Mapping[str, Any], seed: str) -> SiegeState:
    """A match; the deck table is the only thing to choose. Raises BadOption."""
    chosen_options(GAME, seats, options)
    deck = Deck.from_json(check_deck(options["deck"])) if "deck" in options else _DECK
    nothing = _NOTHING[seats]
    players = Players(nothing, nothing, ((),) * seats, nothing, nothing, (), 0, Seat(0))
    before = Round(0, shuffle(seed, 0, deck.cards), (), None)
    return _asking(_begin_round(Setup(seats, deck, seed), before, -1, _Table(players, []), None), 0)


def from_json(data: Json) -> SiegeState:
    """What `to_json` gave, or a position set up by hand: the end of this module."""
    position = _position(data)
    has_sealed = _mask(data["sealed"])
    numbers = [seal or (0, 0) for seal in data["sealed"]]
    return SiegeState(
        position,
        data["ply"],
        position.asked & ~has_sealed,
        tuple(number for number, _ in numbers),
        tuple(boosts for _, boosts in numbers),
        tuple(seals - (has_sealed >> seat & 1) for seat, seals in enumerate(data["seals"])),
    )


def _position(data: Json) -> Position:
    deck, phase, players = Deck.from_json(check_deck(data["deck"])), Phase(data["phase"]), _players(data)
    asked = {
        _PLEDGING: players.alive,
        _USING_GOLD: _mask(players.gold),
        _AWARDING: _BITS[players.king],
        _OVER: 0,
    }
    last, open_reveal, last_reveal = data["last_round"], data["open_reveal"], data["last_reveal"]
    return Position(
        setup=Setup(data["seats"], deck, data["seed"]),
        round=Round(
            number=data["round"],
            undealt=_cards(data["undealt"]),
            skipped=_cards(data["discard"][: data.get("skipped", 0)]),
            last=None if last is None else RoundResult.from_json(last),
        ),
        phase=phase,
        phases=data["phases"],
        asked=asked[phase],
        card_number=data["card_number"],
        card=None if data["card"] is None else _card(data["card"]),
        pile=_cards(data["pile"]),
        players=players,
        award_to=tuple(data["award_to"]),
        open_reveal=None if open_reveal is None else Reveal.from_json(open_reveal),
        last_reveal=None if last_reveal is None else Reveal.from_json(last_reveal),
        outcome=None if data["outcome"] is None else Outcome.from_json(data["outcome"]),
    )


def _players(data: Json) -> Players:
    held = tuple(map(_cards, data["held"]))
    counts = list(map(Held.of, held))
    return Players(
        coins=tuple(data["coins"]),
        armies=tuple(data["armies"]),
        held=held,
        boosts=tuple(count.boost for count in counts),
        gold=tuple(count.gold for count in counts),
        discard=_cards(data["discard"][data.get("skipped", 0) :]),
        alive=_mask(data["alive"]),
        king=Seat(data["king"]),
    )


def _mask(by_seat: Iterable[object]) -> int:
    """The seats for which there is something."""
    return sum([bit for bit, something in zip(_BITS, by_seat, strict=False) if something])


_NUMBER = "(0|[1-9][0-9]{0,9})"
_NOTATION = re.compile(rf"pledge {_NUMBER}(?: boost {_NUMBER})?|award {_NUMBER}|gold {_NUMBER}")


def parse(seat: Seat, text: str) -> Move:
    """The move that the words name, in any case and with any spaces. Raises IllegalMove(UNPARSABLE).

    >>> str(parse(Seat(0), "PLEDGE  3 Boost 1"))
    'pledge 3 boost 1'
    """
    found = _NOTATION.fullmatch(" ".join(text.lower().split()))
    if found is None or found[2] == "0":
        raise IllegalMove(Refusal.UNPARSABLE, text=text)
    coins, boosts, to, cards = found.groups()
    if coins is not None:
        return Pledge(seat, int(coins), int(boosts or 0))
    return Award(seat, Seat(int(to))) if to is not None else UseGold(seat, int(cards))


_CARDS_HELD_WORTH = (0.0, 0.75, 2.0)
"""To a computer player, in armies: no card, one or two of a kind of which three make a set."""
_CARD_TO_USE_WORTH = 1.0
"""The same of a boost or gold card."""


def _wealth(position: Position, seat: Seat) -> float:
    """Armies and, until the end, what may become armies: the coins of who is in the round, and cards held."""
    players = position.players
    armies = float(players.armies[seat])
    if position.outcome is not None:
        return armies
    if held := players.held[seat]:
        kinds = [card.kind for card in held]
        armies += sum([_CARDS_HELD_WORTH[kinds.count(kind)] for kind in ATTACKERS])
        armies += _CARD_TO_USE_WORTH * (players.boosts[seat] + players.gold[seat])
    return armies + (1 + players.coins[seat] if players.alive >> seat & 1 else 0)


def _prospect(state: SiegeState, seat: Seat) -> float:
    """How far the seat is ahead of the others' mean, in armies; a victory counts as much as ten."""
    position = state.position
    seats = position.setup.seats
    wealth = [_wealth(position, Seat(s)) for s in range(seats)]
    won = position.outcome is not None and seat in position.outcome.winners
    return wealth[seat] - (sum(wealth) - wealth[seat]) / (seats - 1) + 10 * won


def _horizon(state: SiegeState) -> int:
    """Until the pledges for the card faced are open and the King has decided."""
    return state.awaited.bit_count() + 1


def _guess(state: SiegeState, seat: Seat, number: int) -> Move:
    """Three times in four the default move, else it or one near it: a few coins more or less."""
    default = state.default_move(seat)
    if number & 3:
        return default
    moves = state.legal_moves(seat)
    at = moves.index(default)
    near = moves[max(0, at - 3) : at + 4]
    return near[(number >> 2) % len(near)]


GAME = Game(
    slug="siege_of_sunfall",
    title="Siege of Sunfall",
    seats=tuple(PILES),
    new=new,
    from_json=from_json,
    parse=parse,
    deck=check_deck({}),
    check_deck=check_deck,
    prospect=_prospect,
    horizon=_horizon,
    guess=_guess,
)


# State JSON (what `to_json` gives and `from_json` takes), for tests that set up a position. Cards by notation:
#
# {"seats": 4, "options": {}, "deck": {…}, "seed": "…", "ply": 0, "deals": 2,
#                                            deals: 0 shuffles the 51 cards, r places Siege End in round r
#  "phase": "pledge", "round": 1, "card_number": 1,     0 in the gold phase and when the game is over
#  "card": "swords 5" or null, "pile": ["bow 3", …, "end", …],     this round's pile, next card first, Siege End in it
#  "undealt": ["helmet 2", …],                next card first
#  "discard": ["gold", …],                    used, lost, skipped and turned-in cards; the first
#  "skipped": 0,                              so many of them were never turned up (may be left out)
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
