"""What is said once is said once, even if the bot ends between a send and its note, and comes back only after Discord
has forgotten the nonce: a case for each kind. tests/cogs/test_end.py and test_season.py have those of ends and seasons.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

import cogs.transport.hand_messages
import cogs.transport.senders
import cogs.transport.table_message
from cogs.match.host_rights import REMINDER
from cogs.messages.content import Content
from cogs.transport.digests import AFTER_TROUBLE
from cogs.transport.errors import DiscordFailure
from cogs.transport.errors import Failure as Trouble
from cogs.transport.senders import Handles
from data.records.people import PingPreference
from data.records.reminders import WAITS
from rules.core.game import Seat
from tests.cogs import managing
from tests.cogs.clocked import both
from tests.cogs.pings import calls, choose
from tests.cogs.test_digests import digests, due, tables, wait_for_alice, wait_for_bob
from tests.cogs.test_end import ended, short
from tests.cogs.test_invitations import invitations
from tests.cogs.test_player_roles import named, pinged
from tests.cogs.test_start_time import HALF_AN_HOUR, TIME, events, three
from tests.support.call_sites import FailingConnection, Failure
from tests.support.matches import play_on
from tests.support.simulation import Simulation, controls, offers, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

Act = Callable[[], Awaitable[object]]
Count = Callable[[], int]


def offering(sim: Simulation, what: str) -> int:
    return sum(what in controls(raw(message)) for message in sim.channel.history())


async def a_table(sim: Simulation) -> tuple[Act, Count]:
    (alice,) = sim.join_server("alice")
    return lambda: sim.slash(alice, "play", game="sea_change"), lambda: offering(sim, "Join")


async def a_search_for_a_substitute(sim: Simulation) -> tuple[Act, Count]:
    table = await short(sim, "alice", "bob")
    alice = table.people[0]
    return lambda: sim.forge(
        alice, "1/1/offer//1"
    ), lambda: offering(sim, "Take alice's seat") - 1  # the table offers it too


async def an_invitation_of_a_guest(sim: Simulation) -> tuple[Act, Count]:
    alice, bob = sim.join_server("alice", "bob")
    return lambda: sim.slash(alice, "play", game="sea_change", **{"with": bob}), lambda: len(invitations(sim))


async def an_event(sim: Simulation) -> tuple[Act, Count]:
    alice, *_ = await three(sim, manages=True)
    await managing.choose(sim, alice, "events", "on")
    return lambda: sim.press(alice, sim.board(), TIME, "3600"), lambda: len(events(sim))


async def an_invitation_to_play_again(sim: Simulation) -> tuple[Act, Count]:
    alice, bob = (await ended(sim)).people
    cursor = sim.cursor
    return lambda: sim.forge(alice, "1/1/again//end"), lambda: sim.pings(cursor).count(bob.id)


async def a_reminder_of_a_start(sim: Simulation) -> tuple[Act, Count]:
    alice, bob, _ = await three(sim)
    await sim.press(alice, sim.board(), TIME, str(HALF_AN_HOUR))
    cursor = sim.cursor
    return lambda: sim.env.advance_time(HALF_AN_HOUR - REMINDER + 2), lambda: sim.pings(cursor).count(bob.id)


async def a_ping_of_the_players_role(sim: Simulation) -> tuple[Act, Count]:
    (alice,) = sim.join_server("alice")
    role = await named(sim)
    return lambda: sim.slash(alice, "play", game="sea_change"), lambda: pinged(sim).count(role.id)


async def turned(sim: Simulation, way: PingPreference) -> tuple[Table, MemberActor, Act]:
    """Return a table, the player whose turn is next, and the move that makes it theirs."""
    table = await short(sim, "alice", "bob")
    for person in table.people:
        await choose(sim, person, way)
    mover, other = await both(table)

    async def act() -> None:
        while (await both(table))[0] is mover:
            await table.decide(mover)

    return table, other, act


async def a_mention(sim: Simulation) -> tuple[Act, Count]:
    _, other, act = await turned(sim, PingPreference.MENTION)
    cursor = sim.cursor
    return act, lambda: calls(sim, other, cursor)[1]


async def a_hand(sim: Simulation) -> tuple[Act, Count]:
    _, other, act = await turned(sim, PingPreference.DM)
    cursor, hands = sim.cursor, len(sim.dms(other))

    def count() -> int:
        assert len(sim.dms(other)) == hands, "the last hand is deleted, and there is no second new one"
        return calls(sim, other, cursor)[0]

    return act, count


async def a_digest(sim: Simulation, way: PingPreference = PingPreference.DM) -> tuple[Act, Count]:
    (table,) = await tables(sim, "none", hours=1)
    alice = sim.people["alice"]
    await choose(sim, alice, way)
    await wait_for_alice(table)
    cursor, at = sim.cursor, await due(sim, alice) + 1
    return lambda: sim.env.advance_time(at - sim.now()), lambda: len(digests(sim, alice, cursor))


async def a_digest_in_a_channel(sim: Simulation) -> tuple[Act, Count]:
    act, _ = await a_digest(sim, PingPreference.MENTION)
    cursor, alice = sim.cursor, sim.people["alice"]
    return act, lambda: calls(sim, alice, cursor)[1]


MENTION, HAND = "transport.pings._mention:send_ping", "transport.hand_messages._sent:send_private"
KINDS: dict[str, Callable[[Simulation], Awaitable[tuple[Act, Count]]]] = {
    "transport.table_message._send:send_public": a_table,
    "transport.side_messages._send:send_public": a_search_for_a_substitute,
    "transport.lobby_pings._send:send_invitation": an_invitation_of_a_guest,
    "transport.calendar_events._made:create_scheduled_event": an_event,
    "transport.lobby_pings._say_once:send_ping": an_invitation_to_play_again,
    "transport.lobby_pings._say_once:send_ping ": a_reminder_of_a_start,
    "transport.lobby_pings._say_once:send_ping  ": a_ping_of_the_players_role,
    MENTION: a_mention,
    HAND: a_hand,
    "transport.digests._by_dm:send_private": a_digest,
    "transport.digests._by_mention:send_ping": a_digest_in_a_channel,
}
"""A case for each site. It begins what is said there, and counts how often that is said."""


@pytest.mark.parametrize(("site", "kind"), KINDS.items(), ids=[kind.__name__ for kind in KINDS.values()])
async def test_it_is_said_once_however_late_the_bot_comes_back(
    sim: Simulation,
    monkeypatch: pytest.MonkeyPatch,
    site: str,
    kind: Callable[[Simulation], Awaitable[tuple[Act, Count]]],
) -> None:
    act, count = await kind(sim)
    wire = lost(monkeypatch, site.strip())
    await act()
    assert wire.hits == 1
    await sim.restart()
    await sim.caught_up()
    assert count() == 1
    assert not await sim.service.posts.behind()
    await sim.restart()
    assert count() == 1


@pytest.mark.parametrize("kind", [a_mention, a_hand])
async def test_a_bot_that_does_not_look_says_it_twice(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, kind: Callable[[Simulation], Awaitable[tuple[Act, Count]]]
) -> None:
    async def blind(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(Handles, "sent_before", blind)
    (site,) = [site for site, known in KINDS.items() if known is kind]
    with pytest.raises(AssertionError, match=r"2 == 1|no second new one"):
        await test_it_is_said_once_however_late_the_bot_comes_back(sim, monkeypatch, site, kind)


@pytest.mark.parametrize("way", [PingPreference.DM, PingPreference.MENTION])
async def test_a_digest_whose_answer_was_lost_has_not_told_of_what_came_after_it(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, way: PingPreference
) -> None:
    second = (await tables(sim, "none", "none", hours=1))[1]
    alice = sim.people["alice"]
    await choose(sim, alice, way)
    await wait_for_bob(second)
    site = "_by_dm:send_private" if way is PingPreference.DM else "_by_mention:send_ping"
    cursor, wire = sim.cursor, lost(monkeypatch, f"transport.digests.{site}")
    await sim.env.advance_time(await due(sim, alice) + 1 - sim.now())
    assert wire.hits == 1
    await wait_for_alice(second)
    await sim.env.advance_time(2 * AFTER_TROUBLE)
    said = [shown.text for shown in sim.shown(cursor) if shown.method == "POST" and "aiting for you" in shown.text]
    assert [(f"table {number}]" in text) for text in said for number in (1, 2)] == [True, False, True, True]


Meanwhile = Callable[[Table, MemberActor, discord.Message], Awaitable[object]]


def not_found(
    monkeypatch: pytest.MonkeyPatch, site: str, meanwhile: Callable[[], Awaitable[object]]
) -> tuple[FailingConnection, list[bool]]:
    """At that site the next send is done and its answer lost. The first look for it fails, after that has happened
    meanwhile: until the next try the bot does not know that it is there. Return the connection, and a list that is no
    longer empty then.
    """
    look, went_on = Handles.sent_before, list[bool]()

    async def sent_before(handles: Handles, *given: Any, **how: Any) -> int | None:
        if went_on:
            return await look(handles, *given, **how)
        went_on.append(True)
        await meanwhile()
        raise DiscordFailure(Trouble.LATER)

    monkeypatch.setattr(Handles, "sent_before", sent_before)
    return lost(monkeypatch, site), went_on


def lost(monkeypatch: pytest.MonkeyPatch, site: str) -> FailingConnection:
    """At that site the next send is done and its answer lost, and Discord forgets the nonce."""
    wire = FailingConnection(monkeypatch, forgetful=True)
    wire.fail(site, Failure("lost", lost=True), 1)
    return wire


async def decides_in(table: Table, person: MemberActor, hand: discord.Message) -> None:
    choice = offers(hand)[0]
    values = None if choice.value is None else [choice.value]
    table.sim.raw_press(person, choice.custom_id, message=hand.id, channel=hand.channel.id, values=values)


async def decides_in_the_older(table: Table, person: MemberActor, older: discord.Message) -> None:
    await decides_in(table, person, older)


async def decides_in_the_newer(table: Table, person: MemberActor, older: discord.Message) -> None:
    await decides_in(table, person, table.sim.hand(person))


async def decides_elsewhere(table: Table, person: MemberActor, older: discord.Message) -> None:
    match, state = await table.now()
    seat = Seat(match.seat_of(person.id) or 0)
    await table.sim.service.play(match.id, person.id, None, str(state.legal_moves(seat)[0]))


async def wants_mentions(table: Table, person: MemberActor, older: discord.Message) -> None:
    await table.sim.service.people.change(person.id, ping=PingPreference.MENTION)
    await decides_elsewhere(table, person, older)


async def ends_it(table: Table, person: MemberActor, older: discord.Message) -> None:
    for voter in table.people:
        await table.sim.app.membership.vote(1, voter.id, "end")


async def has_another_turn(table: Table, person: MemberActor, older: discord.Message) -> None:
    """The match goes on until it waits for that player once more, and the bot shows none of it before."""
    (before, _), service = await table.now(), table.sim.service
    with service.announcer.after(1):
        await play_on(service, 1, 1)
        seat = Seat(before.seat_of(person.id) or 0)
        await play_on(service, 1, until=lambda state: seat in state.to_move())


async def has_another_turn_and_looks(table: Table, person: MemberActor, older: discord.Message) -> None:
    await has_another_turn(table, person, older)
    table.sim.raw_press(person, "1/1/hand//", message=table.sim.board().id)


async def test_a_mention_that_is_not_known_yet_goes_with_the_next_one(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if its player has decided before the bot learns that it is there: no player is to be mentioned by then."""
    table, other, act = await turned(sim, PingPreference.MENTION)

    async def decides() -> None:
        with sim.service.announcer.after(1):
            await decides_elsewhere(table, other, sim.board())

    wire, went_on = not_found(monkeypatch, MENTION, decides)
    await act()
    await sim.caught_up()
    assert wire.hits == 1 and went_on
    assert sum("<@" in message.content for message in sim.channel.history()) == 1


