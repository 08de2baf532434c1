"""What the pictures of all games share: colours, sizes of type, corners, distances."""

from __future__ import annotations

from rendering.core.sprites import Colour

# Type, in pixels at 1,200 wide. On a phone a picture is about 400 wide: capitals have 24 pixels or more, so 8 there.
HEADING = 46
BODY = 38
SMALL = 37

MARGIN = 24
GAP = 14
CORNER = 18
"""Corner radius of a plate."""

# Colours of every game: paper, ink, brass, and the colours of states.
PAPER: Colour = (255, 249, 235)
PAPER_EDGE: Colour = (216, 196, 156)
INK: Colour = (43, 35, 32)
INK_SOFT: Colour = (112, 96, 80)
BRASS: Colour = (214, 168, 84)
BRASS_LIGHT: Colour = (248, 219, 150)
BRASS_DARK: Colour = (134, 93, 38)
CREAM: Colour = (247, 238, 218)
ALARM: Colour = (190, 52, 44)
GOOD: Colour = (44, 112, 64)

# Sides of a team game. Shape and letter distinguish them too.
SIDE_COLOURS: tuple[Colour, ...] = ((226, 106, 62), (70, 160, 204), (140, 186, 74), (204, 122, 196))


COLOURS: tuple[Colour, ...] = (
    *(PAPER, PAPER_EDGE, INK, INK_SOFT, BRASS, BRASS_LIGHT, BRASS_DARK, CREAM, ALARM, GOOD),
    *SIDE_COLOURS,
)
"""The colours that every game's palette has exactly."""

SQUEEZED = 0.78
"""A name's letters may be so much narrower before it is cut."""
