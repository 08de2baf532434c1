"""Siege of Sunfall: why a move is illegal. Needed only after the quick check of the move has failed."""

from __future__ import annotations

from rules.core.game import IllegalMove, Refusal
from rules.siege_of_sunfall.resolution import OVER, Position
from rules.siege_of_sunfall.types import Award, Kind, Move, Pledge, Reason, UseGold


def of(at: Position, move: Move) -> IllegalMove:
    """Return the exception for the first reason that holds, in the order in which a player would look for them."""
    seat = move.seat
    if at.phase is OVER:
        return IllegalMove(Refusal.GAME_OVER)
    if type(move) is not at.request[0]:
        return IllegalMove(Refusal.NOT_NOW)
    if not 0 <= seat < at.setup.seats:
        return IllegalMove(Refusal.OUT_OF_TURN)
    if type(move) is Award:
        return _of_award(at, move)
    if type(move) is UseGold:
        have = at.gold[seat]
        if not have:
            return IllegalMove(Reason.NO_GOLD_CARDS)
        if move.cards > have:
            return IllegalMove(Reason.TOO_MANY_GOLD_CARDS, cards=move.cards, have=have)
    if type(move) is Pledge:
        if seat not in at.request[2]:
            return IllegalMove(Reason.NOT_IN_ROUND)
        if move.coins > (have := at.coins[seat]):
            return IllegalMove(Reason.TOO_MANY_COINS, coins=move.coins, have=have)
        if move.boosts > (have := at.boosts[seat]):
            return IllegalMove(Reason.TOO_MANY_BOOSTS, boosts=move.boosts, have=have)
    return IllegalMove(Refusal.UNPARSABLE)  # a negative number, which no notation names


def _of_award(at: Position, move: Award) -> IllegalMove:
    if move.seat != at.king:
        return IllegalMove(Reason.NOT_KING, king=at.king)
    if move.to >= at.setup.seats:
        return IllegalMove(Refusal.UNPARSABLE)  # there is no seat of that number
    if at.open_reveal is not None and at.open_reveal.card.kind is Kind.CROWN and move.to == at.king:
        return IllegalMove(Reason.CROWN_GIVEN_AWAY)
    return IllegalMove(Reason.NOT_TIED, to=move.to)
