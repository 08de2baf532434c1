"""What Photosynthesis tells a newcomer: the aim, the signs."""

from __future__ import annotations

from rendering.core.labels import Labels
from rendering.photosynthesis.narration import sun_name
from rendering.photosynthesis.steps import legal
from rules.photosynthesis.types import Collect, Grow, Plant
from rules.photosynthesis.view import PhotosynthesisView


def coach(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, what to do with its light."""
    aim = labels.say("coach.aim")
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.round:
        return f"{aim}\n{labels.say('coach.place', sun=sun_name(labels, view.sun))}"
    light = view.light[view.to_move]
    return f"{aim}\n{labels.say('coach.spend' if light else 'coach.dark', light=light)}"


def legend(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the signs on the board and on the player's own board."""
    keys = ["sun", "leaves", "board"]
    keys += ["shade"] if any(view.shadow) else []
    keys += ["coin"] if view.round else []
    moves = legal(view)
    keys += ["ring"] if any(isinstance(move, Collect | Grow | Plant) for move in moves) else []
    keys += ["from"] if any(isinstance(move, Plant) for move in moves) else []
    return "\n".join(labels.say(f"legend.{key}") for key in keys)
