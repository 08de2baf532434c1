"""A channel as one person sees it, live in the browser: simcord's preview without its tools for bot builders."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.preview import Preview
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

from cogs.local.world import World
from data.lru import Lru

KEPT_VIEWS = 64
"""Published views of a channel that are remembered, to know which button a press was meant for."""
PNG, MOVING_WEBP = b"\x89PNG", b"VP8X"

TOOLS_HIDDEN = """
#messages-toggle, #messages-sidebar, #refresh, #capture-open, #inspector-toggle, .session-menu { display: none }
.message-edited-compact { display: none }
img:not([src]) { color: transparent }
.custom-emoji { display: inline-block; flex: none; overflow: hidden }
@media (max-width: 760px) {
  .preview-shell { --toolbar-height: 44px }
  .preview-toolbar { flex-wrap: nowrap }
  #action-status { flex: 1 1 auto }
}
"""
"""CSS that hides the tools of simcord that a player does not need. Who the player is and how a press went stay visible.

A picture keeps its place while it loads, and does not flash its description. "(edited)" would take a line of its own
beside the hand on a narrow screen, since each move edits the hand.
"""

NEWEST = """
;(() => {
  const timeline = document.querySelector("#channel-timeline"), list = document.querySelector("#channel-message-list")
  let wanted = true, follows = false
  const want = () => { wanted = true }
  const show = () => { timeline.scrollTop = timeline.scrollHeight }
  document.addEventListener("click", want, true)
  document.addEventListener("submit", want, true)
  new MutationObserver((changes) => {
    if (!wanted || !changes.some((change) => change.addedNodes.length)) return
    wanted = false
    follows = true
    show()
  }).observe(list, { childList: true })
  const resized = new ResizeObserver(() => { if (follows) show() })
  for (const part of [timeline, list]) resized.observe(part)
  for (const moved of ["wheel", "touchmove", "keydown"]) timeline.addEventListener(moved, () => { follows = false })
})()
"""
"""JavaScript that shows the newest message when a page opens, and the answer to a press when it comes.

Without it a page opens at its first message, and an answer appears below the part of the channel that is in sight. A
picture that loads or a message that comes later moves it again, unless the player has scrolled since.
"""

WORDING = {
    "/": (
        ("<strong>SimCord</strong><small>Preview</small>", "<strong>Sundial</strong><small>on this computer</small>"),
        ('class="brand-mark" aria-hidden="true">S<', 'class="brand-mark" aria-hidden="true">☀<'),
    ),
    "/actions.js": (
        ("Callback completed", "Done"),
        ("Viewport updated", "Ready"),
        ("Preview ready", "Ready"),
        ("Loading preview…", "Loading…"),
        ("Updating preview…", "Loading…"),
    ),
}
"""What simcord's pages say to those who build bots, by path, and what they say to players."""


async def open_preview(world: World, user: int, channel: int, home: str) -> str | None:
    """Return the address where that person sees that channel, thread or direct messages; None if they cannot.

    `home`: the address of the start page.
    """
    async with world.turn:
        preview = world.previews.get((user, channel))
        if preview is None or preview._closed:
            private = world.messages[user]
            places = [world.channel, *world.channel.threads, private]
            place = next((place for place in places if place.id == channel), None)
            if place is None:
                return None
            world._preview = None  # simcord's guard against a second preview, which it does not need here
            viewer = world.people[user].user if place.id == private.id else world.people[user]
            preview = LivePreview(world, place, viewer, home)
            await preview.__aenter__()
            world.previews[user, channel] = preview
        return preview.url


