"""Full Circle on the table: the four quadrants are the panes of a round window in a dark hall.

The table has the window, a strip for each player, the card played last, the pile, and what just happened. (A seat's own
picture is in hand.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, plate, rotated
from rendering.core.chrome import (
    Score,
    place_caption,
    place_header,
    place_last,
    place_ribbon,
    place_strip,
    place_title,
    place_victory,
)
from rendering.core.discs import disc, short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.sprites import Point, Sprite
from rendering.core.theme import Plate
from rendering.full_circle.circle import TABLE_RADIUS, frame, place_circle
from rendering.full_circle.narration import card_name, last_wins, phase_text, place_name, streak, winners
from rendering.full_circle.panes import LEAD, quadrant
from rendering.full_circle.pieces import (
    BACK,
    DIM,
    FLAME,
    HOLLOW,
    REST,
    card_face,
    compass,
    paler,
    place_pile,
    streak_flame,
)
from rendering.full_circle.signs import TINTS, quarters
from rendering.full_circle.stage import dark, hall
from rules.core.game import Event
from rules.full_circle import PLACES, FullCircleView, Phase
from rules.full_circle.types import FullCircled, Play, TrapSet, Verb

SLUG = "full_circle"
PLATE = Plate((66, 56, 80), (28, 22, 36), (128, 112, 146), theme.CREAM, (204, 192, 216))
"""A player's line of a round's result."""

COLOURS = (
    *(*theme.COLOURS, *chrome.COLOURS, HOLLOW, LEAD, BACK, DIM, REST, PLATE.face, PLATE.soft, *TINTS.values()),
    *(paler(tint) for tint in TINTS.values()),
)  # fmt: skip
"""The colours that the palette has exactly."""


def page_of(view: FullCircleView, height: int, at: tuple[int, int]) -> Page:
    """Return a page with the hall in the light of the trap, if one is set. `at`: the middle of the window."""
    trap = view.trap.colour if view.trap else ""
    return Page(f"{SLUG}_{trap}" if trap else SLUG, height, hall(trap, *at))


# Parts of both pictures


def round_of(view: FullCircleView, labels: Labels) -> str:
    """Return how far the match is."""
    return labels.say("picture.play_off" if view.play_off else "picture.round", round=view.round)


MINI = (62, 68)
"""The size of an open last card on a strip: it stays inside the round end."""


def place_seat(page: Page, view: FullCircleView, labels: Labels, seat: int, box: tuple[int, int, int]) -> None:
    """Place a player's strip: name, total, wins in a row, cards in hand or the open last card."""
    x, y, width = box
    plays = seat in view.players
    turn: chrome.Turn = "won" if seat in winners(view) else "turn" if seat == view.to_move else "" if plays else "out"
    wins = streak(view, seat)
    card = view.open_cards[seat] if plays else None
    points = labels.count("points", view.totals[seat])
    held = str(view.hand_sizes[seat]) if plays and view.hand_sizes[seat] else ""
    sign = emblems.sign(emblems.hand, 40, theme.PAPER, chrome.NIGHT)
    figure = lettering.width(held, theme.SMALL)
    edge = x + width - (MINI[0] + 36 if card else 24)  # the right edge of the number of cards
    begins = x + (chrome.STRIP_HEIGHT + 10 if width >= chrome.NARROW else 90)
    ends = edge - figure - sign.size[0] - 16 if held else x + width - 20
    if begins + lettering.width(points, theme.SMALL) > ends:
        points = with_minus_sign(view.totals[seat])
    words = labels.count("wins", wins)
    if wins and plays and begins + lettering.width(f"{points} · {words}", theme.SMALL) <= ends:
        points = f"{points} · {words}"
    tokens = [streak_flame(wins, FLAME)] if wins else []
    place_strip(page, labels, seat, box, turn, Score(0, 0, points), tokens=tokens, beside=MINI[0] + 16 if card else 0)
    ink = theme.INK if turn in ("turn", "won") else theme.CREAM
    if card is not None:
        page.place(card_face(card, *MINI), x + width - 26, y + chrome.STRIP_HEIGHT // 2, "rm")
    if held:
        page.text(edge, y + 76, held, theme.SMALL, ink, 80, "rm")
        page.place(sign, edge - figure - 6, y + 76, "rm")
    elif not plays:
        page.text(x + width - 24, y + 76, labels.say("picture.watches"), theme.SMALL, theme.CREAM, 170, "rm")


def place_event(page: Page, view: FullCircleView, labels: Labels, at: tuple[int, int], radius: int) -> None:
    """Place the ribbon of what the last card was, if it was more than a card: below the panes of the window of that
    middle and radius, on its frame.
    """
    x, y = at[0], at[1] + radius + 36
    if view.trap:
        place_ribbon(page, x, y, labels.say("picture.trap"), TINTS[view.trap.colour])
    elif view.phase in (Phase.DOUBLE, Phase.FULL):
        key = "can.double" if view.phase is Phase.DOUBLE else "can.full"
        place_ribbon(page, x, y, f"{labels.say(key)}!", BACK)


LEAST_STACKED = 300
"""The least height of the panel of the newest move that has its words below its signs."""


def place_played(page: Page, view: FullCircleView, labels: Labels, box: tuple[int, int, int, int]) -> None:
    """Place the newest play, draw or pass: who, what and, of a card, where. `box`: left, top, width and height."""
    left, top, width, height = box
    page.shade(left, top, width, height, 28, 2, 178, chrome.NIGHT, 0)
    seat, verb = newest(view)
    tall = min(height - 60, 220)
    wide = 2 * round(tall * 0.38)
    at = left + width - wide - 32, top + (height - tall) // 2
    page.place(_newest_card(view, wide, tall), *at)
    if view.last is not None:
        place_last(page, *at, wide, tall)
    room, y = at[0] - left - 20, top + height // 2
    lines = [(disc(labels, seat, 84), labels.say(f"picture.{verb}"), theme.BRASS_LIGHT)]
    if isinstance(view.last, Play):
        lines.append((compass(84, *where(view.last.place)), place_name(labels, view.last.place), theme.CREAM))
    for number, (sign, words, ink) in enumerate(lines):
        if height < LEAST_STACKED:
            middle = y + round((number - (len(lines) - 1) / 2) * 92)
            page.place(sign, left + 24, middle, "lm")
            page.text(left + 118, middle, words, theme.SMALL, ink, room - 94)
        else:
            middle = y + round((number - (len(lines) - 1) / 2) * 146)
            page.place(sign, left + room // 2 + 10, middle - 24, "mm")
            page.text(left + room // 2 + 10, middle + 42, words, theme.SMALL, ink, room, "mm")


def _newest_card(view: FullCircleView, width: int, height: int) -> Sprite:
    """Return the card of the newest move; a back if it was not played, and the first card before all moves."""
    if view.drawn:
        return card_face(view.drawn, width, height)
    if isinstance(view.last, Play):
        return card_face(card_of(view.last.face), width, height)
    if view.last is None and (first := view.circle[0]) is not None:
        return card_face(card_of(first.face), width, height)
    return back(width, height, quarters, BACK)


def card_of(face: str) -> str:
    """Return the card that was played as that face."""
    return "W" if face[0] == "W" else face


def where(place: str) -> tuple[str, str]:
    """Return what a compass shows of one place."""
    return "".join("1" if place == other else "0" for other in PLACES), "0000"


def newest(view: FullCircleView) -> tuple[int, str]:
    """Return who did the newest thing, and the key of its verb."""
    if view.last is None:
        return (view.starter, "verb_begins")
    if isinstance(view.last, Play):
        return view.last.seat, "verb_played"
    return view.last.seat, "verb_passed" if view.last.verb is Verb.PASS else "verb_drew"


def happened(view: FullCircleView, labels: Labels) -> str:
    """Return what just happened."""
    if view.trap:
        colour = labels.say(f"colour.{view.trap.colour}")
        return labels.say("picture.trapped", colour=colour, name=short_name(labels, view.trap.setter, 40, 260))
    seat, verb = newest(view)
    name = short_name(labels, seat, 40, 300)
    if isinstance(view.last, Play):
        return labels.say("picture.played", name=name, card=card_name(labels, view.last.face))
    if view.drawn:
        return labels.say("picture.drew", name=name, card=card_name(labels, view.drawn))
    return f"{name} {labels.say(f'picture.{verb}')}"


# The table

HEIGHT = 900
TABLE_AT = (352, 406)
"""The middle of the window."""
STRIPS = (704, 104)
"""The upper left corner of the players' strips."""
STEP = 116
CAPTION_TOP = HEIGHT - chrome.CAPTION_HEIGHT - 16


def _awaited(view: FullCircleView, labels: Labels, room: int) -> str:
    """Return whose turn it is and, if there is room, what they may do; after the match, why it was won."""
    if view.outcome is not None:
        return labels.say(f"picture.won_{view.outcome.reason}")
    assert view.to_move is not None
    who = labels.say("picture.their_turn", name=short_name(labels, view.to_move, theme.SMALL, 300))
    both = who if view.drawn else f"{who} · {phase_text(view, labels)}"
    return both if lettering.width(both, theme.SMALL) <= room else who


def paint_table(view: FullCircleView, labels: Labels) -> Page:
    """Paint the window on the left, the players and the card played last on the right, what just happened below."""
    page = page_of(view, HEIGHT, TABLE_AT)
    target = labels.say("picture.target", target=view.target)
    place_header(page, "" if view.outcome else round_of(view, labels), target)
    if view.outcome:
        place_victory(page, labels, winners(view), 1100 - lettering.width(target, theme.SMALL))
    place_circle(page, view, *TABLE_AT, TABLE_RADIUS)
    left, top = STRIPS
    wide = WIDTH - theme.MARGIN - left
    for seat in range(view.seats):
        place_seat(page, view, labels, seat, (left, top + seat * STEP, wide))
    foot = top + view.seats * STEP
    place_played(page, view, labels, (left, foot, wide, CAPTION_TOP - 16 - foot))
    place_event(page, view, labels, TABLE_AT, TABLE_RADIUS)
    place_pile(page, theme.MARGIN + 8, CAPTION_TOP + 2, 80, view.pile)
    left = theme.MARGIN + 110
    wide = WIDTH - theme.MARGIN - left
    place_caption(page, left, CAPTION_TOP, wide, happened(view, labels), _awaited(view, labels, wide - 28))
    return page


def moment(view: FullCircleView, events: Sequence[Event]) -> Point | None:
    """Return the window's middle if a Colour Trap was set or a Full Circle made."""
    return TABLE_AT if any(isinstance(event, TrapSet | FullCircled) for event in events) else None


# The pictures


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a circle and a fan of cards."""
    page = Page(SLUG, 640, hall("", 600, 416))
    page.place(frame(240, 220, ""), 600, 416, "mm")
    for card, degrees, x, y in (("YR", 16, 124, 436), ("O", 6, 270, 412), ("W", -16, 1076, 436), ("GP", -6, 930, 412)):
        page.place(rotated(card_face(card, 316, 416), degrees), x, y, "mm")
    for number, face in enumerate(("RB", "BG", "GP", "PR")):
        left, top = (380 if number in (0, 3) else 600), (196 if number in (0, 1) else 416)
        page.place(quadrant(number, face, face[0], face[1], 220), left, top)
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 76)
    return page


LAST_HEIGHT = 764
LAST_TOP = 96
COUNTED = (318, 640)
"""Where the cards that a player counts begin, and the width for them."""
COUNTED_SIZES = ((84, 110), (70, 92), (60, 58), (50, 52))
"""The sizes of cards that are counted, the largest first."""


def paint_last(view: FullCircleView, labels: Labels) -> Page | None:
    """Paint the last round with its counted cards (F15); None before the first round is over."""
    result = view.last_round
    if result is None:
        return None
    page = Page(SLUG, LAST_HEIGHT, dark)
    winner = 0 if result.winner is None else result.winner
    key = "last_without" if result.winner is None else "last_play_off" if result.play_off else "last_won"
    name = short_name(labels, winner, theme.HEADING, 640)
    title = labels.say(f"picture.{key}", name=name, round=result.round)
    place_header(page, title, "", theme.HEADING, 1140)
    tall = min(200, (LAST_HEIGHT - LAST_TOP - 12) // len(result.players))
    for number, seat in enumerate(result.players):
        _result_row(page, view, labels, seat, LAST_TOP + number * tall, tall - theme.GAP)
    return page


def _result_row(page: Page, view: FullCircleView, labels: Labels, seat: int, y: int, tall: int) -> None:
    """Place a player's line: the cards left, what they count (nothing in a play-off, F16), the total after that."""
    result = view.last_round
    assert result is not None
    won, middle = seat == result.winner, y + tall / 2 - 2
    page.shade(theme.MARGIN, y, WIDTH - 2 * theme.MARGIN, tall, theme.CORNER)
    page.place(plate(WIDTH - 2 * theme.MARGIN, tall, PLATE, won), theme.MARGIN, y)
    page.place(disc(labels, seat, 76), theme.MARGIN + 14, middle, "lm")
    name = short_name(labels, seat, theme.SMALL, 190)
    page.text(theme.MARGIN + 102, middle, name, theme.SMALL, PLATE.text, 190)
    points = "" if result.play_off else signed(result.points[seat] - (result.bonus if won else 0))
    total = labels.count("points", result.totals[seat])
    page.text(WIDTH - 42, middle + 24, total, theme.SMALL, PLATE.soft, 220, "rm")
    page.text(WIDTH - 42, middle - 24, points, 50, theme.BRASS_LIGHT, 220, "rm")
    left, room = COUNTED
    if won:
        at = left + page.text(left, middle, labels.say("picture.out"), theme.SMALL, PLATE.soft, 300) + 24
        if wins := last_wins(view):
            page.place(streak_flame(wins, FLAME), at, middle, "lm")
            words = labels.say("picture.in_a_row", wins=wins)
            page.text(at + FLAME + 8, middle, words, theme.SMALL, PLATE.soft, left + room - at - FLAME)
        return
    _counted(page, labels, result.hands[seat], (left, y, room, tall))


def _counted(page: Page, labels: Labels, cards: Sequence[str], box: tuple[int, int, int, int]) -> None:
    """Place cards in rows, as large as there is room for; too many are told in words."""
    left, top, width, height = box
    for wide, tall in COUNTED_SIZES:
        in_row, most = width // (wide + 6), max(1, (height - 12) // (tall + 6))
        if len(cards) <= in_row * most:
            rows = -(-len(cards) // in_row)
            first = top + (height - rows * (tall + 6)) // 2
            for number, card in enumerate(cards):
                row, column = divmod(number, in_row)
                page.place(card_face(card, wide, tall), left + column * (wide + 6), first + row * (tall + 6))
            return
    page.text(left, top + height / 2 - 2, labels.count("cards", len(cards)), theme.SMALL, PLATE.text, width)
