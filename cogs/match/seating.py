"""Who sits at a table: the computers of a lobby and their names, and who sits where when the match begins.

Pictures show initials, so a computer has a name whose first letter no other name at its table has. It keeps that name
for the whole match.

When a match begins, seats are drawn, so that the teams chosen in the lobby stay together, or go round after *Play
again*. The draw is public knowledge: docs/fair-deals.md describes it, and docs/verify.py repeats it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from data.records.match import NEWCOMER, Chair, Match
from data.records.match_index import MatchIndex
from rules.core.chance import drawn_seats
from rules.core.computer import DEFAULT_LEVEL, Level

COMPUTERS = (
    *("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri", "Ida", "Johanna", "Kurt", "Leonhard"),
    *("Maryam", "Noor", "Oskar", "Pascal", "Quentin", "Rosa", "Sofia", "Tycho", "Ursula", "Vera", "Wanda", "Yves"),
)
"""One for each letter but X and Z; those that begin alike are never needed, as a table has eight seats."""

EASIEST: Level = "beginner"
"""How well computers play in a player's first match of a game."""


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


async def level_for(index: MatchIndex, game: str, players: Iterable[int]) -> Level:
    """Return how well the first computer plays: as a beginner if a player has finished no match of the game."""
    return DEFAULT_LEVEL if all([await index.has_finished(player, game) for player in players]) else EASIEST


def free_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield names for computers at a table with these names: first those whose first letter is free, then the others.

    >>> next(free_names(["ann", "Ben"]))
    'Clara'
    """
    names = {*taken}
    letters = {*map(_letter, names)}
    yield from (name for name in COMPUTERS if _letter(name) not in letters)
    yield from (name for name in COMPUTERS if _letter(name) in letters and name not in names)


def _letter(name: str) -> str:
    """Return the first letter of a name, small and without its accent."""
    return unicodedata.normalize("NFD", name)[:1].casefold()


def with_computers(chairs: Sequence[Chair], count: int, level: str) -> tuple[Chair, ...]:
    """Return the seats of a lobby with so many computers: new ones, of that level, come last, and the last ones go."""
    computers = [chair for chair in chairs if chair.user is None]
    stay = [chair for chair in chairs if chair not in computers[count:]]
    free = free_names(chair.name for chair in stay)
    new = [Chair(0, None, next(free), level=level) for _ in range(count - len(computers))]
    return numbered([*stay, *new])


def renamed(chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    """Return the seats of a lobby, in which each computer whose first letter a player has as well has another name."""
    found = list(chairs)
    people = {_letter(chair.name) for chair in chairs if chair.user is not None}
    for at, chair in enumerate(chairs):
        if chair.user is None and _letter(chair.name) in people:
            others = (other.name for other in found if other is not chair)
            found[at] = replace(chair, name=next(free_names(others)))
    return tuple(found)
