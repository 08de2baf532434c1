"""Planted slips of a bot that trusts what it is sent. The fuzzing must find each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any

import discord
import pytest

import cogs.match.positions
import cogs.match.service
import cogs.tables
import data.records.match_rows
from cogs.match.lobby import Lobby
from cogs.match.refusals import Refused
from cogs.transport.interactions import Interactions
from data.records.hash_chain import move_link
from data.records.match import Chair, Match


class Slip(StrEnum):
    NONE = "none"
    CRASH = "crash"
    """A number in an id is read without a look at it."""
    STRANGER = "stranger"
    """Who sits nowhere is taken for who has the first seat."""
    OPEN = "open"
    """Presses are acknowledged before everybody, and so is the answer."""
    SILENT = "silent"
    """What is refused is not answered."""
    TWICE = "twice"
    """Who joins twice has two seats."""
    CHAIN = "chain"
    """The chain of the log leaves the text of a move out."""
    STATE = "state"
    """The position that is stored is the one before the move."""


def plant(patch: pytest.MonkeyPatch, slip: Slip) -> None:
    """Let the bot make that mistake, as long as the patch lasts."""
    if slip is not Slip.NONE:
        _SLIPS[slip](patch)


def _crash(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.tables, "number_in", lambda text: int(text or 0))


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

    async def join(lobby: Lobby, number: int, user: int, name: str) -> Match:
        try:
            return await usual(lobby, number, user, name)
        except Refused as error:
            if error.reason != "seated":
                raise
        async with lobby._service.deciding(number) as match:
            chairs = (*match.chairs, Chair(len(match.chairs), user, name))
            return await lobby._service.save(replace(match, chairs=chairs))

    patch.setattr(Lobby, "join", join)


def _chain(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(data.records.match_rows, "move_link", lambda *facts: move_link(*facts[:5], ""))


def _state(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.match.positions.turned

    def turned(match: Match, before: Any, after: Any, now: int) -> Match:
        return replace(usual(match, before, after, now), state=before.to_json())

    for module in (cogs.match.positions, cogs.match.service):
        patch.setattr(module, "turned", turned)


_SLIPS: dict[Slip, Callable[[pytest.MonkeyPatch], None]] = {
    Slip.CRASH: _crash,
    Slip.STRANGER: _stranger,
    Slip.OPEN: _open,
    Slip.SILENT: _silent,
    Slip.TWICE: _twice,
    Slip.CHAIN: _chain,
    Slip.STATE: _state,
}
