"""The simulated Discord of `--local` takes no more room, however long it is played."""

from __future__ import annotations

from io import BytesIO

import discord
import pytest
from PIL import Image

from cogs.local.preview import LivePreview
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


@pytest.mark.parametrize("kind", ["png", "webp"])
async def test_a_picture_goes_to_the_browser_without_a_process_that_decodes_it(kind: str) -> None:
    world = World(discord.Client(intents=discord.Intents.none()))
    still, moved, file = Image.new("RGB", (8, 6)), Image.new("RGB", (8, 6), "red"), BytesIO()
    still.save(file, kind, save_all=kind == "webp", append_images=[moved])
    files = world.backend.store_attachments(world.channel.id, [(f"table.{kind}", file.getvalue())])
    world.backend.create_message(world.channel.id, world.backend.bot_user.id, attachments=files)
    async with LivePreview(world, world.channel, next(iter(world.people.values())), "http://127.0.0.1:1") as preview:
        page = preview._pages["python"]
        (number,) = [number for number, asset in page.assets.items() if asset.filename == f"table.{kind}"]
        sent = await preview._prepare_asset(page.id, number)
        assert sent == (f"image/{kind}", file.getvalue(), f"table.{kind}")
        assert (page.assets[number].width, page.assets[number].height) == (8, 6)
        assert preview._media_worker is None
