"""Siege of Sunfall's wall, which is the table: each player's column, what lies on the battlements, the field before it.

On the battlements is only what is so now: a fist has pledged, and coins lie there while the pledges are open. A torch
is a point of the attack's strength. The coins of all pledges put torches out, one each; torches that still burn are the
gap, and coins beyond the last torch are the surplus.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import colour_of, disc, initials, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Sprite, mix
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.pieces import SIGNS, mini_card, progress
from rendering.siege_of_sunfall.props import (
    ATTACKER,
    KINGS,
    attackers,
    breach,
    outlined,
    plate,
    prize,
    spent,
    stack,
    standard,
    tab,
    torch,
    track,
    track_coin,
)
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Kind, Reveal, SiegeView

DISC = 88
EDGE = 12
"""The columns leave so much of the page free at each side."""
COLUMN = 268
"""How far a column reaches below the top of the wall, in pixels."""
WIDE = 230
"""A column with this much room inside tells armies in words."""


class Column(NamedTuple):
    """Where a player stands on the wall: the middle, the width, the top of the wall, and how much larger than usual."""

    x: int
    width: int
    wall: int
    grow: float = 1.0

    def px(self, pixels: float) -> int:
        """Return pixels of the usual size in pixels of this one."""
        return round(pixels * self.grow)


def columns_of(seats: Sequence[int], walls: Sequence[int], grow: float = 1.0) -> dict[int, Column]:
    """Return the column of each seat, in the order from the left; `walls`: the top of the wall of each row."""
    found = {}
    in_row = -(-len(seats) // len(walls))
    width = (WIDTH - 2 * EDGE) // in_row
    for number, seat in enumerate(seats):
        row, place = divmod(number, in_row)
        count = min(in_row, len(seats) - row * in_row)
        x = WIDTH // 2 + round((place - (count - 1) / 2) * width)
        found[seat] = Column(x, width, walls[row], grow)
    return found


# A column


def depth_of(view: SiegeView) -> int:
    """Return how far the columns reach below the top of the wall: farther if a player has begun a set."""
    return COLUMN if any(any(held[: len(ATTACKERS)]) for held in view.held) else COLUMN - 44


def place_player(page: Page, view: SiegeView, labels: Labels, seat: int, column: Column, name: str = "") -> None:
    """Place a player on the wall: the disc on the battlements, below it name, armies, coins, cards and sets."""
    x, px = column.x, column.px
    over = view.outcome
    alive = view.alive[seat] or over is not None
    won = over is not None and seat in over.winners
    lit = won or seat in view.to_move
    left, wide = x - column.width // 2 + 3, column.width - 6
    top = column.wall + px(62)
    if alive:
        page.shade(left, top, wide, px(depth_of(view) - 62) - 4, 24, 2, 190, chrome.NIGHT, 0)
    else:
        page.place(breach(px(176)), x, column.wall - px(44), "mt")
        page.shade(left, top, wide, px(depth_of(view) - 62) - 4, 24, 2, 235, chrome.NIGHT, 0)
    place_disc(page, view, labels, seat, column)
    ink = theme.CREAM
    if lit:
        page.place(plate(wide, px(48), theme.BRASS, theme.BRASS_DARK), left, top)
        ink = theme.INK
    elif seat in view.sealed:
        page.place(plate(wide, px(48), emblems.WAX, mix(emblems.WAX, (0, 0, 0), 0.4)), left, top)
    size = px(theme.SMALL)
    shown = name or short_name(labels, seat, size, wide - 4)
    page.text(x, top + px(25), shown, size, ink, wide - 4, "mm")
    _place_goods(page, view, labels, seat, column, wide - 14)


def place_disc(page: Page, view: SiegeView, labels: Labels, seat: int, column: Column) -> None:
    """Place a player's disc on the wall, with the crown of the King and the seal of a pledge."""
    x, px, y = column.x, column.px, column.wall + column.px(18)
    size = px(DISC)
    over = view.outcome
    if not view.alive[seat] and over is None:
        page.place(outlined(colour_of(labels, seat), initials(labels, seat), size), x, y, "mm")
        page.place(chrome.token(emblems.broken, px(48), theme.ALARM, theme.CREAM), x - px(40), y + px(24), "mm")
    else:
        page.shade(x - size // 2, y - size // 2, size, size, size // 2, 5, 120, drop=3)
        page.place(disc(labels, seat, size), x, y, "mm")
    if seat == view.king:
        page.place(chrome.token(emblems.crown, px(48), KINGS, theme.BRASS_LIGHT), x + px(40), y + px(24), "mm")
    if seat in view.sealed:
        page.place(emblems.wax(px(72)), x - px(60), y + px(8), "mm")


def _place_goods(page: Page, view: SiegeView, labels: Labels, seat: int, column: Column, room: int) -> None:
    """Place what a player has, in three lines: armies; coins, boosts and gold; the sets that are begun."""
    px, held = column.px, view.held[seat]
    coin, *cards = goods_of(view, seat, column)
    words = labels.count("armies", view.armies[seat])
    if not view.alive[seat] and view.outcome is None:
        words = labels.say("picture.out_with", armies=words)
    size, y = px(theme.SMALL), column.wall + px(62 + 74)
    if room >= px(WIDE) and lettering.width(words, size) <= room:
        page.text(column.x, y, words, size, theme.CREAM, room, "mm")
        _place_line(page, column, y + px(46), [coin, *cards])
    else:
        banner = (core.sign(emblems.banner, px(44), theme.PAPER, chrome.NIGHT), str(view.armies[seat]))
        _place_line(page, column, y, [banner, coin])
        _place_line(page, column, y + px(46), cards)
    sets = [(kind, have) for kind in ATTACKERS if (have := getattr(held, kind.value))]
    if not sets:
        return
    step = min(px(78), (room + px(8)) // len(sets))
    for number, (kind, have) in enumerate(sets):
        at = column.x + round((number - (len(sets) - 1) / 2) * step)
        page.place(progress(kind, have, min(px(SET), round(step * 44 / 60))), at, y + px(97), "mm")


SET = 56
"""The height of the sign of a set, if the column has room for it."""


def goods_of(view: SiegeView, seat: int, column: Column) -> list[tuple[Sprite, str]]:
    """Return the signs and figures of a player's coins, boosts and gold cards."""
    px, held = column.px, view.held[seat]
    cards = ((Kind.BOOST, held.boost), (Kind.GOLD, held.gold))
    return [
        (emblems.coin(px(40)), str(view.coins[seat])),
        *((mini_card(kind, px(44)), str(have)) for kind, have in cards if have),
    ]


def line_width(stats: Sequence[tuple[Sprite, str]], column: Column) -> int:
    """Return the width of signs with their figures side by side."""
    size, apart = column.px(theme.SMALL), column.px(16)
    return sum(sign.size[0] + 6 + lettering.width(figure, size) + apart for sign, figure in stats) - apart


def _place_line(page: Page, column: Column, y: int, stats: Sequence[tuple[Sprite, str]]) -> None:
    """Place signs with their figures side by side, their middle at the column's."""
    at, size = column.x - line_width(stats, column) / 2, column.px(theme.SMALL)
    for sign, figure in stats:
        page.place(sign, at, y, "lm")
        page.text(at + sign.size[0] + 6, y, figure, size, theme.CREAM, 140)
        at += sign.size[0] + 6 + lettering.width(figure, size) + column.px(16)


# Pledges


def place_stack(page: Page, reveal: Reveal, labels: Labels, seat: int, column: Column, room: int) -> None:
    """Place a player's coins, which are open now, on the battlements, at most `room` high, and how many they are."""
    if reveal.pledges[seat] is None:
        return
    coins = reveal.pledges[seat] or 0
    px, foot = column.px, column.wall - column.px(30)
    most = max((pledge or 0 for pledge in reveal.pledges), default=1)
    rise = max(3, min(px(20), (room - px(118)) // max(most - 1, 1)))
    if coins:
        page.place(stack(px(66), coins, rise), column.x, foot, "mb")
    top = foot - (px(34) + (coins - 1) * rise if coins else 0)
    wide = _place_figure(page, reveal, labels, seat, column, top - px(28))
    if seat == reveal.taker:
        if foot - top < room - px(146):
            page.place(chrome.crown(px(64)), column.x, top - px(54), "mb")
        else:
            page.place(chrome.crown(px(54)), column.x + wide // 2 + 6, top - px(28), "lm")


def _place_figure(page: Page, reveal: Reveal, labels: Labels, seat: int, column: Column, y: int) -> int:
    """Write what a player pledged: the coins, and what boosts added, in words if there is room, else with a boost's
    sign. Return its width.
    """
    px, coins, boosts = column.px, reveal.pledges[seat] or 0, reveal.boosts[seat] or 0
    figure = f"{coins} + {BOOST_ADDS * boosts}" if boosts else str(coins)
    size, word, card = px(44), labels.say("picture.boosted"), mini_card(Kind.BOOST, px(44))
    wide = lettering.width(figure, size) + px(34)
    in_words = wide + lettering.width(word, px(theme.SMALL)) + px(12) <= column.width - px(CROWNED)
    beside = 0 if not boosts else px(12) + (lettering.width(word, px(theme.SMALL)) if in_words else card.size[0])
    left, wide = column.x - (wide + beside) // 2, wide + beside
    page.shade(left, y - px(24), wide, px(48), px(24), 2, 190, chrome.NIGHT, 0)
    page.text(left + (wide - beside) // 2, y, figure, size, theme.CREAM, column.width, "mm", lettering.DISPLAY)
    if boosts and in_words:
        page.text(left + wide - px(16), y, word, px(theme.SMALL), theme.CREAM, beside, "rm")
    elif boosts:
        page.place(card, left + wide - px(16), y, "rm")
    return wide


CROWNED = 80
"""What the words on a pledge leave free of their column, for the crown."""


def place_group(page: Page, left: int, top: int, height: int) -> None:
    """Lay the shade for what came of the pledges opened last, from `left` to the edge of the page."""
    page.shade(left, top, WIDTH - EDGE - left, height, 24, 2, 196, chrome.NIGHT, 0)


def place_spent(page: Page, reveal: Reveal, labels: Labels, seats: Sequence[int], box: tuple[int, int, int]) -> None:
    """Place in a line what each player pledged for an earlier card: the disc, the figure, and a coin without shine or,
    for the taker, a crown. `box`: left, middle, right.
    """
    x, y, right = box
    shown = [seat for seat in seats if reveal.pledges[seat] is not None]
    step = min(MOST_SPENT, (right - x) // max(1, len(shown)))
    for number, seat in enumerate(shown):
        at, boosts = x + number * step, reveal.boosts[seat] or 0
        page.place(disc(labels, seat, 44), at, y, "lm")
        figure = f"{reveal.pledges[seat]}+{BOOST_ADDS * boosts}" if boosts else str(reveal.pledges[seat])
        end = at + 52 + page.text(at + 52, y, figure, theme.SMALL, theme.CREAM, step - 54) + 6
        if seat == reveal.taker:
            page.place(chrome.crown(SPENT), end, y - 1, "lm")
        elif reveal.pledges[seat] and end + SPENT <= at + step - 8:
            page.place(spent(SPENT), end, y + 2, "lm")


SPENT, MOST_SPENT = 36, 190
"""The width of a coin that was pledged for an earlier card, and the most room that a player's pledge then takes."""


def place_tab(page: Page, labels: Labels, x: int, y: int) -> int:
    """Place the title of that group: it tells of the card before the one that lies there. y is its middle. Return its
    width.
    """
    words = labels.say("picture.past")
    wide = lettering.width(words, theme.SMALL) + 32
    page.place(tab(wide, 48), x, y, "lm")
    page.text(x + wide / 2, y, words, theme.SMALL, theme.INK, wide, "mm")
    return wide


def place_standard(page: Page, view: SiegeView, seat: int, column: Column, room: int) -> None:
    """Place a standard on the wall, as high as the player's armies are many, once the match is over."""
    most = max(1, *view.armies)
    high = 96 + round((room - 220) * view.armies[seat] / most)
    foot = column.wall - 26
    page.place(standard(high), column.x, foot, "mb")
    figure = str(view.armies[seat])
    wide = lettering.width(figure, 50) + 34
    page.shade(column.x - wide // 2, foot - high - 54, wide, 52, 24, 2, 190, chrome.NIGHT, 0)
    page.text(column.x, foot - high - 28, figure, 50, theme.CREAM, 150, "mm", lettering.DISPLAY)
    if view.outcome and seat in view.outcome.winners:
        page.place(chrome.crown(72), column.x, foot - high - 56, "mb")


def place_fist(page: Page, column: Column, size: int) -> None:
    """Place a closed hand on the battlements: this player has pledged, and the pledge is still closed."""
    hand = core.sign(emblems.fist, size, theme.CREAM, chrome.NIGHT)
    page.place(hand, column.x, column.wall - column.px(24), "mb")


def place_foes(page: Page, view: SiegeView, foot: int) -> None:
    """Place on the field what the faced card brings: attackers, as many as it is strong, or the prize."""
    if view.card is None:
        return
    if not (strength := view.card.strength):
        page.place(prize(view.card.kind), WIDTH / 2, foot + 2, "mb")
        return
    step = min(MOST_APART, (WIDTH - 2 * EDGE - ATTACKER[0]) // max(1, strength - 1))
    page.place(attackers(view.card.kind, strength, step), WIDTH / 2, foot + 6, "mb")


MOST_APART = 112
"""The most pixels from one attacker to the next."""


def place_assault(page: Page, reveal: Reveal, labels: Labels, x: int, y: int, right: int) -> None:
    """Place in a line what all pledges came to, what they met, and coin by coin how they met it."""
    strength = reveal.card.strength
    page.place(core.sign(SIGNS[reveal.card.kind], 52, theme.CREAM, chrome.NIGHT), x, y, "lm")
    x += 66
    met = reveal.repelled is not False
    ink = theme.BRASS_LIGHT if met else EMBER
    x += page.text(x, y, str(reveal.total), 56, ink, 120, "lm", lettering.DISPLAY) + 14
    said = labels.say("picture.of" if strength else "picture.total", strength=strength)
    x += page.text(x, y, said, theme.SMALL, theme.CREAM, 300) + 20
    place_track(page, strength, reveal.total, x, y, right)


EMBER: Colour = (255, 150, 110)
STEP = 44
"""Pixels from one torch or coin to the next, if there is room for it."""
LEAST_STEP = 36
"""The least ones: nearer to each other they could not be counted."""


def place_track(page: Page, strength: int, total: int, x: int, y: int, right: int) -> None:
    """Place torches, as many as the attack is strong, and the coins that put them out; if there is no room for so many,
    one of each sort with its number; if there is no room for that either, nothing.
    """
    if not (number := max(strength, total)):
        return
    step = min(STEP, (right - x - 48) // max(number - 1, 1))
    if step >= LEAST_STEP:
        page.place(track(strength, total, step), x, y, "lm")
        return
    met = min(strength, total) or total
    sorts = [(piece, str(count)) for piece, count in (
        (track_coin(surplus=False), met), (torch(), strength - total), (track_coin(surplus=True), total - met),
    ) if count > 0]  # fmt: skip
    if x + sum(48 + 6 + lettering.width(figure, theme.SMALL) + 16 for _, figure in sorts) - 16 > right:
        return
    for piece, figure in sorts:
        page.place(piece, x, y, "lm")
        x += 54 + page.text(x + 54, y, figure, theme.SMALL, theme.CREAM, 120) + 16
