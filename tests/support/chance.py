"""Chance that a run of the tests repeats: the secrets of matches and the seeds of randomised tests follow from the name
of the test and the option `--seed`. So a deal that a test does not bear comes in each run or in none.
"""

from __future__ import annotations

import os
import secrets
from random import Random

SEED = "TEST_CHANCE"
"""The variable that says it to the programs that a test starts."""
_SECRET = 32
"""Bytes of a match's secret. Shorter tokens are names that are to differ, also in a program that starts again."""
_named = secrets.token_hex


def repeat_chance(seed: str) -> None:
    """From now on, draw secrets of matches and seeds from `seed`, also in the programs that are started."""
    luck, os.environ[SEED] = Random(seed), seed

    def token_hex(size: int = _SECRET) -> str:
        return luck.randbytes(size).hex() if size == _SECRET else _named(size)

    vars(secrets).update(token_hex=token_hex, randbelow=luck.randrange)


def follow_test() -> None:
    """Do so in a program that a test has started."""
    if SEED in os.environ:
        repeat_chance(os.environ[SEED])
