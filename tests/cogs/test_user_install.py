"""Users install the app for themselves, and use its personal commands in four places: a server with the bot, one
without it, the bot's direct messages, and a group. Everywhere only they read the answer, and no table is opened.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from data.records.key_values import KeyValues
from rules.core.game import Seat
from tests.support import abroad, apicheck
from tests.support.inside import interaction_of
from tests.support.simulation import PEOPLE, Simulation, offers
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
PERSONAL = {
    *("games", "hand", "move", "rules", "history", "profile", "privacy", "help", "settings", "hours", "play", "learn"),
}
PLACES = ("with the bot", "without the bot", "direct messages", "group")


class World(NamedTuple):
    """A match of alice and a computer, and the places in which alice is."""

    sim: Simulation
    alice: MemberActor
    strange: MemberActor
    """Alice in the server without the bot, where she has another name."""
    dunes: Any

    async def slash(self, where: str, command: str, **options: Any) -> InteractionResult:
        if where == "with the bot":
            return await self.alice.slash(self.sim.channel, command, **options)
        if where == "without the bot":
            return await self.strange.slash(self.dunes, command, **options)
        if where == "group":
            abroad.group.append(True)
        try:
            return await self.alice.user.slash(command, **options)
        finally:
            abroad.group.clear()

    async def press(self, where: str, message: Any, custom_id: str, value: str | None = None) -> InteractionResult:
        actor: Any = {"with the bot": self.alice, "without the bot": self.strange}.get(where, self.alice.user)
        if where == "group":
            abroad.group.append(True)
        try:
            if value is not None:
                return await actor.select(message, [value], custom_id=custom_id)
            return await actor.click(message, custom_id=custom_id)
        finally:
            abroad.group.clear()

    def check_private(self, result: InteractionResult) -> str:
        """Check that Discord was told to show the answer to alice alone. Return its text."""
        token = interaction_of(result).token
        first = next(entry.json for entry in self.sim.env.http_requests if token in entry.path)
        shows_in_place = first["type"] == 6
        assert shows_in_place or first["data"]["flags"] & apicheck.EPHEMERAL
        return self.sim.said(result)


@pytest.fixture
async def world(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> World:
    (alice, *_) = sim.join_server(*PEOPLE[:2])
    guild, dunes = abroad.server_without_bot(sim)
    keeper = guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    strange = guild.add_member(alice.user, nick="Desert Fox", roles=[keeper])
    abroad.install_by_users(monkeypatch, sim, guild.id)
    await Table.begin(sim, "sea_change", [alice], seed="abroad", computers=1)
    await sim.caught_up()
    return World(sim, alice, strange, dunes)


def test_only_personal_commands_can_be_installed_by_users(sim: Simulation) -> None:
    """Of those, `/play` opens no table where the bot is not."""
    told = [command.to_dict(sim.bot.tree) for command in sim.bot.tree.get_commands()]
    kinds = discord.app_commands.AppInstallationType
    for command in told:
        personal = command["name"] in PERSONAL
        assert command["integration_types"] == [kinds.GUILD, *([kinds.USER] if personal else [])], command["name"]
        assert (2 in command["contexts"]) == personal
    assert {command["name"] for command in told} >= PERSONAL


@pytest.mark.parametrize("where", PLACES)
async def test_personal_commands_answer_in_every_place(world: World, where: str) -> None:
    sim, since = world.sim, world.sim.cursor
    said = {
        name: world.check_private(await world.slash(where, name, **options))
        for name, options in {
            "games": {},
            "hand": {},
            "rules": {"game": "sea_change"},
            "history": {},
            "profile": {},
            "privacy": {},
            "help": {},
            "settings": {},
            "hours": {},
        }.items()
    }
    assert f"https://discord.com/channels/{sim.guild.id}/" in said["games"]
    assert "Your hand: " in said["hand"] and "Your settings" in said["settings"] and "Your data" in said["privacy"]
    if where in ("without the bot", "group"):
        assert not abroad.channels(sim, since) - {sim.channel.id, world.alice.user.dm_channel.id}
        assert not sim.public(since), "nothing new is shown at the table"
    person = await sim.app.people.get(world.alice.id)
    assert person is not None and person.name == world.alice.user.name


@pytest.mark.parametrize("where", PLACES)
async def test_moves_are_made_from_every_place(world: World, where: str) -> None:
    """By `/move`, and by a button of the hand with which the bot answers."""
    sim = world.sim
    for _ in range(2):
        match = await sim.match()
        state, seat = sim.service.state(match), match.seat_of(world.alice.id)
        typed = await world.slash(where, "move", move=str(next(iter(state.legal_moves(Seat(seat))))))
        world.check_private(typed)
        await sim.caught_up()
        assert (await sim.match()).moves > match.moves
        if offered := offers(typed.response.message):
            match = await sim.match()
            pressed = await world.press(where, typed.response, offered[0].custom_id, offered[0].value)
            world.check_private(pressed)
            await sim.caught_up()
            assert (await sim.match()).moves > match.moves
            return
    raise AssertionError("no hand offered a move")


@pytest.mark.parametrize("where", ["without the bot", "group"])
async def test_history_there_is_as_in_direct_messages(world: World, where: str) -> None:
    """The matches of a server without the bot are none; those of the user in all others are told."""
    sim, asked = world.sim, list[Any]()
    found = sim.bot.get_cog("History")

    async def page(sought: Any, *how: Any, **more: Any) -> Any:
        asked.append(sought.guild)
        return await own(sought, *how, **more)

    own, found.histories.page = found.histories.page, page
    for place in ("with the bot", "direct messages", where):
        world.check_private(await world.slash(place, "history"))
    assert asked == [sim.guild.id, None, None]


async def test_no_press_there_changes_a_server_or_opens_a_table(world: World) -> None:
    """Not even a forged press of a manager."""
    sim = world.sim
    await world.strange.send(world.dunes, "A message")
    message, since = world.dunes.history()[-1].id, sim.cursor
    tables = await sim.service.index.counts()
    for custom_id, values, refusal in (
        ("1/0/setup//threads", ["always"], "That only works in a server"),
        (f"1/0/play_with//{sim.people['bob'].id}", ["sea_change"], "Choose people of this server"),
        ("1/1/relocate//", None, "That needs a channel in a server"),
    ):
        said = await sim.forge(world.strange, custom_id, message=message, channel=world.dunes.id, values=values)
        assert said and refusal in said
    assert await sim.service.index.counts() == tables
    assert world.dunes.id not in abroad.channels(sim, since)


@pytest.mark.parametrize("where", ["without the bot", "group"])
async def test_a_match_begun_there_is_its_users_alone(world: World, where: str) -> None:
    """It comes by direct message, as a lesson does, and other people cannot be invited to it."""
    sim, since = world.sim, world.sim.cursor
    said = world.check_private(await world.slash(where, "play", game="sea_change"))
    await sim.caught_up()
    assert "Sea Change · table 2" in said and (await sim.match(2)).private
    bob = sim.people["bob"].user
    refused = world.check_private(await world.slash(where, "play", game="full_sun", **{"with": bob}))
    assert "Choose people of this server" in refused or "needs a channel in a server" in refused
    assert "begins" in world.check_private(await world.slash(where, "learn", game="full_sun"))
    await sim.caught_up()
    assert abroad.channels(sim, since) == {world.alice.user.dm_channel.id} and not sim.public(since)


async def test_if_discord_refuses_commands_for_users_servers_get_them(
    sim: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    path, facts = f"/applications/{sim.bot.application_id}/commands", KeyValues(sim.database)

    async def start() -> list[list[dict[str, Any]]]:
        before = len(sim.env.http_requests)
        await sim.bot.sync_commands(facts)
        return [entry.json for entry in sim.env.http_requests[before:] if entry.path == path]

    assert await start() == [], "they have not changed"
    await facts.put("commands", "of an older version")
    sim.env.inject_error("PUT", path, status=400, code=50035, times=1)
    refused, taken = await start()
    assert {command["name"] for command in refused if 1 in command["integration_types"]} == PERSONAL
    assert [{**command, "integration_types": [0]} for command in refused] == taken
    assert "User Install" in caplog.text
    (again,) = await start()
    assert again == taken, "the next start tries again"
    sim.env.inject_error("PUT", path, status=403, code=50001, times=1)
    await facts.put("commands", "of an older version")
    with pytest.raises(discord.Forbidden):
        await start()
