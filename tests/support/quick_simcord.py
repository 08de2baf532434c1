"""Make simcord faster: these tests make hundreds of thousands of presses.

simcord copies every payload with `copy.deepcopy`, though all payloads are JSON and enums. It keeps a real timer in the
loop for each timer that the bot has cancelled, and searches all of them for each task that waits. After each press and
timer it asks of every task why it waits, though most wait for what they waited for the last time, and describes its own
state for each of them. While tasks go on it looks at them every 50 ms, and it waits in real time for what they wait
for. To tell the time it imports a name each time. And each new database needs the commands, which take as long to
translate as all else of a start; so each process translates them once, reads the folder of the cogs once, and makes no
objects of Discord's answer.
"""

from __future__ import annotations

import asyncio
import copy
import marshal
from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache
from math import inf
from operator import attrgetter
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import simcord.backend.serializers
import simcord.components
import simcord.env
import simcord.gateway
import simcord.http.router
import simcord.results
from discord import app_commands
from simcord import _dpy_internals, _runtime, _settlement
from simcord._dpy_internals import real_monotonic
from simcord._runtime import _CallbackRecord, _selected_env, _TaskRecord
from simcord._settlement import _park_reason, _recognized_wait
from simcord.env import Env

import bot
from cogs.transport import slash_commands
from data.store import database
from tests.support.inside import awaited_by, given_to, goes_on, has_sockets, is_sleep, scheduled

TURNS = 50
"""Turns of the loop after which simcord looks at the tasks, though they still go on."""
LONGEST = 10.0
"""Seconds of real time that are not waited for at once: what takes longer is another thread."""
SWEPT = 100
"""The number of new timers after which cancelled ones are removed."""
AHEAD = 2.0
"""Seconds of real time for which the answer that a task waits is kept."""


def _copied(value: Any) -> Any:
    try:
        return marshal.loads(marshal.dumps(value))
    except ValueError:  # not JSON alone: most often a kind, deep in it, is an enum
        if type(value) is dict:
            return {key: _copied(part) for key, part in value.items()}
        if type(value) is list:
            return [_copied(part) for part in value]
        return copy.deepcopy(value)


