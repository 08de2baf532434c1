"""Full Circle's plays once more, as plainly as the rules page tells them and without regard to speed.

Faces are texts like "RB", "B", "W:G" (a wild named green). `circle` has the visible face of TL, TR, BR and BL, None for
an empty quadrant; places are 0 to 3 in that order.
"""

from __future__ import annotations

from collections.abc import Sequence

Circle = Sequence[str | None]

COLOURS = "BRYGOP"


def is_wild(face: str) -> bool:
    return face.startswith("W")


def shown(face: str) -> str:
    """The colours of a face: of a wild the one that it was named."""
    return face[-1] if is_wild(face) else face


def faces(card: str) -> list[str]:
    """What a card may be played as."""
    return [f"W:{colour}" for colour in COLOURS] if card == "W" else [card]


def matches(circle: Circle, place: int, face: str) -> list[bool]:
    """For each filled neighbour: whether the touching edges are of the same colour."""
    before, after = circle[(place + 3) % 4], circle[(place + 1) % 4]
    found = []
    if before is not None:
        found.append(shown(before)[-1] == shown(face)[0])
    if after is not None:
        found.append(shown(face)[-1] == shown(after)[0])
    return found


def fits(circle: Circle, marker: int | None, place: int, face: str) -> bool:
    """F2: an edge of the same colour, or a one-colour card on one of the same colour; never on the marker."""
    if place == marker:
        return False
    under = circle[place]
    same = under is not None and len(shown(under)) == 1 and shown(under) == shown(face)
    return same or any(matches(circle, place, face))


def after(circle: Circle, place: int, face: str) -> list[str | None]:
    return [face if quadrant == place else old for quadrant, old in enumerate(circle)]


def double_match(circle: Circle, place: int, face: str) -> bool:
    """F5: both neighbours are filled and both edges match."""
    return matches(circle, place, face) == [True, True]


def six_visible(circle: Circle) -> bool:
    return all(any(face and not is_wild(face) and colour in face for face in circle) for colour in COLOURS)


def full_circle(circle: Circle, place: int, face: str) -> bool:
    """F6: all six colours visible, wilds apart, where they were not before."""
    return six_visible(after(circle, place, face)) and not six_visible(circle)


def every_quadrant_shows(circle: Circle, colour: str) -> bool:
    return all(face is not None and colour in shown(face) for face in circle)


def trap(circle: Circle, place: int, face: str) -> str | None:
    """F8: the common colour of four filled quadrants without a wild, after a colour card is played."""
    result = after(circle, place, face)
    if any(quadrant is not None and is_wild(quadrant) for quadrant in result):
        return None
    return next((colour for colour in COLOURS if every_quadrant_shows(result, colour)), None)


def frees(circle: Circle, place: int, face: str, colour: str) -> bool:
    """F10: the play leaves a quadrant that does not show the trap's colour."""
    return not every_quadrant_shows(after(circle, place, face), colour)
