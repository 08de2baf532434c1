"""No player of a rated match does better by leaving it, in whatever way, than by losing it, and no winner pays for it.

Each way begins one move before the end, when a player is about to lose; or at the first move, and the player is back
one move before the end, when their stand-in is about to win. What a lost match would have made of their rating is
reckoned apart.
"""

from __future__ import annotations

import pytest

from cogs.match.deadlines import end_paused, pause
from cogs.match.membership import LONG_WAIT
from cogs.match.rated import Uncounted, counts, left_often, may_not_leave_again, not_there, why_no_rating, why_uncounted
from cogs.match.refusals import PAUSE, Reason, Refused
from cogs.match.seasons import gone_now
from cogs.match.time_controls import DAY, PRESETS
from cogs.match.undo import undo_alone
from data.records.match import Match, Status
from data.records.ratings import Part, Strength, after
from rules.core.game import AnyState, Move, Seat
from tests.cogs.house import ANN, BEN, CLEO, DORA, GUILD, House, rows
from tests.cogs.quitting import (
    EVE,
    FROM_THE_START,
    HOUR,
    WAYS,
    End,
    Way,
    end_it,
    hand_over,
    leave,
    leave_and_come_back,
    leave_too,
    near_a_win_of_a_stand_in,
    near_the_end,
    play_on,
    refused_removal,
    remind,
    time_out,
    waited_for,
)
from tests.support.matches import refusal

NEW = Strength().points

TABLES = [
    pytest.param(3, {}, id="three"),
    pytest.param(2, {}, id="two", marks=pytest.mark.long),
    pytest.param(4, {"teams": "2v2"}, id="teams", marks=pytest.mark.long),
]


THENS = [play_on, end_it, leave_too]
BACK = [*THENS, leave]


def crossed(ways: list[Way], thens: list[Way]) -> pytest.MarkDecorator:
    """Each way with each that follows; in a run that is not long each way once."""
    found = [
        pytest.param(way, then, marks=[] if (at + other) % len(thens) == 0 else pytest.mark.long)
        for at, way in enumerate(ways)
        for other, then in enumerate(thens)
    ]
    return pytest.mark.parametrize(("way", "then"), found, ids=lambda way: way.__name__)


@crossed(WAYS, THENS)
@pytest.mark.parametrize(("people", "options"), TABLES)
async def test_no_way_out_is_better_than_losing(
    house: House, people: int, options: dict[str, str], way: Way, then: Way
) -> None:
    end = await near_the_end(house, people, options)
    assert counts(end.match)
    await way(end)
    await check_lost(end, then)


@crossed(FROM_THE_START, BACK)
@pytest.mark.parametrize(("people", "options"), TABLES)
async def test_no_way_back_brings_what_a_stand_in_has_won(
    house: House, people: int, options: dict[str, str], way: Way, then: Way
) -> None:
    end = await near_a_win_of_a_stand_in(house, people, options, way)
    await (leave(end) if then is leave else then(end))
    await check_lost(end, play_on)


async def check_lost(end: End, then: Way) -> None:
    """Let the others do what they like, and check that the loser has lost, and no other player instead."""
    assert counts(await end.load()), "nothing that happens in a match decides whether it counts"
    await then(end)
    match, found = await end.load(), await end.points()
    assert not match.open and len(found) >= len(match.chairs)
    theirs = found.get(end.loser, found.get(None))
    assert theirs is not None and theirs[0] <= end.lost < NEW and theirs[1] == 0
    others = {user: found[user] for user in found if user not in (end.loser, None)}
    assert EVE not in others, "a substitute is not rated"
    assert max(points for points, _ in others.values()) >= NEW
    if len(match.chairs) == 2:
        assert [wins for _, wins in others.values()] == [1]


@pytest.mark.parametrize(("moves", "kept"), [(1, True), (3, True), (9, False)])
@pytest.mark.parametrize("way", FROM_THE_START, ids=lambda way: way.__name__)
async def test_a_player_who_is_away_for_one_decision_keeps_their_result(
    house: House, way: Way, moves: int, kept: bool
) -> None:
    """Of three players one decides in every third move. Who lets others make more than one in ten is last."""
    match = await house.begun(people=3, options={"clock": "day_1"})
    end = waited_for(house, match)
    await way(end)
    await end.play_on(moves=moves)
    await end.come_back()
    await end.play_on()
    result = await house.recorded(await end.load())
    assert [at.gone for at in result.standings].count(True) == (not kept)
    ranks = {seat: at.rank for seat, at in enumerate(result.standings)}
    fair = after({seat: Strength() for seat in ranks}, [Part(seat, seat, ranks[seat]) for seat in ranks])
    assert ([at.points for at in result.standings] == [fair[seat].points for seat in ranks]) is kept


