"""Computer players and advice in a hurry: a few playouts a decision. They play and advise worse, but at once."""

from __future__ import annotations

from rules.core.computer import LEVELS, Level, Strength


def hasty_levels(playouts: int = 8) -> dict[Level, Strength]:
    """Return the levels, each with at most that many playouts."""
    return {level: strength._replace(playouts=min(strength.playouts, playouts)) for level, strength in LEVELS.items()}


HASTY_COACH = {"SEARCHED": 4, "LOOKED_AT": 4, "REPEATED": 2}
"""Values of rules.core.coach with which a hint or a review takes only a moment."""
