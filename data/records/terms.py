"""By what a table plays: the terms that its lobby chooses.

A further term is a field here, a column of the table `match` with its name, and, if it is a switch, its texts. The
lobby, duplicates, *Play again*, storage and the export of a player's data find it here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter
from typing import Any

from rules.core.computer import DEFAULT_LEVEL


class AbsencePolicy(StrEnum):
    """What follows when a player's extension has run out. The values are stored."""

    COMPUTER = "computer"
    """A computer plays for them."""
    VOTE = "vote"
    """The other players vote first on whether it does."""


def switch() -> Any:
    """Return the field of a term that is off unless a row of the lobby's options switches it on (`SWITCHES`)."""
    return field(default=False, metadata={"switch": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """By what a table plays: what its lobby chooses. Duplicates and the next match have the same terms."""

    locale: str
    """What everyone reads there is in this language: the server's when it was opened, or what its host has chosen."""
    server_locale: str | None = None
    """The server's language, if the host has chosen another one for the table. See cogs/match/table_options.py."""
    options: dict[str, Any] = field(default_factory=dict)
    """The options of the game, and its deck."""
    wanted: int | None = None
    """The number of seats; None: any."""
    own_thread: bool = False
    """Whether the table has a thread of its own."""
    clock: str = "none"
    """The name of the time control (cogs/match/time_controls.py)."""
    absent: AbsencePolicy = AbsencePolicy.COMPUTER
    """What follows when a player's extension has run out."""
    level: str = DEFAULT_LEVEL
    """The level at which a computer plays for a player who is away or has left."""
    hints: bool = True
    """Whether players may ask for hints."""
    rated: bool = switch()
    """Whether the match is to count for the ratings of its server. See cogs/match/rated.py."""
    closed: bool = False
    """Whether only guests may sit down."""

    @property
    def terms(self) -> Terms:
        """These terms alone, as a table has them that is opened by them."""
        return Terms(**self.chosen)

    @property
    def chosen(self) -> dict[str, Any]:
        """All terms by name."""
        return dict(zip(TERMS, _terms(self), strict=True))


TERMS = tuple(found.name for found in fields(Terms))
"""The names of all terms."""
SWITCHES = tuple(found.name for found in fields(Terms) if "switch" in found.metadata)
"""The terms that have a row of their own in the lobby's options. The row's texts are `<name>.choose`, `<name>.on`,
`<name>.off` and the two with `_detail`; `<name>.line` is told of a lobby in which it is on, and `<name>.chosen` of its
match.
"""
_terms = attrgetter(*TERMS)
