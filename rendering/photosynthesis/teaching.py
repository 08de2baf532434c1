"""What Photosynthesis tells a newcomer: the aim, the signs."""

from __future__ import annotations

from rendering.core.labels import Labels
from rules.photosynthesis import PhotosynthesisView


def coach(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, what to do with its light."""
    aim = labels.say("coach.aim")
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.round:
        return f"{aim} {labels.say('coach.place')}"
    light = view.light[view.to_move]
    return f"{aim} {labels.say('coach.spend' if light else 'coach.dark', light=light)}"


def legend(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the signs on the board and on the player's own board."""
    return "\n".join(labels.say(f"legend.{key}") for key in ("sun", "hexes", "board"))
