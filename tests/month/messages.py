"""What the simulated Discord of a month keeps: messages, presses, channels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.support import apicheck

GUILD, BOT, OWNER = 1000, 2000, 3000
NONCE = 300
"""Seconds for which a nonce returns the message that was made with it."""
TOKEN_LIFE = 15 * 60.0
"""Seconds for which the answers to an interaction can be edited."""
EPHEMERAL, SILENT = apicheck.EPHEMERAL, apicheck.SILENT
ALL = str((1 << 50) - 1)
_TABLE = re.compile(r"1/(\d+)/")
_LINK = re.compile(r"/channels/\d+/(\d+)(?:/(\d+))?")


@dataclass(slots=True)
class Message:
    """A message. `viewer`: the only user who sees it; None: all members of the channel."""

    id: int
    channel: int
    body: dict[str, Any]
    viewer: int | None = None
    ephemeral: bool = False
    deleted: bool = False
    known: bool = False
    """The bot has received the answer to its sending."""
    _ids: list[str] | None = None

    def show(self, body: dict[str, Any]) -> None:
        """Replace the content, or parts of it."""
        self.body, self._ids = {**self.body, **body}, None

    @property
    def ids(self) -> list[str]:
        """Return the ids of its enabled buttons and selects."""
        if self._ids is None:
            parts = apicheck.components(self.body)
            self._ids = [part["custom_id"] for part in parts if "custom_id" in part and not part.get("disabled")]
        return self._ids

    @property
    def text(self) -> str:
        parts = [part.get("content", "") for part in apicheck.components(self.body)]
        return "\n".join([self.body.get("content") or "", *parts])

    @property
    def match(self) -> int | None:
        found = (_TABLE.match(custom_id) for custom_id in self.ids)
        return next((int(number[1]) for number in found if number is not None and number[1] != "0"), None)


@dataclass(slots=True)
class Press:
    """An interaction: its user, its channel, and its answer."""

    user: int
    channel: int
    source: Message | None = None
    answer: Message | None = None
    loading: bool = False
    acknowledged: bool = False


@dataclass(slots=True)
class Channel:
    id: int
    parent: int | None = None
    user: int | None = None
    messages: dict[int, Message] = field(default_factory=dict)
    archived: bool = False
    """A thread in which nothing can be edited or deleted, until someone writes there or opens it."""
    locked: bool = False
    """A thread in which the bot, which does not manage threads, can do nothing."""
