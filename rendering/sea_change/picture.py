"""Sea Change on the table: a night sea, five suits marked by sign and letter, the trump track in the middle.

An onlooker's table has a plate for each player, clockwise from the upper left, with the player's card in front of it.
A seat's picture is its hand, with the trick, the lead suit and the trump above it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, fan_step, place_card, place_count, place_plate, place_tag, rotated, two_rows
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels
from rendering.core.png import EVEN, FAST
from rendering.core.sprites import Sprite, at_rest, mix, resting
from rendering.sea_change import emblems
from rendering.sea_change.narration import match_winners, playable
from rendering.sea_change.pieces import (
    HELD,
    LAID,
    PLATE,
    SEA,
    SLUG,
    SMALL_CARD,
    SUITS,
    TINTS,
    card_face,
    face_of,
    medallion,
    place_order,
    sea,
    slot,
)
from rules.sea_change import Lay, SeaChangeView, Trick

GLOWS = theme.glows(mix(SEA, (0, 0, 0), 0.2))
RESTING = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, SEA, PLATE.face, PLATE.soft, *TINTS.values(), *RESTING, *GLOWS)
"""The colours that the palette has exactly."""


# The table


def _stats(view: SeaChangeView, player: int) -> list[tuple[Sprite, str]]:
    """The signs and numbers of a player's plate."""
    side = view.sides[player]
    size = 44
    stats = []
    cards = view.hand_sizes[player] if player < view.seats else view.pile
    stats.append((core.sign(core.hand, size, theme.PAPER, PLATE.face), str(cards)))
    stats.append((core.sign(core.captured, size, theme.PAPER_EDGE, PLATE.face), str(view.captured[side])))
    if len(set(view.sides)) < len(view.sides):
        stats.append((emblems.side_badge(50, side), ""))
    shown = view.points
    if shown is None and view.last_round and (view.outcome or _new_round_dealt(view)):
        shown = view.last_round.points
    if shown is not None:
        stats.append((core.sign(core.points, size, theme.BRASS_LIGHT, PLATE.face), signed(shown[side])))
    return stats


def _new_round_dealt(view: SeaChangeView) -> bool:
    """Return whether a new round has been dealt and no card played in it."""
    return view.trick_number == 1 and not view.lays


def _plate(page: Page, view: SeaChangeView, labels: Labels, player: int, box: tuple[int, int, int, int]) -> None:
    """Place a player's plate: name, dealer's anchor, victory points, cards in hand and captured."""
    x, y, width, height = box
    lit = player in match_winners(view) if view.outcome else player == view.to_move
    place_plate(page, box, PLATE, lit)
    narrow = height > 150  # a third line, since two are too short on a narrow plate
    medal = 66 if narrow else 88
    right = x + width - 12
    victory = core.medal(medal, str(view.victory_points[view.sides[player]]))
    page.place(victory, right, y + (height - 44 if narrow else height / 2 - 2), "rm")
    left, room = x + 18, width - 36 - (0 if narrow else medal + 6)
    if player == view.dealer and view.seats > 1:
        page.place(core.sign(emblems.anchor, 42, theme.BRASS_LIGHT, PLATE.face), left - 4, y + 37, "lm")
        left, room = left + 44, room - 44
    page.text(left, y + 38, drawable_name(labels, player), theme.BODY, PLATE.text, room)
    at = float(x + 16)
    for number, (sign, text) in enumerate(_stats(view, player)):
        if narrow and number == 2:
            at = float(x + 16)
        line = y + (height - 44 if narrow and number > 1 else 90)
        at = place_count(page, at, line, sign, text, theme.SMALL + 3, PLATE.soft) + 16


