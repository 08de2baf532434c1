"""Sea Change: a position, its legal moves, and what they lead to."""

from __future__ import annotations

from bisect import insort
from typing import NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.game import Event, IllegalMove, Json, Outcome, Refusal, Seat
from rules.core.records import ONLY_SEAT, SEATS, json_value, replace_at, value_of
from rules.core.tricks import Play, TrickTaken, Unplayable, holds, refusal, strongest
from rules.sea_change import voids
from rules.sea_change.cards import CARDS, CHANGED, NAME, NUMBER, PLAYED, PLAYS, STRENGTH, TRUMP_SET, deck_of, lays_of
from rules.sea_change.rounds import Round, Setup, count_round, decide_match, setup_of
from rules.sea_change.types import (
    AI,
    HAND,
    SUITS,
    VALUES,
    CardDrawn,
    RoundBegan,
    RoundResult,
    RoundScored,
    SeaChangeView,
    Trick,
    deck_table,
)
from rules.sea_change.voids import ANYTHING

_make = tuple.__new__
"""`_make(State, fields)` is `State(*fields)` in half the time; the fields must be complete and in order."""


class _Taken(NamedTuple):
    """A complete trick as a State stores it."""

    leader: int
    lays: tuple[int, ...]
    trump: int
    winner: int

    def as_trick(self, players: int) -> Trick:
        return Trick(lays_of(self.leader, self.lays, players), SUITS[self.trump], self.winner)


class Tricks(NamedTuple):
    """What passes from one trick to the next: the round's tricks so far, by player."""

    leader: int
    """The player who leads or led the current trick."""
    won: tuple[int, ...]
    captured: tuple[tuple[int, ...], ...]
    last: _Taken | None
    """The last complete trick, also of the round before."""

    @property
    def number(self) -> int:
        """1 for the first trick of the round."""
        return sum(self.won) + 1


