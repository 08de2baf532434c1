"""What the simulated Discord of a month sends: channels, the server, the application, members, refusals."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import discord

from tests.month.messages import ALL, BOT, GUILD, OWNER, Channel
from tests.support import apicheck


def _readable(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return components as a history has them, without galleries, which would need addresses of pictures."""
    kept = [part for part in components if part["type"] != apicheck.GALLERY]
    return [{**p, "components": _readable(p["components"])} if "components" in p else p for p in kept]


class _Response:
    def __init__(self, status: int) -> None:
        self.status = status
        self.reason = "refused"
        self.headers: dict[str, str] = {}


def refuse(status: int, code: int) -> Any:
    """Raise what discord.py raises for such an answer."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    response: Any = _Response(status)
    raise kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "refused"})


def body_of(payload: Any, form: Any) -> Any:
    for part in form or ():
        if part["name"] == "payload_json":
            return json.loads(part["value"])
    return payload


def _stamp(instant: float) -> str:
    return datetime.fromtimestamp(instant, UTC).isoformat()


def _channel(channel: Channel) -> dict[str, Any]:
    if channel.user is not None:
        return {"id": str(channel.id), "type": 1}
    facts: dict[str, Any] = {"id": str(channel.id), "guild_id": str(GUILD), "name": "games", "permissions": ALL}
    if channel.parent is None:
        return {**facts, "type": 0, "position": 0, "permission_overwrites": [], "nsfw": False, "parent_id": None}
    times = {"auto_archive_duration": 10080, "archive_timestamp": _stamp(0)}
    archive = {"archived": channel.archived, "locked": channel.locked, **times}
    counts = {"message_count": 0, "member_count": 1, "owner_id": str(BOT)}
    return {**facts, **counts, "type": 11, "parent_id": str(channel.parent), "thread_metadata": archive}


def _guild() -> Any:
    lists = dict.fromkeys(
        ("features", "emojis", "stickers", "members", "channels", "threads", "presences", "voice_states"), ()
    )
    role = {"id": str(GUILD), "name": "@everyone", "permissions": ALL, "position": 0, "color": 0, "colors": {}}
    flags = {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    levels = {"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0}
    facts = {
        "id": str(GUILD),
        "name": "Forest",
        "owner_id": str(OWNER),
        "member_count": 9,
        "roles": [{**role, **flags}],
    }
    return {**facts, **levels, **{name: [] for name in lists}, "premium_tier": 0, "preferred_locale": "en-US"}


def _application(user: dict[str, Any]) -> dict[str, Any]:
    facts = {"name": "Sundial", "icon": None, "description": "", "bot_public": True, "bot_require_code_grant": False}
    return {"id": str(BOT), **facts, "verify_key": "0" * 64, "owner": user, "flags": 0, "team": None, "bot": user}


def _member(user: dict[str, Any]) -> dict[str, Any]:
    joined = "2026-01-01T00:00:00+00:00"
    return {"user": user, "roles": [], "joined_at": joined, "deaf": False, "mute": False, "flags": 0}
