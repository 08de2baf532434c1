"""What a message or a form says and offers, as plain values, and how they become Discord's components.

A `Content` is compared by its digest (equal content is not sent again) and turned into a fresh view for each send.
All components are plain items in a view that is stopped before it is sent: discord.py keeps nothing of them, and every
press arrives at the one router of cogs/tables.py, also one from an old message (platform.md: DynamicItems drop ids
that are no longer on the message). What a button means stands in its id alone:

    1/<match>/<action>/<turn>/<rest>

with 1 the grammar's version, and the turn as `Host.turn` gives it. Ids carry no authority: who pressed is Discord's
word, what is legal the rules'.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import discord

from rendering.core.prompts import Choice, Prompt

ACCENT = 0xC9892B
MOST_TEXT = 4000
MOST_ALT = 1024
MOST_BUTTONS = 15
LONGEST_BUTTON = 20
"""Up to 15 choices with labels of at most 20 characters are buttons; more, or longer ones, are a select."""

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
_ID = re.compile(r"1/(\d{1,15})/([a-z_]{1,16})/([a-z0-9.]{0,20}(?:-\d{1,9})?)/(.*)", re.DOTALL)


class Id(NamedTuple):
    """The meaning of a custom_id. `match` 0: none in particular."""

    match: int
    action: str
    turn: str = ""
    rest: str = ""

    def __str__(self) -> str:
        text = f"1/{self.match}/{self.action}/{self.turn}/{self.rest}"
        assert len(text) <= 100, text
        return text

    @classmethod
    def parse(cls, text: str) -> Id | None:
        """None for what this bot never made."""
        found = _ID.fullmatch(text) if len(text) <= 100 and text.isascii() else None
        return cls(int(found[1]), found[2], found[3], found[4]) if found else None


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    id: Id | None = None
    style: Literal["primary", "secondary", "success", "danger"] = "secondary"
    url: str = ""
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class SelectOption:
    """An option of a select."""

    label: str
    value: str
    detail: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A choice of at least `least` and at most `most` of its entries."""

    id: Id
    hint: str
    entries: tuple[SelectOption, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class EntitySelect:
    """A select whose entries are the server's own, found by Discord: channels for tables, or roles. None may do."""

    id: Id
    hint: str
    kind: Literal["channel", "role"]
    chosen: tuple[int, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with its file name and alt text."""

    name: str
    png: bytes = field(repr=False)
    alt: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A file to keep, with its name and what is in it, in a few words."""

    name: str
    data: bytes = field(repr=False)
    about: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Form:
    """A line to be typed, or left empty, of at most so many letters: what a press may be answered with."""

    id: Id
    title: str
    label: str
    hint: str
    most: int

    def modal(self) -> discord.ui.Modal:
        """A fresh one, stopped, so that discord.py does not keep it: two people may have the same form open."""
        modal = discord.ui.Modal(title=shortened(self.title, 45), custom_id=str(self.id))
        line: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            custom_id="line", placeholder=shortened(self.hint, 100), required=False, max_length=self.most
        )
        modal.add_item(discord.ui.Label(text=shortened(self.label, 45), component=line))
        modal.stop()
        return modal


Row = tuple[Button, ...] | Select | EntitySelect


@dataclass(frozen=True, slots=True)
class Content:
    """A message from top to bottom: text, pictures with text between them, rows of controls."""

    parts: tuple[str | Picture | Document, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(default=(), repr=False)
    user: int | None = None
    """Whose eyes it is for alone; None: everybody's."""
    note: str = field(default="", repr=False)
    """A line below the first text about what has just been done. It passes, so the digest leaves it out, and it is cut
    where the rest leaves no room for all of it.
    """
    passing: tuple[Button, ...] = field(default=(), repr=False)
    """Buttons above the last row that belong to the answer to one press. They pass as the note does."""
    foot: str = field(default="", repr=False)
    """The last lines. Their room is kept, however long all else is."""

    def digest(self) -> str:
        """Equal for equal content, and for nothing else."""
        whole = blake2b(digest_size=16)
        for part in (*self.parts, *self.rows, self.foot):
            item = repr(part)
            if isinstance(part, Picture):
                item = repr((part.name, part.alt, blake2b(part.png).digest()))
            elif isinstance(part, Document):
                item = repr((part.name, part.about, blake2b(part.data).digest()))
            whole.update(item.encode() + b"\0")
        return whole.hexdigest()

    def files(self) -> list[discord.File]:
        """The pictures and documents, anew for each send: discord.py uses a File up."""
        files = [(p.name, p.png, p.alt) for p in self.parts if isinstance(p, Picture)]
        files += [(p.name, p.data, p.about) for p in self.parts if isinstance(p, Document)]
        return [
            discord.File(io.BytesIO(data), name, description=shortened(words, MOST_ALT)) for name, data, words in files
        ]

    def view(self) -> discord.ui.LayoutView:
        """A fresh view, stopped, so that discord.py neither keeps it nor answers for it."""
        container: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=ACCENT)
        foot = shortened(self.foot, MOST_TEXT)
        room = MOST_TEXT - len(foot)
        note = shortened(self.note, room - sum(len(part) for part in self.parts if isinstance(part, str)))
        for part in (*self.parts[:1], note, *self.parts[1:]):
            if isinstance(part, Picture):
                gallery: discord.ui.MediaGallery[discord.ui.LayoutView] = discord.ui.MediaGallery()
                gallery.add_item(media=f"attachment://{part.name}", description=shortened(part.alt, MOST_ALT))
                container.add_item(gallery)
            elif isinstance(part, Document):
                file: discord.ui.File[discord.ui.LayoutView] = discord.ui.File(f"attachment://{part.name}")
                container.add_item(file)
            elif part and room > 0:
                text = shortened(part, room)
                room -= len(text)
                container.add_item(discord.ui.TextDisplay(text))
        if foot:
            container.add_item(discord.ui.TextDisplay(foot))
        for row in (*self.rows[:-1], self.passing, *self.rows[-1:]):
            if row:
                container.add_item(_action_row(row))
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(container)
        view.stop()
        return view


def _action_row(row: Row) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    made: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
    if isinstance(row, EntitySelect):
        made.add_item(_finder(row))
        return made
    if isinstance(row, Select):
        made.add_item(
            discord.ui.Select(
                custom_id=str(row.id),
                placeholder=shortened(row.hint, 150),
                min_values=row.least,
                max_values=row.most,
                options=[
                    discord.SelectOption(
                        label=shortened(entry.label, 100),
                        value=entry.value,
                        description=shortened(entry.detail, 100) or None,
                        default=entry.chosen,
                    )
                    for entry in row.entries[:25]
                ],
            )
        )
        return made
    for button in row:
        label = shortened(button.label, 80)
        if button.url:
            made.add_item(discord.ui.Button(label=label, url=button.url))
        else:
            style = _STYLES[button.style]
            made.add_item(
                discord.ui.Button(label=label, custom_id=str(button.id), style=style, disabled=button.disabled)
            )
    return made


def _finder(row: EntitySelect) -> discord.ui.ChannelSelect[Any] | discord.ui.RoleSelect[Any]:
    hint, objects = shortened(row.hint, 150), [discord.Object(number) for number in row.chosen]
    if row.kind == "role":
        return discord.ui.RoleSelect(
            custom_id=str(row.id),
            placeholder=hint,
            min_values=0,
            max_values=row.most,
            default_values=[discord.SelectDefaultValue.from_role(role) for role in objects],
        )
    return discord.ui.ChannelSelect(
        custom_id=str(row.id),
        placeholder=hint,
        min_values=0,
        max_values=row.most,
        channel_types=[discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.forum],
        default_values=[discord.SelectDefaultValue.from_channel(channel) for channel in objects],
    )


def prompt_rows(prompt: Prompt, match: int, turn: str) -> tuple[Row, ...]:
    """A prompt's choices: buttons where they are few and short, else one select."""
    choices = prompt.choices
    if not choices:
        return ()
    if len(choices) <= MOST_BUTTONS and all(len(choice.label) <= LONGEST_BUTTON for choice in choices):
        buttons = [Button(choice.label, _choice_id(choice, match, turn), choice.style) for choice in choices]
        width = min(5, -(-len(buttons) // -(-len(buttons) // 5)))
        return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))
    entries = tuple(SelectOption(choice.label, _choice_value(choice), choice.detail) for choice in choices)
    return (Select(Id(match, "pick", turn), prompt.question, entries),)


def _choice_value(choice: Choice) -> str:
    return f"m/{choice.move}" if choice.move is not None else "p/" + "/".join(choice.path)


def _choice_id(choice: Choice, match: int, turn: str) -> Id:
    kind, _, rest = _choice_value(choice).partition("/")
    return Id(match, "move" if kind == "m" else "path", turn, rest)


def picked(value: str) -> tuple[str, str]:
    """The action ("move" or "path") and the rest that a select's value stands for; ("", "") for what is neither."""
    kind, _, rest = value.partition("/")
    return {"m": "move", "p": "path"}.get(kind, ""), rest


def number_in(text: str, otherwise: int = 0) -> int:
    """The number that an id's rest or a select's value is; `otherwise` for what this bot never made."""
    return int(text) if re.fullmatch(r"\d{1,15}", text, re.ASCII) else otherwise


def parts_of(message: discord.Message) -> list[Mapping[str, Any]]:
    """Everything that stands in a message, as Discord describes it."""
    return [part for component in message.components for part in _parts(component.to_dict())]


def offered_in(message: discord.Message, match: int) -> list[Id]:
    """All that a message offers in that match."""
    ids = (Id.parse(str(part.get("custom_id", ""))) for part in parts_of(message))
    return [found for found in ids if found is not None and found.match == match]


def _parts(component: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A component with all that are in it."""
    yield component
    for part in component.get("components", ()):
        yield from _parts(part)


def path_of(rest: str) -> tuple[str, ...]:
    return tuple(rest.split("/")) if rest else ()


def shortened(text: str, most: int) -> str:
    """The text, cut at a word with "…" where it is longer; "" where there is no room at all."""
    if len(text) <= most:
        return text
    if most < 1:
        return ""
    return text[: most - 1].rsplit(" ", 1)[0][: most - 1] + "…"
