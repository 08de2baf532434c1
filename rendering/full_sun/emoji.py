"""The emoji of Full Sun: its trees, and the two cards of Weather."""

from __future__ import annotations

from functools import partial

from rendering.core.emoji import SIZE, Emoji
from rendering.full_sun.pieces import medallion

EMOJI: Emoji = {
    **{f"sign.{suit}": partial(medallion, suit, SIZE) for suit in "BRSL"},
    **{f"weather_sign.{card}": partial(medallion, card, SIZE) for card in ("Rain", "Sun")},
}
