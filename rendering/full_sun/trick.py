"""A trick of Full Sun in the glade: a column a player, with tree, sign and board; the highest stands in the light.

Columns keep their seats: clockwise from the left. An empty place has a seedling if its player is next, and the demand
on its sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rendering.core import art, chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import colour_of, disc, first_fit, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pixels, pixels, sprite
from rendering.full_sun.glade import EVENING, NIGHT, painted, place_light, place_tree, weather_of
from rendering.full_sun.narration import ahead, played
from rendering.full_sun.pieces import CREAM, EDGE, FACE, mark, place_board, resting, sign_for, slip, slips_of
from rules.full_sun.types import SUITS, FullSunView, Lay, Trick, suit_of

LEAST, TALLEST = 116, 420
"""The heights of trees with the number 0 and with the highest number in play, on a table."""
HEAD = WIDTH - 2 * theme.MARGIN
UNDER_HEAD, UNDER_WORDS = 88, 24
"""The line above which no crown reaches; above a hand it is so much lower under words, and so much higher elsewhere."""


class Look(NamedTuple):
    """How a trick stands on a page: the line of the trees' feet, their size beside that on a table, the size of a sign,
    and of a disc; by how many pixels all trees are taller than their size says, so that the lowest are seen; and where
    the small sentence of the head ends, over which no crown reaches."""

    foot: int
    size: float
    sign: tuple[int, int]
    disc: int
    taller: int = 0
    words: float = 0

    def tall(self, height: int) -> int:
        """Return how high something is that is so high on a table."""
        return round(height * self.size) + self.taller


def look_of(seats: int, foot: int = 598, size: float = 1) -> Look:
    """Return how a trick of so many players stands on a table."""
    return Look(foot, size, ({3: 290, 4: 250}.get(seats, 212), 92), {3: 84, 4: 72}.get(seats, 64))


def near(seats: int) -> float:
    """Return how much larger trees are for so few players."""
    return {3: 1.25, 4: 1.1}.get(seats, 1)


def column(seats: int, seat: int) -> tuple[float, int, int]:
    """Return the middle of a seat's column, and the left edge and the width of its board."""
    middle, width = WIDTH / seats * (seat + 0.5), round(WIDTH / seats) - 10
    return middle, round(middle - width / 2), width


def height_of(view: FullSunView, lay: Lay) -> int:
    """Return how high a card's tree stands on a table."""
    most = view.highest + 1
    return LEAST + min(view.face(lay.card).number, most) * (TALLEST - LEAST) // most


