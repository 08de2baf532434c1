"""What Full Circle tells a newcomer: the aim, the signs."""

from __future__ import annotations

from rendering.core.labels import Labels
from rendering.full_circle.narration import arrow, card_label, colour_with_sign, effects
from rules.full_circle.types import PLACES, Phase
from rules.full_circle.view import FullCircleView

MARKS = ("wins", "double", "full", "trap", "frees")


def coach(view: FullCircleView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, which card fits."""
    aim = labels.say("coach.aim", target=view.target)
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    colour = colour_with_sign(labels, view.trap.colour) if view.trap else ""
    card = card_label(labels, view.drawn) if view.drawn else ""
    return f"{aim}\n{labels.say(f'coach.{_now(view)}', colour=colour, card=card)}"


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
        return "trapped" if plays else "trapped_nothing"
    return "play" if plays else "draw"


def legend(view: FullCircleView, labels: Labels) -> str:
    """Return what the arrows mean, the dots over cards, the marks that are on the buttons now, and the lock."""
    plays = view.plays()
    found = {key for play in plays for key in effects(view, play)}
    return "\n".join(
        [
            " · ".join(arrow(labels, place) for place in PLACES),
            *([labels.say("legend.dots")] if plays else []),
            *(f"{labels.say(f'mark.{key}')} {labels.say(f'legend.{key}')}" for key in MARKS if key in found),
            *([labels.say("legend.lock")] if view.marker is not None else []),
        ]
    )
