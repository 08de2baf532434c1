"""Sea Change on the table: the fleet in the light of the trump, before each boat its player's card.

(A seat's own picture is in hand.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import art
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.cards import rotated
from rendering.core.discs import first_words, short_name
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, Point, mix, sprite
from rendering.sea_change.emblems import SIGNS, ring
from rendering.sea_change.fleet import STATS, Cell, Fleet, in_order, in_teams, shown_trick, worth
from rendering.sea_change.narration import ahead_in, change_in, match_winners, played, suit_name
from rendering.sea_change.pieces import FACE, HELD, PALE, TINTS, VALUE, card_face
from rendering.sea_change.stage import HORIZON, SLUG, dark_of, disc_of, page_of, place_light
from rules.core.game import Event, Seat
from rules.sea_change import SeaChangeView
from rules.sea_change.types import SeaChanged

COLOURS = (*theme.COLOURS, *chrome.COLOURS, *TINTS.values())
"""The colours that the palettes have exactly."""

TIES = ("tie_zero", "tie_cards", "shared")
"""The reasons for an end that points alone do not tell."""
IN_A_ROW = 5
"""The most players in one row of a table; more are in two."""
WIDEST = 400
"""The most width of a player on a table."""
HALO = 420
"""The width of the halo of the light."""


def new_round_dealt(view: SeaChangeView) -> bool:
    """Return whether a new round has been dealt and no card played in it."""
    return view.trick_number == 1 and not view.lays


def trump_before(view: SeaChangeView) -> str | None:
    """Return the trump before the last card, if that was a Sea Change; else None."""
    at = change_in(view.lays)
    if not 0 < at == len(view.lays) - 1:
        return None
    before = change_in(view.lays[:at])
    if before or view.trick_number == 1 or view.last_trick is None:
        return view.lays[before].card[0]
    return view.last_trick.trump


def sea_of(view: SeaChangeView, height: int, horizon: int, most: int = MOST_FILE_BYTES) -> Page:
    """Return a page with the sea in the trump's light; over it, after a Sea Change, what is left of the old sky."""
    before = trump_before(view)
    return page_of(view.trump or "", height, horizon, before if before != view.trump else None, most)


# What a page says


