"""Who plays again where a server allows only so much, or while the bot is away."""

from __future__ import annotations

import asyncio

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.deadlines import go_on, pause
from cogs.match.membership import IDLE_LOBBY, Membership
from cogs.match.refusals import Refused
from cogs.match.undo import undo_alone
from data.records.match import Status
from tests.cogs.membership.matches import LONG_AGO, Clock, ended, users
from tests.support.inside import lobby_of, service_of
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, refusal


async def test_two_at_once_open_the_one_table_left(kept: Membership) -> None:
    await service_of(kept).policy.change(1, most_open=1)
    opened = await asyncio.gather(*(lobby(service_of(kept), user) for user in (ANN, BEN)), return_exceptions=True)
    (refused,) = [error for error in opened if isinstance(error, Refused)]
    assert refused.reason == "server_full"


async def test_who_sits_at_as_many_tables_as_may_be_takes_no_seat_over(kept: Membership) -> None:
    match = await begun(service_of(kept), ANN, BEN, DAN)
    await begun(service_of(kept), CLEO, EVE)
    await service_of(kept).policy.change(1, most_each=1)
    seat = match.seat_of(ANN)
    assert seat is not None
    await kept.offer_seat(match.id, ANN, True)
    assert await refusal(kept.take_seat(match.id, CLEO, "Cleo", seat)) == "person_full"
    await service_of(kept).policy.change(1, most_each=2)
    assert (await kept.take_seat(match.id, CLEO, "Cleo", seat)).seat_of(CLEO) == seat


async def test_a_free_seat_passes_over_who_may_not_sit_down(kept: Membership) -> None:
    match = await lobby(service_of(kept), ANN, BEN)
    await lobby_of(kept).choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        await kept.join(match.id, user, NAMES[user])
    await lobby(service_of(kept), CLEO)
    await service_of(kept).policy.change(1, most_each=1)
    match = await lobby_of(kept).leave(match.id, ANN)
    assert (users(match), match.host) == ([BEN, DAN], BEN)
    assert [who.user for who in match.waiting] == [CLEO]
    await service_of(kept).policy.change(1, games=["full_sun"])
    match = await lobby_of(kept).leave(match.id, BEN)
    assert (users(match), [who.user for who in match.waiting]) == ([DAN], [CLEO])


async def test_playing_again_is_opening_a_table(kept: Membership) -> None:
    over = await ended(kept, ANN, BEN)
    await service_of(kept).policy.change(1, games=["full_sun"])
    assert await refusal(kept.play_again(over.id, ANN, "Ann")) == "game_not_here"
    await service_of(kept).policy.change(1, games=[], most_open=1)
    await lobby(service_of(kept), CLEO)
    assert await refusal(kept.play_again(over.id, ANN, "Ann")) == "server_full"
    assert await kept.following(over) == over
    await service_of(kept).policy.change(1, most_open=2, most_each=1)
    new, _ = await kept.play_again(over.id, ANN, "Ann")
    assert users(new) == [ANN]
    assert await kept.following(over) == new
    assert await refusal(kept.play_again(over.id, CLEO, "Cleo")) == "person_full"


async def test_who_waits_sits_down_when_it_is_played_again_as_far_as_they_may(kept: Membership) -> None:
    match = await begun(service_of(kept), ANN, BEN)
    for user in (CLEO, DAN):
        await kept.join(match.id, user, NAMES[user])
    for user in (ANN, BEN):
        await kept.vote(match.id, user, "end")
    await lobby(service_of(kept), CLEO)
    await service_of(kept).policy.change(1, most_each=1)
    new, _ = await kept.play_again(match.id, ANN, "Ann")
    assert (users(new), [who.user for who in new.waiting]) == ([ANN, DAN], [CLEO])


async def test_while_the_bot_is_away_nothing_changes(membership: Membership, clock: Clock) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    await membership.give_seat_to_computer(match.id, CLEO)
    paused = await pause(service_of(membership), match.id)
    assert not paused.running and AutomaticMoves(service_of(membership)).next_seat(paused) is None
    for work in (
        membership.vote(match.id, ANN, "pause"),
        membership.offer_seat(match.id, ANN, True),
        membership.give_seat_to_computer(match.id, ANN),
        membership.come_back(match.id, CLEO, "Cleo"),
        membership.join(match.id, DAN, "Dan"),
        undo_alone(service_of(membership), match.id, ANN, None),
    ):
        assert await refusal(work) == "paused"
    clock.seconds += 5000
    match = await go_on(service_of(membership), match.id)
    assert match.running
    assert match.turn_since == LONG_AGO + 5000, "that was the time of no player"


async def test_a_match_that_rests_while_the_bot_is_away_is_given_its_time_once(
    membership: Membership, clock: Clock
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "pause")
    clock.seconds += 100
    await pause(service_of(membership), match.id)
    clock.seconds += 1000
    match = await go_on(service_of(membership), match.id)
    assert not match.running and match.rests_since is not None
    clock.seconds += 10
    for user in (ANN, BEN):
        match = (await membership.vote(match.id, user, "resume")).match
    assert match.running and match.turn_since == LONG_AGO + 1110


async def test_a_lobby_is_not_closed_for_the_time_that_the_bot_was_away(membership: Membership, clock: Clock) -> None:
    match = await lobby(service_of(membership), ANN)
    await pause(service_of(membership), match.id)
    clock.seconds += IDLE_LOBBY + 10
    await membership.close_idle()
    await go_on(service_of(membership), match.id)
    await membership.close_idle()
    assert (await service_of(membership).load(match.id)).open
    clock.seconds += IDLE_LOBBY + 10
    await membership.close_idle()
    assert (await service_of(membership).load(match.id)).status is Status.CANCELLED
