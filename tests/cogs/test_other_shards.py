"""A match whose server another process hears: this one shows it all the same, by requests alone."""

from __future__ import annotations

import logging
from typing import Any

import discord
import pytest

from cogs.transport import request_budget
from cogs.transport.request_budget import SLOW, STOP
from cogs.transport.server_lookup import KNOWN_FOR, ServerLookup
from data.records.match import Status
from data.records.shards import Standing
from tests.cogs.managing import manager
from tests.cogs.test_doctor import own_bot
from tests.support.inside import forget_server
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table


def give_away(sim: Simulation) -> None:
    """Let the shard of the server be another process's: it is in no cache here."""
    shards = sim.bot.shards
    shards.total, shards.standing = 1, Standing({}, frozenset(), 0, 2, 2)
    forget_server(sim.bot, sim.guild.id)
    assert not list(sim.bot.guilds)


async def test_a_match_goes_on_from_direct_messages_and_its_table_is_shown(sim: Simulation, tide: Table) -> None:
    give_away(sim)
    before = (await sim.match()).moves
    cursor = sim.cursor
    people = {person.id: person for person in tide.people}
    for _ in range(4):
        match = await sim.match()
        (seat,) = sim.service.state(match).to_move()
        person = people[match.chairs[seat].user]
        hand = sim.hand(person)
        move = next(c for c in controls(raw(hand)) if "/move/" in c)
        await sim.press(person, hand, move)
    await sim.caught_up()
    match = await sim.match()
    assert match.moves == before + 4
    assert match.status is Status.PLAYING
    assert [shown for shown in sim.public(cursor) if shown.method == "PATCH"], "the table is edited"
    assert not list(sim.bot.guilds)


async def test_what_another_process_hears_of_is_not_taken_for_left(sim: Simulation, tide: Table) -> None:
    owners: Any = sim.bot.get_cog("Guilds")
    give_away(sim)

    async def gone(*arguments: Any, **how: Any) -> None:
        raise AssertionError("not this process's to ask")

    sim.bot.fetch_guild = gone  # type: ignore[method-assign]
    await owners.look_round()
    assert not (await sim.match()).paused
    sim.bot.shards.standing.held[0] = 1  # type: ignore[union-attr]
    with pytest.raises(AssertionError):
        await owners.look_round()


async def test_the_list_of_games_names_a_server_that_must_be_asked_for(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    give_away(sim)
    said = sim.said(await alice.user.slash("games"))
    assert "Forest" in said


async def test_a_server_is_asked_for_once_in_five_minutes_and_a_failure_is_not_remembered() -> None:
    asked, now, answer = [], [0.0], [None]

    class Client:
        def get_guild(self, guild: int) -> None:
            raise AssertionError("its cache knows nothing of that server")

        async def fetch_guild(self, guild: int, **how: Any) -> Any:
            asked.append(guild)
            if answer[0] is None:
                raise discord.DiscordServerError(Response(503), "")
            return answer[0]

    class Response:
        reason = ""

        def __init__(self, status: int) -> None:
            self.status = status

    lookup = ServerLookup(Client(), lambda guild: False, lambda: now[0])  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(Exception, match="LATER"):
            await lookup.is_there(5)
    answer[0] = object()  # type: ignore[call-overload]
    assert [await lookup.is_there(5) for _ in range(3)] == [True] * 3
    assert len(asked) == 3
    now[0] += KNOWN_FOR
    assert await lookup.is_there(5)
    assert len(asked) == 4


async def test_doctor_says_that_discord_refuses_requests(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_budget, "log", logging.Logger("unheard"))
    mona = manager(sim)
    own_bot(sim, mona)
    for count, sign in ((SLOW, "only tables"), (STOP - SLOW, "only answer you")):
        for _ in range(count):
            sim.bot.budget.heard("/api/v10/channels/1/messages", 403, "")
        assert sign in await sim.slash(mona, "doctor")
