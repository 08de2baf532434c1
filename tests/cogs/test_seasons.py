"""Seasons without Discord: what is due is done once, whatever breaks off in between, and points are counted fairly."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from cogs.match.handovers import check_may_give
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.refusals import Reason, Refused
from cogs.match.seasons import CLOCK, DAY, IDLE, MOST_ENTRANTS, Seasons
from cogs.match.service import MatchService
from cogs.match.tournament import drawn_order, drawn_rounds, standings
from cogs.messages.end import honours
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.records.results import Results
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable, StoredSeasons, Unfinished
from data.records.servers import Servers
from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog
from data.store.schema import after_restore, mark_restored
from rules import GAMES
from rules.core.chance import table_secret
from rules.core.game import Seat
from tests.support.matches import refusal, refused

GUILD, CHANNEL, OPENER = 1, 10, 1398712347623000100
GAME = "sea_change"
SECRET = "ab" * 32


class Stopped(BaseException):
    """The process is killed here."""


@dataclass
class World:
    """The parts that seasons need, on one database; `restart` makes new ones, as a start of the program does."""

    base: Database
    now: float = 1_000_000.0
    random: Random = field(default_factory=lambda: Random("a season"))

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.matches, self.people = Matches(self.base), People(self.base, lambda: self.now)
        self.service = MatchService(self.matches, self.people, GAMES, lambda: self.now, Servers(self.base))
        self.lobby = Lobby(self.service)
        self.membership = Membership(self.service, self.lobby)
        records = Records(self.service, Results(self.base), honours)
        self.seasons = Seasons(self.service, self.lobby, records, StoredSeasons(self.base))
        self.privacy = Privacy(self.base, [self.matches.forget, self.people.forget], ErasureLog(None))

    async def open(self, players: int, **options: Any) -> Season:
        """Open a season in which so many people take part."""
        wanted = {"seats": None, "rounds": None, "days": 7, "clock": None, **options}
        game = wanted.pop("game", GAME)
        season = await self.seasons.open(
            game, guild=GUILD, channel=CHANNEL, user=OPENER, name="Cup", locale="en", **wanted
        )
        for user in range(OPENER, OPENER + players):
            await self.people.meet(user, f"P{user}")
            await self.seasons.join(season.id, user, f"P{user}")
        return await self.seasons.load(season.id)

    async def begin(self, players: int, **options: Any) -> Season:
        """Open a season, start it, and do what is due."""
        season = await self.open(players, **options)
        await self.seasons.start(season.id, OPENER, manages=False)
        return await self.advance(season.id)

    async def advance(self, number: int = 1, *, is_there: bool = True) -> Season:
        await self.seasons.advance(number, is_there=is_there)
        return await self.seasons.load(number)

    async def match(self, number: int) -> Match:
        match = await self.matches.get(number)
        assert match is not None
        return match

    async def play(self, number: int, *, last_move: bool = True) -> Match:
        """Play a match to its end, or to its last move, by random moves, also for computers."""
        while (match := await self.match(number)).status is Status.PLAYING:
            state = self.service.state(match)
            seat = Seat(min(state.to_move()))
            if not last_move and any(state.apply(move)[0].outcome() for move in state.legal_moves(seat)):
                break
            move, user = self.random.choice(state.legal_moves(seat)), match.chairs[seat].user
            if user is None:
                async with self.service.deciding(number) as match:
                    await self.service.make(match, move, computer="friend 1")
            else:
                await self.service.play(number, user, self.service.turn(match, seat), str(move))
        return match

    async def play_round(self, season: Season) -> Season:
        for table in season.in_round(season.round):
            assert table.match is not None
            await self.play(table.match)
        return await self.advance(season.id)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    base = await Database.open(":memory:")
    yield World(base)
    await base.close()


async def linked(base: Database) -> list[tuple[int, ...]]:
    """The tables that are opened, and their matches."""
    sql = "SELECT season, round, number, match FROM season_table WHERE match IS NOT NULL"
    return await base.read(lambda c: [tuple(row) for row in c.execute(sql)])


async def count(base: Database, table: str) -> int:
    return await base.read(lambda c: int(c.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))


def entrants(number: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(at, OPENER + at, f"P{at}") for at in range(number))


def played(*tables: SeasonTable, players: int) -> Season:
    return Season(
        1, GUILD, CHANNEL, OPENER, GAME, "Cup", "en", 2, 1, 7, "none", SECRET, SeasonStatus.PLAYING, 0,
        entrants=entrants(players), tables=tables,
    )  # fmt: skip


# The course of a season.


async def test_all_rounds_are_those_of_the_draw_and_the_points_those_of_the_results(world: World) -> None:
    season = await world.begin(4)
    drawn = drawn_rounds(season.secret, 4, 3, 2, (2, 3, 4, 5, 6, 7, 8))
    assert [[table.places for table in season.in_round(at)] for at in (1, 2, 3)] == [list(map(tuple, r)) for r in drawn]
    for at in (1, 2, 3):
        assert season.round == at
        assert [table.match is not None for table in season.in_round(at)] == [True, True]
        season = await world.play_round(season)
    assert season.status is SeasonStatus.OVER
    assert sum(line.points for line in standings(season)) == 2 * 6
    for table in season.tables:
        match = await world.match(table.match or 0)
        outcome = world.service.state(match).outcome()
        assert outcome is not None
        winners = {match.chairs[seat].user for seat in outcome.winners}
        assert {season.entrants[place].user for place in table.winners} == winners


async def test_the_tables_are_closed_to_others_and_have_the_seasons_clock(world: World) -> None:
    season = await world.begin(7, game="full_sun", seats=3, clock="day_2")
    assert sorted(len(table.places) for table in season.in_round(1)) == [3, 4]
    for table in season.in_round(1):
        match = await world.match(table.match or 0)
        assert (match.status, match.clock, match.closed, match.channel) == (Status.PLAYING, "day_2", True, CHANNEL)
        users = {season.entrants[place].user for place in table.places}
        assert {chair.user for chair in match.chairs} == {guest.user for guest in match.guests} == users
        assert all(clock.due is not None for clock in match.clocks if clock.turn)


async def test_the_next_round_waits_for_all_tables_or_the_deadline(world: World) -> None:
    season = await world.begin(4, days=3)
    first, second = (table.match or 0 for table in season.in_round(1))
    await world.play(first)
    season = await world.advance()
    assert season.round == 1
    assert [table.points is not None for table in season.in_round(1)] == [True, False]
    world.now += 3 * DAY - 1
    assert (await world.advance()).round == 1
    world.now += 1
    season = await world.advance()
    assert season.round == 2
    assert season.round_ends == world.now + 3 * DAY
    table = season.in_round(1)[1]
    (awaited,) = world.service.state(await world.match(second)).to_move()
    loser = (await world.match(second)).chairs[awaited].user
    assert {
        season.entrants[place].user: points for place, points in zip(table.places, table.points or (), strict=True)
    }[loser] == 0
    assert loser not in {season.entrants[place].user for place in table.winners}
    before = standings(season)
    assert (await world.match(second)).status is Status.PLAYING
    await world.play(second)
    assert standings(await world.advance()) == before


async def test_a_match_called_off_in_its_lobby_does_not_count_and_one_ended_by_all_is_drawn(world: World) -> None:
    """A match that has begun can be called off by no manager; one of an older version may have been."""
    season = await world.begin(4)
    first, second = (table.match or 0 for table in season.in_round(1))
    assert await refusal(world.lobby.cancel(first, 999, manager=True)) is Reason.CANCEL_COUNTED
    async with world.service.deciding(first) as match:
        await world.service.save(replace(match, status=Status.CANCELLED, ended_at=int(world.service.now())))
    match = await world.match(second)
    for chair in match.people:
        await world.membership.vote(second, chair.player, "end")
    assert (await world.match(second)).status is Status.STOPPED
    season = await world.advance()
    assert season.round == 2
    assert [table.points for table in season.in_round(1)] == [(), (1, 1)]
    assert [line.points for line in standings(season)] == [1, 1, 0, 0]
    assert not any(line.wins for line in standings(season))


async def test_a_damaged_match_counts_for_no_player_once_its_round_ends(world: World) -> None:
    season = await world.begin(2)
    (table,) = season.in_round(1)
    await world.play(table.match or 0)
    await world.base.write(lambda c: c.execute("UPDATE move SET text = 'play B1' WHERE number = 0").rowcount)
    world.restart()
    season = await world.advance()
    assert season.status is SeasonStatus.PLAYING
    assert season.tables[0].points is None
    world.now += 7 * DAY
    season = await world.advance()
    assert season.status is SeasonStatus.OVER
    assert season.tables[0].points == ()


async def test_a_match_that_was_deleted_counts_for_no_player_and_is_not_opened_again(world: World) -> None:
    season = await world.begin(2, rounds=2)
    await world.base.write(lambda c: c.execute("DELETE FROM match").rowcount)
    world.restart()
    season = await world.advance()
    assert season.round == 2
    assert season.in_round(1)[0].points == ()
    assert await count(world.base, "match") == 1


def points_by_user(season: Season, table: SeasonTable) -> dict[int | None, int]:
    return {season.entrants[place].user: given for place, given in zip(table.places, table.points or (), strict=True)}


@pytest.mark.parametrize("way", ["leaves", "is replaced", "is removed", "is away", "others end it", "is back"])
@pytest.mark.parametrize("game", ["sea_change", "full_sun"])
async def test_a_player_who_is_not_there_at_the_end_is_last_whatever_their_stand_in_does(
    world: World, game: str, way: str
) -> None:
    season = await world.begin(GAMES[game].seats[-1] if game == "full_sun" else 2, game=game, clock="day_1")
    (table,) = season.in_round(1)
    match = await world.match(table.match or 0)
    number, quitter, *others = match.id, *(chair.player for chair in match.people)
    if way == "is away":
        (seat,) = world.service.state(match).to_move()
        quitter = match.chairs[seat].player
        async with world.service.deciding(number) as match:
            await world.service.save(world.service.clocks.mark_away(match, seat))
    elif way == "is removed":
        await world.seasons.remove(season.id, quitter)
    else:
        await world.membership.give_seat_to_computer(number, quitter)
        if way == "is replaced":
            await world.people.meet(1, "Substitute")
            seat = next(chair.number for chair in (await world.match(number)).chairs if chair.user is None)
            async with world.service.deciding(number) as match:
                await world.service.save(replace(match, closed=False))
            await world.membership.take_seat(number, 1, "Substitute", seat)
        elif way == "is back":  # for the last move
            await world.play(number, last_move=False)
            await world.membership.come_back(number, quitter, "Quitter")
    if way == "others end it":
        for user in others:
            if (await world.match(number)).open:
                await world.membership.vote(number, user, "end")
    elif way == "is away":
        world.now += 8 * DAY
    else:
        await world.play(number)
    season = await world.advance()
    points = points_by_user(season, season.tables[0])
    assert points.pop(quitter) == 0, (way, points)
    assert min(points.values()) > 0
    assert quitter not in {season.entrants[place].user for place in season.tables[0].winners}


@pytest.mark.parametrize("unfinished", [Unfinished.LOSES, pytest.param(Unfinished.PLAYED_ON, marks=pytest.mark.long)])
async def test_no_player_gains_by_letting_the_others_wait(world: World, unfinished: Unfinished) -> None:
    """One player lets the table wait for six days and moves just before the round ends: then another one is awaited."""
    season = await world.begin(4, game="full_sun", seats=4, clock="none", unfinished=unfinished)
    (table,) = season.in_round(1)
    match = await world.match(table.match or 0)
    slow = None
    for turn in range(6):
        state = world.service.state(match)
        seat = min(state.to_move())
        if turn == 3:
            slow, world.now = match.chairs[seat].player, world.now + 6 * DAY
        world.now += 60
        move = str(state.default_move(seat))
        match = (await world.service.play(match.id, match.chairs[seat].player, None, move)).match
    world.now += 2 * DAY
    season = await world.advance()
    points = points_by_user(season, season.tables[0])
    assert points.pop(slow) == 0
    assert sum(points.values()) == 4 * 3
    # If it is played on, computers find out who of the others is ahead.
    assert (set(points.values()) == {4}) == (unfinished is Unfinished.LOSES)
    assert (await world.match(match.id)).status is Status.PLAYING, "it goes on"


async def test_a_player_who_leaves_the_lobby_of_a_table_loses_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(number: int) -> Match:
        raise Refused(Reason.BUSY)

    with monkeypatch.context() as patch:
        patch.setattr(world.lobby, "begin", busy)
        season = await world.begin(2)
        (table,) = season.in_round(1)
        left = season.entrants[table.places[1]].user
        await world.lobby.leave(table.match or 0, left or 0)
        world.now += 7 * DAY
        season = await world.advance()
    assert points_by_user(season, season.tables[0])[left] == 0
    assert season.tables[0].winners == (table.places[0],)


async def test_a_season_has_a_time_limit_and_no_hints_unless_asked_for(world: World) -> None:
    season = await world.begin(2)
    match = await world.match(season.tables[0].match or 0)
    assert (season.clock, match.clock, match.hints) == (CLOCK, CLOCK, False)
    assert (await world.open(0, game="full_sun", clock="none")).clock == "none"


async def test_the_secrets_of_all_tables_follow_from_the_seasons(world: World) -> None:
    season = await world.begin(4)
    secrets = set()
    while season.going_on:
        for table in season.in_round(season.round):
            match = await world.match(table.match or 0)
            assert match.secret == table_secret(season.secret, table.round, table.number)
            secrets.add(match.secret)
        season = await world.play_round(season)
    assert len(secrets) == len(season.tables)


async def test_after_a_restored_backup_tables_to_come_are_dealt_otherwise(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players may have seen what was dealt after the backup."""

    async def busy(number: int) -> Match:
        raise Refused(Reason.BUSY)

    with monkeypatch.context() as patch:
        patch.setattr(world.lobby, "begin", busy)
        season = await world.begin(2, rounds=2)
    number = season.tables[0].match or 0
    before = (await world.match(number)).secret

    def restore(c: sqlite3.Connection) -> None:
        mark_restored(c)
        after_restore(c, lambda count: 1_000_000)

    await world.base.write(restore)
    world.restart()
    season = await world.advance()
    match = await world.match(number)
    assert (match.status, season.restores) == (Status.PLAYING, 1)
    assert match.secret == table_secret(season.secret, 1, 0, 1) != before


