"""Siege of Sunfall on the table: walnut planks under the city's walls at sunset.

An onlooker's table has the faced card, the pledges opened last, and a board for each player. A seat's picture is its
own coins, cards and seal, with the faced card and a line for each other player.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, place_card, place_count, place_tag, plate, rotated
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.png import FAST
from rendering.core.sprites import Colour, mix
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.pieces import (
    BACK,
    BAND,
    BOARD,
    FACED,
    MINI,
    OUT,
    SIGNS,
    SLUG,
    STONE,
    TINTS,
    WALNUT,
    card_face,
    faced_card,
    mini_card,
    progress,
    table_top,
    title_of,
)
from rules.siege_of_sunfall.types import BOOST_ADDS, Kind, Reveal, SiegeView

GLOWS = theme.glows(mix(WALNUT, (0, 0, 0), 0.15))
COLOURS = (*theme.COLOURS, WALNUT, STONE, BOARD.face, OUT.face, OUT.text, emblems.WAX, *TINTS.values(), *GLOWS)
"""The colours that the palette has exactly."""

LEFT = 44
"""The left edge of the faced card."""
SHEET, SHEET_WIDTH = 330, WIDTH - 330 - theme.MARGIN
"""The left edge and the width of the sheet beside the card; the sheet is as high as the card."""


# The table


def _head(page: Page, view: SiegeView, labels: Labels) -> None:
    """Write round and pile, on the sky."""
    text = labels.say("picture.over" if view.outcome else "picture.round", round=view.round, rounds=view.rounds)
    page.text(theme.MARGIN, 38, text, theme.HEADING, theme.CREAM, 480)
    if view.card_number:
        text = labels.say("picture.card", number=view.card_number, left=view.pile)
        page.text(WIDTH - theme.MARGIN, 38, text, theme.BODY, theme.CREAM, 440, "rm")


def _faced(page: Page, view: SiegeView, labels: Labels, y: int) -> None:
    """Place the faced card, with the pile under it."""
    unseen = back(*FACED, core.sun, BACK)
    if view.card is None:
        place_card(page, unseen, LEFT, y)
        return
    for i in range(min(3, view.pile), 0, -1):
        page.place(unseen, LEFT + 9 * i, y + 5 * i)
    place_card(page, faced_card(labels, view.card), LEFT, y)


def _chip(page: Page, reveal: Reveal, labels: Labels, seat: int, x: int, y: int, width: int, face: Colour) -> None:
    """Place one opened pledge: name, coins, boosts. Mark a player who takes the card and a player who falls."""
    coins, boosts = reveal.pledges[seat], reveal.boosts[seat]
    assert coins is not None
    number = f"{coins}+{BOOST_ADDS * boosts}" if boosts else str(coins)
    ink = BOARD.text
    room = width - 130
    mark = None
    if seat == reveal.taker:
        mark = core.sign(core.points, 34, theme.BRASS_DARK, face)
    elif seat in reveal.eliminated:
        mark, ink = core.sign(emblems.broken, 38, theme.ALARM, face), theme.ALARM
    elif seat in reveal.tied:
        mark = core.sign(core.points, 34, mix(face, theme.BRASS_DARK, 0.45), face)
    if mark:
        page.place(mark, x, y, "lm")
    page.text(x + 42, y, drawable_name(labels, seat), theme.SMALL, ink, room - 42)
    page.place(emblems.coin(34), x + width - 118, y, "lm")
    page.text(x + width - 76, y, number, theme.BODY, ink, 80)


def _reveal(page: Page, view: SiegeView, labels: Labels, reveal: Reveal | None, y: int) -> None:
    """Place a sheet of parchment with the pledges opened last, and their result."""
    x, width, height = SHEET, SHEET_WIDTH, FACED[1]
    page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, BOARD), x, y)
    if reveal is None:
        middle, centre, room = x + width / 2, y + height / 2, width - 40
        page.text(middle, centre - 26, labels.say("picture.no_reveal"), theme.BODY, BOARD.text, room, "mm")
        coins = labels.say("picture.starting", coins=view.starting_coins)
        page.text(middle, centre + 30, coins, theme.SMALL, BOARD.soft, room, "mm")
        return
    face = BOARD.face
    page.place(core.sign(SIGNS[reveal.card.kind], 50, TINTS[reveal.card.kind], face), x + 18, y + 40, "lm")
    title = title_of(labels, reveal.card.kind)
    against = labels.say("picture.against", total=reveal.total, strength=reveal.card.strength)
    end = x + 80 + page.text(x + 80, y + 40, title, theme.BODY, BOARD.text, 270)
    if reveal.card.strength:
        page.text(end + 18, y + 40, against, theme.BODY, BOARD.soft, 180)
    if reveal.repelled is not None:
        word = labels.say("picture.repelled" if reveal.repelled else "picture.fallen")
        place_tag(page, x + width - 102, y + 40, word, 172, theme.GOOD if reveal.repelled else theme.ALARM, theme.CREAM)
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    cell = (width - 40) // 2
    for i, seat in enumerate(seats):
        _chip(page, reveal, labels, seat, x + 20 + (i % 2) * (cell + 4), y + 104 + (i // 2) * 52, cell, face)
    said = _won(view, labels) if view.outcome else _result(reveal, labels)
    page.text(x + 22, y + height - 36, said, theme.SMALL, BOARD.text, width - 44)


def _won(view: SiegeView, labels: Labels) -> str:
    """Return who has won and why, in a few words for a picture."""
    assert view.outcome is not None
    names = labels.list([drawable_name(labels, seat) for seat in sorted(view.outcome.winners)])
    short = lettering.shorten(names, theme.SMALL, 300)
    return labels.say(f"picture.won_{view.outcome.reason}", name=short)


def _result(reveal: Reveal, labels: Labels) -> str:
    """Return which player gets the card, in a few words for a picture."""
    if reveal.taker is not None:
        key = "picture.crowned" if reveal.card.kind is Kind.CROWN else "picture.takes"
        return labels.say(key, name=lettering.shorten(drawable_name(labels, reveal.taker), theme.SMALL, 520))
    if reveal.repelled is False:
        return labels.say(
            "picture.falls", names=labels.list([drawable_name(labels, seat) for seat in reveal.eliminated])
        )
    if reveal.tied:
        return labels.say("picture.tie", names=labels.list([drawable_name(labels, seat) for seat in reveal.tied]))
    return labels.say("picture.nobody")


def _stock(page: Page, view: SiegeView, seat: int, x: float, y: float, face: Colour, ink: Colour) -> None:
    """Place coins, armies, incomplete sets, boosts and gold, on a line."""
    at = place_count(page, x, y, emblems.coin(46), str(view.coins[seat]), 40, ink) + 12
    banner = core.sign(emblems.banner, 46, TINTS[Kind.ARMIES], face)
    at = place_count(page, at, y, banner, str(view.armies[seat]), 40, ink) + 14
    held = view.held[seat]
    for kind, have in ((Kind.SWORDS, held.swords), (Kind.HELMET, held.helmet), (Kind.BOW, held.bow)):
        page.place(progress(kind, have, face), at, y, "lm")
        at += 64
    for kind, have in ((Kind.BOOST, held.boost), (Kind.GOLD, held.gold)):
        if have:
            page.place(mini_card(kind), at + 2, y, "lm")
            at += MINI[0] + 6
            if have > 1:
                at += page.text(at, y, str(have), theme.SMALL, ink) + 6


def armies_at(view: SiegeView, seat: int, x: float) -> float:
    """Return the left edge of the armies in a stock that begins at x."""
    return x + 46 + 8 + lettering.width(str(view.coins[seat]), 40) + 12


def sets_at(view: SiegeView, seat: int, x: float) -> float:
    """Return the left edge of the incomplete sets in a stock that begins at x."""
    return armies_at(view, seat, x) + 46 + 8 + lettering.width(str(view.armies[seat]), 40) + 14


def _board(page: Page, view: SiegeView, labels: Labels, seat: int, box: tuple[int, int, int, int]) -> None:
    """Place a player's board: name, crown, whether the player has sealed; below them the player's belongings."""
    x, y, width, height = box
    over = view.outcome
    lit = seat in over.winners if over else seat in view.to_move
    colours = BOARD if view.alive[seat] or over else OUT
    if lit:
        page.shade(x - 2, y - 2, width + 4, height + 4, theme.CORNER, 9, 255, theme.BRASS_LIGHT, 0)
    else:
        page.shade(x, y, width, height, theme.CORNER)
    page.place(plate(width, height, colours, lit), x, y)
    left = x + 18
    if seat == view.king:
        page.place(core.sign(emblems.crown, 50, theme.BRASS_DARK, colours.face), left - 4, y + 40, "lm")
        left += 56
    status = _status(view, seat)
    reserved = 20
    if status == "sealed":
        page.place(emblems.wax(66), x + width - 12, y + 41, "rm")
        reserved = 96
    elif status:
        wide = 170 if status == "asked" else 150
        face, ink = ((96, 74, 58), theme.CREAM) if status == "out" else (theme.BRASS, theme.INK)
        place_tag(
            page, x + width - wide / 2 - 14, y + 42, labels.say(f"picture.{_verb(view, status)}"), wide, face, ink
        )
        reserved = wide + 28
    page.text(left, y + 42, drawable_name(labels, seat), theme.BODY, colours.text, x + width - reserved - left)
    _stock(page, view, seat, x + 16, y + 106, colours.face, colours.text)


def _status(view: SiegeView, seat: int) -> str:
    """Return the status on a player's board: "wins", "out", "sealed", "asked" or ""."""
    if view.outcome:
        return "wins" if seat in view.outcome.winners else ""
    if not view.alive[seat]:
        return "out"
    if seat in view.sealed:
        return "sealed"
    return "asked" if seat in view.to_move else ""


