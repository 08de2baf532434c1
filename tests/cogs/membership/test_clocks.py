"""Seats with a clock that change hands, rest and come back: no player gains or loses time."""

from __future__ import annotations

import pytest

from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.clocks import absent, away, clock_of
from cogs.match.deadlines import go_on, pause, ring
from cogs.match.membership import Membership
from cogs.match.time_controls import PRESETS
from cogs.match.undo import undo_alone
from cogs.match.votes import Choice
from data.records.deadlines import SeatClock, Stage
from data.records.match import Match, Status
from data.store.database import Database
from rules.core.game import Seat
from tests.cogs.membership.matches import LONG_AGO, Clock, reopened, running
from tests.support.inside import lobby_of, service_of, stored_matches
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, refusal

# --- with a clock


WHOLE = PRESETS["day_1"].turn + PRESETS["day_1"].reserve


async def clocked(membership: Membership, *who: int, policy: str = "computer") -> tuple[Match, SeatClock]:
    """A match with a clock that has begun, and the clock that runs."""
    match = await lobby(service_of(membership), *who)
    await lobby_of(membership).choose_option(match.id, who[0], "clock", "day_1")
    await lobby_of(membership).choose_option(match.id, who[0], "absent", policy)
    match = await lobby_of(membership).start(match.id, who[0])
    return match, running(match)


async def run_out(membership: Membership, clock: Clock, number: int) -> Match:
    """Let the time of the player asked run out until they are absent."""
    match = await service_of(membership).load(number)
    while not absent(match):
        due = running(match)
        assert due.due is not None
        clock.seconds = due.due
        assert await ring(service_of(membership), number, due.seat, due.turn)
        match = await service_of(membership).load(number)
    return match


@pytest.mark.parametrize("how", ["rest", "away", "both"])
async def test_clocks_stand_while_a_match_does_not_run(
    membership: Membership, clock: Clock, how: str, base: Database
) -> None:
    match, before = await clocked(membership, ANN, BEN)
    assert before.ends == LONG_AGO + WHOLE
    clock.seconds += 1000
    if how != "away":
        for user in (ANN, BEN):
            await membership.vote(match.id, user, "pause")
    clock.seconds += 50 if how == "both" else 0
    if how != "rest":
        await pause(service_of(membership), match.id)
    clock.seconds += 3 * WHOLE
    match = await service_of(reopened(base)).load(match.id)
    assert not any(seat.due or seat.ends for seat in match.clocks)
    assert not await ring(service_of(membership), match.id, before.seat, before.turn)
    if how != "rest":
        await go_on(service_of(membership), match.id)
    clock.seconds += 7 if how == "both" else 0
    if how != "away":
        for user in (ANN, BEN):
            await membership.vote(match.id, user, "resume")
    stood = int(clock.seconds - LONG_AGO - 1000)
    after = running(await service_of(membership).load(match.id))
    assert (after.seat, after.turn, after.left) == (before.seat, before.turn, WHOLE - 1000)
    assert after.ends == before.ends + stood


async def test_a_seat_that_changes_hands_has_its_time_again(membership: Membership, clock: Clock) -> None:
    match, asked = await clocked(membership, ANN, BEN, DAN)
    (user,) = (chair.user for chair in match.people if chair.number == asked.seat)
    assert user is not None
    clock.seconds += 40_000
    await membership.offer_seat(match.id, user, True)
    match = await membership.take_seat(match.id, CLEO, "Cleo", asked.seat)
    assert (running(match).seat, running(match).left, running(match).since) == (asked.seat, WHOLE, clock.seconds)
    match = await membership.give_seat_to_computer(match.id, CLEO)
    match = await membership.take_seat(match.id, EVE, "Eve", asked.seat)
    assert running(match).left == WHOLE


async def test_who_comes_back_has_no_more_reserve_than_before(
    membership: Membership, clock: Clock, base: Database
) -> None:
    match, asked = await clocked(membership, ANN, BEN, DAN)
    user, terms = match.chairs[asked.seat].user, PRESETS["day_1"]
    assert user is not None
    clock.seconds += terms.turn + 20 * 3600
    match = await membership.give_seat_to_computer(match.id, user)
    left = terms.reserve - 20 * 3600
    for _ in range(2):
        kept = clock_of(await service_of(reopened(base)).load(match.id), asked.seat)
        assert kept is not None and (kept.left, kept.reserve, kept.due) == (left, left, None)
        match = await membership.come_back(match.id, user, NAMES[user])
        assert running(match).left == left, "it is the same turn"
        match = await membership.give_seat_to_computer(match.id, user)
    match = await membership.take_seat(match.id, EVE, "Eve", asked.seat)
    assert running(match).left == terms.turn + left
    clock.seconds += WHOLE
    await ring(service_of(membership), match.id, asked.seat, running(match).turn)
    await membership.give_seat_to_computer(match.id, EVE)
    match = await membership.take_seat(match.id, CLEO, "Cleo", asked.seat)
    assert (running(match).left, running(match).reserve) == (terms.extension, 0), "the second substitute goes on"


async def test_who_gave_a_seat_up_has_a_new_turn_once_a_computer_has_played(
    membership: Membership, clock: Clock
) -> None:
    match, asked = await clocked(membership, ANN, BEN)
    user = match.chairs[asked.seat].player
    clock.seconds += WHOLE - 10
    await membership.give_seat_to_computer(match.id, user)
    await AutomaticMoves(service_of(membership)).play(match.id)
    match = await service_of(membership).load(match.id)
    assert clock_of(match, asked.seat) == SeatClock(asked.seat, reserve=10), "it has decided nothing itself"


