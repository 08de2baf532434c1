"""The benchmark of many servers, in small: its matches are as the bot stores them, its Discord tells of all servers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from pathlib import Path

import pytest

from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from cogs.transport import shards
from data.records.leases import Leases
from data.records.matches import Matches
from data.records.people import People
from data.records.post_rows import place_of, user_of
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from tests.benchmarks.many.discord import ManyServers, most_in_a_second, server_id
from tests.benchmarks.many.matches import Crowd, fill
from tests.process.launch import use_local_discord
from tests.process.loopback import until
from tests.process.test_gateway import connected

MATCHES = 6


async def test_the_matches_are_sound_shown_and_at_rest_and_can_be_played_on(url: str) -> None:
    people = [(user, 1000 + user) for user in range(100, 150)]
    crowd = Crowd(people, [(server_id(at), 500 + at) for at in range(MATCHES)])
    await fill(url, MATCHES, crowd, played=1, depths=(0.2, 0.6), games=("full_circle",))
    database = await Database.open(url)
    try:
        matches, now = Matches(database), int(time.time())
        service = MatchService(matches, People(database), GAMES)
        await service.quarantine.sweep()
        assert service.quarantine.sound == set(range(1, MATCHES + 1))
        assert await matches.posts.behind() == []
        assert await Leases(database, "a process").take_left(now - 86_400, 20) == []
        messages = Counter[int]()
        for number in range(1, MATCHES + 1):
            match = await service.load(number)
            assert (match.guild, match.place) == crowd.place(number)
            for post in await matches.posts.of(number):
                assert post.message == crowd.message(number, place_of(post))
                assert user_of(post) is None or (user_of(post), post.channel) in people
                messages[post.message] += 1
            seat = min(service.state(match).to_move() & {chair.number for chair in match.people})
            user = match.chairs[seat].player
            await service.play(number, user, None, str(service.state(match).legal_moves(seat)[0]))
        assert max(messages.values()) == 1
        opened = await Lobby(service).open(
            "full_sun", guild=1, channel=1, user=100, name="One", terms=Terms(locale="en-US")
        )
        assert opened.id == MATCHES + 1
    finally:
        await database.close()


async def test_its_gateway_tells_of_each_server_once_and_hears_presses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "EVERY", 0.05)
    database = await Database.open(tmp_path / "bot.db")
    async with ManyServers(7, shards=3) as discord:
        use_local_discord(discord.origin)
        crowd = discord.settle(matches=2, people=4)
        async with connected(database) as (client, _):
            assert await until(lambda: client.shards.up == 3)
            assert {guild.id for guild in client.guilds} == {server_id(at) for at in range(7)}
            assert all(len(guild.channels) == 12 and not guild.unavailable for guild in client.guilds)
            (user, direct), (guild, channel) = crowd.people[0], crowd.place(1)
            discord.backend.add_member(guild, user)
            for place in (direct, channel):
                discord.show(place, crowd.message(1, -1))
                message = discord.backend.messages[place][crowd.message(1, -1)]
                discord.send(3, user, place, {"component_type": 2, "custom_id": "1/1/hand//"}, message)
            assert await until(lambda: client.heard == [direct, channel])
            assert discord.counted, "its own login counts among the requests"
    await database.close()
    await asyncio.sleep(0)


def test_the_most_requests_in_any_second_are_counted() -> None:
    instants = deque([0.0, 0.5, 0.9, 1.4, 1.45, 9.0])
    assert most_in_a_second(instants, 0.0, 10.0) == 4
    assert most_in_a_second(instants, 1.42, 10.0) == 1
