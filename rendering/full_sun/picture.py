"""Full Sun on the table: a forest in evening light, leaves for suits, and a path that shows which way play goes.

The table of an onlooker has a plate for each player, clockwise from the upper left, with the hand from behind and the
card that the player laid in front of it; the undealt fan lies in the middle. A seat's picture is its hand, with the
trick in play order above it, the suit to follow, and what each possible last card would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import blank, count, fan_step, leaning, place_card, plate, tag
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite, tinted
from rendering.core.theme import Plate
from rendering.core.words import ALT_TEXT, drawn_name, within
from rendering.full_sun import emblems
from rendering.full_sun.words import (
    between,
    direction,
    highest,
    in_play_order,
    playable,
    possible_species,
    trick_text,
    winners,
)
from rules.full_sun import SUITS, Backs, Face, FullSunView, Lay, TieBreak, Trick, suit_of

SLUG = "full_sun"

# Colours

EVENING: Colour = (112, 88, 40)
FOREST: Colour = (50, 52, 30)
LIGHT: Colour = (150, 124, 60)
SKY = tuple(mix(EVENING, FOREST, min(1, stripe / 13)) for stripe in range(16))
"""The light from the top to the ground."""
SLOT: Colour = (112, 108, 64)
PATH: Colour = (98, 88, 48)
PLATE = Plate((92, 62, 40), (46, 30, 18), (190, 152, 104), theme.CREAM, (232, 206, 164))
MEDAL: Colour = (70, 84, 34)
TINTS: dict[str, Colour] = {
    "B": (170, 88, 16), "R": (176, 34, 96), "S": (10, 104, 114), "L": (62, 108, 20), "W": (50, 82, 172),
}  # fmt: skip
LEAVES = {
    "B": emblems.beech, "R": emblems.redbud, "S": emblems.sycamore, "L": emblems.locust, "W": emblems.weather,
    "Rain": emblems.rain, "Sun": core.sun,
}  # fmt: skip

GLOWS = tuple(mix(mix(FOREST, (0, 0, 0), 0.2), theme.BRASS_LIGHT, part / 7) for part in range(1, 7))
DIM = 0.45
"""How far cards that do not count just now fade into the forest."""
DIMMED = tuple(mix(colour, FOREST, DIM) for colour in (theme.PAPER, *TINTS.values()))
COLOURS = (*theme.COLOURS, *SKY, PATH, PLATE.face, PLATE.soft, MEDAL, *TINTS.values(), *DIMMED, *GLOWS)
"""What the palette has exactly."""
PALETTE_SIZE = 112

# Sizes

LAID = (142, 200)
HELD = (196, 276)
HELD_IN_ROWS = (166, 234)
MOST_IN_A_ROW = 9
BACK = (66, 88)
TALL, SHORT = 242, 146
"""Height of a player's plate, with its hand from behind and, when the match is over, without."""


# Pieces