async def test_a_manager_takes_a_player_out(world: World) -> None:
    season = await world.begin(3)
    out = next(who for who in season.entrants if who.number not in season.in_round(1)[0].places)
    await world.seasons.remove(season.id, out.user or 0)
    assert await refusal(world.seasons.remove(season.id, out.user or 0)) is Reason.SEASON_NOT_THERE
    assert await refusal(world.seasons.remove(season.id, 1)) is Reason.SEASON_NOT_THERE
    season = await world.play_round(season)
    match = await world.match(season.in_round(2)[0].match or 0)
    assert [chair.user for chair in match.chairs].count(None) == 1
    while season.going_on:
        season = await world.play_round(season)
    last = standings(season)[-1]
    assert (last.entrant.user, last.entrant.removed, last.points, last.wins) == (out.user, True, 0, 0)
    assert await refusal(world.seasons.remove(season.id, season.entrants[0].user or 0)) is Reason.SEASON_OVER


async def test_a_player_who_was_taken_out_before_the_start_does_not_join_again(world: World) -> None:
    season = await world.open(3)
    await world.seasons.remove(season.id, OPENER + 1)
    assert await refusal(world.seasons.join(season.id, OPENER + 1, "P")) is Reason.SEASON_REMOVED
    assert await refusal(world.seasons.leave(season.id, OPENER + 1)) is Reason.SEASON_NOT_JOINED
    await world.seasons.start(season.id, OPENER, manages=False)
    season = await world.advance()
    assert [who.user for who in season.entrants] == [OPENER, OPENER + 2]


