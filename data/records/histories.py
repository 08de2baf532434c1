"""Finds what is remembered of finished matches: lists of them, profiles, leaderboards, and what an end adds to them.

Everything here is as one viewer may know it. Results are told inside their server; without one, in direct messages,
the viewer's own alone. A match that was played in a channel which the viewer cannot read now exists for them only if
they sat there: no list, page, figure or leaderboard tells others of it. A user who does not show their history is named
to themselves alone, and what is asked about them finds the same as if they had never played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from data.records import leaderboards, visibility
from data.records.visibility import Sought, facts_of, name_of
from data.store.database import Database
from data.store.engine import Connection

MOST_RIVALS = 5

OWN_RANK = "CASE WHEN own.gone <> 0 AND (own.beginner IS NULL OR own.beginner = :player) THEN 0 ELSE own.rank END"
"""The place of `player`. One who is last for having been away from a rated match has none: their stand-in has it."""
_MINE = "CASE WHEN own.gone <> 0 AND own.beginner IS NULL THEN 1000 ELSE own.rank END"
_THEIRS = "CASE WHEN theirs.gone <> 0 AND theirs.beginner IS NULL THEN 1000 ELSE theirs.rank END"
_PLAYER = (
    "SELECT player.id FROM player CROSS JOIN (SELECT CAST(:guild AS bigint) AS guild) AS at "
    f"WHERE player.user = :user AND {visibility.SHOWN}"
)
_OPEN_SERVER = "SELECT 1 WHERE coalesce((SELECT shows_history FROM server WHERE guild = :guild), 1) <> 0"
# Lists of matches.
OF_PLAYER = (
    "FROM standing AS own CROSS JOIN result AS at WHERE at.match = own.match "
    "AND (own.player = :player OR own.beginner = :player) "
    f"AND (:guild IS NULL OR at.guild = :guild) AND (:game IS NULL OR at.game = :game) AND {visibility.SEEN}"
)
"""The matches `at` of a player, each with their seat in it, `own`: also the rated ones that they have left."""
_WITH = (
    f"{OF_PLAYER} AND EXISTS (SELECT 1 FROM standing AS theirs CROSS JOIN player "
    "WHERE player.id = :other AND (theirs.player = :other OR theirs.beginner = :other) AND theirs.match = own.match "
    f"AND {visibility.SHOWN})"
)
_NAMES_A_PLAYER = (  # a server's lists leave out the matches that name no player
    "AND EXISTS (SELECT 1 FROM standing CROSS JOIN player "
    "WHERE player.id = standing.player AND standing.match = at.match AND player.user IS NOT NULL "
    f"AND {visibility.SHOWN})"
)
_LISTS = {
    "player": OF_PLAYER,
    "with": _WITH,
    "server": f"FROM result AS at WHERE at.guild = :guild AND {visibility.SEEN} {_NAMES_A_PLAYER}",
    "game": f"FROM result AS at WHERE at.guild = :guild AND at.game = :game AND {visibility.SEEN} {_NAMES_A_PLAYER}",
}
FIRST = "ORDER BY at.ended_at DESC, at.number DESC LIMIT :most"
"""The newest ones."""
_OLDER = f"AND (at.ended_at, at.number) < (:ended_at, :number) {FIRST}"
_NEWER = "AND (at.ended_at, at.number) > (:ended_at, :number) ORDER BY at.ended_at, at.number LIMIT :most"
_WAYS = {"first": FIRST, "older": _OLDER, "newer": _NEWER}
_PAST = (
    "SELECT at.match, at.number, at.guild, at.game, at.ended_at, coalesce(post.channel, match.place) AS channel, "
    "post.message FROM result AS at CROSS JOIN match LEFT JOIN post ON post.match = at.match "
    "AND post.place = -3 AND post.message IS NOT NULL WHERE match.id = at.match AND at.number = :number"
)
_LEFT_NAME = (
    "(SELECT name FROM seat_change AS change WHERE change.match = at.match AND change.seat = standing.seat "
    "AND change.user = player.user ORDER BY change.number LIMIT 1)"
)
_OF_SEATS = "standing.match = at.match AND at.number = :number ORDER BY standing.rank, standing.side, standing.seat"
_PLACES = (  # the last player to leave a match has the place of the seat
    "SELECT standing.side, standing.rank, standing.score, at.early, "
    "CASE WHEN standing.gone = 0 THEN standing.gain END AS gain, player.id IS NULL AS computer, "
    f"player.user, CASE WHEN player.id = standing.beginner THEN {_LEFT_NAME} ELSE seat.name END AS name, "
    f"player.user IS NOT NULL AND {visibility.SHOWN} AS shown, "
    "CASE WHEN player.id IS NULL AND seat.user IS NULL THEN nullif(seat.name, '') END AS computer_name "
    "FROM result AS at CROSS JOIN standing LEFT JOIN player "
    "ON player.id = CASE WHEN standing.gone = 0 THEN coalesce(beginner, player) ELSE player END "
    f"LEFT JOIN seat ON seat.match = at.match AND seat.number = standing.seat WHERE {_OF_SEATS}"
)
_AWAY = (
    f"SELECT player.user, CASE WHEN standing.beginner IS NULL THEN seat.name ELSE {_LEFT_NAME} END AS name, "
    "standing.gain FROM result AS at CROSS JOIN standing CROSS JOIN player CROSS JOIN seat "
    "WHERE standing.gone <> 0 AND player.id = coalesce(standing.beginner, standing.player) AND player.user IS NOT NULL "
    f"AND {visibility.SHOWN} AND seat.match = at.match AND seat.number = standing.seat AND {_OF_SEATS}"
)

# Profiles.
_PLAYED = (
    f"SELECT at.game, at.seats, {OWN_RANK} AS rank, "
    "CASE WHEN own.beginner = :player THEN 0 ELSE own.decisions END AS decisions, "
    "CASE WHEN own.beginner = :player THEN 0 ELSE own.seconds END AS seconds, "
    "CASE WHEN own.beginner = :player THEN '' ELSE own.honours END AS honours "
    f"{OF_PLAYER} ORDER BY at.ended_at, at.number"
)
_MET = (  # seats of one's own team are no rivals
    "SELECT theirs.player, at.guild, count(*) AS matches, "
    f"sum(CASE WHEN {_MINE} < {_THEIRS} THEN 1 ELSE 0 END) AS ahead, "
    f"sum(CASE WHEN {_MINE} > {_THEIRS} THEN 1 ELSE 0 END) AS behind, max(at.number) AS latest "
    "FROM standing AS own CROSS JOIN result AS at CROSS JOIN standing AS theirs "
    "WHERE at.match = own.match AND theirs.match = own.match AND theirs.side <> own.side "
    "AND own.player = :player AND theirs.player IS NOT NULL "
    f"AND (:guild IS NULL OR at.guild = :guild) AND (:game IS NULL OR at.game = :game) AND {visibility.SEEN}"
)
_NAMED = (  # who may be named is found for each person and server, not for each match
    "CROSS JOIN player "
    f"WHERE player.id = at.player AND player.user IS NOT NULL AND {visibility.SHOWN} "
    "GROUP BY player.id ORDER BY sum(matches) DESC, max(latest) DESC LIMIT :most"
)
_SCORE = "SELECT player.id, player.user, sum(matches), sum(ahead), sum(behind)"
_RIVALS = {
    "all": f"{_SCORE} FROM ({_MET} GROUP BY theirs.player, at.guild) AS at {_NAMED}",
    "one": f"{_SCORE} FROM ({_MET} AND theirs.player = :other GROUP BY theirs.player, at.guild) AS at {_NAMED}",
}


class Key(NamedTuple):
    """A place in a list of matches: that of one match."""

    ended_at: int
    number: int


@dataclass(frozen=True, slots=True)
class Placed:
    """How a seat ended. `user` and `name` are None unless the viewer may know who it was; a computer has a name."""

    side: int
    rank: int
    score: int | None
    """None: the match was ended by those who were left."""
    gain: int | None
    """By how many points the match changed the rating of who has this place; None: it did not, or `Past.away` tells."""
    computer: bool
    user: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Away:
    """A player who is last for the ratings, and by how many points that changed theirs."""

    user: int
    name: str
    gain: int


@dataclass(frozen=True, slots=True)
class Past:
    """A finished match. `places` are in their order; `message` is the one that tells the end, if there is one. `away`:
    whom it counts as last for the ratings, since they were away; as far as the viewer may know who they are.
    """

    match: int
    number: int
    guild: int
    game: str
    ended_at: int
    channel: int
    message: int | None
    places: tuple[Placed, ...]
    away: tuple[Away, ...] = ()

    @property
    def key(self) -> Key:
        """The match's place in a list."""
        return Key(self.ended_at, self.number)

    @property
    def named(self) -> tuple[tuple[int | None, str], ...]:
        """All whom the viewer may know, each once; computers without a user."""
        named = [(at.user, at.name) for at in self.places if at.name is not None]
        return tuple(dict.fromkeys([*named, *((at.user, at.name) for at in self.away)]))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list of matches, the newest first, and whether there are newer and older ones."""

    matches: tuple[Past, ...]
    newer: bool
    older: bool


NO_MATCHES = Page((), newer=False, older=False)


@dataclass(frozen=True, slots=True)
class Rival:
    """How a user did against another: in how many matches, and in how many of them ahead and behind."""

    user: int
    name: str
    matches: int
    ahead: int
    behind: int


@dataclass(slots=True)
class Profile:
    """What the finished matches of a user amount to."""

    name: str
    matches: int = 0
    wins: int = 0
    by_game: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Matches by game and number of seats."""
    wins_by_game: Counter[tuple[str, int]] = field(default_factory=Counter)
    in_a_row: int = 0
    """Wins up to the last match."""
    most_in_a_row: int = 0
    decisions: int = 0
    seconds: int = 0
    """How long the decisions took together."""
    honours: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each honour was won, by game and key."""
    rivals: tuple[Rival, ...] = ()
    ratings: tuple[leaderboards.Rated, ...] = ()


class Histories:
    """Queries over all stored results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, sought: Sought, at: Key | None, *, newer: bool, most: int) -> Page:
        """Return at most `most` matches: those next to `at`, the older or the newer ones, or the newest of all."""
        return await self._database.read(lambda c: _page(c, sought, at, newer, most))

    async def between(self, sought: Sought) -> Rival | None:
        """Return how `user` did against `other`; None if they never met as opponents, as far as the viewer may know."""

        def read(c: Connection) -> Rival | None:
            player = _player(c, sought.viewer, sought.guild, sought.user)
            found = _rivals(c, sought, player, 1) if player is not None and sought.other is not None else ()
            return found[0] if found else None

        return await self._database.read(read)

    async def profile(
        self, viewer: int, guild: int | None, user: int, channels: Collection[int] | None = None
    ) -> Profile | None:
        """Return what a user's matches in that server amount to; None if the viewer may not know of any. `channels`: as
        in `Sought`.
        """
        sought = Sought(viewer, guild, user, channels=channels)
        return await self._database.read(lambda c: _profile(c, sought))

    async def channels(self, guild: int) -> list[int]:
        """Return the channels of a server by which it is decided who sees its matches: those in which tables were, or
        the channels of their public threads.
        """
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(visibility.CHANNELS, (guild,))])

    async def leaderboard(
        self,
        viewer: int,
        guild: int,
        game: str,
        month: str,
        after: int,
        most: int,
        *,
        channels: Collection[int] | None = None,
        gone: Collection[int] = (),
    ) -> leaderboards.Leaderboard:
        """Return `most` lines of a game's leaderboard after that line: of the players of whom the viewer can see a
        rated match that is stored. `month`: as in `rating`; `channels`: as in `Sought`; `gone`: users who have left the
        server, and are not listed.
        """

        sought = Sought(viewer, guild, None, game, channels=channels)
        return await self._database.read(lambda c: leaderboards.board(c, sought, month, gone, after, most))