async def test_a_player_whose_time_runs_out_again_and_again_is_last_though_they_are_back(house: House) -> None:
    """Else a computer would make each hard decision for them."""
    match = await house.begun(people=2, options={"clock": "live_2"})
    end = End(house, match, match.chairs[0].player, 0)
    for _ in range(4):
        await end.play_on(moves=4)
        while match.seat_of(end.loser) not in house.service.state(await end.load()).to_move():
            await end.play_on(moves=1)
        await time_out(end)
        await end.play_on(moves=2)
        await end.come_back()
    await end.play_on()
    result = await house.recorded(await end.load())
    assert [seat for seat, at in enumerate(result.standings) if at.gone] == [match.seat_of(end.loser)]


@pytest.mark.parametrize("own", [0, 1, 2, 3])
async def test_to_seal_again_and_again_makes_no_more_decisions(house: House, own: int) -> None:
    """Of four decisions a player must have made three. They make so many, and seal the last one again and again."""
    match = await house.begun("siege_of_sunfall", people=3, options={"clock": "day_1"})
    seat = Seat(match.seat_of(BEN) or 0)
    stored, decided = await house.service.load(match.id), 0
    while decided < 4:
        state = house.service.state(stored)
        mover = seat if seat in state.to_move() else min(state.to_move())
        move = str(state.legal_moves(mover)[0])
        if mover == seat and decided >= own:
            async with house.service.deciding(match.id) as locked:
                stored = (await house.service.make(locked, state.legal_moves(mover)[0], computer="friend 1")).match
        else:
            stored = (await house.service.play(match.id, match.chairs[mover].player, None, move)).match
        decided += mover == seat
        for again in range(9 if mover == seat and decided == 4 else 0):
            state = house.service.state(stored)
            if seat in state.to_move() or not (others := state.legal_moves(seat)):
                break
            stored = (await house.service.play(match.id, BEN, None, str(others[again % len(others)]))).match
    log = [move.user for move in await house.service.log(match.id) if move.seat == seat]
    assert len(log) == 4 + 9 and 2 * log.count(BEN) > len(log)
    assert (seat in await gone_now(house.service, stored)) is (own + 1 < 3)


async def test_all_who_are_there_may_end_a_match_together_and_nothing_counts(house: House) -> None:
    end = await near_the_end(house, 3, {})
    for user in end.others:
        assert (await end.vote(user, "end")).open, "however many are against the one who is left"
    assert not (await end.vote(end.loser, "end")).open
    assert await end.points() == {} and why_no_rating(await end.load()) == "agreed"
    await house.records.catch_up()
    assert await rows(house, "SELECT * FROM result") == []


@pytest.mark.parametrize("text", ["end", "pause", "clock live_2", "clock none", "remove"])
async def test_those_who_are_behind_do_not_outvote_the_others(house: House, text: str) -> None:
    """In a friendly match more than half decide; a rated one removes no player who is waited for less than a day."""
    for rated in (True, False):
        match = await house.begun(people=4, rated=rated, options={"clock": "day_1"})
        text = f"remove {DORA}" if text == "remove" else text
        if rated and "remove" in text:
            for user in (ANN, BEN, CLEO):
                await refused_removal(house, match, user, DORA)
            continue
        for user in (ANN, BEN):
            voted = await house.membership.vote(match.id, user, text)
            assert not voted.done and voted.needed == (4 if rated else 3)
        assert (await house.membership.vote(match.id, CLEO, text)).done is not rated


# Each is what a player of whom a table waits for the one decision may do once a day, in one or several presses.


async def step_and_step_back(end: End) -> None:
    """Make a move that does not end the turn, or take it back."""
    service, match = end.house.service, await end.load()
    seat = Seat(match.seat_of(end.loser) or 0)
    if await service.person_may_take_back(match, seat):
        await undo_alone(service, match.id, end.loser, None)
    state = service.state(match)
    await service.play(match.id, end.loser, None, str(next(m for m in state.legal_moves(seat) if stays(state, m))))


