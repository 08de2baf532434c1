"""How fast tables are shown and computers move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishTiming:
    """All in seconds. `edits`: between two edits of one table. `computer`: before a computer moves. `retry` and
    `longest_retry`: the first and the longest wait before another try. `late`: between two matches that are shown later
    (each takes three or four requests; Discord allows 50 a second).
    """

    edits: float = 1.5
    computer: float = 1.6
    retry: float = 2.0
    longest_retry: float = 30.0
    late: float = 0.1
