"""The players as glaziers: each with the roundel of their seat, slips of glass on a bar of lead, name and score."""

from __future__ import annotations

from typing import NamedTuple

from rendering.core import lettering, theme
from rendering.core.art import aglow, mirrored, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import crown
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Sprite
from rendering.full_circle.narration import streak, winners
from rendering.full_circle.panes import card_face, painted
from rendering.full_circle.stage import DARK, say
from rules.full_circle import FullCircleView

FIGURE = (200, 224)
"""The size of a figure in its file."""
CHEST = 66
"""Pixels from its foot to the middle of the roundel that it holds, in its file."""
SHADE: Colour = (128, 136, 184)
"""The glaziers who are not to move."""
MOST_SLIPS = 13
OPEN = 62
"""The radius of an open last card."""


class Spot(NamedTuple):
    """Where a player stands: the middle, the bar's line, the width of the column, and the width of the figure."""

    x: int
    bar: int
    width: int
    figure: int

    @property
    def chest(self) -> tuple[int, int]:
        """The middle of the roundel."""
        return self.x, round(self.bar - CHEST * self.figure / FIGURE[0])


class Place(NamedTuple):
    """The columns of a page: those at the left and at the right of the window, the bar's line, and the sizes."""

    columns: tuple[int, int, int, int]
    bar: int
    width: int
    figure: int

    def spots(self, seats: int) -> list[Spot]:
        """Return the spot of each seat, from the left; a player alone on a side has all of it."""
        pairs = (self.columns[:2], self.columns[2:])
        alone = [Spot(sum(pair) // 2, self.bar, self.width + pair[1] - pair[0], self.figure) for pair in pairs]
        both = [Spot(x, self.bar, self.width, self.figure) for x in self.columns]
        return [*(both[:2] if seats > 2 else alone[:1]), *(both[2:] if seats > 3 else alone[1:])]


def glazier(labels: Labels, seat: int, width: int) -> Sprite:
    """Return the figure of a seat."""
    return painted(f"glazier_{labels.disc(seat) % 8}", width)


def place_player(page: Page, view: FullCircleView, labels: Labels, seat: int, spot: Spot) -> None:
    """Place a player: the figure in the light if it is their turn, their slips of glass, their name, their score."""
    plays, wins = seat in view.players, streak(view, seat)
    won = seat in winners(view)
    lit = won or (seat == view.to_move and plays)
    figure = glazier(labels, seat, spot.figure)
    if (spot.x < WIDTH / 2) == (labels.disc(seat) % 2 == 0):  # so that all hold their tools outwards
        figure = mirrored(figure)
    foot = spot.bar + 4
    if lit:
        page.place(aglow(figure, 10, (255, 206, 116), 1.2), spot.x, foot + 20, "mb")
    page.place(figure if lit else toned(figure, SHADE if plays else (62, 66, 100)), spot.x, foot, "mb")
    size = round(0.43 * spot.figure)
    page.place(disc(labels, seat, size), *spot.chest, "mm")
    top = foot - round(FIGURE[1] * spot.figure / FIGURE[0])
    if won:
        page.place(crown(76), spot.x, top + 34, "mb")
    if wins:
        x = spot.x + (-62 if spot.x < WIDTH / 2 else 62)
        page.place(painted("flame", 62), x, top + 50, "mm")
        page.text(x, top + 58, str(wins), theme.SMALL, theme.INK, 60, "mm")
    page.place(painted("bar", min(spot.width - 6, 260)), spot.x, spot.bar, "mm")
    _place_slips(page, view, labels, seat, spot)
    ink = theme.BRASS_LIGHT if lit else theme.CREAM
    own = seat == view.viewer
    name = labels.say("picture.you") if own else short_name(labels, seat, theme.SMALL, spot.width)
    for down, said in ((80, name), (118, labels.count("points", view.totals[seat]))):
        say(page, spot.x, spot.bar + down, said, spot.width, ink)


def _place_slips(page: Page, view: FullCircleView, labels: Labels, seat: int, spot: Spot) -> None:
    """Place the cards that a player holds: slips of clear glass and their number, or the open last card."""
    line = spot.bar + 34
    if seat not in view.players:
        say(page, spot.x, line, labels.say("picture.watches"), spot.width)
        return
    card, held = view.open_cards[seat], view.hand_sizes[seat]
    if card is not None:
        page.place(card_face(card, OPEN), spot.x, spot.bar + 62, "mb")
        return
    if not held:
        return
    slip, shown = painted("slip", 27), min(held, MOST_SLIPS)
    figure = lettering.width(str(held), theme.SMALL)
    room = min(spot.width, 236) - 30 - figure
    step = min(26.0, (room - 27) / max(1, shown - 1))
    left = spot.x - (27 + step * (shown - 1) + 12 + figure) / 2
    for number in range(shown):
        page.place(slip, left + step * number, line, "lm")
    page.text(left + 27 + step * (shown - 1) + 12, line, str(held), theme.SMALL, theme.CREAM, 80, halo=DARK)
