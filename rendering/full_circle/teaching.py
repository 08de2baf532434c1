"""What Full Circle tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_circle.circle import lock_at
from rendering.full_circle.hand import CIRCLE_AT, CRATE, HAND, cards_of, held_places, room_of
from rendering.full_circle.narration import arrow
from rendering.full_circle.panes import HAND_RADIUS, card_of
from rendering.full_circle.people import SCORE
from rules.full_circle import PLACES, FullCircleView, Phase

MARKS = ("wins", "double", "full", "trap", "frees")


def coach(view: FullCircleView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, which card fits."""
    aim = labels.say("coach.aim", target=view.target)
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    return f"{aim} {labels.say(f'coach.{_now(view)}')}"


def _now(view: FullCircleView) -> str:
    """Return the key of what the seat to move does now."""
    plays, trapped = view.plays(), view.trap is not None and view.trap.setter != view.viewer
    if view.phase is Phase.DRAWN:
        return "drawn"
    if view.phase is not Phase.TURN:
        return "again" if plays else "again_nothing"
    if not plays and not view.pile and not any(quadrant and quadrant.covered for quadrant in view.circle):
        return "pass"  # F13: there is nothing to draw
    if trapped:
        return "trapped"
    return "play" if plays else "draw"


def legend(view: FullCircleView, labels: Labels) -> str:
    """Return the quadrants' letters, the lock, and the marks on the buttons."""
    places = " · ".join(f"{place} {arrow(labels, place)}" for place in PLACES)
    marks = " · ".join(f"{labels.say(f'mark.{key}')} {labels.say(f'legend.{key}')}" for key in MARKS)
    return "\n".join([places, labels.say("legend.lock"), marks])


def callouts(view: FullCircleView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a hand: an edge, the lock, another player's cards and points, the crate, a card that fits."""
    say = labels.say
    x, y = CIRCLE_AT
    found = [Callout(x + 4, y - HAND_RADIUS * 0.9, 100, -50, say("callout.edge"))]
    if view.marker is not None:
        number = PLACES.index(view.marker)
        lock = lock_at(number, x, y, HAND_RADIUS)
        across, down = (70, 66) if number > 1 else (84, -30)
        found.append(Callout(*lock, across if number in (1, 2) else -across, down, say("callout.lock")))
    other = 1 if view.viewer == 0 else 0
    spot, side = HAND.spots(view.seats)[other], -1 if other else 1  # towards the neighbour: there is room between them
    found.append(Callout(spot.x + 50 * side, spot.bar + 24, 49 * side, -70, say("callout.cards")))
    found.append(
        Callout(spot.x + 40 * side, spot.bar + SCORE + 18, 26 * side, 46, say("callout.total", target=view.target))
    )
    found.append(Callout(CRATE[0], CRATE[1] - 90, 0, -60, say("callout.pile")))
    cards, fitting = cards_of(view), {card_of(play.face) for play in view.plays()}
    radius, places = held_places(len(cards), room_of(labels))
    raised = [place for card, place in zip(cards, places, strict=True) if card in fitting]
    if raised:
        left, foot = raised[-1]
        found.append(Callout(left, foot - radius * 1.14, 66, -8, say("callout.fits")))
    return tuple(found)
