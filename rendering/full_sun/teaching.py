"""What Full Sun tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_sun.hand import BOARDS, FOOT, RULER, RUNG, held_places, look_of, rung_boxes
from rendering.full_sun.narration import playable, suit_with_sign
from rendering.full_sun.pieces import slips_of
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
    """Return the parts of a hand: points, the suit to follow, the trick, others' suits, tricks won and needed, pips.

    Discs stand where nothing else does: on boards at the right of short words, in the wood above and between the signs,
    and in the dark round the hand.
    """
    assert view.viewer is not None
    say, (own, left, board), seat = labels.say, column(view.seats, view.viewer), (view.viewer + 1) % view.seats
    wide, (rung, width), (x, y) = look_of(view).sign[0], rung_boxes(view, labels)[5], held_places(view)[0]
    found = [Callout(left + board * 0.58, BOARDS + 50, board * 0.28, -25, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(own + wide * 0.38, FOOT + 4, 0, -48, say("callout.follow")))
    _, other, _ = column(view.seats, seat)
    slips = [
        slip for slip, cards in zip(slips_of(view.backs[seat], board - 12), view.backs[seat], strict=True) if cards
    ]
    if slips:
        _, across, slip = slips[-1]
        found.append(Callout(other + 6 + across + slip - 6, BOARDS + LOW.slips + 4, 26, -22, say("callout.suits")))
    if view.lays:
        middle = column(view.seats, view.lays[0].seat)[0]
        found.append(Callout(middle - wide / 2 + 8, FOOT + 6, -34, -46, say("callout.trick")))
    found.append(Callout(left + board * 0.84, BOARDS + LOW.tricks, 0, 0, say("callout.won")))
    found.append(Callout(rung + width * 0.6, RULER + RUNG - 6, 0, 56, say("callout.needed")))
    found.append(Callout(x + 14, y + 131, -60, 0, say("callout.pips")))
    return tuple(found)
