"""A network to Discord that fails in realistic ways, through discord.py's own client: limits, errors, broken lines."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from pathlib import Path
from random import Random

from tests.process.loopback import until
from tests.process.world import match

WAYS = ("429", "502", "reset", "lost")
MOVES = 8
ABOUT_MESSAGES = re.compile(r"/messages|@original|^/webhooks/")
"""Requests about messages, and not acknowledgements of presses: tests/process/test_kill.py repeats such a press."""


async def test_however_requests_fail_the_match_goes_on_and_is_shown_once(tmp_path: Path) -> None:
    seed = secrets.randbelow(10**6)
    print("seed", seed)
    random, failed = Random(seed), Counter[str]()

    def fails(method: str, path: str) -> str | None:
        chance = 0.2 if len(failed) == len(WAYS) else 0.5
        if not ABOUT_MESSAGES.search(path) or random.random() > chance:
            return None
        # discord.py does not try such a deletion again: the message stays (docs/lab/reliability-runs.md).
        ways = [way for way in WAYS if (method, way) != ("DELETE", "reset")]
        way = min(ways, key=lambda way: (failed[way], way))
        failed[way] += 1
        return way

    async with match(tmp_path, "ann", "ben", target=5, settings={"PLAIN": "yes"}) as world:
        world.discord.fails = fails
        for _ in range(MOVES):
            await world.play(random)
        print(dict(failed))
        assert set(failed) == set(WAYS)
        world.discord.recover()
        assert await until(world.mover), "the player to move has their hand"
        assert await until(lambda: sum(len(world.hands(user)) for user in world.people) == 1)
        assert await until(lambda: len(world.tables) == 1), "the table is shown once"
        await world.play(random)
        assert world.process.returncode is None
