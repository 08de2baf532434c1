"""Full Circle: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.game import Playout, Seat
from rules.full_circle import circle
from rules.full_circle.circle import CARDS, FACES, POINTS, WILD
from rules.full_circle.computer import evaluate
from rules.full_circle.state import FullCircleState
from rules.full_circle.types import (
    CardDrawn,
    CardPlayed,
    DoubleMatched,
    FullCircled,
    Give,
    Move,
    Passed,
    Play,
    RoundScored,
    TrapEnded,
    TrapSet,
)


def outlook(playout: Playout[FullCircleState], move: Move) -> Mapping[str, float]:
    """Return how likely the seat wins the match, judged after the round, and whether it wins the round."""
    result = playout.end.round.last
    won = playout.end.round.number > playout.begin.round.number or playout.end.round.outcome is not None
    return {
        "win": evaluate(playout.end, move.seat),
        "round": float(won and result is not None and result.winner == move.seat),
    }


LEANINGS: Mapping[str, float] = {
    **dict.fromkeys(("extra_double", "extra_full", "extra_soon", "trap", "shut", "shut_one", "gift", "fitting"), 1),
    **dict.fromkeys(("wild_kept", "points_shed", "next_out", "next_fits", "next_lasts", "next_calm"), 1),
    "next_finish": 2,
    **dict.fromkeys(("victor", "rivals_left"), 0.5),
    **dict.fromkeys(("wild_used", "wild_given", "points_left", "next_stuck", "next_over"), -1),
}
"""Which facts speak for a move, and which against it."""


def reasons(playout: Playout[FullCircleState], move: Move) -> Mapping[str, float]:
    """Return what the move is, what leaves the hand with it, how many cards a player has to whom one is given, how many
    of the other cards fit then, whether it keeps rivals from playing their open last cards, what becomes of a wild in
    the hand if none of these fits, whether a card fits in the seat's next turn or who ends the round before that, who
    gets an extra turn until then or in it, and if a rival wins the round, the points that are left in the hand and the
    rival's total until then: a win of the one who is far behind hurts less; or if the seat wins it, the points of the
    rivals. The number of the one open last card that is kept from fitting is its player's seat.
    """
    after = playout.after
    goes_on = after.round.number == playout.begin.round.number and after.round.outcome is None
    coming = dict.fromkeys(_until_next_turn(playout, move), 1.0)
    found = {"next_out": 1.0} if "next_out" in coming else {}
    for event in playout.own:
        if isinstance(event, DoubleMatched):
            if goes_on and any(isinstance(reply, Play) for reply in after.legal_moves(move.seat)):
                found["extra_double"] = found["extra_soon"] = 1.0
        elif isinstance(event, FullCircled):
            found["extra_full"] = found["extra_soon"] = 1.0
        elif isinstance(event, TrapSet):
            found["trap"] = 1.0
        elif isinstance(event, TrapEnded) and event.freed:
            found["freed"] = 1.0
    if isinstance(move, Give) and goes_on:
        found["gift"] = float(len(after.hands[move.to]))
    if goes_on and isinstance(move, Give | Play):
        found["points_shed"] = float(
            POINTS[CARDS[move.card] if isinstance(move, Give) else min(FACES[move.face], WILD)]
        )
    if goes_on:
        others = after.mover != move.seat
        fits = circle.fits(after.tops, None) if others else after.fits(move.seat)
        found["fitting"] = float(sum([circle.fit_somewhere([card], fits) for card in after.hands[move.seat]]))
    open_cards = _open_cards_fit(after, move.seat) if goes_on else {}
    if len(open_cards) > 1 and not any(open_cards.values()):
        found["shut"] = 1.0
    elif open_cards and not any(open_cards.values()):
        found["shut_one"] = float(*open_cards)
    if goes_on and WILD in playout.begin.hands[move.seat] and not any(open_cards.values()):
        given = isinstance(move, Give) and CARDS[move.card] == WILD
        used = isinstance(move, Play) and move.face.startswith("W")
        if given or used or playout.begin.hands[move.seat].count(WILD) == 1:  # of several, all other moves keep one too
            found["wild_given" if given else "wild_used" if used else "wild_kept"] = 1.0
    found |= coming
    for event in (*playout.own, *playout.later):
        if isinstance(event, RoundScored) and event.result.winner == move.seat:
            found["rivals_left"] = float(sum(event.result.points))
        elif isinstance(event, RoundScored):
            found["points_left"] = float(event.result.points[move.seat])
            if event.result.winner is not None:
                found["victor"] = float(playout.begin.round.totals[event.result.winner])
    return found


def certain(playout: Playout[FullCircleState], move: Move) -> frozenset[str]:
    """If the move ends the round, this is certain, and so it is if the next player must play an open last card."""
    after, done = playout.after, any(isinstance(event, RoundScored) for event in playout.own)
    if done or after.mover is None or after.mover == move.seat or len(after.hands[after.mover]) > 1:
        return frozenset(("next_out",)) if done else frozenset()
    must_play = all(isinstance(reply, Play) for reply in after.legal_moves(after.mover))
    return frozenset(("next_over",)) if must_play else frozenset()


def _open_cards_fit(after: FullCircleState, seat: Seat) -> dict[Seat, bool]:
    """Return of each rival's open last card whether it fits in the circle; {} if the seat has another turn first."""
    rivals = [other for other in after.round.players if other != seat and after.mover != seat]
    last = [rival for rival in rivals if len(after.hands[rival]) == 1]
    return {rival: circle.fit_somewhere(after.hands[rival], after.fits(rival)) for rival in last}


def _until_next_turn(playout: Playout[FullCircleState], move: Move) -> Iterator[str]:
    """Yield what comes of the seat's next turn, whether it goes out, and who gets an extra turn until then."""
    others, calm, outcome = False, True, ""
    for event in (*playout.own, *playout.later):
        if isinstance(event, RoundScored):
            own = event.result.winner == move.seat
            if own and outcome == "next_fits":
                yield "next_finish"
            outcome = outcome or ("next_out" if own else "next_over")
            break
        if isinstance(event, CardPlayed | CardDrawn | Passed):
            if event.seat != move.seat:
                if outcome:
                    break
                others = True
            elif others and not outcome:
                outcome = "next_fits" if isinstance(event, CardPlayed) else "next_stuck"
                yield from ("next_lasts", "next_calm") if calm else ("next_lasts",)
        elif isinstance(event, DoubleMatched | FullCircled):
            calm &= event.seat == move.seat
            if outcome:
                yield "extra_soon"
    yield outcome or "next_over"
