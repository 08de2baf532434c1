"""The start page of `--local`: it leads to each person's channel and direct messages.

It binds to 127.0.0.1 and answers only to the names of this machine. A web site whose name was made to lead here (DNS
rebinding) reads nothing through a browser.
"""

from __future__ import annotations

import asyncio
import html
from pathlib import Path
from string import Template

from aiohttp import web
from aiohttp.typedefs import Handler

from cogs.local.preview import open_preview
from cogs.local.world import World
from data.content.texts import texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES

NAMES_HERE = ("127.0.0.1", "localhost")
"""The names of this machine under which the page answers."""


class StartPage:
    """The page with the games' covers and a link to each person's channel and direct messages.

    It also answers links to places on Discord.
    """

    def __init__(self, world: World, players: int) -> None:
        self._world = world
        self._players = players
        self.home = ""
        """Its address, once it is open."""

    async def open(self, port: int) -> web.AppRunner:
        """Serve on that port; 0: any free one. Raises OSError if the port is taken."""
        app = web.Application(middlewares=[_only_here])
        app.router.add_get("/", self._start)
        app.router.add_get(r"/covers/{game:[a-z_]+}.png", _cover)
        app.router.add_get(r"/as/{user:\d+}/channels/{guild}/{channel:\d+}{message:(/\d+)?}", self._open_place)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError:
            await runner.cleanup()
            raise
        self.home = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner

    async def _start(self, request: web.Request) -> web.Response:
        page = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
        people = "".join(self._person(user) for user in list(self._world.people)[: self._players])
        return web.Response(text=page.substitute(covers=_covers(), people=people), content_type="text/html")

    def _person(self, user: int) -> str:
        world = self._world
        name = html.escape(world.names[user])
        place = f"/as/{user}/channels"
        return (
            f"<li><h2>{name}</h2>"
            f'<a href="{place}/{world.server.id}/{world.channel.id}" target="ch-{user}"># games as {name}</a>'
            f'<a href="{place}/@me/{world.messages[user].id}" target="dm-{user}">{name}’s direct messages</a></li>'
        )

    async def _open_place(self, request: web.Request) -> web.Response:
        user, channel = int(request.match_info["user"]), int(request.match_info["channel"])
        url = await open_preview(self._world, user, channel, self.home) if user in self._world.people else None
        if url is None:
            raise web.HTTPNotFound(text="There is no such place, or no more. The start page leads to those there are.")
        raise web.HTTPFound(url)


def _covers() -> str:
    found = ((slug, html.escape(game.title)) for slug, game in GAMES.items())
    return "".join(f'<img src="/covers/{slug}.png" alt="{title}" title="{title}">' for slug, title in found)


async def _cover(request: web.Request) -> web.Response:
    slug = request.match_info["game"]
    if slug not in GAMES:
        raise web.HTTPNotFound
    png = await asyncio.to_thread(renderer(slug).cover, Labels((), texts("en", slug)))
    return web.Response(body=png, content_type="image/png")


@web.middleware
async def _only_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a request under another name than this machine's."""
    if request.url.host not in NAMES_HERE:
        raise web.HTTPForbidden
    return await handler(request)
