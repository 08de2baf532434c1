"""What Full Circle tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core import lettering
from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.core.theme import MARGIN, SMALL
from rendering.full_circle.circle import FLAME, HAND_RADIUS, MEDAL
from rendering.full_circle.narration import arrow, next_win, streak
from rendering.full_circle.picture import (
    CIRCLE_AT,
    HELD_TOP,
    OTHERS_AT,
    RISE,
    SLAB,
    SLAB_TOP,
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
        corner = HAND_RADIUS * 0.62
        found.append(Callout(x + right * corner, y + down * (corner + 30), 24, down * 86, say("callout.lock")))
    far = -1 if view.marker is not None and view.marker[0] == "B" else 1  # the edge away from the lock
    found.append(Callout(x, y + far * HAND_RADIUS * 0.86, 0, 0, say("callout.edge")))
    boxes = other_boxes(view, *OTHERS_AT, 2 * HAND_RADIUS)
    left, top, width, tall = next(iter(boxes.values()))
    found.append(Callout(left + 158, top + tall - 42, 84, 0, say("callout.cards")))
    medal = left + width - 14 - MEDAL
    found.append(Callout(medal - 4, top + tall / 2, -84, 0, say("callout.total", target=view.target)))
    winning = next((seat for seat in boxes if streak(view, seat)), None)
    if winning is not None:
        left, top, width, tall = boxes[winning]
        sign = min(160, lettering.width(say("picture.streak", points=next_win()), SMALL)) + FLAME + 2
        edge, line = left + width - 14 - MEDAL - 7 - sign, max(top + tall // 2 - 2, top + 90)
        found.append(Callout(edge, line, -76, 0, say("callout.streak", points=next_win())))
    found.append(Callout(MARGIN + 130, SLAB_TOP + SLAB / 2 + 24, 30, 64, say("callout.pile")))
    rows, size = hand_rows(view.hand)
    fitting = {play.face[0] if play.face[0] == "W" else play.face for play in view.plays()}
    held = list(zip(rows[0], row_edges(rows[0], size), strict=True))
    raised = next(((card, edge) for card, edge in reversed(held) if card in fitting), None)
    if raised is not None:
        edge = raised[1]
        found.append(Callout(edge + size[0] - 12, HELD_TOP - RISE + size[1] * 0.3, 110, 0, say("callout.fits")))
    return tuple(found)
