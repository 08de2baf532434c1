"""The least that a bot can do with a picture and a button: `python -m tests.benchmarks.bare ORIGIN`."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import discord

from tests.benchmarks.bots import tell_cost
from tests.process.launch import use_local_discord

PICTURE = (Path(__file__).parents[2] / "docs" / "table.png").read_bytes()


class Board(discord.ui.View):
    """A button that edits a ready picture in; the same request is the acknowledgement."""

    @discord.ui.button(label="press", custom_id="press")
    async def press(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.edit_message(attachments=[discord.File(BytesIO(PICTURE), "table.png")])


class Bare(discord.Client):
    """Posts its board in the first channel that it sees."""

    async def on_ready(self) -> None:
        channel = self.guilds[0].text_channels[0]
        await channel.send(view=Board(timeout=None), file=discord.File(BytesIO(PICTURE), "table.png"))


if __name__ == "__main__":
    tell_cost()
    use_local_discord(sys.argv[1])
    Bare(intents=discord.Intents(guilds=True)).run("planted", log_handler=None)
