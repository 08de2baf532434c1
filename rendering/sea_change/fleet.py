"""The fleet: each player's boat, and below it the card that the player has laid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import aglow, art, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card
from rendering.core.discs import COLOURS, disc, first_fit, short_name
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.sea_change.emblems import SIGNS, anchor, pennant, ring
from rendering.sea_change.narration import ahead_in, change_in, demanded, match_winners, points_text
from rendering.sea_change.pieces import VALUE, board, face_of
from rendering.sea_change.stage import LIGHTS, SLUG, dark_of
from rules.sea_change.types import Lay, SeaChangeView, Trick

WATERLINE, BADGE = 196 / 216, (110 / 230, 96 / 216)
"""The row of a boat that the water reaches, and the middle of the disc on its sail, as parts of its size."""
HEADS = (0.07, 0.25, 0.08, 0.13, 0.19, 0.12, 0.1, 0.08)
"""How low the foot of a crown sits on each rig, as parts of its height."""
NARROW = 0.71
"""The least part of their width that the letters of a name may have which stands between those of many others."""
LABEL, BESIDE = 42, 12
"""The height of the cloth on which a team's victory points stand, and the room between the Tide's cards."""
ABREAST, LINE, WIDEST = 5, 47, 460
"""The most boats whose names stand in one line, else in two by turns; from line to line; the most room of a boat."""
PLANKS = (0.236, 0.49, 0.744)
"""The middles of a board's planks, as parts of its height."""
TURNS = (1, 0, 2)
"""Who plays alone has the second card of a trick, between two of the Tide's."""


class Cell(NamedTuple):
    """Where a player's things are."""

    player: int
    left: int
    width: int
    boat: int
    """The width of the boat."""
    water: int
    """The row on which it floats."""
    card: tuple[int, int, int, int]
    """Left, top, width and height of the card."""
    label: int
    """The line of the victory points."""
    name: int
    """The line of the name."""

    @property
    def middle(self) -> int:
        """The middle of all that is the player's."""
        return self.left + self.width // 2


def new_round_dealt(view: SeaChangeView) -> bool:
    """Return whether a new round has been dealt and no card played in it."""
    return view.trick_number == 1 and not view.lays


