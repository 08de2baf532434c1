"""The ways in which a player can get out of a rated match that they are about to lose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cogs.match import deadlines
from cogs.match.clocks import away, clock_of, present
from cogs.match.deadlines import end_paused, go_on, pause
from cogs.match.membership import LONG_REST
from cogs.match.refusals import PAUSE, Reason, Refused
from cogs.match.reminders import on_deadline, reminder_of
from cogs.match.time_controls import DAY
from cogs.match.votes import Voted
from data.records.match import Match, Status
from data.records.privacy import Privacy
from data.records.ratings import Part, Strength, after
from data.store.erasure_log import ErasureLog
from rules import GAMES
from tests.cogs.house import GUILD, House, rows
from tests.support.inside import stored_matches
from tests.support.matches import refusal

EVE = 104
HOUR = 3600


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
            clock = clock_of(match, seat)
            assert clock is not None and clock.due is not None
            self.house.now = clock.due
            assert await deadlines.ring(self.house.service, match.id, seat, clock.turn)

    async def come_back(self) -> None:
        """The loser sits at their seat again, if a computer plays there; a substitute leaves first."""
        seat = self.match.seat_of(self.loser)
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
        return {user: (points, wins) for user, points, wins in await rows(self.house, sql)}


def waited_for(house: House, match: Match) -> End:
    """The match as an end for the player whom it waits for, of whatever position it has."""
    return End(house, match, match.chairs[min(house.service.state(match).to_move())].player, 0)


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
    """A match whose loser goes this way at their first move, and is back one move before their stand-in's win."""
    for _ in range(200):
        house.now += DAY
        match = await house.begun(people=people, options={**options, "clock": "day_1"})
        loser = min(house.service.state(match).to_move())
        end = End(house, match, match.chairs[loser].player, 0)
        await way(end)
        await end.play_on(last_move=False)
        state = house.service.state(await end.load())
        outcome = state.apply(state.legal_moves(min(state.to_move()))[0])[0].outcome()
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
    *(honest, hide, leave, hand_over, leave_and_come_back, leave_and_come_back_again),
    *(leave_the_server_and_come_back_again, time_out, be_replaced, be_removed, delete_data, delete_data_at_once),
    *(want_the_end, want_no_clock, rest_for_ever, throw_the_bot_out, ask_to_undo),
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


async def refused_removal(house: House, match: Match, user: int, about: int) -> None:
    assert await refusal(house.membership.vote(match.id, user, f"remove {about}")) is Reason.NOT_REMOVABLE


async def remind(house: House, match: Match, seat: int) -> None:
    """Remind the player whom the table waits for: quiet hours and holidays would put that off."""
    async with house.service.deciding(match.id) as waiting:
        if (reminder := reminder_of(waiting, seat)) is not None:
            hours = house.service.hours_of
            await house.service.save(await on_deadline(waiting, seat, reminder.turn, house.now, hours) or waiting)
