"""Full Circle on the table: the four quadrants are the panes of a round window in a chapel at night.

The table has the window and its light, the pile, a strip for each player, and a panel with the newest card and what can
be done now. (A seat's own picture is in hand.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, plate, rotated
from rendering.core.chrome import (
    Score,
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
from rendering.core.story import capital
from rendering.core.theme import Plate
from rendering.full_circle.circle import TABLE_RADIUS, frame, place_circle, place_seams
from rendering.full_circle.light import GLOWS, on_wall, place_light
from rendering.full_circle.narration import last_wins, phase_text, streak, winners
from rendering.full_circle.panes import quadrant
from rendering.full_circle.pieces import (
    BACK,
    DIM,
    FLAME,
    HOLLOW,
    LEAD,
    REST,
    card_face,
    paler,
    place_pile,
    streak_flame,
)
from rendering.full_circle.signs import TINTS, quarters
from rendering.full_circle.stage import RIM, SURROUND, chapel, dark
from rules.core.game import Event
from rules.full_circle import PLACES, FullCircleView, Phase
from rules.full_circle.types import FullCircled, Play, TrapSet, Verb

SLUG = "full_circle"
PLATE = Plate((54, 53, 76), (22, 21, 34), (122, 118, 142), theme.CREAM, (204, 200, 220))
"""A player's line of a round's result."""

COLOURS = (
    *(*theme.COLOURS, *chrome.COLOURS, HOLLOW, LEAD, BACK, DIM, REST, PLATE.face, PLATE.soft, *TINTS.values()),
    *(paler(tint) for tint in TINTS.values()),
    *GLOWS.values(),
)  # fmt: skip
"""The colours that the palette has exactly."""


def page_of(view: FullCircleView, height: int, at: tuple[int, int], radius: int) -> Page:
    """Return a page with the chapel in the light of the trap, if one is set, and in that of the window. `at`: the
    window's middle.
    """
    trap = view.trap.colour if view.trap else ""
    floor = floor_of(at[1], radius)
    page = Page(f"{SLUG}_{trap}" if trap else SLUG, height, chapel(trap, *at, radius, floor))
    place_light(page, view, *at, radius, floor + LIGHT_DOWN)
    return page


LIGHT_DOWN = 60
"""How far below the edge of the floor the middle of the window's light lies, in pixels."""


