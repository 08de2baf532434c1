"""Seasons: people of a server join, tables are drawn for each round, and the points make the standings.

A season is advanced step by step: open a table, begin it, count its points, end the round. Each step is one transaction
that is possible once only, and `advance` finds the next one from what is stored. So a crash between two steps forgets
and doubles nothing.

Points belong to the player for whom the place was drawn. A player who is not there at the end of a match is last at
that table: they have left, a computer or a substitute plays for them, or a manager has taken them out of the season. So
is one who came back after these had made at least half of the decisions. No player can void a table: when its round
ends, it counts as `Unfinished` says.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from cogs.match.automatic_moves import Thinker, ThreadThinker
from cogs.match.lobby import Lobby
from cogs.match.positions import steps
from cogs.match.rated import gone, not_there
from cogs.match.records import Records, decision_times
from cogs.match.refusals import PAUSE, Reason, Refused, stored
from cogs.match.seating import free_names
from cogs.match.service import MatchService
from cogs.match.tournament import drawn_rounds, points_of, rounds_to_meet
from data.records.match import Chair, Match, Status
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable, StoredSeasons, Unfinished
from data.records.terms import Terms
from data.store.database import OUT_OF_REACH
from rules.core.chance import table_secret
from rules.core.computer import decision_seed

log = logging.getLogger(__name__)

MOST_ENTRANTS, MOST_ROUNDS, MOST_DAYS, MOST_NAME = 32, 31, 30, 40
DAY = 86_400
CLOCK = "day_1"
"""The time control of a season, if neither its opener nor the server has chosen one."""
IDLE = PAUSE
"""Seconds without a change after which a season ends that has not started, and seconds after the end of its round after
which a season ends while the bot is not in its server.
"""
UNSEEN = 600
"""If the end of a round was not seen for so many seconds, the bot was not at work. The players could not play then, so
the round goes on for a day.
"""
SAME = 60
"""Seconds by which the waits for two players may differ and still count as equal."""
MOST_MOVES = 5_000
"""The most moves that computers make to finish a match."""


class Seasons:
    """The seasons of a service's servers."""

    def __init__(
        self,
        service: MatchService,
        lobby: Lobby,
        records: Records,
        repository: StoredSeasons,
        think: Thinker | None = None,
    ) -> None:
        self._service = service
        self._lobby = lobby
        self._records = records
        self.stored = repository
        self._think = think or ThreadThinker()
        self._advancing = asyncio.Lock()

    # What people do.

    async def open(
        self,
        game: str,
        *,
        guild: int,
        channel: int,
        user: int,
        name: str,
        locale: str,
        seats: int | None,
        rounds: int | None,
        days: int,
        clock: str | None,
        unfinished: Unfinished = Unfinished.LOSES,
    ) -> Season:
        """Open a season, which people can join. Refused: the server does not allow the game or the clock, the game has
        no tables of that size, or a season of the game goes on in the channel.
        """
        if game not in self._service.games:
            raise Refused(Reason.NO_GAME)
        rules, server = self._service.games[game], await self._service.policy.of(guild)
        if not server.allows_game(game):
            raise Refused(Reason.GAME_NOT_HERE, game=rules.title)
        if clock is not None and not server.allows_clock(clock):
            raise Refused(Reason.CLOCK_NOT_HERE)
        sizes = self.sizes(game)
        if seats is not None and seats not in sizes:
            raise Refused(Reason.SEASON_SEATS, game=rules.title, least=sizes[0], most=sizes[-1])
        new = Season(
            id=0,
            guild=guild,
            channel=channel,
            opener=user,
            game=game,
            name=name,
            locale=locale,
            seats=sizes[0] if seats is None else seats,
            rounds=rounds or 0,
            days=days,
            clock=server.clock_at_first(clock or server.first_clock or CLOCK),
            unfinished=unfinished,
            secret=secrets.token_hex(32),
            status=SeasonStatus.OPEN,
            touched_at=int(self._service.now()),
        )
        with stored():
            season = await self.stored.add(new)
        if season is None:
            raise Refused(Reason.SEASON_THERE, game=rules.title)
        return season

    def sizes(self, game: str) -> tuple[int, ...]:
        """Return how many may play at a table of a season of that game."""
        return tuple(size for size in self._service.games[game].seats if size > 1)

    async def load(self, number: int) -> Season:
        """Return that season. Refused: there is none."""
        season = await self.stored.get(number)
        if season is None:
            raise Refused(Reason.NO_SEASON)
        return season

    async def join(self, number: int, user: int, name: str) -> None:
        """Take part. Refused: the user does already, the season has begun or is full."""
        season = await self._open(number)
        if (known := _entrant(season, user)) is not None:
            raise Refused(Reason.SEASON_REMOVED if known.removed else Reason.SEASON_JOINED)
        with stored():
            joined = await self.stored.join(number, user, name, int(self._service.now()), MOST_ENTRANTS)
        if not joined:
            raise Refused(Reason.SEASON_FULL, count=MOST_ENTRANTS)

    async def leave(self, number: int, user: int) -> None:
        """Take part no longer. Refused: the user does not, or the season has begun."""
        await self._open(number)
        with stored():
            left = await self.stored.leave(number, user, int(self._service.now()))
        if not left:
            raise Refused(Reason.SEASON_NOT_JOINED)

    async def start(self, number: int, user: int, *, manages: bool) -> None:
        """Draw all rounds and begin the first. Refused as by `startable`."""
        season, players = await self.startable(number, user, manages=manages)
        rounds = season.rounds or min(MOST_ROUNDS, rounds_to_meet(players, season.seats))
        drawn = await asyncio.to_thread(
            drawn_rounds, season.secret, players, rounds, season.seats, self.sizes(season.game)
        )
        with stored():
            begun = await self.stored.begin(season, drawn, self._round_ends(season))
        if not begun:
            raise Refused(Reason.BUSY)

    async def startable(self, number: int, user: int, *, manages: bool) -> tuple[Season, int]:
        """Return a season that the user may start now, and how many take part. Refused otherwise, with the reason."""
        season = await self._open(number)
        self.check_may_run(season, user, manages=manages)
        game, players = self._service.games[season.game], sum(not who.removed for who in season.entrants)
        if not (await self._service.policy.of(season.guild)).allows_game(season.game):
            raise Refused(Reason.GAME_NOT_HERE, game=game.title)
        if players < season.seats:
            raise Refused(Reason.SEASON_TOO_FEW, count=players, least=season.seats)
        return season, players

    async def remove(self, number: int, user: int) -> Entrant:
        """Take a player out of a season; return who they are. They are last, without points, and computers take their
        places at the tables to come. What others have won against them stays. The caller has checked that a manager
        asks. Refused: the user does not take part, or the season has ended.
        """
        who = self.entrant(await self.load(number), user)
        with stored():
            removed = await self.stored.remove(number, user)
        if not removed:
            raise Refused(Reason.BUSY)
        return who

    def entrant(self, season: Season, user: int) -> Entrant:
        """Return the player who takes part in the season. Refused: the user does not, or the season has ended."""
        who = _entrant(season, user)
        if not season.going_on:
            raise Refused(Reason.SEASON_OVER)
        if who is None or who.removed:
            raise Refused(Reason.SEASON_NOT_THERE)
        return who

    async def stop(self, number: int, user: int, *, manages: bool) -> None:
        """Stop a season: no round begins, and tables not counted yet do not count. Refused: as by `start`, or over."""
        season = await self.load(number)
        self.check_may_run(season, user, manages=manages)
        with stored():
            stopped = await self.stored.stop(number, int(self._service.now()))
        if not stopped:
            raise Refused(Reason.SEASON_OVER)
        for table in season.in_round(season.round):
            if table.points is None and table.match is not None:
                await self._goes_on(table.match)

    def check_may_run(self, season: Season, user: int, *, manages: bool) -> None:
        """Raise Refused unless the user has opened the season or manages its server."""
        if user != season.opener and not manages:
            raise Refused(Reason.SEASON_RUN)

    async def _open(self, number: int) -> Season:
        season = await self.load(number)
        if season.status is not SeasonStatus.OPEN:
            raise Refused(Reason.SEASON_BEGUN if season.going_on else Reason.SEASON_OVER)
        return season

    # What happens by itself.

    async def advance(self, number: int, *, is_there: bool) -> None:
        """Do all that a season is due now. `is_there`: the bot is in its server; otherwise the season waits, and ends
        after `IDLE` seconds. Raises NotStored.
        """
        async with self._advancing:
            season, now = await self.stored.get(number), int(self._service.now())
            if season is None or not season.going_on:
                return
            if season.status is SeasonStatus.OPEN or not is_there:
                if now >= (season.touched_at if season.round_ends is None else season.round_ends) + IDLE:
                    await self.stored.stop(number, now)
                return
            for at in range(season.round, season.rounds + 1):
                if not await self._advance_round(number, at):
                    return

    async def _advance_round(self, number: int, at: int) -> bool:
        """Advance the tables of round `at`, and end it if it is over or its time is. Return whether it has ended."""
        season, now = await self.load(number), int(self._service.now())
        if season.round_ends is not None and now >= season.round_ends + UNSEEN:
            await self.stored.prolong(number, at, season.round_ends, now + DAY)
            season = await self.load(number)
        for table in season.in_round(at):
            if table.points is None:
                await self._advance_table(season, table)
        season, now = await self.load(number), int(self._service.now())
        open_tables = [table for table in season.in_round(at) if table.points is None]
        if season.status is not SeasonStatus.PLAYING or season.round_ends is None:
            return False
        if open_tables and now < season.round_ends:
            return False
        for table in open_tables:
            await self._count_unfinished(season, table)
        await self.stored.end_round(number, at, self._round_ends(season), now)
        return True

    async def _advance_table(self, season: Season, table: SeasonTable) -> None:
        """Open a table, begin it, or count its points. What is not possible now is tried again at the next look."""
        match = None if table.match is None else await self._service.find(table.match)
        try:
            if table.match is None and all(season.entrants[place].out for place in table.places):
                await self._count(season, table, (), ())
            elif table.match is None and self._service.now() < (season.round_ends or 0):
                match = await self._open_table(season, table)
            if match is not None and match.status is Status.LOBBY:
                await self._begin(season, table, match)
            elif match is not None and match.status is Status.OVER:
                await self._count_result(season, table, match)
            elif match is not None and match.status is Status.STOPPED:
                lost = await self._gone(match) if not_there(match) else ()  # if all end it together, it is drawn
                await self._count_ranks(season, table, match, [1] * len(match.chairs), lost)
            elif table.match is not None and (match is None or not match.open):
                await self._count(season, table, (), ())
        except Refused as error:
            log.info("season %d: table %d of round %d waits: %s", season.id, table.number, table.round, error.reason)

    async def _open_table(self, season: Season, table: SeasonTable) -> Match:
        """Open the lobby of a table, with its players seated and closed to others. A computer sits down for a player
        who is out. Refused as by `Lobby.open`.
        """
        players = [season.entrants[place] for place in table.places]
        names = free_names(who.name for who in players if not who.out)
        chairs = [
            Chair(at, None, next(names)) if who.out else Chair(at, who.user, who.name) for at, who in enumerate(players)
        ]
        host = next(who for who in players if not who.out)
        return await self._lobby.open(
            season.game,
            guild=season.guild,
            channel=season.channel,
            user=host.user or 0,
            name=host.name,
            terms=Terms(locale=season.locale, wanted=len(chairs), closed=True, clock=season.clock, hints=False),
            link=self.stored.link(season.id, table),
            place=season.channel,
            chairs=tuple(chairs),
            season=True,
            secret=_secret(season, table),
        )

    async def _begin(self, season: Season, table: SeasonTable, match: Match) -> None:
        """Begin the match of a table. A restored backup has given its lobby another secret."""
        if match.secret != _secret(season, table):
            await self._lobby.change(match.id, lambda lobby: replace(lobby, secret=_secret(season, table)))
        await self._lobby.begin(match.id)

    async def _count_result(self, season: Season, table: SeasonTable, match: Match) -> None:
        """Count a match that was played to its end. If its log is damaged, it stays uncounted until its round ends."""
        result = await self._records.record_or_warn(match)
        if result is None:
            return
        await self._count_ranks(
            season, table, match, [standing.rank for standing in result.standings], await self._gone(match)
        )

    async def _count_unfinished(self, season: Season, table: SeasonTable) -> None:
        """Count a table whose round ends, if its match is played. If it has not begun, the players who have left its
        lobby lose; the table does not count if all are there, or none.
        """
        match = None if table.match is None else await self._service.find(table.match)
        if match is None or not match.open or await self._service.quarantine.fault(match) is not None:
            return
        if match.status is Status.LOBBY:
            here = {chair.user for chair in match.people}
            ranks = [1 if season.entrants[place].user in here else 2 for place in table.places]
            if len({*ranks}) > 1:
                winners = [place for place, rank in zip(table.places, ranks, strict=True) if rank == 1]
                await self._count(season, table, points_of(ranks), winners)
            return
        lost = await self._gone(match) | await slowest(self._service, match)
        shared = [1] * len(match.chairs)
        if season.unfinished is Unfinished.PLAYED_ON and len(shared) - len(lost) > 1:
            shared = await played_on(self._service, self._think, match) or shared
        await self._count_ranks(season, table, match, shared, lost)
        await self._goes_on(match.id)

    async def _goes_on(self, number: int) -> None:
        """Let a match that goes on show that it counts no longer. If that is not stored, its next change shows it."""
        with suppress(Refused):
            async with self._service.deciding(number) as match:
                if match.open:
                    await self._service.save(match)

    async def _gone(self, match: Match) -> frozenset[int]:
        """Return the seats whose players are last, whatever their stand-ins do. A damaged log does not tell who played;
        then those who are not there are last.
        """
        try:
            return await gone_now(self._service, match)
        except OUT_OF_REACH:
            raise
        except Exception as error:  # damaged data can raise anything
            log.warning("match %d does not tell who has played: %s", match.id, type(error).__name__)
            return not_there(match)

    async def _count_ranks(
        self, season: Season, table: SeasonTable, match: Match, ranks: Sequence[int], lost: Collection[int]
    ) -> None:
        """Count a table at which the seats have these ranks; but those who have `lost`, or are out, are last."""
        players = _players(season, table, match)
        last = {seat for seat, place in enumerate(players) if seat in lost or season.entrants[place].removed}
        ranks = [len(ranks) + 1 if seat in last else rank for seat, rank in enumerate(ranks)]
        best = min((rank for seat, rank in enumerate(ranks) if seat not in last), default=0)
        drawn = match.status is not Status.OVER and not last
        winners = [] if drawn else [place for seat, place in enumerate(players) if ranks[seat] == best]
        of_places = [ranks[players.index(place)] for place in table.places]
        await self._count(season, table, points_of(of_places), sorted(winners))

    async def _count(self, season: Season, table: SeasonTable, points: Sequence[int], winners: Sequence[int]) -> None:
        await self.stored.count(season.id, table, points, winners)

    def _round_ends(self, season: Season) -> int:
        return int(self._service.now()) + season.days * DAY


