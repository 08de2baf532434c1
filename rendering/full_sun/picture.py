"""Full Sun on the table: a trick is a row of trees in a glade, each as high as its card's number; the highest stands in
the light. A seat's picture is its hand (hand.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rendering.core import art, chrome, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.cards import rotated
from rendering.core.discs import disc, first_fit, short_name
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.full_sun import glade, pieces, trick
from rendering.full_sun.glade import NIGHT, SLUG, painted
from rendering.full_sun.hand import hand
from rendering.full_sun.narration import lying_trick, progress, shows_last_round
from rendering.full_sun.pieces import CREAM, FACE, TINTS
from rendering.full_sun.trick import TALL, column, look_of, near, place_player
from rules.full_sun.types import FullSunView, TieBreak, suit_of

COLOURS = (*theme.COLOURS, *chrome.COLOURS, pieces.GOLD, CREAM, *TINTS.values())
"""The colours that the palettes have exactly."""

HEIGHT = 900
BOARDS = 685
SLIPS, SLIP = BOARDS + TALL.slips, TALL.slip
"""The upper edges of the players' boards, and of the slips on them, and their height."""
LAST_HEIGHT, LAST_FOOT = 640, 480
COVER_FOOT = 512


def _table(view: FullSunView, labels: Labels) -> Page:
    """Paint the trick as trees in the glade, and a board for each player."""
    page = glade.page_of(view, HEIGHT, glade.glade, 0, view.seats)
    _head(page, view, labels)
    (lays, over), look = trick.shown_trick(view), look_of(view.seats)
    trick.place_trick(page, view, labels, lays, look, over=over is not None, crowned=not view.outcome)
    for seat in range(view.seats):
        (_, x, width), won = column(view.seats, seat), seat in winners(view)
        place_player(page, view, labels, seat, (x, BOARDS, width), lit=won or seat == view.to_move)
        if won:
            left, foot = trick.bird_at(view, seat, look)
            page.place(chrome.crown(64), left + 10, foot - 30, "mb")
        if view.outcome and view.last_round:
            _result(page, view, labels, seat, (x, width))
        else:
            trick.place_slips(page, view, seat, (x, BOARDS, width))
    return page


def _head(page: Page, view: FullSunView, labels: Labels) -> None:
    """Write who must do what or who won, which trick it is, what just happened, and the suits of the undealt cards."""
    _, over = trick.shown_trick(view)
    left = float(WIDTH - theme.MARGIN)
    if view.outcome:
        trick.write_victory(page, labels, winners(view))
    else:
        number = labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)
        lies = [lying_trick(view, labels)] if over else [progress(view, labels), number, ""]
        trick.write_large(page, trick.demand_of(view, labels), lies)
        left = pieces.place_fan(page, left, 98, view.fan)
        text = labels.say("picture.undealt" if any(view.fan) else "picture.none_undealt")
        left -= 10 + page.text(left - 6, 98, text, theme.SMALL, theme.CREAM, 420, "rm", halo=NIGHT)
    room = round(left - 30 - theme.MARGIN)
    texts = trick.happened(view, labels, room)
    if view.last_round and shows_last_round(view):
        texts = [_scored(view, labels, view.last_round.scored, wide) for wide in (300, 180, 110)]
    trick.write_small(page, texts, room)


def _scored(view: FullSunView, labels: Labels, scored: Collection[int], wide: int) -> str:
    """Return who scored a point; `wide`: the room of a name."""
    if len(scored) > 3:
        others = [short_name(labels, seat, theme.SMALL, 240) for seat in range(view.seats) if seat not in scored]
        return labels.say("picture.scored_but" if others else "picture.scored_all", name="".join(others[:1]))
    names = [short_name(labels, seat, theme.SMALL, wide) for seat in sorted(scored)]
    key = "no_points" if not names else "scored_one" if len(names) == 1 else "scored"
    return labels.say(f"picture.{key}", names=labels.list(names))


def _result(page: Page, view: FullSunView, labels: Labels, seat: int, box: tuple[int, int]) -> None:
    """Place the player's tree at the last round's end, the tricks won and those needed, or the point for it."""
    (x, width), result = box, view.last_round
    assert result is not None
    scored, line, room = seat in result.scored, SLIPS + SLIP / 2, width - 74
    page.place(pieces.slip(result.species[seat], str(result.pips[seat]), 44, SLIP), x + 10, line, "lm")
    facts = {"tricks": result.tricks[seat], "pips": result.pips[seat]}
    ways = ("result_exact", "result_point") if scored else ("result", "result_brief")
    text = first_fit([labels.say(f"picture.{key}", **facts) for key in ways], theme.SMALL, room)
    ink = theme.INK if seat in winners(view) else theme.BRASS_LIGHT if scored else CREAM
    page.text(x + 64, line, text, theme.SMALL, ink, room)


def _finale(view: FullSunView, labels: Labels) -> Page:
    """Paint the end of a match that a tie-break decided: the tied players' trees on one ridge, each as high as the
    number of its own cards in their best trick (S7), and below them that trick.
    """
    count = len(view.tie_breaks)
    page = glade.page_of(view._replace(lays=(), last_trick=None), HEIGHT, glade.glade, 0, count)
    trick.write_victory(page, labels, winners(view))
    trick.write_small(page, [labels.say("picture.tie_break")])
    for place, tie_break in sorted(enumerate(view.tie_breaks), key=lambda found: found[1].seat in winners(view)):
        _contender(page, view, labels, tie_break, (place, count))
    return page


