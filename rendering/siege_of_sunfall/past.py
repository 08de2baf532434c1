"""Siege of Sunfall's cover, and the last opened pledges."""

from __future__ import annotations

from rendering.core import chrome, lettering, theme
from rendering.core.art import aglow, cut
from rendering.core.canvas import MOST_HAND_BYTES, WIDTH, Page
from rendering.core.discs import first_fit
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import assault_of, results_of
from rendering.siege_of_sunfall.picture import (
    APART,
    Layout,
    event_of,
    page_of,
    place_banner,
)
from rendering.siege_of_sunfall.pieces import SLUG, sprite_of
from rendering.siege_of_sunfall.scene import (
    DARK,
    FACE,
    SUNLIT,
    columns_of,
    figure_of,
    place_fallen,
    place_foes,
    place_goods,
    place_guard,
    place_name,
    place_spent,
    place_stack,
    place_track,
    place_wall,
)
from rendering.siege_of_sunfall.stage import SUN_AT, scene
from rules.siege_of_sunfall.types import Card, Kind, SiegeView

LAST = Layout(764, 364, (124, 4, 210), 132, 196, (454,), 1.08)


def paint_cover(labels: Labels) -> Page:
    """Paint a guard with a raised fist, and before the sun the one who leads the host; the title above them."""
    page = Page(f"{SLUG}_evening", 640, scene("evening", 430, 520, 2.4))
    place_foes(page, Card(Kind.SWORDS, 10), 300, 500, 170)
    champion = sprite_of("champion")
    page.place(cut(champion, champion.size[0], 350), SUN_AT + 60, 520, "mb")
    place_wall(page, 520)
    hero = sprite_of("hero")
    page.place(aglow(hero, 12, SUNLIT, 0.6), 280, 744, "mb")
    page.place(hero, 280, 720, "mb")
    chrome.place_title(page, labels, 76, FACE, DARK)
    return page


def paint_last(view: SiegeView, labels: Labels) -> Page | None:
    """Paint the last opened pledges, and their result: the sections of those who pledged least break if it fell."""
    reveal = view.open_reveal or view.last_reveal
    if reveal is None:
        return None
    view, layout = view._replace(outcome=None, open_reveal=reveal), LAST
    page = page_of(view, layout, MOST_HAND_BYTES)
    if reveal.repelled is False:
        place_foes(page, reveal.card, layout.beside - 20, layout.walls[0], layout.walls[0] - layout.purse - 40)
    place_banner(page, labels, reveal.card, layout.card)
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    columns = columns_of(seats, layout.walls, layout.grow)
    if not labels.plain:
        place_wall(page, layout.walls[0], [columns[seat] for seat in reveal.eliminated])
    for seat, column in columns.items():
        if seat in reveal.eliminated:
            place_fallen(page, labels, seat, column)
            place_spent(page, reveal, seat, column, figure_of(reveal, seat))
        else:
            lit = seat == reveal.taker or (reveal.taker is None and seat in reveal.tied)
            place_guard(page, labels, seat, column.guard, arm="palm", lit=lit, cool=not lit)
            place_stack(page, reveal, labels, seat, column.guard, layout.walls[0] - layout.hem)
        place_name(page, labels, seat, column, "turn" if seat == reveal.taker else "idle")
    place_goods(page, view, labels, columns, alone=True)
    (text, _, ink, _), right = event_of(view, reveal, labels), WIDTH - theme.MARGIN
    left, room = layout.beside, right - layout.beside
    page.text(left, 56, text, lettering.fitting(text, 92, 50, room, FACE), ink, room, "lm", FACE, DARK)
    said = first_fit(results_of(view, reveal, labels), 42, room)
    page.text(left, layout.need, said, 42, theme.CREAM, room, halo=DARK)
    text = assault_of(reveal, labels)
    left += page.text(left, layout.purse, text, theme.SMALL, theme.CREAM, room, halo=DARK) + APART
    place_track(page, reveal.card.strength, reveal.total, left, layout.purse, right)
    return page
