"""What Full Sun tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_sun.hand import BOARDS, FOOT, HELD, RULER, SIGN, held_places, look_of, rung_boxes
from rendering.full_sun.narration import playable, suit_with_sign
from rendering.full_sun.trick import LOW, column
from rules.full_sun import FullSunView, suit_of

SUITS = "BRSLW"


def coach(view: FullSunView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, which card it may play and what that brings."""
    aim = labels.say("coach.aim", target=view.target)
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.follow:
        return f"{aim} {labels.say('coach.lead')}"
    key = "follow" if any(suit_of(card) == view.follow for card in playable(view)) else "free"
    return f"{aim} {labels.say(f'coach.{key}', suit=suit_with_sign(labels, view.follow))}"


def legend(view: FullSunView, labels: Labels) -> str:
    """Return the suits with their pips, the backs, and the mark of the highest card."""
    pips = dict(zip(SUITS, range(1, 5), strict=False))
    suits = " · ".join(
        f"{suit_with_sign(labels, suit)} {suit}" + (f" ({'•' * pips[suit]})" if suit in pips else "") for suit in SUITS
    )
    return "\n".join([suits, labels.say("legend.pips"), labels.say("legend.backs")])


def callouts(view: FullSunView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a hand: points, the suit to follow, the trick, others' suits, tricks won and needed, pips."""
    assert view.viewer is not None
    say, (own, left, board) = labels.say, column(view.seats, view.viewer)
    _, other, _ = column(view.seats, (view.viewer + 1) % view.seats)
    wide, (rung, width), (x, y) = look_of(view).sign[0], rung_boxes(view, labels)[5], held_places(view)[-1]
    found = [Callout(left + 120, BOARDS + LOW.points - 12, 76, -29, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(own, FOOT + SIGN / 2, 0, -66, say("callout.follow")))
    found.append(Callout(other + board * 0.62, BOARDS + LOW.slips + 8, 54, -24, say("callout.suits")))
    if view.lays:
        leader = column(view.seats, view.lays[0].seat)[0]
        found.append(Callout(leader - wide / 2 + 20, FOOT + 10, -6, -66, say("callout.trick")))
    found.append(Callout(left + 160, BOARDS + LOW.tricks, 80, 6, say("callout.won")))
    found.append(Callout(rung + width * 0.62, RULER + 60, 44, 34, say("callout.needed")))
    found.append(Callout(x + HELD[0] * 0.36, y + HELD[1] * 0.56, 68, 26, say("callout.pips")))
    return tuple(found)
