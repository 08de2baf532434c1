"""The bot as a process: the codes it ends with, the signals that end it, and what it tells systemd."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from enum import IntEnum

log = logging.getLogger("sundial")

WATCHDOG_SECONDS = 15.0
"""Between two signs of life; docs/sundial.service waits four times as long for one."""


class Exit(IntEnum):
    """What the process ends with, after sysexits.h; docs/operating.md says what each asks of the owner."""

    ENDED = 0
    FAULT = 1
    SETTINGS = 2
    UNREACHABLE = 69
    DATABASE = 74
    IN_USE = 75
    TOKEN = 77
    TOO_NEW = 78


def end_on_signals(running: asyncio.Task[None], drain: Callable[[], Awaitable[None]]) -> None:
    """At SIGTERM or SIGINT drain, then cancel `running`. A second signal ends the process there and then.

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
            os._exit(128 + number)  # as a shell says it; what is committed is safe, as after a crash
        log.info("%s: finishing what is under way", number.name)
        ending.append(asyncio.create_task(end(), name="end"))

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, heard, number)
        except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt
            return


class Service:
    """What systemd wants to know of a service with Type=notify. `address`: its socket; empty without systemd."""

    def __init__(self, address: str) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    async def ready(self) -> None:
        """The bot is connected. To say it again does no harm."""
        self.tell("READY=1")

    def tell(self, state: str) -> None:
        """Send one line; systemd not listening is no reason to stop."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
                to.setblocking(False)
                to.sendto(state.encode(), self._address)
        except OSError as error:
            log.warning("systemd does not listen: %s", error)

    async def watch(self, lives: Callable[[], Awaitable[bool]], seconds: float = WATCHDOG_SECONDS) -> None:
        """Give signs of life as long as the bot `lives`: without them systemd starts it anew."""
        while self._address:
            if await lives():
                self.tell("WATCHDOG=1")
            await asyncio.sleep(seconds)
