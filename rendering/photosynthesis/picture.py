"""Photosynthesis on the table: trees on an island over the woods, the sun at its corner, the players in the corners.

An onlooker's table has a stall for each player in the corners: name, points, light, hand. A seat's picture has the
island on the left and a desk on the right: the own stall, the rivals, what is in hand and for sale. While the player
chooses, light lies on the hexes and coins that may be chosen, and evening on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core.art import mirrored
from rendering.core.art import stage as painted_stage
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour
from rendering.photosynthesis import forest, stalls, trees
from rendering.photosynthesis.forest import FLAG, LIFT, Harvest
from rendering.photosynthesis.narration import changed_hex, harvested, kind_name, last_move, last_moves
from rendering.photosynthesis.scene import HAND, TABLE, Scene
from rendering.photosynthesis.stage import HOURS, SLUG, island
from rendering.photosynthesis.stalls import CORNERS, Desk, stall, write
from rendering.photosynthesis.steps import ACTIONS, PLANT, Step, cost, current_step, kind_of, legal
from rendering.photosynthesis.trees import EVENING
from rules.photosynthesis import GAME
from rules.photosynthesis.types import KINDS, Buy, Collect, End, Move
from rules.photosynthesis.view import PhotosynthesisView

COLOURS: tuple[Colour, ...] = (*theme.COLOURS, *chrome.COLOURS, *trees.COLOURS, *stalls.COLOURS)
"""The colours that the palette has exactly."""
FACE = "Caprasimo-Regular.ttf"

TABLE_HEIGHT, HAND_HEIGHT, LARGE_HEIGHT = 900, 764, 1376
_RIGHT = WIDTH - 92
ON_TABLE = Harvest(((88, 368), (WIDTH - 88, 368)), ((48, 418), (48, 604), (_RIGHT, 418), (_RIGHT, 604)))
IN_HAND = Harvest(((90, 598),), ((42, 658), (152, 658), (42, 726), (152, 726)), 64)
DESK = Desk((916, 14), (908, 226), 282, (860, 510), "crate", theme.SMALL)
LOW_DESK = DESK._replace(own=(916, 84), rivals=(908, 292), room=216)
"""The desk, and the same below a large sentence that is as wide as the page."""
LARGE_DESK = Desk((140, 906), (146, 1118), 252, (616, 892), "crate_large", 46)


# What is told


def _sentences(view: PhotosynthesisView, labels: Labels, step: Step) -> list[str]:
    """Return who is to do what, or who won, the same ever shorter."""
    if view.outcome:
        return [chrome.victory(labels, view.outcome.winners, 1120)[0]]
    if labels.halt:
        return [labels.halt]
    if view.to_move is None:
        return [labels.say("picture.last_turn")]
    if view.to_move == view.viewer:
        whose, what = labels.say("picture.your_turn"), _told(view, labels, step)[0]
        both = labels.say("pair", name=whose, value=what)
        return [what] if step.kind or not view.round else [both, what[0].upper() + what[1:], whose]
    names = (
        short_name(labels, view.to_move, chrome.HEAD_SIZES[0], 560),
        short_name(labels, view.to_move, theme.SMALL, 200),
    )
    if not view.round:
        return [labels.say("picture.placing", name=name) for name in names]
    able = _able(step if view.viewer is None else _step(view), labels)
    key = "picture.may" if able else "picture.may_end"
    return [
        *(labels.say(key, name=name, actions=labels.list(able, "picture.or")) for name in names),
        *(labels.say("picture.their_turn", name=name) for name in names),
    ]


def _step(view: PhotosynthesisView) -> Step:
    """Return what the player to move can do."""
    return current_step(legal(view._replace(viewer=view.to_move)), ())


def _happened(view: PhotosynthesisView, labels: Labels) -> list[str]:
    """Return where the match is and what happened last, the same ever shorter: "Round 4/18 · Ann grew B5". A harvest
    is told before the newest hex that was changed after it in its turn.
    """
    key = "picture.new_round" if has_begun(view) else "picture.round" if view.round else "picture.setup"
    said_above = not view.round and view.to_move != view.viewer
    parts = [] if said_above else [labels.say(key, round=view.round, rounds=view.rounds)]
    if move := last_move(view):
        trees, points = harvested(view)
        you = move.seat == view.viewer
        said = _said(trees[-1] if trees else move, labels, ", ".join(tree.hex for tree in trees), you=you)
        said = said if you else f"{short_name(labels, move.seat, theme.SMALL, 330)} {said}"
        parts.append(labels.say("pair", name=said, value=labels.count("points", points)) if trees else said)
        newest = next((one for one in reversed(last_moves(view)) if changed_hex(one)), move)
        if trees and newest not in trees:
            parts.append(_said(newest, labels, you=you))
            return [" · ".join(parts), " · ".join(parts[-2:]), parts[-2]]
    return [" · ".join(parts), *parts[-1:]] if parts else []


def has_begun(view: PhotosynthesisView) -> bool:
    """Say whether the sun has just moved on, or begun to shine: the first player of the round has not moved yet."""
    return view.round > 0 and view.to_move == view.first and not view.turn


def _said(move: Move, labels: Labels, hexes: str = "", *, you: bool = False) -> str:
    """Return what a move did, on these hexes if there are several: "grew B5" or, to the mover, "You grew B5"."""
    kind = kind_name(labels, KINDS.index(move.kind)) if isinstance(move, Buy) else ""
    key = f"{'you_' * you}{kind_of(move) or 'end'}"
    return labels.say(f"did.{key}", hex=hexes or changed_hex(move), kind=kind)


def _told(view: PhotosynthesisView, labels: Labels, step: Step) -> tuple[str, str]:
    """Return what the viewer is to do, and what it costs."""
    assert view.to_move is not None
    if not view.round:
        return f"{labels.say('picture.your_place')} {labels.say('picture.at_edge')}", ""
    if not step.kind or not step.moves:
        able, end = _able(step, labels), "picture.end" if _able(step, labels) else "picture.can_end"
        return labels.list([*able, labels.say(end)], "picture.or"), ""
    costs = {cost(view, move) for move in step.moves}
    least, most = min(costs), max(costs)
    detail = labels.say("picture.costs", light=least, left=view.light[view.to_move] - least)
    if least < most:
        detail = labels.say("picture.cost_range", least=least, most=most)
    if step.kind == PLANT and step.origin:
        return labels.say("picture.what_target", origin=step.origin), detail
    kinds = [move.kind for move in step.moves if isinstance(move, Buy)]
    if len(kinds) == 1:
        return labels.say("picture.buy_one", kind=kind_name(labels, KINDS.index(kinds[0]))), detail
    return labels.say(f"picture.what_{step.kind}"), detail


def _able(step: Step, labels: Labels) -> list[str]:
    """Return what the player to move can still do in this turn beside ending it: "grow", "buy"."""
    left = {kind_of(move) for move in step.moves}
    return [labels.say(f"picture.can_{kind}") for kind in ACTIONS if kind in left]


# The pictures


def moves_since(view: PhotosynthesisView) -> list[Move]:
    """Return the moves of the last finished turn and of the one under way, the oldest first."""
    found = [GAME.parse(view.last_turn.seat, text) for text in view.last_turn.moves] if view.last_turn else []
    if view.to_move is not None:
        found += [GAME.parse(view.to_move, text) for text in view.turn]
    return [move for move in found if not isinstance(move, End)]


def _island(page: Page, on: Scene, view: PhotosynthesisView, labels: Labels, step: Step, moves: Sequence[Move],
            at: Harvest) -> None:  # fmt: skip
    """Place the sun, the board, and the piles of tokens."""
    forest.sunlight(page, on, view.sun, view.next_sun)
    forest.harvest(page, view, labels, at)
    forest.board(page, on, view, labels, step.lit, step.origin, moves, step.hexes)
    if step.lit is None and view.viewer is not None:
        forest.collectable(page, on, view, {move.hex for move in step.moves if isinstance(move, Collect)})


def _page(view: PhotosynthesisView, scene: Scene, height: int, most: int, *, night: bool = False) -> Page:
    return Page(f"{SLUG}_{HOURS[view.sun]}", height, island(scene, view.sun, night=night), most=most)


def _head(page: Page, view: PhotosynthesisView, labels: Labels, step: Step, end: float) -> bool:
    """Write who is to do what; below it, up to x = `end`, what that costs, and what happened last. Return whether the
    first line needs more room than that.
    """
    own = view.to_move == view.viewer
    cost = _told(view, labels, step)[1] if own and step.kind else ""
    small = _happened(view, labels)
    if cost:
        small = [f"{cost} · {said}" for said in small[-1:]] + [cost]
    room = round(end) - 2 * theme.MARGIN
    sentences = _sentences(view, labels, step)
    is_wide = lettering.width(sentences[0], chrome.HEAD_SIZES[1], FACE) > room
    chrome.place_head(page, sentences, (), small, face=FACE, dark=EVENING, small_room=room,
                      room=WIDTH - 2 * theme.MARGIN if is_wide else room)  # fmt: skip
    return is_wide


def paint(view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the island with the stalls of all players in the corners, or with the viewer's own desk."""
    step = _step(view) if view.viewer is None and view.round else current_step(legal(view), focus)
    moves = moves_since(view)
    if view.viewer is None or view.outcome:
        page = _page(view, TABLE, TABLE_HEIGHT, MOST_FILE_BYTES)
        islet = trees.thing("islet")
        for what, x, anchor in ((islet, 0, "lt"), (mirrored(islet), WIDTH, "rt")):
            page.place(what, x, CORNERS[0][1] + 190, anchor)
        _island(page, TABLE, view, labels, step, moves[-1:], ON_TABLE)
        for seat in range(view.seats):
            stall(page, view._replace(viewer=None), labels, seat, *CORNERS[seat])
        _head(page, view, labels, step, WIDTH)
    else:
        on, desk, at = (TABLE, LARGE_DESK, ON_TABLE) if labels.large else (HAND, DESK, IN_HAND)
        height, most = (LARGE_HEIGHT, MOST_FILE_BYTES) if labels.large else (HAND_HEIGHT, MOST_HAND_BYTES)
        page = _page(view, on, height, most, night=step.lit is not None)
        _island(page, on, view, labels, step, moves[-1:] if has_begun(view) else moves, at)
        if _head(page, view, labels, step, WIDTH if labels.large else desk.own[0]) and not labels.large:
            desk = LOW_DESK
        stall(page, view, labels, view.viewer, *desk.own)
        stalls.rivals(page, view, labels, desk)
        stalls.stock(page, view, labels, desk, step)
    return page


