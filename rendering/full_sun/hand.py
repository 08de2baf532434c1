"""A seat's picture of Full Sun: its hand, the rivals and the trick in the order of play, and what last cards need."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import fan_step, place_card, raised, tall_height, tall_rows
from rendering.core.chrome import Score, place_own_turn, place_strip
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, mix, sprite
from rendering.full_sun import emblems
from rendering.full_sun.narration import ahead, in_play_order, playable, played, possible_species
from rendering.full_sun.pieces import (
    BACK_GAP,
    BACK_WIDTH,
    backs_width,
    face_of,
    faded,
    medallion,
    page_of,
    place_backs,
    sign_of,
    turning,
)
from rules.full_sun import Face, FullSunView

HEIGHT = 764
HELD = (162, 228)
LARGE = (264, 372)
"""A card of the hand in large print."""
SMALL = (112, 148)
"""A card of the trick above the hand."""
HEADING_LINE = 46
"""The middle of the line with the suit to follow and the points."""
POINTS_AT = 700
"""The left end of the viewer's points."""
RIVALS_TOP, BAR = 84, 46
TRICK_TOP = 270
TOLD_TOP, TOLD_HEIGHT, TOLD_PAD = 248, 54, 22
"""The line with what just happened, above the free places of the trick."""
NEEDS_TOP = 430
WON_WIDTH, NEED_WIDTH, NEED_GAP, NEED_HEIGHT = 124, 166, 8, 90
HELD_TOP, RISE = HEIGHT - HELD[1] + 8, 26
"""The upper edge of the hand, and how much higher a card lies that may be played."""


def hand(view: FullSunView, labels: Labels, focus: Sequence[str]) -> Page:
    """The viewer's hand below the trick, and what each possible last card would need."""
    size, height = (LARGE, tall_height(len(view.hand), LARGE, HELD_TOP)) if labels.large else (HELD, HEIGHT)
    page = page_of(view, height, 0.5)
    _heading(page, view, labels)
    _rivals(page, view, labels)
    _trick(page, view, labels)
    _needs(page, view, labels)
    legal = playable(view)
    up = raised(view.hand, legal)
    for card, (x, y) in zip(view.hand, held_places(view, large=labels.large), strict=True):
        face = face_of(view, labels, card, size)
        chosen = card in focus or f"play {card}" in focus
        if legal and card not in legal:
            face = faded(face)
        rise = RISE if chosen and card not in up else 0
        place_card(page, face, x, y - rise, theme.BRASS_LIGHT if chosen else None)
    return page


def held_places(view: FullSunView, *, large: bool = False) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    up = raised(view.hand, playable(view))
    if large:
        places = zip(view.hand, tall_rows(len(view.hand), LARGE, HELD_TOP), strict=True)
        return [(x, y - RISE if card in up else y) for card, (x, y) in places]
    width = HELD[0]
    step = fan_step(len(view.hand), width, WIDTH - 2 * theme.MARGIN)
    left = (WIDTH - width - step * (len(view.hand) - 1)) // 2
    return [(left + place * step, HELD_TOP - RISE if card in up else HELD_TOP) for place, card in enumerate(view.hand)]


def _heading(page: Page, view: FullSunView, labels: Labels) -> None:
    """Write whose turn it is, the trick, the direction of play, the viewer's points, and the suit to follow."""
    assert view.viewer is not None
    own = view.to_move == view.viewer
    page.shade(-20, -40, WIDTH + 40, 124, 20, 16, 150, chrome.NIGHT, 0)
    seat = view.viewer if view.to_move is None else view.to_move
    text = labels.say("picture.your_turn" if own else "picture.their_turn", name=short_name(labels, seat, 46, 220))
    at: float = theme.MARGIN + 6
    if own:
        at = place_own_turn(page, text, 46, 400) + 14
    else:
        at += page.text(at, HEADING_LINE, text, 46, theme.CREAM, 400) + 22
    trick = labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)
    at += page.text(at, HEADING_LINE + 2, trick, theme.SMALL, theme.CREAM, round(POINTS_AT - 70 - at)) + 10
    page.place(turning(54, view.clockwise), at, HEADING_LINE, "lm")
    for number in range(view.target):
        filled = number < view.points[view.viewer]
        page.place(chrome.socket(30, filled), POINTS_AT + number * chrome.SOCKET, HEADING_LINE, "lm")
    right = WIDTH - theme.MARGIN
    if view.follow:
        page.place(medallion(view.follow, 92), right, HEADING_LINE, "rm")
        page.text(right - 104, HEADING_LINE, labels.say("picture.follow"), theme.SMALL, theme.CREAM, 200, "rm")
    elif own:
        page.text(right, HEADING_LINE, labels.say("picture.any"), theme.SMALL, theme.BRASS_LIGHT, 260, "rm")


