"""A greedy rule player of Full Circle: it takes extra turns and traps, and sheds its dear cards first.

It keeps its wilds, which always fit, until a rival is about to end the round.
"""

from __future__ import annotations

from rules.core.game import Seat
from rules.full_circle.state import FullCircleState
from rules.full_circle.types import COLOUR_POINTS, WILD_POINTS, Give, Move, Play
from rules.full_circle.view import FullCircleView

FEW = 2
"""A rival with no more cards than this may soon end the round."""


def points(card: str) -> int:
    """Return what the card counts at the round's end."""
    return WILD_POINTS if card[0] == "W" else COLOUR_POINTS * len(card)


def liking(view: FullCircleView, seat: Seat, play: Play) -> tuple[int, ...]:
    """Return how good the play is: an extra turn, a trap, the card that it sheds, the cards that will fit beside it."""
    effects = view.effects_of(play)
    rivals = [view.hand_sizes[other] for other in view.players if other != seat]
    wild = play.face[0] == "W"
    first, second = play.face[-1 if wild else 0], play.face[-1]
    rest = [card for card in view.hand if str(card) != play.face]
    fitting = sum(card[-1] == first or card[0] == second for card in rest)
    free = not wild or min(rivals) <= FEW
    return effects.double or effects.full, effects.trap is not None, free, points(play.face[:2]), fitting


def greedy(state: FullCircleState, seat: Seat) -> Move:
    """Play if any card fits; else give the dearest card to the rival who is ahead; else the only word."""
    view, moves = state.view(seat), state.legal_moves(seat)
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        return max(plays, key=lambda play: liking(view, seat, play))
    gifts = [move for move in moves if isinstance(move, Give)]
    if gifts:
        return max(gifts, key=lambda gift: (points(gift.card), -view.totals[gift.to]))
    return moves[-1]
