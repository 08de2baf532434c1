"""The tournament of a season: who meets whom in which round, the points of a table, and the standings. All of it
follows from the season's secret, the numbers of players, of rounds and of seats at a table, and the ranks, so anybody
can recompute it; docs/fair-deals.md says how the rounds are drawn.

Players are numbers from 0, in the order in which they joined. The construction of the rounds, fixed for ever:

- The drawn order of the players is shuffle 0 under the secret (rules/core/chance.py).
- Tables of two follow the circle method over that order: the first player stays, all others move on by one place each
  round, and the first place meets the last, the second the last but one, and so on. If the number of players is odd, an
  empty place is added at the end, and the player who meets it has the round off.
- Larger tables: a round tries `TRIES` shuffles, whose ordinals count on from 1. Those who have had the fewest tables
  come first; the players left over have the round off. They fill the tables, the largest first, in this order. Then any
  two players at different tables change places while that lowers the round's cost: the sum, over all pairs at a table,
  of the cube of how often the two have met before. The first try with the lowest cost counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from data.records.seasons import Entrant, Season, SeasonTable
from rules.core.chance import shuffle

TRIES = 4
Table = tuple[int, ...]
"""The players at a table."""


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line in the standings. `points` are twice the points; `tables` is how many tables were counted."""

    entrant: Entrant
    points: int
    wins: int
    tables: int


