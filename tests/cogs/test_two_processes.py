"""Two processes of the bot on one PostgreSQL database: what a player may do once is done once, though each process
looks before the other one has stored.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match import deadlines, lobby
from cogs.match.clocks import clock_of
from cogs.match.coaching import Coaching
from cogs.match.duplicates import Duplicates
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.match.table_options import set_seat_preferences
from cogs.runtime.holdings import Holdings
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.clock_worker import GRACE, HEARTBEAT, ClockWorker
from cogs.transport.pings import Pings
from data.records.hours import Hours, PeopleHours
from data.records.key_values import KeyValues
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People, PingPreference
from data.store.database import Database
from rules import GAMES
from tests.support.inside import database_of
from tests.support.matches import begun, mover, play, refusal
from tests.support.matches import lobby as opened
from tests.support.table import fast_computers

NOW = 1_795_000_000
ANN, BEN, CEM, DAN, EVE = PEOPLE = range(100, 105)


class Process:
    def __init__(self, base: Database) -> None:
        self.hours = PeopleHours(base)
        self.service = MatchService(Matches(base), People(base), GAMES, hours=self.hours)
        self.lobby = Lobby(self.service)
        self.membership = Membership(self.service, self.lobby)


@pytest.fixture
async def processes(url: str) -> AsyncIterator[tuple[Process, Process]]:
    bases = [await Database.open(url) for _ in range(2)]
    one, two = map(Process, bases)
    for user in PEOPLE:
        await one.service.people.meet(user, f"{user}")
    yield one, two
    for base in bases:
        await base.close()


async def test_no_player_sits_down_at_two_tables_of_the_same_deals(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = processes
    table = await opened(one.service, ANN, game="siege_of_sunfall")
    other = await Duplicates(one.service, one.lobby).open(table.id, ANN, "ann")
    await one.lobby.join(table.id, BEN, "ben")

    async def looked_before(*_: Any) -> None:
        """The other process has not yet stored that Ben sits."""

    with monkeypatch.context() as patch:
        patch.setattr(lobby, "check_no_other", looked_before)
        with pytest.raises(Refused) as refused:
            await two.lobby.join(other.id, BEN, "ben")
    assert refused.value.reason == Reason.BUSY
    assert await refusal(two.lobby.join(other.id, BEN, "ben")) == Reason.OTHER_TABLE
    assert (await two.lobby.join(other.id, CEM, "cem")).seat_of(CEM) is not None


async def test_a_place_that_becomes_free_goes_to_no_player_who_got_one_at_the_other_table(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = processes
    table = await opened(one.service, ANN, options={"seats": "2"})
    other = await Duplicates(one.service, one.lobby).open(table.id, ANN, "ann")
    await one.lobby.join(table.id, BEN, "ben")
    for user in (CEM, DAN):
        await one.lobby.join(other.id, user, f"{user}")
    for number in (table.id, other.id):
        await one.membership.join(number, EVE, "eve")
    await one.lobby.leave(table.id, BEN)
    assert (await one.service.load(table.id)).seat_of(EVE) is not None

    async def looked_before(*_: Any) -> frozenset[int]:
        return frozenset()

    with monkeypatch.context() as patch:
        patch.setattr(lobby, "seated_elsewhere", looked_before)
        with pytest.raises(Refused):
            await two.lobby.leave(other.id, DAN)
    await two.lobby.leave(other.id, DAN)
    assert (await two.service.load(other.id)).seat_of(EVE) is None


async def test_a_hint_that_could_not_be_counted_is_not_given_by_the_next_press(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast_computers(monkeypatch)
    one, two = processes
    match = await begun(one.service, ANN, BEN)
    (seat, user), coaching, save = mover(one.service, match), Coaching(one.service), one.service.save

    async def save_second(changed: Match, **how: Any) -> Match:
        """The other process stores a setting meanwhile."""
        await set_seat_preferences(two.service, match.id, user, lambda chair: replace(chair, ping=PingPreference.DM))
        return await save(changed, **how)

    with monkeypatch.context() as patch:
        patch.setattr(one.service, "save", save_second)
        with pytest.raises(Refused):
            await coaching.hint(match.id, user)
    for _ in range(2):  # for the same decision a second one counts no more
        await coaching.hint(match.id, user)
        assert (await one.service.load(match.id)).chairs[seat].hints == 1
    await Coaching(two.service).hint(match.id, user)
    assert (await two.service.load(match.id)).chairs[seat].hints == 1, "the other process knows of it"


async def test_hints_are_counted_on_if_a_player_leaves_and_comes_back(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast_computers(monkeypatch)
    one, two = processes
    match = await begun(one.service, ANN, BEN)
    seat, user = mover(one.service, match)
    await Coaching(one.service).hint(match.id, user)
    await one.membership.give_seat_to_computer(match.id, user)
    assert (await two.service.load(match.id)).chairs[seat].hints == 0, "the computer has had none"
    await two.membership.take_seat(match.id, DAN, "dan", seat)
    assert (await one.service.load(match.id)).chairs[seat].hints == 0
    await one.membership.give_seat_to_computer(match.id, DAN)
    await two.membership.come_back(match.id, user, "again")
    await Coaching(two.service).hint(match.id, user)
    assert (await one.service.load(match.id)).chairs[seat].hints == 1, "for the same decision once"


async def test_who_has_left_their_seat_while_a_picture_was_drawn_is_not_mentioned(
    processes: tuple[Process, Process],
) -> None:
    one, two = processes
    drawn = await begun(one.service, ANN, BEN, CEM, game="siege_of_sunfall")
    for user in (ANN, BEN, CEM):
        await one.service.people.change(user, ping=PingPreference.MENTION)
    parts: Any = (None, SimpleNamespace(service=one.service))  # it sends nothing
    pings = Pings(*parts)
    people = {user: person for user in (ANN, BEN, CEM) if (person := await one.service.people.get(user)) is not None}
    hands = (await one.service.posts.of(drawn.id)).hands
    told = [replace(post, pinged=(ping := pings.owed(drawn, seat)), mentioned=ping) for seat, post in hands.items()]
    await one.service.posts.note(*told)
    assert await pings.due(drawn, people) == {}
    seat = drawn.seat_of(BEN)
    await two.membership.give_seat_to_computer(drawn.id, BEN)
    await two.membership.take_seat(drawn.id, DAN, "dan", seat)
    assert await pings.due(drawn, people) == {}


async def test_all_processes_grant_the_grace_of_the_first_that_starts(processes: tuple[Process, Process]) -> None:
    """All were down. The second starts once the first one has told that it is at work."""
    one, two = processes
    workers = []
    for process in (one, two):
        base = database_of(process.service.posts)
        at_work = Holdings()
        at_work.shared = True
        clock = TrustedClock(lambda: NOW, lambda: 0.0)
        parts: Any = (process.service, None, None, None, KeyValues(base), clock, 60.0, at_work)
        workers.append(ClockWorker(*parts))
        await workers[-1].start()
        await workers[-1].values.put(HEARTBEAT, f"{NOW}")
    assert [process.service.clocks.grace_until for process in processes] == [NOW + GRACE] * 2
    for worker in workers:
        await worker.task.close()


async def timed(process: Process, clock: str) -> Match:
    return await begun(process.service, ANN, BEN, options={"clock": clock})


async def test_new_hours_begin_with_the_next_turn_whichever_process_sees_it_begin(
    processes: tuple[Process, Process],
) -> None:
    one, two = processes
    match = await timed(one, "week")
    seat = min(one.service.state(match).to_move())
    user, turn = match.chairs[seat].player, one.service.turn(match, seat)
    before = clock_of(match, seat)
    hours = Hours(days_off=frozenset({0, 1}))
    await deadlines.keep_hours(two.service, match.id)
    await two.hours.put(user, hours)
    for process in processes:
        assert clock_of(await process.service.load(match.id), seat) == before
    while one.service.turn(match, seat) == turn or seat not in one.service.state(match).to_move():
        match = await play(one.service, match, 0)
    for process in processes:
        clock = clock_of(await process.service.load(match.id), seat)
        assert clock is not None and clock.hours is not None and replace(clock.hours, until=None) == hours


async def test_no_process_sets_less_time_after_a_vote_for_more(processes: tuple[Process, Process]) -> None:
    one, two = processes
    match = await timed(one, "day_1")
    for user in (ANN, BEN):
        await one.membership.vote(match.id, user, "clock week")
    assert (await two.service.load(match.id)).clock == "week"
    assert await refusal(two.membership.vote(match.id, ANN, "clock day_1")) == Reason.CLOCK_LATELY


async def test_players_who_leave_make_no_vote_for_less_time_pass(processes: tuple[Process, Process]) -> None:
    one, two = processes
    match = await opened(one.service, ANN, BEN, CEM, game="siege_of_sunfall")
    await one.lobby.choose_option(match.id, ANN, "clock", "day_2")
    await one.lobby.start(match.id, ANN)
    await one.membership.vote(match.id, CEM, "clock day_1")
    for user in (ANN, BEN):
        await one.membership.vote(match.id, user, "clock week")
    for user in (ANN, BEN):
        await two.membership.give_seat_to_computer(match.id, user)
    assert (await one.service.load(match.id)).clock == "week"


async def test_two_who_play_again_at_once_meet_in_one_lobby(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = processes
    match = await begun(one.service, ANN, BEN, CEM, game="siege_of_sunfall")
    await one.service.save(replace(await one.service.load(match.id), status=Status.STOPPED, ended_at=NOW))
    found, played_again = [await one.membership.play_again(match.id, ANN, "ann")], two.service.index.played_again

    async def looked_before(number: int) -> int | None:
        """The other process has not yet stored its lobby."""
        monkeypatch.setattr(two.service.index, "played_again", played_again)
        return None

    monkeypatch.setattr(two.service.index, "played_again", looked_before)
    found.append(await two.membership.play_again(match.id, BEN, "ben"))
    assert {new.id for new, _ in found} == {await one.service.index.played_again(match.id)}
    assert [chair.user for chair in found[1][0].chairs] == [ANN, BEN]


@pytest.mark.parametrize("known", [True, False], ids=["noted before", "noted after"])
async def test_a_hand_shown_elsewhere_is_sent_once_direct_messages_are_open(
    processes: tuple[Process, Process], known: bool
) -> None:
    """Also if the other process, which knew of no direct messages yet, notes only then that it is shown."""
    one, two = processes
    match = await begun(one.service, ANN, BEN, CEM, game="siege_of_sunfall")
    seat = match.seat_of(BEN)
    shown = replace((await two.service.posts.of(match.id)).hands[seat], shown=match.version)
    if known:
        await two.service.posts.note(shown)
        assert (await one.service.posts.of(match.id)).hands[seat].shown == match.version
    sends = partial(one.service.posts.note_hands_unsent, user=BEN)
    assert (await one.service.people.change(BEN, also=sends, dm=7, dm_works=True)).reached
    if not known:
        await two.service.posts.note(shown)
    assert (await one.service.posts.of(match.id)).hands[seat].shown < match.version