def _rivals(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place the other players in the order of play from the viewer on: points, tricks, and the suits that they hold."""
    assert view.viewer is not None
    step = 1 if view.clockwise else -1
    order = [(view.viewer + step * place) % view.seats for place in range(1, view.seats)]
    gap, margin = (10, theme.MARGIN) if len(order) < 4 else (6, 12)
    wide = min(420, (WIDTH - 2 * margin - (len(order) - 1) * gap) // len(order))
    left = (WIDTH - wide * len(order) - gap * (len(order) - 1)) // 2
    for number, seat in enumerate(order):
        x = left + number * (wide + gap)
        turn: chrome.Turn = "turn" if seat == view.to_move else ""
        tokens = [chrome.token(emblems.acorn, 42)] if seat == view.dealer else []
        sign = core.sign(emblems.cards_taken, 36 if wide < chrome.NARROW else 46, theme.PAPER_EDGE, chrome.NIGHT)
        taken = chrome.Stat(sign, str(view.tricks_won[seat]))
        score = Score(view.points[seat], view.target)
        place_strip(page, labels, seat, (x, RIVALS_TOP, wide), turn, score, [taken], tokens=tokens)
        line = RIVALS_TOP + chrome.STRIP_HEIGHT + BAR // 2 + 2
        small = wide < 5 * (BACK_WIDTH + BACK_GAP)
        if not any(view.backs[seat]):
            continue
        full = backs_width(view.backs[seat], small=small)
        bar = full + (8 if small else 16)
        page.shade(x + (wide - bar) // 2, line - BAR // 2, bar, BAR, BAR // 2, 2, 205, chrome.NIGHT, 0)
        place_backs(page, x + (wide - full) // 2, line, view.backs[seat], small=small)


def _told(view: FullSunView, labels: Labels, room: int) -> str:
    """Return who played the last card or, until a card of the next trick lies there, who took the last one. `room`: the
    width for it.
    """
    if view.lays:
        lay = view.lays[-1]
        name = "" if lay.seat == view.viewer else short_name(labels, lay.seat, 46, 220)
        return played(labels, lay, name, room)
    if view.trick_number == 1 or view.last_trick is None:
        return ""
    winner = view.last_trick.winner
    if winner == view.viewer:
        return labels.say("picture.you_took")
    return labels.say("picture.last_taken", name=short_name(labels, winner, theme.SMALL, 400))


def trick_left(view: FullSunView, place: int) -> int:
    """Return the left edge of a place of the trick."""
    step = 206
    return round(WIDTH / 2 - step * (view.seats - 1) / 2 + step * place) - SMALL[0] // 2


def _trick(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place the trick in the order of play, each card with its player's disc; a crown: it wins so far."""
    best = ahead(view, view.lays)
    width, height = SMALL
    top, slot, laid = TRICK_TOP, height, len(view.lays)
    left = trick_left(view, laid - 1) + width + 18 if laid else 0  # it is told above the free places
    if laid < view.seats and (told := _told(view, labels, WIDTH - left - 2 * TOLD_PAD - 6)):
        wide = lettering.width(told, theme.SMALL) + 2 * TOLD_PAD
        middle = WIDTH / 2
        if laid:
            free = (trick_left(view, laid) + trick_left(view, view.seats - 1) + width) / 2
            middle = min(max(free, left + wide / 2), WIDTH - 6 - wide / 2)
        page.shade(round(middle - wide / 2), TOLD_TOP, wide, TOLD_HEIGHT, TOLD_HEIGHT // 2, 2, 190, chrome.NIGHT, 0)
        page.text(middle, TOLD_TOP + TOLD_HEIGHT / 2, told, theme.SMALL, theme.BRASS_LIGHT, wide, "mm")
        top = TOLD_TOP + TOLD_HEIGHT + 12
        slot += TRICK_TOP - top
    for place, seat in enumerate(in_play_order(view)):
        x = trick_left(view, place)
        if place < len(view.lays):
            place_card(page, face_of(view, labels, view.lays[place].card, SMALL), x, TRICK_TOP)
            if place == len(view.lays) - 1:
                chrome.place_last(page, x, TRICK_TOP, width, height)
        else:
            page.shade(x, top, width, slot, 12, 2, 150, chrome.NIGHT, 0)
            chrome.place_slot(page, x, top, width, slot, turn=place == len(view.lays))
            if seat == view.viewer:
                page.text(
                    x + width / 2,
                    top + slot / 2,
                    labels.say("picture.you"),
                    theme.SMALL,
                    theme.CREAM,
                    width,
                    "mm",
                )
        page.place(disc(labels, seat, 60), x - 34, TRICK_TOP + height - 34, "mm")
        if place == best:
            page.place(chrome.crown(54), x + width / 2, TRICK_TOP + 8, "mb")


def needs_left(view: FullSunView) -> int:
    """Return the left edge of the row of `_needs`."""
    return (WIDTH - WON_WIDTH - len(possible_species(view)) * (NEED_WIDTH + NEED_GAP)) // 2


def _needs(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place the tricks won beside the tricks that each possible last card would need (S6)."""
    assert view.viewer is not None
    won, left = view.tricks_won[view.viewer], needs_left(view)
    page.shade(left, NEEDS_TOP, WON_WIDTH, NEED_HEIGHT, 20, 2, 190, chrome.NIGHT, 0)
    sign = core.sign(emblems.cards_taken, 46, theme.PAPER_EDGE, chrome.NIGHT)
    page.place(sign, left + 12, NEEDS_TOP + 27, "lm")
    page.text(left + 70, NEEDS_TOP + 27, str(won), 48, theme.CREAM, 60, "lm", lettering.DISPLAY)
    page.text(left + WON_WIDTH / 2, NEEDS_TOP + 64, labels.say("picture.won"), theme.SMALL, theme.CREAM, 118, "mm")
    for place, card in enumerate(possible_species(view)):
        at = left + WON_WIDTH + NEED_GAP + place * (NEED_WIDTH + NEED_GAP), NEEDS_TOP
        _need(page, labels, card, view.face(card), (won, view.tricks - view.trick_number + 1), at)


def _need(page: Page, labels: Labels, card: str, face: Face, tricks: tuple[int, int], at: tuple[int, int]) -> None:
    """A chip: the species, the tricks it needs, and how far the viewer is from them. `tricks`: how many the viewer has
    won, and how many are left to win, the current one included.
    """
    x, y = at
    won, left = tricks
    missing = face.pips - won
    key = "exact" if missing == 0 else "over_by" if missing < 0 else "more" if missing <= left else "too_late"
    page.place(_chip(NEED_WIDTH, NEED_HEIGHT, key == "exact", key in ("exact", "more")), x, y)
    page.place(medallion(sign_of(card), 48), x + 12, y + 27, "lm")
    ink = theme.CREAM if key in ("exact", "more") else SPENT
    page.text(x + NEED_WIDTH - 24, y + 27, str(face.pips), 48, ink, 60, "rm", lettering.DISPLAY)
    text = labels.say(f"picture.{key}", number=abs(missing))
    page.text(x + NEED_WIDTH / 2, y + 64, text, theme.SMALL, ink, NEED_WIDTH - 10, "mm")


SPENT: Colour = (176, 170, 150)
"""The writing on a chip whose card can no longer score."""


@sprite
def _chip(width: int, height: int, fits: bool, open_: bool) -> Pixels:
    """A chip: green if the card fits now, dark if it can no longer score."""
    pen = Pen(width, height)
    face = theme.GOOD if fits else (84, 62, 38) if open_ else (52, 50, 44)
    pen.box(0, 0, width, height, 18, mix(face, (0, 0, 0), 0.5))
    pen.box(2, 2, width - 2, height - 5, 16, face)
    if fits:
        pen.box(2, 2, width - 2, height - 5, 16, None, theme.BRASS_LIGHT, 4)
    return pen.pixels()
