"""No player of a rated match does better by leaving it, in whatever way, than by losing it, and no winner pays for it.

Each way begins one move before the end, when a player is about to lose; or at the first move, and the player is back
one move before the end, when their stand-in is about to win. What a lost match would have made of their rating is
reckoned apart.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
import pytest_asyncio

from cogs.match import deadlines
from cogs.match.clocks import away, clock_of, present
from cogs.match.deadlines import end_paused, go_on, pause
from cogs.match.duplicates import Duplicates
from cogs.match.membership import LONG_REST, LONG_WAIT
from cogs.match.rated import (
    MOST_TOGETHER,
    Uncounted,
    beginner,
    counts,
    left_often,
    may_not_leave_again,
    not_there,
    uncounted,
    why_no_rating,
    why_uncounted,
)
from cogs.match.refusals import PAUSE, Reason, Refused
from cogs.match.reminders import on_deadline, reminder_of
from cogs.match.seasons import gone_now, slowest
from cogs.match.time_controls import DAY, PRESETS
from cogs.match.undo import undo_alone
from cogs.match.votes import Voted
from data.records.hours import Hours
from data.records.match import NO_SEAT, Match, SeatChangeKind, Status
from data.records.privacy import Privacy
from data.records.ratings import Part, Strength, after
from data.records.terms import Terms
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES
from rules.core.game import AnyState, Move, Seat
from tests.cogs.test_records import ANN, BEN, CLEO, DORA, GUILD, House, rows
from tests.support.inside import stored_matches
from tests.support.matches import refusal
from tests.support.simulation import seed_secrets

EVE = 104
HOUR = 3600
TERMS = Terms(locale="en", rated=True)


async def why_not(house: House, match: Match) -> Uncounted | None:
    """Return why the match of that lobby would not count if it began now."""
    return await uncounted(house.service.index, match, int(house.service.now()))


@dataclass
class End:
    """A match one move before its end, in which `loser` is to move and will come last; or their stand-in would win."""

    house: House
    match: Match
    loser: int
    lost: int
    """The loser's points if they play on and lose."""

    @property
    def others(self) -> list[int]:
        return [chair.player for chair in self.match.people if chair.user != self.loser]

    async def load(self) -> Match:
        return await self.house.service.load(self.match.id)

    async def play_on(self, *, moves: int = 500, last_move: bool = True) -> None:
        """Play so many moves, to the end, or to the last move; computers play for those who are away. If no player is
        there, nothing happens.
        """
        match = await self.load()
        for _ in range(moves):
            if not match.running or not set(match.people) - set(away(match)):
                break
            seat = min(self.house.service.state(match).to_move())
            move = self.house.service.state(match).legal_moves(seat)[0]
            if not last_move and self.house.service.state(match).apply(move)[0].outcome():
                break
            user = match.chairs[seat].user
            if user is None or seat in {chair.number for chair in away(match)}:
                async with self.house.service.deciding(match.id) as locked:
                    match = (await self.house.service.make(locked, move, computer="friend 1")).match
            else:
                match = (await self.house.service.play(match.id, user, None, str(move))).match

    async def time_out(self) -> None:
        """Let the loser's time run out, with the extension."""
        while True:
            match = await self.load()
            if self.loser in {chair.user for chair in away(match)}:
                return
            seat = match.seat_of(self.loser)
            assert seat is not None
            clock = clock_of(match, seat)
            assert clock is not None and clock.due is not None
            self.house.now = clock.due
            assert await deadlines.ring(self.house.service, match.id, seat, clock.turn)

    async def come_back(self) -> None:
        """The loser sits at their seat again, if a computer plays there; a substitute leaves first."""
        seat = self.match.seat_of(self.loser)
        assert seat is not None
        user = (await self.load()).chairs[seat].user
        if user == self.loser:
            await self.house.service.back(self.match.id, self.loser)
            return
        if user is not None:
            await self.house.membership.give_seat_to_computer(self.match.id, user)
        await self.house.membership.come_back(self.match.id, self.loser, "Back")

    async def voted(self, user: int, text: str) -> Voted:
        return await self.house.membership.vote(self.match.id, user, text)

    async def vote(self, user: int, text: str) -> Match:
        return (await self.voted(user, text)).match

    async def points(self) -> dict[int | None, tuple[int, int]]:
        """The rating of each user and how many wins it counts, once the match is recorded."""
        match = await self.load()
        if not match.open:
            await self.house.records.record(match)
        sql = "SELECT player.user, points, wins FROM rating JOIN player ON id = player WHERE month = ''"
        return {user: (points, wins) for user, points, wins in await rows(self.house, sql)}  # type: ignore[misc]


