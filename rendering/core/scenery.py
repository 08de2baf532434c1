"""What the stages of the games share: chance that scatters grass, waves and stones."""

from __future__ import annotations

from random import Random


def scatter(seed: int | str) -> Random:
    """Return chance for scenery. An equal seed scatters things alike on every machine. It decides nothing in a game."""
    return Random(seed)  # noqa: S311 -- a picture must be the same for all who look, and hides nothing
