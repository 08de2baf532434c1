"""Full Sun on the table: a trick is a row of trees, each as high as its card's number; the highest stands in the light.

An onlooker's table has a strip for each player, clockwise from the upper left, with the suits of the hand as everyone
sees them from behind. A seat's picture is its hand (hand.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PIL import Image, ImageChops

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import TrickRow, place_card, rotated, two_rows
from rendering.core.chrome import Score, Stat, place_caption, place_header, place_strip, place_title
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, at_rest, mix, sprite
from rendering.full_sun import emblems
from rendering.full_sun.art import TREES, high_sun, low_cloud, standing
from rendering.full_sun.hand import hand
from rendering.full_sun.narration import ahead, lying_trick, played, progress, shows_last_round, winners
from rendering.full_sun.pieces import (
    GOLD,
    SLUG,
    TINTS,
    VOID,
    backs_width,
    card_face,
    face_of,
    faded,
    medallion,
    name_of,
    page_of,
    place_backs,
    plinth_of,
    turning,
)
from rendering.full_sun.stage import COVER_GROUND, from_rain_to_sun
from rules.full_sun import FullSunView, Lay, TieBreak, Trick, suit_of

DIMMED = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, *chrome.COLOURS, GOLD, VOID, *TINTS.values(), *DIMMED)
"""The colours that the palettes have exactly."""

HEIGHT, STRIP = 900, 376
GROUND = 0.614
"""Where the trees of a table stand, as a part of its height."""
BAR = 54
"""The height of the bar with a hand's suits."""
CAPTION = 396
PLINTH = 112
"""The height of a card on which its tree stands."""
WIDEST = {3: 264, 4: 244, 5: 218}
"""The width of a card of the trick, by the number of players."""
TALLEST = 232
"""The height of a tree with the highest number in play, on a table; it stays below the strips."""


# The table


