"""Rule players for Siege of Sunfall: yardsticks that look at the card on the table and never search ahead.

Both guess what the others will pledge, as a spread around each one's fair share of the strength, and pick the pledge
that pays best against that guess. `careful` prizes its coins and its own survival; `bold` wants the cards, and pledges
little if another player will probably pledge least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from zlib import crc32

from rules.core.game import Seat
from rules.siege_of_sunfall.types import ATTACKERS, Award, Kind, Move, Phase, Pledge, SiegeView, UseGold

SAMPLES = 80
"""Enough guesses for a steady choice; few enough for a millisecond."""


@dataclass(frozen=True)
class Style:
    """How the two players differ."""

    coin: float
    """What a kept coin is worth, in armies: it pays one, unless its owner falls before Siege End."""
    fall: float
    """What being out costs besides the coins: the army for surviving and the cards still to come."""
    greed: float
    """A factor on the worth of cards."""
    rivals: float
    """What it is worth if only others fall."""
    all_gold: bool
    """Whether gold cards are used at once, or one a round."""


STYLES = {
    # Keeps enough coins, stays in the round, and buys cards at a fair price.
    "careful": Style(coin=0.85, fall=2.0, greed=1.0, rivals=0.6, all_gold=False),
    # Pays more for cards, and counts on another player to fall first.
    "bold": Style(coin=0.75, fall=1.0, greed=1.25, rivals=1.4, all_gold=True),
}


def choose(view: SiegeView, seat: Seat, legal: Sequence[Move], style: Style) -> Move:
    """Return the legal move that this style likes best."""
    if len(legal) == 1:
        return legal[0]
    if view.phase is Phase.GOLD:
        # Three coins are three armies in any round. Used early, they help to survive; kept gold cards cannot be lost.
        most = max(move.cards for move in legal if isinstance(move, UseGold))
        use = most if style.all_gold or view.round == view.rounds else 1
        return next(move for move in legal if isinstance(move, UseGold) and move.cards == use)
    if view.phase is Phase.AWARD:
        return max((move for move in legal if isinstance(move, Award)), key=lambda move: _favour(view, seat, move.to))
    return _pledge(view, seat, [move for move in legal if isinstance(move, Pledge)], style)


def _favour(view: SiegeView, seat: Seat, to: Seat) -> float:
    """Return how gladly the King gives the card to this seat: to himself, or to the least dangerous player."""
    if to == seat:
        return 100 if (view.card and view.card.kind is Kind.CROWN) or _worth(view, seat) > 0.5 else -2.0
    return -view.armies[to] - 0.5 * view.coins[to] * view.alive[to] - _worth(view, to)


def _worth(view: SiegeView, seat: int) -> float:
    """Return what the card faced is worth to this seat, in armies."""
    card, held = view.card, view.held[seat]
    if card is None:
        return 0.0
    later = view.rounds - view.round
    if card.kind in ATTACKERS:
        have = {Kind.SWORDS: held.swords, Kind.HELMET: held.helmet, Kind.BOW: held.bow}[card.kind]
        if have == 2:  # a set: an army, and 5 coins that can still be lost or spent
            return 5.2
        # Part of a set is worth something only while enough cards of the kind may still come.
        cards_to_come = later * 6 + max(0, view.pile - 3)
        chance = min(1.0, cards_to_come / (8 if have else 18))
        return (2.2 if have else 1.2) * chance
    if card.kind is Kind.ARMIES:
        return 3.0
    if card.kind is Kind.GOLD:
        return 2.6 if later else 0.0
    if card.kind is Kind.BOOST:
        return 1.6 if later or view.pile > 3 else 0.4
    return 0.0 if view.king == seat else 0.7


def _spread(view: SiegeView, other: int, fair: float) -> list[float]:
    """Return how likely the other is to pledge 0, 1, 2 …: around the fair share, more for a card that suits them."""
    most = view.coins[other] + 2 * view.held[other].boost
    card = view.card
    if card is None or not most:
        return [1.0]
    worth = _worth(view, other)
    middle = min(float(most), fair + (0.25 * max(0.0, worth - 1.5) if card.strength else 0.5 * worth))
    # Players avoid spending their last coins while more cards are to come.
    if view.pile > 3 and middle > most / 2:
        middle = (middle + most / 2) / 2
    return [exp(-abs(number - middle) / 1.2) + 0.01 for number in range(min(most, 14) + 1)]


def _guesses(view: SiegeView, seat: Seat) -> list[tuple[int, int, int]]:
    """Guess the others' pledges many times: their sum, highest and lowest. The same position gives the same guesses."""
    others = [other for other in range(view.seats) if other != seat and view.alive[other]]
    if not others or view.card is None:
        return [(0, 0, 99)]
    # The last attack showed whether this table gives more or less than it must.
    last, habit = view.last_reveal, 1.0
    if last and last.card.strength:
        habit += 0.25 * (max(0.6, min(1.8, last.total / last.card.strength)) - 1)
    fair = 1.05 * habit * view.card.strength / (len(others) + 1)
    public = f"{view.card} {view.round} {view.card_number} {view.coins} {view.armies} {seat}"
    chance = Random(crc32(public.encode()))
    drawn = []
    for other in others:
        weights = _spread(view, other, fair)
        drawn.append(chance.choices(range(len(weights)), weights, k=SAMPLES))
    return [(sum(pledges), max(pledges), min(pledges)) for pledges in zip(*drawn, strict=True)]


def _pledge(view: SiegeView, seat: Seat, legal: list[Pledge], style: Style) -> Pledge:
    """Return the pledge that pays best on average against the guesses; of equals the smallest."""
    card = view.card
    if card is None:
        return legal[0]
    guesses = _guesses(view, seat)
    worth = style.greed * _worth(view, seat)
    rival_worth = max((_worth(view, other) for other in range(view.seats) if other != seat), default=0.0)
    denied = 0.25 * rival_worth / max(1, view.seats - 1) * 2
    tie = 0.9 if view.king == seat else 0.4
    last_round = view.round == view.rounds
    boost_price = 0.9 if last_round and view.pile <= 4 else 1.3 if last_round else 1.6
    more_cards = min(1.0, view.pile / 6)
    # Boosts left at the very end are worth nothing, and coins are; before that a boost is two coins at a discount.
    if last_round and view.pile <= 2:
        boost_price = 0.1

    def value(move: Pledge) -> float:
        own = move.coins + 2 * move.boosts
        left = view.coins[seat] - move.coins
        fall = style.coin * left + 1 + (style.fall + 1.5 * (left > 2)) * more_cards
        total = 0.0
        for others, highest, lowest in guesses:
            if card.strength and others + own < card.strength:
                total += -fall if own <= lowest else style.rivals
            elif own > highest:
                total += worth if own or card.strength else 0.0
            elif own == highest and own:
                total += tie * worth - (1 - tie) * denied
            else:
                total -= denied
        # The last coins guard against the cards to come: a player without coins is the first to fall.
        guard = 0.25 * max(0, 4 - left) * more_cards * (view.pile > 1)
        return total / len(guesses) - style.coin * move.coins - boost_price * move.boosts - guard

    limit = max(card.strength, 7) + 2
    sensible = [move for move in legal if move.coins + 2 * move.boosts <= limit] or legal
    return max(sensible, key=value)
