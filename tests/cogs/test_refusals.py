"""The checks that several changes of a match share, and what makes a verdict good."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match.refusals import (
    Refused,
    check_lobby,
    check_may_cut,
    check_playing,
    check_seated,
    stored,
)
from cogs.match.table_options import move_table
from cogs.match.verification import Computers, Verdict
from data.records.match import Former, RestoreCheck, Status
from data.store.database import NotStored
from tests.support.matches import ONE, THREE, TWO, refusal, seated

LOBBY = seated(ONE, TWO, status=Status.LOBBY)
PLAYING = seated(ONE, TWO)


def reason(work: Any, *args: object) -> str:
    """Return why it is refused; "" if it is not."""
    try:
        work(*args)
    except Refused as refused:
        return refused.reason
    return ""


@pytest.mark.parametrize(
    ("match", "in_lobby", "in_play"),
    [
        (LOBBY, "", "not_started"),
        (PLAYING, "started", ""),
        (replace(PLAYING, rests_since=5), "started", ""),
        (replace(LOBBY, paused_at=5), "paused", "paused"),
        (replace(PLAYING, paused_at=5), "paused", "paused"),
        (replace(PLAYING, doubt=RestoreCheck.UNCHECKED), "unchecked", "unchecked"),
        (replace(PLAYING, status=Status.STOPPED), "is_stopped", "is_stopped"),
    ],
)
def test_each_change_is_refused_outside_its_phase(match: Any, in_lobby: str, in_play: str) -> None:
    assert (reason(check_lobby, match), reason(check_playing, match)) == (in_lobby, in_play)


def test_a_user_who_does_not_sit_there_is_told_why() -> None:
    match = replace(PLAYING, former=(Former(THREE, 0), Former(104, 1, removed=True)))
    assert [reason(check_seated, match, user) for user in (ONE, THREE, 104, 105)] == [
        "",
        "no_longer_seated",
        "removed",
        "not_seated",
    ]
    ended = replace(match, status=Status.STOPPED)
    assert [reason(check_seated, ended, user) for user in (ONE, THREE, 104, 105)] == [
        "",
        "not_at_end",
        "removed",
        "not_at_end",
    ]


def test_each_player_cuts_once_and_before_the_start() -> None:
    first, second = LOBBY.chairs
    match = replace(LOBBY, chairs=(replace(first, cut=""), second))
    assert [reason(check_may_cut, match, user) for user in (ONE, TWO, THREE)] == ["has_cut", "", "not_joined"]
    assert reason(check_may_cut, PLAYING, TWO) == "started"


def test_a_change_that_is_not_stored_is_refused() -> None:
    with pytest.raises(Refused) as refused, stored():
        raise NotStored
    assert refused.value.reason == "not_stored"


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (replace(PLAYING, paused_at=5), "paused"),
        (replace(PLAYING, doubt=RestoreCheck.UNCHECKED), "unchecked"),
        (replace(PLAYING, status=Status.OVER), "is_over"),
        (replace(PLAYING, place=9), "here_already"),
    ],
)
async def test_a_manager_too_moves_no_table_that_is_to_stay(match: Any, why: str) -> None:
    @asynccontextmanager
    async def deciding(number: int) -> AsyncIterator[Any]:
        yield match

    service: Any = SimpleNamespace(deciding=deciding)
    assert await refusal(move_table(service, 1, ONE, 9, manager=True)) == why


def test_a_verdict_is_good_only_if_all_of_it_is() -> None:
    good = Verdict("secret", "commitment", "seed", (), (), None, True, Computers(), b"")
    assert good.good
    assert replace(good, seats=True).good
    forged = replace(good, computers=Computers(wrong=(3,)))
    for wrong in (replace(good, faults=(0,)), replace(good, seats=False), replace(good, same_end=False), forged):
        assert not wrong.good
