"""The call sites in cogs/ that call Discord, found in the source, and a fault at one of them.

A site is a call, in the source, of a function that makes a request: one of our senders, or a coroutine of discord.py.
Its name is `module.function:what`, with a number if a function makes the same call again. A request belongs to the
site whose lines are on the stack during the request, so a fault at one site strikes no other.
"""

from __future__ import annotations

import ast
import asyncio
import errno
import inspect
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

import aiohttp
import discord
import pytest
from discord import app_commands
from simcord.backend.errors import BackendError
from simcord.http import client, router

import cogs

COGS = Path(cogs.__file__).parent
CALLS = ("transport.senders",)
"""The modules that all sites call. Their requests belong to those sites, but for the one that takes a message back."""
SENDERS = {
    *("send_public", "send_private", "send_ping", "send_invitation", "edit", "edit_for_all", "edit_own"),
    *("edit_private", "delete_private", "turn_away"),
}
WAYS = {"open", "revive", "sent_before"}
"""Methods of these modules that make requests, besides those with the names of discord.py's methods."""
GONE = 10008
"""Discord's code for a message that is not there."""
_MESSAGE = re.compile(r"/channels/(\d+)/messages/(\d+)(/threads)?")
LOCAL = "local."
"""The prefix of modules that run on a simulated Discord."""
OURS = {
    *("autocomplete", "cancel", "close", "leave", "start", "load", "wait", "update", "connect", "join", "play", "set"),
    *("stop", "login", "setup"),
}
"""Names of discord.py's coroutines that our own methods have too. cogs/ calls them only on our own objects."""
HOSTS = (
    *(discord.abc.Messageable, discord.abc.GuildChannel, discord.Client, discord.ForumChannel, discord.Guild),
    *(discord.Interaction, discord.InteractionResponse, discord.Member, discord.Message, discord.PartialMessage),
    *(discord.ScheduledEvent, discord.TextChannel, discord.Thread, discord.User, discord.Webhook),
    app_commands.CommandTree,
)

Lines = tuple[str, int, int]


def requests() -> set[str]:
    """Return the names of all functions of discord.py that make a request."""
    found = {
        name
        for host in HOSTS
        for name, member in inspect.getmembers(host)
        if (inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member)) and not name.startswith("_")
    }
    events = {name for name in found if name.startswith(("on_", "before_", "wait_"))}
    return (found | {"history", "pins"}) - events - OURS


@cache
def call_sites() -> dict[str, Lines]:
    """Return every site by its name, with the module and the lines of the call."""
    found: dict[str, Lines] = {}
    counts = Counter[str]()
    known = requests() | WAYS
    any_call = re.compile(rf"\b({'|'.join(known | SENDERS)})\(")
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(COGS.rglob("*.py"))}
    for path in [path for path, source in sources.items() if any_call.search(source)]:
        module = _module(path)
        for function, call in _calls(ast.parse(sources[path])):
            name = _called(call, known)
            if name is None or (module in CALLS and function != "_take_back"):
                continue
            if module.startswith(LOCAL) or (module in CALLS and name != "delete"):
                continue
            site = f"{module}.{function}:{name}"
            counts[site] += 1
            if counts[site] > 1:
                site = f"{site}#{counts[site]}"
            found[site] = (module, call.lineno, call.end_lineno or call.lineno)
    return found


def _module(path: Path) -> str:
    """Return the name of a module within cogs/, with dots."""
    return ".".join(path.relative_to(COGS).with_suffix("").parts)


def primitives() -> set[str]:
    """Return the requests that the modules in `CALLS` make of discord.py, each as "function:request"."""
    known, paths = requests() - SENDERS | {"edit"}, [COGS / f"{module.replace('.', '/')}.py" for module in CALLS]
    return {
        f"{function}:{name}"
        for path in paths
        for function, call in _calls(ast.parse(path.read_text(encoding="utf-8")))
        if (name := _called(call, known))
    }


def _calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    """Return every call with the name of its outermost function, in the order of the source."""
    found, left = list[tuple[str, ast.Call]](), [(tree, "")]
    while left:
        node, function = left.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = function or node.name
        elif isinstance(node, ast.Call):
            found.append((function, node))
        left += [(child, function) for child in ast.iter_child_nodes(node)]
    return sorted(found, key=lambda call: (call[1].lineno, call[1].col_offset))


