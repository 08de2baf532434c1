"""The bot's own emoji on the buttons and in the selects of hands, in place of the signs of the texts.

An emoji takes the place of a sign with which a label begins; the words after it stay. Without the emoji of a game,
all its labels keep their signs. cogs/transport/app_emoji.py finds out which emoji there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from cogs.messages.content import Button, Emoji, Row, Select, SelectOption
from rendering.core.emoji import parts_of
from rendering.core.labels import Labels
from rules.core.game import Seat

T = TypeVar("T", Button, SelectOption)
Known = tuple[str, int]
"""An emoji's name and id."""


class EmojiTable:
    """The emoji that there are, by game and key (rendering/core/emoji.py). Games without any have none."""

    def __init__(self) -> None:
        self.known: Mapping[str, Mapping[str, Known]] = {}

    def on(self, rows: Iterable[Row], slug: str, labels: Labels, seat: Seat) -> tuple[Row, ...]:
        """Return the controls of a game's prompt for the player of that seat with its emoji."""
        found = self.known.get(slug, {})
        keys = ((parts_of(key), known) for key, known in found.items())
        signs = [
            Emoji(name, number, "".join(map(labels.say, texts)))
            for (texts, of), (name, number) in keys
            if of is None or of == seat
        ]
        signs.sort(key=lambda emoji: len(emoji.sign), reverse=True)  # two signs before the first of them
        return tuple(_row(row, signs) for row in rows) if signs else tuple(rows)


def _row(row: Row, signs: Iterable[Emoji]) -> Row:
    if isinstance(row, Select):
        return replace(row, entries=tuple(_with_emoji(entry, signs) for entry in row.entries))
    return tuple(_with_emoji(button, signs) for button in row) if isinstance(row, tuple) else row


def _with_emoji(control: T, signs: Iterable[Emoji]) -> T:
    found = next((emoji for emoji in signs if control.label.startswith(f"{emoji.sign} ")), None)
    return control if found is None else replace(control, emoji=found)
