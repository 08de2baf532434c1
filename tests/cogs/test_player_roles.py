"""The role of a server's players: which one managers can name, who gets it, and which tables ping it, how often."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import RoleHandle

from cogs.transport.permissions import FRESH, HOUR
from tests.cogs.managing import choose, manager, setup
from tests.support.simulation import Simulation

pytestmark = pytest.mark.usefixtures("plain")


async def named(sim: Simulation) -> RoleHandle:
    """Return a role that a manager has named; all accounts that are there by now are fresh no more."""
    mona, role = manager(sim), sim.guild.create_role("players", mentionable=True)
    assert f"**Role that new tables ping:** <@&{role.id}>" in await choose(sim, mona, "ping_role", role)
    await sim.restart(down=FRESH)
    return role


def pinged(sim: Simulation) -> list[int]:
    bodies = [shown.body for shown in sim.shown(0) if shown.method == "POST" and shown.viewer is None]
    return [int(role) for body in bodies for role in body.get("allowed_mentions", {}).get("roles", ())]


def has(sim: Simulation, person: MemberActor, role: RoleHandle) -> bool:
    return role.id in sim.env.backend.get_member(sim.guild.id, person.id).role_ids


async def test_a_new_table_pings_the_role_once_an_hour(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    role = await named(sim)
    await sim.slash(alice, "play", game="sea_change")
    assert pinged(sim) == [role.id]
    (said,) = [message for message in sim.channel.history() if str(role.id) in message.content]
    assert "is looking for players" in said.content and str(sim.board().id) in said.content
    await sim.restart()
    await sim.slash(alice, "play", game="full_sun")
    await sim.env.advance_time(HOUR)
    assert pinged(sim) == [role.id], "the table of that hour does not ping later either"
    await sim.slash(alice, "play", game="full_circle")
    await sim.env.advance_time(HOUR)
    await sim.restart()
    assert pinged(sim) == 2 * [role.id]


async def test_the_ping_goes_with_its_lobby(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    role = await named(sim)
    for number, end in ((1, "Start"), (2, "Cancel this table")):
        await sim.slash(alice, "play", game="sea_change")
        assert len(pinged(sim)) == number
        if end == "Start":
            await sim.press(alice, sim.board(), "Add computer")
            await sim.press(alice, sim.board(), end)
        else:
            await sim.cancel(alice, number)
        await sim.env.settle()
        assert not [message for message in sim.channel.history() if str(role.id) in message.content]
        await sim.env.advance_time(HOUR)


@pytest.mark.parametrize("who", ["a fresh account", "a guest", "a member without the role to open tables"])
async def test_these_tables_ping_no_role(sim: Simulation, who: str) -> None:
    (alice,) = sim.join_server("alice")
    await named(sim)
    (bob,) = sim.join_server("bob")
    if who == "a fresh account":
        assert "is open" in await sim.slash(bob, "play", game="sea_change")
    elif who == "a guest":
        await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    else:
        await choose(sim, manager(sim, "mary"), "role", sim.guild.create_role("hosts"))
        assert "you need the role" in await sim.slash(alice, "play", game="sea_change")
    await sim.env.settle()
    assert not pinged(sim)


async def test_a_role_that_does_more_than_ping_is_refused(sim: Simulation) -> None:
    mona, guild = manager(sim), sim.guild
    insiders, powers = guild.create_role("insiders"), discord.Permissions(kick_members=True)
    guild.create_text_channel("inside", overwrites={insiders: discord.PermissionOverwrite(view_channel=True)})
    for role, why in (
        (guild.roles["@everyone"], "cannot be given to members"),
        (guild.create_role("app", managed=True), "cannot be given to members"),
        (
            guild.create_role("mods", permissions=powers),
            "gives its members permissions",
        ),
        (insiders, "gives its members permissions"),
        (guild.create_role("admins", position=50), "is above mine"),
    ):
        await sim.env.settle()
        assert why in await choose(sim, mona, "ping_role", role), role.name
        assert "**Role that new tables ping:** none" in sim.said(await setup(sim, mona, rare=True))


async def test_members_switch_the_role_for_themselves(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    assert "Pings for new tables" not in sim.said(await alice.slash(sim.channel, "settings"))
    role = await named(sim)
    shown = await alice.slash(sim.channel, "settings")
    assert f"**Pings for new tables in this server** (<@&{role.id}>): off" in sim.said(shown)
    for state in ("on", "off"):
        said = sim.said(await sim.press(alice, shown.response, "New tables here on/off"))
        assert f"(<@&{role.id}>): {state}" in said
        assert has(sim, alice, role) is (state == "on")


@pytest.mark.parametrize("what", ["powers", "gone", "permission"])
async def test_the_role_is_checked_at_each_press(sim: Simulation, what: str) -> None:
    """Managers may change it, or the bot's own, at any time: then it is neither given nor pinged."""
    (alice,) = sim.join_server("alice")
    role = await named(sim)
    shown, guild = await alice.slash(sim.channel, "settings"), sim.bot.get_guild(sim.guild.id)
    if what == "powers":
        await guild.get_role(role.id).edit(permissions=discord.Permissions(ban_members=True))
    elif what == "gone":
        await guild.get_role(role.id).delete()
    else:
        allowed = discord.Permissions(guild.me.guild_permissions.value)
        allowed.update(manage_roles=False)
        sim.env.backend.edit_role(sim.guild.id, guild.me.top_role.id, {"permissions": allowed.value})
    await sim.env.settle()
    said = sim.said(await sim.press(alice, shown.response, "New tables here on/off"))
    words = {"powers": "gives its members permissions", "gone": "no role any more", "permission": "*Manage Roles*"}
    assert words[what] in said and not has(sim, alice, role)
    assert ("Pings for new tables" in await sim.slash(alice, "settings")) is (what != "gone")
    told = sim.said(await setup(sim, manager(sim, "mary"), rare=True))
    assert words[what] in told
    await sim.slash(alice, "play", game="sea_change")
    assert pinged(sim) == ([role.id] if what == "permission" else [])


async def test_a_role_that_members_may_not_mention_is_named_to_managers(sim: Simulation) -> None:
    mona, role = manager(sim), sim.guild.create_role("players")
    guild = sim.bot.get_guild(sim.guild.id)
    allowed = discord.Permissions(guild.me.guild_permissions.value)
    allowed.update(mention_everyone=False)
    sim.env.backend.edit_role(sim.guild.id, guild.me.top_role.id, {"permissions": allowed.value})
    await sim.env.settle()
    assert "allow everyone to mention it" in await choose(sim, mona, "ping_role", role)
    await sim.restart(down=FRESH)
    await sim.slash(mona, "play", game="sea_change")
    assert not pinged(sim)
