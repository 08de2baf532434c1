"""The text of a message, and a comparison with the content that it should show."""

from __future__ import annotations

import discord

from cogs.messages.content import Content
from cogs.transport.components import layout_view
from tests.support.simulation import raw, words


def shown_words(content: Content) -> list[str]:
    return words({"components": [part.to_component_dict() for part in layout_view(content).children]})[1:]


def read(message: discord.Message) -> str:
    """Return the readable texts of a message, a line or more each."""
    return "\n".join(words(raw(message)))


def shows_hand(message: discord.Message, hand: Content) -> bool:
    """Return whether a message shows that hand. Above it may be a title and the answer to a press."""
    expected = shown_words(hand)[1:]
    said = [text for text in words(raw(message)) if not text.startswith("✓ ")]
    return said[-len(expected) :] == expected
