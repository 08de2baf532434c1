"""Full Sun on the table: a trick is a row of trees, each as high as its card's number; the highest stands in the light.

An onlooker's table has a strip for each player, clockwise from the upper left, with the suits of the hand as everyone
sees them from behind. A seat's picture is its hand (hand.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card, rotated, two_rows
from rendering.core.chrome import Score, place_caption, place_header, place_strip, place_title
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import at_rest
from rendering.full_sun import emblems
from rendering.full_sun.art import TREES, standing
from rendering.full_sun.hand import hand
from rendering.full_sun.narration import ahead, progress, shows_last_round, winners
from rendering.full_sun.pieces import (
    BACK_STEP,
    GOLD,
    LAID,
    SLUG,
    TINTS,
    VOID,
    card_face,
    face_of,
    faded,
    medallion,
    name_of,
    page_of,
    place_backs,
    slot,
    turning,
)
from rendering.full_sun.stage import scene
from rules.full_sun import FullSunView, Lay, TieBreak, Trick, suit_of

DIMMED = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, *chrome.COLOURS, GOLD, VOID, *TINTS.values(), *DIMMED)
"""The colours that the palettes have exactly."""

HEIGHT, STRIP = 900, 376
GROUND = 0.545
"""Where the trees of a table stand, as a part of its height."""
BAR = 48
"""The height of the bar with a hand's suits."""
CAPTION = 396
CROWN_OF_TREE = 148
"""The width of a tree's crown on the stage."""


# The table


