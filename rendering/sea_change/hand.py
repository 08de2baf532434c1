"""A seat's own picture of Sea Change: its hand, its rivals in the order of play, and the trick above the hand."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import TrickRow, fan_step, place_card, raised, tall_height, tall_rows
from rendering.core.chrome import place_own_turn, place_rival
from rendering.core.discs import short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.sprites import resting
from rendering.sea_change.emblems import side_badge
from rendering.sea_change.narration import match_winners, playable, played
from rendering.sea_change.picture import page_of, paint_table, place_seat, score_of, tokens_of, winning_team
from rendering.sea_change.pieces import HELD, LARGE, PAST_CARD, SMALL_CARD, SUITS, face_of, medallion
from rendering.sea_change.trick import TEAM, in_teams, place_row, play_order, shown_trick, worth
from rules.sea_change import SeaChangeView

HAND_HEIGHT = 764
HEADING_LINE = 46
"""The middle of the line with the trump, the lead suit and the victory points."""
TRUMP_AT = (WIDTH - 66, HEADING_LINE)
"""The middle of the trump's medallion."""
VICTORY_AT, BADGE = 660, 46
"""The left end of the viewer's victory points, and the room before it for the badge of the viewer's team."""
RIVALS_TOP = 88
TAKEN_TOP, TAKEN_HEIGHT = 200, 50
"""The line that says which player took the trick before."""
PLAYED_TOP, PLAYED_HEIGHT = 173, 42
"""The line that says who played what last."""
TRICK_TOP, RISE = 230, 28
"""The upper edge of the trick, and how much higher a card lies that may be played."""
HELD_TOP = HAND_HEIGHT - HELD[1] - 2
PAST_TOP = HELD_TOP - PAST_CARD[1] - 40
"""The upper edge of the trick before."""


