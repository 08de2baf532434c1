"""The others remove a player who keeps a rated match waiting, and no player who does not."""

from __future__ import annotations

import pytest

from cogs.match.rated import beginner, not_there
from cogs.match.refusals import Reason
from cogs.match.reminders import reminder_of
from cogs.match.time_controls import DAY
from data.records.hours import Hours
from data.records.match import NO_SEAT, SeatChangeKind, Status
from tests.cogs.house import ANN, BEN, CLEO, DORA, House
from tests.cogs.quitting import EVE, End, refused_removal, remind, waited_for
from tests.support.matches import refusal


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
    end = waited_for(house, match)
    for user in (ANN, BEN, CLEO):
        await end.vote(user, "pause")
    house.now += 2 * DAY
    await refused_removal(house, match, end.others[0], end.loser)
    for user in end.others:
        await end.vote(user, "resume")
    house.now += DAY - 1
    await refused_removal(house, match, end.others[0], end.loser)


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