@pytest.mark.parametrize("kind", ["end", "pause", "remove"])
async def test_those_who_are_behind_do_not_outvote_the_leader_of_a_table(world: World, kind: str) -> None:
    season = await world.begin(3, game="full_sun")
    match = await world.match(season.tables[0].match or 0)
    leader, one, other = (chair.player for chair in match.people)
    for user in (one, other):
        if kind == "remove":  # only one who keeps the table waiting
            assert await refusal(world.membership.vote(match.id, user, f"remove {leader}")) is Reason.NOT_REMOVABLE
        else:
            match = (await world.membership.vote(match.id, user, kind)).match
        assert (match.status, match.rests_since, match.seat_of(leader)) == (Status.PLAYING, None, 0)


async def test_a_manager_with_a_part_in_a_table_has_no_say_in_it(world: World) -> None:
    season = await world.begin(3, game="full_sun")
    match = await world.match(season.tables[0].match or 0)
    manager, other, _ = (chair.player for chair in match.people)
    for _ in range(2):
        assert await refusal(world.lobby.cancel(match.id, manager, manager=True)) is Reason.CANCEL_COUNTED
        with pytest.raises(Refused):
            check_may_give(await world.match(match.id), manager)
        if (await world.match(match.id)).seat_of(manager) is not None:
            await world.membership.give_seat_to_computer(match.id, manager)  # stepping out first changes nothing
    assert (await world.match(match.id)).seat_of(other) is not None


