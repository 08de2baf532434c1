"""The simulated Discord of `--local` takes no more room, however long it is played."""

from __future__ import annotations

import discord

from cogs.local.world import World


async def test_pictures_that_no_message_shows_any_more_are_forgotten() -> None:
    world = World(discord.Client(intents=discord.Intents.none()))
    backend, channel, author = world.backend, world.channel.id, world.backend.bot_user.id
    before, now, last, sizes = world.stamp()[0], 0, 0, set[int]()
    for _ in range(20):
        files = backend.store_attachments(channel, [("table.png", bytes(1000))])
        message = backend.create_message(channel, author, attachments=files)
        if last:
            backend.delete_message(channel, last)
        last = message.id
        assert world.stamp()[0] > before + now
        now = world.stamp()[0] - before
        world.forget()
        assert backend.cdn.get(message.attachments[0]["url"]), "a message shows it"
        assert world.stamp()[0] == before + now, "a page is as new as it was"
        sizes.add(len(backend.cdn._blobs) + len(backend.transcript) + len(backend.http_requests))
    assert max(sizes) <= 2
