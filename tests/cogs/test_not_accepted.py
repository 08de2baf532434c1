"""Discord accepts no pictures, or nothing at all, for a reason that no player can change."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from simcord.backend.errors import BackendError
from simcord.http import router

from cogs.messages.hand import hand_message
from cogs.transport import errors
from cogs.transport.errors import TO_DO, UNKNOWN
from rules import GAMES
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table, fewest_seats

CODES = (*TO_DO, 99_999)
"""Codes that are the operator's concern; the last one is not known to the bot."""


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(errors, "_warned", {})
    caplog.set_level(logging.WARNING)
    return caplog


def told_once(warned: pytest.LogCaptureFixture, code: int) -> None:
    """Check that the log tells the operator once of that code and what to do."""
    (line,) = [record.getMessage() for record in warned.records if f"code {code}" in record.getMessage()]
    assert line.endswith(TO_DO.get(code, UNKNOWN))


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_picture_that_discord_does_not_accept_arrives_in_words(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, warned: pytest.LogCaptureFixture, game: str
) -> None:
    """Hands, tables and answers to presses; the match is played on."""
    code = CODES[list(GAMES).index(game) % len(CODES)]
    send = router.dispatch

    def dispatch(*request: Any, files: list[Any] | None = None, **how: Any) -> Any:
        if files:
            raise BackendError(413 if code == 40005 else 400, code, "not accepted")
        return send(*request, files=files, **how)

    monkeypatch.setattr(router, "dispatch", dispatch)
    people = sim.join_server(*("alice", "bob", "carol")[: fewest_seats(game)])
    table = await Table.begin(sim, game, people, seed="words")
    for moves in range(4):
        match, state = await table.now()
        if not match.running:
            break
        for person in people:
            seat = match.seat_of(person.id)
            content = await hand_message(sim.app.messages, match, await sim.service.people.get(person.id))
            (picture,) = [part for part in content.parts if not isinstance(part, str)]
            first = picture.alt.split(",")[0].split(".")[0]
            assert first in "\n".join(words(raw(sim.hand(person)))).replace("\\", ""), f"seat {seat}"
        assert not sim.board().attachments
        shown = await sim.press(people[0], sim.board(), "My hand")
        assert shown.acknowledged and sim.said(shown)
        await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))
        assert (await table.now())[0].moves > moves
    for person in people:
        known = await sim.service.people.get(person.id)
        assert known.dm_works and not known.dm_refused
    told_once(warned, code)


@pytest.mark.parametrize("code", (20026, CODES[-1]))
async def test_no_player_is_told_to_change_settings_that_are_not_the_cause(
    sim: Simulation, warned: pytest.LogCaptureFixture, code: int
) -> None:
    """Discord takes no direct messages from the bot, as it has flagged it."""
    alice, bob = sim.join_server("alice", "bob")
    for person in (alice, bob):
        where = f"/channels/{person.user.dm_channel.id}/messages"
        sim.env.inject_error("POST", where, status=403, code=code, times=None)
    table = await Table.open(sim, "sea_change", [alice, bob], seed="flagged")
    for said in (
        await sim.forge(bob, "1/1/leave//") + await sim.forge(bob, "1/1/join//"),
        await sim.slash(alice, "settings"),
        await sim.slash(alice, "settings", table=table.number),
        await sim.slash(alice, "doctor"),
    ):
        assert "Discord is not letting me send" in said and "settings are not the cause" in said
        assert "allow" not in said and "Privacy Settings" not in said
    await sim.press(alice, sim.board(), "Start")
    awaited = await table.mover()
    mention = sim.pings()
    assert awaited.id in mention, "the table calls them instead"
    shown = await sim.press(awaited, sim.board(), "My hand")
    assert shown.response is not None and shown.response.message.attachments
    told_once(warned, code)

    sim.env.backend.faults.clear()
    assert "Discord is not letting me send" not in await sim.forge(alice, "1/0/setting//ping", values=["dm"])
    known = await sim.service.people.get(alice.id)
    assert known.dm_works and not known.dm_refused


async def test_that_a_user_is_no_member_is_an_answer_and_no_concern_of_the_operator(
    sim: Simulation, warned: pytest.LogCaptureFixture
) -> None:
    (alice,) = sim.join_server("alice")
    sim.env.backend.remove_member(sim.guild.id, alice.id)
    members = sim.app.publisher.members
    assert members is not None and await members.is_gone(sim.guild.id, alice.id)
    assert await sim.app.publisher.servers.visit(sim.guild.id, sim.channel.id, alice.id) is None
    assert warned.records == []
