"""What managers of a server press in tests."""

from __future__ import annotations

from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from cogs.setup import RARE
from tests.support.simulation import Simulation


def manager(sim: Simulation, name: str = "mona") -> MemberActor:
    role = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    return sim.join_server(name, roles=[role])[0]


async def setup(sim: Simulation, person: MemberActor, *, rare: bool = False) -> InteractionResult:
    """`/setup`, or with `rare` the page behind *More …*."""
    result = await person.slash(sim.channel, "setup")
    assert result.response.ephemeral
    return await person.click(result.response, label="More …") if rare else result


async def choose(sim: Simulation, person: MemberActor, setting: str, *values: Any) -> str:
    """One choice in a fresh `/setup`, and what is shown then."""
    shown = await setup(sim, person, rare=setting in RARE)
    result = await person.select(shown.response, list(values), custom_id=f"1/0/setup//{setting}")
    return sim.said(result)