def _contender(page: Page, view: FullSunView, labels: Labels, tie_break: TieBreak, place: tuple[int, int]) -> None:
    """Place a tied player: tree, sign with the number that counts, board with the trick. `place`: of how many."""
    (x, _, wide), look, won = column(place[1], place[0]), look_of(max(place[1], 3)), tie_break.seat in winners(view)
    seat, species, wide = tie_break.seat, tie_break.species, min(wide, 560)
    (width, height), tall = look.sign, 170 if species == "W" else 110 + 56 * min(tie_break.cards, 5)
    if won:
        glade.place_light(page, x, look.foot)
    if species == "W":
        page.place(painted("cloud"), x, look.foot - 110, "mm")
    else:
        glade.place_tree(page, species, x, look.foot, tall, near(place[1]), None if won else glade.EVENING[""])
    if won:
        page.place(chrome.crown(92), x, look.foot - tall + 23, "mb")
    pieces.place_board(page, f"sign_{species}", x - width / 2, look.foot - 8, width, height)
    line, left = look.foot - 8 + height / 2, round(x - wide / 2)
    page.text(x - 12, line, f"{tie_break.cards} ×", 72, CREAM, width, "rm", FACE)
    page.place(pieces.mark(species, 66, CREAM), x + 8, line, "lm")
    page.place(disc(labels, seat, look.disc), x - width / 2 + look.disc / 2, look.foot - 14, "mb")
    trick.place_bird(page, labels, seat, (x - width / 2 + look.disc / 2, look.foot - look.disc - 10))
    place_player(page, view, labels, seat, (left, BOARDS, wide), lit=won)
    if tie_break.trick is None:
        told = labels.say("picture.no_tree" if species == "W" else "picture.no_trick", card=labels.say("suit.W"))
        page.text(x, SLIPS + SLIP / 2, told, theme.SMALL, theme.INK if won else CREAM, wide - 20, "mm")
        return
    lays = tie_break.trick.lays
    step = min(56, (wide - 16) // len(lays))
    for number, lay in enumerate(lays):
        figure, counts = str(view.face(lay.card).number), suit_of(lay.card) == species
        drawn = pieces.slip(pieces.sign_of(lay.card), figure, min(step - 2, 50), SLIP)
        middle = x + (number - (len(lays) - 1) / 2) * step
        page.place(drawn if counts else pieces.resting(drawn), middle, SLIPS + (0 if counts else 6), "mt")


# The pictures


def paint(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    if view.tie_breaks:
        return _finale(view, labels)
    return hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the glade: four trees, each higher than the one before, from the rain into full sun."""
    page = Page(f"{SLUG}_cover", 640, glade.from_rain_to_sun, MOST_FILE_BYTES)
    page.place(painted("cloud", 250), 220, 300, "mm")
    page.place(painted("high_sun", 330), 962, 268, "mm")
    tones = (190, 204, 232), (216, 220, 232), None, None
    for place, (suit, tall, tone) in enumerate(zip("BRSL", (150, 210, 260, 310), tones, strict=True)):
        x, foot = 318 + place * 188, COVER_FOOT + (6, -2, 2, 8)[place]
        glade.place_tree(page, suit, x, foot, tall, 1, tone)
        page.place(painted(f"tuft_{place % 3}"), x, foot + 6, "mb")
    for x, card, number, pips, angle in ((112, "Rain", 0, 0, 9), (1088, "Sun", 18, 5, -9)):
        face = pieces.card_face(card, labels.say(f"card.{card}"), number, pips, 336, 480)
        turned = rotated(face, angle)
        page.place(art.aglow(turned, 9, (4, 10, 14), 0.75), x, 502, "mm")
        page.place(turned, x, 496, "mm")
    chrome.place_title(page, labels, 66, FACE, NIGHT)
    return page


def paint_last(view: FullSunView, labels: Labels) -> Page | None:
    """Paint the last complete trick (S9)."""
    if (last := view.last_trick) is None:
        return None
    shown = view._replace(lays=last.lays, to_move=None)
    page = glade.page_of(shown, LAST_HEIGHT, glade.glade, 598 - LAST_FOOT, view.seats)
    names = [short_name(labels, last.winner, 46, wide) for wide in (700, 420, 260)]
    told = [labels.say("picture.last_taken", name=name) for name in names]
    chrome.place_head(page, told, face=FACE, dark=NIGHT, y=52)
    trick.place_trick(page, shown, labels, last.lays, look_of(view.seats, LAST_FOOT, 0.7))
    for lay in last.lays:
        (x, left, wide), lit = column(view.seats, lay.seat), lay.seat == last.winner
        pieces.place_board(page, "board_turn" if lit else "board_idle", left, 574, wide, 58)
        name = short_name(labels, lay.seat, theme.SMALL, wide - 24)
        page.text(x, 603, name, theme.SMALL, theme.INK if lit else CREAM, wide - 24, "mm")
    return page
