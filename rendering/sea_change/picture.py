"""Sea Change on the table: the fleet in the light of the trump, before each boat its player's card.

(A seat's own picture is in hand.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import stage
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.cards import rotated
from rendering.core.discs import short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Pixels, Point, mix, sprite
from rendering.sea_change.emblems import SIGNS, ring
from rendering.sea_change.fleet import (
    ABREAST,
    Cell,
    Fleet,
    in_teams,
    new_round_dealt,
    rail_of,
    row_of,
    shown_trick,
    worth,
)
from rendering.sea_change.narration import ahead_in, change_in, demanded, match_winners, played, points_text, suit_name
from rendering.sea_change.pieces import FACE, HELD, PALE, TINTS, VALUE, card_face
from rendering.sea_change.stage import HORIZON, SLUG, dark_of, disc_of, page_of, place_light
from rules.core.game import Event, Seat
from rules.sea_change.types import SeaChanged, SeaChangeView

COLOURS = (*theme.COLOURS, *chrome.COLOURS, *TINTS.values())
"""The colours that the palettes have exactly."""

TIES = ("tie_zero", "tie_cards", "shared")
"""The reasons for an end that points alone do not tell."""
TABLE_LINE = 228
"""The horizon of a table."""
HALO = 372
"""The width of the halo of the light."""
MOON, MOON_AT = 250, (1010, 101)
"""The same of a small light, and its middle."""


def trump_before(view: SeaChangeView) -> str | None:
    """Return the trump before the last card, if that was a Sea Change; else None."""
    at = change_in(view.lays)
    if not 0 < at == len(view.lays) - 1:
        return None
    before = change_in(view.lays[:at])
    if before or view.trick_number == 1 or view.last_trick is None:
        return view.lays[before].card[0]
    return view.last_trick.trump


def sea_of(
    view: SeaChangeView, height: int, horizon: int, cells: Sequence[Cell], most: int = MOST_FILE_BYTES
) -> Page:  # fmt: skip
    """Return a page with the sea in the trump's light, and the rail on which these players' cards stand; over it, after
    a Sea Change, what is left of the old sky.
    """
    before = trump_before(view)
    return page_of(view.trump or "", height, horizon, rail_of(cells), before if before != view.trump else None, most)


# What a page says


def sentences(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return who must do what or, at the end, who won; the same ever shorter."""
    say = labels.say
    if view.outcome:
        return [chrome.victory(labels, match_winners(view), WIDTH - 60, winning_team(view, labels))[0]]
    if labels.halt:
        return [labels.halt]
    assert view.to_move is not None
    name = short_name(labels, view.to_move, 46, 420)
    suits = [suit_name(labels, suit := demanded(view))]
    if suit:  # another suit may be played if it has the value of the last card (C5)
        suits.insert(0, f"{suits[0]} {say('picture.or_value', value=view.lays[-1].card[1:])}")
    if view.to_move == view.viewer:
        key = "you_follow" if suit else "you_any" if view.lays else "you_lead_any"
        turn = say("picture.your_turn" if view.lays else "picture.you_lead")
        return [*(say(f"picture.{key}", suit=suit) for suit in suits), turn]
    if view.viewer is not None:
        return [say("picture.wait_for", name=name)]
    key = "must_follow" if view.lays else "leads"
    return [*(say(f"picture.{key}", name=name, suit=suit) for suit in suits), say("picture.their_turn", name=name)]


