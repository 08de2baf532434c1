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
from rendering.core.emblems import Emblem
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Sprite, mix
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.pieces import SIGNS, fan, mini_card
from rendering.siege_of_sunfall.props import (
    ATTACKER,
    KINGS,
    attackers,
    breach,
    outlined,
    plate,
    prize,
    stack,
    standard,
    tab,
    track,
)
from rules.siege_of_sunfall.types import BOOST_ADDS, Kind, Reveal, SiegeView

DISC = 88
EDGE = 12
"""The columns leave so much of the page free at each side."""
COLUMN = 268
"""How far a column reaches below the top of the wall, in pixels."""


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
    """Return how far the columns reach below the top of the wall: farther while coins count, and if cards are held."""
    if view.outcome is not None:
        return COLUMN - 102
    return COLUMN if any(any(held) for held in view.held) else COLUMN - 58


def place_player(page: Page, view: SiegeView, labels: Labels, seat: int, column: Column, name: str = "") -> None:
    """Place a player on the wall: the disc on the battlements, below it name, armies, coins and cards."""
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
    """Place what a player has, in three lines: armies; coins; the cards. Once the match is over only armies count."""
    armies = labels.count("armies", view.armies[seat])
    out = labels.say("picture.out_with", armies=armies)
    size, is_out = column.px(theme.SMALL), not view.alive[seat] and view.outcome is None
    words = out if is_out and lettering.width(out, size) <= room else armies
    _place_words(page, column, ARMIES_AT, words, (emblems.banner, view.armies[seat]), room)
    if view.outcome is not None:
        return
    _place_words(page, column, COINS_AT, coins_of(view, labels, seat), (None, view.coins[seat]), room)
    cards = cards_of(view, seat, column, room)
    at = column.x - cards_width(cards, column) / 2
    for card, figure in cards:
        page.place(card, at, column.wall + column.px(CARDS_AT), "lm")
        at += card.size[0] + column.px(CARDS_APART)
        if figure:
            at += page.text(at, column.wall + column.px(CARDS_AT), figure, size, theme.CREAM, 80) + column.px(8)


ARMIES_AT, COINS_AT, CARDS_AT = 135, 177, 231
"""The middle of the lines of what a player has, from the top of the wall."""
CARDS, CARDS_APART = (56, 52, 48, 44, 40, 36, 34), 6
"""The heights of a player's cards: the largest for which the column has room."""
MOST_FANNED = 3
"""Of more cards of a kind one is drawn, with their number."""


def coins_of(view: SiegeView, labels: Labels, seat: int) -> str:
    """Return how many coins a player has, in words."""
    return labels.count("coins", view.coins[seat])


def _place_words(
    page: Page, column: Column, down: int, words: str, short: tuple[Emblem | None, int], room: int
) -> None:
    """Write words in a column or, without room for them, their sign and figure; the sign of coins is a coin."""
    x, y, size = column.x, column.wall + column.px(down), column.px(theme.SMALL)
    if lettering.width(words, size) <= room:
        page.text(x, y, words, size, theme.CREAM, room, "mm")
        return
    emblem, figure = short
    tall = column.px(40)
    sign = core.sign(emblem, tall, theme.PAPER, chrome.NIGHT) if emblem else emblems.coin(tall)
    left = x - (sign.size[0] + 6 + lettering.width(str(figure), size)) / 2
    page.place(sign, left, y, "lm")
    page.text(left + sign.size[0] + 6, y, str(figure), size, theme.CREAM, 140)


def cards_of(view: SiegeView, seat: int, column: Column, room: int) -> list[tuple[Sprite, str]]:
    """Return a player's cards by kind, and the number of those that are too many to draw."""
    held = [(kind, have) for kind in Kind if (have := getattr(view.held[seat], kind.value, 0))]
    found: list[tuple[Sprite, str]] = []
    for height in CARDS:
        found = [
            (fan(kind, have if have <= MOST_FANNED else 1, column.px(height)), str(have) if have > MOST_FANNED else "")
            for kind, have in held
        ]
        if cards_width(found, column) <= room + 8:
            break
    return found


