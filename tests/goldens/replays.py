"""The replay to look at: `make pictures` writes docs/replay.html again, a page as the bot saves it.

It is a short match, as an onlooker saw it. tests/test_readme.py fails if what it tells is out of date.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256

from cogs.match.playback import Eyes, Ply, Step, seen
from cogs.messages.drawing import Drawing
from cogs.messages.replay_page import page
from rules import GAMES
from rules.core.game import AnyGame
from tests.goldens.case import labels
from tests.goldens.readme import SHOWN
from tests.playthroughs.__main__ import setting
from tests.support.published import DOCS

REPLAY = DOCS / "replay.html"
MOST_BYTES = 1_100_000
"""Limit of the page: it is stored with the code."""
TRIED, LEAST = 12, 24
"""How many matches are played, of which the shortest is shown; and the fewest moves that it may have."""


def played(game: AnyGame, seats: int, options: dict[str, object], number: int) -> list[Ply]:
    """Return the positions of a match between sensible players; it is always the same one."""
    seed = f"replay {number}"
    state = game.new(seats, options, seed)
    found = [Ply(state, -1, state.opening())]
    while awaited := state.to_move():
        luck = sha256(f"{seed} {len(found)}".encode()).digest()
        state, events = state.apply(game.rollout_move(state, min(awaited), int.from_bytes(luck[:4], "big")))
        found.append(Ply(state, len(found) - 1, events))
    return found


def steps_of(slug: str) -> tuple[Step, ...]:
    """Return the steps of the match that is shown, for an onlooker."""
    game = GAMES[slug]
    seats = min(number for number in game.seats if number > 1)
    _, options, _ = setting(game)
    matches = (played(game, seats, options, number) for number in range(TRIED))
    shown = min((plies for plies in matches if len(plies) > LEAST), key=len)
    return seen(shown, seats, Eyes.ONLOOKER)


def made() -> bytes:
    drawing, steps = Drawing(), steps_of(SHOWN)
    named = labels(SHOWN, steps[0].state.view(None).seats)
    title, about = named.say("replay_file.title", table=named.say("game.title")), ", ".join(named.names)
    try:
        return asyncio.run(page(drawing, SHOWN, steps, Eyes.ONLOOKER, lambda _: named, title, about, "en", MOST_BYTES))
    finally:
        drawing.close()


if __name__ == "__main__":
    REPLAY.write_bytes(made())
    print(f"{REPLAY.name}: {REPLAY.stat().st_size:,} bytes")
