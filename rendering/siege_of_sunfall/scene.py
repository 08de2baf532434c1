"""Siege of Sunfall's wall, which is the table: the guard of each player, seen from behind, and before it the host.

Over the heads is only what is so now: an armoured fist has pledged, and coins lie on open hands while the pledges are
open. What each player pledged for an earlier card lies at the guard's feet. A torch is a point of an attack's strength.
The coins of all pledges put torches out, one each; torches that still burn are the gap, and coins beyond the line of
gold are the surplus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.art import aglow, cut, mirrored, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Sprite
from rendering.siege_of_sunfall.pieces import plaque, sprite_of, stack, track
from rendering.siege_of_sunfall.stage import MERLON, SUN_AT, WALL, merlons
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Card, Kind, Reveal, SiegeView

FACE = "GrenzeGotisch-ExtraBold.ttf"
"""The face of what is large."""
EDGE = 6
"""The columns leave so much of the page free at each side."""
HELMETS = 8
"""There are so many guards: a player has that of the disc."""
IDLE: Colour = (186, 180, 226)
"""The shade in which a guard stands whose turn it is not, while it is another's."""
SUNLIT: Colour = (255, 214, 124)
DARK: Colour = (26, 8, 30)
"""The soft dark round words."""
EMBER: Colour = (255, 158, 116)


class Column(NamedTuple):
    """Where a player stands: the middle, the width, the wall's top, how much larger, and how much lower goods lie."""

    x: int
    width: int
    wall: int
    grow: float = 1.0
    lower: int = 0

    def px(self, pixels: float) -> int:
        """Return pixels of the usual size in pixels of this one."""
        return round(pixels * self.grow)

    @property
    def guard(self) -> Column:
        """The same for the guard, who is larger if there is room; in large print all are large anyway."""
        larger = min(max(self.width / BROAD, 1), LARGER) if self.grow < 1.2 else 1
        return self._replace(grow=self.grow * larger)

    @property
    def foot(self) -> int:
        """Where the guard stands."""
        return self.wall + WALL + 4


BROAD, LARGER = 264, 1.24
"""The width of a column from which on a guard is larger, and how much larger at most; so much larger is a winner."""


