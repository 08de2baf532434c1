"""A seat's own picture of Siege of Sunfall: the faced card, what the viewer has and chooses, and the wall."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import lettering, theme
from rendering.core.art import toned
from rendering.core.canvas import MOST_HAND_BYTES, WIDTH, Page
from rendering.core.discs import first_fit
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.picture import (
    Layout,
    awaited_of,
    far_of,
    opened,
    page_of,
    paint_table,
    place_banner,
    place_end,
    place_head,
    place_need,
    place_news,
    place_people,
    rule_of,
)
from rendering.siege_of_sunfall.pieces import sprite_of
from rendering.siege_of_sunfall.scene import DARK, Column, columns_of, place_foes
from rules.siege_of_sunfall.types import BOOST_ADDS, GOLD_PAYS, Phase, SiegeView

USUAL = Layout(764, 322, (122, 66, 206), (113, 166, 216), (412,), 1.0, (113, 166))
LARGE = (
    Layout(1180, 520, (190, 88, 330), (140, 220, 364, 420), (640,), 1.5, (292, 292)),
    Layout(1490, 450, (190, 88, 330), (136, 206, 344), (560, 1076), 1.2, (274, 274)),
)
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


def paint_own(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, what it asks for, the viewer's purse, seal or choice, what happened last, and the wall."""
    seat = view.viewer
    assert seat is not None
    layout, chosen = opened(layout_of(view, labels), view), _chosen(view, focus)
    page, wall = page_of(view, layout, MOST_HAND_BYTES), layout.walls[0]
    if view.outcome:
        mine = labels.say("ask.wins") if seat in view.outcome.winners else ""
        place_end(page, view, labels, columns(view, labels), mine)
        return page
    place_head(page, _sentences(view, labels, focus, chosen), far_of(view, labels))
    if view.open_reveal is None:
        place_foes(page, view.card, layout.beside - 20, wall, 0.78 * layout.grow**0.5)
    place_banner(page, labels, view.card, layout.card)
    place_people(page, view, labels, columns(view, labels), layout.beside, wall - layout.lines[2] + 30)
    rights = (WIDTH - theme.MARGIN,) * 2
    if view.alive[seat]:
        rights = _place_purse(page, view, labels, chosen, layout)
    place_need(page, view, labels, layout, rights)
    place_news(page, view, labels, layout.lines[2:], layout.beside)
    return page


def _sentences(view: SiegeView, labels: Labels, focus: Sequence[str], chosen: tuple[int, int] | None) -> list[str]:
    """Return what the viewer is to do or chooses, or for whom the match waits, ever shorter."""
    assert view.viewer is not None
    status = status_of(view, view.viewer)
    if focus and chosen is not None:
        said, kind = seal_text(view, labels, *chosen), "pledge" if view.phase is Phase.PLEDGE else "gold"
        return [labels.say(f"picture.choosing_{kind}", coins=said, cards=said)]
    return (awaited_of(view, labels) if status == "sealed" else []) or [labels.say(f"ask.{status}")]


def _place_purse(
    page: Page, view: SiegeView, labels: Labels, chosen: tuple[int, int] | None, layout: Layout
) -> tuple[int, int]:
    """Place the viewer's coins, and the boosts or gold cards, the chosen ones raised and the others in the shade; below
    them how many they are and what they may come to, or what is kept. Return the right edges of what may stand beside
    the two.
    """
    assert view.viewer is not None
    held, have = view.held[view.viewer], view.coins[view.viewer]
    right, (y, below) = WIDTH - theme.MARGIN, layout.purse
    large, gold = y == below, view.phase is Phase.GOLD
    kind, extra, wide = ("gold", held.gold, 84) if gold else ("boost", held.boost, 60)
    coins, cards = (have, extra) if chosen is None else (have, chosen[0]) if gold else chosen
    step = min(48, 230 // max(1, have - 1))
    x = right - (64 + step * (have - 1) + 8 if have else 0)
    coin, card = sprite_of("coin", 64), sprite_of(f"card_{kind}", wide)
    fan = [(right - 64 - step * (have - 1 - number), coin, number < coins, gold) for number in range(have)]
    fan += [(x - wide - (wide - 10) * number, card, number < cards, False) for number in range(extra)]
    for left, thing, taken, stays in fan:
        up = 10 if chosen and taken and not stays else 0
        page.place(thing if taken else toned(thing), left, y - up, "lm")
    left = x - (wide - 10) * extra - 34
    free = (left if large else right) - layout.beside
    sealed = chosen is not None and view.own_seal == chosen  # then it is worth more than the rule
    room = free if large or sealed else free - lettering.width(rule_of(view, labels), theme.SMALL) - 30
    text = first_fit(_purse_words(view, labels, chosen, have, extra), theme.SMALL, room)
    at, anchor = ((layout.beside, y), "lm") if large else ((right, below), "rm")
    page.text(*at, text, theme.SMALL, theme.CREAM, free, anchor, halo=DARK)
    return (right, right) if large else (left, right - lettering.width(text, theme.SMALL) - 30)


def _purse_words(view: SiegeView, labels: Labels, chosen: tuple[int, int] | None, have: int, extra: int) -> list[str]:
    """Return what the viewer keeps of a pledge or, without one, has and may pledge at most; ever shorter."""
    if chosen is not None and view.phase is Phase.PLEDGE:
        keep = labels.say("picture.keep", coins=have - chosen[0], all=have)
        return [f"{seal_text(view, labels, *chosen)} · {keep}", keep] if view.own_seal == chosen else [keep]
    coins = labels.count("coins", have)
    if not extra:
        return [coins]
    each, kind = (GOLD_PAYS, "cards") if view.phase is Phase.GOLD else (BOOST_ADDS, "boosts")
    purses = (f"{coins} + {labels.count(kind, extra)}", f"{have} + {labels.count(kind, extra)}", coins)
    return [*(labels.say("picture.up_to", purse=purse, most=have + each * extra) for purse in purses), coins]


def _chosen(view: SiegeView, focus: Sequence[str]) -> tuple[int, int] | None:
    """Return the coins and boosts that the viewer is choosing, or has sealed; None without either."""
    coins = next((part for part in focus if part.isdecimal()), None)
    return (int(coins), 0) if coins is not None else view.own_seal


def status_of(view: SiegeView, seat: int) -> str:
    """Return what a seat does now: it is out, has sealed, must choose, or waits; a key of the texts "ask"."""
    if not view.alive[seat]:
        return "out"
    if seat in view.sealed:
        return "sealed"
    return f"asked_{view.phase.value}" if seat in view.to_move else "wait"


# The pictures


def paint(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own picture."""
    return paint_table(view, labels) if view.viewer is None else paint_own(view, labels, focus)
