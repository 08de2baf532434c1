"""Rule players for Sea Change: yardsticks, without any search, for computer opponents.

Each weighs every legal card by rules: the chance that the card takes the trick, what the trick brings then, what it
brings to another player, and how good the rest of the hand is. The chances follow from the cards that are out.

A view shows only the last trick, but a player remembers all of them. So each decision is stored under what the seat saw
then, and the next decision finds it from the view alone. A player who makes its first decision in the middle of a round
simply knows less.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp
from typing import NamedTuple

from rules.core.game import Seat
from rules.core.tricks import Play
from rules.sea_change.types import SeaChangeView, Trick

_Key = tuple[object, ...]
_MEMORY: dict[_Key, tuple[Trick, ...]] = {}
_MEMORY_SIZE = 20_000


class Style(NamedTuple):
    """How players differ."""

    hit: float = 0.75
    """How often a follower who can beat the card does so when the trick is worth nothing."""
    greed: float = 0.6
    """How much more eager followers are for each point in the trick."""
    ruff: float = 0.5
    change: float = 0.35
    envy: float = 0.33
    """What a point for another side costs, as a share of what a point is worth."""
    leader: float = 0.3
    """The same in addition for the side that leads this round."""
    dump: float = 0.5
    """How often a follower who can throws an 8 on a trick."""
    gift: float = 0.1
    stay: float = 0.5
    """How likely the trump is to stay until the end, seen from the first trick."""
    low: float = 0.1
    bad: float = -1.5
    nine: float = 0.8
    ten: float = 0.6
    high: float = 0.8
    zero: float = 0.2
    trump: float = 0.6
    master: float = 0.4
    void: float = 0.3
    pair: float = 0.1
    lead8: float = 0.0
    optimism: float = 1.0
    """An exponent of the chance to take the trick: less than 1 for players who hope for the best."""


def _tricks_seen(view: SeaChangeView, seat: int) -> tuple[Trick, ...]:
    """Return the tricks of this round that the seat has seen, and note them for its next decision."""
    seen: tuple[Trick, ...] = ()
    last, number = view.last_trick, view.trick_number
    if number > 1 and last is not None:
        at = next(i for i, lay in enumerate(last.lays) if lay.player == seat)
        held = frozenset((*view.hand, last.lays[at].card))
        # With two players one card of the hand may have been drawn since (C10).
        hands = [held, *(held - {card} for card in view.hand)] if view.seats == 2 else [held]
        keys = [(seat, view.round, number - 1, hand, last.lays[:at]) for hand in hands]
        seen = (*next((_MEMORY[key] for key in keys if key in _MEMORY), ()), last)
    if len(_MEMORY) > _MEMORY_SIZE:
        _MEMORY.clear()
    _MEMORY[(seat, view.round, number, frozenset(view.hand), view.lays)] = seen
    return seen


class Table:
    """What a seat knows when it must play."""

    def __init__(self, view: SeaChangeView, seat: int, style: Style) -> None:
        """Work out from the view which cards are out, who may hold them, and who leads the round."""
        self.view, self.style, self.seat = view, style, seat
        self.side = view.sides[seat]
        self.players = len(view.sides)
        seen = _tricks_seen(view, seat)
        gone = {lay.card for trick in seen for lay in trick.lays} | {lay.card for lay in view.lays} | {*view.hand}
        self.out = [(s, v) for s in view.suits for v in view.values if f"{s}{v}" not in gone]
        self.unknown = max(1, len(self.out))
        self.points = dict(view.points_by_value)
        self.left = view.tricks - view.trick_number
        """The tricks after this one."""
        # The trump lasts unless a player changes it; at the end its 0 counts (C8).
        self.stays = style.stay + (1 - style.stay) * (1 - self.left / view.tricks) ** 2
        self.voids: set[tuple[int, str]] = set()
        totals = [0.0] * (max(view.sides) + 1)
        for trick in seen:
            lays = trick.lays
            for before, lay in pairwise(lays):
                if lay.card[0] != lays[0].card[0] and lay.card[1:] != before.card[1:] and view.seats > 2:
                    self.voids.add((lay.player, lays[0].card[0]))
            totals[view.sides[trick.winner]] += sum(
                self.worth(lay.card[0], int(lay.card[1:]), view.trump or "") for lay in lays
            )
        if view.points is not None and len(seen) < view.trick_number - 1:
            totals = [*map(float, view.points)]
        self.totals = totals
        others = [total for side, total in enumerate(totals) if side != self.side]
        top = max(others)
        at_top = others.count(top)
        n = len(others)
        self.envy = [style.envy * 3 / n + (style.leader / at_top if total == top else 0.0) for total in totals]

    def worth(self, suit: str, value: int, trump: str) -> float:
        """Return the points that a captured card will probably count."""
        if value:
            return self.points[value]
        view = self.view
        if suit == trump:
            return view.zero_points * self.stays
        return view.zero_points * (1 - self.stays) / (len(view.suits) - 1)

    def taker(self, lays: Sequence[tuple[int, str, int]], trump: str) -> tuple[int, str, int]:
        """Return which of these lays takes the trick (C6)."""
        lead = lays[0][1]
        return max(lays, key=lambda lay: (lay[1] == trump, lay[1] == lead, lay[2]))

    def score(self, suit: str, value: int) -> float:
        """Return how good it is to play this card."""
        view, style = self.view, self.style
        lays = [(lay.player, lay.card[0], int(lay.card[1:])) for lay in view.lays]
        trump = view.trump or suit
        if lays and lays[-1][2] == value:
            trump = suit
        lays.append((self.seat, suit, value))
        lead = lays[0][1]
        taker = self.taker(lays, trump)
        points = sum(self.worth(s, v, trump) for _, s, v in lays)
        keep = 1.0
        """The chance that `taker` keeps the trick."""
        others = 0.0
        """The points that the players who follow add."""
        ours_later = 0.0
        n_after = self.players - len(lays)
        lead_out = [v for s, v in self.out if s == lead]
        trump_out = [v for s, v in self.out if s == trump]
        eights = sum(v == 8 for _, v in self.out)
        wants = 1 / (1 + exp(-style.greed * points))
        for i in range(n_after):
            player = (self.seat + 1 + i) % self.players
            size = view.hand_sizes[player] if player < view.seats else 1
            share = min(1.0, size / self.unknown)
            miss = 1 - share
            void = 1.0 if (player, lead) in self.voids else miss ** len(lead_out)
            if player >= view.seats:
                void = 1 - len(lead_out) / self.unknown
            if taker[1] == trump:
                higher = sum(v > taker[2] for v in trump_out)
                if lead == trump:
                    beats = (1 - void) * (1 - miss**higher) * style.hit
                else:
                    beats = void * (1 - miss**higher) * style.ruff
            else:
                higher = sum(v > taker[2] for v in lead_out)
                beats = (1 - void) * (1 - miss**higher) * style.hit
                if (player, trump) not in self.voids:
                    beats += void * (1 - miss ** len(trump_out)) * style.ruff
            same = sum(v == value for _, v in self.out) if i == 0 else 3.0 * self.unknown / 40
            changes = (1 - miss**same) * style.change
            lost = min(1.0, 2 * wants * (beats + changes - beats * changes))
            team = view.sides[player] == self.side
            if view.sides[taker[0]] == self.side and team:
                lost = 0.0
            gained = lost if team else 0.0
            ours_later += keep * gained
            keep *= 1 - lost
            lead8 = 8 in lead_out and taker[1:] > (lead, 8)
            others += (1 - void) * (share * style.dump * self.points[8] if lead8 else style.gift)
            others += void * (1 - miss**eights) * style.dump * self.points[8]
        mine = keep if view.sides[taker[0]] == self.side else 0.0
        mine = min(1.0, (mine + ours_later)) ** style.optimism
        total = points + others
        loser = view.sides[taker[0]]
        if loser == self.side or n_after:
            rivals = [e for side, e in enumerate(self.envy) if side != self.side]
            envy = sum(rivals) / len(rivals)
            if loser != self.side:
                envy = keep * self.envy[loser] + (1 - keep) * envy
        else:
            envy = self.envy[loser]
        return float(total * (mine - (1 - mine) * envy) + self.rest(suit, value, trump))

    def rest(self, suit: str, value: int, trump: str) -> float:
        """Return how good the hand is without this card, with this trump."""
        style, total = self.style, 0.0
        if not self.left:
            return 0.0
        suits = set()
        values = []
        for card in self.view.hand:
            s, v = card[0], int(card[1:])
            if s == suit and v == value:
                continue
            suits.add(s)
            values.append(v)
            higher = sum(s2 == s and v2 > v for s2, v2 in self.out)
            if v == 8:
                total += style.bad if higher < 2 else style.bad / 2
            elif v > 8:
                total += style.nine if v == 9 else style.ten if v == 10 else style.high
            else:
                total += style.low if v else style.zero
            if s == trump:
                total += style.trump
            if not higher and v != 8:
                total += style.master
        total += style.void * (len(self.view.suits) - len(suits))
        total += style.pair * (len(values) - len(set(values)))
        return total


STYLES = {
    "careful": Style(),  # weighs a sure point as much as an expected one
    "bold": Style(optimism=0.7, envy=0.2),  # hopes for the best, and minds others' points less
}


def choose(view: SeaChangeView, seat: Seat, legal: Sequence[Play], style: Style) -> Play:
    table = Table(view, seat, style)
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda move: table.score(move.card[0], int(move.card[1:])))
