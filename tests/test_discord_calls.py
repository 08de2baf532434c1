"""Only a few modules ask Discord for anything, each inside `discord_call()`. Read from the source."""

from __future__ import annotations

import ast
import inspect
import re

import discord
import pytest

from tests.support.call_sites import requests
from tests.support.source import ROOT, SIMULATED, UNSEEN, nodes, parsed

# Requests to Discord.

ASKING = {
    "cogs/transport/senders.py": {
        *("send", "edit", "edit_original_response", "delete", "send_message", "history"),
        *("fetch_channel", "create_dm"),
    },
    "cogs/transport/interactions.py": {"defer", "send_modal"},
    "cogs/transport/table_message.py": {"history", "create_thread", "fetch", "pin"},
    "cogs/transport/compare_restored.py": {"history", "fetch_message"},
    "cogs/transport/calendar_events.py": {
        *("create_scheduled_event", "fetch_scheduled_event", "fetch_scheduled_events", "edit", "delete"),
    },
    "cogs/transport/app_emoji.py": {"fetch_application_emojis", "create_application_emoji", "delete"},
    "cogs/check.py": {"login"},
    "cogs/transport/server_lookup.py": {"fetch_guild", "fetch_member"},
    "cogs/transport/database_mark.py": {"fetch_application_emojis", "create_application_emoji", "edit"},
    "cogs/tables.py": {"fetch_member"},
    "cogs/transport/permissions.py": {"add_roles", "remove_roles"},
}
"""What a module may ask of Discord, always inside `async with discord_call()`. Content leaves through the first alone;
in which functions the requests stand is what tests/cogs/test_errors.py knows.
"""

BY_ITSELF = {
    "sync": "the commands, once at the start: where that fails, the bot ends and is started again",
    "set_translator": "makes no request",
    "login": "the start, whose failures main() tells the operator",
    "connect": "the gateway, which discord.py keeps up",
    "close": "the end",
}
"""What bot.py asks without `discord_call()`, and why."""

THEIRS = {
    *("bot", "client", "tree", "http", "ws", "interaction", "response", "followup", "webhook", "message", "channel"),
    *("thread", "guild", "member", "user", "role", "emoji", "reaction", "attachment", "poll", "event", "invite"),
}
"""What things of discord.py are called. Where a method of theirs has the name of one of ours, it is told by that."""


def discords() -> set[str]:
    """The name of every coroutine and asynchronous generator of discord.py's classes."""
    kinds = [kind for kind in vars(discord).values() if inspect.isclass(kind)]
    return {
        name
        for kind in kinds
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member))
    }


RAW = {
    *("http", "_http", "request", "_session", "webhook", "Webhook", "SyncWebhook", "HTTPClient", "ClientSession"),
    *("socket", "open_connection", "create_connection", "attrgetter", "methodcaller", *UNSEEN),
}
"""What reaches Discord, or anything, past the methods that are looked for."""

BESIDE = {
    "bot.py": {"http", "import_module"},
    "cogs/check.py": {"http", "request"},
    "cogs/transport/shards.py": {"http"},
    "cogs/transport/gateway.py": {"http", "socket"},
    "cogs/messages/clock.py": {"getattr(found)"},
    "cogs/runtime/logs.py": {"getattr(record)"},
    "cogs/workers/jobs.py": {"getattr(renderer(slug))"},
    "cogs/runtime/process.py": {"socket"},
    "cogs/transport/permissions.py": {"getattr(interaction.app_permissions)"},
    "cogs/doctor.py": {"getattr(interaction.app_permissions)"},
    "cogs/setup.py": {"getattr(server)"},
}
"""Which of it a module holds: the last close and the finding of cogs, what `--check` alone asks Discord, the address
that discord.py asks, how many shards Discord recommends, with which code a shard was closed, systemd's socket, and what
is got from values and renderers, which make no request.
"""

REQUESTS = requests()
SHARED = discords() - REQUESTS


