"""The command line of `python bot.py`: its options, what it prints for the operator, and its exit codes.

It knows neither Discord nor the bot: `main` gets what runs the bot and what explains their errors as functions.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TextIO

from cogs.runtime import logs
from cogs.runtime.process import Exit, end_early_on_signals, version
from cogs.runtime.settings import BadSettings, Settings, exposed, read_env_file, unknown_names
from data.content.decks import BadDeck
from data.records.shards import StoredShards
from data.store.backups import restore
from data.store.database import FULL, CommitUnknown, Database, DatabaseRefusal, NotStored
from data.store.schema import mark_restored

log = logging.getLogger("sundial")

NEWEST = "newest"
"""The value of `--restore` without a file: the newest backup that is whole."""

LOCAL = ("port", "players", "fresh", "postgresql", "database")
"""The options of `--local` alone."""

START = "Start the bot. Tables of which Discord shows later moves rest there until their players decide."

LOST = {
    **dict.fromkeys(FULL, Exit.NO_ROOM),
    **dict.fromkeys(("SQLITE_READONLY", "ReadOnlySqlTransaction", "InsufficientPrivilege"), Exit.RIGHTS),
    **dict.fromkeys(("SQLITE_BUSY", "SQLITE_LOCKED"), Exit.IN_USE),
}
"""The exit codes if the database fails during the start, by the kind of the error; else its server is out of reach."""

Run = Callable[[Settings], Coroutine[Any, Any, None]]
"""Runs the bot on Discord until a signal ends it."""
Play = Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int]]
"""Runs the bot on a simulated Discord, with the options of `--local`. Returns the exit code."""
Check = Callable[[Settings, Path, Callable[[str], None]], Coroutine[Any, Any, Exit]]
"""Examines all that a start needs, in that folder, and says a line about each part. Returns the exit code."""
Move = Callable[[Settings, Path, str, Callable[[str], None]], Exit]
"""Moves all that is stored from the database of the settings, in that folder, to another engine, and says a line about
each part. Returns the exit code.
"""
Explain = Callable[[Exception], tuple[Exit, str] | None]
"""Returns the exit code for an error of Discord or of pictures, and a sentence for the operator; None for any other."""


def main(
    arguments: Sequence[str] | None, *, root: Path, run: Run, play: Play, check: Check, move: Move, explain: Explain
) -> int:
    """Do what the arguments say and return the exit code, one of `Exit`. `root`: the folder of `.env` and the database.

    Raises SystemExit for wrong arguments and for `--help`.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as Python does with stderr
    parser = _parser(root)
    options = parser.parse_args(arguments)
    if not options.local and any(vars(options)[name] != parser.get_default(name) for name in LOCAL):
        parser.error(f"{', '.join(f'--{name}' for name in LOCAL)} belong to --local")
    end_early_on_signals()
    try:
        return _obey(options, root, run, play, check, move, explain)
    except KeyboardInterrupt:
        command = options.check or options.restore is not None or options.target is not None
        return Exit.INTERRUPTED if command else Exit.ENDED


def _obey(
    options: argparse.Namespace, root: Path, run: Run, play: Play, check: Check, move: Move, explain: Explain
) -> int:
    written: dict[str, str] = {}
    try:
        written = read_env_file(root / ".env")
        needs_token = not options.local and options.restore is None
        settings = Settings.from_env({**written, **os.environ}, needs_token=needs_token)
    except BadSettings as error:
        told = [*error.faults, *unknown_names(written)]
        if not (root / ".env").exists() and (root / ".env.txt").exists():  # so Windows' own editor saves it
            told.append("The file .env.txt is not read. Its name must be .env, without .txt.")
        return _print_faults(BadSettings(told))
    logs.set_up(settings.log_level, settings.log_format, settings.token)
    for sentence in unknown_names(written):
        log.warning("%s", sentence)
    if not options.check and (sentence := exposed(root / ".env", {**written, **os.environ})):
        log.warning("%s", sentence)
    try:
        if options.restore is not None:
            if settings.database_url is not None:
                return asyncio.run(_mark_restored(settings, options.restore))
            return _restore(root / settings.database, options.restore)
        if options.local:
            path = str(options.database.absolute())
            # No workers: before each step simcord waits until the bot waits only for people, and it takes a worker
            # without a job for work.
            quick = replace(settings, edit_seconds=0.3, dm_seconds=0.0, workers=0)
            local = replace(quick, token=None, database=path, backup_minutes=0)
            return asyncio.run(play(local, options))
        if options.target is not None:
            return move(settings, root, options.target, _say)
        if options.check:
            return asyncio.run(check(settings, root, _say))
        asyncio.run(run(settings))
    except Exception as error:
        return end_with(error, explain)
    return Exit.ENDED


