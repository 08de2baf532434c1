"""Photosynthesis on the table: a forest on a clearing, the sun at its corner, the players' boards below.

An onlooker's table has a plate for each player: light, points, hand, and the pieces that its board sells with prices.
A seat's picture has its own board large, with its light next round. While the player chooses, the hexes and pieces
that may be chosen are lit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import plate
from rendering.core.discs import disc, short_name
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, curve, mix, sprite
from rendering.photosynthesis import forest, trees
from rendering.photosynthesis.forest import PEAT, SUN, WOOD
from rendering.photosynthesis.narration import changed_hex, changed_hexes, last_move, revolution, turn_text
from rendering.photosynthesis.plates import (
    HOLLOW,
    ICONS,
    OTHER,
    OWN,
    PLATE,
    TALL,
    frame,
    other_plate,
    own_board,
    player_plate,
)
from rendering.photosynthesis.steps import GROW, PLANT, Step, cost, current_step, kind_of, legal, token_at
from rendering.photosynthesis.sun import sunlight, track
from rendering.photosynthesis.trees import sized_piece
from rules.photosynthesis import GAME, KINDS, Buy, Collect, End, PhotosynthesisView

SLUG = "photosynthesis"

GLOWS = theme.glows(WOOD)
COLOURS = (*theme.COLOURS, PLATE.face, PLATE.edge, HOLLOW, *trees.COLOURS, *forest.COLOURS, *GLOWS)
"""The colours that the palette has exactly."""

BOARD_HEIGHT = 958
LAST_LINE = 156
"""The middle of the line that tells the last move."""


# The board's corners


def _heading(page: Page, view: PhotosynthesisView, labels: Labels, step: Step) -> None:
    """Write round and revolution on the left; on the right whose turn it is, and the cost of a choice."""
    for x in (-160, WIDTH - 220):
        page.shade(x, -160, 380, 310, 110, 30, 165, chrome.NIGHT, 0)
    key = "finished" if view.outcome else "round" if view.round else "setup"
    title = labels.say(f"picture.{key}", round=view.round, rounds=view.rounds)
    page.text(theme.MARGIN, 46, title, 42, theme.CREAM, 262)
    lines = [labels.say("picture.revolution", number=revolution(view), revolutions=view.revolutions)]
    if view.shade:
        lines.append(labels.say("picture.shade"))
    for number, line in enumerate(lines):
        page.text(theme.MARGIN, 96 + 44 * number, line, theme.SMALL, theme.CREAM, 286 - 30 * number)
    page.place(track(view.rounds, view.round), theme.MARGIN - 4, 96 + 44 * len(lines) - 16)
    (first, colour), *rest = _status(view, labels, step)
    page.text(WIDTH - theme.MARGIN, 46, first, 42, colour, 262, "rm")
    for line, colour in rest:
        page.text(WIDTH - theme.MARGIN, 96, line, theme.SMALL, colour, 286, "rm")


def _last_move(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """Place what was done last below whose turn it is: the mover's disc, and a word or two."""
    move = last_move(view)
    if move is None:
        return
    end, y = WIDTH - theme.MARGIN, LAST_LINE
    said = labels.say(f"did.{kind_of(move) or 'end'}", hex=changed_hex(move))
    bought = None
    if isinstance(move, Buy):
        height = KINDS.index(move.kind)
        bought = sized_piece(move.seat, height, ICONS[height])
    width = lettering.width(said, theme.SMALL) + (bought.size[0] + 10 if bought else 0) + 94
    page.place(plate(width, 66, PLATE, False), end - width, y, "lm")
    page.place(disc(labels, move.seat, 56), end - width + 6, y - 2, "lm")
    page.text(end - width + 74, y - 2, said, theme.SMALL, theme.INK, 230)
    if bought:
        page.place(bought, end - 14, y - 3, "rm")


