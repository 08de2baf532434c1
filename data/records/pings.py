"""What a player is pinged for, as values. Their texts never change: they are stored, and part of nonces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

_PING = re.compile(
    r"(?:away (?P<away>0|[1-9]\d*)(?: vote (?P<away_vote>[1-9]\d*))?|(?P<end>the end)|vote (?P<vote>[1-9]\d*)"
    r"|(?P<turn>\S+?)(?: (?P<nudges>[1-9]\d*))?(?P<last> last)?(?: vote (?P<and_vote>[1-9]\d*))?)",
    re.ASCII,
)
_OF_SEAT = re.compile(r"(0|[1-9]\d*) (\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ping:
    """What a player is pinged for once: their turn, a nudge in it, a vote, that a computer plays for them, or the end.

    The texts are "3.1" (a turn), "3.1-2" (after two undos), "3.1 1" (its first nudge), "3.1 last" (all others have
    decided), "vote 1700000000" (a vote that was opened then), "3.1 vote 1700000000" (both), "away 1700000000" (a
    computer plays since then; "away 1700000000 vote 1690000000" after that vote) and "the end" (the match has ended).
    """

    turn: str
    """The turn token, followed by "-" and the number of undos if there were any; "" if it is not for a turn."""
    nudges: int = 0
    """How many nudges this turn has had, with this one."""
    last: bool = False
    """Whether the table waits for this player alone."""
    away: int | None = None
    """Since when a computer plays for the player, in seconds since 1970; None if it does not."""
    ended: bool = False
    """Whether it says that the match has ended."""
    vote: int | None = None
    """When the newest vote was opened that the player has not answered, in seconds since 1970; None without one."""

    def __str__(self) -> str:
        if self.ended:
            return "the end"
        turn = f"{self.turn}{f' {self.nudges}' if self.nudges else ''}{' last' if self.last else ''}"
        if self.away is not None:
            turn = f"away {self.away}"
        return " ".join(filter(None, (turn, f"vote {self.vote}" if self.vote is not None else "")))

    @classmethod
    def parse(cls, text: str) -> Ping | None:
        """Return the ping of a stored text; None of "". Any other text is a turn's."""
        found = _PING.fullmatch(text)
        if found is None:
            return cls(text) if text else None
        if found["end"] is not None:
            return THE_END
        said = found["vote"] or found["and_vote"] or found["away_vote"]
        vote = None if said is None else int(said)
        if found["away"] is not None:
            return cls("", away=int(found["away"]), vote=vote)
        if found["vote"] is not None:
            return cls("", vote=vote)
        return cls(found["turn"], int(found["nudges"] or 0), found["last"] is not None, vote=vote)

    @property
    def not_last(self) -> Ping:
        """The same ping, whether the table waits for this player alone or not."""
        return replace(self, last=False)

    @property
    def of_turn(self) -> Ping:
        """The first ping of the same turn, or this one if a computer plays or the match has ended; without a vote."""
        return replace(self, nudges=0, last=False, vote=None)

    @property
    def of_vote(self) -> Ping | None:
        """The ping for its vote alone; None without one."""
        return None if self.vote is None else Ping("", vote=self.vote)

    def says_more(self, other: Ping | None) -> bool:
        """Return whether this is a later ping for the same turn."""
        if other is None or self.of_turn != other.of_turn:
            return False
        return (self.nudges, self.last, self.vote or 0) > (other.nudges, other.last, other.vote or 0)


THE_END = Ping("", ended=True)
"""The ping that says that the match has ended."""


@dataclass(frozen=True, slots=True)
class SeatPings:
    """Pings by seat, in the order in which they are stored."""

    pings: tuple[tuple[int, Ping], ...] = ()

    def get(self, seat: int) -> Ping | None:
        """Return the ping of that seat, or None."""
        return dict(self.pings).get(seat)

    def to_json(self) -> str:
        """The text of the pings that a mention is being sent for."""
        return json.dumps({seat: str(ping) for seat, ping in self.pings})

    @classmethod
    def from_json(cls, text: str) -> SeatPings | None:
        """Return the pings of such a text; None of any other text."""
        try:
            found = json.loads(text) if text.startswith("{") else None
            read = None if found is None else [(int(seat), Ping.parse(ping)) for seat, ping in found.items()]
        except (TypeError, ValueError):  # a damaged text must not make the match's posts unreadable
            return None
        return None if read is None else cls.of(read)

    def __str__(self) -> str:
        """The text of the turns for which a table has mentioned players again: "0 3.1,2 away 1700000000"."""
        return ",".join(f"{seat} {ping}" for seat, ping in self.pings)

    @classmethod
    def parse(cls, text: str) -> SeatPings:
        """Return the pings of such a text. Other parts of it, such as an older version left, mean nothing."""
        found = [_OF_SEAT.fullmatch(part) for part in text.split(",")]
        return cls.of((int(part[1]), Ping.parse(part[2])) for part in found if part is not None)

    @classmethod
    def of(cls, pings: Iterable[tuple[int, Ping | None]]) -> SeatPings:
        """Return these pings, without the seats that have none."""
        return cls(tuple((seat, ping) for seat, ping in pings if ping is not None))


NO_PINGS = SeatPings()
