"""Make simcord faster: these tests make hundreds of thousands of presses.

simcord copies every payload with `copy.deepcopy`, though all payloads are JSON. It keeps a real timer in the loop for
each timer that the bot has cancelled, and searches all of them for each task that waits.
"""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import simcord.backend.serializers
import simcord.components
import simcord.gateway
import simcord.http.router
import simcord.results
from simcord.env import Env

SWEPT = 100
"""The number of new timers after which cancelled ones are removed."""
_PLAIN = {str, int, float, bool, type(None)}


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {key: _copied(part) for key, part in value.items()}
    if kind is list:
        return [_copied(part) for part in value]
    return copy.deepcopy(value)


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


def install() -> None:
    """Patch simcord in this process."""
    quick = SimpleNamespace(deepcopy=_copied)
    patch.object(simcord.gateway, "copy", quick).start()
    patch.object(simcord.http.router, "copy", quick).start()
    for module in (simcord.backend.serializers, simcord.components, simcord.results):
        patch.object(module, "deepcopy", _copied).start()
    schedule = Env._schedule_timer

    def _schedule_timer(env: Env, record: Any, *how: Any) -> None:
        schedule(env, record, *how)
        env.__dict__.setdefault("_timers", _Timers()).add(record)

    patch.object(Env, "_schedule_timer", _schedule_timer).start()
