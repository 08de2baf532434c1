"""Prints a finished match from its record: python -m rules.replay FILE [--seat N | --all] [--ply N]."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rules import GAMES
from rules.core.match_record import MOST_BYTES, BadRecord, read_record
from rules.replay import ALL, ending, positions, title


def main() -> int:
    """Print the record that the command line names. Return 0; or 1 if it cannot, and standard error says why."""
    reads = argparse.ArgumentParser(
        prog="python -m rules.replay", description="Print a finished match from its record."
    )
    reads.add_argument("file", type=Path, help="the record, as the bot made it (docs/records.md)")
    eyes = reads.add_mutually_exclusive_group()
    eyes.add_argument(
        "--seat", type=int, metavar="N", help="as the player in seat N knew it; without it, as an onlooker"
    )
    eyes.add_argument("--all", action="store_true", help="all hands and all moves")
    reads.add_argument("--ply", type=int, metavar="N", help="position N alone; 0 is the first one")
    asked = reads.parse_args()
    try:
        with asked.file.open("rb") as file:
            record, plies = read_record(file.read(MOST_BYTES + 1), GAMES)
        if asked.seat is not None and not 0 <= asked.seat < len(record.names):
            raise BadRecord(f"the match has the seats 0 to {len(record.names) - 1}, not {asked.seat}")
        found = list(positions(record, plies, ALL if asked.all else asked.seat))
        if asked.ply is not None and not 0 <= asked.ply < len(found):
            raise BadRecord(f"there are the positions 0 to {len(found) - 1}, not {asked.ply}")
    except (BadRecord, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        print(f"{str(asked.file)!a}: {why}", file=sys.stderr)
        return 1
    if asked.ply is not None:
        print(found[asked.ply])
    else:
        print(title(record, GAMES[record.game]), *found, ending(record), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
