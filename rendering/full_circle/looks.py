"""The other pictures of Full Circle: the cover of a lobby, and how the last round ended."""

from __future__ import annotations

from rendering.core import chrome, theme
from rendering.core.art import mirrored
from rendering.core.canvas import MOST_FILE_BYTES, Page
from rendering.core.cards import rotated
from rendering.core.chrome import crown
from rendering.core.discs import first_words, short_name
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, pixels, sprite
from rendering.full_circle.circle import STONE, STONE_LIT, corner_at, place_lead, place_rim
from rendering.full_circle.narration import last_wins
from rendering.full_circle.panes import card_face, fan, of_window, painted, quadrant
from rendering.full_circle.people import WAITING, Spot, place_figure
from rendering.full_circle.picture import place_head
from rendering.full_circle.stage import DARK, FACE, SLUG, chapel, say
from rules.full_circle.types import RoundResult
from rules.full_circle.view import FullCircleView

COVER = (600, 410, 178)
"""The middle and the radius of the window on the cover."""
FACES = ("RB", "BG", "YP", "OR")
"""The cards in a window that tells of no match: all six colours, a Full Circle."""
COVER_FAN = (("YR", 16, 122, 470), ("O", 6, 290, 440), ("W", -16, 1078, 470), ("GP", -6, 910, 440))


def _place_window(page: Page, x: int, y: int, radius: int, *, lit: bool = True) -> None:
    """Place a window that tells of no match."""
    for number, face in enumerate(FACES):
        page.place(quadrant(number, face, (face[0], face[1]), (lit, lit), radius), *corner_at(number, x, y, radius))
    place_rim(page, x, y, radius, "", full=lit)
    place_lead(page, [(face[0], face[1]) if lit else None for face in FACES], x, y, radius, full=lit)


@sprite
def window(lit: str, radius: int) -> Pixels:
    """A small window that tells of no match, in which these colours are lit: the rim shines if all are."""
    rim = of_window("rim_lit", radius, STONE_LIT) if len(lit) > len(FACES) else of_window("rim", radius, STONE)
    whole, middle = rim.layer, rim.size[0] // 2
    for number, face in enumerate(FACES):
        glass = quadrant(number, face, (face[0], face[1]), (face[0] in lit, face[1] in lit), radius)
        whole.alpha_composite(glass.layer, corner_at(number, middle, middle, radius))
    return pixels(whole)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a Full Circle and a fan of cards."""
    page = Page(SLUG, 640, chapel("bench", ""))
    _place_window(page, *COVER)
    page.place(mirrored(painted("glazier_4", 190)), 291, 440, "mb")
    page.place(painted("glazier_6", 190), 909, 440, "mb")
    for card, degrees, left, top in COVER_FAN:
        page.place(rotated(card_face(card, 316), degrees), left, top, "mm")
    chrome.place_title(page, labels, 76, FACE, DARK)
    return page


LAST_HEIGHT = 764
LAST_WINDOW = (600, 404, 232)
"""The middle and the radius of the window behind the winner."""
WINNER = Spot(600, 576, 320, 270)
LOSER = 576, 160
"""The bar's line and the width of the figures of the others."""
FAN = 112
"""The radius of a fan of glass."""
NARROW, WIDEST = 24, 120
"""The most degrees from one pane of a fan to the next, and in all."""


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """Paint how the last round ended (F15): its winner in the light of the window, and beside them the others with the
    glass that they count; None before the first round is over.
    """
    result = view.last_round
    if result is None:
        return None
    page = Page(SLUG, LAST_HEIGHT, chapel("chapel", ""), MOST_FILE_BYTES)
    winner = result.winner
    _place_window(page, *LAST_WINDOW, lit=winner is not None)
    others = [seat for seat in result.players if seat != winner]
    key = "last_without" if winner is None else "last_play_off" if result.play_off else "last_won"
    names = ("",) if winner is None else (drawable_name(labels, winner), first_words(labels, (winner,))[0])
    titles = [labels.say(f"picture.{key}", name=name, round=result.round) for name in names]
    counted = "" if result.play_off else labels.say("picture.counted" if names[0] else "picture.all_counted")
    place_head(page, view, labels, titles, [], [counted])
    for seat, spot in zip(others, _spots(len(others)), strict=True):
        held = result.hands[seat]
        glass = fan(held, FAN, min(NARROW, WIDEST / max(1, len(held) - 1)))
        page.place(glass, spot.x, spot.chest[1] - 20, "mm")
        place_figure(page, labels, seat, spot, WAITING)
        _told(page, labels, result, seat, spot)
    if winner is None:
        return page
    top = place_figure(page, labels, winner, WINNER, None)
    page.place(crown(110), WINNER.x, top + 52, "mb")
    _told(page, labels, result, winner, WINNER)
    if wins := last_wins(view):
        page.place(painted("flame", 76), WINNER.x + 120, top + 90, "mm")
        page.text(WINNER.x + 120, top + 100, str(wins), theme.SMALL, theme.INK, 60, "mm")
    return page


def _spots(others: int) -> list[Spot]:
    """Return where those stand who did not win: at both sides of the window, from the left."""
    sides = ((1, 210), (1, 990)) if others < 3 else ((2, 118), (1, 990)) if others == 3 else ((2, 118), (2, 854))
    return [
        Spot(x + 228 * number, LOSER[0], 228 if count > 1 else 380, LOSER[1])
        for count, x in sides
        for number in range(count)
    ][:others]


def _told(page: Page, labels: Labels, result: RoundResult, seat: int, spot: Spot) -> None:
    """Write a player's name, what the round changed (nothing in a play-off, F16), and the total after it."""
    won = seat == result.winner
    ink = theme.BRASS_LIGHT if won else theme.CREAM
    say(page, spot.x, spot.bar + 40, short_name(labels, seat, theme.SMALL, spot.width), spot.width, ink)
    if not result.play_off:
        change = signed(result.points[seat] - (result.bonus if won else 0))
        page.text(spot.x, spot.bar + 92, change, 58, theme.BRASS_LIGHT, spot.width, "mm", FACE, DARK)
    total = labels.count("points", result.totals[seat])
    say(page, spot.x, spot.bar + (86 if result.play_off else 146), total, spot.width, ink)