def _shown_trick(view: SeaChangeView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def _place_lays(page: Page, view: SeaChangeView, labels: Labels, player: int, x: int, y: int) -> None:
    """Place the player's cards in the trick, or the empty place for one; x is the middle."""
    lays, over = _shown_trick(view)
    own = [(number, lay.card) for number, lay in enumerate(lays, 1) if lay.player == player]
    width, height = LAID
    if not own:
        page.place(slot(width, height), x - width // 2, y)
    step = width + 24
    left = x - (step * (len(own) - 1)) // 2 - width // 2
    for i, (number, card) in enumerate(own):
        face = face_of(view, card, LAID)
        last = over is None and number == len(lays)
        place_card(page, resting(face) if over else face, left + i * step, y, theme.BRASS_LIGHT if last else None)
        place_order(page, left + i * step + width - 14, y + 18, number)
        if number == 1 and not over:
            place_tag(page, left + i * step + width - 44, y + height - 16, labels.say("picture.lead"), 106)
    if over and over.winner == player:
        place_tag(page, x, y + height + 12, labels.say("picture.took"), 190)


def _track(page: Page, view: SeaChangeView, x: int, y: int, size: int) -> None:
    """Place the trump track with its middle at (x, y): all five suits, the trump in brass."""
    step = round(size * 1.06)
    for i, suit in enumerate(SUITS):
        state = "trump" if suit == view.trump else "idle" if suit in view.suits else "out"
        wide = round(size * 1.2) if state == "trump" else size
        page.place(medallion(suit, wide, state), x + (i - 2) * step, y, "mm")


def _heading(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    page.text(theme.MARGIN, y, _progress(view, labels), theme.BODY, theme.CREAM, 760)
    page.place(core.medal(60, str(view.target)), WIDTH - theme.MARGIN, y, "rm")
    page.text(WIDTH - theme.MARGIN - 70, y, labels.say("picture.target"), theme.BODY, PLATE.soft, 300, "rm")


def _progress(view: SeaChangeView, labels: Labels) -> str:
    key = "picture.over" if view.outcome else "picture.progress"
    return labels.say(key, round=view.round, trick=view.trick_number, tricks=view.tricks)


def _table(view: SeaChangeView, labels: Labels) -> Page:
    """The table from above: plates at the edges, cards before them, the trump track between."""
    players = len(view.sides)
    rows = two_rows(players)
    columns = len(rows[0])
    stacked = columns == 4 or (columns == 3 and len(_stats(view, 0)) > 2)
    tall = 188 if stacked else 132
    width = min(560, (WIDTH - 2 * theme.MARGIN - (columns - 1) * theme.GAP) // columns)
    head, card, middle = 72, LAID[1], 156
    level = FAST if players <= 4 else EVEN
    page = Page(SLUG, head + 2 * (tall + 26 + card) + middle + 34, sea, level=level)
    _heading(page, view, labels, 40)
    bottom_cards = head + tall + 26 + card + middle
    for below, row in enumerate(rows):
        space = WIDTH / len(row)
        for i, player in enumerate(row):
            centre = round(space * (i + 0.5))
            y = bottom_cards + card + 26 if below else head
            _plate(page, view, labels, player, (centre - width // 2, y, width, tall))
            _place_lays(page, view, labels, player, centre, bottom_cards if below else head + tall + 26)
            _mark(page, view, labels, player, centre, y - 2 if below else y + tall - 3)
    _middle(page, view, labels, head + tall + 26 + card + middle // 2)
    return page


def _mark(page: Page, view: SeaChangeView, labels: Labels, player: int, x: int, y: int) -> None:
    """Place a label on the inner edge of the plate, if it is that player's turn or win."""
    if player in match_winners(view):
        place_tag(page, x, y, labels.say("picture.wins"), 170)
    elif player == view.to_move:
        place_tag(page, x, y, labels.say("picture.to_play"), 170)


def _middle(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    """Place the trump track between the lead suit and the pile."""
    _track(page, view, 600, y, 112)
    lays, over = _shown_trick(view)
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

HEADING_LINE = 76
"""The middle of the line with the trump, the lead suit and the victory points."""
TRUMP_AT = (1064, HEADING_LINE)
"""The right end of the trump's medallion."""
TRICK_TOP, RISE = 154, 26
"""The upper edge of the trick, and how much higher a card lies that may be played."""


def _hand(view: SeaChangeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the hand as a fan, the playable cards raised; above it trump, lead and trick."""
    lays, over = _shown_trick(view)
    plain_rows = RISE + HELD[1] + 50
    page = Page(SLUG, _held_top(view) - RISE + plain_rows - 16, sea, plain_rows, FAST)
    _hand_heading(page, view, labels)
    if lays:
        _trick(page, view, labels, lays, over, TRICK_TOP)
    lit = playable(view)
    for card, (x, y) in zip(view.hand, held_places(view), strict=True):
        face = face_of(view, card, HELD)
        chosen = card in focus or f"play {card}" in focus
        if lit and card not in lit:
            face = resting(face)
        place_card(page, face, x, y - RISE if chosen and not _is_raised(view, card) else y,
                   theme.BRASS_LIGHT if chosen else None)  # fmt: skip
    return page


def _held_top(view: SeaChangeView) -> int:
    """Return the upper edge of the hand's cards that are not raised."""
    return TRICK_TOP + (SMALL_CARD[1] + 84 if _shown_trick(view)[0] else 0) + RISE


def _is_raised(view: SeaChangeView, card: str) -> bool:
    lit = playable(view)
    return card in lit and len(lit) < len(view.hand)


def held_places(view: SeaChangeView) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    width = HELD[0]
    breaks = sum(a[0] != b[0] for a, b in zip(view.hand, view.hand[1:], strict=False))
    step = fan_step(len(view.hand), width, WIDTH - 2 * theme.MARGIN - 12 * (len(SUITS) - 1))
    at = (WIDTH - width - step * (len(view.hand) - 1) - breaks * 12) // 2
    top, places = _held_top(view), []
    for i, card in enumerate(view.hand):
        if i and card[0] != view.hand[i - 1][0]:
            at += 12
        places.append((at, top - RISE if _is_raised(view, card) else top))
        at += step
    return places


def _hand_heading(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write whose turn it is, the trump, the lead suit, the viewer's victory points."""
    assert view.viewer is not None
    turn = "picture.your_turn" if view.to_move == view.viewer else "picture.their_turn"
    player = 0 if view.to_move is None else view.to_move
    if view.outcome:
        turn = "picture.finished"
    name = lettering.shorten(drawable_name(labels, player), theme.HEADING, 430)
    page.text(theme.MARGIN + 4, 50, labels.say(turn, name=name), theme.HEADING, theme.CREAM, 590)
    page.text(theme.MARGIN + 4, 108, _progress(view, labels), theme.SMALL, PLATE.soft, 590)
    medal = core.medal(96, str(view.victory_points[view.sides[view.viewer]]))
    page.place(medal, WIDTH - theme.MARGIN, HEADING_LINE, "rm")
    at, _ = TRUMP_AT
    lead = view.lays[0].card[0] if view.lays else None
    for key, suit, state, size in (
        ("picture.trump", view.trump, "trump", 116), ("picture.lead", lead, "lead", 112),
    ):  # fmt: skip
        if suit:
            page.place(medallion(suit, size, state), at, HEADING_LINE, "rm")
            at -= size + 6
            at -= page.text(at, HEADING_LINE, labels.say(key), theme.BODY, PLATE.soft, 140, "rm") + 18


def _trick_step(lays: Sequence[Lay]) -> int:
    return min(220, (WIDTH - 2 * theme.MARGIN) // len(lays))


def _trick_edges(lays: Sequence[Lay]) -> list[int]:
    """Return the left edge of each card of a trick."""
    step = _trick_step(lays)
    left = (WIDTH - step * len(lays)) // 2 + (step - SMALL_CARD[0]) // 2
    return [left + step * number for number in range(len(lays))]


def trick_places(view: SeaChangeView) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the trick above a hand; none if there is no trick."""
    lays, _ = _shown_trick(view)
    return [(x, TRICK_TOP + 12) for x in _trick_edges(lays)] if lays else []


def _trick(page: Page, view: SeaChangeView, labels: Labels, lays: Sequence[Lay], over: Trick | None, y: int) -> None:
    """The cards of a trick in the order played, each with its player's name below."""
    width, height = SMALL_CARD
    step = _trick_step(lays)
    for number, (lay, x) in enumerate(zip(lays, _trick_edges(lays), strict=True), 1):
        face = face_of(view, lay.card, SMALL_CARD)
        glow = theme.BRASS_LIGHT if (lay.player == over.winner if over else number == len(lays)) else None
        dim = over is not None and not view.outcome and over is view.last_trick and view.viewer is not None
        place_card(page, resting(face) if dim and not glow else face, x, y + 12, glow)
        place_order(page, x + width - 10, y + 26, number)
        colour = theme.BRASS_LIGHT if glow else theme.CREAM
        page.text(
            x + width / 2, y + height + 44, drawable_name(labels, lay.player), theme.SMALL, colour, step - 12, "mm"
        )


# The pictures


def paint(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return _hand(view, labels, focus) if view.hand else _table(view, labels)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a fan of the five suits."""
    page = Page(SLUG, 640, sea)
    for i, suit in enumerate(SUITS):
        card = card_face(f"{suit}{(4, 9, 12, 9, 0)[i]}", ("", "+2", "+1", "+2", "5?")[i], 2 * HELD[0], 2 * HELD[1])
        turned = rotated(card, 16 - 8 * i)
        page.place(turned, 600 + (i - 2) * 172, 402 + (26, 6, 0, 6, 26)[i], "mm")
    page.text(600, 108, labels.say("game.title"), 124, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 206, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    return page


def paint_last(view: SeaChangeView, labels: Labels) -> Page | None:
    """Paint the last complete trick (C7)."""
    trick = view.last_trick
    if trick is None:
        return None
    page = Page(SLUG, 120 + SMALL_CARD[1] + 84, sea)
    name = lettering.shorten(drawable_name(labels, trick.winner), theme.HEADING, 480)
    title = labels.say("picture.last_taken", name=name)
    page.text(theme.MARGIN + 4, 62, title, theme.HEADING, theme.CREAM, 860)
    page.text(1050, 62, labels.say("picture.trump"), theme.BODY, PLATE.soft, 130, "rm")
    page.place(medallion(trick.trump, 108, "trump"), 1064, 62, "lm")
    _trick(page, view._replace(viewer=None), labels, trick.lays, trick, 116)
    return page
