"""The rate limits of users and servers, as numbers: how much is in each bucket, and how fast it refills.

They stop floods and never hinder play. The hand and its steps, the way to a move, have a bucket that nothing else
empties. transport/interactions.py takes from the buckets.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

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
    "open": Rate(8, 60.0),
    "hand": Rate(40, 0.25),
    "complete": Rate(30, 0.2),
    "delete": Rate(3, 3600.0),
    "told": Rate(3, 5.0),
}
"""The limits of one user: "ask" for requests of any kind, "picture" for pictures and files, "step" for the
steps of a replay, "share" for showing one to everyone, "file" for the files of one, "open" for tables, matches alone
and lessons that are really opened, "hand" for opening hands and choosing in them, "complete" for autocompletion,
"delete" for deleting their data, and "told" for messages that say that a limit is reached.
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
Matches alone and lessons belong to no server.
"""
APART = ("hand", "complete", "open")
"""The classes that take no token from "ask" as well. "open" is taken after a request that has taken one."""
