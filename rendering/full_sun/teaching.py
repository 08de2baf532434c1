"""What Full Sun tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_sun.hand import BOARDS, FOOT, HELD, RULER, RUNG, SIGN, held_places, look_of, rung_left
from rendering.full_sun.narration import playable, suit_with_sign
from rendering.full_sun.trick import LOW_BOARD, column
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
    say, own = labels.say, column(view.seats, view.viewer)[0]
    _, left, _ = column(view.seats, (view.viewer + 1) % view.seats)
    wide, (rung, width), (x, y) = look_of(view).sign[0], rung_left(5), held_places(view)[-1]
    found = [Callout(own - 84, BOARDS + 52, -2, -176, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(own, FOOT + SIGN / 2, 0, -92, say("callout.follow")))
    found.append(Callout(left + 30, BOARDS + LOW_BOARD - 36, 20, -150, say("callout.suits")))
    if view.lays:
        leader = column(view.seats, view.lays[0].seat)[0]
        found.append(Callout(leader - wide / 2 + 20, FOOT + 10, -6, -66, say("callout.trick")))
    found.append(Callout(own + 84, BOARDS + 52, 2, -176, say("callout.won")))
    found.append(Callout(rung + width / 2, RULER + RUNG - 6, 0, 50, say("callout.needed")))
    found.append(Callout(x + HELD[0] * 0.3, y + HELD[1] * 0.56, 150, 30, say("callout.pips")))
    return tuple(found)
