"""Invitations by `/play with:`, *Play with* and the host's select: one ping each, *Accept* and *Decline*."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from simcord.actors import MemberActor

import cogs.transport.lobby_pings
from cogs.match.refusals import Reason, Refused
from cogs.match.table_options import move_table
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.lobby_pings import INVITED_LATELY, MOST_PINGS
from cogs.transport.request_budget import PublishTiming
from data.records.match import Match, Status
from data.records.people import PingPreference
from data.records.post import OldTable, Sending
from data.records.post_store import PostStore
from tests.support.simulation import Simulation, controls, raw, words

HOUR = 3600
"""Seconds: the bot does not try again by itself."""

pytestmark = pytest.mark.usefixtures("plain")


def states(match: Match) -> dict[str, str]:
    return {guest.name: guest.state.value for guest in match.guests}


def lobby_of(sim: Simulation, table: int = 1) -> Any:
    return next(m for m in sim.channel.history() if f"1/{table}/more//" in controls(raw(m)))


def invitations(sim: Simulation) -> list[object]:
    return [m for m in sim.channel.history() if any("/accept/" in text for text in controls(raw(m)))]


async def invite(sim: Simulation, host: MemberActor, *people: MemberActor, table: int = 1) -> str:
    """The host invites these people on the page about people."""
    opened = await host.click(lobby_of(sim, table), custom_id=f"1/{table}/more//")
    await host.click(opened.response, custom_id=f"1/{table}/door//")
    return sim.said(await host.select(opened.response, list(people), custom_id=f"1/{table}/invite//"))


@contextmanager
def answers_lost(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[object, str]]]:
    """Invitations are sent, and Discord's answers to them are lost. Yield what was sent: the message and its nonce."""
    send = cogs.transport.lobby_pings.send_invitation
    sent: list[tuple[object, str]] = []

    async def lost(*how: Any, nonce: str) -> None:
        sent.append((how[2], nonce))
        await send(*how, nonce=nonce)
        raise DiscordFailure(Failure.LATER)

    sim.set_timing(PublishTiming(edits=0, computer=0, retry=HOUR))
    with monkeypatch.context() as patch:
        patch.setattr(cogs.transport.lobby_pings, "send_invitation", lost)
        yield sent


