"""What Photosynthesis tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.photosynthesis.forest import COIN_AT
from rendering.photosynthesis.picture import DESK, IN_HAND
from rendering.photosynthesis.scene import HAND
from rules.photosynthesis import HEXES, PhotosynthesisView


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


_FROM_SUN = ((14, -108), (-80, 36), (80, 8), (-10, 96), (92, 38), (-86, 38))
"""From the sun at each corner to the number beside it."""


def callouts(view: PhotosynthesisView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a seat's picture: the sun, a shadow, light earned, the harvest, the own light, the prices."""
    say = labels.say
    x, y = HAND.sun_at(view.sun)
    found = [Callout(x, y, *_FROM_SUN[view.sun], say("callout.sun"))]
    if dark := _shadowed(view):
        x, y = HAND.centre(dark)
        found.append(Callout(x + 14, y + 18, 0, 70, say("callout.shadow")))
    earned = {hex_ for hex_, _ in view.sunlight.earned} if view.sunlight else set()
    shown = [hex_ for hex_, there in zip(HEXES, view.board, strict=True)
             if hex_ in earned and there is not None and there.seat == view.viewer]  # fmt: skip
    if shown:
        x, y = HAND.centre(max(shown, key=_upper_right))
        found.append(Callout(x + COIN_AT[0] + 8, y + COIN_AT[1] - 22, 44, -70, say("callout.earned")))
    x, y = IN_HAND.piles[0]
    found.append(Callout(x + 28, y - 82, -20, -66, say("callout.tokens")))
    x, y = DESK.own
    found.append(Callout(x + 156, y + 120, 118, -26, say("callout.light")))
    x, y = DESK.stock
    found.append(Callout(x + 230, y + 222, 64, 0, say("callout.prices")))
    return tuple(found)


def _shadowed(view: PhotosynthesisView) -> str | None:
    """Return an empty hex in shadow, one of the lowest row that has any; None if there is none."""
    dark = [
        str(hex_)
        for hex_, there, shadow in zip(HEXES, view.board, view.shadow, strict=True)
        if there is None and shadow
    ]
    return max(dark, key=lambda hex_: HAND.centre(hex_)[1], default=None)


def _upper_right(hex_: str) -> float:
    """Return how far a hex lies to the upper right."""
    x, y = HAND.centre(hex_)
    return x - y