def end_with(error: Exception, explain: Explain) -> Exit:
    """Print one line about why the bot ends, and return the exit code. A fault of the program is logged instead."""
    if isinstance(error, BadSettings):
        return _print_faults(error)
    if isinstance(error, DatabaseRefusal):
        _print(str(error))
        return Exit(error.code)
    if isinstance(error, (NotStored, CommitUnknown)):
        _print(f"The database was lost while the bot started: {error}.")
        return LOST.get(error.kind, Exit.NO_SERVER)
    if isinstance(error, BadDeck):
        _print(str(error))
        return Exit.SETTINGS
    explained = explain(error)
    if explained is None:
        log.critical("a fault of the program: %s", error, exc_info=error)
        return Exit.FAULT
    code, sentence = explained
    _print(sentence)
    return code


class _Parser(argparse.ArgumentParser):
    """A parser that does not print a token given by mistake: every user of the machine can read arguments."""

    def error(self, message: str) -> NoReturn:
        super().error(logs.redact(message))


def _parser(root: Path) -> _Parser:
    parser = _Parser(description="Tabletop games in Discord.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--restore",
        nargs="?",
        const=NEWEST,
        metavar="FILE",
        help="put a backup in the database's place, the newest if none is named; the bot must not run. With "
        "DATABASE_URL: note that the database was restored by the tools of PostgreSQL",
    )
    what.add_argument(
        "--move-to",
        dest="target",
        metavar="WHERE",
        help="move everything to this PostgreSQL database, postgresql://…, or with DATABASE_URL to this new file; the "
        "bot must not run",
    )
    parser.add_argument("--version", action="version", version=version(root))
    what.add_argument("--check", action="store_true", help="say what would fail at the start, and change nothing")
    what.add_argument("--local", action="store_true", help="play in the browser on a simulated Discord, no account")
    parser.add_argument("--port", type=int, default=8770, help="port of --local's start page (default 8770)")
    parser.add_argument(
        "--players", type=int, choices=range(1, 9), default=2, metavar="N", help="its people, 1 to 8 (default 2)"
    )
    parser.add_argument("--fresh", action="store_true", help="delete the stored matches of --local first")
    parser.add_argument(
        "--postgresql", action="store_true", help="--local on a PostgreSQL server of its own, gone at the end"
    )
    parser.add_argument(
        "--database", type=Path, default=root / "data" / "local.db", help="database of --local (default data/local.db)"
    )
    return parser


def _say(line: str) -> None:
    _write(sys.stdout, line)


def _print(line: str) -> None:
    _write(sys.stderr, line)


def _write(to: TextIO | None, line: str) -> None:
    """Write a line, if the stream is open: what the command does, and its exit code, do not depend on a reader."""
    if to is None:  # it was closed before the start
        return
    try:
        to.write(f"{logs.redact(line)}\n")
        to.flush()
    except OSError:  # the pipe is closed or the disk is full; Python would try again at the end, and end with 120
        os.dup2(os.open(os.devnull, os.O_WRONLY), to.fileno())


def _print_faults(error: BadSettings) -> Exit:
    _print("Settings are missing or wrong (see .env.example):")
    for fault in error.faults:
        _print(f"  {fault}")
    return Exit.SETTINGS


async def _mark_restored(settings: Settings, chosen: str) -> Exit:
    """Note that the operator has restored a PostgreSQL database, and return the exit code. Raises DatabaseRefusal, also
    if a file is chosen or a bot runs: its matches would rest once another process starts.
    """
    assert settings.database_url is not None
    if chosen != NEWEST:
        why = "With DATABASE_URL, --restore takes no file: restore with PostgreSQL's own tools first."
        raise DatabaseRefusal(f"{why} Nothing was changed.", Exit.SETTINGS)
    database = await Database.open(settings.database_url)
    try:
        if (await StoredShards(database, "").others())[1]:
            raise DatabaseRefusal("A bot runs on the PostgreSQL database. Stop it first.", Exit.IN_USE)
        await database.write(mark_restored)
    finally:
        await database.close()
    _print("Noted: the PostgreSQL database was restored by its own tools.")
    _print(START)
    return Exit.ENDED


def _restore(database: Path, chosen: str) -> Exit:
    """Put a backup in the database's place, print what was done, and return the exit code. Raises DatabaseRefusal."""
    done = restore(database, None if chosen == NEWEST else Path(chosen), datetime.now(UTC))
    for path, why in done.passed_over:
        _print(f"Passed over {path}: {why}.")
    _print(f"Restored {done.backup} to {database}.")
    for path in done.aside:
        _print(f"What was there before is kept: {path}")
    if done.damaged:
        _print(f"These tables in it are damaged and cannot be played on: {', '.join(map(str, done.damaged))}.")
    _print(START)
    return Exit.ENDED
