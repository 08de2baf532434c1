"""Who plays again, waits, leaves, takes over and comes back: the host's side, without Discord."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import PACES, AutomaticMoves, Pace
from cogs.match.clocks import absent, away, clock_of
from cogs.match.deadlines import end_paused, go_on, pause, ring
from cogs.match.lobby import Lobby
from cogs.match.membership import IDLE_LOBBY, LONG_REST, LONG_WAIT, SHORT_REST, Membership
from cogs.match.refusals import PAUSE, Refused
from cogs.match.service import MatchService
from cogs.match.time_controls import PRESETS
from cogs.match.undo import last_open_move, undo_alone
from cogs.match.verification import Verifier
from cogs.match.votes import NOTHING, Choice
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from cogs.transport.components import layout_view
from data.content.texts import DEFAULT, texts
from data.records.deadlines import SeatClock, Stage
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.records.pings import Ping, SeatPings
from data.records.post import HandPost, TablePost
from data.records.servers import Servers
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES
from rules.core.game import Seat
from tests.support.inside import lobby_of, service_of, stored_matches
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, play_on, refusal
from tests.support.simulation import controls, seed_secrets

LONG_AGO = 1_000_000.0


class Clock:
    def __init__(self) -> None:
        self.seconds = LONG_AGO

    def __call__(self) -> float:
        return self.seconds


@pytest_asyncio.fixture
async def base(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "sundial.db")
    for user, name in NAMES.items():
        await People(opened).meet(user, name)
        await People(opened).change(user, dm=user * 10, dm_works=True)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(
    base: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> MatchService:
    seed_secrets(monkeypatch, request.node.name)
    return MatchService(Matches(base), People(base), GAMES, clock)


@pytest.fixture
def membership(service: MatchService) -> Membership:
    return Membership(service, Lobby(service))


def reopened(base: Database) -> Membership:
    """One that remembers nothing but what is stored."""
    service = MatchService(Matches(base), People(base), GAMES)
    return Membership(service, Lobby(service))


async def ended(membership: Membership, *users: int, **how: Any) -> Match:
    match = await begun(service_of(membership), *users, **how)
    for user in users:
        if match.status is Status.PLAYING:
            match = (await membership.vote(match.id, user, "end")).match
    assert match.status is Status.STOPPED
    return match


def users(match: Match) -> list[int | None]:
    return [chair.user for chair in match.chairs]


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


async def test_a_match_ends_once_the_bot_has_been_away_for_a_month_and_no_other_does(
    membership: Membership, clock: Clock
) -> None:
    service = service_of(membership)
    running, open_lobby, other = (
        await begun(service, ANN, BEN),
        await lobby(service, CLEO),
        await begun(service, DAN, EVE),
    )
    for match in (running, open_lobby):
        await pause(service, match.id)
    clock.seconds += PAUSE - 1
    assert [(await end_paused(service, match.id)).open for match in (running, open_lobby, other)] == [True, True, True]
    clock.seconds += 1
    ends = [(await end_paused(service, match.id)).status for match in (running, open_lobby, other)]
    assert ends == [Status.STOPPED, Status.CANCELLED, Status.PLAYING]


async def test_a_lobby_has_a_table_and_no_hands(membership: Membership) -> None:
    service = service_of(membership)
    match = await lobby(service, ANN, BEN)
    assert [post.of for post in await service.posts.of(match.id)] == [(TablePost, None)]
    await lobby_of(membership).start(match.id, ANN)
    posts = [post.of for post in await service.posts.of(match.id)]
    assert posts == [(TablePost, None), (HandPost, 0), (HandPost, 1)]


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


# --- deciding together


async def test_two_of_three_remove_somebody_who_then_stays_away(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    seat = match.seat_of(CLEO) or 0
    assert await refusal(membership.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    assert await refusal(membership.vote(match.id, ANN, f"remove {EVE}")) == "no_remove"
    assert await refusal(membership.vote(match.id, ANN, "nonsense")) == "unknown_button"
    assert await refusal(membership.vote(match.id, EVE, f"remove {CLEO}")) == "not_seated"
    assert not (await membership.vote(match.id, ANN, f"remove {CLEO}")).done
    assert not (await membership.vote(match.id, ANN, f"remove {CLEO}")).done, "the same voice again is one voice"
    assert await refusal(membership.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    voted = await membership.vote(match.id, BEN, f"remove {CLEO}")
    assert voted.done and voted.match.seat_of(CLEO) is None and voted.match.chairs[seat].offered
    assert await refusal(membership.come_back(match.id, CLEO, "Cleo")) == "removed"
    assert await refusal(membership.take_seat(match.id, CLEO, "Cleo", seat)) == "removed"
    assert (await membership.take_seat(match.id, EVE, "Eve", seat)).seat_of(EVE) == seat
    assert await stored_matches(service_of(membership)).votes(match.id) == {}


async def test_a_removal_deletes_the_removed_players_vote_and_keeps_other_votes(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO, DAN, EVE)
    for user, text in ((DAN, "end"), (EVE, "pause"), *((user, f"remove {DAN}") for user in (ANN, BEN, CLEO))):
        voted = await membership.vote(match.id, user, text)
    assert voted.match.seat_of(DAN) is None
    assert await service_of(membership).votes(match.id) == {EVE: "pause"}


async def test_after_a_long_rest_each_hand_pings_again_and_the_table_goes_on_with_its_mention(
    membership: Membership, clock: Clock
) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN)
    hand = HandPost(match.id, 7, 70, seat=0, user=match.chairs[0].user, pinged=Ping("a"), mentioned=Ping("a"))
    pings = SeatPings(((0, Ping("a")),))
    table = TablePost(match.id, 2, 20, mentioning=pings, mentioned_again=pings)
    await service.posts.note(hand, table)
    for rest, called in ((SHORT_REST - 1, Ping("a")), (SHORT_REST, None)):
        for kind in ("pause", "resume"):
            for user in (ANN, BEN):
                await membership.vote(match.id, user, kind)
            clock.seconds += rest if kind == "pause" else 0
        posts = await service.posts.of(match.id)
        assert (posts.hands[0].pinged, posts.hands[0].mentioned) == (called, called)
    assert (posts.table.mentioning, posts.table.mentioned_again) == (pings, pings)


async def test_of_two_no_player_removes_the_other(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    assert await refusal(membership.vote(match.id, ANN, f"remove {BEN}")) == "no_remove"


async def test_a_pause_stops_moves_and_computers_and_costs_no_player_time(membership: Membership, clock: Clock) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN)
    (seat,) = service.state(match).to_move()
    user, since = match.chairs[seat].player, match.turn_since or 0
    assert await refusal(membership.vote(match.id, ANN, "resume")) == "no_resume"
    assert not (await membership.vote(match.id, ANN, "pause")).done
    assert (await membership.vote(match.id, BEN, "pause")).done
    assert await refusal(membership.vote(match.id, ANN, "pause")) == "no_pause"
    match = await service.load(match.id)
    text = str(service.state(match).legal_moves(seat)[0])
    assert await refusal(service.play(match.id, user, service.turn(match, seat), text)) == "rests"
    assert await refusal(undo_alone(service, match.id, user, None)) == "rests"
    await membership.give_seat_to_computer(match.id, user)
    assert AutomaticMoves(service).next_seat(await service.load(match.id)) is None
    clock.seconds += 5000
    other = ANN + BEN - user
    voted = await membership.vote(match.id, other, "resume")
    assert voted.done, "one person is left, and decides alone"
    assert voted.match.turn_since == since + 5000
    assert AutomaticMoves(service).next_seat(voted.match) == seat


async def test_a_cancelled_match_is_not_resumed(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "pause")
    await lobby_of(membership).cancel(match.id, EVE, manager=True)
    for user in (ANN, BEN):
        assert await refusal(membership.vote(match.id, user, "resume")) == "is_cancelled"
    assert await refusal(membership.give_seat_to_computer(match.id, ANN)) == "is_cancelled"
    assert await refusal(membership.take_seat(match.id, EVE, "Eve", 0)) == "is_cancelled"
    assert await refusal(membership.offer_seat(match.id, ANN, True)) == "is_cancelled"


async def test_a_voice_is_for_one_thing_and_can_be_taken_back(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    await membership.vote(match.id, ANN, "end")
    await membership.vote(match.id, ANN, "pause")
    assert await stored_matches(service_of(reopened(base))).votes(match.id) == {ANN: "pause"}
    assert not (await membership.vote(match.id, BEN, "end")).done
    assert (await membership.vote(match.id, ANN, NOTHING)).choice is None
    assert await stored_matches(service_of(membership)).votes(match.id) == {BEN: "end"}
    assert (await reopened(base).vote(match.id, CLEO, "end")).match.status is Status.STOPPED


async def test_who_is_asked_again_after_a_move_was_taken_back_is_called_again(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    calls = []
    for voters in ((ANN, BEN), ()):
        (seat,) = service.state(match).to_move()
        text = str(service.state(match).legal_moves(seat)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
        calls.append({chair.number: ping_owed(service, match, chair.number) for chair in match.people})
        for user in voters:
            match = (await membership.vote(match.id, user, f"undo {match.moves - 1}")).match
    before, after = calls
    assert before.keys() == after.keys()
    assert all(after[asked] != call for asked, call in before.items() if call is not None)
    assert {asked for asked in after if after[asked]} == {asked for asked in before if before[asked]}


async def test_a_substitute_takes_back_no_action_of_player_who_sat_there_before(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    while True:
        state = service.state(match)
        (seat,) = state.to_move()
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        user, text = match.chairs[seat].player, str((moves or state.legal_moves(seat))[0])
        match = (await service.play(match.id, user, None, text)).match
        if moves:
            break
    await membership.offer_seat(match.id, user, True)
    match = await membership.take_seat(match.id, CLEO, "Cleo", seat)
    messages, label = Presenter(service, Lobby(service)), texts(DEFAULT)["button.undo"]
    hand = await hand_message(messages, match, Person(CLEO, "Cleo"))
    assert label not in controls({"components": layout_view(hand).to_components()}), "a button that would be refused"
    assert await refusal(undo_alone(service, match.id, CLEO, None)) == "may_not_undo"
    await membership.offer_seat(match.id, CLEO, True)
    match = await membership.take_seat(match.id, user, NAMES[user], seat)
    hand = await hand_message(messages, match, Person(user, NAMES[user]))
    assert label in controls({"components": layout_view(hand).to_components()})
    assert (await undo_alone(service, match.id, user, None)).text == text, "it is theirs still"


async def test_a_rest_that_somebody_stays_away_from_is_ended_by_one_after_a_week(
    membership: Membership, clock: Clock
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "pause")
    clock.seconds += LONG_REST - 1
    assert not (await membership.vote(match.id, ANN, "resume")).done, "two have agreed on it"
    clock.seconds += 1
    voted = await membership.vote(match.id, ANN, "resume")
    assert voted.done and voted.match.rests_since is None and voted.match.running
    assert await stored_matches(service_of(membership)).votes(match.id) == {}
    assert not (await membership.vote(match.id, ANN, "pause")).done, "no player rests alone"


async def test_a_match_without_a_clock_that_somebody_stays_away_from_gets_one_after_two_weeks(
    membership: Membership, clock: Clock
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    awaited = match.chairs[min(service_of(membership).state(match).to_move())].user
    waiting = ANN if awaited == BEN else BEN
    clock.seconds += LONG_WAIT - 1
    assert not (await membership.vote(match.id, waiting, "clock day_1")).done, "two are there to agree"
    clock.seconds += 1
    voted = await membership.vote(match.id, waiting, "clock day_1")
    assert voted.done and voted.match.clock == "day_1" and any(found.due for found in voted.match.clocks)
    clock.seconds += LONG_WAIT
    assert not (await membership.vote(match.id, waiting, "clock none")).done, "no player takes a clock away alone"
    assert not (await membership.vote(match.id, waiting, "end")).done


async def test_who_does_and_takes_back_without_end_waits_no_shorter(membership: Membership, clock: Clock) -> None:
    """A turn of several moves is one for which the others have waited since it began."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    while not (buys := [move for move in _legal(service, match) if str(move).startswith("buy")]):
        seat = min(service.state(match).to_move())
        match = (await service.play(match.id, match.chairs[seat].player, None, str(_legal(service, match)[-1]))).match
    since, user = match.turn_since, match.chairs[min(service.state(match).to_move())].player
    clock.seconds += LONG_WAIT
    await service.play(match.id, user, None, str(buys[0]))
    match = (await undo_alone(service, match.id, user, None)).match
    assert match.turn_since == since
    assert (await membership.vote(match.id, ANN + BEN - user, "clock day_1")).done