def _player(c: Connection, viewer: int, guild: int | None, user: int | None) -> int | None:
    """Return the player that stands for a user whose matches the viewer may see there; None if they may not."""
    if guild is None and user != viewer:
        return None
    row = c.execute(_PLAYER, {"viewer": viewer, "guild": guild, "user": user}).fetchone()
    return None if row is None else int(row[0])


def _page(c: Connection, sought: Sought, at: Key | None, newer: bool, most: int) -> Page:
    facts = {**facts_of(sought), "most": most + 1}
    if sought.user is None:
        kind = "server" if sought.game is None else "game"
        if sought.guild is None or c.execute(_OPEN_SERVER, facts).fetchone() is None:
            return NO_MATCHES
    else:
        kind = "player" if sought.other is None else "with"
        facts["player"] = _player(c, sought.viewer, sought.guild, sought.user)
        facts["other"] = _any_player(c, sought.other)
        if facts["player"] is None or (kind == "with" and facts["other"] is None):
            return NO_MATCHES
    way = "first" if at is None else "newer" if newer else "older"
    facts |= {} if at is None else at._asdict()
    numbers = [int(row[0]) for row in c.execute(f"SELECT at.number {_LISTS[kind]} {_WAYS[way]}", facts)]
    more = len(numbers) > most
    if at is not None and (not numbers or (newer and not more)):
        return _page(c, sought, None, newer=False, most=most)
    shown = numbers[:most][::-1] if way == "newer" else numbers[:most]
    matches = tuple(_past(c, sought.viewer, number) for number in shown)
    if way == "newer":
        return Page(matches, newer=more, older=True)
    return Page(matches, newer=way == "older", older=more)


