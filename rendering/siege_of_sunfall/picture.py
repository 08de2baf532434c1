"""Siege of Sunfall on the table: the city's wall, with the players on it, and before it what the card brings.

The table says at the top who still has to decide. At the left hangs the standard, which is the faced card; beside it
stands what it needs and what happened last. Its attackers, or its prize, come over the field before the wall. (A
seat's own picture is in own.py, the wall in scene.py.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.discs import first_words, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.pieces import SLUG, TINTS, sprite_of, title_of
from rendering.siege_of_sunfall.scene import (
    DARK,
    EMBER,
    FACE,
    Column,
    columns_of,
    place_fallen,
    place_foes,
    place_guard,
    place_player,
    place_spent,
    place_stack,
    place_standard,
    place_track,
    place_wall,
    score_style,
)
from rendering.siege_of_sunfall.stage import light_of, scene
from rules.core.game import Event
from rules.siege_of_sunfall.events import PledgesRevealed
from rules.siege_of_sunfall.types import ARMIES_PAY, BOOST_ADDS, GOLD_PAYS, PILES, Card, Kind, Phase, Reveal, SiegeView

COLOURS = (*theme.COLOURS, *chrome.COLOURS, emblems.WAX, EMBER, DARK, *TINTS.values())
"""The colours that the palettes have exactly."""


class Layout(NamedTuple):
    """Where the parts of a picture are, and how much larger than usual they are."""

    height: int
    horizon: int
    card: tuple[int, int, int]
    """The standard: its middle, its upper edge, its width."""
    lines: tuple[int, ...]
    """The middles of the lines beside it: what it needs; the rule, perhaps in the same line; what happened."""
    walls: tuple[int, ...]
    """The top of the wall of each row of players."""
    grow: float

    @property
    def beside(self) -> int:
        """The left edge of what is written beside the standard."""
        return self.card[0] + self.card[2] // 2 + 26


TABLE = Layout(900, 410, (142, 80, 246), (126, 126, 196, 252), (500,), 1.08)
OPEN = 0.74
"""A standard is that much smaller while the pledges are open: coins rise before it."""


def opened(layout: Layout, view: SiegeView) -> Layout:
    """Return the layout while the pledges are open, if they are."""
    x, top, wide = layout.card
    small = round(wide * OPEN)
    return layout._replace(card=(x - (wide - small) // 2, top, small)) if view.open_reveal is not None else layout


def page_of(view: SiegeView, layout: Layout, most: int) -> Page:
    """Return a page with the field in the light of the round, of at most so many bytes."""
    light = light_of(view)
    return Page(f"{SLUG}_{light}" if light else SLUG, layout.height, scene(light, layout.horizon, layout.walls), most)


# Parts of both pictures


def far_of(view: SiegeView, labels: Labels) -> list[str]:
    """Return how far the match is, the most useful part first: the card and the cards left; once Siege End may be
    next, that (K1); the round.
    """
    parts = []
    if view.card_number and not view.outcome:
        parts.append(labels.say("picture.card", number=view.card_number, left=view.pile))
        if view.card_number >= PILES[view.seats][0] // 2:
            parts.append(labels.say("picture.late"))
    parts.append(labels.say("picture.over" if view.outcome else "picture.round", round=view.round, rounds=view.rounds))
    return parts


def place_banner(page: Page, labels: Labels, card: Card | None, box: tuple[int, int, int]) -> None:
    """Hang the standard that is the card: its strength or what it brings, its sign, its name. `box`: its middle, its
    upper edge, its width.
    """
    x, top, wide = box
    page.place(sprite_of(f"banner_{card.kind.value if card else 'city'}", wide), x, top, "mt")
    if card is None:
        return
    unit, (red, green, blue) = wide / 300, TINTS[card.kind]
    dark = red // 4, green // 4, blue // 4
    gain = {Kind.BOOST: BOOST_ADDS, Kind.GOLD: GOLD_PAYS, Kind.ARMIES: ARMIES_PAY}.get(card.kind, 0)
    number = str(card.strength) if card.strength else f"+{gain}" if gain else ""
    size, y = (176, 120) if card.strength else (116, 100)
    page.text(x, top + round(y * unit), number, round(size * unit), theme.CREAM, wide, "mm", FACE, dark)
    name, y = title_of(labels, card.kind), 216 if number else 110
    size = lettering.fitting(name, max(theme.SMALL, round(44 * unit)), theme.SMALL, round(wide * 0.74))
    page.text(x, top + round(y * unit), name, size, theme.CREAM, max(LEAST_NAME, wide), "mm", halo=dark)
    if card.strength:
        page.name("strength", 5, strength=card.strength)


LEAST_NAME = 180
"""The room for the name of a card, also on a small standard."""


def place_need(page: Page, view: SiegeView, labels: Labels, layout: Layout, right: int) -> None:
    """Write what the faced card needs, and what all hold; or what it brings, and that the highest pledge takes it. If
    both stand in one line and there is no room for the second, it is left out. `right`: where the line must end.
    """
    left, (first, second, *_) = layout.beside, layout.lines
    asked, said, most = asked_of(view, labels), rule_of(view, labels), round(DEMAND * layout.grow)
    room, aside = right - left, lettering.width(said, theme.SMALL) + DEMAND_APART
    if second == first and lettering.width(asked, LEAST_DEMAND, FACE) + aside > room:
        said = ""
    size = lettering.fitting(asked, most, theme.SMALL, room - aside * (said != "" and second == first), FACE)
    x = left + page.text(left, first, asked, size, theme.BRASS_LIGHT, room, "lm", FACE, DARK) + DEMAND_APART
    if second == first:  # on one baseline
        second += round(size * lettering.capitals(FACE) - theme.SMALL * lettering.capitals(lettering.TEXT)) // 2
    else:
        x = left
    if said:
        page.text(x, second, said, theme.SMALL, theme.CREAM, right - x, halo=DARK)


def need_width(view: SiegeView, labels: Labels, room: int) -> int:
    """Return the least width of what the faced card needs, with the rule in the same line if `room` is enough."""
    alone = lettering.width(asked_of(view, labels), LEAST_DEMAND, FACE)
    both = alone + DEMAND_APART + lettering.width(rule_of(view, labels), theme.SMALL)
    return both if both <= room else alone


DEMAND, LEAST_DEMAND, DEMAND_APART = 72, 54, 22
"""The type of what a card needs: the usual size, the least one beside the rule, and the pixels between the two."""


def rule_of(view: SiegeView, labels: Labels) -> str:
    """Return what all who are in the round hold, if the card attacks them; else who takes it, or what gold pays."""
    gold = labels.say("picture.gold_pays") if view.phase is Phase.GOLD else labels.say("picture.only_highest")
    return held_of(view, labels) or gold


def held_of(view: SiegeView, labels: Labels) -> str:
    """Return what all who are in the round hold, if the faced card attacks them; else ""."""
    if view.card is None or not view.card.strength:
        return ""
    have = sum(coins for coins, alive in zip(view.coins, view.alive, strict=True) if alive)
    return labels.say("picture.all_hold", coins=have)


def shown_reveal(view: SiegeView) -> Reveal | None:
    """Return the pledges opened last, or None if none were."""
    return view.open_reveal or view.last_reveal


def is_past(view: SiegeView) -> bool:
    """Say whether the pledges opened last were for an earlier card than the one that lies there."""
    return view.outcome is None and view.open_reveal is None and view.last_reveal is not None


def results_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> list[str]:
    """Return which player gets the card or, at the end, with what the match was won, in a few words, ever shorter."""

    def told(key: str, seats: Sequence[int], fact: str = "names") -> list[str]:
        names = [short_name(labels, seat, theme.SMALL, 400) for seat in seats], first_words(labels, seats)
        found = [labels.say(key, **{fact: labels.list(each)}) for each in names]
        count = labels.say("picture.players", count=len(seats))
        return [*found, labels.say(key, **{fact: count})] if len(seats) > 1 else found

    if view.outcome is not None:
        most = labels.count("armies", max(view.armies))
        return [labels.say(f"picture.won_{view.outcome.reason}", armies=most)]
    if reveal is None:
        return told("picture.begins", [view.king], "name")
    if reveal.taker is not None:
        return told("picture.crowned" if reveal.card.kind is Kind.CROWN else "picture.takes", [reveal.taker], "name")
    if reveal.repelled is False:
        return told("picture.falls", reveal.eliminated)
    if reveal.tied:
        return told("picture.tie", reveal.tied)
    return [labels.say("picture.nobody")]


def event_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> tuple[str, Colour]:
    """Return what just happened, in a word or two, and their colour."""
    if view.outcome is not None:
        return labels.say("picture.victory"), theme.BRASS_LIGHT
    if reveal is None:
        return labels.say("picture.first_round", round=view.round), theme.BRASS_LIGHT
    if reveal.repelled is not None:
        return labels.say(
            "picture.repelled" if reveal.repelled else "picture.fallen"
        ), theme.BRASS_LIGHT if reveal.repelled else EMBER
    if reveal.taker is None:
        return labels.say("picture.tied" if reveal.tied else "picture.untaken"), theme.BRASS_LIGHT
    return labels.say("picture.new_king" if reveal.card.kind is Kind.CROWN else "picture.taken"), theme.BRASS_LIGHT


def place_news(page: Page, view: SiegeView, labels: Labels, lines: Sequence[int], left: int, right: int) -> None:
    """Write what followed from the pledges opened last, in one or two lines: for an earlier card that it was the last
    one, the event, whom it concerns, and what all pledges came to. `right`: where the first line must end.
    """
    reveal, room, one = shown_reveal(view), right - left, len(lines) == 1
    event, ink = event_of(view, reveal, labels)
    tag, of = labels.say("picture.past") if is_past(view) else "", assault_of(reveal, labels) if reveal else ""
    sayings = results_of(view, reveal, labels)
    room -= lettering.width(event, NEWS, FACE)

    def fits(*parts: str) -> bool:
        return sum(lettering.width(part, theme.SMALL) + APART for part in parts if part) <= room

    tries = [(tag, said, of if one else "") for said in sayings] + [(tag, said, "") for said in sayings]
    tag, said, last = next((found for found in tries if fits(*found)), ("", sayings[-1], ""))
    x, y = left, lines[0]
    for text, size, colour, face in (
        (tag, theme.SMALL, theme.BRASS_LIGHT, lettering.TEXT), (event, NEWS, ink, FACE),
        (said, theme.SMALL, theme.CREAM, lettering.TEXT),
    ):  # fmt: skip
        x += page.text(x, y, text, size, colour, right - x, "lm", face, DARK) + APART if text else 0
    if reveal is not None and (last or not one):
        place_assault(page, reveal, labels, *((x, y) if one else (left, lines[1])))


def news_width(view: SiegeView, labels: Labels) -> int:
    """Return the least width of what happened."""
    reveal = shown_reveal(view)
    parts = [results_of(view, reveal, labels)[-1], *[labels.say("picture.past")] * is_past(view)]
    event = lettering.width(event_of(view, reveal, labels)[0], NEWS, FACE)
    return event + sum(APART + lettering.width(part, theme.SMALL) for part in parts)


NEWS, APART = 44, 16
"""The size of an event's type, and the pixels between parts of a line."""


