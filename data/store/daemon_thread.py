"""Runs long work in a thread that does not keep the process from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def run_in_daemon_thread(name: str, work: Callable[P, T], *given: P.args, **how: P.kwargs) -> T:
    """Like `asyncio.to_thread`, in a daemon thread of that name. A cancelled caller leaves the thread running."""
    done: Future[T] = Future()

    def run() -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            result = work(*given, **how)
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(result)

    Thread(target=run, name=name, daemon=True).start()
    return await asyncio.wrap_future(done)