def _status(view: PhotosynthesisView, labels: Labels, step: Step) -> list[tuple[str, Colour]]:
    """Return whose turn it is, the winner, or the current choice: one or two short lines."""
    soft = theme.CREAM
    if view.outcome:
        names = [drawable_name(labels, seat) for seat in sorted(view.outcome.winners)]
        key = "picture.wins" if len(names) == 1 else "picture.win"
        return [(", ".join(names), theme.BRASS_LIGHT), (labels.say(key), soft)]
    assert view.to_move is not None
    if view.to_move != view.viewer:
        name = short_name(labels, view.to_move, 42, 262)
        return [(name, theme.CREAM), (labels.say("picture.to_play" if view.round else "picture.to_place"), soft)]
    if not view.round:
        return [(labels.say("picture.your_place"), theme.BRASS_LIGHT), (labels.say("picture.at_edge"), soft)]
    if not step.kind or not step.moves:
        return [(labels.say("picture.your_turn"), theme.BRASS_LIGHT)]
    lines = [(labels.say(f"picture.what_{step.kind}"), theme.BRASS_LIGHT)]
    costs = {cost(view, move) for move in step.moves}
    if len(costs) == 1:
        (spent,) = costs
        left = view.light[view.to_move] - spent
        lines.append((labels.say("picture.costs", light=spent, left=left), soft))
    elif step.kind == GROW:
        lines.append((labels.say("picture.cost_shown"), soft))
    return lines


# The pictures


def _lit_and_chosen(view: PhotosynthesisView, step: Step) -> tuple[dict[str, str] | None, frozenset[str]]:
    """Return the lit hexes with their cost or gain, and the hexes that the viewer has already chosen."""
    if not step.lit:
        return None, frozenset()
    shown = {}
    for hex_, move in step.lit:
        if step.kind == GROW:
            shown[hex_] = str(cost(view, move))
        elif isinstance(move, Collect):
            shown[hex_] = f"+{token_at(view, hex_).points}"
        else:
            shown[hex_] = ""
    return shown, frozenset([step.origin] if step.kind == PLANT and step.origin else [])


def paint(view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the forest with the players' boards, or with the viewer's own board."""
    own = view.viewer is not None and view.outcome is None
    step = current_step(legal(view), focus)
    rows = (view.seats + 1) // 2
    below = OWN + theme.GAP + OTHER if own else rows * TALL + (rows - 1) * theme.GAP
    page = Page(SLUG, BOARD_HEIGHT + below + theme.MARGIN, forest.floor(view.sun))
    _heading(page, view, labels, step)
    _last_move(page, view, labels)
    sunlight(page, view.sun, last=view.outcome is not None or view.round == view.rounds)
    move = last_move(view)
    moved = changed_hexes([move] if move else [])
    forest.board(page, view, *_lit_and_chosen(view, step), moved)
    forest.piles(page, view)
    if own:
        own_board(page, view, labels, step, BOARD_HEIGHT)
        _others(page, view, labels)
    else:
        _table(page, view, labels)
    return page


def _table(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """Place the players' plates, two in a row."""
    wide = (WIDTH - 2 * theme.MARGIN - theme.GAP) // 2
    for seat in range(view.seats):
        row, column = divmod(seat, 2)
        x = theme.MARGIN + column * (wide + theme.GAP)
        if seat == view.seats - 1 and column == 0:
            x = (WIDTH - wide) // 2
        player_plate(page, view, labels, seat, (x, BOARD_HEIGHT + row * (TALL + theme.GAP), wide, TALL))


def _others(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """Place the other players in a row, from the viewer's left."""
    assert view.viewer is not None
    others = view.seats - 1
    wide = (WIDTH - 2 * theme.MARGIN - (others - 1) * theme.GAP) // others
    for number in range(others):
        seat = (view.viewer + 1 + number) % view.seats
        x = theme.MARGIN + number * (wide + theme.GAP)
        other_plate(page, view, labels, seat, (x, BOARD_HEIGHT + OWN + theme.GAP, wide, OTHER))


# Cover


def _hill(width: int, height: int) -> Image.Image:
    """Hills in the evening sun."""
    sky, x, y = (250, 206, 128), 1990, 540
    image = Image.new("RGB", (width * 2, height * 2), sky)
    pen = ImageDraw.Draw(image)
    for i in range(18):
        angle = math.radians(20 * i + 6)
        points = [(x + 2400 * math.cos(angle + t), y + 2400 * math.sin(angle + t)) for t in (-0.08, 0.08)]
        pen.polygon([(x, y), *points], (255, 224, 156))
    for radius, tone in ((168, (255, 232, 172)), (128, SUN)):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), tone)
    for top, lift, tone in ((680, 90, (146, 158, 92)), (830, -70, (104, 136, 74)), (960, 60, WOOD)):
        line = curve(
            (0, top), (width * 0.7, top - lift * 3), (width * 1.3, top + lift * 2), (width * 2, top - lift / 2)
        )
        pen.polygon([*line, (width * 2, height * 2), (0, height * 2)], tone)
    return image.reduce(2)


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the four varieties on a hill."""
    page = Page(SLUG, 640, _hill)
    at = ((1, 3, 150, 568, 240), (3, 2, 306, 596, 230), (0, 3, 470, 586, 290), (2, 2, 640, 604, 240),
          (1, 1, 772, 596, 190), (3, 3, 890, 596, 250), (0, 1, 1018, 606, 190), (2, 3, 1110, 590, 210))  # fmt: skip
    for seat, height, x, y, parts in at:
        page.place(_long_shadow(parts), x + 8, y - 6, "rt")
        page.place(sized_piece(seat, height, parts), x, y + 8, "mb")
    page.text(600, 88, labels.say("game.title"), 122, theme.INK, 1150, "mm", lettering.DISPLAY)
    page.text(600, 176, labels.say("game.tagline"), theme.BODY, PEAT, 1150, "mm")
    return page


@sprite
def _long_shadow(size: int) -> Pixels:
    """A tree's shadow on the hill, away from the sun."""
    pen = Pen(size, 40)
    pen.polygon(
        [(size, 2), (size, 14), (size * 0.5, 34), (size * 0.1, 38), (0, 30), (size * 0.3, 16)],
        mix(WOOD, (0, 0, 0), 0.4),
    )
    return pen.pixels()


