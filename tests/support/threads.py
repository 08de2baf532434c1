"""Archived and locked threads of the simulated Discord, as Discord treats them; simcord takes them for any channel."""

from __future__ import annotations

import re
from typing import Any

import pytest
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.builders import ChannelHandle
from simcord.http import router

from tests.support.simulation import Simulation

ARCHIVED, FORBIDDEN, LOCKED = 50083, 50013, 160005
_PATH = re.compile(r"/channels/(\d+)(/messages(?:/\d+)?)?")


class Threads:
    """Refuses what Discord refuses a bot that does not manage threads: in an archived thread it may edit and delete
    nothing. A message that it sends there, or a request of its own, opens the thread, unless it is locked.
    """

    def __init__(self, sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
        self._sim = sim
        self._dispatch = router.dispatch
        self.refused: list[str] = []
        """The requests that were refused."""
        monkeypatch.setattr(router, "dispatch", self._asked)

    async def set(self, thread: ChannelHandle, **state: bool) -> None:
        """A moderator archives, locks or opens a thread, of which Discord tells the bot."""
        self._set(thread.id, **state)
        await self._sim.env.settle()

    def _set(self, thread: int, **state: bool) -> Any:
        backend = self._sim.env.backend
        channel = backend.channels[thread]
        for name, value in state.items():
            setattr(channel.thread_metadata, name, value)
        payload = dict(serializers.channel_payload(backend, channel))
        backend.emit("THREAD_UPDATE", payload)
        return payload

    def _asked(self, backend: Any, method: str, path: str, **how: Any) -> Any:
        found = _PATH.fullmatch(path)
        channel = backend.channels.get(int(found[1])) if found else None
        state = channel.thread_metadata if channel is not None else None
        if found is None or channel is None or state is None or method == "GET":
            return self._dispatch(backend, method, path, **how)
        if not found[2]:
            return self._refuse(method, path, 403, FORBIDDEN) if state.locked else self._set(channel.id, **how["json"])
        if state.archived and method != "POST":
            self._refuse(method, path, 400, ARCHIVED)
        if state.locked:
            self._refuse(method, path, 403, LOCKED)
        if state.archived:
            self._set(channel.id, archived=False)
        return self._dispatch(backend, method, path, **how)

    def _refuse(self, method: str, path: str, status: int, code: int) -> Any:
        self.refused.append(f"{method} {path}: {code}")
        raise BackendError(status, code, "refused")