def sentences(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return who must do what or, at the end, who won; the same ever shorter."""
    say = labels.say
    if view.outcome:
        won = sorted(match_winners(view))
        key = "story.one_wins" if len(won) == 1 else "story.several_win"
        names = [drawable_name(labels, seat) for seat in won]
        told = [say(key, name=labels.list(names)), say(key, name=labels.list(first_words(labels, won)))]
        if team := winning_team(view, labels):
            told.append(say("story.one_wins", name=team))
        return [*told, say("story.share")] if len(won) > 1 and not team else told
    assert view.to_move is not None
    name = short_name(labels, view.to_move, 46, 420)
    suit = suit_name(labels, view.lays[0].card[0]) if view.lays else ""
    if view.to_move == view.viewer:
        turn = say("picture.your_turn" if view.lays else "picture.you_lead")
        return [say("picture.you_follow", suit=suit), turn] if view.lays else [turn]
    turn = say("picture.their_turn", name=name)
    return [say("picture.must_follow", name=name, suit=suit) if view.lays else say("picture.leads", name=name), turn]


def happened(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return what happened last, and how the trick stands; the same ever shorter."""
    say, (lays, over) = labels.say, shown_trick(view)

    def name(player: int) -> str:
        return short_name(labels, player, theme.SMALL, 300)

    if over and (view.outcome or not new_round_dealt(view)):
        mine = over.winner == view.viewer
        key = "picture.you_took" if mine else "picture.last_taken"
        told = f"{say(key, name=name(over.winner))}: {signed(worth(view, lays))}"
        if view.outcome and view.outcome.reason in TIES:
            return [f"{told} · {say(f'picture.why_{view.outcome.reason}')}", told]
        return [told]
    if not view.lays:
        return [say("picture.no_trump")]
    last = lays[-1]
    told = played(labels, last, "" if last.player == view.viewer else name(last.player), 760)
    if change_in(lays) == len(lays) - 1 > 0:
        suit = suit_name(labels, last.card[0])
        now = say("picture.rules_now", suit=suit)
        return [f"{say('picture.sea_change')} {told} · {now}", f"{told} · {now}", told]
    if len(lays) > 1 and view.seats > 1:
        return [f"{told} · {say('picture.ahead', name=name(lays[ahead_in(lays, view.trump)].player))}", told]
    return [told]


def winning_team(view: SeaChangeView, labels: Labels) -> str:
    """Return the name of the team that won; "" if no team did, or several share the win."""
    won = match_winners(view)
    sides = {view.sides[player] for player in won}
    return labels.say("team.name", letter="ABCD"[min(sides)]) if len(sides) == 1 < len(won) else ""


def place_words(page: Page, view: SeaChangeView, labels: Labels, small_room: int = 1060) -> None:
    """Write the head: who must do what, where the match is, what happened."""
    number = view.trick_number - (shown_trick(view)[1] is not None and not new_round_dealt(view) and not view.outcome)
    parts = [
        labels.say("picture.trick", trick=number, tricks=view.tricks), labels.say("picture.begins", round=view.round),
        labels.say("picture.first_to", points=labels.count("victory_points", view.target)),
    ]  # fmt: skip
    if view.outcome:
        parts = parts[1:]
    dark, small = dark_of(view.trump), happened(view, labels)
    told, room = sentences(view, labels), WIDTH - 2 * theme.MARGIN - 40
    wide = lettering.width(told[0], chrome.HEAD_SIZES[1], FACE)
    while len(parts) > 1 and wide + lettering.width(" · ".join(parts), theme.SMALL) > room:
        parts.pop()
    chrome.place_head(page, told, parts, face=FACE, dark=dark)
    shown = next((text for text in small if lettering.width(text, theme.SMALL) <= small_room), small[-1])
    line = chrome.HEADER_LINE + chrome.HEAD_APART
    page.text(theme.MARGIN, line, shown, theme.SMALL, theme.CREAM, small_room, halo=dark)


# The table


def moment(view: SeaChangeView, events: Sequence[Event]) -> Point | None:
    """Return where the light stands if the trump has turned (C4)."""
    return (WIDTH / 2, HORIZON - 40) if any(isinstance(event, SeaChanged) for event in events) else None


def rows_of(view: SeaChangeView) -> list[list[int]]:
    """Return the players of each row of the table from the left; no team is in two rows if that can be."""
    order = in_order(view)
    if len(order) <= IN_A_ROW:
        return [order]
    half = -(-len(order) // 2)
    ends = [end for end in range(1, len(order)) if view.sides[order[end - 1]] != view.sides[order[end]]] or [half]
    cut = min(ends, key=lambda end: (abs(end - half), end)) if in_teams(view) else half
    return [order[:cut], order[cut:]]


def table_cells(view: SeaChangeView) -> list[Cell]:
    """Return where each player's things are on the table."""
    rows, cells = rows_of(view), []
    for number, row in enumerate(rows):
        wide = min(WIDEST, (WIDTH - 2 * theme.MARGIN) // max(map(len, rows)))
        left = (WIDTH - wide * len(row)) // 2
        for place, player in enumerate(row):
            x = left + wide * place
            if len(rows) == 1:
                card, boat = (184, 256) if len(row) == IN_A_ROW else (194, 270), 216 if len(row) < 4 else 190
                box, boat = (x + (wide - card[0]) // 2, 450, *card), min(boat, wide - 46)
                way, name = wide - 16, (486 + card[1], wide - 12)
                cells.append(Cell(player, x + 8, way, boat, way - 4, 410, box, (424, way), name))
            else:
                way, water = wide - 12, (400, 770)[number]
                box = (x + wide - 148, water - 176, 140, 196)
                cells.append(Cell(player, x + 6, way, 142, 142, water, box, (water + 52, way), (water + 104, way)))
    return cells


def strip_cells(view: SeaChangeView, water: int, card: tuple[int, int]) -> list[Cell]:
    """Return where each player's things are in one row on a lower page; the boats float on the row `water`, `card` is
    the upper edge and the height of the cards.
    """
    order, (top, tall) = in_order(view), card
    wide = min(244, (WIDTH - 2 * theme.MARGIN) // len(order))
    left, across = (WIDTH - wide * len(order)) // 2, min(round(tall * 0.72), wide - 22)
    cells, crowded = list[Cell](), wide < 200
    for place, player in enumerate(order):
        x = left + wide * place
        name = top + tall + 16 + (33 if crowded and place % 2 else 0), 2 * wide - 40 if crowded else wide - 8
        boat, box = min(round(water * 0.56), wide - 20), (x + (wide - across) // 2, top, across, tall)
        cells.append(Cell(player, x + 5, wide - 10, boat, wide - 10, water, box, (water + 3, wide - 10), name))
    return cells


def paint_table(view: SeaChangeView, labels: Labels) -> Page:
    """Paint the fleet in the light of the trump, each player's card, and what just happened."""
    cells = table_cells(view)
    two = len(cells) > IN_A_ROW
    horizon = 226 if two else HORIZON
    page = sea_of(view, 1000 if two else 900, horizon)
    lays, over = shown_trick(view)
    if over and new_round_dealt(view) and not view.outcome:
        lays = ()
    fleet = Fleet(page, view if lays else view._replace(last_trick=None), labels, cells)
    standing = [cell.middle for cell in cells if fleet.lit(cell)] or [WIDTH // 2]
    x = round(sum(standing) / len(standing))
    if two:
        x += 72  # over the card
    else:  # between two sails
        x = min((cell.left - 8 for cell in cells[1:]), key=lambda gap: (abs(gap - x), abs(gap - WIDTH / 2)))
    _place_light(page, view, x, horizon, plain=labels.plain)
    fleet.paint(46 if not two and len(cells) < 5 else theme.SMALL)
    for side, own in fleet.ways()[: 2 if view.seats == 1 else None]:
        end = own[-1].left + own[-1].width
        at = (end - STATS, own[0].lane[0]) if two else ((own[0].left + end) / 2, own[0].name[0] + 50)
        _stats(page, view, side, *at)
    place_words(page, view, labels, 1150 if len(view.suits) == len(SIGNS) else 900)
    _place_suits(page, view, 1176, chrome.HEADER_LINE + chrome.HEAD_APART)
    if view.seats <= 2:
        _place_pile(page, view, labels)
    return page


def _place_light(page: Page, view: SeaChangeView, x: int, horizon: int, *, plain: bool) -> None:
    """Place the light, with the trump's sign on it, over the player who stands in it."""
    trump = view.trump or ""
    y = horizon - disc_of(HALO)
    place_light(page, trump, x, y, HALO, horizon, 460, plain=plain)
    if trump:
        sign = emblems.sign(SIGNS[trump], 74, TINTS[trump], PALE[trump])
        page.place(sign, x, y - 14, "mm")
        page.text(x, y + 38, trump, theme.SMALL, mix(TINTS[trump], theme.INK, 0.3), 60, "mm")


def _place_suits(page: Page, view: SeaChangeView, right: int, y: int) -> None:
    """Place the signs of the suits in play, if not all are."""
    if len(view.suits) == len(SIGNS):
        return
    for number, suit in enumerate(reversed(view.suits)):
        colour = theme.BRASS_LIGHT if suit == view.trump else theme.CREAM
        page.place(emblems.sign(SIGNS[suit], 40, colour, dark_of(view.trump)), right - 56 * number, y, "rm")


def _stats(page: Page, view: SeaChangeView, side: int, x: float, y: int) -> None:
    """Write what a side has captured and, if they are public, its points; (x, y) is their middle."""
    dark = dark_of(view.trump)
    found = [(emblems.captured, theme.PAPER_EDGE, str(view.captured[side]))]
    points = view.points
    if points is None and view.last_round and (view.outcome or new_round_dealt(view)):
        points = view.last_round.points
    if points is not None:
        found.insert(0, (emblems.points, theme.BRASS_LIGHT, signed(points[side])))
    wide = sum(40 + lettering.width(text, theme.SMALL) for *_, text in found) + 20 * (len(found) - 1)
    at = x - wide / 2
    for emblem, colour, text in found:
        page.place(emblems.sign(emblem, 34, colour, chrome.NIGHT), at, y, "lm")
        at += 40 + page.text(at + 40, y, text, theme.SMALL, theme.CREAM, 130, halo=dark) + 20


def _place_pile(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write how many cards the pile of two players, or the Tide, still has."""
    told = labels.say("picture.left", count=view.pile)
    y = page.height - 46
    end = page.text(WIDTH - theme.MARGIN, y, told, theme.SMALL, theme.CREAM, 300, "rm", halo=dark_of(view.trump))
    pile = emblems.sign(emblems.captured, 44, theme.PAPER_EDGE, chrome.NIGHT)
    page.place(pile, WIDTH - theme.MARGIN - end - 14, y, "rm")


# The pictures


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the sea, and two cards of one value, the second of which changes the trump."""
    page = page_of("Y", 640, 300, "B")
    place_light(page, "Y", 600, 236, 640, 300, 460)
    for number, x, y, width in ((3, 318, 398, 190), (1, 900, 392, 170), (0, 150, 500, 280), (6, 1046, 506, 286)):
        page.place(art(f"{SLUG}/boat_{number}", width), x, y, "mb")
    for x, y, card, angle in ((514, 428, "B9", 9), (696, 434, "Y9", -7)):
        page.place(rotated(_ringed(card, *(5 * side // 2 for side in HELD)), angle), x, y, "mm")
    dark, title, told = dark_of("Y"), labels.say("game.title"), labels.say("game.tagline")
    size = lettering.fitting(title, 132, 90, WIDTH - 80, FACE)
    page.text(WIDTH / 2, 84, title, size, theme.BRASS_LIGHT, WIDTH - 80, "mm", FACE, dark)
    size = lettering.fitting(told, 42, theme.SMALL, WIDTH - 60)
    page.text(WIDTH / 2, 176, told, size, theme.CREAM, WIDTH - 60, "mm", halo=dark)
    return page


@sprite
def _ringed(card: str, width: int, height: int) -> Pixels:
    """A card whose value has the ring of a Sea Change."""
    face = card_face(card, "+2", width, height).pixels
    mark = ring(round(width * 0.46), 2).pixels
    at = round(width * VALUE[0] - mark.image.width / 2), round(height * VALUE[1] - mark.image.height / 2)
    image = face.image.copy()
    image.paste(mark.image, at, mark.alpha)
    return Pixels(image, face.alpha)


def paint_last(view: SeaChangeView, labels: Labels) -> Page | None:
    """Paint the last complete trick (C7)."""
    trick = view.last_trick
    if trick is None:
        return None
    shown = view._replace(
        trump=trick.trump, lays=(), viewer=None, to_move=Seat(trick.winner), outcome=None, trick_number=2
    )
    page = page_of(trick.trump, 640, 216)
    _place_light(page, shown, WIDTH - 90, 216, plain=labels.plain)
    Fleet(page, shown, labels, strip_cells(shown, 284, (300, 206))).paint()
    taken = labels.say("picture.last_taken", name=short_name(labels, trick.winner, 46, 480))
    told = f"{labels.say('picture.trump')}: {suit_name(labels, trick.trump)} · {signed(worth(view, trick.lays))}"
    chrome.place_head(page, [taken], (), [told], face=FACE, dark=dark_of(trick.trump))
    return page
