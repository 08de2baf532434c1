"""Full Sun on the table: a forest in evening light, leaves for suits, and a path that shows which way play goes.

An onlooker's table has a plate for each player, clockwise from the upper left, with the backs of the hand; the card
that the player laid is in front of it, and the undealt fan lies in the middle. A seat's picture is its hand, with the
trick in play order above it, the suit to follow, and what each possible last card would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card, place_count, place_plate, place_tag, plate, rotated, two_rows
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.sprites import at_rest, mix
from rendering.full_sun import emblems
from rendering.full_sun.hand import hand
from rendering.full_sun.narration import highest, progress, shows_last_round, winners
from rendering.full_sun.pieces import (
    BACK,
    FOREST,
    LAID,
    MEDAL,
    PATH,
    PLATE,
    SKY,
    SLUG,
    TINTS,
    arrow,
    card_back,
    card_face,
    face_of,
    faded,
    forest,
    medallion,
    name_of,
    path,
    place_of,
    slot,
)
from rules.full_sun import SUITS, Backs, FullSunView, Lay, TieBreak, Trick, suit_of

GLOWS = theme.glows(mix(FOREST, (0, 0, 0), 0.2))
DIMMED = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, *SKY, PATH, PLATE.face, PLATE.soft, MEDAL, *TINTS.values(), *DIMMED, *GLOWS)
"""The colours that the palette has exactly."""

TALL, SHORT = 242, 146
"""Height of a player's plate: with the backs of its hand, and without them when the match is over."""


# The table


def _suits(page: Page, x: int, y: int, width: int, backs: Backs, lit: bool = True) -> None:
    """Place card backs in a heap for each suit, side by side within that width."""
    step = width / len(SUITS)
    for place, (suit, cards) in enumerate(zip(SUITS, backs, strict=True)):
        left = round(x + place * step)
        if cards > 1 and step > BACK[0] + 8:
            page.place(card_back(suit, cards, lit), left + 7, y)
        page.place(card_back(suit, cards, lit), left, y)


def _plate(page: Page, view: FullSunView, labels: Labels, seat: int, box: tuple[int, int, int]) -> None:
    """Place a player's plate; the box is x, y, width. It has name, dealer's acorn, points, tricks, the hand's backs."""
    x, y, width = box
    height = _plate_height(view)
    lit = seat in winners(view) if view.outcome else seat == view.to_move
    place_plate(page, (x, y, width, height), PLATE, lit)
    page.place(core.medal(84, str(view.points[seat]), face=MEDAL), x + width - 12, y + 52, "rm")
    left, room = x + 18, width - 36 - 84
    if seat == view.dealer:
        page.place(core.sign(emblems.acorn, 44, theme.BRASS_LIGHT, PLATE.face), left - 2, y + 38, "lm")
        left, room = left + 50, room - 50
    page.text(left, y + 40, drawable_name(labels, seat), theme.BODY, PLATE.text, room)
    if shows_last_round(view):
        _result(page, view, labels, seat, x + 16, y + 100)
    else:
        taken = core.sign(emblems.cards_taken, 52, theme.BRASS_LIGHT, PLATE.face)
        at = place_count(page, x + 14, y + 100, taken, str(view.tricks_won[seat]), theme.BODY, PLATE.text)
        cards = core.sign(core.hand, 44, theme.PAPER, PLATE.face)
        place_count(page, at + 26, y + 98, cards, str(sum(view.backs[seat])), theme.BODY, PLATE.soft)
    if not view.outcome:
        _suits(page, x + 16, y + height - BACK[1] - 16, width - 30, view.backs[seat])


def _plate_height(view: FullSunView) -> int:
    """Return the height of plates. Cards laid aside at the end do not count, so plates do not show them."""
    return SHORT if view.outcome else TALL