def cards_width(cards: Sequence[tuple[Sprite, str]], column: Column) -> int:
    """Return the width of a player's cards side by side."""
    size = column.px(theme.SMALL)
    wide = (card.size[0] + (lettering.width(figure, size) + column.px(8) if figure else 0) for card, figure in cards)
    return sum(wide) + column.px(CARDS_APART) * max(0, len(cards) - 1)


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


def place_spent(page: Page, reveal: Reveal, labels: Labels, seats: Sequence[int], box: tuple[int, int, int]) -> int:
    """Place in a line what each player pledged for an earlier card: the disc, the coins and what boosts added, and the
    taker's crown. `box`: left, middle, right. Return where the line ends.
    """
    x, y, right = box
    told = []
    for seat in (seat for seat in seats if reveal.pledges[seat] is not None):
        boosts = reveal.boosts[seat] or 0
        figure = f"{reveal.pledges[seat]}+{BOOST_ADDS * boosts}" if boosts else str(reveal.pledges[seat])
        signs = [mini_card(Kind.BOOST, 42)] if boosts else []
        signs += [chrome.crown(SPENT)] if seat == reveal.taker else []
        told.append((seat, figure, signs))
    wide = [50 + lettering.width(figure, theme.SMALL) + sum(sign.size[0] + 5 for sign in signs)
            for _, figure, signs in told]  # fmt: skip
    title = labels.say("picture.pledges")
    if x + lettering.width(title, theme.SMALL) + sum(wide) + 18 * len(wide) <= right:
        x += page.text(x, y, title, theme.SMALL, theme.BRASS_LIGHT, right - x) + 18
    apart = min(MOST_APART_SPENT, (right - x - sum(wide)) // max(1, len(wide) - 1))
    for (seat, figure, signs), width in zip(told, wide, strict=True):
        page.place(disc(labels, seat, 44), x, y, "lm")
        end = x + 50 + page.text(x + 50, y, figure, theme.SMALL, theme.CREAM, width) + 5
        for sign in signs:
            page.place(sign, end, y, "lm")
            end += sign.size[0] + 5
        x += width + apart
    return x - apart


SPENT, MOST_APART_SPENT = 36, 22
"""The width of the taker's crown in that line, and the most pixels between two players."""


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
    """Write in a line what all pledges came to and what they met; behind it, if there is room, coin by coin."""
    page.place(core.sign(SIGNS[reveal.card.kind], 52, theme.CREAM, chrome.NIGHT), x, y, "lm")
    x += ASSAULT_SIGN
    said = assault_of(reveal, labels)
    ink = theme.BRASS_LIGHT if reveal.repelled is not False else EMBER
    x += page.text(x, y, said, theme.SMALL, ink, right - x) + 20
    place_track(page, reveal.card.strength, reveal.total, x, y, right)


def assault_of(reveal: Reveal, labels: Labels) -> str:
    """Return what all pledges came to and, of an attack, what was needed."""
    key = "picture.of" if reveal.card.strength else "picture.total"
    return labels.say(key, total=reveal.total, strength=reveal.card.strength)


def assault_width(reveal: Reveal, labels: Labels) -> int:
    """Return the width of the card's sign and those words."""
    return ASSAULT_SIGN + lettering.width(assault_of(reveal, labels), theme.SMALL)


ASSAULT_SIGN = 62
"""Pixels from the left of the card's sign to the words about its pledges."""
EMBER: Colour = (255, 150, 110)
STEP = 44
"""Pixels from one torch or coin to the next, if there is room for it."""
LEAST_STEP = 36
"""The least ones: nearer to each other they could not be counted."""


def place_track(page: Page, strength: int, total: int, x: int, y: int, right: int) -> None:
    """Place torches, as many as the attack is strong, and the coins that put them out; if there is no room for the
    coins beyond them, without those, and if there is none for the torches, nothing.
    """
    for coins in dict.fromkeys((total, min(strength, total))):
        number = max(strength, coins)
        step = min(STEP, (right - x - 48) // max(number - 1, 1))
        if number and step >= LEAST_STEP:
            page.place(track(strength, coins, step), x, y, "lm")
            return
