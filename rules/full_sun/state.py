"""Full Sun: a position, its legal moves, and what they lead to."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.game import Event, IllegalMove, Json, Outcome, Refusal, Seat
from rules.core.records import ONLY_SEAT, SEATS, json_value, value_of
from rules.core.tricks import Play, TrickTaken, Unplayable, holds, refusal, strongest
from rules.full_sun.types import (
    CARDS,
    DECKS,
    HAND,
    HIGHEST,
    LAYS,
    PLAYED,
    PLAYS,
    SUITS,
    Face,
    FullSunView,
    Lay,
    MatchWon,
    RoundBegan,
    RoundResult,
    RoundScored,
    TieBreak,
    Trick,
    backs,
    faces_of,
    suit_of,
)


class Setup(NamedTuple):
    """What stays fixed for the whole match."""

    seats: int
    target: int
    rain: Face
    sun: Face
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # without the seed: a repr may reach a log


class Round(NamedTuple):
    """What stays fixed from one deal to the next."""

    number: int
    points: tuple[int, ...]
    last: RoundResult | None
    last_trick: Trick | None
    """The last trick of the round before."""
    outcome: Outcome | None

    @property
    def step(self) -> int:
        """What to add to a seat to get the next in play (S4)."""
        return 1 if self.number & 1 else -1


class FullSunState(NamedTuple):
    """A position. Cards are integers (see facts)."""

    setup: Setup
    round: Round
    ply: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    fan: tuple[int, ...]
    """The undealt cards, sorted."""
    leader: Seat
    lays: tuple[int, ...]
    """The current trick; its first card is the leader's."""
    taken: tuple[Trick, ...]
    """The complete tricks of this round."""
    mover: Seat | None
    """The seat that plays next; None when the match is over."""

    def __repr__(self) -> str:
        return f"FullSunState(round {self.round.number}, ply {self.ply})"  # without hands: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        """Return the one seat that plays next (S4), or the empty set after the match."""
        return ONLY_SEAT[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Play, ...]:
        """Return the cards that the seat may play, by suit and number (S2)."""
        if seat != self.mover:
            return ()
        hand, plays = self.hands[seat], PLAYS[seat]
        if self.lays:
            suit = self.lays[-1] >> 5
            if following := [plays[card] for card in hand if card >> 5 == suit]:
                return tuple(following)
        return tuple([plays[card] for card in hand])

    def apply(self, move: Play) -> tuple[FullSunState, tuple[Event, ...]]:
        """Play a card (S2), take a complete trick (S3); after the last one score the round (S6) and deal (S5)."""
        setup, round_, ply, hands, fan, leader, lays, taken, mover = self
        seat, name = move
        if seat != mover:
            raise IllegalMove(Refusal.GAME_OVER if mover is None else Refusal.OUT_OF_TURN)
        hand = hands[seat]
        card = CARDS.number.get(name, -1)
        if card not in hand:
            raise refusal(self, move, Unplayable.NOT_IN_HAND)
        if lays and card >> 5 != lays[-1] >> 5 and holds(hand, lays[-1] >> 5):
            raise refusal(self, move, Unplayable.MUST_FOLLOW, suit=SUITS[lays[-1] >> 5])
        at = hand.index(card)
        hands = (*hands[:seat], hand[:at] + hand[at + 1 :], *hands[seat + 1 :])
        lays += (card,)
        played = PLAYED[seat][card]
        if len(lays) < setup.seats:
            mover = SEATS[(seat + round_.step) % setup.seats]
            return FullSunState(setup, round_, ply + 1, hands, fan, leader, lays, taken, mover), (played,)
        trick = self._trick(lays)
        events: list[Event] = [played, TrickTaken(trick.winner, CARDS.names(lays))]
        taken += (trick,)
        after = FullSunState(setup, round_, ply + 1, hands, fan, trick.winner, (), taken, trick.winner)
        return (after if len(taken) < HAND[setup.seats] else after._score(events)), tuple(events)

    def _lays_of(self, cards: tuple[int, ...]) -> tuple[Lay, ...]:
        """Return these cards of the current trick, each with the seat that played it."""
        leader, step, seats = self.leader, self.round.step, self.setup.seats
        return tuple([LAYS[(leader + step * i) % seats][card] for i, card in enumerate(cards)])

    def _trick(self, cards: tuple[int, ...]) -> Trick:
        """Return the current trick, complete with these cards (S3)."""
        lays = self._lays_of(cards)
        return Trick(lays, lays[strongest(cards, faces_of(self.setup.rain, self.setup.sun))].seat)

    def _won(self) -> tuple[int, ...]:
        """Return the number of tricks won this round, by seat."""
        winners = [trick.winner for trick in self.taken]
        return tuple([winners.count(seat) for seat in SEATS[: self.setup.seats]])

    def _score(self, events: list[Event]) -> FullSunState:
        """Score the round (S6), then end the match (S7) or deal again."""
        setup, (number, points, _, _, _) = self.setup, self.round
        final = {lay.seat: CARDS.number[lay.card] for lay in self.taken[-1].lays}
        seats, faces, won = sorted(final), faces_of(setup.rain, setup.sun), self._won()
        pips = tuple(faces[final[seat]].pips for seat in seats)
        species = tuple(SUITS[final[seat] >> 5] for seat in seats)
        scored = tuple(seat for seat in seats if won[seat] == pips[seat])
        points = tuple(count + (seat in scored) for seat, count in enumerate(points))
        result = RoundResult(number, species, pips, won, tuple(map(len, self.hands)), scored)
        events.append(RoundScored(result, points))
        if max(points) < setup.target:
            return deal(setup, Round(number + 1, points, result, self.taken[-1], None), self.ply, events)
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
        """Return what each player at the target shows after the round's end; () if only one is there (S7)."""
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
        """Return the first deal's events: the shuffle and the hand sizes."""
        events: list[Event] = []
        deal(self.setup, self.round, self.ply, events)
        return tuple(events)

    def view(self, seat: Seat | None) -> FullSunView:
        """Return what the seat, or an onlooker (None), may know (S1, S9)."""
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
            lays=self._lays_of(self.lays),
            follow=SUITS[self.lays[-1] >> 5] if self.lays else None,
            hand=() if seat is None else CARDS.names(self.hands[seat]),
            backs=tuple(map(backs, self.hands)),
            fan=backs(self.fan),
            tricks_won=self._won(),
            points=round_.points,
            last_trick=self.taken[-1] if self.taken else round_.last_trick,
            last_round=round_.last,
            tie_breaks=self._tie_breaks() if round_.outcome else (),
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """Return round and trick: a seat makes one decision a trick."""
        return f"{self.round.number}.{len(self.taken) + 1}"

    def outcome(self) -> Outcome | None:
        """Return the outcome once a player has `target` points (S7)."""
        return self.round.outcome

    def default_move(self, seat: Seat) -> Play:
        """Return the lowest legal card."""
        faces = faces_of(self.setup.rain, self.setup.sun)
        return min(self.legal_moves(seat), key=lambda move: faces[CARDS.number[move.card]])

    def may_take_back(self, seat: Seat) -> bool:
        """Return False: all see every card played."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> FullSunState:
        """Deal other numbers on the same backs to the other hands and the fan, and take another seed for later rounds.

        The cards already played stay: all have seen them.
        """
        places = [*(() if other == seat else hand for other, hand in enumerate(self.hands)), self.fan]
        unseen: list[list[int]] = [[] for _ in SUITS]
        # Later deals have higher ordinals, so none of them repeats this shuffle.
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
         "hands": [["B7", "Rain", …], …],          by seat, any order; at the match's end the cards laid aside
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
            "deck": {"rain": json_value(setup.rain), "sun": json_value(setup.sun)},
            "ply": self.ply,
            "round": round_.number,
            "points": list(round_.points),
            "hands": [list(CARDS.names(hand)) for hand in self.hands],
            "fan": list(CARDS.names(self.fan)),
            "leader": self.leader,
            "lays": json_value(self._lays_of(self.lays)),
            "tricks": json_value(self.taken),
            "last_trick": json_value(round_.last_trick),
            "last_round": json_value(round_.last),
            "outcome": json_value(round_.outcome),
        }


def _dealer(setup: Setup, round_: Round) -> Seat:
    """Return the dealer: seat 0 first, then always the next to the left (S4)."""
    return SEATS[(round_.number - 1) % setup.seats]


def _hand_sizes(seats: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of cards that each seat is dealt (S5)."""
    behind = [max(points) - own for own in points]
    spare = len(DECKS[seats]) - seats * HAND[seats]
    most = max(n for n in range(max(behind) + 1) if sum(min(n, extra) for extra in behind) <= spare)
    return tuple(HAND[seats] + min(most, extra) for extra in behind)