def paint_hand(view: SeaChangeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the hand as a fan, the playable cards raised; above it the rivals in the order of play, and the trick."""
    size, height = (LARGE, tall_height(len(view.hand), LARGE, HELD_TOP)) if labels.large else (HELD, HAND_HEIGHT)
    page = page_of(view, height)
    _hand_heading(page, view, labels)
    _rivals(page, view, labels)
    lays, over = shown_trick(view)
    if over:
        mine = over.winner == view.viewer
        name = short_name(labels, over.winner, theme.SMALL, 400)
        taken = labels.say("picture.you_took" if mine else "picture.last_taken", name=name)
        taken = f"{taken}: {signed(worth(view, lays))}"
        wide = lettering.width(taken, theme.SMALL) + 56
        page.shade((WIDTH - wide) // 2, TAKEN_TOP, wide, TAKEN_HEIGHT, TAKEN_HEIGHT // 2, 2, 190, chrome.NIGHT, 0)
        page.text(WIDTH / 2, TAKEN_TOP + TAKEN_HEIGHT / 2, taken, theme.SMALL, theme.BRASS_LIGHT, wide, "mm")
    elif lays:
        mine = lays[-1].player == view.viewer
        name = "" if mine else short_name(labels, lays[-1].player, 46, 240)
        told = played(labels, lays[-1], name, 900)
        wide = lettering.width(told, theme.SMALL) + 48
        page.shade((WIDTH - wide) // 2, PLAYED_TOP, wide, PLAYED_HEIGHT, PLAYED_HEIGHT // 2, 2, 190, chrome.NIGHT, 0)
        page.text(WIDTH / 2, PLAYED_TOP + PLAYED_HEIGHT / 2, told, theme.SMALL, theme.BRASS_LIGHT, wide, "mm")
    place_row(page, view, labels, _small_row(view), play_order(view), lays, over, trick_places(view)[0][1])
    lit = playable(view)
    up = raised(view.hand, lit)
    for card, (x, y) in zip(view.hand, held_places(view, large=labels.large), strict=True):
        face = face_of(view, card, size)
        chosen = card in focus or f"play {card}" in focus
        if lit and card not in lit:
            face = resting(face)
        place_card(page, face, x, y - RISE if chosen and card not in up else y,
                   theme.BRASS_LIGHT if chosen else None)  # fmt: skip
    return page


def held_places(view: SeaChangeView, *, large: bool = False) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    up = raised(view.hand, playable(view))
    if large:
        rows = zip(view.hand, tall_rows(len(view.hand), LARGE, HELD_TOP), strict=True)
        return [(x, y - RISE if card in up else y) for card, (x, y) in rows]
    width = HELD[0]
    breaks = sum(a[0] != b[0] for a, b in zip(view.hand, view.hand[1:], strict=False))
    step = fan_step(len(view.hand), width, WIDTH - 2 * theme.MARGIN - 12 * (len(SUITS) - 1))
    at = (WIDTH - width - step * (len(view.hand) - 1) - breaks * 12) // 2
    places = []
    for i, card in enumerate(view.hand):
        if i and card[0] != view.hand[i - 1][0]:
            at += 12
        places.append((at, HELD_TOP - RISE if card in up else HELD_TOP))
        at += step
    return places


def _hand_heading(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write whose turn it is, how far the match is, the viewer's victory points, the suit to follow and the trump."""
    assert view.viewer is not None
    own = view.to_move == view.viewer
    page.shade(-20, -40, WIDTH + 40, 124, 20, 16, 150, chrome.NIGHT, 0)
    player = 0 if view.to_move is None else view.to_move
    name = short_name(labels, player, 46, 240)
    mine = "picture.your_turn" if view.lays else "picture.you_lead"
    at: float = theme.MARGIN + 6
    if view.outcome:
        chrome.place_victory(page, labels, match_winners(view), 460, winning_team(view, labels))
    else:
        told = labels.say(mine if own else "picture.their_turn", name=name)
        if own:
            at = place_own_turn(page, told, 46, 460) + 16
        else:
            at += page.text(at, HEADING_LINE, told, 46, theme.CREAM, 460) + 24
        trick = labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)
        room = VICTORY_AT - 20 - round(at) - (BADGE if in_teams(view) else 0)
        if lettering.width(trick, theme.SMALL) > room:
            trick = f"{view.trick_number}/{view.tricks}"
        page.text(at, HEADING_LINE + 2, trick, theme.SMALL, theme.CREAM, room)
    if in_teams(view):
        page.place(side_badge(46, view.sides[view.viewer]), VICTORY_AT - 12, HEADING_LINE, "rm")
    score = score_of(view, labels, view.viewer, narrow=False)
    if score.figure:
        page.text(VICTORY_AT, HEADING_LINE, score.figure, 40, theme.CREAM, 130)
    for number in range(0 if score.figure else score.most):
        page.place(chrome.socket(30, number < score.have), VICTORY_AT + number * chrome.SOCKET, HEADING_LINE, "lm")
    lead = view.lays[0].card[0] if view.lays else None
    x, y = TRUMP_AT
    if not view.trump:
        page.text(WIDTH - theme.MARGIN - 6, y, labels.say("picture.no_trump"), theme.SMALL, theme.CREAM, 300, "rm")
    else:
        page.place(medallion(view.trump, 96, "trump"), x, y, "mm")
        x -= 56 + page.text(x - 54, y, labels.say("picture.trump"), theme.SMALL, theme.CREAM, 130, "rm") + 56
    if lead:
        page.place(medallion(lead, 84, "lead"), x, y, "mm")
        page.text(x - 46, y, labels.say("picture.lead"), theme.SMALL, theme.CREAM, 120, "rm")


def _rivals(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Place the other players in the order of play from the viewer on."""
    assert view.viewer is not None
    players = len(view.sides)
    order = [(view.viewer + step) % players for step in range(1, players)]
    gap = 8
    wide = min(560, (WIDTH - 2 * theme.MARGIN - (len(order) - 1) * gap) // len(order))
    left = (WIDTH - wide * len(order) - gap * (len(order) - 1)) // 2
    for number, player in enumerate(order):
        box = (left + number * (wide + gap), RIVALS_TOP, wide)
        if wide < 270:
            lit = player == view.to_move
            score = labels.count("victory_points", view.victory_points[view.sides[player]])
            place_rival(page, labels, player, box, score, lit=lit)
            for token, at in zip(tokens_of(view, player, TEAM), (11, 65), strict=False):
                page.place(token, box[0] + at, box[1] + 70, "mm")
        else:
            place_seat(page, view, labels, player, box, mirrored=False)


def _small_row(view: SeaChangeView) -> TrickRow:
    """Return the places of the trick above a hand."""
    return TrickRow(len(play_order(view)), PAST_CARD if shown_trick(view)[1] else SMALL_CARD, gap=60)


def trick_places(view: SeaChangeView) -> list[tuple[int, int]]:
    """Return the upper left corner of each place of the trick above a hand."""
    row = _small_row(view)
    return [(x, TRICK_TOP if row.width == SMALL_CARD[0] else PAST_TOP) for x in row.lefts]


def paint(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return paint_hand(view, labels, focus) if view.hand else paint_table(view, labels)
