"""Our bot, telling its cost: `python -m tests.benchmarks.bots ORIGIN`. tests/benchmarks/bare.py is the one beside it.

Each line on the input is answered with the seconds of processor time that the process has spent so far.
"""

from __future__ import annotations

import sys
from threading import Thread
from time import process_time

import bot
from cogs.transport.rate_limits import PERSON, SERVER, Rate
from tests.process.launch import use_local_discord


def tell_cost() -> None:
    """Answer from now on, in a thread that otherwise waits."""

    def answer() -> None:
        for _ in sys.stdin:
            print(process_time(), flush=True)

    Thread(target=answer, daemon=True).start()


if __name__ == "__main__":
    for rates in (PERSON, SERVER):  # they would hold off what is to be measured
        rates.update(dict.fromkeys(rates, Rate(10**9, 1.0)))
    tell_cost()
    use_local_discord(sys.argv[1])
    sys.exit(bot.main([]))