# Cover


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the island in the evening sun."""
    page = Page(f"{SLUG}_cover", 640, painted_stage(f"{SLUG}/cover"))
    chrome.place_title(page, labels, 86, FACE, EVENING)
    return page


# The last turn

LIST_AT, LINE = (880, 270), 50
"""Where the list of moves begins, and the height of its lines."""
MOST_LINES = 6
PAID_AT = (884, 616)
"""Where it is said what the sun paid."""


def paint_last(view: PhotosynthesisView, labels: Labels) -> Page | None:
    """Paint the board with what the last finished turn changed, list what was done, and what the sun paid."""
    turn = view.last_turn
    if turn is None:
        return None
    moves = [move for move in (GAME.parse(turn.seat, text) for text in turn.moves) if not isinstance(move, End)]
    page = _page(view, HAND, HAND_HEIGHT, MOST_HAND_BYTES)
    bare = view._replace(viewer=None, to_move=turn.seat, activated=(), next_sun=None)
    _island(page, HAND, bare, labels, current_step((), ()), moves, IN_HAND)
    name = short_name(labels, turn.seat, chrome.HEAD_SIZES[1], 560)
    round_ = labels.say("picture.round", round=view.round, rounds=view.rounds)
    last = labels.say("pair", name=name, value=labels.say("picture.last_turn"))
    chrome.place_head(page, [last], [round_] if view.round else [], face=FACE, dark=EVENING, fill=theme.CREAM)
    stall(page, bare, labels, turn.seat, *DESK.own)
    _actions(page, labels, moves)
    _paid(page, view, labels)
    return page


def _actions(page: Page, labels: Labels, moves: Sequence[Move]) -> None:
    """List what was done in the turn, with the numbers of the flags on the board."""
    x, y = LIST_AT
    shown = moves if len(moves) <= MOST_LINES else moves[: MOST_LINES - 1]
    lines = [_said(move, labels) for move in shown] or [labels.say("did.end")]
    if len(shown) < len(moves):
        lines.append(labels.say("picture.more", number=len(moves) - len(shown)))
    number = 0
    for place, said in enumerate(lines):
        line, left = y + LINE * place, x
        if place < len(shown) and changed_hex(shown[place]):
            number, left = number + 1, x + 62
            flag = trees.thing(f"flag_{shown[place].seat}", FLAG)
            trees.place_number(page, flag, x + 26, line, str(number), theme.SMALL, theme.CREAM, -LIFT)
        left = min(left, WIDTH - 8 - lettering.width(said, theme.SMALL))
        write(page, left, line, said, theme.SMALL)


def _paid(page: Page, view: PhotosynthesisView, labels: Labels) -> None:
    """Place what the sun paid each player this round."""
    if view.sunlight is None:
        return
    x, y = PAID_AT
    write(page, x, y, labels.say("picture.light_paid", round=view.sunlight.round), theme.SMALL, theme.BRASS_LIGHT, 306)
    for seat, light in enumerate(view.sunlight.gained):
        row, column = divmod(seat, 2)
        left, line = x + 152 * column, y + 56 + 60 * row
        page.place(disc(labels, seat, 54), left, line, "lm")
        write(page, left + 62, line, f"+{light}", 42, (255, 226, 112), 90)
