"""A seat's picture of Full Sun, in three bands: the wood with the trick, a ruler of light that says what each number of
tricks brings, and the cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import fan_step, place_card, raised, tall_height, tall_rows
from rendering.core.labels import Labels
from rendering.core.sprites import Colour
from rendering.full_sun import trick
from rendering.full_sun.glade import NIGHT, page_of, thicket
from rendering.full_sun.narration import playable, possible_species
from rendering.full_sun.pieces import CREAM, FACE, face_of, mark, place_board, resting, sign_of
from rules.full_sun import SUITS, FullSunView

HEIGHT = 764
HELD = (168, 240)
LARGE = (264, 372)
"""A card of the hand in large print."""
HEADING_LINE, SMALL_LINE = 42, 92
FOOT, SIGN = 206, 64
"""The line of the trees' feet, and the height of a sign."""
BOARDS = 266
RULER, RUNG = 452, 74
"""The upper edge of the ruler of light, and its height."""
HELD_TOP, RISE = 566, 28
"""The upper edge of the hand, and how much higher a card lies that may be played."""


def hand(view: FullSunView, labels: Labels, focus: Sequence[str]) -> Page:
    """The viewer's hand below the trick, and what each possible last card would need."""
    size, height = (LARGE, tall_height(len(view.hand), LARGE, HELD_TOP)) if labels.large else (HELD, HEIGHT)
    page = page_of(view, height, thicket)
    _heading(page, view, labels)
    trick.place_trick(page, view, labels, view.lays, look_of(view))
    for seat in range(view.seats):
        _, x, width = trick.column(view.seats, seat)
        own = labels.say("picture.you") if seat == view.viewer else ""
        box, lit = (x, BOARDS, width), seat == view.to_move
        trick.place_player(page, view, labels, seat, box, name=own, lit=lit, rows=trick.LOW)
        trick.place_slips(page, view, seat, box, trick.LOW)
        if seat != view.viewer and any(map(any, view.backs)):
            page.name("suits", len(SUITS))
    _ruler(page, view, labels)
    legal = playable(view)
    up, places = raised(view.hand, legal), held_places(view, large=labels.large)
    shown = places[1][0] - places[0][0] if len(places) > 1 else 0
    shown = shown if shown < size[0] else 0
    for card, (x, y) in zip(view.hand, places, strict=True):
        face = face_of(view, labels, card, size, shown)
        chosen = card in focus or f"play {card}" in focus
        if legal and card not in legal:
            face = resting(face)
        rise = RISE if chosen and card not in up else 0
        place_card(page, face, x, y - rise, theme.BRASS_LIGHT if chosen else None)
    page.name("pips")
    return page


def look_of(view: FullSunView) -> trick.Look:
    """Return how the trick stands above a hand."""
    return trick.Look(FOOT, 0.235, ({3: 260, 4: 230}.get(view.seats, 198), SIGN), 56)


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
    """Write who must do what, which trick it is, what just happened, and what everyone is after."""
    number = labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)
    goal = labels.say("picture.goal", points=labels.count("points", view.target))
    trick.write_large(page, trick.demand_of(view, labels), (number, ""), HEADING_LINE)
    wide = page.text(WIDTH - theme.MARGIN, SMALL_LINE, goal, theme.SMALL, theme.CREAM, 400, "rm", halo=NIGHT)
    trick.write_small(page, trick.happened(view, labels, WIDTH), trick.HEAD - wide - 30, SMALL_LINE)


# The ruler of light


def rungs_of(view: FullSunView) -> list[tuple[str, bool]]:
    """Return a card of each kind, by the tricks that it needs as a last card, and whether the viewer may end so."""
    held = {sign_of(card): card for card in possible_species(view)}
    kinds = {"B": "B1", "R": "R1", "S": "S1", "L": "L1", "Rain": "Rain", "Sun": "Sun", **held}
    return sorted(
        ((card, key in held) for key, card in kinds.items()), key=lambda rung: (view.face(rung[0]).pips, rung[0])
    )


def rung_boxes(view: FullSunView, labels: Labels) -> list[tuple[int, int]]:
    """Return the left edge and the width of each rung: beside the words that say what they are."""
    left = theme.MARGIN + 18 + max(lettering.width(text, theme.SMALL) for text in _question(view, labels))
    step = (WIDTH - 10 - left) // 6
    return [(left + step * place, step - 6) for place in range(6)]


def _question(view: FullSunView, labels: Labels) -> tuple[str, str]:
    """Return how many tricks the viewer has won, and what to compare them with."""
    assert view.viewer is not None
    won = view.tricks_won[view.viewer]
    return labels.count("won", won), labels.say("picture.last_card")


def _ruler(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place what each number of tricks brings: which last card needs it, and how far the viewer is from it."""
    for line, text in zip((20, 53), _question(view, labels), strict=True):
        page.text(theme.MARGIN, RULER + line, text, theme.SMALL, theme.CREAM, halo=NIGHT)
    for (card, held), box in zip(rungs_of(view), rung_boxes(view, labels), strict=True):
        _rung(page, view, labels, card, box, held=held)


SPENT: Colour = (190, 186, 170)
"""The writing on a rung that can no longer score, or whose card the viewer does not hold."""
RUNGS: dict[str, tuple[str, Colour | None]] = {
    "exact": ("board_fits", None), "more": ("board_rung", None), "over_by": ("board_rung", (126, 140, 160)),
    "too_late": ("board_rung", (126, 140, 160)), "": ("board_rung", (76, 92, 116)),
}  # fmt: skip
"""The board of a rung, and its shade."""


def _rung(page: Page, view: FullSunView, labels: Labels, card: str, box: tuple[int, int], *, held: bool) -> None:
    """Place a rung: the card's sign, the tricks it needs, and how far the viewer is from them."""
    assert view.viewer is not None
    (x, width), pips, left = box, view.face(card).pips, view.tricks - view.trick_number + 1
    missing = pips - view.tricks_won[view.viewer]
    key = "over_by" if missing < 0 else "exact" if missing == 0 else "more" if missing <= left else "too_late"
    key = key if held else ""
    kind, tone = RUNGS[key]
    place_board(page, kind, x, RULER, width, RUNG, tone)
    ink = CREAM if key in ("exact", "more") else SPENT
    line = RULER + (20 if held else RUNG // 2)
    page.place(mark(sign_of(card), 38, ink), x + width / 2 - 6, line, "rm")
    page.text(x + width / 2 + 8, line, str(pips), 44, ink, 60, "lm", FACE)
    if held:
        text = labels.say(f"picture.{key}", number=abs(missing))
        page.text(x + width / 2, RULER + 53, text, theme.SMALL, ink, width - 6, "mm")
        page.name("needed", 4)