def floor_of(y: int, radius: int) -> int:
    """Return where the floor begins: below the stones round a window whose middle is at y."""
    return y + round(radius * (SURROUND + 0.04)) + 12


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
    held = str(view.hand_sizes[seat]) if plays and view.hand_sizes[seat] and not card else ""  # the card is all
    sign = emblems.sign(emblems.hand, 40, theme.PAPER, chrome.NIGHT)
    figure = lettering.width(held, theme.SMALL)
    edge = x + width - (MINI[0] + 28 if card else 24)  # the right edge of the number of cards
    begins = x + (chrome.STRIP_HEIGHT + 10 if width >= chrome.NARROW else 90)
    watches = "" if plays else labels.say("picture.watches")
    ends = edge - figure - sign.size[0] - 16 if held else x + width - 20
    if watches:
        ends -= lettering.width(watches, theme.SMALL) + 16
    if begins + lettering.width(points, theme.SMALL) > ends:
        points = with_minus_sign(view.totals[seat])
    words = labels.count("wins", wins)
    if wins and plays and begins + lettering.width(f"{points} · {words}", theme.SMALL) <= ends:
        points = f"{points} · {words}"
    tokens = [streak_flame(wins, FLAME)] if wins else []
    place_strip(page, labels, seat, box, turn, Score(0, 0, points), tokens=tokens, beside=MINI[0] + 14 if card else 0)
    ink = theme.INK if turn in ("turn", "won") else theme.CREAM
    if card is not None:
        page.place(card_face(card, *MINI), x + width - 15, y + chrome.STRIP_HEIGHT // 2, "rm")
    if held:
        page.text(edge, y + 76, held, theme.SMALL, ink, 80, "rm")
        page.place(sign, edge - figure - 6, y + 76, "rm")
    elif watches:
        page.text(x + width - 24, y + 76, watches, theme.SMALL, theme.CREAM, 170, "rm")


def place_event(page: Page, view: FullCircleView, labels: Labels, at: tuple[int, int], radius: int) -> None:
    """Place the ribbon of what the last card was, if it was more than a card: below the panes of the window of that
    middle and radius, on its frame.
    """
    x, y = at[0], at[1] + radius + 36
    if view.trap:
        said = labels.say("picture.trap")
        place_ribbon(page, x - 36, y, said, TINTS[view.trap.colour])
        page.place(disc(labels, view.trap.setter, 68), x + lettering.width(said, 46) / 2 + 16, y - 12, "mm")
    elif view.phase in (Phase.DOUBLE, Phase.FULL):
        key = "can.double" if view.phase is Phase.DOUBLE else "can.full"
        place_ribbon(page, x, y, f"{labels.say(key)}!", BACK)


LINE = 42
"""Pixels from one line of a panel to the next."""
MOST_LINES = 3


def place_panel(
    page: Page, view: FullCircleView, labels: Labels, box: tuple[int, int, int, int], *, aside: int = 0
) -> None:
    """Place the newest play, draw or pass: who did it, and the card; and below it what can be done now. The window's
    frame has the mark of where. `box`: left, top, width and height. `aside`: what the first line leaves free at its
    end, in pixels.
    """
    left, top, width, height = box
    page.shade(left, top, width, height, 28, 2, 178, chrome.NIGHT, 0)
    seat, verb = newest(view)
    verb = "verb_drew_this" if view.drawn and verb == "verb_drew" else verb
    page.place(disc(labels, seat, 52), left + 16, top + 42, "lm")
    room = width - 80 - 14 - aside
    said = did_text(view, labels, seat, verb)
    if seat != view.viewer:
        name = short_name(labels, seat, theme.SMALL, room - lettering.width(f" {said}", theme.SMALL) - 1)
        said = f"{name} {said}"
    page.text(left + 80, top + 42, said, lettering.fitting(said, 40, theme.SMALL, room), theme.BRASS_LIGHT, room)
    words = words_of(view, labels)
    lines = balanced(words, width - 44) if words else []
    first = top + height - 34 - LINE * (len(lines) - 1)
    for number, line in enumerate(lines):
        ink = theme.BRASS_LIGHT if view.to_move == view.viewer else theme.CREAM
        page.text(left + width / 2, first + LINE * number, line, theme.SMALL, ink, width - 44, "mm")
    upper, lower = top + 78, first - 30
    tall = min(lower - upper - 28, 260)
    wide = 2 * round(tall * (0.6 if tall < LEAST_TALL else 0.4))
    x, y = left + (width - wide) // 2, (upper + lower - tall) // 2
    page.place(_newest_card(view, wide, tall), x, y)
    if view.last is not None:
        place_last(page, x, y, wide, tall)


def words_of(view: FullCircleView, labels: Labels) -> str:
    """Return what the viewer can do or, if others are to move, what those can; after the match, why it was won. The
    picture itself shows what was made, and the card that was drawn.
    """
    if view.outcome:
        return labels.say(f"picture.won_{view.outcome.reason}")
    asked, text = view.to_move == view.viewer, phase_text(view, labels)
    if view.drawn and asked:
        return text.split(". ", 1)[-1]
    if view.drawn and view.viewer is None:
        return labels.say("picture.must_play")
    if view.phase in (Phase.DOUBLE, Phase.FULL):
        return capital(text.split("! " if asked else ": ", 1)[-1])
    return text


LEAST_TALL = 150
"""A card less tall is wider than tall."""


def balanced(text: str, room: int) -> list[str]:
    """Return the text in as many lines as it needs, at most three, all about as long."""
    found = wrapped(text, room)
    for narrower in range(room - 10, room // 2, -10):
        lines = wrapped(text, narrower)
        if len(lines) > len(found) or max(lettering.width(line, theme.SMALL) for line in lines) > narrower:
            break
        found = lines
    return found


def wrapped(text: str, room: int) -> list[str]:
    """Return the text in as many lines as it needs, at most three, each but the last as full as can be."""
    words, lines = text.split(), [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and lettering.width(longer, theme.SMALL) > room and len(lines) < MOST_LINES:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


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


def did_text(view: FullCircleView, labels: Labels, seat: int, verb: str) -> str:
    """Return what a seat did, without its name; of the viewer a whole sentence: "You drew"."""
    return labels.say(f"picture.you_{verb}" if seat == view.viewer else f"picture.{verb}")


def newest(view: FullCircleView) -> tuple[int, str]:
    """Return who did the newest thing, and the key of its verb."""
    if view.last is None:
        return (view.starter, "verb_begins")
    if isinstance(view.last, Play):
        return view.last.seat, "verb_played"
    return view.last.seat, "verb_passed" if view.last.verb is Verb.PASS else "verb_drew"


# The table

HEIGHT = 900
TABLE_AT = (366, 422)
"""The middle of the window."""
STRIPS = (738, 102)
"""The upper left corner of the players' strips."""
STEP = 112
PILE_AT = (38, 778)
"""The upper left corner of the pile, on the floor."""


def paint_table(view: FullCircleView, labels: Labels) -> Page:
    """Paint the window on the left, the players on the right, and below them what just happened and what is next."""
    page = page_of(view, HEIGHT, TABLE_AT, TABLE_RADIUS)
    target = labels.say("picture.target", target=view.target)
    room = WIDTH - 2 * theme.MARGIN - lettering.width(target, theme.SMALL) - 60
    place_header(page, "", target)
    if view.outcome or view.to_move is None:
        place_victory(page, labels, winners(view), room)
    else:
        name = short_name(labels, view.to_move, HEADING, 340)
        x, y = theme.MARGIN + 6, chrome.HEADER_LINE
        x += page.text(x, y, labels.say("picture.their_turn", name=name), HEADING, theme.BRASS_LIGHT, room - 160) + 26
        page.text(x, y + 2, round_of(view, labels), theme.SMALL, theme.CREAM, room + theme.MARGIN - x)
    place_circle(page, view, *TABLE_AT, TABLE_RADIUS)
    left, top = STRIPS
    wide = WIDTH - theme.MARGIN - left
    for seat in range(view.seats):
        place_seat(page, view, labels, seat, (left, top + seat * STEP, wide))
    foot = top + view.seats * STEP
    place_panel(page, view, labels, (left, foot, wide, HEIGHT - 16 - foot))
    place_event(page, view, labels, TABLE_AT, TABLE_RADIUS)
    place_pile(page, *PILE_AT, 80, view.pile)
    return page


HEADING = 46


def moment(view: FullCircleView, events: Sequence[Event]) -> Point | None:
    """Return the window's middle if a Colour Trap was set or a Full Circle made."""
    return TABLE_AT if any(isinstance(event, TrapSet | FullCircled) for event in events) else None


# The pictures


COVER = (600, 424, 222)
"""The middle and the radius of the window on the cover."""
COVER_FACES = ("RB", "BG", "YP", "OR")
"""The cards in it: all six colours, a Full Circle."""


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a circle and a fan of cards."""
    x, y, radius = COVER
    page = Page(SLUG, 640, chapel("", x, y, radius, 800))
    for number, face in enumerate(COVER_FACES):
        for half, letter in enumerate(face):
            left, top, tint = on_wall(2 * number + half, letter, radius)
            page.place(tint, x + left, y + top)
    for card, degrees, left, top in (
        ("YR", 16, 116, 420), ("O", 6, 262, 400), ("W", -16, 1084, 420), ("GP", -6, 938, 400),
    ):  # fmt: skip
        page.place(rotated(card_face(card, 316, 416), degrees), left, top, "mm")
    page.place(frame(round(radius * RIM), radius, "", full=True), x, y, "mm")
    for number, face in enumerate(COVER_FACES):
        at = (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)
        page.place(quadrant(number, face, face[0], face[1], radius), *at)
    place_seams(page, [(face[0], face[1]) for face in COVER_FACES], x, y, radius, full=True)
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
