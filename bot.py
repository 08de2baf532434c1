"""The bot: settings from the environment, logging, the parts put together, and the way it starts and ends.

Importing this does nothing. `Settings.from_env(mapping)` and `create_bot(settings)` need no token and no network;
`main` is what `python bot.py` runs, and `python bot.py --local` plays in the browser on a simulated Discord.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import hashlib
import json
import logging
import os
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import discord
from discord.ext import commands

from cogs._digests import Digests
from cogs._discord import DM_GAP, DirectMessages
from cogs._host import Host
from cogs._house import House
from cogs._limits import Limits
from cogs._lobby import Lobby
from cogs._messages import Desk
from cogs._people import Company
from cogs._publisher import Pace, Publisher
from cogs._servers import PERMISSIONS
from cogs._translator import Translator
from cogs._watch import Watch
from cogs._which import Which
from cogs.clock import Clock
from cogs.cuts import Cuts
from cogs.games import Games
from cogs.owners import Owners
from cogs.people import Seats
from cogs.places import Places
from cogs.privacy import PersonalData
from cogs.settings import PersonalSettings
from cogs.tables import Tables
from data.backups import Backups, restore
from data.database import Database, DatabaseRefusal
from data.deadlines import Deadlines
from data.decks import BadDeck, load
from data.departures import Departures
from data.facts import Facts
from data.hours import PeopleHours
from data.matches import Matches
from data.people import People
from data.privacy import Privacy
from data.servers import Servers
from rules import GAMES

log = logging.getLogger("sundial")

ROOT = Path(__file__).parent
BAD_SETTINGS = 2
TOKEN_REFUSED = 77
UNREACHABLE = 69
NEWEST = "newest"
"""What `--restore` takes without a file: the newest backup that is whole."""
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SETTINGS = (
    *("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DATABASE", "BACKUP_MINUTES", "RETENTION_DAYS", "LOG_LEVEL"),
    *("COMPUTER_SECONDS", "EDIT_SECONDS"),
)
"""Every name that is read from the environment; `.env.example` says what each does."""


class BadSettings(Exception):
    """Settings that are missing or wrong, a line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Settings:
    """Everything that an owner may set; `.env.example` says what each does."""

    token: str | None = field(default=None, repr=False)
    database: str = "data/sundial.db"
    backup_minutes: int = 60
    retention_days: int = 365
    log_level: str = "INFO"
    computer_seconds: float = 1.6
    edit_seconds: float = 1.5
    dm_seconds: float = DM_GAP
    beat_seconds: float = 60.0
    limited: bool = True
    """Whether one person or server may ask for only so much in a while."""

    @classmethod
    def from_env(cls, env: Mapping[str, str], *, needs_token: bool = True) -> Settings:
        """Read the settings; an empty value counts as none. Raises BadSettings with every fault at once."""
        given = {name: value for name in SETTINGS if (value := env.get(name, "").strip())}
        faults: list[str] = []
        token = given.get("DISCORD_TOKEN")
        path = given.get("DISCORD_TOKEN_FILE")
        if token is None and path is not None:
            try:
                token = Path(path).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError):
                faults.append("DISCORD_TOKEN_FILE names a file that cannot be read.")
        if needs_token and not token and not faults:
            faults.append(
                "DISCORD_TOKEN is missing: the token of your bot, or DISCORD_TOKEN_FILE, a file that holds it."
            )
        level = given.get("LOG_LEVEL", cls.log_level).upper()
        if level not in LEVELS:
            faults.append(f"LOG_LEVEL is none of {', '.join(LEVELS)}.")
        minutes = _whole(given, "BACKUP_MINUTES", "minutes", 1440, cls.backup_minutes, faults)
        days = _whole(given, "RETENTION_DAYS", "days", 36_500, cls.retention_days, faults)
        computer = _seconds(given, "COMPUTER_SECONDS", cls.computer_seconds, faults)
        edits = _seconds(given, "EDIT_SECONDS", cls.edit_seconds, faults)
        if faults:
            raise BadSettings(faults)
        database = given.get("DATABASE", cls.database)
        return cls(token, database, minutes, days, level, computer_seconds=computer, edit_seconds=edits)


def _whole(given: Mapping[str, str], name: str, unit: str, most: int, default: int, faults: list[str]) -> int:
    text = given.get(name, str(default))
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most:
        return int(text)
    faults.append(f"{name} is no whole number of {unit} from 0 to {most}.")
    return default


def _seconds(given: Mapping[str, str], name: str, default: float, faults: list[str]) -> float:
    try:
        seconds = float(given.get(name, default))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        faults.append(f"{name} is no number of seconds from 0 to 60.")
    return seconds


class Tree(discord.app_commands.CommandTree[discord.Client]):
    """The commands; a fault that no command of ours has answered is logged by its kind alone."""

    async def on_error(
        self, interaction: discord.Interaction[discord.Client], error: discord.app_commands.AppCommandError, /
    ) -> None:
        """discord.py's own handler would print the text of the exception, which could hold a hand."""
        cause = error.__cause__ or error
        log.error("fault in a command: %s", type(cause).__name__)


