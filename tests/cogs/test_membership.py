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

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.calls import ping_owed
from cogs.match.clocks import absent, away, clock_of
from cogs.match.deadlines import ring
from cogs.match.lobby import Lobby
from cogs.match.membership import IDLE_LOBBY, LONG_REST, LONG_WAIT, SHORT_REST, Membership
from cogs.match.pace import PACES, Pace
from cogs.match.pausing import end_paused, go_on, pause
from cogs.match.refusals import PAUSE, Refused
from cogs.match.service import MatchService
from cogs.match.time_controls import PRESETS
from cogs.match.undo_votes import last_open_move
from cogs.match.verification import Verifier
from cogs.match.votes import NOTHING, Choice
from cogs.messages.messages import Messages
from cogs.transport.components import layout_view
from data.content.texts import DEFAULT, texts
from data.records.deadlines import SeatClock, Stage
from data.records.match import Match, Status, Terms
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.records.pings import Ping, SeatPings
from data.records.post import TABLE, Post
from data.records.servers import Servers
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES
from rules.core.game import Seat
from tests.support.simulation import controls, seed_secrets

NAMES = {100: "Ann", 200: "Ben", 300: "Cleo", 400: "Dan", 500: "Eve"}
ANN, BEN, CLEO, DAN, EVE = NAMES
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
def host(base: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> MatchService:
    seed_secrets(monkeypatch, request.node.name)
    return MatchService(Matches(base), People(base), GAMES, clock)


@pytest.fixture
def company(host: MatchService) -> Membership:
    return Membership(host, Lobby(host))


def anew(base: Database) -> Membership:
    """One that remembers nothing but what is stored."""
    host = MatchService(Matches(base), People(base), GAMES)
    return Membership(host, Lobby(host))


async def lobby(host: MatchService, *users: int, game: str = "sea_change", computers: int = 0) -> Match:
    first, *others = users
    match = await Lobby(host).open(game, guild=1, channel=2, user=first, name=NAMES[first], terms=Terms(locale="en-GB"))
    for user in others:
        match = await Lobby(host).join(match.id, user, NAMES[user])
    for _ in range(computers):
        match = await Lobby(host).add_computer(match.id, first)
    return match


async def begun(host: MatchService, *users: int, game: str = "sea_change", computers: int = 0) -> Match:
    match = await lobby(host, *users, game=game, computers=computers)
    return await Lobby(host).start(match.id, users[0])


async def ended(company: Membership, *users: int, **how: Any) -> Match:
    match = await begun(company._service, *users, **how)
    for user in users:
        if match.status is Status.PLAYING:
            match = (await company.vote(match.id, user, "end")).match
    assert match.status is Status.STOPPED
    return match


async def refusal(work: Any) -> str:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.reason


def users(match: Match) -> list[int | None]:
    return [chair.user for chair in match.chairs]


# --- once more


async def test_however_many_press_there_is_one_lobby(company: Membership) -> None:
    over = await ended(company, ANN, BEN, CLEO, DAN)
    found = await asyncio.gather(*(company.play_again(over.id, user, NAMES[user]) for user in (CLEO, ANN, DAN, BEN)))
    assert {match.id for match, _ in found} == {over.id + 1}
    match = await company._service.load(over.id + 1)
    assert sorted(users(match)) == [ANN, BEN, CLEO, DAN]
    assert await refusal(company.play_again(over.id, ANN, "Ann")) == "seated"


async def test_the_lobby_has_the_same_options_and_computers(company: Membership) -> None:
    first = await lobby(company._service, ANN, BEN, computers=1)
    await company._lobby.choose_option(first.id, ANN, "target", "2")
    await company._lobby.choose_option(first.id, ANN, "place", "thread")
    await company._lobby.start(first.id, ANN)
    await company.give_seat_to_computer(first.id, BEN)
    assert (await company.vote(first.id, ANN, "end")).match.status is Status.STOPPED
    match, _ = await company.play_again(first.id, ANN, "Ann")
    assert (match.options, match.own_thread, match.status) == ({**match.options, "target": 2}, True, Status.LOBBY)
    assert match.options["deck"] == company._lobby.deck(match.game), "of the opening, and not of the match before"
    assert users(match) == [ANN, None], "the computer that sat there for Ben was nobody's choice"


async def test_somebody_else_begins(company: Membership) -> None:
    """The seats go round: four matches of four people have four starters."""
    match = await ended(company, ANN, BEN, CLEO, DAN)
    orders = [users(match)]
    for _ in range(3):
        for user in (DAN, BEN, ANN, CLEO):
            new, _ = await company.play_again(match.id, user, NAMES[user])
        match = await company._lobby.start(new.id, DAN)
        orders.append(users(match))
        for user in (ANN, BEN, CLEO):
            await company.vote(match.id, user, "end")
    assert all(after == [*before[1:], before[0]] for before, after in pairwise(orders))


async def test_newcomers_sit_after_the_others_and_the_same_one_does_not_begin(company: Membership) -> None:
    over = await ended(company, ANN, BEN)
    starter = over.chairs[0].user or 0
    new, _ = await company.play_again(over.id, starter, NAMES[starter])
    await company._lobby.join(new.id, EVE, "Eve")
    assert users(await company._lobby.start(new.id, starter)) == [EVE, starter]


async def test_a_match_that_follows_is_followed(company: Membership) -> None:
    """The old table's button leads to the newest match; and to a new lobby where the first was called off."""
    over = await ended(company, ANN, BEN)
    second, _ = await company.play_again(over.id, ANN, "Ann")
    await company._lobby.cancel(second.id, ANN, manager=False)
    third, _ = await company.play_again(over.id, ANN, "Ann")
    assert third.id > second.id
    await company._lobby.start(third.id, ANN)
    same, late = await company.play_again(over.id, BEN, "Ben")
    assert (same.id, late and late.reason, [who.user for who in same.waiting]) == (third.id, "started", [BEN])
    await company.vote(third.id, ANN, "end")
    assert await refusal(company.play_again(over.id, CLEO, "Cleo")) == "players_open"
    fourth, _ = await company.play_again(over.id, ANN, "Ann")
    assert fourth.previous == third.id
    assert users(fourth) == [ANN, BEN], "who waited plays"


async def test_play_again_while_the_match_runs_or_was_never_begun(company: Membership) -> None:
    match = await lobby(company._service, ANN, BEN)
    assert await refusal(company.play_again(match.id, ANN, "Ann")) == "not_started"
    await company._lobby.start(match.id, ANN)
    assert await refusal(company.play_again(match.id, ANN, "Ann")) == "not_over"
    assert await refusal(company.play_again(99, ANN, "Ann")) == "no_match"


async def test_who_came_too_late_waits_in_order_and_plays_next(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN)
    for user in (EVE, DAN):
        _, late = await company.join(match.id, user, NAMES[user])
        assert late is not None and late.reason == "started"
    assert await refusal(company.join(match.id, EVE, "Eve")) == "waiting"
    assert await refusal(company.join(match.id, ANN, "Ann")) == "seated"
    assert [who.user for who in (await anew(base)._service.load(match.id)).waiting] == [EVE, DAN]
    assert (await company.wait_no_more(match.id, DAN)) is not None
    assert await company.wait_no_more(match.id, DAN) is None
    await company.vote(match.id, ANN, "end")
    await company.vote(match.id, BEN, "end")
    new, _ = await company.play_again(match.id, BEN, "Ben")
    assert users(new) == [BEN, EVE]
    assert not new.waiting


async def test_a_full_lobby_lets_the_first_who_waits_sit_down(company: Membership) -> None:
    match = await lobby(company._service, ANN, BEN)
    await company._lobby.choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        _, late = await company.join(match.id, user, NAMES[user])
        assert late is not None and late.reason == "full"
    match = await company._lobby.leave(match.id, ANN)
    assert (users(match), match.host) == ([BEN, CLEO], BEN)
    match = await company._lobby.leave(match.id, DAN)
    assert (users(match), match.waiting) == ([BEN, CLEO], ())


async def test_those_who_played_find_room_before_those_who_wait(company: Membership) -> None:
    """The largest table, and one more: who waits yields, and sits down when somebody gets up."""
    most = GAMES["siege_of_sunfall"].seats[-1]
    match = await lobby(company._service, ANN, BEN, CLEO, game="siege_of_sunfall", computers=most - 3)
    await company._lobby.start(match.id, ANN)
    await company.join(match.id, DAN, "Dan")
    for user in (ANN, BEN):
        await company.vote(match.id, user, "end")
    new, _ = await company.play_again(match.id, ANN, "Ann")
    assert (users(new).count(None), [who.user for who in new.waiting]) == (most - 3, [DAN])
    for user in (BEN, CLEO):
        new, late = await company.play_again(match.id, user, NAMES[user])
        assert late is None
    assert len(new.chairs) == most
    assert DAN in users(await company._lobby.leave(new.id, ANN))


async def test_waiting_users_sit_down_only_in_seats_that_no_player_of_the_last_match_needs(company: Membership) -> None:
    """Four can play; three did. So one of the two waiting users sits down, and a seat is left for each other player."""
    match = await begun(company._service, ANN, BEN, CLEO, game="photosynthesis")
    for user in (DAN, EVE):
        await company.join(match.id, user, NAMES[user])
    for user in (ANN, BEN):
        await company.vote(match.id, user, "end")
    new, _ = await company.play_again(match.id, ANN, "Ann")
    assert (users(new), [who.user for who in new.waiting]) == ([ANN, DAN], [EVE])
    assert [chair.number for chair in new.chairs] == [0, 1]


# --- lobbies that nobody comes to


async def test_a_lobby_that_nobody_touches_is_closed(company: Membership, clock: Clock) -> None:
    still, touched = await lobby(company._service, ANN), await lobby(company._service, BEN)
    running = await begun(company._service, EVE)
    clock.seconds += IDLE_LOBBY - 10
    closed: list[int] = []
    company._service.listen(SimpleNamespace(changed=closed.append, later=closed.append))
    await company.close_idle()
    await company._lobby.add_computer(touched.id, BEN)
    assert closed == [touched.id]
    clock.seconds += 20
    await company.close_idle()
    assert closed == [touched.id, still.id], "what is closed is announced"
    await company.close_idle()
    assert closed == [touched.id, still.id]
    assert (await company._service.load(still.id)).status is Status.CANCELLED
    assert (await company._service.load(touched.id)).status is Status.LOBBY
    assert (await company._service.load(running.id)).status is Status.PLAYING
    assert await refusal(company.join(still.id, CLEO, "Cleo")) == "is_cancelled"


async def test_a_match_ends_once_the_bot_has_been_away_for_a_month_and_no_other_does(
    company: Membership, clock: Clock
) -> None:
    host = company._service
    running, open_lobby, other = await begun(host, ANN, BEN), await lobby(host, CLEO), await begun(host, DAN, EVE)
    for match in (running, open_lobby):
        await pause(host, match.id)
    clock.seconds += PAUSE - 1
    assert [(await end_paused(host, match.id)).open for match in (running, open_lobby, other)] == [True, True, True]
    clock.seconds += 1
    ends = [(await end_paused(host, match.id)).status for match in (running, open_lobby, other)]
    assert ends == [Status.STOPPED, Status.CANCELLED, Status.PLAYING]


async def test_a_lobby_has_a_table_and_no_hands(company: Membership) -> None:
    host = company._service
    match = await lobby(host, ANN, BEN)
    assert set(await host.posts.of(match.id)) == {TABLE}
    await company._lobby.start(match.id, ANN)
    assert set(await host.posts.of(match.id)) == {TABLE, 0, 1}


# --- leaving and taking over


async def test_a_seat_on_offer_goes_to_the_first_who_takes_it(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN)
    seat = match.seat_of(ANN) or 0
    assert await refusal(company.take_seat(match.id, EVE, "Eve", seat)) == "seat_taken"
    match = await company.offer_seat(match.id, ANN, True)
    assert match.seat_of(ANN) == seat, "until then they go on playing"
    assert (await anew(base)._service.load(match.id)).chairs[seat].offered
    results = await asyncio.gather(
        *(company.take_seat(match.id, user, NAMES[user], seat) for user in (EVE, DAN)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Match, Refused]
    match = await company._service.load(match.id)
    assert (match.seat_of(EVE), match.seat_of(ANN), match.chairs[seat].offered) == (seat, None, False)
    assert await refusal(company._service.play(match.id, ANN, None, "play B9")) == "no_longer_seated"
    assert await refusal(company.vote(match.id, ANN, "end")) == "no_longer_seated"
    assert await refusal(company.come_back(match.id, ANN, "Ann")) == "seat_taken"
    assert await refusal(company.take_seat(match.id, BEN, "Ben", seat)) == "seated"


async def test_a_user_who_takes_a_seat_leaves_the_waiting_list_and_the_others_stay_on_it(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN)
    for user in (DAN, EVE):
        await company.join(match.id, user, NAMES[user])
    await company.offer_seat(match.id, ANN, True)
    match = await company.take_seat(match.id, EVE, "Eve", match.seat_of(ANN) or 0)
    assert [who.user for who in match.waiting] == [DAN]


async def test_computers_on_seats_that_players_gave_up_have_different_names(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN, CLEO, computers=1)
    for user in (ANN, BEN):
        match = await company.give_seat_to_computer(match.id, user)
    names = [chair.name for chair in match.chairs]
    assert len(set(names)) == len(names) == 4


async def test_a_user_whose_data_was_deleted_takes_over_no_seat_of_a_lobby(company: Membership, tmp_path: Path) -> None:
    departures = ErasureLog(tmp_path / "sundial.db")
    departures.note(EVE, 5)
    match = await lobby(company._service, ANN, computers=1)
    with_list = Membership(company._service, Lobby(company._service, departures=departures))
    assert await refusal(with_list.take_seat(match.id, EVE, "Eve", 1)) == "not_started"


async def test_what_somebody_has_set_for_a_table_is_not_the_next_ones(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN)
    seat = match.seat_of(ANN) or 0
    chairs = (replace(c, ping=PingPreference.NONE, plays_forced=True) if c.user == ANN else c for c in match.chairs)
    async with company._service.deciding(match.id) as found:
        await company._service.save(replace(found, chairs=tuple(chairs)))
    await company.offer_seat(match.id, ANN, True)
    for later in (
        await company.take_seat(match.id, CLEO, "Cleo", seat),
        await company.give_seat_to_computer(match.id, CLEO),
        await anew(base)._service.load(match.id),
    ):
        assert (later.chairs[seat].ping, later.chairs[seat].plays_forced) == (None, False)


async def test_an_offer_is_withdrawn(company: Membership) -> None:
    match = await company.offer_seat((await begun(company._service, ANN, BEN)).id, ANN, True)
    version = match.version
    assert (await company.offer_seat(match.id, ANN, True)).version == version
    match = await company.offer_seat(match.id, ANN, False)
    assert await refusal(company.take_seat(match.id, EVE, "Eve", match.seat_of(ANN) or 0)) == "seat_taken"
    assert await refusal(company.offer_seat(match.id, EVE, True)) == "not_seated"


async def test_one_comes_back_to_ones_own_seat_and_to_no_other(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN, CLEO)
    seats = {user: match.seat_of(user) or 0 for user in (ANN, BEN)}
    for user in (ANN, BEN):
        match = await company.give_seat_to_computer(match.id, user)
    assert users(match).count(None) == 2
    company = anew(base)
    assert await refusal(company.take_seat(match.id, ANN, "Ann", seats[BEN])) == "was_elsewhere"
    match = await company.come_back(match.id, ANN, "Ann")
    assert match.seat_of(ANN) == seats[ANN]
    assert await refusal(company.come_back(match.id, ANN, "Ann")) == "seated"
    match = await company.take_seat(match.id, EVE, "Eve", seats[BEN])
    assert await refusal(company.come_back(match.id, BEN, "Ben")) == "seat_taken"
    match = await company.give_seat_to_computer(match.id, EVE)
    assert (await company.come_back(match.id, BEN, "Ben")).seat_of(BEN) == seats[BEN]


async def test_what_was_a_former_players_message_is_emptied(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN)
    seat = match.seat_of(ANN) or 0
    posts = await company._service._matches.posts(match.id)
    await company._service._matches.save_posts([replace(posts[seat], channel=1000, message=77, shown=match.version)])
    await company.offer_seat(match.id, ANN, True)
    assert await company._service._matches.stale_hands(match.id) == []
    stale = (await company._service._matches.posts(match.id))[seat]
    match = await company.take_seat(match.id, EVE, "Eve", seat)
    (farewell,) = await company._service._matches.stale_hands(match.id)
    assert (farewell.user, farewell.channel, farewell.message) == (ANN, 1000, 77)
    new = (await company._service._matches.posts(match.id))[seat]
    assert (new.user, new.channel, new.message, new.shown) == (EVE, EVE * 10, None, match.version - 1)
    # A worker that was still showing Ann's hand notes it down too late.
    await company._service._matches.save_posts([replace(stale, message=78, shown=match.version)])
    assert (await company._service._matches.posts(match.id))[seat] == new
    assert {f.message for f in await company._service._matches.stale_hands(match.id)} == {77, 78}
    assert match.id in await Matches(base).index.unshown()
    for farewell in await company._service._matches.stale_hands(match.id):
        await company._service._matches.stale_hand_emptied(farewell)
    assert await company._service._matches.stale_hands(match.id) == []
    assert TABLE in await Matches(base).posts(match.id)


# --- deciding together


async def test_two_of_three_remove_somebody_who_then_stays_away(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN, CLEO)
    seat = match.seat_of(CLEO) or 0
    assert await refusal(company.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    assert await refusal(company.vote(match.id, ANN, f"remove {EVE}")) == "no_remove"
    assert await refusal(company.vote(match.id, ANN, "nonsense")) == "unknown_button"
    assert await refusal(company.vote(match.id, EVE, f"remove {CLEO}")) == "not_seated"
    assert not (await company.vote(match.id, ANN, f"remove {CLEO}")).done
    assert not (await company.vote(match.id, ANN, f"remove {CLEO}")).done, "the same voice again is one voice"
    assert await refusal(company.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    voted = await company.vote(match.id, BEN, f"remove {CLEO}")
    assert voted.done and voted.match.seat_of(CLEO) is None and voted.match.chairs[seat].offered
    assert await refusal(company.come_back(match.id, CLEO, "Cleo")) == "removed"
    assert await refusal(company.take_seat(match.id, CLEO, "Cleo", seat)) == "removed"
    assert (await company.take_seat(match.id, EVE, "Eve", seat)).seat_of(EVE) == seat
    assert await company._service._matches.votes(match.id) == {}


async def test_a_removal_deletes_the_removed_players_vote_and_keeps_other_votes(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN, CLEO, DAN, EVE)
    for user, text in ((DAN, "end"), (EVE, "pause"), *((user, f"remove {DAN}") for user in (ANN, BEN, CLEO))):
        voted = await company.vote(match.id, user, text)
    assert voted.match.seat_of(DAN) is None
    assert await company._service.votes(match.id) == {EVE: "pause"}


async def test_after_a_long_rest_each_hand_pings_again_and_the_table_goes_on_with_its_mention(
    company: Membership, clock: Clock
) -> None:
    host = company._service
    match = await begun(host, ANN, BEN)
    hand = Post(match.id, 0, 7, 70, user=match.chairs[0].user, pinged=Ping("a"), mentioned=Ping("a"))
    pings = SeatPings(((0, Ping("a")),))
    table = Post(match.id, TABLE, 2, 20, mentioning=pings, mentioned_again=pings)
    await host.posts.note(hand, table)
    for rest, called in ((SHORT_REST - 1, Ping("a")), (SHORT_REST, None)):
        for kind in ("pause", "resume"):
            for user in (ANN, BEN):
                await company.vote(match.id, user, kind)
            clock.seconds += rest if kind == "pause" else 0
        posts = await host.posts.of(match.id)
        assert (posts[0].pinged, posts[0].mentioned) == (called, called)
    assert (posts[TABLE].mentioning, posts[TABLE].mentioned_again) == (pings, pings)


async def test_of_two_nobody_removes_the_other(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN)
    assert await refusal(company.vote(match.id, ANN, f"remove {BEN}")) == "no_remove"


async def test_a_pause_stops_moves_and_computers_and_costs_nobody_time(company: Membership, clock: Clock) -> None:
    host = company._service
    match = await begun(host, ANN, BEN)
    (seat,) = host.state(match).to_move()
    user, since = match.chairs[seat].user or 0, match.turn_since or 0
    assert await refusal(company.vote(match.id, ANN, "resume")) == "no_resume"
    assert not (await company.vote(match.id, ANN, "pause")).done
    assert (await company.vote(match.id, BEN, "pause")).done
    assert await refusal(company.vote(match.id, ANN, "pause")) == "no_pause"
    match = await host.load(match.id)
    text = str(host.state(match).legal_moves(seat)[0])
    assert await refusal(host.play(match.id, user, host.turn(match, seat), text)) == "rests"
    assert await refusal(host.undo(match.id, user, None)) == "rests"
    await company.give_seat_to_computer(match.id, user)
    assert AutomaticMoves(host).next_seat(await host.load(match.id)) is None
    clock.seconds += 5000
    other = ANN + BEN - user
    voted = await company.vote(match.id, other, "resume")
    assert voted.done, "one person is left, and decides alone"
    assert voted.match.turn_since == since + 5000
    assert AutomaticMoves(host).next_seat(voted.match) == seat


async def test_a_cancelled_match_is_not_resumed(company: Membership) -> None:
    match = await begun(company._service, ANN, BEN)
    for user in (ANN, BEN):
        await company.vote(match.id, user, "pause")
    await company._lobby.cancel(match.id, EVE, manager=True)
    for user in (ANN, BEN):
        assert await refusal(company.vote(match.id, user, "resume")) == "is_cancelled"
    assert await refusal(company.give_seat_to_computer(match.id, ANN)) == "is_cancelled"
    assert await refusal(company.take_seat(match.id, EVE, "Eve", 0)) == "is_cancelled"
    assert await refusal(company.offer_seat(match.id, ANN, True)) == "is_cancelled"


async def test_a_voice_is_for_one_thing_and_can_be_taken_back(company: Membership, base: Database) -> None:
    match = await begun(company._service, ANN, BEN, CLEO)
    await company.vote(match.id, ANN, "end")
    await company.vote(match.id, ANN, "pause")
    assert await anew(base)._service._matches.votes(match.id) == {ANN: "pause"}
    assert not (await company.vote(match.id, BEN, "end")).done
    assert (await company.vote(match.id, ANN, NOTHING)).choice is None
    assert await company._service._matches.votes(match.id) == {BEN: "end"}
    assert (await anew(base).vote(match.id, CLEO, "end")).match.status is Status.STOPPED


async def test_who_is_asked_again_after_a_move_was_taken_back_is_called_again(company: Membership) -> None:
    host = company._service
    match = await begun(host, ANN, BEN, game="photosynthesis")
    calls = []
    for voters in ((ANN, BEN), ()):
        (seat,) = host.state(match).to_move()
        text = str(host.state(match).legal_moves(seat)[0])
        match = (await host.play(match.id, match.chairs[seat].user or 0, None, text)).match
        calls.append({chair.number: ping_owed(host, match, chair.number) for chair in match.people})
        for user in voters:
            match = (await company.vote(match.id, user, f"undo {match.moves - 1}")).match
    before, after = calls
    assert before.keys() == after.keys()
    assert all(after[asked] != call for asked, call in before.items() if call is not None)
    assert {asked for asked in after if after[asked]} == {asked for asked in before if before[asked]}


async def test_a_substitute_takes_back_no_action_of_whoever_sat_there_before(company: Membership) -> None:
    host = company._service
    match = await begun(host, ANN, BEN, game="photosynthesis")
    while True:
        state = host.state(match)
        (seat,) = state.to_move()
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        user, text = match.chairs[seat].user or 0, str((moves or state.legal_moves(seat))[0])
        match = (await host.play(match.id, user, None, text)).match
        if moves:
            break
    await company.offer_seat(match.id, user, True)
    match = await company.take_seat(match.id, CLEO, "Cleo", seat)
    desk, label = Messages(host, Lobby(host)), texts(DEFAULT)["button.undo"]
    hand = await desk.hand(match, Person(CLEO, "Cleo"))
    assert label not in controls({"components": layout_view(hand).to_components()}), "a button that would be refused"
    assert await refusal(host.undo(match.id, CLEO, None)) == "may_not_undo"
    await company.offer_seat(match.id, CLEO, True)
    match = await company.take_seat(match.id, user, NAMES[user], seat)
    hand = await desk.hand(match, Person(user, NAMES[user]))
    assert label in controls({"components": layout_view(hand).to_components()})
    assert (await host.undo(match.id, user, None)).text == text, "it is theirs still"


async def test_a_rest_that_somebody_stays_away_from_is_ended_by_one_after_a_week(
    company: Membership, clock: Clock
) -> None:
    match = await begun(company._service, ANN, BEN)
    for user in (ANN, BEN):
        await company.vote(match.id, user, "pause")
    clock.seconds += LONG_REST - 1
    assert not (await company.vote(match.id, ANN, "resume")).done, "two have agreed on it"
    clock.seconds += 1
    voted = await company.vote(match.id, ANN, "resume")
    assert voted.done and voted.match.rests_since is None and voted.match.running
    assert await company._service._matches.votes(match.id) == {}
    assert not (await company.vote(match.id, ANN, "pause")).done, "nobody rests alone"


async def test_a_match_without_a_clock_that_somebody_stays_away_from_gets_one_after_two_weeks(
    company: Membership, clock: Clock
) -> None:
    match = await begun(company._service, ANN, BEN)
    clock.seconds += LONG_WAIT - 1
    assert not (await company.vote(match.id, ANN, "clock day_1")).done, "two are there to agree"
    clock.seconds += 1
    voted = await company.vote(match.id, ANN, "clock day_1")
    assert voted.done and voted.match.clock == "day_1" and any(found.due for found in voted.match.clocks)
    clock.seconds += LONG_WAIT
    assert not (await company.vote(match.id, ANN, "clock none")).done, "nobody takes a clock away alone"
    assert not (await company.vote(match.id, ANN, "end")).done


async def test_who_does_and_takes_back_without_end_waits_no_shorter(company: Membership, clock: Clock) -> None:
    """A turn of several moves is one for which the others have waited since it began."""
    host = company._service
    match = await begun(host, ANN, BEN, game="photosynthesis")
    while not (buys := [move for move in _legal(host, match) if str(move).startswith("buy")]):
        seat = min(host.state(match).to_move())
        match = (await host.play(match.id, match.chairs[seat].user or 0, None, str(_legal(host, match)[-1]))).match
    since, user = match.turn_since, match.chairs[min(host.state(match).to_move())].user or 0
    clock.seconds += LONG_WAIT
    await host.play(match.id, user, None, str(buys[0]))
    match = (await host.undo(match.id, user, None)).match
    assert match.turn_since == since
    assert (await company.vote(match.id, ANN + BEN - user, "clock day_1")).done


def _legal(host: MatchService, match: Match) -> list[Any]:
    state = host.state(match)
    return state.legal_moves(min(state.to_move()))


async def test_a_computer_takes_as_long_where_it_has_no_choice(
    company: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.match.thinker.choose", lambda game, state, seat, seed, level: state.legal_moves(seat)[0])
    match = await begun(company._service, ANN, computers=2)
    while AutomaticMoves(company._service).next_seat(match) is None:
        match = (await company._service.play(match.id, ANN, None, str(_legal(company._service, match)[0]))).match
    since = time.monotonic()
    assert await AutomaticMoves(company._service).play(match.id, Pace(0.2 / PACES["friend"])) is not None
    assert time.monotonic() - since >= 0.2


async def test_all_together_take_a_move_back_and_nobody_alone(company: Membership) -> None:
    host = company._service
    match = await begun(host, ANN, BEN, game="photosynthesis")  # where nothing is hidden
    start = match.state
    assert await refusal(company.vote(match.id, ANN, "undo 0")) == "no_undo"
    (seat,) = host.state(match).to_move()
    text = str(host.state(match).legal_moves(seat)[0])
    match = (await host.play(match.id, match.chairs[seat].user or 0, None, text)).match
    assert await refusal(company.vote(match.id, ANN, "undo 1")) == "no_undo"
    assert not (await company.vote(match.id, ANN, "undo 0")).done
    voted = await company.vote(match.id, BEN, "undo 0")
    assert voted.done and voted.match.state == start and voted.match.undone == 1
    assert await refusal(company.vote(match.id, ANN, "undo 0")) == "no_undo"
    assert await host._matches.votes(match.id) == {}


async def two_moves(company: Membership) -> Match:
    """Photosynthesis for two, in which each has moved once."""
    host = company._service
    match = await begun(host, ANN, BEN, game="photosynthesis")
    for _ in range(2):
        (seat,) = host.state(match).to_move()
        text = str(host.state(match).legal_moves(seat)[0])
        match = (await host.play(match.id, match.chairs[seat].user or 0, None, text)).match
    return match


async def test_a_move_before_one_taken_back_is_not_taken_back(company: Membership) -> None:
    match = await two_moves(company)
    for user in (ANN, BEN):
        match = (await company.vote(match.id, user, "undo 1")).match
    assert (match.moves, match.undone) == (2, 1)
    for number in (0, 1):
        assert await refusal(company.vote(match.id, ANN, f"undo {number}")) == "no_undo"


async def test_the_file_of_verify_marks_the_moves_that_were_taken_back(company: Membership) -> None:
    match = await two_moves(company)
    for text in ("undo 1", "end"):
        for user in (ANN, BEN):
            await company.vote(match.id, user, text)
    moves = json.loads((await Verifier(company._service).verify(match.id)).export)["moves"]
    assert [move["taken_back"] for move in moves] == [False, True]


async def test_a_move_of_a_computer_is_not_taken_back(company: Membership, base: Database) -> None:
    match = await two_moves(company)
    await base.write(lambda c: c.execute("UPDATE move SET user = NULL WHERE number = 1").rowcount)
    assert await refusal(company.vote(match.id, ANN, "undo 1")) == "no_undo"


async def test_a_move_that_drew_a_card_is_not_taken_back(company: Membership) -> None:
    """All players together cannot take it back either: the card has been seen."""
    host = company._service
    match = await begun(host, ANN, BEN, game="sea_change")  # two players draw a card after each card that they play
    for number in range(4):
        seat = min(host.state(match).to_move())
        move = str(_legal(host, match)[0])
        match = (await host.play(match.id, match.chairs[seat].user or 0, None, move)).match
        happened = [type(told.event).__name__ for told in await host.events_of(match) if told.move == number]
        assert "CardDrawn" in happened
        for user in (ANN, BEN):
            assert await refusal(company.vote(match.id, user, f"undo {number}")) == "no_undo"


NEW_TO_THE_MOVER = {"CardDrawn", "PileRenewed", "RoundBegan", "Shuffled", "PledgesRevealed"}


@pytest.mark.parametrize("game", GAMES)
async def test_what_may_be_taken_back_told_nobody_anything_new(company: Membership, game: str) -> None:
    """Whatever the game: no card was drawn, dealt or turned up, and nobody can have decided in secret since."""
    print(f"moves by seed {game}")
    host, random, found = company._service, Random(game), 0
    match = await begun(host, *list(NAMES)[: max(2, GAMES[game].seats[0])], game=game)
    for _ in range(20):
        state = host.state(match)
        if match.status is not Status.PLAYING:
            break
        seat = random.choice(sorted(state.to_move()))
        text = str(random.choice(state.legal_moves(seat)))
        match = (await host.play(match.id, match.chairs[seat].user or 0, None, text)).match
        last = await last_open_move(company._service, match)
        if last is not None:
            found += 1
            happened = {type(told.event).__name__ for told in await host.events_of(match) if told.move == last.number}
            assert not happened & NEW_TO_THE_MOVER, happened
            for position in (state, host.state(match)):
                assert sum(bool(position.legal_moves(Seat(at))) for at in range(len(match.chairs))) == 1
    assert found or game not in ("photosynthesis", "full_sun")


async def test_whom_a_free_seat_finds_waiting(company: Membership) -> None:
    """A computer goes, or more seats are wanted: who waits sits down."""
    match = await lobby(company._service, ANN, computers=1)
    await company._lobby.choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        await company.join(match.id, user, NAMES[user])
    match = await company._lobby.remove_computer(match.id, ANN)
    assert (users(match), [who.user for who in match.waiting]) == ([ANN, CLEO], [DAN])
    match = await company._lobby.choose_option(match.id, ANN, "seats", "any")
    assert (users(match), match.waiting) == ([ANN, CLEO, DAN], ())
    assert [chair.number for chair in match.chairs] == [0, 1, 2]


# --- where a server allows only so much, or the bot is away


@pytest.fixture
def kept(base: Database, clock: Clock) -> Membership:
    """At the tables of a host that keeps what servers allow."""
    host = MatchService(Matches(base), People(base), GAMES, clock, Servers(base))
    return Membership(host, Lobby(host))


async def test_two_at_once_open_the_one_table_left(kept: Membership) -> None:
    await kept._service.policy.change(1, most_open=1)
    opened = await asyncio.gather(*(lobby(kept._service, user) for user in (ANN, BEN)), return_exceptions=True)
    (refused,) = [error for error in opened if isinstance(error, Refused)]
    assert refused.reason == "server_full"


async def test_who_sits_at_as_many_tables_as_may_be_takes_no_seat_over(kept: Membership) -> None:
    match = await begun(kept._service, ANN, BEN, DAN)
    await begun(kept._service, CLEO, EVE)
    await kept._service.policy.change(1, most_each=1)
    seat = match.seat_of(ANN)
    assert seat is not None
    await kept.offer_seat(match.id, ANN, True)
    assert await refusal(kept.take_seat(match.id, CLEO, "Cleo", seat)) == "person_full"
    await kept._service.policy.change(1, most_each=2)
    assert (await kept.take_seat(match.id, CLEO, "Cleo", seat)).seat_of(CLEO) == seat


async def test_a_free_seat_passes_over_who_may_not_sit_down(kept: Membership) -> None:
    match = await lobby(kept._service, ANN, BEN)
    await kept._lobby.choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        await kept.join(match.id, user, NAMES[user])
    await lobby(kept._service, CLEO)
    await kept._service.policy.change(1, most_each=1)
    match = await kept._lobby.leave(match.id, ANN)
    assert (users(match), match.host) == ([BEN, DAN], BEN)
    assert [who.user for who in match.waiting] == [CLEO]
    await kept._service.policy.change(1, games=["full_sun"])
    match = await kept._lobby.leave(match.id, BEN)
    assert (users(match), [who.user for who in match.waiting]) == ([DAN], [CLEO])


async def test_playing_again_is_opening_a_table(kept: Membership) -> None:
    over = await ended(kept, ANN, BEN)
    await kept._service.policy.change(1, games=["full_sun"])
    assert await refusal(kept.play_again(over.id, ANN, "Ann")) == "game_not_here"
    await kept._service.policy.change(1, games=[], most_open=1)
    await lobby(kept._service, CLEO)
    assert await refusal(kept.play_again(over.id, ANN, "Ann")) == "server_full"
    assert await kept.following(over) == over
    await kept._service.policy.change(1, most_open=2, most_each=1)
    new, _ = await kept.play_again(over.id, ANN, "Ann")
    assert users(new) == [ANN]
    assert await kept.following(over) == new
    assert await refusal(kept.play_again(over.id, CLEO, "Cleo")) == "person_full"


async def test_who_waits_sits_down_when_it_is_played_again_as_far_as_they_may(kept: Membership) -> None:
    match = await begun(kept._service, ANN, BEN)
    for user in (CLEO, DAN):
        await kept.join(match.id, user, NAMES[user])
    for user in (ANN, BEN):
        await kept.vote(match.id, user, "end")
    await lobby(kept._service, CLEO)
    await kept._service.policy.change(1, most_each=1)
    new, _ = await kept.play_again(match.id, ANN, "Ann")
    assert (users(new), [who.user for who in new.waiting]) == ([ANN, DAN], [CLEO])


async def test_while_the_bot_is_away_nothing_changes(company: Membership, clock: Clock) -> None:
    match = await begun(company._service, ANN, BEN, CLEO)
    await company.give_seat_to_computer(match.id, CLEO)
    paused = await pause(company._service, match.id)
    assert not paused.running and AutomaticMoves(company._service).next_seat(paused) is None
    for work in (
        company.vote(match.id, ANN, "pause"),
        company.offer_seat(match.id, ANN, True),
        company.give_seat_to_computer(match.id, ANN),
        company.come_back(match.id, CLEO, "Cleo"),
        company.join(match.id, DAN, "Dan"),
        company._service.undo(match.id, ANN, None),
    ):
        assert await refusal(work) == "paused"
    clock.seconds += 5000
    match = await go_on(company._service, match.id)
    assert match.running
    assert match.turn_since == LONG_AGO + 5000, "that was nobody's time to decide"


async def test_a_match_that_rests_while_the_bot_is_away_is_given_its_time_once(
    company: Membership, clock: Clock
) -> None:
    match = await begun(company._service, ANN, BEN)
    for user in (ANN, BEN):
        await company.vote(match.id, user, "pause")
    clock.seconds += 100
    await pause(company._service, match.id)
    clock.seconds += 1000
    match = await go_on(company._service, match.id)
    assert not match.running and match.rests_since is not None
    clock.seconds += 10
    for user in (ANN, BEN):
        match = (await company.vote(match.id, user, "resume")).match
    assert match.running and match.turn_since == LONG_AGO + 1110


async def test_a_lobby_is_not_closed_for_the_time_that_the_bot_was_away(company: Membership, clock: Clock) -> None:
    match = await lobby(company._service, ANN)
    await pause(company._service, match.id)
    clock.seconds += IDLE_LOBBY + 10
    await company.close_idle()
    await go_on(company._service, match.id)
    await company.close_idle()
    assert (await company._service.load(match.id)).open
    clock.seconds += IDLE_LOBBY + 10
    await company.close_idle()
    assert (await company._service.load(match.id)).status is Status.CANCELLED


# --- with a clock


WHOLE = PRESETS["day_1"].turn + PRESETS["day_1"].reserve


async def clocked(company: Membership, *who: int, policy: str = "computer") -> tuple[Match, SeatClock]:
    """A match with a clock that has begun, and the clock that runs."""
    match = await lobby(company._service, *who)
    await company._lobby.choose_option(match.id, who[0], "clock", "day_1")
    await company._lobby.choose_option(match.id, who[0], "absent", policy)
    match = await company._lobby.start(match.id, who[0])
    return match, running(match)


def running(match: Match) -> SeatClock:
    (clock,) = (clock for clock in match.clocks if clock.due is not None)
    return clock


async def run_out(company: Membership, clock: Clock, number: int) -> Match:
    """Let the time of whoever is asked run out until they are absent."""
    match = await company._service.load(number)
    while not absent(match):
        due = running(match)
        assert due.due is not None
        clock.seconds = due.due
        assert await ring(company._service, number, due.seat, due.turn)
        match = await company._service.load(number)
    return match


@pytest.mark.parametrize("how", ["rest", "away", "both"])
async def test_clocks_stand_while_a_match_does_not_run(
    company: Membership, clock: Clock, how: str, base: Database
) -> None:
    match, before = await clocked(company, ANN, BEN)
    assert before.ends == LONG_AGO + WHOLE
    clock.seconds += 1000
    if how != "away":
        for user in (ANN, BEN):
            await company.vote(match.id, user, "pause")
    clock.seconds += 50 if how == "both" else 0
    if how != "rest":
        await pause(company._service, match.id)
    clock.seconds += 3 * WHOLE
    match = await anew(base)._service.load(match.id)
    assert not any(seat.due or seat.ends for seat in match.clocks)
    assert not await ring(company._service, match.id, before.seat, before.turn)
    if how != "rest":
        await go_on(company._service, match.id)
    clock.seconds += 7 if how == "both" else 0
    if how != "away":
        for user in (ANN, BEN):
            await company.vote(match.id, user, "resume")
    stood = int(clock.seconds - LONG_AGO - 1000)
    after = running(await company._service.load(match.id))
    assert (after.seat, after.turn, after.left) == (before.seat, before.turn, WHOLE - 1000)
    assert after.ends == before.ends + stood


async def test_a_seat_that_changes_hands_has_its_time_anew(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN, DAN)
    (user,) = (chair.user for chair in match.people if chair.number == asked.seat)
    assert user is not None
    clock.seconds += 40_000
    await company.offer_seat(match.id, user, True)
    match = await company.take_seat(match.id, CLEO, "Cleo", asked.seat)
    assert (running(match).seat, running(match).left, running(match).since) == (asked.seat, WHOLE, clock.seconds)
    match = await company.give_seat_to_computer(match.id, CLEO)
    match = await company.take_seat(match.id, EVE, "Eve", asked.seat)
    assert running(match).left == WHOLE


async def test_who_comes_back_has_no_more_reserve_than_before(
    company: Membership, clock: Clock, base: Database
) -> None:
    match, asked = await clocked(company, ANN, BEN, DAN)
    user, terms = match.chairs[asked.seat].user, PRESETS["day_1"]
    assert user is not None
    clock.seconds += terms.turn + 20 * 3600
    match = await company.give_seat_to_computer(match.id, user)
    left = terms.reserve - 20 * 3600
    for _ in range(2):
        kept = clock_of(await anew(base)._service.load(match.id), asked.seat)
        assert kept is not None and (kept.left, kept.reserve, kept.due) == (left, left, None)
        match = await company.come_back(match.id, user, NAMES[user])
        assert running(match).left == left, "it is the same turn"
        match = await company.give_seat_to_computer(match.id, user)
    match = await company.take_seat(match.id, EVE, "Eve", asked.seat)
    assert running(match).left == terms.turn + left
    clock.seconds += WHOLE
    await ring(company._service, match.id, asked.seat, running(match).turn)
    await company.give_seat_to_computer(match.id, EVE)
    match = await company.take_seat(match.id, CLEO, "Cleo", asked.seat)
    assert (running(match).left, running(match).reserve) == (terms.turn, 0)


async def test_who_gave_a_seat_up_has_a_new_turn_once_a_computer_has_played(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN)
    user = match.chairs[asked.seat].user
    assert user is not None
    clock.seconds += WHOLE - 10
    await company.give_seat_to_computer(match.id, user)
    await AutomaticMoves(company._service).play(match.id)
    match = await company._service.load(match.id)
    assert clock_of(match, asked.seat) == SeatClock(asked.seat, reserve=10), "it has decided nothing itself"


async def test_two_who_pass_a_seat_to_and_fro_gain_no_time(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN, DAN)
    user = match.chairs[asked.seat].user
    assert user is not None
    await company.offer_seat(match.id, user, True)
    match = await company.take_seat(match.id, EVE, "Eve", asked.seat)
    clock.seconds += 3600
    for leaves, comes in ((EVE, user), (user, EVE)):
        await company.offer_seat(match.id, leaves, True)
        match = await company.take_seat(match.id, comes, NAMES[comes], asked.seat)
        assert running(match).left == WHOLE - 3600


async def test_actions_of_one_turn_share_its_time_however_often_they_are_taken_back(
    company: Membership, clock: Clock
) -> None:
    host = company._service
    match = await lobby(host, ANN, BEN, game="photosynthesis")
    await company._lobby.choose_option(match.id, ANN, "clock", "day_1")
    match = await company._lobby.start(match.id, ANN)
    taken = 0
    while taken < 3:
        (seat,) = host.state(match).to_move()
        user, before = match.chairs[seat].user or 0, running(match)
        state = host.state(match)
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        text = str((moves or state.legal_moves(seat))[0])
        clock.seconds += 3600
        match = (await host.play(match.id, user, host.turn(match, seat), text)).match
        if host.seat_may_take_back(match, seat):
            assert (running(match).seat, running(match).ends) == (seat, before.ends), "the turn goes on"
            clock.seconds += 3600
            match = (await host.undo(match.id, user, host.turn(match, seat))).match
            assert (running(match).turn, running(match).ends) == (host.turn(match, seat), before.ends)
            taken += 1


async def test_a_computer_takes_over_for_good_from_who_is_absent(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN)
    user = match.chairs[asked.seat].user
    assert user is not None
    other = BEN if user == ANN else ANN
    assert await refusal(company.vote(match.id, other, "replace")) == "no_replace"
    match = await run_out(company, clock, match.id)
    assert [chair.user for chair in away(match)] == [user]
    voted = await company.vote(match.id, other, "replace")
    assert voted.done, "only those who are there have a voice"
    chair = voted.match.chairs[asked.seat]
    assert (chair.user, chair.offered, voted.match.status) == (None, True, Status.PLAYING)
    match = await company.come_back(match.id, user, NAMES[user])
    assert match.seat_of(user) == asked.seat


@pytest.mark.parametrize("policy", ["computer", "vote"])
@pytest.mark.parametrize("by", ["move", "vote", "look"])
async def test_votes_about_an_absent_player_are_gone_once_the_player_is_back(
    company: Membership, clock: Clock, policy: str, by: str
) -> None:
    match, asked = await clocked(company, ANN, BEN, CLEO, policy=policy)
    user = match.chairs[asked.seat].user
    assert user is not None
    one, two = (chair.user for chair in match.people if chair.user != user)
    assert one is not None and two is not None
    await run_out(company, clock, match.id)
    voted = await company.vote(match.id, one, "replace")
    assert (voted.count, voted.needed, voted.done) == (1, 2, False)
    await company.vote(match.id, two, "pause")
    if by == "move":
        move = company._service.state(voted.match).legal_moves(Seat(asked.seat))[0]
        match = (await company._service.play(match.id, user, None, str(move))).match
    elif by == "look":
        match = await company._service.back(match.id, user)
    else:
        match = (await company.vote(match.id, user, "end")).match
    assert not absent(match)
    votes = await company._service._matches.votes(match.id)
    assert one not in votes and votes[two] == "pause"


async def test_who_is_back_while_the_table_votes_has_one_extension_again(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN, CLEO, policy="vote")
    user = match.chairs[asked.seat].user
    assert user is not None
    await run_out(company, clock, match.id)
    clock.seconds += 3600
    match = await company._service.back(match.id, user)
    again = running(match)
    assert (again.stage, again.turn, again.left) == (Stage.RETURNED, asked.turn, PRESETS["day_1"].extension)
    assert again.ends == clock.seconds + PRESETS["day_1"].extension
    assert (await company._service.back(match.id, user)).version == match.version, "who is there is there"
    await run_out(company, clock, match.id)
    assert clock.seconds == again.ends


async def test_the_clock_goes_along_when_it_is_played_again(company: Membership) -> None:
    match, _ = await clocked(company, ANN, BEN, policy="vote")
    for user in (ANN, BEN):
        await company.vote(match.id, user, "end")
    new, _ = await company.play_again(match.id, ANN, "Ann")
    assert (new.clock, new.absent, new.clocks) == ("day_1", "vote", ())


async def test_the_table_votes_for_a_clock_and_for_none(company: Membership, clock: Clock) -> None:
    match = await begun(company._service, ANN, BEN)
    assert await refusal(company.vote(match.id, ANN, "clock none")) == "no_clock"
    assert await refusal(company.vote(match.id, ANN, "clock second")) == "unknown_button"
    for user in (ANN, BEN):
        match = (await company.vote(match.id, user, str(Choice("clock", terms="week")))).match
    assert (match.clock, running(match).since) == ("week", clock.seconds)
    for user in (ANN, BEN):
        match = (await company.vote(match.id, user, "clock none")).match
    assert (match.clock, match.clocks) == ("none", ())


async def test_who_is_away_is_nobody_to_wait_for_while_the_match_rests(company: Membership, clock: Clock) -> None:
    match, asked = await clocked(company, ANN, BEN)
    match = await run_out(company, clock, match.id)
    assert AutomaticMoves(company._service).next_seat(match) == asked.seat
    (other,) = (chair.user for chair in match.people if chair.number != asked.seat)
    assert other is not None
    match = (await company.vote(match.id, other, "pause")).match
    assert not match.running
    assert AutomaticMoves(company._service).next_seat(match) is None
    assert ping_owed(company._service, match, asked.seat) is None


async def test_a_press_of_a_move_at_a_lobby_that_was_called_off_is_told_so(company: Membership) -> None:
    match = await lobby(company._service, ANN, BEN)
    assert await refusal(company._service.play(match.id, ANN, "1.1", "nothing")) == "not_started"
    await company._lobby.cancel(match.id, ANN, manager=False)
    assert await refusal(company._service.play(match.id, ANN, "1.1", "nothing")) == "is_cancelled"
