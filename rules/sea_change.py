"""Sea Change: tricks, and a trump that turns in the middle of them. 1 to 8 players.

The deck. Five suits, blue water (B), green seaweed (G), red flags (R), purple helms (P) and yellow suns (Y), each with
one card of every value in play; a higher card beats a lower one of its suit. Up to three players use three suits, four
players four, more all five; where fewer than five are used, chance picks them once for the whole match (C1). Values
are 0 and 4 to 12; 3 to 13 with six players, 2 to 14 with seven, 0 to 15 with eight. Everybody gets ten cards (C2).

A trick. Everybody plays one card. The first sets the lead suit; who has a card of it must play one, unless their card
equals the value of the card played just before it in this trick. Without the lead suit anything may be played (C5).
The first card of a round also makes its suit trump; trump lasts from trick to trick, never from round to round (C3).

A sea change. A card that equals the value of the card just before it in the same trick makes its own suit trump, wanted
or not, also where it follows suit. The lead suit stays what it was (C4).

Taking it. When everybody has played, the highest card of the trump now in force takes the trick; if there is none, the
highest of the lead suit (C6). The winner lays the cards face down and leads the next. How many cards each side has
captured is public, what they are worth is not before the round's end; only the last trick may be looked at (C7).

A round ends when the hands are empty. Each captured card counts the points of the deck table; of the 0s only that of
the suit that is trump at the end counts. The highest total, be it negative, earns one victory point, and so does every
side that ties for it (C8). The deal passes to the left; who sits left of the dealer leads.

The match goes to the first side with `target` victory points. Of several, the one that captured the trump's 0 in that
round wins; if none did, the one with the fewest cards captured in it; if these are equal too, they share the win (C9).

Two players have ten cards each and draw from the ten that are left after every card they play, while they last: fifteen
tricks (C10). A single player meets an AI that has twenty cards face down: it leads its next card to each of ten tricks,
the player answers, it plays its next, bound by no rule. The player wins the round only with more points than the AI and
at least one 8; otherwise the AI does (C11). Four and more players may play in teams, seated alternately, that pool
what they capture and earn; team-mates do not see each other's hands (C12).

Chance (rules.core.chance). Deal 0 shuffles BGRPY and the first suits of it are in play; with all five in play it is
left out. Deal r shuffles the deck of round r: the first ten cards are seat 0's, the next ten seat 1's and so on; what
remains is the pile, its first card on top.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.events import Open
from rules.core.facts import ALONE, SEATS, as_object, lead, plain, put
from rules.core.game import BadOption, Event, Game, IllegalMove, Json, Option, Outcome, Refusal, Seat, chosen_options
from rules.core.tricks import Card, Cards, Play, Suit, TrickTaken, Unplayable, holds, recall, refusal, strongest

# The deck table. An owner may replace these values (data/decks/sea_change.example.toml).

POINTS: Mapping[int, int] = {
    1: -1,  # house
    2: -1,
    3: -1,  # house
    4: 0,  # house
    5: 0,  # house
    6: 0,
    7: 0,  # house
    8: -4,
    9: 2,  # house
    10: 1,  # house
    11: 1,  # house
    12: 1,  # house
    13: 1,  # house
    14: 1,  # house
    15: 1,  # house
}
"""The points of a captured card by its value. Those not marked are certain; the others fit every worked example of
the rulebook, as other numbers would."""

ZERO_POINTS = 5
"""The points of the 0 of the suit that is trump at the round's end. Every other 0 counts nothing."""

MOST_POINTS = 99
"""What a card of an owner's deck table may count at most, to either side of 0: two digits, as pictures have room."""

HAND = 10
"""Cards dealt to each player (C2)."""

SUITS_IN_PLAY = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5, 6: 5, 7: 5, 8: 5}
"""How many suits are in play, by the number of players."""

_FEW = (0, *range(4, 13))
VALUES = {
    1: _FEW,
    2: _FEW,
    3: _FEW,
    4: _FEW,
    5: _FEW,
    6: (0, *range(3, 14)),
    7: (0, *range(2, 15)),
    8: tuple(range(16)),
}
"""The values in play, by the number of players."""

SEATING: Mapping[int, Mapping[str, str]] = {
    4: {"2v2": "ABAB"},
    5: {"2v2v1": "ABCAB", "3v2": "ABABA"},
    6: {"2v2v2": "ABCABC", "3v3": "ABABAB"},
    7: {"2v2v2v1": "ABCDABC", "3v2v2": "ABACABC"},
    8: {"2v2v2v2": "ABCDABCD", "4v4": "ABABABAB"},
}
"""The team of each seat, by the number of players and the option `teams` (C12)."""

