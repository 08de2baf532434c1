"""What Full Circle tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_circle.circle import HAND_RADIUS
from rendering.full_circle.narration import arrow, next_win, streak
from rendering.full_circle.picture import (
    CAPTION_TOP,
    CIRCLE_AT,
    HELD_TOP,
    OTHERS_AT,
    RISE,
    hand_rows,
    other_boxes,
    row_edges,
)
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
    """Return the parts of a hand: the lock, a quadrant, others' cards, a streak, the pile, a card's edges."""
    say = labels.say
    found = []
    x, y = CIRCLE_AT
    if view.marker is not None:
        right, down = (1 if view.marker[1] == "R" else -1), (1 if view.marker[0] == "B" else -1)
        corner = HAND_RADIUS * 0.72
        found.append(Callout(x + right * corner, y + down * corner, right * 96, down * -40, say("callout.lock")))
    far = -1 if view.marker is not None and view.marker[0] == "B" else 1  # the edge away from the lock
    found.append(Callout(x, y + far * HAND_RADIUS * 0.86, 0, 0, say("callout.edge")))
    boxes = other_boxes(view)
    left, top, width = next(iter(boxes.values()))
    found.append(Callout(left + 340, top + 76, 44, 62, say("callout.cards")))
    found.append(Callout(left + 200, top + 92, -60, 40, say("callout.total", target=view.target)))
    winning = next((seat for seat in boxes if streak(view, seat)), None)
    if winning is not None:
        left, top, width = boxes[winning]
        found.append(Callout(left + width - 250, top + 62, 120, -6, say("callout.streak", points=next_win())))
    found.append(Callout(OTHERS_AT[0] + 40, CAPTION_TOP + 90, 20, 64, say("callout.pile")))
    rows, size = hand_rows(view.hand)
    fitting = {play.face[0] if play.face[0] == "W" else play.face for play in view.plays()}
    held = list(zip(rows[0], row_edges(rows[0], size), strict=True))
    raised = next(((card, edge) for card, edge in reversed(held) if card in fitting), None)
    if raised is not None:
        edge = raised[1]
        found.append(Callout(edge + size[0] - 12, HELD_TOP - RISE + size[1] * 0.3, 110, 0, say("callout.fits")))
        found.append(Callout(edge + size[0] / 2 + 26, HELD_TOP - RISE, 66, -44, say("callout.compass")))
    return tuple(found)
