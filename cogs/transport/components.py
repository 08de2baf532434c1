"""Turns plain content (cogs/messages/content.py) into discord.py's components, and reads messages back.

Each send gets a fresh view, which is stopped before it leaves, so discord.py keeps nothing of it. Every press arrives
at the one router (router.py), also a press on an old message. (discord.py's own DynamicItem would drop a press whose
id is no longer on the message.)
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

import discord

from cogs.messages.content import (
    MOST_TEXT,
    Content,
    Document,
    EntitySelect,
    Form,
    Gallery,
    Id,
    Picture,
    Row,
    Select,
    flat,
    in_rows,
    shown_label,
)
from rendering.core.formatting import shortened

ACCENT = 0xC9892B
MOST_ALT = 1024
"""Characters of an alt text at most; Discord's own limit."""

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def layout_view(content: Content) -> discord.ui.LayoutView:
    """Return a fresh view of the content. It is stopped: discord.py neither keeps it nor answers presses on it."""
    container: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=ACCENT)
    foot = shortened(content.foot, MOST_TEXT)
    room = MOST_TEXT - len(foot)
    for part in _parts_with_note(content, room):
        if isinstance(part, (Picture, Gallery)):
            gallery: discord.ui.MediaGallery[discord.ui.LayoutView] = discord.ui.MediaGallery()
            for picture in part.pictures if isinstance(part, Gallery) else (part,):
                gallery.add_item(media=f"attachment://{picture.name}", description=shortened(picture.alt, MOST_ALT))
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
    for row in (*content.rows[:-1], *in_rows(content.passing), *content.rows[-1:]):
        if row:
            container.add_item(_action_row(row))
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(container)
    view.stop()
    return view


def _parts_with_note(content: Content, room: int) -> list[str | Picture | Gallery | Document]:
    """Return the parts with the note among them, which has the room that the other texts leave."""
    parts = [*content.parts]
    if content.note:
        at = slice(len(parts), len(parts)) if content.last else slice(1, 1)
        at = at if content.instead is None else slice(content.instead, content.instead + 1)
        del parts[at]
        left = room - sum(len(part) for part in parts if isinstance(part, str))
        parts.insert(at.start, shortened(content.note, left))
    return parts


def files(content: Content) -> list[discord.File]:
    """Return the pictures and documents. Each send needs fresh ones: discord.py reads a File only once."""
    parts = tuple(flat(content.parts))
    found = [(part.name, part.png, part.alt) for part in parts if isinstance(part, Picture)]
    found += [(part.name, part.data, part.about) for part in parts if isinstance(part, Document)]
    return [discord.File(io.BytesIO(data), name, description=shortened(about, MOST_ALT)) for name, data, about in found]


def modal(form: Form) -> discord.ui.Modal:
    """Return a fresh modal. It is stopped, so discord.py does not keep it: two people may have the same form open."""
    made = discord.ui.Modal(title=shortened(form.title, 45), custom_id=str(form.id))
    line: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        custom_id="line", placeholder=shortened(form.hint, 100), required=False, max_length=form.most
    )
    made.add_item(discord.ui.Label(text=shortened(form.label, 45), component=line))
    made.stop()
    return made


def parts_of(message: discord.Message) -> list[Mapping[str, Any]]:
    """Return each component of a message, nested ones too, as Discord describes it."""
    return [part for component in message.components for part in _parts(component.to_dict())]


def offered_in(message: discord.Message, match: int) -> list[Id]:
    """Return the ids of all controls in a message that belong to that match."""
    return Id.among([str(part.get("custom_id", "")) for part in parts_of(message)], match)


def offers(message: discord.Message | None, match: int, action: str) -> bool:
    """Return whether the message pressed has a control of that action at that match. A forged press may have none."""
    return message is not None and any(offered.action == action for offered in offered_in(message, match))


def _parts(component: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield component
    for part in component.get("components", ()):
        yield from _parts(part)


def _action_row(row: Row) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    made: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
    if isinstance(row, EntitySelect):
        made.add_item(_entity_select(row))
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
                        label=shortened(shown_label(entry), 100),
                        value=entry.value,
                        emoji=entry.emoji and discord.PartialEmoji(name=entry.emoji.name, id=entry.emoji.id),
                        description=shortened(entry.detail, 100) or None,
                        default=entry.chosen,
                    )
                    for entry in row.entries[:25]
                ],
            )
        )
        return made
    for button in row:
        label = shortened(shown_label(button), 80)
        if button.url:
            made.add_item(discord.ui.Button(label=label, url=button.url))
        else:
            style = _STYLES[button.style]
            made.add_item(
                discord.ui.Button(
                    label=label,
                    custom_id=button.custom_id,
                    style=style,
                    disabled=button.disabled,
                    emoji=button.emoji and discord.PartialEmoji(name=button.emoji.name, id=button.emoji.id),
                )
            )
    return made


def has_files(content: Content) -> bool:
    """Return whether the message has pictures or documents."""
    return any(not isinstance(part, str) for part in content.parts)


def _entity_select(
    row: EntitySelect,
) -> discord.ui.ChannelSelect[Any] | discord.ui.RoleSelect[Any] | discord.ui.UserSelect[Any]:
    facts: dict[str, Any] = {"custom_id": str(row.id), "placeholder": shortened(row.hint, 150)}
    facts |= {"min_values": 0, "max_values": row.most}
    objects = [discord.Object(number) for number in row.chosen]
    if row.kind == "role":
        roles = [discord.SelectDefaultValue.from_role(role) for role in objects]
        return discord.ui.RoleSelect(**facts, default_values=roles)
    if row.kind == "user":
        return discord.ui.UserSelect(**facts)
    return discord.ui.ChannelSelect(
        **facts,
        channel_types=[discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.forum],
        default_values=[discord.SelectDefaultValue.from_channel(channel) for channel in objects],
    )
