"""A seat's own picture of Siege of Sunfall: the faced card, the question or the own seal, and all players on the wall.

Over the heads coins lie only while the pledges are open, as on the table; a seal has pledged. What each player pledged
for the last card is told in a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.labels import Labels
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.picture import (
    PAST_LINE,
    awaited_of,
    concerned,
    event_of,
    is_past,
    left_of,
    page_of,
    paint_table,
    place_faced,
    place_head,
    place_need,
    place_people,
    place_plate,
    result_of,
    shown_reveal,
)
from rendering.siege_of_sunfall.pieces import mini_card
from rendering.siege_of_sunfall.scene import (
    COLUMN,
    Column,
    assault_width,
    columns_of,
    place_assault,
    place_group,
    place_player,
    place_spent,
    place_stack,
    place_tab,
    place_track,
)
from rules.siege_of_sunfall.types import BOOST_ADDS, Kind, Phase, Reveal, SiegeView


class Layout(NamedTuple):
    """Where the parts of the picture are, and how much larger than usual they are."""

    height: int
    card: tuple[int, int]
    news: int
    """The middle of the line about the pledges opened last."""
    walls: tuple[int, ...]
    """The top of the wall of each row of players."""
    grow: float


TOP = 92
"""The upper edge of the faced card."""
USUAL = Layout(764, (140, 196), 326, (494,), 1.0)
LARGE = (Layout(1180, (260, 364), 524, (778,), 1.4), Layout(1456, (240, 336), 466, (650, 1122), 1.2))
"""In large print: with up to three players, and with more, in two rows."""


def layout_of(view: SiegeView, labels: Labels) -> Layout:
    """Return where the parts of that seat's picture are."""
    return LARGE[view.seats > 3] if labels.large else USUAL


def columns(view: SiegeView, labels: Labels) -> dict[int, Column]:
    """Return the column of each player, the viewer's first, then in the order of seats."""
    assert view.viewer is not None
    layout = layout_of(view, labels)
    seats = [(view.viewer + step) % view.seats for step in range(view.seats)]
    return columns_of(seats, layout.walls, layout.grow)


def panel_left(layout: Layout) -> int:
    """Return the left edge of the panel beside the faced card."""
    return 36 + layout.card[0] + 40