def _any_player(c: Connection, user: int | None) -> int | None:
    row = c.execute("SELECT id FROM player WHERE user = ?", (user,)).fetchone()
    return None if row is None else int(row[0])


def _past(c: Connection, viewer: int, number: int) -> Past:
    facts = {"viewer": viewer, "number": number}
    row = c.execute(_PAST, facts).fetchone()
    places = tuple(
        Placed(
            *(at["side"], at["rank"], None if at["early"] else at["score"]),
            gain=at["gain"] if at["shown"] else None,
            computer=bool(at["computer"]),
            user=at["user"] if at["shown"] else None,
            name=at["name"] if at["shown"] else at["computer_name"],
        )
        for at in c.execute(_PLACES, facts)
    )
    away = tuple(Away(*at) for at in c.execute(_AWAY, facts) if at["name"] is not None)
    return Past(**dict(row), places=places, away=away)


def _rivals(c: Connection, sought: Sought, player: int, most: int) -> tuple[Rival, ...]:
    other = _any_player(c, sought.other) if sought.other is not None else None
    if sought.other is not None and other is None:
        return ()
    facts = facts_of(sought)
    which = "all" if other is None else "one"
    rows = c.execute(_RIVALS[which], {**facts, "player": player, "other": other, "most": most}).fetchall()
    return tuple(Rival(user, name_of(c, rival, facts) or "", *score) for rival, user, *score in rows)


def _profile(c: Connection, sought: Sought) -> Profile | None:
    player = _player(c, sought.viewer, sought.guild, sought.user)
    facts = {**facts_of(sought), "player": player}
    name = None if player is None else name_of(c, player, facts)
    if player is None or name is None:
        return None
    found = Profile(name)
    for game, seats, rank, decisions, seconds, honours in c.execute(_PLAYED, facts):
        won = rank == 1
        found.matches += 1
        found.wins += won
        found.by_game[game, seats] += 1
        found.wins_by_game[game, seats] += won
        found.in_a_row = found.in_a_row + 1 if won else 0
        found.most_in_a_row = max(found.most_in_a_row, found.in_a_row)
        found.decisions += decisions
        found.seconds += seconds
        if honours:
            found.honours.update((game, key) for key in honours.split())
    found.rivals = _rivals(c, sought, player, MOST_RIVALS)
    found.ratings = tuple(leaderboards.ratings_of(c, sought, player))
    return found