# Who may do what.


async def test_a_channel_has_one_season_of_a_game(world: World) -> None:
    await world.open(1)
    assert await refusal(world.open(0)) is Reason.SEASON_THERE
    other = await world.open(0, game="full_sun")
    assert other.seats == 3
    await world.seasons.stop(1, OPENER, manages=False)
    assert (await world.open(0)).status is SeasonStatus.OPEN


async def test_joining_and_leaving(world: World) -> None:
    season = await world.open(3)
    assert await refusal(world.seasons.join(1, OPENER, "again")) is Reason.SEASON_JOINED
    await world.seasons.leave(1, OPENER + 1)
    assert await refusal(world.seasons.leave(1, OPENER + 1)) is Reason.SEASON_NOT_JOINED
    await world.seasons.start(1, OPENER, manages=False)
    season = await world.advance()
    assert [(who.number, who.user) for who in season.entrants] == [(0, OPENER), (1, OPENER + 2)]
    assert await refusal(world.seasons.join(1, OPENER + 1, "late")) is Reason.SEASON_BEGUN
    assert await refusal(world.seasons.leave(1, OPENER)) is Reason.SEASON_BEGUN
    assert await refusal(world.seasons.load(9)) is Reason.NO_SEASON


async def test_a_season_holds_so_many_and_no_more(world: World) -> None:
    await world.open(MOST_ENTRANTS)
    await world.people.meet(1, "one more")
    assert await refusal(world.seasons.join(1, 1, "one more")) is Reason.SEASON_FULL