def _forest(width: int, height: int) -> Image.Image:
    """Evening light that fades towards the ground, and leaves that fall through it. Sparse, so the file stays small."""
    sky = Image.new("RGB", (1, len(SKY)))
    sky.putdata(SKY)
    image = sky.resize((width, height), Image.Resampling.NEAREST)
    for number in range(height // 90):
        suit = "BRSL"[number * 3 % 4]
        leaf = leaning(_fallen(suit), number * 67 % 360)
        x, y = 40 + number * 463 % (width - 80), 50 + number * 90
        faint = leaf.cover.point([value // 6 for value in range(256)])
        image.paste(LIGHT, (x - leaf.size[0] // 2, y - leaf.size[1] // 2), faint)
    return image


@sprite
def _fallen(suit: str) -> Pixels:
    """A leaf without veins, twice as large as it falls."""
    pen = Pen(132, 132)
    LEAVES[suit](pen, 66, 66, 124, LIGHT, LIGHT)
    return pen.pixels()


@sprite
def card_face(card: str, named: str, number: int, pips: int, width: int, height: int) -> Pixels:
    """A card: its number, sign, letter and pips down the left side, where a fan shows them; Weather by its name."""
    suit = suit_of(card)
    key = card if suit == "W" else suit
    tint = TINTS[suit]
    pen = Pen(width, height)
    blank(pen, tint)
    LEAVES[key](pen, width * 0.58, height * 0.735, width * 0.56, tint, theme.PAPER)
    figure = str(number)
    pen.text(width * 0.31, height * 0.165, figure, width * (0.44 if len(figure) == 1 else 0.38), tint)
    LEAVES[key](pen, width * 0.2, height * 0.36, width * 0.21, tint, theme.PAPER)
    if suit == "W":
        pen.text(width * 0.35, height * 0.363, named, width * 0.18, tint, lettering.TEXT, "lm")
    else:
        pen.text(width * 0.42, height * 0.363, suit, width * 0.24, tint)
    for pip in range(pips):
        row, place = divmod(pip, 5)
        pen.disc(width * (0.135 + 0.105 * place), height * 0.478 + width * 0.1 * row, width * 0.042, tint)
    return pen.pixels()


def _face(view: FullSunView, labels: Labels, card: str, size: tuple[int, int]) -> Sprite:
    return card_face(card, _named(labels, card), *view.face(card), *size)


def _named(labels: Labels, card: str) -> str:
    return labels.say(f"card.{card}") if suit_of(card) == "W" else card


@sprite
def card_back(suit: str, cards: int, lit: bool) -> Pixels:
    """A card from behind, with how many lie there; without any, the place where they would lie."""
    width, height = BACK
    pen = Pen(width, height)
    tint = TINTS[suit]
    ink = theme.PAPER
    if cards:
        pen.box(0, 0, width, height, 9, theme.PAPER)
        pen.box(3, 3, width - 3, height - 3, 6, mix(tint, (0, 0, 0), 0.1))
    else:
        ink = mix(PLATE.face, PLATE.rim, 0.4) if lit else mix(FOREST, SLOT, 0.8)
        pen.box(1, 1, width - 1, height - 1, 9, None, ink, 2)
    LEAVES[suit](pen, width / 2, height * 0.32, 42, ink, mix(tint, (0, 0, 0), 0.1) if cards else PLATE.face)
    pen.text(width * 0.25, height * 0.765, suit, 28, ink, lettering.TEXT)
    if cards:
        pen.disc(width * 0.68, height * 0.76, 18, theme.PAPER)
        pen.text(width * 0.68, height * 0.762, str(cards), 33 if cards < 10 else 26, theme.INK)
    return pen.pixels()


@sprite
def medallion(key: str, size: int) -> Pixels:
    """A suit, or a Weather card, on paper in a ring."""
    pen = Pen(size, size)
    c = size / 2
    suit = key if len(key) == 1 else "W"
    pen.disc(c, c, size * 0.49, theme.BRASS_DARK)
    pen.disc(c, c, size * 0.47, theme.BRASS)
    pen.disc(c, c, size * 0.42, theme.PAPER)
    if len(key) > 1:
        LEAVES[key](pen, c, c, size * 0.56, TINTS[suit], theme.PAPER)
    else:
        LEAVES[key](pen, c - size * 0.1, c, size * 0.48, TINTS[suit], theme.PAPER)
        pen.text(c + size * 0.24, c + size * 0.03, suit, size * (0.2 if suit == "W" else 0.27), TINTS[suit])
    return pen.pixels()


@sprite
def slot(width: int, height: int) -> Pixels:
    """Where a card will lie."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 14, mix(FOREST, (0, 0, 0), 0.22), SLOT, 2.5)
    return pen.pixels()


@sprite
def arrow(size: int, angle: int) -> Pixels:
    """The way on."""
    pen = Pen(size, size)
    emblems.chevron(pen, size / 2, size / 2, size * 0.72, theme.BRASS, angle)
    return pen.pixels()


@sprite
def path(width: int, height: int) -> Pixels:
    """The ring on which cards are laid."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 84, None, PATH, 30)
    return pen.pixels()


def _suits(page: Page, x: int, y: int, width: int, backs: Backs, lit: bool = True) -> None:
    """Cards from behind, a heap a suit, side by side within that width."""
    step = width / len(SUITS)
    for place, (suit, cards) in enumerate(zip(SUITS, backs, strict=True)):
        left = round(x + place * step)
        if cards > 1 and step > BACK[0] + 8:
            page.place(card_back(suit, cards, lit), left + 7, y)
        page.place(card_back(suit, cards, lit), left, y)


# The table


def _rows(seats: int) -> tuple[list[int], list[int]]:
    """Who sits above, from the left, and who below, from the left: clockwise from the upper left corner."""
    top = list(range((seats + 1) // 2))
    return top, list(range(seats - 1, len(top) - 1, -1))


def _plate(page: Page, view: FullSunView, labels: Labels, seat: int, box: tuple[int, int, int]) -> None:
    """A player's plate, at x, y and that wide: name, dealer's acorn, points, tricks, the hand from behind."""
    x, y, width = box
    height = _tall(view)
    lit = seat in winners(view) if view.outcome else seat == view.to_move
    if lit:
        page.shade(x - 3, y - 3, width + 6, height + 6, theme.CORNER, 10, 255, theme.BRASS, 0)
    else:
        page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, PLATE, lit), x, y)
    page.place(core.medal(84, str(view.points[seat]), face=MEDAL), x + width - 12, y + 52, "rm")
    left, room = x + 18, width - 36 - 84
    if seat == view.dealer:
        page.place(core.sign(emblems.acorn, 44, theme.BRASS_LIGHT, PLATE.face), left - 2, y + 38, "lm")
        left, room = left + 50, room - 50
    page.text(left, y + 40, drawn_name(labels, seat), theme.BODY, PLATE.text, room)
    if between(view):
        _result(page, view, labels, seat, x + 16, y + 100)
    else:
        taken = core.sign(emblems.cards_taken, 52, theme.BRASS_LIGHT, PLATE.face)
        at = count(page, x + 14, y + 100, taken, str(view.tricks_won[seat]), theme.BODY, PLATE.text)
        cards = core.sign(core.hand, 44, theme.PAPER, PLATE.face)
        count(page, at + 26, y + 98, cards, str(sum(view.backs[seat])), theme.BODY, PLATE.soft)
    if not view.outcome:
        _suits(page, x + 16, y + height - BACK[1] - 16, width - 30, view.backs[seat])


def _tall(view: FullSunView) -> int:
    """How high plates are: what is laid aside at the end counts for nothing and is not shown."""
    return SHORT if view.outcome else TALL


def _result(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """What the player was at the last round's end, the tricks won of those needed, and the point for it."""
    result = view.last_round
    assert result is not None
    page.place(medallion(result.species[seat], 62), x, y, "lm")
    text = labels.say("picture.result", tricks=result.tricks[seat], pips=result.pips[seat])
    wide = page.text(x + 74, y, text, theme.SMALL + 2, PLATE.text)
    if seat in result.scored:
        tag(page, x + 74 + wide + 44, y, "+1", 62, theme.GOOD, theme.CREAM)


def _shown(view: FullSunView) -> tuple[tuple[Lay, ...], Trick | None]:
    """The cards to lay out: the current trick, or the last one until somebody leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def _laid(page: Page, view: FullSunView, labels: Labels, seat: int, x: int, y: int) -> None:
    """The player's card in the trick, or the place for one; x is the middle."""
    lays, over = _shown(view)
    width, height = LAID
    left = x - width // 2
    for number, lay in enumerate(lays, 1):
        if lay.seat != seat:
            continue
        face = _face(view, labels, lay.card, LAID)
        last = over is None and number == len(lays)
        glow = theme.BRASS_LIGHT if last else None
        place_card(page, tinted(face, FOREST, DIM) if over else face, left, y, glow)
        page.place(core.numbered(48, str(number)), left + width - 12, y + 16, "mm")
        if over and over.winner == seat:
            tag(page, x, y + height + 4, labels.say("picture.took"), 150)
        elif not over and len(lays) > 1 and lay == highest(view):
            tag(page, x, y + height + 4, labels.say("picture.highest"), 150)
        return
    page.place(slot(width, height), left, y)


def _path(page: Page, view: FullSunView, rows: Sequence[Sequence[int]], top: int, bottom: int) -> None:
    """The ring through the cards' middles, with arrows the way that play goes (S4)."""
    left, right = 84, WIDTH - 84
    page.place(path(right - left + 30, bottom - top + 30), left - 15, top - 15)
    turned = 0 if view.clockwise else 180
    for row, (y, angle) in zip(rows, ((top, 0), (bottom, 180)), strict=True):
        stops = [left, *_centres(len(row)), right]
        for a, b in pairwise(stops):
            if b - a > 200:
                page.place(arrow(60, (angle + turned) % 360), (a + b) / 2, y, "mm")
    for x, angle in ((left, 270), (right, 90)):
        page.place(arrow(60, (angle + turned) % 360), x, (top + bottom) / 2, "mm")


def _centres(columns: int) -> list[int]:
    """The middles of a row's plates."""
    return [round(WIDTH / columns * (i + 0.5)) for i in range(columns)]


def _heading(page: Page, view: FullSunView, labels: Labels) -> None:
    y = 40
    page.place(core.medal(62, str(view.target), face=MEDAL), WIDTH - theme.MARGIN, y, "rm")
    wide = page.text(WIDTH - theme.MARGIN - 72, y, labels.say("picture.target"), theme.BODY, PLATE.soft, 240, "rm")
    room = WIDTH - 2 * theme.MARGIN - 72 - wide - 24
    page.text(theme.MARGIN, y, _progress(view, labels), theme.BODY, theme.CREAM, room)


def _progress(view: FullSunView, labels: Labels) -> str:
    if view.outcome:
        return labels.say("picture.over", round=view.round)
    progress = labels.say("picture.progress", round=view.round, trick=view.trick_number, tricks=view.tricks)
    return f"{progress} · {direction(labels, view.clockwise)}"


def _plates(page: Page, view: FullSunView, labels: Labels, tops: tuple[int, int]) -> None:
    """The plates of both rows, whose upper edges lie there, with whose turn it is or who has won."""
    rows = _rows(view.seats)
    width = min(560, (WIDTH - 2 * theme.MARGIN - (len(rows[0]) - 1) * theme.GAP) // len(rows[0]))
    for below, (row, y) in enumerate(zip(rows, tops, strict=True)):
        for seat, centre in zip(row, _centres(len(row)), strict=True):
            _plate(page, view, labels, seat, (centre - width // 2, y, width))
            edge = y - 4 if below else y + _tall(view) + 10
            if seat in winners(view):
                tag(page, centre, edge, labels.say("picture.wins"), 170)
            elif seat == view.to_move:
                tag(page, centre, edge, labels.say("picture.to_play"), 170)


def _table(view: FullSunView, labels: Labels) -> Page:
    """The table from above: plates at the edges, cards on the ring before them, the undealt fan in the middle."""
    head, gap, middle = 78, 56, 148
    card = LAID[1]
    top = head + _tall(view) + gap
    bottom = top + card + middle
    page = Page(SLUG, bottom + card + gap + _tall(view) + 28, _forest)
    _heading(page, view, labels)
    rows = _rows(view.seats)
    _path(page, view, rows, top + card // 2, bottom + card // 2)
    for row, y in zip(rows, (top, bottom), strict=True):
        for seat, centre in zip(row, _centres(len(row)), strict=True):
            _laid(page, view, labels, seat, centre, y)
    _plates(page, view, labels, (head, bottom + card + gap))
    _fan(page, view, labels, top + card + middle // 2)
    return page


def _fan(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """The undealt cards from behind (S1)."""
    if not any(view.fan):
        page.text(600, y, labels.say("picture.none_undealt"), theme.BODY, PLATE.soft, 700, "mm")
        return
    page.text(431, y, labels.say("picture.undealt"), theme.BODY, PLATE.soft, 300, "rm")
    _suits(page, 459, y - BACK[1] // 2, 470, view.fan, lit=False)


def _finale(view: FullSunView, labels: Labels) -> Page:
    """The end where a tie-break decided: the plates, and each contender's best trick card by card (S7)."""
    head, row = 78, 204
    second = head + SHORT + 46
    start = second + SHORT + 86
    page = Page(SLUG, start + row * len(view.tie_breaks) + 14, _forest)
    _heading(page, view, labels)
    _plates(page, view, labels, (head, second))
    page.text(theme.MARGIN, start - 38, labels.say("picture.tie_break"), theme.BODY, theme.CREAM, 1150)
    for number, tie_break in enumerate(view.tie_breaks):
        _contender(page, view, labels, tie_break, start + row * number)
    return page


def _contender(page: Page, view: FullSunView, labels: Labels, tie_break: TieBreak, y: int) -> None:
    """A row of the tie-break: name and species, the trick with the cards that count lit, how many they are."""
    wins = tie_break.seat in winners(view)
    x, width, height = theme.MARGIN, WIDTH - 2 * theme.MARGIN, 192
    page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, PLATE, wins), x, y)
    page.text(x + 20, y + 50, drawn_name(labels, tie_break.seat), theme.BODY, PLATE.text, 300)
    page.place(medallion(tie_break.species, 96), x + 20, y + 128, "lm")
    page.text(x + 128, y + 128, labels.say(f"suit.{tie_break.species}"), theme.SMALL, PLATE.soft, 200)
    page.place(core.medal(104, str(tie_break.cards), face=MEDAL), x + width - 18, y + height / 2 - 2, "rm")
    if tie_break.trick is None:
        page.text(x + 350, y + height / 2, labels.say("picture.no_trick"), theme.BODY, PLATE.soft, 600)
        return
    size = (114, 160)
    for place, lay in enumerate(tie_break.trick.lays):
        face, counts = _face(view, labels, lay.card, size), suit_of(lay.card) == tie_break.species
        left = x + 350 + place * 132
        place_card(
            page,
            face if counts else tinted(face, FOREST, DIM),
            left,
            y + 14,
            theme.BRASS_LIGHT if counts else None,
        )


# The hand


def _hand(view: FullSunView, labels: Labels, focus: Sequence[str]) -> Page:
    """The viewer's hand below the trick, and what each possible last card would need."""
    in_rows = len(view.hand) > MOST_IN_A_ROW
    width, height = HELD_IN_ROWS if in_rows else HELD
    rows = [view.hand]
    if in_rows:
        half = (len(view.hand) + 1) // 2
        rows = [view.hand[:half], view.hand[half:]]
    start, rise = 684, 26
    hand = len(rows) * (height + 34) + 2
    page = Page(SLUG, start + hand, _forest, hand + rise + 20)
    _hand_heading(page, view, labels)
    _trick(page, view, labels, 168)
    _needs(page, view, labels, 494)
    legal = playable(view)
    for number, row in enumerate(rows):
        step = fan_step(len(row), width, WIDTH - 2 * theme.MARGIN)
        left = (WIDTH - width - step * (len(row) - 1)) // 2
        y = start + number * (height + 34)
        for place, card in enumerate(row):
            face = _face(view, labels, card, (width, height))
            chosen = card in focus or f"play {card}" in focus
            if legal and card not in legal:
                face = tinted(face, FOREST, DIM)
            raised = rise if (card in legal and len(legal) < len(view.hand)) or chosen else 0
            place_card(page, face, left + place * step, y - raised, theme.BRASS_LIGHT if chosen else None)
    return page


def _hand_heading(page: Page, view: FullSunView, labels: Labels) -> None:
    """Whose turn it is, the suit to follow, the own points."""
    assert view.viewer is not None
    own = view.to_move == view.viewer
    at = WIDTH - theme.MARGIN
    page.place(core.medal(100, str(view.points[view.viewer]), face=MEDAL), at, 76, "rm")
    at -= 124
    if view.follow:
        page.place(medallion(view.follow, 116), at, 76, "rm")
        at -= 130
    elif own:
        at -= page.text(at, 76, labels.say("picture.any"), theme.BODY, theme.BRASS_LIGHT, 240, "rm") + 20
    if view.follow:
        at -= page.text(at, 76, labels.say("picture.follow"), theme.BODY, PLATE.soft, 170, "rm") + 20
    room = at - theme.MARGIN - 4
    seat = view.viewer if view.to_move is None else view.to_move
    whole = labels.say("picture.their_turn", name="")
    name = lettering.shorten(drawn_name(labels, seat), theme.HEADING, room - 30 * len(whole))
    text = labels.say("picture.your_turn" if own else "picture.their_turn", name=name)
    page.text(theme.MARGIN + 4, 50, text, theme.HEADING, theme.CREAM, room)
    page.text(theme.MARGIN + 4, 112, _progress(view, labels), theme.SMALL, PLATE.soft, room)


def _trick(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """The trick in play order; of who has yet to play, the suits held, since these say what may come (S1)."""
    best = highest(view)
    for place, seat in enumerate(in_play_order(view)):
        x = _place_of(page, view.seats, place, y)
        lit = False
        if place < len(view.lays):
            last = place == len(view.lays) - 1
            lit = view.lays[place] == best
            face = _face(view, labels, view.lays[place].card, LAID)
            place_card(page, face, x, y, theme.BRASS_LIGHT if last else None)
            if lit:
                tag(page, x + LAID[0] / 2, y + LAID[1] + 2, labels.say("picture.highest"), 150)
        else:
            page.place(slot(*LAID), x, y)
            _held_suits(page, view.backs[seat], x, y)
        name = labels.say("picture.you") if seat == view.viewer else drawn_name(labels, seat)
        colour = theme.BRASS_LIGHT if seat == view.to_move else theme.CREAM
        page.text(x + LAID[0] / 2, y + LAID[1] + 50, name, theme.SMALL, colour, 212, "mm")


def _place_of(page: Page, cards: int, place: int, y: int) -> int:
    """The left edge of a place in a row in play order, with an arrow to it from the one before."""
    step = min(270, (WIDTH - 2 * theme.MARGIN) // cards)
    x = (WIDTH - step * cards) // 2 + step * place + (step - LAID[0]) // 2
    if place:
        page.place(arrow(52, 0), x - (step - LAID[0]) / 2, y + LAID[1] / 2, "mm")
    return x


def _held_suits(page: Page, backs: Backs, x: int, y: int) -> None:
    """Suits with how many cards of each, in two columns within a slot."""
    held = [(suit, cards) for suit, cards in zip(SUITS, backs, strict=True) if cards]
    for place, (suit, cards) in enumerate(held):
        left, top = x + 10 + 64 * (place % 2), y + 36 + 64 * (place // 2)
        page.place(_leaf(suit), left, top, "lm")
        page.text(left + 38, top, str(cards), theme.SMALL - (cards > 9) * 6, theme.CREAM)


@sprite
def _leaf(suit: str) -> Pixels:
    """A suit's leaf on dark ground."""
    pen = Pen(36, 36)
    LEAVES[suit](pen, 18, 18, 34, mix(TINTS[suit], theme.PAPER, 0.62), mix(FOREST, (0, 0, 0), 0.22))
    return pen.pixels()


def _needs(page: Page, view: FullSunView, labels: Labels, y: int) -> None:
    """Tricks won against what each possible last card would need (S6)."""
    assert view.viewer is not None
    won = view.tricks_won[view.viewer]
    page.text(theme.MARGIN + 4, y, labels.say("picture.won"), theme.SMALL, PLATE.soft, 200)
    taken = core.sign(emblems.cards_taken, 72, theme.BRASS_LIGHT, FOREST)
    count(page, theme.MARGIN, y + 72, taken, str(won), 64, theme.CREAM)
    left, width, gap = 230, 150, 9
    page.text(left + 2, y, labels.say("picture.need"), theme.SMALL, PLATE.soft, 920)
    for place, card in enumerate(possible_species(view)):
        _need(page, labels, card, view.face(card), won, (left + place * (width + gap), y + 26, width))


def _need(page: Page, labels: Labels, card: str, face: Face, won: int, box: tuple[int, int, int]) -> None:
    """A chip: the species, the tricks it needs, and how far the viewer is from them."""
    x, y, width = box
    missing = face.pips - won
    key = card if suit_of(card) == "W" else suit_of(card)
    colours = PLATE if missing > 0 else FITS if missing == 0 else OVER
    page.place(plate(width, 112, colours, missing == 0), x, y)
    page.place(medallion(key, 62), x + 12, y + 38, "lm")
    page.text(x + width - 20, y + 38, str(face.pips), 52, colours.text, 60, "rm", lettering.DISPLAY)
    text = labels.say("picture.more", number=missing) if missing > 0 else labels.say("picture.over_by", number=-missing)
    page.text(x + width / 2, y + 86, labels.say("picture.exact") if missing == 0 else text, theme.SMALL, colours.soft,
              width - 12, "mm")  # fmt: skip


FITS = Plate(theme.GOOD, mix(theme.GOOD, (0, 0, 0), 0.4), theme.BRASS, theme.CREAM, theme.CREAM)
OVER = Plate(
    mix(FOREST, (0, 0, 0), 0.3), mix(FOREST, (0, 0, 0), 0.5), SLOT, mix(PLATE.soft, FOREST, 0.35),
    mix(PLATE.soft, FOREST, 0.25),
)  # fmt: skip


# The pictures


def paint(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """The picture before it becomes a file."""
    if view.tie_breaks:
        return _finale(view, labels)
    return _hand(view, labels, focus) if view.hand and not view.outcome else _table(view, labels)


def draw(view: FullSunView, labels: Labels, focus: Sequence[str] = ()) -> bytes:
    """The table, or the viewer's hand while it has one."""
    return paint(view, labels, focus).png()


def paint_cover(labels: Labels) -> Page:
    """The title over a fan of the four trees and the weather."""
    page = Page(SLUG, 640, _forest)
    cards = (("Rain", 0, 0), ("B7", 7, 1), ("R11", 11, 2), ("S14", 14, 3), ("L17", 17, 4), ("Sun", 18, 5))
    for place, (card, number, pips) in enumerate(cards):
        turned = leaning(
            card_face(card, _named(labels, card), number, pips, 2 * HELD[0], 2 * HELD[1]), 17.5 - 7 * place
        )
        page.place(turned, 600 + (place - 2.5) * 152, 412 + (34, 12, 0, 0, 12, 34)[place], "mm")
    page.text(600, 108, labels.say("game.title"), 124, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 206, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def cover(labels: Labels) -> bytes:
    """The picture of a lobby."""
    return paint_cover(labels).png()


def paint_last(view: FullSunView, labels: Labels) -> Page | None:
    """The last trick, before it becomes a file."""
    trick = view.last_trick
    if trick is None:
        return None
    y = 126
    page = Page(SLUG, y + LAID[1] + 76, _forest)
    name = lettering.shorten(drawn_name(labels, trick.winner), theme.HEADING, 560)
    title = labels.say("picture.last_taken", name=name)
    page.text(theme.MARGIN + 4, 62, title, theme.HEADING, theme.CREAM, 1140)
    for place, lay in enumerate(trick.lays):
        x = _place_of(page, view.seats, place, y)
        wins = lay.seat == trick.winner
        place_card(page, _face(view, labels, lay.card, LAID), x, y, theme.BRASS_LIGHT if wins else None)
        colour = theme.BRASS_LIGHT if wins else theme.CREAM
        page.text(x + LAID[0] / 2, y + LAID[1] + 36, drawn_name(labels, lay.seat), theme.SMALL, colour, 212, "mm")
    return page


def last(view: FullSunView, labels: Labels) -> tuple[bytes, str] | None:
    """The last complete trick (S9)."""
    page, trick = paint_last(view, labels), view.last_trick
    if page is None or trick is None:
        return None
    return page.png(), within(ALT_TEXT, labels, lambda labels: trick_text(trick, labels))
