"""Playing once more, waiting for a seat, and lobbies that no player comes to."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

from cogs.match.membership import IDLE_LOBBY, Membership
from data.records.match import Status
from data.records.post import HandPost, TablePost
from data.store.database import Database
from rules import GAMES
from tests.cogs.membership.matches import Clock, ended, reopened, users
from tests.support.inside import lobby_of, service_of
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, refusal

# --- once more


async def test_the_lobby_has_the_same_options_and_computers(membership: Membership) -> None:
    first = await lobby(service_of(membership), ANN, BEN, computers=1)
    await lobby_of(membership).choose_option(first.id, ANN, "target", "2")
    await lobby_of(membership).choose_option(first.id, ANN, "place", "thread")
    await lobby_of(membership).start(first.id, ANN)
    await membership.give_seat_to_computer(first.id, BEN)
    assert (await membership.vote(first.id, ANN, "end")).match.status is Status.STOPPED
    match, _ = await membership.play_again(first.id, ANN, "Ann")
    assert (match.options, match.own_thread, match.status) == ({**match.options, "target": 2}, True, Status.LOBBY)
    assert await refusal(membership.play_again(first.id, ANN, "Ann")) == "seated"
    assert match.secret != first.secret
    assert match.options["deck"] == lobby_of(membership).deck(match.game), "of the opening, and not of the match before"
    assert users(match) == [ANN, None], "the computer that sat there for Ben was no player's choice"


async def test_somebody_else_begins(membership: Membership) -> None:
    """The seats go round: four matches of four people have four starters."""
    match = await ended(membership, ANN, BEN, CLEO, DAN)
    orders = [users(match)]
    for _ in range(3):
        for user in (DAN, BEN, ANN, CLEO):
            new, _ = await membership.play_again(match.id, user, NAMES[user])
        match = await lobby_of(membership).start(new.id, DAN)
        orders.append(users(match))
        for user in (ANN, BEN, CLEO):
            await membership.vote(match.id, user, "end")
    assert all(after == [*before[1:], before[0]] for before, after in pairwise(orders))


async def test_newcomers_sit_after_the_others_and_the_same_one_does_not_begin(membership: Membership) -> None:
    over = await ended(membership, ANN, BEN)
    starter = over.chairs[0].player
    new, _ = await membership.play_again(over.id, starter, NAMES[starter])
    await lobby_of(membership).join(new.id, EVE, "Eve")
    assert users(await lobby_of(membership).start(new.id, starter)) == [EVE, starter]


async def test_a_match_that_follows_is_followed(membership: Membership) -> None:
    """The old table's button leads to the newest match; and to a new lobby where the first was called off."""
    over = await ended(membership, ANN, BEN)
    second, _ = await membership.play_again(over.id, ANN, "Ann")
    await lobby_of(membership).cancel(second.id, ANN, manager=False)
    third, _ = await membership.play_again(over.id, ANN, "Ann")
    assert third.id > second.id
    await lobby_of(membership).start(third.id, ANN)
    same, late = await membership.play_again(over.id, BEN, "Ben")
    assert (same.id, late and late.reason, [who.user for who in same.waiting]) == (third.id, "started", [BEN])
    await membership.vote(third.id, ANN, "end")
    assert await refusal(membership.play_again(over.id, CLEO, "Cleo")) == "players_open"
    fourth, _ = await membership.play_again(over.id, ANN, "Ann")
    assert fourth.previous == third.id
    assert users(fourth) == [ANN, BEN], "who waited plays"


async def test_play_again_while_the_match_runs_or_was_never_begun(membership: Membership) -> None:
    match = await lobby(service_of(membership), ANN, BEN)
    assert await refusal(membership.play_again(match.id, ANN, "Ann")) == "not_started"
    await lobby_of(membership).start(match.id, ANN)
    assert await refusal(membership.play_again(match.id, ANN, "Ann")) == "not_over"
    assert await refusal(membership.play_again(99, ANN, "Ann")) == "no_match"


