"""Full Sun: tricks for trees, each of which wants its own share of the light. 3 to 5 players.

The deck. Four trees, Beech (B, 1 pip), Redbud (R, 2), Sycamore (S, 3) and Black Locust (L, 4), with the numbers 1 to
17, and two Weather cards (W): Rain, number 0 with no pips, and Sun, number 18 with 5 pips. Three players use the
numbers up to 7 and hold 8 cards each, four up to 11 and hold 10, five all and hold 12. Both Weather cards are always
in.

Backs. The suit is printed on the back, so the suits of every hand and of the undealt fan are public at all times, the
numbers are not. Rain and Sun share a back (S1).

A trick. Everybody plays one card. The leader plays anything; everybody else follows the suit of the card played just
before theirs, Weather included, or plays anything without that suit (S2). The highest number takes the trick, of equal
numbers the one with more pips; there is no trump (S3). The dealer leads the first trick, the winner of each the next.
Play goes clockwise in odd rounds and the other way in even ones; the first dealer is seat 0, the next sits to the left
(S4).

A round has as many tricks as the hand has cards: 8, 10 or 12. From the second round on, a player is dealt a card more
for each point behind the leader. If the cards do not suffice for that, nobody gets more than the largest number of
extra cards for which they do. What is left in hand at the end is laid aside, face down, and counts for nothing (S5).

Species. The card played to the last trick makes its player a tree of that suit: who has won exactly as many tricks as
that card has pips, the last trick included, scores a point. Any number of players may (S6).

The match goes to the first with `target` points. Of several, each takes the one trick they won this round that has the
most cards of their own species, and the most such cards win; no trick won is 0; still equal is a shared win (S7).

Looking back. How many tricks each has won is public; the last complete trick may be looked at, earlier ones may not,
nor the cards laid aside (S9).

Chance (rules.core.chance). Deal r - 1 shuffles the deck of round r, which lies by suit, numbers ascending, Rain and Sun
last: the first cards are seat 0's, as many as it gets, the next ones seat 1's and so on; what remains is the fan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.events import Open
from rules.core.facts import ALONE, SEATS, as_object, lead, plain
from rules.core.game import BadOption, Event, Game, IllegalMove, Json, Option, Outcome, Refusal, Seat, chosen_options
from rules.core.tricks import Card, Cards, Play, Suit, TrickTaken, Unplayable, holds, recall, refusal, strongest

# The deck table. An owner may replace the values of the Weather cards (data/decks/full_sun.example.toml).

PIPS = {"B": 1, "R": 2, "S": 3, "L": 4}
"""Pips of the trees."""

WEATHER: Mapping[str, Mapping[str, int]] = {
    "rain": {"number": 0, "pips": 0},  # house: the number
    "sun": {"number": 18, "pips": 5},  # house: both, and the name
}

HAND = {3: 8, 4: 10, 5: 12}
"""Cards that each player is dealt at least, and tricks in a round, by the number of players."""

HIGHEST = {3: 7, 4: 11, 5: 17}
"""The highest number of a tree in play, by the number of players."""

TARGET = 3
MOST_NUMBER = 99
"""The highest number of an owner's Weather card: two digits, as pictures have room."""
MOST_PIPS = HAND[3]
"""The most pips of one: more than the tricks of a round could not be met."""

SUITS: tuple[Suit, ...] = tuple(map(Suit, "BRSLW"))
"""Beech, Redbud, Sycamore, Black Locust, Weather. A card is a suit and a number, "B7", or "Rain" or "Sun"."""

Backs = tuple[int, ...]
"""Cards seen from behind: how many of each suit, in the order of SUITS."""


def suit_of(card: str) -> Suit:
    """The suit of a card by its notation. "R7" is a Redbud, "Rain" is Weather."""
    return SUITS[_CARDS.number[card] >> 5]


class Face(NamedTuple):
    """What counts of a card: its number, and its pips."""

    number: int
    pips: int


class Lay(NamedTuple):
    """A card on the table, and who played it."""

    seat: Seat
    card: Card

    def to_json(self) -> list[Any]:
        return [*self]


