"""The fleet: each player's boat on its way to the buoy, and below it the card that the player has laid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core import chrome, emblems, lettering, theme
from rendering.core.art import aglow, art, toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import place_card
from rendering.core.discs import COLOURS, disc, first_fit, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Sprite
from rendering.sea_change.emblems import SIGNS, anchor, pennant, ring
from rendering.sea_change.narration import ahead_in, change_in, match_winners, points_text
from rendering.sea_change.pieces import VALUE, board, face_of, lantern
from rendering.sea_change.stage import LIGHTS, SLUG, dark_of
from rules.sea_change import Lay, SeaChangeView, Trick

WATERLINE, BADGE = 196 / 216, (110 / 230, 96 / 216)
"""The row of a boat that the water reaches, and the middle of the disc on its sail, as parts of its size."""
HEADS = (0.07, 0.25, 0.08, 0.13, 0.19, 0.12, 0.1, 0.08)
"""How low the foot of a crown sits on each rig, as parts of its height."""
NEAR = (0.92, 1.1)
"""The sizes of a boat at the beginning of its way and at its end, as parts of its width."""
LABEL, BESIDE = 42, 12
"""The height of the cloth on which a team's victory points stand, and the room between a boat and a card beside it."""
LEAST_STEP = 17
"""The least pixels from one lantern to the next; with less there are none."""
PLANKS = (0.236, 0.49, 0.744)
"""The middles of a board's planks, as parts of its height."""
BUOY = 46
"""The width of the buoy at the end of a way."""
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
    medal: bool = False
    """Whether the disc alone stands for the boat, for which there is no room."""

    @property
    def middle(self) -> int:
        """The middle of all that is the player's."""
        return self.left + self.width // 2

    @property
    def beside(self) -> bool:
        """Whether the card lies beside the boat, not below it."""
        return self.card[1] < self.water

    @property
    def column(self) -> int:
        """The width of what is the boat's alone: all but a card that lies beside it."""
        return self.card[0] - self.left - BESIDE if self.beside else self.width