def shown_trick(view: FullSunView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    over = None if view.lays else view.last_trick
    return over.lays if over else view.lays, over


def direction_shown(view: FullSunView) -> bool:
    """Return the direction in which the cards laid out were played: that of the last trick until a player leads."""
    lays, _ = shown_trick(view)
    return view.clockwise if len(lays) < 2 else (lays[1].seat - lays[0].seat) % view.seats == 1


def demanded(view: FullSunView) -> str:
    """Return the suit that the player to move must follow; "" if any card may be played."""
    must = view.follow is not None and view.to_move is not None and view.backs[view.to_move][SUITS.index(view.follow)]
    return view.follow or "" if must else ""


def place_trick(page: Page, view: FullSunView, labels: Labels, lays: Sequence[Lay], look: Look, *, over: bool = False,
                crowned: bool = True) -> None:  # fmt: skip
    """Place a trick. `over`: the next one is to begin, so the signs are pale; `crowned`: the highest has a crown."""
    best = ahead(view, lays)
    for place in sorted(range(len(lays)), key=lambda place: place == best):
        _grow(page, view, lays[place], look, lit=place == best)
    first, step = lays[0].seat if lays else view.leader, 1 if direction_shown(view) else -1
    order = [(first + step * place) % view.seats for place in range(view.seats)]
    arrow = painted("chevron", round(40 * look.sign[1] / 96))
    for place, (one, other) in enumerate(pairwise(order)):
        if abs(one - other) == 1 and place < max(1, len(lays)):
            shown = arrow if other > one else art.mirrored(arrow)
            page.place(shown, WIDTH / view.seats * max(one, other), look.foot - 8 + look.sign[1] / 2, "mm")
    for place, seat in enumerate(order):
        _sign(page, view, labels, seat, lays[place] if place < len(lays) else None, look, over=over)
    if lays and not over:
        x, left, wide = column(view.seats, first)
        right = left + wide - (24 if look.size < 0.5 else 0)  # clear of the next player's bird and ring
        chrome.place_flag(page, x + FLAG_AT * look.sign[0], look.foot - 6, labels.say("picture.first"), right)
    if best is not None and crowned:
        tall, size = look.tall(height_of(view, lays[best])), 92 if look.size >= 0.5 else 56
        x, low = column(view.seats, lays[best].seat)[0], UNDER_HEAD + size
        if look.size < 0.5:
            low += UNDER_WORDS if x - size / 2 < look.words else -UNDER_WORDS
        foot = max(look.foot + size // 4 - tall, low)  # on a tree that reaches up to the head's words
        page.place(chrome.crown(size), x, foot, "mb")


FLAG_AT = 0.1
"""How far beside the middle of the first sign its flag is planted, as a part of the sign's width."""


def _grow(page: Page, view: FullSunView, lay: Lay, look: Look, *, lit: bool) -> None:
    """Place what a card is: a tree, the sun, or a cloud, as high as its number; in the light if it is the highest."""
    x, foot, size, suit = column(view.seats, lay.seat)[0], look.foot, look.size, suit_of(lay.card)
    tall = look.tall(height_of(view, lay))
    if lit:
        place_light(page, x, foot, max(size, 0.5))
    if suit == "W":
        name, wide = ("high_sun", 250 * max(size, 0.36)) if lay.card == "Sun" else ("cloud", 200 * max(size, 0.5))
        drawn = painted(f"{name}", round(wide))
        page.place(drawn, x, foot - max(tall - 0.26 * drawn.size[1], drawn.size[1] / 2 - 10), "mm")
        return
    tone = None if lit else EVENING[weather_of(view)]
    place_tree(page, suit, x, foot, tall, near(view.seats) * max(size, 0.44), tone)
    if size >= 0.5:
        page.place(painted(f"tuft_{lay.seat % 3}"), x, foot + 6, "mb")


def _sign(page: Page, view: FullSunView, labels: Labels, seat: int, lay: Lay | None, look: Look, *, over: bool) -> None:
    """Place a column's sign: its card, or what is demanded of the player who is next; and the player's disc."""
    x, (width, height), top = column(view.seats, seat)[0], look.sign, look.foot - 8
    left = x - width / 2
    if lay:
        drawn = sign_for(view, lay.card, look.sign)
        page.place(resting(drawn) if over else drawn, left - EDGE, top - EDGE)
        page.name("trick")
    elif seat == view.to_move:
        page.place(painted("seedling", round(150 * max(look.size, 0.62))), x, look.foot + 6, "mb")
        place_board(page, "sign_none", left, top, width, height)
        suit = demanded(view)
        text, leaf = labels.say("picture.follow" if suit else "picture.any"), round(height * 0.58) if suit else 0
        room, line = width - 18 - leaf - (6 if leaf else 0), top + height / 2
        size = lettering.fitting(text, max(theme.SMALL, round(height * 0.46)), theme.SMALL, room)
        wide = page.text(x - leaf / 2 - (3 if leaf else 0), line, text, size, CREAM, room, "mm")
        if suit:
            page.place(mark(suit, leaf, CREAM), x + wide / 2 + 3, line, "mm")
            page.name("follow", 3)
    if look.size >= 0.5:
        page.place(disc(labels, seat, look.disc), left + look.disc / 2, look.foot - 14, "mb")
    at = bird_at(view, seat, look)
    place_bird(page, labels, seat, at, rain=weather_of(view) == "Rain")
    if seat == view.dealer:
        for size, tone, low in ((44, NIGHT, 3), (36, theme.BRASS_LIGHT, 7)):
            x = at[0] - 34 if look.size < 0.5 and view.seats > 4 else at[0] + max(58, look.disc * 0.8)
            page.place(mark("acorn", size, tone), x, look.foot - low, "mb")


# Birds

BIRDS, BIRD = 8, 62
"""How many kinds of birds there are, and the width of one."""


def bird_at(view: FullSunView, seat: int, look: Look) -> tuple[float, float]:
    """Return where a player's bird stands: on the disc, or, if there is none, on the sign."""
    left = column(view.seats, seat)[0] - look.sign[0] / 2
    return (left + 30, look.foot - 5) if look.size < 0.5 else (left + look.disc / 2, look.foot - look.disc - 10)


@sprite
def _bird(number: int, colour: Colour, width: int) -> Pixels:
    whole = art.toned(painted(f"bird_{number}", width), colour).layer
    whole.alpha_composite(painted(f"beak_{number}", width).layer)
    return pixels(whole)


def place_bird(
    page: Page, labels: Labels, seat: int, at: tuple[float, float], *, rain: bool = False, width: int = BIRD
) -> None:
    """Place a player's bird, in the seat's colour; in the rain under a leaf."""
    page.place(_bird(labels.disc(seat) % BIRDS, colour_of(labels, seat), width), *at, "mb")
    if rain:
        page.place(painted("umbrella", 62), at[0] + 10, at[1] - 4, "mb")


# Boards


class Rows(NamedTuple):
    """The lines of a player's board, from its upper edge: name, points, tricks; the upper edge of the slips and their
    height; the height of the board; the size of a figure, and the width of the sun behind that of who has most.
    """

    name: int
    points: int
    tricks: int
    slips: int
    slip: int
    board: int
    figure: int
    sun: int


TALL, LOW = Rows(30, 82, 126, 146, 60, 212, 52, 72), Rows(25, 63, 99, 116, 54, 174, 46, 52)
"""Those of a table, and those above a hand."""


def place_player(page: Page, view: FullSunView, labels: Labels, seat: int, box: tuple[int, int, int], *, name: str = "",
                 lit: bool, rows: Rows = TALL) -> None:  # fmt: skip
    """Place a player's board: the name, the points in large type, the tricks; there is room for slips below. `box`:
    its upper left corner and its width.
    """
    x, y, width = box
    place_board(page, "board_turn" if lit else "board_idle", x, y, width, rows.board)
    ink, room = theme.INK if lit else CREAM, width - 16
    shown = name or short_name(labels, seat, theme.SMALL, round(room / theme.SQUEEZED))
    size = lettering.fitting(shown, 48 if rows is TALL else 40, theme.SMALL, room - 12)
    left = x + (14 if lettering.width(shown, size) <= room - 12 else 8)
    page.text(left, y + rows.name, shown, size, ink, room, squeezed=theme.SQUEEZED)
    tricks = labels.count("tricks", view.tricks_won[seat])
    figure, _, word = labels.count("points", view.points[seat]).partition(" ")
    begin, left, line = len(page.strokes), x + 14, y + rows.points
    low = (rows.figure - theme.SMALL) * lettering.capitals(lettering.TEXT) / 2
    if 0 < view.points[seat] == max(view.points):  # the figure of who has most stands before the sun
        page.place(painted("point", rows.sun), x + 36, line, "mm")
        page.text(x + 36, line, figure, rows.figure - 8, theme.INK, WIDTH, "mm")
        left = x + 50 + rows.figure // 2
    else:
        left += 9 + page.text(left, line, figure, rows.figure, ink, WIDTH)
    page.text(left, line + low, word, theme.SMALL, ink, WIDTH)
    page.text(x + 14, y + rows.tricks, tricks, theme.SMALL, ink, WIDTH)
    if seat == view.viewer:
        page.name("points", len(page.strokes) - begin, target=view.target)


def place_slips(page: Page, view: FullSunView, seat: int, box: tuple[int, int, int], rows: Rows = TALL) -> None:
    """Place the suits of a player's hand, as everyone sees them from behind; `box`: as in `place_player`."""
    x, y, width = box
    if any(map(any, view.backs)):
        backs = view.backs[seat]
        for (suit, left, wide), count in zip(slips_of(backs, width - 12), backs, strict=True):
            if count:
                page.place(slip(suit, str(count), wide, rows.slip), x + 6 + left, y + rows.slips)


# The head of a page


def write_large(page: Page, sentences: Sequence[str], parts: Sequence[str]) -> None:
    """Write the large sentence of a page's head. Of `parts`, the first that leaves room for it stands at its right."""

    def fits(part: str, text: str) -> bool:
        return lettering.width(text, 46, FACE) <= HEAD - lettering.width(part, theme.SMALL) - 40

    part = next((part for part in parts if any(fits(part, text) for text in sentences)), parts[-1])
    chrome.place_head(page, sentences, [part], face=FACE, dark=NIGHT, y=44)


def write_small(page: Page, texts: Sequence[str], room: int = HEAD) -> None:
    """Write the small sentence of a page's head: the first of these, which say the same ever shorter, that fits."""
    if texts := [text for text in texts if text]:
        page.text(theme.MARGIN, 98, first_fit(texts, theme.SMALL, room), theme.SMALL, theme.CREAM, room, halo=NIGHT)


def happened(view: FullSunView, labels: Labels, room: int) -> list[str]:
    """Return who played the last card or, until a card of the next trick lies there, who took the last one; ever
    shorter."""
    seat = view.lays[-1].seat if view.lays else view.last_trick.winner if view.last_trick else None
    if seat is None or (view.viewer is not None and not view.lays and view.trick_number == 1):
        return []
    names = [short_name(labels, seat, theme.SMALL, wide) for wide in (420, 220)]
    if view.lays:
        return [played(labels, view.lays[-1], "" if seat == view.viewer else name, room) for name in names]
    key = "you_took" if seat == view.viewer else "last_taken"
    return [labels.say(f"picture.{key}", name=name) for name in names]


def write_victory(page: Page, labels: Labels, won: frozenset[int]) -> None:
    """Write the large sentence of a match that is over: who won."""
    text, size = chrome.victory(labels, won, round(HEAD * 0.88))  # its letters are wider
    page.text(theme.MARGIN, 44, text, size, theme.BRASS_LIGHT, HEAD, "lm", FACE, NIGHT)


def demand_of(view: FullSunView, labels: Labels) -> list[str]:
    """Return who must do what, ever shorter; with names for which there is no room, only whose turn it is."""
    if labels.halt or view.to_move is None:
        return [labels.halt]
    say, seat, suit = labels.say, view.to_move, demanded(view)
    told, own = say(f"suit.{suit}") if suit else "", seat == view.viewer
    key = "must_follow" if suit else "may_play" if view.follow else "leads"
    key = ("your_follow" if suit else "your_any") if own else key
    names = [""] if own else list(dict.fromkeys(short_name(labels, seat, 46, room) for room in (700, 420, 260)))
    if view.viewer is not None and not own:
        return [say("picture.wait_for", name=name) for name in names]
    longer = [say(f"picture.{key}", name=name, suit=told) for name in names]
    if any(lettering.width(text, theme.HEADING, FACE) <= HEAD for text in longer):
        return longer
    return [say("picture.your_turn" if own else "picture.their_turn", name=names[-1])]
