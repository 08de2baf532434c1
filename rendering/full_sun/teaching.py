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
    NEED_HEIGHT,
    NEED_WIDTH,
    NEEDS_TOP,
    POINTS_AT,
    RIVALS_TOP,
    TRICK_TOP,
    WON_WIDTH,
    held_places,
    needs_left,
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
    found = [Callout(POINTS_AT - 2, HEADING_LINE, -70, 0, say("callout.points", target=view.target))]
    if view.follow:
        found.append(Callout(WIDTH - MARGIN - 46, HEADING_LINE + 44, 0, 168, say("callout.follow")))
    found.append(Callout(MARGIN + 80, RIVALS_TOP + 148, -30, 64, say("callout.suits")))
    if view.lays:
        found.append(Callout(trick_left(view, 0) + 20, TRICK_TOP + 60, -110, 20, say("callout.trick")))
    left, line, chips = needs_left(view), NEEDS_TOP + NEED_HEIGHT // 2, len(possible_species(view))
    right = left + WON_WIDTH + chips * (NEED_WIDTH + NEED_GAP)
    aside = left >= 110  # there is room at both ends of the row
    found.append(Callout(left + 4, line if aside else NEEDS_TOP + 4, -68 if aside else 20, 0 if aside else -52,
                         say("callout.won")))  # fmt: skip
    found.append(Callout(right - 4, line if aside else NEEDS_TOP + 4, 68 if aside else -40, 0 if aside else -52,
                         say("callout.needed")))  # fmt: skip
    x, y = held_places(view)[-1]
    found.append(Callout(x + HELD[0] * 0.46, y + HELD[1] * 0.44, 150, 30, say("callout.pips")))
    return tuple(found)
