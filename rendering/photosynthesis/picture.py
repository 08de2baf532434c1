"""Photosynthesis on the table: a forest on a clearing, the sun on its track round it, the players in the corners.

An onlooker's table has a corner for each player: name, points, light, hand. A seat's picture has the board on the left
and a desk on the right: what to do, the light now and next round, the rivals, what is in hand and for sale. While the
player chooses, the hexes and pieces that may be chosen are lit.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, WIDTH, Page
from rendering.core.chrome import Score, place_caption, place_strip
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Pen, Pixels, Point, Sprite, mix, sprite
from rendering.photosynthesis import forest, plates, scene, soil, stage, trees
from rendering.photosynthesis.narration import changed_hex, changed_hexes, kind_name, last_move
from rendering.photosynthesis.plates import Desk
from rendering.photosynthesis.scene import HAND, LARGE, LAST, PEAT, TABLE, Scene
from rendering.photosynthesis.stage import WOOD
from rendering.photosynthesis.steps import ACTIONS, BUY, GROW, PLANT, Step, cost, current_step, kind_of, legal, token_at
from rendering.photosynthesis.sun import sunlight, track
from rendering.photosynthesis.trees import sized_piece
from rules.photosynthesis import GAME, KINDS, Buy, Collect, End, Move, PhotosynthesisView

SLUG = "photosynthesis"

COLOURS = (
    *theme.COLOURS,
    *chrome.COLOURS,
    *scene.COLOURS,
    *stage.COLOURS,
    *soil.COLOURS,
    *trees.COLOURS,
    *forest.COLOURS,
    *plates.COLOURS,
)
"""The colours that the palette has exactly."""

TABLE_HEIGHT, HAND_HEIGHT, LARGE_HEIGHT = 900, 764, 1376
HAND_TOLD, LARGE_TOLD = 728, 842
"""The middle of the line that tells the last move."""
TABLE_PILES: tuple[Point, ...] = ((54, 222), (54, 536), (WIDTH - 54, 222), (WIDTH - 54, 536))
HAND_PILES: tuple[Point, ...] = ((50, 14), (50, 130), (50, 524), (50, 640))
LAST_PILES: tuple[Point, ...] = ((48, 14), (48, 130), (48, 464), (48, 580))
LARGE_PILES: tuple[Point, ...] = ((70, 20), (70, 160), (WIDTH - 70, 20), (WIDTH - 70, 160))
"""The middle of the upper edge of each pile of tokens."""
DESK = Desk((744, 8, 444), (808, 118, 380), (812, 236, 376), (946, 308, 242), (866, 486), 1)
LARGE_DESK = Desk((24, 884, 560), (24, 996, 560), (24, 1116, 560), (24, 1182, 560), (606, 884), 1.75)


# What is told


def _title(page: Page, view: PhotosynthesisView, labels: Labels, x: int, width: int) -> None:
    """Write whose turn it is and the round, who places one of the first trees, or who won."""
    titles = _titles(view, labels)
    title = next((title for title in titles if lettering.width(title, theme.SMALL) <= width), titles[-1])
    size = lettering.fitting(title, 42, theme.SMALL, width)
    if view.outcome:
        title, size = chrome.victory(labels, view.outcome.winners, width)
    wide = min(lettering.width(title, size), width) + 40
    own = view.viewer is not None and view.to_move == view.viewer
    tall, ink = 70 if view.outcome else 52, theme.BRASS_LIGHT if view.outcome or own else theme.CREAM
    page.shade(x - wide // 2, 6, wide, tall, tall // 2, 2, 178, chrome.NIGHT, 0)
    page.text(x, 6 + tall / 2, title, size, ink, width, "mm")


def _titles(view: PhotosynthesisView, labels: Labels) -> list[str]:
    """Return what the title may say, in the order of preference: the first for which there is room."""
    key = "picture.new_round" if has_begun(view) else "picture.round" if view.round else "picture.setup"
    long = labels.say(key, round=view.round, rounds=view.rounds)
    if view.to_move is None:
        return [long]
    if view.to_move == view.viewer:
        whose = labels.say("picture.your_turn")
    elif view.viewer is not None:  # the strip beside the board says whose turn it is
        return [long]
    elif not view.round:
        return [labels.say("picture.placing", name=short_name(labels, view.to_move, theme.SMALL, 130))]
    else:
        whose = labels.say("picture.their_turn", name=short_name(labels, view.to_move, theme.SMALL, TITLE_NAME))
    if not view.round:
        return [f"{whose} · {long}", whose]
    round_ = labels.say("picture.round", round=view.round, rounds=view.rounds)
    only = labels.say("picture.round_only", round=view.round)
    return [f"{whose} · {long}", f"{whose} · {round_}", f"{whose} · {only}", whose]


TITLE_NAME = 200
"""The most room of a name in the title."""


def has_begun(view: PhotosynthesisView) -> bool:
    """Say whether the sun has just moved on, or begun to shine: the first player of the round has not moved yet."""
    return view.round > 0 and view.to_move == view.first and not view.turn


def _said(move: Move, labels: Labels) -> str:
    return labels.say(f"did.{kind_of(move) or 'end'}", hex=changed_hex(move))


TOLD_HEIGHT = 66
TOLD_NAME = 240
"""The most room of the name in what tells a move."""


def told_width(move: Move, labels: Labels) -> int:
    """Return the width of what tells a move."""
    bought, name = _bought(move), short_name(labels, move.seat, theme.SMALL, TOLD_NAME)
    words = lettering.width(name, theme.SMALL) + 12 + lettering.width(_said(move, labels), theme.BODY)
    return words + (bought.size[0] + 10 if bought else 0) + 104


def _bought(move: Move) -> Sprite | None:
    """Return the piece that a move bought."""
    if not isinstance(move, Buy):
        return None
    height = KINDS.index(move.kind)
    return sized_piece(move.seat, height, plates.ICONS[height] * 4 // 5)


def _last_move(page: Page, view: PhotosynthesisView, labels: Labels, x: int, y: int) -> None:
    """Place what was done last, with its middle at (x, y): the mover's disc and name, a word or two, and what was
    bought.
    """
    move = last_move(view)
    if move is None:
        return
    said, bought = _said(move, labels), _bought(move)
    width = told_width(move, labels)
    left = x - width // 2
    page.shade(left, y - TOLD_HEIGHT // 2, width, TOLD_HEIGHT, TOLD_HEIGHT // 2, 2, 190, chrome.NIGHT, 0)
    page.place(disc(labels, move.seat, 58), left + 4, y, "lm")
    name = short_name(labels, move.seat, theme.SMALL, TOLD_NAME)
    at = left + 76 + page.text(left + 76, y, name, theme.SMALL, theme.CREAM, TOLD_NAME) + 12
    page.text(at, y, said, theme.BODY, theme.BRASS_LIGHT, 320)
    if bought:  # on a light ground: the night would swallow a blue fir
        wide = bought.size[0]
        page.shade(left + width - 22 - wide, y - 26, wide + 8, 52, 22, 2, 235, theme.CREAM, 0)
        page.place(bought, left + width - 18, y, "rm")


def _told(view: PhotosynthesisView, labels: Labels, step: Step) -> tuple[str, str]:
    """Return what the viewer is to do, and what it costs."""
    assert view.to_move is not None
    if not view.round:
        return labels.say("picture.your_place"), labels.say("picture.at_edge")
    if not step.kind or not step.moves:
        return _actions_left(step, labels), ""
    costs = {cost(view, move) for move in step.moves}
    detail = ""
    if step.kind == BUY:
        return _buying(view, step, costs, labels)
    if len(costs) == 1:
        (spent,) = costs
        detail = labels.say("picture.costs", light=spent, left=view.light[view.to_move] - spent)
    elif step.kind == GROW:
        detail = labels.say("picture.cost_shown")
    if step.kind == PLANT and step.origin:
        return labels.say("picture.what_target", origin=step.origin), detail
    return labels.say(f"picture.what_{step.kind}"), detail


def _buying(view: PhotosynthesisView, step: Step, costs: set[int], labels: Labels) -> tuple[str, str]:
    """Return what can be bought, and for how much."""
    kinds = [move.kind for move in step.moves if isinstance(move, Buy)]
    what = labels.say("picture.what_buy")
    if len(kinds) == 1:
        what = labels.say("picture.buy_one", kind=kind_name(labels, KINDS.index(kinds[0])))
    least, most = min(costs), max(costs)
    if least < most:
        return what, labels.say("picture.cost_range", least=least, most=most)
    assert view.to_move is not None
    return what, labels.say("picture.costs", light=least, left=view.light[view.to_move] - least)


def _actions_left(step: Step, labels: Labels) -> str:
    """ "Grow, buy or end": what the viewer can still do in this turn."""
    left = {kind_of(move) for move in step.moves}
    told = ", ".join(labels.say(f"picture.can_{kind}") for kind in ACTIONS if kind in left)
    text = labels.say("picture.can", actions=told) if told else labels.say("picture.can_end")
    return text[0].upper() + text[1:]


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


def _clearing(
    page: Page,
    on: Scene,
    view: PhotosynthesisView,
    step: Step,
    moved: frozenset[str],
    piles: tuple[Point, ...],
    size: int,
) -> None:
    """Place the sun on its track, the board, and the piles of tokens."""
    track(page, on, view.rounds, view.round)
    sunlight(page, on, view.sun, view.next_sun)
    planned = view._replace(next_sun=None) if step.kind == BUY else view  # a purchase needs no shade that comes
    forest.board(page, on, planned, *_lit_and_chosen(view, step), moved)
    forest.piles(page, view, size, piles)


def paint(view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the forest with all players in the corners, or with the viewer's own desk."""
    step = current_step(legal(view), focus)
    move = last_move(view)
    moved = changed_hexes([move] if move else [])
    if view.viewer is None or view.outcome:
        page = Page(SLUG, TABLE_HEIGHT, stage.floor(TABLE, view.sun), most=MOST_FILE_BYTES)
        _clearing(page, TABLE, view, step, moved, TABLE_PILES, 88)
        _title(page, view, labels, WIDTH // 2, 520)
        for seat in range(view.seats):
            plates.corner(page, view, labels, seat)
        _last_move(page, view, labels, WIDTH // 2, TABLE_HEIGHT - 48)
        return page
    on, desk, piles = (LARGE, LARGE_DESK, LARGE_PILES) if labels.large else (HAND, DESK, HAND_PILES)
    height, most = (LARGE_HEIGHT, MOST_FILE_BYTES) if labels.large else (HAND_HEIGHT, MOST_HAND_BYTES)
    page = Page(SLUG, height, stage.floor(on, view.sun), most=most)
    _clearing(page, on, view, step, moved, piles, 88 if labels.large else 72)
    _title(page, view, labels, on.x, 460)
    plates.own_strip(page, view, labels, desk)
    if view.to_move == view.viewer:
        place_caption(page, *desk.told, *_told(view, labels, step))
    plates.ahead(page, view, labels, desk)
    plates.rivals(page, view, labels, desk)
    plates.stock(page, view, labels, desk, step)
    _last_move(page, view, labels, on.x, LARGE_TOLD if labels.large else HAND_TOLD)
    return page


# Cover


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the four varieties on a hill."""
    page = Page(SLUG, 640, stage.hill)
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

LAST_HEIGHT, LIST_AT, LIST_WIDTH, LINE = 700, (864, 128), 326, 46
MOST_LINES = 9
"""Actions that are written one by one; of more, the last line tells how many."""


def paint_last(view: PhotosynthesisView, labels: Labels) -> Page | None:
    """Paint the board with the hexes of the last turn marked, its actions, and what the sun paid this round."""
    turn = view.last_turn
    if turn is None:
        return None
    moves = [GAME.parse(turn.seat, text) for text in turn.moves]
    page = Page(SLUG, LAST_HEIGHT, stage.floor(LAST, view.sun))
    _clearing(
        page,
        LAST,
        view._replace(viewer=None, activated=(), next_sun=None),
        current_step((), ()),
        changed_hexes(moves),
        LAST_PILES,
        72,
    )
    place_strip(page, labels, turn.seat, (700, 12, WIDTH - 712), "", Score(0, 0, labels.say("picture.last_turn")))
    _actions(page, labels, [move for move in moves if not isinstance(move, End)])
    _paid(page, view, labels)
    return page


def _actions(page: Page, labels: Labels, moves: Sequence[Move]) -> None:
    """List what was done in the turn."""
    x, y = LIST_AT
    shown = moves if len(moves) <= MOST_LINES else moves[: MOST_LINES - 1]
    lines = max(1, min(len(moves), MOST_LINES))
    height = LINE * lines + 24
    page.shade(x, y, LIST_WIDTH, height, 24, 2, 190, chrome.NIGHT, 0)
    if not moves:
        page.text(x + 24, y + height / 2, labels.say("did.end"), theme.SMALL, theme.CREAM, LIST_WIDTH - 48)
    for number, move in enumerate(shown):
        line = y + 12 + LINE * (number + 0.5)
        wide = page.text(x + 24, line, _said(move, labels), theme.SMALL, theme.CREAM, LIST_WIDTH - 48)
        if bought := _bought(move):
            page.place(bought, x + 38 + wide, line, "lm")
    if len(shown) < len(moves):
        text = labels.say("picture.more", number=len(moves) - len(shown))
        page.text(x + 24, y + 12 + LINE * (lines - 0.5), text, theme.SMALL, theme.CREAM, LIST_WIDTH - 48)


def _paid(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """Place what the sun paid each player this round."""
    if view.sunlight is None:
        return
    x, rows = LIST_AT[0], (view.seats + 1) // 2
    height = 62 + 58 * rows
    y = LAST_HEIGHT - 12 - height
    page.shade(x, y, LIST_WIDTH, height, 24, 2, 190, chrome.NIGHT, 0)
    title = labels.say("picture.light_paid", round=view.sunlight.round)
    page.text(x + 20, y + 32, title, theme.SMALL, theme.BRASS_LIGHT, LIST_WIDTH - 30)
    for seat, light in enumerate(view.sunlight.gained):
        row, column = divmod(seat, 2)
        left, line = x + 20 + 148 * column, y + 86 + 58 * row
        page.place(disc(labels, seat, 52), left, line, "lm")
        page.text(left + 62, line, f"+{light}", 42, theme.CREAM, 90)
