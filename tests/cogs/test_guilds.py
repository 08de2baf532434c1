"""A server removes the bot and invites it again, is away, or is new."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend import serializers

import cogs.guilds
from cogs.guilds import channel_to_greet
from cogs.transport.publisher import PublishTiming
from data.records.match import Match, Status
from data.records.post import Sending
from data.store.database import NotStored
from tests.support.hung import HUNG
from tests.support.simulation import Simulation, controls, offers, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
DAYS = 86_400


# Removed and invited again.


class Absence:
    """Takes the bot out of its server and brings it back, everything in the server as it was."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.backend = sim.env.backend
        self.guild = self.backend.guilds[sim.guild.id]
        self.channels: dict[int, Any] = {}

    def remove(self, *, told: bool = True) -> None:
        self.channels = {
            number: channel for number, channel in self.backend.channels.items() if channel.guild_id == self.guild.id
        }
        del self.backend.guilds[self.guild.id]
        for number in self.channels:
            del self.backend.channels[number]
        if told:
            self.backend.emit("GUILD_DELETE", {"id": str(self.guild.id)})

    def invite(self, *, told: bool = True) -> None:
        self.backend.guilds[self.guild.id] = self.guild
        self.backend.channels.update(self.channels)
        if told:
            payload = dict(serializers.guild_create_payload(self.backend, self.guild))
            payload.pop("unavailable", None)
            self.backend.emit("GUILD_CREATE", payload)


async def removed(sim: Simulation) -> Absence:
    """Remove the bot from the server, of which it is told."""
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    return absence