TARGET = 3
"""Victory points that win a match without teams (C9). With teams it is the largest team's size plus one (C12)."""

NO_TEAMS = "none"
AI = 1
"""The AI's number among the players of the solo game."""

SUITS: tuple[Suit, ...] = tuple(map(Suit, "BGRPY"))
"""Blue (water), green (seaweed), red (flags), purple (helms), yellow (suns)."""


# A *player* below is a seat or, in the solo game, the AI, whose number is 1 (one past the only seat).
# A *side* is a team, or a player where there are no teams; in the solo game side 0 is the player, side 1 the AI.


class Lay(NamedTuple):
    """A card on the table, and who laid it."""

    player: int
    card: Card

    def to_json(self) -> list[Any]:
        return [*self]


class Trick(NamedTuple):
    """A complete trick: cards in the order played, the trump when it was complete, the winner."""

    lays: tuple[Lay, ...]
    trump: Suit
    winner: int


class RoundResult(NamedTuple):
    """A finished round: points and captured cards by side, who gained a VP, the trump at its end, who took its 0."""

    round: int
    points: tuple[int, ...]
    captured: tuple[tuple[Card, ...], ...]
    """By side, by suit and value."""
    winners: tuple[int, ...]
    trump: Suit
    zero_side: int | None


class SeaChangeView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by side" have an entry a side."""

    viewer: Seat | None
    seats: int
    sides: tuple[int, ...]
    """The side of each player; (0, 1) in the solo game."""
    target: int
    open_scores: bool
    suits: tuple[Suit, ...]
    """The suits in play, in the order B G R P Y."""
    values: tuple[int, ...]
    """The values in play, ascending."""
    points_by_value: tuple[tuple[int, int], ...]
    """(value, points) of the deck table for every value in play but 0."""
    zero_points: int
    """Points of the 0 of the trump suit at the round's end."""
    round: int
    trick_number: int
    """1 for the first trick of the round."""
    tricks: int
    """Tricks in a round: 10, or 15 with two players."""
    dealer: int
    leader: int
    """Who leads or led the current trick."""
    to_move: Seat | None
    trump: Suit | None
    """None before the round's first card."""
    lays: tuple[Lay, ...]
    """The current trick so far."""
    hand: tuple[Card, ...]
    """The viewer's hand by suit and value; () for an onlooker."""
    hand_sizes: tuple[int, ...]
    """By seat."""
    pile: int
    """Cards left in the draw pile (2 players) or the AI's stack (solo); else 0."""
    captured: tuple[int, ...]
    """Captured cards by side."""
    tricks_won: tuple[int, ...]
    """By player, this round."""
    victory_points: tuple[int, ...]
    """By side."""
    points: tuple[int, ...] | None
    """Points so far by side, every 0 counted as 0; only with open_scores."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (C7)."""
    last_round: RoundResult | None
    outcome: Outcome | None

    def to_json(self) -> Json:
        """All of it, as lists and strings."""
        return as_object(self)


# Events. Everybody sees all of them but of CardDrawn.