class Bot(commands.Bot):
    """The bot with its tables. Everything that needs a running loop is made in `setup_hook`."""

    def __init__(self, settings: Settings, now: Callable[[], float], steady: Callable[[], float]) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
        )
        self.settings = settings
        self._now = now
        self._steady = steady
        self.house: House | None = None
        self.clock: Clock | None = None
        self.digests: Digests | None = None
        self._database: Database | None = None
        self._backups: Backups | None = None
        self._sweep: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Open the database, put the parts together, and take up what the last run left. Raises DatabaseRefusal."""
        path = ROOT / self.settings.database
        in_memory = self.settings.database == ":memory:"
        database = self._database = await Database.open(":memory:" if in_memory else path)
        people = People(database)
        hours, facts, watch = PeopleHours(database), Facts(database), Watch(self._now, self._steady)
        matches = Matches(database)
        host = Host(matches, people, GAMES, watch.now, Servers(database), hours)
        lobby = Lobby(host, load(GAMES))
        desk = Desk(host, lobby)
        pace = Pace(edits=self.settings.edit_seconds, computer=self.settings.computer_seconds)
        publisher = Publisher(self, host, people, desk, pace)
        direct = DirectMessages(time.monotonic, self.settings.dm_seconds)
        company, limits = Company(host, lobby), Limits(self._steady if self.settings.limited else None)
        self.house = House(host, lobby, people, desk, publisher, direct, company, Which(host, desk), limits)
        self.digests = Digests(self, host, people, desk, publisher, self.settings.beat_seconds)
        departures = Departures(None if in_memory else path)
        privacy = Privacy(database, (matches.forget, people.forget, hours.forget), departures)
        await privacy.erase_again(int(self._now()))
        personal = PersonalData(self.house, privacy, self.settings.retention_days)
        seats = Seats(self, self.house, personal.sweep)
        self.clock = Clock(seats, hours, Deadlines(database), facts, watch, self.settings.beat_seconds)
        await self.add_cog(Tables(self, self.house))
        await self.add_cog(Games(self, self.house))
        await self.add_cog(seats)
        await self.add_cog(Cuts(self, self.house))
        await self.add_cog(self.clock)
        await self.add_cog(PersonalSettings(self.house, self.digests))
        await self.add_cog(Places(self.house))
        await self.add_cog(personal)
        await self.add_cog(Owners(self, self.house, database.health, version(), self._now))
        await self.tree.set_translator(Translator())
        await self._sync_commands(facts)
        desk.warm_up()
        await self.clock.start()
        self.digests.start()
        host.quarantine.told = publisher.changed
        self._sweep = asyncio.create_task(host.quarantine.sweep(), name="look through all matches")
        self._backups = Backups(database, path, 0 if in_memory else self.settings.backup_minutes, self._now)
        await self._backups.start()

    async def _sync_commands(self, facts: Facts) -> None:
        """Tell Discord the commands where they have changed: it takes 200 creations a day."""
        translator = self.tree.translator
        assert translator is not None
        payload = [await command.get_translated_payload(self.tree, translator) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps([self.application_id, payload], sort_keys=True).encode()).hexdigest()
        if await facts.get("commands") != digest:
            await self.tree.sync()
            await facts.put("commands", digest)

    async def on_ready(self) -> None:
        """Nothing depends on it: Discord sends it again whenever it likes."""
        # What lives from here on is small; full collections of all servers stop the loop. Those of the last time are
        # garbage by now, which would be frozen with the rest.
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        log.info("ready: %d servers", len(self.guilds))

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Log the kind of an exception, never its text: discord.py's own handler would print a hand."""
        kind = sys.exc_info()[0]
        log.error("fault in %s: %s", event_method, kind.__name__ if kind else "unknown")

    async def close(self) -> None:
        """Finish what is under way, then let go of the database."""
        if self._sweep is not None:
            self._sweep.cancel()
            await asyncio.gather(self._sweep, return_exceptions=True)
        if self._backups is not None:
            await self._backups.close()
        if self.clock is not None:
            await self.clock.close()
        if self.digests is not None:
            await self.digests.close()
        if self.house is not None:
            await self.house.finish()
            await self.house.publisher.close()
            self.house.desk.close()
        await super().close()
        if self._database is not None:
            await self._database.close()
            self._database = None


def version() -> str:
    """This program's own, as pyproject.toml says it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def create_bot(
    settings: Settings, now: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
) -> Bot:
    """The bot, not yet started. `now` gives seconds since 1970, `steady` seconds that only ever count on."""
    return Bot(settings, now, steady)


def invite_link(application: int) -> str:
    """The link that adds the bot to a server with exactly the permissions it needs."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


async def run(settings: Settings) -> None:
    """Run on Discord until a signal or a refusal ends it."""
    bot = create_bot(settings)
    loop = asyncio.get_running_loop()
    running = asyncio.create_task(_start(bot, settings.token or ""))
    for name in (signal.SIGINT, signal.SIGTERM):
        # discord.py leaves SIGTERM to Python, which ends without running a single `finally`.
        try:
            loop.add_signal_handler(name, running.cancel)
        except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt
            break
    try:
        await running
    except asyncio.CancelledError:
        log.info("stopped")


