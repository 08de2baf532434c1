"""Sea Change on the table: the trick in the middle of the sea, in the order played, and the light of the trump.

An onlooker's table has a strip for each player, clockwise from the upper left. A seat's picture is its hand, with its
rivals in the order of play and the trick above it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import TrickRow, back, fan_step, place_card, rotated, tall_height, tall_rows, two_rows
from rendering.core.chrome import (
    Score,
    Stat,
    place_caption,
    place_header,
    place_ribbon,
    place_rival,
    place_strip,
    place_title,
)
from rendering.core.discs import disc, short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, Point, Sprite, at_rest, resting, sprite
from rendering.sea_change import emblems
from rendering.sea_change.narration import ahead_in, change_in, match_winners, playable, suit_name
from rendering.sea_change.pieces import (
    HELD,
    LARGE,
    PAST_CARD,
    SLUG,
    SMALL_CARD,
    SUITS,
    TINTS,
    card_face,
    face_of,
    medallion,
)
from rendering.sea_change.stage import HORIZON, far_ship, great_wave, scene
from rules.core.game import Event
from rules.sea_change import Lay, SeaChangeView, Trick
from rules.sea_change.types import SeaChanged

RESTING = tuple(map(at_rest, (theme.PAPER, *TINTS.values())))
COLOURS = (*theme.COLOURS, *chrome.COLOURS, *TINTS.values(), *RESTING)
"""The colours that the palettes have exactly."""

MOST_SOCKETS = 4
"""The highest target that a strip shows as sockets; a higher one is a figure."""


def _page(view: SeaChangeView, height: int, plain_rows: int = 0) -> Page:
    """Return a page with the sea in the trump's light."""
    trump = view.trump or ""
    return Page(f"{SLUG}_{trump}" if trump else SLUG, height, scene(trump), plain_rows)


# What is told of the trick