class Trick(NamedTuple):
    """A complete trick: cards in the order played, and who took it."""

    lays: tuple[Lay, ...]
    winner: Seat


class RoundResult(NamedTuple):
    """A finished round; tuples have an entry a seat. It has no numbers, for nobody may look back at them (S9)."""

    round: int
    species: tuple[Suit, ...]
    """The suit of the card played to the last trick."""
    pips: tuple[int, ...]
    """Of that card: tricks that were to be won."""
    tricks: tuple[int, ...]
    """Tricks won."""
    left: tuple[int, ...]
    """Cards laid aside (S5)."""
    scored: tuple[Seat, ...]
    """Who gained a point, ascending."""


class TieBreak(NamedTuple):
    """What one of several players at the target shows (S7): the trick won with the most cards of the own species."""

    seat: Seat
    species: Suit
    trick: Trick | None
    """The first of the best; None for a player without a trick."""
    cards: int
    """Of the species in it."""


class FullSunView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by seat" have an entry a seat."""

    viewer: Seat | None
    seats: int
    target: int
    rain: Face
    sun: Face
    highest: int
    """The highest number of a tree in play: 7, 11 or 17."""
    round: int
    trick_number: int
    """1 for the first trick of the round."""
    tricks: int
    """Tricks in a round: 8, 10 or 12."""
    dealer: Seat
    leader: Seat
    """Who leads or led the current trick."""
    clockwise: bool
    """Whether play goes on with the next higher seat."""
    to_move: Seat | None
    lays: tuple[Lay, ...]
    """The current trick so far, in the order played."""
    follow: Suit | None
    """The suit to follow, that of the card played just before; None for the leader."""
    hand: tuple[Card, ...]
    """The viewer's hand by suit and number; () for an onlooker."""
    backs: tuple[Backs, ...]
    """By seat: the hand from behind (S1)."""
    fan: Backs
    """The undealt cards from behind (S1)."""
    tricks_won: tuple[int, ...]
    """By seat, this round."""
    points: tuple[int, ...]
    """By seat."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (S9)."""
    last_round: RoundResult | None
    tie_breaks: tuple[TieBreak, ...]
    """By seat, of all at the target when the match is over; () where it is one alone (S7)."""
    outcome: Outcome | None

    def face(self, card: str) -> Face:
        """The card's number and pips."""
        if card in ("Rain", "Sun"):
            return self.rain if card == "Rain" else self.sun
        return Face(int(card[1:]), PIPS[card[0]])

    def to_json(self) -> Json:
        """All of it, as lists, objects and strings."""
        return as_object(self)


# Events. Everybody sees all of each; what is hidden is in none of them.


@dataclass(frozen=True, slots=True)
class RoundBegan(Open):
    """Cards were dealt: how many to each seat (S5)."""

    round: int
    dealer: Seat
    clockwise: bool
    hand_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(Open):
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class RoundScored(Open):
    """`points` by seat, with those of this round."""

    result: RoundResult
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchWon(Open):
    """`tie_breaks` as in the view."""

    seats: tuple[Seat, ...]
    tie_breaks: tuple[TieBreak, ...]


# Of cards as integers (rules.core.tricks) the rank is the number; Rain and Sun have 0 and 1. What a move may create is
# made here, once.

_CARDS = Cards(
    {
        **{place << 5 | number: f"{suit}{number}" for place, suit in enumerate(SUITS[:4]) for number in range(1, 18)},
        4 << 5: "Rain",
        4 << 5 | 1: "Sun",
    }
)
_RAIN, _SUN = _CARDS.numbers(("Rain", "Sun"))
_PLAYS = _CARDS.by_player(max(HAND), Play)
_LAYS = _CARDS.by_player(max(HAND), Lay)
_PLAYED = _CARDS.by_player(max(HAND), CardPlayed)

DECKS = {
    seats: tuple(card for card in _CARDS.number.values() if card >> 5 == 4 or card & 31 <= highest)
    for seats, highest in HIGHEST.items()
}
"""The cards in play as integers, by the number of players."""


def _backs(cards: Sequence[int]) -> Backs:
    suits = [card >> 5 for card in cards]
    return tuple([suits.count(suit) for suit in range(len(SUITS))])