async def test_play_with_a_friend_takes_two_presses(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    cursor = sim.cursor
    said = await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    assert "You have opened" in said
    match = await sim.match()
    assert match.closed and states(match)["bob"] == "invited"
    (message,) = invitations(sim)
    assert sim.pings(cursor).count(bob.id) == 1
    assert f"<@{bob.id}>" in "\n".join(words(raw(message))) and "alice" in "\n".join(words(raw(message)))
    assert "**bob** · invited" in "\n".join(words(raw(next(m for m in sim.channel.history() if m.id != message.id))))
    assert "This table is for invited people." in await sim.forge(carol, "1/1/join//", message=message.id)
    assert "You have joined" in sim.said(await sim.press(bob, message, "Accept"))
    match = await sim.match()
    assert [chair.user for chair in match.chairs] == [alice.id, bob.id]
    assert states(match) == {"alice": "accepted", "bob": "accepted"}
    await sim.forge(alice, "1/1/start//", message=message.id)
    assert (await sim.match()).status is Status.PLAYING
    board = sim.board()
    for person in (bob, carol):
        assert "has already started" in await sim.forge(person, "1/1/decline//", message=board.id)
    assert (await sim.match()).seat_of(bob.id) is not None


@pytest.mark.parametrize("how", ["started", "cancelled", "left", "erased"])
async def test_an_invitation_goes_with_its_lobby(sim: Simulation, how: str) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    await invite(sim, alice, carol)
    await sim.press(bob, invitations(sim)[0], "Accept")
    assert len(invitations(sim)) == 2, "while the lobby is open the invitations stay"
    if how == "started":
        await sim.press(alice, lobby_of(sim), "Start")
    elif how == "cancelled":
        await sim.cancel(alice, 1)
    else:
        await sim.press(bob, lobby_of(sim), "Leave")
        if how == "left":
            await sim.press(alice, lobby_of(sim), "Leave")
        else:
            for number in await sim.app.privacy.erase(alice.id, int(sim.service.now())):
                sim.app.publisher.changed(number)
    await sim.caught_up()
    assert (await sim.match()).status is (Status.PLAYING if how == "started" else Status.CANCELLED)
    assert not invitations(sim)
    assert not await sim.service.posts.old_tables(1)


async def test_an_invitation_whose_answer_is_lost_goes_with_its_lobby(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = sim.join_server("alice", "bob")
    with answers_lost(sim, monkeypatch):
        await sim.slash(alice, "play", game="sea_change", **{"with": bob})
        assert invitations(sim)
        await sim.cancel(alice, 1)
    await sim.restart()
    assert not invitations(sim)


async def test_an_invitation_whose_answer_is_lost_is_not_sent_again_while_its_match_begins(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker has read the lobby, and the match begins elsewhere, before the worker looks for that invitation."""
    alice, bob = sim.join_server("alice", "bob")
    cursor, look = sim.cursor, PostStore.inviting

    async def begins(posts: PostStore, number: int) -> Sending | None:
        if (await sim.match()).status is Status.LOBBY:
            await sim.app.lobby.start(1, alice.id)
        return await look(posts, number)

    with answers_lost(sim, monkeypatch):
        await sim.slash(alice, "play", game="sea_change", **{"with": bob})
        with sim.service.announcer.after(1):  # the bot shows none of it before its restart
            await sim.service.people.meet(bob.id, "bob")
            await sim.app.lobby.join(1, bob.id, "bob")
            await move_table(sim.service, 1, alice.id, sim.guild.create_text_channel("elsewhere").id, manager=True)
            await sim.bot.close()
    monkeypatch.setattr(PostStore, "inviting", begins)
    await sim.start_bot()
    await sim.caught_up()
    assert (await sim.match()).running
    assert sum(shown.method == "POST" and "invites you" in shown.text for shown in sim.shown(cursor)) == 1
    assert not invitations(sim)


async def test_a_table_whose_answer_is_lost_leaves_the_invitations(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search for the table that such a send has made finds the invitation too."""
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    (message,) = invitations(sim)
    unknown = OldTable(1, sim.channel.id, None, 0)
    assert await sim.service.posts.begin_sending(unknown)
    await sim.restart()
    assert not await sim.service.posts.old_tables(1)
    assert [found.id for found in invitations(sim)] == [message.id]


async def test_a_removed_person_cannot_come_back_by_deleting_their_data(sim: Simulation) -> None:
    """Not by joining, accepting or waiting, nor after the start by taking a seat over."""
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(bob, lobby_of(sim), "Join")
    await sim.forge(alice, "1/1/expel//", values=[str(bob.id)], message=lobby_of(sim).id)
    await sim.app.privacy.note_departure(bob.id, int(sim.service.now()))
    await sim.app.privacy.erase(bob.id, int(sim.service.now()))
    assert not await sim.app.privacy.is_stored(bob.id)
    sorry = "has since deleted their data"
    assert sorry in sim.said(await sim.press(bob, lobby_of(sim), "Join"))
    await invite(sim, alice, bob)
    (message,) = invitations(sim)
    assert sorry in sim.said(await sim.press(bob, message, "Accept"))
    await sim.press(carol, lobby_of(sim), "Join")
    assert (await sim.match()).seat_of(carol.id) is not None
    await sim.forge(alice, "1/1/option//seats", values=["2"], message=lobby_of(sim).id)
    assert sorry in sim.said(await sim.press(bob, lobby_of(sim), "Wait for a seat"))
    await sim.press(alice, lobby_of(sim), "Start")
    assert (await sim.match()).status is Status.PLAYING
    await sim.app.membership.give_seat_to_computer(1, carol.id)
    with pytest.raises(Refused, match=Reason.DEPARTED_REMOVED):
        await sim.app.membership.take_seat(1, bob.id, "bob", 1)


async def test_five_friends_and_oneself_and_a_bot(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "carol", "dave", "erin", "frank")
    alice = people[0]
    robot = sim.guild.add_member(sim.env.create_user("robot", bot=True))
    assert "not bots" in await sim.slash(alice, "play", game="sea_change", **{"with": robot})
    assert await sim.matches.get(1) is None
    some = dict(zip(("with", "with2", "with3", "with4", "with5"), people[1:], strict=True))
    await sim.slash(alice, "play", game="sea_change", **some)
    assert states(await sim.match(1)) == dict.fromkeys(("bob", "carol", "dave", "erin", "frank"), "invited") | {
        "alice": "accepted"
    }
    await sim.slash(alice, "play", game="sea_change", **{"with": alice})
    assert not (await sim.match(2)).closed, "a table with oneself alone is a table for all"


async def test_the_context_menu_asks_which_game(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    asked = await alice.context_menu(sim.channel, "Play with", bob)
    assert asked.response is not None and asked.response.ephemeral
    assert "**bob**" in sim.said(asked)
    await alice.select(asked.response, ["full_circle"], custom_id=f"1/0/play_with//{bob.id}")
    match = await sim.match()
    assert (match.game, match.closed, states(match)["bob"]) == ("full_circle", True, "invited")
    assert len(invitations(sim)) == 1
    for forged in ("", "x", "1", "9" * 21, str(sim.bot.user.id if sim.bot.user else 0)):
        said = await sim.forge(alice, f"1/0/play_with//{forged}", values=["full_circle"])
        assert "Choose people of this server" in said, forged
    assert "not bots" in sim.said(await alice.context_menu(sim.channel, "Play with", alice))


async def test_no_player_is_pinged_twice_also_after_a_restart(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    cursor = sim.cursor
    await invite(sim, alice, bob)
    await sim.restart()
    await invite(sim, alice, bob, carol)
    await sim.press(bob, invitations(sim)[0], "Decline")
    await invite(sim, alice, bob)
    await sim.restart()
    pings = sim.pings(cursor)
    assert (pings.count(bob.id), pings.count(carol.id)) == (0, 1)
    assert len(invitations(sim)) == 2


async def test_an_invitation_whose_answer_is_lost_is_sent_again_as_it_was(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carol is invited before it is known whether bob's message was sent: he is not in hers."""
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    with answers_lost(sim, monkeypatch) as sent:
        await sim.slash(alice, "play", game="sea_change", **{"with": bob})
        await sim.app.door.invite(1, alice.id, [(carol.id, "carol")])
    first = sent[0]
    await sim.restart()
    posts = await sim.service.posts.invitations(1)
    assert {*posts} == {bob.id, carol.id} and all(isinstance(message, int) for message in posts.values())
    assert all(what == first for what in sent), "the same message for the same people"


async def test_who_wants_no_pings_or_sleeps_is_named_alone(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.service.people.meet(bob.id, "bob")
    await sim.service.people.change(bob.id, ping=PingPreference.NONE)
    cursor = sim.cursor
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    assert bob.id not in sim.pings(cursor)
    assert f"<@{bob.id}>" in "\n".join(words(raw(invitations(sim)[0])))


async def test_a_host_cannot_ping_a_person_for_ever(sim: Simulation) -> None:
    """The fourth lobby within an hour names them only. Another host pings them all the same."""
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    cursor = sim.cursor
    for number in range(1, 5):
        await sim.slash(alice, "play", game="sea_change", **{"with": bob})
        await sim.cancel(alice, number)
    assert sim.pings(cursor).count(bob.id) == MOST_PINGS
    await sim.slash(carol, "play", game="sea_change", **{"with": bob})
    assert sim.pings(cursor).count(bob.id) == MOST_PINGS + 1
    sim.env.backend.advance_clock(INVITED_LATELY + 1)
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    assert sim.pings(cursor).count(bob.id) == MOST_PINGS + 2


async def test_declining_and_another_mind(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    (message,) = invitations(sim)
    assert "declined" in sim.said(await sim.press(bob, message, "Decline"))
    assert "Can’t come: **bob**" in "\n".join(t for shown in sim.public() for t in words(shown.body))
    assert "for invited people" in await sim.forge(bob, "1/1/join//", message=message.id)
    assert "You have joined" in sim.said(await sim.press(bob, message, "Accept"))
    assert "You are already at this table" in sim.said(await sim.press(bob, message, "Decline"))


async def test_an_open_lobby_invites_too_and_stays_open(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change")
    await invite(sim, alice, bob)
    assert not (await sim.match()).closed
    (message,) = invitations(sim)
    assert "You aren’t invited" in sim.said(await sim.press(carol, message, "Accept"))
    await sim.forge(carol, "1/1/join//", message=message.id)
    assert (await sim.match()).seat_of(carol.id) is not None
    await sim.forge(alice, "1/1/expel//", values=[str(bob.id)], message=message.id)
    assert "has removed you" in sim.said(await sim.press(bob, message, "Accept"))
    assert "can’t be invited again" in await invite(sim, alice, bob)


async def test_data_of_a_guest_who_never_used_the_bot_is_theirs(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    privacy = sim.app.privacy
    stored = await privacy.everything(bob.id)
    assert stored["guest_at"] and stored["guest_at"][0]["state"] == "invited"
    await privacy.erase(bob.id, int(sim.service.now()))
    assert not await privacy.is_stored(bob.id)
    assert states(await sim.match()) == {"alice": "accepted"}