def _legal(service: MatchService, match: Match) -> list[Any]:
    state = service.state(match)
    return state.legal_moves(min(state.to_move()))


async def test_a_computer_takes_as_long_where_it_has_no_choice(
    membership: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cogs.match.automatic_moves.choose", lambda game, state, seat, seed, level: state.legal_moves(seat)[0]
    )
    match = await begun(service_of(membership), ANN, computers=2)
    while AutomaticMoves(service_of(membership)).next_seat(match) is None:
        match = (
            await service_of(membership).play(match.id, ANN, None, str(_legal(service_of(membership), match)[0]))
        ).match
    since = time.monotonic()
    assert await AutomaticMoves(service_of(membership)).play(match.id, Pace(0.2 / PACES["friend"])) is not None
    assert time.monotonic() - since >= 0.2


async def test_all_together_take_a_move_back_and_no_player_alone(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")  # where nothing is hidden
    start = match.state
    assert await refusal(membership.vote(match.id, ANN, "undo 0")) == "no_undo"
    (seat,) = service.state(match).to_move()
    text = str(service.state(match).legal_moves(seat)[0])
    match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
    assert await refusal(membership.vote(match.id, ANN, "undo 1")) == "no_undo"
    assert not (await membership.vote(match.id, ANN, "undo 0")).done
    voted = await membership.vote(match.id, BEN, "undo 0")
    assert voted.done and voted.match.state == start and voted.match.undone == 1
    assert await refusal(membership.vote(match.id, ANN, "undo 0")) == "no_undo"
    assert await stored_matches(service).votes(match.id) == {}


async def two_moves(membership: Membership) -> Match:
    """Photosynthesis for two, in which each has moved once."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    for _ in range(2):
        (seat,) = service.state(match).to_move()
        text = str(service.state(match).legal_moves(seat)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
    return match


async def test_a_move_before_one_taken_back_is_not_taken_back(membership: Membership) -> None:
    match = await two_moves(membership)
    for user in (ANN, BEN):
        match = (await membership.vote(match.id, user, "undo 1")).match
    assert (match.moves, match.undone) == (2, 1)
    for number in (0, 1):
        assert await refusal(membership.vote(match.id, ANN, f"undo {number}")) == "no_undo"


async def test_the_file_of_verify_marks_the_moves_that_were_taken_back(membership: Membership) -> None:
    match = await two_moves(membership)
    for text in ("undo 1", "end"):
        for user in (ANN, BEN):
            await membership.vote(match.id, user, text)
    moves = json.loads((await Verifier(service_of(membership)).verify(match.id)).export)["moves"]
    assert [move["taken_back"] for move in moves] == [False, True]


async def test_a_move_of_a_computer_is_not_taken_back(membership: Membership, base: Database) -> None:
    match = await two_moves(membership)
    await base.write(lambda c: c.execute("UPDATE move SET user = NULL WHERE number = 1").rowcount)
    assert await refusal(membership.vote(match.id, ANN, "undo 1")) == "no_undo"


async def test_a_move_that_drew_a_card_is_not_taken_back(membership: Membership) -> None:
    """All players together cannot take it back either: the card has been seen."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="sea_change")  # two players draw a card after each card that they play
    for number in range(4):
        seat = min(service.state(match).to_move())
        move = str(_legal(service, match)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, move)).match
        happened = [type(told.event).__name__ for told in await service.events_of(match) if told.move == number]
        assert "CardDrawn" in happened
        for user in (ANN, BEN):
            assert await refusal(membership.vote(match.id, user, f"undo {number}")) == "no_undo"


