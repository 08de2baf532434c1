"""Places in which the bot is not: a server that has not invited it, and a group of direct messages.

Users who have installed the app for themselves use its personal commands there. The simulated Discord knows no such
places, so here they are a server of which the bot knows nothing, and a payload that names a group.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import interactions
from simcord.builders import ChannelHandle

from tests.support.inside import forget_server
from tests.support.simulation import Simulation

GROUP_CONTEXT, GROUP_CHANNEL = 2, 3
SEEN = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)
"""The permissions that Discord tells an app of a server in which it has no bot."""


def leave(sim: Simulation, guild: int) -> None:
    """Let the bot be in that server no more, as far as it knows. After a restart call it again."""
    forget_server(sim.bot, guild)


def install_by_users(monkeypatch: pytest.MonkeyPatch, sim: Simulation, server: int) -> None:
    """Let interactions from that server come as they do from a server without the bot, and those from direct messages
    as from a group of them, while `group` below is on.
    """
    plain = interactions.base_payload
    leave(sim, server)

    def payload(*args: Any, **how: Any) -> Any:
        record, made = plain(*args, **how)
        if made.get("guild_id") == str(server):
            made["app_permissions"] = str(SEEN.value)
            made["authorizing_integration_owners"] = {"1": str(record.user_id)}
            made["guild"] = {"id": str(server), "locale": "en-US", "features": []}
        elif group and "guild_id" not in made:
            made["context"] = GROUP_CONTEXT
            made["authorizing_integration_owners"] = {"1": str(record.user_id)}
            made["channel"] = {"id": made["channel_id"], "type": GROUP_CHANNEL, "recipients": [], "name": None}
        return record, made

    group.clear()
    monkeypatch.setattr(interactions, "base_payload", payload)


group: list[bool] = []
"""Not empty: direct messages are a group's."""


def channels(sim: Simulation, since: int) -> set[int]:
    """Return the channels, by id, of all requests after that cursor that name a channel."""
    parts = [entry.path.split("/") for entry in sim.env.http_requests[since:]]
    return {int(path[2]) for path in parts if path[1] == "channels"}


def server_without_bot(sim: Simulation) -> tuple[Any, ChannelHandle]:
    """Return a new server and a channel of it. `install_by_users` takes the bot out of it."""
    guild = sim.env.create_guild("Desert")
    return guild, guild.create_text_channel("dunes")