async def _start(bot: Bot, token: str) -> None:
    async with bot:
        await bot.login(token)
        log.info("invite link: %s", invite_link(bot.application_id or 0))
        try:
            await bot.connect()
        except AttributeError as error:
            # discord.py 2.7 trips over itself where the very first connection to the gateway fails.
            if bot.ws is not None:
                raise
            raise aiohttp.ClientError("no gateway") from error


def read_env_file(path: Path) -> dict[str, str]:
    """The settings of a `.env` file: lines NAME=value; blank lines and those that begin with # say nothing.

    Without the file there are none. Raises BadSettings where it cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings([f"{path} cannot be read, or is no text in UTF-8."]) from error
    found = {}
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        if sign and not name.lstrip().startswith("#"):
            found[name.strip()] = value.strip().strip("\"'")
    return found


def complain(line: str) -> None:
    """Say what is wrong to whoever starts the bot."""
    sys.stderr.write(f"{line}\n")


def bring_back(database: Path, chosen: str) -> int:
    """Put a backup in the database's place, say what was done, and give the exit code. Raises DatabaseRefusal."""
    done = restore(database, None if chosen == NEWEST else Path(chosen), datetime.now(UTC))
    for path, why in done.passed_over:
        complain(f"Passed over {path}: {why}.")
    complain(f"Restored {done.backup} to {database}.")
    for path in done.aside:
        complain(f"What was there before is kept: {path}")
    if done.damaged:
        complain(f"These tables in it are damaged and cannot be played on: {', '.join(map(str, done.damaged))}.")
    complain("Start the bot. Tables of which Discord shows later moves rest there until their players decide.")
    return 0


def _is_news(record: logging.LogRecord) -> bool:
    """Whether discord.py tells something: not that it cannot speak, or that a simulated server came without intents."""
    return "voice will NOT be supported" not in str(record.msg) and "Guilds intent seems" not in str(record.msg)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Gives the exit code: 0 ended or restored, 2 settings, 69 Discord out of reach, 74 database or
    backup damaged or gone, 75 in use, 78 too new, 77 token refused.
    """
    parser = argparse.ArgumentParser(description="Tabletop games in Discord.")
    parser.add_argument(
        "--restore",
        nargs="?",
        const=NEWEST,
        metavar="FILE",
        help="put a backup in the database's place, the newest if none is named; the bot must not run",
    )
    parser.add_argument("--local", action="store_true", help="play in the browser on a simulated Discord, no account")
    parser.add_argument("--port", type=int, default=8770, help="port of --local's start page (default 8770)")
    parser.add_argument(
        "--players", type=int, choices=range(1, 9), default=2, metavar="N", help="its people, 1 to 8 (default 2)"
    )
    parser.add_argument("--fresh", action="store_true", help="begin --local anew instead of going on")
    parser.add_argument(
        "--database", type=Path, default=ROOT / "data" / "local.db", help="database of --local (default data/local.db)"
    )
    options = parser.parse_args(arguments)
    try:
        written = read_env_file(ROOT / ".env")
        needs_token = not options.local and options.restore is None
        settings = Settings.from_env({**written, **os.environ}, needs_token=needs_token)
    except BadSettings as error:
        complain("The settings are not complete (see .env.example):")
        for fault in error.faults:
            complain(f"  {fault}")
        return BAD_SETTINGS
    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for chatty in ("discord", "aiosqlite"):  # at DEBUG these print tokens, hands and pledges
        logging.getLogger(chatty).setLevel(max(logging.INFO, logging.getLevelName(settings.log_level)))
    for source in ("discord.client", "discord.state"):
        logging.getLogger(source).addFilter(_is_news)
    for name in written.keys() - set(SETTINGS):
        log.warning("%s in .env is no setting of this program", name)
    try:
        if options.restore is not None:
            return bring_back(ROOT / settings.database, options.restore)
        if options.local:
            from cogs._local import play_locally

            path = options.database.absolute()
            local = replace(settings, database=str(path), backup_minutes=0, edit_seconds=0.3, dm_seconds=0.0)
            return asyncio.run(
                play_locally(
                    lambda now: create_bot(local, now, now), path, options.port, options.players, options.fresh
                )
            )
        asyncio.run(run(settings))
    except (DatabaseRefusal, BadDeck) as refusal:
        complain(str(refusal))
        return refusal.code if isinstance(refusal, DatabaseRefusal) else BAD_SETTINGS
    except discord.LoginFailure:
        complain("Discord refuses the token in DISCORD_TOKEN. Take a new one from the developer portal.")
        return TOKEN_REFUSED
    except (discord.HTTPException, aiohttp.ClientError) as error:
        # Only at the start: once connected, discord.py goes on trying by itself.
        complain(f"Discord cannot be reached: {error}. Try again later.")
        return UNREACHABLE
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