async def end_the_turn_and_take_it_back(end: End) -> None:
    service, match = end.house.service, await end.load()
    seat = Seat(match.seat_of(end.loser) or 0)
    state = service.state(match)
    for move in state.legal_moves(seat):
        after = state.apply(move)[0]
        if seat not in after.to_move() and after.may_take_back(seat):
            await service.play(match.id, end.loser, None, str(move))
            await undo_alone(service, match.id, end.loser, None)
            return
    raise AssertionError("no end of the turn")


async def rest_and_go_on(end: End) -> None:
    """All others agree to a rest of a minute, as they may have reason to."""
    for text in ("pause", "resume"):
        users = (end.loser, *end.others)
        for user in users if text == "pause" else users[:2]:
            await end.vote(user, text)
        end.house.now += 60


def stays(state: AnyState, move: Move) -> bool:
    """Return whether the seat of that move is in the same turn after it, and can take it back."""
    after = state.apply(move)[0]
    return move.seat in after.to_move() and after.may_take_back(move.seat)


STALLS = [step_and_step_back, end_the_turn_and_take_it_back, leave_and_come_back, rest_and_go_on]


@pytest.mark.parametrize("stall", STALLS, ids=lambda way: way.__name__)
async def test_no_press_of_ones_own_makes_a_table_wait_for_longer(house: House, stall: Way) -> None:
    """The others remove the player within three days, whatever they do every 20 hours."""
    match = await house.begun("photosynthesis", people=3, options={"clock": "none"})
    while True:
        (seat,) = (state := house.service.state(match)).to_move()
        if any(stays(state, move) for move in state.legal_moves(seat)):
            break
        match = await house.move(match)
    end, began = End(house, match, match.chairs[seat].player, 0), house.now
    while house.now < began + 3 * DAY:
        house.now += 20 * HOUR
        if stall is not end_the_turn_and_take_it_back or house.now < began + DAY * 2.5:
            await stall(end)
        for _ in range(4):
            house.now += HOUR
            await remind(house, await end.load(), seat)
            try:
                for user in end.others:
                    found = await end.vote(user, f"remove {end.loser}")
            except Refused as error:
                assert error.reason is Reason.NOT_REMOVABLE
                continue
            assert found.former_seat(end.loser) is not None and found.chairs[seat].user is None
            return
    raise AssertionError(f"still there: {await end.load()}")


async def test_a_removed_player_and_one_who_is_away_are_last_and_the_others_follow_how_it_ended(house: House) -> None:
    match = await house.begun(people=4, options={"clock": "none"})
    while (seat := match.seat_of(DORA)) not in house.service.state(match).to_move():
        match = await house.move(match)
    house.now += DAY
    await remind(house, match, seat or 0)
    for user in (ANN, BEN, CLEO):
        await house.membership.vote(match.id, user, f"remove {DORA}")
    assert (await house.service.load(match.id)).chairs[seat].user is None
    match = await house.played(await house.service.load(match.id))
    result = await house.recorded(match)
    gains = {at.beginner or at.user: at.gain or 0 for at in result.standings}
    ranks = {at.user: at.rank for at in result.standings if at.user is not None}
    assert gains.keys() == {ANN, BEN, CLEO, DORA} and min(gains.values()) == gains[DORA]
    assert sorted(ranks, key=lambda user: ranks[user]) == sorted(ranks, key=lambda user: -gains[user])
    assert sum(gain > 0 for gain in gains.values()) >= 1


async def keep_the_bot_out(end: End) -> Match:
    """The bot is removed from the server, and stays away."""
    await pause(end.house.service, end.match.id)
    end.house.now += PAUSE
    return await end_paused(end.house.service, end.match.id)


async def test_a_rated_match_that_the_bots_pause_ends_counts_only_if_a_player_had_gone(house: House) -> None:
    end = await near_the_end(house, 3, {})
    match = await keep_the_bot_out(end)
    assert match.ending == "away" and why_no_rating(match) is Uncounted.AWAY and await end.points() == {}
    for way in (leave, time_out, hand_over):
        end = await near_the_end(house, 3, {})
        await way(end)
        match = await keep_the_bot_out(end)
        assert why_no_rating(match) is None
        result = await house.recorded(match)
        assert result.early and [at.seat for at in result.standings if at.gone] == [end.match.seat_of(end.loser)]
        assert {at.rank for at in result.standings if not at.gone} == {1}


