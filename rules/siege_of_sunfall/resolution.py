"""Siege of Sunfall: positions, and what happens from one decision of the players to the next."""

from __future__ import annotations

from operator import add, sub
from typing import NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.game import Event, Outcome, Seat
from rules.core.records import replace_at
from rules.siege_of_sunfall.deck import Deck
from rules.siege_of_sunfall.events import (
    ArmiesPaid,
    CardDiscarded,
    CardFaced,
    CardTaken,
    CrownPassed,
    Eliminated,
    GoldUsed,
    MatchWon,
    PledgesRevealed,
    RoundBegan,
    RoundEnded,
    SetTurnedIn,
)
from rules.siege_of_sunfall.types import (
    ARMIES_PAY,
    BOOST_ADDS,
    GOLD_PAYS,
    PILES,
    SET_ARMIES,
    SET_COINS,
    SET_SIZE,
    Award,
    Card,
    Kind,
    Move,
    Phase,
    Pledge,
    Reveal,
    RoundResult,
    UseGold,
    card_of,
)

# Sets of seats are bit masks inside a position; these tables convert them.
SEATS = tuple(Seat(seat) for seat in range(max(PILES)))
SEAT_BITS = tuple(1 << seat for seat in SEATS)
SEATS_OF = tuple(tuple(seat for seat in SEATS if mask >> seat & 1) for mask in range(1 << len(SEATS)))
SEAT_SET_OF = tuple(frozenset(seats) for seats in SEATS_OF)