def _shown_trick(view: SeaChangeView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def _order(view: SeaChangeView) -> list[int]:
    """Return the players of the trick laid out, in the order of play. Alone, one plays between two of the Tide's."""
    lays, _ = _shown_trick(view)
    first = lays[0].player if lays else view.leader
    return [(first + place) % len(view.sides) for place in range(3 if view.seats == 1 else len(view.sides))]


def _ring_change(page: Page, lefts: Sequence[int], change: int, top: int, size: tuple[int, int]) -> None:
    """Ring the equal values of a Sea Change: of its card and of the one before it."""
    for left in lefts[change - 1 : change + 1] if change else ():
        page.place(emblems.ring(round(size[0] * 0.46)), left + size[0] * 0.26, top + size[1] * 0.15, "mm")


def _worth(view: SeaChangeView, lays: Sequence[Lay]) -> int:
    """Return the points of the trick's cards, without those of a 0."""
    points = dict(view.points_by_value)
    return sum(points.get(int(lay.card[1:]), 0) for lay in lays)


def _caption(view: SeaChangeView, labels: Labels) -> tuple[str, str]:
    """Return what just happened, and who is to play."""

    def name(player: int) -> str:
        return short_name(labels, player, 40, 240)

    say = labels.say
    lays, over = _shown_trick(view)
    if view.outcome:
        won = sorted(match_winners(view))
        winners = say("picture.team_wins", letter="ABCD"[view.sides[won[0]]]) if len(won) > 1 else name(won[0])
        return f"{winners} {say('picture.wins')}", say(
            "picture.took_points", name=name(over.winner), points=signed(_worth(view, lays))
        ) if over else ""
    next_up = say("picture.their_turn", name=name(view.to_move)) if view.to_move is not None else ""
    if over and not _new_round_dealt(view):
        return say("picture.took_points", name=name(over.winner), points=signed(_worth(view, lays))), next_up
    if not view.lays:
        return say("picture.begins", round=view.round), next_up
    if change_in(lays) == len(lays) - 1 > 0:
        return say("picture.rules_now", suit=suit_name(labels, lays[-1].card[0])), next_up
    if len(lays) == 1:
        return say("picture.led", name=name(lays[0].player), suit=suit_name(labels, lays[0].card[0])), next_up
    return say("picture.ahead", name=name(lays[ahead_in(lays, view.trump)].player)), next_up


def moment(view: SeaChangeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of the trick if the trump has turned (C4)."""
    return (WIDTH / 2, 486) if any(isinstance(event, SeaChanged) for event in events) else None


# The table


def _new_round_dealt(view: SeaChangeView) -> bool:
    """Return whether a new round has been dealt and no card played in it."""
    return view.trick_number == 1 and not view.lays


def _score(view: SeaChangeView, labels: Labels, player: int, *, narrow: bool) -> Score:
    have = view.victory_points[view.sides[player]]
    figure = labels.count("victory_points", have) if narrow or view.target > MOST_SOCKETS else ""
    return Score(have, view.target, figure)


def _stats(view: SeaChangeView, player: int) -> list[Stat]:
    """Return the signs and figures of a player's strip: captured cards and, if they are public, points."""
    side = view.sides[player]
    stats = [Stat(core.sign(core.captured, 40, theme.PAPER_EDGE, chrome.NIGHT), str(view.captured[side]))]
    shown = view.points
    if shown is None and view.last_round and (view.outcome or _new_round_dealt(view)):
        shown = view.last_round.points
    if shown is not None:
        stats.insert(0, Stat(core.sign(core.points, 40, theme.BRASS_LIGHT, chrome.NIGHT), signed(shown[side])))
    return stats


def _tokens(view: SeaChangeView, player: int) -> list[Sprite]:
    """Return what lies on a player's disc: the team's badge, the dealer's anchor."""
    found = []
    if len(set(view.sides)) < len(view.sides):
        found.append(emblems.side_badge(46, view.sides[player]))
    if player == view.dealer and view.seats > 1:
        found.append(chrome.token(emblems.anchor, 46))
    return found


def _strip(
    page: Page, view: SeaChangeView, labels: Labels, player: int, box: tuple[int, int, int], *, mirrored: bool
) -> None:
    turn: chrome.Turn = "won" if player in match_winners(view) else "turn" if player == view.to_move else ""
    score = _score(view, labels, player, narrow=box[2] < 300)
    place_strip(
        page, labels, player, box, turn, score, _stats(view, player), mirrored=mirrored, tokens=_tokens(view, player)
    )


def _table(view: SeaChangeView, labels: Labels) -> Page:
    """Paint the trick on the sea, the strips in the corners or in two rows, and what just happened."""
    players = len(view.sides)
    crowded = players > 4
    page = _page(view, 1000 if crowded else 900)
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
            _strip(page, view, labels, player, (x, y, wide), mirrored=right)
    if crowded:
        place_caption(page, 330, bottom - chrome.CAPTION_HEIGHT - 18, 540, *_caption(view, labels))
    else:
        place_caption(page, 388, bottom - 8, 788 if players == 3 else 424, *_caption(view, labels))
    _place_trick(page, view, labels, 470 if crowded else 460 if view.seats == 1 else 486)
    if view.seats <= 2:
        _place_pile(page, view, labels, bottom)
    return page


def _header(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write the round and the target, and between them the suits in play, the trump in brass."""
    place_header(
        page,
        _progress(view, labels),
        labels.say("picture.first_to", points=labels.count("victory_points", view.target)),
    )
    at = 690 - (len(view.suits) - 1) * 33
    for number, suit in enumerate(view.suits):
        state, size = ("trump", 84) if suit == view.trump else ("idle", 60)
        page.place(medallion(suit, size, state), at + number * 66, chrome.HEADER_LINE, "mm")


def _progress(view: SeaChangeView, labels: Labels) -> str:
    key = "picture.over" if view.outcome else "picture.progress"
    return labels.say(key, round=view.round, trick=view.trick_number, tricks=view.tricks)


def _place_far(page: Page, view: SeaChangeView) -> None:
    """Place the ship on the horizon. It has come as far as the first side is on its way to the target."""
    part = min(max(view.victory_points) / view.target, 1)
    page.place(far_ship(view.trump or ""), 430 + 340 * part, page.height * HORIZON + 6, "mb")


LAID = {2: (280, 400), 3: (252, 360), 4: (224, 320), 5: (216, 308)}
"""The size of a card on the stage, by the number of cards in a trick; of more than five, each is of size `MANY`."""
MANY = (196, 280)


def _large_row(places: int) -> TrickRow:
    """Return the places of a trick on the stage."""
    return TrickRow(places, LAID.get(places, MANY), gap=16 if places > 3 else 40)


def _place_trick(page: Page, view: SeaChangeView, labels: Labels, middle: int) -> None:
    """Place the trick in the order played, the player's disc below each card and a crown on the one that wins, and the
    places of those who are to play.
    """
    lays, over = _shown_trick(view)
    if over and _new_round_dealt(view) and not view.outcome:
        lays, over = (), None
    order = _order(view)
    row = _large_row(len(order))
    _place_row(page, view, labels, row, order, lays, over, middle - row.height // 2)
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


def _place_row(
    page: Page, view: SeaChangeView, labels: Labels, row: TrickRow, order: Sequence[int], lays: Sequence[Lay],
    over: Trick | None, top: int,
) -> None:  # fmt: skip
    """Place the cards of a trick, the rings of a Sea Change, the free places, the discs, and the crown."""
    size, large = (row.width, row.height), row.width > SMALL_CARD[0]
    for place in range(len(lays), len(order)):
        left = row.lefts[place] + row.width - row.slot
        chrome.place_slot(page, left, top, row.slot, row.height, turn=place == len(lays) and not view.outcome)
    for at, lay in enumerate(lays):
        face = face_of(view, lay.card, size) if row.width > PAST_CARD[0] else card_face(lay.card, "", *size)
        place_card(page, face, row.lefts[at], top)
        if at == len(lays) - 1 and not over:
            chrome.place_last(page, row.lefts[at], top, *size)
    _ring_change(page, row.lefts, change_in(lays), top, size)
    disc_size, low, crowned = (72, 14, 92) if large else (60, 6, 44)
    for place, player in enumerate(order):
        x, y = round(row.middle(place, len(lays))), top + row.height + low
        half = disc_size // 2
        page.shade(x - half, y - half, disc_size, disc_size, half, 5, 140, drop=3)
        page.place(disc(labels, player, disc_size), x, y, "mm")
    if lays:
        ahead = ahead_in(lays, over.trump if over else view.trump)
        page.place(chrome.crown(crowned), row.middle(ahead, len(lays)), top + 10, "mb")


def _place_pile(page: Page, view: SeaChangeView, labels: Labels, y: int) -> None:
    """Place the pile of two players, or the Tide's cards, with their number."""
    stack = back(88, 123, emblems.wave, (28, 84, 130))
    for number in range(min(3, view.pile)):
        page.place(stack, WIDTH - 340 + number * 6, y - 20 - number * 5)
    page.text(WIDTH - 224, y + 40, labels.say("picture.left", count=view.pile), theme.SMALL, theme.CREAM, 210)


# A seat's hand

HAND_HEIGHT = 764
HEADING_LINE = 46
"""The middle of the line with the trump, the lead suit and the victory points."""
TRUMP_AT = (WIDTH - 66, HEADING_LINE)
"""The middle of the trump's medallion."""
VICTORY_AT = 660
"""The left end of the viewer's victory points."""
RIVALS_TOP = 88
TOLD_TOP, TOLD_HEIGHT = 200, 50
"""The line with who took the trick before."""
TRICK_TOP, RISE = 228, 28
"""The upper edge of the trick, and how much higher a card lies that may be played."""
HELD_TOP = HAND_HEIGHT - HELD[1] - 2
PAST_TOP = HELD_TOP - PAST_CARD[1] - 40
"""The upper edge of the trick before."""


def _hand(view: SeaChangeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the hand as a fan, the playable cards raised; above it the rivals in the order of play, and the trick."""
    size, height = (LARGE, tall_height(len(view.hand), LARGE, HELD_TOP)) if labels.large else (HELD, HAND_HEIGHT)
    page = _page(view, height)
    _hand_heading(page, view, labels)
    _rivals(page, view, labels)
    lays, over = _shown_trick(view)
    if over:
        mine = over.winner == view.viewer
        name = short_name(labels, over.winner, theme.SMALL, 400)
        told = labels.say("picture.you_took" if mine else "picture.last_taken", name=name)
        told = f"{told}: {signed(_worth(view, lays))}"
        wide = lettering.width(told, theme.SMALL) + 56
        page.shade((WIDTH - wide) // 2, TOLD_TOP, wide, TOLD_HEIGHT, TOLD_HEIGHT // 2, 2, 190, chrome.NIGHT, 0)
        page.text(WIDTH / 2, TOLD_TOP + TOLD_HEIGHT / 2, told, theme.SMALL, theme.BRASS_LIGHT, wide, "mm")
    _place_row(page, view, labels, _small_row(view), _order(view), lays, over, trick_places(view)[0][1])
    lit = playable(view)
    for card, (x, y) in zip(view.hand, held_places(view, large=labels.large), strict=True):
        face = face_of(view, card, size)
        chosen = card in focus or f"play {card}" in focus
        if lit and card not in lit:
            face = resting(face)
        place_card(page, face, x, y - RISE if chosen and not _is_raised(view, card) else y,
                   theme.BRASS_LIGHT if chosen else None)  # fmt: skip
    return page


def _is_raised(view: SeaChangeView, card: str) -> bool:
    lit = playable(view)
    return card in lit and len(lit) < len(view.hand)


def held_places(view: SeaChangeView, *, large: bool = False) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    if large:
        rows = zip(view.hand, tall_rows(len(view.hand), LARGE, HELD_TOP), strict=True)
        return [(x, y - RISE if _is_raised(view, card) else y) for card, (x, y) in rows]
    width = HELD[0]
    breaks = sum(a[0] != b[0] for a, b in zip(view.hand, view.hand[1:], strict=False))
    step = fan_step(len(view.hand), width, WIDTH - 2 * theme.MARGIN - 12 * (len(SUITS) - 1))
    at = (WIDTH - width - step * (len(view.hand) - 1) - breaks * 12) // 2
    places = []
    for i, card in enumerate(view.hand):
        if i and card[0] != view.hand[i - 1][0]:
            at += 12
        places.append((at, HELD_TOP - RISE if _is_raised(view, card) else HELD_TOP))
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
    key = "picture.finished" if view.outcome else mine if own else "picture.their_turn"
    colour = theme.BRASS_LIGHT if own else theme.CREAM
    at = theme.MARGIN + 6 + page.text(theme.MARGIN + 6, HEADING_LINE, labels.say(key, name=name), 46, colour, 460) + 24
    if not view.outcome:
        trick = labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)
        page.text(at, HEADING_LINE + 2, trick, theme.SMALL, theme.CREAM, VICTORY_AT - 20 - round(at))
    score = _score(view, labels, view.viewer, narrow=False)
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
            score = Stat(chrome.socket(30, True, lit), str(view.victory_points[view.sides[player]]))
            place_rival(page, labels, player, box, score, lit=lit)
            for token, at in zip(_tokens(view, player), (64, 20), strict=False):
                page.place(token, box[0] + at, box[1] + 70, "mm")
        else:
            _strip(page, view, labels, player, box, mirrored=False)


def _small_row(view: SeaChangeView) -> TrickRow:
    """Return the places of the trick above a hand."""
    return TrickRow(len(_order(view)), PAST_CARD if _shown_trick(view)[1] else SMALL_CARD, gap=60)


def trick_places(view: SeaChangeView) -> list[tuple[int, int]]:
    """Return the upper left corner of each place of the trick above a hand."""
    row = _small_row(view)
    return [(x, TRICK_TOP if row.width == SMALL_CARD[0] else PAST_TOP) for x in row.lefts]


# The pictures


def paint(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return _hand(view, labels, focus) if view.hand else _table(view, labels)


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
    page = _page(shown, 640)
    place_header(page, labels.say("picture.last_taken", name=short_name(labels, trick.winner, 44, 480)), "")
    page.text(1050, chrome.HEADER_LINE, labels.say("picture.trump"), theme.SMALL, theme.CREAM, 130, "rm")
    page.place(medallion(trick.trump, 96, "trump"), 1064, chrome.HEADER_LINE, "lm")
    row = _large_row(len(trick.lays))
    _place_row(page, shown, labels, row, [lay.player for lay in trick.lays], trick.lays, trick, 370 - row.height // 2)
    return page