def _strip(
    page: Page, view: FullSunView, labels: Labels, seat: int, at: tuple[int, int], *, right: bool, low: bool
) -> None:
    """Place a seat's strip, and beside it (above it if it is `low`) what is known of its hand or of its last round."""
    x, y = at
    turn: chrome.Turn = "won" if seat in winners(view) else "turn" if seat == view.to_move else ""
    score = Score(view.points[seat], view.target)
    tokens = [chrome.token(emblems.acorn, 46)] if seat == view.dealer else []
    place_strip(page, labels, seat, (x, y, STRIP), turn, score, (), mirrored=right, tokens=tokens)
    line = y - BAR // 2 - 6 if low else y + chrome.STRIP_HEIGHT + BAR // 2 + 6
    page.shade(x, line - BAR // 2, STRIP, BAR, BAR // 2, 2, 205, chrome.NIGHT, 0)
    if view.outcome and view.last_round:
        _result(page, view, labels, seat, x + 16, line)
        return
    page.place(core.sign(emblems.cards_taken, 42, theme.BRASS_LIGHT, chrome.NIGHT), x + 12, line, "lm")
    page.text(x + 58, line, str(view.tricks_won[seat]), theme.SMALL, theme.BRASS_LIGHT, 40)
    place_backs(page, x + STRIP - 5 * BACK_STEP - 8, line, view.backs[seat])


def _result(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """Place the player's tree at the last round's end, the tricks won out of those needed, and the point for it."""
    result = view.last_round
    assert result is not None
    page.place(medallion(result.species[seat], 46), x, y, "lm")
    text = labels.say("picture.result", tricks=result.tricks[seat], pips=result.pips[seat])
    wide = page.text(x + 60, y, text, theme.SMALL, theme.CREAM, 220)
    if seat in result.scored:
        page.text(x + 60 + wide + 20, y, labels.say("picture.point"), theme.SMALL, theme.BRASS_LIGHT, 190)


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
    """Write round and trick, the direction of play, and the suits of the undealt cards (S1)."""
    place_header(page, "", "")
    wide = page.text(theme.MARGIN + 6, chrome.HEADER_LINE, progress(view, labels), 40, theme.CREAM, 480)
    if not view.outcome:
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
    left = WIDTH - theme.MARGIN - 5 * BACK_STEP
    place_backs(page, left, chrome.HEADER_LINE, view.fan)
    page.text(left - 18, chrome.HEADER_LINE, labels.say("picture.undealt"), theme.SMALL, theme.CREAM, 270, "rm")


def _caption(view: FullSunView, labels: Labels) -> tuple[str, str]:
    """Return what just happened, or what is to follow, and who is to play."""

    def name(seat: int) -> str:
        return short_name(labels, seat, 38, 240)

    say = labels.say
    _, over = _shown_trick(view)
    if view.outcome:
        won = [name(seat) for seat in sorted(winners(view))]
        taken = say("picture.takes", name=name(over.winner)) if over else ""
        return f"{labels.list(won)} {say('picture.wins')}" if len(won) == 1 else say("picture.share"), taken
    next_up = say("picture.their_turn", name=name(view.to_move)) if view.to_move is not None else ""
    if shows_last_round(view) and view.last_round:
        scored = [name(seat) for seat in sorted(view.last_round.scored)]
        told = say("picture.scored", names=labels.list(scored)) if scored else say("picture.no_points")
        if len(scored) > 1 and lettering.width(told, theme.SMALL) > CAPTION - 28:
            told = say("picture.scores", count=len(scored))
        return told, next_up
    if over:
        return say("picture.takes", name=name(over.winner)), next_up
    if view.follow:
        return say("picture.follow_suit", suit=say(f"suit.{view.follow}")), next_up
    return say("picture.any"), next_up


def _table(view: FullSunView, labels: Labels) -> Page:
    """Paint the trick as trees in the wood, the strips in the corners, and what just happened."""
    page = page_of(view, HEIGHT, GROUND)
    _header(page, view, labels)
    _trees(page, view, labels)
    _strips(page, view, labels)
    place_caption(page, (WIDTH - CAPTION) // 2, HEIGHT - chrome.CAPTION_HEIGHT - 20, CAPTION, *_caption(view, labels))
    return page


def _trees(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place the trick in the order played: a tree for each card, the card at its foot, its player below."""
    lays, over = _shown_trick(view)
    foot, (width, height) = round(HEIGHT * GROUND), LAID
    step = 160 if view.seats == 3 else 186 if view.seats == 4 else 172
    left = WIDTH / 2 - step * (view.seats - 1) / 2
    best = ahead(view, lays)
    for place in range(view.seats):
        x = left + step * place
        if place >= len(lays):
            continue
        lay = lays[place]
        tall = _height(view, lay)
        if place == best:
            page.shade(round(x) - 60, foot - 300, 120, 300, 60, 24, 150, (255, 250, 220), 0)
        if suit_of(lay.card) in TREES:
            page.place(standing(suit_of(lay.card), tall, CROWN_OF_TREE), x, foot + 10, "mb")
        else:
            page.place(medallion(lay.card, 96), x, foot - tall / 2 - 20, "mm")
        if place == best:
            page.place(
                chrome.crown(76), x, foot - tall - 6 if suit_of(lay.card) in TREES else foot - tall / 2 - 72, "mb"
            )
    first, way = lays[0].seat if lays else view.leader, 1 if direction_shown(view) else -1
    for place in range(view.seats):
        x = round(left + step * place) - width // 2
        if place < len(lays):
            place_card(page, face_of(view, labels, lays[place].card, LAID), x, foot + 14)
        else:
            page.shade(x, foot + 14, width, height, 12, 2, 90, chrome.NIGHT, 0)
            page.place(slot(width, height), x, foot + 14)
        if place == len(lays) - 1 and not over:
            chrome.place_last(page, x, foot + 14, width, height)
        page.place(disc(labels, (first + way * place) % view.seats, 56), x + width / 2, foot + 14 + height, "mm")


def _height(view: FullSunView, lay: Lay) -> int:
    """Return how high a card's tree stands. The highest in play stays below the strips, with its crown."""
    return 62 + view.face(lay.card).number * (140 if view.seats == 3 else 110) // view.highest


def _finale(view: FullSunView, labels: Labels) -> Page:
    """Paint the end of a match that a tie-break decided: each contender's best trick (S7)."""
    row, start = 208, 168
    page = page_of(view._replace(lays=()), start + row * len(view.tie_breaks) + 20, 0.5)
    page.shade(-20, 84, WIDTH + 40, 72, 20, 10, 190, chrome.NIGHT, 0)
    place_header(page, progress(view, labels), "")
    page.text(theme.MARGIN + 6, 120, labels.say("picture.tie_break"), theme.SMALL, theme.CREAM, 1150)
    for number, tie_break in enumerate(view.tie_breaks):
        _contender(page, view, labels, tie_break, start + row * number)
    return page


def _contender(page: Page, view: FullSunView, labels: Labels, tie_break: TieBreak, y: int) -> None:
    """Place a row of the tie-break: the player and their tree, the trick with its counting cards, and their number."""
    wins = tie_break.seat in winners(view)
    x, width, height = theme.MARGIN, WIDTH - 2 * theme.MARGIN, 196
    page.shade(x, y, width, height, 28, 2, 150, chrome.NIGHT, 0)
    place_strip(
        page,
        labels,
        tie_break.seat,
        (x + 6, y + 6, 330),
        "won" if wins else "",
        Score(view.points[tie_break.seat], view.target),
    )
    page.place(medallion(tie_break.species, 76), x + 22, y + 152, "lm")
    page.text(x + 112, y + 152, labels.say(f"suit.{tie_break.species}"), theme.SMALL, theme.CREAM, 220)
    page.text(x + width - 24, y + height / 2, str(tie_break.cards), 84, theme.BRASS_LIGHT, 120, "rm", lettering.DISPLAY)
    if tie_break.trick is None:
        page.text(x + 356, y + height / 2, labels.say("picture.no_trick"), 40, theme.CREAM, 600)
        return
    size = (124, 174)
    for place, lay in enumerate(tie_break.trick.lays):
        face, counts = face_of(view, labels, lay.card, size), suit_of(lay.card) == tie_break.species
        place_card(page, face if counts else faded(face), x + 356 + place * 138, y + (4 if counts else 18))


# The pictures


def paint(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    if view.tie_breaks:
        return _finale(view, labels)
    return hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the wood, its four trees, and the weather."""
    page = Page(SLUG, 640, scene("", 0.72))
    foot = round(640 * 0.72) + 6
    for place, (suit, number) in enumerate((("B", 7), ("R", 3), ("S", 12), ("L", 17))):
        page.place(standing(suit, 96 + number * 9, 168), 270 + place * 220, foot, "mb")
    cards = (("Rain", 0, 0), ("B7", 7, 1), ("R3", 3, 2), ("S12", 12, 3), ("L17", 17, 4), ("Sun", 18, 5))
    for place, (card, number, pips) in enumerate(cards):
        turned = rotated(card_face(card, name_of(labels, card), number, pips, 300, 420), 12.5 - 5 * place)
        page.place(turned, 600 + (place - 2.5) * 150, 580 + (26, 9, 0, 0, 9, 26)[place], "mm")
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 90)
    return page


def paint_last(view: FullSunView, labels: Labels) -> Page | None:
    """Paint the last complete trick (S9)."""
    trick = view.last_trick
    if trick is None:
        return None
    page = page_of(view._replace(lays=trick.lays), 640, 0.6)
    place_header(page, labels.say("picture.last_taken", name=short_name(labels, trick.winner, 44, 560)), "")
    foot, (width, height) = round(640 * 0.6), LAID
    step = 200
    left = WIDTH / 2 - step * (len(trick.lays) - 1) / 2
    for place, lay in enumerate(trick.lays):
        x, tall = left + step * place, _height(view, lay)
        wins = lay.seat == trick.winner
        if suit_of(lay.card) in TREES:
            page.place(standing(suit_of(lay.card), tall, CROWN_OF_TREE), x, foot + 10, "mb")
        else:
            page.place(medallion(lay.card, 96), x, foot - tall / 2 - 20, "mm")
        place_card(page, face_of(view, labels, lay.card, LAID), round(x) - width // 2, foot + 14)
        page.place(disc(labels, lay.seat, 56), x, foot + 14 + height, "mm")
        if wins:
            page.place(
                chrome.crown(76), x, foot - tall - 6 if suit_of(lay.card) in TREES else foot - tall / 2 - 72, "mb"
            )
    return page