NEW = Strength().points
Way = Callable[[End], Awaitable[Any]]


async def near_the_end(house: House, people: int, options: Mapping[str, str], clock: str = "day_1") -> End:
    """A match one move before its end. Matches that do not come to one stay open, and change nothing."""
    for _ in range(200):
        house.now += DAY  # of the same people only so many matches a day count
        match = await house.begun(people=people, options={**options, "clock": clock})
        game = GAMES[match.game]
        while match.status is Status.PLAYING:
            state = house.service.state(match)
            mover = min(state.to_move())
            outcome = state.apply(state.legal_moves(mover)[0])[0].outcome()
            if outcome is not None:
                ranks = outcome.ranks()
                if len(state.to_move()) == 1 and ranks[mover] == max(ranks) > min(ranks):
                    sides = game.teams(people, match.options) or tuple(range(people))
                    known = {seat: Strength() for seat in range(people)}
                    found = after(known, [Part(seat, sides[seat], ranks[seat]) for seat in range(people)])
                    return End(house, match, match.chairs[mover].player, found[mover].points)
                break
            match = await house.move(match)
    raise AssertionError("no such match")


async def near_a_win_of_a_stand_in(house: House, people: int, options: Mapping[str, str], way: Way) -> End:
    """A match whose loser goes this way at their first move, and is back one move before the end. Their stand-in would
    win it.
    """
    for _ in range(200):
        house.now += DAY
        match = await house.begun(people=people, options={**options, "clock": "day_1"})
        loser = min(house.service.state(match).to_move())
        end = End(house, match, match.chairs[loser].player, 0)
        await way(end)
        await end.play_on(last_move=False)
        state = house.service.state(await end.load())
        outcome = state.apply(state.legal_moves(min(state.to_move()))[0])[0].outcome()
        assert outcome is not None
        ranks = outcome.ranks()
        if ranks[loser] == 1 < max(ranks):
            sides = GAMES[match.game].teams(people, match.options) or tuple(range(people))
            parts = [Part(seat, sides[seat], ranks[seat], gone=seat == loser) for seat in range(people)]
            end.lost = after({seat: Strength() for seat in range(people)}, parts)[loser].points
            await end.come_back()
            return end
        async with house.service.deciding(match.id) as other:
            await house.service.save(replace(other, status=Status.CANCELLED, ended_at=int(house.now)))
    raise AssertionError("no such match")


# The ways. Each returns once its loser has done all they can; then the others do what they like.


async def honest(end: End) -> None:
    """Only plays on."""


async def hide(end: End) -> None:
    await end.house.service.people.change(end.loser, shows_history=False)
    await end.house.service.policy.change(GUILD, shows_history=False)


async def leave(end: End) -> None:
    await end.house.membership.give_seat_to_computer(end.match.id, end.loser)


async def hand_over(end: End) -> None:
    await end.house.service.people.meet(EVE, "Eve")
    await end.house.membership.offer_seat(end.match.id, end.loser, True)
    seat = end.match.seat_of(end.loser)
    assert seat is not None
    await end.house.membership.take_seat(end.match.id, EVE, "Eve", seat)


async def leave_and_come_back(end: End) -> None:
    await leave(end)
    await end.come_back()


async def leave_and_come_back_again(end: End) -> None:
    for _ in range(2):
        await leave_and_come_back(end)


async def leave_the_server_and_come_back_again(end: End) -> None:
    for _ in range(2):
        await end.house.membership.leave_with_server(end.match.id, end.loser)
        await end.come_back()


async def time_out(end: End) -> None:
    await end.time_out()


async def be_replaced(end: End) -> None:
    await end.time_out()
    for user in end.others:
        if (await end.load()).seat_of(end.loser) is not None:
            await end.vote(user, "replace")


async def be_removed(end: End) -> None:
    await end.time_out()
    for user in end.others:
        await end.vote(user, f"remove {end.loser}" if len(end.others) > 1 else "replace")
    assert (await end.load()).seat_of(end.loser) is None


