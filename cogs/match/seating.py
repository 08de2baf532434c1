"""Who sits where when a match begins: the draw, which keeps the teams chosen in the lobby, or the rotation after *Play
again*.

The draw is public knowledge: docs/fair-deals.md describes it, and docs/verify.py repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from data.records.match import NEWCOMER, Chair, Match
from rules.core.chance import drawn_seats


def numbered(chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    """Return the chairs with their numbers in this order."""
    return tuple(replace(chair, number=number) for number, chair in enumerate(chairs))


def seated(match: Match, before: Match | None, teams: Sequence[int]) -> tuple[Chair, ...]:
    """Return the seats of a lobby in the order in which its match begins. After the match `before` they go round, so
    that another player begins; otherwise, and if a team was chosen, they are drawn. `teams`: the team of each seat;
    empty: there are none. Raises ValueError if more players chose a team than it has seats.
    """
    chosen = [chair.team for chair in match.chairs] if teams else [None] * len(match.chairs)
    chairs = [replace(chair, came=place, sat=None) for place, chair in enumerate(match.chairs)]
    if before is not None and before.state is not None and not any(team is not None for team in chosen):
        seats = {_who(chair): chair.number for chair in before.chairs}
        sat = [seats.get(_who(chair), NEWCOMER) for chair in chairs]
        return numbered([replace(chairs[place], team=None, sat=sat[place]) for place in gone_round(sat)])
    drawn = draw(match.secret, match.cuts, chosen, teams)
    return numbered([replace(chairs[place], team=chosen[place]) for place in drawn])


def fits(chosen: Sequence[int | None], teams: Sequence[int]) -> bool:
    """Return whether each team has a seat for every player who chose it."""
    wanted = [team for team in chosen if team is not None]
    return all(wanted.count(team) <= teams.count(team) for team in set(wanted))


def draw(secret: str, cuts: Sequence[str], chosen: Sequence[int | None], teams: Sequence[int]) -> tuple[int, ...]:
    """Return, for each seat, the place in the lobby of the player who sits there: the first draw that seats everyone in
    the team they chose. So each seating that keeps the teams is equally likely, and without a choice it is draw 0.

    `chosen`: each player's team, in the order of the lobby. Raises ValueError if no seating keeps the teams. With eight
    players who have all chosen one of four teams, some 2,500 draws are needed, which takes 30 ms.
    """
    if not fits(chosen, teams):
        raise ValueError("more players chose a team than it has seats")
    for number in count():
        drawn = drawn_seats(secret, cuts, len(chosen), number)
        if all(chosen[place] in (None, teams[seat]) for seat, place in enumerate(drawn) if teams):
            return drawn
    raise AssertionError("unreachable: some draw fits")


def gone_round(sat: Sequence[int]) -> tuple[int, ...]:
    """Return, for each seat, the place in the lobby of the player who sits there after the match before: its second
    seat begins, and so on; then its first one; then the newcomers. The player who began it begins again only alone.

    `sat`: by place in the lobby, the player's seat in the match before, or NEWCOMER.
    """
    places = range(len(sat))
    order = sorted((place for place in places if sat[place] > 0), key=lambda place: sat[place])
    first = [place for place in places if sat[place] == 0]
    newcomers = [place for place in places if sat[place] == NEWCOMER]
    return (*order, *first, *newcomers) if order else (*newcomers, *first)


def _who(chair: Chair) -> int | str:
    return chair.name if chair.user is None else chair.user
