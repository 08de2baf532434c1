"""`python bot.py --check`: what would fail at the start or soon after it, said before it. It changes nothing.

Each part says what it found in one line. Exit codes are those of a start (cogs/runtime/process.py).
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import discord

from cogs.messages.drawing import picture
from cogs.runtime.health import CLOCK_OFF, LITTLE_ROOM, PORTS, counting, tried
from cogs.runtime.metrics import Metrics
from cogs.runtime.process import Exit, port_fault
from cogs.runtime.settings import Settings, exposed, read_env_file
from cogs.transport.errors import DiscordFailure, discord_call, explain
from cogs.transport.gateway import silence_of, use_addresses
from cogs.transport.permissions import NEEDED, invite_link
from cogs.workers.pool import Pool, default_workers
from cogs.workers.process import Lost, WorkerFault
from data.content.decks import BadDeck, load
from data.content.texts import DEFAULT, LOCALES, languages, own_texts, texts
from data.store import backup_files
from data.store.database import examine_url
from data.store.lock import NOTHING_FREE, DatabaseRefusal, in_use, place
from data.store.preflight import examine
from data.store.schema import steps
from rendering import Renderer, renderer
from rendering.core import art
from rendering.core.labels import Labels
from rules import GAMES

TOKEN_PARTS = 3
FEW_STARTS = 10
"""Connections left today below which a bot that restarts in a loop is soon locked out."""
MOST_LISTED = 200
"""The most servers that Discord lists in one answer."""
MOST_NAMED = 5
"""The most servers that are named."""


class Mark(StrEnum):
    """How a part was found."""

    GOOD = "ok  "
    WARNING = "look"
    BAD = "BAD "


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `code`: the exit code, if the bot would not start."""

    mark: Mark
    part: str
    text: str
    code: Exit = Exit.ENDED


def now() -> float:
    """Return the system's time, in seconds since 1970."""
    return time.time()


async def check(settings: Settings, root: Path, say: Callable[[str], None]) -> Exit:
    """Examine all parts and say a line about each. Return the exit code of the first one that is bad, or 0."""
    first = Exit.ENDED
    logging.getLogger("discord.client").setLevel(logging.WARNING)  # "logging in" would stand between the lines
    async for found in _findings(settings, root):
        say(f"{found.mark} {found.part}: {found.text}")
        first = first or found.code
    return first


async def _findings(settings: Settings, root: Path) -> AsyncIterator[Finding]:
    yield _settings(root / ".env")
    yield _decks()
    yield _languages()
    if settings.database_url is not None:
        yield await _postgresql(settings.database_url, settings.bot_id)
    else:
        path = root / settings.database
        yield _database(path)
        yield _disk(backup_files.real(path))
    if settings.health_port is not None:
        yield _health(settings.health_host, settings.health_port, settings.database_url is not None)
    yield await _drawing(settings)
    async for found in _discord(settings):
        yield found


def _settings(path: Path) -> Finding:
    """Return whether other users of the machine can read or write the files with secrets."""
    if text := exposed(path, {**read_env_file(path), **os.environ}):
        return Finding(Mark.WARNING, "settings", f"fine, but {text}")
    return Finding(Mark.GOOD, "settings", "can be read.")


def _decks() -> Finding:
    try:
        load(GAMES)
    except BadDeck as error:
        return Finding(Mark.BAD, "decks", str(error), Exit.SETTINGS)
    return Finding(Mark.GOOD, "decks", f"of {len(GAMES)} games.")


def _languages() -> Finding:
    names = sorted(path.stem for path in (LOCALES / DEFAULT).glob("*.toml"))
    lacking = {
        code: sum(len(own_texts(DEFAULT, name).keys() - own_texts(code, name).keys()) for name in names)
        for code in languages()
    }
    if any(lacking.values()):
        told = ", ".join(f"{code} {count}" for code, count in lacking.items() if count)
        text = f"texts are missing, and players read English there: {told}."
        return Finding(Mark.WARNING, "languages", text)
    return Finding(Mark.GOOD, "languages", f"{', '.join(lacking)}, whole.")


