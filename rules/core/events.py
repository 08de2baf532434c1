"""What games' events share."""

from __future__ import annotations

from typing import Self

from rules.core.game import Seat


class PublicEvent:
    """An event that everybody sees all of."""

    __slots__ = ()

    def seen_by(self, viewer: Seat | None) -> Self:
        return self
