"""Sea Change: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile

from rules.core.game import Event, Playout
from rules.core.tricks import Play, TrickTaken
from rules.sea_change.cards import NUMBER
from rules.sea_change.state import SeaChangeState
from rules.sea_change.types import SUITS, CardPlayed, SeaChanged, TrumpSet


def outlook(playout: Playout[SeaChangeState], move: Play) -> Mapping[str, float]:
    """Return whether the seat's side wins the round, and the points that it captures in it."""
    result, side = playout.end.round.last, playout.begin.setup.sides[move.seat]
    assert result is not None
    return {"round": float(side in result.winners), "points": float(result.points[side])}


LEANINGS: Mapping[str, float] = {
    **dict.fromkeys(("trick_won", "trick_partner", "trick_eight", "zero_won", "solo_eight"), 1),
    **dict.fromkeys(("trick_lost", "zero_lost"), -1),
    "trick_count": 3,
    "eights": -4,
}
"""Which facts speak for a move, and which against it: with a trick its points, which may be less than 0."""
WORTH = frozenset(("trick_won", "trick_partner", "trick_lost"))


def reasons(playout: Playout[SeaChangeState], move: Play) -> Mapping[str, float]:
    """Return who takes the trick, with its points; whether an 8 is given away; a new trump, and how many of its cards
    are left in the hand; whether the side ends up with the 0 that counts, or gives it away with this card; and how
    many tricks it takes from this one on, and 8s in the later ones, or in the solo game whether it takes one (C11).
    """
    setup, trump = playout.begin.setup, playout.begin.trump
    side, card = setup.sides[move.seat], NUMBER[move.card]
    taken = next(event for event in (*playout.own, *playout.later) if isinstance(event, TrickTaken))
    own = setup.sides[taken.winner] == side
    taker = "lost" if not own else "won" if taken.winner == move.seat else "partner"
    found = {f"trick_{taker}": float(setup.points_of([NUMBER[name] for name in taken.cards]))}
    if card & 31 == 8 and not own:
        found["trick_eight"] = 1.0
    for event in _by_the_card(playout, move):
        if isinstance(event, TrumpSet | SeaChanged) and (trump is None or event.suit != SUITS[trump]):
            held = playout.begin.hands[move.seat]
            found[f"trump_{event.suit}"] = float(len([other for other in held if other >> 5 == card >> 5]) - 1)
    result = playout.end.round.last
    tricks = [event for event in (*playout.own, *playout.later) if isinstance(event, TrickTaken)]
    mine = [trick.cards for trick in tricks if setup.sides[trick.winner] == side]
    found["trick_count"] = float(len(mine))
    if setup.seats > 1:
        found["eights"] = float(len([name for cards in mine[own:] for name in cards if NUMBER[name] & 31 == 8]))
    elif result is not None and any(NUMBER[name] & 31 == 8 for name in result.captured[side]):
        found["solo_eight"] = 1.0
    if result is not None and result.zero_side == side:
        found["zero_won"] = 1.0
    if result is not None and move.card == f"{result.trump}0" and not own:
        found["zero_lost"] = 1.0
    return found


def _by_the_card(playout: Playout[SeaChangeState], move: Play) -> Iterable[Event]:
    """Return what the card itself brings about. With the same move the solo AI plays on (C11)."""
    return takewhile(lambda event: not isinstance(event, CardPlayed) or event.player == move.seat, playout.own)


def certain(playout: Playout[SeaChangeState], move: Play) -> frozenset[str]:
    """If the card is the last one of the trick, who takes it is certain. That the seat does not is so too if a higher
    card of its suit lies there, whatever becomes trump.
    """
    begin, card = playout.begin, NUMBER[move.card]
    if any(isinstance(event, TrickTaken) for event in _by_the_card(playout, move)):
        return frozenset(("trick_won", "trick_partner", "trick_lost", "trick_eight"))
    beaten = any(lay >> 5 == card >> 5 and lay > card for lay in begin.lays)
    alone = begin.setup.sides.count(begin.setup.sides[move.seat]) == 1
    return frozenset(("trick_lost", "trick_eight") if beaten and alone else ())
