"""Full Circle: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from math import sqrt

from rules.core.game import Seat
from rules.core.leads import chances
from rules.core.records import replace_at
from rules.full_circle import circle
from rules.full_circle.circle import CARDS, FACES, NONE, PLACE_NUMBERS, POINTS, WILD
from rules.full_circle.state import FullCircleState
from rules.full_circle.types import TARGET, Give, Move, Phase, Play, Say, Trap, Verb

_LEAD = 20.0
"""In a match to 50 that has just begun: a player that many points behind another has 1/e of the other's chance."""
_LAST_ROUND = 0.1
"""How much luck is left when a player is about to reach the target, as a share of a whole match."""
_STREAK_WORTH = 1.5
"""The worth in points of having won the last round: another win brings a bonus (F15)."""
_BEGINS_WORTH = 0.15
"""How much likelier the player who begins a play-off wins it."""


def evaluate(state: FullCircleState, seat: Seat) -> float:
    """Return how likely the seat wins, judged by the totals alone: cards in hand count only after the round."""
    round_ = state.round
    if round_.outcome is not None:
        return float(seat in round_.outcome.winners)
    if round_.play_off:
        mine = (1 + _BEGINS_WORTH * (round_.starter == seat)) * (seat in round_.players)
        return mine / (len(round_.players) + _BEGINS_WORTH)
    totals = round_.totals
    streak = round_.streak[0] if round_.streak else None
    worth = [_STREAK_WORTH * (other == streak) - total for other, total in enumerate(totals)]
    left = max(1, state.setup.target - max(totals)) / TARGET
    return chances(worth, _LEAD * sqrt(left + _LAST_ROUND))[seat]


_STOPS = -1e-6
"""The worth of ending the turn: of moves that did equally well any other is made, as a person expects."""


def prior(state: FullCircleState, move: Move) -> float:
    """Return what a move is worth without a playout: less than any difference that playouts show."""
    return _STOPS if isinstance(move, Say) and move.verb is Verb.STOP else 0.0


# What is good about a move, in hundredths.
_POINT = 34
_DOUBLE, _FULL, _TRAP, _FREES = 670, 300, 380, -150
_WILD_USED = 150
"""Playing a wild if a rival may end the round soon; otherwise it counts as much against the move."""
_ENDS_ROUND = 5000
_STUCK = -70
"""No card left in hand fits anywhere."""
_FITS = bytes([places and 50 + 27 * places.bit_count() for places in range(16)]).ljust(256)
"""By the places where a card left in hand fits, as bits."""
_WILD_FITS = 100
_DENIED = -250
"""The open last card of the next player fits; half as bad for each player further on."""
_GIFT, _GIFT_POINT, _GIFT_TO_FEW, _GIFT_OF_WILD = 90, 25, 150, (-100, 200)
"""Giving a card away; each of its points; to a player with a card or two; a wild, while safe and while not."""
_STOP = 50


def rollout_move(state: FullCircleState, seat: Seat, number: int) -> Move:
    """Return a move that a sensible player might make.

    It brings another turn or a trap, sheds points, leaves cards that fit, and does not let a rival's open last card
    fit. Wilds are kept until a rival has one card.
    """
    moves = state.legal_moves(seat)
    if len(moves) == 1:
        return moves[0]
    hands, players = state.hands, state.round.players
    at = players.index(seat)
    rivals = (*players[at + 1 :], *players[:at])
    last_cards = [(other, _DENIED >> turn) for turn, other in enumerate(rivals) if len(hands[other]) == 1]
    colours = [card for card in hands[seat] if card != WILD]
    found, most = moves[0], -9999
    for place, move in enumerate(moves):
        if isinstance(move, Play):
            good = _of_play(state, seat, move, colours, last_cards)
        elif isinstance(move, Give):
            good = _GIFT + _GIFT_POINT * POINTS[CARDS[move.card]]
            if move.card == "W":
                good += _GIFT_OF_WILD[bool(last_cards)]
            if len(hands[move.to]) <= 2:
                good += _GIFT_TO_FEW
        else:
            good = _STOP
        good += number >> place % 28 & 15
        if good > most:
            found, most = move, good
    return found


def _of_play(
    state: FullCircleState, seat: Seat, play: Play, colours: list[int], last_cards: list[tuple[Seat, int]]
) -> int:
    """Return how good the play looks.

    `colours` are the cards in hand that are no wilds; `last_cards` are the rivals with an only card, and how bad it is
    if that card fits.
    """
    face, place = FACES[play.face], PLACE_NUMBERS[play.place]
    trap, tops, cards = state.trap, state.tops, len(state.hands[seat])
    if cards == 1 and state.drawn is None:
        return _ENDS_ROUND
    effects = circle.effects_of(tops, place, face, seat, trap, state.barred[seat] > 0)
    good = _POINT * POINTS[face] if face < WILD else _WILD_USED if last_cards else -_WILD_USED
    tops = replace_at(tops, place, face)
    everywhere = circle.fits(tops, None)
    fits = everywhere.to_bytes(NONE, "little").translate(_FITS)
    leaves = sum([fits[card] for card in colours]) + _WILD_FITS * (cards - len(colours))
    if state.drawn is None:
        leaves -= fits[face] if face < WILD else _WILD_FITS
    good += leaves or _STUCK
    double = False
    if effects is not circle.NO_EFFECTS:
        double, full, sets, frees = effects
        good += _DOUBLE * double + _FULL * full + _FREES * frees
        if sets:
            good += _TRAP
            trap = Trap(sets, seat)
        elif frees:
            trap = None
    if last_cards and not double:
        marked = circle.fits(tops, None if trap and trap.setter == seat else place)
        for other, bad in last_cards:
            if circle.fit_somewhere(state.hands[other], marked & circle.required_plays(trap, other, Phase.TURN)):
                good += bad
    return good
