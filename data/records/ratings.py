"""Ratings of players, by server and game: all-time and of each month. They follow from the stored results alone.

The model is Plackett and Luce's, as openskill has it, for two to eight players and teams. Those who tie get the mean of
what each place among them would bring: openskill's own ties would give the third of four more than two winners. A
player who was not there at the end is last, behind all others, as if their team had lost; the others are rated by how
the match ended. A
rating is a normal distribution of strength, `mu` ± `sigma`. Everything here runs in the caller's transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from math import lcm
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from data.store.engine import Connection, Row

_MODEL = PlackettLuce()
ALL_TIME = ""
"""The month of the all-time rating."""
LAST = 1_000
"""A place behind all others: a match has at most eight seats."""

_KEY = "guild = ? AND game = ? AND month = ? AND player = ?"
_READ = {
    "now": f"SELECT mu, sigma, matches, wins FROM rating WHERE {_KEY}",
    "base": f"SELECT base_mu, base_sigma, base_matches, base_wins FROM rating WHERE {_KEY}",
}
_BASES = "SELECT month, player, base_mu, base_sigma, base_matches, base_wins FROM rating WHERE guild = ? AND game = ?"
_PUT = (
    "INSERT INTO rating (guild, game, month, player, points, mu, sigma, matches, wins) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (guild, game, month, player) DO UPDATE SET points = excluded.points, mu = excluded.mu, "
    "sigma = excluded.sigma, matches = excluded.matches, wins = excluded.wins"
)
_PUT_BASE = f"UPDATE rating SET base_mu = ?, base_sigma = ?, base_matches = ?, base_wins = ? WHERE {_KEY}"
_GAIN = "UPDATE standing SET points = ?, gain = ? WHERE match = ? AND coalesce(beginner, player) = ?"
_RATED = (
    "SELECT result.match, number, guild, game, ended_at, coalesce(beginner, player), side, rank, gone FROM result "
    "JOIN standing ON standing.match = result.match WHERE rated <> 0"
)
_OF = {
    "game": f"{_RATED} AND guild = ? AND game = ? ORDER BY number, seat",
    "match": f"{_RATED} AND result.match = ? ORDER BY seat",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One player's part in a result: their team and its place, 1 for the winners."""

    player: int
    side: int
    rank: int
    gone: bool = False
    """Whether the player was not there at the end: they are last, whatever the place of their seat."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What the results so far say of a player."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    matches: int = 0
    wins: int = 0

    @property
    def points(self) -> int:
        """What players see: 1,000 before the first match. Only the strength that is nearly sure counts."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


class Gain(NamedTuple):
    """A player's points after a match, and by how many it changed them."""

    points: int
    gain: int

    @classmethod
    def of(cls, before: Strength, after: Strength) -> Gain:
        """Return the step from one strength to the next."""
        return cls(after.points, after.points - before.points)


@dataclass(frozen=True, slots=True)
class _Result:
    """A rated result that is stored."""

    match: int
    number: int
    guild: int
    game: str
    ended_at: int
    parts: tuple[Part, ...]


def months_of(ended_at: int) -> tuple[str, str]:
    """Return the months whose ratings a match that ended then changes: ALL_TIME, and its month in UTC."""
    return ALL_TIME, f"{datetime.fromtimestamp(ended_at, UTC):%Y-%m}"


def bounds_of(month: str) -> tuple[int, int]:
    """Return the first second of a month, and the first one after it. ALL_TIME: all that there are."""
    if month == ALL_TIME:
        return 0, 2**62
    year, number = map(int, month.split("-"))
    first = datetime(year, number, 1, tzinfo=UTC)
    following = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    return int(first.timestamp()), int(following.timestamp())


def after(strengths: dict[int, Strength], parts: Sequence[Part]) -> dict[int, Strength]:
    """Return the players' strengths after a result. `strengths` has all who took part."""
    sides = [list(side) for _, side in groupby(sorted(parts, key=lambda part: part.side), key=lambda part: part.side)]
    places = _places(sides)
    found = _rated(strengths, sides, places)
    for at, side in enumerate(sides):
        if left := [part.player for part in side if part.gone]:
            lost = _rated(strengths, sides, [*places[:at], 2 * LAST, *places[at + 1 :]])
            found |= {player: replace(lost[player], wins=strengths[player].wins) for player in left}
    return found


def _places(sides: Sequence[Sequence[Part]]) -> list[int]:
    """Return the place of each side; one whose players are all gone is last, and those behind it move up."""
    ranks = [min(part.rank for part in side) for side in sides]
    empty = [all(part.gone for part in side) for side in sides]
    left = [rank for rank, side, gone in zip(ranks, sides, empty, strict=True) if gone for _ in side]
    return [
        LAST if gone else rank - sum(other < rank for other in left) for rank, gone in zip(ranks, empty, strict=True)
    ]


