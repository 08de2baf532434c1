"""Forged interactions, and some that a client would send, as raw payloads of the gateway.

The forger knows the grammar of what it breaks. It takes ids that were shown, and puts in part of another id or the
number of another match, cuts them, extends them, or replaces them by random characters. It sends values that were not
among the options, and forms that were never shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import discord

from bot import Bot
from tests.month.messages import GUILD, Channel, Message, Press
from tests.reliability.recorded_bot import RecordingDiscord
from tests.support import apicheck

COMMAND, COMPONENT, COMPLETION, MODAL = 2, 3, 4, 5
BUTTON, SELECT = apicheck.BUTTON, apicheck.SELECT
ODD = (
    *("", "0", "-1", "1", "2", "99", "007", "1e3", "٣", "¹", "٣٤", "99999999999999999999", "None", "/", "//"),
    *("a" * 90, "ß" * 40, "\0", "\n", "‮", "😀", "m/", "p/", "m/play B1", "p/a/b", "'; DROP TABLE match; --", "%s{0}"),
)
NUMBERS = (0, 1, 2, 3, -1, 7, 99, 2**31, 2**53, -(2**53))
ACTIONS = (
    *("move", "path", "pick", "undo", "option", "setting", "vote", "take", "cut_with", "server", "nothing"),
    *("play", "games", "log", "next", "hand", "catch_up", "offer", "again", "here", "back", "refresh", "fair"),
    *("at", "cancel", "clock", "relocate", "help", "log", "log", "lookups", "signs", "forced"),
    *("accept", "decline", "expel", "hand_on", "closed", "invite", "team", "teams", "door", "more"),
    *(
        *("level", "hints", "hint", "computers", "replay", "step", "step", "share", "file", "history", "ranks"),
        *("season", "duplicate"),
    ),
)
"""Actions put into forged ids. The log comes often: it alone reads a number from the rest of an id."""


@dataclass(frozen=True, slots=True)
class Part:
    """A button or select that was shown."""

    custom_id: str
    kind: int
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forged:
    """An interaction. `at`: the seconds at which it is delivered, once or several times."""

    press: Press
    payload: dict[str, Any]
    at: tuple[float, ...]
    honest: bool

    @property
    def what(self) -> str:
        return f"type {self.payload['type']} by {self.press.user}: {self.payload['data']}"


class Forger:
    """Draws random interactions. `users` may press; the last of them sit at no table."""

    def __init__(
        self, random: Random, discord: RecordingDiscord, bot: Bot, users: Sequence[int], channels: Sequence[int]
    ):
        self.random, self.discord, self.users, self.channels = random, discord, users, channels
        self.shown: dict[str, Part] = {}
        self.commands = [command for command in bot.tree.walk_commands() if hasattr(command, "parameters")]

    def learn(self, body: object) -> None:
        """Remember the buttons and selects of a message."""
        for part in apicheck.components(body):
            if "custom_id" in part:
                values = tuple(str(option["value"]) for option in part.get("options", ()))
                self.shown[str(part["custom_id"])] = Part(str(part["custom_id"]), int(part["type"]), values)

    def draw(self, messages: Sequence[Message]) -> Forged:
        """Draw an interaction, in one of these messages."""
        random = self.random
        user, honest = random.choice(self.users), random.random() < 0.35
        hands = [m for m in messages if m.viewer is not None and any("/move/" in i or "/pick/" in i for i in m.ids)]
        message = random.choice(hands if hands and random.random() < 0.4 else messages)
        kind = random.choices((COMPONENT, MODAL, COMMAND, COMPLETION), (75, 8, 12, 5))[0]
        if message.viewer is not None:  # Discord lets no other user press there
            user = message.viewer
        if kind in (COMMAND, COMPLETION):
            press = Press(user, self._channel(user))
            data = self._command(kind)
        else:
            press = Press(user, message.channel)
            press.source = message
            data = self._pressed(message, honest) if kind == COMPONENT else self._form()
        self.discord.scope = user
        payload = self.discord.interaction(self.discord.snowflake(), press, kind, data)
        if not honest and random.random() < 0.1:
            self._elsewhere(payload)
        times = (
            1 if kind == COMPLETION else random.choice((1, 1, 1, 2, 3))
        )  # discord.py logs that a second one is refused
        return Forged(press, payload, tuple(random.uniform(0, 3) for _ in range(times)), honest)

    def _channel(self, user: int) -> int:
        return self.random.choice((*self.channels, user * 1000))

    def _elsewhere(self, payload: dict[str, Any]) -> None:
        """Let it come from another server, or from a user with another language, and without permissions."""
        if "guild_id" in payload and self.random.random() < 0.5:
            payload["guild_id"] = str(GUILD + 1)
        payload["locale"] = self.random.choice(("de", "xx", "en-GB"))
        payload["app_permissions"] = "0"

    # What is pressed.

    def _pressed(self, message: Message, honest: bool) -> dict[str, Any]:
        random = self.random
        parts = [part for part in apicheck.components(message.body) if "custom_id" in part and not part.get("disabled")]
        if honest and parts:
            part = random.choice(parts)
            custom_id, values = str(part["custom_id"]), [str(o["value"]) for o in part.get("options", ())]
            data: dict[str, Any] = {"custom_id": custom_id, "component_type": part["type"]}
            return {**data, "values": [random.choice(values)]} if values else data
        custom_id = self._id()
        kind = random.choice((BUTTON, BUTTON, SELECT, SELECT, 5, 8, 99))
        data = {"custom_id": custom_id, "component_type": kind}
        if kind != BUTTON or random.random() < 0.1:
            data["values"] = [self._value() for _ in range(random.choice((0, 1, 1, 1, 2, 25)))]
        return data

    def _id(self) -> str:
        """Return an id that was shown, mostly with something wrong in it."""
        random = self.random
        part = random.choice(list(self.shown))
        pieces = part.split("/", 4)
        match random.randrange(10):
            case 0:
                return part
            case 1:
                return "".join(chr(random.randrange(1, 0x2FF)) for _ in range(random.randrange(1, 100)))
            case 2:
                return part + random.choice(("x" * 100, "/" * 50, "/x", " "))
            case 3:
                at = random.randrange(len(part) + 1)
                return part[:at] + random.choice(ODD) + part[at + random.randrange(3) :] or "?"
            case 4 | 5 if len(pieces) == 5:
                pieces[1] = str(random.choice((*range(9), 99, 10**14, 10**15)))
            case 6 if len(pieces) == 5:
                pieces[2] = random.choice(ACTIONS)
                pieces[4] = random.choice((pieces[4], self._value(), random.choice(ODD)))
            case 7 if len(pieces) == 5:
                pieces[3] = random.choice(("", "1", "9.9", "1.0-1", "0-999999999", *ODD))
            case _ if len(pieces) == 5:
                pieces[4] = self._value()
        return "/".join(pieces) or "?"

    def _value(self) -> str:
        random = self.random
        part = self.shown[random.choice(list(self.shown))]
        known = part.values or (part.custom_id.split("/")[-1],)
        return random.choice((random.choice(known), random.choice(known), random.choice(ODD)))

    def _form(self) -> dict[str, Any]:
        """Return a form, shown before or not."""
        random = self.random
        number = random.randrange(9)
        custom_id = random.choice((f"1/{number}/cut_with//", f"1/{number}/cut_with//", self._id()))
        line: dict[str, Any] = {"type": 4, "id": 2, "custom_id": "line", "value": self._value()}
        label = {"type": 18, "id": 1, "component": line}
        rows = random.choice(([label], [label, label], [], [{"type": 1, "components": [line]}], [{"type": 10}]))
        return {"custom_id": custom_id, "components": rows}

    # What is typed.

    def _typed(self) -> str:
        """Return a move as a person may type it: of what was offered, some words, in another order or case."""
        random = self.random
        offered = [part.split("/", 4)[4] for part in self.shown if "/move/" in part and part.count("/") >= 4]
        offered += [
            value.partition("/")[2] for part in self.shown.values() for value in part.values if value[:2] == "m/"
        ]
        words = random.choice(offered or ["play B9"]).split()
        match random.randrange(4):
            case 0:
                words = words[1:] or words
            case 1:
                random.shuffle(words)
            case 2:
                words.insert(random.randrange(len(words) + 1), random.choice(("☀️", "**", "Säen", "to", "0", *ODD)))
        text = " ".join(words)
        return random.choice((text, text.upper(), text.lower()))

    def _command(self, kind: int) -> dict[str, Any]:
        random = self.random
        commands: list[Any] = self.commands
        if kind == COMPLETION:
            commands = [c for c in commands if any(parameter.autocomplete for parameter in c.parameters)]
        command, options = random.choice(commands), []
        resolved = self._person()
        for parameter in command.parameters:
            if not parameter.required and random.random() < 0.5 and kind == COMMAND:
                continue
            value: Any = random.choice(NUMBERS) if parameter.type.value == 4 else self._value()
            if parameter.choices and random.random() < 0.7:
                value = random.choice(parameter.choices).value
            elif parameter.name == "move" and random.random() < 0.7:
                value = self._typed()
            if parameter.type is discord.AppCommandOptionType.user:  # Discord sends no other text than that of a user
                value = next(iter(resolved["users"]))
            options.append({"name": parameter.display_name, "type": parameter.type.value, "value": value})
        if random.random() < 0.1:  # of an older version of the command
            options.append({"name": "former", "type": 3, "value": self._value()})
        if kind == COMPLETION:
            completed = {parameter.name for parameter in command.parameters if parameter.autocomplete}
            focused = random.choice([option for option in options if option["name"] in completed])
            focused |= {"focused": True, "value": str(focused["value"])}  # numbers too: they are being typed
        sent = {"name": command.name, "type": 1, "options": options}
        if command.parent is not None:
            sent = {"name": command.parent.name, "type": 1, "options": [sent]}
        return {"id": "1", **sent, "resolved": resolved}

    def _person(self) -> dict[str, Any]:
        """Return a person as Discord adds them to what names them: a member or no more, perhaps a bot."""
        user = str(self.random.randrange(1, 1 << 62))
        name = self.random.choice(ODD)[:32] or "x"  # no move: a lobby names its guests, and moves are looked for there
        facts = {"id": user, "username": name, "discriminator": "0", "avatar": None}
        member = {"roles": [], "joined_at": None, "permissions": "0", "flags": 0, "deaf": False, "mute": False}
        members = {user: member} if self.random.random() < 0.8 else {}
        return {"users": {user: {**facts, "bot": self.random.random() < 0.2}}, "members": members}


def messages_of(channels: Sequence[Channel], answers: Sequence[Message]) -> list[Message]:
    """Return all messages of these channels, and these private answers, that have buttons or selects."""
    found = [message for channel in channels for message in channel.messages.values()]
    return [message for message in (*found, *answers) if message.ids]
