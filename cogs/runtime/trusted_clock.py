"""Whether the host's clock is to be believed, and what time it is if not.

The host's clock may jump: by an hour, by a day, to 1970. A second clock that only ever counts on (`time.monotonic`)
shows it. From the jump on time goes on as it was, counted by the second clock, and the time is in doubt; it is
believable again when the host's clock comes back, when Discord agrees with it, or when it has run evenly for a while
and is not before what has been believed already or is stored. Where the host's clock is wrong from the start, Discord's
time is kept to: all that the host's clock tells is set right by as much.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

TOLERANCE = 180
"""Seconds by which two clocks may differ."""
EVENLY = 900
"""Seconds that a clock must have run evenly after a jump, where nobody else tells the time."""
EARLIEST = 1_735_689_600
"""2025-01-01: before that there was no such program."""


class TrustedClock:
    """The time, from the host's `wall` clock (seconds since 1970) and a `steady` one (seconds since whenever)."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall = wall
        self._steady = steady
        self._ahead = 0.0
        """By how much the host's clock was ahead of Discord's at the start, where that is too much."""
        self._looked = False
        self._believed, self._then = wall(), steady()
        self._floor = float(EARLIEST)
        self._doubt: float | None = None
        """Since when in doubt, by the steady clock."""
        self._drift = 0.0
        self._told: float | None = None
        """What Discord's time is ahead of the steady clock, where it has been heard since the doubt began."""
        self.confirmed = False
        """Whether Discord has told the time since the start and the last doubt. Else nothing goes for its age."""

    def now(self) -> float:
        """Seconds since 1970 as far as they are believable: never a jump between two looks."""
        return self._believed + self._steady() - self._then

    def not_before(self, instant: float) -> None:
        """It cannot be earlier than this, unless Discord has said so: something that is stored happened then."""
        if self.confirmed:  # then by a clock that was wrong
            return
        self._floor = max(self._floor, instant)
        if self.now() < self._floor - TOLERANCE:
            self._believed, self._then = self._floor, self._steady()

    def heard(self, instant: float) -> None:
        """Discord says that it is this time, and its clock is right."""
        ahead = self._wall() - instant
        if self._doubt is not None:
            self._told = instant - self._steady()
            if abs(ahead) <= TOLERANCE:
                self._ahead = 0.0
        elif not self.confirmed:
            if abs(ahead) > TOLERANCE and not self._looked:
                log.warning("the clock of this machine is wrong by %+.0f s: Discord's is kept to", ahead)
                self._ahead, self._believed, self._then = ahead, instant, self._steady()
            self.confirmed = abs(self.now() - instant) <= TOLERANCE

    def sample(self) -> bool:
        """Compare the clocks; True when the time is believable. To be called every minute or so."""
        wall, steady = self._wall() - self._ahead, self._steady()
        self._looked = True
        sane = wall >= self._floor - TOLERANCE
        if sane and abs(wall - self.now()) <= TOLERANCE:
            believable = True  # as it was, or back again
        elif self._doubt is None:
            self._doubt, self._drift, self._told, believable = steady, wall - steady, None, False
            self.confirmed = False
        elif self._told is not None:
            believable = wall >= EARLIEST and abs(wall - steady - self._told) <= TOLERANCE
            self.confirmed = believable
        else:
            believable = sane and steady - self._doubt >= EVENLY
        if believable:
            self._believed, self._then, self._doubt, self._told = wall, steady, None, None
            self._floor = wall
        elif abs(wall - steady - self._drift) > TOLERANCE:  # it has jumped again
            self._doubt, self._drift = steady, wall - steady
        return believable
