"""What waits for a player, in the order in which it is listed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match.agenda import Attention, attention, in_order, open_of, others_than, waiting_for
from data.records.deadlines import SeatClock
from data.records.match import Match, Status
from tests.support.matches import ONE, THREE, TWO, seated

HELD = 66
"""The number of the match that is in quarantine."""
SOUND = range(1, HELD)


def table(number: int, **more: Any) -> Match:
    """A match of two, in which seat 0 is to move unless its number is odd."""
    return seated(ONE, TWO, **{"id": number, "turn_since": 100 + number, **more})


class Service:
    """The part of a match service that an agenda uses."""

    def __init__(self, *matches: Match) -> None:
        self.checked: list[int] = []
        self.quarantine = SimpleNamespace(sound=set(SOUND), fault=self._fault)
        self._matches = list(matches)
        self.index = self

    async def _fault(self, match: Match) -> None:
        self.checked.append(match.id)
        if match.id != HELD:
            self.quarantine.sound.add(match.id)

    async def of_player(self, user: int, known: Match | None = None) -> list[Match]:
        return self._matches

    def state(self, match: Match) -> Any:
        return SimpleNamespace(to_move=lambda: {match.id % 2})


@pytest.mark.parametrize(
    ("match", "user", "expected"),
    [
        (table(2), ONE, Attention.YOURS),
        (table(2), TWO, Attention.OTHERS),
        (table(2), THREE, Attention.RESTING),
        (table(2, paused_at=5), ONE, Attention.RESTING),
        (table(2, rests_since=5), ONE, Attention.RESTING),
        (table(HELD), ONE, Attention.RESTING),
        (table(2, status=Status.LOBBY), ONE, Attention.LOBBY),
        (table(2, clocks=(SeatClock(0, away=5),)), ONE, Attention.AWAY),
        (table(2, clocks=(SeatClock(0), SeatClock(1, away=5))), ONE, Attention.YOURS),
    ],
)
def test_what_a_match_needs_from_a_player(match: Match, user: int, expected: Attention) -> None:
    service: Any = Service()
    assert attention(service, match, user) is expected


def ends(seat: int, instant: int) -> tuple[SeatClock, ...]:
    return (SeatClock(seat, ends=instant),)


def test_matches_are_in_order_of_what_they_need_then_of_their_time_then_of_the_wait() -> None:
    soon, late = table(2, clocks=ends(0, 500)), table(4, clocks=ends(0, 600))
    longest, shorter = table(8, turn_since=50), table(6, turn_since=60)
    theirs, theirs_later = table(5, clocks=ends(1, 300)), table(3, clocks=ends(1, 400))
    rests = replace(table(10, clocks=ends(0, 1)), rests_since=5)
    early_lobby = table(14, status=Status.LOBBY, turn_since=None, opened_at=1)
    late_lobby = table(12, status=Status.LOBBY, turn_since=None, opened_at=2)
    expected = [soon, late, longest, shorter, theirs, theirs_later, early_lobby, late_lobby, rests]
    service: Any = Service()
    assert in_order(service, reversed(expected), ONE) == expected
    assert in_order(service, expected, ONE) == expected


async def test_matches_that_wait_for_the_player_are_found_after_all_are_verified() -> None:
    service: Any = Service(table(3), table(4), table(HELD), table(2))
    service.quarantine.sound.clear()
    assert [match.id for match in await open_of(service, ONE)] == [3, 4, HELD, 2]
    assert service.checked == [3, 4, HELD, 2]
    assert [match.id for match in await waiting_for(service, ONE)] == [2, 4]
    assert service.checked == [3, 4, HELD, 2, HELD], "a sound match is verified once"


def test_next_visits_all_of_them() -> None:
    waiting = [table(number) for number in (2, 4, 6)]
    assert [match.id for match in others_than(4, waiting)] == [6, 2]
    assert [match.id for match in others_than(8, waiting)] == [2, 4, 6]