def _strip(
    page: Page, view: FullSunView, labels: Labels, seat: int, at: tuple[int, int], *, right: bool, low: bool
) -> None:
    """Place a seat's strip, and beside it (above it if it is `low`) what is known of its hand or of its last round."""
    x, y = at
    turn: chrome.Turn = "won" if seat in winners(view) else "turn" if seat == view.to_move else ""
    score = Score(view.points[seat], view.target)
    tokens = [chrome.token(emblems.acorn, 46)] if seat == view.dealer else []
    taken = [] if view.outcome else [_taken(view, seat)]
    place_strip(page, labels, seat, (x, y, STRIP), turn, score, taken, mirrored=right, tokens=tokens)
    line = y - BAR // 2 - 6 if low else y + chrome.STRIP_HEIGHT + BAR // 2 + 6
    if view.outcome and view.last_round:
        page.shade(x, line - BAR // 2, STRIP, BAR, BAR // 2, 2, 205, chrome.NIGHT, 0)
        _result(page, view, labels, seat, x + 16, line)
    elif any(view.backs[seat]):
        page.shade(x, line - BAR // 2, STRIP, BAR, BAR // 2, 2, 205, chrome.NIGHT, 0)
        place_backs(page, x + (STRIP - backs_width(view.backs[seat])) // 2, line, view.backs[seat])


def _taken(view: FullSunView, seat: int) -> Stat:
    """Return the tricks that a seat has won this round."""
    sign = core.sign(emblems.cards_taken, 46, theme.PAPER_EDGE, chrome.NIGHT)
    return Stat(sign, str(view.tricks_won[seat]))


def _result(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """Place the player's tree at the last round's end, the tricks won and those needed, or the point for it."""
    result = view.last_round
    assert result is not None
    page.place(medallion(result.species[seat], 46), x, y, "lm")
    scored = seat in result.scored
    key = "picture.result_exact" if scored else "picture.result"
    text = labels.say(key, tricks=result.tricks[seat], pips=result.pips[seat])
    page.text(x + 60, y, text, theme.SMALL, theme.BRASS_LIGHT if scored else theme.CREAM, STRIP - 92)


def _strips(page: Page, view: FullSunView, labels: Labels) -> None:
    top, bottom = two_rows(view.seats)
    for low, row in ((False, top), (True, bottom)):
        y = HEIGHT - theme.MARGIN - chrome.STRIP_HEIGHT if low else 92
        for number, seat in enumerate(row):
            right = number == len(row) - 1 and number > 0
            x = WIDTH - theme.MARGIN - STRIP if right else theme.MARGIN + number * (STRIP + 12)
            _strip(page, view, labels, seat, (x, y), right=right, low=low)


def _shown_trick(view: FullSunView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def direction_shown(view: FullSunView) -> bool:
    """Return the direction in which the cards laid out were played: that of the last trick until a player leads."""
    lays, over = _shown_trick(view)
    if over is None:
        return view.clockwise
    return (lays[1].seat - lays[0].seat) % view.seats == 1


def _header(page: Page, view: FullSunView, labels: Labels) -> None:
    """Write who won or, until then, round and trick, the direction of play, and the suits of the undealt cards (S1)."""
    place_header(page, "", "")
    if view.outcome:
        chrome.place_victory(page, labels, winners(view))
        return
    _, over = _shown_trick(view)
    lies = lying_trick(view, labels) if over else progress(view, labels)
    wide = page.text(theme.MARGIN + 6, chrome.HEADER_LINE, lies, 40, theme.CREAM, 480)
    page.place(turning(64, direction_shown(view)), theme.MARGIN + wide + 24, chrome.HEADER_LINE, "lm")
    if not any(view.fan):
        page.text(
            WIDTH - theme.MARGIN,
            chrome.HEADER_LINE,
            labels.say("picture.none_undealt"),
            theme.SMALL,
            theme.CREAM,
            420,
            "rm",
        )
        return
    left = WIDTH - theme.MARGIN - backs_width(view.fan)
    place_backs(page, left, chrome.HEADER_LINE, view.fan)
    page.text(left - 18, chrome.HEADER_LINE, labels.say("picture.undealt"), theme.SMALL, theme.CREAM, 270, "rm")


def _caption(view: FullSunView, labels: Labels, room: int) -> tuple[str, str, str]:
    """Return what just happened; who is to play or, at the end, took the last trick; and which cards may follow.
    `room`: the width of the caption.
    """

    def name(seat: int) -> str:
        return short_name(labels, seat, 38, 240)

    say = labels.say
    _, over = _shown_trick(view)
    next_up = say("picture.their_turn", name=name(view.to_move)) if view.to_move is not None else ""
    if view.outcome and over:
        next_up = say("picture.takes", name=name(over.winner))
    if shows_last_round(view) and view.last_round:
        told = _scored(view, labels, view.last_round.scored)
        return told, next_up if lettering.width(told, theme.SMALL) <= CAPTION - 28 else "", ""
    if over:
        return say("picture.takes", name=name(over.winner)), next_up, ""
    if view.lays:
        follow = say("picture.follow_suit", suit=say(f"suit.{view.follow}")) if view.follow else say("picture.any")
        lay = view.lays[-1]
        return played(labels, lay, name(lay.seat), room - 28), next_up, follow
    return say("picture.any"), next_up, ""


def _scored(view: FullSunView, labels: Labels, scored: Collection[int]) -> str:
    """Return who scored a point, in at most two lines of a caption."""
    say = labels.say
    if len(scored) > 3:
        others = [short_name(labels, seat, 38, 240) for seat in range(view.seats) if seat not in scored]
        return say("picture.scored_but", name=others[0]) if others else say("picture.scored_all")
    room = 2 * (CAPTION - 28) // max(2, len(scored)) - 40
    names = [short_name(labels, seat, 38, room) for seat in sorted(scored)]
    key = "no_points" if not names else "scored_one" if len(names) == 1 else "scored"
    return say(f"picture.{key}", names=labels.list(names))


def _table(view: FullSunView, labels: Labels) -> Page:
    """Paint the trick as trees in the wood, the strips in the corners, and what just happened."""
    page = page_of(view, HEIGHT, GROUND)
    _header(page, view, labels)
    _trees(page, view, labels)
    _strips(page, view, labels)
    left = STRIP + 2 * theme.MARGIN - 8
    wide = WIDTH - theme.MARGIN - left if view.seats == 3 else CAPTION
    top = HEIGHT - chrome.CAPTION_TALL - 4
    place_caption(page, left, top, wide, *_caption(view, labels, wide), height=chrome.CAPTION_TALL)
    return page


def _trees(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place the trick in the order played, and the places of those who are to play."""
    lays, over = _shown_trick(view)
    first, way = lays[0].seat if lays else view.leader, 1 if direction_shown(view) else -1
    order = [(first + way * place) % view.seats for place in range(view.seats)]
    _row(page, view, labels, lays, order, round(page.height * GROUND), running=over is None,
         old=over is not None and not view.outcome, crowned=not view.outcome)  # fmt: skip


def _row(
    page: Page, view: FullSunView, labels: Labels, lays: Sequence[Lay], order: Sequence[int], foot: int, *,
    running: bool, old: bool = False, crowned: bool = True,
) -> None:  # fmt: skip
    """Place a row of trees, each as high as its card's number, on their cards; the highest in the light, with a crown
    unless the match has one (`crowned`). `foot`: the line on which they stand. `running`: the trick goes on. `old`: the
    next one is to begin, so the cards are pale.
    """
    row = TrickRow(len(order), (WIDEST[len(order)], PLINTH), gap=14)
    best = ahead(view, lays)
    for place, lay in enumerate(lays):
        middle, tall = row.lefts[place] + row.width / 2, height_of(view, lay)
        if place == best:
            page.place(_shaft(foot - 84), middle, foot + 6, "mb")
        if suit_of(lay.card) in TREES:
            page.place(standing(suit_of(lay.card), tall, round(row.width * 0.84)), middle, foot + 10, "mb")
        else:  # as high over the ground as its number
            weather = high_sun(152) if lay.card == "Sun" else low_cloud(152)
            page.place(weather, middle, foot - max(tall - 66, 70), "mm")
        if place == best and crowned:
            page.place(chrome.crown(92), middle, foot - tall + 14, "mb")
    for place, seat in enumerate(order):
        left = row.lefts[place]
        if place < len(lays):
            card = lays[place].card
            plinth = plinth_of(view, card, (row.width, row.height))
            place_card(page, faded(plinth) if old else plinth, left, foot)
        else:
            chrome.place_slot(page, left, foot, row.width, row.height, turn=running and place == len(lays))
        if running and place == len(lays) - 1:
            chrome.place_last(page, left, foot, row.width, row.height)
        page.place(disc(labels, seat, 60), left + row.width / 2, foot + row.height + 16, "mm")


@sprite
def _shaft(height: int) -> Pixels:
    """The light that falls on the highest tree."""
    pen = Pen(240, height)
    pen.polygon([(84, 0), (156, 0), (238, height), (2, height)], LIT)
    drawn = pen.pixels()
    rows = Image.linear_gradient("L").resize((1, height)).point([round(0.68 * value) for value in range(256)])
    return Pixels(drawn.image, ImageChops.multiply(drawn.alpha, rows.resize(drawn.alpha.size)))


LIT: Colour = (255, 250, 220)
"""The colour of the light on the highest tree."""


def height_of(view: FullSunView, lay: Lay) -> int:
    """Return how high a card's tree stands."""
    return 74 + min(view.face(lay.card).number, view.highest + 1) * (TALLEST - 74) // (view.highest + 1)


def _finale(view: FullSunView, labels: Labels) -> Page:
    """Paint the end of a match that a tie-break decided: each contender's best trick (S7)."""
    height, top, gap = HEIGHT if len(view.tie_breaks) < 5 else 1000, 164, 12
    page = page_of(view._replace(lays=()), height, 0.5)
    page.shade(-20, 84, WIDTH + 40, 72, 20, 10, 190, chrome.NIGHT, 0)
    place_header(page, "", "")
    chrome.place_victory(page, labels, winners(view))
    page.text(theme.MARGIN + 6, 118, labels.say("picture.tie_break"), theme.SMALL, theme.CREAM, 1150)
    tall = (height - top - theme.MARGIN + gap) // len(view.tie_breaks) - gap
    for number, tie_break in enumerate(view.tie_breaks):
        _contender(page, view, labels, tie_break, (top + (tall + gap) * number, tall))
    return page


WON: Colour = mix(theme.BRASS_DARK, theme.INK, 0.5)
"""The ground of the winner's row."""


def _contender(page: Page, view: FullSunView, labels: Labels, tie_break: TieBreak, row: tuple[int, int]) -> None:
    """Place a row of the tie-break: the player and their tree, the trick with its counting cards, and their number.
    `row`: its upper edge and its height.
    """
    wins = tie_break.seat in winners(view)
    y, tall = row
    x, width, middle = theme.MARGIN, WIDTH - 2 * theme.MARGIN, y + tall // 2
    page.shade(x, y, width, tall, 28, 2, 225 if wins else 140, WON if wins else chrome.NIGHT, 0)
    low = tall >= 190
    strip = middle - (chrome.STRIP_HEIGHT + 88) // 2 if low else middle - chrome.STRIP_HEIGHT // 2
    score = Score(view.points[tie_break.seat], view.target)
    place_strip(page, labels, tie_break.seat, (x + 8, strip, 336), "won" if wins else "", score)
    if low:
        line = strip + chrome.STRIP_HEIGHT + 46
        said = labels.say(f"suit.{tie_break.species}")
        if tie_break.species == "W":
            said = labels.say("picture.no_tree", card=said)
        page.text(x + 28, line, said, 40, theme.CREAM, 330)
    right = x + width - 20
    page.place(medallion(tie_break.species, 92), right, middle, "rm")
    page.text(right - 106, middle, str(tie_break.cards), 96, theme.BRASS_LIGHT, 90, "rm", lettering.DISPLAY)
    high = min(tall - 40, 250)
    wide, start = high * 5 // 7, x + 366
    room = WIDTH - theme.MARGIN - 210 - start
    step = min(wide + 8, (room - wide) // (view.seats - 1))
    if tie_break.trick is None:
        told, small = labels.say("picture.no_trick"), high - 76
        page.text(start, middle - (small // 2 + 10 if low else 0), told, 40, theme.CREAM, room)
        wide = min(small * 5 // 7, room // view.seats - 12)
        for place in range(view.seats if low else 0):
            chrome.place_slot(page, start + place * (wide + 12), middle - small // 2 + 38, wide, small)
        return
    for place, lay in enumerate(tie_break.trick.lays):
        face, counts = face_of(view, labels, lay.card, (wide, high)), suit_of(lay.card) == tie_break.species
        top = middle - high // 2 + (-8 if counts else 8)
        place_card(page, face if counts else faded(face), start + place * step, top)


# The pictures


def paint(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    if view.tie_breaks:
        return _finale(view, labels)
    return hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the wood: four trees, each higher than the one before, from the rain into full sun."""
    page = Page(f"{SLUG}_Sun", 640, from_rain_to_sun)
    foot = round(640 * COVER_GROUND)
    for place, (suit, tall, wide) in enumerate((("B", 132, 176), ("R", 196, 206), ("S", 262, 216), ("L", 322, 196))):
        page.place(standing(suit, tall, wide), 268 + place * 226, foot + (22, 12, 8, 14)[place], "mb")
    for x, card, number, pips, angle in ((116, "Rain", 0, 0, 9), (1084, "Sun", 18, 5, -9)):
        turned = rotated(card_face(card, name_of(labels, card), number, pips, 320, 448), angle)
        page.shade(x - 70, 390, 140, 200, 16, 12, 130)
        page.place(turned, x, 488, "mm")
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 90)
    return page


def paint_last(view: FullSunView, labels: Labels) -> Page | None:
    """Paint the last complete trick (S9)."""
    trick = view.last_trick
    if trick is None:
        return None
    shown = view._replace(lays=trick.lays)
    page = page_of(shown, 640, 0.66)
    place_header(page, labels.say("picture.last_taken", name=short_name(labels, trick.winner, 44, 560)), "")
    order = [lay.seat for lay in trick.lays]
    _row(page, shown, labels, trick.lays, order, round(640 * 0.66) + 20, running=False)
    return page
