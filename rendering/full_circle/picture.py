"""Full Circle on the table: the four quadrants are the panes of a round window in a dark hall.

An onlooker's table has the window, a strip for each player, the pile, and what just happened.
A seat's picture also has its hand, in which the cards that fit are raised. When the player has chosen a card, the
quadrants that it fits are lit.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card, plate, rotated
from rendering.core.chrome import Score, Stat, place_caption, place_header, place_ribbon, place_strip, place_title
from rendering.core.discs import short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.sprites import Point, at_rest, resting
from rendering.core.story import capital
from rendering.full_circle.circle import (
    ASIDE,
    BACK,
    FLAME,
    HAND_RADIUS,
    HOLLOW,
    LEAD,
    PLATE,
    TABLE_RADIUS,
    back,
    card_face,
    circle,
    compass,
    quadrant,
    streak_flame,
    window,
)
from rendering.full_circle.narration import last_wins, next_win, phase_text, streak, winners
from rendering.full_circle.signs import TINTS
from rendering.full_circle.stage import dark, hall
from rules.core.game import Event
from rules.full_circle import PLACES, FullCircleView, Phase
from rules.full_circle.types import FullCircled, Play, TrapSet

SLUG = "full_circle"

COLOURS = (
    *(*theme.COLOURS, *chrome.COLOURS, HOLLOW, LEAD, BACK, PLATE.face, PLATE.soft, ASIDE.face, *TINTS.values()),
    *(at_rest(tint) for tint in TINTS.values()),
)  # fmt: skip
"""The colours that the palette has exactly."""

HELD = ((6, (176, 232)), (8, (132, 178)), (10, (102, 136)))
"""Cards in a row of a hand, and their size: all in one row, else eight in each of two rows, else small ones."""
LARGE = ((4, (264, 348)), (5, (214, 282)), (7, (150, 198)))
"""The same in large print."""


def _page(view: FullCircleView, height: int, at: tuple[int, int]) -> Page:
    """Return a page with the hall in the light of the trap, if one is set. `at`: the middle of the window."""
    trap = view.trap.colour if view.trap else ""
    return Page(f"{SLUG}_{trap}" if trap else SLUG, height, hall(trap, *at))


# The table

HEIGHT = 900
TABLE_AT = (360, 416)
"""The middle of the window."""
STRIPS_LEFT = 726


def _round(view: FullCircleView, labels: Labels) -> str:
    if view.outcome:
        return labels.say("picture.finished")
    return labels.say("picture.play_off" if view.play_off else "picture.round", round=view.round)


def _strip(page: Page, view: FullCircleView, labels: Labels, seat: int, box: tuple[int, int, int]) -> None:
    """Place a player's strip: name, total, cards in hand or the open last card, wins in a row."""
    x, y, width = box
    plays = seat in view.players
    turn: chrome.Turn = "won" if seat in winners(view) else "turn" if seat == view.to_move else "" if plays else "out"
    stats = []
    card = view.open_cards[seat]
    if plays and view.hand_sizes[seat] and card is None:
        stats.append(Stat(emblems.sign(emblems.hand, 44, theme.PAPER, chrome.NIGHT), str(view.hand_sizes[seat])))
    if wins := streak(view, seat):
        stats.append(Stat(streak_flame(wins, FLAME), next_win()))
    score = Score(0, 0, labels.count("points", view.totals[seat]))
    place_strip(page, labels, seat, box, turn, score, stats)
    if card is not None:
        page.place(card_face(card, 66, 88), x + width - 92, y + 8)
    elif not plays:
        page.text(x + width - 26, y + 76, labels.say("picture.watches"), theme.SMALL, theme.CREAM, 170, "rm")


def _place_pile(page: Page, view: FullCircleView, labels: Labels, x: int, y: int) -> None:
    """Place the pile with the number of its cards; y is its middle."""
    stack = back(66, 90)
    for i in range(min(3, view.pile)):
        page.place(stack, x - i * 4, y - i * 4 + 2, "lm")
    page.text(x + 80, y, str(view.pile), 50, theme.CREAM, 90)


def _told(view: FullCircleView, labels: Labels) -> tuple[str, str]:
    """Return what just happened or what the seat to move must do, and whose turn it is."""
    if view.outcome is not None:
        (winner,) = view.outcome.winners
        name = short_name(labels, winner, 40, 300)
        return f"{name} {labels.say('picture.wins')}", labels.say(f"picture.won_{view.outcome.reason}")
    who = (
        ""
        if view.to_move is None
        else labels.say("picture.their_turn", name=short_name(labels, view.to_move, theme.SMALL, 260))
    )
    if view.viewer is not None and view.to_move == view.viewer:
        told = phase_text(view, labels)  # the heading says whose turn it is
        return told.split(". ", 1)[-1] if view.drawn else told, ""  # the picture shows the drawn card
    if view.trap:
        colour = labels.say(f"colour.{view.trap.colour}")
        name = short_name(labels, view.trap.setter, theme.SMALL, 200)
        return labels.say("picture.trapped", colour=colour, name=name), who
    told = phase_text(view, labels)
    if view.viewer is not None:  # the heading says whose turn it is
        event, _, may = told.partition(": ")
        wide = max(lettering.width(line, theme.SMALL) for line in (event, may))
        fits = not view.drawn and wide <= (CAPTION_ROOM if may else 1.6 * CAPTION_ROOM)  # alone, it may take two lines
        return (event, capital(may)) if fits else (who, "")
    return told, who if lettering.width(told, theme.SMALL) < 800 else ""  # the strip in brass says whose turn it is


