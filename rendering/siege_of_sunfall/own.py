"""A seat's own picture of Siege of Sunfall: the faced card, what the viewer has and chooses, and the wall."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import theme
from rendering.core.art import toned
from rendering.core.canvas import MOST_HAND_BYTES, WIDTH, Page
from rendering.core.discs import first_fit
from rendering.core.labels import Labels
from rendering.core.sprites import Sprite
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.picture import (
    BELOW,
    Layout,
    page_of,
    paint_table,
    place_end,
    place_field,
    place_people,
    suited,
)
from rendering.siege_of_sunfall.pieces import sprite_of
from rendering.siege_of_sunfall.scene import DARK, Column, columns_of
from rules.siege_of_sunfall.types import BOOST_ADDS, GOLD_PAYS, Phase, SiegeView

USUAL = Layout(764, 301, (108, 4, 196), 122, 122, (361,), 1.0)
LARGE = (
    Layout(1146, 441, (190, 4, 320), 128, 240, (561,), 1.5),
    Layout(1490, 420, (190, 4, 256), 126, 230, (442, 1006), 1.2),
)
"""In large print: with up to three players, and with more, in two rows."""


def layout_of(view: SiegeView, labels: Labels) -> Layout:
    """Return where the parts of that seat's picture are."""
    return LARGE[view.seats > 3] if labels.large else USUAL


def columns(view: SiegeView, labels: Labels) -> dict[int, Column]:
    """Return the column of each player, the viewer's first, then in the order of seats."""
    assert view.viewer is not None
    layout = suited(layout_of(view, labels), view, labels)
    seats = [(view.viewer + step) % view.seats for step in range(view.seats)]
    return columns_of(seats, layout.walls, layout.grow, layout.lower)


def paint_own(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, what it asks for, the viewer's purse, seal or choice, what happened last, and the wall."""
    seat = view.viewer
    assert seat is not None
    layout, chosen = suited(layout_of(view, labels), view, labels), _chosen(view, focus)
    page, wall = page_of(view, layout, MOST_HAND_BYTES), layout.walls[0]
    if view.outcome:
        mine = labels.say("ask.wins") if seat in view.outcome.winners else ""
        place_end(page, view, labels, columns(view, labels), mine)
        return page
    people, ends = columns(view, labels), (WIDTH - theme.MARGIN,) * 2
    if view.alive[seat]:
        lefts = _place_purse(page, view, labels, chosen, layout)
        ends = lefts if layout.purse == layout.need else ends
    place_field(page, view, labels, layout, people, _sentences(view, labels, focus, chosen), ends)
    place_people(page, view, labels, people, wall - layout.hem)
    return page


def _place_purse(
    page: Page, view: SiegeView, labels: Labels, chosen: tuple[int, int] | None, layout: Layout
) -> tuple[int, int]:  # fmt: skip
    """Place the viewer's purse at the right, with its words below it. Return where the lines beside each must end."""
    purse, right = _purse(view, chosen), WIDTH - theme.MARGIN
    left = right - max((x + thing.size[0] for thing, x, _ in purse), default=0)
    for thing, x, up in purse:
        page.place(thing, left + x, layout.purse - up, "lm")
    page.name("coins", len(purse))
    text = first_fit(_purse_words(view, labels, chosen), theme.SMALL, (right - layout.beside) // 2)
    wide = page.text(right, layout.purse + BELOW, text, theme.SMALL, theme.CREAM, WIDTH, "rm", halo=DARK)
    return left - APART, right - wide - APART


APART = 28
"""The least pixels between a line and what stands at its right."""


def _sentences(view: SiegeView, labels: Labels, focus: Sequence[str], chosen: tuple[int, int] | None) -> list[str]:
    """Return what the viewer is to do, chooses or may still change, ever shorter."""
    assert view.viewer is not None
    if labels.halt:
        return [labels.halt]
    status = status_of(view, view.viewer)
    if focus and chosen is not None:
        said, kind = seal_text(view, labels, *chosen), "pledge" if view.phase is Phase.PLEDGE else "gold"
        return [labels.say(f"picture.choosing_{kind}", coins=said, cards=said)]
    asked = labels.say(f"ask.{status}")
    if status == "asked_pledge":
        if not (most := _most(view)):
            return [labels.say("picture.nothing_left")]
        return [labels.say("picture.up_to", purse=asked.rstrip("."), most=most), asked]
    return [asked]


def _most(view: SiegeView) -> int:
    """Return what the viewer can use at most, in coins: with all boosts or, between rounds, all gold cards."""
    assert view.viewer is not None
    held, have = view.held[view.viewer], view.coins[view.viewer]
    return have + (GOLD_PAYS * held.gold if view.phase is Phase.GOLD else BOOST_ADDS * held.boost)


def _purse(view: SiegeView, chosen: tuple[int, int] | None) -> list[tuple[Sprite, int, int]]:
    """Return the viewer's boosts or gold cards, and coins, from the left: each with its left edge, and how far it is
    raised. The chosen ones are raised, the others in the shade.
    """
    assert view.viewer is not None
    held, have, gold = view.held[view.viewer], view.coins[view.viewer], view.phase is Phase.GOLD
    kind, extra = ("gold", held.gold) if gold else ("boost", held.boost)
    coins, cards = (have, extra) if chosen is None else (have, chosen[0]) if gold else chosen
    coin, card = sprite_of("coin", 64), sprite_of(f"card_{kind}", 54)
    step, first = min(48, 150 // max(1, have - 1)), 46 * extra + 16 * bool(extra)
    fan = [(card, 46 * number, number < cards, bool(chosen)) for number in range(extra)]
    fan += [(coin, first + step * number, number < coins, bool(chosen) and not gold) for number in range(have)]
    return [(thing if taken else toned(thing), x, 18 * (taken and rises)) for thing, x, taken, rises in fan]


def _purse_words(view: SiegeView, labels: Labels, chosen: tuple[int, int] | None) -> list[str]:
    """Return what the viewer keeps of a pledge or, without one, has and may pledge at most; ever shorter."""
    assert view.viewer is not None
    held, have = view.held[view.viewer], view.coins[view.viewer]
    if chosen is not None and view.phase is Phase.PLEDGE:
        keep = labels.say("picture.keep", coins=have - chosen[0], all=have) if have else labels.count("coins", 0)
        return [f"{seal_text(view, labels, *chosen)} · {keep}", keep] if view.own_seal == chosen else [keep]
    coins, gold = labels.count("coins", have), view.phase is Phase.GOLD
    kind, extra = ("cards", held.gold) if gold else ("boosts", held.boost)
    if not extra:
        return [coins]
    most, cards = _most(view), labels.count(kind, extra)
    purses = (f"{coins} + {cards}", f"{have} + {cards}", f"{have} + {most - have}")
    if status_of(view, view.viewer) == "asked_pledge":  # the head says how many at most
        return list(purses)
    return [labels.say("picture.up_to", purse=purse, most=most) for purse in purses]


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
