"""What is remembered of a match that was played to its end: once, as its log says, and rated only if it counts."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cogs.match.deadlines import go_on, pause
from cogs.match.positions import steps
from cogs.match.records import MOST_SECONDS, decision_times
from cogs.match.undo import undo_alone
from data.records.match import Match, Status
from data.records.results import Result, Results
from data.store.backups import Backups, restore
from data.store.database import Database
from rules import GAMES
from rules.core.game import Outcome, Seat
from tests.cogs.house import ANN, BEN, GUILD, NAMES, NOON, House, rows
from tests.cogs.test_end import last_move, said, told
from tests.support.simulation import Simulation
from tests.support.table import Table
from tests.support.traits import nearest_seats


def is_rated(result: Result) -> bool:
    """Whether it was rated; all that belongs to a rating must agree."""
    rated = [at.points is not None and at.gain is not None for at in result.standings]
    assert rated == [result.rated] * len(rated)
    return result.rated


# When a match counts.


@pytest.mark.parametrize("people", [2, 3, 4])
async def test_it_counts_if_people_chose_it_and_played_it_to_the_end(house: House, people: int) -> None:
    match = await house.played(await house.begun(people=people))
    result = await house.recorded(match)
    assert is_rated(result)
    assert {at.user for at in result.standings} == set(list(NAMES)[:people])
    assert (result.match, result.guild, result.game, result.seats) == (match.id, GUILD, "sea_change", people)
    assert sum(at.gain or 0 for at in result.standings if at.rank == 1) > 0
    assert await rows(house, "SELECT month, count(*) FROM rating GROUP BY month") == [("", people), ("2026-11", people)]


@pytest.mark.parametrize("how", [{"rated": False}, {"computers": 1}, {"people": 1}])
async def test_it_does_not_count_if_it_is_friendly_or_has_a_computer_or_only_one_player(
    house: House, how: dict[str, int]
) -> None:
    if how == {"people": 1}:
        match = await house.begun(people=1)
    else:
        match = await house.begun(**how)  # type: ignore[arg-type]
    assert match.rated is how.get("rated", True)
    assert not is_rated(await house.recorded(await house.played(match)))


async def test_what_was_not_played_to_its_end_at_a_table_has_no_result(house: House) -> None:
    running = await house.played(await house.begun(), 3)
    over = await house.played(await house.begun())
    stopped = await house.service.save(replace(running, status=Status.STOPPED, ended_at=int(house.now)))
    lesson = await house.service.save(replace(over, lesson=True))
    for match in (running, stopped, lesson):
        assert await house.records.record(match) is None
    await house.records.catch_up()
    assert await rows(house, "SELECT * FROM result") == []


# Once.


async def test_a_result_is_stored_once_though_it_is_asked_for_often(house: House) -> None:
    match = await house.played(await house.begun())
    first, *others = await asyncio.gather(*(house.records.record(match) for _ in range(5)))
    assert first is not None and others == [first] * 4
    await house.records.catch_up()
    assert await house.records.record(match) == first == await house.results.of(match.id)
    assert await rows(house, "SELECT DISTINCT matches, base_matches FROM rating") == [(1, 0)]
    assert await rows(house, "SELECT DISTINCT of FROM tally WHERE kind = 'seat'") == [(1,)]


async def test_what_a_crash_left_out_is_recorded_at_the_next_start_in_the_order_of_the_ends(house: House) -> None:
    ended = []
    for _ in range(3):
        house.now += 100
        ended.append(await house.played(await house.begun()))
    again = House(house.base)
    await again.records.catch_up()
    assert await rows(house, "SELECT match FROM result ORDER BY number") == [(match.id,) for match in ended]
    assert await rows(house, "SELECT matches FROM rating WHERE month = ''") == [(3,), (3,)]
    assert await again.results.missing(10) == []


async def test_a_damaged_match_stays_without_and_the_others_get_theirs(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.match.records.AT_ONCE", 2)
    ended = [await house.played(await house.begun()) for _ in range(6)]
    unreadable, illegal, unfinished = ended[0], ended[1], ended[3]

    def damage(c: sqlite3.Connection) -> None:
        c.execute("UPDATE match SET state = '{' WHERE id = ?", (unreadable.id,))
        c.execute("UPDATE move SET text = 'B99' WHERE match = ? AND number = 0", (illegal.id,))
        c.execute("DELETE FROM move WHERE match = ? AND number > 2", (unfinished.id,))

    await house.base.write(damage)
    again = House(house.base)
    with caplog.at_level(logging.WARNING):
        await again.records.catch_up()
    whole = {match.id for match in ended} - {unreadable.id, illegal.id, unfinished.id}
    assert {number for (number,) in await rows(house, "SELECT match FROM result")} == whole
    told = "\n".join(caplog.messages)
    assert f"match {illegal.id} gets no result" in told and f"match {unfinished.id} gets no result" in told
    assert "B99" not in told


async def test_a_match_that_was_deleted_meanwhile_gets_no_result(house: House) -> None:
    match = await house.played(await house.begun())
    result = await house.recorded(match)
    await house.base.write(lambda c: c.execute("DELETE FROM match WHERE id = ?", (match.id,)).rowcount)
    assert await house.results.record(result) is None
    assert await rows(house, "SELECT * FROM standing") == []


# The time to move.


async def test_a_player_has_the_time_since_their_turn_began(house: House) -> None:
    match, spent = await house.begun(rated=False), {0: 0, 1: 0}
    counts = {0: 0, 1: 0}
    while match.status is Status.PLAYING:
        (seat,) = house.service.state(match).to_move()
        seconds = house.random.randrange(100)
        spent[seat] += seconds
        counts[seat] += 1
        match = await house.move(match, seconds=seconds)
    result = await house.recorded(match)
    assert {at.seat: (at.decisions, at.seconds) for at in result.standings} == {
        s: (counts[s], spent[s]) for s in (0, 1)
    }
    assert result.moves == sum(counts.values()) == match.moves


async def test_pauses_and_rests_are_no_ones_time(house: House) -> None:
    match = await house.move(await house.begun(), seconds=3)
    house.now += 10
    for user in (ANN, BEN):
        await house.membership.vote(match.id, user, "pause")
    house.now += 10_000
    for user in (ANN, BEN):
        await house.membership.vote(match.id, user, "resume")
    house.now += 20
    await pause(house.service, match.id)
    house.now += 50_000
    match = await go_on(house.service, match.id)
    match = await house.move(match, seconds=30)
    assert [move.took for move in await house.service.log(match.id)] == [3, 60]


async def test_the_time_of_computers_and_of_forced_moves_does_not_count(house: House) -> None:
    match = await house.begun(computers=1, people=1)
    seat = match.seat_of(ANN)
    while match.status is Status.PLAYING:
        match = await house.move(match, seconds=7)
    log = await house.service.log(match.id)
    assert {move.took for move in log if move.seat == seat} == {7}
    assert {move.took for move in log if move.seat != seat} == {None}
    own, computer = sorted((await house.recorded(match)).standings, key=lambda at: at.seat != seat)
    assert own.decisions == sum(move.seat == seat for move in log) and own.seconds == 7 * own.decisions
    assert (computer.user, computer.decisions, computer.seconds) == (None, 0, 0)
    other = await house.begun()
    (mover,) = house.service.state(other).to_move()
    async with house.service.deciding(other.id) as locked:
        move = house.service.state(locked).legal_moves(mover)[0]
        await house.service.make(locked, move, user=locked.chairs[mover].user, forced=True)
    assert [move.took for move in await house.service.log(other.id)] == [None]


async def times(house: House, match: Match) -> list[list[int]]:
    log = [move for move in await house.service.log(match.id) if move.undone_at is None]
    return decision_times(len(match.chairs), steps(house.service.game(match), match, log))


async def test_several_moves_of_one_turn_share_its_time(house: House) -> None:
    match = await house.first_round()
    (seat,) = house.service.state(match).to_move()
    before = await times(house, match)
    match = await house.move(match, seconds=10, but="end")
    match = (await house.service.play(match.id, match.chairs[seat].player, None, "end")).match
    assert [move.took for move in await house.service.log(match.id)][-2:] == [10, 10]
    assert (await times(house, match))[seat] == [*before[seat], 10, 0]


async def test_players_who_decide_at_once_all_have_the_time_since_they_were_asked(house: House) -> None:
    match = await house.begun("siege_of_sunfall", 3)
    assert house.service.state(match).to_move() == {0, 1, 2}
    match = await house.move(match, Seat(1), seconds=100)
    match = await house.move(match, Seat(1), seconds=40)  # seals again: no new decision
    match = await house.move(match, Seat(2), seconds=60)
    match = await house.move(match, Seat(0), seconds=7)
    assert await times(house, match) == [[207], [100], [200]]


async def test_a_decision_counts_at_most_a_month(house: House) -> None:
    match = await house.move(await house.begun(), seconds=MOST_SECONDS * 3)
    assert [seconds for own in await times(house, match) for seconds in own] == [MOST_SECONDS]


async def test_a_move_taken_back_is_no_decision(house: House) -> None:
    match = await house.first_round()
    (seat,) = house.service.state(match).to_move()
    before = await times(house, match)
    await house.move(match, seconds=10, but="end")
    house.now += 4
    await undo_alone(house.service, match.id, match.chairs[seat].player, None)
    match = await house.move(await house.service.load(match.id), seconds=5, but="end")
    assert (await times(house, match))[seat] == [*before[seat], 19]


# Places.


@pytest.mark.parametrize(
    ("winners", "scores", "lowest", "ranks"),
    [
        ({0}, (9, 5, 7), False, (1, 3, 2)),
        ({2}, (9, 5, 3), True, (3, 2, 1)),
        ({0, 1}, (9, 9, 3), False, (1, 1, 3)),
        ({1}, (9, 9, 9), False, (2, 1, 2)),
        ({2}, (4, 4, 9, 1), False, (2, 2, 1, 4)),
        (set(), (3, 5, 5), False, (4, 2, 2)),
        (set(), (3,), False, (2,)),
    ],
)
def test_winners_are_first_and_the_others_follow_by_score(
    winners: set[int], scores: Sequence[int], lowest: bool, ranks: Sequence[int]
) -> None:
    assert Outcome(frozenset(map(Seat, winners)), tuple(scores), "x").ranks(lowest) == ranks


@pytest.mark.parametrize("slug", GAMES)
async def test_each_game_ranks_its_winners_first_and_better_scores_higher(house: House, slug: str) -> None:
    match = await house.played(await house.begun(slug, nearest_seats(GAMES[slug], 3)))
    outcome, result = house.service.state(match).outcome(), await house.recorded(match)
    assert outcome is not None and is_rated(result)
    assert {at.seat for at in result.standings if at.rank == 1} == set(outcome.winners)
    assert tuple(at.score for at in result.standings) == outcome.scores
    others = sorted((at for at in result.standings if at.rank > 1), key=lambda at: at.rank)
    scores = [at.score for at in others]
    assert scores == sorted(scores, reverse=not GAMES[slug].lowest_wins)
    assert result.standings[0].honours == ("tall", "bold") and result.standings[1].honours == ()


async def test_a_team_is_one_side_with_one_place_and_one_change_of_rating(house: House) -> None:
    match = await house.played(await house.begun(people=4, options={"teams": "2v2"}))
    result = await house.recorded(match)
    assert is_rated(result)
    teams = GAMES["sea_change"].teams(4, match.options)
    assert tuple(at.side for at in result.standings) == teams and set(teams) == {0, 1}
    for side in (0, 1):
        own = [at for at in result.standings if at.side == side]
        assert len(own) == 2 and len({(at.rank, at.gain) for at in own}) == 1


async def test_a_lost_match_alone_has_no_winner(house: House) -> None:
    ranks = set()
    for _ in range(8):
        match = await house.played(await house.begun(people=1))
        outcome = house.service.state(match).outcome()
        (own,) = (await house.recorded(match)).standings
        assert own.rank == (1 if outcome.winners else 2)
        ranks.add(own.rank)
    assert 2 in ranks


# What players read, and what a backup keeps.


async def before_its_end(sim: Simulation, rated: bool = True, locale: str = "en-GB") -> Table:
    options = {"target": "1", "rated": "on" if rated else "off"}
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="end", options=options)
    await sim.service.save(replace(await sim.match(), locale=locale))
    await last_move(table)
    return table


@pytest.mark.parametrize(("locale", "line"), [("en-GB", "Ratings: "), ("de", "Wertung: ")])
@pytest.mark.parametrize("rated", [True, False])
async def test_the_message_at_the_end_tells_the_ratings_of_a_rated_match_alone(
    sim: Simulation, plain: None, locale: str, line: str, rated: bool
) -> None:
    table = await before_its_end(sim, rated, locale)
    await table.step(*await table.now())
    ((_, message),) = told(sim)
    text = said(message)
    result = await Results(sim.database).of(1)
    assert result is not None and result.rated is rated
    assert (line in text) is rated
    for at in result.standings:
        if rated:
            assert at.points is not None and at.gain is not None
            points = f"{at.points:,}".replace(",", "." if locale == "de" else ",")
            gain = f"+{at.gain}" if at.gain > 0 else f"−{-at.gain}"
            assert f"{points} ({gain})" in text


async def test_the_end_is_told_though_its_result_cannot_be_made(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await before_its_end(sim)
    records = sim.app.messages.records
    monkeypatch.setattr(records, "_honours", lambda *_: {}[0])
    await table.step(*await table.now())
    ((_, message),) = told(sim)
    assert "won!" in said(message) and "Ratings: " not in said(message)
    assert "match 1 gets no result: KeyError" in caplog.text
    monkeypatch.undo()
    await records.catch_up()
    assert await Results(sim.database).of(1) is not None


async def test_a_match_whose_end_was_told_without_its_result_gets_it_at_the_next_start(
    sim: Simulation, plain: None
) -> None:
    table = await before_its_end(sim)
    sim.app.messages.records = None
    await table.step(*await table.now())
    assert await Results(sim.database).of(1) is None
    await sim.restart()
    result = await Results(sim.database).of(1)
    assert result is not None and is_rated(result)


async def test_results_and_ratings_survive_a_backup_and_its_restoration(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    base = await Database.open(path)
    house = House(base)
    for _ in range(2):
        await house.recorded(await house.played(await house.begun(people=3)))
    tables = ("player", "result", "standing", "rating", "tally")
    before = {table: await rows(house, f"SELECT * FROM {table}") for table in tables}
    assert all(before.values())
    made = await Backups(base, path, 60, NOON.timestamp, lambda: True).make()
    await house.recorded(await house.played(await house.begun(people=3)))
    await base.close()
    restore(path, made, datetime.now(UTC))
    with closing(sqlite3.connect(path)) as c:
        after = {table: c.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    assert after == before