def _database(given: Path) -> Finding:
    path = backup_files.real(given)
    if not path.parent.is_dir():
        return Finding(Mark.BAD, "database", f"its folder {path.parent} is not there.", Exit.RIGHTS)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return Finding(Mark.BAD, "database", f"this user may not write into {path.parent}.", Exit.RIGHTS)
    try:
        if in_use(place(given)):
            return Finding(Mark.WARNING, "database", f"a bot runs on {path} now, so it was not examined.")
        version, newest = examine(path)
    except DatabaseRefusal as error:
        return Finding(Mark.BAD, "database", str(error), Exit(error.code))
    if version == 0:
        return Finding(Mark.GOOD, "database", f"{path} will be made at the first start.")
    if version < newest:
        return Finding(Mark.GOOD, "database", f"{path} is sound; the start brings its tables up to date.")
    return Finding(Mark.GOOD, "database", f"{path} is sound.")


async def _postgresql(url: str, owner: str | None) -> Finding:
    """Ask the server about its version, the rights of the user and whose the tables are."""
    try:
        version = await examine_url(url, owner)
    except DatabaseRefusal as error:
        return Finding(Mark.BAD, "database", str(error), Exit(error.code))
    if version == 0:
        return Finding(Mark.GOOD, "database", "PostgreSQL answers; the tables will be made at the first start.")
    if version < len(steps()):
        return Finding(Mark.GOOD, "database", "PostgreSQL answers; the start brings the tables up to date.")
    return Finding(Mark.GOOD, "database", "PostgreSQL answers, and the tables are up to date.")


def _disk(path: Path) -> Finding:
    there = next(folder for folder in path.parents if folder.is_dir())
    free = shutil.disk_usage(there).free
    needed = LITTLE_ROOM + (2 * path.stat().st_size if path.is_file() else 0)  # its write-ahead log and a backup
    room = f"{free >> 20:,} MB free beside the database"
    if free < NOTHING_FREE:
        return Finding(Mark.BAD, "disk", f"full: {room}. Make room.", Exit.NO_ROOM)
    if free < needed:
        return Finding(Mark.WARNING, "disk", f"{room}; it should be {needed >> 20:,} MB.")
    backups = backup_files.folder(path)
    if os.path.lexists(backups) and not os.access(backups, os.W_OK | os.X_OK):
        return Finding(Mark.WARNING, "disk", f"{room}; this user can make no backup in {backups}.")
    return Finding(Mark.GOOD, "disk", f"{room}.")


def _health(host: str, port: int, shared: bool) -> Finding:
    """Return whether the bot can answer probes there. `shared`: whether it takes the next port if one is taken."""
    faults = {number: port_fault(host, number) for number in tried(port, PORTS if shared else 1)}
    free = next((number for number, fault in faults.items() if not fault), None)
    if free is None:
        text = f"port {port} of {host} cannot be used: {faults[port]}. If no bot runs now, the start ends with code 2."
        return Finding(Mark.WARNING, "health", text)
    text = f"port {port} of {host} is free." if free == port else f"port {port} of {host} is taken; {free} is free."
    return Finding(Mark.GOOD, "health", text)


async def _drawing(settings: Settings) -> Finding:
    """Look at the painted sprites, then draw a picture with words as the bot will: fonts, Pillow and the workers."""
    try:
        art.examine()
    except art.DamagedArt as error:
        return Finding(Mark.BAD, "pictures", str(error), Exit.PICTURES)
    slug = next(iter(GAMES))
    labels = Labels((), texts(DEFAULT, slug))
    workers = default_workers() if settings.workers is None else settings.workers
    began = time.monotonic()
    try:
        if workers:
            pool = Pool(1)
            try:
                png = await pool.run(picture(slug, Renderer.cover, labels, GAMES[slug].seats[0]))
            finally:
                await pool.close()
        else:
            png = renderer(slug).cover(labels, GAMES[slug].seats[0])
    except (Lost, WorkerFault, OSError) as error:
        how = error.kind if isinstance(error, (Lost, WorkerFault)) else error
        return Finding(Mark.BAD, "pictures", f"none can be drawn: {how}.", Exit.FAULT)
    assert isinstance(png, bytes)
    where = f"in a worker of its own; up to {workers} draw" if workers else "in the bot's own process"
    return Finding(Mark.GOOD, "pictures", f"drawn in {time.monotonic() - began:.1f} s, {where}.")


