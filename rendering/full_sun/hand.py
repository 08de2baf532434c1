"""A seat's picture of Full Sun: its hand, the trick above it in play order, and what each last card would need."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import fan_step, place_card, place_count, place_tag, plate
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.sprites import mix
from rendering.core.theme import Plate
from rendering.full_sun import emblems
from rendering.full_sun.narration import highest, in_play_order, playable, possible_species, progress
from rendering.full_sun.pieces import (
    FOREST,
    LAID,
    MEDAL,
    PLATE,
    SLOT,
    SLUG,
    face_of,
    faded,
    forest,
    medallion,
    place_of,
    sign_of,
    slot,
    small_leaf,
)
from rules.full_sun import SUITS, Backs, Face, FullSunView

FITS = Plate(theme.GOOD, mix(theme.GOOD, (0, 0, 0), 0.4), theme.BRASS, theme.CREAM, theme.CREAM)
"""The plate of a last card that needs exactly the tricks won."""
OVER = Plate(
    mix(FOREST, (0, 0, 0), 0.3), mix(FOREST, (0, 0, 0), 0.5), SLOT, mix(PLATE.soft, FOREST, 0.35),
    mix(PLATE.soft, FOREST, 0.25),
)  # fmt: skip
"""The plate of a last card that needs fewer."""

HELD = (196, 276)
HELD_IN_ROWS = (166, 234)
MOST_IN_A_ROW = 9

HEADING_LINE = 76
"""The middle of the line with the suit to follow and the points."""
TRICK_TOP = 168
NEEDS_TOP = 494
"""The line above the tricks won and needed."""
NEEDS_LEFT, NEED_WIDTH, NEED_GAP = 230, 150, 9
HELD_TOP, RISE = 684, 26
"""The upper edge of the hand, and how much higher a card lies that may be played."""


def hand(view: FullSunView, labels: Labels, focus: Sequence[str]) -> Page:
    """The viewer's hand below the trick, and what each possible last card would need."""
    size = held_size(view)
    rows = len(_rows(view))
    tall = rows * (size[1] + 34) + 2
    page = Page(SLUG, HELD_TOP + tall, forest, tall + RISE + 20)
    _heading(page, view, labels)
    _trick(page, view, labels, TRICK_TOP)
    _needs(page, view, labels, NEEDS_TOP)
    legal = playable(view)
    for card, (x, y) in zip(view.hand, held_places(view), strict=True):
        face = face_of(view, labels, card, size)
        chosen = card in focus or f"play {card}" in focus
        if legal and card not in legal:
            face = faded(face)
        raised = RISE if chosen and not _is_raised(view, card) else 0
        place_card(page, face, x, y - raised, theme.BRASS_LIGHT if chosen else None)
    return page


def held_size(view: FullSunView) -> tuple[int, int]:
    """Return the width and height of a card of the hand."""
    return HELD_IN_ROWS if len(view.hand) > MOST_IN_A_ROW else HELD


def _rows(view: FullSunView) -> list[Sequence[str]]:
    half = (len(view.hand) + 1) // 2
    return [view.hand[:half], view.hand[half:]] if len(view.hand) > MOST_IN_A_ROW else [view.hand]


def _is_raised(view: FullSunView, card: str) -> bool:
    legal = playable(view)
    return card in legal and len(legal) < len(view.hand)


def held_places(view: FullSunView) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    width, height = held_size(view)
    places = []
    for number, row in enumerate(_rows(view)):
        step = fan_step(len(row), width, WIDTH - 2 * theme.MARGIN)
        left = (WIDTH - width - step * (len(row) - 1)) // 2
        y = HELD_TOP + number * (height + 34)
        places += [(left + place * step, y - RISE if _is_raised(view, card) else y) for place, card in enumerate(row)]
    return places


