"""The standings of a season."""

from __future__ import annotations

from cogs.match.tournament import drawn_order, standings
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable
from tests.cogs.seasons.world import CHANNEL, GAME, GUILD, OPENER, table

SECRET = "ab" * 32


def entrants(number: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(at, OPENER + at, f"P{at}") for at in range(number))


def played(*tables: SeasonTable, players: int) -> Season:
    return Season(
        1, GUILD, CHANNEL, OPENER, GAME, "Cup", "en", 2, 1, 7, "none", SECRET, SeasonStatus.PLAYING, 0,
        entrants=entrants(players), tables=tables,
    )  # fmt: skip


def names(season: Season) -> list[int]:
    return [line.entrant.number for line in standings(season)]


def test_points_then_wins_then_direct_meetings_then_the_drawn_order() -> None:
    order = drawn_order(SECRET, 3)
    assert names(played(players=3)) == list(order)
    last, first = order[-1], order[0]
    assert names(played(table((first, last), (0, 2), (last,)), players=3))[0] == last
    by_wins = played(
        table((0, 1, 2), (4, 2, 0), (0,)),
        table((2, 1), (2, 0), (2,), 1),
        table((1, 0), (2, 0), (1,), 2),
        table((2, 0), (1, 1), (2, 0), 3),
        players=3,
    )
    assert [(line.points, line.wins) for line in standings(by_wins)] == [(5, 2), (4, 1), (3, 2)]
    direct = played(
        table((first, last), (0, 2), (last,)),
        table((first, order[1]), (2, 0), (first,), 1),
        players=3,
    )
    assert names(direct) == [last, first, order[1]]


def test_a_void_table_and_one_that_is_not_counted_give_nothing() -> None:
    season = played(
        SeasonTable(1, 0, (0, 1), 5, ()), SeasonTable(1, 1, (2, 3), 6, None), players=4
    )  # fmt: skip
    assert [(line.points, line.tables) for line in standings(season)] == [(0, 0)] * 4


def test_teams_share_their_points() -> None:
    season = played(table((0, 1, 2, 3), (5, 5, 1, 1), (0, 1)), players=4)
    assert [(line.points, line.wins) for line in standings(season)] == [(5, 1), (5, 1), (1, 0), (1, 0)]
