"""A fake Discord with what the publisher needs: messages that are sent, edited, deleted, and requests that fail.

It takes the place of the bot's client. A plain message builder comes with it, which writes only facts: what a post must
show is then one line, and tests compare the post with that line.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.match.quarantine import Fault
from cogs.match.service import MatchService
from cogs.messages import end, hand, lobby, table
from cogs.messages.content import Content, Id
from cogs.messages.end import END
from cogs.transport import hand_messages
from data.content.texts import DEFAULT, language, texts
from data.records.match import Match
from data.records.people import Person
from data.records.post import TablePost
from rendering.core.labels import Labels
from rules.core.game import Seat

OVER = "over"
"""Stands in place of a turn in the hand at a match that has ended."""
NONCE_SECONDS = 300
"""Seconds for which Discord recognises a nonce."""


@dataclass(frozen=True)
class Notification:
    """A new message with a notification: a direct message (`private`), or a message that mentions these users."""

    channel: int
    private: bool
    users: tuple[int, ...]
    text: str
    at: int
    """The time, by the bot's clock."""


CONTROLS = {
    "table": [("hand", "")],
    "lobby": [("hand", "")],
    "end": [("again", END)],
    "call": [("take", "")],
    "hand": [("last", ""), ("log", ""), ("rules", "")],
}
"""What each kind of message offers, as action and rest."""


class FakeDiscord:
    """Channels and the messages in them. `clock` counts seconds; `now` is the time of day that the bot uses."""

    def __init__(self, guild: int, clock: Callable[[], float], now: Callable[[], int]) -> None:
        self.guild = guild
        self._clock = clock
        self._now = now
        self.user = SimpleNamespace(name="the bot")
        self.notifications: list[Notification] = []
        """Messages that have pinged a user since the test last emptied this list."""
        self.in_server = True
        """Whether the bot is in the server."""
        self.failing = ""
        """How each request fails: "" not at all, "down" before Discord carries it out, "lost" after it."""
        self.deleted: set[int] = set()
        """Channels and threads that were deleted."""
        self.threads: set[int] = set()
        self.messages: dict[tuple[int, int], str] = {}
        """The text of each message, by channel and id."""
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}
        self._last = 1_000_000

    def get_guild(self, guild: int) -> object | None:
        return SimpleNamespace(id=guild) if self.in_server else None

    async def fetch_guild(self, guild: int, **_: Any) -> object:
        self.begin(None)
        return SimpleNamespace(id=guild)

    def get_partial_messageable(self, channel: int, *, guild_id: int | None = None, type: Any = None) -> Channel:  # noqa: A002
        return Channel(self, channel, guild_id)

    def begin(self, channel: int | None, public: bool = True) -> None:
        """Begin a request: raise the error that Discord would answer with."""
        if self.failing == "down":
            raise http_error(503, 0)
        if public and not self.in_server:
            raise http_error(403, 50001)
        if channel in self.deleted:
            raise http_error(404, 10003)

    def finish(self) -> None:
        """End a request: its answer may be lost."""
        if self.failing == "lost":
            raise http_error(502, 0)

    def new_id(self) -> int:
        self._last += 1
        return self._last

    def message_with(self, channel: int, nonce: str) -> int | None:
        """Return the message that was sent with that nonce less than NONCES seconds ago, or None."""
        at, message = self._nonces.get((channel, nonce), (-NONCE_SECONDS, 0))
        return message if self._clock() - at < NONCE_SECONDS and (channel, message) in self.messages else None

    def history_entry(self, channel: int, message: int) -> SimpleNamespace:
        """Return a message as a channel's history has it, with controls that name its match. Its time is now."""
        text = self.messages[channel, message]
        shown = re.match(r"(table|lobby|end|call|hand) (\d+) ", text)
        offered = CONTROLS[shown[1]] if shown else ()
        controls = (
            [{"custom_id": str(Id(int(shown[2]), action, rest=rest))} for action, rest in offered] if shown else []
        )
        parts = [SimpleNamespace(to_dict=lambda control=control: control) for control in controls or [{}]]
        sent = datetime.fromtimestamp(self._now(), UTC)
        facts = {"id": message, "created_at": sent, "author": self.user, "content": text}
        return SimpleNamespace(**facts, components=parts, pinned=False)

    def notify(self, channel: int, private: bool, users: tuple[int, ...], text: str) -> None:
        self.notifications.append(Notification(channel, private, users, text, self._now()))

    def store(self, channel: int, nonce: str, text: str) -> int:
        message = self.new_id()
        self.messages[channel, message] = text
        self._nonces[channel, nonce] = self._clock(), message
        return message