def _heading(page: Page, view: FullSunView, labels: Labels) -> None:
    """Write whose turn it is, the suit to follow, the viewer's points."""
    assert view.viewer is not None
    own = view.to_move == view.viewer
    at = WIDTH - theme.MARGIN
    page.place(core.medal(100, str(view.points[view.viewer]), face=MEDAL), at, HEADING_LINE, "rm")
    at -= 124
    if view.follow:
        page.place(medallion(view.follow, 116), at, HEADING_LINE, "rm")
        at -= 130
        at -= page.text(at, HEADING_LINE, labels.say("picture.follow"), theme.BODY, PLATE.soft, 170, "rm") + 20
    elif own:
        at -= page.text(at, HEADING_LINE, labels.say("picture.any"), theme.BODY, theme.BRASS_LIGHT, 240, "rm") + 20
    room = at - theme.MARGIN - 4
    seat = view.viewer if view.to_move is None else view.to_move
    whole = labels.say("picture.their_turn", name="")
    name = lettering.shorten(drawable_name(labels, seat), theme.HEADING, room - 30 * len(whole))
    text = labels.say("picture.your_turn" if own else "picture.their_turn", name=name)
    page.text(theme.MARGIN + 4, 50, text, theme.HEADING, theme.CREAM, room)
    page.text(theme.MARGIN + 4, 112, progress(view, labels), theme.SMALL, PLATE.soft, room)


def _trick(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """Place the trick in play order. For players who have yet to play, show the suits of their cards (S1)."""
    best = highest(view)
    for place, seat in enumerate(in_play_order(view)):
        x = place_of(page, view.seats, place, y)
        if place < len(view.lays):
            lay, last = view.lays[place], place == len(view.lays) - 1
            face = face_of(view, labels, lay.card, LAID)
            place_card(page, face, x, y, theme.BRASS_LIGHT if last else None)
            if lay == best:
                place_tag(page, x + LAID[0] / 2, y + LAID[1] + 2, labels.say("picture.highest"), 150)
        else:
            page.place(slot(*LAID), x, y)
            _held_suits(page, view.backs[seat], x, y)
        name = labels.say("picture.you") if seat == view.viewer else drawable_name(labels, seat)
        colour = theme.BRASS_LIGHT if seat == view.to_move else theme.CREAM
        page.text(x + LAID[0] / 2, y + LAID[1] + 50, name, theme.SMALL, colour, 212, "mm")


def _held_suits(page: Page, backs: Backs, x: int, y: int) -> None:
    """Place suits with the number of cards of each, in two columns within a slot."""
    held = [(suit, cards) for suit, cards in zip(SUITS, backs, strict=True) if cards]
    for place, (suit, cards) in enumerate(held):
        left, top = x + 10 + 64 * (place % 2), y + 36 + 64 * (place // 2)
        page.place(small_leaf(suit), left, top, "lm")
        page.text(left + 38, top, str(cards), theme.SMALL - (cards > 9) * 6, theme.CREAM)


def _needs(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """Place the tricks won beside the tricks that each possible last card would need (S6)."""
    assert view.viewer is not None
    won = view.tricks_won[view.viewer]
    page.text(theme.MARGIN + 4, y, labels.say("picture.won"), theme.SMALL, PLATE.soft, 200)
    taken = core.sign(emblems.cards_taken, 72, theme.BRASS_LIGHT, FOREST)
    place_count(page, theme.MARGIN, y + 72, taken, str(won), 64, theme.CREAM)
    left, width, gap = NEEDS_LEFT, NEED_WIDTH, NEED_GAP
    page.text(left + 2, y, labels.say("picture.need"), theme.SMALL, PLATE.soft, 920)
    for place, card in enumerate(possible_species(view)):
        at = left + place * (width + gap), y + 26, width
        _need(page, labels, card, view.face(card), (won, view.tricks - view.trick_number + 1), at)


def _need(
    page: Page, labels: Labels, card: str, face: Face, tricks: tuple[int, int], box: tuple[int, int, int]
) -> None:
    """A chip: the species, the tricks it needs, and how far the viewer is from them. `tricks`: how many the viewer has
    won, and how many are left to win, the current one included.
    """
    x, y, width = box
    won, left = tricks
    missing = face.pips - won
    colours = FITS if missing == 0 else PLATE if 0 < missing <= left else OVER
    page.place(plate(width, 112, colours, missing == 0), x, y)
    page.place(medallion(sign_of(card), 62), x + 12, y + 38, "lm")
    page.text(x + width - 20, y + 38, str(face.pips), 52, colours.text, 60, "rm", lettering.DISPLAY)
    key = "exact" if missing == 0 else "over_by" if missing < 0 else "more" if missing <= left else "too_late"
    text = labels.say(f"picture.{key}", number=abs(missing))
    page.text(x + width / 2, y + 86, text, theme.SMALL, colours.soft, width - 12, "mm")