def _validated(validate: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that validates the components of a message as `validate` does, and the same ones once: each
    message is validated when it is sent and when it is kept, and most tests show the same ones.
    """

    @lru_cache(500)
    def dumped(components: bytes, flags: int) -> bytes:
        return marshal.dumps(validate(marshal.loads(components), flags=flags))

    def validated(components: Any, *, flags: int = 0) -> Any:
        try:
            return marshal.loads(dumped(marshal.dumps(components), flags))
        except ValueError:  # not valid, or not JSON alone
            return validate(components, flags=flags)

    return validated


class _Timers:
    """The timers that were set. From time to time the cancelled ones are removed from the loop."""

    def __init__(self) -> None:
        self._records: list[Any] = []
        self._next = SWEPT

    def add(self, record: Any) -> None:
        self._records.append(record)
        if len(self._records) < self._next:
            return
        for known in self._records:
            if known.handle is not None and known.handle.cancelled() and known.real_handle is not None:
                known.real_handle.cancel()
        self._records = [r for r in self._records if r.real_handle is not None and not r.real_handle.cancelled()]
        self._next = 2 * len(self._records) + SWEPT


class _Task(_TaskRecord):
    """What simcord knows of a task while it lasts, and what that waited for when it was last asked."""

    parked: tuple[Any, bool, float] | None = None
    """A future, whether time was advanced, and until when it waits at least."""
    plain: Any = None
    """A future that is no wait of discord.py."""


class _Waits:
    """Whether tasks wait, as simcord finds out. A task that waits for the same future as before is not asked again."""

    def __init__(self) -> None:
        self._is_parked, self._virtualize = _settlement._is_parked, _settlement._virtualize_recognized_waits
        self._timers: dict[int, Any] = {}
        """The timers of the last question by the number of what each is given: the future that it wakes, if it does."""

    def is_parked(self, state: Any, task: Any, deadline: float) -> bool:
        """Return whether the task waits at least until the deadline, as `_is_parked` does."""
        waiter = awaited_by(task)
        if waiter is None or waiter.done():
            return self._is_parked(state, task, deadline)
        record = state.work.tasks[task]
        known = record.parked
        if known is not None and known[0] is waiter and known[1] is state.advancing and deadline <= known[2]:
            return True
        if self._sleeps(state, waiter, deadline + AHEAD):  # most do
            reason: str | None = "sleep timer beyond settlement deadline"
        else:
            reason = _park_reason(state, task, deadline + AHEAD)
        if reason is None:
            return self._is_parked(state, task, deadline)
        if reason != "composed external wait":  # that changes with other tasks
            record.parked = waiter, state.advancing, deadline + AHEAD
        return True

    def _sleeps(self, state: Any, waiter: Any, deadline: float) -> bool:
        """Return whether the task that waits for this sleeps at least until the deadline, by its own timer alone. If
        that cannot be told, it is False, and all timers are to be looked at.
        """
        timer = self._timers.get(id(waiter))
        if timer is None or not (given := given_to(timer.handle)) or given[0] is not waiter:
            return False
        return is_sleep(timer.handle) and bool(_settlement._callback_fire_time(state, timer) > deadline)

    def virtualize(self, state: Any, pending: list[Any]) -> None:
        """Take the real timers from the waits of discord.py, as `_virtualize_recognized_waits` does. simcord does so
        right before it asks of these tasks whether they wait.
        """
        timed = (record for record in state.work.callbacks if record.when is not None and record.handle is not None)
        self._timers = {id(given[0]): record for record in timed if (given := given_to(record.handle))}
        for task in pending:
            waiter, record = awaited_by(task), state.work.tasks[task]
            if waiter is None or record.plain is not waiter:
                if waiter is not None and not _recognized_wait(state, task, waiter):
                    record.plain = waiter
                else:
                    self._virtualize(state, [task])


class _Asyncio:
    """asyncio as simcord uses it to wait until the bot has done its work: it looks again as soon as nothing goes on. If
    only a timer can go on, its time has come. Threads, programs and sockets take as long as they take.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def wait(self, tasks: Collection[Any], **how: Any) -> Any:
        alone = how.get("return_when") == asyncio.FIRST_COMPLETED and all(isinstance(t, asyncio.Task) for t in tasks)
        if not alone or not await _go_on():
            return await asyncio.wait(tasks, **how)
        return set(), set(tasks)

    async def sleep(self, seconds: float) -> None:
        if not seconds or not await _go_on():
            await asyncio.sleep(seconds)


async def _go_on() -> bool:
    """Let all that is ready go on for some turns, or the next timer ring. Return False if it is another thread or a
    program that can go on.
    """
    loop: Any = asyncio.get_running_loop()
    await asyncio.sleep(0)
    if goes_on(loop):  # what does may be all that was to
        for _ in range(TURNS):
            await asyncio.sleep(0)
            if not goes_on(loop):
                break
        return True
    early = min((timer.when() for timer in scheduled(loop) if not timer.cancelled()), default=inf) - loop.time()
    if early > LONGEST or has_sockets(loop):
        return False
    if not isinstance(loop.time, _Ahead):
        loop.time = _Ahead(loop.time)
    loop.time.ahead += max(0.0, early)
    return True


class _Ahead:
    """A loop's clock that is ahead of the real one by the times that were not waited for, in seconds."""

    def __init__(self, real: Callable[[], float]) -> None:
        self._real, self.ahead = real, 0.0

    def __call__(self) -> float:
        return self._real() + self.ahead


def _monotonic() -> float:
    """Return the time of the simulated Discord whose bot asks, else that of the machine, as `_clock_monotonic` does."""
    env = _selected_env(driver=False)
    return real_monotonic() if env is None else env._virtual_time


_parts = attrgetter("_work", "bot", "_loop", "_virtual_time", "_advancing", "_generation", "_last_dispatch")


def _described(describe: Callable[[Env], Any]) -> Callable[[Env], Any]:
    """Return a function that describes the state of a simulated Discord as `describe` does, and only if it changed."""

    def state(env: Env) -> Any:
        parts = _parts(env)
        known = vars(env).get("_described")
        if known is None or known[0] != parts:
            known = vars(env)["_described"] = parts, describe(env)
        return known[1]

    return state


def _listening(is_wait: Callable[..., bool]) -> Callable[..., bool]:
    """Return a function that tells as `is_wait` does whether a task waits for a listener, and looks only if one is."""
    return lambda client, task: bool(_dpy_internals.listener_futures(client)) and is_wait(client, task)


_payloads: dict[tuple[object, ...], dict[str, Any]] = {}
"""The commands as Discord gets them, by what they are made from."""


def _translated(translate: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Return a function that translates a command as `translate` does, once a process and set of texts."""

    async def payload(command: Any, tree: Any, texts: Any) -> dict[str, Any]:
        made_from = vars(slash_commands)["texts"], command.qualified_name, repr(command.allowed_installs)
        if made_from not in _payloads:
            _payloads[made_from] = await translate(command, tree, texts)
        return _payloads[made_from]

    return payload


_digests: dict[tuple[object, ...], str] = {}
"""The digests of the commands, by what they are made from."""


def _digested(digest: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str]]:
    """Return a function that returns what `digest` does, and makes it once a process, bot and set of payloads."""

    async def digest_of(tree: Any, application: int | None) -> str:
        payloads = [await command.get_translated_payload(tree, tree.translator) for command in tree.get_commands()]
        made_from = application, *map(id, payloads)
        if made_from not in _digests:
            _digests[made_from] = await digest(tree, application)
        return _digests[made_from]

    return digest_of


def install() -> None:
    """Patch simcord in this process."""
    patch.object(database, "HANGS", inf).start()  # the loop's clock is ahead; a server answers in real time
    patch.object(bot, "digest_of", _digested(slash_commands.digest_of)).start()
    patch.object(app_commands.tree, "AppCommand", lambda data, state: data).start()
    for kind in (app_commands.Command, app_commands.ContextMenu, app_commands.Group):
        patch.object(kind, "get_translated_payload", _translated(kind.get_translated_payload)).start()
    quick = SimpleNamespace(deepcopy=_copied)
    patch.object(simcord.gateway, "copy", quick).start()
    patch.object(simcord.http.router, "copy", quick).start()
    for module in (simcord.backend.serializers, simcord.components, simcord.results):
        patch.object(module, "deepcopy", _copied).start()
    patch.object(simcord.components, "validate_components", _validated(simcord.components.validate_components)).start()
    patch.object(_dpy_internals, "is_wait_for_listener", _listening(_dpy_internals.is_wait_for_listener)).start()
    patch.object(_CallbackRecord, "__eq__", object.__eq__).start()  # each is looked for in a list of all of them
    schedule = Env._schedule_timer

    def _schedule_timer(env: Env, record: Any, *how: Any) -> None:
        schedule(env, record, *how)
        env.__dict__.setdefault("_timers", _Timers()).add(record)

    patch.object(Env, "_schedule_timer", _schedule_timer).start()
    patch.object(Env, "_settlement_state", _described(Env._settlement_state)).start()
    patch.object(_runtime, "_TaskRecord", _Task).start()
    patch.object(_dpy_internals, "_clock_monotonic", _monotonic).start()
    patch.object(simcord.env, "asyncio", _Asyncio()).start()
    waits = _Waits()
    patch.object(simcord.env, "_is_parked", waits.is_parked).start()
    patch.object(simcord.env, "_virtualize_recognized_waits", waits.virtualize).start()