async def _discord(settings: Settings) -> AsyncIterator[Finding]:
    """Yield what Discord says about the token, the clock, the starts that are left and the servers."""
    assert settings.token is not None
    if len([part for part in settings.token.split(".") if part]) != TOKEN_PARTS:
        text = "DISCORD_TOKEN is no bot token, which has three parts with dots between them. Copy it from the tab Bot."
        yield Finding(Mark.BAD, "token", text, Exit.TOKEN)
        return
    offs: list[float] = []
    trace = counting(Metrics(), lambda instant: offs.append(now() - instant))
    use_addresses(settings.discord_api, settings.discord_gateway)
    intents = discord.Intents(guilds=True)
    async with discord.Client(intents=intents, http_trace=trace, proxy=settings.discord_proxy) as client:
        try:
            async with discord_call():
                await client.login(settings.token)
                gateway = await client.http.request(discord.http.Route("GET", "/gateway/bot"))
                # Only this answer has the permissions of the bot's role in each server; discord.py's objects drop them.
                servers = await client.http.get_guilds(limit=MOST_LISTED, with_counts=False)
            silent = await silence_of(client, settings.discord_gateway or gateway["url"])
        except (DiscordFailure, discord.LoginFailure) as failure:
            error = failure.__cause__ if isinstance(failure, DiscordFailure) else failure
            known = explain(error) if isinstance(error, Exception) else None
            if known is None:
                raise
            yield Finding(Mark.BAD, "Discord", known[1], known[0])
            return
    assert client.application_id is not None
    yield Finding(Mark.GOOD, "token", f"Discord knows the bot as {client.user}.")
    yield Finding(Mark.GOOD, "intents", "the bot needs none of those that the developer portal must allow.")
    yield _clock(offs)
    yield _gateway(gateway, settings.shard_count, silent)
    yield _servers(servers, client.application_id)


def _clock(offs: list[float]) -> Finding:
    """Compare the clock with the dates of Discord's answers: `offs`, how much later it was than each, in seconds."""
    if not offs:
        return Finding(Mark.WARNING, "clock", "Discord's answers carry no date to compare it with.")
    off = offs[0]
    if abs(off) > CLOCK_OFF:
        text = f"{abs(off):.0f} s {'fast' if off > 0 else 'slow'}. Set it by NTP."
        return Finding(Mark.WARNING, "clock", text)
    return Finding(Mark.GOOD, "clock", "agrees with Discord's.")


def _gateway(answer: dict[str, Any], wanted: int | None, silent: str) -> Finding:
    """Tell how many connections the bot opens for its servers, and how often it may still open one today. `silent`: why
    it can open none now.
    """
    if silent:
        text = f"it cannot be used: {silent}. Look at the network, and at DISCORD_GATEWAY and DISCORD_PROXY if set."
        return Finding(Mark.BAD, "gateway", text, Exit.UNREACHABLE)
    shards, left = int(answer["shards"]), int(answer["session_start_limit"]["remaining"])
    opened = wanted or shards
    if opened < shards:
        text = f"SHARD_COUNT is {opened}, and Discord recommends {shards} connections. It refuses too few of them."
        return Finding(Mark.WARNING, "gateway", text)
    if left < max(FEW_STARTS, opened):
        return Finding(
            Mark.WARNING, "gateway", f"Discord allows {left} more connections today; a start opens {opened}."
        )
    text = "one connection is" if opened == 1 else f"{opened} connections are"
    return Finding(Mark.GOOD, "gateway", f"{text} enough; {left:,} more today.")


def _servers(servers: Sequence[Mapping[str, Any]], application: int) -> Finding:
    """Tell in which servers the bot's role lacks permissions. A channel may still deny some: `/doctor` tells there."""
    if not servers:
        return Finding(Mark.WARNING, "servers", f"the bot is in none. Invite it: {invite_link(application)}")
    lacking = []
    for server in servers:
        if "permissions" not in server:  # what stands in for Discord may not tell them
            continue
        granted = discord.Permissions(int(server["permissions"]))
        needed = [] if granted.administrator else NEEDED
        missing = [name for name in needed if not granted.is_superset(discord.Permissions(**{name: True}))]
        if missing:
            lacking.append(f"{server['name']} ({', '.join(missing)})")
    if lacking:
        more = f" and {len(lacking) - MOST_NAMED} more" if len(lacking) > MOST_NAMED else ""
        text = f"permissions are missing in {', '.join(lacking[:MOST_NAMED])}{more}."
        return Finding(Mark.WARNING, "servers", text)
    count = f"{len(servers)}{' or more' if len(servers) == MOST_LISTED else ''}"
    return Finding(Mark.GOOD, "servers", f"{count}; the bot's role has all permissions that it needs.")
