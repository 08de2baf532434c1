"""What Full Sun tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.canvas import WIDTH
from rendering.core.labels import Labels
from rendering.core.theme import MARGIN
from rendering.full_sun.hand import (
    HEADING_LINE,
    NEED_GAP,
    NEED_WIDTH,
    NEEDS_LEFT,
    NEEDS_TOP,
    TRICK_TOP,
    held_places,
    held_size,
)
from rendering.full_sun.narration import in_play_order, playable, possible_species, suit_with_sign
from rendering.full_sun.pieces import laid_left
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
    found = [Callout(WIDTH - MARGIN - 50, HEADING_LINE + 48, 0, 70, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(WIDTH - MARGIN - 182, HEADING_LINE + 56, 0, 62, say("callout.follow")))
    order = in_play_order(view)
    waiting = [place for place, seat in enumerate(order) if place >= len(view.lays) and seat != view.viewer]
    if waiting:
        x = laid_left(view.seats, waiting[0])
        found.append(Callout(x + 34, TRICK_TOP + 56, 36, 84, say("callout.suits")))
    found.append(Callout(MARGIN + 130, NEEDS_TOP + 76, 26, 96, say("callout.won")))
    chips = len(possible_species(view))
    right = NEEDS_LEFT + chips * (NEED_WIDTH + NEED_GAP) - NEED_GAP
    found.append(Callout(right - 8, NEEDS_TOP + 82, 92, 0, say("callout.needed")))
    x, y = held_places(view)[-1]
    width, height = held_size(view)
    found.append(Callout(x + width * 0.36, y + height * 0.49, 210, 0, say("callout.pips")))
    return tuple(found)