async def delete_data(end: End) -> None:
    await leave(end)
    await Privacy(end.house.base, (stored_matches(end.house.service).forget,), ErasureLog(None)).erase(end.loser, 1)


async def delete_data_at_once(end: End) -> None:
    await Privacy(end.house.base, (stored_matches(end.house.service).forget,), ErasureLog(None)).erase(end.loser, 1)


async def want_the_end(end: End) -> None:
    assert (await end.vote(end.loser, "end")).status is Status.PLAYING


async def want_no_clock(end: End) -> None:
    assert (await end.vote(end.loser, "clock none")).clock == "day_1"


async def rest_for_ever(end: End) -> None:
    """All agree to a pause; the loser never votes to go on, and then never moves."""
    for user in (end.loser, *end.others):
        await end.vote(user, "pause")
    assert (await end.load()).rests_since is not None
    end.house.now += LONG_REST
    assert (await end.vote(end.others[0], "resume")).running
    await end.time_out()


async def throw_the_bot_out(end: End) -> None:
    await pause(end.house.service, end.match.id)
    end.house.now += PAUSE - 1
    await end_paused(end.house.service, end.match.id)
    await go_on(end.house.service, end.match.id)
    await end.time_out()


async def ask_to_undo(end: End) -> None:
    number = (await end.load()).moves - 1
    try:
        await end.vote(end.loser, f"undo {number}")
    except Refused as error:
        assert error.reason is Reason.NO_UNDO


WAYS = [
    honest,
    hide,
    leave,
    hand_over,
    leave_and_come_back,
    leave_and_come_back_again,
    leave_the_server_and_come_back_again,
    time_out,
    be_replaced,
    be_removed,
    delete_data,
    delete_data_at_once,
    want_the_end,
    want_no_clock,
    rest_for_ever,
    throw_the_bot_out,
    ask_to_undo,
]
FROM_THE_START = [leave, hand_over, time_out, be_replaced]
"""The ways in which others play for a player until the last move."""


async def play_on(end: End) -> None:
    await end.play_on()


async def end_it(end: End) -> None:
    """Those who are left end the match; if the loser is still there, they play on instead."""
    for user in end.others:
        match = await end.load()
        if match.open and end.loser not in {chair.user for chair in present(match)}:
            await end.vote(user, "end")
    await end.play_on()


async def leave_too(end: End) -> None:
    """Once the loser has gone, the others leave one after the other, and the last one has no other player."""
    others = end.others
    for user in others:
        match = await end.load()
        if match.open and {chair.user for chair in match.people} <= {*others}:  # no other player
            await end.house.membership.give_seat_to_computer(match.id, user)
    await end.play_on()


TABLES = [
    pytest.param(3, {}, id="three"),
    pytest.param(2, {}, id="two", marks=pytest.mark.long),
    pytest.param(4, {"teams": "2v2"}, id="teams", marks=pytest.mark.long),
]


