"""Photosynthesis' rules once more, as plainly as the rules page tells them and without regard to speed.

A hex is its name. A forest maps a hex to (owner, height): 0 is a seed, 1 to 3 a small, medium or large tree. The board
is kept in cube coordinates (q, r, s), and shadows are walked hex by hex from each tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Forest = Mapping[str, tuple[int, int]]
Cube = tuple[int, int, int]

KINDS = ("seed", "small", "medium", "large")
PRICES = {"seed": [1, 1, 2, 2], "small": [2, 2, 3, 3], "medium": [3, 3, 4], "large": [4, 5]}
"""From the bottom of the column to its top."""

HEXES: dict[str, Cube] = {}
for row, (letter, length) in enumerate(zip("ABCDEFG", (4, 5, 6, 7, 6, 5, 4), strict=True)):
    for number in range(1, length + 1):
        r = row - 3
        q = number - 1 - 3 - min(r, 0)
        HEXES[f"{letter}{number}"] = (q, r, -q - r)

NAMES = {cube: name for name, cube in HEXES.items()}
COMPASS: dict[str, Cube] = {
    "E": (1, 0, -1),
    "SE": (0, 1, -1),
    "SW": (-1, 1, 0),
    "W": (-1, 0, 1),
    "NW": (0, -1, 1),
    "NE": (1, -1, 0),
}
LIGHT = ("E", "SE", "SW", "W", "NW", "NE")
"""Where the light travels, by the sun's position."""


def step(name: str, direction: str) -> str | None:
    """The next hex that way, or None beyond the edge."""
    q, r, s = (a + b for a, b in zip(HEXES[name], COMPASS[direction], strict=True))
    return NAMES.get((q, r, s))


def distance(one: str, other: str) -> int:
    return max(abs(a - b) for a, b in zip(HEXES[one], HEXES[other], strict=True))


def leaves(name: str) -> int:
    """The soil: 4 in the centre, 1 at the edge."""
    return 4 - distance(name, "D4")


def shaded_by(name: str, height: int, sun: int) -> list[str]:
    """The hexes behind a tree of that height."""
    behind: list[str] = []
    here: str | None = name
    for _ in range(height):
        here = step(here, LIGHT[sun]) if here else None
        if here:
            behind.append(here)
    return behind


def shadowed(forest: Forest, name: str, height: int, sun: int) -> bool:
    """Whether a piece of that height is, or would be, in some tree's shadow there."""
    for other, (_, tree) in forest.items():
        if tree >= 1 and tree >= height and name in shaded_by(other, tree, sun):
            return True
    return False


def income(forest: Forest, sun: int, seats: int) -> list[int]:
    """The light that each seat's trees receive, before the cap."""
    light = [0] * seats
    for name, (owner, height) in forest.items():
        if not shadowed(forest, name, height, sun):
            light[owner] += height
    return light


def price(kind: str, filled: int) -> int | None:
    """The lowest filled space's price: a column is filled from the top down. None when it is empty."""
    spaces = list(reversed(PRICES[kind]))
    return spaces[:filled][-1] if filled else None


@dataclass
class Table:
    """A position of the life cycle phase, with one turn's activated hexes. `piles` maps leaves to tokens, top first."""

    forest: dict[str, tuple[int, int]]
    light: list[int]
    hands: list[Counter[str]]
    boards: list[Counter[str]]
    piles: dict[int, list[int]]
    taken: list[list[int]]
    sun: int
    shade: bool
    mover: int
    acted: set[str]


def dark(table: Table, name: str, height: int) -> bool:
    """P11: shade forbids it."""
    return table.shade and shadowed(table.forest, name, height, table.sun)


def may_buy(table: Table, kind: str) -> bool:
    cost = price(kind, table.boards[table.mover][kind])
    return cost is not None and cost <= table.light[table.mover]


