"""A way to Discord that fails as in life, through discord.py's own client: its tries again, limits and broken lines."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from pathlib import Path
from random import Random

from tests.process.loopback import until
from tests.process.world import match

WAYS = ("429", "502", "reset", "lost")
MOVES = 14
ABOUT_MESSAGES = re.compile(r"/messages|@original|^/webhooks/")
"""Not presses: who is not told that theirs is heard makes it again, as tests/process/test_kill.py does."""


async def test_however_requests_fail_the_match_goes_on_and_is_shown_once(tmp_path: Path) -> None:
    seed = secrets.randbelow(10**6)
    print("seed", seed)
    random, failed = Random(seed), Counter[str]()

    def fails(method: str, path: str) -> str | None:
        if not ABOUT_MESSAGES.search(path) or random.random() > 0.2:
            return None
        way = min(WAYS, key=lambda way: (failed[way], way))
        failed[way] += 1
        return way

    async with match(tmp_path, "ann", "ben", target=5) as world:
        world.discord.fails = fails
        for _ in range(MOVES):
            await world.play(random)
        print(dict(failed))
        assert set(failed) == set(WAYS)
        world.discord.fails = lambda method, path: None
        assert await until(world.mover, 60), "whoever is awaited has their hand"
        assert await until(lambda: sum(len(world.hands(user)) for user in world.people) == 1, 60)
        assert await until(lambda: len(world.tables) == 1, 60), "the table is shown once"
        await world.play(random)
        assert world.process.returncode is None
