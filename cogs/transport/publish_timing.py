"""How fast tables are shown and computers move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishTiming:
    """Seconds: between two edits of one table, before a computer moves, before the first and the longest wait between
    two tries, and between two matches that are shown later (each takes three or four requests; Discord allows 50 a
    second).
    """

    edits: float = 1.5
    computer: float = 1.6
    retry: float = 2.0
    longest_retry: float = 30.0
    late: float = 0.1