async def test_two_who_pass_a_seat_to_and_fro_gain_no_time(membership: Membership, clock: Clock) -> None:
    match, asked = await clocked(membership, ANN, BEN, DAN)
    user = match.chairs[asked.seat].player
    await membership.offer_seat(match.id, user, True)
    match = await membership.take_seat(match.id, EVE, "Eve", asked.seat)
    clock.seconds += 3600
    for leaves, comes in ((EVE, user), (user, EVE)):
        await membership.offer_seat(match.id, leaves, True)
        match = await membership.take_seat(match.id, comes, NAMES[comes], asked.seat)
        assert running(match).left == WHOLE - 3600


async def test_actions_of_one_turn_share_its_time_however_often_they_are_taken_back(
    membership: Membership, clock: Clock
) -> None:
    service = service_of(membership)
    match = await lobby(service, ANN, BEN, game="photosynthesis")
    await lobby_of(membership).choose_option(match.id, ANN, "clock", "day_1")
    match = await lobby_of(membership).start(match.id, ANN)
    taken = 0
    while taken < 3:
        (seat,) = service.state(match).to_move()
        user, before = match.chairs[seat].player, running(match)
        state = service.state(match)
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        text = str((moves or state.legal_moves(seat))[0])
        clock.seconds += 3600
        match = (await service.play(match.id, user, service.turn(match, seat), text)).match
        if service.seat_may_take_back(match, seat):
            assert (running(match).seat, running(match).ends) == (seat, before.ends), "the turn goes on"
            clock.seconds += 3600
            match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
            assert (running(match).turn, running(match).ends) == (service.turn(match, seat), before.ends)
            taken += 1


async def test_a_computer_takes_over_for_good_from_who_is_absent(membership: Membership, clock: Clock) -> None:
    match, asked = await clocked(membership, ANN, BEN)
    user = match.chairs[asked.seat].player
    other = BEN if user == ANN else ANN
    assert await refusal(membership.vote(match.id, other, "replace")) == "no_replace"
    match = await run_out(membership, clock, match.id)
    assert [chair.user for chair in away(match)] == [user]
    voted = await membership.vote(match.id, other, "replace")
    assert voted.done, "only those who are there have a voice"
    chair = voted.match.chairs[asked.seat]
    assert (chair.user, chair.offered, voted.match.status) == (None, True, Status.PLAYING)
    match = await membership.come_back(match.id, user, NAMES[user])
    assert match.seat_of(user) == asked.seat


@pytest.mark.parametrize("policy", ["computer", "vote"])
@pytest.mark.parametrize("by", ["move", "vote", "look"])
async def test_votes_about_an_absent_player_are_gone_once_the_player_is_back(
    membership: Membership, clock: Clock, policy: str, by: str
) -> None:
    match, asked = await clocked(membership, ANN, BEN, CLEO, policy=policy)
    user = match.chairs[asked.seat].player
    one, two = (chair.user for chair in match.people if chair.user != user)
    assert one is not None and two is not None
    await run_out(membership, clock, match.id)
    voted = await membership.vote(match.id, one, "replace")
    assert (voted.count, voted.needed, voted.done) == (1, 2, False)
    await membership.vote(match.id, two, "pause")
    if by == "move":
        move = service_of(membership).state(voted.match).legal_moves(Seat(asked.seat))[0]
        match = (await service_of(membership).play(match.id, user, None, str(move))).match
    elif by == "look":
        match = await service_of(membership).back(match.id, user)
    else:
        match = (await membership.vote(match.id, user, "end")).match
    assert not absent(match)
    votes = await stored_matches(service_of(membership)).votes(match.id)
    assert one not in votes and votes[two] == "pause"


async def test_who_is_back_while_the_table_votes_has_one_extension_again(membership: Membership, clock: Clock) -> None:
    match, asked = await clocked(membership, ANN, BEN, CLEO, policy="vote")
    user = match.chairs[asked.seat].player
    await run_out(membership, clock, match.id)
    clock.seconds += 3600
    match = await service_of(membership).back(match.id, user)
    again = running(match)
    assert (again.stage, again.turn, again.left) == (Stage.RETURNED, asked.turn, PRESETS["day_1"].extension)
    assert again.ends == clock.seconds + PRESETS["day_1"].extension
    assert (await service_of(membership).back(match.id, user)).version == match.version, "who is there is there"
    await run_out(membership, clock, match.id)
    assert clock.seconds == again.ends


async def test_the_table_votes_for_a_clock_and_for_none(membership: Membership, clock: Clock) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    assert await refusal(membership.vote(match.id, ANN, "clock none")) == "no_clock"
    assert await refusal(membership.vote(match.id, ANN, "clock second")) == "unknown_button"
    for user in (ANN, BEN):
        match = (await membership.vote(match.id, user, str(Choice("clock", terms="week")))).match
    assert (match.clock, running(match).since) == ("week", clock.seconds)
    for user in (ANN, BEN):
        match = (await membership.vote(match.id, user, "clock none")).match
    assert (match.clock, match.clocks) == ("none", ())


async def test_who_is_away_is_not_waited_for_while_the_match_rests(membership: Membership, clock: Clock) -> None:
    match, asked = await clocked(membership, ANN, BEN)
    match = await run_out(membership, clock, match.id)
    assert AutomaticMoves(service_of(membership)).next_seat(match) == asked.seat
    (other,) = (chair.user for chair in match.people if chair.number != asked.seat)
    assert other is not None
    match = (await membership.vote(match.id, other, "pause")).match
    assert not match.running
    assert AutomaticMoves(service_of(membership)).next_seat(match) is None
    assert ping_owed(service_of(membership), match, asked.seat) is None