# By number of players.
ALL_SEATS = tuple((1 << seats) - 1 for seats in range(len(SEATS) + 1))
ZEROS = tuple((0,) * seats for seats in range(len(SEATS) + 1))
PLACES = {seats: tuple(str(place) for place in range(pile - pile // 2 + 1)) for seats, (pile, _) in PILES.items()}
"""The places of Siege End, counted from the top of the pile's lower half (K1)."""

# Members of an enum are slow to look up by name in Python 3.11.
_BOOST, _GOLD, _ARMIES, _CROWN, _END = Kind.BOOST, Kind.GOLD, Kind.ARMIES, Kind.CROWN, Kind.END
USING_GOLD, PLEDGING, AWARDING, OVER = Phase.GOLD, Phase.PLEDGE, Phase.AWARD, Phase.OVER
END = card_of("end")

# A NamedTuple made from a tuple of its fields takes half the time of a call with them.
make = tuple.__new__


def _split_off(held: tuple[Card, ...], kind: Kind, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards that stay, and the first `count` of the kind."""
    out = tuple([card for card in held if card.kind is kind])[:count]
    stay = list(held)
    for card in out:
        stay.remove(card)
    return tuple(stay), out


class Setup(NamedTuple):
    """What stays fixed for the whole match."""

    seats: int
    deck: Deck
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # without the seed: a repr may reach a log


class Round(NamedTuple):
    """What stays fixed for a whole round."""

    number: int
    undealt: tuple[Card, ...]
    skipped: tuple[Card, ...]
    """Cards of earlier rounds that were never turned up: under Siege End, or no player was left. None has been seen."""
    last: RoundResult | None


Request = tuple[type[Move], int, frozenset[Seat], tuple[int, ...], tuple[int, ...]]
"""What a phase asks for: the type of move, the seats that make one (a mask, and the same as a set), and by seat the
most coins or gold cards, and the most boosts. A plain tuple: every move reads it."""


class Position(NamedTuple):
    """A state without its seals: it stays the same until the last player has sealed."""

    setup: Setup
    round: Round
    phases: int
    card_number: int
    card: Card | None
    pile: tuple[Card, ...]
    coins: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[tuple[Card, ...], ...]
    boosts: tuple[int, ...]
    gold: tuple[int, ...]
    """By seat: the numbers of boost and gold cards in `held`."""
    discard: tuple[Card, ...]
    """Cards used, lost and turned in."""
    alive: int
    king: Seat
    last_reveal: Reveal | None
    phase: Phase
    request: Request
    award_to: tuple[Seat, ...] = ()
    open_reveal: Reveal | None = None
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        return f"Position(phase {self.phases}: {self.phase.value})"  # without the cards: a repr may reach a log


NO_REQUEST: Request = (Award, 0, SEAT_SET_OF[0], (), ())
"""The end of the match, when no seat has a decision to make."""


def first_position(setup: Setup) -> Position:
    """Deal the first pile (K1) with seat 0 as King (K15)."""
    nothing, undealt = ZEROS[setup.seats], shuffle(setup.seed, 0, setup.deck.cards)
    before = (Round(0, undealt, (), None), -1, 0, None, (), nothing, nothing, ((),) * setup.seats, nothing, nothing)
    return Resolution(Position(setup, *before, (), 0, Seat(0), None, OVER, NO_REQUEST), []).begin_round()


def mask_of(by_seat: tuple[object, ...]) -> int:
    """Return the mask of the seats whose entry is true."""
    return sum([bit for bit, something in zip(SEAT_BITS, by_seat, strict=False) if something])


def request_in(phase: Phase, at: Resolution | Position) -> Request:
    """Return which seats decide what in that phase: K2 for pledges, K12 for gold cards, K6 for the King."""
    if phase is PLEDGING:
        return Pledge, at.alive, SEAT_SET_OF[at.alive], at.coins, at.boosts
    if phase is USING_GOLD:
        holders = mask_of(at.gold)
        return UseGold, holders, SEAT_SET_OF[holders], at.gold, ZEROS[len(at.gold)]
    if phase is AWARDING:
        return Award, SEAT_BITS[at.king], SEAT_SET_OF[SEAT_BITS[at.king]], (), ()
    return NO_REQUEST


class Resolution:
    """A position while seals are opened and cards change hands: the one mutable object of these rules, never stored."""

    def __init__(self, position: Position, events: list[Event]) -> None:
        (
            self.setup,
            self.round,
            self.phases,
            self.number,
            self.card,
            self.pile,
            self.coins,
            self.armies,
            self.held,
            self.boosts,
            self.gold,
            self.discard,
            self.alive,
            self.king,
            self.last_reveal,
        ) = position[:15]
        self.events = events

    # The next position.

    def ask(
        self,
        phase: Phase,
        award_to: tuple[Seat, ...] = (),
        open_reveal: Reveal | None = None,
        outcome: Outcome | None = None,
    ) -> Position:
        """Return the position in which the players make this decision next."""
        return make(
            Position,
            (
                self.setup,
                self.round,
                self.phases + 1,
                self.number,
                self.card,
                self.pile,
                self.coins,
                self.armies,
                self.held,
                self.boosts,
                self.gold,
                self.discard,
                self.alive,
                self.king,
                self.last_reveal,
                phase,
                request_in(phase, self),
                award_to,
                open_reveal,
                outcome,
            ),
        )

    def begin_round(self) -> Position:
        """Deal the next pile with Siege End in it (K1), pay coins, then ask for gold (K12) or turn up a card."""
        seats, number, undealt = self.setup.seats, self.round.number + 1, self.round.undealt
        size, coins = PILES[seats]
        drawn = shuffle(self.setup.seed, number, PLACES[seats])
        end = size // 2 + int(drawn[0])
        self.pile = (*undealt[:end], END, *undealt[end:size])
        self.round = Round(number, undealt[size:], self.round.skipped, self.round.last)
        self.number, self.card = 0, None
        self.coins, self.alive = (coins,) * seats, ALL_SEATS[seats]
        self.events += (Shuffled(number, PLACES[seats], drawn), RoundBegan(number, self.coins, self.king))
        return self.ask(USING_GOLD) if any(self.gold) else self.turn_up()

    def turn_up(self) -> Position:
        """Turn up the next card of the pile, which is not Siege End."""
        self.card, self.pile = self.pile[0], self.pile[1:]
        self.number += 1
        self.events.append(make(CardFaced, (self.card, len(self.pile))))
        return self.ask(PLEDGING)

    def next_card(self) -> Position:
        """After a card turn up the next, or end the round at Siege End or when no player is left (K13)."""
        if self.alive and self.pile[0].kind is not _END:
            return self.turn_up()
        seats, survivors = self.setup.seats, SEATS_OF[self.alive]
        gained = [0] * seats
        for seat in survivors:
            gained[seat] = 1 + self.coins[seat]
        self.armies = tuple(map(add, self.armies, gained))
        self.coins = ZEROS[seats]
        number, undealt, skipped, _ = self.round
        result = RoundResult(number, tuple(gained), self.armies, survivors)
        self.events.append(RoundEnded(result, bool(survivors)))
        self.round = Round(number, undealt, (*skipped, *[card for card in self.pile if card.kind is not _END]), result)
        if len(undealt) >= PILES[seats][0]:
            return self.begin_round()
        self.number, self.card, self.pile = 0, None, ()
        return self.ask(OVER, outcome=self.decide_match())

    def decide_match(self) -> Outcome:
        """Return the outcome: most armies win; a tie goes to the first of the tied clockwise from the King (K14)."""
        armies, king, seats = self.armies, self.king, self.setup.seats
        tied = tuple(seat for seat in SEATS[:seats] if armies[seat] == max(armies))
        winner = min(tied, key=lambda seat: (seat - king) % seats)
        self.events.append(MatchWon(winner, tied if len(tied) > 1 else ()))
        return Outcome(frozenset((winner,)), armies, "crown_tie" if len(tied) > 1 else "armies")

    # Opening the seals.

    def open_gold(self, sealed: tuple[int, ...]) -> Position:
        """All holders have sealed: pay 3 coins for each gold card used, and turn up the round's first card (K12)."""
        self.events.append(GoldUsed(_of_participants(sealed, mask_of(self.gold))))
        self.coins = tuple([coins + GOLD_PAYS * cards for coins, cards in zip(self.coins, sealed, strict=True)])
        self.gold = self.spend_cards(_GOLD, self.gold, sealed)
        return self.turn_up()

    def open_pledges(self, sealed: tuple[int, ...], boosted: tuple[int, ...]) -> Position:
        """All have sealed: pay and compare the pledges (K2 to K5), up to the next decision of a player."""
        card, alive, opened_at = self.card, self.alive, len(self.events)
        assert card is not None
        self.coins, powers = tuple(map(sub, self.coins, sealed)), sealed
        if any(boosted):
            self.boosts = self.spend_cards(_BOOST, self.boosts, boosted)
            powers = tuple([coins + BOOST_ADDS * boosts for coins, boosts in zip(sealed, boosted, strict=True)])
        total, most = sum(powers), max(powers)
        repelled = total >= card.strength if card.strength else None
        eliminated: tuple[Seat, ...] = ()
        tied: tuple[Seat, ...] = ()
        taker = crown_to = None
        if repelled is False:
            least = min([powers[seat] for seat in SEATS_OF[alive]])
            eliminated = tuple([seat for seat in SEATS_OF[alive] if powers[seat] == least])
            self.discard_card(card)
            crown_to = self.eliminate(eliminated)
        elif most == 0:
            self.discard_card(card)
        elif powers.count(most) == 1:
            taker = SEATS[powers.index(most)]
            crown_to = self.give_card(taker, card, False)
        else:
            tied = tuple([seat for seat in SEATS_OF[alive] if powers[seat] == most])
        pledges, boosts = _of_participants(sealed, alive), _of_participants(boosted, alive)
        reveal = make(Reveal, (card, pledges, boosts, total, repelled, eliminated, tied, taker, crown_to))
        self.events.insert(opened_at, make(PledgesRevealed, (reveal,)))
        if tied:
            return self.ask(AWARDING, self.award_choices(card, tied), reveal)
        self.last_reveal = reveal
        return self.next_card()

    def award(self, to: Seat, reveal: Reveal) -> Position:
        """Carry out the King's decision (K6, K8)."""
        crown_to = self.give_card(to, reveal.card, True)
        self.last_reveal = reveal._replace(taker=to, crown_to=crown_to)
        return self.next_card()

    def award_choices(self, card: Card, tied: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return the seats among which the King decides: the tied; tied for the crown, the others and his left (K8)."""
        if card.kind is not _CROWN or self.king not in tied:
            return tied
        return tuple(sorted({*tied, self.seat_to_left(self.king)} - {self.king}))

    # Cards and crown.

    def spend_cards(self, kind: Kind, have: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, ...]:
        """Discard `counts` boost or gold cards of each seat; return the number that each has left."""
        for seat, count in enumerate(counts):
            if count:
                stay, spent = _split_off(self.held[seat], kind, count)
                self.held = replace_at(self.held, seat, stay)
                self.discard += spent
        return tuple(map(sub, have, counts))

    def discard_card(self, card: Card) -> None:
        """Discard the card: no seat gets it (K4, K5)."""
        self.discard += (card,)
        self.events.append(make(CardDiscarded, (card,)))

    def pass_crown(self, seat: Seat) -> Seat | None:
        """Make the seat King; return it, or None if it already was."""
        if seat == self.king:
            return None
        self.events.append(make(CrownPassed, (self.king, seat)))
        self.king = seat
        return seat

    def seat_to_left(self, seat: Seat) -> Seat:
        """Return the next seat clockwise that is in the round, or simply the next seat if none is (K7)."""
        seats = self.setup.seats
        for step in range(1, seats):
            if self.alive >> (left := (seat + step) % seats) & 1:
                return SEATS[left]
        return SEATS[(seat + 1) % seats]

    def eliminate(self, seats: tuple[Seat, ...]) -> Seat | None:
        """Put the seats out of the round (K4, K9); return the new King if the crown passes."""
        self.events.append(make(Eliminated, (seats,)))
        for seat in seats:
            self.alive -= SEAT_BITS[seat]
        return self.pass_crown(self.seat_to_left(self.king)) if self.king in seats else None

    def give_card(self, seat: Seat, card: Card, awarded: bool) -> Seat | None:
        """Give the card to the seat, with all that it brings at once (K6, K8, K10, K11); return any new King."""
        self.events.append(make(CardTaken, (seat, card, awarded)))
        kind = card.kind
        if kind is _CROWN:
            self.discard += (card,)
            return self.pass_crown(seat)
        if kind is _ARMIES:
            self.discard += (card,)
            self.armies = replace_at(self.armies, seat, self.armies[seat] + ARMIES_PAY)
            self.events.append(ArmiesPaid(seat, ARMIES_PAY))
        else:
            mine = (*self.held[seat], card)
            self.held = replace_at(self.held, seat, mine)
            if kind is _BOOST:
                self.boosts = replace_at(self.boosts, seat, self.boosts[seat] + 1)
            elif kind is _GOLD:
                self.gold = replace_at(self.gold, seat, self.gold[seat] + 1)
            elif len(mine) >= SET_SIZE:
                self.turn_in_set(seat, kind)
        # K6: a King who takes a card in a tie passes the crown.
        return self.pass_crown(self.seat_to_left(seat)) if awarded and seat == self.king else None

    def turn_in_set(self, seat: Seat, kind: Kind) -> None:
        """Turn in a set, if the seat has one (K11)."""
        stay, out = _split_off(self.held[seat], kind, SET_SIZE)
        if len(out) == SET_SIZE:
            self.held = replace_at(self.held, seat, stay)
            self.discard += out
            self.armies = replace_at(self.armies, seat, self.armies[seat] + SET_ARMIES)
            self.coins = replace_at(self.coins, seat, self.coins[seat] + SET_COINS)
            self.events.append(SetTurnedIn(seat, kind))


def _of_participants(sealed: tuple[int, ...], asked: int) -> tuple[int | None, ...]:
    """Return the sealed numbers by seat; None for a seat that had nothing to seal."""
    if asked == ALL_SEATS[len(sealed)]:
        return sealed
    return tuple([number if asked >> seat & 1 else None for seat, number in enumerate(sealed)])
