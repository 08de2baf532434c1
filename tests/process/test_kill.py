"""kill -9 in the middle of a match, start again: the old buttons work, nothing is lost, nothing is shown twice."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.process.loopback import until
from tests.process.world import World, match, offered

MOMENTS = {
    "before the acknowledgement": lambda m, path: path.endswith("/callback"),
    "after the commit, before the player is told": lambda m, path: (m, path[-9:]) == ("PATCH", "@original"),
    "while the table is edited": lambda m, path: m == "PATCH" and re.search(r"/channels/\d+/messages/\d+$", path),
    "while the next hand is sent": lambda m, path: m == "POST" and re.search(r"/channels/\d+/messages$", path),
    "while the last hand is deleted": lambda m, path: m == "DELETE",
}


async def stopped_or_recorded(world: World, press: asyncio.Task[Any], before: int) -> bool:
    """Wait until Discord stops at the gate, or the press is answered and its move recorded."""
    stopped = world.discord.stopped.is_set
    return await until(lambda: stopped() or (press.done() and len(world.moves()) > before))


@pytest.mark.parametrize("moment", MOMENTS)
async def test_killed_at_that_moment_the_match_goes_on(tmp_path: Path, moment: str) -> None:
    random = Random(moment)
    async with match(tmp_path, "ann", "ben") as world:
        for _ in range(3):
            await world.play(random)
        for _ in range(8):  # not every move leads to every moment: the winner of a trick gets no new hand
            assert await until(lambda: world.discord.stopped.is_set() or world.mover())
            if world.discord.stopped.is_set():
                break
            found = world.mover()
            assert found is not None
            user, hand = found
            pressed, before = random.choice(offered(hand)), world.moves()
            world.discord.gate = lambda method, path: bool(MOMENTS[moment](method, path))
            press = asyncio.create_task(
                world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
            )
            assert await stopped_or_recorded(world, press, len(before))
        assert world.discord.stopped.is_set(), "that moment never came"
        await world.kill()
        press.cancel()
        recorded = world.moves()
        assert recorded in (before, [*before, pressed.rsplit("/", 1)[1]])
        old_board = world.board

        await world.start()
        # The old board's button works.
        answer = await world.discord.press(user, world.channel, old_board, "1/1/hand//")
        assert answer.responded
        assert answer.ephemeral
        # The press that got no answer, again: it is recorded once, whether it was before or is only now.
        await world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
        assert await until(lambda: world.moves() == [*before, pressed.rsplit("/", 1)[1]])
        for _ in range(3):
            await world.play(random)
        assert await until(lambda: len(world.tables) == 1), "the table is shown once"
        assert await until(lambda: sum(len(world.hands(user)) for user in world.people) == 1), "one hand has moves"
