"""The base class of events that hide nothing."""

from __future__ import annotations

from typing import Self

from rules.core.game import Seat


class PublicEvent:
    """An event that every viewer sees in full."""

    __slots__ = ()

    def seen_by(self, viewer: Seat | None) -> Self:
        """Return the event itself."""
        return self
