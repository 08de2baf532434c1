"""The full month: `python -m tests.month --matches 500 --days 30 --seed …`. The exit code is 1 if it finds a fault."""

from __future__ import annotations

import argparse
import secrets
import sys

from tests.month.month import Month, Plan
from tests.month.soak import Soak

MOST_SAID = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", default=None, help="the seed that an earlier run printed, to repeat it")
    parser.add_argument("--beat", type=float, default=60.0, help="seconds between two heartbeats of the bot")
    parser.add_argument("--hourly", action="store_true", help="restart the bot every hour, and say what it holds")
    options = parser.parse_args()
    seed = options.seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    month = (Soak if options.hourly else Month)(Plan(options.matches, options.days, seed, options.beat))
    month.run()
    print("\n".join(month.faults[:MOST_SAID]))
    print(month.table())
    return int(bool(month.faults))


if __name__ == "__main__":
    sys.exit(main())
