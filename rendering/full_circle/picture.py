"""Full Circle on the table: a lacquered board with fine rings, the four quadrants bright in the middle of it.

An onlooker's table has the circle, a plate for each player, and a slab with the pile, the question and the trap.
A seat's picture also has its hand, in which the cards that fit are raised. When the player has chosen a card, the
quadrants that it fits are lit.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card, place_plate, place_tag, plate, rotated
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.sprites import at_rest, mix, resting
from rendering.full_circle.circle import (
    ASIDE,
    BACK,
    BOARD,
    FLAME,
    HAND_RADIUS,
    HOLLOW,
    MEDAL,
    PLATE,
    TABLE_RADIUS,
    back,
    board,
    card_face,
    circle,
    colour_medallion,
    quadrant,
    ribbon,
    streak_flame,
)
from rendering.full_circle.narration import last_wins, next_win, phase_text, streak, winners
from rendering.full_circle.signs import TINTS
from rules.full_circle import FullCircleView, Phase

SLUG = "full_circle"

GLOWS = theme.glows(mix(BOARD, (0, 0, 0), 0.15))
COLOURS = (
    *(*theme.COLOURS, BOARD, HOLLOW, BACK, PLATE.face, PLATE.edge, PLATE.soft, ASIDE.face, *TINTS.values(), *GLOWS),
    *(at_rest(tint) for tint in TINTS.values()),
)  # fmt: skip
"""The colours that the palette has exactly."""

HELD = ((6, (176, 232)), (8, (132, 178)), (10, (102, 136)))
"""Cards in a row of a hand, and their size: all in one row, else eight in each of two rows, else small ones."""


# The table


def _heading(page: Page, view: FullCircleView, labels: Labels, y: int) -> None:
    page.text(theme.MARGIN, y, _round(view, labels), theme.HEADING, theme.CREAM, 620)
    page.text(WIDTH - theme.MARGIN, y, labels.say("picture.target", target=view.target), theme.BODY, PLATE.soft, 400,
              "rm")  # fmt: skip


def _round(view: FullCircleView, labels: Labels) -> str:
    if view.outcome:
        return labels.say("picture.finished")
    return labels.say("picture.play_off" if view.play_off else "picture.round", round=view.round)


def _plate(page: Page, view: FullCircleView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """Place a player's plate: name, total, the backs of the hand or its open last card."""
    x, y, width, height = box
    wins = seat in winners(view)
    lit = wins or seat == view.to_move
    colours = PLATE if seat in view.players else ASIDE
    place_plate(page, box, colours, lit)
    right, middle = x + width - 14, y + height / 2 - 2
    until = right - MEDAL - 28
    if wins_in_a_row := streak(view, seat):
        until = _ribbon(page, labels, right, max(middle, y + 90), wins_in_a_row)
    page.place(emblems.medal(MEDAL, with_minus_sign(view.totals[seat])), right, middle, "rm")
    room = width - MEDAL - 44
    if lit:
        word = labels.say("picture.wins" if wins else "picture.to_play")
        place_tag(page, x + width - MEDAL - 24 - 62, y + 38, word, 124)
        room -= 130
    page.text(x + 18, y + 38, drawable_name(labels, seat), theme.BODY, colours.text, room)
    if seat in view.players and view.hand_sizes[seat]:
        _place_backs(page, view, labels, seat, x + 18, y + 66, until - x - 18, height - 82)
    else:
        words = labels.say("picture.out" if seat in view.players else "picture.watches")
        page.text(x + 18, y + height - 40, words, theme.SMALL, colours.soft, room)


