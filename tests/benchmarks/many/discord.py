"""A Discord with very many servers. Only those with a table are in its world; the others are announced, and no more.

What it tells of a server is what Discord tells a bot that asks for no members and presences: the server itself with its
roles, channels, emoji, threads, and the bot as its only member. It counts the requests that Discord counts.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from ssl import SSLContext
from time import perf_counter
from types import SimpleNamespace
from typing import Any

from aiohttp import web
from simcord.backend.models import Message

from tests.benchmarks.many.matches import Crowd
from tests.process.loopback import Loopback

PER_SHARD, SHARDS = 2_500, 40
"""Servers of a shard at most, by Discord's rule; and the number of shards, also in smaller runs."""
BUCKETS = 16
"""Shards that may begin a session at once, as Discord grants to large bots."""
FIRST = 1 << 22
"""The least id of a server; the next one's is that much larger, and belongs to the next shard."""
FREE = re.compile(r"/interactions/\d+/[^/]+/callback|/webhooks/\d+/[^/]+")
"""What Discord does not count among the 50 requests a second."""
TOKEN = re.compile(r"/(?:[0-9]{5,}|[A-Za-z0-9_.=-]{24,})")
FORGET = 5.0
"""Seconds between two times that this Discord forgets what it has recorded for tests."""
COMPONENTS_V2, BITS = 1 << 15, "0123456789abcdef"
PERMISSIONS, READS = str(0x1FFFFFFFFFF), "1024"


def server_id(number: int) -> int:
    """Return the id of a server, numbered from 0."""
    return FIRST * (1 + number)


def announced(number: int, bot: int) -> dict[str, Any]:
    """Return what GUILD_CREATE tells of a small server: 8 roles, 12 channels, 10 emoji, 1 thread."""
    guild = server_id(number)
    ids = [str(guild + at) for at in range(1, 64)]
    name = f"Harbour {number}"
    roles = [
        {
            **{"id": str(guild) if at == 0 else ids[at], "name": "@everyone" if at == 0 else f"Crew {at}"},
            **{"description": None, "permissions": PERMISSIONS, "position": at, "color": 3447003, "hoist": at % 2 == 1},
            **{"managed": at == 1, "mentionable": False, "icon": None, "unicode_emoji": None, "flags": 0},
            "colors": {"primary_color": 3447003, "secondary_color": None, "tertiary_color": None},
        }
        for at in range(8)
    ]
    channels = [
        {
            **{
                "id": ids[20 + at],
                "type": 4 if at < 3 else 2 if at > 8 else 0,
                "name": f"channel {at}",
                "position": at,
            },
            **{"parent_id": None if at < 3 else ids[20 + at % 3], "flags": 0, "version": 1700000000000 + at},
            **({"topic": f"What channel {at} is for", "last_message_id": ids[40], "nsfw": False} if 2 < at < 9 else {}),
            **({"bitrate": 64000, "user_limit": 0, "rtc_region": None} if at > 8 else {"rate_limit_per_user": 0}),
            "permission_overwrites": [
                {"id": roles[role]["id"], "type": 0, "allow": READS, "deny": "2048"} for role in range(at % 3)
            ],
        }
        for at in range(12)
    ]
    emoji = {"require_colons": True, "managed": False, "animated": False, "available": True, "roles": []}
    thread = {
        **{"id": ids[50], "guild_id": str(guild), "parent_id": ids[24], "owner_id": ids[60], "type": 11},
        **{"name": "A thread", "last_message_id": ids[51], "message_count": 12, "member_count": 3, "flags": 0},
        **{"rate_limit_per_user": 0, "total_message_sent": 12},
        "thread_metadata": {
            **{"archived": False, "archive_timestamp": "2026-01-01T00:00:00+00:00", "auto_archive_duration": 4320},
            **{"locked": False, "create_timestamp": "2026-01-01T00:00:00+00:00"},
        },
    }
    member = {
        **{"user": {"id": str(bot), "username": "sundial", "discriminator": "0", "avatar": None, "bot": True}},
        **{"roles": [ids[1]], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0},
        **{"nick": None, "avatar": None, "banner": None, "premium_since": None, "pending": False},
    }
    return {
        **{"id": str(guild), "name": name, "owner_id": ids[60], "icon": BITS * 2, "splash": None, "banner": None},
        **{"discovery_splash": None, "description": None, "afk_channel_id": None, "afk_timeout": 300, "mfa_level": 0},
        **{"verification_level": 1, "default_message_notifications": 1, "explicit_content_filter": 2, "nsfw_level": 0},
        **{"premium_tier": 0, "premium_subscription_count": 2, "preferred_locale": "en-US", "nsfw": False},
        **{"system_channel_id": ids[23], "system_channel_flags": 0, "rules_channel_id": ids[24], "large": False},
        **{"public_updates_channel_id": ids[25], "safety_alerts_channel_id": None, "vanity_url_code": None},
        **{"application_id": None, "max_members": 25_000_000, "max_video_channel_users": 25, "member_count": 60},
        **{"features": ["COMMUNITY", "NEWS"], "joined_at": member["joined_at"], "unavailable": False, "lazy": True},
        **{"premium_progress_bar_enabled": False, "hub_type": None, "home_header": None, "incidents_data": None},
        **{"max_stage_video_channel_users": 50, "latest_onboarding_question_id": None, "version": 1700000000000},
        **{"members": [member], "roles": roles, "channels": channels, "threads": [thread], "presences": []},
        **{"emojis": [{**emoji, "id": ids[30 + at], "name": f"face{at}"} for at in range(10)], "stickers": []},
        **{"voice_states": [], "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": []},
        **{"activity_instances": [], "embedded_activities": [], "application_command_counts": {"1": 20}},
    }


