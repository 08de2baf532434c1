"""Seeded bugs of a bot that trusts its input. The fuzzing must find each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any

import discord
import pytest

import cogs.games
import cogs.hand_help
import cogs.history
import cogs.match.positions
import cogs.match.service
import cogs.match.undo
import cogs.replay
import cogs.tables
import data.records.match_rows
from cogs.match.lobby import Lobby
from cogs.match.refusals import Refused
from cogs.transport.interactions import Interactions
from data.records.match import Chair, Match
from data.store.hash_chain import move_link
from tests.support.inside import service_of


class InputBug(StrEnum):
    NONE = "none"
    CRASH = "crash"
    """A number in an id is parsed without a check."""
    STRANGER = "stranger"
    """A user without a seat counts as the player of the first seat."""
    OPEN = "open"
    """Presses are acknowledged publicly, so their answers are public."""
    SILENT = "silent"
    """A refused press is not answered."""
    TWICE = "twice"
    """A user who joins twice gets two seats."""
    CHAIN = "chain"
    """The hash chain of the log leaves out the text of a move."""
    STATE = "state"
    """The stored position is the one before the move."""


def seed_bug(patch: pytest.MonkeyPatch, bug: InputBug) -> None:
    if bug is not InputBug.NONE:
        _BUGS[bug](patch)


def _crash(patch: pytest.MonkeyPatch) -> None:
    for readers in (cogs.games, cogs.hand_help, cogs.history, cogs.replay, cogs.tables):
        patch.setattr(readers, "number_in", lambda text, otherwise=0: int(text or otherwise))


def _stranger(patch: pytest.MonkeyPatch) -> None:
    usual = Match.seat_of

    def seat_of(match: Match, user: int) -> int | None:
        seat = usual(match, user)
        return 0 if seat is None and match.state is not None else seat

    patch.setattr(Match, "seat_of", seat_of)


def _open(patch: pytest.MonkeyPatch) -> None:
    usual = discord.InteractionResponse.defer

    async def defer(response: Any, *, ephemeral: bool = False, thinking: bool = False) -> None:
        await usual(response, thinking=thinking)

    patch.setattr(discord.InteractionResponse, "defer", defer)


def _silent(patch: pytest.MonkeyPatch) -> None:
    usual = Interactions.attempt

    async def attempt(app: Interactions, interaction: Any, work: Any, acknowledged: float) -> Any:
        async def quiet() -> Any:
            try:
                return await work()
            except Refused:
                return None

        return await usual(app, interaction, quiet, acknowledged)

    patch.setattr(Interactions, "attempt", attempt)


def _twice(patch: pytest.MonkeyPatch) -> None:
    usual = Lobby.join

    async def join(lobby: Lobby, number: int, user: int, name: str, *, accepts: bool = False) -> Match:
        try:
            return await usual(lobby, number, user, name, accepts=accepts)
        except Refused as error:
            if error.reason != "seated":
                raise
        async with service_of(lobby).deciding(number) as match:
            chairs = (*match.chairs, Chair(len(match.chairs), user, name))
            return await service_of(lobby).save(replace(match, chairs=chairs))

    patch.setattr(Lobby, "join", join)


def _chain(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(data.records.match_rows, "move_link", lambda *facts: move_link(*facts[:5], ""))


def _state(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.match.positions.turned

    def turned(match: Match, before: Any, after: Any, now: int) -> Match:
        return replace(usual(match, before, after, now), state=before.to_json())

    for module in (cogs.match.positions, cogs.match.service, cogs.match.undo):
        patch.setattr(module, "turned", turned)


_BUGS: dict[InputBug, Callable[[pytest.MonkeyPatch], None]] = {
    InputBug.CRASH: _crash,
    InputBug.STRANGER: _stranger,
    InputBug.OPEN: _open,
    InputBug.SILENT: _silent,
    InputBug.TWICE: _twice,
    InputBug.CHAIN: _chain,
    InputBug.STATE: _state,
}
