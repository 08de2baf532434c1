"""Why a table refuses, and the checks that everything which is done at one has in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from data.records.match import Match, RestoreCheck, Status
from data.store.database import NotStored

PAUSE = 30 * 86_400
"""Seconds that a match waits for the bot to be asked back to its server."""


class Refused(Exception):
    """The table refuses, for the reason whose sentence is `refused.<key>` in data/locales/<language>/common.toml."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


@contextmanager
def stored() -> Iterator[None]:
    """Around a change that counts when it is stored: Refused, where the database takes nothing."""
    try:
        yield
    except NotStored as error:
        raise Refused("not_stored") from error


def paused_until(match: Match) -> int:
    """When a match that pauses ends, if the bot is not asked back before."""
    assert match.paused_at is not None
    return match.paused_at + PAUSE


def check_there(match: Match) -> None:
    """Refused where the bot is not in the match's server: until it is back nothing changes. Nor does anything while a
    restored backup has not been compared with what Discord shows.
    """
    if match.paused:
        raise Refused("paused", until=f"<t:{paused_until(match)}:D>")
    if match.doubt is RestoreCheck.UNCHECKED:
        raise Refused("unchecked")


def check_playing(match: Match) -> None:
    """Refused where the match is none that is being played. It may rest by a vote."""
    check_there(match)
    if match.status is not Status.PLAYING:
        raise Refused("not_started" if match.status is Status.LOBBY else f"is_{match.ending}")


def check_lobby(match: Match) -> None:
    """Refused where the match is no lobby any more."""
    check_there(match)
    if match.status is not Status.LOBBY:
        raise Refused("started" if match.status is Status.PLAYING else f"is_{match.ending}")


def check_may_cut(match: Match, user: int) -> None:
    """Refused where that person does not sit in the lobby, or has cut already."""
    check_lobby(match)
    if match.chairs[seat_or_refuse(match, user)].cut is not None:
        raise Refused("has_cut")


def unseated(match: Match, user: int) -> Refused:
    """Why somebody who does not sit there may do nothing."""
    former = match.former_seat(user)
    return Refused("not_seated" if former is None else "removed" if former.removed else "no_longer_seated")


def seat_or_refuse(match: Match, user: int) -> int:
    """The player's seat. Refused if they do not sit there."""
    seat = match.seat_of(user)
    if seat is None:
        raise unseated(match, user)
    return seat


def check_seated(match: Match, user: int) -> None:
    """Refused if that player does not sit there."""
    seat_or_refuse(match, user)