def may_plant(table: Table, origin: str, target: str) -> bool:
    """P5, P6: origin and target must not have been acted on."""
    owner, height = table.forest.get(origin, (None, 0))
    if owner != table.mover or height == 0 or target in table.forest:
        return False
    if origin in table.acted or target in table.acted or distance(origin, target) > height:
        return False
    afford = table.light[table.mover] >= 1 and table.hands[table.mover]["seed"] >= 1
    return afford and not dark(table, target, 0)


def may_grow(table: Table, name: str) -> bool:
    """P5, P7."""
    owner, height = table.forest.get(name, (None, 0))
    if owner != table.mover or height == 3 or name in table.acted:
        return False
    afford = table.light[table.mover] >= height + 1 and table.hands[table.mover][KINDS[height + 1]] >= 1
    return afford and not dark(table, name, height)


def may_collect(table: Table, name: str) -> bool:
    """P5, P8."""
    return table.forest.get(name) == (table.mover, 3) and name not in table.acted and table.light[table.mover] >= 4


def legal(table: Table) -> set[str]:
    """All moves of the one whose turn it is, tried one by one."""
    moves = {"end"}
    moves |= {f"buy {kind}" for kind in KINDS if may_buy(table, kind)}
    moves |= {f"plant {one} {other}" for one in table.forest for other in HEXES if may_plant(table, one, other)}
    moves |= {f"grow {name}" for name in HEXES if may_grow(table, name)}
    moves |= {f"collect {name}" for name in HEXES if may_collect(table, name)}
    return moves


def give_back(table: Table, kind: str) -> None:
    """The piece goes to the player board or, when its column is full, out of the game."""
    if table.boards[table.mover][kind] < len(PRICES[kind]):
        table.boards[table.mover][kind] += 1


def pay_tokens(table: Table, soil: int) -> None:
    """P8: the top token of the soil's pile or of the next lower one that has any. With 2 players the centre is 3."""
    if len(table.light) == 2 and soil == 4:
        soil = 3
    for pile in range(soil, 0, -1):
        if table.piles[pile]:
            table.taken[table.mover].append(table.piles[pile].pop(0))
            return


def act(table: Table, text: str) -> None:
    """Plays a legal action (all but `end`) on the table, in place."""
    verb, *names = text.split()
    hand, board = table.hands[table.mover], table.boards[table.mover]
    if verb == "buy":
        table.light[table.mover] -= price(names[0], board[names[0]]) or 0
        board[names[0]] -= 1
        hand[names[0]] += 1
        return
    if verb == "plant":
        table.light[table.mover] -= 1
        hand["seed"] -= 1
        table.forest[names[1]] = (table.mover, 0)
    elif verb == "grow":
        _, height = table.forest[names[0]]
        table.light[table.mover] -= height + 1
        hand[KINDS[height + 1]] -= 1
        give_back(table, KINDS[height])
        table.forest[names[0]] = (table.mover, height + 1)
    elif verb == "collect":
        table.light[table.mover] -= 4
        del table.forest[names[0]]
        give_back(table, "large")
        pay_tokens(table, leaves(names[0]))
    table.acted |= set(names)


def next_round(table: Table, first: int) -> None:
    """P3, P10: the sun moves on, the light is collected and `first` is to move."""
    table.sun = (table.sun + 1) % 6
    for seat, light in enumerate(income(table.forest, table.sun, len(table.light))):
        table.light[seat] = min(20, table.light[seat] + light)
    table.mover, table.acted = first, set()


def scores(light: Sequence[int], taken: Sequence[Sequence[int]]) -> list[int]:
    """P12."""
    return [sum(tokens) + left // 3 for tokens, left in zip(taken, light, strict=True)]


def winners(points: Sequence[int], forest: Forest) -> set[int]:
    """P12: the most points, then the most pieces on the main board."""
    best = {seat for seat, score in enumerate(points) if score == max(points)}
    pieces = {seat: len([name for name, (owner, _) in forest.items() if owner == seat]) for seat in best}
    return {seat for seat in best if pieces[seat] == max(pieces.values())}
