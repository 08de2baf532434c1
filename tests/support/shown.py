"""What people see of a message: its words, its controls, and what these offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from tests.support import apicheck

BUTTON, SELECT = apicheck.BUTTON, apicheck.SELECT


@dataclass(frozen=True, slots=True)
class Shown:
    """What one request showed. `viewer` is the id of the user who sees it; None: all members of the channel."""

    viewer: int | None
    method: str
    channel: int
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return "\n".join(words(self.body))

    @property
    def all_text(self) -> str:
        return "\n".join([*words(self.body), *controls(self.body)])


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice that a message offers: a button, or an option of a select (then with its value)."""

    action: str
    custom_id: str
    value: str | None
    label: str


def raw(message: discord.Message) -> dict[str, Any]:
    """Return a message as the dictionaries that a client gets."""
    return {"content": message.content, "components": [part.to_dict() for part in message.components]}


def words(body: dict[str, Any]) -> list[str]:
    """Return the readable texts of a body: contents, texts, alt texts."""
    found = [body.get("content") or ""]
    for part in apicheck.components(body):
        if part["type"] == apicheck.TEXT:
            found.append(part["content"])
        elif part["type"] == apicheck.GALLERY:
            found += [item.get("description") or "" for item in part["items"]]
    return found


def controls(body: dict[str, Any]) -> list[str]:
    """Return the texts of a body's controls: ids, labels, hints, options."""
    found = []
    for part in apicheck.components(body):
        if part["type"] in (BUTTON, SELECT) and "custom_id" in part:
            found += [part["custom_id"], part.get("label") or part.get("placeholder") or ""]
            for option in part.get("options", ()):
                found += [option["label"], option["value"], option.get("description") or ""]
    return found


def offers(body: dict[str, Any] | discord.Message) -> list[Offer]:
    """Return the moves, and steps towards a move, that a hand offers; the way back does not count."""
    found = []
    for part in apicheck.components(raw(body) if isinstance(body, discord.Message) else body):
        custom_id = part.get("custom_id", "")
        action = custom_id.split("/")[2] if custom_id.startswith("1/") else ""
        if part["type"] == BUTTON and action in ("move", "path") and not custom_id.endswith("/"):
            found.append(Offer(action, custom_id, None, part["label"]))
        elif part["type"] == SELECT and action == "pick":
            for option in part["options"]:
                step = {"m": "move", "p": "path"}[option["value"][0]]
                found.append(Offer(step, custom_id, option["value"], option["label"]))
    return found
