"""`--local`: the real bot on a simulated Discord, played in the browser. No account and no network are needed.

Only this module and the tests know simcord, which holds a Discord in memory above discord.py's HTTP and gateway. Its
"preview" shows one channel as one person sees it, with the slash picker and working components. Here are as many of
them as there are people and channels, all live, and a start page that leads to them. Everything binds to 127.0.0.1.

simcord forgets everything when it ends; the bot's own database does not. As ids come from simcord's clock, the server
and its people are made at the clock's beginning and are the same in every run; then the clock is set to the present,
so that no message takes the id of one from an earlier run, and the bot shows its open tables anew.
"""

from __future__ import annotations

import asyncio
import html
import json
import shutil
import signal
import struct
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from string import Template
from typing import Any

import discord
import simcord
from aiohttp import web
from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.preview import Preview
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.store.backup_files import folder, real
from data.store.database import Database, DatabaseRefusal

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
"""Everybody there is, in the order in which they get their ids; `--players` opens the door to the first of them."""

TICK = 0.1
"""Seconds between two steps of the clock."""
PATIENCE = 60.0
"""Seconds that the bot may work on one press or one step of the clock before simcord calls it stuck."""
KEPT_VIEWS = 64
"""How many published views of a channel are remembered, to know what a press was meant for."""

TOOLS_HIDDEN = """
#messages-toggle, #messages-sidebar, #refresh, #capture-open, #inspector-toggle, .session-menu { display: none }
.message-edited-compact { display: none }
img:not([src]) { color: transparent }
@media (max-width: 760px) {
  .preview-shell { --toolbar-height: 44px }
  .preview-toolbar { flex-wrap: nowrap }
  #action-status { flex: 1 1 auto }
}
"""
"""Hides those of simcord's tools that a player has no use for: who one is, and how a press went, remain to be seen.

A picture that is on its way keeps its place, and does not flash its description. "(edited)" beside the hand, which is
edited with every move, would stand in a line of its own on a narrow screen.
"""

PNG = b"\x89PNG\r\n\x1a\n"

PORT_TAKEN = 2
IN_USE = 75