def place_assault(page: Page, reveal: Reveal, labels: Labels, x: int, y: int) -> None:
    """Write what all pledges came to and what they met; behind it, if there is room, coin by coin."""
    right = WIDTH - theme.MARGIN
    x += page.text(x, y, assault_of(reveal, labels), theme.SMALL, theme.CREAM, right - x, halo=DARK) + APART
    place_track(page, reveal.card.strength, reveal.total, x, y, right)


def asked_of(view: SiegeView, labels: Labels) -> str:
    """Return what the faced card needs, or what it brings; without a card, what happens."""
    if view.card is None:
        return labels.say("picture.over" if view.outcome else "picture.gold_time")
    if view.card.strength:
        return labels.say("picture.needs", strength=view.card.strength)
    if view.card.kind is Kind.CROWN and view.viewer is None:
        return labels.say("picture.brings_crown_taker")
    return labels.say(f"picture.brings_{view.card.kind.value}")


def assault_of(reveal: Reveal, labels: Labels) -> str:
    """Return what all pledges came to and, of an attack, what was needed."""
    key = "picture.of" if reveal.card.strength else "picture.total"
    return labels.say(key, total=reveal.total, strength=reveal.card.strength)


def awaited_of(view: SiegeView, labels: Labels) -> list[str]:
    """Return which players other than the viewer must still choose, and what, ever shorter: their names in full, the
    first words of these, how many they are; nothing if all have chosen.
    """
    seats = [seat for seat in view.to_move if seat != view.viewer]
    if not seats:
        return []
    key = f"picture.{'also' if view.viewer in view.to_move else 'awaited'}_{view.phase.value}"
    names = [short_name(labels, seat, theme.SMALL, 400) for seat in seats], first_words(labels, seats)
    count = labels.say("picture.players", count=len(seats))
    return list(dict.fromkeys(labels.say(key, names=each) for each in (*map(labels.list, names), count)))