def _ribbon(page: Page, labels: Labels, right: int, y: float, wins: int) -> int:
    """Place wins in a row and the next win's effect on a medal's ribbon that ends at `right`. Return its left edge."""
    return ribbon(page, right - MEDAL // 2, y, wins, labels.say("picture.streak", points=next_win()))


def _place_backs(
    page: Page, view: FullCircleView, labels: Labels, seat: int, x: int, y: int, room: int, height: int
) -> None:
    """Place the backs of the hand with the number of cards, or the last card face up with its letters (F12)."""
    width = round(height * 0.74)
    cards, card = view.hand_sizes[seat], view.open_cards[seat]
    if card is not None:
        page.place(card_face(card, width, height), x, y)
        _last_card(page, card, labels, x + width + 12, y + height / 2, room - width - 12)
        return
    step = min(round(width * 0.52), (room - width - 50) // max(1, cards - 1))
    for i in range(cards):
        page.place(back(width, height), x + i * step, y)
    page.text(x + step * (cards - 1) + width + 12, y + height / 2, str(cards), theme.BODY, PLATE.soft, 60)


def _last_card(page: Page, card: str, labels: Labels, x: int, y: float, room: int) -> None:
    """Write an open card's letters and that it is the last: in one line or, if that is too wide, in two."""
    words = labels.say("picture.last_card")
    across = lettering.width(card, theme.BODY) + 14
    if across + lettering.width(words, theme.SMALL) <= room:
        page.text(x, y, card, theme.BODY, theme.CREAM, 80)
        page.text(x + across, y, words, theme.SMALL, PLATE.soft, room - across)
    else:
        page.text(x, y - 21, card, theme.BODY, theme.CREAM, 80)
        page.text(x, y + 21, words, theme.SMALL, PLATE.soft, room)


def _lines(text: str, size: int, width: int) -> list[str]:
    """Return the text in one line if it fits, else in two."""
    if lettering.shorten(text, size, width) == lettering.drawable(text):
        return [text]
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        first = " ".join(words[:at])
        if lettering.shorten(first, size, width) == lettering.drawable(first):
            return [first, " ".join(words[at:])]
    return [text]


def _slab(page: Page, view: FullCircleView, labels: Labels, box: tuple[int, int, int, int]) -> None:
    """Place the pile, the question, the drawn card, the trap."""
    x, y, width, height = box
    place_plate(page, box, PLATE)
    stack, middle = back(66, 90), y + height // 2 - 2
    for i in range(min(3, view.pile)):
        page.place(stack, x + 24 - i * 4, middle - i * 4 + 2, "lm")
    page.text(x + 102, middle, str(view.pile), theme.HEADING, theme.CREAM, 80)
    left, right = x + 190, x + width - 24
    if view.trap:
        page.place(colour_medallion(view.trap.colour, 92), right, middle, "rm")
        name = lettering.shorten(drawable_name(labels, view.trap.setter), theme.SMALL, 190)
        page.text(right - 110, middle - 22, labels.say("picture.trap"), theme.BODY, theme.BRASS_LIGHT, 280, "rm")
        by = labels.say("picture.trap_by", name=name)
        page.text(right - 110, middle + 24, by, theme.SMALL, PLATE.soft, 290, "rm")
        right -= 420
    if view.drawn:
        page.place(card_face(view.drawn, 72, 96), left, middle, "lm")
        left += 90
    lines = _lines(_status(view, labels), theme.BODY, right - left)
    for number, line in enumerate(lines):
        at = middle + 44 * number - 22 * (len(lines) - 1)
        page.text(left, at, line, theme.BODY, theme.CREAM, right - left)


def _status(view: FullCircleView, labels: Labels) -> str:
    """Return what the seat to move must do, or how the match ended."""
    if view.outcome is None:
        return phase_text(view, labels)
    (winner,) = view.outcome.winners
    name = lettering.shorten(drawable_name(labels, winner), theme.BODY, 300)
    return labels.say("alt.won", name=name, reason=labels.say(f"outcome.{view.outcome.reason}"))


PLATE_HEIGHTS = {2: 216, 3: 178, 4: 137}
SLAB = 124


def _table(view: FullCircleView, labels: Labels) -> Page:
    """The circle on the left, the players on the right, the slab below."""
    radius, top = TABLE_RADIUS, 88
    height = top + 2 * radius + 26
    page = Page(SLUG, height + SLAB + theme.MARGIN, board)
    _heading(page, view, labels, 44)
    circle(page, view, theme.MARGIN + radius, top + radius, radius, None)
    x = theme.MARGIN + 2 * radius + 34
    tall = PLATE_HEIGHTS[view.seats]
    gap = (2 * radius - view.seats * tall) // max(1, view.seats - 1) if view.seats > 2 else 24
    first = top + (2 * radius - view.seats * tall - (view.seats - 1) * gap) // 2
    for seat in range(view.seats):
        _plate(page, view, labels, seat, (x, first + seat * (tall + gap), WIDTH - theme.MARGIN - x, tall))
    _slab(page, view, labels, (theme.MARGIN, height, WIDTH - 2 * theme.MARGIN, SLAB))
    return page


# A seat's hand

CIRCLE_TOP = 96
CIRCLE_AT = (theme.MARGIN + HAND_RADIUS + 20, CIRCLE_TOP + HAND_RADIUS)
"""The middle of the circle."""
OTHERS_AT = (theme.MARGIN + 2 * HAND_RADIUS + 74, CIRCLE_TOP)
"""The upper left corner of the other players' plates; together they are as high as the circle."""
SLAB_TOP = CIRCLE_TOP + 2 * HAND_RADIUS + 30
HELD_TOP = SLAB_TOP + SLAB + 44
"""The upper edge of the hand's cards that do not fit; those that fit are raised."""
RISE = 20


def _hand(view: FullCircleView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the circle and the other players above, the hand below, with the cards that fit raised."""
    plays = view.plays()
    chosen = (view.drawn,) if view.drawn and view.to_move == view.viewer and not focus else tuple(focus)
    face = ":".join(chosen)
    aimed = [play for play in plays if chosen and (play.face == face or play.face.startswith(f"{face}:"))]
    radius = HAND_RADIUS
    below = SLAB_TOP
    rows, size = hand_rows(view.hand)
    hand = len(rows) * (size[1] + 34) + 6
    page = Page(SLUG, HELD_TOP + hand, board, hand + 42)
    _hand_heading(page, view, labels)
    lit = frozenset(play.place for play in aimed) if aimed else None
    circle(page, view, *CIRCLE_AT, radius, lit)
    _others(page, view, labels, *OTHERS_AT, 2 * radius)
    _slab(page, view, labels, (theme.MARGIN, below, WIDTH - 2 * theme.MARGIN, SLAB))
    asked = view.to_move == view.viewer and view.phase in (Phase.TURN, Phase.DRAWN)
    fitting = {play.face[0] if play.face[0] == "W" else play.face for play in plays}
    gift = chosen[1] if len(chosen) > 1 and chosen[0] == "give" else ""
    for number, row in enumerate(rows):
        y = HELD_TOP + number * (size[1] + 34)
        _hand_row(page, row, y, size, fitting if plays or asked else None, gift or (chosen[:1] or ("",))[0])
    return page


def hand_rows(cards: Sequence[str]) -> tuple[list[Sequence[str]], tuple[int, int]]:
    """The hand in rows, and the size of its cards."""
    (few, large), (some, medium), (most, small) = HELD
    in_row, size = (few, large) if len(cards) <= few else (some, medium) if len(cards) <= 2 * some else (most, small)
    rows = -(-len(cards) // in_row)
    in_row = -(-len(cards) // rows)
    return [cards[at : at + in_row] for at in range(0, len(cards), in_row)], size


def _hand_row(
    page: Page, row: Sequence[str], y: int, size: tuple[int, int], fitting: set[str] | None, chosen: str
) -> None:
    """Place cards of the hand side by side. `fitting`: the cards that may be played; None if the seat need not move."""
    for card, left in zip(row, row_edges(row, size), strict=True):
        fits = fitting is None or card in fitting
        face = card_face(card, *size) if fits else resting(card_face(card, *size))
        top = y - RISE if fitting is not None and fits else y
        if card == chosen or size != HELD[-1][1]:
            place_card(page, face, left, top, theme.BRASS_LIGHT if card == chosen else None)
        else:  # the shadows of this many cards would make the file too large
            page.place(face, left, top)


def row_edges(row: Sequence[str], size: tuple[int, int]) -> list[int]:
    """Return the left edge of each card of a row of the hand."""
    step = size[0] + 14
    left = (WIDTH - step * len(row) + 14) // 2
    return [left + i * step for i in range(len(row))]


def _hand_heading(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Write whose turn it is, the round, and the viewer's total and wins in a row."""
    assert view.viewer is not None
    y, right, room = 48, WIDTH - theme.MARGIN - 100, 600
    words = _round(view, labels) + " · " + labels.say("picture.target", target=view.target)
    if wins := streak(view, view.viewer):
        right = _ribbon(page, labels, WIDTH - theme.MARGIN, y, wins) - 16
        room = right - lettering.width(words, theme.SMALL) - 24 - theme.MARGIN
    page.place(emblems.medal(84, with_minus_sign(view.totals[view.viewer])), WIDTH - theme.MARGIN, y, "rm")
    page.text(right, y, words, theme.SMALL, PLATE.soft, 460, "rm")
    mover = 0 if view.to_move is None else view.to_move
    name = lettering.shorten(drawable_name(labels, mover), theme.HEADING, room - 180)
    turn = labels.say("picture.your_turn" if mover == view.viewer else "picture.their_turn", name=name)
    ink = theme.BRASS_LIGHT if mover == view.viewer else theme.CREAM
    page.text(theme.MARGIN, y, turn, theme.HEADING, ink, room)


def _others(page: Page, view: FullCircleView, labels: Labels, x: int, y: int, room: int) -> None:
    """The other players' plates, from the viewer's left."""
    assert view.viewer is not None
    for seat, box in other_boxes(view, x, y, room).items():
        _plate(page, view, labels, seat, box)


def other_boxes(view: FullCircleView, x: int, y: int, room: int) -> dict[int, tuple[int, int, int, int]]:
    """Return the box of each other player's plate by seat, from the viewer's left: left, top, width, height."""
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    tall = min(178, (room - theme.GAP * (len(others) - 1)) // len(others))
    top = y + (room - len(others) * tall - (len(others) - 1) * theme.GAP) // 2
    return {
        seat: (x, top + number * (tall + theme.GAP), WIDTH - theme.MARGIN - x, tall)
        for number, seat in enumerate(others)
    }


# The pictures


def paint(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return _hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a circle and a fan of cards."""
    page = Page(SLUG, 640, board)
    for card, degrees, x, y in (("YR", 16, 124, 436), ("O", 6, 270, 412), ("W", -16, 1076, 436), ("GP", -6, 930, 412)):
        page.place(rotated(card_face(card, 316, 416), degrees), x, y, "mm")
    for number, face in enumerate(("RB", "BG", "GP", "PR")):
        left, top = (380 if number in (0, 3) else 600), (196 if number in (0, 1) else 416)
        page.place(quadrant(number, face, face[0], face[1], 220), left, top)
    page.text(600, 84, labels.say("game.title"), 112, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 164, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """Paint the last round with its counted cards (F15); None before the first round is over."""
    result = view.last_round
    if result is None:
        return None
    talls = [124 + 98 * (max(0, len(result.hands[seat]) - 1) // COUNTED_IN_ROW) for seat in result.players]
    page = Page(SLUG, 100 + sum(talls) + len(talls) * theme.GAP + 10, board)
    winner = 0 if result.winner is None else result.winner
    key = "last_without" if result.winner is None else "last_play_off" if result.play_off else "last_won"
    name = lettering.shorten(drawable_name(labels, winner), theme.HEADING, 640)
    title = labels.say(f"picture.{key}", name=name, round=result.round)
    page.text(theme.MARGIN, 52, title, theme.HEADING, theme.CREAM, 1140)
    y = 100
    for seat, tall in zip(result.players, talls, strict=True):
        _result_row(page, view, labels, seat, y, tall)
        y += tall + theme.GAP
    return page


COUNTED_IN_ROW = 8


def _result_row(page: Page, view: FullCircleView, labels: Labels, seat: int, y: int, tall: int) -> None:
    """Place a player's line: the cards left, what they count (nothing in a play-off, F16), the total after that."""
    result = view.last_round
    assert result is not None
    won, middle = seat == result.winner, y + tall / 2 - 2
    page.shade(theme.MARGIN, y, WIDTH - 2 * theme.MARGIN, tall, theme.CORNER)
    page.place(plate(WIDTH - 2 * theme.MARGIN, tall, PLATE, won), theme.MARGIN, y)
    page.text(theme.MARGIN + 20, middle, drawable_name(labels, seat), theme.BODY, PLATE.text, 270)
    points = "" if result.play_off else signed(result.points[seat] - (result.bonus if won else 0))
    page.place(emblems.medal(92, with_minus_sign(result.totals[seat])), WIDTH - 38, middle, "rm")
    page.text(WIDTH - 150, middle, points, theme.HEADING, theme.BRASS_LIGHT, 120, "rm")
    if won:
        at = 330 + page.text(330, middle, labels.say("picture.out"), theme.BODY, PLATE.soft, 300)
        if wins := last_wins(view):
            page.place(streak_flame(wins, FLAME), at + 24, middle, "lm")
            words = labels.say("picture.in_a_row", wins=wins)
            page.text(at + 24 + FLAME + 8, middle, words, theme.SMALL, PLATE.soft, 1200 - 270 - at - FLAME)
    for i, card in enumerate(result.hands[seat]):
        row, column = divmod(i, COUNTED_IN_ROW)
        page.place(card_face(card, 70, 92), 330 + column * 76, y + 14 + row * 98)