def happened(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return what happened last, and how the trick stands; the same ever shorter."""
    say, (lays, over) = labels.say, shown_trick(view)

    def name(player: int) -> str:
        return short_name(labels, player, theme.SMALL, 300)

    if over and (view.outcome or not new_round_dealt(view)):
        mine = over.winner == view.viewer
        key = "picture.you_took" if mine else "picture.last_taken"
        told = f"{say(key, name=name(over.winner))} · {points_text(labels, worth(view, lays))}"
        if view.outcome and view.outcome.reason in TIES:
            return [f"{told} · {say(f'picture.why_{view.outcome.reason}')}", told]
        return [told]
    if not view.lays:
        now, scored = say("picture.no_trump"), view.last_round
        if scored is None:
            return [now]
        own = None if in_teams(view) or view.viewer is None else view.sides[view.viewer]
        sides = [say("team", letter="ABCD"[side]) if in_teams(view) else name(side) for side in scored.winners]
        if own in scored.winners:
            sides[scored.winners.index(own)] = say("picture.you")
        key = "picture.round_won_you" if scored.winners == (own,) else "picture.round_won"
        won = say(key, round=scored.round, name=labels.list(sides))
        return [f"{won} · {now}", won]
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


def place_words(page: Page, view: SeaChangeView, labels: Labels, small_room: int = 920) -> None:
    """Write the head: who must do what, where the match is, what happened."""
    small, told = happened(view, labels), sentences(view, labels)
    room = WIDTH - 2 * theme.MARGIN - 40 - lettering.width(told[0], chrome.HEAD_SIZES[1], FACE)
    at = [] if view.outcome else [labels.say("picture.trick", trick=view.trick_number, tricks=view.tricks)]
    brief = labels.say("picture.first_to", points=labels.count("victory_points", view.target))
    goal, whole = labels.count("goal", view.target), labels.say("picture.begins", round=view.round)
    tries = [[*parts, whole] for parts in ([*at, goal], [*at, brief], [brief], at, [])]
    parts = next((parts for parts in tries if lettering.width(" · ".join(parts), theme.SMALL) <= room), tries[-1])
    chrome.place_head(page, told, parts, small, face=FACE, dark=dark_of(view.trump), small_room=small_room)


# The table


def moment(view: SeaChangeView, events: Sequence[Event]) -> Point | None:
    """Return where the light stands if the trump has turned (C4)."""
    return (WIDTH / 2, HORIZON - 40) if any(isinstance(event, SeaChanged) for event in events) else None


def table_cells(view: SeaChangeView, labels: Labels) -> list[Cell]:
    """Return where each player's things are on the table."""
    if len(view.sides) > ABREAST:  # their names may take two lines
        return row_of(view, labels, 240, 466, 696, 272)
    return row_of(view, labels, {1: 300, 5: 216}.get(view.seats, 240), 402, 736, 288)


def paint_table(view: SeaChangeView, labels: Labels) -> Page:
    """Paint the fleet in the light of the trump, each player's card, and what just happened."""
    cells = table_cells(view, labels)
    page = sea_of(view, 900, TABLE_LINE, cells)
    lays, over = shown_trick(view)
    if over and new_round_dealt(view) and not view.outcome:
        lays = ()
    fleet = Fleet(page, view if lays else view._replace(last_trick=None), labels, cells)
    standing = [cell.middle for cell in cells if fleet.lit(cell)] or [WIDTH // 2]
    x = round(sum(standing) / len(standing))
    x = min((cell.left - 6 for cell in cells[1:]), key=lambda gap: (abs(gap - x), abs(gap - WIDTH / 2)))
    _place_light(page, view, x, rail_of(cells), plain=labels.plain)
    fleet.paint(46 if len(cells) < ABREAST else theme.SMALL)
    place_words(page, view, labels, 900 if len(view.suits) < len(SIGNS) else 1150)
    _place_suits(page, view, 1176, chrome.HEADER_LINE + chrome.HEAD_APART)
    if view.seats <= 2:
        _place_pile(page, view, labels)
    return page


def _place_light(page: Page, view: SeaChangeView, x: int, rail: int, *, plain: bool) -> None:
    """Place the light, with the trump's sign on it, over the player who stands in it; its path ends at the rail."""
    trump = view.trump or ""
    y = TABLE_LINE - disc_of(HALO)
    place_light(page, trump, x, y, HALO, TABLE_LINE, (460, rail - TABLE_LINE), plain=plain)
    if trump:
        sign = emblems.sign(SIGNS[trump], 66, TINTS[trump], PALE[trump])
        page.place(sign, x, y - 13, "mm")
        page.text(x, y + 32, trump, theme.SMALL, mix(TINTS[trump], theme.INK, 0.3), 60, "mm")


def place_moon(page: Page, trump: str, horizon: int, rail: int, *, plain: bool) -> None:
    """Place a small light in the corner, with the trump's sign, and its path on the water up to the rail."""
    place_light(page, trump, *MOON_AT, MOON, horizon, (360, rail - horizon), plain=plain)
    if trump:
        page.place(emblems.sign(SIGNS[trump], 48, TINTS[trump], PALE[trump]), *MOON_AT, "mm")


def _place_suits(page: Page, view: SeaChangeView, right: int, y: int) -> None:
    """Place the signs of the suits in play, if not all are."""
    if len(view.suits) == len(SIGNS):
        return
    for number, suit in enumerate(reversed(view.suits)):
        colour = theme.BRASS_LIGHT if suit == view.trump else theme.CREAM
        page.place(emblems.sign(SIGNS[suit], 40, colour, dark_of(view.trump)), right - 56 * number, y, "rm")


def _place_pile(page: Page, view: SeaChangeView, labels: Labels) -> None:
    """Write how many cards the pile of two players, or the Tide, still has."""
    told = labels.say("picture.left", count=view.pile)
    y = page.height - 46
    end = page.text(WIDTH - theme.MARGIN, y, told, theme.SMALL, theme.CREAM, 300, "rm", halo=dark_of(view.trump))
    pile = emblems.sign(emblems.captured, 44, theme.PAPER_EDGE, chrome.NIGHT)
    page.place(pile, WIDTH - theme.MARGIN - end - 14, y, "rm")


# The pictures


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the ship whose sails are two cards of one value, the second of which changes the trump."""
    page = Page(f"{SLUG}_Y", 640, stage(f"{SLUG}/cover"))
    for x, card, angle in ((652, "B9", 4), (888, "Y9", -3)):
        page.place(rotated(_ringed(card, *(2 * side for side in HELD)), angle), x, 366, "mm")
    chrome.place_title(page, labels, 70, FACE, dark_of("Y"))
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
    tall = 160 if len(shown.sides) > ABREAST else 190
    cells = row_of(shown, labels, 150, 266, 472, tall)
    page = page_of(trick.trump, 640, 216, rail_of(cells))
    place_moon(page, trick.trump, 216, rail_of(cells), plain=labels.plain)
    Fleet(page, shown, labels, cells).paint(gains=False)
    taken = labels.say("picture.last_taken", name=short_name(labels, trick.winner, 46, 480))
    points = points_text(labels, worth(view, trick.lays))
    trump = labels.say("pair", name=labels.say("picture.trump"), value=suit_name(labels, trick.trump))
    chrome.place_head(page, [taken], (), [f"{trump} · {points}"], face=FACE, dark=dark_of(trick.trump))
    return page
