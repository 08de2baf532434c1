"""Sea Change on the table: the trick in the middle of the sea, in the order played, and the light of the trump.

The table has a strip for each player, clockwise from the upper left. (A seat's own picture is in hand.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import TrickRow, back, rotated, two_rows
from rendering.core.chrome import (
    Score,
    Stat,
    place_caption,
    place_header,
    place_ribbon,
    place_strip,
    place_title,
    place_victory,
)
from rendering.core.discs import short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, Point, Sprite, at_rest, sprite
from rendering.core.story import capital
from rendering.sea_change import emblems
from rendering.sea_change.narration import ahead_in, change_in, match_winners, played, suit_name
from rendering.sea_change.pieces import (
    HELD,
    SLUG,
    TINTS,
    card_face,
    medallion,
)
from rendering.sea_change.stage import HORIZON, far_ship, great_wave, scene
from rendering.sea_change.trick import in_teams, large_row, place_row, play_order, shown_trick, worth
from rules.core.game import Event
from rules.sea_change import SeaChangeView
from rules.sea_change.types import SeaChanged

RESTING = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, *chrome.COLOURS, *TINTS.values(), *RESTING)
"""The colours that the palettes have exactly."""

TIES = ("tie_zero", "tie_cards", "shared")
"""The reasons for an end that points alone do not tell."""
MOST_SOCKETS = 4
"""The highest target that a strip shows as sockets; a higher one is a figure."""


def page_of(view: SeaChangeView, height: int) -> Page:
    """Return a page with the sea in the trump's light."""
    trump = view.trump or ""
    return Page(f"{SLUG}_{trump}" if trump else SLUG, height, scene(trump))


def _caption(view: SeaChangeView, labels: Labels, room: int) -> tuple[str, str, str]:
    """Return what just happened; who is to play or, at the end, why the match was won; and how the trick stands.
    `room`: the width of the caption.
    """

    def name(player: int) -> str:
        return short_name(labels, player, 40, 240 if len(view.sides) <= 4 else 190)  # the form on the strip

    say = labels.say
    lays, over = shown_trick(view)
    next_up = say("picture.their_turn", name=name(view.to_move)) if view.to_move is not None else ""
    if over and (view.outcome or not _new_round_dealt(view)):
        taken = say("picture.took_points", name=name(over.winner), points=signed(worth(view, lays)))
        if view.outcome:
            why = view.outcome.reason
            return taken, say(f"picture.why_{why}") if why in TIES else capital(_goal(view, labels)), ""
        zero = any(lay.card[1:] == "0" for lay in lays) and view.zero_points and room >= THREE_LINES
        return taken, next_up, say("picture.zero_counts", points=signed(view.zero_points)) if zero else ""
    if not view.lays:
        return say("picture.begins", round=view.round), next_up, ""
    stands = ""
    if change_in(lays) == len(lays) - 1 > 0:
        stands = say("picture.rules_now", suit=suit_name(labels, lays[-1].card[0]))
    elif len(lays) > 1:
        stands = say("picture.ahead", name=name(lays[ahead_in(lays, view.trump)].player))
    return played(labels, lays[-1], name(lays[-1].player), room - 28), next_up, stands if view.seats > 1 else ""


THREE_LINES = 420
"""The least width of a caption that may have three lines."""


def _goal(view: SeaChangeView, labels: Labels) -> str:
    """Return what it takes to win."""
    return labels.say("picture.first_to", points=labels.count("victory_points", view.target))


def winning_team(view: SeaChangeView, labels: Labels) -> str:
    """Return the name of the team that won; "" if no team did, or several share the win."""
    won = match_winners(view)
    sides = {view.sides[player] for player in won}
    return labels.say("team.name", letter="ABCD"[min(sides)]) if len(sides) == 1 < len(won) else ""


