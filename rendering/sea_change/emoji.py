"""The emoji of Sea Change: its suits."""

from __future__ import annotations

from functools import partial

from rendering.core.emoji import Emoji, on_disc
from rendering.sea_change.emblems import SIGNS
from rendering.sea_change.pieces import TINTS

EMOJI: Emoji = {f"sign.{suit}": partial(on_disc, SIGNS[suit], TINTS[suit]) for suit in SIGNS}