def _secret(season: Season, table: SeasonTable) -> str:
    return table_secret(season.secret, table.round, table.number, season.restores)


def _players(season: Season, table: SeasonTable, match: Match) -> list[int]:
    """Return the number of the player to whom each seat of a table's match belongs: who sat there when it began. The
    seats of computers and of deleted users belong to the players who are left.
    """
    people = [season.entrants[place] for place in table.places]
    numbers = {who.user: who.number for who in people if who.user is not None}
    found = [numbers.get(_first_user(match, chair.number) or 0) for chair in match.chairs]
    left = iter([place for place in table.places if place not in found])
    return [next(left) if place is None else place for place in found]


def _first_user(match: Match, seat: int) -> int | None:
    """Return the user who sat there when the match began; None: a computer, or a user whose data was deleted."""
    changes = [change for change in match.seat_changes if change.seat == seat]
    if changes:
        return changes[0].user if changes[0].kind.leaves else None
    return match.chairs[seat].user


def _entrant(season: Season, user: int) -> Entrant | None:
    return next((who for who in season.entrants if who.user == user), None)


async def slowest(service: MatchService, match: Match) -> frozenset[int]:
    """Return the seats of the players for whom a running match has waited longest in all, now included, but not while
    it rests or is paused. So no player gains by making the others wait and then moving just before a round ends.
    """
    log = [move for move in await service.log(match.id) if move.undone_at is None]
    until = min(instant for instant in (match.rests_since, match.paused_at, int(service.now())) if instant is not None)
    state, waits = service.state(match), max(0, until - match.waits_since)
    played = await asyncio.to_thread(lambda: list(steps(service.game(match), match, log)))
    total = [sum(times) for times in decision_times(len(match.chairs), played)]
    for seat in state.to_move():
        total[seat] += waits
    people = [chair.number for chair in match.people]
    return frozenset(seat for seat in people if total[seat] > max(total[other] for other in people) - SAME)


async def played_on(service: MatchService, think: Thinker, match: Match) -> list[int] | None:
    """Return each seat's rank if computers play on for all from here, in a copy; None if they come to no end."""
    game, state = service.game(match), service.state(match)
    for _ in range(MOST_MOVES):
        if (outcome := state.outcome()) is not None:
            return [*outcome.ranks(game.lowest_wins)]
        seat = min(state.to_move())
        seed = decision_seed(match.seed, seat, f"unfinished {state.turn(seat)}")
        thought = await think(game, state.redeal_unseen(seat, seed), seat, seed, match.default_level, lambda: None)
        state, _ = state.apply(thought.move)
    return None


async def gone_now(service: MatchService, match: Match) -> frozenset[int]:
    """Return what `gone` does of a match as it is stored. A damaged log can raise anything."""
    log = [move for move in await service.log(match.id) if move.undone_at is None]
    return await asyncio.to_thread(lambda: gone(match, steps(service.game(match), match, log)))
