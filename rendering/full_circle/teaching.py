"""What Full Circle tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.full_circle.circle import polar
from rendering.full_circle.hand import CIRCLE_AT, CRATE, HAND, HAND_RADIUS, RISE, cards_of, held_places, room_of
from rendering.full_circle.narration import arrow, next_win, streak
from rendering.full_circle.panes import card_of
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
    """Return the parts of a hand: the lock, an edge, others' cards and totals, a streak, the crate, a fitting card."""
    say = labels.say
    found = []
    x, y = CIRCLE_AT
    if view.marker is not None:
        number = PLACES.index(view.marker)
        lock = polar(number, x, y, HAND_RADIUS * 0.87)
        right, down = (1 if number in (1, 2) else -1), (1 if number in (2, 3) else -1)
        found.append(Callout(*lock, -right * 40, -down * 64, say("callout.lock")))
    found.append(Callout(x, y - HAND_RADIUS * 0.6, 0, HAND_RADIUS * 0.6, say("callout.edge")))
    spots = HAND.spots(view.seats)
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    spot = spots[others[-1]]
    found.append(Callout(spot.x + 20, spot.bar + 30, 74, -50, say("callout.cards")))
    spot = spots[others[min(1, len(others) - 1)]]
    found.append(Callout(spot.x + 66, spot.bar + 118, 62, 24, say("callout.total", target=view.target)))
    winning = next((seat for seat in range(view.seats) if streak(view, seat)), None)
    if winning is not None:
        spot = spots[winning]
        found.append(Callout(spot.x, spot.bar - 140, 0, -60, say("callout.streak", points=next_win())))
    found.append(Callout(CRATE[0], CRATE[1] - 90, 0, -60, say("callout.pile")))
    cards, fitting = cards_of(view), {card_of(play.face) for play in view.plays()}
    radius, places = held_places(len(cards), room_of(labels))
    raised = [place for card, place in zip(cards, places, strict=True) if card in fitting]
    if raised:
        left, foot = raised[-1]
        top = foot - radius * (1 + RISE)
        found.append(Callout(left, foot - radius * 0.35, radius * 0.6, radius * 0.2, say("callout.fits")))
        found.append(Callout(left + 14, top - radius * 0.1, radius * 0.7, -10, say("callout.compass")))
    return tuple(found)