CALLED = {
    decides_in_the_older: 1,
    decides_in_the_newer: 1,
    decides_elsewhere: 2,
    wants_mentions: 1,
    ends_it: 2,
    has_another_turn: 2,
    has_another_turn_and_looks: 1,
}
"""What happens meanwhile, and how often direct messages call the player: for the reminder, and once for what is new and
no press has told.
"""


@pytest.mark.parametrize("meanwhile", CALLED)
async def test_a_hand_that_is_not_known_yet_is_not_the_last_word(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, meanwhile: Meanwhile
) -> None:
    """A reminder sends a player's hand again. The bot does not learn that it is there, and Discord takes nothing for a
    while, in which the match goes on. In the end there is one hand, and it offers what the player may do now.
    """
    table, other, act = await turned(sim, PingPreference.DM)
    await act()
    older = sim.hand(other)
    wire, went_on = not_found(monkeypatch, HAND, lambda: meanwhile(table, other, older))
    (before, _), cursor = await table.now(), sim.cursor
    await sim.env.advance_time(WAITS[0] + 60)
    await sim.caught_up()
    assert wire.hits == 1 and went_on
    assert calls(sim, other, cursor)[0] == CALLED[meanwhile]
    for _ in range(2):
        match, state = await table.now()
        assert match.moves > before.moves or not match.open
        seat = Seat(match.seat_of(other.id) or 0)
        turns = {state.turn(seat)} if match.open and seat in state.to_move() else set()
        (hand,) = (message for message in sim.dms(other) if controls(raw(message)))
        assert hand.id > older.id
        assert {offer.custom_id.split("/")[3] for offer in offers(hand)} == turns
        await sim.restart()


