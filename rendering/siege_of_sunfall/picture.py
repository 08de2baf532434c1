"""Siege of Sunfall on the table: the city's wall, with the players on it, and before it what the card brings.

The table says at the top who still has to decide. At the left hangs the standard, which is the faced card; beside it
stands what it needs and what happened last. Its attackers, or its prize, come over the field before the wall. (A
seat's own picture is in own.py, the wall in scene.py.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.narration import assault_of, awaited_of, held_of, is_past, results_of, shown_reveal
from rendering.siege_of_sunfall.pieces import SLUG, TINTS, sprite_of, title_of
from rendering.siege_of_sunfall.scene import (
    DARK,
    EMBER,
    FACE,
    LARGER,
    Column,
    columns_of,
    figure_of,
    lowered,
    place_fallen,
    place_foes,
    place_goods,
    place_guard,
    place_player,
    place_prize,
    place_spent,
    place_stack,
    place_standard,
    place_wall,
    prize_at,
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
    need: int
    """The middle of the line beside it that says who must do what."""
    purse: int
    """The middle of the viewer's purse; in a table's, that of the same line."""
    walls: tuple[int, ...]
    """The top of the wall of each row of players."""
    grow: float
    lower: int = 0
    """How much lower coins and cards lie, and how much higher the wall, because armies have a line of their own."""

    @property
    def beside(self) -> int:
        """The left edge of what is written beside the standard."""
        return self.card[0] + self.card[2] // 2 + 26

    @property
    def hem(self) -> int:
        """The lower end of the standard."""
        return self.card[1] + round(self.card[2] * HEM)


HEM = 1.56
"""How high a standard is, as a part of its width."""
TABLE = Layout(900, 390, (143, 4, 264), 118, 118, (482,), 1.08)
OPEN, LOWER = 0.74, 106
"""A standard is that much smaller while the pledges are open: coins rise before it. After the match, in which no player
has coins and cards any more, the wall is so much lower.
"""


def suited(layout: Layout, view: SiegeView, labels: Labels) -> Layout:
    """Return the layout for what a view shows: open pledges, the end of the match, or armies in a line of their own."""
    seats, (x, top, wide) = -(-view.seats // len(layout.walls)), layout.card
    lower = 0 if view.outcome else lowered(labels, seats, layout.grow)
    low = round(LOWER * layout.grow) if view.outcome else -lower
    small = round(wide * OPEN if view.open_reveal else wide - lower / HEM)
    card, walls = (x - (wide - small) // 2, top, small), tuple(wall + low for wall in layout.walls)
    return layout._replace(horizon=layout.horizon + low, card=card, walls=walls, lower=lower)


def page_of(view: SiegeView, layout: Layout, most: int) -> Page:
    """Return a page with the field in the light of the round, of at most so many bytes."""
    light = light_of(view)
    return Page(
        f"{SLUG}_{light}" if light else SLUG, layout.height, scene(light, layout.horizon, layout.walls[0]), most
    )


# Parts of both pictures


def far_of(view: SiegeView, labels: Labels) -> list[str]:
    """Return how far the round is, the most useful part first: the card and the cards left; once Siege End may be
    next, that (K1).
    """
    late = view.card_number >= PILES[view.seats][0] // 2
    card = labels.say("picture.card", number=view.card_number, left=view.pile)
    return [card, *([labels.say("picture.late")] if late else [])] if view.card_number else []


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
    room, y = max(LEAST_NAME, wide), top + round(y * unit)
    page.text(x, y, name, size, theme.CREAM, room, "mm", halo=dark, squeezed=theme.SQUEEZED)
    if card.strength:
        page.name("strength", 5, strength=card.strength)


LEAST_NAME = 180
"""The room for the name of a card, also on a small standard."""


def place_head(
    page: Page, view: SiegeView, labels: Labels, layout: Layout, sentences: Sequence[str], ends: tuple[int, int]
) -> list[str]:  # fmt: skip
    """Write beside the standard who must do what, the first that fits of `sentences` that say the same ever shorter;
    below it what must reach the number on the standard or what the card brings; and what happened last. `ends`: where
    these two lines must end. Return what had no room, after how far the match is, for the foot.
    """
    left, right, begin = layout.beside, WIDTH - theme.MARGIN, len(page.strokes)
    room, rest = right - left, [labels.say("picture.round", round=view.round, rounds=view.rounds)]
    tries = product((theme.HEADING, theme.BODY), sentences[:-1])
    told = next((text for size, text in tries if lettering.width(text, size, FACE) <= room), sentences[-1])
    size = lettering.fitting(told, round(TOLD * layout.grow), theme.SMALL, room, FACE)
    page.text(left, chrome.HEADER_LINE, told, size, theme.BRASS_LIGHT, room, "lm", FACE, DARK)
    asked, rule = asked_of(view, labels), _small(rule_of(view, labels))
    lines = [[(asked, NEWS, theme.BRASS_LIGHT, FACE)], _small(asked, theme.BRASS_LIGHT)]
    ruled = rule[0] in _place_line(page, (left, layout.need, ends[0]), ([*lines[0], *rule], *lines))
    reveal = shown_reveal(view)
    event, results = event_of(view, reveal, labels), [_small(said) for said in results_of(view, reveal, labels)]
    assault = assault_of(reveal, labels, brief=True) if reveal else ""
    total = _small(assault, event[2])[: bool(reveal)]
    if reveal and is_past(view):  # it would be read of the card that lies there else
        card = labels.say(f"card.{reveal.card.kind.value}")
        named, assault = (labels.say("pair", name=card, value=said) for said in (event[0], assault))
        event = (named, *event[1:])
    news = [[event, *sums, *said] for sums in (total, []) for said in results]
    shown = _place_line(page, (left, layout.need + BELOW, ends[1]), [*news, [event, *total], [event]])
    if total and total[0] not in shown:
        rest.append(assault)
    if not ruled:
        rest.append(rule[0][0])
    page.pass_over(len(page.strokes) - begin)
    return rest


Words = tuple[str, int, Colour, str]
"""A part of a line: its words, the size of their type, their colour, their face."""


def _small(text: str, ink: Colour = theme.CREAM) -> list[Words]:
    return [(text, theme.SMALL, ink, lettering.TEXT)]


def _place_line(page: Page, box: tuple[int, int, int], tries: Sequence[list[Words]]) -> list[Words]:
    """Write the first line that fits, part by part, and return it. `box`: its left edge, its middle, its end."""
    (x, y, end), wide = box, [sum(lettering.width(text, size, face) + APART for text, size, _, face in line)
                              for line in tries]  # fmt: skip
    line = next((line for line, room in zip(tries, wide, strict=True) if room <= end - x + APART), tries[-1])
    for text, size, colour, face in line:
        x += page.text(x, y, text, size, colour, end - x, "lm", face, DARK) + APART
    return line


TOLD = 60
"""The largest type of who must do what."""
BELOW, NEWS, APART = 54, 42, 16
"""How far below a line the next one is; the type of an event; the pixels between parts of a line."""


def place_foot(page: Page, view: SiegeView, labels: Labels, more: Sequence[str]) -> None:
    """Write at the foot `more`, as far as there is room; at the right how far the round is."""
    far, parts = " · ".join(far_of(view, labels)), list(more)
    y, room = page.height - FOOT, WIDTH - 2 * theme.MARGIN - lettering.width(far, theme.SMALL) - APART
    while lettering.width(" · ".join(parts), theme.SMALL) > room:
        parts.pop()
    page.text(theme.MARGIN, y, " · ".join(parts), theme.SMALL, theme.CREAM, room, halo=DARK)
    page.text(WIDTH - theme.MARGIN, y, far, theme.SMALL, theme.CREAM, WIDTH, "rm", halo=DARK)
    page.pass_over(2)


FOOT = 24
"""How far above the foot of the page its line is."""


def rule_of(view: SiegeView, labels: Labels) -> str:
    """Return what all who are in the round hold, if the card attacks them; else who takes it, or what gold pays."""
    gold = labels.say("picture.gold_pays") if view.phase is Phase.GOLD else labels.say("picture.only_highest")
    return held_of(view, labels) or gold


def event_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> Words:
    """Return what just happened, in a word or two."""
    if reveal is None:
        key = "round_over" if view.round > 1 else "first_round"
    elif reveal.repelled is not None:
        key = "repelled" if reveal.repelled else "fallen"
    elif reveal.taker is None:
        key = "tied" if reveal.tied else "untaken"
    else:
        key = "new_king" if reveal.card.kind is Kind.CROWN else "taken"
    said = labels.say(f"picture.{key}", round=view.round - (view.round > 1))
    return said, NEWS, EMBER if key == "fallen" else theme.BRASS_LIGHT, FACE


def asked_of(view: SiegeView, labels: Labels) -> str:
    """Return what the faced card needs or brings; without a card, what happens."""
    if view.card is None:
        return labels.say("picture.gold_time")
    key = "needs" if view.card.strength else f"brings_{view.card.kind.value}"
    return labels.say(f"picture.{key}", strength=view.card.strength)


# The players


def facing(view: SiegeView, column: Column, prize: int) -> int:
    """Return where a guard looks: to the prize, if there is one that stands apart."""
    if view.card is None or view.card.strength or view.card.kind is Kind.END or view.phase is not Phase.PLEDGE:
        return 0
    away = prize - column.x
    return 0 if abs(away) < 70 else 1 if away > 0 else -1


def place_people(page: Page, view: SiegeView, labels: Labels, columns: Mapping[int, Column], room: int) -> None:
    """Place the wall, row by row, and on it the players; `room`: of stacks of coins above the hands."""
    reveal, past = view.open_reveal, view.last_reveal if is_past(view) else None
    walls = sorted({column.wall for column in columns.values()})
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
            if column in broken:
                place_fallen(page, labels, seat, column)
            else:
                pledged = reveal is not None and reveal.pledges[seat] is not None
                won = view.outcome is not None and seat in view.outcome.winners
                arm = "victor" if won else "palm" if pledged else "fist" if seat in view.sealed else ""
                lit, cool = light_on(view, seat)
                turn = 0 if arm else facing(view, column, prize_at(columns))
                king = seat == view.king and view.outcome is None
                guard = column.guard._replace(grow=column.guard.grow * LARGER**won)
                place_guard(page, labels, seat, guard, king=king, arm=arm, lit=lit, cool=cool, turn=turn)
            if reveal is not None:
                place_stack(page, reveal, labels, seat, column.guard, room)
            elif past is not None:
                said = labels.say("picture.pledged", coins=figure_of(past, seat))
                place_spent(page, past, seat, column, said)
            place_player(page, view, labels, seat, column)
    place_goods(page, view, labels, columns, alone=bool(view.outcome))


ROW = 360
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
    layout = suited(TABLE, view, labels)
    page, wall = page_of(view, layout, MOST_FILE_BYTES), layout.walls[0]
    columns = columns_of(range(view.seats), layout.walls, layout.grow, layout.lower)
    if view.outcome:
        place_end(page, view, labels, columns)
        return page
    place_field(page, view, labels, layout, columns, awaited_of(view, labels), (WIDTH - theme.MARGIN,) * 2)
    place_people(page, view, labels, columns, wall - layout.hem)
    return page


def place_field(
    page: Page, view: SiegeView, labels: Labels, layout: Layout, columns: Mapping[int, Column],
    sentences: Sequence[str], ends: tuple[int, int],
) -> None:  # fmt: skip
    """Place what comes over the field, the standard, what it needs, who must do what, and what happened last;
    `sentences` and `ends`: as in `place_head`.
    """
    if view.open_reveal is None:
        wall, sky = layout.walls[0], layout.purse + BELOW + 24
        place_foes(page, view.card, layout.beside - 20, wall, wall - sky)
        place_prize(page, view.card, prize_at(columns), wall, wall - sky)
    place_banner(page, labels, view.card, layout.card)
    place_foot(page, view, labels, place_head(page, view, labels, layout, sentences, ends))


def place_end(page: Page, view: SiegeView, labels: Labels, columns: Mapping[int, Column], title: str = "") -> None:
    """Place who won and why, and behind each player a standard. `title`: in place of who won."""
    assert view.outcome is not None
    left, room = theme.MARGIN, WIDTH - 2 * theme.MARGIN
    title = title or chrome.victory(labels, view.outcome.winners, 900)[0]
    size = lettering.fitting(title, 96, 54, room, FACE)
    page.text(left, 58, title, size, theme.BRASS_LIGHT, room, "lm", FACE, DARK)
    line = results_of(view, None, labels)[0]
    page.text(left, 136, line, lettering.fitting(line, 48, theme.SMALL, room), theme.CREAM, room, halo=DARK)
    place_people(page, view, labels, columns, min(column.wall for column in columns.values()) - 230)


def moment(view: SiegeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of what they came to if the pledges were opened."""
    if not any(isinstance(event, PledgesRevealed) for event in events):
        return None
    return TABLE.beside + 160, TABLE.need + BELOW