class Channel:
    """A channel by its number, as discord.py's partial one."""

    def __init__(self, fake: FakeDiscord, number: int, guild: int | None) -> None:
        self.fake, self.number, self.public = fake, number, guild is not None

    async def send(
        self,
        content: str = "",
        *,
        nonce: str,
        view: Any = None,
        silent: bool = False,
        allowed_mentions: Any = None,
        **_: Any,
    ) -> SimpleNamespace:
        self.fake.begin(self.number, self.public)
        message = self.fake.message_with(self.number, nonce)
        if message is None:
            text = content if view is None else text_of(view)
            message = self.fake.store(self.number, nonce, text)
            users = tuple(user.id for user in allowed_mentions.users) if allowed_mentions else ()
            if users or not (self.public or silent):
                self.fake.notify(self.number, not self.public, users or (dm_owner(self.number),), text)
        self.fake.finish()
        return SimpleNamespace(id=message)

    def get_partial_message(self, message: int) -> Message:
        return Message(self, message)

    async def history(self, *, limit: int, around: Any = None) -> AsyncIterator[SimpleNamespace]:
        """Yield messages, the newest first as discord.py does; with `around`, half of them from there on."""
        self.fake.begin(self.number)
        there = sorted((m for channel, m in self.fake.messages if channel == self.number), reverse=True)
        if around is not None:
            later = [m for m in there if m >= around.id]
            there = [*later[-(limit // 2) :], *(m for m in there if m < around.id)]
        for message in there[:limit]:
            yield self.fake.history_entry(self.number, message)


class Message:
    """A message by its number, as discord.py's partial one."""

    def __init__(self, channel: Channel, number: int) -> None:
        self.channel, self.id = channel, number

    def _begin(self) -> tuple[int, int]:
        channel = self.channel
        channel.fake.begin(channel.number, channel.public)
        key = channel.number, self.id
        if key not in channel.fake.messages:
            raise http_error(404, 10008)
        return key

    async def edit(self, *, view: Any, **_: Any) -> None:
        self.channel.fake.messages[self._begin()] = text_of(view)
        self.channel.fake.finish()

    async def delete(self) -> None:
        del self.channel.fake.messages[self._begin()]
        self.channel.fake.finish()

    async def create_thread(self, **_: Any) -> SimpleNamespace:
        self._begin()
        if self.id in self.channel.fake.threads:
            raise http_error(400, 160004)
        self.channel.fake.threads.add(self.id)
        self.channel.fake.finish()
        return SimpleNamespace(id=self.id)


def dm_channel(user: int) -> int:
    return user * 10


def dm_owner(channel: int) -> int:
    """Return the user whose direct messages these are."""
    return channel // 10


def http_error(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="planned")
    return discord.HTTPException(response, {"code": code, "message": "planned"})


def text_of(view: discord.ui.LayoutView) -> str:
    return "\n".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))


POSTS = (
    (lobby, "open_lobby", "lobby"),
    (lobby, "closed_message", "closed"),
    (table, "table_message", "table"),
    (table, "quarantined_message", "quarantined"),
    (table, "substitute_notice", "substitute_notice"),
    (end, "end_message", "end_message"),
    (hand, "hand_message", "hand"),
    (hand_messages, "left_seat", "left_seat"),
)
"""The functions that make the posts, and what takes their place."""


class PlainMessages:
    """Writes into each post only the facts that decide what it must show. `patch` puts it in the place of the functions
    that make the posts.
    """

    def __init__(self, service: MatchService, patch: pytest.MonkeyPatch) -> None:
        self._service = self.service = service
        for module, function, name in POSTS:
            patch.setattr(module, function, getattr(PlainMessages, name))

    def labels(self, match: Match, locale: str | None = None) -> Labels:
        names = tuple(chair.name for chair in match.chairs)
        return Labels(names, texts(language(locale or DEFAULT), match.game))

    def title(self, match: Match, labels: Labels) -> str:
        return f"table {match.id}"

    def link(self, match: Match, labels: Labels, post: TablePost | None = None) -> str:
        return self.title(match, labels)

    def lacks_motion(self, number: int) -> bool:
        return False

    async def lobby(self, match: Match, people: Mapping[int, Person]) -> Content:
        return _content(
            f"lobby {match.id}",
            match.chairs,
            match.waiting,
            match.wanted,
            match.options,
            match.clock,
            match.closed,
            match.guests,
        )

    def closed(self, match: Match) -> Content:
        return _content(f"closed {match.id}", match.ending)

    def quarantined(self, match: Match, why: Fault) -> Content:
        return _content(f"held {match.id}", why)

    async def table(self, match: Match, votes: Mapping[int, str]) -> Content:
        view = self._service.state(match).view(None).to_json()
        ends = [clock.ends for clock in match.clocks]
        facts = (match.chairs, match.status, match.rests_since, sorted(votes.items()), ends, match.proposals)
        return _content(f"table {match.id}", *facts, json.dumps(view, sort_keys=True))

    async def end_message(self, match: Match) -> Content:
        return _content(f"end {match.id}", match.ending)

    def substitute_notice(self, match: Match) -> Content | None:
        offered = [chair for chair in match.people if chair.offered]
        return _content(f"call {match.id}", offered) if match.running and offered else None

    async def hand(self, match: Match, person: Person, **how: Any) -> Content:
        seat = match.seat_of(person.user)
        assert seat is not None
        view = self._service.state(match).view(Seat(seat)).to_json()
        turn = OVER if match.tells_end else self._service.turn(match, Seat(seat))
        facts = (match.status, json.dumps(view, sort_keys=True))
        return _content(f"hand {match.id} {turn}", *facts, user=person.user)

    def left_seat(self, match: Match, user: int, person: Person | None) -> Content:
        return Content((f"You have left {self.title(match, self.labels(match))}",), user=user)


def _content(what: str, *facts: object, user: int | None = None) -> Content:
    return Content((f"{what} {sha256(repr(facts).encode()).hexdigest()}",), user=user)