# The players


def facing(view: SiegeView, column: Column, prize: int) -> int:
    """Return where a guard looks: to the prize, if there is one that stands apart."""
    if view.card is None or view.card.strength or view.card.kind is Kind.END or view.phase is not Phase.PLEDGE:
        return 0
    away = prize - column.x
    return 0 if abs(away) < 70 else 1 if away > 0 else -1


def place_people(
    page: Page, view: SiegeView, labels: Labels, columns: Mapping[int, Column], beside: int, room: int
) -> None:
    """Place the wall, row by row, and on it the players; `room`: of stacks of coins above the hands."""
    reveal, past = view.open_reveal, view.last_reveal if is_past(view) else None
    style, walls = (
        score_style(view, labels, next(iter(columns.values()))),
        sorted({column.wall for column in columns.values()}),
    )
    below = round((ROW - 110 * bool(view.outcome)) * max(column.grow for column in columns.values()))
    room = min(room, *(lower - upper - below for upper, lower in pairwise(walls)), room)
    for wall in walls:
        row = {seat: column for seat, column in columns.items() if column.wall == wall}
        broken = [column for seat, column in row.items() if not view.alive[seat] and view.outcome is None]
        for seat, column in row.items() if view.outcome else ():
            place_standard(page, view, seat, column, room)
        if not labels.plain and wall == walls[0]:
            place_wall(page, wall, broken)
        for seat, column in row.items():
            if out := column in broken:
                place_fallen(page, labels, seat, column)
            else:
                pledged = reveal is not None and reveal.pledges[seat] is not None
                arm = "palm" if pledged else "fist" if seat in view.sealed else ""
                lit, cool = light_on(view, seat)
                turn = facing(view, column, (beside + WIDTH) // 2)
                place_guard(
                    page, labels, seat, column.guard, king=seat == view.king, arm=arm, lit=lit, cool=cool, turn=turn
                )
            if reveal is not None:
                place_stack(page, reveal, labels, seat, column.guard, room)
            elif past is not None:
                place_spent(page, past, seat, column, out)
            place_player(page, view, labels, seat, column, style)


ROW = 364
"""How far what a row of players has reaches below the top of its wall."""


def light_on(view: SiegeView, seat: int) -> tuple[bool, bool]:
    """Return whether a guard stands in the light of the page, and whether in the shade: lit are the winner, those who
    are tied, the viewer; in the shade those who wait while others decide.
    """
    reveal = view.open_reveal
    won = view.outcome is not None and seat in view.outcome.winners
    lit = won or (reveal is not None and seat in reveal.tied) or (seat == view.viewer and view.outcome is None)
    idle = view.outcome is not None or reveal is not None or (bool(view.to_move) and seat not in view.to_move)
    return lit, idle and not lit


# The table


def paint_table(view: SiegeView, labels: Labels) -> Page:
    """Paint what is now, what happened last, and the players on the wall; or, after the match, who has won and why."""
    layout = opened(TABLE, view)
    page, wall = page_of(view, layout, MOST_FILE_BYTES), layout.walls[0]
    columns = columns_of(range(view.seats), layout.walls, layout.grow)
    if view.outcome:
        place_end(page, view, labels, columns)
        return page
    place_head(page, awaited_of(view, labels), far_of(view, labels))
    if view.open_reveal is None:
        place_foes(page, view.card, layout.beside - 20, wall, wall - layout.lines[-1] - 24)
    place_banner(page, labels, view.card, layout.card)
    place_people(page, view, labels, columns, layout.beside, wall - layout.lines[3] + 20)
    place_need(page, view, labels, layout, WIDTH - theme.MARGIN)
    place_news(page, view, labels, layout.lines[2:], layout.beside, WIDTH - theme.MARGIN)
    return page


def place_end(page: Page, view: SiegeView, labels: Labels, columns: Mapping[int, Column], title: str = "") -> None:
    """Place who won and why, and behind each player a standard. `title`: in place of who won."""
    assert view.outcome is not None
    (winner,) = sorted(view.outcome.winners)[:1]
    left, room = theme.MARGIN, WIDTH - 2 * theme.MARGIN
    title = title or chrome.victory(labels, view.outcome.winners, 900)[0]
    size = lettering.fitting(title, 96, 54, room, FACE)
    page.text(left, 58, title, size, theme.BRASS_LIGHT, room, "lm", FACE, DARK)
    why = labels.say(f"picture.why_{view.outcome.reason}", name=short_name(labels, winner, 44, 400))
    for line, y in ((results_of(view, None, labels)[0], 136), (why, 190)):
        page.text(left, y, line, lettering.fitting(line, 44, theme.SMALL, room), theme.CREAM, room, halo=DARK)
    place_people(page, view, labels, columns, 0, min(column.wall for column in columns.values()) - 230)


def place_head(page: Page, sentences: Sequence[str], parts: Sequence[str], small: Sequence[str] = ()) -> None:
    """Write the head: who must do what, and how far the match is. Names are worth more than the later parts of that."""
    room = WIDTH - 2 * theme.MARGIN - 40
    for sentence in sentences:
        wide = lettering.width(sentence, chrome.HEAD_SIZES[1], FACE)
        for count in range(len(parts), 0, -1):
            if wide + lettering.width(" · ".join(parts[:count]), theme.SMALL) <= room:
                chrome.place_head(page, [sentence], parts[:count], small, face=FACE, dark=DARK)
                return
    chrome.place_head(page, sentences, parts, small, face=FACE, dark=DARK)


def moment(view: SiegeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of what they came to if the pledges were opened."""
    if not any(isinstance(event, PledgesRevealed) for event in events):
        return None
    return TABLE.beside + 180, TABLE.lines[2]
