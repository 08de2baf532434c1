"""The colours that mean something differ for all eyes, and what is written in them can be read."""

from __future__ import annotations

import pytest
from PIL import ImageStat

from rendering import renderer
from rendering.core import theme
from rendering.core.discs import COLOURS
from rendering.core.portraits import DARK
from rendering.core.sprites import Colour, mix
from rendering.full_circle import panes, signs
from rendering.full_sun import pieces as full_sun
from rendering.photosynthesis import trees
from rendering.sea_change import pieces as sea_change
from rendering.sea_change.stage import LIGHTS
from rendering.siege_of_sunfall import pieces as siege
from rules import GAMES
from tests.support.colours import SIGHTS, closest, contrast, difference, lab, seen_as

APART, KINDS_APART = 9, 7.9
"""The least CIEDE2000 of two colours. The seven kinds of Siege have less room; each has its own sign and word."""
SETS: dict[str, tuple[list[Colour], float]] = {
    "Sea Change": (list(sea_change.TINTS.values()), APART),
    "Full Sun": (list(full_sun.TINTS.values()), APART),
    "Full Circle": (list(signs.TINTS.values()), APART),
    "Photosynthesis": (list(trees.TINTS), APART),
    "Siege of Sunfall": ([tint for kind, tint in siege.TINTS.items() if kind.name != "END"], KINDS_APART),
}
ON_PAPER = [*sea_change.TINTS.values(), *full_sun.TINTS.values()]


@pytest.mark.parametrize(
    ("one", "other", "apart"),  # pairs 1, 7, 13 and 25 of the published test data of CIEDE2000
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, -0.001, 2.49), (50.0, 0.0011, -2.49), 4.7461),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_difference_is_the_published_one(
    one: tuple[float, float, float], other: tuple[float, float, float], apart: float
) -> None:
    assert difference(one, other) == pytest.approx(apart, abs=1e-4)


def test_white_is_white_and_black_on_white_is_the_most() -> None:
    assert lab((255, 255, 255)) == pytest.approx((100, 0, 0), abs=0.02)
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", SETS)
def test_colours_that_mean_something_differ_for_all_eyes(name: str, sight: str) -> None:
    colours, apart = SETS[name]
    assert closest(colours, sight) >= apart


WRITING = [
    *(
        (tint, sea_change.PALE[suit], light.rest)
        for suit, tint in sea_change.TINTS.items()
        for light in LIGHTS.values()
    ),
    *((tint, theme.PAPER, full_sun.RESTING) for tint in full_sun.TINTS.values()),
    (full_sun.GOLD_INK, full_sun.GOLD, full_sun.RESTING),
]
"""What is written on a card, the light round it, and the tone of a card that cannot be played."""


def test_a_card_can_be_read_also_if_it_cannot_be_played() -> None:
    def resting(colour: Colour) -> Colour:
        red, green, blue = (value * part // 255 for value, part in zip(colour, tone, strict=True))
        return red, green, blue

    for ink, light, tone in WRITING:
        assert contrast(ink, light) >= 4.5, (ink, light)
        assert contrast(resting(ink), resting(light)) >= 3.3, (ink, light, tone)


@pytest.mark.parametrize("lit", [True, False])
@pytest.mark.parametrize("name", [*signs.TINTS, *(f"letter_{letter}" for letter in (*signs.TINTS, "W"))])
def test_a_sign_and_a_letter_can_be_read_on_their_glass(name: str, lit: bool) -> None:
    """As they are painted: the commonest colour of the writing beside the mean of the glass."""
    kind, letter = name[:-1], name[-1]
    glass = panes.half(letter, True, 250, lit=lit)
    painted = glass.getchannel("A").point([255 * (value > 250) for value in range(256)])
    red, green, blue = (round(part) for part in ImageStat.Stat(glass.convert("RGB"), painted).mean)
    writing = panes.mark(kind, letter, 80, lit=lit).getcolors(20_000) or []
    _, ink = max((count, colour) for count, colour in writing if isinstance(colour, tuple) and colour[3] > 250)
    assert contrast(ink[:3], (red, green, blue)) >= 4


@pytest.mark.parametrize("colour", [*COLOURS, *(colour for slug in GAMES for colour in renderer(slug).SEAT_COLOURS)])
def test_initials_can_be_read_in_a_disc_of_any_colour(colour: Colour) -> None:
    """They stand in its core."""
    assert contrast(theme.CREAM, mix(colour, DARK, 0.82)) >= 4.5


@pytest.mark.parametrize("tint", ON_PAPER)
def test_what_full_sight_sees_stays_as_it_is(tint: Colour) -> None:
    """The gallery shows colours as others see them."""
    assert seen_as(tint, "full") == tint
    assert all(difference(lab(seen_as(tint, sight)), lab(tint, sight)) < 1 for sight in SIGHTS)
