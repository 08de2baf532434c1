"""Sea Change on the table: a night sea, five suits told by sign and letter, the trump track in the middle.

The table of an onlooker has a plate for each player, clockwise from the upper left, with the card that the player laid
in front of it. A seat's picture is its hand, with the trick, the lead suit and the trump above it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, blank, count, fan_step, leaning, place_card, plate, tag
from rendering.core.labels import Labels
from rendering.core.png import EVEN, FAST
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, lit_from_above, mix, sprite, tinted
from rendering.core.theme import Plate
from rendering.core.words import ALT_TEXT, drawn_name, signed, within
from rendering.sea_change.words import match_winners, playable, trick_text
from rules.sea_change import (
    Lay,
    SeaChangeView,
    Trick,
)

SLUG = "sea_change"
SUITS = "BGRPY"

# Colours

SEA: Colour = (23, 52, 78)
SEA_LINE: Colour = (33, 67, 96)
SLOT: Colour = (58, 98, 128)
PLATE = Plate((38, 70, 98), (14, 30, 46), (116, 146, 168), theme.CREAM, (178, 203, 218))
TINTS: dict[str, Colour] = {
    "B": (30, 94, 158), "G": (34, 112, 66), "R": (184, 44, 40), "P": (108, 58, 146), "Y": (186, 122, 10),
}  # fmt: skip
SIGNS = {
    "B": emblems.wave, "G": emblems.seaweed, "R": emblems.flag, "P": emblems.helm, "Y": emblems.sun,
}  # fmt: skip

GLOWS = tuple(mix(mix(SEA, (0, 0, 0), 0.2), theme.BRASS_LIGHT, part / 7) for part in range(1, 7))
COLOURS = (*theme.COLOURS, SEA, PLATE.face, PLATE.soft, *TINTS.values(), *GLOWS)
"""What the palette has exactly."""
PALETTE_SIZE = 128

# Sizes of cards

LAID = (168, 236)
HELD = (196, 274)
SMALL_CARD = (132, 185)


# Pieces


def _sea(width: int, height: int) -> Image.Image:
    """The night sea as on a chart: waves sown in rows, darker towards the bottom. Sparse, so the file stays small."""
    image = Image.new("RGB", (width, height), SEA)
    pen = ImageDraw.Draw(image)
    for row in range(height // 84 + 1):
        for x in range(-120 if row % 2 else -20, width, 200):
            y = row * 84 + 26
            for i in range(3):
                pen.arc((x + i * 26, y - 12, x + i * 26 + 27, y + 14), 180, 360, SEA_LINE, 4)
            pen.arc((x + 39, y + 2, x + 66, y + 28), 180, 360, SEA_LINE, 3)
            pen.arc((x + 13, y + 2, x + 40, y + 28), 180, 360, SEA_LINE, 3)
    return lit_from_above(image, 0.72)


@sprite
def card_face(card: str, points: str, width: int, height: int) -> Pixels:
    """A card: its value, suit sign and letter down the left side, where a fan shows them; its points below them."""
    suit, value = card[0], card[1:]
    tint = TINTS[suit]
    pen = Pen(width, height)
    blank(pen, tint)
    pen.disc(width * 0.6, height * 0.655, width * 0.325, mix(theme.PAPER, tint, 0.13))
    SIGNS[suit](pen, width * 0.6, height * 0.655, width * 0.48, tint, theme.PAPER)
    pen.text(width * 0.3, height * 0.165, value, width * (0.43 if len(value) == 1 else 0.36), tint)
    SIGNS[suit](pen, width * 0.21, height * 0.37, width * 0.2, tint, theme.PAPER)
    pen.text(width * 0.42, height * 0.373, suit, width * 0.23, tint)
    if points:
        good = not points.startswith("−")
        x, y = width * 0.24, height * 0.875
        wide = width * (0.16 if len(points) < 3 else 0.2)
        pen.box(
            x - wide, y - width * 0.14, x + wide, y + width * 0.14, width * 0.1, theme.GOOD if good else theme.ALARM
        )
        pen.text(x, y, points, width * 0.21, theme.CREAM, lettering.TEXT)
    return pen.pixels()


def _points(view: SeaChangeView, card: str) -> str:
    """What is printed on the card: "+2", "−4", "" for nothing; a 0 may come to count: "5?"."""
    value = int(card[1:])
    if value == 0:
        return f"{view.zero_points}?".replace("-", "−") if view.zero_points else ""
    points = dict(view.points_by_value).get(value, 0)
    return signed(points) if points else ""


def _face(view: SeaChangeView, card: str, size: tuple[int, int]) -> Sprite:
    return card_face(card, _points(view, card), *size)


@sprite
def medallion(suit: str, size: int, state: str) -> Pixels:
    """A suit's sign: "trump" in brass, "lead" on paper, "idle" or "out" (not in play) on the trump track."""
    pen = Pen(size, size)
    c = size / 2
    tint = TINTS[suit]
    if state == "trump":
        pen.polygon(emblems.star(c, c, 24, size * 0.5, size * 0.455), theme.BRASS)
        pen.disc(c, c, size * 0.43, theme.BRASS_DARK)
        pen.disc(c, c, size * 0.41, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "lead":
        pen.disc(c, c, size * 0.43, PLATE.rim)
        pen.disc(c, c, size * 0.4, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "idle":
        pen.disc(c, c, size * 0.42, PLATE.rim)
        pen.disc(c, c, size * 0.395, mix(theme.PAPER, SEA, 0.3))
        ink, cut = mix(tint, SEA, 0.15), mix(theme.PAPER, SEA, 0.3)
    else:
        pen.ring(c, c, size * 0.42, mix(SEA, SEA_LINE, 0.9), size * 0.02)
        ink, cut = mix(SEA, PLATE.rim, 0.22), SEA
    SIGNS[suit](pen, c - size * 0.09, c, size * 0.44, ink, cut)
    pen.text(c + size * 0.235, c + size * 0.03, suit, size * 0.25, ink)
    return pen.pixels()


@sprite
def slot(width: int, height: int) -> Pixels:
    """Where a card will lie."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 16, mix(SEA, (0, 0, 0), 0.18), SLOT, 2.5)
    return pen.pixels()


def _order(page: Page, x: float, y: float, number: int) -> None:
    """The small disc that says as which of the trick a card was played."""
    page.place(emblems.numbered(48, str(number)), x, y, "mm")


# The table


def _rows(players: int) -> tuple[list[int], list[int]]:
    """Who sits above, from the left, and who below, from the left: clockwise from the upper left corner."""
    top = list(range((players + 1) // 2))
    return top, list(range(players - 1, len(top) - 1, -1))


def _stats(view: SeaChangeView, player: int) -> list[tuple[Sprite, str]]:
    """The signs and numbers of a player's plate."""
    side = view.sides[player]
    size = 44
    stats = []
    cards = view.hand_sizes[player] if player < view.seats else view.pile
    stats.append((emblems.sign(emblems.hand, size, theme.PAPER, PLATE.face), str(cards)))
    stats.append((emblems.sign(emblems.captured, size, theme.PAPER_EDGE, PLATE.face), str(view.captured[side])))
    if len(set(view.sides)) < len(view.sides):
        stats.append((emblems.side_badge(50, side), ""))
    shown = view.points
    if shown is None and view.last_round and (view.outcome or _between(view)):
        shown = view.last_round.points
    if shown is not None:
        stats.append((emblems.sign(emblems.points, size, theme.BRASS_LIGHT, PLATE.face), signed(shown[side])))
    return stats


def _between(view: SeaChangeView) -> bool:
    """Whether a new round has been dealt and nothing played in it."""
    return view.trick_number == 1 and not view.lays


def _plate(page: Page, view: SeaChangeView, labels: Labels, player: int, box: tuple[int, int, int, int]) -> None:
    """A player's plate: name, dealer's anchor, victory points, cards held and captured."""
    x, y, width, height = box
    lit = player in match_winners(view) if view.outcome else player == view.to_move
    if lit:
        page.shade(x - 3, y - 3, width + 6, height + 6, theme.CORNER, 10, 255, theme.BRASS, 0)
    else:
        page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, PLATE, lit), x, y)
    narrow = height > 150  # a third line for what a narrow plate has no room for
    medal = 66 if narrow else 88
    right = x + width - 12
    victory = emblems.medal(medal, str(view.victory_points[view.sides[player]]))
    page.place(victory, right, y + (height - 44 if narrow else height / 2 - 2), "rm")
    left, room = x + 18, width - 36 - (0 if narrow else medal + 6)
    if player == view.dealer and view.seats > 1:
        page.place(emblems.sign(emblems.anchor, 42, theme.BRASS_LIGHT, PLATE.face), left - 4, y + 37, "lm")
        left, room = left + 44, room - 44
    page.text(left, y + 38, drawn_name(labels, player), theme.BODY, PLATE.text, room)
    at = float(x + 16)
    for number, (sign, text) in enumerate(_stats(view, player)):
        if narrow and number == 2:
            at = float(x + 16)
        line = y + (height - 44 if narrow and number > 1 else 90)
        at = count(page, at, line, sign, text, theme.SMALL + 3, PLATE.soft) + 16


