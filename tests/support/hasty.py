"""Computer players in a hurry: every level with a few playouts a decision. They play worse, and at once."""

from __future__ import annotations

from rules.core.computer import LEVELS, Level, Strength


def hasty_levels(playouts: int = 8) -> dict[Level, Strength]:
    """Return the levels, none of which tries more than that many playouts."""
    return {level: strength._replace(playouts=min(strength.playouts, playouts)) for level, strength in LEVELS.items()}
