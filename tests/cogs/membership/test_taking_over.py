"""Leaving, taking over and coming back to one's seat."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from data.records.match import Match
from data.records.matches import Matches
from data.records.people import PingPreference
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from tests.cogs.membership.matches import reopened, users
from tests.support.inside import service_of, stored_matches
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, refusal

# --- leaving and taking over


async def test_a_seat_on_offer_goes_to_the_first_who_takes_it(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    seat = match.seat_of(ANN) or 0
    assert await refusal(membership.take_seat(match.id, EVE, "Eve", seat)) == "seat_taken"
    match = await membership.offer_seat(match.id, ANN, True)
    assert match.seat_of(ANN) == seat, "until then they go on playing"
    assert (await service_of(reopened(base)).load(match.id)).chairs[seat].offered
    results = await asyncio.gather(
        *(membership.take_seat(match.id, user, NAMES[user], seat) for user in (EVE, DAN)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Match, Refused]
    match = await service_of(membership).load(match.id)
    assert (match.seat_of(EVE), match.seat_of(ANN), match.chairs[seat].offered) == (seat, None, False)
    assert await refusal(service_of(membership).play(match.id, ANN, None, "play B9")) == "no_longer_seated"
    assert await refusal(membership.vote(match.id, ANN, "end")) == "no_longer_seated"
    assert await refusal(membership.come_back(match.id, ANN, "Ann")) == "seat_taken"
    assert await refusal(membership.take_seat(match.id, BEN, "Ben", seat)) == "seated"


async def test_a_user_who_takes_a_seat_leaves_the_waiting_list_and_the_others_stay_on_it(
    membership: Membership,
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (DAN, EVE):
        await membership.join(match.id, user, NAMES[user])
    await membership.offer_seat(match.id, ANN, True)
    match = await membership.take_seat(match.id, EVE, "Eve", match.seat_of(ANN) or 0)
    assert [who.user for who in match.waiting] == [DAN]


async def test_computers_on_seats_that_players_gave_up_have_different_names(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO, computers=1)
    for user in (ANN, BEN):
        match = await membership.give_seat_to_computer(match.id, user)
    names = [chair.name for chair in match.chairs]
    assert len(set(names)) == len(names) == 4


async def test_a_user_whose_data_was_deleted_takes_over_no_seat_of_a_lobby(
    membership: Membership, tmp_path: Path
) -> None:
    departures = ErasureLog(tmp_path / "sundial.db")
    departures.note(EVE, 5)
    match = await lobby(service_of(membership), ANN, computers=1)
    with_list = Membership(service_of(membership), Lobby(service_of(membership), departures=departures))
    assert await refusal(with_list.take_seat(match.id, EVE, "Eve", 1)) == "not_started"


async def test_what_somebody_has_set_for_a_table_is_not_the_next_ones(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    seat = match.seat_of(ANN) or 0
    chairs = (replace(c, ping=PingPreference.NONE, plays_forced=True) if c.user == ANN else c for c in match.chairs)
    async with service_of(membership).deciding(match.id) as found:
        await service_of(membership).save(replace(found, chairs=tuple(chairs)))
    await membership.offer_seat(match.id, ANN, True)
    for later in (
        await membership.take_seat(match.id, CLEO, "Cleo", seat),
        await membership.give_seat_to_computer(match.id, CLEO),
        await service_of(reopened(base)).load(match.id),
    ):
        assert (later.chairs[seat].ping, later.chairs[seat].plays_forced) == (None, False)


async def test_an_offer_is_withdrawn_and_the_others_stand(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    for user in (ANN, BEN):
        match = await membership.offer_seat(match.id, user, True)
    version = match.version
    assert (await membership.offer_seat(match.id, ANN, True)).version == version
    match = await membership.offer_seat(match.id, ANN, False)
    assert {chair.user for chair in match.chairs if chair.offered} == {BEN}
    assert await refusal(membership.take_seat(match.id, EVE, "Eve", match.seat_of(ANN) or 0)) == "seat_taken"
    assert await refusal(membership.offer_seat(match.id, EVE, True)) == "not_seated"


async def test_one_comes_back_to_ones_own_seat_and_to_no_other(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    seats = {user: match.seat_of(user) or 0 for user in (ANN, BEN)}
    for user in (ANN, BEN):
        match = await membership.give_seat_to_computer(match.id, user)
    assert users(match).count(None) == 2
    membership = reopened(base)
    assert await refusal(membership.take_seat(match.id, ANN, "Ann", seats[BEN])) == "was_elsewhere"
    match = await membership.come_back(match.id, ANN, "Ann")
    assert match.seat_of(ANN) == seats[ANN]
    assert await refusal(membership.come_back(match.id, ANN, "Ann")) == "seated"
    match = await membership.take_seat(match.id, EVE, "Eve", seats[BEN])
    assert await refusal(membership.come_back(match.id, BEN, "Ben")) == "seat_taken"
    match = await membership.give_seat_to_computer(match.id, EVE)
    assert (await membership.come_back(match.id, BEN, "Ben")).seat_of(BEN) == seats[BEN]


@pytest.mark.parametrize("number", range(2))
async def test_whatever_seats_change_hands_a_player_keeps_the_one_way_back(membership: Membership, number: int) -> None:
    """By chance players leave, are removed, take seats over and come back. A second account of who has sat where, and
    who was removed, says whom each seat refuses, and why; all others keep what is theirs.
    """
    print(f"seed {number}")
    random, service, people = Random(number), service_of(membership), (ANN, BEN, CLEO, DAN, EVE)
    match = await begun(service, *people[:4])
    sat, removed = {user: match.seat_of(user) for user in people}, set[int]()
    for _ in range(40):
        before, there = match, {chair.player for chair in match.people}
        user = random.choice(people)
        if user not in there:
            seat = random.randrange(4) if sat[user] is None else sat[user] or 0
            free = match.chairs[seat].user is None or match.chairs[seat].offered
            back = match.former_seat(user) is not None
            take = (
                membership.come_back(match.id, user, "P") if back else membership.take_seat(match.id, user, "P", seat)
            )
            if user in removed or not free:
                assert await refusal(take) == ("removed" if user in removed else "seat_taken")
                continue
            match, sat[user], changed = await take, seat, {seat}
        elif len(there) > 2 and random.random() < 0.6:
            seat, way = match.seat_of(user) or 0, random.choice(("computer", "offer", "vote"))
            if way == "computer":
                match = await membership.give_seat_to_computer(match.id, user)
            elif way == "offer":
                match = await membership.offer_seat(match.id, user, random.random() < 0.6)
            else:
                for voter in there - {user}:
                    match = (await membership.vote(match.id, voter, f"remove {user}")).match
                    if match.seat_of(user) is None:
                        break
                removed.add(user)
            changed = {seat}
        else:
            continue
        assert [chair for chair in match.chairs if chair.number not in changed] == [
            chair for chair in before.chairs if chair.number not in changed
        ]
        gone = {who.user: (who.seat, who.removed) for who in match.former}
        assert gone == {
            user: (sat[user], user in removed)
            for user in people
            if sat[user] is not None and match.seat_of(user) is None
        }
    assert removed


async def test_what_was_a_former_players_message_is_emptied(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    seat = match.seat_of(ANN) or 0
    posts = await stored_matches(service_of(membership)).posts.of(match.id)
    await stored_matches(service_of(membership)).posts.note(
        replace(posts.hands[seat], channel=1000, message=77, shown=match.version)
    )
    await membership.offer_seat(match.id, ANN, True)
    assert await stored_matches(service_of(membership)).posts.stale_hands(match.id) == []
    stale = (await stored_matches(service_of(membership)).posts.of(match.id)).hands[seat]
    match = await membership.take_seat(match.id, EVE, "Eve", seat)
    (farewell,) = await stored_matches(service_of(membership)).posts.stale_hands(match.id)
    assert (farewell.user, farewell.channel, farewell.message) == (ANN, 1000, 77)
    new = (await stored_matches(service_of(membership)).posts.of(match.id)).hands[seat]
    assert (new.user, new.channel, new.message, new.shown) == (EVE, EVE * 10, None, match.version - 1)
    # A worker that was still showing Ann's hand notes it down too late.
    await stored_matches(service_of(membership)).posts.note(replace(stale, message=78, shown=match.version))
    assert (await stored_matches(service_of(membership)).posts.of(match.id)).hands[seat] == new
    assert {f.message for f in await stored_matches(service_of(membership)).posts.stale_hands(match.id)} == {77, 78}
    assert match.id in await Matches(base).posts.behind()
    for farewell in await stored_matches(service_of(membership)).posts.stale_hands(match.id):
        await stored_matches(service_of(membership)).posts.emptied(farewell)
    assert await stored_matches(service_of(membership)).posts.stale_hands(match.id) == []
    assert (await Matches(base).posts.of(match.id)).table