@dataclass(frozen=True, slots=True)
class RoundBegan(Open):
    """Cards were dealt."""

    round: int
    dealer: int
    leader: int
    suits: tuple[Suit, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(Open):
    player: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpSet(Open):
    """The round's first card made its suit trump."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class SeaChanged(Open):
    """A card matched the value before it: its suit is trump now (also where it was already)."""

    player: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """Two players: a card was drawn. `card` is None for everybody but the seat (`seen_by`)."""

    seat: Seat
    card: Card | None

    def seen_by(self, viewer: Seat | None) -> CardDrawn:
        return self if viewer == self.seat else CardDrawn(self.seat, None)


@dataclass(frozen=True, slots=True)
class RoundScored(Open):
    result: RoundResult
    victory_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchWon(Open):
    """`tie_break`: "" or "zero" (captured the trump 0) or "cards" (fewest captured) or "shared"."""

    sides: tuple[int, ...]
    tie_break: str


# Of cards as integers (rules.core.tricks) the rank is the value. What a move may create is made here, once.

_CARDS = Cards({place << 5 | value: f"{suit}{value}" for place, suit in enumerate(SUITS) for value in range(16)})
_NAME, _NUMBER = _CARDS.name, _CARDS.number
_PLAYERS = max(VALUES)
_PLAYS = _CARDS.by_player(_PLAYERS, Play)
_LAYS = _CARDS.by_player(_PLAYERS, Lay)
_PLAYED = _CARDS.by_player(_PLAYERS, CardPlayed)
_CHANGED = tuple(tuple(SeaChanged(player, suit) for suit in SUITS) for player in range(_PLAYERS))
_TRUMP_SET = tuple(map(TrumpSet, SUITS))

_STRENGTH = tuple(
    tuple(
        tuple(
            (64 if card >> 5 == trump else 32 if card >> 5 == lead else 0) + (card & 31)
            for card in range(len(_CARDS.name))
        )
        for trump in range(len(SUITS))
    )
    for lead in range(len(SUITS))
)
"""By lead suit and by trump: the strength of a card (C6)."""


def _laid(leader: int, cards: tuple[int, ...], players: int) -> tuple[Lay, ...]:
    """The cards of a trick with who laid them: the leader, and so on clockwise."""
    return tuple([_LAYS[(leader + i) % players][card] for i, card in enumerate(cards)])


_make = tuple.__new__
"""`_make(State, fields)` is `State(*fields)` in half the time; the fields must be complete and in order."""


class Setup(NamedTuple):
    """What holds for the whole match."""

    seats: int
    teams: str
    target: int
    open_scores: bool
    points: tuple[int, ...]
    """By value; 0 for value 0."""
    zero_points: int
    suits: tuple[int, ...]
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # never the seed: a repr may reach a log

    @property
    def players(self) -> int:
        """Seats, and the AI of the solo game."""
        return 2 if self.seats == 1 else self.seats

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player."""
        if self.teams == NO_TEAMS:
            return tuple(range(self.players))
        return tuple("ABCD".index(team) for team in SEATING[self.seats][self.teams])

    @property
    def tricks(self) -> int:
        """Tricks in a round."""
        return 15 if self.seats == 2 else HAND

    def by_side(self, by_player: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Cards by player, pooled by side."""
        if self.teams == NO_TEAMS:
            return tuple([tuple(sorted(cards)) for cards in by_player])
        pools: list[list[int]] = [[] for _ in range(max(self.sides) + 1)]
        for side, cards in zip(self.sides, by_player, strict=True):
            pools[side] += cards
        return tuple([tuple(sorted(pool)) for pool in pools])

    def worth(self, cards: Sequence[int]) -> int:
        """Points of captured cards, every 0 counted as 0."""
        return sum([self.points[card & 31] for card in cards])


@cache
def _deck(seats: int, suits: tuple[int, ...]) -> tuple[int, ...]:
    """The cards in play, by suit and value."""
    return tuple(suit << 5 | value for suit in suits for value in VALUES[seats])


class Round(NamedTuple):
    """What holds from one deal to the next."""

    number: int
    dealer: int
    victory_points: tuple[int, ...]
    """By side."""
    last: RoundResult | None
    outcome: Outcome | None


class _Taken(NamedTuple):
    """A complete trick as a State keeps it."""

    leader: int
    lays: tuple[int, ...]
    trump: int
    winner: int

    def open(self, players: int) -> Trick:
        return Trick(_laid(self.leader, self.lays, players), SUITS[self.trump], self.winner)


class Tricks(NamedTuple):
    """What holds from one trick to the next: the round's tricks so far, by player."""

    leader: int
    """Who leads or led the current trick."""
    won: tuple[int, ...]
    captured: tuple[tuple[int, ...], ...]
    last: _Taken | None
    """The last complete trick, also of the round before."""

    @property
    def number(self) -> int:
        """1 for the first trick of the round."""
        return sum(self.won) + 1


class SeaChangeState(NamedTuple):
    """A position. Cards are integers (see above)."""

    setup: Setup
    round: Round
    tricks: Tricks
    ply: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    pile: tuple[int, ...]
    """The draw pile (C10) or the AI's stack (C11), next card first."""
    may_hold: tuple[tuple[int, ...], ...]
    """By seat and suit: how many cards the seat may still hold, for all that it has shown (C5); HAND if nothing."""
    lays: tuple[int, ...]
    """The current trick; its first card is the leader's, and so on clockwise."""
    trump: int | None
    mover: Seat | None
    """Who plays next; None when the match is over."""

    def __repr__(self) -> str:
        return f"SeaChangeState(round {self.round.number}, ply {self.ply})"  # never a hand: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        return ALONE[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Play, ...]:
        """By suit and value (C5)."""
        if seat != self.mover:
            return ()
        hand, lays, plays = self.hands[seat], self.lays, _PLAYS[seat]
        if lays and holds(hand, lays[0] >> 5):
            suit, value = lays[0] >> 5, lays[-1] & 31
            return tuple([plays[card] for card in hand if card >> 5 == suit or card & 31 == value])
        return tuple([plays[card] for card in hand])

    def apply(self, move: Play) -> tuple[SeaChangeState, tuple[Event, ...]]:
        """Play a card; then, as it comes, draw (C10), let the AI play (C11), take the trick, score and deal."""
        setup, round_, tricks, ply, hands, pile, may_hold, lays, trump, mover = self
        seat, name = move
        seats = setup.seats
        if seat != mover:
            raise IllegalMove(Refusal.GAME_OVER if mover is None else Refusal.OUT_OF_TURN)
        hand = hands[seat]
        card = _NUMBER.get(name, -1)
        if card not in hand:
            raise refusal(self, move, Unplayable.NOT_IN_HAND)
        if lays and lays[0] >> 5 != card >> 5 and lays[-1] & 31 != card & 31:
            lead_suit = lays[0] >> 5
            if holds(hand, lead_suit):
                raise refusal(self, move, Unplayable.MUST_FOLLOW, suit=SUITS[lead_suit])
            may_hold = put(may_hold, seat, put(may_hold[seat], lead_suit, 0))
        if seats == 2 and may_hold[seat] != _ANYTHING:
            may_hold = put(may_hold, seat, _may_hold_after(may_hold[seat], card >> 5, 1 if pile else 0))
        events: list[Event] = []
        trump = _lay(seat, card, lays, trump, events)
        lays += (card,)
        rest = [*hand]
        rest.remove(card)
        if pile:
            if seats == 1:
                trump = _lay(AI, pile[0], lays, trump, events)
                lays += pile[:1]
            else:
                insort(rest, pile[0])
                events.append(CardDrawn(seat, _NAME[pile[0]]))
            pile = pile[1:]
        hands = put(hands, seat, tuple(rest))
        if len(lays) >= seats:
            return self._take_trick(hands, pile, may_hold, lays, trump, events), tuple(events)
        mover = SEATS[(seat + 1) % seats]
        after = _make(SeaChangeState, (setup, round_, tricks, ply + 1, hands, pile, may_hold, lays, trump, mover))
        return after, tuple(events)

    def _take_trick(
        self,
        hands: tuple[tuple[int, ...], ...],
        pile: tuple[int, ...],
        may_hold: tuple[tuple[int, ...], ...],
        lays: tuple[int, ...],
        trump: int,
        events: list[Event],
    ) -> SeaChangeState:
        """Give the complete trick to its winner (C6), who leads the next one, if there is one."""
        setup, (leader, won, captured, _) = self.setup, self.tricks
        winner = (leader + strongest(lays, _STRENGTH[lays[0] >> 5][trump])) % setup.players
        events.append(TrickTaken(winner, _CARDS.names(lays)))
        won = put(won, winner, won[winner] + 1)
        captured = put(captured, winner, captured[winner] + lays)
        tricks = _make(Tricks, (winner, won, captured, _make(_Taken, (leader, lays, trump, winner))))
        mover = Seat(winner % setup.seats)  # in the solo game the player, once the AI has led
        after = _make(
            SeaChangeState, (setup, self.round, tricks, self.ply + 1, hands, pile, may_hold, (), trump, mover)
        )
        if not any(hands):
            return after._score(trump, events)
        return after._begin_trick(events) if setup.seats == 1 else after

    def _begin_trick(self, events: list[Event]) -> SeaChangeState:
        """In the solo game the AI leads at once (C11); otherwise the trick waits for its leader."""
        if self.setup.seats > 1:
            return self
        trump = _lay(AI, self.pile[0], (), self.trump, events)
        tricks = self.tricks._replace(leader=AI)
        return self._replace(tricks=tricks, lays=self.pile[:1], pile=self.pile[1:], trump=trump)

    def _score(self, trump: int, events: list[Event]) -> SeaChangeState:
        """Score the round (C8, C11); then end the match (C9) or deal again."""
        setup, zero = self.setup, trump << 5
        captured = setup.by_side(self.tricks.captured)
        zero_side = next((side for side, cards in enumerate(captured) if zero in cards), None)
        totals = list(map(setup.worth, captured))
        if zero_side is not None:
            totals[zero_side] += setup.zero_points
        if setup.seats == 1:
            has_eight = any(card & 31 == 8 for card in captured[0])
            winners: tuple[int, ...] = (0,) if totals[0] > totals[1] and has_eight else (AI,)
        else:
            highest = max(totals)
            winners = tuple([side for side, total in enumerate(totals) if total == highest])
        victory_points = tuple([vp + (side in winners) for side, vp in enumerate(self.round.victory_points)])
        number, dealer = self.round.number, self.round.dealer
        result = RoundResult(
            number, tuple(totals), tuple([_CARDS.names(cards) for cards in captured]), winners, SUITS[trump], zero_side
        )
        events.append(RoundScored(result, victory_points))
        if max(victory_points) >= setup.target:
            outcome = _outcome(setup, victory_points, result, events)
            return self._replace(round=Round(number, dealer, victory_points, result, outcome), mover=None)
        next_round = Round(number + 1, (dealer + 1) % setup.seats, victory_points, result, None)
        return _deal(setup, next_round, self.ply, self.tricks.last, events)._begin_trick(events)

    def opening(self) -> tuple[Event, ...]:
        """The draw of the suits (C1), the first deal, and the AI's lead in the solo game."""
        setup = self.setup
        events: list[Event] = []
        if len(setup.suits) < len(SUITS):
            events.append(Shuffled(0, SUITS, shuffle(setup.seed, 0, SUITS)))
        _deal(setup, self.round, self.ply, None, events)
        if setup.seats == 1:
            # As it lies, not dealt anew: after redeal_unseen the seed gives another card, and that would tell.
            events += (_PLAYED[AI][self.lays[0]], _TRUMP_SET[self.lays[0] >> 5])
        return tuple(events)

    def view(self, seat: Seat | None) -> SeaChangeView:
        """What the seat or an onlooker may know (C7)."""
        setup, round_, tricks = self.setup, self.round, self.tricks
        captured = setup.by_side(self.tricks.captured)
        return SeaChangeView(
            viewer=seat,
            seats=setup.seats,
            sides=setup.sides,
            target=setup.target,
            open_scores=setup.open_scores,
            suits=tuple(SUITS[suit] for suit in setup.suits),
            values=VALUES[setup.seats],
            points_by_value=tuple((value, setup.points[value]) for value in VALUES[setup.seats] if value),
            zero_points=setup.zero_points,
            round=round_.number,
            trick_number=min(tricks.number, setup.tricks),
            tricks=setup.tricks,
            dealer=round_.dealer,
            leader=tricks.leader,
            to_move=self.mover,
            trump=None if self.trump is None else SUITS[self.trump],
            lays=_laid(tricks.leader, self.lays, setup.players),
            hand=() if seat is None else _CARDS.names(self.hands[seat]),
            hand_sizes=tuple(map(len, self.hands)),
            pile=len(self.pile),
            captured=tuple(map(len, captured)),
            tricks_won=tricks.won,
            victory_points=round_.victory_points,
            points=tuple(map(setup.worth, captured)) if setup.open_scores else None,
            last_trick=tricks.last and tricks.last.open(setup.players),
            last_round=round_.last,
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """Round and trick: a seat is asked once a trick."""
        return f"{self.round.number}.{self.tricks.number}"

    def outcome(self) -> Outcome | None:
        return self.round.outcome

    def default_move(self, seat: Seat) -> Play:
        """The lowest card that makes no sea change and is no trump, where the rules leave the choice."""
        before = self.lays[-1] & 31 if self.lays else None

        def risk(move: Play) -> tuple[bool, bool, int]:
            card = _NUMBER[move.card]
            return card & 31 == before, card >> 5 == self.trump, card & 31

        return min(self.legal_moves(seat), key=risk)

    def may_take_back(self, seat: Seat) -> bool:
        """Never: every card played is seen, and the next may be drawn for it."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> SeaChangeState:
        """Other cards in the other hands and the pile, and another seed for the rounds to come.

        What has been played stays, as it was seen by all, and no hand gets more of a suit than its player may hold.
        """
        others = [other for other in range(len(self.hands)) if other != seat]
        unseen = sorted([*[card for other in others for card in self.hands[other]], *self.pile])
        # Ordinal 0 is the suits' draw, which is long over; so no deal to come repeats this shuffle.
        cards = list(shuffle(seed, 0, unseen))
        places = []
        for other in others:
            size = len(self.hands[other])
            places.append(cards[:size])
            del cards[:size]
        _heed([*places, cards], [*[self.may_hold[other] for other in others], (len(unseen),) * len(SUITS)], seed)
        hands = self.hands
        for other, hand in zip(others, places, strict=True):
            hands = put(hands, other, tuple(sorted(hand)))
        return self._replace(setup=self.setup._replace(seed=seed), hands=hands, pile=tuple(cards))

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 3, "teams": "none", "open_scores": false}, "deck": {…}, "seed": "…",
         "ply": 0, "deals": 2,                     deals: ordinals used so far (0 is the suits' draw, then one a round)
         "suits": "BGRP", "round": 1, "dealer": 0, "leader": 1,
         "hands": [["B9", …], …],                  by seat, any order
         "may_hold": [[10, 10, 10, 0, 10], …],     by seat: most cards of B, G, R, P, Y that it may hold, for what it
                                                   has shown (C5); 10 where nothing is known
         "pile": ["R4", …],                        draw pile or AI stack, next card first
         "lays": [[1, "B9"], …],                   current trick: player, card
         "trump": "B" or null,
         "tricks_won": [0, 0, 0, 0],               by player
         "captured": [["B4", …], …],               by player
         "victory_points": [0, 0, 0, 0],           by side
         "last_trick": null or {"lays": [[1, "B9"], …], "trump": "B", "winner": 1},
         "last_round": null or {"round": 1, "points": […], "captured": [[…], …], "winners": [0], "trump": "B",
                                "zero_side": null or 2},
         "outcome": null or Outcome.to_json()}
        """
        setup, round_, tricks = self.setup, self.round, self.tricks
        return {
            "seats": setup.seats,
            "options": {"target": setup.target, "teams": setup.teams, "open_scores": setup.open_scores},
            "deck": _deck_table(setup.points, setup.zero_points),
            "seed": setup.seed,
            "ply": self.ply,
            "deals": round_.number + 1,
            "suits": "".join(SUITS[suit] for suit in setup.suits),
            "round": round_.number,
            "dealer": round_.dealer,
            "leader": tricks.leader,
            "hands": [list(_CARDS.names(hand)) for hand in self.hands],
            "may_hold": [list(most) for most in self.may_hold],
            "pile": list(_CARDS.names(self.pile)),
            "lays": [list(lay) for lay in _laid(tricks.leader, self.lays, setup.players)],
            "trump": None if self.trump is None else SUITS[self.trump],
            "tricks_won": list(tricks.won),
            "captured": [list(_CARDS.names(cards)) for cards in tricks.captured],
            "victory_points": list(round_.victory_points),
            "last_trick": plain(tricks.last and tricks.last.open(setup.players)),
            "last_round": plain(round_.last),
            "outcome": plain(round_.outcome),
        }


def _lay(player: int, card: int, lays: tuple[int, ...], trump: int | None, events: list[Event]) -> int:
    """Note that the player lays a card to the trick so far. Gives the trump from then on (C3, C4)."""
    events.append(_PLAYED[player][card])
    if lays and lays[-1] & 31 == card & 31:
        trump = card >> 5
        events.append(_CHANGED[player][trump])
    elif trump is None:
        trump = card >> 5
        events.append(_TRUMP_SET[trump])
    return trump


_ANYTHING = (HAND,) * len(SUITS)
"""What a hand may hold of each suit, while nothing is known of it."""


def _may_hold_after(most: tuple[int, ...], suit: int, drawn: int) -> tuple[int, ...]:
    """With two players: one card of the suit fewer, and as many of any more as were drawn (C10)."""
    return tuple([min(HAND, number - (s == suit) + drawn) for s, number in enumerate(most)])


def _heed(places: Sequence[list[int]], most: Sequence[tuple[int, ...]], seed: str) -> None:
    """Exchange cards until no place has more of a suit than it may, or no exchange helps any more."""
    exchanges = 0
    for home, cards in enumerate(places):
        for suit, number in enumerate(most[home]):
            if number >= len(cards):
                continue
            surplus = [at for at, card in enumerate(cards) if card >> 5 == suit][number:]
            for at in surplus:
                exchanges += 1
                _pass_on(places, most, home, at, shuffle(seed, exchanges, range(len(places))))


def _has_room(cards: Sequence[int], suit: int, number: int) -> bool:
    """Whether a place that may hold that number of the suit can take one more for another card."""
    return number >= len(cards) or (number > 0 and sum([card >> 5 == suit for card in cards]) < number)


def _pass_on(
    places: Sequence[list[int]], most: Sequence[tuple[int, ...]], home: int, at: int, order: Sequence[int]
) -> None:
    """Take the card out of its home by the shortest ring of places, each of which may hold the card it is passed.

    There is such a ring wherever the cards can be dealt so that no place has more of a suit than it may.
    """
    came: dict[int, tuple[int, int]] = {}  # from which place, and which of its cards
    offers = [(home, at)]
    for giver, offer in offers:
        suit = places[giver][offer] >> 5
        for taker in order:
            if taker in came or not _has_room(places[taker], suit, most[taker][suit]):
                continue
            came[taker] = giver, offer
            if taker == home:
                ring = [came[home]]
                while ring[-1][0] != home:
                    ring.append(came[ring[-1][0]])
                passed = [places[place][card] for place, card in ring]
                for (place, card), new in zip((ring[-1], *ring), passed, strict=False):
                    places[place][card] = new
                return
            offers += [(taker, card) for card in range(len(places[taker]))]


def _deal(setup: Setup, round_: Round, ply: int, last_trick: _Taken | None, events: list[Event]) -> SeaChangeState:
    """Deal a round (C2)."""
    seats, players = setup.seats, setup.players
    deck = _deck(seats, setup.suits)
    cards = shuffle(setup.seed, round_.number, deck)
    leader = (round_.dealer + 1) % players
    events.append(Shuffled(round_.number, _CARDS.names(deck), _CARDS.names(cards)))
    events.append(RoundBegan(round_.number, round_.dealer, leader, tuple([SUITS[suit] for suit in setup.suits])))
    hands = tuple([tuple(sorted(cards[HAND * seat : HAND * (seat + 1)])) for seat in range(seats)])
    tricks = Tricks(leader, (0,) * players, ((),) * players, last_trick)
    pile, may_hold = cards[HAND * seats :], (_ANYTHING,) * seats
    return SeaChangeState(setup, round_, tricks, ply, hands, pile, may_hold, (), None, Seat(leader % seats))


def _outcome(setup: Setup, victory_points: tuple[int, ...], last: RoundResult, events: list[Event]) -> Outcome:
    """Who wins the match (C9), given that a side is at the target."""
    sides = [side for side, vp in enumerate(victory_points) if vp >= setup.target]
    tie_break, reason = "", "victory_points"
    if setup.seats == 1:
        reason = "solo_lost" if AI in sides else "solo_won"
    elif len(sides) > 1 and last.zero_side in sides:
        sides, tie_break, reason = [last.zero_side], "zero", "tie_zero"
    elif len(sides) > 1:
        fewest = min(len(last.captured[side]) for side in sides)
        sides = [side for side in sides if len(last.captured[side]) == fewest]
        tie_break, reason = ("cards", "tie_cards") if len(sides) == 1 else ("shared", "shared")
    events.append(MatchWon(tuple(sides), tie_break))
    seats = setup.sides[: setup.seats]  # the AI is no seat
    return Outcome(
        frozenset(Seat(seat) for seat, side in enumerate(seats) if side in sides),
        tuple(victory_points[side] for side in seats),
        reason,
    )


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """What a lobby may choose (C7, C9, C12). The target's default follows the chosen teams."""
    teams = (NO_TEAMS, *SEATING.get(seats, ()))
    choice = chosen.get("teams", NO_TEAMS)
    target = TARGET if choice == NO_TEAMS or choice not in teams else max(map(int, choice.split("v"))) + 1
    offered = Option("target", tuple(range(1, 10)), target), Option("open_scores", (False, True), False)
    return (Option("teams", teams, NO_TEAMS), *offered) if len(teams) > 1 else offered


def _deck_table(points: Sequence[int], zero_points: int) -> Json:
    """A complete deck table, from points by value."""
    return {"points": {str(value): points[value] for value in POINTS}, "zero_points": zero_points}


def _check_deck(table: Mapping[str, Any]) -> Json:
    """A complete deck table from an owner's partial one: {"points": {"1": -1, …, "15": 1}, "zero_points": 5}.

    Raises BadOption("deck", …) for a name or a type that has no place in it, or points beyond MOST_POINTS.
    """

    def number(name: str, value: object) -> int:
        if type(value) is not int or abs(value) > MOST_POINTS:
            raise BadOption("deck", f"{name} must be a whole number from -{MOST_POINTS} to {MOST_POINTS}")
        return value

    if not isinstance(table, Mapping):
        raise BadOption("deck", f"not a table: {table!r}")
    for name in table:
        if name not in ("points", "zero_points"):
            raise BadOption("deck", f"{name!r} is neither points nor zero_points")
    given = table.get("points", {})
    if not isinstance(given, Mapping):
        raise BadOption("deck", "points must be a table of points by value")
    points = [0, *POINTS.values()]
    for name, value in given.items():
        if name not in map(str, POINTS):
            raise BadOption("deck", f"points: {name!r} is not a value from 1 to 15")
        points[int(name)] = number(f"points of value {name}", value)
    return _deck_table(points, number("zero_points", table.get("zero_points", ZERO_POINTS)))


def _setup(seats: int, options: Json, deck: Mapping[str, Any], suits: tuple[int, ...], seed: str) -> Setup:
    """From every option's value and a complete deck table."""
    points = (0, *(deck["points"][str(value)] for value in POINTS))
    teams, target, open_scores = options["teams"], options["target"], options["open_scores"]
    return Setup(seats, teams, target, open_scores, points, deck["zero_points"], suits, seed)


def _new(seats: int, options: Mapping[str, Any], seed: str) -> SeaChangeState:
    """The position before the first card, and in the solo game after the AI's first lead."""
    chosen = chosen_options(GAME, seats, options)
    deck = _check_deck(options["deck"]) if "deck" in options else GAME.deck
    drawn = shuffle(seed, 0, range(len(SUITS)))[: SUITS_IN_PLAY[seats]]  # C1; with five, any order is all of them
    setup = _setup(seats, {"teams": NO_TEAMS, **chosen}, deck, tuple(sorted(drawn)), seed)
    first_round = Round(1, 0, (0,) * (max(setup.sides) + 1), None, None)
    return _deal(setup, first_round, 0, None, [])._begin_trick([])


def _taken_from_json(data: Json | None) -> _Taken | None:
    if data is None:
        return None
    players, cards = zip(*data["lays"], strict=True)
    return _Taken(players[0], _CARDS.numbers(cards), "BGRPY".index(data["trump"]), data["winner"])


def _result_from_json(data: Json | None) -> RoundResult | None:
    if data is None:
        return None
    captured = tuple(_CARDS.names(_CARDS.numbers(cards)) for cards in data["captured"])
    points, winners = tuple(data["points"]), tuple(data["winners"])
    return RoundResult(data["round"], points, captured, winners, Suit(data["trump"]), data["zero_side"])


def _from_json(data: Json) -> SeaChangeState:
    """The position that `to_json` gave."""
    suits = tuple("BGRPY".index(suit) for suit in data["suits"])
    setup = _setup(data["seats"], data["options"], data["deck"], suits, data["seed"])
    trump, outcome = data["trump"], data["outcome"]
    round_ = Round(
        data["round"],
        data["dealer"],
        tuple(data["victory_points"]),
        _result_from_json(data["last_round"]),
        Outcome.from_json(outcome) if outcome else None,
    )
    won, captured = tuple(data["tricks_won"]), tuple([_CARDS.numbers(cards) for cards in data["captured"]])
    return SeaChangeState(
        setup,
        round_,
        Tricks(data["leader"], won, captured, _taken_from_json(data["last_trick"])),
        data["ply"],
        tuple([tuple(sorted(_CARDS.numbers(hand))) for hand in data["hands"]]),
        _CARDS.numbers(data["pile"]),
        tuple([tuple(most) for most in data["may_hold"]]),
        _CARDS.numbers([card for _, card in data["lays"]]),
        None if trump is None else "BGRPY".index(trump),
        None if outcome else Seat((data["leader"] + len(data["lays"])) % setup.seats),
    )


_VICTORY_POINT_WORTH = 20
"""To a computer player, in points: more than most rounds are won by."""


def _prospect(state: SeaChangeState, seat: Seat) -> float:
    """The side's lead in victory points, and in points this round; before its first trick, in those of the last."""
    setup, round_ = state.setup, state.round
    captured = setup.by_side(state.tricks.captured)
    if any(captured):
        zero = -1 if state.trump is None else state.trump << 5
        points = tuple(setup.worth(cards) + setup.zero_points * (zero in cards) for cards in captured)
    else:
        points = round_.last.points if round_.last else (0,) * len(captured)
    side, won = setup.sides[seat], round_.outcome is not None and seat in round_.outcome.winners
    return _VICTORY_POINT_WORTH * (lead(side, round_.victory_points) + won) + lead(side, points)


def _horizon(state: SeaChangeState) -> int:
    """To the end of the round."""
    drawn = len(state.pile) if state.setup.seats == 2 else 0
    return sum(map(len, state.hands)) + drawn


GAME = Game(
    slug="sea_change",
    title="Sea Change",
    seats=tuple(VALUES),
    new=_new,
    from_json=_from_json,
    parse=_CARDS.parse,
    options=_options,
    deck=_deck_table((0, *POINTS.values()), ZERO_POINTS),
    check_deck=_check_deck,
    prospect=_prospect,
    horizon=_horizon,
    recall=partial(recall, closed=(CardPlayed, TrumpSet, SeaChanged, CardDrawn)),
)
