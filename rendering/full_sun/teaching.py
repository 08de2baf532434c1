"""What Full Sun tells a newcomer: what they are after, the signs."""

from __future__ import annotations

from rendering.core.labels import Labels
from rendering.full_sun.narration import highest, playable, suit_with_sign
from rules.full_sun.types import FullSunView, suit_of

SUITS = "BRSLW"


def coach(view: FullSunView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, which card it may play and what that brings."""
    aim = labels.say("coach.aim", target=view.target)
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.follow:
        return f"{aim}\n{labels.say('coach.lead')}"
    key = "follow" if any(suit_of(card) == view.follow for card in playable(view)) else "free"
    return f"{aim}\n{labels.say(f'coach.{key}', suit=suit_with_sign(labels, view.follow))}"


def legend(view: FullSunView, labels: Labels) -> str:
    """Return the suits with their pips, the trick, the backs, and the mark of the highest card if a card has it."""
    pips = dict(zip(SUITS, range(1, 5), strict=False))
    suits = " · ".join(
        f"{suit_with_sign(labels, suit)} {suit}" + (f" ({'•' * pips[suit]})" if suit in pips else "") for suit in SUITS
    )
    best = highest(view)
    over = best is not None and any(view.face(card) > view.face(best.card) for card in playable(view))
    keys = ("pips", "backs", "trick", *(["over"] if over else []))
    return "\n".join([suits, *(labels.say(f"legend.{key}") for key in keys)])
