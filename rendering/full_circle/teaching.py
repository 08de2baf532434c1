"""What Full Circle tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_circle.circle import HAND_RADIUS
from rendering.full_circle.hand import CIRCLE_AT, caption_box, cards_of, held_places, other_boxes, rise_of, room_of
from rendering.full_circle.narration import arrow, next_win, streak
from rendering.full_circle.picture import card_of
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
    """Return the parts of a hand: the lock, an edge, others' cards and totals, a streak, the pile, a card that fits.

    The discs lie on the stones round the window and at the edges of cards, where nothing is written.
    """
    say = labels.say
    found = []
    x, y = CIRCLE_AT
    if view.marker is not None:
        right, down = (1 if view.marker[1] == "R" else -1), (1 if view.marker[0] == "B" else -1)
        corner = HAND_RADIUS * 0.71
        found.append(Callout(x + right * corner, y + down * corner, right * 78, down * -16, say("callout.lock")))
    found.append(Callout(x, y - HAND_RADIUS * 0.6, 0, HAND_RADIUS * 0.6, say("callout.edge")))
    boxes = other_boxes(view)
    left, top, width = next(iter(boxes.values()))
    found.append(Callout(left + width - 60, top + 94, 70, 48, say("callout.cards")))
    found.append(Callout(left + 178, top + 92, 68, 52, say("callout.total", target=view.target)))
    winning = next((seat for seat in boxes if streak(view, seat)), None)
    if winning is not None:
        left, top, _ = boxes[winning]
        found.append(Callout(left + 90, top + 96, 58, 48, say("callout.streak", points=next_win())))
    left, top, *_ = caption_box(view)
    found.append(Callout(left + 24, top + 84, -62, 36, say("callout.pile")))
    cards, fitting = cards_of(view), {card_of(play.face) for play in view.plays()}
    size, places = held_places(len(cards), room_of(view, labels))
    raised = [place for card, place in zip(cards, places, strict=True) if card in fitting]
    if raised:
        left, top = raised[-1]
        found.append(Callout(left + size[0] / 2, top - rise_of(size) + size[1] * 0.9, 0, 64, say("callout.fits")))
        found.append(Callout(left + size[0] / 2 + 20, top - rise_of(size), 84, -2, say("callout.compass")))
    return tuple(found)
