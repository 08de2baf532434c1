"""`/doctor`: what it tells everybody, managers, and the owner of the bot."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest
from simcord.actors import MemberActor

from bot import ROOT
from cogs.runtime.process import version
from data.store.database import Health
from tests.cogs.managing import choose, manager
from tests.support.simulation import Simulation

pytestmark = pytest.mark.usefixtures("plain")


# /doctor


async def test_doctor_tells_everybody_of_their_own_direct_messages(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    said = await sim.slash(alice, "doctor")
    assert "✓ **Direct messages** reach you" in said and "Manage Server" in said
    assert "Test message: direct messages from me reach you" in "\n".join(sim.visible(alice))
    await sim.greeted()
    sim.close_dms(bob)
    said = await sim.slash(bob, "doctor")
    assert "✗ **Direct messages** do not reach you" in said and "Privacy Settings" in said
    assert "Versions" not in said and "Database" not in said and "Attach Files" not in said
    assert not (await sim.service.people.get(bob.id)).dm_works


async def test_direct_messages_that_work_again_are_found(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    await sim.service.people.change(alice.id, dm_works=False)
    await sim.slash(alice, "doctor")
    assert (await sim.service.people.get(alice.id)).dm_works


def own_bot(sim: Simulation, *people: MemberActor) -> None:
    """Let these people be the team that owns the application."""
    team = SimpleNamespace(members=[SimpleNamespace(id=person.id) for person in people])
    vars(sim.bot)["_application"] = SimpleNamespace(team=team, owner=SimpleNamespace(id=0))


async def test_doctor_tells_of_the_machine_to_the_owner_of_the_bot_alone(sim: Simulation) -> None:
    mona = manager(sim)
    (olga,) = sim.join_server("olga")
    said = await sim.slash(mona, "doctor")
    assert "In this channel" in said
    for person, owners, sees in (
        (mona, [], False),
        (mona, [mona], True),
        (olga, [mona, olga], True),
        (olga, [mona], False),
    ):
        own_bot(sim, *owners)
        said = await sim.slash(person, "doctor")
        assert ("Free disk space" in said and "Python" in said and "The database" in said) == sees
        assert ("SQLite" in said) == sees
        assert ("In this channel" in said) == (person is mona)
    vars(sim.bot)["_application"] = SimpleNamespace(team=None, owner=SimpleNamespace(id=olga.id))
    assert "Free disk space" in await sim.slash(olga, "doctor")


async def test_doctor_tells_managers_how_the_bot_is(sim: Simulation) -> None:
    mona = manager(sim)
    own_bot(sim, mona)
    denied = discord.PermissionOverwrite(attach_files=False, create_public_threads=False)
    place = sim.guild.create_text_channel("closed", overwrites={sim.guild.me: denied})
    await sim.slash(mona, "play", game="sea_change")
    said = await sim.slash(mona, "doctor", place)
    for words in (
        "✗ **Attach Files** is missing: I cannot show any pictures",
        "✗ **Create Public Threads** is missing",
        "✓ Send Messages\n",
        "✓ Tables can be opened here.",
        "Open tables in this server: 1.",
        "✓ The database is fine and can be written",
        "✓ Free disk space",
        "✓ The clock is within",
        f"Sundial {version(ROOT)}, discord.py {discord.__version__}",
    ):
        assert words in said, words
    await choose(sim, mona, "channels", sim.channel)
    assert "✗ Tables cannot be opened here" in await sim.slash(mona, "doctor", place)
    assert "sundial.db" not in said and "/" not in said.replace("/setup", ""), "no paths"


async def test_doctor_says_what_ails_and_what_to_do(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = manager(sim)
    own_bot(sim, mona)
    owners = sim.bot.get_cog("Doctor")

    async def ill() -> Health:
        return Health(sound=False, free=1 << 20, engine="SQLite 3.0")

    monkeypatch.setattr(owners, "_health", ill)
    sim.jumped = -90
    said = await sim.slash(mona, "doctor")
    assert "**The database is damaged.** Stop me" in said
    assert "**The disk is nearly full**: 1 MB left" in said
    assert "**The clock** is 9" in said and "NTP" in said


async def test_the_database_is_looked_through_once_in_ten_minutes(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That reads all of it."""
    mona, lisa = manager(sim), manager(sim, "lisa")
    own_bot(sim, mona, lisa)
    looked, owners = 0, sim.bot.get_cog("Doctor")

    async def health() -> Health:
        nonlocal looked
        looked += 1
        return Health(sound=looked == 1, free=None, engine="SQLite 3.0")

    monkeypatch.setattr(owners, "_health", health)
    for person in (mona, lisa, mona):
        assert "✓ The database is fine" in await sim.slash(person, "doctor")
    assert looked == 1
    await sim.env.advance_time(600)
    assert "**The database is damaged.**" in await sim.slash(mona, "doctor")
    assert looked == 2
    sim.jumped = -3600
    await sim.slash(mona, "doctor")
    assert looked == 3, "a clock that was put back keeps nothing for longer"