def _rated(
    strengths: Mapping[int, Strength], sides: Sequence[Sequence[Part]], places: Sequence[int]
) -> dict[int, Strength]:
    """Return the players' strengths after their sides came to these places."""
    before = [[_MODEL.rating(strengths[p.player].mu, strengths[p.player].sigma) for p in side] for side in sides]
    rated: dict[int, list[tuple[float, float]]] = {part.player: [] for side in sides for part in side}
    for order in _orders(places):
        for side, ratings in zip(sides, _MODEL.rate(before, ranks=order), strict=True):
            for part, rating in zip(side, ratings, strict=True):
                rated[part.player].append((rating.mu, rating.sigma))
    found = {}
    for side, place in zip(sides, places, strict=True):
        for part in side:
            was = strengths[part.player]
            mu, sigma = (fmean(values) for values in zip(*rated[part.player], strict=True))
            found[part.player] = Strength(mu, sigma, was.matches + 1, was.wins + (place == 1))
    return found


def _orders(ranks: Sequence[int]) -> Iterator[list[float]]:
    """Yield orders without ties, in which players who tie take each place among them equally often."""
    tied = Counter(ranks)
    for turn in range(lcm(*tied.values())):
        seen = Counter[int]()
        order: list[float] = []
        for rank in ranks:
            order.append(rank * len(ranks) + (seen[rank] + turn) % tied[rank])
            seen[rank] += 1
        yield order


def rate(c: Connection, guild: int, game: str, ended_at: int, parts: Sequence[Part]) -> dict[int, Gain]:
    """Add a result, the newest of that server's game. Return what it did to each player's all-time rating."""
    gains: dict[int, Gain] = {}
    for month in months_of(ended_at):
        known = {part.player: _strength(c, "now", (guild, game, month, part.player)) for part in parts}
        found = after(known, parts)
        c.executemany(_PUT, [_row(guild, game, month, player, strength) for player, strength in found.items()])
        gains = gains or {player: Gain.of(known[player], strength) for player, strength in found.items()}
    return gains


def recompute(c: Connection, guild: int, game: str) -> None:
    """Compute the ratings of a server's game again, from the stored results and the bases before them."""
    known = {(month, player): _known(*base) for month, player, *base in c.execute(_BASES, (guild, game)).fetchall()}
    for result in _results(c, "game", (guild, game)):
        for month in months_of(result.ended_at):
            before = {part.player: known.get((month, part.player), Strength()) for part in result.parts}
            found = after(before, result.parts)
            known |= {(month, player): strength for player, strength in found.items()}
            if month == ALL_TIME:
                gains = {player: Gain.of(was, found[player]) for player, was in before.items()}
                c.executemany(_GAIN, [(*gain, result.match, player) for player, gain in gains.items()])
    c.executemany(_PUT, [_row(guild, game, month, player, strength) for (month, player), strength in known.items()])
    c.execute("DELETE FROM rating WHERE guild = ? AND game = ? AND matches = 0", (guild, game))


def delete(c: Connection, matches: Iterable[int]) -> None:
    """Delete these results after their time. The ratings keep what they brought, in their bases."""
    gone = [found for match in matches for found in _results(c, "match", (match,))]
    last: dict[tuple[int, str], int] = {}
    for result in sorted(gone, key=lambda result: result.number):
        for month in months_of(result.ended_at):
            keys = {part.player: (result.guild, result.game, month, part.player) for part in result.parts}
            found = after({player: _strength(c, "base", key) for player, key in keys.items()}, result.parts)
            c.executemany(_PUT_BASE, [(s.mu, s.sigma, s.matches, s.wins, *keys[player]) for player, s in found.items()])
        last[result.guild, result.game] = result.number
    c.executemany("DELETE FROM result WHERE match = ?", [(result.match,) for result in gone])
    for (guild, game), number in last.items():
        older = "SELECT 1 FROM result WHERE guild = ? AND game = ? AND rated <> 0 AND number < ?"
        if c.execute(older, (guild, game, number)).fetchone():  # it ended later, but was recorded before
            recompute(c, guild, game)


def _results(c: Connection, of: str, values: Sequence[object]) -> Iterator[_Result]:
    """Yield rated results in the order in which ratings take them."""
    rows = c.execute(_OF[of], values).fetchall()
    for _, seats in groupby(rows, key=lambda row: row["match"]):
        found = list(seats)
        match, number, guild, game, ended_at = tuple(found[0])[:5]
        yield _Result(match, number, guild, game, ended_at, tuple(_part(seat) for seat in found))


def _part(row: Row) -> Part:
    player, side, rank, gone = tuple(row)[5:]
    return Part(player, side, rank, bool(gone))


def _strength(c: Connection, which: str, key: Sequence[object]) -> Strength:
    row = c.execute(_READ[which], key).fetchone()
    return Strength() if row is None else _known(*row)


def _known(mu: float | None, sigma: float | None, matches: int, wins: int) -> Strength:
    return Strength() if mu is None or sigma is None else Strength(mu, sigma, matches, wins)


def _row(guild: int, game: str, month: str, player: int, strength: Strength) -> tuple[object, ...]:
    found = strength
    return (guild, game, month, player, found.points, found.mu, found.sigma, found.matches, found.wins)