@lru_cache(maxsize=64)
def _faces(rain: Face, sun: Face) -> Mapping[int, Face]:
    """The face of each card. Faces compare as cards do: by number, then by pips (S3)."""
    trees = {card: Face(card & 31, PIPS[name[0]]) for name, card in _CARDS.number.items() if card >> 5 < 4}
    return {**trees, _RAIN: rain, _SUN: sun}


class Setup(NamedTuple):
    """What holds for the whole match."""

    seats: int
    target: int
    rain: Face
    sun: Face
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # never the seed: a repr may reach a log


class Round(NamedTuple):
    """What holds from one deal to the next."""

    number: int
    points: tuple[int, ...]
    last: RoundResult | None
    last_trick: Trick | None
    """Of the round before."""
    outcome: Outcome | None

    @property
    def step(self) -> int:
        """From a seat to the next in play (S4)."""
        return 1 if self.number & 1 else -1


class FullSunState(NamedTuple):
    """A position. Cards are integers (see above)."""

    setup: Setup
    round: Round
    ply: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    fan: tuple[int, ...]
    """Undealt, sorted."""
    leader: Seat
    lays: tuple[int, ...]
    """The current trick; its first card is the leader's."""
    taken: tuple[Trick, ...]
    """The complete tricks of this round."""
    mover: Seat | None
    """Who plays next; None when the match is over."""

    def __repr__(self) -> str:
        return f"FullSunState(round {self.round.number}, ply {self.ply})"  # never a hand: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        return ALONE[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Play, ...]:
        """By suit and number (S2)."""
        if seat != self.mover:
            return ()
        hand, plays = self.hands[seat], _PLAYS[seat]
        if self.lays:
            suit = self.lays[-1] >> 5
            if following := [plays[card] for card in hand if card >> 5 == suit]:
                return tuple(following)
        return tuple([plays[card] for card in hand])

    def apply(self, move: Play) -> tuple[FullSunState, tuple[Event, ...]]:
        """Play a card; then, as it comes, take the trick, score the round and deal the next."""
        setup, round_, ply, hands, fan, leader, lays, taken, mover = self
        seat, name = move
        if seat != mover:
            raise IllegalMove(Refusal.GAME_OVER if mover is None else Refusal.OUT_OF_TURN)
        hand = hands[seat]
        card = _CARDS.number.get(name, -1)
        if card not in hand:
            raise refusal(self, move, Unplayable.NOT_IN_HAND)
        if lays and card >> 5 != lays[-1] >> 5 and holds(hand, lays[-1] >> 5):
            raise refusal(self, move, Unplayable.MUST_FOLLOW, suit=SUITS[lays[-1] >> 5])
        at = hand.index(card)
        hands = (*hands[:seat], hand[:at] + hand[at + 1 :], *hands[seat + 1 :])
        lays += (card,)
        played = _PLAYED[seat][card]
        if len(lays) < setup.seats:
            mover = SEATS[(seat + round_.step) % setup.seats]
            return FullSunState(setup, round_, ply + 1, hands, fan, leader, lays, taken, mover), (played,)
        trick = self._trick(lays)
        events: list[Event] = [played, TrickTaken(trick.winner, _CARDS.names(lays))]
        taken += (trick,)
        after = FullSunState(setup, round_, ply + 1, hands, fan, trick.winner, (), taken, trick.winner)
        return (after if len(taken) < HAND[setup.seats] else after._score(events)), tuple(events)

    def _laid(self, cards: tuple[int, ...]) -> tuple[Lay, ...]:
        """The cards of the current trick with who played them."""
        leader, step, seats = self.leader, self.round.step, self.setup.seats
        return tuple([_LAYS[(leader + step * i) % seats][card] for i, card in enumerate(cards)])

    def _trick(self, cards: tuple[int, ...]) -> Trick:
        """The current trick, complete with these cards (S3)."""
        lays = self._laid(cards)
        return Trick(lays, lays[strongest(cards, _faces(self.setup.rain, self.setup.sun))].seat)

    def _won(self) -> tuple[int, ...]:
        """Tricks won this round, by seat."""
        winners = [trick.winner for trick in self.taken]
        return tuple([winners.count(seat) for seat in SEATS[: self.setup.seats]])

    def _score(self, events: list[Event]) -> FullSunState:
        """Score the round (S6); then end the match (S7) or deal again."""
        setup, (number, points, _, _, _) = self.setup, self.round
        final = {lay.seat: _CARDS.number[lay.card] for lay in self.taken[-1].lays}
        seats, faces, won = sorted(final), _faces(setup.rain, setup.sun), self._won()
        pips = tuple(faces[final[seat]].pips for seat in seats)
        species = tuple(SUITS[final[seat] >> 5] for seat in seats)
        scored = tuple(seat for seat in seats if won[seat] == pips[seat])
        points = tuple(count + (seat in scored) for seat, count in enumerate(points))
        result = RoundResult(number, species, pips, won, tuple(map(len, self.hands)), scored)
        events.append(RoundScored(result, points))
        if max(points) < setup.target:
            return _deal(setup, Round(number + 1, points, result, self.taken[-1], None), self.ply, events)
        end = self._replace(round=self.round._replace(points=points, last=result), mover=None)
        tie_breaks = end._tie_breaks()
        winners, reason = [seat for seat in seats if points[seat] >= setup.target], "points"
        if tie_breaks:
            most = max(tie_break.cards for tie_break in tie_breaks)
            winners = [tie_break.seat for tie_break in tie_breaks if tie_break.cards == most]
            reason = "tie_break" if len(winners) == 1 else "shared"
        events.append(MatchWon(tuple(winners), tie_breaks))
        return end._replace(round=end.round._replace(outcome=Outcome(frozenset(winners), points, reason)))

    def _tie_breaks(self) -> tuple[TieBreak, ...]:
        """What the players at the target show after the round's end; () where it is one alone (S7)."""
        result, target = self.round.last, self.setup.target
        ahead = [seat for seat, points in zip(SEATS, self.round.points, strict=False) if points >= target]
        if result is None or len(ahead) < 2:
            return ()

        def tie_break(seat: Seat) -> TieBreak:
            def count(trick: Trick) -> int:
                return sum(suit_of(lay.card) == result.species[seat] for lay in trick.lays)

            best = max((trick for trick in self.taken if trick.winner == seat), key=count, default=None)
            return TieBreak(seat, result.species[seat], best, count(best) if best else 0)

        return tuple(map(tie_break, ahead))

    def opening(self) -> tuple[Event, ...]:
        """The first deal."""
        events: list[Event] = []
        _deal(self.setup, self.round, self.ply, events)
        return tuple(events)

    def view(self, seat: Seat | None) -> FullSunView:
        """What the seat or an onlooker may know (S1, S9)."""
        setup, round_ = self.setup, self.round
        return FullSunView(
            viewer=seat,
            seats=setup.seats,
            target=setup.target,
            rain=setup.rain,
            sun=setup.sun,
            highest=HIGHEST[setup.seats],
            round=round_.number,
            trick_number=min(len(self.taken) + 1, HAND[setup.seats]),
            tricks=HAND[setup.seats],
            dealer=_dealer(setup, round_),
            leader=self.leader,
            clockwise=round_.step == 1,
            to_move=self.mover,
            lays=self._laid(self.lays),
            follow=SUITS[self.lays[-1] >> 5] if self.lays else None,
            hand=() if seat is None else _CARDS.names(self.hands[seat]),
            backs=tuple(map(_backs, self.hands)),
            fan=_backs(self.fan),
            tricks_won=self._won(),
            points=round_.points,
            last_trick=self.taken[-1] if self.taken else round_.last_trick,
            last_round=round_.last,
            tie_breaks=self._tie_breaks() if round_.outcome else (),
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """Round and trick: a seat is asked once a trick."""
        return f"{self.round.number}.{len(self.taken) + 1}"

    def outcome(self) -> Outcome | None:
        return self.round.outcome

    def default_move(self, seat: Seat) -> Play:
        """The lowest card that the rules allow."""
        faces = _faces(self.setup.rain, self.setup.sun)
        return min(self.legal_moves(seat), key=lambda move: faces[_CARDS.number[move.card]])

    def may_take_back(self, seat: Seat) -> bool:
        """Never: every card played is seen."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> FullSunState:
        """Other numbers on the same backs of the other hands and the fan, and another seed for the rounds to come.

        What has been played stays, as it was seen by all.
        """
        places = [*(() if other == seat else hand for other, hand in enumerate(self.hands)), self.fan]
        unseen: list[list[int]] = [[] for _ in SUITS]
        # The deals to come have higher ordinals, so none of them repeats this shuffle.
        for card in shuffle(seed, 0, sorted(card for cards in places for card in cards)):
            unseen[card >> 5].append(card)
        *hands, fan = [tuple(sorted(unseen[card >> 5].pop() for card in cards)) for cards in places]
        if seat is not None:
            hands[seat] = self.hands[seat]
        return self._replace(setup=self.setup._replace(seed=seed), hands=tuple(hands), fan=fan)

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 3}, "seed": "…",
         "deck": {"rain": {"number": 0, "pips": 0}, "sun": {"number": 18, "pips": 5}},
         "ply": 0, "round": 1,                     the round's deal has the ordinal `round` - 1
         "points": [0, 0, 0, 0],                   by seat
         "hands": [["B7", "Rain", …], …],          by seat, any order; at the match's end what was laid aside
         "fan": ["R4", …],                         undealt, any order
         "leader": 0,                              of the current trick; the dealer is seat (round - 1) % seats
         "lays": [[0, "L6"], …],                   current trick: seat, card, in the order played
         "tricks": [{"lays": [[0, "L6"], …], "winner": 0}, …],    this round's complete tricks
         "last_trick": null or such a trick,       the last one of the round before
         "last_round": null or {"round": 1, "species": ["S", …], "pips": [3, …], "tricks": [3, …], "left": [0, …],
                                "scored": [0, …]},
         "outcome": null or Outcome.to_json()}
        """
        setup, round_ = self.setup, self.round
        return {
            "seats": setup.seats,
            "options": {"target": setup.target},
            "seed": setup.seed,
            "deck": {"rain": plain(setup.rain), "sun": plain(setup.sun)},
            "ply": self.ply,
            "round": round_.number,
            "points": list(round_.points),
            "hands": [list(_CARDS.names(hand)) for hand in self.hands],
            "fan": list(_CARDS.names(self.fan)),
            "leader": self.leader,
            "lays": plain(self._laid(self.lays)),
            "tricks": plain(self.taken),
            "last_trick": plain(round_.last_trick),
            "last_round": plain(round_.last),
            "outcome": plain(round_.outcome),
        }


def _dealer(setup: Setup, round_: Round) -> Seat:
    """Seat 0 first, then always the next to the left (S4)."""
    return SEATS[(round_.number - 1) % setup.seats]


def _hand_sizes(seats: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """How many cards each seat is dealt (S5)."""
    behind = [max(points) - own for own in points]
    spare = len(DECKS[seats]) - seats * HAND[seats]
    most = max(n for n in range(max(behind) + 1) if sum(min(n, extra) for extra in behind) <= spare)
    return tuple(HAND[seats] + min(most, extra) for extra in behind)


def _deal(setup: Setup, round_: Round, ply: int, events: list[Event]) -> FullSunState:
    """Deal a round."""
    deck = DECKS[setup.seats]
    cards = shuffle(setup.seed, round_.number - 1, deck)
    events.append(Shuffled(round_.number - 1, _CARDS.names(deck), _CARDS.names(cards)))
    dealer, sizes = _dealer(setup, round_), _hand_sizes(setup.seats, round_.points)
    events.append(RoundBegan(round_.number, dealer, round_.step == 1, sizes))
    hands, at = [], 0
    for size in sizes:
        hands.append(tuple(sorted(cards[at : at + size])))
        at += size
    return FullSunState(setup, round_, ply, tuple(hands), tuple(sorted(cards[at:])), dealer, (), (), dealer)


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """What a lobby may choose (S7)."""
    return (Option("target", tuple(range(1, 6)), TARGET),)


def _check_deck(table: Mapping[str, Any]) -> Json:
    """A complete deck table from an owner's partial one: {"rain": {"number": 0, "pips": 0}, "sun": {…}}.

    Raises BadOption("deck", …) for what is no table, for a name or a value that has no place in it, or if a Weather
    card and another card agree in number and pips, for then a trick could have two highest cards (S3).
    """
    if not isinstance(table, Mapping):
        raise BadOption("deck", f"not a table: {table!r}")
    full: Json = {card: dict(values) for card, values in WEATHER.items()}
    for card, values in table.items():
        if card not in full:
            raise BadOption("deck", f"{card!r} is neither rain nor sun")
        if not isinstance(values, Mapping):
            raise BadOption("deck", f"{card} must be a table with number and pips")
        for name, value in values.items():
            if name not in full[card]:
                raise BadOption("deck", f"{card}: {name!r} is neither number nor pips")
            most = MOST_NUMBER if name == "number" else MOST_PIPS
            if type(value) is not int or not 0 <= value <= most:
                raise BadOption("deck", f"{name} of {card} must be a whole number from 0 to {most}")
            full[card][name] = value
    faces = _faces(Face(**full["rain"]), Face(**full["sun"]))
    for weather in (_RAIN, _SUN):
        for other, face in faces.items():
            if other != weather and face == faces[weather]:
                raise BadOption("deck", f"{_CARDS.name[weather]} and {_CARDS.name[other]} agree in number and pips")
    return full


def _new(seats: int, options: Mapping[str, Any], seed: str) -> FullSunState:
    """The position before the first card."""
    target = chosen_options(GAME, seats, options)["target"]
    deck = _check_deck(options.get("deck", {}))
    setup = Setup(seats, target, Face(**deck["rain"]), Face(**deck["sun"]), seed)
    return _deal(setup, Round(1, (0,) * seats, None, None, None), 0, [])


def _trick_from_json(data: Json) -> Trick:
    return Trick(tuple(Lay(Seat(seat), Card(card)) for seat, card in data["lays"]), Seat(data["winner"]))


def _result_from_json(data: Json) -> RoundResult:
    return RoundResult(data["round"], *(tuple(data[name]) for name in RoundResult._fields[1:]))


def _from_json(data: Json) -> FullSunState:
    """The position that `to_json` gave."""
    deck, last, last_trick, outcome = data["deck"], data["last_round"], data["last_trick"], data["outcome"]
    setup = Setup(data["seats"], data["options"]["target"], Face(**deck["rain"]), Face(**deck["sun"]), data["seed"])
    round_ = Round(
        data["round"],
        tuple(data["points"]),
        _result_from_json(last) if last else None,
        _trick_from_json(last_trick) if last_trick else None,
        Outcome.from_json(outcome) if outcome else None,
    )
    leader, lays = Seat(data["leader"]), data["lays"]
    return FullSunState(
        setup,
        round_,
        data["ply"],
        tuple(tuple(sorted(_CARDS.numbers(hand))) for hand in data["hands"]),
        tuple(sorted(_CARDS.numbers(data["fan"]))),
        leader,
        _CARDS.numbers([card for _, card in lays]),
        tuple(map(_trick_from_json, data["tricks"])),
        None if outcome else Seat((leader + round_.step * len(lays)) % setup.seats),
    )


def _prospect(state: FullSunState, seat: Seat) -> float:
    """The lead in points over the best other player, and one more for a win."""
    points, outcome = state.round.points, state.round.outcome
    won = outcome is not None and seat in outcome.winners
    return lead(seat, points) + won


def _horizon(state: FullSunState) -> int:
    """To the end of the round, where points are scored."""
    if state.mover is None:
        return 0
    return (HAND[state.setup.seats] - len(state.taken)) * state.setup.seats - len(state.lays)


GAME = Game(
    slug="full_sun",
    title="Full Sun",
    seats=tuple(HAND),
    new=_new,
    from_json=_from_json,
    parse=_CARDS.parse,
    options=_options,
    deck=_check_deck({}),
    check_deck=_check_deck,
    prospect=_prospect,
    horizon=_horizon,
    recall=partial(recall, closed=(CardPlayed,)),
)
