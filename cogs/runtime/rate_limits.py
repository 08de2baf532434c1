"""The rate limits of users and servers: token buckets that refill with time, in memory only.

They stop floods and never hinder play. The hand and its steps, the way to a move, have a bucket that nothing else
empties. A restart refills all buckets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from data.lru import Lru

RateClass = Literal["ask", "picture", "step", "share", "file", "open", "move", "hand", "complete", "delete"]
MOST_KEPT = 20_000
"""The most buckets in memory, about 5 MB. The least recently used one is dropped first, and is full when next used."""


class Rate(NamedTuple):
    """A bucket holds at most `most` tokens, and gains one every `seconds`."""

    most: int
    seconds: float


PERSON: dict[str, Rate] = {
    "ask": Rate(20, 0.5),
    "picture": Rate(10, 2.0),
    "step": Rate(20, 0.5),
    "share": Rate(3, 30.0),
    "file": Rate(3, 30.0),
    "open": Rate(5, 120.0),
    "hand": Rate(40, 0.25),
    "complete": Rate(30, 0.2),
    "delete": Rate(3, 3600.0),
    "told": Rate(3, 5.0),
}
"""The limits of one user: "ask" for requests of any kind, "picture" for pictures and files, "step" for the
steps of a replay, "share" for showing one to everyone, "file" for the files of one, "open" for new tables,
"hand" for opening hands and choosing in them, "complete" for autocompletion, "delete" for deleting their data, and
"told" for messages that say that a limit is reached.
"""
SERVER: dict[str, Rate] = {
    "ask": Rate(100, 0.1),
    "picture": Rate(40, 0.25),
    "step": Rate(40, 0.25),
    "share": Rate(10, 10.0),
    "file": Rate(10, 10.0),
    "open": Rate(20, 30.0),
    "complete": Rate(200, 0.05),
}
"""The limits of all users of one server together. There is none on hands: other users cannot keep a player from theirs.
"""
_APART = ("hand", "complete")
"""The classes that take no token from "ask" as well."""


class RateLimits:
    """Holds the buckets. `steady`: a clock in seconds that never goes back; None: there are no limits."""

    def __init__(self, steady: Callable[[], float] | None = None) -> None:
        self._steady = steady
        self._buckets = Lru[tuple[str, int, str], tuple[float, float]](MOST_KEPT)

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, kind: RateClass, user: int, guild: int | None) -> float:
        """Take one token from the user's and the server's buckets for that class. Return 0.0, or, taking none, the
        seconds until all of them have one.
        """
        kinds = (kind,) if kind in _APART else ("ask",) if kind == "move" else dict.fromkeys(("ask", kind))
        wanted: list[tuple[tuple[str, int, str], Rate]] = [(("person", user, name), PERSON[name]) for name in kinds]
        if guild is not None:
            wanted += [(("server", guild, name), SERVER[name]) for name in kinds if name in SERVER]
        return self._take(wanted)

    def may_tell(self, user: int) -> bool:
        """Return whether to tell a user once more that they have reached a limit. If not, they get no answer."""
        return not self._take([(("person", user, "told"), PERSON["told"])])

    def _take(self, wanted: list[tuple[tuple[str, int, str], Rate]]) -> float:
        """Take one token from each bucket. Return 0.0, or, taking none, the seconds until all have one."""
        if self._steady is None:
            return 0.0
        now, levels, longest = self._steady(), {}, 0.0
        for key, rate in wanted:
            level, since = self._buckets.get(key) or (float(rate.most), now)
            levels[key] = min(float(rate.most), level + (now - since) / rate.seconds)
            longest = max(longest, (1 - levels[key]) * rate.seconds)
        if longest > 1e-6:
            return longest
        for key, level in levels.items():
            self._buckets[key] = (level - 1, now)
        return 0.0