async def test_the_start_needs_a_table_of_players_and_the_opener_or_a_manager(world: World) -> None:
    await world.open(3, game="siege_of_sunfall", seats=4)
    assert await refusal(world.seasons.start(1, OPENER, manages=False)) is Reason.SEASON_TOO_FEW
    await world.people.meet(1, "one more")
    await world.seasons.join(1, 1, "one more")
    assert await refusal(world.seasons.start(1, 1, manages=False)) is Reason.SEASON_RUN
    await world.seasons.start(1, 1, manages=True)
    assert await refusal(world.seasons.start(1, OPENER, manages=False)) is Reason.SEASON_BEGUN
    assert await refusal(world.seasons.stop(1, 1, manages=False)) is Reason.SEASON_RUN


async def test_what_the_server_does_not_allow(world: World) -> None:
    await world.service.policy.change(GUILD, games=["full_sun"], clocks=["day_1"])
    assert await refusal(world.open(0)) is Reason.GAME_NOT_HERE
    assert await refusal(world.open(0, game="full_sun", clock="week")) is Reason.CLOCK_NOT_HERE
    six = await refused(world.open(0, game="full_sun", seats=6))
    assert six.reason is Reason.SEASON_SEATS
    assert (six.facts["least"], six.facts["most"]) == (GAMES["full_sun"].seats[0], GAMES["full_sun"].seats[-1])
    assert await refusal(world.open(0, game="chess")) is Reason.NO_GAME
    await world.open(3, game="full_sun")
    await world.service.policy.change(GUILD, games=[GAME])
    assert await refusal(world.seasons.start(1, OPENER, manages=False)) is Reason.GAME_NOT_HERE


async def test_tables_that_the_server_does_not_allow_any_more_wait_and_then_count_for_no_player(world: World) -> None:
    season = await world.open(2, rounds=2)
    await world.seasons.start(1, OPENER, manages=False)
    await world.service.policy.change(GUILD, games=["full_sun"])
    season = await world.advance()
    assert season.in_round(1)[0].match is None
    world.now += 7 * DAY
    season = await world.advance()
    assert season.in_round(1)[0].points == ()
    assert season.round == 2
    await world.service.policy.change(GUILD, games=[])
    assert (await world.advance()).in_round(2)[0].match == 1


async def test_the_limit_of_tables_of_a_server_delays_a_table(world: World) -> None:
    await world.service.policy.change(GUILD, most_open=1, most_each=1)
    season = await world.begin(4)
    assert [table.match for table in season.in_round(1)] == [1, None]
    await world.play(1)
    assert [table.match for table in (await world.advance()).in_round(1)] == [1, 2]