NEW_TO_THE_MOVER = {"CardDrawn", "PileRenewed", "RoundBegan", "Shuffled", "PledgesRevealed"}


@pytest.mark.parametrize("game", GAMES)
async def test_what_may_be_taken_back_told_no_player_anything_new(membership: Membership, game: str) -> None:
    """Whatever the game, early and late: no card was drawn, dealt or turned up, the same had happened with other hidden
    cards, and no player can have decided in secret since.
    """
    print(f"moves by seed {game}")
    service, random, found = service_of(membership), Random(game), 0
    match = await begun(service, *list(NAMES)[: max(2, GAMES[game].seats[0])], game=game)
    for number in range(40):
        if number == 20:
            match = await play_on(service, match, 40)
        if match.status is not Status.PLAYING:
            break
        state = service.state(match)
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        match = (await service.play(match.id, match.chairs[seat].player, None, str(move))).match
        last = await last_open_move(service_of(membership), match)
        if last is not None:
            found += 1
            happened = [told.event for told in await service.events_of(match) if told.move == last.number]
            assert not {type(event).__name__ for event in happened} & NEW_TO_THE_MOVER, happened
            for other in (state.redeal_unseen(seat, f"another {again}") for again in range(3)):
                assert list(other.apply(move)[1]) == happened
            for position in (state, service.state(match)):
                assert sum(bool(position.legal_moves(Seat(at))) for at in range(len(match.chairs))) == 1
    assert found or game not in ("photosynthesis", "full_sun")


