"""kill -9 in the middle of a match, start again: the old buttons work, nothing is lost, nothing is shown twice."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import LESSONS
from tests.process.loopback import until
from tests.process.world import World, match, offered, running_bot

MOMENTS = {
    "before the acknowledgement": lambda m, path: path.endswith("/callback"),
    "after the commit, before the player is told": lambda m, path: (m, path[-9:]) == ("PATCH", "@original"),
    "while the table is edited": lambda m, path: m == "PATCH" and re.search(r"/channels/\d+/messages/\d+$", path),
    "while the next hand is sent": lambda m, path: m == "POST" and re.search(r"/channels/\d+/messages$", path),
    "while the last hand is deleted": lambda m, path: m == "DELETE",
}
(FIRST, SECOND), OTHERS = [*MOMENTS][:2], [*MOMENTS][2:]


async def stopped_or_recorded(world: World, press: asyncio.Task[Any], before: int) -> bool:
    """Wait until Discord stops at the gate, or the press is answered and its move recorded."""
    stopped = world.discord.stopped.is_set
    return await until(lambda: stopped() or (press.done() and len(world.moves()) > before))


@pytest.mark.parametrize(
    "moments", [[FIRST], pytest.param([SECOND, *OTHERS], marks=pytest.mark.long)], ids=["one", "the others"]
)
async def test_killed_at_that_moment_the_match_goes_on(tmp_path: Path, moments: list[str]) -> None:
    random = Random(moments[0])
    async with match(tmp_path, "ann", "ben", target=9, settings={"PLAIN": "yes"}) as world:
        for _ in range(3):
            await world.play(random)
        for moment in moments:
            print(moment)
            await killed_once(world, random, moment)


async def killed_once(world: World, random: Random, moment: str) -> None:
    """Kill the bot at that moment of one of the next moves, and let the next bot go on."""
    for _ in range(8):  # not every move leads to every moment: the winner of a trick gets no new hand
        assert await until(lambda: world.discord.stopped.is_set() or world.mover())
        if world.discord.stopped.is_set():
            break
        found = world.mover()
        assert found is not None
        user, hand = found
        pressed, before = random.choice(offered(hand)), world.moves()
        world.discord.gate = lambda method, path: bool(MOMENTS[moment](method, path))
        press = asyncio.create_task(world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed))
        assert await stopped_or_recorded(world, press, len(before))
    assert world.discord.stopped.is_set(), "that moment never came"
    await world.kill()
    press.cancel()
    made = [*before, pressed.rsplit("/", 1)[1]]
    assert world.moves() in (before, made)
    old_board = world.board

    await world.start()
    # The old board's button works.
    answer = await world.discord.press(user, world.channel, old_board, "1/1/hand//")
    assert answer.responded
    assert answer.ephemeral
    # The press that got no answer, again: it is recorded once, whether it was before or is only now.
    await world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
    assert await until(lambda: world.moves() == made)
    for _ in range(3):
        await world.play(random)
    assert await until(lambda: len(world.tables) == 1), "the table is shown once"
    assert await until(lambda: sum(len(world.hands(user)) for user in world.people) == 1), "one hand has moves"


@pytest.mark.long
async def test_killed_at_that_moment_a_lesson_goes_on(tmp_path: Path) -> None:
    """A lesson has no table: only its hand is shown again, and its computers go on with the moves of the line."""
    lesson, moments = LESSONS["sea_change"], {1: SECOND, 2: FIRST}
    async with running_bot(tmp_path, "ann", settings={"COMPUTER_SECONDS": "0.1", "PLAIN": "yes"}) as world:
        (user,), world.number = world.people, 1
        backend = world.discord.backend
        assert await until(lambda: backend.find_command("learn", backend.get_channel(world.channel).guild_id))
        await world.discord.slash(user, world.channel, "learn", game="sea_change")

        def offer(text: str) -> tuple[Any, str] | None:
            """Return the hand that offers this move, and the id of its button."""
            shown = [(hand, custom_id) for hand in world.hands(user) for custom_id in offered(hand)]
            return next((found for found in shown if found[1].endswith(f"/{text}")), None)

        for number, text in enumerate(lesson.of_seat(lesson.seat)[:4]):
            assert await until(lambda text=text: offer(text)), text
            hand, pressed = offer(text) or (None, "")
            direct = backend.dm_channels[user]
            if moment := moments.get(number):
                world.discord.gate = lambda method, path, moment=moment: bool(MOMENTS[moment](method, path))
                press = asyncio.create_task(world.discord.press(user, direct, hand, pressed))
                assert await until(world.discord.stopped.is_set), "that moment never came"
                await world.kill()
                press.cancel()
                await world.start()
            await world.discord.press(user, direct, hand, pressed)
        made = [entry.split(" ", 1)[1] for entry in lesson.line]
        assert await until(lambda: len(world.moves()) >= 12)
        assert world.moves() == made[: len(world.moves())]
        assert await until(lambda: len(world.hands(user)) == 1), "one hand has moves"
        assert world.tables == []


@pytest.mark.long
@pytest.mark.parametrize("moment", [FIRST, SECOND, "while the next hand is sent"])
async def test_killed_at_that_moment_a_match_alone_goes_on(tmp_path: Path, moment: str) -> None:
    """While its lobby is sent, or when it begins: there is one message, which becomes its hand."""
    async with running_bot(tmp_path, "ann", settings={"COMPUTER_SECONDS": "0.1", "PLAIN": "yes"}) as world:
        (user,), world.number = world.people, 1
        backend = world.discord.backend
        direct = backend.get_dm_channel(user).id
        assert await until(lambda: backend.find_command("play", None))

        def lobbies() -> list[Any]:
            return [m for m in world.discord.messages(direct) if "1/1/start//" in str(m.components)]

        def gate(method: str, path: str) -> bool:
            return bool(MOMENTS[moment](method, path))

        if moment.endswith("sent"):
            world.discord.gate = gate
            press = asyncio.create_task(world.discord.slash(user, direct, "play", game="full_circle"))
        else:
            await world.discord.slash(user, direct, "play", game="full_circle")
            assert await until(lobbies)
            world.discord.gate = gate
            press = asyncio.create_task(world.discord.press(user, direct, lobbies()[0], "1/1/start//"))
        assert await until(world.discord.stopped.is_set), "that moment never came"
        await world.kill()
        press.cancel()
        await world.start()
        if not moment.endswith("after the commit, before the player is told"):
            assert await until(lobbies)
            await world.discord.press(user, direct, lobbies()[0], "1/1/start//")
        assert await until(lambda: len(world.hands(user)) == 1 and not lobbies()), "it has begun once"
        assert world.tables == []
