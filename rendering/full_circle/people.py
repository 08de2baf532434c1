"""The players as glaziers on bars of lead, each with the roundel of their seat; below: cards, name and score."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rendering.core import lettering, theme
from rendering.core.art import aglow, mirrored, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import crown
from rendering.core.discs import disc, first_words, short_name
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.sprites import Colour
from rendering.full_circle.narration import leader, streak
from rendering.full_circle.panes import card_face, painted
from rendering.full_circle.stage import DARK
from rules.full_circle.view import FullCircleView

FIGURE, SMALL = 224, 194
"""The widths of figures in their files, for the table and for a hand."""
CHEST = 0.33
"""How far above its foot the middle of the roundel lies that it holds, in widths."""
WAITING: Colour = (210, 196, 208)
"""The shade of the glaziers who are not to move: cool, and all see who they are."""
OUT: Colour = (136, 130, 168)
"""The shade of those who sit out."""
SLIP, CLOSE, MOST_SLIPS = 27, 9, 7
"""The width of a slip of glass, the least pixels from one to the next and between names, and the most of them."""
APART, SPILL = 14, 20
"""Pixels between what is written of neighbours, and those beside the window that a long name may take."""
OPEN = 62
"""The radius of an open last card."""
NAME, SCORE, POINTS = 86, 130, 45
"""Pixels from the bar to the name and to the score, and the size of the score."""


class Spot(NamedTuple):
    """Where a player stands: the middle, the bar's line, the width of the column, and the width of the figure."""

    x: int
    bar: int
    width: int
    figure: int

    @property
    def chest(self) -> tuple[int, int]:
        """The middle of the roundel."""
        return self.x, round(self.bar - CHEST * self.figure)


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


def place_figure(page: Page, labels: Labels, seat: int, spot: Spot, tone: Colour | None) -> int:
    """Place a glazier with the roundel on a bar of lead, in that shade or, without one, in warm light. Return the line
    of the hat.
    """
    figure = painted(f"{'small_' if spot.figure <= SMALL else ''}glazier_{labels.disc(seat) % 8}", spot.figure)
    if (spot.x < WIDTH / 2) == (labels.disc(seat) % 2 == 0):  # so that all hold their tools outwards
        figure = mirrored(figure)
    foot = spot.bar + 4
    if tone is None:
        page.place(aglow(figure, 8, (255, 206, 116), 1.7), spot.x, foot + 16, "mb")
    page.place(toned(figure, tone) if tone else figure, spot.x, foot, "mb")
    page.place(disc(labels, seat, round(0.43 * spot.figure)), *spot.chest, "mm")
    page.place(painted("bar", min(spot.width - 6, 260)), spot.x, spot.bar, "mm")
    return foot - figure.size[1]


def names(view: FullCircleView, labels: Labels, spots: Sequence[Spot]) -> list[tuple[float, str, int]]:
    """Return the middle of each name, as much of it as there is room for, and that room. Of two players at one side of
    the window a long name takes what the other leaves; if both are long, their letters are narrower.
    """
    you = [labels.say("picture.you") if seat == view.viewer else "" for seat in range(view.seats)]
    found = [
        (float(spot.x), you[seat] or short_name(labels, seat, theme.SMALL, spot.width - CLOSE), WIDTH)
        for seat, spot in enumerate(spots)
    ]
    for first, second in pairwise(range(len(spots))):
        a, b = spots[first], spots[second]
        inside = SPILL if b.x < WIDTH / 2 else 0
        left, right = a.x - a.width / 2 + inside - SPILL, b.x + b.width / 2 + inside
        words = [you[seat] or first_words(labels, (seat,))[0] for seat in (first, second)]
        one, two = (lettering.width(word, theme.SMALL) / 2 for word in words)
        cut = any(lettering.ELLIPSIS in found[seat][1] for seat in (first, second))
        if (a.x < WIDTH / 2) == (b.x < WIDTH / 2) and cut and left + 2 * one + CLOSE + 2 * two <= right:
            x = max(left + one, min(a.x, min(b.x, right - two) - two - APART - one))
            found[first] = x, words[0], WIDTH
            found[second] = max(min(b.x, right - two), x + one + CLOSE + two), words[1], WIDTH
    for seat, (x, name, _) in enumerate(found):
        if lettering.ELLIPSIS in name:
            room = spots[seat].width - CLOSE
            found[seat] = x, short_name(labels, seat, theme.SMALL, round(room / theme.SQUEEZED)), room
    return found


def place_player(
    page: Page, view: FullCircleView, labels: Labels, seat: int, spot: Spot, name: tuple[float, str, int]
) -> None:
    """Place a player: the figure, in warm light if it is their turn, how many cards they hold, their name, their score.
    Who has the fewest points wears the crown.
    """
    plays, won = seat in view.players, seat in winners(view)
    lit, ahead = won or (seat == view.to_move and plays), won or seat == leader(view)
    top = place_figure(page, labels, seat, spot, None if lit else WAITING if plays else OUT)
    if ahead:
        page.place(crown(68), spot.x, top + round(0.2 * spot.figure), "mb")
    if wins := streak(view, seat):
        x = spot.x + (-1 if spot.x < WIDTH / 2 else 1) * round(0.36 * spot.figure)
        page.place(painted("flame", 62), x, top + 50, "mm")
        page.text(x, top + 58, str(wins), theme.SMALL, theme.INK, 60, "mm")
    _place_held(page, view, labels, seat, spot)
    middle, said, room = name
    ink = theme.BRASS_LIGHT if lit else theme.CREAM
    page.text(middle, spot.bar + NAME, said, theme.SMALL, ink, room, "mm", halo=DARK, squeezed=theme.SQUEEZED)
    points = [labels.count("points", total) for total in view.totals]
    size = min(lettering.fitting(said, POINTS, theme.SMALL, spot.width - APART) for said in points)
    ink = theme.BRASS_LIGHT if ahead else theme.CREAM
    page.text(spot.x, spot.bar + SCORE, points[seat], size, ink, spot.width, "mm", halo=DARK)
    page.name("total", 2, target=view.target)


def _place_held(page: Page, view: FullCircleView, labels: Labels, seat: int, spot: Spot) -> None:
    """Say how many cards a player holds, beside slips of clear glass or the open last card."""
    line, held = spot.bar + 38, view.hand_sizes[seat]
    said = labels.count("cards", held) if seat in view.players else labels.say("picture.watches")
    wide = min(spot.width, lettering.width(said, theme.SMALL))
    card = view.open_cards[seat]
    if card is not None:
        face = card_face(card, OPEN)
        left = spot.x - (face.size[0] + 6 + wide) / 2
        page.place(face, left, spot.bar + 3, "lt")
        reach = face.size[0]
    else:
        room = min(spot.width, 236) - wide - APART - 8
        shown = min(held, MOST_SLIPS, max(0, room - SLIP + CLOSE) // CLOSE) if seat in view.players else 0
        step = min(SLIP - 1, (room - SLIP) // max(1, shown - 1))
        reach = SLIP + step * (shown - 1) if shown else -6
        left = spot.x - (reach + 6 + wide) / 2
        for number in range(shown):
            page.place(painted("slip", SLIP), left + step * number, line, "lm")
    page.text(min(left + reach + 6, WIDTH - wide - 8), line, said, theme.SMALL, theme.CREAM, spot.width, halo=DARK)
    if seat != view.viewer and card is None:
        page.name("cards", shown + 2)
