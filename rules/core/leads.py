"""How likely each player wins, judged by how far each is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, repeat
from operator import mul

_STEPS = 32
_FARTHEST = 400
_LESS: tuple[float, ...] = tuple(accumulate(repeat(0.96923, _FARTHEST), mul, initial=1.0))
"""By steps behind the leader: the chance compared to the leader's. _STEPS steps are a factor of e.

The numbers are multiplied because the last digit of `exp` is not the same on every machine.
"""


def chances(worth: Sequence[float], scale: float) -> list[float]:
    """Return the players' chances to win. A player who is `scale` behind another has 1/e of the other's chance."""
    most = max(worth)
    weights = [_LESS[min(_FARTHEST, int((most - own) / scale * _STEPS))] for own in worth]
    total = sum(weights)
    return [weight / total for weight in weights]