async def test_a_stopped_season_opens_no_further_round(world: World) -> None:
    season = await world.begin(2, rounds=3)
    await world.seasons.stop(1, OPENER, manages=False)
    await world.play(season.tables[0].match or 0)
    season = await world.advance()
    assert season.status is SeasonStatus.STOPPED
    assert await count(world.base, "match") == 1
    assert season.tables[0].points is None
    assert await refusal(world.seasons.stop(1, OPENER, manages=False)) is Reason.SEASON_OVER


# The bot is away, or the season is never started.


async def test_a_season_waits_for_the_bot_and_goes_on(world: World) -> None:
    season = await world.open(2, rounds=2)
    await world.seasons.start(1, OPENER, manages=False)
    season = await world.advance(is_there=False)
    assert season.tables[0].match is None
    world.now += 7 * DAY + IDLE - 1
    assert (await world.advance(is_there=False)).status is SeasonStatus.PLAYING
    season = await world.advance()
    assert season.round == 2
    assert season.in_round(2)[0].match == 1


async def test_a_season_ends_if_the_bot_does_not_come_back_and_if_no_player_starts_it(world: World) -> None:
    season = await world.begin(2)
    assert season.round_ends is not None
    await world.open(1, game="full_sun")
    world.now = season.round_ends + IDLE
    assert (await world.advance(is_there=False)).status is SeasonStatus.STOPPED
    assert (await world.advance(2)).status is SeasonStatus.STOPPED


# People whose data is deleted.


async def test_a_player_whose_data_is_deleted_before_the_start_is_out(world: World) -> None:
    await world.open(3)
    await world.privacy.erase(OPENER + 1, int(world.now))
    season = await world.seasons.load(1)
    assert [who.user for who in season.entrants] == [OPENER, OPENER + 2]
    await world.seasons.start(1, OPENER, manages=False)
    assert len((await world.advance()).entrants) == 2


async def test_a_computer_takes_the_place_of_a_player_whose_data_is_deleted(world: World) -> None:
    season = await world.begin(3)
    while season.round == 1:
        season = await world.play_round(season)
    first = next(who for who in season.entrants if who.user != OPENER)
    await world.privacy.erase(first.user or 0, int(world.now))
    season = await world.advance()
    for _ in range(2):
        season = await world.play_round(season)
    assert season.status is SeasonStatus.OVER
    assert season.entrants[first.number] == Entrant(first.number, None, "")
    *others, last = standings(season)
    assert (last.entrant.number, last.points, last.wins) == (first.number, 0, 0)
    assert sum(line.tables for line in others) == 4
    assert str(first.user) not in "\n".join(await world.base.read(lambda c: list(c.iterdump())))
    assert first.name not in "\n".join(await world.base.read(lambda c: list(c.iterdump())))


async def test_a_table_of_deleted_players_alone_counts_for_no_player(world: World) -> None:
    season = await world.open(2, rounds=2)
    await world.seasons.start(1, OPENER, manages=False)
    for user in (OPENER, OPENER + 1):
        await world.privacy.erase(user, int(world.now))
    season = await world.advance()
    assert season.status is SeasonStatus.OVER
    assert season.opener == 0
    assert await count(world.base, "match") == 0


async def test_seasons_and_their_people_go_with_the_retention(world: World) -> None:
    season = await world.begin(2)
    season = await world.play_round(season)
    assert season.ended_at == world.now
    await world.privacy.erase_ended(int(world.now))
    assert await count(world.base, "season") == 1
    await world.privacy.erase_ended(int(world.now) + 1)
    for table in ("season", "entrant", "season_table", "person", "match"):
        assert await count(world.base, table) == 0, table


async def test_people_of_a_season_stay_while_it_goes_on(world: World) -> None:
    await world.open(2)
    await world.privacy.erase_ended(int(world.now) + 1)
    assert await count(world.base, "person") == 2


# Standings.


def table(places: tuple[int, ...], points: tuple[int, ...], winners: tuple[int, ...], number: int = 0) -> SeasonTable:
    return SeasonTable(1, number, places, None, points, winners)


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


# Whatever breaks off.