class LivePreview(Preview):
    """A channel as one person sees it. Each request of the browser gets the channel as it is at that moment."""

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
            assets=world.emoji,
            port=0,
        )
        where = "direct messages" if channel.guild is None else f"#{channel.name}"
        self._server = _Server(self, title=f"{world.names[viewer.id]}: {where}")
        self._links = f"{home}/as/{viewer.id}/channels/"
        self._stamps: dict[str, tuple[int, int]] = {}
        self._controls = Lru[tuple[str, Any], Mapping[str, str]](KEPT_VIEWS)

    def _page_payload(self, page: _Page) -> dict[str, Any]:
        """Return what the browser gets. Links to places on Discord lead to the same places here."""
        stamp = self.env.stamp()
        if page.pinned_snapshot is None and self._stamps.get(page.id) != stamp:
            self._stamps[page.id] = stamp
            self._advance_presentation_time()
            self._publish(page, reason="refresh")
        text = json.dumps(super()._page_payload(page))
        payload: dict[str, Any] = json.loads(text.replace("https://discord.com/channels/", self._links))
        return payload

    def _publish(self, page: _Page, *, reason: Any = "action") -> None:
        super()._publish(page, reason=reason)
        self._vouch(page)
        self._controls[page.id, page.revision] = self._controls_of(page)

    def _vouch(self, page: _Page) -> None:
        """Let the browser load the bot's pictures at once, with their sizes before them.

        simcord would decode each one in a new process first, which is right for what strangers upload. If a message
        went meanwhile, it would leave that process's pipe open, and Python log a fault when the program ends.
        """
        for record in page.assets.values():
            blob = None if record.digest is None else self._blobs.get(record.digest)
            if blob is not None and not record.validated and (found := _size(blob.data)) is not None:
                record.displayContentType, record.width, record.height = found
                record.mediaKind, record.workerMemoryLimited = "image", True
                record.validated, blob.normalized = True, blob.data

    def _controls_of(self, page: _Page) -> dict[str, str]:
        """Return the custom ids of the buttons and selects on the page, by simcord's key for their place."""
        shown = self.env.backend.messages.get(page.channel_id, {})
        return {
            key: component["custom_id"]
            for number in page.snapshot["messages"]
            if int(number) in shown
            for key, component in _controls(shown[int(number)])
            if "custom_id" in component
        }

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the browser asks for, in turn, if it still means what the person saw.

        simcord refuses a press on any view but the newest. Here the channel changes all the time, so a press counts
        while its button has the same custom id.
        """
        async with self.env.turn:
            page = None if context_id is None else self._pages.get(context_id)
            if page is not None and isinstance(body, Mapping):
                key = str(body.get("control_key"))
                meant = self._controls.get((page.id, body.get("published_revision"))) or {}
                if body.get("kind") not in ("click", "select") or (
                    key in meant and meant[key] == self._controls_of(page).get(key)
                ):
                    body = {**body, "published_revision": page.revision}
            return await super()._action(context_id, body)


class _Server(PreviewServer):
    """simcord's pages for players: each has its own title, opens at the newest message, and lacks builders' tools."""

    def __init__(self, preview: Preview, *, title: str) -> None:
        super().__init__(preview)
        self._title = title

    async def _static(self, request: Any) -> Any:
        response = await super()._static(request)
        if request.path == "/":
            response.text = response.text.replace("SimCord Preview", html.escape(self._title), 1)
        elif request.path == "/preview.css":
            response.text += TOOLS_HIDDEN
        elif request.path == "/app.js":
            response.text += NEWEST
        for theirs, ours in WORDING.get(request.path, ()):
            response.text = response.text.replace(theirs, ours)
        return response


def _controls(message: Message) -> list[tuple[str, dict[str, Any]]]:
    return [
        (key, component)
        for index, root in enumerate(message.components)
        for path, component in _component_paths(root, str(index))
        if (key := _component_key(component, path, message.id)) is not None
    ]


def _size(data: bytes) -> tuple[str, int, int] | None:
    """Return the type, the width and the height of a PNG or a moving WebP; None for other files."""
    if data.startswith(PNG):
        return "image/png", int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data[12:16] == MOVING_WEBP:
        return "image/webp", 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    return None
