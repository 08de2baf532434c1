"""What Full Sun tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.canvas import WIDTH
from rendering.core.labels import Labels
from rendering.core.theme import MARGIN
from rendering.full_sun.hand import (
    HEADING_LINE,
    HELD,
    NEED_GAP,
    NEED_WIDTH,
    NEEDS_LEFT,
    NEEDS_TOP,
    POINTS_AT,
    RIVALS_TOP,
    TRICK_TOP,
    held_places,
    trick_left,
)
from rendering.full_sun.narration import playable, possible_species, suit_with_sign
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
    """Return the parts of a hand: the points, the trick, others' suits, the tricks won and needed, a card's pips."""
    say = labels.say
    found = [Callout(POINTS_AT + 50, HEADING_LINE + 16, 0, 72, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(WIDTH - MARGIN - 46, HEADING_LINE + 40, 0, 64, say("callout.follow")))
    found.append(Callout(MARGIN + 90, RIVALS_TOP + 128, 0, 0, say("callout.suits")))
    if view.lays:
        found.append(Callout(trick_left(view, 0) + 20, TRICK_TOP + 60, -110, 20, say("callout.trick")))
    found.append(Callout(MARGIN + 60, NEEDS_TOP + 64, 0, 82, say("callout.won")))
    chips = len(possible_species(view))
    right = NEEDS_LEFT + chips * (NEED_WIDTH + NEED_GAP) - NEED_GAP
    found.append(Callout(right - 30, NEEDS_TOP + 64, 60, 60, say("callout.needed")))
    x, y = held_places(view)[-1]
    found.append(Callout(x + HELD[0] * 0.2, y + HELD[1] * 0.41, 190, 40, say("callout.pips")))
    return tuple(found)
