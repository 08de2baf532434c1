"""What Photosynthesis tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core import lettering
from rendering.core.callouts import Callout
from rendering.core.canvas import WIDTH
from rendering.core.labels import Labels
from rendering.core.theme import MARGIN, SMALL
from rendering.photosynthesis.forest import HEX, MIDDLE, PILES_AT, SUN_AT, centre, light_direction
from rendering.photosynthesis.narration import last_move
from rendering.photosynthesis.picture import BOARD_HEIGHT, LAST_LINE
from rendering.photosynthesis.plates import HAND_LINE, LIGHT_LINE, NEXT_LINE, PRICE_LINE, column_edges
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


def callouts(view: PhotosynthesisView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a seat's picture: the sun, a shadow, light earned, soil, tokens, the own board."""
    say = labels.say
    dx, dy = light_direction(view.sun)
    found = [Callout(MIDDLE[0] - SUN_AT * dx, MIDDLE[1] - SUN_AT * dy - 40, 0, -110, say("callout.sun"))]
    if dark := _shadowed(view):
        x, y = centre(dark)
        found.append(Callout(x + 30, y + 6, 10, 104, say("callout.shadow")))
    if view.sunlight and view.sunlight.earned:
        hex_ = max((hex_ for hex_, _ in view.sunlight.earned), key=lambda hex_: centre(hex_)[0] - centre(hex_)[1])
        x, y = centre(hex_)
        found.append(Callout(x - HEX[0] / 2 + 119, y - HEX[1] / 2 + 108, 96, 44, say("callout.earned")))
    if last_move(view):
        found.append(Callout(WIDTH - MARGIN - 60, LAST_LINE + 26, -20, 84, say("callout.last")))
    x, y = PILES_AT[-1]
    found.append(Callout(x - 10, y - 44, -40, -84, say("callout.tokens")))
    found.append(Callout(MARGIN + 142, BOARD_HEIGHT + LIGHT_LINE - 32, 140, -72, say("callout.light")))
    wide = lettering.width(say("picture.next"), SMALL)
    found.append(Callout(MARGIN + 116 + wide, BOARD_HEIGHT + NEXT_LINE, 50, 0, say("callout.next")))
    edge = column_edges()[1]
    found.append(Callout(edge + 92, BOARD_HEIGHT + HAND_LINE - 26, 44, -66, say("callout.hand")))
    found.append(Callout(column_edges()[2] + 12, BOARD_HEIGHT + PRICE_LINE - 24, -56, -66, say("callout.prices")))
    return tuple(found)


def _shadowed(view: PhotosynthesisView) -> str | None:
    """Return an empty hex in shadow, one of the lowest row that has any; None if there is none."""
    dark = [
        str(hex_)
        for hex_, there, shadow in zip(HEXES, view.board, view.shadow, strict=True)
        if there is None and shadow
    ]
    return max(dark, key=lambda hex_: centre(hex_)[1], default=None)
