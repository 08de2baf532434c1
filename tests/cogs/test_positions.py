"""Cached positions are never those of another version. The seats to move say which player is left alone."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match.positions import LoggedEvent, PositionCache, left_alone, turned
from data.records.deadlines import SeatClock
from tests.support.matches import ONE, THREE, TWO, seated

EVENTS: Any = [LoggedEvent(0, ())]


def cache() -> PositionCache:
    """Return a cache for a game whose state is its stored text."""
    games: Any = {"sea_change": SimpleNamespace(from_json=lambda stored: stored["state"])}
    return PositionCache(games)


def at(version: int, state: Any = None) -> Any:
    return replace(seated(ONE, TWO), version=version, state={"state": state or f"stored {version}"})


def test_a_position_is_read_once_for_each_version() -> None:
    kept = cache()
    assert kept.at(at(5)).state == "stored 5"
    assert kept.at(at(5, "read again")).state == "stored 5", "it is kept"
    assert kept.at(at(6)).state == "stored 6"
    assert kept.at(at(5, "read again")).state == "read again"
    assert kept.at(at(6, "read again")).state == "stored 6", "an older one does not displace it"


def test_events_belong_to_the_version_that_is_kept() -> None:
    kept = cache()
    assert kept.events(at(5)) is None
    kept.keep_events(at(5), EVENTS)
    assert kept.events(at(5)) is None, "no position is kept"
    kept.at(at(5))
    kept.keep_events(at(4), EVENTS)
    assert kept.events(at(5)) is None
    kept.keep_events(at(5), EVENTS)
    assert kept.events(at(5)) is EVENTS
    assert kept.at(at(5)).events is EVENTS
    assert kept.at(at(6)).events is None


def test_a_new_version_of_the_same_position_takes_it_over() -> None:
    kept = cache()
    kept.same_position(at(5), at(6))
    kept.at(at(5))
    kept.same_position(at(5), at(6))
    assert kept.at(at(6, "read again")).state == "stored 5"
    kept.same_position(at(5), at(7))
    assert kept.at(at(7)).state == "stored 7", "another change came between"
    kept.forget(1)
    assert kept.at(at(7, "read again")).state == "read again"


def asks(*seats: int, turn: str = "t") -> Any:
    """A position that asks these seats for a decision."""
    return SimpleNamespace(to_move=lambda: frozenset(seats), turn=lambda seat: f"{turn}{seat}", to_json=dict)


@pytest.mark.parametrize(
    ("before", "after", "alone"),
    [
        (asks(0, 1), asks(1), "t1"),
        (asks(0, 1, 2), asks(1, 2), ""),
        (asks(0), asks(1), ""),
        (asks(0, 1), asks(1, turn="next "), ""),
        (asks(0, 1), asks(), ""),
        (asks(1), asks(1), "as it was"),
    ],
)
def test_a_player_is_left_alone_once_all_others_have_decided(before: Any, after: Any, alone: str) -> None:
    assert left_alone(seated(ONE, TWO, THREE, alone="as it was"), before, after) == alone


def test_computers_and_absent_players_leave_no_other_player_alone() -> None:
    """Seat 1 has a computer or an absent player: seat 0 was the only player to decide before, and still is."""
    gone = SeatClock(1, away=5)
    for match in (seated(ONE, None, THREE), seated(ONE, TWO, THREE, clocks=(gone,))):
        assert left_alone(match, asks(0, 1), asks(0)) == ""
    there = seated(ONE, TWO, THREE, clocks=(SeatClock(1),))
    assert left_alone(there, asks(0, 1), asks(0)) == "t0"


def test_a_turn_begins_when_a_seat_must_make_a_new_decision() -> None:
    match = seated(ONE, TWO)
    assert turned(match, asks(0), asks(0), 9).turn_since == match.turn_since
    assert turned(match, asks(0), asks(1), 9).turn_since == 9
    assert turned(match, asks(0), asks(0, turn="next "), 9).turn_since == 9
