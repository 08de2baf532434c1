"""The process: its version, its exit codes, the signals that end it, and its messages to systemd."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import signal
import socket
import threading
import tomllib
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

from cogs.runtime import logs

log = logging.getLogger("sundial")

ENDING = [signal.SIGINT, signal.SIGTERM]
"""The signals that end the bot in order. SIGHUP comes if the terminal of a bot started by hand is closed."""
if hasattr(signal, "SIGHUP"):  # Windows has none
    ENDING.append(signal.SIGHUP)
WATCHDOG_SECONDS = 15.0
"""Seconds between two messages to the watchdog; docs/sundial.service waits four times as long for one."""


class Exit(IntEnum):
    """The exit codes, after sysexits.h; docs/operating.md says what the operator does about each."""

    ENDED = 0
    FAULT = 1
    SETTINGS = 2
    NOT_OURS = 65
    OTHER_DATABASE = 66
    LOGIN = 67
    NO_SERVER = 68
    UNREACHABLE = 69
    NO_LOCKS = 70
    NO_ROOM = 71
    SHARDS = 72
    RIGHTS = 73
    DAMAGED = 74
    IN_USE = 75
    OLD_SERVER = 76
    TOKEN = 77
    TOO_NEW = 78
    PICTURES = 79
    INTERRUPTED = 130


@cache
def version(root: Path) -> str:
    """Return this program's version, from the pyproject.toml in `root`."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def process_name() -> str:
    """Return a name that no other process of the bot has: that of the machine, the number of the process there, and
    four random bytes, as both may come again. The log, the metrics and the database know the process by it.
    """
    machine = os.uname().nodename if hasattr(os, "uname") else "windows"
    return f"{re.sub('[^A-Za-z0-9.-]', '-', machine)[:40]}-{os.getpid()}-{secrets.token_hex(4)}"


def port_fault(host: str, port: int) -> str:
    """Return why no program can answer at that port now; "" if one can."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def end_on_signals(running: asyncio.Task[None], drain: Callable[[], Awaitable[None]]) -> None:
    """On a signal of `ENDING` drain, then cancel `running`. A second signal ends the process at once.

    discord.py leaves SIGTERM to Python, which ends without running a single `finally`.
    """
    loop = asyncio.get_running_loop()
    ending: list[asyncio.Task[None]] = []

    async def end() -> None:
        try:
            await drain()
        finally:
            running.cancel()

    def heard(number: signal.Signals) -> None:
        if ending:
            os._exit(128 + number)  # the code of a shell; committed data is safe, as after a crash
        log.info("%s: finishing what is under way", number.name)
        ending.append(asyncio.create_task(end(), name="end"))

    def hear(number: int, frame: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(heard, signal.Signals(number))

    for number in _heard():  # the loop's own handlers would go with the loop, before the process
        signal.signal(number, hear)


def end_early_on_signals() -> None:
    """Until `end_on_signals` listens, end in order on the other signals as on Ctrl-C, with a KeyboardInterrupt."""
    if threading.current_thread() is threading.main_thread():
        for number in _heard():
            signal.signal(number, signal.default_int_handler)


def _heard() -> list[signal.Signals]:
    """Return the signals of `ENDING` but those that are ignored, as nohup does with SIGHUP."""
    return [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]


class Service:
    """Sends systemd the messages of a service with Type=notify. `address`: its socket; empty without systemd."""

    def __init__(self, address: str) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._listens = True

    async def ready(self) -> None:
        """Say that the bot is connected. It may be said again."""
        self.tell("READY=1")

    def tell(self, state: str) -> None:
        """Send one line; log it once if systemd does not listen."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
                to.setblocking(False)
                to.sendto(state.encode(), self._address)
        except OSError as error:
            if self._listens:
                log.warning("systemd does not listen: %s. Look at Type and NotifyAccess of the unit", error)
            self._listens = False
        else:
            self._listens = True

    async def watch(self, lives: Callable[[], Awaitable[bool]], seconds: float = WATCHDOG_SECONDS) -> None:
        """Tell the watchdog every `seconds` that the bot `lives`; without that systemd restarts it."""
        while self._address:
            if await lives():
                self.tell("WATCHDOG=1")
            await asyncio.sleep(seconds)


async def run_until_signal(
    work: Coroutine[Any, Any, None],
    service: Service,
    lives: Callable[[], Awaitable[bool]],
    drain: Callable[[], Awaitable[None]],
) -> None:
    """Run `work` until it ends, or until a signal ends it after `drain`. Meanwhile tell `service` that the bot `lives`.

    Faults of tasks for which no other task waits are logged by their kind. Raises what `work` raises.
    """
    asyncio.get_running_loop().set_exception_handler(logs.report)
    watching = asyncio.create_task(service.watch(lives), name="watchdog")
    running = asyncio.create_task(work)
    end_on_signals(running, drain)
    try:
        await running
    except asyncio.CancelledError:
        log.info("stopped")
    finally:
        watching.cancel()