def row_of(view: SeaChangeView, labels: Labels, boat: int, water: int, foot: int, tall: int) -> list[Cell]:
    """Return the cells of all players, side by side, each with a boat on the water and a card below it that is so high
    or, if they are many, as high as there is room for. `boat`: the most width of one; `foot`: the lower edge of the
    cards. Who plays alone has the Tide beside them.
    """
    order = in_order(view)
    wide = min(WIDEST, (WIDTH - 2 * (EDGE if len(order) <= ABREAST else POST)) // len(order))
    left, tall = (WIDTH - wide * len(order)) // 2, min(tall, (wide - 16) * 7 // 5)
    boat = min(boat, wide + 2 * EDGE)
    two, across, cells = len(order) > ABREAST, tall * 5 // 7, []
    for number, player in enumerate(order):
        name, label = (foot + 33 + LINE * lines for lines in (two and number % 2, 2 if two else 1))
        box = left + (wide - across) // 2, foot - tall, across, tall
        size, line = (boat - FARTHER // 2, water - FARTHER) if two and view.sides[player] % 2 == 0 else (boat, water)
        cells.append(Cell(player, left + 6, wide - 12, size, line, box, label, name))
        left += wide
    return with_tide(cells) if view.seats == 1 else _together(cells, view, labels)


def _together(cells: list[Cell], view: SeaChangeView, labels: Labels) -> list[Cell]:
    """Return the cells of many players, lower by the line that is saved if their names have room side by side: then
    each stands straight above its score.
    """
    if len(cells) <= ABREAST or any(
        lettering.ELLIPSIS in _called(view, labels, cell.player, beside(cell)) for cell in cells
    ):
        return cells
    return [
        cell._replace(
            water=cell.water + LINE,
            card=(cell.card[0], cell.card[1] + LINE, *cell.card[2:]),
            name=cell.label - LINE,
        )
        for cell in cells
    ]


def beside(cell: Cell) -> int:
    """Return the room of a name that stands beside those of others, in letters that are not narrowed yet."""
    return round((cell.width - 2) / NARROW)


def _called(view: SeaChangeView, labels: Labels, player: int, room: int) -> str:
    return labels.say("picture.you") if player == view.viewer else short_name(labels, player, theme.SMALL, room)


FARTHER, ON_LEDGE = 36, 10
"""How far behind the others every second side of many sails, and how far on the rail's ledge a card stands."""


def rail_of(cells: Sequence[Cell]) -> int:
    """Return the row on which the rail begins."""
    _, top, _, tall = cells[0].card
    return top + tall - ON_LEDGE


EDGE, POST = 12, 20
"""The edge of a page on which no boat is; that of many, which lie between the posts of the pier."""


def with_tide(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of one who plays alone and of the Tide, with another for the Tide's second card."""
    own, tide = cells
    left, top, across, tall = tide.card
    left -= across // 2 + BESIDE
    first = tide._replace(card=(left, top, across, tall), boat=tide.boat * 5 // 4)
    return [own, first, first._replace(card=(left + across + 2 * BESIDE, top, across, tall))]


def in_teams(view: SeaChangeView) -> bool:
    """Say whether several players are on one side."""
    return len(set(view.sides)) < len(view.sides)


def shown_trick(view: SeaChangeView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def worth(view: SeaChangeView, lays: Sequence[Lay]) -> int:
    """Return the points of the trick's cards, without those of a 0."""
    points = dict(view.points_by_value)
    return sum(points.get(int(lay.card[1:]), 0) for lay in lays)


def in_order(view: SeaChangeView) -> list[int]:
    """Return the players from the left: by their seats; team-mates side by side."""
    return sorted(range(len(view.sides)), key=lambda player: (view.sides[player], player))


def ship(labels: Labels, player: int) -> str:
    """Return the sprite of a player's boat, or the Tide's."""
    return f"{SLUG}/tide" if player >= len(labels.names) else f"{SLUG}/boat_{labels.disc(player) % len(COLOURS)}"


class Fleet:
    """The players on a page, and what lies before them."""

    def __init__(self, page: Page, view: SeaChangeView, labels: Labels, cells: Sequence[Cell]) -> None:
        self.page, self.view, self.labels, self.cells = page, view, labels, cells
        self.lays, self.over = shown_trick(view)
        self.trump = self.over.trump if self.over else view.trump
        self.light = LIGHTS[view.trump or ""]
        self.dark = dark_of(view.trump)
        self.won = match_winners(view)

    def lit(self, cell: Cell) -> bool:
        """Say whether a player stands in the light: the one to move or, at the end, who has won."""
        if self.view.outcome:
            return cell.player in self.won
        return cell.player == self.view.to_move

    def ways(self) -> list[tuple[int, list[Cell]]]:
        """Return each side with those of its cells that lie side by side."""
        found: list[tuple[int, list[Cell]]] = []
        for cell in self.cells:
            side = self.view.sides[cell.player]
            last = found[-1][1][-1] if found else None
            if last and found[-1][0] == side and last.player != cell.player:
                found[-1][1].append(cell)
            else:
                found.append((side, [cell]))
        return found

    def paint(self, size: int = theme.SMALL, *, gains: bool = True) -> None:
        """Place all boats, their cards, the names, in type of that size, and what each side has; `gains`: also its
        points in this round.
        """
        shown = slice(2 if self.view.seats == 1 else None)
        for cell in sorted(self.cells[shown], key=lambda cell: cell.water):
            self._boat(cell)
        for side, cells in self.ways()[shown]:
            self._score(side, cells)
        self._cards()
        for cell in self.cells[shown]:
            self._name(cell, size)
        if gains:
            self._place_gains()

    @property
    def laid(self) -> list[int | None]:
        """For each cell the place in the trick of its card."""
        if self.view.seats == 1:
            return [at if at < len(self.lays) else None for at in TURNS]
        by_player = {lay.player: at for at, lay in enumerate(self.lays)}
        return [by_player.get(cell.player) for cell in self.cells]

    def _score(self, side: int, cells: Sequence[Cell]) -> None:
        """Write how many victory points a side has; those of a team on one cloth under all its boats."""
        page, first, last = self.page, cells[0], cells[-1]
        points = self.labels.count("victory_points", self.view.victory_points[side])
        if not in_teams(self.view):
            fill = theme.BRASS_LIGHT if any(map(self.lit, cells)) else theme.CREAM
            size = lettering.fitting(points, theme.HEADING, theme.SMALL, first.width)
            page.text(first.middle, first.label, points, size, fill, WIDTH, "mm", halo=self.dark)
            if first.player == self.view.viewer:
                page.name("victory", 2, target=self.view.target)
            return
        wide, letter = last.left + last.width - first.left, "ABCD"[side]
        page.place(pennant(wide, LABEL, side), first.left, first.label, "lm")
        texts = [f"{team} · {points}" for team in (self.labels.say("team", letter=letter), letter)]
        text, x = first_fit(texts, theme.SMALL, wide - 36), first.left + wide / 2
        page.text(x, first.label, text, theme.SMALL, theme.INK, WIDTH, "mm")

    def _boat(self, cell: Cell) -> None:
        """Place a boat, with its player's disc on the sail."""
        page, player, view = self.page, cell.player, self.view
        ahead = player in self.won
        if self.lays and not view.outcome:
            ahead = player == self.lays[ahead_in(self.lays, self.trump)].player
        wide = cell.boat
        boat = art(ship(self.labels, player), wide)
        high = boat.size[1]
        left, top = cell.middle - wide // 2, cell.water - round(high * WATERLINE)
        if self.lit(cell):
            page.place(aglow(boat, 12, self.light.glow, 1.2), left - 24, top - 24)
        page.place(boat if self.lit(cell) else toned(boat, self.light.shade), left, top)
        size = min(96, max(52, round(wide * 0.4)))
        middle = left + round(wide * BADGE[0]), top + round(high * BADGE[1])
        page.place(disc(self.labels, player, size), *middle, "mm")
        if player == view.dealer and view.seats > 1:
            page.place(chrome.token(anchor, max(30, round(wide * 0.17))), left + wide * 0.78, top + high * 0.8, "mm")
        if ahead:
            mast = left + round(wide * 0.52)
            head = HEADS[self.labels.disc(player) % len(HEADS)] if player < view.seats else 0.22
            page.place(chrome.crown(min(84, max(44, round(wide * 0.34)))), mast, top + high * head, "mb")

    def _cards(self) -> None:
        """Place the cards of the trick; where the next one is to lie, a board says what is demanded."""
        page, view = self.page, self.view
        change = change_in(self.lays)
        waits = not self.over and view.to_move is not None
        for number, (cell, at) in enumerate(zip(self.cells, self.laid, strict=True)):
            left, top, width, height = cell.card
            if at is None:
                if waits and (TURNS[number] == len(self.lays) if view.seats == 1 else cell.player == view.to_move):
                    self._demand(cell)
                continue
            face = face_of(view, self.lays[at].card, (width, height), self.labels.say("picture.trump"))
            if new_round_dealt(view) and not view.outcome:
                face = toned(face, self.light.rest)
            elif self.over and at != ahead_in(
                self.lays, self.trump
            ):  # else the player to move would seem to have played
                face = toned(face, self.light.shade)
            place_card(page, face, left, top)
            page.name("last_trick" if self.over else "trick")
            if change and at in (change, change - 1):
                grow = 0.44 if len(self.lays[at].card) == 2 else 0.52
                page.place(ring(round(width * grow)), left + width * VALUE[0], top + height * VALUE[1], "mm")

    def _demand(self, cell: Cell) -> None:
        """Place the board of the player who is to move, with what the trick demands."""
        page, view, say = self.page, self.view, self.labels.say
        left, top, width, height = cell.card
        wide = min(width + 20, cell.width)
        middle, room, ink = left + width / 2, wide - 24, theme.CREAM
        page.place(board(wide, height), middle, top, "mt")
        suit = demanded(view)
        if cell.player >= view.seats or not suit:
            text = say("picture.any_card")
            words = [text] if lettering.width(text, theme.SMALL) <= room else text.split()
            for plank, word in zip(PLANKS[len(words) % 2 :], words, strict=False):
                page.text(middle, top + height * plank, word, theme.SMALL, ink, room, "mm", halo=theme.INK)
            return
        text, value = say("picture.follow"), view.lays[-1].card[1:]
        if lettering.width(text, theme.SMALL) <= room:
            page.text(middle, top + height * PLANKS[0], text, theme.SMALL, ink, room, "mm", halo=theme.INK)
        sign = emblems.sign(SIGNS[suit], round(min(width * 0.42, height * 0.25)), theme.BRASS_LIGHT, theme.INK)
        page.place(sign, middle, top + height * PLANKS[1], "mm")
        text = say("picture.or_value", value=value)
        text = text if lettering.width(text, theme.SMALL) <= room else value
        page.text(middle, top + height * PLANKS[2], text, theme.SMALL, ink, room, "mm", halo=theme.INK)

    def _place_gains(self) -> None:
        """Write the points that each side has captured in this round, if they are public."""
        view, points = self.view, self.view.points
        if points is None and view.last_round and view.outcome:
            points = view.last_round.points
        if points is None:
            return
        for side, cells in self.ways()[: 2 if view.seats == 1 else None]:
            x, y = (cells[0].left + cells[-1].left + cells[-1].width) / 2, max(cells[0].label, cells[0].name) + 46
            text = first_fit(
                (points_text(self.labels, points[side]), signed(points[side])), theme.SMALL, cells[0].width
            )
            self.page.text(x, y, text, theme.SMALL, theme.CREAM, WIDTH, "mm", halo=self.dark)

    def _name(self, cell: Cell, size: int) -> None:
        """Write a player's name, in brass if the player stands in the light."""
        by_turns = len({other.name for other in self.cells}) > 1
        room = cell.width * 7 // 4 if by_turns else cell.width - 2
        found = _called(self.view, self.labels, cell.player, round(room / NARROW))
        size = lettering.fitting(found, size, theme.SMALL, room)
        fill = theme.BRASS_LIGHT if self.lit(cell) else theme.CREAM
        half = min(lettering.width(found, size), room) / 2 + (POST + 14 if by_turns else 8)
        x = min(max(cell.middle, half), WIDTH - half)
        self.page.text(x, cell.name, found, size, fill, room, "mm", halo=self.dark, squeezed=NARROW)
