"""A seat's own picture of Siege of Sunfall: the faced card, what the viewer has and chooses, and the wall."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import lettering, theme
from rendering.core.art import toned
from rendering.core.canvas import MOST_HAND_BYTES, WIDTH, Page
from rendering.core.chrome import HEAD_SIZES, HEADER_LINE
from rendering.core.discs import first_fit
from rendering.core.labels import Labels
from rendering.core.sprites import Sprite
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.picture import (
    Layout,
    awaited_of,
    far_of,
    need_width,
    news_width,
    opened,
    page_of,
    paint_table,
    place_banner,
    place_end,
    place_head,
    place_need,
    place_news,
    place_people,
)
from rendering.siege_of_sunfall.pieces import sprite_of
from rendering.siege_of_sunfall.scene import DARK, FACE, Column, columns_of, place_foes
from rules.siege_of_sunfall.types import BOOST_ADDS, GOLD_PAYS, Phase, SiegeView

USUAL = Layout(764, 300, (120, 66, 206), (118, 118, 176), (370,), 1.0)
LARGE = (
    Layout(1146, 486, (190, 86, 310), (138, 208, 322, 378), (606,), 1.5),
    Layout(1462, 452, (190, 86, 256), (132, 198, 318), (478, 1042), 1.2),
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
    right = _place_heading(page, view, labels, _sentences(view, labels, focus, chosen), chosen, layout)
    if view.open_reveal is None:
        place_foes(page, view.card, layout.beside - 20, wall, wall - layout.lines[-1] - 24)
    place_banner(page, labels, view.card, layout.card)
    place_people(page, view, labels, columns(view, labels), layout.beside, wall - layout.lines[2] + 30)
    place_need(page, view, labels, layout, right[0])
    place_news(page, view, labels, layout.lines[2:], layout.beside, right[1])
    return page


def _place_heading(
    page: Page,
    view: SiegeView,
    labels: Labels,
    sentences: Sequence[str],
    chosen: tuple[int, int] | None,
    layout: Layout,
) -> tuple[int, int]:  # fmt: skip
    """Write what the viewer is to do and how far the match is, and place the purse: at the right of a short sentence,
    with its words and how far the match is below it; below a long one; in large print in a line of its own. Return
    where the lines about the card and about what happened must end.
    """
    assert view.viewer is not None
    left, right, far = theme.MARGIN, WIDTH - theme.MARGIN, far_of(view, labels)
    purse, alive = _purse(view, chosen), view.alive[view.viewer]
    wide = max((x + thing.size[0] for thing, x, _ in purse), default=0)
    room, (most, least), large = right - left - wide - 40, HEAD_SIZES, layout is not USUAL
    short = alive and not large and lettering.width(sentences[0], least, FACE) <= room
    if short:
        size = lettering.fitting(sentences[0], most, least, room, FACE)
        page.text(left, HEADER_LINE, sentences[0], size, theme.BRASS_LIGHT, room, "lm", FACE, DARK)
    else:
        place_head(page, sentences, far)
    if not alive:
        return right, right
    y = PURSE_LINE if large else HEADER_LINE if short else layout.lines[0]
    for thing, x, up in purse:
        page.place(thing, right - wide + x, y - up, "lm")
    page.name("coins", len(purse))
    words = _purse_words(view, labels, chosen)
    if large:
        text = first_fit(words, theme.SMALL, right - layout.beside - wide)
        page.text(layout.beside, y, text, theme.SMALL, theme.CREAM, right - layout.beside, halo=DARK)
        return right, right
    news, free = news_width(view, labels), right - layout.beside - APART
    taken = need_width(view, labels, free - lettering.width(words[-1], theme.SMALL)) if short else news
    text = first_fit(words, theme.SMALL, free - taken)
    below = layout.lines[0] + 8 if short else layout.lines[-1]
    texted = right - APART - page.text(right, below, text, theme.SMALL, theme.CREAM, WIDTH, "rm", halo=DARK)
    if not short:
        return right - wide - APART, texted
    told = first_fit([" · ".join(far[:count]) for count in range(len(far), -1, -1)], theme.SMALL, free - news)
    far_left = right - page.text(right, layout.lines[-1], told, theme.SMALL, theme.CREAM, WIDTH, "rm", halo=DARK)
    return texted, far_left - APART if told else right


APART = 28
"""The least pixels between a line and what stands at its right."""
PURSE_LINE = 262
"""The middle of the line with the purse in large print."""


def _sentences(view: SiegeView, labels: Labels, focus: Sequence[str], chosen: tuple[int, int] | None) -> list[str]:
    """Return what the viewer is to do or chooses, or for whom the match waits, ever shorter."""
    assert view.viewer is not None
    status = status_of(view, view.viewer)
    if focus and chosen is not None:
        said, kind = seal_text(view, labels, *chosen), "pledge" if view.phase is Phase.PLEDGE else "gold"
        return [labels.say(f"picture.choosing_{kind}", coins=said, cards=said)]
    return (awaited_of(view, labels) if status == "sealed" else []) or [labels.say(f"ask.{status}")]


def _purse(view: SiegeView, chosen: tuple[int, int] | None) -> list[tuple[Sprite, int, int]]:
    """Return the viewer's boosts or gold cards, and coins, from the left: each with its left edge, and how far it is
    raised. The chosen ones are raised, the others in the shade.
    """
    assert view.viewer is not None
    held, have, gold = view.held[view.viewer], view.coins[view.viewer], view.phase is Phase.GOLD
    kind, extra = ("gold", held.gold) if gold else ("boost", held.boost)
    coins, cards = (have, extra) if chosen is None else (have, chosen[0]) if gold else chosen
    coin, card = sprite_of("coin", 64), sprite_of(f"card_{kind}", 54)
    step, first = min(48, 230 // max(1, have - 1)), 46 * extra + 16 * bool(extra)
    fan = [(card, 46 * number, number < cards, bool(chosen)) for number in range(extra)]
    fan += [(coin, first + step * number, number < coins, bool(chosen) and not gold) for number in range(have)]
    return [(thing if taken else toned(thing), x, 10 * (taken and rises)) for thing, x, taken, rises in fan]


def _purse_words(view: SiegeView, labels: Labels, chosen: tuple[int, int] | None) -> list[str]:
    """Return what the viewer keeps of a pledge or, without one, has and may pledge at most; ever shorter."""
    assert view.viewer is not None
    held, have = view.held[view.viewer], view.coins[view.viewer]
    if chosen is not None and view.phase is Phase.PLEDGE:
        keep = labels.say("picture.keep", coins=have - chosen[0], all=have)
        return [f"{seal_text(view, labels, *chosen)} · {keep}", keep] if view.own_seal == chosen else [keep]
    coins, gold = labels.count("coins", have), view.phase is Phase.GOLD
    each, kind, extra = (GOLD_PAYS, "cards", held.gold) if gold else (BOOST_ADDS, "boosts", held.boost)
    if not extra:
        return [coins]
    purses = (
        f"{coins} + {labels.count(kind, extra)}",
        f"{have} + {labels.count(kind, extra)}",
        f"{have} + {each * extra}",
    )
    return [labels.say("picture.up_to", purse=purse, most=have + each * extra) for purse in purses]


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
