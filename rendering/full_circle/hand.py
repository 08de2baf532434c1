"""A seat's own picture of Full Circle: the window, the other players, what happened, what may be done, and the hand.

The cards that fit are raised, each with a compass of where it fits. When the player has chosen a card, the quadrants
that it fits show it as a ghost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.full_circle.circle import HAND_RADIUS, place_circle
from rendering.full_circle.narration import streak, winners
from rendering.full_circle.picture import (
    card_of,
    did_text,
    newest,
    page_of,
    paint_table,
    place_event,
    place_panel,
    place_seat,
    round_of,
    where,
    words_of,
    wrapped,
)
from rendering.full_circle.pieces import (
    FLAME,
    LEAST_WITH_SIGNS,
    card_face,
    chip,
    chosen_frame,
    compass,
    place_pile,
    streak_flame,
)
from rules.full_circle import PLACES, FullCircleView, Phase, Place
from rules.full_circle.types import Play

HEIGHT = 764
TALLEST = 1500
"""The height that a picture with larger cards may have."""
CIRCLE_AT = (290, 456)
"""The middle of the window."""
STRIPS_TOP = 86
CAPTION_HEIGHT = 112
RIGHT = 590
"""The left edge of what stands beside the window."""
HAND_TOP = 340
LINE_CARDS = ((76, 58), (62, 46))
"""The size of a card in a line of text, and of one above two more lines."""
RISE = 20
"""A card that fits lies so much higher."""
GAP = 12
"""Pixels between two cards of a row."""
ROWS_APART = 42
"""Pixels between two rows of cards: a raised card and its compass."""


class Room(NamedTuple):
    """The part of the page for the hand, and the sizes that its cards may have, the largest first."""

    left: int
    top: int
    width: int
    height: int
    sizes: tuple[tuple[int, int], ...]


SIZES = (
    *((264, 348), (186, 244), (176, 220), (168, 165), (136, 165), (136, 130), (136, 96), (106, 96)),
    *((72, 70), (62, 50)),
)
LARGE = ((330, 420), (262, 326), (214, 282), (176, 232), (150, 203), (106, 140), (86, 105))


def room_of(view: FullCircleView, labels: Labels) -> Room:
    """Return the room for the hand: beside the window or, in large print, below it."""
    if labels.large:
        return Room(theme.MARGIN, HEIGHT - 10, WIDTH - 2 * theme.MARGIN, TALLEST - HEIGHT, LARGE)
    top = STRIPS_TOP + CAPTION_HEIGHT + 32 if view.seats == 2 else HAND_TOP
    return Room(RIGHT, top, WIDTH - theme.MARGIN - RIGHT, HEIGHT - 10 - top, SIZES)


def rise_of(size: tuple[int, int]) -> int:
    """Return by how much a card of that size is raised if it fits."""
    return RISE if size[1] >= LEAST_WITH_SIGNS else 8


def held_places(held: int, room: Room) -> tuple[tuple[int, int], list[tuple[int, int]]]:
    """Return the size of that many cards, and the upper left corner of each that does not fit."""
    for size in room.sizes:
        small = size[1] < LEAST_WITH_SIGNS
        wide, tall = size[0] + (8 if small else GAP), size[1] + (16 if small else ROWS_APART)
        in_row, most = (room.width + wide - size[0]) // wide, room.height // tall
        if held <= in_row * most:
            break
    rows = -(-held // in_row)
    in_row = -(-held // rows)
    top = room.top + rise_of(size) + (0 if room.sizes is LARGE else (room.height - rows * tall) // 2)
    places = []
    for number in range(held):
        row, column = divmod(number, in_row)
        left = room.left + (room.width - wide * min(in_row, held - row * in_row) + wide - size[0]) // 2
        places.append((left + column * wide, top + row * tall))
    return size, places


def cards_of(view: FullCircleView) -> tuple[str, ...]:
    """Return the cards of the viewer's picture: the hand, after the card just drawn."""
    own = view.drawn is not None and view.to_move == view.viewer
    return (view.drawn, *view.hand) if own and view.drawn else tuple(view.hand)


