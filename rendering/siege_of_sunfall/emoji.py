"""The emoji of Siege of Sunfall: the signs of its cards."""

from __future__ import annotations

from functools import partial

from rendering.core.emoji import Emoji, on_disc
from rendering.siege_of_sunfall.pieces import SIGNS, TINTS
from rules.siege_of_sunfall.types import Kind

EMOJI: Emoji = {
    f"sign.{kind.value}": partial(on_disc, SIGNS[kind], TINTS[kind]) for kind in Kind if kind is not Kind.END
}
