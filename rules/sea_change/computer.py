"""Sea Change: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from rules.core.game import Seat
from rules.core.records import margin
from rules.core.tricks import Play, strongest
from rules.sea_change.cards import NUMBER, STRENGTH
from rules.sea_change.state import SeaChangeState

_VICTORY_POINT_WORTH = 20
"""What a victory point is worth, in points: more than the winner's lead in most rounds."""
_HELD = (0.0, 0.0, 0.05, 0.1, 0.15)
"""By quarter of a card's strength: what it is worth to keep it for a later trick, in points."""


def evaluate(state: SeaChangeState, seat: Seat) -> float:
    """Return the side's lead in victory points, and in points this round or, before its first trick, the last."""
    setup, round_ = state.setup, state.round
    captured = setup.by_side(state.tricks.captured)
    if any(captured):
        zero = -1 if state.trump is None else state.trump << 5
        points = tuple([setup.points_of(cards) + setup.zero_points * (zero in cards) for cards in captured])
    else:
        points = round_.last.points if round_.last else (0,) * len(captured)
    side, won = setup.sides[seat], round_.outcome is not None and seat in round_.outcome.winners
    return _VICTORY_POINT_WORTH * (margin(side, round_.victory_points) + won) + margin(side, points)


def rollout_move(state: SeaChangeState, seat: Seat, number: int) -> Play:
    """Return the card that promises most points, judged by the table; one time in eight any legal card."""
    moves = state.legal_moves(seat)
    if len(moves) == 1 or not number & 7:
        return moves[(number >> 3) % len(moves)]
    setup, lays, trump = state.setup, state.lays, state.trump
    points = setup.points
    to_come = setup.players - len(lays) - 1
    if lays:
        before, lead = lays[-1] & 31, lays[0] >> 5
        strength = STRENGTH[lead][trump or 0]
        holder = strongest(lays, strength)
        best = strength[lays[holder]]
        at_stake = sum([points[card & 31] for card in lays])
        sides = setup.sides
        leader = state.tricks.leader
        own_side = sides[seat]
        to_partner = sides[(leader + holder) % len(sides)] == own_side
    found, most = moves[0], -99.0
    for at, move in enumerate(moves):
        card = NUMBER[move.card]
        value, suit = card & 31, card >> 5
        worth = float(points[value])
        if not lays:
            # High trumps take their trick; a low card of another suit rarely does.
            chance = _CHANCE_TO_LEAD[trump is None or suit == trump][value]
            good = chance * (worth + 1) - (1 - chance) * worth * 0.6
        else:
            held = best
            if value == before and suit != trump:  # a sea change (C4)
                after = STRENGTH[lead][suit]
                own, held = after[card], max([after[lay] for lay in lays])
            else:
                own = strength[card]
            if own > held:
                chance = _CHANCE_TO_HOLD[min(to_come, 3)][own >> 4]
                good = chance * (worth + at_stake) - (1 - chance) * worth * 0.6 - _HELD[own >> 4]
            elif to_partner and not to_come:
                good = worth + at_stake
            else:
                good = -worth * 0.6 - 0.3 * at_stake - _HELD[own >> 4] / 2
        good += _NOISE[number >> 5 + at & 15]
        if good > most:
            found, most = move, good
    return found


_CHANCE_TO_LEAD = (
    tuple([min(0.6, 0.04 * value) for value in range(16)]),
    tuple([min(0.9, 0.07 * value) for value in range(16)]),
)
"""By whether it is a trump, and by value: how likely a card that is led takes its trick."""
_CHANCE_TO_HOLD = (
    (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    (0.5, 0.5, 0.6, 0.7, 0.85, 0.9),
    (0.3, 0.3, 0.4, 0.55, 0.75, 0.85),
    (0.2, 0.2, 0.3, 0.4, 0.65, 0.8),
)
"""By players to come (3: or more) and strength in sixteenths: how likely a card that is ahead stays ahead."""
_NOISE = tuple([0.08 * step for step in range(16)])
