"""The other pictures of Full Circle: the cover of a lobby, and how the last round was counted."""

from __future__ import annotations

from rendering.core import chrome, theme
from rendering.core.art import aglow, mirrored, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import rotated
from rendering.core.chrome import crown
from rendering.core.discs import disc, first_fit, first_words, short_name
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels
from rendering.full_circle.circle import place_lead, place_rim
from rendering.full_circle.narration import last_wins
from rendering.full_circle.panes import card_face, painted, quadrant
from rendering.full_circle.people import CHEST, FIGURE, SHADE, glazier
from rendering.full_circle.stage import DARK, FACE, SLUG, chapel, dark, say
from rules.full_circle import FullCircleView

COVER = (600, 410, 178)
"""The middle and the radius of the window on the cover."""
COVER_FACES = ("RB", "BG", "YP", "OR")
"""The cards in it: all six colours, a Full Circle."""
COVER_FAN = (("YR", 16, 122, 470), ("O", 6, 290, 440), ("W", -16, 1078, 470), ("GP", -6, 910, 440))


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a Full Circle and a fan of cards."""
    x, y, radius = COVER
    page = Page(SLUG, 640, chapel("bench", ""))
    for number, face in enumerate(COVER_FACES):
        at = (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)
        page.place(quadrant(number, face, (face[0], face[1]), (True, True), radius), *at)
    place_rim(page, x, y, radius, "", full=True)
    place_lead(page, [(face[0], face[1]) for face in COVER_FACES], x, y, radius, full=True)
    page.place(mirrored(painted("glazier_4", 190)), 291, 440, "mb")
    page.place(painted("glazier_6", 190), 909, 440, "mb")
    for card, degrees, left, top in COVER_FAN:
        page.place(rotated(card_face(card, 316), degrees), left, top, "mm")
    chrome.place_title(page, labels.say("game.title"), labels.say("game.tagline"), 74, FACE, DARK)
    return page


LAST_HEIGHT = 764
LAST_BAR = 588
"""The line of the bars on which the glaziers stand."""
COUNTED_TOP = 142
"""The upper edge of the cards that are counted."""
COUNTED = ((110, 3), (80, 3), (64, 4))
"""The radii of such cards, and the most that lie in a row."""


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """Paint the last round with its counted cards (F15); None before the first round is over."""
    result = view.last_round
    if result is None:
        return None
    page = Page(SLUG, LAST_HEIGHT, dark)
    key = "last_without" if result.winner is None else "last_play_off" if result.play_off else "last_won"
    winner = 0 if result.winner is None else result.winner
    names = (drawable_name(labels, winner), first_words(labels, (winner,))[0])
    titles = [labels.say(f"picture.{key}", name=name, round=result.round) for name in names]
    chrome.place_head(page, titles, [labels.say("picture.target", target=view.target)], face=FACE, dark=DARK)
    wide = WIDTH // len(result.players)
    for number, seat in enumerate(result.players):
        _counted(page, view, labels, seat, (wide * number + wide // 2, wide))
    return page


def _counted(page: Page, view: FullCircleView, labels: Labels, seat: int, column: tuple[int, int]) -> None:
    """Place a player's column: the cards left, what they count (nothing in a play-off, F16), the total after that."""
    result = view.last_round
    assert result is not None
    (x, wide), won = column, seat == result.winner
    figure, ink = glazier(labels, seat, 170), theme.BRASS_LIGHT if won else theme.CREAM
    if won:
        page.place(aglow(figure, 10, (255, 206, 116), 1.2), x, LAST_BAR + 24, "mb")
    page.place(figure if won else toned(figure, SHADE), x, LAST_BAR + 4, "mb")
    page.place(disc(labels, seat, 74), x, LAST_BAR - round(CHEST * 170 / FIGURE[0]), "mm")
    page.place(painted("bar", min(wide - 20, 260)), x, LAST_BAR, "mm")
    if won:
        page.place(crown(76), x, LAST_BAR - 160, "mb")
        wins = last_wins(view)
        texts = [labels.say("picture.in_a_row", wins=wins)] if wins else []
        said = first_fit([*texts, labels.say("picture.out")], theme.SMALL, wide - 8)
        say(page, x, COUNTED_TOP + 120, said, wide, ink)
        if wins:
            page.place(painted("flame", 76), x, COUNTED_TOP + 50, "mm")
            page.text(x, COUNTED_TOP + 60, str(wins), theme.SMALL, theme.INK, 60, "mm")
    else:
        _cards(page, labels, result.hands[seat], x, wide)
    say(page, x, LAST_BAR + 40, short_name(labels, seat, theme.SMALL, wide - 12), wide, ink)
    if not result.play_off:
        points = signed(result.points[seat] - (result.bonus if won else 0))
        page.text(x, LAST_BAR + 92, points, 58, theme.BRASS_LIGHT, wide, "mm", FACE, DARK)
    say(page, x, LAST_BAR + 146, labels.count("points", result.totals[seat]), wide)


def _cards(page: Page, labels: Labels, cards: tuple[str, ...], x: int, wide: int) -> None:
    """Place the cards that a player counts, as large as there is room for; too many are told in words."""
    room = LAST_BAR - 170 - COUNTED_TOP
    for radius, most in COUNTED:
        in_row = min(most, int((wide - 12 - radius * 1.42) / (1.2 * radius)) + 1)
        rows = -(-len(cards) // in_row)
        if radius + 0.58 * radius * (rows - 1) <= room:
            step = min(radius * 1.5, (wide - 12 - radius * 1.42) / max(1, in_row - 1))
            top = COUNTED_TOP + (room - radius * (1 + 0.58 * (rows - 1))) / 2
            for number, card in enumerate(cards):
                row, column = divmod(number, in_row)
                count = min(in_row, len(cards) - row * in_row)
                left, foot = x + step * (column - (count - 1) / 2), top + radius * (1 + 0.58 * row) + 5
                page.place(card_face(card, radius), left, foot, "mb")
            return
    say(page, x, COUNTED_TOP + room / 2, labels.count("cards", len(cards)), wide)
