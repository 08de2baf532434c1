"""Who sits where when a match begins: the draw, which keeps the teams chosen in the lobby, or the rotation after *Play
again*.

The draw is public knowledge: docs/fair-deals.md describes it, and docs/verify.py repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from data.records.match import Chair, Match
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
    if before is not None and before.state is not None and not any(team is not None for team in chosen):
        return numbered([replace(chair, team=None) for chair in _rotated(before.chairs, match.chairs)])
    drawn = draw(match.secret, match.cuts, chosen, teams)
    return numbered([replace(match.chairs[place], came=place, team=chosen[place]) for place in drawn])


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


def _rotated(before: Sequence[Chair], now: Sequence[Chair]) -> tuple[Chair, ...]:
    """Return the chairs of `now` in the order of `before` from its second seat on, then newcomers. The player who began
    `before` begins again only alone.
    """
    here = {_who(chair): chair for chair in now}
    order = [_who(chair) for chair in (*before[1:], *before[:1])]
    order = [who for who in order if who in here]
    order += [who for who in here if who not in order]
    if order[0] == _who(before[0]):
        order = [*order[1:], order[0]]
    return tuple(here[who] for who in order)


def _who(chair: Chair) -> int | str:
    return chair.name if chair.user is None else chair.user