async def test_whom_a_free_seat_finds_waiting(membership: Membership) -> None:
    """A computer goes, or more seats are wanted: who waits sits down."""
    match = await lobby(service_of(membership), ANN, computers=1)
    await lobby_of(membership).choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        await membership.join(match.id, user, NAMES[user])
    match = await lobby_of(membership).remove_computer(match.id, ANN)
    assert (users(match), [who.user for who in match.waiting]) == ([ANN, CLEO], [DAN])
    match = await lobby_of(membership).choose_option(match.id, ANN, "seats", "any")
    assert (users(match), match.waiting) == ([ANN, CLEO, DAN], ())
    assert [chair.number for chair in match.chairs] == [0, 1, 2]


# --- where a server allows only so much, or the bot is away


@pytest.fixture
def kept(base: Database, clock: Clock) -> Membership:
    """At the tables of a host that keeps what servers allow."""
    service = MatchService(Matches(base), People(base), GAMES, clock, Servers(base))
    return Membership(service, Lobby(service))


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


# --- with a clock


WHOLE = PRESETS["day_1"].turn + PRESETS["day_1"].reserve


async def clocked(membership: Membership, *who: int, policy: str = "computer") -> tuple[Match, SeatClock]:
    """A match with a clock that has begun, and the clock that runs."""
    match = await lobby(service_of(membership), *who)
    await lobby_of(membership).choose_option(match.id, who[0], "clock", "day_1")
    await lobby_of(membership).choose_option(match.id, who[0], "absent", policy)
    match = await lobby_of(membership).start(match.id, who[0])
    return match, running(match)


def running(match: Match) -> SeatClock:
    (clock,) = (clock for clock in match.clocks if clock.due is not None)
    return clock


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


async def test_the_clock_goes_along_when_it_is_played_again(membership: Membership) -> None:
    match, _ = await clocked(membership, ANN, BEN, policy="vote")
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "end")
    new, _ = await membership.play_again(match.id, ANN, "Ann")
    assert (new.clock, new.absent, new.clocks) == ("day_1", "vote", ())


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


async def test_a_press_of_a_move_at_a_lobby_that_was_called_off_is_told_so(membership: Membership) -> None:
    match = await lobby(service_of(membership), ANN, BEN)
    assert await refusal(service_of(membership).play(match.id, ANN, "1.1", "nothing")) == "not_started"
    await lobby_of(membership).cancel(match.id, ANN, manager=False)
    assert await refusal(service_of(membership).play(match.id, ANN, "1.1", "nothing")) == "is_cancelled"