def _event(page: Page, view: FullCircleView, labels: Labels, x: int, y: int) -> None:
    """Place the ribbon of what the last card was, if it was more than a card."""
    if view.trap:
        place_ribbon(page, x, y, labels.say("picture.trap"), TINTS[view.trap.colour])
    elif view.phase in (Phase.DOUBLE, Phase.FULL):
        key = "can.double" if view.phase is Phase.DOUBLE else "can.full"
        place_ribbon(page, x, y, f"{labels.say(key)}!", BACK)


def _table(view: FullCircleView, labels: Labels) -> Page:
    """Paint the window on the left, the players on the right, what just happened below."""
    page = _page(view, HEIGHT, TABLE_AT)
    place_header(page, _round(view, labels), labels.say("picture.target", target=view.target))
    circle(page, view, *TABLE_AT, TABLE_RADIUS, None)
    wide = WIDTH - theme.MARGIN - STRIPS_LEFT
    step = min(150, 600 // view.seats)
    top = TABLE_AT[1] - step * view.seats // 2 + (step - chrome.STRIP_HEIGHT) // 2
    for seat in range(view.seats):
        _strip(page, view, labels, seat, (STRIPS_LEFT, top + seat * step, wide))
    _event(page, view, labels, TABLE_AT[0], TABLE_AT[1] + TABLE_RADIUS + 34)
    y = HEIGHT - chrome.CAPTION_HEIGHT - 18
    page.shade(theme.MARGIN, y, 190, chrome.CAPTION_HEIGHT, 24, 2, 178, chrome.NIGHT, 0)
    _place_pile(page, view, labels, theme.MARGIN + 26, y + 58)
    left = theme.MARGIN + 206
    if view.drawn:
        page.place(card_face(view.drawn, 80, 106), left, y + 3)
        left += 94
    place_caption(page, left, y, WIDTH - theme.MARGIN - left, *_told(view, labels))
    return page


# A seat's hand

CIRCLE_AT = (250, 306)
"""The middle of the window."""
OTHERS_AT = (520, 96)
"""The upper left corner of the other players' strips."""
CAPTION_TOP = 440
CAPTION_ROOM = 440
"""The most pixels of a line of its caption."""
HELD_TOP = 616
"""The upper edge of the hand's cards that do not fit; those that fit are raised."""
RISE = 20
COMPASS = 62


def _hand(view: FullCircleView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the window and the other players above, the hand below, with the cards that fit raised."""
    plays = view.plays()
    chosen = (view.drawn,) if view.drawn and view.to_move == view.viewer and not focus else tuple(focus)
    face = ":".join(chosen)
    aimed = [play for play in plays if chosen and (play.face == face or play.face.startswith(f"{face}:"))]
    rows, size = hand_rows(view.hand, LARGE if labels.large else HELD)
    hand = len(rows) * (size[1] + 34) + 6
    page = _page(view, HELD_TOP + hand, CIRCLE_AT)
    _hand_heading(page, view, labels)
    lit = frozenset(play.place for play in aimed) if aimed else None
    circle(page, view, *CIRCLE_AT, HAND_RADIUS, lit)
    for seat, box in other_boxes(view).items():
        _strip(page, view, labels, seat, box)
    _event(page, view, labels, CIRCLE_AT[0], CIRCLE_AT[1] + HAND_RADIUS + 32)
    _place_pile(page, view, labels, OTHERS_AT[0], CAPTION_TOP + 60)
    left = OTHERS_AT[0] + 176
    if view.drawn:
        page.place(card_face(view.drawn, 80, 106), left, CAPTION_TOP + 3)
        left += 94
    place_caption(page, left, CAPTION_TOP, WIDTH - theme.MARGIN - left, *_told(view, labels))
    asked = view.to_move == view.viewer and view.phase in (Phase.TURN, Phase.DRAWN)
    gift = chosen[1] if len(chosen) > 1 and chosen[0] == "give" else ""
    for number, row in enumerate(rows):
        y = HELD_TOP + number * (size[1] + 34)
        _hand_row(page, view, row, y, size, plays if plays or asked else None, gift or (chosen[:1] or ("",))[0])
    return page


def hand_rows(
    cards: Sequence[str], sizes: tuple[tuple[int, tuple[int, int]], ...] = HELD
) -> tuple[list[Sequence[str]], tuple[int, int]]:
    """The hand in rows, and the size of its cards."""
    (few, large), (some, medium), (most, small) = sizes
    in_row, size = (few, large) if len(cards) <= few else (some, medium) if len(cards) <= 2 * some else (most, small)
    rows = -(-len(cards) // in_row)
    in_row = -(-len(cards) // rows)
    return [cards[at : at + in_row] for at in range(0, len(cards), in_row)], size


def _hand_row(
    page: Page,
    view: FullCircleView,
    row: Sequence[str],
    y: int,
    size: tuple[int, int],
    plays: Sequence[Play] | None,
    chosen: str,
) -> None:
    """Place cards of the hand side by side, each that fits with a compass of where. `plays`: what may be played; None
    if the seat need not move.
    """
    for card, left in zip(row, row_edges(row, size), strict=True):
        own = [play for play in plays or () if (play.face[0] if play.face[0] == "W" else play.face) == card]
        fits = plays is None or bool(own)
        face = card_face(card, *size) if fits else resting(card_face(card, *size))
        top = y - RISE if plays is not None and fits else y
        if card == chosen or size != HELD[-1][1]:
            place_card(page, face, left, top, theme.BRASS_LIGHT if card == chosen else None)
        else:  # the shadows of this many cards would make the file too large
            page.place(face, left, top)
        if own:
            places = {play.place for play in own}
            doubles = {play.place for play in own if view.effects_of(play).double}
            marks = tuple("".join("1" if place in found else "0" for place in PLACES) for found in (places, doubles))
            page.place(compass(COMPASS, *marks), left + size[0] / 2, top + 2, "mm")


def row_edges(row: Sequence[str], size: tuple[int, int]) -> list[int]:
    """Return the left edge of each card of a row of the hand."""
    step = size[0] + 14
    left = (WIDTH - step * len(row) + 14) // 2
    return [left + i * step for i in range(len(row))]


def _hand_heading(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Write whose turn it is, the round, and the viewer's total and wins in a row."""
    assert view.viewer is not None
    y = chrome.HEADER_LINE
    page.shade(-20, -40, WIDTH + 40, 124, 20, 16, 150, chrome.NIGHT, 0)
    own = view.to_move == view.viewer
    mover = 0 if view.to_move is None else view.to_move
    name = short_name(labels, mover, 46, 240)
    turn = labels.say("picture.your_turn" if own else "picture.their_turn", name=name)
    ink = theme.BRASS_LIGHT if own else theme.CREAM
    at = theme.MARGIN + 6 + page.text(theme.MARGIN + 6, y, turn, 46, ink, 430) + 24
    page.text(at, y + 2, _round(view, labels), theme.SMALL, theme.CREAM, 220)
    right = WIDTH - theme.MARGIN - 6
    target, points = labels.say("picture.target", target=view.target), labels.count("points", view.totals[view.viewer])
    if right - lettering.width(target, theme.SMALL) - lettering.width(points, 46) > at + 340:
        right -= page.text(right, y, target, theme.SMALL, theme.CREAM, 470, "rm") + 36
    right -= page.text(right, y, points, 46, theme.BRASS_LIGHT, 300, "rm") + 14
    if wins := streak(view, view.viewer):
        page.place(streak_flame(wins, FLAME), right, y, "rm")


def moment(view: FullCircleView, events: Sequence[Event]) -> Point | None:
    """Return the window's middle if a Colour Trap was set or a Full Circle made."""
    return TABLE_AT if any(isinstance(event, TrapSet | FullCircled) for event in events) else None


def other_boxes(view: FullCircleView) -> dict[int, tuple[int, int, int]]:
    """Return the box of each other player's strip by seat, in the order of play: left, top, width. Together they are in
    the middle of the room above the caption.
    """
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    x, y = OTHERS_AT[0], OTHERS_AT[1] + 56 * (3 - len(others))
    return {seat: (x, y + number * 112, WIDTH - theme.MARGIN - x) for number, seat in enumerate(others)}


# The pictures


def paint(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return _hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a circle and a fan of cards."""
    page = Page(SLUG, 640, hall("", 600, 416))
    page.place(window(240, 220), 600, 416, "mm")
    for card, degrees, x, y in (("YR", 16, 124, 436), ("O", 6, 270, 412), ("W", -16, 1076, 436), ("GP", -6, 930, 412)):
        page.place(rotated(card_face(card, 316, 416), degrees), x, y, "mm")
    for number, face in enumerate(("RB", "BG", "GP", "PR")):
        left, top = (380 if number in (0, 3) else 600), (196 if number in (0, 1) else 416)
        page.place(quadrant(number, face, face[0], face[1], 220), left, top)
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 76)
    return page


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """Paint the last round with its counted cards (F15); None before the first round is over."""
    result = view.last_round
    if result is None:
        return None
    talls = [124 + 98 * (max(0, len(result.hands[seat]) - 1) // COUNTED_IN_ROW) for seat in result.players]
    page = Page(SLUG, 100 + sum(talls) + len(talls) * theme.GAP + 10, dark)
    winner = 0 if result.winner is None else result.winner
    key = "last_without" if result.winner is None else "last_play_off" if result.play_off else "last_won"
    name = short_name(labels, winner, theme.HEADING, 640)
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
    page.text(theme.MARGIN + 20, middle, short_name(labels, seat, theme.BODY, 270), theme.BODY, PLATE.text, 270)
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
