"""Siege of Sunfall: a position with the seals in it, and its moves."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.game import Event, Json, Outcome, Seat
from rules.core.records import json_value, replace_at, value_of
from rules.siege_of_sunfall import refusals
from rules.siege_of_sunfall.deck import Deck, check_deck, rounds_of
from rules.siege_of_sunfall.events import CardFaced, RoundBegan, Sealed
from rules.siege_of_sunfall.resolution import (
    END,
    NO_REQUEST,
    PLACES,
    PLEDGING,
    SEAT_BITS,
    SEAT_SET_OF,
    SEATS,
    SEATS_OF,
    USING_GOLD,
    ZEROS,
    Position,
    Resolution,
    Round,
    Setup,
    first_position,
    make,
    mask_of,
    request_in,
)
from rules.siege_of_sunfall.types import (
    PILES,
    Award,
    Card,
    HeldCards,
    Move,
    Phase,
    Pledge,
    Reveal,
    RoundResult,
    SiegeView,
    UseGold,
    cards_of,
)

_SEALED = tuple((Sealed(seat),) for seat in SEATS)


@lru_cache(maxsize=2048)
def _pledges(seat: Seat, coins: int, boosts: int) -> tuple[Pledge, ...]:
    return tuple(Pledge(seat, c, b) for b in range(boosts + 1) for c in range(coins + 1))


class SiegeState(NamedTuple):
    """A position and the seals in it."""

    position: Position
    ply: int
    awaited: int
    """The mask of the seats that have to decide and have not sealed yet."""
    sealed: tuple[int, ...]
    """Coins pledged or gold cards used, by seat; 0 if the seat has not sealed."""
    boosted: tuple[int, ...]
    """By seat: boost cards sealed with the coins."""
    reseals: tuple[int, ...]
    """By seat: how often it has sealed again in this phase (K2)."""

    def __repr__(self) -> str:
        return f"SiegeState({self.position!r}, ply {self.ply})"  # without the seals: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        """Return the seats that have not sealed, or the King in a tie; empty after the match (K2, K6, K12)."""
        return SEAT_SET_OF[self.awaited]

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Return pledges by boosts, then coins; or numbers of gold cards; or the seats that the King may name.

        A player who has sealed has some too, because they may seal again (K2).
        """
        position = self.position
        kind, _, asked, most, most_boosts = position.request
        if seat not in asked:
            return ()
        if kind is Pledge:
            return _pledges(seat, most[seat], most_boosts[seat])
        if kind is Award:
            return tuple(Award(seat, to) for to in position.award_to)
        return tuple(UseGold(seat, cards) for cards in range(most[seat] + 1))

    def apply(self, move: Move) -> tuple[SiegeState, tuple[Event, ...]]:
        """Seal once more, and with the last seal open all (K2, K12); the King's decision takes effect at once (K6, K8).

        Raises IllegalMove with a `Refusal` or a `Reason`.
        """
        if type(move) is Pledge:
            seat, number, boosts = move
        elif type(move) is UseGold:
            (seat, number), boosts = move, 0
        else:
            return self._award(move)
        position, ply, awaited, sealed, boosted, reseals = self
        kind, _, asked, most, most_boosts = position.request
        may = type(move) is kind and seat in asked
        if not may or not (0 <= number <= most[seat] and 0 <= boosts <= most_boosts[seat]):
            raise refusals.of(position, move)
        changed = list(sealed)
        changed[seat] = number
        sealed = tuple(changed)
        if boosts != boosted[seat]:
            boosted = replace_at(boosted, seat, boosts)
        others = awaited & ~SEAT_BITS[seat]
        if others == awaited:
            reseals = replace_at(reseals, seat, reseals[seat] + 1)
            return SiegeState(position, ply + 1, awaited, sealed, boosted, reseals), ()
        if others:
            return make(SiegeState, (position, ply + 1, others, sealed, boosted, reseals)), _SEALED[seat]
        events: list[Event] = [*_SEALED[seat]]
        resolution = Resolution(position, events)
        position = resolution.open_pledges(sealed, boosted) if kind is Pledge else resolution.open_gold(sealed)
        return _unsealed_state(position, ply + 1), tuple(events)

    def _award(self, move: Award) -> tuple[SiegeState, tuple[Event, ...]]:
        position, reveal = self.position, self.position.open_reveal
        if reveal is None or move.seat != position.king or move.to not in position.award_to:
            raise refusals.of(position, move)
        events: list[Event] = []
        return _unsealed_state(Resolution(position, events).award(move.to, reveal), self.ply + 1), tuple(events)

    def opening(self) -> tuple[Event, ...]:
        """Return the two shuffles, the coins paid and the first card.

        The card is the one in the position, not one dealt again: after `redeal_unseen` the seed would deal another.
        """
        setup, card, pile = self.position.setup, self.position.card, self.position.pile
        assert card is not None
        deck, places = setup.deck.cards, PLACES[setup.seats]
        return (
            Shuffled(0, tuple(map(str, deck)), tuple(map(str, shuffle(setup.seed, 0, deck)))),
            Shuffled(1, places, shuffle(setup.seed, 1, places)),
            RoundBegan(1, self.position.coins, self.position.king),
            CardFaced(card, len(pile)),
        )

    def _sealed_seats(self) -> int:
        """Return the mask of the seats that have sealed in this phase."""
        return self.position.request[1] & ~self.awaited

    def view(self, seat: Seat | None) -> SiegeView:
        """Return what the seat, or an onlooker (None), may know (K2, K16). Only the viewer's own seal is in it."""
        position, has_sealed = self.position, SEATS_OF[self._sealed_seats()]
        setup = position.setup
        own = None if seat is None or seat not in has_sealed else (self.sealed[seat], self.boosted[seat])
        _, coins = PILES[setup.seats]
        return SiegeView(
            viewer=seat,
            seats=setup.seats,
            phase=position.phase,
            round=position.round.number,
            rounds=rounds_of(setup.seats),
            card=position.card,
            card_number=position.card_number,
            pile=len(position.pile),
            king=position.king,
            coins=position.coins,
            armies=position.armies,
            held=tuple(map(HeldCards.of, position.held)),
            alive=_alive_flags(position),
            to_move=SEATS_OF[self.awaited],
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

    def _seal_count(self, seat: int) -> int:
        """Return how often the seat has sealed in this phase."""
        return self.reseals[seat] + (self._sealed_seats() >> seat & 1)

    def turn(self, seat: Seat) -> str:
        """Return the phase's ordinal and the number of the seat's own seals in it (K2); others' seals do not count."""
        return f"{self.position.phases}.{self._seal_count(seat)}"

    def outcome(self) -> Outcome | None:
        """Return the outcome once no whole pile can be dealt (K14)."""
        return self.position.outcome

    def default_move(self, seat: Seat) -> Move:
        """Return a pledge of a fair share of the strength (0 for a card that does not attack), or to use no gold card.

        A tie goes to the first seat that the King may name, clockwise from him and himself last.
        """
        position = self.position
        if position.phase is PLEDGING:
            strength = position.card.strength if position.card else 0
            share = -(-strength // len(SEATS_OF[position.alive]))
            return Pledge(seat, min(share, position.coins[seat]))
        if position.phase is USING_GOLD:
            return UseGold(seat, 0)
        seats = position.setup.seats
        return Award(seat, min(position.award_to, key=lambda to: (to - seat - 1) % seats))

    def may_take_back(self, seat: Seat) -> bool:
        """Return False: a seal may be the one that opens all, and until then the player can seal again (K2)."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> SiegeState:
        """Redraw the others' seals, the cards that no player has seen, and the place of Siege End; take another seed.

        Each of the others' seals is drawn from all their legal moves. Their numbers of reseals become 0.
        """
        position, draws = self.position, f"{seed} unseen"
        sealed, boosted, reseals = list(self.sealed), list(self.boosted), list(self.reseals)
        for other in SEATS_OF[self._sealed_seats()]:
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
        """The position with everything hidden in it.

        {"seats": 4, "options": {}, "seed": "…", "ply": 0,
         "deck": {"strengths": {"swords": [2, 3, …], "helmet": […], "bow": […]},
                  "boost": 3, "gold": 3, "armies": 3, "crown": 3},          51 cards
         "deals": 2,                                ordinals used so far: 0 shuffles the 51 cards, r places Siege End
                                                    in round r
         "phase": "pledge", "round": 1,
         "card_number": 1, "card": "swords 5",      0 and null in the gold phase and when the game is over
         "pile": ["bow 3", …, "end", …],            this round's, next card first, Siege End in it
         "undealt": ["helmet 2", …],                next card first
         "discard": ["gold", …],                    used, lost, skipped and turned-in cards; the first
         "skipped": 0,                              this many of them were never turned up (may be left out)
         "coins": [12, 12, 12, 12], "armies": [0, 0, 0, 0], "held": [["swords 5", "boost"], …],
         "alive": [true, true, true, true], "king": 0,
         "sealed": [null, [3, 1], null, null],      (coins, boosts) or (gold cards, 0)
         "seals": [0, 1, 0, 0],                     how often each seat has sealed in this phase
         "phases": 7,                               ordinal of the phase, for turn()
         "award_to": [], "open_reveal": null or {…}, "last_reveal": null or {…}, "last_round": null or {…},
         "outcome": null or Outcome.to_json()}
        """
        position = self.position
        setup, round_ = position.setup, position.round
        has_sealed = self._sealed_seats()
        return {
            "seats": setup.seats,
            "options": {},
            "deck": setup.deck.to_json(),
            "seed": setup.seed,
            "ply": self.ply,
            "deals": round_.number + 1,
            "phase": position.phase.value,
            "round": round_.number,
            "card_number": position.card_number,
            "card": json_value(position.card),
            "pile": list(map(str, position.pile)),
            "undealt": list(map(str, round_.undealt)),
            "discard": list(map(str, round_.skipped + position.discard)),
            "skipped": len(round_.skipped),
            "coins": list(position.coins),
            "armies": list(position.armies),
            "held": [list(map(str, cards)) for cards in position.held],
            "alive": list(_alive_flags(position)),
            "king": position.king,
            "sealed": [
                [coins, boosts] if has_sealed >> seat & 1 else None
                for seat, (coins, boosts) in enumerate(zip(self.sealed, self.boosted, strict=True))
            ],
            "seals": list(map(self._seal_count, range(setup.seats))),
            "phases": position.phases,
            "award_to": list(position.award_to),
            "open_reveal": json_value(position.open_reveal),
            "last_reveal": json_value(position.last_reveal),
            "last_round": json_value(round_.last),
            "outcome": json_value(position.outcome),
        }


def _alive_flags(position: Position) -> tuple[bool, ...]:
    return tuple(bool(position.alive >> seat & 1) for seat in range(position.setup.seats))


def _unsealed_state(position: Position, ply: int) -> SiegeState:
    """Return the state at the beginning of a phase."""
    nothing = ZEROS[position.setup.seats]
    return make(SiegeState, (position, ply, position.request[1], nothing, nothing, nothing))


def _reshuffle(position: Position, seed: str) -> Position:
    """Redeal every card that no player has seen, and Siege End, to where they could lie (K1, K16)."""
    round_ = position.round
    pile = [card for card in position.pile if card != END]
    # Sorted, so that the result does not depend on the hidden order.
    cards = shuffle(seed, 0, sorted([*pile, *round_.undealt, *round_.skipped]))
    in_pile, in_undealt = len(pile), len(pile) + len(round_.undealt)
    dealt = cards[:in_pile]
    if in_pile < len(position.pile):
        highest = max(0, PILES[position.setup.seats][0] // 2 - position.card_number)
        place = shuffle(seed, 1, range(min(highest, in_pile), in_pile + 1))[0]
        dealt = (*dealt[:place], END, *dealt[place:])
    return position._replace(
        pile=dealt, round=round_._replace(undealt=cards[in_pile:in_undealt], skipped=cards[in_undealt:])
    )


def first_state(setup: Setup) -> SiegeState:
    """Return the position before the first seal."""
    return _unsealed_state(first_position(setup), 0)


def from_json(data: Json) -> SiegeState:
    """Return the position that `to_json` described, or one set up by hand."""
    position = _position(data)
    has_sealed = mask_of(data["sealed"])
    numbers = [seal or (0, 0) for seal in data["sealed"]]
    return SiegeState(
        position,
        data["ply"],
        position.request[1] & ~has_sealed,
        tuple(number for number, _ in numbers),
        tuple(boosts for _, boosts in numbers),
        tuple(seals - (has_sealed >> seat & 1) for seat, seals in enumerate(data["seals"])),
    )


def _position(data: Json) -> Position:
    skipped, held = data.get("skipped", 0), tuple(map(cards_of, data["held"]))
    counts = list(map(HeldCards.of, held))
    position = Position(
        setup=Setup(data["seats"], Deck.from_json(check_deck(data["deck"])), data["seed"]),
        round=Round(
            number=data["round"],
            undealt=cards_of(data["undealt"]),
            skipped=cards_of(data["discard"][:skipped]),
            last=value_of(RoundResult | None, data["last_round"]),
        ),
        phases=data["phases"],
        card_number=data["card_number"],
        card=value_of(Card | None, data["card"]),
        pile=cards_of(data["pile"]),
        coins=tuple(data["coins"]),
        armies=tuple(data["armies"]),
        held=held,
        boosts=tuple(count.boost for count in counts),
        gold=tuple(count.gold for count in counts),
        discard=cards_of(data["discard"][skipped:]),
        alive=mask_of(data["alive"]),
        king=Seat(data["king"]),
        last_reveal=value_of(Reveal | None, data["last_reveal"]),
        phase=Phase(data["phase"]),
        request=NO_REQUEST,
        award_to=tuple(data["award_to"]),
        open_reveal=value_of(Reveal | None, data["open_reveal"]),
        outcome=value_of(Outcome | None, data["outcome"]),
    )
    return position._replace(request=request_in(position.phase, position))
