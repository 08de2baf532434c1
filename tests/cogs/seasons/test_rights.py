"""Who may do what in a season, also while the bot is away, and after data is deleted."""

from __future__ import annotations

from cogs.match.refusals import Reason
from cogs.match.seasons import DAY, IDLE, MOST_ENTRANTS
from cogs.match.tournament import standings
from data.records.seasons import Entrant, SeasonStatus
from rules import GAMES
from tests.cogs.seasons.world import GAME, GUILD, OPENER, World, count
from tests.support.matches import refusal, refused

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
    assert season.round == 1 and season.round_ends == world.now + DAY, "it can be played now"
    assert season.in_round(1)[0].match == 1


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