class World(simcord.Env):
    """A simulated Discord whose clock runs: the bot's timers fire as `run_clock` moves it, and never by themselves.

    So a press is answered as soon as the bot has done its work, without waiting for computers that only pretend to
    think. Presses and steps of the clock take turns: simcord does one thing at a time.
    """

    def __init__(self, bot: discord.Client) -> None:
        super().__init__(bot, check_errors=False, settle_timeout=PATIENCE)
        self.turn = asyncio.Lock()
        self.previews: dict[tuple[int, int], LivePreview] = {}
        self.backend.bot_user.name = "Sundial"
        users = [self.create_user(name.lower(), global_name=name) for name in NAMES]
        self.names = {user.id: name for user, name in zip(users, NAMES, strict=True)}
        self.messages = {user.id: user.dm_channel for user in users}
        self.server = self.create_guild("Game night", owner=users[0])
        self.channel = self.server.create_text_channel("games", topic="Type /play to open a table.")
        self.people = {user.id: self.server.add_member(user) for user in users}
        self.backend.advance_clock(max(0.0, time.time() - self.now().timestamp()))

    def _schedule_timer(self, *_: Any) -> None:
        """Let no timer of the bot fire by itself."""

    async def _settle_internal(self, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        """Give the bot the same time whatever it does: simcord gives a start that shows many tables five seconds."""
        await super()._settle_internal(**how)

    def _mark_mutation(self) -> None:
        """Tell every preview, each of which knows whether the action is its own; simcord thinks of one only."""
        for preview in self.previews.values():
            preview._mark_action_dispatched()

    def stamp(self) -> tuple[int, int]:
        """Changes whenever something may look different: after any event, and now and then for "2 minutes ago"."""
        return len(self.backend.transcript), int(self.now().timestamp() // 20)

    async def run_clock(self) -> None:
        """Move the clock as fast as the real one, until cancelled."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        while True:
            await asyncio.sleep(TICK)
            async with self.turn:
                now = loop.time()
                await self.advance_time(now - before)
                before = now

    async def close(self) -> None:
        """End the previews, then the bot, then the simulation."""
        for preview in self.previews.values():
            await preview.close()
        async with self.turn:
            await self.bot.close()
        await self.shutdown()

    async def look(self, user: int, channel: int, home: str) -> str | None:
        """Where that person sees that channel, thread or direct messages; None where they cannot."""
        async with self.turn:
            preview = self.previews.get((user, channel))
            if preview is None or preview.ended:
                private = self.messages[user]
                places = [self.channel, *self.channel.threads, private]
                place = next((place for place in places if place.id == channel), None)
                if place is None:
                    return None
                self._preview = None  # simcord's guard against a second preview, which it does not need here
                viewer = self.people[user].user if place.id == private.id else self.people[user]
                preview = LivePreview(self, place, viewer, home)
                await preview.__aenter__()
                self.previews[user, channel] = preview
            return preview.url


class LivePreview(Preview):
    """A channel as one person sees it: each time the browser asks, it gets the channel as it is then."""

    env: World

    def __init__(self, world: World, channel: ChannelHandle, viewer: Any, home: str) -> None:
        super().__init__(
            world,
            channel,
            (viewer,),
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-US",
            timezone="UTC",
            presentation_time=None,
            assets=None,
            port=0,
        )
        where = "direct messages" if channel.guild is None else f"#{channel.name}"
        self._server = _Server(self, title=f"{world.names[viewer.id]}: {where}")
        self._links = f"{home}/as/{viewer.id}/channels/"
        self._stamps: dict[str, tuple[int, int]] = {}
        self._controls: OrderedDict[tuple[str, Any], Mapping[str, str]] = OrderedDict()

    @property
    def ended(self) -> bool:
        return self._closed

    def _page_payload(self, page: _Page) -> dict[str, Any]:
        """What the browser is told. Links to places on Discord lead to the same places here."""
        stamp = self.env.stamp()
        if page.pinned_snapshot is None and self._stamps.get(page.id) != stamp:
            self._stamps[page.id] = stamp
            self._advance_presentation_time()
            self._publish(page, reason="refresh")
        text = json.dumps(super()._page_payload(page))
        told: dict[str, Any] = json.loads(text.replace("https://discord.com/channels/", self._links))
        return told

    def _publish(self, page: _Page, *, reason: Any = "action") -> None:
        super()._publish(page, reason=reason)
        self._vouch(page)
        self._controls[page.id, page.revision] = self._controls_of(page)
        if len(self._controls) > KEPT_VIEWS:
            self._controls.popitem(last=False)

    def _vouch(self, page: _Page) -> None:
        """Let the browser have the bot's pictures at once, and their sizes before them.

        simcord would have each decoded in a new process first, as is right for what strangers upload.
        """
        for record in page.assets.values():
            blob = self._blobs.get(record.digest or "")
            if blob is not None and not record.validated and blob.data.startswith(PNG):
                record.width, record.height = struct.unpack(">II", blob.data[16:24])
                record.mediaKind, record.displayContentType, record.workerMemoryLimited = "image", "image/png", True
                record.validated, blob.normalized = True, blob.data

    def _controls_of(self, page: _Page) -> dict[str, str]:
        """What the buttons and selects stand for that the page shows now, by simcord's key of their place."""
        shown = self.env.backend.messages.get(page.channel_id, {})
        return {
            key: component["custom_id"]
            for number in page.snapshot["messages"]
            if int(number) in shown
            for key, component in _controls(shown[int(number)])
            if "custom_id" in component
        }

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the browser asks, when it is its turn, if it still means what the person saw.

        simcord turns down whatever was asked of an older view than its newest. Here the channel changes all the time,
        so that a press counts as long as its button stands for the same thing.
        """
        async with self.env.turn:
            page = self._pages.get(context_id or "")
            if page is not None and isinstance(body, Mapping):
                key = str(body.get("control_key"))
                meant = self._controls.get((page.id, body.get("published_revision")), {})
                if body.get("kind") not in ("click", "select") or (
                    key in meant and meant[key] == self._controls_of(page).get(key)
                ):
                    body = {**body, "published_revision": page.revision}
            return await super()._action(context_id, body)


class _Server(PreviewServer):
    """simcord's pages, under a title that tells them apart and without the tools for those who build bots."""

    def __init__(self, preview: Preview, *, title: str) -> None:
        super().__init__(preview)
        self._title = title

    async def _static(self, request: Any) -> Any:
        response = await super()._static(request)
        if request.path == "/":
            response.text = response.text.replace("SimCord Preview", html.escape(self._title), 1)
        elif request.path == "/preview.css":
            response.text += TOOLS_HIDDEN
        return response


def _controls(message: Message) -> list[tuple[str, dict[str, Any]]]:
    return [
        (key, component)
        for index, root in enumerate(message.components)
        for path, component in _component_paths(root, str(index))
        if (key := _component_key(component, path, message.id)) is not None
    ]


class StartPage:
    """The page that leads to everybody's channel and direct messages, and to wherever a link on Discord would lead."""

    def __init__(self, world: World, players: int) -> None:
        self._world = world
        self._players = players
        self._home = ""

    async def open(self, port: int) -> web.AppRunner:
        """Serve on that port, 0 for any that is free. Raises OSError where it is taken."""
        app = web.Application()
        app.router.add_get("/", self._start)
        app.router.add_get(r"/as/{user:\d+}/channels/{guild}/{channel:\d+}{message:(/\d+)?}", self._look)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._home = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner

    @property
    def home(self) -> str:
        """Its address, once it is open."""
        return self._home

    async def _start(self, request: web.Request) -> web.Response:
        page = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
        people = "".join(self._person(user) for user in list(self._world.people)[: self._players])
        return web.Response(text=page.substitute(people=people), content_type="text/html")

    def _person(self, user: int) -> str:
        world = self._world
        name = html.escape(world.names[user])
        place = f"/as/{user}/channels"
        return (
            f"<li><h2>{name}</h2>"
            f'<a href="{place}/{world.server.id}/{world.channel.id}" target="ch-{user}"># games as {name}</a>'
            f'<a href="{place}/@me/{world.messages[user].id}" target="dm-{user}">{name}’s direct messages</a></li>'
        )

    async def _look(self, request: web.Request) -> web.Response:
        user, channel = int(request.match_info["user"]), int(request.match_info["channel"])
        url = await self._world.look(user, channel, self._home) if user in self._world.people else None
        if url is None:
            raise web.HTTPNotFound(text="There is no such place, or no more. The start page leads to those there are.")
        raise web.HTTPFound(url)


async def play_locally(
    make_bot: Callable[[Callable[[], float]], discord.Client], database: Path, port: int, players: int, fresh: bool
) -> int:
    """Play until a signal ends it, and give the exit code. `make_bot` takes the clock, in seconds since 1970.

    `database` is the file that the bot uses; `fresh` begins with none. Raises DatabaseRefusal.
    """
    if fresh:
        await _remove(database)
    await prepare(database)
    bot = make_bot(lambda: world.now().timestamp())
    world = World(bot)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(world.close)
        await world.start()
        stack.enter_context(world.time_context())
        start = StartPage(world, players)
        try:
            runner = await start.open(port)
        except OSError as error:
            print(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)  # noqa: T201
            return PORT_TAKEN
        stack.push_async_callback(runner.cleanup)
        running = asyncio.create_task(world.run_clock())
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(name, running.cancel)
        print(f"Play at {start.home} in your browser. Ctrl-C ends it; your matches are kept.", flush=True)  # noqa: T201
        with suppress(asyncio.CancelledError):
            await running
    return 0


async def _remove(path: Path) -> None:
    """Delete the database, whatever is in it, unless another bot is running on it. Raises DatabaseRefusal."""
    try:
        await (await Database.open(path)).close()
    except DatabaseRefusal as refusal:
        if refusal.code == IN_USE:
            raise
    file = real(path)
    for suffix in ("", "-wal", "-shm", ".lock", ".departed"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    shutil.rmtree(folder(path), ignore_errors=True)
    if file != path:
        file.touch()  # else the link would lead nowhere, and be refused


async def prepare(path: Path) -> None:
    """Forget what the Discord of the last run knew: its messages, and the commands it was told."""
    database = await Database.open(path)
    try:
        await KeyValues(database).put("commands", "")
        await Matches(database).forget_posts()
    finally:
        await database.close()