async def test_who_came_too_late_waits_in_order_and_plays_next(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (EVE, DAN):
        _, late = await membership.join(match.id, user, NAMES[user])
        assert late is not None and late.reason == "started"
    assert await refusal(membership.join(match.id, EVE, "Eve")) == "waiting"
    assert await refusal(membership.join(match.id, ANN, "Ann")) == "seated"
    assert [who.user for who in (await service_of(reopened(base)).load(match.id)).waiting] == [EVE, DAN]
    assert (await membership.wait_no_more(match.id, DAN)) is not None
    assert await membership.wait_no_more(match.id, DAN) is None
    await membership.vote(match.id, ANN, "end")
    await membership.vote(match.id, BEN, "end")
    new, _ = await membership.play_again(match.id, BEN, "Ben")
    assert users(new) == [BEN, EVE]
    assert not new.waiting


async def test_a_full_lobby_lets_the_first_who_waits_sit_down(membership: Membership) -> None:
    match = await lobby(service_of(membership), ANN, BEN)
    await lobby_of(membership).choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        _, late = await membership.join(match.id, user, NAMES[user])
        assert late is not None and late.reason == "full"
    match = await lobby_of(membership).leave(match.id, ANN)
    assert (users(match), match.host) == ([BEN, CLEO], BEN)
    match = await lobby_of(membership).leave(match.id, DAN)
    assert (users(match), match.waiting) == ([BEN, CLEO], ())


async def test_those_who_played_find_room_before_those_who_wait(membership: Membership) -> None:
    """The largest table, and one more: who waits yields, and sits down when somebody gets up."""
    most = GAMES["siege_of_sunfall"].seats[-1]
    match = await lobby(service_of(membership), ANN, BEN, CLEO, game="siege_of_sunfall", computers=most - 3)
    await lobby_of(membership).start(match.id, ANN)
    await membership.join(match.id, DAN, "Dan")
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "end")
    new, _ = await membership.play_again(match.id, ANN, "Ann")
    assert (users(new).count(None), [who.user for who in new.waiting]) == (most - 3, [DAN])
    for user in (BEN, CLEO):
        new, late = await membership.play_again(match.id, user, NAMES[user])
        assert late is None
    assert len(new.chairs) == most
    assert DAN in users(await lobby_of(membership).leave(new.id, ANN))


async def test_waiting_users_sit_down_only_in_seats_that_no_player_of_the_last_match_needs(
    membership: Membership,
) -> None:
    """Four can play; three did. So one of the two waiting users sits down, and a seat is left for each other player."""
    match = await begun(service_of(membership), ANN, BEN, CLEO, game="photosynthesis")
    for user in (DAN, EVE):
        await membership.join(match.id, user, NAMES[user])
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "end")
    new, _ = await membership.play_again(match.id, ANN, "Ann")
    assert (users(new), [who.user for who in new.waiting]) == ([ANN, DAN], [EVE])
    assert [chair.number for chair in new.chairs] == [0, 1]


# --- lobbies that no player comes to


async def test_a_lobby_that_no_player_touches_is_closed(membership: Membership, clock: Clock) -> None:
    still, touched = await lobby(service_of(membership), ANN), await lobby(service_of(membership), BEN)
    running = await begun(service_of(membership), EVE)
    clock.seconds += IDLE_LOBBY - 10
    closed: list[int] = []
    service_of(membership).announcer.listener = SimpleNamespace(changed=closed.append, later=closed.append)
    await membership.close_idle()
    await lobby_of(membership).add_computer(touched.id, BEN)
    assert closed == [touched.id]
    clock.seconds += 20
    await membership.close_idle()
    assert closed == [touched.id, still.id], "what is closed is announced"
    await membership.close_idle()
    assert closed == [touched.id, still.id]
    assert (await service_of(membership).load(still.id)).status is Status.CANCELLED
    assert (await service_of(membership).load(touched.id)).status is Status.LOBBY
    assert (await service_of(membership).load(running.id)).status is Status.PLAYING
    assert await refusal(membership.join(still.id, CLEO, "Cleo")) == "is_cancelled"


async def test_a_lobby_has_a_table_and_no_hands(membership: Membership) -> None:
    service = service_of(membership)
    match = await lobby(service, ANN, BEN)
    assert [post.of for post in await service.posts.of(match.id)] == [(TablePost, None)]
    await lobby_of(membership).start(match.id, ANN)
    posts = [post.of for post in await service.posts.of(match.id)]
    assert posts == [(TablePost, None), (HandPost, 0), (HandPost, 1)]