async def test_a_player_who_leaves_a_rated_match_twice_is_last_though_they_are_back(house: House) -> None:
    """One return is free. Who plays most of the decisions does not matter."""
    match = await house.begun(people=2, options={"clock": "day_1"})
    seat = match.seat_of(ANN) or 0
    out = house.membership.give_seat_to_computer
    for number in range(2):
        assert may_not_leave_again(await house.service.load(match.id), seat) is (number > 0)
        assert left_often(await out(match.id, ANN)) == ({seat} if number else set())
        back = await house.membership.come_back(match.id, ANN, "Ann")
        if not number:
            assert not left_often(back) and seat not in await gone_now(house.service, back)
    assert left_often(back) == {seat} and not not_there(back)
    result = await house.recorded(await house.played(back))
    assert [at.seat for at in result.standings if at.gone] == [seat]


async def test_a_player_who_never_moves_gets_a_time_limit_by_one_vote_and_then_loses(house: House) -> None:
    end = await near_the_end(house, 2, {}, clock="none")
    house.now += LONG_WAIT
    assert (await end.vote(end.loser, "clock day_1")).clock == "none", (
        "the player for whom it waits gives themselves time"
    )
    assert (await end.vote(end.others[0], "clock day_1")).clock == "day_1"
    await end.time_out()
    await end.play_on()
    found = await end.points()
    assert found[end.loser] == (end.lost, 0) and found[end.others[0]][0] > NEW


@pytest.mark.parametrize(
    ("clocks", "lone"), [("", "day_1"), ("day_1", "day_1"), ("day_3 week", "day_3"), ("live_2", "")]
)
async def test_one_vote_sets_the_shortest_limit_of_days_and_no_other(house: House, clocks: str, lone: str) -> None:
    """Two friends of three could else give one of them a week for each move."""
    match = await house.begun(people=3, options={"clock": "none"})
    await house.service.policy.change(GUILD, clocks=tuple(clocks.split()))
    house.now += LONG_WAIT
    waited = min(house.service.state(match).to_move())
    user = match.chairs[(waited + 1) % 3].player
    for terms in sorted({name for name, limit in PRESETS.items() if limit.turn} - {lone}, reverse=True):
        try:
            voted = await house.membership.vote(match.id, user, f"clock {terms}")
        except Refused as refused:
            assert refused.reason is Reason.CLOCK_NOT_HERE and clocks and terms not in clocks.split()
        else:
            assert (voted.done, voted.match.clock) == (False, "none"), terms
    if lone:
        assert (await house.membership.vote(match.id, user, f"clock {lone}")).match.clock == lone


@pytest.mark.parametrize("then", [play_on, end_it], ids=lambda way: way.__name__)
async def test_no_player_is_back_once_a_match_is_over(house: House, then: Way) -> None:
    """Its result may be made later: of duplicates when all are over, of seasons at the next look, or after a crash."""
    end = await near_the_end(house, 2, {})
    await end.time_out()
    await then(end)
    over = await end.load()
    assert not over.open
    await house.service.back(over.id, end.loser)
    seat = over.chairs[over.seat_of(end.loser) or 0]
    assert await refusal(house.service.play(over.id, end.loser, None, "play x")) is Reason(f"is_{over.ending}")
    assert (await end.load()) == over and seat.number in await gone_now(house.service, over)
    assert (await end.points())[end.loser] == (end.lost, 0)


async def test_the_result_of_those_who_were_left_is_made_up_for_after_a_crash(house: House) -> None:
    end = await near_the_end(house, 2, {})
    await end.time_out()
    match = await end.vote(end.others[0], "end")
    assert match.status is Status.STOPPED
    again = House(house.base)
    await again.records.catch_up()
    result = await again.results.of(match.id)
    assert result is not None and result.early and {at.score for at in result.standings} == {0}
    assert await again.results.missing(10) == []
    assert await rows(house, "SELECT * FROM tally") == []


# Matches of version 0.2.0.


async def test_a_match_that_began_before_counts_if_only_people_sat_there_from_its_beginning(house: House) -> None:
    for computers, counted in ((0, True), (1, False)):
        match = await house.begun(computers=computers)
        await house.base.write(lambda c: c.execute("UPDATE match SET uncounted = NULL").rowcount)
        house = House(house.base)
        match = await house.service.load(match.id)
        assert counts(match) is counted and why_uncounted(match) == (None if counted else "computers")
        await house.membership.give_seat_to_computer(match.id, BEN)
        match = await house.played(await house.service.load(match.id))
        assert counts(match) is counted and (await house.recorded(match)).rated is counted