def _shown(view: SeaChangeView) -> tuple[tuple[Lay, ...], Trick | None]:
    """The cards to lay out: the current trick, or the last one until somebody leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def _laid(page: Page, view: SeaChangeView, labels: Labels, player: int, x: int, y: int) -> None:
    """The player's cards in the trick, or the place for one; x is the middle."""
    lays, over = _shown(view)
    own = [(number, lay.card) for number, lay in enumerate(lays, 1) if lay.player == player]
    width, height = LAID
    if not own:
        page.place(slot(width, height), x - width // 2, y)
    step = width + 24
    left = x - (step * (len(own) - 1)) // 2 - width // 2
    for i, (number, card) in enumerate(own):
        face = _face(view, card, LAID)
        last = over is None and number == len(lays)
        place_card(
            page, tinted(face, SEA, 0.42) if over else face, left + i * step, y, theme.BRASS_LIGHT if last else None
        )
        _order(page, left + i * step + width - 14, y + 18, number)
        if number == 1 and not over:
            tag(page, left + i * step + width - 44, y + height - 16, labels.say("picture.lead"), 106)
    if over and over.winner == player:
        tag(page, x, y + height // 2, labels.say("picture.took"), 190)


def _track(page: Page, view: SeaChangeView, x: int, y: int, size: int) -> None:
    """The trump track, its middle there: all five suits, the trump in brass."""
    step = round(size * 1.06)
    for i, suit in enumerate(SUITS):
        state = "trump" if suit == view.trump else "idle" if suit in view.suits else "out"
        wide = round(size * 1.2) if state == "trump" else size
        page.place(medallion(suit, wide, state), x + (i - 2) * step, y, "mm")


def _heading(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    page.text(theme.MARGIN, y, _progress(view, labels), theme.BODY, theme.CREAM, 760)
    page.place(emblems.medal(60, str(view.target)), WIDTH - theme.MARGIN, y, "rm")
    page.text(WIDTH - theme.MARGIN - 70, y, labels.say("picture.target"), theme.BODY, PLATE.soft, 300, "rm")


def _progress(view: SeaChangeView, labels: Labels) -> str:
    key = "picture.over" if view.outcome else "picture.progress"
    return labels.say(key, round=view.round, trick=view.trick_number, tricks=view.tricks)


def _table(view: SeaChangeView, labels: Labels) -> Page:
    """The table from above: plates at the edges, cards before them, the trump track between."""
    players = len(view.sides)
    rows = _rows(players)
    columns = len(rows[0])
    stacked = columns == 4 or (columns == 3 and len(_stats(view, 0)) > 2)
    tall = 188 if stacked else 132
    width = min(560, (WIDTH - 2 * theme.MARGIN - (columns - 1) * theme.GAP) // columns)
    head, card, middle = 72, LAID[1], 156
    level = FAST if players <= 4 else EVEN
    page = Page(SLUG, head + 2 * (tall + 26 + card) + middle + 34, _sea, level=level)
    _heading(page, view, labels, 40)
    bottom_cards = head + tall + 26 + card + middle
    for below, row in enumerate(rows):
        space = WIDTH / len(row)
        for i, player in enumerate(row):
            centre = round(space * (i + 0.5))
            y = bottom_cards + card + 26 if below else head
            _plate(page, view, labels, player, (centre - width // 2, y, width, tall))
            _laid(page, view, labels, player, centre, bottom_cards if below else head + tall + 26)
            _mark(page, view, labels, player, centre, y - 2 if below else y + tall - 3)
    _middle(page, view, labels, head + tall + 26 + card + middle // 2)
    return page


def _mark(page: Page, view: SeaChangeView, labels: Labels, player: int, x: int, y: int) -> None:
    """Whose turn it is, or who has won: a label on the inner edge of the plate."""
    if player in match_winners(view):
        tag(page, x, y, labels.say("picture.wins"), 170)
    elif player == view.to_move:
        tag(page, x, y, labels.say("picture.to_play"), 170)


def _middle(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    """The trump track between what was led and the pile."""
    _track(page, view, 600, y, 112)
    lays, over = _shown(view)
    if lays:
        page.text(34, y, labels.say("picture.last" if over else "picture.lead"), theme.BODY, PLATE.soft, 250)
        if not over:
            page.place(medallion(lays[0].card[0], 108, "lead"), 124, y, "lm")
    if view.seats <= 2:
        stack = back(88, 123, emblems.wave, (28, 84, 130))
        for i in range(min(3, view.pile)):
            page.place(stack, 986 - i * 5, y - i * 5, "lm")
        page.text(1090, y, str(view.pile), theme.HEADING, theme.CREAM, 90)


# A seat's hand


def _hand(view: SeaChangeView, labels: Labels, focus: Sequence[str]) -> Page:
    """The hand as a fan, what may be played raised; above it trump, lead and trick."""
    lays, over = _shown(view)
    rise, top = 26, 154
    trick = SMALL_CARD[1] + 84 if lays else 0
    calm = rise + HELD[1] + 50
    page = Page(SLUG, top + trick + calm - 16, _sea, calm, FAST)
    _hand_heading(page, view, labels)
    if lays:
        _trick(page, view, labels, lays, over, top)
    y = top + trick + rise
    width = HELD[0]
    lit = playable(view)
    breaks = sum(a[0] != b[0] for a, b in zip(view.hand, view.hand[1:], strict=False))
    step = fan_step(len(view.hand), width, WIDTH - 2 * theme.MARGIN - 12 * (len(SUITS) - 1))
    at = (WIDTH - width - step * (len(view.hand) - 1) - breaks * 12) // 2
    for i, card in enumerate(view.hand):
        if i and card[0] != view.hand[i - 1][0]:
            at += 12
        face = _face(view, card, HELD)
        chosen = card in focus or f"play {card}" in focus
        if lit and card not in lit:
            face = tinted(face, SEA, 0.45)
        raised = rise if (card in lit and len(lit) < len(view.hand)) or chosen else 0
        place_card(page, face, at, y - raised, theme.BRASS_LIGHT if chosen else None)
        at += step
    return page


def _hand_heading(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Whose turn it is, the trump, the lead suit, the own victory points."""
    assert view.viewer is not None
    turn = "picture.your_turn" if view.to_move == view.viewer else "picture.their_turn"
    player = 0 if view.to_move is None else view.to_move
    if view.outcome:
        turn = "picture.finished"
    name = lettering.shorten(drawn_name(labels, player), theme.HEADING, 430)
    page.text(theme.MARGIN + 4, 50, labels.say(turn, name=name), theme.HEADING, theme.CREAM, 590)
    page.text(theme.MARGIN + 4, 108, _progress(view, labels), theme.SMALL, PLATE.soft, 590)
    page.place(emblems.medal(96, str(view.victory_points[view.sides[view.viewer]])), WIDTH - theme.MARGIN, 76, "rm")
    at = 1064
    lead = view.lays[0].card[0] if view.lays else None
    for key, suit, state, size in (
        ("picture.trump", view.trump, "trump", 116), ("picture.lead", lead, "lead", 112),
    ):  # fmt: skip
        if suit:
            page.place(medallion(suit, size, state), at, 76, "rm")
            at -= size + 6
            at -= page.text(at, 76, labels.say(key), theme.BODY, PLATE.soft, 140, "rm") + 18


def _trick(page: Page, view: SeaChangeView, labels: Labels, lays: Sequence[Lay], over: Trick | None, y: int) -> None:
    """The cards of a trick in the order played, each with its player's name below."""
    width, height = SMALL_CARD
    step = min(220, (WIDTH - 2 * theme.MARGIN) // len(lays))
    left = (WIDTH - step * len(lays)) // 2
    for number, lay in enumerate(lays, 1):
        x = left + step * (number - 1) + (step - width) // 2
        face = _face(view, lay.card, SMALL_CARD)
        glow = theme.BRASS_LIGHT if (lay.player == over.winner if over else number == len(lays)) else None
        dim = over is not None and not view.outcome and over is view.last_trick and view.viewer is not None
        place_card(page, tinted(face, SEA, 0.4) if dim and not glow else face, x, y + 12, glow)
        _order(page, x + width - 10, y + 26, number)
        colour = theme.BRASS_LIGHT if glow else theme.CREAM
        page.text(x + width / 2, y + height + 44, drawn_name(labels, lay.player), theme.SMALL, colour, step - 12, "mm")


# The pictures


def paint(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """The picture before it becomes a file."""
    return _hand(view, labels, focus) if view.hand else _table(view, labels)


def draw(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> bytes:
    """The table, or the viewer's hand while it has one."""
    return paint(view, labels, focus).png()


def paint_cover(labels: Labels) -> Page:
    """The title over a fan of the five suits."""
    page = Page(SLUG, 640, _sea)
    for i, suit in enumerate(SUITS):
        card = card_face(f"{suit}{(4, 9, 12, 9, 0)[i]}", ("", "+2", "+1", "+2", "5?")[i], 2 * HELD[0], 2 * HELD[1])
        turned = leaning(card, 16 - 8 * i)
        page.place(turned, 600 + (i - 2) * 172, 402 + (26, 6, 0, 6, 26)[i], "mm")
    page.text(600, 108, labels.say("game.title"), 124, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 206, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def cover(labels: Labels) -> bytes:
    """The picture of a lobby."""
    return paint_cover(labels).png()


def paint_last(view: SeaChangeView, labels: Labels) -> Page | None:
    """The last trick, before it becomes a file."""
    trick = view.last_trick
    if trick is None:
        return None
    page = Page(SLUG, 120 + SMALL_CARD[1] + 84, _sea)
    name = lettering.shorten(drawn_name(labels, trick.winner), theme.HEADING, 480)
    title = labels.say("picture.last_taken", name=name)
    page.text(theme.MARGIN + 4, 62, title, theme.HEADING, theme.CREAM, 860)
    page.text(1050, 62, labels.say("picture.trump"), theme.BODY, PLATE.soft, 130, "rm")
    page.place(medallion(trick.trump, 108, "trump"), 1064, 62, "lm")
    _trick(page, view._replace(viewer=None), labels, trick.lays, trick, 116)
    return page


def last(view: SeaChangeView, labels: Labels) -> tuple[bytes, str] | None:
    """The last complete trick (C7)."""
    page, trick = paint_last(view, labels), view.last_trick
    if page is None or trick is None:
        return None
    return page.png(), within(ALT_TEXT, labels, lambda labels: trick_text(trick, labels, over=True))
