"""How much one person, and one server, may ask for in a while: buckets that fill up again, in memory alone.

They hold off floods and hinder nobody who plays. A move that is due and legal is never counted out: `Interactions`,
which every press and command must pass, lets it through with empty buckets; and the way to it, the hand with its steps,
has a bucket that nothing else empties. A restart forgets them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import discord

from data.lru import Lru

RateClass = Literal["ask", "picture", "open", "move", "hand", "complete", "delete"]
MOST_KEPT = 20_000
"""Buckets in memory, about 5 MB: the one that was used longest ago goes first, and begins full when it comes back."""


class Rate(NamedTuple):
    """A bucket holds `most`, and one comes back every `seconds`."""

    most: int
    seconds: float


PERSON: dict[str, Rate] = {
    "ask": Rate(20, 0.5),
    "picture": Rate(10, 2.0),
    "open": Rate(5, 120.0),
    "hand": Rate(40, 0.25),
    "complete": Rate(30, 0.2),
    "delete": Rate(3, 3600.0),
    "told": Rate(3, 5.0),
}
"""What one person may do: anything at all, have a picture or a file made, open tables, look at hands and choose in
them, get lists to choose from while they type, have their data deleted; and how often they are told that it was too
much.
"""
SERVER: dict[str, Rate] = {
    "ask": Rate(100, 0.1),
    "picture": Rate(40, 0.25),
    "open": Rate(20, 30.0),
    "complete": Rate(200, 0.05),
}
"""What all the people of one server may do together. Hands are not among it: the server's others empty nobody's."""
_APART = ("hand", "complete")
"""What is not counted as anything at all besides."""

_COMMANDS: dict[str, RateClass] = {
    "move": "move",
    **dict.fromkeys(("hand", "undo"), "hand"),
    **dict.fromkeys(("board", "rules", "log", "verify"), "picture"),
    "play": "open",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What an interaction asks for. `match` None: at the table that they mean, as with `/move`. Of a move also its
    `turn`, where it was pressed, and its text.
    """

    kind: RateClass
    match: int | None = None
    turn: str | None = None
    text: str = ""


def asked_by_command(interaction: discord.Interaction[Any]) -> Asked:
    """What a slash command or its autocomplete asks for. Presses have their class in the router's table."""
    data: Any = interaction.data or {}
    given = {option["name"]: option.get("value") for option in data.get("options", ())}
    kind, table = _COMMANDS.get(str(data.get("name")), "ask"), given.get("table")
    return Asked(kind, table if isinstance(table, int) else None, text=str(given.get("move", "")))


class RateLimits:
    """The buckets. `steady` gives seconds that only ever count on; None: no limits at all."""

    def __init__(self, steady: Callable[[], float] | None = None) -> None:
        self._steady = steady
        self._buckets = Lru[tuple[str, int, str], tuple[float, float]](MOST_KEPT)

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, kind: RateClass, user: int, guild: int | None) -> float:
        """Count one thing asked for; 0.0. Where it is too much nothing is counted: the seconds to wait.

        What was refused to one person is not counted against the server.
        """
        kinds = (kind,) if kind in _APART else ("ask",) if kind == "move" else dict.fromkeys(("ask", kind))
        wanted: list[tuple[tuple[str, int, str], Rate]] = [(("person", user, name), PERSON[name]) for name in kinds]
        if guild is not None:
            wanted += [(("server", guild, name), SERVER[name]) for name in kinds if name in SERVER]
        return self._take(wanted)

    def may_tell(self, user: int) -> bool:
        """Whether a person is told once more that it was too much; else they are not answered at all."""
        return not self._take([(("person", user, "told"), PERSON["told"])])

    def _take(self, wanted: list[tuple[tuple[str, int, str], Rate]]) -> float:
        """Take one from each bucket, or from none where one is empty: the seconds until all have one."""
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
