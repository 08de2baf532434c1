"""Rated matches that began in an older version, and chains of substitutes: no way out is better than losing."""

from __future__ import annotations

from datetime import date

import pytest

from cogs.match.clocks import clock_of
from cogs.match.duplicates import Duplicates
from cogs.match.rated import MOST_TOGETHER, Uncounted, not_there, uncounted
from cogs.match.refusals import Reason
from cogs.match.seasons import slowest
from cogs.match.time_controls import DAY, PRESETS
from data.records.hours import Hours
from data.records.match import Match
from data.records.privacy import Privacy
from data.records.terms import Terms
from data.store.erasure_log import ErasureLog
from tests.cogs.house import ANN, BEN, CLEO, House
from tests.cogs.quitting import EVE, HOUR, End, refused_removal, remind
from tests.support.inside import stored_matches
from tests.support.matches import lobby, refusal

TERMS = Terms(locale="en", rated=True)


async def why_not(house: House, match: Match) -> Uncounted | None:
    """Return why the match of that lobby would not count if it began now."""
    return await uncounted(house.service.index, match, int(house.service.now()))


async def test_a_match_of_people_counts_though_computers_play_for_all_but_one_later(house: House) -> None:
    match = await house.begun(people=3)
    for user in (BEN, CLEO):
        await house.membership.give_seat_to_computer(match.id, user)
    result = await house.recorded(await house.played(await house.service.load(match.id)))
    gains = {at.beginner or at.user: at.gain or 0 for at in result.standings}
    assert gains[ANN] > 0 > gains[BEN] == gains[CLEO]


async def test_a_match_whose_deals_others_have_too_does_not_count(house: House) -> None:
    """A friend at the other table would see the opponent's cards."""
    match = await lobby(house.service, ANN, BEN, terms=TERMS)
    assert await why_not(house, match) is None
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
    match = await lobby(house.service, ANN, BEN, terms=TERMS)
    assert await why_not(house, match) is Uncounted.OFTEN


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
    """Without a time limit the others may remove whom they have waited for a day. All but the first have holidays."""

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