def _verb(view: SiegeView, status: str) -> str:
    """Return the text key of a status; the text for "asked" depends on the phase."""
    return f"asked_{view.phase.value}" if status == "asked" else status


def _table(view: SiegeView, labels: Labels) -> Page:
    rows = (view.seats + 1) // 2
    top = BAND + 30
    boards = top + FACED[1] + 40
    page = Page(SLUG, boards + rows * 164 + 10, table_top)
    _head(page, view, labels)
    _faced(page, view, labels, top)
    _reveal(page, view, labels, view.open_reveal or view.last_reveal, top)
    width = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    for seat in range(view.seats):
        x = theme.MARGIN + (seat % 2) * (width + theme.GAP)
        if seat == view.seats - 1 and view.seats % 2:
            x = (WIDTH - width) // 2
        _board(page, view, labels, seat, (x, boards + (seat // 2) * 164, width, 150))
    return page


# A seat's picture

HAND_TOP = BAND + 26
"""The upper edge of the faced card and of the viewer's board."""
STOCK_LEFT, STOCK_LINE = SHEET + 24, 134
"""The left edge of the viewer's belongings, and the middle of their line from there."""
RIVALS_TOP = HAND_TOP + FACED[1] + 36


def _hand(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, the viewer's board in large type, and a line for each other player."""
    seat = view.viewer
    assert seat is not None
    top = HAND_TOP
    places = rival_boxes(view)
    lines = (len(places) + 1) // 2
    page = Page(SLUG, RIVALS_TOP + lines * 78 + 12, table_top, level=FAST)
    _head(page, view, labels)
    _faced(page, view, labels, top)
    x, width = SHEET, SHEET_WIDTH
    page.shade(x, top, width, FACED[1], theme.CORNER)
    page.place(plate(width, FACED[1], BOARD, seat in view.to_move), x, top)
    left = x + 24
    if seat == view.king:
        page.place(core.sign(emblems.crown, 54, theme.BRASS_DARK, BOARD.face), left - 4, top + 50, "lm")
        left += 60
    page.text(left, top + 52, drawable_name(labels, seat), theme.HEADING, BOARD.text, x + width - left - 24)
    _stock(page, view, seat, STOCK_LEFT, top + STOCK_LINE, BOARD.face, BOARD.text)
    _seal(page, view, labels, focus, x + 24, top + 236, width - 48)
    for other, (left, y, cell) in places.items():
        _rival(page, view, labels, other, left, y, cell)
    return page


def rival_boxes(view: SiegeView) -> dict[int, tuple[int, int, int]]:
    """Return the left edge, the upper edge and the width of each other player's line, by seat."""
    others = [other for other in range(view.seats) if other != view.viewer]
    cell = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    return {
        other: (theme.MARGIN + (i % 2) * (cell + theme.GAP), RIVALS_TOP + (i // 2) * 78, cell)
        for i, other in enumerate(others)
    }


def _seal(page: Page, view: SiegeView, labels: Labels, focus: Sequence[str], x: int, y: int, width: int) -> None:
    """Place the viewer's seal, the current choice, or the question."""
    if view.own_seal is not None and not focus:
        page.place(emblems.wax(118), x, y + 10, "lm")
        first, second = view.own_seal
        sentence = seal_text(view, labels, first, second)
        page.text(x + 138, y - 16, sentence, theme.HEADING, BOARD.text, width - 140)
        page.text(x + 138, y + 40, labels.say("picture.may_change"), theme.SMALL, BOARD.soft, width - 140)
        return
    coins = next((part for part in focus if part.isdecimal()), None)
    if coins is not None:
        page.place(emblems.coin(104), x + 4, y + 6, "lm")
        page.text(x + 130, y + 6, labels.say("picture.choosing", coins=coins), theme.HEADING, BOARD.text, width - 140)
        return
    status = _status(view, view.viewer) if view.viewer is not None else ""
    key = _verb(view, status) if status else ("wait_over" if view.outcome else "wait")
    page.text(x, y - 14, labels.say(f"ask.{key}"), theme.BODY, BOARD.text, width)
    waiting = labels.list([drawable_name(labels, s) for s in view.to_move if s != view.viewer])
    if waiting:
        page.text(x, y + 40, labels.say("picture.waiting", names=waiting), theme.SMALL, BOARD.soft, width)


def _rival(page: Page, view: SiegeView, labels: Labels, seat: int, x: int, y: int, width: int) -> None:
    """Place a line about another player: name, crown, coins, armies, sealed or out."""
    colours = BOARD if view.alive[seat] or view.outcome else OUT
    page.place(plate(width, 66, colours), x, y)
    left = x + 16
    if seat == view.king:
        page.place(core.sign(emblems.crown, 40, theme.BRASS_DARK, colours.face), left - 4, y + 30, "lm")
        left += 42
    page.text(left, y + 31, drawable_name(labels, seat), theme.SMALL, colours.text, x + width - 292 - left)
    at = (
        place_count(page, x + width - 282, y + 31, emblems.coin(40), str(view.coins[seat]), theme.BODY, colours.text)
        + 14
    )
    banner = core.sign(emblems.banner, 42, TINTS[Kind.ARMIES], colours.face)
    place_count(page, max(at, x + width - 184), y + 31, banner, str(view.armies[seat]), theme.BODY, colours.text)
    status = _status(view, seat)
    if status == "sealed":
        page.place(emblems.wax(56), x + width - 10, y + 31, "rm")
    elif status == "out":
        page.place(core.sign(emblems.broken, 48, colours.text, colours.face), x + width - 14, y + 31, "rm")
    elif status == "wins":
        page.place(core.sign(core.points, 48, theme.BRASS_DARK, colours.face), x + width - 14, y + 31, "rm")


# The pictures


def paint(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own board."""
    return _table(view, labels) if view.viewer is None else _hand(view, labels, focus)


def paint_cover(labels: Labels) -> Page:
    """Paint the title under the walls, over a hand of cards."""
    page = Page(SLUG, 700, table_top)
    for i, (kind, strength) in enumerate(
        ((Kind.BOW, 4), (Kind.SWORDS, 7), (Kind.CROWN, 0), (Kind.HELMET, 5), (Kind.ARMIES, 0))
    ):
        card = card_face(kind, strength, "", 392, 548)
        page.place(rotated(card, 16 - 8 * i), 600 + (i - 2) * 178, 508 + (28, 6, 0, 6, 28)[i], "mm")
    page.text(600, 220, labels.say("game.title"), 112, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(600, 310, labels.say("game.tagline"), theme.BODY, theme.CREAM, 1150, "mm")
    page.place(emblems.wax(110), 1090, 640, "mm")
    return page


def paint_last(view: SiegeView, labels: Labels) -> Page | None:
    """Paint the last opened pledges, and their result."""
    reveal = view.open_reveal or view.last_reveal
    if reveal is None:
        return None
    page = Page(SLUG, BAND + 30 + FACED[1] + 40, table_top)
    page.text(theme.MARGIN, 38, labels.say("picture.last"), theme.HEADING, theme.CREAM, 500)
    place_card(page, faced_card(labels, reveal.card), LEFT, BAND + 30)
    _reveal(page, view, labels, reveal, BAND + 30)
    return page