async def test_a_removed_bot_pauses_its_matches(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    await sim.slash(alice, "play", game="full_sun")
    cursor = sim.cursor
    await removed(sim)
    match, lobby = await sim.match(1), await sim.match(2)
    assert match.paused and lobby.paused
    await sim.env.advance_time(3 * DAYS)
    assert not sim.shown(cursor), "nothing is sent to anybody"
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    offer = offers(sim.hand(mover))[0]
    said = sim.said(await sim.press(mover, sim.hand(mover), offer.custom_id, offer.value))
    assert "This match is paused because I was removed from its server." in said
    assert "Your hand:" in said and not offers(sim.hand(mover)), "the hand may be looked at"
    assert (await sim.match(1)).moves == match.moves
    for command in ("hand", "games"):
        assert "**Paused:**" in sim.said(await bob.user.slash(command))
    for command in ("board", "log", "rules"):
        more = {"game": "sea_change"} if command == "rules" else {}
        assert "refused" not in sim.said(await bob.user.slash(command, **more))
    assert "This match is paused" in sim.said(await bob.user.slash("move", move="play B9"))
    assert await bob.user.autocomplete("move", "move", "") == []
    assert "This match is paused" in sim.said(await alice.user.slash("leave", table=2))
    for custom_id in ("1/1/give_seat//", "1/1/vote_sure//end", "1/2/join//", "1/2/leave//", "1/2/start//"):
        where = {"channel": alice.user.dm_channel.id, "message": sim.dms(alice)[-1].id}
        assert "paused" in await sim.forge(alice, custom_id, **where), custom_id


async def test_invited_again_it_goes_on_where_it_was(sim: Simulation, tide: Table) -> None:
    await tide.play(lambda match, state: match.moves == 3)
    before, board = await sim.match(), sim.board().id
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    hand = sim.hand(mover).id
    absence = await removed(sim)
    await sim.env.advance_time(2 * DAYS)
    cursor = sim.cursor
    absence.invite()
    await sim.env.settle()
    match = await sim.match()
    assert (match.paused_at, match.state, match.moves) == (None, before.state, before.moves)
    assert sim.board().id != board, "the table is shown again"
    assert board not in [message.id for message in sim.channel.history()]
    assert sim.pings(cursor) == [mover.id], "who is asked is asked once more"
    assert sim.hand(mover).id != hand
    tide.known_turns = {mover.id: sim.service.state(match).turn(next(iter(sim.service.state(match).to_move())))}
    await tide.play(lambda match, state: match.moves == 9)


async def test_invited_again_it_goes_on_though_the_bot_ends_while_it_is_asked_back(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player asked is told so then, and no clock has run before."""
    await tide.play(lambda match, state: match.moves == 3)
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    absence = await removed(sim)
    deleting = asyncio.Event()

    async def slowly(*which: Any, **how: Any) -> None:
        deleting.set()
        await sim.env.external_wait(asyncio.Event().wait(), reason="Discord answers nothing")

    cursor = sim.cursor
    with monkeypatch.context() as patch:
        patch.setattr(sim.bot.app.publisher.shown.handles, "delete", slowly)
        absence.invite()
        await asyncio.wait_for(deleting.wait(), HUNG)
        assert (await sim.match()).paused
        await sim.bot.close()
    await sim.start_bot()
    await sim.env.settle()
    assert not (await sim.match()).paused
    assert sim.pings(cursor) == [mover.id]


async def test_invited_again_it_is_shown_though_nothing_more_can_be_stored(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is behind when it goes on is shown by the player who looks next, not only after a restart."""
    absence = await removed(sim)
    asked: list[int] = []
    go_on = cogs.guilds.go_on

    async def then_fails(*which: Any) -> Match:
        await go_on(*which)
        raise NotStored

    with monkeypatch.context() as patch:
        patch.setattr(cogs.guilds, "go_on", then_fails)
        patch.setattr(sim.bot.app.publisher, "changed", asked.append)
        absence.invite()
        await sim.env.settle()
    assert set(asked) == {1}
    sim.bot.app.publisher.changed(1)
    await sim.env.settle()


async def test_one_that_cannot_go_on_keeps_no_other_from_it(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sim.slash(tide.people[0], "play", game="full_sun")
    absence = await removed(sim)
    save = sim.matches.save

    async def full(match: Match, *more: Any) -> Match:
        if match.id == 1:
            raise NotStored
        return await save(match, *more)

    with monkeypatch.context() as patch:
        patch.setattr(sim.matches, "save", full)
        absence.invite()
        await sim.env.settle()
    assert [(await sim.match(number)).paused for number in (1, 2)] == [True, False]
    await sim.env.advance_time(DAYS)
    await sim.env.settle()
    assert not (await sim.match(1)).paused, "found by the daily look round"


async def test_after_thirty_days_it_ends_for_that_reason(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    await sim.slash(alice, "play", game="full_sun")
    absence = await removed(sim)
    sim.env.backend.advance_clock(27 * DAYS)
    await sim.env.advance_time(DAYS)
    assert (await sim.match(1)).open
    await sim.env.advance_time(3 * DAYS)
    await sim.env.settle()
    match, lobby = await sim.match(1), await sim.match(2)
    assert (match.status, lobby.status) == (Status.STOPPED, Status.CANCELLED)
    reason = "because I was not in its server for 30 days"
    where = {"channel": bob.user.dm_channel.id, "message": sim.dms(bob)[-1].id}
    assert reason in await sim.forge(bob, "1/1/vote_sure//end", **where)
    assert "I was not in this server for 30 days" in "\n".join(sim.visible(bob)), "the hand says so too"
    absence.invite()
    await sim.env.settle()
    public = "\n".join(message for message in sim.visible(alice))
    assert "This match ended early because I was not in this server for 30 days." in public
    assert "Closed before it started: I was not in this server for 30 days." in public
    assert match.secret in await sim.forge(alice, "1/1/fair//"), "the seed is open, as of every match that is over"


async def test_a_removal_while_the_bot_was_down_is_found_at_the_start(sim: Simulation, tide: Table) -> None:
    absence = Absence(sim)
    await sim.bot.close()
    absence.remove(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert (await sim.match()).paused
    await sim.bot.close()
    absence.invite(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert not (await sim.match()).paused
    await tide.play(lambda match, state: match.moves >= 2)


async def test_nothing_is_sent_to_a_server_that_removed_the_bot_while_it_was_down(sim: Simulation) -> None:
    """Though a move was still to be shown; invited again, the table stands in its own thread as before."""
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="removed", options={"place": "thread"})
    thread = table.channel
    sim.env.inject_error("*", "/channels/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    match, state = await table.now()
    await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    assert await sim.matches.posts.behind() == [1]
    await sim.bot.close()
    sim.env.backend.faults.clear()
    absence, cursor = Absence(sim), sim.cursor
    absence.remove(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert (await sim.match()).paused and not sim.shown(cursor)
    absence.invite()
    await sim.env.settle()
    match = await sim.match()
    assert (match.place, match.own_thread, match.moves) == (thread.id, True, 1)
    assert "plays" in "\n".join(text for text in sim.visible(people[0]))
    assert await sim.matches.posts.behind() == []


async def test_a_server_that_is_unavailable_changes_nothing(sim: Simulation, tide: Table) -> None:
    version, cursor = (await sim.match()).version, sim.cursor
    sim.env.backend.emit("GUILD_DELETE", {"id": str(sim.guild.id), "unavailable": True})
    await sim.env.settle()
    assert sim.bot.get_guild(sim.guild.id).unavailable
    await sim.env.advance_time(DAYS - 3600)  # not yet a reminder
    match = await sim.match()
    assert (match.version, match.paused_at) == (version, None)
    assert not sim.shown(cursor)


@pytest.mark.parametrize("status", [500, 503])
async def test_a_server_missing_from_the_list_is_not_gone_until_discord_says_so(
    sim: Simulation, tide: Table, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: Any = sim.bot.get_cog("Guilds")
    monkeypatch.setattr(sim.bot, "get_guild", lambda number: None)
    await owners.look_round()
    assert not (await sim.match()).paused, "Discord still knows the bot there"

    async def fails(*arguments: Any, **how: Any) -> None:
        raise discord.DiscordServerError(SimpleNamespace(status=status, reason=""), "")

    monkeypatch.setattr(sim.bot, "fetch_guild", fails)
    await owners.look_round()
    assert not (await sim.match()).paused, "an outage is no removal"


def greetings(sim: Simulation) -> list[discord.Message]:
    return [found for found in sim.channel.history() if "1/0/help//play" in controls(raw(found))]


def test_the_greeting_goes_where_the_bot_may_write() -> None:
    def channel(number: int, **allowed: bool) -> Any:
        return SimpleNamespace(id=number, permissions_for=lambda _: discord.Permissions(**allowed))

    closed, hidden = channel(1, view_channel=True), channel(2, send_messages=True)
    fit, other = (channel(number, view_channel=True, send_messages=True) for number in (3, 4))
    for system, places, found in ((fit, [other], 3), (closed, [hidden, other, fit], 4), (None, [closed], None)):
        guild: Any = SimpleNamespace(system_channel=system, text_channels=places, me=None)
        assert channel_to_greet(guild) == found


async def test_a_server_is_greeted_once(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for _ in range(2):
        await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    (message,) = greetings(sim)
    asked = await sim.press(alice, message, "Play")
    assert "What do you want to play?" in sim.said(asked)
    await sim.restart()
    await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    assert len(greetings(sim)) == 1


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_greeting_that_a_kill_broke_off_is_there_once(sim: Simulation, arrived: bool) -> None:
    if arrived:
        await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    begun = Sending(sim.channel.id, int(sim.now()))
    await sim.service.policy.change(sim.guild.id, greeting=begun, greeted=False)
    await sim.restart()
    await sim.env.settle()
    assert len(greetings(sim)) == 1
    server = await sim.service.policy.of(sim.guild.id)
    assert (server.greeting, server.greeted) == (None, True)


async def test_a_server_in_which_people_play_is_not_greeted(sim: Simulation) -> None:
    await sim.lobby("alice")
    await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    assert not greetings(sim)
