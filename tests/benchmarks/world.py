"""A Discord on this machine with one bot: `python -m tests.benchmarks.world bare|<people> <matches> [still]`.

The bot runs in a process of its own. Each line on the input is one press; the answer is JSON: seconds from the press to
its acknowledgement and to the new board, and the bot's processor seconds until all is shown. With people, the bot is
ours: that many of them at a table of Sea Change (alone: against the game's own opponent), with so many more live
matches in the database; "still": its server wants no pictures that move. The bot and this Discord speak HTTPS, as
everywhere.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from ssl import Purpose, SSLContext, create_default_context
from tempfile import TemporaryDirectory
from time import perf_counter

import trustme

from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from data.records.matches import Matches
from data.records.people import People
from data.records.servers import Servers
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from tests.process.loopback import Loopback, until
from tests.process.world import World, match, offered

QUIET = 0.03
"""Seconds without a request after which the next press may come: a bot at work, its code warm in the caches."""
WARM_UP = 60
"""Presses of each bot before the first that is measured: for ours about six rounds, which show most of the cards."""
IDLE = 0.05
"""Processor seconds in a second of a bot that has nothing to do."""
TARGET = 9
"""Victory points: the longest match."""
NAMES = ("alice", "bob", "carol", "dave")


async def answer(world: World) -> None:
    """Warm the bot up; then a press for each line on the input, until it ends."""
    for _ in range(WARM_UP):
        await press(world)
    before = 0.0
    while (now := await cost(world)) > before + IDLE:  # it still draws what may be needed later
        before = now
        await asyncio.sleep(1)
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await press(world)), flush=True)


async def press(world: World) -> dict[str, float]:
    """The first choice of the player asked."""
    discord = world.discord
    if world.people:
        if not await until(world.mover, 10):  # it is over
            await world.begin(TARGET)
        found = world.mover()
        assert found is not None
        user, message = found
        channel, custom_id = discord.backend.dm_channels[user], offered(message)[0]
    else:
        user, message = next(iter(discord.backend.users)), world.board
        channel, custom_id = world.channel, "press"
    # The bare bot's one request is both.
    board = ("PATCH", f"/channels/{world.channel}/messages/") if world.people else ("POST", "/callback")
    await quiet(discord)
    seen = len(discord.answered)

    def when(method: str, part: str) -> float | None:
        return next((at for at, how, path in discord.answered[seen:] if how == method and part in path), None)

    before, begin = await cost(world), perf_counter()
    await discord.press(user, channel, message, custom_id)
    assert await until(lambda: when(*board), 60)
    await quiet(discord)
    spent = await cost(world) - before
    acknowledged, shown = when("POST", "/callback"), when(*board)
    assert acknowledged is not None
    assert shown is not None
    return {"processor": spent, "acknowledged": acknowledged - begin, "board": shown - begin}


async def quiet(discord: Loopback) -> None:
    """Wait until no request is open and there has been none for a while."""
    count = -1
    while count != len(discord.answered) or count != len(discord.requests):
        count = len(discord.answered)
        await asyncio.sleep(QUIET)


async def cost(world: World) -> float:
    """Processor seconds of the bot so far."""
    world.process.stdin.write(b"cost\n")
    return float(await world.process.stdout.readline())


async def crowd(database: Path, count: int, *, still: bool) -> None:
    """Store so many running matches of two people who are not here, shown as they stand. `still`: no server here wants
    pictures that move.
    """
    store = await Database.open(str(database))
    people, matches = People(store), Matches(store)
    if still:
        for guild in await store.read(lambda c: [row[0] for row in c.execute("SELECT DISTINCT guild FROM match")]):
            await Servers(store).change(guild, motion=False)
    service = MatchService(matches, people, GAMES)
    for user in (1, 2):
        await people.meet(user, f"Person {user}")
    for _ in range(count):
        made = await Lobby(service).open(
            "sea_change", guild=1, channel=3, user=1, name="Person 1", terms=Terms(locale="en-US")
        )
        await Lobby(service).join(made.id, 2, "Person 2")
        made = await Lobby(service).start(made.id, 1)
        posts = await matches.posts.of(made.id)
        await matches.posts.note(*(replace(post, shown=made.version) for post in posts))
    await store.close()


def encrypted(folder: Path) -> tuple[SSLContext, dict[str, str]]:
    """This Discord's certificate, and the setting with which a bot trusts it."""
    authority, context = trustme.CA(), create_default_context(Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    return context, {"SSL_CERT_FILE": str(folder / "authority.pem")}


@asynccontextmanager
async def bare(folder: Path) -> AsyncIterator[World]:
    """The bot that only edits a ready picture in."""
    encryption, settings = encrypted(folder)
    async with Loopback(encryption) as discord:
        backend = discord.backend
        guild = backend.create_guild("Harbour")
        channel = backend.create_channel(guild.id, "games").id
        world = World(discord, folder / "none.db", "tests.benchmarks.bare", channel, settings=settings)
        backend.add_member(guild.id, backend.make_user("alice").id)
        backend.add_member(guild.id, backend.bot_user.id)
        await world.start()
        assert await until(lambda: discord.messages(channel), 60)
        yield world
        await world.kill()


async def main(bot: str, matches: int, *, still: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        if bot == "bare":
            async with bare(folder) as world:
                await answer(world)
            return
        encryption, settings = encrypted(folder)
        async with match(
            folder,
            *NAMES[: int(bot)],
            target=TARGET,
            program="tests.benchmarks.bots",
            encryption=encryption,
            settings=settings,
        ) as world:
            if matches > 1 or still:
                world.process.send_signal(signal.SIGTERM)
                await world.process.wait()
                await crowd(world.database, matches - 1, still=still)
                await world.start()
            await answer(world)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), still=sys.argv[3:] == ["still"]))