def moment(view: SeaChangeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of the trick if the trump has turned (C4)."""
    return (WIDTH / 2, 486) if any(isinstance(event, SeaChanged) for event in events) else None


# The table


def _new_round_dealt(view: SeaChangeView) -> bool:
    """Return whether a new round has been dealt and no card played in it."""
    return view.trick_number == 1 and not view.lays


def score_of(view: SeaChangeView, labels: Labels, player: int, *, narrow: bool) -> Score:
    """Return a player's victory points; as a figure if the strip is narrow or they are many."""
    have = view.victory_points[view.sides[player]]
    figure = labels.count("victory_points", have) if narrow or view.target > MOST_SOCKETS else ""
    return Score(have, view.target, figure)


def _stats(view: SeaChangeView, player: int, size: int) -> list[Stat]:
    """Return the signs, of that size, and the figures of a strip: captured cards and, if they are public, points."""
    side = view.sides[player]
    stats = [Stat(core.sign(core.captured, size, theme.PAPER_EDGE, chrome.NIGHT), str(view.captured[side]))]
    shown = view.points
    if shown is None and view.last_round and (view.outcome or _new_round_dealt(view)):
        shown = view.last_round.points
    if shown is not None:
        stats.insert(0, Stat(core.sign(core.points, size, theme.BRASS_LIGHT, chrome.NIGHT), signed(shown[side])))
    return stats


def tokens_of(view: SeaChangeView, player: int, size: int) -> list[Sprite]:
    """Return what lies on a player's disc, of that size: the team's badge, the dealer's anchor."""
    found = []
    if in_teams(view):
        found.append(emblems.side_badge(size, view.sides[player]))
    if player == view.dealer and view.seats > 1:
        found.append(chrome.token(emblems.anchor, size))
    return found


def place_seat(
    page: Page, view: SeaChangeView, labels: Labels, player: int, box: tuple[int, int, int], *, mirrored: bool
) -> None:
    """Place a player's strip. `box`: left, top and width."""
    turn: chrome.Turn = "won" if player in match_winners(view) else "turn" if player == view.to_move else ""
    narrow = box[2] < chrome.NARROW
    score, stats = score_of(view, labels, player, narrow=narrow), _stats(view, player, 30 if narrow else 40)
    tokens = tokens_of(view, player, chrome.NARROW_TOKEN if narrow else 46)
    place_strip(page, labels, player, box, turn, score, stats, mirrored=mirrored, tokens=tokens)


def paint_table(view: SeaChangeView, labels: Labels) -> Page:
    """Paint the trick on the sea, the strips in the corners or in two rows, and what just happened."""
    players = len(view.sides)
    crowded = players > 4
    page = page_of(view, 1000 if crowded else 900)
    _place_far(page, view)
    _header(page, view, labels)
    rows = two_rows(players)
    bottom = page.height - chrome.STRIP_HEIGHT - theme.MARGIN
    for y, row in ((92, rows[0]), (bottom, rows[1])):
        wide = (WIDTH - 2 * theme.MARGIN - (len(row) - 1) * 8) // len(row) if crowded else 352
        for number, player in enumerate(row):
            right = number == len(row) - 1 and len(row) > 1 if not crowded else number >= len(row) / 2
            x = (
                theme.MARGIN + number * (wide + 8)
                if crowded
                else WIDTH - theme.MARGIN - wide
                if right
                else theme.MARGIN
            )
            place_seat(page, view, labels, player, (x, y, wide), mirrored=right)
    if crowded:
        place_caption(page, 330, bottom - 109, 540, *_caption(view, labels, 540), height=104)
    else:
        left, wide = {2: (384, 466), 3: (388, 788)}.get(players, (388, 424))
        place_caption(page, left, bottom - 6, wide, *_caption(view, labels, wide), height=chrome.CAPTION_TALL)
    _place_trick(page, view, labels, 470 if crowded else 460 if view.seats == 1 else 486)
    if view.seats <= 2:
        _place_pile(page, view, labels, bottom)
    return page


def _header(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write the round and the target, and between them the suits in play, the trump in brass; at the end who won, and
    the suits at the right.
    """
    at = 690 - (len(view.suits) - 1) * 33
    if view.outcome:
        place_header(page, "", "")
        at = WIDTH - theme.MARGIN - 42 - (len(view.suits) - 1) * 66
        place_victory(page, labels, match_winners(view), at - 100, winning_team(view, labels))
    else:
        _, over = shown_trick(view)
        key, trick = (
            ("taken", view.trick_number - 1) if over and not _new_round_dealt(view) else ("progress", view.trick_number)
        )
        progress = labels.say(f"picture.{key}", round=view.round, trick=trick, tricks=view.tricks)
        place_header(page, progress, _goal(view, labels))
    for number, suit in enumerate(view.suits):
        state, size = ("trump", 84) if suit == view.trump else ("idle", 60)
        page.place(medallion(suit, size, state), at + number * 66, chrome.HEADER_LINE, "mm")


def _place_far(page: Page, view: SeaChangeView) -> None:
    """Place the ship on the horizon. It has come as far as the first side is on its way to the target."""
    part = min(max(view.victory_points) / view.target, 1)
    page.place(far_ship(view.trump or ""), 430 + 340 * part, page.height * HORIZON + 6, "mb")


def _place_trick(page: Page, view: SeaChangeView, labels: Labels, middle: int) -> None:
    """Place the trick in the order played, the player's disc below each card and a crown on the one that wins, and the
    places of those who are to play.
    """
    lays, over = shown_trick(view)
    if over and _new_round_dealt(view) and not view.outcome:
        lays, over = (), None
    order = play_order(view)
    row = large_row(len(order))
    place_row(page, view, labels, row, order, lays, over, middle - row.height // 2, crowned=not view.outcome)
    if change_in(lays) == len(lays) - 1 > 0:
        x, y, size = (1034, 784, 40) if len(view.sides) > 4 else (WIDTH / 2, 166, 50)
        place_ribbon(page, x, y, labels.say("picture.sea_change"), TINTS[lays[-1].card[0]], size)
    if view.seats == 1:
        _place_parts(page, labels, row, middle + row.height // 2 + 76)


def _place_parts(page: Page, labels: Labels, row: TrickRow, y: int) -> None:
    """Write what each card of a trick against the Tide is: the Tide plays two, yours comes between them."""
    for left, key in zip(row.lefts, ("leads", "answers", "ends"), strict=True):
        told, middle = labels.say(f"picture.tide_{key}"), left + row.width // 2
        wide = lettering.width(told, theme.SMALL) + 40
        page.shade(middle - wide // 2, y - 22, wide, 46, 22, 2, 178, chrome.NIGHT, 0)
        page.text(middle, y, told, theme.SMALL, theme.CREAM, wide, "mm")


def _place_pile(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    """Place the pile of two players, or the Tide's cards, with their number."""
    stack = back(88, 123, emblems.wave, (28, 84, 130))
    for number in range(min(3, view.pile)):
        page.place(stack, WIDTH - 340 + number * 6, y - 20 - number * 5)
    page.text(WIDTH - 224, y + 40, labels.say("picture.left", count=view.pile), theme.SMALL, theme.CREAM, 210)


# The pictures


def paint_cover(labels: Labels) -> Page:
    """Paint the title over a great wave. On it ride two cards of one value, the second of which changes the trump."""
    page = Page(f"{SLUG}_Y", 640, great_wave)
    for x, y, card, angle in ((700, 452, "B9", 9), (930, 432, "Y9", -7)):
        turned = rotated(_ringed(card, 2 * HELD[0], 2 * HELD[1]), angle)
        page.shade(x - 80, y - 130, 170, 270, 20, 14, 150)
        page.place(turned, x, y, "mm")
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 90)
    return page


@sprite
def _ringed(card: str, width: int, height: int) -> Pixels:
    """A card whose value has the ring of a Sea Change."""
    face = card_face(card, "+2", width, height).pixels
    ring = emblems.ring(round(width * 0.46), 2).pixels
    at = round(width * 0.26 - ring.image.width / 2), round(height * 0.15 - ring.image.height / 2)
    image = face.image.copy()
    image.paste(ring.image, at, ring.alpha)
    return Pixels(image, face.alpha)


def paint_last(view: SeaChangeView, labels: Labels) -> Page | None:
    """Paint the last complete trick (C7)."""
    trick = view.last_trick
    if trick is None:
        return None
    shown = view._replace(trump=trick.trump, lays=(), viewer=None)
    page = page_of(shown, 640)
    place_header(page, labels.say("picture.last_taken", name=short_name(labels, trick.winner, 44, 480)), "")
    page.text(1050, chrome.HEADER_LINE, labels.say("picture.trump"), theme.SMALL, theme.CREAM, 130, "rm")
    page.place(medallion(trick.trump, 96, "trump"), 1064, chrome.HEADER_LINE, "lm")
    row = large_row(len(trick.lays))
    place_row(page, shown, labels, row, [lay.player for lay in trick.lays], trick.lays, trick, 370 - row.height // 2)
    return page