def below(order: Sequence[int], wide: int, boat: int, water: int, card: tuple[int, int, int]) -> list[Cell]:
    """Return the cells of players, each at most `wide`, in one row; each has a card, of that top, width and height,
    below the boat.
    """
    wide = min(wide, WIDTH // len(order))
    left, (top, across, tall) = (WIDTH - wide * len(order)) // 2, card
    cells = []
    for player in order:
        box = left + (wide - across) // 2, top, across, tall
        cells.append(Cell(player, left + 8, wide - 16, boat, water, box, top + tall + 84, top + tall + 36))
        left += wide
    return cells


def beside(
    rows: Sequence[Sequence[int]], top: int, tall: int, apart: int, *, cloth: bool = False, medal: int = 0
) -> list[Cell]:
    """Return the cells of players in rows, which lie `apart`, each with a card that high beside the boat, or as high as
    there is room for. `cloth`: a team's cloth lies below, between the cards and the names. `medal`: the size of the
    discs that stand for boats.
    """
    cells = list[Cell]()
    wide = min(300 if medal else 384, (WIDTH - 2 * theme.MARGIN) // max(map(len, rows)))
    high = min(tall, (wide - 114) * 7 // 5)
    under, end = 6 if cloth else LABEL, 24 if medal or wide > 300 else 6
    boat = medal or min(wide - high * 5 // 7 - BESIDE - end, round((high - under) * 1.12))
    wide = min(wide, max(300, boat + high * 5 // 7 + BESIDE + end + 20))  # the card stays close to its boat
    for row in rows:
        left = (WIDTH - wide * len(row)) // 2
        for player in row:
            box = left + wide - high * 5 // 7 - end, top, high * 5 // 7, high
            label = top + high + (10 + LABEL // 2 if cloth else -LABEL // 2)
            cells.append(
                Cell(player, left, wide, boat, top + high - under, box, label, label + (45 if medal else 48), medal > 0)
            )
            left += wide
        top += apart
    return cells


def with_tide(cells: Sequence[Cell], boat: int = 0) -> list[Cell]:
    """Return the cells of one who plays alone and of the Tide, with another for the Tide's second card. `boat`: the
    width of the wave, if it is to be another.
    """
    own, tide = cells
    left, top, across, tall = tide.card
    left -= 0 if tide.beside else across // 2 + BESIDE
    first = tide._replace(card=(left, top, across, tall), boat=boat or tide.boat)
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


def rows_of(view: SeaChangeView, most: int) -> list[list[int]]:
    """Return the players from the left, in two rows if they are more than `most`; no team is in two if that can be."""
    order = in_order(view)
    if len(order) <= most:
        return [order]
    half = -(-len(order) // 2)
    ends = [end for end in range(1, len(order)) if view.sides[order[end - 1]] != view.sides[order[end]]] or [half]
    cut = min(ends, key=lambda end: (abs(end - half), end)) if in_teams(view) else half
    return [order[:cut], order[cut:]]


class Fleet:
    """The players on a page, and what lies before them."""

    def __init__(self, page: Page, view: SeaChangeView, labels: Labels, cells: Sequence[Cell]) -> None:
        self.page, self.view, self.labels, self.cells = page, view, labels, cells
        self.lays, self.over = shown_trick(view)
        self.trump = self.over.trump if self.over else view.trump
        self.light = LIGHTS[view.trump or ""]
        self.dark = dark_of(view.trump)
        self.won = match_winners(view)
        self._flags: list[tuple[int, int, str]] = []

    def lit(self, cell: Cell) -> bool:
        """Say whether a player stands in the light: the one to move or, at the end, who has won."""
        if self.view.outcome:
            return cell.player in self.won
        return cell.player == self.view.to_move

    def boat(self, player: int, width: int) -> Sprite:
        """Return a player's boat, or the Tide."""
        if player >= self.view.seats:
            return art(f"{SLUG}/tide", width)
        return art(f"{SLUG}/boat_{self.labels.disc(player) % len(COLOURS)}", width)

    def _head(self, player: int) -> float:
        return HEADS[self.labels.disc(player) % len(HEADS)] if player < self.view.seats else 0.22

    def ways(self) -> list[tuple[int, list[Cell]]]:
        """Return each side with those of its cells that lie side by side."""
        found: list[tuple[int, list[Cell]]] = []
        for cell in self.cells:
            side = self.view.sides[cell.player]
            last = found[-1][1][-1] if found else None
            if last and found[-1][0] == side and last.water == cell.water and last.player != cell.player:
                found[-1][1].append(cell)
            else:
                found.append((side, [cell]))
        return found

    def paint(self, size: int = theme.SMALL, *, ways: bool = True) -> None:
        """Place all boats, their cards, the names, in type of that size, and what each side has; `ways`: on its way."""
        alone = self.view.seats == 1
        shown = slice(2 if alone else None)
        if ways and not self.cells[0].beside and not alone:
            for side, cells in self.ways():
                self._way(side, cells)
        for cell, at in list(zip(self.cells, self.laid, strict=True))[shown]:
            self._boat(cell, at)
        for side, cells in self.ways()[shown]:
            self._score(side, cells)
        self._cards()
        for cell in self.cells[shown]:
            self._name(cell, size)

    @property
    def laid(self) -> list[int | None]:
        """For each cell the place in the trick of its card."""
        if self.view.seats == 1:
            return [at if at < len(self.lays) else None for at in TURNS]
        by_player = {lay.player: at for at, lay in enumerate(self.lays)}
        return [by_player.get(cell.player) for cell in self.cells]

    def _part(self, side: int) -> float:
        return min(self.view.victory_points[side] / self.view.target, 1)

    def _way(self, side: int, cells: Sequence[Cell]) -> None:
        """Place the way of a side: the buoy at its end, and lanterns, of which as many are lit as the side has victory
        points.
        """
        page, first, most = self.page, cells[0], self.view.target
        start, end, line = first.left, cells[-1].left + cells[-1].width, first.water + 22
        lit = any(map(self.lit, cells))
        buoy = art(f"{SLUG}/buoy", BUOY)
        page.place(buoy if lit else toned(buoy, self.light.shade), end, line + 12, "rb")
        step = min((end - start - buoy.size[0] - 8) / most, 92)
        if step >= LEAST_STEP:
            for number in range(most):
                lamp = lantern(number < self.view.victory_points[side], round(min(46, max(30, step * 1.5))))
                page.place(lamp, start + step * (number + 0.5), line, "mm")

    def _score(self, side: int, cells: Sequence[Cell]) -> None:
        """Write how many victory points a side has; those of a team on one cloth under all its boats."""
        page, first, last = self.page, cells[0], cells[-1]
        points = self.labels.count("victory_points", self.view.victory_points[side])
        left, end = first.left, first.left + first.column
        if not in_teams(self.view):
            fill = theme.BRASS_LIGHT if any(map(self.lit, cells)) else theme.CREAM
            size = lettering.fitting(points, theme.HEADING, theme.SMALL, first.column)
            page.text((left + end) / 2, first.label, points, size, fill, WIDTH, "mm", halo=self.dark)
            if first.player == self.view.viewer:
                page.name("victory", 2, target=self.view.target)
            return
        wide, letter = last.left + (last.column if last.medal else last.width - 8) - left, "ABCD"[side]
        page.place(pennant(wide, LABEL, side), left, first.label, "lm")
        names = [self.labels.say("team", letter=letter), letter]
        if first.medal and first is not last:  # a card lies between the ends of the cloth
            team = first_fit(names, theme.SMALL, first.column - 14)
            told = [(team, left + 6 + first.column / 2), (points, last.left + last.column / 2)]
        else:
            cards = self.labels.count("cards", self.view.captured[side])
            texts = [f"{names[0]} · {cards} · {points}"] if first.beside else []
            texts += [f"{team} · {points}" for team in names]
            told = [(first_fit(texts, theme.SMALL, wide - 36), left + wide / 2)]
        for text, x in told:
            page.text(x, first.label, text, theme.SMALL, theme.INK, WIDTH, "mm")

    def _boat(self, cell: Cell, at: int | None) -> None:
        """Place a boat on its way, with its player's disc on the sail."""
        page, player = self.page, cell.player
        ahead = player in self.won
        if self.lays and not self.view.outcome:
            ahead = player == self.lays[ahead_in(self.lays, self.trump)].player
        if cell.medal:
            self._medal(cell, ahead=ahead)
            return
        part = self._part(self.view.sides[player])
        grow = 1 if cell.beside else NEAR[0] + (NEAR[1] - NEAR[0]) * part
        wide = round(cell.boat * grow / 2) * 2
        x = cell.left + cell.column // 2
        if not cell.beside and self.view.seats > 1:
            x = cell.left + wide // 2 + round((cell.width - wide - BUOY) * part)
        boat = self.boat(player, wide)
        high = boat.size[1]
        left, top = x - wide // 2, cell.water - round(high * WATERLINE)
        if self.lit(cell):
            page.place(aglow(boat, 12, self.light.glow, 1.2), left - 24, top - 24)
        page.place(boat if self.lit(cell) else toned(boat, self.light.shade), left, top)
        size = min(96, max(46, round(wide * 0.34)))
        middle = left + round(wide * BADGE[0]), top + round(high * BADGE[1])
        page.place(disc(self.labels, player, size), *middle, "mm")
        if player == self.view.dealer and self.view.seats > 1:
            page.place(chrome.token(anchor, max(30, round(wide * 0.17))), left + wide * 0.78, top + high * 0.8, "mm")
        mast = left + round(wide * 0.52)
        if ahead:
            page.place(chrome.crown(min(84, max(44, round(wide * 0.34)))), mast, top + high * self._head(player), "mb")
        if not cell.beside and self.view.seats > 1:
            self._flag(at, left + round(wide * 0.66), top + round(high * 0.34))

    def _medal(self, cell: Cell, *, ahead: bool) -> None:
        """Place a player's disc in place of the boat."""
        page, size = self.page, cell.boat
        x, y = cell.left + cell.column / 2, cell.water - size / 2
        mark = disc(self.labels, cell.player, size)
        if self.lit(cell):
            glow = aglow(mark, 12, self.light.glow, 1.2)
            page.place(glow, x, y, "mm")
        page.place(mark, x, y, "mm")
        if cell.player == self.view.dealer:
            page.place(chrome.token(anchor, 38), x + size * 0.42, y + size * 0.32, "mm")
        if ahead:
            page.place(chrome.crown(60), x, y - size * 0.4, "mb")

    def _flag(self, at: int | None, pole: int, foot: int) -> None:
        """Keep the flag of the trick's first card, and of its last so far, for when all cards lie."""
        if at is not None and not self.over and len(self.lays) > 1 and at in (0, len(self.lays) - 1):
            word = self.labels.say("picture.first_card" if not at else "picture.last_card")
            self._flags.append((min(pole, WIDTH - 64 - lettering.width(word, theme.SMALL)), foot, word))

    def _ahead(self, at: int) -> bool:
        return at == ahead_in(self.lays, self.trump)

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
                elif view.seats == 1 and not cell.beside:
                    page.place(toned(board(width, height), self.light.shade), left, top)
                continue
            face = face_of(view, self.lays[at].card, (width, height), self.labels.say("picture.trump"))
            if self.over and not self._ahead(at):  # else the player to move would seem to have played
                face = toned(face, self.light.shade)
            place_card(page, face, left, top)
            page.name("last_trick" if self.over else "trick")
            if cell.beside or view.seats == 1:
                self._flag(at, left + width // 3, top + 10)
            if change and at in (change, change - 1):
                grow = 0.44 if len(self.lays[at].card) == 2 else 0.52
                page.place(ring(round(width * grow)), left + width * VALUE[0], top + height * VALUE[1], "mm")

        for pole, foot, word in self._flags:
            chrome.place_flag(page, pole, foot, word)

    def _demand(self, cell: Cell) -> None:
        """Place the board of the player who is to move, with what the trick demands."""
        page, view, say = self.page, self.view, self.labels.say
        left, top, width, height = cell.card
        wider = 44 if cell.medal else 8 if cell.beside else 20
        middle, room, ink = left + width / 2, width + wider - 24, theme.CREAM
        page.place(board(width + wider, height), middle, top, "mt")
        if cell.player >= view.seats or not view.lays:
            text = say("picture.any_card")
            words = [text] if lettering.width(text, theme.SMALL) <= room else text.split()
            for plank, word in zip(PLANKS[len(words) % 2 :], words, strict=False):
                page.text(middle, top + height * plank, word, theme.SMALL, ink, room, "mm", halo=theme.INK)
            return
        suit, value = view.lays[0].card[0], view.lays[-1].card[1:]
        text = say("picture.follow")
        if lettering.width(text, theme.SMALL) <= room:
            page.text(middle, top + height * PLANKS[0], text, theme.SMALL, ink, room, "mm", halo=theme.INK)
        sign = emblems.sign(SIGNS[suit], round(min(width * 0.42, height * 0.25)), theme.BRASS_LIGHT, theme.INK)
        page.place(sign, middle, top + height * PLANKS[1], "mm")
        text = say("picture.or_value", value=value)
        text = text if lettering.width(text, theme.SMALL) <= room else value
        page.text(middle, top + height * PLANKS[2], text, theme.SMALL, ink, room, "mm", halo=theme.INK)

    def place_gains(self) -> None:
        """Write what each side has captured in this round: its points, if they are public, and its cards, if there is
        room for them.
        """
        view, labels = self.view, self.labels
        points = view.points
        if points is None and view.last_round and view.outcome:
            points = view.last_round.points
        ways = self.ways()[: 2 if view.seats == 1 else None]
        if in_teams(view) and ways[0][1][0].beside:  # a cloth says it
            return
        cards = [labels.count("cards", view.captured[side]) for side, _ in ways]
        told = [cards]
        if points is not None:
            gained = [points_text(labels, points[side]) for side, _ in ways]
            told = [[f"{a} · {b}" for a, b in zip(gained, cards, strict=True)], gained]
        rooms = [cells[-1].left + cells[-1].width - cells[0].left for _, cells in ways]
        for texts in told:  # of all alike
            wide = [lettering.width(text, theme.SMALL) for text in texts]
            if all(text <= room for text, room in zip(wide, rooms, strict=True)):
                break
        for (_, cells), text, long, room in zip(ways, texts, wide, rooms, strict=True):
            first = cells[0]
            middle = self._under(first, long) if first.beside and len(cells) == 1 else first.left + room / 2
            line = max(first.label, first.name) + 46
            self.page.text(middle, line, text, theme.SMALL, theme.CREAM, WIDTH, "mm", halo=self.dark)

    def _under(self, cell: Cell, wide: int) -> float:
        """Return the middle of a line under a boat: the boat's own, or further right if it would leave the cell."""
        return max(cell.left + cell.column / 2, cell.left + wide / 2)

    def _name(self, cell: Cell, size: int) -> None:
        """Write a player's name, in brass if the player stands in the light."""
        labels, room = self.labels, cell.width if cell.beside else cell.width + 8
        found = short_name(labels, cell.player, size, room)
        if lettering.ELLIPSIS in found and not cell.beside:  # it may take what the longest of the others leaves free
            others = [labels.name(other.player) for other in self.cells if other is not cell]
            free = 2 * (cell.width + 16) - 24 - max(lettering.width(name, theme.SMALL) for name in others)
            size, room = theme.SMALL, max(room, min(free, 2 * min(cell.middle, WIDTH - cell.middle) - 16))
            found = short_name(labels, cell.player, size, room)
        fill = theme.BRASS_LIGHT if self.lit(cell) else theme.CREAM
        middle = self._under(cell, lettering.width(found, size)) if cell.beside else cell.middle
        self.page.text(middle, cell.name, found, size, fill, room, "mm", halo=self.dark)