class SeaChangeState(NamedTuple):
    """A position. Cards are integers (see cards)."""

    setup: Setup
    round: Round
    tricks: Tricks
    ply: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    pile: tuple[int, ...]
    """The draw pile (C10) or the AI's stack (C11), next card first."""
    may_hold: tuple[tuple[int, ...], ...]
    """By seat and suit: the most cards that the seat may have after what it has shown (C5); HAND if all is possible."""
    lays: tuple[int, ...]
    """The current trick; its first card is the leader's, and so on clockwise."""
    trump: int | None
    mover: Seat | None
    """The seat that plays next; None when the match is over."""

    def __repr__(self) -> str:
        return f"SeaChangeState(round {self.round.number}, ply {self.ply})"  # without hands: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        """Return the one seat that plays next (C3), or the empty set after the match."""
        return ONLY_SEAT[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Play, ...]:
        """Return the cards that the seat may play, by suit and value (C5)."""
        if seat != self.mover:
            return ()
        hand, lays, plays = self.hands[seat], self.lays, PLAYS[seat]
        if lays and holds(hand, lays[0] >> 5):
            suit, value = lays[0] >> 5, lays[-1] & 31
            return tuple([plays[card] for card in hand if card >> 5 == suit or card & 31 == value])
        return tuple([plays[card] for card in hand])

    def apply(self, move: Play) -> tuple[SeaChangeState, tuple[Event, ...]]:
        """Play a card (C5), draw (C10) or let the AI play (C11), take a complete trick (C6), score the round (C8)."""
        setup, round_, tricks, ply, hands, pile, may_hold, lays, trump, mover = self
        seat, name = move
        seats = setup.seats
        if seat != mover:
            raise IllegalMove(Refusal.GAME_OVER if mover is None else Refusal.OUT_OF_TURN)
        hand = hands[seat]
        card = NUMBER.get(name, -1)
        if card not in hand:
            raise refusal(self, move, Unplayable.NOT_IN_HAND)
        if lays and lays[0] >> 5 != card >> 5 and lays[-1] & 31 != card & 31:
            lead_suit = lays[0] >> 5
            if holds(hand, lead_suit):
                raise refusal(self, move, Unplayable.MUST_FOLLOW, suit=SUITS[lead_suit])
            may_hold = replace_at(may_hold, seat, replace_at(may_hold[seat], lead_suit, 0))
        if seats == 2 and may_hold[seat] != ANYTHING:
            may_hold = replace_at(may_hold, seat, voids.after_play(may_hold[seat], card >> 5, 1 if pile else 0))
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
                events.append(CardDrawn(seat, NAME[pile[0]]))
            pile = pile[1:]
        hands = replace_at(hands, seat, tuple(rest))
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
        winner = (leader + strongest(lays, STRENGTH[lays[0] >> 5][trump])) % len(won)
        events.append(TrickTaken(winner, CARDS.names(lays)))
        won = replace_at(won, winner, won[winner] + 1)
        captured = replace_at(captured, winner, captured[winner] + lays)
        tricks = _make(Tricks, (winner, won, captured, _make(_Taken, (leader, lays, trump, winner))))
        mover = SEATS[winner % setup.seats]  # in the solo game always the player: the AI leads in _begin_trick
        fields = setup, self.round, tricks, self.ply + 1, hands, pile, may_hold, (), trump, mover
        after = _make(SeaChangeState, fields)
        if not any(hands):
            return after._score(trump, events)
        return after._begin_trick(events) if setup.seats == 1 else after

    def _begin_trick(self, events: list[Event]) -> SeaChangeState:
        """Let the AI lead in the solo game (C11); otherwise return the state unchanged."""
        if self.setup.seats > 1:
            return self
        trump = _lay(AI, self.pile[0], (), self.trump, events)
        tricks = self.tricks._replace(leader=AI)
        return self._replace(tricks=tricks, lays=self.pile[:1], pile=self.pile[1:], trump=trump)

    def _score(self, trump: int, events: list[Event]) -> SeaChangeState:
        """Score the round (C8, C11), then end the match (C9) or deal again."""
        setup, (number, dealer, before, _, _) = self.setup, self.round
        result = count_round(setup, number, self.tricks.captured, trump)
        victory_points = tuple([vp + (side in result.winners) for side, vp in enumerate(before)])
        events.append(RoundScored(result, victory_points))
        if max(victory_points) >= setup.target:
            won, outcome = decide_match(setup, victory_points, result)
            events.append(won)
            return self._replace(round=Round(number, dealer, victory_points, result, outcome), mover=None)
        next_round = Round(number + 1, (dealer + 1) % setup.seats, victory_points, result, None)
        return deal(setup, next_round, self.ply, self.tricks.last, events)._begin_trick(events)

    def opening(self) -> tuple[Event, ...]:
        """Return the draw of the suits (C1), the first deal, and the AI's lead in the solo game."""
        setup = self.setup
        events: list[Event] = []
        if len(setup.suits) < len(SUITS):
            events.append(Shuffled(0, SUITS, shuffle(setup.seed, 0, SUITS)))
        deal(setup, self.round, self.ply, None, events)
        if setup.seats == 1:
            # The card on the table, not one dealt again: after redeal_unseen the seed deals another card here, which
            # would show that the position is a redeal.
            events += (PLAYED[AI][self.lays[0]], TRUMP_SET[self.lays[0] >> 5])
        return tuple(events)

    def view(self, seat: Seat | None) -> SeaChangeView:
        """Return what the seat, or an onlooker (None), may know (C7)."""
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
            lays=lays_of(tricks.leader, self.lays, setup.players),
            hand=() if seat is None else CARDS.names(self.hands[seat]),
            hand_sizes=tuple(map(len, self.hands)),
            pile=len(self.pile),
            captured=tuple(map(len, captured)),
            tricks_won=tricks.won,
            victory_points=round_.victory_points,
            points=tuple(map(setup.points_of, captured)) if setup.open_scores else None,
            last_trick=tricks.last and tricks.last.as_trick(setup.players),
            last_round=round_.last,
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """Return round and trick: a seat makes one decision a trick."""
        return f"{self.round.number}.{self.tricks.number}"

    def outcome(self) -> Outcome | None:
        """Return the outcome once a side has `target` victory points (C9)."""
        return self.round.outcome

    def default_move(self, seat: Seat) -> Play:
        """Return the lowest legal card; if possible, one that makes no sea change, and then no trump."""
        before = self.lays[-1] & 31 if self.lays else None

        def risk(move: Play) -> tuple[bool, bool, int]:
            card = NUMBER[move.card]
            return card & 31 == before, card >> 5 == self.trump, card & 31

        return min(self.legal_moves(seat), key=risk)

    def may_take_back(self, seat: Seat) -> bool:
        """Return False: all see every card played, and the player may have drawn a card for it."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> SeaChangeState:
        """Deal other cards to the other hands and the pile, and take another seed for later rounds.

        The cards already played stay: all have seen them. No hand gets more of a suit than its player may hold (C5).
        """
        others = [other for other in range(len(self.hands)) if other != seat]
        unseen = sorted([*[card for other in others for card in self.hands[other]], *self.pile])
        # Ordinal 0 was the draw of the suits, so no later deal repeats this shuffle.
        cards = list(shuffle(seed, 0, unseen))
        places = []
        for other in others:
            size = len(self.hands[other])
            places.append(cards[:size])
            del cards[:size]
        voids.respect_limits(
            [*places, cards], [*[self.may_hold[other] for other in others], (len(unseen),) * len(SUITS)], seed
        )
        hands = self.hands
        for other, hand in zip(others, places, strict=True):
            hands = replace_at(hands, other, tuple(sorted(hand)))
        return self._replace(setup=self.setup._replace(seed=seed), hands=hands, pile=tuple(cards))

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 3, "teams": "none", "open_scores": false}, "deck": {…}, "seed": "…",
         "ply": 0, "deals": 2,                     deals: ordinals used so far (0 is the suits' draw, then one a round)
         "suits": "BGRP", "round": 1, "dealer": 0, "leader": 1,
         "hands": [["B9", …], …],                  by seat, any order
         "may_hold": [[10, 10, 10, 0, 10], …],     by seat: most cards of B, G, R, P, Y that it may hold after what it
                                                   has shown (C5); 10 if all is possible
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
            "deck": deck_table(setup.points, setup.zero_points),
            "seed": setup.seed,
            "ply": self.ply,
            "deals": round_.number + 1,
            "suits": "".join(SUITS[suit] for suit in setup.suits),
            "round": round_.number,
            "dealer": round_.dealer,
            "leader": tricks.leader,
            "hands": [list(CARDS.names(hand)) for hand in self.hands],
            "may_hold": [list(most) for most in self.may_hold],
            "pile": list(CARDS.names(self.pile)),
            "lays": [list(lay) for lay in lays_of(tricks.leader, self.lays, setup.players)],
            "trump": None if self.trump is None else SUITS[self.trump],
            "tricks_won": list(tricks.won),
            "captured": [list(CARDS.names(cards)) for cards in tricks.captured],
            "victory_points": list(round_.victory_points),
            "last_trick": json_value(tricks.last and tricks.last.as_trick(setup.players)),
            "last_round": json_value(round_.last),
            "outcome": json_value(round_.outcome),
        }


def _lay(player: int, card: int, lays: tuple[int, ...], trump: int | None, events: list[Event]) -> int:
    """Append the events of the player's card, laid to the trick so far. Return the trump from then on (C3, C4)."""
    events.append(PLAYED[player][card])
    if lays and lays[-1] & 31 == card & 31:
        trump = card >> 5
        events.append(CHANGED[player][trump])
    elif trump is None:
        trump = card >> 5
        events.append(TRUMP_SET[trump])
    return trump