def paint_hand(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the window and the other players, and the hand with the cards that fit raised."""
    room, cards = room_of(view, labels), cards_of(view)
    size, places = held_places(len(cards), room) if cards else ((0, 0), [])
    foot = max((y + size[1] + GAP for _, y in places), default=0)
    page = page_of(view, max(HEIGHT, foot), CIRCLE_AT, HAND_RADIUS)
    chosen = (view.drawn,) if view.drawn and view.to_move == view.viewer and not focus else tuple(focus)
    face = ":".join(filter(None, chosen))
    plays = view.plays()
    aimed = [play for play in plays if face and (play.face == face or play.face.startswith(f"{face}:"))]
    _place_heading(page, view, labels)
    place_circle(page, view, *CIRCLE_AT, HAND_RADIUS, aimed)
    for seat, box in other_boxes(view).items():
        place_seat(page, view, labels, seat, box)
    place_event(page, view, labels, CIRCLE_AT, HAND_RADIUS)
    if labels.large or not cards:
        _place_panel(page, view, labels)
    else:
        _place_caption(page, view, labels)
    asked = view.to_move == view.viewer and view.phase in (Phase.TURN, Phase.DRAWN)
    gift = chosen[1] if len(chosen) > 1 and chosen[0] == "give" else ""
    marked = gift or (chosen[:1] or ("",))[0]
    for number, (card, (x, y)) in enumerate(zip(cards, places, strict=True)):
        own = [play for play in plays if card_of(play.face) == card]
        if view.drawn and view.to_move == view.viewer and number:
            own = []  # another card like the one that was drawn
        doubles = {play.place for play in own if view.effects_of(play).double}
        is_chosen = card == marked and bool(own or gift)
        marked = "" if is_chosen else marked
        y -= rise_of(size) if own else 0
        _place_card(
            page, card, (x, y), size, asleep=bool(plays or asked) and not own, raised=bool(own), chosen=is_chosen
        )
        if own:
            _place_compass(page, x + size[0] // 2, y, size, {play.place for play in own}, doubles)
    return page


def _place_card(
    page: Page, card: str, at: tuple[int, int], size: tuple[int, int], *, asleep: bool, raised: bool, chosen: bool
) -> None:
    """Place a card of the hand. `asleep`: it does not fit now."""
    x, y = at
    if raised and size[1] >= LEAST_WITH_SIGNS:  # the shadows of many cards would make the file too large
        page.shade(x, y, *size, 14, 6, 130)
    page.place(card_face(card, *size, asleep), x, y)
    if chosen:
        page.place(chosen_frame(*size), x - 10, y - 10)


def _place_compass(page: Page, x: int, y: int, size: tuple[int, int], fits: set[Place], doubles: set[Place]) -> None:
    """Place, on the upper edge of a card, where it fits and where it is a Double Match."""
    marks = tuple("".join("1" if place in found else "0" for place in PLACES) for found in (fits, doubles))
    page.place(compass(68 if size[1] > 130 else 50 if size[1] >= LEAST_WITH_SIGNS else 36, *marks), x, y - 6, "mm")


def _place_heading(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Write whose turn it is and the round, or who won, and the viewer's total and wins in a row."""
    assert view.viewer is not None
    y = chrome.HEADER_LINE
    page.shade(-20, -40, WIDTH + 40, 124, 20, 16, 172, chrome.NIGHT, 0)
    own = view.to_move == view.viewer
    at = theme.MARGIN + 6
    if view.to_move is None:
        chrome.place_victory(page, labels, winners(view), 430)
        at += 454
    else:
        name = short_name(labels, view.to_move, 46, 240)
        turn = labels.say("picture.your_turn" if own else "picture.their_turn", name=name)
        at += page.text(at, y, turn, 46, theme.BRASS_LIGHT if own else theme.CREAM, 430) + 24
        at += page.text(at, y + 2, round_of(view, labels), theme.SMALL, theme.CREAM, 220) + 24
    right = WIDTH - theme.MARGIN - 6
    target = labels.say("picture.target", target=view.target)
    points = labels.say("picture.own_total", points=labels.count("points", view.totals[view.viewer]))
    wins = streak(view, view.viewer)
    taken = lettering.width(points, 46) + (FLAME + 14 if wins else 0)
    if right - lettering.width(target, theme.SMALL) - 36 - taken > at:
        right -= page.text(right, y, target, theme.SMALL, theme.CREAM, 470, "rm") + 36
    right -= page.text(right, y, points, 46, theme.BRASS_LIGHT, 400, "rm") + 14
    if wins:
        page.place(streak_flame(wins, FLAME), right, y, "rm")


def caption_box(view: FullCircleView) -> tuple[int, int, int, int]:
    """Return the box of the caption: left, top, width, height."""
    top = STRIPS_TOP if view.seats == 2 else STRIPS_TOP + chrome.STRIP_HEIGHT + 6
    return RIGHT, top, WIDTH - theme.MARGIN - RIGHT, CAPTION_HEIGHT


def _place_caption(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Place the pile, what happened last, and what the viewer can do."""
    left, top, width, height = caption_box(view)
    page.shade(left, top, width, height, 24, 2, 178, chrome.NIGHT, 0)
    place_pile(page, left + 14, top + 9, 70, view.pile)
    x, room = left + 108, width - 122
    lines = wrapped(words_of(view, labels), room)
    asked = view.to_move == view.viewer
    for number, line in enumerate(lines):
        y = top + (84 if len(lines) == 1 else 60 + 34 * number)
        page.text(x, y, line, theme.SMALL, theme.BRASS_LIGHT if asked else theme.CREAM, room)
    _place_newest(page, view, labels, x, top + (32 if len(lines) == 1 else 25), LINE_CARDS[len(lines) > 1])


def _place_panel(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Place the same in more room: no cards are beside the window."""
    left, top, width, _ = caption_box(view)
    foot = HEIGHT - (68 if labels.large else 24)  # large cards rise, and have their compasses above them
    place_panel(page, view, labels, (left, top, width, foot - top), aside=100)
    place_pile(page, left + width - 96, top + 14, 70, view.pile)


def _place_newest(page: Page, view: FullCircleView, labels: Labels, x: int, y: int, size: tuple[int, int]) -> None:
    """Place in a line who did what: a disc, a verb and, of a card, the card in that size and where it went."""
    seat, verb = newest(view)
    verb = "verb_drew_this" if view.drawn and verb == "verb_drew" else verb
    page.place(disc(labels, seat, 46), x, y, "lm")
    x += 56
    x += page.text(x, y, did_text(view, labels, seat, verb), theme.SMALL, theme.CREAM, 300) + 14
    if isinstance(view.last, Play):
        card = chip(view.last.face, *size)
        page.place(card, x, y, "lm")
        page.place(compass(size[1], *where(view.last.place)), x + card.size[0] + 12, y, "lm")
    elif view.drawn:
        page.place(chip(view.drawn, *size), x, y, "lm")


def other_boxes(view: FullCircleView) -> dict[int, tuple[int, int, int]]:
    """Return the box of each other player's strip by seat, in the order of play: left, top, width."""
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    edge, between = 16, 8
    wide = 554 if len(others) == 1 else (WIDTH - 2 * edge - between * (len(others) - 1)) // len(others)
    return {seat: (edge + number * (wide + between), STRIPS_TOP, wide) for number, seat in enumerate(others)}


def paint(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own picture."""
    return paint_table(view, labels) if view.viewer is None else paint_hand(view, labels, focus)