def columns_of(seats: Sequence[int], walls: Sequence[int], grow: float = 1.0, lower: int = 0) -> dict[int, Column]:
    """Return the column of each seat, in the order from the left; `walls`: the top of the wall of each row."""
    found = {}
    in_row = -(-len(seats) // len(walls))
    width = (WIDTH // 2 - EDGE) // in_row * 2
    for number, seat in enumerate(seats):
        row, place = divmod(number, in_row)
        count = min(in_row, len(seats) - row * in_row)
        x = WIDTH // 2 + round((place - (count - 1) / 2) * width)
        found[seat] = Column(x, width, walls[row], grow, lower)
    return found


# The wall


def place_wall(page: Page, wall: int, broken: Sequence[Column] = ()) -> None:
    """Place the merlons of a row of the wall, and the sections that have fallen. `wall`: its top."""
    page.place(merlons(), 0, wall - MERLON)
    for column in broken:
        gap = sprite_of("gap", min(round(column.width * 1.06), 280, round((wall - UNDER_WORDS) * SMOKE)))
        page.place(gap, column.x, wall - round(gap.size[1] * GAP_TOP), "mt")


GAP_TOP, SMOKE, UNDER_WORDS = 0.52, 1.45, 196
"""Where in the picture of a gap the top of the wall is, as a part of its height; how wide it is beside what is above
that, which is smoke; and the line that the smoke does not reach, since words stand over it.
"""


# A column


def place_guard(page: Page, labels: Labels, seat: int, column: Column, *, king: bool = False, arm: str = "",
                lit: bool = False, cool: bool = False, turn: int = 0) -> None:  # fmt: skip
    """Place a player's guard, the disc as a shield on the back. `arm`: "fist", "palm" or "" for none raised, "victor"
    for a fist and the crown of one who has won; `lit`: in the light of the page; `cool`: in the shade; `turn`: −1 or 1
    for a head turned to the left or to the right.
    """
    x, px, foot, number = column.x, column.px, column.foot, labels.disc(seat) % HELMETS

    def shown(sprite: Sprite) -> Sprite:
        sprite = toned(sprite, IDLE) if cool else sprite
        return mirrored(sprite) if turn > 0 else sprite

    side = -1 if turn > 0 else 1
    if arm in ("fist", "palm"):
        page.place(shown(sprite_of(f"{arm}_{number}", px(ARM))), x + side * px(ARM_AT), foot - px(ARM_FOOT), "mb")
    name, wide = ("victor", VICTOR) if arm == "victor" else ("turned" if turn else "guard", GUARD)
    guard = shown(sprite_of(f"{name}_{number}", px(wide)))
    if lit:
        page.place(aglow(guard, 10, SUNLIT, 0.8), x, foot + px(SHADE) + 20, "mb")
    page.place(guard, x, foot + px(SHADE), "mb")
    if arm == "fist":
        page.place(sprite_of("seal", px(SEAL)), x + side * px(SEAL_AT), foot - px(SEAL_UP), "mm")
        page.name("sealed")
    page.place(disc(labels, seat, px(SHIELD)), x, foot - px(SHIELD_UP), "mm")
    if arm == "victor":
        page.place(chrome.crown(px(66)), x, foot - px(CROWN_UP[number]), "mb")
    if king:
        page.place(sprite_of("crown", px(74)), x, foot - px(CROWN_UP[number]), "mb")
        page.name("king")


ARM, ARM_AT, ARM_FOOT, PALM = 110, 54, 52, 112
"""How wide the picture of a raised arm is; how far beside a guard's middle, and how far above its foot, it begins; how
high above that coins lie on an open hand.
"""
SEAL, SEAL_AT, SEAL_UP = 64, 70, 136
"""The width of the seal on the cuff of a fist, and where it is."""
SHIELD, SHIELD_UP, SHADE = 72, 70, 9
"""The width of the disc on the back, and how high it is; how far a guard's shade reaches below the foot."""
VICTOR, GUARD = 290, 200
"""The widths of the pictures of a guard with a raised fist, and of another."""
CROWN_UP = (162, 168, 170, 174, 170, 168, 168, 174)
"""How high the King's crown sits on each helmet."""


def place_fallen(page: Page, labels: Labels, seat: int, column: Column) -> None:
    """Place what is left of the guard of a player who is out: a helmet on the ground."""
    px, foot = column.px, column.foot
    page.place(sprite_of(f"fallen_{labels.disc(seat) % HELMETS}", px(150)), column.x + px(14), foot + px(8), "mb")
    page.place(toned(disc(labels, seat, px(52)), IDLE), column.x - px(66), foot - px(20), "mm")


def place_player(page: Page, view: SiegeView, labels: Labels, seat: int, column: Column) -> None:
    """Place below a guard the plate with the name and, while the match goes on, the cards."""
    over = view.outcome
    state = "turn" if (over and seat in over.winners) or seat in view.to_move else "idle"
    rank = labels.say("alt.king") if seat == view.king and over is None else ""
    name = labels.say("picture.you") if seat == view.viewer else ""
    place_name(page, labels, seat, column, "sealed" if seat in view.sealed else state, name, rank)
    if over is None:
        place_cards(page, view, seat, column, column.width - 4)


def place_name(
    page: Page, labels: Labels, seat: int, column: Column, state: str, name: str = "", rank: str = ""
) -> None:
    """Place the plate with a player's name: "turn" to decide, "sealed", or "idle". `name`: in place of the player's;
    `rank`: what is said behind it if there is room.
    """
    px, wide, top = column.px, column.width - 4, column.foot + column.px(PLAQUE_AT)
    page.place(plaque(state, wide, px(PLAQUE)), column.x, top, "mt")
    tries = [(size, wide - NAME_INSET) for size in range(px(theme.SMALL), theme.SMALL - 1, -1)]
    tries += [(theme.SMALL, round((wide - inset) / theme.SQUEEZED)) for inset in (NAME_INSET, LEAST_INSET)]
    sizes = [(size, short_name(labels, seat, size, room)) for size, room in tries]
    size, shown = next((found for found in sizes if lettering.ELLIPSIS not in found[1]), sizes[-1])
    ink, shown = theme.INK if state == "turn" else theme.CREAM, name or shown
    shown += rank if lettering.width(shown + rank, size) <= wide - NAME_INSET else ""
    roomy = lettering.width(shown, size) * theme.SQUEEZED <= wide - NAME_INSET
    room = wide - (NAME_INSET if roomy else LEAST_INSET)
    page.text(column.x, top + px(PLAQUE / 2 - 2), shown, size, ink, room, "mm", squeezed=theme.SQUEEZED)


NAME_INSET, LEAST_INSET = 22, 6
"""The pixels of a plate that stay free beside a name, and the fewest, beside one that would be cut else."""
SPENT_AT, PLAQUE_AT, PLAQUE, GOODS_AT, CARDS_AT = 14, 34, 50, 110, 170
"""Below a guard's foot: the middle of what was pledged last, the upper edge of the plate, its height, and the middles
of the lines of goods and of cards.
"""
CARD, CARD_APART, FANNED = 56, 6, 18
"""The width of a player's cards, the gap between kinds, and what shows of a card below the next one."""
MOST_FANNED = 3
"""Of more cards of a kind one is drawn, with their number."""
SCORE, LEAST_SCORE = 48, 40
"""The largest and the smallest type of what a player has, in columns of the usual size."""
SIGN_APART, PARTS_APART, SCORES_APART = 6, 20, 20
"""The pixels between a sign and its words, from armies to coins, and the least ones from column to column."""


def lowered(labels: Labels, seats: int, grow: float) -> int:
    """Return by how many pixels coins and cards lie lower: 0 if columns of so many players have room for the most that
    one usually has in one line.
    """
    armies, goods = ("", labels.count("armies", 20), theme.CREAM), [("coin", "20"), ("", labels.say("picture.out"))]
    wide = max(_wide([armies, (*one, theme.CREAM)], LEAST_SCORE) for one in goods)
    return round(LINE * grow) if wide > columns_of(range(seats), (0,))[0].width - SCORES_APART else 0


LINE = 42
"""From the line of armies to that of coins, if they have no room in one."""


def place_goods(
    page: Page, view: SiegeView, labels: Labels, columns: Mapping[int, Column], *, alone: bool = False
) -> None:
    """Write below each name what the player has, of all in one size: armies in a word, in gold those of who has most;
    and in the same line or in the next the coins, or that the player is out. `alone`: only armies.
    """
    column = next(iter(columns.values()))
    parts, room = 2 - (alone or bool(column.lower)), column.width - SCORES_APART
    goods = {seat: _goods_of(view, labels, seat)[: 1 if alone else 2] for seat in columns}
    lines = [(seat, line, goods[seat][line : line + parts]) for seat in columns for line in range(0, 2 - alone, parts)]
    sizes = range(column.px(SCORE), LEAST_SCORE, -1)
    size = next((size for size in sizes if all(_wide(row, size) <= room for *_, row in lines)), LEAST_SCORE)
    for seat, line, row in lines:
        x, y = columns[seat].x - min(_wide(row, size), room) / 2, columns[seat].foot + column.px(GOODS_AT)
        y += line * column.lower
        for sign, said, ink in row:
            if sign:
                page.place(sprite_of(sign, size), x, y, "lm")
                x += size + SIGN_APART
            x += PARTS_APART + page.text(x, y, said, size, ink, room, "lm", FACE, squeezed=theme.SQUEEZED)
            if seat == view.viewer and said == goods[seat][0][1]:
                page.name("armies")


def _goods_of(view: SiegeView, labels: Labels, seat: int) -> list[tuple[str, str, Colour]]:
    """Return armies, and coins or that the player is out, each with its sign, what is written, and its colour."""
    armies, most = view.armies[seat], 0 < view.armies[seat] == max(view.armies)
    leads = seat in view.outcome.winners if view.outcome else most
    coins = ("coin", str(view.coins[seat]), theme.CREAM) if view.alive[seat] else ("", labels.say("picture.out"), EMBER)
    return [("", labels.count("armies", armies), theme.BRASS_LIGHT if leads else theme.CREAM), coins]


def _wide(row: Sequence[tuple[str, str, Colour]], size: int) -> int:
    """Return the width of what a player has."""
    signs = sum(size + SIGN_APART for sign, *_ in row if sign)
    return signs + sum(lettering.width(said, size, FACE) for _, said, _ in row) + PARTS_APART * (len(row) - 1)


def place_cards(page: Page, view: SiegeView, seat: int, column: Column, room: int) -> None:
    """Place a player's cards by kind, laid over each other; of many one, with their number."""
    held = [(kind, have) for kind in Kind if (have := getattr(view.held[seat], kind.value, 0))]
    px, y, size = column.px, column.foot + column.px(CARDS_AT) + column.lower, column.px(theme.SMALL)
    figures = [str(have) if have > MOST_FANNED else "" for _, have in held]
    shown = [1 if figure else have for figure, (_, have) in zip(figures, held, strict=True)]
    texts = sum(lettering.width(figure, size) + 4 for figure in figures if figure)
    card, fanned, apart = px(CARD), px(FANNED), px(CARD_APART)

    def wide() -> int:
        return sum(card + fanned * (count - 1) for count in shown) + texts + apart * (len(held) - 1)

    while wide() > room and card > px(30):  # cards come closer before they become smaller
        close = (max(px(5), fanned - 1), max(1, apart - 1))
        card, (fanned, apart) = (card - 1 if close == (fanned, apart) else card), close
    x, begin = column.x - wide() / 2, len(page.strokes)
    for (kind, _), count, figure in zip(held, shown, figures, strict=True):
        for number in range(count):
            page.place(sprite_of(f"card_{kind.value}", card), x + fanned * number, y, "lm")
        x += card + fanned * (count - 1)
        if figure:
            x += page.text(x + 2, y, figure, size, theme.CREAM, 80) + 4
        x += apart
    if seat == view.viewer and any(view.held[seat][: len(ATTACKERS)]):
        page.name("sets", len(page.strokes) - begin)


# Pledges


def figure_of(reveal: Reveal, seat: int) -> str:
    """Return what a player pledged: the coins, and what boosts added: "2+2"."""
    boosts = reveal.boosts[seat] or 0
    return f"{reveal.pledges[seat] or 0}" + (f"+{BOOST_ADDS * boosts}" if boosts else "")


def place_stack(page: Page, reveal: Reveal, labels: Labels, seat: int, column: Column, room: int) -> None:
    """Place a player's coins, which are open now, on the raised hand, at most `room` high with their number, and what
    boosts added, in a word or with a boost's sign; over those of the taker a crown.
    """
    if reveal.pledges[seat] is None:
        return
    coins, boosts, px = reveal.pledges[seat] or 0, reveal.boosts[seat] or 0, column.px
    x, foot = column.x + px(ARM_AT), column.foot - px(ARM_FOOT + PALM)
    most = max((pledge or 0 for pledge in reveal.pledges), default=1)
    rise = max(3, min(px(17), (room - px(40)) // max(most - 1, 1)))
    if coins:
        page.place(stack(px(64), coins, rise), x, foot, "mb")
    top = foot - (px(34) + (coins - 1) * rise if coins else 0)
    if seat == reveal.taker:
        page.place(chrome.crown(px(54)), x, top + px(6), "mb")
    figure, size, small = figure_of(reveal, seat), px(46), px(theme.SMALL)
    word, card = labels.say("picture.boosted"), sprite_of("card_boost", px(36))
    wide = lettering.width(figure, size, FACE)
    in_words = wide + px(10) + lettering.width(word, small) <= column.width // 2 + px(10)
    beside = 0 if not boosts else px(10) + lettering.width(word, small) if in_words else px(4) + card.size[0]
    y, left = column.foot - px(ARM_FOOT + 68), x - (wide + beside) / 2
    left = min(left, column.x + column.width // 2 - wide - beside - 2)
    ink = theme.BRASS_LIGHT if seat == reveal.taker or seat in reveal.tied else theme.CREAM
    page.text(left, y, figure, size, ink, column.width, "lm", FACE, DARK)
    if boosts and in_words:
        page.text(left + wide + px(10), y, word, small, theme.CREAM, beside, halo=DARK)
    elif boosts:
        page.place(card, left + wide + px(4), y, "lm")


def place_spent(page: Page, reveal: Reveal, seat: int, column: Column, said: str) -> None:
    """Place at a guard's feet what the player pledged: in gold the taker's, in ember the least. `said`: the pledge in
    words, with a coin if there is room.
    """
    if reveal.pledges[seat] is None:
        return
    px, y = column.px, column.foot + column.px(SPENT_AT)
    size, coin = px(theme.SMALL), px(40)
    wide = lettering.width(said, size)
    beside = (coin + px(5)) * (wide + coin + px(5) <= column.width - SCORES_APART)
    x = column.x - (beside + wide) / 2
    ink = theme.BRASS_LIGHT if seat == reveal.taker else EMBER if seat in reveal.eliminated else theme.CREAM
    if beside:
        page.place(sprite_of("flat", coin), x, y, "lm")
    page.text(x + beside, y, said, size, ink, column.width, halo=DARK)


def place_standard(page: Page, view: SiegeView, seat: int, column: Column, room: int) -> None:
    """Place a standard behind the wall, as high as the player's armies are many, once the match is over."""
    px = column.px
    high = px(96) + round(max(0, room - px(150)) * view.armies[seat] / max(1, *view.armies))
    top = column.wall - high
    standard = sprite_of("standard", px(104))
    page.place(cut(standard, standard.size[0], high + 8), column.x - px(20), top - 8)


# The field


def prize_at(columns: Mapping[int, Column]) -> int:
    """Return where a prize stands: between two players, so that none is before it, as near to the sun as can be."""
    first = min(column.wall for column in columns.values())
    middles = sorted(column.x for column in columns.values() if column.wall == first)
    return min(((left + right) // 2 for left, right in pairwise(middles)), key=lambda x: abs(x - SUN_AT))


def place_prize(page: Page, card: Card | None, x: int, wall: int, room: int) -> None:
    """Place a cart with what a card brings that does not attack, its wheels behind a merlon. `x`: its middle; `wall`:
    the top of the wall; `room`: the pixels above it.
    """
    if card is not None and not card.strength and card.kind is not Kind.END:
        grow = min(0.98, (room - MERLON // 2) / CART)
        page.place(sprite_of(f"cart_{card.kind.value}", round(400 * grow)), x, wall - MERLON // 2, "mb")


CART = 250
"""The height of a cart."""


def place_foes(page: Page, card: Card | None, left: int, wall: int, room: int) -> None:
    """Place on the field as many attackers with torches as a card is strong. `left`: where the field begins, beside the
    standard; `wall`: the top of the wall; `room`: the pixels above it.
    """
    if card is None or not card.strength:
        return
    kind, strength, grow = card.kind.value, card.strength, min(TALLEST, room / FOE)
    step = min(124 * grow, (WIDTH - left - 100) / strength)
    start = (left + WIDTH) // 2 - step * (strength - 1) / 2
    men: list[tuple[int, float, str]] = []
    for number in range(strength):
        x = start + number * step + 8 * (number % 3 - 1)
        small = number == strength // 2 and strength > 3  # one is too small for his helmet
        men.append((number % 2 * (not small), x, f"{kind}_small" if small else f"{kind}_torch_{number % 2}"))
        if room > FOE / 2 and (strength < 8 or number % 3 == 1):  # else they would be too small
            men.append((2, start + (number + 0.5) * step, f"{kind}_arms"))
    for row, x, name in sorted(men, key=lambda man: (-man[0], man[2].endswith("_small"), man[1])):
        man = sprite_of(name, round(290 * grow * (1.0, 0.84, 0.78)[row]))
        page.place(mirrored(man) if x > SUN_AT and row else man, x, wall, "mb")


FOE = 208
"""The height of a foe with a raised torch."""
TALLEST = 1.25
"""How much larger than painted a foe is at most."""


def place_track(page: Page, strength: int, total: int, x: int, y: int, right: int) -> None:
    """Place coins, as many as were pledged, against the line of gold at the attack's strength; if there is no room for
    the coins beyond it, without those, and if there is none for the others, nothing.
    """
    for coins in dict.fromkeys((total, min(strength, total))):
        number = max(strength, coins)
        step = min(STEP, (right - x - 48) // max(number - 1, 1))
        if number and step >= LEAST_STEP:
            page.place(track(strength, coins, step), x, y, "lm")
            return


STEP = 44
"""Pixels from one torch or coin to the next, if there is room for it."""
LEAST_STEP = 24
"""The least ones: nearer to each other they could not be counted."""