def deal(setup: Setup, round_: Round, ply: int, events: list[Event]) -> FullSunState:
    """Deal a round (S5)."""
    deck = DECKS[setup.seats]
    cards = shuffle(setup.seed, round_.number - 1, deck)
    events.append(Shuffled(round_.number - 1, CARDS.names(deck), CARDS.names(cards)))
    dealer, sizes = _dealer(setup, round_), _hand_sizes(setup.seats, round_.points)
    events.append(RoundBegan(round_.number, dealer, round_.step == 1, sizes))
    hands, at = [], 0
    for size in sizes:
        hands.append(tuple(sorted(cards[at : at + size])))
        at += size
    return FullSunState(setup, round_, ply, tuple(hands), tuple(sorted(cards[at:])), dealer, (), (), dealer)


def from_json(data: Json) -> FullSunState:
    """Return the position that `to_json` described."""
    rain, sun = (value_of(Face, data["deck"][card]) for card in ("rain", "sun"))
    setup = Setup(data["seats"], data["options"]["target"], rain, sun, data["seed"])
    round_ = Round(
        data["round"],
        tuple(data["points"]),
        value_of(RoundResult | None, data["last_round"]),
        value_of(Trick | None, data["last_trick"]),
        value_of(Outcome | None, data["outcome"]),
    )
    leader, lays = Seat(data["leader"]), data["lays"]
    return FullSunState(
        setup,
        round_,
        data["ply"],
        tuple(tuple(sorted(CARDS.numbers(hand))) for hand in data["hands"]),
        tuple(sorted(CARDS.numbers(data["fan"]))),
        leader,
        CARDS.numbers([card for _, card in lays]),
        value_of(tuple[Trick, ...], data["tricks"]),
        None if data["outcome"] else Seat((leader + round_.step * len(lays)) % setup.seats),
    )