def table_sizes(players: int, wished: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Return the sizes of the tables of a round, the largest first: they seat as many players as possible, and differ
    as little as possible from the size `wished`; () if there are too few players for a table.

    >>> table_sizes(7, 3, (2, 3, 4))
    (4, 3)
    """
    best: dict[int, tuple[int, ...]] = {0: ()}
    for total in range(1, players + 1):
        found = [tuple(sorted((size, *best[total - size]), reverse=True)) for size in allowed if total - size in best]
        if found:
            best[total] = min(found, key=lambda sizes: (sum(abs(size - wished) for size in sizes), len(sizes), sizes))
    return best[max(best)]


def rounds_to_meet(players: int, seats: int) -> int:
    """Return the rounds of a whole season: each player meets each other player once at tables of two, and about once at
    larger ones.

    >>> [rounds_to_meet(6, 2), rounds_to_meet(7, 2), rounds_to_meet(8, 4)]
    [5, 7, 3]
    """
    return players - 1 + players % 2 if seats == 2 else -(-(players - 1) // (seats - 1))


def drawn_order(secret: str, players: int) -> tuple[int, ...]:
    """Return the players in the order drawn."""
    return shuffle(secret, 0, range(players))


def drawn_rounds(
    secret: str, players: int, rounds: int, seats: int, allowed: Collection[int]
) -> tuple[tuple[Table, ...], ...]:
    """Return the tables of each round. `seats`: players wished at a table; `allowed`: how many the game allows.

    >>> drawn_rounds("a secret", 4, 3, 2, (2, 3, 4))
    (((3, 1), (2, 0)), ((3, 0), (1, 2)), ((3, 2), (0, 1)))
    """
    if seats == 2:
        order = drawn_order(secret, players)
        return tuple(_circle(order, number) for number in range(rounds))
    sizes = table_sizes(players, seats, allowed)
    met = [[0] * players for _ in range(players)]
    had, found = [0] * players, []
    for number in range(rounds):
        tables = _round(secret, number, sizes, met, had)
        for table in tables:
            for player in table:
                had[player] += 1
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
        found.append(tables)
    return tuple(found)


def _circle(order: Sequence[int], number: int) -> tuple[Table, ...]:
    """Return the pairs of round `number`, from 0, by the circle method."""
    circle: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    others = circle[1:]
    turn = number % len(others)
    places = [circle[0], *others[len(others) - turn :], *others[: len(others) - turn]]
    half = len(places) // 2
    pairs = zip(places[:half], reversed(places[half:]), strict=True)
    return tuple((one, other) for one, other in pairs if one is not None and other is not None)


def _round(
    secret: str, number: int, sizes: Sequence[int], met: Sequence[Sequence[int]], had: Sequence[int]
) -> tuple[Table, ...]:
    """Return the tables of round `number`, from 0. `met`: how often each player has met each other one before; `had`:
    how many tables each has had.
    """
    costs = [[times**3 for times in row] for row in met]
    tries = []
    for ordinal in range(1 + TRIES * number, 1 + TRIES * (number + 1)):
        queue = sorted(shuffle(secret, ordinal, range(len(had))), key=had.__getitem__)
        tables = _improved([[queue.pop(0) for _ in range(size)] for size in sizes], costs)
        tries.append((sum(costs[one][other] for table in tables for one, other in combinations(table, 2)), tables))
    return tuple(map(tuple, min(tries, key=lambda found: found[0])[1]))


def _improved(tables: list[list[int]], costs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Exchange players as long as each exchange lowers the cost of the tables. Return the tables. `costs`: of pairs."""
    exchanged = True
    while exchanged:
        exchanged = False
        for one, other in combinations(tables, 2):
            for here, there in product(range(len(one)), range(len(other))):
                before = _cost(one[here], one, here, costs) + _cost(other[there], other, there, costs)
                if before and _cost(other[there], one, here, costs) + _cost(one[here], other, there, costs) < before:
                    one[here], other[there] = other[there], one[here]
                    exchanged = True
    return tables


def _cost(player: int, table: Sequence[int], place: int, costs: Sequence[Sequence[int]]) -> int:
    """Return the cost of the player's pairs if they sit at that place of the table."""
    cost = costs[player]
    return sum([cost[other] for other in table]) - cost[table[place]]


def points_of(ranks: Sequence[int]) -> tuple[int, ...]:
    """Return twice the points of each place: as many points as there are players behind. Players of the same rank, also
    those of a team, share the points of their ranks.

    >>> points_of([1, 2, 3]), points_of([1, 1, 3]), points_of([2, 1, 1, 2])
    ((4, 2, 0), (3, 3, 0), (1, 5, 5, 1))
    """
    return tuple(2 * sum(other > rank for other in ranks) + sum(other == rank for other in ranks) - 1 for rank in ranks)


def standings(season: Season) -> tuple[Line, ...]:
    """Return the standings, the first player first: by points, then wins, then what the tied players have got against
    each other, then the drawn order. A player who is out is last and has no points.
    """
    counted = [table for table in season.tables if table.points]
    lines = []
    for who in season.entrants:
        own = [table for table in counted if who.number in table.places]
        points = sum((table.points or ())[table.places.index(who.number)] for table in own)
        wins = sum(who.number in table.winners for table in own)
        lines.append(Line(who, 0 if who.out else points, 0 if who.out else wins, len(own)))
    order = drawn_order(season.secret, len(lines))

    def key(line: Line) -> tuple[int, ...]:
        tied = [o.entrant.number for o in lines if (o.points, o.wins) == (line.points, line.wins)]
        direct = sum(_against(table, line.entrant.number, other) for table in counted for other in tied)
        return (line.entrant.out, -line.points, -line.wins, -direct, order.index(line.entrant.number))

    return tuple(sorted(lines, key=key))


def courses(season: Season) -> tuple[tuple[int, ...], ...]:
    """Return twice the points of each player by number: at the start, and after each round of which a table is counted
    or that is followed by such a round. A player who is out has none.
    """
    counted = [table for table in season.tables if table.points]
    found = []
    for who in season.entrants:
        course = [0]
        for number in range(1, max((table.round for table in counted), default=0) + 1):
            own = (table for table in counted if table.round == number and who.number in table.places)
            gained = sum((table.points or ())[table.places.index(who.number)] for table in own)
            course.append(course[-1] + (0 if who.out else gained))
        found.append(tuple(course))
    return tuple(found)


def _against(table: SeasonTable, one: int, other: int) -> int:
    """Return 2 if the first player did better at that table, 1 if as well as the other; 0 if worse, or not there."""
    if one == other or one not in table.places or other not in table.places:
        return 0
    own, theirs = ((table.points or ())[table.places.index(player)] for player in (one, other))
    return 1 + (own > theirs) - (own < theirs)