def breaking(world: World, monkeypatch: pytest.MonkeyPatch, at: int, *, before: bool, error: BaseException) -> Any:
    """Let write number `at` from now on break off, before or after it is stored."""
    write, done = Database.write, [0]

    async def breaks(self: Database, work: Callable[[sqlite3.Connection], Any], *more: Any, **how: Any) -> Any:
        done[0] += 1
        if done[0] == at and before:
            raise error
        result = await write(self, work, *more, **how)
        if done[0] == at:
            raise error
        return result

    monkeypatch.setattr(Database, "write", breaks)
    return done


STEPS = range(1, 8)
"""More writes than a round of two tables needs to open: a table and its start each, and the end of the round before."""


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [Stopped(), NotStored()], ids=["killed", "nothing stored"])
async def test_a_round_is_opened_once_whatever_breaks_off(
    world: World, monkeypatch: pytest.MonkeyPatch, step: int, before: bool, error: BaseException
) -> None:
    season = await world.open(4)
    await world.seasons.start(1, OPENER, manages=False)
    with monkeypatch.context() as patch:
        done = breaking(world, patch, step, before=before, error=error)
        with suppress(Stopped, NotStored):
            await world.seasons.advance(1, is_there=True)
        assert done[0] >= min(step, 4)
    world.restart()
    season = await world.advance()
    tables = season.in_round(1)
    assert len(await linked(world.base)) == len(tables) == await count(world.base, "match") == 2
    for found in tables:
        match = await world.match(found.match or 0)
        assert match.status is Status.PLAYING
        assert {chair.user for chair in match.chairs} == {season.entrants[place].user for place in found.places}
    assert await world.advance() == season


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", STEPS)
async def test_a_round_is_counted_once_and_the_next_opened_once_whatever_breaks_off(
    world: World, monkeypatch: pytest.MonkeyPatch, step: int, before: bool
) -> None:
    season = await world.begin(2, rounds=2)
    await world.play(season.tables[0].match or 0)
    with monkeypatch.context() as patch:
        breaking(world, patch, step, before=before, error=Stopped())
        with suppress(Stopped):
            await world.seasons.advance(1, is_there=True)
    world.restart()
    season = await world.advance()
    assert (season.round, season.status) == (2, SeasonStatus.PLAYING)
    assert sum(season.in_round(1)[0].points or ()) == 2
    assert await count(world.base, "match") == await count(world.base, "result") + 1 == 2
    assert (await world.match(season.in_round(2)[0].match or 0)).status is Status.PLAYING


async def test_two_looks_at_once_open_each_table_once(world: World) -> None:
    await world.open(6)
    await world.seasons.start(1, OPENER, manages=False)
    first = world.seasons
    world.restart()  # another program on the same database, as it were: the lock is not shared
    await asyncio.gather(first.advance(1, is_there=True), world.seasons.advance(1, is_there=True))
    await world.advance()
    assert await count(world.base, "match") == 3


async def test_a_lobby_that_a_player_left_before_it_began_waits_for_them(world: World, monkeypatch: Any) -> None:
    season = await world.open(2)
    await world.seasons.start(1, OPENER, manages=False)
    with monkeypatch.context() as patch:
        breaking(world, patch, 1, before=False, error=Stopped())
        with pytest.raises(Stopped):
            await world.advance()
    world.restart()
    match = await world.match(1)
    assert match.status is Status.LOBBY
    await world.lobby.leave(1, match.chairs[1].player)
    season = await world.advance()
    assert (await world.match(1)).status is Status.LOBBY
    await world.lobby.join(1, match.chairs[1].player, "back")
    await world.advance()
    match = await world.match(1)
    assert match.status is Status.PLAYING
    await world.play(1)
    season = await world.advance()
    winners = {season.entrants[place].user for place in season.tables[0].winners}
    outcome = world.service.state(await world.match(1)).outcome()
    assert outcome is not None
    assert winners == {match.chairs[seat].user for seat in outcome.winners}


async def test_the_secret_of_an_open_season_is_another_after_a_restore(world: World) -> None:
    open_one, running = await world.open(2), await world.begin(3, game="full_sun")

    def restore(c: sqlite3.Connection) -> None:
        mark_restored(c)
        after_restore(c, lambda count: 1_000_000)

    await world.base.write(restore)
    assert (await world.seasons.load(open_one.id)).secret != open_one.secret
    assert (await world.seasons.load(running.id)).secret == running.secret


async def test_no_repr_tells_the_secret(world: World) -> None:
    season = await world.begin(2)
    assert season.secret not in repr(season)