@pytest_asyncio.fixture
async def house(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    seed_secrets(monkeypatch, request.node.name)
    base = await Database.open(":memory:")
    yield House(base)
    await base.close()


THENS = [play_on, end_it, leave_too]
BACK = [*THENS, leave]


@pytest.mark.parametrize(
    ("way", "then"),
    [
        pytest.param(way, then, marks=[] if (at + other) % len(THENS) == 0 else pytest.mark.long)
        for at, way in enumerate(WAYS)
        for other, then in enumerate(THENS)
    ],
    ids=lambda way: way.__name__,
)
@pytest.mark.parametrize(("people", "options"), TABLES)
async def test_no_way_out_is_better_than_losing(
    house: House, people: int, options: dict[str, str], way: Way, then: Way
) -> None:
    end = await near_the_end(house, people, options)
    assert counts(end.match)
    await way(end)
    await check_lost(end, then)


@pytest.mark.parametrize(
    ("way", "then"),
    [
        pytest.param(way, then, marks=[] if (at + other) % len(BACK) == 0 else pytest.mark.long)
        for at, way in enumerate(FROM_THE_START)
        for other, then in enumerate(BACK)
    ],
    ids=lambda way: way.__name__,
)
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
    user = match.chairs[min(house.service.state(match).to_move())].player
    end = End(house, match, user, 0)
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
    """In a friendly match more than half decide; a rated one removes no player who keeps it waiting for less than a
    day.
    """
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


async def refused_removal(house: House, match: Match, user: int, about: int) -> None:
    assert await refusal(house.membership.vote(match.id, user, f"remove {about}")) is Reason.NOT_REMOVABLE


async def remind(house: House, match: Match, seat: int) -> None:
    """Remind the player whom the table waits for: quiet hours and holidays would put that off."""
    async with house.service.deciding(match.id) as waiting:
        if (reminder := reminder_of(waiting, seat)) is not None:
            hours = house.service.hours_of
            await house.service.save(await on_deadline(waiting, seat, reminder.turn, house.now, hours) or waiting)


@pytest.mark.parametrize("clock", ["none", "day_1", "week"])
async def test_all_others_remove_a_player_who_keeps_a_rated_match_waiting(house: House, clock: str) -> None:
    """After a day without a time limit, or once the time is up; what they have voted is void with the player's move."""
    match = await house.begun(people=4, options={"clock": clock})
    seat = min(house.service.state(match).to_move())
    end = End(house, match, match.chairs[seat].player, 0)
    others = end.others
    house.now += DAY - 1
    await refused_removal(house, match, others[0], end.loser)
    house.now += 1
    await refused_removal(house, match, others[0], end.loser)
    await remind(house, match, seat)
    if clock != "none":
        await refused_removal(house, match, others[0], end.loser)
        await end.time_out()
    for user in others[:2]:
        voted = await house.membership.vote(match.id, user, f"remove {end.loser}")
        assert (voted.done, voted.needed) == (False, 3)
        await refused_removal(house, match, user, others[2])
    if clock == "day_1":
        await house.service.back(match.id, end.loser)
    else:
        await house.service.play(match.id, end.loser, None, str(house.service.state(match).legal_moves(seat)[0]))
    match = await end.load()
    assert not match.proposals and not await house.service.votes(match.id)
    await refused_removal(house, match, others[2], end.loser)
    while seat not in house.service.state(match).to_move():
        match = await house.move(match)
    if clock == "none":
        house.now += DAY
        await remind(house, match, seat)
    else:
        await end.time_out()
    found = [await end.voted(user, f"remove {end.loser}") for user in others[::-1]]
    assert [voted.done for voted in found] == [False, False, True], "all vote again"
    assert found[-1].match.former_seat(end.loser) is not None


@pytest.mark.parametrize("first", range(7))
async def test_a_player_who_is_hardly_ever_there_is_removable_after_four_days(
    house: House, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Quiet hours and days off put the reminder after a day off by three days in all."""

    async def hours(user: int) -> Hours:
        return Hours("UTC", (0, 16 * 60), frozenset((first + day) % 7 for day in range(4)))

    monkeypatch.setattr(house.service, "hours_of", hours)
    match = await house.begun(people=3, options={"clock": "none"})
    seat = min(house.service.state(match).to_move())
    begun, about = house.now, match.chairs[seat].player
    while not (waits := reminder_of(await house.service.load(match.id), seat)) or not waits.sent:
        assert waits is not None and waits.due is not None
        house.now = waits.due
        await remind(house, match, seat)
    assert DAY <= house.now - begun <= 4 * DAY
    voter = next(chair.player for chair in match.people if chair.number != seat)
    assert not (await house.membership.vote(match.id, voter, f"remove {about}")).done


async def test_a_day_of_a_pause_is_no_day_of_waiting(house: House) -> None:
    match = await house.begun(people=3, options={"clock": "none"})
    seat = min(house.service.state(match).to_move())
    end = End(house, match, match.chairs[seat].player, 0)
    for user in (ANN, BEN, CLEO):
        await end.vote(user, "pause")
    house.now += 2 * DAY
    await refused_removal(house, match, end.others[0], end.loser)
    for user in end.others:
        await end.vote(user, "resume")
    house.now += DAY - 1
    await refused_removal(house, match, end.others[0], end.loser)


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


async def test_no_manager_calls_off_a_rated_match_that_has_begun(house: House) -> None:
    """A manager who does not play in it may be a friend of those who are behind."""
    match = await house.begun(people=3)
    await house.membership.give_seat_to_computer(match.id, BEN)
    for user in (ANN, BEN, DORA):
        assert await refusal(house.lobby.cancel(match.id, user, manager=True)) is Reason.CANCEL_COUNTED
    assert (await house.service.load(match.id)).running
    friendly = await house.begun(rated=False)
    assert (await house.lobby.cancel(friendly.id, ANN, manager=True)).status is Status.CANCELLED


async def test_a_manager_gives_no_seat_of_a_rated_match_whose_player_is_there_and_keeps_no_table_waiting(
    house: House,
) -> None:
    """They would be last for it. One who has left the server, or is away, can be taken out; the match tells by whom."""
    for is_gone in (False, True):
        match = await house.begun(people=3, options={"clock": "day_1"})
        slow = min(house.service.state(match).to_move())
        end = End(house, match, match.chairs[slow].player, 0)
        for user in (end.loser, *end.others):
            assert await refusal(house.membership.give_seat_of(match.id, EVE, user, "Eve")) is Reason.GIVE_COUNTED
        assert await end.load() == match
        if not is_gone:
            await end.time_out()
        given = await house.membership.give_seat_of(match.id, EVE, end.loser, "Eve", is_gone=is_gone)
        told = [(change.seat, change.kind, change.user, change.name) for change in given.seat_changes]
        assert told[0] == (NO_SEAT, SeatChangeKind.GAVE, EVE, "Eve")
        assert [of[:3] for of in told[1:]] == [(slow, SeatChangeKind.GIVEN, end.loser)]
        assert [beginner(given, chair.number) for chair in given.chairs] == [c.player for c in match.chairs]
        assert not_there(given) == {slow}
    friendly = await house.begun(people=3, rated=False)
    assert (await house.membership.give_seat_of(friendly.id, EVE, ANN, "Eve")).seat_of(ANN) is None


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
    """Its result may be made later: of duplicates once all tables are over, of seasons at the next look, or after a
    crash.
    """
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


async def test_a_match_of_people_counts_though_computers_play_for_all_but_one_later(house: House) -> None:
    match = await house.begun(people=3)
    for user in (BEN, CLEO):
        await house.membership.give_seat_to_computer(match.id, user)
    result = await house.recorded(await house.played(await house.service.load(match.id)))
    gains = {at.beginner or at.user: at.gain or 0 for at in result.standings}
    assert gains[ANN] > 0 > gains[BEN] == gains[CLEO]


async def test_a_match_whose_deals_others_have_too_does_not_count(house: House) -> None:
    """A friend at the other table would see the opponent's cards."""
    for user, name in ((ANN, "Ann"), (BEN, "Ben")):
        await house.service.people.meet(user, name)
    match = await house.lobby.open("sea_change", guild=GUILD, channel=10, user=ANN, name="Ann", terms=TERMS)
    assert await why_not(house, await house.lobby.join(match.id, BEN, "Ben")) is None
    await Duplicates(house.service, house.lobby).open(match.id, ANN, "Ann")
    assert await why_not(house, await house.service.load(match.id)) is Uncounted.DUPLICATE


async def test_who_left_first_is_last_whichever_player_leaves_last(house: House) -> None:
    """A second account takes the seat of the first, waits until the opponent has gone too, and then leaves."""
    match = await house.begun(people=2)
    await house.membership.give_seat_to_computer(match.id, ANN)
    await house.service.people.meet(9, "Second")
    seat = match.seat_of(ANN)
    await house.membership.take_seat(match.id, 9, "Second", seat)
    await house.membership.give_seat_to_computer(match.id, BEN)
    found = await house.membership.give_seat_to_computer(match.id, 9)
    assert not_there(found) == {seat}


async def test_to_delete_ones_data_does_not_begin_the_limit_again(house: House) -> None:
    for _ in range(MOST_TOGETHER):
        await house.service.people.meet(BEN, "Ben")
        match = await house.played(await house.begun(people=2))
        await house.recorded(match)
        forget = (stored_matches(house.service).forget, house.service.people.forget)
        await Privacy(house.base, forget, ErasureLog(None)).erase(BEN, house.now)
    match = await house.lobby.open("sea_change", guild=GUILD, channel=10, user=ANN, name="Ann", terms=TERMS)
    await house.service.people.meet(BEN, "Ben")
    assert await why_not(house, await house.lobby.join(match.id, BEN, "Ben")) is Uncounted.OFTEN


async def test_a_rest_is_no_time_for_which_a_table_waits_for_a_player(house: House) -> None:
    """Else a player who slept on a move could agree to a rest in the other's turn, and not to its end."""
    match = await house.begun(people=2, options={"clock": "none"})
    slow = min(house.service.state(match).to_move())
    house.now += DAY // 2
    while slow in house.service.state(match).to_move():
        match = await house.move(match)
    house.now += HOUR
    for user in (ANN, BEN):
        await house.membership.vote(match.id, user, "pause")
    house.now += 7 * DAY
    assert await slowest(house.service, await house.service.load(match.id)) == {slow}


FRIENDS = range(301, 309)
"""Users who take a seat over, one after the other."""


async def hand_on(house: House, match: Match, seat: int, user: int) -> Match:
    await house.service.people.meet(user, "Friend")
    holder = (await house.service.load(match.id)).chairs[seat].player
    await house.membership.offer_seat(match.id, holder, True)
    return await house.membership.take_seat(match.id, user, "Friend", seat)


@pytest.mark.parametrize("clock", ["day_1", "week", "live_2"])
async def test_a_chain_of_substitutes_has_the_time_of_one(house: House, clock: str) -> None:
    """The first has a turn's time, each of the others what is left, and an hour, or an extension, if none is."""
    terms = PRESETS[clock]
    match = await house.begun(people=2, options={"clock": clock})
    seat = min(house.service.state(match).to_move())

    async def left(user: int) -> int:
        running = clock_of(await hand_on(house, match, seat, user), seat)
        assert running is not None and running.ends is not None
        return running.ends - house.now

    house.now += terms.turn + terms.reserve
    assert await left(FRIENDS[0]) == terms.turn
    house.now += terms.turn // 2
    assert await left(FRIENDS[1]) == terms.turn - terms.turn // 2
    house.now += terms.turn - terms.turn // 2
    for user in FRIENDS[2:]:
        assert await left(user) == min(HOUR, terms.extension)
        house.now += min(HOUR, terms.extension)
    match = await house.service.load(match.id)
    for _ in range(2):
        match = await house.move(match)
        while seat not in house.service.state(match).to_move():
            match = await house.move(match)
    assert await left(EVE) >= terms.turn, "a substitute who has made moves hands on a new wait"


async def test_a_chain_of_substitutes_is_removed_like_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a time limit the others may remove a player for whom they have waited for a day. All but the first have
    holidays.
    """

    async def hours(user: int) -> Hours:
        return Hours(holidays=((date(2000, 1, 1), date(2100, 1, 1)),)) if user in FRIENDS[1:] else Hours()

    monkeypatch.setattr(house.service, "hours_of", hours)
    match = await house.begun(people=4, options={"clock": "none"})
    seat = min(house.service.state(match).to_move())
    others = [chair.player for chair in match.people if chair.number != seat]
    house.now += DAY
    for number, user in enumerate(FRIENDS):
        match = await hand_on(house, match, seat, user)
        house.now += HOUR - 1 if number else DAY - 1
        await remind(house, match, seat)
        await refused_removal(house, match, others[0], user)
        house.now += 1
        await remind(house, match, seat)
    for other in others:
        match = (await house.membership.vote(match.id, other, f"remove {FRIENDS[-1]}")).match
    assert match.chairs[seat].user is None


async def test_the_seat_of_a_player_who_was_away_is_kept_for_them(house: House) -> None:
    """Else a friend of the opponent takes it, sees that hand, and the player cannot come back."""
    match = await house.begun(people=2, options={"clock": "live_2"})
    seat = min(house.service.state(match).to_move())
    user = match.chairs[seat].player
    end = End(house, match, user, 0)
    await end.time_out()
    (other,) = end.others
    await house.membership.vote(match.id, other, "replace")
    match = await end.load()
    assert match.chairs[seat].user is None
    await house.service.people.meet(EVE, "Eve")
    assert await refusal(house.membership.take_seat(match.id, EVE, "Eve", seat)) is Reason.SEAT_KEPT
    assert (await house.membership.come_back(match.id, user, "back")).chairs[seat].user == user