def asked(source: str) -> dict[str, bool]:
    """Everything in the source that makes a request, or is taken from its object to make one later, and whether it
    stands inside `async with discord_call()`, or is handed to `_tried`, which calls it there.
    """
    found: dict[str, bool] = {}

    def look(node: ast.AST, guarded: bool, called: bool = False) -> None:
        if isinstance(node, ast.Attribute) and _asks(node, called):
            found[node.attr] = guarded and found.get(node.attr, True)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and node not in handed:
            guarded = False  # it runs when it is called
        inside = isinstance(node, ast.AsyncWith) and any(
            ast.unparse(item.context_expr) == "discord_call()" for item in node.items
        )
        for child in ast.iter_child_nodes(node):
            look(child, guarded or inside or child in handed, isinstance(node, ast.Call) and child is node.func)

    calls = [node for node in nodes(source) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    handed = [argument for call in calls if call.func.id == "_tried" for argument in call.args]
    look(parsed(source), guarded=False)
    return found


def _asks(node: ast.Attribute, called: bool) -> bool:
    if node.attr not in REQUESTS | SHARED:
        return False
    of = ast.unparse(node.value)
    if of == "asyncio" or (of in ("self._handles", "self.handles") and node.attr == "delete"):
        return False  # neither is discord.py's
    if node.attr in REQUESTS:
        return called or node.attr != "move"  # that is a field of ours
    return re.split(r"\W|_", of.lower())[-1] in THEIRS


def of_the_bot() -> dict[str, str]:
    """Return the source of each module that could make a request, by its path."""
    paths = (ROOT / "bot.py", *sorted((ROOT / "cogs").rglob("*.py")))
    found = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {place: source for place, source in found.items() if place not in SIMULATED}


def test_requests_are_made_in_few_places_and_inside_calls() -> None:
    for place, source in of_the_bot().items():
        found = asked(source)
        assert set(found) == (set(BY_ITSELF) if place == "bot.py" else ASKING.get(place, set())), place
        assert place == "bot.py" or all(found.values()), (place, found)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("async with discord_call():\n    await channel.send('x')", {"send": True}),
        ("await channel.send('x')", {"send": False}),
        ("async with discord_call():\n    def later():\n        return message.pin()", {"pin": False}),
        ("async with discord_call():\n    pass\nasync for message in channel.history(): ...", {"history": False}),
        ("send = interaction.followup.send", {"send": False}),
        ("async with discord_call():\n    await a.edit()\nawait b.edit()", {"edit": False}),
        ("await message.add_reaction('x')\nawait channel.purge()", {"add_reaction": False, "purge": False}),
        ("await self.bot.fetch_user(1)\nawait thread.edit(archived=True)", {"fetch_user": False, "edit": False}),
        ("await message.publish()\nawait message.reply()", {"publish": False, "reply": False}),
        ("await thread.leave()\nawait first_thread.join()", {"leave": False, "join": False}),
        ("await attachment.read()\nawait self.lobby.leave()\nself._task.cancel()", {"read": False}),
        ("async with asyncio.timeout(1):\n    told.move\n    await self._handles.delete(1, 2, 3)", {}),
    ],
)
def test_the_look_for_requests_finds_them(source: str, found: dict[str, bool]) -> None:
    assert asked(source) == found


def beside(source: str) -> set[str]:
    """Everything in the source that could make a request and is no method of its name: what is RAW, and what is got
    from an object by the name of a request, or by one that is not known here.
    """
    found: set[str] = set()
    for node in nodes(source):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                found |= RAW & {*name.split(".")}
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
                found |= {name} & (REQUESTS | SHARED | RAW)
            case ast.Call(func=ast.Name(id="getattr"), args=[of, *_]):
                found.add(f"getattr({ast.unparse(of)})")
        if isinstance(node, ast.ImportFrom):
            found |= RAW & {*(node.module or "").split(".")}
    return found


def test_nothing_goes_beside_the_methods_of_discords_objects() -> None:
    for place, source in of_the_bot().items():
        assert beside(source) == BESIDE.get(place, set()), place


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("await self.http.request(Route('POST', '/x'))", {"http", "request"}),
        ("from discord.http import Route", {"http"}),
        ("import discord.webhook.async_ as hooks", {"webhook"}),
        ("hook = discord.Webhook.from_url(url)", {"Webhook"}),
        ("aiohttp.ClientSession().post('x')", {"ClientSession"}),
        ("from aiohttp import ClientSession as Session", {"ClientSession"}),
        ("import urllib.request", {"request"}),
        ("await asyncio.open_connection('x', 443)", {"open_connection"}),
        ("getattr(channel, 'send')('x')", {"send"}),
        ("getattr(channel, name, None)('x')", {"getattr(channel)"}),
        ("methodcaller('send', 'x')(channel)", {"methodcaller"}),
        ("eval('channel.send')", {"eval"}),
        ("named = getattr(interaction.namespace, 'table', None)\nfrom cogs.transport.interactions import Route", set()),
        ("raise aiohttp.ClientError('x')", set()),
    ],
)
def test_what_goes_beside_them_is_found(source: str, found: set[str]) -> None:
    assert beside(source) == found
