"""Decides whether the system clock can be trusted, and counts the time while it cannot.

The system clock may jump: by an hour, by a day, to 1970. A steady clock that never goes back (`time.monotonic`) shows
such a jump. After a jump the steady clock counts the time on, and the time is in doubt. It is trusted again when the
system clock comes back, when Discord's time agrees with it, or when it has run evenly for a while and is not earlier
than the trusted time so far or a stored instant. If the system clock is wrong from the start, it is corrected by its
difference to Discord's time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

TOLERANCE = 180
"""Seconds by which two clocks may differ."""
EVENLY = 900
"""Seconds that the clock must run evenly after a jump if Discord's time is not known."""
EARLIEST = 1_735_689_600
"""2025-01-01: this program is not older."""


class TrustedClock:
    """The time, from the system's `wall` clock (seconds since 1970) and a `steady` one (seconds from any start)."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall = wall
        self._steady = steady
        self._ahead = 0.0
        """Seconds by which the system clock was ahead of Discord's at the start, if more than the tolerance."""
        self._looked = False
        self._believed, self._then = wall(), steady()
        self._floor = float(EARLIEST)
        self._doubt: float | None = None
        """Since when the time is in doubt, by the steady clock; None if it is trusted."""
        self._drift = 0.0
        self._told: float | None = None
        """Discord's time less the steady clock, if it was heard since the doubt began."""
        self.confirmed = False
        """Whether Discord's time agreed since the start and the last doubt. Only then is old data deleted."""

    def now(self) -> float:
        """Return the trusted time in seconds since 1970. It never jumps between two samples."""
        return self._believed + self._steady() - self._then

    def not_before(self, instant: float) -> None:
        """Take a stored instant as the earliest possible time, unless Discord's time has confirmed an earlier one."""
        if self.confirmed:  # the instant is from a clock that was wrong
            return
        self._floor = max(self._floor, instant)
        if self.now() < self._floor - TOLERANCE:
            self._believed, self._then = self._floor, self._steady()

    def heard(self, instant: float) -> None:
        """Take the time in an answer of Discord, which is right."""
        ahead = self._wall() - instant
        if self._doubt is not None:
            self._told = instant - self._steady()
            if abs(ahead) <= TOLERANCE:
                self._ahead = 0.0
        elif not self.confirmed:
            if abs(ahead) > TOLERANCE and not self._looked:
                log.warning("the clock of this machine is wrong by %+.0f s: Discord's is kept to. Set it by NTP", ahead)
                self._ahead, self._believed, self._then = ahead, instant, self._steady()
            self.confirmed = abs(self.now() - instant) <= TOLERANCE

    def sample(self) -> bool:
        """Compare the clocks, and return whether the time is trusted. Call it about every minute."""
        wall, steady = self._wall() - self._ahead, self._steady()
        self._looked = True
        sane = wall >= self._floor - TOLERANCE
        if sane and abs(wall - self.now()) <= TOLERANCE:
            believable = True  # it never jumped, or it is back
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