def paint_own(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, what it asks for, the viewer's seal or choice, what happened last, and the wall."""
    seat = view.viewer
    assert seat is not None
    layout = layout_of(view, labels)
    page = page_of(view, layout.height, *layout.walls)
    status = status_of(view, seat)
    asked = status.startswith("asked") or status == "wins"
    _place_heading(page, view, labels, status, asked)
    place_faced(page, view, labels, (36, TOP), layout.card)
    left, right = panel_left(layout), WIDTH - theme.MARGIN
    page.shade(left, TOP, right - left, layout.card[1], 28, 2, 190, chrome.NIGHT, 0)
    _place_panel(page, view, labels, focus, layout)
    reveal = shown_reveal(view)
    people = columns(view, labels)
    if reveal is not None:
        place_group(page, theme.MARGIN, layout.news - 32, 64 + PAST_LINE * is_past(view))
    told = _place_news(page, view, reveal, labels, layout.news)
    if reveal is not None and is_past(view):
        x, y, right = theme.MARGIN + 20, layout.news + PAST_LINE + 2, WIDTH - theme.MARGIN - 20
        x = place_spent(page, reveal, labels, tuple(people), (x, y, right)) + 30
        if not told and right - x >= assault_width(reveal, labels):
            place_assault(page, reveal, labels, x, y, right)
    for other, column in people.items():
        if view.open_reveal is not None:
            place_stack(page, view.open_reveal, labels, other, column, column.wall - _room_above(layout, column))
        place_player(page, view, labels, other, column, labels.say("picture.you") if other == seat else "")
    return page


def _room_above(layout: Layout, column: Column) -> int:
    """Return the y above which a stack of coins of that column may not reach."""
    above = [wall for wall in layout.walls if wall < column.wall]
    return above[-1] + column.px(COLUMN) if above else layout.news + 34


def _place_heading(page: Page, view: SiegeView, labels: Labels, status: str, asked: bool) -> None:
    """Write what the viewer is to do, for whom the match waits, or who won; the round, and what is left of it."""
    left = left_of(view, labels)
    if view.outcome and status == "lost":
        text, _ = chrome.victory(labels, view.outcome.winners, 660)
    elif status == "sealed":
        text = awaited_of(view, labels, WIDTH - 2 * theme.MARGIN - 40 - lettering.width(left, theme.SMALL), 40)
    else:
        text = labels.say(f"ask.{status}")
    round_ = labels.say("picture.over" if view.outcome else "picture.round", round=view.round, rounds=view.rounds)
    ink = theme.BRASS_LIGHT if asked else theme.CREAM
    both = " · ".join(filter(None, (round_, left)))
    fits = lettering.width(text, 40) + lettering.width(both, theme.SMALL) < WIDTH - 2 * theme.MARGIN - 40
    place_head(page, text, both if fits else left or round_, ink)


def _place_panel(page: Page, view: SiegeView, labels: Labels, focus: Sequence[str], layout: Layout) -> None:
    """Place, below each other, what the card needs or brings, torches or a rule, and the seal, or who is missing."""
    left, right = panel_left(layout) + 28, WIDTH - theme.MARGIN - 24
    chosen = _chosen(view, focus)
    if not view.outcome and chosen is None:  # a choice says what it leaves
        right -= PURSE
        _place_purse(page, view, labels, right + PURSE // 2 + 8, layout)
    first, second, third = (TOP + round(layout.card[1] * part) for part in (0.19, 0.49, 0.79))
    size = round(48 * (1 + (layout.grow - 1) / 2))
    place_need(page, view, labels, (left, first, right), size)
    if view.card is not None and view.card.strength:
        place_track(page, view.card.strength, _counts(chosen) if chosen else 0, left, second, right)
    else:
        key = "gold_pays" if view.phase is Phase.GOLD else "only_highest" if view.card else ""
        text = labels.say(f"picture.{key}") if key else ""
        page.text(left, second, text, theme.SMALL, theme.CREAM, right - left)
    _place_choice(page, view, labels, focus, chosen, (left, third, right))


def _place_purse(page: Page, view: SiegeView, labels: Labels, x: int, layout: Layout) -> None:
    """Place, large, the coins that the viewer has to pledge, and the boosts."""
    assert view.viewer is not None
    middle, grow = TOP + layout.card[1] // 2, layout.grow
    have, boosts = view.coins[view.viewer], view.held[view.viewer].boost
    coins, size, sign = str(have), round(76 * grow), emblems.coin(round(68 * grow))
    wide = sign.size[0] + 12 + round(lettering.width(coins, size) * 1.05)
    y = middle - round((56 if boosts else 26) * grow)
    page.place(sign, x - wide / 2, y, "lm")
    page.text(x - wide / 2 + sign.size[0] + 12, y, coins, size, theme.BRASS_LIGHT, 240, "lm", lettering.DISPLAY)
    unit = labels.say("picture.your_coin" if labels.is_singular(have) else "picture.your_coins")
    page.text(x, y + round(56 * grow), unit, round(theme.SMALL * grow), theme.CREAM, PURSE, "mm")
    if boosts:
        card, words, y = mini_card(Kind.BOOST, round(48 * grow)), labels.count("boosts", boosts), y + round(112 * grow)
        size, room = round(theme.SMALL * grow), PURSE - card.size[0] - 8
        words = words if lettering.width(words, size) <= room else str(boosts)
        left = x - (card.size[0] + 8 + lettering.width(words, size)) / 2
        page.place(card, left, y, "lm")
        page.text(left + card.size[0] + 8, y, words, size, theme.CREAM, PURSE)


PURSE = 210
"""The width for the viewer's coins in the panel."""


def _chosen(view: SiegeView, focus: Sequence[str]) -> tuple[int, int] | None:
    """Return the coins and boosts that the viewer is choosing, or has sealed; None without either."""
    coins = next((part for part in focus if part.isdecimal()), None)
    return (int(coins), 0) if coins is not None else view.own_seal


def _counts(pledge: tuple[int, int]) -> int:
    return pledge[0] + BOOST_ADDS * pledge[1]


def _place_choice(
    page: Page,
    view: SiegeView,
    labels: Labels,
    focus: Sequence[str],
    chosen: tuple[int, int] | None,
    box: tuple[int, int, int],
) -> None:
    """Place the seal or the present choice and what it leaves; without one, who is still missing."""
    assert view.viewer is not None
    x, y, right = box
    if chosen is None:
        page.text(x, y, awaited_of(view, labels, right - x), theme.SMALL, theme.CREAM, right - x)
        return
    sealed, pledge = view.own_seal is not None and not focus, view.phase is Phase.PLEDGE
    page.place(emblems.wax(76) if sealed else emblems.coin(68), x - 6, y, "lm")
    text = seal_text(view, labels, *chosen)
    if not sealed:
        key = "picture.choosing_pledge" if pledge else "picture.choosing_gold"
        text = labels.say(key, coins=text, cards=text)
    have = view.coins[view.viewer]
    rest = (
        labels.say("picture.keep", coins=have - chosen[0], all=have)
        if pledge
        else labels.say("picture.may_change")
        if sealed
        else ""
    )
    x += 86
    room = right - x - lettering.width(rest, theme.SMALL) - 30
    size = lettering.fitting(text, 46, theme.SMALL, room)
    if lettering.width(text, size) > room:  # it takes two lines
        page.text(x, y - 20, text, theme.SMALL, theme.CREAM, right - x)
        page.text(x, y + 22, rest, theme.SMALL, theme.CREAM, right - x)
        return
    x += page.text(x, y, text, size, theme.CREAM, right - x) + 30
    page.text(x, y + 2, rest, theme.SMALL, theme.CREAM, right - x)


def _place_news(page: Page, view: SiegeView, reveal: Reveal | None, labels: Labels, y: int) -> bool:
    """Write in a line what followed from the pledges opened last and, if there is room, what they came to; without any,
    who is King. Return whether there was room.
    """
    x, right = theme.MARGIN + 20, WIDTH - theme.MARGIN - 20
    if is_past(view):
        x += place_tab(page, labels, x, y) + 20
    event, _ = event_of(view, reveal, labels)
    if reveal is None:
        said = result_of(view, reveal, labels)
        place_plate(page, x, y, lettering.width(event, 44) + 22 + lettering.width(said, theme.SMALL))
    x += page.text(x, y, event, 44, theme.BRASS_LIGHT, 420) + 22
    said, (words, seats) = result_of(view, reveal, labels), concerned(view, reveal, labels)
    if seats and lettering.width(said, theme.SMALL) > right - x:
        x = place_people(page, labels, words, seats, (x, y, right)) + 24
    else:
        x += page.text(x, y, said, theme.SMALL, theme.CREAM, right - x) + 24
    if reveal is None or right - x < assault_width(reveal, labels):
        return False
    place_assault(page, reveal, labels, x, y, right)
    return True


def status_of(view: SiegeView, seat: int) -> str:
    """Return what a seat does now: it wins, has lost, is out, has sealed, must choose, or waits. All but "lost" are
    keys of the texts "ask".
    """
    if view.outcome:
        return "wins" if seat in view.outcome.winners else "lost"
    if not view.alive[seat]:
        return "out"
    if seat in view.sealed:
        return "sealed"
    return f"asked_{view.phase.value}" if seat in view.to_move else "wait"


# The pictures


def paint(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own picture."""
    return paint_table(view, labels) if view.viewer is None else paint_own(view, labels, focus)