def _called(call: ast.Call, known: set[str]) -> str | None:
    """Return the name of the called function if it makes a request, else None."""
    if isinstance(call.func, ast.Name):
        return call.func.id if call.func.id in SENDERS else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in known:
        return None
    if ast.unparse(call.func.value) == "asyncio":
        return None
    if call.func.attr == "open" and ast.unparse(call.func.value) not in ("self._direct", "self.direct"):
        return None  # lobbies and databases are opened too
    return call.func.attr


@dataclass(frozen=True, slots=True)
class Failure:
    """How a request fails. `code` is Discord's code; 0 if there is only a status, or an exception of the connection."""

    name: str
    status: int = 0
    code: int = 0
    lost: bool = False
    """Discord carries the request out, and the answer is lost."""
    stalled: bool = False
    """No answer ever comes."""

    def error(self) -> Exception:
        if self.status:
            return BackendError(self.status, self.code, self.name)
        if self.stalled:
            return Stalled()
        if self.name == "timeout":
            return TimeoutError()
        return aiohttp.ClientOSError(errno.ECONNRESET, "Connection reset by peer")


class Stalled(Exception):
    """The simulated Discord tells the client that no answer will come."""


@dataclass(slots=True)
class FailingConnection:
    """The connection to the simulated Discord, on which one call site's requests fail. It recognises nonces too."""

    monkeypatch: pytest.MonkeyPatch
    site: str = ""
    failure: Failure | None = None
    left: int = 0
    hits: int = 0
    forgetful: bool = False
    """Whether Discord has forgotten each nonce by the next try."""
    unflagged: bool = False
    """Whether Discord's answers say that a message is public."""
    _sites: dict[str, Lines] = field(default_factory=call_sites)
    sent: dict[tuple[str, str], Any] = field(default_factory=dict)
    _send: Any = router.dispatch
    _deadlines: WeakKeyDictionary[Any, asyncio.Timeout] = field(default_factory=WeakKeyDictionary)
    """The last timeout that each task has set."""

    def __post_init__(self) -> None:
        self.monkeypatch.setattr(router, "dispatch", self._dispatch)
        for kind in (client.FakeHTTPClient, client.FakeWebhookAdapter):
            self.monkeypatch.setattr(kind, "request", self._waiting(kind.request))
        begin = asyncio.timeout

        def timeout(seconds: float | None) -> asyncio.Timeout:
            self._deadlines[asyncio.current_task()] = deadline = begin(seconds)
            return deadline

        self.monkeypatch.setattr(asyncio, "timeout", timeout)

    def _waiting(self, request: Any) -> Any:
        """Return `request` for a client: if it stalls, the client's timeout comes now, and the request waits for it."""

        @wraps(request)
        async def waiting(*args: Any, **how: Any) -> Any:
            try:
                return await request(*args, **how)
            except Stalled:
                self._deadlines[asyncio.current_task()].reschedule(asyncio.get_running_loop().time())
                return await asyncio.get_running_loop().create_future()

        return waiting

    def fail(self, site: str, failure: Failure, times: int) -> None:
        self.site, self.failure, self.left, self.hits = site, failure, times, 0

    def _dispatch(self, backend: Any, method: str, path: str, **how: Any) -> Any:
        site = self._site()
        failure = self.failure if site == self.site and self.left else None
        if failure is not None:
            self.left -= 1
            self.hits += 1
            if failure.code == GONE and (found := _MESSAGE.fullmatch(path)):  # then the message is really deleted
                channel, message = int(found[1]), int(found[2])
                if message in backend.messages.get(channel, {}):
                    backend.delete_message(channel, message)
            if not failure.lost:
                raise failure.error()
        answer = self._answer(backend, method, path, **how)
        if failure is not None:
            raise failure.error()
        return answer

    def _answer(self, backend: Any, method: str, path: str, **how: Any) -> Any:
        """Return Discord's answer: for a known nonce, the message that it made, even if the request differs."""
        body = how.get("json")
        key = (path, body.get("nonce", "")) if isinstance(body, dict) else ("", "")
        if method != "POST" or not key[1] or self.forgetful:
            answer = self._send(backend, method, path, **how)
            if self.unflagged and isinstance(answer, dict) and "flags" in answer:
                answer = {**answer, "flags": 0}
            return answer
        if key in self.sent:
            return self.sent[key]
        answer = self.sent[key] = self._send(backend, method, path, **how)
        return answer

    def _site(self) -> str:
        """Return the innermost call on the stack that is a site."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            path = Path(frame.f_code.co_filename)
            if COGS in path.parents:
                here = _module(path)
                for site, (module, first, last) in self._sites.items():
                    if module == here and first <= frame.f_lineno <= last:
                        return site
            frame = frame.f_back
        return ""
