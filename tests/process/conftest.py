"""What a test of this folder changes in discord.py and in the bot, so that they use a local Discord, is undone."""

from __future__ import annotations

import discord
import pytest

from cogs.runtime import start_throttle
from cogs.transport.gateway import GatewayConnection


@pytest.fixture(autouse=True)
def usual_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo `use_local_discord` (launch.py) after each test: other tests run in this process, too."""
    for owner, name in (
        (discord.http.Route, "BASE"),
        (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (GatewayConnection, "instead"),
        (start_throttle, "FREE"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