async def leaves(table: Table, person: MemberActor) -> None:
    await table.sim.app.membership.give_seat_to_computer(1, person.id)


async def leaves_and_comes_back(table: Table, person: MemberActor) -> None:
    seat = (await table.now())[0].seat_of(person.id) or 0
    await leaves(table, person)
    await table.sim.app.membership.take_seat(1, person.id, person.name, seat)


async def deletes_their_data(table: Table, person: MemberActor) -> None:
    with table.sim.service.announcer.after(1):
        await leaves(table, person)
        await table.sim.app.privacy.erase(person.id, int(table.sim.now()))


@pytest.mark.parametrize("meanwhile", [leaves, leaves_and_comes_back, deletes_their_data])
async def test_a_hand_that_is_not_known_yet_is_emptied_if_its_player_has_left(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Table, MemberActor], Awaitable[None]]
) -> None:
    table, other, act = await turned(sim, PingPreference.DM)
    await act()
    wire, went_on = not_found(monkeypatch, HAND, lambda: meanwhile(table, other))
    await sim.env.advance_time(WAITS[0] + 60)
    await sim.caught_up()
    assert wire.hits == 1 and went_on
    assert sum(bool(controls(raw(message))) for message in sim.dms(other)) == (meanwhile is leaves_and_comes_back)
    assert not await sim.service.posts.stale_hands(1) and 1 not in await sim.service.posts.behind()


async def test_what_no_earlier_try_can_have_sent_is_not_edited_to_what_it_shows(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each send is noted before it is made: without a note left, a new message surely shows what was sent."""
    shown, again = dict[int, str](), list[int]()

    async def edit(message: discord.PartialMessage, content: Content) -> None:
        again.extend([message.id] if shown.get(message.id) == content.digest() else [])
        shown[message.id] = content.digest()
        await cogs.transport.senders.edit(message, content)

    def noting(usual: Callable[..., Awaitable[discord.Message]]) -> Callable[..., Awaitable[discord.Message]]:
        async def send(*given: object, **how: object) -> discord.Message:
            message = await usual(*given, **how)
            (content,) = (one for one in given if isinstance(one, Content))
            shown[message.id] = content.digest()
            return message

        return send

    for module, name in ((cogs.transport.hand_messages, "send_private"), (cogs.transport.table_message, "send_public")):
        monkeypatch.setattr(module, name, noting(getattr(module, name)))
        monkeypatch.setattr(module, "edit", edit)
    people = sim.join_server("alice", "bob")
    await (await Table.open(sim, "sea_change", people, seed="first")).start()
    assert {sim.board().id, *(sim.hand(person).id for person in people)} <= shown.keys()
    assert not again
