"""The course of a season: rounds, tables, points, and what becomes of those who leave."""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import replace

import pytest

from cogs.match.handovers import check_may_give
from cogs.match.refusals import Reason, Refused
from cogs.match.seasons import CLOCK, DAY
from cogs.match.tournament import drawn_rounds, standings
from data.records.match import Match, Status
from data.records.seasons import Season, SeasonStatus, SeasonTable, Unfinished
from data.store.database import OUT_OF_REACH
from data.store.schema import after_restore, mark_restored
from rules import GAMES
from rules.core.chance import table_secret
from tests.cogs.seasons.world import CHANNEL, OPENER, World, count
from tests.support.matches import refusal

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


@pytest.mark.parametrize("lost", OUT_OF_REACH)
@pytest.mark.parametrize("what", ["cogs.match.records.Records.record", "cogs.match.seasons.gone_now"])
async def test_a_database_that_is_away_is_no_damaged_match(
    world: World, monkeypatch: pytest.MonkeyPatch, what: str, lost: type[Exception]
) -> None:
    """Once it is back, the table counts as if nothing had been."""
    season = await world.begin(2)
    (table,) = season.in_round(1)
    match = await world.play(table.match or 0)

    async def away(*_: object) -> None:
        raise lost

    with monkeypatch.context() as during:
        during.setattr(what, away)
        with pytest.raises(lost):
            await world.advance()
    season = await world.advance()
    assert season.status is SeasonStatus.OVER
    assert sorted(points_by_user(season, season.tables[0])) == sorted(chair.player for chair in match.people)


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
        world.now = season.round_ends or 0
    else:
        await world.play(number)
    season = await world.advance()
    points = points_by_user(season, season.tables[0])
    assert points.pop(quitter) == 0, (way, points)
    assert min(points.values()) > 0
    assert quitter not in {season.entrants[place].user for place in season.tables[0].winners}


@pytest.mark.parametrize("unfinished", [Unfinished.LOSES, pytest.param(Unfinished.PLAYED_ON, marks=pytest.mark.long)])
async def test_no_player_gains_by_letting_the_others_wait(
    world: World, monkeypatch: pytest.MonkeyPatch, unfinished: Unfinished
) -> None:
    """One player lets the table wait for six days and moves just before the round ends: then another one is awaited."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: "5e" * size)  # in a deal of chance they might all draw
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
    world.now = season.round_ends or 0
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