class ManyServers(Loopback):
    """The Discord. `servers`: how many servers the bot is in. `shards`: how many it recommends."""

    def __init__(self, servers: int, encryption: SSLContext | None = None, shards: int = SHARDS) -> None:
        super().__init__(encryption)
        self.servers = servers
        self.shards = max(shards, -(-servers // PER_SHARD))
        self.limit |= {"max_concurrency": BUCKETS, "total": 2_000, "remaining": 2_000}
        self.identify_gap = 5.0
        self.counted: deque[float] = deque()
        """When each request came that Discord counts."""
        self.kinds: Counter[str] = Counter()
        """All requests, by method and kind of path."""
        self.limited = 0
        """Answers 429."""

    async def __aenter__(self) -> ManyServers:
        await super().__aenter__()
        self._forgetting = asyncio.create_task(self._forget())
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._forgetting.cancel()
        await asyncio.gather(self._forgetting, return_exceptions=True)
        await super().__aexit__(*exc)

    async def _forget(self) -> None:
        """Forget what tests want to see and a long run has no room for. Who reads `answered` must be quicker."""
        while True:
            await asyncio.sleep(FORGET)
            self.requests.clear()
            self.answered.clear()
            self.backend.transcript.clear()
            self.backend.http_requests.clear()
            self.backend.cdn = type(self.backend.cdn)()
            self._nonces.clear()
            while self.counted and self.counted[0] < perf_counter() - 600:
                self.counted.popleft()

    def settle(self, matches: int, people: int) -> Crowd:
        """Make the people, and servers with a channel each: one for each match, if there are as many. Return them:
        `show` makes the messages.
        """
        backend, places, homes = self.backend, [], min(matches, self.servers)
        users = [backend.make_user(f"person{at}").id for at in range(people)]
        for home in range(homes):
            number = home * self.servers // homes
            guild = backend.create_guild(f"Harbour {number}", id=server_id(number), owner_id=users[home % people])
            places.append((guild.id, backend.create_channel(guild.id, "games").id))
            backend.transcript.clear()
        return Crowd([(user, backend.get_dm_channel(user).id) for user in users], places)

    def show(self, channel: int, message: int) -> None:
        """Make a message of the bot, whose content is not known: the bot edits it when it changes."""
        backend = self.backend
        text = [{"type": 10, "id": 1, "content": "…"}]
        backend.messages[channel][message] = Message(
            message, channel, backend.bot_user.id, timestamp=backend.now_iso(), flags=COMPONENTS_V2, components=text
        )

    # The gateway.

    def _announce(self, session: SimpleNamespace) -> None:
        number, total = session.shard
        mine = [at for at in range(self.servers) if (1 + at) % total == number]
        guilds = [{"id": str(server_id(at)), "unavailable": True} for at in mine]
        session.send(0, self._ready(session, guilds), "READY")
        session.telling = asyncio.create_task(self._tell(session, mine))

    @property
    def has_told_all(self) -> bool:
        """Whether all sessions have got all their servers."""
        return all(session.telling.done() and session.queue.empty() for session in self.sessions)

    async def _tell(self, session: SimpleNamespace, mine: list[int]) -> None:
        """Tell of one server after the other. Nothing is kept to resume from: the texts are long."""
        for text in self._created(session, mine):
            session.queue.put_nowait(text)
            await asyncio.sleep(0)

    def _created(self, session: SimpleNamespace, mine: list[int]) -> Iterator[str]:
        for at in mine:
            session.sequence += 1
            data = announced(at, self.backend.bot_user.id)
            yield json.dumps({"op": 0, "d": data, "s": session.sequence, "t": "GUILD_CREATE"})

    # The requests.

    async def answer_rest(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        if not FREE.match(path):
            self.counted.append(perf_counter())
        self.kinds[f"{request.method} {TOKEN.sub('/…', path)}"] += 1
        answer = await super().answer_rest(request)
        self.limited += answer.status == 429
        return answer


def most_in_a_second(instants: deque[float], since: float, until: float) -> int:
    """Return the most instants in any second of that span."""
    window: deque[float] = deque()
    most = 0
    for at in instants:
        if not since <= at <= until:
            continue
        window.append(at)
        while window[0] <= at - 1.0:
            window.popleft()
        most = max(most, len(window))
    return most
