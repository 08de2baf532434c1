"""A seat's picture of Full Sun, in three bands: the wood with the trick, a ruler of light that says what each number of
tricks brings, and the cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import cards, chrome, lettering, theme
from rendering.core.art import art, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_beside, raised, tall_height
from rendering.core.discs import first_fit
from rendering.core.labels import Labels
from rendering.core.sprites import Colour
from rendering.full_sun import trick
from rendering.full_sun.glade import EVENING, NIGHT, SLUG, page_of, thicket, weather_of
from rendering.full_sun.narration import playable, possible_species, progress
from rendering.full_sun.pieces import CREAM, FACE, face_of, mark, place_board, resting, sign_of
from rules.full_sun.types import FullSunView

HEIGHT = 800
HELD = (168, 240)
LARGE = (264, 372)
"""A card of the hand in large print."""
FOOT, SIGN = 236, 62
"""The line of the trees' feet, and the height of a sign."""
BOARDS = 288
RULER, RUNG = 464, 70
"""The upper edge of the ruler of light, and its height."""
HELD_TOP, RISE = 554, 18
"""The upper edge of the hand, and how much higher a card lies that may be played."""


def hand(view: FullSunView, labels: Labels, focus: Sequence[str]) -> Page:
    """The viewer's hand below the trick, and what each possible last card would need."""
    size, height = (LARGE, tall_height(len(view.hand), LARGE, HELD_TOP)) if labels.large else (HELD, HEIGHT)
    page = page_of(view, height, thicket)
    parts = progress(view, labels), labels.say("picture.goal", points=labels.count("points", view.target))
    told = trick.happened(view, labels, trick.HEAD)
    words = lettering.width(first_fit(told, theme.SMALL, trick.HEAD), theme.SMALL) if told else 0
    (lays, over), look = trick.shown_trick(view), look_of(view)._replace(words=theme.MARGIN + words)
    trick.place_trick(page, view, labels, lays, look, over=over is not None)
    chrome.place_head(page, trick.demand_of(view, labels), parts, told, face=FACE, dark=NIGHT)
    for seat in range(view.seats):
        _, x, width = trick.column(view.seats, seat)
        own = labels.say("picture.you") if seat == view.viewer else ""
        box, lit = (x, BOARDS, width), seat == view.to_move
        trick.place_player(page, view, labels, seat, box, name=own, lit=lit, rows=trick.LOW)
        trick.place_slips(page, view, seat, box, trick.LOW)
        if seat != view.viewer and any(map(any, view.backs)):
            page.name("suits", sum(map(bool, view.backs[seat])))
    _ruler(page, view, labels)
    legal = playable(view)
    up, places = raised(view.hand, legal), held_places(view, large=labels.large)
    if not (labels.plain or labels.large):
        stools, hedgehog = (
            toned(art(f"{SLUG}/{name}"), EVENING[weather_of(view)]) for name in ("toadstools", "hedgehog")
        )
        place_beside(page, places[0][0], stools, hedgehog)
    shown = places[1][0] - places[0][0] if len(places) > 1 else 0
    shown = shown if shown < size[0] else 0
    for card, (x, y) in zip(view.hand, places, strict=True):
        face = face_of(view, labels, card, size, shown)
        cards.place_held(page, card, face if card in legal else resting(face), x, y, focus, RISE * (card not in up))
        page.name("pips", part=(0, 0.4, 0.4, 0.6))
    return page


def look_of(view: FullSunView) -> trick.Look:
    """Return how the trick stands above a hand."""
    return trick.Look(FOOT, 0.2, ({3: 260, 4: 230}.get(view.seats, 198), SIGN), 56, 56)


def held_places(view: FullSunView, *, large: bool = False) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    up = raised(view.hand, playable(view))
    return cards.held_places(view.hand, up, LARGE if large else HELD, HELD_TOP, RISE, large=large)


# The ruler of light


def _ruler(page: Page, view: FullSunView, labels: Labels) -> None:
    """Place which last cards the viewer may still choose, each with the tricks that it needs and what it would bring
    now.
    """
    assert view.viewer is not None
    held = {sign_of(card): card for card in possible_species(view)}
    rungs = sorted(held.values(), key=lambda card: (view.face(card).pips, card))
    said = labels.say("picture.last_card")
    x = theme.MARGIN + 16 + page.text(theme.MARGIN, RULER + RUNG / 2, said, theme.SMALL, theme.CREAM, halo=NIGHT)
    step = min(MOST_RUNG, (WIDTH - 10 - x) // max(1, len(rungs)))
    for card in rungs:
        _rung(page, view, labels, card, (x, step - 6))
        x += step
    page.name("needed", 4 * bool(rungs))


MOST_RUNG = 214
"""The most pixels from one rung to the next."""
SPENT: Colour = (190, 186, 170)
"""The writing on a rung that can no longer score."""
MOONLIT: Colour = (126, 140, 160)
"""The shade of its board."""


def _rung(page: Page, view: FullSunView, labels: Labels, card: str, box: tuple[int, int]) -> None:
    """Place a rung: the card's sign, the tricks it needs, and what the viewer gets for it now or still has to win."""
    assert view.viewer is not None
    (x, width), pips, left = box, view.face(card).pips, view.tricks - view.trick_number + 1
    missing = pips - view.tricks_won[view.viewer]
    fits, able = missing == 0, 0 <= missing <= left
    ink, tone = (CREAM, None) if able else (SPENT, MOONLIT)
    place_board(page, "board_fits" if fits else "board_rung", x, RULER, width, RUNG, tone)
    page.place(mark(sign_of(card), 38, ink), x + width / 2 - 6, RULER + 20, "rm")
    page.text(x + width / 2 + 8, RULER + 20, str(pips), 40, ink, 60, "lm", FACE)
    text = labels.say("picture.result_point" if fits else "picture.more", number=missing)
    text = text if able else labels.count("points", 0)
    page.text(x + width / 2, RULER + 53, text, theme.SMALL, ink, width - 6, "mm", squeezed=theme.SQUEEZED)