# The last turn


def paint_last(view: PhotosynthesisView, labels: Labels) -> Page | None:
    """Paint the board with the hexes of the last turn marked, its actions below, and what the sun paid this round."""
    turn = view.last_turn
    if turn is None:
        return None
    told = turn_text(view, labels, [text for text in turn.moves if text != str(End(turn.seat))])
    rows = max(1, -(-len(told) // 2))
    tall = 84 + 46 * rows + (62 if view.sunlight else 0)
    page = Page(SLUG, BOARD_HEIGHT + tall + theme.MARGIN, forest.floor(view.sun))
    _heading(page, view._replace(viewer=None), labels, current_step((), ()))
    sunlight(page, view.sun, last=view.outcome is not None or view.round == view.rounds)
    moved = changed_hexes([GAME.parse(turn.seat, text) for text in turn.moves])
    forest.board(page, view._replace(activated=()), moved=moved)
    forest.piles(page, view)
    x, y = theme.MARGIN, BOARD_HEIGHT
    frame(page, (x, y, WIDTH - 2 * x, tall), False)
    page.place(disc(labels, turn.seat, 60), x + 14, y + 42, "lm")
    name = short_name(labels, turn.seat, theme.BODY, 700)
    wide = page.text(x + 86, y + 42, labels.say("picture.last_turn", name=name), theme.BODY, theme.INK, 960)
    page.place(sized_piece(turn.seat, 3, 50), x + 100 + wide, y + 42, "lm")
    for number, line in enumerate(told or [labels.say("picture.nothing_done")]):
        column, row = divmod(number, rows)
        page.text(x + 20 + 560 * column, y + 96 + 46 * row, line, theme.SMALL, theme.INK, 540)
    _paid(page, view, labels, y + 84 + 46 * rows + 22)
    return page


def _paid(page: Page, view: PhotosynthesisView, labels: Labels, y: int) -> None:
    """Place what the sun paid each player this round, on a line."""
    if view.sunlight is None:
        return
    text = labels.say("picture.light_paid", round=view.sunlight.round)
    at = theme.MARGIN + 20 + page.text(theme.MARGIN + 20, y, text, theme.SMALL, theme.INK_SOFT, 420) + 30
    for seat, light in enumerate(view.sunlight.gained):
        page.place(sized_piece(seat, 3, 44), at, y - 2, "lm")
        page.text(at + 48, y, f"+{light}", theme.BODY, theme.INK, 80)
        at += 150