def deal(setup: Setup, round_: Round, ply: int, last_trick: _Taken | None, events: list[Event]) -> SeaChangeState:
    """Deal a round (C2)."""
    seats, players = setup.seats, setup.players
    deck = deck_of(seats, setup.suits)
    cards = shuffle(setup.seed, round_.number, deck)
    leader = (round_.dealer + 1) % players
    events.append(Shuffled(round_.number, CARDS.names(deck), CARDS.names(cards)))
    events.append(RoundBegan(round_.number, round_.dealer, leader, tuple([SUITS[suit] for suit in setup.suits])))
    hands = tuple([tuple(sorted(cards[HAND * seat : HAND * (seat + 1)])) for seat in range(seats)])
    tricks = Tricks(leader, (0,) * players, ((),) * players, last_trick)
    pile, may_hold = cards[HAND * seats :], (ANYTHING,) * seats
    return SeaChangeState(setup, round_, tricks, ply, hands, pile, may_hold, (), None, Seat(leader % seats))


def _taken_from_json(data: Json | None) -> _Taken | None:
    if data is None:
        return None
    players, cards = zip(*data["lays"], strict=True)
    return _Taken(players[0], CARDS.numbers(cards), SUITS.index(data["trump"]), data["winner"])


def from_json(data: Json) -> SeaChangeState:
    """Return the position that `to_json` described."""
    suits = tuple(SUITS.index(suit) for suit in data["suits"])
    setup = setup_of(data["seats"], data["options"], data["deck"], suits, data["seed"])
    trump = data["trump"]
    round_ = Round(
        data["round"],
        data["dealer"],
        tuple(data["victory_points"]),
        value_of(RoundResult | None, data["last_round"]),
        value_of(Outcome | None, data["outcome"]),
    )
    won, captured = tuple(data["tricks_won"]), tuple([CARDS.numbers(cards) for cards in data["captured"]])
    return SeaChangeState(
        setup,
        round_,
        Tricks(data["leader"], won, captured, _taken_from_json(data["last_trick"])),
        data["ply"],
        tuple([tuple(sorted(CARDS.numbers(hand))) for hand in data["hands"]]),
        CARDS.numbers(data["pile"]),
        tuple([tuple(most) for most in data["may_hold"]]),
        CARDS.numbers([card for _, card in data["lays"]]),
        None if trump is None else SUITS.index(trump),
        None if data["outcome"] else Seat((data["leader"] + len(data["lays"])) % setup.seats),
    )