def _result(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """Place the player's tree at the last round's end, the tricks won out of those needed, and the point for it."""
    result = view.last_round
    assert result is not None
    page.place(medallion(result.species[seat], 62), x, y, "lm")
    text = labels.say("picture.result", tricks=result.tricks[seat], pips=result.pips[seat])
    wide = page.text(x + 74, y, text, theme.SMALL + 2, PLATE.text)
    if seat in result.scored:
        place_tag(page, x + 74 + wide + 44, y, "+1", 62, theme.GOOD, theme.CREAM)


def _shown_trick(view: FullSunView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def _place_lays(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """Place the player's card in the trick, or the empty place for one; x is the middle."""
    lays, over = _shown_trick(view)
    width, height = LAID
    left = x - width // 2
    for number, lay in enumerate(lays, 1):
        if lay.seat != seat:
            continue
        face = face_of(view, labels, lay.card, LAID)
        glow = theme.BRASS_LIGHT if over is None and number == len(lays) else None
        place_card(page, faded(face) if over else face, left, y, glow)
        page.place(core.numbered_disc(48, str(number)), left + width - 12, y + 16, "mm")
        if over and over.winner == seat:
            place_tag(page, x, y + height + 4, labels.say("picture.took"), 150)
        elif not over and len(lays) > 1 and lay == highest(view):
            place_tag(page, x, y + height + 4, labels.say("picture.highest"), 150)
        return
    page.place(slot(width, height), left, y)


def _path(page: Page, view: FullSunView, rows: Sequence[Sequence[int]], top: int, bottom: int) -> None:
    """Place the ring through the cards' middles, with arrows in the direction of play (S4)."""
    left, right = 84, WIDTH - 84
    page.place(path(right - left + 30, bottom - top + 30), left - 15, top - 15)
    turned = 0 if direction_shown(view) else 180
    for row, (y, angle) in zip(rows, ((top, 0), (bottom, 180)), strict=True):
        stops = [left, *_centres(len(row)), right]
        for a, b in pairwise(stops):
            if b - a > 200:
                page.place(arrow(60, (angle + turned) % 360), (a + b) / 2, y, "mm")
    for x, angle in ((left, 270), (right, 90)):
        page.place(arrow(60, (angle + turned) % 360), x, (top + bottom) / 2, "mm")


def direction_shown(view: FullSunView) -> bool:
    """Return the direction in which the cards laid out were played: that of the last trick until a player leads."""
    lays, over = _shown_trick(view)
    if over is None:
        return view.clockwise
    return (lays[1].seat - lays[0].seat) % view.seats == 1


def _centres(columns: int) -> list[int]:
    """The middles of a row's plates."""
    return [round(WIDTH / columns * (i + 0.5)) for i in range(columns)]


def _heading(page: Page, view: FullSunView, labels: Labels) -> None:
    y = 40
    page.place(core.medal(62, str(view.target), face=MEDAL), WIDTH - theme.MARGIN, y, "rm")
    wide = page.text(WIDTH - theme.MARGIN - 72, y, labels.say("picture.target"), theme.BODY, PLATE.soft, 240, "rm")
    room = WIDTH - 2 * theme.MARGIN - 72 - wide - 24
    page.text(theme.MARGIN, y, progress(view, labels), theme.BODY, theme.CREAM, room)


def _plates(page: Page, view: FullSunView, labels: Labels, tops: tuple[int, int]) -> None:
    """Place the plates of both rows, with labels for the turn or the win; `tops` are the rows' upper edges."""
    rows = two_rows(view.seats)
    width = min(560, (WIDTH - 2 * theme.MARGIN - (len(rows[0]) - 1) * theme.GAP) // len(rows[0]))
    for below, (row, y) in enumerate(zip(rows, tops, strict=True)):
        for seat, centre in zip(row, _centres(len(row)), strict=True):
            _plate(page, view, labels, seat, (centre - width // 2, y, width))
            edge = y - 4 if below else y + _plate_height(view) + 10
            if seat in winners(view):
                place_tag(page, centre, edge, labels.say("picture.wins"), 170)
            elif seat == view.to_move:
                place_tag(page, centre, edge, labels.say("picture.to_play"), 170)


def _table(view: FullSunView, labels: Labels) -> Page:
    """The table from above: plates at the edges, cards on the ring before them, the undealt fan in the middle."""
    head, gap, middle = 78, 56, 148
    card = LAID[1]
    top = head + _plate_height(view) + gap
    bottom = top + card + middle
    page = Page(SLUG, bottom + card + gap + _plate_height(view) + 28, forest)
    _heading(page, view, labels)
    rows = two_rows(view.seats)
    _path(page, view, rows, top + card // 2, bottom + card // 2)
    for row, y in zip(rows, (top, bottom), strict=True):
        for seat, centre in zip(row, _centres(len(row)), strict=True):
            _place_lays(page, view, labels, seat, centre, y)
    _plates(page, view, labels, (head, bottom + card + gap))
    _fan(page, view, labels, top + card + middle // 2)
    return page


def _fan(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """Place the backs of the undealt cards (S1)."""
    if not any(view.fan):
        page.text(600, y, labels.say("picture.none_undealt"), theme.BODY, PLATE.soft, 700, "mm")
        return
    page.text(431, y, labels.say("picture.undealt"), theme.BODY, PLATE.soft, 300, "rm")
    _suits(page, 459, y - BACK[1] // 2, 470, view.fan, lit=False)


def _finale(view: FullSunView, labels: Labels) -> Page:
    """Paint the end of a match that a tie-break decided: the plates, and each contender's best trick (S7)."""
    head, row = 78, 204
    second = head + SHORT + 46
    start = second + SHORT + 86
    page = Page(SLUG, start + row * len(view.tie_breaks) + 14, forest)
    _heading(page, view, labels)
    _plates(page, view, labels, (head, second))
    page.text(theme.MARGIN, start - 38, labels.say("picture.tie_break"), theme.BODY, theme.CREAM, 1150)
    for number, tie_break in enumerate(view.tie_breaks):
        _contender(page, view, labels, tie_break, start + row * number)
    return page


def _contender(page: Page, view: FullSunView, labels: Labels, tie_break: TieBreak, y: int) -> None:
    """Place a row of the tie-break: name and species, the trick with its counting cards lit, and their number."""
    wins = tie_break.seat in winners(view)
    x, width, height = theme.MARGIN, WIDTH - 2 * theme.MARGIN, 192
    page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, PLATE, wins), x, y)
    page.text(x + 20, y + 50, drawable_name(labels, tie_break.seat), theme.BODY, PLATE.text, 300)
    page.place(medallion(tie_break.species, 96), x + 20, y + 128, "lm")
    page.text(x + 128, y + 128, labels.say(f"suit.{tie_break.species}"), theme.SMALL, PLATE.soft, 200)
    page.place(core.medal(104, str(tie_break.cards), face=MEDAL), x + width - 18, y + height / 2 - 2, "rm")
    if tie_break.trick is None:
        page.text(x + 350, y + height / 2, labels.say("picture.no_trick"), theme.BODY, PLATE.soft, 600)
        return
    size = (114, 160)
    for place, lay in enumerate(tie_break.trick.lays):
        face, counts = face_of(view, labels, lay.card, size), suit_of(lay.card) == tie_break.species
        glow = theme.BRASS_LIGHT if counts else None
        place_card(page, face if counts else faded(face), x + 350 + place * 132, y + 14, glow)


# The pictures


def paint(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    if view.tie_breaks:
        return _finale(view, labels)
    return hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a fan of the four trees and the weather."""
    page = Page(SLUG, 640, forest)
    cards = (("Rain", 0, 0), ("B7", 7, 1), ("R11", 11, 2), ("S14", 14, 3), ("L17", 17, 4), ("Sun", 18, 5))
    for place, (card, number, pips) in enumerate(cards):
        turned = rotated(card_face(card, name_of(labels, card), number, pips, 392, 552), 17.5 - 7 * place)
        page.place(turned, 600 + (place - 2.5) * 152, 412 + (34, 12, 0, 0, 12, 34)[place], "mm")
    page.text(600, 108, labels.say("game.title"), 124, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 206, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def paint_last(view: FullSunView, labels: Labels) -> Page | None:
    """Paint the last complete trick (S9)."""
    trick = view.last_trick
    if trick is None:
        return None
    y = 126
    page = Page(SLUG, y + LAID[1] + 76, forest)
    name = lettering.shorten(drawable_name(labels, trick.winner), theme.HEADING, 560)
    title = labels.say("picture.last_taken", name=name)
    page.text(theme.MARGIN + 4, 62, title, theme.HEADING, theme.CREAM, 1140)
    for place, lay in enumerate(trick.lays):
        x = place_of(page, view.seats, place, y)
        wins = lay.seat == trick.winner
        place_card(page, face_of(view, labels, lay.card, LAID), x, y, theme.BRASS_LIGHT if wins else None)
        colour = theme.BRASS_LIGHT if wins else theme.CREAM
        page.text(x + LAID[0] / 2, y + LAID[1] + 36, drawable_name(labels, lay.seat), theme.SMALL, colour, 212, "mm")
    return page
